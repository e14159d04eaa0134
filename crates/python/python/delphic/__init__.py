"""Delphic solves games: it proves the value of a position, shows a line of play, and reports plainly what it could not prove.

>>> import delphic
>>> delphic.solve("connect4:5x4").value
'draw'

Every game of :func:`games` has a name; a class with five methods is a game of your own (:class:`Game`).
"""

from delphic import _stack as _stack  # before any thread is started
from delphic._delphic import __version__
from delphic._certificates import Certificate, Checked, ProofNode, check
from delphic._conforming import Conformance, conformance
from delphic.errors import (
    CertificateError,
    DelphicError,
    GameError,
    InputError,
    ProofError,
    RefusedGameError,
)
from delphic._games import AnyGame, Position, Solvable, agents, game, games, solvers
from delphic._playing import Arena, Match, Player, Thought, arena, learn, play
from delphic._results import Analysis, MoveValue, Result, Stats, TreeSize, Value, Verdict
from delphic._rules import AndOr, Game
from delphic._solving import Puzzle, analyze, estimate, perft, prove, puzzle, puzzles, solve
from delphic._spiel import check_key, openspiel, openspiel_bot

__all__ = [
    "Analysis",
    "AndOr",
    "AnyGame",
    "Arena",
    "Certificate",
    "CertificateError",
    "Checked",
    "Conformance",
    "DelphicError",
    "Game",
    "GameError",
    "InputError",
    "Match",
    "MoveValue",
    "Player",
    "Position",
    "ProofError",
    "ProofNode",
    "Puzzle",
    "RefusedGameError",
    "Result",
    "Solvable",
    "Stats",
    "Thought",
    "TreeSize",
    "Value",
    "Verdict",
    "__version__",
    "agents",
    "analyze",
    "arena",
    "check",
    "check_key",
    "conformance",
    "estimate",
    "game",
    "games",
    "learn",
    "openspiel",
    "openspiel_bot",
    "perft",
    "play",
    "prove",
    "puzzle",
    "puzzles",
    "solve",
    "solvers",
]
