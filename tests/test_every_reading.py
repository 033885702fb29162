"""What is asked under every reading, side by side: each as it is by itself, compiled or not."""

import json
import shutil
from contextlib import nullcontext
from pathlib import Path
from unittest.mock import patch

import pytest

import pymorph as package
from pymorph.adjudication import per_reading
from pymorph.adjudication.per_reading import ALL, EveryReading, questions_of_play, readings_of
from pymorph.asp.bitslice.ground_program import Uncompiled
from pymorph.dynamics.bits.compiled import CompiledScene
from pymorph.explore.perft import counting
from pymorph.state.position import Position
from pymorph.views.lines.every_reading import counts
from tests.agreement import batched, compiled, explored, successors_by
from tests.conftest import EXAMPLES, Run
from tests.games import RULESETS

MORRIS = EXAMPLES / "rulesets" / "nine_mens_morris"
SHUT_IN = (
    "{ruleset: nine_mens_morris, turn: white, men: {a7: white, d7: white, a4: white, a1: black,"
    " g7: black, d6: black, b4: black}}"
)
WAYS = [{"diagonals": "yes"}, {"diagonals": "no"}]


@pytest.fixture
def start(tmp_path: Path) -> Path:
    """Tic-tac-toe, in which it is a question whether a diagonal is a row."""
    return shutil.copytree(RULESETS / "diagonals", tmp_path / "diagonals") / "positions/start.yaml"


# -- compiled --------------------------------------------------------------------------------------


def test_positions_under_all_rulings_stand_side_by_side(start: Path) -> None:
    position = Position.load(start)
    scene = CompiledScene(position, questions=["diagonals"])
    positions = [
        each
        for ruled in (position, *map(position.with_rulings, WAYS))
        for each in explored(ruled, 60)
    ]
    assert list(map(scene.position_of, scene.keys_of(positions))) == positions
    found = compiled(scene, positions)
    assert found == batched(positions)
    assert None not in found
    with pytest.raises(Uncompiled, match="another table"):
        scene.keys_of([position.with_rulings({"names": "sign"})])
    with pytest.raises(Uncompiled, match="another table"):
        CompiledScene(position).keys_of([position.with_rulings(WAYS[1])])


def test_readings_tell_positions_apart(start: Path) -> None:
    """X has a diagonal, after five marks."""
    position = Position.load(start)
    for mark in ("put(x, a1)", "put(o, a2)", "put(x, b2)", "put(o, a3)", "put(x, c3)"):
        position = package.apply(position, mark).position
    positions = [position.with_rulings(choices) for choices in WAYS]
    yes, no = compiled(CompiledScene(position, questions=["diagonals"]), positions)
    assert yes is not None
    assert no is not None
    assert yes.over == ("ttt_03",)
    assert no.over == ()
    positions.append(position.with_rulings({"names": "sign"}))
    by_dynamics = successors_by(package.dynamics_of(position), positions)
    assert by_dynamics == package.successors_of(positions)


def test_where_questions_cannot_be_left_open(start: Path) -> None:
    """Each reading is compiled by itself then, and a table knows the rulings that it has."""
    position = Position.load(start)
    make = CompiledScene.__init__

    def refusing(*given: object, questions: object = (), **named: object) -> None:
        if questions:
            raise Uncompiled("there is too much")
        make(*given, **named)  # type: ignore[arg-type]

    with patch.object(CompiledScene, "__init__", refusing):
        dynamics = package.dynamics_of(position)
        assert successors_by(dynamics, [position]) == package.successors_of([position])
        with pytest.raises(Uncompiled, match="another table"):
            dynamics.encode([position.with_rulings(WAYS[1])])


@pytest.mark.campaign
def test_nine_mens_morris_under_all_rulings() -> None:
    shut_in = Position.parse(SHUT_IN)
    scene = CompiledScene(shut_in, questions=["flying", "two_mills"])
    readings = readings_of(shut_in, [ALL]).choices
    for begin in (shut_in, Position.load(MORRIS / "positions" / "moving.yaml")):
        positions = [
            each for choices in readings for each in explored(begin.with_rulings(choices), 150)
        ]
        assert compiled(scene, positions) == batched(positions)


# -- which readings --------------------------------------------------------------------------------


def test_the_reading_in_force_comes_first(start: Path) -> None:
    position = Position.load(start)
    found = readings_of(position.with_rulings(WAYS[1]), ["diagonals"])
    assert found.choices == ({"diagonals": "no"}, {"diagonals": "yes"})
    assert questions_of_play(position.ruleset) == {"diagonals"}
    assert readings_of(position, [ALL]).choices == tuple(WAYS)
    both = readings_of(position, ["names", ALL])
    assert both.choices[:2] == (
        {"names": "mark", "diagonals": "yes"},
        {"names": "mark", "diagonals": "no"},
    )
    assert (len(both.choices), both.there_are, both.one_by_one) == (4, 4, False)


