//! Awari: seeds are sown around the board, and those that make two or three in an enemy hole are captured.
//!
//! Rules: played here as Ludii 1.3 does. Two rows of six holes with four seeds each, sown one by one counter-clockwise
//! past the hole they came from. A last seed that makes 2 or 3 in an enemy hole captures them, and so on backwards. A
//! move must leave the enemy a seed; a player without such a move passes. When no hole holds more than one seed the larger store wins,
//! and two passes in a row are a draw, whatever the stores. One peculiarity of Ludii is kept: a last seed that has just
//! passed over the hole it came from (12, 23, … seeds) captures nothing.
//!
//! With `rules=oware`, as in OpenSpiel: a move that would capture all enemy seeds captures nothing; only an enemy without
//! seeds must be given some; and the game is over with more than 24 seeds in a store or 24 in both, when the mover has
//! no legal move, or when a position has been repeated since the last capture. Then each side takes what is left in its row.
//!
//! Without captures seeds can go round for long, so plies are counted.

use crate::kit::colours;
use crate::kit::history::History;
use crate::kit::sowing::{self, Holes, SEEDS, row, seeds, sow};
use crate::{Facts, Family, Info, PLIES, plies};
use delphic_game::{
    Game, Hints, Notation, NotationError, Outcome, Player, Rng, Spec, SpecError,
    adapters::PlyLimit,
    picture::{Mark, Picture, Tiling},
};

/// The rules. Positions can repeat unless `oware`.
#[derive(Clone, Debug)]
pub struct Awari {
    oware: bool,
}

/// A position.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State {
    holes: Holes,
    stores: [u8; 2],
    turn: Player,
    /// How many of the last plies were passes.
    passed: u8,
    /// In Oware, the boards since the last capture with their movers; the present one is not among them.
    earlier: History<(Holes, u8)>,
}

/// A hole from 0 in the order of sowing, or [`PASS`].
type Move = u8;
const PASS: u8 = 12;

impl Awari {
    /// Ludii's Awari, or with `oware` OpenSpiel's Oware.
    pub fn new(oware: bool) -> Awari {
        Awari { oware }
    }

    /// The board after `player` has sown from `hole`, and how many seeds that captures.
    #[inline]
    fn sown(&self, mut holes: Holes, player: Player, hole: usize) -> (Holes, u8) {
        let sown = holes[hole];
        let mut last = sow(&mut holes, hole);
        if !self.oware && sown > 11 && sown % 11 == 1 {
            return (holes, 0);
        }
        let before = holes;
        let mut captured = 0;
        while row(player.other()).contains(&last) && matches!(holes[last], 2 | 3) {
            captured += std::mem::take(&mut holes[last]);
            // Below hole 0 it is in neither row.
            last = last.wrapping_sub(1);
        }
        if self.oware && captured > 0 && seeds(&holes, player.other()) == 0 {
            return (before, 0);
        }
        (holes, captured)
    }

    #[inline]
    fn is_legal(&self, holes: &Holes, player: Player, hole: usize) -> bool {
        // In Oware no move takes the last seeds, so only an enemy who has none can be left without.
        holes[hole] > 0 && seeds(&self.sown(*holes, player, hole).0, player.other()) > 0
    }

    #[inline]
    fn legal(&self, holes: &Holes, player: Player) -> impl Iterator<Item = u8> {
        row(player).filter(move |&hole| self.is_legal(holes, player, hole)).map(|hole| hole as u8)
    }

    /// Whether Oware is over: all seeds are counted then.
    fn counted(stores: [u8; 2]) -> bool {
        stores[0] > SEEDS / 2 || stores[1] > SEEDS / 2 || stores == [SEEDS / 2; 2]
    }
}

impl Game for Awari {
    type State = State;
    type Move = Move;

    fn start(&self) -> State {
        State { holes: [4; 12], stores: [0; 2], turn: Player::FIRST, passed: 0, earlier: History::new() }
    }

    #[inline]
    fn turn(&self, state: &State) -> Player {
        state.turn
    }

    fn moves(&self, state: &State, list: &mut Vec<Move>) {
        let base = list.len();
        list.extend(self.legal(&state.holes, state.turn));
        if list.len() == base {
            list.push(PASS);
        }
    }

    fn play(&self, state: &mut State, mv: Move) {
        let mover = state.turn;
        state.turn = mover.other();
        if mv == PASS {
            state.passed += 1;
            return;
        }
        state.passed = 0;
        let (holes, captured) = self.sown(state.holes, mover, mv as usize);
        let before = (std::mem::replace(&mut state.holes, holes), mover.index() as u8);
        state.stores[mover.index()] += captured;
        if !self.oware {
            return;
        }
        if captured > 0 {
            state.earlier = History::new();
        } else {
            state.earlier.push(before);
        }
        let again = state.earlier.contains(&(holes, state.turn.index() as u8));
        if again || Awari::counted(state.stores) || self.legal(&holes, state.turn).next().is_none() {
            for player in [Player::FIRST, Player::SECOND] {
                state.stores[player.index()] += seeds(&holes, player);
            }
            (state.holes, state.earlier) = ([0; 12], History::new());
        }
    }

