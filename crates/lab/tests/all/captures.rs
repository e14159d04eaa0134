//! Paper 4's experiment, small, from its first cell to its page.

use delphic_lab::captures::{CaptureSolver, Guided, Learner, Lesson, PLAIN, Set, Source, Split};
use delphic_lab::report::Block;
use delphic_lab::{Caps, Cell, End, Experiment, Inputs, Ledger, Scale, Settings, Verdict, experiments, run};
use std::sync::atomic::AtomicBool;

#[test]
fn the_smoke_run_has_what_its_page_must() {
    let (ledger, go) = (Ledger::in_memory().unwrap(), AtomicBool::new(false));
    let all = experiments(&Inputs::default()).unwrap();
    let experiment: &dyn Experiment =
        &**all.iter().find(|experiment| experiment.name() == "captures").unwrap();
    let settings = Settings { scale: Scale::Smoke, threads: 2, reuse: false, interrupt: &go };
    assert_eq!(run(experiment, &ledger, &settings, &mut ()).unwrap(), End::Complete);
    let known = ledger.results("captures", false).unwrap();
    let cells = experiment.cells(Scale::Smoke, &known);
    assert!(known.len() <= cells.len() && cells.iter().all(|cell| known.get(cell).is_some()));
    let blocks = experiment.report(Scale::Smoke, &known);
    let (mut tables, mut figures) = (Vec::new(), Vec::new());
    for block in &blocks {
        match block {
            Block::Table(table) => tables.push(table),
            Block::Figure(figure) => figures.push(figure.slug.as_str()),
            Block::Heading(_) | Block::Text(_) | Block::List(_) | Block::Claims(_) | Block::Link(..) => {}
        }
    }
    assert_eq!(
        figures,
        [
            "proved",
            "figure4",
            "figure8-beta-1",
            "figure8-beta-1000",
            "figure8-gaussian-0",
            "figure8-gaussian-2",
            "figure8-gaussian-0-mobility",
            "calibration",
        ]
    );
    let [proved, panels, plain, more, large, depth_first, losses, bins] = tables[..] else {
        panic!("{:#?}", tables.iter().map(|table| &table.caption).collect::<Vec<_>>())
    };
    let rows = [proved, panels, plain, more, large, depth_first, losses].map(|table| table.rows.len());
    assert_eq!(rows, [5, 5, 6, 3, 1, 2, 5]);
    assert!(bins.rows.len() > 10, "{}", bins.rows.len());
    // No solver contradicts a proven answer, and most are found even with few nodes.
    for row in &proved.rows {
        assert_eq!(row[6], "0", "{row:?}");
        assert!(row[1].parse::<usize>().unwrap() >= 10, "{row:?}");
    }
    assert!(panels.rows[0][3].starts_with("45.9 → "), "{:?}", panels.rows[0]);
}

#[test]
fn attacks_have_distinct_keys_and_repeat() {
    let (set, stop) = (Set::own(), AtomicBool::new(false));
    let problem = &set.problems[0];
    let solver = |name: &str| CaptureSolver::plain(name.parse().unwrap());
    let lesson = Lesson {
        set: set.clone(),
        split: Split::Part(0),
        learner: Learner::Beta,
        guided: Guided::Pp,
        source: Source::Answered,
        trained: None,
    };
    let solvers = [
        solver(PLAIN),
        solver("dfpn"),
        CaptureSolver::learnt(lesson.clone()),
        CaptureSolver::learnt(lesson.clone()).comparing(),
        CaptureSolver::learnt(Lesson { guided: Guided::Dfpn, ..lesson.clone() }),
        CaptureSolver::learnt(Lesson { guided: Guided::Dfpp, ..lesson.clone() }),
    ];
    let cell = |solver| Cell::capture("captures", &problem.game, &problem.position, solver, Caps::nodes(500));
    let cells = solvers.map(&cell);
    for (nth, one) in cells.iter().enumerate() {
        assert!(cells[..nth].iter().all(|other| other.key() != one.key()), "{}", one.key());
        let [first, second] = [(); 2].map(|()| one.run(&stop).unwrap().unwrap());
        assert_eq!((first.verdict, first.stats.created), (second.verdict, second.stats.created));
        assert_ne!(first.verdict, Verdict::Disproved);
    }
    // A lesson that is interrupted leaves nothing behind.
    let other = Lesson { learner: Learner::PeakedBeta, ..lesson };
    assert_eq!(cell(CaptureSolver::learnt(other)).run(&AtomicBool::new(true)).unwrap(), None);
    for (game, position) in [
        ("go-capture:7,zone=on", "nothing"),
        ("go-capture:7,zone=on,what=1", problem.position.as_str()),
        ("connect4", problem.position.as_str()),
    ] {
        let cell = Cell::capture("captures", game, position, solver("pns"), Caps::default());
        assert!(cell.run(&stop).is_err(), "{}", cell.key());
    }
}
