//! Games whose type is forgotten.

use crate::analyze::analyze;
use crate::estimate::estimate;
use crate::lesson::learn;
use crate::prove::{prove, solve_with_line};
use crate::solve::{identify, investigate};
use crate::{
    Agent, Analysis, Answer, AnyPlayer, Certified, Identity, InputError, Lesson, Lessons, ProofError,
    Request, Solvable, Table, TreeSize, Watcher, player,
};
use delphic_game::adapters::Misere;
use delphic_game::certificate::{self, Checked, Header, Refusal};
use delphic_game::picture::Picture;
use delphic_game::{
    Game, Notation, NotationError, Player, Rng, Spec, SpecError, perft, play_all, playout, read_moves, result,
};
use delphic_games::{Facts, Family, Visitor, build};
use delphic_search::Observer;
use std::io::{BufRead, Write};
use std::sync::Arc;

/// The game that a spec such as `domineering:6x6` names, or the file if it ends in `.toml`. Every game also takes
/// `misere`: who would win loses.
pub fn game(spec: &str) -> Result<Box<dyn AnyGame>, InputError> {
    if spec.ends_with(".toml") {
        return crate::file::game(spec);
    }
    Ok(build(Spec::parse(spec), Erase { title: None, start: None })??)
}

/// Reads the header of a certificate and builds the game it is about. What is left of `file` is for [`AnyGame::check`].
pub fn open_certificate(file: &mut dyn BufRead) -> Result<(Header, Box<dyn AnyGame>), Refusal> {
    let header = Header::read(file)?;
    let game = game(&header.game).map_err(|error| Refusal::Header(error.to_string()))?;
    Ok((header, game))
}

/// A game by name.
pub trait AnyGame: Send + Sync {
    /// The full spec, all parameters included.
    fn spec(&self) -> &str;

    /// What the author of a game file calls it.
    fn title(&self) -> Option<&str>;

    /// The number of seats.
    fn players(&self) -> usize;

    /// How positions and moves are written.
    fn how(&self) -> &'static str;

    /// Its parameters, symmetries and conventions.
    fn facts(&self) -> Facts;

    /// The position that `text` describes, in the game's notation or as a list of moves from the start (by default the start
    /// itself), after the further `moves`.
    fn position(&self, text: Option<&str>, moves: Option<&str>) -> Result<Box<dyn AnyPosition>, InputError>;

    /// Every payoff a player can get, ascending.
    fn payoffs(&self) -> Vec<i16>;

    /// Whether priors can learn from its moves.
    fn has_patterns(&self) -> bool;

    /// Learns from positions, given in the game's notation or as moves; `known` is what was learnt before.
    fn learn(
        &self,
        positions: &[String],
        lesson: &Lesson<'_>,
        known: Table,
        watcher: &mut dyn Watcher,
    ) -> Result<Lessons, InputError>;

    /// Checks a certificate, of which the header has been read, within `memory` bytes; `print` gets its strategies as text.
    fn check(
        &self,
        header: &Header,
        file: &mut dyn BufRead,
        memory: u64,
        print: Option<&mut dyn Write>,
    ) -> Result<Checked, Refusal>;
}

/// A position of some game.
pub trait AnyPosition: Send + Sync {
    /// In the game's notation, on one line.
    fn write(&self) -> String;

    /// For the eye, with what the last move changed if the position was given by moves.
    fn picture(&self) -> Picture;

    /// Who moves.
    fn turn(&self) -> Player;

    /// Whether the game is over here.
    fn is_over(&self) -> bool;

    /// The legal moves, none if the game is over.
    fn moves(&self) -> Vec<String>;

    /// The same position once more.
    fn again(&self) -> Box<dyn AnyPosition>;

    /// The position after the legal move with this number.
    fn after(&self, nth: usize) -> Box<dyn AnyPosition>;

    /// What everybody got, if the game is over here.
    fn payoffs(&self) -> Option<Vec<i16>>;

    /// Seats an agent here, to play for `seat` from this position on.
    fn player(&self, agent: &Agent, seat: Player, seed: u64) -> Box<dyn AnyPlayer + '_>;

    /// The number of lines of play of exactly `depth` plies.
    fn perft(&self, depth: u32) -> u64;

    /// Plays `count` random games and tells how many of them the first player won.
    fn playouts(&self, count: u64, seed: u64) -> u64;

    /// A position of a random game from here, in the game's notation: after `plies` moves, or, without a number, anywhere before
    /// the end.
    fn random(&self, plies: Option<usize>, seed: u64) -> String;

