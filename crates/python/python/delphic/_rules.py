"""Games of your own: a class with a few methods."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Sequence
from typing import Any, ClassVar, cast

__all__ = ["AndOr", "Game"]


class Game(ABC):
    """The rules of a game. Subclass it, and every solver, agent, analysis and certificate takes the game.

    A state can be any hashable object that is not changed by the rules: a tuple, a string, a frozen dataclass.
    It holds everything that matters for the rest of the game, the player to move included. No state may come
    back in the same game; if it does, :class:`~delphic.GameError` says so.

    >>> import delphic
    >>> class Nim(delphic.Game):
    ...     payoffs = (-1, 1)
    ...     def __init__(self, *heaps):
    ...         self.heaps = heaps
    ...     def start(self):
    ...         return self.heaps, 0
    ...     def turn(self, state):
    ...         return state[1]
    ...     def moves(self, state):
    ...         return [(h, n) for h, size in enumerate(state[0]) for n in range(1, size + 1)]
    ...     def play(self, state, move):
    ...         heaps, (h, n) = list(state[0]), move
    ...         heaps[h] -= n
    ...         return tuple(heaps), 1 - state[1]
    >>> delphic.solve(Nim(3, 4, 5)).value
    'win'
    >>> delphic.analyze(Nim(1, 3)).best
    ('1-2',)
    """

    name: str | None = None
    """The name in reports and certificates; by default ``python:`` and that of the class."""

    players: int = 2
    """The number of players, at most four."""

    payoffs: Sequence[int] = (-1, 0, 1)
    """Every payoff that a player can get. Fewer mean fewer questions for an exact answer."""

    optional: ClassVar[tuple[str, ...]] = ("key", "children", "symmetries")

    @abstractmethod
    def start(self) -> Any:
        """The state in which the game starts."""

    @abstractmethod
    def turn(self, state: Any) -> int:
        """The player to move, from 0."""

    @abstractmethod
    def moves(self, state: Any) -> Iterable[Any]:
        """The legal moves, always in the same order. Asked only while :meth:`outcome` is ``None``."""

    @abstractmethod
    def play(self, state: Any, move: Any) -> Any:
        """The state after a legal move. The given state must not change."""

    def outcome(self, state: Any) -> float | Sequence[float] | None:
        """``None`` while the game goes on; then the first player's payoff, or the payoffs of all players."""
        return None

    def stuck(self, state: Any) -> float | Sequence[float] | None:
        """The same where there is no legal move; ``None`` means that the player to move loses."""
        return None

    def key(self, state: Any) -> Hashable:
        """What a state is known by, if not by itself: equal keys must mean equal positions."""
        return state  # type: ignore[no-any-return]

    def children(self, state: Any) -> Iterable[Any]:
        """The states after all moves, in the order of :meth:`moves`, if that is faster than one by one."""
        return [self.play(state, move) for move in self.moves(state)]

    def symmetries(self, state: Any) -> Iterable[Any]:
        """States that are the same up to symmetry: the same player moves and the value is the same."""
        return ()

    def write(self, state: Any) -> str:
        """A state as one line of text; by default ``repr``."""
        return repr(state)

    def read(self, text: str) -> Any:
        """The state that a text describes; ``ValueError`` if it is none. By default Python literals are read."""
        try:
            state = ast.literal_eval(text)
            if self.write(state) == text:
                return state
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            pass
        raise ValueError(f"'{text}' is not a state that can be read; give moves instead, or define read")

    def write_move(self, state: Any, move: Any) -> str:
        """A move as text without blanks and commas; by default its parts, joined by hyphens."""
        return word(move)

    def picture(self, state: Any) -> str | None:
        """Lines with one character for each cell, to be drawn as a board: ``.`` is an empty cell, ``X`` and ``O`` are
        stones, other capitals are pieces of the first player, small letters of the second, ``#`` is a block."""
        return None


def word(move: object) -> str:
    """A move as a word."""
    if isinstance(move, (tuple, list)):
        parts = cast("Sequence[object]", move)
        return "-".join(word(part) for part in parts)
    return str(move).replace(" ", "_").replace(",", ";")


def optional_methods(game: Game) -> list[str]:
    """The optional methods that a game defines."""
    return [name for name in Game.optional if getattr(type(game), name) is not getattr(Game, name)]


class AndOr(Game):
    """An AND/OR problem that is no game. A node is a leaf that is true or false, an OR node, which is true if one of
    its children is, or an AND node, which is true if all of them are. No node is its own descendant.

    The value ``win`` means that the root is true, ``loss`` that it is false.

    >>> import delphic
    >>> class Coins(delphic.AndOr):
    ...     "Can a sum be paid with coins of 3 and 5?"
    ...     def __init__(self, total):
    ...         self.total = total
    ...     def root(self):
    ...         return self.total
    ...     def expand(self, left):
    ...         if left <= 0:
    ...             return left == 0
    ...         return "or", [left - 3, left - 5]
    >>> [total for total in range(1, 12) if delphic.solve(Coins(total)).value == "win"]
    [3, 5, 6, 8, 9, 10, 11]
    """

    payoffs: Sequence[int] = (-1, 1)

    @abstractmethod
    def root(self) -> Any:
        """The node in question: any hashable object."""

    @abstractmethod
    def expand(self, node: Any) -> bool | tuple[str, Sequence[Any]]:
        """``True`` or ``False`` for a leaf, otherwise ``("or", children)`` or ``("and", children)``."""

    def start(self) -> Any:
        return self.root()

    def outcome(self, state: Any) -> int | None:
        node = self.expand(state)
        if isinstance(node, bool):
            return 1 if node else -1
        # An OR node without children is false, an AND node without children is true.
        gate, children = node
        return None if len(children) else (-1 if self._player(gate) == 0 else 1)

    def turn(self, state: Any) -> int:
        node = self.expand(state)
        return 0 if isinstance(node, bool) else self._player(node[0])

    def moves(self, state: Any) -> Iterable[int]:
        node = self.expand(state)
        return range(0 if isinstance(node, bool) else len(node[1]))

    def play(self, state: Any, move: int) -> Any:
        node = self.expand(state)
        assert not isinstance(node, bool)
        return node[1][move]

    @staticmethod
    def _player(gate: str) -> int:
        if gate not in ("or", "and"):
            raise ValueError(f"expand returned the gate {gate!r}; expected 'or' or 'and'")
        return 0 if gate == "or" else 1
