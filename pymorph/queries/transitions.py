"""Every legal action of many positions with all that follows of it; nothing is asked twice."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from clingo import Function, Symbol

from pymorph.errors import Fault, RulesetError
from pymorph.queries.application import MAX_SETTLING, Row, Rows, changed, happened
from pymorph.queries.batch import (
    ask,
    batches,
    by_actor,
    by_situation,
    facts_of,
    situation,
    uncollected,
)
from pymorph.queries.chance import rolls_in
from pymorph.queries.outcomes import Event
from pymorph.queries.proposals import hold_to_sorts
from pymorph.queries.results import Roll
from pymorph.queries.steps import NO_ROWS, by_transition, transitions
from pymorph.ruleset.loader import Ruleset
from pymorph.state.position import Item, Position
from pymorph.terms import Term, order, text_of

Relevant = frozenset[Item]


def successors_of(positions: Sequence[Position]) -> tuple[tuple[tuple[Term, Position], ...], ...]:
    """For each position every legal action with the position that `apply` gives, many at once.

    Where a roll is due the position is the one before it, as when `apply` is given no roll.
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
            after = [(Term(action), leg.position) for action, leg in row.items()]
            found[number] = tuple(sorted(after, key=lambda pair: by_actor(pair[0])))
    return tuple(found[number] for number in range(len(positions)))


@dataclass(frozen=True, slots=True)
class Link:
    """A single step: the position after it, what it brought about, which periods it ended.

    *happens* has the arguments of the atoms that say so. *halted*: what was to follow it is left
    undone.
    """

    action: Symbol
    position: Position
    happens: tuple[Row, ...]
    ended: tuple[str, ...]
    halted: bool

    @property
    def events(self) -> tuple[Event, ...]:
        """What it brought about, in the order in which it is told."""
        return happened(self.position, self.happens)


@dataclass(frozen=True, slots=True)
class Fork:
    """All that may be done in a position: single steps, what is made of several, rolls.

    *awaited* is what somebody has to enter before play goes on; *over* are the rules by which the
    game is over.
    """

    links: Mapping[Symbol, Link]
    unfolds: Mapping[Symbol, tuple[Symbol, Symbol]]
    rolls: tuple[Roll, ...]
    awaited: tuple[Symbol, ...] = ()
    over: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Pause:
    """What comes before any choice: a step without choice, or a roll, or neither."""

    due: Symbol | None
    rolling: bool


NOTHING = Pause(None, False)


@dataclass(slots=True)
class Leg:
    """An action with what follows of itself, link by link, and where that leads.

    *agenda* is what is left of it to do, *forced* are the steps that nobody chose.
    """

    position: Position
    agenda: tuple[Symbol, ...]
    links: list[Link] = field(default_factory=list)
    forced: list[Symbol] = field(default_factory=list)

    @property
    def events(self) -> list[Event]:
        return [event for link in self.links for event in link.events]

    def noted(self, matters: Callable[[Symbol], bool]) -> list[Symbol]:
        """The events of a kind that *matters*, in order; few steps bring any about."""
        return [
            event.event.symbol
            for link in self.links
            if any(matters(row[0]) for row in link.happens)
            for event in link.events
            if matters(event.event.symbol)
        ]

    @property
    def ended(self) -> list[str]:
        return [period for link in self.links for period in link.ended]


class RelevantState:
    """What a question looks at in the positions of one game and table.

    Positions that agree in that have the same answer, so it is asked of one of them.
    """

    def __init__(self, ruleset: Ruleset, verb: str) -> None:
        reads = {key for part in ruleset.slices[verb].parts for key in part.signs.reads}
        names = {functor for name, arity, functor in reads if (name, arity) == ("holds", 3)}
        self._names = frozenset(ruleset.vocabulary.fluents) if None in names else names
        self._met: set[Item] = set()
        self._idle: set[Item] = set()

    def of(self, position: Position) -> Relevant:
        """The part of a position that the answer can depend on."""
        new = position.items - self._met
        if new:
            self._met |= new
            self._idle |= {item for item in new if item[0].name not in self._names}
        return position.items - self._idle


