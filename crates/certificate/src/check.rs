//! The checker.

use crate::file::Choices;
use crate::{Arrival, Claim, Fault, Guide, Header, Step, Walk, fingerprint, meeting};
use delphic_game::erased::{Erased, ErasedState, Trail};
use delphic_game::{Game, Notation, NotationError, Verdict, play_all, write_moves};
use std::io::{self, BufRead, Write};
use thiserror::Error;

/// Why a certificate is not accepted.
#[derive(Debug, Error)]
pub enum Refusal {
    /// Something else.
    #[error("this is not a Delphic certificate")]
    Foreign,
    /// A format of another time.
    #[error("this is a certificate of version {0}; only version 1 is known here")]
    Version(String),
    /// A header that makes no sense.
    #[error("malformed header: {0}")]
    Header(String),
    /// It was made under other rules.
    #[error("it was made under other rules of {game}: fingerprint {theirs:016x}, here {ours:016x}")]
    Rules {
        /// The spec.
        game: String,
        /// The fingerprint in the file.
        theirs: u64,
        /// The one of the rules that are here.
        ours: u64,
    },
    /// It is about no position of the game.
    #[error(transparent)]
    Position(#[from] NotationError),
    /// It is about a player that the game does not have.
    #[error("the claim '{0}' is about a player that the game does not have")]
    NoSuchPlayer(Claim),
    /// It is about rules that leave out moves which the claim would need.
    #[error("the claim '{claim}' does not follow: {reason}, so it holds under that restriction only")]
    Restricted {
        /// What is claimed.
        claim: Claim,
        /// What the rules leave out.
        reason: &'static str,
    },
    /// It does not contain all that is needed.
    #[error("it ends after {0} choices, in the middle of the strategy")]
    EndsEarly(u64),
    /// The bytes are no certificate's.
    #[error("it is damaged: {0}")]
    Damaged(String),
    /// The strategy fails.
    #[error("'{claim}' is not proved: {what}\nline     {}\nposition {position}", line.join(" "))]
    Flaw {
        /// What was claimed.
        claim: Claim,
        /// The moves that lead from the certificate's position to where it fails.
        line: Vec<String>,
        /// The position there.
        position: String,
        /// What is wrong there.
        what: String,
    },
    /// It cannot be checked here.
    #[error("its positions do not fit into {limit} bytes of memory; {known} were met so far")]
    Memory {
        /// The bytes allowed.
        limit: u64,
        /// Strategy positions met.
        known: u64,
    },
    /// The file cannot be read, or the text form not be written.
    #[error(transparent)]
    File(#[from] io::Error),
}

/// What is known about a certificate that was accepted.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Checked {
    /// Positions in which a strategy chooses.
    pub strategy: u64,
    /// Positions looked at.
    pub looked_at: u64,
    /// The most plies a game can last, against whichever of the strategies, if it cannot go on for ever.
    pub plies: u32,
    /// Whether a game can go on for ever against one of the strategies, whose claim allows that.
    pub endless: bool,
    /// The line in which the strategies meet, or the only one meets its longest resistance.
    pub line: Vec<String>,
}

/// Checks a certificate with the rules of `game`, whose spec is `spec`. `file` stands at the first byte after the header.
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

/// Checks a certificate and writes its strategies as text: a line for every reply that is tried, the strategy's answer behind it.
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

/// Chooses the moves, and is called when another claim begins.
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

/// Whether the claim follows from the rules though they leave something out.
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
            "this position was on the way here, and the claim does not allow endless play".to_owned()
        }
        Fault::NoSuchMove { place, moves } => {
            format!("the strategy plays move number {place} of 0 to {} here", moves - 1)
        }
    };
    let path = walk.path();
    let position = game.write(&play_all(game, root, &path));
    Refusal::Flaw { claim, line: write_moves(game, root, &path), position, what }
}

/// Follows the choices and writes the moves down.
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
