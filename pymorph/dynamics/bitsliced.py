"""Dynamics on compiled rules: one integer for each atom, with one bit for each state."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any, NamedTuple

from clingo import Function, Number, Symbol, SymbolType

from pymorph.answers import summarized
from pymorph.asp.bitslice.bit_program import Planes, no_less, total
from pymorph.asp.bitslice.ground_program import Uncompiled
from pymorph.dynamics.bits.compiled import CompiledAction, CompiledScene, Truth
from pymorph.dynamics.bits.planes import Matrix, numbers_at, replaced, spread
from pymorph.dynamics.carrying import MAX_SETTLING
from pymorph.dynamics.protocol import ChanceNode, Endings, Follow, Mask, Numbering, Placed, union
from pymorph.state.position import Position, value_of
from pymorph.terms import Term, functor, order

Pending = tuple[Symbol, ...]  # actions that are still to be carried out
PlanMasks = dict[Pending, Mask]  # with the states in which they are
Chosen = tuple[CompiledAction, Mask]  # an action, and the states in which it is taken


@summarized(lambda dynamics: dynamics.scene.start.ruleset.name)
class BitSliced:
    """The rules of one table, compiled; a row has the numbers of the values of all fluents."""

    def __init__(self, scene: CompiledScene) -> None:
        self.scene, self.batch = scene, scene.together
        self.known = list(scene.actions.values())  # in the order of their numbers
        self.actions = Numbering(scene.actions)
        self.events, self.values = Numbering(), Numbering()
        self.fluents = Numbering(scene.fluents)

    @cached_property
    def happens(self) -> list[list[tuple[int, list[int]]]]:
        """For each action the events that it may cause, each with the atoms that say so."""
        number = self.events.number
        return [[(number(event), x) for event, x in a.happens.items()] for a in self.known]

    @cached_property
    def codes(self) -> list[list[int]]:
        """The numbers of the values of each fluent that play can change."""
        return [list(map(self.values.number, values)) for values in self.scene.values]

    def encode(self, positions: Sequence[Position]) -> Matrix:
        return self.scene.keys_of(positions)

    def decode(self, rows: Matrix) -> list[Position]:
        return [self.scene.position_of(row) for row in rows]

    def states(self, rows: Matrix) -> BitStates:
        return BitStates(self, len(rows), rows=rows)

    def pack(self, rows: Matrix) -> Matrix:
        return rows

    unpack = pack

    def forget(self, rows: Matrix) -> None:
        """No state is remembered."""


@summarized(lambda states: f"{len(states)} states")
class BitStates:
    """A batch as *rows* or as *planes* of bits, each made from the other when it is needed; *known*
    are those that there are, and the *truth* of all atoms, if it is."""

    def __init__(self, dynamics: BitSliced, number: int, **known: Any) -> None:
        self.dynamics, self.number = dynamics, number
        vars(self).update(known)

    def __len__(self) -> int:
        return self.number

    @cached_property
    def rows(self) -> Matrix:
        return self.dynamics.scene.keys(self.planes, self.number)

    @cached_property
    def planes(self) -> list[Planes]:
        return self.dynamics.scene.planes(self.rows)

    @cached_property
    def truth(self) -> Truth:
        return self.truth_of({})

    def truth_of(self, asked: Mapping[int, Mask]) -> Truth:
        """The truth of all atoms, where these atoms ask about actions. Raises: Uncompiled, where an
        action is legal that is not declared."""
        scene = self.dynamics.scene
        truth = scene.truth(self.planes, self.number, asked)
        if scene.astray(truth):
            raise Uncompiled("an action is not declared")
        return truth

    def legal(self, follow: Follow = Follow.ALL) -> BitMoves:
        """The legal actions. Raises: Uncompiled, where rules do what they must not."""
        return BitMoves(self)

    def values(self, fluent: int) -> Placed:
        dynamics, every = self.dynamics, (1 << len(self)) - 1
        if fluent >= len(dynamics.codes):  # play cannot change it
            start, symbol = dynamics.scene.start, dynamics.fluents.symbols[fluent]
            value = value_of(start, symbol)
            return [(dynamics.values.number(value), every)]
        pairs = zip(dynamics.codes[fluent], spread(self.planes[fluent], every), strict=False)
        return [(value, bits) for value, bits in pairs if bits]


@summarized(lambda moves: f"{len(moves.legal)} legal actions in {len(moves.states)} states")
class BitMoves:
    """The legal actions of a batch, by the truth of all atoms in it."""

    def __init__(self, states: BitStates) -> None:
        self.states, scene = states, states.dynamics.scene
        self.truth = states.truth
        _require_rolls(scene, self.truth)
        atoms, known = self.truth.atoms, states.dynamics.known
        self.legal = [(a.number, atoms[a.legal]) for a in known if atoms[a.legal]]
        self.open = union(bits for _, bits in self.legal)
        self.rolling = _rolling(scene, self.truth)

    def rolls(self) -> list[ChanceNode]:
        nodes, due, scene = [], self.rolling, self.states.dynamics.scene
        for _, odds in sorted(scene.rolls.items(), key=lambda pair: order(pair[1][0][0])):
            outcomes = [
                (action.number, share, bits & due & self.truth.atoms[action.legal])
                for outcome, share, bits in _outcomes(odds, self.truth)
                if (action := scene.actions.get(outcome))
            ]
            here = union(bits for _, _, bits in outcomes)
            if here:
                nodes.append(ChanceNode(here, [each for each in outcomes if each[2]]))
                due &= ~here
        return nodes

    def endings(self) -> Endings:
        scene, any_of = self.states.dynamics.scene, self.truth.any_of
        return Endings(
            [(rule, any_of(atoms)) for rule, atoms in scene.over.items()],
            [(str(Term(player)), any_of(atoms)) for player, atoms in scene.wins.items()],
            any_of(scene.drawn),
            [((str(Term(p)), points), any_of(x)) for (p, points), x in scene.scores.items()],
        )

    def step(self, chosen: Placed) -> BitTransitions:
        """Carry out actions, each where it is chosen and legal. What a roll interrupts is kept in
        the state, and follows after each of its outcomes.

        Raises: Uncompiled, where rules do what they must not.
        """
        known, execution = self.states.dynamics.known, _Execution(self.states.dynamics)
        actions = ((known[number], bits) for number, bits in chosen)
        after = execution.follow(self.states, self.rolling, actions)
        return BitTransitions(self.states, after, execution.taken)

    def steps(self, chosen: Placed) -> Iterator[BitTransitions]:
        return (self.step([each]) for each in chosen)


class Taken(NamedTuple):
    """Single steps in different states: which actions and where, the truth of all atoms before
    them, and the values of all fluents before and after."""

    chosen: Sequence[Chosen]
    truth: Truth
    before: BitStates
    after: BitStates

    @property
    def halted(self) -> Mask:
        """The states in which the rest of a macro-action is dropped."""
        return union(self.truth.any_of(action.halts) & bits for action, bits in self.chosen)


@summarized(lambda step: f"to {len(step.after)} states")
class BitTransitions:
    """The result of actions; events, rules and periods are read off the single steps when they are
    asked for."""

    def __init__(self, before: BitStates, after: BitStates, taken: Sequence[Taken]) -> None:
        self._before, self.after, self._taken = before, after, taken

    def rows(self, numbers: Matrix) -> Matrix:
        before = self._before
        keys_after = before.dynamics.scene.keys_after
        return keys_after(before.rows, before.planes, self.after.planes, numbers)

    def ended(self, period: str) -> Mask:
        return union(
            step.truth.any_of(action.ends.get(period, ())) & bits
            for step in self._taken
            for action, bits in step.chosen
        )

    def events(self) -> dict[int, Mask]:
        events: dict[int, Mask] = defaultdict(int)
        for step in self._taken:
            for action, bits in step.chosen:
                for event, atoms in self._before.dynamics.happens[action.number]:
                    here = step.truth.any_of(atoms) & bits
                    if here:
                        events[event] |= here
        return events

    def rules(self) -> Iterator[tuple[str, Mask]]:
        for step in self._taken:
            pairs = enumerate(zip(step.before.planes, step.after.planes, strict=True))
            changed = {row: _apart(old, new) for row, (old, new) in pairs if old is not new}
            for action, bits in step.chosen:
                for rule, atoms in action.brings.items():
                    here = union(
                        step.truth.atoms[atom] & (bits if row is None else changed.get(row, 0))
                        for atom, row in atoms
                    )
                    if here & bits:
                        yield rule, here & bits


class _Execution:
    """Carries out actions on compiled rules, and notes the single steps.

    Raises: Uncompiled, in all its methods, where rules do what they must not.
    """

    def __init__(self, dynamics: BitSliced) -> None:
        self._dynamics, self._scene = dynamics, dynamics.scene
        self.taken: list[Taken] = []

    def follow(self, states: BitStates, rolled: Mask, chosen: Iterable[Chosen]) -> BitStates:
        """Carry out actions with all that follows automatically."""
        pending = self._pending(states, chosen)
        asked: dict[int, Mask] = {}
        begun, interrupted = 0, PlanMasks()
        for _ in range(MAX_SETTLING):
            truth = states.truth_of(asked) if asked else states.truth
            actions: list[Chosen] = []
            further: PlanMasks = defaultdict(int)
            for plan, bits in pending.items():
                self._begin(plan, bits, truth, actions, further)
            step = self.take(states, truth, actions)
            moved = union(bits for _, bits in actions)
            if moved & rolled & ~_changed(step):
                raise Uncompiled("a roll changes nothing")
            rolled, begun = 0, begun | moved
            states, stopped, rolling = self._forced(step.after, moved)
            left = moved & ~step.halted & ~stopped
            pending = {}
            for plan, bits in further.items():
                if bits & left & rolling:
                    interrupted[plan] = interrupted.get(plan, 0) | bits & left & rolling
                if bits & left & ~rolling:
                    pending[plan] = bits & left & ~rolling
            if not pending:
                return self._interrupted(states, begun, interrupted)
            asked = self._asked(pending)
        raise Uncompiled("an action never ends")

    def _pending(self, states: BitStates, chosen: Iterable[Chosen]) -> PlanMasks:
        """The actions, each with what is unfinished in the states in which it is chosen."""
        row = self._scene.unfinished
        pending: PlanMasks = {}
        for action, bits in chosen:
            numbers = {0: bits} if row is None else numbers_at(states.planes[row], bits)
            for number, here in numbers.items():
                left = () if row is None else self._scene.values[row][number].arguments
                pending[action.symbol, *left] = here
        return pending

    def _interrupted(self, states: BitStates, begun: Mask, pending: PlanMasks) -> BitStates:
        """The states with what is unfinished in those in which an action was *begun*."""
        row = self._scene.unfinished
        if row is None or not (pending or any(plane & begun for plane in states.planes[row])):
            return states
        codes = {self._scene.codes[row][Function("", p)]: bits for p, bits in pending.items()}
        codes[0] = begun & ~union(codes.values())
        planes = list(states.planes)
        planes[row] = replaced(planes[row], codes)
        return BitStates(self._dynamics, states.number, planes=planes, truth=states.truth)

    def _asked(self, pending: PlanMasks) -> dict[int, Mask]:
        """The atoms that ask about the next actions, with the states: perhaps nothing proposes
        them."""
        asked: dict[int, Mask] = defaultdict(int)
        for (first, *_), bits in pending.items():
            action = self._scene.actions.get(first)
            if action and action.asked:
                asked[action.asked] |= bits
        return asked

    def _begin(
        self, plan: Pending, bits: Mask, truth: Truth, actions: list[Chosen], further: PlanMasks
    ) -> None:
        """Note the first action of a plan where it is legal, and what is to follow it; elsewhere
        the plan is dropped."""
        action = self._scene.actions.get(plan[0])
        if action is None:
            return
        bits &= truth.atoms[action.legal]
        for literal, first, rest in action.unfolds:
            parted = bits & truth.atoms[literal]
            if parted:
                self._begin((first, rest, *plan[1:]), parted, truth, actions, further)
                bits ^= parted
        if bits:
            actions.append((action, bits))
            if plan[1:]:
                further[plan[1:]] |= bits

    def _forced(self, states: BitStates, going: Mask) -> tuple[BitStates, Mask, Mask]:
        """The states after the forced steps, the states in which there were any, and those in
        which a roll is due."""
        scene, stopped = self._scene, 0
        if not scene.due and not scene.rolls:
            return states, 0, 0
        for _ in range(MAX_SETTLING):
            truth = states.truth
            going &= truth.any_of(literal for action in scene.due for literal in action.due)
            stopped |= going
            if not going:
                return states, stopped, _rolling(scene, truth)
            left, actions = going, []
            for action in scene.due:
                here = truth.any_of(action.due) & left
                if here & ~truth.atoms[action.legal]:
                    raise Uncompiled("a forced step is not legal")
                if here:
                    actions.append((action, here))
                    left ^= here
            step = self.take(states, truth, actions)
            if going & ~_changed(step):
                raise Uncompiled("a forced step changes nothing")
            states = step.after
        raise Uncompiled("forced steps never end")

    def take(self, before: BitStates, truth: Truth, chosen: Sequence[Chosen]) -> Taken:
        """Carry out single steps."""
        new: dict[int, dict[int, Mask]] = defaultdict(lambda: defaultdict(int))
        added: dict[int, list[tuple[int, Mask]]] = defaultdict(list)
        self._scene.settle((action for action, _ in chosen), truth)
        for action, here in chosen:
            for row, by_code in action.values.items():
                for code, literals in by_code.items():
                    bits = truth.any_of(literals) & here
                    if bits and code is None:
                        raise Uncompiled("a fluent would have a value that is not in its sort")
                    if bits and code is not None:
                        new[row][code] |= bits
            for row, sums in action.sums.items():
                amounts = [(n, truth.any_of(literals) & here) for n, literals in sums.values()]
                if any(bits for _, bits in amounts):
                    added[row] += amounts
        planes = list(before.planes)
        for row, codes in new.items():
            planes[row] = replaced(planes[row], codes)
        for row, amounts in added.items():
            planes[row] = self._sum(row, planes[row], amounts, truth.every)
        step = Taken(chosen, truth, before, BitStates(self._dynamics, before.number, planes=planes))
        self.taken.append(step)
        return step

    def _sum(self, row: int, planes: Planes, amounts: Placed, every: Mask) -> Planes:
        """A fluent with some amounts added, in the range of its sort."""
        words = self._scene.start.ruleset.vocabulary
        sort = words.sorts[words.fluents[functor(self._scene.fluents[row])].value]
        touched, numbers = 0, defaultdict[int, Mask](int)
        for value, bits in zip(self._scene.values[row], spread(planes, every), strict=False):
            numbers[value.number if value.type == SymbolType.Number else 0] |= bits
        for amount, here in amounts:
            touched |= here
            after = defaultdict[int, Mask](int)
            for number, bits in numbers.items():
                after[number] |= bits & ~here
                after[number + amount] |= bits & here
            numbers = defaultdict(int, {number: bits for number, bits in after.items() if bits})
        codes = defaultdict[int, Mask](int)
        for number, bits in numbers.items():
            value = Number(min(max(number, sort.low), sort.high))
            codes[self._scene.codes[row][value]] |= bits & touched
        return replaced(planes, codes)


def _rolling(scene: CompiledScene, truth: Truth) -> Mask:
    """The states in which a roll is due."""
    return truth.any_of(x for odds in scene.rolls.values() for _, x, _ in odds)


def _require_rolls(scene: CompiledScene, truth: Truth) -> None:
    """Raises: Uncompiled, unless the odds of each roll add up to 1 and all of it is legal."""
    for odds in scene.rolls.values():
        outcomes = _outcomes(odds, truth)
        denominator = lcm(*(share.denominator for _, share, _ in outcomes))
        able = barred = 0
        for outcome, _, bits in outcomes:
            action = scene.actions.get(outcome)
            legal = truth.atoms[action.legal] if action else 0
            able |= bits & legal
            barred |= bits & ~legal
        sums = total([(int(share * denominator), bits) for _, share, bits in outcomes])
        right = no_less(sums, denominator, truth.every)
        right &= ~no_less(sums, denominator + 1, truth.every)
        if (able | barred) & ~right or able & barred:
            raise Uncompiled("the odds of a roll do not add up to 1")


def _outcomes(
    odds: Iterable[tuple[Symbol, int, Fraction]], truth: Truth
) -> list[tuple[Symbol, Fraction, Mask]]:
    """The outcomes of a roll with their odds, and the states in which they have those.

    Raises: Uncompiled, where an outcome has two.
    """
    by_outcome: dict[Symbol, dict[Fraction, Mask]] = defaultdict(lambda: defaultdict(int))
    for outcome, literal, share in odds:
        by_outcome[outcome][share] |= truth.atoms[literal]
    for shares in by_outcome.values():
        seen = 0
        for bits in shares.values():
            if seen & bits:
                raise Uncompiled("an outcome of a roll has two different odds")
            seen |= bits
    return [(o, share, x) for o, shares in by_outcome.items() for share, x in shares.items() if x]


def _changed(step: Taken) -> Mask:
    """The states that a step changes."""
    pairs = zip(step.before.planes, step.after.planes, strict=True)
    return union(_apart(old, new) for old, new in pairs if old is not new)


def _apart(one: Planes, other: Planes) -> Mask:
    """The states in which a number is another one."""
    return union(mine ^ theirs for mine, theirs in zip(one, other, strict=True))
