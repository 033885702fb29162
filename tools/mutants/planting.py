"""A ruleset with a fault in it, made from one in memory: nothing is compiled that can stay."""

from __future__ import annotations

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any
from unittest import mock

from pymorph.asp.dependency import Slice, Statement
from pymorph.asp.facts import DEFAULT, READING, Signature
from pymorph.asp.program import GateRules, check
from pymorph.asp.statements import CheckedStatement, Source, fact_symbols, plain
from pymorph.board.geometry import FUNCTIONS
from pymorph.board.lengths.measuring import TABLE_FUNCTIONS
from pymorph.errors import Fault, RulesetError
from pymorph.ruleset import compiler, declarations, loader
from pymorph.ruleset import contract as ruleset_contract
from pymorph.ruleset.cache.build import Build
from pymorph.ruleset.contract import ENGINE, INPUTS
from pymorph.ruleset.loader import Ruleset
from pymorph.verify.scope import Scope
from pymorph.verify.sources import Sources
from tools.mutants.operators import Mutant

DEFINED = re.compile(r"^#defined (-?\w+)/(\d+)\.$")
# What the vocabulary says of play; the rest of it is about files, pictures and examples.
PROPERTIES = "properties"  # the folder of what verification alone reads
SPOKEN = frozenset({"sort", "member", "fluent", "action", "figure", "finding", "open", "elided"})
# Predicates of which a slice has only some, by their first arguments.
SELECTED = frozenset({"entry", "total", "never", "weighs", "accounts", "clock"})


@dataclass(frozen=True)
class Original:
    """A ruleset in which faults are planted, with all that was made on the way to it."""

    ruleset: Ruleset
    checked: compiler.CheckedRuleset
    build: Build

    @classmethod
    def of(cls, name: str) -> Original:
        game = loader.load(name)
        files = loader.files_of(game.folders)
        checked = compiler.checked(*files)
        with mock.patch.object(compiler, "checked", return_value=checked):
            return cls(game, checked, Build(compiler.compiled(*files)))

    @cached_property
    def sources(self) -> Sources:
        return Sources.of(self.ruleset)

    @cached_property
    def setting(self) -> Scope:
        """What verification looks at, from what has been read already."""
        setting = Scope(self.ruleset)
        vars(setting)["sources"] = self.sources
        return setting

    @cached_property
    def parts(self) -> Mapping[str, tuple[int, ...]]:
        """The numbers of the statements in the slice of each verb."""
        plain, verbs = self.build.plain, self.build.shared["verbs"]
        return {verb: tuple(plain[place]["parts"]) for verb, place in verbs.items()}

    @cached_property
    def numbers(self) -> tuple[int, ...]:
        """The ruleset's own statements that bear on play."""
        playing = {n for verb in compiler.VERBS for n in self.parts[verb]}
        return tuple(
            n
            for n in self.sources.own
            if (n in playing or self.predicates(n) & SPOKEN)
            and PROPERTIES not in Path(self.sources.statements[n].place.file).parts
        )

    def predicates(self, number: int) -> set[str]:
        """What a statement gives."""
        return {name for name, _ in self.sources.statements[number].heads}

    def readers(self, number: int) -> frozenset[int]:
        """The rules that read the question of which a statement says the default."""
        signs = self.sources.statements[number].signs
        asked = {question_of(key[2]) for key, _ in signs.defines if key[:2] == DEFAULT}
        found = set()
        for n in self.numbers if asked else ():
            reads = self.sources.statements[n].signs.uses
            if asked & {question_of(key[2]) for key in reads if key[:2] == READING}:
                found.add(n)
        return frozenset(found)

    def pervades(self, number: int) -> bool:
        """Do the vocabulary or the slices hang on a statement, so that it bears on any question?"""
        fact = self.sources.statements[number].kind != "rule"
        return fact and bool(self.predicates(number) & (SPOKEN | SELECTED))

    @cached_property
    def gate(self) -> GateRules:
        """Rules by which a statement may stand alone, and speak of whatever the others define."""
        defined = {s for statement in self.checked.everything for s in statement.heads}
        every = FUNCTIONS | TABLE_FUNCTIONS
        functions = frozenset((name, int(n)) for name, n in (f.split("/") for f in every))
        contract = ruleset_contract.CONTRACT | declarations.SIGNATURES | defined
        return GateRules(ENGINE, INPUTS, frozenset(contract), functions)

    @cached_property
    def defining(self) -> Counter[Signature]:
        """How many statements define each predicate; whoever asks may leave out what is given."""
        found = Counter(s for statement in self.checked.everything for s in statement.heads)
        found.update(self.gate.engine | self.gate.inputs | ruleset_contract.CONTRACT)
        for one in self.checked.everything:
            found.update((name, int(arity)) for name, arity in DEFINED.findall(one.text))
        return found

    def unread(self, mutant: Mutant, signature: Signature) -> bool:
        """Does nothing but the statement with the fault read a predicate?"""
        others = (s for n, s in enumerate(self.checked.everything) if n != mutant.number)
        return not any(signature in other.body for other in others)

    @cached_property
    def from_cards(self) -> frozenset[str]:
        """The predicates whose facts make sorts."""
        return declarations.tables(self.checked.rows)


