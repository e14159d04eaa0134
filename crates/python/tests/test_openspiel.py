"""OpenSpiel's games through the adapter, and an agent as a bot."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pyspiel
import pytest

import delphic
from delphic import Verdict

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize(
    ("theirs", "ours", "solver"),
    [
        ("tic_tac_toe", "tictactoe", "auto"),
        ("hex(board_size=3)", "hex:3", "auto"),
        ("y(board_size=3)", "y:3", "auto"),
        ("y(board_size=4)", "y:4", "auto"),
        ("clobber(rows=3,columns=4)", "clobber:3x4", "auto"),
        ("clobber(rows=2,columns=5)", "clobber:2x5", "auto"),
        ("breakthrough(rows=5,columns=2)", "breakthrough:5x2,home=1", "auto"),
        ("breakthrough(rows=5,columns=3)", "breakthrough:5x3,home=1", "alphabeta"),
        ("connect_four(rows=4,columns=4)", "connect4:4x4", "auto"),
    ],
)
def test_values_are_those_of_our_games(theirs: str, ours: str, solver: str) -> None:
    game = delphic.openspiel(theirs)
    result = delphic.solve(game, solver=solver)
    assert result.value == delphic.solve(ours).value is not None


@pytest.mark.parametrize(
    "name", ["tic_tac_toe", "connect_four(rows=4,columns=4)", "clobber(rows=3,columns=3)", "y(board_size=4)", "dots_and_boxes", "nim"]
)
def test_rules_pass_the_suite(name: str) -> None:
    rules = delphic.openspiel(name).rules
    assert rules is not None
    report = delphic.conformance(rules, games=5)
    assert report.ok, report


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("backgammon", "chance"),
        ("kuhn_poker", "chance"),
        ("dark_hex(board_size=3)", "do not know everything"),
        ("matrix_rps", "at the same time"),
        ("goofspiel", "at the same time"),
    ],
)
def test_other_games_are_refused(name: str, reason: str) -> None:
    with pytest.raises(delphic.RefusedGameError, match=reason):
        delphic.openspiel(name)


def test_unsound_keys_are_found() -> None:
    """Two games whose text lacks what matters, found by random play; and a key that forgets the board."""
    for name in ("lines_of_action", "checkers"):
        assert delphic.check_key(pyspiel.load_game(name)) is not None
        with pytest.raises(delphic.RefusedGameError, match="cannot be the key"):
            delphic.openspiel(name, key="text")
        rules: Any = delphic.openspiel(name).rules
        assert rules.by_history
    game = pyspiel.load_game("tic_tac_toe")
    assert delphic.check_key(game) is None
    assert delphic.check_key(game, lambda state: len(state.history())) is not None


def test_keys_do_not_change_values() -> None:
    by_text, by_history = (delphic.solve(delphic.openspiel("tic_tac_toe", key=key)) for key in ("text", "history"))
    assert by_text.value == by_history.value == "draw"
    assert by_text.stats.created < by_history.stats.created


def test_certificates_of_their_games() -> None:
    for key in ("text", "history"):
        game = delphic.openspiel("clobber(rows=3,columns=3)", key=key)
        certificate = delphic.prove(game).certificate
        assert certificate is not None
        again = delphic.openspiel("clobber(rows=3,columns=3)", key=key)
        assert delphic.check(certificate, again).claims == certificate.claims
        position = game.start.play(game.start.moves[3])
        certificate = delphic.prove(position).certificate
        assert certificate is not None and certificate.check().claims == certificate.claims


def test_a_bot_plays_there() -> None:
    game = pyspiel.load_game("tic_tac_toe")
    for seat in (0, 1):
        bots = [pyspiel.make_uniform_random_bot(player, 7 + player) for player in (0, 1)]
        bots[seat] = delphic.openspiel_bot(game, seat, "alphabeta", iterations="5k")
        for _ in range(5):
            returns = pyspiel.evaluate_bots(game.new_initial_state(), bots, 3)
            assert returns[seat] >= 0


def test_beside_their_own_solver() -> None:
    """OpenSpiel's Monte-Carlo search with exact values, and ours, on the same games. Times are printed."""

    def theirs(name: str) -> tuple[float, float | None]:
        game = pyspiel.load_game(name)
        evaluator = pyspiel.RandomRolloutEvaluator(1, 5)
        bot = pyspiel.MCTSBot(game, evaluator, 2.0, 200_000, 1000, True, 5, False)
        started = time.perf_counter()
        root = bot.mcts_search(game.new_initial_state())
        proved = root.outcome[0] if root.outcome else None
        return time.perf_counter() - started, proved

    def ours(game: Any, solver: str) -> tuple[float, Any]:
        started = time.perf_counter()
        value = delphic.solve(game, solver=solver).value
        return time.perf_counter() - started, value

    rows = [("tic_tac_toe", "tictactoe", "auto"), ("y(board_size=4)", "y:4", "auto"), ("hex(board_size=4)", "hex:4", "alphabeta")]
    for name, built_in, solver in rows:
        (seconds, proved), adapter, native = theirs(name), ours(delphic.openspiel(name), solver), ours(built_in, "auto")
        print(
            f"{name}: OpenSpiel {seconds:.3f} s ({'proved ' + str(proved) if proved is not None else 'not proved'}), "
            f"adapter {adapter[0]:.3f} s ({adapter[1]}), built in {native[0]:.4f} s ({native[1]})"
        )
        assert adapter[1] == native[1]
        assert proved in (None, {"win": 1, "draw": 0, "loss": -1}[native[1]])


def test_the_table_is_what_the_script_writes() -> None:
    script = subprocess.run(
        [sys.executable, ROOT / "scripts/openspiel-table.py"], capture_output=True, text=True, check=True
    )

    # Random games of morpion_solitaire fail inside OpenSpiel in one run and go on in another, so why it is known by its history differs.
    def stable(text: str) -> list[str]:
        return [line for line in text.splitlines() if "morpion_solitaire" not in line]

    assert stable(script.stdout) == stable((ROOT / "docs/openspiel.md").read_text())


def test_one_player() -> None:
    """A puzzle is a game for one: the best that can be reached."""
    result = delphic.solve(delphic.openspiel("cliff_walking(height=2,width=3,horizon=6)"), solver="brute")
    assert result.verdict is Verdict.SCORE
