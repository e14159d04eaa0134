//! Octal games: take tokens from a heap, and perhaps split what is left; a player who cannot move loses.
//!
//! R. K. Guy and C. A. B. Smith, "The G-values of various games", Mathematical Proceedings of the Cambridge Philosophical
//! Society 52 (1956). Digit number k of the code says what may become of a heap from which k tokens are taken: 1 nothing
//! is left, 2 one heap, 4 two heaps, and sums of these. Kayles is 0.77, Dawson's Kayles 0.07; digits 0 and 3 make
//! subtraction games, in which the numbers that may be taken are listed.

use crate::{Facts, Family, Info, nim};
use arrayvec::ArrayVec;
use delphic_game::{
    Game, Hints, Notation, NotationError, Player, Progressive, Spec, SpecError,
    picture::{Mark, Picture, Tiling},
};

/// The most tokens, and so the most heaps and digits.
pub(crate) const TOKENS: usize = 120;

/// Heaps, ascending, none of them empty.
type Heaps = ArrayVec<u8, TOKENS>;

/// A code and the heaps of the start position.
#[derive(Clone, Debug)]
pub struct Octal {
    code: Code,
    heaps: Heaps,
}

/// The digits of an octal game: number k is about taking k tokens.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Code(Vec<u8>);

/// A position.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State {
    heaps: Heaps,
    turn: Player,
}

/// What becomes of a heap: one or two heaps, or none.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Change {
    heap: u8,
    /// The smaller heap that is left, or 0.
    less: u8,
    /// The other one, or 0.
    more: u8,
}

impl Code {
    /// Reads a code such as `0.77`.
    pub fn read(text: &str) -> Result<Code, String> {
        let expected =
            || format!("'{text}' is not an octal code such as 0.77: 0 or 4, a point, digits from 0 to 7");
        let (whole, digits) = text.split_once('.').ok_or_else(expected)?;
        let whole = match whole {
            "0" => 0,
            // Without taking anything a heap can only be split.
            "4" => 4,
            _ => return Err(expected()),
        };
        let mut code = vec![whole];
        for digit in digits.chars() {
            code.push(digit.to_digit(8).ok_or_else(expected)? as u8);
        }
        if code.len() > TOKENS + 1 {
            return Err(format!("'{text}' has more than {TOKENS} digits"));
        }
        while code.len() > 1 && code.last() == Some(&0) {
            code.pop();
        }
        Ok(Code(code))
    }

    /// The subtraction game in which these numbers of tokens may be taken, each from 1 to 120.
    pub fn subtraction(takes: &[usize]) -> Result<Code, String> {
        let mut code = vec![0];
        for &take in takes {
            if !(1..=TOKENS).contains(&take) {
                return Err(format!("{take} tokens cannot be taken; from 1 to {TOKENS}"));
            }
            code.resize(code.len().max(take + 1), 0);
            code[take] = 3;
        }
        Ok(Code(code))
    }

    /// The code as [`read`](Code::read) reads it.
    pub fn write(&self) -> String {
        let digits: String = self.0[1..].iter().map(u8::to_string).collect();
        format!("{}.{digits}", self.0[0])
    }
}

impl Game for Octal {
    type State = State;
    type Move = Change;

    fn start(&self) -> State {
        State { heaps: self.heaps.clone(), turn: Player::FIRST }
    }

    fn turn(&self, state: &State) -> Player {
        state.turn
    }

    fn moves(&self, state: &State, list: &mut Vec<Change>) {
        let mut last = 0;
        for &heap in &state.heaps {
            // Equal heaps have equal moves.
            if heap == last {
                continue;
            }
            last = heap;
            for (&digit, left) in self.code.0.iter().zip((0..=heap).rev()) {
                if digit & 1 != 0 && left == 0 {
                    list.push(Change { heap, less: 0, more: 0 });
                }
                if digit & 2 != 0 && left > 0 {
                    list.push(Change { heap, less: 0, more: left });
                }
                if digit & 4 != 0 {
                    list.extend((1..=left / 2).map(|less| Change { heap, less, more: left - less }));
                }
            }
        }
    }

