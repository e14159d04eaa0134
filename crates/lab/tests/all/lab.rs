//! The lab as a whole: a tiny experiment from its first cell to its page.

use delphic_lab::claim::{Claim, Finding, Judged, Ruling, judge, rule};
use delphic_lab::report::{Block, Selection, Table};
use delphic_lab::{
    About, Algorithm, Caps, Cell, End, Experiment, Inputs, Ledger, Mark, Observer, Provenance, Results, Run,
    Scale, Settings, Verdict, experiments, random_position, report, run,
};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};

/// Nim, and once that is known, one more heap; or many heaps, for two processes to share.
struct Tiny {
    shared: bool,
}

const ABOUT: About = About {
    title: "Heaps <of> stones",
    paper: "0: unpublished.",
    instances: "Two heaps.",
    solvers: "pns, ppn",
    limits: "None.",
    counted: "Nodes.",
    deviations: &["All."],
    algorithms: &[Algorithm { name: "PNS", mark: Mark::Choices, words: "Heaps first." }],
};

const CLAIMS: [Claim<Tiny>; 2] = [
    Claim {
        id: "0.heaps",
        place: "nowhere",
        says: "Unequal heaps are won.",
        figure: "won",
        test: |_, scale, known| match known.get(&first()[0]) {
            None => Finding::incomplete(),
            Some(record) => {
                let holds = record.verdict == Verdict::Proved;
                Finding::new(
                    rule(Some(holds), scale == Scale::Paper),
                    record.verdict.name(),
                    "As Bouton said.",
                )
            }
        },
    },
    Claim {
        id: "0.other",
        place: "nowhere",
        says: "Something else <follows>.",
        figure: "–",
        test: |_, _, _| Finding::not_testable("It is not said what."),
    },
];

fn solve(game: &str, solver: &str, caps: Caps) -> Cell {
    Cell::solve("tiny", game, "", solver.parse().unwrap(), caps)
}

fn first() -> [Cell; 3] {
    let agents = ["random", "uct"].map(|name| name.parse().unwrap());
    let game = Cell::play("tiny", "nim:2,3", agents, 0, Caps { iterations: Some(20), ..Caps::default() });
    let caps = Caps::nodes(10_000);
    [solve("nim:2,3", "pns", caps), solve("nim:2,2", "ppn:playouts=3", caps), game]
}

impl Experiment for Tiny {
    fn name(&self) -> &'static str {
        "tiny"
    }

    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn claims(&self, scale: Scale, known: &Results) -> Vec<Judged> {
        judge(&CLAIMS, self, scale, known)
    }

    fn cells(&self, _: Scale, known: &Results) -> Vec<Cell> {
        if self.shared {
            let cell = |seed| solve("nim:4,5,6", "ppn:playouts=20", Caps::nodes(300)).seeded(seed);
            return (1..=60).map(cell).collect();
        }
        let mut cells = first().to_vec();
        // The same cell twice is one cell.
        cells.push(cells[0].clone());
        if let Some(record) = known.get(&cells[0]) {
            cells.push(solve("nim:3,4", "pns", Caps::nodes(record.stats.created + 1000)));
        }
        cells
    }

    fn report(&self, scale: Scale, known: &Results) -> Vec<Block> {
        let mut table = Table::new("Nodes", ["cell", "created"]);
        for cell in self.cells(scale, known) {
            if let Some(record) = known.get(&cell) {
                table.row([cell.game, record.stats.created.to_string()]);
            }
        }
        vec![Block::heading("Found"), table.into()]
    }
}

const TINY: Tiny = Tiny { shared: false };

/// Stops the run after the first cell.
struct Impatient<'a>(&'a AtomicBool);

impl Observer for Impatient<'_> {
    fn progress(&mut self, _: &str, done: usize, _: usize) {
        self.0.store(done > 0, Ordering::Relaxed);
    }
}

/// A folder that is there as long as the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("delphic-lab-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn settings(interrupt: &AtomicBool) -> Settings<'_> {
    Settings { scale: Scale::Smoke, threads: 2, reuse: false, interrupt }
}

fn rows(ledger: &Ledger) -> usize {
    ledger.csv(Some("tiny")).unwrap().lines().count() - 1
}

