//! The tables and figures of the benchmark.

use super::{Benchmark, GAMES, SOLVERS, STRATA, VALUED, cell, limit, short_name};
use crate::claim::sign_test;
use crate::plot::{Axis, Plot, Series};
use crate::report::{Block, Figure, Table, range, short};
use crate::stats::{hodges_lehmann, holm, par2, wilcoxon};
use crate::text::{grouped, p_value, percent};
use crate::{Results, Scale};
use delphic_base::Interval;

/// What all solvers did on all instances that every one of them has tried.
pub(super) struct Outcome {
    /// Game and stratum of each instance.
    pub(super) instances: Vec<(usize, usize)>,
    /// For each solver its time on each instance, if it solved it.
    pub(super) times: Vec<Vec<Option<f64>>>,
    /// Instances on which two solvers proved different answers. There must be none.
    pub(super) contradictions: usize,
}

impl Outcome {
    pub(super) fn new(experiment: &Benchmark, scale: Scale, known: &Results) -> Outcome {
        let mut outcome =
            Outcome { instances: Vec::new(), times: vec![Vec::new(); SOLVERS.len()], contradictions: 0 };
        for (candidate, stratum) in experiment.instances(scale, known) {
            let records: Option<Vec<_>> =
                SOLVERS.iter().map(|solver| known.get(&cell(candidate, solver, scale))).collect();
            let Some(records) = records else { continue };
            outcome.instances.push((candidate.game, stratum));
            let mut answers = records.iter().filter(|record| record.verdict.proven()).map(|r| r.verdict);
            let first = answers.next();
            outcome.contradictions += usize::from(answers.any(|answer| Some(answer) != first));
            for (times, record) in outcome.times.iter_mut().zip(records) {
                times.push(record.verdict.proven().then(|| record.seconds().max(1e-6)));
            }
        }
        outcome
    }

    /// The times of a solver.
    pub(super) fn of(&self, name: &str) -> &[Option<f64>] {
        let nth = SOLVERS.iter().position(|solver| short_name(solver) == name).unwrap_or(0);
        &self.times[nth]
    }

    /// The virtual best solver over all but one.
    fn best_without(&self, left_out: Option<usize>) -> Vec<Option<f64>> {
        let others = || self.times.iter().enumerate().filter(|(nth, _)| Some(*nth) != left_out);
        let best = |place: usize| others().filter_map(|(_, times)| times[place]).min_by(f64::total_cmp);
        (0..self.instances.len()).map(best).collect()
    }
}

pub(super) fn solved(times: &[Option<f64>]) -> usize {
    times.iter().flatten().count()
}

/// Two solvers, instance by instance.
pub(super) struct Pair {
    /// Instances that only the first solves, and only the second.
    pub(super) alone: (usize, usize),
    pub(super) mcnemar: f64,
    pub(super) wilcoxon: f64,
    /// How many times as long the second takes, by Hodges and Lehmann.
    pub(super) factor: Option<f64>,
    /// The mean of the logarithms of how many times as long the second takes.
    pub(super) shift: Option<Interval>,
}

impl Pair {
    pub(super) fn new(one: &[Option<f64>], other: &[Option<f64>], limit: f64) -> Pair {
        let count = |a: &[Option<f64>], b: &[Option<f64>]| {
            a.iter().zip(b).filter(|(a, b)| a.is_some() && b.is_none()).count()
        };
        let alone = (count(one, other), count(other, one));
        let cost = |time: &Option<f64>| time.unwrap_or(2.0 * limit).ln();
        let differences: Vec<f64> = one.iter().zip(other).map(|(a, b)| cost(b) - cost(a)).collect();
        Pair {
            alone,
            mcnemar: sign_test(alone.0, alone.1),
            wilcoxon: wilcoxon(&differences),
            factor: hodges_lehmann(&differences).map(f64::exp),
            shift: Interval::mean(&differences),
        }
    }
}

/// The pairs that are compared: those that the papers compare or announce, and the strongest of each family.
pub(super) const PAIRS: [(&str, &str); 10] = [
    ("ppn", "pns"),
    ("ppn", "mcpns"),
    ("ppn", "pp"),
    ("pp", "pns"),
    ("ppt", "pnt"),
    ("dfpp", "dfpn"),
    ("dfppn", "dfpn"),
    ("dfpn", "pnt"),
    ("alphabeta", "dfpn"),
    ("ews", "dfpn"),
];

