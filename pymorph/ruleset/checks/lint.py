"""Errors in the rules of a ruleset that would make them useless, or endless.

Each statement has passed the gate; here it is compared with the vocabulary and the catalogue: are
actions, fluents and figures declared, is what is cited a rule, can a fluent have that value?
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from itertools import chain, product
from pathlib import PurePath

from clingo import Symbol, SymbolType
from clingo.ast import AST, ASTType, ComparisonOperator

from pymorph.asp.facts import Signature, parse_signatures
from pymorph.asp.guard import words_in
from pymorph.asp.statements import CheckedStatement, plain, same_name
from pymorph.asp.syntax_trees import (
    Atom,
    alternatives,
    calls_in,
    named,
    parts_of,
    positive,
    signatures,
    value_of,
    variables,
)
from pymorph.board.lengths import measuring
from pymorph.board.lengths.length_units import point_of
from pymorph.errors import Fault, Place, clipped, nearest
from pymorph.ruleset.checks.calls import unanswerable
from pymorph.ruleset.checks.readings import Compared, miscompared, misnamed, misread, options_of
from pymorph.ruleset.contract import CONTRACT, ENGINE, INPUTS, ROLES, places_of
from pymorph.ruleset.declarations import SIGNATURES, FactRows, tables, texts
from pymorph.ruleset.vocabulary import (
    DESCRIBED,
    GIVEN,
    HIDDEN,
    PAIRS,
    Declared,
    Fluent,
    Vocabulary,
    tuple_of,
)
from pymorph.terms import items_of, text_of

UNTOLD = "none"
LOOKS = parse_signatures("glyph/2 colour/2 located/3")
ALIKE = 0.85  # similarity of two names of which one may be a misspelling of the other
OF_TABLES = frozenset(name.partition("/")[0] for name in measuring.TABLE_FUNCTIONS)

DECLARED = frozenset({"action", "fluent", "figure", "event"})  # roles
# The arguments of shared predicates that are actions, fluents, figures and events.
SPOTS: Mapping[Signature, Sequence[tuple[str, int]]] = {
    word: [(role, n) for n, role in enumerate(roles) if role in DECLARED]
    for word, roles in ROLES.items()
    if not DECLARED.isdisjoint(roles)
}
VALUED = places_of("value")
NUMBERS: Mapping[Signature, Sequence[int]] = {
    word: [n for n, role in enumerate(roles) if role == "number"] for word, roles in ROLES.items()
}
ADDS: Signature = ("adds", 5)
NUMBERED = ("range", "union")  # kinds of sorts that can have numbers
CITING = frozenset(places_of("rule"))
SPOKEN = CITING.union(s for s, spots in SPOTS.items() if ("event", 0) not in spots)


def comparing(statements: Sequence[CheckedStatement], rows: FactRows) -> frozenset[str]:
    """All that statements are compared with; more of it makes no right statement wrong.

    The facts of the vocabulary, the rules of the catalogue with the options of its questions, and
    words that something defines. If no event is declared, every event may happen.
    """
    undeclared = () if rows.get(("event", 2)) else ("no event is declared",)
    asked = (f"option {o} of {q}" for q, options in options_of(rows).items() for o in options)
    rules = (f"rule {text_of(row[0])}" for row in rows.get(("rule", 1), ()))
    untabled = (f"untabled {name}" for name, _ in rows.keys() - _tabled(rows))
    return frozenset(
        (*texts(rows), *rules, *asked, *untabled, *undeclared, *_known(statements, rows))
    )


def _tabled(rows: FactRows) -> frozenset[Signature]:
    """The predicates whose facts are declared."""
    return frozenset(
        (table.name, len(tuple_of(sorts))) for table, sorts in rows.get(("table", 2), ())
    )


def errors(
    stated: Sequence[tuple[CheckedStatement, list[Symbol] | None]],
    words: Vocabulary,
    rows: FactRows,
    known: frozenset[str],
    right: Collection[str] = (),
) -> Iterator[Fault]:
    """The errors in the facts and rules of a ruleset, each with the place of its statement.

    The words that something defines are among those *known*; see `comparing`. Rules in files that
    are *right* are not checked again.
    """
    unread = _unread([statement for statement, _ in stated], rows)
    yield from (fault for _, fault, misspelt in unread if misspelt)
    catalogue = {text_of(row[0]) for row in rows.get(("rule", 1), ())}
    compared = Compared(words, rows, catalogue, options_of(rows), known)
    for statement, symbols in stated:
        for symbol, wrong_with in product(symbols or (), OF_FACTS):
            yield from (Fault(error, statement.place) for error in wrong_with(symbol, compared))
        unchecked = statement.trusted or statement.place.file in right
        if unchecked or statement.kind not in ("rule", "fact", "facts"):
            continue
        calls = list(calls_in(statement.tree)) if "@" in statement.text else []
        for error in (*_without_board(calls, words), *unanswerable(calls)):
            yield Fault(error, statement.place)
        if statement.kind == "rule" or statement.heads & SPOKEN:
            for error in _errors(statement, compared):
                yield Fault(error, statement.place)


def _errors(statement: CheckedStatement, compared: Compared) -> Iterator[str]:
    """The errors in a statement, once each."""
    heads, _, body = statement.atoms
    messages = dict.fromkeys(
        message
        for atom in (*heads, *body)
        for wrong_with in OF_ATOMS
        for message in wrong_with(atom, compared)
    )
    for wrong_with_rule in OF_RULES:
        messages |= dict.fromkeys(wrong_with_rule(statement, compared))
    yield from messages
    if compared.known.issuperset(words_in(statement.text)):
        return
    words = dict.fromkeys(
        word for *_, arguments in (*heads, *body) for term in arguments for word in _constants(term)
    )
    unknown = [word for word in words if word not in compared.known]
    capitals = set(variables(statement.tree)) if unknown else ()
    for word in unknown:
        like_a_variable = len(word) == 1 or word[:1].upper() + word[1:] in capitals
        if like_a_variable and not any(clipped(word) in text for text in messages):
            yield f"{clipped(word)} starts with a small letter, but nothing else uses it"


def _wrong_fact(symbol: Symbol, compared: Compared) -> Iterator[str]:
    """The arguments in a fact of a declared table that are not of their sort."""
    words, arguments = compared.words, symbol.arguments
    sorts = words.tables.get(symbol.name, ())
    if len(sorts) == len(arguments):
        for error in filter(None, map(words.stranger, arguments, sorts)):
            yield f"in {clipped(text_of(symbol), 80)} {error}"


def _misdescribed(symbol: Symbol, compared: Compared) -> Iterator[str]:
    """The unknown name that a description is of."""
    if symbol.match("described", 3):
        kind, name = (argument.name for argument in symbol.arguments[:2])
        if kind not in DESCRIBED:
            yield f"in described/3 unknown kind {clipped(kind)}{nearest(kind, DESCRIBED)}"
        elif name not in (known := getattr(compared.words, f"{kind}s")):
            yield f"in described/3 unknown {kind} {clipped(name)}{nearest(name, known)}"


def _mislooking(symbol: Symbol, compared: Compared) -> Iterator[str]:
    """The unknown names of which a sign, a colour or a place on a map is declared."""
    signature = symbol.name, len(symbol.arguments)
    for name in words_in(text_of(symbol.arguments[0])) if signature in LOOKS else ():
        if name not in compared.known:
            hint = nearest(name, _drawable(compared.words))
            yield f"in {plain(signature)} unknown name {clipped(name)}{hint}"


def _drawable(words: Vocabulary) -> list[str]:
    """What a picture can show, by name: members of sorts, grounds and walls."""
    members = (text_of(member) for sort in words.sorts.values() for member in sort.members)
    return [*members, *words.symbols.values(), *words.join_symbols.values(), *words.ground]


def warnings(statements: Sequence[CheckedStatement], rows: FactRows) -> Iterator[Fault]:
    """Possible errors: predicates that nothing reads, and facts that nothing checks."""
    unread: dict[Signature, Fault] = {}
    for signature, fault, misspelt in _unread(statements, rows):
        if not misspelt:
            unread.setdefault(signature, fault)
    yield from unread.values()
    for statement in statements:
        if ("accepted", 5) in statement.heads and "accepted(asymmetry," in statement.text:
            says = "accepted(asymmetry, ...) is no longer needed; remove it"
            yield Fault(says, statement.place)
    judged = {s.place.file for s in statements if ("violated", 4) in s.heads}
    known = _tabled(rows) | CONTRACT | SIGNATURES | {(name, 1) for name in tables(rows)}
    known = known.union(*(s.body for s in statements if s.place.file in judged))
    read = {signature for statement in statements for signature in statement.body}
    loose: dict[Signature, Place] = {}
    for statement in statements:
        own = not statement.trusted and statement.kind != "rule" and _of_rules(statement)
        for signature in sorted(statement.heads & read - known) if own else ():
            loose.setdefault(signature, statement.place)
    if loose:
        names = ", ".join(map(plain, loose))
        says = f"nothing checks these facts: {names}; declare each with table(Predicate, Sorts)"
        yield Fault(says, next(iter(loose.values())))


def _of_rules(statement: CheckedStatement) -> bool:
    """Is it in the folder of a ruleset's facts, not of its encodings?"""
    parts = PurePath(statement.place.file).parts
    folders = [part for part in parts if part in ("rules", "encodings")]
    return folders[-1:] == ["rules"]


