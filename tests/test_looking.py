"""Who sees whom, and what is laid over a board: the queries, and how they are told."""

from dataclasses import replace
from pathlib import Path

import pytest
from clingo import Control, Function

from pymorph.dynamics.asking.batch import situation
from pymorph.explore.execution.application import apply
from pymorph.questions.board import overlays
from pymorph.questions.board.drawing import drawn
from pymorph.questions.board.sight import places_in, sight, viewers
from pymorph.questions.legality import legal_actions
from pymorph.state.position import Position
from pymorph.terms import Term, parse_symbol
from pymorph.views.lines import sight as text
from pymorph.views.pictures import ascii, overlay
from pymorph.views.pictures.overlay import Overlay, combined
from pymorph.views.pictures.scene import scene_of
from pymorph.views.pictures.svg import board_svg
from tests.conftest import EXAMPLES, Run
from tests.test_cli import completed

WALL = EXAMPLES / "field" / "wall.yaml"
TABLE = EXAMPLES / "field" / "full_table.yaml"
BLOCKED = EXAMPLES / "positions" / "blocked_shot.yaml"
YARD = EXAMPLES / "yard" / "start.yaml"
CLOSING_IN = EXAMPLES / "courtyard" / "closing_in.yaml"


def at(path: Path) -> Position:
    return Position.load(str(path))


@pytest.fixture(scope="module")
def wall() -> Position:
    return at(WALL)


def drawing(position: Position, over: Overlay) -> list[str]:
    scene = replace(scene_of(position, drawn(position)), overlay=over)
    return ascii.position_text(scene, plain=True)


def row(lines: list[str], number: int) -> str:
    return next(line for line in lines if line.strip().startswith(f"{number} "))


# Sight


def test_all_lines_are_as_each_alone(wall: Position) -> None:
    for line in sight(wall, everything=True).lines[::5]:
        [alone] = sight(wall, line.viewer, line.other).lines
        assert alone._replace(passes=(), before=0) == line


def test_a_name_that_is_a_place_as_well() -> None:
    position = Position.parse(
        WALL.read_text().replace("ada:", "c1:").replace("active: ada", "active: c1")
    )
    base = Term(parse_symbol("base(c1, c6)"))
    assert [*map(str, places_in(position, base))] == ["c6"]
    assert [*map(str, places_in(position, Term(parse_symbol("card(c1)"))))] == ["c1"]
    assert text.met_one(base, position) == "base c1 c6"


def test_no_lines_in_words(wall: Position) -> None:
    assert text.sight(sight(wall)._replace(lines=()), wall) == ["no lines of sight here"]


@pytest.mark.campaign
def test_twenty_a_side_in_two_tables() -> None:
    position = at(TABLE)
    answer = sight(position)
    assert len(answer.lines) == 800
    lines = text.sight(answer, position)
    heads = [line.split() for line in lines if line.split()[:2] in (["R1", "R2"], ["B1", "B2"])]
    assert heads == [[f"{side}{n}" for n in range(1, 21)] for side in "RB"]
    rows = [line.split()[0] for line in lines if line.startswith(("  red", "  blue"))]
    assert rows == [f"{side}{n}" for side in ("blue", "red") for n in range(1, 21)]


# What is laid over a board


def test_reach_is_where_legal_moves_lead(wall: Position) -> None:
    for position, who, place in ((wall, "ada", 2), (at(CLOSING_IN), "dara", 1)):
        goals = {goal.place for goal in overlays.reach(position, who).goals}
        moves = (a for a in legal_actions(position) if a.name == "move" and a.actor == who)
        assert goals == {str(action.arguments[place]) for action in moves}


def test_a_wall_ends_a_zone() -> None:
    position = Position.parse(
        WALL.read_text().replace("at: g4, facing: west", "at: i6, facing: east")
    )
    zone = {danger.place for danger in overlays.threat(position, "gar").dangers}
    assert {"j6", "j5", "k4", "i8"} <= zone
    assert zone.isdisjoint({"k5", "k6"})
    freely = position.with_rulings({"strike_sight": "reach_alone"})
    assert "k6" in {danger.place for danger in overlays.threat(freely, "gar").dangers}


