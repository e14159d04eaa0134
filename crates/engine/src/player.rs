//! Agents at the board: they think about a position, choose, and follow the game.

use crate::solve::investigate;
use crate::{Agent, Request, Solvable, Solver, Value};
use delphic_game::{Notation, Player, Rng};
use delphic_search::mcts::{Aim, Mcts};
use delphic_search::{Limits, Observer, Stats, StopReason};

/// What an agent may spend on a move.
#[derive(Clone, Copy, Debug, Default)]
pub struct Budget<'a> {
    /// Rounds of selection and back-up; for a solver, nodes.
    pub iterations: Option<u64>,
    /// Everything else.
    pub limits: Limits<'a>,
}

/// What an agent makes of a legal move.
#[derive(Clone, PartialEq, Debug)]
pub struct Considered {
    /// The move.
    pub mv: String,
    /// Iterations that went through it.
    pub visits: u32,
    /// The mean of what they came to for the mover, between −1 and 1, if there were any.
    pub mean: Option<f64>,
    /// The least and the greatest value that are not excluded.
    pub bounds: (Value, Value),
}

/// What came of thinking.
#[derive(Clone, PartialEq, Debug)]
pub struct Thought {
    /// The number of the chosen move among the legal ones.
    pub choice: usize,
    /// All legal moves.
    pub moves: Vec<Considered>,
    /// Why thinking ended.
    pub stop: StopReason,
    /// What it took.
    pub stats: Stats,
}

/// An agent in a game.
pub trait AnyPlayer: Send {
    /// Chooses a move in the current position, where the game goes on.
    fn think(&mut self, budget: &Budget<'_>, observer: &mut dyn Observer) -> Thought;

    /// Makes the legal move with this number, whoever moves.
    fn advance(&mut self, nth: usize);
}

/// Seats an agent at a position.
pub(crate) fn seat<'g, G: Notation + Solvable>(
    game: &'g G,
    name: &'g str,
    state: G::State,
    agent: &Agent,
    seat: Player,
    seed: u64,
) -> Box<dyn AnyPlayer + 'g> {
    let board = Board { game, state, rng: Rng::new(seed) };
    match *agent {
        Agent::Random => Box::new(RandomPlayer { board }),
        Agent::Solver(solver) => Box::new(SolverPlayer { board, name, solver }),
        Agent::Mcts(agent) => Box::new(MctsPlayer { board, search: None, agent, seat }),
    }
}

/// Where a game stands.
struct Board<'g, G: Notation> {
    game: &'g G,
    state: G::State,
    rng: Rng,
}

impl<G: Notation> Board<'_, G> {
    fn moves(&self) -> Vec<G::Move> {
        let mut moves = Vec::new();
        self.game.moves(&self.state, &mut moves);
        moves
    }

    fn advance(&mut self, nth: usize) -> G::Move {
        let mv = self.moves()[nth];
        self.game.play(&mut self.state, mv);
        mv
    }

    /// The legal moves, of which nothing is known.
    fn unconsidered(&self) -> Vec<Considered> {
        let payoffs = self.game.payoffs();
        let bounds = (Value::of(payoffs[0], &payoffs), Value::of(payoffs[payoffs.len() - 1], &payoffs));
        let write = |mv| self.game.write_move(&self.state, mv);
        let considered = |mv| Considered { mv: write(mv), visits: 0, mean: None, bounds };
        self.moves().into_iter().map(considered).collect()
    }
}

struct RandomPlayer<'g, G: Notation> {
    board: Board<'g, G>,
}

impl<G: Notation + Sync> AnyPlayer for RandomPlayer<'_, G> {
    fn think(&mut self, _: &Budget<'_>, _: &mut dyn Observer) -> Thought {
        let moves = self.board.unconsidered();
        let choice = self.board.rng.below(moves.len());
        Thought { choice, moves, stop: StopReason::Solved, stats: Stats::default() }
    }

    fn advance(&mut self, nth: usize) {
        self.board.advance(nth);
    }
}

struct MctsPlayer<'g, G: Notation> {
    board: Board<'g, G>,
    /// The search, once it was needed.
    search: Option<Mcts<'g, G>>,
    agent: crate::agent::MctsAgent,
    seat: Player,
}

