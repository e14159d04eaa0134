//! Go capture problems: can this stone be captured? (Paper 4, §2.2 and §5.)
//!
//! The attacker wins when the target's point is empty; the defender wins when the target's chain has more liberties than the
//! limit. The defender may pass, the attacker may not. Suicide is illegal.
//!
//! # Ko favours the defender
//!
//! In a ko the attacker may not retake at once. The defender may, as if the defender always had a ko threat. So a proof of a capture holds
//! under the simple ko rule, whatever ko threats there are.
//!
//! # No position repeats
//!
//! A board can repeat only after captures by both sides. Positions include the number of the defender's stones taken so far, so they cannot
//! repeat; when a given number is reached the defender wins. This can only make a capture unprovable, never prove a false one: in a proof
//! that visits the same board twice, the attacker could have played the move of the second visit at the first.

mod text;

use super::Points;
use super::board::{Board, Stones};
use delphic_game::{Game, Hints, Outcome, Player, Progressive, Restriction, bits::Bits, patterns::Patterns};

/// The defender's pass.
pub const PASS: u16 = u16::MAX;
/// No point: nothing is forbidden.
pub(super) const NOWHERE: u16 = u16::MAX;

/// Rules for one board size.
#[derive(Clone, Debug)]
pub struct GoCapture {
    pub(super) board: Board,
    /// The order of threats by which moves are restricted: 0 for no restriction (see the module `go::zone`).
    pub(super) order: u8,
    /// Whether the attacker must threaten something.
    pub(super) strict: bool,
    /// The defender is safe once this many stones have been taken.
    pub(super) cap: u16,
}

/// A position of a capture problem. The target's point is empty once it has been captured.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    /// Black's stones and white's.
    pub stones: Stones,
    /// The point of the stone to capture.
    pub target: u16,
    /// The point that ko forbids the attacker now, or [`PASS`], which is none.
    pub ko: u16,
    /// Stones of the defender taken so far.
    pub taken: u16,
    /// The defender is safe with more liberties than this.
    pub limit: u16,
    /// The player who wants to capture.
    pub attacker: Player,
    /// The player to move.
    pub turn: Player,
}

impl State {
    /// Whether the attacker moves.
    #[inline]
    pub fn attacks(&self) -> bool {
        self.turn == self.attacker
    }

    /// The stones of the attacker.
    #[inline]
    pub fn attackers(&self) -> Points {
        self.stones[self.attacker.index()]
    }

    /// The stones of the defender.
    #[inline]
    pub fn defenders(&self) -> Points {
        self.stones[self.attacker.other().index()]
    }
}

impl GoCapture {
    /// All legal moves may be played.
    pub fn new(size: usize) -> GoCapture {
        GoCapture { board: Board::new(size), order: 0, strict: false, cap: 100 }
    }

    /// The attacker plays near the target, and if `strict` every move must threaten something of order up to `order`, from 1 for ladders to 3; the
    /// defender answers what is threatened, or plays anywhere if nothing is. See the module `go::zone`.
    pub fn zoned(self, order: u8, strict: bool) -> GoCapture {
        GoCapture { order, strict, ..self }
    }

    /// The board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The target's chain.
    #[inline]
    pub fn chain(&self, state: &State) -> Points {
        self.board.chain(state.target.into(), state.defenders())
    }

    /// The target's liberties.
    #[inline]
    pub fn liberties(&self, state: &State) -> Points {
        self.board.neighbours(self.chain(state)) & self.board.empty(&state.stones)
    }

    /// How many liberties the target has, 0 once it has been captured.
    pub(super) fn liberties_or_none(&self, state: &State) -> usize {
        if state.defenders().has(state.target.into()) { self.liberties(state).count() } else { 0 }
    }

    /// All points where the mover may put a stone.
    pub(super) fn legal(&self, state: &State) -> Points {
        let mut legal = self.board.placements(&state.stones, state.turn);
        if state.attacks() && state.ko != NOWHERE {
            legal = legal.without(Points::single(state.ko.into()));
        }
        legal
    }

    /// Puts a stone or passes; returns what was captured.
    #[inline]
    pub(super) fn step(&self, state: &mut State, mv: u16) -> Points {
        let who = state.turn;
        let mut captured = Points::EMPTY;
        state.ko = NOWHERE;
        if mv != PASS {
            captured = self.board.put(&mut state.stones, who, mv.into());
            if who == state.attacker {
                state.taken = state.taken.saturating_add(captured.count() as u16);
            } else if let Some(point) = self.board.ko(&state.stones, who, mv.into(), captured) {
                state.ko = point as u16;
            }
        }
        state.turn = who.other();
        captured
    }
}

impl Game for GoCapture {
    type State = State;
    /// The point, or [`PASS`].
    type Move = u16;