#[test]
fn a_run_goes_on_where_it_stopped_and_doubles_nothing() {
    let folder = Folder::new("resume");
    let path = folder.0.join("ledger.sqlite");
    let stop = AtomicBool::new(false);
    let ledger = Ledger::open(&path).unwrap();
    assert_eq!(run(&TINY, &ledger, &settings(&stop), &mut Impatient(&stop)).unwrap(), End::Interrupted);
    let before = rows(&ledger);
    assert!((1..4).contains(&before), "{before}");
    drop(ledger);
    // Another process, later.
    let (ledger, go) = (Ledger::open(&path).unwrap(), AtomicBool::new(false));
    assert_eq!(run(&TINY, &ledger, &settings(&go), &mut ()).unwrap(), End::Complete);
    assert_eq!(rows(&ledger), 4);
    let all = ledger.csv(None).unwrap();
    assert_eq!(run(&TINY, &ledger, &settings(&go), &mut ()).unwrap(), End::Complete);
    assert_eq!(ledger.csv(None).unwrap(), all, "nothing is done twice, nothing changes");
}

#[test]
fn rows_say_what_was_found() {
    let (ledger, go) = (Ledger::in_memory().unwrap(), AtomicBool::new(false));
    run(&TINY, &ledger, &settings(&go), &mut ()).unwrap();
    let known = ledger.results("tiny", false).unwrap();
    assert_eq!(known.len(), 4);
    let [unequal, equal, game] = first();
    let record = known.get(&unequal).unwrap();
    assert_eq!((record.verdict, record.stop.as_str()), (Verdict::Proved, "solved"));
    let made = &known.run(&unequal).unwrap().provenance;
    assert_eq!((&made.code, &made.revision), (&Provenance::code(), &Provenance::here().revision));
    assert_eq!(known.get(&equal).unwrap().verdict, Verdict::Disproved);
    let game = known.get(&game).unwrap();
    assert!(game.verdict == Verdict::Played && game.score.is_some() && !game.line.is_empty());
    // A second ledger gets the same rows, apart from times.
    let again = Ledger::in_memory().unwrap();
    run(&TINY, &again, &settings(&go), &mut ()).unwrap();
    assert_eq!(
        again.results("tiny", false).unwrap().get(&unequal).unwrap().stats.created,
        record.stats.created
    );
}

/// Lets one row look as if another revision had made it.
fn disown(path: &Path) {
    let change = "INSERT INTO run SELECT NULL, experiment, scale, threads, reuse, 'v0.0.9', 'old', compiler, cpu, cores, memory, \
         system, date, 0 FROM run LIMIT 1; \
         UPDATE search SET code = 'old', run = last_insert_rowid() WHERE game = 'nim:2,2';";
    rusqlite::Connection::open(path).unwrap().execute_batch(change).unwrap();
}

#[test]
fn rows_of_another_revision_do_not_pass_for_new_ones() {
    let folder = Folder::new("stale");
    let path = folder.0.join("ledger.sqlite");
    let go = AtomicBool::new(false);
    let ledger = Ledger::open(&path).unwrap();
    run(&TINY, &ledger, &settings(&go), &mut ()).unwrap();
    let [_, equal, _] = first();
    disown(&path);
    assert!(ledger.results("tiny", false).unwrap().get(&equal).is_none(), "an old row counts as missing");
    assert!(ledger.results("tiny", true).unwrap().get(&equal).is_some(), "unless it is asked for");
    assert_eq!(ledger.foreign("tiny").unwrap(), [("v0.0.9".to_owned(), 1)]);
    // The page with old rows says so, the page without them lists what it leaves out.
    let all: [Box<dyn Experiment>; 1] = [Box::new(TINY)];
    let page = |reuse| {
        let selection = Selection { scale: None, reuse };
        report::write(&all, &["tiny"], &ledger, selection, &folder.0).unwrap();
        std::fs::read_to_string(folder.0.join("tiny.md")).unwrap()
    };
    let (strict, lenient) = (page(false), page(true));
    assert!(strict.contains("3 of 4 cells") && strict.contains("not shown: 1 by v0.0.9"), "{strict}");
    assert!(
        lenient.contains("4 of 4 cells") && lenient.contains("1 rows were made by other revisions"),
        "{lenient}"
    );
    // With reuse nothing is searched; without it the old row is made again and stays beside the new one.
    let reusing = Settings { reuse: true, ..settings(&go) };
    run(&TINY, &ledger, &reusing, &mut ()).unwrap();
    assert_eq!(rows(&ledger), 4);
    run(&TINY, &ledger, &settings(&go), &mut ()).unwrap();
    assert_eq!(rows(&ledger), 5);
    assert!(ledger.results("tiny", false).unwrap().get(&equal).is_some());
}