pub(super) fn blocks(experiment: &Benchmark, scale: Scale, known: &Results) -> Vec<Block> {
    let outcome = Outcome::new(experiment, scale, known);
    let contradictions = match outcome.contradictions {
        0 => "No two solvers proved different answers.".to_owned(),
        some => {
            format!("**On {some} positions two solvers proved different answers: one of them is wrong.**")
        }
    };
    vec![
        Block::heading("The positions"),
        strata(&outcome).into(),
        Block::text(contradictions),
        Block::heading("The solvers"),
        scores(&outcome, scale).into(),
        cactus(&outcome).into(),
        Block::heading("Pairs"),
        pairs(&outcome, scale).into(),
        Block::heading("Game by game"),
        by_game(&outcome).into(),
        Block::heading("Several outcomes"),
        several(&values(experiment, scale, known)).into(),
    ]
}

/// The positions of games with draws whose questions a solver answers.
pub(super) struct Valued {
    pub(super) solver: &'static str,
    pub(super) all: usize,
    /// Answered: whether the side to move wins, and whether it gets at least a draw.
    win: usize,
    draw: usize,
    /// The value follows from the answers.
    pub(super) both: usize,
}

/// The values of positions by two yes-no questions, over positions on which all have been asked.
pub(super) fn values(experiment: &Benchmark, scale: Scale, known: &Results) -> Vec<Valued> {
    let answers = |candidate, solver| {
        let win = known.get(&cell(candidate, solver, scale))?;
        let draw = known.get(&super::draw(candidate, solver, scale))?;
        Some([win, draw].map(|record| record.verdict.yes().filter(|_| record.verdict.proven())))
    };
    let asked: Vec<Vec<[Option<bool>; 2]>> = experiment
        .with_draws(scale, known)
        .into_iter()
        .filter_map(|(candidate, _)| VALUED.iter().map(|solver| answers(candidate, solver)).collect())
        .collect();
    let row = |(nth, solver): (usize, &&'static str)| {
        let count =
            |wanted: fn(&[Option<bool>; 2]) -> bool| asked.iter().filter(|all| wanted(&all[nth])).count();
        Valued {
            solver: short_name(solver),
            all: asked.len(),
            win: count(|[win, _]| win.is_some()),
            draw: count(|[_, draw]| draw.is_some()),
            // A win is at least a draw, and no draw is no win.
            both: count(|[win, draw]| {
                *win == Some(true) || *draw == Some(false) || win.is_some() && draw.is_some()
            }),
        }
    };
    VALUED.iter().enumerate().map(row).collect()
}

fn several(values: &[Valued]) -> Table {
    let all = values.first().map_or(0, |row| row.all);
    let mut table = Table::new(
        format!(
            "{all} positions of Connect Four and Reversi: answers to two questions, each within the limit, and values that follow"
        ),
        ["solver", "does it win?", "at least a draw?", "value"],
    );
    for Valued { solver, win, draw, both, .. } in values {
        table.row([(*solver).to_owned(), win.to_string(), draw.to_string(), both.to_string()]);
    }
    table
}

fn strata(outcome: &Outcome) -> Table {
    let ends: Vec<String> = STRATA.iter().map(|end| grouped(*end)).collect();
    let mut table = Table::new("Positions by game and by the positions that `alphabeta` enters", ["game"]);
    table.head.extend(ends.windows(2).map(|ends| format!("{} to {}", ends[0], ends[1])));
    table.head.push(format!("{} or more, or open", ends.last().map_or("", String::as_str)));
    for (game, (name, ..)) in GAMES.iter().enumerate() {
        let count = |stratum| outcome.instances.iter().filter(|one| **one == (game, stratum)).count();
        let mut row = vec![(*name).to_owned()];
        row.extend((1..=STRATA.len()).map(|stratum| count(stratum).to_string()));
        table.rows.push(row);
    }
    table
}

