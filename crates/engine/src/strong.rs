//! Strong solutions: the value of every position that can be reached.

mod file;
mod look_up;
mod summary;

pub use file::{TableError, TableFile, write_table};
pub use summary::Summary;

use crate::analyze::{Analysis, Distance, MoveValue};
use crate::{Answer, AnyPosition, Request, Value};
use delphic_game::{Game, Notation, Player, result};
use delphic_search::retro::{Retrograde, Worth};
use delphic_search::{LimitGuard, Limits, Observer, Stats, StopReason, Symmetry};

/// A strong solution of a two-player game below a position, whose type is not known. Payoffs are the first player's.
pub trait Strong {
    /// What the position after a line of play is worth, given by numbers of legal moves.
    fn worth(&self, line: &[u16]) -> Option<Worth>;

    /// The line on from there in which the winner hurries and the loser delays; empty for draws.
    fn line(&self, from: &[u16]) -> Vec<u16>;

    /// Calls the sink with every position up to symmetry.
    fn each(&self, sink: &mut dyn FnMut(&dyn Entry, Worth));

    /// Calls the sink with the numbers of moves and of best moves of every position that is not over.
    fn each_choice(&self, sink: &mut dyn FnMut(usize, usize));

    /// The number of positions.
    fn positions(&self) -> u64;

    /// The number of moves between them.
    fn moves(&self) -> u64;

    /// Counters of the analysis.
    fn stats(&self) -> Stats;
}

/// A position of a strong solution.
pub trait Entry {
    /// Its canonical form in the game's notation.
    fn write(&self) -> String;

    /// The player to move.
    fn turn(&self) -> Player;

    /// Whether the game is over there.
    fn is_over(&self) -> bool;
}

/// Solves a position strongly, for the first player.
pub(crate) fn solve<'g, G: Notation + Sync>(
    game: &'g G,
    root: &G::State,
    limits: Limits<'_>,
    observer: &mut dyn Observer,
) -> Result<Box<dyn Strong + 'g>, (StopReason, Stats)> {
    let mut guard = LimitGuard::new(limits);
    let found = Retrograde::enumerate(game, root, Player::FIRST, Symmetry::On, limits, &mut guard, observer);
    let mut retrograde = found?;
    match retrograde.decide_all(limits, &mut guard, observer) {
        Ok(()) => Ok(Box::new(Solved { game, root: root.clone(), retrograde })),
        Err(stop) => Err((stop, retrograde.stats())),
    }
}

struct Solved<'g, G: Game> {
    game: &'g G,
    root: G::State,
    retrograde: Retrograde<'g, G>,
}

impl<G: Notation + Sync> Solved<'_, G> {
    fn after(&self, line: &[u16]) -> Option<G::State> {
        let (mut state, mut moves) = (self.root.clone(), Vec::new());
        for &nth in line {
            moves.clear();
            self.game.moves(&state, &mut moves);
            self.game.play(&mut state, *moves.get(usize::from(nth))?);
        }
        Some(state)
    }
}

struct At<'a, G: Game>(&'a G, &'a G::State);

impl<G: Notation> Entry for At<'_, G> {
    fn write(&self) -> String {
        self.0.write(self.1)
    }

    fn turn(&self) -> Player {
        self.0.turn(self.1)
    }

    fn is_over(&self) -> bool {
        result(self.0, self.1, &mut Vec::new()).is_some()
    }
}

impl<G: Notation + Sync> Strong for Solved<'_, G> {
    fn worth(&self, line: &[u16]) -> Option<Worth> {
        self.retrograde.worth(&self.after(line)?)
    }

    fn line(&self, from: &[u16]) -> Vec<u16> {
        let payoffs = self.game.payoffs();
        let Some(state) = self.after(from) else { return Vec::new() };
        let Some(worth) = self.retrograde.worth(&state) else { return Vec::new() };
        match self.retrograde.place(worth.payoff) {
            Some(0) => self.retrograde.line(1, &state),
            Some(nth) if nth + 1 == payoffs.len() => self.retrograde.line(nth, &state),
            _ => Vec::new(),
        }
    }

    fn each(&self, sink: &mut dyn FnMut(&dyn Entry, Worth)) {
        self.retrograde.each(&mut |state, worth| sink(&At(self.game, state), worth));
    }

    fn each_choice(&self, sink: &mut dyn FnMut(usize, usize)) {
        self.retrograde.each_choice(sink);
    }

    fn positions(&self) -> u64 {
        self.retrograde.len()
    }

    fn moves(&self) -> u64 {
        self.retrograde.moves()
    }

    fn stats(&self) -> Stats {
        self.retrograde.stats()
    }
}

/// The analysis of a position from what is known of it and of the positions after its moves.
///
/// `known` is what a position is worth to the first player, given as a move of this position or the position itself.
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

/// The analysis of a position of a game with cycles: one pass over all positions answers for the position and its moves.
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

/// The first player's payoff as another player's.
pub(crate) fn for_player(payoff: i16, player: Player) -> i16 {
    if player == Player::FIRST { payoff } else { -payoff }
}