impl<G: Notation + Solvable> AnyPlayer for MctsPlayer<'_, G> {
    fn think(&mut self, budget: &Budget<'_>, observer: &mut dyn Observer) -> Thought {
        let mut moves = self.board.unconsidered();
        if moves.len() == 1 {
            return Thought { choice: 0, moves, stop: StopReason::Solved, stats: Stats::default() };
        }
        let (game, state, seed) = (self.board.game, &self.board.state, self.board.rng.bits());
        let settings = self.agent.settings(self.seat);
        let search =
            self.search.get_or_insert_with(|| Mcts::new(game, state.clone(), Aim::Own, settings, seed));
        let before = search.stats();
        let stop = search.run(budget.iterations, budget.limits, true, observer);
        let chosen = search.choose();
        let payoffs = game.payoffs();
        let mut choice = 0;
        for (nth, view) in search.views().into_iter().enumerate() {
            let (low, high) = (Value::of(view.bounds.lo, &payoffs), Value::of(view.bounds.hi, &payoffs));
            let considered = &mut moves[nth];
            considered.visits = view.visits;
            considered.mean = (view.visits > 0).then_some(view.mean);
            considered.bounds = (low, high);
            if view.mv == chosen {
                choice = nth;
            }
        }
        Thought { choice, moves, stop, stats: search.stats().since(&before) }
    }

    fn advance(&mut self, nth: usize) {
        let mv = self.board.advance(nth);
        match &mut self.search {
            Some(search) if self.agent.reuse && !is_over(self.board.game, &self.board.state) => {
                search.advance(mv);
            }
            search => *search = None,
        }
    }
}

fn is_over<G: Notation>(game: &G, state: &G::State) -> bool {
    delphic_game::result(game, state, &mut Vec::new()).is_some()
}

struct SolverPlayer<'g, G: Notation> {
    board: Board<'g, G>,
    name: &'g str,
    solver: Solver,
}

impl<G: Notation + Solvable> AnyPlayer for SolverPlayer<'_, G> {
    /// Every move gets an equal share of what is left of the budget. What stays open is worth what the game's evaluation says, or a draw.
    fn think(&mut self, budget: &Budget<'_>, observer: &mut dyn Observer) -> Thought {
        let game = self.board.game;
        let nodes = budget.limits.nodes.into_iter().chain(budget.iterations).min();
        let whole = Limits { nodes, ..budget.limits };
        let (payoffs, player) = (game.payoffs(), game.turn(&self.board.state));
        let (least, most) = (payoffs[0], payoffs[payoffs.len() - 1]);
        let share = |value: Value| match value {
            Value::Loss => 0.0,
            Value::Draw => 0.5,
            Value::Win => 1.0,
            Value::Score(score) => f64::from(score - least) / f64::from((most - least).max(1)),
        };
        let mut moves = self.board.unconsidered();
        let (mut worth, mut stats, mut stop) = (Vec::new(), Stats::default(), StopReason::Solved);
        for (nth, mv) in self.board.moves().into_iter().enumerate() {
            let mut child = self.board.state.clone();
            game.play(&mut child, mv);
            let (left, others) = (whole.left_after(&stats), (moves.len() - nth) as u64);
            let limits = Limits {
                nodes: left.nodes.map(|nodes| (nodes / others).max(1)),
                time: left.time.map(|time| time / others as u32),
                ..left
            };
            let seed = self.board.rng.bits();
            let request =
                Request { solver: self.solver, player: Some(player), limits, seed, ..Request::default() };
            let (answer, _) = investigate(game, self.name, &child, &request, observer);
            if answer.stop != StopReason::Solved {
                stop = answer.stop;
            }
            stats = stats.then(answer.stats);
            moves[nth].bounds = answer.bounds;
            let guess = game.evaluate(&child, player).unwrap_or(0.5);
            worth.push(guess.clamp(share(answer.bounds.0), share(answer.bounds.1)));
            if share(answer.bounds.0) == 1.0 {
                break;
            }
        }
        let best = worth.iter().copied().fold(0.0, f64::max);
        let candidates: Vec<usize> = (0..worth.len()).filter(|&nth| worth[nth] == best).collect();
        let choice = candidates[self.board.rng.below(candidates.len())];
        Thought { choice, moves, stop, stats }
    }

    fn advance(&mut self, nth: usize) {
        self.board.advance(nth);
    }
}
