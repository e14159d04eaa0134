//! Calibration of predicted probabilities: of the moves with a prediction of 70 %, 70 % should be proved.

use std::fmt;
use std::str::FromStr;

/// Moves by the chance that was predicted for them.
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
    /// The mean predicted chance.
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

    /// Adds the moves of another one.
    pub fn merge(&mut self, other: &Calibration) {
        for (bin, more) in self.bins.iter_mut().zip(&other.bins) {
            *bin = (bin.0 + more.0, bin.1 + more.1, bin.2 + more.2);
        }
        self.squared += other.squared;
        self.logarithmic += other.logarithmic;
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

/// All of it as one line: both losses, then `moves:chances:proved` for each tenth.
impl fmt::Display for Calibration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.squared, self.logarithmic)?;
        self.bins.iter().try_for_each(|(moves, sum, yes)| write!(f, " {moves}:{sum}:{yes}"))
    }
}

/// Reads what `Display` writes; `Err` for anything else.
impl FromStr for Calibration {
    type Err = ();

    fn from_str(text: &str) -> Result<Calibration, ()> {
        let mut words = text.split(' ');
        let mut next = || words.next().ok_or(());
        let loss = |word: &str| word.parse().map_err(|_| ());
        let mut read =
            Calibration { squared: loss(next()?)?, logarithmic: loss(next()?)?, bins: [(0, 0.0, 0); 10] };
        for bin in &mut read.bins {
            let fields: Vec<&str> = next()?.split(':').collect();
            let [moves, sum, yes] = fields[..] else { return Err(()) };
            *bin = (moves.parse().map_err(|_| ())?, loss(sum)?, yes.parse().map_err(|_| ())?);
        }
        if words.next().is_some() { Err(()) } else { Ok(read) }
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

    #[test]
    fn what_is_written_is_read_and_adds_up() {
        let (mut all, mut parts) = (Calibration::default(), [Calibration::default(), Calibration::default()]);
        for (nth, chance) in [0.1, 0.125, 0.7, 1.0 / 3.0, 0.999].into_iter().enumerate() {
            all.add(chance, nth % 2 == 0);
            parts[nth % 2].add(chance, nth % 2 == 0);
        }
        assert_eq!(all.to_string().parse(), Ok(all.clone()));
        let [mut sum, other] = parts;
        sum.merge(&other);
        assert_eq!(sum.moves(), 5);
        assert!((sum.log_loss() - all.log_loss()).abs() < 1e-12 && (sum.brier() - all.brier()).abs() < 1e-12);
        for bad in ["", "1 2", "1 2 3", &format!("{all} 0:0:0"), &all.to_string().replace(':', ";")] {
            assert_eq!(bad.parse::<Calibration>(), Err(()), "{bad}");
        }
    }
}
