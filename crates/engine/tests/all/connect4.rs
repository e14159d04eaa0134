//! Connect Four positions with values found by independent programs (data/oracles/connect4): `auto` finds them, and with the
//! limits of paper 1 scaled down no solver says anything wrong.

use delphic_engine::{Ask, Conclusion, Limits, Request, game};
use std::path::PathBuf;

/// Move lists and values of those positions of a set that end within a number of plies of best play.
fn positions(set: &str, within: u32) -> Vec<(String, String)> {
    let file =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("../../data/oracles/connect4/{set}.tsv"));
    let text = std::fs::read_to_string(&file).unwrap();
    let line = |line: &str| {
        let fields: Vec<&str> = line.split('\t').collect();
        let soon = fields[3].parse::<u32>().unwrap() <= within;
        soon.then(|| (fields[0].to_owned(), fields[1].to_owned()))
    };
    text.lines().skip(1).filter_map(line).collect()
}

fn request(solver: &str, ask: Ask, nodes: Option<u64>) -> Request<'static> {
    let limits = Limits { nodes, threads: 1, ..Limits::default() };
    Request { solver: solver.parse().unwrap(), ask, limits, ..Request::default() }
}

#[test]
fn auto_finds_every_value() {
    let rules = game("connect4").unwrap();
    // Long games after eight plies take seconds each.
    for (set, within) in [("ply20", 42), ("ply12", 24), ("ply8", 9)] {
        for (moves, value) in positions(set, within) {
            let position = rules.position(None, Some(&moves)).unwrap();
            let answer = position.solve(&request("auto", Ask::Value, None), &mut ());
            assert_eq!(answer.value().unwrap().to_string(), value, "{moves}");
        }
    }
}

/// Paper 1, figure 3, with 20,000 nodes instead of 35 million: how many positions are decided, and none wrongly.
#[test]
fn paper_1_scaled_down() {
    let rules = game("connect4").unwrap();
    let positions: Vec<_> = positions("ply12", 42).into_iter().take(20).collect();
    let decided = |solver: &str, nodes: u64| {
        let mut decided = 0;
        for (moves, value) in &positions {
            let position = rules.position(None, Some(moves)).unwrap();
            let answer = position.solve(&request(solver, Ask::Win, Some(nodes)), &mut ());
            let expected = if value == "win" { Conclusion::Proved } else { Conclusion::Disproved };
            match answer.conclusion {
                Conclusion::Unknown => {}
                conclusion => {
                    assert_eq!(conclusion, expected, "{solver} {moves}");
                    decided += 1;
                }
            }
        }
        println!("{solver}: {decided} of {} with {nodes} nodes", positions.len());
        decided
    };
    let [tree, graph] = ["ppn:playouts=60,theta=0.01", "ppnt"].map(|solver| decided(solver, 20_000));
    for solver in ["pns", "mcpns", "pnt", "dfppn", "ews", "uct", "alphabeta"] {
        decided(solver, 20_000);
    }
    // Depth-first proof numbers decide what the best-first ones leave open.
    let deep = decided("dfpn", 1_000_000);
    assert!(tree >= 5 && graph >= tree && deep > graph, "{tree} {graph} {deep}");
}