def _unread(
    statements: Sequence[CheckedStatement], rows: FactRows
) -> Iterator[tuple[Signature, Fault, bool]]:
    """Predicates that nothing reads; each with whether its name is almost one that is read."""
    read = {signature for statement in statements for signature in statement.body}
    tabled, declared, shared = tables(rows), _tabled(rows), CONTRACT | SIGNATURES
    for statement in statements:
        for signature in sorted(statement.heads - read) if not statement.trusted else ():
            name, arity = signature
            if signature in shared or signature in declared or name in tabled:
                continue
            fact = statement.kind != "rule"
            among = (shared | declared | read) - ENGINE - INPUTS if fact else shared
            hint = (
                f"; there is {others}" if fact and (others := same_name(signature, among)) else ""
            )
            names = sorted({n for n, size in among if size == arity or fact})
            for close in () if hint else get_close_matches(name, names, n=1, cutoff=ALIKE):
                hint = f"; did you mean {close!r}?"
            says = f"nothing reads {plain(signature)}{hint}"
            yield signature, Fault(says, statement.place), bool(hint)


def _undeclared(atom: Atom, compared: Compared) -> Iterator[str]:
    """Actions, fluents, figures and events that the vocabulary does not declare."""
    name, arity, arguments = atom
    words = compared.words
    for kind, index in SPOTS.get((name, arity), ()):
        if kind == "event" and not words.events:
            continue
        for term in alternatives(arguments[index]):
            value = value_of(term)
            if value is not None and value.type == SymbolType.String:
                a_kind = f"an {kind}" if kind[0] in "aeiou" else f"a {kind}"
                yield f"{clipped(value.string)} is a text in quotes; {a_kind} is a plain term"
            elif (form := named(term)) and kind != "event":
                yield from _undeclared_term(kind, *form, getattr(words, f"{kind}s"), compared.rows)
            elif form and form[0] not in words.events:
                yield _undeclared_event(form[0], words.events)


