//! Positions whose game is not known at compile time.

use crate::analyze::{ChildDistances, ChildProver, Distances, MoveDistances, MoveProver, analyze};
use crate::checkpoint::Identity;
use crate::estimate::{estimate, random_line};
use crate::game::Named;
use crate::prove::{Strategies, prove, solve_with_line, strategies};
use crate::solve::{Decided, answer};
use crate::strong::{self, Strong};
use crate::survey::{AnyNodes, Nodes};
use crate::{Agent, Analysis, Answer, AnyPlayer, Certified, ProofError, Request, TreeSize, player};
use delphic_certificate::Writer;
use delphic_game::picture::{Mark, Picture};
use delphic_game::{
    Force, LONGEST_PLAYOUT, Notation, Player, Rng, perft, play_all, playout, result, write_numbered,
};
use delphic_search::boundary::{GameSimulator, Simulator};
use delphic_search::prover::Prover;
use delphic_search::{
    GameProblem, Limits, Observer, Position, ProofMemory, Searchable, Solvable, Stats, StopReason,
};
use std::io::Write;
use std::sync::Arc;

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

    /// The canonical form in the game's notation: symmetric positions have the same.
    fn canonical(&self) -> String;

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

    /// The values of all positions that can be reached, if they are found within the limits.
    fn strong<'a>(
        &'a self,
        limits: Limits<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Box<dyn Strong + 'a>, (StopReason, Stats)>;

    /// Plays random games and returns how many the first player won, drew and lost.
    fn random_results(&self, count: u64, seed: u64) -> [u64; 3];

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

    /// What a search from here holds, by lines of play.
    #[doc(hidden)]
    fn nodes(&self, question: Force, memory: ProofMemory) -> Box<dyn AnyNodes>;
}

impl dyn AnyPosition + '_ {
    /// The picture for display: without a side to move where the game is over.
    pub fn shown(&self) -> Picture {
        let mut picture = self.picture();
        if self.is_over() {
            picture.notes.retain(|note| !note.contains("to move"));
        }
        picture
    }

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

/// A position of a game of known type.
pub(crate) struct At<G: Notation> {
    pub(crate) named: Arc<Named<G>>,
    pub(crate) state: G::State,
    /// The position before the last move, where that is known.
    pub(crate) before: Option<Arc<Earlier<G>>>,
}

/// A position of the line of play so far, with those before it.
pub(crate) struct Earlier<G: Notation> {
    pub(crate) state: G::State,
    pub(crate) before: Option<Arc<Earlier<G>>>,
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

    fn at(&self, state: G::State, before: Option<Arc<Earlier<G>>>) -> Box<dyn AnyPosition> {
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
        delphic_certificate::fingerprint(self.game(), &self.named.name)
    }

    fn game_payoffs(&self) -> Vec<i16> {
        self.game().payoffs()
    }

    fn write(&self) -> String {
        self.game().write(&self.state)
    }

    fn picture(&self) -> Picture {
        let game = self.game();
        let mut picture = game.picture(&self.state);
        let Some(before) = &self.before else { return picture };
        picture.mark_changes(&game.picture(&before.state));
        // Where moves lay tiles, a position does not tell which cells belong together; the line of play does.
        if picture.cells().any(|spot| spot.mark == Mark::Block) {
            let (mut after, mut next) = (game.picture(&self.state), Some(before));
            while let Some(earlier) = next {
                let before = game.picture(&earlier.state);
                picture.add_tile(&before, &after, game.turn(&earlier.state));
                (after, next) = (before, earlier.before.as_ref());
            }
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

    fn canonical(&self) -> String {
        let mut form = self.state.clone();
        self.game().canonicalize(&mut form);
        self.game().write(&form)
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
        self.at(state, Some(Arc::new(Earlier { state: self.state.clone(), before: self.before.clone() })))
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
        // A game with cycles may have no end.
        let longest = plies.or(game.endless().map(|_| LONGEST_PLAYOUT));
        while longest.is_none_or(|plies| line.len() <= plies) {
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

    fn strong<'a>(
        &'a self,
        limits: Limits<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Box<dyn Strong + 'a>, (StopReason, Stats)> {
        strong::solve(self.game(), &self.state, limits, observer)
    }

    fn random_results(&self, count: u64, seed: u64) -> [u64; 3] {
        let (mut rng, mut scratch, mut results) = (Rng::new(seed), Vec::new(), [0; 3]);
        for _ in 0..count {
            let outcome = playout(self.game(), &mut self.state.clone(), &mut rng, &mut scratch);
            results[(1 - outcome.payoff(Player::FIRST).signum()) as usize] += 1;
        }
        results
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

    fn nodes(&self, question: Force, memory: ProofMemory) -> Box<dyn AnyNodes> {
        let (game, root) = (Arc::clone(&self.named.game), self.state.clone());
        Box::new(Nodes { game, root, question, memory })
    }
}
