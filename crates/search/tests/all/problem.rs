//! AND/OR problems that are not games go through the same searches.

use delphic_game::and_or::{AndOrGame, AndOrNode, AndOrProblem, IS_TRUE};
use delphic_game::{Game, Verdict};
use delphic_search::kernel::{self, Expand};
use delphic_search::prior::Playouts;
use delphic_search::rule::{Counts, MinSum, Product, Sum, Ties};
use delphic_search::{LeafPrior, Limits, Position, Searchable, Symmetry, depth_first, graph};

/// Can `n` tiles be laid with pieces of 3 and 4, if after every piece an inspector may also demand that one tile more is left?
/// OR nodes choose a piece, AND nodes the inspector's answer.
struct Tiling(u32);

impl AndOrProblem for Tiling {
    /// The tiles left, and whether the inspector answers.
    type State = (u32, bool);
    type Move = u32;

    fn root(&self) -> (u32, bool) {
        (self.0, false)
    }
    fn node(&self, &(left, inspected): &(u32, bool)) -> AndOrNode {
        match (left, inspected) {
            (0, _) => AndOrNode::Leaf(true),
            (_, false) => AndOrNode::Or,
            (_, true) => AndOrNode::And,
        }
    }
    fn moves(&self, &(left, inspected): &(u32, bool), list: &mut Vec<u32>) {
        match inspected {
            false => list.extend([3, 4].into_iter().filter(|&piece| piece <= left)),
            true => list.extend((0..=1).take_while(|&fewer| fewer == 0 || left >= 2)),
        }
    }
    fn play(&self, state: &mut (u32, bool), taken: u32) {
        *state = (state.0 - taken, !state.1);
    }
}

/// The definition.
fn possible(left: u32, inspected: bool) -> bool {
    match (left, inspected) {
        (0, _) => true,
        (_, false) => [3, 4].into_iter().any(|piece| piece <= left && possible(left - piece, true)),
        (_, true) => possible(left, false) && (left < 2 || possible(left - 1, false)),
    }
}

#[test]
fn every_search_agrees_with_the_definition() {
    let mut seen = [0; 2];
    for n in 1..40 {
        let game = AndOrGame(Tiling(n));
        let expected = Verdict::of(possible(n, false));
        seen[usize::from(expected == Verdict::Proved)] += 1;
        let position = Position { game: &game, state: game.start() };
        let (limits, products) = (Limits::default(), Product::default());
        let numbers = MinSum { kind: Counts, sum: Sum::Plain, ties: Ties::First };
        let playouts = || LeafPrior::Playouts(Playouts::new(3, n.into()));
        let tree = |prior| position.tree(IS_TRUE, prior);
        let shared = |prior| position.graph(IS_TRUE, prior, Symmetry::Off);
        let table = |prior| position.table(IS_TRUE, prior, Symmetry::Off, 1 << 20);
        for (name, report) in [
            ("brute", position.brute(IS_TRUE, limits, &mut ())),
            ("alphabeta", position.alphabeta(IS_TRUE, Symmetry::Off, limits, &mut ())),
            ("pns", kernel::solve(tree(LeafPrior::Uniform), &numbers, Expand::Plain, limits, &mut ())),
            ("pn2", kernel::solve(tree(LeafPrior::Uniform), &numbers, Expand::TwoLevel, limits, &mut ())),
            ("ppn", kernel::solve(tree(playouts()), &products, Expand::Plain, limits, &mut ())),
            ("ppt", graph::solve(shared(LeafPrior::Mobility), &products, limits, &mut ())),
            ("dfpn", depth_first::solve(table(LeafPrior::Uniform), &numbers, limits, &mut ())),
            ("dfppn", depth_first::solve(table(playouts()), &products, limits, &mut ())),
        ] {
            assert_eq!(report.truth, expected, "{name} on {n} tiles");
        }
    }
    assert!(seen.iter().all(|&n| n > 3), "both answers must occur: {seen:?}");
}
