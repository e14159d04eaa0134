//! The [`Game`] of a description: states of a few words, and moves from tables.

use super::board::{Board, CELLS};
use super::rules::{Act, Again, End, KINDS, Kind, Ray, Rule, Targets, Test, Winner, code, decode};
use super::symmetry::Permutation;
use arrayvec::ArrayVec;
use delphic_game::{Game, Hints, Outcome, Player, Progressive, Rng, bits::Bits, mix};

/// A game that a file describes, compiled to tables.
#[derive(Clone, Debug)]
pub struct Described {
    pub(crate) board: Board,
    pub(crate) kinds: Vec<Kind>,
    pub(crate) rules: Vec<Rule>,
    pub(crate) ends: Vec<End>,
    pub(crate) start: State,
    /// The result of endless play, unless the rules exclude it.
    pub(crate) endless: Option<Outcome>,
    /// What the file says about it.
    pub(crate) endless_declared: Outcome,
    /// The symmetries, without the identity.
    pub(crate) symmetries: Vec<Permutation>,
    /// Whether some player may get to a cell in two ways, which must be listed once.
    pub(crate) overlaps: bool,
    /// Whether a player can move twice in a row.
    pub(crate) extra_turns: bool,
}

/// A position: the cells of every kind, the player to move, the pieces in hand, and the first player's lead in regions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    pub(crate) men: [u64; KINDS],
    pub(crate) turn: Player,
    pub(crate) hands: [u8; 2],
    pub(crate) lead: i8,
    /// The encoded result, which follows from the rest: 0 if the position is not terminal.
    pub(crate) over: u8,
}

/// A move: which rule, with which kind, from where to where. A new piece comes from where it is put, or from the other cell of a pair; a
/// piece that leaves the board goes where it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move {
    pub(crate) rule: u8,
    pub(crate) kind: u8,
    pub(crate) from: u8,
    pub(crate) to: u8,
}

/// Moves of one rule that differ in their targets.
#[derive(Clone, Copy)]
struct Fan {
    rule: u8,
    kind: u8,
    from: Origin,
    to: u64,
}

/// Where the moves of a fan come from.
#[derive(Clone, Copy)]
enum Origin {
    /// One cell.
    Cell(u8),
    /// Each from a cell whose number is smaller than its target's by this difference. A new piece comes from its own cell.
    Behind(i8),
}

impl Fan {
    #[inline]
    fn mv(&self, to: usize) -> Move {
        let to = to as u8;
        let from = match self.from {
            Origin::Cell(from) => from,
            Origin::Behind(by) => (to as i8 - by) as u8,
        };
        Move { rule: self.rule, kind: self.kind, from, to }
    }
}

/// Fans that are counted before one is drawn; positions with more list their moves.
const FANS: usize = 96;

impl State {
    /// The occupied cells.
    #[inline]
    pub(crate) fn occupied(&self) -> u64 {
        self.men.iter().fold(0, |set, men| set | men)
    }

    /// The kind of the piece on a cell.
    #[inline]
    pub(crate) fn kind_at(&self, cell: u8) -> Option<usize> {
        self.men.iter().position(|men| men.has(usize::from(cell)))
    }
}

impl Described {
    /// The cells where pieces of a player stand, or shared ones for `None`.
    #[inline]
    fn men_of(&self, state: &State, owner: Option<Player>) -> u64 {
        let owned = self.kinds.iter().zip(state.men).filter(|(kind, _)| kind.owner == owner);
        owned.fold(0, |set, (_, men)| set | men)
    }

    /// The cells of some targets, seen from a player.
    #[inline]
    pub(crate) fn cells_of(&self, targets: Targets, state: &State, player: Player) -> u64 {
        let mut set = 0;
        for (number, kind) in self.kinds.iter().enumerate() {
            let named = targets.kinds >> number & 1 == 1;
            let meant = match kind.owner {
                Some(owner) if owner == player => targets.own,
                Some(_) => targets.enemy,
                None => targets.shared,
            };
            set |= if named || meant { state.men[number] } else { 0 };
        }
        if targets.empty { set | self.board.all() & !state.occupied() } else { set }
    }