    #[inline]
    fn outcome(&self, state: &State) -> Option<Outcome> {
        let [first, second] = state.stores.map(i16::from);
        let over =
            if self.oware { Awari::counted(state.stores) } else { state.holes.iter().all(|&n| n <= 1) };
        match over {
            true => Some(Outcome::score((first - second).signum())),
            false => (state.passed == 2).then_some(Outcome::DRAW),
        }
    }

    fn heap_bytes(&self) -> usize {
        if self.oware { History::<(Holes, u8)>::BYTES } else { 0 }
    }

    fn random_move(&self, state: &State, rng: &mut Rng, _: &mut Vec<Move>) -> Option<Move> {
        // Most holes are legal: drawing until one is makes playouts three times as fast as trying them all.
        let first = row(state.turn).start;
        let mut left = 0b11_1111u8;
        while left != 0 {
            let n = rng.below(6);
            if left >> n & 1 != 0 {
                if self.is_legal(&state.holes, state.turn, first + n) {
                    return Some((first + n) as u8);
                }
                left ^= 1 << n;
            }
        }
        Some(PASS)
    }
}

impl Hints for Awari {}

impl Notation for Awari {
    const HOW: &'static str = "A move is a hole, c1 in the first player's row, c2 in the second's above it (columns a to f), or pass. A \
        position is the seeds in a2 to f2, then in a1 to f1, the stores of both players and the player to move, x or o; after a pass also \
        1, after two 2; in Oware also the boards since the last capture with their movers; then @ and the plies played: \
        4,4,4,4,4,4/4,4,4,4,4,4 0,0 x@0";

    fn write_move(&self, _: &State, mv: Move) -> String {
        match mv {
            PASS => "pass".to_owned(),
            0..6 => format!("{}1", char::from(b'a' + mv)),
            _ => format!("{}2", char::from(b'a' + 11 - mv)),
        }
    }

    fn write(&self, state: &State) -> String {
        let [first, second] = state.stores;
        let mut text =
            format!("{} {first},{second} {}", sowing::write(&state.holes), colours::letter(state.turn));
        if state.passed > 0 {
            text += &format!(" {}", state.passed);
        }
        for (holes, mover) in state.earlier.sorted() {
            text += &format!(" {} {}", sowing::write(&holes), colours::letter(Player::new(mover as usize)));
        }
        text
    }

    fn read(&self, text: &str) -> Result<State, NotationError> {
        let mut words = text.split_whitespace().peekable();
        let mut next = |what: &str| {
            words.next().ok_or_else(|| NotationError::position(format!("{what} is missing at the end")))
        };
        let holes = sowing::read(next("the board")?)?;
        let stores = next("the stores")?;
        let stores = sowing::numbers(stores).ok_or_else(|| {
            NotationError::position(format!("expected the two stores such as 0,0, found '{stores}'"))
        })?;
        let turn = colours::player(next("the side to move")?)?;
        let passed =
            words.next_if(|word| ["1", "2"].contains(word)).map_or(0, |word| word.as_bytes()[0] - b'0');
        let mut earlier = Vec::new();
        while let Some(board) = words.next() {
            let mover = words.next().ok_or_else(|| NotationError::position("the last mover is missing"))?;
            earlier.push((sowing::read(board)?, colours::player(mover)?.index() as u8));
        }
        if !earlier.is_sorted_by(|a, b| a < b) {
            return Err(NotationError::position("the earlier boards are not in order, or one occurs twice"));
        }
        let state = State { holes, stores, turn, passed, earlier: earlier.into_iter().collect() };
        self.check(&state).map_err(NotationError::position)?;
        Ok(state)
    }

    fn picture(&self, state: &State) -> Picture {
        let mut picture = Picture::new(Tiling::Bare);
        for (hole, &seeds) in state.holes.iter().enumerate() {
            let (col, row) = if hole < 6 { (hole, 1) } else { (11 - hole, 0) };
            picture.put(2 * col as i32, 2 * row, Mark::Seeds(seeds));
        }
        for (row, seat) in [(0, 1), (1, 0)] {
            picture.label(-2, 2 * row, seat + 1);
            picture.put(15, 2 * row, Mark::Seeds(state.stores[seat]));
        }
        ('a'..='f').zip((0..).step_by(2)).for_each(|(letter, x)| _ = picture.label(x, 4, letter));
        let [first, second] = state.stores;
        let mover = colours::letter(state.turn).to_ascii_uppercase();
        picture.note(format!("{mover} to move; stores: X {first}, O {second}"))
    }
}

