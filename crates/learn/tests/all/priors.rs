//! Learnt priors only guide: with any table every solver's answer stays right, and a true table saves nodes.

use delphic_game::{Force, Game, Notation, Player, Rng, Verdict};
use delphic_games::{GoCapture, NoGo};
use delphic_learn::beta::Beta;
use delphic_learn::gaussian::Gaussian;
use delphic_learn::harvest::{harvest, solved_moves};
use delphic_learn::{LearnedPrior, Mobility, Model, Table};
use delphic_search::kernel::{self, Expand};
use delphic_search::rule::{Counts, MinSum, Product, Sum, Ties};
use delphic_search::{LeafPrior, Limits, Position, Searchable, Symmetry, depth_first, graph};
use std::sync::Arc;

const NUMBERS: MinSum<Counts> = MinSum { kind: Counts, sum: Sum::Plain, ties: Ties::First };

/// A table of false counts: the answer of every solved move of a small board, inverted.
fn lies(game: &NoGo) -> Table {
    let (at, question) =
        (Position { game, state: game.start() }, Force { player: Player::FIRST, at_least: 1 });
    let tree = at.tree(question, LeafPrior::Mobility);
    let report = kernel::solve(tree, &Product::default(), Expand::Plain, Limits::default(), &mut ());
    let mut table = Table::default();
    solved_moves(&at, question, &report, 5_000, &mut |stack, yes| {
        table.observe(stack, !yes);
    });
    table
}

#[test]
fn a_lying_table_makes_no_answer_wrong() {
    let small = NoGo::new(3, 3);
    let table = lies(&small);
    let mut rng = Rng::new(1);
    for model in [Model::Beta(Beta::default()), Model::Gaussian(Gaussian::default())] {
        let chances = Arc::new(model.fit(&table));
        for mobility in [Mobility::Ignored, Mobility::Weighed, Mobility::Lifted] {
            for _ in 0..4 {
                let game = NoGo::new(3, 3 + rng.below(2));
                let (mut state, mut moves) = (game.start(), Vec::new());
                for _ in 0..2 + rng.below(3) {
                    game.moves(&state, &mut moves);
                    game.play(&mut state, moves[rng.below(moves.len())]);
                    moves.clear();
                }
                let player = Player::new(rng.below(2));
                let (at, question) = (Position { game: &game, state }, Force { player, at_least: 1 });
                let truth = at.brute(question, Limits::default(), &mut ()).truth;
                let prior =
                    || LeafPrior::from(LearnedPrior::new(&game, chances.clone()).with_mobility(mobility));
                let (rule, limits) = (Product::default(), Limits::default());
                let tree = || at.tree(question, prior());
                let table = || at.table(question, prior(), Symmetry::On, 1 << 24);
                let shared = at.graph(question, prior(), Symmetry::On);
                let answers = [
                    kernel::solve(tree(), &rule, Expand::Plain, limits, &mut ()).truth,
                    kernel::solve(tree(), &rule, Expand::TwoLevel, limits, &mut ()).truth,
                    graph::solve(shared, &rule, limits, &mut ()).truth,
                    depth_first::solve(table(), &rule, limits, &mut ()).truth,
                    kernel::solve(tree(), &NUMBERS, Expand::Plain, limits, &mut ()).truth,
                    depth_first::solve(table(), &NUMBERS, limits, &mut ()).truth,
                ];
                assert_eq!(answers, [truth; 6]);
            }
        }
    }
}

/// Problems that were solved once are solved again with fewer nodes with their table, read from a file.
#[test]
fn what_was_learnt_helps_on_the_same_problems() {
    let game = GoCapture::new(7).zoned(1, true);
    let lines = include_str!("../../../../data/go-captures.tsv").lines().filter(|line| line.starts_with('7'));
    let states: Vec<_> = lines.map(|line| game.read(line.rsplit('\t').next().unwrap()).unwrap()).collect();
    let at = |i: usize| Position { game: &game, state: states[i] };
    let question = |i: usize| Force { player: states[i].attacker, at_least: 1 };
    let (rule, limits, mut table) = (Product::default(), Limits::default(), Table::default());
    let mut plain = 0;
    for i in 0..states.len() {
        let at = at(i);
        let report =
            kernel::solve(at.tree(question(i), LeafPrior::Uniform), &rule, Expand::Plain, limits, &mut ());
        harvest(&at, question(i), &report, 100_000, &mut table);
        plain += report.stats.created;
    }
    let path = std::env::temp_dir().join(format!("delphic-prior-{}", std::process::id()));
    table.save(&path).unwrap();
    let prior =
        LeafPrior::from(LearnedPrior::open(&game, &path, Model::Gaussian(Gaussian::default())).unwrap());
    std::fs::remove_file(&path).unwrap();
    let mut learnt = 0;
    for i in 0..states.len() {
        let at = at(i);
        let tree = at.tree(question(i), prior.clone());
        let report = kernel::solve(tree, &rule, Expand::Plain, limits, &mut ());
        assert_eq!(report.truth, Verdict::Proved);
        learnt += report.stats.created;
    }
    println!("{plain} created without knowledge, {learnt} with it");
    assert!(2 * learnt < plain, "{learnt} {plain}");
}
