//! What a game is.

use crate::patterns::Patterns;
use crate::{Notation, Outcome, Player, Restriction, Rng};
use std::hash::{Hash, Hasher};

/// The rules of a game: a value holding sizes and tables, over a small state that holds what changes.
///
/// A game says where it starts, whose turn it is, which moves are legal and what they do. A position is over
/// when [`outcome`](Game::outcome) says so, or when the mover has no legal move; then the result is
/// [`stuck`](Game::stuck). Everything else has a correct default that a game overrides only for speed.
///
/// Rules trust their caller: `moves` is asked only while `outcome` is `None`, `play` gets only moves that
/// `moves` listed. Text from outside is checked by [`Notation`](crate::Notation).
///
/// ```
/// use delphic_game::{Game, Outcome, Player, perft};
///
/// /// Take one or two matches; a player who cannot take any loses.
/// struct Matches(u32);
///
/// impl Game for Matches {
///     type State = (u32, Player);
///     type Move = u32;
///     fn start(&self) -> (u32, Player) { (self.0, Player::FIRST) }
///     fn turn(&self, s: &(u32, Player)) -> Player { s.1 }
///     fn moves(&self, s: &(u32, Player), list: &mut Vec<u32>) { list.extend(1..=s.0.min(2)) }
///     fn play(&self, s: &mut (u32, Player), taken: u32) { *s = (s.0 - taken, s.1.other()) }
/// }
///
/// let game = Matches(3);
/// assert_eq!(game.stuck(&(0, Player::SECOND)), Outcome::win(Player::FIRST));
/// assert_eq!(perft(&game, &game.start(), 2), 3); // 1+1, 1+2, 2+1
/// ```
pub trait Game {
    /// What changes as the game goes on: plain data, or data whose heap memory [`heap_bytes`](Game::heap_bytes) counts. Equal states
    /// have equal futures.
    type State: Clone + Eq + Hash + Send + Sync + 'static;
    /// A move, meaningful together with the state it is made in.
    type Move: Copy + Eq + Hash + Send + Sync + 'static;

    /// The start position.
    fn start(&self) -> Self::State;

    /// The player to move.
    fn turn(&self, state: &Self::State) -> Player;

    /// Appends the legal moves to `list`, in a fixed order and without repetition.
    fn moves(&self, state: &Self::State, list: &mut Vec<Self::Move>);

    /// Makes a legal move.
    fn play(&self, state: &mut Self::State, mv: Self::Move);

    /// The result, if the rules end the game here whether or not there are moves.
    fn outcome(&self, state: &Self::State) -> Option<Outcome> {
        let _ = state;
        None
    }

    /// The result when the mover has no legal move: by default the mover loses.
    fn stuck(&self, state: &Self::State) -> Outcome {
        Outcome::loss_among(self.turn(state), self.players())
    }

    /// The result of play that never ends, in a game whose positions can come again; `None` if they cannot.
    ///
    /// Only searches that can deal with cycles take a game with such a result.
    fn endless(&self) -> Option<Outcome> {
        None
    }

    /// The number of players.
    fn players(&self) -> usize {
        2
    }

    /// Every payoff a player can get, ascending. Fewer values mean fewer questions for an exact answer.
    fn payoffs(&self) -> Vec<i16> {
        vec![-1, 0, 1]
    }

    /// What the rules leave out of the real question, if they do. It is the same in all positions of one game.
    fn restriction(&self, state: &Self::State) -> Option<Restriction> {
        let _ = state;
        None
    }

    /// 64 bits for hash tables: equal states have equal keys. Never taken for the state itself.
    ///
    /// Searches use parts of a key: tables the low bits, the index of a graph the high 32. Both halves must vary, as all bits of a
    /// good hash do; [`mix`](crate::mix) makes one of any number.
    fn key(&self, state: &Self::State) -> u64 {
        let mut hasher = rustc_hash::FxHasher::default();
        state.hash(&mut hasher);
        hasher.finish()
    }

    /// Bytes that a stored state takes on the heap, besides `size_of::<State>()`: an upper bound on what it does not share with the
    /// state it was played from. Limits on memory count it; states that are plain data have none.
    fn heap_bytes(&self) -> usize {
        0
    }

    /// Replaces the state by the representative of its class under symmetry. Positions of one class have the
    /// same mover and the same value.
    fn canonicalize(&self, state: &mut Self::State) {
        let _ = state;
    }

    /// How many moves [`moves`](Game::moves) would list. `scratch` is room to work in.
    fn count_moves(&self, state: &Self::State, scratch: &mut Vec<Self::Move>) -> usize {
        scratch.clear();
        self.moves(state, scratch);
        scratch.len()
    }

    /// A legal move drawn uniformly, or `None` if there is none. `scratch` is room to work in.
    fn random_move(
        &self,
        state: &Self::State,
        rng: &mut Rng,
        scratch: &mut Vec<Self::Move>,
    ) -> Option<Self::Move> {
        scratch.clear();
        self.moves(state, scratch);
        if scratch.is_empty() { None } else { Some(scratch[rng.below(scratch.len())]) }
    }
}

/// A promise: no position can be repeated in the same game, unless [`Game::endless`] says what that is worth.
///
/// Searches that share positions or store them in tables are correct only without cycles. They save positions as text in checkpoints,
/// which is why [`Notation`] is required. A game with cycles loses them by an adapter such as
/// [`PlyLimit`](crate::adapters::PlyLimit), or declares the result of endless play; then such searches refuse it.
pub trait Progressive: Notation {}

