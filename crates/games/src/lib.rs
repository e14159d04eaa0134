//! The games: one file each, and the table that lists them.
//!
//! [`build`] turns a spec such as `connect4:7x6` into a game and calls a generic function with it, a [`Visitor`]. [`GAMES`] lists the names.
//! A game can also be built by its type:
//!
//! ```
//! use delphic_game::{Game, Spec};
//! use delphic_games::{Family, Nim};
//!
//! let game = Nim::build(&mut Spec::parse("nim:1,2"))?;
//! assert_eq!(game.count_moves(&game.start(), &mut Vec::new()), 3);
//! # Ok::<(), delphic_game::SpecError>(())
//! ```

pub mod described;
mod game_file;
mod kit;

pub use breakthrough::Pawn;
pub use described::{Described, Description};
pub use game_file::{FileError, GameFile};
pub use kit::race::{Race, Runner, Step};
pub use knightthrough::Knight;
pub use lines::Wrap;
pub use octal::Code;
pub use tiles::Tile;

use delphic_game::{Hints, Notation, Progressive, Spec, SpecError, adapters::PlyLimit, spec::unknown};
use std::fmt::Debug;

/// A built-in game: its name, parameters and documentation.
pub trait Family:
    Notation<State: Send + Sync + Debug, Move: Send + Sync + Debug> + Progressive + Hints + Send + Sync + Sized
{
    /// Its entry in lists.
    const INFO: Info;

    /// Its parameters, cycles and symmetries.
    const FACTS: Facts = Facts::PLAIN;

    /// Whether searches are compiled for this game. Other games share searches over type-erased states, in which every state is allocated and
    /// every rule is an indirect call; they take two to three times as long, and do not use [`Hints`] or `random_move`.
    const OWN_SEARCHES: bool = true;

    /// Builds the game from the parameters of a spec, removing them from it.
    fn build(spec: &mut Spec) -> Result<Self, SpecError>;

    /// The full spec of this game, all parameters written out.
    fn spec(&self) -> String;
}

/// A game in the list.
#[derive(Clone, Copy, Debug)]
pub struct Info {
    /// Its name with parameters, as a usage line.
    pub usage: &'static str,
    /// A one-line description.
    pub about: &'static str,
    /// The source of the rules.
    pub rules: &'static str,
}

/// Details of a game for `delphic games NAME`.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// Every parameter with its default, or the word that turns an option on, and its meaning.
    pub parameters: &'static [(&'static str, &'static str)],
    /// Whether positions can repeat, and what prevents or ends cycles.
    pub cycles: &'static str,
    /// The symmetries under which positions are merged.
    pub symmetries: &'static str,
}

impl Facts {
    /// No parameters, no cycles, no symmetries.
    pub const PLAIN: Facts = Facts { parameters: &[], cycles: "no position can repeat", symmetries: "none" };
}

const BOARD_SYMMETRIES: &str = "rotations and reflections of the board";
const MIRROR: &str = "left and right exchanged";
const PLIES: (&str, &str) =
    ("plies=2500", "the game is a draw after this many plies; plies=off: endless play is a draw");
const ENDED_BY_PLIES: &str = "the board can repeat; plies= ends the game as a draw, and positions include the ply, so they cannot repeat; with \
    plies=off they can, and only solvers that handle cycles accept the game";

/// Takes the limit on plies out of a spec: a number, or `off`.
fn plies(spec: &mut Spec, default: u32) -> Result<Option<u32>, SpecError> {
    let Some(text) = spec.text("plies") else { return Ok(Some(default)) };
    if text == "off" {
        return Ok(None);
    }
    let limit = text.parse().map(Some);
    limit.map_err(|_| spec.impossible(format!("'plies={text}' is neither a number in range nor off")))
}

/// A generic function of a game, called with the game that a spec names.
///
/// ```
/// use delphic_game::{Spec, SpecError, perft};
/// use delphic_games::{Family, Visitor, build};
///
/// struct Perft(u32);
///
/// impl Visitor for Perft {
///     type Output = u64;
///     fn visit<G: Family + 'static>(self, game: G, _: Spec) -> Result<u64, SpecError> {
///         Ok(perft(&game, &game.start(), self.0))
///     }
/// }
///
/// assert_eq!(build(Spec::parse("tictactoe"), Perft(3))?, 9 * 8 * 7);
/// # Ok::<(), SpecError>(())
/// ```
pub trait Visitor {
    /// The result.
    type Output;

    /// The function. `spec` holds the parameters that the game itself did not take.
    fn visit<G: Family + 'static>(self, game: G, spec: Spec) -> Result<Self::Output, SpecError>;
}

