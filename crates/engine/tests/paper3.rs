//! Paper 3, §4: on P-game trees PPN needs fewer iterations than PNS and MCPNS. The paper's 200 trees of each shape are the lab's `pgames`.

use delphic_engine::{Ask, Request, game};

/// Trees of a shape. The order is the same with 200.
const TREES: u64 = 60;

/// Mean iterations over the trees with seeds from 1 on, win or not for MAX, 10 playouts a leaf as in the paper.
fn mean_iterations(shape: &str, solver: &str) -> f64 {
    let iterations = |seed| {
        let position = game(&format!("pgame:{shape},seed={seed}")).unwrap().position(None, None).unwrap();
        let request = Request { ask: Ask::Win, solver: solver.parse().unwrap(), seed, ..Request::default() };
        position.solve(&request, &mut ()).stats.iterations
    };
    (1..=TREES).map(iterations).sum::<u64>() as f64 / TREES as f64
}

fn ppn_needs_the_fewest_iterations(shape: &str) {
    let [ppn, pns, mcpns] =
        ["ppn:playouts=10", "pns", "mcpns:playouts=10"].map(|solver| mean_iterations(shape, solver));
    println!("{shape}: mean iterations over {TREES} trees: ppn {ppn:.1}, pns {pns:.1}, mcpns {mcpns:.1}");
    assert!(ppn < pns && ppn < mcpns, "{shape}: ppn {ppn}, pns {pns}, mcpns {mcpns}");
}

#[test]
fn on_narrow_trees() {
    ppn_needs_the_fewest_iterations("b=2,d=20");
}

#[test]
fn on_wide_trees() {
    ppn_needs_the_fewest_iterations("b=8,d=8");
}
