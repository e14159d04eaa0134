//! Lines of play that show an answer, found in what a search remembers.

use delphic_game::problem::Truth;
use delphic_game::{Look, Problem};

/// From the root through children with the truth of the root, as far as `known` remembers them.
pub(crate) fn through<P: Problem>(
    problem: &P,
    known: impl Fn(&P::State) -> Option<Truth<P>>,
    truth: Truth<P>,
) -> Vec<P::Move> {
    let (mut line, mut moves, mut scratch, mut state) = (Vec::new(), Vec::new(), Vec::new(), problem.root());
    while let Look::Open { .. } = problem.look(&state, &mut scratch) {
        moves.clear();
        problem.moves(&state, &mut moves);
        let step = moves.iter().find_map(|&mv| {
            let child = problem.child(&state, mv);
            let seen = match problem.look(&child, &mut scratch) {
                Look::Over(truth) => Some(truth),
                Look::Open { .. } => known(&child),
            };
            (seen == Some(truth)).then_some((mv, child))
        });
        let Some((mv, child)) = step else { break };
        line.push(mv);
        state = child;
    }
    line
}
