//! The manager with a cluster in one thread: agreement with one machine, proofs, restarts, faults.

mod common;
mod mutants;

use common::{Faults, NEVER, PROBLEMS, alone, folder, options, run, settings};
use delphic_cluster::{Ended, Finding, Job, Ledger, Outcome, Performed, Row, Settings, Task, Worker};
use delphic_engine::{Bundle, check_bundle};
use delphic_game::{Force, Game, Notation, Player};
use delphic_search::jobs::Found;

#[test]
fn jobs_find_what_one_machine_finds_and_prove_it() {
    let folder = folder("agree");
    for (nth, spec) in PROBLEMS.iter().enumerate() {
        let ledger = folder.join(nth.to_string());
        let report = run(spec, &settings(300), &options(&ledger, None, true), Faults::default(), 1).unwrap();
        let (conclusion, value) = alone(spec);
        assert_eq!(report.ended, Ended::Solved, "{spec}");
        assert_eq!((report.conclusion, report.bounds.0.to_string()), (conclusion, value.clone()), "{spec}");
        assert_eq!(report.bounds.1.to_string(), value, "{spec}");
        let (checked, _) = report.bundle.expect("a bundle");
        assert_eq!(checked.claims, report.claims, "{spec}");
        let again = check_bundle(&ledger.with_extension("bundle"), 2, 1 << 26, &|_, _| {}).unwrap();
        assert_eq!(again, checked, "{spec}");
        println!("{spec}: {} results, {} parts", report.status.results, checked.parts);
    }
}

/// A run that is stopped after every few results and goes on with what the ledger has.
#[test]
fn a_run_goes_on_where_the_last_manager_ended() {
    let folder = folder("resume");
    for (nth, spec) in ["nogo:3x4", "clobber:4x4"].iter().enumerate() {
        let whole = folder.join(format!("{nth}-whole"));
        let whole = run(spec, &settings(300), &options(&whole, None, true), Faults::default(), 1).unwrap();
        let ledger = folder.join(nth.to_string());
        let (mut managers, mut results) = (0, 0);
        let report = loop {
            let options = options(&ledger, Some(3), true);
            let report = run(spec, &settings(300), &options, Faults::default(), managers).unwrap();
            managers += 1;
            assert!(report.status.results >= results, "{spec}: nothing is lost");
            results = report.status.results;
            if report.ended == Ended::Solved {
                break report;
            }
            assert_eq!(report.ended, Ended::Results, "{spec}");
        };
        assert!(managers > 2, "{spec}: {managers} managers");
        assert_eq!((report.conclusion, report.bounds), (whole.conclusion, whole.bounds), "{spec}");
        assert!(
            results < whole.status.results * 2 + 10,
            "{spec}: {results} results, {} without stops",
            whole.status.results
        );
    }
}

#[test]
fn lost_repeated_and_malformed_messages_do_no_harm() {
    let folder = folder("faults");
    let faults = Faults { lost: 20, twice: 20, nonsense: 20, lies: 0 };
    for (nth, spec) in PROBLEMS.iter().enumerate() {
        let ledger = folder.join(nth.to_string());
        let report = run(spec, &settings(300), &options(&ledger, None, true), faults, 7).unwrap();
        let (conclusion, value) = alone(spec);
        assert_eq!((report.conclusion, report.bounds.0.to_string()), (conclusion, value), "{spec}");
        assert!(report.bundle.is_some(), "{spec}");
    }
}

/// A worker that says the contrary of the truth is found out by a certificate, and what it said is forgotten.
#[test]
fn no_lie_survives_the_proof() {
    let folder = folder("lies");
    let faults = Faults { lies: 30, ..Faults::default() };
    let mut caught = 0;
    for (nth, spec) in PROBLEMS.iter().enumerate() {
        for seed in 0..3 {
            let ledger = folder.join(format!("{nth}-{seed}"));
            let report = run(spec, &settings(300), &options(&ledger, None, true), faults, seed).unwrap();
            let (conclusion, value) = alone(spec);
            assert_eq!((report.conclusion, report.bounds.0.to_string()), (conclusion, value), "{spec}");
            assert!(report.bundle.is_some(), "{spec}");
            Ledger::read(&ledger)
                .unwrap()
                .rows(&mut |row| match row {
                    Row::Distrusted { worker, .. } => {
                        assert_eq!(worker, "liar", "{spec}");
                        caught += 1;
                    }
                    Row::Result { .. } | Row::Proof { .. } => {}
                })
                .unwrap();
        }
    }
    assert!(caught >= 20, "{caught} of 30 runs");
}

