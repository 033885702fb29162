"""Test cases as data: what a file may say, what is wrong with it, and that each kind can fail."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest

from pymorph.adjudication import query_batcher, test_runner
from pymorph.asp import grounding, solver
from pymorph.errors import Fault, InputError, RulesetError
from pymorph.explore.execution import application
from pymorph.questions import consistency, figures, legality
from pymorph.state import test_case
from pymorph.state.position import Position
from pymorph.state.test_case import KINDS, CaseStep, Expectation, GoldenCase
from tests import casework
from tests.conftest import Run
from tests.inn import POSITION
from tests.tables import parametrized
from tests.wording import GAMES

CONTRARY = {
    "events": "no_events", "no_events": "events", "drawn": "undrawn", "undrawn": "drawn",
}  # fmt: skip

# -- each kind can fail ----------------------------------------------------------------------------


def contraries(one: Expectation) -> Iterator[Expectation]:
    """What the rules do not say, where they say this."""
    if one.kind in CONTRARY:
        yield one._replace(kind=CONTRARY[one.kind])
    elif one.kind == "illegal":
        yield one._replace(kind="legal")
    if isinstance(one.wanted, dict):
        yield one._replace(wanted={**one.wanted, "one_more": "word"})
    elif one.wanted != ():
        other = [*one.wanted, "other"] if isinstance(one.wanted, list) else "otherwise"
        yield one._replace(wanted=other)


def told_otherwise(case: GoldenCase) -> Iterator[tuple[Expectation, GoldenCase]]:
    """The case, with one thing that it expects turned into its contrary: for each, what that is."""
    for at, item in enumerate(case.items):
        for n, one in enumerate(item.expected):
            for wrong in contraries(one):
                expected = (*item.expected[:n], wrong, *item.expected[n + 1 :])
                items = list(case.items)
                items[at] = item._replace(expected=expected)
                yield wrong, replace(case, items=tuple(items))


@cache
def failing() -> dict[str, tuple[Expectation, tuple[Fault, ...]]]:
    """For each kind a contrary, and what comes of the case that expects it."""
    chosen: dict[str, tuple[Expectation, GoldenCase]] = {}
    paths = [path for game in GAMES for path in casework.files(game)]
    for path in sorted(paths, key=lambda path: path.stat().st_size):
        if chosen.keys() >= set(KINDS):
            break
        for case in (case for case in casework.load(path) if len(case.items) < 5):
            for wrong, otherwise in told_otherwise(case):
                chosen.setdefault(wrong.kind, (wrong, otherwise))
    rows = test_runner.faults_of([case for _, case in chosen.values()])
    return {wrong.kind: (wrong, row) for (wrong, _), row in zip(chosen.values(), rows, strict=True)}


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_fails_where_the_rules_say_otherwise(kind: str) -> None:
    """And nothing else does; it is said where it stands, what was expected, and what is so."""
    one, (fault,) = failing()[kind]
    assert fault.place == one.place
    assert fault.message.startswith(f"{kind} {one.subject}".strip())
    assert "expected" in fault.message or "would" in fault.message


# -- a small game ----------------------------------------------------------------------------------


def cases(folder: Path, text: str) -> tuple[GoldenCase, ...]:
    (folder / "cases").mkdir(exist_ok=True)
    (folder / "cases" / "bases.yaml").write_text(f"dinner:\n{indented(POSITION)}")
    path = folder / "cases" / "meals.yaml"
    path.write_text(text)
    return test_case.load(path)


def indented(text: str) -> str:
    return "".join(f"  {line}\n" for line in text.splitlines() if not line.startswith("#"))


def faults(folder: Path, expect: str, more: str = "") -> list[str]:
    """What comes of one case: line, column and message of each fault."""
    text = f"- id: one\n  base: dinner\n{more}  expect:\n{expect}"
    try:
        (row,) = test_runner.faults_of(cases(folder, text))
    except InputError as error:
        row = error.faults
    return [
        f"{fault.place.line}:{fault.place.column} {fault.message}" for fault in row if fault.place
    ]


@parametrized
def test_what_is_told(inn: Path, expect: str, told: list[str]) -> None:
    found = faults(inn, expect)
    assert len(found) == len(told), found
    for fault, start in zip(found, told, strict=True):
        assert fault.startswith(start)


@parametrized
def test_where_a_case_begins(inn: Path, more: str, told: str) -> None:
    (*found,) = faults(inn, "    - flaws: {}\n", more)
    assert [fault[: len(told)] for fault in found] == [told] * bool(told)


def test_a_position_in_a_file_beside_it(inn: Path) -> None:
    """Or in the case itself, with its faults where they stand."""
    text = "- id: one\n  position: ../positions/dinner.yaml\n  expect: [{holds: {turn: anna}}]\n"
    assert test_runner.faults_of(cases(inn, text)) == [()]
    own = text.replace("../positions/dinner.yaml", "{ruleset: .., turn: me, guests: {anna: {}}}")
    ((*found,),) = test_runner.faults_of(cases(inn, own))
    assert {fault.place.line for fault in found if fault.place} == {2}
    assert any("'me'" in fault.message for fault in found)


def test_lists(inn: Path) -> None:
    """An id is given once; a file is a list of mappings."""
    one = "- id: one\n  base: dinner\n  expect: [{flaws: {}}]\n"
    with pytest.raises(InputError, match="4:7: 'one' is given twice, first in line 1"):
        cases(inn, one + one)
    with pytest.raises(InputError, match="1:1: expected a list of cases"):
        cases(inn, "id: one")
    with pytest.raises(InputError, match="the key 'id' is missing"):
        cases(inn, one.replace("id: one", "tells: Nothing."))
    with pytest.raises(InputError, match="unknown base 'diner'"):
        cases(inn, one.replace("dinner", "diner"))[0].position()


def test_a_case_that_fails_harms_no_other(inn: Path) -> None:
    """One that cannot be read, one whose action is unknown, one that is wrong, one that is not."""
    expects = ["holds: {turn: anna}", "do: fly(anna)", "holds: {turn: bo}", "holds: {turn: anna}"]
    text = "".join(
        f"- id: n{n}\n  base: {'dinner' if n else 'dinners'}\n  expect: [{{{expect}}}]\n"
        for n, expect in enumerate(expects)
    )
    rows = test_runner.faults_of(cases(inn, text))
    assert [len(row) for row in rows] == [1, 1, 1, 0]
    assert "unknown base" in rows[0][0].message
    assert "unknown action" in rows[1][0].message


# -- courses of questions --------------------------------------------------------------------------


def course(position: Position, answers: solver.Solver = solver) -> list[Any]:
    position = replace(position, answers=answers)
    return [legality.legal(position), figures.forecast(position), consistency.check(position)]


def test_courses_share_groundings(inn: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Positions of one board are asked about at once, and each has its own answer."""
    start = Position.load(inn / "positions" / "dinner.yaml")
    after = application.apply(start, "eat(anna, pear_tart)").position
    alone = [[legality.legal(p), figures.forecast(p), consistency.check(p)] for p in (start, after)]
    groundings = []
    grounded = grounding.grounded
    monkeypatch.setattr(solver, "grounded", lambda *a: groundings.append(a) or grounded(*a))
    found = [
        each.result() for each in query_batcher.batched(partial(course, p) for p in (start, after))
    ]
    assert found == alone
    asked = len(groundings)
    course(after)
    assert asked == len(groundings) - asked


