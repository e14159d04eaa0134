//! Table 1 of paper 5, in percent, and what the published program does in a second.

/// Values of C_pn, the columns of the table.
pub(super) const WEIGHTS: [&str; 6] = ["0", "0.1", "0.5", "1", "2", "5"];

/// How the bias is computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Formula {
    Rank,
    Max,
    Sum,
}

/// A row: the formula, whether both sides have score bounds, and the win rates of GPN-MCTS.
pub(super) struct Line {
    pub(super) formula: Formula,
    pub(super) bounds: bool,
    pub(super) rates: [f64; 6],
}

/// A game of the table.
pub(super) struct Game {
    pub(super) name: &'static str,
    pub(super) spec: &'static str,
    /// Iterations that Score Bounded MCTS in Ludii 1.3.14 did per second of CPU time when we measured it (`delphic bench players` shows ours beside).
    pub(super) iterations: u64,
    pub(super) lines: &'static [Line],
}

const fn line(formula: Formula, bounds: bool, rates: [f64; 6]) -> Line {
    Line { formula, bounds, rates }
}

use Formula::{Max, Rank, Sum};

#[rustfmt::skip]
pub(super) const GAMES: [Game; 11] = [
    Game { name: "Ataxx", spec: "ataxx", iterations: 235, lines: &[
        line(Rank, false, [45.9, 58.0, 82.3, 87.0, 89.4, 89.5]),
        line(Rank, true, [50.1, 60.6, 85.3, 89.2, 91.4, 92.0]),
        line(Max, true, [49.2, 65.3, 92.4, 92.3, 91.0, 89.1]),
        line(Sum, true, [45.6, 56.5, 55.7, 56.2, 61.6, 71.2]),
    ] },
    Game { name: "Awari", spec: "awari", iterations: 544, lines: &[
        line(Rank, true, [48.1, 71.0, 74.3, 62.2, 50.4, 43.2]),
        line(Max, true, [50.9, 78.2, 69.8, 56.3, 45.5, 45.1]),
        line(Sum, true, [49.8, 62.2, 78.8, 79.7, 77.2, 67.9]),
    ] },
    Game { name: "Knightthrough", spec: "knightthrough", iterations: 1065, lines: &[
        line(Rank, false, [48.0, 50.6, 52.2, 52.8, 62.6, 74.0]),
        line(Rank, true, [53.2, 45.8, 46.2, 56.3, 54.8, 59.2]),
        line(Max, true, [46.8, 56.6, 50.8, 62.8, 63.2, 54.4]),
        line(Sum, true, [49.0, 50.0, 56.0, 52.0, 55.8, 60.0]),
    ] },
    Game { name: "Lines of Action 7×7", spec: "loa:7", iterations: 288, lines: &[
        line(Rank, false, [52.1, 67.4, 85.0, 87.0, 88.4, 80.2]),
        line(Rank, true, [47.6, 67.1, 82.8, 91.3, 91.8, 83.6]),
        line(Max, true, [52.6, 66.3, 81.3, 84.3, 68.6, 65.8]),
        line(Sum, true, [54.6, 55.1, 60.9, 64.9, 67.9, 69.3]),
    ] },
    Game { name: "Lines of Action 8×8", spec: "loa:8", iterations: 205, lines: &[
        line(Rank, true, [51.8, 63.6, 83.8, 87.4, 81.9, 55.2]),
        line(Max, true, [50.8, 55.8, 68.8, 82.5, 63.7, 25.9]),
        line(Sum, true, [48.0, 54.5, 52.4, 55.6, 55.5, 64.3]),
    ] },
    Game { name: "Los Alamos chess", spec: "los-alamos", iterations: 226, lines: &[
        line(Rank, false, [53.2, 71.9, 85.5, 82.4, 80.5, 80.5]),
        line(Rank, true, [47.3, 71.7, 81.0, 84.5, 80.5, 79.3]),
        line(Max, true, [48.7, 71.1, 73.4, 76.5, 80.5, 78.7]),
        line(Sum, true, [49.7, 60.3, 64.5, 72.7, 77.5, 77.0]),
    ] },
    Game { name: "Minishogi", spec: "minishogi", iterations: 64, lines: &[
        line(Rank, false, [47.4, 55.0, 67.8, 69.2, 56.8, 45.6]),
        line(Rank, true, [45.2, 54.4, 67.8, 66.2, 63.8, 46.0]),
        line(Max, true, [52.4, 49.6, 51.2, 34.6, 31.6, 36.2]),
        line(Sum, true, [49.6, 52.4, 57.0, 59.4, 51.8, 48.8]),
    ] },
    Game { name: "Reach Chess", spec: "reach-chess", iterations: 274, lines: &[
        line(Rank, false, [44.4, 58.6, 64.8, 66.2, 71.8, 76.8]),
        line(Rank, true, [50.2, 62.0, 64.6, 72.2, 79.0, 78.0]),
        line(Max, true, [49.2, 58.8, 70.2, 65.2, 69.8, 55.2]),
        line(Sum, true, [46.2, 57.4, 59.8, 63.6, 64.4, 68.2]),
    ] },
    Game { name: "Reversi", spec: "reversi", iterations: 989, lines: &[
        line(Rank, false, [48.7, 65.1, 71.6, 49.9, 43.4, 42.5]),
        line(Rank, true, [50.0, 71.0, 69.4, 53.2, 42.4, 37.2]),
        line(Max, true, [50.0, 63.1, 59.0, 45.2, 36.2, 35.0]),
        line(Sum, true, [49.5, 55.0, 60.7, 71.7, 76.7, 64.1]),
    ] },
    Game { name: "Skirmish", spec: "skirmish", iterations: 556, lines: &[
        line(Rank, true, [50.6, 62.4, 62.3, 61.7, 60.8, 55.8]),
        line(Max, true, [51.5, 65.1, 65.3, 58.0, 56.2, 39.0]),
        line(Sum, true, [50.5, 49.9, 56.4, 55.3, 63.4, 63.8]),
    ] },
    Game { name: "Surakarta", spec: "surakarta", iterations: 421, lines: &[
        line(Rank, true, [49.5, 60.5, 60.6, 59.1, 46.7, 15.2]),
        line(Max, true, [48.6, 65.1, 82.0, 68.4, 44.4, 22.4]),
        line(Sum, true, [47.8, 52.5, 54.3, 50.9, 54.6, 57.7]),
    ] },
];

/// Games of which the paper says only whether the bias helps: name, spec, what it says.
pub(super) const OTHERS: [(&str, &str, &str); 4] = [
    ("Connect Four", "connect4", "worse"),
    ("Diagonals", "diagonals", "worse"),
    ("Pentago", "pentago", "no visible impact"),
    ("Pentalath", "pentalath", "no visible impact"),
];
