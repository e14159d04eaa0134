//! Tables: strong solutions in files.
//!
//! A file has header lines, blocks of positions, and an index of the blocks. Positions are stored in canonical form and sorted, so that a
//! position is found by a binary search in the index and by reading one block. `docs/tables.md` specifies the format.

use super::Strong;
use crate::AnyPosition;
use delphic_search::retro::Worth;
use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

const FIRST_LINE: &str = "delphic table 1";
/// Positions of a block.
const BLOCK: usize = 4_096;
/// The length of the trailer: offset and length of the index.
const FOOTER: u64 = 16;
/// The maximum length of header, index and block: larger ones are not valid.
const LONGEST: u64 = 1 << 30;

/// Why a table cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// The file is not a table.
    #[error("{0} is not a Delphic table of version 1")]
    Foreign(String),
    /// Bytes have changed, or are missing.
    #[error("{path} is damaged: {reason}")]
    Damaged {
        /// The file.
        path: String,
        /// What is wrong.
        reason: String,
    },
    /// The table is of another game, or of other rules.
    #[error("{path} is a table of {theirs}, not of {ours} with these rules")]
    Other {
        /// The file.
        path: String,
        /// The game of the file.
        theirs: String,
        /// The game asked about.
        ours: String,
    },
    /// The positions do not fit into the memory while they are sorted.
    #[error("the {0} positions do not fit into the memory limit while they are sorted for the table")]
    Memory(u64),
    /// It cannot be read or written.
    #[error(transparent)]
    File(#[from] io::Error),
}

/// An entry of a table: the position as text, its payoff and its plies.
type Row = (String, Worth);

/// Writes the table of a strong solution, within this memory. Returns its size in bytes.
pub fn write_table(
    position: &dyn AnyPosition,
    strong: &Strong<'_>,
    memory: u64,
    out: &mut dyn Write,
) -> Result<u64, TableError> {
    let each = (position.write().len() + size_of::<Row>() + 16) as u64;
    if strong.positions().saturating_mul(each) > memory {
        return Err(TableError::Memory(strong.positions()));
    }
    let mut rows: Vec<Row> = Vec::with_capacity(strong.positions() as usize);
    strong.each(&mut |entry, worth| rows.push((entry.write(), worth)));
    rows.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    let head = format!(
        "{FIRST_LINE}\ngame {}\nrules {:016x}\nposition {}\npositions {}\n\n",
        position.spec(),
        position.fingerprint(),
        position.write(),
        rows.len()
    );
    out.write_all(head.as_bytes())?;
    let (mut at, mut index) = (head.len() as u64, String::new());
    for block in rows.chunks(BLOCK) {
        let mut text = String::new();
        for (position, worth) in block {
            let plies = worth.plies.map_or_else(|| "-".to_owned(), |plies| plies.to_string());
            text += &format!("{position}\t{}\t{plies}\n", worth.payoff);
        }
        let bytes = deflate(text.as_bytes())?;
        index += &format!("{at}\t{}\t{}\n", bytes.len(), block[0].0);
        out.write_all(&bytes)?;
        at += bytes.len() as u64;
    }
    let bytes = deflate((head + &index).as_bytes())?;
    out.write_all(&bytes)?;
    out.write_all(&at.to_le_bytes())?;
    out.write_all(&(bytes.len() as u64).to_le_bytes())?;
    Ok(at + bytes.len() as u64 + FOOTER)
}

fn deflate(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    encoder.finish()
}

/// A part of the file: the first position of the block is its key.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Block {
    first: String,
    at: u64,
    length: u64,
}

/// A table opened for look-ups.
#[derive(Debug)]
pub struct TableFile {
    path: PathBuf,
    game: String,
    rules: String,
    positions: u64,
    blocks: Vec<Block>,
    reader: Mutex<Reader>,
}

/// The file, and the block that was read last.
#[derive(Debug)]
struct Reader {
    file: File,
    latest: Option<(usize, Vec<Row>)>,
}

