//! Tiling games: the players lay tiles from their own sets on free cells; a player who cannot lay one loses.
//!
//! Domineering and its kin with any tiles: Triomineering and Tridomineering (S. A. Blanco and A. S. Fraenkel 2004), Cram
//! (M. Gardner, Scientific American 230, 1974), where both turn the same dominoes. What covers a cell does not matter for the
//! rest of the game, so holes of the board are cells that are covered from the start.

mod tile;

pub use tile::Tile;

use crate::kit::colours::{letter, player};
use crate::kit::symmetry::Symmetry;

use crate::{Facts, Family, Info};
use delphic_game::{
    Game, Hints, Notation, NotationError, Player, Progressive, Rng, Spec, SpecError, bits::Bits, grid::Grid,
    mix, picture::Picture,
};

/// The most cells of a board.
const CELLS: usize = 64;

/// Rules for one board and two sets of tiles.
#[derive(Clone, Debug)]
pub struct Tiles {
    grid: Grid,
    holes: u64,
    sets: [Vec<Tile>; 2],
    turn: bool,
    flip: bool,
    /// Where each player can lay a tile on the empty board.
    places: [Vec<u64>; 2],
    symmetry: Symmetry,
}

/// A position. Cell (row, column) is bit `row * cols + column`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    covered: u64,
    turn: Player,
}

impl Tiles {
    /// A board of at most 64 cells, some of them `holes`, and the tiles of both players. They may `turn` them, and `flip` them over.
    pub fn new(grid: Grid, holes: u64, sets: [Vec<Tile>; 2], turn: bool, flip: bool) -> Tiles {
        let places = sets.each_ref().map(|tiles| {
            let mut forms = tiles.clone();
            if flip {
                forms.extend(tiles.iter().map(Tile::flipped));
            }
            for turns in 1..if turn { 4 } else { 1 } {
                let turned = |tile: &Tile| (0..turns).fold(tile.clone(), |tile, _| tile.turned());
                let more: Vec<Tile> =
                    forms[..tiles.len() * (1 + usize::from(flip))].iter().map(turned).collect();
                forms.extend(more);
            }
            let mut places: Vec<u64> = forms.iter().flat_map(|tile| tile.places(grid)).collect();
            // By the first cell, as Domineering lists them.
            places.sort_unstable_by_key(|place| (place.first(), *place));
            places.dedup();
            places
        });
        let symmetry = Symmetry::of(grid).keeping(&places);
        Tiles { grid, holes, sets, turn, flip, places, symmetry }
    }

    fn open(&self, state: &State) -> impl Iterator<Item = u16> {
        let covered = state.covered;
        let places = self.places[state.turn.index()].iter().enumerate();
        places.filter(move |(_, place)| **place & covered == 0).map(|(number, _)| number as u16)
    }
}

impl Game for Tiles {
    type State = State;
    /// The number of the place.
    type Move = u16;

    fn start(&self) -> State {
        State { covered: self.holes, turn: Player::FIRST }
    }

    #[inline]
    fn turn(&self, state: &State) -> Player {
        state.turn
    }

    #[inline]
    fn moves(&self, state: &State, list: &mut Vec<u16>) {
        list.extend(self.open(state));
    }

    #[inline]
    fn play(&self, state: &mut State, place: u16) {
        state.covered |= self.places[state.turn.index()][place as usize];
        state.turn = state.turn.other();
    }

    fn payoffs(&self) -> Vec<i16> {
        vec![-1, 1]
    }

    #[inline]
    fn key(&self, state: &State) -> u64 {
        mix(state.covered ^ mix(state.turn.index() as u64))
    }

    fn canonicalize(&self, state: &mut State) {
        [state.covered] = self.symmetry.least([state.covered]);
    }

    #[inline]
    fn count_moves(&self, state: &State, _: &mut Vec<u16>) -> usize {
        self.open(state).count()
    }

    #[inline]
    fn random_move(&self, state: &State, rng: &mut Rng, _: &mut Vec<u16>) -> Option<u16> {
        let places = &self.places[state.turn.index()];
        // As long as there is much room, drawing again beats listing.
        for _ in 0..if places.is_empty() { 0 } else { 8 } {
            let place = rng.below(places.len());
            if places[place] & state.covered == 0 {
                return Some(place as u16);
            }
        }
        match self.open(state).count() {
            0 => None,
            count => self.open(state).nth(rng.below(count)),
        }
    }
}

impl Progressive for Tiles {}
impl Hints for Tiles {}

impl Notation for Tiles {
    const HOW: &'static str = "A move names the cells that are covered, a1+a2 (columns a…, rows from 1 at the bottom). A position is its \
        rows from the top, # covered, . free, and the player to move, x for the first player or o: ../.#/.# o";

