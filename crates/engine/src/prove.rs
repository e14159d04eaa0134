//! From answers to certificates, and to the line that resists longest.

use crate::solve::investigate;
use crate::{Answer, Ask, Conclusion, Request, Solvable};
use delphic_game::certificate::{Claim, Fault, Guide, Header, Walk, Writer, fingerprint, meeting};
use delphic_game::{Asked, Force, Game, Hints, Notation, Progressive, play_all, write_moves};
use delphic_search::prover::{NoMove, Prover};
use delphic_search::{Limits, Memory, StopReason};
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// An answered question, with what the search remembers of its proof.
pub(crate) struct Settled<'g, G: Game> {
    pub(crate) claim: Claim,
    pub(crate) memory: Option<Box<dyn Memory<Asked<'g, G, Force>>>>,
}

/// A certificate that was written.
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
    /// The answer speaks for nobody's strategy.
    #[error("max^n is about what happens, not about what somebody can force; there is no certificate for it")]
    NotForced,
    /// There was nothing to search.
    #[error("the answer follows from the payoffs of the game alone, whatever is played")]
    NothingToProve,
    /// A limit was met.
    #[error("the certificate is not complete (stop: {}); moves that the search had forgotten were being looked for", .0.name())]
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
        /// The way to where it fails.
        line: Vec<String>,
        /// The position there.
        position: String,
    },
    /// It cannot be written.
    #[error(transparent)]
    File(#[from] io::Error),
}

/// Memory set aside for finding the line that resists longest, at most.
const ASIDE: u64 = 64 << 20;
/// Nodes that may be created for it, if the search itself took fewer.
const TROUBLE: u64 = 100_000;

/// Answers `request` about `position` and finds the line that resists the proof longest, if that is little work beside the search.
pub(crate) fn solve_with_line<G>(
    game: &G,
    name: &str,
    position: &G::State,
    request: &Request<'_>,
    observer: &mut dyn delphic_search::Observer,
) -> Answer
where
    G: Notation + Solvable,
{
    let mut request = *request;
    let aside = request.limits.memory.map_or(ASIDE, |memory| (memory / 16).min(ASIDE));
    request.limits.memory = request.limits.memory.map(|memory| memory - aside);
    let (mut answer, settled) = investigate(game, name, position, &request, observer);
    let trouble = Limits {
        nodes: Some(answer.stats.created.max(TROUBLE)),
        memory: Some(aside),
        interrupt: request.limits.interrupt,
        ..Limits::default()
    };
    let mut nobody = None::<Writer<io::Sink>>;
    if let Ok((walks, _)) = strategies(game, position, settled, trouble, &mut nobody) {
        follow(game, position, &walks, &mut answer);
    }
    answer
}

/// Answers `request` about `position`, hands the answer to `known` at once, and writes its certificate to `out`.
pub(crate) fn prove<G>(
    game: &G,
    name: &str,
    position: &G::State,
    request: &Request<'_>,
    observer: &mut dyn delphic_search::Observer,
    known: &mut dyn FnMut(&Answer),
    out: &mut dyn Write,
) -> (Answer, Result<Certified, ProofError>)
where
    G: Notation + Solvable,
{
    // A value takes two searches, and both memories are needed until the end; the rest is for the walk.
    let mut request = *request;
    request.limits.memory = request.limits.memory.map(|memory| memory / 3);
    let (mut answer, settled) = investigate(game, name, position, &request, observer);
    known(&answer);
    let written = certify(game, name, position, settled, request.limits, &mut answer, out);
    (answer, written)
}

