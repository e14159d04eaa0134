//! One request, as many yes/no questions as it takes.

use crate::checkpoint::Asked;
use crate::strong::for_player;
use crate::value_range::ValueRange;
use crate::{Answer, AnyPosition, Ask, Checkpoint, Conclusion, Estimated, Request, Restricted, Solver};
use delphic_certificate::Claim;
use delphic_game::{Bounds, Force, Player, Score, Verdict, sums};
use delphic_search::retro::Worth;
use delphic_search::{
    CheckpointStore, Event, Limits, Observer, ProofMemory, Report, RootValue, Searchable, Stats, StopReason,
};
use std::time::Duration;

/// A decided question, with the positions that its search has solved.
#[derive(Debug)]
pub(crate) struct Decided {
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
        // What a game remembers of the parts of its positions is on top of the search's memory, and small beside it.
        sums::limit_memory(request.limits.memory.map_or(u64::MAX, |memory| memory / 16));
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
            threads: request.limits.threads.max(1),
            repeatable: request.ask == Ask::Maxn || self.solver.info().repeats(&request.limits),
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
