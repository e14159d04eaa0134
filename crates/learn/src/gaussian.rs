//! The hierarchical Gaussian model (paper 4, §4.2): every pattern has a value that differs from that of the next smaller pattern in it by
//! a Gaussian; a move with a value above 0, up to noise of variance 1, leads to a proof.
//!
//! Patterns form trees. Belief propagation sends Gaussian messages up and down the stack of patterns around a move. The switch factor
//! between value and truth is replaced by the Gaussian that gives the same mean and variance, all other messages taken into account, in
//! a few sweeps over all observations (expectation propagation; the paper makes one sweep). The variances between levels are estimated
//! from the data by expectation maximisation.

use crate::chances::Chances;
use crate::normal::{Belief, phi};
use crate::table::Table;
use delphic_game::patterns::TEMPLATES;
use rustc_hash::FxHashMap;

/// The model's settings.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Gaussian {
    /// Moves added to the counts of every largest pattern, half of them proofs. More of them slow down learning and over-fitting (paper 4,
    /// figure 8, bottom right).
    pub pseudo_count: f64,
    /// Sweeps over all observations.
    pub sweeps: usize,
    /// Estimates of the variances.
    pub estimates: usize,
}

impl Default for Gaussian {
    fn default() -> Gaussian {
        Gaussian { pseudo_count: 0.0, sweeps: 3, estimates: 3 }
    }
}

/// The prior of the smallest patterns: mean 0, variance 1.
const ROOT: Belief = Belief { precision: 1.0, weighted: 0.0 };
/// The variance of a move about its largest pattern.
const NOISE: f64 = 1.0;

/// A pattern in the tree. Parents stand before their children.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// `None` for the smallest.
    parent: Option<usize>,
    level: usize,
    yes: f64,
    no: f64,
    /// All messages from below: of the children, or of the observations of a largest pattern.
    below: Belief,
    /// The message from the parent, this node's own message left out.
    above: Belief,
}

/// Patterns with beliefs.
#[derive(Clone, Debug)]
struct Forest {
    nodes: Vec<Node>,
    /// Largest patterns, which have observations.
    leaves: Vec<usize>,
    /// The variance of a level about the one before; the first is not used.
    variances: [f64; TEMPLATES],
}

impl Gaussian {
    /// The chances of all patterns of a table.
    pub fn fit(self, table: &Table) -> Chances {
        let (mut forest, keys) = self.plant(table);
        forest.settle(self.sweeps);
        for _ in 0..self.estimates {
            forest.estimate();
            forest.settle(self.sweeps);
        }
        Chances::new(keys.iter().zip(&forest.nodes).map(|(&key, node)| (key, forest.chance(node))))
    }

    /// The patterns of a table, parents first. Patterns without a chain of parents, which only a forged table has, are left out.
    fn plant(self, table: &Table) -> (Forest, Vec<u64>) {
        let level = |key: u64| {
            let mut at = key;
            (0..TEMPLATES).find(|_| {
                let parent = table.get(at).map_or(at, |entry| entry.parent);
                std::mem::replace(&mut at, parent) == parent && table.get(parent).is_some()
            })
        };
        let mut keys: Vec<(usize, u64)> =
            table.iter().filter_map(|(key, _)| Some((level(key)?, key))).collect();
        keys.sort_unstable();
        let mut places = FxHashMap::default();
        let mut nodes = Vec::with_capacity(keys.len());
        let mut is_leaf = vec![true; keys.len()];
        for (place, &(level, key)) in keys.iter().enumerate() {
            places.insert(key, place);
            let Some(entry) = table.get(key) else { continue };
            let parent = (level > 0).then(|| places[&entry.parent]);
            if let Some(parent) = parent {
                is_leaf[parent] = false;
            }
            let (yes, no) = (
                f64::from(entry.yes) + 0.5 * self.pseudo_count,
                f64::from(entry.no) + 0.5 * self.pseudo_count,
            );
            nodes.push(Node { parent, level, yes, no, below: Belief::default(), above: ROOT });
        }
        let leaves = (0..nodes.len()).filter(|&place| is_leaf[place]).collect();
        (
            Forest { nodes, leaves, variances: [0.3; TEMPLATES] },
            keys.into_iter().map(|(_, key)| key).collect(),
        )
    }
}

impl Forest {
    /// The message from a node to its parent.
    fn message(&self, place: usize) -> Belief {
        let node = &self.nodes[place];
        node.below.blurred(self.variances[node.level])
    }

    /// The message from a node's parent, if the parent's own message from above is up to date.
    fn hears(&self, place: usize) -> Belief {
        let node = &self.nodes[place];
        let Some(parent) = node.parent else { return ROOT };
        let rest = self.nodes[parent].above.and(self.nodes[parent].below).without(self.message(place));
        rest.blurred(self.variances[node.level])
    }

    /// Goes through all observations `sweeps` times, then updates the message from above at every node.
    fn settle(&mut self, sweeps: usize) {
        for _ in 0..sweeps {
            for i in 0..self.leaves.len() {
                self.observe(self.leaves[i]);
            }
        }
        for place in 0..self.nodes.len() {
            self.nodes[place].above = self.hears(place);
        }
    }

