//! The speed of the Monte-Carlo agents from the start positions of paper 5's games, on one core.

use crate::args::Bench;
use crate::tables::table;
use crate::{Failure, output, units};
use delphic_engine::{Agent, Budget, Limits, Player, game};
use std::time::Duration;

/// The games of paper 5, and the iterations of Score Bounded MCTS in Ludii 1.3.14 per second of CPU time on a
/// similar machine.
const GAMES: [(&str, f64); 11] = [
    ("ataxx", 235.0),
    ("awari", 544.0),
    ("knightthrough", 1065.0),
    ("loa:7", 288.0),
    ("loa:8", 205.0),
    ("los-alamos", 226.0),
    ("minishogi", 64.0),
    ("reach-chess", 274.0),
    ("reversi", 989.0),
    ("skirmish", 556.0),
    ("surakarta", 421.0),
];

const AGENTS: [&str; 4] = ["uct", "sb-mcts", "gpn-mcts", "sb-mcts:compat=ludii"];

pub(super) fn run(options: &Bench) -> Result<(), Failure> {
    let span = Duration::from_millis(if options.quick { 20 } else { 500 });
    let head = ["game", "uct", "sb-mcts", "gpn-mcts", "as Ludii", "Ludii", "sb-mcts / Ludii", "gpn over sb"];
    let mut list = table(head);
    let mut costs = Vec::new();
    for (name, ludii) in GAMES {
        let game = game(name)?;
        let start = game.position(None, None)?;
        let mut rates = [0f64; AGENTS.len()];
        // Rounds of all agents alternate, so that a slow moment of the machine affects all of them.
        for round in 0..options.rounds {
            for (rate, spec) in rates.iter_mut().zip(AGENTS) {
                let agent: Agent = spec.parse().map_err(|error| Failure::Other(format!("{error}")))?;
                let limits = Limits { time: Some(span), memory: Some(1 << 30), ..Limits::default() };
                let budget = Budget { iterations: None, limits };
                let mut player = start.player(&agent, Player::FIRST, round.into());
                let stats = player.think(&budget, &mut ()).stats;
                *rate = rate.max(stats.iterations as f64 / stats.time.as_secs_f64());
            }
        }
        let cost = rates[1] / rates[2] - 1.0;
        costs.push(cost);
        let mut row = vec![game.spec().to_owned()];
        row.extend(rates.iter().map(|&rate| units::grouped(rate as u64)));
        row.extend([
            units::grouped(ludii as u64),
            format!("{:.0}", rates[1] / ludii),
            format!("{:+.1} %", 100.0 * cost),
        ]);
        list.add_row(row);
    }
    let mean = 100.0 * costs.iter().sum::<f64>() / costs.len() as f64;
    output(&format!(
        "{list}\n\niterations per second; gpn-mcts costs {mean:+.1} % more per iteration than sb-mcts on average\n"
    ))
}
