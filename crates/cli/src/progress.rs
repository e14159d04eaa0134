//! Everything that is drawn on standard error while a command works: the live line of a search, and the bars of
//! longer jobs.

mod terminal;

use crate::units;
use delphic_engine::{Checkpoint, CheckpointError, Hope, Limits, Observer, Request, Solver, Stats};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::time::Duration;
use terminal::Terminal;

/// How often a bar is drawn in a second, at most.
const REDRAWS: u8 = 20;

/// A bar with a template of indicatif, or a spinner if there is no `length`. It is drawn only on a terminal.
pub(crate) fn bar(quiet: bool, length: Option<u64>, template: &str) -> ProgressBar {
    let target = match quiet || !std::io::stderr().is_terminal() {
        true => ProgressDrawTarget::hidden(),
        false => ProgressDrawTarget::term_like_with_hz(Box::new(Terminal), REDRAWS),
    };
    let bar = ProgressBar::with_draw_target(length, target);
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}

/// What a command is doing. A new kind is a variant here and an arm in [`describe`].
pub(crate) enum Phase<'a> {
    /// A search goes on.
    Searching(&'a Stats, Hope),
    /// A checkpoint is read.
    Loading(&'a str),
    /// The answer is known, and this many bytes of its proof are written.
    WritingProof { file: &'a str, bytes: u64 },
}

/// What a search is about, and its limits: the part of the line that does not change.
#[derive(Clone, Default)]
pub(crate) struct Subject {
    /// Such as `value of connect4:7x6 by auto`.
    pub(crate) title: String,
    limits: (Option<Duration>, Option<u64>, Option<u64>),
    /// Whether the estimate of the root is shown. With a portfolio it would jump from one solver's to another's.
    root: bool,
}

impl Subject {
    /// The subject of a request about a game.
    pub(crate) fn of(request: &Request<'_>, game: &str) -> Subject {
        let solver = request.solver.to_string();
        let name = solver.split(':').next().unwrap_or_default();
        let Limits { time, nodes, memory, .. } = request.limits;
        let root = request.solver != Solver::Auto;
        Subject { title: format!("{} of {game} by {name}", request.ask), limits: (time, nodes, memory), root }
    }

    /// The subject of an agent's search for a move.
    pub(crate) fn titled(title: String, limits: &Limits<'_>) -> Subject {
        Subject { title, limits: (limits.time, limits.nodes, limits.memory), root: false }
    }
}

/// Shows what a search is doing. It also reports, at once, a checkpoint that could not be saved.
pub(crate) struct Line<'a> {
    bar: ProgressBar,
    subject: Subject,
    checkpoint: Option<&'a Checkpoint>,
    trouble: Option<CheckpointError>,
}

impl<'a> Line<'a> {
    pub(crate) fn new(quiet: bool, subject: Subject) -> Line<'a> {
        Line { bar: bar(quiet, None, "{spinner} {wide_msg}"), subject, checkpoint: None, trouble: None }
    }

    /// The same line for another part of the work.
    pub(crate) fn again(&self) -> Line<'a> {
        Line { bar: self.bar.clone(), subject: self.subject.clone(), checkpoint: None, trouble: None }
    }

    /// Watches the checkpoints of the search as well.
    pub(crate) fn watching(self, checkpoint: Option<&'a Checkpoint>) -> Line<'a> {
        Line { checkpoint, ..self }
    }

    /// Shows a phase. Those that are not searches report rarely, so the spinner turns by itself.
    pub(crate) fn show(&mut self, phase: &Phase<'_>) {
        if self.bar.is_hidden() {
            return;
        }
        self.bar.set_message(describe(&self.subject, phase));
        match phase {
            Phase::Searching(..) => {
                self.bar.disable_steady_tick();
                self.bar.tick();
            }
            Phase::Loading(_) | Phase::WritingProof { .. } => {
                self.bar.enable_steady_tick(Duration::from_millis(100));
            }
        }
    }

    /// Prints a line above the live one.
    pub(crate) fn print(&self, text: &str) {
        self.bar.suspend(|| eprintln!("{text}"));
    }

    /// Prints something on standard output while the line is hidden.
    pub(crate) fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }

    pub(crate) fn clear(&self) {
        self.bar.finish_and_clear();
    }

    /// The last thing that went wrong with a checkpoint, and whether it was reported already.
    pub(crate) fn trouble(&mut self) -> Option<(CheckpointError, bool)> {
        let fresh = self.checkpoint.and_then(Checkpoint::trouble).map(|error| (error, false));
        fresh.or_else(|| self.trouble.take().map(|error| (error, true)))
    }
}

