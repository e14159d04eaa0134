//! The functions of the normal distribution that the Gaussian model uses.

use std::f64::consts::{FRAC_1_SQRT_2, LN_2, PI};

/// ln Φ(x), also where Φ(x) is smaller than any float.
pub fn log_phi(x: f64) -> f64 {
    let z = x.abs() * FRAC_1_SQRT_2;
    // ln(½ erfc(z)), the logarithm of the smaller tail. Beyond 25, where erfc is near the smallest floats, three terms of its asymptotic
    // series are exact to the last digit.
    let tail = if z < 25.0 {
        libm::erfc(z).ln() - LN_2
    } else {
        let inverse = 1.0 / (2.0 * z * z);
        -z * z - (2.0 * z * PI.sqrt()).ln()
            + (-inverse * (1.0 - 3.0 * inverse * (1.0 - 5.0 * inverse))).ln_1p()
    };
    if x < 0.0 { tail } else { (-tail.exp()).ln_1p() }
}

/// Φ(x).
pub fn phi(x: f64) -> f64 {
    log_phi(x).exp()
}

/// The density at x over Φ(x), the derivative of ln Φ.
pub fn hazard(x: f64) -> f64 {
    (-0.5 * x * x - 0.5 * (2.0 * PI).ln() - log_phi(x)).exp()
}

/// A Gaussian belief as precision and precision times mean, so that messages multiply by adding up. Precision 0 is no information.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Belief {
    /// One over the variance.
    pub precision: f64,
    /// That times the mean.
    pub weighted: f64,
}

impl Belief {
    /// The belief with this mean and variance.
    pub fn new(mean: f64, variance: f64) -> Belief {
        Belief { precision: 1.0 / variance, weighted: mean / variance }
    }

    /// The mean.
    pub fn mean(self) -> f64 {
        self.weighted / self.precision
    }

    /// The variance.
    pub fn variance(self) -> f64 {
        1.0 / self.precision
    }

    /// Both beliefs at once.
    pub fn and(self, other: Belief) -> Belief {
        Belief { precision: self.precision + other.precision, weighted: self.weighted + other.weighted }
    }

    /// The first without the second.
    pub fn without(self, other: Belief) -> Belief {
        Belief { precision: self.precision - other.precision, weighted: self.weighted - other.weighted }
    }

    /// The belief about a quantity that differs from this one by a Gaussian with this variance.
    pub fn blurred(self, variance: f64) -> Belief {
        let by = 1.0 + self.precision * variance;
        Belief { precision: self.precision / by, weighted: self.weighted / by }
    }

    /// The Gaussian with the mean and variance of this belief times Φ(x)^yes Φ(−x)^no: the switch factor of paper 4, §4.2, after
    /// these numbers of proofs and disproofs. Counts may be fractions.
    pub fn observing(self, yes: f64, no: f64) -> Belief {
        let (mean, variance) = (self.mean(), self.variance());
        if yes + no == 0.0 {
            return self;
        }
        if yes + no == 1.0 && (yes == 1.0 || no == 1.0) {
            return one_switch(mean, variance, yes == 1.0);
        }
        let value = |x: f64| {
            let away = x - mean;
            -0.5 * away * away / variance + part(yes, x) + part(no, -x)
        };
        // The mode by Newton's method: the logarithm is concave, and steps are kept short.
        let slope = |x: f64| (mean - x) / variance + yes * hazard(x) - no * hazard(-x);
        let bend = |x: f64| {
            let curve = |x: f64| hazard(x) * (x + hazard(x));
            1.0 / variance + yes * curve(x) + no * curve(-x)
        };
        let mut mode = mean.clamp(-4.0, 4.0);
        for _ in 0..50 {
            let step = (slope(mode) / bend(mode)).clamp(-2.0, 2.0);
            mode += step;
            if step.abs() < 1e-10 {
                break;
            }
        }
        let width = 1.0 / bend(mode).sqrt();
        if yes.min(no) >= 50.0 {
            return Belief::new(mode, width * width);
        }
        moments(value, mode, width)
    }
}

/// `count` times ln Φ(x), and 0 for a count of 0, also where ln Φ(x) is infinite.
fn part(count: f64, x: f64) -> f64 {
    if count == 0.0 { 0.0 } else { count * log_phi(x) }
}

