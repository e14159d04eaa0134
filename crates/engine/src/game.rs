//! Games whose type is not known at compile time.

use crate::InputError;
use crate::browse::Proof;
use crate::position::{AnyPosition, At, Earlier};
use delphic_certificate::{Checked, Header, Refusal};
use delphic_game::adapters::Misere;
use delphic_game::erased::{Erased, ErasedState};
use delphic_game::{Game, Hints, Notation, NotationError, Outcome, Spec, SpecError, play_all, read_moves};
use delphic_games::{Description, Facts, Family, Visitor, build};
use delphic_search::Solvable;
use std::io::{BufRead, Write};
use std::sync::Arc;

/// The game with a spec such as `domineering:6x6`, or described by a file if the spec ends in `.toml`. Every built-in game also takes
/// `misere`, which negates all payoffs. [Registered](crate::register) games take precedence.
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

/// Makes a game of your own available to all solvers, agents, analysis, certificates and checkpoints.
///
/// `spec` is its name in certificates and checkpoints, so it should state all parameters.
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
pub fn own_game<G: Notation + Solvable>(spec: &str, game: G) -> Box<dyn AnyGame> {
    Box::new(Arc::new(Named::own(spec, game)))
}

/// A described game, whose name is the path of its file.
pub(crate) fn described(path: &str, description: Description) -> Box<dyn AnyGame> {
    const FACTS: Facts = Facts { cycles: "see the rules", symmetries: "see the rules", ..Facts::PLAIN };
    let Description { title, misere, game } = description;
    let mut rules = game.sentences();
    if misere {
        rules.push("Misère: the player who would normally win loses.".to_owned());
    }
    let game = Misere { game, on: misere };
    let (start, states) = (game.start(), game.states());
    Box::new(Arc::new(Named {
        name: path.to_owned(),
        title,
        facts: FACTS,
        how: delphic_games::Described::HOW,
        states,
        rules,
        game: Arc::new(game),
        start,
    }))
}

/// The position `state` of a game of your own, for states that have no notation.
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
pub fn own_position<G: Notation + Solvable>(spec: &str, game: G, state: G::State) -> Box<dyn AnyPosition> {
    let named = Arc::new(Named::own(spec, game));
    Box::new(At { named, state, before: None })
}

/// Reads the header of a certificate and builds its game. The rest of `file` is for [`AnyGame::check`].
pub fn open_certificate(file: &mut dyn BufRead) -> Result<(Header, Box<dyn AnyGame>), Refusal> {
    let header = Header::read(file)?;
    let game = game(&header.game).map_err(|error| Refusal::Header(error.to_string()))?;
    Ok((header, game))
}

/// A game whose type is erased.
pub trait AnyGame: Send + Sync {
    /// The full spec, all parameters included.
    fn spec(&self) -> &str;

    /// The title that the author of a game file gives it.
    fn title(&self) -> Option<&str>;

    /// The rules in sentences, if a file describes them.
    fn rules(&self) -> &[String];

    /// How positions and moves are written.
    fn how(&self) -> &'static str;

    /// Its parameters, symmetries and conventions.
    fn facts(&self) -> Facts;

    /// The position `text`, in the game's notation or as a list of moves from the start (by default the start itself), after the further
    /// `moves`.
    fn position(&self, text: Option<&str>, moves: Option<&str>) -> Result<Box<dyn AnyPosition>, InputError>;

    /// Whether the game has patterns, from which priors can be learned.
    fn has_patterns(&self) -> bool;

    /// The game without its type.
    fn erased(&self) -> Erased<'static>;
}

impl dyn AnyGame + '_ {
    /// The number of players.
    pub fn players(&self) -> usize {
        self.erased().players()
    }

    /// Every payoff a player can get, ascending.
    pub fn payoffs(&self) -> Vec<i16> {
        self.erased().payoffs()
    }

    /// The result of endless play, if positions can repeat.
    pub fn endless(&self) -> Option<Outcome> {
        self.erased().endless()
    }

    /// Checks a certificate, of which the header has been read, within `memory` bytes; `print` gets its strategies as text.
    pub fn check(
        &self,
        header: &Header,
        file: &mut dyn BufRead,
        memory: u64,
        print: Option<&mut dyn Write>,
    ) -> Result<Checked, Refusal> {
        match print {
            None => delphic_certificate::check(&self.erased(), self.spec(), header, file, memory),
            Some(out) => delphic_certificate::print(&self.erased(), self.spec(), header, file, memory, out),
        }
    }

    /// Checks a certificate in the same way, and keeps its strategies for browsing.
    pub fn browse(&self, header: &Header, file: &mut dyn BufRead, memory: u64) -> Result<Proof, Refusal> {
        let game = self.erased();
        let (checked, trees) = delphic_certificate::trees(&game, self.spec(), header, file, memory)?;
        Ok(Proof { game, header: header.clone(), checked, trees })
    }
}

