"""What goes to the extension module."""

from __future__ import annotations

from typing import TypedDict

__all__ = ["Lesson", "MoveLimits", "Options"]


class Options(TypedDict):
    """The keyword arguments of ``solve``, ``analyze`` and ``prove``."""

    question: str
    player: int | None
    solver: str
    nodes: int | None
    time: float | None
    memory: int
    threads: int
    seed: int


class MoveLimits(TypedDict):
    """What an agent may spend on a move."""

    iterations: int | None
    time: float | None
    memory: int
    threads: int


class Lesson(TypedDict):
    """How to learn."""

    solver: str
    nodes: int | None
    time: float | None
    memory: int
    passes: int
    test: float
    model: str
    seed: int
