//! Lines of play that show an answer, found in what a search remembers.

use crate::problem::{GameProblem, NodeStatus};
use delphic_game::{Hints, Question};

/// The numbers of moves from the root through positions with the answer of the root, as far as they are `known`.
pub(crate) fn through<G: Hints, Q: Question>(
    problem: &GameProblem<'_, G, Q>,
    known: &dyn Fn(&G::State) -> Option<Q::Truth>,
    truth: Q::Truth,
) -> Vec<u16> {
    let (mut line, mut moves) = (Vec::new(), Vec::new());
    let mut state = problem.position.clone();
    while let NodeStatus::Open { .. } = problem.status_of(&state) {
        moves.clear();
        problem.list_moves(&state, &mut moves);
        let step = moves.iter().enumerate().find_map(|(nth, &mv)| {
            let child = problem.child_of(&state, mv);
            let seen = match problem.status_of(&child) {
                NodeStatus::Over(truth) => Some(truth),
                NodeStatus::Open { .. } => known(&child),
            };
            (seen == Some(truth)).then_some((nth as u16, child))
        });
        let Some((nth, child)) = step else { break };
        line.push(nth);
        state = child;
    }
    line
}
