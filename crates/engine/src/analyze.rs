//! The value of every legal move.
//!
//! The position is solved first, by whatever solver was asked for. Its proof says what some of the moves are worth; the others are
//! searched with the same question, starting from what was remembered and remembering what is learnt for the next move.

mod distance;

use crate::prove::Player;
use crate::solve::{Possible, investigate};
use crate::{Answer, Request, Solvable, Value};
use delphic_game::certificate::{Claim, Walk, Writer};
use delphic_game::{Asked, Force, Hints, Notation, Progressive, write_moves};
use delphic_search::prover::Prover;
use delphic_search::{Limits, Memory, Observer, StopReason};
use distance::Distances;
use std::io;
use std::time::Instant;

/// How long a decided game still lasts, the move itself included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Distance {
    /// Exactly so many plies, if the winner hurries and the loser delays.
    Exactly(u16),
    /// At most so many, if the winner plays as the proof does.
    AtMost(u16),
}

/// What is known of a move.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveValue {
    /// The move.
    pub mv: String,
    /// The least and the greatest value for the side that makes it that are not excluded.
    pub bounds: (Value, Value),
    /// How long the game lasts, if the move decides it.
    pub distance: Option<Distance>,
    /// If the distance is exact, a line of that length: the move, then the winner hurries and the loser delays. Otherwise empty.
    pub line: Vec<String>,
}

/// What is known of a position and its moves.
#[derive(Clone, PartialEq, Debug)]
pub struct Analysis {
    /// The answer for the position.
    pub answer: Answer,
    /// The moves, in the order of the rules.
    pub moves: Vec<MoveValue>,
    /// Why the moves were left undecided, if any was.
    pub stop: StopReason,
    /// Nodes created for the moves, besides those of the answer.
    pub created: u64,
}

impl Analysis {
    /// The moves that are known to have the value of the position. With all other moves known to be worse, it is the whole list.
    pub fn best(&self) -> Vec<&MoveValue> {
        let best = self.answer.value();
        let is_best = |mv: &&MoveValue| mv.bounds.0 == mv.bounds.1 && Some(mv.bounds.0) == best;
        self.moves.iter().filter(is_best).collect()
    }

    /// Whether every move is decided.
    pub fn complete(&self) -> bool {
        self.moves.iter().all(|mv| mv.bounds.0 == mv.bounds.1)
    }
}

/// Positions that a proof may have for its length to be found.
const WALK: u64 = 64 << 20;

/// Answers `request` about `position` and every move from it. Exact distances may look at `exact` positions.
pub(crate) fn analyze<'g, G>(
    game: &'g G,
    name: &str,
    position: &G::State,
    request: &Request<'_>,
    exact: u64,
    observer: &mut dyn Observer,
) -> Analysis
where
    G: Notation + Solvable,
{
    let started = Instant::now();
    let (answer, settled) = investigate(game, name, position, request, observer);
    let mut analysis = Analysis { answer, moves: Vec::new(), stop: StopReason::Solved, created: 0 };
    if delphic_game::result(game, position, &mut Vec::new()).is_some() {
        return analysis;
    }
    let (player, payoffs) = (game.turn(position), game.payoffs());
    let ask = |&at_least: &i16| Asked::new(game, Force { player, at_least }, position.clone()).foreseen();
    let asked: Vec<Asked<'g, G, Force>> = payoffs[1..].iter().map(ask).collect();
    let mut provers: Vec<Option<Prover<'_, '_, G>>> = asked.iter().map(|_| None).collect();
    let left = |memory: Option<Box<dyn Memory<Asked<'g, G, Force>>>>, nth: usize| {
        let limits = Limits {
            time: request.limits.time.map(|time| time.saturating_sub(started.elapsed())),
            memory: request.limits.memory.map(|memory| memory / 4),
            ..request.limits
        };
        Prover::new(&asked[nth], memory, limits)
    };
    for settled in settled {
        let nth = payoffs.partition_point(|&payoff| payoff < settled.claim.question.at_least) - 1;
        provers[nth] = Some(left(settled.memory, nth));
    }
    let mut distances = Distances::new(game, player, &payoffs, exact);
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    for &mv in &moves {
        let mut child = position.clone();
        game.play(&mut child, mv);
        let mut possible = Possible::new(payoffs.clone());
        while let Some(at_least) = possible.next(request.ask) {
            let nth = payoffs.partition_point(|&payoff| payoff < at_least) - 1;
            let prover = provers[nth].get_or_insert_with(|| left(None, nth));
            match prover.answer(&child) {
                Ok(yes) => possible.learn(at_least, yes),
                Err(stop) => {
                    analysis.stop = stop;
                    break;
                }
            }
        }
        let (low, high) = possible.bounds();
        let decided = match (low == high, low) {
            (true, Value::Win) => Some((payoffs.len() - 2, true)),
            (true, Value::Loss) => Some((0, false)),
            _ => None,
        };
        let distance = decided.and_then(|(nth, yes)| {
            let exactly = distances.of(&child, yes).map(|plies| Distance::Exactly(plies.saturating_add(1)));
            exactly.or_else(|| {
                let prover = provers[nth].as_mut()?;
                let plies = longest(game, &child, asked[nth].question, yes, prover)?;
                Some(Distance::AtMost(plies.saturating_add(1)))
            })
        });
        let line = match (distance, decided) {
            (Some(Distance::Exactly(_)), Some((_, yes))) => {
                let mut line = vec![mv];
                line.extend(distances.line(&child, yes));
                write_moves(game, position, &line)
            }
            _ => Vec::new(),
        };
        let mv = write_moves(game, position, &[mv]).concat();
        analysis.moves.push(MoveValue { mv, bounds: (low, high), distance, line });
    }
    analysis.created = provers.iter().flatten().map(Prover::created).sum();
    analysis
}

/// The most plies a game from `state` lasts against the strategy that `prover` knows.
fn longest<G: Progressive + Hints>(
    game: &G,
    state: &G::State,
    question: Force,
    yes: bool,
    prover: &mut Prover<'_, '_, G>,
) -> Option<u16> {
    let mut walk = Walk::new(game, Claim { question, holds: yes }, state.clone(), WALK);
    let mut nobody = None::<Writer<io::Sink>>;
    walk.run(&mut Player { prover, yes, writer: &mut nobody }).ok().map(|()| walk.plies())
}
