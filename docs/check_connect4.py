#!/usr/bin/env python3
"""A second checker for certificates, written from docs/certificates.md alone. It knows one game, Connect Four.

    python3 docs/check_connect4.py FILE

prints VALID or NOT VALID with the reason and exits with 0 or 1.
"""

import re
import sys
import zlib

SEATS = ["first", "second", "third", "fourth"]
WORD = (1 << 64) - 1


class Refused(Exception):
    pass


class Connect4:
    """A position is a tuple of columns, each a string of 0s and 1s from the bottom: whose discs."""

    endless = None  # no position repeats

    def __init__(self, spec):
        shape = re.fullmatch(r"connect4:(\d+)x(\d+)(?:,line=(\d+))?(,misere)?", spec)
        if not shape:
            raise Refused(f"this checker knows Connect Four only, not '{spec}'")
        self.cols, self.rows, self.line = int(shape[1]), int(shape[2]), int(shape[3] or 4)
        self.sign = -1 if shape[4] else 1

    def start(self):
        return ("",) * self.cols

    def turn(self, position):
        return sum(map(len, position)) % 2

    def moves(self, position):
        return [col for col in range(self.cols) if len(position[col]) < self.rows]

    def play(self, position, col):
        return position[:col] + (position[col] + str(self.turn(position)),) + position[col + 1 :]

    def write_move(self, col):
        return str(col + 1)

    def payoffs(self, position):
        """What the two players get, or None while the game goes on. Only the side that has just moved can have a line."""
        last = str(1 - self.turn(position))
        disc = lambda col, row: 0 <= col < self.cols and row < len(position[col]) and position[col][row] == last
        for col in range(self.cols):
            for row in range(len(position[col])):
                for dx, dy in (1, 0), (0, 1), (1, 1), (1, -1):
                    if all(row + i * dy >= 0 and disc(col + i * dx, row + i * dy) for i in range(self.line)):
                        return [self.sign, -self.sign] if last == "0" else [-self.sign, self.sign]
        return None if self.moves(position) else [0, 0]

    def write(self, position):
        cell = lambda col, row: "XO"[int(position[col][row])] if row < len(position[col]) else "."
        return "/".join("".join(cell(c, r) for c in range(self.cols)) for r in reversed(range(self.rows)))

    def read(self, text):
        rows = text.split("/")[::-1]
        if len(rows) != self.rows or any(len(row) != self.cols for row in rows):
            raise Refused("the position has another size")
        columns = ["".join(row[col] for row in rows).rstrip(".") for col in range(self.cols)]
        position = tuple(column.replace("X", "0").replace("O", "1") for column in columns)
        discs = "".join(position)
        if discs.strip("01") or discs.count("0") - discs.count("1") not in (0, 1):
            raise Refused("this is no position of the game")
        return position


def fingerprint(game, spec):
    """FNV-1a over the lines that eight random games give."""
    value = 0xCBF29CE484222325

    def line(text):
        nonlocal value
        for byte in text.encode() + b"\n":
            value = (value ^ byte) * 0x100000001B3 & WORD

    line(spec)
    line("-1 0 1")
    for seed in range(8):
        x = seed + 0x9E3779B97F4A7C15 & WORD
        x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & WORD
        x = (x ^ x >> 27) * 0x94D049BB133111EB & WORD
        state, position = x ^ x >> 31, game.start()
        for _ in range(200):
            line(game.write(position))
            payoffs = game.payoffs(position)
            if payoffs:
                line(" ".join(map(str, payoffs)))
                break
            moves = game.moves(position)
            line(f"{SEATS[game.turn(position)]} {len(moves)}")
            for move in moves[:: -(-len(moves) // 40)]:
                line(game.write_move(move))
            state = state + 0xA0761D6478BD642F & WORD
            wide = state * (state ^ 0xE7037ED1A0B428DB)
            drawn = (wide >> 64 ^ wide) & WORD
            position = game.play(position, moves[(drawn >> 32) * len(moves) >> 32])
    return value


def choices(data):
    """The numbers in the file, one by one."""
    inflate = zlib.decompressobj()
    plain = inflate.decompress(data) + inflate.flush()
    if not inflate.eof or inflate.unused_data:
        raise Refused("the file is cut off, or something follows")
    place, shift = 0, 0
    for byte in plain:
        place |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            yield place
            place, shift = 0, 0
    if shift:
        raise Refused("the last choice is cut off")


def walk(game, root, player, at_least, holds, choices):
    """Follows the strategy through the rules. Each position is entered once."""
    agrees = lambda payoffs: (payoffs[player] >= at_least) == holds
    may_go_on = game.endless is not None and agrees(game.endless)
    seen, still_open, stack, strategy = set(), set(), [(root, "")], 0
    while stack:
        position, line = stack.pop()
        if line is None:  # the walk returns from this position
            still_open.discard(position)
            continue
        payoffs = game.payoffs(position)
        if payoffs:
            if not agrees(payoffs):
                raise Refused(f"after '{line}' the game pays {payoffs[player]}")
            continue
        if position in seen:
            if position in still_open and not may_go_on:
                raise Refused(f"'{line}' comes back to a position, and endless play is not as claimed")
            continue
        seen.add(position)
        still_open.add(position)
        stack.append((position, None))
        moves = game.moves(position)
        if (game.turn(position) == player) == holds:
            strategy += 1
            place = 0 if len(moves) == 1 else next(choices, None)
            if place is None or place >= len(moves):
                raise Refused(f"after '{line}' the strategy has no move")
            moves = [moves[place]]
        # The first move is followed first, all the way, before the second.
        stack += [(game.play(position, move), f"{line} {game.write_move(move)}") for move in reversed(moves)]
    return strategy


def check(data, rules_of):
    head, found, body = data.partition(b"\n\n")
    lines = head.decode("utf-8", "replace").split("\n")
    if not found or lines[0] != "delphic certificate 1":
        raise Refused("this is not a certificate of version 1")
    fields = [line.split(" ", 1) for line in lines[1:]]
    names = [field[0] for field in fields]
    if len(fields) < 4 or names != ["game", "rules", "position"] + ["claim"] * (len(fields) - 3) or min(map(len, fields)) < 2:
        raise Refused("malformed header")
    (_, spec), (_, rules), (_, text), *claims = fields
    game = rules_of(spec)
    if rules != f"{fingerprint(game, spec):016x}":
        raise Refused("it was made under other rules")
    root, numbers, strategy = game.read(text), choices(body), 0
    for _, claim in claims:
        parts = re.fullmatch(r"(first|second) (>=|<) (-?\d+)", claim)
        if not parts:
            raise Refused(f"'{claim}' is no claim")
        strategy += walk(game, root, SEATS.index(parts[1]), int(parts[3]), parts[2] == ">=", numbers)
    if next(numbers, None) is not None:
        raise Refused("choices follow after the end of the strategy")
    return claims, strategy


def main(rules_of, usage):
    if len(sys.argv) != 2:
        sys.exit(usage)
    try:
        with open(sys.argv[1], "rb") as file:
            proved, positions = check(file.read(), rules_of)
    except (Refused, zlib.error, OSError) as reason:
        print("NOT VALID:", reason)
        sys.exit(1)
    print("VALID:", "; ".join(claim for _, claim in proved), f"({positions} strategy positions)")


if __name__ == "__main__":
    main(Connect4, __doc__)
