"""What a file holds that somebody asks about: a position, or what was played from one."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from pymorph import yamlio
from pymorph.errors import InputError, Place
from pymorph.ruleset import locations
from pymorph.ruleset.vocabulary import RECORDED
from pymorph.state import record
from pymorph.state.position import Position

if TYPE_CHECKING:
    from pymorph.state.record import Record

LIKELY = re.compile(rf"\b{RECORDED}\b['\"]?\s*:")  # what a record has in it


def load(path: str) -> Position | Record:
    """What a file holds: a record, if it has the key ``play``, or else a position.

    Raises: InputError with every fault of the file, each at its line and column.
    """
    if path.lstrip().startswith("{"):
        return Position.load(path)
    if locations.NAME.fullmatch(path) and not os.path.exists(path) and locations.found(path):
        message = f"is a ruleset, not a position; 'pymorph new-position {path}' prints one"
        raise InputError(message, Place(path))
    return parse(*yamlio.contents(path))


def parse(text: str, name: str, base: Path | None) -> Position | Record:
    """What the text of a file holds, as `load` has it."""
    if LIKELY.search(text):
        root, faults = yamlio.parse(text, name, yamlio.LIMITS.long_nodes)
        if isinstance(root, yamlio.Keys) and root.get(RECORDED) is not None:
            return record.RecordReading(base, faults).record(root)
    return Position.parse(text, name, base)
