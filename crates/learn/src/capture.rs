//! Capture problems: reading them, and raising the liberty limit until one is solved (paper 4, §5).

use delphic_game::bits::Bits;
use delphic_game::{Force, Player, Verdict, write_numbered};
use delphic_games::go::{Board, CaptureState, GoCapture, PASS, Points, Record};
use delphic_search::{Limits, Position, Report, Stats, StopReason};
use serde_json::Value;
use thiserror::Error;

/// Why a problem cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("capture problem: {0}")]
pub struct ProblemError(String);

fn error<T>(reason: impl Into<String>) -> Result<T, ProblemError> {
    Err(ProblemError(reason.into()))
}

/// A problem and its source's answer.
#[derive(Clone, Debug)]
pub struct CaptureProblem {
    /// Its name in the source.
    pub id: String,
    /// Lines of the board.
    pub size: usize,
    /// The position; its limit is the number of liberties that the target has.
    pub position: CaptureState,
    /// The source's answer: does the target fall?
    pub capture: Option<bool>,
    /// Whether the source has a proof of a capture.
    pub proven: bool,
}

impl CaptureProblem {
    /// Reads one line of the oracle files: an object with `size`, `black`, `white`, `to_move`, `target`, `target_color`, and perhaps
    /// `ko_ban`, `capture` and `prover`. Vertices are written as in GTP: a letter without I, and the row from the bottom.
    pub fn read_json(line: &str) -> Result<CaptureProblem, ProblemError> {
        let value: Value = serde_json::from_str(line).map_err(|e| ProblemError(e.to_string()))?;
        let size = value["size"].as_u64().filter(|size| (1..=19).contains(size));
        let Some(size) = size.map(|size| size as usize) else {
            return error("'size' is not a number from 1 to 19");
        };
        let board = Board::new(size);
        let vertex = |value: &Value| match value.as_str().and_then(|text| gtp_vertex(&board, text)) {
            Some(point) => Ok(point),
            None => error(format!("{value} is not a vertex of the board")),
        };
        let mut stones = [Points::EMPTY; 2];
        for (seat, key) in ["black", "white"].into_iter().enumerate() {
            let Some(list) = value[key].as_array() else { return error(format!("'{key}' is not a list")) };
            for point in list {
                stones[seat].insert(vertex(point)?);
            }
        }
        if stones[0].meets(stones[1]) {
            return error("a point is both black and white");
        }
        let colour = |value: &Value| match value.as_str() {
            Some("black") => Ok(Player::FIRST),
            Some("white") => Ok(Player::SECOND),
            _ => error(format!("{value} is neither \"black\" nor \"white\"")),
        };
        let (turn, owner) = (colour(&value["to_move"])?, colour(&value["target_color"])?);
        let mut problem = CaptureProblem {
            id: value["id"].as_str().unwrap_or("").to_owned(),
            size,
            position: position(stones, vertex(&value["target"])?, owner, turn),
            capture: value["capture"].as_bool(),
            proven: value["prover"]["result"] == "capture_proven",
        };
        let ban = &value["ko_ban"];
        // By our convention the defender may retake at once.
        if !ban.is_null() && colour(&ban["color"])? == turn && turn != owner {
            problem.position.ko = vertex(&ban["vertex"])? as u16;
        }
        problem.checked()
    }

    /// Reads an SGF record whose last mark (`MA`, `TR`, `CR` or `SQ`) stands on the stone to capture.
    pub fn read_sgf(text: &str) -> Result<CaptureProblem, ProblemError> {
        let record = Record::read(text).map_err(|e| ProblemError(e.to_string()))?;
        let Some(target) = record.marked else { return error("no stone is marked (MA, TR, CR or SQ)") };
        let end = record.replay(delphic_games::go::Ko::Simple).map_err(|e| ProblemError(e.to_string()))?;
        let owner =
            [Player::FIRST, Player::SECOND].into_iter().find(|who| end.stones()[who.index()].has(target));
        let Some(owner) = owner else { return error("the marked point is empty") };
        let mut position = position(*end.stones(), target, owner, end.turn());
        if let Some(ban) = end.ban().filter(|_| end.turn() != owner) {
            position.ko = ban as u16;
        }
        let problem =
            CaptureProblem { id: String::new(), size: record.size, position, capture: None, proven: false };
        problem.checked()
    }

