//! The moves that are searched in a capture problem.
//!
//! # The attacker
//!
//! The attacker's moves may be restricted arbitrarily: a capture forced with fewer moves is a capture. Here the attacker plays only near the
//! target; with `zone=threats` each move must also be a threat: if the defender passed, the target would be captured by forcing play. A failure
//! then means only that such attacks fail.
//!
//! # The defender
//!
//! Only losing moves of the defender may be left out. Suppose that the attacker has a proof that the target is captured if the defender passes.
//! Everything that this proof depends on lies in a set of points, its *zone* (after Thomsen's lambda search, 2000, and the relevance zones of
//! Shih et al. 2022). A defender's stone outside the zone changes nothing that the proof depends on, so the same proof refutes it. Only moves
//! inside the zone have to be searched.
//!
//! For this the zone must determine, for every move of the proof, whether it is legal and what it does: two boards that agree on the zone (the
//! defender having more stones elsewhere, the attacker fewer) must give the same result. So the zone of a proof contains
//!
//! 1. the target's chain and its neighbours, at every position: they decide its liberties, hence who has won;
//! 2. for every stone put, its point and the neighbours of it, which also decide what is a ko; the neighbouring enemy chains, with all their
//!    neighbours if they are captured, otherwise with one liberty that keeps them; if the stone lives only by its own neighbouring chains, one of them and a liberty of it;
//! 3. where the defender has a move of the zone that is suicide, what makes it so: the defender's neighbouring chains with all their neighbours, and the
//!    enemy's with a liberty each;
//! 4. for every chain of the attacker that lies partly in the zone when the stone outside is put: a liberty, so that the stone cannot capture it.
//!
//! Moves outside lose, so leaving them out changes no value. The test `zones_change_no_value` compares with all legal moves.

use super::capture::State;
use super::{GoCapture, PASS, Points};
use delphic_game::bits::Bits;

/// The position limit of the search for a threat, by its order. If none is found within it, there is no threat.
const PATIENCE: [u32; 4] = [1, 300, 1200, 5000];

impl GoCapture {
    /// Where the mover may put a stone, and whether passing is allowed.
    #[inline]
    pub(super) fn choices(&self, state: &State) -> (Points, bool) {
        if self.order == 0 {
            return (self.legal(state), !state.attacks());
        }
        if state.attacks() {
            return (self.legal(state) & self.nearby(state, 2), false);
        }
        match self.threat(state, self.order) {
            // The attacker's last move threatened nothing, which is not allowed: the game ends and the target stands.
            None if self.strict => (Points::EMPTY, false),
            None => (self.legal(state), true),
            Some(zone) => {
                let answers = self.legal(state) & zone;
                (answers, answers.is_empty())
            }
        }
    }

    /// The attacker's candidates: liberties of the target and points within `reach` of them; liberties of attacking chains around it that
    /// have few, and of the defender's chains that press those.
    fn nearby(&self, state: &State, reach: u32) -> Points {
        let (board, empty) = (&self.board, self.board.empty(&state.stones));
        let chain = self.chain(state);
        let around = board.neighbours(chain);
        let mut near = around & empty;
        for _ in 0..reach {
            near |= board.neighbours(near) & empty;
        }
        // What lies there may be short of liberties: own chains save themselves or take what presses them, enemy chains in atari fall.
        let there = around | board.neighbours(near);
        let weak = |chain: Points, most: usize| {
            let liberties = board.neighbours(chain) & empty;
            (liberties.count() <= most).then_some(liberties)
        };
        for own in board.chains(there, state.attackers()) {
            if let Some(liberties) = weak(own, 2) {
                near |= liberties;
                for enemy in board.chains(board.neighbours(own), state.defenders().without(chain)) {
                    near |= weak(enemy, 2).unwrap_or_default();
                }
            }
        }
        for enemy in board.chains(there, state.defenders().without(chain)) {
            near |= weak(enemy, 1).unwrap_or_default();
        }
        near
    }

    /// The zone of what the attacker threatens if the defender, who is to move, passes: the capture itself, or forcing play of an
    /// order up to `order`.
    fn threat(&self, state: &State, order: u8) -> Option<Points> {
        (0..=order).find_map(|order| {
            let mut left = PATIENCE[usize::from(order)];
            self.threat_of(state, order, &mut left)
        })
    }

