use super::*;
use delphic_game::conformance;
use std::collections::HashMap;

/// A small board in words of 128 bits.
fn wide(rows: usize, cols: usize) -> Domineering {
    Domineering::wide(Grid { rows, cols })
}

#[test]
fn all_shapes_conform() {
    for (rows, cols) in [(1, 1), (1, 64), (64, 1), (2, 3), (8, 8), (5, 6)] {
        conformance::check(&Domineering::new(rows, cols));
        conformance::check(&wide(rows, cols));
    }
    for (rows, cols) in [(9, 9), (1, 127), (127, 1), (8, 9), (13, 5), (2, 63), (15, 8)] {
        conformance::check(&Domineering::new(rows, cols));
    }
}

/// Boards of up to 64 cells take memory as before.
#[test]
fn states_take_two_words() {
    assert_eq!(size_of::<State>(), 16);
}

#[test]
fn dominoes_do_not_wrap() {
    for game in [Domineering::new(2, 2), wide(2, 2)] {
        let mut state = game.start();
        game.play(&mut state, 0);
        assert_eq!(game.write(&state), "#./#. h");
        assert_eq!(game.count_moves(&state, &mut Vec::new()), 0);
    }
}

#[test]
fn malformed_positions_are_refused() {
    let game = Domineering::new(2, 2);
    for bad in ["", "../..", "../.. x", "../.X v", "... v", "..../.... v", "../../.. h"] {
        assert!(game.read(bad).is_err(), "{bad}");
    }
}

/// The cells around the border of the words, the last cell, and both players.
#[test]
fn positions_of_nine_rows_are_read_and_written() {
    let game = Domineering::new(9, 9);
    let rest = "........./........./........./........./........./.........";
    for text in [
        format!("#......../{rest}/.......##/........# v"),
        format!("........#/{rest}/##......./........# h"),
        format!("########./{rest}/.#.#.#.#./#.#.#.#.# h"),
    ] {
        let state = game.read(&text).expect("a position");
        assert_eq!(game.write(&state), text);
    }
    let (mut state, mut moves) = (game.start(), Vec::new());
    for name in ["b2+b3", "h1+i1", "i8+i9", "a3+b3"] {
        moves.clear();
        game.moves(&state, &mut moves);
        let place = moves.iter().find(|&&place| game.write_move(&state, place) == name);
        match place {
            Some(&place) => game.play(&mut state, place),
            None => assert_eq!(name, "a3+b3"),
        }
    }
    assert_eq!(
        game.write(&state),
        "........#/........#/........./........./........./........./.#......./.#......./.......## h"
    );
}

/// A random position: cells covered with this chance in eighths.
fn random(grid: Grid, eighths: usize, rng: &mut Rng) -> State {
    let cells = (0..grid.cells()).filter(|_| rng.below(8) < eighths);
    let covered = cells.fold(0, |set: u128, cell| set | 1 << cell);
    State::new(covered, if rng.below(2) == 0 { Player::FIRST } else { Player::SECOND })
}

/// Words of 128 bits give the same moves, canonical forms and hints as those of 64.
#[test]
fn both_words_agree() {
    let rng = &mut Rng::new(1);
    for (rows, cols) in [(4, 4), (3, 7), (8, 8), (7, 9), (9, 7), (6, 10), (12, 5), (1, 64), (64, 1), (2, 32)]
    {
        let (small, large) = (Domineering::new(rows, cols), wide(rows, cols));
        for nth in 0..200 {
            let state = random(small.grid, nth % 7, rng);
            let [a, b] = [&small, &large].map(|game| {
                let (mut moves, mut siblings, mut least) = (Vec::new(), Vec::new(), state);
                game.moves(&state, &mut moves);
                let together = game.appraises_siblings();
                if together {
                    game.appraise_children(&state, &moves, &mut siblings);
                }
                game.canonicalize(&mut least);
                let drawn = game.random_move(&state, &mut Rng::new(nth as u64), &mut Vec::new());
                let after = moves.iter().map(|&place| {
                    let mut after = state;
                    game.play(&mut after, place);
                    (after, game.key(&after))
                });
                let after: Vec<_> = after.collect();
                let hints = [Player::FIRST, Player::SECOND]
                    .map(|player| (game.evaluate(&state, player), game.appraise(&state, player)));
                assert_eq!(moves.len(), game.count_moves(&state, &mut Vec::new()));
                format!("{moves:?} {together} {siblings:?} {least:?} {drawn:?} {after:?} {hints:?}")
            });
            assert_eq!(a, b, "{}", small.write(&state));
        }
    }
}

