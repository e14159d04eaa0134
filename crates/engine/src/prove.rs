//! From answers to certificates, and to the line that resists longest.

use crate::cyclic;
use crate::solve::{Decided, answer};
use crate::{Answer, AnyPosition, Ask, Conclusion, Request};
use delphic_certificate::{Claim, Fault, Guide, Header, Walk, Writer, meeting};
use delphic_game::{Game, Notation, Progressive, play_all, write_moves};
use delphic_search::prover::{NoMove, Prover};
use delphic_search::{Event, GameProblem, Limits, Observer, Solvable, StopReason};
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// A certificate that was written.
///
/// ```
/// use delphic_engine::{Request, game, open_certificate};
///
/// let position = game("nim:1,2,4")?.position(None, None)?;
/// let mut file = Vec::new();
/// let (answer, certified) = position.prove(&Request::default(), &mut (), &mut file);
/// assert!(answer.value().is_some() && certified.is_ok());
///
/// // The checker needs the rules and nothing of the search.
/// let mut read = file.as_slice();
/// let (header, game) = open_certificate(&mut read).unwrap();
/// let checked = game.check(&header, &mut read, 1 << 20, None).unwrap();
/// assert_eq!(checked.strategy, certified.unwrap().strategy);
/// # Ok::<(), delphic_engine::InputError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certified {
    /// What it proves.
    pub claims: Vec<Claim>,
    /// Positions in which its strategies choose.
    pub strategy: u64,
    /// Positions that its checker will look at.
    pub looked_at: u64,
    /// The size of the file.
    pub bytes: u64,
    /// Nodes created to find again what the search did not remember.
    pub created: u64,
    /// The time it took.
    pub time: Duration,
}

/// Why there is no certificate.
#[derive(Debug, thiserror::Error)]
pub enum ProofError {
    /// The search found no answer.
    #[error("there is no answer to certify")]
    NoAnswer,
    /// The answer is not about a strategy.
    #[error("max^n is about what happens, not about what a player can force; there is no certificate for it")]
    NotForced,
    /// There was nothing to search.
    #[error("the answer follows from the payoffs of the game alone, whatever is played")]
    NothingToProve,
    /// A limit was reached.
    #[error("the certificate is not complete (stop: {}); moves that the search had forgotten were being searched for", .0.name())]
    Stopped(StopReason),
    /// Too large.
    #[error(
        "the certificate is not complete: its positions do not fit into {0} bytes (a third of the memory limit)"
    )]
    Memory(u64),
    /// The search was wrong.
    #[error("the answer does not hold, which is a bug: '{claim}' fails at {position} after {}", line.join(" "))]
    Refuted {
        /// What the search answered.
        claim: Claim,
        /// The line of play to where it fails.
        line: Vec<String>,
        /// The position there.
        position: String,
    },
    /// It cannot be written.
    #[error(transparent)]
    File(#[from] io::Error),
}

/// The strategies of a proof.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Strategies {
    /// The line in which they meet, as numbers of moves: each plays where it chooses, and otherwise the longest resistance.
    pub line: Vec<u16>,
    /// The most plies the game can last against them, if there are any.
    pub plies: Option<u32>,
    /// Positions in which they choose.
    pub strategy: u64,
    /// Positions looked at.
    pub looked_at: u64,
    /// Nodes created to find again what the search did not remember.
    pub created: u64,
}

/// The most memory for finding the line that resists longest.
const LINE_MEMORY: u64 = 64 << 20;
/// Nodes that may be created for it, if the search itself took fewer.
const LINE_NODES: u64 = 100_000;
/// Time that may be taken for it, if the search itself took less.
const LINE_TIME: Duration = Duration::from_millis(500);
/// Positions walked through between two reports of progress.
const REPORT_EVERY: u64 = 1 << 16;

