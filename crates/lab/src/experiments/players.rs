//! Paper 5, table 1: GPN-MCTS against MCTS in eleven games.

mod table1;

use crate::plot::{Axis, Mark, Plot, Series};
use crate::report::{Block, Figure, Table, grouped};
use crate::{About, Caps, Cell, Experiment, Results, Scale};
use delphic_engine::arena::Tally;
use table1::{Formula, GAMES, Game, Line, OTHERS, WEIGHTS};

/// The experiment.
pub(super) struct Players;

const NAME: &str = "players";

const ABOUT: About = About {
    title: "Generalised proof-number Monte-Carlo tree search (paper 5)",
    paper: "5: Kowalski, Soemers, Kosakowski and Winands, Generalized Proof-Number Monte-Carlo Tree Search, §4, table 1.",
    claim: "With the right formula and C_pn, GPN-MCTS beats MCTS in all eleven games, with 80 % and more in eight of them. Connect Four and Diagonals get worse, Pentago and \
        Pentalath show no difference.",
    instances: "Eleven games from their starts, with Ludii's rules. Game n of a cell has seeds made of n; sides change after every game.",
    solvers: "`gpn-mcts:bias=…,cpn=…` against `sb-mcts`, both with score bounds and tree reuse; without score bounds (`sb=off`) against `uct`.",
    limits: "Iterations per move: what Score Bounded MCTS of Ludii does in the paper's one second, from 64 in Minishogi to 1,065 in Knightthrough (1,000 where the paper has no \
        numbers). smoke: a tenth of them, the paper's best C_pn of each formula with score bounds, 2 games. quick: the two best, 60 games. paper: all, 500 games. The best setting also with `compat=ludii` (at paper all settings), and in four games by time: 2 ms a move at smoke, 20 ms at quick, 100 ms at paper.",
    counted: "Win rate of GPN-MCTS in percent, draws as half wins, with Wilson's 95 % interval. The paper's margins are 2.3 to 4.8 points.",
    deviations: &[
        "The budget is iterations, not time, so that the same command gives the same games; what proof numbers cost shows only in the games by time.",
        "Our score bounds see that one side's win is the other's loss; Ludii's do not. So our baseline is stronger than the paper's, and its gain may be smaller here. `compat=ludii` \
         does as the published code does.",
        "The paper's text says 0.5 s per turn, its table 1 s; we take the table's.",
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
            (Scale::Quick, true) => 2,
            (Scale::Smoke, true) => 1,
            (Scale::Quick | Scale::Smoke, false) => 0,
        });
        columns
    }
}

/// Who plays: formula, score bounds, column, and whether as in Ludii.
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

    fn agents(self) -> [String; 2] {
        let compat = if self.ludii { "ludii" } else { "off" };
        let (bounds, rival) = if self.bounds { ("on", "sb-mcts") } else { ("off", "uct") };
        let (formula, weight) = (self.formula.name(), WEIGHTS[self.column]);
        [
            format!("gpn-mcts:bias={formula},cpn={weight},sb={bounds},compat={compat}"),
            format!("{rival}:compat={compat}"),
        ]
    }

    /// The games of this setting, as far as the scale has them.
    fn cells(self, spec: &str, caps: Caps, scale: Scale) -> impl Iterator<Item = Cell> {
        let [agent, rival] = self.agents();
        // All games of a setting share names, so they are read once.
        let first = Cell::play(NAME, spec, [&agent, &rival], 0, caps.bytes(1 << 30));
        (0..scale.pick(2, 60, 500)).map(move |number| first.numbered(number))
    }

    fn tally(self, spec: &str, caps: Caps, scale: Scale, known: &Results) -> Tally {
        let mut tally = Tally::default();
        let records = self.cells(spec, caps, scale).filter_map(|cell| known.get(&cell)?.score);
        records.for_each(|points| tally.add(points));
        tally
    }
}

/// A move by iterations; at smoke a tenth of them.
fn by_iterations(iterations: u64, scale: Scale) -> Caps {
    Caps { iterations: Some(iterations / scale.pick(10, 1, 1)), ..Caps::default() }
}

/// A move by time.
fn by_time(scale: Scale) -> Caps {
    Caps { millis: Some(scale.pick(2, 20, 100)), ..Caps::default() }
}

