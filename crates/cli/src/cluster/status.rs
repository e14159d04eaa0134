//! The state of a run as text: one line while it goes on, a table when it is asked for.

use crate::args::ClusterStatus;
use crate::{Failure, interrupt, output, tables, units};
use delphic_cluster::{Ledger, Progress, Status};
use serde_json::Value;
use std::io::IsTerminal;
use std::time::Duration;

/// Clears a terminal, so that a table that is shown again stands where it was.
const CLEAR: &str = "\x1b[2J\x1b[H";

/// One line.
pub(super) fn line(status: &Status) -> String {
    let live = status.workers.iter().filter(|worker| worker.silent < 60.0).count();
    let workers = units::plural(live as u64, "worker");
    let left = status.forecast.map_or_else(String::new, |left| format!(", perhaps {} left", seconds(left)));
    if status.lemmas.1 > 0 {
        let (done, all) = status.lemmas;
        return format!("proving: {done} of {all} lemmas, {workers}{left}");
    }
    let numbers = status.progress.map_or_else(String::new, |progress| {
        let Progress { question, numbers: (proof, disproof), decided: (decided, moves) } = progress;
        let (proof, disproof) = (number(proof), number(disproof));
        format!("at least {}? {proof} / {disproof}, {decided} of {moves} moves decided, ", question.at_least)
    });
    format!(
        "{numbers}{} ({} solved), {} out, {} nodes, {workers}{left}",
        units::plural(status.results, "result"),
        units::grouped(status.solved),
        status.out,
        units::short(status.nodes),
    )
}

/// The rows of a report.
pub(super) fn rows(status: &Status) -> String {
    format!(
        "jobs     {}, {} solved, {} given out again, {} taken back, {} messages ignored\n\
         effort   {} by workers, {} created\n\
         graph    {}, {}\n",
        units::plural(status.results, "result"),
        units::grouped(status.solved),
        units::grouped(status.reissued),
        units::grouped(status.cancelled),
        units::grouped(status.ignored),
        seconds(status.seconds),
        units::plural(status.nodes, "node"),
        units::plural(status.positions as u64, "position"),
        units::size(status.bytes),
    )
}

fn number(count: u32) -> String {
    if count == u32::MAX { "∞".to_owned() } else { units::grouped(count.into()) }
}

fn seconds(seconds: f64) -> String {
    units::time(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX))
}

pub(crate) fn run(options: &ClusterStatus) -> Result<u8, Failure> {
    loop {
        let states = states(options)?;
        let redraws = options.watch && !options.json && std::io::stdout().is_terminal();
        let mut text = if redraws { CLEAR.to_owned() } else { String::new() };
        for state in &states {
            text += &if options.json { format!("{state}\n") } else { table(state) };
        }
        if states.is_empty() {
            text += "no manager has answered\n";
        }
        output(&text)?;
        let over = !states.is_empty() && states.iter().all(|state| state["over"].as_bool() == Some(true));
        if !options.watch || over || interrupt::interrupted() {
            return Ok(0);
        }
        std::thread::sleep(Duration::from_secs(1));
    }
}

fn states(options: &ClusterStatus) -> Result<Vec<Value>, Failure> {
    let Some(path) = &options.ledger else { return from_broker(options) };
    let status = Ledger::read(path)?.status()?;
    let states = status.into_iter().map(|text| serde_json::from_str(&text));
    states.collect::<Result<_, _>>().map_err(|error| Failure::Other(format!("the ledger's status: {error}")))
}

#[cfg(feature = "cluster")]
fn from_broker(options: &ClusterStatus) -> Result<Vec<Value>, Failure> {
    let url = options.broker.as_deref().unwrap_or_default();
    Ok(delphic_cluster::broker::status(&super::address(url, &options.access))?)
}

#[cfg(not(feature = "cluster"))]
fn from_broker(_: &ClusterStatus) -> Result<Vec<Value>, Failure> {
    Err(super::no_broker())
}

/// A run, and a line for each of its workers.
fn table(state: &Value) -> String {
    let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    let count = |value: &Value| units::grouped(value.as_u64().unwrap_or(0));
    let time = |value: &Value| value.as_f64().map_or_else(|| "-".to_owned(), seconds);
    let jobs = &state["jobs"];
    let over = if state["over"].as_bool() == Some(true) { ", the manager has ended" } else { "" };
    let mut out = format!(
        "run      {}{over}\ngame     {}\nposition {}\nquestion {} for {}: {}\n",
        text(&state["run"]),
        text(&state["game"]),
        text(&state["position"]),
        text(&state["question"]),
        text(&state["player"]),
        text(&state["verdict"]),
    );
    let asked = &state["asked"];
    if asked.is_object() {
        let number = |value: &Value| match value.as_u64() {
            Some(count) if count >= u64::from(u32::MAX) => "∞".to_owned(),
            count => units::grouped(count.unwrap_or(0)),
        };
        out += &format!(
            "numbers  {} / {}, {} of {} moves decided\n",
            number(&asked["proof_numbers"][0]),
            number(&asked["proof_numbers"][1]),
            count(&asked["decided_moves"][0]),
            count(&asked["decided_moves"][1]),
        );
    }
    out += &format!(
        "jobs     {} out, {} results, {} solved, {:.1} per second, {} nodes each\n",
        count(&jobs["out"]),
        count(&jobs["results"]),
        count(&jobs["solved"]),
        jobs["per_second"].as_f64().unwrap_or(0.0),
        count(&jobs["size"]),
    );
    out += &format!(
        "faults   {} given out again, {} messages ignored\n",
        count(&jobs["reissued"]),
        count(&jobs["ignored"]),
    );
    let lemmas = &state["proof"]["lemmas"];
    out += &format!(
        "proof    {} of {} lemmas, {} shared with workers\n",
        count(&lemmas[0]),
        count(&lemmas[1]),
        count(&state["proof"]["shared"]),
    );
    out +=
        &format!("time     {} so far, perhaps {} left\n", time(&state["elapsed"]), time(&state["forecast"]));
    let mut table = tables::table(["worker", "results", "nodes/s", "last heard", "state"]);
    for worker in state["workers"].as_array().into_iter().flatten() {
        let busy = worker["seconds"].as_f64().unwrap_or(0.0);
        let speed = worker["nodes"].as_u64().unwrap_or(0) as f64 / busy.max(1e-9);
        let trouble = worker["trouble"].as_str();
        let state = match (worker["distrusted"].as_bool(), trouble) {
            (Some(true), reason) => format!("not believed: {}", reason.unwrap_or_default()),
            (_, Some(reason)) => reason.to_owned(),
            _ if worker["job"].is_string() => "at work".to_owned(),
            _ => "idle".to_owned(),
        };
        table.add_row([
            text(&worker["name"]),
            count(&worker["results"]),
            units::grouped(speed as u64),
            format!("{} ago", time(&worker["silent"])),
            state,
        ]);
    }
    out + &format!("{table}\n")
}