    /// The cells beside a set.
    #[inline]
    fn beside(&self, set: u64) -> u64 {
        set.cells().fold(0, |near, cell| near | self.board.near[cell])
    }

    /// Calls `sink` with the moves of the player to move, by rule and origin.
    #[inline]
    fn fans(&self, state: &State, mut sink: impl FnMut(Fan)) {
        let (mover, occupied) = (state.turn, state.occupied());
        let empty = self.board.all() & !occupied;
        for (number, rule) in self.rules.iter().enumerate() {
            let hand = state.hands[mover.index()];
            if !rule.by[mover.index()] || rule.after_placing && hand > 0 {
                continue;
            }
            let number = number as u8;
            if let Act::Place { .. } | Act::Pair { .. } = rule.act {
                self.new_pieces(state, number, rule, empty, &mut sink);
                continue;
            }
            for kind in (0..self.kinds.len()).filter(|kind| rule.kinds >> kind & 1 == 1) {
                if self.kinds[kind].owner.is_some_and(|owner| owner != mover) {
                    continue;
                }
                let movers = state.men[kind] & rule.from;
                if movers != 0 {
                    self.old_pieces(state, number, rule, kind, movers, empty, &mut sink);
                }
            }
        }
    }

    #[inline]
    fn new_pieces(&self, state: &State, number: u8, rule: &Rule, empty: u64, sink: &mut impl FnMut(Fan)) {
        for kind in (0..self.kinds.len()).filter(|kind| rule.kinds >> kind & 1 == 1) {
            if self.kinds[kind].owner.is_some_and(|owner| owner != state.turn) {
                continue;
            }
            let kind = kind as u8;
            match &rule.act {
                Act::Place { hand, beside, apart } => {
                    let mut to = empty & rule.to;
                    if *hand && state.hands[state.turn.index()] == 0 {
                        to = 0;
                    }
                    if let Some(targets) = beside {
                        to &= self.beside(self.cells_of(*targets, state, state.turn));
                    }
                    if let Some(targets) = apart {
                        to &= !self.beside(self.cells_of(*targets, state, state.turn));
                    }
                    sink(Fan { rule: number, kind, from: Origin::Behind(0), to });
                }
                Act::Pair { .. } if !rule.shifts.is_empty() => {
                    let free = empty & rule.to;
                    for shift in &rule.shifts {
                        let to = shift.image(free) & free;
                        sink(Fan { rule: number, kind, from: Origin::Behind(shift.by), to });
                    }
                }
                Act::Pair { partners } => {
                    for cell in (empty & rule.to).cells() {
                        let to = partners[cell] & empty & rule.to;
                        sink(Fan { rule: number, kind, from: Origin::Cell(cell as u8), to });
                    }
                }
                _ => {}
            }
        }
    }

    #[inline]
    #[expect(clippy::too_many_arguments)]
    fn old_pieces(
        &self,
        state: &State,
        number: u8,
        rule: &Rule,
        kind: usize,
        movers: u64,
        empty: u64,
        sink: &mut impl FnMut(Fan),
    ) {
        let fan = |from: usize, to: u64| Fan {
            rule: number,
            kind: kind as u8,
            from: Origin::Cell(from as u8),
            to: to & rule.to,
        };
        match &rule.act {
            Act::Step { reach, onto } => {
                let onto = self.cells_of(*onto, state, state.turn);
                if rule.shifts.is_empty() {
                    movers.cells().for_each(|cell| sink(fan(cell, reach[cell] & onto)));
                }
                for shift in &rule.shifts {
                    sink(Fan { from: Origin::Behind(shift.by), ..fan(0, shift.image(movers) & onto) });
                }
            }
            Act::Slide { rays, onto } => {
                let onto = self.cells_of(*onto, state, state.turn);
                for cell in movers.cells() {
                    let to = rays[cell].iter().fold(0, |set, ray| set | slide(ray, empty, onto));
                    sink(fan(cell, to));
                }
            }
            Act::Hop { rays, over, repeat, .. } => {
                let over = self.cells_of(*over, state, state.turn);
                for cell in movers.cells() {
                    let to = rays[cell].iter().fold(0, |set, ray| set | hop(ray, empty, over, *repeat));
                    sink(fan(cell, to));
                }
            }
            Act::Push { rays, over } => {
                let over = self.cells_of(*over, state, state.turn);
                let pushes = |ray: &&Ray| over.has(usize::from(ray[0])) && empty.has(usize::from(ray[1]));
                for cell in movers.cells() {
                    let to = rays[cell].iter().filter(|ray| ray.len() > 1).filter(pushes);
                    sink(fan(cell, to.fold(0, |set, ray| set | 1 << ray[0])));
                }
            }
            Act::Leave => movers.cells().for_each(|cell| sink(Fan { to: 1 << cell, ..fan(cell, 0) })),
            Act::Place { .. } | Act::Pair { .. } | Act::Pass => {}
        }
    }

