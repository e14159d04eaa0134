//! Certificates of games with cycles: strategies whose rank falls, and closed sets. What is accepted is true, whatever was changed.

use delphic_engine::{Ask, Claim, Header, Request, Value, game, open_certificate};
use delphic_game::Rng;
use std::collections::HashMap;
use std::io::{Read, Write};
use std::path::Path;

fn family(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join(format!("../../data/families/{name}.toml"))
        .to_str()
        .unwrap()
        .to_owned()
}

/// Games with cycles and positions of them, as moves from the start.
fn cases() -> Vec<(String, Option<&'static str>)> {
    vec![
        (family("dodgem"), None),
        (family("achi"), None),
        (family("three-mens-morris"), None),
        (family("hare-and-hounds"), None),
        (family("squeeze"), None),
        ("ataxx:3x3,plies=off".to_owned(), None),
        ("awari:plies=off".to_owned(), Some("0,0,0,0,2,1/1,1,0,0,0,1 21,21 x")),
        ("los-alamos:plies=off".to_owned(), Some("k...../....../..K.../....../....../.....R w 102")),
        ("los-alamos:plies=off".to_owned(), Some("k...../....../..K.../....../....../.....N w 102")),
    ]
}

fn prove(spec: &str, position: Option<&str>, ask: Ask) -> (Option<Value>, Vec<u8>) {
    let position = game(spec).unwrap().position(position, None).unwrap();
    let mut file = Vec::new();
    let request = Request { ask, ..Request::default() };
    let (answer, certified) = position.prove(&request, &mut (), &mut file);
    certified.unwrap_or_else(|error| panic!("{spec}: {error}"));
    (answer.value(), file)
}

/// The verdict of the checker, which needs nothing of the search.
fn check(file: &[u8]) -> Result<delphic_engine::Checked, String> {
    let mut read = file;
    let (header, game) = open_certificate(&mut read).map_err(|error| error.to_string())?;
    game.check(&header, &mut read, 1 << 30, None).map_err(|error| error.to_string())
}

#[test]
fn wins_and_draws_are_certified() {
    let (mut endless, mut decided) = (0, 0);
    for (spec, position) in cases() {
        let (value, file) = prove(&spec, position, Ask::Value);
        let checked = check(&file).unwrap_or_else(|error| panic!("{spec}: {error}"));
        println!("{spec} {position:?}: {value:?}, {checked:?}, {} bytes", file.len());
        endless += usize::from(checked.endless);
        decided += usize::from(matches!(value, Some(Value::Win | Value::Loss)));
        if let Some(Value::Win | Value::Loss) = value {
            assert_eq!(checked.line.len() as u32, checked.plies, "{spec}: winners hurry and losers delay");
        }
    }
    assert!(endless >= 2 && decided >= 3, "{endless} endless, {decided} decided");
}

/// Header and choices of a certificate.
fn open(file: &[u8]) -> (Header, Vec<u8>) {
    let mut read = file;
    let header = Header::read(&mut read).unwrap();
    let mut choices = Vec::new();
    flate2::read::ZlibDecoder::new(read).read_to_end(&mut choices).unwrap();
    (header, choices)
}

fn close(header: &Header, choices: &[u8]) -> Vec<u8> {
    let claims: String = header.claims.iter().map(|claim| format!("claim {claim}\n")).collect();
    let Header { game, rules, position, .. } = header;
    let mut file =
        format!("delphic certificate 1\ngame {game}\nrules {rules:016x}\nposition {position}\n{claims}\n")
            .into_bytes();
    let mut encoder = flate2::write::ZlibEncoder::new(&mut file, flate2::Compression::fast());
    encoder.write_all(choices).unwrap();
    encoder.finish().unwrap();
    file
}

/// Changes choices, claims or the position.
fn mutate(header: &mut Header, choices: &mut Vec<u8>, rng: &mut Rng) {
    let at = rng.below(choices.len().max(1));
    match rng.below(8) {
        0..=3 if !choices.is_empty() => choices[at] = (choices[at] + 1 + rng.below(5) as u8) % 8,
        4 if !choices.is_empty() => drop(choices.remove(at)),
        5 => choices.insert(at, rng.below(6) as u8),
        6 => {
            let nth = rng.below(header.claims.len());
            let claim = &mut header.claims[nth];
            match rng.below(3) {
                0 => claim.holds = !claim.holds,
                1 => claim.question.at_least = rng.below(3) as i16 - 1,
                _ => claim.question.player = claim.question.player.other(),
            }
        }
        _ => {
            let game = game(&header.game).unwrap();
            let position = game.position(Some(&header.position), None).unwrap();
            header.position = position.random(Some(1 + rng.below(3)), rng.bits());
        }
    }
}

/// A thousand changed certificates of both kinds: none of them is accepted unless what it claims is true.
#[test]
fn mutated_certificates_prove_nothing_false() {
    let (mut rng, mut values) = (Rng::new(7), HashMap::new());
    let originals: Vec<Vec<u8>> = cases().iter().map(|(spec, at)| prove(spec, *at, Ask::Value).1).collect();
    let (mut refused, mut accepted, mut rank, mut closed) = (0, 0, 0, 0);
    for round in 0..1_000 {
        let (mut header, mut choices) = open(&originals[round % originals.len()]);
        for _ in 0..=rng.below(2) {
            mutate(&mut header, &mut choices, &mut rng);
        }
        let file = close(&header, &choices);
        match check(&file) {
            Err(_) => refused += 1,
            Ok(checked) => {
                accepted += 1;
                if checked.endless {
                    closed += 1;
                } else {
                    rank += 1;
                }
                let key = (header.game.clone(), header.position.clone());
                let payoff = *values.entry(key).or_insert_with(|| {
                    let position =
                        game(&header.game).unwrap().position(Some(&header.position), None).unwrap();
                    position
                        .strong(delphic_engine::Limits::default(), &mut ())
                        .map_err(|(stop, _)| stop)
                        .unwrap()
                        .worth(&[])
                        .unwrap()
                        .payoff
                });
                for Claim { question, holds } in &header.claims {
                    let own = if question.player == delphic_engine::Player::FIRST { payoff } else { -payoff };
                    assert_eq!(own >= question.at_least, *holds, "accepted although false: {header:?}");
                }
            }
        }
    }
    println!("{refused} refused, {accepted} accepted and true ({rank} by rank, {closed} closed sets)");
    assert!(refused > 500, "{refused} refused");
}
