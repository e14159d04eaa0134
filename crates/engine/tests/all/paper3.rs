//! Paper 3, §4, on P-game trees, with the printed formulas: MCPNS without θ, ties at random, 10 playouts at a leaf. The paper's 200 trees of
//! each shape, and every other reading of what it leaves open, are the lab's `pgames`.

use delphic_engine::{Ask, Request, game};

/// Trees of a shape. The order of PPN, pure MCTS and MCPNS is the same with 200.
const TREES: u64 = 60;

/// Mean iterations over the trees with seeds from 1 on, win or not for MAX. A solver that makes one node an iteration has them divided by the
/// branching factor, as in the paper.
fn mean_iterations(branching: u64, depth: u64, solver: &str, trees: u64) -> f64 {
    let iterations = |seed| {
        let position = game(&format!("pgame:b={branching},d={depth},seed={seed}"))
            .unwrap()
            .position(None, None)
            .unwrap();
        let request = Request { ask: Ask::Win, solver: solver.parse().unwrap(), seed, ..Request::default() };
        position.solve(&request, &mut ()).stats.iterations
    };
    let one_node_each = solver.starts_with("mcts") || solver.starts_with("uct");
    let each = if one_node_each { branching } else { 1 };
    (1..=trees).map(iterations).sum::<u64>() as f64 / (trees * each) as f64
}

const PPN: &str = "ppn:playouts=10,ties=random";
const MCTS: &str = "mcts:playouts=10,ties=random";
const MCPNS: &str = "mcpns:playouts=10,theta=0,ties=random";

fn the_papers_order(branching: u64, depth: u64) {
    let [ppn, mcts, mcpns] =
        [PPN, MCTS, MCPNS].map(|solver| mean_iterations(branching, depth, solver, TREES));
    println!(
        "b={branching}: mean iterations over {TREES} trees: ppn {ppn:.1}, mcts {mcts:.1}, mcpns {mcpns:.1}"
    );
    assert!(ppn < mcts && mcts < mcpns, "ppn {ppn}, mcts {mcts}, mcpns {mcpns}");
    // The last two of the order take 4 and 20 times as long, so a few trees are enough.
    let [mcpns, uct, pns] = [MCPNS, "uct:playouts=10,ties=random", "pns:ties=random"]
        .map(|solver| mean_iterations(branching, depth, solver, 6));
    println!("b={branching}: over 6 trees: mcpns {mcpns:.1}, uct {uct:.1}, pns {pns:.1}");
    assert!(mcpns < uct && uct < pns, "mcpns {mcpns}, uct {uct}, pns {pns}");
}

#[test]
fn on_narrow_trees() {
    the_papers_order(2, 20);
}

#[test]
fn on_wide_trees() {
    the_papers_order(8, 8);
}

/// The order rests on ties: with the first of equal children pure MCTS and MCPNS need fewer iterations than PPN, which itself needs as
/// many as before.
#[test]
fn the_first_of_equals_turns_the_order_round() {
    for (branching, depth) in [(2, 20), (8, 8)] {
        let [random, first] = [PPN, "ppn:playouts=10,ties=first"]
            .map(|solver| mean_iterations(branching, depth, solver, TREES));
        assert!((0.8..1.25).contains(&(random / first)), "b={branching}: ppn {random} and {first}");
        for solver in ["mcts:playouts=10,ties=first", "mcpns:playouts=10,theta=0,ties=first"] {
            let other = mean_iterations(branching, depth, solver, TREES);
            assert!(other < first, "b={branching}: {solver} {other}, ppn {first}");
        }
    }
}
