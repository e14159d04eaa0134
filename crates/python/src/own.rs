//! Games whose rules are written in Python.
//!
//! A state of such a game can be any hashable object. Searches want small states that threads can share, so every state gets a number
//! when it is first met, and what the rules say about it is asked once and kept (`table`). `rules` calls Python, `order` sees to it that
//! no position can be repeated, and `game` makes a [`delphic_game::Game`] of all this.

mod game;
mod order;
mod rules;
mod table;

pub(crate) use game::PyGame;
pub(crate) use rules::Rules;
pub(crate) use table::{StateId, Table};
