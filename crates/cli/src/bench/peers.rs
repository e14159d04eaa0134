//! Comparison with programs written for one game: user time of both in one run, and whether they agree.
//!
//! The programs are not part of the project. If a program is not in the folder, its row has only the time of this program.

use super::cpu;
use crate::args::Bench;
use crate::tables::table;
use crate::{Failure, output, units};
use delphic_base::{Rng, atomic_file};
use delphic_engine::{AnyGame, game};
use delphic_lab::Provenance;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Positions of the batch, and the plies played before each.
const POSITIONS: usize = 200;
const PLIES: usize = 12;
/// The time limit of a row.
const LIMIT: &str = "10m";

/// A problem to be solved.
struct Task {
    title: &'static str,
    /// Our arguments after `solve`.
    ours: &'static str,
    peer: Option<Peer>,
    /// Whether it takes a few seconds at most.
    quick: bool,
}

/// A program for one game.
struct Peer {
    file: &'static str,
    arguments: &'static [&'static str],
    /// Its input; the batch of positions if this is `None`.
    input: Option<&'static str>,
    /// Parses its output into the values for the player to move: 1, 0 or -1.
    read: fn(&str) -> Vec<i8>,
}

const fn task(title: &'static str, ours: &'static str, quick: bool, peer: Option<Peer>) -> Task {
    Task { title, ours, peer, quick }
}

/// Pascal Pons, Connect Four: one line of columns per position.
const fn pons(file: &'static str, input: Option<&'static str>) -> Option<Peer> {
    Some(Peer { file, arguments: &["-w"], input, read: read_pons })
}

/// Nathan Bullock's Obsequi, Domineering.
const fn obsequi(input: &'static str) -> Option<Peer> {
    Some(Peer { file: "obsequi", arguments: &[], input: Some(input), read: read_obsequi })
}

/// SBHSolver, NoGo: one program per board.
const fn sbh(file: &'static str) -> Option<Peer> {
    Some(Peer { file, arguments: &[], input: Some("solve\nquit\n"), read: read_sbh })
}

const TASKS: &[Task] = &[
    task("Connect Four 7x6, 200 positions of 12 plies", "connect4 -", false, pons("pons", None)),
    task("Connect Four 7x5", "connect4:7x5", false, pons("pons_7x5", Some("\n"))),
    task("Connect Four 6x6", "connect4:6x6", false, pons("pons_6x6", Some("\n"))),
    task("Domineering 7x8", "domineering:7x8", false, obsequi("solve rows 7 cols 8 bits 22 V\n")),
    task("Domineering 8x8", "domineering:8x8", false, obsequi("solve rows 8 cols 8 bits 22 V\n")),
    task("NoGo 3x6", "nogo:3x6", true, sbh("sbh_3x6")),
    task("NoGo 4x5", "nogo:4x5", false, sbh("sbh_4x5")),
    task("NoGo 1x22", "nogo:1x22", false, sbh("sbh_1x22")),
    task("Clobber 5x5", "clobber:5x5", false, None),
    task("Breakthrough 5x5", "breakthrough:5x5", false, None),
    task("Hex 5", "hex:5", true, None),
    task("Hex 6", "hex:6", false, None),
    task("Y 6", "y:6", true, None),
    task("Y 7", "y:7", true, None),
];

/// The time of a program, and the values it found.
struct Run {
    time: Duration,
    values: Vec<i8>,
}

/// A row of the table.
struct Row {
    title: &'static str,
    ours: Option<Duration>,
    peer: Option<(&'static str, Duration)>,
}

pub(super) fn run(options: &Bench) -> Result<(), Failure> {
    let batch = batch(&*game("connect4")?, POSITIONS)?;
    let mut rows = Vec::new();
    for task in TASKS.iter().filter(|task| task.quick || !options.quick) {
        let peer = task
            .peer
            .as_ref()
            .filter(|peer| options.folder.as_ref().is_some_and(|folder| folder.join(peer.file).is_file()));
        let (mut ours, mut theirs): (Option<Run>, Option<Run>) = (None, None);
        for _ in 0..options.rounds {
            keep_best(&mut ours, run_ours(task, &batch)?);
            if let (Some(peer), Some(folder)) = (peer, &options.folder) {
                keep_best(&mut theirs, Some(run_peer(peer, folder, &batch)?));
            }
        }
        if let (Some(ours), Some(theirs)) = (&ours, &theirs)
            && ours.values != theirs.values
        {
            return Err(Failure::Other(format!("{}: the two programs disagree", task.title)));
        }
        let row = Row {
            title: task.title,
            ours: ours.map(|run| run.time),
            peer: peer.map(|peer| peer.file).zip(theirs.map(|run| run.time)),
        };
        eprintln!("{}: {}", row.title, row.cells()[1]);
        rows.push(row);
    }
    let mut list = table(HEADS);
    for row in &rows {
        list.add_row(row.cells());
    }
    output(&format!("{list}\n"))?;
    if let Some(page) = &options.page {
        atomic_file::write(page, markdown(&rows, options.rounds).as_bytes())?;
    }
    Ok(())
}

const HEADS: [&str; 5] = ["problem", "Delphic", "peer", "its time", "Delphic / peer"];

impl Row {
    fn cells(&self) -> [String; 5] {
        let missing = || "–".to_owned();
        let ratio =
            self.ours.zip(self.peer).map(|(ours, (_, theirs))| ours.as_secs_f64() / theirs.as_secs_f64());
        [
            self.title.to_owned(),
            self.ours.map_or_else(|| format!("not solved in {LIMIT}"), units::time),
            self.peer.map_or_else(missing, |(file, _)| file.to_owned()),
            self.peer.map_or_else(missing, |(_, time)| units::time(time)),
            ratio.map_or_else(missing, |ratio| format!("{ratio:.2}")),
        ]
    }
}

fn keep_best(best: &mut Option<Run>, run: Option<Run>) {
    if let Some(run) = run
        && best.as_ref().is_none_or(|best| run.time < best.time)
    {
        *best = Some(run);
    }
}

/// Random non-terminal positions of a game as move lists, one per line.
fn batch(game: &dyn AnyGame, count: usize) -> Result<String, Failure> {
    let (mut rng, mut batch) = (Rng::new(1), String::new());
    let mut left = count;
    while left > 0 {
        let (mut position, mut line) = (game.position(None, None)?, String::new());
        while !position.is_over() && line.len() < PLIES {
            let moves = position.moves();
            let nth = rng.below(moves.len());
            line.push_str(&moves[nth]);
            position = position.after(nth);
        }
        if !position.is_over() {
            left -= 1;
            batch.push_str(&line);
            batch.push('\n');
        }
    }
    Ok(batch)
}

/// This program as a child; `None` if it did not solve everything.
fn run_ours(task: &Task, batch: &str) -> Result<Option<Run>, Failure> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg("solve").args(task.ours.split(' '));
    command.args(["--threads", "1", "--time", LIMIT, "--quiet", "--json"]);
    let (printed, time) = run_child(command, batch)?;
    let value = |line: &str| -> Option<i8> {
        let answer: serde_json::Value = serde_json::from_str(line).ok()?;
        match answer["value"].as_str()? {
            "win" => Some(1),
            "draw" => Some(0),
            "loss" => Some(-1),
            _ => None,
        }
    };
    let values: Option<Vec<i8>> = printed.lines().map(value).collect();
    Ok(values.filter(|values| !values.is_empty()).map(|values| Run { time, values }))
}

