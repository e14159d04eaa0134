//! Races: pieces that only go forward, and the first to reach the far row wins.
//!
//! Breakthrough and Knightthrough differ in nothing but the steps of their pieces.

use crate::kit::colours;
use delphic_game::{
    Game, Hints, Notation, NotationError, Outcome, Player, Progressive, Rng, Spec, SpecError,
    bits::Bits,
    grid::Grid,
    mix,
    picture::{Picture, Tiling},
};
use std::marker::PhantomData;

/// One way a piece can go.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// Columns to the right for the first player, to the left for the second, on the opposite side.
    pub aside: isize,
    /// Rows ahead, at least one.
    pub ahead: usize,
    /// Whether it may end on an enemy piece.
    pub captures: bool,
}

/// The most steps a piece can have.
const STEPS: usize = 4;

/// What runs in a race.
pub trait Runner: Clone + std::fmt::Debug + Send + Sync + 'static {
    /// The steps of every piece; with each its mirror image. Moves are listed step by step, and for each step
    /// in the order of the cells they end on.
    const STEPS: &'static [Step];
    /// On boards with fewer columns even a foremost piece could be stuck.
    const NARROWEST: usize;
}

/// Rules for one board size, at most 64 cells.
///
/// The foremost piece of a side can always go on: nothing of its own stands ahead, and what it may not capture
/// cannot block all its steps unless the board is narrower than [`Runner::NARROWEST`]. So only a side without
/// pieces has no move, and nothing is ever drawn.
#[derive(Clone, Debug)]
pub struct Race<R> {
    pub(crate) grid: Grid,
    /// How many rows of pieces each side starts with.
    pub(crate) home: usize,
    /// Whether a side without pieces has lost; if not, it passes until the other arrives.
    pub(crate) wipeout: bool,
    board: u64,
    /// The leftmost column.
    column: u64,
    /// The rows the two players run to.
    goal: [u64; 2],
    /// By how many bits a step moves, towards 0 for the first player.
    shift: [u32; STEPS],
    /// Where the two players can take a step without leaving the board at the side.
    inside: [[u64; 2]; STEPS],
    runner: PhantomData<R>,
}

/// A position. Cell (row, column) is bit `row * cols + column`, rows from the top.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    pieces: [u64; 2],
    turn: Player,
}

/// A move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Move {
    /// From one cell to another.
    Step {
        /// Where the piece stands.
        from: u8,
        /// Where it goes.
        to: u8,
    },
    /// There are no pieces to move.
    Pass,
}

/// The parameters of all races.
pub(crate) const PARAMETERS: &[(&str, &str)] = &[
    ("8x8", "rows and columns, at most 64 cells"),
    ("home=2", "the number of rows of pieces of each side at the start"),
    ("wipeout", "capturing all enemy pieces also wins"),
];

impl<R: Runner> Race<R> {
    /// A board of `grid`, at most 64 cells, at least [`Runner::NARROWEST`] columns and `2 * home` rows.
    pub fn new(grid: Grid, home: usize, wipeout: bool) -> Race<R> {
        let Grid { rows, cols } = grid;
        let row = |row: usize| (u64::MAX >> (64 - cols)) << (row * cols);
        let mut race = Race {
            grid,
            home,
            wipeout,
            board: u64::MAX >> (64 - grid.cells()),
            column: (0..rows).fold(0, |set, row| set | 1 << (row * cols)),
            goal: [row(0), row(rows - 1)],
            shift: [0; STEPS],
            inside: [[0; 2]; STEPS],
            runner: PhantomData,
        };
        for (k, step) in R::STEPS.iter().enumerate().filter(|(_, step)| step.ahead < rows) {
            race.shift[k] = ((step.ahead * cols) as isize - step.aside) as u32;
            race.inside[k] = [step.aside, -step.aside].map(|aside| {
                let stays = |cell: &usize| (cell % cols).checked_add_signed(aside).is_some_and(|c| c < cols);
                (0..grid.cells()).filter(stays).fold(0, |set, cell| set | 1 << cell)
            });
        }
        race
    }

    /// Takes the parameters of a race out of a spec.
    pub(crate) fn take(spec: &mut Spec) -> Result<Race<R>, SpecError> {
        let grid = Grid::take(spec, "8x8", 64)?;
        let (home, wipeout) = (spec.number("home", 2)?, spec.flag("wipeout"));
        if grid.cols < R::NARROWEST {
            return Err(spec.impossible(format!("at least {} columns are needed", R::NARROWEST)));
        }
        if home == 0 || home > grid.rows / 2 {
            return Err(spec.impossible(format!(
                "home={home} does not fit: each side has from 1 to half of the {} rows",
                grid.rows
            )));
        }
        Ok(Race::new(grid, home, wipeout))
    }

