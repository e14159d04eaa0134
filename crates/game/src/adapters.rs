//! Adapters: variants of a game that are games themselves.

use crate::patterns::Patterns;
use crate::picture::Picture;
use crate::{
    Appraisal, Force, Game, Hints, Notation, NotationError, Outcome, Player, Progressive, Restriction, Rng,
    Verdict, mix, result,
};

/// The game, or its misère form, in which every payoff is negated: the winner loses.
///
/// The choice is a value and not a type, because all searches are compiled for every further type. The branch is taken once per
/// finished game.
///
/// ```
/// use delphic_game::adapters::Misere;
/// use delphic_game::random_tree::RandomTree;
/// use delphic_game::{Game, Rng, playout};
///
/// let play = |on| {
///     let game = Misere { game: RandomTree::small(3), on };
///     playout(&game, &mut game.start(), &mut Rng::new(1), &mut Vec::new())
/// };
/// assert_eq!(play(true), play(false).negated());
/// ```
#[derive(Clone, Debug)]
pub struct Misere<G> {
    /// The rules.
    pub game: G,
    /// Whether payoffs are negated.
    pub on: bool,
}

impl<G> Misere<G> {
    #[inline]
    fn sense(&self, outcome: Outcome) -> Outcome {
        if self.on { outcome.negated() } else { outcome }
    }
}

impl<G: Game> Game for Misere<G> {
    type State = G::State;
    type Move = G::Move;

    fn start(&self) -> G::State {
        self.game.start()
    }
    #[inline]
    fn turn(&self, state: &G::State) -> Player {
        self.game.turn(state)
    }
    #[inline]
    fn moves(&self, state: &G::State, list: &mut Vec<G::Move>) {
        self.game.moves(state, list);
    }
    #[inline]
    fn play(&self, state: &mut G::State, mv: G::Move) {
        self.game.play(state, mv);
    }
    #[inline]
    fn outcome(&self, state: &G::State) -> Option<Outcome> {
        self.game.outcome(state).map(|outcome| self.sense(outcome))
    }
    #[inline]
    fn stuck(&self, state: &G::State) -> Outcome {
        self.sense(self.game.stuck(state))
    }
    fn endless(&self) -> Option<Outcome> {
        self.game.endless().map(|outcome| self.sense(outcome))
    }
    fn payoffs(&self) -> Vec<i16> {
        let payoffs = self.game.payoffs();
        if self.on { payoffs.into_iter().rev().map(|payoff| -payoff).collect() } else { payoffs }
    }
    fn players(&self) -> usize {
        self.game.players()
    }
    /// A restriction leaves out moves because they are bad; in the misère form they may be good, so no verdict holds there.
    fn restriction(&self, state: &G::State) -> Option<Restriction> {
        let restriction = self.game.restriction(state)?;
        Some(if self.on { Restriction { player: None, ..restriction } } else { restriction })
    }
    #[inline]
    fn key(&self, state: &G::State) -> u64 {
        self.game.key(state)
    }
    fn heap_bytes(&self) -> usize {
        self.game.heap_bytes()
    }
    #[inline]
    fn canonicalize(&self, state: &mut G::State) {
        self.game.canonicalize(state);
    }
    #[inline]
    fn count_moves(&self, state: &G::State, scratch: &mut Vec<G::Move>) -> usize {
        self.game.count_moves(state, scratch)
    }
    #[inline]
    fn random_move(&self, state: &G::State, rng: &mut Rng, scratch: &mut Vec<G::Move>) -> Option<G::Move> {
        self.game.random_move(state, rng, scratch)
    }
}

impl<G: Progressive> Progressive for Misere<G> {}

