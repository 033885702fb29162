"""A position: frozen, hashable, to and from YAML, its one line, and facts."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import blake2b
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from clingo import Function, Number, Symbol, SymbolType

from pymorph import terms, yamlio
from pymorph.answers import BRIEF, pictured
from pymorph.asp import facts, solver
from pymorph.asp.facts import Common, Facts, Key
from pymorph.board import calls, surface
from pymorph.board import geometry as geometrys
from pymorph.board.lengths import measuring
from pymorph.errors import InputError, RulesetError, clipped, nearest
from pymorph.methods import Questions
from pymorph.ruleset import locations, scaffold
from pymorph.ruleset.loader import Ruleset
from pymorph.ruleset.vocabulary import HIDDEN, TABLE, UNFINISHED, Scene
from pymorph.runtime.arguments import checked
from pymorph.state.files import table
from pymorph.state.files.reader import Origin, Reading, ruling_fault
from pymorph.terms import Term, functor, text_of
from pymorph.yamlio import Data, Keys, Node

if TYPE_CHECKING:
    from pymorph.asp.solver import Solver
    from pymorph.board.grid import Board
    from pymorph.board.lengths.plane import Plane

Item = tuple[Symbol, Symbol]  # a fluent with its value
Fluents = Mapping[Symbol, Symbol]
NOTHING = Common()


class History(NamedTuple):
    """The positions of a game up to one: what each of them is known by, its own last, and how often
    that one stood before.

    A position is known by all that always counts, and by the fluents that may be left out of it.
    """

    stood: tuple[tuple[bytes, tuple[tuple[str, str], ...]], ...]
    occurred: int


@pictured
@dataclass(frozen=True, eq=False, repr=False)
class Position(Questions):
    """One moment of a game; compares and hashes by content, and answers questions.

    *fluents* has the value of every fluent that is not at its default. *listed* has the members
    that the file names for each sort, such as the characters. *rulings* fix readings. A roll that
    is due interrupted the *unfinished* actions: after the roll they continue automatically, in
    this order. Other positions have none. *history* is what came before in a game that is played,
    if the rules ask for it. *origin* is the place in a file, for messages. *answers* answers the
    questions about it, and about the positions that it leads to.

    >>> import pymorph
    >>> position = pymorph.Position.parse("{ruleset: tictactoe, turn: x}")
    >>> position.value("turn")
    Term('x')
    >>> position.line()
    '{ruleset: tictactoe, turn: x}'
    """

    ruleset: Ruleset
    board: Board | Plane | None
    listed: Mapping[str, tuple[Symbol, ...]]
    fluents: Fluents
    rulings: Mapping[str, str] = field(default_factory=dict)
    unfinished: tuple[Symbol, ...] = ()
    history: History | None = None
    origin: Origin | None = None
    answers: Solver = solver

    def __post_init__(self) -> None:
        for name in ("listed", "fluents", "rulings"):
            mapping = getattr(self, name)
            if type(mapping) is not MappingProxyType:
                object.__setattr__(self, name, MappingProxyType(dict(mapping)))

    # -- reading ---------------------------------------------------------------------------------

    @classmethod
    @checked
    def load(cls, path: str | os.PathLike[str]) -> Position:
        """The position in a file (``-``: standard input), or in a text that starts with {.

        A name that is no file but a game stands for its first start position.
        Raises: InputError with every fault of the file, each at its line and column.
        """
        source = os.fspath(path)
        if locations.NAME.fullmatch(source) and not os.path.exists(source):
            source = str(scaffold.start_file(source)) if locations.found(source) else source
        if source.lstrip().startswith("{"):
            return cls.parse(source, yamlio.name_of(source))
        return cls.parse(*yamlio.contents(source, yamlio.LIMITS.bytes))

    @classmethod
    @checked
    def parse(cls, text: str, name: str = "<text>", base: Path | None = None) -> Position:
        """The position in a YAML text, either that of a file or the one-line form."""
        root, faults = yamlio.parse(yamlio.decode(text.encode("utf-8", "replace"), name), name)
        position = cls(**Reading(base, faults).contents(root))
        position.require_roll(root)
        return position

    def require_roll(self, root: Node) -> None:
        """Raises: InputError, if a roll interrupted actions in *root*, but no roll is due."""
        if not self.unfinished or not isinstance(root, Keys) or HIDDEN in self.fluents.values():
            return
        part = self.ruleset.slices["pause"]
        try:
            due = part.parts and solver.solve(part, self.facts(Number(0)), self.geometry)["chance"]
        except RulesetError:
            return  # whoever asks about the position says what is wrong, and where
        if not due:
            action = text_of(self.unfinished[0])
            place = next(key.place for key, _ in root.entries if key.text == UNFINISHED)
            message = (
                f"no roll is due in this position, so none interrupted {clipped(action, 80)};"
                f" remove {UNFINISHED!r}, or write the position in which the roll is due"
            )
            raise InputError(message, place)

    @cached_property
    def scene(self) -> Scene:
        return Scene.of(self.board, self.listed)

    @cached_property
    def geometry(self) -> calls.Calls | None:
        """What the grounder can ask about; None without a board."""
        words = self.ruleset.vocabulary
        if words.uses_table():
            if words.uses_board() and self.table is None:
                return surface.OnBoard(self.grid)
            return (surface.OnTable if words.uses_board() else measuring.Measuring)(self.table)
        drawn = self.board is not None or words.uses_board()
        return geometrys.Geometry(self.grid) if drawn else None

    # -- values ----------------------------------------------------------------------------------

    @checked
    def value(self, fluent: str | Term) -> Term:
        """The value of a fluent such as ``taken(anna)``, which may be its default.

        Raises: InputError, if there is no such fluent.
        """
        symbol = terms.parse_named(str(fluent))
        declared = self.ruleset.vocabulary.fluents.get(symbol.name)
        if declared is None or len(declared.sorts) != len(symbol.arguments):
            known = nearest(symbol.name, self.ruleset.vocabulary.fluents)
            raise InputError(f"unknown fluent {clipped(str(fluent))}{known}")
        return Term(self.fluents.get(symbol, declared.default))

    def default(self, fluent: Symbol) -> Symbol:
        """The value of a fluent that the position does not state.

        Raises: RulesetError, if the fluent is not declared.
        """
        words = self.ruleset.vocabulary.fluents
        try:
            return words[functor(fluent)].default
        except (KeyError, RuntimeError):
            text = text_of(fluent)
            hint = nearest(text.split("(")[0], words)
            raise RulesetError(f"a rule uses an unknown fluent {clipped(text)}{hint}") from None

    def with_changes(self, changes: Mapping[Symbol, Symbol]) -> Position:
        """This position with new values for some fluents; it leaves out default values."""
        assert isinstance(self.fluents, MappingProxyType)
        fluents = self.fluents.copy()  # which asks no fluent for its hash again
        removed, added = [], []
        for fluent, value in changes.items():
            before = fluents.get(fluent)
            if before is not None:
                removed.append((fluent, before))
            if value == self.default(fluent):
                fluents.pop(fluent, None)
            else:
                fluents[fluent] = value
                added.append((fluent, value))
        items = self.items.difference(removed).union(added)
        return self._altered(items, MappingProxyType(fluents), self.unfinished)

    @checked
    def with_rulings(self, rulings: Mapping[str, str]) -> Position:
        """This position with house rulings (question: option) added to its own.

        Raises: InputError naming an unknown question or option.
        """
        asked = sorted(rulings.items())
        faults = [fault for item in asked if (fault := ruling_fault(self.ruleset, *item))]
        if faults:
            raise InputError(faults)
        return replace(self, rulings=dict(sorted({**self.rulings, **rulings}.items())))

    def with_unfinished(self, actions: Sequence[Symbol]) -> Position:
        """This position with exactly these actions to continue after the roll that is due."""
        if self.unfinished == tuple(actions):
            return self
        return self._altered(self.items, self.fluents, tuple(actions), self.history, self.origin)

    def with_history(self, history: History | None) -> Position:
        """This position with what came before it in its game; None: without any."""
        if self.history is history:
            return self
        return self._altered(self.items, self.fluents, self.unfinished, history, self.origin)

    def _altered(self, items: frozenset[Item], fluents: Fluents, *others: Any) -> Position:
        """This position with other values of its last fields, which leave the table as it is."""
        altered = Position(self.ruleset, self.board, self.listed, fluents, self.rulings, *others)
        cached = {"names": self.names, "scene": self.scene, "_table": self._table}
        vars(altered).update(cached, items=items, answers=self.answers)
        return altered

    def facts(self, situation: Symbol, known: Common = NOTHING) -> Facts:
        """The facts of this position as *situation*, without those that are *known*."""
        atoms = [Function("situation", [situation])]
        keys: set[Key] = {("situation", 1, None)}  # read off each fact they are slow to come by
        if self.table is not None:
            atoms.append(Function("on_table", [situation]))
            keys.add(("on_table", 1, None))
        members = chain.from_iterable(self.listed.values())
        for member in self.names - known.names if known.names else members:
            atoms.append(Function(facts.PRESENT[0], [member, situation]))
            keys.add((*facts.PRESENT, functor(member)))
        for question, option in self.rulings.items():
            atoms.append(Function("ruled", [Function(question), Function(option), situation]))
            keys.add((*facts.RULED, facts.paired(question, option)))
        if self.history is not None:
            atoms.append(Function(facts.OCCURRED[0], [Number(self.history.occurred), situation]))
            keys.add((*facts.OCCURRED, None))
        veiled = self.ruleset.veiled
        open_ones: list[Symbol] = []
        for fluent, value in self.items - known.items if known.items else self.fluents.items():
            if veiled and value == HIDDEN and functor(fluent) in veiled:
                open_ones += self._may_be(fluent, situation)
                continue
            atoms.append(Function(facts.HOLDS[0], [fluent, value, situation]))
            keys.add((*facts.HOLDS, functor(fluent)))
        stated = Facts(atoms, keys)
        if open_ones:
            stated += Facts(open_ones)
        return stated

    def _may_be(self, fluent: Symbol, situation: Symbol) -> Iterator[Symbol]:
        """What a query is told of a hidden fluent: each value that it may have."""
        words = self.ruleset.vocabulary
        declared = words.fluents[fluent.name]
        values = dict.fromkeys(words.members(declared.value, self.scene))
        if self.ruleset.veiled[fluent.name]:
            values[declared.default] = None
        values.pop(HIDDEN, None)
        for value in values:
            yield Function(facts.MAY[0], [fluent, value, situation])
            if value == declared.default:
                yield Function(facts.BY_DEFAULT[0], [fluent, value, situation])

    # -- identity --------------------------------------------------------------------------------

    @cached_property
    def names(self) -> frozenset[Symbol]:
        """The names that the file lists, of every sort."""
        return frozenset(chain.from_iterable(self.listed.values()))

    @cached_property
    def words(self) -> frozenset[str]:
        """The names in its fluents and their values, such as those of cards."""
        return frozenset(terms.names_in(chain.from_iterable(self.items)))

    @cached_property
    def items(self) -> frozenset[Item]:
        """Each fluent that is not at its default, with its value."""
        return frozenset(self.fluents.items())

    @cached_property
    def _table(self) -> tuple[Any, ...]:
        """What play leaves as it is."""
        listed = tuple(sorted((sort, frozenset(names)) for sort, names in self.listed.items()))
        return self.ruleset.hash, self.board, listed, frozenset(self.rulings.items())

    @cached_property
    def _hash(self) -> int:
        content = (self._table, self.items)
        return hash((*content, self.unfinished) if self.unfinished else content)

    @property
    def occurred(self) -> int | None:
        """How often it occurred before in its game; None, if that is not known."""
        return self.history.occurred if self.history else None

    @property
    def key(self) -> str:
        """A short text that equal positions share on every machine, and no others."""
        content = f"{self.ruleset.hash} {self.line()} {self.occurred or 0}"
        return blake2b(content.encode(), digest_size=16).hexdigest()

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Position) or self._hash != other._hash:
            return False
        same = self.items == other.items and self._table == other._table
        same = same and (self.occurred or 0) == (other.occurred or 0)
        return same and self.unfinished == other.unfinished

    def __repr__(self) -> str:
        text = f"<Position {self.line()}>"
        return text if len(text) <= BRIEF else f"{text[: BRIEF - 4]}...>"

    def __reduce__(self) -> tuple[Any, ...]:
        mappings = (dict(self.listed), dict(self.fluents), dict(self.rulings))
        return (Position, (self.ruleset, self.board, *mappings, self.unfinished, self.history))

    # -- writing ---------------------------------------------------------------------------------

    @property
    def table(self) -> Plane | None:
        """The table that is measured in lengths, if there is one."""
        return None if self.grid is self.board else cast("Plane", self.board)

    @property
    def grid(self) -> Board | None:
        """The drawn board, if there is one."""
        words = self.ruleset.vocabulary
        if words.uses_table() and not (words.uses_board() and hasattr(self.board, "coordinates")):
            return None
        return cast("Board", self.board)

    @property
    def spaces(self) -> Mapping[Symbol, tuple[int, int]]:
        """Column and row of each place of the drawn board; empty without such a board."""
        return self.grid.coordinates if self.grid else {}

    def data(self, folder: Path | None = None) -> dict[str, Data]:
        """The data of a file, in the order of the vocabulary, without default values.

        A ruleset that is a folder is named by its way from *folder*, or from here.
        """
        words = self.ruleset.vocabulary
        fields: dict[str, Data] = {"ruleset": self.ruleset.named_from(folder)}
        if self.table is not None:
            fields[TABLE] = table.data(self.table, words)
        elif self.grid and not (words.surface and self.grid == words.own_board()):
            fields[self.grid.lattice.key] = self.grid.drawing(words.symbols, words.join_symbols)
        if self.rulings:
            fields["rulings"] = dict(sorted(self.rulings.items()))
        if self.unfinished:
            fields[UNFINISHED] = [words.rulers.spoken(text_of(a)) for a in self.unfinished]
        rank = {fluent: number for number, fluent in enumerate(words.fluents)}
        items = sorted(self.fluents.items(), key=lambda i: (rank[i[0].name], terms.order(i[0])))
        inner: dict[str, Data] = {}
        for sort in words.file_sorts():
            members = terms.sorted_symbols(self.listed.get(sort.name, ()))
            inner[words.headings[sort.name]] = {text_of(member): {} for member in members}
        for fluent, value in items:
            declared = words.fluents[fluent.name]
            target = inner if declared.path[0] in inner else fields
            keys = [
                text_of(fluent.arguments[s]) if isinstance(s, int) else s for s in declared.path
            ]
            for key in keys[:-1]:
                step = target.setdefault(key, {})
                assert isinstance(step, dict)
                target = step
            if words.is_length(value, declared.value) and value.type != SymbolType.String:
                target[keys[-1]] = cast(Data, words.rulers.data(value))
            elif value.type == SymbolType.Number:
                target[keys[-1]] = value.number
            else:
                target[keys[-1]] = text_of(value)
        fields.update(inner)
        return fields

    def yaml(self, folder: Path | None = None) -> str:
        """The text of a file in *folder*, or here; `load` reads an equal position from it."""
        return yamlio.block(self.data(folder))

    def line(self) -> str:
        """The canonical one-line form: equal for equal positions; `parse` reads it."""
        return yamlio.flow(self.data())


def table_of(position: Position) -> object:
    """What play leaves as it is: positions that agree in it may be asked about together."""
    return position._table


def members_of(position: Position, sort: str) -> tuple[Symbol, ...]:
    """The members of a sort in a position."""
    return position.ruleset.vocabulary.members(sort, position.scene)


def belongs(position: Position, value: Symbol, sort: str) -> bool:
    """Is *value* a member of the sort in a position?"""
    return position.ruleset.vocabulary.belongs(value, sort, position.scene)


def words_of(position: Position, sorts: Iterable[str]) -> list[str]:
    """All that belongs to some sorts in a position but numbers, as text."""
    named = (sort for sort in sorts if position.ruleset.vocabulary.sorts[sort].kind != "range")
    return [text_of(member) for sort in named for member in members_of(position, sort)]


def positions_by_board(positions: Iterable[Position]) -> Iterator[tuple[Position, list[int]]]:
    """The numbers of the positions that can share a grounding: those of one ruleset and board."""
    groups: dict[tuple[str, object], list[int]] = {}
    listed = list(positions)
    for number, position in enumerate(listed):
        groups.setdefault((position.ruleset.hash, position.board), []).append(number)
    for numbers in groups.values():
        yield listed[numbers[0]], numbers


@checked
def position(game: str, start: str = "") -> Position:
    """The position in which play of a game begins: the first one, or the one that *start* names.

    A game is named as in a file: by its name, or by the way to its folder.
    Raises: UnknownName or RulesetError, if there is no such game or start; InputError, if the game
    has no start.

    >>> import pymorph
    >>> pymorph.position("tictactoe").legal_actions()[0]
    Term('put(x, a1)')
    """
    return Position.load(scaffold.start_file(game, start))


def value_of(position: Position, fluent: Symbol) -> Symbol:
    """The value of a fluent, which may be its default.

    Raises: RulesetError, if the fluent is not declared.
    """
    return position.fluents.get(fluent, position.default(fluent))
