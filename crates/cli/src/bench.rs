//! `delphic bench [TOPIC]`: speeds on this machine, and the cost of generic code. One file per topic.
//!
//! Machines differ and are noisy, so only ratios measured in one run are meaningful: the rounds of the two programs
//! alternate, and each keeps its best time.

mod cpu;
mod games;
mod kernel;
mod peers;
mod players;
mod solvers;
mod threads;

use crate::Failure;
use crate::args::{Bench, Topic};
use std::time::Duration;

pub(crate) fn run(options: &Bench) -> Result<u8, Failure> {
    match options.topic {
        Topic::Kernel => kernel::run(options)?,
        Topic::Games => games::run(options)?,
        Topic::Peers => peers::run(options)?,
        Topic::Players => players::run(options)?,
        Topic::Solvers => solvers::run(options)?,
        Topic::Threads => threads::run(options)?,
    }
    Ok(0)
}

/// The CPU time of `work`.
fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let before = cpu::own();
    let result = work();
    (result, cpu::own().saturating_sub(before))
}
