//! Clusters of real processes: a NATS server, managers and workers that are killed, stopped, wrong or lying.
//!
//! `DELPHIC_NATS_SERVER` is the path of a server (`scripts/test-cluster.sh` installs one). Without it the tests that need one are skipped.

mod network;

use crate::common::{PROGRAM, delphic, folder as scratch};
use delphic::rules::Rng;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// A server that ends with the test.
struct Server {
    process: Child,
    port: u16,
    folder: PathBuf,
    more: Vec<String>,
}

impl Server {
    /// `None` if there is no server to start.
    fn start(folder: &Path, more: &[&str]) -> Option<Server> {
        let Some(program) = std::env::var_os("DELPHIC_NATS_SERVER") else {
            eprintln!("skipped: DELPHIC_NATS_SERVER does not name a server");
            return None;
        };
        let port = TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port();
        let more: Vec<String> = more.iter().map(|&text| text.to_owned()).collect();
        let process = Self::spawn(Path::new(&program), port, folder, &more);
        Some(Server { process, port, folder: folder.to_owned(), more })
    }

    fn spawn(program: &Path, port: u16, folder: &Path, more: &[String]) -> Child {
        let store = folder.join("jetstream");
        let process = Command::new(program)
            .args(["--jetstream", "--addr", "127.0.0.1", "--port", &port.to_string(), "--store_dir"])
            .arg(&store)
            .args(more)
            .stderr(Stdio::null())
            .spawn()
            .expect("the server starts");
        let until = Instant::now() + Duration::from_secs(20);
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(Instant::now() < until, "the server does not answer");
            std::thread::sleep(Duration::from_millis(20));
        }
        process
    }

    fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Kills the server and starts it again, with the same port and the same disk.
    fn restart(&mut self) {
        end(&mut self.process);
        let program = std::env::var_os("DELPHIC_NATS_SERVER").unwrap();
        self.process = Self::spawn(Path::new(&program), self.port, &self.folder, &self.more);
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        end(&mut self.process);
    }
}

/// Kills a process.
fn end(process: &mut Child) {
    let _ = process.kill();
    let _ = process.wait();
}

/// Processes that end with the test.
#[derive(Default)]
struct Workers(Vec<Child>);

impl Workers {
    fn start(&mut self, url: &str, name: &str) {
        self.0.push(worker(url, name, Path::new(".")).spawn().expect("a worker"));
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.0.iter_mut().for_each(end);
    }
}