#[test]
fn published_rows_become_a_ledger_again() {
    let folder = Folder::new("import");
    let (ledger, go) = (Ledger::in_memory().unwrap(), AtomicBool::new(false));
    run(&TINY, &ledger, &settings(&go), &mut ()).unwrap();
    let text = ledger.csv(Some("tiny")).unwrap();
    let files = ["rows.csv", "rows.csv.gz"].map(|name| folder.0.join(name));
    std::fs::write(&files[0], &text).unwrap();
    std::fs::write(&files[1], report::compressed(&text).unwrap()).unwrap();
    let copy = Ledger::in_memory().unwrap();
    assert_eq!(copy.import(&files[1]).unwrap(), 4);
    assert_eq!(copy.import(&files[0]).unwrap(), 0, "rows that are there are kept");
    assert_eq!(copy.csv(Some("tiny")).unwrap(), text);
    // Searches, games and all: nothing is missing, and the page is that of the first ledger.
    run(&TINY, &copy, &settings(&go), &mut ()).unwrap();
    assert_eq!(rows(&copy), 4);
    let refused = |text: &str| {
        std::fs::write(&files[0], text).unwrap();
        copy.import(&files[0]).unwrap_err().to_string()
    };
    let (head, rest) = text.split_once('\n').unwrap();
    assert!(refused(&format!("{}\n{rest}", head.replace("seed", "sown"))).contains("column 'seed'"));
    let broken = rest.replacen(",solved,", ",solved,x", 1);
    assert!(refused(&format!("{head}\n{broken}")).contains("line 2, column 'score'"), "{broken}");
    assert!(copy.import(&folder.0.join("none")).is_err());
}

/// One of the two processes of the test below.
#[test]
#[ignore = "a part of the test below"]
fn one_of_two_processes() {
    let Some(path) = std::env::var_os("DELPHIC_TEST_LEDGER") else { return };
    let (ledger, go) = (Ledger::open(Path::new(&path)).unwrap(), AtomicBool::new(false));
    assert_eq!(run(&Tiny { shared: true }, &ledger, &settings(&go), &mut ()).unwrap(), End::Complete);
}

#[test]
fn two_processes_share_a_ledger_ten_times() {
    let folder = Folder::new("shared");
    for round in 0..10 {
        let path = folder.0.join(format!("{round}.sqlite"));
        let start = || {
            Command::new(std::env::current_exe().unwrap())
                .args(["--exact", "lab::one_of_two_processes", "--ignored", "--nocapture"])
                .env("DELPHIC_TEST_LEDGER", &path)
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap()
        };
        // Both find no file and create it, both search, both return when everything is there.
        for child in [start(), start()] {
            let output = child.wait_with_output().unwrap();
            let said = [output.stdout, output.stderr]
                .map(|text| String::from_utf8_lossy(&text).into_owned())
                .concat();
            assert!(output.status.success() && said.contains("1 passed"), "{said}");
        }
        assert_eq!(rows(&Ledger::open(&path).unwrap()), 60, "every row once");
        let database = rusqlite::Connection::open(&path).unwrap();
        let number = |query: &str| database.query_row(query, [], |row| row.get::<_, i64>(0)).unwrap();
        assert_eq!(number("SELECT count(DISTINCT seed) FROM search"), 60);
        assert_eq!(number("SELECT count(*) FROM claim"), 0, "all claims are given up");
        assert_eq!(number("SELECT count(*) FROM run"), 2);
    }
}

#[test]
fn a_claim_holds_until_its_run_is_gone() {
    let ledger = Ledger::in_memory().unwrap();
    let run = Run { scale: Scale::Smoke, threads: 1, reuse: false, provenance: Provenance::here() };
    let [one, other] = [(); 2].map(|()| ledger.start("tiny", &run).unwrap());
    let [cell, second, _] = first();
    assert!(ledger.claim(&cell, one).unwrap());
    assert!(!ledger.claim(&cell, other).unwrap() && !ledger.claim(&cell, one).unwrap(), "one run, once");
    assert!(ledger.claim(&second, other).unwrap(), "other cells are free");
    ledger.end(one).unwrap();
    assert!(ledger.claim(&cell, other).unwrap(), "a run that has ended keeps nothing");
    let record = cell.run(&AtomicBool::new(false)).unwrap().unwrap();
    ledger.add(&cell, &record, other).unwrap();
    assert!(!ledger.claim(&cell, other).unwrap(), "what is done needs no search");
}

