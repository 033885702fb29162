"""Test cases: a position, and what the rules are expected to say of it, from YAML.

A file is a list of cases. Each has an ``id``; it may say in a sentence what it ``tells`` and which
``rules`` it is about. It starts from a ``position``, written out, in one line, or in a file beside
it; or from a ``base``, a position by its name in `bases.yaml` beside the file. Fluents may be
``set`` otherwise. ``expect`` is a list; each item is one or more of

    do: ACTION or [ACTION, ...]       carry these out; the rest is expected of the position after
    legal: ACTION or list             each of them is legal, and proposed
    illegal: {ACTION: [RULE, ...]}    forbidden by exactly these rules
    unsettled: {ACTION: [ITEM, ...]}  depends on these hidden items
    doubted: {ACTION: [RULE, ...]}    is proposed, and depends on hidden items by these rules
    refused: {ACTION: [RULE, ...]}    like illegal, and `apply` raises it too
    instead: {ACTION: [ACTION, ...]}  the legal actions that do what a refused one meant to
    figures: {NAME: VALUE}            what the forecast says; `absent` if it has no such figure; `5`
                                      counts parts of its unit, `5 hours` whole ones
    survey: {NAME: VALUE}             what the forecast says if no figure is asked for by name
    wide: {NAME: VALUE}               the same with what may come next
    ledger: {NAME: {ITEM: TEXT}}      all items of a figure, each as `NUMBER by RULE`
    cites: {NAME: [RULE, ...]}        the rules that a figure has its word from
    grounds: {NAME: [ITEM, ...]}      the grounds of such a word
    weighs: {ACTION: {NAME: VALUE}}   all figures that weigh in on whether it is legal
    holds: {FLUENT: VALUE}            the value of a fluent; a length is in the unit of the game, or
                                      in the one it names
    events: [EVENT, ...]              what the last `do` brought about
    no_events: [EVENT, ...]           what it did not bring about
    changes: {FLUENT: [RULE, ...]}    the rules by which the last `do` changed it
    undone: [ACTION, ...]             what the last `do` left undone; nothing if it is not said
    told: {NAME: VALUE}               all figures that the last `do` goes by
    later: {EVENT: [N by RULE, ...]}  how many turns, at the least, end before it comes about
    seen: {WHO: {FLUENT: VALUE}}      the value of a fluent as somebody sees the position
    drawn: [ATOM, ...]                what a picture of the position shows, among other things
    undrawn: [ATOM, ...]              what it does not show
    plays: {POLICY: ACTION}           the first action of the actor under that policy
    outcome: wins(NAME) or list       who has won; or `drawn`, `nobody` (over, without a winner) or
                                      `open` (not over)
    flaws: {WHAT: [RULE, ...]}        all that `check` finds; {} if the position is well formed
    under: {QUESTION: OPTION}         with `expect`: the same position under these rulings
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from clingo import Symbol, SymbolType

from pymorph import yamlio
from pymorph.answers import brief
from pymorph.board.lengths.length_units import AMOUNT
from pymorph.errors import Fault, InputError, Place, clipped, nearest
from pymorph.ruleset.loader import Ruleset
from pymorph.state.files.fields import FileForm
from pymorph.state.files.reader import ruling_fault
from pymorph.state.position import Position
from pymorph.state.record import RecordReading
from pymorph.terms import parse_symbol, text_of
from pymorph.yamlio import Items, Keys, Node, Scalar

BASES = "bases.yaml"
# What is expected, by what stands below it: a list, or a mapping to a text, a list or a mapping.
EACH = ("legal", "events", "no_events", "drawn", "undrawn")
VALUED = ("figures", "survey", "wide", "holds", "plays")
LISTED = (
    "illegal", "refused", "unsettled", "doubted", "cites", "grounds", "changes", "later", "instead",
)  # fmt: skip
TABLED = ("ledger", "weighs", "seen")
KINDS = (*EACH, *VALUED, *LISTED, *TABLED, "told", "outcome", "flaws")
TEST_CASE = FileForm(
    "a case",
    "a mapping with 'id', a position and 'expect'",
    {"id": "line", "tells": "text", "rules": "scalars", "expect": "expected_items"}
    | dict.fromkeys(("position", "base", "set"), "start"),
    {"id": "a name for the case", "expect": "a list"},
    whole=True,
)
ITEM = FileForm(
    "an item",
    f"a mapping with keys such as {', '.join(KINDS[:4])}",
    dict.fromkeys(KINDS, "expectations")
    | {"do": "scalars", "undone": "scalars", "under": "texts", "expect": "expected_items"},
    whole=True,
)
OF_DOING = ("events", "no_events", "changes", "told")
IN_WORDS = ("drawn", "undrawn")  # what is no term
DRAWN, NOBODY, OPEN = ENDS = ("drawn", "nobody", "open")  # how a game ends, or not, unless one wins
AN_END = "wins(NAME), drawn, nobody or open"


@brief
class Expectation(NamedTuple):
    """One thing that is expected: of what *kind*, of *subject*, and where the file says so.

    *wanted* is a text, a sorted list or a mapping, as the kind has it.
    """

    kind: str
    subject: str
    wanted: Any
    place: Place


@brief
class CaseStep(NamedTuple):
    """What is carried out, if anything, and what is expected then.

    With *under*, the *items* are expected under these rulings.
    """

    place: Place
    do: tuple[str, ...] = ()
    undone: tuple[str, ...] = ()
    expected: tuple[Expectation, ...] = ()
    under: Mapping[str, str] = {}
    items: tuple[CaseStep, ...] = ()


@brief
@dataclass(frozen=True)
class GoldenCase:
    """A position, and what is expected of it; *text* is the case as it was written."""

    id: str
    tells: str
    rules: tuple[tuple[str, Place], ...]
    items: tuple[CaseStep, ...]
    place: Place
    text: str = field(repr=False)
    bases: Bases = field(repr=False)
    root: Keys = field(repr=False)

    def position(self, anew: bool = False) -> Position:
        """Where the case begins; with *anew* a base is read once more, in the words of today.

        Raises: InputError with every fault, each at its line and column.
        """
        bases = Bases(self.bases.folder) if anew else self.bases
        return _Reading(self.bases.folder).beginning(self.root, bases)

    def word(self, key: str) -> str:
        """What the case has at a key, if that is a single text."""
        node = self.root.get(key)
        return node.text if isinstance(node, Scalar) else ""

    def based_on(self, start: Position) -> Position:
        """The position with what the case sets otherwise."""
        return _Reading(self.bases.folder).set_otherwise(self.root, start)


class Bases:
    """The positions that the cases of a folder start from, each read once."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self._read: dict[str, Position] = {}

    @cached_property
    def root(self) -> Keys:
        text, name = yamlio.read(yamlio.path_in(self.folder or Path(), BASES))
        root, faults = yamlio.parse(text, name)
        if faults or not isinstance(root, Keys):
            raise InputError(faults or Fault("expected a mapping of positions", root.place))
        return root

    def get(self, name: str, place: Place) -> Position:
        """The position of that name. Raises: InputError, if there is none at *place*."""
        if name not in self._read:
            node = self.root.get(name)
            if node is None:
                known = [key.text for key, _ in self.root.entries]
                raise InputError(f"unknown base {clipped(name)}{nearest(name, known)}", place)
            self._read[name] = RecordReading(self.folder).placed(node, self.root)
        return self._read[name]


