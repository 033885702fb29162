"""The rules of one table as bit operations: legal actions and successors of thousands of positions
at once.

Positions stand side by side: of each fluent that play can change there is the number of its value
in each of them, 0 for the default, as planes of bits. What grounding one batch after the other
finds, this finds for all that a table can come to; where it cannot, it says `Uncompiled`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import chain, product
from typing import Any, NamedTuple

import numpy as np
from clingo import Function, Number, String, Symbol, SymbolType

from pymorph.asp.bitslice.bit_program import SHARED, BitProgram, Planes
from pymorph.asp.bitslice.evaluation_order import Operations, Translation, in_order
from pymorph.asp.bitslice.ground_program import MOST, Uncompiled, ground
from pymorph.asp.dependency import Slice, Statement, written
from pymorph.asp.facts import HOLDS, RULED
from pymorph.dynamics.asking.batch import uncollected
from pymorph.dynamics.asking.endings import points_of
from pymorph.dynamics.asking.legal import astray
from pymorph.dynamics.asking.steps import CHANGING, OF_TRANSITION
from pymorph.dynamics.bits.planes import Matrix, octets_of, planes_of, spread, where
from pymorph.ruleset.cache.store import CacheEntry
from pymorph.ruleset.loader import Ruleset
from pymorph.ruleset.vocabulary import HIDDEN
from pymorph.state.position import Position
from pymorph.terms import order

HERE = Number(0)
UNRULED = String("")  # what stands for the option of a question on which there is no ruling
UNFINISHED = Function("", [])  # the row of what a roll interrupted, which is no fluent
NOTHING = Slice((), ())
ASKED = ("asked", 2)
LATER = f"\n{{ asked(A, {HERE}) }} :- unfolds(_, _, A, {HERE})."  # as a part of an action is
OPENED = (HOLDS[0], RULED[0])
CHANGED = (("sets", 4), ("clears", 3), ("adds", 5))
READ = {
    "legal": 2, "unfolds": 4, "chance": 5, "due": 3, "sets": 4, "clears": 3, "adds": 5,
    "halts": 2, "ends": 3, "happens": 3, "over": 2, "wins": 3, "drawn": 2, "score": 4,
}  # fmt: skip


class CompiledLimits(NamedTuple):
    """How much is compiled, and how many states are evaluated together."""

    values: int = 6_000  # of all fluents that play can change
    unfinished: int = 6_000  # lists of actions that a roll may interrupt
    longest: int = 60  # such actions in one list
    bits: int = 1 << 28  # of all atoms in the states of a batch
    fewest: int = 1 << 13  # states of a batch
    widest: int = 1 << 16


LIMITS = CompiledLimits()


@dataclass(slots=True)
class CompiledAction:
    """An action by the atoms that tell of it; *legal* is 0, which never holds, if none says so,
    and so is *asked*, which is told where it is a part of another.

    *values* has for each fluent, by its row, the atoms that give it a value, by the value's number,
    None for a value that it cannot have; *sums* those that add to it, each number and reason once.
    *brings* has by rule the atoms by which it changes fluents, with their rows, or events happen.
    *effects* are all atoms that tell what comes of it, of which nothing is known before `settle`.
    """

    number: int
    symbol: Symbol
    legal: int
    fits: bool
    asked: int = 0
    values: dict[int, dict[int | None, list[int]]] = field(default_factory=dict)
    sums: dict[int, dict[object, tuple[int, list[int]]]] = field(default_factory=dict)
    halts: list[int] = field(default_factory=list)
    ends: dict[str, list[int]] = field(default_factory=dict)
    happens: dict[Symbol, list[int]] = field(default_factory=dict)
    unfolds: list[tuple[int, Symbol, Symbol]] = field(default_factory=list)
    due: list[int] = field(default_factory=list)
    brings: dict[str, list[tuple[int, int | None]]] = field(default_factory=dict)
    effects: list[int] = field(default_factory=list)


@dataclass(slots=True)
class Truth:
    """The truth of each atom in so many positions, all of whose bits are *every*."""

    atoms: list[Any]
    every: int
    settled: set[int] = field(default_factory=set)

    def any_of(self, atoms: Iterable[int]) -> int:
        """Where one of the atoms holds."""
        found = 0
        for atom in atoms:
            found |= self.atoms[atom]
        return found


def _too_many(fluent: str) -> Uncompiled:
    return Uncompiled(f"the fluent {fluent} has too many values", given="fluent", word=fluent)


def _row_of(told: Symbol) -> Symbol | None:
    """What a fact gives a value, a fluent or a question by its name, if it does."""
    if told.name == HOLDS[0]:
        return told.arguments[0]
    return String(told.arguments[0].name) if told.name == RULED[0] else None


def _fact(row: Symbol, value: Symbol) -> Symbol:
    """The fact by which a row has a value."""
    if row.type == SymbolType.String:
        return Function(RULED[0], [Function(row.string), value, HERE])
    return Function(HOLDS[0], [row, value, HERE])


def _items(position: Position) -> Iterator[tuple[Symbol, Symbol]]:
    """What is told of a position, by rows: the values of its fluents, the rulings."""
    yield from position.fluents.items()
    for question, option in position.rulings.items():
        yield String(question), Function(option)
    if position.unfinished:
        yield UNFINISHED, Function("", position.unfinished)


def _located(ruleset: Ruleset, error: Uncompiled) -> str:
    """Why rules are not compiled, with the place of the statement that prevents it."""

    def prevents(statement: Statement) -> bool:
        if error.statement:
            return statement.text == error.statement
        gives = (key for key, _ in statement.signs.defines)
        return any(name == error.given and error.word in ("", word) for name, _, word in gives)

    place = ruleset.place_of(prevents) if error.statement or error.given else None
    return f"{error} ({place})" if place else str(error)


class NotKept(Exception):
    """Nothing is at hand that was compiled before."""


class CompiledScene:
    """All that can be at the table of a position: its ruleset, board, names and rulings, but for
    those on some *questions*, which are left open as the values of fluents are; and what rules
    *beside* say of it, whose atoms are *noted*, each with its arguments.
    Raises: Uncompiled, where that is more than so many ground rules, or something is hidden. If
    only what was *kept* is wanted, NotKept, where that is nothing, or takes its time.
    """

    def __init__(
        self,
        start: Position,
        beside: Slice = NOTHING,
        most: int = MOST,
        kept: bool = False,
        questions: Sequence[str] = (),
    ) -> None:
        self.start = start.with_history(None)
        self._questions = tuple(questions)
        self._starts: dict[tuple[Symbol, ...], Position] = {} if questions else {(): start}
        try:
            with uncollected():
                self._set_up(beside, most, kept)
        except Uncompiled as error:
            raise Uncompiled(_located(start.ruleset, error)) from None

    def _set_up(self, beside: Slice, most: int, kept: bool) -> None:
        start = self.start
        if HIDDEN in start.fluents.values():
            raise Uncompiled("the position has hidden information")
        slices = (start.ruleset.slices["branch"], start.ruleset.slices["pause"], beside)
        parts = {part.text: part for each in slices for part in each.parts}
        defined = [key for part in parts.values() for key, _ in part.signs.defines]
        changing = {key[2] for key in defined if key[:2] in CHANGED}
        self.fluents: list[Symbol] = []
        self.values: list[tuple[Symbol, ...]] = []
        self._leave_open(changing)
        for question in self._questions:
            self.fluents.append(String(question))
            self.values.append((UNRULED, *map(Function, start.ruleset.options[question])))
        self._row: dict[Symbol | None, int] = {fluent: k for k, fluent in enumerate(self.fluents)}
        self.codes = [{v: k for k, v in enumerate(values)} for values in self.values]
        self._widths = [(len(values) - 1).bit_length() for values in self.values]
        self._first = [sum(self._widths[:row]) for row in range(len(self._widths))]
        text = written(parts.values())
        for fluent, values in zip(self.fluents, self.values, strict=True):
            free = "; ".join(str(_fact(fluent, value)) for value in values[1:])
            text += f"\n{{ {free} }}." if free else ""
        facts = [fact for fact in start.facts(HERE) if _row_of(fact) not in self._row]
        read = {**READ, **dict(beside.shown)}
        if any(key[0] == "unfolds" for key in defined):
            read[ASKED[0]] = ASKED[1]
            text += LATER
        program = self._operations(text, facts, read, most, kept)
        self._given: dict[int, list[tuple[int, int]]] = {}  # by row, each atom with its number
        wanted: dict[str, list[tuple[int, list[Symbol]]]] = {name: [] for name in read}
        for literal, symbol in program.symbols:
            name, arguments = symbol.name, symbol.arguments
            if name in wanted:
                wanted[name].append((literal, arguments))
            else:
                row = self._row[_row_of(symbol)]
                self._given.setdefault(row, []).append((literal, self.codes[row][arguments[1]]))
        self.noted = {name: wanted[name] for name, _ in beside.shown}
        self.actions: dict[Symbol, CompiledAction] = {}
        self.over: dict[str, list[int]] = {}  # by rule, the atoms that say that the game is over
        self.wins: dict[Symbol, list[int]] = {}  # by winner, those that say so
        self.scores: dict[tuple[Symbol, int], list[int]] = {}  # with how many points
        self.drawn: list[int] = []
        self.rolls: dict[tuple[str, tuple[Symbol, ...]], list[tuple[Symbol, int, Fraction]]] = {}
        self._note(wanted)
        self._leave_unfinished()
        apart = {action.number: action.effects for action in self.actions.values()}
        apart[SHARED] = [x for name in wanted if name not in OF_TRANSITION for x, _ in wanted[name]]
        self._bits = BitProgram(program, apart)
        due = (action for action in self.actions.values() if action.due)
        self.due = sorted(due, key=lambda action: order(action.symbol))

    def _operations(
        self, text: str, facts: Sequence[Symbol], read: Mapping[str, int], most: int, kept: bool
    ) -> Operations:
        """The program with its facts as operations: as they were kept, if they can be."""

        def make() -> Operations:
            program = ground(text, facts, self.start.geometry, [HOLDS, RULED, *read.items()], most)
            wanted, free = [], []
            for literal, symbol in program.symbols.items():
                name = symbol.name
                if name == ASKED[0] or (name in OPENED and _row_of(symbol) in self._row):
                    free.append(literal)
                if name in read:
                    wanted.append(literal)
            return in_order(program, wanted, free)

        if self.start.table is not None:  # which may tell more than its board
            if kept:
                raise NotKept
            return make()
        board = self.start.grid
        places = [board.labels, board.joins, board.coordinates, board.lattice] if board else []
        told = [text, str(most), *read, *sorted(map(str, facts)), *map(repr, places)]
        entry = CacheEntry("operations", told)
        if kept and not entry.is_light:
            raise NotKept
        return entry.get(lambda: Translation.to(make), Translation.json, Translation.of).result()

    # -- what is left open -----------------------------------------------------------------------

    def _leave_open(self, changing: set[str | None]) -> None:
        """Note each fluent that can change, with its values, the default first."""
        words, scene = self.start.ruleset.vocabulary, self.start.scene
        left = LIMITS.values
        for fluent in words.fluents.values():
            if fluent.name not in changing and None not in changing:
                continue
            sorts = [words.members(sort, scene) for sort in fluent.sorts]
            sort = words.sorts[fluent.value]
            for name in (*fluent.sorts, fluent.value):
                if not words.is_listed(name, scene):
                    told = f"the fluent {fluent.name} takes any {name}, and those cannot be listed"
                    raise Uncompiled(told, given="fluent", word=fluent.name)
            if sort.kind == "range" and sort.high - sort.low > left:
                raise _too_many(fluent.name)
            others = [v for v in words.members(fluent.value, scene) if v != fluent.default]
            for arguments in product(*sorts):
                left -= len(others)
                if left < 0:
                    raise _too_many(fluent.name)
                self.fluents.append(Function(fluent.name, list(arguments)))
                self.values.append((fluent.default, *others))

    def _leave_unfinished(self) -> None:
        """Note what a roll may hold up: all that may be left of actions that are made of others,
        whether a roll is due then or not."""
        self.unfinished: int | None = None
        parted = [action for action in self.actions.values() if action.unfolds]
        if not self.rolls or not parted:
            return
        lists: list[tuple[Symbol, ...]] = [(action.symbol,) for action in parted]
        met, found = set(lists), set[tuple[Symbol, ...]]()
        for pending in lists:
            action = self.actions.get(pending[0])
            if action is None or not action.legal:
                continue
            after: list[tuple[Symbol, ...]] = [
                (first, rest, *pending[1:]) for _, first, rest in action.unfolds
            ]
            if pending[1:]:
                after.append(pending[1:])
                found.add(pending[1:])
            lists += [each for each in dict.fromkeys(after) if each not in met]
            met.update(after)
            if len(met) > LIMITS.unfinished or len(pending) > LIMITS.longest:
                told = "a roll may interrupt too many actions of several steps"
                raise Uncompiled(told, given="unfolds")
        left = sorted(Function("", each) for each in found)
        self.unfinished = self._row[UNFINISHED] = len(self.fluents)
        self.fluents.append(UNFINISHED)
        self.values.append((UNFINISHED, *left))
        self.codes.append({v: k for k, v in enumerate(self.values[-1])})
        self._first.append(sum(self._widths))
        self._widths.append(len(left).bit_length())

    def _note(self, atoms: Mapping[str, Sequence[tuple[int, list[Symbol]]]]) -> None:
        """Note of each action which atoms tell of it."""
        for literal, row in atoms["legal"]:
            action = self._named(row[0])
            action.legal, action.fits = literal, not astray(self.start, row[0])
        for literal, row in atoms["over"]:
            self.over.setdefault(row[1].name, []).append(literal)
        for literal, row in atoms["wins"]:
            self.wins.setdefault(row[0], []).append(literal)
        for literal, row in atoms["score"]:
            self.scores.setdefault((row[0], points_of(*row)), []).append(literal)
        self.drawn += [literal for literal, _ in atoms["drawn"]]
        for literal, row in atoms["chance"]:
            self._note_roll(literal, row)
        for literal, row in atoms["due"]:
            self._named(row[0]).due.append(literal)
        for literal, row in atoms.get(ASKED[0], ()):
            self._named(row[0]).asked = literal
        for literal, row in atoms["unfolds"]:
            self._named(row[0]).unfolds.append((literal, row[1], row[2]))
        for name in OF_TRANSITION:
            for literal, row in atoms[name]:
                self._note_change(literal, name, row)

    def _named(self, action: Symbol) -> CompiledAction:
        return self.actions.setdefault(action, CompiledAction(len(self.actions), action, 0, False))

    def _note_roll(self, literal: int, row: Sequence[Symbol]) -> None:
        outcome, part, whole, *_ = row
        if part.type != SymbolType.Number or whole.type != SymbolType.Number:
            raise Uncompiled("the odds of a roll are not numbers")
        if part.number <= 0 or whole.number <= 0 or not outcome.arguments:
            raise Uncompiled("the odds of a roll are not above 0")
        what = (outcome.name, tuple(outcome.arguments[:-1]))
        odds = Fraction(part.number, whole.number)
        self.rolls.setdefault(what, []).append((outcome, literal, odds))

    def _note_change(self, literal: int, name: str, row: Sequence[Symbol]) -> None:
        action = self.actions[row[OF_TRANSITION[name]].arguments[0]]
        action.effects.append(literal)
        if name in CHANGING or name == "happens":
            of_rule = action.brings.setdefault(row[-1].name, [])
            of_rule.append((literal, self._row.get(row[0], -1) if name in CHANGING else None))
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
                sums.setdefault((row[1], row[2], row[4]), (row[1].number, []))[1].append(literal)
            else:
                code = self.codes[fluent].get(row[1]) if name == "sets" else 0
                action.values.setdefault(fluent, {}).setdefault(code, []).append(literal)

    # -- positions -------------------------------------------------------------------------------

    @property
    def together(self) -> int:
        """How many positions are looked at together, so that memory holds what is found of them."""
        return min(max(LIMITS.bits // self._bits.size, LIMITS.fewest), LIMITS.widest)

    def keys_of(self, positions: Sequence[Position]) -> Matrix:
        """The positions of this table, a row of octets each, which has the numbers of all values.
        Raises: Uncompiled, if one is not of it."""
        size = (sum(self._widths) + 7) // 8
        known = {row: v for row, v in _items(self.start) if row not in self._row}
        known.pop(UNFINISHED, None)
        keys = b""
        for position in positions:
            rest = key = 0
            for fluent, value in _items(position):
                row = self._row.get(fluent)
                if row is None:
                    rest += known.get(fluent) == value
                    if known.get(fluent) != value:
                        raise Uncompiled("a position belongs to another table")
                elif value not in self.codes[row]:
                    raise Uncompiled("a fluent has a value that is not in its sort")
                else:
                    key |= self.codes[row][value] << self._first[row]
            if rest != len(known):
                raise Uncompiled("a position belongs to another table")
            keys += key.to_bytes(size, "little")
        return np.frombuffer(keys, np.uint8).reshape(len(positions), size)

    def position_of(self, key: Matrix) -> Position:
        """A row of octets as a position."""
        bits = int.from_bytes(key.tobytes(), "little")
        rows = zip(self.fluents, self.values, self._first, self._widths, strict=True)
        found = {f: values[bits >> first & (1 << width) - 1] for f, values, first, width in rows}
        ruled = tuple(found.pop(String(question)) for question in self._questions)
        unfinished = found.pop(UNFINISHED, UNFINISHED).arguments
        return self._under(ruled).with_changes(found).with_unfinished(unfinished)

    def _under(self, ruled: tuple[Symbol, ...]) -> Position:
        """The first position under other rulings on what is left open."""
        if ruled not in self._starts:
            told = zip(self._questions, ruled, strict=True)
            others = {q: o for q, o in self.start.rulings.items() if q not in self._questions}
            others |= {question: each.name for question, each in told if each != UNRULED}
            self._starts[ruled] = replace(self.start, rulings=others)
        return self._starts[ruled]

    def planes(self, keys: Matrix) -> list[Planes]:
        """The numbers of the values of each fluent, by its row, in the positions of some keys."""
        planes = planes_of(keys, sum(self._widths))
        rows = zip(self._first, self._widths, strict=True)
        return [planes[first : first + width] for first, width in rows]

    def keys(self, planes: Sequence[Planes], number: int) -> Matrix:
        """The same the other way round, of so many positions."""
        return octets_of(list(chain.from_iterable(planes)), number)

    def keys_after(
        self, keys: Matrix, before: Sequence[Planes], after: Sequence[Planes], chosen: Matrix
    ) -> Matrix:
        """The keys of the *chosen* positions after something, from all of them *before*."""
        found = keys[chosen]
        for first, old, new in zip(self._first, before, after, strict=True):
            if old is not new:
                for place, (one, other) in enumerate(zip(old, new, strict=True), first):
                    if one != other:
                        turned = where(one ^ other, len(keys))[chosen]
                        found[:, place >> 3] ^= turned.view(np.uint8) << np.uint8(place & 7)
        return found

    def settle(self, actions: Iterable[CompiledAction], truth: Truth) -> None:
        """Work out what comes of some actions."""
        for action in actions:
            if action.number not in truth.settled:
                truth.settled.add(action.number)
                self._bits.run_apart(action.number, truth.atoms, truth.every)

    def truth(self, planes: Sequence[Planes], number: int, asked: Mapping[int, int]) -> Truth:
        """The truth of all atoms in a number of positions, but for the results of actions; *asked*
        are the atoms that ask about actions, each with the positions in which it does."""
        every = (1 << number) - 1
        given = dict(asked)
        for row, atoms in self._given.items():
            numbers = spread(planes[row], every)
            for literal, code in atoms:
                given[literal] = numbers[code]
        return Truth(self._bits.run(given, every), every)

    def astray(self, truth: Truth) -> Symbol | None:
        """What is legal and no action of the vocabulary, if there is such."""
        found = (a.symbol for a in self.actions.values() if not a.fits and truth.atoms[a.legal])
        return next(found, None)
