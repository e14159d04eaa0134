//! Proof numbers per player, and the selection bias computed from them (paper 5, §3.1 to §3.3).

use super::tree::SideStats;
use delphic_game::Player;

/// The proof number of a disproved node.
pub(super) const NEVER: u32 = u32::MAX;

/// The selection bias by proof numbers.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bias {
    /// The formula that maps proof numbers to values between 0 and 1.
    pub formula: Formula,
    /// The weight of these values, C_pn.
    pub weight: f64,
    /// What is to be proved.
    pub goals: Goals,
    /// Whether a new node is initialised with its number of legal moves where all of them have to be proved (§3.3).
    pub mobility: bool,
}

/// The bias formulas of paper 5.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Formula {
    /// PNRank, formula (3).
    Rank,
    /// PNMax, formula (4).
    Max,
    /// PNSum, formula (5).
    Sum,
}

/// What is to be proved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goals {
    /// For every player, that this player wins (GPN-MCTS).
    OwnWins,
    /// That one player wins and, for all other players, that this player does not win (PN-MCTS).
    WinOf(Player),
}

/// The proof number, in entry `entry`, of a node where `mover` chooses: the minimum over children if the entry is the mover's, otherwise
/// the sum. Unvisited children count as 1.
#[inline]
pub(super) fn combine(kids: &[SideStats], sides: usize, entry: usize, mover: usize, unvisited: usize) -> u32 {
    let numbers = kids.iter().skip(entry).step_by(sides).map(|kid| kid.pn);
    if entry == mover {
        numbers.fold(if unvisited > 0 { 1 } else { NEVER }, u32::min)
    } else {
        numbers.fold(unvisited as u32, u32::saturating_add)
    }
}

/// Computes the bias of each child from the proof numbers of all and passes it to `tell`. The last number is for all `last` unvisited
/// children. `by_width` divides ranks by the number of children, as the published code does.
pub(super) fn biases(
    formula: Formula,
    numbers: &[u32],
    last: usize,
    by_width: bool,
    sorted: &mut Vec<u32>,
    mut tell: impl FnMut(usize, f32),
) {
    sorted.clear();
    sorted.extend(numbers);
    sorted.extend(std::iter::repeat_n(numbers[numbers.len() - 1], last - 1));
    let finite = sorted.iter().copied().filter(|&number| number != NEVER);
    match formula {
        Formula::Rank => {
            sorted.sort_unstable();
            // Equal numbers share the rank of the first of them.
            let rank = |number: u32| 1 + sorted.partition_point(|&other| other < number);
            let scale = if by_width { sorted.len() } else { rank(sorted[sorted.len() - 1]) };
            for (nth, &number) in numbers.iter().enumerate() {
                let hopeless = number == NEVER && !by_width;
                tell(nth, if hopeless { 0.0 } else { 1.0 - rank(number) as f32 / scale as f32 });
            }
        }
        Formula::Max => {
            let (least, most) = finite.fold((NEVER, 0), |(least, most), n| (least.min(n), most.max(n)));
            for (nth, &number) in numbers.iter().enumerate() {
                let share = || (number - least) as f32 / (1.0 + (most - least) as f32);
                tell(nth, if number == NEVER { 0.0 } else { 1.0 - share() });
            }
        }
        Formula::Sum => {
            let sum = 1.0 + finite.map(|number| number as f32).sum::<f32>();
            for (nth, &number) in numbers.iter().enumerate() {
                tell(nth, if number == NEVER { 0.0 } else { 1.0 - number as f32 / sum });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(formula: Formula, numbers: &[u32]) -> Vec<f32> {
        let mut found = vec![-1.0; numbers.len()];
        biases(formula, numbers, 1, false, &mut Vec::new(), |nth, bias| found[nth] = bias);
        found
    }

    #[test]
    fn formulas_are_those_of_the_paper() {
        assert_eq!(of(Formula::Rank, &[3, 1, 3, 7]), [0.5, 0.75, 0.5, 0.0]);
        assert_eq!(of(Formula::Max, &[3, 1, NEVER, 4]), [0.5, 1.0, 0.0, 0.25]);
        assert_eq!(of(Formula::Sum, &[3, 1, NEVER, 5]), [0.7, 0.9, 0.0, 0.5]);
    }

    /// Conditions (a) to (c) of §3.2.1, and (d) for PNMax.
    #[test]
    fn biases_meet_their_conditions() {
        let numbers = [2, NEVER, 9, 2, 40, NEVER, 1];
        for formula in [Formula::Rank, Formula::Max, Formula::Sum] {
            let found = of(formula, &numbers);
            for (i, &number) in numbers.iter().enumerate() {
                assert!((0.0..=1.0).contains(&found[i]));
                assert_eq!(found[i] == 0.0, number == NEVER, "{formula:?}: {found:?}");
                for (j, &other) in numbers.iter().enumerate() {
                    assert_eq!(found[i] == found[j], number == other);
                    assert!(number >= other || found[i] > found[j]);
                }
            }
        }
        assert_eq!(of(Formula::Max, &numbers)[6], 1.0);
    }

    #[test]
    fn published_ranks_are_divided_by_the_number_of_moves() {
        let mut found = [0.0; 4];
        // In order: 1, and twice 1 for the moves not tried yet, 5, never.
        biases(Formula::Rank, &[5, 1, NEVER, 1], 2, true, &mut Vec::new(), |nth, bias| found[nth] = bias);
        assert_eq!(found, [1.0 - 4.0 / 5.0, 1.0 - 1.0 / 5.0, 0.0, 1.0 - 1.0 / 5.0]);
    }

    #[test]
    fn numbers_combine_by_who_moves() {
        let seat = |pn| SideStats { mean: 0.0, lo: -1, hi: 1, pn };
        let kids = [seat(3), seat(2), seat(5), seat(NEVER)];
        assert_eq!(combine(&kids, 2, 0, 0, 0), 3);
        assert_eq!(combine(&kids, 2, 0, 0, 4), 1);
        assert_eq!(combine(&kids, 2, 0, 1, 0), 8);
        assert_eq!(combine(&kids, 2, 1, 0, 1), NEVER);
    }
}