def load(path: str | os.PathLike[str]) -> tuple[GoldenCase, ...]:
    """The cases of a file. Raises: InputError with every fault, each at its line and column."""
    return parse(*yamlio.contents(path))


def parse(text: str, name: str = "<text>", base: Path | None = None) -> tuple[GoldenCase, ...]:
    """The cases that a YAML text describes; what they name is looked for in *base*, or here."""
    root, faults = yamlio.parse(text, name, yamlio.LIMITS.long_nodes)
    return _Reading(base, faults).cases(root, text.split("\n"))


def is_list(path: str | os.PathLike[str]) -> bool:
    """Is a file a list, as one of test cases is, rather than a mapping, as all others are?"""
    try:
        text, name, _ = yamlio.contents(path)
        root, _ = yamlio.parse(text, name, yamlio.LIMITS.long_nodes)
    except InputError:
        return False  # whoever reads it as another file says what is wrong
    return isinstance(root, Items)


class _Reading(RecordReading):
    """One reading of a file of cases: collects every fault before it gives up."""

    most = yamlio.LIMITS.long_bytes

    def cases(self, root: Node, lines: list[str]) -> tuple[GoldenCase, ...]:
        if not isinstance(root, Items):
            message = "expected a list of cases, each with an 'id', a position and 'expect'"
            raise InputError([*self.faults, Fault(message, root.place)])
        bases = Bases(self.base)
        cases: list[GoldenCase] = []
        ids: dict[str, Place] = {}
        ends = [item.place.line - 1 for item in root.items[1:]] + [len(lines)]
        for node, end in zip(root.items, ends, strict=True):
            case = self.case(node, "\n".join(lines[node.place.line - 1 : end]), bases)
            if case is None:
                continue
            first = ids.setdefault(case.id, case.place)
            if first is not case.place:
                message = f"{clipped(case.id)} is given twice, first in line {first.line}"
                self.fault(message, case.place)
            cases.append(case)
        self.check()
        return tuple(cases)

    def case(self, node: Node, text: str, bases: Bases) -> GoldenCase | None:
        values = self.values(node, TEST_CASE)
        if not isinstance(node, Keys):
            return None
        if (node.get("position") is None) == (node.get("base") is None):
            self.fault("a case needs either a 'position' or a 'base'", node.place)
        rules = {rule.text: rule.place for rule in values.get("rules", ())}
        return GoldenCase(
            values.get("id", ""),
            values.get("tells", ""),
            tuple(rules.items()),
            values.get("expect", ()),
            (node.get("id") or node).place,
            text,
            bases,
            node,
        )

    # -- what is expected ------------------------------------------------------------------------

    def expected_items(self, node: Node, key: Scalar) -> tuple[CaseStep, ...]:
        """The items below `expect`."""
        if not isinstance(node, Items) or not node.items:
            self.fault(f"expected a list for the key {key.text!r}", node.place)
            return ()
        steps, done = [], False
        for item in node.items:
            if isinstance(item, Keys) and item.entries:
                done = done or item.get("do") is not None
                steps.append(self.item(item, done))
            else:
                self.fault(f"expected {ITEM.such}", item.place)
        return tuple(steps)

    def item(self, node: Keys, done: bool) -> CaseStep:
        values = self.values(node, ITEM)
        under, undone = node.get("under"), node.get("undone")
        if under is not None or "expect" in values:
            others = [key for key, _ in node.entries if key.text not in ("under", "expect")]
            if others or under is None:
                message = "expected a mapping of questions to options, with only 'expect' beside it"
                self.fault(message, (others[0] if others else node).place)
            rulings, items = values.get("under", {}), values.get("expect", ())
            return CaseStep(node.place, under=rulings, items=items)
        if undone is not None and node.get("do") is None:
            self.fault("'undone' needs a 'do' beside it", undone.place)
        for key, _ in node.entries:
            if key.text in OF_DOING and not done:
                self.fault(f"{key.text!r} needs a 'do' before it", key.place)
        actions = tuple(action.text for action in values.pop("do", ()))
        left = tuple(map(self.term_of, values.pop("undone", ())))
        return CaseStep(node.place, actions, left, tuple(chain(*values.values())))

    def expectations(self, node: Node, key: Scalar) -> Iterator[Expectation]:
        kind = key.text
        if kind in EACH:
            for item in self.scalars(node):
                text = item.text if kind in IN_WORDS else self.term_of(item)
                yield Expectation(kind, text, (), item.place)
        elif kind == "outcome":
            yield Expectation(kind, "", self.ends(node), key.place)
        elif kind == "told":
            yield Expectation(kind, "", self.texts(node, key), key.place)
        elif kind == "flaws":
            entries = self.entries(node, f"expected a mapping for {kind!r}")
            flaws = {self.term_of(what): self.sorted(rules, terms=False) for what, rules in entries}
            yield Expectation(kind, "", flaws, key.place)
        else:
            for name, below in self.entries(node, f"expected a mapping for {kind!r}"):
                subject = self.term_of(name)
                if kind in VALUED:
                    yield Expectation(kind, subject, self.value(below), name.place)
                elif kind in LISTED:
                    wanted = self.sorted(below, terms=kind in ("unsettled", "grounds", "instead"))
                    yield Expectation(kind, subject, wanted, name.place)
                else:
                    yield Expectation(kind, subject, self.texts(below, key), name.place)

    def ends(self, node: Node) -> list[str]:
        """How the game is said to end, or that it does not."""
        ends = self.scalars(node)
        if isinstance(node, Items) and not node.items:
            self.fault(f"'outcome' needs {AN_END}", node.place)
        for end in ends:
            wins = bool(re.fullmatch(r"wins\(.+\)", end.text))
            if not (wins or end.text in ENDS):
                self.fault(f"expected {AN_END}, not {clipped(end.text)}", end.place)
            elif not wins and len(ends) > 1:
                self.fault(f"{end.text!r} must be alone in 'outcome'", end.place)
        return sorted(self.term_of(end) for end in ends)

    def scalars(self, node: Node, _: Scalar | None = None) -> list[Scalar]:
        """The texts of a list; one may stand alone."""
        texts = []
        for item in self.items(node) if isinstance(node, Items) else (node,):
            if isinstance(item, Scalar) and item.text:
                texts.append(item)
            else:
                self.fault("expected a text, or a list of texts", item.place)
        return texts

    def sorted(self, node: Node, terms: bool) -> list[str]:
        return sorted(self.term_of(item) if terms else item.text for item in self.scalars(node))

    def texts(self, node: Node, key: Scalar) -> dict[str, str]:
        entries = self.entries(node, f"expected a mapping for {key.text!r}")
        return {self.term_of(name): self.value(below) for name, below in entries}

    def value(self, node: Node) -> str:
        if not isinstance(node, Scalar):
            self.fault("expected one value, not a list or mapping", node.place)
            return ""
        return node.text

    def term_of(self, node: Scalar) -> str:
        """A term as answers write it; one with points in brackets is read with its position."""
        if "[" in node.text or AMOUNT.fullmatch(node.text):
            return node.text
        with self.blaming(node.place):
            return text_of(parse_symbol(node.text))
        return node.text

    # -- where it begins -------------------------------------------------------------------------

    def beginning(self, root: Keys, bases: Bases) -> Position:
        base = root.get("base")
        start = bases.get(base.text, base.place) if isinstance(base, Scalar) else self.start(root)
        return self.set_otherwise(root, start)

    def set_otherwise(self, root: Keys, start: Position) -> Position:
        node = root.get("set")
        if node is None:
            return start
        if not isinstance(node, Keys):
            raise InputError("expected a mapping of fluents to values for 'set'", node.place)
        self.words, self.scene = start.ruleset.vocabulary, start.scene
        self.veiled = start.ruleset.veiled
        changes: dict[Symbol, Symbol] = {}
        for key, below in node.entries:
            with self.blaming(key.place):
                start.value(key.text)
                fluent = parse_symbol(key.text)
                value = self.value_of(self.words.fluents[fluent.name], below)
                changes |= {} if value is None else {fluent: value}
        self.check()
        return start.with_changes(changes)

    def belongs(self, value: Symbol, name: str) -> bool:
        """Can a fluent be set to that? To any number, if to one: past what play comes to."""
        numeric = self.words.sorts[name].kind == "range" and value.type == SymbolType.Number
        return numeric or super().belongs(value, name)