/// Answers a request and finds the line that resists the proof longest, if that is little work beside the search. It stays within the
/// request's limits.
pub(crate) fn solve_with_line(
    position: &dyn AnyPosition,
    request: &Request<'_>,
    observer: &mut dyn Observer,
) -> Answer {
    let mut request = request.clone();
    request.limits = request.limits.begin();
    let for_line = request.limits.memory.map_or(LINE_MEMORY, |memory| (memory / 16).min(LINE_MEMORY));
    request.limits.memory = request.limits.memory.map(|memory| memory - for_line);
    let (mut answer, decided) = answer(position, &*position.search(), &request, true, observer);
    // Retrograde analysis gives the line with exact distances; there is none for endless play.
    if position.search().endless().is_some() {
        let exact = answer.searched_by.starts_with("retro") && !answer.line.is_empty();
        answer.plies = exact.then_some(answer.line.len() as u32);
        return answer;
    }
    let nodes = answer.stats.created.max(LINE_NODES);
    let nodes = request.limits.after(answer.stats.created).nodes.map_or(nodes, |left| left.min(nodes));
    let started = Instant::now();
    // Where shortcuts give all moves no node is created, and yet the walk may take long, because a shortcut costs more than a node.
    let most = answer.stats.time.max(LINE_TIME);
    let most = request.limits.time_left().map_or(most, |left| left.min(most));
    let (time, begun) = (Some(most), Some(started));
    let limits = Limits {
        nodes: Some(nodes),
        memory: Some(for_line),
        checkpoints: None,
        time,
        started: begun,
        ..request.limits
    };
    if let Ok(strategies) = position.strategies(decided, limits, None, observer) {
        show(position, &strategies, &mut answer);
        answer.line_created = strategies.created;
    }
    answer.line_time = started.elapsed();
    answer
}

/// Answers a request and writes the certificate of the answer to `out`. `known` is called with the answer before the certificate is
/// begun.
pub(crate) fn prove(
    position: &dyn AnyPosition,
    request: &Request<'_>,
    observer: &mut dyn Observer,
    known: &mut dyn FnMut(&Answer),
    out: &mut dyn Write,
) -> (Answer, Result<Certified, ProofError>) {
    // A value takes two searches whose solved positions are kept; the rest is for the walk.
    let mut request = request.clone();
    request.limits = request.limits.begin();
    request.limits.memory = request.limits.memory.map(|memory| memory / 3 * 2);
    let (mut answer, decided) = answer(position, &*position.search(), &request, true, observer);
    known(&answer);
    request.limits.memory = request.limits.memory.map(|memory| memory / 2);
    let written = certify(position, decided, request.limits, &mut answer, observer, out);
    (answer, written)
}

fn certify(
    position: &dyn AnyPosition,
    decided: Vec<Decided>,
    limits: Limits<'_>,
    answer: &mut Answer,
    observer: &mut dyn Observer,
    out: &mut dyn Write,
) -> Result<Certified, ProofError> {
    if decided.is_empty() {
        return Err(match answer.conclusion {
            _ if answer.question == Ask::Maxn.to_string() => ProofError::NotForced,
            Conclusion::Unknown | Conclusion::Estimated => ProofError::NoAnswer,
            Conclusion::Proved | Conclusion::Disproved => ProofError::NothingToProve,
        });
    }
    let started = Instant::now();
    let claims: Vec<Claim> = decided.iter().map(|decided| decided.claim).collect();
    let header = Header {
        game: position.spec().to_owned(),
        rules: position.fingerprint(),
        position: position.write(),
        claims: claims.clone(),
    };
    // The limit on nodes is the search's. The time counts anew: a proof that was found should not be lost.
    let limits = Limits { nodes: None, started: Some(started), checkpoints: None, ..limits };
    let mut counted = Counted { out, bytes: 0 };
    let mut writer = Writer::new(&mut counted as &mut dyn Write, &header)?;
    let strategies = position.strategies(decided, limits, Some(&mut writer), observer)?;
    writer.finish()?;
    show(position, &strategies, answer);
    Ok(Certified {
        claims,
        strategy: strategies.strategy,
        looked_at: strategies.looked_at,
        bytes: counted.bytes,
        created: strategies.created,
        time: started.elapsed(),
    })
}

/// Puts the line in which the strategies meet into the answer.
fn show(position: &dyn AnyPosition, strategies: &Strategies, answer: &mut Answer) {
    if strategies.plies.is_some() {
        answer.line = position.write_line(&strategies.line);
        answer.plies = strategies.plies;
    }
}

