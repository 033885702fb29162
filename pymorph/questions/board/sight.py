"""Who sees whom: what the rules say of the line between two, what stands in it, what shelters."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from clingo import Function, Symbol, SymbolType

from pymorph.answers import json_keys
from pymorph.asp.facts import Facts
from pymorph.board.geometry import Geometry
from pymorph.board.lengths.length_units import point_of, point_term
from pymorph.board.lengths.lines import boxed, crossed
from pymorph.board.lengths.measuring import marked
from pymorph.board.lengths.plane import Plane
from pymorph.dynamics.asking.batch import situation
from pymorph.dynamics.asking.ledgers import figures_in
from pymorph.errors import Fault, InputError
from pymorph.questions.board.drawing import DrawnPairs, bases, centre, drawn
from pymorph.questions.consistency import ask_checked, blamed_on_flaws, known_name
from pymorph.ruleset.loader import Ruleset
from pymorph.runtime.arguments import checked
from pymorph.state.position import Position
from pymorph.terms import Term, text_of

Spots = dict[Symbol, Symbol]  # the place of each who is on the board
LINES_AT_ONCE = 80  # asked of the rules in one grounding


@json_keys(also=["first"])
class SightLine(NamedTuple):
    """What the rules say of the line from one to another.

    It is *free* if the word is the one for a line with nothing in it; None if that is unknown.
    What is in it, and what shelters the other, stand in the order in which the line comes to them,
    and *passes* are the places that it passes through, both ends among them, if there is a board
    and this line alone was asked for; so many of them are *before* what stops it first.
    """

    viewer: str
    other: str
    sight: str
    free: bool | None
    rules: tuple[str, ...] = ()
    stopped_by: tuple[Term, ...] = ()
    cover: str = ""
    cover_rules: tuple[str, ...] = ()
    sheltered_by: tuple[Term, ...] = ()
    passes: tuple[str, ...] = ()
    before: int = 0

    @property
    def first(self) -> Term | None:
        """What stops it first."""
        return self.stopped_by[0] if self.stopped_by else None


@json_keys(
    also=["ours"],
    without=["word_for_none"],
    spread=["ruleset.edition"],
    when={"partial": "partial", "left": "partial"},
)
class SightTable(NamedTuple):
    """The lines that were asked for, by viewer; *word_for_none* is that for no cover.

    It is *partial* where it was stopped before its end, with so many pairs *left*.
    """

    ruleset: Ruleset
    lines: tuple[SightLine, ...]
    word_for_none: str = ""
    partial: bool = False
    left: int = 0

    @property
    def ours(self) -> dict[str, str]:
        """The rules that no source has so, each with its status."""
        return self.ruleset.ours_in(
            rule for line in self.lines for rule in (*line.rules, *line.cover_rules)
        )


@checked
def sight(
    position: Position, *names: str, everything: bool = False, unchecked: str = ""
) -> SightTable:
    """Who sees whom, with what cover.

    With two *names* it is the line from the first to the second, with one all lines of that one;
    without, the lines between those of different sides, and with *everything* all there are.
    Raises: UnknownName, if a name is none that may see or be seen; InputError, if the ruleset
    declares no sight, or says nothing of the line between two that are named.

    >>> import pymorph
    >>> position = pymorph.Position.load("examples/rulesets/standoff/positions/start.yaml")
    >>> [line] = pymorph.sight(position, "ann", "bea").lines
    >>> line.free, line.sight
    (True, 'clear')
    """
    return sight_in_parts(position, names, everything, unchecked)


def sight_in_parts(
    position: Position,
    names: Sequence[str],
    everything: bool = False,
    unchecked: str = "",
    on_progress: Callable[[SightTable], None] | None = None,
) -> SightTable:
    """The same; *on_progress* is given the lines so far, each time when there are more."""
    finding, _ = position.ruleset.vocabulary.sight
    if not finding:
        message = f"{position.ruleset.title} has no rule that says who sees whom (sight_finding)"
        raise InputError(Fault(message))
    with blamed_on_flaws(position, unchecked):
        known = viewers(position)
        meant = [known_member(position, name, known[index]) for index, name in enumerate(names)]
        pictured = drawn(position)
        pairs = pairs_of(known, meant)
        if not (meant or everything):
            sides = sides_of(pictured)
            pairs = [pair for pair in pairs if _apart(sides, *map(text_of, pair))]
        spots = spots_of(position, pictured)
        along = AlongTable(position.table, pictured) if position.table else Along(position)
        none = position.ruleset.vocabulary.cover[1]
        table = SightTable(position.ruleset, (), none)
        for start in range(0, max(len(pairs), 1), LINES_AT_ONCE):
            part = pairs[start : start + LINES_AT_ONCE]
            lines = _lines(position, part, spots, along, "" if start else unchecked)
            table = table._replace(lines=(*table.lines, *lines))
            left = len(pairs) - start - len(part)
            if on_progress is not None and left:
                on_progress(table._replace(partial=True, left=left))
    if len(names) == 2 and table.lines:
        ends = (spots.get(meant[0]), spots.get(meant[1]))
        traced = _traced(position, table.lines[0], along.between(*ends))
        return table._replace(lines=(traced,))
    if len(names) == 2:
        message = f"this position has no {finding}({', '.join(map(text_of, meant))})"
        raise InputError(Fault(message))
    return table


def viewers(position: Position) -> tuple[Sequence[Symbol], Sequence[Symbol]]:
    """Those who may see, and those who may be seen."""
    words = position.ruleset.vocabulary
    declared = words.findings.get(words.sight[0])
    sorts = declared.sorts if declared else ()
    one, other = (words.members(sort, position.scene) for sort in sorts) if sorts else ((), ())
    return one, other


def known_member(position: Position, name: str, known: Sequence[Symbol]) -> Symbol:
    """The one that a name means. Raises: UnknownName with the nearest there is."""
    texts = {text_of(member): member for member in known}
    return texts[known_name(position, name, list(texts))]


def pairs_of(
    known: tuple[Sequence[Symbol], Sequence[Symbol]], meant: Sequence[Symbol]
) -> list[tuple[Symbol, Symbol]]:
    """All pairs of two, of those that are meant as far as there are any."""
    ones, others = ([who] for who in meant) if len(meant) == 2 else (meant or known[0], known[1])
    return [(one, other) for one in ones for other in others if one != other or len(meant) == 2]


def _apart(sides: Mapping[str, str], one: str, other: str) -> bool:
    """Are two of different sides, if both have one?"""
    return one not in sides or other not in sides or sides[one] != sides[other]


def sides_of(pictured: DrawnPairs) -> dict[str, str]:
    """The side of each piece that a picture shows."""
    return {
        text_of(what.arguments[0]): text_of(what.arguments[1])
        for what, _ in pictured
        if what.match("side", 2)
    }


def spots_of(position: Position, pictured: DrawnPairs) -> Spots:
    """The place on the board of each piece that a picture shows, or on a table its point."""
    if position.table is not None:
        middles = {name: centre(body) for name, body in bases(pictured).items()}
        return {name: point_term(at) for name, at in middles.items() if at is not None}
    at = position.spaces
    spots: Spots = {}
    for what, where in pictured:
        if what.type == SymbolType.Function and what.name == "token" and what.arguments:
            places = [where] if where in at else where.arguments
            if places and places[0] in at:
                spots[what.arguments[0]] = places[0]
    return spots


def _lines(
    position: Position,
    pairs: Sequence[tuple[Symbol, Symbol]],
    spots: Spots,
    along: Along | AlongTable,
    unchecked: str,
) -> list[SightLine]:
    words = position.ruleset.vocabulary
    here = situation(0)
    seeing, covering = words.sight[0], words.cover[0]
    kinds = [kind for kind in (seeing, covering) if kind]
    facts = Facts(position.facts(here))
    facts.append(Function("surveying", [here]))
    for pair in pairs:
        for kind in kinds:
            facts.append(Function("wanted", [Function(kind, list(pair)), here]))
    atoms = ask_checked("forecast", position, facts, unchecked, frozenset(kinds))
    figures = {figure.name.symbol: figure for figure in figures_in(position, atoms, None)}
    lines = []
    for one, other in pairs:
        seen = figures.get(Function(seeing, [one, other]))
        if seen is None:
            continue
        cover = figures.get(Function(covering, [one, other])) if covering else None
        line = along.between(spots.get(one), spots.get(other))
        lines.append(
            SightLine(
                viewer=text_of(one),
                other=text_of(other),
                sight=str(seen.value),
                free=None if seen.value == "unknown" else seen.value == words.sight[1],
                rules=seen.rules,
                stopped_by=line.in_order(seen.grounds),
                cover=str(cover.value) if cover else "",
                cover_rules=cover.rules if cover else (),
                sheltered_by=line.in_order(cover.grounds if cover else ()),
            )
        )
    return lines


def _traced(position: Position, line: SightLine, along: Along | AlongTable) -> SightLine:
    """A line with the places that it passes through, of which a table has none."""
    if isinstance(along, AlongTable):
        return line
    first = along.far(line.stopped_by[0]) if line.stopped_by else None
    passes = along.passed(position)
    ahead = [place for place in passes if first is None or along.to(place) < first]
    return line._replace(passes=tuple(map(text_of, passes)), before=len(ahead))


def places_in(position: Position, term: Term) -> list[Symbol]:
    """The places that a term names; a name that is also somebody's counts if there is no other."""
    return places_among(position.spaces, position.names, term)