/// Aliases of games, and their specs. [`build`] accepts them too.
pub const ALIASES: &[(&str, &str)] = &[
    ("othello", "reversi"),
    ("connectfour", "connect4"),
    ("four-in-a-row", "connect4"),
    ("noughts-and-crosses", "tictactoe"),
    ("ultimate-tic-tac-toe", "ultimate"),
    // Played on 15x15, which no board here has room for; this is the largest square.
    ("gomoku", "lines:11x11,length=5"),
    ("five-in-a-row", "lines:11x11,length=5"),
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

/// A game of the table, or the adapter around it.
macro_rules! adapted {
    ($game:ident) => { $game };
    ($game:ident $adapter:ident) => { $adapter<$game> };
}

/// Declares the modules of the games and lists their names: a game is its file and its row.
macro_rules! games {
    ($($($name:literal),+ => $public:vis $module:ident::$game:ident $(in $adapter:ident)?,)*) => {
        $($public mod $module; pub use $module::$game;)*

        /// The types of the rows by module, adapters included.
        #[allow(non_camel_case_types)]
        mod listed {
            use super::*;
            $(pub type $module = adapted!($game $($adapter)?);)*
        }

        /// Every game by name, in the order of the table.
        pub const GAMES: &[(&str, Info)] = &[$($(($name, <listed::$module as Family>::INFO),)+)*];

        /// Builds the game that `spec` names and hands it to `visitor`.
        pub fn build<V: Visitor>(spec: Spec, visitor: V) -> Result<V::Output, SpecError> {
            let mut spec = called(spec);
            match spec.name() {
                $($($name)|+ => {
                    let game = <listed::$module>::build(&mut spec)?;
                    visitor.visit(game, spec)
                })*
                name => Err(unknown("game", name, names())),
            }
        }
    };
}

games! {
    "tictactoe", "mnk" => mnk::Mnk,
    "connect4" => connect4::Connect4,
    "domineering" => domineering::Domineering,
    "nogo" => nogo::NoGo,
    "nim" => nim::Nim,
    "pgame" => pgame::PGame,
    "hex" => hex::Hex,
    "y" => y::Y,
    "havannah" => havannah::Havannah,
    "pentalath" => pentalath::Pentalath in PlyLimit,
    "pentago" => pentago::Pentago,
    "ultimate" => ultimate::Ultimate,
    "diagonals" => diagonals::Diagonals,
    "mnk3" => mnk3::Mnk3,
    "rolit" => rolit::Rolit,
    "loa" => loa::Loa in PlyLimit,
    "los-alamos" => los_alamos::LosAlamos,
    "minishogi" => minishogi::Minishogi in PlyLimit,
    "reach-chess" => reach_chess::ReachChess in PlyLimit,
    "skirmish" => skirmish::Skirmish,
    "surakarta" => surakarta::Surakarta in PlyLimit,
    "breakthrough" => breakthrough::Breakthrough,
    "knightthrough" => knightthrough::Knightthrough,
    "reversi" => reversi::Reversi,
    "clobber" => clobber::Clobber,
    "amazons" => amazons::Amazons,
    "ataxx" => ataxx::Ataxx in PlyLimit,
    "awari" => awari::Awari in PlyLimit,
    "lines" => lines::InARow,
    "tiles" => tiles::Tiles,
    "octal" => octal::Octal,
    "go-capture" => pub go::GoCapture,
}

/// The example of the guide.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/add-a-game.md")]
struct Guide;

#[cfg(test)]
mod conformance {
    use super::*;

    struct Conforms;

    impl Visitor for Conforms {
        type Output = ();
        fn visit<G: Family + 'static>(self, game: G, _: Spec) -> Result<(), SpecError> {
            delphic_game::conformance::check(&game);
            Ok(())
        }
    }

    struct Reads;

    impl Visitor for Reads {
        type Output = ();
        fn visit<G: Family + 'static>(self, game: G, _: Spec) -> Result<(), SpecError> {
            delphic_game::conformance::check_reader(&game);
            Ok(())
        }
    }

    #[test]
    fn every_game_conforms() {
        GAMES.iter().for_each(|(name, _)| build(Spec::parse(name), Conforms).unwrap());
    }

    /// Damaged positions of every game are read as something playable or refused, but never crash.
    #[test]
    fn damaged_positions_are_refused_or_playable() {
        GAMES.iter().for_each(|(name, _)| build(Spec::parse(name), Reads).unwrap());
    }
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
            assert!(spec(meant).is_ok(), "{alias}: {:?}", spec(meant));
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