    /// The full spec of the race called `name`.
    pub(crate) fn spec_of(&self, name: &str) -> String {
        let Race { grid: Grid { rows, cols }, home, wipeout, .. } = *self;
        format!("{name}:{rows}x{cols},home={home}{}", if wipeout { ",wipeout" } else { "" })
    }

    /// The cells that step number `k` leads to from these, whatever stands there.
    #[inline]
    fn ahead(&self, player: Player, k: usize, from: u64) -> u64 {
        let from = from & self.inside[k][player.index()];
        self.board & if player == Player::FIRST { from >> self.shift[k] } else { from << self.shift[k] }
    }

    /// The cells that all steps lead to from these: those that capture, and those that do not.
    #[inline]
    fn all_ahead(&self, player: Player, from: u64) -> (u64, u64) {
        (0..R::STEPS.len()).fold((0, 0), |(capturing, quiet), k| {
            let cells = self.ahead(player, k, from);
            if R::STEPS[k].captures { (capturing | cells, quiet) } else { (capturing, quiet | cells) }
        })
    }

    /// The cells the mover can reach by step number `k`.
    #[inline]
    fn targets(&self, state: &State, k: usize) -> u64 {
        let mover = state.turn.index();
        let (mine, theirs) = (state.pieces[mover], state.pieces[1 - mover]);
        self.ahead(state.turn, k, mine) & !mine & if R::STEPS[k].captures { u64::MAX } else { !theirs }
    }

    /// The move by step number `k` that ends on `to`.
    #[inline]
    fn arriving(&self, turn: Player, k: usize, to: usize) -> Move {
        let shift = self.shift[k] as usize;
        let from = if turn == Player::FIRST { to + shift } else { to - shift };
        Move::Step { from: from as u8, to: to as u8 }
    }

    /// Whether the mover has to pass.
    #[inline]
    fn passes(&self, state: &State) -> bool {
        !self.wipeout && state.pieces[state.turn.index()] == 0
    }

    /// Whether a piece of `player` can reach the last row on a fixed path, whatever the other side does.
    ///
    /// The runners are the cells that one piece can reach on a path fixed in advance while the rest of its side does not move; the chasers are
    /// the cells that enemy pieces can reach if every one of them moves at every turn without obstruction. A path continues only where its
    /// next step is legal in any case, and ends where a capture is possible.
    fn outruns(&self, player: Player, state: &State) -> bool {
        let other = player.other();
        let (mine, mut chasers) = (state.pieces[player.index()], state.pieces[other.index()]);
        let (mut runners, mut turn) = (mine, state.turn);
        while runners != 0 {
            if turn == player {
                let (capturing, quiet) = self.all_ahead(player, runners);
                runners = (capturing | quiet & !chasers) & !mine;
                if runners & self.goal[player.index()] != 0 {
                    return true;
                }
            } else {
                let (capturing, quiet) = self.all_ahead(other, chasers);
                runners &= !capturing;
                chasers |= capturing | quiet;
                if chasers & self.goal[other.index()] != 0 {
                    return false;
                }
            }
            turn = turn.other();
        }
        false
    }

    /// Left and right exchanged.
    fn mirrored(&self, set: u64) -> u64 {
        let last = self.grid.cols - 1;
        (0..=last).fold(0, |out, col| out | (set >> col & self.column) << (last - col))
    }
}

impl<R: Runner> Game for Race<R> {
    type State = State;
    type Move = Move;

    fn start(&self) -> State {
        let second = u64::MAX >> (64 - self.home * self.grid.cols);
        let first = second << ((self.grid.rows - self.home) * self.grid.cols);
        State { pieces: [first, second], turn: Player::FIRST }
    }

    #[inline]
    fn turn(&self, state: &State) -> Player {
        state.turn
    }

    #[inline]
    fn moves(&self, state: &State, list: &mut Vec<Move>) {
        for k in 0..R::STEPS.len() {
            list.extend(self.targets(state, k).cells().map(|to| self.arriving(state.turn, k, to)));
        }
        if self.passes(state) {
            list.push(Move::Pass);
        }
    }

    #[inline]
    fn play(&self, state: &mut State, mv: Move) {
        let mover = state.turn.index();
        if let Move::Step { from, to } = mv {
            state.pieces[mover] ^= 1 << from | 1 << to;
            state.pieces[1 - mover] &= !(1 << to);
        }
        state.turn = state.turn.other();
    }

    #[inline]
    fn outcome(&self, state: &State) -> Option<Outcome> {
        let arrived = state.turn.other();
        (state.pieces[arrived.index()] & self.goal[arrived.index()] != 0).then_some(Outcome::win(arrived))
    }

