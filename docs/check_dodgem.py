#!/usr/bin/env python3
"""A second checker for certificates of a game with cycles: Dodgem on 3 by 3, as data/families/dodgem.toml describes it.

    python3 docs/check_dodgem.py FILE

prints VALID or NOT VALID with the reason and exits with 0 or 1. The walk is that of check_connect4.py.
"""

from check_connect4 import SEATS, Refused, main


class Dodgem:
    """A position is nine characters from the top left, X for the first player's cars and O for the second's, and whose turn it is."""

    endless = [0, 0]
    # What each player steps by, as (rows down, columns right), and the cells from which a car leaves the board.
    steps = [[(-1, 0), (1, 0), (0, 1)], [(-1, 0), (0, 1), (0, -1)]]
    exits = [[2, 5, 8], [0, 1, 2]]

    def __init__(self, spec):
        if not spec.endswith("dodgem.toml"):
            raise Refused(f"this checker knows Dodgem only, not '{spec}'")

    def start(self):
        return ("X..X...OO", 0)

    def turn(self, position):
        return position[1]

    def moves(self, position):
        """Steps first, then cars that leave; each in the order of the cells they go from and to."""
        board, turn = position
        cars = [cell for cell in range(9) if board[cell] == "XO"[turn]]
        steps = []
        for cell in cars:
            for down, right in self.steps[turn]:
                row, col = cell // 3 + down, cell % 3 + right
                if 0 <= row < 3 and 0 <= col < 3 and board[3 * row + col] == ".":
                    steps.append((cell, 3 * row + col))
        return sorted(steps) + [(cell, None) for cell in cars if cell in self.exits[turn]]

    def play(self, position, move):
        (board, turn), (start, end) = position, move
        cells = list(board)
        cells[start] = "."
        if end is not None:
            cells[end] = "XO"[turn]
        return ("".join(cells), 1 - turn)

    def write_move(self, move):
        name = lambda cell: "abc"[cell % 3] + "321"[cell // 3]
        start, end = move
        return f"{name(start)}-{'off' if end is None else name(end)}"

    def payoffs(self, position):
        """A player without cars has won, and so has one to move who cannot."""
        board, turn = position
        win = [[1, -1], [-1, 1]]
        if "XO"[1 - turn] not in board:
            return win[1 - turn]
        return None if self.moves(position) else win[turn]

    def write(self, position):
        board, turn = position
        return f"{board[:3]}/{board[3:6]}/{board[6:]} {SEATS[turn]}"

    def read(self, text):
        rows, _, turn = text.partition(" ")
        board = rows.replace("/", "")
        if len(board) != 9 or board.strip("XO.") or turn not in SEATS[:2]:
            raise Refused("this is no position of the game")
        return (board, SEATS.index(turn))


if __name__ == "__main__":
    main(Dodgem, __doc__)
