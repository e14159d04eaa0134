//! How many capture problems each solver proves: `captures [NODES] [ZONE…] -- [SOLVER…]`.
//!
//! ZONE is threats:N, on:N (N is the order) or off; several are tried one after the other, the later ones only if the earlier fail.
//! Time is that of the processor where the system tells it, because other programs may be running.

use delphic_game::{Verdict, write_moves};
use delphic_games::GoCapture;
use delphic_learn::capture::{Attempt, CaptureProblem, raise_limit};
use delphic_learn::clock::Stopwatch;
use delphic_search::dag::Symmetry;
use delphic_search::kernel::Expand;
use delphic_search::prior::Leaf;
use delphic_search::rule::{Counts, MinSum, Product, Sum};
use delphic_search::{Limits, alphabeta, dag, depth_first, kernel};
use std::path::Path;
use std::time::Duration;

fn attempt(name: &str, game: &GoCapture, problem: &CaptureProblem, limits: Limits<'_>) -> Attempt {
    let numbers = MinSum { kind: Counts, sum: Sum::Plain };
    let product = Product::default();
    let most = problem.position.limit.max(3) + 3;
    raise_limit(
        game,
        &problem.position,
        most,
        limits,
        |asked, limits| match name {
            "pns" => kernel::solve(asked, numbers, Leaf::Even, Expand::Plain, limits, &mut ()),
            "pp-half" => kernel::solve(asked, product, Leaf::Even, Expand::Plain, limits, &mut ()),
            "pp" => kernel::solve(asked, product, Leaf::Mobility, Expand::Plain, limits, &mut ()),
            "ppt" => dag::solve(asked, product, Leaf::Mobility, Symmetry::Off, limits, &mut ()),
            "dfpn" => {
                depth_first::solve(&asked.foreseen(), numbers, Leaf::Mobility, Symmetry::Off, limits, &mut ())
            }
            _ => alphabeta::solve(&asked.foreseen(), Symmetry::Off, limits, &mut ()),
        },
        |_, _| {},
    )
}

fn zoned(zone: &str, size: usize) -> GoCapture {
    let (name, order) = zone.split_once(':').unwrap_or((zone, "1"));
    let (game, order) = (GoCapture::new(size), order.parse().unwrap_or(1));
    if name == "off" { game } else { game.zoned(order, name == "threats") }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let nodes: u64 = arguments.first().and_then(|text| text.parse().ok()).unwrap_or(200_000);
    let mut parts = arguments.get(1..).unwrap_or_default().split(|word| word == "--").map(<[String]>::to_vec);
    let or = |list: Vec<String>, default: &[&str]| {
        if list.is_empty() { default.iter().map(|&word| word.to_owned()).collect() } else { list }
    };
    let zones: Vec<String> = or(parts.next().unwrap_or_default(), &["threats:1", "on:1"]);
    let solvers: Vec<String> =
        or(parts.next().unwrap_or_default(), &["pns", "pp", "ppt", "dfpn", "alphabeta"]);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/oracles/go-capture");
    println!("file\tproblem\tproven\texpected\tsolver\tverdict\tlimit\tcreated\texpanded\tseconds\tline");
    for file in ["gnugo_capture.jsonl", "gnugo_games_capture.jsonl"] {
        let Ok(text) = std::fs::read_to_string(folder.join(file)) else {
            eprintln!("{file} is not here");
            continue;
        };
        let problems = text.lines().map(|line| CaptureProblem::read_json(line).expect(line));
        let all = std::env::var("ALL").is_ok();
        for problem in problems.filter(|problem| problem.proven || all) {
            for solver in &solvers {
                let (watch, mut created, mut expanded) = (Stopwatch::start(), 0, 0);
                let mut found = None;
                for zone in &zones {
                    let game = zoned(zone, problem.size);
                    let limits = Limits {
                        nodes: Some(nodes),
                        time: Some(Duration::from_secs(120)),
                        memory: Some(1 << 28),
                        ..Limits::default()
                    };
                    let attempt = attempt(solver, &game, &problem, limits);
                    created += attempt.stats.created;
                    expanded += attempt.stats.expanded;
                    let proved = attempt.verdict == Verdict::Proved;
                    let line = write_moves(&game, &problem.position, &attempt.line).join(" ");
                    found = Some((attempt, line));
                    if proved {
                        break;
                    }
                }
                let Some((attempt, line)) = found else { continue };
                println!(
                    "{file}\t{}\t{}\t{:?}\t{solver}\t{:?}\t{}\t{created}\t{expanded}\t{:.4}\t{line}",
                    problem.id,
                    problem.proven,
                    problem.capture,
                    attempt.verdict,
                    attempt.limit,
                    watch.elapsed().as_secs_f64(),
                );
            }
        }
    }
}