    fn threat_of(&self, state: &State, order: u8, left: &mut u32) -> Option<Points> {
        let mut passed = *state;
        self.step(&mut passed, PASS);
        let zone = self.attack(&passed, order, left)?;
        Some(self.closed(state, zone))
    }

    /// The zone of a proof that the attacker, to move, captures the target by moves each of which threatens something of a lower order.
    fn attack(&self, state: &State, order: u8, left: &mut u32) -> Option<Points> {
        *left = left.checked_sub(1)?;
        let chain = self.chain(state);
        let seen = self.board.closure(chain);
        let liberties = seen & self.board.empty(&state.stones);
        let count = liberties.count();
        if count > state.limit.into() || state.taken >= self.cap {
            return None;
        }
        if count == 1 && liberties.first() != usize::from(state.ko) {
            return Some(seen);
        }
        let candidates = match order {
            0 => return None,
            // A ladder is nothing but atari.
            1 if count == 2 => liberties,
            1 => return None,
            _ => self.nearby(state, 1),
        };
        candidates.cells().find_map(|point| {
            if point == usize::from(state.ko) || !self.board.breathes(&state.stones, state.turn, point) {
                return None;
            }
            let mut next = *state;
            self.step(&mut next, point as u16);
            let zone = self.defend(&next, order, left)?;
            Some(zone | seen | self.effects(state, point))
        })
    }

    /// The same with the defender to move.
    fn defend(&self, state: &State, order: u8, left: &mut u32) -> Option<Points> {
        *left = left.checked_sub(1)?;
        let threat = (0..order).find_map(|order| self.threat_of(state, order, left))?;
        let mut zone = threat;
        for point in (threat & self.board.empty(&state.stones)).cells() {
            zone |= if self.board.breathes(&state.stones, state.turn, point) {
                let mut next = *state;
                self.step(&mut next, point as u16);
                self.attack(&next, order, left)? | self.effects(state, point)
            } else {
                self.suicide(state, point)
            };
        }
        Some(self.closed(state, zone))
    }

    /// What decides that the mover may put a stone on `point`, and what that does (point 2 above).
    fn effects(&self, state: &State, point: usize) -> Points {
        let (board, who) = (&self.board, state.turn);
        let around = board.around(point);
        let others = board.empty(&state.stones).without(Points::single(point));
        let mut zone = around | Points::single(point);
        let mut breathes = around.meets(others);
        for enemy in board.chains(around, state.stones[who.other().index()]) {
            let liberties = board.neighbours(enemy) & others;
            breathes |= liberties.is_empty();
            zone |= if liberties.is_empty() {
                board.closure(enemy)
            } else {
                enemy | Points::single(liberties.first())
            };
        }
        if !breathes {
            let alive = board.chains(around, state.stones[who.index()]).find_map(|own| {
                let liberties = board.neighbours(own) & others;
                (!liberties.is_empty()).then(|| own | Points::single(liberties.first()))
            });
            zone |= alive.unwrap_or(board.all());
        }
        zone
    }

    /// What decides that the mover may not put a stone on `point` (point 3 above).
    fn suicide(&self, state: &State, point: usize) -> Points {
        let (board, who) = (&self.board, state.turn);
        let around = board.around(point);
        let others = board.empty(&state.stones).without(Points::single(point));
        let mut zone = around | Points::single(point);
        for own in board.chains(around, state.stones[who.index()]) {
            zone |= board.closure(own);
        }
        for enemy in board.chains(around, state.stones[who.other().index()]) {
            zone |= enemy | Points::single((board.neighbours(enemy) & others).first());
        }
        zone
    }

