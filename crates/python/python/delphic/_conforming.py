"""What is wrong with the rules of a Python game."""

from __future__ import annotations

import random
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Any

from delphic.errors import DelphicError
from delphic._games import game as any_game
from delphic._rules import Game, optional_methods

__all__ = ["Conformance", "conformance"]

LONGEST = 5_000
"""A random game must be over after this many plies."""
CONTINUED = 200
"""States with equal keys whose continuations are compared."""
EXPLORED = 3_000
"""States in which a repetition is looked for."""

FATAL = {"changed", "none", "repeat", "turn"}
"""Problems after which nothing else can be said."""


@dataclass(frozen=True)
class Conformance:
    """What the suite found."""

    positions: int
    """Positions that were checked."""
    problems: tuple[str, ...]
    """What is wrong, one sentence each."""

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems

    def __str__(self) -> str:
        if self.ok:
            return f"no problem in {self.positions} positions"
        return "\n".join(self.problems)


def conformance(game: Game, *, games: int = 30, seed: int = 1) -> Conformance:
    """Plays random games and checks in every position what searches rely on. Says what is wrong.

    States must be hashable and must not be changed by the rules; equal states, or states with equal keys, must have
    equal futures; moves must be distinct and always come in the same order; no position may be repeated; what the
    optional methods say must agree with the others. Every kind of problem is reported once, with an example.

    >>> import delphic
    >>> class Forgetful(delphic.Game):
    ...     "Take one or two matches. The state does not say whose turn it is."
    ...     def start(self): return 5
    ...     def turn(self, state): return state % 2
    ...     def moves(self, state): return [n for n in (1, 2, 1) if n <= state]
    ...     def play(self, state, move): return state - move
    >>> print(delphic.conformance(Forgetful()))
    moves lists 1 twice (in state 5)
    """
    suite = Suite(game)
    for nth in range(games):
        suite.play_game(random.Random(seed * 1_000_003 + nth))
        if suite.problems.keys() & FATAL:
            break
    if not suite.problems:
        suite.explore()
    if not suite.problems:
        suite.search()
    return Conformance(suite.positions, tuple(suite.problems.values()))


