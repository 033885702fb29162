"""Case files: what they may hold, where their positions come from, and each fault at its place."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from pymorph import Case, InputError, Position
from pymorph.state.claim import EXPECTED

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


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("claims: []", ["3:9: the key 'claims' needs a list of items with 'claim' and 'by'"]),
        ("claims: 3", ["3:9: the key 'claims' needs a list of items with 'claim' and 'by'"]),
        ("title: Heap", ["1:1: the key 'claims' needs a list of items with 'claim' and 'by'"]),
        ("claims:\n  - {by: anna}", [f"4:5: the key 'claim' is missing; {EXPECTED}"]),
        ("claims:\n  - {claim: [heap = 8]}", [f"4:13: the key 'claim' is missing; {EXPECTED}"]),
        ("claims:\n  - {claim: heap = 8, form: x}",
         ["4:23: unknown key 'form' of a claim; expected one of after, against, by, claim, expect, "
          "rolls, rules, who, within"]),
        ("claims: [heap = 8, [x]]", ["3:20: expected a claim, or a mapping with 'by' and 'claim'"]),
        ("claims:\n  - {claim: hep = 8}\n  - {claim: legal(tke(2))}",
         ["4:13: unknown figure or fluent 'hep'; did you mean 'heap'?",
          "5:13: unknown action 'tke'; did you mean 'take'?"]),
        ("claims:\n  - {claim: heap = 8, within: 2 turns}",
         ["4:31: 'within' needs a claim that starts with 'can' or 'cannot'"]),
        ("claims:\n  - {claim: heap = 8, rolls: chosen}",
         ["4:30: 'rolls' needs a claim that starts with 'can' or 'cannot'; write it with a step"]),
        ("claims:\n  - {claim: happens(emptied)}",
         ["4:13: a claim about an event needs 'after': the steps to carry out"]),
        ("claims:\n  - {claim: heap = 8, after: [tke(anna)]}",
         ["4:31: unknown action 'tke'; did you mean 'take'?"]),
        ("claims:\n  - {claim: heap = 8, after: {take(2): [tke(2)]}}",
         ["4:30: expected a list, with a dash before each step"]),
        ("claims:\n  - {claim: heap = 8, expect: uphelt}",
         ["4:31: unknown verdict 'uphelt'; did you mean 'upheld'?"]),
        ("claims:\n  - {claim: heap = 8, expect: [upheld]}",
         ["4:31: expected a verdict, or verdicts by QUESTION=OPTION"]),
        ("claims:\n  - {claim: heap = 8, expect: {same_agan=barred: upheld}}",
         ["4:32: unknown question 'same_agan'; did you mean 'same_again'?"]),
        ("claims:\n  - {claim: heap = 8, expect: {same_again=bared: upheld}}",
         ["4:32: unknown option 'bared' of same_again; did you mean 'barred'?"]),
        ("claims:\n  - by: anna\n    by: bo\n    claim: heap = 8",
         ["5:5: 'by' is given twice, first in line 4"]),
        ("claims:\n  - {claim: heap = 8, by: [x]}", ["4:27: expected a text for 'by'"]),
        ("rulings: {same_again: no}\nclaims: [heap = 8]",
         ["3:23: unknown option 'no' of same_again; expected one of allowed, barred"]),
        ("titel: x\nclaims: [hep = 8]",
         ["3:1: unknown key 'titel'; did you mean 'title' or 'tells'?",
          "4:10: unknown figure or fluent 'hep'; did you mean 'heap'?"]),
        ("title: [x]\nclaims: [heap = 8]", ["3:8: expected a text for 'title'"]),
        ("decided: [x]\nnote: {}\nclaims: [heap = 8]",
         ["3:10: expected a text for 'decided'", "4:7: expected a text for 'note'"]),
        ("date: 1 May\nclaims: [heap = 8]",
         ["3:7: found '1 May'; expected a day, such as 2026-05-01"]),
        ("date: 2026-02-30\nhash: [x]\nclaims: [heap = 8]",
         ["3:7: found '2026-02-30'; expected a day, such as 2026-05-01",
          "4:7: expected one word for 'hash'"]),
        ("claims:\n  - {claim: heap = 8, rules: heap_01}",
         ["4:30: expected a list of rules, in brackets"]),
        ("claims:\n  - {claim: heap = 8, rules: [[x]]}",
         ["4:31: expected the id of one of the rules"]),
        ("claims: [" + ", ".join(["heap = 8"] * 101) + "]", ["3:1010: more than 100 claims"]),
    ],
)  # fmt: skip
def test_faults(my_game: Path, text: str, faults: list[str]) -> None:
    """All faults of a file, each where it stands, with the nearest name."""
    assert told(HEAD + text + "\n").splitlines() == [f"c.yaml:{fault}" for fault in faults]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("- x\n", "1:1: a case is a mapping with a 'position' and 'claims'"),
        ("{}\n", "1:1: not a case: the keys 'position' and 'claims' are missing"),
        ("ruleset: ./my_game\nclaims: [heap = 8]\n",
         "1:1: the key 'position' is missing; expected a file or a position"),
        ("position: nowhere.yaml\nclaims: [heap = 8]\n",
         "1:11: nowhere.yaml: cannot be read: no such file or directory"),
        ("ruleset: ./inn\nposition: my_game/positions/start.yaml\nclaims: [heap = 8]\n",
         "1:10: unknown ruleset './inn'"),
        ("position: {ruleset: ./my_game, position: my_game/positions/start.yaml, "
         "play: [take(anna, 5)]}\nclaims: [heap = 8]\n",
         "1:79: step 1 of the record cannot be carried out: take(anna, 5) is not legal: heap_02"),
    ],
)  # fmt: skip
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


WHOLE = """\
ruleset: ./my_game
id: H-01
title: "Who wins: Anna?"
tells: What two of three makes.
position: {turn: anna, heap: 8, last: 2, players: {anna: {}, bo: {taken: 2}}}
rulings: {same_again: barred}
claims:
  - by: anna
    claim: legal(take(anna,3)) and not score(bo) = never
    expect: upheld
  - heap = 8
  - by: bo
    claim: before(emptied(bo), emptied(anna))
    after: ["take(anna, 1)", "take(bo, 3)"]
    expect: {defaults: rejected, same_again=allowed: inapplicable}
  - claim: cannot heap = 0
    within: 2 decisions
    who: bo
    against: whatever
    rolls: adversarial
"""


def test_written_and_read_back(my_game: Path) -> None:
    """The whole of a case, told as a file from anywhere, is the same case."""
    found = case(WHOLE)
    assert [str(one.claim) for one in found.claims] == [
        "legal(take(anna, 3)) and score(bo) != never",
        "heap = 8",
        "before(emptied(bo), emptied(anna))",
        "cannot heap = 0",
    ]
    first, plain, third, last = found.claims
    assert (first.by, plain.by, first.expect) == ("anna", "", (((), "upheld"),))
    assert third.expect == (
        ((), "rejected"),
        ((("same_again", "allowed"),), "inapplicable"),
    )
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
