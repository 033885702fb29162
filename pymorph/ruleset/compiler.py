"""From the checked statements of a ruleset to what is kept of it: vocabulary, slices, catalogue."""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from clingo import Symbol

from pymorph.asp.dependency import CHECKED, cut, functors
from pymorph.asp.facts import Key, Signature
from pymorph.asp.passes.own_names import as_named, told_apart
from pymorph.asp.program import GateRules, check, gated, order
from pymorph.asp.serialization import stored
from pymorph.asp.statements import CheckedStatement, Source, fact_symbols
from pymorph.board import geometry, graphs
from pymorph.board.lengths import measuring
from pymorph.errors import Fault, RulesetError
from pymorph.ruleset import declarations
from pymorph.ruleset.cache.build_cache import BuildCache
from pymorph.ruleset.cache.sections import BASE, Sections
from pymorph.ruleset.checks.lint import comparing, doubts, misfits, slips
from pymorph.ruleset.checks.readings import misnamed, options_of
from pymorph.ruleset.checks.signatures import misshapen
from pymorph.ruleset.checks.situation_sorts import mistaken
from pymorph.ruleset.contract import CATALOGUE, CONTRACT, ENGINE, FREE, INPUTS, KEYED, REMOVED
from pymorph.ruleset.hidden_fluents import misshown, untried, veiled
from pymorph.ruleset.hints import explained
from pymorph.ruleset.members import derived
from pymorph.ruleset.own_words import miscounted, own_words, removed, unnamed
from pymorph.ruleset.vocabulary import Question, Rule, Vocabulary
from pymorph.terms import text_of

MAX_FAULTS = 50
SHOW = re.compile(r"#show (\w+)/(\d+)\.")
GENERATED = "<generated>"  # the file of what the vocabulary calls for
Files = Sequence[tuple[str, bytes]]
MEMBER = re.compile(r"\bmember\(([a-z]\w*),")


@dataclass(frozen=True, slots=True)
class Verb:
    """A kind of question: what is shown of the answer, and what plays no part in it.

    What is done is told with the question; only in *branching* it is whatever is legal.
    """

    name: str
    show: str
    left_out: tuple[str, ...] = ()
    branching: bool = False


# An action that is asked about, or carried out, is judged whether anybody proposes it or not.
VERBS = {
    verb.name: verb
    for verb in (
        Verb("legal", "legal"),
        Verb("outcome", "outcome"),
        Verb("history", "history"),
        Verb("asked", "judge", ("proposed",)),
        Verb("why", "why"),
        Verb("forecast", "forecast"),
        Verb("claims", "claims"),
        Verb("apply", "apply", ("proposed",)),
        Verb("step", "step", ("proposed",)),
        Verb("branch", "branch", branching=True),
        Verb("pause", "pause"),
        Verb("policy", "policy"),
        Verb("later", "later"),
        Verb("check", "check"),
        Verb("concealed", "concealed"),
        Verb("drawn", "drawn"),
        Verb("reach", "reach"),
        Verb("overlay", "overlay"),
    )
}


# What a position may be asked first: in one grounding with whether it is one of its game.
ASKED_FIRST = ("legal", "asked", "why", "forecast")


class CheckedRuleset(NamedTuple):
    """A ruleset's statements with the facts that they are, those that the vocabulary calls for
    besides, the facts by signature, the vocabulary, and what each verb shows."""

    stated: list[tuple[CheckedStatement, list[Symbol] | None]]
    everything: tuple[CheckedStatement, ...]
    rows: Mapping[Signature, list[tuple[Symbol, ...]]]
    vocabulary: Vocabulary
    shows: Mapping[str, str]


def checked(own: Files, core: Files, memory: BuildCache | None = None) -> CheckedRuleset:
    """Check all files, and the vocabulary that they declare; with a *memory*, what has changed.

    Raises: RulesetError with every fault, where it stands, and what is usually meant.
    """
    try:
        return _checked(own, core, memory)
    except RulesetError as error:
        faults = [f._replace(message=as_named(f.message)) for f in error.faults]
        raise RulesetError(explained(faults, own)) from None


