//! Paper 5, table 1: GPN-MCTS against MCTS in eleven games.

mod budget;
mod claims;
mod table1;
mod tables;

use super::known as named;
use crate::claim::{Judged, judge};
use crate::report::Block;
use crate::{About, Algorithm, Caps, Cell, Experiment, Mark, Results, Scale};
use delphic_engine::Agent;
use delphic_engine::arena::Tally;
use table1::{Formula, GAMES, Game, Line, OTHERS, WEIGHTS};

/// The experiment.
pub(super) struct Players;

const NAME: &str = "players";

const ABOUT: About = About {
    title: "Generalised proof-number Monte-Carlo tree search (paper 5)",
    paper: "5: Kowalski, Soemers, Kosakowski and Winands, Generalized Proof-Number Monte-Carlo Tree Search, §4, table 1.",
    instances: "Eleven games from their starts, with Ludii's rules. Game n of a match has seeds made of n; sides change after every game.",
    solvers: "`gpn-mcts:bias=…,cpn=…` against `sb-mcts`, both with score bounds and tree reuse; without score bounds (`sb=off`) against `uct`, which skips solved nodes, and as `compat=ludii` against a `uct` that does not. Proof numbers start from mobility, which is our default.",
    limits: "Iterations per move: what Score Bounded MCTS of Ludii 1.3.14 does in one second of the machine on which we measured it, from 64 in Minishogi to 1,065 in Knightthrough (1,000 where the paper has no numbers). smoke: a tenth of them, the paper's best C_pn of each formula with score bounds, 2 games. \
        quick: the best of all formulas with all iterations, 12 games; 30 in eight games that take less time, 200 in Knightthrough, which takes the least; the best without score bounds, 100 games (42 as `compat=ludii`); games without numbers in the paper, 100. In Lines of Action 8×8 also PNMax with C_pn = 1 and 5, in Knightthrough values of C_pn that the paper does not have. paper: all, 500 games. The best setting also with C_pn = 0 and with half the iterations (the paper's text says 0.5 s, its table 1 s; at quick not in Los Alamos chess, Minishogi and Surakarta, which are slow), with `compat=ludii` (at paper all settings), and for growing budgets: at quick 64, 256 and 1,024 iterations (in the slow games 64), with \
        `compat=ludii` in four games; at paper 64 to 16,000 in all. In four games by time: 2 ms a move at smoke, 10 ms at quick, 100 ms at paper. Three players: 200 iterations, 30 games at quick.",
    counted: "Win rate of GPN-MCTS in percent, draws as half wins, with Wilson's 95 % interval. The paper's margins are 2.3 to 4.8 points.",
    deviations: &[
        "The budget is iterations, not time, so that the same command gives the same games; what proof numbers cost shows only in the games by time, which run against the wall clock.",
        "Our score bounds use that one side's win is the other's loss; Ludii's do not. So our baseline is stronger than the paper's. `compat=ludii` does as the published code does.",
        "The paper's text says 0.5 s per turn, its table 1 s, on an unnamed machine; we take the table's and show half of it, too. How strong the bias is depends on the budget, see the figure.",
        "Mobility: the paper's Algorithm 1 starts proof numbers at 1 and does not say whether table 1 used mobility; ours do.",
        "Equal proof numbers share a rank and the next rank is skipped (1, 1, 3), one of two readings of the text.",
        "Without score bounds our `uct` still skips solved nodes, which the paper's plain MCTS does not. The same rows with `compat=ludii` have a plain baseline.",
        "At quick most matches have 12 games, so intervals reach about 25 points to either side; with 30 games it is about 16. All matches had 12 games at first, which left claims undecided; where there are more, these were added afterwards, in games chosen by the time that they take, for PNMax on Lines of Action 8×8 (30), and in the rows without score bounds (42 and then 100; 42 as `compat=ludii`).",
        "Rulings made more cautious after rows had been seen: \"no impact\" and \"about 50 %\" need an interval between 30 and 70 %, the latter over all games together, where any interval that contained 50 % was enough at first; and that rates without score bounds are similar needs intervals of at most 15 points to either side, where wider ones were enough at first.",
        "PN-MCTS, the predecessor, ranks moves by the root player's proof and disproof numbers. The agent `pn-mcts` is that search; the paper has no numbers about it, so there is no match here.",
    ],
    algorithms: &[
        Algorithm {
            name: "Score Bounded MCTS",
            mark: Mark::Differs,
            words: "Bounds use that one side's win is the other's loss. `compat=ludii` has the bounds of the published code.",
        },
        Algorithm {
            name: "PN-MCTS (the predecessor)",
            mark: Mark::AsPrinted,
            words: "The agent `pn-mcts`: proof and disproof numbers of the root player. It plays no match here.",
        },
        Algorithm {
            name: "GPN-MCTS (algorithm 1, formulas 1 to 5)",
            mark: Mark::Choices,
            words: "A child without visits counts as 1 in sums, equal numbers share a rank (1, 1, 3), and proof numbers start from mobility.",
        },
        Algorithm {
            name: "GPN-MCTS without score bounds",
            mark: Mark::Differs,
            words: "The published code values a proven win as +1 and plays it first; ours with `compat=ludii` has no proven nodes at all without score bounds, and without `compat` it skips solved nodes.",
        },
    ],
};

