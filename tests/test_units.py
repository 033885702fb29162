"""Lengths, and figures with a unit, are typed and shown in the unit of the game."""

import json
from pathlib import Path

import pytest

from pymorph.adjudication.adjudication import adjudicate
from pymorph.adjudication.case import Case
from pymorph.adjudication.test_runner import faults_of
from pymorph.adjudication.verdicts import ClaimVerdict
from pymorph.errors import InputError
from pymorph.explore.search.planning import plan
from pymorph.questions.evaluation import Account
from pymorph.ruleset.catalogue import glossary
from pymorph.state import claim as claims
from pymorph.state.position import Position
from pymorph.state.test_case import load
from tests.conftest import EXAMPLES, Run
from tests.tables import parametrized, tables

LAWN = EXAMPLES / "field/lawn.yaml"
START = EXAMPLES / "rulesets/standoff/positions/start.yaml"
WALK = "go(ada, walk, [[6, 8.5]])"  # 3 inches


def heard(claim: str, *after: str, start: Path = LAWN) -> ClaimVerdict:
    steps = ", ".join(f'"{step}"' for step in after)
    told = f'claim: "{claim}"' + (f", after: [{steps}]" if after else "")
    case = Case.parse(f"position: {start}\nclaims:\n  - {{{told}}}\n")
    [found] = adjudicate(case).claims
    return found


def account(verdict: ClaimVerdict) -> Account:
    return verdict.accounts[0][1]


@parametrized
def test_a_claim_about_a_length(claim: str, verdict: str) -> None:
    found = heard(claim, WALK)
    assert found.defaults == verdict
    assert "went(ada) is 3 inches" in account(found).facts


def test_one_step_more_than_the_length() -> None:
    further = "go(ada, walk, [[6, 215 9/10 mm]])"  # 3 inches are at 215.9 mm
    beyond = "go(ada, walk, [[6, 215 539/600 mm]])"
    assert heard("went(ada) = 3", further).defaults == "upheld"
    found = heard("went(ada) > 3", beyond)
    assert found.defaults == "upheld"
    assert account(found).facts == ("went(ada) is about 3.00007 inches",)
    assert heard("went(ada) = 3 and went(ada) <= 3", beyond).defaults == "rejected"


@parametrized
def test_a_claim_about_a_figure_with_a_unit(claim: str, verdict: str) -> None:
    assert heard(claim).defaults == verdict


def test_two_units_are_compared_exactly() -> None:
    """A run of 6 inches is as long as a walk may be; a unit more is longer."""
    exactly = "go(ada, run, [[6, 15], [3.5, 15]])"
    more = "go(ada, run, [[6, 15], [88 539/600 mm, 15]])"
    assert heard("went(ada) = rate(ada, walk)", exactly).defaults == "upheld"
    assert heard("went(ada) > rate(ada, walk)", exactly).defaults == "rejected"
    assert heard("went(ada) > rate(ada, walk)", more).defaults == "upheld"
    assert heard("rate(ada, walk) >= went(ada)", more).defaults == "rejected"


@parametrized
def test_another_game(claim: str, verdict: str) -> None:
    assert heard(claim, start=START).defaults == verdict


@parametrized
def test_what_cannot_be_compared(claim: str, told: str) -> None:
    with pytest.raises(InputError, match=told.replace("(", r"\(")):
        claims.parse(Position.load(LAWN), claim)


def test_a_claim_is_written_as_it_is_read() -> None:
    position = Position.load(LAWN)
    for text in tables(__name__)["claims"]:
        once = claims.parse(position, text)
        assert claims.parse(position, str(once)) == once
    assert str(claims.parse(position, "rate(ada, walk) = 1/2")) == "rate(ada, walk) = 1/2 inch"
    assert str(claims.parse(position, "hand_size(ada) = 3 cards")) == "hand_size(ada) = 3"


def test_what_is_missing_has_its_unit() -> None:
    found = heard("went(ada) = 3", "go(ada, walk, [[6, 4 1/2]])")
    assert account(found).missing == ("step 1: go(ada, walk, [[6, 4 1/2]]) is not legal",)


def test_words_have_defaults_in_the_unit() -> None:
    found = {key.path: key.default for key in glossary(Position.load(LAWN).ruleset).keys}
    assert found["figures.FIGURE.base"] == "1 inch"
    assert found["figures.FIGURE.went"] == "0 inches"


@parametrized
def test_a_test_case_has_its_unit(expected: str, fits: bool, tmp_path: Path) -> None:
    file = tmp_path / "case.yaml"
    text = tables(__name__)["case"]
    for name, told in (("LAWN", str(LAWN)), ("WALK", WALK), ("EXPECTED", expected)):
        text = text.replace(name, told)
    file.write_text(text)
    [faults] = faults_of(load(file))
    assert (not faults) == fits, faults


def test_no_line_where_moves_are_open_is_not_settled(pymorph: Run) -> None:
    question = ("plan", LAWN, "--goal", "went(ada) = 3", "--within", "1")
    code, told, _ = pymorph(*question, "--json")
    answer = json.loads(told)
    assert code == 3
    assert answer["found"] is None
    assert "go(ada, walk, legs)" in answer["unproposed"]
    _, told, _ = pymorph(*question)
    assert "went(ada) = 3 inches" in told
    assert "not settled: no line of 1 decision without open actions" in told
    assert "proved" not in told


def test_a_line_that_is_found_is_as_before() -> None:
    start = Position.load(LAWN)
    assert plan(start, "went(ada) = 0", "1").found is True
    found = plan(start, "went(ada) > 0", "2")
    assert found.found is not False


def test_no_game_over_hangs_on_open_moves() -> None:
    """Where the game is over nobody moves, and that there is no line is proved."""
    text = START.read_text().replace("base: 32 mm}", "base: 32 mm, state: out}")
    text = text.replace("at: [15, 16], base: 25 mm", "at: [15, 16], base: 25 mm, state: out")
    over = Position.parse(text, str(START), START.parent)
    assert plan(over, "at(ann) = [6, 8]", "2").found is False
    assert plan(Position.load(START), "at(ann) = [6, 8]", "2").found is None
