//! A position from which every search can start.

use super::{
    GameGraph, GameSimulator, GameTable, GameTree, GraphFrontier, Simulator, TableFrontier, TreeFrontier,
};
use crate::problem::GameProblem;
use crate::solved::AllPositions;
use crate::{LeafPrior, Limits, Observer, ProofMemory, Report, StateMap, Symmetry, alphabeta, brute, retro};
use delphic_game::erased::{Erased, ErasedState};
use delphic_game::patterns::{Patterns, Surroundings};
use delphic_game::{
    Bounds, Force, Game, Hints, LONGEST_PLAYOUT, Maxn, Outcome, Player, Progressive, Restriction, Rng, Score,
    Verdict,
};

/// What a game must be for all searches: positions do not repeat, and threads may share it or hand it on.
pub trait Solvable: Progressive + Hints + Send + Sync + 'static {}

impl<G: Progressive + Hints + Send + Sync + 'static> Solvable for G {}

/// A position of some game, as searches see it.
pub trait Searchable: Sync {
    /// The player to move.
    fn turn(&self) -> Player;

    /// The number of players.
    fn players(&self) -> usize;

    /// Every payoff a player can get, ascending.
    fn payoffs(&self) -> Vec<i16>;

    /// The number of legal moves; 0 if the game is over.
    fn count_moves(&self) -> usize;

    /// The game's evaluation of the position for a player.
    fn evaluate(&self, player: Player) -> Option<f64>;

    /// Whether the game says in which order to try the moves ([`Hints::candidates`]).
    fn orders_moves(&self) -> bool;

    /// Under which of the eight symmetries of the square the surroundings of a move are alike, one bit each; `None` if the game has no
    /// patterns to learn from.
    fn pattern_symmetry(&self) -> Option<u8>;

    /// Enumerates at most `most` solved moves of a search that answered `question` here, by their surroundings: whether the player asked
    /// about made the move, and whether the answer after it is yes. A game without patterns has none.
    fn solved_moves(
        &self,
        question: Force,
        memory: &ProofMemory,
        most: usize,
        sink: &mut dyn FnMut(&Surroundings, bool, bool),
    );

    /// What the rules leave out of the real question, if they do.
    fn restriction(&self) -> Option<Restriction>;

    /// The result of endless play, if positions can repeat.
    fn endless(&self) -> Option<Outcome>;

    /// The game without its type.
    fn erased(&self) -> Erased<'_>;

    /// The state without its type.
    fn state(&self) -> ErasedState;

    /// Another position of the game.
    fn at(&self, state: &ErasedState) -> Box<dyn Searchable + '_>;

    /// Solved positions as the memory of a search.
    fn remember(&self, solved: Vec<(ErasedState, Verdict)>) -> ProofMemory;

    /// The game's side of a search over a tree.
    fn tree(&self, question: Force, prior: LeafPrior) -> Box<dyn TreeFrontier + '_>;

    /// The game's side of a search over a graph.
    fn graph(&self, question: Force, prior: LeafPrior, symmetry: Symmetry) -> Box<dyn GraphFrontier + '_>;

    /// The game's side of a depth-first search, with a table of at most `bytes`. It uses the game's exact shortcuts.
    fn table(
        &self,
        question: Force,
        prior: LeafPrior,
        symmetry: Symmetry,
        bytes: u64,
    ) -> Box<dyn TableFrontier + '_>;

    /// The game's sides of several depth-first searches, the first with `prior`, over one table of at most `bytes`.
    fn tables(
        &self,
        question: Force,
        prior: LeafPrior,
        symmetry: Symmetry,
        bytes: u64,
        workers: usize,
    ) -> Vec<Box<dyn TableFrontier + '_>>;

    /// The game's side of Monte-Carlo tree search.
    fn simulator(&self) -> Box<dyn Simulator<'_> + '_>;