    /// The problem as a record with the target marked.
    pub fn write_sgf(&self) -> String {
        let CaptureState { stones, turn, target, .. } = self.position;
        Record { size: self.size, stones, turn, moves: Vec::new(), marked: Some(target.into()) }.write()
    }

    /// Checks the position and sets the limit to the target's liberties.
    fn checked(mut self) -> Result<CaptureProblem, ProblemError> {
        let game = GoCapture::new(self.size);
        if !self.position.defenders().has(self.position.target.into()) {
            return error("there is no stone of that colour on the target's point");
        }
        game.check(&self.position).map_err(|e| ProblemError(e.to_string()))?;
        self.position.limit = game.liberties(&self.position).count() as u16;
        Ok(self)
    }
}

fn position(stones: [Points; 2], target: usize, owner: Player, turn: Player) -> CaptureState {
    CaptureState {
        stones,
        target: target as u16,
        ko: PASS,
        taken: 0,
        limit: 0,
        attacker: owner.other(),
        turn,
    }
}

/// A vertex as the Go Text Protocol writes it.
fn gtp_vertex(board: &Board, text: &str) -> Option<usize> {
    let letter = text.bytes().next()?.to_ascii_uppercase();
    let col = match letter {
        b'A'..=b'H' => letter - b'A',
        b'J'..=b'T' => letter - b'B',
        _ => return None,
    };
    let row: usize = text[1..].parse().ok()?;
    let inside = usize::from(col) < board.size() && (1..=board.size()).contains(&row);
    inside.then(|| board.point(board.size() - row, col.into()))
}

/// The result of a problem.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// Proved if the target falls; disproved if it does not under the last limit tried.
    pub verdict: Verdict,
    /// The last limit tried.
    pub limit: u16,
    /// Why the last search ended.
    pub stop: StopReason,
    /// All searches together.
    pub stats: Stats,
    /// The last search's line.
    pub line: Vec<u16>,
}

impl Attempt {
    /// The line as text.
    pub fn write_line(&self, game: &GoCapture, position: &CaptureState) -> Vec<String> {
        write_numbered(game, &CaptureState { limit: self.limit, ..*position }, &self.line)
    }
}

/// Asks whether the target falls under limits from its liberties on to `most`, until it does. `solve` is one search within its limits; its
/// report on each limit is handed to `learn`, which may use the solved positions.
///
/// A "no" under one limit does not answer the problem: with more liberties allowed the attack may succeed.
pub fn raise_limit(
    game: &GoCapture,
    position: &CaptureState,
    most: u16,
    limits: Limits<'_>,
    mut solve: impl FnMut(&Position<'_, GoCapture>, Force, Limits<'_>) -> Report,
    mut learn: impl FnMut(&Position<'_, GoCapture>, Force, &Report),
) -> Attempt {
    let question = Force { player: position.attacker, at_least: 1 };
    let least = game.liberties(position).count() as u16;
    let limits = limits.begin();
    let mut attempt = Attempt {
        verdict: Verdict::Open,
        limit: least,
        stop: StopReason::Solved,
        stats: Stats::default(),
        line: Vec::new(),
    };
    for limit in least..=most.max(least) {
        let at = Position { game, state: CaptureState { limit, ..*position } };
        let report = solve(&at, question, limits.after(attempt.stats.created));
        learn(&at, question, &report);
        attempt.stats = attempt.stats.then(report.stats);
        (attempt.verdict, attempt.limit, attempt.stop) = (report.truth, limit, report.stop);
        attempt.line = report.line;
        if attempt.verdict != Verdict::Disproved {
            break;
        }
    }
    attempt
}
