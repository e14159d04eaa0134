"""The ``delphic`` command that the package brings, and how its speed compares."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import delphic

COMMAND = str(Path(sys.executable).with_name("delphic"))


def command(*args: str) -> tuple[int, str]:
    """The exit code and the output of the command."""
    done = subprocess.run([COMMAND, *args], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


def test_the_command_says_what_the_library_says() -> None:
    def without_times(report: Any) -> Any:
        return {**report, "stats": {**report["stats"], "seconds": 0}}

    for game in ("tictactoe", "nim:1,2,4", "connect4:4x4"):
        code, output = command("solve", game, "--solver", "dfpn", "--threads", "1", "--json")
        ours = delphic.solve(game, solver="dfpn").json
        assert without_times(json.loads(output)) == without_times(ours)
        assert code == (10 if ours["value"] == "win" else 30)


def test_version_help_and_errors() -> None:
    assert command("--version")[1].startswith(f"delphic {delphic.__version__}")
    assert command("solve", "conect4")[0] == 2
    assert command("games")[0] == 0


def test_certificates_go_both_ways(tmp_path: Path) -> None:
    path = str(tmp_path / "x.proof")
    assert command("solve", "tictactoe", "--proof", path)[0] == 30
    assert delphic.check(path).claims == ("first >= 0", "first < 1")
    certificate = delphic.prove("connect4:4x4").certificate
    assert certificate is not None
    certificate.save(path)
    assert command("check", path)[0] == 0


def test_overhead() -> None:
    """The same search from Python and by the command, the start of the process not counted. Times are printed, counts
    are compared."""
    game, solver, nodes, rounds = "connect4", "dfpn", 500_000, 5
    best = {"library": 1e9, "command": 1e9, "nothing": 1e9}

    def measure(what: str, work: Any) -> Any:
        started = time.perf_counter()
        found = work()
        best[what] = min(best[what], time.perf_counter() - started)
        return found

    for _ in range(rounds):
        ours = measure("library", lambda: delphic.solve(game, solver=solver, nodes=nodes))
        args = ["solve", game, "--solver", solver, "--nodes", str(nodes), "--threads", "1", "--json"]
        _, output = measure("command", lambda: command(*args))
        measure("nothing", lambda: command("--version"))
        assert json.loads(output)["stats"]["created"] == ours.stats.created
    ratio = best["library"] / (best["command"] - best["nothing"])
    print(f"library {best['library']:.3f} s, command {best['command']:.3f} s of which start {best['nothing']:.3f} s, ratio {ratio:.3f}")
