"""Runs the program on a terminal of its own: `terminal.py PROGRAM`. Ends with an error if the session goes wrong."""

import fcntl
import os
import pty
import re
import select
import struct
import sys
import termios
import time

COLUMNS = 80
PATIENCE = 120


class Session:
    def __init__(self, *arguments):
        pid, self.terminal = pty.fork()
        if pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 40, COLUMNS, 0, 0))
            os.environ["TERM"] = "xterm"
            os.execv(sys.argv[1], ["delphic", *arguments])
        self.pid = pid
        self.text = ""

    def until(self, part, times=1):
        """Reads until `part` was printed `times` times."""
        deadline = time.monotonic() + PATIENCE
        while self.text.count(part) < times:
            assert time.monotonic() < deadline, f"no {part!r} in {self.text!r}"
            if select.select([self.terminal], [], [], 0.1)[0]:
                self.text += os.read(self.terminal, 65536).decode(errors="replace")

    def type(self, keys):
        os.write(self.terminal, keys.encode())

    def leave(self):
        self.type("quit\r")
        self.until("good-bye")
        _, status = os.waitpid(self.pid, 0)
        assert status == 0, status


def lines_are_edited():
    session = Session("play", "tictactoe", "--iterations", "50")
    session.until("> ")
    session.type("mxves\x1b[D\x1b[D\x1b[D\x7fo\r")
    session.until("a3  b3  c3")
    session.type("\x1b[A\r")
    session.until("a3  b3  c3", times=2)
    assert "neither a legal move nor a command" not in session.text, session.text
    session.leave()


def the_live_line_leaves_room_for_ctrl_c():
    session = Session("play", "hex:9", "--as", "second", "--time", "1h")
    session.until("gpn-mcts: 0.")
    session.type("\x03")
    session.until(", interrupted")
    # The terminal writes its ^C wherever the program happens to be in drawing the line, even between clearing it and writing it.
    drawn = re.split(r"\x1b\[2K|\r|\n", session.text.replace("^C", ""))
    lines = [line for line in drawn if "gpn-mcts: 0." in line]
    assert lines, repr(session.text)
    longest = max(lines, key=len)
    assert len(longest + "^C") <= COLUMNS, f"{len(longest)} columns: {longest!r}"
    session.until("> ")
    session.leave()


lines_are_edited()
the_live_line_leaves_room_for_ctrl_c()
