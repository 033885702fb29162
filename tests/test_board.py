"""The board: read from characters, and what can be asked of it."""

import heapq
import inspect
import pickle
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from math import isqrt

import pytest
from clingo import Control, Function, Number, Symbol, parse_term
from hypothesis import given, settings
from hypothesis import strategies as st

from pymorph.board.drawing import MAX_SIZE
from pymorph.board.geometry import FUNCTIONS, Geometry
from pymorph.board.grid import Board
from pymorph.board.lattice import SQUARES
from pymorph.errors import Fault, InputError, Place
from pymorph.terms import items_of
from tests.measuring import squares_under
from tests.tables import parametrized, tables

SYMBOLS = {".": "plain", "T": "tree", "W": "water", "_": "blank", ",": "plain"}
JOINS = {"|": "wall", "-": "wall", "#": "door(closed)"}
NAMES = [str(facing) for facing in SQUARES.facings]
CLOSED = "bars((wall, ()), (water, (blank, ())), (), (), (), blocked_if_both_sides)"
OPEN = "bars((), (), (), (), (), never_blocked)"
PRICES = "prices(2, 3, 1, 2, needed)"
# What tables write in short: walls and water that bar the way, or nothing; what steps cost.
SHORT = {
    "CLOSED": CLOSED,
    "OPEN": OPEN,
    "FREE": "bars((), (), (), (), (), blocked_if_both_sides)",
    "PRICES": PRICES,
}


def drawn(text: str) -> Board:
    return Board.from_drawing(text, SYMBOLS, JOINS)


def ask(board: Board | None, question: str) -> list[str]:
    """The answers to a call such as ``turn(north, east)``, as texts."""
    call = parse_term(question)
    found = getattr(Geometry(board), call.name)(*call.arguments)
    return [str(symbol) for symbol in (found if isinstance(found, list) else [found])]


def listed(moves: Iterable[Symbol]) -> Symbol:
    """A list as a term: (First, Rest), and () at the end."""
    found = Function("", [])
    for each in reversed(list(moves)):
        found = Function("", [each, found])
    return found


def in_full(question: str) -> str:
    """A question of a table, with what it writes in short."""
    for short, term in SHORT.items():
        question = question.replace(short, term)
    return question


def route(board: Board, question: str, bars: str = CLOSED, gates: str = "()") -> str | None:
    """The way from one place to another, as ``cost: moves``, for ``a1, north, b2``."""
    found = ask(board, f"route({question}, {PRICES}, {bars}, {gates})")
    if not found:
        return None
    (answer,) = map(parse_term, found)
    cost, way = answer.arguments
    return f"{cost}: {' '.join(str(move.arguments[0]) for move in items_of(way))}".rstrip()


def faults(text: str, line: int = 1, column: int = 1) -> list[tuple[int, int, str]]:
    with pytest.raises(InputError) as caught:
        Board.from_drawing(text, SYMBOLS, JOINS, Place("camp.yaml", line, column))
    found = []
    for fault in caught.value.faults:
        assert fault.place is not None
        assert fault.place.file == "camp.yaml"
        found.append((fault.place.line, fault.place.column, fault.message))
    return found


# Drawings


@parametrized
def test_drawing_tolerates_spaces_and_ornaments(text: str) -> None:
    board = drawn(". | . # T\n-       #\n.   W   _\n")
    assert drawn(text) == board
    assert hash(drawn(text)) == hash(board)


def test_drawing_is_canonical() -> None:
    board = drawn("  .|,  T\n    -  -\n  W  _ #.")
    assert board.drawing(SYMBOLS, JOINS) == ". | .   T\n    -   -\nW   _ # .\n"


def test_columns_after_z_have_two_letters() -> None:
    board = drawn(" ".join("." * 28))
    assert list(map(str, board.places[25:])) == ["z1", "aa1", "ab1"]
    assert ask(board, "neighbour(z1, east)") == ["aa1"]