impl Formula {
    fn name(self) -> &'static str {
        match self {
            Formula::Rank => "rank",
            Formula::Max => "max",
            Formula::Sum => "sum",
        }
    }

    /// As in the paper.
    fn label(self) -> &'static str {
        match self {
            Formula::Rank => "PNRank",
            Formula::Max => "PNMax",
            Formula::Sum => "PNSum",
        }
    }
}

/// As in the paper: `PNRank+SB`.
fn variant(formula: Formula, bounds: bool) -> String {
    format!("{}{}", formula.label(), if bounds { "+SB" } else { "" })
}

impl Line {
    /// The columns in descending order of the paper's win rates; that of C_pn = 0, where there is no bias, comes last.
    fn best(&self) -> Vec<usize> {
        let mut columns: Vec<usize> = (1..WEIGHTS.len()).collect();
        columns.sort_by(|a, b| self.rates[*b].total_cmp(&self.rates[*a]));
        columns.push(0);
        columns
    }

    /// The columns that are played.
    fn columns(&self, scale: Scale) -> Vec<usize> {
        let mut columns = self.best();
        columns.truncate(match (scale, self.bounds) {
            (Scale::Paper, _) => WEIGHTS.len(),
            (Scale::Smoke | Scale::Quick, true) | (Scale::Quick, false) => 1,
            (Scale::Smoke, false) => 0,
        });
        columns
    }
}

/// The settings of a match: formula, score bounds, column, and whether as in Ludii.
#[derive(Clone, Copy)]
struct Setting {
    formula: Formula,
    bounds: bool,
    column: usize,
    ludii: bool,
}

impl Setting {
    fn of(line: &Line, column: usize) -> Setting {
        Setting { formula: line.formula, bounds: line.bounds, column, ludii: false }
    }

    /// `PNRank+SB, 0.5`.
    fn label(self) -> String {
        format!("{}, {}", variant(self.formula, self.bounds), WEIGHTS[self.column])
    }

    fn agents(self) -> [Agent; 2] {
        let compat = if self.ludii { "ludii" } else { "off" };
        let (bounds, rival) = if self.bounds { ("on", "sb-mcts") } else { ("off", "uct") };
        let (formula, weight) = (self.formula.name(), WEIGHTS[self.column]);
        [
            named(&format!("gpn-mcts:bias={formula},cpn={weight},sb={bounds},compat={compat}")),
            named(&format!("{rival}:compat={compat}")),
        ]
    }

    /// The games of this match at a scale.
    fn cells(self, spec: &str, caps: Caps, scale: Scale) -> impl Iterator<Item = Cell> + use<> {
        matches(spec, self.agents(), caps, scale.pick(2, self.games(spec, caps), 500))
    }

    /// The games of this match at quick. Those of table 1 with the paper's budget and a bias have more, as far as time allows.
    fn games(self, spec: &str, caps: Caps) -> u64 {
        let whole = GAMES.iter().any(|game| game.spec == spec && Some(game.iterations) == caps.iterations);
        let main = whole && !self.ludii && self.column > 0;
        match self.bounds {
            _ if OTHERS.iter().any(|(_, other, _)| *other == spec) => WITHOUT_NUMBERS,
            false if whole => {
                if self.ludii {
                    UNBOUNDED_LUDII
                } else {
                    UNBOUNDED
                }
            }
            true if main && spec == SHORTEST => OF_SHORTEST,
            true if main && SHORT.contains(&spec) => MANY,
            _ => FEW,
        }
    }