    fn play(&self, state: &mut State, change: Change) {
        let place = |heaps: &Heaps, size: u8| heaps.partition_point(|&heap| heap < size);
        state.heaps.remove(place(&state.heaps, change.heap));
        for size in [change.less, change.more].into_iter().filter(|&size| size > 0) {
            state.heaps.insert(place(&state.heaps, size), size);
        }
        state.turn = state.turn.other();
    }

    fn payoffs(&self) -> Vec<i16> {
        vec![-1, 1]
    }
}

/// Every move takes tokens or makes more heaps of them.
impl Progressive for Octal {}
impl Hints for Octal {}

fn read_heaps<'a>(sizes: impl Iterator<Item = &'a str>) -> Result<Heaps, String> {
    let (mut heaps, mut tokens) = (Heaps::new(), 0);
    for text in sizes {
        let size: u8 =
            text.trim().parse().map_err(|_| format!("'{text}' is not a heap from 0 to {TOKENS}"))?;
        tokens += usize::from(size);
        if tokens > TOKENS {
            return Err(format!("more than {TOKENS} tokens"));
        }
        if size > 0 {
            heaps.push(size);
        }
    }
    heaps.sort_unstable();
    Ok(heaps)
}

/// No heaps at all are written as an empty one.
fn write_heaps(heaps: &Heaps) -> String {
    if heaps.is_empty() {
        return "0".to_owned();
    }
    heaps.iter().map(u8::to_string).collect::<Vec<_>>().join(",")
}

impl Notation for Octal {
    const HOW: &'static str = "A move is a heap and what is left of it: 9:3+5 splits, 9:7 leaves 7, 9:0 leaves nothing. A position is the heaps and \
        the player to move, first or second: 3,5,5 second";

    fn write_move(&self, _: &State, Change { heap, less, more }: Change) -> String {
        if less > 0 { format!("{heap}:{less}+{more}") } else { format!("{heap}:{more}") }
    }

    fn write(&self, state: &State) -> String {
        format!("{} {}", write_heaps(&state.heaps), state.turn)
    }

    fn read(&self, text: &str) -> Result<State, NotationError> {
        let (heaps, turn) = nim::split(text)?;
        Ok(State { heaps: read_heaps(heaps.split(',')).map_err(NotationError::Position)?, turn })
    }

    fn picture(&self, state: &State) -> Picture {
        let mut picture = Picture::new(Tiling::Bare);
        if state.heaps.is_empty() {
            picture.label(-2, 0, 0);
        }
        for (y, &size) in (0..).step_by(2).zip(&state.heaps) {
            picture.label(-2, y, size);
            (0..size).for_each(|token| _ = picture.put(2 * i32::from(token), y, Mark::Token));
        }
        picture.note(format!("{} player to move", state.turn))
    }
}

impl Family for Octal {
    const INFO: Info = Info {
        usage: "octal[:HEAP,HEAP,…][,code=0.77], or take=1+3+4 for a subtraction game",
        about: "octal games: take tokens from a heap and perhaps split it (0.77 is Kayles); a player who cannot move loses",
        rules: "R. K. Guy and C. A. B. Smith, Proc. Cambridge Phil. Soc. 52 (1956)",
    };

    const FACTS: Facts = Facts {
        parameters: &[
            ("12", "the heaps, at most 120 tokens"),
            (
                "code=0.77",
                "digit k: the number of heaps that may be left when k tokens are taken, 1 none, 2 one, 4 two, or a sum of these; for a \
                 subtraction game, take=1+3+4 lists the numbers that may be taken instead",
            ),
        ],
        ..Facts::PLAIN
    };

    const OWN_SEARCHES: bool = false;

    fn build(spec: &mut Spec) -> Result<Octal, SpecError> {
        let mut sizes = spec.numbers();
        if sizes.is_empty() {
            sizes = vec!["12".to_owned()];
        }
        let code = match (spec.text("take"), spec.text("code")) {
            (Some(_), Some(_)) => Err("take= and code= exclude each other".to_owned()),
            (None, code) => Code::read(code.as_deref().unwrap_or("0.77")),
            (Some(takes), None) => takes
                .split('+')
                .map(|take| {
                    take.parse().map_err(|_| format!("'take={takes}' is not a list of numbers such as 1+3+4"))
                })
                .collect::<Result<Vec<usize>, String>>()
                .and_then(|takes| Code::subtraction(&takes)),
        };
        let heaps = read_heaps(sizes.iter().map(String::as_str));
        match (code, heaps) {
            (Ok(code), Ok(heaps)) => Ok(Octal { code, heaps }),
            (Err(reason), _) | (_, Err(reason)) => Err(spec.impossible(reason)),
        }
    }

