"""The encodings of verification: what is looked for, in rules, in `verify/encodings/`."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent.parent / "encodings"
PART = re.compile(r"^#program (\w+)\.\n", re.MULTILINE)


@cache
def encoding(name: str) -> dict[str, str]:
    """The parts of an encoding, each by the name that its ``#program`` gives it."""
    _, *parts = PART.split((FOLDER / f"{name}.lp").read_text(encoding="utf-8"))
    return dict(zip(parts[::2], parts[1::2], strict=True))
