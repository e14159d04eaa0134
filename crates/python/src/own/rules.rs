//! Calls of the methods of a Python game, and what they may return.

use crate::errors;
use delphic_game::{Outcome, Player};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};

/// The methods of a Python game. Those that a game need not have are `None`.
pub(crate) struct Rules {
    pub(crate) name: String,
    pub(crate) players: usize,
    /// Ascending.
    pub(crate) payoffs: Vec<i16>,
    start: Py<PyAny>,
    turn: Py<PyAny>,
    moves: Py<PyAny>,
    play: Py<PyAny>,
    outcome: Py<PyAny>,
    stuck: Py<PyAny>,
    write: Py<PyAny>,
    write_move: Py<PyAny>,
    read: Py<PyAny>,
    picture: Py<PyAny>,
    key: Option<Py<PyAny>>,
    children: Option<Py<PyAny>>,
    symmetries: Option<Py<PyAny>>,
}

impl Rules {
    /// The methods of `game`; `optional` names those that its class defines among `key`, `children` and `symmetries`.
    pub(crate) fn new(game: &Bound<'_, PyAny>, name: String, optional: &[String]) -> PyResult<Rules> {
        let method = |name: &str| game.getattr(name).map(Bound::unbind);
        let optional =
            |name: &str| optional.iter().any(|defined| defined == name).then(|| method(name)).transpose();
        let players: usize = game.getattr("players")?.extract()?;
        if !(1..=Player::MAX).contains(&players) {
            let most = Player::MAX;
            return Err(errors::game(game.py(), format!("players is {players}; expected 1 to {most}")));
        }
        let mut payoffs: Vec<i16> =
            game.getattr("payoffs")?.try_iter()?.map(|payoff| payoff?.extract()).collect::<PyResult<_>>()?;
        payoffs.sort_unstable();
        payoffs.dedup();
        if payoffs.len() < 2 {
            return Err(errors::game(game.py(), "payoffs needs at least two different numbers"));
        }
        if name.is_empty() || name.contains(char::is_control) {
            return Err(errors::game(game.py(), "name must be a line of text"));
        }
        Ok(Rules {
            name,
            players,
            payoffs,
            start: method("start")?,
            turn: method("turn")?,
            moves: method("moves")?,
            play: method("play")?,
            outcome: method("outcome")?,
            stuck: method("stuck")?,
            write: method("write")?,
            write_move: method("write_move")?,
            read: method("read")?,
            picture: method("picture")?,
            key: optional("key")?,
            children: optional("children")?,
            symmetries: optional("symmetries")?,
        })
    }

