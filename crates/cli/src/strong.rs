//! Strong solutions: `solve --table`, `analyze --table`.

use crate::args::Solve;
use crate::progress::{Line, Subject};
use crate::solve::exit_code;
use crate::tables::table;
use crate::{Failure, output, text, units, version};
use delphic_base::atomic_file::AtomicFile;
use delphic_engine::{
    Analysis, AnyPosition, Ask, Request, Summary, TableError, TableFile, Value, json, write_table,
};
use delphic_lab::plot::{Axis, Bar, Bars};
use serde_json::{Value as Json, json};
use std::io::Write;
use std::path::Path;

impl From<TableError> for Failure {
    fn from(error: TableError) -> Failure {
        match error {
            TableError::File(error) => error.into(),
            error => Failure::Other(error.to_string()),
        }
    }
}

/// Answers from the table, or creates it.
pub(crate) fn solve(
    options: &Solve,
    position: &dyn AnyPosition,
    request: &Request<'_>,
    path: &Path,
) -> Result<u8, Failure> {
    if request.ask == Ask::Maxn || position.search().players() != 2 {
        return Err(Failure::Usage("tables are for two-player games, and do not answer maxn".to_owned()));
    }
    if !path.exists() {
        return make(options, position, request, path);
    }
    if options.figure.is_some() {
        let reason = format!("--figure needs a new table, but {} already exists", path.display());
        return Err(Failure::Usage(reason));
    }
    let table = TableFile::open(path)?;
    let answer = table.answer(position, request)?.ok_or_else(|| missing(path, position))?;
    output(&match options.json {
        true => format!("{}\n", json::answer(&answer, version::REVISION)),
        false => text::answer(&answer, None),
    })?;
    Ok(exit_code(&answer))
}

fn missing(path: &Path, position: &dyn AnyPosition) -> Failure {
    Failure::Usage(format!("{} has no position {}", path.display(), position.write()))
}

/// The analysis of a position from a table.
pub(crate) fn analysis(
    position: &dyn AnyPosition,
    request: &Request<'_>,
    path: &Path,
) -> Result<Analysis, Failure> {
    TableFile::open(path)?.analyze(position, request)?.ok_or_else(|| missing(path, position))
}

fn make(
    options: &Solve,
    position: &dyn AnyPosition,
    request: &Request<'_>,
    path: &Path,
) -> Result<u8, Failure> {
    let mut line = Line::new(options.quiet, Subject::of(request, position.spec()));
    let found = position.strong(request.limits.begin(), &mut line);
    line.clear();
    let strong = found.map_err(|(stop, stats)| {
        let after = units::plural(stats.created, "position");
        Failure::Other(format!("no table: {} after {after}", text::stopped(stop)))
    })?;
    let stats = strong.stats();
    let left = request.limits.memory.map_or(u64::MAX, |memory| memory.saturating_sub(stats.peak_bytes));
    let mut file = AtomicFile::new(path)?;
    let size = write_table(position, &strong, left, &mut file)?;
    file.finish()?;
    let summary = Summary::of(position, &strong);
    drop(strong);
    if let Some(path) = &options.figure {
        let mut file = AtomicFile::new(path)?;
        file.write_all(figure(&summary).svg().as_bytes())?;
        file.finish()?;
    }
    let answer = TableFile::open(path)?.answer(position, request)?.ok_or_else(|| missing(path, position))?;
    if options.json {
        let mut object = json::answer(&answer, version::REVISION);
        object["summary"] = self::json(&summary);
        object["table"] = json!({ "bytes": size, "positions": summary.positions });
        output(&format!("{object}\n"))?;
    } else {
        let each = size as f64 / summary.positions as f64;
        let written = format!(
            "table    {}: {}, {} ({each:.2} bytes each)\n",
            path.display(),
            units::plural(summary.positions, "position"),
            units::size(size)
        );
        let speed = summary.positions as f64 / stats.time.as_secs_f64().max(1e-9);
        let effort = format!(
            "effort   {}, {} positions per second, {}\n",
            units::time(stats.time),
            units::grouped(speed as u64),
            units::size(stats.peak_bytes)
        );
        output(&format!("{}\n{written}{effort}\n{}", text::headline(&answer), self::text(&summary)))?;
    }
    Ok(exit_code(&answer))
}