class Expander:
    """Grows legs out of the positions of one game and table, and asks nothing of any twice."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.forks: dict[Position, Fork] = {}
        self._pauses: dict[Position, Pause] = {}
        self._pauses_by_aspect: dict[Relevant, Pause] = {}
        self._aspects = RelevantState(ruleset, "pause")
        self._forced: dict[Position, Link] = {}
        self._symbols: dict[Symbol, Symbol] = {}  # one each, which is sooner seen to be the same

    @uncollected()
    def legs_of(
        self, positions: Iterable[Position], wanted: Callable[[Symbol], bool] | None = None
    ) -> list[dict[Symbol, Leg]]:
        """For each of some positions every legal action that is *wanted*, with what follows of
        itself.

        An action that is made of several is followed through the positions on its way, which are
        those of shorter actions. Where a roll is due its outcomes are what is legal.
        """
        kept = list(positions)
        self._fork(kept)
        found: list[dict[Symbol, Leg]] = []
        for position in kept:
            fork = self.forks[position]
            actions = [a for a in (*fork.links, *fork.unfolds) if wanted is None or wanted(a)]
            found.append({action: Leg(position, (action,)) for action in actions})
        self._follow([leg for row in found for leg in row.values()])
        return found

    def forget(self) -> None:
        """Let go of what was found of single positions, which may be too much to keep."""
        self.forks.clear()
        self._pauses.clear()
        self._forced.clear()

    @uncollected()
    def rolls_of(self, positions: Iterable[Position]) -> list[tuple[Roll, ...]]:
        """The rolls that are due in each of some positions, in which no other step is."""
        kept = list(positions)
        self._look(kept)
        self._fork([position for position in kept if self._pauses[position].rolling])
        return [self.forks[p].rolls if self._pauses[p].rolling else () for p in kept]

    def _follow(self, legs: Sequence[Leg]) -> None:
        """Carry each leg on until a choice or a roll comes."""
        going = list(legs)
        for _ in range(MAX_SETTLING):
            acting = [leg for leg in going if leg.agenda]
            self._fork([leg.position for leg in acting])
            for leg in filter(self._ready, acting):
                self._take(leg, self.forks[leg.position].links[leg.agenda[0]])
            self._look([leg.position for leg in acting])
            self._settle(acting)
            going = [leg for leg in acting if leg.agenda]
            if not going:
                return
        raise RulesetError(Fault("an action does not come to an end"))

    def _ready(self, leg: Leg) -> bool:
        """Is the next step of a leg legal? If not, what is left of it stays undone."""
        fork = self.forks[leg.position]
        while leg.agenda and leg.agenda[0] in fork.unfolds:
            leg.agenda = (*fork.unfolds[leg.agenda[0]], *leg.agenda[1:])
        if leg.agenda[0] not in fork.links:
            leg.agenda = ()
        return bool(leg.agenda)

    def _take(self, leg: Leg, link: Link) -> None:
        leg.links.append(link)
        leg.position = link.position
        leg.agenda = () if link.halted else leg.agenda[1:]

    def _settle(self, legs: Iterable[Leg]) -> None:
        """Make the steps without choice that follow the legs; like rolls they stop what follows."""
        going = list(legs)
        for _ in range(MAX_SETTLING):
            due: dict[Position, Symbol] = {}
            held = [leg for leg in going if self._pauses[leg.position] != NOTHING]
            for leg in held:
                leg.agenda = ()
                action = self._pauses[leg.position].due
                if action is not None:
                    due[leg.position] = action
            new = [(position, due[position]) for position in due if position not in self._forced]
            for (position, action), rows in zip(new, transitions(new), strict=True):
                link = self._link(position, action, rows)
                if link.position == position:
                    raise RulesetError(
                        Fault(f"the step {text_of(action)} is due but changes nothing")
                    )
                self._forced[position] = link
            going = [leg for leg in held if leg.position in due]
            if not going:
                return
            for leg in going:
                link = self._forced[leg.position]
                leg.forced.append(link.action)
                self._take(leg, link)
            self._look([leg.position for leg in going])
        raise RulesetError(Fault("steps without choice do not come to an end"))

    def _look(self, positions: Iterable[Position]) -> None:
        """Find out what is due in the positions."""
        new: dict[Relevant, list[Position]] = defaultdict(list)
        for position in positions:
            if position not in self._pauses:
                new[self._aspects.of(position)].append(position)
        unknown = [row[0] for aspect, row in new.items() if aspect not in self._pauses_by_aspect]
        for first, numbers in batches(unknown):
            facts = facts_of(unknown, numbers)
            atoms = ask("pause", first, facts)
            due, chances = by_situation(atoms["due"], 1), by_situation(atoms["chance"], 3)
            for n in numbers:
                action = min((row[0] for row in due.get(n, ())), key=order, default=None)
                aspect = self._aspects.of(unknown[n])
                self._pauses_by_aspect[aspect] = Pause(action, n in chances)
        for aspect, row in new.items():
            self._pauses.update(dict.fromkeys(row, self._pauses_by_aspect[aspect]))

    def _fork(self, positions: Iterable[Position]) -> None:
        """Find out what may be done in the positions, and what comes of each single step."""
        new = list(dict.fromkeys(p for p in positions if p not in self.forks))
        for first, numbers in batches(new):
            facts = facts_of(new, numbers)
            atoms = ask("branch", first, facts)
            rows = by_transition(atoms)
            legal = by_situation(atoms["legal"], 1)
            unfolds = by_situation(atoms["unfolds"], 3)
            chances = by_situation(atoms["chance"], 3)
            entries = by_situation(atoms["awaited"], 1)
            ends = by_situation(atoms["over"], 0)
            for n in numbers:
                position, here = new[n], situation(n)
                allowed = {row[0] for row in legal.get(n, ())}
                hold_to_sorts(position, allowed)
                steps = {row[0]: (row[1], row[2]) for row in unfolds.get(n, ())}
                links = {}
                for action in allowed - steps.keys():
                    told = rows.get(Function("", [action, here]), NO_ROWS)
                    links[action] = self._link(position, action, told)
                rolls = rolls_in(chances.get(n, ()), allowed)
                for action in links if rolls else ():
                    if links[action].position == position:
                        raise RulesetError(
                            Fault(f"{text_of(action)} is a roll that changes nothing")
                        )
                wholes = {action: steps[action] for action in allowed & steps.keys()}
                awaited = tuple(sorted({row[0] for row in entries.get(n, ())}, key=order))
                over = tuple(sorted({row[1].name for row in ends.get(n, ())}))
                self.forks[position] = Fork(links, wholes, rolls, awaited, over)

    def _link(self, position: Position, action: Symbol, rows: Rows) -> Link:
        """What comes of one step."""
        one = self._symbols.setdefault
        after = position.with_changes(
            {one(f, f): one(v, v) for f, v in changed(position, rows).items()}
        )
        ended = sorted({period.name for _, period, _ in rows["ends"]})
        return Link(action, after, tuple(rows["happens"]), tuple(ended), bool(rows["halts"]))
