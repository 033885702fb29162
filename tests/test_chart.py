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


def test_map() -> None:
    """Where all places have a spot, each is drawn there, with its ground, its marks, and all who
    are there; what is drawn in characters stays as it is."""
    start = Position.load(str(EXAMPLES / "rulesets" / "diplomacy" / "positions" / "start.yaml"))
    picture = start.draw()
    words = start.ruleset.vocabulary
    areas = {area.term: area for area in picture.areas}
    members = {
        str(member) for sort in ("province", "coast") for member in words.sorts[sort].members
    }
    assert areas.keys() == words.located.keys() == members
    assert areas["vie"].title == "Vienna: Austria's army, Austria's centre, Inland"
    assert areas["stp_sc"].title == "St Petersburg (south coast): Russia's fleet, Coastal"
    assert areas["nth"].title == "North Sea: empty, Sea"
    for area in areas.values():  # no spot lies on another
        x, y = area.box[:2]
        near = [a for a in areas.values() if abs(a.box[0] - x) < 28 and abs(a.box[1] - y) < 28]
        assert near == [area]
    (west, _, *_), (east, _, *_) = areas["por"].box, areas["arm"].box
    (_, north, *_), (_, south, *_) = areas["bar"].box, areas["tun"].box
    assert (west < east, north < south) == (True, True)
    space = "{http://www.w3.org/2000/svg}"
    root = ET.fromstring(picture.svg)
    names = [e.text for e in root.iter(f"{space}text") if e.get("class") == "name halo"]
    assert "Vienna" in names
    ways = [e for e in root.iter(f"{space}line") if e.get("class") == "route"]
    assert {bool(way.get("stroke-dasharray")) for way in ways} == {False, True}
    signs = [str(e.text)[0] for e in root.iter(f"{space}text") if "initial" in e.get("class", "")]
    assert (signs.count("A"), signs.count("F")) == (13 + 7, 9 + 7)  # and the kinds in the legend
    assert "Vienna" not in picture.text


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
