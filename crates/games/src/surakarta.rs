//! Surakarta: pieces step to any neighbour and capture by running round the arcs at the corners of the board.
//!
//! Rules: traditional (Java), as Ludii plays them. A capture runs along a loop of four lines past at least one arc, over
//! empty points only, to the first piece it meets, an enemy's. A player without pieces loses, a player without moves passes, and two
//! passes in a row are a draw. After 101 plies without capture (102 from the start) a side may propose to end the game; if
//! the other agrees more pieces win, if not as many quiet plies must follow before the next proposal. There is no rule about
//! repetition, so a ply limit ends the game.

mod loops;

use crate::kit::colours;
use crate::kit::move_sets::MoveSets;
use crate::kit::pieces::KING as ONE_STEP;
use crate::kit::rays::shifted;
use crate::kit::symmetry::Symmetry;
use crate::{BOARD_SYMMETRIES, ENDED_BY_PLIES, Facts, Family, Info, PLIES, plies};
use delphic_game::{
    Game, Hints, Notation, NotationError, Outcome, Player, Rng, Spec, SpecError,
    adapters::PlyLimit,
    bits::Bits,
    grid::Grid,
    picture::{Picture, Tiling},
};
use loops::Loops;

const GRID: Grid = Grid { rows: 6, cols: 6 };
/// After this many quiet plies from the start the end may be proposed.
const QUIET: u8 = 102;

/// All points.
const BOARD: u64 = (1 << 36) - 1;
/// The points of the first column, and of the last.
const SIDES: [u64; 2] = [0x4104_1041, 0x4104_1041 << 5];
/// The distances from a point to its neighbours, to the right and down.
const FORWARD: [usize; 4] = [1, 5, 6, 7];
/// Trials to draw a legal move before all moves are listed. With 20 legal moves it takes 15 on average.
const TRIALS: usize = 256;

/// The rules: where pieces step and run.
#[derive(Clone, Debug)]
pub struct Surakarta {
    neighbours: Vec<u64>,
    loops: Loops,
    symmetry: Symmetry,
}

/// A position. Point (row, column) is bit `row * 6 + column`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct State {
    men: [u64; 2],
    turn: Player,
    /// Plies since the last capture, that one included, or since the start; more than [`QUIET`] are not counted.
    quiet: u8,
    phase: Phase,
}

/// What the last ply was, as far as it matters now.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Phase {
    Moved,
    Passed,
    /// Both sides in turn: a draw.
    PassedTwice,
    /// The end was proposed: the mover votes.
    Proposed,
    /// And agreed on.
    Agreed,
}

/// How phases are written.
const PHASES: [(Phase, &str); 5] = [
    (Phase::Moved, "-"),
    (Phase::Passed, "passed"),
    (Phase::PassedTwice, "passed-twice"),
    (Phase::Proposed, "proposed"),
    (Phase::Agreed, "agreed"),
];

/// A move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Move {
    /// A step or a capture.
    Go {
        /// From this point.
        from: u8,
        /// To this one.
        to: u8,
    },
    /// Nothing else is possible.
    Pass,
    /// To end the game here.
    Propose,
    /// The vote on it.
    Vote {
        /// Whether the game ends.
        end: bool,
    },
}

impl Default for Surakarta {
    /// The only board there is.
    fn default() -> Surakarta {
        let neighbours = |cell| {
            let both = ONE_STEP.iter().flat_map(|&(down, right)| [(down, right), (down, -right)]);
            both.filter_map(|(down, right)| shifted(GRID, cell, down, right)).fold(0, |set, to| set | 1 << to)
        };
        Surakarta {
            neighbours: (0..36).map(neighbours).collect(),
            loops: Loops::default(),
            symmetry: Symmetry::of(GRID),
        }
    }
}

impl Surakarta {
    /// The steps and captures of the side to move.
    #[inline]
    fn fans(&self, state: &State) -> MoveSets {
        let [mine, theirs] = [state.turn, state.turn.other()].map(|player| state.men[player.index()]);
        let (mut fans, mut captures) = (MoveSets::default(), [0; 36]);
        self.loops.captures(mine, theirs, |from, to| captures[from] |= 1 << to);
        let empty = !(mine | theirs);
        mine.cells().for_each(|cell| fans.add(cell, 0, self.neighbours[cell] & empty | captures[cell]));
        fans
    }
}

/// The pieces of `mine` that can step to an empty point in each of the eight directions: forward, then back.
#[inline]
fn steps(mine: u64, empty: u64) -> [u64; 8] {
    let [not_first, not_last] = SIDES.map(|side| mine & !side);
    [
        not_last & empty >> 1,
        not_first & empty >> 5,
        mine & empty >> 6,
        not_last & empty >> 7,
        not_first & empty << 1,
        not_last & empty << 5,
        mine & empty << 6,
        not_first & empty << 7,
    ]
}

