//! The file format of certificates: header lines, then the choices in one zlib stream.

use crate::{Claim, Guide, Refusal};
use delphic_game::erased::Trail;
use flate2::Compression;
use flate2::bufread::ZlibDecoder;
use flate2::write::ZlibEncoder;
use std::io::{self, BufRead, BufReader, Read, Write};

/// The first line of the file. The number is the version of the format.
const MAGIC: &str = "delphic certificate 1";
/// The maximum length of a header.
const LONGEST_HEADER: u64 = 1 << 20;
/// The maximum number of claims: an exact value takes two.
pub(super) const MOST_CLAIMS: usize = 8;

/// The header of a certificate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// The game's full spec. It states all conventions, such as the ply after which a game with cycles is a draw.
    pub game: String,
    /// The [fingerprint](crate::fingerprint) of the rules.
    pub rules: u64,
    /// The position in the game's notation.
    pub position: String,
    /// The claims, each proved by one strategy, in this order.
    pub claims: Vec<Claim>,
}

impl Header {
    /// Reads a header and leaves `file` at the first byte after it.
    pub fn read(file: &mut dyn BufRead) -> Result<Header, Refusal> {
        let mut line = lines(file, LONGEST_HEADER);
        let magic = line().map_err(|error| match error {
            Refusal::Header(_) => Refusal::Foreign,
            other => other,
        })?;
        if magic != MAGIC {
            let version = magic.strip_prefix("delphic certificate ");
            return Err(version.map_or(Refusal::Foreign, |version| Refusal::Version(version.to_owned())));
        }
        let (game, rules) = (field("game", &line()?)?, hexadecimal(&field("rules", &line()?)?)?);
        let position = field("position", &line()?)?;
        let mut claims: Vec<Claim> = Vec::new();
        loop {
            let text = line()?;
            if text.is_empty() && !claims.is_empty() {
                return Ok(Header { game, rules, position, claims });
            }
            let claim = text
                .strip_prefix("claim ")
                .ok_or_else(|| Refusal::Header(format!("expected a claim, found '{text}'")))?;
            if claims.len() == MOST_CLAIMS {
                return Err(Refusal::Header(format!("more than {MOST_CLAIMS} claims")));
            }
            claims.push(claim.parse().map_err(Refusal::Header)?);
        }
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{MAGIC}\ngame {}\nrules {:016x}\nposition {}", self.game, self.rules, self.position)?;
        self.claims.iter().try_for_each(|claim| writeln!(out, "claim {claim}"))?;
        writeln!(out)
    }
}

/// The lines of a header of at most `longest` bytes, one at each call.
pub(super) fn lines(file: &mut dyn BufRead, longest: u64) -> impl FnMut() -> Result<String, Refusal> {
    let mut file = file.take(longest);
    move || {
        let mut bytes = Vec::new();
        file.read_until(b'\n', &mut bytes)?;
        if bytes.pop() != Some(b'\n') {
            return Err(Refusal::Header("the header does not end".to_owned()));
        }
        String::from_utf8(bytes).map_err(|_| Refusal::Header("the header is not text".to_owned()))
    }
}

/// The value of a header line with this name.
pub(super) fn field(name: &str, text: &str) -> Result<String, Refusal> {
    let content = text.strip_prefix(name).and_then(|rest| rest.strip_prefix(' '));
    content.map(str::to_owned).ok_or_else(|| Refusal::Header(format!("expected '{name} …', found '{text}'")))
}

/// A fingerprint.
pub(super) fn hexadecimal(text: &str) -> Result<u64, Refusal> {
    let digits = text.len() == 16 && text.bytes().all(|digit| digit.is_ascii_hexdigit());
    let number = u64::from_str_radix(text, 16).ok().filter(|_| digits);
    number.ok_or_else(|| Refusal::Header("rules are 16 hexadecimal digits".to_owned()))
}

/// Writes a certificate, choice by choice.
pub struct Writer<W: Write> {
    body: ZlibEncoder<W>,
}

impl<W: Write> Writer<W> {
    /// Writes the header.
    pub fn new(mut out: W, header: &Header) -> io::Result<Writer<W>> {
        header.write(&mut out)?;
        Ok(Writer { body: ZlibEncoder::new(out, Compression::best()) })
    }

    /// Adds a choice.
    pub fn choose(&mut self, place: usize) -> io::Result<()> {
        write_choice(&mut self.body, place)
    }

    /// Ends the file.
    pub fn finish(self) -> io::Result<W> {
        self.body.finish()
    }
}

/// A number in base 128, the low digits first, with 128 added to all but the last.
pub(super) fn write_choice(out: &mut impl Write, mut place: usize) -> io::Result<()> {
    while place >= 128 {
        out.write_all(&[place as u8 | 128])?;
        place >>= 7;
    }
    out.write_all(&[place as u8])
}

/// The choices of a certificate being checked.
pub(super) struct Choices<R> {
    body: BufReader<ZlibDecoder<R>>,
    /// The number of choices read so far.
    pub(super) read: u64,
}

impl<R: BufRead> Choices<R> {
    pub(super) fn new(file: R) -> Choices<R> {
        Choices { body: BufReader::with_capacity(1 << 15, ZlibDecoder::new(file)), read: 0 }
    }

    #[inline]
    fn byte(&mut self) -> Result<Option<u8>, Refusal> {
        let byte = self.body.fill_buf().map_err(damage)?.first().copied();
        self.body.consume(usize::from(byte.is_some()));
        Ok(byte)
    }

    pub(super) fn next(&mut self) -> Result<usize, Refusal> {
        let mut place = 0;
        for digit in 0..4 {
            let Some(byte) = self.byte()? else { return Err(Refusal::EndsEarly(self.read)) };
            place |= usize::from(byte & 127) << (7 * digit);
            if byte < 128 {
                self.read += 1;
                return Ok(place);
            }
        }
        Err(Refusal::Damaged("a choice of more than four digits".to_owned()))
    }

    /// Checks that nothing follows the last choice, in the stream or after it.
    pub(super) fn finish(mut self) -> Result<(), Refusal> {
        if self.byte()?.is_some() {
            return Err(Refusal::Damaged("choices follow after the end of the strategy".to_owned()));
        }
        match self.body.into_inner().into_inner().fill_buf()? {
            [] => Ok(()),
            _ => Err(Refusal::Damaged("bytes follow after the end of the certificate".to_owned())),
        }
    }
}

/// Converts errors of the decoder.
fn damage(error: io::Error) -> Refusal {
    match error.kind() {
        io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData => Refusal::Damaged(error.to_string()),
        io::ErrorKind::UnexpectedEof => Refusal::Damaged("the file is cut off".to_owned()),
        _ => Refusal::File(error),
    }
}

impl<R: BufRead> Guide for Choices<R> {
    type Error = Refusal;

    fn choose(&mut self, _: &dyn Trail, _: usize) -> Result<usize, Refusal> {
        self.next()
    }
}
