"""Lengths as people write them, `5 1/2` or `25 mm`, to and from whole units of a table.

Nothing is rounded unasked: a decimal is read as the fraction that it is, and what is no whole
number of units is refused with the nearest that is. `about 11.4415` is that nearest one, and what
is no short number is written so, with as many digits as tell it from all others.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import NamedTuple

from clingo import Number, Symbol, SymbolType

from pymorph.board.lengths.shapes import Point
from pymorph.errors import InputError, clipped, nearest
from pymorph.terms import items_of, pair, plural, text_of

FARTHEST = 999_999_999  # whole units from one corner: as many digits as a term may have
AMOUNT = re.compile(
    r"\s*(about\s)?\s*(-?)\s*(?:(\d{1,9})\s+(\d{1,9})/(\d{1,9})|(\d{1,9})/(\d{1,9})|(\d{1,9}(?:\.\d{1,9})?))"
    r"\s*([^\d\s/.-].*?)?\s*",
    re.ASCII,
)
BRACKETED = re.compile(r"\[[^][]*\]")
POINT = re.compile(r"(?<!\w)\((-?\d+), ?(-?\d+)\)")
LISTED = re.compile(r"(?<!\w)\((\[[^][]*\]), ?(\(\)|\[\[.*?\]\])\)")
MEMBER = r"(\w+(?:\([^()]*\))?)"
LAST = re.compile(rf"(?<!\w)\({MEMBER}, ?\(\)\)")
MORE = re.compile(rf"(?<!\w)\({MEMBER}, ?\[([^][]*)\]\)")
TOWARDS = "towards"  # before what a direction leads to
AIMED = re.compile(rf"\b{TOWARDS}\s+(\w+|\(-?\d+, -?\d+\))")


class Numerals(NamedTuple):
    """How numbers are written."""

    denominator: int = 40  # the largest of a number that is written in full
    digits: int = 6  # of a decimal


NUMERALS = Numerals()


class Rulers(NamedTuple):
    """The units in which a game measures its tables: so many whole units each, and their signs.

    A length without a unit is in the *usual* one. There are none, if a game has no such table.
    """

    units: Mapping[str, int | Fraction] = MappingProxyType({})
    usual: str = ""
    signs: Mapping[str, str] = MappingProxyType({})

    @property
    def usual_size(self) -> int:
        """How many of the smallest parts the usual unit of a table is; 1, if there are no units."""
        return int(self.units.get(self.usual, 1))

    def of_figures(self, parts: int, unit: str) -> Rulers:
        """The units of a figure that counts so many parts of a *unit*, such as 2 halves
        of a mile: with all units of the tables, if it is one of them."""
        try:
            usual = self.unit(unit)
        except ValueError:
            return Rulers({unit: parts}, unit)
        part = Fraction(parts) / self.units[usual]
        return self._replace(units={n: size * part for n, size in self.units.items()}, usual=usual)

    def times(self, other: Rulers) -> Fraction | None:
        """How many of its own parts one part of *other* is; None, if they share no unit."""
        shared = next((name for name in self.units if name in other.units), None)
        return None if shared is None else Fraction(self.units[shared]) / other.units[shared]

    def unit(self, text: str) -> str:
        """The unit of a name, of its plural or its sign. Raises: ValueError."""
        word = text.strip().replace(" ", "_")
        for name in self.units:
            if word in (name, plural(name), self.signs.get(name)) or plural(word) == name:
                return name
        known = [self.signs.get(name, name) for name in self.units]
        raise ValueError(f"unknown unit {clipped(text)}{nearest(text, known)}")

    def length(self, text: str) -> int:
        """The whole units in a length such as ``12``, ``5 1/2``, ``3.6`` or ``25 mm``; or the whole
        unit nearest to one, as in ``about 3.14159``.

        Raises: ValueError, in words, if it is no length, or is no whole number of units.
        """
        text = text.strip()
        match = AMOUNT.fullmatch(text) if len(text) <= 60 else None
        if match is None:
            example = self.text(self.units[self.usual] * 11 // 2)
            raise ValueError(f"found {clipped(text)}; expected a length such as {example} or 3.6")
        about, minus, full, over, under, top, bottom, plain, unit = match.groups()
        if int(under or bottom or 1) == 0:
            raise ValueError(f"{clipped(text)} divides by 0")
        number = Fraction(plain or full or 0) + Fraction(
            int(over or top or 0), int(under or bottom or 1)
        )
        units = number * self.units[self.unit(unit) if unit else self.usual]
        units = -units if minus else units
        units = Fraction(round(units)) if about else units
        if units.denominator != 1:
            near = self.text(round(units))
            raise ValueError(
                f"{clipped(text)} is not a whole number of units; the nearest is {near}"
            )
        if abs(units) > FARTHEST:
            raise ValueError(f"{clipped(text)} is longer than {FARTHEST:,} units")
        return int(units)

    def text(self, length: int, unit: str = "") -> str:
        """A length as it can be read back: in the unit, or in the usual one, which goes without
        saying, or else in one in which it is whole tenths."""
        name = unit or self.usual
        number = Fraction(length, self.units[name])
        text = mixed(number) if is_short(number) else about(number, self.units[name])
        for other in () if unit or is_short(number) else self.units:
            if 10 % (tenths := Fraction(length, self.units[other])).denominator == 0:
                name, text = other, decimal(tenths, 1)
                break
        return text if name == self.usual else f"{text} {self.signs.get(name, name)}"

    def with_unit(self, number: int) -> str:
        """The same with the name of its unit, as it can be read back: ``1/2 mile``, ``6 miles``. A
        number alone, where it counts nothing but whole ones."""
        text = self.text(number)
        if text[-1:].isalpha() or self.units[self.usual] == 1:
            return text
        one = 0 < number <= self.units[self.usual]
        name = self.usual.removesuffix("s") if one else plural(self.usual)
        return f"{text} {name.replace('_', ' ')}"

    def display(self, length: int, rounded: bool = False) -> str:
        """A length for people, in the usual unit with its sign; marked, if it is *rounded*, be it
        to whole units or here."""
        number = Fraction(length, self.units[self.usual])
        sign = self.signs.get(self.usual, self.usual)
        if is_short(number) and not rounded:
            return f"{mixed(number)} {sign}"
        return f"about {float(number):.4f} {sign}"

    def point(self, x: int, y: int) -> str:
        return f"[{self.text(x)}, {self.text(y)}]"

    def plain(self, text: str) -> str:
        """A term in which points stand in brackets, in plain terms: ``[12, 5 1/2]`` is a point.

        A pair of brackets with points in it is a list of them, one with a length alone is that;
        ``towards ann`` is ``towards(ann)``. In a game without lengths brackets hold a list of
        terms. Raises: InputError.
        """
        if not self.units:
            return BRACKETED.sub(lambda match: _listed(match[0][1:-1]), text)
        try:
            while "[" in text:
                shorter = BRACKETED.sub(self._plain, text)
                if shorter == text:
                    raise InputError(f"{clipped(text)} has no closing bracket; add ']'")
                text = shorter
        except ValueError as error:
            raise InputError(str(error)) from None
        return AIMED.sub(rf"{TOWARDS}(\1)", text)

    def _plain(self, match: re.Match[str]) -> str:
        before, inner = match.string[: match.start()], self._inner(match[0][1:-1])
        if inner.isdigit() and before.count("[") > before.count("]"):
            raise ValueError(f"found {match[0]}; expected two lengths, across and up")
        return inner

    def _inner(self, text: str) -> str:
        if not text.strip():
            return "()"
        if "(" not in text:
            lengths = [str(self.length(part)) for part in text.split(",")]
            if len(lengths) > 2:
                raise ValueError(f"found [{text}]; expected two lengths, across and up")
            return f"({', '.join(lengths)})" if len(lengths) == 2 else lengths[0]
        points = POINT.findall(text)
        if POINT.sub("", text).replace(",", "").strip():
            raise ValueError(f"found {clipped(text)} in brackets; expected points such as [12, 5]")
        listed = "".join(f"(({x}, {y}), " for x, y in points)
        return f"{listed}(){')' * len(points)}"

    def spoken(self, text: str) -> str:
        """The same the other way round: points and lists of them in brackets, for people."""
        if not self.units:
            text = LAST.sub(r"[\1]", text)
            while (shorter := MORE.sub(r"[\1, \2]", text)) != text:
                text = shorter
            return text
        if "(" not in text:
            return text
        text = POINT.sub(lambda m: self.point(int(m[1]), int(m[2])), text)
        while (shorter := LISTED.sub(_joined, text)) != text:
            text = shorter
        return text

    def data(self, value: Symbol) -> str | int | list[object]:
        """A length, a point or a list of points as a file has it."""
        if value.type == SymbolType.Number:
            text = self.text(value.number)
            return int(text) if text.isdigit() else text
        if value.name:
            return text_of(value)
        parts = value.arguments
        if len(parts) == 2 and parts[0].type == SymbolType.Number:
            return [self.data(part) for part in parts]
        return list(map(self.data, items_of(value) or ()))


def _listed(text: str) -> str:
    """The list of some terms, ``a, b(c)``, as a term; in its brackets, if it is none."""
    terms = re.findall(MEMBER, text)
    if re.sub(r"\s", "", text) != re.sub(r"\s", "", ",".join(terms)):
        return f"[{text}]"
    return "".join(f"({term}, " for term in terms) + "()" + ")" * len(terms)


def _joined(match: re.Match[str]) -> str:
    first, others = match[1], match[2]
    return f"[{first}]" if others == "()" else f"[{first}, {others[1:]}"


def is_short(number: Fraction) -> bool:
    """Can a number be said in full?"""
    return number.denominator <= NUMERALS.denominator or 100 % number.denominator == 0


def mixed(number: Fraction) -> str:
    """A number with its fraction, or as the decimal that it is: ``5 1/2``, ``292.31``."""
    many = number.denominator > 16 or number.denominator % 5 == 0
    if many and 10**NUMERALS.digits % number.denominator == 0:
        return decimal(number, NUMERALS.digits)
    minus = "-" if number < 0 else ""
    full, part = divmod(abs(number), 1)
    parts = [str(full)] if full or not part else []
    parts += [str(part)] if part else []
    return minus + " ".join(parts)


def decimal(number: Fraction, digits: int) -> str:
    """A number as a decimal, rounded to so many digits."""
    minus = "-" if number < 0 else ""
    numerals = f"{round(abs(number) * 10**digits):0{digits + 1}}"
    return f"{minus}{numerals[:-digits]}.{numerals[-digits:]}".rstrip("0").rstrip(".")


def about(number: Fraction, parts: int | Fraction) -> str:
    """A number of so many parts as the shortest decimal that comes nearer to it than to any
    other."""
    texts = (decimal(number, digits) for digits in range(1, len(str(int(parts))) + 1))
    return (
        f"about {next(text for text in texts if round(Fraction(text) * parts) == number * parts)}"
    )


def point_term(point: Point) -> Symbol:
    return pair(Number(point[0]), Number(point[1]))


def point_of(value: Symbol) -> Point | None:
    """The point (X, Y) that a term is."""
    if not value.match("", 2):
        return None
    x, y = value.arguments
    numeric = x.type == SymbolType.Number and y.type == SymbolType.Number
    return (x.number, y.number) if numeric else None
