//! What can be known besides the value: distances to the end, sizes of trees, and what needs no search.

use delphic_engine::{Ask, Conclusion, Distance, Limits, Request, StopReason, game};

/// One heap of n is taken at once; two equal heaps are lost, and the loser delays by taking one at a time.
#[test]
fn the_winner_hurries_and_the_loser_delays() {
    for (spec, plies) in [("nim:5", 1), ("nim:3,3", 6), ("nim:3,4", 7)] {
        let position = game(spec).unwrap().position(None, None).unwrap();
        let analysis = position.analyze(&Request::default(), 100_000, &mut ());
        let mut best: Vec<Distance> = analysis.best().iter().filter_map(|mv| mv.distance).collect();
        best.sort_by_key(|distance| match distance {
            Distance::Exactly(plies) | Distance::AtMost(plies) => *plies,
        });
        let won = spec != "nim:3,3";
        let chosen = if won { best.first() } else { best.last() };
        assert_eq!(chosen, Some(&Distance::Exactly(plies)), "{spec}");
    }
}

/// The line of an exact distance has that length, begins with its move and ends the game.
#[test]
fn exact_lines_are_as_long_as_their_distance() {
    let mut lines = 0;
    for (spec, moves) in
        [("nim:3,4", ""), ("nim:3,3", ""), ("tictactoe", "a1 b2 c3"), ("connect4:4x4", "1122334")]
    {
        let game = game(spec).unwrap();
        let position = game.position(None, Some(moves)).unwrap();
        for mv in position.analyze(&Request::default(), 1_000_000, &mut ()).moves {
            let Some(Distance::Exactly(plies)) = mv.distance else {
                assert!(mv.line.is_empty(), "{spec}: {mv:?}");
                continue;
            };
            assert_eq!((mv.line.len(), &mv.line[0]), (plies as usize, &mv.mv), "{spec}: {mv:?}");
            let line = format!("{moves} {}", mv.line.join(" "));
            assert!(game.position(None, Some(&line)).unwrap().is_over(), "{spec}: {line}");
            lines += 1;
        }
    }
    assert!(lines > 10, "{lines} lines");
}

/// Moves that are searched side by side have the values of moves that are searched one after the other, within limits as well.
#[test]
fn threads_find_the_same_values() {
    for (spec, moves) in [
        ("connect4:5x4", "33"),
        ("tictactoe", "a1"),
        ("domineering:5x5", ""),
        ("nogo:3x3", "b2"),
        ("nim:3,4,6", ""),
        ("hex:4", "a1"),
    ] {
        let position = game(spec).unwrap().position(None, Some(moves)).unwrap();
        let bounds = |threads, solver: &str| {
            let limits = Limits { threads, memory: Some(1 << 26), ..Limits::default() };
            let request = Request { limits, solver: solver.parse().unwrap(), ..Request::default() };
            let analysis = position.analyze(&request, 1_000, &mut ());
            assert!(analysis.complete(), "{spec} {moves}, {threads} threads, {solver}: {analysis:?}");
            analysis.moves.into_iter().map(|mv| (mv.mv, mv.bounds)).collect::<Vec<_>>()
        };
        let one = bounds(1, "dfpn");
        assert_eq!(bounds(2, "dfpn"), one, "{spec} {moves}");
        assert_eq!(bounds(5, "pp"), one, "{spec} {moves}");
    }
}

/// The node limit of an analysis stops all threads.
#[test]
fn threads_keep_the_limit_of_an_analysis() {
    let position = game("connect4").unwrap().position(None, None).unwrap();
    for threads in [1, 3] {
        let limits = Limits { threads, nodes: Some(100_000), ..Limits::default() };
        let request = Request { limits, solver: "alphabeta".parse().unwrap(), ..Request::default() };
        let analysis = position.analyze(&request, 1_000, &mut ());
        assert_eq!(analysis.stop, StopReason::Nodes);
        let created = analysis.answer.stats.created + analysis.created;
        assert!(created <= 100_000 + threads as u64 * 50_000, "{created} with {threads} threads");
    }
}

/// The true size of the tree is within the interval about nineteen times in twenty.
#[test]
fn the_interval_holds_the_size_of_the_tree() {
    let (mut within, mut all) = (0, 0);
    for spec in ["nogo:1x6", "domineering:3x4", "nim:2,3", "clobber:2x3"] {
        let position = game(spec).unwrap().position(None, None).unwrap();
        let size = (0..=12).map(|depth| position.perft(depth)).sum::<u64>() as f64;
        for seed in 0..50 {
            let (low, high) = position.estimate(2_000, seed).interval;
            within += usize::from(low <= size.log10() + 1e-9 && size.log10() <= high + 1e-9);
            all += 1;
        }
    }
    assert!((175..=200).contains(&within) && all == 200, "{within} of {all}");
}

#[test]
fn impossible_thresholds_need_no_search() {
    let position = game("nim:3,4").unwrap().position(None, None).unwrap();
    for (at_least, expected) in [(2, Conclusion::Disproved), (-1, Conclusion::Proved)] {
        let request = Request { ask: Ask::AtLeast(at_least), ..Request::default() };
        let answer = position.solve(&request, &mut ());
        assert_eq!((answer.conclusion, answer.stats.created), (expected, 0), "at least {at_least}");
    }
    // Nobody can draw, so a draw at least is a win.
    let request = Request { ask: Ask::Draw, ..Request::default() };
    assert_eq!(position.solve(&request, &mut ()).conclusion, Conclusion::Proved);
}
