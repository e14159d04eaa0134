//! Variants of a game that are games themselves.

use crate::patterns::Patterns;
use crate::picture::Picture;
use crate::{Game, Hints, Notation, NotationError, Outcome, Player, Progressive, Rng, result};

/// What an adapter over the inner game's own states leaves as it is.
macro_rules! unchanged {
    ($inner:tt) => {
        #[inline]
        fn turn(&self, state: &G::State) -> Player {
            self.$inner.turn(state)
        }
        #[inline]
        fn moves(&self, state: &G::State, list: &mut Vec<G::Move>) {
            self.$inner.moves(state, list);
        }
        #[inline]
        fn play(&self, state: &mut G::State, mv: G::Move) {
            self.$inner.play(state, mv);
        }
        #[inline]
        fn players(&self) -> usize {
            self.$inner.players()
        }
        #[inline]
        fn key(&self, state: &G::State) -> u64 {
            self.$inner.key(state)
        }
        #[inline]
        fn canonicalize(&self, state: &mut G::State) {
            self.$inner.canonicalize(state);
        }
        #[inline]
        fn count_moves(&self, state: &G::State, scratch: &mut Vec<G::Move>) -> usize {
            self.$inner.count_moves(state, scratch)
        }
        #[inline]
        fn random_move(
            &self,
            state: &G::State,
            rng: &mut Rng,
            scratch: &mut Vec<G::Move>,
        ) -> Option<G::Move> {
            self.$inner.random_move(state, rng, scratch)
        }
    };
}

/// What an adapter leaves of the notation.
macro_rules! unchanged_notation {
    ($inner:tt) => {
        const HOW: &'static str = G::HOW;

        fn write_move(&self, state: &G::State, mv: G::Move) -> String {
            self.$inner.write_move(state, mv)
        }
        fn write(&self, state: &G::State) -> String {
            self.$inner.write(state)
        }
        fn read(&self, text: &str) -> Result<G::State, NotationError> {
            self.$inner.read(text)
        }
        fn picture(&self, state: &G::State) -> Picture {
            self.$inner.picture(state)
        }
    };
}

/// The game, or its misère form in which every payoff is negated: who would win loses.
///
/// Which of the two is a value and not a type, because every type more compiles all searches for all games once more. The
/// branch is taken once per finished game.
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
    unchanged!(game);

    fn start(&self) -> G::State {
        self.game.start()
    }
    #[inline]
    fn outcome(&self, state: &G::State) -> Option<Outcome> {
        self.game.outcome(state).map(|outcome| self.sense(outcome))
    }
    #[inline]
    fn stuck(&self, state: &G::State) -> Outcome {
        self.sense(self.game.stuck(state))
    }
    fn payoffs(&self) -> Vec<i16> {
        let payoffs = self.game.payoffs();
        if self.on { payoffs.into_iter().rev().map(|payoff| -payoff).collect() } else { payoffs }
    }
}

impl<G: Progressive> Progressive for Misere<G> {}

/// What is good in the game is bad in its misère form; what is best there nobody has said.
impl<G: Hints> Hints for Misere<G> {
    fn evaluate(&self, state: &G::State, player: Player) -> Option<f64> {
        self.game.evaluate(state, player).map(|chance| if self.on { 1.0 - chance } else { chance })
    }
    fn candidates(&self, state: &G::State, list: &mut Vec<G::Move>) -> bool {
        !self.on && self.game.candidates(state, list)
    }
    #[inline]
    fn foregone(&self, state: &G::State) -> Option<Outcome> {
        if self.on { None } else { self.game.foregone(state) }
    }
    fn patterns(&self) -> Option<&dyn Patterns<State = G::State, Move = G::Move>> {
        self.game.patterns()
    }
    fn states(&self) -> Option<f64> {
        self.game.states()
    }
}

impl<G: Notation> Notation for Misere<G> {
    unchanged_notation!(game);
}

/// The game from another start position.
#[derive(Clone, Debug)]
pub struct StartAt<G: Game> {
    /// The rules.
    pub game: G,
    /// Where to start.
    pub position: G::State,
}

impl<G: Game> Game for StartAt<G> {
    type State = G::State;
    type Move = G::Move;
    unchanged!(game);

    fn start(&self) -> G::State {
        self.position.clone()
    }
    fn outcome(&self, state: &G::State) -> Option<Outcome> {
        self.game.outcome(state)
    }
    fn stuck(&self, state: &G::State) -> Outcome {
        self.game.stuck(state)
    }
    fn payoffs(&self) -> Vec<i16> {
        self.game.payoffs()
    }
}

impl<G: Progressive> Progressive for StartAt<G> {}

impl<G: Hints> Hints for StartAt<G> {
    fn evaluate(&self, state: &G::State, player: Player) -> Option<f64> {
        self.game.evaluate(state, player)
    }
    fn candidates(&self, state: &G::State, list: &mut Vec<G::Move>) -> bool {
        self.game.candidates(state, list)
    }
    fn foregone(&self, state: &G::State) -> Option<Outcome> {
        self.game.foregone(state)
    }
    fn patterns(&self) -> Option<&dyn Patterns<State = G::State, Move = G::Move>> {
        self.game.patterns()
    }
    fn states(&self) -> Option<f64> {
        self.game.states()
    }
}

impl<G: Notation> Notation for StartAt<G> {
    unchanged_notation!(game);
}

/// The game called a draw after a number of plies. The ply is part of the state, so nothing can come again.
#[derive(Clone, Debug)]
pub struct PlyLimit<G> {
    /// The rules.
    pub game: G,
    /// How many plies may be played.
    pub limit: u32,
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
        state.1 += 1;
    }
    /// A game decided by the last ply is decided, be it that the rules end it or that they leave no move.
    fn outcome(&self, state: &Self::State) -> Option<Outcome> {
        let played = || result(&self.game, &state.0, &mut Vec::new()).unwrap_or(Outcome::DRAW);
        if state.1 >= self.limit { Some(played()) } else { self.game.outcome(&state.0) }
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

/// A limit changes what is best and what is foregone, so only the evaluation is left.
impl<G: Hints> Hints for PlyLimit<G> {
    fn evaluate(&self, state: &Self::State, player: Player) -> Option<f64> {
        self.game.evaluate(&state.0, player)
    }
    /// Every position once for every ply.
    fn states(&self) -> Option<f64> {
        self.game.states().map(|states| states + f64::from(self.limit).ln_1p() / std::f64::consts::LN_10)
    }
}

impl<G: Notation> Notation for PlyLimit<G> {
    const HOW: &'static str = G::HOW;

    fn write_move(&self, state: &Self::State, mv: G::Move) -> String {
        self.game.write_move(&state.0, mv)
    }
    /// The position and the number of plies played, `@` between them.
    fn write(&self, state: &Self::State) -> String {
        format!("{}@{}", self.game.write(&state.0), state.1)
    }
    /// Without `@` no ply has been played.
    fn read(&self, text: &str) -> Result<Self::State, NotationError> {
        let (position, played) = text.trim().rsplit_once('@').unwrap_or((text, "0"));
        let played = played.parse().ok().filter(|&ply| ply <= self.limit);
        let played = played
            .ok_or_else(|| NotationError::position(format!("expected @ply from 0 to {}", self.limit)))?;
        Ok((self.game.read(position)?, played))
    }
    fn picture(&self, state: &Self::State) -> Picture {
        self.game.picture(&state.0).note(format!("ply {} of {}", state.1, self.limit))
    }
}
