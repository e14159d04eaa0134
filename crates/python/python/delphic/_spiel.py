"""OpenSpiel's games as games of this library, and agents of this library as OpenSpiel's bots."""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable
from typing import Any

from delphic.errors import GameError, RefusedGameError
from delphic._games import AnyGame
from delphic._games import game as any_game
from delphic._rules import Game

__all__ = ["OpenSpielGame", "check_key", "openspiel", "openspiel_bot", "text_key"]

MOST_PAYOFFS = 1_000
MOST_PLIES = 20_000
"""Plies that the check of a key looks at."""
ENDING = "antichess checkers chess chinese_checkers crazyhouse lines_of_action oware quoridor shogi xiangqi"
REMEMBERS = {
    **dict.fromkeys(ENDING.split(), "repeated positions, or many plies without progress, end the game"),
    **dict.fromkeys(("cursor_go", "go"), "repeated positions are forbidden"),
}
"""Games whose rules remember earlier positions, which random games hardly ever show."""


def pyspiel() -> Any:
    """OpenSpiel's module, if it is installed."""
    try:
        import pyspiel as module
    except ImportError:
        raise RefusedGameError("OpenSpiel is not installed (pip install open_spiel)") from None
    return module


def text_key(state: Any) -> Hashable:
    """The player to move and OpenSpiel's text of the position, without the mark of the last move: for most games, all
    there is to know."""
    return state.current_player(), str(state).translate(LAST_MOVE)


LAST_MOVE = str.maketrans("[]", "  ")


def history_key(state: Any) -> Hashable:
    """The moves played so far: always right, but no two ways to a position are seen to lead there."""
    return tuple(state.history())


def check_key(game: Any, key: Callable[[Any], Hashable] = text_key, *, games: int = 200, seed: int = 1) -> str | None:
    """Looks for two states with the same key but different futures, or for a key that comes back in the same game.

    Random games are played, and wherever a key is met again, both states go on with the same random moves. Returns
    what is wrong with the key, or ``None`` if nothing was found, which is no proof.
    """
    try:
        return key_problem(game, key, games, random.Random(seed))
    except Exception as error:
        return f"OpenSpiel fails in a random game: {error}"


def key_problem(game: Any, key: Callable[[Any], Hashable], games: int, rng: random.Random) -> str | None:
    """What random games show to be wrong with a key."""
    seen, plies = dict[Hashable, Any](), 0
    for nth in range(games):
        state, line = game.new_initial_state(), set[Hashable]()
        # Half of the games begin alike, so that the same positions are met in several ways.
        few = nth % 2 == 0
        while not state.is_terminal() and state.legal_actions():
            found = key(state)
            if found in line:
                return "a position is repeated in a game, and its text does not tell"
            line.add(found)
            if found in seen and seen[found].history() != state.history():
                difference = compare(seen[found].clone(), state.clone(), rng)
                if difference is not None:
                    return difference
            seen.setdefault(found, state.clone())
            actions = state.legal_actions()
            state.apply_action(rng.choice(actions[:3] if few else actions))
            plies += 1
            if plies > MOST_PLIES:
                return None
    return None


def compare(one: Any, other: Any, rng: random.Random) -> str | None:
    """How two states that should be equal go on differently under the same moves."""
    while not (one.is_terminal() or other.is_terminal()):
        if one.current_player() != other.current_player() or one.legal_actions() != other.legal_actions():
            return "two states with the same text have different moves"
        if not one.legal_actions():
            return None
        action = rng.choice(one.legal_actions())
        one.apply_action(action)
        other.apply_action(action)
    if one.is_terminal() != other.is_terminal() or one.returns() != other.returns():
        return "the same moves after two states with the same text have different results"
    return None