    /// A stone in the centre that a ladder catches, if the board has room for one.
    fn start(&self) -> State {
        let (size, middle) = (self.board.size(), self.board.size() / 2);
        let mut stones = [Points::EMPTY; 2];
        if size >= 4 {
            for (row, col) in [(middle - 1, middle), (middle, middle - 1), (middle + 1, middle - 1)] {
                stones[0].insert(self.board.point(row, col));
            }
        }
        let target = self.board.point(middle, middle);
        stones[1].insert(target);
        let (attacker, turn) = (Player::FIRST, Player::FIRST);
        let state = State { stones, target: target as u16, ko: NOWHERE, taken: 0, limit: 3, attacker, turn };
        // On one point the stone has no liberty: it is off the board at once.
        if size == 1 {
            return State { stones: [Points::EMPTY; 2], turn: Player::SECOND, ..state };
        }
        state
    }

    #[inline]
    fn turn(&self, state: &State) -> Player {
        state.turn
    }

    fn moves(&self, state: &State, list: &mut Vec<u16>) {
        let (points, pass) = self.choices(state);
        list.extend(points.cells().map(|point| point as u16));
        if pass {
            list.push(PASS);
        }
    }

    #[inline]
    fn play(&self, state: &mut State, mv: u16) {
        self.step(state, mv);
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        if !state.defenders().has(state.target.into()) {
            return Some(Outcome::win(state.attacker));
        }
        let safe = state.taken >= self.cap || self.liberties(state).count() > state.limit.into();
        safe.then(|| Outcome::loss(state.attacker))
    }

    /// If either side cannot move, the target stands.
    fn stuck(&self, state: &State) -> Outcome {
        Outcome::loss(state.attacker)
    }

    fn payoffs(&self) -> Vec<i16> {
        vec![-1, 1]
    }

    /// In a zone the attacker has fewer moves. The defender is spared only moves that lose (see the module `go::zone`), so a capture is one on
    /// the whole board.
    fn restriction(&self, state: &State) -> Option<Restriction> {
        let reason = match (self.order, self.strict) {
            (0, _) => return None,
            (_, false) => "the attacker plays near the target only",
            (_, true) => {
                "the attacker plays near the target only, and every move must threaten to capture it"
            }
        };
        Some(Restriction { player: Some(state.attacker), reason })
    }

    fn count_moves(&self, state: &State, _: &mut Vec<u16>) -> usize {
        let (points, pass) = self.choices(state);
        points.count() + usize::from(pass)
    }
}

impl Progressive for GoCapture {}

impl Hints for GoCapture {
    fn patterns(&self) -> Option<&dyn Patterns<State = State, Move = u16>> {
        Some(self)
    }

    /// A target in atari falls if the attacker moves and ko does not forbid it.
    fn static_outcome(&self, state: &State) -> Option<Outcome> {
        if !state.attacks() {
            return None;
        }
        let liberties = self.liberties(state);
        let falls = liberties.without_first().is_empty() && liberties.first() != usize::from(state.ko);
        falls.then(|| Outcome::win(state.attacker))
    }

    /// Every point is empty, black or white; the rest is small beside that.
    fn states(&self) -> Option<f64> {
        Some((self.board.size() * self.board.size()) as f64 * 3f64.log10() + 3.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use delphic_game::{Notation, conformance, play_all, read_moves};

    #[test]
    fn all_sizes_conform() {
        for size in [1, 2, 3, 4, 5] {
            conformance::check(&GoCapture::new(size));
        }
        for (order, strict) in [(1, true), (2, true), (1, false)] {
            conformance::check(&GoCapture::new(5).zoned(order, strict));
        }
    }

    fn after(game: &GoCapture, position: &str, moves: &str) -> State {
        let state = game.read(position).unwrap();
        play_all(game, &state, &read_moves(game, &state, moves).unwrap())
    }

    #[test]
    fn the_attacker_waits_with_a_ko_and_the_defender_does_not() {
        let game = GoCapture::new(4);
        // O takes at b3; X may not retake at once, though O might have.
        let position = ".XO./X.XO/.XO./.... o O:c4 4";
        let state = after(&game, position, "b3");
        assert_eq!(game.board.name(state.ko.into()), "c3");
        assert!(!game.legal(&state).has(state.ko.into()));
        let state = after(&game, position, "b3 d1 pass c3");
        assert_eq!(state.ko, NOWHERE, "the defender may retake at once");
        assert_eq!(state.taken, 1);
        assert!(game.legal(&state).has(game.board.named("b3").unwrap()));
    }

    #[test]
    fn the_game_ends_with_the_capture_or_the_liberties() {
        let game = GoCapture::new(3);
        let state = after(&game, "OX./.../... x O:a3 2", "a2");
        assert_eq!(game.outcome(&state), Some(Outcome::win(Player::FIRST)));
        let state = after(&game, "OX./.../... o O:a3 2", "a2");
        assert_eq!(game.outcome(&state), None);
        let state = after(&game, "OX./.../... o O:a3 1", "a2");
        assert_eq!(game.outcome(&state), Some(Outcome::win(Player::SECOND)));
    }
}
