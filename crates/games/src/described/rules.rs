//! The rules of a description with names resolved and tables computed: pieces, kinds of moves, kinds of ends.

use super::state::State;
use delphic_game::{Outcome, Player, bits::Bits};

/// The most kinds of pieces.
pub(crate) const KINDS: usize = 4;

/// A kind of piece.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Kind {
    pub(crate) symbol: char,
    pub(crate) name: String,
    /// Whose it is; `None` if both players use it.
    pub(crate) owner: Option<Player>,
}

/// Pieces of some players or kinds, seen from a player.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Targets {
    pub(crate) empty: bool,
    pub(crate) own: bool,
    pub(crate) enemy: bool,
    pub(crate) shared: bool,
    /// Kinds by name, one bit each.
    pub(crate) kinds: u8,
}

impl Targets {
    pub(crate) const EMPTY: Targets =
        Targets { empty: true, own: false, enemy: false, shared: false, kinds: 0 };
    pub(crate) const OWN: Targets = Targets { empty: false, own: true, ..Targets::EMPTY };
    pub(crate) const ENEMY: Targets = Targets { empty: false, enemy: true, ..Targets::EMPTY };

    /// Whether any piece is among them.
    pub(crate) fn has_pieces(&self) -> bool {
        self.own || self.enemy || self.shared || self.kinds != 0
    }
}

/// A straight way from a cell: the cells it passes.
pub(crate) type Ray = Vec<u8>;

/// What a move does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Act {
    /// A new piece on an empty cell.
    Place {
        /// Whether it comes from a hand of limited size.
        hand: bool,
        /// A neighbour of the cell must be one of these, or none of them.
        beside: Option<Targets>,
        apart: Option<Targets>,
    },
    /// A new piece on two empty neighbours; the partners of every cell.
    Pair { partners: Vec<u64> },
    /// A piece goes to a neighbour, or leaps.
    Step { reach: Vec<u64>, onto: Targets },
    /// A piece goes any way along free cells.
    Slide { rays: Vec<Vec<Ray>>, onto: Targets },
    /// A piece jumps over a neighbour to the free cell behind it.
    Hop { rays: Vec<Vec<Ray>>, over: Targets, takes: bool, repeat: bool },
    /// A piece steps to an occupied neighbour and pushes what is there to the free cell behind.
    Push { rays: Vec<Vec<Ray>>, over: Targets },
    /// A piece leaves the board.
    Leave,
    /// Nothing, if nothing else is possible.
    Pass,
}

/// When the mover moves again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Again {
    Never,
    Always,
    /// If the move took a piece.
    Takes,
    /// If the move filled a region.
    Fills,
}

/// Moves of many pieces computed by one shift: from all these cells, the number of the target is greater by this difference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Shift {
    pub(crate) by: i8,
    pub(crate) from: u64,
}

impl Shift {
    /// Where the cells of a set go.
    #[inline]
    pub(crate) fn image(self, set: u64) -> u64 {
        let set = set & self.from;
        if self.by >= 0 { set << self.by } else { set >> -self.by }
    }

    /// A table of targets as shifts, if few are enough.
    pub(crate) fn of(table: &[u64]) -> Vec<Shift> {
        const FEW: usize = 12;
        let mut shifts: Vec<Shift> = Vec::new();
        for (cell, set) in table.iter().enumerate() {
            for to in set.cells() {
                let by = (to as i32 - cell as i32) as i8;
                match shifts.iter_mut().find(|shift| shift.by == by) {
                    Some(shift) => shift.from |= 1 << cell,
                    None => shifts.push(Shift { by, from: 1 << cell }),
                }
            }
        }
        if shifts.len() > FEW { Vec::new() } else { shifts }
    }
}

/// A way to move.
#[derive(Clone, Debug)]
pub(crate) struct Rule {
    pub(crate) by: [bool; 2],
    /// The kinds that move or are placed, one bit each.
    pub(crate) kinds: u8,
    pub(crate) act: Act,
    pub(crate) from: u64,
    pub(crate) to: u64,
    /// What the piece becomes on some cells.
    pub(crate) becomes: Option<(u8, u64)>,
    pub(crate) again: Again,
    /// Only once all pieces of the hand are placed.
    pub(crate) after_placing: bool,
    /// The steps or pairs of the rule as shifts; empty if they are looked up cell by cell.
    pub(crate) shifts: Vec<Shift>,
}

impl Rule {
    /// Where the rule could bring a piece from a cell, or which cells it could cover together with it.
    pub(crate) fn targets(&self, from: usize) -> u64 {
        match &self.act {
            Act::Step { reach: table, .. } | Act::Pair { partners: table } => table[from],
            Act::Slide { rays, .. } | Act::Hop { rays, .. } | Act::Push { rays, .. } => {
                rays[from].iter().flatten().fold(0, |set, &cell| set | 1 << cell)
            }
            Act::Place { .. } => 1 << from,
            Act::Leave | Act::Pass => 0,
        }
    }
}

/// What ends the game after a move.
#[derive(Clone, Debug)]
pub(crate) enum Test {
    /// This number of them in a straight line; the lines through every cell.
    Line { length: usize, of: Targets, through: Vec<Vec<u64>> },
    /// At least this many of them stand there.
    Reach { of: Targets, zone: u64, count: u32 },
    /// A chain of them joins two sets of cells.
    Connect { of: Targets, ends: [u64; 2] },
    /// None of them is left.
    Gone { of: Targets },
    /// One of them has no free neighbour.
    Surrounded { of: Targets },
    /// No cell is empty.
    Full,
    /// The player to move has no move.
    Stuck,
}

/// Who wins at an end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Winner {
    /// The player who moved last.
    Last,
    /// The player who would move next.
    Next,
    /// This player.
    Always(Player),
    /// Nobody.
    Nobody,
    /// The player with more regions, or with more pieces where there are no regions.
    Most,
}

/// An end of the game.
#[derive(Clone, Debug)]
pub(crate) struct End {
    pub(crate) test: Test,
    pub(crate) winner: Winner,
}

impl Winner {
    /// The result, if `last` moved last. `lead` is by how much the first player leads.
    pub(crate) fn outcome(self, last: Player, lead: i32) -> Outcome {
        match self {
            Winner::Last => Outcome::win(last),
            Winner::Next => Outcome::loss(last),
            Winner::Always(player) => Outcome::win(player),
            Winner::Nobody => Outcome::DRAW,
            Winner::Most => Outcome::score(lead.signum() as i16),
        }
    }
}

/// How a result is kept in a state: 0 if the game goes on.
pub(crate) fn code(outcome: Option<Outcome>) -> u8 {
    match outcome.map(|outcome| outcome.payoff(Player::FIRST)) {
        None => 0,
        Some(1) => 1,
        Some(0) => 2,
        Some(_) => 3,
    }
}

/// The result that a state keeps.
#[inline]
pub(crate) fn decode(state: &State) -> Option<Outcome> {
    match state.over {
        0 => None,
        1 => Some(Outcome::win(Player::FIRST)),
        2 => Some(Outcome::DRAW),
        _ => Some(Outcome::win(Player::SECOND)),
    }
}
