"""What the facts of a ruleset declare, made a vocabulary; what does not fit is told."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping

from clingo import Function, Number, Symbol, SymbolType

from pymorph.board.lengths.length_units import Rulers
from pymorph.errors import Fault, RulesetError, nearest
from pymorph.ruleset.vocabulary import (
    BOARDS,
    MEASURED,
    PART,
    RECORDED,
    Declared,
    Fluent,
    Sort,
    Vocabulary,
    reserved_keys,
    tuple_of,
)
from pymorph.terms import text_of

FactRows = Mapping[tuple[str, int], list[tuple[Symbol, ...]]]
# What a ruleset's vocabulary is written in: name and number of arguments of each predicate.
SIGNATURES = frozenset(
    {
        ("ruleset", 3), ("sort", 2), ("member", 2), ("heading", 2), ("elided", 2), ("event", 2),
        ("fluent", 4), ("written", 2), ("action", 2), ("open", 1), ("figure", 5), ("finding", 2),
        ("symbol", 2), ("join_symbol", 2), ("surface", 1), ("lattice", 1), ("named", 2),
        ("usual", 2), ("table", 2), ("extent", 2), ("backstage", 1), ("told", 1), ("trifling", 1),
        ("unit", 3), ("policy_fluent", 1), ("sight_finding", 2), ("cover_finding", 2),
        ("template", 2), ("point_fluent", 1), ("ruler", 2), ("table_unit", 1), ("terrain_label", 1),
        ("graph", 2), ("in_order", 1), ("contract", 1),
        ("clock", 1),
    }
)  # fmt: skip

# Those that name a fluent of one argument.
OF_ONE = ("policy_fluent", "point_fluent", "in_order")
# What a ruleset may declare of the line between two: whether one sees the other, with what cover.
LINES = ("sight_finding", "cover_finding")


def kept_members(facts: FactRows) -> dict[str, tuple[Symbol, ...]]:
    """The members of sorts that `verify` looks at in any case."""
    found: dict[str, list[Symbol]] = defaultdict(list)
    for name, member in facts.get(("extent", 2), []):
        if member.type != SymbolType.Number:
            found[name.name].append(member)
    return {name: tuple(members) for name, members in found.items()}


def tables(facts: FactRows) -> frozenset[str]:
    """The predicates whose facts make sorts."""
    kinds = (kind for _, kind in facts.get(("sort", 2), ()))
    return frozenset(kind.arguments[0].name for kind in kinds if kind.name == "from")


def texts(facts: FactRows) -> list[str]:
    """Those of some *facts* from which a vocabulary is built, tables that make sorts among them."""
    names = {name for name, _ in SIGNATURES} | tables(facts)
    return [
        str(Function(name, row))
        for (name, _), rows in facts.items()
        for row in rows
        if name in names
    ]


def build(facts: FactRows, name: str) -> Vocabulary:
    """The vocabulary that *facts* declare. Raises: RulesetError naming what does not fit."""
    faults: list[Fault] = []
    listed = defaultdict(list)
    for sort, member in facts.get(("member", 2), []):
        listed[sort.name].append(member)
    sorts: dict[str, Sort] = {}
    for sort, kind in facts.get(("sort", 2), []):
        sorts[sort.name] = _sort(sort.name, kind, listed, facts)
    headings = {sort.name: key.name for sort, key in facts.get(("heading", 2), [])}
    paths = {fluent.name: tuple_of(path) for fluent, path in facts.get(("written", 2), [])}
    backstage = {fluent.name for (fluent,) in facts.get(("backstage", 1), [])}
    fluents: dict[str, Fluent] = {}
    for fluent, arguments, value, default in facts.get(("fluent", 4), []):
        names = tuple(part.name for part in tuple_of(arguments))
        if fluent.name in paths:
            path: tuple[str | int, ...] = tuple(map(_step, paths[fluent.name]))
        elif names and names[0] in headings:
            path = (headings[names[0]], 0, fluent.name, *range(1, len(names)))
        else:
            path = (fluent.name, *range(len(names)))
        hidden = fluent.name in backstage
        fluents[fluent.name] = Fluent(fluent.name, names, value.name, default, path, hidden)
    marks = ("open", "told", "trifling")
    marked = {mark: {action.name for (action,) in facts.get((mark, 1), [])} for mark in marks}
    actions = {
        action.name: Declared(
            action.name,
            tuple(s.name for s in tuple_of(arguments)),
            open=action.name in marked["open"],
            told=action.name in marked["told"],
            trifling=action.name in marked["trifling"],
        )
        for action, arguments in facts.get(("action", 2), [])
    }
    figures = {
        figure.name: Declared(
            figure.name,
            tuple(s.name for s in tuple_of(arguments)),
            unit.name,
            low.number,
            high.number,
        )
        for figure, arguments, unit, low, high in facts.get(("figure", 5), [])
    }
    findings = {
        finding.name: Declared(finding.name, tuple(s.name for s in tuple_of(arguments)))
        for finding, arguments in facts.get(("finding", 2), [])
    }
    templates = {
        template.name: Declared(template.name, tuple(s.name for s in tuple_of(arguments)))
        for template, arguments in facts.get(("template", 2), [])
    }
    used = [
        *((f"template {t.name}", s) for t in templates.values() for s in t.sorts),
        *((f"fluent {f.name}", s) for f in fluents.values() for s in (*f.sorts, f.value)),
        *((f"action {a.name}", s) for a in actions.values() for s in a.sorts),
        *((f"table {t.name}", s.name) for t, a in facts.get(("table", 2), []) for s in tuple_of(a)),
        *(
            (f"figure {f.name}", s)
            for f in (*figures.values(), *findings.values())
            for s in f.sorts
        ),
        *(
            (f"sort {s.name}", p.name)
            for s in sorts.values()
            if s.kind == "union"
            for p in s.members
        ),
        *((f"sort {s.name}", s.of) for s in sorts.values() if s.of),
        *((f"graph {g.name}", s.name) for g, s in facts.get(("graph", 2), [])),
    ]
    for where, sort_name in used:
        if sort_name not in sorts:
            faults.append(
                Fault(
                    f"{name}: {where} uses an unknown sort {sort_name!r}{nearest(sort_name, sorts)}"
                )
            )
    faults += [
        Fault(f"{name}: the sort {kind.name} is listed in files, but has no heading")
        for kind in sorts.values()
        if kind.kind == "file" and kind.name not in headings
    ]
    rulers, amiss = _rulers(facts, sorts)
    faults += [Fault(f"{name}: {what}") for what in amiss]
    kinds = [kind.name for (kind,) in facts.get(("lattice", 1), [])]
    faults += [
        Fault(f"{name}: unknown lattice {kind!r}{nearest(kind, BOARDS)}")
        for kind in kinds
        if kind not in BOARDS
    ]
    boards = tuple(key for kind, key in BOARDS.items() if kind in (kinds or ["squares"]))
    reserved = reserved_keys(boards, bool(rulers.units))
    faults += [Fault(f"{name}: {what}") for what in _ways_amiss(fluents.values(), reserved)]
    faults += [
        Fault(f"{name}: {kind}({fluent.name}) needs a fluent with one argument")
        for kind in OF_ONE
        for (fluent,) in facts.get((kind, 1), [])
        if len(fluents[fluent.name].sorts if fluent.name in fluents else ()) != 1
    ]
    faults += [
        Fault(f"{name}: in_order({fluent.name}) needs whole numbers that start with its default")
        for (fluent,) in facts.get(("in_order", 1), [])
        if fluent.name in fluents and not _counts(fluents[fluent.name], sorts)
    ]
    faults += [
        Fault(
            f"{name}: clock names an unknown fluent {fluent.name!r}{nearest(fluent.name, fluents)}"
        )
        for (fluent,) in facts.get(("clock", 1), [])
        if fluent.name not in fluents
    ]
    lines = {kind: _of_a_line(kind, findings, facts, name, faults) for kind in LINES}
    faults += [
        Fault(f"{name}: the union {kind.name} contains itself")
        for kind in sorts.values()
        if _within_itself(kind, sorts)
    ]
    lists = {kind.name for kind in sorts.values() if kind.of}
    faults += [
        Fault(
            f"{name}: the sort {kind.name} contains lists; only an argument or a value can be one"
        )
        for kind in sorts.values()
        if kind.of in lists or (kind.kind == "union" and not lists.isdisjoint(_names(kind.members)))
    ]
    surfaces = facts.get(("surface", 1), [])
    named = {text_of(card): title.string for card, title in facts.get(("named", 2), [])}
    if faults:
        raise RulesetError(faults)
    return Vocabulary(
        sorts=sorts,
        fluents=fluents,
        actions=actions,
        figures=figures,
        findings=findings,
        templates=templates,
        headings=headings,
        elided={sort.name: member for sort, member in facts.get(("elided", 2), [])},
        symbols={mark.string: label.name for mark, label in facts.get(("symbol", 2), [])},
        join_symbols={mark.string: label.name for mark, label in facts.get(("join_symbol", 2), [])},
        surface=surfaces[0][0].string if surfaces else "",
        boards=boards,
        titles={name: title for name, title in named.items() if not PART.search(title)},
        phrases={name: title for name, title in named.items() if PART.search(title)},
        events={name.name: rank.number for rank, name in facts.get(("event", 2), [])},
        usual={fluent.name: value for fluent, value in facts.get(("usual", 2), [])},
        extent={
            name.name: most.number
            for name, most in facts.get(("extent", 2), [])
            if most.type == SymbolType.Number
        },
        kept=kept_members(facts),
        tables={
            table.name: tuple(s.name for s in tuple_of(arguments))
            for table, arguments in facts.get(("table", 2), [])
        },
        policy_fluent=next((fluent.name for (fluent,) in facts.get(("policy_fluent", 1), [])), ""),
        point_fluent=next((fluent.name for (fluent,) in facts.get(("point_fluent", 1), [])), ""),
        in_order={
            fluents[fluent.name].sorts[0]: fluent.name
            for (fluent,) in facts.get(("in_order", 1), [])
        },
        clocks=frozenset(fluent.name for (fluent,) in facts.get(("clock", 1), [])),
        rulers=rulers,
        ground=tuple(sorted(label.name for (label,) in facts.get(("terrain_label", 1), []))),
        sight=lines["sight_finding"],
        cover=lines["cover_finding"],
        graphs={graph.name: sort.name for graph, sort in facts.get(("graph", 2), [])},
        units={part.name: (n.number, whole.name) for part, n, whole in facts.get(("unit", 3), [])},
    )


def _counts(fluent: Fluent, sorts: Mapping[str, Sort]) -> bool:
    """Does a fluent have whole numbers as values, of which its default is the first?"""
    value = sorts.get(fluent.value)
    return value is not None and value.kind == "range" and fluent.default == Number(value.low)


def _of_a_line(
    kind: str, findings: Mapping[str, Declared], facts: FactRows, name: str, faults: list[Fault]
) -> tuple[str, str]:
    """The finding of a line between two, and its word where nothing is in it; see `LINES`."""
    found = [(finding.name, word.name) for finding, word in facts.get((kind, 2), [])]
    for finding, _ in found:
        if len(findings[finding].sorts if finding in findings else ()) != 2:
            told = f"{kind}({finding}, ...) needs a finding with two arguments"
            faults.append(Fault(f"{name}: {told}{nearest(finding, findings)}"))
    if len(found) > 1:
        faults.append(Fault(f"{name}: {kind} is stated more than once"))
    return found[0] if found else ("", "")


def _names(symbols: Iterable[Symbol]) -> Iterator[str]:
    return (symbol.name for symbol in symbols)


def _within_itself(sort: Sort, sorts: Mapping[str, Sort]) -> bool:
    """Does a union lead back to itself?"""
    seen: set[str] = set()
    agenda = [sort]
    while agenda:
        current = agenda.pop()
        parts = current.members if current.kind == "union" else ()
        for part in parts:
            if part.name == sort.name:
                return True
            if part.name in sorts and part.name not in seen:
                seen.add(part.name)
                agenda.append(sorts[part.name])
    return False


def _rulers(facts: FactRows, sorts: Mapping[str, Sort]) -> tuple[Rulers, list[str]]:
    """The units of tables, and what is amiss with them."""
    units = {unit.name: number.number for unit, number in facts.get(("ruler", 2), [])}
    usual = sorted({unit.name for (unit,) in facts.get(("table_unit", 1), [])})
    signs = {card.name: title.string for card, title in facts.get(("named", 2), [])
             if card.type == SymbolType.Function and card.name in units}  # fmt: skip
    amiss = [
        f"the ruler {unit} must have at least one whole unit" for unit in units if units[unit] < 1
    ]
    if units and (len(usual) != 1 or usual[0] not in units):
        amiss.append("table_unit(Unit) must name one ruler, the unit of files")
    measured = [sort.name for sort in sorts.values() if sort.kind in MEASURED]
    if measured and not units:
        amiss.append(f"the sort {measured[0]} is measured, but there is no ruler(Unit, N)")
    return Rulers(units, usual[0] if usual else "", signs), amiss


def _ways_amiss(fluents: Iterable[Fluent], reserved: Container[str]) -> Iterator[str]:
    """What is wrong with the keys under which a file has the fluents."""
    ways: dict[tuple[str, ...], str] = {}
    for fluent in fluents:
        arguments = [step for step in fluent.path if isinstance(step, int)]
        if not fluent.path or sorted(arguments) != list(range(len(fluent.sorts))):
            yield f"the keys of fluent {fluent.name} must name each argument once, as by(1)"
        elif fluent.path[0] in reserved:
            yield f"fluent {fluent.name} cannot have {fluent.path[0]!r}, a key of every file"
        elif fluent.path[0] == RECORDED:
            yield f"fluent {fluent.name} cannot have {RECORDED!r}, a key of every record"
        else:
            way = tuple("*" if isinstance(step, int) else step for step in fluent.path)
            if way in ways:
                yield f"fluents {ways[way]} and {fluent.name} have the same keys"
            ways.setdefault(way, fluent.name)
    for way, found in ways.items():
        for size in range(1, len(way)):
            if way[:size] in ways:
                yield f"the keys of fluent {found} lead below the value of {ways[way[:size]]}"


def _step(part: Symbol) -> str | int:
    """A step of a path: a key, or by(I), the argument I counted from 1."""
    return part.arguments[0].number - 1 if part.arguments else part.name


def _sort(name: str, kind: Symbol, listed: Mapping[str, list[Symbol]], facts: FactRows) -> Sort:
    if kind.name == "range":
        low, high = kind.arguments
        return Sort(name, "range", low=low.number, high=high.number)
    if kind.name == "from":
        source = kind.arguments[0].name
        found = [row[0] for (label, _), rows in facts.items() if label == source for row in rows]
        members = tuple(dict.fromkeys(found))
        return Sort(name, "listed", members, frozenset(members), from_facts=True)
    if kind.name == "union":
        return Sort(name, "union", tuple_of(kind.arguments[0]))
    if kind.name == "list":
        of, most = kind.arguments
        return Sort(name, "list", high=most.number, of=of.name)
    members = tuple(listed.get(name, ()))
    return Sort(name, kind.name, members, frozenset(members))
