//! Time management: the time for a move when there is a clock.

use std::time::Duration;

/// The number of moves over which the main time is spread.
const HORIZON: f64 = 25.0;
/// The share of the time that is used; the rest is a margin for the answer to arrive.
const CAUTION: f64 = 0.95;

/// The time of one side, in seconds: `main` for the whole game, and then `period` for every `stones` moves.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Clock {
    pub(crate) main: f64,
    pub(crate) period: f64,
    pub(crate) stones: u32,
}

impl Clock {
    /// The time for the next move.
    pub(crate) fn share(self) -> Duration {
        let in_period = if self.stones > 0 { self.period / f64::from(self.stones) } else { 0.0 };
        // If the main time ends during a move, the first period is still complete.
        let seconds = (self.main / HORIZON).max(in_period);
        Duration::try_from_secs_f64(seconds * CAUTION).unwrap_or(Duration::MAX)
    }

    /// The clock after a move that took this time.
    pub(crate) fn after(self, spent: Duration) -> Clock {
        Clock { main: (self.main - spent.as_secs_f64()).max(0.0), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_shared_out() {
        let clock = Clock { main: 500.0, period: 30.0, stones: 3 };
        assert_eq!(clock.share(), Duration::from_secs_f64(19.0));
        assert_eq!(clock.after(Duration::from_secs(600)).share(), Duration::from_secs_f64(9.5));
        assert_eq!(Clock { main: 0.0, period: 0.0, stones: 0 }.share(), Duration::ZERO);
        assert_eq!(Clock { main: f64::MAX, period: 0.0, stones: 0 }.share(), Duration::MAX);
    }
}
