//! `delphic learn`: learns a prior from solved positions.

use crate::args::{Learn, ModelName};
use crate::interrupt::{self, INTERRUPT, interrupted};
use crate::tables::table;
use crate::{Failure, exit, output, position, progress, units};
use delphic_engine::learn::Model;
use delphic_engine::learn::beta::Beta;
use delphic_engine::learn::compare::Comparison;
use delphic_engine::learn::gaussian::Gaussian;
use delphic_engine::learn::train::Config;
use delphic_engine::{AnyGame, Interval, Lessons, Limits, Pass, Run, Table, Training, Watcher, game, train};
use delphic_lab::claim::sign_test;
use indicatif::ProgressBar;
use serde_json::json;
use std::io::Read;
use std::path::Path;
use std::time::{Duration, Instant};

/// The default limit of nodes for one position.
const NODES: u64 = 300_000;

pub(crate) fn run(options: &Learn) -> Result<u8, Failure> {
    let game = game(&options.game)?;
    let solver = options.solver.clone().map_or_else(|| "ppt".parse().map_err(usage), Ok)?;
    if !solver.info().keeps_moves() {
        return Err(Failure::Usage(format!("{solver} keeps no tree to learn from; pp, ppt, pns and pnt do")));
    }
    if !game.has_patterns() {
        let having = "games with patterns: go-capture, nogo, domineering";
        return Err(Failure::Usage(format!("{} has no patterns to learn; {having}", game.spec())));
    }
    let positions = positions(&*game, options)?;
    let positions =
        positions.iter().map(|text| game.position(Some(text), None)).collect::<Result<Vec<_>, _>>()?;
    let known = match options.table.exists() {
        true => Table::open(&options.table).map_err(|error| file(&options.table, &error))?,
        false => Table::default(),
    };
    interrupt::listen()?;
    let nodes = options.nodes.or_else(|| options.time.is_none().then_some(NODES));
    let model = match options.model {
        ModelName::Gaussian => Model::Gaussian(Gaussian::default()),
        ModelName::Beta => Model::Beta(Beta::default()),
    };
    let training = Training {
        solver,
        limits: Limits {
            nodes,
            time: options.time,
            memory: Some(options.memory),
            interrupt: Some(&INTERRUPT),
            ..Limits::default()
        },
        config: Config { model, passes: options.passes, test: options.test, seed: options.seed },
    };
    let mut reporter = LearnReporter::new(&options.table, options.quiet);
    let lessons = train(&positions, &training, known, &mut reporter)?;
    reporter.bar.finish_and_clear();
    if let Some(failure) = reporter.failed {
        return Err(failure);
    }
    output(&if options.json {
        format!("{}\n", self::lessons(&lessons))
    } else {
        as_text(&lessons, &options.table)
    })?;
    Ok(if interrupted() { exit::INTERRUPTED } else { 0 })
}

fn usage(error: delphic_engine::SpecError) -> Failure {
    Failure::Usage(error.to_string())
}

fn file(path: &Path, error: &impl std::fmt::Display) -> Failure {
    Failure::Other(format!("{}: {error}", path.display()))
}

/// The positions that were given, or random ones.
fn positions(game: &dyn AnyGame, options: &Learn) -> Result<Vec<String>, Failure> {
    let Some(path) = &options.positions else {
        let start = game.position(None, None)?;
        let plies = Some(options.plies);
        return Ok((0..options.random).map(|nth| start.random(plies, options.seed ^ nth << 20)).collect());
    };
    let mut text = String::new();
    match path.to_str() {
        Some("-") => std::io::stdin().read_to_string(&mut text)?,
        _ => std::fs::File::open(path)
            .and_then(|mut source| source.read_to_string(&mut text))
            .map_err(|error| file(path, &error))?,
    };
    let lines = text.lines().map(str::trim).filter(|line| !position::is_comment(line));
    Ok(lines.map(str::to_owned).collect())
}

/// Shows progress, and saves the table after every pass.
struct LearnReporter<'a> {
    table: &'a Path,
    quiet: bool,
    /// The live line of a terminal; hidden elsewhere, where lines are printed instead.
    bar: ProgressBar,
    /// When a line was last printed.
    printed: Instant,
    /// The pass that is running.
    pass: usize,
    failed: Option<Failure>,
}

/// The time between printed lines where there is no live line.
const LINE_EVERY: Duration = Duration::from_secs(10);

