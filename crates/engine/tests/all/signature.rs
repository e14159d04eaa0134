//! The counts of many searches, which together identify every solver's search.

use delphic_engine::{Ask, Limits, Request, game};

fn counts(spec: &str, solver: &str, ask: Ask, nodes: u64) -> (String, String, [u64; 4]) {
    let position = game(spec).unwrap().position(None, None).unwrap();
    let limits = Limits { nodes: Some(nodes), threads: 1, ..Limits::default() };
    let request = Request { ask, solver: solver.parse().unwrap(), limits, ..Request::default() };
    let answer = position.solve(&request, &mut ());
    let value = answer.value().map_or("None".to_owned(), |value| value.to_string());
    let stats = answer.stats;
    let counts = [stats.created, stats.expanded, stats.visited, stats.playouts];
    (answer.conclusion.name().to_owned(), value, counts)
}

#[test]
fn searches_are_the_same() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/search-counts.tsv");
    let table = std::fs::read_to_string(path).unwrap();
    let mut rows = 0;
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [spec, solver, verdict, value, numbers @ ..] = &fields[..] else { panic!("{line}") };
        let expected: Vec<u64> = numbers.iter().map(|number| number.parse().unwrap()).collect();
        let (found, known, counts) = counts(spec, solver, Ask::Value, 300_000);
        assert_eq!((found.as_str(), known.as_str()), (*verdict, *value), "{spec} {solver}");
        assert_eq!(counts, expected[..], "{spec} {solver}: created, expanded, visited, playouts");
        rows += 1;
    }
    assert!(rows >= 100, "only {rows} rows");
}

/// Paper 2, table 4: 101,244 nodes on 5×6, and 5.53 million on 6×6.
#[test]
fn product_propagation_on_domineering() {
    assert_eq!(counts("domineering:6x5", "pp", Ask::Win, u64::MAX).2[0], 101_244);
    assert_eq!(counts("domineering:6x6", "pp", Ask::Win, u64::MAX).2[0], 5_554_587);
}
