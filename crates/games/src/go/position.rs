//! A position of Go with the player to move and the state of the ko rule.

use super::Points;
use super::board::{Board, Stones};
use delphic_game::{Player, bits::Bits};
use std::collections::HashSet;
use std::sync::Arc;
use thiserror::Error;

/// The rule that prevents repetition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ko {
    /// A stone that took one stone in a ko may not be retaken at once.
    Simple,
    /// No earlier board may be repeated.
    PositionalSuperko,
}

/// Why a move is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum IllegalMove {
    /// There is no such point.
    #[error("that is not a point of the board")]
    NoPoint,
    /// A stone lies there.
    #[error("the point is occupied")]
    Occupied,
    /// The stone would have no liberty.
    #[error("that would be suicide")]
    Suicide,
    /// The ko rule in force forbids it.
    #[error("ko forbids that")]
    Ko,
}

/// A position with what the rules need to know of the past.
#[derive(Clone, Debug)]
pub struct Position {
    board: Arc<Board>,
    rule: Ko,
    stones: Stones,
    turn: Player,
    /// The point that a ko forbids now.
    ban: Option<usize>,
    /// The boards that stood before, under superko.
    past: HashSet<Stones>,
}

impl Position {
    /// The empty board.
    pub fn new(board: Arc<Board>, rule: Ko) -> Position {
        Position::set_up(board, rule, [Points::EMPTY; 2], Player::FIRST)
    }

    /// Stones to begin with. They are taken as they are.
    pub fn set_up(board: Arc<Board>, rule: Ko, stones: Stones, turn: Player) -> Position {
        let past = if rule == Ko::PositionalSuperko { HashSet::from([stones]) } else { HashSet::new() };
        Position { board, rule, stones, turn, ban: None, past }
    }

    /// The stones.
    pub fn stones(&self) -> &Stones {
        &self.stones
    }

    /// The player to move.
    pub fn turn(&self) -> Player {
        self.turn
    }

    /// Sets the player to move, as some records do.
    pub fn set_turn(&mut self, turn: Player) {
        self.turn = turn;
    }

    /// The point that a simple ko forbids now.
    pub fn ban(&self) -> Option<usize> {
        self.ban
    }

    /// The side to move passes.
    pub fn pass(&mut self) {
        (self.turn, self.ban) = (self.turn.other(), None);
    }

    /// The side to move puts a stone on `point`, if it may; its captures are returned.
    pub fn play(&mut self, point: usize) -> Result<Points, IllegalMove> {
        let (board, who) = (&self.board, self.turn);
        if point >= Points::WIDTH || !board.all().has(point) {
            return Err(IllegalMove::NoPoint);
        }
        if !board.empty(&self.stones).has(point) {
            return Err(IllegalMove::Occupied);
        }
        if !board.breathes(&self.stones, who, point) {
            return Err(IllegalMove::Suicide);
        }
        let mut stones = self.stones;
        let captured = board.put(&mut stones, who, point);
        let forbidden = match self.rule {
            Ko::Simple => self.ban == Some(point),
            Ko::PositionalSuperko => self.past.contains(&stones),
        };
        if forbidden {
            return Err(IllegalMove::Ko);
        }
        if self.rule == Ko::PositionalSuperko {
            self.past.insert(stones);
        }
        self.ban = board.ko(&stones, who, point, captured);
        (self.stones, self.turn) = (stones, who.other());
        Ok(captured)
    }

    /// The number of ways to go on for `depth` moves, passes not among them.
    pub fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let after = |point| {
            let mut next = self.clone();
            next.play(point).ok().map(|_| next.perft(depth - 1))
        };
        self.board.empty(&self.stones).cells().filter_map(after).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same rules the slow way: an array, chains by recursion, nothing shared with the above.
    #[derive(Clone)]
    struct Slow {
        size: i32,
        cells: Vec<u8>,
        turn: u8,
        past: Vec<Vec<u8>>,
        superko: bool,
    }

    impl Slow {
        fn near(&self, at: i32) -> Vec<i32> {
            let (row, col) = (at / self.size, at % self.size);
            let places = [(row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)];
            let inside = |&(r, c): &(i32, i32)| r >= 0 && c >= 0 && r < self.size && c < self.size;
            places.iter().filter(|place| inside(place)).map(|(r, c)| r * self.size + c).collect()
        }