    /// What tells the search for a request from others, for its checkpoints.
    fn identify(&self, request: &Request<'_>) -> Identity;

    /// Answers a request about this position.
    fn solve(&self, request: &Request<'_>, observer: &mut dyn Observer) -> Answer;

    /// The same, and looks for the line in which the defender resists longest, if that is little work beside the search.
    fn solve_with_line(&self, request: &Request<'_>, observer: &mut dyn Observer) -> Answer;

    /// The size of the tree below, from random lines of play.
    fn estimate(&self, samples: usize, seed: u64) -> TreeSize;

    /// Answers a request about this position and about every move from it. Exact distances to the end may look at `exact`
    /// positions.
    fn analyze(&self, request: &Request<'_>, exact: u64, observer: &mut dyn Observer) -> Analysis;

    /// Answers a request about this position and writes the certificate of the answer to `out`.
    fn prove(
        &self,
        request: &Request<'_>,
        observer: &mut dyn Observer,
        out: &mut dyn Write,
    ) -> (Answer, Result<Certified, ProofError>) {
        self.prove_after(request, observer, &mut |_| {}, out)
    }

    /// The same, and `known` is called with the answer before the certificate is begun, which may take long.
    fn prove_after(
        &self,
        request: &Request<'_>,
        observer: &mut dyn Observer,
        known: &mut dyn FnMut(&Answer),
        out: &mut dyn Write,
    ) -> (Answer, Result<Certified, ProofError>);
}

/// Forgets the type of a game.
pub(crate) struct Erase {
    pub(crate) title: Option<String>,
    /// Where to start, if not where the rules say.
    pub(crate) start: Option<String>,
}

impl Visitor for Erase {
    type Output = Result<Box<dyn AnyGame>, NotationError>;

    fn visit<G: Family + 'static>(self, game: G, mut spec: Spec) -> Result<Self::Output, SpecError> {
        let on = spec.flag("misere");
        spec.finish(G::INFO.usage)?;
        let mut name = game.spec();
        if on {
            name.push(if name.contains(':') { ',' } else { ':' });
            name.push_str("misere");
        }
        let game = Misere { game, on };
        let start = match self.start {
            None => Ok(game.start()),
            Some(text) => {
                read(&game, &game.start(), &text).map(|(from, moves)| play_all(&game, &from, &moves))
            }
        };
        let named = |start| Arc::new(Named { name, title: self.title, facts: G::FACTS, game, start });
        Ok(start.map(|start| Box::new(named(start)) as Box<dyn AnyGame>))
    }
}

struct Named<G: Notation> {
    name: String,
    title: Option<String>,
    facts: Facts,
    game: G,
    start: G::State,
}

/// A position and moves to be played there: `text` is one or the other, moves from `start`.
fn read<G: Notation>(
    game: &G,
    start: &G::State,
    text: &str,
) -> Result<(G::State, Vec<G::Move>), NotationError> {
    match (game.read(text), read_moves(game, start, text)) {
        (Ok(state), _) => Ok((state, Vec::new())),
        (_, Ok(moves)) => Ok((start.clone(), moves)),
        // Neither: complain about what it looks more like. A list that went well for a while was one.
        (_, Err(error @ NotationError::Move { ply: 2.., .. })) => Err(error),
        (Err(error), _) => Err(error),
    }
}

struct At<G: Notation> {
    named: Arc<Named<G>>,
    state: G::State,
    /// The position before the last move, where that is known.
    before: Option<G::State>,
}

impl<G: Notation + Solvable + Send + 'static> AnyGame for Arc<Named<G>> {
    fn spec(&self) -> &str {
        &self.name
    }

    fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    fn players(&self) -> usize {
        self.game.players()
    }

    fn how(&self) -> &'static str {
        G::HOW
    }

    fn facts(&self) -> Facts {
        self.facts
    }

    fn position(&self, text: Option<&str>, moves: Option<&str>) -> Result<Box<dyn AnyPosition>, InputError> {
        let game = &self.game;
        let mut before = None;
        let mut play = |state: &G::State, moves: &[G::Move]| {
            let Some((last, moves)) = moves.split_last() else { return state.clone() };
            let mut state = play_all(game, state, moves);
            before = Some(state.clone());
            game.play(&mut state, *last);
            state
        };
        let mut state = match text {
            None => self.start.clone(),
            Some(text) => {
                let (from, moves) = read(game, &self.start, text)?;
                play(&from, &moves)
            }
        };
        if let Some(moves) = moves {
            state = play(&state, &read_moves(game, &state, moves)?);
        }
        Ok(Box::new(At { named: Arc::clone(self), state, before }))
    }

    fn payoffs(&self) -> Vec<i16> {
        self.game.payoffs()
    }

    fn has_patterns(&self) -> bool {
        self.game.patterns().is_some()
    }

    fn learn(
        &self,
        positions: &[String],
        lesson: &Lesson<'_>,
        known: Table,
        watcher: &mut dyn Watcher,
    ) -> Result<Lessons, InputError> {
        let mut states = Vec::new();
        for text in positions {
            let (from, moves) = read(&self.game, &self.start, text)?;
            let state = play_all(&self.game, &from, &moves);
            if result(&self.game, &state, &mut Vec::new()).is_none() {
                states.push(state);
            }
        }
        let none = || InputError::Request(format!("{} has no patterns to learn", self.name));
        learn(&self.game, &states, lesson, known, watcher).ok_or_else(none)
    }

    fn check(
        &self,
        header: &Header,
        file: &mut dyn BufRead,
        memory: u64,
        print: Option<&mut dyn Write>,
    ) -> Result<Checked, Refusal> {
        match print {
            None => certificate::check(&self.game, &self.name, header, file, memory),
            Some(out) => certificate::print(&self.game, &self.name, header, file, memory, out),
        }
    }
}

impl<G: Notation + Solvable + Send + 'static> AnyPosition for At<G> {
    fn write(&self) -> String {
        self.named.game.write(&self.state)
    }

