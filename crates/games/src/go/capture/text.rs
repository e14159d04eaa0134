//! The text of capture problems, and their entry in the table of games.

use super::super::board::LARGEST;
use super::{GoCapture, NOWHERE, PASS, State};
use crate::go::Points;
use crate::{Facts, Family, Info};
use delphic_game::picture::{Picture, Tiling};
use delphic_game::{Notation, NotationError, Player, Spec, SpecError, bits::Bits};

const GLYPHS: [char; 2] = ['X', 'O'];

impl GoCapture {
    fn glyph(&self, state: &State, cell: usize) -> char {
        let size = self.board.size();
        let point = self.board.point(cell / size, cell % size);
        (0..2).find(|&seat| state.stones[seat].has(point)).map_or('.', |seat| GLYPHS[seat])
    }
}

fn error<T>(reason: impl Into<String>) -> Result<T, NotationError> {
    Err(NotationError::position(reason))
}

impl Notation for GoCapture {
    const HOW: &'static str = "A move is a point, c2 (columns a…, rows from 1 at the bottom, i among the letters), or pass. A position is its \
        rows from the top, X for black, O for white, . for empty; the player to move, x or o; whose stone is to be captured and where, O:c3; and the \
        liberties with which it is not yet safe; then, if need be, the point that ko forbids the attacker, ko=b2, and how many stones of the \
        defender have been taken, taken=1: .X./XO./... x O:b2 2";

    fn write_move(&self, _: &State, mv: u16) -> String {
        if mv == PASS { "pass".to_owned() } else { self.board.name(mv.into()) }
    }

    fn write(&self, state: &State) -> String {
        let mut text = self.board.grid().write(|cell| self.glyph(state, cell));
        let (turn, owner) = (['x', 'o'][state.turn.index()], GLYPHS[state.attacker.other().index()]);
        text += &format!(" {turn} {owner}:{} {}", self.board.name(state.target.into()), state.limit);
        if state.ko != NOWHERE {
            text += &format!(" ko={}", self.board.name(state.ko.into()));
        }
        if state.taken != 0 {
            text += &format!(" taken={}", state.taken);
        }
        text
    }

    fn read(&self, text: &str) -> Result<State, NotationError> {
        let mut words = text.split_whitespace();
        let [Some(rows), Some(turn), Some(target), Some(limit)] = std::array::from_fn(|_| words.next())
        else {
            return error(
                "expected the board, x or o for the side to move, the target such as O:c3, and a number of liberties",
            );
        };
        let mut stones = [Points::EMPTY; 2];
        let size = self.board.size();
        for (cell, glyph) in self.board.grid().read(rows, ".XO")?.into_iter().enumerate() {
            if glyph > 0 {
                stones[glyph - 1].insert(self.board.point(cell / size, cell % size));
            }
        }
        let turn = match turn {
            "x" => Player::FIRST,
            "o" => Player::SECOND,
            _ => return error("expected x or o for the side to move"),
        };
        let point = |name: &str| match self.board.named(name) {
            Some(point) => Ok(point as u16),
            None => error(format!("'{name}' is not a point of the board")),
        };
        let (owner, target) = match target.split_once(':') {
            Some(("X", name)) => (Player::FIRST, point(name)?),
            Some(("O", name)) => (Player::SECOND, point(name)?),
            _ => return error("expected the target as X:c3 or O:c3"),
        };
        let number = |text: &str| match text.parse() {
            Ok(number) if number < 1000 => Ok(number),
            _ => error(format!("'{text}' is not a number from 0 to 999")),
        };
        let attacker = owner.other();
        let mut state =
            State { stones, target, ko: NOWHERE, taken: 0, limit: number(limit)?, attacker, turn };
        for word in words {
            match word.split_once('=') {
                Some(("ko", name)) => state.ko = point(name)?,
                Some(("taken", text)) => state.taken = number(text)?,
                _ => return error(format!("'{word}' is neither ko= nor taken=")),
            }
        }
        self.check(&state)?;
        Ok(state)
    }

    fn picture(&self, state: &State) -> Picture {
        let board = self.board.grid().picture(|cell| self.glyph(state, cell)).tiled(Tiling::Crossings);
        let target = self.board.name(state.target.into());
        let (turn, owner) = (GLYPHS[state.turn.index()], GLYPHS[state.attacker.other().index()]);
        board.note(format!(
            "{turn} to move; the stone {owner} on {target} is safe with more than {} liberties",
            state.limit
        ))
    }
}

