"""The ``delphic`` command."""

from __future__ import annotations

import signal
import sys

from delphic._delphic import main as run


def main() -> None:
    """Runs the command line with the arguments of the process."""
    # Python's handler would only note the signal; the command line installs its own.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(run(["delphic", *sys.argv[1:]]))


if __name__ == "__main__":
    main()
