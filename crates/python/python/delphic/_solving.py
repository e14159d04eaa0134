"""Questions about positions."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Union

from delphic._delphic import NativePosition
from delphic._options import Options
from delphic._certificates import Certificate
from delphic.errors import InputError
from delphic._games import Position, Solvable, position_of
from delphic._results import Analysis, Result, TreeSize

__all__ = ["Puzzle", "analyze", "estimate", "perft", "prove", "puzzle", "puzzles", "solve"]

Progress = Union[Callable[[Mapping[str, Any]], object], bool, None]
"""Receives progress as dictionaries (docs/python.md); ``True`` shows a bar of tqdm."""

UNITS = {"k": 10**3, "m": 10**6, "g": 10**9}
BYTES = {"k": 1 << 10, "m": 1 << 20, "g": 1 << 30}


def count(what: str, given: float | str | None, units: Mapping[str, int]) -> int | None:
    """A whole number such as 1000, 1e6 or ``"20k"``."""
    if given is None:
        return None
    try:
        text = str(given).strip().lower()
        factor = units.get(text[-1:], 1)
        number = float(text[:-1] if text[-1:] in units else text) * factor
        if number >= 0 and number == int(number):
            return int(number)
    except (ValueError, OverflowError):
        pass
    raise InputError(f"{what} cannot be {given!r}; expected a whole number, or one with a unit such as '20k'")


def options(
    question: str,
    player: int | None,
    solver: str,
    nodes: float | str | None,
    time: float | None,
    memory: float | str,
    threads: int,
    seed: int,
) -> Options:
    """Checks the keyword arguments that all questions have in common."""
    bytes = count("memory", memory, BYTES)
    if player is not None and player < 0:
        raise InputError(f"there is no player {player}")
    if not 0 <= threads <= 1024 or not 0 <= seed < 1 << 64:
        raise InputError("threads must be from 0 to 1024, and seed from 0 to 2**64 - 1")
    return {
        "question": question,
        "player": player,
        "solver": solver,
        "nodes": count("nodes", nodes, UNITS),
        "time": time,
        "memory": bytes if bytes is not None else 2 << 30,
        "threads": threads,
        "seed": seed,
    }


def watcher(progress: Progress) -> Callable[[str], object] | None:
    """What the search calls with its events."""
    if progress is None or progress is False:
        return None
    if progress is True:
        return Bar()
    show = progress
    return lambda event: show(json.loads(event))


class Bar:
    """Progress as a bar of tqdm: created nodes, and how many of the root's moves are decided."""

    def __init__(self) -> None:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            raise InputError("progress=True needs tqdm (pip install tqdm); or give a function") from None
        self._bar: Any = tqdm(unit=" nodes", unit_scale=True, file=sys.stderr)

    def __call__(self, event: str) -> None:
        found = json.loads(event)
        if found["event"] == "progress":
            self._bar.update(max(0, found["created"] - self._bar.n))
            self._bar.set_postfix_str(f"{found['decided']} of {found['moves']} moves decided")

    def __del__(self) -> None:
        if hasattr(self, "_bar"):
            self._bar.close()


def solve(
    what: Solvable,
    *,
    question: str = "value",
    player: int | None = None,
    solver: str = "auto",
    nodes: float | str | None = None,
    time: float | None = None,
    memory: float | str = "2G",
    threads: int = 1,
    seed: int = 1,
    progress: Progress = None,
) -> Result:
    """Finds out who wins.

    ``question`` is ``win``, ``draw``, ``value``, ``maxn`` or ``>=k``, asked for the player to move or for ``player``.
    ``solver`` is a name of :func:`~delphic.solvers` with parameters, such as ``ppn:playouts=20``. The search ends with
    an answer or at a limit: created ``nodes``, ``time`` in seconds, ``memory`` in bytes. The first Ctrl-C stops it and
    returns what is known, the second raises. With one thread the same seed gives the same search.

    >>> import delphic
    >>> result = delphic.solve("connect4:5x4", solver="dfpn")
    >>> result.verdict
    <Verdict.DRAW: 'draw'>
    """
    position = position_of(what)
    wanted = options(question, player, solver, nodes, time, memory, threads, seed)
    report, text = native(position).solve(wanted, watcher(progress))
    return Result(position, report, text)


