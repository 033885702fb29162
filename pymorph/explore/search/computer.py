"""Computer players: one plays at random, by a policy of the game, or by search. Each chooses from
what its player sees, and knows no more."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random
from typing import NamedTuple

from pymorph.dynamics.asking.legal import judged
from pymorph.dynamics.results import Legality
from pymorph.errors import UnknownName, clipped, nearest
from pymorph.explore.execution.application import apply
from pymorph.explore.sampling.policies import Players, policies
from pymorph.questions.consistency import as_seen_by, known_name, observers
from pymorph.questions.legality import legal
from pymorph.questions.observers import Observer
from pymorph.ruleset.loader import Ruleset
from pymorph.state.position import Position
from pymorph.terms import Term, parse

RANDOM = "random"


class ComputerLimits(NamedTuple):
    """How much is left to computer players."""

    steps: int = 1000  # that they take without a person


LIMITS = ComputerLimits()


def kinds_of(ruleset: Ruleset) -> dict[str, str]:
    """How a computer can play a game, each with what that means."""
    return {RANDOM: "Every legal action is equally likely.", **policies(ruleset)}


class ComputerPlayer:
    """A computer that plays any seat of a game.

    *how* is `random` or a policy of the game. The same *seed* makes the same choices; without one,
    each game differs.

    >>> import pymorph
    >>> start = pymorph.position("tictactoe")
    >>> computer = ComputerPlayer.of(start, "random", seed="7")
    >>> computer.choose(start, "x"), computer.choose(start, "o")
    (Term('put(x, a2)'), None)
    """

    def __init__(self, how: str, seconds: float, seed: str) -> None:
        self.how, self.seconds, self.seed = how, seconds, seed
        self._chosen = 0  # actions so far

    @classmethod
    def of(
        cls, position: Position, how: str, seconds: float = 2.0, seed: str = ""
    ) -> ComputerPlayer:
        """A computer player for the game of a position. Raises: UnknownName, with the nearest, if
        *how* is no way to play it."""
        known = kinds_of(position.ruleset)
        if how not in known:
            raise UnknownName(f"unknown computer player {clipped(how)}{nearest(how, known)}")
        return cls(how, seconds, seed)

    def choose(self, position: Position, actor: str) -> Term | None:
        """What a player, or somebody for whom it acts, does in a position; None, if it has nothing
        to do. Of the position, the computer knows what that player sees. It may try an action that
        depends on something hidden: if that is not legal, it tries another.

        Raises: UnknownName, if nobody of that name looks at the game.
        """
        source = Random(f"{self.seed} {self._chosen} {actor}" if self.seed else None)
        observer = Observer.of(position, actor)
        view = as_seen_by(position, observer.name)
        mine, _ = observer.legality(view, legal(view))
        for action in self._ranked(view, mine, observer.name, source):
            if action in mine.actions or judged(position, [action.symbol])[action.symbol].legal:
                self._chosen += 1
                return action
        return None

    def _ranked(self, view: Position, mine: Legality, name: str, source: Random) -> Iterable[Term]:
        """The actions that a player may take or try, the best one first."""
        if mine.rolls:
            return ()
        actions = [*mine.actions, *(doubt.action for doubt in mine.unsettled)]
        source.shuffle(actions)
        if self.how == RANDOM or not actions:
            return actions
        players = Players(view, {name: self.how})
        [wanted] = players.choices([players.told()])
        return dict.fromkeys([*(a for a in map(Term, wanted) if a in actions), *actions])


class Computers:
    """The computer players at a table, by the names of their seats."""

    def __init__(self, position: Position, given: Mapping[str, str], seed: str = "") -> None:
        """*given* is how each is played, by name. Raises: UnknownName, with the nearest names."""
        self._players: dict[str, ComputerPlayer] = {}
        known = list(observers(position)) if given else []
        for name, how in given.items():
            seat = known_name(position, name, known, "player")
            self._players[seat] = ComputerPlayer.of(position, how, seed=seed)
        self._resting: set[str] = set()  # until a person has acted
        self._stood: set[Position] = set()  # since a person has acted

    def __bool__(self) -> bool:
        return bool(self._players)

    def at_work(self, position: Position, legality: Legality) -> tuple[list[str], bool]:
        """The computer players who have something to do, and whether a person has as well."""
        if not self._players or legality.rolls:
            return [], False
        acting = {action.actor for action in legality.actions}
        acting |= {doubt.action.actor for doubt in legality.unsettled}
        eyes = observers(position)
        own = {name: eyes.get(name, set()) | {name} for name in self._players}
        free = acting - set().union(*own.values())
        return [name for name, theirs in own.items() if acting & theirs], bool(free)

    def move(self, position: Position, legality: Legality) -> Term | None:
        """What the first of them does who has something to do; None, if it is for a person to act.

        Where a person may act as well, a computer rests as soon as its action would lead back to
        where the game stood since a person acted: it might take its own actions back for ever.
        """
        names, shared = self.at_work(position, legality)
        self._stood.add(position)
        for name in names:
            if shared and name in self._resting:
                continue
            action = self._players[name].choose(position, name)
            back = action and shared and apply(position, action).position in self._stood
            if action and not back:
                return action
            self._resting.add(name)
        return None

    def wake(self) -> None:
        """Let them act: a person has acted."""
        self._resting.clear()
        self._stood.clear()

    def rest(self) -> None:
        """Let them wait wherever a person may act: a person has taken actions back."""
        self._resting.update(self._players)

    def did(self, action: str, before: Position) -> bool:
        """Did one of them do this in a position?"""
        actor, eyes = parse(action).actor, observers(before) if self._players else {}
        return any(actor in eyes.get(name, set()) | {name} for name in self._players)


def computer_move(
    position: Position, actor: str, how: str, seconds: float = 2.0, seed: str = ""
) -> str | None:
    """What a computer player does in a position, as a text; None, if it has nothing to do. This is
    for another process: all that it takes and gives can be pickled.

    Raises: UnknownName, if there is no such player, or no such way to play.

    >>> import pymorph
    >>> computer_move(pymorph.position("tictactoe"), "x", "random", seed="7")
    'put(x, a2)'
    """
    action = ComputerPlayer.of(position, how, seconds, seed).choose(position, actor)
    return None if action is None else str(action)
