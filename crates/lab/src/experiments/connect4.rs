//! Paper 1: PPN on random Connect Four positions, prolonged search, the precision rate and the false conclusions it causes.

mod claims;
mod concluded;
mod doubles;
mod plies;
mod roots;
mod tables;

pub use doubles::Doubles;
pub use plies::{Counted, Simulated};

use super::known as named;
use crate::claim::{Judged, judge};
use crate::report::Block;
use crate::{
    About, Algorithm, Caps, Cell, Experiment, LabError, Mark, Results, Scale, Verdict, random_position,
};
use delphic_engine::{InputError, game};
use delphic_game::{Force, Game, read_moves};
use delphic_search::GameProblem;

/// The experiment, with its positions.
pub(super) struct Connect4 {
    positions: Vec<Position>,
}

/// A position as a list of moves, and whether the side to move wins with its next move.
struct Position {
    moves: String,
    won_at_once: bool,
}

/// Whether the player to move wins after these moves, as a problem for a search that is not one of the engine's.
fn problem<'g>(
    game: &'g delphic_games::Connect4,
    moves: &str,
) -> Result<GameProblem<'g, delphic_games::Connect4>, LabError> {
    let mut state = game.start();
    for mv in read_moves(game, &state, moves).map_err(InputError::from)? {
        game.play(&mut state, mv);
    }
    let question = Force { player: game.turn(&state), at_least: 1 };
    Ok(GameProblem::new(game, question, state))
}

const NAME: &str = "connect4";