/// Misère inverts evaluations; candidate moves and static outcomes do not carry over.
impl<G: Hints> Hints for Misere<G> {
    fn evaluate(&self, state: &G::State, player: Player) -> Option<f64> {
        self.game.evaluate(state, player).map(|chance| if self.on { 1.0 - chance } else { chance })
    }
    fn win_distances(&self, state: &G::State, list: &mut Vec<u32>) {
        if !self.on {
            self.game.win_distances(state, list);
        }
    }
    fn candidates(&self, state: &G::State, list: &mut Vec<G::Move>) -> bool {
        !self.on && self.game.candidates(state, list)
    }
    #[inline]
    fn static_outcome(&self, state: &G::State) -> Option<Outcome> {
        if self.on { None } else { self.game.static_outcome(state) }
    }
    #[inline]
    fn static_answer(&self, state: &G::State, question: Force) -> Option<Verdict> {
        if self.on { None } else { self.game.static_answer(state, question) }
    }
    #[inline]
    fn appraise(&self, state: &G::State, player: Player) -> Appraisal {
        if self.on {
            Appraisal::Open(self.evaluate(state, player))
        } else {
            self.game.appraise(state, player)
        }
    }
    #[inline]
    fn appraises_siblings(&self) -> bool {
        !self.on && self.game.appraises_siblings()
    }
    fn appraise_children(&self, state: &G::State, moves: &[G::Move], list: &mut Vec<(usize, Appraisal)>) {
        debug_assert!(!self.on);
        self.game.appraise_children(state, moves, list);
    }
    fn patterns(&self) -> Option<&dyn Patterns<State = G::State, Move = G::Move>> {
        self.game.patterns()
    }
    fn states(&self) -> Option<f64> {
        self.game.states()
    }
}

impl<G: Notation> Notation for Misere<G> {
    const HOW: &'static str = G::HOW;

    fn write_move(&self, state: &G::State, mv: G::Move) -> String {
        self.game.write_move(state, mv)
    }
    fn write(&self, state: &G::State) -> String {
        self.game.write(state)
    }
    fn read(&self, text: &str) -> Result<G::State, NotationError> {
        self.game.read(text)
    }
    fn picture(&self, state: &G::State) -> Picture {
        self.game.picture(state)
    }
}

/// The game is a draw after a number of plies. The ply is part of the state, so no state can repeat. Without a limit plies are not
/// counted, and endless play is a draw, unless the game declares another result.
///
/// ```
/// use delphic_game::adapters::PlyLimit;
/// use delphic_game::{Game, Outcome, Player, Rng, playout};
///
/// /// A switch is flipped for ever.
/// struct Switch;
///
/// impl Game for Switch {
///     type State = bool;
///     type Move = bool;
///     fn start(&self) -> bool { false }
///     fn turn(&self, &on: &bool) -> Player { if on { Player::SECOND } else { Player::FIRST } }
///     fn moves(&self, &on: &bool, list: &mut Vec<bool>) { list.push(!on) }
///     fn play(&self, state: &mut bool, on: bool) { *state = on }
/// }
///
/// let game = PlyLimit { game: Switch, limit: Some(7) };
/// let mut state = game.start();
/// assert_eq!(playout(&game, &mut state, &mut Rng::new(1), &mut Vec::new()), Outcome::DRAW);
/// assert_eq!(state, (true, 7));
///
/// let endless = PlyLimit { game: Switch, limit: None };
/// assert_eq!(endless.endless(), Some(Outcome::DRAW));
/// ```
#[derive(Clone, Debug)]
pub struct PlyLimit<G> {
    /// The rules.
    pub game: G,
    /// The maximum number of plies.
    pub limit: Option<u32>,
}

impl<G> PlyLimit<G> {
    /// The limit as text: a number, or `off`.
    pub fn written_limit(&self) -> String {
        self.limit.map_or_else(|| "off".to_owned(), |limit| limit.to_string())
    }
}

impl<G: Game> Game for PlyLimit<G> {
    type State = (G::State, u32);
    type Move = G::Move;

