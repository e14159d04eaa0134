//! Pictures of every game: well-formed SVG with as many pieces as the position's text tells, and coloured text.

use delphic_engine::{AnyGame, AnyPosition, GAMES, game};
use roxmltree::Document;

/// Positions on the way through a few games, with moves picked by a fixed rule.
fn positions(game: &dyn AnyGame) -> Vec<Box<dyn AnyPosition>> {
    let mut found = Vec::new();
    for step in [1, 7, 13] {
        let mut played = Vec::new();
        for ply in 0..14 {
            let position = game.position(None, Some(&played.join(" "))).unwrap();
            let moves = position.moves();
            found.push(position);
            if moves.is_empty() {
                break;
            }
            played.push(moves[(ply * step + step) % moves.len()].clone());
        }
    }
    found
}

/// How many pieces lie on the board, from the notation and not from the picture.
fn pieces(name: &str, text: &str) -> usize {
    let board = text.split(' ').next().unwrap();
    let numbers = |text: &str| {
        let digits = text.split(|c: char| !c.is_ascii_digit()).filter(|word| !word.is_empty());
        digits.map(|word| word.parse::<usize>().unwrap()).collect::<Vec<_>>()
    };
    match name {
        "awari" => numbers(board).iter().sum::<usize>() + numbers(text)[12..14].iter().sum::<usize>(),
        "nim" | "octal" => numbers(board).iter().sum(),
        "pgame" => numbers(board).len(),
        // Every move lays a domino, which is one piece.
        "domineering" | "tiles" => board.chars().filter(|&c| c == '#').count() / 2,
        _ => board.split('@').next().unwrap().chars().filter(|c| !['.', '/'].contains(c)).count(),
    }
}

#[test]
fn every_game_is_drawn_with_all_its_pieces() {
    for (name, _) in GAMES {
        let game = game(name).unwrap();
        let (mut most, mut changed) = (0, 0);
        for position in positions(&*game) {
            let (text, picture) = (position.write(), position.picture());
            let svg = picture.svg(&format!("{name} <{text}>"));
            let document = Document::parse(&svg).unwrap_or_else(|error| panic!("{error}: {svg}"));
            let drawn = document.descendants().filter(|node| node.attribute("class") == Some("piece"));
            assert_eq!(drawn.count(), pieces(name, &text), "{name} {text}\n{picture}");
            let title = document.descendants().find(|node| node.has_tag_name("title")).unwrap();
            assert_eq!(title.text(), Some(format!("{name} <{text}>").as_str()));
            most = most.max(picture.pieces());
            changed += picture.spots.iter().filter(|spot| spot.changed).count();
            let coloured = picture.text(true);
            assert_eq!(coloured.lines().count(), picture.text(false).lines().count(), "{name}");
            assert!(coloured.contains("\u{1b}[") && !picture.text(false).contains('\u{1b}'), "{name}");
        }
        assert!(most > 0, "{name}: never a piece");
        // Where tokens vanish or lines grow, no place has something else on it than before.
        assert!(changed > 0 || ["nim", "octal", "pgame"].contains(name), "{name}: nothing ever changes");
    }
}

/// No two things lie on one place, or one would hide the other.
#[test]
fn every_place_is_used_once() {
    for (name, _) in GAMES {
        for position in positions(&*game(name).unwrap()) {
            let mut places: Vec<(i32, i32)> =
                position.picture().spots.iter().map(|spot| (spot.x, spot.y)).collect();
            let all = places.len();
            places.sort_unstable();
            places.dedup();
            assert_eq!(places.len(), all, "{name} {}", position.write());
        }
    }
}

#[test]
fn dominoes_are_whole_and_belong_to_the_player_who_laid_them() {
    let rules = game("domineering:4x4").unwrap();
    let position = rules.position(None, Some("b1+b2 c3+d3 a3+a4")).unwrap();
    let picture = position.picture();
    let owners: Vec<usize> = picture.tiles.iter().map(|tile| tile.owner.index()).collect();
    assert_eq!((owners, picture.pieces()), (vec![0, 1, 0], 3), "the last one first");
    assert!(picture.tiles.iter().all(|tile| tile.spots.len() == 2));
    assert!(picture.tiles[0].spots.iter().all(|&spot| picture.spots[spot].changed), "the last one is marked");
    // A position alone does not tell which cells belong together.
    let bare = rules.position(Some(&position.write()), None).unwrap().picture();
    assert_eq!((bare.tiles.len(), bare.pieces()), (0, 6));
    // Arrows of amazons are no tiles: the same move moves a queen.
    let amazons = game("amazons:4").unwrap();
    let first = amazons.position(None, None).unwrap().moves()[0].clone();
    assert!(amazons.position(None, Some(&first)).unwrap().picture().tiles.is_empty());
}

#[test]
fn what_has_won_is_marked_and_nothing_else() {
    for (spec, moves, length) in [
        ("tictactoe", "a1 a2 b1 b2 c1", 3),
        ("connect4:5x4", "1 2 1 2 1 2 1", 4),
        ("hex:3", "a1 a2 b1 b2 c1", 3),
        ("lines:4x5,length=3", "a1 a2 b1 b2 c1", 3),
        ("mnk3:3,3,3", "a1 a2 a3 b1 b2 b3 c1", 3),
    ] {
        let rules = game(spec).unwrap();
        let position = rules.position(None, Some(moves)).unwrap();
        let picture = position.picture();
        let winning = picture.spots.iter().filter(|spot| spot.winning).count();
        assert!(position.is_over(), "{spec}");
        assert_eq!(winning, length, "{spec} {moves}\n{picture}");
        let placed = picture.spots.iter().filter(|spot| spot.placed).count();
        assert_eq!(placed, 1, "{spec}: one stone was placed last");
    }
}

/// A game won by a shape shows the shape; a game in progress shows none.
#[test]
fn every_connection_game_shows_its_chain() {
    for spec in ["hex:4", "y:4", "havannah:3", "pentalath:4", "pentago"] {
        let rules = game(spec).unwrap();
        let mut position = rules.position(None, None).unwrap();
        for ply in 0..200 {
            if position.is_over() {
                break;
            }
            assert!(!position.picture().spots.iter().any(|spot| spot.winning), "{spec} {}", position.write());
            position = position.after(ply * 7 % position.moves().len());
        }
        let payoffs = position.payoffs().unwrap_or_default();
        let marked = position.picture().spots.iter().filter(|spot| spot.winning).count();
        assert_eq!(marked > 0, payoffs.iter().any(|&payoff| payoff > 0), "{spec} {}", position.write());
    }
}
