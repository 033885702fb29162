"""Positions as pictures: boards in characters and as SVG, and what lies before each player."""

import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest
from clingo import parse_term

from pymorph.errors import InputError, RulesetError, UnknownName
from pymorph.questions.board.drawing import drawn
from pymorph.questions.board.sight import sight
from pymorph.state.position import Position
from pymorph.views.lines import sight as sight_views
from pymorph.views.pictures import ascii, labels, svg, svg_file
from pymorph.views.pictures.ascii import bar
from pymorph.views.pictures.measures import Measure
from pymorph.views.pictures.overlay import NOTHING
from pymorph.views.pictures.scene import PictureScene, scene_of
from pymorph.views.pictures.style import HUES, TINTS, look_of
from pymorph.views.pictures.svg import short_lines
from pymorph.views.pictures.turn_order_svg import Strip
from tests.conftest import EXAMPLES, position_of
from tests.tables import parametrized, tables
from tests.test_text import MARKS, moored

RULESETS = EXAMPLES / "rulesets"
SVG = "{http://www.w3.org/2000/svg}"

DUEL = tables(__name__)["duel"]


@pytest.fixture(scope="module")
def duel() -> Position:
    return Position.parse(DUEL)


def drawn_scene(position: Position) -> PictureScene:
    return scene_of(position, drawn(position))


def board_svg(position: Position, *names: str) -> str:
    over = NOTHING
    if names:
        over = sight_views.laid_over(sight(position, *names).lines[0], position)
    return svg.board_svg(replace(drawn_scene(position), overlay=over))


def texts(root: ET.Element, tag: str) -> list[str]:
    return [element.text or "" for element in root.iter(SVG + tag)]


def kinds(root: ET.Element) -> list[str]:
    return [kind for element in root.iter() for kind in element.get("class", "").split()]


# In characters


def test_style_sets_off_walls_and_pieces(duel: Position) -> None:
    found = ascii.surface_text(drawn_scene(duel), style=MARKS)
    assert found[0] == "  <b>▸ baganal</b>  · lathana  · orm"
    assert found[3] == "        <d>a</d>     <d>b</d>     <d>c</d>"
    assert found[7] == "<d>  2</d>     .     .  <x>┃</x> <b>L↙</b>"


@pytest.mark.parametrize(
    ("measure", "told"),
    [
        (Measure(6, 10, {2, 5, 10}, {10}), "##|###|#....! of 10"),
        (Measure(2, 4, {2, 4}, {2}), "##!.. of 4"),
        (Measure(0, 3), "... of 3"),
        (Measure(45, 60), "45/60"),
    ],
)
def test_bar(measure: Measure, told: str) -> None:
    assert bar(measure, plain=True) == told


@parametrized
def test_labels(names: list[str], told: list[str]) -> None:
    assert list(labels.labels_of(names).values()) == told


def test_labels_beside_signs() -> None:
    """What a ruleset writes itself is taken; a small letter is another sign."""
    assert labels.labels_of(["king", "rook"], ["K", "r"]) == {"king": "Ki", "rook": "R"}
    assert labels.labels_of(["king", "rook"], []) == {"king": "K", "rook": "R"}


# What the ruleset draws


def test_stage_of_any_ruleset() -> None:
    position = moored()
    found = scene_of(
        position,
        [(parse_term(what), parse_term(where)) for what, where in tables(__name__)["stages"]],
    )
    assert found.grounds[parse_term("b2")] == "lamp_oil"
    assert {tuple(map(str, pair)): label for pair, label in found.walls.items()} == {
        ("a1", "b1"): "gate",
        ("b1", "b2"): "rope",
        ("a1", "a2"): "chain",
    }
    assert [(piece.name, piece.mark, str(piece.place)) for piece in found.pieces] == [
        ("buoy", True, "c1")
    ]
    assert found.measures == {parse_term("rowed(anna)"): Measure(2, 5, {3})}
    assert found.usual == "water"


@pytest.mark.parametrize("where", ["z9", "corner(a1, z9)", "way(a1, z9)", "5", "nowhere(a1)"])
def test_drawn_where_nothing_can_be(where: str) -> None:
    with pytest.raises(RulesetError, match="is not on the board"):
        scene_of(moored(), [(parse_term("token(anna)"), parse_term(where))])