    fn payoffs(&self) -> Vec<i16> {
        vec![-1, 1]
    }

    #[inline]
    fn key(&self, state: &State) -> u64 {
        mix(mix(state.pieces[0]) ^ state.pieces[1]) ^ mix(state.turn.index() as u64)
    }

    fn canonicalize(&self, state: &mut State) {
        state.pieces = state.pieces.min(state.pieces.map(|set| self.mirrored(set)));
    }

    #[inline]
    fn count_moves(&self, state: &State, _: &mut Vec<Move>) -> usize {
        let steps: usize = (0..R::STEPS.len()).map(|k| self.targets(state, k).count()).sum();
        steps + usize::from(self.passes(state))
    }

    #[inline]
    fn random_move(&self, state: &State, rng: &mut Rng, _: &mut Vec<Move>) -> Option<Move> {
        let mut targets = [0; STEPS];
        let mut counts = [0; STEPS];
        for k in 0..R::STEPS.len() {
            targets[k] = self.targets(state, k);
            counts[k] = targets[k].count();
        }
        let total: usize = counts.iter().sum();
        if total == 0 {
            return self.passes(state).then_some(Move::Pass);
        }
        let (mut n, mut k) = (rng.below(total), 0);
        while n >= counts[k] {
            n -= counts[k];
            k += 1;
        }
        Some(self.arriving(state.turn, k, targets[k].nth(n)))
    }
}

/// Every step goes forward, and of two passes one is the other side's.
impl<R: Runner> Progressive for Race<R> {}

impl<R: Runner> Hints for Race<R> {
    /// Pieces, cells they guard, and pieces they attack if they are to move.
    fn evaluate(&self, state: &State, player: Player) -> Option<f64> {
        let worth = |player: Player| {
            let [mine, theirs] = [player, player.other()].map(|side| state.pieces[side.index()]);
            let (guarded, _) = self.all_ahead(player, mine);
            let attacked = if state.turn == player { guarded & theirs } else { 0 };
            (8 * mine.count() + guarded.count() + 2 * attacked.count()) as f64
        };
        Some(1.0 / (1.0 + ((worth(player.other()) - worth(player)) / 16.0).exp2()))
    }

    /// One side cannot be caught; or the player to move has no such piece, and two enemy pieces are one step from the last row: the player can
    /// capture only one of them, and a capturing step cannot be blocked.
    fn static_outcome(&self, state: &State) -> Option<Outcome> {
        let (mover, other) = (state.turn, state.turn.other());
        if self.outruns(mover, state) {
            return Some(Outcome::win(mover));
        }
        // What the mover's steps would reach from there is where the other's steps reach it from.
        let (before, _) = self.all_ahead(mover, self.goal[other.index()]);
        let lost = (state.pieces[other.index()] & before).count() > 1 || self.outruns(other, state);
        lost.then(|| Outcome::loss(mover))
    }
}

impl<R: Runner> Notation for Race<R> {
    const HOW: &'static str = "A move is where a piece stands and where it goes, a2-b3 (columns a…, rows from 1 at the bottom), \
        or pass. A position is its rows from the top, X for the first player's pieces, which go up, O for the second's, \
        . for empty, and the player to move, x or o: O.O./..../.X../X... o";

    fn write_move(&self, _: &State, mv: Move) -> String {
        match mv {
            Move::Pass => "pass".to_owned(),
            Move::Step { from, to } => {
                format!("{}-{}", self.grid.name(from as usize), self.grid.name(to as usize))
            }
        }
    }

    fn write(&self, state: &State) -> String {
        colours::write_with_turn(self.grid, &state.pieces, state.turn)
    }

    fn read(&self, text: &str) -> Result<State, NotationError> {
        let (pieces, turn) = colours::read_with_turn(self.grid, text)?;
        let most = self.home * self.grid.cols;
        if pieces.iter().any(|set: &u64| set.count() > most) {
            return Err(NotationError::position(format!("a side has at most {most} pieces")));
        }
        let mover = turn.index();
        if pieces[1 - mover] == 0 && (self.wipeout || pieces[mover] == 0)
            || pieces[mover] & self.goal[mover] != 0
        {
            return Err(NotationError::position("the side to move has already won"));
        }
        if (pieces[1 - mover] & self.goal[1 - mover]).count() > 1 {
            return Err(NotationError::position("two pieces have reached the far row"));
        }
        Ok(State { pieces, turn })
    }

    fn picture(&self, state: &State) -> Picture {
        colours::picture_with_turn(self.grid, &state.pieces, state.turn).tiled(Tiling::Chequered)
    }
}