impl GoCapture {
    /// Refuses what is no position of a capture problem.
    pub fn check(&self, state: &State) -> Result<(), NotationError> {
        if let Some(point) = self.board.breathless(&state.stones) {
            return error(format!("the chain of {} has no liberty", self.board.name(point)));
        }
        let target = usize::from(state.target);
        if state.attackers().has(target) {
            return error("the target is a stone of the other colour");
        }
        if !state.defenders().has(target) && state.attacks() {
            return error("there is no stone on the target's point, yet the attacker is to move");
        }
        let banned = usize::from(state.ko);
        let ko = state.ko == NOWHERE || state.attacks() && self.board.empty(&state.stones).has(banned);
        if ko { Ok(()) } else { error("ko forbids an attacker who is to move an empty point, nothing else") }
    }
}

impl Family for GoCapture {
    const INFO: Info = Info {
        usage: "go-capture[:SIZE][,zone=off|on|threats][,order=1][,cap=100]",
        about: "can this stone be captured? Ko favours the defender, who may pass and is safe with more liberties than the limit",
        rules: "Stern, Herbrich and Graepel 2007 (paper 4, §2.2 and §5)",
    };

    const FACTS: Facts = Facts {
        parameters: &[
            ("19", "lines of the board, from 1 to 19"),
            (
                "zone=off",
                "on: the attacker plays only near the target, and the defender must answer threats to capture it; captures are still \
                 proved for the whole board, but a failure means only that nearby attacks fail; threats: every move of the attacker \
                 must be a threat, which is faster and fails more often",
            ),
            (
                "order=1",
                "with a zone, the maximum order of a threat: 1 for ladders, 2 for threats of ladders, up to 3",
            ),
            ("cap=100", "the defender is safe after this many stones have been taken"),
        ],
        cycles: "the defender may retake a ko at once, the attacker may not; positions include the number of the defender's stones taken, so \
                 they cannot repeat, and the defender wins when cap= stones have been taken",
        symmetries: "none",
    };

    fn build(spec: &mut Spec) -> Result<GoCapture, SpecError> {
        let game = GoCapture::new(spec.side(LARGEST, 1..=LARGEST)?);
        let (order, cap) = (spec.number("order", 1)?, spec.number("cap", game.cap)?);
        if !(1..=3).contains(&order) {
            return Err(spec.impossible("order= is 1, 2 or 3"));
        }
        match spec.text("zone").as_deref() {
            None | Some("off") => Ok(GoCapture { cap, ..game }),
            Some("on") => Ok(GoCapture { cap, ..game.zoned(order, false) }),
            Some("threats") => Ok(GoCapture { cap, ..game.zoned(order, true) }),
            Some(word) => Err(spec.impossible(format!("'zone={word}' is none of off, on and threats"))),
        }
    }

    fn spec(&self) -> String {
        let (size, cap) = (self.board.size(), self.cap);
        match self.order {
            0 => format!("go-capture:{size},zone=off,cap={cap}"),
            order => {
                let zone = if self.strict { "threats" } else { "on" };
                format!("go-capture:{size},zone={zone},order={order},cap={cap}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use delphic_game::Game;

    #[test]
    fn impossible_positions_are_refused() {
        let game = GoCapture::new(3);
        assert!(game.read("OX./.../... x O:a3 2").is_ok());
        for bad in [
            "",
            "OX./.../... x",
            "OX./.../... z O:a3 2",
            "OX./.../... x a3 2",
            "OX./.../... x X:a3 2",
            "OX./.../... x O:a2 2",
            "OX./.../... x O:a4 2",
            "OX./.../... x O:a3 -1",
            "OX./.../... x O:a3 1000",
            "OX./.../... x O:a3 2 ko=b3",
            "OX./.../... o O:a3 2 ko=c3",
            "OX./.../... x O:a3 2 what",
            "OX./X../... x O:a3 2",
        ] {
            assert!(game.read(bad).is_err(), "{bad}");
        }
        assert!(game.read(".X./X../... o O:a3 2").is_ok(), "already captured");
    }

    #[test]
    fn specs_are_read_back() {
        for text in ["go-capture", "go-capture:9,zone=on", "go-capture:13,zone=threats,order=2,cap=7"] {
            let mut spec = Spec::parse(text);
            let game = GoCapture::build(&mut spec).unwrap();
            let again = GoCapture::build(&mut Spec::parse(&game.spec())).unwrap();
            assert_eq!(game.spec(), again.spec());
        }
        for bad in ["go-capture:20", "go-capture:0", "go-capture:zone=maybe", "go-capture:order=4"] {
            assert!(GoCapture::build(&mut Spec::parse(bad)).is_err(), "{bad}");
        }
        assert_eq!(GoCapture::new(5).start().limit, 3);
    }
}