const ABOUT: About = About {
    title: "The nature of probability-based proof-number search, on Connect Four (paper 1)",
    paper: "1: Primanita and Iida, Nature of Probability-Based Proof Number Search, figures 3 to 7 and table 1.",
    instances: "Positions after 12 random plies from seeds 1, 2, …; games that are over by then are discarded. 20 positions at smoke, the paper's 200 at quick and paper. In 64 of the 200 (24 of the first 60) the side to move wins with its next move; these are easy for every solver and are reported apart. \
        Prolonged searches: the first positions that are not won at once, 6 at smoke, 32 at quick, all at paper. Calibration: those of 400 positions that are not won at once.",
    solvers: "`pns`, `mcpns:playouts=60` (its default θ = 0.01: a leaf's pn and dn are at least θ; the paper gives θ to PPN only, so `theta=0` is shown beside it), `ppn:playouts=60,theta=0.01`; θ × precision rate as in the paper, and \
        rates above θ; then solvers the paper lacked: `pnt`, `dfpn`, `ppt`, `dfpp`, `ppnt`, `dfppn`, `ews`, `alphabeta`, `auto`. Exact values are those of `auto`. Ties go to the first of equal children.",
    limits: "The paper's 35,000,000 nodes, and where a leaf costs 60 playouts 3,350,000: its program made 7,979 nodes a second (table 1) and had 420 s. That is scale paper; quick has a hundredth of both, smoke a 400th. PPN and MCPNS also \
        by processor time (1 s at quick, 420 s at paper) and by simulated plies, the moves of their random games: 25,000,000 at quick, 2,500,000,000 at paper, about what PPN makes within its nodes. Prolonged searches have 500,000 nodes at quick, 3,350,000 at paper. `pns` also has the paper's 35,000,000 nodes at quick. `auto` has no limit.",
    counted: "Solved: the first player, to move, wins. Unsolved: the first player does not win; a draw counts as unsolved. Out of bounds: a limit came first. Concluded: solved or unsolved. Nodes are created nodes, means over all positions, those out of \
        bounds included. `alphabeta` counts only the positions it enters, the others all children they make. Seeds: 1; for PPN and MCPNS five at quick (first 60 positions) and paper.",
    deviations: &[
        "Limits of nodes replace limits of time, so that the same command gives the same numbers everywhere. The paper's PPN and MCPNS were stopped by the clock, and it does not report how many nodes its MCPNS made in a second; here both get the same number of nodes, which favours MCPNS, \
         whose nodes cost more. In both of the paper's examples of prolonged search MCPNS needs fewer nodes than PPN: 1,114,283 against 2,295,856 and 1,567 against 661,783.",
        "A conclusion by precision rate is an estimate here, never a proof, and is compared with the exact value. The paper's Algorithm 2 prints the loop test the wrong way round.",
        "\"60 simulated moves\" is read as 60 playouts.",
        "The two traced positions are those that took PPN the most nodes to prove, one of each answer. The paper took those where PPN was furthest behind PNS in time; here PPN creates fewer nodes than PNS where both prove.",
        "Our kernel keeps exact verdicts apart from the probabilities. `ppn-on-doubles` is the printed algorithm, where a node is one 64-bit float and the search ends when the root reads exactly 0 or 1; verdicts are only noted there.",
        "Equal work is tested by the clock, as in the paper, and by simulated plies, which repeat exactly. Those searches (`ppn-by-plies`, `mcpns-by-plies`) are the same searches with the same random numbers; only the plies of their random games are counted.",
        "The paper reports 80 positions for MCPNS in its first experiment and 82 where it compares with the second.",
        "MCPNS: a leaf that won all its playouts has pn = θ and dn = 1; the form that mirrors PPN would have dn = 1 − θ. The paper calls MCPNS integer-based; its proof numbers, and ours, are real numbers.",
        "Positions were added after rows had been seen, because the first did not decide: from 60 to 200 for precision rates and for equal time, from 20 to 32 for prolonged searches, and positions 201 to 400 for the calibration.",
        "Rulings made more cautious after rows had been seen: that no estimate is false confirms the paper only if the interval of the share ends below 5 %; one of five fifths outside its interval leaves the calibration undecided; a rate that saves nothing leaves table 1 undecided; and \"half-way\" is 25 % to 75 %, where anything before 90 % counted at first.",
    ],
    algorithms: &[
        Algorithm {
            name: "PNS",
            mark: Mark::Choices,
            words: "The paper does not say which of equal children is followed; ours is the first.",
        },
        Algorithm {
            name: "MCPNS",
            mark: Mark::Choices,
            words: "Leaves have pn = max(1 − R, θ) and dn = max(R, θ), where R is the share of playouts won. The paper gives θ to PPN only, so θ = 0 is shown beside it.",
        },
        Algorithm {
            name: "PPN (algorithm 1)",
            mark: Mark::AsPrinted,
            words: "θ only where all playouts agree; children that end the game are recognised before playouts.",
        },
        Algorithm {
            name: "PPN with precision rate (algorithm 2)",
            mark: Mark::Differs,
            words: "The printed test of the loop is inverted; ours is what the text means. The result is an estimate.",
        },
    ],
};

/// A solver of figure 3.
struct Tried {
    label: &'static str,
    solver: &'static str,
    /// How many of 200 positions it concluded in the paper.
    paper: Option<f64>,
    /// Whether it draws random numbers.
    random: bool,
}

/// The paper's three, and MCPNS with the printed formulas.
const TRIED: [Tried; 4] = [
    Tried { label: "PNS", solver: "pns", paper: Some(122.0), random: false },
    Tried { label: "MCPNS", solver: "mcpns:playouts=60", paper: Some(80.0), random: true },
    Tried { label: "PPN", solver: PPN, paper: Some(102.0), random: true },
    Tried { label: "MCPNS, θ = 0", solver: "mcpns:playouts=60,theta=0", paper: None, random: true },
];
const PNS: usize = 0;
const MCPNS: usize = 1;
const PPN_ROW: usize = 2;

const PPN: &str = "ppn:playouts=60,theta=0.01";

/// The same search, remembering when its root first reads 0.000000 or 1.000000 in six digits.
const WATCHED: &str = "ppn:playouts=60,theta=0.01,precision=0.0000005,stop=off";

/// PPN as printed, on plain floats.
const DOUBLES: Doubles = Doubles { playouts: 60, theta: 0.01 };

