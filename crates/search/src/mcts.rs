//! Monte-Carlo tree search that also proves.
//!
//! Paper 3, §3.2 (after Winands et al. 2008), with score bounds (Cazenave and Saffidine 2010) in place of ±∞: a node keeps the least and
//! the greatest payoff that are not excluded, so drawn games finish as well as won ones, and a yes/no question is the special
//! case of two payoffs. Every iteration goes down by the policy, adds one node, values it by playouts or by the game's evaluation, and
//! carries the mean and the bounds up.
//!
//! A child is a way on only if it can still raise (at an AND node: lower) the bound of its parent. An open node always has one, and
//! it is open itself; so selection never ends at a solved node, every iteration adds something and the search ends.

use crate::arena::{Arena, NodeId, ROOT};
use crate::{Governor, Hope, Limits, Observer, Report, Stats, StopReason};
use delphic_game::problem::Role;
use delphic_game::{Asked, Bounds, Gate, Hints, Logic, Look, Problem, Rng, Score};

/// How to go down.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Policy {
    /// To the child with the best mean: pure MCTS.
    Greedy,
    /// To the child with the best v + √(c · ln n_parent / n): UCT, with c inside the root as in paper 3.
    Uct {
        /// The weight of exploration.
        c: f64,
    },
}

/// How a new node is valued.
#[derive(Clone, Debug)]
pub enum Estimator {
    /// By the mean of random games.
    Playouts {
        /// How many.
        count: u32,
        /// Where they come from.
        rng: Rng,
    },
    /// By the game's evaluation (MCTS-E of paper 2, §2); where it has none, all nodes alike.
    Evaluation,
}

struct Node<M> {
    truth: Bounds,
    visits: u32,
    /// The mean of the values, each between 0 and 1, of all iterations through this node, for the asking player.
    mean: f32,
    /// The first child, once a child was wanted.
    first: NodeId,
    width: u16,
    mv: M,
}

const _: () = assert!(size_of::<Node<u16>>() == 20);

impl<M> Node<M> {
    fn unvisited(mv: M, truth: Bounds) -> Node<M> {
        Node { truth, visits: 0, mean: 0.0, first: ROOT, width: 0, mv }
    }

    /// The mean for whoever decides at a node with this gate.
    fn value(&self, gate: Gate) -> f64 {
        let mean = f64::from(self.mean);
        if gate == Gate::Or { mean } else { 1.0 - mean }
    }

    fn visit(&mut self, value: f64) {
        self.visits = self.visits.saturating_add(1);
        self.mean += (value as f32 - self.mean) / self.visits as f32;
    }
}

struct Search<'p, 'g, G: Hints> {
    asked: &'p Asked<'g, G, Score>,
    policy: Policy,
    estimator: Estimator,
    tree: Arena<Node<G::Move>>,
    /// The nodes from the root to the new one, with their gates.
    path: Vec<(NodeId, Gate)>,
    moves: Vec<G::Move>,
    scratch: Vec<G::Move>,
    stats: Stats,
}

/// Searches until the score is known (within the range that was asked for) or a limit is met.
pub fn solve<'g, G: Hints>(
    asked: &Asked<'g, G, Score>,
    policy: Policy,
    estimator: Estimator,
    limits: Limits<'_>,
    observer: &mut dyn Observer,
) -> Report<Asked<'g, G, Score>> {
    let mut governor = Governor::new(limits);
    let mut search = Search {
        asked,
        policy,
        estimator,
        tree: Arena::new(),
        path: Vec::new(),
        moves: Vec::new(),
        scratch: Vec::new(),
        stats: Stats::default(),
    };
    if let Look::Over(truth) = asked.look(&asked.position, &mut search.scratch) {
        return Report::at_once(truth);
    }
    asked.moves(&asked.position, &mut search.moves);
    search.tree.open_block(1);
    // Nothing led to the root; its move is never looked at.
    search.tree.push(Node::unvisited(search.moves[0], asked.question.open()));
    let mut stop = StopReason::Solved;
    while !search.settled(ROOT) {
        if let Some(reason) = governor.stop(search.stats.created, search.tree.bytes()) {
            stop = reason;
            break;
        }
        search.iterate();
        if governor.report_due() {
            observer.progress(&search.stats(&governor), search.hope());
        }
    }
    let (truth, stats) = (search.tree[ROOT].truth, search.stats(&governor));
    Report { stop, stats, hope: search.hope(), line: search.line(), ..Report::at_once(truth) }
}

/// Seen from an AND node, less is better: the same scale upside down.
fn for_gate(gate: Gate, bounds: Bounds) -> (i16, i16) {
    match gate {
        Gate::Or => (bounds.lo, bounds.hi),
        Gate::And => (-bounds.hi, -bounds.lo),
    }
}

/// Where a known score lies in the range that was asked for, from 0 to 1.
fn worth(question: Score, truth: Bounds) -> f64 {
    let Bounds { lo, hi } = question.range;
    f64::from(truth.lo - lo) / f64::from(hi - lo)
}

impl<G: Hints> Search<'_, '_, G> {
    fn settled(&self, id: NodeId) -> bool {
        self.asked.question.settled(self.tree[id].truth)
    }

