"""The vocabulary that the facts of a ruleset declare, and the errors in them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping

from clingo import Function, Number, Symbol, SymbolType

from pymorph.asp.facts import Signature, parse_signatures
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
    tuple_of,
)
from pymorph.terms import text_of

FactRows = Mapping[Signature, list[tuple[Symbol, ...]]]
# The predicates of a vocabulary.
SIGNATURES: frozenset[Signature] = parse_signatures(
    """
    ruleset/3 sort/2 member/2 heading/2 elided/2 event/2 fluent/4 written/2 action/2 open/1
    figure/5 finding/2 symbol/2 join_symbol/2 surface/1 lattice/1 named/2 usual/2 table/2
    extent/2 backstage/1 told/1 trifling/1 unit/3 policy_fluent/1 sight_finding/2
    cover_finding/2 template/2 point_fluent/1 ruler/2 table_unit/1 terrain_label/1
    in_order/1 contract/1 clock/1 described/3 glyph/2 colour/2 located/3
    """
)

# Those that name a fluent of one argument.
OF_ONE = ("policy_fluent", "point_fluent", "in_order")


def by_signature(symbols: Iterable[Symbol]) -> dict[Signature, list[tuple[Symbol, ...]]]:
    """The arguments of facts, by name and number of arguments."""
    rows: dict[Signature, list[tuple[Symbol, ...]]] = defaultdict(list)
    for symbol in symbols:
        arguments = tuple(symbol.arguments)
        rows[symbol.name, len(arguments)].append(arguments)
    return rows


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
    """The vocabulary that *facts* declare. Raises: RulesetError, with every error in them."""
    members = defaultdict(list)
    for sort, member in facts.get(("member", 2), []):
        members[sort.name].append(member)
    kinds = _by_name(facts, "sort")
    marks = [_unary(facts, mark) for mark in ("open", "told", "trifling")]
    fluents = dict(_fluents(facts))
    lattices = _unary(facts, "lattice") or ["squares"]
    named = {text_of(card): title.string for card, title in facts.get(("named", 2), [])}
    extents = facts.get(("extent", 2), [])
    included: dict[str, tuple[Symbol, ...]] = defaultdict(tuple)
    for sort, member in extents:
        included[sort.name] += (member,) if member.type != SymbolType.Number else ()
    words = Vocabulary(
        sorts={sort: _sort(sort, kind, members[sort], facts) for sort, kind in kinds.items()},
        fluents=fluents,
        actions={
            key: Declared(key, action.sorts, "", 0, 0, *(key in names for names in marks))
            for key, action in _declared(facts, "action").items()
        },
        figures={
            figure.name: Declared(
                figure.name, _names(tuple_of(sorts)), unit.name, low.number, high.number
            )
            for figure, sorts, unit, low, high in facts.get(("figure", 5), [])
        },
        findings=_declared(facts, "finding"),
        templates=_declared(facts, "template"),
        headings={sort: key.name for sort, key in _by_name(facts, "heading").items()},
        elided=_by_name(facts, "elided"),
        symbols=_labels(facts, "symbol"),
        join_symbols=_labels(facts, "join_symbol"),
        surface=next((text.string for (text,) in facts.get(("surface", 1), [])), ""),
        boards=tuple(key for kind, key in BOARDS.items() if kind in lattices),
        titles={name: title for name, title in named.items() if not PART.search(title)},
        phrases={name: title for name, title in named.items() if PART.search(title)},
        descriptions={(k.name, of.name): t.string for k, of, t in facts.get(("described", 3), [])},
        glyphs={text_of(what): sign.string for what, sign in facts.get(("glyph", 2), [])},
        colours={text_of(what): colour.string for what, colour in facts.get(("colour", 2), [])},
        located={
            text_of(place): (x.number, y.number) for place, x, y in facts.get(("located", 3), [])
        },
        events={name.name: rank.number for rank, name in facts.get(("event", 2), [])},
        usual=_by_name(facts, "usual"),
        extent={s.name: n.number for s, n in extents if n.type == SymbolType.Number},
        always_included={sort: some for sort, some in included.items() if some},
        tables={table: of.sorts for table, of in _declared(facts, "table").items()},
        policy_fluent=_first(facts, "policy_fluent"),
        point_fluent=_first(facts, "point_fluent"),
        in_order={
            fluents[fluent].sorts[0]: fluent
            for fluent in _unary(facts, "in_order")
            if _arity(fluent, fluents)
        },
        clocks=frozenset(_unary(facts, "clock")),
        rulers=_rulers(facts),
        ground=tuple(sorted(_unary(facts, "terrain_label"))),
        sight=_line(facts, "sight_finding"),
        cover=_line(facts, "cover_finding"),
        units={part.name: (n.number, unit.name) for part, n, unit in facts.get(("unit", 3), [])},
    )
    if faults := [Fault(f"{name}: {error}") for error in _errors(words, facts)]:
        raise RulesetError(faults)
    return words


def _fluents(facts: FactRows) -> Iterator[tuple[str, Fluent]]:
    """The fluents by name, each with the keys under which a file has it."""
    headings, paths = _by_name(facts, "heading"), _by_name(facts, "written")
    backstage = _unary(facts, "backstage")
    for fluent, arguments, value, default in facts.get(("fluent", 4), []):
        names, key = _names(tuple_of(arguments)), fluent.name
        path: tuple[str | int, ...] = (key, *range(len(names)))
        if key in paths:
            path = tuple(map(_step, tuple_of(paths[key])))
        elif names and names[0] in headings:
            path = (headings[names[0]].name, 0, key, *range(1, len(names)))
        yield key, Fluent(key, names, value.name, default, path, key in backstage)


def _labels(facts: FactRows, predicate: str) -> dict[str, str]:
    """The labels of the signs in a drawing."""
    return {mark.string: label.name for mark, label in facts.get((predicate, 2), [])}


def _first(facts: FactRows, predicate: str) -> str:
    return next(iter(_unary(facts, predicate)), "")


def _by_name(facts: FactRows, predicate: str) -> dict[str, Symbol]:
    """The second arguments of the facts of a predicate, by the names that are their first."""
    return {first.name: second for first, second in facts.get((predicate, 2), [])}


def _unary(facts: FactRows, predicate: str) -> list[str]:
    """The names of which a predicate of one argument is stated."""
    return [argument.name for (argument,) in facts.get((predicate, 1), [])]


def _declared(facts: FactRows, predicate: str) -> dict[str, Declared]:
    """What a predicate declares by a name and the sorts of its arguments."""
    return {
        name: Declared(name, _names(tuple_of(arguments)))
        for name, arguments in _by_name(facts, predicate).items()
    }


def _line(facts: FactRows, kind: str) -> tuple[str, str]:
    """The finding of the line between two, and its word where nothing is in that line."""
    lines = facts.get((kind, 2), [])
    return next(((finding.name, word.name) for finding, word in lines), ("", ""))


def _errors(words: Vocabulary, facts: FactRows) -> Iterator[str]:
    """What is wrong with the declarations."""
    sorts, fluents = words.sorts, words.fluents
    for user, names in _users(words, facts):
        for sort in names:
            if sort not in sorts:
                yield f"{user} uses an unknown sort {sort!r}{nearest(sort, sorts)}"
    for kind in sorts.values():
        if kind.kind == "file" and kind.name not in words.headings:
            yield f"the sort {kind.name} is listed in files, but has no heading"
    yield from _ruler_errors(words, facts)
    for lattice in _unary(facts, "lattice"):
        if lattice not in BOARDS:
            yield f"unknown lattice {lattice!r}{nearest(lattice, BOARDS)}"
    yield from _path_errors(fluents.values(), words.reserved())
    for predicate in OF_ONE:
        for fluent in _unary(facts, predicate):
            if _arity(fluent, fluents) != 1:
                yield f"{predicate}({fluent}) needs a fluent with one argument"
    for fluent in _unary(facts, "in_order"):
        if fluent in fluents and not _counts(fluents[fluent], sorts):
            yield f"in_order({fluent}) needs whole numbers that start with its default"
    for fluent in _unary(facts, "clock"):
        if fluent not in fluents:
            yield f"clock names an unknown fluent {fluent!r}{nearest(fluent, fluents)}"
    for predicate in ("sight_finding", "cover_finding"):
        findings = [finding.name for finding, _ in facts.get((predicate, 2), [])]
        for finding in findings:
            if _arity(finding, words.findings) != 2:
                hint = nearest(finding, words.findings)
                yield f"{predicate}({finding}, ...) needs a finding with two arguments{hint}"
        if len(findings) > 1:
            yield f"{predicate} is stated more than once"
    for kind in sorts.values():
        if _contains_itself(kind, sorts):
            yield f"the union {kind.name} contains itself"
    lists = {kind.name for kind in sorts.values() if kind.of}
    for kind in sorts.values():
        if kind.of in lists or (
            kind.kind == "union" and not lists.isdisjoint(_names(kind.members))
        ):
            yield f"the sort {kind.name} contains lists; only an argument or a value can be one"


def _users(words: Vocabulary, facts: FactRows) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The declarations, each with the sorts that it names."""
    sorts = words.sorts.values()
    yield from ((f"template {t.name}", t.sorts) for t in words.templates.values())
    yield from ((f"fluent {f.name}", (*f.sorts, f.value)) for f in words.fluents.values())
    yield from ((f"action {a.name}", a.sorts) for a in words.actions.values())
    for table, arguments in facts.get(("table", 2), []):
        yield f"table {table.name}", _names(tuple_of(arguments))
    for figure in (*words.figures.values(), *words.findings.values()):
        yield f"figure {figure.name}", figure.sorts
    yield from ((f"sort {s.name}", _names(s.members)) for s in sorts if s.kind == "union")
    yield from ((f"sort {s.name}", (s.of,)) for s in sorts if s.of)


