//! The games. One file each, and the one table that lists them.

mod amazons;
mod ataxx;
mod awari;
mod brackets;
mod breakthrough;
mod chess;
mod clobber;
mod connect4;
mod diagonals;
mod domineering;
mod fans;
mod file;
pub mod go;
mod havannah;
mod hex;
mod hexes;
mod history;
mod in_a_row;
mod knightthrough;
mod lines;
mod loa;
mod los_alamos;
mod minishogi;
mod mnk;
mod mnk3;
mod nim;
mod nogo;
mod octal;
mod pentago;
mod pentalath;
mod pgame;
mod pieces;
mod race;
mod reach_chess;
mod reduction;
mod reversi;
mod rolit;
mod sides;
mod skirmish;
mod sowing;
mod stones;
mod surakarta;
mod symmetry;
mod tile;
mod tiles;
mod ultimate;
mod wide;
mod y;

pub use amazons::Amazons;
pub use ataxx::Ataxx;
pub use awari::Awari;
pub use breakthrough::{Breakthrough, Pawn};
pub use clobber::Clobber;
pub use connect4::Connect4;
pub use diagonals::Diagonals;
pub use domineering::Domineering;
pub use file::{FileError, GameFile};
pub use go::GoCapture;
pub use havannah::Havannah;
pub use hex::Hex;
pub use in_a_row::{InARow, Wrap};
pub use knightthrough::{Knight, Knightthrough};
pub use loa::Loa;
pub use los_alamos::LosAlamos;
pub use minishogi::Minishogi;
pub use mnk::Mnk;
pub use mnk3::Mnk3;
pub use nim::Nim;
pub use nogo::NoGo;
pub use octal::{Code, Octal};
pub use pentago::Pentago;
pub use pentalath::Pentalath;
pub use pgame::PGame;
pub use race::{Race, Runner, Step};
pub use reach_chess::ReachChess;
pub use reversi::Reversi;
pub use rolit::Rolit;
pub use skirmish::Skirmish;
pub use surakarta::Surakarta;
pub use tile::Tile;
pub use tiles::Tiles;
pub use ultimate::Ultimate;
pub use y::Y;

use delphic_game::{Hints, Notation, Progressive, Spec, SpecError, adapters::PlyLimit, spec::unknown};
use std::fmt::Debug;

/// A game that can be called by name.
pub trait Family:
    Notation<State: Send + Sync + Debug, Move: Send + Sync + Debug> + Progressive + Hints + Send + Sync + Sized
{
    /// What is said about it in lists.
    const INFO: Info;

    /// What is said about it besides.
    const FACTS: Facts = Facts::PLAIN;

    /// Takes the parameters out of a spec.
    fn build(spec: &mut Spec) -> Result<Self, SpecError>;

    /// The full spec of this game, all parameters written out.
    fn spec(&self) -> String;
}

/// A game in the list.
#[derive(Clone, Copy, Debug)]
pub struct Info {
    /// How to call it, parameters included.
    pub usage: &'static str,
    /// What it is, in a line.
    pub about: &'static str,
    /// Where the rules come from.
    pub rules: &'static str,
}

/// What a user may want to know about a game beyond the list.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// Every parameter with its default, or the word that switches something on, and what it means.
    pub parameters: &'static [(&'static str, &'static str)],
    /// What happens where positions could come again.
    pub cycles: &'static str,
    /// Which images of a position count as the same one where a search shares positions up to symmetry.
    pub symmetries: &'static str,
}

impl Facts {
    /// No parameters, no cycles, no symmetries.
    pub const PLAIN: Facts =
        Facts { parameters: &[], cycles: "no position can come again", symmetries: "none" };
}

const BOARD_SYMMETRIES: &str = "rotations and reflections of the board";
const MIRROR: &str = "left and right exchanged";
const PLIES: (&str, &str) = ("plies=2500", "after so many plies the game is a draw");
const ENDED_BY_PLIES: &str =
    "positions can come again: plies= ends the game as a draw, so the plies played are part of a position";

/// Something to do with a game once its type is known.
pub trait Visitor {
    /// What comes of it.
    type Output;

    /// Does it. `spec` holds the parameters the game itself did not take.
    fn visit<G: Family + 'static>(self, game: G, spec: Spec) -> Result<Self::Output, SpecError>;
}

/// Other names of games, and what they stand for. [`build`] takes them too.
pub const ALIASES: &[(&str, &str)] = &[
    ("othello", "reversi"),
    ("connectfour", "connect4"),
    ("four-in-a-row", "connect4"),
    ("noughts-and-crosses", "tictactoe"),
    ("ultimate-tic-tac-toe", "ultimate"),
    ("gomoku", "lines:15x15,length=5"),
    ("five-in-a-row", "lines:15x15,length=5"),
    ("lines-of-action", "loa"),
    ("oware", "awari:rules=oware"),
    ("crosscram", "domineering"),
    ("kayles", "octal:code=0.77"),
    ("dawsons-kayles", "octal:code=0.07"),
    ("los-alamos-chess", "los-alamos"),
];

/// Whether two names are the same but for case, hyphens, underscores and blanks.
fn same_name(one: &str, other: &str) -> bool {
    fn bare(name: &str) -> impl Iterator<Item = char> {
        name.chars().filter(|c| !['-', '_', ' '].contains(c)).flat_map(char::to_lowercase)
    }
    bare(one).eq(bare(other))
}

/// All names that [`build`] takes.
fn names() -> impl Iterator<Item = &'static str> {
    GAMES.iter().map(|(name, _)| *name).chain(ALIASES.iter().map(|(name, _)| *name))
}

