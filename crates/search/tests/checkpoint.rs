//! Searches that are put down and taken up again, at any moment and as often as one likes.

use delphic_game::{Asked, Force, Game, Gate, Hints, Player, Progressive, Rng, Verdict};
use delphic_games::{Connect4, Domineering, NoGo};
use delphic_search::checkpoint::Content;
use delphic_search::dag::Symmetry;
use delphic_search::kernel::Expand;
use delphic_search::prior::{Leaf, Playouts};
use delphic_search::rule::{Counts, ExpectedWork, MinSum, Product, Sum, Thresholds};
use delphic_search::{Account, Archive, Limits, Report, StopReason, alphabeta, dag, depth_first, kernel};
use std::io::{self, Read};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

/// Keeps the last checkpoint in memory.
#[derive(Debug, Default)]
struct Shelf {
    asked: AtomicU32,
    kept: Mutex<Option<(Account, Vec<u8>)>>,
    to_load: Mutex<Option<(Account, Vec<u8>)>>,
    refused: Mutex<Option<io::Error>>,
}

impl Shelf {
    fn holding(saved: Option<(Account, Vec<u8>)>) -> Shelf {
        Shelf { to_load: Mutex::new(saved), ..Shelf::default() }
    }

    fn take(self) -> Option<(Account, Vec<u8>)> {
        self.kept.into_inner().expect("nobody panicked")
    }
}

impl Archive for Shelf {
    /// The first few times that a search looks at the clock.
    fn due(&self) -> bool {
        self.asked.fetch_add(1, Ordering::Relaxed) < 3
    }

    fn save(&self, account: &Account, content: Content<'_>) {
        let mut bytes = Vec::new();
        content(&mut bytes).expect("memory takes all");
        *self.kept.lock().expect("nobody panicked") = Some((*account, bytes));
    }

    fn load(&self) -> Option<(Account, Box<dyn Read + '_>)> {
        let (account, bytes) = self.to_load.lock().expect("nobody panicked").take()?;
        Some((account, Box::new(io::Cursor::new(bytes))))
    }

    fn refuse(&self, why: io::Error) {
        *self.refused.lock().expect("nobody panicked") = Some(why);
    }
}

const SOLVERS: &[&str] =
    &["pns", "pn2", "pnt", "dfpn", "pp", "pp2", "ppt", "dfpp", "ppn", "ppnt", "dfppn", "ews", "alphabeta"];

type Asking<'g, G> = Asked<'g, G, Force>;

fn solve<'g, G: Progressive + Hints>(
    name: &str,
    asked: &Asking<'g, G>,
    limits: Limits<'_>,
) -> Report<Asking<'g, G>> {
    fn guided<'g, G: Progressive + Hints, R: Thresholds<Role = Gate>>(
        name: &str,
        asked: &Asking<'g, G>,
        rule: R,
        leaf: Leaf,
        limits: Limits<'_>,
    ) -> Report<Asking<'g, G>> {
        match name {
            _ if name.starts_with("df") => {
                depth_first::solve(asked, rule, leaf, Symmetry::On, limits, &mut ())
            }
            _ if name.ends_with('t') => dag::solve(asked, rule, leaf, Symmetry::On, limits, &mut ()),
            _ if name.ends_with('2') => kernel::solve(asked, rule, leaf, Expand::TwoLevel, limits, &mut ()),
            _ => kernel::solve(asked, rule, leaf, Expand::Plain, limits, &mut ()),
        }
    }
    let playouts = || Playouts::new(5, 1);
    match name {
        "alphabeta" => alphabeta::solve(asked, Symmetry::On, limits, &mut ()),
        "ews" => {
            let leaf = Leaf::Effort(playouts());
            kernel::solve(asked, ExpectedWork::default(), leaf, Expand::Plain, limits, &mut ())
        }
        "ppn" | "ppnt" | "dfppn" => {
            guided(name, asked, Product::default(), Leaf::Playouts(playouts()), limits)
        }
        _ if name.contains("pn") => {
            guided(name, asked, MinSum { kind: Counts, sum: Sum::Plain }, Leaf::Mobility, limits)
        }
        _ => guided(name, asked, Product::default(), Leaf::Mobility, limits),
    }
}

/// Times a run is interrupted.
const TIMES: usize = 20;

