//! Certificates of answers, and the line of longest resistance.

use crate::bundle::in_parts;
use crate::cyclic;
use crate::solve::{Decided, answer};
use crate::{Answer, AnyPosition, Ask, Conclusion, Request};
use delphic_certificate::{Bundle, Claim, Fault, Guide, Header, Step, Walk, Writer, meeting};
use delphic_game::erased::{Erased, ErasedState, Trail};
use delphic_game::{Game, Notation, play_all, result, write_moves};
use delphic_search::prover::{AnyProver, NoMove};
use delphic_search::{Event, Limits, Observer, StopReason};
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
    /// The claims that it proves.
    pub claims: Vec<Claim>,
    /// The positions in which its strategies choose a move.
    pub strategy: u64,
    /// The positions that its checker will visit.
    pub looked_at: u64,
    /// The size of the file.
    pub bytes: u64,
    /// Nodes created to search again for moves that the search no longer had.
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
    /// The question is max^n.
    #[error("there is no certificate for max^n: it is not about what a player can force")]
    NotForced,
    /// The answer is trivial.
    #[error("the answer follows from the list of payoffs alone, so there is nothing to prove")]
    NothingToProve,
    /// Positions can repeat.
    #[error(
        "a proof in parts is not supported for games whose positions can repeat; give a file instead of a folder"
    )]
    Cycles,
    /// A limit was reached.
    #[error("the certificate is not complete (stop: {}); the limit was reached while moves missing from the transposition table were searched again", .0.name())]
    Stopped(StopReason),
    /// Too large.
    #[error(
        "the certificate is not complete: its positions do not fit into {0} bytes, their share of the memory limit; allow more memory, or give a folder for a proof in parts"
    )]
    Memory(u64),
    /// The search was wrong.
    #[error("the answer is wrong, which is a bug: '{claim}' fails at {position} after {}", line.join(" "))]
    Refuted {
        /// What the search answered.
        claim: Claim,
        /// The line of play to the failure.
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
    /// The line, as move numbers, in which the strategies play against each other or, where none chooses, against the longest resistance.
    pub line: Vec<u16>,
    /// The maximum length of the game against them, if there are any.
    pub plies: Option<u32>,
    /// The positions in which they choose a move.
    pub strategy: u64,
    /// Positions visited.
    pub looked_at: u64,
    /// Nodes created to search again for moves that the search no longer had.
    pub created: u64,
}

/// The memory limit for finding the line of longest resistance.
const LINE_MEMORY: u64 = 64 << 20;
/// Expansions of the search for each step that the line may take. A step is to choose a move, which looks at all of them as an expansion does, to
/// visit a position, or to create a node again. That is a few per cent of the time. If it would take more, the line that the search itself has left is shown.
const LINE_SHARE: u64 = 16;
/// The minimum of the limit on nodes.
const LINE_NODES: u64 = 20_000;
/// That on positions visited: some hundredths of a second.
const LINE_VISITS: u64 = 100_000;
/// The same for the number of choices. Where static outcomes give all moves, no node is created, but a choice can take half a millisecond
/// (Hex), so choices need a limit of their own.
const LINE_CHOICES: u64 = 2_000;
/// As many choices as the search created nodes, up to this many, are always allowed.
const MANY_CHOICES: u64 = 10_000;
/// The share of the memory for writing, as a divisor, that a prover may use. The rest is for the positions visited.
pub(crate) const PROVER_SHARE: u64 = 4;
/// Positions visited between two reports of progress.
const REPORT_EVERY: u64 = 1 << 16;

