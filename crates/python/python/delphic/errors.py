"""The exceptions of the library, with the messages of the command line."""

from __future__ import annotations

__all__ = ["CertificateError", "DelphicError", "GameError", "InputError", "ProofError", "RefusedGameError"]


class DelphicError(Exception):
    """Anything that this library raises on its own. Exceptions of your own code come through as they are."""


class InputError(DelphicError, ValueError):
    """A name, a position, a move or a request that makes no sense.

    >>> import delphic
    >>> delphic.game("conect4")
    Traceback (most recent call last):
    delphic.errors.InputError: unknown game 'conect4' (did you mean 'connect4'?); `delphic games` lists them
    """


class GameError(DelphicError):
    """The rules of a Python game break a law that searches rely on, such as that no position is repeated."""


class RefusedGameError(InputError):
    """A game of another library that cannot be solved here, such as one with dice."""


class ProofError(DelphicError):
    """There is an answer, but no certificate of it."""


class CertificateError(DelphicError):
    """A certificate that does not prove what it claims, or not under these rules."""
