//! Priors: evidence about new leaves, from which the rule computes their initial values.

use crate::checkpoint::Encode;
use crate::problem::{GameProblem, NodeStatus};
use crate::rule::Evidence;
use delphic_game::patterns::Surroundings;
use delphic_game::{Game, Gate, Hints, Rng, Verdict, mix};
use std::fmt;
use std::io::{self, Read, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A new leaf.
#[derive(Debug)]
pub struct LeafPosition<'a, G: Game> {
    /// The position.
    pub state: &'a G::State,
    /// Its number of legal moves, at least one.
    pub moves: usize,
    /// The parent and the move that led from there, unless the leaf is the root.
    pub parent: Option<(&'a G::State, G::Move)>,
}

impl<G: Game> Clone for LeafPosition<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for LeafPosition<'_, G> {}

/// A source of evidence about leaves.
///
/// ```
/// # use delphic_game::{Force, Game, Player, Spec, Verdict};
/// # use delphic_games::{Family, Nim};
/// # let game = Nim::build(&mut Spec::parse("nim:1,2,4"))?;
///
/// use delphic_search::boundary::GameTree;
/// use delphic_search::kernel::{self, Expand};
/// use delphic_search::prior::{LeafPosition, Prior};
/// use delphic_search::rule::{Evidence, Product};
/// use delphic_search::{GameProblem, Limits};
///
/// /// A leaf where it is not the asked player's turn is a little better for them.
/// struct Tempo;
///
/// impl Prior<Nim> for Tempo {
///     fn evidence(
///         &mut self,
///         problem: &GameProblem<'_, Nim>,
///         leaf: LeafPosition<'_, Nim>,
///         _: &mut Vec<<Nim as Game>::Move>,
///     ) -> Evidence {
///         let own = problem.game.turn(leaf.state) == problem.question.player;
///         Evidence::Chance(if own { 0.4 } else { 0.6 })
///     }
/// }
///
/// let win = Force { player: Player::FIRST, at_least: 1 };
/// let tree = GameTree::new(GameProblem::new(&game, win, game.start()), Tempo);
/// let (rule, limits) = (Product::default(), Limits::default());
/// let report = kernel::solve(Box::new(tree), &rule, Expand::Plain, limits, &mut ());
/// assert_eq!(report.truth, Verdict::Proved);
/// # Ok::<(), delphic_game::SpecError>(())
/// ```
pub trait Prior<G: Game> {
    /// Evidence about an open leaf. `scratch` is a reusable buffer.
    fn evidence(
        &mut self,
        problem: &GameProblem<'_, G>,
        leaf: LeafPosition<'_, G>,
        scratch: &mut Vec<G::Move>,
    ) -> Evidence;

    /// Whether to call [`evidence_of_all`](Self::evidence_of_all), which can use several threads, instead of asking leaf by leaf.
    #[inline]
    fn is_shared(&self) -> bool {
        false
    }

    /// Evidence about all leaves of an expansion, in their order.
    fn evidence_of_all(
        &mut self,
        problem: &GameProblem<'_, G>,
        leaves: &[LeafPosition<'_, G>],
        scratch: &mut Vec<G::Move>,
    ) -> Vec<Evidence> {
        leaves.iter().map(|&leaf| self.evidence(problem, leaf, scratch)).collect()
    }

    /// Evidence about an open leaf from its number of legal moves, if no more is needed.
    #[inline]
    fn by_mobility(&self, moves: usize) -> Option<Evidence> {
        let _ = moves;
        None
    }

    /// Whether evidence is expensive, so that it should be stored.
    fn costly(&self) -> bool {
        false
    }

    /// Playouts so far.
    fn playouts(&self) -> u64 {
        0
    }

    /// Writes the state of its random generator, if it has one, for a checkpoint.
    fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        let _ = out;
        Ok(())
    }

    /// Restores the state of its random generator.
    fn load(&mut self, from: &mut dyn Read) -> io::Result<()> {
        let _ = from;
        Ok(())
    }
}

/// The priors of all named solvers. It is one type, because every further type would compile the game's side of all searches once more;
/// the cost of the branch is negligible.
#[derive(Clone, Debug)]
pub enum LeafPrior {
    /// No evidence: all leaves have the same value (pn = dn = 1, p = ½).
    Uniform,
    /// The number of legal moves (paper 2, §3.2).
    Mobility,
    /// The game's evaluation; without one, no evidence.
    Evaluation,
    /// Playouts (papers 1 and 3).
    Playouts(Playouts),
    /// Playouts with a count of the legal moves along them, for expected work search.
    Effort(Playouts),
    /// A model of moves learned from solved positions; for unknown patterns, or without patterns, no evidence.
    Learned(Arc<dyn MoveModel>),
}

impl LeafPrior {
    /// The same prior for several workers: each has its own random stream.
    pub(crate) fn for_workers(&self, workers: usize) -> Vec<LeafPrior> {
        let of = |worker: usize| {
            let mut prior = self.clone();
            if let LeafPrior::Playouts(playouts) | LeafPrior::Effort(playouts) = &mut prior
                && worker > 0
            {
                playouts.rng = Rng::new(mix(playouts.rng.place() ^ worker as u64));
            }
            prior
        };
        (0..workers).map(of).collect()
    }
}

/// Evaluates moves by the patterns around them.
pub trait MoveModel: fmt::Debug + Send + Sync {
    /// Evidence about a leaf with this number of moves, reached by a move with these patterns around it, by the player of the question
    /// (`own`) or by another.
    fn judge(&self, surroundings: &Surroundings, own: bool, gate: Gate, moves: usize) -> Evidence;
}

impl<G: Hints + Sync> Prior<G> for LeafPrior {
    #[inline]
    fn evidence(
        &mut self,
        problem: &GameProblem<'_, G>,
        leaf: LeafPosition<'_, G>,
        scratch: &mut Vec<G::Move>,
    ) -> Evidence {
        let (game, player) = (problem.game, problem.question.player);
        match self {
            LeafPrior::Uniform => Evidence::None,
            LeafPrior::Mobility => Evidence::Mobility(leaf.moves),
            LeafPrior::Evaluation => {
                game.evaluate(leaf.state, player).map_or(Evidence::None, Evidence::Chance)
            }
            LeafPrior::Playouts(playouts) => playouts.play(problem, leaf.state, scratch),
            LeafPrior::Effort(playouts) => playouts.measure(problem, leaf.state, scratch),
            LeafPrior::Learned(model) => {
                let (Some(patterns), Some((parent, mv))) = (game.patterns(), leaf.parent) else {
                    return Evidence::None;
                };
                let surroundings = patterns.surroundings(parent, mv, leaf.state, player);
                let own = game.turn(parent) == player;
                model.judge(&surroundings, own, problem.role(leaf.state), leaf.moves)
            }
        }
    }

    #[inline]
    fn is_shared(&self) -> bool {
        matches!(self, LeafPrior::Playouts(playouts) | LeafPrior::Effort(playouts) if playouts.threads > 1)
    }

    fn evidence_of_all(
        &mut self,
        problem: &GameProblem<'_, G>,
        leaves: &[LeafPosition<'_, G>],
        scratch: &mut Vec<G::Move>,
    ) -> Vec<Evidence> {
        match self {
            LeafPrior::Playouts(playouts) => playouts.share(leaves.len(), &|playouts, nth| {
                playouts.play(problem, leaves[nth].state, &mut Vec::new())
            }),
            LeafPrior::Effort(playouts) => playouts.share(leaves.len(), &|playouts, nth| {
                playouts.measure(problem, leaves[nth].state, &mut Vec::new())
            }),
            _ => leaves.iter().map(|&leaf| self.evidence(problem, leaf, scratch)).collect(),
        }
    }

    #[inline]
    fn by_mobility(&self, moves: usize) -> Option<Evidence> {
        match self {
            LeafPrior::Uniform => Some(Evidence::None),
            LeafPrior::Mobility => Some(Evidence::Mobility(moves)),
            _ => None,
        }
    }

    fn costly(&self) -> bool {
        matches!(self, LeafPrior::Evaluation | LeafPrior::Playouts(_) | LeafPrior::Effort(_))
    }

    fn playouts(&self) -> u64 {
        match self {
            LeafPrior::Playouts(playouts) | LeafPrior::Effort(playouts) => playouts.played,
            _ => 0,
        }
    }

    fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        match self {
            LeafPrior::Playouts(playouts) | LeafPrior::Effort(playouts) => playouts.rng.place().put(out),
            _ => Ok(()),
        }
    }

    fn load(&mut self, from: &mut dyn Read) -> io::Result<()> {
        if let LeafPrior::Playouts(playouts) | LeafPrior::Effort(playouts) = self {
            playouts.rng = Rng::at(Encode::get(from)?);
        }
        Ok(())
    }
}

/// Plays playouts at leaves.
#[derive(Clone, Debug)]
pub struct Playouts {
    per_leaf: u32,
    rng: Rng,
    played: u64,
    threads: usize,
    /// The recent average time for the playouts of an expansion.
    pace: Duration,
}

/// Expansions that take less time use one thread: starting another takes about a tenth of this.
const WORTH_A_THREAD: Duration = Duration::from_micros(200);

/// Plays the playouts at the leaf with this number.
type PlayGames<'p> = dyn Fn(&mut Playouts, usize) -> Evidence + Sync + 'p;

impl Playouts {
    /// `per_leaf` playouts (at least one) at every leaf, from the random stream of `seed`.
    pub fn new(per_leaf: u32, seed: u64) -> Playouts {
        let (rng, pace) = (Rng::new(seed), Duration::ZERO);
        Playouts { per_leaf: per_leaf.max(1), rng, played: 0, threads: 1, pace }
    }

    /// The same, with the leaves of an expansion divided between threads if that is faster. Each leaf then has its own random stream, so that
    /// the playouts are the same for every number of threads above one.
    #[must_use]
    pub fn on_threads(mut self, threads: usize) -> Playouts {
        self.threads = threads;
        self
    }

    fn share(&mut self, leaves: usize, play: &PlayGames<'_>) -> Vec<Evidence> {
        let seeds: Vec<u64> = (0..leaves).map(|_| self.rng.bits()).collect();
        let (begun, per_leaf) = (Instant::now(), self.per_leaf);
        let judge = |range: std::ops::Range<usize>| -> Vec<Evidence> {
            range.map(|nth| play(&mut Playouts::new(per_leaf, seeds[nth]), nth)).collect()
        };
        let threads = if self.pace < WORTH_A_THREAD { 1 } else { self.threads.min(leaves).max(1) };
        let bound = |nth: usize| nth * leaves / threads;
        let evidence = std::thread::scope(|scope| {
            let judge = &judge;
            let others: Vec<_> =
                (1..threads).map(|nth| scope.spawn(move || judge(bound(nth)..bound(nth + 1)))).collect();
            let mut evidence = judge(0..bound(1));
            for other in others {
                evidence.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            }
            evidence
        });
        self.played += u64::from(per_leaf) * leaves as u64;
        // The approximate time on one thread, smoothed over some expansions.
        self.pace = (self.pace * 7 + begun.elapsed() * threads as u32) / 8;
        evidence
    }

    fn play<G: Hints>(
        &mut self,
        problem: &GameProblem<'_, G>,
        leaf: &G::State,
        scratch: &mut Vec<G::Move>,
    ) -> Evidence {
        let mut wins = 0;
        for _ in 0..self.per_leaf {
            let end = problem.playout(&mut leaf.clone(), &mut self.rng, scratch);
            wins += u32::from(end == Verdict::Proved);
        }
        self.played += u64::from(self.per_leaf);
        Evidence::Playouts { wins, played: self.per_leaf }
    }

    /// The same, counting the legal moves along the playouts. Slower, because it generates them all.
    fn measure<G: Hints>(
        &mut self,
        problem: &GameProblem<'_, G>,
        leaf: &G::State,
        scratch: &mut Vec<G::Move>,
    ) -> Evidence {
        let (mut wins, mut met) = (0, 0);
        for _ in 0..self.per_leaf {
            let mut state = leaf.clone();
            let verdict = loop {
                match problem.status(&state, scratch) {
                    NodeStatus::Over(verdict) => break verdict,
                    NodeStatus::Open { moves, .. } => {
                        met += moves as u64;
                        scratch.clear();
                        problem.game.moves(&state, scratch);
                        problem.game.play(&mut state, scratch[self.rng.below(moves)]);
                    }
                }
            };
            wins += u32::from(verdict == Verdict::Proved);
        }
        self.played += u64::from(self.per_leaf);
        Evidence::Effort { wins, played: self.per_leaf, moves: met }
    }
}
