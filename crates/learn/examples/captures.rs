//! How many capture problems each solver proves: `captures [SECONDS] [ORDER] [SOLVER…]`.

use delphic_game::Verdict;
use delphic_games::GoCapture;
use delphic_learn::capture::{Attempt, CaptureProblem, raise_limit};
use delphic_search::dag::Symmetry;
use delphic_search::kernel::Expand;
use delphic_search::prior::Leaf;
use delphic_search::rule::{Counts, MinSum, Product, Sum};
use delphic_search::{Limits, alphabeta, dag, depth_first, kernel};
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
            "pns-mobility" => kernel::solve(asked, numbers, Leaf::Mobility, Expand::Plain, limits, &mut ()),
            "pp" => kernel::solve(asked, product, Leaf::Even, Expand::Plain, limits, &mut ()),
            "pp-mobility" => kernel::solve(asked, product, Leaf::Mobility, Expand::Plain, limits, &mut ()),
            "ppt" => dag::solve(asked, product, Leaf::Mobility, Symmetry::Off, limits, &mut ()),
            "dfpn" => {
                depth_first::solve(&asked.foreseen(), numbers, Leaf::Mobility, Symmetry::Off, limits, &mut ())
            }
            _ => alphabeta::solve(&asked.foreseen(), Symmetry::Off, limits, &mut ()),
        },
        |_, _| {},
    )
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let seconds: f64 = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(5.0);
    let order: u8 = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(2);
    let mut solvers: Vec<String> = arguments.collect();
    if solvers.is_empty() {
        solvers = ["pns", "pp", "ppt", "dfpn", "alphabeta"].map(str::to_owned).to_vec();
    }
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/oracles/go-capture");
    for file in ["gnugo_capture.jsonl", "gnugo_games_capture.jsonl"] {
        let Ok(text) = std::fs::read_to_string(folder.join(file)) else {
            println!("{file} is not here");
            continue;
        };
        let problems: Vec<CaptureProblem> =
            text.lines().filter_map(|line| CaptureProblem::read_json(line).ok()).filter(|p| p.proven && p.capture == Some(true) && std::env::var("ONLY").is_ok_and(|only| !p.id.contains(&only)) == false).collect();
        for solver in &solvers {
            let (mut proved, mut seconds_spent, mut created) = (0, 0.0, 0u64);
            let mut open = Vec::new();
            for problem in &problems {
                let game = GoCapture::new(problem.size).zoned(order % 10, order < 10);
                let limits = Limits { time: Some(Duration::from_secs_f64(seconds)), memory: Some(1 << 30), ..Limits::default() };
                let found = attempt(solver, &game, problem, limits);
                seconds_spent += found.stats.time.as_secs_f64();
                created += found.stats.created;
                if found.verdict == Verdict::Proved {
                    proved += 1;
                    if std::env::var("ONLY").is_ok() {
                        println!("{} limit {} {:?}", problem.id, found.limit, delphic_game::write_moves(&game, &problem.position, &found.line));
                    }
                } else {
                    if std::env::var("ONLY").is_ok() {
                        println!("{} limit {} {:?}", problem.id, found.limit, delphic_game::write_moves(&game, &problem.position, &found.line));
                        let game = &game;
                        let mut list = vec![];
                        use delphic_game::{Game, Notation};
                        game.moves(&problem.position, &mut list);
                        println!("{}", game.write(&problem.position));
                        for mv in list {
                            let mut next = problem.position; game.play(&mut next, mv);
                            next.limit = 6;
                            let mut replies = vec![]; game.moves(&next, &mut replies);
                            print!("{}: {:?};", game.write_move(&next, mv), replies.iter().map(|&r| game.write_move(&next, r)).collect::<Vec<_>>());
                            for r in replies { let mut p = next; game.play(&mut p, r);
                               let found = attempt(solver, game, &CaptureProblem { position: p, ..problem.clone() }, limits);
                               print!(" {}={:?}", game.write_move(&next, r), found.verdict); }
                            println!();
                        }
                    }
                    open.push(format!("{}:{:?}@{}", problem.id, found.verdict, found.limit));
                }
            }
            println!("{file} {solver}: {proved} of {} proved, {seconds_spent:.1} s, {created} created", problems.len());
            println!("   not: {}", open.join(" "));
        }
    }
}
