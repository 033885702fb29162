"""The page on verification shows what its commands print, and names each property."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pymorph.ruleset import load
from pymorph.verify.properties import properties_of
from pymorph.verify.setting import Setting
from tests import docs


@pytest.fixture(scope="module")
def text() -> str:
    return docs.PAGE.read_text(encoding="utf-8")


def test_the_commands_print_what_is_shown(text: str, tmp_path: Path) -> None:
    assert docs.page(text, tmp_path) == text


def test_each_property_is_told(text: str, my_game: Path) -> None:
    """Those of every game are in a table; those of a game's own are not."""
    (told,) = re.findall(r"## What is asked\n(.*?)\n## ", text, re.DOTALL)
    found = [each.id for each in properties_of(Setting(load(str(my_game)))) if each.family != "own"]
    assert sorted(re.findall(r"^\| `(\w+)` \|", told, re.MULTILINE)) == sorted(found)
