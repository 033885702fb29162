"""A game that is played on drawn boards and on tables in lengths alike."""

import pickle
import random
import re
from dataclasses import replace
from pathlib import Path

import pytest
from clingo import Function

from pymorph.adjudication.adjudication import adjudicate
from pymorph.adjudication.case import Case
from pymorph.board.surface import OnBoard, OnTable
from pymorph.cli import app
from pymorph.errors import IllegalAction, InputError
from pymorph.explore.execution import application
from pymorph.explore.execution.application import apply
from pymorph.explore.execution.replay import replay
from pymorph.questions.board import overlays
from pymorph.questions.board.drawing import drawn
from pymorph.questions.legality import action_of, judged, legal, legal_actions
from pymorph.state.names import forms_of
from pymorph.state.position import Position
from pymorph.state.record import Move, Record
from pymorph.terms import parse_symbol, text_of
from pymorph.views.pictures import overlay
from pymorph.views.pictures.scene import scene_of
from pymorph.views.pictures.svg import board_svg
from tests import casework
from tests.tables import parametrized, tables

LAWN = Path(__file__).parents[1] / "examples/field/lawn.yaml"
WALL = LAWN.with_name("wall.yaml")
INCH = 15240


@pytest.mark.campaign
def test_read_written_and_pickled() -> None:
    position = Position.load(LAWN)
    assert position.table is not None
    assert position.grid is None
    assert str(position.value("at(gar)")) == f"({INCH * 25 // 2}, {INCH * 7})"
    assert str(position.value("base(gar)")) == str(40 * 600)
    assert str(position.value("base(ada)")) == str(INCH)
    for text in (position.yaml(), position.line()):
        assert Position.parse(text) == position
    assert pickle.loads(pickle.dumps(position)) == position
    assert isinstance(position.geometry, OnTable)
    squares = Position.load(WALL)
    assert squares.table is None
    assert squares.grid is not None
    assert isinstance(squares.geometry, OnBoard)


@parametrized
def test_faults(old: str, new: str, told: str) -> None:
    text = LAWN.read_text()
    assert old in text
    with pytest.raises(InputError, match=told):
        Position.parse(text.replace(old, new))


@parametrized
def test_a_facing_stated_by_what_lies_there(stated: str, vector: list[int]) -> None:
    """Gar stands at 12 1/2, 7, and Ada at 6, 11 1/2."""
    text = LAWN.read_text()
    gar = "base: 40 mm, facing: west"
    assert gar in text
    found = Position.parse(text.replace(gar, f"base: 40 mm, facing: {stated}"))
    assert found == Position.parse(text.replace(gar, f"base: 40 mm, facing: {vector}"))
    action = f"face(gar, {stated.strip(chr(34))})"
    assert forms_of(Position.load(LAWN), action) == [
        parse_symbol(f"face(gar, ({vector[0] * INCH}, {vector[1] * INCH}))")
    ]


def test_a_facing_at_odds_with_whole_inches_is_kept_as_it_is() -> None:
    text = LAWN.read_text().replace("at: [3, 7.5]", "at: [1/600 mm, 7.5]")
    position = Position.parse(text)
    (action,) = forms_of(position, "face(bo, towards [23, 7 1/3])")
    assert str(action) == f"face(bo,({23 * INCH - 1},{-INCH // 6}))"


@parametrized
def test_what_is_no_direction(stated: str, told: str) -> None:
    text = LAWN.read_text().replace("crew: foxes, at: [15, 11 1/2],", "crew: foxes,")
    assert "at: [15" not in text
    faulty = text.replace("base: 40 mm, facing: west", f"base: 40 mm, facing: {stated}")
    with pytest.raises(InputError, match=re.escape(told)):
        Position.parse(faulty)
    with pytest.raises(InputError):
        forms_of(Position.parse(text), f"face(gar, {stated.strip(chr(34))})")


