"""A board drawn in characters: a lattice of corners, walls on it, and what stands in the cells."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
from string import ascii_uppercase

from clingo import Symbol

from pymorph.board.lattice import SQUARES
from pymorph.ruleset.vocabulary import TABLE
from pymorph.terms import text_of
from pymorph.views import layout
from pymorph.views.layout import LIMITS, PLAIN, Style, heading, marked, spaced, words, wrapped
from pymorph.views.lines.table import table_lines
from pymorph.views.pictures.chart import chart_lines
from pymorph.views.pictures.labels import labels_of
from pymorph.views.pictures.measures import TURNS, Measure
from pymorph.views.pictures.scene import PictureScene, ScenePiece
from pymorph.views.width import columns, in_ascii
from pymorph.yamlio import Data

ARROWS = "↑↗→↘↓↙←↖"
# By the walls that meet at a corner: 1 above, 2 to the right, 4 below, 8 to the left.
CORNERS = "+╹╺┗╻┃┏┣╸┛━┻┓┫┳╋"
UPRIGHT, FLAT = "┃", "━"
MARGIN = 5


@dataclass(slots=True)
class Canvas:
    """Characters at rows and columns, each with the name of a style."""

    rows: dict[int, dict[int, tuple[str, str]]] = field(default_factory=lambda: defaultdict(dict))

    def put(self, row: int, column: int, text: str, style: str = "") -> None:
        for offset, letter in enumerate(text):
            self.rows[row][column + offset] = (letter, style)

    def put_round(self, row: int, middle: int, text: str, style: str = "") -> None:
        self.put(row, max(0, middle - len(text) // 2), text, style)

    def lines(self, style: Style) -> list[str]:
        paints = {"bold": style.bold, "dim": style.dim, "bad": style.bad}
        lines = []
        for number in range(max(self.rows, default=-1) + 1):
            signs = self.rows[number]
            last = max((c for c, (letter, _) in signs.items() if letter != " "), default=-1)
            cells = [signs.get(column, (" ", "")) for column in range(last + 1)]
            line = ""
            for name, run in groupby(cells, key=lambda cell: cell[1]):
                text = "".join(letter for letter, _ in run)
                line += paints[name](text) if name in paints else text
            lines.append(line)
        return lines


class Drawer:
    """Draws the board of a scene."""

    def __init__(self, scene: PictureScene, plain: bool) -> None:
        self.scene = scene
        self.plain = plain
        self.mark = "'" if plain else "˙"  # on both sides of what can be reached
        self.width, self.height = scene.size()
        self.labels = self.labels_in_ascii() if plain else {}
        self.symbols = self.symbols_of_grounds()
        self.joins = self.symbols_of_joins()
        self.inside: dict[Symbol, list[ScenePiece]] = defaultdict(list)
        self.outside: list[ScenePiece] = []
        for piece in scene.pieces:
            upright = piece.site == "toward" and scene.step(piece)[0] == 0
            if piece.site in ("corner", "join") or upright:
                self.outside.append(piece)
            else:
                self.inside[piece.place].append(piece)
        self.cells = cells = {place: self.cell(place) for place in scene.at}
        bare = (len(line) for place in cells for line in self.standing(place))
        signed = (len(line) for lines in cells.values() for line in lines)
        self.inner = max(max(bare, default=1) + 2, *signed, 0)
        self.inner += 1 - self.inner % 2
        self.wide = scene.lattice.width
        self.unit = (self.inner + 1) // self.wide
        self.depth = [
            max((len(cells[place]) for place, (_, y) in scene.at.items() if y == row), default=1)
            for row in range(self.height)
        ]

    def labels_in_ascii(self) -> dict[str, str]:
        """Labels for the pieces whose own ones are not in ASCII."""
        strange = [piece for piece in self.scene.pieces if not piece.label.isascii()]
        taken = {piece.label for piece in self.scene.pieces if piece not in strange}
        return labels_of(dict.fromkeys(piece.name for piece in strange), taken)

    # -- symbols ---------------------------------------------------------------------------------

    def symbols_of_grounds(self) -> dict[str, str]:
        """The character of each ground: the vocabulary's, or a letter that is free."""
        known = self.scene.position.ruleset.vocabulary.symbols
        symbols: dict[str, str] = {}
        for symbol, label in known.items():
            if symbol.isascii() or not self.plain:
                symbols.setdefault(label, symbol)
        for label in sorted(set(self.scene.grounds.values()) - symbols.keys()):
            taken = {*symbols.values(), *map(self.sign, self.scene.pieces)}
            letters = label.replace("_", "").upper() + ascii_uppercase
            symbols[label] = next((letter for letter in letters if letter not in taken), "?")
        return symbols

    def symbols_of_joins(self) -> dict[str, str]:
        """The character of each kind of wall, empty for one that is drawn as a line."""
        known = self.scene.position.ruleset.vocabulary.join_symbols
        lines = {*"|-", *(sign for sign in known if self.plain and not sign.isascii())}
        return {label: "" if sign in lines else sign for sign, label in known.items()}

    def symbol(self, place: Symbol) -> str:
        return self.symbols.get(self.scene.grounds[place], "?")

    def sign(self, piece: ScenePiece) -> str:
        """The label of a piece, or the one that it has in ASCII."""
        return self.labels.get(piece.name, piece.label)

    def label(self, piece: ScenePiece) -> str:
        """The label of a piece with its arrow."""
        label = self.sign(piece)
        if piece.facing is None:
            return label
        if self.plain or piece.facing not in SQUARES.numbers:
            initials = "".join(word[0] for word in text_of(piece.facing).split("_") if word)
            return f"{label}:{initials}"
        return label + ARROWS[SQUARES.numbers[piece.facing]]

    def cell(self, place: Symbol) -> list[str]:
        """The lines in the cell of a place, with the signs of what is laid over it."""
        first, *rest = self.standing(place)
        left, right = self.scene.overlay.beside(place)
        return [f"{left}{first}{right}", *rest]

    def standing(self, place: Symbol) -> list[str]:
        """What is in a place, in lines; the usual ground gives way to what stands there."""
        pieces = [self.label(piece) for piece in self.inside[place]]
        marked = any(piece.mark for piece in self.inside[place])
        if not pieces and place in self.scene.reachable:
            return [f"{self.mark}{self.symbol(place)}{self.mark}"]
        if not pieces:
            return [self.symbol(place)]
        if marked or self.scene.grounds[place] == self.scene.usual:
            return pieces
        return [f"{self.symbol(place)} {pieces[0]}", *pieces[1:]]

    # -- the lattice -----------------------------------------------------------------------------

    def left(self, across: int) -> int:
        """The column of characters of the corners left of a cell with that first coordinate."""
        return MARGIN + across * self.unit

    def above(self, row: int) -> int:
        """The line of the corners above a row of cells; rows count from the lowest."""
        return 1 + sum(self.depth[r] + 1 for r in range(self.height - 1, row, -1))

    def canvas(self) -> Canvas:
        canvas = Canvas()
        columns, rows = self.scene.axes()
        for x, name in columns.items():
            canvas.put_round(0, self.left(x) + self.inner // 2 + 1, name, "dim")
        for y, name in rows.items():
            canvas.put(self.above(y) + 1, 0, name.rjust(MARGIN - 2), "dim")
        for place, (x, y) in self.scene.at.items():
            self.put_cell(canvas, place, self.left(x) + 1, self.above(y) + 1)
        self.put_lattice(canvas)
        self.put_outside(canvas)
        return canvas

    def put_cell(self, canvas: Canvas, place: Symbol, left: int, top: int) -> None:
        pieces = self.inside[place]
        for number, line in enumerate(self.cells[place]):
            lean = self.scene.step(pieces[number])[0] if number < len(pieces) else 0
            free = self.inner - len(line)
            shift = free // 2 if lean == 0 else (free if lean > 0 else 0)
            canvas.put(top + number, left + shift, line, "bold" if pieces else "")

    def put_lattice(self, canvas: Canvas) -> None:
        met: dict[tuple[int, int], int] = {}
        for x, y in self.scene.at.values():
            corners = ((x, y), (x + self.wide, y), (x, y + 1), (x + self.wide, y + 1))
            met.update((corner, 0) for corner in corners if corner not in met)
        self.put_walls(canvas, met)
        bare = self.wide > 1  # rows of hexes alone show how they lie
        for (x, y), walls in met.items():
            if walls or not bare:
                mark = "+" if self.plain else CORNERS[walls]
                canvas.put(self.above(y - 1), self.left(x), mark, "bad" if walls else "dim")

    def put_walls(self, canvas: Canvas, met: dict[tuple[int, int], int]) -> None:
        """The walls, which are added to those that are *met* at the corners if they are lines."""
        for (one, other), label in self.scene.walls.items():
            (y, x), (v, u) = sorted(self.scene.at[place][::-1] for place in (one, other))
            symbol = self.joins.get(label, "")
            if y == v:  # side by side: an upright wall left of (u, y)
                for line in range(self.depth[y]):
                    mark = symbol or ("|" if self.plain else UPRIGHT)
                    canvas.put(self.above(y) + 1 + line, self.left(u), mark, "bad")
                met[u, y] |= 0 if symbol else 1
                met[u, y + 1] |= 0 if symbol else 4
            else:  # one above the other: a flat wall above (x, y), as far as the two share an edge
                mark = symbol or ("-" if self.plain else FLAT)
                begin, end = max(x, u), min(x, u) + self.wide
                long = self.left(end) - self.left(begin) - 1
                canvas.put(self.above(y), self.left(begin) + 1, mark * long, "bad")
                met[begin, y + 1] |= 0 if symbol else 2
                met[end, y + 1] |= 0 if symbol else 8

    def put_outside(self, canvas: Canvas) -> None:
        """The pieces that stand on an edge or a corner: at one spot side by side."""
        spots: dict[tuple[int, int], list[str]] = defaultdict(list)
        for piece in self.outside:
            (x, y), (right, up) = self.scene.at[piece.place], self.scene.step(piece)
            line = self.above(y - 1 if up < 0 else y) + (not up)
            middle = 0 if right else (self.inner + 1) // 2
            column = self.left(x + self.wide * (right > 0)) + middle
            spots[line, column].append(self.label(piece))
        for (line, column), labels in spots.items():
            canvas.put_round(line, column, "".join(labels), "bold")

    # -- the legend ------------------------------------------------------------------------------

    def piece_lines(self, style: Style) -> list[str]:
        """A line for each token: its label, who it is, where it stands and looks."""
        scene = self.scene
        rows = [(self.label(p), self.called(p), scene.whereabouts(p)) for p in scene.tokens]
        marks = {self.label(piece): piece for piece in scene.pieces if piece.mark}
        signs = [(label, self.called(p)) for label, p in marks.items() if label.lower() != p.name]
        lines = layout.table(rows, paints=(style.bold,), wrap=False)
        return lines + [f"  {style.bold(sign)}  {name}" for sign, name in signs]

    def called(self, piece: ScenePiece) -> str:
        """A piece by its name; by its title, if it has one, with the name to type of a token."""
        titles = self.scene.position.ruleset.vocabulary.titles
        title = layout.one_line(titles.get(piece.name, ""))
        return (title if piece.mark else f"{title} ({piece.name})") if title else piece.name

    def ground_lines(self, style: Style) -> list[str]:
        """The symbols that are used, with what they stand for, in as few lines as fit."""
        used = set(self.scene.grounds.values())
        known = {label: symbol for label, symbol in self.symbols.items() if label in used}
        items = [f"{symbol} {self.named(label)}" for label, symbol in known.items()]
        line = "| -" if self.plain else f"{UPRIGHT} {FLAT}"
        for label in self.scene.wall_kinds:
            items.append(f"{self.joins.get(label) or line} {self.named(label)}")
        items += self.scene.overlay.keys()
        if self.scene.reachable:
            items.append(f"{self.mark} {self.mark} in reach this turn")
        return [style.dim(f"  {line}") for line in layout.packed(items, LIMITS.legend)]

    def named(self, label: str) -> str:
        """What a ground or a wall is called."""
        return marked(self.scene.position.ruleset, label, self.scene.title(label))


class Tableau:
    """What lies before each member, and what belongs to none."""

    def __init__(self, scene: PictureScene, plain: bool) -> None:
        self.position = scene.position
        self.vocabulary = scene.position.ruleset.vocabulary
        self.measures = {self.keys(fluent): measure for fluent, measure in scene.measures.items()}
        chart = scene.chart if scene.chart and not scene.chart.is_map else None
        self.charted = chart.rooms.keys() if chart else frozenset[str]()
        self.plain = plain

    def keys(self, fluent: Symbol) -> tuple[str, ...]:
        """The keys under which a file has a fluent."""
        declared = self.vocabulary.fluents.get(fluent.name)
        if declared is None or len(declared.sorts) != len(fluent.arguments):
            return ()
        path = declared.path
        return tuple(text_of(fluent.arguments[s]) if isinstance(s, int) else s for s in path)

    def lines(self, style: Style) -> list[str]:
        """The blocks, each under its heading."""
        return spaced(
            [*([style.bold(head)] if head else []), *lines] for head, lines in self.blocks()
        )

    def blocks(self) -> list[tuple[str, list[str]]]:
        """A heading and lines for each member; before them, without one, what belongs to none."""
        headings = {self.vocabulary.headings[sort.name] for sort in self.vocabulary.file_sorts()}
        frame = {f.path[0] for f in self.vocabulary.fluents.values() if not f.sorts}
        common: dict[str, Data] = {}
        blocks: list[tuple[str, list[str]]] = []
        for key, value in self.position.data().items():
            if key in headings and isinstance(value, dict):
                blocks += self.members(key, value)
            elif key not in frame and key not in ("ruleset", *self.vocabulary.boards, TABLE):
                common[key] = value
        return [("", self.rows(common, ())), *blocks] if common else blocks

    def members(self, key: str, data: dict[str, Data]) -> Iterator[tuple[str, list[str]]]:
        """A block for each member of a sort; of a place on a chart only what the chart has not."""
        for member, inner in data.items():
            if isinstance(inner, dict) and member in self.charted:
                inner = {k: v for k, v in inner.items() if not self.is_way(v)}
            if isinstance(inner, dict) and (inner or member not in self.charted):
                yield member, self.rows(inner, (key, member))

    def is_way(self, value: Data) -> bool:
        """Is that about other places alone, as ways are, which the chart tells?"""
        return isinstance(value, dict) and bool(value) and all(key in self.charted for key in value)

    def rows(self, data: dict[str, Data], path: tuple[str, ...]) -> list[str]:
        """A line for each key that has keys of its own, and one for all that have not."""
        grouped = {key: value for key, value in data.items() if isinstance(value, dict)}
        wide = max((len(words(key)) for key in grouped), default=0)
        lines = []
        for key, value in grouped.items():
            inner = self.entries(value, (*path, key))
            lines += wrapped(inner, " " * (wide + 4), f"  {words(key).ljust(wide)}  ")
        single = {key: value for key, value in data.items() if key not in grouped}
        return lines + (wrapped(self.entries(single, path), "    ", "  ") if single else [])

    def entries(self, data: dict[str, Data], path: tuple[str, ...]) -> str:
        return ", ".join(self.entry(key, value, (*path, key)) for key, value in data.items())

    def entry(self, key: str, value: Data, path: tuple[str, ...]) -> str:
        """A key with its value: copies of a titled thing by number, a measured one with its bar."""
        if isinstance(value, dict):
            return f"{words(key)} ({self.entries(value, path)})"
        ruleset = self.position.ruleset
        if isinstance(value, int) and key in self.vocabulary.titles:
            return marked(ruleset, key) + ("" if value == 1 else f" x{value}")
        written = in_brackets(value) if isinstance(value, list) else marked(ruleset, str(value))
        text = f"{words(key)} {written}"
        measure = self.measures.get(path)
        return f"{text} {bar(measure, self.plain)}" if measure and measure.total else text


def in_brackets(value: Data) -> str:
    """A point, or a list of them, as a file has it."""
    if isinstance(value, list):
        return f"[{', '.join(map(in_brackets, value))}]"
    return str(value)


def bar(measure: Measure, plain: bool) -> str:
    """How far something has come: ``##|###|#....!`` is 6 of 10, with lines after 2, 5 and 10."""
    done, left, line, goal = "#.|!" if plain else "█░│┃"
    if measure.total > LIMITS.progress:
        return f"{measure.done}/{measure.total}"
    drawn = ""
    for number in range(1, measure.total + 1):
        drawn += done if number <= measure.done else left
        if number in measure.goals:
            drawn += goal
        elif number in measure.notches and number < measure.total:
            drawn += line
    return f"{drawn} of {measure.total}"


def surface_text(
    scene: PictureScene, plain: bool = False, style: Style = PLAIN, legend: bool = True
) -> list[str]:
    """The lines of the drawn board with its *legend*, or of places and the ways between them.

    There are none, if the position has neither. *plain* draws with ASCII characters alone.
    """
    line = turn_lines(scene, plain, style, legend)
    if scene.chart is not None and not scene.chart.is_map:
        return [*line, *chart_lines(scene.chart, plain, style)]
    if scene.table is not None:
        return [*line, *table_lines(scene.position.ruleset, scene.table, style)]
    if scene.board is None:
        return line[:-1]
    drawer = Drawer(scene, plain)
    lines = [*line, *drawer.canvas().lines(style)]
    if not legend:
        return lines
    return [*lines, "", *drawer.piece_lines(style), *drawer.ground_lines(style)]


def turn_lines(
    scene: PictureScene, plain: bool = False, style: Style = PLAIN, legend: bool = True
) -> list[str]:
    """Who has a turn after whom, and what the signs mean; nothing, if the game does not say it."""
    if not scene.line:
        return []
    paints = {"now": style.bold, "past": style.dim, "waiting": style.dim}
    lines, free = [""], columns()
    for turn in scene.line:
        text = f"{TURNS[turn.state].signs[plain]} {turn}"
        if len(text) + 2 > free and lines[-1]:
            lines, free = [*lines, ""], columns()
        lines[-1] += f"  {paints.get(turn.state, str)(text)}"
        free -= len(text) + 2
    if legend:
        signed = [f"{state.signs[plain]} {state.meaning}" for state in scene.turn_states]
        lines.append(style.dim(f"  turns: {', '.join(signed)}"))
    return [*lines, ""]


def position_text(scene: PictureScene, plain: bool = False, style: Style = PLAIN) -> list[str]:
    """The lines of a whole position: the game, its board, and what each has before it."""
    notes = layout.paragraphs(scene.overlay.notes, "    ", "  ")
    blocks = [surface_text(scene, plain, style), notes, Tableau(scene, plain).lines(style)]
    lines = [*heading(scene.position, style), *spaced(filter(None, blocks))]
    lines = layout.with_key(scene.position.ruleset, lines, style)
    return [*map(in_ascii, lines)] if plain else lines
