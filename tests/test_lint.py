"""Each check of `python -m tools.lint` finds the fault it is there for, in a small planted tree."""

from pathlib import Path

import pytest

from tests.tables import tables
from tools.lint import pages
from tools.lint.__main__ import main


def files(name: str) -> dict[str, str]:
    """The files of a table, each with its text, or with what is added at its end."""
    return {entry["file"]: entry["text"] for entry in tables(__name__)[name]}


EXPECTED = Path(__file__).with_name("lint_faults.txt")


@pytest.fixture
def tree(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """A tree without a fault, with a budget."""
    plant(tmp_path, files("tree"))
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
    plant(tree, files("planted"))
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