    fn tally(self, spec: &str, caps: Caps, scale: Scale, known: &Results) -> Tally {
        tallied(self.cells(spec, caps, scale), known)
    }
}

/// The first `games` games of a match.
fn matches(spec: &str, agents: [Agent; 2], caps: Caps, games: u64) -> impl Iterator<Item = Cell> + use<> {
    let first = Cell::play(NAME, spec, agents, 0, caps.bytes(1 << 30));
    (0..games).map(move |number| first.numbered(number))
}

/// The tally of the games that were played.
fn tallied(cells: impl Iterator<Item = Cell>, known: &Results) -> Tally {
    let mut tally = Tally::default();
    cells.filter_map(|cell| known.get(&cell)?.score).for_each(|points| tally.add(points));
    tally
}

/// Games for three players: name and spec.
const THREE: [(&str, &str); 3] = [
    ("Rolit 5×5", "rolit:5"),
    ("Four in a row, 4×4, lines of 3", "mnk3:4,4,3"),
    ("5×4, lines of 4", "mnk3:5,4,4"),
];

/// The games of a match for three; the second agent has none of our score bounds, which are about two sides.
fn three(spec: &str, scale: Scale) -> impl Iterator<Item = Cell> + use<> {
    let agents = ["gpn-mcts:bias=rank,cpn=1", "uct"].map(named);
    let caps = Caps { iterations: Some(scale.pick(20, 200, 1000)), ..Caps::default() };
    matches(spec, agents, caps, scale.pick(2, 30, 300))
}

/// A move by iterations; at smoke a tenth of them.
fn by_iterations(iterations: u64, scale: Scale) -> Caps {
    Caps { iterations: Some(iterations / scale.pick(10, 1, 1)), ..Caps::default() }
}

/// A move by time.
fn by_time(scale: Scale) -> Caps {
    Caps { millis: Some(scale.pick(2, 10, 100)), ..Caps::default() }
}

/// Half the budget: the paper's text says 0.5 s where its table says 1 s.
fn half(iterations: u64, scale: Scale) -> Caps {
    by_iterations((iterations / 2).max(10), scale)
}

/// Games of a match at quick: in most matches, and in those that decide table 1.
const FEW: u64 = 12;
const MANY: u64 = 30;
/// In Knightthrough, of which a game takes less than a tenth of a second.
const OF_SHORTEST: u64 = 200;
const SHORTEST: &str = "knightthrough";
/// Without score bounds, against our own baseline, and as in Ludii: with 42 games an interval reaches 15 points to either side at 50 %.
const UNBOUNDED: u64 = 100;
const UNBOUNDED_LUDII: u64 = 42;
/// In the games for which the paper has no numbers.
const WITHOUT_NUMBERS: u64 = 100;
/// The games that take less than three seconds with the paper's budget.
const SHORT: [&str; 8] =
    ["ataxx", "awari", "knightthrough", "loa:7", "loa:8", "minishogi", "reach-chess", "reversi"];
/// The games whose formulas the paper compares in words.
const FORMULAS: [(&str, Formula); 3] =
    [("minishogi", Formula::Rank), ("surakarta", Formula::Max), ("reversi", Formula::Sum)];
/// Lines of Action 8×8 with PNMax: the paper's example of how much C_pn matters.
const STEEP: (&str, Formula, [usize; 2]) = ("loa:8", Formula::Max, [3, 5]);

/// Values of C_pn that the paper does not have, which it names as future work.
const FINER: [(&str, Formula, &[&str]); 1] = [("knightthrough", Formula::Max, &["1.5", "3", "10"])];

/// The games of a match with such a value.
fn finer(spec: &str, formula: Formula, weight: &str, scale: Scale) -> impl Iterator<Item = Cell> + use<> {
    let iterations = GAMES.iter().find(|game| game.spec == spec).map_or(0, |game| game.iterations);
    let agents = [format!("gpn-mcts:bias={},cpn={weight}", formula.name()), "sb-mcts".to_owned()];
    let agents = agents.map(|name| named(&name));
    matches(spec, agents, by_iterations(iterations, scale), scale.pick(0, OF_SHORTEST, 500))
}

/// Games with fewer than 40,000 iterations a second.
const SLOW: [&str; 3] = ["los-alamos", "minishogi", "surakarta"];
/// The games whose win rates differ most from the paper's.
const PUZZLING: [&str; 4] = ["knightthrough", "skirmish", "surakarta", "loa:8"];

