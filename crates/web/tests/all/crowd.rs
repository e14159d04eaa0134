//! A hundred clients at once: every request is answered or refused clearly, the memory stays within its limit, and nothing is left running.

use crate::common::Running;
use delphic_web::Settings;
use serde_json::json;
use std::time::{Duration, Instant};

const CLIENTS: usize = 100;
const MEMORY: u64 = 64 << 20;

/// The memory of this process, in bytes, where the system says it.
fn resident() -> Option<u64> {
    let pages: u64 = std::fs::read_to_string("/proc/self/statm").ok()?.split(' ').nth(1)?.parse().ok()?;
    Some(pages * 4096)
}

#[test]
fn a_hundred_clients_at_once() {
    let settings = Settings { searches: 2, queue: 60, memory: MEMORY, ..Settings::default() };
    let server = Running::start(settings);
    let before = resident();
    // Held open by all clients until every one of them has its first word.
    let streams: Vec<crate::common::Reply> = std::thread::scope(|scope| {
        let ask = |client: usize| {
            // None of them ends when its memory is full, which would make room for another client.
            let (path, solver) = [("/solve", "dfpp"), ("/analyze", "auto"), ("/solve", "dfpn")][client % 3];
            server.post(
                path,
                &json!({ "game": "connect4", "solver": solver, "question": "win", "seed": client }),
            )
        };
        let clients: Vec<_> = (0..CLIENTS).map(|client| scope.spawn(move || ask(client))).collect();
        clients.into_iter().map(|client| client.join().expect("an answer")).collect()
    });
    let (accepted, refused): (Vec<_>, Vec<_>) = streams.into_iter().partition(|reply| reply.status == 200);
    assert!(refused.iter().all(|reply| reply.status == 503), "a refusal says that the server is busy");
    assert!((60..=62).contains(&accepted.len()), "{} accepted: two run, sixty wait", accepted.len());
    for reply in refused {
        assert!(
            reply.head.contains("retry-after") && reply.json()["error"].as_str().unwrap().contains("waiting")
        );
    }
    let load = server.get("/about").json()["load"].clone();
    assert_eq!((&load["running"], &load["waiting"]), (&json!(2), &json!(accepted.len() - 2)));

    // Small requests are answered all the while.
    std::thread::scope(|scope| {
        for _ in 0..CLIENTS {
            scope.spawn(|| assert_eq!(server.post("/position", &json!({ "game": "hex:5" })).status, 200));
        }
    });
    // Let the two searches that run fill what they may.
    std::thread::sleep(Duration::from_millis(1500));
    if let (Some(before), Some(now)) = (before, resident()) {
        let grown = now.saturating_sub(before);
        println!("{CLIENTS} clients: {} accepted, memory grew by {} MiB", accepted.len(), grown >> 20);
        assert!(grown < MEMORY + (64 << 20), "{} MiB", grown >> 20);
    }

    // All leave; what runs stops, and what waits never begins.
    drop(accepted);
    let started = Instant::now();
    loop {
        let load = server.get("/about").json()["load"].clone();
        if load["running"] == 0 && load["waiting"] == 0 {
            println!("nothing runs {} ms after the last client left", started.elapsed().as_millis());
            break;
        }
        assert!(started.elapsed() < Duration::from_secs(60), "still at work: {load}");
        std::thread::sleep(Duration::from_millis(20));
    }
    // And the server is as good as new.
    assert_eq!(server.post("/solve", &json!({ "game": "tictactoe" })).until("answer")["value"], "draw");
}
