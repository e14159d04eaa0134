//! Paper 3, §4: on P-game trees PPN needs fewer iterations than PNS and MCPNS.

use delphic_engine::{Ask, Request, game};

/// Mean iterations over the trees with seeds 1 to `trees`, win or not for MAX, 10 playouts a leaf as in the paper.
fn mean_iterations(shape: &str, solver: &str, trees: u64) -> f64 {
    let iterations = |seed| {
        let position = game(&format!("pgame:{shape},seed={seed}")).unwrap().position(None, None).unwrap();
        let request = Request { ask: Ask::Win, solver: solver.parse().unwrap(), seed, ..Request::default() };
        position.solve(&request, &mut ()).stats.iterations
    };
    (1..=trees).map(iterations).sum::<u64>() as f64 / trees as f64
}

#[test]
fn ppn_needs_the_fewest_iterations() {
    for shape in ["b=2,d=20", "b=8,d=8"] {
        let [ppn, pns, mcpns, bare] =
            ["ppn:playouts=10", "pns", "mcpns:playouts=10", "mcpns:playouts=10,theta=0"]
                .map(|solver| mean_iterations(shape, solver, 200));
        println!(
            "{shape}: mean iterations over 200 trees: ppn {ppn:.1}, pns {pns:.1}, mcpns {mcpns:.1}, mcpns θ=0 {bare:.1}"
        );
        assert!(ppn < pns && ppn < mcpns, "{shape}: ppn {ppn}, pns {pns}, mcpns {mcpns}");
    }
}
