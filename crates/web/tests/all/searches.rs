//! Searches by the interface: the same objects as `--json`, streams, proofs, stopping and resuming.

use crate::common::Running;
use delphic_engine::{Limits, Request, game, json as objects};
use delphic_web::Settings;
use serde_json::{Value as Json, json};

#[test]
fn positions_and_answers_are_the_objects_of_the_command_line() {
    let server = Running::start(Settings { revision: "test", ..Settings::default() });
    let shown = server.post("/position", &json!({ "game": "connect4:5x4", "moves": "3 3" })).json();
    let connect4 = game("connect4:5x4").unwrap();
    let position = connect4.position(None, Some("3 3")).unwrap();
    for (field, value) in objects::position(&*connect4, &*position).as_object().unwrap() {
        assert_eq!(&shown[field], value, "{field}");
    }
    let mut stream = server.post(
        "/solve",
        &json!({ "game": "connect4:5x4", "moves": "3 3", "solver": "dfpn", "nodes": 2_000_000 }),
    );
    let mut answer = stream.until("answer");
    let limits = Limits {
        nodes: Some(2_000_000),
        memory: Some(Settings::default().memory / Settings::default().searches as u64),
        ..Limits::default()
    };
    let request = Request { solver: "dfpn".parse().unwrap(), limits, ..Request::default() };
    let mut expected = objects::answer(&position.solve_with_line(&request, &mut ()), "test");
    for object in [&mut answer, &mut expected] {
        object["stats"]["seconds"] = Json::Null;
    }
    assert_eq!(answer, expected);
    assert_eq!(answer["value"], "draw");
    for path in ["/games", "/solvers", "/agents"] {
        assert_eq!(server.get(path).json()["schema"], 1, "{path}");
    }
    assert_eq!(
        server.post("/game", &json!({ "game": "hex:4" })).json(),
        objects::game(&*game("hex:4").unwrap()).unwrap()
    );
}

#[test]
fn values_arrive_move_by_move_and_agree_with_the_analysis() {
    let server = Running::start(Settings::default());
    let events = server.post("/analyze", &json!({ "game": "tictactoe", "moves": "a1 b1" })).events();
    let analysis = &events.iter().rev().find(|(name, _)| name == "analysis").expect("an analysis").1;
    assert_eq!((&analysis["value"], &analysis["complete"]), (&json!("win"), &json!(true)));
    let told: Vec<&Json> = events.iter().filter(|(name, _)| name == "move").map(|(_, data)| data).collect();
    for found in analysis["moves"].as_array().unwrap() {
        let last =
            told.iter().rev().find(|data| data["move"] == found["move"]).expect("every move was announced");
        assert_eq!((&last["at_least"], &last["at_most"]), (&found["at_least"], &found["at_most"]));
    }
    assert_eq!(events.last().unwrap().0, "end");
}

#[test]
fn a_hard_position_stays_open_and_says_so() {
    let server = Running::start(Settings::default());
    let events = server.post("/analyze", &json!({ "game": "hex:11", "seconds": 0.5 })).events();
    let analysis = &events.iter().rev().find(|(name, _)| name == "analysis").expect("an analysis").1;
    assert_eq!((&analysis["verdict"], &analysis["complete"]), (&json!("unknown"), &json!(false)));
    let open =
        analysis["moves"].as_array().unwrap().iter().filter(|mv| mv["at_least"] != mv["at_most"]).count();
    assert!(open > 100, "{open} moves are open");
}

/// Walks through the whole strategy, each position once per path, and returns how many nodes were visited.
fn walk(server: &Running, proof: &str, from: &Json, moves: &str) -> u64 {
    let node = server.post(&format!("/proofs/{proof}/node"), &json!({ "moves": moves }));
    let status = node.status;
    let node = node.json();
    assert_eq!(status, 200, "{moves}: {node}");
    let branches = node["branches"].as_array().unwrap();
    assert!(!branches.is_empty());
    if node["chosen"] == true {
        assert_eq!(branches.len(), 1, "the strategy has one move");
    } else {
        let shown = server
            .post("/position", &json!({ "game": "tictactoe", "position": from, "moves": moves }))
            .json();
        assert_eq!(branches.len(), shown["moves"].as_array().unwrap().len(), "every reply is answered");
    }
    let size: u64 = 1 + branches.iter().map(|branch| branch["size"].as_u64().unwrap()).sum::<u64>();
    assert_eq!(node["size"].as_u64().unwrap(), size, "branches add up");
    let below = branches.iter().filter(|branch| branch["end"] == false && branch["again"] == false);
    1 + below
        .map(|branch| {
            walk(server, proof, from, format!("{moves} {}", branch["move"].as_str().unwrap()).trim())
        })
        .sum::<u64>()
}

