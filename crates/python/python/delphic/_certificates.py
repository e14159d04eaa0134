"""Certificates: proofs that can be checked with the rules alone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from os import PathLike
from pathlib import Path
from typing import Any

from delphic import _html as html
from delphic._delphic import header
from delphic._games import AnyGame, game
from delphic._rules import Game

__all__ = ["Certificate", "Checked", "ProofNode", "check"]

MEMORY = 2 << 30


@dataclass(frozen=True)
class Checked:
    """What a certificate proves."""

    game: str
    position: str
    claims: tuple[str, ...]
    """Such as ``first >= 1``."""
    claims_in_words: tuple[str, ...]
    line: tuple[str, ...]
    """The line in which the strategies meet the longest resistance."""
    plies_at_most: int
    strategy_positions: int
    """Positions in which the strategies choose."""
    looked_at: int
    """Positions that the checker visited."""


@dataclass
class ProofNode:
    """A reply that a strategy has to meet, and its answer; at the root, the claim and the strategy's first move."""

    moves: tuple[str, ...]
    """The reply and the answers to it, up to the next reply."""
    ended: bool = False
    """Whether the game is over then."""
    seen: bool = False
    """Whether the position was met before; then its replies are there and not here."""
    replies: list[ProofNode] = field(default_factory=list["ProofNode"])

    def __iter__(self) -> Iterator[ProofNode]:
        return iter(self.replies)


class Certificate:
    """The proof of an answer. What it says about itself, checked or not, are its attributes: the ``name`` of the game,
    the fingerprint of its ``rules``, the ``position`` as text, and its ``claims``.

    >>> import delphic
    >>> certificate = delphic.prove("nim:1,2,4").certificate
    >>> certificate.check().claims_in_words
    ('the first player can force a win',)
    """

    def __init__(self, data: bytes, of: AnyGame | None = None) -> None:
        self.data = data
        """The bytes of the file."""
        self._game = of
        self.name, self.rules, self.position, self.claims = header(data)

    @property
    def game(self) -> AnyGame:
        """The game that it is about."""
        if self._game is None:
            self._game = game(self.name)
        return self._game

    def save(self, path: str | PathLike[str]) -> None:
        """Writes the file, for :func:`check` and for ``delphic check``."""
        Path(path).write_bytes(self.data)

    def check(self, *, memory: int = MEMORY) -> Checked:
        """Checks it with the rules alone. :class:`~delphic.CertificateError` says where it fails."""
        return self._checked(memory, False)[0]

    def text(self, *, memory: int = MEMORY) -> str:
        """Its strategies as text, after a check: a line for every reply, the strategy's answer behind it."""
        return self._checked(memory, True)[1] or ""

    def tree(self, *, memory: int = MEMORY) -> list[ProofNode]:
        """Its strategies as trees, one for each claim, after a check."""
        trees: list[ProofNode] = []
        path: list[tuple[int, ProofNode]] = []
        after_claim = False
        for line in self.text(memory=memory).splitlines():
            words = line.split()
            indent = len(line) - len(line.lstrip())
            if line.startswith("claim "):
                trees.append(ProofNode((line.removeprefix("claim "),)))
                path, after_claim = [(-1, trees[-1])], True
                continue
            if after_claim:
                # Where the strategy moves first its move stands here; otherwise the line is empty.
                trees[-1].moves += tuple(words)
                after_claim = False
            elif words and path:
                ended, seen = words[-1] == "#", words[-1] == "…"
                node = ProofNode(tuple(words[:-1] if ended or seen else words), ended, seen)
                while path[-1][0] >= indent:
                    path.pop()
                path[-1][1].replies.append(node)
                path.append((indent, node))
        return trees

    def browser(self, *, most: int = 5000) -> ProofBrowser:
        """The proof as a page that can be unfolded in a notebook. Larger proofs are cut after ``most`` lines."""
        return ProofBrowser(self, most)

    def _checked(self, memory: int, text: bool) -> tuple[Checked, str | None]:
        report, printed = self.game._native.check(self.data, memory, text)  # pyright: ignore[reportPrivateUsage]
        found: dict[str, Any] = json.loads(report)
        found.update({name: tuple(found[name]) for name in ("claims", "claims_in_words", "line")})
        return Checked(**found), printed

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Certificate) and self.data == other.data

    def __hash__(self) -> int:
        return hash(self.data)

    def __repr__(self) -> str:
        return f"<Certificate {', '.join(self.claims)}, {self.name}, {len(self.data)} bytes>"


class ProofBrowser:
    """A certificate as plain HTML: every reply of the other side can be unfolded."""

    def __init__(self, certificate: Certificate, most: int) -> None:
        self._trees, self._left = certificate.tree(), most
        self.html = "".join(self._claim(tree) for tree in self._trees)

    def _claim(self, tree: ProofNode) -> str:
        return html.details(f"<b>{escape(tree.moves[0])}</b> {escape(' '.join(tree.moves[1:]))}", self._replies(tree), open=True)

    def _replies(self, node: ProofNode) -> str:
        return "".join(self._node(reply) for reply in node)

    def _node(self, node: ProofNode) -> str:
        self._left -= 1
        if self._left < 0:
            return "<i>…</i>" if self._left == -1 else ""
        moves = escape(" ".join(node.moves)) + (" <b>#</b>" if node.ended else " (see above)" if node.seen else "")
        return html.details(moves, self._replies(node)) if node.replies else f'<div style="margin-left:1.2em">{moves}</div>'

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return {"text/html": self.html, "text/plain": repr(self)}

    def __repr__(self) -> str:
        return f"<ProofBrowser, {len(self._trees)} strategies>"


def check(
    certificate: str | PathLike[str] | bytes | Certificate,
    game: AnyGame | Game | str | None = None,
    *,
    memory: int = MEMORY,
) -> Checked:
    """Checks a certificate, given as a file, as bytes or as an object, with the rules alone.

    The game is the one that the file names, unless another is given: certificates of Python games need the rules.
    """
    if isinstance(certificate, Certificate):
        certificate = certificate.data
    data = certificate if isinstance(certificate, bytes) else Path(certificate).read_bytes()
    return Certificate(data, None if game is None else _game(game)).check(memory=memory)


def _game(of: AnyGame | Game | str) -> AnyGame:
    return game(of)