/// One observation, in closed form.
fn one_switch(mean: f64, variance: f64, yes: bool) -> Belief {
    let sign = if yes { 1.0 } else { -1.0 };
    let spread = (1.0 + variance).sqrt();
    let z = sign * mean / spread;
    let v = hazard(z);
    let w = v * (v + z);
    Belief::new(mean + sign * variance / spread * v, variance * (1.0 - variance / (1.0 + variance) * w))
}

/// Mean and variance of exp(value), a log-concave density, by the trapezium rule between the points where it has become negligible.
fn moments(value: impl Fn(f64) -> f64, mode: f64, width: f64) -> Belief {
    const POINTS: usize = 160;
    let top = value(mode);
    let end = |direction: f64| {
        let mut reach = 4.0 * width;
        while value(mode + direction * reach) > top - 32.0 && reach < 1e6 {
            reach *= 1.25;
        }
        mode + direction * reach
    };
    let (low, high) = (end(-1.0), end(1.0));
    let step = (high - low) / POINTS as f64;
    let (mut mass, mut first, mut second) = (0.0, 0.0, 0.0);
    for i in 0..=POINTS {
        let x = low + step * i as f64;
        let weight = (value(x) - top).exp();
        mass += weight;
        first += weight * (x - mode);
        second += weight * (x - mode) * (x - mode);
    }
    let shift = first / mass;
    Belief::new(mode + shift, second / mass - shift * shift)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of Φ to ten digits from tables, and of ln Φ far out (Abramowitz and Stegun, table 26.2).
    #[test]
    fn phi_agrees_with_tables() {
        for (x, p) in [
            (0.0, 0.5),
            (1.0, 0.841_344_746_069),
            (-1.0, 0.158_655_253_931),
            (2.5, 0.993_790_334_674),
            (-4.0, 3.167_124_183_312e-5),
        ] {
            assert!((phi(x) - p).abs() < 1e-11 * p, "{x} {}", phi(x));
        }
        assert!((log_phi(-10.0) + 53.231_285_150_5).abs() < 1e-9, "{}", log_phi(-10.0));
        assert!((hazard(-20.0) - 20.05).abs() < 0.01);
    }

    /// The series takes over without a step, and goes on where erfc is 0.
    #[test]
    fn far_tails_are_smooth() {
        let seam = -25.0 / FRAC_1_SQRT_2;
        let [before, after] = [seam + 1e-9, seam - 1e-9].map(log_phi);
        assert!((before - after).abs() < 1e-6, "{before} {after}");
        let slope = |x: f64| (log_phi(x + 1e-4) - log_phi(x - 1e-4)) / 2e-4;
        for x in [seam, -50.0, -1000.0] {
            assert!((slope(x) / hazard(x) - 1.0).abs() < 1e-6, "{x}");
        }
    }

    #[test]
    fn a_switch_in_closed_form_is_the_integral() {
        for (mean, variance) in [(0.0, 1.0), (-2.0, 0.5), (1.0, 9.0)] {
            for yes in [true, false] {
                let sign = if yes { 1.0 } else { -1.0 };
                let value = |x: f64| -0.5 * (x - mean) * (x - mean) / variance + log_phi(sign * x);
                let (closed, summed) =
                    (one_switch(mean, variance, yes), moments(value, mean, f64::sqrt(variance)));
                assert!((closed.mean() - summed.mean()).abs() < 1e-4, "{closed:?} {summed:?}");
                assert!((closed.variance() - summed.variance()).abs() < 1e-4);
            }
        }
    }

    #[test]
    fn many_observations_find_the_rate() {
        let belief = Belief::new(0.0, 4.0).observing(8413.0, 1587.0);
        assert!((belief.mean() - 1.0).abs() < 0.02, "{belief:?}");
        let both = Belief::new(0.0, 4.0).observing(49.0, 60.0);
        let near = Belief::new(0.0, 4.0).observing(50.0, 61.0);
        assert!(
            (both.mean() - near.mean()).abs() < 0.01
                && (both.variance() / near.variance() - 1.0).abs() < 0.05
        );
    }
}