def _checked(own: Files, core: Files, memory: BuildCache | None) -> CheckedRuleset:
    every = geometry.FUNCTIONS | measuring.TABLE_FUNCTIONS | graphs.GRAPH_FUNCTIONS
    functions = {(name, int(arity)) for name, arity in (f.split("/") for f in every)}
    rules = GateRules(
        engine=ENGINE,
        inputs=INPUTS,
        contract=CONTRACT | declarations.SIGNATURES | REMOVED.keys(),
        functions=frozenset(functions),
        keyed=KEYED,
        free=FREE,
    )
    core_files = [
        (label, data) for label, data in core if "/show/" not in label.replace(os.sep, "/")
    ]
    shows = {
        Path(label).stem: data.decode() for label, data in core if (label, data) not in core_files
    }
    shown_by = [
        Source(label, data, trusted=True) for label, data in core if (label, data) not in core_files
    ]
    check(shown_by, rules)
    sources = [Source(label, data) for label, data in own]
    sources += [Source(label, data, trusted=True) for label, data in core_files]
    known = memory.known(sources) if memory else {}
    files = gated(sources, rules, known)
    statements = tuple(chain.from_iterable(file.statements for file in files))
    statements = told_apart(statements, own_words(statements, rules))
    stated = list(zip(statements, fact_symbols(statements), strict=True))
    faults = [
        Fault(wrong, statement.place)
        for statement, row in stated
        if not statement.trusted
        for wrong in filter(None, map(misshapen, row or ()))
    ]
    faults += [*miscounted(statements), *removed(statements)]
    if faults:
        raise RulesetError(faults[:MAX_FAULTS])
    rows: dict[Signature, list[tuple[Symbol, ...]]] = defaultdict(list)
    for symbol in (symbol for _, row in stated for symbol in row or ()):
        rows[symbol.name, len(symbol.arguments)].append(tuple(symbol.arguments))
    if len(rows[("ruleset", 3)]) != 1:
        raise RulesetError(Fault('a ruleset needs one fact ruleset(name, "version", "title").'))
    header = rows[("ruleset", 3)][0]
    try:
        built = declarations.build(rows, header[0].name)
    except (AttributeError, RuntimeError, IndexError, ValueError) as error:
        raise RulesetError(Fault(f"cannot read the vocabulary: {error}")) from None
    ranges = _ranges(built, statements)
    further = list(derived(statements, INPUTS, declarations.tables(rows), ranges))
    if further:
        for symbol in further:
            row = rows[symbol.name, len(symbol.arguments)]
            if tuple(symbol.arguments) not in row:
                row.append(tuple(symbol.arguments))
        built = declarations.build(rows, header[0].name)
    compared = comparing(statements, rows)
    constants = any(statement.kind == "const" for statement in statements)
    if memory and known and (constants or not memory.stands(compared)):
        return _checked(own, core, BuildCache(memory.path))
    right = {source.name for source in known}
    faults = [
        *misfits(stated, built),
        *misnamed(stated, options_of(rows)),
        *slips(statements, built, rows, compared, right),
        *mistaken(statements),
    ]
    faults.sort(key=order)
    faults = faults or [*misshown(statements, built), *untried(statements, built)]
    if faults:
        raise RulesetError(faults[:MAX_FAULTS])
    if memory and not constants:
        memory.keep(dict(zip(sources, files, strict=True)), compared)
    generated = _generated(built, statements)
    generated_source = Source(GENERATED, "\n".join(generated).encode(), trusted=True)
    everything: Sequence[CheckedStatement] = [
        *statements,
        *check(
            [generated_source],
            GateRules(ENGINE, INPUTS, CONTRACT | declarations.SIGNATURES, frozenset(), KEYED),
        ),
    ]
    return CheckedRuleset(stated, tuple(everything), rows, built, shows)


def compiled(own: Files, core: Files, memory: BuildCache | None = None) -> Sections:
    """Check all files, and shape what each verb needs of them; see `checked`."""
    found = checked(own, core, memory)
    everything, rows, shows = found.everything, found.rows, found.shows
    catalogued = [
        s.kind in ("fact", "facts") and {name for name, _ in s.heads} <= CATALOGUE
        for s in everything
    ]
    kept = [number for number, left_out in enumerate(catalogued) if not left_out]
    doing = {n for n, s in enumerate(everything) if s.heads == {("does", 3)}}
    stated = [statement for statement, _ in found.stated]
    needs_proposals = any(("permitted", 2) in s.body for s in stated if not s.trusted)
    reading = {n for n, s in enumerate(everything) if ("proposed", 3) in s.body and not s.trusted}
    verbs: dict[str, Any] = {}
    for verb in VERBS.values():
        shown: list[Signature] = [(n, int(a)) for n, a in SHOW.findall(shows[verb.show])]
        wanted: list[Key] = []
        choosers = [name for name, _ in shown if name in ("weighs", "accounts")]
        for name, arity in shown:
            if name in ("entry", "total", "never") and choosers:
                wanted += [(name, arity, f) for c in choosers for f in functors(everything, c)]
            else:
                wanted.append((name, arity, None))
        usable = [number for number in kept if verb.branching or number not in doing]
        rows_of = [everything[number] for number in usable]
        left_out = () if needs_proposals else verb.left_out
        parts = [usable[n] for n in cut(rows_of, wanted, left_out)]
        if left_out and reading.intersection(parts):
            parts = [usable[n] for n in cut(rows_of, wanted)]
        verbs[verb.name] = {"parts": parts, "shown": shown}
    checking = verbs["check"]
    for name in ASKED_FIRST:
        parts = sorted({*verbs[name]["parts"], *checking["parts"]})
        shown = [*verbs[name]["shown"], *checking["shown"]]
        verbs[name + CHECKED] = {"parts": parts, "shown": shown}
    whole = [n for n in range(len(everything)) if n not in doing]
    verbs["whole"] = {"parts": whole, "shown": []}
    files = {label: number for number, (label, _) in enumerate((*own, *core))}
    written = [
        (files.get(s.place.file), s.place.line, s.place.column, s.kind, s.trusted)
        for s in everything
    ]
    doubted = sorted(
        (*doubts((*stated, *everything[len(stated) :]), rows), *unnamed(stated)), key=order
    )
    base = {
        "vocabulary": declarations.texts(rows),
        "catalogue": _catalogue(rows),
        "veiled": veiled(found.everything, found.vocabulary),
        "doubts": [as_named(str(fault)) for fault in doubted[:MAX_FAULTS]],
    }
    return {BASE: base, **stored(everything, verbs, written)}