/// The same spec with the name of the table.
fn called(spec: Spec) -> Spec {
    let game =
        GAMES.iter().map(|(name, _)| (name, name)).chain(ALIASES.iter().map(|(name, meant)| (name, meant)));
    let known = game.into_iter().find(|(name, _)| same_name(name, spec.name()));
    match known {
        Some((_, meant)) => spec.standing_for(Spec::parse(meant)),
        None => spec,
    }
}

macro_rules! games {
    ($($name:literal => $game:ty,)*) => {
        /// Every game by name, in the order of the table.
        pub const GAMES: &[(&str, Info)] = &[$(($name, <$game as Family>::INFO)),*];

        /// Builds the game that `spec` names and hands it to `visitor`.
        pub fn build<V: Visitor>(spec: Spec, visitor: V) -> Result<V::Output, SpecError> {
            let mut spec = called(spec);
            match spec.name() {
                $($name => {
                    let game = <$game>::build(&mut spec)?;
                    visitor.visit(game, spec)
                })*
                name => Err(unknown("game", name, names())),
            }
        }

        #[cfg(test)]
        mod conformance {
            use super::*;

            /// The suite on the default form of every game in the table.
            #[test]
            fn every_game_conforms() {
                $(delphic_game::conformance::check(&<$game>::build(&mut Spec::parse($name)).unwrap());)*
            }

            /// Damaged positions of every game are read as something playable or refused, but never crash.
            #[test]
            fn damaged_positions_are_refused_or_playable() {
                $(delphic_game::conformance::check_reader(&<$game>::build(&mut Spec::parse($name)).unwrap());)*
            }
        }
    };
}

games! {
    "tictactoe" => Mnk,
    "mnk" => Mnk,
    "connect4" => Connect4,
    "domineering" => Domineering,
    "nogo" => NoGo,
    "nim" => Nim,
    "pgame" => PGame,
    "hex" => Hex,
    "y" => Y,
    "havannah" => Havannah,
    "pentalath" => PlyLimit<Pentalath>,
    "pentago" => Pentago,
    "ultimate" => Ultimate,
    "diagonals" => Diagonals,
    "mnk3" => Mnk3,
    "rolit" => Rolit,
    "loa" => PlyLimit<Loa>,
    "los-alamos" => LosAlamos,
    "minishogi" => PlyLimit<Minishogi>,
    "reach-chess" => PlyLimit<ReachChess>,
    "skirmish" => Skirmish,
    "surakarta" => PlyLimit<Surakarta>,
    "breakthrough" => Breakthrough,
    "knightthrough" => Knightthrough,
    "reversi" => Reversi,
    "clobber" => Clobber,
    "amazons" => Amazons,
    "ataxx" => PlyLimit<Ataxx>,
    "awari" => PlyLimit<Awari>,
    "lines" => InARow,
    "tiles" => Tiles,
    "octal" => Octal,
    "go-capture" => GoCapture,
}

#[cfg(test)]
mod names {
    use super::*;

    struct Full;

    impl Visitor for Full {
        type Output = String;
        fn visit<G: Family + 'static>(self, game: G, spec: Spec) -> Result<String, SpecError> {
            spec.finish(G::INFO.usage)?;
            Ok(game.spec())
        }
    }

    fn spec(text: &str) -> Result<String, String> {
        build(Spec::parse(text), Full).map_err(|error| error.to_string())
    }

    #[test]
    fn games_are_found_by_other_names() {
        for (alias, meant) in ALIASES {
            assert_eq!(spec(alias), spec(meant), "{alias}");
            assert!(!GAMES.iter().any(|(name, _)| same_name(name, alias)), "{alias} is a game");
        }
        for (text, meant) in [
            ("Connect4:5x4", "connect4:5x4"),
            ("Connect-Four:5x4", "connect4:5x4"),
            ("connect_4", "connect4:7x6"),
            ("TIC-TAC-TOE", "tictactoe"),
            ("Lines of Action:5", "loa:5,plies=2500"),
            ("oware:plies=10", "awari:rules=oware,plies=10"),
            ("oware:rules=ludii", "awari:rules=ludii,plies=2500"),
            ("gomoku:9x9", "lines:9x9,length=5"),
            ("Othello:6", "reversi:6"),
            ("MNK", "tictactoe"),
        ] {
            assert_eq!(spec(text), spec(meant), "{text}");
            assert!(spec(text).is_ok(), "{text}: {:?}", spec(text));
        }
    }

    #[test]
    fn unknown_names_get_a_suggestion_where_there_is_one() {
        for (text, suggestion) in [
            ("go", "(did you mean 'go-capture'?)"),
            ("otello", "(did you mean 'othello'?)"),
            ("gomokku", "(did you mean 'gomoku'?)"),
            ("conect4", "(did you mean 'connect4'?)"),
            ("chess", "(did you mean 'reach-chess'?)"),
        ] {
            let error = spec(text).unwrap_err();
            assert!(error.contains(suggestion), "{error}");
        }
        for text in ["", ":", "?", "xyzzy"] {
            let error = spec(text).unwrap_err();
            assert!(!error.contains("mean"), "{error}");
        }
    }

    #[test]
    fn an_empty_list_of_parameters_is_refused() {
        for (name, info) in GAMES {
            let error = spec(&format!("{name}:")).unwrap_err();
            assert!(error.contains("missing after ':'") && error.contains(info.usage), "{error}");
        }
    }
}
