"""Squares with labels, walls on their joins, and what a program may ask about them.

A `Board` is a value; `Geometry` answers the functions that the grounder calls on it. The searches
for ways lean on NetworkX, which is slow to import and so is imported when a way is asked for.
"""

from pymorph.board.compass import FACINGS
from pymorph.board.drawing import MAX_SIZE
from pymorph.board.geometry import FUNCTIONS, Geometry
from pymorph.board.places import Board

__all__ = ["FACINGS", "FUNCTIONS", "MAX_SIZE", "Board", "Geometry"]
