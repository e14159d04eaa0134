//! Several workers in one tree: on threads, or in turns on one thread.
//!
//! The tree has one lock. A worker holds it to select and to back up, and values its leaf by playouts without it. Meanwhile every node on its
//! path has a *virtual loss* for all sides, so that the next worker prefers another path (Chaslot et al. 2008); the true value replaces it.
//! Bounds are backed up before the lock is released, so bounds and proofs are the same as in a search with one worker.

use super::sides::Sides;
use super::{Due, Estimator, FULL, Mcts, Run, Step};
use crate::arena::{NodeId, ROOT};
use crate::boundary::{Evaluator, PerSide};
use crate::workers::Crew;
use crate::{Limits, Observer, Stats, StopReason};
use delphic_game::{Player, Rng};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The virtual loss of a leaf until it is valued: a loss for every side.
const VIRTUAL_LOSS: PerSide<f32> = [-1.0; Player::MAX];

struct Worker<'g> {
    number: usize,
    evaluator: Box<dyn Evaluator + 'g>,
    estimator: Estimator,
    sides: Sides,
    rng: Rng,
    /// The path to the leaf to be valued, and the leaf.
    path: Vec<Step>,
    leaf: NodeId,
    /// Its values. `None` if there is no such leaf.
    values: Option<PerSide<f32>>,
}

/// The limits that the other workers check themselves, because the first one may be busy with its playouts.
#[derive(Clone, Copy)]
struct Quota {
    iterations: u64,
    created: u64,
    bytes: u64,
}

impl Quota {
    fn new(run: &Run<'_>, limits: Limits<'_>) -> Quota {
        let bytes = limits.memory.map_or(u64::MAX, |memory| match run.recycled {
            Some(_) => memory / FULL.1 * FULL.0,
            None => memory,
        });
        let created = limits.nodes.map_or(u64::MAX, |nodes| run.before.created.saturating_add(nodes));
        Quota { iterations: run.last, created, bytes }
    }
}

fn lock<'t, 'm, 'g>(tree: &'t Mutex<&'m mut Mcts<'g>>) -> MutexGuard<'t, &'m mut Mcts<'g>> {
    tree.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<'g> Mcts<'g> {
    fn workers(&mut self, count: usize) -> Vec<Worker<'g>> {
        let evaluators = self.game.evaluators(count);
        let (estimator, sides, rng) = (self.settings.estimator, self.sides, &mut self.rng);
        let worker = |(number, evaluator)| {
            let rng = Rng::new(rng.bits());
            Worker { number, evaluator, estimator, sides, rng, path: Vec::new(), leaf: ROOT, values: None }
        };
        evaluators.into_iter().enumerate().map(worker).collect()
    }

    /// Searches with one thread per worker. The first worker reports, saves checkpoints and checks the time limit.
    pub(super) fn on_threads(
        &mut self,
        run: &mut Run<'_>,
        limits: Limits<'_>,
        observer: &mut dyn Observer,
    ) -> StopReason {
        let (crew, quota) = (Crew::new(limits.crew(), limits.workers), Quota::new(run, limits));
        let mut workers = self.workers(limits.crew());
        let tree = Mutex::new(self);
        let Some((first, others)) = workers.split_first_mut() else { unreachable!("there are workers") };
        std::thread::scope(|scope| {
            for worker in others {
                let (tree, crew) = (&tree, &crew);
                scope.spawn(move || worker.follow(tree, crew, quota));
            }
            let stop = first.lead(&tree, &crew, run, observer);
            crew.stop();
            stop
        })
    }

    /// Searches with workers that take turns on one thread: each backs up its last leaf and selects the next one, while all other workers have
    /// an unvalued leaf.
    pub(super) fn in_turns(
        &mut self,
        run: &mut Run<'_>,
        limits: Limits<'_>,
        observer: &mut dyn Observer,
    ) -> StopReason {
        let mut workers = self.workers(limits.crew());
        let mut order = (limits.workers.shuffle != 0).then(|| Rng::new(limits.workers.shuffle));
        let mut turn = 0;
        loop {
            let due = self.due(run, observer);
            if !matches!(due, Due::Iteration) {
                workers.iter_mut().for_each(|worker| worker.back_up(self));
            }
            match due {
                Due::Checkpoint => self.checkpoint(run, observer),
                Due::Recycling(memory) if !self.recycle(memory) => return StopReason::Memory,
                Due::Stop(reason) => return reason,
                Due::Iteration | Due::Recycling(_) => {
                    turn = order.as_mut().map_or((turn + 1) % workers.len(), |rng| rng.below(workers.len()));
                    let worker = &mut workers[turn];
                    worker.back_up(self);
                    worker.select(self);
                    worker.estimate();
                }
            }
        }
    }

    /// Whether workers must not begin another iteration now.
    fn is_used_up(&self, quota: Quota) -> bool {
        self.solved()
            || self.stats.iterations >= quota.iterations
            || self.stats.created >= quota.created
            || self.bytes() > quota.bytes
    }

    /// Replaces a virtual loss at a node by the true values.
    fn replace_virtual_loss(&mut self, id: NodeId, values: &PerSide<f32>) {
        let node = &self.tree.nodes[id];
        let (sides, share) = (node.sides, 1.0 / node.visits.max(1) as f32);
        for (side, value) in values.iter().enumerate().take(self.sides.count) {
            let side = &mut self.tree.sides[sides.sibling(side)];
            // Rounding may leave the range by a tiny amount.
            side.mean = (side.mean + (value - VIRTUAL_LOSS[0]) * share).clamp(-1.0, 1.0);
        }
    }
}

