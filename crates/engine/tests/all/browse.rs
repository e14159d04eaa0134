//! Certificates and checkpoints to look into: the strategy is whole, sizes add up, and what an unfinished search claims is true.

use delphic_engine::{
    AnyPosition, Ask, Checkpoint, Limits, Proof, Request, Saved, Survey, Value, game, open_certificate,
};
use delphic_game::Verdict;
use std::time::Duration;

/// Walks to every end of the strategy. Returns the positions looked at.
fn walk(proof: &Proof, claim: usize, position: &dyn AnyPosition, line: &str) -> u64 {
    let node = proof.node(claim, line).unwrap().expect("a position of the strategy");
    let moves = position.moves();
    if node.chosen {
        assert_eq!(node.branches.len(), 1, "after '{line}'");
    } else {
        let replies: Vec<&String> = node.branches.iter().map(|branch| &branch.mv).collect();
        assert_eq!(replies, moves.iter().collect::<Vec<_>>(), "after '{line}'");
    }
    assert_eq!(node.plies, node.branches.iter().map(|branch| branch.plies).max().unwrap());
    let mut size = 1;
    for branch in &node.branches {
        let nth = moves.iter().position(|mv| *mv == branch.mv).expect("a legal move");
        let after = position.after(nth);
        assert_eq!(after.is_over(), branch.end);
        let below = match branch.end || branch.again {
            true => 1,
            false => walk(proof, claim, &*after, &format!("{line} {}", branch.mv)),
        };
        assert_eq!(branch.size, below, "{} after '{line}'", branch.mv);
        size += below;
    }
    assert_eq!(node.size, size);
    size
}

#[test]
fn a_certificate_can_be_browsed_to_every_end() {
    for (spec, moves) in [
        ("tictactoe", ""),
        ("tictactoe", "a1 b1"),
        ("nim:2,3,4", ""),
        ("domineering:4x4", ""),
        ("hex:3", "a1"),
    ] {
        let rules = game(spec).unwrap();
        let position = rules.position(None, Some(moves)).unwrap();
        let mut file = Vec::new();
        let (_, certified) = position.prove(&Request::default(), &mut (), &mut file);
        let certified = certified.unwrap();
        let mut rest = &file[..];
        let (header, _) = open_certificate(&mut rest).unwrap();
        let proof = rules.browse(&header, &mut rest, 1 << 26).unwrap();
        let looked_at: u64 = (0..header.claims.len()).map(|claim| walk(&proof, claim, &*position, "")).sum();
        assert_eq!(looked_at, certified.looked_at, "{spec} {moves}");
        assert_eq!(proof.checked().looked_at, looked_at);

        // An outline with everything has every move that the checker follows, side by side and within its parent.
        let outline = proof.outline(0, "", 100, 1, usize::MAX).unwrap();
        assert_eq!(outline.len() as u64 + 1, proof.node(0, "").unwrap().unwrap().size);
        for slice in &outline {
            let Some(parent) = slice.parent.map(|parent| &outline[parent]) else { continue };
            assert_eq!(slice.ply, parent.ply + 1);
            assert!(slice.start > parent.start);
            assert!(slice.start + slice.branch.size <= parent.start + parent.branch.size);
        }
        assert!(proof.outline(0, "", 1, 1, usize::MAX).unwrap().iter().all(|slice| slice.ply == 0));
        assert!(proof.outline(0, "", 100, 1, 3).unwrap().len() <= 3);
        assert_eq!(proof.node(99, "").unwrap(), None);
        assert!(proof.node(0, "nonsense").is_err());
        // What check refuses cannot be browsed either.
        let cut = &file[..file.len() - 3];
        let mut rest = cut;
        let (header, _) = open_certificate(&mut rest).unwrap();
        assert!(rules.browse(&header, &mut rest, 1 << 26).is_err());
    }
}

#[test]
fn an_unfinished_search_says_what_it_knows_and_nothing_else() {
    let position = game("connect4:5x4").unwrap().position(None, Some("3")).unwrap();
    for (solver, nodes) in
        [("pns", 20_000), ("ppt", 3_000), ("pp", 5_000), ("dfpn", 30_000), ("alphabeta", 2_000)]
    {
        let folder = std::env::temp_dir().join(format!("delphic-survey-{}-{solver}", std::process::id()));
        let limits = Limits { nodes: Some(nodes), memory: Some(1 << 24), ..Limits::default() };
        let request =
            Request { ask: Ask::Win, solver: solver.parse().unwrap(), limits, ..Request::default() };
        let checkpoint =
            Checkpoint::begin(&folder, Some(Duration::from_secs(60)), position.identify(&request)).unwrap();
        let answer = position.solve(&Request { checkpoint: Some(&checkpoint), ..request.clone() }, &mut ());
        assert_eq!(answer.value(), None, "{solver} is not done with {nodes} nodes");
        drop(checkpoint);
        let before = std::fs::read(folder.join("current")).unwrap();

        let survey = Survey::open(Saved::open(&folder).unwrap(), 1 << 26).unwrap();
        assert_eq!(survey.stats.created, answer.stats.created, "{solver}");
        assert_eq!(survey.bounds, (Value::Loss, Value::Win));
        let known = survey.nodes.as_ref().expect("positions");
        // Everything that it calls decided is so, along the lines on which most of the effort was spent.
        let mut decided = 0;
        let mut lines = vec![(String::new(), position.again())];
        while let Some((line, at)) = lines.pop() {
            let node = known.node(&line).unwrap();
            assert_eq!(node.moves.len(), at.moves().len(), "{solver} after '{line}'");
            let below: u64 = node.moves.iter().filter_map(|(_, found)| Some(found.as_ref()?.1)).sum();
            assert!(node.nodes >= below, "{solver} after '{line}'");
            let heaviest = node.moves.iter().filter_map(|(_, found)| Some(found.as_ref()?.1)).max();
            for (nth, (mv, found)) in node.moves.iter().enumerate() {
                let after = at.after(nth);
                let next = || format!("{line} {mv}").trim().to_owned();
                let Some((verdict, nodes)) = found else {
                    // Alpha-beta keeps decided positions only, so the way to them is not kept.
                    if solver == "alphabeta" && line.split_whitespace().count() < 5 {
                        lines.push((next(), after));
                    }
                    continue;
                };
                if *verdict != Verdict::Open {
                    let ask = Request { ask: Ask::Win, player: Some(position.turn()), ..Request::default() };
                    let truth = after.solve(&ask, &mut ()).value() == Some(Value::Win);
                    assert_eq!(*verdict == Verdict::Proved, truth, "{solver}: {line} {mv}");
                    decided += 1;
                } else if Some(*nodes) == heaviest {
                    lines.push((next(), after));
                }
            }
        }
        assert!(decided > 0, "{solver} has decided something");
        println!("{solver}: {decided} moves decided after {nodes} nodes");
        assert_eq!(std::fs::read(folder.join("current")).unwrap(), before, "the folder is only read");
        let request = survey.request().unwrap();
        assert_eq!((request.ask, request.solver.to_string()), (Ask::Win, answer.solver));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