/// Created nodes after which the root's number is compared with the answer.
const CALIBRATED: [u64; 3] = [100, 1_000, 10_000];

/// The paper's number of positions.
const THEIR_POSITIONS: f64 = 200.0;

/// The positions that are drawn.
const POSITIONS: u64 = 400;

/// A row of table 1: θ, precision rate, average nodes and seconds.
struct Setting {
    theta: &'static str,
    rate: &'static str,
    paper: Option<(f64, f64)>,
}

const fn setting(theta: &'static str, rate: &'static str, nodes: f64, seconds: f64) -> Setting {
    Setting { theta, rate, paper: Some((nodes, seconds)) }
}

/// Table 1, and two rates above θ, of which the paper says that they give false conclusions.
const GRID: [Setting; 9] = [
    setting("0.01", "0", 2_004_052.895, 251.180_925),
    setting("0.01", "0.001", 1_323_718.975, 183.256_315),
    setting("0.01", "0.0001", 1_582_187.985, 214.633_64),
    setting("0.01", "0.00001", 1_667_750.875, 226.707_205),
    setting("0.001", "0.001", 1_269_587.96, 174.907_36),
    setting("0.001", "0.0001", 1_614_710.08, 217.987_025),
    setting("0.001", "0.00001", 1_638_641.2, 229.079_37),
    Setting { theta: "0.01", rate: "0.1", paper: None },
    Setting { theta: "0.001", rate: "0.01", paper: None },
];

impl Setting {
    fn solver(&self) -> String {
        format!("ppn:playouts=60,theta={},precision={}", self.theta, self.rate)
    }

    /// Whether the rate is coarser than θ.
    fn above_theta(&self) -> bool {
        self.rate.parse::<f64>().unwrap_or(0.0) > self.theta.parse::<f64>().unwrap_or(0.0)
    }
}

const LACKED: [&str; 8] =
    ["pnt", "dfpn", "ppt", "dfpp", "ppnt:playouts=60", "dfppn:playouts=60", "ews", "alphabeta"];

/// Points on the curve of a root.
const TRACE: u32 = 16;

fn cell(position: &Position, solver: &str, scale: Scale) -> Cell {
    let nodes: u64 = if solver.contains("playouts=60") { 3_350_000 } else { 35_000_000 };
    let caps = Caps::nodes(nodes / scale.pick(400, 100, 1)).bytes(4 << 30);
    Cell::solve(NAME, NAME, &position.moves, named(solver), caps)
}

/// A search that the clock stops, as in the paper.
fn by_clock(position: &Position, solver: &str, scale: Scale) -> Cell {
    let caps = Caps::default().seconds(scale.pick(1, 1, 420)).bytes(4 << 30);
    Cell::solve(NAME, NAME, &position.moves, named(solver), caps)
}

/// The searches that are limited by simulated plies, in the order of the table.
const COUNTED: [(&str, Counted); 3] = [
    ("MCPNS", Counted { search: Simulated::Mcpns, playouts: 60, theta: 0.01 }),
    ("PPN", Counted { search: Simulated::Ppn, playouts: 60, theta: 0.01 }),
    ("MCPNS, θ = 0", Counted { search: Simulated::Mcpns, playouts: 60, theta: 0.0 }),
];

/// The limit of simulated plies.
fn most_plies(scale: Scale) -> u64 {
    scale.pick(250_000, 25_000_000, 2_500_000_000)
}

/// A search with a limit on the plies of its random games.
fn by_plies(position: &Position, solver: Counted, scale: Scale) -> Cell {
    let caps = Caps { plies: Some(most_plies(scale)), ..Caps::default() }.bytes(4 << 30);
    Cell::counted(NAME, NAME, &position.moves, solver, caps)
}

/// PNS with the paper's own limit, which is one of nodes.
fn paper_limit(position: &Position) -> Cell {
    cell(position, TRIED[PNS].solver, Scale::Paper)
}