impl Worker<'_> {
    /// The first worker: iterates until the root is solved or a limit is reached.
    fn lead(
        &mut self,
        tree: &Mutex<&mut Mcts<'_>>,
        crew: &Crew,
        run: &mut Run<'_>,
        observer: &mut dyn Observer,
    ) -> StopReason {
        loop {
            let mut search = lock(tree);
            self.back_up(&mut search);
            match search.due(run, observer) {
                Due::Iteration => {
                    self.select(&mut search);
                    drop(search);
                    self.estimate();
                }
                // Without the lock, because the other workers need it to finish their iterations.
                Due::Checkpoint => {
                    drop(search);
                    crew.while_resting(&mut || lock(tree).checkpoint(run, observer));
                }
                Due::Recycling(memory) => {
                    drop(search);
                    if !crew.while_resting(&mut || lock(tree).recycle(memory)) {
                        return StopReason::Memory;
                    }
                }
                Due::Stop(reason) => return reason,
            }
        }
    }

    /// Any other worker: iterates until the first stops it.
    fn follow(&mut self, tree: &Mutex<&mut Mcts<'_>>, crew: &Crew, quota: Quota) {
        loop {
            let mut search = lock(tree);
            self.back_up(&mut search);
            if crew.calls() {
                drop(search);
                if crew.goes_on(self.number, &Stats::default(), &mut 0) {
                    continue;
                }
                break;
            }
            if search.is_used_up(quota) {
                // The first worker will notice.
                drop(search);
                std::thread::yield_now();
                continue;
            }
            self.select(&mut search);
            drop(search);
            self.estimate();
        }
        crew.leave(self.number, &Stats::default(), 0);
    }

    /// Selects a leaf. If it has to be valued, it stays pending.
    fn select(&mut self, search: &mut Mcts<'_>) {
        let (leaf, values) = search.descend();
        match values {
            Some(values) => search.record_path(leaf, &values),
            None => {
                search.record_path(leaf, &VIRTUAL_LOSS);
                search.game.hand_over(self.number);
                self.path.clone_from(&search.path);
                (self.leaf, self.values) = (leaf, Some(VIRTUAL_LOSS));
            }
        }
    }

    /// Values the pending leaf, if there is one.
    fn estimate(&mut self) {
        if let Some(values) = &mut self.values {
            *values = self.estimator.values(&mut *self.evaluator, &self.sides, &mut self.rng);
        }
    }

    /// Backs up the values of the pending leaf, if there is one.
    fn back_up(&mut self, search: &mut Mcts<'_>) {
        if let Some(values) = self.values.take() {
            search.replace_virtual_loss(self.leaf, &values);
            self.path.iter().for_each(|step| search.replace_virtual_loss(step.id, &values));
        }
    }
}