def _undeclared_event(name: str, declared: Mapping[str, int]) -> str:
    """What is wrong with an event, in a game that declares others."""
    hint = nearest(name, declared)
    so = " If" if hint.endswith("?") else "; if"
    new = f"event({max(declared.values()) + 1}, {name})"
    return f"unknown event {clipped(name)}{hint}{so} it is new, declare {new}"


def _undeclared_term(
    kind: str, name: str, arity: int, declared: Mapping[str, Declared | Fluent], rows: FactRows
) -> Iterator[str]:
    if name not in declared:
        yield f"unknown {kind} {clipped(name)}{nearest(name, declared)}"
    elif len(sorts := declared[name].sorts) != arity:
        facts = [fact for (of, _), some in rows.items() if of == kind for fact in some]
        sizes = {len(tuple_of(fact[1])) for fact in facts if text_of(fact[0]) == name}
        form = f"{name}({', '.join(sorts)})" if sorts else name
        if arity not in sizes:
            yield f"unknown {kind} '{name}/{arity}'; there is {form}"


def _misvalued(atom: Atom, compared: Compared) -> Iterator[str]:
    """Values that a fluent cannot have."""
    name, arity, arguments = atom
    words = compared.words
    asked = (name, arity) in VALUED or (name, arity) == ADDS
    forms = map(named, alternatives(arguments[0])) if asked else ()
    for fluent in (words.fluents[form[0]] for form in forms if form and form[0] in words.fluents):
        if (name, arity) == ADDS:
            sort = words.sorts[fluent.value]
            if sort.kind not in NUMBERED:
                what = f"adds/5 takes a fluent with numbers, but the values of {fluent.name} are in"
                yield f"{what} the sort {sort}; write sets/4"
            continue
        for value in filter(None, map(value_of, alternatives(arguments[1]))):
            plain = value == fluent.default and value != GIVEN
            if plain or text_of(value) == UNTOLD or value == HIDDEN:
                continue
            if not _may_be(value, fluent.value, words):
                text, sort, scene = text_of(value), words.sorts[fluent.value], words.usual_scene()
                if value.type == SymbolType.String:
                    yield f"{clipped(text)} is a text in quotes, not a {sort}"
                else:
                    hint = words.expected(text, fluent.value, scene)
                    yield f"value {clipped(text)} of {fluent.name} is not in the sort {sort}{hint}"


