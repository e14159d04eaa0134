//! Minishogi: shogi on 5 by 5 with one piece of each kind; captured pieces come back on the captor's side.
//!
//! Rules: Shigenobu Kusumoto, about 1970, as Ludii plays them: the last row is the promotion zone, pawns must promote, and who
//! cannot move loses. There is no rule about repetition, so a ply limit ends the game. With `dropmate` a pawn drop may mate,
//! as in the move lists of Fairy-Stockfish. A promotion is part of the move; Ludii makes a ply of its own of the choice.

use crate::kit::move_sets::{MoveSets, Step};
use crate::kit::pieces::{Board, Gait, KING as ONE_STEP, Pieces, read_turn, write_turn};
use crate::{ENDED_BY_PLIES, Facts, Family, Info, MIRROR, PLIES, plies};
use delphic_game::{
    Game, Hints, Notation, NotationError, Player, Rng, Spec, SpecError,
    adapters::PlyLimit,
    bits::Bits,
    grid::Grid,
    picture::{Picture, Style, Tiling},
};

const KING: usize = 0;
const GOLD: usize = 1;
const PAWN: usize = 2;
const SILVER: usize = 3;
const ROOK: usize = 4;
const BISHOP: usize = 5;
/// The kinds from the pawn to the bishop promote to the kind four places on.
const PROMOTION: usize = 4;
const KINDS: usize = 10;
/// Where a drop comes from.
const HAND: u8 = 64;

const GOLDS: &[(isize, isize)] = &[(1, 0), (1, 1), (0, 1), (-1, 0)];
const GAITS: [Gait; KINDS] = [
    Gait::leaper('K', ONE_STEP),
    Gait::leaper('G', GOLDS),
    Gait::leaper('P', &[(1, 0)]),
    Gait::leaper('S', &[(1, 0), (1, 1), (-1, 1)]),
    Gait::slider('R', true, false),
    Gait::slider('B', false, true),
    Gait::leaper('T', GOLDS),
    Gait::leaper('N', GOLDS),
    Gait { letter: 'D', leaps: &[(1, 1), (-1, 1)], rook: true, bishop: false },
    Gait { letter: 'H', leaps: &[(1, 0), (0, 1), (-1, 0)], rook: false, bishop: true },
];
/// Hands are written in this order.
const WRITTEN: [usize; 5] = [PAWN, SILVER, ROOK, BISHOP, GOLD];
const START: &str = "rbsgk/....p/...../P..../KGSBR [|] w";
/// Each player's promotion zone.
const ZONES: [u64; 2] = [0b11111, 0b11111 << 20];
const FILE: u64 = 0b1_00001_00001_00001_00001;

/// The rules.
#[derive(Clone, Debug)]
pub struct Minishogi {
    pieces: Pieces<KINDS>,
    /// Whether a pawn drop may mate.
    dropmate: bool,
}

/// A position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct State {
    board: Board<KINDS>,
    /// By player and kind, how many are in hand.
    hands: [[u8; 6]; 2],
    turn: Player,
}

/// The kind that a captured piece has in hand.
#[inline]
fn plain(kind: usize) -> usize {
    if kind > BISHOP { kind - PROMOTION } else { kind }
}

impl Minishogi {
    /// The only board there is; `dropmate` lets pawn drops mate.
    pub fn new(dropmate: bool) -> Minishogi {
        Minishogi { pieces: Pieces::new(Grid { rows: 5, cols: 5 }, GAITS), dropmate }
    }

    /// All moves, kings in danger or not.
    #[inline]
    fn fans(&self, state: &State) -> MoveSets {
        let (board, mover) = (&state.board, state.turn);
        let (mine, occupied) = (board.sides[mover.index()], board.occupied());
        let zone = ZONES[mover.index()];
        let mut fans = MoveSets::default();
        for kind in 0..KINDS {
            for cell in (mine & board.kinds[kind]).cells() {
                let to = self.pieces.reach(kind, mover, cell, occupied) & !mine;
                let promoting = match kind {
                    PAWN..=BISHOP if zone.has(cell) => to,
                    PAWN..=BISHOP => to & zone,
                    _ => 0,
                };
                fans.add(cell, kind + PROMOTION, promoting);
                fans.add(cell, kind, if kind == PAWN { to & !zone } else { to });
            }
        }
        let empty = !occupied & (u64::MAX >> 39);
        for kind in GOLD..=BISHOP {
            if state.hands[mover.index()][kind] > 0 {
                let barred = if kind == PAWN { zone | files(mine & board.kinds[PAWN]) } else { 0 };
                fans.add(HAND as usize, kind, empty & !barred);
            }
        }
        fans
    }

    #[inline]
    fn checked(&self, state: &State, player: Player) -> bool {
        self.pieces.attacked(&state.board, state.board.of(player, KING).first(), player.other())
    }

