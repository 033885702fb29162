"""What the facts of a vocabulary and a catalogue have to look like, argument by argument."""

from __future__ import annotations

import re
from collections.abc import Callable

from clingo import Symbol, SymbolType

from pymorph.errors import clipped
from pymorph.ruleset.vocabulary import COLOURS, LIMITS, tuple_of
from pymorph.terms import text_of

Test = Callable[[Symbol], bool]


def _is_name(symbol: Symbol) -> bool:
    return symbol.type == SymbolType.Function and bool(symbol.name) and not symbol.arguments


def _is_number(symbol: Symbol) -> bool:
    return symbol.type == SymbolType.Number


def _is_list(symbol: Symbol) -> bool:
    is_tuple = symbol.type == SymbolType.Function and not symbol.name
    return is_tuple and all(map(_is_name, symbol.arguments))


def _is_path(symbol: Symbol) -> bool:
    """Keys, and which argument stands where: ``(characters, by(1), hand, by(2))``."""
    return all(
        _is_name(part) or (part.match("by", 1) and _is_number(part.arguments[0]))
        for part in tuple_of(symbol)
    )


def is_colour(text: str) -> bool:
    """Is that the name of a colour, or one in hexadecimal digits?"""
    return text in COLOURS or re.fullmatch("#[0-9a-fA-F]{6}", text) is not None


def _is_kind(symbol: Symbol) -> bool:
    if symbol.type != SymbolType.Function or symbol.name not in ARGUMENTS_OF_KINDS:
        return False
    tests, arguments = ARGUMENTS_OF_KINDS[symbol.name], symbol.arguments
    if len(tests) != len(arguments):
        return False
    fitting = all(test(argument) for test, argument in zip(tests, arguments, strict=True))
    return fitting and not (symbol.name == "range" and arguments[0].number > arguments[1].number)


ARGUMENTS_OF_KINDS: dict[str, tuple[Test, ...]] = {
    **dict.fromkeys(("listed", "file", "board", "point", "vector", "terrain", "length"), ()),
    "range": (_is_number, _is_number),
    "from": (_is_name,),
    "union": (_is_list,),
    "list": (_is_name, lambda most: _is_number(most) and 0 < most.number <= LIMITS.items),
}
KINDS: dict[str, tuple[Test, str]] = {
    "name": (_is_name, "a name"),
    "number": (_is_number, "a number"),
    "parts": (lambda n: _is_number(n) and n.number > 1, "a number above 1"),
    "text": (lambda symbol: symbol.type == SymbolType.String, 'a text in "quotes"'),
    "names": (_is_list, "a list of names, such as (player, card), (player,) or ()"),
    "path": (_is_path, "keys, such as (players, by(1), hand)"),
    "kind": (
        _is_kind,
        "listed, file, board, point, terrain, length, range(Low, High), from(predicate), "
        f"union((sort, sort)) or list(sort, N), N up to {LIMITS.items}",
    ),
    "sign": (
        lambda symbol: (
            symbol.type == SymbolType.String and bool(re.fullmatch("..?", symbol.string))
        ),
        "one or two characters in quotes",
    ),
    "colour": (
        lambda symbol: symbol.type == SymbolType.String and is_colour(symbol.string),
        f'"#rrggbb" or one of {", ".join(COLOURS)}, in quotes',
    ),
    "term": (lambda _: True, "a term"),
}
SHAPES: dict[tuple[str, int], tuple[str, ...]] = {
    (row.split()[0], len(row.split()) - 1): tuple(row.split()[1:])
    for row in (
        "sort name kind", "member name term", "heading name name", "elided name term",
        "event number name", "fluent name names name term", "written name path",
        "action name names", "open name", "figure name names name number number",
        "finding name names", "symbol text name", "join_symbol text name", "surface text",
        "named term text", "described name name text", "ruleset name text text",
        "document name text", "rule name",
        "title name text", "says name text", "source name name text", "status term name",
        "question name", "asks name text", "option name name", "default name name",
        "means name name text", "raises name name", "because name text", "because name name text",
        "waived name text",
        "usual name term", "backstage name", "table name names", "section name text",
        "property name", "told name", "trifling name", "policy_fluent name",
        "point_fluent name", "in_order name", "contract number", "clock name",
        "sight_finding name name", "cover_finding name name", "template name names",
        "unit name parts name", "lattice name",
        "ruler name number", "table_unit name", "terrain_label name",
        "extent name term",
        "glyph term sign", "colour term colour", "located term number number",
        "meaning name text", "accepted name term text name text",
    )
}  # fmt: skip


def misshapen(fact: Symbol) -> str | None:
    """What is wrong with a fact of the vocabulary or catalogue, in words; None if nothing is."""
    shape = SHAPES.get((fact.name, len(fact.arguments)))
    for kind, argument in zip(shape or (), fact.arguments, strict=True) if shape else ():
        test, words = KINDS[kind]
        if not test(argument):
            value = clipped(text_of(argument), 60)
            return f"{value} in {clipped(text_of(fact), 80)} does not fit; expected {words}"
    return None