    fn write_move(&self, state: &State, place: u16) -> String {
        let mut cells: Vec<usize> = self.places[state.turn.index()][place as usize].cells().collect();
        cells.sort_by_key(|cell| (cell % self.grid.cols, self.grid.rows - cell / self.grid.cols));
        cells.into_iter().map(|cell| self.grid.name(cell)).collect::<Vec<_>>().join("+")
    }

    fn write(&self, state: &State) -> String {
        format!("{} {}", self.grid.write(|cell| glyph(state.covered, cell)), letter(state.turn))
    }

    fn read(&self, text: &str) -> Result<State, NotationError> {
        let Some((board, turn)) = text.trim().rsplit_once(' ') else {
            return Err(NotationError::position(
                "expected the board, a blank, and x or o for the side to move",
            ));
        };
        Ok(State { covered: read_board(self.grid, board.trim())?, turn: player(turn)? })
    }

    fn picture(&self, state: &State) -> Picture {
        let board = self.grid.picture(|cell| glyph(state.covered, cell));
        board.note(format!("{} player to move", state.turn))
    }
}

fn glyph(covered: u64, cell: usize) -> char {
    if covered.has(cell) { '#' } else { '.' }
}

fn read_board(grid: Grid, text: &str) -> Result<u64, NotationError> {
    let cells = grid.read(text, ".#")?.into_iter().enumerate();
    Ok(cells.filter(|(_, glyph)| *glyph == 1).fold(0, |set, (cell, _)| set | 1 << cell))
}

impl Family for Tiles {
    const INFO: Info = Info {
        usage: "tiles[:ROWSxCOLS][,first=X/X][,second=XX][,turn][,flip], or board=.../.#. for the size; several tiles as XX+XXX",
        about: "place tiles on free cells, each player from their own set; with turn and flip, tiles may be rotated and reflected; a \
            player who cannot move loses",
        rules: "Domineering with other tiles; S. A. Blanco and A. S. Fraenkel 2004, M. Gardner 1974",
    };

    const FACTS: Facts = Facts {
        parameters: &[
            ("5x5", "rows and columns, at most 64 cells"),
            (
                "board=...../...../...../...../.....",
                "the board with holes, as rows from the top: . free, # a hole",
            ),
            (
                "first=X/X",
                "the first player's tiles: X is a covered cell, / separates rows, + separates tiles",
            ),
            ("second=XX", "the second player's tiles"),
            ("turn", "tiles may be rotated"),
            ("flip", "tiles may be reflected"),
        ],
        symmetries: "rotations and reflections of the board that keep both players' places",
        ..Facts::PLAIN
    };

    fn build(spec: &mut Spec) -> Result<Tiles, SpecError> {
        let (grid, holes) = match spec.text("board") {
            None => (Grid::take(spec, "5x5", CELLS)?, 0),
            Some(board) => {
                let size = board.split('/');
                let size = format!(
                    "{}x{}",
                    size.clone().count(),
                    size.map(|row| row.chars().count()).max().unwrap_or(0)
                );
                let mut parsed = Spec::parse(&format!("{}:{size}", spec.name()));
                let grid = Grid::take(&mut parsed, "5x5", CELLS)?;
                (
                    grid,
                    read_board(grid, &board)
                        .map_err(|error| spec.impossible(format!("board={board}: {error}")))?,
                )
            }
        };
        let mut set = |key: &str, default: &str| {
            let text = spec.text(key).unwrap_or_else(|| default.to_owned());
            let tiles = text.split('+').map(Tile::read).collect::<Result<Vec<Tile>, String>>();
            tiles.map_err(|reason| spec.impossible(format!("{key}={text}: {reason}")))
        };
        let sets = [set("first", "X/X")?, set("second", "XX")?];
        if sets.iter().map(Vec::len).max() > Some(CELLS) {
            return Err(spec.impossible(format!("a player has at most {CELLS} tiles")));
        }
        Ok(Tiles::new(grid, holes, sets, spec.flag("turn"), spec.flag("flip")))
    }