impl Observer for Line<'_> {
    fn progress(&mut self, stats: &Stats, hope: Hope) {
        if let Some(error) = self.checkpoint.and_then(Checkpoint::trouble) {
            self.print(&format!("warning: a checkpoint could not be saved: {error}"));
            self.trouble = Some(error);
        }
        self.show(&Phase::Searching(stats, hope));
    }
}

fn describe(subject: &Subject, phase: &Phase<'_>) -> String {
    match phase {
        Phase::Searching(stats, hope) => searching(subject, stats, *hope),
        Phase::Loading(folder) => format!("loading the checkpoint in {folder}"),
        Phase::WritingProof { file, bytes } => {
            format!("writing the proof to {file}, {}", units::size(*bytes))
        }
    }
}

fn searching(subject: &Subject, stats: &Stats, hope: Hope) -> String {
    let (time, nodes, memory) = subject.limits;
    let speed = (stats.created as f64 / stats.time.as_secs_f64().max(1e-6)) as u64;
    let of = |limit: Option<String>| limit.map_or_else(String::new, |limit| format!(" of {limit}"));
    let share = time.map_or_else(String::new, |time| {
        let share = stats.time.as_secs_f64() / time.as_secs_f64().max(1e-6);
        format!(" ({:.0} %)", 100.0 * share.min(1.0))
    });
    let root = match hope {
        _ if !subject.root => String::new(),
        Hope::None => String::new(),
        Hope::Probability(p) => format!(", estimate {p:.3}"),
        Hope::ProofNumbers(pn, dn) => {
            format!(", pn {} dn {}", units::short(pn as u64), units::short(dn as u64))
        }
        Hope::Work { prove, disprove } => {
            format!(", work {} or {}", units::short(prove as u64), units::short(disprove as u64))
        }
    };
    format!(
        "{}: {}{}{share}, {}{} nodes, {}/s, {}{}{root}",
        subject.title,
        units::time(stats.time),
        of(time.map(units::time)),
        units::short(stats.created),
        of(nodes.map(units::short)),
        units::short(speed),
        units::size(stats.peak_bytes),
        of(memory.map(units::size)),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stats() -> Stats {
        let (time, created) = (Duration::from_millis(15_100), 11_677_669);
        Stats { created, time, peak_bytes: 384 << 20, ..Stats::default() }
    }

    #[test]
    fn the_line_names_question_solver_and_shares_of_the_limits() {
        let limits =
            Limits { time: Some(Duration::from_secs(60)), memory: Some(4 << 30), ..Limits::default() };
        let request = Request { limits, ..Request::default() };
        let subject = Subject::of(&request, "connect4:7x6");
        assert_eq!(
            describe(&subject, &Phase::Searching(&stats(), Hope::Probability(0.0))),
            "value of connect4:7x6 by auto: 15.1 s of 1 min 0 s (25 %), 11.7 M nodes, 773 k/s, 384.0 MiB of 4.00 GiB"
        );
    }

    #[test]
    fn the_estimate_is_shown_for_a_single_solver() {
        let solver = "pp".parse().unwrap_or(Solver::Auto);
        let subject = Subject::of(&Request { solver, ..Request::default() }, "hex:5");
        let line = describe(&subject, &Phase::Searching(&stats(), Hope::Probability(0.517_879)));
        assert!(
            line.starts_with("value of hex:5 by pp: 15.1 s, ") && line.ends_with(", estimate 0.518"),
            "{line}"
        );
    }

    #[test]
    fn phases_are_named() {
        let subject = Subject::default();
        assert_eq!(describe(&subject, &Phase::Loading("run1")), "loading the checkpoint in run1");
        let writing = Phase::WritingProof { file: "a.proof", bytes: 1536 };
        assert_eq!(describe(&subject, &writing), "writing the proof to a.proof, 1.5 KiB");
    }
}