    fn start(&self) -> Self::State {
        (self.game.start(), 0)
    }
    fn turn(&self, state: &Self::State) -> Player {
        self.game.turn(&state.0)
    }
    fn moves(&self, state: &Self::State, list: &mut Vec<G::Move>) {
        self.game.moves(&state.0, list);
    }
    fn play(&self, state: &mut Self::State, mv: G::Move) {
        self.game.play(&mut state.0, mv);
        state.1 += u32::from(self.limit.is_some());
    }
    /// A game that ends at the last ply has its own result, whether the rules end it or leave no move.
    fn outcome(&self, state: &Self::State) -> Option<Outcome> {
        let played = || result(&self.game, &state.0, &mut Vec::new()).unwrap_or(Outcome::DRAW);
        if self.limit.is_some_and(|limit| state.1 >= limit) {
            Some(played())
        } else {
            self.game.outcome(&state.0)
        }
    }
    fn endless(&self) -> Option<Outcome> {
        if self.limit.is_some() { None } else { Some(self.game.endless().unwrap_or(Outcome::DRAW)) }
    }
    fn stuck(&self, state: &Self::State) -> Outcome {
        self.game.stuck(&state.0)
    }
    fn players(&self) -> usize {
        self.game.players()
    }
    fn payoffs(&self) -> Vec<i16> {
        let mut payoffs = self.game.payoffs();
        if let Err(place) = payoffs.binary_search(&0) {
            payoffs.insert(place, 0);
        }
        payoffs
    }
    fn restriction(&self, state: &Self::State) -> Option<Restriction> {
        self.game.restriction(&state.0)
    }
    #[inline]
    fn key(&self, state: &Self::State) -> u64 {
        self.game.key(&state.0) ^ mix(u64::from(state.1))
    }
    fn heap_bytes(&self) -> usize {
        self.game.heap_bytes()
    }
    fn canonicalize(&self, state: &mut Self::State) {
        self.game.canonicalize(&mut state.0);
    }
    fn count_moves(&self, state: &Self::State, scratch: &mut Vec<G::Move>) -> usize {
        self.game.count_moves(&state.0, scratch)
    }
    fn random_move(&self, state: &Self::State, rng: &mut Rng, scratch: &mut Vec<G::Move>) -> Option<G::Move> {
        self.game.random_move(&state.0, rng, scratch)
    }
}

impl<G: Notation> Progressive for PlyLimit<G> {}

/// A limit changes best moves and static outcomes, so only the evaluation carries over.
impl<G: Hints> Hints for PlyLimit<G> {
    fn evaluate(&self, state: &Self::State, player: Player) -> Option<f64> {
        self.game.evaluate(&state.0, player)
    }
    /// Every position once for every ply.
    fn states(&self) -> Option<f64> {
        let plies = self.limit.map_or(1.0, |limit| f64::from(limit) + 1.0);
        self.game.states().map(|states| states + plies.log10())
    }
}

impl<G: Notation> Notation for PlyLimit<G> {
    const HOW: &'static str = G::HOW;