fn run_peer(peer: &Peer, folder: &Path, batch: &str) -> Result<Run, Failure> {
    let mut command = Command::new(folder.join(peer.file));
    command.args(peer.arguments).current_dir(folder);
    let (printed, time) = run_child(command, peer.input.unwrap_or(batch))?;
    Ok(Run { time, values: (peer.read)(&printed) })
}

/// The output of a program on `input`, and its time.
fn run_child(mut command: Command, input: &str) -> Result<(String, Duration), Failure> {
    let before = cpu::of_children();
    let name = command.get_program().display().to_string();
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| Failure::Other(format!("{name}: {error}")))?;
    let stdin = child.stdin.take();
    let output = std::thread::scope(|scope| {
        // Input and output are served concurrently to avoid deadlock. A program may stop reading before the end.
        scope.spawn(move || stdin.map(|mut stdin| stdin.write_all(input.as_bytes())));
        child.wait_with_output()
    })?;
    Ok((String::from_utf8_lossy(&output.stdout).into_owned(), cpu::of_children().saturating_sub(before)))
}

/// Moves, score, nodes.
fn read_pons(printed: &str) -> Vec<i8> {
    let score = |line: &str| line.split_whitespace().rev().nth(1)?.parse::<i32>().ok();
    printed.lines().filter_map(score).map(|score| score.signum() as i8).collect()
}

/// The first player is vertical: `winner V, move …`.
fn read_obsequi(printed: &str) -> Vec<i8> {
    let winner = |line: &str| line.strip_prefix("winner ")?.chars().next();
    printed.lines().filter_map(winner).map(|side| if side == 'V' { 1 } else { -1 }).collect()
}

/// The answer to the first command: `= 1` if the player to move wins.
fn read_sbh(printed: &str) -> Vec<i8> {
    let answer = printed.lines().find_map(|line| line.strip_prefix("= "));
    answer.map(|answer| if answer.trim() == "1" { 1 } else { -1 }).into_iter().collect()
}

fn markdown(rows: &[Row], rounds: u32) -> String {
    let from = Provenance::here();
    let mut page = String::from("# Speed beside programs written for one game\n\n");
    let _ = writeln!(
        page,
        "Written by `delphic bench peers DIR --rounds {rounds} --page docs/speed.md`: user time of one core, best of {rounds}, both programs in \
         one run. Delphic runs its default solver, `auto`, with one thread. The peers are not part of this project: Pascal Pons' Connect Four \
         solver (`pons`), Nathan Bullock's Obsequi for Domineering, SBHSolver for NoGo (`sbh`). Where both solve a problem they agree. A \
         dash: there is no such program.\n"
    );
    let _ = writeln!(page, "Revision {}, {}, {}.\n", from.revision, from.machine(), from.day());
    let _ = writeln!(page, "| {} |\n| --- | ---: | --- | ---: | ---: |", HEADS.join(" | "));
    for row in rows {
        let _ = writeln!(page, "| {} |", row.cells().join(" | "));
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_values_that_peers_print_are_read() {
        assert_eq!(read_pons("674675251652 15 0\n12 -3 9\n44 0 7\n"), [1, -1, 0]);
        assert_eq!(read_pons(" 1 1020\n"), [1], "the start position has no moves");
        assert_eq!(read_obsequi("depth 1\nwinner V, move (1,2), nodes 13,874.\n"), [1]);
        assert_eq!(read_obsequi("winner H, nodes 9.\n"), [-1]);
        assert_eq!(read_sbh("= 0\n\n= quitting\n"), [-1]);
    }

    #[test]
    fn positions_of_the_batch_can_be_played() -> Result<(), Failure> {
        let connect4 = game("connect4")?;
        for line in batch(&*connect4, 20)?.lines() {
            assert_eq!(line.len(), PLIES);
            assert!(!connect4.position(Some(line), None)?.is_over());
        }
        Ok(())
    }
}