#[test]
fn a_proof_can_be_walked_through_to_every_end_and_checked() {
    let server = Running::start(Settings::default());
    let mut stream = server.post("/prove", &json!({ "game": "tictactoe", "moves": "a1 b1" }));
    let proved = stream.until("proved");
    let proof = proved["proof"]["proof"].as_str().unwrap().to_owned();
    assert_eq!(proved["answer"]["certificate"]["looked_at"], proved["proof"]["looked_at"]);
    assert_eq!(proved["proof"]["claims"][0]["in_words"], "the first player can force a win");
    assert!(walk(&server, &proof, &proved["proof"]["position"], "") > 10);
    let outline = server.post(&format!("/proofs/{proof}/outline"), &json!({})).json();
    let slices = outline["slices"].as_array().unwrap();
    let whole: u64 = slices
        .iter()
        .filter(|slice| slice["parent"].is_null())
        .map(|slice| slice["size"].as_u64().unwrap())
        .sum();
    assert_eq!(whole + 1, proved["proof"]["looked_at"].as_u64().unwrap());
    let checked = server.post(&format!("/proofs/{proof}/check"), &json!({})).until("checked");
    assert_eq!(checked["valid"], true, "{checked}");
    // The file is a certificate, and opens again; a damaged one does not.
    let file = server.get(&format!("/proofs/{proof}/file"));
    assert!(file.head.contains("attachment"));
    assert_eq!(server.get("/proofs").json()["proofs"].as_array().unwrap().len(), 1);
    let events = server.send("POST", "/api/v1/proofs", "delphic certificate 1\ngame tictactoe\n").events();
    let (name, data) = &events[0];
    assert!(name == "error" && data["error"].as_str().unwrap().starts_with("not valid"), "{data}");
    let elsewhere = server.post(&format!("/proofs/{proof}/node"), &json!({ "moves": "b1" }));
    assert_eq!(elsewhere.status, 400, "b1 is taken");
}

#[test]
fn a_search_is_stopped_saved_looked_into_and_resumed() {
    let server = Running::start(Settings::default());
    for solver in ["pns", "ppt", "dfpn"] {
        let mut stream = server.post(
            "/solve",
            &json!({ "game": "connect4", "question": "win", "solver": solver, "keep": true }),
        );
        let run = stream.until("started")["run"].as_str().unwrap().to_owned();
        stream.until("progress");
        let moves = stream.until("root_moves");
        assert_eq!(moves.as_array().unwrap().len(), 7, "{solver}");
        assert_eq!(server.post(&format!("/runs/{run}/stop"), &json!({})).status, 200);
        let answer = stream.until("answer");
        assert_eq!((&answer["verdict"], &answer["stop"]), (&json!("unknown"), &json!("interrupted")));
        assert_eq!(stream.until("saved")["run"], run.as_str());

        let survey = server.post(&format!("/runs/{run}/open"), &json!({})).until("survey");
        let name = survey["survey"].clone();
        assert_eq!((&survey["solver"], &survey["has_nodes"]), (&answer["solver"], &json!(true)));
        assert_eq!(survey["stats"]["created"], answer["stats"]["created"]);
        let node = server.post("/surveys/node", &json!({ "survey": name })).json();
        let moves = node["moves"].as_array().unwrap();
        assert!(node["verdict"] == "open" && moves.len() == 7, "{solver}: {node}");
        let effort: u64 = moves.iter().map(|mv| mv["nodes"].as_u64().unwrap()).sum();
        assert!(
            effort > 0 && effort <= 2 * answer["stats"]["created"].as_u64().unwrap() + 7,
            "{solver}: {node}"
        );

        let outline = server.post("/surveys/outline", &json!({ "survey": name })).json();
        let slices = outline["slices"].as_array().unwrap();
        let whole: f64 = slices
            .iter()
            .filter(|slice| slice["parent"].is_null())
            .map(|slice| slice["share"].as_f64().unwrap())
            .sum();
        assert!((0.9..1.000_001).contains(&whole), "{solver}: {whole} of the effort is in the root's moves");
        for slice in slices {
            let Some(parent) = slice["parent"].as_u64().map(|parent| &slices[parent as usize]) else {
                continue;
            };
            let end = |slice: &Json| slice["start"].as_f64().unwrap() + slice["share"].as_f64().unwrap();
            assert!(
                end(slice) <= end(parent) + 1e-9 && slice["start"].as_f64() >= parent["start"].as_f64(),
                "{slice} in {parent}"
            );
        }

        let created = answer["stats"]["created"].as_u64().unwrap();
        let mut resumed = server.post("/solve", &json!({ "resume": run, "nodes": created + 1000 }));
        let further = resumed.until("answer");
        assert!(
            further["stats"]["created"].as_u64().unwrap() > created,
            "{solver} goes on from where it was"
        );
        assert_eq!(further["stop"], "nodes");
    }
    assert_eq!(server.get("/runs").json()["saved"].as_array().unwrap().len(), 3);
}

#[test]
fn agents_play_and_puzzles_have_one_solution() {
    let server = Running::start(Settings::default());
    for agent in ["random", "sb-mcts", "alphabeta"] {
        let body = json!({ "game": "tictactoe", "moves": "a1 b1 a2 b2", "agent": agent, "iterations": 500 });
        let choice = server.post("/play", &body).until("choice");
        if agent != "random" {
            assert_eq!(choice["move"], "a3", "{agent} takes the win");
        }
    }
    let mut stream = server.post("/puzzle", &json!({ "game": "tictactoe", "depth": 3, "seed": 5 }));
    let puzzle = stream.until("puzzle");
    let body = json!({ "game": "tictactoe", "position": puzzle["position"] });
    let events = server.post("/analyze", &body).events();
    let analysis = &events.iter().rev().find(|(name, _)| name == "analysis").unwrap().1;
    assert_eq!(analysis["best"], json!([puzzle["solution"]]));
}