    /// The same with every move once: the first rule that allows it counts. Where rules overlap there are no shifts, so that only new
    /// pieces come from behind.
    #[inline]
    fn distinct_fans(&self, state: &State, mut sink: impl FnMut(Fan)) {
        if !self.overlaps {
            return self.fans(state, sink);
        }
        let (mut met, mut placed) = ([0u64; CELLS], [0u64; KINDS]);
        self.fans(state, |mut fan| {
            let met = match fan.from {
                Origin::Cell(from) => &mut met[usize::from(from)],
                Origin::Behind(_) => &mut placed[usize::from(fan.kind)],
            };
            fan.to &= !*met;
            *met |= fan.to;
            sink(fan);
        });
    }

    /// The number of the rule to pass, if the mover has one.
    fn pass(&self, state: &State) -> Option<Move> {
        let may = |rule: &Rule| rule.act == Act::Pass && rule.by[state.turn.index()];
        let rule = self.rules.iter().position(may)?;
        Some(Move { rule: rule as u8, kind: 0, from: 0, to: 0 })
    }

    /// The cells that a hop passes over.
    fn jumped(rays: &[Ray], to: u8) -> u64 {
        let ray = rays.iter().find_map(|ray| {
            ray.iter().position(|&cell| cell == to).filter(|at| at % 2 == 1).map(|at| &ray[..at])
        });
        ray.map_or(0, |passed| passed.iter().step_by(2).fold(0, |set, &cell| set | 1 << cell))
    }

    /// By how much the first player leads where the most counts.
    fn lead(&self, state: &State) -> i32 {
        if !self.board.regions.is_empty() {
            return i32::from(state.lead);
        }
        let [first, second] =
            [Player::FIRST, Player::SECOND].map(|player| self.men_of(state, Some(player)).count());
        first as i32 - second as i32
    }

    /// The end that applies after a move of `last`, whatever it changed.
    pub(super) fn ended_by(&self, state: &State, last: Player) -> Option<usize> {
        self.ends.iter().position(|end| self.holds(&end.test, state, last, u64::MAX))
    }

    /// The end that applies where a player cannot move.
    pub(super) fn stuck_end(&self) -> Option<usize> {
        self.ends.iter().position(|end| matches!(end.test, Test::Stuck))
    }

    /// The result after a move of `last` that changed some cells.
    #[inline]
    fn ended(&self, state: &State, last: Player, changed: u64) -> Option<Outcome> {
        let end = self.ends.iter().find(|end| self.holds(&end.test, state, last, changed))?;
        Some(end.winner.outcome(last, if end.winner == Winner::Most { self.lead(state) } else { 0 }))
    }

    /// The result of a position that a move led to, by either player who could have made it.
    #[inline]
    pub(crate) fn result_of(&self, state: &State, changed: u64) -> u8 {
        let last = state.turn.other();
        let found = self.ended(state, last, changed);
        code(if self.extra_turns { found.or_else(|| self.ended(state, state.turn, changed)) } else { found })
    }

