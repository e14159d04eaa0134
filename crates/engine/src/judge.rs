//! A report on a game for its designer.
//!
//! Exact results come from a strong solution, if it fits the limits; the rest from games between random and between strong players.

use crate::strong::Summary;
use crate::toml_game;
use crate::{Agent, AnyPosition, Budget, InputError, Request, TreeSize, Value, game};
use delphic_game::adapters::Misere;
use delphic_game::erased::ErasedState;
use delphic_game::{Game, Player};
use delphic_games::Described;
use delphic_games::described::Part;
use delphic_search::retro::Retrograde;
use delphic_search::{LimitGuard, Limits, Observer, StopReason, Symmetry};

/// The effort for a report.
#[derive(Clone, Copy, Debug)]
pub struct JudgeOptions<'a> {
    /// The limits for solving the game, and for solving it without each of its rules.
    pub limits: Limits<'a>,
    /// Games between random players.
    pub random: u64,
    /// Games between strong players.
    pub games: u64,
    /// The iterations per move of a strong player.
    pub iterations: u64,
    /// The seed of all random numbers.
    pub seed: u64,
}

/// Results for the first player: wins, draws, losses.
pub type Results = [u64; 3];

/// A page about a game.
#[derive(Clone, PartialEq, Debug)]
pub struct Judgement {
    /// The full spec.
    pub game: String,
    /// Its title.
    pub title: Option<String>,
    /// The rules in sentences, if a file describes them.
    pub rules: Vec<String>,
    /// Who moves first.
    pub turn: Player,
    /// The value of the start for the side to move, if it is known.
    pub value: Option<Value>,
    /// Why the report is incomplete, if it is.
    pub stop: StopReason,
    /// All positions, if they fit.
    pub summary: Option<Summary>,
    /// Positions with more than one move, and those among them with exactly one best move.
    pub single: Option<(u64, u64)>,
    /// Between random players.
    pub random: Results,
    /// Between strong players, and the mean number of plies.
    pub strong: (Results, f64),
    /// The size of the tree, length and branching of random games.
    pub size: TreeSize,
    /// The parts of a description.
    pub parts: Vec<PartJudgement>,
}

/// The effect of a rule of a description.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PartJudgement {
    /// The rule.
    pub sentence: String,
    /// The number of positions in which it applies, if all are known.
    pub applies: Option<u64>,
    /// The value of the game without it, if that is a game and its value is known.
    pub value_without: Option<Value>,
}

/// Judges the game that a spec or a file names.
pub fn judge(
    spec: &str,
    options: &JudgeOptions<'_>,
    observer: &mut dyn Observer,
) -> Result<Judgement, InputError> {
    let named = game(spec)?;
    if named.players() != 2 {
        return Err(InputError::Request(format!(
            "{spec} has {} players; only two-player games can be judged",
            named.players()
        )));
    }
    let position = named.position(None, None)?;
    let (mut summary, mut single, mut value) = (None, None, None);
    let stop = match position.strong(options.limits.begin(), observer) {
        Ok(strong) => {
            let found = Summary::of(&*position, &strong);
            let mut choices = (0, 0);
            strong.each_choice(&mut |moves, best| {
                choices.0 += u64::from(moves > 1);
                choices.1 += u64::from(moves > 1 && best == 1);
            });
            value = found.start.map(|(value, _)| value);
            (summary, single) = (Some(found), Some(choices));
            StopReason::Solved
        }
        Err((stop, _)) => stop,
    };
    if value.is_none() && named.endless().is_none() {
        let request = Request { limits: options.limits, seed: options.seed, ..Request::default() };
        value = position.solve(&request, observer).value();
    }
    let description = toml_game::description(spec)?;
    let parts = description.map_or_else(Vec::new, |game| judge_parts(&game, options.limits, observer));
    Ok(Judgement {
        game: named.spec().to_owned(),
        title: named.title().map(str::to_owned),
        rules: named.rules().to_vec(),
        turn: position.turn(),
        value,
        stop,
        summary,
        single,
        random: position.random_results(options.random, options.seed),
        strong: strong_games(&*position, options),
        size: position.estimate(options.random.min(2_000) as usize, options.seed),
        parts,
    })
}

/// Games of Monte-Carlo tree search against itself.
fn strong_games(start: &dyn AnyPosition, options: &JudgeOptions<'_>) -> (Results, f64) {
    // A game with cycles that lasts this long counts as drawn.
    const LONGEST: usize = 300;
    let agent: Agent = "sb-mcts".parse().unwrap_or(Agent::Random);
    let (mut results, mut plies) = ([0; 3], 0);
    for nth in 0..options.games {
        let mut position = start.again();
        let seats = [Player::FIRST, Player::SECOND];
        let mut players = seats.map(|player| {
            position.player(&agent, player, options.seed ^ delphic_game::mix(2 * nth + player.index() as u64))
        });
        let budget = Budget {
            iterations: Some(options.iterations),
            limits: Limits { interrupt: options.limits.interrupt, ..Limits::default() },
        };
        let mut length = 0;
        while !position.is_over() && length < LONGEST {
            let choice = players[position.turn().index()].think(&budget, &mut ()).choice;
            players.iter_mut().for_each(|player| player.advance(choice));
            position = position.after(choice);
            length += 1;
        }
        let payoff = position.payoffs().map_or(0, |payoffs| payoffs[0].signum());
        results[(1 - payoff) as usize] += 1;
        plies += length;
    }
    (results, plies as f64 / options.games.max(1) as f64)
}

/// For every rule, where it applies and the value of the game without it.
fn judge_parts(
    misere: &Misere<Described>,
    limits: Limits<'_>,
    observer: &mut dyn Observer,
) -> Vec<PartJudgement> {
    let game = &misere.game;
    let parts = game.parts();
    let mut counts = vec![0u64; parts.len()];
    let place = |part: Part| parts.iter().position(|(other, _)| *other == part);
    let all = solved(misere, limits, observer).map(|solution| {
        let mut moves = Vec::new();
        solution.each(&mut |state, _| {
            let state = state.get();
            moves.clear();
            if game.outcome(state).is_none() {
                game.moves(state, &mut moves);
            }
            let mut met: Vec<Part> = moves.iter().map(|&mv| game.part_of(mv)).collect();
            met.dedup();
            if moves.is_empty() {
                met.extend(game.end_of(state));
            }
            met.into_iter().filter_map(place).for_each(|nth| counts[nth] += 1);
        });
    });
    let value_without = |part: Part, observer: &mut dyn Observer| {
        let other = Misere { game: game.without(part)?, on: misere.on };
        let worth = solved(&other, limits, observer)?.worth(&ErasedState::new(other.start()))?;
        let payoff = crate::strong::for_player(worth.payoff, other.turn(&other.start()));
        Some(Value::of(payoff, &other.payoffs()))
    };
    let judged = parts.iter().zip(&counts).map(|((part, sentence), &count)| PartJudgement {
        sentence: sentence.clone(),
        applies: all.map(|()| count),
        value_without: value_without(*part, observer),
    });
    judged.collect()
}

fn solved<'g>(
    game: &'g Misere<Described>,
    limits: Limits<'_>,
    observer: &mut dyn Observer,
) -> Option<Retrograde<'g>> {
    let limits = Limits { started: None, ..limits };
    let mut guard = LimitGuard::new(limits);
    let (start, symmetry) = (game.start(), Symmetry::On);
    let found = Retrograde::enumerate(game, &start, Player::FIRST, symmetry, limits, &mut guard, observer);
    let mut solution = found.ok()?;
    solution.decide_all(limits, &mut guard, observer).ok()?;
    Some(solution)
}
