"""Ctrl-C: the first stops a search and returns what is known, the second raises."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import partial
from typing import Any

import pytest

import delphic
from tests.games import ConnectFour


@contextmanager
def interrupts(*seconds: float) -> Generator[None]:
    """Sends SIGINT to this process after these times."""

    def send() -> None:
        for pause in seconds:
            time.sleep(pause)
            os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=send)
    thread.start()
    try:
        yield
    finally:
        # A signal that comes too late must not end the tests.
        for _ in seconds:
            try:
                thread.join()
            except KeyboardInterrupt:
                pass
        thread.join()


def interrupted(pause: float, work: Callable[[], delphic.Result]) -> delphic.Result:
    """What a search returns that gets one SIGINT. On a busy machine the signal can come before the search begins, and
    then it is Python that raises; so there is a second try with more time, and a third."""
    for longer in (1, 10, 100):
        try:
            with interrupts(pause * longer):
                return work()
        except KeyboardInterrupt:
            pass
    raise AssertionError("the first interrupt raises")


SOLVERS = ["auto", "pns", "ppt", "dfpn", "dfpp", "ppn", "mcts", "alphabeta", "brute", "pn2"]


@pytest.mark.parametrize("seed", range(200))
def test_the_first_interrupt_returns_what_is_known(seed: int) -> None:
    rng = random.Random(seed)
    # Too large to be solved in this time.
    rules: Any = ConnectFour(6, 5) if seed % 4 == 0 else rng.choice(["connect4:8x7", "domineering:8x8", "hex:9"])
    position = delphic.game(rules).start
    solver, threads = rng.choice(SOLVERS), rng.choice([1, 2])
    pause = 0.02 + rng.random() * 0.03
    result = interrupted(pause, lambda: delphic.solve(position, solver=solver, threads=threads, memory="500M"))
    assert result.stopped_by == "interrupted"
    assert result.verdict is delphic.Verdict.UNKNOWN


def test_the_second_interrupt_raises() -> None:
    """A game whose rules take a second for an answer cannot stop at once."""

    class Slow(ConnectFour):
        def moves(self, state: str) -> list[int]:
            time.sleep(1)
            return super().moves(state)

    with pytest.raises(KeyboardInterrupt), interrupts(0.2, 0.2):
        delphic.solve(Slow(4, 4), solver="pns")


def test_the_second_interrupt_ends_rules_that_do_not_return() -> None:
    class Endless(ConnectFour):
        def moves(self, state: str) -> list[int]:
            while True:
                pass

    with pytest.raises(KeyboardInterrupt), interrupts(0.2, 0.2):
        delphic.solve(Endless(4, 4))


def test_counts_raise_at_once() -> None:
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt), interrupts(0.2):
        delphic.perft("connect4", 12)
    assert time.monotonic() - started < 60


def test_analysis_and_proofs_stop_too() -> None:
    for work in (delphic.analyze, delphic.prove):
        result = interrupted(0.2, partial(work, "connect4:8x7", solver="pns", memory="500M"))
        assert result.stopped_by == "interrupted"


def test_other_threads_go_on() -> None:
    """Signals are for the main thread; a search in another is not stopped."""
    found: list[delphic.Result] = []
    thread = threading.Thread(target=lambda: found.append(delphic.solve("connect4:5x5", solver="dfpn")))
    with interrupts(0.1):
        thread.start()
        interrupted = 0
        while not (found and interrupted):
            try:
                time.sleep(0.01)
            except KeyboardInterrupt:
                interrupted += 1
    assert found[0].stopped_by == "solved"


def test_the_command_stops_as_well() -> None:
    command = [sys.executable, "-m", "delphic", "solve", "connect4:8x7", "--solver", "pns", "--quiet"]
    for pause in (1, 10, 30):
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        time.sleep(pause)
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=60)
        # On a busy machine the signal can come before the command listens.
        if process.returncode != -signal.SIGINT:
            break
    assert process.returncode == 130
    assert output.startswith("UNKNOWN")