    /// A zone in which every chain of the attacker that lies partly in it has a liberty (point 4 above).
    fn closed(&self, state: &State, mut zone: Points) -> Points {
        let empty = self.board.empty(&state.stones);
        for own in self.board.chains(zone, state.attackers()) {
            let liberties = self.board.neighbours(own) & empty;
            if !liberties.meets(zone) {
                zone.insert(liberties.first());
            }
        }
        zone
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use delphic_game::{Game, Hints, Notation, Outcome, Player, Rng, Verdict};
    use std::collections::HashMap;

    /// Whether the attacker wins, the attacker trying all legal moves, the defender those that `answers` gives.
    fn captures(
        game: &GoCapture,
        state: &State,
        answers: &dyn Fn(&State) -> Points,
        known: &mut HashMap<State, bool>,
    ) -> Option<bool> {
        if let Some(outcome) = game.outcome(state) {
            return Some(outcome == Outcome::win(state.attacker));
        }
        if let Some(&yes) = known.get(state) {
            return Some(yes);
        }
        if known.len() > 10_000 {
            return None;
        }
        let points = if state.attacks() { game.legal(state) } else { game.legal(state) & answers(state) };
        let pass = (!state.attacks()).then_some(PASS);
        let mut yes = !state.attacks();
        for mv in pass.into_iter().chain(points.cells().map(|point| point as u16)) {
            let mut next = *state;
            game.play(&mut next, mv);
            if captures(game, &next, answers, known)? == state.attacks() {
                yes = state.attacks();
                break;
            }
        }
        known.insert(*state, yes);
        Some(yes)
    }

    /// A random position with stones that breathe and a target among them.
    fn random(game: &GoCapture, rng: &mut Rng) -> Option<State> {
        let mut state = game.start();
        state.stones = [Points::EMPTY; 2];
        for _ in 0..4 + rng.below(10) {
            let (seat, point) = (rng.below(2), game.board().all().nth(rng.below(game.board().all().count())));
            if game.board().may_place(&state.stones, Player::new(seat), point) {
                game.board().put(&mut state.stones, Player::new(seat), point);
            }
        }
        if state.stones[1].is_empty() {
            return None;
        }
        state.target = state.stones[1].nth(rng.below(state.stones[1].count())) as u16;
        state.limit = 1 + rng.below(4) as u16;
        state.turn = Player::new(rng.below(2));
        game.check(&state).ok().map(|()| state)
    }

    /// The value of a position is the same whether the defender may play anywhere or only where threats of some order demand it.
    #[test]
    fn zones_change_no_value() {
        let mut rng = Rng::new(1);
        let (mut compared, mut won, mut spared) = (0, 0, 0);
        for round in 0..240 {
            let size = 3 + round % 3;
            let game = GoCapture { cap: 6, ..GoCapture::new(size) };
            let Some(state) = random(&game, &mut rng) else { continue };
            let Some(plain) = captures(&game, &state, &|_| game.board().all(), &mut HashMap::new()) else {
                continue;
            };
            for order in 0..=2 {
                let left_out = std::cell::Cell::new(0);
                let answers = |state: &State| match game.threat(state, order) {
                    None => game.board().all(),
                    Some(zone) => {
                        left_out.set(left_out.get() + game.legal(state).without(zone).count());
                        zone
                    }
                };
                let Some(zoned) = captures(&game, &state, &answers, &mut HashMap::new()) else { continue };
                assert_eq!(zoned, plain, "order {order}: {}", game.write(&state));
                spared += left_out.get();
                compared += 1;
                won += usize::from(plain);
            }
        }
        assert!(compared > 100 && won > 20 && spared > 1_000, "{compared} {won} {spared}");
    }

    /// Whether the attacker wins the game as it is listed, by plain minimax; `None` if that takes too long.
    fn wins(game: &GoCapture, state: &State, known: &mut HashMap<State, bool>) -> Option<bool> {
        if let Some(outcome) = game.outcome(state) {
            return Some(outcome == Outcome::win(state.attacker));
        }
        if let Some(&yes) = known.get(state) {
            return Some(yes);
        }
        if known.len() > 10_000 {
            return None;
        }
        let mut moves = Vec::new();
        game.moves(state, &mut moves);
        // A side without a move leaves the target where it is.
        let mut yes = !state.attacks() && !moves.is_empty();
        for mv in moves {
            let mut next = *state;
            game.play(&mut next, mv);
            if wins(game, &next, known)? == state.attacks() {
                yes = state.attacks();
                break;
            }
        }
        known.insert(*state, yes);
        Some(yes)
    }

    /// What the restriction promises: a capture in the zone is one on the whole board. A failure is not, and such failures exist.
    #[test]
    fn captures_in_the_zone_hold_and_failures_do_not() {
        let mut rng = Rng::new(5);
        let (mut captured, mut missed) = ([0; 2], [0; 2]);
        for round in 0..600 {
            let game = GoCapture { cap: 6, ..GoCapture::new(3 + round % 3) };
            let Some(state) = random(&game, &mut rng) else { continue };
            assert_eq!(game.restriction(&state), None);
            let Some(truth) = wins(&game, &state, &mut HashMap::new()) else { continue };
            for strict in [false, true] {
                let zoned = game.clone().zoned(1, strict);
                let restriction = zoned.restriction(&state).expect("a zone restricts");
                let Some(found) = wins(&zoned, &state, &mut HashMap::new()) else { continue };
                for asked in [state.attacker, state.attacker.other()] {
                    let [found, truth] =
                        [found, truth].map(|wins| Verdict::of(wins == (asked == state.attacker)));
                    let kept = restriction.verdict(asked, found);
                    assert!(kept == Verdict::Open || kept == truth, "{strict} {}", game.write(&state));
                }
                captured[usize::from(strict)] += usize::from(found);
                missed[usize::from(strict)] += usize::from(truth && !found);
            }
        }
        // On boards this small everything is near, so only the attacker who must threaten misses captures.
        assert!(captured.iter().all(|&n| n > 20) && missed[1] > 0, "{captured:?} {missed:?}");
    }

    /// The move that captures here, e8, is not near the target (all legal moves prove the capture with two million positions), so the
    /// zone's answer is a loss, and not one for the whole board.
    #[test]
    fn a_capture_that_starts_outside_the_zone_is_not_disproved() {
        let text = "XOO.X.OO./XO.O.O.OX/XXOOXOOXX/XXXOXOXXX/OOXXXXXOO/O.OX.XO.O/.OOX.XOO./X..X.X..X/.OXX.XXOO x O:g9 6";
        let (plain, zoned) = (GoCapture::new(9), GoCapture::new(9).zoned(1, false));
        let state = plain.read(text).unwrap();
        let e8 = plain.board().named("e8").unwrap();
        assert!(plain.choices(&state).0.has(e8) && !zoned.choices(&state).0.has(e8));
        assert_eq!(wins(&zoned, &state, &mut HashMap::new()), Some(false));
        let restriction = zoned.restriction(&state).unwrap();
        assert_eq!(restriction.verdict(Player::FIRST, Verdict::Disproved), Verdict::Open);
    }

    /// A move that the zone leaves out loses to the attacker, at every position of random play.
    #[test]
    fn threats_are_real() {
        let mut rng = Rng::new(2);
        let mut checked = 0;
        for round in 0..150 {
            let game = GoCapture { cap: 6, ..GoCapture::new(3 + round % 3) };
            let Some(mut state) = random(&game, &mut rng) else { continue };
            state.turn = state.attacker.other();
            if game.outcome(&state).is_some() {
                continue;
            }
            let Some(zone) = game.threat(&state, 2) else { continue };
            let everywhere = |_: &State| game.board().all();
            for mv in game.legal(&state).without(zone).cells().map(|point| point as u16).chain([PASS]) {
                let mut next = state;
                game.play(&mut next, mv);
                let mut known = HashMap::new();
                if let Some(yes) = captures(&game, &next, &everywhere, &mut known) {
                    assert!(yes, "{} does not lose in {}", game.write_move(&state, mv), game.write(&state));
                    checked += 1;
                }
            }
        }
        assert!(checked > 50, "{checked}");
    }

    #[test]
    fn ladders_and_nets_are_seen() {
        let game = GoCapture::new(9);
        let mut state = game.start();
        assert!(game.static_outcome(&state).is_none());
        state.turn = Player::SECOND;
        state.limit = 4;
        assert_eq!(game.liberties(&state).count(), 2);
        assert!(game.threat(&state, 1).is_some(), "a ladder without a breaker works");
    }
}