/// The games also played by time.
const TIMED: [&str; 4] = ["ataxx", "awari", "knightthrough", "reversi"];

/// What the games without numbers are played with.
const PLAIN: Setting = Setting { formula: Formula::Rank, bounds: true, column: 3, ludii: false };
const PLAIN_ITERATIONS: u64 = 1000;

/// Every setting of a game.
fn settings(game: &Game, scale: Scale, ludii: bool) -> Vec<Setting> {
    let all = game
        .lines
        .iter()
        .flat_map(|line| line.columns(scale).into_iter().map(|column| Setting::of(line, column)));
    all.map(|setting| Setting { ludii, ..setting }).collect()
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

    fn cells(&self, scale: Scale, _: &Results) -> Vec<Cell> {
        let mut cells: Vec<Cell> = Vec::new();
        for ludii in [false, true].into_iter().take(scale.pick(1, 1, 2)) {
            for game in &GAMES {
                let settings = settings(game, scale, ludii).into_iter();
                let caps = by_iterations(game.iterations, scale);
                cells.extend(settings.flat_map(|setting| setting.cells(game.spec, caps, scale)));
            }
        }
        for (_, spec, _) in OTHERS {
            cells.extend(PLAIN.cells(spec, by_iterations(PLAIN_ITERATIONS, scale), scale));
        }
        for game in &GAMES {
            let Some((setting, _)) = favourite(game) else { continue };
            let caps = by_iterations(game.iterations, scale);
            cells.extend(Setting { ludii: true, ..setting }.cells(game.spec, caps, scale));
            if TIMED.contains(&game.spec) {
                cells.extend(setting.cells(game.spec, by_time(scale), scale));
            }
        }
        cells
    }

    fn report(&self, scale: Scale, known: &Results) -> Vec<Block> {
        let mut blocks = vec![Block::heading("The best setting of each game")];
        blocks.extend(best(scale, known));
        blocks.extend([scatter(scale, known).into(), otherwise(scale, known).into()]);
        for (ludii, heading) in [(false, "Table 1"), (true, "Table 1 as Ludii plays")] {
            if scale == Scale::Paper || !ludii {
                blocks.extend([Block::heading(heading), grid(scale, known, ludii).into()]);
            }
        }
        blocks.push(Block::heading("Where the paper saw no gain"));
        let mut table = Table::new("PNRank+SB, C_pn = 1", ["game", "paper", "ours (95 %)", "games"]);
        for (name, spec, said) in OTHERS {
            let tally = PLAIN.tally(spec, by_iterations(PLAIN_ITERATIONS, scale), scale, known);
            table.row([name.to_owned(), said.to_owned(), rate(&tally), tally.games().to_string()]);
        }
        blocks.push(table.into());
        blocks
    }
}

/// `58.3 (54.1 to 62.4)`.
fn rate(tally: &Tally) -> String {
    let score = tally.score();
    if tally.games() == 0 {
        return "–".to_owned();
    }
    format!("{:.1} ({:.1} to {:.1})", 100.0 * score.value, 100.0 * score.low, 100.0 * score.high)
}

fn best(scale: Scale, known: &Results) -> Vec<Block> {
    let mut table = Table::new(
        "Win rate in percent at the setting that is the paper's best with score bounds, and at our own best",
        ["game", "setting", "paper", "ours (95 %)", "ours / paper", "our best", "ours there (95 %)", "games"],
    );
    let (mut agree, mut sure, mut played) = (0, 0, 0);
    for game in &GAMES {
        let Some((setting, theirs)) = favourite(game) else { continue };
        let caps = by_iterations(game.iterations, scale);
        let tally = |setting: Setting| setting.tally(game.spec, caps, scale, known);
        let there = tally(setting);
        let tried = settings(game, scale, false).into_iter().filter(|setting| setting.bounds);
        let tried = tried.map(|setting| (setting, tally(setting)));
        let own = tried.max_by(|a, b| a.1.score().value.total_cmp(&b.1.score().value));
        let Some((own_setting, own)) = own.filter(|own| own.1.games() > 0) else { continue };
        played += 1;
        agree += usize::from((there.score().value > 0.5) == (theirs > 50.0));
        sure += usize::from(there.score().low > 0.5);
        table.row([
            game.name.to_owned(),
            setting.label(),
            format!("{theirs:.1}"),
            rate(&there),
            format!("{:.2}", 100.0 * there.score().value / theirs),
            own_setting.label(),
            rate(&own),
            there.games().to_string(),
        ]);
    }
    let text = format!(
        "At the paper's best setting the sign agrees (GPN-MCTS wins more than half) in {agree} of {played} games; in {sure} of them the interval lies above 50 %. Our own best \
         setting is chosen after the fact, so its rate flatters."
    );
    vec![table.into(), Block::text(text)]
}

