//! Every solver's proofs are accepted by the checker, and nothing false is.

use delphic_engine::{
    AnyGame, AnyPosition, Ask, Claim, Limits, ProofError, Refusal, Request, SOLVERS, Solver, Value, game,
    open_certificate,
};
use delphic_game::Rng;
use flate2::Compression;
use flate2::read::{ZlibDecoder, ZlibEncoder};
use std::collections::HashMap;
use std::io::Read;
use std::time::Instant;

fn solvers() -> Vec<Solver> {
    let more =
        ["ppt:symmetry=on", "pnt:symmetry=on", "dfpn:symmetry=off", "alphabeta:symmetry=off", "jobs:size=9"];
    SOLVERS.iter().map(|info| info.name).chain(more).map(|name| name.parse().unwrap()).collect()
}

/// The claims of an accepted certificate.
fn check(mut file: &[u8]) -> Result<Vec<Claim>, Refusal> {
    let (header, game) = open_certificate(&mut file)?;
    game.check(&header, &mut file, 1 << 30, None)?;
    Ok(header.claims)
}

/// What the claims leave of the value, which is among `payoffs`, for the side to move.
fn value(claims: &[Claim], position: &dyn AnyPosition, payoffs: &[i16]) -> (i16, i16) {
    let (mut low, mut high) = (payoffs[0], payoffs[payoffs.len() - 1]);
    for claim in claims {
        assert_eq!(claim.question.player, position.turn());
        if claim.holds {
            low = low.max(claim.question.at_least);
        } else {
            let below = payoffs.iter().filter(|&&payoff| payoff < claim.question.at_least);
            high = high.min(*below.max().expect("a payoff below"));
        }
    }
    (low, high)
}

fn number(value: Value) -> i16 {
    match value {
        Value::Loss => -1,
        Value::Draw => 0,
        Value::Win => 1,
        Value::Score(score) => score,
    }
}

/// Certificates of one position by every solver. Those that do not solve it within the limits are not counted.
fn every_solver(spec: &str, text: &str, truth: Option<i16>, limits: Limits<'_>, seed: u64) -> usize {
    let game = game(spec).unwrap();
    let position = game.position(Some(text), None).unwrap();
    let mut accepted = 0;
    for solver in solvers() {
        let mut file = Vec::new();
        let request = Request { solver: solver.clone(), limits, seed, ..Request::default() };
        let (answer, certified) = position.prove(&request, &mut (), &mut file);
        let Some(found) = answer.value() else { continue };
        // The limits hold for the writing too.
        if matches!(certified, Err(ProofError::Stopped(_))) {
            continue;
        }
        let certified = certified.unwrap_or_else(|error| panic!("{solver} on {spec} {text}: {error}"));
        let claims = check(&file).unwrap_or_else(|refusal| panic!("{solver} on {spec} {text}: {refusal}"));
        assert_eq!((certified.claims, certified.bytes), (claims.clone(), file.len() as u64));
        assert_eq!(
            value(&claims, &*position, &game.payoffs()),
            (number(found), number(found)),
            "{solver} on {spec} {text}"
        );
        assert!(truth.is_none_or(|truth| truth == number(found)), "{solver} on {spec} {text}: {found}");
        accepted += 1;
    }
    accepted
}

/// Certificates of random positions of a game, compared with brute force.
fn random_positions(spec: &str, count: u64, plies: Option<usize>, limits: Limits<'_>) {
    let game = game(spec).unwrap();
    let start = game.position(None, None).unwrap();
    let (mut accepted, started) = (0, Instant::now());
    for seed in 0..count {
        let text = start.random(plies, seed);
        let truth = brute(&*game, &text);
        accepted += every_solver(spec, &text, truth, limits, seed);
    }
    let all = count as usize * solvers().len();
    println!("{spec}: {accepted} of {all} certificates written and accepted, {:.1?}", started.elapsed());
    assert!(accepted * 10 >= all * 9, "{spec}: {accepted} of {all}");
}

fn brute(game: &dyn AnyGame, text: &str) -> Option<i16> {
    let limits = Limits { nodes: Some(3_000_000), ..Limits::default() };
    let request = Request { solver: "brute".parse().unwrap(), limits, ..Request::default() };
    game.position(Some(text), None).unwrap().solve(&request, &mut ()).value().map(number)
}

fn nodes(nodes: u64) -> Limits<'static> {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

#[test]
fn every_solver_certifies_what_it_solves() {
    for (spec, count) in [
        ("tictactoe", 12),
        ("tictactoe:misere", 6),
        ("connect4:5x4", 8),
        ("domineering:4x4", 10),
        ("domineering:5x4", 6),
        ("nogo:3x3", 8),
        ("nogo:1x11", 8),
        ("pgame:b=2,d=10,seed=3", 10),
        ("nim:1,2,3", 6),
        ("hex:3", 6),
        ("breakthrough:4x3,home=1", 6),
        ("clobber:3x4", 6),
        ("ataxx:plies=6", 2),
        ("mnk3:3,3,3", 6),
    ] {
        // The later half of a game, which every solver can do.
        random_positions(spec, count, None, nodes(300_000));
    }
}

