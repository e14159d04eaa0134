//! Answers as text.

use crate::units;
use delphic_engine::{
    Answer, Certified, Conclusion, Estimated, Player, Restricted, RootValue, StopReason, Value,
};
use std::path::Path;

/// The number of moves of a line that are printed.
const SHOWN: usize = 40;

/// The whole answer, several lines; `kept` is the folder of the checkpoints.
pub fn answer(answer: &Answer, kept: Option<&Path>) -> String {
    format!("{}\n", headline(answer)) + &details(answer, kept)
}

/// The answer without its first line.
pub(crate) fn details(answer: &Answer, kept: Option<&Path>) -> String {
    let mut text = String::new();
    let mut row = |label: &str, content: String| text += &format!("{label:<9}{content}\n");
    row("game", answer.game.clone());
    row("position", answer.position.clone());
    if !answer.line.is_empty() {
        let proved = matches!(answer.conclusion, Conclusion::Proved | Conclusion::Disproved);
        row(if proved { "line" } else { "path" }, moves(&answer.line));
    }
    if let Some(plies) = answer.plies.filter(|&plies| plies > 0) {
        row("length", format!("at most {}", units::plies(plies)));
    }
    let by = if answer.solver == answer.searched_by {
        String::new()
    } else {
        format!(" ({})", answer.searched_by)
    };
    row("solver", format!("{}{by}, seed {}", answer.solver, answer.seed));
    row("effort", effort(answer));
    if !answer.repeatable {
        row(
            "threads",
            format!(
                "{}: the value is the same in every run; node counts and the line may differ",
                answer.threads
            ),
        );
    }
    if let Some(estimate) = answer.estimate {
        row("reached", reached(estimate));
    }
    if let Some(Restricted { claim, reason }) = answer.restricted {
        row("found", format!("{claim}, but only under a restriction: {reason}"));
    }
    if matches!(answer.conclusion, Conclusion::Unknown | Conclusion::Estimated) {
        row("stopped", stopped(answer.stop).to_owned());
        if let Some(root) = root(answer.root) {
            row("estimate", root);
        }
        let further = to_go_on(answer.stop, &answer.question);
        row(
            "hint",
            kept.map_or(further, |folder| {
                format!(
                    "continue with --resume {} (--memory may be raised, --time counts from now)",
                    folder.display()
                )
            }),
        );
    }
    text
}

/// A line of play, shortened if it is long.
pub(crate) fn moves(line: &[String]) -> String {
    let more = if line.len() > SHOWN { " …" } else { "" };
    line[..line.len().min(SHOWN)].join(" ") + more
}

/// The size and effort of the certificate.
pub(crate) fn certified(certified: Option<&Certified>) -> String {
    let Some(certified) = certified else { return "proof    none\n".to_owned() };
    let claims: Vec<String> = certified.claims.iter().map(ToString::to_string).collect();
    let each = certified.bytes as f64 / certified.strategy.max(1) as f64;
    format!(
        "proof    {}: {}, {} ({each:.2} bytes each)\n\
         effort   {} to write, {} visited, {} created\n",
        claims.join(", "),
        units::plural(certified.strategy, "strategy position"),
        units::size(certified.bytes),
        units::time(certified.time),
        units::plural(certified.looked_at, "position"),
        units::plural(certified.created, "node")
    )
}

/// The answer on one line, for batches.
pub(crate) fn line(answer: &Answer) -> String {
    let stats = &answer.stats;
    let verdict = match (answer.question.as_str(), answer.value()) {
        ("maxn", Some(_)) => payoffs(answer),
        ("maxn", None) => format!("unknown ({})", answer.stop.name()),
        ("value", Some(value)) => value.to_string(),
        ("value", None) => format!("unknown ({})", answer.stop.name()),
        _ => answer.conclusion.name().to_owned(),
    };
    format!("{}\t{verdict}\t{} nodes\t{}\n", answer.position, stats.created, units::time(stats.time))
}

pub(crate) fn headline(answer: &Answer) -> String {
    let to_move = if answer.player == answer.turn { ", to move," } else { "" };
    let who = format!("the {} player{to_move}", answer.player);
    let (low, high) = answer.bounds;
    match (answer.question.as_str(), answer.conclusion, answer.value()) {
        ("maxn", _, None) => "UNKNOWN: the max^n payoffs".to_owned(),
        ("maxn", ..) => format!(
            "MAX^N: {}, if every player maximises their own payoff and plays the first of equally good moves",
            payoffs(answer)
        ),
        ("value", _, Some(Value::Win)) => format!("WIN: {who} wins"),
        ("value", _, Some(Value::Loss)) => format!("LOSS: {who} loses"),
        ("value", _, Some(Value::Draw)) => format!("DRAW: {who} can force a draw and no more"),
        ("value", _, Some(Value::Score(score))) => format!("SCORE {score}: {who} gets {score}"),
        ("value", Conclusion::Estimated, None) => {
            format!(
                "ESTIMATED, not proved: {who} {} (proved: between {low} and {high})",
                estimated(answer, "a better one")
            )
        }
        (question, Conclusion::Estimated, _) => {
            format!("ESTIMATED, not proved: {who} {}", estimated(answer, &goal(question)))
        }
        ("value", _, None) => format!("UNKNOWN: {who} gets between {low} and {high}"),
        (question, Conclusion::Proved, _) => format!("PROVED: {who} can force {}", goal(question)),
        (question, Conclusion::Disproved, _) => format!("DISPROVED: {who} cannot force {}", goal(question)),
        (question, Conclusion::Unknown, _) => format!("UNKNOWN: whether {who} can force {}", goal(question)),
    }
}

