//! A game in progress, and the agents that follow it.

use delphic_engine::{Agent, AnyPlayer, AnyPosition, Budget, Observer, Player, Thought};

/// The board with the moves so far. An agent takes a seat when it is first asked about it, and keeps what it learns from move to move.
pub(crate) struct Table<'p> {
    start: &'p dyn AnyPosition,
    played: Vec<Played>,
    agent: Agent,
    seed: u64,
    /// By seat.
    players: Vec<Option<Box<dyn AnyPlayer + 'p>>>,
}

struct Played {
    /// Its number among the legal moves.
    nth: usize,
    name: String,
    after: Box<dyn AnyPosition>,
}

impl<'p> Table<'p> {
    pub(crate) fn new(start: &'p dyn AnyPosition, seats: usize, agent: Agent, seed: u64) -> Table<'p> {
        let players = (0..seats).map(|_| None).collect();
        Table { start, played: Vec::new(), agent, seed, players }
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

    /// From now on another agent plays, with random numbers from `seed`.
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

    /// Makes the moves of a list such as `4455` or `a1 b2`, the longest that fit, until one does not: that is the error.
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

    /// Takes back all but the first `plies` moves. What agents have learnt was about what lies ahead, so they begin anew.
    pub(crate) fn back_to(&mut self, plies: usize) {
        if plies < self.plies() {
            self.played.truncate(plies);
            self.dismiss();
        }
    }

    fn dismiss(&mut self) {
        self.players.fill_with(|| None);
    }

    /// The agent's thoughts for the side to move, where the game goes on.
    pub(crate) fn think(&mut self, budget: &Budget<'_>, observer: &mut dyn Observer) -> Thought {
        let seat = self.position().turn();
        let (start, agent, played) = (self.start, self.agent.clone(), &self.played);
        let seed = self.seed.wrapping_add(seat.seat() as u64);
        let player = self.players[seat.seat()].get_or_insert_with(|| {
            let mut player = start.player(&agent, seat, seed);
            for played in played {
                player.advance(played.nth);
            }
            player
        });
        player.think(budget, observer)
    }
}

/// The name of an agent without its parameters.
pub(crate) fn short_name(agent: &Agent) -> String {
    let spec = agent.to_string();
    spec.split(':').next().unwrap_or(&spec).to_owned()
}

/// The seats of a game in words: `first, second`.
pub(crate) fn seat_names(seats: usize) -> String {
    (0..seats).map(|seat| Player::new(seat).to_string()).collect::<Vec<_>>().join(", ")
}
