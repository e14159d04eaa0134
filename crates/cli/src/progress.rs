//! Progress on standard error: the live line of a search, and progress bars.

mod pace;
mod terminal;

use crate::units;
use delphic_engine::{Event, Limits, Observer, Player, Progress, Request, RootValue};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use pace::Pace;
use std::io::IsTerminal;
use std::time::Duration;
use terminal::Terminal;

/// The maximum number of redraws per second.
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

/// A phase of a command other than searching.
pub(crate) enum Phase<'a> {
    /// Reading a checkpoint.
    Loading(&'a str),
    /// Writing the proof of a known answer; this many bytes so far.
    WritingProof { file: &'a str, bytes: u64 },
}

/// The constant part of the line: the subject of the search, and its limits.
#[derive(Clone, Default)]
pub(crate) struct Subject {
    /// Such as `value of connect4:7x6`.
    pub(crate) title: String,
    limits: (Option<Duration>, Option<u64>, Option<u64>),
    /// Whether question and solver are shown; not if the title names an agent.
    detailed: bool,
}

impl Subject {
    /// The subject of a request about a game.
    pub(crate) fn of(request: &Request<'_>, game: &str) -> Subject {
        let title = format!("{} of {game}", request.ask);
        Subject { detailed: true, ..Subject::titled(title, &request.limits) }
    }

    /// The subject of an agent's search for a move.
    pub(crate) fn titled(title: String, limits: &Limits<'_>) -> Subject {
        Subject { title, limits: (limits.time, limits.nodes, limits.memory), detailed: false }
    }
}

/// The question being searched, and the bounds on the value so far.
#[derive(Clone, Copy)]
struct Question {
    player: Player,
    at_least: i16,
    known: (i16, i16),
}

/// Shows the progress of a search. It also prints a warning if a checkpoint could not be saved.
pub(crate) struct Line {
    bar: ProgressBar,
    subject: Subject,
    question: Option<Question>,
    /// The current part of the work, such as `move 3 of 7`.
    part: String,
    pace: Pace,
}

impl Line {
    pub(crate) fn new(quiet: bool, subject: Subject) -> Line {
        let bar = bar(quiet, None, "{spinner} {wide_msg}");
        Line { bar, subject, question: None, part: String::new(), pace: Pace::default() }
    }

    /// The same line for another part of the work.
    pub(crate) fn again(&self) -> Line {
        Line {
            bar: self.bar.clone(),
            subject: self.subject.clone(),
            question: self.question,
            part: String::new(),
            pace: Pace::default(),
        }
    }

    /// Shows a phase. There are no events during a phase, so the spinner turns by a timer.
    pub(crate) fn show(&mut self, phase: &Phase<'_>) {
        self.wait(match phase {
            Phase::Loading(folder) => format!("loading the checkpoint in {folder}"),
            Phase::WritingProof { file, bytes } => {
                format!("writing the proof to {file}, {}", units::size(*bytes))
            }
        });
    }

    fn wait(&mut self, message: String) {
        if !self.bar.is_hidden() {
            self.bar.set_message(message);
            self.bar.enable_steady_tick(Duration::from_millis(100));
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
}

impl Observer for Line {
    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Question { player, at_least, known } => {
                self.question = Some(Question { player, at_least, known });
                self.pace = Pace::default();
            }
            Event::Progress(progress) if !self.bar.is_hidden() => {
                self.pace.note(progress.stats.time, progress.decided);
                let forecast = self.pace.forecast(progress.stats.time);
                let message = searching(&self.subject, self.question, &self.part, &progress, forecast);
                self.bar.set_message(message);
                self.bar.disable_steady_tick();
                self.bar.tick();
            }
            Event::Loading => self.wait("loading the checkpoint".to_owned()),
            Event::Saving => self.wait("saving a checkpoint".to_owned()),
            Event::SaveFailed(why) => {
                self.print(&format!("warning: a checkpoint could not be saved: {why}"));
            }
            Event::Proof { positions } => {
                self.wait(format!("walking through the proof, {} positions", units::short(positions)));
            }
            Event::Part { what, done, all } => self.part = format!(", {what} {} of {all}", done + 1),
            _ => {}
        }
    }
}

fn searching(
    subject: &Subject,
    question: Option<Question>,
    part: &str,
    progress: &Progress<'_>,
    forecast: Option<Duration>,
) -> String {
    let (time, nodes, memory) = subject.limits;
    let stats = &progress.stats;
    let speed = (stats.created as f64 / stats.time.as_secs_f64().max(1e-6)) as u64;
    let of = |limit: Option<String>| limit.map_or_else(String::new, |limit| format!(" of {limit}"));
    let share = time.map_or_else(String::new, |time| {
        let share = stats.time.as_secs_f64() / time.as_secs_f64().max(1e-6);
        format!(" ({:.0} %)", 100.0 * share.min(1.0))
    });
    let question = question.filter(|_| subject.detailed);
    let asked = question.map_or_else(String::new, |Question { player, at_least, known: (low, high) }| {
        format!(" (now: {player} >= {at_least}? known: {low} to {high})")
    });
    let solver = progress.solver.split(':').next().unwrap_or_default();
    let by = if solver.is_empty() || !subject.detailed { String::new() } else { format!(" by {solver}") };
    let root = match progress.root {
        RootValue::None => String::new(),
        RootValue::Probability(p) => format!(", estimate {p:.3}"),
        RootValue::ProofNumbers(pn, dn) => format!(", pn {} dn {}", rounded(pn), rounded(dn)),
        RootValue::Work { prove, disprove } => {
            format!(", work {} or {}", rounded(prove), rounded(disprove))
        }
    };
    let decided = match progress.decided {
        (_, 0) => String::new(),
        (done, all) => {
            let rest = forecast.map_or_else(String::new, |rest| format!(", all in ~{}", units::time(rest)));
            format!(", {done} of {all} moves decided{rest}")
        }
    };
    format!(
        "{}{asked}{part}{by}: {}{}{share}, {}{} nodes, {}/s, {}{}{decided}{root}",
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

/// Small numbers of playout rates with two digits, large ones shortened.
fn rounded(number: f64) -> String {
    if number < 10.0 { format!("{number:.2}") } else { units::short(number as u64) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use delphic_engine::Stats;

    fn progress(solver: &str, root: RootValue) -> Progress<'_> {
        let (time, created) = (Duration::from_millis(15_100), 11_677_669);
        let stats = Stats { created, time, peak_bytes: 384 << 20, ..Stats::default() };
        Progress { solver, stats, root, decided: (3, 7) }
    }

    #[test]
    fn the_line_names_question_solver_and_shares_of_the_limits() {
        let limits =
            Limits { time: Some(Duration::from_secs(60)), memory: Some(4 << 30), ..Limits::default() };
        let subject = Subject::of(&Request { limits, ..Request::default() }, "connect4:7x6");
        let question = Some(Question { player: Player::FIRST, at_least: 1, known: (-1, 1) });
        assert_eq!(
            searching(&subject, question, "", &progress("alphabeta:symmetry=on", RootValue::None), None),
            "value of connect4:7x6 (now: first >= 1? known: -1 to 1) by alphabeta: 15.1 s of 1 min 0 s (25 %), \
             11.7 M nodes, 773 k/s, 384.0 MiB of 4.00 GiB, 3 of 7 moves decided"
        );
    }

    #[test]
    fn values_of_the_root_are_rounded() {
        let line = |root| {
            searching(&Subject::default(), None, "", &progress("pp", root), Some(Duration::from_secs(90)))
        };
        assert!(
            line(RootValue::Probability(0.517_879)).ends_with("decided, all in ~1 min 30 s, estimate 0.518")
        );
        assert!(line(RootValue::ProofNumbers(6580.0, 2.0)).ends_with(", pn 6.6 k dn 2.00"));
    }
}
