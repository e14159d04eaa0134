//! Several workers on one table: on threads, or in turns on one thread.

use super::Search;
use crate::boundary::{Status, TableFrontier, Update};
use crate::rule::{Pack, Thresholds};
use crate::workers::Crew;
use crate::{Event, LimitGuard, Limits, Observer, Progress, Report, RootValue, Stats, StopReason};
use delphic_game::{Rng, Verdict};

/// Searches with one worker for each of `games`, which share a table. The first worker keeps the limits, reports and saves; a checkpoint
/// holds the table and the first worker's path, from which any number of workers can go on.
///
/// The answer does not depend on the number of workers. The counts do, and with threads they differ from run to run.
///
/// ```
/// # use delphic_game::{Force, Game, Player, Spec, Verdict};
/// # use delphic_games::{Family, Nim};
/// # let game = Nim::build(&mut Spec::parse("nim:3,4,6"))?;
///
/// use delphic_search::rule::Product;
/// use delphic_search::{LeafPrior, Limits, Position, Searchable, Symmetry, depth_first};
///
/// let position = Position { game: &game, state: game.start() };
/// let win = Force { player: Player::FIRST, at_least: 1 };
/// let limits = Limits { threads: 2, ..Limits::default() };
/// let tables = position.tables(win, LeafPrior::Mobility, Symmetry::On, 1 << 20, limits.crew());
/// let report = depth_first::solve_together(tables, &Product::default(), limits, &mut ());
/// assert_eq!(report.truth, Verdict::Proved);
/// # Ok::<(), delphic_game::SpecError>(())
/// ```
pub fn solve_together<R: Thresholds + Sync>(
    mut games: Vec<Box<dyn TableFrontier + '_>>,
    rule: &R,
    limits: Limits<'_>,
    observer: &mut dyn Observer,
) -> Report {
    if games.len() <= 1
        && let Some(game) = games.pop()
    {
        return super::solve(game, rule, limits, observer);
    }
    let mut root = Status::Over(Verdict::Open);
    for game in &mut games {
        root = game.root();
    }
    if let Status::Over(verdict) = root {
        return Report::at_once(verdict);
    }
    if let (Some(lemmas), Some(game)) = (&limits.lemmas, games.first_mut()) {
        game.learn(lemmas);
    }
    let mut guard = LimitGuard::new(Limits { memory: None, ..limits });
    let crew = Crew::new(games.len(), limits.workers);
    let mut searches: Vec<Search<'_, R>> =
        games.iter_mut().map(|game| Search::new(rule, &mut **game, Some(&crew))).collect();
    match guard.resume(observer, &mut |from| searches[0].load(from)) {
        Ok(None) => searches[0].enter(0, rule.unbounded(), true),
        Ok(Some(stats)) => {
            searches[0].stats = stats;
            crew.count_all(stats.created);
        }
        Err(stop) => return Report::stopped(Verdict::Open, stop),
    }
    let found = if limits.workers.lockstep > 0 {
        for search in &mut searches[1..] {
            search.enter(0, rule.unbounded(), true);
        }
        let order = (limits.workers.shuffle != 0).then(|| Rng::new(limits.workers.shuffle));
        in_turns(&mut searches, &crew, order, &mut guard, observer)
    } else {
        on_threads(&mut searches, &crew, &mut guard, observer)
    };
    let first = &searches[0];
    let (stats, estimate, root) = (first.all_stats(&crew, &guard), guard.estimate(), first.root);
    let (truth, stop) = match found {
        Ok(verdict) => (verdict, StopReason::Solved),
        Err(stop) => {
            guard.save(stats, observer, &|out| first.save(out));
            let line = first.line();
            return Report { truth: Verdict::Open, stop, stats, root, estimate, line, memory: None };
        }
    };
    drop(searches);
    let Some(game) = games.into_iter().next() else { unreachable!("there are workers") };
    let line = game.line(truth);
    Report { truth, stop, stats, root: RootValue::None, estimate, line, memory: Some(game.remember()) }
}