fn worker(url: &str, name: &str, folder: &Path) -> Command {
    let mut command = Command::new(PROGRAM);
    let args = ["cluster", "work", "--quiet", "--memory", "64M", "--broker", url, "--name", name];
    command.args(args).current_dir(folder).stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

fn manager(url: &str, game: &str, folder: &Path, more: &[&str]) -> Command {
    let mut command = Command::new(PROGRAM);
    let path = |name: &str| folder.join(name).display().to_string();
    command
        .args(["cluster", "manage", game, "--json", "--broker", url])
        .args(["--ledger", &path("ledger"), "--proof", &path("bundle"), "--part-size", "2000"])
        .args(more)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn report(output: &Output) -> Value {
    let text = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(&text)
        .unwrap_or_else(|_| panic!("{text}{}", String::from_utf8_lossy(&output.stderr)))
}

/// Whether the exit code and the bundle are those of one machine.
fn agrees(game: &str, folder: &Path, output: &Output) -> Value {
    let value = report(output);
    assert_eq!(output.status.code(), delphic(&["solve", game, "--quiet"]).status.code(), "{game}: {value}");
    let checked = delphic(&["check", &folder.join("bundle").display().to_string(), "-j", "2"]);
    assert_eq!(checked.status.code(), Some(0), "{game}: {}", String::from_utf8_lossy(&checked.stdout));
    value
}

#[test]
fn ten_problems_have_the_answers_of_one_machine_and_proofs() {
    let folder = scratch("cluster-agree");
    let Some(server) = Server::start(&folder, &[]) else { return };
    let mut workers = Workers::default();
    workers.start(&server.url(), "one");
    workers.start(&server.url(), "two");
    for (nth, (game, size)) in [
        ("tictactoe", "300"),
        ("connect4:5x4", "5000"),
        ("clobber:4x4", "500"),
        ("hex:4", "1000"),
        ("nim:3,5,7", "100"),
        ("connect4:4x4", "1000"),
        ("domineering:4x4,misere", "300"),
        ("mnk3:3,3,3", "300"),
        ("breakthrough:4x4", "1000"),
        ("reversi:4", "3000"),
    ]
    .into_iter()
    .enumerate()
    {
        let folder = folder.join(nth.to_string());
        std::fs::create_dir_all(&folder).unwrap();
        let output = manager(&server.url(), game, &folder, &["--size", size]).output().unwrap();
        let value = agrees(game, &folder, &output);
        println!("{game}: {} results, {} parts", value["jobs"]["results"], value["bundle"]["parts"]);
    }
    // One that was known without the server would prove nothing.
    let states =
        delphic(&["cluster", "status", "--ledger", &folder.join("1/ledger").display().to_string(), "--json"]);
    let state: Value = serde_json::from_slice(&states.stdout).unwrap();
    assert!(state["jobs"]["results"].as_u64().unwrap() > 10, "{state}");
    assert_eq!(state["workers"].as_array().unwrap().len(), 2, "{state}");
}

/// The rows of a ledger.
fn rows(ledger: &Path) -> usize {
    let mut rows = 0;
    if let Ok(ledger) = delphic_cluster::Ledger::read(ledger) {
        ledger.rows(&mut |_| rows += 1).unwrap();
    }
    rows
}

/// Thirty times a worker, the manager or the server is killed and started again. No row is lost, and the answers are right.
#[test]
fn thirty_kills_lose_nothing() {
    let base = scratch("cluster-kills");
    let Some(mut server) = Server::start(&base, &[]) else { return };
    let url = server.url();
    let mut workers = Workers::default();
    for name in ["one", "two", "three"] {
        workers.start(&url, name);
    }
    let (mut rng, mut kills, mut problems) = (Rng::new(30), 0, 0);
    while kills < 30 {
        let game = ["connect4:5x4", "breakthrough:5x3", "nogo:3x5"][problems % 3];
        let folder = base.join(problems.to_string());
        std::fs::create_dir_all(&folder).unwrap();
        let start = || {
            let more = ["--size", "2000", "--patience", "3s", "--check-share", "0.05"];
            manager(&url, game, &folder, &more).spawn().expect("a manager")
        };
        let (mut process, mut known) = (start(), 0);
        let until = Instant::now() + Duration::from_secs(120);
        let output = loop {
            std::thread::sleep(Duration::from_millis(150 + rng.below(300) as u64));
            assert!(Instant::now() < until, "{game} takes too long: {} rows", rows(&folder.join("ledger")));
            if process.try_wait().unwrap().is_some() {
                break process.wait_with_output().unwrap();
            }
            let now = rows(&folder.join("ledger"));
            assert!(now >= known, "{game}: {now} rows, there were {known}");
            known = now;
            if kills == 30 {
                continue;
            }
            match kills % 3 {
                0 => {
                    let nth = rng.below(workers.0.len());
                    end(&mut workers.0[nth]);
                    workers.0[nth] = worker(&url, &format!("w{kills}"), Path::new(".")).spawn().unwrap();
                }
                1 => {
                    end(&mut process);
                    process = start();
                }
                _ => server.restart(),
            }
            kills += 1;
        };
        let value = agrees(game, &folder, &output);
        println!("{game}: {kills} kills so far, {} results", value["jobs"]["results"]);
        problems += 1;
    }
}

/// Speaks the protocol of the server: receives every job and answers before any worker can, falsely.
fn lie(port: u16, stop: &AtomicBool) {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    stream.set_read_timeout(Some(Duration::from_millis(100))).unwrap();
    stream.write_all(b"CONNECT {\"verbose\":false}\r\nSUB delphic.job.> 1\r\n").unwrap();
    let mut lines = BufReader::new(stream.try_clone().unwrap());
    let mut line = Vec::new();
    while !stop.load(Relaxed) {
        match lines.read_until(b'\n', &mut line) {
            Ok(0) => return,
            // A line that is not complete goes on after the pause.
            Err(_) => continue,
            Ok(_) => {}
        }
        let text = String::from_utf8_lossy(&line).trim().to_owned();
        line.clear();
        if text == "PING" {
            stream.write_all(b"PONG\r\n").unwrap();
        }
        let words: Vec<&str> = text.split(' ').collect();
        if words[0] != "MSG" {
            continue;
        }
        let mut payload = vec![0; words[words.len() - 1].parse::<usize>().unwrap() + 2];
        stream.set_read_timeout(None).unwrap();
        lines.read_exact(&mut payload).unwrap();
        stream.set_read_timeout(Some(Duration::from_millis(100))).unwrap();
        let job: Value = serde_json::from_slice(&payload[..payload.len() - 2]).unwrap();
        let run = job["run"].as_str().unwrap().to_owned();
        let lie = json!({
            "job": job, "worker": "liar", "finding": { "solved": true }, "nodes": 1, "seconds": 0.001,
        });
        for text in [lie.to_string(), "nonsense".to_owned(), "{}".to_owned()] {
            let message = format!("PUB delphic.result.{run}.outcome {}\r\n{text}\r\n", text.len());
            stream.write_all(message.as_bytes()).unwrap();
        }
    }
}

/// Raised at the end, even of a test that fails.
struct Raised<'a>(&'a AtomicBool);

impl Drop for Raised<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

#[test]
fn lies_and_nonsense_are_found_out() {
    let folder = scratch("cluster-lies");
    let Some(server) = Server::start(&folder, &[]) else { return };
    let mut workers = Workers::default();
    workers.start(&server.url(), "honest");
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let (port, stop) = (server.port, &stop);
        let _raised = Raised(stop);
        scope.spawn(move || lie(port, stop));
        // One is won and one is lost by the first player.
        for (nth, game) in ["clobber:4x4", "breakthrough:5x3"].into_iter().enumerate() {
            let folder = folder.join(nth.to_string());
            std::fs::create_dir_all(&folder).unwrap();
            let output =
                manager(&server.url(), game, &folder, &["--size", "1000", "--patience", "3s"]).output();
            let value = agrees(game, &folder, &output.unwrap());
            println!("{game}: {} messages ignored", value["jobs"]["ignored"]);
            assert!(value["jobs"]["ignored"].as_u64().unwrap() > 0, "{value}");
            // It lies about every copy of a job; without a pause each lie would call for another copy.
            assert!(value["jobs"]["reissued"].as_u64().unwrap() < 5_000, "{value}");
            let liar = value["workers"].as_array().unwrap().iter().find(|worker| worker["name"] == "liar");
            let distrusted = liar.expect("it was heard of")["distrusted"] == true;
            // Where the answer is yes, no lie need be in the way of its proof.
            assert!(distrusted || nth == 0, "{value}");
        }
    });
}