def test_too_many_readings_are_one_question_at_a_time(
    start: Path, monkeypatch: pytest.MonkeyPatch, pymorph: Run
) -> None:
    monkeypatch.setattr(per_reading, "MOST", 3)
    found = readings_of(Position.load(start), ["diagonals", "names"])
    assert found.one_by_one
    assert found.choices == (
        {"diagonals": "yes", "names": "mark"},
        {"diagonals": "no", "names": "mark"},
        {"diagonals": "yes", "names": "sign"},
    )
    words = ["count", start, "--depth", "6", "--every-reading", "diagonals"]
    code, out, _ = pymorph(*words, "--every-reading", "names")
    assert code == 0
    assert (
        "3 of 4 readings: one question at a time; reading 1 is in force\n  1  as in force\n" in out
    )
    assert "  1, 3  9  72  504  3024  15120  54720\n" in out
    assert "  2     9  72  504  3024  15120  56160  differs from length 6\n" in out


# -- counts ----------------------------------------------------------------------------------------


REFUSED = patch.object(CompiledScene, "__init__", side_effect=Uncompiled("it is too large"))


@pytest.mark.parametrize("compiling", [True, False])
def test_counts_are_those_of_each_reading(
    start: Path, pymorph: Run, monkeypatch: pytest.MonkeyPatch, compiling: bool
) -> None:
    monkeypatch.setattr("pymorph.dynamics.engine.WORTH", 2)
    with nullcontext() if compiling else REFUSED:
        require_counts_of_each(start, pymorph, compiling)


def require_counts_of_each(start: Path, pymorph: Run, compiling: bool) -> None:
    depth = 7 if compiling else 3
    words = ["count", start, "--depth", depth, "--positions", "--json"]
    code, out, err = pymorph(*words, "--every-reading", "all")
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert found["complete"]
    assert found["questions"] == {"diagonals": ["yes", "no"]}
    assert "rulings" not in found
    for row in found["readings"]:
        (choice,) = row["under"].items()
        alone = json.loads(pymorph(*words, "--reading", "=".join(choice))[1])
        differs = row.pop("differs_from_length")
        assert differs == (6 if depth == 7 and choice[1] == "no" else None)
        assert row["compiled"] == alone["compiled"] == compiling
        del row["under"], alone["rulings"], row["why_not"], alone["why_not"]
        assert row == alone


def test_what_is_left_when_the_time_is_up(pymorph: Run) -> None:
    start = EXAMPLES / "duel" / "start.yaml"
    words = ["count", start, "--depth", "9", "--every-reading", "inertia_score", "--positions"]
    code, out, _ = pymorph(*words, "--timeout", "0.5")
    assert code == 3
    assert "not checked, time limit reached: 2\n" in out
    assert "is incomplete" in out


def test_a_row_without_what_was_not_counted(start: Path) -> None:
    """The time was up before anything was counted under the second reading."""
    position = Position.load(start)
    first = counting.count(position, 2, positions=True)
    second = counting.Count(position.ruleset, 2, (), (), "")
    found = EveryReading(readings_of(position, ["diagonals"]), (first, second))
    assert counts(found)[-2:] == [
        "  1  9  72         82",
        "  2                    length 1 is incomplete",
    ]
    assert not found.complete


# -- games -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("compiling", [True, False])
def test_games_are_those_of_each_reading(start: Path, pymorph: Run, compiling: bool) -> None:
    words = ["simulate", start, "--games", 300 if compiling else 6, "--json"]
    with nullcontext() if compiling else REFUSED:
        code, out, err = pymorph(*words, "--every-reading", "diagonals")
        assert (code, err) == (0, "")
        found = json.loads(out)
        for row in found["readings"]:
            (choice,) = row.pop("under").items()
            alone = json.loads(pymorph(*words, "--reading", "=".join(choice))[1])
            del alone["rulings"]
            assert row == alone
            assert row["compiled"] == compiling
    ends = {row["what"]: row for row in found["ends"] if row["after"] == "x"}
    row = ends["ttt_03"]
    assert [share["games"] for share in row["shares"]] == [
        next(e["games"] for e in each["over"] if (e["rule"], e["after"]) == ("ttt_03", "x"))
        for each in found["readings"]
    ]
    if compiling:
        assert row["differences"][0]["seen"] < 0
        assert row["differences"][0]["beyond_chance"]
        assert found["length"][0]["beyond_chance"]


def test_more_readings_than_a_picture_has_colours(
    start: Path, pymorph: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pymorph.views.pictures.simulation_svg.HUES", ("hue0",))
    words = ["simulate", start, "--games", 3, "--every-reading", "all", "--svg", "games.svg"]
    code, _, err = pymorph(*words)
    assert (code, "a picture has room for 1 readings" in err) == (2, True)