/// Interrupts one run at many random moments, and tells the nodes it created in all, and those of the uninterrupted run.
fn interrupted<G: Progressive + Hints>(name: &str, asked: &Asking<'_, G>, rng: &mut Rng) -> [u64; 2] {
    let whole = solve(name, asked, Limits::default());
    assert_eq!(whole.stop, StopReason::Solved, "{name}");
    let work = whole.stats.created;
    let mut moments: Vec<u64> = (0..TIMES).map(|_| 1 + rng.below(work as usize) as u64).collect();
    moments.sort_unstable();
    let mut saved = None;
    for nodes in moments {
        let shelf = Shelf::holding(saved);
        let limits = Limits { nodes: Some(nodes), archive: Some(&shelf), ..Limits::default() };
        let report = solve(name, asked, limits);
        assert!(shelf.refused.lock().expect("nobody panicked").is_none(), "{name}: {shelf:?}");
        if report.truth != Verdict::Open {
            assert_eq!(report.truth, whole.truth, "{name}");
            return [report.stats.created, work];
        }
        assert_eq!(report.stop, StopReason::Nodes, "{name}");
        saved = shelf.take();
        let (account, _) = saved.as_ref().expect("a search that stops keeps a checkpoint");
        assert_eq!(account.stats.created, report.stats.created, "{name}");
    }
    let shelf = Shelf::holding(saved);
    let limits = Limits { archive: Some(&shelf), ..Limits::default() };
    let report = solve(name, asked, limits);
    assert_eq!((report.truth, report.stop), (whole.truth, StopReason::Solved), "{name}");
    assert!(shelf.to_load.lock().expect("nobody panicked").is_none(), "{name} went on from nothing");
    [report.stats.created, work]
}

fn first_wins<G: Game>(game: &G) -> Asking<'_, G> {
    Asked::new(game, Force { player: Player::FIRST, at_least: 1 }, game.start())
}

/// The search goes on exactly as if nothing had happened: the same verdict, the same work.
#[test]
fn interruptions_change_neither_the_answer_nor_the_price() {
    let (domineering, connect4, nogo) = (Domineering::new(5, 5), Connect4::new(4, 4, 4), NoGo::new(3, 3));
    // Tables forget only when they have something to remember.
    let larger = NoGo::new(3, 4);
    let mut rng = Rng::new(7);
    for &name in SOLVERS {
        let mut work = vec![
            interrupted(name, &first_wins(&domineering), &mut rng),
            interrupted(name, &first_wins(&connect4), &mut rng),
            interrupted(name, &first_wins(&nogo), &mut rng),
        ];
        if name.starts_with("df") || name == "alphabeta" {
            work.push(interrupted(name, &first_wins(&larger), &mut rng));
        }
        assert!(work.iter().all(|[interrupted, whole]| interrupted == whole), "{name}: {work:?}");
    }
}

/// A checkpoint that is cut off, or of another problem, is refused; one with a wrong byte is refused or leads to some end.
#[test]
fn what_does_not_fit_is_refused_without_a_panic() {
    let (game, other) = (Domineering::new(5, 5), Domineering::new(5, 4));
    let (asked, foreign) = (first_wins(&game), first_wins(&other));
    let mut rng = Rng::new(3);
    for &name in SOLVERS {
        let shelf = Shelf::default();
        let part = Limits { nodes: Some(200), archive: Some(&shelf), ..Limits::default() };
        assert_eq!(solve(name, &asked, part).truth, Verdict::Open, "{name}");
        let (account, bytes) = shelf.take().expect("a checkpoint");
        let go_on = |asked: &Asking<'_, Domineering>, bytes: &[u8]| {
            let shelf = Shelf::holding(Some((account, bytes.to_vec())));
            let limits = Limits { nodes: Some(3_000), archive: Some(&shelf), ..Limits::default() };
            let stop = solve(name, asked, limits).stop;
            let refused = shelf.refused.lock().expect("nobody panicked").is_some();
            assert_eq!(refused, stop == StopReason::Checkpoint, "{name}");
            assert!(!refused || shelf.take().is_none(), "{name} overwrote what it refused");
            refused
        };
        assert!(go_on(&foreign, &bytes), "{name} took a checkpoint of another board");
        assert!(go_on(&asked, &[&bytes[..], &[0]].concat()), "{name} took one with something behind it");
        for _ in 0..60 {
            assert!(go_on(&asked, &bytes[..rng.below(bytes.len())]), "{name} took half a checkpoint");
            let mut wrong = bytes.clone();
            wrong[rng.below(bytes.len())] ^= 1 << rng.below(8);
            go_on(&asked, &wrong);
        }
    }
}
