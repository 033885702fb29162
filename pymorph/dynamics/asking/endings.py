"""How things are after an action: who has won, or for whose answer play waits, by which rule."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from clingo import Symbol, SymbolType

from pymorph.dynamics.asking.batch import (
    Arguments,
    ask,
    batches,
    by_actor,
    by_situation,
    facts_of,
    situation,
)
from pymorph.dynamics.results import Awaited, GameOutcome
from pymorph.errors import RulesetError
from pymorph.runtime.arguments import checked
from pymorph.state.position import Position
from pymorph.terms import Term, sorted_symbols, text_of

OVER = ("over", 2)
SAID = {"over": 0, "wins": 1, "drawn": 0, "score": 2}  # where each atom has its situation


class Ending(NamedTuple):
    """By which rules a game is over, and its outcome then."""

    over: tuple[str, ...] = ()
    outcome: GameOutcome | None = None


@checked
def outcome(position: Position) -> GameOutcome | None:
    """How the game has ended in *position*; None if it is not over, or if that is hidden.

    Who has won is what the rules say; where they say that the game is over and no more, there are
    no winners. Raises: RulesetError if the ruleset does not ground.

    >>> import pymorph
    >>> start = pymorph.Position.load("examples/rulesets/tictactoe/positions/start.yaml")
    >>> print(pymorph.outcome(start))
    None
    >>> line = ["put(x, a1)", "put(o, b1)", "put(x, a2)", "put(o, b2)", "put(x, a3)"]
    >>> pymorph.outcome(pymorph.apply(start, *line).position).winners
    (Term('x'),)
    """
    return outcomes_of([position])[0]


def outcomes_of(positions: Sequence[Position]) -> tuple[GameOutcome | None, ...]:
    """What `outcome` says of each of many positions of one game."""
    found: dict[int, GameOutcome | None] = {}
    if positions and any(positions[0].ruleset.giving("outcome", OVER)):
        for first, numbers in batches(positions):
            endings = outcomes_in(ask("outcome", first, facts_of(positions, numbers)))
            found |= {number: endings[number].outcome for number in numbers}
    return tuple(map(found.get, range(len(positions))))


def outcomes_in(atoms: Mapping[str, Sequence[Symbol]]) -> Mapping[int, Ending]:
    """The endings that some atoms tell of, by the number of the situation."""
    rows = {name: by_situation(atoms[name], place) for name, place in SAID.items()}
    found: dict[int, Ending] = defaultdict(Ending)
    for number in rows["over"]:
        over, wins, drawn, score = (each.get(number, ()) for each in rows.values())
        winners = tuple(map(Term, sorted_symbols({row[0] for row in wins})))
        scores = {str(Term(row[0])): points_of(*row) for row in score}
        cited = tuple(sorted({row[-1].name for row in (*over, *wins, *drawn, *score)}))
        by = tuple(sorted({row[-1].name for row in over}))
        found[number] = Ending(by, GameOutcome(winners, bool(drawn), scores, cited))
    return found


def points_of(player: Symbol, points: Symbol, *cited: Symbol) -> int:
    """The points with which a player ends. Raises: RulesetError, if they are no number."""
    if points.type != SymbolType.Number:
        what = f"the score of {text_of(player)} is {text_of(points)}, not a number"
        raise RulesetError(f"{what} ({text_of(cited[-1])})")
    return points.number


def awaited_in(rows: Iterable[Arguments], bounds: Iterable[Arguments]) -> tuple[Awaited, ...]:
    """What somebody has to enter, with the rule that waits for it, sorted by actor.

    Of several *bounds* the lowest counts.
    """
    most: dict[Symbol, tuple[int, str]] = {}
    for form, number, unit, _ in bounds:
        most[form] = min((number.number, unit.name), most.get(form, (number.number, unit.name)))
    found = (Awaited(Term(row[0]), row[2].name, *most.get(row[0], ())) for row in rows)
    return tuple(sorted(found, key=lambda each: (by_actor(each.form), each.rule)))


class FollowUp(NamedTuple):
    """For what play waits after an action, and who has won if the game is over then."""

    awaited: tuple[Awaited, ...] = ()
    outcome: GameOutcome | None = None


@lru_cache(maxsize=4)
def afterwards(before: Position, action: Term, after: Position) -> FollowUp:
    """What others may answer to *action* and what has to be entered, before play continues; the
    outcome, if it does not.

    An answer is an action that the others could not take *before*; it counts where the actor has
    to wait with something that could be done then. Each has the rules that make play wait.
    """
    atoms = ask("why", after, after.facts(situation(0)))
    rows = [atom.arguments for atom in atoms["waits"]]
    delayed = [(Term(row[0]), row[2].name) for row in rows]
    delayed = [(each, rule) for each, rule in delayed if each.actor == action.actor]
    able = sorted((Term(atom.arguments[0]) for atom in atoms["legal"]), key=by_actor)
    if able and not delayed:  # where something may be done, the game is not over
        return FollowUp()
    if not able:
        told = ask("legal", after, after.facts(situation(0)))
        rows, bounds = ([a.arguments for a in told[each]] for each in ("awaited", "awaited_most"))
        entries = () if told["over"] or told["legal"] else awaited_in(rows, bounds)
        return FollowUp(entries, outcomes_in(told)[0].outcome)
    earlier = ask("legal", before, before.facts(situation(0)))["legal"]
    known = {Term(atom.arguments[0]) for atom in earlier}
    rules = sorted({rule for each, rule in delayed if each in known})
    new = [each for each in able if each.actor != action.actor and each not in known]
    return FollowUp(tuple(Awaited(each, rule) for each in new for rule in rules))