impl<'a> LearnReporter<'a> {
    fn new(table: &'a Path, quiet: bool) -> LearnReporter<'a> {
        let bar = progress::bar(quiet, None, "{elapsed}  {msg}");
        bar.enable_steady_tick(Duration::from_secs(1));
        LearnReporter { table, quiet, bar, printed: Instant::now(), pass: 0, failed: None }
    }

    /// Prints a line that stays on the screen.
    fn print(&mut self, line: &str) {
        self.printed = Instant::now();
        match (self.quiet, self.bar.is_hidden()) {
            (true, _) => {}
            (false, true) => eprintln!("{line}"),
            (false, false) => self.bar.println(line),
        }
    }

    /// Shows the state of a long phase: on the live line, or periodically as a printed line.
    fn update(&mut self, state: String) {
        if self.bar.is_hidden() && self.printed.elapsed() >= LINE_EVERY {
            self.print(&state);
        }
        self.bar.set_message(state);
    }
}

impl Watcher for LearnReporter<'_> {
    fn trained(&mut self, pass: usize, done: usize, of: usize, patterns: usize) {
        if self.pass != pass {
            self.pass = pass;
            self.print(&format!("pass {pass}: {of} positions"));
        }
        self.update(format!(
            "pass {pass}: {done} of {of} positions, {} patterns",
            units::grouped(patterns as u64)
        ));
    }

    fn fitting(&mut self, patterns: usize) {
        self.update(format!("fitting the model to {} patterns", units::grouped(patterns as u64)));
    }

    fn pass(&mut self, pass: &Pass, table: &Table) {
        // Patterns from interrupted searches are valid; only the learning curve would be wrong.
        if let Err(error) = table.save(self.table) {
            self.failed = Some(file(self.table, &error));
        }
        let (solved, tried, patterns) = (pass.solved, pass.tried, units::grouped(pass.patterns as u64));
        self.print(&format!("solved {solved} of {tried}, {patterns} patterns, {}", units::time(pass.time)));
    }

    fn testing(&mut self, done: usize, of: usize) {
        if done == 0 {
            self.print(&format!("test: {of} positions, each without and with the learned prior"));
        }
        self.update(format!("test: {done} of {of} positions"));
    }

    fn test(&mut self, number: usize, plain: &Run, learnt: &Run) {
        let word = |run: &Run| if run.solved { units::grouped(run.created) } else { "unsolved".to_owned() };
        self.print(&format!("position {}: {} nodes without, {} with", number + 1, word(plain), word(learnt)));
    }
}

/// A ratio in words: `2.3 times fewer nodes (1.9 to 2.8)`, or `1.5 times MORE nodes (1.2 to 1.9)`.
fn in_words(ratio: Interval, [better, worse]: [&str; 2]) -> String {
    let Interval { value, low, high } = ratio;
    match (low >= 1.0, high <= 1.0) {
        (true, _) => format!("{value:.2} times {better} ({low:.2} to {high:.2})"),
        (_, true) => format!("{:.2} times {worse} ({:.2} to {:.2})", 1.0 / value, 1.0 / high, 1.0 / low),
        _ => {
            let (side, size) = if value >= 1.0 { (better, value) } else { (worse, 1.0 / value) };
            let (most, least) = (1.0 / low, high);
            format!(
                "{size:.2} times {side} (between {most:.2} times {worse} and {least:.2} times {better}: no clear difference)"
            )
        }
    }
}

/// Whether the learned prior helps: first by the positions that only one of the two searches solves (exact sign test at 5 %), then by the
/// nodes for positions that both solve.
fn conclusion(found: &Comparison) -> &'static str {
    let Interval { low, high, .. } = found.created.geometric;
    let (gained, lost) = (found.newly_solved, found.newly_failed);
    let decided = sign_test(gained, lost) < 0.05;
    match (decided, gained > lost) {
        (true, true) => "The learned prior helps on these positions: it solves more of them.",
        (true, false) => "The learned prior HARMS on these positions: it solves fewer of them.",
        _ if found.both == 0 => {
            "No test position was solved both with and without the prior, so there is nothing to compare."
        }
        _ if low > 1.0 => "The learned prior helps on these positions: searches with it create fewer nodes.",
        _ if high < 1.0 => "The learned prior HARMS on these positions: searches with it create MORE nodes.",
        _ => "The learned prior makes no clear difference on these positions.",
    }
}