def test_an_error_is_of_the_course_that_it_befalls(
    inn: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A grounding that fails for all is made for each."""
    start = Position.load(inn / "positions" / "dinner.yaml")
    poor = application.apply(start, "eat(anna, pear_tart)").position
    grounded = grounding.grounded

    def fails(program: str, facts: Any, *more: Any) -> Any:
        if any(str(fact).startswith("holds(turn,bo,") for fact in facts):
            raise RulesetError(Fault("bo breaks it"))
        return grounded(program, facts, *more)

    monkeypatch.setattr(solver, "grounded", fails)
    good, bad, odd = query_batcher.batched(
        [partial(course, start), partial(course, poor), lambda _: int("odd")]
    )
    assert good.result() == course(start)
    with pytest.raises(RulesetError, match="bo breaks it"):
        bad.result()
    with pytest.raises(ValueError, match="odd"):
        odd.result()


# -- the verb --------------------------------------------------------------------------------------


def test_the_verb_tries_them(inn: Path, pymorph: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of a ruleset's folder, and those that are named, wherever they lie."""
    text = "- id: one\n  base: dinner\n  expect: [{holds: {turn: anna}}]\n"
    cases(inn, text)
    monkeypatch.chdir(inn.parent)
    code, out, _ = pymorph("test", inn, inn / "cases" / "meals.yaml")
    assert (code, out.split()[1:5]) == (0, ["good", "1", "test", "case"])
    cases(inn, text.replace("anna", "bo"))
    code, out, _ = pymorph("test", inn)
    assert code == 1
    told = "inn/cases/meals.yaml:3:21: one: holds turn: expected bo, but the rules say anna"
    assert told in out
    beside = inn.parent / "beside.yaml"
    beside.write_text(text.replace("base: dinner", f"position: {inn.name}/positions/dinner.yaml"))
    assert pymorph("test", inn, beside)[0] == 0
    (inn / "cases" / "meals.yaml").unlink()


def test_items_are_read_once() -> None:
    """Every kind has a way to be judged."""
    assert set(KINDS) == set(test_runner.KINDS)
    assert CaseStep(test_case.load(casework.files(GAMES[0])[0])[0].place).items == ()
