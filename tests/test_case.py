"""Case files: what they may hold, where their positions come from, and each fault at its place."""

import io
import sys
from pathlib import Path

import pytest

from pymorph import Case, InputError, Position
from tests.games import file_text
from tests.tables import parametrized, tables

HEAD = """\
ruleset: ./my_game
position: {turn: anna, heap: 8, last: 2, players: {anna: {}, bo: {taken: 2}}}
"""
LINE = "{ruleset: ./my_game, turn: anna, heap: 8, last: 2, players: {anna: {}, bo: {taken: 2}}}"


def case(text: str, base: Path | None = None) -> Case:
    return Case.parse(text, "c.yaml", base)


def told(text: str) -> str:
    with pytest.raises(InputError) as caught:
        case(text)
    return str(caught.value)


@parametrized
def test_faults(my_game: Path, text: str, faults: list[str]) -> None:
    """All faults of a file, each where it stands, with the nearest name."""
    assert told(HEAD + text + "\n").splitlines() == [f"c.yaml:{fault}" for fault in faults]


@parametrized
def test_no_position(my_game: Path, text: str, fault: str) -> None:
    assert told(text).startswith(f"c.yaml:{fault}")


def test_a_fault_in_a_file_beside(my_game: Path) -> None:
    """What is wrong with the position is told where it stands, in its own file."""
    start = my_game / "positions" / "start.yaml"
    start.write_text(start.read_text().replace("heap: 10", "heap: ten"))
    said = told("position: my_game/positions/start.yaml\nclaims: [heap = 8]\n")
    assert said.startswith(f"{start.relative_to(my_game.parent)}:4:7: ")


def test_positions(my_game: Path) -> None:
    """One position: inline, in one line, in a file beside the case, at the end of a record."""
    inline = case(HEAD + "claims: [heap = 8]\n")
    line = case(f"position: '{LINE}'\nclaims: [heap = 8]\n")
    assert inline == line
    (my_game / "positions" / "then.yaml").write_text(LINE.replace("./my_game", ".."))
    cases = my_game / "cases"
    beside = case("position: ../positions/then.yaml\nclaims: [heap = 8]\n", cases)
    assert beside == inline
    record = my_game / "records" / "twos.yaml"
    record.write_text(
        "ruleset: ..\nposition: {turn: bo, heap: 10, players: {anna: {}, bo: {}}}\n"
        "play: [take(bo, 2)]\n"
    )
    ended = case("position: ../records/twos.yaml\nclaims: [heap = 8]\n", cases)
    assert ended == inline
    played = case(
        "ruleset: ./my_game\nposition:\n  position: {turn: bo, heap: 10, players: {anna: {}, bo: "
        "{}}}\n  ruleset: ./my_game\n  play: [take(bo, 2)]\nclaims: [heap = 8]\n"
    )
    assert played == inline
    assert inline.position == Position.parse(LINE)


def test_from_files(my_game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file looks beside itself for what it names; standard input looks here."""
    path = my_game / "cases" / "again.yaml"
    text = "position: {}\nclaims: [heap = 10]\n"
    path.write_text(text.format("../positions/start.yaml"))
    loaded = Case.load(path)

    class Stdin:
        buffer = io.BytesIO(text.format("my_game/positions/start.yaml").encode())

    monkeypatch.setattr(sys, "stdin", Stdin())
    assert Case.load("-") == loaded
    path.write_text("claims: [hep = 1]\nposition: ../positions/start.yaml\n")
    with pytest.raises(InputError) as caught:
        Case.load(path)
    assert str(caught.value).startswith(f"{path}:1:10: unknown figure or fluent 'hep'")


WHOLE = file_text("heap/claims.yaml")


def test_written_and_read_back(my_game: Path) -> None:
    """The whole of a case, told as a file from anywhere, is the same case."""
    found = case(WHOLE)
    assert [str(one.claim) for one in found.claims] == tables(__name__)["claims"]
    first, plain, third, last = found.claims
    assert (first.by, plain.by, first.expect) == ("anna", "", (((), "upheld"),))
    assert third.expect == (((), "rejected"), ((("same_again", "allowed"),), "inapplicable"))
    assert (last.within, last.who, last.against) == ("2 decisions", "bo", "whatever")
    assert last.rolls == ("adversarial",)
    assert found.position.rulings == {"same_again": "barred"}
    for folder in (None, my_game / "cases", Path(Path.cwd().anchor)):
        assert Case.parse(found.yaml(folder), base=folder) == found
    assert case(found.yaml()).yaml() == found.yaml()


def test_rolls_read_back(stall: Path) -> None:
    """A step with its rolls, and rolls that are given to what can be brought about."""
    found = Case.parse(
        "position: stall/positions/start.yaml\nclaims:\n"
        "  - claim: happens(six)\n    after: [{throw(anna): [roll(anna, 6), flip(gold)]}, pass]\n"
        "  - claim: can points(anna) = 3\n    rolls: [roll(anna, 1), roll(anna, 2)]\n"
        "  - claim: can points(anna) = 3\n    rolls: chosen\n"
    )
    assert [(m.action, m.rolls) for m in found.claims[0].after] == [
        ("throw(anna)", ("roll(anna, 6)", "flip(gold)")),
        ("pass", ()),
    ]
    assert [one.rolls for one in found.claims[1:]] == [
        ("roll(anna, 1)", "roll(anna, 2)"),
        ("chosen",),
    ]
    assert Case.parse(found.yaml()) == found


def test_rulings_on_top(my_game: Path) -> None:
    """What the case rules comes on top of what the position does."""
    position = HEAD.replace("heap: 8", "heap: 8, rulings: {same_again: allowed}")
    assert case(position + "claims: [heap = 8]\n").position.rulings == {"same_again": "allowed"}
    found = case(position + "rulings: {same_again: barred}\nclaims: [heap = 8]\n")
    assert found.position.rulings == {"same_again": "barred"}