fn certify<'g, G>(
    game: &'g G,
    name: &str,
    position: &G::State,
    settled: Vec<Settled<'g, G>>,
    limits: Limits<'_>,
    answer: &mut Answer,
    out: &mut dyn Write,
) -> Result<Certified, ProofError>
where
    G: Progressive + Hints,
{
    if settled.is_empty() {
        return Err(match answer.conclusion {
            _ if answer.question == Ask::Maxn.to_string() => ProofError::NotForced,
            Conclusion::Unknown | Conclusion::Estimated => ProofError::NoAnswer,
            Conclusion::Proved | Conclusion::Disproved => ProofError::NothingToProve,
        });
    }
    let started = Instant::now();
    let claims: Vec<Claim> = settled.iter().map(|settled| settled.claim).collect();
    let header = Header {
        game: name.to_owned(),
        rules: fingerprint(game, name),
        position: game.write(position),
        claims: claims.clone(),
    };
    // The limit on nodes was the search's. The time counts anew.
    let limits = Limits { nodes: None, ..limits };
    let mut writer = Some(Writer::new(Counted { out, bytes: 0 }, &header)?);
    let (walks, created) = strategies(game, position, settled, limits, &mut writer)?;
    let bytes = writer.map_or(Ok(0), |writer| writer.finish().map(|counted| counted.bytes))?;
    follow(game, position, &walks, answer);
    Ok(Certified {
        claims,
        strategy: walks.iter().map(Walk::strategy).sum(),
        looked_at: walks.iter().map(Walk::looked_at).sum(),
        bytes,
        created,
        time: started.elapsed(),
    })
}

/// Puts the line in which the strategies meet into the answer.
fn follow<G>(game: &G, position: &G::State, walks: &[Walk<'_, G>], answer: &mut Answer)
where
    G: Progressive,
{
    if !walks.is_empty() {
        answer.line = write_moves(game, position, &meeting(game, walks));
        answer.plies = walks.iter().map(Walk::plies).max();
    }
}

/// Walks through the proof of every claim, writing down the choices. Tells the walks and the nodes that had to be created.
fn strategies<'g, G, W>(
    game: &'g G,
    position: &G::State,
    settled: Vec<Settled<'g, G>>,
    limits: Limits<'_>,
    writer: &mut Option<Writer<W>>,
) -> Result<(Vec<Walk<'g, G>>, u64), ProofError>
where
    G: Progressive + Hints,
    W: Write,
{
    let memory = limits.memory.unwrap_or(u64::MAX);
    // Every walk is kept to the end, each with its positions; the table of the prover is made anew for each.
    let share = memory / (settled.len() as u64 + 1);
    let limits = Limits { memory: limits.memory.map(|_| share), ..limits };
    let (mut walks, mut created) = (Vec::new(), 0);
    for Settled { claim, memory } in settled {
        // Nothing that the game foresees is believed by the walk; it only helps to find moves.
        let asked = Asked::new(game, claim.question, position.clone()).foreseen();
        let mut prover = Prover::new(&asked, memory, limits);
        let mut player = Player { prover: &mut prover, yes: claim.holds, writer };
        let mut walk = Walk::new(game, claim, position.clone(), share);
        if let Err(fault) = walk.run(&mut player) {
            let path = walk.path();
            let at = play_all(game, position, &path);
            return Err(match fault {
                Fault::Guide(Trouble::File(error)) => ProofError::File(error),
                Fault::Guide(Trouble::NoMove(NoMove::Stopped(reason))) => ProofError::Stopped(reason),
                Fault::Memory => ProofError::Memory(share),
                Fault::Guide(Trouble::NoMove(NoMove::Refuted))
                | Fault::Ends(_)
                | Fault::NoSuchMove { .. } => {
                    let line = write_moves(game, position, &path);
                    ProofError::Refuted { claim, line, position: game.write(&at) }
                }
            });
        }
        created += prover.created();
        walks.push(walk);
    }
    Ok((walks, created))
}

/// Plays the strategy that a prover finds and writes it down.
pub(crate) struct Player<'a, 'p, 'g, G: Progressive, W: Write> {
    pub(crate) prover: &'a mut Prover<'p, 'g, G>,
    pub(crate) yes: bool,
    pub(crate) writer: &'a mut Option<Writer<W>>,
}

pub(crate) enum Trouble {
    NoMove(NoMove),
    File(io::Error),
}

impl<G: Progressive + Hints, W: Write> Guide<G> for Player<'_, '_, '_, G, W> {
    type Error = Trouble;

    fn choose(&mut self, state: &G::State, moves: &[G::Move]) -> Result<usize, Trouble> {
        let place = self.prover.choose(state, moves, self.yes).map_err(Trouble::NoMove)?;
        match self.writer {
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
