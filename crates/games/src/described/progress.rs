//! Whether the rules guarantee that every game ends.
//!
//! Placing from a hand empties it; placing without one fills the board, if nothing is ever removed; capturing removes pieces. All other moves
//! must move a piece forward: the graph of cells through which pieces of a kind can move must be acyclic. If all this holds, (hands, pieces,
//! steps left) decreases with every move and no position repeats. The criterion is sufficient, not necessary; games that it does not cover
//! count as games with cycles.

use super::board::CELLS;
use super::rules::{Act, Rule};
use super::state::Described;
use delphic_game::bits::Bits;

pub(super) fn always_ends(game: &Described) -> bool {
    let takes = |rule: &Rule| match &rule.act {
        Act::Step { onto, .. } | Act::Slide { onto, .. } => onto.has_pieces(),
        Act::Hop { takes, .. } => *takes,
        Act::Leave => true,
        _ => false,
    };
    let quiet = |rule: &Rule| match &rule.act {
        Act::Step { onto, .. } | Act::Slide { onto, .. } => onto.empty,
        Act::Hop { takes, .. } => !takes,
        _ => false,
    };
    let refills = |rule: &Rule| matches!(rule.act, Act::Place { hand: false, .. } | Act::Pair { .. });
    if game.rules.iter().any(|rule| matches!(rule.act, Act::Push { .. } | Act::Pass)) {
        return false;
    }
    if game.rules.iter().any(refills) && game.rules.iter().any(takes) {
        return false;
    }
    // Where a piece can go without taking: nodes are cells of kinds, because pieces may become others.
    let mut ways = vec![Vec::new(); game.kinds.len() * CELLS];
    for rule in game.rules.iter().filter(|rule| quiet(rule)) {
        for kind in (0..game.kinds.len()).filter(|kind| rule.kinds >> kind & 1 == 1) {
            for from in (0..game.board.cells).filter(|&cell| rule.from.has(cell)) {
                for to in (rule.targets(from) & rule.to).cells() {
                    let other = rule
                        .becomes
                        .filter(|(_, zone)| zone.has(to))
                        .map_or(kind, |(other, _)| usize::from(other));
                    ways[kind * CELLS + from].push(other * CELLS + to);
                }
            }
        }
    }
    has_no_circle(&ways)
}

/// Topological sort: removes nodes without incoming edges until none is left, or only cycles and what they lead to.
fn has_no_circle(ways: &[Vec<usize>]) -> bool {
    let mut arrows = vec![0; ways.len()];
    ways.iter().flatten().for_each(|&to| arrows[to] += 1);
    let mut free: Vec<usize> = (0..ways.len()).filter(|&node| arrows[node] == 0).collect();
    let mut removed = 0;
    while let Some(node) = free.pop() {
        removed += 1;
        for &to in &ways[node] {
            arrows[to] -= 1;
            if arrows[to] == 0 {
                free.push(to);
            }
        }
    }
    removed == ways.len()
}
