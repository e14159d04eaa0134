//! Best-first minimax (Korf and Chickering 1996): a user-defined rule, compared with the rules of Delphic.
//!
//! A node's value is the largest (OR) or smallest (AND) value of its children, and the search goes where that value comes from.

use delphic::kernel::{self, Expand};
use delphic::rule::{Counts, Evidence, MinSum, Product, Sum, Ties};
use delphic::{Force, Gate, InputError, LeafPrior, Limits, Player, RootValue, Rule, game};

/// Values are estimated chances that the answer is yes.
struct MaxMin;

impl Rule for MaxMin {
    type Info = f32;
    type Siblings = ();

    fn leaf(&self, gate: Gate, evidence: Evidence) -> f32 {
        match (gate, evidence) {
            (Gate::Or, Evidence::Mobility(moves)) => 1.0 - 0.5_f32.powi(moves as i32),
            (Gate::And, Evidence::Mobility(moves)) => 0.5_f32.powi(moves as i32),
            (_, Evidence::Chance(chance)) => chance as f32,
            _ => 0.5,
        }
    }

    fn update(&self, gate: Gate, kids: impl Iterator<Item = (usize, f32)> + Clone) -> (f32, usize) {
        let better = |new: f32, old: f32| if gate == Gate::Or { new > old } else { new < old };
        let first_best =
            |best: (usize, f32), kid: (usize, f32)| if better(kid.1, best.1) { kid } else { best };
        let (number, value) = kids.reduce(first_best).expect("an open node has an open child");
        (value, number)
    }

    fn display(&self, value: f32) -> RootValue {
        RootValue::Probability(value.into())
    }
}

/// Runs one rule on the question whether the first player can force a win.
fn run<R: Rule>(name: &str, rule: &R, spec: &str) -> Result<(), InputError> {
    let position = game(spec)?.position(None, None)?;
    let search = position.search();
    let question = Force { player: Player::FIRST, at_least: 1 };
    let limits = Limits { nodes: Some(2_000_000), ..Limits::default() };
    let report =
        kernel::solve(search.tree(question, LeafPrior::Mobility), rule, Expand::Plain, limits, &mut ());
    println!("{name:13} {:?} after {} nodes", report.truth, report.stats.created);
    Ok(())
}

fn main() -> Result<(), InputError> {
    let spec = std::env::args().nth(1).unwrap_or("domineering:4x6".to_owned());
    println!("Does the first player win {spec}?");
    run("max/min", &MaxMin, &spec)?;
    run("proof numbers", &MinSum { kind: Counts, sum: Sum::Plain, ties: Ties::First }, &spec)?;
    run("products", &Product::default(), &spec)
}
