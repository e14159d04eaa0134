//! Detection of cycles: an incremental topological order of the states.

/// Levels of states such that every known move leads to a higher level. They exist as long as there is no cycle.
///
/// In most games a move leads to the next level and nothing has to be corrected. Otherwise the levels of the descendants are raised, and if
/// that reaches the origin of the move, there is a cycle.
#[derive(Default)]
pub(super) struct Order {
    levels: Vec<u32>,
}

/// A position can be reached from itself.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Cycle;

impl Order {
    /// Adds a state that no known move leads to.
    pub(super) fn add(&mut self) {
        self.levels.push(0);
    }

    /// Adds a move. `children` gives the states that known moves lead to, those of `from` included or not.
    pub(super) fn link(
        &mut self,
        from: usize,
        to: usize,
        children: impl Fn(usize, &mut Vec<usize>),
    ) -> Result<(), Cycle> {
        if from == to {
            return Err(Cycle);
        }
        let mut raised = Vec::new();
        let raise = |levels: &mut Vec<u32>, above: usize, state: usize, raised: &mut Vec<usize>| {
            if levels[state] <= levels[above] {
                levels[state] = levels[above] + 1;
                raised.push(state);
            }
        };
        raise(&mut self.levels, from, to, &mut raised);
        let mut below = Vec::new();
        while let Some(state) = raised.pop() {
            children(state, &mut below);
            for child in below.drain(..) {
                if child == from {
                    return Err(Cycle);
                }
                raise(&mut self.levels, state, child, &mut raised);
            }
        }
        Ok(())
    }
}
