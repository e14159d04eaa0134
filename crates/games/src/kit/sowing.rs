//! Two rows of six holes: sowing seeds around them, and their text.

use delphic_game::{NotationError, Player};

/// The seeds in each hole, in the order of sowing: the first player's holes from the left, then the second's from the right.
pub type Holes = [u8; 12];

/// All seeds there are.
pub const SEEDS: u8 = 48;

/// The holes of `player`.
#[inline]
pub fn row(player: Player) -> std::ops::Range<usize> {
    6 * player.index()..6 * player.index() + 6
}

/// The seeds in the holes of `player`.
#[inline]
pub fn seeds(holes: &Holes, player: Player) -> u8 {
    holes[row(player)].iter().sum()
}

/// Sows the seeds of `hole`, one by one and past the hole itself. Returns where the last one fell.
#[inline]
pub fn sow(holes: &mut Holes, hole: usize) -> usize {
    let next = |hole: usize| if hole == 11 { 0 } else { hole + 1 };
    let mut last = hole;
    for _ in 0..std::mem::take(&mut holes[hole]) {
        last = next(last);
        if last == hole {
            last = next(last);
        }
        holes[last] += 1;
    }
    last
}

/// The upper row from the left, then the lower.
pub fn write(holes: &Holes) -> String {
    let list = |holes: &mut dyn Iterator<Item = &u8>| holes.map(u8::to_string).collect::<Vec<_>>().join(",");
    format!("{}/{}", list(&mut holes[6..].iter().rev()), list(&mut holes[..6].iter()))
}

/// Reads what [`write`] writes.
pub fn read(text: &str) -> Result<Holes, NotationError> {
    let rows = text.split_once('/').and_then(|(upper, lower)| Some((numbers(upper)?, numbers(lower)?)));
    let Some((mut upper, lower)) = rows else {
        return Err(NotationError::position(format!(
            "'{text}' is not a board such as 4,4,4,4,4,4/4,4,4,4,4,4"
        )));
    };
    upper.reverse();
    let upper: [u8; 6] = upper;
    let lower: [u8; 6] = lower;
    Ok(std::array::from_fn(|hole| if hole < 6 { lower[hole] } else { upper[hole - 6] }))
}

/// Exactly `N` numbers of seeds with commas between them.
pub fn numbers<const N: usize>(text: &str) -> Option<[u8; N]> {
    let list: Option<Vec<u8>> =
        text.split(',').map(|number| number.parse().ok().filter(|&n| n <= SEEDS)).collect();
    list?.try_into().ok()
}
