//! The Beta model (paper 4, §4.2): uses only the largest known pattern, by its counts and pseudo-counts.

use crate::chances::Chances;
use crate::table::Table;

/// The pseudo-counts with which every pattern starts. The paper's two settings are 1, 1 and the peaked 1000, 1000.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Beta {
    /// Proofs.
    pub alpha: f64,
    /// Disproofs.
    pub beta: f64,
}

impl Default for Beta {
    fn default() -> Beta {
        Beta { alpha: 1.0, beta: 1.0 }
    }
}

impl Beta {
    /// The predictive chance after these numbers of proofs and disproofs.
    pub fn chance(self, yes: u32, no: u32) -> f64 {
        let (yes, no) = (self.alpha + f64::from(yes), self.beta + f64::from(no));
        yes / (yes + no)
    }

    /// The chances of all patterns of a table.
    pub fn fit(self, table: &Table) -> Chances {
        Chances::new(table.iter().map(|(key, entry)| (key, self.chance(entry.yes, entry.no))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::templates::Stack;

    #[test]
    fn the_largest_known_pattern_decides() {
        let mut table = Table::default();
        let stack: Stack = [1, 2, 3, 4, 5, 6, 7, 8];
        let other: Stack = [1, 2, 3, 4, 15, 16, 17, 18];
        for yes in [true, true, false] {
            table.observe(&stack, yes);
        }
        table.observe(&other, false);
        let chances = Beta::default().fit(&table);
        assert!((chances.of(&stack).unwrap() - 0.6).abs() < 1e-6);
        assert!((chances.of(&other).unwrap() - 1.0 / 3.0).abs() < 1e-6);
        assert!(
            (chances.of(&[1, 2, 3, 4, 0, 0, 0, 0]).unwrap() - 0.5).abs() < 1e-6,
            "two of four, and the prior"
        );
        assert_eq!(chances.of(&[0; 8]), None);
        let peaked = Beta { alpha: 1000.0, beta: 1000.0 }.fit(&table);
        assert!((peaked.of(&stack).unwrap() - 1002.0 / 2003.0).abs() < 1e-6);
    }
}
