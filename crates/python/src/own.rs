//! Games whose rules are written in Python.
//!
//! A state of such a game can be any hashable object. Searches need small states that threads can share, so every state gets a number when
//! it is first reached, and the results of the rules are cached (`table`). `rules` calls Python, `order` detects cycles, and `game`
//! implements [`delphic_game::Game`].

mod game;
mod order;
mod rules;
mod table;

pub(crate) use game::PyGame;
pub(crate) use rules::Rules;
pub(crate) use table::{StateId, Table};
