//! The checker: verifies certificates with the rules alone.

use crate::file::Choices;
use crate::{Arrival, Claim, Fault, Guide, Header, Step, Walk, fingerprint, meeting};
use delphic_game::erased::{Erased, ErasedState, Trail};
use delphic_game::{Game, Notation, NotationError, Verdict, play_all, write_moves};
use std::io::{self, BufRead, Write};
use thiserror::Error;

/// Why a certificate is refused.
#[derive(Debug, Error)]
pub enum Refusal {
    /// The file is not a certificate.
    #[error("this is not a Delphic certificate")]
    Foreign,
    /// A format of another version.
    #[error("this is a certificate of version {0}; only version 1 is known here")]
    Version(String),
    /// A malformed header.
    #[error("malformed header: {0}")]
    Header(String),
    /// It was made under other rules.
    #[error("it was made under other rules of {game}: fingerprint {theirs:016x}, here {ours:016x}")]
    Rules {
        /// The spec.
        game: String,
        /// The fingerprint in the file.
        theirs: u64,
        /// The fingerprint of the rules here.
        ours: u64,
    },
    /// Its position is not a position of the game.
    #[error(transparent)]
    Position(#[from] NotationError),
    /// It is about a player that the game does not have.
    #[error("the claim '{0}' is about a player that the game does not have")]
    NoSuchPlayer(Claim),
    /// The rules are restricted, and the claim holds only under the restriction.
    #[error("the claim '{claim}' does not follow: {reason}, so it holds under that restriction only")]
    Restricted {
        /// The claim.
        claim: Claim,
        /// The restriction.
        reason: &'static str,
    },
    /// It is incomplete.
    #[error("it ends after {0} choices, in the middle of the strategy")]
    EndsEarly(u64),
    /// Its bytes are damaged.
    #[error("it is damaged: {0}")]
    Damaged(String),
    /// The strategy fails.
    #[error("'{claim}' is not proved: {what}\nline     {}\nposition {position}", line.join(" "))]
    Flaw {
        /// The claim.
        claim: Claim,
        /// The moves from the certificate's position to the failure.
        line: Vec<String>,
        /// The position there.
        position: String,
        /// What is wrong there.
        what: String,
    },
    /// It does not fit into the memory limit.
    #[error("its positions do not fit into {limit} bytes of memory; {known} were visited so far")]
    Memory {
        /// The bytes allowed.
        limit: u64,
        /// Strategy positions visited.
        known: u64,
    },
    /// The file cannot be read, or the text form not be written.
    #[error(transparent)]
    File(#[from] io::Error),
}

/// A valid certificate.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Checked {
    /// The positions in which a strategy chooses a move.
    pub strategy: u64,
    /// Positions visited.
    pub looked_at: u64,
    /// The maximum length of a game against any of the strategies, if it cannot be endless.
    pub plies: u32,
    /// Whether endless play is possible against one of the strategies, which then agrees with its claim.
    pub endless: bool,
    /// The line in which the strategies play against each other, or the only strategy against the longest resistance.
    pub line: Vec<String>,
}

/// Checks a certificate with the rules of `game`, whose spec is `spec`. `file` is at the first byte after the header.
///
/// ```
/// use delphic_certificate::{Refusal, Header};
///
/// let refused = Header::read(&mut &b"once upon a time"[..]);
/// assert!(matches!(refused, Err(Refusal::Foreign)));
/// ```
pub fn check<R: BufRead>(
    game: &Erased<'_>,
    spec: &str,
    header: &Header,
    file: R,
    memory: u64,
) -> Result<Checked, Refusal> {
    let mut choices = Choices::new(file);
    let (checked, _) = strategies(game, spec, header, memory, &mut choices)?;
    choices.finish()?;
    Ok(checked)
}

/// Checks a certificate and writes its strategies as text: a line for every reply, followed by the strategy's answer.
pub fn print<R: BufRead>(
    game: &Erased<'_>,
    spec: &str,
    header: &Header,
    file: R,
    memory: u64,
    out: &mut dyn Write,
) -> Result<Checked, Refusal> {
    let mut printer = Printer { game, choices: Choices::new(file), out };
    let (checked, _) = strategies(game, spec, header, memory, &mut printer)?;
    writeln!(printer.out)?;
    printer.choices.finish()?;
    Ok(checked)
}

/// A guide that is also notified when another claim begins.
pub(super) trait Strategies: Guide<Error = Refusal> {
    fn begin(&mut self, _: Claim) -> Result<(), Refusal> {
        Ok(())
    }
}

impl<R: BufRead> Strategies for Choices<R> {}

/// Walks through the strategies of all claims.
pub(super) fn strategies<'g>(
    game: &Erased<'g>,
    spec: &str,
    header: &Header,
    memory: u64,
    guide: &mut dyn Strategies,
) -> Result<(Checked, Vec<Walk<'g>>), Refusal> {
    let ours = fingerprint(game, spec);
    if header.game != spec || header.rules != ours {
        return Err(Refusal::Rules { game: header.game.clone(), theirs: header.rules, ours });
    }
    let root = game.read(&header.position)?;
    let (mut checked, mut walks) = (Checked::default(), Vec::new());
    let share = memory / header.claims.len().max(1) as u64;
    for &claim in &header.claims {
        if claim.question.player.index() >= game.players() {
            return Err(Refusal::NoSuchPlayer(claim));
        }
        unrestricted(game, &root, claim)?;
        guide.begin(claim)?;
        let mut walk = Walk::new(game, claim, root.clone(), share);
        if let Err(fault) = walk.run(guide) {
            return Err(refusal(game, &root, claim, fault, &walk, share));
        }
        checked.strategy += walk.strategy();
        checked.looked_at += walk.looked_at();
        checked.plies = checked.plies.max(walk.plies());
        checked.endless |= walk.is_endless();
        walks.push(walk);
    }
    checked.line = write_moves(game, &root, &meeting(game, &walks));
    Ok((checked, walks))
}

