//! Axes: from values to places, and where to put ticks.

use super::tick;

/// An axis.
#[derive(Clone, PartialEq, Debug)]
pub struct Axis {
    /// Its name, with the unit.
    pub label: String,
    /// Whether equal steps are equal factors.
    pub log: bool,
    /// The range, if not that of the values.
    pub range: Option<(f64, f64)>,
}

impl Axis {
    /// Equal steps are equal differences.
    pub fn linear(label: impl Into<String>) -> Axis {
        Axis { label: label.into(), log: false, range: None }
    }

    /// Equal steps are equal factors.
    pub fn log(label: impl Into<String>) -> Axis {
        Axis { label: label.into(), log: true, range: None }
    }

    /// The same from `low` to `high`.
    pub fn from_to(self, low: f64, high: f64) -> Axis {
        Axis { range: Some((low, high)), ..self }
    }
}

/// An axis with its range.
pub(super) struct Ruler {
    log: bool,
    pub(super) low: f64,
    pub(super) high: f64,
}

impl Ruler {
    /// The ruler of an axis for these values. A logarithmic one passes over what is not positive.
    pub(super) fn new(axis: &Axis, values: impl Iterator<Item = f64>) -> Ruler {
        let log = axis.log;
        let usable = values.filter(|value| value.is_finite() && (!log || *value > 0.0));
        let (mut low, mut high) = usable
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
        if low > high {
            (low, high) = if log { (1.0, 10.0) } else { (0.0, 1.0) };
        }
        if let Some(range) = axis.range {
            (low, high) = range;
        } else if log {
            // A little air, so that no point sits on the frame.
            let air = (high / low).powf(0.04).max(1.1);
            (low, high) = (low / air, high * air);
        } else {
            low = if low >= 0.0 { 0.0 } else { low };
            high = if high > low { high + 0.04 * (high - low) } else { low + 1.0 };
        }
        Ruler { log, low, high }
    }

    /// Where a value is, from 0 to 1. What lies outside is put on the edge.
    pub(super) fn place(&self, value: f64) -> f64 {
        let place = if self.log {
            (value.max(self.low) / self.low).ln() / (self.high / self.low).ln()
        } else {
            (value - self.low) / (self.high - self.low)
        };
        if place.is_finite() { place.clamp(0.0, 1.0) } else { 0.0 }
    }

    /// At most about `most` ticks with their texts.
    pub(super) fn ticks(&self, most: usize) -> Vec<(f64, String)> {
        let most = most.max(2);
        let values = if self.log { self.decades(most) } else { self.steps(most) };
        values.into_iter().map(|value| (value, tick(value))).collect()
    }

    /// Powers of ten, every second or third if there are many; with 2 and 5 between them if there are few.
    fn decades(&self, most: usize) -> Vec<f64> {
        let (first, last) = (self.low.log10().floor() as i32, self.high.log10().ceil() as i32);
        let within = |value: &f64| *value >= self.low * 0.999 && *value <= self.high * 1.001;
        let fine: Vec<f64> = (first..=last)
            .flat_map(|power| [1.0, 2.0, 5.0].map(|digit| digit * 10f64.powi(power)))
            .filter(within)
            .collect();
        let whole = |step: usize| {
            (first..=last).step_by(step).map(|power| 10f64.powi(power)).filter(within).collect::<Vec<f64>>()
        };
        if fine.len() <= most && whole(1).len() < 4 {
            return fine;
        }
        (1..).map(whole).find(|ticks| ticks.len() <= most).unwrap_or_default()
    }

    /// Steps of 1, 2 or 5 times a power of ten.
    fn steps(&self, most: usize) -> Vec<f64> {
        let rough = (self.high - self.low) / most as f64;
        let power = 10f64.powf(rough.log10().floor());
        let step =
            [1.0, 2.0, 5.0, 10.0].map(|digit| digit * power).into_iter().find(|step| *step >= rough * 0.999);
        let Some(step) = step.filter(|step| step.is_finite() && *step > 0.0) else { return vec![self.low] };
        let first = (self.low / step).ceil() as i64;
        let values = (first..).map(|nth| nth as f64 * step);
        values.take_while(|value| *value <= self.high + step * 1e-6).take(most + 2).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_few() {
        let texts = |axis: Axis, values: &[f64], most| {
            Ruler::new(&axis, values.iter().copied())
                .ticks(most)
                .into_iter()
                .map(|tick| tick.1)
                .collect::<Vec<_>>()
        };
        assert_eq!(texts(Axis::linear(""), &[0.0, 1.0], 5), ["0", "0.5", "1"]);
        assert_eq!(texts(Axis::log(""), &[3.0, 4e6], 9), ["10", "100", "1,000", "10,000", "100,000", "10⁶"]);
        assert_eq!(texts(Axis::log(""), &[1.0, 9.0], 9), ["1", "2", "5"]);
        assert!(texts(Axis::log(""), &[1e-9, 1e9], 5).len() <= 5);
        // Axes without values have ticks, too.
        assert!(!texts(Axis::log(""), &[], 5).is_empty());
        assert!(!texts(Axis::linear(""), &[f64::NAN], 5).is_empty());
        assert!(!texts(Axis::linear(""), &[7.0, 7.0], 5).is_empty());
    }

    #[test]
    fn places_stay_within() {
        let ruler = Ruler::new(&Axis::log("").from_to(1.0, 100.0), std::iter::empty());
        assert_eq!([0.0, 1.0, 10.0, 100.0, 1e9].map(|value| ruler.place(value)), [0.0, 0.0, 0.5, 1.0, 1.0]);
    }
}