    fn write_move(&self, state: &Self::State, mv: G::Move) -> String {
        self.game.write_move(&state.0, mv)
    }
    /// The position and, if there is a limit, the number of plies played, `@` between them.
    fn write(&self, state: &Self::State) -> String {
        let position = self.game.write(&state.0);
        if self.limit.is_some() { format!("{position}@{}", state.1) } else { position }
    }
    /// Without `@` no ply has been played.
    fn read(&self, text: &str) -> Result<Self::State, NotationError> {
        let (position, played) = text.trim().rsplit_once('@').unwrap_or((text, "0"));
        let limit = self.limit.unwrap_or(0);
        let played = played.parse().ok().filter(|&ply| ply <= limit);
        let played =
            played.ok_or_else(|| NotationError::position(format!("expected @ply from 0 to {limit}")))?;
        Ok((self.game.read(position)?, played))
    }
    fn picture(&self, state: &Self::State) -> Picture {
        let picture = self.game.picture(&state.0);
        match self.limit {
            Some(limit) => picture.note(format!("ply {} of {limit}", state.1)),
            None => picture,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patterns::Surroundings;

    /// A game that overrides everything with answers no default would give.
    #[derive(Clone, Debug)]
    struct Odd;

    impl Game for Odd {
        type State = u8;
        type Move = u8;
        fn start(&self) -> u8 {
            1
        }
        fn turn(&self, _: &u8) -> Player {
            Player::SECOND
        }
        fn moves(&self, _: &u8, list: &mut Vec<u8>) {
            list.extend([3, 4]);
        }
        fn play(&self, state: &mut u8, mv: u8) {
            *state += mv;
        }
        fn outcome(&self, state: &u8) -> Option<Outcome> {
            (*state > 100).then(|| Outcome::win(Player::FIRST))
        }
        fn stuck(&self, _: &u8) -> Outcome {
            Outcome::win(Player::SECOND)
        }
        fn players(&self) -> usize {
            3
        }
        fn payoffs(&self) -> Vec<i16> {
            vec![-7, 0, 7]
        }
        fn key(&self, state: &u8) -> u64 {
            mix(0xabc + u64::from(*state))
        }
        fn restriction(&self, _: &u8) -> Option<Restriction> {
            Some(Restriction { player: Some(Player::SECOND), reason: "odd" })
        }
        fn heap_bytes(&self) -> usize {
            11
        }
        fn canonicalize(&self, state: &mut u8) {
            *state = 42;
        }
        fn count_moves(&self, _: &u8, _: &mut Vec<u8>) -> usize {
            77
        }
        fn random_move(&self, _: &u8, _: &mut Rng, _: &mut Vec<u8>) -> Option<u8> {
            Some(99)
        }
    }

    impl Hints for Odd {
        fn evaluate(&self, _: &u8, _: Player) -> Option<f64> {
            Some(0.125)
        }
        fn candidates(&self, _: &u8, list: &mut Vec<u8>) -> bool {
            list.push(4);
            true
        }
        fn static_outcome(&self, _: &u8) -> Option<Outcome> {
            Some(Outcome::win(Player::FIRST))
        }
        fn patterns(&self) -> Option<&dyn Patterns<State = u8, Move = u8>> {
            Some(self)
        }
        fn states(&self) -> Option<f64> {
            Some(5.0)
        }
    }

    impl Patterns for Odd {
        fn surroundings(&self, _: &u8, _: u8, _: &u8, _: Player) -> Surroundings {
            Surroundings { cells: [0; crate::patterns::CELLS], context: 0 }
        }
    }

    fn check<G: Game<Move = u8>>(game: &G, state: &G::State) {
        let mut list = Vec::new();
        game.moves(state, &mut list);
        assert_eq!(list, [3, 4]);
        assert_eq!(game.turn(state), Player::SECOND);
        assert_eq!(game.players(), 3);
        assert_eq!(game.payoffs(), [-7, 0, 7]);
        assert_eq!(game.restriction(state).map(|restriction| restriction.reason), Some("odd"));
        assert_eq!(game.heap_bytes(), 11);
        assert_eq!(game.count_moves(state, &mut list), 77);
        assert_eq!(game.random_move(state, &mut Rng::new(0), &mut list), Some(99));
    }

    /// An override that an adapter does not forward is lost without a word: the default is right, but slow.
    #[test]
    fn adapters_forward_every_override() {
        let (plain, misere) = (Misere { game: Odd, on: false }, Misere { game: Odd, on: true });
        let limited = PlyLimit { game: Odd, limit: Some(9) };
        for game in [&plain, &misere] {
            check(game, &1);
            assert_eq!(game.start(), 1);
            assert_eq!(game.key(&1), Odd.key(&1));
            assert_eq!(game.states(), Some(5.0));
            assert!(game.patterns().is_some());
            let mut form = 1;
            game.canonicalize(&mut form);
            assert_eq!(form, 42);
        }
        check(&limited, &(1, 0));
        let mut form = (1, 5);
        limited.canonicalize(&mut form);
        assert_eq!(form, (42, 5));
        assert_eq!(limited.key(&(1, 5)) ^ limited.key(&(2, 5)), Odd.key(&1) ^ Odd.key(&2));
        assert_ne!(limited.key(&(1, 5)), limited.key(&(1, 6)), "the ply is part of the state");

        assert_eq!(
            [&plain, &misere].map(|game| game.evaluate(&1, Player::FIRST)),
            [Some(0.125), Some(0.875)]
        );
        assert_eq!(limited.evaluate(&(1, 0), Player::FIRST), Some(0.125));
        assert_eq!(plain.static_outcome(&1), Odd.static_outcome(&1));
        assert!(plain.candidates(&1, &mut Vec::new()));
        assert!(misere.static_outcome(&1).is_none() && !misere.candidates(&1, &mut Vec::new()));
        let limited_player = |game: &Misere<Odd>| game.restriction(&1).unwrap().player;
        assert_eq!([&plain, &misere].map(limited_player), [Some(Player::SECOND), None]);
        let stuck = [Outcome::win(Player::SECOND), Outcome::win(Player::SECOND).negated()];
        assert_eq!([plain.stuck(&1), misere.stuck(&1)], stuck);
        assert_eq!(limited.stuck(&(1, 0)), stuck[0]);
        assert_eq!(misere.outcome(&101), Some(Outcome::win(Player::FIRST).negated()));
    }
}