/// Answers a request and finds the line of longest resistance, if that takes little work compared with the search. It stays within the
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
    // Retrograde analysis gives a line with exact distances; endless play has no such line.
    if position.search().endless().is_some() {
        let exact = answer.searched_by.starts_with("retro") && !answer.line.is_empty();
        answer.plies = exact.then_some(answer.line.len() as u32);
        return answer;
    }
    let share = answer.stats.expanded / LINE_SHARE;
    let nodes = share.max(LINE_NODES);
    let nodes = request.limits.after(answer.stats.created).nodes.map_or(nodes, |left| left.min(nodes));
    let limits = Limits { nodes: Some(nodes), memory: Some(for_line), checkpoints: None, ..request.limits };
    let started = Instant::now();
    let choices = answer.stats.created.clamp(LINE_CHOICES, MANY_CHOICES).max(share);
    let most = Most { choices, visits: share.max(LINE_VISITS) };
    let claim = decided.first().map(|decided| decided.claim).filter(|_| decided.len() == 1);
    if let Ok(strategies) = strategies(position, decided, limits, most, None, observer) {
        show(position, &strategies, &mut answer);
        answer.line_created = strategies.created;
    } else if let Some(claim) = claim.filter(|_| answer.line.is_empty()) {
        answer.line = position.write_line(&some_line(position, claim, limits));
    }
    answer.line_time = started.elapsed();
    answer
}

/// A line of the strategy for a claim, for a position decided by its static outcome, where no search has left a line. The others play
/// their first legal moves. The line ends where a move of the strategy is not found within the limits.
fn some_line(position: &dyn AnyPosition, claim: Claim, limits: Limits<'_>) -> Vec<u16> {
    let (game, mut state, mut line) = (position.erased(), position.state(), Vec::new());
    let mut prover = position.provers(claim.question, None, limits, 1).swap_remove(0);
    while result(&game, &state, &mut Vec::new()).is_none() {
        let choice = match claim.chooses(game.turn(&state)) {
            true => prover.choose(&state, claim.holds, None).ok(),
            false => Some(0),
        };
        let Some(nth) = choice else { break };
        line.push(nth as u16);
        game.play(&mut state, nth as u16);
    }
    line
}

/// Answers a request and writes the certificate of the answer to `out`. `known` is called with the answer before the certificate is
/// written.
pub(crate) fn prove(
    position: &dyn AnyPosition,
    request: &Request<'_>,
    observer: &mut dyn Observer,
    known: &mut dyn FnMut(&Answer),
    out: &mut dyn Write,
) -> (Answer, Result<Certified, ProofError>) {
    let write = &mut |decided: Vec<Decided>, limits: Limits<'_>, observer: &mut dyn Observer| {
        let claims = decided.iter().map(|decided| decided.claim).collect();
        let (game, rules) = (position.spec().to_owned(), position.fingerprint());
        let header = Header { game, rules, position: position.write(), claims };
        let mut counted = Counted { out: &mut *out, bytes: 0 };
        let mut writer = Writer::new(&mut counted as &mut dyn Write, &header)?;
        let strategies = strategies(position, decided, limits, Most::ALL, Some(&mut writer), observer)?;
        writer.finish()?;
        Ok((strategies, counted.bytes))
    };
    certify(position, request, observer, known, write)
}

/// The same as a bundle: writes the parts of the proof, each of about `most` positions, to `out`, and returns the list of parts.
pub(crate) fn prove_in_parts(
    position: &dyn AnyPosition,
    request: &Request<'_>,
    most: usize,
    observer: &mut dyn Observer,
    known: &mut dyn FnMut(&Answer),
    out: &mut dyn Write,
) -> (Answer, Result<(Certified, Bundle), ProofError>) {
    let mut list = None;
    let write = &mut |decided: Vec<Decided>, limits: Limits<'_>, observer: &mut dyn Observer| {
        let mut counted = Counted { out: &mut *out, bytes: 0 };
        let (strategies, bundle) = in_parts(position, decided, limits, most, &mut counted, observer)?;
        list = Some(bundle);
        Ok((strategies, counted.bytes))
    };
    let (answer, certified) = certify(position, request, observer, known, write);
    (answer, certified.and_then(|certified| Ok((certified, list.ok_or(ProofError::NoAnswer)?))))
}

