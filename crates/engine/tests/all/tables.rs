//! Tables: what a file of a strong solution says is what the search says, and damage is noticed.

use delphic_engine::{Agent, Budget, Limits, Player, Request, Summary, TableFile, game, write_table};
use std::path::{Path, PathBuf};

fn family(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join(format!("../../data/families/{name}.toml"))
        .to_str()
        .unwrap()
        .to_owned()
}

fn place(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("delphic-tables-{}-{name}", std::process::id()))
}

fn request(solver: &str) -> Request<'static> {
    Request { solver: solver.parse().unwrap(), ..Request::default() }
}

/// Solves a game strongly and writes its table.
fn write(spec: &str, path: &Path) -> Summary {
    let position = game(spec).unwrap().position(None, None).unwrap();
    let strong = position.strong(Limits::default(), &mut ()).map_err(|(stop, _)| stop).unwrap();
    let mut bytes = Vec::new();
    let size = write_table(&*position, &strong, u64::MAX, &mut bytes).unwrap();
    assert_eq!(size, bytes.len() as u64);
    std::fs::write(path, bytes).unwrap();
    println!(
        "{spec}: {} positions, {:.2} bytes each",
        strong.positions(),
        size as f64 / strong.positions() as f64
    );
    Summary::of(&*position, &strong)
}

#[test]
fn tables_answer_as_searches_do() {
    for (spec, solver) in [
        (family("dodgem"), "retro"),
        (family("three-mens-morris"), "retro"),
        ("ataxx:3x3,plies=off".to_owned(), "retro"),
        ("tictactoe".to_owned(), "brute"),
        ("nim:3,4,5".to_owned(), "brute"),
    ] {
        let path = place("answers");
        let summary = write(&spec, &path);
        let table = TableFile::open(&path).unwrap();
        assert_eq!(table.positions(), summary.positions);
        let game = game(&spec).unwrap();
        let start = game.position(None, None).unwrap();
        for seed in 0..30 {
            let text = start.random(None, seed);
            let position = game.position(Some(&text), None).unwrap();
            let answer = table.answer(&*position, &request(solver)).unwrap().unwrap();
            let searched = position.solve(&request(solver), &mut ());
            assert_eq!(answer.value(), searched.value(), "{spec} {text}");
            let analysis = table.analyze(&*position, &request(solver)).unwrap().unwrap();
            let expected = position.analyze(&request(solver), 1_000_000, &mut ());
            let known = |moves: &[delphic_engine::MoveValue]| -> Vec<_> {
                moves.iter().map(|mv| (mv.mv.clone(), mv.bounds, mv.distance)).collect()
            };
            assert_eq!(known(&analysis.moves), known(&expected.moves), "{spec} {text}");
        }
        let counted: u64 = summary.by_value.iter().map(|(.., count)| count).sum();
        assert_eq!(counted + summary.ends, summary.positions);
        assert_eq!(summary.first_moves.len(), start.moves().len());
        assert_eq!(Some(summary.start.unwrap().0), start.solve(&request(solver), &mut ()).value());
        std::fs::remove_file(&path).unwrap();
    }
}

/// An agent with a table wins what is won within the distance, whatever the other does, and never loses what is drawn.
#[test]
fn tables_play_perfectly() {
    let (spec, path) = (family("dodgem"), place("plays"));
    write(&spec, &path);
    let agent: Agent = format!("table:{}", path.display()).parse().unwrap();
    let start = game(&spec).unwrap().position(None, None).unwrap();
    agent.check(&*start).unwrap();
    let plies = TableFile::open(&path).unwrap().worth(&*start).unwrap().unwrap().plies.unwrap();
    for seed in 0..20 {
        let mut position = start.again();
        let mut players = [
            position.player(&agent, Player::FIRST, seed),
            position.player(&Agent::Random, Player::SECOND, seed),
        ];
        let mut played = 0;
        while !position.is_over() {
            let choice = players[position.turn().index()].think(&Budget::default(), &mut ()).choice;
            players.iter_mut().for_each(|player| player.advance(choice));
            position = position.after(choice);
            played += 1;
        }
        assert!(played <= plies, "{played} plies instead of {plies}");
        assert_eq!(position.payoffs().unwrap()[0], 1);
    }
    let other = game("tictactoe").unwrap().position(None, None).unwrap();
    assert!(agent.check(&*other).unwrap_err().to_string().contains("is a table of"));
    std::fs::remove_file(&path).unwrap();
}

/// Every changed byte is noticed where it is read, or changes nothing that is.
#[test]
fn damaged_tables_are_refused() {
    let (spec, path) = (family("dodgem"), place("damaged"));
    write(&spec, &path);
    let whole = std::fs::read(&path).unwrap();
    let game = game(&spec).unwrap();
    let start = game.position(None, None).unwrap();
    let texts: Vec<String> = (0..40).map(|seed| start.random(None, seed)).collect();
    let values = |table: &TableFile| -> Result<Vec<_>, delphic_engine::TableError> {
        texts.iter().map(|text| table.worth(&*game.position(Some(text), None).unwrap())).collect()
    };
    let truth = values(&TableFile::open(&path).unwrap()).unwrap();
    let (mut refused, step) = (0, (whole.len() / 400).max(1));
    for at in (0..whole.len()).step_by(step) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x10;
        std::fs::write(&path, &bytes).unwrap();
        match TableFile::open(&path).and_then(|table| values(&table)) {
            Err(_) => refused += 1,
            Ok(found) => assert_eq!(found, truth, "byte {at}"),
        }
    }
    for cut in [0, 10, whole.len() / 2, whole.len() - 1] {
        std::fs::write(&path, &whole[..cut]).unwrap();
        assert!(TableFile::open(&path).is_err(), "cut at {cut}");
    }
    println!("{refused} of {} refused", whole.len().div_ceil(step));
    assert!(refused * 10 > 9 * whole.len().div_ceil(step), "{refused}");
    std::fs::remove_file(&path).unwrap();
}
