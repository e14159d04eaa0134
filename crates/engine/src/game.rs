//! Games and positions whose types are not known.

use crate::analyze::{Distances, MoveDistances, MoveProver, WALK_MEMORY, analyze};
use crate::checkpoint::Identity;
use crate::estimate::{estimate, random_line};
use crate::prove::{Strategies, longest, prove, solve_with_line, strategies};
use crate::solve::{Decided, answer};
use crate::{
    Agent, Analysis, Answer, AnyPlayer, Certified, InputError, ProofError, Request, TreeSize, player,
};
use delphic_game::adapters::Misere;
use delphic_game::certificate::{self, Checked, Claim, Header, Refusal, Writer};
use delphic_game::picture::Picture;
use delphic_game::{
    Force, Game, Notation, NotationError, Player, Rng, Spec, SpecError, perft, play_all, playout, read_moves,
    result, write_numbered,
};
use delphic_games::{Facts, Family, Visitor, build};
use delphic_search::boundary::{GameSimulator, Simulator};
use delphic_search::prover::Prover;
use delphic_search::{
    GameProblem, Limits, Observer, Position, ProofMemory, Searchable, Solvable, StopReason,
};
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
    Box::new(Arc::new(Named { name: spec.to_owned(), title: None, facts, game, start }))
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
    let named = Arc::new(Named { name, title: None, facts, game: Arc::new(game), start });
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
}

/// A position of some game.
///
/// The trait has what needs the types of the game. What follows from it (`solve`, `analyze`, `prove`, …) are methods of `dyn AnyPosition`
/// and compiled once for all games.
pub trait AnyPosition: Send + Sync {
    /// The full spec of the game.
    fn spec(&self) -> &str;

    /// The fingerprint of the game's rules.
    fn fingerprint(&self) -> u64;

    /// Every payoff a player can get, ascending.
    fn game_payoffs(&self) -> Vec<i16>;

    /// In the game's notation, on one line.
    fn write(&self) -> String;

    /// For display, with what the last move changed if the position was given by moves.
    fn picture(&self) -> Picture;

    /// The player to move.
    fn turn(&self) -> Player;

    /// Whether the game is over here.
    fn is_over(&self) -> bool;

    /// The legal moves, none if the game is over.
    fn moves(&self) -> Vec<String>;

    /// A line of play, given by numbers of legal moves, as text.
    fn write_line(&self, line: &[u16]) -> Vec<String>;

    /// The same position once more.
    fn again(&self) -> Box<dyn AnyPosition>;

    /// The position after the legal move with this number.
    fn after(&self, nth: usize) -> Box<dyn AnyPosition>;

    /// The payoffs of all players, if the game is over here.
    fn payoffs(&self) -> Option<Vec<i16>>;

    /// The number of lines of play of exactly `depth` plies.
    fn perft(&self, depth: u32) -> u64;

    /// Plays `count` random games and returns how many of them the first player won.
    fn playouts(&self, count: u64, seed: u64) -> u64;

    /// A position of a random game from here, in the game's notation: after `plies` moves, or, without a number, anywhere before
    /// the end.
    fn random(&self, plies: Option<usize>, seed: u64) -> String;

    /// The size of the tree below, estimated from random lines of play.
    fn estimate(&self, samples: usize, seed: u64) -> TreeSize;

    /// The position as searches see it.
    fn search(&self) -> Box<dyn Searchable + '_>;

    /// The game's side of a Monte-Carlo tree search that starts here.
    fn simulator(&self) -> Box<dyn Simulator>;

    /// Walks through the proofs of decided questions and gives their choices to the writer.
    #[doc(hidden)]
    fn strategies(
        &self,
        decided: Vec<Decided>,
        limits: Limits<'_>,
        writer: Option<&mut Writer<&mut dyn Write>>,
        observer: &mut dyn Observer,
    ) -> Result<Strategies, ProofError>;

    /// Searches for the values of single moves, from the solved positions of a search.
    #[doc(hidden)]
    fn move_prover<'a>(
        &'a self,
        question: Force,
        memory: Option<ProofMemory>,
        limits: Limits<'a>,
    ) -> Box<dyn MoveProver + 'a>;

    /// Exact distances after single moves, within this many positions in all.
    #[doc(hidden)]
    fn move_distances(&self, positions: u64) -> Box<dyn MoveDistances + '_>;
}

