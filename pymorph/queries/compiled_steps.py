"""What comes of actions in thousands of positions at once, by the compiled rules of one table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import numpy as np
from clingo import Number, Symbol, SymbolType

from pymorph.asp.compile import Uncompiled
from pymorph.queries.carrying import MAX_SETTLING
from pymorph.queries.compiled import CompiledAction, CompiledScene, Matrix, Truth
from pymorph.terms import functor, order


@dataclass(slots=True)
class Walk:
    """Courses of actions that have come to positions, the columns of *rows*: where each began, by
    its column there, and whether a period ended on the way after which none is followed."""

    rows: Matrix
    origin: Matrix
    last: Matrix

    def part(self, chosen: Matrix) -> Walk:
        return Walk(self.rows[:, chosen], self.origin[chosen], self.last[chosen])


Going = tuple[tuple[Symbol, ...], Walk, Truth, Matrix]  # what is left to do, and where


def joined(walks: Sequence[Walk]) -> Walk:
    """Several walks as one."""
    if len(walks) == 1:
        return walks[0]
    return Walk(
        np.concatenate([walk.rows for walk in walks], axis=1),
        np.concatenate([walk.origin for walk in walks]),
        np.concatenate([walk.last for walk in walks]),
    )


@dataclass(slots=True)
class LegalLayer:
    """What may be done in positions, *start*: each action with the positions in which it is legal,
    and those in which a roll is due."""

    start: Walk
    truth: Truth
    legal: list[tuple[CompiledAction, int]]
    rolling: int


class CompiledSteps:
    """Carries out actions on a compiled scene.

    *heard*, if it is set, is told of each event with the columns of the positions, from which an
    action is carried out, in which it happens.
    """

    def __init__(self, scene: CompiledScene) -> None:
        self._scene = scene
        self.heard: Callable[[Symbol, Matrix], None] | None = None

    def options(self, rows: Matrix) -> LegalLayer:
        """What may be done in the positions of a matrix.

        Raises: Uncompiled, where something comes about that rules must not bring about.
        """
        truth = self._scene.truth(rows)
        self._require_rolls(truth)
        rolling = self._rolling(truth)
        legal = [
            (action, truth.atoms[action.legal])
            for action in self._scene.actions.values()
            if truth.atoms[action.legal]
        ]
        start = Walk(rows, np.arange(rows.shape[1]), np.zeros(rows.shape[1], bool))
        return LegalLayer(start, truth, legal, rolling)

    def successors(
        self,
        rows: Matrix,
        wanted: Callable[[Symbol], bool] = lambda _: True,
        until: str = "",
        bare: bool = False,
    ) -> Iterator[tuple[Symbol, Walk]]:
        """For each action that is *wanted*, where it leads from the positions of a matrix in which
        it is legal, with all that follows of itself; if *bare*, only from which.

        Raises: Uncompiled, where something comes about that rules must not bring about.
        """
        found = self.options(rows)
        for action, legal in found.legal:
            if not wanted(action.symbol):
                continue
            if bare:
                origin = found.start.origin[found.truth.where(legal)]
                yield action.symbol, Walk(rows[:, :0], origin, np.zeros(len(origin), bool))
            else:
                yield action.symbol, self.carry_out(found, action, legal, until)

    def carry_out(
        self, options: LegalLayer, action: CompiledAction, where: int, until: str = ""
    ) -> Walk:
        """Where an action leads from some of the positions in which it is legal."""
        whole, truth = options.start, options.truth
        if not action.unfolds and not self._scene.due and not self._scene.rolls:
            return self._taken(action, whole, truth, truth.where(where), until)[0]
        return self._followed(action, whole, truth, where, until, bool(where & options.rolling))

    def _rolling(self, truth: Truth) -> int:
        """Where a roll is due."""
        return truth.any_of(x for row in self._scene.rolls.values() for _, x, _ in row)

    def odds(self, options: LegalLayer) -> Matrix:
        """The odds of each of the legal actions where a roll is due: of the first, if there are
        several. A roll of which nothing is legal, as in a game that is over, is not made."""
        truth = options.truth
        found = np.zeros((len(options.legal), truth.number))
        number_of = {action.symbol: n for n, (action, _) in enumerate(options.legal)}
        free = options.rolling
        for _, row in sorted(self._scene.rolls.items(), key=lambda pair: order(pair[1][0][0])):
            made = 0
            for outcome, literal, odds in row if free else ():
                bits = truth.atoms[literal] & free
                if bits and outcome in number_of:
                    bits &= truth.atoms[self._scene.actions[outcome].legal]
                    found[number_of[outcome], truth.where(bits)] = float(odds)
                    made |= bits
            free &= ~made
        return found

    def _followed(
        self,
        action: CompiledAction,
        whole: Walk,
        truth: Truth,
        legal: int,
        until: str,
        rolled: bool,
    ) -> Walk:
        """Where an action leads with all that follows of itself."""
        done: list[Walk] = []
        going: list[Going] = [((action.symbol,), whole, truth, truth.where(legal))]
        for _ in range(MAX_SETTLING):
            taken: list[tuple[tuple[Symbol, ...], Walk]] = []
            for agenda, walk, here, chosen in going:
                self._take(agenda, walk, here, chosen, until, taken, done)
            if rolled:
                self._require_change(whole, taken)
                rolled = False
            going = []
            for agenda, walk in taken:
                rest, held = self._settled(walk, until)
                done += held
                if rest is not None and agenda:
                    here = self._scene.truth(rest.rows)
                    going.append((agenda, rest, here, np.ones(here.number, bool)))
                elif rest is not None:
                    done.append(rest)
            if not going:
                return joined(done)
        raise Uncompiled("an action does not come to an end")

    def _take(
        self,
        agenda: tuple[Symbol, ...],
        walk: Walk,
        truth: Truth,
        chosen: Matrix,
        until: str,
        taken: list[tuple[tuple[Symbol, ...], Walk]],
        done: list[Walk],
    ) -> None:
        """Take the first of what is to be done where it is legal; elsewhere the rest is left."""
        action = self._scene.actions.get(agenda[0])
        for literal, first, rest in action.unfolds if action else ():
            parted = chosen & truth.where(truth.atoms[literal])
            if parted.any():
                further = (first, rest, *agenda[1:])
                self._take(further, walk, truth, parted, until, taken, done)
                chosen = chosen & ~parted
        able = chosen & truth.where(truth.atoms[action.legal] if action else 0)
        if (chosen & ~able).any():
            done.append(walk.part(chosen & ~able))
        if action and able.any():
            after, halted = self._taken(action, walk, truth, able, until)
            if halted.any():
                taken.append(((), after.part(halted)))
            if not halted.all():
                taken.append((agenda[1:], after.part(~halted)))

    def _settled(self, walk: Walk, until: str) -> tuple[Walk | None, list[Walk]]:
        """A walk with the steps without choice that follow it: where nothing came in between, and
        where something did."""
        if not self._scene.due and not self._scene.rolls:
            return walk, []
        free: Walk | None = None
        held: list[Walk] = []
        going = walk
        for step in range(MAX_SETTLING):
            truth = self._scene.truth(going.rows)
            due = truth.any_of(literal for action in self._scene.due for literal in action.due)
            rolls = self._rolling(truth)
            stopped = truth.where(due | rolls)
            if step:
                held.append(going.part(~truth.where(due)))
            else:
                free = going.part(~stopped) if not stopped.all() else None
                if rolls & ~due:
                    held.append(going.part(truth.where(rolls & ~due)))
            moved, left = [], due
            for action in self._scene.due:
                here = truth.any_of(action.due) & left
                if here:
                    left &= ~here
                    if here & ~truth.atoms[action.legal]:
                        raise Uncompiled("a step without choice is not legal")
                    chosen = truth.where(here)
                    after, _ = self._taken(action, going, truth, chosen, until)
                    if (after.rows == going.rows[:, chosen]).all(axis=0).any():
                        raise Uncompiled("a step without choice changes nothing")
                    moved.append(after)
            if not moved:
                return free, [each for each in held if each.origin.size]
            going = joined(moved)
        raise Uncompiled("steps without choice do not come to an end")

    def _taken(
        self, action: CompiledAction, walk: Walk, truth: Truth, chosen: Matrix, until: str
    ) -> tuple[Walk, Matrix]:
        """What comes of a step in the *chosen* positions, and where what was to follow is left."""
        atoms = truth.atoms
        legal = atoms[action.legal]
        after = walk.part(chosen)
        rows = after.rows
        for row, by_code in action.values.items():
            taken = 0
            for code, literals in by_code.items():
                bits = truth.any_of(literals) & legal
                if code is None:
                    if truth.where(bits)[chosen].any():
                        raise Uncompiled("a fluent would have a value that is none of its sort")
                    continue
                if taken & bits and truth.where(taken & bits)[chosen].any():
                    raise Uncompiled("a fluent would have two values")
                if bits == legal:
                    rows[row] = code
                elif bits:
                    rows[row, truth.where(bits)[chosen]] = code
                taken |= bits
        for row, sums in action.sums.items():
            self._add(row, sums, rows, truth, chosen)
        if self.heard:
            for event, literals in action.happens.items():
                bits = truth.any_of(literals) & legal
                if bits:
                    self.heard(event, after.origin[truth.where(bits)[chosen]])
        halted = truth.where(truth.any_of(action.halts))[chosen]
        if until in action.ends:
            after.last = after.last | truth.where(truth.any_of(action.ends[until]))[chosen]
        return after, halted

    def _add(
        self,
        row: int,
        sums: dict[object, tuple[int, list[int]]],
        rows: Matrix,
        truth: Truth,
        chosen: Matrix,
    ) -> None:
        """Add to a fluent whatever is added, in the range of its sort."""
        told = [(n, truth.any_of(literals)) for n, literals in sums.values()]
        if not any(bits for _, bits in told):
            return
        words = self._scene.start.ruleset.vocabulary
        sort = words.sorts[words.fluents[functor(self._scene.fluents[row])].value]
        codes = self._scene.codes[row]
        numbers = np.array(
            [v.number if v.type == SymbolType.Number else 0 for v in self._scene.values[row]]
        )
        amount = np.zeros(int(chosen.sum()), np.int64)
        touched = np.zeros(amount.shape, bool)
        for number, bits in told:
            here = truth.where(bits)[chosen]
            amount[here] += number
            touched |= here
        after = np.clip(numbers[rows[row]] + amount, sort.low, sort.high)
        lookup = np.array([codes[Number(n)] for n in range(sort.low, sort.high + 1)])
        rows[row, touched] = lookup[after[touched] - sort.low]

    # -- what rules must not bring about ---------------------------------------------------------

    def _require_rolls(self, truth: Truth) -> None:
        """Raises: Uncompiled, unless the odds of each roll add up to 1 and all of it is legal."""
        for row in self._scene.rolls.values():
            whole = lcm(*(odds.denominator for _, _, odds in row))
            sums = np.zeros(truth.number, np.int64)
            able = barred = 0
            counted: dict[Symbol, list[tuple[int, Fraction]]] = defaultdict(list)
            for outcome, literal, odds in row:
                bits = truth.atoms[literal]
                if not bits:
                    continue
                for others, share in counted[outcome]:
                    if bits & others and share != odds:
                        raise Uncompiled("the odds of a roll are told in two ways")
                    bits &= ~others
                counted[outcome].append((bits, odds))
                sums[truth.where(bits)] += int(odds * whole)
                action = self._scene.actions.get(outcome)
                legal = truth.atoms[action.legal] if action else 0
                able |= bits & legal
                barred |= bits & ~legal
            if ((sums != 0) & (sums != whole)).any() or able & barred:
                raise Uncompiled("the odds of a roll do not add up")

    def _require_change(
        self,
        whole: Walk,
        taken: Iterable[tuple[tuple[Symbol, ...], Walk]],
    ) -> None:
        for _, walk in taken:
            if (walk.rows == whole.rows[:, walk.origin]).all(axis=0).any():
                raise Uncompiled("a roll changes nothing")