def _unnumbered(atom: Atom, _: Compared) -> Iterator[str]:
    """The constants in the place of numbers."""
    name, arity, arguments = atom
    for index in NUMBERS.get((name, arity), ()):
        for value in filter(None, map(value_of, alternatives(arguments[index]))):
            if value.type != SymbolType.Number:
                yield f"argument {index + 1} of {name}/{arity} is a number, not {value}"


def _mistyped(atom: Atom, compared: Compared) -> Iterator[str]:
    """The arguments of a declared table that are not of their sort."""
    name, arity, arguments = atom
    sorts = compared.words.tables.get(name, ())
    for term, sort in zip(arguments, sorts, strict=True) if len(sorts) == arity else ():
        for value in filter(None, map(value_of, alternatives(term))):
            if wrong := compared.words.stranger(value, sort):
                yield f"in {name}/{arity} {wrong}"


def _without_board(calls: Iterable[AST], words: Vocabulary) -> Iterator[str]:
    """The functions that ask a board, or a table, where the game has none."""
    for name in (call.name for call in calls) if not words.uses_board() else ():
        if not words.uses_table():
            yield f"@{name} needs a board, but this game has none"
        elif name not in OF_TABLES:
            yield f"@{name} needs a drawn board, but this game has none"


def _may_be(value: Symbol, sort: str, words: Vocabulary) -> bool:
    """Can a sort have that member, in some position?"""
    kind = words.sorts[sort]
    if kind.kind == "union":
        return any(_may_be(value, part.name, words) for part in kind.members)
    if kind.kind == "list":
        items = items_of(value)
        return items is not None and all(_may_be(item, kind.of, words) for item in items)
    scene = words.usual_scene()
    if kind.kind in PAIRS:
        return point_of(value) is not None
    if kind.kind in ("file", "terrain") or (kind.kind == "board" and not scene.places):
        return value.type == SymbolType.Function
    return words.belongs(value, sort, scene)


