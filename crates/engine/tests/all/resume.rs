//! Searches that are saved and resumed, at random moments, for every game and every solver that keeps checkpoints.

use crate::boards::SMALL;
use delphic_engine::{Limits, SOLVERS, Solver, StopReason, game};
use delphic_game::{Force, Rng, Verdict};
use delphic_search::checkpoint::Content;
use delphic_search::{CheckpointStore, Report, Searchable, Spent};
use std::io::{self, Read};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

/// A checkpoint in memory.
type Saved = (Spent, Vec<u8>);

/// Keeps the last checkpoint in memory.
#[derive(Debug, Default)]
struct MemoryStore {
    asked: AtomicU32,
    kept: Mutex<Option<Saved>>,
    to_load: Mutex<Option<Saved>>,
    refused: Mutex<Option<io::Error>>,
}

impl MemoryStore {
    fn holding(saved: Option<Saved>) -> MemoryStore {
        MemoryStore { to_load: Mutex::new(saved), ..MemoryStore::default() }
    }

    fn take(self) -> Option<Saved> {
        self.kept.into_inner().unwrap()
    }

    fn has_refused(&self) -> bool {
        self.refused.lock().unwrap().is_some()
    }
}

impl CheckpointStore for MemoryStore {
    /// The first few times that a search looks at the clock.
    fn due(&self) -> bool {
        self.asked.fetch_add(1, Ordering::Relaxed) < 3
    }

    fn save(&self, spent: &Spent, content: Content<'_>) -> io::Result<()> {
        let mut bytes = Vec::new();
        content(&mut bytes)?;
        *self.kept.lock().unwrap() = Some((*spent, bytes));
        Ok(())
    }

    fn load(&self) -> Option<(Spent, Box<dyn Read + '_>)> {
        let (spent, bytes) = self.to_load.lock().unwrap().take()?;
        Some((spent, Box::new(io::Cursor::new(bytes))))
    }

    fn refuse(&self, why: io::Error) {
        *self.refused.lock().unwrap() = Some(why);
    }
}

/// The solvers that keep checkpoints, with few playouts, and parameters worth a test of their own. `auto` runs one of them.
fn solvers() -> Vec<Solver> {
    let resumable = SOLVERS.iter().filter(|info| info.resumable() && info.name != "auto");
    let listed = resumable.map(|info| {
        let playouts = info.parameters.iter().any(|parameter| parameter.name == "playouts");
        if playouts { format!("{}:playouts=2", info.name) } else { info.name.to_owned() }
    });
    let more = ["ppt:symmetry=on", "pnt:symmetry=on", "dfpp:prior=eval"].map(str::to_owned);
    listed.chain(more).map(|name| name.parse().unwrap()).collect()
}

fn run(solver: &Solver, position: &dyn Searchable, question: Force, limits: Limits<'_>) -> Report {
    solver.run(position, question, None, limits, 1, &mut ()).0
}

/// Times a run is interrupted.
const STOPS: usize = 20;
/// Nodes of a run that is too long to be repeated to its end.
const LONG: u64 = 1_500;

/// Interrupts one run at many random moments: the nodes it created in all, and those of the uninterrupted run.
fn interrupted(solver: &Solver, position: &dyn Searchable, question: Force, rng: &mut Rng) -> [u64; 2] {
    let most = Limits { nodes: Some(LONG), ..Limits::default() };
    let whole = run(solver, position, question, most);
    let work = whole.stats.created.max(1);
    let mut moments: Vec<u64> = (0..STOPS).map(|_| 1 + rng.below(work as usize) as u64).collect();
    moments.sort_unstable();
    moments.push(LONG);
    let mut saved = None;
    for nodes in moments {
        let store = MemoryStore::holding(saved);
        let limits = Limits { nodes: Some(nodes), checkpoints: Some(&store), ..Limits::default() };
        let report = run(solver, position, question, limits);
        assert!(!store.has_refused(), "{store:?}");
        if report.truth != Verdict::Open || nodes == LONG {
            assert_eq!(report.truth, whole.truth);
            return [report.stats.created, whole.stats.created];
        }
        assert_eq!(report.stop, StopReason::Nodes);
        saved = store.take();
        let (spent, _) = saved.as_ref().expect("a search that stops keeps a checkpoint");
        assert_eq!(spent.stats.created, report.stats.created);
    }
    unreachable!("the last moment ends the run")
}

/// The search goes on exactly as if nothing had happened: the same verdict, the same work.
#[test]
fn interruptions_change_neither_the_answer_nor_the_work() {
    let (solvers, mut rng, mut runs) = (solvers(), Rng::new(7), 0);
    for (name, specs) in SMALL {
        for spec in *specs {
            let game = game(spec).unwrap_or_else(|error| panic!("{name}: {error}"));
            let position = game.position(None, None).unwrap();
            let at_least = *position.game_payoffs().last().unwrap();
            let question = Force { player: position.turn(), at_least };
            for solver in &solvers {
                let [work, whole] = interrupted(solver, &*position.search(), question, &mut rng);
                assert_eq!(work, whole, "{solver} on {spec}");
                runs += 1;
            }
        }
    }
    println!("{runs} runs of {STOPS} interruptions each");
}

/// A checkpoint that is cut off, or of another problem, is refused; one with a wrong byte is refused or leads to some end.
#[test]
fn damaged_checkpoints_are_refused_without_a_panic() {
    let start = |spec| game(spec).unwrap().position(None, None).unwrap();
    let (board, other) = (start("connect4:5x5"), start("connect4:4x5"));
    let (here, foreign) = (board.search(), other.search());
    let question = Force { player: here.turn(), at_least: 1 };
    let mut rng = Rng::new(3);
    for solver in solvers() {
        let store = MemoryStore::default();
        let part = Limits { nodes: Some(200), checkpoints: Some(&store), ..Limits::default() };
        assert_eq!(run(&solver, &*here, question, part).truth, Verdict::Open, "{solver}");
        let (spent, bytes) = store.take().expect("a checkpoint");
        let resume = |position: &dyn Searchable, bytes: &[u8]| {
            let store = MemoryStore::holding(Some((spent, bytes.to_vec())));
            let limits = Limits { nodes: Some(3_000), checkpoints: Some(&store), ..Limits::default() };
            let stop = run(&solver, position, question, limits).stop;
            let refused = store.has_refused();
            assert_eq!(refused, stop == StopReason::Checkpoint, "{solver}");
            assert!(!refused || store.take().is_none(), "{solver} overwrote what it refused");
            refused
        };
        assert!(resume(&*foreign, &bytes), "{solver} took a checkpoint of another board");
        assert!(resume(&*here, &[&bytes[..], &[0]].concat()), "{solver} took one with something behind it");
        for _ in 0..60 {
            assert!(resume(&*here, &bytes[..rng.below(bytes.len())]), "{solver} took half a checkpoint");
            let mut wrong = bytes.clone();
            wrong[rng.below(bytes.len())] ^= 1 << rng.below(8);
            resume(&*here, &wrong);
        }
    }
}