def test_no_direction_is_stated_so_on_a_board() -> None:
    with pytest.raises(InputError, match=re.escape("unknown bearing 'towards(gar)', argument 2")):
        forms_of(Position.load(WALL), "face(ada, towards(gar))")
    with pytest.raises(InputError, match="unknown bearing 'towards gar' for facing"):
        Position.parse(WALL.read_text().replace("facing: east", "facing: towards gar", 1))


def test_a_record_turns_a_figure_towards_another() -> None:
    """From where she is when the record comes so far, and not where she was at the beginning."""
    text = f"position: {LAWN}\nplay:\n- go(ada, walk, [[6, 10]])\n- face(ada, towards(gar))\n"
    after = replay(Record.parse(text)).position
    assert str(after.value("facing(ada)")) == f"({13 * INCH}, {-6 * INCH})"


def test_a_record_has_the_points_as_they_are_read() -> None:
    position = Position.load(LAWN)
    text = "go(ada, run, [[about 8.31, 7.9]])"
    record = Record(position, (Move(text_of(forms_of(position, text)[0])),))
    assert f"- {text}\n" in record.yaml()
    assert Record.parse(record.yaml()).steps[0].action == "go(ada, run, ((126644, 120396), ()))"


def test_each_kind_answers_its_own() -> None:
    """What is asked of the other kind of board has no answer, and nonsense is no question."""
    table, board = Position.load(LAWN).geometry, Position.load(WALL).geometry
    assert isinstance(table, OnTable)
    assert isinstance(board, OnBoard)
    c6, d6, none = Function("c6"), Function("d6"), Function("", [])
    assert table.distance(c6, d6, Function("king")) == []
    assert table.crossed(c6, d6) == []
    assert board.gap(c6, d6) == []
    assert board.crossed(c6, d6, none) == []
    assert board.crossed(c6, d6) != []
    for surface in (table, board):
        with pytest.raises(AttributeError):
            getattr(surface, "system")  # noqa: B009


def test_laid_over_a_table() -> None:
    """About how far somebody gets, whom a crew threatens, who is under a template."""
    position = Position.load(LAWN)
    far = overlays.reach(position, "ada")
    assert far.paces == ("walk", "run", "rush")
    assert far.goals[0].place.startswith("circle((91440, 175260),")
    assert overlays.threat(position, "foxes").members == ("finn", "gar", "hex", "rook")
    under = overlays.template(position, "circle([12, 8], 4)")
    assert under.inside == ("gar",)
    over = overlay.combined([overlay.of_reach(far, position), overlay.of_template(under, position)])
    assert any("Approximate" in line for line in over.notes)
    scene = scene_of(position, drawn(position))
    picture = board_svg(scene.__class__(**{**vars(scene), "overlay": over}))
    assert picture.count("url(#table)") == len(over.shapes) >= 4
    assert "facing along [-3, 2]" in picture


def test_a_way_is_laid_over_a_table_as_far_as_it_is_gone() -> None:
    """qsr_reach_06: up to where Gar first strikes, which is marked, with the rest of the way."""
    position = Position.load(LAWN)
    way = overlays.route(position, "go(ada, run, [[9, 7], [16, 7], [16, 9]])")
    stop = apply(position, "go(ada, run, [[9, 7], [16, 7], [16, 9]])").position.value("at(ada)")
    assert way.places[-1] == f"circle({stop}, {INCH // 2})"
    assert len(way.places) == 3
    assert [*way.stopped_short] == [
        f"circle(({16 * INCH}, {up * INCH}), {INCH // 2})" for up in (7, 9)
    ]
    assert (way.stopped_by, way.against) == (("qsr_reach_06",), ())
    over = overlay.of_route(way, position)
    assert over.notes[1] == "Stopped there [qsr_reach_06~]"
    picture = board_svg(replace(scene_of(position, drawn(position)), overlay=over))
    for kind in ("swept", "way", "line met", "block"):
        assert f'class="{kind}"' in picture
    free = overlays.route(position, "go(ada, run, [[9, 7]])")
    assert (free.stopped_short, free.stopped_by) == ((), ())
    long = overlays.route(position, "go(ada, walk, [[11.5, 11.5]])")
    assert long.against == ("qsr_obst_04",)


