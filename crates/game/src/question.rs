//! Questions about positions, and their answers.
//!
//! A [`Question`] defines the player and the goal, in particular whether a draw is a success; its [`Logic`] defines how the answers of
//! children combine. All of it is exact: searches may not mark a node as solved by any other means.

use crate::{Hints, Outcome, Player};

/// How answers are combined up a tree.
pub trait Logic {
    /// The answer at a node so far.
    type Truth: Copy + Eq + std::fmt::Debug + Send + 'static;
    /// How the children of a node combine.
    type Role: Copy + Eq + std::fmt::Debug;

    /// Nothing is known yet.
    fn open(&self) -> Self::Truth;

    /// The answer of a node from those of its children (at least one, in move order).
    fn combine(&self, role: Self::Role, kids: impl Iterator<Item = Self::Truth>) -> Self::Truth;

    /// Whether the answer is final.
    fn settled(&self, truth: Self::Truth) -> bool;
}

/// A question about a position of a game.
pub trait Question: Logic {
    /// The answer at a terminal position. It is final.
    fn answer(&self, outcome: Outcome) -> Self::Truth;

    /// The kind of node of a position with `mover` to move.
    fn role(&self, mover: Player) -> Self::Role;

    /// The answer at a position that is not terminal, if the game knows it without search.
    #[inline]
    fn static_answer<G: Hints>(&self, game: &G, state: &G::State) -> Option<Self::Truth> {
        game.static_outcome(state).map(|outcome| self.answer(outcome))
    }
}

/// How the children of a node of a yes/no question combine.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Gate {
    /// An OR node: one proved child suffices. The player of the question moves.
    Or,
    /// An AND node: all children must be proved. Another player moves.
    And,
}

/// The state of a yes/no question.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Verdict {
    /// Not known yet.
    Open,
    /// The answer is yes.
    Proved,
    /// The answer is no.
    Disproved,
}

impl Verdict {
    /// `Proved` if `yes`, otherwise `Disproved`.
    #[inline]
    pub const fn of(yes: bool) -> Verdict {
        if yes { Verdict::Proved } else { Verdict::Disproved }
    }
}

/// Plain AND/OR logic: one proved child proves an OR node, one disproved child disproves an AND node, and the
/// opposite needs all of them.
///
/// ```
/// use delphic_game::{AndOr, Gate, Logic, Verdict::{Disproved, Open, Proved}};
///
/// assert_eq!(AndOr.combine(Gate::Or, [Open, Proved].into_iter()), Proved);
/// assert_eq!(AndOr.combine(Gate::And, [Open, Proved].into_iter()), Open);
/// assert_eq!(AndOr.combine(Gate::And, [Open, Disproved].into_iter()), Disproved);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AndOr;

impl Logic for AndOr {
    type Truth = Verdict;
    type Role = Gate;

    #[inline]
    fn open(&self) -> Verdict {
        Verdict::Open
    }

    #[inline]
    fn combine(&self, gate: Gate, kids: impl Iterator<Item = Verdict>) -> Verdict {
        let (decisive, otherwise) = match gate {
            Gate::Or => (Verdict::Proved, Verdict::Disproved),
            Gate::And => (Verdict::Disproved, Verdict::Proved),
        };
        let mut result = otherwise;
        for kid in kids {
            if kid == decisive {
                return decisive;
            }
            if kid == Verdict::Open {
                result = Verdict::Open;
            }
        }
        result
    }

    #[inline]
    fn settled(&self, truth: Verdict) -> bool {
        truth != Verdict::Open
    }
}

/// Can `player` force a payoff of at least `at_least` against all others?
///
/// ```
/// use delphic_game::{Force, Gate, Outcome, Player, Question, Verdict};
///
/// let draw = Force { player: Player::FIRST, at_least: 0 };
/// assert_eq!(draw.answer(Outcome::DRAW), Verdict::Proved);
/// assert_eq!(draw.role(Player::SECOND), Gate::And);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Force {
    /// The player of the question.
    pub player: Player,
    /// The payoff that counts as success: 1 a win, 0 at least a draw, or a score.
    pub at_least: i16,
}

impl Logic for Force {
    type Truth = Verdict;
    type Role = Gate;

    #[inline]
    fn open(&self) -> Verdict {
        AndOr.open()
    }

    #[inline]
    fn combine(&self, role: Gate, kids: impl Iterator<Item = Verdict>) -> Verdict {
        AndOr.combine(role, kids)
    }

    #[inline]
    fn settled(&self, truth: Verdict) -> bool {
        AndOr.settled(truth)
    }
}

impl Question for Force {
    #[inline]
    fn answer(&self, outcome: Outcome) -> Verdict {
        Verdict::of(outcome.payoff(self.player) >= self.at_least)
    }

    #[inline]
    fn role(&self, mover: Player) -> Gate {
        gate(self.player, mover)
    }

    #[inline]
    fn static_answer<G: Hints>(&self, game: &G, state: &G::State) -> Option<Verdict> {
        game.static_answer(state, *self)
    }
}

/// OR where the player of the question moves, AND where another player moves.
#[inline]
fn gate(asking: Player, mover: Player) -> Gate {
    if mover == asking { Gate::Or } else { Gate::And }
}

