"""The files of the table: the record of a game that starts, or of one that is continued."""

from __future__ import annotations

import os
from itertools import count

from pymorph.doors.seats import MASTER, SPECTATOR, Table
from pymorph.questions import consistency
from pymorph.ruleset import scaffold
from pymorph.state.files import position_file
from pymorph.state.position import Position
from pymorph.state.record import Record


def laid(source: str, target: str, start: str, seed: str) -> tuple[str, list[str]]:
    """The record of the game in a file, or of one that starts now; and the seats at it.

    Raises: InputError, if there is no such file or game.
    """
    path = source
    if not os.path.isfile(source):
        text = scaffold.start(source, target, start)
        begun = position_file.parse(text, source, None)
        path = written(begun, target, os.path.basename(source.rstrip("/")), seed)
    elif isinstance(begun := position_file.load(source), Position) or target:
        name = os.path.basename(source).partition(".")[0]
        path = written(begun, target, name, seed)
    position = Table(path).position
    return path, [MASTER, *consistency.observers(position), SPECTATOR]


def written(begun: Position | Record, target: str, name: str, seed: str) -> str:
    """The new file of a game that starts so."""
    path = target or next(
        path for n in count(1) if not os.path.exists(path := f"{name}.game{n}.yaml")
    )
    Table.laid(path, begun, seed)
    return path
