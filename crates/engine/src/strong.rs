//! Strong solutions: the values of all reachable positions.

mod file;
mod look_up;
mod summary;

pub use file::{TableError, TableFile, write_table};
pub use summary::Summary;

use crate::analyze::{Analysis, Distance, MoveValue};
use crate::{Answer, AnyPosition, Request, Value};
use delphic_game::erased::{Erased, ErasedState};
use delphic_game::{Game, Notation, Player, result};
use delphic_search::retro::{Retrograde, Worth};
use delphic_search::{LimitGuard, Limits, Observer, Stats, StopReason};

/// A strong solution of a two-player game below a position. Payoffs are the first player's.
pub struct Strong<'p> {
    game: Erased<'static>,
    root: ErasedState,
    retrograde: Retrograde<'p>,
}

/// A position of a strong solution.
pub struct Entry<'a> {
    game: &'a Erased<'static>,
    state: &'a ErasedState,
}

impl Entry<'_> {
    /// Its canonical form in the game's notation.
    pub fn write(&self) -> String {
        self.game.write(self.state)
    }

    /// The player to move.
    pub fn turn(&self) -> Player {
        self.game.turn(self.state)
    }

    /// Whether the game is over there.
    pub fn is_over(&self) -> bool {
        result(self.game, self.state, &mut Vec::new()).is_some()
    }
}

impl<'p> Strong<'p> {
    pub(crate) fn solve(
        position: &'p (dyn AnyPosition + 'p),
        limits: Limits<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Strong<'p>, (StopReason, Stats)> {
        let mut guard = LimitGuard::new(limits);
        let mut retrograde = position.enumerate(Player::FIRST, limits, &mut guard, observer)?;
        match retrograde.decide_all(limits, &mut guard, observer) {
            Ok(()) => Ok(Strong { game: position.erased(), root: position.state(), retrograde }),
            Err(stop) => Err((stop, retrograde.stats())),
        }
    }

    fn after(&self, line: &[u16]) -> Option<ErasedState> {
        let mut state = self.root.clone();
        for &nth in line {
            if usize::from(nth) >= self.game.count_moves(&state, &mut Vec::new()) {
                return None;
            }
            self.game.play(&mut state, nth);
        }
        Some(state)
    }

    /// The worth of the position after a line of play, given by move numbers.
    pub fn worth(&self, line: &[u16]) -> Option<Worth> {
        self.retrograde.worth(&self.after(line)?)
    }

    /// The line of shortest win and longest defence from there; empty for draws.
    pub fn line(&self, from: &[u16]) -> Vec<u16> {
        let payoffs = self.game.payoffs();
        let Some(state) = self.after(from) else { return Vec::new() };
        let Some(worth) = self.retrograde.worth(&state) else { return Vec::new() };
        match self.retrograde.place(worth.payoff) {
            Some(0) => self.retrograde.line(1, &state),
            Some(nth) if nth + 1 == payoffs.len() => self.retrograde.line(nth, &state),
            _ => Vec::new(),
        }
    }

    /// Calls the sink with every position up to symmetry.
    pub fn each(&self, sink: &mut dyn FnMut(&Entry<'_>, Worth)) {
        self.retrograde.each(&mut |state, worth| sink(&Entry { game: &self.game, state }, worth));
    }

    /// Calls the sink with the numbers of moves and of best moves of every non-terminal position.
    pub fn each_choice(&self, sink: &mut dyn FnMut(usize, usize)) {
        self.retrograde.each_choice(sink);
    }

    /// The number of positions.
    pub fn positions(&self) -> u64 {
        self.retrograde.len()
    }

    /// The number of moves (edges) between positions.
    pub fn moves(&self) -> u64 {
        self.retrograde.moves()
    }

    /// Counters of the analysis.
    pub fn stats(&self) -> Stats {
        self.retrograde.stats()
    }
}

/// The analysis of a position from a strong solution.
///
/// `known` gives the worth to the first player of the position after a move, or of the position itself.
pub(crate) fn analysis(
    position: &dyn AnyPosition,
    answer: Answer,
    known: &dyn Fn(Option<u16>) -> Option<Worth>,
    lines: &dyn Fn(u16) -> Vec<u16>,
) -> Analysis {
    let (payoffs, player) = (position.game_payoffs(), position.turn());
    let ends = [payoffs[0], payoffs[payoffs.len() - 1]];
    let value = |nth: u16, mv: String| {
        let worth = known(Some(nth));
        let payoff = worth.map(|worth| for_player(worth.payoff, player));
        let bounds = match payoff {
            Some(payoff) => (Value::of(payoff, &payoffs), Value::of(payoff, &payoffs)),
            None => (Value::of(ends[0], &payoffs), Value::of(ends[1], &payoffs)),
        };
        let distance = worth.and_then(|worth| worth.plies).map(|plies| Distance::Exactly(plies + 1));
        let line = match distance {
            Some(_) => position.write_line(&lines(nth)),
            None => Vec::new(),
        };
        MoveValue { mv, bounds, distance, line }
    };
    let moves = (0..).zip(position.moves()).map(|(nth, mv)| value(nth, mv)).collect();
    Analysis { stop: answer.stop, answer, moves, created: 0 }
}

/// The analysis of a position of a game with cycles: one retrograde analysis gives the values of the position and its moves.
pub(crate) fn analyze(
    position: &dyn AnyPosition,
    request: &Request<'_>,
    observer: &mut dyn Observer,
) -> Analysis {
    let found = position.strong(request.limits.begin(), observer);
    let strong = match found {
        Ok(strong) => strong,
        Err((stop, stats)) => {
            let answer = crate::solve::known_answer(position, request, None, stop, stats);
            return analysis(position, answer, &|_| None, &|_| Vec::new());
        }
    };
    let worth = strong.worth(&[]);
    let known = worth.map(|worth| (worth, strong.line(&[])));
    let answer = crate::solve::known_answer(position, request, known, StopReason::Solved, strong.stats());
    let after = |nth: Option<u16>| strong.worth(nth.as_slice());
    let line = |nth: u16| [vec![nth], strong.line(&[nth])].concat();
    analysis(position, answer, &after, &line)
}

/// Converts the first player's payoff to that of `player`.
pub(crate) fn for_player(payoff: i16, player: Player) -> i16 {
    if player == Player::FIRST { payoff } else { -payoff }
}