#[test]
fn workers_with_other_rules_are_refused() {
    let folder = scratch("cluster-rules");
    let Some(server) = Server::start(&folder, &[]) else { return };
    let file = |cells: &str, name: &str| {
        let place = folder.join(name);
        std::fs::create_dir_all(&place).unwrap();
        std::fs::write(place.join("game.toml"), GAME.replace("SIZE", cells)).unwrap();
        place
    };
    let (right, wrong) = (file("4, 4", "right"), file("4, 5", "wrong"));
    let refused = worker(&server.url(), "wrong", &wrong).spawn().unwrap();
    let mut process = manager(&server.url(), "game.toml", &right, &["--size", "50", "--patience", "2s"]);
    let process = process.current_dir(&right).spawn().unwrap();
    let refused = refused.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(!refused.status.success() && text.contains("are others"), "{text}");
    let mut good = Workers::default();
    good.0.push(worker(&server.url(), "right", &right).spawn().unwrap());
    let value = report(&process.wait_with_output().unwrap());
    let wrong = value["workers"].as_array().unwrap().iter().find(|worker| worker["name"] == "wrong");
    let trouble = wrong.expect("it was heard of")["trouble"].to_string();
    assert!(trouble.contains("are others"), "{value}");
    assert!(value["verdict"] != "unknown", "{value}");
}

const GAME: &str = r#"
[board]
grid = [SIZE]

[[piece]]
symbol = "X"
owner = "both"

[[move]]
do = "pair"
by = "first"
directions = ["n", "s"]

[[move]]
do = "pair"
by = "second"
directions = ["e", "w"]
"#;