def places_among(at: Container[Symbol], listed: Container[Symbol], term: Term) -> list[Symbol]:
    places = [a.symbol for a in term.arguments if a.symbol in at]
    return [place for place in places if place not in listed] or places


class Along:
    """How far along the line from one place to another something stands."""

    def __init__(self, position: Position) -> None:
        self.at, self.listed = position.spaces, position.names
        self.rise = position.grid.lattice.rise if position.grid else 1
        self.ends: tuple[Symbol | None, Symbol | None] = (None, None)
        self.start, self.step = (0, 0), (0, 0)

    def between(self, start: Symbol | None, end: Symbol | None) -> Along:
        """The same of the line between two places; of no line, if one of them is not there."""
        self.ends = (start, end)
        self.start, self.step = (0, 0), (0, 0)
        if start is not None and end is not None and {start, end} <= self.at.keys():
            (x, y), (u, v) = self.at[start], self.at[end]
            self.start, self.step = (x, y), (u - x, v - y)
        return self

    def to(self, place: Symbol) -> int:
        """How far a place is."""
        (x, y), (right, up) = self.at[place], self.step
        return (x - self.start[0]) * right + self.rise * (y - self.start[1]) * up

    def far(self, term: Term) -> Fraction | None:
        """How far the middle of the places is that a term names, if it names any."""
        places = places_among(self.at, self.listed, term)
        return Fraction(sum(map(self.to, places)), len(places)) if places else None

    def in_order(self, grounds: Sequence[Term]) -> tuple[Term, ...]:
        """What is in the line, in the order in which it comes there; the rest last."""
        if len(grounds) < 2:
            return tuple(grounds)
        far = {term: self.far(term) for term in grounds}
        return tuple(sorted(grounds, key=lambda term: (far[term] is None, far[term] or 0)))

    def passed(self, position: Position) -> list[Symbol]:
        """The places that the line passes through, both ends among them."""
        start, end = self.ends
        board = position.geometry
        if start is None or end is None or start == end or not isinstance(board, Geometry):
            return []
        items = board.crossed(start, end)
        crossed = [item.arguments[1] for item in items] if isinstance(items, list) else []
        inner = [item.arguments[0] for item in crossed if item.name == "cell"]
        return [start, *inner, end]


class AlongTable:
    """The order in which a line between two points of a table meets bases and terrain."""

    def __init__(self, table: Plane, pictured: DrawnPairs) -> None:
        own = bases(pictured)
        self.items = [Function("base", [name]) for name in own]
        self.items += table.items
        self.boxes = [*map(boxed, own.values()), *table.bodies]
        self.ends: tuple[Symbol | None, Symbol | None] = (None, None)

    def between(self, start: Symbol | None, end: Symbol | None) -> AlongTable:
        """The same of the line between two points."""
        self.ends = (start, end)
        return self

    def in_order(self, grounds: Sequence[Term]) -> tuple[Term, ...]:
        """What is in the line, in the order in which it comes there; the rest last."""
        start, end = (point_of(at) if at else None for at in self.ends)
        if len(grounds) < 2 or start is None or end is None:
            return tuple(grounds)
        ranks: dict[Symbol, int] = {}
        for rank, met in enumerate(crossed(start, end, self.boxes)):
            item = self.items[met.body]
            ranks.setdefault(marked(item, met.kind == "crosses"), rank)
            ranks.setdefault(item, rank)
        return tuple(sorted(grounds, key=lambda term: ranks.get(term.symbol, len(ranks))))