def _arity(name: str, declared: Mapping[str, Declared | Fluent]) -> int:
    """The number of arguments of what has a *name*; 0, if nothing has."""
    return len(declared[name].sorts) if name in declared else 0


def _counts(fluent: Fluent, sorts: Mapping[str, Sort]) -> bool:
    """Does a fluent have whole numbers as values, of which its default is the first?"""
    value = sorts.get(fluent.value)
    return value is not None and value.kind == "range" and fluent.default == Number(value.low)


def _names(symbols: Iterable[Symbol]) -> tuple[str, ...]:
    return tuple(symbol.name for symbol in symbols)


def _contains_itself(sort: Sort, sorts: Mapping[str, Sort]) -> bool:
    """Does a union lead back to itself?"""
    seen: set[str] = set()
    agenda = [sort.name]
    while agenda:
        current = sorts.get(agenda.pop())
        members = current.members if current and current.kind == "union" else ()
        parts = set(_names(members)) - seen
        if sort.name in parts:
            return True
        seen |= parts
        agenda += parts
    return False


def _rulers(facts: FactRows) -> Rulers:
    """The units of tables; that of files is the first one by name."""
    units = {unit: number.number for unit, number in _by_name(facts, "ruler").items()}
    usual = sorted(_unary(facts, "table_unit"))
    signs = {card.name: title.string for card, title in facts.get(("named", 2), [])
             if card.type == SymbolType.Function and card.name in units}  # fmt: skip
    return Rulers(units, usual[0] if usual else "", signs)


