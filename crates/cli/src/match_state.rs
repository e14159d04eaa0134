//! A game in progress, and the agents that follow it.

use crate::move_ranking::Range;
use delphic_engine::{
    Agent, AnyGame, AnyPlayer, AnyPosition, Budget, Conclusion, Considered, Limits, Observer, Player,
    Request, Thought, Value,
};
use std::time::{Duration, Instant};

/// Before a Monte-Carlo agent searches, an exact solver gets this fraction (1/n) of the time per move.
const EXACT_PART: u32 = 10;
/// The upper limit of that time.
const LONGEST_EXACT: Duration = Duration::from_secs(2);

/// The start, the moves so far, and the agents. An agent is created when it is first asked for a move, and keeps
/// its search tree from move to move.
pub(crate) struct MatchState<'p> {
    start: &'p dyn AnyPosition,
    range: Range,
    played: Vec<Played>,
    agent: Agent,
    seed: u64,
    /// One for each player.
    players: Vec<Option<Box<dyn AnyPlayer + 'p>>>,
}

struct Played {
    /// Its number among the legal moves.
    nth: usize,
    name: String,
    after: Box<dyn AnyPosition>,
}

impl<'p> MatchState<'p> {
    pub(crate) fn new(
        game: &dyn AnyGame,
        start: &'p dyn AnyPosition,
        agent: Agent,
        seed: u64,
    ) -> MatchState<'p> {
        let players = (0..game.players()).map(|_| None).collect();
        MatchState { start, range: Range::of(game), played: Vec::new(), agent, seed, players }
    }

    pub(crate) fn start(&self) -> &'p dyn AnyPosition {
        self.start
    }

    pub(crate) fn position(&self) -> &dyn AnyPosition {
        self.played.last().map_or(self.start, |last| &*last.after)
    }

    /// The position after the first `plies` moves.
    pub(crate) fn position_after(&self, plies: usize) -> &dyn AnyPosition {
        plies.checked_sub(1).map_or(self.start, |last| &*self.played[last].after)
    }

    /// The number of moves so far.
    pub(crate) fn plies(&self) -> usize {
        self.played.len()
    }

    /// The moves so far.
    pub(crate) fn record(&self) -> Vec<&str> {
        self.played.iter().map(|played| played.name.as_str()).collect()
    }

    pub(crate) fn agent(&self) -> Agent {
        self.agent.clone()
    }

    pub(crate) fn seed(&self) -> u64 {
        self.seed
    }

    /// Replaces the agent; its random numbers come from `seed`.
    pub(crate) fn set_agent(&mut self, agent: Agent, seed: u64) {
        (self.agent, self.seed) = (agent, seed);
        self.dismiss();
    }

    /// Makes the legal move with this number.
    pub(crate) fn play(&mut self, nth: usize) {
        let position = self.position();
        let (name, after) = (position.moves().swap_remove(nth), position.after(nth));
        self.played.push(Played { nth, name, after });
        for player in self.players.iter_mut().flatten() {
            player.advance(nth);
        }
    }

    /// Plays the moves of a list such as `4455` or `a1 b2`; at each place the longest legal move that matches. The error
    /// names the first move that is not legal.
    pub(crate) fn play_list(&mut self, list: &str) -> Result<(), String> {
        let separator = |c: char| c.is_whitespace() || c == ',';
        let mut rest = list.trim_start_matches(separator);
        while !rest.is_empty() {
            let moves = self.position().moves();
            let fits = moves.iter().enumerate().filter(|(_, name)| rest.starts_with(name.as_str()));
            let Some((nth, name)) = fits.max_by_key(|(_, name)| name.len()) else {
                let word: String = rest.chars().take_while(|&c| !separator(c)).take(20).collect();
                return Err(format!("ply {}: '{word}' is not a legal move here", self.plies() + 1));
            };
            rest = rest[name.len()..].trim_start_matches(separator);
            self.play(nth);
        }
        Ok(())
    }

    /// Takes back all but the first `plies` moves. The agents' trees are for later positions, so they are dropped.
    pub(crate) fn back_to(&mut self, plies: usize) {
        if plies < self.plies() {
            self.played.truncate(plies);
            self.dismiss();
        }
    }

    fn dismiss(&mut self) {
        self.players.fill_with(|| None);
    }

    /// The agent's choice for the side to move, in a position that is not over.
    pub(crate) fn think(&mut self, budget: &Budget<'_>, observer: &mut dyn Observer) -> Thought {
        let started = Instant::now();
        let worst = self.range.worst();
        let lost = match self.solve(budget, observer) {
            Some((value, Some(thought))) if value != worst => return thought,
            exact => exact.is_some_and(|(value, _)| value == worst),
        };
        let time = budget.limits.time.map(|time| time.saturating_sub(started.elapsed()));
        let budget = Budget { limits: Limits { time, ..budget.limits }, ..*budget };
        let seat = self.position().turn();
        let (start, agent, played) = (self.start, self.agent.clone(), &self.played);
        let seed = self.seed.wrapping_add(seat.index() as u64);
        let player = self.players[seat.index()].get_or_insert_with(|| {
            let mut player = start.player(&agent, seat, seed);
            for played in played {
                player.advance(played.nth);
            }
            player
        });
        let mut thought = player.think(&budget, observer);
        if lost {
            // All moves lose; the agent's estimate chooses the one that is hardest to refute.
            thought.moves.iter_mut().for_each(|mv| mv.bounds = (worst, worst));
        }
        thought
    }

    /// The exact value of the position and a move that attains it, if a solver finds them in a small part of the time.
    /// Monte-Carlo agents prove slowly: on small boards a solver needs milliseconds where they need seconds. Other limits
    /// count the agent's own work, so with them no solver is run.
    fn solve(&self, budget: &Budget<'_>, observer: &mut dyn Observer) -> Option<(Value, Option<Thought>)> {
        let (limits, moves) = (budget.limits, self.position().moves());
        let by_time = limits.nodes.is_none() && budget.iterations.is_none();
        let time = limits.time.filter(|_| by_time && moves.len() > 1)?;
        if !matches!(self.agent, Agent::Mcts(_)) || self.players.len() != 2 {
            return None;
        }
        let limits = Limits { time: Some((time / EXACT_PART).min(LONGEST_EXACT)), ..limits };
        let answer = self.position().solve_with_line(&Request { limits, ..Request::default() }, observer);
        let value = answer.value().filter(|_| answer.conclusion != Conclusion::Estimated)?;
        let choice = answer.line.first().and_then(|first| moves.iter().position(|mv| mv == first));
        let thought = choice.map(|choice| {
            // A move that is not proved to attain the value has it as an upper bound.
            let (worst, _) = self.range.unknown();
            let considered = |(nth, mv)| {
                let bounds = if nth == choice { (value, value) } else { (worst, value) };
                Considered { mv, visits: 0, mean: None, bounds }
            };
            let moves = moves.into_iter().enumerate().map(considered).collect();
            Thought { choice, moves, stop: answer.stop, stats: answer.stats }
        });
        Some((value, thought))
    }
}

/// The name of an agent without its parameters.
pub(crate) fn short_name(agent: &Agent) -> String {
    let spec = agent.to_string();
    spec.split(':').next().unwrap_or(&spec).to_owned()
}

/// The players of a game in words: `first, second`.
pub(crate) fn seat_names(seats: usize) -> String {
    (0..seats).map(|seat| Player::new(seat).to_string()).collect::<Vec<_>>().join(", ")
}
