//! Paper 4's experiment, small, from its first cell to its page.

use delphic_lab::captures::{Attack, Learner, Lesson, PLAIN, Set, Split};
use delphic_lab::report::Block;
use delphic_lab::{Caps, Cell, End, Ledger, Scale, Settings, Verdict, find, run};
use std::sync::atomic::AtomicBool;

#[test]
fn the_smoke_run_has_what_its_page_must() {
    let (ledger, go) = (Ledger::in_memory().unwrap(), AtomicBool::new(false));
    let experiment = find("captures").unwrap();
    let settings = Settings { scale: Scale::Smoke, threads: 2, interrupt: &go };
    assert_eq!(run(experiment, &ledger, &settings, &mut ()).unwrap(), End::Complete);
    let known = ledger.results("captures").unwrap();
    let cells = experiment.cells(Scale::Smoke, &known);
    assert!(known.len() <= cells.len() && cells.iter().all(|cell| known.get(cell).is_some()));
    let blocks = experiment.report(Scale::Smoke, &known);
    let (mut tables, mut figures) = (Vec::new(), Vec::new());
    for block in &blocks {
        match block {
            Block::Table(table) => tables.push(table),
            Block::Figure(figure) => figures.push(figure.slug.as_str()),
            Block::Heading(_) | Block::Text(_) | Block::List(_) => {}
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
    let [proved, panels, plain, losses] = tables[..] else { panic!("{} tables", tables.len()) };
    assert_eq!((proved.rows.len(), panels.rows.len(), plain.rows.len(), losses.rows.len()), (5, 5, 6, 5));
    // Nobody contradicts a proven answer, and most are found even with few nodes.
    for row in &proved.rows {
        assert_eq!(row[6], "0", "{row:?}");
        assert!(row[1].parse::<usize>().unwrap() >= 10, "{row:?}");
    }
    assert!(panels.rows[0][3].starts_with("45.9 → "), "{:?}", panels.rows[0]);
}

#[test]
fn attacks_are_told_apart_and_repeat() {
    let (problem, stop) = (&Set::own().problems[0], AtomicBool::new(false));
    let lesson = Lesson { set: "own", split: Split::Part(0), learner: Learner::Beta };
    let attacks = [
        Attack::plain(PLAIN),
        Attack::plain("dfpn"),
        Attack::learnt(lesson),
        Attack::learnt(lesson).foretelling(),
    ];
    let cell = |attack| Cell::capture("captures", &problem.game, &problem.position, attack, Caps::nodes(500));
    let cells = attacks.map(&cell);
    for (nth, one) in cells.iter().enumerate() {
        assert!(cells[..nth].iter().all(|other| other.key() != one.key()), "{}", one.key());
        let [first, second] = [(); 2].map(|()| one.run(&stop).unwrap().unwrap());
        assert_eq!((first.verdict, first.stats.created), (second.verdict, second.stats.created));
        assert_ne!(first.verdict, Verdict::Disproved);
    }
    // A lesson that is interrupted leaves nothing behind.
    let other = Lesson { learner: Learner::PeakedBeta, ..lesson };
    assert_eq!(cell(Attack::learnt(other)).run(&AtomicBool::new(true)).unwrap(), None);
    for (game, position, solver) in [
        ("go-capture:7,zone=on", "nothing", "pns"),
        ("go-capture:7,zone=on,what=1", problem.position.as_str(), "pns"),
        ("connect4", problem.position.as_str(), "pns"),
        ("go-capture:7,zone=on", problem.position.as_str(), "nobody"),
    ] {
        let cell = Cell::capture("captures", game, position, Attack::plain(solver), Caps::default());
        assert!(cell.run(&stop).is_err(), "{}", cell.key());
    }
}