def test_morphyry_draws_every_token_once(duel: Position) -> None:
    stage = drawn_scene(duel)
    assert sorted(piece.name for piece in stage.pieces) == ["baganal", "lathana", "orm"]
    assert {str(place) for place in stage.solid} == {"c3", "b1"}
    assert {str(place) for place in stage.bare} == {"c1"}
    assert stage.measures[parse_term("die(lathana,main)")] == Measure(4, 7)


# Who has a turn after whom


def courtyard(name: str) -> PictureScene:
    return drawn_scene(Position.load(str(EXAMPLES / "courtyard" / f"{name}.yaml")))


def test_a_line_of_turns_fits() -> None:
    (wide,) = Strip(courtyard("resolving"), 400).rows
    first, *_, last = Strip(courtyard("resolving"), 200).rows
    assert [turn.name for turn, _ in wide] == ["bryn", "cole", "ash", "dara"]
    assert (first[0][0].name, last[-1][0].name) == ("bryn", "dara")


def test_turns_in_a_picture() -> None:
    """Told apart without colours, and all of it in words."""
    root = ET.fromstring(svg.board_svg(courtyard("closing_in")))
    assert kinds(root).count("turn") == 4
    assert (kinds(root).count("tick"), kinds(root).count("now")) == (3, 1)
    assert kinds(root).count("dot") == 19
    assert {"Cole 1/2: has acted", "Dara: acting now"} <= set(texts(root, "title"))
    note = "Turns: tick mark: has acted; thick frame: acting now"
    assert note in texts(root, "text")
    (description,) = texts(root, "desc")
    assert (
        ". Turns: Bryn (has acted), Cole 1/2 (has acted), Ash (has acted), Dara (acting now). "
        in (description)
    )


def test_no_such_turn() -> None:
    with pytest.raises(RulesetError, match="cannot draw token"):
        scene_of(moored(), [(parse_term("token(anna)"), parse_term("line(1,anna)"))])


# As SVG


def test_svg_has_everything_on_the_board(duel: Position) -> None:
    root = ET.fromstring(board_svg(duel))
    assert root.tag == f"{SVG}svg"
    assert root.get("role") == "img"
    told = texts(root, "title")
    assert told[0] == "Morphyry Card Game: turn baganal, phase advance"
    assert set(tables(__name__)["on_the_board"]) <= set(told)
    (description,) = texts(root, "desc")
    assert description == tables(__name__)["told"]
    letters = [t.text for t in root.iter(f"{SVG}text") if "initial" in t.get("class", "")]
    assert sorted(map(str, letters)) == ["B", "B", "L", "L", "O", "O"]
    assert {"Old Tree", "Well", "Altar of Khourn"} <= set(texts(root, "text"))
    assert kinds(root).count("wall") == 3 + 2, "and one of each kind in the legend"
    assert kinds(root).count("bare") == 1


def test_svg_stands_alone(duel: Position) -> None:
    found = board_svg(duel, "baganal", "lathana")
    assert board_svg(duel, "baganal", "lathana") == found
    assert not re.search(r"<script|href|@import|url\((?!#solid\))|\bon\w+=", found)
    assert found.count("http") == 1  # the name of the format
    root = ET.fromstring(found)
    width, height = (float(root.get(name, "")) for name in ("width", "height"))
    assert root.get("viewBox") == f"0 0 {width:.0f} {height:.0f}"
    for element in root.iter():
        for name in ("x", "x1", "x2", "cx"):
            assert 0 <= float(element.get(name, "0")) <= width
        for name in ("y", "y1", "y2", "cy"):
            assert 0 <= float(element.get(name, "0")) <= height


def test_svg_has_a_style_for_each_kind(duel: Position) -> None:
    light, dark = svg_file.SHEET.split("@media screen and (prefers-color-scheme: dark)")
    for kind in set(kinds(ET.fromstring(board_svg(duel, "baganal", "orm")))):
        assert re.search(rf"\.{kind}\b", light)
    for number in range(HUES):
        assert f".hue{number} " in light
        assert f".hue{number} " in dark
    for number in range(TINTS):
        assert f".tint{number} " in light
        assert f".tint{number} " in dark


