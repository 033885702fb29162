"""What a learning environment has to know of a table before play: the players and the numbers of
their actions; and why some games cannot be learnt so."""

from __future__ import annotations

from collections import defaultdict
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

OUTCOME = (("wins", 3), ("drawn", 2), ("score", 4))
AUTOMATIC = (("chance", 5), ("forced", 3))


class LearningLimits(NamedTuple):
    """How much a learning environment numbers and remembers."""

    actions: int = 200_000
    values: int = 200_000  # of all fluents, in an observation
    scaled: int = 100  # values of a range, beyond which an observation has the number itself
    nodes: int = 200_000  # that are remembered
    ahead: int = 6_000  # that are found before play


LIMITS = LearningLimits()


class Seats(NamedTuple):
    """The players of a table: their *names*, and the player of each actor, by number."""

    names: tuple[str, ...]
    number_of: Mapping[str, int]

    @classmethod
    def of(cls, position: Position, given: Sequence[str] = ()) -> Seats:
        """The players of the table of a position: the sides, and the actors without a side; or
        those that are *given*. Whoever acts first comes first.

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
    >>> [str(each) for each in ActionNumbers(start, Seats.of(start)).forms][:3]
    ['put(a1)', 'put(b1)', 'put(c1)']
    """

    def __init__(self, position: Position, players: Seats) -> None:
        """Raises: InputError, if they cannot be listed, or are too many."""
        words, scene, title = position.ruleset.vocabulary, position.scene, position.ruleset.title
        self._players = players
        size = 0
        for action in (declared for declared in choices(position) if not declared.open):
            for sort in action.sorts:
                if not words.is_listed(sort, scene):
                    raise InputError(
                        f"{title} cannot be a learning environment: '{action.name}' takes any "
                        f"{sort}, and those cannot be listed; give the sort a list or a range"
                    )
            size += prod(len(words.members(sort, scene)) for sort in action.sorts)
        if size > LIMITS.actions:
            raise InputError(
                f"{title} cannot be a learning environment: it has {size:,} actions, and at most "
                f"{LIMITS.actions:,} can be numbered; split them into several smaller choices"
            )
        typed = (a for d in choices(position) if not d.open for a in words.typed(d, scene))
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
    automatic = automatic_names(position)
    every = position.ruleset.vocabulary.actions.values()
    return [action for action in every if action.sorts and action.name not in automatic]


def automatic_names(position: Position, kinds: Iterable[tuple[str, int]] = AUTOMATIC) -> set[str]:
    """The names of the actions that are rolls or forced steps."""
    named: dict[tuple[str, int], set[str]] = defaultdict(set)
    for part in position.ruleset.slices["pause"].parts:
        for (name, arity, word), _ in part.signs.defines:
            named[name, arity].add(word or "")
    return set().union(*(named[kind] for kind in kinds))


def most_outcomes(position: Position) -> int:
    """The most outcomes that a roll may have; 0, if nothing is rolled."""
    names = automatic_names(position, AUTOMATIC[:1])
    actions = position.ruleset.vocabulary.actions
    rolls = [actions[name] for name in names if name in actions]
    return max((len(members_of(position, roll.sorts[-1])) for roll in rolls), default=0)


def require_learnable(position: Position) -> None:
    """Raises: InputError, if no rule says how games end, or the position has something hidden."""
    ruleset = position.ruleset
    if not any(any(ruleset.giving("outcome", key)) for key in OUTCOME):
        raise InputError(
            f"{ruleset.title} cannot be a learning environment: no rule says who wins; "
            "write wins(P, S, R) or drawn(S, R)"
        )
    if HIDDEN in position.fluents.values():
        raise InputError("the start has hidden values; state them, so that they can be played out")
