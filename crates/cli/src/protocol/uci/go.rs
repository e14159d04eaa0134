//! How long to search, and when to stop.

use crate::allowance::Allowance;
use std::io::BufRead;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// A line from the other program. A search that it starts ends when `stop` is raised.
pub(crate) struct Order {
    pub(crate) line: String,
    pub(crate) stop: Arc<AtomicBool>,
}

/// A thread of its own reads the lines, so that `stop` is seen during a search. Every `go` has its own flag, so
/// that a `stop` ends only its own search, however early it comes.
pub(crate) fn orders() -> Receiver<Order> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let mut stdin = std::io::stdin().lock();
        let (mut stop, mut infinite) = (Arc::new(AtomicBool::new(false)), false);
        loop {
            let mut line = Vec::new();
            let ended = !matches!(stdin.read_until(b'\n', &mut line), Ok(1..));
            let line = String::from_utf8_lossy(&line).trim().to_owned();
            let mut words = line.split_whitespace();
            match words.next() {
                Some("go") => {
                    stop = Arc::new(AtomicBool::new(false));
                    infinite = words.any(|word| word == "infinite");
                }
                Some("stop" | "quit") => stop.store(true, Ordering::Relaxed),
                // After the end of the input no `stop` can come, so an infinite search has to end; others end
                // by themselves.
                _ if ended && infinite => stop.store(true, Ordering::Relaxed),
                _ => {}
            }
            if ended || sender.send(Order { line, stop: Arc::clone(&stop) }).is_err() {
                return;
            }
        }
    });
    receiver
}

/// The words after `go`.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Go {
    pub(crate) infinite: bool,
    movetime: Option<u64>,
    nodes: Option<u64>,
    /// The clocks of white and black in milliseconds, and what a move adds.
    clocks: [Option<u64>; 2],
    increments: [u64; 2],
    moves_to_go: Option<u64>,
    /// The time for every move once the clock has run down.
    byo_yomi: u64,
    /// Words that are not understood.
    pub(crate) ignored: Vec<String>,
}

/// Moves for which the time on a clock has to last, unless the protocol says.
const HORIZON: u64 = 25;

impl Go {
    /// Reads the words. The protocol wants unknown words to be ignored; they are kept, to be reported.
    pub(crate) fn parse(rest: &str) -> Go {
        let mut go = Go::default();
        let mut words = rest.split_whitespace().peekable();
        while let Some(word) = words.next() {
            // The time left may be negative.
            let number = words.peek().and_then(|word| word.parse::<i64>().ok());
            let number = number.map(|number| number.max(0).unsigned_abs());
            match (word, number) {
                ("infinite", _) => {
                    go.infinite = true;
                    continue;
                }
                ("movetime", Some(_)) => go.movetime = number,
                ("nodes", Some(nodes)) => go.nodes = Some(nodes.max(1)),
                ("wtime", Some(_)) => go.clocks[0] = number,
                ("btime", Some(_)) => go.clocks[1] = number,
                ("winc", Some(more)) => go.increments[0] = more,
                ("binc", Some(more)) => go.increments[1] = more,
                ("byoyomi", Some(more)) => go.byo_yomi = more,
                ("movestogo", Some(_)) => go.moves_to_go = number,
                _ => {
                    go.ignored.push(word.to_owned());
                    continue;
                }
            }
            words.next();
        }
        go
    }

    /// The limits for the player to move; `usual` if none were given.
    pub(crate) fn allowance(&self, usual: Allowance, white: bool) -> Allowance {
        let side = usize::from(!white);
        let clock = self.clocks[side].map(|left| {
            let share = left / self.moves_to_go.unwrap_or(HORIZON).max(1) + self.increments[side];
            // Not all of it: the answer has to arrive in time.
            share.max(self.byo_yomi).min((left + self.byo_yomi) / 5 * 4)
        });
        let time = self.movetime.or(clock).map(Duration::from_millis);
        if !self.infinite && self.nodes.is_none() && time.is_none() {
            return usual;
        }
        let time = time.filter(|_| !self.infinite);
        Allowance { time, nodes: self.nodes.filter(|_| !self.infinite), iterations: None, ..usual }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const USUAL: Allowance = Allowance {
        time: Some(Duration::from_secs(2)),
        iterations: None,
        nodes: None,
        memory: 1,
        threads: 1,
    };

    fn allowance(rest: &str) -> Allowance {
        Go::parse(rest).allowance(USUAL, false)
    }

    #[test]
    fn limits() {
        let time = |millis| Some(Duration::from_millis(millis));
        assert_eq!(allowance(""), USUAL);
        assert_eq!(allowance("movetime 500"), Allowance { time: time(500), ..USUAL });
        assert_eq!(allowance("nodes 7"), Allowance { time: None, nodes: Some(7), ..USUAL });
        assert_eq!(allowance("infinite"), Allowance { time: None, ..USUAL });
        assert_eq!(
            allowance("wtime 1000 btime 50000 winc 0 binc 100"),
            Allowance { time: time(2100), ..USUAL }
        );
        assert_eq!(allowance("btime 50000 movestogo 10"), Allowance { time: time(5000), ..USUAL });
        assert_eq!(allowance("btime 100 binc 5000"), Allowance { time: time(80), ..USUAL });
        assert_eq!(allowance("btime 0 wtime 0 byoyomi 1000"), Allowance { time: time(800), ..USUAL });
        assert_eq!(allowance("btime -30"), Allowance { time: time(0), ..USUAL });
        for nothing in ["movetime", "movetime soon", "depth 3", "searchmoves a2a3 b2b3", "nodes -"] {
            assert_eq!(allowance(nothing), USUAL, "{nothing}");
        }
        let go = Go::parse("depth 3 movetime 20 mate");
        assert_eq!((go.movetime, go.ignored.join(" ").as_str()), (Some(20), "depth 3 mate"));
    }
}
