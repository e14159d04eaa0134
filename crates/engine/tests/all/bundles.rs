//! Proofs in parts: written, checked on threads, and refused when they are wrong.

use delphic_engine::{Ask, Bundle, Claim, Request, check_bundle, game};
use delphic_game::Rng;
use std::path::{Path, PathBuf};

fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("delphic-bundles-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&path).unwrap();
    path
}

/// Proves the value of a position in parts and returns the list and the parts.
fn prove(spec: &str, most: usize) -> (Bundle, Vec<u8>) {
    let position = game(spec).unwrap().position(None, None).unwrap();
    let mut parts = Vec::new();
    let request = Request::default();
    let (answer, proved) = position.prove_in_parts(&request, most, &mut (), &mut |_| {}, &mut parts);
    assert!(answer.value().is_some(), "{spec}");
    let (certified, list) = proved.unwrap();
    assert_eq!(certified.bytes, parts.len() as u64);
    (list, parts)
}

fn write(folder: &Path, list: &Bundle, parts: &[u8]) {
    let mut text = Vec::new();
    list.write(&mut text).unwrap();
    std::fs::write(folder.join(Bundle::LIST), text).unwrap();
    std::fs::write(folder.join(Bundle::PARTS), parts).unwrap();
}

fn accepted(folder: &Path) -> Option<delphic_engine::CheckedBundle> {
    check_bundle(folder, 2, 1 << 26, &|_, _| {}).ok()
}

#[test]
fn parts_prove_what_one_certificate_does() {
    let folder = folder("agree");
    for (spec, most) in [
        ("tictactoe", 30),
        ("domineering:4x5", 40),
        ("clobber:3x4", 25),
        ("hex:3", 10),
        ("nim:3,4,5", 20),
        ("connect4:4x4", 300),
        ("domineering:4x4,misere", 10),
        ("mnk3:3,3,3", 50),
    ] {
        let (list, parts) = prove(spec, most);
        write(&folder, &list, &parts);
        let checked = check_bundle(&folder, 3, 1 << 26, &|_, _| {}).unwrap();
        assert!(
            checked.parts > list.claims.len() && checked.citations > 0,
            "{spec}: {} parts",
            checked.parts
        );
        let position = game(spec).unwrap().position(None, None).unwrap();
        let whole = position.prove(&Request::default(), &mut (), &mut Vec::new()).1.unwrap();
        assert_eq!(checked.claims, whole.claims, "{spec}");
        assert!(
            checked.strategy >= whole.strategy,
            "{spec}: positions may be in several parts, but none is missing"
        );
        // Large enough parts leave nothing to others.
        let (list, parts) = prove(spec, usize::MAX);
        write(&folder, &list, &parts);
        let checked = check_bundle(&folder, 1, 1 << 26, &|_, _| {}).unwrap();
        assert_eq!((checked.parts, checked.strategy), (whole.claims.len(), whole.strategy), "{spec}");
    }
}

/// A part that does not fit into the memory is written again as several smaller ones, and what was cited for it alone is forgotten.
#[test]
fn parts_become_smaller_where_memory_is_short() {
    let (folder, position) =
        (folder("memory"), game("domineering:5x6").unwrap().position(None, None).unwrap());
    let mut request = Request { ask: Ask::Win, ..Request::default() };
    let mut counts = Vec::new();
    for memory in [1 << 30, 1 << 20] {
        request.limits.memory = Some(memory);
        let mut parts = Vec::new();
        let (_, proved) = position.prove_in_parts(&request, usize::MAX, &mut (), &mut |_| {}, &mut parts);
        let (certified, list) = proved.unwrap();
        write(&folder, &list, &parts);
        let checked = check_bundle(&folder, 2, 1 << 26, &|_, _| {}).unwrap();
        assert_eq!((checked.strategy, checked.looked_at), (certified.strategy, certified.looked_at));
        counts.push(checked.parts);
    }
    assert!(counts[0] == 1 && counts[1] > 5, "{counts:?}");
}