/// The summary of the game.
pub(crate) fn text(summary: &Summary) -> String {
    let open = summary.positions - summary.ends;
    let share = |count: u64| {
        format!("{} ({:.1} %)", units::grouped(count), 100.0 * count as f64 / open.max(1) as f64)
    };
    let mut text = format!(
        "{} not terminal, {} terminal, {}\n",
        units::plural(open, "position"),
        units::grouped(summary.ends),
        units::plural(summary.moves, "move")
    );
    for (value, name) in [(Value::Win, "won"), (Value::Draw, "drawn"), (Value::Loss, "lost")] {
        text += &format!("{name:<9}{} for the side to move\n", share(summary.count(value)));
    }
    if let Some((position, plies, turn)) = &summary.longest {
        text += &format!("longest  a win in {}: {position} ({turn} player to move)\n", units::plies(*plies));
    }
    let mut moves = table(["first move", "value", "the game lasts"]);
    for (mv, value, plies) in &summary.first_moves {
        moves.add_row([mv.clone(), value.to_string(), plies.map_or_else(String::new, units::plies)]);
    }
    let mut lengths = table(["plies", "won", "lost"]);
    let longest = summary.by_value.iter().filter_map(|(_, plies, _)| *plies).max().unwrap_or(0);
    for plies in 1..=longest {
        let count = |value| {
            let rows = summary
                .by_value
                .iter()
                .filter(|(other, length, _)| *other == value && *length == Some(plies));
            units::grouped(rows.map(|(.., count)| count).sum())
        };
        lengths.add_row([plies.to_string(), count(Value::Win), count(Value::Loss)]);
    }
    text + &format!("\n{moves}\n\n{lengths}\n")
}

/// The maximum number of bars; for longer games a bar covers several lengths.
const BARS: u32 = 40;

/// Non-terminal positions by the plies to the end, and the drawn ones.
fn figure(summary: &Summary) -> Bars {
    let count = |value: Value, from: u32, to: u32| -> f64 {
        let within = |plies: &Option<u32>| plies.is_some_and(|plies| (from..to).contains(&plies));
        let rows = summary.by_value.iter().filter(|(other, plies, _)| *other == value && within(plies));
        rows.map(|(.., count)| *count as f64).sum()
    };
    let longest = summary.by_value.iter().filter_map(|(_, plies, _)| *plies).max().unwrap_or(0);
    let step = longest.div_ceil(BARS).max(1);
    let bar = |from: u32| {
        let to = (from + step).min(longest + 1);
        let name = if step == 1 { units::plies(from) } else { format!("{from}–{} plies", to - 1) };
        let parts = vec![count(Value::Win, from, to), count(Value::Loss, from, to), 0.0];
        Bar { name, parts, interval: None }
    };
    let mut bars: Vec<Bar> = (1..=longest).step_by(step as usize).map(bar).collect();
    let endless = |value| {
        let rows = summary.by_value.iter().filter(|(other, plies, _)| *other == value && plies.is_none());
        rows.map(|(.., count)| *count as f64).sum::<f64>()
    };
    let open = vec![endless(Value::Win), endless(Value::Loss), summary.count(Value::Draw) as f64];
    if open.iter().any(|&count| count > 0.0) {
        bars.push(Bar { name: "no forced end".to_owned(), parts: open, interval: None });
    }
    let parts = ["won for the side to move", "lost", "drawn"].map(str::to_owned).to_vec();
    Bars { axis: Axis::linear("positions up to symmetry"), parts, bars }
}

/// The same as JSON.
pub(crate) fn json(summary: &Summary) -> Json {
    let by_value = summary.by_value.iter().map(
        |(value, plies, count)| json!({ "value": json::value(*value), "plies": plies, "positions": count }),
    );
    let first = summary
        .first_moves
        .iter()
        .map(|(mv, value, plies)| json!({ "move": mv, "value": json::value(*value), "plies": plies }));
    let longest = summary.longest.as_ref();
    json!({
        "positions": summary.positions,
        "moves": summary.moves,
        "ends": summary.ends,
        "drawn": summary.drawn(),
        "by_value": by_value.collect::<Vec<_>>(),
        "first_moves": first.collect::<Vec<_>>(),
        "longest_win": longest.map(|(position, plies, turn)| json!({ "position": position, "plies": plies, "to_move": turn })),
    })
}
