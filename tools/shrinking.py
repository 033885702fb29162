"""Shrinks a case: drops what it can while its first claim still has the verdicts that it expects.

`python -m tools.shrinking FILE...` writes each case back as small as it gets. What is dropped are
characters, rows and columns of the board, what lies on a square or between two, fluents (back to
their default), rulings and steps; a case shrinks no further if it can do without none of these.
"""

import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypeVar

from clingo import Function, Symbol, SymbolType

from pymorph import yamlio
from pymorph.adjudication.case import Case
from pymorph.board.drawing import Drawing, DrawnCell, Reader, write_drawing
from pymorph.board.grid import Board
from pymorph.errors import PymorphError
from pymorph.explore.execution import application
from pymorph.questions import consistency
from pymorph.questions.evaluation import WORDS, truths
from pymorph.ruleset.vocabulary import GIVEN
from pymorph.state import claim as claims
from pymorph.state.claim import INAPPLICABLE
from pymorph.state.position import Position
from pymorph.state.record import Move
from pymorph.terms import text_of

Cut = Callable[[Case], Case | None]
WORD = re.compile(r"[a-z]\w*")

Item = TypeVar("Item")


def stands(case: Case) -> bool:
    """Is it a position of its game, with the verdicts that the first claim expects?

    Questions of which the case says nothing are read by default.
    """
    return all(verdict(case, dict(choices)) == word for choices, word in case.claims[0].expect)


def verdict(case: Case, choices: Mapping[str, str]) -> str:
    """The verdict on the first claim under some choices; none where that is no position."""
    game = case.position.ruleset
    reading = {**game.defaults, **case.position.rulings, **choices}
    position, stated = case.position.with_rulings(reading), case.claims[0]
    events: tuple[Symbol, ...] = ()
    rolls = [roll for move in stated.after for roll in move.rolls]
    try:
        if not consistency.check(position).consistent:
            return ""
        if stated.after:
            played = application.play_through(
                position, [move.action for move in stated.after], rolls
            )
            if not played.done or played.outcome.pending or played.outcome.rest:
                return INAPPLICABLE
            position = played.outcome.position
            events = tuple(event.event.symbol for event in played.outcome.events)
        return WORDS[truths(stated.claim, [(position, events)])[0]]
    except PymorphError:
        return ""


def shrunk(case: Case) -> Case:
    """The case without what it can do without."""
    before = None
    while case != before:
        before = case
        for cut in cuts(case):
            while (smaller := cut(case)) is not None and stands(smaller):
                case = smaller
    return case


def smaller(case: Case) -> Iterator[Case]:
    """The case with one thing less, in every way there is."""
    for cut in cuts(case):
        found = cut(case)
        if found is not None:
            yield found


def cuts(case: Case) -> Iterator[Cut]:
    """All that may be dropped, the greatest first."""
    position = case.position
    for sort, members in position.listed.items():
        for member in members:
            yield partial(_without_member, sort=sort, member=member)
    if position.board is not None:
        drawing = _drawn(position)
        rows, columns = range(len(drawing.rows)), range(len(drawing.rows[0]))
        yield from (partial(_cut_out, row=row) for row in rows)
        yield from (partial(_cut_out, column=column) for column in columns)
        yield from (partial(_bared, row=row, column=column) for row in rows for column in columns)
        yield from (partial(_opened, at=at) for at in drawing.joins)
    for number in reversed(range(len(case.claims[0].after))):
        yield partial(_without_step, number=number)
    for fluent in sorted(position.fluents, key=text_of):
        yield partial(_without_fluent, fluent=fluent)
    for question in position.rulings:
        yield partial(_without_ruling, question=question)


# -- one thing less --------------------------------------------------------------------------------


def _without_member(case: Case, sort: str, member: Symbol) -> Case | None:
    position = case.position
    members = tuple(m for m in position.listed[sort] if m != member)
    if len(members) == len(position.listed[sort]) or not members:
        return None
    listed = {**position.listed, sort: members}
    fluents = _kept(position, lambda symbol: symbol if symbol != member else None)
    if fluents is None:
        return None
    return _with(case, replace(position, listed=listed, fluents=fluents))


def _cut_out(case: Case, row: int = -1, column: int = -1) -> Case | None:
    """Without a row of the drawing, or a column; the squares are called by their new names."""
    position = case.position
    old = _drawn(position)
    height, width = len(old.rows), len(old.rows[0])
    if row >= height or column >= width or (height if row >= 0 else width) == 1:
        return None
    new = Drawing(
        tuple(_less(cells, column) for cells in _less(old.rows, row)),
        {
            (_moved(one, row, column), _moved(other, row, column)): label
            for (one, other), label in old.joins.items()
            if row not in (one[0], other[0]) and column not in (one[1], other[1])
        },
    )
    board = _board(position, new)
    assert position.board is not None
    places = _by_place(old, position.board)
    names: dict[Symbol, Symbol | None] = {}
    known = _by_place(new, board)
    for (i, j), place in places.items():
        names[place] = None if i == row or j == column else known[_moved((i, j), row, column)]
    fluents = _kept(position, lambda symbol: names.get(symbol, symbol))
    if fluents is None:
        return None
    words = {text_of(old): text_of(new) if new else "gone" for old, new in names.items()}

    def renamed(text: str) -> str:
        return WORD.sub(lambda found: words.get(found[0], found[0]), text)

    return _with(case, replace(position, board=board, fluents=fluents), renamed)


