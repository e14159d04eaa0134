//! Learns from capture problems and tests on the third it has not seen:
//! `learn_captures [NODES] [ZONE] [MODEL] [PASSES] [SOLVER] [SEED] [PLAIN] [MOBILITY]`.
//!
//! ZONE is off, on or threats; MODEL is beta:N (pseudo-counts) or gaussian:N (calm); SOLVER is pp, ppt, pns, dfpn or dfpp; PLAIN is
//! half or mobility, the prior to compare with; MOBILITY is ignored, weighed or lifted, what the learnt prior makes of
//! the number of replies.

use delphic_game::Verdict;
use delphic_games::GoCapture;
use delphic_learn::beta::Beta;
use delphic_learn::capture::{Capture, CaptureProblem, raise_limit};
use delphic_learn::clock::Stopwatch;
use delphic_learn::compare::Comparison;
use delphic_learn::gaussian::Gaussian;
use delphic_learn::train::{Config, Pass, Run, Task, Watcher, run};
use delphic_learn::{LearnedPrior, Mobility, Model, Table};
use delphic_search::dag::Symmetry;
use delphic_search::kernel::Expand;
use delphic_search::prior::Leaf;
use delphic_search::rule::{Counts, MinSum, Product, Sum};
use delphic_search::{Limits, Report, dag, depth_first, kernel};
use std::path::Path;
use std::time::Duration;

/// Solved moves of one tree that are counted.
const HARVEST: usize = 200_000;

fn search<'g>(solver: &str, asked: &Capture<'g>, prior: Leaf, limits: Limits<'_>) -> Report<Capture<'g>> {
    let (numbers, product) = (MinSum { kind: Counts, sum: Sum::Plain }, Product::default());
    match solver {
        "pns" => kernel::solve(asked, numbers, prior, Expand::Plain, limits, &mut ()),
        "ppt" => dag::solve(asked, product, prior, Symmetry::Off, limits, &mut ()),
        "dfpn" => depth_first::solve(asked, numbers, prior, Symmetry::Off, limits, &mut ()),
        "dfpp" => depth_first::solve(asked, product, prior, Symmetry::Off, limits, &mut ()),
        _ => kernel::solve(asked, product, prior, Expand::Plain, limits, &mut ()),
    }
}

struct Printer;

impl Watcher for Printer {
    fn pass(&mut self, pass: &Pass, _: &Table) {
        println!(
            "pass: {} of {} solved, {:.1?}, {} created, {} patterns",
            pass.solved, pass.tried, pass.time, pass.created, pass.patterns
        );
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let text = |n: usize, default: &str| arguments.get(n).map_or(default, String::as_str).to_owned();
    let nodes: u64 = text(0, "100000").parse().unwrap_or(100_000);
    let zone = text(1, "on");
    let (name, number) = text(2, "beta:1")
        .split_once(':')
        .map_or(("beta".to_owned(), 1.0), |(a, b)| (a.to_owned(), b.parse().unwrap_or(1.0)));
    let model = match name.as_str() {
        "gaussian" => Model::Gaussian(Gaussian { calm: number, ..Gaussian::default() }),
        _ => Model::Beta(Beta { alpha: number, beta: number }),
    };
    let (passes, solver, seed) =
        (text(3, "2").parse().unwrap_or(2), text(4, "pp"), text(5, "1").parse().unwrap_or(1));
    let (plain_prior, mobility) = (
        text(6, "half"),
        match text(7, "ignored").as_str() {
            "weighed" => Mobility::Weighed,
            "lifted" => Mobility::Lifted,
            _ => Mobility::Ignored,
        },
    );
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/oracles/go-capture");
    let mut problems = Vec::new();
    for file in ["gnugo_capture.jsonl", "gnugo_games_capture.jsonl"] {
        match std::fs::read_to_string(folder.join(file)) {
            Err(_) => println!("{file} is not here"),
            Ok(text) => problems.extend(
                text.lines()
                    .filter_map(|line| CaptureProblem::read_json(line).ok())
                    .filter(|p| p.proven && p.capture == Some(true)),
            ),
        }
    }
    let limits = Limits { nodes: Some(nodes), memory: Some(1 << 28), ..Limits::default() };
    let solve = |problem: &CaptureProblem, mut task: Task<'_>| {
        let game = GoCapture::new(problem.size);
        let game = match zone.as_str() {
            "off" => game,
            "threats" => game.zoned(1, true),
            _ => game.zoned(1, false),
        };
        let most = problem.position.limit.max(3) + 3;
        let plain = if plain_prior == "half" { Leaf::Even } else { Leaf::Mobility };
        let known = task.known().map(|known| LearnedPrior::new(&game, known).with_mobility(mobility));
        let prior = known.map_or(plain, Leaf::from);
        let mut time = Duration::ZERO;
        let attempt = raise_limit(
            &game,
            &problem.position,
            most,
            limits,
            |asked, limits| {
                let watch = Stopwatch::start();
                let report = search(&solver, asked, prior.clone(), limits);
                time += watch.elapsed();
                report
            },
            |asked, report| task.take(asked, report, HARVEST),
        );
        Run { solved: attempt.verdict == Verdict::Proved, time, created: attempt.stats.created }
    };
    let config = Config { model, passes, test: 1.0 / 3.0, seed };
    println!(
        "{solver}, zone {zone}, {nodes} nodes, {model:?}, mobility {mobility:?}, against prior {plain_prior}"
    );
    let outcome = run(&config, &problems, Table::default(), solve, &mut Printer);
    let found = Comparison::of(outcome.runs.iter().map(|(_, plain, learnt)| (plain, learnt)));
    println!(
        "test: {} solved by both, {} newly solved, {} newly failed, {} by neither",
        found.both, found.newly_solved, found.newly_failed, found.neither
    );
    println!(
        "time:    mean {}, median {}, geometric {}",
        found.time.mean, found.time.median, found.time.geometric
    );
    println!(
        "created: mean {}, median {}, geometric {}",
        found.created.mean, found.created.median, found.created.geometric
    );
    let rate = |part: fn(&(usize, Run, Run)) -> Run| {
        let (nodes, time) = outcome
            .runs
            .iter()
            .map(part)
            .fold((0, 0.0), |(n, t), run| (n + run.created, t + run.time.as_secs_f64()));
        nodes as f64 / time
    };
    println!("created per second: plain {:.0}, learnt {:.0}", rate(|run| run.1), rate(|run| run.2));
    println!(
        "calibration over {} moves: Brier {:.3}, log loss {:.3}",
        outcome.calibration.moves(),
        outcome.calibration.brier(),
        outcome.calibration.log_loss()
    );
    for bin in outcome.calibration.bins() {
        println!("  predicted {:.2} observed {:.2} ({} moves)", bin.predicted, bin.observed, bin.moves);
    }
}
