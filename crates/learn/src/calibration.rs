//! Are predicted chances right? Of the moves that were given 70 %, 70 % should turn out proved.

/// Moves sorted by the chance they were given.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Calibration {
    /// For each tenth of the range: how many moves, the sum of their chances, how many were proved.
    bins: [(u64, f64, u64); 10],
    squared: f64,
    logarithmic: f64,
}

/// One tenth of the range.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bin {
    /// Moves.
    pub moves: u64,
    /// The mean chance they were given.
    pub predicted: f64,
    /// The part of them that was proved.
    pub observed: f64,
}

impl Calibration {
    /// Adds a move with its chance, strictly between 0 and 1, and its answer.
    pub fn add(&mut self, chance: f64, yes: bool) {
        let bin = &mut self.bins[((chance * 10.0) as usize).min(9)];
        *bin = (bin.0 + 1, bin.1 + chance, bin.2 + u64::from(yes));
        let truth = f64::from(u8::from(yes));
        self.squared += (chance - truth) * (chance - truth);
        self.logarithmic -= if yes { chance.ln() } else { (1.0 - chance).ln() };
    }

    /// The moves seen.
    pub fn moves(&self) -> u64 {
        self.bins.iter().map(|bin| bin.0).sum()
    }

    /// The tenths that have moves.
    pub fn bins(&self) -> impl Iterator<Item = Bin> {
        self.bins.iter().filter(|bin| bin.0 > 0).map(|&(moves, sum, yes)| Bin {
            moves,
            predicted: sum / moves as f64,
            observed: yes as f64 / moves as f64,
        })
    }

    /// The mean squared error (Brier score): 0.25 for always saying ½.
    pub fn brier(&self) -> f64 {
        self.squared / self.moves().max(1) as f64
    }

    /// The mean logarithmic loss: 0.693 for always saying ½.
    pub fn log_loss(&self) -> f64 {
        self.logarithmic / self.moves().max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fair_forecaster_is_calibrated() {
        let mut rng = delphic_game::Rng::new(1);
        let mut calibration = Calibration::default();
        for _ in 0..50_000 {
            let chance = (1 + rng.below(999)) as f64 / 1000.0;
            calibration.add(chance, (rng.below(1_000_000) as f64) < chance * 1e6);
        }
        assert_eq!(calibration.bins().count(), 10);
        assert!(calibration.bins().all(|bin| (bin.predicted - bin.observed).abs() < 0.03));
        assert!(calibration.brier() < 0.18 && calibration.log_loss() < 0.52);
    }
}