/// What PNS concludes with the paper's limit.
struct PaperLimit {
    all: usize,
    tried: usize,
    concluded: usize,
}

impl PaperLimit {
    /// Whether every position has been tried.
    fn is_complete(&self) -> bool {
        self.tried == self.all
    }

    fn in_words(&self) -> String {
        format!(
            "With the paper's own limit of 35,000,000 nodes PNS concludes {} of the {} positions that have been tried; in the paper 122 of 200.",
            self.concluded, self.tried
        )
    }
}

/// The limits of the searches that are watched for prolongation.
fn long(scale: Scale) -> Caps {
    Caps::nodes(scale.pick(8_000, 500_000, 3_350_000)).bytes(4 << 30)
}

/// PPN with exact verdicts, watched.
fn watched(position: &Position, scale: Scale) -> Cell {
    Cell::solve(NAME, NAME, &position.moves, named(WATCHED), long(scale))
}

/// PPN on plain floats.
fn on_doubles(position: &Position, scale: Scale) -> Cell {
    Cell::doubles(NAME, NAME, &position.moves, DOUBLES, long(scale))
}

/// PPN cut off early.
fn early(position: &Position, nodes: u64) -> Cell {
    Cell::solve(NAME, NAME, &position.moves, named(PPN), Caps::nodes(nodes).bytes(4 << 30))
}

fn exact(position: &Position) -> Cell {
    Cell::solve(NAME, NAME, &position.moves, named("auto"), Caps::default().bytes(1 << 30))
}

/// Seeds of the solvers that draw random numbers.
fn seeds(scale: Scale) -> std::ops::RangeInclusive<u64> {
    1..=scale.pick(1, 5, 5)
}

/// The cells of a curve: one search, cut off at growing numbers of nodes.
fn trace(position: &Position, nodes: u64) -> Vec<Cell> {
    let cut = |nth: u32| (nodes as f64 * 1.3f64.powi(nth as i32 + 1 - TRACE as i32)) as u64;
    let cell = |nth| {
        let caps = Caps::nodes(cut(nth).max(1)).bytes(4 << 30);
        Cell::solve(NAME, NAME, &position.moves, named(PPN), caps)
    };
    (0..TRACE).map(cell).collect()
}

impl Connect4 {
    /// Draws the positions.
    pub(super) fn new() -> Result<Connect4, LabError> {
        let rules = game(NAME)?;
        let draw = |seed| {
            let moves = random_position(NAME, 12, seed)?;
            let at = rules.position(Some(&moves), None)?;
            // After 13 plies the board is not full, so a game that is over is won.
            let won_at_once = (0..at.moves().len()).any(|nth| at.after(nth).is_over());
            Ok(Position { moves, won_at_once })
        };
        let positions: Result<Vec<Position>, LabError> = (1..=POSITIONS).map(draw).collect();
        Ok(Connect4 { positions: positions? })
    }

    /// The positions for the paper's three solvers.
    fn all(&self, scale: Scale) -> &[Position] {
        &self.positions[..scale.pick(20, 200, 200)]
    }

    /// The first of them, for the solvers that draw random numbers, with several seeds.
    fn reseeded(&self, scale: Scale) -> &[Position] {
        &self.positions[..scale.pick(20, 60, 200)]
    }

    /// The paper's positions and as many again, for the calibration of the root.
    fn calibrated(&self, scale: Scale) -> &[Position] {
        &self.positions[..scale.pick(20, 400, 400)]
    }

    /// The positions that are tried with a limit of simulated plies.
    fn by_work(&self, scale: Scale) -> &[Position] {
        &self.positions[..scale.pick(4, 200, 200)]
    }

    /// Those that all searches have tried.
    fn counted(&self, scale: Scale, known: &Results) -> Vec<&Position> {
        let tried = |position: &&Position| {
            COUNTED.iter().all(|(_, solver)| known.get(&by_plies(position, *solver, scale)).is_some())
        };
        self.by_work(scale).iter().filter(tried).collect()
    }