impl dyn AnyPosition + '_ {
    /// Answers a request about this position.
    pub fn solve(&self, request: &Request<'_>, observer: &mut dyn Observer) -> Answer {
        answer(self, &*self.search(), request, false, observer).0
    }

    /// The same, and finds the line in which the defender resists longest, if that is little work beside the search.
    pub fn solve_with_line(&self, request: &Request<'_>, observer: &mut dyn Observer) -> Answer {
        solve_with_line(self, request, observer)
    }

    /// Answers a request about this position and about every move from it. Exact distances to the end may look at `exact`
    /// positions.
    pub fn analyze(&self, request: &Request<'_>, exact: u64, observer: &mut dyn Observer) -> Analysis {
        analyze(self, request, exact, observer)
    }

    /// Answers a request and writes the certificate of the answer to `out`.
    pub fn prove(
        &self,
        request: &Request<'_>,
        observer: &mut dyn Observer,
        out: &mut dyn Write,
    ) -> (Answer, Result<Certified, ProofError>) {
        prove(self, request, observer, &mut |_| {}, out)
    }

    /// The same; `known` is called with the answer before the certificate is begun, which may take long.
    pub fn prove_announced(
        &self,
        request: &Request<'_>,
        observer: &mut dyn Observer,
        known: &mut dyn FnMut(&Answer),
        out: &mut dyn Write,
    ) -> (Answer, Result<Certified, ProofError>) {
        prove(self, request, observer, known, out)
    }

    /// What tells the search for a request from others, for its checkpoints.
    pub fn identify(&self, request: &Request<'_>) -> Identity {
        request.identity(self)
    }

    /// An agent that plays for `player` from this position on.
    pub fn player(&self, agent: &Agent, player: Player, seed: u64) -> Box<dyn AnyPlayer> {
        player::start(self.again(), agent, player, seed)
    }
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
        Ok(start
            .map(|start| Box::new(Arc::new(Named { name, title, facts, game, start })) as Box<dyn AnyGame>))
    }
}

struct Named<G: Notation> {
    name: String,
    title: Option<String>,
    facts: Facts,
    game: Arc<G>,
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

impl<G: Notation + Solvable + Send> AnyGame for Arc<Named<G>> {
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
        let game = &*self.game;
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

    fn check(
        &self,
        header: &Header,
        file: &mut dyn BufRead,
        memory: u64,
        print: Option<&mut dyn Write>,
    ) -> Result<Checked, Refusal> {
        match print {
            None => certificate::check(&*self.game, &self.name, header, file, memory),
            Some(out) => certificate::print(&*self.game, &self.name, header, file, memory, out),
        }
    }
}

impl<G: Notation + Solvable + Send> At<G> {
    fn game(&self) -> &G {
        &self.named.game
    }

    fn legal_moves(&self) -> Vec<G::Move> {
        let mut moves = Vec::new();
        if !self.is_over() {
            self.game().moves(&self.state, &mut moves);
        }
        moves
    }

    fn at(&self, state: G::State, before: Option<G::State>) -> Box<dyn AnyPosition> {
        Box::new(At { named: Arc::clone(&self.named), state, before })
    }

    /// The positions after all legal moves.
    fn children(&self) -> Vec<G::State> {
        self.legal_moves().into_iter().map(|mv| play_all(self.game(), &self.state, &[mv])).collect()
    }
}

impl<G: Notation + Solvable + Send> AnyPosition for At<G> {
    fn spec(&self) -> &str {
        &self.named.name
    }

    fn fingerprint(&self) -> u64 {
        certificate::fingerprint(self.game(), &self.named.name)
    }

    fn game_payoffs(&self) -> Vec<i16> {
        self.game().payoffs()
    }

    fn write(&self) -> String {
        self.game().write(&self.state)
    }

    fn picture(&self) -> Picture {
        let mut picture = self.game().picture(&self.state);
        if let Some(before) = &self.before {
            picture.mark_changes(&self.game().picture(before));
        }
        picture
    }

    fn turn(&self) -> Player {
        self.game().turn(&self.state)
    }

    fn is_over(&self) -> bool {
        result(self.game(), &self.state, &mut Vec::new()).is_some()
    }

    fn moves(&self) -> Vec<String> {
        self.legal_moves().into_iter().map(|mv| self.game().write_move(&self.state, mv)).collect()
    }

