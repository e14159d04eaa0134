"""The suite finds what is wrong with rules."""

from __future__ import annotations

import random
from typing import Any

import pytest

import delphic
from tests.games import ConnectFour, Nim, Placing, TicTacToe


@pytest.mark.parametrize(
    "game", [TicTacToe(), ConnectFour(4, 4), Placing(3, 3, 3, players=3), Nim(1, 2, 3)], ids=lambda game: type(game).__name__
)
def test_good_games_have_no_problem(game: delphic.Game) -> None:
    report = delphic.conformance(game)
    assert report.ok, report
    assert report.positions > 50


class Matches(delphic.Game):
    """Take one or two of some matches."""

    def start(self) -> Any:
        return 6, 0

    def turn(self, state: Any) -> int:
        return int(state[1])

    def moves(self, state: Any) -> Any:
        return [taken for taken in (1, 2) if taken <= state[0]]

    def play(self, state: Any, move: Any) -> Any:
        return state[0] - move, 1 - state[1]


class Unhashable(Matches):
    def start(self) -> Any:
        return [6, 0]

    def play(self, state: Any, move: Any) -> Any:
        return [state[0] - move, 1 - state[1]]


class Changing(Unhashable):
    def key(self, state: Any) -> Any:
        return tuple(state)

    def play(self, state: Any, move: Any) -> Any:
        state[0] -= move
        state[1] = 1 - state[1]
        return state


class Repeating(Matches):
    def moves(self, state: Any) -> Any:
        return [1, 2, -1] if state[0] else []

    def play(self, state: Any, move: Any) -> Any:
        return max(0, min(6, state[0] - move)), 1 - state[1]


class Twice(Matches):
    def moves(self, state: Any) -> Any:
        return [1, 2, 1] if state[0] >= 2 else []


class SameText(Matches):
    def write_move(self, state: Any, move: Any) -> str:
        return "take"


class UnsoundKey(Matches):
    """The key forgets whose turn it is."""

    def key(self, state: Any) -> Any:
        return state[0]


class Moody(Matches):
    """Other moves at every call."""

    calls = 0

    def moves(self, state: Any) -> Any:
        self.calls += 1
        found = super().moves(state)
        return found if self.calls % 2 else found[::-1]


class HiddenState(Matches):
    """Equal states that go on differently: equality ignores a part."""

    class State(tuple[int, ...]):
        first = 0

    def play(self, state: Any, move: Any) -> Any:
        after = HiddenState.State((state[0] - move, 1 - state[1]))
        after.first = getattr(state, "first", move)
        return after

    def moves(self, state: Any) -> Any:
        return [1] if getattr(state, "first", 0) == 2 and state[0] == 2 else super().moves(state)


class WrongChildren(Matches):
    def children(self, state: Any) -> Any:
        return [self.play(state, move) for move in reversed(self.moves(state))]


class WrongSymmetry(Matches):
    def symmetries(self, state: Any) -> Any:
        return [(max(0, state[0] - 1), state[1])]


class WrongRead(Matches):
    def read(self, text: str) -> Any:
        return 1, 0


class WrongPayoff(Matches):
    def outcome(self, state: Any) -> Any:
        return None if state[0] else 7


class NoTurn(Matches):
    def turn(self, state: Any) -> int:
        return 5


class Endless(Matches):
    def moves(self, state: Any) -> Any:
        return [-1]


@pytest.mark.parametrize(
    ("game", "words"),
    [
        (Unhashable(), "must be hashable"),
        (Changing(), "play changes the state"),
        (Repeating(), "repeated"),
        (Twice(), "twice"),
        (SameText(), "same text"),
        (UnsoundKey(), "states with the same key have different futures"),
        (Moody(), "asked again"),
        (HiddenState(), "states that are equal have different futures"),
        (WrongChildren(), "children differ"),
        (WrongSymmetry(), "symmetri"),
        (WrongRead(), "another state"),
        (WrongPayoff(), "not among the game's payoffs"),
        (NoTurn(), "turn returns 5"),
        (Endless(), "not over after"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, delphic.Game) else "",
)
def test_broken_rules_are_found(game: delphic.Game, words: str) -> None:
    report = delphic.conformance(game)
    assert any(words in problem for problem in report.problems), report.problems


class Graph(delphic.Game):
    """A walk over a random graph; a state is a node, the players take turns by its number."""

    def __init__(self, seed: int) -> None:
        rng = random.Random(seed)
        size = rng.randrange(3, 12)
        edges = rng.randrange(size, 2 * size)
        self.after: list[list[int]] = [[] for _ in range(size)]
        order = rng.sample(range(size), size)
        for _ in range(edges):
            one, other = sorted(rng.sample(range(size), 2))
            self.after[order[one]].append(order[other])
        if seed % 2:
            one, other = rng.sample(range(size), 2)
            self.after[order[one]].append(order[other])
        self.after = [sorted(set(nodes)) for nodes in self.after]
        self.first = order[0]

    def start(self) -> int:
        return self.first

    def turn(self, state: int) -> int:
        return state % 2

    def moves(self, state: int) -> list[int]:
        return self.after[state]

    def play(self, state: int, move: int) -> int:
        return move

    def has_cycle(self) -> bool:
        def above_itself(node: int, above: tuple[int, ...]) -> bool:
            return node in above or any(above_itself(after, (*above, node)) for after in self.after[node])

        return above_itself(self.first, ())


def test_exactly_the_graphs_with_cycles_are_refused() -> None:
    """The order of the states finds a cycle if and only if there is one that can be reached."""
    cyclic = 0
    for seed in range(400):
        graph = Graph(seed)
        cyclic += graph.has_cycle()
        if graph.has_cycle():
            with pytest.raises(delphic.GameError, match="can be repeated"):
                delphic.perft(graph, 12)
        else:
            assert delphic.perft(graph, 12) == 0
            assert delphic.solve(graph).value in ("win", "loss")
    assert 50 < cyclic < 350


@pytest.mark.parametrize("solver", ["auto", "pns", "ppt", "dfpn", "uct", "brute"])
@pytest.mark.parametrize(
    ("game", "words"),
    [
        (Unhashable(), "must be hashable"),
        (Repeating(), "can be repeated"),
        (WrongPayoff(), "not among the game's payoffs"),
        (NoTurn(), "turn returned 5"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, delphic.Game) else "",
)
def test_searches_refuse_what_they_notice(game: delphic.Game, words: str, solver: str) -> None:
    with pytest.raises(delphic.GameError, match=words):
        delphic.solve(game, solver=solver)
