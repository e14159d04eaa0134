//! Positions of type-erased games.

use crate::analyze::analyze;
use crate::checkpoint::Identity;
use crate::estimate::{estimate, random_line};
use crate::game::Named;
use crate::prove::{prove, prove_in_parts, solve_with_line};
use crate::solve::answer;
use crate::strong::Strong;
use crate::survey::{AnyMemory, Memory};
use crate::{Agent, Analysis, Answer, AnyPlayer, Certified, ProofError, Request, TreeSize, player};
use delphic_certificate::Bundle;
use delphic_game::adapters::Misere;
use delphic_game::erased::{Erased, ErasedState};
use delphic_game::picture::{Mark, Picture};
use delphic_game::{
    Force, Game, LONGEST_PLAYOUT, Notation, Player, Rng, perft, playout, result, write_numbered,
};
use delphic_games::GoCapture;
use delphic_search::boundary::{GameSimulator, Simulator};
use delphic_search::prover::{AnyProver, Prover};
use delphic_search::retro::Retrograde;
use delphic_search::{
    GameProblem, LimitGuard, Limits, Observer, Position, ProofMemory, Searchable, Solvable, Stats,
    StopReason, Symmetry,
};
use std::io::Write;
use std::sync::Arc;

/// A position of some game.
///
/// The trait has only the methods that need the game's types. Everything derived from them (`solve`, `analyze`, `prove`, …) are methods of
/// `dyn AnyPosition`, compiled once for all games.
pub trait AnyPosition: Send + Sync {
    /// The full spec of the game.
    fn spec(&self) -> &str;

    /// The erased game.
    fn erased(&self) -> Erased<'static>;

    /// The erased state.
    fn state(&self) -> ErasedState;

    /// The position before the last move, if it is known.
    #[doc(hidden)]
    fn earlier(&self) -> Option<&Arc<Earlier>>;

    /// A copy of the position.
    fn again(&self) -> Box<dyn AnyPosition>;

    /// The position after the legal move with this number.
    fn after(&self, nth: usize) -> Box<dyn AnyPosition>;

    /// The number of move sequences of exactly `depth` plies.
    fn perft(&self, depth: u32) -> u64;

    /// The size of the tree below, estimated from random lines of play.
    fn estimate(&self, samples: usize, seed: u64) -> TreeSize;

    /// Retrograde analysis of all reachable positions for `player`, if they fit the limits.
    fn enumerate(
        &self,
        player: Player,
        limits: Limits<'_>,
        guard: &mut LimitGuard<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Retrograde<'_>, (StopReason, Stats)>;

    /// Provers for a question, with the solved positions of a search: one for each of `count` threads. They share their results.
    fn provers<'a>(
        &'a self,
        question: Force,
        memory: Option<ProofMemory>,
        limits: Limits<'a>,
        count: usize,
    ) -> Vec<Box<dyn AnyProver + 'a>>;

    /// Plays random games and returns the first player's wins, draws and losses.
    fn random_results(&self, count: u64, seed: u64) -> [u64; 3];

    /// The position as searches see it.
    fn search(&self) -> Box<dyn Searchable + '_>;

    /// The game's side of a Monte-Carlo tree search that starts here.
    fn simulator(&self) -> Box<dyn Simulator<'static>>;

    /// The positions stored by a search from here, addressed by lines of play.
    #[doc(hidden)]
    fn memory(&self, question: Force, memory: ProofMemory) -> Box<dyn AnyMemory>;
}

