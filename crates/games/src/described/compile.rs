//! Compiles a description to a game: the final checks, and properties that follow from all rules together.

use super::board::Board;
use super::progress::always_ends;
use super::rules::{Act, Again, End, KINDS, Kind, Rule, Shift, Targets, Test, Winner};
use super::state::{Described, State};
use super::symmetry;
use delphic_game::{Outcome, Player};

/// Compiles the rules of a description. Errors are about the rules as a whole.
#[expect(clippy::too_many_arguments)]
pub(super) fn compile(
    board: Board,
    kinds: Vec<Kind>,
    rules: Vec<Rule>,
    ends: Vec<End>,
    men: [u64; KINDS],
    hand: u8,
    begins: Player,
    endless: Outcome,
) -> Result<Described, String> {
    let start = State { men, turn: begins, hands: [hand; 2], lead: 0, over: 0 };
    let (symmetries, overlaps, extra_turns) = (Vec::new(), false, false);
    let (endless_declared, endless) = (endless, None);
    let game = Described {
        board,
        kinds,
        rules,
        ends,
        start,
        endless,
        endless_declared,
        symmetries,
        overlaps,
        extra_turns,
    };
    recompiled(game)
}

/// Checks the rules of a game and derives its symmetries and whether it has cycles.
pub(super) fn recompiled(mut game: Described) -> Result<Described, String> {
    let Described { board, kinds, rules, ends, .. } = &mut game;
    let extra_turns = rules.iter().any(|rule| rule.again != Again::Never);
    let shared = |of: Targets| {
        of.shared
            || kinds.iter().enumerate().any(|(nth, kind)| of.kinds >> nth & 1 == 1 && kind.owner.is_none())
    };
    for end in ends.iter() {
        let of = match &end.test {
            Test::Line { of, .. } | Test::Reach { of, .. } | Test::Connect { of, .. } => *of,
            Test::Gone { of } | Test::Surrounded { of } => *of,
            Test::Full | Test::Stuck => continue,
        };
        // The player who moved last would have to be part of a position.
        let by_last = matches!(end.winner, Winner::Last | Winner::Next);
        if extra_turns && by_last && (shared(of) || of.kinds != 0) {
            return Err("with extra turns an end cannot be about shared or named pieces and who moved last"
                .to_owned());
        }
    }
    let movers = |seat: usize| rules.iter().any(|rule| rule.by[seat] && rule.act != Act::Pass);
    if !movers(0) && !movers(1) {
        return Err("no player has a move other than to pass".to_owned());
    }
    if rules.iter().all(|rule| rule.act == Act::Pass || rule.again == Again::Always) {
        return Err("the turn never passes to the other player".to_owned());
    }
    let overlaps = (0..2).any(|seat| {
        let mine: Vec<&Rule> = rules.iter().filter(|rule| rule.by[seat] && rule.act != Act::Pass).collect();
        mine.iter().enumerate().any(|(nth, rule)| mine[..nth].iter().any(|other| overlap(board, rule, other)))
    });
    for rule in rules.iter_mut() {
        rule.shifts = match &rule.act {
            Act::Step { reach: table, .. } | Act::Pair { partners: table } if !overlaps => Shift::of(table),
            _ => Vec::new(),
        };
    }
    (game.extra_turns, game.overlaps) = (extra_turns, overlaps);
    game.start.over = 0;
    game.start.over = game.result_of(&game.start, u64::MAX);
    game.endless = (!always_ends(&game)).then_some(game.endless_declared);
    game.symmetries = symmetry::find(&game);
    Ok(game)
}

/// Whether two rules can give the same move: then it must be listed once.
fn overlap(board: &Board, a: &Rule, b: &Rule) -> bool {
    let class = |rule: &Rule| match rule.act {
        Act::Place { .. } => 0,
        Act::Pair { .. } => 1,
        Act::Leave => 2,
        _ => 3,
    };
    let meet = |cell| a.targets(cell) & b.targets(cell) != 0;
    class(a) == class(b) && a.kinds & b.kinds != 0 && (class(a) == 2 || (0..board.cells).any(meet))
}
