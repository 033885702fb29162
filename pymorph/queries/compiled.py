"""The rules of one table as bit operations: legal actions and successors of thousands of positions
at once.

A layer of positions is a matrix: a row for each fluent that play can change, a column for each
position, and in it the number of the value, 0 for the default. What grounding one batch after the
other finds, this finds for all that a table can come to; where it cannot, it says `Uncompiled`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from math import lcm
from typing import TYPE_CHECKING, Any

import numpy as np
from clingo import Function, Number, Symbol, SymbolType

from pymorph.asp.compile import BitProgram, Uncompiled, ground
from pymorph.asp.dependency import written
from pymorph.errors import RulesetError
from pymorph.queries.application import MAX_SETTLING
from pymorph.queries.proposals import hold_to_sorts
from pymorph.ruleset.vocabulary import HIDDEN
from pymorph.terms import functor, order

if TYPE_CHECKING:
    from pymorph.state.position import Position

Matrix = np.ndarray[Any, np.dtype[Any]]
MOST_VALUES = 6_000  # values, of all fluents together, that are left open
CHUNK = 1 << 14  # positions that are looked at together
HERE = Number(0)
CHANGED = (("sets", 4), ("clears", 3), ("adds", 5))
READ = (
    "legal",
    "unfolds",
    "chance",
    "due",
    "sets",
    "clears",
    "adds",
    "halts",
    "ends",
    "happens",
    "over",
)


@dataclass(slots=True)
class CompiledAction:
    """An action by the atoms that tell of it.

    *values* has for each fluent, by its row, the atoms that give it a value, by the value's number,
    None for a value that it cannot have; *sums* those that add to it, each number and reason once.
    """

    symbol: Symbol
    legal: int
    fits: bool
    values: dict[int, dict[int | None, list[int]]] = field(default_factory=dict)
    sums: dict[int, dict[object, tuple[int, list[int]]]] = field(default_factory=dict)
    halts: list[int] = field(default_factory=list)
    ends: dict[str, list[int]] = field(default_factory=dict)
    happens: dict[Symbol, list[int]] = field(default_factory=dict)
    unfolds: list[tuple[int, Symbol, Symbol]] = field(default_factory=list)
    due: list[int] = field(default_factory=list)


@dataclass(slots=True)
class Walk:
    """Courses of actions that have come to positions, the columns of *rows*: where each began, by
    its column there, and whether a period ended on the way after which none is followed."""

    rows: Matrix
    origin: Matrix
    last: Matrix

    def part(self, chosen: Matrix) -> Walk:
        return Walk(self.rows[:, chosen], self.origin[chosen], self.last[chosen])


Going = tuple[tuple[Symbol, ...], Walk, "Truth", Matrix]  # what is left to do, and where


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
class Truth:
    """The truth of each atom in so many positions."""

    atoms: list[Any]
    number: int

    def where(self, bits: int) -> Matrix:
        """A column of truth values."""
        octets = bits.to_bytes((self.number + 7) // 8, "little")
        packed = np.unpackbits(np.frombuffer(octets, np.uint8), bitorder="little")
        return packed[: self.number].astype(bool)

    def any_of(self, atoms: Iterable[int]) -> int:
        """Where one of the atoms holds."""
        found = 0
        for atom in atoms:
            found |= self.atoms[atom]
        return found


@dataclass(slots=True)
class Options:
    """What may be done in positions, *start*: each action with the positions in which it is legal,
    and those in which a roll is due."""

    start: Walk
    truth: Truth
    legal: list[tuple[CompiledAction, int]]
    rolling: int


class CompiledScene:
    """All that can be at the table of a position: its ruleset, board, names and rulings.

    *heard*, if it is set, is told of each event with the columns of the positions, from which an
    action is carried out, in which it happens.
    Raises: Uncompiled, where that is too much, or something is hidden.
    """

    def __init__(self, start: Position) -> None:
        self.start = start
        self.heard: Callable[[Symbol, Matrix], None] | None = None
        if HIDDEN in start.fluents.values():
            raise Uncompiled("something is hidden")
        parts = {
            part.text: part
            for verb in ("branch", "pause")
            for part in start.ruleset.slices[verb].parts
        }
        changing = {
            key[2] for part in parts.values() for key, _ in part.signs.gives if key[:2] in CHANGED
        }
        self.fluents: list[Symbol] = []
        self._values: list[tuple[Symbol, ...]] = []
        self._leave_open(changing)
        self._row = {fluent: row for row, fluent in enumerate(self.fluents)}
        self._code = [{v: k for k, v in enumerate(values)} for values in self._values]
        most = max(map(len, self._values), default=0)
        self._dtype = np.uint8 if most <= 256 else np.uint16
        text = written(parts.values())
        for fluent, values in zip(self.fluents, self._values, strict=True):
            free = "; ".join(f"holds({fluent},{value},{HERE})" for value in values[1:])
            text += f"\n{{ {free} }}." if free else ""
        facts = [
            fact
            for fact in start.facts(HERE)
            if fact.name != "holds" or fact.arguments[0] not in self._row
        ]
        program = ground(text, facts, start.geometry)
        self._given = {}
        for literal, symbol in program.symbols.items():
            row = self._row.get(symbol.arguments[0]) if symbol.name == "holds" else None
            if row is not None:
                self._given[literal] = (row, self._code[row][symbol.arguments[1]])
        wanted = {literal: s for literal, s in program.symbols.items() if s.name in READ}
        self._bits = BitProgram(program, wanted, self._given)
        self.actions: dict[Symbol, CompiledAction] = {}
        self.over: dict[str, list[int]] = {}  # by rule, the atoms that say that the game is over
        self._rolls: dict[tuple[str, tuple[Symbol, ...]], list[tuple[Symbol, int, Fraction]]] = {}
        self._note(wanted)
        due = (action for action in self.actions.values() if action.due)
        self._due = sorted(due, key=lambda action: order(action.symbol))

    # -- what is left open -----------------------------------------------------------------------

    def _leave_open(self, changing: set[str | None]) -> None:
        """Note each fluent that can change, with its values, the default first."""
        words, scene = self.start.ruleset.vocabulary, self.start.scene
        left = MOST_VALUES
        for fluent in words.fluents.values():
            if fluent.name not in changing and None not in changing:
                continue
            sorts = [words.members(sort, scene) for sort in fluent.sorts]
            sort = words.sorts[fluent.value]
            if sort.kind == "range" and sort.high - sort.low > left:
                raise Uncompiled(f"{fluent.name} has too many values")
            others = [v for v in words.members(fluent.value, scene) if v != fluent.default]
            for arguments in product(*sorts):
                left -= len(others)
                if left < 0:
                    raise Uncompiled(f"there are more than {MOST_VALUES} values of fluents")
                self.fluents.append(Function(fluent.name, list(arguments)))
                self._values.append((fluent.default, *others))

    def _note(self, atoms: dict[int, Symbol]) -> None:
        """Note of each action which atoms tell of it."""
        for literal, symbol in atoms.items():
            if symbol.name == "legal":
                action = symbol.arguments[0]
                self.actions[action] = CompiledAction(action, literal, self._fits(action))
        for literal, symbol in atoms.items():
            row = symbol.arguments
            if symbol.name == "over":
                self.over.setdefault(row[1].name, []).append(literal)
            elif symbol.name == "chance":
                self._note_roll(literal, row)
            elif symbol.name in ("unfolds", "due"):
                named = self.actions.setdefault(row[0], CompiledAction(row[0], 0, False))
                if symbol.name == "due":
                    named.due.append(literal)
                else:
                    named.unfolds.append((literal, row[1], row[2]))
            elif symbol.name != "legal":
                self._note_change(literal, symbol.name, row)

    def _note_roll(self, literal: int, row: Sequence[Symbol]) -> None:
        outcome, part, whole, *_ = row
        if part.type != SymbolType.Number or whole.type != SymbolType.Number:
            raise Uncompiled("the odds of a roll are no numbers")
        if part.number <= 0 or whole.number <= 0 or not outcome.arguments:
            raise Uncompiled("the odds of a roll are not above 0")
        what = (outcome.name, tuple(outcome.arguments[:-1]))
        odds = Fraction(part.number, whole.number)
        self._rolls.setdefault(what, []).append((outcome, literal, odds))

    def _note_change(self, literal: int, name: str, row: Sequence[Symbol]) -> None:
        at = {"sets": 2, "clears": 1, "adds": 3, "halts": 0, "ends": 0, "happens": 1}[name]
        action = self.actions[row[at].arguments[0]]
        if name == "halts":
            action.halts.append(literal)
        elif name == "happens":
            action.happens.setdefault(row[0], []).append(literal)
        elif name == "ends":
            action.ends.setdefault(row[1].name, []).append(literal)
        else:
            fluent = self._row.get(row[0])
            if fluent is None:
                action.values.setdefault(-1, {}).setdefault(None, []).append(literal)
            elif name == "adds":
                sums = action.sums.setdefault(fluent, {})
                reason = (row[1], row[2], row[4])
                sums.setdefault(reason, (row[1].number, []))[1].append(literal)
            else:
                code = self._code[fluent].get(row[1]) if name == "sets" else 0
                action.values.setdefault(fluent, {}).setdefault(code, []).append(literal)

    def _fits(self, action: Symbol) -> bool:
        try:
            hold_to_sorts(self.start, [action])
        except RulesetError:
            return False
        return True

    # -- positions -------------------------------------------------------------------------------

    def rows_of(self, positions: Sequence[Position]) -> Matrix:
        """The positions of this table as a matrix. Raises: Uncompiled, if one is not of it."""
        rows = np.zeros((len(self.fluents), len(positions)), self._dtype)
        known = {f: v for f, v in self.start.fluents.items() if f not in self._row}
        for column, position in enumerate(positions):
            rest = 0
            for fluent, value in position.fluents.items():
                row = self._row.get(fluent)
                if row is None:
                    rest += known.get(fluent) == value
                    if known.get(fluent) != value:
                        raise Uncompiled("a position is of another table")
                elif value not in self._code[row]:
                    raise Uncompiled("a fluent has a value that is none of its sort")
                else:
                    rows[row, column] = self._code[row][value]
            if rest != len(known):
                raise Uncompiled("a position is of another table")
        return rows

    def position_of(self, column: Matrix) -> Position:
        """A column of a matrix as a position."""
        return self.start.with_changes(
            {
                fluent: values[code]
                for fluent, values, code in zip(self.fluents, self._values, column, strict=True)
            }
        )

    def truth(self, rows: Matrix) -> Truth:
        """The truth of all atoms in the positions of a matrix."""
        number = rows.shape[1]
        given = {}
        for literal, (row, code) in self._given.items():
            octets = np.packbits(rows[row] == code, bitorder="little").tobytes()
            given[literal] = int.from_bytes(octets, "little")
        found = Truth(self._bits.run(given, (1 << number) - 1), number)
        for action in self.actions.values():
            if not action.fits and action.legal and found.atoms[action.legal]:
                raise Uncompiled("an action is none of the vocabulary")
        return found

    # -- actions ---------------------------------------------------------------------------------

    def options(self, rows: Matrix) -> Options:
        """What may be done in the positions of a matrix.

        Raises: Uncompiled, where something comes about that rules must not bring about.
        """
        truth = self.truth(rows)
        self._require_rolls(truth)
        rolling = truth.any_of(literal for row in self._rolls.values() for _, literal, _ in row)
        legal = [
            (action, truth.atoms[action.legal])
            for action in self.actions.values()
            if action.legal and truth.atoms[action.legal]
        ]
        start = Walk(rows, np.arange(rows.shape[1]), np.zeros(rows.shape[1], bool))
        return Options(start, truth, legal, rolling)

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
        self, options: Options, action: CompiledAction, where: int, until: str = ""
    ) -> Walk:
        """Where an action leads from some of the positions in which it is legal."""
        whole, truth = options.start, options.truth
        if not action.unfolds and not self._due and not self._rolls:
            return self._taken(action, whole, truth, truth.where(where), until)[0]
        return self._followed(action, whole, truth, where, until, bool(where & options.rolling))

    def odds(self, options: Options) -> Matrix:
        """The odds of each of the legal actions where a roll is due: of the first, if there are
        several."""
        truth = options.truth
        found = np.zeros((len(options.legal), truth.number))
        number_of = {action.symbol: n for n, (action, _) in enumerate(options.legal)}
        free = options.rolling
        for _, row in sorted(self._rolls.items(), key=lambda pair: order(pair[1][0][0])):
            here = truth.any_of(literal for _, literal, _ in row) & free
            for outcome, literal, odds in row if here else ():
                bits = truth.atoms[literal] & here
                if bits:
                    found[number_of[outcome], truth.where(bits)] = float(odds)
            free &= ~here
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
                    here = self.truth(rest.rows)
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
        action = self.actions.get(agenda[0])
        for literal, first, rest in action.unfolds if action else ():
            parted = chosen & truth.where(truth.atoms[literal])
            if parted.any():
                further = (first, rest, *agenda[1:])
                self._take(further, walk, truth, parted, until, taken, done)
                chosen = chosen & ~parted
        legal = truth.where(truth.atoms[action.legal]) if action and action.legal else None
        able = chosen & legal if legal is not None else np.zeros_like(chosen)
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
        if not self._due and not self._rolls:
            return walk, []
        free: Walk | None = None
        held: list[Walk] = []
        going = walk
        for step in range(MAX_SETTLING):
            truth = self.truth(going.rows)
            due = truth.any_of(literal for action in self._due for literal in action.due)
            rolls = truth.any_of(x for row in self._rolls.values() for _, x, _ in row)
            stopped = truth.where(due | rolls)
            if step:
                held.append(going.part(~truth.where(due)))
            else:
                free = going.part(~stopped) if not stopped.all() else None
                if rolls & ~due:
                    held.append(going.part(truth.where(rolls & ~due)))
            moved, left = [], due
            for action in self._due:
                here = truth.any_of(action.due) & left
                if here:
                    left &= ~here
                    if here & ~(truth.atoms[action.legal] if action.legal else 0):
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
        words = self.start.ruleset.vocabulary
        sort = words.sorts[words.fluents[functor(self.fluents[row])].value]
        codes = self._code[row]
        numbers = np.array(
            [v.number if v.type == SymbolType.Number else 0 for v in self._values[row]]
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
        for row in self._rolls.values():
            whole = lcm(*(odds.denominator for _, _, odds in row))
            sums = np.zeros(truth.number, np.int64)
            able = barred = 0
            counted: set[tuple[Symbol, Fraction]] = set()
            for outcome, literal, odds in row:
                bits = truth.atoms[literal]
                if not bits:
                    continue
                if (outcome, odds) in counted or any(o == outcome for o, _ in counted):
                    raise Uncompiled("the odds of a roll are told twice")
                counted.add((outcome, odds))
                sums[truth.where(bits)] += int(odds * whole)
                action = self.actions.get(outcome)
                legal = truth.atoms[action.legal] if action and action.legal else 0
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
