//! The lab as a whole: a tiny experiment from its first cell to its page.

use delphic_lab::report::{Block, Table};
use delphic_lab::{
    About, Caps, Cell, EXPERIMENTS, End, Experiment, Ledger, Results, Scale, Settings, Verdict, Watch,
    random_position, report, run,
};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// Nim, and once that is known, one more heap.
struct Tiny;

const ABOUT: About = About {
    title: "Heaps <of> stones",
    paper: "0: nobody, nowhere.",
    claim: "None.",
    instances: "Two heaps.",
    solvers: "pns, ppn",
    limits: "None.",
    counted: "Nodes.",
    deviations: &["All."],
};

fn first() -> [Cell; 3] {
    let cell = |game, solver| Cell::solve("tiny", game, "", solver, Caps::nodes(10_000));
    let game =
        Cell::play("tiny", "nim:2,3", ["random", "uct"], 0, Caps { iterations: Some(20), ..Caps::default() });
    [cell("nim:2,3", "pns"), cell("nim:2,2", "ppn:playouts=3"), game]
}

impl Experiment for Tiny {
    fn name(&self) -> &'static str {
        "tiny"
    }

    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn cells(&self, _: Scale, known: &Results) -> Vec<Cell> {
        let mut cells = first().to_vec();
        // The same cell twice is one cell.
        cells.push(cells[0].clone());
        if let Some(record) = known.get(&cells[0]) {
            cells.push(Cell::solve("tiny", "nim:3,4", "", "pns", Caps::nodes(record.stats.created + 1000)));
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

/// Stops the run after the first cell.
struct Impatient<'a>(&'a AtomicBool);

impl Watch for Impatient<'_> {
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
    Settings { scale: Scale::Smoke, threads: 2, interrupt }
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
    assert_eq!(run(&Tiny, &ledger, &settings(&stop), &mut Impatient(&stop)).unwrap(), End::Interrupted);
    let before = rows(&ledger);
    assert!((1..4).contains(&before), "{before}");
    drop(ledger);
    // Another program, later.
    let (ledger, go) = (Ledger::open(&path).unwrap(), AtomicBool::new(false));
    assert_eq!(run(&Tiny, &ledger, &settings(&go), &mut ()).unwrap(), End::Complete);
    assert_eq!(rows(&ledger), 4);
    let all = ledger.csv(None).unwrap();
    assert_eq!(run(&Tiny, &ledger, &settings(&go), &mut ()).unwrap(), End::Complete);
    assert_eq!(ledger.csv(None).unwrap(), all, "nothing is done twice, nothing changes");
}

#[test]
fn rows_say_what_was_found() {
    let (ledger, go) = (Ledger::in_memory().unwrap(), AtomicBool::new(false));
    run(&Tiny, &ledger, &settings(&go), &mut ()).unwrap();
    let known = ledger.results("tiny").unwrap();
    assert_eq!(known.len(), 4);
    let [unequal, equal, game] = first();
    let record = known.get(&unequal).unwrap();
    assert_eq!((record.verdict, record.stop.as_str()), (Verdict::Proved, "solved"));
    assert_eq!(record.version, env!("CARGO_PKG_VERSION"));
    assert_eq!(known.get(&equal).unwrap().verdict, Verdict::Disproved);
    let game = known.get(&game).unwrap();
    assert!(game.verdict == Verdict::Played && game.score.is_some() && !game.line.is_empty());
    // A second ledger gets the same rows, apart from times.
    let again = Ledger::in_memory().unwrap();
    run(&Tiny, &again, &settings(&go), &mut ()).unwrap();
    assert_eq!(again.results("tiny").unwrap().get(&unequal).unwrap().stats.created, record.stats.created);
}

#[test]
fn pages_have_what_they_must() {
    let folder = Folder::new("pages");
    let (ledger, go) = (Ledger::in_memory().unwrap(), AtomicBool::new(false));
    assert!(report::write(&[&Tiny], &ledger, None, &folder.0).unwrap().is_empty(), "nothing was run");
    run(&Tiny, &ledger, &settings(&go), &mut ()).unwrap();
    assert_eq!(report::write(&[&Tiny], &ledger, None, &folder.0).unwrap(), ["tiny"]);
    let read = |name: &str| std::fs::read_to_string(folder.0.join(name)).unwrap();
    let page = read("tiny.md");
    for piece in
        ["# Heaps", "**Claim.**", "**Deviations.**\n\n- All.", "4 of 4 cells", "| nim:2,3 |", "--scale smoke"]
    {
        assert!(page.contains(piece), "{piece}: {page}");
    }
    for name in ["tiny.html", "index.html"] {
        let text = read(name);
        assert!(text.contains("Heaps &lt;of&gt; stones"));
        let well_formed = text.replace("<!DOCTYPE html>", "");
        roxmltree::Document::parse(&well_formed).unwrap();
    }
    assert!(read("README.md").contains("tiny.md") && read("tiny-table1.csv").starts_with("cell,created\n"));
}

#[test]
fn what_is_no_ledger_is_refused() {
    let folder = Folder::new("refused");
    let refused = |path: &Path| Ledger::open(path).map(|_| ()).unwrap_err().to_string();
    let text = folder.0.join("text");
    std::fs::write(&text, "this is no database, but it is long enough to look at\n".repeat(20)).unwrap();
    assert!(refused(&text).contains("not a database"), "{}", refused(&text));
    assert!(refused(&folder.0.join("no/such/folder")).contains("no/such/folder"));
    assert!(!refused(&folder.0).is_empty());
}

#[test]
fn a_cell_that_cannot_be_is_an_error() {
    let stop = AtomicBool::new(false);
    for (game, position, solver) in [
        ("nim:2,3", "", "nobody"),
        ("no-such-game", "", "pns"),
        ("nim:2,3", "banana", "pns"),
        ("nim:2,3", "", "pns:x=1"),
    ] {
        let cell = Cell::solve("tiny", game, position, solver, Caps::default());
        assert!(cell.run(&stop).is_err(), "{}", cell.key());
    }
}

#[test]
fn instances_never_change() {
    let drawn = |seed| random_position("connect4", 12, seed).unwrap();
    let first = ["1 5 7 7 4 1 7 5 3 3 7 7", "2 5 3 4 4 7 5 5 2 7 6 5", "6 4 4 7 1 5 2 1 4 1 6 1"];
    assert_eq!([drawn(1), drawn(2), drawn(3)], first, "published results depend on these positions");
    assert_eq!(random_position("y:6", 3, 1).unwrap(), "b1 e3 f6");
    // A game that is always over by then.
    assert_eq!(random_position("nim:1", 5, 1).unwrap(), "");
    assert!(random_position("no-such-game", 5, 1).is_err());
}

#[test]
fn every_experiment_is_described_and_small_at_first() {
    let nothing = Results::default();
    for experiment in EXPERIMENTS {
        let about = experiment.about();
        for text in [
            about.title,
            about.paper,
            about.claim,
            about.instances,
            about.solvers,
            about.limits,
            about.counted,
        ] {
            assert!(!text.is_empty() && !text.contains("  "), "{}: {text}", experiment.name());
        }
        let [smoke, quick, paper] = Scale::ALL.map(|scale| experiment.cells(scale, &nothing));
        assert!(smoke.len() <= quick.len() && quick.len() <= paper.len(), "{}", experiment.name());
        assert!(!smoke.is_empty() && smoke.len() < 2000, "{}", experiment.name());
        assert!(smoke.iter().all(|cell| cell.experiment == experiment.name()));
        // A page about nothing is still a page.
        assert!(!experiment.report(Scale::Smoke, &nothing).is_empty());
    }
}
