//! The rules as understood, in plain sentences.

use super::board::{Board, Shape};
use super::rules::{Act, Again, End, Kind, Rule, Targets, Test, Winner};
use super::state::Described;
use delphic_game::bits::Bits;
use delphic_game::{Outcome, Player};

impl Described {
    /// The rules in sentences: board, pieces, moves, ends, and what was found out about them.
    pub fn sentences(&self) -> Vec<String> {
        let mut sentences = vec![board(&self.board)];
        sentences.extend(self.kinds.iter().map(piece));
        if self.start.hands[0] > 0 {
            sentences.push(format!("Each player has {} pieces in hand.", self.start.hands[0]));
        }
        sentences.push(format!("The {} player begins.", self.start.turn));
        sentences.extend(self.rules.iter().map(|rule| self.rule_sentence(rule)));
        sentences.extend(self.ends.iter().map(|end| self.end_sentence(end)));
        if !self.ends.iter().any(|end| matches!(end.test, Test::Stuck)) {
            sentences.push("A player who cannot move loses.".to_owned());
        }
        sentences.push(match self.endless {
            None => "Every game ends: no position can repeat.".to_owned(),
            Some(Outcome::DRAW) => "Positions can repeat; endless play is a draw.".to_owned(),
            Some(outcome) => {
                let winner = if outcome == Outcome::win(Player::FIRST) { "first" } else { "second" };
                format!("Positions can repeat; endless play is won by the {winner} player.")
            }
        });
        sentences.push(match self.symmetries.len() {
            0 => "The rules have no symmetry.".to_owned(),
            others => format!("The rules have {} symmetries, the identity among them.", others + 1),
        });
        sentences
    }

    /// The names of some pieces, seen from `me`.
    fn pieces(&self, targets: Targets, me: &str) -> String {
        let mut words: Vec<String> = Vec::new();
        let all = targets.own && targets.enemy && targets.shared;
        match all {
            true => words.push("any piece".to_owned()),
            false => {
                let named = [
                    (targets.own, format!("{me} own piece")),
                    (targets.enemy, "an enemy piece".to_owned()),
                    (targets.shared, "a shared piece".to_owned()),
                ];
                words.extend(named.into_iter().filter(|(on, _)| *on).map(|(_, word)| word));
            }
        }
        let named = self.kinds.iter().enumerate().filter(|(nth, _)| targets.kinds >> nth & 1 == 1);
        words.extend(named.map(|(_, kind)| kind.name.clone()));
        if targets.empty {
            words.insert(0, "an empty cell".to_owned());
        }
        if words.is_empty() { "nothing".to_owned() } else { words.join(" or ") }
    }

    fn zone(&self, set: u64) -> String {
        let known = self.board.zones.iter().find(|(_, zone)| *zone == set);
        known.map_or_else(
            || {
                set.cells()
                    .take(self.board.cells)
                    .map(|cell| self.board.names[cell].clone())
                    .collect::<Vec<_>>()
                    .join(", ")
            },
            |(name, _)| format!("the zone '{name}'"),
        )
    }

    /// The kinds that a rule moves, for those who may make it.
    fn movers(&self, rule: &Rule) -> String {
        let may = |kind: &Kind| kind.owner.is_none_or(|owner| rule.by[owner.index()]);
        let kinds =
            self.kinds.iter().enumerate().filter(|(nth, kind)| rule.kinds >> nth & 1 == 1 && may(kind));
        let names: Vec<&str> = kinds.map(|(_, kind)| kind.name.as_str()).collect();
        if names.is_empty() { "no piece".to_owned() } else { names.join(" or ") }
    }

    pub(super) fn rule_sentence(&self, rule: &Rule) -> String {
        let who = match rule.by {
            [true, true] => "A player".to_owned(),
            [first, _] => format!("The {} player", if first { "first" } else { "second" }),
        };
        let what = self.movers(rule);
        let mut text = match &rule.act {
            Act::Place { hand, beside, apart } => {
                let hand = if *hand { " from the hand" } else { "" };
                let mut text = format!("{who} may place {what}{hand} on an empty cell");
                if let Some(targets) = beside {
                    text += &format!(" beside {}", self.pieces(*targets, "an"));
                }
                if let Some(targets) = apart {
                    text += &format!(" that is not beside {}", self.pieces(*targets, "an"));
                }
                text
            }
            Act::Pair { .. } => {
                format!("{who} may place {what} on two empty neighbours{}", self.ways(&rule.act))
            }
            Act::Step { onto, .. } => {
                format!(
                    "{who} may move {what} one step{} to {}",
                    self.ways(&rule.act),
                    self.pieces(*onto, "an")
                )
            }
            Act::Slide { onto, .. } => {
                format!(
                    "{who} may move {what} along empty cells{} to {}",
                    self.ways(&rule.act),
                    self.pieces(*onto, "an")
                )
            }
            Act::Hop { over, takes, repeat, .. } => {
                let over = self.pieces(*over, "an");
                let takes = if *takes { ", which is taken" } else { "" };
                let repeat = if *repeat { ", once or more often in one direction" } else { "" };
                format!(
                    "{who} may jump with {what}{} over {over}{takes}, to the empty cell behind{repeat}",
                    self.ways(&rule.act)
                )
            }
            Act::Push { over, .. } => {
                let over = self.pieces(*over, "an");
                format!(
                    "{who} may step with {what}{} to {over}, which is pushed to the empty cell behind",
                    self.ways(&rule.act)
                )
            }
            Act::Leave => format!("{who} may take {what} off the board"),
            Act::Pass => format!("{who} who has no other move passes"),
        };
        if let Act::Step { onto, .. } | Act::Slide { onto, .. } = &rule.act
            && onto.has_pieces()
        {
            text += "; what stands there is taken";
        }
        if rule.from != u64::MAX {
            text += &format!(", from {}", self.zone(rule.from));
        }
        if rule.to != u64::MAX {
            text += &format!(", only to {}", self.zone(rule.to));
        }
        if let Some((kind, zone)) = rule.becomes {
            let place = if zone == u64::MAX { String::new() } else { format!(" in {}", self.zone(zone)) };
            text += &format!("; it becomes {}{place}", self.kinds[usize::from(kind)].name);
        }
        if rule.after_placing {
            text += ", once the hand is empty";
        }
        text += match rule.again {
            Again::Never => "",
            Again::Always => ", and moves again",
            Again::Takes => ", and moves again after taking",
            Again::Fills => ", and moves again after filling a region",
        };
        text + "."
    }