    /// Whether a move out of [`fans`](Minishogi::fans) leaves the king safe and is no mate by a dropped pawn.
    #[inline]
    fn legal(&self, state: &State, step: Step) -> bool {
        let mut next = *state;
        self.play(&mut next, step);
        !self.checked(&next, state.turn) && (!self.pawn_check(state, step) || self.can_move(&next))
    }

    /// Whether the move is a pawn drop that must not mate, but gives check.
    #[inline]
    fn pawn_check(&self, state: &State, step: Step) -> bool {
        let king = state.board.of(state.turn.other(), KING);
        let drop = step.from == HAND && step.becomes as usize == PAWN && !self.dropmate;
        drop && self.pieces.leaps(PAWN, state.turn, step.to as usize) & king != 0
    }

    fn can_move(&self, state: &State) -> bool {
        self.fans(state).steps().any(|step| self.legal(state, step))
    }

    /// The legal moves one by one.
    #[inline]
    fn each(&self, state: &State, mut each: impl FnMut(Step)) {
        let tied = self.pieces.tied(&state.board, state.turn, state.board.of(state.turn, KING));
        for step in self.fans(state).steps() {
            let free = match step.from {
                // A drop uncovers nothing.
                HAND => tied != u64::MAX && !self.pawn_check(state, step),
                from => !tied.has(from as usize),
            };
            if free || self.legal(state, step) {
                each(step);
            }
        }
    }

    fn write_hands(&self, state: &State) -> String {
        let hand = |player: usize| -> String {
            WRITTEN
                .iter()
                .map(|&kind| self.pieces.letter(kind).to_string().repeat(state.hands[player][kind].into()))
                .collect()
        };
        format!("[{}|{}]", hand(0), hand(1).to_lowercase())
    }

    fn read_hands(&self, text: Option<&str>) -> Option<[[u8; 6]; 2]> {
        let (first, second) = text?.strip_prefix('[')?.strip_suffix(']')?.split_once('|')?;
        let mut hands = [[0u8; 6]; 2];
        for (player, hand) in [first.to_owned(), second.to_uppercase()].iter().enumerate() {
            for letter in hand.chars() {
                let kind = WRITTEN.iter().find(|&&kind| self.pieces.letter(kind) == letter)?;
                hands[player][*kind] = hands[player][*kind].checked_add(1)?;
            }
        }
        (second == second.to_lowercase()).then_some(hands)
    }
}

/// All cells of the columns that hold a cell of `set`.
#[inline]
fn files(set: u64) -> u64 {
    set.cells().fold(0, |out, cell| out | FILE << (cell % 5))
}

impl Game for Minishogi {
    type State = State;
    type Move = Step;

    fn start(&self) -> State {
        self.read(START).expect("the start position is a position")
    }

    #[inline]
    fn turn(&self, state: &State) -> Player {
        state.turn
    }

    /// Kind by kind, promotions first; then the drops.
    fn moves(&self, state: &State, list: &mut Vec<Step>) {
        self.each(state, |step| list.push(step));
    }

    #[inline]
    fn play(&self, state: &mut State, step: Step) {
        let (mover, to, becomes) = (state.turn, step.to as usize, step.becomes as usize);
        if step.from == HAND {
            state.hands[mover.index()][becomes] -= 1;
            state.board.put(to, mover, becomes);
        } else {
            if state.board.sides[mover.other().index()].has(to) {
                state.hands[mover.index()][plain(state.board.kind_at(to))] += 1;
            }
            state.board.shift(mover, step.from as usize, to, becomes);
        }
        state.turn = mover.other();
    }

    fn payoffs(&self) -> Vec<i16> {
        vec![-1, 1]
    }

    /// Left and right are alike.
    fn canonicalize(&self, state: &mut State) {
        let mirrored = State { board: state.board.mirrored(self.pieces.grid), ..*state };
        *state = mirrored.min(*state);
    }

    fn count_moves(&self, state: &State, _: &mut Vec<Step>) -> usize {
        let mut count = 0;
        self.each(state, |_| count += 1);
        count
    }

    #[inline]
    fn random_move(&self, state: &State, rng: &mut Rng, _: &mut Vec<Step>) -> Option<Step> {
        self.fans(state).draw(rng, |step| self.legal(state, step))
    }
}

impl Hints for Minishogi {}

impl Notation for Minishogi {
    const HOW: &'static str = "A move is from-to, with + for a promotion, or a drop: d1-c2, a4-a5+, P@c3. A position is its rows \
        from the top, capitals for the first player's pieces (K G S B R P; promoted N silver, H bishop, D rook, T pawn), then \
        both hands, the player to move, w or b, and @ with the plies played: rbsgk/....p/...../P..../KGSBR [|] w@0";

    fn write_move(&self, state: &State, step: Step) -> String {
        let (to, kind) = (self.pieces.grid.name(step.to as usize), step.becomes as usize);
        if step.from == HAND {
            return format!("{}@{to}", self.pieces.letter(kind));
        }
        let promotes = !state.board.kinds[kind].has(step.from as usize);
        format!("{}-{to}{}", self.pieces.grid.name(step.from as usize), if promotes { "+" } else { "" })
    }