impl dyn AnyPosition + '_ {
    /// The fingerprint of the game's rules.
    pub fn fingerprint(&self) -> u64 {
        delphic_certificate::fingerprint(&self.erased(), self.spec())
    }

    /// Every payoff a player can get, ascending.
    pub fn game_payoffs(&self) -> Vec<i16> {
        self.erased().payoffs()
    }

    /// In the game's notation, on one line.
    pub fn write(&self) -> String {
        self.erased().write(&self.state())
    }

    /// A picture for display; if the position was given by moves, the last move is marked.
    pub fn picture(&self) -> Picture {
        let (game, state) = (self.erased(), self.state());
        let mut picture = game.picture(&state);
        let Some(before) = self.earlier() else { return picture };
        picture.mark_changes(&game.picture(&before.state));
        // In tiling games the state does not tell which cells form a tile; the line of play does.
        if picture.cells().any(|spot| spot.mark == Mark::Block) {
            let (mut after, mut next) = (game.picture(&state), Some(before));
            while let Some(earlier) = next {
                let before = game.picture(&earlier.state);
                picture.add_tile(&before, &after, game.turn(&earlier.state));
                (after, next) = (before, earlier.before.as_ref());
            }
        }
        picture
    }

    /// The player to move.
    pub fn turn(&self) -> Player {
        self.erased().turn(&self.state())
    }

    /// Whether the game is over here.
    pub fn is_over(&self) -> bool {
        result(&self.erased(), &self.state(), &mut Vec::new()).is_some()
    }

    /// The legal moves, none if the game is over.
    pub fn moves(&self) -> Vec<String> {
        let (game, state) = (self.erased(), self.state());
        if game.outcome(&state).is_some() {
            return Vec::new();
        }
        (0..game.count_moves(&state, &mut Vec::new()))
            .map(|nth| game.write_move(&state, nth as u16))
            .collect()
    }

    /// The canonical form in the game's notation: symmetric positions have the same.
    pub fn canonical(&self) -> String {
        let (game, mut form) = (self.erased(), self.state());
        game.canonicalize(&mut form);
        game.write(&form)
    }

    /// A position of a random game from here, in the game's notation: after `plies` moves, or without a number, at a random ply before the
    /// end.
    pub fn random(&self, plies: Option<usize>, seed: u64) -> String {
        let (game, mut rng, mut scratch) = (self.erased(), Rng::new(seed), Vec::new());
        let mut line = vec![self.state()];
        // A game with cycles may have no end.
        let longest = plies.or(game.endless().map(|_| LONGEST_PLAYOUT));
        while longest.is_none_or(|plies| line.len() <= plies) {
            let mut state = line[line.len() - 1].clone();
            if result(&game, &state, &mut scratch).is_some() {
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

    /// A line of play, given by numbers of legal moves, as text.
    pub fn write_line(&self, line: &[u16]) -> Vec<String> {
        write_numbered(&self.erased(), &self.state(), line)
    }

    /// The payoffs of all players, if the game is over here.
    pub fn payoffs(&self) -> Option<Vec<i16>> {
        let game = self.erased();
        let outcome = result(&game, &self.state(), &mut Vec::new())?;
        Some((0..game.players()).map(|player| outcome.payoff(Player::new(player))).collect())
    }

    /// The values of all reachable positions, if they fit the limits.
    pub fn strong(
        &self,
        limits: Limits<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Strong<'_>, (StopReason, Stats)> {
        Strong::solve(self, limits, observer)
    }

    /// The picture for display; without a side to move if the game is over.
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

    /// The same, and finds the line of longest resistance, if that takes little work compared with the search.
    pub fn solve_with_line(&self, request: &Request<'_>, observer: &mut dyn Observer) -> Answer {
        solve_with_line(self, request, observer)
    }

    /// Answers a request about this position and about every move from it. The search for exact distances to the end may visit `exact`
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

    /// The same; `known` is called with the answer before the certificate is written, which may take long.
    pub fn prove_announced(
        &self,
        request: &Request<'_>,
        observer: &mut dyn Observer,
        known: &mut dyn FnMut(&Answer),
        out: &mut dyn Write,
    ) -> (Answer, Result<Certified, ProofError>) {
        prove(self, request, observer, known, out)
    }

    /// The same as a bundle: writes parts of about `most` positions to `out`, and returns the list of parts.
    pub fn prove_in_parts(
        &self,
        request: &Request<'_>,
        most: usize,
        observer: &mut dyn Observer,
        known: &mut dyn FnMut(&Answer),
        out: &mut dyn Write,
    ) -> (Answer, Result<(Certified, Bundle), ProofError>) {
        prove_in_parts(self, request, most, observer, known, out)
    }

    /// The identity of the search for a request, for its checkpoints.
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
    pub(crate) before: Option<Arc<Earlier>>,
}

/// A position of the line of play so far, linked to its predecessors.
#[doc(hidden)]
pub struct Earlier {
    pub(crate) state: ErasedState,
    pub(crate) before: Option<Arc<Earlier>>,
}

impl<G: Notation + Solvable> At<G> {
    fn game(&self) -> &G {
        &self.named.game
    }

    fn at(&self, state: G::State, before: Option<Arc<Earlier>>) -> Box<dyn AnyPosition> {
        Box::new(At { named: Arc::clone(&self.named), state, before })
    }
}

impl<G: Notation + Solvable> AnyPosition for At<G> {
    fn spec(&self) -> &str {
        &self.named.name
    }

    fn erased(&self) -> Erased<'static> {
        self.named.erased()
    }

    fn state(&self) -> ErasedState {
        ErasedState::new(self.state.clone())
    }

    fn earlier(&self) -> Option<&Arc<Earlier>> {
        self.before.as_ref()
    }

    fn again(&self) -> Box<dyn AnyPosition> {
        self.at(self.state.clone(), self.before.clone())
    }

    fn after(&self, nth: usize) -> Box<dyn AnyPosition> {
        let (mut state, mut moves) = (self.state.clone(), Vec::new());
        self.game().moves(&state, &mut moves);
        self.game().play(&mut state, moves[nth]);
        self.at(state, Some(Arc::new(Earlier { state: self.state(), before: self.before.clone() })))
    }

    fn perft(&self, depth: u32) -> u64 {
        perft(self.game(), &self.state, depth)
    }

    fn estimate(&self, samples: usize, seed: u64) -> TreeSize {
        let line = |rng: &mut Rng, sink: &mut dyn FnMut(usize)| {
            random_line(&self.erased(), &self.state(), rng, sink);
        };
        estimate(&line, self.named.states, samples, seed)
    }

    fn enumerate(
        &self,
        player: Player,
        limits: Limits<'_>,
        guard: &mut LimitGuard<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Retrograde<'_>, (StopReason, Stats)> {
        Retrograde::enumerate(self.game(), &self.state, player, Symmetry::On, limits, guard, observer)
    }

    fn provers<'a>(
        &'a self,
        question: Force,
        memory: Option<ProofMemory>,
        limits: Limits<'a>,
        count: usize,
    ) -> Vec<Box<dyn AnyProver + 'a>> {
        // Static outcomes only help to find moves; certificates do not rely on them.
        let problem = GameProblem::new(self.game(), question, self.state.clone()).with_shortcuts();
        let mut provers: Vec<Box<dyn AnyProver + 'a>> = Vec::new();
        Prover::several(&problem, memory, limits, count, &mut |prover| provers.push(Box::new(prover)));
        provers
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

    fn simulator(&self) -> Box<dyn Simulator<'static>> {
        Box::new(GameSimulator::new(Arc::clone(&self.named.game), self.state.clone()))
    }

    fn memory(&self, question: Force, memory: ProofMemory) -> Box<dyn AnyMemory> {
        let (game, root) = (Arc::clone(&self.named.game), self.state.clone());
        Box::new(Memory { game, root, question, memory })
    }
}

/// Runs searches on a position of captures in Go. They are those of the table of games, which are compiled in this crate; a caller that made
/// a `dyn Searchable` of its own would compile all of them once more.
pub fn at_capture(position: &Position<'_, GoCapture>, run: &mut dyn FnMut(&dyn Searchable)) {
    let game = Misere { game: position.game.clone(), on: false };
    run(&Position { game: &game, state: position.state });
}