def test_largest_board() -> None:
    row = " ".join("." * MAX_SIZE) + "\n"
    assert len(drawn(row * MAX_SIZE).places) == MAX_SIZE**2
    assert faults(row * (MAX_SIZE + 1)) == [(145, 1, "a board has at most 144 rows of cells")]
    wide = " ".join("." * (MAX_SIZE + 1)) + "\n"
    assert faults(row + wide) == [(2, 289, "a row has at most 144 cells")]


@parametrized
def test_drawing_fault(text: str, expected: list[tuple[int, int, str]]) -> None:
    """Each fault stands where its character stands, wherever the drawing begins."""
    found = faults(text, 7, 5)
    if text.startswith("\t"):
        found = found[:1]
    assert found == [(7 + line, 5 + column, message) for line, column, message in expected]


def test_drawing_has_all_faults() -> None:
    text = ". x .\n   -\n. . y\n. .\n. . .\n#\n"
    places = [fault[:2] for fault in faults(text)]
    assert places == [(1, 3), (2, 4), (3, 5), (4, 4), (6, 1)]


def test_fault_of_a_place_unknown_stays_unknown() -> None:
    assert [(line, column) for line, column, _ in faults("\n  x", 0, 0)] == [(0, 0)]
    assert [(line, column) for line, column, _ in faults("\n  x", 4, 0)] == [(5, 0)]


def test_text_that_is_no_drawing_has_an_end_of_faults() -> None:
    assert len(faults("no drawing at all, but much of it " * 20 + "\n" * 1000)) <= 200
    assert len(faults(".\n" + "- - - - - - - - - -\n.\n" * 1000)) <= 200


@parametrized
def test_characters_that_cannot_serve(
    symbols: dict[str, str], joins: dict[str, str], message: str
) -> None:
    with pytest.raises(InputError, match=message.replace("+", r"\+")):
        Board.from_drawing(".", symbols, joins)


def test_labels_without_a_character_cannot_be_drawn() -> None:
    board = drawn(". | T\n#   -\nW # .\n")
    with pytest.raises(InputError) as caught:
        board.drawing({".": "plain", "T": "tree"}, {"|": "wall"})
    assert caught.value.faults == (
        Fault("there is no character for a place labelled water"),
        Fault("there is no character for a join between two cells of a row labelled door(closed)"),
        Fault("there is no character for a join between two rows labelled door(closed)"),
        Fault("there is no character for a join between two rows labelled wall"),
    )


def rows_of(width: int, height: int) -> st.SearchStrategy[str]:
    """Drawings of a size, as a person might space them."""
    cell = st.sampled_from(".TW_")
    join = st.sampled_from(["   ", "   ", "   ", " | ", " # "])
    flat = st.sampled_from("   -#")

    def text(parts: tuple[list[list[str]], list[list[str]], list[list[str]]]) -> str:
        cells, joins, flats = parts
        lines = []
        for i in range(height):
            line = cells[i][0]
            for j in range(1, width):
                line += joins[i][j] + cells[i][j]
            lines.append(line)
            if i + 1 < height:
                lines.append("   ".join(flats[i]))
        return "\n".join(lines)

    def grid(of: st.SearchStrategy[str]) -> st.SearchStrategy[list[list[str]]]:
        row = st.lists(of, min_size=width, max_size=width)
        return st.lists(row, min_size=height, max_size=height)

    return st.tuples(grid(cell), grid(join), grid(flat)).map(text)


def drawings(most: int) -> st.SearchStrategy[str]:
    size = st.tuples(st.integers(1, most), st.integers(1, most))
    return size.flatmap(lambda both: rows_of(*both))


