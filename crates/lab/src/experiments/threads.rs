//! Beyond the papers: several workers on one search, in turns and on threads, beside the published figures.

mod claims;
mod tables;

use super::known as named;
use crate::claim::{Judged, judge};
use crate::report::Block;
use crate::{About, Caps, Cell, Crew, Experiment, Record, Results, Scale};
use delphic_engine::{Spread, VirtualValue};

/// The experiment.
pub(super) struct Threads;

const NAME: &str = "threads";

const ABOUT: About = About {
    title: "Several workers on one search (beyond the papers)",
    paper: "T: Kaneko (AAAI 2010); Pawlewicz and Hayward, SPDFPN (CG 2013); Čížek, Balko and Schmid, PNS-PDFPN (2025). Their figures are for other games and machines.",
    instances: "Ten problems from six games, five won and five lost by the side to move, in three sizes: one for each scale. All but one are empty boards.",
    solvers: "`dfpn`, `dfpp` or `alphabeta`; all workers on one table, default options. Beside them, at sixteen workers, `--spread both` (workers spread everywhere, as in the published programs) and, for `dfpn`, `--virtual-value add` (Kaneko's form).",
    limits: "2 GiB. Workers in turns: 1, 4 and 16 at smoke, 1 to 64 at quick and paper. Threads: 1, 2, 4, … up to the cores of the machine. A problem may take 2 s at smoke, 10 min at quick, 3 h at paper.",
    counted: "Efficiency of N workers in turns: nodes expanded by one, divided by the nodes that all N expand together. These are counts, the same on every machine. Threads: wall-clock time of one divided by that of N; comparable only if nothing else runs, so use `delphic lab run threads --threads 1` on a quiet machine.",
    deviations: &[
        "The published efficiencies are speed-ups in time divided by threads, so they contain the cost of locks and of memory; workers in turns show the search overhead alone.",
        "SPDFPN was measured on Hex positions of hours, PNS-PDFPN on Sprouts; ours are shorter, and short problems have less to share out.",
        "Rulings made more cautious after rows had been seen: below scale paper a published figure or an aim that is not reached is undecided, where it was a contradiction at first; and spreading is compared by an interval, where the plain means decided at first.",
        "The times of one and two threads at scale paper were taken a second time, alone on the machine and by a later program, after the first had been seen: their geometric mean was 1.52 and the least ratio 0.76, on Clobber 4x7. A single pair of times depends on which order of moves is lucky.",
    ],
    algorithms: &[],
};

/// A problem in three sizes.
struct Problem {
    name: &'static str,
    /// Smoke, quick and paper.
    sizes: [ThreadProblem; 3],
}

const fn problem(name: &'static str, sizes: [ThreadProblem; 3]) -> Problem {
    Problem { name, sizes }
}

const fn size(solver: &'static str, game: &'static str, position: &'static str) -> ThreadProblem {
    ThreadProblem { game, position, solver, mirrored: None }
}

/// The first five are won by the side to move, the others lost. Those of the last column take 20 s or more with one thread.
#[rustfmt::skip]
const PROBLEMS: [Problem; 10] = [
    problem("Domineering, won", [size("dfpp", "domineering:6x6", ""), size("dfpp", "domineering:8x6", ""), size("alphabeta", "domineering:6x6,misere", "")]),
    problem("Clobber, won", [size("dfpp", "clobber:3x5", "").as_well_as("clobber:5x3", ""), size("dfpp", "clobber:4x5", ""), size("dfpp", "clobber:4x7", "").as_well_as("clobber:7x4", "")]),
    problem("NoGo, won", [size("dfpp", "nogo:2x5", ""), size("dfpp", "nogo:3x5", ""), size("dfpp", "nogo:4x5", "").as_well_as("nogo:5x4", "")]),
    problem("Hex, won", [size("dfpn", "hex:4", ""), size("dfpn", "hex:6", ""), size("dfpn", "hex:7", "d4,e3").as_well_as("hex:7", "d4,c5")]),
    problem("Breakthrough, won", [size("dfpn", "breakthrough:6x2", ""), size("dfpn", "breakthrough:6x3", ""), size("dfpn", "breakthrough:6x4", "b2-b3,b5-b4").as_well_as("breakthrough:6x4", "c2-c3,c5-c4")]),
    problem("Domineering, lost", [size("dfpp", "domineering:5x5", ""), size("dfpp", "domineering:6x8", ""), size("dfpp", "domineering:7x9", "")]),
    problem("Clobber, lost", [size("dfpp", "clobber:3x4", ""), size("dfpp", "clobber:3x6", ""), size("dfpp", "clobber:2x15", "").as_well_as("clobber:15x2", "")]),
    problem("NoGo, lost", [size("dfpp", "nogo:3x4", ""), size("dfpp", "nogo:4x4", ""), size("dfpp", "nogo:2x10", "").as_well_as("nogo:10x2", "")]),
    problem("Connect Four, lost", [size("alphabeta", "connect4:4x4", ""), size("alphabeta", "connect4:6x5", ""), size("alphabeta", "connect4:7x6", "3")]),
    problem("Breakthrough, lost", [size("dfpn", "breakthrough:5x3", ""), size("dfpn", "breakthrough:5x4", ""), size("dfpn", "breakthrough:6x4", "b2-b3").as_well_as("breakthrough:6x4", "c2-c3")]),
];

