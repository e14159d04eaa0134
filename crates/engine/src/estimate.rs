//! The size of the game tree by Knuth's sampling (Mathematics of Computation 29, 1975).
//!
//! A random line of play with b₁, b₂, … legal moves estimates a tree of 1 + b₁ + b₁b₂ + … nodes. The mean over many lines is an unbiased
//! estimate of the tree size, however irregular the tree. The distribution is far from normal, so the interval comes from the bootstrap;
//! still, if a few rare lines hold most of the tree, the sample may miss them, and then estimate and interval are too low.

use delphic_game::{Game, LONGEST_PLAYOUT, Rng, result};

/// The number of bootstrap resamples.
const DRAWS: usize = 400;

/// Size estimates for a position from a sample of random games.
///
/// ```
/// use delphic_engine::game;
///
/// let size = game("tictactoe")?.position(None, None)?.estimate(1_000, 1);
/// // The tree has 549,946 nodes, about 10^5.74.
/// assert!((size.tree - 5.74).abs() < 0.1);
/// assert_eq!(size.longest, 9);
/// # Ok::<(), delphic_engine::InputError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TreeSize {
    /// Random lines of play.
    pub samples: usize,
    /// The decimal logarithm of the number of nodes of the tree.
    pub tree: f64,
    /// Its 95 % bootstrap interval.
    pub interval: (f64, f64),
    /// The mean number of plies of a random game.
    pub plies: f64,
    /// The plies of the longest.
    pub longest: usize,
    /// The mean number of legal moves.
    pub branching: f64,
    /// The decimal logarithm of an upper bound on the number of positions, if one is known.
    pub states: Option<f64>,
}

/// Passes the numbers of legal moves along a random line of play to the sink.
pub(crate) fn random_line<G: Game>(
    game: &G,
    position: &G::State,
    rng: &mut Rng,
    sink: &mut dyn FnMut(usize),
) {
    let (mut state, mut moves) = (position.clone(), Vec::new());
    let mut left = game.endless().map(|_| LONGEST_PLAYOUT);
    while left != Some(0) && result(game, &state, &mut moves).is_none() {
        left = left.map(|left| left - 1);
        moves.clear();
        game.moves(&state, &mut moves);
        sink(moves.len());
        game.play(&mut state, moves[rng.below(moves.len())]);
    }
}

/// Draws a random line of play and passes the numbers of legal moves along it to the sink.
pub(crate) type DrawLine<'a> = dyn Fn(&mut Rng, &mut dyn FnMut(usize)) + 'a;

/// Estimates the size of the tree below a position; `line` draws its random lines.
pub(crate) fn estimate(line: &DrawLine<'_>, states: Option<f64>, samples: usize, seed: u64) -> TreeSize {
    let mut rng = Rng::new(seed);
    let (mut sizes, mut plies, mut longest, mut choices) = (Vec::new(), 0, 0, 0);
    for _ in 0..samples.max(1) {
        // Logarithms, because the tree size of a long game overflows 64 bits.
        let (mut level, mut size, mut length) = (0.0, 0.0, 0);
        line(&mut rng, &mut |moves| {
            level += (moves as f64).log10();
            size = sum(size, level);
            choices += moves;
            length += 1;
        });
        sizes.push(size);
        plies += length;
        longest = longest.max(length);
    }
    let largest = sizes.iter().copied().fold(0.0, f64::max);
    let scaled: Vec<f64> = sizes.iter().map(|size| 10f64.powf(size - largest)).collect();
    let mean =
        |of: &mut dyn FnMut() -> f64| (0..scaled.len()).map(|_| of()).sum::<f64>() / scaled.len() as f64;
    let mut draws: Vec<f64> = (0..DRAWS).map(|_| mean(&mut || scaled[rng.below(scaled.len())])).collect();
    draws.sort_by(f64::total_cmp);
    let mut each = scaled.iter().copied();
    let log = |mean: f64| largest + mean.log10();
    TreeSize {
        samples: sizes.len(),
        tree: log(mean(&mut || each.next().unwrap_or(0.0))),
        interval: (log(draws[DRAWS / 40]), log(draws[DRAWS - 1 - DRAWS / 40])),
        plies: plies as f64 / sizes.len() as f64,
        longest,
        branching: choices as f64 / plies.max(1) as f64,
        states,
    }
}

/// The logarithm of the sum of two numbers given by their logarithms.
fn sum(a: f64, b: f64) -> f64 {
    let (large, small) = (a.max(b), a.min(b));
    large + 10f64.powf(small - large).ln_1p() / std::f64::consts::LN_10
}