    #[inline]
    fn holds(&self, test: &Test, state: &State, last: Player, changed: u64) -> bool {
        match test {
            Test::Line { of, through, .. } => {
                let set = self.cells_of(*of, state, last);
                (changed & set).cells().any(|cell| through[cell].iter().any(|line| line & !set == 0))
            }
            Test::Reach { of, zone, count } => {
                (self.cells_of(*of, state, last) & zone).count() as u32 >= *count
            }
            Test::Connect { of, ends } => self.connects(self.cells_of(*of, state, last), *ends, changed),
            Test::Gone { of } => self.cells_of(*of, state, last) == 0 && self.hands_empty(*of, state, last),
            Test::Surrounded { of } => {
                let empty = self.board.all() & !state.occupied();
                self.cells_of(*of, state, last).cells().any(|cell| self.board.near[cell] & empty == 0)
            }
            Test::Full => state.occupied() == self.board.all(),
            Test::Stuck => false,
        }
    }

    /// Whether no piece of some targets is still to be placed.
    fn hands_empty(&self, of: Targets, state: &State, player: Player) -> bool {
        let named = |owner: Player| {
            self.kinds
                .iter()
                .enumerate()
                .any(|(nth, kind)| of.kinds >> nth & 1 == 1 && kind.owner == Some(owner))
        };
        let meant = |owner: Player| named(owner) || if owner == player { of.own } else { of.enemy };
        [Player::FIRST, Player::SECOND].iter().all(|&owner| state.hands[owner.index()] == 0 || !meant(owner))
    }

    /// Whether a chain through one of the changed cells joins the ends.
    #[inline]
    fn connects(&self, set: u64, ends: [u64; 2], changed: u64) -> bool {
        let mut seeds = changed & set;
        while seeds != 0 {
            let (mut chain, mut edge) = (0, 1u64 << seeds.first());
            while edge != 0 {
                chain |= edge;
                edge = self.beside(edge) & set & !chain;
            }
            if ends.iter().all(|end| chain & end != 0) {
                return true;
            }
            seeds &= !chain;
        }
        false
    }
}

/// The cells that a piece gets to along a ray.
#[inline]
fn slide(ray: &Ray, empty: u64, onto: u64) -> u64 {
    let mut to = 0;
    for &cell in ray {
        to |= 1 << cell & onto;
        if !empty.has(usize::from(cell)) {
            break;
        }
    }
    to
}

/// The cells that a piece gets to by one jump along a ray, or by several.
#[inline]
fn hop(ray: &Ray, empty: u64, over: u64, repeat: bool) -> u64 {
    let mut to = 0;
    for jump in ray.chunks_exact(2) {
        if !over.has(usize::from(jump[0])) || !empty.has(usize::from(jump[1])) {
            break;
        }
        to |= 1 << jump[1];
        if !repeat {
            break;
        }
    }
    to
}

impl Game for Described {
    type State = State;
    type Move = Move;

    fn start(&self) -> State {
        self.start
    }

    #[inline]
    fn turn(&self, state: &State) -> Player {
        state.turn
    }

    /// Rule by rule, in the order of the cells they go from and to.
    fn moves(&self, state: &State, list: &mut Vec<Move>) {
        let before = list.len();
        let mut sorted = true;
        self.distinct_fans(state, |fan| {
            sorted &= matches!(fan.from, Origin::Behind(0));
            list.extend(fan.to.cells().map(|to| fan.mv(to)));
        });
        if !sorted {
            list[before..].sort_unstable_by_key(|mv| (mv.rule, mv.from, mv.to, mv.kind));
        }
        if list.len() == before {
            list.extend(self.pass(state));
        }
    }

