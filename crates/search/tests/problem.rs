//! AND/OR problems that are not games go through the same searches.

use delphic_game::{AndOr, Gate, Look, Memorable, Problem, Verdict};
use delphic_search::dag::Symmetry;
use delphic_search::kernel::Expand;
use delphic_search::rule::{Counts, MinSum, Product, Sum};
use delphic_search::{Limits, brute, dag, depth_first, kernel, prior};

/// Can `n` tiles be laid with pieces of 3 and 4, if after every piece an inspector may also demand that one tile more is left?
/// OR nodes choose a piece, AND nodes the inspector's answer.
struct Tiling(u32);

impl Problem for Tiling {
    type Logic = AndOr;
    type State = (u32, Gate);
    type Move = u32;

    fn logic(&self) -> &AndOr {
        &AndOr
    }
    fn root(&self) -> (u32, Gate) {
        (self.0, Gate::Or)
    }
    fn look(&self, &(left, gate): &(u32, Gate), _: &mut Vec<u32>) -> Look<Gate, Verdict> {
        match (gate, left) {
            (_, 0) => Look::Over(Verdict::Proved),
            (Gate::Or, 1 | 2) => Look::Over(Verdict::Disproved),
            (Gate::Or, 3) => Look::Open { role: gate, moves: 1 },
            (Gate::Or, _) | (Gate::And, 2..) => Look::Open { role: gate, moves: 2 },
            (Gate::And, _) => Look::Open { role: gate, moves: 1 },
        }
    }
    fn role(&self, state: &(u32, Gate)) -> Gate {
        state.1
    }
    fn moves(&self, &(left, gate): &(u32, Gate), list: &mut Vec<u32>) {
        match gate {
            Gate::Or => list.extend([3, 4].into_iter().filter(|&piece| piece <= left)),
            Gate::And => list.extend((0..=1).take_while(|&fewer| fewer == 0 || left >= 2)),
        }
    }
    fn play(&self, state: &mut (u32, Gate), taken: u32) {
        let gate = if state.1 == Gate::Or { Gate::And } else { Gate::Or };
        *state = (state.0 - taken, gate);
    }
}

impl Memorable for Tiling {
    fn key(&self, state: &(u32, Gate)) -> u64 {
        delphic_game::mix(u64::from(state.0) << 1 | u64::from(state.1 == Gate::Or))
    }
    fn canonicalize(&self, _: &mut (u32, Gate)) {}
}

/// The definition.
fn possible(left: u32, gate: Gate) -> bool {
    match (gate, left) {
        (_, 0) => true,
        (Gate::Or, _) => [3, 4].into_iter().any(|piece| piece <= left && possible(left - piece, Gate::And)),
        (Gate::And, _) => possible(left, Gate::Or) && (left < 2 || possible(left - 1, Gate::Or)),
    }
}

#[test]
fn every_search_agrees_with_the_definition() {
    let mut seen = [0; 2];
    for n in 1..40 {
        let problem = Tiling(n);
        let expected = Verdict::of(possible(n, Gate::Or));
        seen[usize::from(expected == Verdict::Proved)] += 1;
        let limits = Limits::default();
        let playouts = || prior::Playouts::new(3, n.into());
        for (name, truth) in [
            ("brute", brute::solve(&problem, limits, &mut ()).truth),
            (
                "pns",
                kernel::solve(
                    &problem,
                    MinSum { kind: Counts, sum: Sum::Plain },
                    prior::Even,
                    Expand::Plain,
                    limits,
                    &mut (),
                )
                .truth,
            ),
            (
                "pn2",
                kernel::solve(
                    &problem,
                    MinSum { kind: Counts, sum: Sum::Plain },
                    prior::Even,
                    Expand::TwoLevel,
                    limits,
                    &mut (),
                )
                .truth,
            ),
            (
                "ppn",
                kernel::solve(&problem, Product::default(), playouts(), Expand::Plain, limits, &mut ()).truth,
            ),
            (
                "ppt",
                dag::solve(&problem, Product::default(), prior::Even, Symmetry::Off, limits, &mut ()).truth,
            ),
            (
                "dfpn",
                depth_first::solve(
                    &problem,
                    MinSum { kind: Counts, sum: Sum::Plain },
                    prior::Even,
                    Symmetry::Off,
                    limits,
                    &mut (),
                )
                .truth,
            ),
            (
                "dfppn",
                depth_first::solve(&problem, Product::default(), playouts(), Symmetry::Off, limits, &mut ())
                    .truth,
            ),
        ] {
            assert_eq!(truth, expected, "{name} on {n} tiles");
        }
    }
    assert!(seen.iter().all(|&n| n > 3), "both answers must occur: {seen:?}");
}
