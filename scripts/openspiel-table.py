"""Writes docs/openspiel.md: which games of OpenSpiel can be solved, and why the others cannot.

    python scripts/openspiel-table.py > docs/openspiel.md
"""

from __future__ import annotations

import contextlib
import os
from importlib.metadata import version
from typing import Any

import pyspiel

import delphic
from delphic._spiel import OpenSpielGame

HEAD = """# OpenSpiel's games

Written by `scripts/openspiel-table.py` with OpenSpiel {version}. Of its {all} games {count} are deterministic games of perfect information; the
others have chance, hidden information or simultaneous moves, and `delphic.openspiel` refuses them.

"Text" means that OpenSpiel's text of a position and the player to move tell positions apart, as far as random games show. Elsewhere they do
not, and a position is known by the moves that led to it.

| game | players | payoffs | plies at most | positions are known by |
| --- | --- | --- | --- | --- |"""


@contextlib.contextmanager
def quiet() -> Any:
    """OpenSpiel's warnings go to standard error past Python."""
    saved, null = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 2)
    try:
        yield
    finally:
        os.dup2(saved, 2)


def row(info: Any) -> str:
    """The row of a game, after a short search as a trial."""
    if not info.default_loadable:
        return f"| {info.short_name} | | | | refused: it cannot be loaded without parameters |"
    try:
        rules = OpenSpielGame(info.short_name)
    except delphic.RefusedGameError as refusal:
        return f"| {info.short_name} | | | | refused: {str(refusal).partition(': ')[2]} |"
    delphic.solve(rules, question="win", solver="pns", nodes=100)
    low, high = rules.payoffs[0], rules.payoffs[-1]
    known = f"history: {rules.unsound}" if rules.by_history else "text"
    return f"| {info.short_name} | {rules.players} | {low} to {high} | {rules.spiel.max_game_length():,} | {known} |"


def main() -> None:
    kind = pyspiel.GameType
    games = list(pyspiel.registered_games())
    ours = [
        info
        for info in games
        if info.chance_mode == kind.ChanceMode.DETERMINISTIC and info.information == kind.Information.PERFECT_INFORMATION
    ]
    print(HEAD.format(version=version("open_spiel"), all=len(games), count=len(ours)))
    with quiet():
        for info in ours:
            print(row(info))


if __name__ == "__main__":
    main()
