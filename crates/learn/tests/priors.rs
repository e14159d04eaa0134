//! Learnt priors only guide: with any table every solver's answer stays right, and a true table saves nodes.

use delphic_game::{Asked, Force, Game, Notation, Player, Rng, Verdict};
use delphic_games::{GoCapture, NoGo};
use delphic_learn::beta::Beta;
use delphic_learn::gaussian::Gaussian;
use delphic_learn::harvest::{harvest, solved_moves};
use delphic_learn::{LearnedPrior, Mobility, Model, Table};
use delphic_search::dag::Symmetry;
use delphic_search::kernel::Expand;
use delphic_search::prior::Leaf;
use delphic_search::rule::{Counts, MinSum, Product, Sum};
use delphic_search::{Limits, brute, dag, depth_first, kernel};
use std::sync::Arc;

const NUMBERS: MinSum<Counts> = MinSum { kind: Counts, sum: Sum::Plain };

/// A table of false counts: the answer of every solved move of a small board, inverted.
fn lies(game: &NoGo) -> Table {
    let asked = Asked::new(game, Force { player: Player::FIRST, at_least: 1 }, game.start());
    let report =
        kernel::solve(&asked, Product::default(), Leaf::Mobility, Expand::Plain, Limits::default(), &mut ());
    let mut table = Table::default();
    solved_moves(&asked, &report, 5_000, |stack, yes| {
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
                let asked = Asked::new(&game, Force { player, at_least: 1 }, state);
                let truth = brute::solve(&asked, Limits::default(), &mut ()).truth;
                let prior = || Leaf::from(LearnedPrior::new(&game, chances.clone()).with_mobility(mobility));
                let (rule, limits) = (Product::default(), Limits::default());
                let answers = [
                    kernel::solve(&asked, rule, prior(), Expand::Plain, limits, &mut ()).truth,
                    kernel::solve(&asked, rule, prior(), Expand::TwoLevel, limits, &mut ()).truth,
                    dag::solve(&asked, rule, prior(), Symmetry::On, limits, &mut ()).truth,
                    depth_first::solve(&asked, rule, prior(), Symmetry::On, limits, &mut ()).truth,
                    kernel::solve(&asked, NUMBERS, prior(), Expand::Plain, limits, &mut ()).truth,
                    depth_first::solve(&asked, NUMBERS, prior(), Symmetry::On, limits, &mut ()).truth,
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
    let lines = include_str!("../../../data/go-captures.tsv").lines().filter(|line| line.starts_with('7'));
    let states: Vec<_> = lines.map(|line| game.read(line.rsplit('\t').next().unwrap()).unwrap()).collect();
    let asked = |i: usize| Asked::new(&game, Force { player: states[i].attacker, at_least: 1 }, states[i]);
    let (rule, limits, mut table) = (Product::default(), Limits::default(), Table::default());
    let mut plain = 0;
    for i in 0..states.len() {
        let report = kernel::solve(&asked(i), rule, Leaf::Even, Expand::Plain, limits, &mut ());
        harvest(&asked(i), &report, 100_000, &mut table);
        plain += report.stats.created;
    }
    let path = std::env::temp_dir().join(format!("delphic-prior-{}", std::process::id()));
    table.save(&path).unwrap();
    let prior = Leaf::from(LearnedPrior::open(&game, &path, Model::Gaussian(Gaussian::default())).unwrap());
    std::fs::remove_file(&path).unwrap();
    let mut learnt = 0;
    for i in 0..states.len() {
        let report = kernel::solve(&asked(i), rule, prior.clone(), Expand::Plain, limits, &mut ());
        assert_eq!(report.truth, Verdict::Proved);
        learnt += report.stats.created;
    }
    println!("{plain} created without knowledge, {learnt} with it");
    assert!(2 * learnt < plain, "{learnt} {plain}");
}