    fn play(&self, state: &mut State, mv: Move) {
        let (rule, mover) = (&self.rules[usize::from(mv.rule)], state.turn);
        let (from, to) = (1u64 << mv.from, 1u64 << mv.to);
        let (mut kind, before) = (usize::from(mv.kind), state.occupied());
        let (mut changed, mut taken) = (to, 0);
        match &rule.act {
            Act::Place { hand, .. } => {
                state.men[kind] |= to;
                state.hands[mover.index()] -= u8::from(*hand);
            }
            Act::Pair { .. } => {
                changed |= from;
                state.men[kind] |= changed;
            }
            Act::Step { .. } | Act::Slide { .. } | Act::Hop { .. } | Act::Push { .. } => {
                let rays = match &rule.act {
                    Act::Hop { rays, .. } | Act::Push { rays, .. } => &rays[usize::from(mv.from)][..],
                    _ => &[],
                };
                match &rule.act {
                    Act::Push { .. } => {
                        let behind = rays.iter().find(|ray| ray[0] == mv.to).map_or(mv.to, |ray| ray[1]);
                        if let Some(pushed) = state.kind_at(mv.to) {
                            state.men[pushed] = state.men[pushed] & !to | 1 << behind;
                            changed |= 1 << behind;
                        }
                    }
                    Act::Hop { takes: true, .. } => taken = Self::jumped(rays, mv.to),
                    _ => taken = to & before,
                }
                state.men.iter_mut().for_each(|men| *men &= !(taken | from));
                if let Some((other, _)) = rule.becomes.filter(|(_, zone)| zone & to != 0) {
                    kind = usize::from(other);
                }
                state.men[kind] |= to;
            }
            Act::Leave => {
                state.men[kind] &= !from;
                changed = 0;
            }
            Act::Pass => changed = 0,
        }
        let mut filled = 0;
        if !self.board.regions.is_empty() {
            let full =
                |set: u64| self.board.regions.iter().filter(|&&region| region & !set == 0).count() as i8;
            filled = full(state.occupied()) - full(before);
            state.lead += if mover == Player::FIRST { filled } else { -filled };
        }
        let again = match rule.again {
            Again::Never => false,
            Again::Always => true,
            Again::Takes => taken != 0,
            Again::Fills => filled > 0,
        };
        if !again {
            state.turn = mover.other();
        }
        state.over = self.result_of(state, changed);
    }

    #[inline]
    fn outcome(&self, state: &State) -> Option<Outcome> {
        decode(state)
    }

    fn stuck(&self, state: &State) -> Outcome {
        let end = self.stuck_end().map(|nth| &self.ends[nth]);
        end.map_or(Winner::Last, |end| end.winner).outcome(state.turn.other(), self.lead(state))
    }

    fn endless(&self) -> Option<Outcome> {
        self.endless
    }

    #[inline]
    fn key(&self, state: &State) -> u64 {
        let rest =
            u64::from(state.hands[0]) | u64::from(state.hands[1]) << 8 | u64::from(state.lead as u8) << 16;
        let seed = rest | (state.turn.index() as u64) << 24;
        state.men[..self.kinds.len()].iter().fold(mix(seed), |hash, &men| mix(hash ^ men))
    }

    fn canonicalize(&self, state: &mut State) {
        let kinds = self.kinds.len();
        let mut best = state.men;
        for permutation in &self.symmetries {
            let mut image = [0; KINDS];
            (0..kinds).for_each(|kind| image[kind] = permutation.image(state.men[kind]));
            best = best.min(image);
        }
        state.men = best;
    }

    fn count_moves(&self, state: &State, _: &mut Vec<Move>) -> usize {
        let mut count = 0;
        self.distinct_fans(state, |fan| count += fan.to.count());
        if count == 0 { usize::from(self.pass(state).is_some()) } else { count }
    }

    fn random_move(&self, state: &State, rng: &mut Rng, scratch: &mut Vec<Move>) -> Option<Move> {
        let (mut fans, mut count) = (ArrayVec::<Fan, FANS>::new(), 0);
        let mut all = true;
        self.distinct_fans(state, |fan| {
            if fan.to != 0 {
                count += fan.to.count();
                all &= fans.try_push(fan).is_ok();
            }
        });
        if count == 0 {
            return self.pass(state);
        }
        let mut nth = rng.below(count);
        if !all {
            scratch.clear();
            self.moves(state, scratch);
            return scratch.get(nth).copied();
        }
        for fan in &fans {
            let width = fan.to.count();
            if nth < width {
                return Some(fan.mv(fan.to.nth(nth)));
            }
            nth -= width;
        }
        None
    }
}

impl Progressive for Described {}
impl Hints for Described {}