/// A worker that stops in the middle of a job: another one gets it.
#[test]
fn slow_workers_are_not_waited_for() {
    let folder = scratch("cluster-slow");
    let Some(server) = Server::start(&folder, &[]) else { return };
    let mut workers = Workers::default();
    workers.start(&server.url(), "slow");
    // One job that takes minutes.
    let mut process =
        manager(&server.url(), "nogo:4x4", &folder, &["--size", "1G", "--patience", "4s"]).spawn().unwrap();
    let ledger = folder.join("ledger").display().to_string();
    let until = Instant::now() + Duration::from_secs(60);
    let wait_for = |name: &str| loop {
        let output = delphic(&["cluster", "status", "--ledger", &ledger, "--json"]);
        let state: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
        let workers = state["workers"].as_array().cloned().unwrap_or_default();
        let at_work = workers.iter().find(|worker| worker["name"] == name && worker["job"].is_string());
        if let Some(worker) = at_work {
            return (worker["job"].clone(), state["jobs"]["reissued"].as_u64().unwrap());
        }
        assert!(Instant::now() < until, "{name} gets no job: {state}");
        std::thread::sleep(Duration::from_millis(100));
    };
    let (job, _) = wait_for("slow");
    crate::common::signal(&workers.0[0], "STOP");
    workers.start(&server.url(), "quick");
    let (same, reissued) = wait_for("quick");
    assert_eq!(job, same);
    assert!(reissued > 0);
    end(&mut process);
}

#[test]
fn two_managers_and_wrong_tokens_are_refused() {
    let folder = scratch("cluster-refused");
    let Some(server) = Server::start(&folder, &["--auth", "sesame"]) else { return };
    let (right, wrong) = (folder.join("right"), folder.join("wrong"));
    std::fs::write(&right, "sesame\n").unwrap();
    std::fs::write(&wrong, "open\n").unwrap();
    let status = |token: &Path| {
        let token = token.display().to_string();
        delphic(&["cluster", "status", "--broker", &server.url(), "--token", &token, "--json"])
    };
    let refused = status(&wrong);
    assert!(!refused.status.success(), "{refused:?}");
    let token = right.display().to_string();
    let first = manager(&server.url(), "domineering:6x6", &folder, &["--token", &token]).spawn().unwrap();
    let until = Instant::now() + Duration::from_secs(30);
    let state = loop {
        let output = status(&right);
        assert!(output.status.success(), "{output:?}");
        if let Ok(state) = serde_json::from_slice::<Value>(&output.stdout) {
            break state;
        }
        assert!(Instant::now() < until, "the manager does not answer");
    };
    assert_eq!(state["game"], "domineering:6x6");
    let second = manager(&server.url(), "domineering:6x6", &folder, &["--token", &token]).output().unwrap();
    let text = String::from_utf8_lossy(&second.stderr).into_owned();
    assert!(second.status.code() == Some(2) && text.contains("another manager is at work on it"), "{text}");
    end(&mut { first });
}

/// Without a service: a manager and workers that share a folder, in rounds as a batch system runs them.
#[test]
fn job_files_need_no_service() {
    let folder = scratch("cluster-files");
    let path = |name: &str| folder.join(name).display().to_string();
    let mut rounds = 0;
    let output = loop {
        let manage =
            ["cluster", "manage", "breakthrough:5x3", "--json", "--once", "--size", "5000", "--out", "9"];
        let where_to = ["--jobs", &path("jobs"), "--ledger", &path("ledger"), "--proof", &path("bundle")];
        let output = delphic(&[&manage[..], &where_to[..]].concat());
        if output.status.code() != Some(40) {
            break output;
        }
        for shard in ["0/2", "1/2"] {
            let jobs = path("jobs");
            let done = delphic(&[
                "cluster",
                "work",
                "--quiet",
                "--once",
                "--jobs",
                &jobs,
                "--shard",
                shard,
                "--name",
                &format!("w{}", &shard[..1]),
                "--workers",
                "2",
            ]);
            assert_eq!(done.status.code(), Some(0), "{done:?}");
        }
        rounds += 1;
        assert!(rounds < 200, "{output:?}");
    };
    agrees("breakthrough:5x3", &folder, &output);
    assert!(rounds > 3, "{rounds} rounds");
}