    /// Matches the moments of the observations at a leaf, and passes the change up.
    fn observe(&mut self, leaf: usize) {
        let mut path = [leaf; TEMPLATES];
        let depth = self.nodes[leaf].level;
        for level in (0..depth).rev() {
            path[level] = self.nodes[path[level + 1]].parent.unwrap_or(leaf);
        }
        for &place in &path[..=depth] {
            self.nodes[place].above = self.hears(place);
        }
        let Node { above, yes, no, .. } = self.nodes[leaf];
        let mut news = above.observing(yes, no).without(above);
        // A concave likelihood never takes precision away; rounding might.
        news.precision = news.precision.max(0.0);
        for &place in path[..=depth].iter().rev() {
            let before = self.message(place);
            self.nodes[place].below = news;
            if let Some(parent) = self.nodes[place].parent {
                news = self.nodes[parent].below.without(before).and(self.message(place));
                news.precision = news.precision.max(0.0);
            }
        }
    }

    /// The variances that explain the present beliefs best.
    fn estimate(&mut self) {
        let (mut sums, mut counts) = ([0.0; TEMPLATES], [0.0f64; TEMPLATES]);
        for (place, node) in self.nodes.iter().enumerate() {
            let Some(parent) = node.parent else { continue };
            // The two of them, given all the others: a matrix of precisions with the variance between them on the side.
            let rest = self.nodes[parent].above.and(self.nodes[parent].below).without(self.message(place));
            let tie = 1.0 / self.variances[node.level];
            let (a, b) = (rest.precision + tie, node.below.precision + tie);
            let det = a * b - tie * tie;
            let (upper, lower) = (
                (b * rest.weighted + tie * node.below.weighted) / det,
                (tie * rest.weighted + a * node.below.weighted) / det,
            );
            sums[node.level] += (lower - upper) * (lower - upper) + (a + b - 2.0 * tie) / det;
            counts[node.level] += 1.0;
        }
        for level in 1..TEMPLATES {
            if counts[level] > 0.0 {
                self.variances[level] = (sums[level] / counts[level]).clamp(1e-3, 10.0);
            }
        }
    }