def question_of(functors: str | None) -> str:
    """The question of a key that has a question and an option."""
    return (functors or "").partition("=")[0]


def plant(original: Original, mutant: Mutant) -> Ruleset:
    """The ruleset with one statement changed.

    Raises: RulesetError, if it does not load.
    """
    old = original.sources.statements[mutant.number]
    if original.pervades(mutant.number):
        return _compiled(original, mutant)
    new = statement(original, mutant)
    for signature in old.heads - (new.heads if new else frozenset()):
        if original.defining[signature] == 1 and not original.unread(mutant, signature):
            raise RulesetError(Fault(f"unknown predicate {plain(signature)}", old.place))
    parts = (Statement(new.text, new.signs),) if new else ()
    game = replace(
        original.ruleset,
        hash=digest(original, mutant),
        slices=Planted(original.ruleset.slices, original.parts, {mutant.number: parts}),
    )
    if old.kind == "rule":
        return game
    rows = _rows(original, old, new)
    if original.predicates(mutant.number) & original.from_cards:
        game = replace(game, vocabulary=declarations.build(rows, game.name))
    if DEFAULT in old.heads:
        game = replace(game, _catalogue=compiler._catalogue(rows))
    return game


def digest(original: Original, mutant: Mutant) -> str:
    text = f"{original.ruleset.hash} {mutant.name}"
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def statement(original: Original, mutant: Mutant) -> CheckedStatement | None:
    """The changed statement as the gate reads it; None if it is removed. Raises: RulesetError."""
    if not mutant.text:
        return None
    place = original.sources.statements[mutant.number].place
    (found,) = check([Source(place.file, mutant.text.encode(), trusted=True)], original.gate)
    return replace(found, place=place, trusted=False)


def _rows(
    original: Original, old: CheckedStatement, new: CheckedStatement | None
) -> dict[Any, Any]:
    """The facts of the ruleset, with those of a statement exchanged."""
    gone, come = (
        [symbol for row in fact_symbols([s] if s else []) for symbol in row or ()]
        for s in (old, new)
    )
    rows = defaultdict(list, original.checked.rows)
    for signature in old.heads:
        left_out = {tuple(symbol.arguments) for symbol in gone}
        rows[signature] = [row for row in rows[signature] if row not in left_out]
    for symbol in come:
        rows[symbol.name, len(symbol.arguments)].append(tuple(symbol.arguments))
    return rows


def edited(original: Original, mutant: Mutant) -> tuple[tuple[str, bytes], ...]:
    """The ruleset's own files with the change, one statement a line."""
    lines: dict[str, list[str]] = defaultdict(list)
    for number in original.sources.own:
        found = original.sources.statements[number]
        text = mutant.text if number == mutant.number else found.text
        lines[found.place.file].append(text)
    return tuple((name, "\n".join(found).encode()) for name, found in lines.items())


def _compiled(original: Original, mutant: Mutant) -> Ruleset:
    """The ruleset with a change that the vocabulary hangs on, which takes a second or two."""
    core = loader.files_of(original.ruleset.folders)[1]
    build = Build(compiler.compiled(edited(original, mutant), core))
    facts = loader.facts_of(build.base["vocabulary"])
    return replace(
        original.ruleset,
        hash=digest(original, mutant),
        vocabulary=declarations.build(facts, original.ruleset.name),
        slices=build,
        _catalogue=build.base["catalogue"],
    )


@dataclass(frozen=True)
class Planted(Mapping[str, Slice]):
    """The slices of a ruleset with other parts for some statements, by number."""

    original: Mapping[str, Slice]
    parts: Mapping[str, tuple[int, ...]]
    changes: Mapping[int, tuple[Statement, ...]]
    _made: dict[str, Slice] = field(default_factory=dict)

    def __getitem__(self, verb: str) -> Slice:
        if verb not in self._made:
            kept = self.original[verb]
            numbers = self.parts[verb]
            if not self.changes.keys().isdisjoint(numbers):
                rows = (
                    self.changes.get(number, (part,))
                    for number, part in zip(numbers, kept.parts, strict=True)
                )
                kept = Slice(tuple(chain.from_iterable(rows)), kept.shown)
            self._made[verb] = kept
        return self._made[verb]

    def __iter__(self) -> Iterator[str]:
        return iter(self.parts)

    def __len__(self) -> int:
        return len(self.parts)
