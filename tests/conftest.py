"""What the tests share: positions written in a line or two, and a cache of their own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from pymorph import files
from pymorph.position import Position

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples"

settings.register_profile("ci", deadline=None, derandomize=True, max_examples=60)
settings.load_profile("ci")


@pytest.fixture(autouse=True, scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Checked rulesets are cached in a folder of the tests."""
    import os

    os.environ.setdefault("PYMORPH_CACHE", str(ROOT / ".pytest_cache" / "rulesets"))


def position_of(data: dict[str, Any], name: str = "<case>") -> Position:
    """The position of a mapping as a file would have it."""
    return Position.parse(files.flow(data), name)