/// A game with its type, behind [`AnyGame`].
pub(crate) struct Erase {
    pub(crate) title: Option<String>,
    /// The start position, if it is not that of the rules.
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
                let (erased, start) = (Erased::new(&game), ErasedState::new(game.start()));
                let played = |(from, line): (ErasedState, Vec<u16>)| play_all(&erased, &from, &line);
                read(&erased, start, Some(&text), None).map(|read| played(read).get::<G::State>().clone())
            }
        };
        let (title, facts, how, states, rules) = (self.title, G::FACTS, G::HOW, game.states(), Vec::new());
        Ok(start.map(|start| -> Box<dyn AnyGame> {
            // A compile-time constant, so that no searches are compiled for a game without them.
            if const { G::OWN_SEARCHES } {
                let game = Arc::new(game);
                Box::new(Arc::new(Named { name, title, facts, how, states, rules, game, start }))
            } else {
                let (game, start) = (Arc::new(Erased::new(Arc::new(game))), ErasedState::new(start));
                Box::new(Arc::new(Named { name, title, facts, how, states, rules, game, start }))
            }
        }))
    }
}

pub(crate) struct Named<G: Notation> {
    pub(crate) name: String,
    title: Option<String>,
    facts: Facts,
    /// The notation of positions and moves, in words.
    how: &'static str,
    /// The decimal logarithm of the number of positions, if it is known.
    pub(crate) states: Option<f64>,
    /// The rules in sentences, generated from a description.
    rules: Vec<String>,
    pub(crate) game: Arc<G>,
    start: G::State,
}

impl<G: Notation + Solvable> Named<G> {
    /// A game that is not built in.
    fn own(spec: &str, game: G) -> Named<G> {
        Named {
            name: spec.to_owned(),
            title: None,
            facts: Facts::PLAIN,
            how: G::HOW,
            states: game.states(),
            rules: Vec::new(),
            start: game.start(),
            game: Arc::new(game),
        }
    }

    /// The erased game, for code that is compiled once for all games.
    pub(crate) fn erased(&self) -> Erased<'static> {
        Erased::new(Arc::clone(&self.game))
    }
}

/// The position `text`, or `start`, and the moves to be played there: those of `text` if it is a list of moves from `start`, then `more`.
fn read(
    game: &Erased<'_>,
    start: ErasedState,
    text: Option<&str>,
    more: Option<&str>,
) -> Result<(ErasedState, Vec<u16>), NotationError> {
    let (state, mut line) = match text.map(|text| (game.read(text), read_moves(game, &start, text))) {
        None => (start, Vec::new()),
        Some((Ok(state), _)) => (state, Vec::new()),
        Some((_, Ok(moves))) => (start, moves),
        // Neither: report the more likely intention. If the first moves of the list are legal, it was meant as a list.
        Some((_, Err(error @ NotationError::Move { ply: 2.., .. }))) => return Err(error),
        Some((Err(error), _)) => return Err(error),
    };
    if let Some(more) = more {
        line.extend(read_moves(game, &play_all(game, &state, &line), more)?);
    }
    Ok((state, line))
}

impl<G: Notation + Solvable> AnyGame for Arc<Named<G>> {
    fn spec(&self) -> &str {
        &self.name
    }

    fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    fn rules(&self) -> &[String] {
        &self.rules
    }

    fn how(&self) -> &'static str {
        self.how
    }

    fn facts(&self) -> Facts {
        self.facts
    }

    fn position(&self, text: Option<&str>, moves: Option<&str>) -> Result<Box<dyn AnyPosition>, InputError> {
        let (game, start) = (self.erased(), ErasedState::new(self.start.clone()));
        let (mut state, line) = read(&game, start, text, moves)?;
        let mut before = None;
        for nth in line {
            before = Some(Arc::new(Earlier { state: state.clone(), before }));
            game.play(&mut state, nth);
        }
        let state = state.get::<G::State>().clone();
        Ok(Box::new(At { named: Arc::clone(self), state, before }))
    }

    fn has_patterns(&self) -> bool {
        self.game.patterns().is_some()
    }

    fn erased(&self) -> Erased<'static> {
        Named::erased(self)
    }
}
