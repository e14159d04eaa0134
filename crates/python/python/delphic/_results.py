"""What comes of a question."""

from __future__ import annotations

import enum
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NoReturn, Union

from delphic import _html as html
from delphic._certificates import Certificate
from delphic._games import Position

__all__ = ["Analysis", "MoveValue", "Result", "Stats", "TreeSize", "Value", "Verdict"]

Value = Union[Literal["win", "draw", "loss"], int]
"""``"win"``, ``"draw"`` or ``"loss"``, or a number in games with scores."""


class Verdict(enum.Enum):
    """What is known. Only ``UNKNOWN`` and ``ESTIMATED`` are no proofs."""

    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"
    SCORE = "score"
    """The value is known, and it is a number."""
    PROVED = "proved"
    """The answer to the question is yes. The value itself is not known."""
    DISPROVED = "disproved"
    """The answer is no. The value itself is not known."""
    ESTIMATED = "estimated"
    """A solver with ``precision=`` came close to an answer, which is no proof."""
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Stats:
    """Counters of a search."""

    iterations: int
    created: int
    expanded: int
    visited: int
    playouts: int
    seconds: float
    peak_bytes: int


class Result:
    """The answer to a question about a position.

    An unknown answer is an answer, not an error, so a result is neither true nor false:

    >>> import delphic
    >>> result = delphic.solve("connect4", question="win", nodes=1000)
    >>> result.verdict, result.value, result.stopped_by
    (<Verdict.UNKNOWN: 'unknown'>, None, 'nodes')
    >>> bool(result)
    Traceback (most recent call last):
    TypeError: a result is neither true nor false; ask for its verdict or its value
    """

    def __init__(
        self, position: Position, report: str, text: str, certificate: Certificate | None = None
    ) -> None:
        self.position = position
        """The position that was asked about."""
        self.json: Mapping[str, Any] = json.loads(report)
        """Everything, as ``--json`` prints it."""
        self.certificate = certificate
        """The certificate, if :func:`~delphic.prove` made one."""
        self._text = text

    @property
    def verdict(self) -> Verdict:
        """What is known."""
        if isinstance(self.value, str):
            return Verdict(self.value)
        return Verdict.SCORE if self.value is not None else Verdict(self.json["verdict"])

    @property
    def value(self) -> Value | None:
        """The value for :attr:`player`, if it is known."""
        value: Value | None = self.json["value"]
        return value

    @property
    def bounds(self) -> tuple[Value, Value]:
        """The least and the greatest value that are not excluded."""
        return self.json["at_least"], self.json["at_most"]

    @property
    def player(self) -> str:
        """Whose value it is: ``first``, ``second``, …"""
        return str(self.json["for"])

    @property
    def payoffs(self) -> tuple[int, ...] | None:
        """To the question ``maxn``, the payoffs of all players."""
        payoffs = self.json["payoffs"]
        return None if payoffs is None else tuple(payoffs)

    @property
    def line(self) -> tuple[str, ...]:
        """Moves: if there is an answer, a line of play that shows it; otherwise the line searched last."""
        return tuple(self.json["line"])

    @property
    def plies(self) -> int | None:
        """How long the game can last at most, if the proof's moves are played."""
        plies: int | None = self.json["plies_at_most"]
        return plies

    @property
    def stats(self) -> Stats:
        """The counters of the search."""
        return Stats(**self.json["stats"])

    @property
    def stopped_by(self) -> str:
        """Why the search ended: ``solved``, ``nodes``, ``time``, ``memory``, ``interrupted`` or ``precision``."""
        return str(self.json["stop"])

    @property
    def estimate(self) -> float | None:
        """The solver's guess that the answer is yes, while the question is open. It proves nothing."""
        estimate: float | None = self.json["root"]["p"]
        return estimate

    @property
    def solver(self) -> str:
        """The solver with all its parameters."""
        return str(self.json["solver"])

    def __bool__(self) -> NoReturn:
        raise TypeError("a result is neither true nor false; ask for its verdict or its value")

    def __str__(self) -> str:
        return self._text.rstrip()

    def __repr__(self) -> str:
        known = self.verdict.name if self.value is None or isinstance(self.value, str) else self.value
        return f"<Result {known} for the {self.player} player, {self.json['game']}>"

    def _repr_html_(self) -> str:
        rows = [line.partition(" ") for line in self._text.splitlines()[1:] if line]
        table = html.table([(label, text.strip()) for label, _, text in rows])
        return html.beside(self.position.svg(), html.heading(self._text.partition("\n")[0]) + table)


@dataclass(frozen=True)
class MoveValue:
    """What is known of a move."""

    move: str
    bounds: tuple[Value, Value]
    """The least and the greatest value for the player who makes it that are not excluded."""
    plies: int | None
    """Exactly how long the game lasts, the move included, if the move decides it."""
    plies_at_most: int | None
    """The same from the proof, if the exact number is not known."""
    line: tuple[str, ...]
    """If the length is exact, a line of that length."""

    @property
    def value(self) -> Value | None:
        """The value, if it is known."""
        return self.bounds[0] if self.bounds[0] == self.bounds[1] else None


class Analysis(Result):
    """What is known of a position and all its moves.

    >>> import delphic
    >>> analysis = delphic.analyze(delphic.game("tictactoe").position("a1 b1"))
    >>> analysis.value, analysis.best, analysis["c3"].value
    ('win', ('a3', 'a2', 'b2'), 'draw')
    """

    @property
    def moves(self) -> tuple[MoveValue, ...]:
        """All legal moves, in the order of the rules."""
        return tuple(
            MoveValue(
                row["move"],
                (row["at_least"], row["at_most"]),
                row["plies"],
                row["plies_at_most"],
                tuple(row["line"]),
            )
            for row in self.json["moves"]
        )

    @property
    def best(self) -> tuple[str, ...]:
        """The moves that are known to have the value of the position."""
        return tuple(self.json["best"])

    @property
    def complete(self) -> bool:
        """Whether the values of all moves are known."""
        return bool(self.json["complete"])

    def __getitem__(self, move: str) -> MoveValue:
        for value in self.moves:
            if value.move == move:
                return value
        raise KeyError(move)

    def __repr__(self) -> str:
        return f"<Analysis {self.verdict.name}, best {' '.join(self.best)}, {self.json['game']}>"

    def _repr_html_(self) -> str:
        def cells(row: MoveValue) -> tuple[str, ...]:
            low, high = row.bounds
            length = row.plies if row.plies is not None else row.plies_at_most
            exactly = "" if row.plies is not None else "at most "
            best = "★" if row.move in self.best else ""
            value = str(low) if low == high else f"{low} to {high}"
            return row.move, value, "" if length is None else f"{exactly}{length}", best

        table = html.table([cells(row) for row in self.moves], ("move", "value", "plies", "best"))
        return html.beside(self.position.svg(), html.heading(self._text.partition("\n")[0]) + table)


@dataclass(frozen=True)
class TreeSize:
    """What random games say about the size of a game. Sizes are decimal logarithms."""

    samples: int
    log10_tree: float
    log10_tree_low: float
    log10_tree_high: float
    log10_states_at_most: float | None
    plies_mean: float
    plies_longest: int
    branching_mean: float
