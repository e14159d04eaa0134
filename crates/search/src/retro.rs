//! Retrograde analysis: the value of every position that can be reached, in games with and without cycles.
//!
//! All positions are found first ([`positions`]), then the ends are followed backwards ([`attractor`]). Thompson (1986) solved chess endgames
//! so; the count of the moves left is in Dowling and Gallier (1984) for Horn formulas. A question "can the player force at
//! least k?" is answered by one attractor: where the payoff of endless play is too little, the player attracts to the ends that pay
//! enough and the answer is yes there; where it is enough, the others attract to the ends that pay less and the answer is no there.

mod attractor;
mod links;
mod positions;
mod threads;

use crate::{LimitGuard, Limits, Observer, Report, RootValue, Stats, StopReason, Symmetry};
use attractor::{Attractor, Reversed, Run};
use delphic_game::{Bounds, Game, Hints, Outcome, Player, Score};
use links::Id;
use positions::Positions;

/// What a position is worth to the player asked about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Worth {
    /// The payoff that the player can force.
    pub payoff: i16,
    /// The plies to the end, if one side forces it: the side with the better result hurries, the other delays. `None` for payoffs
    /// between the least and the greatest, and where play need not end.
    pub plies: Option<u32>,
}

/// All positions below a root, and the answers to the questions that have been decided.
pub struct Retrograde<'g, G: Game> {
    positions: Positions<'g, G>,
    reversed: Reversed,
    root: Id,
    player: Player,
    /// What endless play pays the player. In a game without cycles there is none, and this does not matter.
    endless: i16,
    payoffs: Vec<i16>,
    /// One for every payoff but the least: whether the player can force it.
    attractors: Vec<Option<Attractor>>,
    /// Without cycles and with two payoffs: the other side of the only question, for its distances.
    opposite: Option<Attractor>,
    stats: Stats,
}

