"""Exceptions: those of users' code come back as they are, and bad input has the messages of the command line."""

from __future__ import annotations

import gc
import random
import traceback
from collections.abc import Callable
from typing import Any

import pytest

import delphic
from tests.games import ConnectFour, TicTacToe

METHODS = ["start", "turn", "outcome", "moves", "play", "children", "symmetries", "write", "write_move"]


class Boom(Exception):
    """An error of a user."""


def failing(method: str, call: int) -> delphic.Game:
    """Tic-tac-toe with a method that fails at its call number ``call``."""

    class Failing(TicTacToe):
        calls = 0

    def fail(self: Any, *args: Any) -> Any:
        self.calls += 1
        if self.calls == call:
            raise Boom(f"{method} {call}")
        return getattr(TicTacToe, method)(self, *args)

    setattr(Failing, method, fail)
    return Failing()


@pytest.mark.parametrize("seed", range(50))
def test_exceptions_of_rules_come_back(seed: int) -> None:
    rng = random.Random(seed)
    method = rng.choice(METHODS)
    # Tic-tac-toe has 5,478 positions; texts and symmetries are asked for less often.
    call = 1 if method == "start" else rng.randrange(1, 40)
    solver = rng.choice(["auto", "pns", "ppt:symmetry=on", "dfpn", "ppn", "mcts", "alphabeta", "brute"])
    work: Callable[[delphic.Game], Any] = rng.choice(
        [
            lambda game: delphic.prove(game, solver=solver),
            lambda game: delphic.analyze(game, solver=solver),
            lambda game: delphic.prove(game, solver=solver, threads=2),
        ]
    )
    with pytest.raises(Boom) as caught:
        work(failing(method, call))
        # Some searches need no texts or symmetries; all of them are needed for this.
        work(failing("turn", 1))
    frames = [frame.name for frame in traceback.extract_tb(caught.value.__traceback__)]
    assert frames[-1] == "fail", frames
    gc.collect()
    assert delphic.solve(TicTacToe(), solver=solver).value == "draw"


@pytest.mark.parametrize("solver", ["auto", "pns"])
@pytest.mark.parametrize("through_c", [False, True])
def test_too_deep_a_recursion_is_an_exception(solver: str, through_c: bool) -> None:
    class Deep(TicTacToe):
        def outcome(self, state: str) -> Any:
            return max([state], key=self.outcome) if through_c else self.outcome(state)

    with pytest.raises(RecursionError):
        delphic.solve(Deep(), solver=solver)


def test_no_answer_is_reported_after_an_exception() -> None:
    """A game that fails in one line of play only, where the value without that line would be wrong."""

    class Trap(ConnectFour):
        def outcome(self, state: str) -> Any:
            if state.count(".") == 3:
                raise Boom
            return super().outcome(state)

    for solver in delphic.solvers():
        with pytest.raises(Boom):
            delphic.solve(Trap(4, 4), solver=solver, question="draw")


def test_exceptions_of_progress_come_back() -> None:
    def progress(event: Any) -> None:
        raise Boom

    with pytest.raises(Boom):
        delphic.solve("connect4", solver="pns", progress=progress, time=10)


def test_other_calls_fail_in_the_same_way() -> None:
    for work in (
        lambda: delphic.perft(failing("play", 20), 5),
        lambda: delphic.estimate(failing("moves", 20)),
        lambda: delphic.play(failing("turn", 20), ["uct", "uct"], iterations=100),
        lambda: delphic.arena(failing("outcome", 30), ["uct", "random"], games=4, iterations=50),
        lambda: delphic.game(failing("play", 1)).start.play(0),
        lambda: delphic.game(failing("moves", 1)).start.moves,
        lambda: delphic.game(failing("write", 1)).start.text,
        lambda: str(delphic.game(failing("picture", 1)).start),
        lambda: delphic.game(failing("read", 1)).position("...") ,
    ):
        with pytest.raises(Boom):
            work()


@pytest.mark.parametrize(
    ("work", "message"),
    [
        (lambda: delphic.game("conect4"), "did you mean 'connect4'"),
        (lambda: delphic.game("connect4:7y6"), "connect4"),
        (lambda: delphic.game("nothing.toml"), "nothing.toml"),
        (lambda: delphic.game("tictactoe").position("zzz"), "malformed position"),
        (lambda: delphic.game("tictactoe").start.play("a1", "a1"), "'a1' is not a legal move here"),
        (lambda: delphic.solve("tictactoe", solver="dfpm"), "did you mean 'dfpn'"),
        (lambda: delphic.solve("tictactoe", solver="ppn:playouts=x"), "playouts"),
        (lambda: delphic.solve("tictactoe", question="who"), "'who' is not a question"),
        (lambda: delphic.solve("tictactoe", question="maxn", solver="pns"), "does not answer maxn"),
        (lambda: delphic.solve("tictactoe", player=2), "has 2 players"),
        (lambda: delphic.solve("tictactoe", player=9), "no player 9"),
        (lambda: delphic.solve("tictactoe", player=-1), "no player -1"),
        (lambda: delphic.solve("tictactoe", nodes=-5), "nodes cannot be -5"),
        (lambda: delphic.solve("tictactoe", nodes="many"), "nodes cannot be 'many'"),
        (lambda: delphic.solve("tictactoe", nodes=1.5), "nodes cannot be 1.5"),
        (lambda: delphic.solve("tictactoe", time=-1), "time cannot be -1"),
        (lambda: delphic.solve("tictactoe", time=float("nan")), "time cannot be NaN"),
        (lambda: delphic.solve("tictactoe", threads=-1), "threads"),
        (lambda: delphic.perft("tictactoe", -1), "depth cannot be -1"),
        (lambda: delphic.play("tictactoe", ["uct"]), "has 2 players, not 1"),
        (lambda: delphic.arena("tictactoe", ["uct"]), "two agents"),
        (lambda: delphic.Player("nobody", "tictactoe"), "nobody"),
        (lambda: delphic.learn("tictactoe", "x.patterns", random=3), "no patterns"),
    ],
)
def test_bad_input(work: Callable[[], object], message: str) -> None:
    with pytest.raises(delphic.InputError) as caught:
        work()
    assert message in str(caught.value)


def test_the_tree_of_exceptions() -> None:
    for error in (delphic.InputError, delphic.GameError, delphic.ProofError, delphic.CertificateError):
        assert issubclass(error, delphic.DelphicError)
    assert issubclass(delphic.InputError, ValueError)
    assert issubclass(delphic.RefusedGameError, delphic.InputError)


def test_certificates_that_cannot_be() -> None:
    with pytest.raises(delphic.ProofError, match="max\\^n"):
        delphic.prove("tictactoe", question="maxn")
    with pytest.raises(delphic.CertificateError):
        delphic.check(b"once upon a time")
    with pytest.raises(FileNotFoundError):
        delphic.check("no-such.proof")
    assert delphic.prove("connect4", nodes=100).certificate is None
