//! Priors: what is found out about a fresh leaf before anything below it is searched.

use crate::rule::Evidence;
use delphic_game::{Logic, Problem, Rng, Verdict};

/// A source of evidence about leaves.
pub trait Prior<P: Problem> {
    /// Evidence about an open leaf with so many moves. `scratch` is room to work in.
    fn evidence(
        &mut self,
        problem: &P,
        leaf: &P::State,
        moves: usize,
        scratch: &mut Vec<P::Move>,
    ) -> Evidence;

    /// Random games played so far.
    fn playouts(&self) -> u64 {
        0
    }
}

/// No evidence: all leaves look alike (pn = dn = 1, p = ½).
#[derive(Clone, Copy, Debug)]
pub struct Even;

impl<P: Problem> Prior<P> for Even {
    #[inline]
    fn evidence(&mut self, _: &P, _: &P::State, _: usize, _: &mut Vec<P::Move>) -> Evidence {
        Evidence::None
    }
}

/// The number of legal moves (paper 2, §3.2).
#[derive(Clone, Copy, Debug)]
pub struct Mobility;

impl<P: Problem> Prior<P> for Mobility {
    #[inline]
    fn evidence(&mut self, _: &P, _: &P::State, moves: usize, _: &mut Vec<P::Move>) -> Evidence {
        Evidence::Mobility(moves)
    }
}

/// Random games to the end (papers 1 and 3).
#[derive(Clone, Debug)]
pub struct Playouts {
    per_leaf: u32,
    rng: Rng,
    played: u64,
}

impl Playouts {
    /// `per_leaf` games (at least one) at every leaf, drawn from the stream of `seed`.
    pub fn new(per_leaf: u32, seed: u64) -> Playouts {
        Playouts { per_leaf: per_leaf.max(1), rng: Rng::new(seed), played: 0 }
    }
}

impl<P> Prior<P> for Playouts
where
    P: Problem<Logic: Logic<Truth = Verdict>>,
{
    fn evidence(&mut self, problem: &P, leaf: &P::State, _: usize, scratch: &mut Vec<P::Move>) -> Evidence {
        let mut wins = 0;
        for _ in 0..self.per_leaf {
            let end = problem.playout(&mut leaf.clone(), &mut self.rng, scratch);
            wins += u32::from(end == Verdict::Proved);
        }
        self.played += u64::from(self.per_leaf);
        Evidence::Playouts { wins, played: self.per_leaf }
    }

    fn playouts(&self) -> u64 {
        self.played
    }
}
