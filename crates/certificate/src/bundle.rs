//! Bundles: a proof in parts, each of which may cite positions that other parts prove.
//!
//! A folder has a list of *entries*, each a claim about a position, and a part for each: an ordinary strategy whose walk skips the entries
//! that the part cites. A part proves its entry under the assumption that the entries it cites hold. If the citations have no cycle, all
//! entries hold. Parts are checked independently of each other, in parallel.

use crate::check::refusal;
use crate::file::{Choices, MOST_CLAIMS, field, hexadecimal, lines};
use crate::{Claim, Refusal, Walk, fingerprint};
use delphic_game::erased::{Erased, ErasedState, Place, Trail};
use delphic_game::{Game, Notation};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use std::io::{self, BufRead, Write};

/// The first line of the list.
const LIST: &str = "delphic bundle 1";
/// The first line of a part.
const PART: &str = "delphic part 1";
/// The maximum length of the list, and of the header of a part.
const LONGEST: u64 = 1 << 30;

/// The list of a bundle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bundle {
    /// The game's full spec.
    pub game: String,
    /// The [fingerprint](crate::fingerprint) of the rules.
    pub rules: u64,
    /// The claims about the first position.
    pub claims: Vec<Claim>,
    /// The entries, by the numbers of their parts. The first ones are the claims about the first position, in their order.
    pub entries: Vec<Entry>,
}

/// A claim about a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The number of the claim.
    pub claim: usize,
    /// The position in the game's notation.
    pub position: String,
    /// The offset of its part in the file of parts.
    pub offset: u64,
    /// The length of the part in bytes.
    pub length: u64,
}

impl Bundle {
    /// The name of the list in its folder.
    pub const LIST: &'static str = "bundle";

    /// The name of the file of parts.
    pub const PARTS: &'static str = "parts";

    /// Reads the list.
    pub fn read(file: &mut dyn BufRead) -> Result<Bundle, Refusal> {
        let mut lines = lines(file, LONGEST);
        if lines().ok().as_deref() != Some(LIST) {
            return Err(Refusal::Header(format!("expected '{LIST}'")));
        }
        let game = field("game", &lines()?)?;
        let rules = hexadecimal(&field("rules", &lines()?)?)?;
        let (mut claims, mut entries) = (Vec::new(), Vec::new());
        loop {
            let text = lines()?;
            if text.is_empty() {
                break;
            }
            if let Some(claim) = text.strip_prefix("claim ")
                && entries.is_empty()
                && claims.len() < MOST_CLAIMS
            {
                claims.push(claim.parse().map_err(Refusal::Header)?);
                continue;
            }
            let entry = field("proof", &text)?;
            let malformed =
                || Refusal::Header(format!("expected 'proof CLAIM OFFSET LENGTH POSITION', found '{text}'"));
            let mut words = entry.splitn(4, ' ');
            let mut number = || words.next().and_then(|word| word.parse::<u64>().ok()).ok_or_else(malformed);
            let (claim, offset, length) = (number()? as usize, number()?, number()?);
            let position = words.next().ok_or_else(malformed)?.to_owned();
            if claim >= claims.len() {
                return Err(malformed());
            }
            entries.push(Entry { claim, position, offset, length });
        }
        let roots = entries.iter().take(claims.len());
        let are_roots =
            |(claim, entry): (usize, &Entry)| claim == entry.claim && entry.position == entries[0].position;
        if claims.is_empty() || roots.len() < claims.len() || !roots.enumerate().all(are_roots) {
            let reason = "the list does not begin with the claims about one position";
            return Err(Refusal::Header(reason.to_owned()));
        }
        Ok(Bundle { game, rules, claims, entries })
    }

    /// Writes the list.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{LIST}\ngame {}\nrules {:016x}", self.game, self.rules)?;
        self.claims.iter().try_for_each(|claim| writeln!(out, "claim {claim}"))?;
        for Entry { claim, position, offset, length } in &self.entries {
            writeln!(out, "proof {claim} {offset} {length} {position}")?;
        }
        writeln!(out)
    }

    /// Checks, within `memory` bytes, that the part of an entry proves it if the entries it cites hold. `part` is at the beginning of the part.
    pub fn check(
        &self,
        number: usize,
        game: &Erased<'_>,
        part: &mut dyn BufRead,
        memory: u64,
    ) -> Result<CheckedEntry, Refusal> {
        let Entry { claim, position, .. } = &self.entries[number];
        let cites = read_header(&mut *part, number, self.rules)?;
        let root = game.read(position)?;
        let mut cited = Cited { trail: game.trail() };
        for &other in &cites {
            let entry = self.entries.get(other).filter(|entry| other != number && entry.claim == *claim);
            let entry = entry
                .ok_or_else(|| Refusal::Header(format!("it cites {other}, which is not about its claim")))?;
            cited.add(&game.read(&entry.position)?)?;
            if cited.trail.bytes_needed() > memory / 2 {
                return Err(Refusal::Memory { limit: memory, known: 0 });
            }
        }
        let claim = self.claims[*claim];
        if claim.question.player.index() >= game.players() {
            return Err(Refusal::NoSuchPlayer(claim));
        }
        crate::check::unrestricted(game, &root, claim)?;
        let mut choices = Choices::new(part);
        let mut walk = Walk::new(game, claim, root.clone(), memory);
        if let Err(fault) = walk.run_to(&mut choices, &mut cited) {
            return Err(refusal(game, &root, claim, fault, &walk, memory));
        }
        choices.finish()?;
        Ok(CheckedEntry { strategy: walk.strategy(), looked_at: walk.looked_at(), cites })
    }

    /// Whether the bundle was made under these rules.
    pub fn check_rules(&self, game: &Erased<'_>, spec: &str) -> Result<(), Refusal> {
        let ours = fingerprint(game, spec);
        if self.game != spec || self.rules != ours {
            return Err(Refusal::Rules { game: self.game.clone(), theirs: self.rules, ours });
        }
        Ok(())
    }
}