    /// Null-window alpha-beta, which uses the game's exact shortcuts and order of moves.
    fn alphabeta(
        &self,
        question: Force,
        symmetry: Symmetry,
        limits: Limits<'_>,
        observer: &mut dyn Observer,
    ) -> Report;

    /// Retrograde analysis, which takes games with cycles.
    fn retro(
        &self,
        score: Score,
        symmetry: Symmetry,
        limits: Limits<'_>,
        observer: &mut dyn Observer,
    ) -> Report<Bounds>;

    /// The reference.
    fn brute(&self, question: Force, limits: Limits<'_>, observer: &mut dyn Observer) -> Report;

    /// The reference for max^n.
    fn brute_maxn(&self, limits: Limits<'_>, observer: &mut dyn Observer) -> Report<Option<Outcome>>;
}

/// What random games are like (`sample` of [`Searchable`]).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Sampled {
    /// How many of them end by a result other than a draw while there are still moves.
    pub sudden: usize,
    /// How many of them lose exactly one legal move with every ply from the second on, as when stones are placed on empty cells.
    pub filling: usize,
}

impl dyn Searchable + '_ {
    /// Plays this many random games and counts how they go.
    pub fn sample(&self, games: usize, seed: u64) -> Sampled {
        let (game, root) = (self.erased(), self.state());
        let (mut rng, mut scratch, mut sampled) = (Rng::new(seed), Vec::new(), Sampled::default());
        let longest = game.endless().map_or(usize::MAX, |_| LONGEST_PLAYOUT);
        for _ in 0..games {
            let (mut state, mut before, mut filling) = (root.clone(), None, true);
            for ply in 0..longest {
                if let Some(outcome) = game.outcome(&state) {
                    sampled.sudden += usize::from(outcome != Outcome::DRAW);
                    break;
                }
                let moves = game.count_moves(&state, &mut scratch);
                filling &= ply < 2 || before == Some(moves + 1);
                before = Some(moves);
                match game.random_move(&state, &mut rng, &mut scratch) {
                    Some(mv) => game.play(&mut state, mv),
                    None => break,
                }
            }
            sampled.filling += usize::from(filling);
        }
        sampled
    }
}

/// A position of a game of known type.
#[derive(Debug)]
pub struct Position<'g, G: Game> {
    /// The rules.
    pub game: &'g G,
    /// The position.
    pub state: G::State,
}

impl<'g, G: Game> Position<'g, G> {
    fn problem<Q>(&self, question: Q) -> GameProblem<'g, G, Q> {
        GameProblem::new(self.game, question, self.state.clone())
    }
}

