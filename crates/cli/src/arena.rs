//! `delphic arena`: matches between agents.
//!
//! A game is played by one thread, or by the threads of one search, and only the agent to move searches. So with no more threads than
//! cores, every search has its cores to itself and time limits are fair.

mod figure;
mod ledger;
mod table;

use crate::allowance::Allowance;
use crate::args::Arena;
use crate::interrupt::{self, INTERRUPT, interrupted};
use crate::{Failure, exit, output, progress, units};
use delphic_engine::arena::{Fixture, Played, Tally, fixtures, pairs, play, points};
use delphic_engine::{Agent, AnyGame, Interval, atomic_file, game};
use ledger::Ledger;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, mpsc};

/// The results of one game.
struct Series {
    game: String,
    /// For every pair of agents, in the order of [`pairs`].
    results: Vec<Tally>,
    /// Iterations and seconds of every agent.
    spent: Vec<(u64, f64)>,
}

impl Series {
    fn new(game: &str, agents: usize) -> Series {
        let results = vec![Tally::default(); pairs(agents).count()];
        Series { game: game.to_owned(), results, spent: vec![(0, 0.0); agents] }
    }

    /// The results of agent `a` against agent `b`.
    fn between(&self, a: usize, b: usize) -> Tally {
        let both = (a.min(b), a.max(b));
        let found = pairs(self.spent.len()).zip(&self.results).find(|(pair, _)| *pair == both);
        let tally = found.map_or_else(Tally::default, |(_, tally)| *tally);
        if a < b { tally } else { tally.reversed() }
    }

    fn add(&mut self, fixture: &Fixture, payoffs: &[i16], spent: impl Iterator<Item = (u64, f64)>) {
        let pair = fixture.number as usize % self.results.len();
        self.results[pair].add(points(fixture, payoffs));
        for (&agent, (iterations, seconds)) in fixture.seats.iter().zip(spent) {
            self.spent[agent].0 += iterations;
            self.spent[agent].1 += seconds;
        }
    }
}

pub(crate) fn run(options: &Arena) -> Result<u8, Failure> {
    let games = options.games.iter().map(|spec| game(spec)).collect::<Result<Vec<_>, _>>()?;
    if options.agents.len() < 2 {
        return Err(Failure::Usage("an arena needs at least two agents: --agents uct gpn-mcts".to_owned()));
    }
    interrupt::listen()?;
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let threads =
        options.threads.map_or(cores, usize::from).max(options.search_threads.map_or(1, usize::from));
    if threads > cores && options.budget.time.is_some() {
        eprintln!(
            "note: {} share {}, so agents get less CPU time than their limit",
            units::plural(threads as u64, "thread"),
            units::plural(cores as u64, "core")
        );
    }
    let mut ledger = options.ledger.as_deref().map(|path| Ledger::open(path, options)).transpose()?;
    let mut all = Vec::new();
    for game in &games {
        let start = game.position(None, None)?;
        options.agents.iter().try_for_each(|agent| agent.check(&*start))?;
        let series = series(&**game, options, threads, ledger.as_mut())?;
        all.push(series);
        if interrupted() {
            break;
        }
    }
    let names: Vec<String> = options.agents.iter().map(Agent::to_string).collect();
    if let Some(file) = &options.csv {
        atomic_file::write(file, table::csv(&all, &names).as_bytes())?;
    }
    if let Some(file) = &options.figure {
        atomic_file::write(file, figure::svg(&all, &names).as_bytes())?;
    }
    output(&if options.json { table::json(&all, &names) } else { table::text(&all, &names) })?;
    if interrupted() {
        if let Some(path) = &options.ledger {
            eprintln!("interrupted; the same command continues from {}", path.display());
        }
        return Ok(exit::INTERRUPTED);
    }
    Ok(0)
}

/// Plays the fixtures of one game that are not in the ledger yet.
fn series(
    game: &dyn AnyGame,
    options: &Arena,
    threads: usize,
    mut ledger: Option<&mut Ledger>,
) -> Result<Series, Failure> {
    let agents = &options.agents;
    let mut series = Series::new(game.spec(), agents.len());
    let all = fixtures(agents.len(), game.players(), options.count, options.seed);
    let mut left = Vec::new();
    for fixture in all {
        match ledger.as_ref().and_then(|ledger| ledger.find(game.spec(), fixture.number)) {
            Some(row) => series.add(&fixture, &row.payoffs, row.spent.iter().copied()),
            None => left.push(fixture),
        }
    }
    let allowance = Allowance::among_agents(&options.budget).on_threads(options.search_threads);
    let (budget, side_by_side) = (allowance.budget(&INTERRUPT), threads / allowance.threads);
    let start = game.position(None, None)?;
    let (next, enough) = (AtomicUsize::new(0), Mutex::new(vec![false; series.results.len()]));
    let mark = |series: &Series| {
        let done = |tally: &Tally| options.until.is_some_and(|until| tally.score().margin() <= until);
        *enough.lock().unwrap_or_else(std::sync::PoisonError::into_inner) =
            series.results.iter().map(done).collect();
    };
    mark(&series);
    let template = "{prefix}  {pos} of {len} games  {elapsed} passed, {eta} to go  {msg}";
    let bar = progress::bar(options.quiet, Some(left.len() as u64), template);
    bar.set_prefix(game.spec().to_owned());
    let (sender, receiver) = mpsc::channel::<(&Fixture, Option<Played>)>();
    std::thread::scope(|scope| {
        for _ in 0..side_by_side.min(left.len()) {
            let (sender, left, next, enough, start, budget) =
                (sender.clone(), &left, &next, &enough, &start, &budget);
            scope.spawn(move || {
                while let Some(fixture) = left.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let pair = fixture.number as usize;
                    let skip = {
                        let enough = enough.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                        enough[pair % enough.len()]
                    };
                    if skip {
                        continue;
                    }
                    let played = play(&**start, agents, fixture, options.opening, budget);
                    if interrupted() || sender.send((fixture, played)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let stop = |failure| {
            INTERRUPT.store(true, Ordering::Relaxed);
            Err(failure)
        };
        for (fixture, played) in receiver {
            let Some(played) = played else {
                let plies = options.opening;
                return stop(Failure::Usage(format!("{} has ended after {plies} random plies", game.spec())));
            };
            let spent = || played.spent.iter().map(|stats| (stats.iterations, stats.time.as_secs_f64()));
            series.add(fixture, &played.payoffs, spent());
            if let Some(ledger) = &mut ledger
                && let Err(error) = ledger.add(game.spec(), fixture, &played)
            {
                return stop(error.into());
            }
            mark(&series);
            bar.inc(1);
            if let [only] = &series.results[..] {
                bar.set_message(percent(&only.score()));
            }
        }
        Ok(())
    })?;
    bar.finish_and_clear();
    Ok(series)
}

/// The letter for an agent in tables and figures.
fn letter(agent: usize) -> char {
    char::from(b'A' + agent as u8 % 26)
}

/// `58.5 % ± 4.2`.
fn percent(score: &Interval) -> String {
    format!("{:.1} % ± {:.1}", 100.0 * score.value, 100.0 * score.margin())
}
