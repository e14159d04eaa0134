//! One request, as many yes/no questions as it takes.

use crate::checkpoint::{Asked, Identity};
use crate::strong::for_player;
use crate::{
    Answer, AnyGame, AnyPosition, Checkpoint, Conclusion, Estimated, InputError, PatternPrior, Restricted,
    SOLVERS, Solver, Value,
};
use delphic_certificate::Claim;
use delphic_game::{Bounds, Force, Player, Score, Verdict};
use delphic_search::retro::Worth;
use delphic_search::{
    CheckpointStore, Event, Limits, Observer, ProofMemory, Report, RootValue, Searchable, Stats, StopReason,
};
use std::fmt;
use std::time::Duration;

/// What a user can ask about a position, for the side to move or another player.
///
/// ```
/// use delphic_engine::Ask;
///
/// assert_eq!("draw".parse(), Ok(Ask::Draw));
/// assert_eq!(">= 12".parse(), Ok(Ask::AtLeast(12)));
/// assert!("checkmate".parse::<Ask>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ask {
    /// Does it win (get the highest payoff)?
    Win,
    /// Does it get at least a draw?
    Draw,
    /// Does it get at least this payoff?
    AtLeast(i16),
    /// What is the exact value?
    Value,
    /// What do all players get if each plays for themselves?
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

/// What to find out, how, and within which limits.
///
/// ```
/// use delphic_engine::{Ask, Conclusion, Limits, Request, StopReason, game};
///
/// let position = game("connect4")?.position(None, None)?;
/// let request = Request {
///     ask: Ask::Win,
///     solver: "pp".parse()?,
///     limits: Limits { nodes: Some(1_000), ..Limits::default() },
///     ..Request::default()
/// };
/// let answer = position.solve(&request, &mut ());
/// assert_eq!((answer.conclusion, answer.stop), (Conclusion::Unknown, StopReason::Nodes));
/// # Ok::<(), delphic_engine::InputError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// The question.
    pub ask: Ask,
    /// The player it is about: what can this player force against all others? `None` is the side to move.
    pub player: Option<Player>,
    /// The solver that answers it.
    pub solver: Solver,
    /// The patterns that the solver uses, if its spec names a file; [`prepare`](Self::prepare) reads it.
    pub patterns: Option<PatternPrior>,
    /// What it may use.
    pub limits: Limits<'a>,
    /// The source of all randomness: with one thread, the same seed gives the same search.
    pub seed: u64,
    /// Where checkpoints are kept, and which one to resume from.
    pub checkpoint: Option<&'a Checkpoint>,
}

impl Default for Request<'_> {
    fn default() -> Self {
        Request {
            ask: Ask::Value,
            player: None,
            solver: Solver::default(),
            patterns: None,
            limits: Limits::default(),
            seed: 1,
            checkpoint: None,
        }
    }
}

impl Request<'_> {
    /// Checks that the request makes sense for a game, and reads the file of patterns that the solver names, if any.
    pub fn prepare(&mut self, game: &dyn AnyGame) -> Result<(), InputError> {
        let request = |reason: String| Err(InputError::Request(reason));
        if let Some(player) = self.player.filter(|player| player.seat() >= game.players()) {
            let (name, players) = (game.spec(), game.players());
            return request(format!("{name} has {players} players, there is no {player}"));
        }
        if self.ask == Ask::Maxn && !matches!(self.solver.info().name, "auto" | "brute") {
            return request(format!("{} does not answer maxn; auto and brute do", self.solver));
        }
        if game.endless().is_some() {
            self.check_cycles(game)?;
        }
        if let Some(path) = self.solver.pattern_file() {
            let patterns = PatternPrior::open(path)?;
            if !game.has_patterns() {
                return request(format!("{} has no patterns, so {path} cannot be its prior", game.spec()));
            }
            self.patterns = Some(patterns);
        }
        Ok(())
    }

    /// Refuses what cannot be found out about a game whose positions can come again.
    fn check_cycles(&self, game: &dyn AnyGame) -> Result<(), InputError> {
        let (name, info) = (game.spec(), self.solver.info());
        if self.ask == Ask::Maxn {
            let reason = "positions can come again, and maxn is only defined for games that end";
            return Err(InputError::Request(format!("{name}: {reason}")));
        }
        if info.takes_cycles() {
            return Ok(());
        }
        let able: Vec<&str> =
            SOLVERS.iter().filter(|info| info.takes_cycles()).map(|info| info.name).collect();
        let reason = "positions can come again, and it is not made for that";
        Err(InputError::Request(format!(
            "{} cannot solve {name}: {reason}; use one of {}",
            info.name,
            able.join(", ")
        )))
    }

    /// Whether the search at a position can be saved and resumed.
    pub fn check_resumable(&self, position: &dyn AnyPosition) -> Result<(), InputError> {
        let solver = self.solver.acting(&*position.search());
        if solver.info().resumable() && self.ask != Ask::Maxn {
            return Ok(());
        }
        let what = if self.ask == Ask::Maxn { "a search for maxn".to_owned() } else { solver.to_string() };
        Err(InputError::Request(format!("{what} keeps no checkpoints; all solvers but brute and retro do")))
    }

    /// What tells the search for this request at a position from others.
    pub(crate) fn identity(&self, position: &dyn AnyPosition) -> Identity {
        Identity {
            game: position.spec().to_owned(),
            rules: format!("{:016x}", position.fingerprint()),
            position: position.write(),
            question: self.ask.to_string(),
            player: self.player.unwrap_or(position.turn()).to_string(),
            solver: self.solver.to_string(),
            seed: self.seed,
        }
    }
}