class Suite:
    """The checks, and what they found."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.positions = 0
        self.problems: dict[str, str] = {}
        self.seen: dict[Hashable, Any] = {}
        self.continued = 0
        self.optional = optional_methods(game)

    def complain(self, kind: str, what: str, state: object) -> None:
        """Keeps the first problem of every kind."""
        shown = repr(state)
        self.problems.setdefault(kind, f"{what} (in state {shown if len(shown) < 200 else shown[:200] + '…'})")

    def key(self, state: Any) -> Hashable:
        """The key of a state, or a substitute if it has none."""
        try:
            key = self.game.key(state)
            hash(key)
            return key
        except TypeError as error:
            self.complain("hash", f"states must be hashable, or the game needs a method key: {error}", state)
            return repr(state)

    def view(self, state: Any) -> tuple[Any, ...]:
        """What the rules say about a state: everything that equal states must agree on."""
        outcome = self.game.outcome(state)
        if outcome is not None:
            return ("over", repr(outcome))
        moves = list(self.game.moves(state))
        if not moves:
            return ("stuck", self.game.turn(state), repr(self.game.stuck(state)))
        return ("open", self.game.turn(state), [self.game.write_move(state, move) for move in moves])

    def play_game(self, rng: random.Random) -> None:
        """Checks every position of a random game."""
        state, line = self.game.start(), set[Hashable]()
        if self.key(state) != self.key(self.game.start()):
            self.complain("start", "start returns different states", state)
        for _ in range(LONGEST):
            if not self.check(state, rng):
                return
            key = self.key(state)
            if key in line:
                self.complain("repetition", "a position is repeated in a game", state)
                return
            line.add(key)
            moves = list(self.game.moves(state))
            state = self.game.play(state, rng.choice(moves))
        self.complain("length", f"a random game is not over after {LONGEST} plies", state)

    def check(self, state: Any, rng: random.Random) -> bool:
        """Checks a position. Returns whether the game goes on and the rules are good enough to go on with them."""
        self.positions += 1
        key, view = self.key(state), self.view(state)
        if view != self.view(state):
            self.complain("repeat", "the rules say something else when they are asked again", state)
        if key in self.seen:
            self.compare(self.seen[key], state, rng)
        self.seen.setdefault(key, state)
        if view[0] == "over" or view[0] == "stuck":
            return False
        if view[1] not in range(self.game.players):
            self.complain("turn", f"turn returns {view[1]!r}", state)
            return False
        moves = list(self.game.moves(state))
        self.check_moves(state, moves, view[2])
        self.check_play(state, moves, key, view)
        if self.problems.keys() & FATAL:
            return False
        if "symmetries" in self.optional:
            self.check_symmetries(state)
        if type(self.game).read is not Game.read:
            self.check_text(state)
        return True

    def check_moves(self, state: Any, moves: list[Any], texts: list[str]) -> None:
        """Moves and their texts are distinct."""
        for place, move in enumerate(moves):
            if move in moves[:place]:
                self.complain("twice", f"moves lists {move!r} twice", state)
                return
        if len(set(texts)) < len(texts):
            self.complain("same text", "two moves have the same text", state)
        bad = [text for text in texts if not text or any(c.isspace() or c == "," for c in text)]
        if bad:
            self.complain("text", f"the text of a move has no blank and no comma: {bad[0]!r}", state)

    def check_play(self, state: Any, moves: list[Any], key: Hashable, view: tuple[Any, ...]) -> None:
        """Playing does not change the state and leads to what children says."""
        after = [self.game.play(state, move) for move in moves]
        if self.key(state) != key or self.view(state) != view:
            self.complain("changed", "play changes the state that it is given; it must return another", state)
            return
        if any(child is None for child in after):
            self.complain("none", "play returns None; it must return the state after the move", state)
            return
        if "children" in self.optional:
            children = [self.key(child) for child in self.game.children(state)]
            if children != [self.key(child) for child in after]:
                self.complain("children", "children differ from the states that play returns", state)

    def check_symmetries(self, state: Any) -> None:
        """Symmetric states have the same future up to symmetry."""
        images = [state, *self.game.symmetries(state)]
        keys = {self.key(image) for image in images}
        for image in images[1:]:
            if {self.key(other) for other in [image, *self.game.symmetries(image)]} != keys:
                self.complain("group", "the symmetries of a symmetric state are others", state)
                return
            ours, theirs = self.view(state), self.view(image)
            same = ours == theirs if ours[0] == "over" else (ours[:2], len(ours[2])) == (theirs[:2], len(theirs[2]))
            if not same or self.classes(state) != self.classes(image):
                self.complain("symmetry", "a symmetric state has another mover, result or other moves", state)
                return

    def classes(self, state: Any) -> list[frozenset[Hashable]]:
        """The states after all moves, up to symmetry."""
        after = (self.game.play(state, move) for move in self.game.moves(state))
        classes = [frozenset(self.key(image) for image in [child, *self.game.symmetries(child)]) for child in after]
        return sorted(classes, key=lambda images: sorted(map(repr, images)))

    def check_text(self, state: Any) -> None:
        """A text is read as the state that it was written for."""
        text = self.game.write(state)
        try:
            again = self.game.read(text)
        except ValueError as error:
            self.complain("read", f"read refuses what write wrote: {error}", state)
            return
        if self.key(again) != self.key(state) or self.view(again) != self.view(state):
            self.complain("read", f"read({text!r}) is another state", state)

    def compare(self, one: Any, other: Any, rng: random.Random) -> None:
        """Two states with the same key must go on alike: the same moves lead to the same ends."""
        if one is other or self.continued >= CONTINUED:
            return
        self.continued += 1
        first = other
        for _ in range(LONGEST):
            views = self.view(one), self.view(other)
            if views[0] != views[1]:
                what = "states that are equal" if "key" not in self.optional else "states with the same key"
                self.complain("key", f"{what} have different futures: {views[0]} and {views[1]}", first)
                return
            if views[0][0] != "open":
                return
            nth = rng.randrange(len(views[0][2]))
            one, other = (self.game.play(state, list(self.game.moves(state))[nth]) for state in (one, other))

    def explore(self) -> None:
        """Looks for a position that can be repeated, depth first from the start."""
        above: set[Hashable] = set()
        done: set[Hashable] = set()
        start = self.game.start()
        stack: list[tuple[Hashable, Iterator[Any]]] = [(self.key(start), self.after(start))]
        above.add(stack[0][0])
        while stack and len(done) < EXPLORED and "repetition" not in self.problems:
            key, after = stack[-1]
            state = next(after, None)
            if state is None:
                stack.pop()
                above.discard(key)
                done.add(key)
                continue
            child = self.key(state)
            if child in above:
                self.complain("repetition", "a position can be repeated in a game", state)
            elif child not in done and len(stack) < EXPLORED:
                above.add(child)
                stack.append((child, self.after(state)))

    def after(self, state: Any) -> Iterator[Any]:
        """The states after all moves."""
        if self.game.outcome(state) is None:
            yield from (self.game.play(state, move) for move in self.game.moves(state))

    def search(self) -> None:
        """What searches check themselves: payoffs, numbers of players, results."""
        from delphic._solving import solve

        try:
            solve(any_game(self.game), question="win", solver="pns", nodes=2_000)
        except DelphicError as error:
            self.problems.setdefault("search", str(error))