    fn spec(&self) -> String {
        format!("octal:{},code={}", write_heaps(&self.heaps), self.code.write())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tiles::tests::wins;
    use delphic_game::conformance;
    use std::collections::{HashMap, HashSet};

    fn game(spec: &str) -> Octal {
        Octal::build(&mut Spec::parse(spec)).unwrap()
    }

    #[test]
    fn every_kind_conforms() {
        for spec in [
            "octal:0,code=0.",
            "octal:20,code=0.07",
            "octal:5,5,9,code=4.",
            "octal:30,code=0.30303",
            "octal:7,8,code=4.137",
        ] {
            let game = game(spec);
            conformance::check(&game);
            assert_eq!(game.spec(), spec);
        }
        assert_eq!(game("octal:9,take=4+1").spec(), "octal:9,code=0.3003");
    }

    /// The values of heaps by the theory: the least number that no move leads to, where heaps side by side add without carry.
    fn grundy(digits: &[u8], most: usize) -> Vec<usize> {
        let mut values = vec![0];
        for heap in 1..=most {
            let mut reached = HashSet::new();
            for (taken, digit) in digits.iter().enumerate().filter(|(taken, _)| *taken <= heap) {
                let left = heap - taken;
                if digit & 1 != 0 && left == 0 || digit & 2 != 0 && left > 0 {
                    reached.insert(values[left]);
                }
                if digit & 4 != 0 {
                    reached.extend((1..left).map(|part| values[part] ^ values[left - part]));
                }
            }
            values.push((0..).find(|value| !reached.contains(value)).unwrap());
        }
        values
    }

    /// The mover loses exactly when the values of the heaps add up to 0.
    #[test]
    fn heaps_have_the_values_of_the_theory() {
        for (parameters, digits) in [
            ("code=0.77", &[0, 7, 7][..]),
            ("code=0.07", &[0, 0, 7]),
            ("code=0.137", &[0, 1, 3, 7]),
            ("code=4.3", &[4, 3]),
            ("take=1+3+4", &[0, 3, 0, 3, 3]),
        ] {
            let (game, values, mut known) =
                (game(&format!("octal:0,{parameters}")), grundy(digits, 11), HashMap::new());
            for [a, b, c] in (0..12usize.pow(3))
                .map(|n| [n / 144, n / 12 % 12, n % 12])
                .filter(|[a, b, c]| a <= b && b <= c)
            {
                let state = game.read(&format!("{a},{b},{c} first")).unwrap();
                let sum = values[a] ^ values[b] ^ values[c];
                assert_eq!(wins(&game, &state, &mut known), sum != 0, "{parameters}: {a},{b},{c}");
            }
        }
    }

    /// The beginnings of the sequences in Guy and Smith's table, and of Berlekamp, Conway and Guy's Winning Ways, chapter 4.
    #[test]
    fn published_sequences() {
        assert_eq!(grundy(&[0, 7, 7], 19), [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4, 1, 2, 7, 1, 4, 3, 2]);
        assert_eq!(grundy(&[0, 0, 7], 19), [0, 0, 1, 1, 2, 0, 3, 1, 1, 0, 3, 3, 2, 2, 4, 0, 5, 2, 2, 3]);
        assert_eq!(grundy(&[0, 3, 3, 3], 9), [0, 1, 2, 3, 0, 1, 2, 3, 0, 1]);
    }

    #[test]
    fn bad_input_is_refused() {
        for bad in [
            "o:121",
            "o:60,61",
            "o:x",
            "o:5,code=77",
            "o:5,code=1.7",
            "o:5,code=0.8",
            "o:5,take=0",
            "o:5,take=1+",
            "o:5,take=1,code=0.3",
        ] {
            let spec = &mut Spec::parse(bad);
            assert!(Octal::build(spec).is_err() || spec.clone().finish("").is_err(), "{bad}");
        }
        for bad in ["", "3", "3,x first", "3 third", "200 first", "61,60 first"] {
            assert!(game("octal").read(bad).is_err(), "{bad}");
        }
    }
}