    fn write(&self, state: &State) -> String {
        format!("{} {} {}", self.pieces.write(&state.board), self.write_hands(state), write_turn(state.turn))
    }

    fn read(&self, text: &str) -> Result<State, NotationError> {
        let error = |reason: &str| Err(NotationError::position(reason));
        let mut words = text.split_whitespace();
        let board = self.pieces.read(words.next().unwrap_or(""))?;
        let Some(hands) = self.read_hands(words.next()) else {
            return error("expected the hands such as [PS|r] after the board");
        };
        let state = State { board, hands, turn: read_turn(words.next())? };
        if words.next().is_some() {
            return error("there is something after the side to move");
        }
        for kind in KING..=BISHOP {
            let promoted = if kind < PAWN { 0 } else { board.kinds[kind + PROMOTION].count() };
            let total = promoted
                + board.kinds[kind].count()
                + hands.iter().map(|hand| hand[kind] as usize).sum::<usize>();
            if total != 2 {
                return error(&format!("there are {total} {} instead of 2", self.pieces.letter(kind)));
            }
        }
        for player in [Player::FIRST, Player::SECOND] {
            let pawns = board.of(player, PAWN);
            if board.of(player, KING).count() != 1 {
                return error("each side needs a king");
            }
            if pawns & ZONES[player.index()] != 0 || files(pawns).count() != 5 * pawns.count() {
                return error("a pawn cannot stand in the last row, nor two of a side in one column");
            }
        }
        if self.checked(&state, state.turn.other()) {
            return error("the side to move could take the king");
        }
        Ok(state)
    }

    fn picture(&self, state: &State) -> Picture {
        let turn = if state.turn == Player::FIRST { "White" } else { "Black" };
        let board = self.pieces.picture(&state.board).tiled(Tiling::Squares).styled(Style::Shogi);
        board.note(format!("{turn} to move; hands {}", self.write_hands(state)))
    }
}

impl Family for PlyLimit<Minishogi> {
    const INFO: Info = Info {
        usage: "minishogi[:dropmate][,plies=2500]",
        about: "minishogi: shogi on 5 by 5; a player who cannot move loses",
        rules: "S. Kusumoto about 1970, as Ludii 1.3.14 plays it",
    };

    const FACTS: Facts = Facts {
        parameters: &[("dropmate", "a pawn drop may mate"), PLIES],
        cycles: ENDED_BY_PLIES,
        symmetries: MIRROR,
    };

    fn build(spec: &mut Spec) -> Result<PlyLimit<Minishogi>, SpecError> {
        let dropmate = spec.flag("dropmate");
        Ok(PlyLimit { game: Minishogi::new(dropmate), limit: plies(spec, 2500)? })
    }

    fn spec(&self) -> String {
        format!(
            "minishogi:{}plies={}",
            if self.game.dropmate { "dropmate," } else { "" },
            self.written_limit()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pawn in front of the king is guarded, and the king has nowhere to go.
    #[test]
    fn a_dropped_pawn_must_not_mate() {
        let text = ".rk../R...G/..G../...../K.... [P|pssbb] w";
        for (dropmate, drops) in [(false, 0), (true, 1)] {
            let game = Minishogi::new(dropmate);
            let state = game.read(text).unwrap();
            let mut list = Vec::new();
            game.moves(&state, &mut list);
            assert_eq!(list.iter().filter(|&&step| game.write_move(&state, step) == "P@c4").count(), drops);
            assert_eq!(list.len(), game.count_moves(&state, &mut Vec::new()));
        }
    }

    #[test]
    fn a_mate_with_the_last_ply_counts() {
        let game = PlyLimit { game: Minishogi::new(false), limit: Some(7) };
        let state = game.read(".rk../R...G/..G../P..../K.... [|pssbb] b@7");
        assert_eq!(game.outcome(&state.unwrap()), Some(delphic_game::Outcome::DRAW));
        let state = game.read("..k../..G../..G../P..../K.... [|pssbbrr] b@7");
        assert_eq!(game.outcome(&state.unwrap()), Some(delphic_game::Outcome::win(Player::FIRST)));
    }

    #[test]
    fn impossible_positions_are_refused() {
        let game = Minishogi::new(false);
        for bad in [
            "rbsgk/....p/...../P..../KGSBR w",
            "rbsgk/....p/...../P..../KGSBR [|]",
            "rbsgk/....p/...../P..../KGSBR [|] x",
            "rbsgk/....p/...../P..../KGSBR [|] w w",
            "rbsgk/....p/...../P..../KGSBR [P|] w",
            "rbsgk/....p/...../....P/KGSB. [|R] w",
            "rbsgk/....p/...../....K/.GSBR [x|] w",
            "Pbsgk/....p/...../...../KGSBR [|r] w",
            "rbsgk/....P/...../....P/KGSBR [|] w",
            "rbsg./....p/...../P.k../KGSBR [|] w",
        ] {
            assert!(game.read(bad).is_err(), "{bad}");
        }
    }
}