impl Surakarta {
    /// A step or a capture drawn uniformly: a point and a direction, or a capture past an arc, until one is legal. A ply of a random game takes
    /// 92 ns with its share of the tree search; drawn from a list of all moves it took 152 ns.
    #[inline]
    fn random_step(&self, state: &State, rng: &mut Rng) -> Option<Move> {
        let [mine, theirs] = [state.turn, state.turn.other()].map(|player| state.men[player.index()]);
        let steps = steps(mine, BOARD & !(mine | theirs));
        let go = |from: usize, to: usize| Some(Move::Go { from: from as u8, to: to as u8 });
        for _ in 0..TRIALS {
            let drawn = rng.below(8 * 36 + loops::CAPTURES);
            if drawn < 8 * 36 {
                let (direction, from) = (drawn / 36, drawn % 36);
                if steps[direction] >> from & 1 == 1 {
                    let by = FORWARD[direction % 4];
                    return go(from, if direction < 4 { from + by } else { from - by });
                }
            } else if let Some((from, to)) = self.loops.distinct_capture(mine, theirs, drawn - 8 * 36) {
                return go(from, to);
            }
        }
        let step = self.fans(state).draw(rng, |_| true)?;
        go(step.from.into(), step.to.into())
    }
}

impl Game for Surakarta {
    type State = State;
    type Move = Move;

    fn start(&self) -> State {
        State { men: [0xfff << 24, 0xfff], turn: Player::FIRST, quiet: 0, phase: Phase::Moved }
    }

    #[inline]
    fn turn(&self, state: &State) -> Player {
        state.turn
    }

    /// Piece by piece from the top left, each towards higher points; then the proposal.
    fn moves(&self, state: &State, list: &mut Vec<Move>) {
        if state.phase == Phase::Proposed {
            list.extend([Move::Vote { end: true }, Move::Vote { end: false }]);
            return;
        }
        let before = list.len();
        list.extend(self.fans(state).steps().map(|step| Move::Go { from: step.from, to: step.to }));
        if state.quiet >= QUIET {
            list.push(Move::Propose);
        }
        if list.len() == before {
            list.push(Move::Pass);
        }
    }

    #[inline]
    fn play(&self, state: &mut State, mv: Move) {
        let mover = state.turn.index();
        state.turn = state.turn.other();
        state.quiet = QUIET.min(state.quiet + 1);
        let passed = state.phase == Phase::Passed;
        state.phase = Phase::Moved;
        match mv {
            Move::Go { from, to } => {
                if state.men[1 - mover].has(to as usize) {
                    state.quiet = 1;
                    state.men[1 - mover] ^= 1 << to;
                }
                state.men[mover] ^= 1 << from | 1 << to;
            }
            Move::Pass => state.phase = if passed { Phase::PassedTwice } else { Phase::Passed },
            Move::Propose => state.phase = Phase::Proposed,
            Move::Vote { end: true } => state.phase = Phase::Agreed,
            Move::Vote { end: false } => state.quiet = 1,
        }
    }

    #[inline]
    fn outcome(&self, state: &State) -> Option<Outcome> {
        match state.phase {
            Phase::Agreed => {
                let [first, second] = state.men.map(Bits::count);
                Some(Outcome::score((first as i16 - second as i16).signum()))
            }
            Phase::PassedTwice => Some(Outcome::DRAW),
            _ => (state.men[state.turn.index()] == 0).then(|| Outcome::loss(state.turn)),
        }
    }

    fn canonicalize(&self, state: &mut State) {
        state.men = self.symmetry.least(state.men);
    }

    #[inline]
    fn random_move(&self, state: &State, rng: &mut Rng, scratch: &mut Vec<Move>) -> Option<Move> {
        if state.phase != Phase::Proposed && state.quiet < QUIET {
            return Some(self.random_step(state, rng).unwrap_or(Move::Pass));
        }
        scratch.clear();
        self.moves(state, scratch);
        Some(scratch[rng.below(scratch.len())])
    }
}

impl Hints for Surakarta {}

impl Notation for Surakarta {
    const HOW: &'static str = "A move is from-to, a2-a3, or pass, propose-end, vote-end, vote-no. A position is its rows from the \
        top, X for the first player's pieces, O for the second's, . for empty; then the player to move, x or o; the plies since the last \
        capture, it included, up to 102; what was before, - (a move), passed, passed-twice, proposed or agreed; and @ with the \
        plies played: OOOOOO/OOOOOO/....../....../XXXXXX/XXXXXX x 0 -@0";

    fn write_move(&self, _: &State, mv: Move) -> String {
        match mv {
            Move::Go { from, to } => format!("{}-{}", GRID.name(from as usize), GRID.name(to as usize)),
            Move::Pass => "pass".to_owned(),
            Move::Propose => "propose-end".to_owned(),
            Move::Vote { end: true } => "vote-end".to_owned(),
            Move::Vote { end: false } => "vote-no".to_owned(),
        }
    }

    fn write(&self, state: &State) -> String {
        let phase = PHASES.iter().find(|(phase, _)| *phase == state.phase).map_or("", |(_, text)| text);
        format!("{} {} {phase}", colours::write_with_turn(GRID, &state.men, state.turn), state.quiet)
    }