    fn spec(&self) -> String {
        let Grid { rows, cols } = self.grid;
        let board = match self.holes {
            0 => format!("{rows}x{cols}"),
            holes => format!("board={}", self.grid.write(|cell| glyph(holes, cell))),
        };
        let [first, second] =
            self.sets.each_ref().map(|set| set.iter().map(Tile::write).collect::<Vec<_>>().join("+"));
        let flags = [(self.turn, ",turn"), (self.flip, ",flip")]
            .map(|(on, flag)| if on { flag } else { "" })
            .concat();
        format!("tiles:{board},first={first},second={second}{flags}")
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::Domineering;
    use delphic_game::{conformance, perft, play_all, read_moves};
    use std::collections::HashMap;

    fn game(spec: &str) -> Tiles {
        Tiles::build(&mut Spec::parse(spec)).unwrap()
    }

    /// Whether the mover wins, by definition.
    pub(crate) fn wins<G: Game>(game: &G, state: &G::State, known: &mut HashMap<G::State, bool>) -> bool {
        if let Some(&known) = known.get(state) {
            return known;
        }
        let mut moves = Vec::new();
        game.moves(state, &mut moves);
        let value = moves.into_iter().any(|mv| !wins(game, &play_all(game, state, &[mv]), known));
        known.insert(state.clone(), value);
        value
    }

    #[test]
    fn every_kind_conforms() {
        for spec in [
            "tiles:1x1,first=X,second=X",
            "tiles:4x4,first=X./XX,second=XX/X.,turn",
            "tiles:4x5,first=X./X./XX,second=XXX,turn,flip",
            "tiles:board=..#./..../.#..,first=X/X+X,second=XX+XXX",
            "tiles:8x8,first=X/X/X,second=XXX",
            "tiles:1x64,first=X.X,second=XX",
            "tiles:2x2,first=XXX,second=XXX",
        ] {
            let game = game(spec);
            conformance::check(&game);
            assert_eq!(game.spec(), spec);
        }
    }

    /// With dominoes it is Domineering, position by position, in the same order and with the same texts.
    #[test]
    fn dominoes_are_domineering() {
        for (rows, cols) in [(4, 4), (3, 5), (5, 3), (1, 7), (6, 6)] {
            let (tiles, dominoes) = (game(&format!("tiles:{rows}x{cols}")), Domineering::new(rows, cols));
            for seed in 0..20 {
                let (mut rng, mut here, mut there) = (Rng::new(seed), tiles.start(), dominoes.start());
                while let Some(mv) = dominoes.random_move(&there, &mut rng, &mut Vec::new()) {
                    let place = dominoes.write(&there);
                    assert_eq!(perft(&tiles, &here, 3), perft(&dominoes, &there, 3), "{place}");
                    let [mut ours, mut theirs] = [Vec::new(), Vec::new()];
                    let mut list = Vec::new();
                    tiles.moves(&here, &mut list);
                    ours.extend(list.into_iter().map(|mv| tiles.write_move(&here, mv)));
                    let mut list = Vec::new();
                    dominoes.moves(&there, &mut list);
                    theirs.extend(list.into_iter().map(|mv| dominoes.write_move(&there, mv)));
                    assert_eq!(ours, theirs, "{place}");
                    here = play_all(
                        &tiles,
                        &here,
                        &read_moves(&tiles, &here, &dominoes.write_move(&there, mv)).unwrap(),
                    );
                    dominoes.play(&mut there, mv);
                }
                assert_eq!(tiles.count_moves(&here, &mut Vec::new()), 0);
            }
            if rows * cols <= 16 {
                let value = wins(&tiles, &tiles.start(), &mut HashMap::new());
                assert_eq!(value, wins(&dominoes, &dominoes.start(), &mut HashMap::new()), "{rows}x{cols}");
            }
        }
    }

    /// Cram: on boards with two even sides the second player wins by the half turn, with one odd side the first by taking the
    /// middle and then the half turn (Gardner 1974).
    #[test]
    fn cram_is_decided_by_symmetry() {
        for (rows, cols, first_wins) in
            [(2, 2, false), (2, 4, false), (4, 4, false), (2, 3, true), (3, 4, true), (4, 5, true)]
        {
            let cram = game(&format!("tiles:{rows}x{cols},first=XX,second=XX,turn"));
            assert_eq!(wins(&cram, &cram.start(), &mut HashMap::new()), first_wins, "{rows}x{cols}");
        }
    }

    #[test]
    fn tiles_turn_and_flip() {
        let places = |flags: &str| game(&format!("tiles:3x3,first=XX/X./X.{flags}")).places[0].len();
        assert_eq!((places(""), places(",turn"), places(",flip"), places(",turn,flip")), (2, 8, 4, 16));
        assert_eq!(game("tiles:3x3,first=XX,turn,flip").places[0].len(), 12);
    }

    #[test]
    fn bad_input_is_refused() {
        for bad in [
            "t:9x9",
            "t:5x5,first=",
            "t:5x5,first=../..",
            "t:5x5,second=XO",
            "t:board=../.",
            "t:board=.x",
            "t:board=",
            "t:5x5,first=XX++X",
        ] {
            assert!(Tiles::build(&mut Spec::parse(bad)).is_err(), "{bad}");
        }
        for bad in ["", "../..", "../.. v", "../.X x", "... x", "../../.. o"] {
            assert!(game("tiles:2x2").read(bad).is_err(), "{bad}");
        }
    }
}
