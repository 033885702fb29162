"""What the pages show is what the commands print, the Python runs, and the links lead somewhere."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from pymorph.questions import consistency
from pymorph.state.position import Position
from tests import docs, readme
from tests.readme import ROOT

LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
PROSE = [*readme.pages(), *docs.MADE, "CONTRIBUTING.md", "CHANGELOG.md", "benchmarks/README.md"]
SHOWN = [  # one page in eight by default, README among them; all with `-m campaign`
    pytest.param(page, marks=[pytest.mark.campaign] * (number % 8 > 0 and page != "README.md"))
    for number, page in enumerate(readme.pages_with("console"))
]


@pytest.mark.parametrize("page", SHOWN)
def test_the_commands_print_what_is_shown(page: str) -> None:
    """`python -m tests.docs` writes it."""
    assert readme.page(page) == readme.read(page)


@pytest.mark.parametrize("page", readme.pages_with("console"))
def test_no_page_shows_a_broken_ruleset(page: str) -> None:
    """What a page has the reader write goes out of date with the words of the core."""
    assert "is not defined" not in readme.read(page)


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
    """`python -m tests.docs` writes them."""
    assert readme.picture(picture) == readme.read(picture)


def test_the_readme_is_short() -> None:
    text = readme.read("README.md")
    assert len(text.splitlines()) <= 160
    assert text.count("<!-- test command -->") == 1


def test_the_position_file_that_is_shown_is_one() -> None:
    text = readme.read("docs/howto/positions.md")
    (shown,) = [y for y in re.findall(r"```yaml\n(.*?)```", text, re.DOTALL) if "board" in y]
    position = Position.parse(shown)
    assert consistency.check(position).consistent
    assert position.value("hand(baganal, dagger_thrust)").number == 2


def test_the_docstring_of_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import pymorph
    from pymorph.ruleset import scaffold

    monkeypatch.chdir(tmp_path)
    scaffold.write("my_game")
    assert doctest.testmod(pymorph).failed == 0


def test_each_example_position_is_in_the_table() -> None:
    text = readme.read("examples/README.md")
    for path in (ROOT / "examples" / "positions").glob("*.yaml"):
        assert f"`{path.name}`" in text, path.name


def anchors(text: str) -> set[str]:
    """What the headings of a page are called in links to them."""
    titles = HEADING.findall(re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE))
    return {re.sub(r"[^\w -]", "", title).lower().replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PROSE)
def test_the_links_lead_somewhere(page: str) -> None:
    text = re.sub(r"^```.*?^```", "", readme.read(page), flags=re.DOTALL | re.MULTILINE)
    for link in LINK.findall(text):
        if "://" in link:
            continue
        path, _, anchor = link.partition("#")
        target = (ROOT / page).parent / path if path else ROOT / page
        assert target.exists(), link
        if anchor:
            assert anchor in anchors(target.read_text(encoding="utf-8")), link


@pytest.mark.parametrize("page", PROSE)
def test_no_page_speaks_of_this_machine(page: str) -> None:
    words = re.compile(r"/work/|/tmp/|/home/|\bshared/|\bagent\b|\bsession id\b|localhost", re.I)
    assert not words.search(readme.read(page))


def test_every_variable_is_told() -> None:
    """Each environment variable that the code reads is on its page."""
    told = set(re.findall(r"\bPYMORPH_\w+", readme.read("docs/reference/environment.md")))
    code = "\n".join(path.read_text(encoding="utf-8") for path in ROOT.glob("pymorph/**/*.py"))
    assert told == set(re.findall(r'"(PYMORPH_\w+)"', code))
