"""What pictures call the members of a game, and how the changes of an action are told in brief."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from pymorph.explore.execution import application
from pymorph.state.position import Position
from pymorph.views.lines import answers
from tests.conftest import EXAMPLES, ROOT

Run = Callable[..., tuple[int, str, str]]
WORDS = """
ruleset(lamps, "1.0.0", "Lampes à huile – l’été").
surface(". . ■\\n. . ."). symbol(".", floor). symbol("■", stone). named(stone, "Pierre levée").
sort(player, listed). member(player, (anna; bo)).
sort(square, board).
sort(lamp, listed).   member(lamp, (king; knight; black_rook; black_bishop; ring; sun)).
sort(spot, listed).   member(spot, spot(1..9)).
sort(many, listed).   member(many, (eight; nine)).
sort(flag, listed).   member(flag, (yes; no)).
fluent(turn, (), player, given).
fluent(lamp, (square,), lamp, none). written(lamp, (lamps, by(1))).
fluent(lit, (spot,), flag, no).
fluent(noted, (), flag, no).         backstage(noted).
action(dowse, (player, many)).
action(note, (player,)).
named(king, "The Great King"). named(black_rook, "Tour d’Ébène"). named(anna, "Anna the Swift").
document(sheet, "A sheet").
rule(lmp_01). title(lmp_01, "Dowsing"). says(lmp_01, "Lamps are dowsed."). status(lmp_01, stated).
source(lmp_01, sheet, "Play").
"""
ACTS = """
proposed(dowse(C, (eight; nine)), S, lmp_01) :- holds(turn, C, S).
proposed(note(C), S, lmp_01)                 :- holds(turn, C, S).
sets(noted, yes, T, lmp_01)        :- does(_, _, T).
clears(lit(spot(N)), T, lmp_01)    :- does(dowse(_, nine), _, T), N = 1..9.
clears(lit(spot(N)), T, lmp_01)    :- does(dowse(_, eight), _, T), N = 1..8.
drawn(mark(ring, "r"), P, S)       :- holds(lamp(P), ring, S).
drawn(mark(sun, "☀"), P, S)        :- holds(lamp(P), sun, S).
drawn(mark(M), P, S)               :- holds(lamp(P), M, S), M != ring, M != sun.
"""
LAMPS = "{a1: king, b1: knight, c1: ring, a2: black_rook, b2: black_bishop, c2: sun}"


@pytest.fixture
def lamps(tmp_path: Path) -> Path:
    for name, text in (("rules/game.lp", WORDS), ("encodings/play.lp", ACTS)):
        path = tmp_path / "lamps" / name
        path.parent.mkdir(parents=True)
        path.write_text(text, "utf-8")
    lit = ", ".join(f"spot({n}): yes" for n in range(1, 10))
    path = tmp_path / "lamps" / "now.yaml"
    path.write_text(f"ruleset: .\nturn: anna\nlamps: {LAMPS}\nlit: {{{lit}}}\n", "utf-8")
    return path


def test_many_clearings_are_counted(lamps: Path, pymorph: Run) -> None:
    """Nine of one fluent are told in one line, eight one by one; bookkeeping not at all."""
    code, out, _ = pymorph("apply", lamps, "dowse(anna, nine)")
    assert (code, out.splitlines()) == (
        0,
        ["dowse(anna, nine)", "  reset:  lit 9 times  [lmp_01]", "", "now: turn anna"],
    )
    code, out, _ = pymorph("apply", lamps, "dowse(anna, eight)")
    assert [line.split()[0] for line in out.splitlines()[1:9]] == [
        f"lit(spot({n})):" for n in range(1, 9)
    ]
    assert "noted" not in out
    code, out, _ = pymorph("apply", lamps, "dowse(anna, nine)", "--all")
    assert len(out.splitlines()) == 1 + 10 + 2
    assert "  noted:         no -> yes  [lmp_01]" in out.splitlines()
    changes = json.loads(pymorph("apply", lamps, "dowse(anna, nine)", "--json")[1])
    assert len(changes["changes"]) == 10


def test_nothing_but_bookkeeping(lamps: Path) -> None:
    found = application.apply(Position.load(str(lamps)), "note(anna)")
    assert answers.outcome(found) == ["note(anna)", "", "now: turn anna"]
    assert answers.outcome(found, everything=True)[1] == "  noted:  no -> yes  [lmp_01]"


def test_signs_and_names(lamps: Path, pymorph: Run, tmp_path: Path) -> None:
    """Two letters where one is taken, small letters as they are given, titles in the legend."""
    code, out, _ = pymorph("show", lamps)
    assert code == 0
    legend = [line for line in out.splitlines() if line.startswith("  ")]
    for told in ("Ki  The Great King", "Kn  knight", "Br  Tour d’Ébène", "Bb  black_bishop"):
        assert f"  {told}" in legend
    assert "  r  ring" in legend
    assert "  ☀  sun" in legend
    picture = tmp_path / "lamps.svg"
    assert pymorph("show", lamps, "--svg", picture)[0] == 0
    text = picture.read_text("utf-8")
    assert "The Great King at a1" in text
    assert "Knight at b1" in text


def test_ascii(lamps: Path, pymorph: Run) -> None:
    """Signs, grounds and titles of any game are told in ASCII, where that is asked for."""
    code, out, _ = pymorph("show", lamps, "--ascii")
    assert code == 0
    assert out.isascii()
    assert out.startswith("Lampes a huile - l'ete: turn anna")
    assert "  S  sun" in out.splitlines()
    assert "T Pierre levee" in out
    assert not pymorph("show", lamps)[1].isascii()


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