impl Awari {
    /// What is impossible about a position.
    fn check(&self, state: &State) -> Result<(), &'static str> {
        let total = |holes: &Holes| holes.iter().map(|&n| u32::from(n)).sum::<u32>();
        let stored: u32 = state.stores.iter().map(|&n| u32::from(n)).sum();
        let same = |(holes, _): &(Holes, u8)| total(holes) + stored == u32::from(SEEDS);
        if !same(&(state.holes, 0)) || !state.earlier.iter().all(same) {
            return Err("there are 48 seeds in all");
        }
        let stuck = |player| self.legal(&state.holes, player).next().is_none();
        let passers = [state.turn.other(), state.turn];
        if !passers[..state.passed as usize].iter().all(|&player| stuck(player)) {
            return Err("a player with a legal move cannot have passed");
        }
        if !self.oware {
            return if state.earlier.is_empty() {
                Ok(())
            } else {
                Err("only Oware remembers earlier boards")
            };
        }
        if state.passed > 0 || !Awari::counted(state.stores) && stuck(state.turn) {
            return Err("there are no passes in Oware: without a move the seeds are counted");
        }
        if Awari::counted(state.stores) && total(&state.holes) > 0 {
            return Err("the game is over, so each row belongs into its store");
        }
        if state.earlier.contains(&(state.holes, state.turn.index() as u8)) {
            return Err("the position has been repeated, so the seeds are counted");
        }
        Ok(())
    }
}

impl Family for PlyLimit<Awari> {
    const INFO: Info = Info {
        usage: "awari[:rules=ludii|oware][,plies=2500]",
        about: "the mancala game: sow seeds and capture twos and threes; the larger store wins; a draw at the ply limit",
        rules: "Ludii 1.3.14, Awari; with rules=oware OpenSpiel, Oware",
    };

    const FACTS: Facts = Facts {
        parameters: &[
            (
                "rules=ludii",
                "the rules of capture and of the end of the game; rules=oware: as in OpenSpiel's Oware",
            ),
            PLIES,
        ],
        cycles: "positions can repeat: plies= ends the game as a draw; in Oware a repetition since the last capture ends it",
        ..Facts::PLAIN
    };

    fn build(spec: &mut Spec) -> Result<PlyLimit<Awari>, SpecError> {
        let oware = match spec.text("rules").as_deref() {
            None | Some("ludii") => false,
            Some("oware") => true,
            Some(other) => return Err(spec.impossible(format!("rules={other} is neither ludii nor oware"))),
        };
        Ok(PlyLimit { game: Awari::new(oware), limit: plies(spec, 2500)? })
    }

    fn spec(&self) -> String {
        format!(
            "awari:rules={},plies={}",
            if self.game.oware { "oware" } else { "ludii" },
            self.written_limit()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use delphic_game::{conformance, result};

    #[test]
    fn oware_conforms() {
        conformance::check(&PlyLimit { game: Awari::new(true), limit: Some(2500) });
    }

    fn moves(game: &Awari, position: &str) -> Vec<String> {
        let state = game.read(position).unwrap();
        let mut moves = Vec::new();
        game.moves(&state, &mut moves);
        moves.into_iter().map(|mv| game.write_move(&state, mv)).collect()
    }

    #[test]
    fn taking_everything_is_illegal_or_takes_nothing() {
        let position = "0,0,0,0,1,1/0,0,0,0,1,2 20,23 x";
        assert_eq!(moves(&Awari::new(false), position), ["e1"]);
        let oware = Awari::new(true);
        assert_eq!(moves(&oware, position), ["e1", "f1"]);
        let mut state = oware.read(position).unwrap();
        oware.play(&mut state, 5);
        assert!(oware.write(&state).starts_with("0,0,0,0,2,2/0,0,0,0,1,0 20,23 o"));
    }

    #[test]
    fn an_enemy_without_seeds_is_fed_or_the_mover_passes() {
        let fed = "0,0,0,0,0,0/0,0,0,2,0,1 20,25 x";
        assert_eq!(moves(&Awari::new(false), fed), ["f1"]);
        let starved = "0,0,0,0,0,0/0,2,0,0,0,0 20,26 x";
        assert_eq!(moves(&Awari::new(false), starved), ["pass"]);
        assert!(Awari::new(true).read(starved).is_err());
    }

    #[test]
    fn two_passes_are_a_draw() {
        let game = Awari::new(false);
        let state = game.read("0,0,0,0,0,0/0,2,0,0,0,0 20,26 x 2").unwrap();
        assert_eq!(result(&game, &state, &mut Vec::new()), Some(Outcome::DRAW));
    }

    #[test]
    fn impossible_positions_are_refused() {
        let awari = PlyLimit { game: Awari::new(false), limit: Some(9) };
        for bad in [
            "",
            "4,4,4,4,4,4/4,4,4,4,4,4 0,0",
            "4,4,4,4,4,4/4,4,4,4,4,4 0,1 x",
            "4,4,4,4,4,4/4,4,4,4,4,4 0,0 x 1",
            "4,4,4,4,4/4,4,4,4,4,4 4,0 x",
            "4,4,4,4,4,4/4,4,4,4,4,4 0,0 x 4,4,4,4,4,4/4,4,4,4,4,4 o",
            "4,4,4,4,4,4/4,4,4,4,4,4 0,0 x@10",
            "255,4,4,4,4,4/4,4,4,4,4,4 0,0 x",
        ] {
            assert!(awari.read(bad).is_err(), "{bad}");
        }
        assert!(Awari::new(true).read("4,4,4,4,4,4/4,4,4,4,4,4 0,0 x 4,4,4,4,4,4/4,4,4,4,4,4 x").is_err());
    }
}