/// Nodes for each search of the tests that are run on request.
const MANY: u64 = 500_000;

/// Two hundred positions of every game, on request: `cargo test --release -p delphic-engine --test all certificates:: -- --ignored --nocapture`.
#[test]
#[ignore = "some ten minutes"]
fn two_hundred_positions_of_each_game() {
    for (spec, count, plies) in [
        ("tictactoe", 200, None),
        ("pgame:b=2,d=12,seed=5", 100, None),
        ("pgame:b=4,d=6,seed=6", 100, None),
        ("domineering:4x4", 50, None),
        ("domineering:5x5", 50, None),
        ("domineering:6x6", 100, Some(5)),
        ("nogo:3x3", 50, None),
        ("nogo:4x4", 75, Some(5)),
        ("nogo:1x18", 75, Some(5)),
    ] {
        random_positions(spec, count, plies, nodes(MANY));
    }
}

/// The same for Connect Four, whose values are known from two other programs.
#[test]
#[ignore = "some ten minutes"]
fn two_hundred_positions_of_connect_four() {
    for (file, count) in [("ply20.tsv", 200), ("ply12.tsv", 20)] {
        let Some(path) = delphic_game::testing::oracle(&format!("connect4/{file}")) else { continue };
        let text = std::fs::read_to_string(path).unwrap();
        let (mut accepted, mut all, mut draws) = (0, 0, 0);
        for line in text.lines().skip(1).take(count) {
            let mut fields = line.split('\t');
            let (moves, value) = (fields.next().unwrap(), fields.next().unwrap());
            let truth = ["loss", "draw", "win"].iter().position(|word| *word == value).unwrap() as i16 - 1;
            accepted += every_solver("connect4", moves, Some(truth), nodes(MANY), 1);
            all += solvers().len();
            draws += usize::from(truth == 0);
        }
        println!(
            "connect4 {file}: {accepted} of {all} certificates written and accepted, {draws} draws among the positions"
        );
        assert!(accepted * 4 >= all && draws > 0);
    }
}

#[test]
fn a_draw_is_two_strategies() {
    let position = game("tictactoe").unwrap().position(None, None).unwrap();
    let mut file = Vec::new();
    let (answer, certified) = position.prove(&Request::default(), &mut (), &mut file);
    assert_eq!(answer.value(), Some(Value::Draw));
    assert_eq!(certified.unwrap().claims.len(), 2);
    let claims: Vec<String> = check(&file).unwrap().iter().map(ToString::to_string).collect();
    assert_eq!(claims, ["first >= 0", "first < 1"]);
    assert_eq!(answer.plies, Some(9));
    assert_eq!(answer.line.len(), 9, "both strategies together play the game to its end");
}

/// Strategies with the first good moves have 48,089, 4,717 and 12,536 positions.
#[test]
fn strategies_prefer_few_replies_and_short_games() {
    for (spec, most) in [("domineering:5x6", 12_000), ("hex:4", 1_500), ("y:5", 4_500)] {
        let position = game(spec).unwrap().position(None, None).unwrap();
        let request =
            Request { ask: "win".parse().unwrap(), solver: "dfpp".parse().unwrap(), ..Request::default() };
        let mut file = Vec::new();
        let certified = position.prove(&request, &mut (), &mut file).1.unwrap();
        assert!(certified.strategy <= most, "{spec}: {}", certified.strategy);
        check(&file).unwrap();
    }
}

/// A table of a few entries forgets nearly everything; the moves are found again.
#[test]
fn a_depth_first_search_that_forgets_still_gives_a_whole_certificate() {
    let position = game("connect4:5x4").unwrap().position(Some("33"), None).unwrap();
    for solver in ["dfpn", "dfpp", "alphabeta", "pn2"] {
        let solver: Solver = solver.parse().unwrap();
        let limits = Limits {
            memory: Some(if solver.to_string().starts_with("pn2") { 3 << 20 } else { 600_000 }),
            ..Limits::default()
        };
        let (mut file, request) =
            (Vec::new(), Request { solver: solver.clone(), limits, ..Request::default() });
        let (answer, certified) = position.prove(&request, &mut (), &mut file);
        match certified {
            Ok(certified) => {
                assert!(certified.created > 100, "{solver}: {certified:?}");
                check(&file).unwrap();
            }
            // The positions of the strategy themselves need room.
            Err(ProofError::Memory(_)) => assert!(answer.value().is_some()),
            Err(error) => panic!("{solver}: {error}"),
        }
    }
}

