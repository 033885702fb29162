"""What the pages show is what the commands print, and the Python runs."""

import doctest
import re

import pytest

from pymorph.questions import consistency
from pymorph.state.position import Position
from tests.conftest import ROOT
from tools import readme

QUICK = ("README.md", "docs/howto/disputes.md", "docs/start/player.md")  # the others: -m verdicts
SHOWN = [
    page if page in QUICK else pytest.param(page, marks=pytest.mark.verdicts)
    for page in readme.pages_with("console")
]


@pytest.mark.parametrize("page", SHOWN)
def test_the_commands_print_what_is_shown(page: str) -> None:
    """`python -m tools.docs` writes it."""
    assert readme.page(page) == readme.read(page)


@pytest.mark.parametrize("page", readme.pages_with("python"))
def test_the_python_runs_as_shown(page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    code = "\n".join(readme.PYTHON.findall(readme.read(page)))
    test = doctest.DocTestParser().get_doctest(code, {}, page, page, 0)
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    runner.run(test)
    assert runner.failures == 0


@pytest.mark.parametrize("picture", readme.PICTURES)
def test_the_pictures_are_up_to_date(picture: str) -> None:
    """`python -m tools.docs` writes them."""
    assert readme.picture(picture) == readme.read(picture)


def test_the_position_file_that_is_shown_is_one() -> None:
    text = readme.read("docs/howto/positions.md")
    (shown,) = [y for y in re.findall(r"```yaml\n(.*?)```", text, re.DOTALL) if "board" in y]
    position = Position.parse(shown)
    assert consistency.check(position).consistent
    assert position.value("hand(baganal, dagger_thrust)").number == 2
