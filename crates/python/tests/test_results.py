"""Results, positions and what notebooks show."""

from __future__ import annotations

import pickle
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

import delphic
from delphic import Verdict


def test_verdicts() -> None:
    def verdict(game: str, question: str) -> Verdict:
        return delphic.solve(game, question=question).verdict

    assert verdict("nim:1,2,4", "value") is Verdict.WIN
    assert verdict("nim:1,2,3", "value") is Verdict.LOSS
    assert verdict("tictactoe", "value") is Verdict.DRAW
    assert verdict("tictactoe", "win") is Verdict.DISPROVED
    assert verdict("tictactoe", "draw") is Verdict.PROVED
    assert verdict("nim:1,2,4", "win") is Verdict.WIN


def test_unknown_is_an_answer() -> None:
    result = delphic.solve("connect4", question="win", solver="ppn:playouts=20", nodes="20k")
    assert result.verdict is Verdict.UNKNOWN and result.value is None
    assert result.bounds == ("loss", "win") and result.stopped_by == "nodes"
    assert result.estimate is not None and 0 < result.estimate < 1
    assert str(result).startswith("UNKNOWN")
    with pytest.raises(TypeError):
        bool(result)


def test_limits() -> None:
    assert delphic.solve("connect4", nodes=1000).stopped_by == "nodes"
    assert delphic.solve("connect4", time=0.05).stopped_by == "time"
    assert delphic.solve("connect4", solver="pns", memory="2M").stopped_by == "memory"


def test_the_same_seed_gives_the_same_search() -> None:
    counts = [delphic.solve("connect4:4x4", solver="ppn", seed=seed).stats.created for seed in (1, 1, 2)]
    assert counts[0] == counts[1] != counts[2]


def test_scores() -> None:
    class Take(delphic.Game):
        """Take one of two numbers, then the other player takes the rest."""

        payoffs = range(-9, 10)

        def start(self) -> Any:
            return ()

        def turn(self, state: Any) -> int:
            return len(state)

        def moves(self, state: Any) -> list[int]:
            return [number for number in (3, 5, 9) if number not in state]

        def play(self, state: Any, move: int) -> Any:
            return (*state, move)

        def outcome(self, state: Any) -> int | None:
            return state[0] - state[1] if len(state) == 2 else None

    result = delphic.solve(Take())
    assert result.verdict is Verdict.SCORE and result.value == 4 and result.bounds == (4, 4)
    assert result.line[0] == "9" and "4" in repr(result)
    assert delphic.solve(Take(), question=">=4").verdict is Verdict.PROVED
    assert delphic.solve(Take(), question=">=5").verdict is Verdict.DISPROVED


def test_progress() -> None:
    events: list[str] = []
    delphic.solve("connect4", solver="pns", time=1, progress=lambda event: events.append(event["event"]))
    assert events[0] == "question" and events.count("progress") >= 1
    delphic.solve("connect4", solver="pns", time=0.3, progress=True)


def test_positions_are_values() -> None:
    game = delphic.game("connect4")
    one, other = game.position("4455"), game.start.play("4", "4").play("55")
    assert one == other and hash(one) == hash(other) and len({one, other}) == 1
    assert one != game.start and one != "4455"
    assert one.game == game and one.turn == 0 and one.outcome is None and not one.is_over
    assert dict(one.children())["1"] == one.play("1")
    assert one.random(3, seed=4) == one.random(3, seed=4)
    assert game.start.random(3, seed=4) != game.start.random(3, seed=5)


def test_html_is_well_formed() -> None:
    position = delphic.game("connect4:5x4").position("3 3")
    certificate = delphic.prove(position).certificate
    assert certificate is not None
    pages = [
        delphic.solve(position)._repr_html_(),
        delphic.analyze(position)._repr_html_(),
        delphic.arena("tictactoe", ["random", "uct"], games=2, iterations=20)._repr_html_(),
        "<p>" + certificate.browser()._repr_mimebundle_()["text/html"].replace(" open", "") + "</p>",
        position._repr_svg_(),
    ]
    for page in pages:
        ET.fromstring(page)


def test_the_proof_browser_shows_the_whole_strategy() -> None:
    certificate = delphic.prove("tictactoe").certificate
    assert certificate is not None
    trees = certificate.tree()
    assert [tree.moves[0] for tree in trees] == ["first >= 0", "first < 1"]
    # The first player moves first and gets eight replies; as the other side it has to meet nine moves.
    assert len(trees[0].moves) == 2 and len(trees[0].replies) == 8
    assert len(trees[1].moves) == 1 and len(trees[1].replies) == 9

    def check(position: delphic.Position, node: delphic.ProofNode) -> int:
        position = position.play(*node.moves)
        assert position.is_over == node.ended
        if not node.ended and not node.seen:
            assert len(node.replies) == len(position.moves)
        return 1 + sum(check(position, reply) for reply in node)

    start = delphic.game("tictactoe").start
    first = sum(check(start.play(trees[0].moves[1]), reply) for reply in trees[0])
    assert first == len(certificate.text().partition("claim first <")[0].splitlines()) - 3
    page = certificate.browser(most=10)._repr_mimebundle_()["text/html"]
    assert page.count("<details") <= 12


def test_certificates_are_files(tmp_path: Path) -> None:
    certificate = delphic.prove("connect4:4x4").certificate
    assert certificate is not None
    certificate.save(tmp_path / "x.proof")
    checked = delphic.check(tmp_path / "x.proof")
    assert checked.game == "connect4:4x4" and checked.claims == certificate.claims
    assert checked == delphic.check(certificate) == certificate.check()
    assert pickle.loads(pickle.dumps(checked)) == checked


def test_puzzles() -> None:
    puzzle = delphic.puzzle("connect4:5x5", plies=8, depth=3)
    assert puzzle is not None
    analysis = delphic.analyze(puzzle.position, question="win")
    assert analysis.best == (puzzle.solution,)
    assert puzzle.certificate.check().claims


def test_learning(tmp_path: Path) -> None:
    found = delphic.learn("nogo:4x4", tmp_path / "x.patterns", random=20, plies=6, passes=1)
    assert (tmp_path / "x.patterns").exists()
    assert found["passes"][0]["solved"] > 0