#[test]
fn what_is_not_known_is_not_certified() {
    let position = game("connect4").unwrap().position(None, None).unwrap();
    let request = Request { limits: nodes(1_000), ..Request::default() };
    let (_, certified) = position.prove(&request, &mut (), &mut Vec::new());
    assert!(matches!(certified, Err(ProofError::NoAnswer)));
    let request = Request { ask: Ask::AtLeast(-1), ..Request::default() };
    let (_, certified) = position.prove(&request, &mut (), &mut Vec::new());
    assert!(matches!(certified, Err(ProofError::NothingToProve)));
}

/// Certificates with choices, claims or positions exchanged, and plainly damaged ones. Tells how many were accepted.
fn mutants(count: usize, seed: u64) -> usize {
    let mut rng = Rng::new(seed);
    let (mut accepted, mut values) = (0, HashMap::<(String, String), i16>::new());
    let specs =
        ["tictactoe", "connect4:4x4", "domineering:4x4", "nogo:3x3", "pgame:b=3,d=6,seed=2", "nim:2,3,1"];
    let games: Vec<_> = specs.iter().map(|spec| game(spec).unwrap()).collect();
    for _ in 0..count {
        let game = &games[rng.below(games.len())];
        let start = game.position(None, None).unwrap();
        let position = game.position(Some(&start.random(None, rng.bits())), None).unwrap();
        let mut file = Vec::new();
        let solver = solvers().swap_remove(rng.below(SOLVERS.len()));
        let request = Request { solver, limits: nodes(200_000), ..Request::default() };
        if position.prove(&request, &mut (), &mut file).1.is_err() {
            continue;
        }
        let other = start.random(None, rng.bits());
        let file = mutated(&file, &other, &mut rng);
        let mut rest = &file[..];
        let Ok((header, game)) = open_certificate(&mut rest) else { continue };
        if game.check(&header, &mut rest, 1 << 26, None).is_err() {
            continue;
        }
        accepted += 1;
        let at = game.position(Some(&header.position), None).unwrap();
        let key = (header.game.clone(), header.position.clone());
        let value = *values.entry(key).or_insert_with(|| brute(&*game, &header.position).unwrap());
        for claim in header.claims {
            let payoff = if claim.question.player == at.turn() { value } else { -value };
            let holds = payoff >= claim.question.at_least;
            assert_eq!(holds, claim.holds, "{claim} for {} {}", header.game, header.position);
        }
    }
    accepted
}

/// The file with something changed: mostly what a plain bit flip would not get past the checksum.
fn mutated(file: &[u8], other: &str, rng: &mut Rng) -> Vec<u8> {
    let end = file.windows(2).position(|pair| pair == b"\n\n").unwrap() + 2;
    let mut header = String::from_utf8(file[..end].to_vec()).unwrap();
    let mut choices = Vec::new();
    ZlibDecoder::new(&file[end..]).read_to_end(&mut choices).unwrap();
    match rng.below(8) {
        0 => header = header.replacen(">=", "<", 1),
        1 => header = header.replacen(" <", " >=", 1),
        2 => {
            header = ["-1", "0", "1", "2"].iter().fold(header, |text, n| match rng.below(4) {
                0 => text.replacen(&format!(" {n}\n"), &format!(" {}\n", rng.below(4) as i16 - 1), 1),
                _ => text,
            });
        }
        3 if rng.below(2) == 0 => header = header.replace("first", "second"),
        3 => header = header.replace("second", "first"),
        4 => {
            let old = header.lines().nth(3).unwrap().to_owned();
            header = header.replacen(&old, &format!("position {other}"), 1);
        }
        5 if !choices.is_empty() => choices.truncate(rng.below(choices.len())),
        6 => choices.push(rng.below(3) as u8),
        _ => {
            for _ in 0..=rng.below(3) {
                if !choices.is_empty() {
                    let at = rng.below(choices.len());
                    choices[at] = rng.below(6) as u8;
                }
            }
        }
    }
    let mut body = Vec::new();
    ZlibEncoder::new(&choices[..], Compression::fast()).read_to_end(&mut body).unwrap();
    let mut file = [header.into_bytes(), body].concat();
    if rng.below(8) == 0 {
        let at = rng.below(file.len());
        file[at] ^= 1 << rng.below(8);
    }
    file
}

#[test]
fn mutants_prove_nothing_false() {
    assert!(mutants(400, 1) > 10, "some mutants are true and must be accepted, or the test shows nothing");
}

/// The same with many more.
#[test]
#[ignore = "a minute or two"]
fn ten_thousand_mutants_prove_nothing_false() {
    println!("{} of 10,000 mutants accepted, all of them true", mutants(10_000, 2));
}