def _uncited(statement: CheckedStatement, compared: Compared) -> Iterator[str]:
    """The arguments for a rule's id that are none."""
    cited = (arguments[-1] for *of, arguments in statement.atoms.heads if tuple(of) in CITING)
    for term in chain.from_iterable(map(alternatives, cited)):
        value, form = value_of(term), named(term)
        if value is not None and value.type == SymbolType.String:
            yield f"{clipped(value.string)} is a text in quotes; write a rule's id without quotes"
        elif form and form[0] not in compared.catalogue:
            yield f"unknown rule {clipped(form[0])}{nearest(form[0], compared.catalogue)}"


# Variables that start small


def _known(statements: Sequence[CheckedStatement], rows: FactRows) -> frozenset[str]:
    """The words that facts and the heads of rules define."""
    known: set[str] = set()
    for (name, arity), arguments in rows.items():
        if (name, arity) in LOOKS:
            continue
        known.add(name)
        known.update(word for row in arguments for symbol in row for word in words_in(str(symbol)))
    for statement in statements:
        known.update(name.removeprefix("-") for name, _ in statement.heads | statement.body)
        if statement.kind == "rule" and not statement.trusted:
            head, _, body = statement.text.partition(":-")
            known.update({*words_in(head)}.difference(words_in(body)))
    return frozenset(known)


def _constants(term: AST) -> Iterator[str]:
    return (form[0] for form in map(named, parts_of(term)) if form and not form[1])


# Rules that count up without end


def _endless(statement: CheckedStatement, _: Compared) -> Iterator[str]:
    """Rules that derive from each of their own atoms another one, without a bound.

    Only the certain ones are reported: an argument grows, and no other condition reads it.
    """
    if statement.heads.isdisjoint(statement.body):
        return
    parts = list(statement.tree.body)
    heads, atoms = statement.atoms[:2]
    given = dict(filter(None, map(_assigned, parts)))
    for name, arity, arguments in heads:
        for own in (atom for atom in atoms if atom[:2] == (name, arity)):
            pairs = [
                (after, before)
                for after, before in zip(arguments, own[2], strict=True)
                if str(after) != str(before)
            ]
            moving = {v for after, before in pairs for v in (*variables(after), *variables(before))}
            moving |= {v for w in moving if w in given for v in variables(given[w])}
            growing = all(_grows(given.get(str(after), after), before) for after, before in pairs)
            others = {
                v
                for part in parts
                if _assigned(part) is None and not _is(part, own)
                for v in variables(part)
            }
            if pairs and growing and not moving & others:
                yield f"{name}/{arity} counts up without end"


def _is(part: AST, atom: Atom) -> bool:
    return positive(part) and any(
        str(one[2]) == str(atom[2]) and one[:2] == atom[:2] for one in signatures(part.atom.symbol)
    )


def _grows(after: AST, before: AST) -> bool:
    """Is a term made of a variable that is the other, and more?"""
    made = after.ast_type == ASTType.BinaryOperation or (
        after.ast_type == ASTType.Function and not after.external and bool(after.arguments)
    )
    return made and before.ast_type == ASTType.Variable and before.name in set(variables(after))


def _assigned(part: AST) -> tuple[str, AST] | None:
    """The variable that a condition of the form ``Y = X + 1`` gives a value, and the value."""
    if part.ast_type != ASTType.Literal or part.atom.ast_type != ASTType.Comparison:
        return None
    guards = part.atom.guards
    if len(guards) != 1 or guards[0].comparison != ComparisonOperator.Equal:
        return None
    left, right = part.atom.term, guards[0].term
    if left.ast_type != ASTType.Variable:
        left, right = right, left
    made = right.ast_type in (ASTType.BinaryOperation, ASTType.Function)
    return (left.name, right) if left.ast_type == ASTType.Variable and made else None


# What can be wrong with a fact, with an atom, and with a rule.
OF_FACTS = (_wrong_fact, _misdescribed, _mislooking, misnamed)
OF_ATOMS = (_undeclared, _misvalued, _mistyped, _unnumbered, misread)
OF_RULES = (_uncited, miscompared, _endless)