/// What a game knows beyond its rules. Everything is optional; the defaults know nothing.
///
/// A position and its [canonical form](Game::canonicalize) get the same answers, candidates up to symmetry: searches store one
/// and ask about the other. [`conformance::check_symmetry`](crate::conformance::check_symmetry) tests it.
///
/// ```
/// use delphic_game::{Game, Hints, Outcome, Player};
///
/// /// Take one or two matches; a player who cannot take any loses.
/// struct Matches(u32);
/// # impl Game for Matches {
/// #     type State = (u32, Player);
/// #     type Move = u32;
/// #     fn start(&self) -> (u32, Player) { (self.0, Player::FIRST) }
/// #     fn turn(&self, s: &(u32, Player)) -> Player { s.1 }
/// #     fn moves(&self, s: &(u32, Player), list: &mut Vec<u32>) { list.extend(1..=s.0.min(2)) }
/// #     fn play(&self, s: &mut (u32, Player), taken: u32) { *s = (s.0 - taken, s.1.other()) }
/// # }
///
/// impl Hints for Matches {
///     /// The mover loses exactly the multiples of three.
///     fn foregone(&self, &(left, turn): &(u32, Player)) -> Option<Outcome> {
///         Some(if left % 3 == 0 { Outcome::loss(turn) } else { Outcome::win(turn) })
///     }
/// }
///
/// let game = Matches(300);
/// assert_eq!(game.foregone(&game.start()), Some(Outcome::win(Player::SECOND)));
/// ```
pub trait Hints: Game {
    /// The chance, strictly between 0 and 1, that `player` gets the highest payoff; `None` if the game has no evaluation.
    fn evaluate(&self, state: &Self::State, player: Player) -> Option<f64> {
        let _ = (state, player);
        None
    }

    /// Appends the moves worth trying, in the order in which to try them, and returns true; or returns false if the game
    /// does not choose. A legal move may be left out only if another that is listed is at least as good for the mover.
    fn candidates(&self, state: &Self::State, list: &mut Vec<Self::Move>) -> bool {
        let _ = (state, list);
        false
    }

    /// The result under best play, where it can be seen without search though the game goes on. It must be exact: searches
    /// treat it as proved.
    fn foregone(&self, state: &Self::State) -> Option<Outcome> {
        let _ = state;
        None
    }

    /// The result where it is [foregone](Hints::foregone), elsewhere the [evaluation](Hints::evaluate) for `player`. Searches that need
    /// both ask for them at once; override it where the two share work.
    #[inline]
    fn appraise(&self, state: &Self::State, player: Player) -> Appraisal {
        match self.foregone(state) {
            Some(outcome) => Appraisal::Foregone(outcome),
            None => Appraisal::Open(self.evaluate(state, player)),
        }
    }

    /// The patterns around the game's moves, for learned priors; `None` if it has none.
    fn patterns(&self) -> Option<&dyn Patterns<State = Self::State, Move = Self::Move>> {
        None
    }

    /// The decimal logarithm of an upper bound on the number of positions, if one is known.
    fn states(&self) -> Option<f64> {
        None
    }
}

/// What a game knows of a position without search ([`Hints::appraise`]).
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Appraisal {
    /// The result under best play.
    Foregone(Outcome),
    /// A player's chance, if the game has an evaluation.
    Open(Option<f64>),
}

/// The result of a finished position, `None` while the game goes on.
pub fn result<G: Game>(game: &G, state: &G::State, scratch: &mut Vec<G::Move>) -> Option<Outcome> {
    game.outcome(state).or_else(|| (game.count_moves(state, scratch) == 0).then(|| game.stuck(state)))
}

/// Random games with cycles are taken for endless after this many plies.
pub const LONGEST_PLAYOUT: usize = 2_000;

/// Plays random moves to the end. A game with cycles that is not over after [`LONGEST_PLAYOUT`] plies counts as endless.
#[inline]
pub fn playout<G: Game>(
    game: &G,
    state: &mut G::State,
    rng: &mut Rng,
    scratch: &mut Vec<G::Move>,
) -> Outcome {
    let endless = game.endless();
    let mut plies = 0;
    loop {
        if let Some(outcome) = game.outcome(state) {
            return outcome;
        }
        if let Some(outcome) = endless {
            if plies == LONGEST_PLAYOUT {
                return outcome;
            }
            plies += 1;
        }
        match game.random_move(state, rng, scratch) {
            Some(mv) => game.play(state, mv),
            None => return game.stuck(state),
        }
    }
}

/// The number of move sequences of exactly `depth` plies. Games that end earlier do not count.
pub fn perft<G: Game>(game: &G, state: &G::State, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    // One list for the whole recursion: each level works on the tail behind its own moves.
    fn count<G: Game>(
        game: &G,
        state: &G::State,
        depth: u32,
        list: &mut Vec<G::Move>,
        scratch: &mut Vec<G::Move>,
    ) -> u64 {
        if game.outcome(state).is_some() {
            return 0;
        }
        if depth == 1 {
            return game.count_moves(state, scratch) as u64;
        }
        let base = list.len();
        game.moves(state, list);
        let mut total = 0;
        for i in base..list.len() {
            let mut next = state.clone();
            game.play(&mut next, list[i]);
            total += count(game, &next, depth - 1, list, scratch);
        }
        list.truncate(base);
        total
    }
    count(game, state, depth, &mut Vec::new(), &mut Vec::new())
}