impl TableFile {
    /// Opens a table and reads its index.
    pub fn open(path: &Path) -> Result<TableFile, TableError> {
        let name = path.display().to_string();
        let damaged = |reason: &str| TableError::Damaged { path: name.clone(), reason: reason.to_owned() };
        let mut file = File::open(path)?;
        let size = file.metadata()?.len();
        let mut first = vec![0; FIRST_LINE.len() + 1];
        if file.read_exact(&mut first).is_err() || first != format!("{FIRST_LINE}\n").as_bytes() {
            return Err(TableError::Foreign(name));
        }
        if size < FOOTER + first.len() as u64 {
            return Err(damaged("it is cut off"));
        }
        file.seek(SeekFrom::Start(size - FOOTER))?;
        let mut footer = [[0; 8]; 2];
        for part in &mut footer {
            file.read_exact(part)?;
        }
        let [at, length] = footer.map(u64::from_le_bytes);
        if at.checked_add(length).is_none_or(|end| end != size - FOOTER) {
            return Err(damaged("the offset of its index is wrong"));
        }
        let text = inflate(&mut file, at, length).map_err(|reason| damaged(&reason))?;
        let Some((head, index)) = text.split_once("\n\n") else {
            return Err(damaged("its index is malformed"));
        };
        // The index repeats the header under its checksum.
        let mut header = vec![0; head.len() + 2];
        file.seek(SeekFrom::Start(0))?;
        if file.read_exact(&mut header).is_err() || header != format!("{head}\n\n").as_bytes() {
            return Err(damaged("its header differs from the copy in its index"));
        }
        let field = |name: &str| {
            let mut lines = head.lines().filter_map(|line| line.split_once(' '));
            lines.find(|(key, _)| *key == name).map(|(_, value)| value.to_owned())
        };
        let (Some(game), Some(rules), Some(positions)) =
            (field("game"), field("rules"), field("positions").and_then(|number| number.parse().ok()))
        else {
            return Err(damaged("its header is malformed"));
        };
        let block = |line: &str| {
            let mut parts = line.splitn(3, '\t');
            let mut number = || parts.next()?.parse().ok();
            let (at, length) = (number()?, number()?);
            Some(Block { first: parts.next()?.to_owned(), at, length })
        };
        let blocks: Option<Vec<Block>> = index.lines().map(block).collect();
        let blocks = blocks.ok_or_else(|| damaged("its index is malformed"))?;
        if blocks.windows(2).any(|pair| pair[0].first >= pair[1].first) {
            return Err(damaged("its blocks are not in order"));
        }
        let reader = Mutex::new(Reader { file, latest: None });
        Ok(TableFile { path: path.to_owned(), game, rules, positions, blocks, reader })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The full spec of the game.
    pub fn game(&self) -> &str {
        &self.game
    }

    /// The number of positions.
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// The worth of a position to the first player; `None` if it is not in the table.
    pub fn worth(&self, position: &dyn AnyPosition) -> Result<Option<Worth>, TableError> {
        let rules = format!("{:016x}", position.fingerprint());
        if position.spec() != self.game || rules != self.rules {
            return Err(TableError::Other {
                path: self.path.display().to_string(),
                theirs: self.game.clone(),
                ours: position.spec().to_owned(),
            });
        }
        self.find(&position.canonical())
    }

    fn find(&self, text: &str) -> Result<Option<Worth>, TableError> {
        let Some(nth) = self.blocks.partition_point(|block| block.first.as_str() <= text).checked_sub(1)
        else {
            return Ok(None);
        };
        let mut reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner);
        let Reader { file, latest } = &mut *reader;
        if latest.as_ref().is_none_or(|(number, _)| *number != nth) {
            *latest = Some((nth, self.read_block(file, nth)?));
        }
        let Some((_, rows)) = latest else { return Ok(None) };
        let found = rows.binary_search_by(|(position, _)| position.as_str().cmp(text));
        Ok(found.ok().map(|place| rows[place].1))
    }

    fn read_block(&self, file: &mut File, nth: usize) -> Result<Vec<Row>, TableError> {
        let Block { first, at, length } = &self.blocks[nth];
        let damaged = |reason: &str| TableError::Damaged {
            path: self.path.display().to_string(),
            reason: format!("block {nth}: {reason}"),
        };
        let text = inflate(file, *at, *length).map_err(|reason| damaged(&reason))?;
        let row = |line: &str| {
            let mut parts = line.split('\t');
            let position = parts.next()?.to_owned();
            let payoff = parts.next()?.parse().ok()?;
            let plies = match parts.next()? {
                "-" => None,
                number => Some(number.parse().ok()?),
            };
            parts.next().is_none().then_some((position, Worth { payoff, plies }))
        };
        let rows: Option<Vec<Row>> = text.lines().map(row).collect();
        let rows = rows.ok_or_else(|| damaged("a line is malformed"))?;
        let ordered = rows.windows(2).all(|pair| pair[0].0 < pair[1].0);
        if !ordered || rows.first().is_none_or(|(position, _)| position != first) {
            return Err(damaged("its positions are not in order"));
        }
        Ok(rows)
    }
}

/// The text of a zlib stream in the file, whose checksum is verified.
fn inflate(file: &mut File, at: u64, length: u64) -> Result<String, String> {
    if length > LONGEST {
        return Err("a part is too long".to_owned());
    }
    file.seek(SeekFrom::Start(at)).map_err(|error| error.to_string())?;
    let mut text = String::new();
    let mut decoder = ZlibDecoder::new(file.take(length)).take(LONGEST);
    decoder.read_to_string(&mut text).map_err(|error| error.to_string())?;
    Ok(text)
}
