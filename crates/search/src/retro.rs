//! Retrograde analysis: the value of every position that can be reached, in games with and without cycles.
//!
//! All positions are found first ([`positions`]), then the ends are followed backwards ([`attractor`]); both work on the numbers of positions
//! ([`analysis`]), so that only finding children is compiled for every game. Thompson (1986) solved chess endgames
//! so; the count of the moves left is in Dowling and Gallier (1984) for Horn formulas. A question "can the player force at
//! least k?" is answered by one attractor: where the payoff of endless play is too little, the player attracts to the ends that pay
//! enough and the answer is yes there; where it is enough, the others attract to the ends that pay less and the answer is no there.

mod analysis;
mod attractor;
mod links;
mod positions;
mod threads;

use crate::{LimitGuard, Limits, Observer, Report, Stats, StopReason, Symmetry};
use analysis::Analysis;
use attractor::Run;
use delphic_game::erased::ErasedState;
use delphic_game::{Bounds, Game, Hints, Outcome, Player, Score};
use positions::{Positions, Space};

/// What a position is worth to the player asked about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Worth {
    /// The payoff that the player can force.
    pub payoff: i16,
    /// The plies to the end, if one side forces it: the side with the better result hurries, the other delays. `None` for payoffs
    /// between the least and the greatest, and where play need not end.
    pub plies: Option<u32>,
}

/// All positions below a root, and the answers to the questions that have been decided.
///
/// Positions are given as [`ErasedState`]s of the game.
pub struct Retrograde<'g> {
    positions: Box<dyn Space + 'g>,
    analysis: Analysis,
    player: Player,
}

