//! Agents in a game: they search a position, choose a move, and follow the moves played.

use crate::agent::{MctsAgent, TableAgent};
use crate::solve::answer;
use crate::{Agent, AnyPosition, Request, Solver, TableFile, Value};
use delphic_game::{Player, Rng};
use delphic_search::mcts::{Mcts, Objective};
use delphic_search::{Limits, Observer, Stats, StopReason};
use std::sync::Arc;

/// The limits of an agent per move.
#[derive(Clone, Copy, Debug, Default)]
pub struct Budget<'a> {
    /// Iterations of tree search; for a solver, nodes.
    pub iterations: Option<u64>,
    /// All other limits.
    pub limits: Limits<'a>,
}

/// An agent's statistics of a legal move.
#[derive(Clone, PartialEq, Debug)]
pub struct Considered {
    /// The move.
    pub mv: String,
    /// Iterations that went through it.
    pub visits: u32,
    /// The mean of their values for the player to move, between −1 and 1, if there were any.
    pub mean: Option<f64>,
    /// Lower and upper bound on its value.
    pub bounds: (Value, Value),
}

/// The result of an agent's search.
#[derive(Clone, PartialEq, Debug)]
pub struct Thought {
    /// The number of the chosen move among the legal ones.
    pub choice: usize,
    /// All legal moves.
    pub moves: Vec<Considered>,
    /// Why the search ended.
    pub stop: StopReason,
    /// Its counters.
    pub stats: Stats,
}

/// An agent in a game.
pub trait AnyPlayer: Send {
    /// Chooses a move in the current position, which is not terminal.
    fn think(&mut self, budget: &Budget<'_>, observer: &mut dyn Observer) -> Thought;

    /// Plays the legal move with this number, of any player.
    fn advance(&mut self, nth: usize);
}

/// An agent that plays for `player` from a position on.
pub(crate) fn start(
    position: Box<dyn AnyPosition>,
    agent: &Agent,
    player: Player,
    seed: u64,
) -> Box<dyn AnyPlayer> {
    let board = Board { position, rng: Rng::new(seed) };
    match agent.clone() {
        Agent::Random => Box::new(RandomPlayer { board }),
        Agent::Solver(solver) => Box::new(SolverPlayer { board, solver }),
        Agent::Table(TableAgent(table)) => Box::new(TablePlayer { board, table }),
        Agent::Mcts(agent) => Box::new(MctsPlayer { board, search: None, agent, player }),
    }
}

/// The current position of a game.
struct Board {
    position: Box<dyn AnyPosition>,
    rng: Rng,
}

impl Board {
    fn advance(&mut self, nth: usize) {
        self.position = self.position.after(nth);
    }

    /// The legal moves, without statistics.
    fn unconsidered(&self) -> Vec<Considered> {
        let payoffs = self.position.game_payoffs();
        let bounds = (Value::of(payoffs[0], &payoffs), Value::of(payoffs[payoffs.len() - 1], &payoffs));
        let considered = |mv| Considered { mv, visits: 0, mean: None, bounds };
        self.position.moves().into_iter().map(considered).collect()
    }
}

struct RandomPlayer {
    board: Board,
}

impl AnyPlayer for RandomPlayer {
    fn think(&mut self, _: &Budget<'_>, _: &mut dyn Observer) -> Thought {
        let moves = self.board.unconsidered();
        let choice = self.board.rng.below(moves.len());
        Thought { choice, moves, stop: StopReason::Solved, stats: Stats::default() }
    }

    fn advance(&mut self, nth: usize) {
        self.board.advance(nth);
    }
}

struct TablePlayer {
    board: Board,
    table: Arc<TableFile>,
}

impl AnyPlayer for TablePlayer {
    /// Plays the best move of the table: the shortest win, or the longest defence. Ties are broken at random. In positions that are not in the
    /// table, or cannot be read, it plays at random.
    fn think(&mut self, _: &Budget<'_>, _: &mut dyn Observer) -> Thought {
        let Board { position, rng } = &mut self.board;
        let found = self.table.preferences(&**position);
        let preferences = found.unwrap_or_else(|_| vec![None; position.moves().len()]);
        let best = preferences.iter().flatten().max().copied();
        let is_best = |nth: &usize| preferences[*nth] == best;
        let candidates: Vec<usize> = (0..preferences.len()).filter(is_best).collect();
        let choice = candidates[rng.below(candidates.len())];
        let mut moves = self.board.unconsidered();
        let payoffs = self.board.position.game_payoffs();
        for (considered, preference) in moves.iter_mut().zip(&preferences) {
            if let Some((payoff, _)) = preference {
                considered.bounds = (Value::of(*payoff, &payoffs), Value::of(*payoff, &payoffs));
            }
        }
        Thought { choice, moves, stop: StopReason::Solved, stats: Stats::default() }
    }

