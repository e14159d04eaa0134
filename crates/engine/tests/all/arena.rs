//! Who meets whom in the arena, and what the results are worth.

use delphic_engine::Interval;
use delphic_engine::arena::{Fixture, Tally, fixtures, points, shares};

#[test]
fn everybody_sits_everywhere() {
    for (agents, players, games) in [(2, 2, 10), (3, 2, 6), (2, 3, 12)] {
        let all: Vec<Fixture> = fixtures(agents, players, games, 1).collect();
        assert_eq!(all.len() as u64, games * (agents * (agents - 1) / 2) as u64);
        for seat in 0..players {
            let first = all.iter().filter(|fixture| fixture.seats[seat] == fixture.pair.0).count();
            assert_eq!(2 * first, all.len(), "seat {seat}");
        }
        assert!(all.iter().enumerate().all(|(nth, fixture)| fixture.number == nth as u64));
        let seeds: std::collections::HashSet<u64> = all.iter().map(|fixture| fixture.seed).collect();
        assert_eq!(seeds.len() as u64, games / ((1 << players) - 2));
    }
}

#[test]
fn a_draw_is_half_a_win() {
    assert_eq!(shares(&[1, -1]), [1.0, 0.0]);
    assert_eq!(shares(&[0, 0]), [0.5, 0.5]);
    assert_eq!(shares(&[-1, 1, -1]), [0.0, 1.0, 0.0]);
    let fixture = Fixture { number: 0, pair: (0, 1), seats: vec![1, 0, 0], seed: 0 };
    assert_eq!(points(&fixture, &[-1, 1, -1]), 1.0);
    assert_eq!(points(&fixture, &[0, 0, -1]), 0.5);
}

fn of(wins: u64, draws: u64, losses: u64) -> Tally {
    Tally { wins, draws, losses, points: wins as f64 + draws as f64 / 2.0 }
}

#[test]
fn intervals_are_wilsons() {
    // 30 of 100, from the definition: (0.3 + 0.0192) / 1.0384 ∓ 0.0886.
    let score = of(30, 0, 70).score();
    assert!((score.low - 0.2189).abs() < 1e-4 && (score.high - 0.3958).abs() < 1e-4, "{score:?}");
    assert_eq!(of(20, 20, 60).score(), score);
    let all = of(10, 0, 0).score();
    assert!(all.value == 1.0 && (all.high - 1.0).abs() < 1e-9 && (all.low - 0.7225).abs() < 1e-4, "{all:?}");
    assert_eq!(of(0, 0, 0).score(), Interval { value: 0.5, low: 0.0, high: 1.0 });
}

#[test]
fn elo_is_logarithmic() {
    assert_eq!(of(5, 10, 5).elo().value, 0.0);
    assert!((of(10, 0, 1).elo().value - 400.0).abs() < 1e-9);
    assert_eq!(of(3, 0, 0).elo().value, f64::INFINITY);
    let (there, back) = (of(7, 2, 3), of(7, 2, 3).reversed());
    assert_eq!(back, of(3, 2, 7));
    assert!((there.elo().low + back.elo().high).abs() < 1e-9);
}

#[test]
fn games_count_once() {
    let mut tally = Tally::default();
    [1.0, 0.0, 0.5, 1.0, 1.0 / 3.0].into_iter().for_each(|points| tally.add(points));
    assert_eq!((tally.wins, tally.draws, tally.losses, tally.games()), (2, 2, 1, 5));
}
