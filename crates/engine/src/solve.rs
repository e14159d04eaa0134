//! One request, as many yes/no questions as it takes.

use crate::checkpoint::Progress;
use crate::prove::Settled;
use crate::solver::Solvable;
use crate::{Answer, AnyGame, Checkpoint, Conclusion, Estimated, Identity, InputError, Solver, Value, maxn};
use delphic_game::certificate::{Claim, fingerprint};
use delphic_game::{Asked, Bounds, Force, Maxn, Notation, Player, Score, Verdict, write_moves};
use delphic_search::{Archive, Hope, Limits, Observer, Stats, StopReason};
use std::fmt;

/// What a user can ask about a position, for the side to move or another player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ask {
    /// Does it win (get the highest payoff)?
    Win,
    /// Does it get at least a draw?
    Draw,
    /// Does it get at least so much?
    AtLeast(i16),
    /// What is the exact value?
    Value,
    /// What does everybody get if all play for themselves?
    Maxn,
}

impl std::str::FromStr for Ask {
    type Err = InputError;

    fn from_str(text: &str) -> Result<Ask, InputError> {
        match text.trim() {
            "win" => Ok(Ask::Win),
            "draw" => Ok(Ask::Draw),
            "value" => Ok(Ask::Value),
            "maxn" => Ok(Ask::Maxn),
            other => other
                .strip_prefix(">=")
                .and_then(|k| k.trim().parse().ok())
                .map(Ask::AtLeast)
                .ok_or_else(|| InputError::Question(text.to_owned())),
        }
    }
}

impl fmt::Display for Ask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ask::Win => f.write_str("win"),
            Ask::Draw => f.write_str("draw"),
            Ask::Value => f.write_str("value"),
            Ask::Maxn => f.write_str("maxn"),
            Ask::AtLeast(k) => write!(f, ">={k}"),
        }
    }
}

/// What to find out, how, and at what price.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The question.
    pub ask: Ask,
    /// Whom it is about: what can this player force against all others? `None` is the side to move.
    pub player: Option<Player>,
    /// Who answers it.
    pub solver: Solver,
    /// What it may cost.
    pub limits: Limits<'a>,
    /// The source of all randomness: same seed, same counts.
    pub seed: u64,
    /// Where checkpoints are kept, and from which one to go on.
    pub checkpoint: Option<&'a Checkpoint>,
}

impl Default for Request<'_> {
    fn default() -> Self {
        Request {
            ask: Ask::Value,
            player: None,
            solver: Solver::Auto,
            limits: Limits::default(),
            seed: 1,
            checkpoint: None,
        }
    }
}

impl Request<'_> {
    /// Whether the request makes sense for a game.
    pub fn check(&self, game: &dyn AnyGame) -> Result<(), InputError> {
        if let Some(player) = self.player.filter(|player| player.seat() >= game.players()) {
            let (name, players) = (game.spec(), game.players());
            return Err(InputError::Request(format!("{name} has {players} players, there is no {player}")));
        }
        if let Some(prior) = self.solver.learnt().filter(|_| !game.has_patterns()) {
            let (name, file) = (game.spec(), prior.path());
            return Err(InputError::Request(format!(
                "{name} has no patterns, so {file} cannot be its prior"
            )));
        }
        if self.ask == Ask::Maxn && !maxn::SOLVERS.contains(&self.solver) {
            let [auto, brute] = maxn::SOLVERS;
            let solver = self.solver;
            return Err(InputError::Request(format!("{solver} does not answer maxn; {auto} and {brute} do")));
        }
        Ok(())
    }

    /// Whether the search can be put down and taken up again.
    pub fn check_resumable(&self) -> Result<(), InputError> {
        let who = match self.solver {
            _ if self.ask == Ask::Maxn => "a search for maxn".to_owned(),
            Solver::Brute | Solver::MonteCarlo(..) => self.solver.to_string(),
            Solver::Auto | Solver::Guided(..) | Solver::AlphaBeta(_) => return Ok(()),
        };
        Err(InputError::Request(format!(
            "{who} keeps no checkpoints; the best-first and depth-first solvers do (pns, pp, ppt, dfpn, dfpp, alphabeta, …)"
        )))
    }
}

