"""Computer players at a table: who is played by one, and the actions that they take.

Who is played by a computer is no part of the game, so it is not in the record: it is kept in the
user's folder for data, under the name that links have for the game.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from contextlib import suppress
from typing import NamedTuple

from pymorph import yamlio
from pymorph.doors.seats import player_of, seat_for
from pymorph.doors.table.game import Game
from pymorph.doors.table.given import RequestData, text
from pymorph.doors.table.links import own_folder
from pymorph.doors.table.tasks import table_at
from pymorph.errors import Fault, InputError, PymorphError, UnknownName, clipped, nearest
from pymorph.explore.execution.application import apply
from pymorph.explore.search import computer
from pymorph.questions import consistency
from pymorph.questions.legality import legal
from pymorph.state.position import Position
from pymorph.yamlio import Json


class ComputerBounds(NamedTuple):
    """What computer players may take."""

    seconds: float = 20.0  # for an action
    pause: float = 0.2  # seconds between two actions, so that people can follow
    steps: int = computer.LIMITS.steps  # until a person acts


BOUNDS = ComputerBounds()


class Player(NamedTuple):
    """How a computer plays a seat, and the seconds that it takes for an action."""

    how: str
    seconds: float


class ComputerSeats:
    """The computer players of a game."""

    def __init__(self, game: Game, name: str) -> None:
        self.game = game
        self.file = own_folder() / "table" / f"{name}.json"
        self.players = self._kept()
        self.stopped = False  # by hand
        self.resting = False  # since steps were taken back, until a person acts
        self.trouble = ""
        self._task: asyncio.Task[None] | None = None
        self._again = False

    def state(self) -> Json:
        """What the page says of all of them."""
        waits = self.stopped or self.resting
        return {"at_work": self._task is not None, "resting": waits, "trouble": self.trouble}

    def of(self, seat: str) -> Json:
        """How a computer plays a seat, if one does."""
        player = self.players.get(player_of(seat))
        return {"computer": player._asdict() if player else None}

    def assign(self, seat: str, how: str, seconds: float) -> None:
        """A computer plays a seat from now on, or a person, if *how* is empty.

        Raises: InputError, if that cannot be kept.
        """
        self.players.pop(seat, None)
        if how:
            self.players[seat] = Player(how, seconds)
        self._keep()
        self.stop()

    def rest(self, resting: bool) -> None:
        """Wait until a person acts: steps were taken back; or go on, since one has acted."""
        if resting:
            self.stop()
        self.resting = resting
        self.start()
        if self.players:
            self.game.seats_changed()

    def hold(self, stopped: bool) -> None:
        """Stop by hand, or go on."""
        self.stopped, self.resting = stopped, False
        if stopped:
            self.stop()
        self.start()

    def stop(self) -> None:
        """End the work on an action."""
        if self._task is not None:
            self._task.cancel()
            self._task = None

    def start(self) -> None:
        """Let them act, where they may."""
        if not self.players or self.resting or self.stopped:
            return
        self._again = True
        if self._task is None:
            self._task = asyncio.create_task(self._act())
            self.game.seats_changed()

    async def _act(self) -> None:
        try:
            steps = 0
            while self._again and steps < BOUNDS.steps:
                self._again = False
                while steps < BOUNDS.steps and await self._act_once(steps):
                    steps += 1
                    await asyncio.sleep(BOUNDS.pause)
            self.trouble = ""
        except PymorphError as error:
            self.trouble, self.stopped = str(error), True
        self._task = None
        self.game.seats_changed()

    async def _act_once(self, steps: int) -> bool:
        """Take one action, if one of them has something to do; *steps* were taken before."""
        game = self.game
        players = {name: tuple(player) for name, player in self.players.items()}
        found = await game.pool.ask(choice, game.path, players, steps, about=game.path, long=True)
        if found is None:
            return False
        async with game.one_changes:
            seat = seat_for(found[0])
            answer = await game.ask(seat, "play", {"action": found[1]})
            game.undone.clear()
            game.changed(seat)
        return not answer["data"].get("illegal")

    # -- what is kept over a restart -------------------------------------------------------------

    def _kept(self) -> dict[str, Player]:
        with suppress(OSError, ValueError, TypeError, AttributeError):
            kept = json.loads(self.file.read_text(encoding="utf-8"))
            return {seat: Player(str(how), float(s)) for seat, (how, s) in kept.items()}
        return {}

    def _keep(self) -> None:
        """Raises: InputError, if the file cannot be written."""
        with suppress(OSError):
            self.file.parent.mkdir(parents=True, exist_ok=True)
        yamlio.write(self.file, json.dumps(self.players))


# -- in a process that works -----------------------------------------------------------------------


def ways(_: object, path: str) -> Json:
    """How a computer can play a game, each with what that means."""
    return computer.kinds_of(table_at(path).position.ruleset)


def checked(_: object, path: str, given: RequestData) -> tuple[str, str, float]:
    """Who is to be played by a computer, how, and the seconds for an action. Raises: InputError."""
    seat, how = player_of(text(given, "seat")), str(given.get("how") or "")
    position = table_at(path).position
    seconds = computer.LIMITS.seconds if given.get("seconds") is None else given["seconds"]
    if isinstance(seconds, bool) or not isinstance(seconds, int | float):
        raise InputError(Fault("'seconds' is a number"))
    require({seat: how}, position)
    if how:
        how, seconds = computer.kind_of(position.ruleset, how, seconds)
    if not 0 < seconds <= BOUNDS.seconds:
        raise InputError(Fault(f"a computer has up to {BOUNDS.seconds:g} seconds for an action"))
    return seat, how, float(seconds)


def require(how: Mapping[str, str], position: Position) -> None:
    """Raises: UnknownName, if there is no such seat for a player, or no such way to play."""
    seats = consistency.observers(position)
    for seat, way in how.items():
        if seat not in seats:
            raise UnknownName(f"unknown player {clipped(seat)}{nearest(seat, seats)}")
        if way:
            computer.kind_of(position.ruleset, way)


def choice(
    _: object, path: str, players: Mapping[str, tuple[str, float]], steps: int
) -> tuple[str, str] | None:
    """The next action of a computer player, and its seat; None, if it is for a person to act.

    Where a person may act as well, none takes an action that leads back to where the game was
    after one of the last *steps*: it might take its own actions back for ever.
    """
    table = table_at(path)
    moments = table.moments()
    position = moments[-1].position
    now, eyes = legal(position), consistency.observers(position)
    acting = {action.actor for action in now.actions}
    acting |= {doubt.action.actor for doubt in now.unsettled}
    own = {name: eyes.get(name, set()) | {name} for name in players}
    shared = acting - set().union(*own.values())
    been = {moment.position for moment in moments[-steps - 1 :]} if shared else set()
    for name in [name for name in players if acting & own[name] and not now.rolls]:
        how, seconds = players[name]
        seed = f"{table.seed} {len(moments)}"
        action = computer.computer_move(position, name, how, seconds, seed)
        if action and not (been and apply(position, action).position in been):
            return name, action
    return None
