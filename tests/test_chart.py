"""Places and the ways between them, in lines and as a picture."""

import xml.etree.ElementTree as ET

import pytest
from clingo import parse_term

from pymorph.errors import InputError
from pymorph.state.position import Position
from pymorph.views.layout import PLAIN
from pymorph.views.pictures import ascii
from pymorph.views.pictures.chart import Chart, chart_lines, chart_of
from pymorph.views.pictures.scene import scene_of
from pymorph.views.pictures.svg import board_svg as board_svg_of
from tests.conftest import EXAMPLES, position_of
from tests.tables import tables
from tests.test_render import board_svg, drawn_scene


def drawn_chart(*drawn: str) -> Chart | None:
    pairs = [parse_term(f"({text})").arguments for text in drawn]
    return chart_of((what, where) for what, where in pairs)


HOUSE = tables(__name__)["house"]


def test_lines() -> None:
    """Each place with where one gets from it and who is where; a pair is told once."""
    chart = drawn_chart(*HOUSE)
    assert chart is not None
    lines = chart_lines(chart, plain=True, style=PLAIN)
    text = [line.rstrip() for line in lines]
    assert "  attic  -> hall (climb), yard (drop)" in text
    assert "  hall   -> yard, attic (climb)" in text
    assert "  yard   -> hall" in text  # nobody drops upward
    assert "           1: Anna, Bo" in text
    assert "           2: nobody" in text
    assert "           Cy" in text  # the one room of a place needs no number
    assert text[-1] == "  In reach: Anna and Bo"


def test_order() -> None:
    """From one end of what hangs together to the other; what stands alone comes by itself."""
    chart = drawn_chart(
        *(f"empty, room({p}, 1)" for p in "abcd"), "both, way(c, a)", "both, way(a, d)",
        "both, way(b, nowhere)",
    )  # fmt: skip
    assert chart is not None
    assert chart.places in (["c", "a", "d", "b"], ["d", "a", "c", "b"])
    assert chart.ways_from("b") == []


def test_nothing_to_draw() -> None:
    assert drawn_chart() is None
    assert drawn_chart("both, way(a, b)") is None


def test_picture() -> None:
    """One line has a head, and who is called otherwise than its side has it in the legend."""
    pairs = [
        parse_term(f"({text})").arguments for text in (*HOUSE, "side(bo, foes), room(hall, 1)")
    ]
    scene = scene_of(Position.load(str(EXAMPLES / "yard" / "start.yaml")), pairs)
    root = ET.fromstring(board_svg_of(scene))
    space = "{http://www.w3.org/2000/svg}"
    told = [element.text for element in root.iter(f"{space}title")]
    assert set(tables(__name__)["picture"]) <= {*told}
    assert "drop from attic to yard" in told
    arrows = [line for line in root.iter(f"{space}line") if line.get("marker-end")]
    assert len(arrows) == 1
    notes = [text.text for text in root.iter(f"{space}text") if text.get("class") == "note"]
    assert notes == ["In reach: Anna and Bo", "Arrow: one way only", "Foes"]
    boxes = [b for b in root.iter(f"{space}rect") if b.get("class") == "cell usual"]
    spans = [[float(b.get(key, 0)) for key in ("x", "y", "width", "height")] for b in boxes]
    assert len(spans) == 4
    for n, (x, y, wide, high) in enumerate(spans):
        for u, v, _, _ in spans[n + 1 :]:
            assert not (abs(x - u) < wide and abs(y - v) < high)


def yard() -> dict[str, object]:
    who = {"order": 1, "side": "heroes", "vitality": 5, "defence": 9, "at": "yard"}
    return {
        "ruleset": "actions_reactions",
        "round": 2,
        "turn": "kara",
        "zones": {"yard": {"to": {"loft": "climb"}}, "loft": {}},
        "characters": {"kara": who},
    }


def test_show() -> None:
    """A position without a board is shown as a chart; places with nothing else to say are left out
    of what lies before each.
    """
    lines = [
        line.rstrip() for line in ascii.position_text(drawn_scene(position_of(yard())), plain=True)
    ]
    assert "  yard  -> loft (climb)" in lines
    assert "          Kara" in lines
    assert "loft" not in lines
    assert "<svg" in board_svg(position_of(yard()))


def test_no_line_of_sight_is_drawn() -> None:
    with pytest.raises(InputError):
        board_svg(position_of(yard()), "kara", "kara")


def test_two_sides_are_two_tones() -> None:
    """Foes are filled, heroes rings; that is told in the legend."""
    root = ET.fromstring(board_svg(Position.load(str(EXAMPLES / "yard" / "start.yaml"))))
    tones: dict[str, set[str]] = {}
    for group in root.iter("{http://www.w3.org/2000/svg}g"):
        classes = [e.get("class", "") for e in group if e.tag.endswith("circle")]
        if classes:
            tones.setdefault(classes[0], set()).add(str(group[0].text))
    assert tones == {"hue0 ring": {"Grub", "Snag"}, "hue1 hollow": {"Bram", "Kara"}}
    assert {"Foes", "Heroes"} <= {e.text for e in root.iter("{http://www.w3.org/2000/svg}text")}