/// Solved positions that are proved at once and given to workers: certificates cite them, and answers stay what they are, also when
/// managers end and workers lie.
#[test]
fn lemmas_are_shared_and_cited() {
    let folder = folder("lemmas");
    let (mut shared, mut cited) = (0, 0);
    for (nth, spec) in PROBLEMS.iter().enumerate() {
        for (kind, lies, results) in [("plain", 0, None), ("stops", 0, Some(5)), ("lies", 20, None)] {
            let ledger = folder.join(format!("{nth}-{kind}"));
            let settings = Settings { lemmas: Some(5), ..settings(60) };
            let faults = Faults { lies, ..Faults::default() };
            let report = loop {
                let report = run(spec, &settings, &options(&ledger, results, true), faults, 5).unwrap();
                if report.ended == Ended::Solved {
                    break report;
                }
            };
            assert_eq!(report.bounds.0.to_string(), alone(spec).1, "{spec}, {kind}");
            assert_eq!(report.bounds.1.to_string(), alone(spec).1, "{spec}, {kind}");
            let (checked, _) = report.bundle.expect("a bundle");
            let again = check_bundle(&ledger.with_extension("bundle"), 1, 1 << 26, &|_, _| {}).unwrap();
            assert_eq!(again, checked, "{spec}, {kind}");
            shared += report.status.shared;
            let proofs = std::fs::read_dir(folder.join(format!("{nth}-{kind}.proofs"))).unwrap();
            for proof in proofs {
                let list = std::fs::File::open(proof.unwrap().path().join(Bundle::LIST)).unwrap();
                let list = Bundle::read(&mut std::io::BufReader::new(list)).unwrap();
                cited += list.entries.iter().filter(|entry| entry.length == 0).count();
            }
        }
    }
    println!("{shared} lemmas were shared, and cited {cited} times");
    assert!(shared > 100 && cited > 100, "{shared} lemmas, {cited} citations");
}

/// Without certificates a lie can win; with a share of one, every answer is proved when it comes.
#[test]
fn checking_every_answer_finds_lies_at_once() {
    let folder = folder("share");
    let faults = Faults { lies: 30, ..Faults::default() };
    for (nth, spec) in PROBLEMS.iter().enumerate() {
        let ledger = folder.join(nth.to_string());
        let settings = Settings { check_share: 1.0, ..settings(300) };
        let report = run(spec, &settings, &options(&ledger, None, true), faults, 11).unwrap();
        assert_eq!(report.bounds.0.to_string(), alone(spec).1, "{spec}");
    }
}

#[test]
fn two_managers_on_one_ledger_are_refused() {
    let folder = folder("two");
    let path = folder.join("ledger");
    let first = Ledger::open(&path).unwrap();
    let error = Ledger::open(&path).unwrap_err().to_string();
    assert!(error.contains("another manager is at work on it"), "{error}");
    assert!(Ledger::read(&path).unwrap().header().unwrap().is_none());
    drop(first);
    Ledger::open(&path).unwrap();
}

#[test]
fn a_ledger_about_something_else_is_refused() {
    let folder = folder("other");
    let path = folder.join("ledger");
    run("nim:1,2", &settings(10), &options(&path, None, false), Faults::default(), 1).unwrap();
    let error =
        run("nim:1,3", &settings(10), &options(&path, None, false), Faults::default(), 1).unwrap_err();
    assert!(error.to_string().contains("it is about another game: nim:1,2 and not nim:1,3"), "{error}");
    std::fs::write(folder.join("text"), "not a database").unwrap();
    let error =
        run("nim:1,3", &settings(10), &options(&folder.join("text"), None, false), Faults::default(), 1)
            .unwrap_err();
    assert!(error.to_string().contains("not a database"), "{error}");
}