def _ruler_errors(words: Vocabulary, facts: FactRows) -> Iterator[str]:
    """What is wrong with the units of tables."""
    units = words.rulers.units
    for unit in units:
        if units[unit] < 1:
            yield f"the ruler {unit} must have at least one whole unit"
    usual = set(_unary(facts, "table_unit"))
    if units and (len(usual) != 1 or not usual <= units.keys()):
        yield "table_unit(Unit) must name one ruler, the unit of files"
    measured = next((sort.name for sort in words.sorts.values() if sort.kind in MEASURED), "")
    if measured and not units:
        yield f"the sort {measured} is measured, but there is no ruler(Unit, N)"


def _path_errors(fluents: Iterable[Fluent], reserved: Container[str]) -> Iterator[str]:
    """What is wrong with the keys under which a file has the fluents."""
    names: dict[tuple[str, ...], str] = {}
    for fluent in fluents:
        arguments = [step for step in fluent.path if isinstance(step, int)]
        if not fluent.path or sorted(arguments) != list(range(len(fluent.sorts))):
            yield f"the keys of fluent {fluent.name} must name each argument once, as by(1)"
        elif fluent.path[0] in reserved:
            yield f"fluent {fluent.name} cannot have {fluent.path[0]!r}, a key of every file"
        elif fluent.path[0] == RECORDED:
            yield f"fluent {fluent.name} cannot have {RECORDED!r}, a key of every record"
        else:
            path = tuple("*" if isinstance(step, int) else step for step in fluent.path)
            if path in names:
                yield f"fluents {names[path]} and {fluent.name} have the same keys"
            names.setdefault(path, fluent.name)
    for path, name in names.items():
        for size in range(1, len(path)):
            if path[:size] in names:
                yield f"the keys of fluent {name} lead below the value of {names[path[:size]]}"


def _step(part: Symbol) -> str | int:
    """A step of a path: a key, or by(I), the argument I counted from 1."""
    return part.arguments[0].number - 1 if part.arguments else part.name


def _sort(name: str, kind: Symbol, listed: Iterable[Symbol], facts: FactRows) -> Sort:
    if kind.name == "range":
        low, high = kind.arguments
        return Sort(name, "range", low=low.number, high=high.number)
    if kind.name == "union":
        return Sort(name, "union", tuple_of(kind.arguments[0]))
    if kind.name == "list":
        of, most = kind.arguments
        return Sort(name, "list", high=most.number, of=of.name)
    members = tuple(listed)
    if kind.name == "from":
        table = kind.arguments[0].name
        firsts = (row[0] for (label, _), rows in facts.items() if label == table for row in rows)
        members = tuple(dict.fromkeys(firsts))
        return Sort(name, "listed", members, frozenset(members), from_facts=True)
    return Sort(name, kind.name, members, frozenset(members))