def _bared(case: Case, row: int, column: int) -> Case | None:
    """With nothing on a square: the first label that can be drawn."""
    old = _drawn(case.position)
    plain = next(iter(case.position.ruleset.vocabulary.symbols.values()))
    if (
        row >= len(old.rows)
        or column >= len(old.rows[0])
        or text_of(old.rows[row][column]) == plain
    ):
        return None
    rows = [list(cells) for cells in old.rows]
    rows[row][column] = Function(plain)
    drawing = old._replace(rows=tuple(map(tuple, rows)))
    return _with(case, replace(case.position, board=_board(case.position, drawing)))


def _opened(case: Case, at: tuple[DrawnCell, DrawnCell]) -> Case | None:
    """With nothing between two squares."""
    old = _drawn(case.position)
    if at not in old.joins:
        return None
    joins = {key: label for key, label in old.joins.items() if key != at}
    drawing = old._replace(joins=joins)
    return _with(case, replace(case.position, board=_board(case.position, drawing)))


def _without_fluent(case: Case, fluent: Symbol) -> Case | None:
    position = case.position
    if fluent not in position.fluents or position.default(fluent) == GIVEN:
        return None
    return _with(case, position.with_changes({fluent: position.default(fluent)}))


def _without_ruling(case: Case, question: str) -> Case | None:
    rulings = {q: option for q, option in case.position.rulings.items() if q != question}
    if len(rulings) == len(case.position.rulings):
        return None
    return _with(case, replace(case.position, rulings=rulings))


def _without_step(case: Case, number: int) -> Case | None:
    steps = case.claims[0].after
    if number >= len(steps):
        return None
    return _with(case, case.position, steps=(*steps[:number], *steps[number + 1 :]))


# -- making one ------------------------------------------------------------------------------------


def _with(
    case: Case,
    position: Position,
    renamed: Callable[[str], str] = str,
    steps: tuple[Move, ...] | None = None,
) -> Case | None:
    """The case with another position, and its claim and steps in its words, if they are."""
    stated = case.claims[0]
    moves = stated.after if steps is None else steps
    if moves == stated.after and position == case.position:
        return None
    try:
        claim = claims.parse(position, renamed(str(stated.claim)))
    except PymorphError:
        return None
    after = tuple(
        replace(move, action=renamed(move.action), rolls=tuple(map(renamed, move.rolls)))
        for move in moves
    )
    return replace(case, position=position, claims=(replace(stated, claim=claim, after=after),))


def _kept(
    position: Position, named: Callable[[Symbol], Symbol | None]
) -> dict[Symbol, Symbol] | None:
    """The fluents under new names; without those that speak of what is no more, if that can be."""
    found: dict[Symbol, Symbol] = {}
    for fluent, value in position.fluents.items():
        key, new = _renamed(fluent, named), _renamed(value, named)
        if key is not None and new is not None:
            found[key] = new
        elif key is not None and position.default(fluent) == GIVEN:
            return None
    return found


def _renamed(symbol: Symbol, named: Callable[[Symbol], Symbol | None]) -> Symbol | None:
    if symbol.type != SymbolType.Function:
        return symbol
    if not symbol.arguments:
        return named(symbol)
    arguments = [_renamed(argument, named) for argument in symbol.arguments]
    known = [argument for argument in arguments if argument is not None]
    return Function(symbol.name, known) if len(known) == len(arguments) else None


def _drawn(position: Position) -> Drawing:
    words = position.ruleset.vocabulary
    assert position.board is not None
    text = position.board.drawing(words.symbols, words.join_symbols)
    return Reader(words.symbols, words.join_symbols).read(text)


def _board(position: Position, drawing: Drawing) -> Board:
    words = position.ruleset.vocabulary
    text = write_drawing(drawing, words.symbols, words.join_symbols)
    return Board.from_drawing(text, words.symbols, words.join_symbols)


def _less(row: tuple[Item, ...], number: int) -> tuple[Item, ...]:
    return row[:number] + row[number + 1 :] if number >= 0 else row


def _moved(cell: DrawnCell, row: int, column: int) -> DrawnCell:
    """The same cell without a row or column before it."""
    return cell[0] - (0 <= row < cell[0]), cell[1] - (0 <= column < cell[1])


def _by_place(drawing: Drawing, board: Board) -> dict[tuple[int, int], Symbol]:
    """The squares of a board by the row and column in which they are drawn."""
    at = board.coordinates
    left, bottom = min(x for x, _ in at.values()), min(y for _, y in at.values())
    last = len(drawing.rows) - 1
    return {(last - (y - bottom), x - left): place for place, (x, y) in at.items()}


def written(case: Case, folder: Path | None = None) -> str:
    """The case as a file for people, with its position in it."""
    position = case.position.data(folder)
    head: dict[str, yamlio.Data] = {"ruleset": position.pop("ruleset")}
    head.update({"title": case.title} if case.title else {})
    head["position"] = position
    rows = yamlio.block(case.claims[0].data(), "    ")
    return yamlio.block(head) + "claims:\n  - " + rows.removeprefix("    ")


def main(paths: list[str]) -> None:
    for path in paths:
        case = shrunk(Case.load(path))
        yamlio.write(path, written(case, Path(path).parent))


if __name__ == "__main__":
    main(sys.argv[1:])
