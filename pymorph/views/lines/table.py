"""A table in lengths, told in lines: its size, and the terrain on it."""

from __future__ import annotations

from pymorph.board.lengths.plane import Plane, Terrain
from pymorph.questions.board import measuring
from pymorph.ruleset.loader import Ruleset
from pymorph.views.layout import LIMITS, PLAIN, Style, plain, table, title


def table_lines(ruleset: Ruleset, plane: Plane, style: Style = PLAIN) -> list[str]:
    """The size of the table, and a line for each piece of terrain."""
    rows = [(p.name, title(ruleset, p.label), outline(ruleset, p)) for p in plane.terrain]
    head = style.bold(size_text(ruleset, plane))
    return [head, *table(rows, paints=(style.bold, plain, style.dim))]


def distance(answer: measuring.Distance, style: Style = PLAIN) -> list[str]:
    """From what to what, and a line for each measure."""
    rows = [(measure.name, measure.text) for measure in answer.measures]
    return [style.bold(f"from {answer.one} to {answer.other}"), *table(rows)]


def size_text(ruleset: Ruleset, plane: Plane) -> str:
    """How large a table is: ``a table of 48 by 36 in``."""
    rulers = ruleset.vocabulary.rulers
    across, up = (rulers.text(n, rulers.usual) for n in plane.size)
    return f"a table of {across} by {up} {rulers.signs.get(rulers.usual, rulers.usual)}"


def outline(ruleset: Ruleset, piece: Terrain) -> str:
    """Where a piece of terrain lies, in words."""
    point = ruleset.vocabulary.rulers.point
    kind = "edge" if piece.edge else "area"
    if len(piece.points) <= LIMITS.points:
        return f"{kind} {', '.join(point(x, y) for x, y in piece.points)}"
    xs, ys = zip(*piece.points, strict=True)
    box = f"between {point(min(xs), min(ys))} and {point(max(xs), max(ys))}"
    return f"{kind} of {len(piece.points)} points {box}"
