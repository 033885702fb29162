"""Where the places of a board lie in a picture, in pixels: squares or hexes of one width."""

from __future__ import annotations

from math import sqrt

from pymorph.board.lattice import HEXES
from pymorph.views.pictures.scene import PictureScene
from pymorph.views.pictures.svg_file import PixelPoint


class Cells:
    """The sizes of a board: *width* of a place, *side* of its edges, *breadth* and *depth* of all.

    Rows lie a *pitch* apart.
    """

    # The sizes of a place, and of a small and of a large board in all.
    smallest, usual, largest, spread, widest = 36, 72, 112, 640, 1800

    def __init__(self, scene: PictureScene) -> None:
        columns, self.rows = scene.size()
        most = max(columns, self.rows, 1)
        small = max(self.usual, min(self.largest, self.spread // most))
        self.width = max(self.smallest, min(small, self.widest // most))
        self.hexes = scene.lattice is HEXES
        self.unit = self.width / scene.lattice.width  # a coordinate across
        self.side = self.width / sqrt(3) if self.hexes else float(self.width)
        self.pitch = 1.5 * self.side if self.hexes else self.side
        self.tall = 2 * self.side if self.hexes else self.side
        self.breadth = scene.across() * self.unit
        self.depth = self.tall + (self.rows - 1) * self.pitch

    def across(self, x: int) -> float:
        """How far from the left the middle of a place is with that first coordinate."""
        return x * self.unit + self.width / 2

    def down(self, row: int) -> float:
        """How far from above the middle of a row is."""
        return self.tall / 2 + (self.rows - row - 1) * self.pitch

    def crooked(self, x: int) -> float:
        """The same as `across`, for the name of a column: a column of hexes is crooked."""
        return self.across(x) + (self.unit / 2 if self.hexes else 0)

    def corners(self, middle: PixelPoint, less: float = 0) -> list[PixelPoint]:
        """The corners of a hex about its middle, so much *less* wide."""
        across, up = (self.width - less) / 2, (self.side - less / sqrt(3)) / 2
        return [(middle[0] + u * across, middle[1] - v * up) for u, v in HEXES.corners.values()]
