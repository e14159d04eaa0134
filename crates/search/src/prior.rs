//! Priors: what is found out about a fresh leaf before anything below it is searched.

use crate::checkpoint::Field;
use crate::rule::Evidence;
use delphic_game::patterns::Surroundings;
use delphic_game::{Asked, Force, Gate, Hints, Logic, Look, Problem, Rng, Verdict};
use std::io::{self, Read, Write};
use std::sync::Arc;

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

    /// Evidence about a leaf that `mv` has led to from `parent`. Who knows moves, as learnt patterns do, says more here; by default the way
    /// to a leaf does not matter.
    fn evidence_of_move(
        &mut self,
        problem: &P,
        parent: &P::State,
        mv: P::Move,
        leaf: &P::State,
        moves: usize,
        scratch: &mut Vec<P::Move>,
    ) -> Evidence {
        let _ = (parent, mv);
        self.evidence(problem, leaf, moves, scratch)
    }

    /// Whether evidence costs more than remembering it.
    fn costly(&self) -> bool {
        false
    }

    /// Random games played so far.
    fn playouts(&self) -> u64 {
        0
    }

    /// Writes where its random numbers are, if it draws any, for a checkpoint.
    fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        let _ = out;
        Ok(())
    }

    /// Goes on with them from there.
    fn load(&mut self, from: &mut dyn Read) -> io::Result<()> {
        let _ = from;
        Ok(())
    }
}

/// No evidence, for problems of any kind.
#[derive(Clone, Copy, Debug)]
pub struct Even;

impl<P: Problem> Prior<P> for Even {
    fn evidence(&mut self, _: &P, _: &P::State, _: usize, _: &mut Vec<P::Move>) -> Evidence {
        Evidence::None
    }
}

/// The number of moves, for problems of any kind.
#[derive(Clone, Copy, Debug)]
pub struct Mobility;

impl<P: Problem> Prior<P> for Mobility {
    fn evidence(&mut self, _: &P, _: &P::State, moves: usize, _: &mut Vec<P::Move>) -> Evidence {
        Evidence::Mobility(moves)
    }
}

/// Random ways to an end, for any problem with yes/no answers.
impl<P: Problem<Logic: Logic<Truth = Verdict>>> Prior<P> for Playouts {
    fn evidence(&mut self, problem: &P, leaf: &P::State, _: usize, scratch: &mut Vec<P::Move>) -> Evidence {
        self.play(problem, leaf, scratch)
    }

    fn costly(&self) -> bool {
        true
    }

    fn playouts(&self) -> u64 {
        self.played
    }

    fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        self.rng.place().put(out)
    }

    fn load(&mut self, from: &mut dyn Read) -> io::Result<()> {
        self.rng = Rng::at(Field::get(from)?);
        Ok(())
    }
}

/// What a solver may ask about a leaf of a yes/no question about a game. One type for all, because each further one would compile every search for
/// every game once more, and the choice costs nothing beside the evidence.
#[derive(Clone, Debug)]
pub enum Leaf {
    /// Nothing: all leaves look alike (pn = dn = 1, p = ½).
    Even,
    /// The number of legal moves (paper 2, §3.2).
    Mobility,
    /// The game's own evaluation; where it has none, nothing.
    Evaluation,
    /// Random games to the end (papers 1 and 3).
    Playouts(Playouts),
    /// The same with a count of the legal moves met, for expected work.
    Effort(Playouts),
    /// What was learnt about moves like the one that led here; where nothing was, or the game has no patterns, nothing.
    Learned(Arc<dyn Judge>),
}

/// Somebody who knows moves by what lies around them.
pub trait Judge: std::fmt::Debug + Send + Sync {
    /// Evidence about a leaf with so many moves, to which the asking player or another has moved.
    fn judge(&self, seen: &Surroundings, asking: bool, gate: Gate, moves: usize) -> Evidence;
}

impl<G: Hints> Prior<Asked<'_, G, Force>> for Leaf {
    #[inline]
    fn evidence(
        &mut self,
        asked: &Asked<'_, G, Force>,
        leaf: &G::State,
        moves: usize,
        scratch: &mut Vec<G::Move>,
    ) -> Evidence {
        match self {
            Leaf::Even => Evidence::None,
            Leaf::Mobility => Evidence::Mobility(moves),
            Leaf::Evaluation => {
                asked.game.evaluate(leaf, asked.question.player).map_or(Evidence::None, Evidence::Chance)
            }
            Leaf::Playouts(playouts) => playouts.play(asked, leaf, scratch),
            Leaf::Effort(playouts) => playouts.measure(asked, leaf, scratch),
            // Of a position that no move led to nothing is known.
            Leaf::Learned(_) => Evidence::None,
        }
    }

    #[inline]
    fn evidence_of_move(
        &mut self,
        asked: &Asked<'_, G, Force>,
        parent: &G::State,
        mv: G::Move,
        leaf: &G::State,
        moves: usize,
        scratch: &mut Vec<G::Move>,
    ) -> Evidence {
        let Leaf::Learned(judge) = self else { return self.evidence(asked, leaf, moves, scratch) };
        let Some(patterns) = asked.game.patterns() else { return Evidence::None };
        let player = asked.question.player;
        let seen = patterns.surroundings(parent, mv, leaf, player);
        judge.judge(&seen, asked.game.turn(parent) == player, asked.role(leaf), moves)
    }

    fn costly(&self) -> bool {
        matches!(self, Leaf::Evaluation | Leaf::Playouts(_) | Leaf::Effort(_))
    }

    fn playouts(&self) -> u64 {
        match self {
            Leaf::Playouts(playouts) | Leaf::Effort(playouts) => playouts.played,
            _ => 0,
        }
    }

    fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Leaf::Playouts(playouts) | Leaf::Effort(playouts) => playouts.rng.place().put(out),
            _ => Ok(()),
        }
    }

    fn load(&mut self, from: &mut dyn Read) -> io::Result<()> {
        if let Leaf::Playouts(playouts) | Leaf::Effort(playouts) = self {
            playouts.rng = Rng::at(Field::get(from)?);
        }
        Ok(())
    }
}

/// A source of random games.
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

    fn play<P>(&mut self, problem: &P, leaf: &P::State, scratch: &mut Vec<P::Move>) -> Evidence
    where
        P: Problem<Logic: Logic<Truth = Verdict>>,
    {
        let mut wins = 0;
        for _ in 0..self.per_leaf {
            let end = problem.playout(&mut leaf.clone(), &mut self.rng, scratch);
            wins += u32::from(end == Verdict::Proved);
        }
        self.played += u64::from(self.per_leaf);
        Evidence::Playouts { wins, played: self.per_leaf }
    }

    /// The same, counting the legal moves on the way. Slower, because it lists them.
    fn measure<P>(&mut self, problem: &P, leaf: &P::State, scratch: &mut Vec<P::Move>) -> Evidence
    where
        P: Problem<Logic: Logic<Truth = Verdict>>,
    {
        let (mut wins, mut met) = (0, 0);
        for _ in 0..self.per_leaf {
            let mut state = leaf.clone();
            while let Look::Open { moves, .. } = problem.look(&state, scratch) {
                met += moves as u64;
                scratch.clear();
                problem.moves(&state, scratch);
                problem.play(&mut state, scratch[self.rng.below(moves)]);
            }
            wins += u32::from(problem.look(&state, scratch) == Look::Over(Verdict::Proved));
        }
        self.played += u64::from(self.per_leaf);
        Evidence::Effort { wins, played: self.per_leaf, moves: met }
    }
}