/// A problem for several workers: whether the side to move wins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ThreadProblem {
    /// The game's spec.
    pub game: &'static str,
    /// The position, as moves; empty for the start.
    pub position: &'static str,
    /// The solver.
    pub solver: &'static str,
    /// Its mirror image, if that is another position: the same problem with the moves in another order. One thread may be lucky with the
    /// order: on hex:7 after d4,c4 it expands 100 thousand nodes, and 409 thousand after d4,e4.
    mirrored: Option<(&'static str, &'static str)>,
}

impl ThreadProblem {
    const fn as_well_as(mut self, game: &'static str, position: &'static str) -> ThreadProblem {
        self.mirrored = Some((game, position));
        self
    }

    /// The games and positions to solve, one or two.
    pub fn images(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        std::iter::once((self.game, self.position)).chain(self.mirrored)
    }
}

/// The ten problems of the experiment in the size of a scale.
pub fn thread_problems(scale: Scale) -> impl Iterator<Item = ThreadProblem> {
    PROBLEMS.iter().map(move |problem| problem.at(scale))
}

/// Numbers of workers in turns.
fn workers(scale: Scale) -> &'static [usize] {
    scale.pick(&[1, 4, 16], &[1, 2, 4, 8, 16, 32, 64], &[1, 2, 4, 8, 16, 32, 64])
}

/// Numbers of threads: powers of two up to the cores of this machine.
fn threads(scale: Scale) -> Vec<usize> {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let most = scale.pick(2, cores, cores).min(cores);
    std::iter::successors(Some(1), |count| Some(count * 2)).take_while(|&count| count <= most).collect()
}

impl Problem {
    fn at(&self, scale: Scale) -> ThreadProblem {
        let [smoke, quick, paper] = self.sizes;
        scale.pick(smoke, quick, paper)
    }

    fn cell(&self, crew: Crew, scale: Scale) -> Cell {
        let ThreadProblem { game, position, solver, .. } = self.at(scale);
        let caps = Caps::default().seconds(scale.pick(2, 600, 10_800)).bytes(2 << 30);
        Cell::together(NAME, game, position, (named(solver), crew), caps)
    }

    /// The ways of sixteen workers that are compared with the default.
    fn variants(&self, scale: Scale) -> Vec<Crew> {
        let everywhere = Crew::Lockstep(16, Spread::Both, VirtualValue::default());
        let added = Crew::Lockstep(16, Spread::default(), VirtualValue::Add);
        if self.at(scale).solver == "dfpn" { vec![everywhere, added] } else { vec![everywhere] }
    }

    /// The row of a search that was solved.
    fn solved<'r>(&self, crew: Crew, scale: Scale, known: &'r Results) -> Option<&'r Record> {
        known.get(&self.cell(crew, scale)).filter(|record| record.verdict.proven())
    }

    /// The nodes that one worker expands, divided by those of this crew.
    fn efficiency(&self, crew: Crew, scale: Scale, known: &Results) -> Option<f64> {
        let expanded =
            |crew| self.solved(crew, scale, known).map(|record| record.stats.expanded.max(1) as f64);
        Some(expanded(Crew::lockstep(1))? / expanded(crew)?)
    }

    /// The wall-clock time of one thread, divided by that of several.
    fn speed_up(&self, threads: usize, scale: Scale, known: &Results) -> Option<f64> {
        let seconds = |threads| self.solved(Crew::Threads(threads), scale, known).map(Record::seconds);
        Some(seconds(1)? / seconds(threads)?.max(1e-6))
    }
}

/// The geometric mean; nothing if there are no values.
fn geometric_mean(values: &[f64]) -> Option<f64> {
    let sum: f64 = values.iter().map(|value| value.ln()).sum();
    (!values.is_empty()).then(|| (sum / values.len() as f64).exp())
}

impl Experiment for Threads {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn claims(&self, scale: Scale, known: &Results) -> Vec<Judged> {
        judge(&claims::CLAIMS, self, scale, known)
    }

    fn cells(&self, scale: Scale, _: &Results) -> Vec<Cell> {
        let mut cells = Vec::new();
        // First the searches whose time is measured, so that the machine need be quiet only until they are done.
        for problem in &PROBLEMS {
            cells.extend(threads(scale).into_iter().map(|count| problem.cell(Crew::Threads(count), scale)));
        }
        for problem in &PROBLEMS {
            cells.extend(workers(scale).iter().map(|&count| problem.cell(Crew::lockstep(count), scale)));
            cells.extend(problem.variants(scale).into_iter().map(|crew| problem.cell(crew, scale)));
        }
        cells
    }

    fn report(&self, scale: Scale, known: &Results) -> Vec<Block> {
        tables::blocks(scale, known)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_are_geometric() {
        assert_eq!(geometric_mean(&[]), None);
        assert!((geometric_mean(&[0.5, 2.0, 1.0]).unwrap() - 1.0).abs() < 1e-12);
    }
}
