//! Shared code of the games: boards, symmetries, pieces that slide and leap, texts.

pub(crate) mod bits256;
pub(crate) mod chess_base;
pub(crate) mod colours;
pub(crate) mod connection;
pub(crate) mod flanks;
pub(crate) mod hex_board;
pub(crate) mod history;
pub(crate) mod links;
pub(crate) mod move_sets;
pub(crate) mod pieces;
pub(crate) mod race;
pub(crate) mod rays;
pub(crate) mod reduction;
pub(crate) mod sowing;
pub(crate) mod symmetry;