impl<'g> Retrograde<'g> {
    /// Finds all positions. If a limit is reached, returns which one and the counters.
    pub fn enumerate<G: Game + Sync>(
        game: &'g G,
        root: &G::State,
        player: Player,
        symmetry: Symmetry,
        limits: Limits<'_>,
        guard: &mut LimitGuard<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Self, (StopReason, Stats)> {
        let threads = limits.threads.max(1);
        let positions = Positions::new(game, root, player, symmetry, threads);
        let bits = positions.bits;
        let mut positions: Box<dyn Space + 'g> = Box::new(positions);
        let endless = game.endless().map(|outcome: Outcome| outcome.payoff(player));
        let mut run = Run { threads, stats: Stats::default(), guard, observer };
        let analysis = Analysis::enumerate(&mut *positions, bits, game.payoffs(), endless, &mut run)?;
        Ok(Retrograde { positions, analysis, player })
    }

    /// Decides whether the player can force payoff number `nth` of the game, counted from 0, at every position.
    pub fn decide(
        &mut self,
        nth: usize,
        limits: Limits<'_>,
        guard: &mut LimitGuard<'_>,
        observer: &mut dyn Observer,
    ) -> Result<(), StopReason> {
        self.analysis.decide(nth, limits, guard, observer)
    }

    /// The same for all payoffs of the game.
    pub fn decide_all(
        &mut self,
        limits: Limits<'_>,
        guard: &mut LimitGuard<'_>,
        observer: &mut dyn Observer,
    ) -> Result<(), StopReason> {
        self.analysis.decide_all(limits, guard, observer)
    }

    /// What a position is worth, if it can be reached and all payoffs have been decided.
    pub fn worth(&self, state: &ErasedState) -> Option<Worth> {
        self.analysis.worth(self.positions.find(state)?)
    }

    /// Whether the player can force payoff number `nth` at a position, if it can be reached and this has been decided.
    pub fn can_force(&self, nth: usize, state: &ErasedState) -> Option<bool> {
        Some(self.analysis.answer(nth, self.positions.find(state)?)?.0)
    }

    /// How far the attacker of a question is from its aim, if it reaches it: the plies to the end.
    pub fn rank(&self, nth: usize, state: &ErasedState) -> Option<u32> {
        self.analysis.answer(nth, self.positions.find(state)?)?.1
    }

    /// Calls `sink` with the canonical form of every position and what it is worth, if all payoffs have been decided.
    pub fn each(&self, sink: &mut dyn FnMut(&ErasedState, Worth)) {
        self.analysis.each(&mut |id, worth| sink(&self.positions.state(id), worth));
    }

    /// Calls `sink` with the number of moves and the number of best moves of every position that is not over, if all payoffs have been
    /// decided. A move is best if the mover's payoff stays what it was.
    pub fn each_choice(&self, sink: &mut dyn FnMut(usize, usize)) {
        self.analysis.each_choice(&*self.positions, sink);
    }

    /// The number of positions.
    pub fn len(&self) -> u64 {
        self.positions.len().0
    }

    /// Never: there is the root.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The number of moves between them.
    pub fn moves(&self) -> u64 {
        self.analysis.moves()
    }

    /// The player asked about.
    pub fn player(&self) -> Player {
        self.player
    }

    /// The number of a payoff among those of the game.
    pub fn place(&self, payoff: i16) -> Option<usize> {
        self.analysis.place(payoff)
    }

    /// Counters so far, with the bytes held now.
    pub fn stats(&self) -> Stats {
        self.analysis.stats()
    }

    /// Memory held, in bytes.
    pub fn bytes(&self) -> u64 {
        self.analysis.bytes(self.positions.bytes())
    }

    /// The numbers of the moves from `from` on in which the side that forces a result hurries and the other delays, where one side forces
    /// payoff number `nth` or less.
    pub fn line(&self, nth: usize, from: &ErasedState) -> Vec<u16> {
        let Some((holds, Some(mut rank))) =
            self.positions.find(from).and_then(|id| self.analysis.answer(nth, id))
        else {
            return Vec::new();
        };
        // In an attractor some child of every position has the next lower rank, and none of the defender's has a higher one.
        self.positions.follow(from, &mut |child| {
            let on = rank > 0 && self.analysis.answer(nth, child) == Some((holds, Some(rank - 1)));
            rank -= u32::from(on);
            on
        })
    }

    /// The value at a position, as far as it lies within a range, and a line of play that shows it.
    fn score(
        mut self,
        position: &ErasedState,
        range: Bounds,
        limits: Limits<'_>,
        mut guard: LimitGuard<'_>,
        observer: &mut dyn Observer,
    ) -> Report<Bounds> {
        let root = self.positions.find(position);
        let (report, shown) = self.analysis.score(root, range, limits, &mut guard, observer);
        let line = shown.map_or_else(Vec::new, |nth| self.line(nth, position));
        Report { line, ..report }
    }
}

/// Finds a score: all positions, and as many attractors as it takes to tell the payoffs in its range apart at the root.
///
/// ```
/// use delphic_game::{Bounds, Game, Outcome, Player, Score};
/// use delphic_search::{Limits, Symmetry, retro};
///
/// /// A token walks on a path of five points. The first player wins at the left end, the second at the right; a step to either side
/// /// is a move, so that the game can go on for ever.
/// struct Path;
///
/// impl Game for Path {
///     type State = (i8, Player);
///     type Move = i8;
///     fn start(&self) -> (i8, Player) { (0, Player::FIRST) }
///     fn turn(&self, s: &(i8, Player)) -> Player { s.1 }
///     fn moves(&self, _: &(i8, Player), list: &mut Vec<i8>) { list.extend([-1, 1]) }
///     fn play(&self, s: &mut (i8, Player), step: i8) { *s = (s.0 + step, s.1.other()) }
///     fn outcome(&self, s: &(i8, Player)) -> Option<Outcome> {
///         match s.0 { -2 => Some(Outcome::win(Player::FIRST)), 2 => Some(Outcome::loss(Player::FIRST)), _ => None }
///     }
///     fn endless(&self) -> Option<Outcome> { Some(Outcome::DRAW) }
/// }
/// impl delphic_game::Hints for Path {}
///
/// let score = Score { player: Player::FIRST, range: Bounds { lo: -1, hi: 1 } };
/// let value = |at| retro::solve(&Path, &(at, Player::FIRST), score, Symmetry::On, Limits::default(), &mut ()).truth;
/// assert_eq!(value(0), Bounds { lo: 0, hi: 0 });
/// assert_eq!(value(-1), Bounds { lo: 1, hi: 1 });
/// ```
pub fn solve<G: Hints + Sync>(
    game: &G,
    position: &G::State,
    score: Score,
    symmetry: Symmetry,
    limits: Limits<'_>,
    observer: &mut dyn Observer,
) -> Report<Bounds> {
    let mut guard = LimitGuard::new(limits);
    let found = Retrograde::enumerate(game, position, score.player, symmetry, limits, &mut guard, observer);
    match found {
        Ok(retrograde) => {
            retrograde.score(&ErasedState::new(position.clone()), score.range, limits, guard, observer)
        }
        Err((stop, stats)) => Report { stop, stats, ..Report::at_once(score.range) },
    }
}