/// What tells the search for `request` at `position` from others.
pub(crate) fn identify<G: Notation>(
    game: &G,
    name: &str,
    position: &G::State,
    request: &Request<'_>,
) -> Identity {
    Identity {
        game: name.to_owned(),
        rules: format!("{:016x}", fingerprint(game, name)),
        position: game.write(position),
        question: request.ask.to_string(),
        player: request.player.unwrap_or(game.turn(position)).to_string(),
        solver: request.solver.to_string(),
        seed: request.seed,
    }
}

/// The payoffs that are still possible, as places in the game's ascending list: the value is one of `lo..=hi`.
pub(crate) struct Possible {
    payoffs: Vec<i16>,
    lo: usize,
    hi: usize,
}

impl Possible {
    /// All of them.
    pub(crate) fn new(payoffs: Vec<i16>) -> Possible {
        Possible { lo: 0, hi: payoffs.len() - 1, payoffs }
    }

    /// Whether the answer to "at least this?" is one of the two that say most.
    fn is_bound(&self, at_least: i16) -> bool {
        let above = self.payoffs.get(self.hi + 1).copied();
        (self.lo > 0 && at_least == self.payoffs[self.lo]) || Some(at_least) == above
    }

    /// What is known as claims about `player`: that he gets at least the least, and not more than the greatest.
    fn claims(&self, player: Player) -> Vec<Claim> {
        let claim = |at_least, holds| Claim { question: Force { player, at_least }, holds };
        let lower = (self.lo > 0).then(|| claim(self.payoffs[self.lo], true));
        let upper = self.payoffs.get(self.hi + 1).map(|&above| claim(above, false));
        lower.into_iter().chain(upper).collect()
    }

    /// The least and the greatest, as values.
    pub(crate) fn bounds(&self) -> (Value, Value) {
        let value = |place: usize| Value::of(self.payoffs[place], &self.payoffs);
        (value(self.lo), value(self.hi))
    }

    /// The payoff to ask about next, the upper half first: "is it a win?" comes before "is it at least a draw?".
    pub(crate) fn next(&self, ask: Ask) -> Option<i16> {
        let within = |k: i16| self.payoffs[self.lo] < k && k <= self.payoffs[self.hi];
        match ask {
            Ask::Win => self.payoffs.last().copied().filter(|&k| within(k)),
            Ask::Draw => Some(0).filter(|&k| within(k)),
            Ask::AtLeast(k) => Some(k).filter(|&k| within(k)),
            Ask::Maxn => None,
            Ask::Value => (self.lo < self.hi).then(|| self.payoffs[(self.lo + self.hi) / 2 + 1]),
        }
    }

    pub(crate) fn learn(&mut self, at_least: i16, yes: bool) {
        let place = self.payoffs.partition_point(|&payoff| payoff < at_least);
        if yes { self.lo = place } else { self.hi = place - 1 }
    }

    /// The least and the greatest of them.
    fn range(&self) -> Bounds {
        Bounds { lo: self.payoffs[self.lo], hi: self.payoffs[self.hi] }
    }

    /// Keeps what lies within bounds.
    fn narrow(&mut self, bounds: Bounds) {
        let last = self.payoffs.len() - 1;
        self.lo = self.payoffs.partition_point(|&payoff| payoff < bounds.lo).min(last);
        self.hi = self.payoffs.partition_point(|&payoff| payoff <= bounds.hi).saturating_sub(1).max(self.lo);
    }

    fn conclusion(&self, ask: Ask) -> Conclusion {
        let threshold = match ask {
            Ask::Win => self.payoffs[self.payoffs.len() - 1],
            Ask::Draw => 0,
            Ask::AtLeast(k) => k,
            Ask::Value | Ask::Maxn if self.lo < self.hi => return Conclusion::Unknown,
            // Any value but the worst answers the question; the worst is what a "no" looks like.
            Ask::Value | Ask::Maxn if self.lo == 0 && self.payoffs.len() > 1 => return Conclusion::Disproved,
            Ask::Value | Ask::Maxn => return Conclusion::Proved,
        };
        if self.payoffs[self.lo] >= threshold {
            Conclusion::Proved
        } else if self.payoffs[self.hi] < threshold {
            Conclusion::Disproved
        } else {
            Conclusion::Unknown
        }
    }
}