    pub(super) fn start<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.start.bind(py).call0()
    }

    /// What a state is known by: equal keys are the same position.
    pub(super) fn key<'py>(&self, state: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        match &self.key {
            None => Ok(state.clone()),
            Some(key) => key.bind(state.py()).call1((state,)),
        }
    }

    pub(super) fn turn(&self, state: &Bound<'_, PyAny>) -> PyResult<Player> {
        let turn = self.turn.bind(state.py()).call1((state,))?;
        let seat = turn.extract::<usize>().ok().filter(|&seat| seat < self.players);
        seat.map(Player::new).ok_or_else(|| {
            let last = self.players - 1;
            complain(state, &format!("turn returned {}; expected 0 to {last}", shown(&turn)))
        })
    }

    pub(super) fn moves(&self, state: &Bound<'_, PyAny>) -> PyResult<Vec<Py<PyAny>>> {
        let moves = self.moves.bind(state.py()).call1((state,))?;
        let moves = moves.try_iter()?.map(|mv| mv.map(Bound::unbind)).collect::<PyResult<Vec<_>>>()?;
        match moves.len() <= usize::from(u16::MAX) {
            true => Ok(moves),
            false => {
                Err(complain(state, &format!("moves returned {} moves; the limit is 65,535", moves.len())))
            }
        }
    }

    pub(super) fn play<'py>(
        &self,
        state: &Bound<'py, PyAny>,
        mv: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let next = self.play.bind(state.py()).call1((state, mv))?;
        match next.is_none() {
            false => Ok(next),
            true => Err(complain(state, "play returned None; it must return the state after the move")),
        }
    }

    pub(super) fn has_children(&self) -> bool {
        self.children.is_some()
    }

    /// The states after all moves, in their order, if the game gives them at once.
    pub(super) fn children<'py>(
        &self,
        state: &Bound<'py, PyAny>,
        moves: usize,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let Some(children) = &self.children else { return Ok(Vec::new()) };
        let children = children.bind(state.py()).call1((state,))?;
        let children = children.try_iter()?.collect::<PyResult<Vec<_>>>()?;
        match children.len() == moves {
            true => Ok(children),
            false => {
                let what = format!("children returned {} states for {moves} moves", children.len());
                Err(complain(state, &what))
            }
        }
    }

    pub(super) fn outcome(&self, state: &Bound<'_, PyAny>) -> PyResult<Option<Outcome>> {
        let found = self.outcome.bind(state.py()).call1((state,))?;
        if found.is_none() { Ok(None) } else { self.payoffs_of(state, "outcome", &found).map(Some) }
    }

    pub(super) fn stuck(&self, state: &Bound<'_, PyAny>, turn: Player) -> PyResult<Outcome> {
        let found = self.stuck.bind(state.py()).call1((state,))?;
        match found.is_none() {
            true => Ok(Outcome::loss_among(turn, self.players)),
            false => self.payoffs_of(state, "stuck", &found),
        }
    }

    /// A result: the first player's payoff, or the payoffs of all players.
    fn payoffs_of(
        &self,
        state: &Bound<'_, PyAny>,
        method: &str,
        found: &Bound<'_, PyAny>,
    ) -> PyResult<Outcome> {
        let expected = || {
            let all = "one payoff for each player";
            let what = if self.players == 2 {
                format!("the first player's payoff, or {all}")
            } else {
                all.to_owned()
            };
            complain(state, &format!("{method} returned {}; expected None, {what}", shown(found)))
        };
        let whole = |number: f64| {
            (number.fract() == 0.0 && number.abs() <= f64::from(i16::MAX)).then_some(number as i16)
        };
        let outcome = match found.extract::<f64>() {
            Ok(number) if self.players == 2 => Outcome::score(whole(number).ok_or_else(expected)?),
            _ => {
                let list: Vec<f64> = found.extract().map_err(|_| expected())?;
                let mut payoffs = [0; Player::MAX];
                if list.len() != self.players {
                    return Err(expected());
                }
                for (payoff, number) in payoffs.iter_mut().zip(&list) {
                    *payoff = whole(*number).ok_or_else(expected)?;
                }
                Outcome::new(payoffs)
            }
        };
        for seat in 0..self.players {
            let payoff = outcome.payoff(Player::new(seat));
            if !self.payoffs.contains(&payoff) {
                let known = &self.payoffs;
                let what = format!("{method} pays {payoff}, which is not among the game's payoffs {known:?}");
                return Err(complain(state, &what));
            }
        }
        if self.players == 2 && outcome.payoff(Player::FIRST) != -outcome.payoff(Player::SECOND) {
            return Err(complain(
                state,
                &format!("{method} returned {}; the payoffs of two players must add up to 0", shown(found)),
            ));
        }
        Ok(outcome)
    }

    pub(super) fn write(&self, state: &Bound<'_, PyAny>) -> PyResult<String> {
        let text: String = self.write.bind(state.py()).call1((state,))?.extract()?;
        match text.is_empty() || text.contains('\n') {
            false => Ok(text),
            true => Err(complain(state, "write must return one line of text")),
        }
    }

    pub(super) fn write_moves(&self, state: &Bound<'_, PyAny>, moves: &[Py<PyAny>]) -> PyResult<Vec<String>> {
        let (py, method) = (state.py(), self.write_move.bind(state.py()));
        let texts = moves
            .iter()
            .map(|mv| method.call1((state, mv.bind(py)))?.extract())
            .collect::<PyResult<Vec<String>>>()?;
        for (place, text) in texts.iter().enumerate() {
            if text.is_empty() || text.contains(|c: char| c.is_whitespace() || c == ',') {
                let what =
                    format!("write_move returned {text:?}; the text of a move has no blank and no comma");
                return Err(complain(state, &what));
            }
            if texts[..place].contains(text) {
                return Err(complain(state, &format!("two moves have the text {text:?}")));
            }
        }
        Ok(texts)
    }

    /// The state that a text describes.
    pub(super) fn read<'py>(&self, py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
        self.read.bind(py).call1((text,))
    }

    /// Lines of characters, one for each cell; `None` if the game draws nothing.
    pub(super) fn picture(&self, state: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
        self.picture.bind(state.py()).call1((state,))?.extract()
    }

    /// The states that are the same up to symmetry, if the game knows any.
    pub(super) fn symmetries<'py>(&self, state: &Bound<'py, PyAny>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        match &self.symmetries {
            None => Ok(Vec::new()),
            Some(images) => images.bind(state.py()).call1((state,))?.try_iter()?.collect(),
        }
    }

    pub(super) fn has_symmetries(&self) -> bool {
        self.symmetries.is_some()
    }

    /// About how many bytes a stored state takes.
    pub(super) fn bytes(&self, state: &Bound<'_, PyAny>) -> usize {
        /// The number, its place in the dictionary, the lists of moves and children.
        const OVERHEAD: usize = 400;
        let py = state.py();
        let size = |of: &Bound<'_, PyAny>| -> PyResult<usize> {
            py.import("sys")?.getattr("getsizeof")?.call1((of,))?.extract()
        };
        // The parts of a tuple are its own as a rule: a board and whose turn it is.
        let parts = state
            .cast::<PyTuple>()
            .map_or(0, |tuple| tuple.iter().map(|part| size(&part).unwrap_or(0)).sum());
        OVERHEAD + size(state).unwrap_or(0) + parts
    }
}

/// An error in the rules, with the state in which it shows.
pub(super) fn complain(state: &Bound<'_, PyAny>, what: &str) -> PyErr {
    errors::game(state.py(), format!("{what} (in state {})", shown(state)))
}

/// An object for a message.
fn shown(object: &Bound<'_, PyAny>) -> String {
    const MOST: usize = 200;
    let text = object.repr().unwrap_or_else(|_| PyString::new(object.py(), "?")).to_string();
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// An error of a state that cannot be looked up.
pub(super) fn unhashable(state: &Bound<'_, PyAny>, error: PyErr) -> PyErr {
    if !error.is_instance_of::<PyTypeError>(state.py()) {
        return error;
    }
    let complaint =
        complain(state, &format!("states must be hashable, or the game needs a method key ({error})"));
    complaint.set_cause(state.py(), Some(error));
    complaint
}
