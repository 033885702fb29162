"""How a game that is over has ended: who has won."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from clingo import Symbol

from pymorph.dynamics.asking.batch import ask, batches, by_situation, facts_of
from pymorph.dynamics.results import GameOutcome
from pymorph.state.position import Position, of_position
from pymorph.terms import Term, sorted_symbols

OVER = ("over", 2)
SAID = {"over": 0, "wins": 1, "drawn": 0, "score": 2}  # where each atom has its situation


class Ending(NamedTuple):
    """By which rules a game is over, and its outcome then."""

    over: tuple[str, ...] = ()
    outcome: GameOutcome | None = None


@of_position
def outcome(position: Position) -> GameOutcome | None:
    """How the game has ended in *position*; None if it is not over, or if that is hidden.

    Who has won is what the rules say; where they say that the game is over and no more, there are
    no winners. Raises: RulesetError if the ruleset does not ground.
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
        scores = {str(Term(row[0])): row[1].number for row in score}
        cited = tuple(sorted({row[-1].name for row in (*over, *wins, *drawn, *score)}))
        by = tuple(sorted({row[-1].name for row in over}))
        found[number] = Ending(by, GameOutcome(winners, bool(drawn), scores, cited))
    return found
