//! The traits of a game: rules, the promise of acyclicity, and optional knowledge.

use crate::patterns::Patterns;
use crate::{Force, Notation, Outcome, Player, Question, Restriction, Rng, Verdict};
use std::hash::{Hash, Hasher};

/// The rules of a game: a value holding sizes and tables, over a small state that holds what changes.
///
/// Required: the start position, the player to move, the legal moves, and the effect of a move. A position is terminal when
/// [`outcome`](Game::outcome) returns a result, or when the player to move has no legal move; then the result is
/// [`stuck`](Game::stuck). Every other method has a correct default, which a game overrides only for speed.
///
/// Rules trust their caller: `moves` is called only while `outcome` is `None`, and `play` only with a move that
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
    /// A position: plain data, or data whose heap memory [`heap_bytes`](Game::heap_bytes) counts. Equal states have the same legal
    /// moves and the same value, so searches may merge them.
    type State: Clone + Eq + Hash + Send + Sync + 'static;
    /// A move; its meaning may depend on the state it is made in.
    type Move: Copy + Eq + Hash + Send + Sync + 'static;

    /// The start position.
    fn start(&self) -> Self::State;

    /// The player to move.
    fn turn(&self, state: &Self::State) -> Player;

    /// Appends the legal moves to `list`, in a fixed order and without repetition.
    fn moves(&self, state: &Self::State, list: &mut Vec<Self::Move>);

    /// Makes a legal move.
    fn play(&self, state: &mut Self::State, mv: Self::Move);

    /// The result, if the game ends in this state even though moves may be left.
    fn outcome(&self, state: &Self::State) -> Option<Outcome> {
        let _ = state;
        None
    }

    /// The result when the mover has no legal move: by default the mover loses.
    fn stuck(&self, state: &Self::State) -> Outcome {
        Outcome::loss_among(self.turn(state), self.players())
    }

    /// The result of endless play, in a game whose positions can repeat; `None` if they cannot.
    ///
    /// Only searches that handle cycles accept a game with such a result.
    fn endless(&self) -> Option<Outcome> {
        None
    }

    /// The number of players.
    fn players(&self) -> usize {
        2
    }

    /// Every payoff a player can get, in ascending order. The exact value is found by bisection over this list, so fewer values mean
    /// fewer yes/no questions; a missing value makes answers wrong.
    fn payoffs(&self) -> Vec<i16> {
        vec![-1, 0, 1]
    }

    /// How these rules restrict the real game, if they do (for example by leaving out moves). It is the same in all positions of one
    /// game.
    fn restriction(&self, state: &Self::State) -> Option<Restriction> {
        let _ = state;
        None
    }

    /// A 64-bit hash key: equal states have equal keys. States are always compared in full, so collisions cost time and not correctness.
    ///
    /// Searches use parts of a key: tables the low bits, the index of a graph the high 32. Both halves must vary, as all bits of a
    /// good hash do; [`mix`](crate::mix) makes one of any number.
    fn key(&self, state: &Self::State) -> u64 {
        let mut hasher = rustc_hash::FxHasher::default();
        state.hash(&mut hasher);
        hasher.finish()
    }

    /// Bytes that a stored state takes on the heap, besides `size_of::<State>()`: an upper bound on what it does not share with the
    /// state it was played from. It counts towards the memory limit; states that are plain data have none.
    fn heap_bytes(&self) -> usize {
        0
    }

    /// Replaces the state by the representative of its symmetry class. All positions of a class have the same player to move and the
    /// same value.
    fn canonicalize(&self, state: &mut Self::State) {
        let _ = state;
    }

    /// The number of moves that [`moves`](Game::moves) would list. `scratch` is a reusable buffer.
    fn count_moves(&self, state: &Self::State, scratch: &mut Vec<Self::Move>) -> usize {
        scratch.clear();
        self.moves(state, scratch);
        scratch.len()
    }

    /// A legal move drawn uniformly, or `None` if there is none. `scratch` is a reusable buffer.
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

/// A promise: the game graph is acyclic, unless [`Game::endless`] gives the result of endless play.
///
/// Searches that share positions in a graph or a transposition table are correct only without cycles (the graph history interaction
/// problem). A game with cycles is either made acyclic by an adapter such as [`PlyLimit`](crate::adapters::PlyLimit), or declares the
/// result of endless play; then those searches refuse it. [`Notation`] is required because checkpoints store positions as text.
pub trait Progressive: Notation {}

