//! Paper 5, table 1: GPN-MCTS against MCTS in eleven games.

mod table1;

use crate::plot::{Axis, Mark, Plot, Series};
use crate::report::{Block, Figure, Table};
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
        numbers). smoke: a tenth of them, the paper's best C_pn of each formula with score bounds, 2 games. quick: the two best, 60 games. paper: all, 500 games, and once more with `compat=ludii`.",
    counted: "Win rate of GPN-MCTS in percent, draws as half wins, with Wilson's 95 % interval. The paper's margins are 2.3 to 4.8 points.",
    deviations: &[
        "The budget is iterations, not time, so the overhead of proof numbers (C_pn = 0) does not show.",
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

impl Line {
    /// As in the paper: `PNRank+SB`.
    fn label(&self) -> String {
        format!("{}{}", self.formula.label(), if self.bounds { "+SB" } else { "" })
    }

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
    fn cells(self, spec: &str, iterations: u64, scale: Scale) -> impl Iterator<Item = Cell> {
        let iterations = Some(iterations / scale.pick(10, 1, 1));
        let caps = Caps { iterations, ..Caps::default() }.bytes(1 << 30);
        let ([agent, rival], spec) = (self.agents(), spec.to_owned());
        // All games of a setting share names, so they are read once.
        let first = Cell::play(NAME, &spec, [&agent, &rival], 0, caps);
        (0..scale.pick(2, 60, 500)).map(move |number| first.numbered(number))
    }

    fn tally(self, spec: &str, iterations: u64, scale: Scale, known: &Results) -> Tally {
        let mut tally = Tally::default();
        let records = self.cells(spec, iterations, scale).filter_map(|cell| known.get(&cell)?.score);
        records.for_each(|points| tally.add(points));
        tally
    }
}

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
                cells.extend(settings.flat_map(|setting| setting.cells(game.spec, game.iterations, scale)));
            }
        }
        for (_, spec, _) in OTHERS {
            cells.extend(PLAIN.cells(spec, PLAIN_ITERATIONS, scale));
        }
        cells
    }

    fn report(&self, scale: Scale, known: &Results) -> Vec<Block> {
        let mut blocks = vec![Block::heading("The best setting of each game")];
        blocks.extend(best(scale, known));
        blocks.push(scatter(scale, known).into());
        for (ludii, heading) in [(false, "Table 1"), (true, "Table 1 as Ludii plays")] {
            if scale == Scale::Paper || !ludii {
                blocks.extend([Block::heading(heading), grid(scale, known, ludii).into()]);
            }
        }
        blocks.push(Block::heading("Where the paper saw no gain"));
        let mut table = Table::new("PNRank+SB, C_pn = 1", ["game", "paper", "ours (95 %)", "games"]);
        for (name, spec, said) in OTHERS {
            let tally = PLAIN.tally(spec, PLAIN_ITERATIONS, scale, known);
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
    format!("{:.1} ({:.1} to {:.1})", 100.0 * score.mean, 100.0 * score.low, 100.0 * score.high)
}

fn best(scale: Scale, known: &Results) -> Vec<Block> {
    let mut table = Table::new(
        "Win rate in percent at the setting that is the paper's best with score bounds, and at our own best",
        ["game", "setting", "paper", "ours (95 %)", "ours / paper", "our best", "ours there (95 %)", "games"],
    );
    let (mut agree, mut sure, mut played) = (0, 0, 0);
    for game in &GAMES {
        let bounded = game.lines.iter().filter(|line| line.bounds);
        let Some(line) = bounded.max_by(|a, b| a.rates[a.best()[0]].total_cmp(&b.rates[b.best()[0]])) else {
            continue;
        };
        let column = line.best()[0];
        let tally =
            |line: &Line, column| Setting::of(line, column).tally(game.spec, game.iterations, scale, known);
        let (there, theirs) = (tally(line, column), line.rates[column]);
        let tried = game.lines.iter().filter(|line| line.bounds).flat_map(|line| {
            line.columns(scale).into_iter().map(move |column| (line, column, tally(line, column)))
        });
        let own = tried.max_by(|a, b| a.2.score().mean.total_cmp(&b.2.score().mean));
        let Some((own_line, own_column, own)) = own.filter(|own| own.2.games() > 0) else { continue };
        played += 1;
        agree += usize::from((there.score().mean > 0.5) == (theirs > 50.0));
        sure += usize::from(there.score().low > 0.5);
        table.row([
            game.name.to_owned(),
            format!("{}, {}", line.label(), WEIGHTS[column]),
            format!("{theirs:.1}"),
            rate(&there),
            format!("{:.2}", 100.0 * there.score().mean / theirs),
            format!("{}, {}", own_line.label(), WEIGHTS[own_column]),
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

fn grid(scale: Scale, known: &Results, ludii: bool) -> Table {
    let mut table = Table::new(
        "Win rate of GPN-MCTS in percent for every C_pn: the paper's, then ours with half the width of its 95 % interval",
        ["game", "variant", "0", "0.1", "0.5", "1", "2", "5"],
    );
    for game in &GAMES {
        for line in game.lines {
            let cell = |column: usize| {
                let setting = Setting { ludii, ..Setting::of(line, column) };
                let tally = setting.tally(game.spec, game.iterations, scale, known);
                let theirs = line.rates[column];
                let score = tally.score();
                match tally.games() {
                    0 => format!("{theirs:.1}"),
                    _ => format!("{theirs:.1} → {:.1} ± {:.1}", 100.0 * score.mean, 100.0 * score.margin()),
                }
            };
            let mut row = vec![game.name.to_owned(), line.label()];
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
                    let tally = Setting::of(line, column).tally(game.spec, game.iterations, scale, known);
                    if tally.games() > 0 {
                        points.push((line.rates[column], 100.0 * tally.score().mean));
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