/// The paper's best settings under other conditions.
fn otherwise(scale: Scale, known: &Results) -> Table {
    let mut table = Table::new(
        "The paper's best settings otherwise: both sides as in the published program, and by time",
        [
            "game",
            "setting",
            "paper",
            "by iterations (95 %)",
            "as Ludii plays (95 %)",
            "by time (95 %)",
            "iterations a move by time",
        ],
    );
    for game in &GAMES {
        let Some((setting, theirs)) = favourite(game) else { continue };
        let caps = by_iterations(game.iterations, scale);
        let rate = |setting: Setting, caps| rate(&setting.tally(game.spec, caps, scale, known));
        table.row([
            game.name.to_owned(),
            setting.label(),
            format!("{theirs:.1}"),
            rate(setting, caps),
            rate(Setting { ludii: true, ..setting }, caps),
            rate(setting, by_time(scale)),
            iterations(setting.cells(game.spec, by_time(scale), scale), known),
        ]);
    }
    table
}

/// Iterations a move, on average over all games.
fn iterations(cells: impl Iterator<Item = Cell>, known: &Results) -> String {
    let (mut iterations, mut moves) = (0, 0);
    for record in cells.filter_map(|cell| known.get(&cell)) {
        iterations += record.stats.iterations;
        moves += record.line.split(' ').count() as u64;
    }
    iterations.checked_div(moves).map_or_else(|| "–".to_owned(), grouped)
}

fn grid(scale: Scale, known: &Results, ludii: bool) -> Table {
    let mut table = Table::new(
        "Win rate of GPN-MCTS in percent for every C_pn: the paper's, then ours with half the width of its 95 % interval",
        ["game", "variant", "0", "0.1", "0.5", "1", "2", "5"],
    );
    for game in &GAMES {
        for line in game.lines {
            let cell = |column: usize| {
                let setting = Setting { ludii, ..Setting::of(line, column) };
                let tally = setting.tally(game.spec, by_iterations(game.iterations, scale), scale, known);
                let theirs = line.rates[column];
                let score = tally.score();
                match tally.games() {
                    0 => format!("{theirs:.1}"),
                    _ => format!("{theirs:.1} → {:.1} ± {:.1}", 100.0 * score.value, 100.0 * score.margin()),
                }
            };
            let mut row = vec![game.name.to_owned(), variant(line.formula, line.bounds)];
            row.extend((0..WEIGHTS.len()).map(cell));
            table.rows.push(row);
        }
    }
    table
}

fn scatter(scale: Scale, known: &Results) -> Figure {
    let series = [Formula::Rank, Formula::Max, Formula::Sum].map(|formula| {
        let mut points = Vec::new();
        for game in &GAMES {
            for line in game.lines.iter().filter(|line| line.formula == formula && line.bounds) {
                for column in line.columns(scale) {
                    let caps = by_iterations(game.iterations, scale);
                    let tally = Setting::of(line, column).tally(game.spec, caps, scale, known);
                    if tally.games() > 0 {
                        points.push((line.rates[column], 100.0 * tally.score().value));
                    }
                }
            }
        }
        Series { name: formula.label().to_owned(), points, mark: Mark::Dots }
    });
    let plot = Plot {
        x: Axis::linear("win rate in the paper (%)").from_to(0.0, 100.0),
        y: Axis::linear("win rate here (%)").from_to(0.0, 100.0),
        series: series.to_vec(),
        diagonal: true,
    };
    plot.figure(
        "rates",
        "Every setting with score bounds that was played; on the dashed line the win rates are equal.",
    )
}