    /// The directions of a move, if they are not all of the board.
    fn ways(&self, act: &Act) -> String {
        let leads = |from: usize, to: usize| match act {
            Act::Pair { partners } => partners[from].has(to) || partners[to].has(from),
            Act::Step { reach, .. } => reach[from].has(to),
            Act::Slide { rays, .. } | Act::Hop { rays, .. } | Act::Push { rays, .. } => {
                rays[from].iter().any(|ray| usize::from(ray[0]) == to)
            }
            _ => true,
        };
        let directions = &self.board.directions;
        let used = |to: &[Option<u8>]| {
            to.iter().enumerate().any(|(from, to)| to.is_some_and(|to| leads(from, usize::from(to))))
        };
        let names: Vec<&str> =
            directions.iter().filter(|way| used(&way.to)).map(|way| way.name.as_str()).collect();
        match names.len() {
            0 => " by a leap".to_owned(),
            all if all == directions.len() => String::new(),
            _ => format!(" to the {}", names.join(", ")),
        }
    }

    pub(super) fn end_sentence(&self, end: &End) -> String {
        let what = match &end.test {
            Test::Line { length, of, .. } => {
                format!("After a move that makes a line of {length} cells with {}", self.pieces(*of, "an"))
            }
            Test::Reach { of, zone, count } => {
                let count = if *count == 1 { String::new() } else { format!("{count} times ") };
                format!("When {} stands {count}in {}", self.pieces(*of, "an"), self.zone(*zone))
            }
            Test::Connect { of, ends } => {
                format!(
                    "When a chain of {} joins {} and {}",
                    self.pieces(*of, "an"),
                    self.zone(ends[0]),
                    self.zone(ends[1])
                )
            }
            Test::Gone { of } => format!("When {} is not on the board any more", self.pieces(*of, "an")),
            Test::Surrounded { of } => format!("When {} has no empty neighbour", self.pieces(*of, "an")),
            Test::Full => "When the board is full".to_owned(),
            Test::Stuck => "When the player to move has no move".to_owned(),
        };
        let result = match end.winner {
            Winner::Last => "the player who moved last wins".to_owned(),
            Winner::Next => "the player to move wins".to_owned(),
            Winner::Always(player) => format!("the {player} player wins"),
            Winner::Nobody => "the game is a draw".to_owned(),
            Winner::Most if self.board.regions.is_empty() => "the player with more pieces wins".to_owned(),
            Winner::Most => "the player who filled more regions wins".to_owned(),
        };
        format!("{what}, {result}.")
    }
}

fn board(board: &Board) -> String {
    let (rows, cols) = (board.layout.len(), board.layout[0].len());
    let neighbours: u64 = board.near.iter().map(|set| set.count() as u64).sum::<u64>() / 2;
    let shape = match board.shape {
        Shape::Grid => format!("a grid of {rows} rows and {cols} columns"),
        Shape::Torus => format!("a torus of {rows} rows and {cols} columns"),
        Shape::Rhombus => format!("a rhombus of hexagons, {rows} rows and {cols} columns"),
        Shape::Triangle => format!("a triangle of hexagons, {rows} along a side"),
        Shape::Hexagon => format!("a hexagon of hexagons, {} along a side", rows.div_ceil(2)),
        Shape::Dots => format!("the lines around {} rows and {} columns of boxes", rows / 2, cols / 2),
        Shape::Graph => "a graph".to_owned(),
    };
    format!("The board is {shape}: {} cells, {neighbours} pairs of neighbours.", board.cells)
}

fn piece(kind: &Kind) -> String {
    let owner = kind.owner.map_or("both players".to_owned(), |owner| format!("the {owner} player"));
    match kind.name.chars().eq([kind.symbol]) {
        true => format!("{} belongs to {owner}.", kind.name),
        false => format!("{}, written {}, belongs to {owner}.", kind.name, kind.symbol),
    }
}
