//! How fast patterns are: keys of all templates for a move, and created nodes a second on the large board with a learnt prior.

use delphic_game::patterns::Patterns;
use delphic_game::{Asked, Force, Game, Player, Rng};
use delphic_games::GoCapture;
use delphic_games::go::CaptureState;
use delphic_learn::clock::Stopwatch;
use delphic_learn::gaussian::Gaussian;
use delphic_learn::harvest::harvest;
use delphic_learn::templates::Templates;
use delphic_learn::{LearnedPrior, Table};
use delphic_search::Limits;
use delphic_search::kernel::{self, Expand};
use delphic_search::prior::Leaf;
use delphic_search::rule::Product;
use std::sync::Arc;

/// The large board with some stones on it.
fn position(game: &GoCapture) -> CaptureState {
    let (mut state, mut rng) = (game.start(), Rng::new(1));
    state.limit = 6;
    for round in 0..120 {
        let point = rng.below(19) * 20 + rng.below(19);
        let who = Player::new(round % 2);
        let far = (point as i32 - i32::from(state.target)).abs() > 65;
        if far && game.board().may_place(&state.stones, who, point) {
            game.board().put(&mut state.stones, who, point);
        }
    }
    state
}

fn main() {
    let game = GoCapture::new(19);
    let (templates, state, mut moves) = (Templates::new(game.alike()), position(&game), Vec::new());
    game.moves(&state, &mut moves);
    let children: Vec<_> = moves
        .iter()
        .map(|&mv| {
            (mv, {
                let mut next = state;
                game.play(&mut next, mv);
                next
            })
        })
        .collect();
    let best = |work: &mut dyn FnMut() -> u64, per: usize| {
        let once = |work: &mut dyn FnMut() -> u64| {
            let watch = Stopwatch::start();
            let sum: u64 = (0..40).fold(0, |sum, _| sum ^ work());
            std::hint::black_box(sum);
            watch.elapsed().as_secs_f64() * 1e9 / (40 * per) as f64
        };
        (0..50).map(|_| once(work)).fold(f64::INFINITY, f64::min)
    };
    let seen: Vec<_> =
        children.iter().map(|(mv, next)| game.surroundings(&state, *mv, next, state.attacker)).collect();
    let keys =
        best(&mut || seen.iter().fold(0, |sum, seen| sum ^ templates.stack(seen, true)[7]), seen.len());
    let looks = best(
        &mut || {
            children.iter().fold(0, |sum, (mv, next)| {
                sum ^ u64::from(game.surroundings(&state, *mv, next, state.attacker).cells[5])
            })
        },
        children.len(),
    );
    println!(
        "per move: {looks:.0} ns to look at the surroundings, {keys:.0} ns for the keys of all eight templates"
    );
    let mut scratch = Vec::new();
    let plays = best(
        &mut || {
            moves.iter().fold(0, |sum, &mv| {
                let mut next = state;
                game.play(&mut next, mv);
                sum ^ u64::from(next.ko)
            })
        },
        moves.len(),
    );
    let ends = best(
        &mut || children.iter().fold(0, |sum, (_, next)| sum ^ u64::from(game.outcome(next).is_some())),
        moves.len(),
    );
    let counts = best(
        &mut || children.iter().fold(0, |sum, (_, next)| sum ^ game.count_moves(next, &mut scratch) as u64),
        moves.len(),
    );
    println!(
        "per move: {plays:.0} ns to play it, {ends:.0} ns to see whether the game is over, {counts:.0} ns to count the replies"
    );
    // Something to know: the solved moves of smaller problems, zones allowed.
    let mut table = Table::default();
    let zoned = GoCapture::new(19).zoned(1, true);
    for limit in 2..6 {
        let asked = Asked::new(
            &zoned,
            Force { player: state.attacker, at_least: 1 },
            CaptureState { limit, ..state },
        );
        let limits = Limits { nodes: Some(100_000), ..Limits::default() };
        let report =
            kernel::solve(&asked, Product::default(), Leaf::Mobility, Expand::Plain, limits, &mut ());
        harvest(&asked, &report, 100_000, &mut table);
    }
    let prior = Leaf::from(LearnedPrior::new(&game, Arc::new(Gaussian::default().fit(&table))));
    let asked = Asked::new(&game, Force { player: state.attacker, at_least: 1 }, state);
    let run = |name: &str, prior: &mut dyn FnMut(Limits<'_>) -> u64| {
        let watch = Stopwatch::start();
        let created = prior(Limits { nodes: Some(400_000), ..Limits::default() });
        println!(
            "{name}: {:.0} created nodes per second at 19x19, everything legal ({created} created)",
            created as f64 / watch.elapsed().as_secs_f64()
        );
    };
    let created = |prior: Leaf, limits: Limits<'_>| {
        kernel::solve(&asked, Product::default(), prior, Expand::Plain, limits, &mut ()).stats.created
    };
    run("mobility", &mut |limits| created(Leaf::Mobility, limits));
    run(&format!("learnt ({} patterns)", table.len()), &mut |limits| created(prior.clone(), limits));
}
