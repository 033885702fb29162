"""What the README shows is what the commands print, and its Python runs."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from pymorph import queries
from pymorph.position import Position
from tests import readme


@pytest.mark.parametrize("page", readme.PAGES)
def test_the_commands_print_what_is_shown(page: str) -> None:
    text = (readme.ROOT / page).read_text(encoding="utf-8")
    assert readme.filled(text, readme.ROOT) == text


@pytest.mark.parametrize("page", readme.ALONE)
def test_the_commands_of_a_page_that_builds_something(page: str) -> None:
    text = (readme.ROOT / page).read_text(encoding="utf-8")
    assert readme.alone(text) == text


@pytest.mark.parametrize("page", readme.PAGES)
def test_the_python_runs_as_shown(page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(readme.ROOT)
    text = (readme.ROOT / page).read_text(encoding="utf-8")
    code = "\n".join(readme.PYTHON.findall(text))
    test = doctest.DocTestParser().get_doctest(code, {}, page, page, 0)
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    runner.run(test)
    assert runner.failures == 0


def test_the_position_file_that_is_shown_is_one() -> None:
    text = (readme.ROOT / "README.md").read_text(encoding="utf-8")
    (shown,) = [y for y in re.findall(r"```yaml\n(.*?)```", text, re.DOTALL) if "board" in y]
    position = Position.parse(shown)
    assert queries.check(position).consistent
    assert position.value("hand(baganal, dagger_thrust)").number == 2


def test_the_docstring_of_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import pymorph
    from pymorph import starter

    monkeypatch.chdir(tmp_path)
    starter.write("my_game")
    assert doctest.testmod(pymorph).failed == 0


def test_each_example_position_is_in_the_table() -> None:
    text = (readme.ROOT / "examples" / "README.md").read_text(encoding="utf-8")
    for path in (readme.ROOT / "examples" / "positions").glob("*.yaml"):
        assert f"`{path.name}`" in text, path.name
