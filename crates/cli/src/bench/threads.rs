//! Two threads compared with one: wall-clock times of ten problems in one run, each together with its mirror image.

use crate::args::Bench;
use crate::{Failure, output, units};
use delphic_engine::{Ask, Conclusion, InputError, Limits, Request, Solver, game};
use delphic_lab::{Scale, ThreadProblem, thread_problems};
use std::time::{Duration, Instant};

/// Memory for each search.
const MEMORY: u64 = 2 << 30;
/// Time for each search; a problem that takes longer is left out.
const PATIENCE: Duration = Duration::from_secs(600);

pub(super) fn run(options: &Bench) -> Result<(), Failure> {
    let scale = if options.quick { Scale::Smoke } else { Scale::Paper };
    let heading = ["problem", "solver", "answer", "one", "two", "one / two"];
    output(&line(heading.map(str::to_owned)))?;
    let mut ratios = Vec::new();
    for problem in thread_problems(scale) {
        // Rounds alternate, so that a slow moment of the machine affects both numbers of threads.
        let mut best: [Option<(Conclusion, Duration)>; 2] = [None, None];
        for _ in 0..options.rounds {
            for (threads, best) in (1..).zip(&mut best) {
                let (answer, time) = solve(&problem, threads)?;
                if best.as_ref().is_none_or(|(_, least)| time < *least) {
                    *best = Some((answer, time));
                }
            }
        }
        let [Some((one, alone)), Some((two, together))] = best else { continue };
        let name = format!("{} {}", problem.game, problem.position);
        if [&one, &two].iter().any(|answer| **answer == Conclusion::Unknown) {
            output(&format!(
                "{name:<24}{:<11}not solved within {}\n",
                problem.solver,
                units::time(PATIENCE)
            ))?;
            continue;
        }
        if one != two {
            return Err(Failure::Other(format!("{}: two threads disagree with one", problem.game)));
        }
        let ratio = alone.as_secs_f64() / together.as_secs_f64().max(1e-9);
        ratios.push(ratio);
        output(&line([
            name,
            problem.solver.to_owned(),
            if one == Conclusion::Proved { "yes" } else { "no" }.to_owned(),
            units::time(alone),
            units::time(together),
            format!("{ratio:.2}"),
        ]))?;
    }
    let mean = (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len().max(1) as f64).exp();
    let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
    output(&format!("geometric mean {mean:.2}, least {least:.2}\n"))
}

fn line(cells: [String; 6]) -> String {
    let [problem, solver, answer, one, two, ratio] = cells;
    format!("{problem:<24}{solver:<11}{answer:<8}{one:>9}{two:>9}{ratio:>11}\n")
}

/// Solves a problem and its mirror image. Returns the answer and the time of both together.
fn solve(problem: &ThreadProblem, threads: usize) -> Result<(Conclusion, Duration), Failure> {
    let solver: Solver = problem.solver.parse().map_err(InputError::from)?;
    let (mut found, mut all) = (None, Duration::ZERO);
    for (spec, position) in problem.images() {
        let position = game(spec)?.position(Some(position).filter(|text| !text.is_empty()), None)?;
        let limits = Limits { threads, memory: Some(MEMORY), time: Some(PATIENCE), ..Limits::default() };
        let request = Request { ask: Ask::Win, solver: solver.clone(), limits, ..Request::default() };
        // Wall-clock time: with several threads that is what counts.
        let begun = Instant::now();
        let answer = position.solve(&request, &mut ()).conclusion;
        all += begun.elapsed();
        if answer == Conclusion::Unknown {
            return Ok((answer, all));
        }
        if *found.get_or_insert(answer) != answer {
            return Err(Failure::Other(format!("{spec}: the mirror image has another answer")));
        }
    }
    Ok((found.unwrap_or(Conclusion::Unknown), all))
}
