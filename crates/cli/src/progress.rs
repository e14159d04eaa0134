//! The live line on standard error.

use crate::units;
use delphic_engine::{Event, Observer, Progress, RootValue, Stats};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Shows elapsed time, nodes, speed, the root's value and memory while a search runs. Nothing where nobody would see it.
pub(crate) struct Line(ProgressBar);

impl Line {
    pub(crate) fn new(quiet: bool) -> Line {
        // indicatif draws nothing when standard error is not a terminal.
        let target = if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(None, target);
        if let Ok(style) = ProgressStyle::with_template("{spinner} {wide_msg}") {
            bar.set_style(style);
        }
        Line(bar)
    }

    pub(crate) fn clear(&self) {
        self.0.finish_and_clear();
    }
}

impl Observer for Line {
    fn event(&mut self, event: Event<'_>) {
        let Event::Progress(Progress { stats, root, .. }) = event else { return };
        if self.0.is_hidden() {
            return;
        }
        self.0.set_message(line(&stats, root));
        self.0.tick();
    }
}

fn line(stats: &Stats, root: RootValue) -> String {
    let speed = (stats.created as f64 / stats.time.as_secs_f64().max(1e-6)) as u64;
    let root = match root {
        RootValue::None => String::new(),
        RootValue::Probability(p) => format!(", root p = {p:.6}"),
        RootValue::ProofNumbers(pn, dn) => format!(", root pn = {pn:.6} dn = {dn:.6}"),
        RootValue::Work { prove, disprove } => format!(", expected work {prove:.0} or {disprove:.0}"),
    };
    format!(
        "{}, {} nodes, {} nodes/s{root}, {}",
        units::time(stats.time),
        units::grouped(stats.created),
        units::grouped(speed),
        units::size(stats.peak_bytes)
    )
}
