"""The board that a position's file draws, of squares or of hexes."""

from __future__ import annotations

from pymorph.board.drawing import check_symbols
from pymorph.board.grid import Board
from pymorph.board.lattice import LATTICES
from pymorph.errors import Fault, InputError, Place, RulesetError
from pymorph.ruleset.vocabulary import Vocabulary
from pymorph.yamlio import Keys, Scalar


def drawn_board(root: Keys, words: Vocabulary) -> Board | None:
    """The board that a file has, or the one that this game is played on anyway.

    Raises: InputError with every fault at its place; RulesetError, if the game's own has some.
    """
    drawings = [(key, node) for key in LATTICES if (node := root.get(key))]
    drawings = [entry for entry in drawings if entry[0] in words.reserved()]
    marks = (words.symbols, words.join_symbols)
    try:
        check_symbols(*marks)
        if not drawings:
            return words.own_board() if words.surface else None
    except InputError as error:
        faults = [Fault(f"the board of this game: {quoted(fault)}") for fault in error.faults]
        raise RulesetError(faults) from None
    key, node = drawings[-1]
    if not words.symbols:
        raise InputError("this game has no board", node.place)
    if key not in words.boards:
        message = f"this game draws its board under the key {words.boards[0]!r}"
        raise InputError(message, node.place)
    if len(drawings) > 1:
        message = "expected one board: squares under 'board', or hexes under 'hexes'"
        raise InputError(message, node.place)
    if not isinstance(node, Scalar):
        message = f"expected a drawing: '{key}: |', and the rows on the lines below"
        raise InputError(message, node.place)
    start = Place(node.place.file, 1, 1)
    if node.literal:
        start = Place(node.place.file, node.literal[0], node.literal[1] + 1)
    try:
        return Board.from_drawing(node.text, *marks, start, LATTICES[key])
    except InputError as error:
        if node.literal:
            raise
        # A text in quotes has lines of its own.
        raise InputError([Fault(quoted(fault), node.place) for fault in error.faults]) from None


def quoted(fault: Fault) -> str:
    """A fault of a drawing that stands in quotes: the row and column are the drawing's own."""
    place = fault.place
    at = f"row {place.line}, column {place.column} of the drawing: " if place else ""
    return f"{at}{fault.message}"