/// The budgets of the curve; those of smoke would show nothing.
fn budgets(spec: &str, ludii: bool, scale: Scale) -> &'static [u64] {
    const ALL: [u64; 5] = [64, 256, 1024, 4096, 16_000];
    let quick = match (ludii && !PUZZLING.contains(&spec), SLOW.contains(&spec)) {
        (true, _) => 0,
        (false, true) => 1,
        (false, false) => 3,
    };
    &ALL[..scale.pick(0, quick, 5)]
}

/// Whether a game is also played with half the budget and without bias.
fn compared(game: &Game, scale: Scale) -> bool {
    scale.pick(false, !SLOW.contains(&game.spec), true)
}

/// A move by exactly this many iterations.
fn by_budget(iterations: u64) -> Caps {
    Caps { iterations: Some(iterations), ..Caps::default() }
}

/// The games also played by time.
const TIMED: [&str; 4] = ["ataxx", "awari", "knightthrough", "reversi"];

/// The setting for the games without numbers.
const PLAIN: Setting = Setting { formula: Formula::Rank, bounds: true, column: 3, ludii: false };
const PLAIN_ITERATIONS: u64 = 1000;

/// Every setting of a game.
fn settings(game: &Game, scale: Scale, ludii: bool) -> Vec<Setting> {
    let best = favourite(game).map(|(setting, _)| setting.formula);
    let mut all: Vec<Setting> = game
        .lines
        .iter()
        .filter(|line| scale != Scale::Quick || !line.bounds || Some(line.formula) == best)
        .flat_map(|line| line.columns(scale).into_iter().map(|column| Setting::of(line, column)))
        .collect();
    let (spec, formula, columns) = STEEP;
    if scale == Scale::Quick && spec == game.spec {
        all.extend(columns.map(|column| Setting { formula, bounds: true, column, ludii }));
    }
    all.into_iter().map(|setting| Setting { ludii, ..setting }).collect()
}

/// The setting with score bounds that is the best of a game in the paper, and its win rate there.
fn favourite(game: &Game) -> Option<(Setting, f64)> {
    let bounded = game.lines.iter().filter(|line| line.bounds);
    let settings = bounded.map(|line| (Setting::of(line, line.best()[0]), line.rates[line.best()[0]]));
    settings.max_by(|a, b| a.1.total_cmp(&b.1))
}

impl Experiment for Players {
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
        let mut cells: Vec<Cell> = Vec::new();
        // The shortest games first, so that a run that is stopped has most matches.
        for (_, spec, _) in OTHERS {
            cells.extend(PLAIN.cells(spec, by_iterations(PLAIN_ITERATIONS, scale), scale));
        }
        for (spec, formula, weights) in FINER {
            cells.extend(weights.iter().flat_map(|weight| finer(spec, formula, weight, scale)));
        }
        for ludii in [false, true].into_iter().take(scale.pick(1, 1, 2)) {
            for game in &GAMES {
                let settings = settings(game, scale, ludii).into_iter();
                let caps = by_iterations(game.iterations, scale);
                cells.extend(settings.flat_map(|setting| setting.cells(game.spec, caps, scale)));
            }
        }
        for game in &GAMES {
            let Some((setting, _)) = favourite(game) else { continue };
            let caps = by_iterations(game.iterations, scale);
            for ludii in [false, true] {
                let setting = Setting { ludii, ..setting };
                cells.extend(setting.cells(game.spec, caps, scale));
                for &budget in budgets(game.spec, ludii, scale) {
                    cells.extend(setting.cells(game.spec, by_budget(budget), scale));
                }
            }
            if compared(game, scale) {
                cells.extend(setting.cells(game.spec, half(game.iterations, scale), scale));
                cells.extend(Setting { column: 0, ..setting }.cells(game.spec, caps, scale));
            }
            for line in game.lines.iter().filter(|line| !line.bounds && scale != Scale::Smoke) {
                let plain = Setting { ludii: true, ..Setting::of(line, line.best()[0]) };
                cells.extend(plain.cells(game.spec, caps, scale));
            }
            if TIMED.contains(&game.spec) {
                cells.extend(setting.cells(game.spec, by_time(scale), scale));
            }
        }
        cells.extend(THREE.iter().flat_map(|(_, spec)| three(spec, scale)));
        cells
    }

    fn report(&self, scale: Scale, known: &Results) -> Vec<Block> {
        tables::blocks(scale, known)
    }
}
