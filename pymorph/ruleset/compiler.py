"""Compiles the checked statements of a ruleset: to a vocabulary, a catalogue, and slices."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from clingo import Symbol

from pymorph.asp.dependency import CHECKED, PROPOSED, DependencyGraph, Statement, functors
from pymorph.asp.facts import Key, Signature, parse_signatures
from pymorph.asp.guard import LIMITS
from pymorph.asp.passes.own_names import as_named, used_words, with_own_names
from pymorph.asp.program import GateRules, check, check_files, order
from pymorph.asp.statements import CheckedStatement, Source, fact_symbols
from pymorph.board import geometry
from pymorph.board.lengths import measuring
from pymorph.errors import Fault, RulesetError
from pymorph.ruleset import declarations
from pymorph.ruleset.cache.build import Build, CheckedFiles, encoded
from pymorph.ruleset.cache.file_contents import FileContents
from pymorph.ruleset.cache.store import Values
from pymorph.ruleset.checks import lint
from pymorph.ruleset.checks.signatures import misshapen
from pymorph.ruleset.checks.situation_sorts import sort_errors
from pymorph.ruleset.contract import CATALOGUE, CONTRACT, ENGINE, FREE, INPUTS, REMOVED
from pymorph.ruleset.declarations import FactRows
from pymorph.ruleset.hidden_fluents import misshown, untried, veiled
from pymorph.ruleset.hints import explained
from pymorph.ruleset.members import MEMBER, derived
from pymorph.ruleset.own_words import miscounted, own_words, removed, unnamed
from pymorph.ruleset.vocabulary import Declared, Vocabulary
from pymorph.terms import text_of

GENERATED = "<generated>"  # the file of the rules that the vocabulary requires


class Verb(NamedTuple):
    """A kind of question, and the file of what it shows.

    To an *unproposed* one it does not matter who proposes an action. The question states which
    action is taken; only in *branching* it is every legal one.
    """

    name: str
    show: str
    unproposed: bool = False
    branching: bool = False


SHOWN = (
    *("legal", "outcome", "history", "why", "forecast", "claims", "pause", "policy", "later"),
    *("check", "concealed", "drawn", "reach", "overlay"),
)
# An action that is asked about, or taken, is judged whether anybody proposes it or not.
VERBS = {
    verb.name: verb
    for verb in (
        *(Verb(name, name) for name in SHOWN),
        *(Verb(name, name, unproposed=True) for name in ("apply", "step")),
        Verb("asked", "judge", unproposed=True),
        Verb("branch", "branch", branching=True),
    )
}
FUNCTIONS = geometry.FUNCTIONS | measuring.TABLE_FUNCTIONS
GATE = GateRules(
    engine=ENGINE,
    inputs=INPUTS,
    contract=CONTRACT | declarations.SIGNATURES | REMOVED.keys(),
    functions=parse_signatures(" ".join(FUNCTIONS)),
    free=FREE,
)
# The first questions to a position: they check it in the same grounding.
ASKED_FIRST = ("legal", "asked", "why", "forecast")


class CheckedRuleset(NamedTuple):
    """A ruleset's statements with the facts that they state, all statements with those that the
    vocabulary requires, the facts by signature, the vocabulary, what each verb shows, and the files
    that were checked."""

    stated: list[tuple[CheckedStatement, list[Symbol] | None]]
    everything: tuple[CheckedStatement, ...]
    rows: FactRows
    vocabulary: Vocabulary
    shows: Mapping[str, Sequence[Signature]]
    files: CheckedFiles


def checked(own: FileContents, core: FileContents, before: Build | None = None) -> CheckedRuleset:
    """Check all files, and the vocabulary that they declare; or what has changed since a build.

    Raises: RulesetError with every fault, its place, and what to do.
    """
    try:
        return _checked(own, core, before)
    except RulesetError as error:
        faults = [f._replace(message=as_named(f.message)) for f in error.faults]
        raise RulesetError(explained(faults, own)) from None


def _checked(own: FileContents, core: FileContents, before: Build | None) -> CheckedRuleset:
    trusted = [Source(label, data, trusted=True) for label, data in core]
    showing = [source for source in trusted if "/show/" in source.name.replace(os.sep, "/")]
    shows: dict[str, list[Signature]] = defaultdict(list)
    for statement in check(showing, GATE):
        shows[Path(statement.place.file).stem] += statement.body
    sources = [Source(label, data) for label, data in own]
    sources += [source for source in trusted if source not in showing]
    known, necessary = CheckedFiles({}, frozenset()) if before is None else before.known(sources)
    files = check_files(sources, GATE, known)
    statements = tuple(chain.from_iterable(file.statements for file in files))
    used = used_words(statements)
    statements = with_own_names(statements, own_words(statements, GATE, used))
    stated = list(zip(statements, fact_symbols(statements), strict=True))
    faults = [
        Fault(error, statement.place)
        for statement, facts in stated
        if not statement.trusted
        for error in filter(None, map(misshapen, facts or ()))
    ]
    faults += [*miscounted(statements), *removed(statements, used)]
    if faults:
        raise RulesetError(faults[: LIMITS.faults])
    rows = declarations.by_signature(symbol for _, facts in stated for symbol in facts or ())
    if len(rows[("ruleset", 3)]) != 1:
        raise RulesetError(Fault('a ruleset needs one fact ruleset(name, "version", "title").'))
    built = _vocabulary(rows, statements)
    compared = lint.comparing(statements, rows)
    if known and not necessary <= compared:
        return _checked(own, core, None)
    right = {source.name for source in known}
    faults = [*lint.errors(stated, built, rows, compared, right), *sort_errors(statements)]
    faults.sort(key=order)
    faults = faults or [*misshown(statements, built), *untried(statements, built)]
    if faults:
        raise RulesetError(faults[: LIMITS.faults])
    generated = "\n".join(_generated(built, statements)).encode()
    everything = (*statements, *check([Source(GENERATED, generated, trusted=True)], GATE))
    right_files = CheckedFiles(dict(zip(sources, files, strict=True)), compared)
    return CheckedRuleset(stated, everything, rows, built, shows, right_files)


def _vocabulary(rows: FactRows, statements: Sequence[CheckedStatement]) -> Vocabulary:
    """The vocabulary that facts declare, with the members of sorts that rules derive from facts;
    the rows get these."""
    name = rows["ruleset", 3][0][0].name
    try:
        built = declarations.build(rows, name)
    except (AttributeError, RuntimeError, IndexError, ValueError) as error:
        raise RulesetError(Fault(f"cannot read the vocabulary: {error}")) from None
    ranges = _ranges(built, statements)
    members = list(derived(statements, INPUTS, declarations.tables(rows), ranges))
    for symbol in members:
        stated = rows[symbol.name, len(symbol.arguments)]
        if tuple(symbol.arguments) not in stated:
            stated.append(tuple(symbol.arguments))
    return declarations.build(rows, name) if members else built


def compiled(own: FileContents, core: FileContents, before: Build | None = None) -> Values:
    """Check all files, and select the statements that each verb needs; see `checked`."""
    game = checked(own, core, before)
    everything, rows = game.everything, game.rows
    graph = DependencyGraph([Statement(s.text, s.signs) for s in everything])
    needed = {
        number
        for number, s in enumerate(everything)
        if s.kind not in ("fact", "facts") or not {name for name, _ in s.heads} <= CATALOGUE
    }
    doing, proposing = (
        {number for number, s in enumerate(everything) if s.heads == {given}}
        for given in (("does", 3), PROPOSED)
    )
    ours = [(number, s) for number, s in enumerate(everything) if not s.trusted]
    reading = {number for number, s in ours if PROPOSED in s.body}
    if any(("permitted", 2) in s.body for _, s in ours):
        proposing = set()
    verbs: dict[str, Any] = {}
    for verb in VERBS.values():
        shown = game.shows[verb.show]
        wanted: list[Key] = []
        choosers = [name for name, _ in shown if name in ("weighs", "accounts")]
        for name, arity in shown:
            if name in ("entry", "total", "never") and choosers:
                wanted += [(name, arity, f) for c in choosers for f in functors(everything, c)]
            else:
                wanted.append((name, arity, None))
        usable = needed if verb.branching else needed - doing
        left_out = proposing if verb.unproposed else set()
        parts = graph.numbers(wanted, usable - left_out, figured=True)
        if left_out and not reading.isdisjoint(parts):
            parts = graph.numbers(wanted, usable, figured=True)
        verbs[verb.name] = {"parts": sorted(parts), "shown": shown}
    checking = verbs["check"]
    for name in ASKED_FIRST:
        joint = sorted({*verbs[name]["parts"], *checking["parts"]})
        shown = [*verbs[name]["shown"], *checking["shown"]]
        verbs[name + CHECKED] = {"parts": joint, "shown": shown}
    undone = [n for n in range(len(everything)) if n not in doing]
    verbs["whole"] = {"parts": undone, "shown": []}
    doubted = sorted((*lint.warnings(everything, rows), *unnamed(everything)), key=order)
    base = {
        "vocabulary": declarations.texts(rows),
        "catalogue": _catalogue(rows),
        "veiled": veiled(everything, game.vocabulary),
        "doubts": [as_named(str(fault)) for fault in doubted[: LIMITS.faults]],
    }
    names = [label for label, _ in (*own, *core)]
    return encoded(base, verbs, everything, game.files, names)


def _generated(built: Vocabulary, statements: Sequence[CheckedStatement]) -> list[str]:
    """The rules that the vocabulary requires: actors, totals, members of ranges and unions."""
    lines = []
    denied = functors(statements, "never")
    given = {name for s in statements if not s.trusted for name, _ in s.heads}
    requiring = [name for name in ("required", "required_one") if name in given]
    for action in built.actions.values():
        term = _term(action)
        if action.sorts:
            lines.append(f"actor({term}, X0) :- considered({term}, _).")
            lines += [f"actor({term}, X0) :- {name}({term}, _, _)." for name in requiring]
    for figure in built.figures.values():
        term = _term(figure)
        unless = f"not never({term}, S, _), " if figure.name in denied else ""
        lines.append(
            f"total({term}, N, S) :- entry({term}, _, _, S, _), {unless}"
            f"N = #sum {{ A, I, R : entry({term}, I, A, S, R) }}."
        )
    return [*lines, *_ranges(built, statements)]


def _term(declared: Declared) -> str:
    """The term of an action or a figure with variables for its arguments."""
    variables = ", ".join(f"X{i}" for i in range(len(declared.sorts)))
    return f"{declared.name}({variables})" if variables else declared.name


def _ranges(built: Vocabulary, statements: Sequence[CheckedStatement]) -> Iterator[str]:
    """The members of the ranges that rules name."""
    keys = (
        key for s in statements for key in (*s.signs.uses, *(key for key, _ in s.signs.defines))
    )
    for name in sorted({name for *of, name in keys if tuple(of) == MEMBER and name}):
        sort = built.sorts.get(name)
        if sort and sort.kind == "range":
            yield f"member({name}, {sort.low}..{sort.high})."


def _catalogue(rows: FactRows) -> dict[str, Any]:
    """The rules and the questions of the catalogue, by their fields."""

    def texts(name: str, arity: int) -> list[list[str]]:
        return [list(map(text_of, row)) for row in rows.get((name, arity), [])]

    def grouped(name: str, arity: int) -> dict[str, list[list[str]]]:
        """The other arguments of facts, by the first one."""
        groups: dict[str, list[list[str]]] = defaultdict(list)
        for first, *rest in texts(name, arity):
            groups[first].append(rest)
        return groups

    pairs = {
        name: dict(texts(name, 2))
        for name in ("title", "says", "status", "document", "waived", "asks", "default", "because")
    }
    documents = pairs["document"]
    sources, raised, refusals = grouped("source", 3), grouped("raises", 2), grouped("because", 3)
    options = grouped("option", 2)
    meanings = {(question, option): meaning for question, option, meaning in texts("means", 3)}
    rules = [
        {
            "id": name,
            **{
                field: pairs[field].get(name, "") for field in ("title", "says", "status", "waived")
            },
            "sources": [(d, documents.get(d, d), section) for d, section in sources[name]],
            "questions": [question for (question,) in raised[name]],
            "refusals": refusals[name],
        }
        for (name,) in sorted(texts("rule", 1))
    ]
    questions = [
        {
            "id": name,
            **{field: pairs[field].get(name, "") for field in ("asks", "default", "because")},
            "options": [(o, meanings.get((name, o), "")) for (o,) in options[name]],
            "rules": [rule for rule, question in texts("raises", 2) if question == name],
        }
        for (name,) in sorted(texts("question", 1))
    ]
    return {"rules": rules, "questions": questions, "statuses": pairs["status"]}