#[test]
fn claims_of_a_killed_process_become_void() {
    let folder = Folder::new("killed");
    let path = folder.0.join("ledger.sqlite");
    let ledger = Ledger::open(&path).unwrap();
    let run = Run { scale: Scale::Smoke, threads: 1, reuse: false, provenance: Provenance::here() };
    let (dead, alive) = (ledger.start("tiny", &run).unwrap(), ledger.start("tiny", &run).unwrap());
    let [cell, ..] = first();
    assert!(ledger.claim(&cell, dead).unwrap() && !ledger.claim(&cell, alive).unwrap());
    let database = rusqlite::Connection::open(&path).unwrap();
    database.execute("UPDATE run SET seen = seen - 61 WHERE id = ?1", [dead]).unwrap();
    assert!(ledger.claim(&cell, alive).unwrap());
    ledger.keep_alive(dead).unwrap();
    assert!(!ledger.claim(&cell, dead).unwrap(), "it comes back too late");
}

#[test]
fn pages_open_with_verdicts() {
    let folder = Folder::new("pages");
    let (ledger, go) = (Ledger::in_memory().unwrap(), AtomicBool::new(false));
    let all: [Box<dyn Experiment>; 1] = [Box::new(TINY)];
    let write = |scale| {
        let selection = Selection { scale, reuse: false };
        report::write(&all, &["tiny"], &ledger, selection, &folder.0).unwrap()
    };
    assert!(write(None).is_empty(), "nothing was run");
    run(&TINY, &ledger, &settings(&go), &mut ()).unwrap();
    assert_eq!(write(Some(Scale::Quick)), ["tiny"]);
    let read = |name: &str| std::fs::read_to_string(folder.0.join(name)).unwrap();
    let page = read("tiny.md");
    for piece in [
        "# Heaps",
        "## Verdicts\n\nholds at reduced scale: 1, not testable: 1.",
        "| nowhere | Unequal heaps are won. | won | proved | **holds at reduced scale** | As Bouton said. |",
        "**Deviations.**\n\n- All.",
        "| PNS | as printed, with choices | Heaps first. |",
        "4 of 4 cells",
        "seed 1",
        "| nim:2,3 |",
        "--scale quick",
        "tiny-rows.csv.gz",
        &Provenance::here().cpu,
        &Provenance::code(),
    ] {
        assert!(page.contains(piece), "{piece}: {page}");
    }
    assert!(page.find("## Verdicts") < page.find("## Found"), "the verdicts come first");
    for name in ["tiny.html", "index.html"] {
        let text = read(name);
        assert!(
            text.contains("Heaps &lt;of&gt; stones")
                && text.contains("<td class=\"holds\">holds at reduced scale</td>")
        );
        let well_formed = text.replace("<!DOCTYPE html>", "");
        roxmltree::Document::parse(&well_formed).unwrap();
    }
    let index = read("README.md");
    assert!(
        index.contains("| 0 | nowhere | Unequal heaps are won. |") && index.contains("[tiny](tiny.md)"),
        "{index}"
    );
    // The tables of algorithms and of provenance come before the experiment's own.
    assert!(
        read("tiny-table1.csv").starts_with("algorithm,")
            && read("tiny-table2.csv").starts_with("revision,")
            && read("tiny-table3.csv").starts_with("cell,created\n")
    );
    let rows = std::fs::read(folder.0.join("tiny-rows.csv.gz")).unwrap();
    let mut text = String::new();
    std::io::Read::read_to_string(&mut flate2::read::GzDecoder::new(&rows[..]), &mut text).unwrap();
    assert_eq!(text, ledger.csv(Some("tiny")).unwrap());
    assert!(text.starts_with("experiment,game,") && text.contains(&Provenance::here().revision));
    // At smoke no rows decide anything.
    write(Some(Scale::Smoke));
    assert!(read("tiny.md").contains("not testable: 1, not run: 1."), "{}", read("tiny.md"));
}

#[test]
fn rulings_follow_from_answer_and_scale() {
    assert_eq!(rule(Some(true), true), Ruling::Holds);
    assert_eq!(rule(Some(true), false), Ruling::HoldsAtReducedScale);
    assert_eq!([rule(Some(false), true), rule(Some(false), false)], [Ruling::Contradicted; 2]);
    assert_eq!([rule(None, true), rule(None, false)], [Ruling::Undecided; 2]);
}