def test_what_is_asked_for_is_awaited() -> None:
    texts = {str(action) for action in legal_actions(Position.load(LAWN))}
    assert "attack(ada, crossbow, finn, basic)" in texts
    assert not any(text.startswith(("move(", "hide(")) for text in texts)


CASES = Path(__file__).parent / "quick_start_skirmish/cases"
PLACED = ("move", "go", "face", "turn", "cross")  # what is stated otherwise, or has other ways


def beginning(file: str, name: str) -> Position:
    (case,) = (each for each in casework.load(CASES / file) if each.id == name)
    return case.position()


def without_places(position: Position) -> set[str]:
    return {str(action) for action in legal_actions(position) if action.name not in PLACED}


@parametrized
def test_the_same_on_spaces_and_in_inches(
    board: tuple[str, str], table: tuple[str, str], story: list[tuple[str, str]]
) -> None:
    """Whatever is said without a place may be done on both, after each step of a story."""
    spaces, inches = beginning(*board), beginning(*table)
    for step, stated in story:
        spaces = application.apply(spaces, step).position
        inches = application.apply(inches, stated or step).position
        assert without_places(spaces) == without_places(inches), step


def ways(position: Position) -> list[str]:
    return [str(action) for action in legal_actions(position) if action.name == "go"]


def test_ways_of_a_charge_are_put_forward() -> None:
    """To where it can strike, and to contact, and no other; later on the line that it took."""
    position = beginning("inch_charges.yaml", "ways-to-charge-are-put-forward")
    position = application.apply(position, "activate(f3)").position
    position = application.apply(position, "charge(f3, w3)").position
    assert ways(position) == [
        "go(f3, run, ((101619, 60126), ()))",
        "go(f3, walk, ((88939, 51673), ()))",
    ]
    position = application.apply(position, "go(f3, run, [[4.5, 2.4]])").position
    assert ways(position) == [
        "go(f3, run, ((90020, 50155), ()))",
        "go(f3, run, ((102988, 58368), ()))",
    ]
    position = application.apply(position, "go(f3, run, ((90020, 50155), ()))").position
    assert ways(position) == ["go(f3, run, ((102988, 58368), ()))"]
    position = application.apply(position, "go(f3, run, ((102988, 58368), ()))").position
    assert ways(position) == []


def test_entered_forms_are_told_by_their_sorts() -> None:
    """An action of a form that is awaited needs no proposal of its own; another does."""
    position = Position.load(LAWN)
    found = legal(position)
    assert found.awaits(action_of(position, "go(ada, run, [[9, 7], [16, 7]])"))
    assert not found.awaits(action_of(position, "go(finn, run, [[9, 7]])"))
    assert not found.awaits(action_of(position, "end(ada)"))


def bounds(position: Position) -> dict[str, tuple[int | None, str]]:
    return {str(each.form): (each.most, each.unit) for each in legal(position).awaited}


def test_how_far_is_told_with_what_is_awaited(capsys: pytest.CaptureFixture[str]) -> None:
    """qsr_move_02, qsr_move_12: 6 inches by a walk, and what is left of them when 2 are gone."""
    position = Position.load(LAWN)
    units = "whole_units"
    assert bounds(position) == {
        "go(ada, walk, legs)": (6 * INCH, units), "go(ada, run, legs)": (9 * INCH, units),
        "go(ada, rush, legs)": (12 * INCH, units),
    }  # fmt: skip
    after = apply(position, "go(ada, walk, [[6, 9 1/2]])").position
    assert bounds(after)["go(ada, walk, legs)"] == (4 * INCH, units)
    for form, (most, _) in bounds(after).items():
        pace = form.split(", ")[1]
        assert most is not None
        assert legal_way(after, pace, most)
        assert not legal_way(after, pace, most + 1)
    assert app.run(["legal", str(LAWN)]) == app.Exit.YES
    assert "go(ada, rush, legs)  up to 12 inches  [qsr_move_04]" in capsys.readouterr().out
    found = next(each.json() for each in legal(position).awaited)
    assert (found["most"], found["unit"]) == (9 * INCH, units)