    /// One round of selection, expansion, evaluation and back-up.
    fn iterate(&mut self) {
        let asked = self.asked;
        let (mut id, mut state) = (ROOT, asked.position.clone());
        self.path.clear();
        loop {
            self.stats.visited += 1;
            let gate: Role<Asked<'_, G, Score>> = asked.role(&state);
            self.path.push((id, gate));
            if self.tree[id].width == 0 {
                self.expand(id, &state);
            }
            id = self.select(id, gate);
            asked.play(&mut state, self.tree[id].mv);
            if self.tree[id].visits == 0 {
                break;
            }
        }
        self.stats.iterations += 1;
        self.stats.created += 1;
        let value = match asked.look(&state, &mut self.scratch) {
            Look::Over(truth) => {
                self.tree[id].truth = truth;
                worth(asked.question, truth)
            }
            Look::Open { .. } => self.estimate(&state),
        };
        self.back_up(id, value);
    }

    /// Makes room for the children of a node.
    fn expand(&mut self, id: NodeId, state: &G::State) {
        self.moves.clear();
        self.asked.moves(state, &mut self.moves);
        let first = self.tree.open_block(self.moves.len());
        for &mv in &self.moves {
            self.tree.push(Node::unvisited(mv, self.asked.question.open()));
        }
        self.stats.expanded += 1;
        let node = &mut self.tree[id];
        (node.first, node.width) = (first, self.moves.len() as u16);
    }

    /// The child to go to: one that matters, not visited before if there is one, else the best by policy.
    fn select(&self, id: NodeId, gate: Gate) -> NodeId {
        let node = &self.tree[id];
        let (reached, _) = for_gate(gate, node.truth);
        let exploration = match self.policy {
            Policy::Greedy => 0.0,
            Policy::Uct { c } => c * f64::from(node.visits.max(1)).ln(),
        };
        let (mut best, mut highest) = (None, f64::NEG_INFINITY);
        for (nth, kid) in self.tree.block(node.first, node.width.into()).iter().enumerate() {
            if for_gate(gate, kid.truth).1 <= reached {
                continue;
            }
            if kid.visits == 0 {
                return node.first.sibling(nth);
            }
            let value = kid.value(gate) + (exploration / f64::from(kid.visits)).sqrt();
            if value > highest {
                (best, highest) = (Some(nth), value);
            }
        }
        node.first.sibling(best.expect("an open node has a child that matters"))
    }

    fn estimate(&mut self, state: &G::State) -> f64 {
        let asked = self.asked;
        match &mut self.estimator {
            Estimator::Evaluation => asked.game.evaluate(state, asked.question.player).unwrap_or(0.5),
            Estimator::Playouts { count, rng } => {
                let mut sum = 0.0;
                for _ in 0..*count {
                    sum += worth(asked.question, asked.playout(&mut state.clone(), rng, &mut self.scratch));
                }
                self.stats.playouts += u64::from(*count);
                sum / f64::from(*count)
            }
        }
    }

    /// Carries the value up the whole path, and the bounds as far as they change.
    fn back_up(&mut self, leaf: NodeId, value: f64) {
        let mut news = self.asked.question.settled(self.tree[leaf].truth);
        self.tree[leaf].visit(value);
        for &(id, gate) in self.path.iter().rev() {
            if news {
                let node = &self.tree[id];
                let kids = self.tree.block(node.first, node.width.into());
                let truth = self.asked.question.combine(gate, kids.iter().map(|kid| kid.truth));
                news = truth != node.truth;
                self.tree[id].truth = truth;
            }
            self.tree[id].visit(value);
        }
    }

    fn stats(&self, governor: &Governor<'_>) -> Stats {
        Stats { time: governor.elapsed(), peak_bytes: self.tree.bytes(), ..self.stats }
    }

    fn hope(&self) -> Hope {
        if self.settled(ROOT) { Hope::None } else { Hope::Probability(self.tree[ROOT].mean.into()) }
    }

    /// From the root through children that share the score of their solved parents. Elsewhere by the final-move rule of paper 3: the
    /// best v + 1/√n.
    fn line(&self) -> Vec<G::Move> {
        let (asked, mut line) = (self.asked, Vec::new());
        let (mut id, mut state) = (ROOT, asked.position.clone());
        while self.tree[id].width > 0 {
            let (node, gate) = (&self.tree[id], asked.role(&state));
            let kids = self.tree.block(node.first, node.width.into());
            let worth = |kid: &Node<G::Move>| kid.value(gate) + 1.0 / f64::from(kid.visits).sqrt();
            let solved = self.settled(id);
            let shown = kids.iter().position(|kid| solved && kid.truth == node.truth);
            let chosen = shown.or_else(|| {
                let tried = kids.iter().enumerate().filter(|(_, kid)| kid.visits > 0);
                tried.max_by(|(_, a), (_, b)| worth(a).total_cmp(&worth(b))).map(|(nth, _)| nth)
            });
            let Some(chosen) = chosen else { break };
            id = node.first.sibling(chosen);
            let mv = self.tree[id].mv;
            line.push(mv);
            asked.play(&mut state, mv);
        }
        line
    }
}
