//! Games whose type is forgotten.

use crate::solve::solve;
use crate::{Answer, InputError, Request, Solvable};
use delphic_game::adapters::Misere;
use delphic_game::picture::Picture;
use delphic_game::{
    Game, Notation, NotationError, Player, Rng, Spec, SpecError, perft, play_all, playout, read_moves, result,
};
use delphic_games::{Facts, Family, Visitor, build};
use delphic_search::Observer;
use std::sync::Arc;

/// The game that a spec such as `domineering:6x6` names, or the file if it ends in `.toml`. Every game also takes
/// `misere`: who would win loses.
pub fn game(spec: &str) -> Result<Box<dyn AnyGame>, InputError> {
    if spec.ends_with(".toml") {
        return crate::file::game(spec);
    }
    Ok(build(Spec::parse(spec), Erase { title: None, start: None })??)
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

    /// The number of lines of play of exactly `depth` plies.
    fn perft(&self, depth: u32) -> u64;

    /// Plays `count` random games and tells how many of them the first player won.
    fn playouts(&self, count: u64, seed: u64) -> u64;

    /// Answers a request about this position.
    fn solve(&self, request: &Request<'_>, observer: &mut dyn Observer) -> Answer;
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
}

impl<G: Notation + Solvable + Send> AnyPosition for At<G> {
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

    fn solve(&self, request: &Request<'_>, observer: &mut dyn Observer) -> Answer {
        solve(&self.named.game, &self.named.name, &self.state, request, observer)
    }
}
