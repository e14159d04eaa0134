//! Monte-Carlo tree search as a solver: paper 3, §3.2 (after Winands et al. 2008), with score bounds in place of ±∞, so that drawn games finish as
//! well as won ones. A yes/no question is the special case of two payoffs.

use super::{Aim, Estimator, FirstVisits, Mcts, Settings, Solving};
use crate::arena::ROOT;
use crate::{Hope, Limits, Observer, Report};
use delphic_game::{Asked, Bounds, Hints, Look, Problem, Progressive, Score};

/// How to go down.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Policy {
    /// To the child with the best mean: pure MCTS.
    Greedy,
    /// To the child with the best v + √(c · ln n_parent / n): UCT, with c inside the root and values from 0 to 1 as in paper 3.
    Uct {
        /// The weight of exploration.
        c: f64,
    },
}

impl Policy {
    /// The same on our scale, twice as wide and with the weight outside the root.
    fn exploration(self) -> f64 {
        match self {
            Policy::Greedy => 0.0,
            Policy::Uct { c } => 2.0 * c.sqrt(),
        }
    }
}

/// Searches until the score is known (within the range that was asked for) or a limit is met.
pub fn solve<'g, G: Progressive + Hints>(
    asked: &Asked<'g, G, Score>,
    policy: Policy,
    estimator: Estimator,
    limits: Limits<'_>,
    seed: u64,
    observer: &mut dyn Observer,
) -> Report<Asked<'g, G, Score>> {
    if let Look::Over(truth) = asked.look(&asked.position, &mut Vec::new()) {
        return Report::at_once(truth);
    }
    let settings = Settings {
        exploration: policy.exploration(),
        estimator,
        solving: Solving::Skip,
        bias: None,
        first_visits: FirstVisits::AtOnce,
    };
    let aim = Aim::Against(asked.question);
    let mut search = Mcts::new(asked.game, asked.position.clone(), aim, settings, seed);
    let stop = search.run(None, limits, false, &mut Asking { observer, flip: search.mover() == 1 });
    let seat = search.tree.seat(ROOT, 0);
    let hope = match search.solved() {
        true => Hope::None,
        false => Hope::Probability((f64::from(seat.mean) + 1.0) / 2.0),
    };
    let truth = Bounds { lo: seat.lo, hi: seat.hi };
    Report { stop, stats: search.stats(), hope, line: search.line(), ..Report::at_once(truth) }
}

/// The search speaks of the mover's chances, the observer wants to hear of the asking player's.
struct Asking<'o> {
    observer: &'o mut dyn Observer,
    flip: bool,
}

impl Observer for Asking<'_> {
    fn progress(&mut self, stats: &crate::Stats, hope: Hope) {
        let hope = match hope {
            Hope::Probability(p) if self.flip => Hope::Probability(1.0 - p),
            hope => hope,
        };
        self.observer.progress(stats, hope);
    }
}