/// The payoffs that are still possible, as places in the game's ascending list: the value is one of `lo..=hi`.
pub(crate) struct ValueRange {
    payoffs: Vec<i16>,
    lo: usize,
    hi: usize,
}

impl ValueRange {
    /// All of them.
    pub(crate) fn new(payoffs: Vec<i16>) -> ValueRange {
        ValueRange { lo: 0, hi: payoffs.len() - 1, payoffs }
    }

    /// Whether the answer to "at least this?" is one of the two that bound the range.
    fn is_bound(&self, at_least: i16) -> bool {
        let above = self.payoffs.get(self.hi + 1).copied();
        (self.lo > 0 && at_least == self.payoffs[self.lo]) || Some(at_least) == above
    }

    /// What is known, as claims about `player`: at least the least payoff, and not more than the greatest.
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

    pub(crate) fn is_decided(&self) -> bool {
        self.lo == self.hi
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
    pub(crate) fn range(&self) -> Bounds {
        Bounds { lo: self.payoffs[self.lo], hi: self.payoffs[self.hi] }
    }

    /// Keeps what lies within bounds.
    fn narrow(&mut self, bounds: Bounds) {
        let last = self.payoffs.len() - 1;
        self.lo = self.payoffs.partition_point(|&payoff| payoff < bounds.lo).min(last);
        self.hi = self.payoffs.partition_point(|&payoff| payoff <= bounds.hi).saturating_sub(1).max(self.lo);
    }

    /// Whether the value is known and neither the least nor the greatest of all.
    fn is_between(&self) -> bool {
        self.is_decided() && (1..self.payoffs.len() - 1).contains(&self.lo)
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

/// A decided question, with the positions that its search has solved.
#[derive(Debug)]
pub struct Decided {
    pub(crate) claim: Claim,
    pub(crate) memory: Option<ProofMemory>,
}

/// Answers a request about a position, of which `search` is the searches' view. Also returns the decided questions that bound the
/// value, the proved one first, with their solved positions if `keep` is set.
pub(crate) fn answer(
    position: &dyn AnyPosition,
    search: &dyn Searchable,
    request: &Request<'_>,
    keep: bool,
    observer: &mut dyn Observer,
) -> (Answer, Vec<Decided>) {
    let mut inquiry = Inquiry::new(search, request, keep);
    match request.ask {
        Ask::Maxn => inquiry.ask_maxn(observer),
        ask => {
            if ask == Ask::Value {
                inquiry.ask_score(observer);
            }
            inquiry.ask_yes_no(observer);
        }
    }
    inquiry.finish(position)
}

/// The answer to a request from what is known of the position without a search: what it is worth to the first player, with a line that
/// shows it. Without that nothing is known, for the reason `stop`.
pub(crate) fn known_answer(
    position: &dyn AnyPosition,
    request: &Request<'_>,
    known: Option<(Worth, Vec<u16>)>,
    stop: StopReason,
    stats: Stats,
) -> Answer {
    let search = position.search();
    let mut inquiry = Inquiry::new(&*search, request, false);
    let mut plies = None;
    (inquiry.stop, inquiry.spent) = (stop, stats);
    inquiry.searched_by = "retro".to_owned();
    if let Some((worth, line)) = known {
        let payoff = for_player(worth.payoff, inquiry.player);
        inquiry.range.narrow(Bounds { lo: payoff, hi: payoff });
        (inquiry.line, plies) = (line, worth.plies);
    }
    let (answer, _) = inquiry.finish(position);
    Answer { plies, ..answer }
}

/// A request on its way to an answer.
struct Inquiry<'a> {
    search: &'a dyn Searchable,
    request: &'a Request<'a>,
    /// The solver that acts at this position.
    solver: Solver,
    limits: Limits<'a>,
    player: Player,
    range: ValueRange,
    spent: Stats,
    searched_by: String,
    stop: StopReason,
    root: RootValue,
    estimate: Option<Estimated>,
    line: Vec<u16>,
    /// The payoffs of all players, for max^n.
    payoffs: Option<Vec<i16>>,
    /// What was found under a restriction of the rules and does not hold for the real question.
    restricted: Option<Restricted>,
    /// Solved positions of the questions that bound the value, if they are to be kept.
    memories: Vec<Kept>,
    keep: bool,
}

/// The solved positions of a question.
struct Kept {
    at_least: i16,
    memory: Option<ProofMemory>,
    bytes: u64,
}

impl<'a> Inquiry<'a> {
    fn new(search: &'a dyn Searchable, request: &'a Request<'a>, keep: bool) -> Inquiry<'a> {
        let mut inquiry = Inquiry {
            search,
            request,
            solver: request.solver.acting(search),
            keep,
            limits: request.limits.begin(),
            player: request.player.unwrap_or(search.turn()),
            range: ValueRange::new(search.payoffs()),
            spent: Stats::default(),
            searched_by: request.solver.to_string(),
            stop: StopReason::Solved,
            root: RootValue::None,
            estimate: None,
            line: Vec::new(),
            payoffs: None,
            restricted: None,
            memories: Vec::new(),
        };
        if let Some(Asked { known: (lo, hi), spent, .. }) = request.checkpoint.and_then(Checkpoint::resumed) {
            inquiry.range.narrow(Bounds { lo, hi });
            inquiry.spent = spent;
        }
        inquiry
    }

    fn take<T>(&mut self, report: Report<T>) -> T {
        self.spent = self.spent.then(report.stats);
        (self.stop, self.root, self.line) = (report.stop, report.root, report.line);
        report.truth
    }

    /// Asks for the score, if the solver finds scores.
    fn ask_score(&mut self, observer: &mut dyn Observer) {
        let (request, score) = (self.request, Score { player: self.player, range: self.range.range() });
        if self.range.is_decided() {
            return;
        }
        if !self.solver.finds_scores() {
            return;
        }
        let Bounds { lo, hi } = score.range;
        let Some(checkpoints) = self.begin_question(lo, hi, hi, observer) else { return };
        let limits = Limits { checkpoints, ..self.limits };
        let found = self.solver.score(self.search, score, limits, request.seed, observer);
        self.skip_loading_time();
        self.searched_by = self.solver.to_string();
        if let Some(report) = found {
            let bounds = self.take(report);
            let held = self.unrestricted(bounds);
            self.range.narrow(held);
            if held != bounds {
                let at_least = if held.lo == bounds.lo { bounds.hi + 1 } else { bounds.lo };
                self.restrict(Force { player: self.player, at_least }, held.lo != bounds.lo);
            }
        }
    }

    /// The part of bounds that holds for the real question: the lower one of a player whose own moves are restricted, the upper one
    /// if the others' are.
    fn unrestricted(&self, bounds: Bounds) -> Bounds {
        let Some(restriction) = self.search.restriction() else { return bounds };
        let all = self.range.range();
        let holds = |found| restriction.verdict(self.player, found) == found;
        Bounds {
            lo: if holds(Verdict::Proved) { bounds.lo } else { all.lo },
            hi: if holds(Verdict::Disproved) { bounds.hi } else { all.hi },
        }
    }

    /// Records an answer that does not hold for the real question, and ends the inquiry.
    fn restrict(&mut self, question: Force, holds: bool) {
        let reason = self.search.restriction().map_or("", |restriction| restriction.reason);
        self.restricted = Some(Restricted { claim: Claim { question, holds }, reason });
        self.stop = StopReason::Restricted;
    }

    /// Asks yes/no questions until the request is answered or a limit is reached.
    fn ask_yes_no(&mut self, observer: &mut dyn Observer) {
        let request = self.request;
        while self.stop == StopReason::Solved
            && let Some(at_least) = self.range.next(request.ask)
        {
            let (Bounds { lo, hi }, player) = (self.range.range(), self.player);
            let Some(checkpoints) = self.begin_question(lo, hi, at_least, observer) else { return };
            let memory = self.memory_left();
            let limits = Limits { checkpoints, memory, ..self.limits.after(self.spent.created) };
            let question = Force { player, at_least };
            let prior = request.patterns.as_ref().map(|patterns| patterns.prior(self.search));
            let (mut report, by) =
                self.solver.run(self.search, question, prior, limits, request.seed, observer);
            self.searched_by = by.to_string();
            self.skip_loading_time();
            let (memory, first) = (report.memory.take().filter(|_| self.keep), report.estimate);
            let bytes = report.stats.peak_bytes;
            let found = self.take(report);
            let restriction = self.search.restriction();
            let verdict = restriction.map_or(found, |restriction| restriction.verdict(player, found));
            if verdict != found {
                self.restrict(question, found == Verdict::Proved);
            }
            if verdict != Verdict::Open {
                self.range.learn(at_least, verdict == Verdict::Proved);
                self.memories.retain(|kept| self.range.is_bound(kept.at_least));
                self.memories.push(Kept { at_least, memory, bytes });
            }
            // With several questions the first estimate is reported, which is the one about the win.
            let right = |yes: bool| (verdict != Verdict::Open).then_some((verdict == Verdict::Proved) == yes);
            self.estimate = self.estimate.or(first.map(|first| Estimated { first, right: right(first.yes) }));
        }
    }

    /// Announces the next question, and returns where its checkpoints are kept; `None` if the checkpoint to resume is not about it.
    fn begin_question(
        &mut self,
        lo: i16,
        hi: i16,
        at_least: i16,
        observer: &mut dyn Observer,
    ) -> Option<Option<&'a dyn CheckpointStore>> {
        let checkpoint = self.request.checkpoint;
        if let Some(checkpoint) = checkpoint
            && !checkpoint.asking(Asked { known: (lo, hi), at_least, spent: self.spent })
        {
            checkpoint.contradicted("it is about a question that does not arise".to_owned());
            self.stop = StopReason::Checkpoint;
            return None;
        }
        observer.event(Event::Question { player: self.player, at_least, known: (lo, hi) });
        Some(checkpoint.map(|checkpoint| checkpoint as &dyn CheckpointStore))
    }

    /// The time that loading a checkpoint took does not count.
    fn skip_loading_time(&mut self) {
        let loading = self.request.checkpoint.map_or(Duration::ZERO, Checkpoint::take_loading_time);
        self.limits.started = self.limits.started.map(|started| started + loading);
    }

    /// The memory for the next question: what the solved positions of earlier ones leave. They are dropped if they take more than half.
    fn memory_left(&mut self) -> Option<u64> {
        let limit = self.limits.memory?;
        let held = |memories: &[Kept]| -> u64 {
            memories.iter().filter(|kept| kept.memory.is_some()).map(|kept| kept.bytes).sum()
        };
        if held(&self.memories) > limit / 2 {
            self.memories.iter_mut().for_each(|kept| kept.memory = None);
        }
        Some(limit - held(&self.memories))
    }

    /// Asks for max^n.
    fn ask_maxn(&mut self, observer: &mut dyn Observer) {
        let report = self.search.brute_maxn(self.limits, observer);
        self.searched_by = "brute".to_owned();
        let found = self.take(report);
        if found.is_some() && self.search.restriction().is_some() {
            self.stop = StopReason::Restricted;
            return;
        }
        if let Some(outcome) = found {
            let players = (0..self.search.players()).map(Player::new);
            self.payoffs = Some(players.map(|player| outcome.payoff(player)).collect());
            let payoff = outcome.payoff(self.player);
            self.range.narrow(Bounds { lo: payoff, hi: payoff });
        }
    }

    fn finish(mut self, position: &dyn AnyPosition) -> (Answer, Vec<Decided>) {
        let (request, range) = (self.request, &self.range);
        // The line shows the answer to the last question. A value between two answers would need moves from both.
        if request.ask == Ask::Value && range.is_between() {
            self.line.clear();
        }
        let conclusion = match range.conclusion(request.ask) {
            Conclusion::Unknown if self.stop == StopReason::Precision => Conclusion::Estimated,
            conclusion => conclusion,
        };
        let claims = if request.ask == Ask::Maxn { Vec::new() } else { range.claims(self.player) };
        let answer = Answer {
            game: position.spec().to_owned(),
            position: position.write(),
            question: request.ask.to_string(),
            conclusion,
            estimate: self.estimate,
            bounds: range.bounds(),
            player: self.player,
            turn: position.turn(),
            payoffs: self.payoffs,
            restricted: self.restricted,
            line: position.write_line(&self.line),
            solver: request.solver.to_string(),
            searched_by: self.searched_by,
            seed: request.seed,
            stop: self.stop,
            stats: self.spent,
            root: self.root,
            plies: None,
            line_created: 0,
            line_time: Duration::ZERO,
        };
        let memories = &mut self.memories;
        let with_memory = |claim: Claim| {
            let place = memories.iter().position(|kept| kept.at_least == claim.question.at_least);
            Decided { claim, memory: place.and_then(|place| memories.swap_remove(place).memory) }
        };
        (answer, claims.into_iter().map(with_memory).collect())
    }
}