fn on_threads<R: Thresholds + Sync>(
    searches: &mut [Search<'_, R>],
    crew: &Crew,
    guard: &mut LimitGuard<'_>,
    observer: &mut dyn Observer,
) -> Result<Verdict, StopReason> {
    let Some((first, others)) = searches.split_first_mut() else { unreachable!("there are workers") };
    std::thread::scope(|scope| {
        for (number, search) in others.iter_mut().enumerate() {
            scope.spawn(move || search.follow(number + 1, crew));
        }
        let found = first.lead(crew, guard, observer);
        crew.stop();
        found
    })
}

/// One step of every worker after the other, or of random workers. The same workers always do the same.
fn in_turns<R: Thresholds>(
    searches: &mut [Search<'_, R>],
    crew: &Crew,
    mut order: Option<Rng>,
    guard: &mut LimitGuard<'_>,
    observer: &mut dyn Observer,
) -> Result<Verdict, StopReason> {
    loop {
        searches[0].report_and_save(crew, guard, observer)?;
        for turn in 0..searches.len() {
            let number = order.as_mut().map_or(turn, |order| order.below(searches.len()));
            if let Some(verdict) = searches[number].step_together() {
                for (number, search) in searches.iter().enumerate().skip(1) {
                    crew.note(number, &search.stats);
                }
                return Ok(verdict);
            }
        }
    }
}

impl<R: Thresholds> Search<'_, R> {
    /// The first worker: steps until the root is solved by any of them, or a limit is reached.
    fn lead(
        &mut self,
        crew: &Crew,
        guard: &mut LimitGuard<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Verdict, StopReason> {
        loop {
            if let Some(verdict) = crew.answer() {
                return Ok(verdict);
            }
            self.report_and_save(crew, guard, observer)?;
            if let Some(verdict) = self.step_together() {
                return Ok(verdict);
            }
        }
    }

    /// Any other worker: steps until the first says stop.
    fn follow(&mut self, number: usize, crew: &Crew) {
        // On its own thread, so that its buffers are not beside those of the other workers.
        self.enter(0, self.rule.unbounded(), true);
        while crew.goes_on(number, &self.stats, &mut self.uncounted) {
            if let Some(verdict) = self.step_together() {
                crew.solve(verdict);
                break;
            }
        }
        crew.leave(number, &self.stats, self.uncounted);
    }

    fn report_and_save(
        &mut self,
        crew: &Crew,
        guard: &mut LimitGuard<'_>,
        observer: &mut dyn Observer,
    ) -> Result<(), StopReason> {
        let created = crew.created() + self.uncounted;
        let stop = match guard.turn_ends(created) {
            // Other searches get the threads.
            true => crew.while_resting(&mut || guard.stop(created, 0)),
            false => guard.stop(created, 0),
        };
        if let Some(reason) = stop {
            return Err(reason);
        }
        if self.path.len() <= 2
            && guard.watches_estimates()
            && let Some(reason) = guard.consider(self.root, created)
        {
            return Err(reason);
        }
        if guard.report_due() {
            observer.event(Event::Progress(Progress {
                solver: "",
                stats: self.all_stats(crew, guard),
                root: self.root,
                decided: self.decided(),
            }));
        }
        if guard.save_due() {
            crew.while_resting(&mut || {
                guard.save(self.all_stats(crew, guard), observer, &|out| self.save(out));
            });
        }
        Ok(())
    }

    /// The counters of all workers. Those of the others, but for the created nodes, are as of their last rest.
    fn all_stats(&self, crew: &Crew, guard: &LimitGuard<'_>) -> Stats {
        let own = self.stats(guard);
        let others = crew.others();
        let created = crew.created() + self.uncounted;
        Stats { created, time: own.time, peak_bytes: own.peak_bytes, ..own.beside(others) }
    }

    /// Steps, after leaving what another worker has solved.
    pub(super) fn step_together(&mut self) -> Option<Verdict> {
        if let Some((ply, verdict)) = self.game.overtaken() {
            while self.path.len() > ply + 1 {
                self.path.pop();
                self.game.abandon();
            }
            let Some(done) = self.path.pop() else { unreachable!("the root is not overtaken") };
            self.game.abandon();
            self.kids.truncate(done.kids);
            let Some(parent) = self.path.last_mut() else { unreachable!("the root is not overtaken") };
            let kid = &mut self.kids[parent.kids + parent.current];
            (kid.verdict, kid.work) = (verdict, kid.work.max(1));
            parent.work += done.work;
        }
        self.refresh();
        self.step()
    }

    /// Takes in what other workers have found out about the children of the last position.
    pub(super) fn refresh(&mut self) {
        let Some(frame) = self.path.last() else { return };
        let kids = &mut self.kids[frame.kids..];
        self.game.refresh(&mut |number, Update { workers, entry }| {
            let kid = &mut kids[number];
            kid.workers = workers;
            // What is solved stays so, even if the table has forgotten it. And a value that took less work than what is known is no
            // progress: in a small table workers would undo each other's for ever.
            if let Some((value, verdict, work)) = entry
                && kid.verdict == Verdict::Open
                && (verdict != Verdict::Open || work > kid.work)
            {
                (kid.info, kid.verdict, kid.work) = (R::Info::unpack(value), verdict, work);
            }
        });
    }
}
