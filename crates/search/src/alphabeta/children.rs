//! What is known of the children of a position before any of them is searched, and the order that follows from it.

use super::{Form, Search};
use crate::problem::NodeStatus;
use delphic_game::{Appraisal, Game, Hints, Progressive, Question, Verdict};
use std::cmp::Reverse;
use std::mem::swap;

/// If the game appraises siblings together, this many of the best children are compared by the replies that are left open: the fewer,
/// the smaller the proof. Domineering 8x8 needs a quarter of the nodes that it needs without.
const COMPARED: usize = 4;

/// Evaluation, killer, few replies, history; the place of the move makes equals keep the order of the rules.
type Order = (i32, bool, i32, u32, Reverse<u16>);

/// A closure in a method of the search would make one copy of the sort for every game, 15 kB each.
fn sort_best_first(orders: &mut [Order]) {
    orders.sort_unstable_by(|a, b| b.cmp(a));
}

/// A chance of winning as a sort key: fine enough to tell chances apart, coarse enough for ties.
fn worth(chance: Option<f64>) -> i32 {
    chance.map_or(0, |chance| (chance * 1e6) as i32)
}

/// The children of a position.
pub(super) struct Children<G: Game> {
    pub(super) moves: Vec<G::Move>,
    /// Their canonical forms.
    forms: Vec<Form<G::State>>,
    /// The answers that the table has for them.
    stored: Vec<Option<bool>>,
    /// The sort keys of those that are open.
    pub(super) orders: Vec<Order>,
    /// The moves that the game is asked about.
    asked: Vec<G::Move>,
    /// Their sort keys.
    asked_orders: Vec<Order>,
    /// What it says.
    appraisals: Vec<(usize, Appraisal)>,
}

impl<G: Game> Children<G> {
    pub(super) fn new() -> Self {
        Children {
            moves: Vec::new(),
            forms: Vec::new(),
            stored: Vec::new(),
            orders: Vec::new(),
            asked: Vec::new(),
            asked_orders: Vec::new(),
            appraisals: Vec::new(),
        }
    }
}