@settings(deadline=None)
@given(st.text(alphabet=".T|-#+ \n\tx", max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        board = drawn(text)
    except InputError as error:
        lines = text.split("\n")
        for fault in error.faults:
            assert fault.place is not None
            line, column = fault.place.line - 1, fault.place.column - 1
            assert 0 <= column <= len(lines[line])
        return
    assert drawn(board.drawing(SYMBOLS, JOINS)) == board


@settings(deadline=None)
@given(drawings(6))
def test_drawing_is_read_back(text: str) -> None:
    board = drawn(text)
    again = board.drawing(SYMBOLS, JOINS)
    assert drawn(again) == board
    assert drawn(again).drawing(SYMBOLS, JOINS) == again


@settings(deadline=None)
@given(drawings(4))
def test_board_survives_pickling(text: str) -> None:
    board = drawn(text)
    again = pickle.loads(pickle.dumps(board))
    assert again == board
    assert hash(again) == hash(board)
    assert list(again.joins.items()) == list(board.joins.items())


# Values


def test_board_is_a_value() -> None:
    board = drawn(". | T\n.   .")
    assert board == drawn(".|T\n. .")
    assert board != drawn(". # T\n.   .")
    assert board != drawn(". | T\n.   T")
    assert board != drawn(".   T\n-\n.   .")
    assert board != "board"
    assert len({board, drawn(".|T\n. .")}) == 1
    with pytest.raises(AttributeError):
        board.labels = {}  # type: ignore[misc]
    with pytest.raises(TypeError):
        board.labels[Function("a1")] = ()  # type: ignore[index]


def test_board_of_parts_has_one_order() -> None:
    """``q | p`` in whatever order the parts are given, with several labels to a join."""
    p, q, wall, door = map(Function, ("p", "q", "wall", "door"))
    one = Board({p: (), q: (wall, door)}, {(p, q): (wall, door)}, {p: (1, 0), q: (0, 0)})
    two = Board({q: (door, wall), p: ()}, {(q, p): (door, wall)}, {q: (0, 0), p: (1, 0)})
    assert one == two
    assert one.places == (q, p)
    assert ask(one, "edge(p, q)") == ["door", "wall"]
    assert ask(one, "beside(p)") == ["(q,door)", "(q,wall)"]
    with pytest.raises(InputError, match="not a full grid"):
        one.drawing(SYMBOLS, JOINS)


def test_only_a_grid_can_be_drawn() -> None:
    """``. .`` as drawn, then without its join, then with places of other names."""
    a1, b1, hall, plain = map(Function, ("a1", "b1", "hall", "plain"))
    labels, at = {a1: (plain,), b1: (plain,)}, {a1: (0, 0), b1: (1, 0)}
    assert Board(labels, {(a1, b1): ()}, at).drawing(SYMBOLS, JOINS) == ".   .\n"
    for board in (
        Board(labels, {}, at),
        Board({hall: (plain,)}, {}, {hall: (0, 0)}),
        Board({a1: (plain,)}, {}, {a1: (1, 0)}),
        Board({}, {}, {}),
    ):
        with pytest.raises(InputError, match="not a full grid"):
            board.drawing(SYMBOLS, JOINS)


@pytest.mark.parametrize("where", [{"p": (0, 0)}, {"p": (0, 0), "q": (0, 0)}])
def test_board_of_parts_needs_coordinates(where: dict[str, tuple[int, int]]) -> None:
    at = {Function(name): xy for name, xy in where.items()}
    with pytest.raises(ValueError, match="coordinates of its own"):
        Board({Function("p"): (), Function("q"): ()}, {}, at)


def test_board_of_parts_needs_joins_of_two_places() -> None:
    p, q = Function("p"), Function("q")
    for joins in ({(p, p): ()}, {(p, Function("r")): ()}, {(p, q): (), (q, p): ()}):
        with pytest.raises(ValueError, match="join"):
            Board({p: (), q: ()}, joins, {p: (0, 0), q: (1, 0)})


# Functions


def test_functions_are_named() -> None:
    public = {
        f"{name}/{len(inspect.signature(method).parameters) - 1}"
        for name, method in inspect.getmembers(Geometry, inspect.isfunction)
        if not name.startswith("_")
    }
    assert public == FUNCTIONS


def test_grounder_calls_functions() -> None:
    geometry = Geometry(drawn(". | T\n.   ."))
    control = Control(["--warn=none"])
    control.add("base", [], tables(__name__)["program"])
    control.ground([("base", [])], context=geometry)
    with control.solve(yield_=True) as handle:
        shown = [symbol for model in handle for symbol in model.symbols(shown=True)]
    assert sorted(map(str, shown)) == tables(__name__)["shown"]


QUESTIONS = {row["name"]: in_full(row["question"]) for row in tables(__name__)["questions"]}


def test_no_board_has_no_answers() -> None:
    assert {f"{name}/{len(parse_term(q).arguments)}" for name, q in QUESTIONS.items()} == FUNCTIONS
    board = drawn(".\n#\n.")
    for question in QUESTIONS.values():
        assert ask(board, question)
        assert ask(None, question) == []


def test_nonsense_has_no_answers() -> None:
    """A board of ``.`` over ``.``: any argument replaced by something else gives no answer."""
    geometry = Geometry(drawn(".\n#\n."))
    for name, question in QUESTIONS.items():
        asked = parse_term(question).arguments
        for place in range(len(asked)):
            for wrong in ("a3", "up", "-1", "-north", '"a1"', "f(a1)", "(a1, a2)", "#inf", "#sup"):
                if (name, place, wrong) == ("turned", 1, "-1"):
                    continue
                changed = [*asked[:place], parse_term(wrong), *asked[place + 1 :]]
                assert getattr(geometry, name)(*changed) == [], (name, changed)


@parametrized
def test_answers(board: str, answers: str) -> None:
    require_answers(drawn(board), answers)


def require_answers(board: Board, answers: str) -> None:
    """A board answers questions as a table has them, one a line: ``question = answer``."""
    for line in answers.splitlines():
        question, _, answer = line.partition(" =")
        assert " ".join(ask(board, in_full(question))) == answer.strip(), line


@parametrized
def test_centre(text: str, expected: list[str]) -> None:
    assert ask(drawn(text), "centre") == expected


# Lines


def crossed(board: Board, one: str, other: str) -> list[str]:
    return ask(board, f"crossed({one}, {other})")


def test_no_line_runs_across_a_gap() -> None:
    """Two rows of ``. .`` without a2, then with all four places but no join from a1 to b1."""
    a1, b1, a2, b2 = map(Function, ("a1", "b1", "a2", "b2"))
    at = {a1: (0, 0), b1: (1, 0), b2: (1, 1)}
    board = Board(dict.fromkeys(at, ()), {(a1, b1): (), (b1, b2): ()}, at)
    assert crossed(board, "a1", "b2") == []
    assert crossed(board, "a1", "b1") == ["(1,join(a1,b1))"]
    at[a2] = (0, 1)
    board = Board(dict.fromkeys(at, ()), {(b1, b2): (), (a1, a2): (), (a2, b2): ()}, at)
    assert crossed(board, "a1", "b2") == ["(1,corner(a1,b2,b1,a2))"]
    assert crossed(board, "a1", "b1") == []


GRID = drawn((" ".join("." * 12) + "\n") * 12)
CELLS = st.sampled_from(GRID.places)


def items(answer: Symbol | list[Symbol]) -> list[Symbol]:
    assert isinstance(answer, list)
    return [numbered.arguments[1] for numbered in answer]


@settings(deadline=None)
@given(CELLS, CELLS)
def test_crossed_mirrors(one: Symbol, other: Symbol) -> None:
    there = items(Geometry(GRID).crossed(one, other))
    back = items(Geometry(GRID).crossed(other, one))
    mirrored = []
    for item in reversed(back):
        x, *rest = item.arguments
        if item.name == "cell":
            mirrored.append(item)
        elif item.name == "join":
            mirrored.append(Function("join", [rest[0], x]))
        else:
            mirrored.append(Function("corner", [rest[0], x, rest[2], rest[1]]))
    assert there == mirrored


def between(squares: list[Symbol], other: Symbol) -> list[Symbol]:
    """What a line meets on its way through these squares."""
    expected = []
    for here, there in pairwise(squares):
        (x, y), (u, v) = GRID.coordinates[here], GRID.coordinates[there]
        if x != u and y != v:
            expected.append(Function("corner", [here, there, GRID.cells[u, y], GRID.cells[x, v]]))
        else:
            expected.append(Function("join", [here, there]))
        if there != other:
            expected.append(Function("cell", [there]))
    return expected


@settings(deadline=None)
@given(CELLS, CELLS)
def test_crossed_agrees_with_clipping(one: Symbol, other: Symbol) -> None:
    """Each square cuts a stretch out of the line; squares in order of their stretches are met."""
    expected = between(squares_under(GRID, GRID.coordinates[one], GRID.coordinates[other]), other)
    assert items(Geometry(GRID).crossed(one, other)) == expected


@settings(deadline=None)
@given(CELLS, CELLS, st.sampled_from([(1, 1), (1, -1), (-1, -1), (-1, 1)]))
def test_crossed_from_a_corner_agrees_with_clipping(
    one: Symbol, other: Symbol, way: tuple[int, int]
) -> None:
    """From a corner it is the same, and the first square is met as well, if it is neither end."""
    x, y = GRID.coordinates[one]
    squares = squares_under(GRID, (x + way[0] / 2, y + way[1] / 2), GRID.coordinates[other])
    expected = between(squares, other)
    if squares[0] not in (one, other):
        expected.insert(0, Function("cell", [squares[0]]))
    facing = SQUARES.facings[SQUARES.ways.index(way)]
    start = Function("corner", [one, facing])
    assert items(Geometry(GRID).crossed(start, other)) == expected


@settings(deadline=None)
@given(CELLS, CELLS)
def test_distances_agree(one: Symbol, other: Symbol) -> None:
    geometry = Geometry(GRID)

    def far(p: Symbol, q: Symbol, metric: str) -> int:
        found = geometry.distance(p, q, Function(metric))
        assert isinstance(found, Symbol)
        return found.number

    for metric in ("steps", "king", "straight"):
        assert far(one, other, metric) == far(other, one, metric)
    steps, king, straight = (far(one, other, metric) for metric in ("steps", "king", "straight"))
    assert king <= straight <= steps <= 2 * king
    square = king**2 + (steps - king) ** 2
    assert straight**2 >= square
    assert one == other or (straight - 1) ** 2 < square
    assert isqrt(square) <= straight
    facing = geometry.facing(one, other)
    assert (facing == []) == (one == other or steps not in (king, 2 * king))
    if isinstance(facing, Symbol):
        assert geometry.side(one, facing, other) == Number(1)
        opposite = geometry.opposite(facing)
        assert isinstance(opposite, Symbol)
        assert geometry.facing(other, one) == opposite
        assert geometry.side(one, opposite, other) == Number(-1)


# Ways


@parametrized
def test_corner(text: str, both: bool, any_side: bool) -> None:
    """A step from a1 to b2 past the corner in the middle, with the walls as drawn."""
    board = drawn(text)
    for corner, stepped in (
        ("blocked_if_both_sides", both),
        ("blocked_if_any_side", any_side),
        ("never_blocked", True),
    ):
        bars = f"bars((wall, ()), (), (), (), (), {corner})"
        assert (route(board, "a1, north_east, b2", bars) == "3: b2") is stepped
        assert (route(board, "b2, south_west, a1", bars) == "3: a1") is stepped


@parametrized
def test_malformed_search_has_no_answer(prices: str, bars: str, gates: str) -> None:
    """On ``. .`` nothing but the description is wrong."""
    board = drawn(". .")
    assert ask(board, f"route(a1, east, b1, {PRICES}, {OPEN}, ())")
    assert ask(board, f"route(a1, east, b1, {prices}, {bars}, {gates})") == []
    assert ask(board, f"reach(a1, east, 9, {prices}, {bars}, {gates})") == []


# An independent search: plain Dijkstra over moves written out, on names rather than symbols.

STEPS = tables("compass")["steps"]


# Cost, steps, turns, and then the moves, a step before each turn.
Order = tuple[int, int, int, tuple[tuple[int, int], ...]]
# Place, facing, the facing with which it was entered, and whether a turn came last.
State = tuple[str, str, str, bool]


@dataclass(frozen=True)
class Case:
    """A board as drawn and everything that a search depends on."""

    text: str
    start: str
    facing: str
    prices: tuple[int, int, int, int]
    always: bool
    join_labels: tuple[str, ...]
    place_labels: tuple[str, ...]
    joins: tuple[tuple[str, str], ...]
    places: tuple[str, ...]
    opened: tuple[str, ...]
    corner: str
    gates: tuple[tuple[str, tuple[int, ...]], ...]
    leaving: tuple[str, ...] | None
    board: Board = field(compare=False, repr=False)

    @property
    def terms(self) -> str:
        def many(texts: Iterable[object]) -> str:
            found = "()"
            for text in reversed(list(texts)):
                found = f"({text}, {found})"
            return found

        lists = ", ".join(
            many(each)
            for each in (
                self.join_labels,
                self.place_labels,
                [f"join({one}, {other})" for one, other in self.joins],
                self.places,
                self.opened,
            )
        )
        numbers = ", ".join(map(str, self.prices))
        gates = [f"gate({where}, {many(turns)})" for where, turns in self.gates]
        if self.leaving is not None:
            gates.insert(0, f"start({many(self.leaving)})")
        return (
            f"prices({numbers}, {'always' if self.always else 'needed'}), "
            f"bars({lists}, {self.corner}), {many(gates)}"
        )

    def is_shut(self, one: str, other: str) -> bool:
        labels = ask(self.board, f"edge({one}, {other})")
        if any(label in self.join_labels for label in labels):
            return True
        return (one, other) in self.joins or (other, one) in self.joins

    def is_closed(self, place: str) -> bool:
        if place in self.places:
            return True
        labels = ask(self.board, f"labels({place})")
        return place not in self.opened and any(label in self.place_labels for label in labels)

    def step(self, place: str, facing: str) -> str | None:
        right, up = STEPS[facing]
        there = f"{chr(ord(place[0]) + right)}{int(place[1]) + up}"
        if there not in map(str, self.board.places) or self.is_closed(there):
            return None
        if not (right and up):
            return None if self.is_shut(place, there) else there
        flanks = [f"{there[0]}{place[1]}", f"{place[0]}{there[1]}"]
        shut = [self.is_shut(place, by) or self.is_shut(by, there) for by in flanks]
        barred = {
            "blocked_if_both_sides": all(shut),
            "blocked_if_any_side": any(shut),
            "never_blocked": False,
        }[self.corner]
        return None if barred else there

    def may_leave(self, place: str, entry: str, facing: str) -> bool:
        if not entry:
            return self.leaving is None or facing in self.leaving
        eighths = (NAMES.index(facing) - NAMES.index(entry)) % 8
        names = {place}
        if place not in self.opened:
            names |= {f"label({label})" for label in ask(self.board, f"labels({place})")}
        return all(
            eighths in {turn % 8 for turn in turns} for where, turns in self.gates if where in names
        )

    def best(self) -> dict[str, tuple[int, list[str]]]:
        """For each place the cost and the moves of its best way.

        All ways of equal cost, steps and turns are equally long, so the smallest list of moves so
        far is part of the smallest whole.
        """
        straight, diagonal, turn, most = self.prices
        start = (self.start, self.facing, "", False)
        queue: list[tuple[Order, State, list[str]]] = [((0, 0, 0, ()), start, [])]
        done: set[State] = set()
        found: dict[str, tuple[int, list[str]]] = {}
        while queue:
            (cost, steps, turns, order), state, moves = heapq.heappop(queue)
            if state in done:
                continue
            done.add(state)
            place, facing, entry, just_turned = state
            found.setdefault(place, (cost, moves))
            for number, other in enumerate(NAMES):
                eighths = abs(NAMES.index(facing) - number)
                if min(eighths, 8 - eighths) <= most:
                    heapq.heappush(
                        queue,
                        (
                            (cost + turn, steps, turns + 1, (*order, (1, number))),
                            (place, other, entry, True),
                            [*moves, f"turn({other})"],
                        ),
                    )
            is_diagonal = all(STEPS[facing])
            there = self.step(place, facing)
            if there is None or not self.may_leave(place, entry, facing):
                continue
            if is_diagonal and self.always and not just_turned:
                continue
            price = diagonal if is_diagonal else straight
            heapq.heappush(
                queue,
                (
                    (cost + price, steps + 1, turns, (*order, (0, 0))),
                    (there, facing, facing, False),
                    [*moves, f"step({there})"],
                ),
            )
        return found


@st.composite
def cases(draw: st.DrawFn) -> Case:
    text = draw(drawings(4))
    board = drawn(text)
    places = list(map(str, board.places))
    place = st.sampled_from(places)

    def some(of: st.SearchStrategy[str], most: int = 2) -> tuple[str, ...]:
        return tuple(draw(st.lists(of, max_size=most, unique=True)))

    pairs = st.sampled_from([(str(p), str(q)) for p, q in board.joins] or [("z1", "z2")])
    price = st.integers(0, 4)
    start = draw(place)
    turns = st.lists(st.integers(-2, 9), max_size=5).map(tuple)
    gates = []
    labels = st.sampled_from(["label(tree)", "label(water)", "label(plain)"])
    for gated in some(st.one_of(place, st.just(start), labels), 3):
        for _ in range(draw(st.integers(1, 2))):
            gates.append((gated, draw(turns)))
    return Case(
        text=text,
        start=start,
        facing=draw(st.sampled_from(NAMES)),
        prices=(draw(price), draw(price), draw(price), draw(st.integers(0, 4))),
        always=draw(st.booleans()),
        join_labels=some(st.sampled_from(["wall", "door(closed)"])),
        place_labels=some(st.sampled_from(["water", "blank"])),
        joins=tuple(
            draw(st.lists(st.one_of(pairs, pairs.map(lambda both: both[::-1])), max_size=2))
        ),
        places=some(place),
        opened=some(place),
        corner=draw(
            st.sampled_from(["blocked_if_both_sides", "blocked_if_any_side", "never_blocked"])
        ),
        gates=tuple(gates),
        leaving=draw(st.none() | st.lists(st.sampled_from(NAMES), max_size=6).map(tuple)),
        board=board,
    )


@settings(deadline=None, max_examples=60)
@given(cases())
def test_routes_agree_with_a_plain_search(case: Case) -> None:
    best = case.best()
    for goal in map(str, case.board.places):
        expected = []
        if goal in best:
            cost, moves = best[goal]
            way = listed(map(parse_term, moves))
            expected = [str(Function("", [Number(cost), way]))]
        question = f"route({case.start}, {case.facing}, {goal}, {case.terms})"
        assert ask(case.board, question) == expected


@settings(deadline=None, max_examples=50)
@given(cases(), st.integers(0, 12))
def test_reach_agrees_with_a_plain_search(case: Case, limit: int) -> None:
    best = case.best()
    places = [place for place in map(str, case.board.places) if place in best]
    expected = [f"({place},{best[place][0]})" for place in places if best[place][0] <= limit]
    assert ask(case.board, f"reach({case.start}, {case.facing}, {limit}, {case.terms})") == expected