        fn flood(&self, at: i32, seen: &mut Vec<i32>) -> bool {
            seen.push(at);
            let mut breathes = false;
            for next in self.near(at) {
                match self.cells[next as usize] {
                    0 => breathes = true,
                    colour if colour == self.cells[at as usize] && !seen.contains(&next) => {
                        breathes |= self.flood(next, seen);
                    }
                    _ => {}
                }
            }
            breathes
        }

        fn play(&self, at: i32) -> Option<Slow> {
            let mut next = self.clone();
            if self.cells[at as usize] != 0 {
                return None;
            }
            next.cells[at as usize] = self.turn;
            for near in self.near(at) {
                if next.cells[near as usize] == 3 - self.turn {
                    let mut seen = Vec::new();
                    if !next.flood(near, &mut seen) {
                        seen.iter().for_each(|&dead| next.cells[dead as usize] = 0);
                    }
                }
            }
            if !next.flood(at, &mut Vec::new()) {
                return None;
            }
            // Simple ko forbids to restore the board before the last move; superko any board before.
            let reach = if self.superko { self.past.len() } else { 2 };
            if self.past.iter().rev().take(reach).any(|before| *before == next.cells) {
                return None;
            }
            next.past.push(next.cells.clone());
            next.turn = 3 - self.turn;
            Some(next)
        }

        fn perft(&self, depth: u32) -> u64 {
            if depth == 0 {
                return 1;
            }
            (0..self.size * self.size).filter_map(|at| self.play(at)).map(|next| next.perft(depth - 1)).sum()
        }
    }

    #[test]
    fn perft_agrees_with_a_slow_program() {
        for (size, depth) in [(1, 2), (2, 9), (3, 6), (4, 4)] {
            for rule in [Ko::Simple, Ko::PositionalSuperko] {
                let cells = vec![0; size * size];
                let superko = rule == Ko::PositionalSuperko;
                let slow = Slow { size: size as i32, past: vec![cells.clone()], cells, turn: 1, superko };
                let fast = Position::new(Arc::new(Board::new(size)), rule);
                for depth in 0..=depth {
                    assert_eq!(
                        fast.perft(depth),
                        slow.perft(depth),
                        "{size}x{size}, {depth} moves, {rule:?}"
                    );
                }
            }
        }
    }

    /// Random games on larger boards: the same moves are legal, the same stones stand.
    #[test]
    fn random_games_agree_with_a_slow_program() {
        let mut rng = delphic_game::Rng::new(3);
        for game in 0..30 {
            let (size, superko) = (4 + game % 4, game % 2 == 0);
            let board = Arc::new(Board::new(size));
            let rule = if superko { Ko::PositionalSuperko } else { Ko::Simple };
            let mut fast = Position::new(board.clone(), rule);
            let cells = vec![0; size * size];
            let mut slow = Slow { size: size as i32, past: vec![cells.clone()], cells, turn: 1, superko };
            for _ in 0..120 {
                let legal: Vec<usize> =
                    (0..size * size).filter(|&at| slow.play(at as i32).is_some()).collect();
                for at in 0..size * size {
                    let ok = fast.clone().play(board.point(at / size, at % size)).is_ok();
                    assert_eq!(ok, legal.contains(&at), "{at}");
                }
                if legal.is_empty() {
                    break;
                }
                let at = legal[rng.below(legal.len())];
                slow = slow.play(at as i32).unwrap();
                fast.play(board.point(at / size, at % size)).unwrap();
                for at in 0..size * size {
                    let point = board.point(at / size, at % size);
                    let colour = [1, 2].into_iter().find(|&c| fast.stones()[c as usize - 1].has(point));
                    assert_eq!(slow.cells[at], colour.unwrap_or(0));
                }
            }
        }
    }

    #[test]
    fn a_ko_is_not_retaken_at_once() {
        let board = Arc::new(Board::new(4));
        let at = |name: &str| board.named(name).unwrap();
        let set =
            |names: &[&str]| names.iter().fold(Points::EMPTY, |set, name| set | Points::single(at(name)));
        let stones = [set(&["b4", "a3", "b2"]), set(&["b3", "c4", "d3", "c2"])];
        let mut position = Position::set_up(board.clone(), Ko::Simple, stones, Player::FIRST);
        assert_eq!(position.play(at("c3")), Ok(set(&["b3"])));
        assert_eq!(position.play(at("b3")), Err(IllegalMove::Ko));
        position.pass();
        position.pass();
        assert_eq!(position.play(at("b3")), Ok(set(&["c3"])));
    }
}