    fn advance(&mut self, nth: usize) {
        self.board.advance(nth);
    }
}

struct MctsPlayer {
    board: Board,
    /// The search; created when it is first needed.
    search: Option<Mcts<'static>>,
    agent: MctsAgent,
    player: Player,
}

impl AnyPlayer for MctsPlayer {
    fn think(&mut self, budget: &Budget<'_>, observer: &mut dyn Observer) -> Thought {
        let mut moves = self.board.unconsidered();
        if moves.len() == 1 {
            return Thought { choice: 0, moves, stop: StopReason::Solved, stats: Stats::default() };
        }
        let (position, seed) = (&self.board.position, self.board.rng.bits());
        let settings = self.agent.settings(self.player);
        let start = || Mcts::new(position.simulator(), Objective::Own, settings, seed);
        let search = self.search.get_or_insert_with(start);
        let before = search.stats();
        let stop = search.run(budget.iterations, budget.limits, true, observer);
        let choice = search.choose(moves.len());
        let payoffs = self.board.position.game_payoffs();
        let found = search.move_stats(moves.len());
        for (considered, stats) in moves.iter_mut().zip(found) {
            considered.visits = stats.visits;
            considered.mean = (stats.visits > 0).then_some(stats.mean);
            considered.bounds = (Value::of(stats.bounds.lo, &payoffs), Value::of(stats.bounds.hi, &payoffs));
        }
        Thought { choice, moves, stop, stats: search.stats().since(&before) }
    }

    fn advance(&mut self, nth: usize) {
        self.board.advance(nth);
        match &mut self.search {
            Some(search) if self.agent.reuse() && !self.board.position.is_over() => search.advance(nth),
            search => *search = None,
        }
    }
}

struct SolverPlayer {
    board: Board,
    solver: Solver,
}

impl AnyPlayer for SolverPlayer {
    /// Every move gets an equal share of the remaining budget. A move that stays open has the value of the game's evaluation, or of a draw.
    fn think(&mut self, budget: &Budget<'_>, observer: &mut dyn Observer) -> Thought {
        let Board { position, rng } = &mut self.board;
        let nodes = budget.limits.nodes.into_iter().chain(budget.iterations).min();
        let whole = Limits { nodes, ..budget.limits }.begin();
        let (payoffs, player) = (position.game_payoffs(), position.turn());
        let (least, most) = (payoffs[0], payoffs[payoffs.len() - 1]);
        let share = |value: Value| match value {
            Value::Loss => 0.0,
            Value::Draw => 0.5,
            Value::Win => 1.0,
            Value::Score(score) => f64::from(score - least) / f64::from((most - least).max(1)),
        };
        let bounds = (Value::of(least, &payoffs), Value::of(most, &payoffs));
        let considered = |mv| Considered { mv, visits: 0, mean: None, bounds };
        let mut moves: Vec<Considered> = position.moves().into_iter().map(considered).collect();
        let (mut worth, mut stats, mut stop) = (Vec::new(), Stats::default(), StopReason::Solved);
        for nth in 0..moves.len() {
            let child = position.after(nth);
            let (left, others) = (whole.after(stats.created), (moves.len() - nth) as u32);
            let limits = Limits {
                nodes: left.nodes.map(|nodes| (nodes / u64::from(others)).max(1)),
                time: left.time_left().map(|time| time / others),
                started: None,
                ..left
            };
            let (solver, seed) = (self.solver.clone(), rng.bits());
            let request = Request { solver, player: Some(player), limits, seed, ..Request::default() };
            let search = child.search();
            let (answer, _) = answer(&*child, &*search, &request, false, observer);
            if answer.stop != StopReason::Solved {
                stop = answer.stop;
            }
            stats = stats.then(answer.stats);
            moves[nth].bounds = answer.bounds;
            let guess = search.evaluate(player).unwrap_or(0.5);
            worth.push(guess.clamp(share(answer.bounds.0), share(answer.bounds.1)));
            if share(answer.bounds.0) == 1.0 {
                break;
            }
        }
        let best = worth.iter().copied().fold(0.0, f64::max);
        let candidates: Vec<usize> = (0..worth.len()).filter(|&nth| worth[nth] == best).collect();
        let choice = candidates[rng.below(candidates.len())];
        Thought { choice, moves, stop, stats }
    }

    fn advance(&mut self, nth: usize) {
        self.board.advance(nth);
    }
}
