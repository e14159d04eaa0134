//! What patterns see of a move in a capture problem: attacker, defender, target, empty and off the board (paper 4, §4.1).

use super::{CaptureState, GoCapture, PASS, Points};
use delphic_game::Player;
use delphic_game::patterns::{CELLS, OFFSETS, Patterns, Surroundings};

const ATTACKER: u8 = 1;
const DEFENDER: u8 = 2;
const TARGET: u8 = 3;
const OUTSIDE: u8 = 4;

/// Beyond the paper: up to this many liberties of the target after the move are distinguished.
const LIBERTIES: usize = 6;

impl Patterns for GoCapture {
    fn surroundings(&self, before: &CaptureState, mv: u16, after: &CaptureState, _: Player) -> Surroundings {
        let liberties = self.liberties_or_none(after).min(LIBERTIES) as u8;
        if mv == PASS {
            return Surroundings { cells: [OUTSIDE; CELLS], context: liberties + 1 + LIBERTIES as u8 };
        }
        // Three bits of every cell, from windows of the boards: row by row is faster than cell by cell.
        let stride = self.board().size() as i32 + 1;
        let corner = i32::from(mv) - 3 * stride - 3;
        let window =
            |set: Points| std::array::from_fn(|row| set.bits_from(corner + row as i32 * stride) as u8 & 0x7f);
        let attackers: [u8; 7] = window(before.attackers());
        let defenders: [u8; 7] = window(before.defenders());
        let target: [u8; 7] = window(self.chain(before));
        let board: [u8; 7] = window(self.board().all());
        // Near an edge a row of the window runs into the row beside it.
        let col = self.board().place(mv.into()).1 as i32;
        let inside =
            (0..7).filter(|i| (0..stride - 1).contains(&(col + i - 3))).fold(0, |mask, i| mask | 1u8 << i);
        let cells = OFFSETS.map(|(down, right)| {
            let (row, bit) = ((down + 3) as usize, 1u8 << (right + 3));
            let has = |window: &[u8; 7]| u8::from(window[row] & bit != 0);
            if board[row] & inside & bit == 0 {
                return OUTSIDE;
            }
            ATTACKER * has(&attackers) + DEFENDER * has(&defenders) + (TARGET - DEFENDER) * has(&target)
        });
        Surroundings { cells, context: liberties }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use delphic_game::bits::Bits;
    use delphic_game::patterns::around;
    use delphic_game::{Game, Rng};

    #[test]
    fn windows_agree_with_looking_at_every_cell() {
        let mut rng = Rng::new(5);
        for size in [3, 5, 9, 19] {
            let game = GoCapture::new(size);
            for _ in 0..20 {
                let (mut state, mut moves) = (game.start(), Vec::new());
                while game.outcome(&state).is_none() {
                    moves.clear();
                    game.moves(&state, &mut moves);
                    if moves.is_empty() {
                        break;
                    }
                    let mv = moves[rng.below(moves.len())];
                    let mut next = state;
                    game.play(&mut next, mv);
                    if mv != PASS {
                        let chain = game.chain(&state);
                        let cells =
                            around(game.board().place(mv.into()), (size, size), OUTSIDE, |row, col| {
                                let point = game.board().point(row, col);
                                match () {
                                    () if chain.has(point) => TARGET,
                                    () if state.defenders().has(point) => DEFENDER,
                                    () if state.attackers().has(point) => ATTACKER,
                                    () => 0,
                                }
                            });
                        assert_eq!(game.surroundings(&state, mv, &next, state.attacker).cells, cells);
                    }
                    state = next;
                }
            }
        }
    }
}
