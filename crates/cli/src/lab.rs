//! `delphic lab`: reproduces published experiments.

use crate::args::{Lab, LabCommand, LabImport, LabReport, LabRun};
use crate::interrupt::{self, INTERRUPT};
use crate::{Failure, exit, output, progress};
use delphic_base::atomic_file;
use delphic_lab::experiments::NAMES;
use delphic_lab::report::{self, Selection};
use delphic_lab::{End, Experiment, Inputs, LabError, Ledger, Observer, Settings, experiments};
use indicatif::ProgressBar;
use std::time::Instant;

impl From<LabError> for Failure {
    fn from(error: LabError) -> Failure {
        match error {
            LabError::File(error) => error.into(),
            LabError::Input(error) => error.into(),
            LabError::Problems(_) | LabError::Rows(_) => Failure::Usage(error.to_string()),
            LabError::Ledger(_) => Failure::Other(error.to_string()),
        }
    }
}

pub(crate) fn run(options: &Lab) -> Result<u8, Failure> {
    match &options.what {
        LabCommand::List => list(),
        LabCommand::Run(options) => run_experiments(options),
        LabCommand::Import(options) => import(options),
        LabCommand::Report(options) => write_pages(options),
    }
}

fn list() -> Result<u8, Failure> {
    let width = NAMES.iter().map(|name| name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for experiment in experiments(&Inputs::default())? {
        let about = experiment.about();
        text += &format!("{:width$}  {}\n", experiment.name(), about.title);
        text += &format!("{:width$}  {}\n", "", about.paper);
    }
    output(&text)?;
    Ok(0)
}

/// One experiment, or all of them.
fn expand(name: &str) -> Result<Vec<&'static str>, Failure> {
    if name == "all" {
        return Ok(NAMES.to_vec());
    }
    let unknown =
        || Failure::Usage(format!("there is no experiment '{name}'; expected {} or all", NAMES.join(", ")));
    NAMES.into_iter().find(|known| *known == name).map(|name| vec![name]).ok_or_else(unknown)
}

fn run_experiments(options: &LabRun) -> Result<u8, Failure> {
    let names = expand(&options.name)?;
    let experiments = experiments(&Inputs { problems: options.problems.clone() })?;
    interrupt::listen()?;
    let ledger = Ledger::open(&options.ledger)?;
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let threads = options.threads.map_or(cores, usize::from);
    let settings = Settings { scale: options.scale, threads, reuse: options.reuse, interrupt: &INTERRUPT };
    let mut code = 0;
    for experiment in experiments.iter().filter(|experiment| names.contains(&experiment.name())) {
        let (mut line, started) = (Line::new(options.quiet), Instant::now());
        warn_of_other_revisions(&ledger, &**experiment, options)?;
        let end = delphic_lab::run(&**experiment, &ledger, &settings, &mut line)?;
        line.bar.finish_and_clear();
        let (name, took) = (experiment.name(), started.elapsed().as_secs_f64());
        let Line { new, all, .. } = line;
        output(&format!("{name}: {all} cells, {new} of them new in the ledger, {took:.1} s\n"))?;
        if end == End::Interrupted {
            let ledger = options.ledger.display();
            eprintln!("interrupted; the same command continues from {ledger}");
            code = exit::INTERRUPTED;
            break;
        }
    }
    if let Some(file) = &options.csv {
        let only = Some(options.name.as_str()).filter(|name| *name != "all");
        atomic_file::write(file, ledger.csv(only)?.as_bytes())?;
    }
    Ok(code)
}

/// Reports that rows of another revision are in the ledger and will be searched again.
fn warn_of_other_revisions(
    ledger: &Ledger,
    experiment: &dyn Experiment,
    options: &LabRun,
) -> Result<(), Failure> {
    let others = ledger.foreign(experiment.name())?;
    if options.quiet || options.reuse || others.is_empty() {
        return Ok(());
    }
    let list: Vec<String> = others.iter().map(|(revision, rows)| format!("{rows} by {revision}")).collect();
    let name = experiment.name();
    eprintln!("{name}: rows of other revisions are not reused ({}); --reuse accepts them", list.join(", "));
    Ok(())
}

fn import(options: &LabImport) -> Result<u8, Failure> {
    let ledger = Ledger::open(&options.ledger)?;
    for file in &options.files {
        let added = ledger.import(file)?;
        output(&format!("{}: {added} new rows\n", file.display()))?;
    }
    Ok(0)
}

fn write_pages(options: &LabReport) -> Result<u8, Failure> {
    let mut names = Vec::new();
    for name in &options.names {
        names.extend(expand(name)?);
    }
    if names.is_empty() {
        names.extend(NAMES);
    }
    if !options.ledger.exists() {
        let ledger = options.ledger.display();
        return Err(Failure::Usage(format!("there is no ledger {ledger}; `delphic lab run` creates it")));
    }
    let experiments = experiments(&Inputs { problems: options.problems.clone() })?;
    let ledger = Ledger::open(&options.ledger)?;
    let selection = Selection { scale: options.scale, reuse: options.reuse };
    let pages = report::write(&experiments, &names, &ledger, selection, &options.out)?;
    if pages.is_empty() {
        return Err(Failure::Usage("none of these experiments was run; see `delphic lab run`".to_owned()));
    }
    let folder = options.out.display();
    output(&format!("{folder}: pages about {}\n", pages.join(", ")))?;
    Ok(0)
}

/// The progress bar: cells done, and the estimated remaining time.
struct Line {
    bar: ProgressBar,
    new: usize,
    all: usize,
    stage: Option<usize>,
}

impl Line {
    fn new(quiet: bool) -> Line {
        let template = "{prefix}  {bar:30} {pos} of {len} cells  {elapsed} elapsed, about {eta} left";
        let bar = progress::bar(quiet, Some(0), template);
        Line { bar, new: 0, all: 0, stage: None }
    }
}

impl Observer for Line {
    fn progress(&mut self, experiment: &str, done: usize, all: usize) {
        if self.stage.replace(all) != Some(all) {
            self.bar.set_prefix(experiment.to_owned());
            self.bar.set_length(all as u64);
            self.bar.set_position(done as u64);
            // Cells that were in the ledger already must not shorten the estimate.
            self.bar.reset_eta();
        }
        self.new += done.saturating_sub(self.bar.position() as usize);
        self.all = all;
        self.bar.set_position(done as u64);
    }
}