/// Whether the claim holds in spite of the restriction of the rules.
pub(super) fn unrestricted(game: &Erased<'_>, root: &ErasedState, claim: Claim) -> Result<(), Refusal> {
    let found = Verdict::of(claim.holds);
    match game.restriction(root) {
        Some(restriction) if restriction.verdict(claim.question.player, found) != found => {
            Err(Refusal::Restricted { claim, reason: restriction.reason })
        }
        _ => Ok(()),
    }
}

pub(super) fn refusal(
    game: &Erased<'_>,
    root: &ErasedState,
    claim: Claim,
    fault: Fault<Refusal>,
    walk: &Walk<'_>,
    limit: u64,
) -> Refusal {
    let what = match fault {
        Fault::Guide(refusal) => return refusal,
        Fault::Memory => return Refusal::Memory { limit, known: walk.strategy() },
        Fault::Ends(outcome) => {
            let player = claim.question.player;
            format!("the game is over here and pays the {player} player {}", outcome.payoff(player))
        }
        Fault::Circle => {
            "this position repeats on its own path, and endless play contradicts the claim".to_owned()
        }
        Fault::NoSuchMove { place, moves } => {
            format!("the strategy plays move number {place} here, but the moves are 0 to {}", moves - 1)
        }
    };
    let path = walk.path();
    let position = game.write(&play_all(game, root, &path));
    Refusal::Flaw { claim, line: write_moves(game, root, &path), position, what }
}

/// Follows the choices and prints the moves.
struct Printer<'a, 'g, R> {
    game: &'a Erased<'g>,
    choices: Choices<R>,
    out: &'a mut dyn Write,
}

impl<R: BufRead> Guide for Printer<'_, '_, R> {
    type Error = Refusal;

    fn choose(&mut self, _: &dyn Trail, _: usize) -> Result<usize, Refusal> {
        self.choices.next()
    }

    fn follow(&mut self, step: Step<'_>) -> Result<(), Refusal> {
        let mv = self.game.write_move(&step.trail.state(step.from), step.mv);
        let blank = if step.chosen { " ".to_owned() } else { format!("\n{:1$}", "", step.ply) };
        write!(self.out, "{blank}{mv}")?;
        match step.to {
            Arrival::New => Ok(()),
            Arrival::Again => Ok(write!(self.out, " …")?),
            Arrival::End(_) => Ok(write!(self.out, " #")?),
        }
    }
}

impl<R: BufRead> Strategies for Printer<'_, '_, R> {
    fn begin(&mut self, claim: Claim) -> Result<(), Refusal> {
        Ok(write!(self.out, "\nclaim {claim}\n")?)
    }
}
