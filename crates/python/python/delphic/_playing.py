"""Agents that play, matches between them, and learning."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from os import PathLike
from typing import Any

from delphic import _html as html
from delphic._delphic import NativePlayer
from delphic._delphic import arena as play_matches
from delphic._delphic import learn as learn_patterns
from delphic._options import Lesson, MoveLimits
from delphic.errors import InputError
from delphic._games import Position, Solvable, position_of
from delphic._solving import BYTES, UNITS, count, native

__all__ = ["Arena", "Match", "Player", "Thought", "arena", "learn", "play"]


@dataclass(frozen=True)
class Thought:
    """What an agent thinks of a position."""

    move: str
    """The move it chooses."""
    moves: tuple[dict[str, Any], ...]
    """Every legal move with ``visits``, ``mean``, ``at_least`` and ``at_most``."""
    stopped_by: str
    iterations: int
    seconds: float


def limits(iterations: float | str | None, time: float | None, memory: float | str, threads: int) -> MoveLimits:
    """What an agent may spend on a move: by default 1,000 iterations."""
    if iterations is None and time is None:
        iterations = 1000
    bytes = count("memory", memory, BYTES)
    return {
        "iterations": count("iterations", iterations, UNITS),
        "time": time,
        "memory": bytes if bytes is not None else 2 << 30,
        "threads": threads,
    }


class Player:
    """An agent at play. It follows the game, so that it can go on where it stopped thinking.

    >>> import delphic
    >>> player = delphic.Player("sb-mcts", "tictactoe", iterations=500)
    >>> move = player.think().move
    >>> player.advance(move)
    >>> player.position.turn
    1
    """

    def __init__(
        self,
        agent: str,
        what: Solvable,
        *,
        iterations: float | str | None = None,
        time: float | None = None,
        memory: float | str = "2G",
        threads: int = 1,
        seed: int = 1,
    ) -> None:
        self._position = position_of(what)
        self._limits = limits(iterations, time, memory, threads)
        self._native = NativePlayer(native(self._position), agent, seed)

    @property
    def agent(self) -> str:
        """The agent with all its parameters."""
        return self._native.name

    @property
    def position(self) -> Position:
        """Where the game is."""
        return self._position

    def think(self) -> Thought:
        """Chooses a move."""
        if self._position.is_over:
            raise InputError("the game is over")
        found = json.loads(self._native.think(self._limits))
        stats = found["stats"]
        moves = tuple(found["moves"])
        return Thought(found["move"], moves, found["stop"], stats["iterations"], stats["seconds"])

    def advance(self, move: str) -> None:
        """Makes a move, of whichever player."""
        moves = self._position.moves
        if move not in moves:
            raise InputError(f"'{move}' is not a legal move here; legal: {' '.join(moves[:12])}")
        after = self._position.play(move)
        self._native.advance(moves.index(move))
        self._position = after


def play(
    what: Solvable,
    agents: Sequence[str],
    *,
    iterations: float | str | None = None,
    time: float | None = None,
    memory: float | str = "2G",
    seed: int = 1,
) -> Match:
    """A game between agents, one for each player.

    >>> import delphic
    >>> match = delphic.play("tictactoe", ["alphabeta", "alphabeta"])
    >>> match.payoffs
    (0, 0)
    """
    position = position_of(what)
    if len(agents) != position.game.players:
        raise InputError(f"{position.game.spec} has {position.game.players} players, not {len(agents)}")
    effort: dict[str, Any] = {"iterations": iterations, "time": time, "memory": memory}
    players = [Player(agent, position, seed=seed + seat, **effort) for seat, agent in enumerate(agents)]
    moves: list[str] = []
    while not position.is_over:
        moves.append(players[position.turn].think().move)
        for player in players:
            player.advance(moves[-1])
        position = players[0].position
    return Match(tuple(agents), tuple(moves), position.outcome or ())


@dataclass(frozen=True)
class Match:
    """A game that was played."""

    agents: tuple[str, ...]
    """The agent of every player."""
    moves: tuple[str, ...]
    payoffs: tuple[int, ...]


@dataclass(frozen=True)
class Standing:
    """Results of one agent against another."""

    agent: str
    opponent: str
    games: int
    wins: int
    draws: int
    losses: int
    score: float
    """The share of the points, draws counting half."""
    low: float
    high: float
    """Where the score lies with 95 % confidence (Wilson)."""


@dataclass(frozen=True)
class Arena:
    """The matches of some agents."""

    standings: tuple[Standing, ...]
    matches: tuple[Match, ...]
    interrupted: bool

    def _repr_html_(self) -> str:
        head = ("agent", "opponent", "games", "+", "=", "−", "score", "95 %")
        rows = [
            (s.agent, s.opponent, str(s.games), str(s.wins), str(s.draws), str(s.losses))
            + (f"{s.score:.3f}", f"{s.low:.3f} to {s.high:.3f}")
            for s in self.standings
        ]
        return html.table(rows, head)


def arena(
    what: Solvable,
    agents: Sequence[str],
    *,
    games: int = 10,
    opening: int = 2,
    iterations: float | str | None = None,
    time: float | None = None,
    memory: float | str = "2G",
    seed: int = 1,
) -> Arena:
    """Matches between every two agents, ``games`` each, after ``opening`` random plies, with colours changed.

    >>> import delphic
    >>> arena = delphic.arena("connect4:4x4", ["uct", "random"], games=10, iterations=200)
    >>> arena.standings[0].wins > arena.standings[0].losses
    True
    """
    if len(agents) < 2 or games < 1 or opening < 0:
        raise InputError("an arena needs two agents or more, and at least one game")
    position = position_of(what)
    budget = limits(iterations, time, memory, 1)
    found = json.loads(play_matches(native(position), list(agents), games, opening, seed, budget))
    names: list[str] = found["agents"]
    rows: list[dict[str, Any]] = found["games"]
    matches = tuple(
        Match(tuple(names[int(seat)] for seat in row["seats"]), tuple(row["moves"]), tuple(row["payoffs"]))
        for row in rows
    )
    standings: list[Standing] = []
    for a in range(len(names)):
        for b in range(a + 1, len(names)):
            points: list[float] = [row["points"] for row in rows if row["pair"] == [a, b]]
            if points:
                standings.append(standing(names[a], names[b], points))
    return Arena(tuple(standings), matches, found["interrupted"])


def standing(agent: str, opponent: str, points: Sequence[float]) -> Standing:
    """What a series of games says."""
    games, total = len(points), sum(points)
    wins, losses = sum(point == 1 for point in points), sum(point == 0 for point in points)
    z = 1.959964
    centre, spread = total + z * z / 2, z * sqrt(total * (games - total) / games + z * z / 4)
    low, high = ((centre + sign * spread) / (games + z * z) for sign in (-1, 1))
    return Standing(agent, opponent, games, wins, games - wins - losses, losses, total / games, low, high)


def learn(
    what: Solvable,
    path: str | PathLike[str],
    *,
    positions: Sequence[Position] | None = None,
    random: int = 150,
    plies: int = 8,
    solver: str = "ppt",
    nodes: float | str | None = "300k",
    time: float | None = None,
    memory: float | str = "2G",
    passes: int = 3,
    test: float = 1 / 3,
    model: str = "gaussian",
    seed: int = 1,
) -> dict[str, Any]:
    """Learns patterns from solved positions and saves them in a file, which solvers use with ``prior=FILE``.

    Returns the learning curve and the comparison on the test positions, as ``delphic learn --json`` prints them.
    """
    start = position_of(what)
    if positions is None:
        positions = [start.random(plies, (seed ^ nth << 20) % (1 << 64)) for nth in range(random)]
    bytes = count("memory", memory, BYTES)
    lesson: Lesson = {
        "solver": solver,
        "nodes": count("nodes", nodes, UNITS),
        "time": time,
        "memory": bytes if bytes is not None else 2 << 30,
        "passes": passes,
        "test": test,
        "model": model,
        "seed": seed,
    }
    found: dict[str, Any] = json.loads(learn_patterns([native(position) for position in positions], path, lesson))
    return found