    fn picture(&self) -> Picture {
        let mut picture = self.named.game.picture(&self.state);
        if let Some(before) = &self.before {
            picture.mark_changes(&self.named.game.picture(before));
        }
        picture
    }

    fn turn(&self) -> Player {
        self.named.game.turn(&self.state)
    }

    fn is_over(&self) -> bool {
        result(&self.named.game, &self.state, &mut Vec::new()).is_some()
    }

    fn moves(&self) -> Vec<String> {
        let (game, mut moves) = (&self.named.game, Vec::new());
        if !self.is_over() {
            game.moves(&self.state, &mut moves);
        }
        moves.into_iter().map(|mv| game.write_move(&self.state, mv)).collect()
    }

    fn again(&self) -> Box<dyn AnyPosition> {
        let (state, before) = (self.state.clone(), self.before.clone());
        Box::new(At { named: Arc::clone(&self.named), state, before })
    }

    fn after(&self, nth: usize) -> Box<dyn AnyPosition> {
        let (game, mut moves, mut state) = (&self.named.game, Vec::new(), self.state.clone());
        game.moves(&state, &mut moves);
        game.play(&mut state, moves[nth]);
        Box::new(At { named: Arc::clone(&self.named), state, before: Some(self.state.clone()) })
    }

    fn payoffs(&self) -> Option<Vec<i16>> {
        let outcome = result(&self.named.game, &self.state, &mut Vec::new())?;
        let players = (0..self.named.game.players()).map(Player::new);
        Some(players.map(|player| outcome.payoff(player)).collect())
    }

    fn player(&self, agent: &Agent, seat: Player, seed: u64) -> Box<dyn AnyPlayer + '_> {
        player::seat(&self.named.game, &self.named.name, self.state.clone(), agent, seat, seed)
    }

    fn perft(&self, depth: u32) -> u64 {
        perft(&self.named.game, &self.state, depth)
    }

    fn playouts(&self, count: u64, seed: u64) -> u64 {
        let (mut rng, mut scratch) = (Rng::new(seed), Vec::new());
        let mut sum = 0;
        for _ in 0..count {
            let outcome = playout(&self.named.game, &mut self.state.clone(), &mut rng, &mut scratch);
            sum += u64::from(outcome.payoff(Player::FIRST) > 0);
        }
        sum
    }

    fn random(&self, plies: Option<usize>, seed: u64) -> String {
        let (game, mut rng, mut scratch) = (&self.named.game, Rng::new(seed), Vec::new());
        let mut line = vec![self.state.clone()];
        while plies.is_none_or(|plies| line.len() <= plies) {
            let mut state = line[line.len() - 1].clone();
            if result(game, &state, &mut scratch).is_some() {
                break;
            }
            let Some(mv) = game.random_move(&state, &mut rng, &mut scratch) else { break };
            game.play(&mut state, mv);
            line.push(state);
        }
        let place = match plies {
            Some(_) => line.len() - 1,
            None => rng.below(line.len().saturating_sub(1).max(1)),
        };
        game.write(&line[place])
    }

    fn identify(&self, request: &Request<'_>) -> Identity {
        identify(&self.named.game, &self.named.name, &self.state, request)
    }

    fn solve(&self, request: &Request<'_>, observer: &mut dyn Observer) -> Answer {
        investigate(&self.named.game, &self.named.name, &self.state, request, observer).0
    }

    fn solve_with_line(&self, request: &Request<'_>, observer: &mut dyn Observer) -> Answer {
        solve_with_line(&self.named.game, &self.named.name, &self.state, request, observer)
    }

    fn estimate(&self, samples: usize, seed: u64) -> TreeSize {
        estimate(&self.named.game, &self.state, samples, seed)
    }

    fn analyze(&self, request: &Request<'_>, exact: u64, observer: &mut dyn Observer) -> Analysis {
        analyze(&self.named.game, &self.named.name, &self.state, request, exact, observer)
    }

    fn prove_after(
        &self,
        request: &Request<'_>,
        observer: &mut dyn Observer,
        known: &mut dyn FnMut(&Answer),
        out: &mut dyn Write,
    ) -> (Answer, Result<Certified, ProofError>) {
        prove(&self.named.game, &self.named.name, &self.state, request, observer, known, out)
    }
}