/// Knowledge of a game beyond its rules. Every method is optional; the defaults provide none.
///
/// A position and its [canonical form](Game::canonicalize) must get the same answers (candidates up to symmetry), because searches
/// store one and ask about the other. [`conformance::check_symmetry`](crate::conformance::check_symmetry) tests it.
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
///     fn static_outcome(&self, &(left, turn): &(u32, Player)) -> Option<Outcome> {
///         Some(if left % 3 == 0 { Outcome::loss(turn) } else { Outcome::win(turn) })
///     }
/// }
///
/// let game = Matches(300);
/// assert_eq!(game.static_outcome(&game.start()), Some(Outcome::win(Player::SECOND)));
/// ```
pub trait Hints: Game {
    /// The chance, strictly between 0 and 1, that `player` gets the highest payoff; `None` if the game has no evaluation.
    fn evaluate(&self, state: &Self::State, player: Player) -> Option<f64> {
        let _ = (state, player);
        None
    }

    /// Appends for each legal move, in their order, how far the player to move is from a win after it, in any unit, and `u32::MAX` where
    /// this is not known; or appends nothing. Strategies prefer short games, because each must answer every reply. This affects the size of
    /// certificates and nothing else.
    fn win_distances(&self, state: &Self::State, list: &mut Vec<u32>) {
        let _ = (state, list);
    }

    /// Appends the moves worth searching, best first, and returns true; or returns false if the game has no move ordering here. A legal
    /// move may be left out only if a listed one is at least as good for the player to move: proofs rely on it.
    fn candidates(&self, state: &Self::State, list: &mut Vec<Self::Move>) -> bool {
        let _ = (state, list);
        false
    }

    /// The outcome under best play of a position that is not terminal, if it is known without search (a static proof). It must be exact:
    /// searches treat it as proved.
    fn static_outcome(&self, state: &Self::State) -> Option<Outcome> {
        let _ = state;
        None
    }

    /// The answer to a question about a position that is not terminal, if it is known without search. It must be exact, and follow from
    /// the [static outcome](Hints::static_outcome) where there is one. Override it if the game can bound an outcome that it does not know.
    #[inline]
    fn static_answer(&self, state: &Self::State, question: Force) -> Option<Verdict> {
        self.static_outcome(state).map(|outcome| question.answer(outcome))
    }

    /// The [static outcome](Hints::static_outcome) if there is one, otherwise the [evaluation](Hints::evaluate) for `player`. Searches
    /// that need both call this; override it if the two share work.
    #[inline]
    fn appraise(&self, state: &Self::State, player: Player) -> Appraisal {
        match self.static_outcome(state) {
            Some(outcome) => Appraisal::Exact(outcome),
            None => Appraisal::Open(self.evaluate(state, player)),
        }
    }

    /// Whether [`appraise_children`](Hints::appraise_children) is much faster than one position after the other, so that a search should
    /// prefer it. A search of a game that leaves this as it is contains no code for it.
    #[inline]
    fn appraises_siblings(&self) -> bool {
        false
    }

    /// Appends what [`appraise`](Hints::appraise) could say of the positions after these moves of one position, for the player who makes
    /// them, each with its place in `moves`. The list may end with the first move that wins, and terminal positions have their outcomes.
    /// Evaluations may depend on the siblings: they are only compared with each other.
    fn appraise_children(&self, state: &Self::State, moves: &[Self::Move], list: &mut Vec<(usize, Appraisal)>)
    where
        Self: Sized,
    {
        let (player, mut scratch) = (self.turn(state), Vec::new());
        for (nth, &mv) in moves.iter().enumerate() {
            let mut child = state.clone();
            self.play(&mut child, mv);
            let over = result(self, &child, &mut scratch);
            list.push((nth, over.map_or_else(|| self.appraise(&child, player), Appraisal::Exact)));
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

/// The static knowledge about a position ([`Hints::appraise`]).
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Appraisal {
    /// The outcome under best play.
    Exact(Outcome),
    /// The evaluation for one player, if the game has one.
    Open(Option<f64>),
}

/// The result of a terminal position; `None` if the position is not terminal.
pub fn result<G: Game>(game: &G, state: &G::State, scratch: &mut Vec<G::Move>) -> Option<Outcome> {
    game.outcome(state).or_else(|| (game.count_moves(state, scratch) == 0).then(|| game.stuck(state)))
}

/// A playout of a game with cycles counts as endless play after this many plies.
pub const LONGEST_PLAYOUT: usize = 2_000;

/// Plays random moves to the end. In a game with cycles, a playout of [`LONGEST_PLAYOUT`] plies counts as endless play.
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
    // One list for the whole recursion: each level appends its moves and removes them at the end.
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
