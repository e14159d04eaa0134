//! Beyond the papers: one benchmark over ten games for all solvers, with one limit in time.

mod claims;
mod tables;

use super::known as named;
use crate::claim::{Judged, judge};
use crate::report::Block;
use crate::{About, Caps, Cell, Experiment, LabError, Record, Results, Scale, random_position};
use delphic_engine::Ask;

/// The experiment, with the positions that instances are chosen from.
pub(super) struct Benchmark {
    candidates: Vec<Candidate>,
}

/// A position that may become an instance.
struct Candidate {
    /// Its place in [`GAMES`].
    game: usize,
    /// Its number among those of the game, from 0.
    number: usize,
    moves: String,
}

const NAME: &str = "benchmark";

const ABOUT: About = About {
    title: "All solvers on ten games (beyond the papers)",
    paper: "1, 2 and 3: comparisons that they announce as future work, or make on one game.",
    instances: "Positions after random plies from seeds 1, 2, …; the plies (in brackets) take four values in turn: connect4 (10 to 16), domineering:7x7 (4 to 10), clobber:5x5 (4 to 10), nogo:5x5 (6 to 12), hex:5 (2 to 8), y:6 (3 to 9), havannah:4 (10 to 19), breakthrough:5x5 (6 to 15), amazons:5x5 (4 to 10), reversi:6 (16 to 22). `alphabeta` sorts them by the positions it enters: fewer than 100 is trivial and left out; then come \
        four strata up to 1,000, up to 10,000, up to 100,000, and more or not solved. Of each game and stratum the first are taken: 1 at smoke (of 6 seeds), 10 at quick and paper (of 120). A stratum may have fewer.",
    solvers: "Fourteen, by their defaults except for 10 playouts at a leaf: `pns`, `pnt`, `dfpn`, `pp`, `ppt`, `dfpp`, `mcpns`, `ppn`, `ppnt`, `dfppn`, `ews`, `uct`, `alphabeta`, `auto`; one thread, seed 1. `auto` is a portfolio and contains some of the others.",
    limits: "Processor time (of `auto`, whose members have threads of their own, wall-clock time): 0.1 s at smoke, 0.3 s at quick, 60 s at paper; 1 GiB.",
    counted: "Whether the side to move wins, answered by proof within the limit; in Connect Four and Reversi also the value of the position, by a second question. PAR2 is the mean time, where a position that is not solved counts twice the limit. The virtual best solver takes the fastest of all on each position. Pairs of solvers are compared by McNemar's exact test on positions that only one of them solves, and by the \
        exact signed-rank test of Wilcoxon on the logarithms of times, where a position that is not solved counts twice the limit; both corrected by Holm for the number of pairs in the table.",
    deviations: &[
        "The plies were chosen by how `alphabeta` sorts the positions, before any other solver was run.",
        "At first quick had 2 positions of each stratum, then 5, which left pairs undecided; 10, the number of scale paper, are shown, added after the rows of the first 5 had been seen.",
        "Difficulty is that for `alphabeta`, so three of the four strata consist of positions that it solves, and most of the fourth of positions that it does not: its own share is not comparable with the others'.",
        "`auto` is limited by wall-clock time, so other programs on the machine cost it proofs.",
        "Solvers with a table treat symmetric positions as one where that is their default; `alphabeta` and `auto` use what the games offer about positions whose result is already certain.",
    ],
    algorithms: &[],
};

/// The games: name on the page, spec, and the fewest random plies with the step to the next of four numbers.
const GAMES: [(&str, &str, [usize; 2]); 10] = [
    ("Connect Four", "connect4", [10, 2]),
    ("Domineering 7×7", "domineering:7x7", [4, 2]),
    ("Clobber 5×5", "clobber:5x5", [4, 2]),
    ("NoGo 5×5", "nogo:5x5", [6, 2]),
    ("Hex 5×5", "hex:5", [2, 2]),
    ("Y, side 6", "y:6", [3, 2]),
    ("Havannah, side 4", "havannah:4", [10, 3]),
    ("Breakthrough 5×5", "breakthrough:5x5", [6, 3]),
    ("Amazons 5×5", "amazons:5x5", [4, 2]),
    ("Reversi 6×6", "reversi:6", [16, 2]),
];

const SOLVERS: [&str; 14] = [
    "pns",
    "pnt",
    "dfpn",
    "pp",
    "ppt",
    "dfpp",
    "mcpns:playouts=10",
    "ppn:playouts=10",
    "ppnt:playouts=10",
    "dfppn:playouts=10",
    "ews",
    "uct:playouts=10",
    REFERENCE,
    "auto",
];

/// The solver that sorts positions by difficulty.
const REFERENCE: &str = "alphabeta";

