"""Stacks of threads that run Python rules.

Rust gives a thread two mebibytes. Python counts on the eight of a main thread before it raises ``RecursionError``, so rules with
too deep a recursion would end the process. Rust reads the size once, from the environment, when it starts its first thread.
"""

from __future__ import annotations

import os

from delphic._delphic import start_thread

BYTES = 64 << 20
"""Only what is used of it takes memory."""


def enlarge() -> None:
    """Lets Rust read the size, and leaves the environment as it was."""
    name = "RUST_MIN_STACK"
    if name in os.environ:
        return
    os.environ[name] = str(BYTES)
    try:
        start_thread()
    finally:
        del os.environ[name]


enlarge()
