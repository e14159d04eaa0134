//! Answers a request by a sequence of yes/no questions.
//!
//! Proof searches answer only "can this player force a payoff of at least k?" ([`Force`]). The exact value is found by bisection over the
//! payoffs of the game: [`ValueRange`] holds the bounds, picks the next k and takes in the verdict. Solvers that find a score in one search
//! (Monte-Carlo, retrograde analysis) narrow the range first. Under a [restriction](delphic_game::Restriction) of the rules only the
//! verdicts that also hold without it are used.

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

/// A decided question, with the solved positions of its search, from which a certificate can be made.
#[derive(Debug)]
pub(crate) struct Decided {
    pub(crate) claim: Claim,
    pub(crate) memory: Option<ProofMemory>,
}

/// Answers a request about a position; `search` is the same position as the search drivers see it. Also returns the decided questions that
/// bound the value, the proved one first, with their solved positions if `keep` is set.
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

/// The answer to a request from a strong solution instead of a search: `known` is the position's worth to the first player and a line of
/// optimal play. Without it the answer is unknown, for the reason `stop`.
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

/// A request being answered: the range of possible values so far, and the effort spent.
struct Inquiry<'a> {
    search: &'a dyn Searchable,
    request: &'a Request<'a>,
    /// The solver that runs at this position; for games with cycles `auto` becomes `retro`.
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
    /// A result that holds only under a restriction of the rules.
    restricted: Option<Restricted>,
    /// Solved positions of the questions that bound the value, if they are to be kept.
    memories: Vec<Kept>,
    keep: bool,
}

/// The solved positions of one decided question.
struct Kept {
    at_least: i16,
    memory: Option<ProofMemory>,
    bytes: u64,
}

impl<'a> Inquiry<'a> {
    fn new(search: &'a dyn Searchable, request: &'a Request<'a>, keep: bool) -> Inquiry<'a> {
        // The cache of subgame values (sums) is not part of the search's memory; it gets a small share on top.
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

    /// Searches for the exact score in one search, if the solver can.
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

    /// The bounds that also hold without the restriction: the lower bound if the player's own moves are restricted (fewer moves can only
    /// hurt), the upper bound if the others' moves are.
    fn unrestricted(&self, bounds: Bounds) -> Bounds {
        let Some(restriction) = self.search.restriction() else { return bounds };
        let all = self.range.range();
        let holds = |found| restriction.verdict(self.player, found) == found;
        Bounds {
            lo: if holds(Verdict::Proved) { bounds.lo } else { all.lo },
            hi: if holds(Verdict::Disproved) { bounds.hi } else { all.hi },
        }
    }

    /// Records an answer that holds only under the restriction, and stops.
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
            // With several questions the first estimate is reported, which is about the win.
            let right = |yes: bool| (verdict != Verdict::Open).then_some((verdict == Verdict::Proved) == yes);
            self.estimate = self.estimate.or(first.map(|first| Estimated { first, right: right(first.yes) }));
        }
    }

    /// Announces the next question, and returns the store of its checkpoints; `None` if the checkpoint to resume is about another question.
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
            checkpoint.contradicted("it is about a question that this search does not ask".to_owned());
            self.stop = StopReason::Checkpoint;
            return None;
        }
        observer.event(Event::Question { player: self.player, at_least, known: (lo, hi) });
        Some(checkpoint.map(|checkpoint| checkpoint as &dyn CheckpointStore))
    }

    /// Excludes the time for loading a checkpoint from the time limit.
    fn skip_loading_time(&mut self) {
        let loading = self.request.checkpoint.map_or(Duration::ZERO, Checkpoint::take_loading_time);
        self.limits.started = self.limits.started.map(|started| started + loading);
    }

    /// The memory left for the next question by the solved positions of earlier ones. Those are dropped if they take more than half.
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

    /// Finds the max^n payoffs by brute force.
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
        // The line follows the proof of the last question. A value bounded by two questions would need the moves of both proofs.
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