fn scores(outcome: &Outcome, scale: Scale) -> Table {
    let (all, limit) = (outcome.instances.len(), limit(scale));
    let mut table = Table::new(
        format!(
            "{all} positions, {} s each; the last three columns are about the virtual best solver",
            short(limit)
        ),
        [
            "solver",
            "solved",
            "share (95 %)",
            "PAR2 (s)",
            "fastest on",
            "solves alone",
            "PAR2 of the best without it (s)",
        ],
    );
    let best = outcome.best_without(None);
    let mut order: Vec<usize> = (0..SOLVERS.len()).collect();
    order.sort_by(|a, b| par2(&outcome.times[*a], limit).total_cmp(&par2(&outcome.times[*b], limit)));
    let row = |name: &str, times: &[Option<f64>]| {
        vec![
            name.to_owned(),
            solved(times).to_string(),
            range(Interval::share(solved(times), all), percent),
            short(par2(times, limit)),
        ]
    };
    for nth in order {
        let times = &outcome.times[nth];
        let without = outcome.best_without(Some(nth));
        let fastest = times.iter().zip(&best).filter(|(time, best)| time.is_some() && time == best).count();
        let alone =
            times.iter().zip(&without).filter(|(time, rest)| time.is_some() && rest.is_none()).count();
        let mut cells = row(short_name(SOLVERS[nth]), times);
        cells.extend([fastest.to_string(), alone.to_string(), short(par2(&without, limit))]);
        table.rows.push(cells);
    }
    let mut cells = row("virtual best solver", &best);
    cells.extend(["–", "–", "–"].map(str::to_owned));
    table.rows.push(cells);
    table
}

fn cactus(outcome: &Outcome) -> Figure {
    let best = outcome.best_without(None);
    let mut series: Vec<Series> = SOLVERS
        .iter()
        .zip(&outcome.times)
        .map(|(solver, times)| Series::cactus(short_name(solver), times.iter().flatten().copied()))
        .collect();
    series.push(Series::cactus("virtual best", best.into_iter().flatten()));
    series.sort_by_key(|series| std::cmp::Reverse(series.points.len()));
    let plot = Plot {
        x: Axis::linear("positions solved"),
        y: Axis::log("seconds for each"),
        series,
        diagonal: false,
    };
    plot.figure("cactus", "How many positions each solver solves with at most this much time for each; in the legend from most to fewest.")
}

fn pairs(outcome: &Outcome, scale: Scale) -> Table {
    let mut table = Table::new(
        format!("Pairs of solvers; p-values corrected by Holm for {} pairs", PAIRS.len()),
        ["first", "second", "only first", "only second", "McNemar", "Wilcoxon", "second takes, times"],
    );
    let found = PAIRS.map(|(one, other)| Pair::new(outcome.of(one), outcome.of(other), limit(scale)));
    let mcnemar = holm(&found.iter().map(|pair| pair.mcnemar).collect::<Vec<_>>());
    let wilcoxon = holm(&found.iter().map(|pair| pair.wilcoxon).collect::<Vec<_>>());
    for (nth, ((one, other), pair)) in PAIRS.iter().zip(&found).enumerate() {
        table.row([
            (*one).to_owned(),
            (*other).to_owned(),
            pair.alone.0.to_string(),
            pair.alone.1.to_string(),
            p_value(mcnemar[nth]),
            p_value(wilcoxon[nth]),
            pair.factor.map_or_else(|| "–".to_owned(), short),
        ]);
    }
    table
}

fn by_game(outcome: &Outcome) -> Table {
    let mut table = Table::new("Positions solved, by game; the most in bold", ["game", "positions"]);
    table.head.extend(SOLVERS.iter().map(|solver| short_name(solver).to_owned()));
    for (game, (name, ..)) in GAMES.iter().enumerate() {
        let here = |times: &Vec<Option<f64>>| {
            times.iter().zip(&outcome.instances).filter(|(time, one)| time.is_some() && one.0 == game).count()
        };
        let counts: Vec<usize> = outcome.times.iter().map(here).collect();
        let most = counts.iter().max().copied().unwrap_or(0);
        let all = outcome.instances.iter().filter(|one| one.0 == game).count();
        let mut row = vec![(*name).to_owned(), all.to_string()];
        row.extend(
            counts.iter().map(|&n| if n == most && n > 0 { format!("**{n}**") } else { n.to_string() }),
        );
        table.rows.push(row);
    }
    table
}
