//! Counts of the paper that ours do not meet: the same searches with other settings, in search of an explanation.

use super::{Board, DOMAINS, NAME, labelled, named, nodes_of, number};
use crate::report::Number::{self, Is};
use crate::report::{Block, Table, ratio, short};
use crate::text::grouped;
use crate::{Caps, Cell, Results, Scale};

/// A count that differs: its board, its solver, the settings tried, and what they show.
pub(super) struct Differing {
    domain: usize,
    board: usize,
    pub(super) label: &'static str,
    /// Seconds at quick.
    seconds: u64,
    settings: &'static [Setting],
    conclusion: &'static str,
}

struct Setting {
    what: &'static str,
    game: &'static str,
    solver: &'static str,
    /// Whether it is a count of the same solver and board, and not one that tests an explanation elsewhere.
    here: bool,
}

const fn here(what: &'static str, game: &'static str, solver: &'static str) -> Setting {
    Setting { what, game, solver, here: true }
}

const fn elsewhere(what: &'static str, game: &'static str, solver: &'static str) -> Setting {
    Setting { what, game, solver, here: false }
}

/// The board turned by a quarter is the same board with the other player first.
const PNT: [Setting; 9] = [
    here("last of equals", "domineering:6x5", "pnt:ties=last"),
    here("split", "domineering:6x5", "pnt:ties=split"),
    here("random of equals", "domineering:6x5", "pnt:ties=random"),
    here("weak sums", "domineering:6x5", "pnt:sum=weak"),
    here("symmetric positions shared", "domineering:6x5", "pnt:symmetry=on"),
    here("pn = dn = 1 at leaves", "domineering:6x5", "pnt:prior=unit"),
    here("board turned", "domineering:5x6", "pnt"),
    here("board turned, split", "domineering:5x6", "pnt:ties=split"),
    elsewhere("board turned, PPT (paper 27,766)", "domineering:5x6", "ppt:ties=split"),
];

const PP2: [Setting; 5] = [
    here("first of equals", "nogo:1x18", "pp2:ties=first"),
    here("random of equals", "nogo:1x18", "pp2:ties=random"),
    here("½ at leaves, split", "nogo:1x18", "pp2:prior=half,ties=split"),
    here("½ at leaves, first of equals", "nogo:1x18", "pp2:prior=half,ties=first"),
    elsewhere("½ at leaves on Domineering 5×6 (paper 3,634)", "domineering:6x5", "pp2:prior=half,ties=split"),
];

const PN2: [Setting; 4] = [
    here("as in the table, with a longer limit", "nogo:4x4", "pn2"),
    here("pn = dn = 1 at leaves", "nogo:4x4", "pn2:prior=unit"),
    here("random of equals", "nogo:4x4", "pn2:ties=random"),
    elsewhere("pn = dn = 1 at leaves on Domineering 5×6 (paper 17,236)", "domineering:6x5", "pn2:prior=unit"),
];

pub(super) const DIFFERING: [Differing; 3] = [
    Differing {
        domain: 0,
        board: 0,
        label: "PNT",
        seconds: 30,
        settings: &PNT,
        conclusion: "Ties, sums and leaves do not explain it. The board turned by a quarter comes near, but the paper's other counts are not of that board: PPT creates several times the paper's nodes there. So the paper's PNT may have had the other player first; nothing else was found.",
    },
    Differing {
        domain: 1,
        board: 1,
        label: "PP²",
        seconds: 30,
        settings: &PP2,
        conclusion: "Without mobility at the leaves the count comes near; ties change little. So the paper's PP² may have had ½ at the leaves on NoGo. Not on Domineering, where mobility meets its counts within 1 % and ½ does not.",
    },
    Differing {
        domain: 1,
        board: 0,
        label: "PN²",
        seconds: 90,
        settings: &PN2,
        conclusion: "The paper gives the size of the second search as that of the main tree, as here, and does not say whether the second tree shares positions.",
    },
];

