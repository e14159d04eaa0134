//! Alpha-beta that knows the rules alone, as paper 2's did: no static outcomes, no evaluation, no candidate moves.
//!
//! The solver `alphabeta` takes everything a game offers. Here the game is wrapped so that it offers nothing; the search is the same.

use crate::allowance;
use crate::{Caps, LabError, Record, Verdict};
use delphic_engine::{InputError, Limits, StopReason};
use delphic_game::{Force, Game, Hints, Notation, NotationError, Outcome, Player, Progressive, Spec};
use delphic_game::{Verdict as Truth, write_numbered};
use delphic_games::{Domineering, Family, NoGo};
use delphic_learn::clock::Stopwatch;
use delphic_search::{GameProblem, Report, Symmetry, alphabeta};
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Null-window alpha-beta over the rules alone, without symmetries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BareAlphaBeta;

impl fmt::Display for BareAlphaBeta {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("alphabeta-by-rules:symmetry=off")
    }
}

impl BareAlphaBeta {
    /// Asks whether the side to move wins at the start of Domineering or NoGo; `None` if it was interrupted.
    pub(crate) fn run(
        self,
        game: &str,
        caps: &Caps,
        interrupt: &AtomicBool,
    ) -> Result<Option<Record>, LabError> {
        let mut spec = Spec::parse(game);
        let record = if game.starts_with("nogo") {
            search(RulesOnly(NoGo::build(&mut spec).map_err(InputError::from)?), caps, interrupt)
        } else {
            search(RulesOnly(Domineering::build(&mut spec).map_err(InputError::from)?), caps, interrupt)
        };
        Ok(record)
    }
}

fn search<G: Progressive + Send + Sync + 'static>(
    game: RulesOnly<G>,
    caps: &Caps,
    interrupt: &AtomicBool,
) -> Option<Record> {
    let start = game.start();
    let question = Force { player: game.turn(&start), at_least: 1 };
    let problem = GameProblem::new(&game, question, start.clone());
    let solve = |limits: Limits<'_>| alphabeta::solve(&problem, Symmetry::Off, limits, &mut ());
    let (limits, watch) = (caps.limits(interrupt), Stopwatch::start());
    let within = caps.seconds.and_then(|seconds| {
        allowance::within(Duration::from_secs(seconds), interrupt, |flag| {
            solve(Limits { time: None, interrupt: Some(flag), ..limits })
        })
    });
    let (Report { truth, stop, mut stats, line, .. }, ended) =
        within.unwrap_or_else(|| (solve(limits), false));
    stats.time = watch.elapsed();
    let by_time = ended && stop == StopReason::Interrupted && !interrupt.load(Ordering::Relaxed);
    let stop = if by_time { StopReason::Time } else { stop };
    let verdict = match truth {
        Truth::Proved => Verdict::Proved,
        Truth::Disproved => Verdict::Disproved,
        Truth::Open => Verdict::Unknown,
    };
    (stop != StopReason::Interrupted).then(|| Record {
        verdict,
        stop: stop.name().to_owned(),
        score: None,
        estimated_at: None,
        line: write_numbered(&game, &start, &line).join(" "),
        stats,
    })
}

/// A game that says nothing beyond its rules.
struct RulesOnly<G>(G);

impl<G: Game> Game for RulesOnly<G> {
    type State = G::State;
    type Move = G::Move;

    fn start(&self) -> G::State {
        self.0.start()
    }
    #[inline]
    fn turn(&self, state: &G::State) -> Player {
        self.0.turn(state)
    }
    #[inline]
    fn moves(&self, state: &G::State, list: &mut Vec<G::Move>) {
        self.0.moves(state, list);
    }
    #[inline]
    fn play(&self, state: &mut G::State, mv: G::Move) {
        self.0.play(state, mv);
    }
    #[inline]
    fn outcome(&self, state: &G::State) -> Option<Outcome> {
        self.0.outcome(state)
    }
    #[inline]
    fn stuck(&self, state: &G::State) -> Outcome {
        self.0.stuck(state)
    }
    #[inline]
    fn key(&self, state: &G::State) -> u64 {
        self.0.key(state)
    }
    fn heap_bytes(&self) -> usize {
        self.0.heap_bytes()
    }
    #[inline]
    fn count_moves(&self, state: &G::State, scratch: &mut Vec<G::Move>) -> usize {
        self.0.count_moves(state, scratch)
    }
}

impl<G: Game> Hints for RulesOnly<G> {}

impl<G: Notation> Notation for RulesOnly<G> {
    const HOW: &'static str = G::HOW;

    fn write_move(&self, state: &G::State, mv: G::Move) -> String {
        self.0.write_move(state, mv)
    }
    fn write(&self, state: &G::State) -> String {
        self.0.write(state)
    }
    fn read(&self, text: &str) -> Result<G::State, NotationError> {
        self.0.read(text)
    }
}

impl<G: Progressive> Progressive for RulesOnly<G> {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cell;

    /// The same answers as with knowledge, and far more positions.
    #[test]
    fn rules_alone_give_the_same_answers() {
        let go = AtomicBool::new(false);
        for game in ["domineering:4x4", "domineering:5x4", "nogo:3x4", "nogo:1x11"] {
            let bare = Cell::bare("test", game, Caps::default()).run(&go).unwrap().unwrap();
            let known =
                Cell::solve("test", game, "", "alphabeta:symmetry=off".parse().unwrap(), Caps::default());
            let known = known.run(&go).unwrap().unwrap();
            assert!(bare.verdict.proven(), "{game}");
            assert_eq!(bare.verdict, known.verdict, "{game}");
            assert!(bare.stats.visited > known.stats.visited, "{game}");
        }
        assert!(Cell::bare("test", "nogo:0x0", Caps::default()).run(&go).is_err());
    }

    #[test]
    fn limits_are_kept() {
        let caps = Caps::nodes(1_000);
        let record =
            Cell::bare("test", "domineering:6x6", caps).run(&AtomicBool::new(false)).unwrap().unwrap();
        assert_eq!((record.verdict, record.stop.as_str()), (Verdict::Unknown, "nodes"));
        assert_eq!(record.stats.created, 1_000);
    }
}
