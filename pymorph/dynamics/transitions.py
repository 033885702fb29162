"""Every legal action of many positions with all that follows of it; nothing is asked twice."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from clingo import Function, Symbol

from pymorph.dynamics.asking.batch import (
    ArgumentsByPredicate,
    ask,
    batches,
    by_actor,
    by_situation,
    facts_of,
    situation,
    uncollected,
)
from pymorph.dynamics.asking.chance import rolls_in
from pymorph.dynamics.asking.changing import changed
from pymorph.dynamics.asking.endings import outcomes_in
from pymorph.dynamics.asking.proposals import hold_to_sorts
from pymorph.dynamics.asking.steps import (
    NO_ROWS,
    Link,
    PositionAction,
    Refusal,
    Unfolding,
    by_transition,
    ended_in,
)
from pymorph.dynamics.carrying import Carrier, Leg, Prospect
from pymorph.dynamics.results import GameOutcome, Roll
from pymorph.errors import Fault, RulesetError
from pymorph.ruleset.loader import Ruleset
from pymorph.state.position import Position
from pymorph.terms import Term, order, text_of


def successors_of(positions: Sequence[Position]) -> tuple[tuple[tuple[Term, Position], ...], ...]:
    """For each position, every legal action with the position that `apply` gives; many at once.

    Where a roll is due the position is the one before it, as when `apply` is given no roll. If the
    roll holds up the action, what is still to do is `unfinished` in that position; the successors
    of that position are the outcomes of the roll, each with what follows after it.
    """
    tables: dict[object, list[int]] = defaultdict(list)
    for number, position in enumerate(positions):
        same = (position.listed.items(), position.rulings.items())
        kept = tuple(frozenset(items) for items in same)
        tables[position.ruleset.hash, position.board, kept].append(number)
    found: dict[int, tuple[tuple[Term, Position], ...]] = {}
    for numbers in tables.values():
        grower = Expander(positions[numbers[0]].ruleset)
        legs = grower.legs_of([positions[number] for number in numbers])
        for number, row in zip(numbers, legs, strict=True):
            after = [(Term(action), leg.after) for action, leg in row.items()]
            found[number] = tuple(sorted(after, key=lambda pair: by_actor(pair[0])))
    return tuple(found[number] for number in range(len(positions)))


@dataclass(frozen=True, slots=True)
class Fork:
    """All that may be done in a position, in single *steps* or made of several, and the rolls.

    *awaited* is what somebody has to enter before play goes on; *over* are the rules by which the
    game is over.
    """

    steps: Mapping[Symbol, Link | Unfolding]
    rolls: tuple[Roll, ...]
    awaited: tuple[Symbol, ...] = ()
    over: tuple[str, ...] = ()
    outcome: GameOutcome | None = None


class Expander(Carrier):
    """Carries out actions in positions of one game and table, where all that are legal are asked
    about at once."""

    def __init__(self, ruleset: Ruleset) -> None:
        super().__init__(ruleset)
        self._forks: dict[Position, Fork] = {}  # whatever is unfinished there
        self._symbols: dict[Symbol, Symbol] = {}  # one each, which is sooner seen to be the same

    @uncollected()
    def legs_of(
        self, positions: Iterable[Position], wanted: Callable[[Symbol], bool] | None = None
    ) -> list[dict[Symbol, Leg]]:
        """For each of some positions every legal action that is *wanted*, with what follows of
        itself.

        An action that is made of several is followed through the positions on its way, which are
        those of shorter actions. Where a roll is due its outcomes are what is legal, and what is
        unfinished follows after each of them.
        """
        kept = list(positions)
        self._fork(kept)
        found: list[dict[Symbol, Leg]] = []
        for position in kept:
            actions = [a for a in self.fork(position).steps if wanted is None or wanted(a)]
            found.append({action: Leg.of(position, action) for action in actions})
        self.carry_on([leg for row in found for leg in row.values()])
        return found

    def fork(self, position: Position) -> Fork:
        """All that may be done in a position whose legs, rolls or prospects were asked for."""
        return self._forks[position.with_unfinished(())]

    @property
    def looked(self) -> int:
        """Of how many positions all that may be done was asked for."""
        return len(self._forks)

    def forget(self) -> None:
        """Let go of what was found of single positions, which may be too much to keep."""
        super().forget()
        self._forks.clear()

    @uncollected()
    def rolls(self, positions: Sequence[Position]) -> tuple[tuple[Roll, ...], ...]:
        """The rolls that are due in each of some positions, in which no other step is."""
        rolling = {
            p for p, pause in zip(positions, self.pauses(positions), strict=True) if pause.chances
        }
        self._fork(rolling)
        return tuple(self.fork(p).rolls if p in rolling else () for p in positions)

    def prospects(self, positions: Sequence[Position]) -> list[Prospect]:
        """What may be done in each of some positions, but for what hangs on something hidden."""
        self._fork(positions)
        forks = map(self.fork, positions)
        return [Prospect(tuple(f.steps), f.rolls, f.over, f.outcome) for f in forks]

    def steps(self, pairs: Sequence[PositionAction]) -> list[Link | Unfolding | Refusal]:
        """What comes of each of some actions where it is carried out, if it is legal there.

        Those that are not found among all that may be done are asked about by themselves: nothing
        proposes them, or something forbids them.
        """
        self._fork(position for position, _ in pairs)
        found = [self.fork(position).steps.get(action) for position, action in pairs]
        others = [pair for pair, step in zip(pairs, found, strict=True) if step is None]
        asked = iter(super().steps(others))
        return [next(asked) if step is None else step for step in found]

    def _fork(self, positions: Iterable[Position]) -> None:
        """Find out what may be done in the positions, and what comes of each single step."""
        bare = (position.with_unfinished(()) for position in positions)
        new = list(dict.fromkeys(p for p in bare if p not in self._forks))
        for first, numbers in batches(new):
            facts = facts_of(new, numbers)
            atoms = ask("branch", first, facts)
            rows = by_transition(atoms)
            legal = by_situation(atoms["legal"], 1)
            unfolds = by_situation(atoms["unfolds"], 3)
            chances = by_situation(atoms["chance"], 3)
            entries = by_situation(atoms["awaited"], 1)
            endings = outcomes_in(atoms)
            for n in numbers:
                position, here = new[n], situation(n)
                allowed = {row[0] for row in legal.get(n, ())}
                hold_to_sorts(position, allowed)
                wholes = {row[0]: Unfolding(row[1], row[2]) for row in unfolds.get(n, ())}
                links = {
                    action: self._link(
                        position, action, rows.get(Function("", [action, here]), NO_ROWS)
                    )
                    for action in allowed - wholes.keys()
                }
                rolls = rolls_in(chances.get(n, ()), allowed)
                for action, link in links.items() if rolls else ():
                    if link.position == position:
                        raise RulesetError(Fault(f"the roll {text_of(action)} changes nothing"))
                steps: dict[Symbol, Link | Unfolding] = {**links}
                steps |= {action: wholes[action] for action in allowed & wholes.keys()}
                awaited = tuple(sorted({row[0] for row in entries.get(n, ())}, key=order))
                self._forks[position] = Fork(steps, rolls, awaited, *endings[n])

    def _link(self, position: Position, action: Symbol, rows: ArgumentsByPredicate) -> Link:
        """What comes of one step."""
        one = self._symbols.setdefault
        after = position.with_changes(
            {one(f, f): one(v, v) for f, v in changed(position, rows).items()}
        )
        return Link(action, after, tuple(rows["happens"]), ended_in(rows), bool(rows["halts"]))
