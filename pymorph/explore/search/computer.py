"""Computer players: one plays at random, by a policy of the game, or by search. Each chooses from
what its player sees, and knows no more."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable, Mapping
from math import inf
from random import Random
from statistics import mean
from typing import NamedTuple

from clingo import Symbol

from pymorph.dynamics.asking.legal import judged
from pymorph.dynamics.results import Legality
from pymorph.errors import InputError, UnknownName, clipped, nearest
from pymorph.explore.execution.application import apply
from pymorph.explore.sampling.policies import Players, policies
from pymorph.explore.search import tree_search
from pymorph.questions.consistency import as_seen_by, known_name, observers, valid
from pymorph.questions.legality import legal
from pymorph.questions.observers import Observer
from pymorph.ruleset.loader import Ruleset
from pymorph.ruleset.vocabulary import HIDDEN
from pymorph.state.position import Position
from pymorph.terms import Term, parse

RANDOM, SEARCH = "random", "search"


class ComputerLimits(NamedTuple):
    """How much is left to computer players."""

    steps: int = 1000  # that they take without a person
    seconds: float = 2.0  # that a search takes, unless somebody says how many
    worlds: int = 4  # in which a search looks, where something is hidden
    tries: int = 64  # positions that are tried at a time for these
    batches: int = 8  # of tries


LIMITS = ComputerLimits()


def kinds_of(ruleset: Ruleset) -> dict[str, str]:
    """How a computer can play a game, each with what that means."""
    kinds = {RANDOM: "Every legal action is equally likely.", **policies(ruleset)}
    if any(ruleset.giving("outcome", ("wins", 3))):
        kinds[SEARCH] = "What wins most often when it is tried out, in a few seconds."
    return kinds


def kind_of(ruleset: Ruleset, how: str, seconds: float = LIMITS.seconds) -> tuple[str, float]:
    """How a computer is to play, and the seconds of a search: those after a colon, or else these.

    Raises: UnknownName, with the nearest, if it cannot play so; InputError, if no rule says who
    wins, so that a search has no goal.
    """
    known = kinds_of(ruleset)
    kind, colon, text = how.partition(":")
    if kind == SEARCH and SEARCH not in known:
        told = f"no rule of {ruleset.title} says who wins"
        raise InputError(f"{told}, so a search has no goal; choose {' or '.join(known)}")
    if kind not in known or (colon and kind != SEARCH):
        raise UnknownName(f"unknown computer player {clipped(how)}{nearest(how, known)}")
    if not colon:
        return kind, seconds
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < inf:
        raise InputError(f"{clipped(how)} needs a number of seconds above 0")
    return kind, seconds


class ComputerPlayer:
    """A computer that plays any seat of a game, from what its player sees.

    *how* is `random`, a policy of the game, or `search`, for so many *seconds*, also as
    `search:5`. The same *seed* makes the same choices; without one, each game differs. A search
    that is limited by a number of *games* does not depend on the speed of the machine.

    >>> import pymorph
    >>> start = pymorph.position("tictactoe")
    >>> computer = ComputerPlayer.of(start, "random", seed="7")
    >>> computer.choose(start, "x"), computer.choose(start, "o")
    (Term('put(x, a2)'), None)
    """

    def __init__(self, how: str, seconds: float, seed: str, games: float) -> None:
        self.how, self.seconds, self.seed, self.games = how, seconds, seed, games
        self._chosen = 0  # actions so far

    @classmethod
    def of(
        cls,
        position: Position,
        how: str,
        seconds: float = LIMITS.seconds,
        seed: str = "",
        games: float = inf,
    ) -> ComputerPlayer:
        """A computer player for the game of a position. For a search, the rules are compiled here
        if they can be; that is not part of its time.

        Raises: UnknownName or InputError, as `kind_of` does.
        """
        kind, seconds = kind_of(position.ruleset, how, seconds)
        if kind == SEARCH and HIDDEN.name not in position.words:
            tree_search.dynamics_at(position)
        return cls(kind, seconds, seed, games)

    def choose(self, position: Position, actor: str) -> Term | None:
        """What a player, or somebody for whom it acts, does in a position; None, if it has nothing
        to do. Of the position, the computer knows what that player sees. It may try an action that
        depends on something hidden: if that is not legal, it tries another.

        Raises: UnknownName, if nobody of that name looks at the game.
        """
        end = time.monotonic() + self.seconds
        source = Random(f"{self.seed} {self._chosen} {actor}" if self.seed else None)
        observer = Observer.of(position, actor)
        view = as_seen_by(position, observer.name)
        mine, _ = observer.legality(view, legal(view))
        for action in self._ranked(view, mine, observer.name, source, end):
            if action in mine.actions or judged(position, [action.symbol])[action.symbol].legal:
                self._chosen += 1
                return action
        return None

    def _ranked(
        self, view: Position, mine: Legality, name: str, source: Random, end: float
    ) -> Iterable[Term]:
        """The actions that a player may take or try, the best one first."""
        if mine.rolls:
            return ()
        actions = [*mine.actions, *(doubt.action for doubt in mine.unsettled)]
        source.shuffle(actions)
        if self.how == RANDOM or len(actions) < 2:
            return actions
        if self.how == SEARCH:
            return self._searched(view, actions, source, end)
        players = Players(view, {name: self.how})
        [wanted] = players.choices([players.told()])
        return dict.fromkeys([*(a for a in map(Term, wanted) if a in actions), *actions])

    def _searched(
        self, view: Position, actions: list[Term], source: Random, end: float
    ) -> list[Term]:
        """Some actions, by how they do in a search of each of some worlds that the view allows; in
        no order, if no such world is known."""
        worlds, symbols = possible_worlds(view, source), [action.symbol for action in actions]
        ranks: dict[Symbol, list[int]] = defaultdict(list)
        for number, world in enumerate(worlds):
            now = time.monotonic()
            until = now + (end - now) / (len(worlds) - number)
            tree = tree_search.searched(world, symbols, source, until, self.games)
            for rank, action in enumerate(tree.ranked()):
                ranks[action].append(rank)
        return sorted(actions, key=lambda action: mean(ranks.get(action.symbol, [len(actions)])))


def possible_worlds(view: Position, source: Random) -> list[Position]:
    """Positions that look like a view, at random: the view itself, if nothing is hidden. There are
    none, if too few of those that were tried are valid, or if only a number of things is seen."""
    hidden = [fluent for fluent, value in view.fluents.items() if value == HIDDEN]
    if not hidden:
        return [] if HIDDEN.name in view.words else [view.with_history(None)]
    words, found = view.ruleset.vocabulary, list[Position]()
    values: dict[Symbol, list[Symbol]] = {}
    for fluent in hidden:
        declared = words.fluents[fluent.name]
        members = dict.fromkeys(words.members(declared.value, view.scene))
        if view.ruleset.veiled.get(fluent.name):
            members[declared.default] = None
        values[fluent] = [value for value in members if value != HIDDEN]
    for _ in range(LIMITS.batches):
        tried = [
            view.with_changes({fluent: source.choice(row) for fluent, row in values.items()})
            for _ in range(LIMITS.tries)
        ]
        found += [p.with_history(None) for p in valid(tried) if HIDDEN.name not in p.words]
        if len(found) >= LIMITS.worlds:
            break
    return found[: LIMITS.worlds]


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
    position: Position, actor: str, how: str, seconds: float = LIMITS.seconds, seed: str = ""
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
