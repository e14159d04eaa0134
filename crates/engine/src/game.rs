//! Games whose type is not known at compile time.

use crate::InputError;
use crate::browse::{AnyProof, Proof};
use crate::position::{AnyPosition, At, Earlier};
use delphic_certificate::{Checked, Header, Refusal};
use delphic_game::adapters::Misere;
use delphic_game::{Game, Notation, NotationError, Outcome, Spec, SpecError, play_all, read_moves};
use delphic_games::{Description, Facts, Family, Visitor, build};
use delphic_search::Solvable;
use std::io::{BufRead, Write};
use std::sync::Arc;

/// The game that a spec such as `domineering:6x6` names, or the file if it ends in `.toml`. Every game of the table also takes
/// `misere`, by which all payoffs are negated. Games that were [registered](crate::register) come first.
///
/// ```
/// use delphic_engine::game;
///
/// let connect4 = game("connect4")?;
/// assert_eq!(connect4.spec(), "connect4:7x6");
/// let position = connect4.position(None, Some("4455"))?;
/// assert_eq!(position.moves().len(), 7);
/// assert!(game("conect4").err().unwrap().to_string().contains("did you mean 'connect4'"));
/// # Ok::<(), delphic_engine::InputError>(())
/// ```
pub fn game(spec: &str) -> Result<Box<dyn AnyGame>, InputError> {
    if spec.ends_with(".toml") {
        return crate::toml_game::game(spec);
    }
    if let Some(own) = crate::own::find(spec) {
        return own;
    }
    Ok(build(Spec::parse(spec), Erase { title: None, start: None })??)
}

/// A game of your own as one of those that have names: with all solvers, agents, analysis, certificates and checkpoints.
///
/// `spec` is the name under which certificates and checkpoints know it, so it should state all parameters.
///
/// ```
/// use delphic_engine::{Request, own_game};
/// use delphic_game::random_tree::RandomTree;
///
/// let tree = RandomTree { seed: 1, depth: 5, width: 3, span: 1, players: 2 };
/// let position = own_game("bush:1", tree).position(None, None)?;
/// let answer = position.solve(&Request::default(), &mut ());
/// assert!(answer.value().is_some());
/// # Ok::<(), delphic_engine::InputError>(())
/// ```
pub fn own_game<G: Notation + Solvable + Send>(spec: &str, game: G) -> Box<dyn AnyGame> {
    let (start, facts) = (game.start(), Facts::PLAIN);
    let game = Arc::new(game);
    Box::new(Arc::new(Named { name: spec.to_owned(), title: None, facts, rules: Vec::new(), game, start }))
}

/// A described game, whose name is the path of its file.
pub(crate) fn described(path: &str, description: Description) -> Box<dyn AnyGame> {
    const FACTS: Facts = Facts {
        cycles: "see the rules as they were understood",
        symmetries: "see the rules as they were understood",
        ..Facts::PLAIN
    };
    let Description { title, misere, game } = description;
    let mut rules = game.sentences();
    if misere {
        rules.push("Misère: the player who would win loses.".to_owned());
    }
    let game = Misere { game, on: misere };
    let start = game.start();
    Box::new(Arc::new(Named {
        name: path.to_owned(),
        title,
        facts: FACTS,
        rules,
        game: Arc::new(game),
        start,
    }))
}

/// The position `state` of a game of your own: for games whose states are not known by their text.
///
/// ```
/// use delphic_engine::own_position;
/// use delphic_game::random_tree::RandomTree;
/// use delphic_game::Game;
///
/// let tree = RandomTree { seed: 1, depth: 5, width: 3, span: 1, players: 2 };
/// let mut state = tree.start();
/// let mut moves = Vec::new();
/// tree.moves(&state, &mut moves);
/// tree.play(&mut state, moves[0]);
/// assert_eq!(own_position("bush:1", tree, state.clone()).turn(), tree.turn(&state));
/// ```
pub fn own_position<G: Notation + Solvable + Send>(
    spec: &str,
    game: G,
    state: G::State,
) -> Box<dyn AnyPosition> {
    let (start, facts, name) = (game.start(), Facts::PLAIN, spec.to_owned());
    let named = Arc::new(Named { name, title: None, facts, rules: Vec::new(), game: Arc::new(game), start });
    Box::new(At { named, state, before: None })
}

