"""Each check of `python -m tools.lint` finds the fault it is there for, in a small planted tree."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.lint import pages
from tools.lint.__main__ import main

TREE = {
    "pyproject.toml": "[project]\nname = 'toy'\n",
    "README.md": "<!-- test command -->\n[More](docs/more/page.md#walking)\n",
    "docs/index.md": "```{toctree}\nhome <../README>\nmore/page\nreference/environment\n```\n",
    "docs/more/page.md": "# Walking\n",
    "docs/reference/environment.md": "PYMORPH_PACE\n",
    "pymorph/__init__.py": "",
    "pymorph/asp/__init__.py": '"""Rules."""\n',
    "pymorph/asp/program.py": 'Rows = list[int]\nPACE = "PYMORPH_PACE"\n',
    "pymorph/cli/app.py": "from pymorph.asp import program\n\nprint(program)\n",
    "rules/toy/game.lp": """\
rule(toy_01). title(toy_01, "Walking"). says(toy_01, "Everybody walks.").
source(toy_01, sheet, "Moves"). status(toy_01, stated).
question(pace). asks(pace, "How fast?"). raises(toy_01, pace). because(pace, "The sheet.").
option(pace, slow). option(pace, fast). default(pace, slow).
means(pace, slow, "Slowly."). means(pace, fast, "Fast.").
""",
    "encodings/toy/walking.lp": """\
%*
Walking.

Reads
  holds(F, V, S)       what is so.
  reading(Q, O, S)     the reading.
Gives
  proposed(A, S, R)    an action.
*%

% toy_01: everybody walks.
proposed(walk, S, toy_01) :- holds(turn, _, S), reading(pace, slow, S).
""",
    "tests/toy/cases/walking.yaml": "- id: G-1\n  rules: [toy_01]\n",
}
PLANTED = {  # what is added at the end of a file
    "README.md": "[Nothing](docs/nothing.md) [None](docs/more/page.md#running)" + "\n" * 159,
    "docs/index.md": "```{toctree}\nmore/page\n```\n",
    "docs/more/page.md": "walks(S) is not defined\n",
    "docs/more/other.md": "In /home/me, see <!-- test command -->.\n",
    "docs/reference/environment.md": "PYMORPH_AGE\n",
    "examples/README.md": "",
    "examples/positions/start.yaml": "",
    "pymorph/asp/__init__.py": "MOST = 2\n",
    "pymorph/asp/program.py": """\
from . import nothing
import pymorph
from pymorph.cli import app
LIMIT = "PYMORPH_LIMIT"
""",
    "pymorph/shed/lamp.py": "Rows = list[str]\n",
    "rules/toy/game.lp": """\
rule(toy_02).
question(way). option(way, left). option(way, right). option(way, back). default(way, on).
question(end). option(end, soon).
waived(toy_01, "It goes without saying.").
""",
    "encodings/toy/walking.lp": "walks(S, way) :- reading(way, off, S).\n"
    f"% toy_03: {'long ' * 21}\n"
    "idle(S) :- holds(_, _, S).\n",
    "encodings/toy/running.lp": """\
%*
Running.
Reads
  walks(S, W)   it.
  stands(S)     it.
Keeps
  walks(S, W)   it.
*%
proposed(walk, S, toy_01) :- walks(S, _), reading(age, old, S).
#show walks/2.
""",
    "encodings/toy/bare.lp": "",
}
EXPECTED = Path(__file__).with_name("lint_faults.txt")


@pytest.fixture
def tree(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """A tree without a fault, with a budget."""
    plant(tmp_path, TREE)
    code = lint(tmp_path, "--write-budget")
    assert (code, capsys.readouterr().out) == (0, "")
    return tmp_path


def plant(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        with (root / name).open("a", encoding="utf-8") as file:
            file.write(text)


def lint(root: Path, *words: str) -> int:
    pages.text_of.cache_clear()
    pages.anchors.cache_clear()
    return main(words, root)


def test_each_check_finds_its_fault(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plant(tree, PLANTED)
    assert lint(tree) == 1
    assert capsys.readouterr().out == EXPECTED.read_text(encoding="utf-8")


def test_the_budget_only_goes_down(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plant(tree, {"pymorph/asp/program.py": "AGE = 3  # fmt: skip\n\n# of a walker\n"})
    for words in ([], ["--write-budget"]):
        assert lint(tree, *words) == 1
        printed = capsys.readouterr().out
        assert "5 code lines in pymorph, 4 allowed: take 1 away" in printed
        assert "1 fmt: skip comments, 0 allowed: take 1 away" in printed
    (tree / "pymorph" / "cli" / "app.py").write_text("")
    assert lint(tree) == 1
    assert "0 code lines in pymorph/cli, 2 allowed: lower it to 0" in capsys.readouterr().out
    assert lint(tree, "--write-budget") == 1
    assert '"code lines in pymorph" = 3\n' in (tree / "pyproject.toml").read_text()
    assert "pymorph/cli" not in (tree / "pyproject.toml").read_text()
