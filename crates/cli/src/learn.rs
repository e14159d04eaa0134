//! `delphic learn`: a prior from solved positions.

use crate::args::{Learn, ModelName};
use crate::interrupt::{self, INTERRUPT, interrupted};
use crate::tables::table;
use crate::{Failure, exit, output, position, progress, units};
use delphic_engine::learn::Model;
use delphic_engine::learn::beta::Beta;
use delphic_engine::learn::compare::Comparison;
use delphic_engine::learn::gaussian::Gaussian;
use delphic_engine::learn::train::Config;
use delphic_engine::{AnyGame, Lessons, Limits, Pass, Run, Table, Training, Watcher, game, train};
use indicatif::ProgressBar;
use serde_json::json;
use std::io::Read;
use std::path::Path;
use std::time::Duration;

/// Nodes for one position, unless there is another limit.
const NODES: u64 = 300_000;

pub(crate) fn run(options: &Learn) -> Result<u8, Failure> {
    let game = game(&options.game)?;
    let solver = options.solver.clone().map_or_else(|| "ppt".parse().map_err(usage), Ok)?;
    if !solver.info().keeps_moves() {
        return Err(Failure::Usage(format!("{solver} keeps no tree to learn from; pp, ppt, pns and pnt do")));
    }
    if !game.has_patterns() {
        let having = "go-capture, nogo and domineering have";
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
    let mut reporter = LearnReporter::new(options);
    let lessons = train(&positions, &training, known, &mut reporter)?;
    reporter.bar.finish_and_clear();
    if let Some(failure) = reporter.failed {
        return Err(failure);
    }
    output(&if options.json { as_json(&lessons) } else { as_text(&lessons, &options.table) })?;
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
    bar: ProgressBar,
    /// Passes that are done, and those that were asked for.
    passes: (usize, usize),
    tested: u64,
    failed: Option<Failure>,
}

impl LearnReporter<'_> {
    fn new(options: &Learn) -> LearnReporter<'_> {
        let bar = progress::bar(options.quiet, None, "{spinner} {msg}, {elapsed} passed");
        let (table, quiet) = (&*options.table, options.quiet);
        bar.set_message("pass 1: solving positions and fitting the model");
        // A pass takes minutes without news, so the spinner turns by itself.
        bar.enable_steady_tick(Duration::from_millis(100));
        LearnReporter { table, quiet, bar, passes: (0, options.passes), tested: 0, failed: None }
    }

    fn print(&self, line: &str) {
        if !self.quiet {
            self.bar.suspend(|| eprintln!("{line}"));
        }
    }
}

impl Watcher for LearnReporter<'_> {
    fn pass(&mut self, pass: &Pass, table: &Table) {
        // Patterns of searches that were cut short do no harm.
        if let Err(error) = table.save(self.table) {
            self.failed = Some(file(self.table, &error));
        }
        self.passes.0 += 1;
        let (done, all) = self.passes;
        let (Pass { solved, tried, .. }, patterns) = (pass, units::plural(pass.patterns as u64, "pattern"));
        let time = units::time(pass.time);
        self.print(&format!("pass {done}: solved {solved} of {tried}, {patterns}, {time} of search"));
        self.bar.set_message(match done < all && *solved > 0 {
            true => format!("pass {}: solving positions and fitting the model", done + 1),
            false => "fitting the model for the test".to_owned(),
        });
    }

    fn test(&mut self, number: usize, plain: &Run, learnt: &Run) {
        let word = |run: &Run| if run.solved { units::grouped(run.created) } else { "unsolved".to_owned() };
        self.print(&format!("position {}: {} without, {} with", number + 1, word(plain), word(learnt)));
        self.tested += 1;
        self.bar.set_message(format!("testing, {} done", units::plural(self.tested, "position")));
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
    let mut compared = table(["", "mean", "median", "geometric mean"]);
    for (name, ratio) in [("times fewer nodes", found.created), ("times faster", found.time)] {
        compared.add_row([
            name.to_owned(),
            ratio.mean.to_string(),
            ratio.median.to_string(),
            ratio.geometric.to_string(),
        ]);
    }
    let mut honesty = table(["chance given", "moves", "proved"]);
    for bin in lessons.calibration.bins() {
        honesty.add_row([
            format!("{:.1} %", 100.0 * bin.predicted),
            units::grouped(bin.moves),
            format!("{:.1} %", 100.0 * bin.observed),
        ]);
    }
    format!(
        "{curve}\n\n{} tested: {} solved without and with the prior, {} only with, {} only without, {} by neither\n\n{compared}\n\n\
         {honesty}\n\nlog loss {:.3} (0.693 without any knowledge; ratios below 1 mean that the prior does harm); `--solver ppt:prior={}` uses the table\n",
        units::plural(lessons.runs.len() as u64, "position"),
        found.both,
        found.newly_solved,
        found.newly_failed,
        found.neither,
        lessons.calibration.log_loss(),
        path.display()
    )
}

fn as_json(lessons: &Lessons) -> String {
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
    let object = json!({
        "schema": 1,
        "passes": passes.collect::<Vec<_>>(),
        "test": runs.collect::<Vec<_>>(),
        "calibration": bins.collect::<Vec<_>>(),
        "log_loss": lessons.calibration.log_loss(),
    });
    format!("{object}\n")
}