/// Answers `request` about `position`. `name` is the game's full spec. The questions that hem the value in come with what the
/// searches remember of them, the one that holds first.
pub(crate) fn investigate<'g, G: Notation + Solvable>(
    game: &'g G,
    name: &str,
    position: &G::State,
    request: &Request<'_>,
    observer: &mut dyn Observer,
) -> (Answer, Vec<Settled<'g, G>>) {
    let turn = game.turn(position);
    let player = request.player.unwrap_or(turn);
    let payoffs = game.payoffs();
    let best = payoffs[payoffs.len() - 1];
    let mut possible = Possible::new(payoffs);
    let (mut spent, mut searched_by) = (Stats::default(), request.solver.to_string());
    let (mut stop, mut hope, mut estimate, mut line) = (StopReason::Solved, Hope::None, None, Vec::new());
    let mut memories = Vec::new();
    let mut limits = request.limits;
    if let Some(Progress { known: (lo, hi), spent: before, .. }) =
        request.checkpoint.and_then(Checkpoint::resumed)
    {
        possible.narrow(Bounds { lo, hi });
        spent = before;
        // Nodes count from the beginning, time from now.
        limits.time = limits.time.map(|time| time + before.time);
    }
    if request.ask == Ask::Value && possible.lo < possible.hi {
        let question = Score { player, range: possible.range() };
        let whole = Asked::new(game, question, position.clone());
        if let Some(report) = request.solver.score(&whole, request.limits, request.seed, observer) {
            spent = report.stats;
            (stop, hope, line) = (report.stop, report.hope, report.line);
            possible.narrow(report.truth);
        }
    }
    while stop == StopReason::Solved
        && let Some(at_least) = possible.next(request.ask)
    {
        if let Some(checkpoint) = request.checkpoint {
            let Bounds { lo, hi } = possible.range();
            if !checkpoint.asking(Progress { known: (lo, hi), at_least, spent }) {
                checkpoint.contradicted("it is about a question that does not arise".to_owned());
                stop = StopReason::Checkpoint;
                break;
            }
        }
        let archive = request.checkpoint.map(|checkpoint| checkpoint as &dyn Archive);
        let limits = Limits { archive, ..limits.left_after(&spent) };
        let problem = Asked::new(game, Force { player, at_least }, position.clone());
        let (report, by) = request.solver.run(&problem, limits, request.seed, observer);
        searched_by = by.to_string();
        spent = spent.then(report.stats);
        (stop, hope, line) = (report.stop, report.hope, report.line);
        let right = match report.truth {
            Verdict::Open => None,
            truth => {
                possible.learn(at_least, truth == Verdict::Proved);
                memories.retain(|(asked, _)| possible.is_bound(*asked));
                memories.push((at_least, report.memory));
                Some(truth == Verdict::Proved)
            }
        };
        // With several questions the first estimate is told: it is the one about the win.
        estimate = estimate
            .or(report.estimate.map(|first| Estimated { first, right: right.map(|yes| yes == first.yes) }));
    }
    let claims = possible.claims(player);
    let mut outcome = None;
    if request.ask == Ask::Maxn {
        let problem = Asked::new(game, Maxn { best }, position.clone());
        let (report, by) = maxn::run(&problem, request.solver, request.limits, observer);
        (outcome, searched_by) = (report.truth, by);
        (spent, stop, line) = (report.stats, report.stop, report.line);
        if let Some(outcome) = outcome {
            possible.learn(outcome.payoff(player), true);
            possible.hi = possible.lo;
        }
    }
    // The line shows the answer to the last question. A value between two answers would need moves from both.
    if request.ask == Ask::Value
        && possible.lo == possible.hi
        && (1..possible.payoffs.len() - 1).contains(&possible.lo)
    {
        line.clear();
    }
    let answer = Answer {
        game: name.to_owned(),
        position: game.write(position),
        question: request.ask.to_string(),
        conclusion: match possible.conclusion(request.ask) {
            Conclusion::Unknown if stop == StopReason::Precision => Conclusion::Estimated,
            conclusion => conclusion,
        },
        estimate,
        bounds: possible.bounds(),
        player,
        turn,
        payoffs: outcome
            .map(|outcome| (0..game.players()).map(|seat| outcome.payoff(Player::new(seat))).collect()),
        line: write_moves(game, position, &line),
        solver: request.solver.to_string(),
        searched_by,
        seed: request.seed,
        stop,
        stats: spent,
        hope,
        plies: None,
    };
    let with_memory = |claim: Claim| {
        let place = memories.iter().position(|(at_least, _)| *at_least == claim.question.at_least);
        Settled { claim, memory: place.and_then(|place| memories.swap_remove(place).1) }
    };
    (answer, claims.into_iter().map(with_memory).collect())
}