def test_what_legal_prints_is_accepted_and_means_the_same(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """qsr_move_03: up to the last point before Gar, which no short number tells."""
    assert app.run(["legal", str(LAWN)]) == app.Exit.YES
    (way,) = re.findall(r"go\(ada, run, \[\[.*\]\]\)", capsys.readouterr().out)
    assert "about" in way
    position = Position.load(LAWN)
    (action,) = (each for each in legal_actions(position) if each.name == "go")
    assert forms_of(position, way) == [action.symbol]
    after = apply(position, way).position
    assert Position.parse(after.yaml()) == Position.parse(after.line()) == after


def test_claims_about_a_table_are_judged_under_every_reading() -> None:
    """With each question open no figure may be a sum of whole units: of these there are too many
    to be tried."""
    claims = ("legal(face(ada, towards gar))", "legal(go(ada, run, [[9, 7], [9, 9]]))")
    told = "".join(f"  - {claim}\n" for claim in claims)
    found = adjudicate(Case.parse(f"position: {LAWN}\nclaims:\n{told}")).claims
    assert [each.verdict for each in found] == ["upheld", "upheld"]


def legal_way(position: Position, pace: str, units: int) -> bool:
    """May Ada go straight down for so many units, back and forth?"""
    x, y, legs, down = 6 * INCH, 19 * INCH // 2, [], -1
    while units:
        step = min(units, 3 * INCH)
        y, units, down = y + down * step, units - step, -down
        legs.append(f"(({x}, {y}), ")
    action = f"go(ada, {pace}, {''.join(legs)}(){')' * len(legs)})"
    return judged(position, [parse_symbol(action)])[parse_symbol(action)].legal


SURGE = tables(__name__)["surge"]
COMPASS = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)]


def surged(position: Position, legs: list[str]) -> tuple[int, tuple[str, ...], str]:
    """How many legs of a surge may be gone, what forbids the next, and how often it has strayed."""
    rules: tuple[str, ...] = ()
    done = 0
    for leg in legs:
        try:
            position = application.apply(position, f"{leg})").position
        except IllegalAction as refused:
            rules = refused.rules
            break
        done += 1
    return done, rules, str(position.value("strayed(ada)"))


@pytest.mark.parametrize(("slanted", "most", "farthest"), [(False, 6, 9), (True, 4, 1)])
def test_surges_on_both(slanted: bool, most: int, farthest: int) -> None:
    """Straight legs by whole inches go as far on both, and slanted ones stray as often."""
    rng = random.Random(most)
    row = "  " + " ".join("." * 24) + "\n"
    spaces = Position.parse(SURGE.format(field="board: |\n" + 8 * row, at="l4", finn="a1"))
    points = Position.parse(
        SURGE.format(field="table: {size: [24, 8]}", at="[11 1/2, 3 1/2]", finn="[1/2, 1/2]")
    )
    for _ in range(5):
        x, y = 11, 3
        moves: list[str] = []
        ways: list[str] = []
        for _ in range(rng.randint(2, most)):
            dx, dy = rng.choice(COMPASS if slanted else COMPASS[::2])
            inches = rng.randint(1, farthest)
            x, y = x + inches * dx, y + inches * dy
            if not (1 <= x < 24 and 1 <= y < 8):
                break
            moves.append(f"move(ada, surge, {chr(97 + x)}{y + 1}")
            ways.append(f"go(ada, surge, [[{x}.5, {y}.5]]")
        assert surged(spaces, moves) == surged(points, ways)