/// Walks through the proof of every decided question and writes down the choices.
pub(crate) fn strategies<G: Notation + Solvable>(
    game: &G,
    position: &G::State,
    decided: Vec<Decided>,
    limits: Limits<'_>,
    mut writer: Option<&mut Writer<&mut dyn Write>>,
    observer: &mut dyn Observer,
) -> Result<Strategies, ProofError> {
    if game.endless().is_some() {
        return cyclic::strategies(game, position, &decided, limits, writer, observer);
    }
    let memory = limits.memory.unwrap_or(u64::MAX);
    // Every walk is kept to the end, with its positions; the table of the prover is made anew for each.
    let share = memory / (decided.len() as u64 + 1);
    let limits = Limits { memory: limits.memory.map(|_| share), ..limits };
    let (mut walks, mut found) = (Vec::new(), Strategies::default());
    for Decided { claim, memory } in decided {
        // The game's shortcuts only help to find moves; the walk does not believe them.
        let problem = GameProblem::new(game, claim.question, position.clone()).with_shortcuts();
        let mut prover = Prover::new(problem, memory, limits);
        let mut player = StrategyWriter {
            prover: &mut prover,
            yes: claim.holds,
            writer: writer.as_deref_mut(),
            observer: &mut *observer,
            chosen: 0,
        };
        let mut walk = Walk::new(game, claim, position.clone(), share);
        if let Err(fault) = walk.run(&mut player) {
            return Err(walk_error(game, position, claim, fault, &walk, share));
        }
        found.created += prover.created();
        found.strategy += walk.strategy();
        found.looked_at += walk.looked_at();
        found.plies = found.plies.max(Some(walk.plies()));
        walks.push(walk);
    }
    found.line = numbers(game, position, &meeting(game, &walks));
    Ok(found)
}

/// Why a walk within this memory gives no certificate.
pub(crate) fn walk_error<G: Notation + Solvable>(
    game: &G,
    position: &G::State,
    claim: Claim,
    fault: Fault<Trouble>,
    walk: &Walk<'_, G>,
    share: u64,
) -> ProofError {
    match fault {
        Fault::Guide(Trouble::File(error)) => ProofError::File(error),
        Fault::Guide(Trouble::NoMove(NoMove::Stopped(reason))) => ProofError::Stopped(reason),
        Fault::Memory => ProofError::Memory(share),
        Fault::Guide(Trouble::NoMove(NoMove::Refuted))
        | Fault::Ends(_)
        | Fault::Circle
        | Fault::NoSuchMove { .. } => {
            let path = walk.path();
            let at = play_all(game, position, &path);
            ProofError::Refuted { claim, line: write_moves(game, position, &path), position: game.write(&at) }
        }
    }
}

/// The numbers of moves among the legal ones.
pub(crate) fn numbers<G: Game>(game: &G, position: &G::State, line: &[G::Move]) -> Vec<u16> {
    let (mut state, mut moves) = (position.clone(), Vec::new());
    let number = |mv: &G::Move| {
        moves.clear();
        game.moves(&state, &mut moves);
        let place = moves.iter().position(|legal| legal == mv)?;
        game.play(&mut state, *mv);
        Some(place as u16)
    };
    line.iter().map_while(number).collect()
}

/// The most plies a game from `state` lasts against the strategy that a prover finds, within this memory.
pub(crate) fn longest<G: Notation + Solvable>(
    game: &G,
    state: &G::State,
    claim: Claim,
    prover: &mut Prover<'_, G>,
    memory: u64,
) -> Option<u32> {
    let mut walk = Walk::new(game, claim, state.clone(), memory);
    let mut player = StrategyWriter { prover, yes: claim.holds, writer: None, observer: &mut (), chosen: 0 };
    walk.run(&mut player).ok().map(|()| walk.plies())
}

/// Plays the strategy that a prover finds and writes it down.
struct StrategyWriter<'a, 'g, 'w, G: Progressive> {
    prover: &'a mut Prover<'g, G>,
    yes: bool,
    writer: Option<&'a mut Writer<&'w mut dyn Write>>,
    observer: &'a mut dyn Observer,
    chosen: u64,
}

pub(crate) enum Trouble {
    NoMove(NoMove),
    File(io::Error),
}

impl<G: Solvable> Guide<G> for StrategyWriter<'_, '_, '_, G> {
    type Error = Trouble;

    fn choose(&mut self, state: &G::State, moves: &[G::Move]) -> Result<usize, Trouble> {
        self.chosen += 1;
        if self.chosen.is_multiple_of(REPORT_EVERY) {
            self.observer.event(Event::Proof { positions: self.chosen });
        }
        let place = self.prover.choose(state, moves, self.yes).map_err(Trouble::NoMove)?;
        match &mut self.writer {
            Some(writer) => writer.choose(place).map(|()| place).map_err(Trouble::File),
            None => Ok(place),
        }
    }
}

/// Counts the bytes that go through.
struct Counted<'a> {
    out: &'a mut dyn Write,
    bytes: u64,
}

impl Write for Counted<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