    /// The chance that a move with this largest known pattern leads to a proof.
    fn chance(&self, node: &Node) -> f64 {
        let belief = node.above.and(node.below);
        let unseen: f64 = self.variances[node.level + 1..].iter().sum();
        phi(belief.mean() / (belief.variance() + unseen + NOISE).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::normal::log_phi;

    /// A root, two children, and two leaves below each, with counts.
    fn small(counts: [(f64, f64); 4], variances: [f64; TEMPLATES]) -> Forest {
        let node =
            |parent, level, (yes, no)| Node { parent, level, yes, no, below: Belief::default(), above: ROOT };
        let mut nodes = vec![node(None, 0, (0.0, 0.0))];
        nodes.extend([0, 0].map(|parent| node(Some(parent), 1, (0.0, 0.0))));
        nodes.extend(
            [1, 1, 2, 2].into_iter().zip(counts).map(|(parent, counts)| node(Some(parent), 2, counts)),
        );
        Forest { nodes, leaves: vec![3, 4, 5, 6], variances }
    }

    /// Mean and variance of every node by summing over a grid, from the leaves up and then down.
    fn by_integration(forest: &Forest) -> Vec<(f64, f64)> {
        const N: usize = 241;
        let xs: Vec<f64> = (0..N).map(|i| -9.0 + 18.0 * i as f64 / (N - 1) as f64).collect();
        let kernel =
            |variance: f64, a: f64, b: f64| (-0.5 * (a - b) * (a - b) / variance).exp() / variance.sqrt();
        let spread = |of: &[f64], variance: f64| -> Vec<f64> {
            xs.iter().map(|&a| xs.iter().zip(of).map(|(&b, f)| f * kernel(variance, a, b)).sum()).collect()
        };
        let product = |a: &[f64], b: &[f64]| -> Vec<f64> { a.iter().zip(b).map(|(a, b)| a * b).collect() };
        let likelihood = |place: usize| -> Vec<f64> {
            let node = &forest.nodes[place];
            xs.iter().map(|&x| (node.yes * log_phi(x) + node.no * log_phi(-x)).exp()).collect()
        };
        let [first, second] = [1, 2].map(|level| forest.variances[level]);
        let told: Vec<Vec<f64>> = (0..7)
            .map(|place| if place < 3 { vec![1.0; N] } else { spread(&likelihood(place), second) })
            .collect();
        let below = [vec![], product(&told[3], &told[4]), product(&told[5], &told[6])];
        let up = [vec![], spread(&below[1], first), spread(&below[2], first)];
        let root: Vec<f64> = xs.iter().map(|x| (-0.5 * x * x).exp()).collect();
        let mut densities = vec![product(&root, &product(&up[1], &up[2]))];
        let down = [vec![], spread(&product(&root, &up[2]), first), spread(&product(&root, &up[1]), first)];
        densities.extend([1, 2].map(|place| product(&down[place], &below[place])));
        for (leaf, parent, sibling) in [(3, 1, 4), (4, 1, 3), (5, 2, 6), (6, 2, 5)] {
            densities
                .push(product(&spread(&product(&down[parent], &told[sibling]), second), &likelihood(leaf)));
        }
        let moments = |density: &Vec<f64>| {
            let mass: f64 = density.iter().sum();
            let mean = xs.iter().zip(density).map(|(x, f)| x * f).sum::<f64>() / mass;
            (mean, xs.iter().zip(density).map(|(x, f)| (x - mean) * (x - mean) * f).sum::<f64>() / mass)
        };
        densities.iter().map(moments).collect()
    }

    fn furthest(forest: &Forest) -> f64 {
        let exact = by_integration(forest);
        let off = |(node, (mean, variance)): (&Node, &(f64, f64))| {
            let belief = node.above.and(node.below);
            (belief.mean() - mean).abs().max((belief.variance() - variance).abs())
        };
        forest.nodes.iter().zip(&exact).map(off).fold(0.0, f64::max)
    }

    /// With one observation the moments are exact everywhere.
    #[test]
    fn one_observation_is_exact() {
        for counts in [
            [(1.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0)],
            [(0.0, 0.0), (0.0, 0.0), (0.0, 5.0), (0.0, 0.0)],
        ] {
            let mut forest = small(counts, [0.0, 0.5, 0.3, 0.0, 0.0, 0.0, 0.0, 0.0]);
            forest.settle(1);
            assert!(furthest(&forest) < 2e-3, "{}", furthest(&forest));
        }
    }

    /// With observations at several leaves they are close.
    #[test]
    fn posteriors_agree_with_numerical_integration() {
        for (counts, variances) in [
            ([(3.0, 1.0), (0.0, 2.0), (1.0, 0.0), (0.0, 0.0)], [0.5, 0.3]),
            ([(10.0, 0.0), (9.0, 1.0), (0.0, 7.0), (2.0, 2.0)], [1.0, 0.2]),
            ([(0.0, 1.0), (1.0, 0.0), (1.0, 0.0), (0.0, 1.0)], [0.2, 2.0]),
            ([(40.0, 80.0), (1.0, 0.0), (0.0, 30.0), (0.0, 1.0)], [0.4, 0.4]),
        ] {
            let mut forest = small(counts, [0.0, variances[0], variances[1], 0.0, 0.0, 0.0, 0.0, 0.0]);
            forest.settle(10);
            assert!(furthest(&forest) < 0.02, "{counts:?}: {}", furthest(&forest));
        }
    }

    /// Data drawn with known variances give them back, roughly.
    #[test]
    fn variances_are_estimated() {
        let mut rng = delphic_game::Rng::new(4);
        let mut draw = || (0..12).map(|_| rng.bits() as f64 / u64::MAX as f64).sum::<f64>() - 6.0;
        let node =
            |parent, level, yes, no| Node { parent, level, yes, no, below: Belief::default(), above: ROOT };
        let (mut nodes, mut leaves) = (vec![node(None, 0, 0.0, 0.0)], Vec::new());
        let (wide, narrow) = (1.0f64, 0.25f64);
        for _ in 0..150 {
            let middle = wide.sqrt() * draw();
            let parent = nodes.len();
            nodes.push(node(Some(0), 1, 0.0, 0.0));
            for _ in 0..20 {
                let value = middle + narrow.sqrt() * draw();
                let yes = (0..60).filter(|_| value + draw() > 0.0).count() as f64;
                leaves.push(nodes.len());
                nodes.push(node(Some(parent), 2, yes, 60.0 - yes));
            }
        }
        let mut forest = Forest { nodes, leaves, variances: [0.5; TEMPLATES] };
        for _ in 0..10 {
            forest.settle(2);
            forest.estimate();
        }
        assert!((forest.variances[1] - wide).abs() < 0.3, "{:?}", forest.variances);
        assert!((forest.variances[2] - narrow).abs() < 0.06, "{:?}", forest.variances);
    }

    /// A large pattern seen often is estimated by itself; one seen once stays near the smaller pattern in it.
    #[test]
    fn large_patterns_dominate_when_they_are_known() {
        let mut table = Table::default();
        let stack = |last: u64| [1, 2, 3, 4, 5, 6, 7, 100 + last];
        for number in 0..40 {
            (0..10).for_each(|_| table.observe(&stack(number), true));
        }
        (0..200).for_each(|_| table.observe(&stack(90), false));
        table.observe(&stack(91), false);
        let chances = Gaussian::default().fit(&table);
        assert!(chances.of(&stack(1)).unwrap() > 0.9);
        assert!(chances.of(&stack(90)).unwrap() < 0.1);
        assert!(chances.of(&stack(91)).unwrap() > chances.of(&stack(90)).unwrap());
    }
}