@parametrized
def test_svg_two_sides_are_two_tones(file: str, sides: dict[str, str]) -> None:
    """One is filled and one a ring, called a shade it has that; the legend has both."""
    root = ET.fromstring(board_svg(Position.load(str(EXAMPLES / "rulesets" / file))))
    found: dict[str, set[str]] = {}
    for group in root.iter(f"{SVG}g"):
        for disc in (*group.iter(f"{SVG}circle"), *group.iter(f"{SVG}text")):
            found.setdefault(str(group[0].text).split(":")[0], set()).add(disc.get("class", ""))
    assert found == {side: {kind} for side, kind in sides.items()}
    notes = [text.text for text in root.iter(f"{SVG}text") if text.get("class") == "note"]
    assert set(notes) == set(sides)


def test_svg_of_declared_looks() -> None:
    """A sign alone for a mark, on a disc for a token; colours by name or by digits, in the legend
    as on the board."""
    root = ET.fromstring(board_svg(Position.load(str(RULESETS / "chess/positions/endgame.yaml"))))
    kings = [e for e in root.iter(f"{SVG}text") if e.text == f"♚{svg_file.AS_TEXT}"]
    assert {king.get("class") for king in kings} == {"glyph white", "glyph black"}
    places = [e for e in root.iter(f"{SVG}rect") if "own" in e.get("class", "").split()]
    colours = {(e.get("class", "").split()[0], e.get("color")) for e in places}
    both = {"#f0d9b5", "#b58863"}
    assert colours == {(kind, colour) for kind in ("cell", "swatch") for colour in both}
    root = ET.fromstring(board_svg(Position.load(str(RULESETS / "draughts/positions/start.yaml"))))
    assert "glyph" not in kinds(root)
    assert kinds(root).count("white") == 12 + 1


def test_looks_of_sides() -> None:
    """A declared colour is a side's; every second side has a ring, whatever its colour."""
    blue, own = look_of("anna", 0, "blue"), look_of("bea", 1, "#e5b520")
    assert (blue.hue, blue.ring, blue.paint) == ("hue0", False, {})
    assert (own.hue, own.ring, own.paint) == ("own", True, {"color": "#e5b520"})
    assert look_of("cy", 0, "#e5b520").letters == "initial on_white"
    assert look_of("cy", 0, "#20252b").letters == "initial"
    assert look_of("black", 1).disc == "black"


def test_grounds_have_the_same_colour_in_every_picture() -> None:
    """Whatever else is there: by declaration, or by the order of the vocabulary."""
    seen: dict[str, set[tuple[str, str]]] = {}
    for name in ("gorge", "lawn", "full_table", "wall", "hexes"):
        scene = drawn_scene(Position.load(str(EXAMPLES / "field" / f"{name}.yaml")))
        for label, look in scene.ground_looks.items():
            if label != scene.usual:
                seen.setdefault(label, set()).add(look)
    assert {label for label, looks in seen.items() if len(looks) > 1} == set()
    assert seen["water"] == {("tint1", "")}


def test_svg_lines_between_places() -> None:
    """Each goes from the middle of a place to that of another, and is told in words."""
    start = EXAMPLES / "rulesets" / "nine_mens_morris" / "positions" / "start.yaml"
    root = ET.fromstring(board_svg(Position.load(str(start))))
    lines = [line for line in root.iter(f"{SVG}line") if line.get("class") == "wall"]
    assert len(lines) == 32
    assert str(root.findtext(f"{SVG}desc")).count("-") == 32
    assert "Lines a1-a4, a1-d1, a4-a7" in str(root.findtext(f"{SVG}desc"))


def test_svg_legend_tells_how_far_things_have_come() -> None:
    data = Position.load(str(EXAMPLES / "clearing" / "in_reach.yaml")).data()
    data["figures"]["rook"]["lost"] = {"hits": 2}
    root = ET.fromstring(board_svg(position_of(data)))
    notes = ["".join(text.itertext()) for text in root.iter(f"{SVG}text")]
    assert "Rook (foxes): i4, facing west; lost hits 2 of 3" in notes