/// Writes the strategies for decided questions, and returns them with the number of bytes.
type WriteStrategies<'w> =
    dyn FnMut(Vec<Decided>, Limits<'_>, &mut dyn Observer) -> Result<(Strategies, u64), ProofError> + 'w;

fn certify(
    position: &dyn AnyPosition,
    request: &Request<'_>,
    observer: &mut dyn Observer,
    known: &mut dyn FnMut(&Answer),
    write: &mut WriteStrategies<'_>,
) -> (Answer, Result<Certified, ProofError>) {
    // An exact value needs up to two searches whose solved positions are kept; the rest of the memory is for the walk, a third at least.
    let mut request = request.clone();
    let whole = request.limits.memory;
    request.limits = request.limits.begin();
    request.limits.memory = request.limits.memory.map(|memory| memory / 3 * 2);
    let (mut answer, decided) = answer(position, &*position.search(), &request, true, observer);
    known(&answer);
    if decided.is_empty() {
        let error = match answer.conclusion {
            _ if answer.question == Ask::Maxn.to_string() => ProofError::NotForced,
            Conclusion::Unknown | Conclusion::Estimated => ProofError::NoAnswer,
            Conclusion::Proved | Conclusion::Disproved => ProofError::NothingToProve,
        };
        return (answer, Err(error));
    }
    let started = Instant::now();
    let claims: Vec<Claim> = decided.iter().map(|decided| decided.claim).collect();
    // The node limit applies to the search only. The time limit starts again, so that a proof that was found is not lost.
    let held = answer.stats.peak_bytes.saturating_mul(decided.len() as u64);
    let memory = whole.map(|whole| whole.saturating_sub(held).max(whole / 3));
    let limits = Limits { nodes: None, started: Some(started), checkpoints: None, memory, ..request.limits };
    let written = write(decided, limits, observer).map(|(strategies, bytes)| {
        show(position, &strategies, &mut answer);
        Certified {
            claims,
            strategy: strategies.strategy,
            looked_at: strategies.looked_at,
            bytes,
            created: strategies.created,
            time: started.elapsed(),
        }
    });
    (answer, written)
}

/// Stores the line in which the strategies play against each other in the answer.
fn show(position: &dyn AnyPosition, strategies: &Strategies, answer: &mut Answer) {
    if strategies.plies.is_some() {
        answer.line = position.write_line(&strategies.line);
        answer.plies = strategies.plies;
    }
}

/// Limits on a walk.
#[derive(Clone, Copy)]
pub(crate) struct Most {
    /// Moves chosen.
    choices: u64,
    /// Moves followed.
    visits: u64,
}

impl Most {
    const ALL: Most = Most { choices: u64::MAX, visits: u64::MAX };
}

/// Walks through the proof of every decided question and records the choices, within limits for each.
fn strategies(
    position: &dyn AnyPosition,
    decided: Vec<Decided>,
    limits: Limits<'_>,
    most: Most,
    mut writer: Option<&mut Writer<&mut dyn Write>>,
    observer: &mut dyn Observer,
) -> Result<Strategies, ProofError> {
    let (game, root) = (position.erased(), position.state());
    if game.endless().is_some() {
        return cyclic::strategies(position, &decided, limits, writer, observer);
    }
    let memory = limits.memory.unwrap_or(u64::MAX);
    // All walks keep their positions until the end; each has a new prover with a new table, which needs little.
    let for_prover = memory / PROVER_SHARE;
    let share = (memory - for_prover) / decided.len().max(1) as u64;
    let limits = Limits { memory: limits.memory.map(|_| for_prover), ..limits };
    let (mut walks, mut found, writes) = (Vec::new(), Strategies::default(), writer.is_some());
    for Decided { claim, memory } in decided {
        let mut prover = position.provers(claim.question, memory, limits, 1).swap_remove(0);
        let mut write = |place: usize| writer.as_deref_mut().map_or(Ok(()), |writer| writer.choose(place));
        let mut player = StrategyWriter::new(&mut *prover, claim, &mut write, &mut *observer);
        (player.most, player.is_kept) = (most, writes);
        let mut walk = Walk::new(&game, claim, root.clone(), share);
        if let Err(fault) = walk.run(&mut player) {
            return Err(walk_error(&game, &root, claim, fault, &walk, share));
        }
        found.created += prover.created();
        found.strategy += walk.strategy();
        found.looked_at += walk.looked_at();
        found.plies = found.plies.max(Some(walk.plies()));
        walks.push(walk);
    }
    found.line = meeting(&game, &walks);
    Ok(found)
}

/// The error of a walk within this memory.
pub(crate) fn walk_error(
    game: &Erased<'_>,
    position: &ErasedState,
    claim: Claim,
    fault: Fault<Trouble>,
    walk: &Walk<'_>,
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

/// The maximum length of a game from `state` against the strategy that a prover finds, within this memory.
pub(crate) fn longest(
    game: &Erased<'_>,
    state: &ErasedState,
    claim: Claim,
    prover: &mut dyn AnyProver,
    memory: u64,
) -> Option<u32> {
    let mut walk = Walk::new(game, claim, state.clone(), memory);
    let (mut write, mut observer) = (|_: usize| Ok(()), ());
    let mut player = StrategyWriter::new(prover, claim, &mut write, &mut observer);
    walk.run(&mut player).ok().map(|()| walk.plies())
}

/// Follows the strategy that a prover finds, and records its choices.
pub(crate) struct StrategyWriter<'a, 'p> {
    prover: &'a mut (dyn AnyProver + 'p),
    yes: bool,
    write: &'a mut dyn FnMut(usize) -> io::Result<()>,
    observer: &'a mut dyn Observer,
    chosen: u64,
    visited: u64,
    most: Most,
    /// Whether the strategy should be small; a line of play takes any.
    is_kept: bool,
}

impl<'a, 'p> StrategyWriter<'a, 'p> {
    pub(crate) fn new(
        prover: &'a mut (dyn AnyProver + 'p),
        claim: Claim,
        write: &'a mut dyn FnMut(usize) -> io::Result<()>,
        observer: &'a mut dyn Observer,
    ) -> Self {
        StrategyWriter {
            prover,
            yes: claim.holds,
            write,
            observer,
            chosen: 0,
            visited: 0,
            most: Most::ALL,
            is_kept: true,
        }
    }
}

pub(crate) enum Trouble {
    NoMove(NoMove),
    File(io::Error),
}

impl Guide for StrategyWriter<'_, '_> {
    type Error = Trouble;

    fn choose(&mut self, at: &dyn Trail, _: usize) -> Result<usize, Trouble> {
        self.chosen += 1;
        if self.chosen > self.most.choices {
            return Err(Trouble::NoMove(NoMove::Stopped(StopReason::Nodes)));
        }
        if self.chosen.is_multiple_of(REPORT_EVERY) {
            self.observer.event(Event::Proof { positions: self.chosen });
        }
        let Some(state) = at.present() else { return Err(Trouble::NoMove(NoMove::Refuted)) };
        let back = |nth| at.leads_back(nth);
        let back = self.is_kept.then_some(&back as &dyn Fn(usize) -> bool);
        let place = self.prover.choose(&state, self.yes, back).map_err(Trouble::NoMove)?;
        (self.write)(place).map(|()| place).map_err(Trouble::File)
    }

    fn follow(&mut self, _: Step<'_>) -> Result<(), Trouble> {
        self.visited += 1;
        if self.visited > self.most.visits {
            return Err(Trouble::NoMove(NoMove::Stopped(StopReason::Nodes)));
        }
        Ok(())
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