impl<G: Progressive + Hints> Search<'_, G> {
    /// Looks at the children of a position and keeps those that are open. Returns whether one of the others settles the position.
    pub(super) fn look_at_children(&mut self, state: &G::State, ply: usize, wanted: bool) -> bool {
        if !self.problem.appraises_siblings() {
            self.list_children(state, ply, wanted);
            return self.look_at_each(state, wanted);
        }
        if self.prepared.take().is_some_and(|prepared| prepared == *state) {
            swap(&mut self.children, &mut self.best);
        } else {
            self.list_children(state, ply, wanted);
            if self.look_at_siblings(state, wanted) {
                return true;
            }
        }
        self.compare_replies(state, ply, wanted)
    }

    /// Lists the children, with what the table knows of them.
    fn list_children(&mut self, state: &G::State, ply: usize, wanted: bool) {
        self.children.moves.clear();
        self.problem.game.moves(state, &mut self.children.moves);
        self.look_up_children(state);
        self.order_by_history(ply, wanted);
    }

    /// Looks all children up in the table. Nothing else is done in between, so that the processor fetches their entries together: one after
    /// the other they took 40 % of a search of domineering:8x8.
    fn look_up_children(&mut self, state: &G::State) {
        self.children.forms.clear();
        for i in 0..self.children.moves.len() {
            let form = self.form(&self.problem.child(state, self.children.moves[i]));
            self.children.forms.push(form);
        }
        let (Children { forms, stored, .. }, table) = (&mut self.children, &self.table);
        forms.iter().for_each(|form| table.touch(form.key));
        stored.clear();
        stored.extend(forms.iter().map(|form| table.get(form.key, &form.state)));
    }

    /// Puts the moves into the order in which they are looked at: killers, then history. A child that settles its position is found sooner,
    /// after 20 % fewer visits on domineering:10x6.
    fn order_by_history(&mut self, ply: usize, wanted: bool) {
        if self.killers.len() <= ply {
            self.killers.resize(ply + 1, [None; 2]);
        }
        let (killers, history) = (self.killers[ply], &self.history[usize::from(wanted)]);
        let Children { moves, orders, .. } = &mut self.children;
        orders.clear();
        orders.extend(moves.iter().enumerate().map(|(place, &mv)| {
            let hash = Self::move_hash(mv);
            (0, killers.contains(&Some(hash)), 0, history[Self::place(hash)], Reverse(place as u16))
        }));
        sort_best_first(orders);
    }

    /// Drops the children whose answers are known. Returns whether one of them settles the position.
    fn drop_known(&mut self, state: &G::State, wanted: bool) -> bool {
        let mut open = 0;
        for nth in 0..self.children.orders.len() {
            let order = self.children.orders[nth];
            let place = usize::from(order.4.0);
            let recall = || self.recall(&self.problem.child(state, self.children.moves[place]));
            match self.children.stored[place].or_else(recall) {
                Some(yes) if yes == wanted => {
                    self.stats.visited += 1;
                    return true;
                }
                Some(_) => self.stats.visited += 1,
                None => {
                    self.children.orders[open] = order;
                    open += 1;
                }
            }
        }
        self.children.orders.truncate(open);
        false
    }

    /// Looks at the children one by one, in their order.
    fn look_at_each(&mut self, state: &G::State, wanted: bool) -> bool {
        let mover = self.problem.game.turn(state);
        let mut open = 0;
        for nth in 0..self.children.orders.len() {
            let (_, killer, _, history, at) = self.children.orders[nth];
            let place = usize::from(at.0);
            let child = self.problem.child(state, self.children.moves[place]);
            self.stats.visited += 1;
            let known = match self.children.stored[place].or_else(|| self.recall(&child)) {
                Some(yes) => Ok(yes),
                None => match self.problem.appraise(&child, mover, &mut self.scratch) {
                    (NodeStatus::Over(truth), _) => Ok(truth == Verdict::Proved),
                    (NodeStatus::Open { moves, .. }, chance) => Err((moves, chance)),
                },
            };
            match known {
                Ok(yes) if yes == wanted => return true,
                Ok(_) => {}
                Err((replies, chance)) => {
                    self.children.orders[open] = (worth(chance), killer, -(replies as i32), history, at);
                    open += 1;
                }
            }
        }
        self.children.orders.truncate(open);
        false
    }

    /// Looks at all children together. Those in the table come first: that is cheaper.
    fn look_at_siblings(&mut self, state: &G::State, wanted: bool) -> bool {
        if self.drop_known(state, wanted) {
            return true;
        }
        let Children { moves, orders, asked, asked_orders, appraisals, .. } = &mut self.children;
        asked.clear();
        asked.extend(orders.iter().map(|order| moves[usize::from(order.4.0)]));
        appraisals.clear();
        self.problem.game.appraise_children(state, asked, appraisals);
        self.stats.visited += appraisals.len() as u64;
        let answer = |outcome| self.problem.question.answer(outcome) == Verdict::Proved;
        asked_orders.clear();
        asked_orders.append(orders);
        for &(nth, appraisal) in appraisals.iter() {
            match appraisal {
                Appraisal::Exact(outcome) if answer(outcome) == wanted => return true,
                Appraisal::Exact(_) => {}
                Appraisal::Open(chance) => {
                    let (_, killer, _, history, at) = asked_orders[nth];
                    orders.push((worth(chance), killer, 0, history, at));
                }
            }
        }
        false
    }

    /// Orders the best children by the number of their own children that are open. Some turn out to be settled.
    fn compare_replies(&mut self, state: &G::State, ply: usize, wanted: bool) -> bool {
        sort_best_first(&mut self.children.orders);
        let (mut kept, mut best) = (0, 0);
        for nth in 0..self.children.orders.len() {
            let order = self.children.orders[nth];
            let mut worth = order.0;
            if nth < COMPARED {
                let place = usize::from(order.4.0);
                let child = self.problem.child(state, self.children.moves[place]);
                swap(&mut self.children, &mut self.replies);
                self.list_children(&child, ply + 1, !wanted);
                let refuted = self.look_at_siblings(&child, !wanted);
                swap(&mut self.children, &mut self.replies);
                let open = self.replies.orders.len() as i32;
                if refuted || open == 0 {
                    self.store(self.children.forms[place].clone(), refuted != wanted, 1);
                    if !refuted {
                        return true;
                    }
                    continue;
                }
                worth += 1_000_000 * (1000 - open);
                if worth > best {
                    best = worth;
                    swap(&mut self.replies, &mut self.best);
                    self.prepared = Some(child);
                }
            }
            self.children.orders[kept] = (worth, order.1, order.2, order.3, order.4);
            kept += 1;
        }
        self.children.orders.truncate(kept);
        false
    }
}