def prove(
    what: Solvable,
    *,
    question: str = "value",
    player: int | None = None,
    solver: str = "auto",
    nodes: float | str | None = None,
    time: float | None = None,
    memory: float | str = "2G",
    threads: int = 1,
    seed: int = 1,
    progress: Progress = None,
) -> Result:
    """:func:`solve`, and a certificate of the answer in :attr:`~delphic.Result.certificate`, if there is an answer.

    >>> import delphic
    >>> delphic.prove("tictactoe").certificate.check().claims
    ('first >= 0', 'first < 1')
    """
    position = position_of(what)
    wanted = options(question, player, solver, nodes, time, memory, threads, seed)
    report, text, file = native(position).prove(wanted, watcher(progress))
    certificate = None if file is None else Certificate(file, position.game)
    return Result(position, report, text, certificate)


def analyze(
    what: Solvable,
    *,
    question: str = "value",
    solver: str = "auto",
    nodes: float | str | None = None,
    time: float | None = None,
    memory: float | str = "2G",
    threads: int = 1,
    seed: int = 1,
    exact: float | str = "1m",
    progress: Progress = None,
) -> Analysis:
    """The value of every legal move, and how long the game lasts after it. Exact lengths may take ``exact`` positions.

    >>> import delphic
    >>> delphic.analyze("nim:1,3").best
    ('b2',)
    """
    position = position_of(what)
    wanted = options(question, None, solver, nodes, time, memory, threads, seed)
    report, text = native(position).analyze(wanted, count("exact", exact, UNITS) or 0, watcher(progress))
    return Analysis(position, report, text)


def estimate(what: Solvable, *, samples: int = 1000, seed: int = 1) -> TreeSize:
    """How big the game tree is, from random games.

    >>> import delphic
    >>> abs(delphic.estimate("tictactoe").log10_tree - 5.74) < 0.1
    True
    """
    return TreeSize(**json.loads(native(position_of(what)).estimate(samples, seed)))


def perft(what: Solvable, depth: int) -> int:
    """The number of lines of play of exactly ``depth`` plies, a test of rules.

    >>> import delphic
    >>> [delphic.perft("tictactoe", depth) for depth in range(5)]
    [1, 9, 72, 504, 3024]
    """
    if depth < 0:
        raise InputError(f"depth cannot be {depth}")
    return native(position_of(what)).perft(depth)


@dataclass(frozen=True)
class Puzzle:
    """A position with exactly one winning move."""

    position: Position
    solution: str
    plies: int
    """How long the game lasts at most."""
    line: tuple[str, ...]
    certificate: Certificate

    def _repr_svg_(self) -> str:
        return self.position.svg()


def puzzles(
    what: Solvable,
    *,
    plies: int | None = None,
    depth: int = 3,
    tries: int = 1000,
    solver: str = "auto",
    nodes: float | str | None = "1m",
    time: float | None = None,
    memory: float | str = "2G",
    seed: int = 1,
) -> Iterator[Puzzle]:
    """Looks for positions with exactly one winning move in random games: after ``plies`` moves, or anywhere, where the
    game lasts at least ``depth`` plies more. Each comes with a certificate that was checked.
    """
    start, seen = position_of(what), set[Position]()
    win = start.game.payoffs[-1]
    effort: dict[str, Any] = {"solver": solver, "nodes": nodes, "time": time, "memory": memory, "seed": seed}
    for nth in range(tries):
        position = start.random(plies, (seed + nth) % (1 << 64))
        if position.is_over or position in seen:
            continue
        seen.add(position)
        if solve(position, question="win", **effort).json["verdict"] != "proved":
            continue
        winning = [move for move in analyze(position, question="win", **effort).moves if move.bounds[1] in ("win", win)]
        if len(winning) != 1 or winning[0].bounds[0] != winning[0].bounds[1]:
            continue
        lasts = winning[0].plies if winning[0].plies is not None else winning[0].plies_at_most
        if lasts is None or lasts < depth:
            continue
        proof = prove(position, question="win", **effort)
        if proof.certificate is not None:
            proof.certificate.check()
            yield Puzzle(position, winning[0].move, lasts, winning[0].line or proof.line, proof.certificate)


def puzzle(what: Solvable, **options: Any) -> Puzzle | None:
    """The first of :func:`puzzles`, with the same keyword arguments; ``None`` if none was found.

    >>> import delphic
    >>> puzzle = delphic.puzzle("tictactoe", seed=3)
    >>> len(delphic.analyze(puzzle.position, question="win").best), puzzle.plies >= 3
    (1, True)
    """
    return next(puzzles(what, **options), None)


def native(position: Position) -> NativePosition:
    """The position as the extension module knows it."""
    return position._native  # pyright: ignore[reportPrivateUsage]
