//! A certificate as a tree to browse: the moves of the strategy at every position, and the size of each branch.

use crate::check::{Strategies, strategies};
use crate::file::Choices;
use crate::{Arrival, Checked, Claim, Guide, Header, Refusal, Step, Visited};
use delphic_game::erased::{Erased, ErasedState, Trail};
use delphic_game::{Game, result};
use std::io::BufRead;

/// The strategy of one claim.
///
/// A position that several lines reach belongs to the branch in which the checker visits it first. So the sizes of branches add up to the
/// number of positions that the checker visits.
pub struct ProofTree<'g> {
    /// Its claim.
    pub claim: Claim,
    visited: Visited<'g>,
    /// By number: the position from which it was first reached.
    parents: Vec<u32>,
    /// By number: the positions visited from there on, this one included.
    sizes: Vec<u32>,
}

/// A move that a strategy plays or has to answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Branch {
    /// The place among the legal moves.
    pub place: usize,
    /// The number of the position it leads to, unless that is terminal.
    pub to: Option<usize>,
    /// Whether the position is a transposition into an earlier branch.
    pub again: bool,
    /// Positions visited in this branch.
    pub size: u64,
    /// The most plies the game can last, this move included.
    pub plies: u32,
}

impl ProofTree<'_> {
    /// The number of a position, if the strategy can reach it.
    pub fn number(&self, state: &ErasedState) -> Option<usize> {
        self.visited.number(state)
    }

    /// A position by its number.
    pub fn state(&self, number: usize) -> ErasedState {
        self.visited.state(number)
    }

    /// Positions visited from there on.
    pub fn size(&self, number: usize) -> u64 {
        self.sizes[number].into()
    }

    /// The most plies the game can last from there.
    pub fn plies(&self, number: usize) -> u32 {
        self.visited.plies(number)
    }

    /// Whether the strategy chooses the move there.
    pub fn chooses(&self, game: &Erased<'_>, number: usize) -> bool {
        self.claim.chooses(game.turn(&self.state(number)))
    }

    /// The moves there: the strategy's move, or every reply.
    pub fn branches(&self, game: &Erased<'_>, number: usize) -> Vec<Branch> {
        let (state, mut moves) = (self.state(number), Vec::new());
        game.moves(&state, &mut moves);
        let only = self.chooses(game, number).then(|| self.visited.choice(number));
        let mut met = Vec::new();
        let branch = |(place, &mv): (usize, &u16)| {
            let mut after = state.clone();
            game.play(&mut after, mv);
            if result(game, &after, &mut Vec::new()).is_some() {
                return Branch { place, to: None, again: false, size: 1, plies: 1 };
            }
            let to = self.number(&after);
            let again = to.is_none_or(|to| self.parents[to] as usize != number || met.contains(&to));
            met.extend(to);
            let size = to.filter(|_| !again).map_or(1, |to| self.size(to));
            Branch { place, to, again, size, plies: to.map_or(0, |to| self.plies(to)) + 1 }
        };
        let places = moves.iter().enumerate().filter(|(place, _)| only.is_none_or(|only| only == *place));
        places.map(branch).collect()
    }
}

/// Checks a certificate as [`check`](super::check()) does and keeps its strategies. The trees take some more memory than the checker: eight
/// bytes for each position.
pub fn trees<'g, R: BufRead>(
    game: &Erased<'g>,
    spec: &str,
    header: &Header,
    file: R,
    memory: u64,
) -> Result<(Checked, Vec<ProofTree<'g>>), Refusal> {
    let mut recorder = Recorder { choices: Choices::new(file), strategies: Vec::new() };
    let (checked, walks) = strategies(game, spec, header, memory, &mut recorder)?;
    recorder.choices.finish()?;
    let tree = |(walk, Recorded { claim, parents, sizes, .. }): (super::Walk<'g>, Recorded)| ProofTree {
        claim,
        visited: walk.into_visited(),
        parents,
        sizes,
    };
    Ok((checked, walks.into_iter().zip(recorder.strategies).map(tree).collect()))
}

/// Records the shape of the walk.
struct Recorder<R> {
    choices: Choices<R>,
    strategies: Vec<Recorded>,
}

struct Recorded {
    claim: Claim,
    parents: Vec<u32>,
    sizes: Vec<u32>,
    /// The numbers of the positions whose moves are being followed.
    line: Vec<u32>,
}

impl<R> Recorder<R> {
    fn current(&mut self) -> &mut Recorded {
        self.strategies.last_mut().expect("a walk begins with its claim")
    }
}

impl<R: BufRead> Guide for Recorder<R> {
    type Error = Refusal;

    fn choose(&mut self, _: &dyn Trail, _: usize) -> Result<usize, Refusal> {
        self.choices.next()
    }

    fn follow(&mut self, step: Step<'_>) -> Result<(), Refusal> {
        let recorded = self.current();
        let from = recorded.line[step.ply];
        match step.to {
            Arrival::New => {
                recorded.line.push(recorded.sizes.len() as u32);
                recorded.parents.push(from);
                recorded.sizes.push(1);
            }
            Arrival::Again | Arrival::End(_) => recorded.sizes[from as usize] += 1,
        }
        Ok(())
    }

    fn leave(&mut self) {
        let Recorded { line, sizes, .. } = self.current();
        if let (Some(left), Some(&parent)) = (line.pop(), line.last()) {
            sizes[parent as usize] += sizes[left as usize];
        }
    }
}

impl<R: BufRead> Strategies for Recorder<R> {
    fn begin(&mut self, claim: Claim) -> Result<(), Refusal> {
        // The root is its own parent.
        self.strategies.push(Recorded { claim, parents: vec![0], sizes: vec![1], line: vec![0] });
        Ok(())
    }
}