/// Whether a claim about a position is true, by brute force.
fn is_true(spec: &str, position: &str, claim: Claim) -> bool {
    let position = game(spec).unwrap().position(Some(position), None).unwrap();
    let request = Request {
        ask: Ask::AtLeast(claim.question.at_least),
        player: Some(claim.question.player),
        solver: "brute".parse().unwrap(),
        ..Request::default()
    };
    let proved = position.solve(&request, &mut ()).conclusion == delphic_engine::Conclusion::Proved;
    proved == claim.holds
}

/// What the first player is claimed to be able to do becomes its contrary, lemmas become others, parts are exchanged, lost, cited in a circle or
/// changed in their bytes. What is still accepted must be true.
#[test]
fn no_mutant_proves_a_false_claim() {
    let folder = folder("mutants");
    let bases =
        [("tictactoe", 30), ("domineering:3x4", 8), ("clobber:3x3", 8), ("nim:2,3,4", 8), ("hex:3", 10)];
    let bases = bases.map(|(spec, most)| (spec, prove(spec, most)));
    let mut tally = [0; 2];
    let mut rng = Rng::new(5);
    for round in 0..1_000 {
        let (spec, (mut list, mut parts)) = bases[round % bases.len()].clone();
        let (a, b) = (rng.below(list.entries.len()), rng.below(list.entries.len()));
        match rng.below(9) {
            0 => {
                let nth = rng.below(list.claims.len());
                list.claims[nth].holds ^= true;
            }
            1 => {
                let nth = rng.below(list.claims.len());
                list.claims[nth].question.at_least += 1;
            }
            2 => {
                let nth = rng.below(list.claims.len());
                list.claims[nth].question.player = list.claims[nth].question.player.other();
            }
            3 => list.entries[a].position = list.entries[b].position.clone(),
            4 => {
                let (one, two) = (list.entries[a].clone(), list.entries[b].clone());
                (list.entries[a].offset, list.entries[a].length) = (two.offset, two.length);
                (list.entries[b].offset, list.entries[b].length) = (one.offset, one.length);
            }
            5 => drop(list.entries.remove(a)),
            6 => {
                // A part that cites another instead of its own lemmas, or one more.
                let part = list.entries[a].clone();
                let at = part.offset as usize..(part.offset + part.length) as usize;
                let text = parts[at].to_vec();
                let header = text.windows(2).position(|pair| pair == b"\n\n").unwrap() + 1;
                let mut changed = text[..header].to_vec();
                changed.extend(format!("cites {b}\n").bytes());
                changed.extend(&text[header..]);
                (list.entries[a].offset, list.entries[a].length) = (parts.len() as u64, changed.len() as u64);
                parts.extend(changed);
            }
            7 => {
                let nth = rng.below(parts.len());
                parts[nth] ^= 1 << rng.below(8);
            }
            _ => {
                // The whole proof of one position for another.
                let everywhere = list.entries[b].position.clone();
                list.entries
                    .iter_mut()
                    .take(list.claims.len())
                    .for_each(|entry| entry.position = everywhere.clone());
            }
        }
        write(&folder, &list, &parts);
        let checked = accepted(&folder);
        tally[usize::from(checked.is_some())] += 1;
        for claim in checked.iter().flat_map(|checked| &checked.claims) {
            let position = &list.entries[0].position;
            assert!(
                is_true(spec, position, *claim),
                "{spec}, round {round}: {claim} at {position} was accepted"
            );
        }
    }
    println!("{} refused, {} accepted and true", tally[0], tally[1]);
    assert!(tally[0] > 600 && tally[1] > 10, "{tally:?}");
}

/// A part may not rest on itself, in however many steps.
#[test]
fn circles_are_found() {
    use delphic_certificate::find_circle;
    assert_eq!(find_circle(&[vec![1, 2], vec![2], vec![]]), None);
    assert!(find_circle(&[vec![1], vec![2], vec![1]]).is_some());
    assert!(find_circle(&[vec![], vec![2], vec![3], vec![1]]).is_some());
    assert_eq!(find_circle(&[]), None);
}
