"""Games written in Python: through all solvers, certificates, agents and analysis."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import delphic
from tests.games import ConnectFour, Nim, Placing, TicTacToe

SOLVERS = list(delphic.solvers())

# One object for all solvers: what the rules say about a state is asked once.
GAMES = {
    "tictactoe": delphic.game(TicTacToe()),
    "connect4:4x4": delphic.game(ConnectFour(4, 4)),
    "mnk3:3,3,3": delphic.game(Placing(3, 3, 3, players=3)),
}


@pytest.mark.parametrize(("spec", "solver"), list(product(GAMES, SOLVERS)))
def test_every_solver_finds_the_value_of_the_built_in_game(spec: str, solver: str) -> None:
    ours, theirs = delphic.solve(GAMES[spec], solver=solver), delphic.solve(spec, solver=solver)
    assert ours.stopped_by == "solved"
    assert (ours.value, ours.bounds) == (theirs.value, theirs.bounds)
    assert ours.value is not None


@pytest.mark.parametrize("solver", SOLVERS)
def test_every_solver_gives_certificates(solver: str, tmp_path: Path) -> None:
    certificate = delphic.prove(GAMES["tictactoe"], solver=solver).certificate
    assert certificate is not None
    certificate.save(tmp_path / "x.proof")
    # A new object of the same class has the same fingerprint.
    checked = delphic.check(tmp_path / "x.proof", TicTacToe())
    assert checked.claims == ("first >= 0", "first < 1")


def test_searches_are_the_same_as_those_of_the_built_in_game() -> None:
    """The same tree in the same order: every count is the same."""
    for solver in ("pns", "pnt", "pp", "ppt", "brute"):
        ours = delphic.solve(ConnectFour(4, 4), solver=solver).stats
        theirs = delphic.solve("connect4:4x4", solver=solver).stats
        assert (ours.created, ours.expanded, ours.visited) == (theirs.created, theirs.expanded, theirs.visited)


def test_optional_methods_change_nothing_but_the_work() -> None:
    plain, rich = delphic.game(Placing(3, 3, 3)), GAMES["tictactoe"]
    assert delphic.perft(plain, 5) == delphic.perft(rich, 5) == delphic.perft("tictactoe", 5) == 15120
    for solver in ("alphabeta", "dfpn", "ppt:symmetry=on", "pnt"):
        ours, theirs = (delphic.solve(game, solver=solver) for game in (plain, rich))
        assert ours.value == theirs.value == "draw"
    few = delphic.solve(rich, solver="ppt:symmetry=on").stats.created
    assert few < delphic.solve(plain, solver="ppt:symmetry=on").stats.created


def test_rules_of_a_built_in_game_are_the_same() -> None:
    assert [delphic.perft(ConnectFour(4, 4), depth) for depth in range(7)] == [
        delphic.perft("connect4:4x4", depth) for depth in range(7)
    ]


def test_nim_is_won_unless_the_sum_is_zero() -> None:
    for heaps in product(range(4), repeat=3):
        result = delphic.solve(Nim(*heaps), solver="dfpn")
        assert result.value == ("win" if heaps[0] ^ heaps[1] ^ heaps[2] else "loss"), heaps


def test_questions_about_games_for_three() -> None:
    game = GAMES["mnk3:3,3,3"]
    assert delphic.solve(game, question="maxn").payoffs == delphic.solve("mnk3:3,3,3", question="maxn").payoffs
    for player in range(3):
        ours = delphic.solve(game, player=player)
        assert ours.value == delphic.solve("mnk3:3,3,3", player=player).value
        assert ours.player == ("first", "second", "third")[player]


def test_analysis_is_that_of_the_built_in_game() -> None:
    rng = random.Random(5)
    for _ in range(10):
        line = " ".join(rng.sample(delphic.game("tictactoe").start.moves, 3))
        ours = delphic.analyze(GAMES["tictactoe"].position(line))
        theirs = delphic.analyze(delphic.game("tictactoe").position(line))
        assert ours.value == theirs.value
        assert {(move.move, move.bounds, move.plies) for move in ours.moves} == {
            (move.move, move.bounds, move.plies) for move in theirs.moves
        }


def test_positions() -> None:
    game = delphic.game(Nim(1, 2))
    start = game.start
    assert start.state == ((1, 2), 0)
    assert start.moves == ("0-1", "1-1", "1-2")
    after = start.play((1, 2))
    assert after == start.play("1-2") and hash(after) == hash(start.play("1-2"))
    assert after.turn == 1 and after.moves == ("0-1",)
    over = after.play("0-1")
    assert over.is_over and over.outcome == (-1, 1) and over.moves == ()
    assert game.position("((1, 0), 1)") == after
    # Equal positions of two objects with the same rules are equal.
    assert delphic.game(Nim(1, 2)).start == start
    assert delphic.game(Nim(1, 3)).start != start
    with pytest.raises(delphic.InputError, match="not a legal move"):
        start.play("9-9")
    with pytest.raises(delphic.InputError, match="not a legal move"):
        start.play((9, 9))
    with pytest.raises(delphic.InputError, match="not a state that can be read"):
        game.position("nonsense")


def test_pictures() -> None:
    position = GAMES["tictactoe"].position("b2 a1")
    assert str(position) == ". . .\n. X .\nO . ."
    assert "<svg" in position.svg() and "<svg" in delphic.game(Nim(1)).start.svg()


def test_certificates_are_for_their_own_rules() -> None:
    certificate = delphic.prove(Nim(1, 2, 4)).certificate
    assert certificate is not None and certificate.check().claims == ("first >= 1",)
    with pytest.raises(delphic.CertificateError):
        delphic.check(certificate, Nim(1, 2, 5))
    broken = certificate.data[:-3]
    with pytest.raises(delphic.CertificateError):
        delphic.check(broken, Nim(1, 2, 4))
    with pytest.raises(delphic.InputError, match="unknown game 'python'"):
        delphic.check(certificate.data)


def test_rules_that_agree_with_a_built_in_game_share_its_certificates() -> None:
    """The fingerprint compares positions, movers, moves, their order and results."""
    game = TicTacToe()
    game.name = "tictactoe"
    certificate = delphic.prove(game).certificate
    assert certificate is not None
    assert delphic.check(certificate.data).claims == ("first >= 0", "first < 1")


def test_agents_play_python_games() -> None:
    for agent in ("random", "uct", "sb-mcts", "pn-mcts", "gpn-mcts", "alphabeta", "ppn"):
        match = delphic.play(GAMES["tictactoe"], [agent, "alphabeta"], iterations="5k")
        assert match.payoffs[0] <= 0, "alphabeta does not lose"
    arena = delphic.arena(GAMES["connect4:4x4"], ["uct", "random"], games=8, iterations=200)
    assert len(arena.matches) == 8 and arena.standings[0].wins > 4


class Pairs(delphic.AndOr):
    """A random AND/OR tree whose nodes are paths."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def root(self) -> tuple[int, ...]:
        return ()

    def expand(self, node: tuple[int, ...]) -> bool | tuple[str, Sequence[Any]]:
        rng = random.Random(f"{self.seed} {node}")
        if len(node) == 5 or rng.random() < 0.1:
            return rng.random() < 0.5
        children = [(*node, place) for place in range(rng.randrange(4))]
        return rng.choice(["and", "or"]), children

    def is_true(self, node: tuple[int, ...]) -> bool:
        found = self.expand(node)
        if isinstance(found, bool):
            return found
        truths = [self.is_true(child) for child in found[1]]
        return any(truths) if found[0] == "or" else all(truths)


def test_and_or_problems() -> None:
    values: list[bool] = []
    for seed in range(40):
        problem = Pairs(seed)
        values.append(problem.is_true(()))
        for solver in ("auto", "pns", "dfpn", "ppt", "brute"):
            proved = delphic.prove(problem, player=0, solver=solver)
            assert proved.value == ("win" if values[-1] else "loss")
            if proved.certificate is not None:
                proved.certificate.check()
    assert 5 < sum(values) < 35
