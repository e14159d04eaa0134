"""Searches side by side, and searches one after the other for a long time."""

from __future__ import annotations

import gc
import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import delphic
from tests.games import ConnectFour, Nim, TicTacToe


def test_threads_share_a_game() -> None:
    """Eight threads, with games of their own and with the same ones, built in and written in Python."""
    shared = delphic.game(ConnectFour(4, 4))
    jobs: list[tuple[Any, str]] = []
    for solver in ("auto", "pnt", "dfpn", "ppt", "mcts", "alphabeta", "brute", "sb-mcts"):
        jobs += [(shared, solver), (TicTacToe(), solver), ("connect4:4x4", solver), ("tictactoe", solver)]
    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(lambda job: delphic.solve(job[0], solver=job[1], threads=2), jobs))
    assert [result.value for result in results] == ["draw"] * len(jobs)
    assert all(result.stopped_by == "solved" for result in results)


def test_errors_of_one_thread_are_its_own() -> None:
    """Two searches of the same object at the same time: the one whose progress fails does not end the other."""
    game = delphic.game(ConnectFour(5, 4))

    def work(nth: int) -> object:
        def fail(event: Any) -> None:
            raise ZeroDivisionError

        try:
            return delphic.solve(game, solver="ppt", progress=fail if nth % 2 else None).value
        except ZeroDivisionError:
            return "failed"

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(work, range(4)))
    assert [found[0], found[2]] == ["draw", "draw"]
    assert set(found) <= {"draw", "failed"}


def test_states_count_for_the_memory_limit() -> None:
    """Playouts meet many states that no node of the search holds."""
    result = delphic.solve(ConnectFour(7, 6), solver="ppn", memory="20M")
    assert result.stopped_by == "memory" and result.verdict is delphic.Verdict.UNKNOWN


def resident() -> int:
    """The memory of this process, in bytes."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_memory_stays_flat() -> None:
    """A thousand solves, of built-in games and of new Python objects, with exceptions now and then."""

    class Broken(Nim):
        def play(self, state: Any, move: tuple[int, int]) -> Any:
            raise ZeroDivisionError

    def batch() -> None:
        for nth in range(50):
            delphic.solve("connect4:4x4", solver="dfpn")
            certificate = delphic.prove(Nim(2, 3, nth % 4), solver="pnt").certificate
            assert certificate is None or certificate.check()
            delphic.analyze(TicTacToe(), solver="alphabeta")
            delphic.play(Nim(2, 3), ["uct", "random"], iterations=20)
            try:
                delphic.solve(Broken(1, 2))
            except ZeroDivisionError:
                pass
        gc.collect()

    sizes: list[int] = []
    for _ in range(5):
        batch()
        sizes.append(resident())
    # 1,250 calls; the first batches may still fill caches of the allocator.
    assert sizes[-1] - sizes[1] < 4 << 20, [size >> 10 for size in sizes]