/// Every claim has all its parts, a name of its own, and a finding even without rows.
#[test]
fn claims_are_complete() {
    let mut names = HashSet::new();
    let nothing = Results::default();
    for experiment in experiments(&Inputs::default()).unwrap() {
        for scale in Scale::ALL {
            let judged = experiment.claims(scale, &nothing);
            assert!(judged.len() >= 8, "{}", experiment.name());
            for claim in judged {
                // The five papers, and T for those on threads.
                assert!("12345T".contains(claim.paper()) && claim.paper().len() == 1, "{}", claim.id);
                for text in [claim.place, claim.says, claim.figure, &claim.finding.words] {
                    assert!(!text.is_empty() && !text.contains("  "), "{}: {text:?}", claim.id);
                }
                // Without rows only the papers themselves, or our source, can decide.
                let decided =
                    [Ruling::HoldsAtReducedScale, Ruling::Undecided].contains(&claim.finding.ruling);
                assert!(!decided && claim.finding.ours.is_empty(), "{}: {:?}", claim.id, claim.finding);
                assert!(scale != Scale::Smoke || names.insert(claim.id), "{} twice", claim.id);
            }
        }
    }
}

#[test]
fn files_that_are_not_ledgers_are_refused() {
    let folder = Folder::new("refused");
    let refused = |path: &Path| Ledger::open(path).map(|_| ()).unwrap_err().to_string();
    let text = folder.0.join("text");
    std::fs::write(&text, "this is not a database, but it is long enough to look like one\n".repeat(20))
        .unwrap();
    assert!(refused(&text).contains("not a database"), "{}", refused(&text));
    assert!(refused(&folder.0.join("no/such/folder")).contains("no/such/folder"));
    assert!(!refused(&folder.0).is_empty());
}

#[test]
fn a_ledger_of_another_schema_is_refused() {
    let folder = Folder::new("schema");
    let path = folder.0.join("ledger.sqlite");
    drop(Ledger::open(&path).unwrap());
    rusqlite::Connection::open(&path).unwrap().execute_batch("PRAGMA user_version = 1").unwrap();
    let refused = Ledger::open(&path).unwrap_err().to_string();
    assert!(refused.contains("schema 1") && refused.contains("ledger.sqlite"), "{refused}");
    let foreign = folder.0.join("foreign.sqlite");
    rusqlite::Connection::open(&foreign).unwrap().execute_batch("CREATE TABLE t (x)").unwrap();
    assert!(Ledger::open(&foreign).unwrap_err().to_string().contains("not a ledger"));
}

#[test]
fn a_cell_with_bad_input_is_an_error() {
    let stop = AtomicBool::new(false);
    for (game, position) in [("no-such-game", ""), ("nim:2,3", "banana")] {
        let cell = Cell::solve("tiny", game, position, "pns".parse().unwrap(), Caps::default());
        assert!(cell.run(&stop).is_err(), "{}", cell.key());
    }
}

#[test]
fn instances_never_change() {
    let drawn = |seed| random_position("connect4", 12, seed).unwrap();
    let first = ["1 5 7 7 4 1 7 5 3 3 7 7", "2 5 3 4 4 7 5 5 2 7 6 5", "6 4 4 7 1 5 2 1 4 1 6 1"];
    assert_eq!([drawn(1), drawn(2), drawn(3)], first, "published results depend on these positions");
    assert_eq!(random_position("y:6", 3, 1).unwrap(), "b1 e3 f6");
    // A game that is always over by then has no such position; the start is not taken instead.
    let refused = random_position("nim:1", 5, 1).unwrap_err().to_string();
    assert!(refused.contains("nim:1") && refused.contains("5 random moves"), "{refused}");
    assert!(random_position("no-such-game", 5, 1).is_err());
}

#[test]
fn every_experiment_is_described_and_small_at_smoke() {
    let nothing = Results::default();
    for experiment in experiments(&Inputs::default()).unwrap() {
        let about = experiment.about();
        for text in [about.title, about.paper, about.instances, about.solvers, about.limits, about.counted] {
            assert!(!text.is_empty() && !text.contains("  "), "{}: {text}", experiment.name());
        }
        let [smoke, quick, paper] = Scale::ALL.map(|scale| experiment.cells(scale, &nothing));
        assert!(smoke.len() <= quick.len() && quick.len() <= paper.len(), "{}", experiment.name());
        assert!(!smoke.is_empty() && smoke.len() < 2000, "{}", experiment.name());
        assert!(smoke.iter().all(|cell| cell.experiment == experiment.name()));
        // A page without rows is still a page.
        assert!(!experiment.report(Scale::Smoke, &nothing).is_empty());
    }
}