/// A part that proves its entry if those it cites hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CheckedEntry {
    /// The positions in which its strategy chooses a move.
    pub strategy: u64,
    /// Positions visited.
    pub looked_at: u64,
    /// The entries it cites.
    pub cites: Vec<usize>,
}

/// An entry on a cycle of citations; `None` if there is no cycle, so that all entries hold.
pub fn find_circle(cites: &[Vec<usize>]) -> Option<usize> {
    // Topological sort: remove entries that nothing cites any more, until none is left or only cycles are.
    let mut cited = vec![0usize; cites.len()];
    cites.iter().flatten().for_each(|&entry| cited[entry] += 1);
    let mut free: Vec<usize> = (0..cites.len()).filter(|&entry| cited[entry] == 0).collect();
    while let Some(entry) = free.pop() {
        for &other in &cites[entry] {
            cited[other] -= 1;
            if cited[other] == 0 {
                free.push(other);
            }
        }
    }
    cited.iter().position(|&count| count > 0)
}

/// The positions at which a walk stops because another part proves them.
pub trait Lemmas {
    /// Whether the [present](Trail::present) position, a new one, is proved by another part. The walk has visited `met` positions.
    fn stops(&mut self, at: &dyn Trail, met: usize) -> bool;
}

/// Nowhere.
impl Lemmas for () {
    #[inline]
    fn stops(&mut self, _: &dyn Trail, _: usize) -> bool {
        false
    }
}

/// At the positions that a part cites.
struct Cited<'g> {
    trail: Box<dyn Trail + 'g>,
}

impl Cited<'_> {
    fn add(&mut self, state: &ErasedState) -> Result<(), Refusal> {
        match self.trail.start(state) {
            Place::End(_) => Err(Refusal::Header("it cites a terminal position".to_owned())),
            Place::Known(_) => Ok(()),
            Place::New { .. } => {
                self.trail.enter();
                self.trail.leave();
                Ok(())
            }
        }
    }
}

impl Lemmas for Cited<'_> {
    fn stops(&mut self, at: &dyn Trail, met: usize) -> bool {
        // The entry itself is the first position of the walk, and must not be skipped.
        met > 0
            && !self.trail.is_empty()
            && at.present().is_some_and(|state| self.trail.find(&state).is_some())
    }
}

/// A part being written. Its citations are known only at the end, so its choices are kept until then.
pub struct PartWriter {
    number: usize,
    body: ZlibEncoder<Vec<u8>>,
}

impl PartWriter {
    /// The part of an entry.
    pub fn new(number: usize) -> PartWriter {
        PartWriter { number, body: ZlibEncoder::new(Vec::new(), Compression::best()) }
    }

    /// Adds a choice.
    pub fn choose(&mut self, place: usize) -> io::Result<()> {
        crate::file::write_choice(&mut self.body, place)
    }

    /// The part, which cites these entries of a bundle with these rules.
    pub fn finish(self, rules: u64, cites: &[usize]) -> io::Result<Vec<u8>> {
        let mut out = Vec::new();
        writeln!(out, "{PART}\nrules {rules:016x}\nproof {}", self.number)?;
        cites.iter().try_for_each(|entry| writeln!(out, "cites {entry}"))?;
        writeln!(out)?;
        out.extend(self.body.finish()?);
        Ok(out)
    }
}

/// Reads the header of a part and returns the entries it cites.
fn read_header(file: &mut dyn BufRead, number: usize, rules: u64) -> Result<Vec<usize>, Refusal> {
    let mut lines = lines(file, LONGEST);
    if lines().ok().as_deref() != Some(PART) {
        return Err(Refusal::Foreign);
    }
    if hexadecimal(&field("rules", &lines()?)?)? != rules {
        return Err(Refusal::Header("it was made under other rules than the list".to_owned()));
    }
    if field("proof", &lines()?)? != number.to_string() {
        return Err(Refusal::Header("it is the part of another entry".to_owned()));
    }
    let mut cites = Vec::new();
    loop {
        let text = lines()?;
        if text.is_empty() {
            return Ok(cites);
        }
        let cited = field("cites", &text)?;
        cites.push(cited.parse().map_err(|_| Refusal::Header(format!("'{cited}' is not a number")))?);
    }
}

/// Copies a part into another list; `number` maps the numbers of its entry and of those it cites. Returns the length of the copy.
pub fn renumber(
    part: &mut dyn BufRead,
    number: &dyn Fn(usize) -> usize,
    out: &mut dyn Write,
) -> Result<u64, Refusal> {
    let mut header = String::new();
    {
        let mut lines = lines(&mut *part, LONGEST);
        loop {
            let text = lines()?;
            let renumbered = match text.split_once(' ') {
                Some((name @ ("proof" | "cites"), old)) => {
                    let old = old.parse().map_err(|_| Refusal::Header(format!("'{old}' is not a number")))?;
                    format!("{name} {}", number(old))
                }
                _ => text,
            };
            header += &renumbered;
            header.push('\n');
            if renumbered.is_empty() {
                break;
            }
        }
    }
    out.write_all(header.as_bytes())?;
    Ok(header.len() as u64 + io::copy(part, out)?)
}
