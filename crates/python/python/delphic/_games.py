"""Games and positions."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Union

from delphic._delphic import NativeGame, NativePosition, lists
from delphic.errors import InputError
from delphic._rules import Game, optional_methods

__all__ = ["AnyGame", "Position", "Solvable", "agents", "game", "games", "solvers"]


class AnyGame:
    """A game that positions, solvers and agents know. :func:`game` makes one."""

    __slots__ = ("_native", "rules")

    def __init__(self, native: NativeGame, rules: Game | None = None) -> None:
        self._native = native
        self.rules: Game | None = rules
        """The object with the rules, if the game is written in Python."""

    @property
    def spec(self) -> str:
        """The full name, all parameters included."""
        return self._native.spec

    @property
    def players(self) -> int:
        """The number of players."""
        return self._native.players

    @property
    def payoffs(self) -> tuple[int, ...]:
        """Every payoff that a player can get, ascending."""
        return tuple(self._native.payoffs)

    @property
    def notation(self) -> str:
        """How positions and moves are written."""
        return self._native.notation

    @property
    def start(self) -> Position:
        """The position in which the game starts."""
        return Position(self, self._native.position(None, None))

    def position(self, text: str, moves: str | None = None) -> Position:
        """The position that a text describes, in the game's notation or as moves from the start.

        >>> import delphic
        >>> delphic.game("connect4").position("4455").turn
        0
        """
        return Position(self, self._native.position(text, moves))

    def __repr__(self) -> str:
        return f"delphic.game({self.spec!r})" if self.rules is None else f"delphic.game({self.rules!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, AnyGame):
            return NotImplemented
        return self.spec == other.spec and self.rules is other.rules

    def __hash__(self) -> int:
        return hash(self.spec)


class Position:
    """A position of a game. It never changes, and equal positions have equal hashes.

    >>> import delphic
    >>> start = delphic.game("tictactoe").start
    >>> position = start.play("b2", "a1")
    >>> position.turn, len(position.moves), position == start.play("b2 a1")
    (0, 7, True)
    >>> print(position)
    3  . . .
    2  . X .
    1  O . .
       a b c
    """

    __slots__ = ("_game", "_native", "_text")

    def __init__(self, game: AnyGame, native: NativePosition) -> None:
        self._game = game
        self._native = native
        self._text: str | None = None

    @property
    def game(self) -> AnyGame:
        """The game it belongs to."""
        return self._game

    @property
    def text(self) -> str:
        """The position in the game's notation, on one line."""
        if self._text is None:
            self._text = self._native.write()
        return self._text

    @property
    def turn(self) -> int:
        """The player to move, from 0."""
        return self._native.turn()

    @property
    def moves(self) -> tuple[str, ...]:
        """The legal moves; none if the game is over."""
        return tuple(self._native.moves())

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self._native.is_over()

    @property
    def outcome(self) -> tuple[int, ...] | None:
        """The payoffs of all players if the game is over, otherwise ``None``."""
        payoffs = self._native.payoffs()
        return None if payoffs is None else tuple(payoffs)

    @property
    def state(self) -> Any:
        """The state itself, if the game is written in Python; otherwise ``None``."""
        return self._native.state()

    def play(self, *moves: object) -> Position:
        """The position after some moves: texts such as ``"b2"`` or ``"4455"``, or moves of a Python game."""
        position = self
        for move in moves:
            position = position._play(move)
        return position

    def _play(self, move: object) -> Position:
        objects = self._native.move_objects()
        if objects is not None and move in objects:
            return Position(self._game, self._native.after(objects.index(move)))
        if not isinstance(move, str):
            legal = " ".join(self.moves[:12])
            raise InputError(f"{move!r} is not a legal move here; legal: {legal}")
        return Position(self._game, self._native.play(move))

    def children(self) -> Iterator[tuple[str, Position]]:
        """The legal moves with the positions after them."""
        for nth, move in enumerate(self.moves):
            yield move, Position(self._game, self._native.after(nth))

    def random(self, plies: int | None = None, seed: int = 1) -> Position:
        """A position of a random game from here: after ``plies`` moves, or anywhere before the end."""
        return Position(self._game, self._native.random(plies, seed))

    @property
    def fingerprint(self) -> int:
        """A number that changes when the rules of the game do."""
        return self._native.fingerprint()

    def svg(self) -> str:
        """A picture of the board."""
        return self._native.svg(f"{self._game.spec} {self.text}")

    def _repr_svg_(self) -> str:
        return self.svg()

    def __str__(self) -> str:
        return self._native.text()

    def __repr__(self) -> str:
        return f"<Position {self._game.spec} {self.text}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self._native.same(other._native)

    def __hash__(self) -> int:
        return hash((self._game.spec, self.text))


Solvable = Union[str, Game, AnyGame, Position]
"""What questions can be asked about: a position, or a game at its start."""


def game(of: str | Game | AnyGame) -> AnyGame:
    """The game that a spec such as ``connect4:7x6`` names, that a ``.toml`` file describes, or whose rules are given.

    >>> import delphic
    >>> delphic.game("connect4").spec
    'connect4:7x6'
    """
    if isinstance(of, AnyGame):
        return of
    if isinstance(of, str):
        return AnyGame(NativeGame.named(of))
    name = of.name if of.name is not None else f"python:{type(of).__name__}"
    return AnyGame(NativeGame.own(of, name, optional_methods(of)), of)


def position_of(what: Solvable) -> Position:
    """The position that is meant."""
    return what if isinstance(what, Position) else game(what).start


def games() -> dict[str, str]:
    """The games that have names, and what each of them is.

    >>> import delphic
    >>> "hex" in delphic.games()
    True
    """
    return {row["game"]: row["about"] for row in json.loads(lists()[0])["games"]}


def solvers() -> dict[str, str]:
    """The solvers, and what each of them does.

    >>> import delphic
    >>> [name for name in delphic.solvers() if name.startswith("df")]
    ['dfpn', 'dfpp', 'dfppn']
    """
    return {row["solver"]: row["about"] for row in json.loads(lists()[1])["solvers"]}


def agents() -> dict[str, str]:
    """The agents, and what each of them does. Every solver is an agent, too.

    >>> import delphic
    >>> list(delphic.agents())
    ['random', 'uct', 'sb-mcts', 'pn-mcts', 'gpn-mcts']
    """
    return {row["agent"]: row["about"] for row in json.loads(lists()[2])["agents"]}
