"""What pictures call the members of a game, and how the changes of an action are told in brief."""

from pathlib import Path

import pytest

from pymorph.explore.execution import application
from pymorph.state.position import Position
from pymorph.views.lines import answers
from tests.conftest import EXAMPLES, ROOT, Run
from tests.games import RULESETS

LAMPS = RULESETS / "lamps" / "positions" / "now.yaml"


def test_nothing_but_bookkeeping() -> None:
    found = application.apply(Position.load(str(LAMPS)), "note(anna)")
    assert answers.outcome(found) == ["note(anna)", "", "now: turn anna"]
    assert answers.outcome(found, everything=True)[1] == "  noted:  no -> yes  [lmp_01]"


def test_signs_and_names(pymorph: Run, tmp_path: Path) -> None:
    """Two letters where one is taken, small letters as they are given, titles in the legend."""
    code, out, _ = pymorph("show", LAMPS)
    assert code == 0
    legend = [line for line in out.splitlines() if line.startswith("  ")]
    for told in ("Ki  The Great King", "Kn  knight", "Br  Tour d’Ébène", "Bb  black_bishop"):
        assert f"  {told}" in legend
    assert "  r  ring" in legend
    assert "  ☀  sun" in legend
    picture = tmp_path / "lamps.svg"
    assert pymorph("show", LAMPS, "--svg", picture)[0] == 0
    text = picture.read_text("utf-8")
    assert "The Great King at a1" in text
    assert "Knight at b1" in text


def shown_plainly(path: Path, pymorph: Run) -> None:
    code, out, err = pymorph("show", path, "--ascii")
    assert (code, err) == (0, ""), path
    assert out.isascii(), path


POSITIONS = [
    path
    for top in (EXAMPLES, ROOT / "rules")
    for path in sorted(top.rglob("*.yaml"))
    if not {"cases", "disputes", "broken"} & {*path.parts}
]


def test_ascii_of_examples(pymorph: Run) -> None:
    """One position of each folder, so of each game and kind of board."""
    for path in {path.parent: path for path in POSITIONS if path.stat().st_size < 3000}.values():
        shown_plainly(path, pymorph)


@pytest.mark.campaign
@pytest.mark.parametrize("path", POSITIONS, ids=str)
def test_ascii_of_all_examples(path: Path, pymorph: Run) -> None:
    shown_plainly(path, pymorph)