impl Differing {
    fn board(&self) -> &'static Board {
        &DOMAINS[self.domain].boards[self.board]
    }

    fn cell(&self, setting: &Setting, scale: Scale) -> Cell {
        let nodes = scale.pick(20_000, 10_000_000, 10_000_000);
        let caps = Caps::nodes(nodes).seconds(scale.pick(1, self.seconds, 10_800)).bytes(4 << 30);
        Cell::solve(NAME, setting.game, "", named(setting.solver), caps)
    }

    fn count(&self, setting: &Setting, scale: Scale, known: &Results) -> Number {
        number(known.get(&self.cell(setting, scale)), |record| record.stats.created as f64)
    }

    fn comparable(&self) -> impl Iterator<Item = &'static Setting> {
        self.settings.iter().filter(|setting| setting.here)
    }

    /// The setting that comes nearest to the paper's count, with ours over the paper's.
    pub(super) fn nearest(&self, scale: Scale, known: &Results) -> Option<(&'static str, f64)> {
        let Is(theirs) = labelled(self.label).of(&self.board().nodes) else { return None };
        let found = self.comparable().filter_map(|setting| match self.count(setting, scale, known) {
            Is(ours) => Some((setting.what, ours / theirs)),
            _ => None,
        });
        found.min_by(|a, b| a.1.ln().abs().total_cmp(&b.1.ln().abs()))
    }

    /// The count of the table's own solver with a longer limit, if that was tried.
    pub(super) fn longer(&self, solver: &str, scale: Scale, known: &Results) -> Number {
        let same =
            self.comparable().find(|setting| setting.solver == solver && setting.game == self.board().game);
        same.map_or(Number::Missing, |setting| self.count(setting, scale, known))
    }

    /// Whether any other setting was run, besides a longer limit.
    pub(super) fn was_run(&self, scale: Scale, known: &Results) -> bool {
        let mut others = self.comparable().filter(|setting| {
            setting.solver != labelled(self.label).solver || setting.game != self.board().game
        });
        others.any(|setting| self.count(setting, scale, known) != Number::Missing)
    }

    fn in_words(&self, scale: Scale, known: &Results) -> String {
        let name = format!("{} on {}", self.label, self.board().name);
        if !self.was_run(scale, known) {
            return format!("**{name}**: no other settings were run on this board. {}", self.conclusion);
        }
        let settings = self.comparable().count();
        let found = match self.nearest(scale, known) {
            Some((setting, times)) => {
                format!(
                    "the nearest of {settings} settings is \"{setting}\", {} times the paper's count",
                    short(times)
                )
            }
            None => format!("none of {settings} settings solves it within the limit"),
        };
        format!("**{name}**: {found}. {}", self.conclusion)
    }
}

/// The differing count of a solver on a board, if it is one of these.
pub(super) fn differing(board: &Board, label: &str) -> Option<&'static Differing> {
    DIFFERING.iter().find(|one| one.label == label && one.board().game == board.game)
}

pub(super) fn cells(scale: Scale) -> Vec<Cell> {
    let of = |one: &'static Differing| one.settings.iter().map(move |setting| one.cell(setting, scale));
    DIFFERING.iter().flat_map(of).collect()
}

pub(super) fn blocks(scale: Scale, known: &Results) -> Vec<Block> {
    let mut table = Table::new(
        "Counts that differ from the paper's, with other settings: created nodes",
        ["board", "solver", "setting", "paper", "ours", "ours / paper"],
    );
    let whole = |value: f64| grouped(value.round() as u64);
    for one in &DIFFERING {
        let (entry, board) = (labelled(one.label), one.board());
        let theirs = entry.of(&board.nodes);
        let mut row = |setting: &str, theirs: Number, ours: Number| {
            let names = [board.name, one.label, setting].map(str::to_owned);
            table.rows.push(
                names
                    .into_iter()
                    .chain([theirs.show(whole), ours.show(whole), ratio(ours, theirs)])
                    .collect(),
            );
        };
        row("as in the table", theirs, nodes_of(board, entry, scale, known));
        for setting in one.settings {
            let theirs = if setting.here { theirs } else { Number::Missing };
            row(setting.what, theirs, one.count(setting, scale, known));
        }
    }
    let mut blocks = vec![Block::heading("What is not explained"), table.into()];
    blocks.extend(DIFFERING.iter().map(|one| Block::text(one.in_words(scale, known))));
    blocks
}
