"""What a learning environment has to know of a table before play: the players and the numbers of
their actions; and why some games cannot be learnt so."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import prod
from typing import NamedTuple

from clingo import Function, Symbol

from pymorph.errors import InputError
from pymorph.explore.search.players import sides_of
from pymorph.questions.consistency import known_name
from pymorph.ruleset.vocabulary import HIDDEN, Declared
from pymorph.state.position import Position, members_of
from pymorph.terms import Term, text_of

OUTCOME = (("wins", 3), ("drawn", 2))


class LearningLimits(NamedTuple):
    """How much a learning environment numbers and remembers."""

    actions: int = 200_000
    values: int = 200_000  # of all fluents, in an observation
    scaled: int = 100  # values of a range, beyond which an observation has the number itself
    nodes: int = 200_000  # that are remembered
    ahead: int = 6_000  # that are found before play


LIMITS = LearningLimits()


class PlayerNumbers(NamedTuple):
    """The players of a table: their *names*, and the player of each actor, by number."""

    names: tuple[str, ...]
    number_of: Mapping[str, int]

    @classmethod
    def of(cls, position: Position, given: Sequence[str] = ()) -> PlayerNumbers:
        """The players of the table of a position: the sides, and the actors without a side; or
        those that are *given*. The first to act is the first of them.

        Raises: UnknownName, if nobody of a given name acts.
        """
        acting = dict.fromkeys(
            text_of(member)
            for action in choices(position)
            for member in members_of(position, action.sorts[0])
        )
        sides = sides_of(position)
        side_of = {member: side for side, members in sides.items() for member in members}
        seats = dict.fromkeys(side_of.get(actor, actor) for actor in acting)
        names = [known_name(position, name, list(seats), "player") for name in given or seats]
        movers = [side_of.get(a.actor, a.actor) for a in position.legal_actions()]
        first = next((names.index(mover) for mover in movers if mover in names), 0)
        names = names if given else names[first:] + names[:first]
        number_of = {name: number for number, name in enumerate(names)}
        number_of |= {m: number_of[side] for m, side in side_of.items() if side in number_of}
        return cls(tuple(names), number_of)

    def rewards(self, winners: Iterable[str], drawn: bool) -> tuple[float, ...]:
        """What each player gets: 1 for having won, and those who have lost pay for it in equal
        parts, so that it adds up to 0. One who plays alone gets 1 or -1, and 0 for a draw."""
        count = len(self.names)
        won = {self.number_of[name] for name in winners if name in self.number_of}
        losers = count - len(won)
        if count == 1 and not drawn:
            return (1.0 if won else -1.0,)
        if not losers or not won:
            return (0.0,) * count
        return tuple(1.0 if number in won else -len(won) / losers for number in range(count))


class ActionNumbers:
    """The numbers of all actions of the players: those that the vocabulary can form, in its order.
    An action of a player itself has no name of an actor, so those of all players share a number.

    >>> import pymorph
    >>> start = pymorph.position("tictactoe")
    >>> [str(each) for each in ActionNumbers(start, PlayerNumbers.of(start)).forms][:3]
    ['put(a1)', 'put(b1)', 'put(c1)']
    """

    def __init__(self, position: Position, players: PlayerNumbers) -> None:
        """Raises: InputError, if they cannot be listed, or are too many."""
        words, scene = position.ruleset.vocabulary, position.scene
        self._players = players
        size = 0
        actions = [action for action in choices(position) if not action.open]
        for action in actions:
            for sort in action.sorts:
                if not words.is_listed(sort, scene):
                    told = f"'{action.name}' takes any {sort}, and those cannot be listed"
                    raise refusal(position, f"{told}; give the sort a list or a range")
            size += prod(len(words.members(sort, scene)) for sort in action.sorts)
        if size > LIMITS.actions:
            told = f"it has {size:,} actions, and at most {LIMITS.actions:,} can be numbered"
            raise refusal(position, f"{told}; split them into several smaller choices")
        typed = (each for action in actions for each in words.typed(action, scene))
        self.forms = list(dict.fromkeys(map(self.form, typed)))
        self._numbers = {form: number for number, form in enumerate(self.forms)}

    def form(self, action: Symbol) -> Symbol:
        """An action without its actor, if that is a player."""
        by_player = Term(action).actor in self._players.names
        return Function(action.name, action.arguments[1:]) if by_player else action

    def of(self, action: Symbol) -> int:
        """The number of an action. Raises: InputError, if it has none."""
        number = self._numbers.get(self.form(action))
        if number is None:
            raise InputError(f"{text_of(action)} has no number: the vocabulary cannot form it")
        return number


def choices(position: Position) -> list[Declared]:
    """The actions that somebody chooses: all but rolls and forced steps."""
    automatic = named(position, "chance", 5) | named(position, "forced", 3)
    every = position.ruleset.vocabulary.actions.values()
    return [action for action in every if action.sorts and action.name not in automatic]


def named(position: Position, name: str, arity: int) -> set[str]:
    """The names of the actions that a predicate of the rules names as its first argument."""
    parts = (*position.ruleset.slices["pause"].parts, *position.ruleset.slices["legal"].parts)
    keys = {key for part in parts for key, _ in part.signs.defines}
    actions = position.ruleset.vocabulary.actions
    return {action for action in actions if (name, arity, action) in keys}


def most_outcomes(position: Position) -> int:
    """The most outcomes that a roll may have; 0, if nothing is rolled."""
    actions = position.ruleset.vocabulary.actions
    last = [actions[name].sorts[-1] for name in named(position, "chance", 5)]
    return max((len(members_of(position, sort)) for sort in last), default=0)


def require_learnable(position: Position) -> None:
    """Raises: InputError, if no rule says how games end, play may wait for an entry, or the
    position has something hidden."""
    if not any(any(position.ruleset.giving("outcome", key)) for key in OUTCOME):
        raise refusal(position, "no rule says who wins; write wins(P, S, R) or drawn(S, R)")
    if named(position, "awaited", 3):
        told = "play waits for an entry, which nobody can choose from a list"
        raise refusal(position, f"{told}; propose actions with listed arguments instead")
    if HIDDEN in position.fluents.values():
        raise refusal(position, "the start has hidden values; state them")


def refusal(position: Position, why: str) -> InputError:
    """The error of a game that no learning environment can play."""
    return InputError(f"{position.ruleset.title} cannot be a learning environment: {why}")