impl<'g, G: Game + Sync> Retrograde<'g, G> {
    /// Finds all positions. If a limit is reached, returns which one and the counters.
    pub fn enumerate(
        game: &'g G,
        root: &G::State,
        player: Player,
        symmetry: Symmetry,
        limits: Limits<'_>,
        guard: &mut LimitGuard<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Self, (StopReason, Stats)> {
        let (threads, mut stats) = (limits.threads.max(1), Stats::default());
        let mut positions = Positions::new(game, root, player, symmetry, threads);
        let found = positions.enumerate(threads, &mut stats, guard, observer);
        stats.time = guard.elapsed();
        found.map_err(|stop| (stop, stats))?;
        let reversed = Reversed::of(&mut positions.links, threads);
        let payoffs = game.payoffs();
        let attractors = payoffs.iter().skip(1).map(|_| None).collect();
        let endless = game.endless().unwrap_or(Outcome::DRAW).payoff(player);
        let root = positions.find(root).unwrap_or_else(|| unreachable!("the root was entered first"));
        let opposite = None;
        Ok(Retrograde { positions, reversed, root, player, endless, payoffs, attractors, opposite, stats })
    }

    /// Decides whether the player can force payoff number `nth` of the game, counted from 0, at every position.
    pub fn decide(
        &mut self,
        nth: usize,
        limits: Limits<'_>,
        guard: &mut LimitGuard<'_>,
        observer: &mut dyn Observer,
    ) -> Result<(), StopReason> {
        if nth == 0 || self.attractors[nth - 1].is_some() {
            return Ok(());
        }
        let ours = self.endless < self.payoffs[nth];
        self.attractors[nth - 1] = Some(self.attract(nth, ours, limits, guard, observer)?);
        Ok(())
    }

    /// The attractor of payoff number `nth` and more for the player, or of less for the others.
    fn attract(
        &mut self,
        nth: usize,
        ours: bool,
        limits: Limits<'_>,
        guard: &mut LimitGuard<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Attractor, StopReason> {
        let at_least = self.payoffs[nth];
        let wanted = |payoff: i16| (payoff >= at_least) == ours;
        let mut run = Run { threads: limits.threads.max(1), stats: self.stats, guard, observer };
        let found = Attractor::find(&self.positions.links, &self.reversed, ours, &wanted, &mut run);
        self.stats.time = guard.elapsed();
        found
    }

    /// The same for all payoffs of the game.
    pub fn decide_all(
        &mut self,
        limits: Limits<'_>,
        guard: &mut LimitGuard<'_>,
        observer: &mut dyn Observer,
    ) -> Result<(), StopReason> {
        (1..self.payoffs.len()).try_for_each(|nth| self.decide(nth, limits, guard, observer))?;
        if self.payoffs.len() == 2 && self.positions.game.endless().is_none() {
            let ours = self.endless >= self.payoffs[1];
            self.opposite = Some(self.attract(1, ours, limits, guard, observer)?);
        }
        Ok(())
    }

    /// Whether the player can force payoff number `nth` at a position, and in how many plies the attacker of that question gets it.
    fn answer(&self, nth: usize, id: Id) -> Option<(bool, Option<u32>)> {
        if nth == 0 {
            return Some((true, None));
        }
        let attractor = self.attractors.get(nth - 1)?.as_ref()?;
        let rank = attractor.rank(id);
        let other = || self.opposite.as_ref()?.rank(id);
        Some((rank.is_some() == attractor.ours, rank.or_else(other)))
    }

    fn worth_of(&self, id: Id) -> Option<Worth> {
        let mut nth = 0;
        while nth + 1 < self.payoffs.len() && self.answer(nth + 1, id)?.0 {
            nth += 1;
        }
        let last = self.payoffs.len() - 1;
        let decisive = match nth {
            _ if last == 0 => return Some(Worth { payoff: self.payoffs[0], plies: None }),
            0 => 1,
            nth if nth == last => last,
            _ => return Some(Worth { payoff: self.payoffs[nth], plies: None }),
        };
        Some(Worth { payoff: self.payoffs[nth], plies: self.answer(decisive, id)?.1 })
    }

    /// What a position is worth, if it can be reached and all payoffs have been decided.
    pub fn worth(&self, state: &G::State) -> Option<Worth> {
        self.worth_of(self.positions.find(state)?)
    }

    /// Whether the player can force payoff number `nth` at a position, if it can be reached and this has been decided.
    pub fn can_force(&self, nth: usize, state: &G::State) -> Option<bool> {
        Some(self.answer(nth, self.positions.find(state)?)?.0)
    }

    /// How far the attacker of a question is from its aim, if it reaches it: the plies to the end.
    pub fn rank(&self, nth: usize, state: &G::State) -> Option<u32> {
        self.answer(nth, self.positions.find(state)?)?.1
    }

    /// Calls `sink` with the canonical form of every position and what it is worth, if all payoffs have been decided.
    pub fn each(&self, sink: &mut dyn FnMut(&G::State, Worth)) {
        for id in self.positions.links.ids() {
            if let Some(worth) = self.worth_of(id) {
                sink(self.positions.state(id), worth);
            }
        }
    }

    /// Calls `sink` with the number of moves and the number of best moves of every position that is not over, if all payoffs have been
    /// decided. A move is best if the mover's payoff stays what it was.
    pub fn each_choice(&self, sink: &mut dyn FnMut(usize, usize)) {
        let (game, mut moves) = (self.positions.game, Vec::new());
        for id in self.positions.links.ids().filter(|&id| self.positions.links.node(id).moves() > 0) {
            let state = self.positions.state(id);
            let Some(worth) = self.worth_of(id) else { return };
            moves.clear();
            game.moves(state, &mut moves);
            let keeps = |mv: &&G::Move| {
                let mut child = state.clone();
                game.play(&mut child, **mv);
                self.worth(&child).is_some_and(|after| after.payoff == worth.payoff)
            };
            sink(moves.len(), moves.iter().filter(keeps).count());
        }
    }

    /// The number of positions.
    pub fn len(&self) -> u64 {
        self.positions.len()
    }

    /// Never: there is the root.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The number of moves between them.
    pub fn moves(&self) -> u64 {
        self.positions.links.edges()
    }

    /// The player asked about.
    pub fn player(&self) -> Player {
        self.player
    }

    /// The number of a payoff among those of the game.
    pub fn place(&self, payoff: i16) -> Option<usize> {
        self.payoffs.iter().position(|&other| other == payoff)
    }

    /// Counters so far, with the bytes held now.
    pub fn stats(&self) -> Stats {
        self.stats
    }

    /// Memory held, in bytes.
    pub fn bytes(&self) -> u64 {
        self.positions.bytes_reversed()
    }

    /// The numbers of the moves from `from` on in which the side that forces a result hurries and the other delays, where one side forces
    /// payoff number `nth` or less.
    pub fn line(&self, nth: usize, from: &G::State) -> Vec<u16> {
        let (game, mut state, mut line, mut moves) =
            (self.positions.game, from.clone(), Vec::new(), Vec::new());
        let holds = self.can_force(nth, from);
        while let Some(rank) = self.rank(nth, &state).filter(|&rank| rank > 0) {
            moves.clear();
            game.moves(&state, &mut moves);
            // In an attractor some child of every position has the next lower rank, and none of the defender's has a higher one.
            let step = moves.iter().enumerate().find_map(|(number, &mv)| {
                let mut child = state.clone();
                game.play(&mut child, mv);
                let on = self.rank(nth, &child) == Some(rank - 1) && self.can_force(nth, &child) == holds;
                on.then_some((number as u16, child))
            });
            let Some((number, child)) = step else { break };
            line.push(number);
            state = child;
        }
        line
    }
}

/// Finds a score: all positions, and as many attractors as it takes to tell the payoffs in its range apart at the root.
///
/// ```
/// use delphic_game::{Bounds, Game, Outcome, Player, Score};
/// use delphic_search::{Limits, Symmetry, retro};
///
/// /// A token walks on a path of five points. The first player wins at the left end, the second at the right; a step to either side
/// /// is a move, so that the game can go on for ever.
/// struct Path;
///
/// impl Game for Path {
///     type State = (i8, Player);
///     type Move = i8;
///     fn start(&self) -> (i8, Player) { (0, Player::FIRST) }
///     fn turn(&self, s: &(i8, Player)) -> Player { s.1 }
///     fn moves(&self, _: &(i8, Player), list: &mut Vec<i8>) { list.extend([-1, 1]) }
///     fn play(&self, s: &mut (i8, Player), step: i8) { *s = (s.0 + step, s.1.other()) }
///     fn outcome(&self, s: &(i8, Player)) -> Option<Outcome> {
///         match s.0 { -2 => Some(Outcome::win(Player::FIRST)), 2 => Some(Outcome::loss(Player::FIRST)), _ => None }
///     }
///     fn endless(&self) -> Option<Outcome> { Some(Outcome::DRAW) }
/// }
/// impl delphic_game::Hints for Path {}
///
/// let score = Score { player: Player::FIRST, range: Bounds { lo: -1, hi: 1 } };
/// let value = |at| retro::solve(&Path, &(at, Player::FIRST), score, Symmetry::On, Limits::default(), &mut ()).truth;
/// assert_eq!(value(0), Bounds { lo: 0, hi: 0 });
/// assert_eq!(value(-1), Bounds { lo: 1, hi: 1 });
/// ```
pub fn solve<G: Hints + Sync>(
    game: &G,
    position: &G::State,
    score: Score,
    symmetry: Symmetry,
    limits: Limits<'_>,
    observer: &mut dyn Observer,
) -> Report<Bounds> {
    let mut guard = LimitGuard::new(limits);
    let found = Retrograde::enumerate(game, position, score.player, symmetry, limits, &mut guard, observer);
    let mut retrograde = match found {
        Ok(retrograde) => retrograde,
        Err((stop, stats)) => return Report { stop, stats, ..Report::at_once(score.range) },
    };
    let mut stop = StopReason::Solved;
    let payoffs = retrograde.payoffs.clone();
    // The ends of the range need not be payoffs themselves.
    let mut lo = payoffs.partition_point(|&payoff| payoff <= score.range.lo).saturating_sub(1);
    let mut hi = payoffs.partition_point(|&payoff| payoff < score.range.hi).clamp(lo, payoffs.len() - 1);
    // A win is asked for first: it is the question with the best line.
    while lo < hi {
        let nth = (lo + hi).div_ceil(2);
        if let Err(reason) = retrograde.decide(nth, limits, &mut guard, observer) {
            stop = reason;
            break;
        }
        match retrograde.answer(nth, retrograde.root) {
            Some((true, _)) => lo = nth,
            _ => hi = nth - 1,
        }
    }
    let clamp = |payoff: i16| payoff.clamp(score.range.lo, score.range.hi);
    let truth = Bounds { lo: clamp(payoffs[lo]), hi: clamp(payoffs[hi]) };
    let line = match () {
        () if lo < hi => Vec::new(),
        () if lo + 1 == payoffs.len() => retrograde.line(lo, position),
        () if lo == 0 => retrograde.line(1, position),
        () => Vec::new(),
    };
    let stats = Stats { time: guard.elapsed(), ..retrograde.stats };
    Report { truth, stop, stats, root: RootValue::None, estimate: None, line, memory: None }
}