/// Bounds on a score: it lies between `lo` and `hi`, both included.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Bounds {
    /// At least this.
    pub lo: i16,
    /// At most this.
    pub hi: i16,
}

/// What is the best payoff that `player` can force, within `range`?
///
/// Of a value outside the range only the side is found. The whole range of payoffs asks for the exact value.
///
/// ```
/// use delphic_game::{Bounds, Gate, Logic, Player, Score};
///
/// let score = Score { player: Player::FIRST, range: Bounds { lo: -10, hi: 10 } };
/// let kids = [Bounds { lo: 3, hi: 3 }, score.open()];
/// assert_eq!(score.combine(Gate::Or, kids.into_iter()), Bounds { lo: 3, hi: 10 });
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Score {
    /// The player of the question.
    pub player: Player,
    /// The values that matter.
    pub range: Bounds,
}

impl Logic for Score {
    type Truth = Bounds;
    type Role = Gate;

    fn open(&self) -> Bounds {
        self.range
    }

    fn combine(&self, role: Gate, kids: impl Iterator<Item = Bounds>) -> Bounds {
        kids.reduce(|a, b| match role {
            Gate::Or => Bounds { lo: a.lo.max(b.lo), hi: a.hi.max(b.hi) },
            Gate::And => Bounds { lo: a.lo.min(b.lo), hi: a.hi.min(b.hi) },
        })
        .unwrap_or(self.range)
    }

    fn settled(&self, truth: Bounds) -> bool {
        truth.lo == truth.hi
    }
}

impl Question for Score {
    fn answer(&self, outcome: Outcome) -> Bounds {
        let payoff = outcome.payoff(self.player).clamp(self.range.lo, self.range.hi);
        Bounds { lo: payoff, hi: payoff }
    }

    fn role(&self, mover: Player) -> Gate {
        gate(self.player, mover)
    }
}

/// What are the payoffs if every player maximises their own (max^n)?
///
/// Ties go to the first of equally good moves, so that the answer is unique.
///
/// ```
/// use delphic_game::{Logic, Maxn, Outcome, Player};
///
/// let [one, other] = [[2, 0, 1, 0], [1, 3, 0, 0]].map(Outcome::new);
/// let value = |mover| Maxn { best: 3 }.combine(mover, [Some(one), Some(other)].into_iter());
/// assert_eq!(value(Player::FIRST), Some(one));
/// assert_eq!(value(Player::SECOND), Some(other));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Maxn {
    /// The highest payoff of the game. A move that gets it need not be compared with later ones.
    pub best: i16,
}

impl Logic for Maxn {
    type Truth = Option<Outcome>;
    type Role = Player;

    fn open(&self) -> Option<Outcome> {
        None
    }

    fn combine(&self, role: Player, kids: impl Iterator<Item = Option<Outcome>>) -> Option<Outcome> {
        let mut best: Option<Outcome> = None;
        for kid in kids {
            // An open child might still be better, or as good and earlier than what follows.
            let kid = kid?;
            if best.is_none_or(|b| kid.payoff(role) > b.payoff(role)) {
                best = Some(kid);
            }
            if kid.payoff(role) >= self.best {
                break;
            }
        }
        best
    }

    fn settled(&self, truth: Option<Outcome>) -> bool {
        truth.is_some()
    }
}

impl Question for Maxn {
    fn answer(&self, outcome: Outcome) -> Option<Outcome> {
        Some(outcome)
    }

    fn role(&self, mover: Player) -> Player {
        mover
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn and_or_logic() {
        use Verdict::{Disproved, Open, Proved};
        let combine = |gate, kids: &[Verdict]| AndOr.combine(gate, kids.iter().copied());
        assert_eq!(combine(Gate::Or, &[Open, Proved, Disproved]), Proved);
        assert_eq!(combine(Gate::Or, &[Open, Disproved]), Open);
        assert_eq!(combine(Gate::Or, &[Disproved, Disproved]), Disproved);
        assert_eq!(combine(Gate::And, &[Proved, Disproved, Open]), Disproved);
        assert_eq!(combine(Gate::And, &[Proved, Open]), Open);
        assert_eq!(combine(Gate::And, &[Proved]), Proved);
    }

    #[test]
    fn score_bounds_meet_when_the_rest_cannot_matter() {
        let question = Score { player: Player::FIRST, range: Bounds { lo: -1, hi: 1 } };
        let draw = question.answer(Outcome::DRAW);
        let win = question.answer(Outcome::win(Player::FIRST));
        let kids = [draw, win, question.open()];
        assert_eq!(question.combine(Gate::Or, kids.into_iter()), win);
        assert_eq!(question.combine(Gate::And, kids.into_iter()), Bounds { lo: -1, hi: 0 });
    }

    #[test]
    fn maxn_takes_the_first_of_equals_and_stops_at_the_best() {
        let question = Maxn { best: 2 };
        let [poor, good, best] = [[0, 5, 0, 0], [1, 0, 3, 0], [2, 0, 0, 0]].map(Outcome::new);
        let value = |kids: &[Option<Outcome>]| question.combine(Player::FIRST, kids.iter().copied());
        assert_eq!(value(&[Some(poor), Some(good)]), Some(good));
        assert_eq!(value(&[Some(poor), Some(best), None]), Some(best));
        assert_eq!(value(&[None, Some(best)]), None, "an earlier move might pay as much");
    }
}