fn estimated(answer: &Answer, goal: &str) -> String {
    let goal = match answer.bounds.1 {
        Value::Win if answer.question == "value" => "a win",
        Value::Draw if answer.question == "value" => "a draw",
        _ => goal,
    };
    let can = if answer.estimate.is_some_and(|estimate| estimate.first.yes) { "can" } else { "cannot" };
    format!("probably {can} force {goal}")
}

/// When the precision rate was reached, and whether the estimate was right.
fn reached(estimate: Estimated) -> String {
    let Estimated { first, right } = estimate;
    let answer = if first.yes { "yes" } else { "no" };
    let fate = match right {
        None => "",
        Some(true) => ": right",
        Some(false) => ": WRONG",
    };
    format!(
        "the precision rate after {}, {}, with estimate {answer}{fate}",
        units::plural(first.created, "node"),
        units::time(first.time)
    )
}

/// The payoff of each player, such as `first 1, second -1, third -1`.
fn payoffs(answer: &Answer) -> String {
    let payoffs = answer.payoffs.iter().flatten().enumerate();
    payoffs.map(|(seat, payoff)| format!("{} {payoff}", Player::new(seat))).collect::<Vec<_>>().join(", ")
}

fn goal(question: &str) -> String {
    match question {
        "win" => "a win".to_owned(),
        "draw" => "at least a draw".to_owned(),
        other => format!("a payoff {other}"),
    }
}

fn effort(answer: &Answer) -> String {
    let stats = &answer.stats;
    let playouts = match stats.playouts {
        0 => String::new(),
        n => format!("{}, ", units::plural(n, "playout")),
    };
    format!(
        "{}, {} created, {} expanded, {playouts}{}",
        units::time(stats.time),
        units::plural(stats.created, "node"),
        units::grouped(stats.expanded),
        units::size(stats.peak_bytes)
    )
}

pub(crate) fn stopped(stop: StopReason) -> &'static str {
    match stop {
        StopReason::Solved => "the search is complete",
        StopReason::Nodes => "the node limit (--nodes) was reached",
        StopReason::Iterations => "the iteration limit was reached",
        StopReason::Time => "the time limit (--time) was reached",
        StopReason::Memory => "the memory limit (--memory) was reached",
        StopReason::Interrupted => "interrupted",
        StopReason::Precision => "the estimate reached the solver's precision= rate",
        StopReason::Checkpoint => "the checkpoint does not match the search",
        StopReason::Restricted => "the answer holds only for the restricted rules",
        StopReason::Cycles => "positions of the game can repeat, and this solver does not handle cycles",
    }
}

/// What to try next. A value takes several yes/no questions, so one of them is less work.
fn to_go_on(stop: StopReason, question: &str) -> String {
    let raise = |limit: &str| {
        let smaller = if question == "value" { ", ask a smaller question (--question win)," } else { "" };
        format!("raise {limit}{smaller} or try another --solver")
    };
    match stop {
        StopReason::Nodes => raise("--nodes"),
        StopReason::Time => raise("--time"),
        StopReason::Memory => raise("--memory"),
        StopReason::Precision => {
            "for a proof use precision=0, or stop=off to see whether the estimate was right".to_owned()
        }
        StopReason::Restricted => "remove the restriction from the game's parameters".to_owned(),
        StopReason::Cycles => {
            "use --solver retro or a solver that searches a tree, or limit the plies of the game".to_owned()
        }
        StopReason::Interrupted | StopReason::Solved | StopReason::Iterations | StopReason::Checkpoint => {
            "start again, or use --checkpoint to be able to resume".to_owned()
        }
    }
}

fn root(value: RootValue) -> Option<String> {
    match value {
        RootValue::None => None,
        RootValue::Probability(p) => Some(format!("{p:.6} that the answer is yes (heuristic, not a proof)")),
        RootValue::ProofNumbers(pn, dn) => Some(format!("proof number {pn:.6}, disproof number {dn:.6}")),
        RootValue::Work { prove, disprove } => {
            Some(format!("expected work {prove:.0} to prove, {disprove:.0} to disprove"))
        }
    }
}