/// Whether the player to move wins, by search with the rules alone.
fn mover_wins(game: &Domineering, state: &State, known: &mut HashMap<State, bool>) -> bool {
    if let Some(&wins) = known.get(state) {
        return wins;
    }
    let mut moves = Vec::new();
    game.moves(state, &mut moves);
    let wins = moves.iter().any(|&place| {
        let mut after = *state;
        game.play(&mut after, place);
        !mover_wins(game, &after, known)
    });
    known.insert(*state, wins);
    wins
}

/// Checks the static outcomes of a position and of its children against search; counts them.
fn check_hints(game: &Domineering, state: &State, known: &mut HashMap<State, bool>) -> usize {
    let winner = |state: &State, known: &mut _| {
        if mover_wins(game, state, known) { state.turn() } else { state.turn().other() }
    };
    let (mut moves, mut list, mut exact) = (Vec::new(), Vec::new(), 0);
    if let Some(outcome) = game.static_outcome(state) {
        assert_eq!(outcome, Outcome::win(winner(state, known)), "{}", game.write(state));
        exact += 1;
    }
    game.moves(state, &mut moves);
    if game.appraises_siblings() {
        game.appraise_children(state, &moves, &mut list);
    }
    for (nth, appraisal) in list {
        let mut after = *state;
        game.play(&mut after, moves[nth]);
        if let Appraisal::Exact(outcome) = appraisal {
            assert_eq!(outcome, Outcome::win(winner(&after, known)), "{}", game.write(&after));
            exact += 1;
        }
    }
    exact
}

/// Static outcomes in words of 128 bits, on small boards.
#[test]
fn wide_bounds_agree_with_search() {
    let rng = &mut Rng::new(2);
    for (rows, cols) in [(4, 4), (5, 4), (3, 7), (7, 3), (2, 10), (10, 2)] {
        let (game, mut known, mut exact) = (wide(rows, cols), HashMap::new(), 0);
        for nth in 0..300 {
            exact += check_hints(&game, &random(game.grid, nth % 6, rng), &mut known);
        }
        assert!(exact > 100, "{rows}x{cols}: {exact}");
    }
}

/// The same on large boards with few free cells: 22 at most, in the last rows and at random.
#[test]
fn bounds_on_large_boards_agree_with_search() {
    let rng = &mut Rng::new(3);
    for (rows, cols) in [(9, 9), (8, 9), (7, 10), (11, 10), (14, 9), (5, 25)] {
        let (game, mut exact) = (Domineering::new(rows, cols), 0);
        let cells = rows * cols;
        for nth in 0..60 {
            // A rectangle in any place, and single cells around it.
            let (height, width) = (3 + nth % 2, 4 + nth % 3 - nth % 2);
            let (top, left) = (rng.below(rows - height + 1), rng.below(cols - width + 1));
            let mut free = 0u128;
            for row in top..top + height {
                for col in left..left + width {
                    free |= u128::from(rng.below(8) > 0) << game.grid.cell(row, col);
                }
            }
            while free.count() < 18 {
                free |= 1 << rng.below(cells);
            }
            let turn = if rng.below(2) == 0 { Player::FIRST } else { Player::SECOND };
            let state = State::new((u128::MAX >> (128 - cells)) & !free, turn);
            exact += check_hints(&game, &state, &mut HashMap::new());
        }
        assert!(exact > 30, "{rows}x{cols}: {exact}");
    }
}