    /// The positions that PNS leaves open with the limit of this scale.
    fn open(&self, scale: Scale, known: &Results) -> impl Iterator<Item = &Position> {
        let open = move |position: &&Position| {
            let record = known.get(&cell(position, TRIED[PNS].solver, scale));
            record.is_some_and(|record| !record.verdict.proven())
        };
        self.all(scale).iter().filter(open)
    }

    /// PNS with the paper's limit. A position that a smaller limit concludes is concluded by the larger one, too: it is the same search.
    fn paper_limit(&self, scale: Scale, known: &Results) -> PaperLimit {
        let all = self.all(scale);
        let before = all.iter().filter_map(|position| known.get(&cell(position, TRIED[PNS].solver, scale)));
        let concluded = before.filter(|record| record.verdict.proven()).count();
        let later: Vec<bool> = self
            .open(scale, known)
            .filter_map(|position| known.get(&paper_limit(position)))
            .map(|record| record.verdict.proven())
            .collect();
        let more = later.iter().filter(|proved| **proved).count();
        PaperLimit { all: all.len(), tried: concluded + later.len(), concluded: concluded + more }
    }

    /// The positions that are watched for prolonged searches: the first that are not won at once.
    fn long(&self, scale: Scale) -> Vec<&Position> {
        let harder = self.all(scale).iter().filter(|position| !position.won_at_once);
        harder.take(scale.pick(6, 32, 200)).collect()
    }

    /// The positions of the two answers that take PPN the most nodes to prove, with those nodes.
    fn prolonged(&self, scale: Scale, known: &Results) -> Vec<(bool, &Position, u64)> {
        let mut worst: [Option<(&Position, u64)>; 2] = [None, None];
        for position in self.long(scale) {
            let Some(ppn) = known.get(&watched(position, scale)) else {
                // As long as some are missing there is no worst one.
                return Vec::new();
            };
            let place = &mut worst[usize::from(ppn.verdict == Verdict::Proved)];
            if ppn.verdict.proven() && place.is_none_or(|(_, nodes)| nodes < ppn.stats.created) {
                *place = Some((position, ppn.stats.created));
            }
        }
        let found = worst.into_iter().enumerate();
        found.filter_map(|(yes, found)| found.map(|(position, nodes)| (yes == 1, position, nodes))).collect()
    }
}

impl Experiment for Connect4 {
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
        let mut cells = Vec::new();
        for position in self.all(scale) {
            cells.push(exact(position));
            cells.extend(TRIED.iter().map(|tried| cell(position, tried.solver, scale)));
            cells.extend(GRID.iter().map(|setting| cell(position, &setting.solver(), scale)));
        }
        for position in self.reseeded(scale) {
            for tried in TRIED.iter().filter(|tried| tried.random) {
                cells.extend(seeds(scale).map(|seed| cell(position, tried.solver, scale).seeded(seed)));
            }
        }
        for position in self.calibrated(scale).iter().filter(|position| !position.won_at_once) {
            cells.push(exact(position));
            cells.extend(CALIBRATED.map(|nodes| early(position, nodes)));
        }
        for position in self.all(scale) {
            cells.extend(LACKED.map(|solver| cell(position, solver, scale)));
            if scale != Scale::Smoke {
                cells.extend([MCPNS, PPN_ROW].map(|row| by_clock(position, TRIED[row].solver, scale)));
            }
        }
        for position in self.by_work(scale) {
            cells.extend(COUNTED.map(|(_, solver)| by_plies(position, solver, scale)));
        }
        for position in self.long(scale) {
            cells.extend([watched(position, scale), on_doubles(position, scale)]);
        }
        for (_, position, nodes) in self.prolonged(scale, known) {
            cells.extend(trace(position, nodes));
        }
        if scale == Scale::Quick {
            cells.extend(self.open(scale, known).map(paper_limit));
        }
        cells
    }

    fn report(&self, scale: Scale, known: &Results) -> Vec<Block> {
        tables::blocks(self, scale, known)
    }
}