    fn read(&self, text: &str) -> Result<State, NotationError> {
        let error = |reason: &str| NotationError::position(reason);
        let mut words = text.split_whitespace();
        let board = [words.next(), words.next()].map(Option::unwrap_or_default).join(" ");
        let (men, turn) = colours::read_with_turn::<u64, 2>(GRID, &board)?;
        let quiet = words.next().and_then(|word| word.parse().ok()).filter(|quiet| *quiet <= QUIET);
        let quiet = quiet.ok_or_else(|| error("expected the plies since the last capture, from 0 to 102"))?;
        let phase = words.next().and_then(|word| PHASES.iter().find(|(_, text)| *text == word));
        let (Some(&(phase, _)), None) = (phase, words.next()) else {
            return Err(error("expected -, passed, passed-twice, proposed or agreed at the end"));
        };
        if men.iter().any(|set| set.count() > 12) || men[turn.other().index()] == 0 {
            return Err(error("a side has at most 12 pieces, and who just moved has one at least"));
        }
        if matches!(phase, Phase::Proposed | Phase::Agreed) && quiet < QUIET {
            return Err(error("no end can be proposed so soon"));
        }
        Ok(State { men, turn, quiet, phase })
    }

    fn picture(&self, state: &State) -> Picture {
        let mut picture = colours::picture_with_turn(GRID, &state.men, state.turn).tiled(Tiling::Crossings);
        // Two arcs run round each corner.
        let corners = [0, 10].into_iter().flat_map(|x| [(x, 0), (x, 10)]);
        picture.loops = corners.flat_map(|(x, y)| [(x, y, 2), (x, y, 4)]).collect();
        if state.phase == Phase::Proposed { picture.note("vote on the end") } else { picture }
    }
}

impl Family for PlyLimit<Surakarta> {
    const INFO: Info = Info {
        usage: "surakarta[:plies=2500]",
        about: "Surakarta: pieces capture along the loops at the corners; capturing all pieces wins",
        rules: "traditional (Java), as Ludii 1.3.14 plays it",
    };

    const FACTS: Facts = Facts { parameters: &[PLIES], cycles: ENDED_BY_PLIES, symmetries: BOARD_SYMMETRIES };

    fn build(spec: &mut Spec) -> Result<PlyLimit<Surakarta>, SpecError> {
        Ok(PlyLimit { game: Surakarta::default(), limit: plies(spec, 2500)? })
    }

    fn spec(&self) -> String {
        format!("surakarta:plies={}", self.written_limit())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_capture_passes_an_arc() {
        let game = Surakarta::default();
        let captures = |board: &str| {
            let state = game.read(&format!("{board} x 0 -")).unwrap();
            game.fans(&state).steps().filter(|step| state.men[1].has(step.to as usize)).count()
        };
        // Not along the row but round everything; round the corner; never in a corner; past one's own start.
        assert_eq!(captures("....../....../....../....../X..O../......"), 1);
        assert_eq!(captures("....../....../....../....../X...../.O...."), 1);
        assert_eq!(captures("....../....../....../....../X...../.....O"), 0);
        assert_eq!(captures("....../....../....../....../.X..../.O...."), 1);
    }

    #[test]
    fn every_step_and_capture_is_drawn_equally_often() {
        let game = Surakarta::default();
        let mut rng = Rng::new(3);
        for board in [
            "OOOOOO/OOOOOO/....../....../XXXXXX/XXXXXX",
            "....../....../....../....../X..O../......",
            "O....O/.X..X./..OO../..XX../.O..O./X....X",
            "....../.X..../....../...O../....../.....O",
            "OOOO../OXXO../OXXO../OOOO../....../......",
            "XOOOOO/OOOOOO/....../....../....../......",
        ] {
            let state = game.read(&format!("{board} x 0 -")).unwrap();
            let mut moves = Vec::new();
            game.moves(&state, &mut moves);
            let mut counts = vec![0usize; moves.len()];
            for _ in 0..2_000 * moves.len() {
                let drawn = game.random_move(&state, &mut rng, &mut Vec::new()).unwrap();
                counts[moves.iter().position(|&mv| mv == drawn).expect("a legal move")] += 1;
            }
            assert!(counts.iter().all(|count| (1_800..2_200).contains(count)), "{board}: {counts:?}");
        }
    }

    #[test]
    fn impossible_positions_are_refused() {
        let game = Surakarta::default();
        for bad in [
            "OOOOOO/OOOOOO/....../....../XXXXXX/XXXXXX",
            "OOOOOO/OOOOOO/....../....../XXXXXX/XXXXXX x 103 -",
            "OOOOOO/OOOOOO/....../....../XXXXXX/XXXXXX x 3 proposed",
            "OOOOOO/OOOOOO/....../....../XXXXXX/XXXXXX x 3 moved",
            "OOOOOO/OOOOOO/....../....../XXXXXX/XXXXXX x 3 - -",
            "OOOOOO/OOOOOO/O...../....../XXXXXX/XXXXXX x 3 -",
            "....../....../....../....../XXXXXX/XXXXXX x 3 -",
        ] {
            assert!(game.read(bad).is_err(), "{bad}");
        }
    }
}
