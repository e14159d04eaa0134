//! Keys of patterns: one for each of the eight nested templates around a move, the same for all symmetric images.
//!
//! A pattern's key is the least of the hashes of its images. The hashes of all eight grow together, cell by cell: a cell in some
//! state adds one row of a table, which is a number for each image.

use delphic_game::mix;
use delphic_game::patterns::{CELLS, OFFSETS, SIZES, STATES, Surroundings, TEMPLATES};
use std::array::from_fn;

/// The keys of the patterns around a move, the smallest first.
pub type Stack = [u64; TEMPLATES];

/// The hashes of every cell in every state, under each symmetry.
#[derive(Clone, Debug)]
pub struct Templates {
    rows: Box<[[[u64; 8]; STATES]; CELLS]>,
}

impl Templates {
    /// The tables for moves that are worth the same under the symmetries `alike`, a bit each. The identity is always among them.
    pub fn new(alike: u8) -> Templates {
        // A symmetry that does not count repeats the identity.
        let image = |cell, which: usize| if alike >> which & 1 != 0 { image(cell, which) } else { cell };
        let hash = |cell: usize, state| mix((cell * STATES + state) as u64 + 1);
        Templates {
            rows: Box::new(from_fn(|cell| from_fn(|state| from_fn(|which| hash(image(cell, which), state))))),
        }
    }

    /// The keys of a move's surroundings. Whether the asking player makes the move, and the context, are part of every key.
    #[inline]
    pub fn stack(&self, seen: &Surroundings, asking: bool) -> Stack {
        let mut images = [0u64; 8];
        let mut from = 0;
        let salt = mix(u64::from(seen.context) << 1 | u64::from(asking));
        from_fn(|template| {
            for (row, &state) in self.rows[from..SIZES[template]].iter().zip(&seen.cells[from..]) {
                let hashes = &row[usize::from(state)];
                images = from_fn(|which| images[which].wrapping_add(hashes[which]));
            }
            from = SIZES[template];
            let least = images.iter().fold(u64::MAX, |least, &hash| least.min(hash));
            mix(least ^ salt ^ (template as u64) << 56)
        })
    }
}

/// Where a symmetry takes a cell of the templates.
fn image(cell: usize, which: usize) -> usize {
    let (mut row, mut col) = OFFSETS[cell];
    if which & 1 != 0 {
        col = -col;
    }
    if which & 2 != 0 {
        row = -row;
    }
    if which & 4 != 0 {
        (row, col) = (col, row);
    }
    OFFSETS.iter().position(|&offset| offset == (row, col)).unwrap_or(cell)
}

#[cfg(test)]
mod tests {
    use super::*;
    use delphic_game::Rng;
    use std::collections::HashMap;

    fn random(rng: &mut Rng) -> Surroundings {
        Surroundings { cells: from_fn(|_| rng.below(5) as u8), context: rng.below(4) as u8 }
    }

    #[test]
    fn symmetric_images_have_equal_keys_and_others_do_not() {
        let templates = Templates::new(0xff);
        let mut rng = Rng::new(1);
        let mut known: HashMap<u64, Surroundings> = HashMap::new();
        for _ in 0..2000 {
            let seen = random(&mut rng);
            let stack = templates.stack(&seen, true);
            for which in 0..8 {
                let mut turned = seen;
                (0..CELLS).for_each(|cell| turned.cells[image(cell, which)] = seen.cells[cell]);
                assert_eq!(templates.stack(&turned, true), stack);
            }
            assert_ne!(templates.stack(&seen, false), stack);
            assert!(known.insert(stack[TEMPLATES - 1], seen).is_none_or(|other| other == seen));
        }
    }

    /// A change outside a template leaves its key and those of smaller ones alone, and changes all larger ones.
    #[test]
    fn templates_see_their_own_cells_only() {
        let templates = Templates::new(0xff);
        let mut rng = Rng::new(2);
        for _ in 0..200 {
            let (seen, cell) = (random(&mut rng), rng.below(CELLS));
            let mut changed = seen;
            changed.cells[cell] = (seen.cells[cell] + 1) % 5;
            let (old, new) = (templates.stack(&seen, true), templates.stack(&changed, true));
            for template in 0..TEMPLATES {
                assert_eq!(old[template] == new[template], cell >= SIZES[template]);
            }
        }
    }

    #[test]
    fn only_the_symmetries_of_the_game_count() {
        let mut seen = Surroundings { cells: [0; CELLS], context: 0 };
        let mut mirrored = seen;
        (seen.cells[2], mirrored.cells[3]) = (1, 1);
        let mut turned = Surroundings { cells: [0; CELLS], context: 0 };
        turned.cells[1] = 1;
        let sideways = Templates::new(0b11);
        assert_eq!(sideways.stack(&seen, true), sideways.stack(&mirrored, true));
        assert_ne!(sideways.stack(&seen, true), sideways.stack(&turned, true));
        assert_ne!(Templates::new(1).stack(&seen, true), Templates::new(1).stack(&mirrored, true));
    }
}
