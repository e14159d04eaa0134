//! The estimated remaining time of a search that has to decide every move of the root.

use std::time::Duration;

/// The number of decided moves over which the pace is averaged.
const RECENT: usize = 4;

/// The times at which moves of the root were decided.
///
/// The forecast assumes that no move succeeds, so that every move must be decided; a successful move ends the search at once. Open
/// moves are assumed to be as hard as the last few decided ones.
#[derive(Clone, Default)]
pub(super) struct Pace {
    /// For each decided move, the time at which it was first reported.
    decided: Vec<Duration>,
    all: usize,
}

impl Pace {
    /// Records that after `time` this many moves are decided.
    pub(super) fn note(&mut self, time: Duration, (decided, all): (usize, usize)) {
        // The count fell: another search, such as the next member of a portfolio, has begun.
        if all != self.all || decided < self.decided.len() {
            *self = Pace { decided: Vec::new(), all };
        }
        self.decided.resize(decided, time);
    }

    /// The time that the open moves would take at the recent pace, once two moves have been decided at different times.
    pub(super) fn forecast(&self, now: Duration) -> Option<Duration> {
        let from = self.decided.len().saturating_sub(RECENT);
        let recent = &self.decided[from..];
        let (first, last) = (recent.first()?, recent.last()?);
        let steps =
            u32::try_from(recent.iter().filter(|time| *time > first).count()).ok().filter(|&n| n > 0)?;
        // The current move counts too once it takes longer than its predecessors.
        let per_move = ((*last - *first) / steps).max(now.saturating_sub(*last));
        let open = u32::try_from(self.all - self.decided.len()).ok().filter(|&n| n > 0)?;
        Some(per_move * open)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_open_moves_take_as_long_as_the_last_ones() {
        let seconds = Duration::from_secs;
        let mut pace = Pace::default();
        pace.note(seconds(1), (0, 7));
        assert_eq!(pace.forecast(seconds(1)), None);
        for (time, decided) in [(2, 1), (4, 2), (7, 3)] {
            pace.note(seconds(time), (decided, 7));
        }
        // Moves two and three took 2 s and 3 s; four are open.
        assert_eq!(pace.forecast(seconds(8)), Some(seconds(10)));
        assert_eq!(pace.forecast(seconds(17)), Some(seconds(40)), "the fourth takes longer");
        pace.note(seconds(18), (7, 7));
        assert_eq!(pace.forecast(seconds(18)), None, "nothing is open");
        pace.note(seconds(19), (1, 7));
        assert_eq!(pace.forecast(seconds(20)), None, "another search");
    }
}
