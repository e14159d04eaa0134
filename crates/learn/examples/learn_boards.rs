//! Learns from random positions of board games and tests on others: `learn_boards [GAME] [NODES] [MODEL] [SOLVER]`.
//!
//! GAME is nogo or domineering. Compared are the nodes created with the learnt prior and with mobility.

use delphic_game::patterns::Patterns;
use delphic_game::{Asked, Force, Hints, Player, Progressive, Rng, Verdict, result};
use delphic_games::{Domineering, NoGo};
use delphic_learn::beta::Beta;
use delphic_learn::clock::Stopwatch;
use delphic_learn::compare::Comparison;
use delphic_learn::gaussian::Gaussian;
use delphic_learn::train::{Config, Run, Task, run};
use delphic_learn::{LearnedPrior, Mobility, Model, Table};
use delphic_search::dag::Symmetry;
use delphic_search::prior::Leaf;
use delphic_search::rule::Product;
use delphic_search::{Limits, dag};

/// Positions after so many random moves.
fn positions<G: Hints>(game: &G, plies: usize, count: usize, seed: u64) -> Vec<G::State> {
    let (mut rng, mut found, mut list) = (Rng::new(seed), Vec::new(), Vec::new());
    while found.len() < count {
        let mut state = game.start();
        for _ in 0..plies {
            list.clear();
            game.moves(&state, &mut list);
            if list.is_empty() {
                break;
            }
            game.play(&mut state, list[rng.below(list.len())]);
        }
        if result(game, &state, &mut list).is_none() {
            found.push(state);
        }
    }
    found
}

fn learn<G: Patterns + Hints + Progressive>(
    name: &str,
    game: &G,
    plies: usize,
    count: usize,
    nodes: u64,
    model: Model,
) {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    for mobility in [Mobility::Ignored, Mobility::Weighed, Mobility::Lifted] {
        let solve = |state: &G::State, mut task: Task<'_>| {
            let asked = Asked::new(game, Force { player: Player::FIRST, at_least: 1 }, state.clone());
            let known = task.known().map(|known| LearnedPrior::new(game, known).with_mobility(mobility));
            let prior = known.map_or(Leaf::Mobility, Leaf::from);
            let watch = Stopwatch::start();
            let report = dag::solve(&asked, Product::default(), prior, Symmetry::Off, limits, &mut ());
            let time = watch.elapsed();
            task.take(&asked, &report, 10_000);
            Run { solved: report.truth != Verdict::Open, time, created: report.stats.created }
        };
        let config = Config { model, passes: 1, test: 1.0 / 3.0, seed: 1 };
        let outcome = run(&config, &positions(game, plies, count, 1), Table::default(), solve, &mut ());
        let found = Comparison::of(outcome.runs.iter().map(|(_, plain, learnt)| (plain, learnt)));
        let total = |part: fn(&(usize, Run, Run)) -> u64| outcome.runs.iter().map(part).sum::<u64>();
        println!(
            "{name} after {plies} plies, mobility {mobility:?}: {} positions, {} newly solved, {} newly failed; created {} plain, {} learnt; fewer nodes: median {}, geometric {}; faster: geometric {}; {} patterns, log loss {:.3}",
            outcome.runs.len(),
            found.newly_solved,
            found.newly_failed,
            total(|run| run.1.created),
            total(|run| run.2.created),
            found.created.median,
            found.created.geometric,
            found.time.geometric,
            outcome.table.len(),
            outcome.calibration.log_loss(),
        );
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let text = |n: usize, default: &str| arguments.get(n).map_or(default, String::as_str).to_owned();
    let nodes = text(1, "300000").parse().unwrap_or(300_000);
    let model = match text(2, "gaussian").as_str() {
        "beta" => Model::Beta(Beta::default()),
        _ => Model::Gaussian(Gaussian::default()),
    };
    match text(0, "nogo").as_str() {
        "domineering" => learn("domineering:7x7", &Domineering::new(7, 7), 10, 120, nodes, model),
        "nogo" => learn("nogo:5x5", &NoGo::new(5, 5), 13, 120, nodes, model),
        other => println!("'{other}' is neither nogo nor domineering"),
    }
}
