"""Who sees whom, and what is laid over a board: the queries, and how they are told."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from clingo import Control, Function

from pymorph.dynamics.asking.batch import situation
from pymorph.errors import InputError, UnknownName
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
from tests.conftest import EXAMPLES
from tests.test_cli import completed

Run = Callable[..., tuple[int, str, str]]
WALL = EXAMPLES / "field" / "wall.yaml"
TABLE = EXAMPLES / "field" / "full_table.yaml"
BLOCKED = EXAMPLES / "positions" / "blocked_shot.yaml"
YARD = EXAMPLES / "yard" / "start.yaml"
CLOSING_IN = EXAMPLES / "courtyard" / "closing_in.yaml"
FORK = EXAMPLES / "rulesets" / "tictactoe" / "positions" / "fork.yaml"


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


def test_what_stops_a_line_comes_in_its_order(wall: Position) -> None:
    [line] = sight(wall, "dell", "hex").lines
    assert (line.viewer, line.other, line.sight, line.free) == ("dell", "hex", "blocked", False)
    assert [*map(str, line.stopped_by)] == ["base(ada, c6)", "base(finn, h6)", "terrain(wall, j6)"]
    assert [*map(str, line.sheltered_by)] == ["terrain(low_wall, e6, f6)", "terrain(wall, j6)"]
    assert line.rules == ("qsr_main_11", "qsr_obst_16")
    assert (line.cover, line.cover_rules) == ("several", ("qsr_obst_15",))
    assert line.passes == tuple(f"{letter}6" for letter in "abcdefghijk")
    assert line.before == 2
    [back] = sight(wall, "hex", "dell").lines
    assert str(back.stopped_by[0]) == "terrain(wall, j6)"
    assert back.json()["first"] == "terrain(wall, j6)"


def test_a_free_line(wall: Position) -> None:
    [line] = sight(wall, "bo", "gar").lines
    assert (line.sight, line.free, line.stopped_by, line.cover) == ("clear", True, (), "open")
    assert line.before == len(line.passes) == 6
    assert line.json()["first"] is None


def test_which_lines_are_told(wall: Position) -> None:
    watch, foxes = {"ada", "bo", "dell"}, {"finn", "gar", "hex", "rook"}
    pairs = {(line.viewer, line.other) for line in sight(wall).lines}
    assert pairs == {(a, b) for a in watch for b in foxes} | {(b, a) for a in watch for b in foxes}
    assert len(sight(wall, everything=True).lines) == 7 * 6
    assert {line.viewer for line in sight(wall, "finn").lines} == {"finn"}
    assert {line.other for line in sight(wall, "finn").lines} == (watch | foxes) - {"finn"}


def test_all_lines_are_as_each_alone(wall: Position) -> None:
    for line in sight(wall, everything=True).lines:
        [alone] = sight(wall, line.viewer, line.other).lines
        assert alone._replace(passes=(), before=0) == line


def test_names_as_they_are_printed_and_misspelt(wall: Position) -> None:
    assert sight(wall, "Dell", "Hex").lines == sight(wall, "dell", "hex").lines
    with pytest.raises(UnknownName, match="unknown name 'del'; did you mean 'dell'"):
        sight(wall, "del", "hex")
    with pytest.raises(UnknownName, match="did you mean 'hex'"):
        sight(wall, "dell", "hexx")
    with pytest.raises(InputError, match=r"this position has no sight\(dell, dell\)"):
        sight(wall, "dell", "dell")


def test_games_that_say_it_otherwise() -> None:
    [line] = sight(at(BLOCKED), "baganal", "lathana").lines
    assert [*map(str, line.stopped_by)] == ["wall(c2, d2)", "card(d2)"]
    assert (line.before, line.cover, line.free) == (3, "", False)
    seen = {(line.viewer, line.other): line.sight for line in sight(at(YARD)).lines}
    assert set(seen.values()) == {"seen"}
    assert ("kara", "bram") not in seen, "they are on one side"
    [line] = sight(at(CLOSING_IN), "ash", "dara").lines
    assert (line.sight, line.free, line.passes) == ("clear", True, ("g4", "h3"))
    with pytest.raises(InputError, match=r"Tic-tac-toe has no rule that says who sees whom"):
        sight(at(FORK))


def test_a_name_that_is_a_place_as_well() -> None:
    position = Position.parse(
        WALL.read_text().replace("ada:", "c1:").replace("active: ada", "active: c1")
    )
    base = Term(parse_symbol("base(c1, c6)"))
    assert [*map(str, places_in(position, base))] == ["c6"]
    assert [*map(str, places_in(position, Term(parse_symbol("card(c1)"))))] == ["c1"]
    assert text.met_one(base, position) == "base c1 c6"


def test_lines_in_words(wall: Position) -> None:
    lines = text.sight(sight(wall, "bo", "gar"), wall)
    assert lines == [
        "Quick Start Skirmish: active ada",
        "",
        "  bo to gar  clear [qsr_main_09]; no cover [qsr_obst_10]",
    ]
    assert text.sight(sight(wall)._replace(lines=()), wall) == ["no lines of sight here"]


def test_a_table_of_lines(wall: Position) -> None:
    lines = text.sight(sight(wall, everything=True), wall)
    assert lines[2].split() == ["A", "B", "D", "F", "G", "H", "R"]
    assert "  dell ● ●   · ● · ◐" in lines
    assert lines[-1] == "28 of 42 lines are free, 8 of them with cover"


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


def test_a_line_in_characters(wall: Position) -> None:
    lines = drawing(wall, text.laid_over(sight(wall, "dell", "hex").lines[0], wall))
    signs = "6  *D:e*  *.*  !A:e!  -.-   -.- | -.-   -.-  -F:w-  -.-   -#-  -H:w-   ."
    assert row(lines, 6).split() == signs.split()
    assert "* * free line" in " ".join(lines)
    assert any(
        line.startswith("  Sight from Dell to Hex: blocked by base ada c6,") for line in lines
    )


def test_reach_is_where_legal_moves_lead(wall: Position) -> None:
    answer = overlays.reach(wall, "ada")
    moves = {str(a.arguments[2]) for a in legal_actions(wall) if a.name == "move"}
    assert {goal.place for goal in answer.goals} == moves
    assert answer.paces == ("walk", "run", "rush")
    paces = {goal.place: goal.paces for goal in answer.goals}
    assert paces["d6"] == ("walk", "run", "rush")
    assert paces["l6"] == ("run", "rush")
    rules = {goal.place: goal.rules for goal in answer.goals}
    assert rules["l6"] == ("qsr_move_03", "qsr_move_04")
    assert {who for danger in answer.dangers for who in danger.by} == {"gar", "rook"}
    lines = drawing(wall, overlay.of_reach(answer, wall))
    assert row(lines, 6).split()[:4] == ["6", "D:e", "1.", "A:e"]
    assert "2." in row(lines, 6)
    assert "1.!" in row(lines, 4)
    assert overlays.reach(wall, "bo").goals == ()
    assert drawing(wall, overlay.of_reach(overlays.reach(wall, "bo"), wall)).count(
        "  Bo cannot move now"
    )


def test_reach_of_another_game() -> None:
    position = at(CLOSING_IN)
    answer = overlays.reach(position, "dara")
    assert answer.paces == ("half",)
    assert {goal.place for goal in answer.goals} == {
        str(action.arguments[1]) for action in legal_actions(position) if action.name == "move"
    }
    assert {danger.by for danger in overlays.threat(position, "ash").dangers} == {("ash",)}
    way = overlays.route(position, "move(dara, i5)")
    assert (way.places, way.rules) == (("h3", "h4", "i5"), ("pha_move_12",))


def test_threat_of_one_and_of_a_side(wall: Position) -> None:
    one = overlays.threat(wall, "rook")
    assert {danger.place for danger in one.dangers} == {"h1", "h2", "h3", "i1", "i3"}
    assert {danger.rules for danger in one.dangers} == {("qsr_reach_01",)}
    side = overlays.threat(wall, "foxes")
    assert side.members == ("finn", "gar", "hex", "rook")
    assert {d.place for d in side.dangers} > {d.place for d in one.dangers}
    assert overlays.threat(wall, "finn").dangers == ()
    with pytest.raises(UnknownName, match="did you mean 'foxes'"):
        overlays.threat(wall, "foxs")
    told = overlay.of_threat(overlays.threat(wall, "finn"), wall).notes
    assert told == ("Finn: no place is threatened",)


@pytest.mark.parametrize(
    ("rulings", "places"),
    [
        ({}, {"i1", "h1", "h2", "h3", "i3"}),
        ({"half_reach": "half_reach_as_one"}, 11),
    ],
)
def test_a_zone_is_as_it_is_read(
    wall: Position, rulings: dict[str, str], places: set[str] | int
) -> None:
    found = {d.place for d in overlays.threat(wall.with_rulings(rulings), "rook").dangers}
    assert (len(found) if isinstance(places, int) else found) == places


def test_a_wall_ends_a_zone() -> None:
    position = Position.parse(
        WALL.read_text().replace("at: g4, facing: west", "at: i6, facing: east")
    )
    zone = {danger.place for danger in overlays.threat(position, "gar").dangers}
    assert {"j6", "j5", "k4", "i8"} <= zone
    assert zone.isdisjoint({"k5", "k6"})
    freely = position.with_rulings({"strike_sight": "reach_alone"})
    assert "k6" in {danger.place for danger in overlays.threat(freely, "gar").dangers}


def test_templates(wall: Position) -> None:
    cone = overlays.template(wall, "cone(hex, 6, 3, west)")
    assert cone.inside == ("finn",)
    assert cone.rules == ("qsr_aoe_01", "qsr_aoe_05")
    assert set(cone.places) >= {"j6", "i6", "h6", "e5", "e6", "e7"}
    circle = overlays.template(wall, "circle(h6, 4)")
    assert circle.inside == ("finn",)
    assert {"f6", "h8", "g7"} <= set(circle.places)
    burst = overlays.template(wall, "burst(dell, grenade, c6)")
    assert "ada" in burst.inside
    for wrong, said in (
        ("con(hex, 6, 3, west)", "unknown template 'con'; did you mean 'cone'"),
        ("cone(hxe, 6, 3, west)", "did you mean 'hex'"),
        ("cone(hex, 6, 3, wst)", "did you mean 'west'"),
        ("move(ada, walk, d6)", "no rule says what"),
    ):
        with pytest.raises(InputError, match=said):
            overlays.template(wall, wrong)
    lines = drawing(wall, overlay.of_template(cone, wall))
    assert "(F:w)" in row(lines, 6)
    assert "( ) covered" in " ".join(lines)


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
    with pytest.raises(InputError, match="no rule gives a path"):
        overlays.route(wall, "move(ada, walk, l1)")
    with pytest.raises(UnknownName, match="did you mean 'walk'"):
        overlays.route(wall, "move(ada, wlak, f7)")


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda p: overlays.threat(p, "x"), "has no rule that says what is threatened"),
        (lambda p: overlays.reach(p, "x"), "has no rule that says where an action moves somebody"),
        (lambda p: overlays.template(p, "x"), "has no rule that says what a template covers"),
        (lambda p: overlays.route(p, "x"), "has no rule that says which path an action takes"),
    ],
)
def test_a_game_that_says_nothing(ask: Callable[[Position], object], said: str) -> None:
    with pytest.raises(InputError, match=said):
        ask(at(FORK))


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


def test_show_with_all_of_it(pymorph: Run, tmp_path: Path) -> None:
    asked = ["--sight", "dell", "hex", "--reach", "ada", "--threat", "foxes"]
    asked += ["--template", "cone(hex, 6, 3, west)", "--path", "move(ada, walk, f7)"]
    code, out, err = pymorph("show", WALL, *asked, "--json")
    assert (code, err) == (0, "")
    data = json.loads(out)
    assert data["sight"]["first"] == "base(ada, c6)"
    assert data["reach"]["goals"][0]["paces"]
    assert data["threat"]["dangers"][0]["by"]
    assert data["template"]["inside"] == ["finn"]
    assert data["path"]["places"][0] == "c6"
    code, out, _ = pymorph("show", WALL, *asked)
    assert code == 0
    assert "cone(hex, 6, 3, west) covers 12 places; inside: finn [qsr_aoe_01, qsr_aoe_05]" in out
    picture = tmp_path / "all.svg"
    assert pymorph("show", WALL, *asked, "--svg", picture)[0] == 0
    assert picture.read_text().startswith("<svg ")
    code, out, err = pymorph("show", WALL, "--reach", "adda")
    assert (code, out, err) == (2, "", "pymorph: unknown name 'adda'; did you mean 'ada'?\n")


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
