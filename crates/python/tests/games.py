"""Games as Python classes, whose values the built-in games have as well."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import delphic


class Placing(delphic.Game):
    """Players take turns to place stones; a line of ``length`` wins. A state is the board as text, row by row."""

    stones = "XOZ"

    def __init__(self, columns: int, rows: int, length: int, players: int = 2) -> None:
        self.columns, self.rows, self.length, self.players = columns, rows, length, players
        self.name = f"{type(self).__name__}:{columns},{rows},{length},{players}"
        self.lines = list(self.all_lines())

    def all_lines(self) -> Iterator[tuple[int, ...]]:
        for row in range(self.rows):
            for column in range(self.columns):
                for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    cells = [(row + down * step, column + right * step) for step in range(self.length)]
                    if all(0 <= r < self.rows and 0 <= c < self.columns for r, c in cells):
                        yield tuple(r * self.columns + c for r, c in cells)

    def start(self) -> str:
        return "." * (self.columns * self.rows)

    def turn(self, state: str) -> int:
        return (len(state) - state.count(".")) % self.players

    def outcome(self, state: str) -> list[int] | int | None:
        for line in self.lines:
            if state[line[0]] != "." and len({state[cell] for cell in line}) == 1:
                winner = self.stones.index(state[line[0]])
                return [1 if player == winner else -1 for player in range(self.players)]
        return None if "." in state else [0] * self.players

    def moves(self, state: str) -> list[int]:
        return [cell for cell, stone in enumerate(state) if stone == "."]

    def play(self, state: str, move: int) -> str:
        return state[:move] + self.stones[self.turn(state)] + state[move + 1 :]

    def picture(self, state: str) -> str:
        return "\n".join(state[row : row + self.columns] for row in range(0, len(state), self.columns))


class TicTacToe(Placing):
    """Tic-tac-toe with all optional methods."""

    def __init__(self) -> None:
        super().__init__(3, 3, 3)

    def children(self, state: str) -> list[str]:
        return [self.play(state, move) for move in self.moves(state)]

    def symmetries(self, state: str) -> list[str]:
        rows = [state[0:3], state[3:6], state[6:9]]
        images: list[str] = []
        for _ in range(4):
            rows = ["".join(column) for column in zip(*rows[::-1], strict=True)]
            images += ["".join(rows), "".join(row[::-1] for row in rows)]
        return images

    def write(self, state: str) -> str:
        return "/".join((state[0:3], state[3:6], state[6:9]))

    def read(self, text: str) -> str:
        state = text.replace("/", "")
        if len(text) != 11 or len(state) != 9 or set(state) - set(".XO"):
            raise ValueError(f"'{text}' is not a board")
        if state.count("X") - state.count("O") not in (0, 1):
            raise ValueError(f"'{text}' has the wrong number of stones")
        return state

    def write_move(self, state: str, move: int) -> str:
        return "abc"[move % 3] + "321"[move // 3]


class ConnectFour(Placing):
    """Connect Four: discs fall to the lowest empty cell of a column."""

    def __init__(self, columns: int, rows: int) -> None:
        super().__init__(columns, rows, 4)

    def moves(self, state: str) -> list[int]:
        return [column for column in range(self.columns) if state[column] == "."]

    def play(self, state: str, move: int) -> str:
        cell = max(cell for cell in range(move, len(state), self.columns) if state[cell] == ".")
        return super().play(state, cell)

    def write_move(self, state: str, move: int) -> str:
        return str(move + 1)


class Nim(delphic.Game):
    """Heaps of matches; a player takes some from one heap. Who cannot, loses."""

    payoffs = (-1, 1)

    def __init__(self, *heaps: int) -> None:
        self.heaps = heaps

    def start(self) -> tuple[tuple[int, ...], int]:
        return self.heaps, 0

    def turn(self, state: Any) -> int:
        return int(state[1])

    def moves(self, state: Any) -> list[tuple[int, int]]:
        return [(heap, taken) for heap, size in enumerate(state[0]) for taken in range(1, size + 1)]

    def play(self, state: Any, move: tuple[int, int]) -> Any:
        heaps = list(state[0])
        heaps[move[0]] -= move[1]
        return tuple(heaps), 1 - state[1]