/// On a full disk nothing is committed, so nothing is acknowledged; what was there stays.
#[test]
fn a_full_disk_loses_nothing_that_was_committed() {
    let folder = folder("full");
    let path = folder.join("ledger");
    let ledger = Ledger::open(&path).unwrap();
    let row = |nth: usize| Row::Result {
        at_least: 1,
        position: format!("{nth:0500}"),
        known: delphic_cluster::Known { found: Found::Open(1, 2), worker: "w".to_owned(), nodes: 1 },
        seconds: 0.1,
    };
    ledger.add(&(0..10).map(row).collect::<Vec<_>>()).unwrap();
    ledger.limit_pages(20).unwrap();
    let error = ledger.add(&(10..1_000).map(row).collect::<Vec<_>>()).unwrap_err().to_string();
    assert!(error.contains("full"), "{error}");
    drop(ledger);
    let mut rows = 0;
    Ledger::open(&path).unwrap().rows(&mut |_| rows += 1).unwrap();
    assert_eq!(rows, 10);
}

#[test]
fn what_jobs_cannot_answer_is_refused() {
    let folder = folder("refused");
    let ledger = folder.join("ledger");
    let error = run("loa:4,plies=off", &settings(10), &options(&ledger, None, false), Faults::default(), 1);
    assert!(error.unwrap_err().to_string().contains("positions can come again"));
}

/// What a worker finds in a job.
fn outcome(worker: &Worker, job: &Job) -> Outcome {
    match worker.perform(job, &NEVER) {
        Performed::Done(outcome, _) => *outcome,
        Performed::Stopped => panic!("nothing has stopped it"),
    }
}

/// A job about the start of a game.
fn job(spec: &str, task: Task) -> Job {
    let game = delphic_engine::game(spec).unwrap();
    let erased = game.erased();
    Job {
        run: "test".to_owned(),
        game: game.spec().to_owned(),
        rules: delphic_certificate::fingerprint(&erased, game.spec()),
        position: erased.write(&erased.start()),
        question: Force { player: Player::FIRST, at_least: 1 },
        task,
        solver: "dfpn".to_owned(),
        seed: 1,
        lemmas: Vec::new(),
    }
}

#[test]
fn workers_of_one_process_search_on_one_table_and_prove_without_it() {
    let folder = folder("team");
    let names = ["one", "two"].map(str::to_owned);
    let team = Worker::team(&names, 1 << 26, 1, &folder);
    let others = Worker::team(&names, 1 << 26, 1, &folder);
    let search = job("nogo:3x4", Task::Search { nodes: u64::MAX });
    let alone = outcome(&others[0], &search);
    assert!(alone.nodes > 1_000, "{}", alone.nodes);
    let (first, second) = (outcome(&team[0], &search), outcome(&team[1], &search));
    assert_eq!([&first.finding, &second.finding], [&alone.finding; 2]);
    assert_eq!(first.nodes, alone.nodes);
    assert!(second.nodes * 20 < alone.nodes, "{} of {}", second.nodes, alone.nodes);
    // Another question has another table.
    let question = Force { player: Player::new(1), ..search.question };
    let other = Job { question, ..search.clone() };
    assert_eq!(outcome(&team[0], &other).nodes, outcome(&others[0], &other).nodes);
    // A certificate does not rest on what searches have left in the table.
    let prove = Job { task: Task::Prove { part_size: 1_000 }, ..other };
    let fresh = outcome(&Worker::new("fresh", 1 << 26, 1, &folder), &prove);
    assert!(matches!(fresh.finding, Finding::Proof { .. }));
    let proved = outcome(&team[1], &prove);
    assert_eq!((proved.nodes, proved.finding), (fresh.nodes, fresh.finding));
}

/// Two workers do jobs at the same time, of two questions in turns, so that one often finds the table in use for the other question.
#[test]
fn workers_of_one_process_agree_at_the_same_time() {
    let folder = folder("together");
    let names = ["one", "two"].map(str::to_owned);
    let first = job("nogo:3x4", Task::Search { nodes: u64::MAX });
    let second = Job { question: Force { player: Player::new(1), ..first.question }, ..first.clone() };
    let alone = Worker::new("alone", 1 << 26, 1, &folder);
    let jobs = [first, second].map(|job| (outcome(&alone, &job).finding, job));
    for round in 0..20 {
        // Half of these tables are too small.
        let team = Worker::team(&names, [1 << 18, 1 << 26][round % 2], 1, &folder);
        std::thread::scope(|scope| {
            for (worker, nth) in team.iter().zip(0..) {
                let jobs = &jobs;
                scope.spawn(move || {
                    for turn in 0..8 {
                        let (truth, job) = &jobs[(turn / (1 + round % 3) + nth) % 2];
                        assert_eq!(outcome(worker, job).finding, *truth, "round {round}, turn {turn}");
                    }
                });
            }
        });
    }
}