/// The upper ends of the strata, in positions that the reference enters; the first is trivial.
const STRATA: [u64; 4] = [100, 1_000, 10_000, 100_000];

/// The name of a solver on the page.
fn short_name(solver: &str) -> &str {
    solver.split(':').next().unwrap_or(solver)
}

fn millis(scale: Scale) -> u64 {
    scale.pick(100, 300, 60_000)
}

/// The limit in seconds.
fn limit(scale: Scale) -> f64 {
    millis(scale) as f64 / 1000.0
}

fn cell(position: &Candidate, solver: &str, scale: Scale) -> Cell {
    let caps = Caps { millis: Some(millis(scale)), ..Caps::default() }.bytes(1 << 30);
    Cell::solve(NAME, GAMES[position.game].1, &position.moves, named(solver), caps)
}

/// Games with draws, and the solvers that are asked for the value of their positions: win, draw or loss, by two yes-no questions.
const DRAWN: [&str; 2] = ["connect4", "reversi:6"];
const VALUED: [&str; 7] = ["pns", "pnt", "dfpn", "pp", "ppt", "dfpp", REFERENCE];

/// Whether the side to move gets at least a draw.
fn draw(position: &Candidate, solver: &str, scale: Scale) -> Cell {
    cell(position, solver, scale).asking(Ask::Draw)
}

/// The stratum of a position, from 1 on; 0 is trivial.
fn stratum(record: &Record) -> usize {
    let solved = record.verdict.proven();
    let harder = |end: &&u64| !solved || record.stats.visited.max(record.stats.created) >= **end;
    STRATA.iter().take_while(harder).count()
}

impl Benchmark {
    /// Draws the candidates.
    pub(super) fn new() -> Result<Benchmark, LabError> {
        let mut candidates = Vec::new();
        for (game, (_, spec, [fewest, step])) in GAMES.iter().enumerate() {
            for number in 0..drawn(Scale::Paper) {
                let moves = random_position(spec, fewest + step * (number % 4), number as u64 + 1)?;
                candidates.push(Candidate { game, number, moves });
            }
        }
        Ok(Benchmark { candidates })
    }

    fn drawn(&self, scale: Scale) -> impl Iterator<Item = &Candidate> {
        self.candidates.iter().filter(move |one| one.number < drawn(scale))
    }

    /// The instances of games that can be drawn.
    fn with_draws(&self, scale: Scale, known: &Results) -> Vec<(&Candidate, usize)> {
        let mut all = self.instances(scale, known);
        all.retain(|(candidate, _)| DRAWN.contains(&GAMES[candidate.game].1));
        all
    }

    /// The instances with their strata, as far as the reference has looked at the candidates.
    fn instances(&self, scale: Scale, known: &Results) -> Vec<(&Candidate, usize)> {
        let mut taken = [[0; STRATA.len() + 1]; GAMES.len()];
        let mut instances = Vec::new();
        for candidate in self.drawn(scale) {
            let Some(record) = known.get(&cell(candidate, REFERENCE, scale)) else { continue };
            let stratum = stratum(record);
            let count = &mut taken[candidate.game][stratum];
            if stratum > 0 && *count < scale.pick(1, 10, 10) {
                *count += 1;
                instances.push((candidate, stratum));
            }
        }
        instances
    }
}

/// Candidates of each game.
fn drawn(scale: Scale) -> usize {
    scale.pick(6, 120, 120)
}

impl Experiment for Benchmark {
    fn name(&self) -> &'static str {
        NAME
    }

    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn claims(&self, scale: Scale, known: &Results) -> Vec<Judged> {
        judge(&claims::CLAIMS, self, scale, known)
    }

    fn cells(&self, scale: Scale, known: &Results) -> Vec<Cell> {
        let mut cells: Vec<Cell> = self.drawn(scale).map(|one| cell(one, REFERENCE, scale)).collect();
        // The instances are known once all candidates have been sorted.
        if cells.iter().all(|cell| known.get(cell).is_some()) {
            // The first of every game and stratum come first, so that a run that is stopped has games in equal parts.
            let mut instances = self.instances(scale, known);
            let mut seen = [[0; STRATA.len() + 1]; GAMES.len()];
            instances.sort_by_cached_key(|(candidate, stratum)| {
                let count = &mut seen[candidate.game][*stratum];
                *count += 1;
                *count
            });
            for (candidate, _) in instances {
                cells.extend(SOLVERS.map(|solver| cell(candidate, solver, scale)));
            }
            for (candidate, _) in self.with_draws(scale, known) {
                cells.extend(VALUED.map(|solver| draw(candidate, solver, scale)));
            }
        }
        cells
    }

    fn report(&self, scale: Scale, known: &Results) -> Vec<Block> {
        tables::blocks(self, scale, known)
    }
}
