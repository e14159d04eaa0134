//! Described games, tables and judgements as a user meets them.

use crate::common::{arg, assert_contains, delphic, feed, folder, json, python, stdout, text};
use std::path::PathBuf;

fn family(name: &str) -> String {
    let path = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/families"))
        .join(format!("{name}.toml"));
    arg(&path).to_owned()
}

#[test]
fn rules_are_told_as_they_were_understood() {
    let told = delphic(&["games", &family("dodgem")]);
    assert_eq!(told.status.code(), Some(0));
    assert_contains(
        &stdout(&told),
        &[
            "Dodgem on 3 by 3",
            "The board is a grid of 3 rows and 3 columns: 9 cells",
            "car, written X, belongs to the first player.",
            "A player may move car one step to the n, s, e to an empty cell.",
            "A player may take car off the board, from the zone 'right'.",
            "When the player to move has no move, the player to move wins.",
            "endless play is a draw",
            "Try delphic show",
        ],
    );
    let object = json(&delphic(&["games", &family("dodgem"), "--json"]));
    assert!(object["described"].as_array().is_some_and(|rules| rules.len() > 8), "{object}");
}

#[test]
fn a_table_is_written_once_and_answers_from_then_on() {
    let directory = folder("strong-table");
    let (path, game) = (directory.join("dodgem.table"), family("dodgem"));
    let figure = directory.join("dodgem.svg");
    let make = ["solve", &game, "--table", arg(&path), "--figure", arg(&figure), "--quiet"];
    let made = delphic(&make);
    assert_eq!(made.status.code(), Some(10), "{}", text(&made));
    let drawn = std::fs::read_to_string(&figure).unwrap();
    assert!(
        drawn.starts_with("<svg") && drawn.contains(">1 ply<") && drawn.contains(">21 plies<"),
        "{drawn}"
    );
    assert!(text(&delphic(&make)).contains("already exists"));
    assert_contains(
        &stdout(&made),
        &["WIN", "table", "1,963 positions", "won", "drawn", "lost", "longest", "first move"],
    );
    let answered = delphic(&["solve", &game, "--table", arg(&path), "--json"]);
    let object = json(&answered);
    assert_eq!((object["value"].as_str(), object["searched_by"].as_str()), (Some("win"), Some("table")));
    assert_eq!(object["plies_at_most"].as_u64(), Some(object["line"].as_array().unwrap().len() as u64));
    let analysed = delphic(&["analyze", &game, "--table", arg(&path), "--json"]);
    let searched = delphic(&["analyze", &game, "--json"]);
    assert_eq!(json(&analysed)["moves"], json(&searched)["moves"]);
    assert!(json(&analysed)["complete"].as_bool().unwrap());

    let agent = format!("table:{}", arg(&path));
    let played = feed(&["play", &game, "--agent", &agent, "--as", "second"], "moves\nquit\n");
    assert_eq!(played.status.code(), Some(0), "{}", text(&played));
    let wrong = delphic(&["solve", "tictactoe", "--table", arg(&path)]);
    assert!(wrong.status.code() == Some(1) && text(&wrong).contains("is a table of"), "{}", text(&wrong));
    std::fs::write(&path, b"something else").unwrap();
    let foreign = delphic(&["solve", &game, "--table", arg(&path)]);
    assert!(text(&foreign).contains("is not a Delphic table"), "{}", text(&foreign));
    let new =
        json(&delphic(&["solve", "tictactoe", "--table", arg(&directory.join("t")), "--json", "--quiet"]));
    assert_eq!((new["summary"]["positions"].as_u64(), new["value"].as_str()), (Some(765), Some("draw")));
}

#[test]
fn a_game_is_judged_on_one_page() {
    let directory = folder("strong-judge");
    let judged = delphic(&["judge", &family("squeeze"), "--games", "2", "--random", "200"]);
    assert_eq!(judged.status.code(), Some(0), "{}", text(&judged));
    assert_contains(
        &stdout(&judged),
        &[
            "Value",
            "is a draw",
            "Fairness",
            "Random players, 200 games",
            "Strong players, 2 games",
            "Length and choice",
            "Rules",
            "Without it",
        ],
    );
    let object = json(&delphic(&["judge", &family("notakto"), "--games", "2", "--random", "200", "--json"]));
    assert_eq!(object["value"].as_str(), Some("win"));
    let results = &object["random"];
    let count = |name: &str| results[name].as_u64().unwrap();
    assert!(count("won") + count("drawn") + count("lost") == 200 && count("drawn") == 0, "{object}");
    let page = directory.join("page.html");
    let written = delphic(&["judge", "tictactoe", "--games", "2", "--random", "100", "--html", arg(&page)]);
    assert_eq!(written.status.code(), Some(0), "{}", text(&written));
    let html = std::fs::read_to_string(&page).unwrap();
    assert!(html.contains("<h1>tictactoe</h1>") && html.contains("is a draw"), "{html}");
}

/// Both checkers, ours and the one in Python, accept the same certificates of a game with cycles and refuse the same.
#[test]
fn a_second_checker_agrees_on_a_game_with_cycles() {
    let directory = folder("strong-second");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/check_dodgem.py");
    if python().is_none() {
        return;
    }
    let (mut valid, mut invalid) = (0, 0);
    // Wins and losses have ranks; that a player gets at least a draw is shown by a closed set.
    let positions = ["", "a3-b3", "a2-b2 c1-c2", "a2-a1 b1-b2", "a3-b3 b1-a1 b3-c3 c1-c2"];
    let cases = positions.iter().flat_map(|moves| ["value", "draw"].map(|question| (moves, question)));
    for (number, (moves, question)) in cases.enumerate() {
        let path = directory.join(format!("{number}.proof"));
        let game = family("dodgem");
        let asked =
            ["solve", &game, "--moves", moves, "--question", question, "--proof", arg(&path), "--quiet"];
        let solved = delphic(&asked);
        assert!(matches!(solved.status.code(), Some(10 | 20 | 30)), "{}", text(&solved));
        let whole = std::fs::read(&path).unwrap();
        let end = whole.windows(2).position(|pair| pair == b"\n\n").unwrap() + 2;
        let changed = |from: &str, to: &str| {
            [String::from_utf8_lossy(&whole[..end]).replace(from, to).as_bytes(), &whole[end..]].concat()
        };
        let variants = [
            whole.clone(),
            whole[..whole.len() - 3].to_vec(),
            changed(" >= ", " < "),
            changed(" < 1", " < 0"),
            changed(">= 0", ">= 1"),
            changed("claim first", "claim second"),
            changed("rules ", "rules 0"),
        ];
        for (variant, bytes) in variants.iter().enumerate() {
            let path = directory.join(format!("{number}-{variant}.proof"));
            std::fs::write(&path, bytes).unwrap();
            let ours = delphic(&["check", arg(&path)]);
            let theirs = python().unwrap().arg(script).arg(&path).output().unwrap();
            let both = format!("{number}-{variant}: {} / {}", text(&ours), text(&theirs));
            assert_eq!(ours.status.code(), theirs.status.code(), "{both}");
            if ours.status.success() { valid += 1 } else { invalid += 1 }
        }
    }
    println!("{valid} valid, {invalid} not");
    assert!(valid >= 10 && invalid >= 30, "{valid} valid, {invalid} not");
}