def test_a_template_tells_places_from_those_who_are_called_so(wall: Position) -> None:
    plain = overlays.template(wall, "cone(hex, 6, 3, west)")
    for name, called in (("finn", "a1"), ("dell", "j6")):
        other = Position.parse(WALL.read_text().replace(f"{name}:", f"{called}:"))
        found = overlays.template(other, "cone(hex, 6, 3, west)")
        assert found.places == plain.places
        assert found.inside == (("a1",) if name == "finn" else ("finn",))


def test_a_way_leads_step_by_step(wall: Position) -> None:
    way = overlays.route(wall, "move(ada, walk, f7)")
    assert way.places[0] == "c6"
    assert way.places[-1] == "f7"
    assert way.rules == ("qsr_move_02",)
    board = wall.board
    assert board is not None
    spots = {str(Term(place)): point for place, point in board.coordinates.items()}
    for one, other in zip(way.places, way.places[1:], strict=False):
        (x, y), (u, v) = spots[one], spots[other]
        assert max(abs(x - u), abs(y - v)) == 1
    after = apply(wall, "move(ada, walk, f7)").position
    assert after.value("moved(ada)") == len(way.places) - 1


def test_one_picture_of_all(wall: Position) -> None:
    over = combined(
        [
            text.laid_over(sight(wall, "dell", "hex").lines[0], wall),
            overlay.of_reach(overlays.reach(wall, "ada"), wall),
            overlay.of_template(overlays.template(wall, "cone(hex, 6, 3, west)"), wall),
            overlay.of_route(overlays.route(wall, "move(ada, walk, f7)"), wall),
        ]
    )
    found = board_svg(replace(scene_of(wall, drawn(wall)), overlay=over))
    for kind in ("pace0", "pace1", "covered", "way", "line met", "line free", "shelter", "lost"):
        assert f'class="{kind}"' in found
    assert 'fill="url(#risk)"' in found
    for line in over.notes:
        assert line in found


def test_a_large_board_has_its_legend_in_columns() -> None:
    position = at(TABLE)
    found = board_svg(scene_of(position, drawn(position)))
    wide, high = map(float, found.partition('viewBox="0 0 ')[2].partition('"')[0].split())
    assert max(wide, high) < 2000
    for ground in ("Wall", "Water", "Kerb", "Hedgerow"):
        assert f">{ground}</text>" in found


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (f"sight {WALL} d", ["dell"]),
        (f"sight {WALL} dell h", ["hex"]),
        (f"show {WALL} --reach r", ["rook"]),
        (f"show {WALL} --threat fo", ["foxes"]),
        (f"show {WALL} --template c", ["circle(", "cone("]),
        (f"show {WALL} --path drop(ada,", ["drop(ada, crossbow)", "drop(ada, sword)"]),
    ],
)
def test_completion_of_what_is_looked_at(
    words: str, expected: list[str], monkeypatch: pytest.MonkeyPatch, pymorph: Run
) -> None:
    assert sorted(completed(f"pymorph {words}", monkeypatch, pymorph)) == expected


def test_what_is_looked_at_goes_in_no_circle() -> None:
    """Every atom is a fact once it is grounded, also in the whole of the rules."""
    for path in (WALL, CLOSING_IN, BLOCKED):
        position = at(path)
        words, here = position.ruleset.vocabulary, situation(0)
        kinds = [kind for kind, _ in (words.sight, words.cover) if kind]
        ones, others = viewers(position)
        asked = [
            Function("wanted", [Function(kind, [one, other]), here])
            for kind in kinds
            for one in ones
            for other in others
        ]
        asked.append(Function("surveying", [here]))
        everybody = overlays.everybody(position)
        over = [Function("threat_of", [member, here]) for member in everybody]
        for text_of_it in ("cone(hex, 6, 3, west)", "circle(h6, 4)", "burst(dell, grenade, c6)"):
            over.append(Function("area_of", [parse_symbol(text_of_it), here]))
        over += [Function("route_of", [action.symbol, here]) for action in legal_actions(position)]
        forecast = position.ruleset.slices["forecast"].of_figures(frozenset(kinds))
        slices = position.ruleset.slices
        parts = ((forecast, asked), (slices["overlay"], over), (slices["reach"], []))
        for part, facts in parts:
            control = Control(["--warn=none"])
            control.add("base", [], part.text)
            with control.backend() as backend:
                for fact in [*position.facts(here), *facts]:
                    backend.add_rule([backend.add_atom(fact)])
            control.ground([("base", [])], context=position.geometry)
            assert [str(a.symbol) for a in control.symbolic_atoms if not a.is_fact] == []
