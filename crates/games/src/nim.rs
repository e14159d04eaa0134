//! Nim: take any number of tokens from one heap; a player who cannot take loses.
//!
//! Rules and theory: C. L. Bouton, Annals of Mathematics 3 (1901): the mover loses exactly when the binary sum without
//! carry of the heaps is 0. Tests use the theorem, the game does not.

use crate::{Facts, Family, Info};
use arrayvec::ArrayVec;
use delphic_game::{
    Game, Hints, Notation, NotationError, Player, Progressive, Spec, SpecError,
    grid::column_name,
    picture::{Mark, Picture, Tiling},
};

const HEAPS: usize = 16;
/// Every token is a move.
const TOKENS: usize = 10_000;

/// The heaps of the start position.
#[derive(Clone, Debug)]
pub struct Nim {
    heaps: ArrayVec<u16, HEAPS>,
}

/// The heaps, empty ones included, and the player to move.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State {
    heaps: ArrayVec<u16, HEAPS>,
    turn: Player,
}

/// Tokens taken from a heap.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Take {
    heap: u8,
    tokens: u16,
}

impl Game for Nim {
    type State = State;
    type Move = Take;

    fn start(&self) -> State {
        State { heaps: self.heaps.clone(), turn: Player::FIRST }
    }

    fn turn(&self, state: &State) -> Player {
        state.turn
    }

    fn moves(&self, state: &State, list: &mut Vec<Take>) {
        for (heap, &size) in state.heaps.iter().enumerate() {
            list.extend((1..=size).map(|tokens| Take { heap: heap as u8, tokens }));
        }
    }

    fn play(&self, state: &mut State, take: Take) {
        state.heaps[take.heap as usize] -= take.tokens;
        state.turn = state.turn.other();
    }

    fn payoffs(&self) -> Vec<i16> {
        vec![-1, 1]
    }

    fn canonicalize(&self, state: &mut State) {
        state.heaps.sort_unstable();
    }

    fn count_moves(&self, state: &State, _: &mut Vec<Take>) -> usize {
        state.heaps.iter().map(|&size| size as usize).sum()
    }
}

impl Progressive for Nim {}
impl Hints for Nim {}

/// `3,4,5` as heaps.
fn read_heaps<'a>(sizes: impl Iterator<Item = &'a str>) -> Result<ArrayVec<u16, HEAPS>, String> {
    let mut heaps = ArrayVec::new();
    for text in sizes {
        let size: u16 =
            text.trim().parse().map_err(|_| format!("'{text}' is not a heap from 0 to {TOKENS}"))?;
        heaps.try_push(size).map_err(|_| format!("more than {HEAPS} heaps"))?;
    }
    match heaps.iter().map(|&size| usize::from(size)).sum() {
        _ if heaps.is_empty() => Err("no heaps".to_owned()),
        0..=TOKENS => Ok(heaps),
        tokens => Err(format!("{tokens} tokens are too many; at most {TOKENS} in all")),
    }
}

fn write_heaps(heaps: &[u16]) -> String {
    heaps.iter().map(u16::to_string).collect::<Vec<_>>().join(",")
}

/// The heaps and the player to move.
pub(crate) fn split(text: &str) -> Result<(&str, Player), NotationError> {
    match text.trim().rsplit_once(' ') {
        Some((heaps, "first")) => Ok((heaps, Player::FIRST)),
        Some((heaps, "second")) => Ok((heaps, Player::SECOND)),
        _ => Err(NotationError::position("expected the heaps, a blank, and first or second")),
    }
}

impl Notation for Nim {
    const HOW: &'static str = "A move is a heap (a…) and how many tokens are taken: b3. A position is the heaps and the \
        player to move, first or second: 3,0,5 second";

    fn write_move(&self, _: &State, take: Take) -> String {
        format!("{}{}", column_name(take.heap as usize), take.tokens)
    }

    fn write(&self, state: &State) -> String {
        format!("{} {}", write_heaps(&state.heaps), state.turn)
    }

    fn read(&self, text: &str) -> Result<State, NotationError> {
        let (heaps, turn) = split(text)?;
        let heaps = read_heaps(heaps.split(',')).map_err(NotationError::Position)?;
        Ok(State { heaps, turn })
    }

    fn picture(&self, state: &State) -> Picture {
        let mut picture = Picture::new(Tiling::Bare);
        for (y, (heap, &size)) in (0..).step_by(2).zip(state.heaps.iter().enumerate()) {
            picture.label(-4, y, column_name(heap));
            picture.label(-2, y, size);
            (0..size).for_each(|token| _ = picture.put(2 * token as i32, y, Mark::Token));
        }
        picture.note(format!("{} player to take", state.turn))
    }
}

impl Family for Nim {
    const INFO: Info = Info {
        usage: "nim:HEAP,HEAP,…",
        about: "take any number from one heap; a player who cannot move loses",
        rules: "C. L. Bouton, Annals of Mathematics 3 (1901)",
    };

    const FACTS: Facts =
        Facts { parameters: &[("3,4,5", "the heaps")], symmetries: "heaps in any order", ..Facts::PLAIN };

    const OWN_SEARCHES: bool = false;

    fn build(spec: &mut Spec) -> Result<Nim, SpecError> {
        let mut sizes = spec.numbers();
        if sizes.is_empty() {
            sizes = ["3", "4", "5"].map(String::from).into();
        }
        let heaps = read_heaps(sizes.iter().map(String::as_str)).map_err(|reason| spec.impossible(reason))?;
        Ok(Nim { heaps })
    }

    fn spec(&self) -> String {
        format!("nim:{}", write_heaps(&self.heaps))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use delphic_game::conformance;

    #[test]
    fn heaps_conform() {
        for spec in ["nim:1", "nim:0,0", "nim:1,2,3,4,5,6", "nim:1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1"] {
            conformance::check(&Nim::build(&mut Spec::parse(spec)).unwrap());
        }
        for bad in ["nim:70000", "nim:9000,9000", "nim:-3", "nim:1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1"] {
            assert!(Nim::build(&mut Spec::parse(bad)).is_err(), "{bad}");
        }
    }
}
