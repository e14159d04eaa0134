//! Bundles that a manager has composed, and what becomes of them when something in them is changed.

use crate::common::{Faults, folder, options, run, settings};
use delphic_cluster::Settings;
use delphic_engine::{Ask, Bundle, Claim, Conclusion, Request, check_bundle, game};
use delphic_game::Rng;
use std::io::BufReader;
use std::path::Path;

/// The list and the parts in a folder.
fn read(folder: &Path) -> (Bundle, Vec<u8>) {
    let list = std::fs::File::open(folder.join(Bundle::LIST)).unwrap();
    (Bundle::read(&mut BufReader::new(list)).unwrap(), std::fs::read(folder.join(Bundle::PARTS)).unwrap())
}

fn write(folder: &Path, list: &Bundle, parts: &[u8]) {
    let mut text = Vec::new();
    list.write(&mut text).unwrap();
    std::fs::write(folder.join(Bundle::LIST), text).unwrap();
    std::fs::write(folder.join(Bundle::PARTS), parts).unwrap();
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
    (position.solve(&request, &mut ()).conclusion == Conclusion::Proved) == claim.holds
}

/// Changes one thing; returns what.
fn mutate(list: &mut Bundle, parts: &mut Vec<u8>, rng: &mut Rng) -> &'static str {
    let (a, b) = (rng.below(list.entries.len()), rng.below(list.entries.len()));
    let claim = rng.below(list.claims.len());
    // The header of a part ends with an empty line; this puts citations there.
    let mut cite = |list: &mut Bundle, from: usize, to: &[usize]| {
        let (offset, length) = (list.entries[from].offset as usize, list.entries[from].length as usize);
        let text = parts[offset..offset + length].to_vec();
        let header = text.windows(2).position(|pair| pair == b"\n\n").unwrap() + 1;
        (list.entries[from].offset, list.entries[from].length) = (parts.len() as u64, 0);
        parts.extend(&text[..header]);
        to.iter().for_each(|to| parts.extend(format!("cites {to}\n").bytes()));
        parts.extend(&text[header..]);
        list.entries[from].length = parts.len() as u64 - list.entries[from].offset;
    };
    match rng.below(10) {
        0 => {
            let (one, two) = (list.entries[a].clone(), list.entries[b].clone());
            (list.entries[a].offset, list.entries[a].length) = (two.offset, two.length);
            (list.entries[b].offset, list.entries[b].length) = (one.offset, one.length);
            "two parts are exchanged"
        }
        1 => {
            drop(list.entries.remove(a));
            "an entry is missing"
        }
        2 => {
            list.entries[a].length = 0;
            "a lemma has no part"
        }
        3 => {
            cite(list, a, &[b]);
            if a != b {
                cite(list, b, &[a]);
            }
            "two parts cite each other"
        }
        4 => {
            cite(list, a, &[0]);
            "a part cites the claim"
        }
        5 => {
            list.entries[a].position = list.entries[b].position.clone();
            "a lemma is about another position"
        }
        6 => {
            list.claims[claim].holds ^= true;
            "the contrary is claimed"
        }
        7 => {
            let question = &mut list.claims[claim].question;
            (question.player, question.at_least) = match rng.below(3) {
                0 => (question.player.other(), question.at_least),
                1 => (question.player, question.at_least + 1),
                _ => (question.player.other(), question.at_least + 1),
            };
            "something else is claimed"
        }
        8 => {
            let nth = rng.below(parts.len());
            parts[nth] ^= 1 << rng.below(8);
            "a bit is changed"
        }
        _ => {
            let everywhere = list.entries[b].position.clone();
            let roots = list.claims.len();
            list.entries.iter_mut().take(roots).for_each(|entry| entry.position.clone_from(&everywhere));
            "the claims are about another position"
        }
    }
}

/// Parts exchanged, missing, citing in a circle, lemmas that are false, claims that are: what is still accepted must be true.
#[test]
fn no_changed_bundle_of_a_run_proves_a_false_claim() {
    let folder = folder("mutants");
    let specs = ["tictactoe", "clobber:3x3", "nim:2,3,4", "hex:3", "domineering:3x4"];
    let bases = specs.map(|spec| {
        let ledger = folder.join(spec.replace([':', ','], "-"));
        // Small jobs, small parts, and certificates that cite the lemmas of earlier jobs.
        let settings = Settings { part_size: 5, lemmas: Some(10), ..settings(60) };
        run(spec, &settings, &options(&ledger, None, true), Faults::default(), 3).unwrap();
        let base = read(&ledger.with_extension("bundle"));
        assert!(base.0.entries.len() > 2, "{spec}: {} entries", base.0.entries.len());
        (spec, base)
    });
    let (mut tally, mut rng) = ([0; 2], Rng::new(9));
    for round in 0..1_000 {
        let (spec, (mut list, mut parts)) = bases[round % bases.len()].clone();
        let what = mutate(&mut list, &mut parts, &mut rng);
        write(&folder, &list, &parts);
        let checked = check_bundle(&folder, 2, 1 << 26, &|_, _| {}).ok();
        tally[usize::from(checked.is_some())] += 1;
        for claim in checked.iter().flat_map(|checked| &checked.claims) {
            let position = &list.entries[0].position;
            assert!(
                is_true(spec, position, *claim),
                "{spec}, round {round}, {what}: {claim} at {position} was accepted"
            );
        }
    }
    println!("{} refused, {} accepted and true", tally[0], tally[1]);
    assert!(tally[0] > 600 && tally[1] > 10, "{tally:?}");
}
