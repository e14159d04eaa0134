//! What we write, in the notation of other programs. One way is enough: the move that was played is looked up in the
//! translated list.

/// How a program writes what we write.
pub struct Translator {
    /// Our move in its notation.
    pub mv: fn(&str) -> String,
    /// Our move as the second of two plies, where it makes a ply of its own of a choice that is part of our move. The
    /// first ply is `mv` then, the same for all choices.
    pub second: Option<fn(&str) -> String>,
    /// Our position as its board.
    pub board: fn(&str) -> String,
    /// What is left of its board when all that our position does not hold is struck out.
    pub kept: fn(&str) -> String,
    /// Whether it lets both sides pass once where our game is a draw already.
    pub passes_at_end: bool,
    /// Whether it lets a stalemated side pass once where our game is a draw already.
    pub passes_stalemate: bool,
    /// Whether it lets both sides pass once where our game is over already, drawn or not, as neither can move.
    pub passes_blocked: bool,
}

impl Translator {
    /// How many passes may follow the end of our game.
    pub fn passes(&self) -> usize {
        match self {
            Translator { passes_stalemate: true, .. } => 1,
            Translator { passes_at_end: true, .. } | Translator { passes_blocked: true, .. } => 2,
            _ => 0,
        }
    }
}

/// Same moves, same board; the side to move is no part of the board.
pub const SAME: Translator = Translator {
    mv: str::to_owned,
    second: None,
    board: without_turn,
    kept: str::to_owned,
    passes_at_end: false,
    passes_stalemate: false,
    passes_blocked: false,
};

/// Columns are letters, and a full board is a draw only after two passes.
pub const LUDII_CONNECT_FOUR: Translator = Translator {
    mv: |column| char::from(b'a' + number(column) - 1).to_string(),
    passes_at_end: true,
    ..SAME
};

/// The first player places horizontally, so rows and columns change places. The board tells whose domino covers a cell;
/// ours does not, as it has no bearing on the game.
pub const LUDII_DOMINEERING: Translator = Translator {
    mv: |domino| domino.split('+').map(transposed_cell).collect::<Vec<_>>().join("+"),
    board: |position| transposed(&without_turn(position)),
    kept: |board| board.replace(['X', 'O'], "#"),
    ..SAME
};

/// Stones are small letters.
pub const OPENSPIEL_STONES: Translator =
    Translator { board: |position| without_turn(position).to_lowercase(), ..SAME };

/// Cells are numbered from 0, row by row from the top.
pub const OPENSPIEL_TIC_TAC_TOE: Translator = Translator {
    mv: |cell| {
        let (column, row) = coordinates(cell);
        ((3 - row) * 3 + column - 1).to_string()
    },
    ..OPENSPIEL_STONES
};

pub fn without_turn(position: &str) -> String {
    position.split(' ').next().unwrap().to_owned()
}

/// The column and the row of a cell such as `c2`, both from 1.
pub fn coordinates(cell: &str) -> (u8, u8) {
    (cell.as_bytes()[0] - b'a' + 1, number(&cell[1..]))
}

fn number(text: &str) -> u8 {
    text.parse().unwrap_or_else(|_| panic!("'{text}' is not a number"))
}

/// `c2` becomes `b3`.
fn transposed_cell(cell: &str) -> String {
    let (column, row) = coordinates(cell);
    format!("{}{column}", char::from(b'a' + row - 1))
}

/// A board mirrored in the diagonal through a1, which is the last row's first cell.
fn transposed(board: &str) -> String {
    let rows: Vec<&[u8]> = board.split('/').rev().map(str::as_bytes).collect();
    let column = |col: usize| rows.iter().map(|row| char::from(row[col])).collect::<String>();
    (0..rows[0].len()).rev().map(column).collect::<Vec<_>>().join("/")
}
