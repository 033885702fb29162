"""The page on verification names each property."""

from __future__ import annotations

import re
from pathlib import Path

from pymorph.ruleset.loader import load
from pymorph.verify.runner import properties_of
from pymorph.verify.scope import Scope
from tools import readme


def test_each_property_is_told(my_game: Path) -> None:
    """Those of every game are in a table; those of a game's own are not."""
    text = readme.read("docs/howto/verify.md")
    (told,) = re.findall(r"## What is asked\n(.*?)\n## ", text, re.DOTALL)
    found = [each.id for each in properties_of(Scope(load(str(my_game)))) if each.family != "own"]
    assert sorted(re.findall(r"^\| `(\w+)` \|", told, re.MULTILINE)) == sorted(found)