def misnamed(
    case: GoldenCase, game: Ruleset, brings: Callable[[str, str], Collection[str]]
) -> list[Fault]:
    """The rules, figures, events, questions of a case that the game knows nothing of.

    What is expected to be absent or not to come about would be so under any misspelt name. *brings*
    says what atoms of a predicate may be about, by the verb that tells them; nothing if anything.
    """
    words = game.vocabulary
    figures = {**words.figures, **words.findings}
    unknown = [(rule, place) for rule, place in case.rules if rule not in game.rules]
    faults = [Fault(f"unknown rule {clipped(r)}{nearest(r, game.rules)}", at) for r, at in unknown]
    for item in _each_step(case.items):
        for question, option in item.under.items():
            fault = ruling_fault(game, question, option)
            faults += [fault._replace(place=item.place)] if fault else []
        for expected in item.expected:
            known: Collection[str] = ()
            if expected.kind in ("figures", "survey", "wide", "ledger"):
                known = figures
            elif expected.kind in ("events", "no_events"):
                known = brings("apply", "happens")
            name = expected.subject.partition("(")[0]
            if known and name not in known:
                what = "event" if "events" in expected.kind else "figure"
                message = f"unknown {what} {clipped(name)}{nearest(name, known)}"
                faults.append(Fault(message, expected.place))
    return faults


def _each_step(steps: Iterable[CaseStep]) -> Iterator[CaseStep]:
    """The steps, and those that are expected under rulings."""
    for step in steps:
        yield step
        yield from _each_step(step.items)
