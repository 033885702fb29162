"""What comes of actions in thousands of positions at once, by the compiled rules of one table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from clingo import Function, Number, Symbol, SymbolType

from pymorph.asp.bitslice.bit_program import Planes, no_less, total
from pymorph.asp.bitslice.ground_program import Uncompiled
from pymorph.dynamics.bits.compiled import CompiledAction, CompiledScene, Positions, Truth
from pymorph.dynamics.bits.planes import numbers_at, replaced, spread
from pymorph.dynamics.carrying import MAX_SETTLING
from pymorph.terms import functor, order

ChosenActions = Sequence[
    tuple[CompiledAction, int]
]  # actions, each with the positions in which it is
Agenda = tuple[Symbol, ...]  # what is left to do


class LegalLayer(NamedTuple):
    """What may be done in positions: each action with those in which it is legal, and those in
    which a roll is due."""

    positions: Positions
    truth: Truth
    legal: list[tuple[CompiledAction, int]]
    rolling: int


class Carried(NamedTuple):
    """What comes of actions: the same positions *after* them, in which of them the last action
    ended a period, and in which what was to follow is left undone."""

    after: Positions
    last: int
    halted: int = 0


class Settled(NamedTuple):
    """What follows of itself after actions: the same positions *after* it, in which of them that
    ended a period, where steps without choice were carried out, and where a roll is due."""

    after: Positions
    last: int
    stopped: int
    rolling: int


class CompiledSteps:
    """Carries out actions on a compiled scene.

    *heard*, if it is set, is told of each action that is taken, with the positions in which it is,
    what holds there before it, and where it changes which of the fluents, by their rows.
    """

    def __init__(self, scene: CompiledScene) -> None:
        self._scene = scene
        self.heard: Callable[[CompiledAction, int, Truth, Mapping[int, int]], None] | None = None

    def options(self, positions: Positions) -> LegalLayer:
        """What may be done in positions.

        Raises: Uncompiled, where something comes about that rules must not bring about.
        """
        truth = self._scene.truth(positions)
        self._require_rolls(truth)
        legal = [
            (action, truth.atoms[action.legal])
            for action in self._scene.actions.values()
            if truth.atoms[action.legal]
        ]
        return LegalLayer(positions, truth, legal, self._rolling(truth))

    def weights(self, options: LegalLayer) -> list[tuple[CompiledAction, int, int]]:
        """Each legal action with a weight, and where it has that: 1 where no roll is due, by the
        odds where one is; of the first, if there are several."""
        atoms, free = options.truth.atoms, options.rolling
        if not free:
            return [(action, 1, legal) for action, legal in options.legal]
        found = [(action, 1, legal & ~free) for action, legal in options.legal]
        for _, row in sorted(self._scene.rolls.items(), key=lambda pair: order(pair[1][0][0])):
            told = _outcomes(row, options.truth)
            whole = lcm(*(odds.denominator for _, odds, _ in told))
            rows = [
                (action, int(odds * whole), bits & atoms[action.legal] & free)
                for outcome, odds, bits in told
                if (action := self._scene.actions.get(outcome))
            ]
            found += rows
            for _, _, bits in rows:
                free &= ~bits
        return [each for each in found if each[2]]

    def carry_out(self, options: LegalLayer, chosen: ChosenActions, until: str = "") -> Carried:
        """Where actions lead with all that follows of itself, each from the positions in which it
        is *chosen* and legal; no two in one. Elsewhere positions stay as they are. What a roll
        holds up is kept in the position, and follows after each of its outcomes.

        Raises: Uncompiled, where something comes about that rules must not bring about.
        """
        if self._scene.due or self._scene.rolls or any(action.unfolds for action, _ in chosen):
            return self._followed(options, chosen, until)
        return self._taken(options.positions, options.truth, chosen, until)

    def _rolling(self, truth: Truth) -> int:
        """Where a roll is due."""
        return truth.any_of(x for row in self._scene.rolls.values() for _, x, _ in row)

    def _followed(self, options: LegalLayer, chosen: ChosenActions, until: str) -> Carried:
        positions, rolled, last = options.positions, options.rolling, 0
        agendas = self._agendas(positions, chosen)
        asked: dict[int, int] = {}
        begun, unfinished = 0, dict[Agenda, int]()
        for _ in range(MAX_SETTLING):
            truth = self._scene.truth(positions, asked)
            taken: list[tuple[CompiledAction, int]] = []
            further: dict[Agenda, int] = defaultdict(int)
            for agenda, bits in agendas.items():
                self._begin(agenda, bits, truth, taken, further)
            step = self._taken(positions, truth, taken, until)
            moved = _united(bits for _, bits in taken)
            if moved & rolled & ~_changed(positions, step.after):
                raise Uncompiled("a roll changes nothing")
            rolled, begun = 0, begun | moved
            positions, ended, stopped, rolling = self._settled(step.after, moved, until)
            last |= step.last | ended
            left = moved & ~step.halted & ~stopped
            agendas = {}
            for agenda, bits in further.items():
                if bits & left & rolling:
                    unfinished[agenda] = unfinished.get(agenda, 0) | bits & left & rolling
                if bits & left & ~rolling:
                    agendas[agenda] = bits & left & ~rolling
            if not agendas:
                return Carried(self._left(positions, begun, unfinished), last)
            asked = self._asked(agendas)
        raise Uncompiled("an action never ends")

    def _agendas(self, positions: Positions, chosen: ChosenActions) -> dict[Agenda, int]:
        """What is to be done: the actions, each with what is unfinished where it is chosen."""
        row = self._scene.unfinished
        agendas: dict[Agenda, int] = {}
        for action, bits in chosen:
            numbers = {0: bits} if row is None else numbers_at(positions.values[row], bits)
            for number, here in numbers.items():
                left = () if row is None else self._scene.values[row][number].arguments
                agendas[action.symbol, *left] = here
        return agendas

    def _left(self, positions: Positions, begun: int, told: Mapping[Agenda, int]) -> Positions:
        """The positions with what is unfinished there, of those in which something was *begun*."""
        row = self._scene.unfinished
        if row is None or not (told or any(plane & begun for plane in positions.values[row])):
            return positions
        codes = {self._scene.codes[row][Function("", left)]: bits for left, bits in told.items()}
        codes[0] = begun & ~_united(codes.values())
        values = list(positions.values)
        values[row] = replaced(values[row], codes)
        return Positions(values, positions.number, positions.truth)

    def _asked(self, agendas: Mapping[Agenda, int]) -> dict[int, int]:
        """By which atoms what comes next is asked about, and where: perhaps nothing proposes it."""
        found: dict[int, int] = defaultdict(int)
        for (first, *_), bits in agendas.items():
            action = self._scene.actions.get(first)
            if action and action.asked:
                found[action.asked] |= bits
        return found

    def _begin(
        self,
        agenda: Agenda,
        bits: int,
        truth: Truth,
        taken: list[tuple[CompiledAction, int]],
        further: dict[Agenda, int],
    ) -> None:
        """Note that the first of what is to be done is taken where it is legal; elsewhere the rest
        is left."""
        action = self._scene.actions.get(agenda[0])
        if action is None:
            return
        bits &= truth.atoms[action.legal]
        for literal, first, rest in action.unfolds:
            parted = bits & truth.atoms[literal]
            if parted:
                self._begin((first, rest, *agenda[1:]), parted, truth, taken, further)
                bits ^= parted
        if bits:
            taken.append((action, bits))
            if agenda[1:]:
                further[agenda[1:]] |= bits

    def _settled(self, positions: Positions, moved: int, until: str) -> Settled:
        """The positions to which actions led, with the steps without choice that follow."""
        last, stopped, going = 0, 0, moved
        if not self._scene.due and not self._scene.rolls:
            return Settled(positions, last, stopped, 0)
        for _ in range(MAX_SETTLING):
            truth = self._scene.truth(positions)
            going &= truth.any_of(literal for action in self._scene.due for literal in action.due)
            stopped |= going
            if not going:
                return Settled(positions, last, stopped, self._rolling(truth))
            left, taken = going, []
            for action in self._scene.due:
                here = truth.any_of(action.due) & left
                if here & ~truth.atoms[action.legal]:
                    raise Uncompiled("a forced step is not legal")
                if here:
                    taken.append((action, here))
                    left ^= here
            step = self._taken(positions, truth, taken, until)
            if going & ~_changed(positions, step.after):
                raise Uncompiled("a forced step changes nothing")
            positions, last = step.after, last | step.last
        raise Uncompiled("forced steps never end")

    def _taken(self, before: Positions, truth: Truth, chosen: ChosenActions, until: str) -> Carried:
        """What comes of single steps."""
        told: dict[int, dict[int, int]] = defaultdict(lambda: defaultdict(int))
        added: dict[int, list[tuple[int, int]]] = defaultdict(list)
        last = halted = 0
        self._scene.settle((action for action, _ in chosen), truth)
        for action, here in chosen:
            for row, by_code in action.values.items():
                for code, literals in by_code.items():
                    bits = truth.any_of(literals) & here
                    if bits and code is None:
                        raise Uncompiled("a fluent would have a value that is not in its sort")
                    if bits and code is not None:
                        told[row][code] |= bits
            for row, sums in action.sums.items():
                amounts = [(n, truth.any_of(literals) & here) for n, literals in sums.values()]
                if any(bits for _, bits in amounts):
                    added[row] += amounts
            halted |= truth.any_of(action.halts) & here
            last |= truth.any_of(action.ends.get(until, ())) & here
        values = list(before.values)
        for row, codes in told.items():
            values[row] = replaced(values[row], codes)
        for row, amounts in added.items():
            values[row] = self._sum(row, values[row], amounts, truth.every)
        if self.heard:
            turned = {row: _apart(before.values[row], values[row]) for row in {*told, *added}}
            for action, here in chosen:
                self.heard(action, here, truth, turned)
        return Carried(Positions(values, before.number), last, halted)

    def _sum(
        self, row: int, planes: Planes, amounts: Iterable[tuple[int, int]], every: int
    ) -> Planes:
        """Add to a fluent whatever is added, in the range of its sort."""
        words = self._scene.start.ruleset.vocabulary
        sort = words.sorts[words.fluents[functor(self._scene.fluents[row])].value]
        touched, held = 0, defaultdict[int, int](int)
        for value, bits in zip(self._scene.values[row], spread(planes, every), strict=False):
            held[value.number if value.type == SymbolType.Number else 0] |= bits
        for amount, here in amounts:
            touched |= here
            after = defaultdict[int, int](int)
            for number, bits in held.items():
                after[number] |= bits & ~here
                after[number + amount] |= bits & here
            held = defaultdict(int, {number: bits for number, bits in after.items() if bits})
        told = defaultdict[int, int](int)
        for number, bits in held.items():
            value = Number(min(max(number, sort.low), sort.high))
            told[self._scene.codes[row][value]] |= bits & touched
        return replaced(planes, told)

    def _require_rolls(self, truth: Truth) -> None:
        """Raises: Uncompiled, unless the odds of each roll add up to 1 and all of it is legal."""
        for row in self._scene.rolls.values():
            told = _outcomes(row, truth)
            whole = lcm(*(odds.denominator for _, odds, _ in told))
            able = barred = 0
            for outcome, _, bits in told:
                action = self._scene.actions.get(outcome)
                legal = truth.atoms[action.legal] if action else 0
                able |= bits & legal
                barred |= bits & ~legal
            sums = total([(int(odds * whole), bits) for _, odds, bits in told])
            right = no_less(sums, whole, truth.every) & ~no_less(sums, whole + 1, truth.every)
            if (able | barred) & ~right or able & barred:
                raise Uncompiled("the odds of a roll do not add up to 1")


def _outcomes(
    row: Iterable[tuple[Symbol, int, Fraction]], truth: Truth
) -> list[tuple[Symbol, Fraction, int]]:
    """What a roll may bring, with its odds, and where it has those.

    Raises: Uncompiled, where odds are told in two ways.
    """
    told: dict[Symbol, dict[Fraction, int]] = defaultdict(dict)
    for outcome, literal, odds in row:
        shares = told[outcome]
        shares[odds] = shares.get(odds, 0) | truth.atoms[literal]
    for shares in told.values():
        seen = 0
        for bits in shares.values():
            if seen & bits:
                raise Uncompiled("an outcome of a roll has two different odds")
            seen |= bits
    return [(o, odds, bits) for o, shares in told.items() for odds, bits in shares.items() if bits]


def _united(masks: Iterable[int]) -> int:
    found = 0
    for bits in masks:
        found |= bits
    return found


def _changed(before: Positions, after: Positions) -> int:
    """Where a position is another one than before."""
    rows = zip(before.values, after.values, strict=True)
    return _united(_apart(old, new) for old, new in rows if old is not new)


def _apart(one: Planes, other: Planes) -> int:
    """Where a number is another one."""
    return _united(mine ^ theirs for mine, theirs in zip(one, other, strict=True))
