"""The graph of a board for NetworkX, whose import is paid only where this module is used."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import networkx as nx  # type: ignore[import-untyped]
from clingo import Symbol


class PlaceGraph(nx.Graph):  # type: ignore[misc]
    """The places of a board, with `labels` and `at`, and its joins, with `labels`.

    It is made of the mappings that it is given, and copies nothing. Its own copies can be changed.
    """

    def __init__(
        self,
        places: dict[Symbol, dict[str, Any]] | None = None,
        joined: dict[Symbol, dict[Symbol, dict[str, Any]]] | None = None,
    ) -> None:
        self.node_dict_factory = lambda: places or {}
        self.adjlist_outer_dict_factory = lambda: joined or {}
        super().__init__()
        if places:
            nx.freeze(self)


def components(
    points: Mapping[Symbol, Iterable[tuple[int, int]]],
) -> dict[Symbol | tuple[int, int], Symbol]:
    """For each item and each of its points the first of the items that points connect with it."""
    touching = nx.Graph((item, point) for item, touched in points.items() for point in touched)
    first: dict[Symbol | tuple[int, int], Symbol] = {}
    for item in points:
        if item not in first:
            first |= dict.fromkeys(nx.node_connected_component(touching, item), item)
    return first