impl<G: Solvable> Searchable for Position<'_, G> {
    fn turn(&self) -> Player {
        self.game.turn(&self.state)
    }

    fn players(&self) -> usize {
        self.game.players()
    }

    fn payoffs(&self) -> Vec<i16> {
        self.game.payoffs()
    }

    fn count_moves(&self) -> usize {
        match self.game.outcome(&self.state) {
            None => self.game.count_moves(&self.state, &mut Vec::new()),
            Some(_) => 0,
        }
    }

    fn evaluate(&self, player: Player) -> Option<f64> {
        self.game.evaluate(&self.state, player)
    }

    fn orders_moves(&self) -> bool {
        self.game.candidates(&self.state, &mut Vec::new())
    }

    fn pattern_symmetry(&self) -> Option<u8> {
        self.game.patterns().map(Patterns::alike)
    }

    fn solved_moves(
        &self,
        question: Force,
        memory: &ProofMemory,
        most: usize,
        sink: &mut dyn FnMut(&Surroundings, bool, bool),
    ) {
        let (Some(patterns), Some(solved)) = (self.game.patterns(), memory.get::<G>()) else { return };
        let (problem, player) = (self.problem(question), question.player);
        let mut left = most;
        solved.each_move(&problem, &mut |before, mv, verdict| {
            if left > 0 {
                left -= 1;
                let surroundings = patterns.surroundings(before, mv, &problem.child(before, mv), player);
                sink(&surroundings, self.game.turn(before) == player, verdict == Verdict::Proved);
            }
        });
    }

    fn restriction(&self) -> Option<Restriction> {
        self.game.restriction(&self.state)
    }

    fn endless(&self) -> Option<Outcome> {
        self.game.endless()
    }

    fn erased(&self) -> Erased<'_> {
        Erased::new(self.game)
    }

    fn state(&self) -> ErasedState {
        ErasedState::new(self.state.clone())
    }

    fn at(&self, state: &ErasedState) -> Box<dyn Searchable + '_> {
        Box::new(Position { game: self.game, state: state.get::<G::State>().clone() })
    }

    fn remember(&self, solved: Vec<(ErasedState, Verdict)>) -> ProofMemory {
        let mut positions = StateMap::new(self.game.heap_bytes());
        for (state, verdict) in solved {
            let state = state.get::<G::State>();
            positions.get_or_insert(self.game.key(state), state.clone(), verdict);
        }
        ProofMemory::new::<G>(Box::new(AllPositions(positions)))
    }

    fn tree(&self, question: Force, prior: LeafPrior) -> Box<dyn TreeFrontier + '_> {
        Box::new(GameTree::new(self.problem(question), prior))
    }

    fn graph(&self, question: Force, prior: LeafPrior, symmetry: Symmetry) -> Box<dyn GraphFrontier + '_> {
        Box::new(GameGraph::new(self.problem(question), prior, symmetry))
    }

    fn table(
        &self,
        question: Force,
        prior: LeafPrior,
        symmetry: Symmetry,
        bytes: u64,
    ) -> Box<dyn TableFrontier + '_> {
        Box::new(GameTable::new(self.problem(question).with_shortcuts(), prior, symmetry, bytes))
    }

    fn tables(
        &self,
        question: Force,
        prior: LeafPrior,
        symmetry: Symmetry,
        bytes: u64,
        workers: usize,
    ) -> Vec<Box<dyn TableFrontier + '_>> {
        if workers <= 1 {
            return vec![self.table(question, prior, symmetry, bytes)];
        }
        let (problem, priors) = (self.problem(question).with_shortcuts(), prior.for_workers(workers));
        let mut tables: Vec<Box<dyn TableFrontier + '_>> = Vec::new();
        GameTable::share(&problem, priors, symmetry, bytes, &mut |table| tables.push(Box::new(table)));
        tables
    }

    fn simulator(&self) -> Box<dyn Simulator<'_> + '_> {
        Box::new(GameSimulator::new(self.game, self.state.clone()))
    }

    fn alphabeta(
        &self,
        question: Force,
        symmetry: Symmetry,
        limits: Limits<'_>,
        observer: &mut dyn Observer,
    ) -> Report {
        alphabeta::solve(&self.problem(question).with_shortcuts(), symmetry, limits, observer)
    }

    fn retro(
        &self,
        score: Score,
        symmetry: Symmetry,
        limits: Limits<'_>,
        observer: &mut dyn Observer,
    ) -> Report<Bounds> {
        retro::solve(self.game, &self.state, score, symmetry, limits, observer)
    }

    fn brute(&self, question: Force, limits: Limits<'_>, observer: &mut dyn Observer) -> Report {
        brute::solve(&self.problem(question), limits, observer)
    }

    fn brute_maxn(&self, limits: Limits<'_>, observer: &mut dyn Observer) -> Report<Option<Outcome>> {
        let best = self.game.payoffs().last().copied().unwrap_or(i16::MAX);
        // Few games have three players: the reference for them is compiled once.
        let (game, root) = (Erased::new(self.game), ErasedState::new(self.state.clone()));
        brute::answer(&GameProblem::new(&game, Maxn { best }, root), limits, observer)
    }
}
