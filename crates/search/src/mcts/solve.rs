//! Monte-Carlo tree search as a solver: paper 3, §3.2 (after Winands et al. 2008), with score bounds in place of ±∞, so that draws are
//! proved as well as wins. A yes/no question is the special case of two payoffs.

use super::{Mcts, Objective, Settings};
use crate::arena::ROOT;
use crate::boundary::Searchable;
use crate::{Event, Limits, Observer, Progress, Report, RootValue};
use delphic_game::{Bounds, Score};

/// The selection policy of a solver.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Policy {
    /// The child with the best mean: pure MCTS.
    Greedy,
    /// The child with the best v + √(c · ln n_parent / n): UCT, with c inside the square root and values from 0 to 1 as in paper 3.
    Uct {
        /// The exploration constant.
        c: f64,
    },
}

impl Policy {
    /// The exploration constant for values from −1 to 1, outside the square root.
    pub fn exploration(self) -> f64 {
        match self {
            Policy::Greedy => 0.0,
            Policy::Uct { c } => 2.0 * c.sqrt(),
        }
    }
}

/// Searches until the score is known (within the requested range) or a limit is reached. The settings must keep bounds.
///
/// ```
/// use delphic_game::random_tree::RandomTree;
/// use delphic_game::{Bounds, Game, Player, Score};
/// use delphic_search::mcts::{self, Estimator, FinalMove, FirstVisits, SelectionTies, Settings, Solving};
/// use delphic_search::{Limits, Position};
///
/// let game = RandomTree { seed: 1, depth: 5, width: 3, span: 1, players: 2 };
/// let position = Position { game: &game, state: game.start() };
/// let score = Score { player: Player::FIRST, range: Bounds { lo: -1, hi: 1 } };
/// let settings = Settings {
///     exploration: 1.4,
///     estimator: Estimator::Playouts { count: 1, cut: None },
///     solving: Solving::Bounds,
///     bias: None,
///     first_visits: FirstVisits::AtOnce,
///     ties: SelectionTies::Random,
///     final_move: FinalMove::Bound,
/// };
/// let report = mcts::solve(&position, score, settings, Limits::default(), 1, &mut ());
/// assert_eq!(report.truth.lo, report.truth.hi);
/// ```
pub fn solve(
    position: &dyn Searchable,
    score: Score,
    settings: Settings,
    limits: Limits<'_>,
    seed: u64,
    observer: &mut dyn Observer,
) -> Report<Bounds> {
    let mut simulator = position.simulator();
    simulator.start();
    if let Some(outcome) = simulator.outcome() {
        let payoff = outcome.payoff(score.player).clamp(score.range.lo, score.range.hi);
        return Report::at_once(Bounds { lo: payoff, hi: payoff });
    }
    let mut search = Mcts::new(simulator, Objective::Against(score), settings, seed);
    let flip = search.mover() == 1;
    let stop = search.run(None, limits, false, &mut Asking { observer, flip });
    let side = search.tree.side(ROOT, 0);
    let root = match search.solved() {
        true => RootValue::None,
        false => RootValue::Probability((f64::from(side.mean) + 1.0) / 2.0),
    };
    let truth = Bounds { lo: side.lo, hi: side.hi };
    Report { stop, stats: search.stats(), root, line: search.line(), ..Report::at_once(truth) }
}

/// Converts the winning chances of the side to move, which the search reports, to those of the player of the question.
struct Asking<'o> {
    observer: &'o mut dyn Observer,
    flip: bool,
}

impl Observer for Asking<'_> {
    fn event(&mut self, event: Event<'_>) {
        self.observer.event(match event {
            Event::Progress(Progress { root: RootValue::Probability(p), solver, stats, decided })
                if self.flip =>
            {
                Event::Progress(Progress { root: RootValue::Probability(1.0 - p), solver, stats, decided })
            }
            event => event,
        });
    }
}