def test_svg_legend_has_every_mark(duel: Position) -> None:
    root = ET.fromstring(board_svg(duel))
    notes = [str(text.text) for text in root.iter(f"{SVG}text") if text.get("class") == "note"]
    assert notes[-4:] == tables(__name__)["legend"]


def test_svg_escapes() -> None:
    position = moored("captains:", "reef: {c1: salt_cod}\ncaptains:")
    found = board_svg(position)
    assert "Ferries &amp; Fares" in found
    assert "Salt &lt;Cod&gt;" in found
    assert "<Cod>" not in found
    root = ET.fromstring(found)
    assert "c1: Salt <Cod>" in texts(root, "title")


def test_svg_sight_that_is_blocked(duel: Position) -> None:
    root = ET.fromstring(board_svg(duel, "baganal", "lathana"))
    told = "Sight from Baganal to Lathana: blocked by card b1, wall b2-c2 [mor_rng_09~]"
    assert told in texts(root, "text")
    assert told in texts(root, "desc")[0]
    blocks = [e.tag.removeprefix(SVG) for e in root.iter() if e.get("class") == "block"]
    assert sorted(blocks) == ["line", "rect"]
    lines = [e.get("class", "") for e in root.iter(SVG + "line")]
    assert [kind for kind in lines if kind in ("line free", "line met")] == [
        "line free",
        "line met",
    ]


def test_svg_sight_blocked_at_a_corner() -> None:
    position = Position.parse(
        DUEL.replace("{a3: altar_of_khourn}", "{a3: well, b2: old_tree}")
        .replace("at: a1", "at: a2")
        .replace("at: c2\n", "at: b3\n")
    )
    root = ET.fromstring(board_svg(position, "baganal", "lathana"))
    assert "blocked by corner b2-a3" in texts(root, "desc")[0]
    blocks = [element for element in root.iter() if element.get("class") == "block"]
    assert [element.tag for element in blocks] == [f"{SVG}circle"]
    across, down = (
        {float(e.get(name, "")) for e in root.iter() if "cell" in e.get("class", "")}
        for name in ("x", "y")
    )
    assert float(blocks[0].get("cx", "")) == sorted(across)[1]
    assert float(blocks[0].get("cy", "")) == sorted(down)[1]


def test_svg_sight_that_is_clear(duel: Position) -> None:
    root = ET.fromstring(board_svg(duel, "lathana", "orm"))
    assert "Sight from Lathana to Orm: clear [mor_rng_09~]" in texts(root, "text")
    assert "block" not in kinds(root)
    assert "free" in kinds(root)


def test_svg_refuses_what_it_cannot_draw(duel: Position) -> None:
    with pytest.raises(UnknownName, match="ulf"):
        board_svg(duel, "baganal", "ulf")
    with pytest.raises(InputError, match="this position has no sight"):
        board_svg(duel, "baganal", "baganal")
    fork = Position.load(str(EXAMPLES / "rulesets" / "tictactoe" / "positions" / "fork.yaml"))
    with pytest.raises(InputError, match="has no rule that says who sees whom"):
        board_svg(fork, "x", "o")
    boardless = Position.parse(DUEL.replace(DUEL[DUEL.index("board") : DUEL.index("turn")], "")
        .replace("laid: {a3: altar_of_khourn}\n", "")
        .replace("walled: {a1: {north: temple_wall}}\n", "")
        .replace("at: a1, ", "").replace("    at: c2\n", "").replace("at: c2, ", ""))  # fmt: skip
    with pytest.raises(InputError, match="no board"):
        board_svg(boardless)


def test_svg_of_a_large_board_keeps_its_proportions() -> None:
    rows = "\n".join("  " + " ".join("." * 40) for _ in range(40))
    position = Position.parse(
        f"ruleset: morphyry\nboard: |\n{rows}\nturn: anna\nphase: advance\n"
        "characters:\n  anna: {at: an40, facing: west}\n"
    )
    root = ET.fromstring(board_svg(position))
    assert kinds(root).count("cell") == 1600
    assert len(ascii.surface_text(drawn_scene(position))) == 1 + 81 + 1 + 2


@parametrized
def test_names_in_cells_are_short_lines(name: str, width: int, told: list[str]) -> None:
    assert short_lines(name, width) == told