class OpenSpielGame(Game):
    """A game of OpenSpiel. :func:`openspiel` makes one."""

    def __init__(self, spec: str | Any, key: str = "auto") -> None:
        self.spiel: Any = pyspiel().load_game(spec) if isinstance(spec, str) else spec
        self.name = f"openspiel:{self.spiel}"
        refuse_others(self.spiel)
        self.players = self.spiel.num_players()
        self.payoffs = payoffs(self.spiel)
        if key not in ("auto", "text", "history"):
            raise RefusedGameError(f"'{key}' is not a key; expected auto, text or history")
        self.unsound: str | None = None
        """What is wrong with OpenSpiel's text as a key, if anything was found."""
        if key != "history":
            self.unsound = REMEMBERS.get(self.spiel.get_type().short_name) or check_key(self.spiel)
        if key == "text" and self.unsound is not None:
            raise RefusedGameError(f"{self.name}: {self.unsound}, so its text cannot be the key")
        self.by_history = key == "history" or self.unsound is not None
        """Whether positions are known by the moves that led to them."""
        self._key = history_key if self.by_history else text_key
        self._written: dict[str, list[int]] = {}

    def start(self) -> Any:
        return self.spiel.new_initial_state()

    def key(self, state: Any) -> Hashable:
        return self._key(state)

    def turn(self, state: Any) -> int:
        return int(state.current_player())

    def outcome(self, state: Any) -> list[float] | None:
        return list(state.returns()) if state.is_terminal() else None

    def moves(self, state: Any) -> list[int]:
        return list(state.legal_actions())

    def stuck(self, state: Any) -> None:
        raise GameError(f"{self.name}: a position that is not over has no legal action: {state}")

    def play(self, state: Any, move: int) -> Any:
        return state.child(move)

    def write(self, state: Any) -> str:
        if self.by_history:
            return " ".join(map(str, state.history())) or "start"
        # The same position has the same text, however it was reached.
        player, text = state.current_player(), str(state).translate(LAST_MOVE)
        written = f"{player} {' / '.join(text.splitlines())}"
        self._written.setdefault(written, state.history())
        return written

    def read(self, text: str) -> Any:
        """Texts of OpenSpiel cannot be read back in general: those that were written before are known."""
        if self.by_history and text != "start" and all(word.isdigit() for word in text.split()):
            history = [int(word) for word in text.split()]
        elif text in self._written:
            history = self._written[text]
        else:
            raise ValueError("a text of OpenSpiel cannot be read; give the numbers of the actions from the start")
        state = self.start()
        for action in history:
            if state.is_terminal() or action not in state.legal_actions():
                raise ValueError(f"{action} is not a legal action here")
            state.apply_action(action)
        return state

    def write_move(self, state: Any, move: int) -> str:
        return str(move)

    def picture(self, state: Any) -> str | None:
        rows = str(state).strip().splitlines()
        square = rows and len({len(row) for row in rows}) == 1 and set("".join(rows)) <= set(".xoXO")
        return "\n".join(rows).upper() if square else None

    def describe(self, state: Any, move: int) -> str:
        """A move in OpenSpiel's words."""
        return str(state.action_to_string(state.current_player(), move))


def refuse_others(game: Any) -> None:
    """Raises :class:`~delphic.RefusedGameError` for games that no search here can solve."""
    module, info, name = pyspiel(), game.get_type(), str(game)
    deterministic = module.GameType.ChanceMode.DETERMINISTIC
    if info.dynamics != module.GameType.Dynamics.SEQUENTIAL:
        raise RefusedGameError(f"{name}: the players move at the same time")
    if info.chance_mode != deterministic:
        raise RefusedGameError(f"{name}: there is chance in the game")
    if info.information != module.GameType.Information.PERFECT_INFORMATION:
        raise RefusedGameError(f"{name}: the players do not know everything")
    if not 1 <= game.num_players() <= 4:
        raise RefusedGameError(f"{name}: {game.num_players()} players; at most four are supported")
    if game.num_players() == 2 and info.utility != module.GameType.Utility.ZERO_SUM:
        raise RefusedGameError(f"{name}: the payoffs of the two players do not add up to 0")


def payoffs(game: Any) -> tuple[int, ...]:
    """Every payoff that a player can get."""
    low, high = game.min_utility(), game.max_utility()
    if low != int(low) or high != int(high) or not 0 < high - low < MOST_PAYOFFS:
        raise RefusedGameError(f"{game}: payoffs from {low} to {high}; whole numbers are needed, at most {MOST_PAYOFFS} of them")
    return tuple(range(int(low), int(high) + 1))


def openspiel(game: str | Any, *, key: str = "auto") -> AnyGame:
    """A deterministic game of OpenSpiel with perfect information, by name (``hex(board_size=4)``) or as an object.

    Positions are known by OpenSpiel's text and the player to move, if :func:`check_key` finds nothing wrong with that;
    otherwise by their histories, which is slow but right. ``key`` can be ``text`` or ``history`` instead of ``auto``.
    Games with chance, hidden information or simultaneous moves are refused with :class:`~delphic.RefusedGameError`.
    Moves are written as OpenSpiel's action numbers.
    """
    return any_game(OpenSpielGame(game, key))


def openspiel_bot(
    game: str | Any,
    player: int,
    agent: str = "auto",
    *,
    iterations: float | str | None = None,
    time: float | None = None,
    seed: int = 1,
) -> Any:
    """An agent of this library as a bot of OpenSpiel, for ``open_spiel.python.algorithms.evaluate_bots`` and others."""
    from delphic._playing import Player

    ours = openspiel(game)

    base: Any = pyspiel().Bot

    class Bot(base):  # type: ignore[misc]
        """An agent that plays for one player."""

        def __init__(self) -> None:
            base.__init__(self)
            self.steps = 0

        def player_id(self) -> int:
            return player

        def restart_at(self, state: Any) -> None:
            self.steps = 0

        def inform_action(self, state: Any, player_id: int, action: int) -> None:
            pass

        def step(self, state: Any) -> int:
            self.steps += 1
            position = ours.start.play(*state.history())
            thinking = Player(agent, position, iterations=iterations, time=time, seed=seed + self.steps)
            return int(thinking.think().move)

    return Bot()