fn as_text(lessons: &Lessons, path: &Path) -> String {
    let mut curve = table(["pass", "tried", "solved", "created", "time", "patterns"]);
    for (nth, pass) in lessons.passes.iter().enumerate() {
        curve.add_row([
            (nth + 1).to_string(),
            pass.tried.to_string(),
            pass.solved.to_string(),
            units::grouped(pass.created),
            units::time(pass.time),
            units::grouped(pass.patterns as u64),
        ]);
    }
    let found = Comparison::of(lessons.runs.iter().map(|(_, plain, learnt)| (plain, learnt)));
    let mut compared = table(["with the learned prior", "created nodes", "time"]);
    let (nodes, time) = (["fewer", "MORE"], ["faster", "SLOWER"]);
    for (name, created, seconds) in [
        ("geometric mean", found.created.geometric, found.time.geometric),
        ("median", found.created.median, found.time.median),
        ("mean", found.created.mean, found.time.mean),
    ] {
        compared.add_row([name.to_owned(), in_words(created, nodes), in_words(seconds, time)]);
    }
    let mut calibration = table(["predicted chance", "moves", "proved"]);
    for bin in lessons.calibration.bins() {
        calibration.add_row([
            format!("{:.1} %", 100.0 * bin.predicted),
            units::grouped(bin.moves),
            format!("{:.1} %", 100.0 * bin.observed),
        ]);
    }
    format!(
        "{curve}\n\n{} test positions: {} solved either way, {} newly solved, {} newly failed, {} by neither\n\n{compared}\n\n\
         {calibration}\n\nlog loss {:.3} (0.693 is that of always predicting ½)\n{}\n`--solver ppt:prior={}` uses the table.\n",
        lessons.runs.len(),
        found.both,
        found.newly_solved,
        found.newly_failed,
        found.neither,
        lessons.calibration.log_loss(),
        conclusion(&found),
        path.display()
    )
}

/// What was learned.
pub fn lessons(lessons: &Lessons) -> serde_json::Value {
    let run = |run: &Run| json!({ "solved": run.solved, "created": run.created, "seconds": run.time.as_secs_f64() });
    let passes = lessons.passes.iter().map(|pass| {
        json!({
            "tried": pass.tried, "solved": pass.solved, "created": pass.created,
            "seconds": pass.time.as_secs_f64(), "patterns": pass.patterns,
        })
    });
    let runs = lessons.runs.iter().map(
        |(number, plain, learnt)| json!({ "position": number, "plain": run(plain), "learnt": run(learnt) }),
    );
    let bins = lessons
        .calibration
        .bins()
        .map(|bin| json!({ "moves": bin.moves, "predicted": bin.predicted, "observed": bin.observed }));
    json!({
        "schema": 1,
        "passes": passes.collect::<Vec<_>>(),
        "test": runs.collect::<Vec<_>>(),
        "calibration": bins.collect::<Vec<_>>(),
        "log_loss": lessons.calibration.log_loss(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn harm_is_said_plainly() {
        let words = |value, low, high| in_words(Interval { value, low, high }, ["fewer", "MORE"]);
        assert_eq!(words(2.0, 1.6, 2.5), "2.00 times fewer (1.60 to 2.50)");
        assert_eq!(words(0.5, 0.4, 0.8), "2.00 times MORE (1.25 to 2.50)");
        let unclear = words(0.8, 0.5, 1.25);
        assert_eq!(
            unclear,
            "1.25 times MORE (between 2.00 times MORE and 1.25 times fewer: no clear difference)"
        );
    }

    #[test]
    fn the_conclusion_follows_the_interval() {
        let run = |created| Run { solved: true, time: Duration::from_millis(created), created };
        let found = |plain: u64, learnt: u64| {
            let pairs = [(run(plain), run(learnt)), (run(2 * plain), run(2 * learnt))];
            Comparison::of(pairs.iter().map(|(plain, learnt)| (plain, learnt)))
        };
        assert!(conclusion(&found(100, 10)).contains("helps"));
        assert!(conclusion(&found(10, 100)).contains("HARMS"));
        assert!(conclusion(&found(10, 10)).contains("no clear difference"));
        // Positions that only one search solves weigh more than nodes.
        let failed = Run { solved: false, ..run(1000) };
        let only = |plain: Run, learnt: Run| {
            let pairs = [(plain, learnt); 6];
            Comparison::of(pairs.iter().map(|(plain, learnt)| (plain, learnt)))
        };
        assert!(conclusion(&only(failed, run(10))).contains("solves more"));
        assert!(conclusion(&only(run(10), failed)).contains("solves fewer"));
        assert!(conclusion(&Comparison::of(std::iter::empty())).contains("nothing to compare"));
    }
}
