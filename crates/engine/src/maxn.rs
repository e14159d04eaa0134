//! Max^n: what happens if everybody plays for the own payoff, and takes the first of equal moves.

use crate::{Solvable, Solver};
use delphic_game::{Asked, Maxn};
use delphic_search::dag::{self, Symmetry};
use delphic_search::prior::Even;
use delphic_search::rule::InOrder;
use delphic_search::{Limits, Observer, Report, brute};

/// The solvers that answer it, `auto` first.
pub(crate) const SOLVERS: [Solver; 2] = [Solver::Auto, Solver::Brute];

/// Answers it by brute force, or else best-first over a graph; the report comes with who did. Which of equal moves is the first
/// differs from one symmetric position to the other, so those are not shared.
pub(crate) fn run<'g, G: Solvable>(
    problem: &Asked<'g, G, Maxn>,
    solver: Solver,
    limits: Limits<'_>,
    observer: &mut dyn Observer,
) -> (Report<Asked<'g, G, Maxn>>, String) {
    match solver {
        Solver::Brute => (brute::solve(problem, limits, observer), solver.to_string()),
        _ => {
            let rule = InOrder::default();
            (
                dag::solve(problem, rule, Even, Symmetry::Off, limits, observer),
                "best-first in order".to_owned(),
            )
        }
    }
}
