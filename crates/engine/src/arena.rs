//! Matches between agents: the schedule, a single game, and the statistics of a series.

mod score;

pub use score::Tally;

use crate::{Agent, AnyPosition, Budget};
use delphic_game::{Player, Rng, mix};
use delphic_search::Stats;
use std::sync::atomic::Ordering;

/// A game to be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fixture {
    /// Its number; equal numbers mean the same game.
    pub number: u64,
    /// The two agents that it is a game between.
    pub pair: (usize, usize),
    /// The agent that plays for each player.
    pub seats: Vec<usize>,
    /// The seed of its random moves. Games that differ only in who plays which side share it, and so the opening.
    pub seed: u64,
}

/// All pairs of `agents` agents, in order: first and second, first and third, and so on.
pub fn pairs(agents: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..agents).flat_map(move |a| (a + 1..agents).map(move |b| (a, b)))
}

/// The schedule: `games` games for each pair of `agents`, in a game of `players` players. It is ordered by rounds, so that at any time the
/// pairs have played nearly the same number of games. Each opening is played in every assignment of players that has both agents.
pub fn fixtures(agents: usize, players: usize, games: u64, seed: u64) -> impl Iterator<Item = Fixture> {
    let pairs: Vec<(usize, usize)> = pairs(agents).collect();
    // All assignments except those that give every player to one agent.
    let seatings = (1u64 << players) - 2;
    (0..games).flat_map(move |round| {
        let (opening, seating) = (round / seatings, 1 + round % seatings);
        let pairs = pairs.clone();
        (0..pairs.len()).map(move |nth| {
            let (a, b) = pairs[nth];
            let seats = (0..players).map(|seat| if seating >> seat & 1 == 1 { a } else { b }).collect();
            let number = round * pairs.len() as u64 + nth as u64;
            Fixture { number, pair: (a, b), seats, seed: mix(seed ^ mix(opening)) }
        })
    })
}

/// A game that was played.
#[derive(Clone, PartialEq, Debug)]
pub struct Played {
    /// All moves, those of the opening included.
    pub moves: Vec<String>,
    /// The number of random moves at the beginning.
    pub opening: usize,
    /// The payoff of each player.
    pub payoffs: Vec<i16>,
    /// The effort of each player.
    pub spent: Vec<Stats>,
}

/// The number of attempts to find an opening that does not end the game.
const TRIES: usize = 100;

/// Plays a game; `None` if it was interrupted, or if no opening of that length was found.
pub fn play(
    start: &dyn AnyPosition,
    agents: &[Agent],
    fixture: &Fixture,
    opening: usize,
    budget: &Budget<'_>,
) -> Option<Played> {
    let mut rng = Rng::new(fixture.seed);
    let line = (0..TRIES).find_map(|_| draw_opening(start, opening, &mut rng))?;
    let seed = |seat: usize| mix(fixture.seed ^ mix(fixture.number << 8 | seat as u64));
    let seats = fixture.seats.iter().enumerate();
    let mut players: Vec<_> =
        seats.map(|(seat, &agent)| start.player(&agents[agent], Player::new(seat), seed(seat))).collect();
    let mut spent = vec![Stats::default(); players.len()];
    let (mut moves, mut at) = (Vec::new(), start.again());
    let mut ply = 0;
    while !at.is_over() {
        let seat = at.turn().index();
        let nth = match line.get(ply) {
            Some(&nth) => nth,
            None => {
                let thought = players[seat].think(budget, &mut ());
                if budget.limits.interrupt.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
                    return None;
                }
                spent[seat] = spent[seat].then(thought.stats);
                thought.choice
            }
        };
        moves.push(at.moves().swap_remove(nth));
        players.iter_mut().for_each(|player| player.advance(nth));
        at = at.after(nth);
        ply += 1;
    }
    Some(Played { moves, opening: line.len(), payoffs: at.payoffs()?, spent })
}

/// The numbers of random moves of an opening that does not end the game.
fn draw_opening(start: &dyn AnyPosition, plies: usize, rng: &mut Rng) -> Option<Vec<usize>> {
    let (mut line, mut at) = (Vec::new(), start.again());
    for _ in 0..plies {
        let moves = at.moves().len();
        if moves == 0 {
            return None;
        }
        line.push(rng.below(moves));
        at = at.after(line[line.len() - 1]);
    }
    (!at.is_over()).then_some(line)
}

/// Each player's share of the win: the players with the highest payoff share it equally.
///
/// ```
/// use delphic_engine::arena::shares;
///
/// assert_eq!(shares(&[1, -1]), [1.0, 0.0]);
/// assert_eq!(shares(&[0, 0]), [0.5, 0.5]);
/// ```
pub fn shares(payoffs: &[i16]) -> Vec<f64> {
    let most = payoffs.iter().max();
    let winners = payoffs.iter().filter(|&payoff| Some(payoff) == most).count();
    payoffs.iter().map(|payoff| if Some(payoff) == most { 1.0 / winners as f64 } else { 0.0 }).collect()
}

/// The score of the first agent of the pair: the share of the win of the players it plays for.
pub fn points(fixture: &Fixture, payoffs: &[i16]) -> f64 {
    let seats = fixture.seats.iter().zip(shares(payoffs));
    seats.filter(|(agent, _)| **agent == fixture.pair.0).map(|(_, share)| share).sum()
}