/// Reads the header of a certificate and builds the game it is about. What is left of `file` is for [`AnyGame::check`].
pub fn open_certificate(file: &mut dyn BufRead) -> Result<(Header, Box<dyn AnyGame>), Refusal> {
    let header = Header::read(file)?;
    let game = game(&header.game).map_err(|error| Refusal::Header(error.to_string()))?;
    Ok((header, game))
}

/// A game of some type.
pub trait AnyGame: Send + Sync {
    /// The full spec, all parameters included.
    fn spec(&self) -> &str;

    /// The title that the author of a game file gives it.
    fn title(&self) -> Option<&str>;

    /// The rules in sentences, if a file describes them.
    fn rules(&self) -> &[String];

    /// The number of players.
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

    /// The result of play that never ends, if positions can come again.
    fn endless(&self) -> Option<Outcome>;

    /// Whether solvers can learn from its moves.
    fn has_patterns(&self) -> bool;

    /// Checks a certificate, of which the header has been read, within `memory` bytes; `print` gets its strategies as text.
    fn check(
        &self,
        header: &Header,
        file: &mut dyn BufRead,
        memory: u64,
        print: Option<&mut dyn Write>,
    ) -> Result<Checked, Refusal>;

    /// Checks a certificate in the same way, and keeps its strategies for browsing.
    fn browse(
        &self,
        header: &Header,
        file: &mut dyn BufRead,
        memory: u64,
    ) -> Result<Box<dyn AnyProof>, Refusal>;
}

/// Hides the type of a game.
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
        let (title, facts, game) = (self.title, G::FACTS, Arc::new(game));
        Ok(start.map(|start| {
            Box::new(Arc::new(Named { name, title, facts, rules: Vec::new(), game, start }))
                as Box<dyn AnyGame>
        }))
    }
}

pub(crate) struct Named<G: Notation> {
    pub(crate) name: String,
    title: Option<String>,
    facts: Facts,
    /// The rules as a description was understood.
    rules: Vec<String>,
    pub(crate) game: Arc<G>,
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

impl<G: Notation + Solvable + Send> AnyGame for Arc<Named<G>> {
    fn spec(&self) -> &str {
        &self.name
    }

    fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    fn rules(&self) -> &[String] {
        &self.rules
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
        let game = &*self.game;
        let mut before = None;
        let mut play = |state: &G::State, moves: &[G::Move]| {
            let mut state = state.clone();
            for mv in moves {
                before = Some(Arc::new(Earlier { state: state.clone(), before: before.take() }));
                game.play(&mut state, *mv);
            }
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

    fn endless(&self) -> Option<Outcome> {
        self.game.endless()
    }

    fn has_patterns(&self) -> bool {
        self.game.patterns().is_some()
    }

    fn check(
        &self,
        header: &Header,
        file: &mut dyn BufRead,
        memory: u64,
        print: Option<&mut dyn Write>,
    ) -> Result<Checked, Refusal> {
        match print {
            None => delphic_certificate::check(&*self.game, &self.name, header, file, memory),
            Some(out) => delphic_certificate::print(&*self.game, &self.name, header, file, memory, out),
        }
    }

    fn browse(
        &self,
        header: &Header,
        file: &mut dyn BufRead,
        memory: u64,
    ) -> Result<Box<dyn AnyProof>, Refusal> {
        let (checked, trees) = delphic_certificate::trees(&*self.game, &self.name, header, file, memory)?;
        let (game, header) = (Arc::clone(&self.game), header.clone());
        Ok(Box::new(Proof { game, header, checked, trees }))
    }
}
