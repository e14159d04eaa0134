//! `delphic lab`: published experiments, reproduced.

use crate::args::{Lab, LabCommand, LabReport, LabRun};
use crate::interrupt::{self, INTERRUPT};
use crate::{Failure, exit, output, progress};
use delphic_engine::files;
use delphic_lab::{EXPERIMENTS, End, Experiment, LabError, Ledger, Settings, Watch, find, report};
use indicatif::ProgressBar;
use std::time::Instant;

impl From<LabError> for Failure {
    fn from(error: LabError) -> Failure {
        match error {
            LabError::File(error) => error.into(),
            LabError::Input(error) => error.into(),
            LabError::Ledger(_) => Failure::Other(error.to_string()),
        }
    }
}

pub(crate) fn run(options: &Lab) -> Result<u8, Failure> {
    match &options.what {
        LabCommand::List => list(),
        LabCommand::Run(options) => run_experiments(options),
        LabCommand::Report(options) => write_pages(options),
    }
}

fn list() -> Result<u8, Failure> {
    let width = EXPERIMENTS.iter().map(|experiment| experiment.name().len()).max().unwrap_or(0);
    let mut text = String::new();
    for experiment in EXPERIMENTS {
        let about = experiment.about();
        text += &format!("{:width$}  {}\n", experiment.name(), about.title);
        text += &format!("{:width$}  {}\n", "", about.paper);
    }
    output(&text)?;
    Ok(0)
}

/// The experiments that a name means.
fn named(name: &str) -> Result<Vec<&'static dyn Experiment>, Failure> {
    if name == "all" {
        return Ok(EXPERIMENTS.to_vec());
    }
    let names = || EXPERIMENTS.map(Experiment::name).join(", ");
    let unknown = || Failure::Usage(format!("there is no experiment '{name}'; expected {} or all", names()));
    find(name).map(|experiment| vec![experiment]).ok_or_else(unknown)
}

fn run_experiments(options: &LabRun) -> Result<u8, Failure> {
    let experiments = named(&options.name)?;
    interrupt::listen()?;
    let ledger = Ledger::open(&options.ledger)?;
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let threads = options.threads.map_or(cores, usize::from);
    let settings = Settings { scale: options.scale, threads, interrupt: &INTERRUPT };
    let mut code = 0;
    for experiment in experiments {
        let (mut line, started) = (Line::new(options.quiet), Instant::now());
        let end = delphic_lab::run(experiment, &ledger, &settings, &mut line)?;
        line.bar.finish_and_clear();
        let (name, took) = (experiment.name(), started.elapsed().as_secs_f64());
        let Line { new, all, .. } = line;
        output(&format!("{name}: {all} cells, {new} of them done now in {took:.1} s\n"))?;
        if end == End::Interrupted {
            let ledger = options.ledger.display();
            eprintln!("interrupted; the same command continues from {ledger}");
            code = exit::INTERRUPTED;
            break;
        }
    }
    if let Some(file) = &options.csv {
        let only = Some(options.name.as_str()).filter(|name| *name != "all");
        files::write(file, ledger.csv(only)?.as_bytes())?;
    }
    Ok(code)
}

fn write_pages(options: &LabReport) -> Result<u8, Failure> {
    let mut experiments = Vec::new();
    for name in &options.names {
        experiments.extend(named(name)?);
    }
    if experiments.is_empty() {
        experiments.extend(EXPERIMENTS);
    }
    if !options.ledger.exists() {
        let ledger = options.ledger.display();
        return Err(Failure::Usage(format!("there is no {ledger}; `delphic lab run` starts it")));
    }
    let ledger = Ledger::open(&options.ledger)?;
    let pages = report::write(&experiments, &ledger, options.scale, &options.out)?;
    if pages.is_empty() {
        return Err(Failure::Usage("none of these experiments was run; see `delphic lab run`".to_owned()));
    }
    let folder = options.out.display();
    output(&format!("{folder}: pages about {}\n", pages.join(", ")))?;
    Ok(0)
}

/// The live line: how many cells are done, and the time that is left.
struct Line {
    bar: ProgressBar,
    new: usize,
    all: usize,
    stage: Option<usize>,
}

impl Line {
    fn new(quiet: bool) -> Line {
        let template = "{prefix}  {bar:30} {pos} of {len} cells  {elapsed} passed, {eta} to go";
        let bar = progress::bar(quiet, Some(0), template);
        Line { bar, new: 0, all: 0, stage: None }
    }
}

impl Watch for Line {
    fn progress(&mut self, experiment: &str, done: usize, all: usize) {
        if self.stage.replace(all) != Some(all) {
            self.bar.set_prefix(experiment.to_owned());
            self.bar.set_length(all as u64);
            self.bar.set_position(done as u64);
            // Rows that were there before must not make the rest look fast.
            self.bar.reset_eta();
        }
        self.new += done.saturating_sub(self.bar.position() as usize);
        self.all = all;
        self.bar.set_position(done as u64);
    }
}