    fn write_line(&self, line: &[u16]) -> Vec<String> {
        write_numbered(self.game(), &self.state, line)
    }

    fn again(&self) -> Box<dyn AnyPosition> {
        self.at(self.state.clone(), self.before.clone())
    }

    fn after(&self, nth: usize) -> Box<dyn AnyPosition> {
        let mut state = self.state.clone();
        self.game().play(&mut state, self.legal_moves()[nth]);
        self.at(state, Some(self.state.clone()))
    }

    fn payoffs(&self) -> Option<Vec<i16>> {
        let outcome = result(self.game(), &self.state, &mut Vec::new())?;
        let players = (0..self.game().players()).map(Player::new);
        Some(players.map(|player| outcome.payoff(player)).collect())
    }

    fn perft(&self, depth: u32) -> u64 {
        perft(self.game(), &self.state, depth)
    }

    fn playouts(&self, count: u64, seed: u64) -> u64 {
        let (mut rng, mut scratch) = (Rng::new(seed), Vec::new());
        let mut won = 0;
        for _ in 0..count {
            let outcome = playout(self.game(), &mut self.state.clone(), &mut rng, &mut scratch);
            won += u64::from(outcome.payoff(Player::FIRST) > 0);
        }
        won
    }

    fn random(&self, plies: Option<usize>, seed: u64) -> String {
        let (game, mut rng, mut scratch) = (self.game(), Rng::new(seed), Vec::new());
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

    fn estimate(&self, samples: usize, seed: u64) -> TreeSize {
        let line = |rng: &mut Rng, sink: &mut dyn FnMut(usize)| {
            random_line(self.game(), &self.state, rng, sink);
        };
        estimate(&line, self.game().states(), samples, seed)
    }

    fn search(&self) -> Box<dyn Searchable + '_> {
        Box::new(Position { game: self.game(), state: self.state.clone() })
    }

    fn simulator(&self) -> Box<dyn Simulator> {
        Box::new(GameSimulator::new(Arc::clone(&self.named.game), self.state.clone()))
    }

    fn strategies(
        &self,
        decided: Vec<Decided>,
        limits: Limits<'_>,
        writer: Option<&mut Writer<&mut dyn Write>>,
        observer: &mut dyn Observer,
    ) -> Result<Strategies, ProofError> {
        strategies(self.game(), &self.state, decided, limits, writer, observer)
    }

    fn move_prover<'a>(
        &'a self,
        question: Force,
        memory: Option<ProofMemory>,
        limits: Limits<'a>,
    ) -> Box<dyn MoveProver + 'a> {
        let problem = GameProblem::new(self.game(), question, self.state.clone()).with_shortcuts();
        let prover = Prover::new(problem, memory, limits);
        Box::new(ChildProver { game: self.game(), question, children: self.children(), prover })
    }

    fn move_distances(&self, positions: u64) -> Box<dyn MoveDistances + '_> {
        let distances = Distances::new(self.game(), self.turn(), &self.game().payoffs(), positions);
        Box::new(ChildDistances { children: self.children(), distances })
    }
}

/// [`MoveProver`] of a game.
struct ChildProver<'g, G: Notation + Solvable> {
    game: &'g G,
    question: Force,
    children: Vec<G::State>,
    prover: Prover<'g, G>,
}

impl<G: Notation + Solvable> MoveProver for ChildProver<'_, G> {
    fn answer(&mut self, nth: usize, nodes: u64) -> Result<bool, StopReason> {
        self.prover.answer_within(&self.children[nth], nodes)
    }

    fn longest(&mut self, nth: usize, yes: bool) -> Option<u32> {
        let claim = Claim { question: self.question, holds: yes };
        longest(self.game, &self.children[nth], claim, &mut self.prover, WALK_MEMORY)
    }

    fn created(&self) -> u64 {
        self.prover.created()
    }
}

/// [`MoveDistances`] of a game.
struct ChildDistances<'g, G: Game> {
    children: Vec<G::State>,
    distances: Distances<'g, G>,
}

impl<G: Solvable> MoveDistances for ChildDistances<'_, G> {
    fn of(&mut self, nth: usize, won: bool) -> Option<u32> {
        self.distances.of(&self.children[nth], won)
    }

    fn line(&mut self, nth: usize, won: bool) -> Vec<u16> {
        let mut line = vec![nth as u16];
        line.extend(self.distances.line(&self.children[nth], won));
        line
    }
}