def _generated(built: Vocabulary, statements: Sequence[CheckedStatement]) -> list[str]:
    """The rules that the vocabulary calls for: actors, totals, members of ranges and unions."""
    lines = []
    denied = functors(statements, "never")
    given = {name for s in statements if not s.trusted for name, _ in s.heads}
    requiring = [name for name in ("required", "required_one") if name in given]
    for action in built.actions.values():
        names = [f"X{i}" for i in range(len(action.sorts))]
        term = f"{action.name}({', '.join(names)})" if names else action.name
        if names:
            lines.append(f"actor({term}, X0) :- considered({term}, _).")
            lines += [f"actor({term}, X0) :- {name}({term}, _, _)." for name in requiring]
    for figure in built.figures.values():
        names = [f"X{i}" for i in range(len(figure.sorts))]
        term = f"{figure.name}({', '.join(names)})" if names else figure.name
        unless = f"not never({term}, S, _), " if figure.name in denied else ""
        lines.append(
            f"total({term}, N, S) :- entry({term}, _, _, S, _), {unless}"
            f"N = #sum {{ A, I, R : entry({term}, I, A, S, R) }}."
        )
    return [*lines, *_ranges(built, statements)]


def _ranges(built: Vocabulary, statements: Sequence[CheckedStatement]) -> Iterator[str]:
    """The members of those ranges that rules speak of."""
    for name in sorted({name for s in statements for name in MEMBER.findall(s.text)}):
        sort = built.sorts.get(name)
        if sort and sort.kind == "range":
            yield f"member({name}, {sort.low}..{sort.high})."


def _catalogue(rows: Mapping[Signature, list[tuple[Symbol, ...]]]) -> dict[str, Any]:
    def texts(name: str) -> dict[str, str]:
        return {text_of(key): text_of(value) for key, value in rows.get((name, 2), [])}

    titles, says, statuses, documents = (
        texts("title"),
        texts("says"),
        texts("status"),
        texts("document"),
    )
    waived, asks, defaults, because = (
        texts("waived"),
        texts("asks"),
        texts("default"),
        texts("because"),
    )
    sources: dict[str, list[tuple[str, str, str]]] = defaultdict(list)
    for rule, document, section in rows.get(("source", 3), []):
        name = text_of(document)
        sources[text_of(rule)].append((name, documents.get(name, name), text_of(section)))
    raised: dict[str, list[str]] = defaultdict(list)
    raising: dict[str, list[str]] = defaultdict(list)
    for rule, question in rows.get(("raises", 2), []):
        raised[text_of(rule)].append(text_of(question))
        raising[text_of(question)].append(text_of(rule))
    refusals: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for rule, action, text in rows.get(("because", 3), []):
        refusals[text_of(rule)].append((text_of(action), text_of(text)))
    meanings = {(text_of(q), text_of(o)): text_of(m) for q, o, m in rows.get(("means", 3), [])}
    options: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for question, option in rows.get(("option", 2), []):
        pair = (text_of(question), text_of(option))
        options[pair[0]].append((pair[1], meanings.get(pair, "")))
    rules = [
        Rule(
            id=name,
            title=titles.get(name, ""),
            says=says.get(name, ""),
            sources=tuple(sources[name]),
            status=statuses.get(name, ""),
            questions=tuple(raised[name]),
            waived=waived.get(name, ""),
            refusals=tuple(refusals[name]),
        )._asdict()
        for name in sorted(text_of(row[0]) for row in rows.get(("rule", 1), []))
    ]
    questions = [
        Question(
            id=name,
            asks=asks.get(name, ""),
            options=tuple(options[name]),
            default=defaults.get(name, ""),
            because=because.get(name, ""),
            rules=tuple(raising[name]),
        )._asdict()
        for name in sorted(text_of(row[0]) for row in rows.get(("question", 1), []))
    ]
    return {"rules": rules, "questions": questions, "statuses": statuses}
