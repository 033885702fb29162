"""The language of claims: what may be said, how it is told in full, and what is refused."""

import re
from pathlib import Path

import pytest
from clingo import Symbol, parse_term

from pymorph import InputError, Position, Term
from pymorph.state import claim as claims
from pymorph.state.claim import parse, settled_by_events
from pymorph.terms import parse_symbol
from tests.conftest import ROOT
from tests.tables import parametrized, tables


@pytest.fixture
def heap(my_game: Path) -> Position:
    return Position.load(my_game / "positions" / "start.yaml")


@pytest.fixture
def dinner(inn: Path) -> Position:
    return Position.load(inn / "positions" / "dinner.yaml")


@parametrized
def test_forms(heap: Position, text: str, told: str) -> None:
    """Each way to say it, and how it is told; what is told says the same."""
    claim = claims.parse(heap, text)
    assert str(claim) == told
    assert claims.parse(heap, told) == claim


def test_words_and_places(dinner: Position) -> None:
    """Findings and fluents are words or places; both sides may be one of them."""
    for text in tables(__name__)["words"]:
        assert str(claims.parse(dinner, text)) == text
    assert str(claims.parse(dinner, "grim = mood(bo)")) == "mood(bo) = grim"


@parametrized
def test_refused(heap: Position, text: str, said: str) -> None:
    """What is no claim of this game, in one line, with the nearest name where there is one."""
    with pytest.raises(InputError) as caught:
        claims.parse(heap, text)
    assert str(caught.value) == said


@parametrized
def test_words_refused(dinner: Position, text: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        claims.parse(dinner, text)
    assert str(caught.value) == said


def test_twelve_parts_are_not_too_many(heap: Position) -> None:
    assert len(claims.parse(heap, " and ".join(["heap = 1"] * 12)).parts) == 12


EVENTS = ["fed(anna, tart)", "emptied(bo)", "fed(bo, cake)"]


def events(*names: str) -> list[Symbol]:
    return [parse_term(name) for name in names]


@parametrized
def test_an_event_that_is_meant(pattern: str, event: str, is_it: bool) -> None:
    """Arguments may be left out, but those that are there stand in their order."""
    assert claims.matches(parse_symbol(pattern, wild=True), parse_term(event)) is is_it


@parametrized
def test_in_order(text: str, so: bool | None) -> None:
    """Before is who comes first; of two that never come neither is before the other."""
    positive = not text.startswith("not ")
    kind, _, rest = text.removeprefix("not ").partition("(")
    terms = parse_term(f"both({rest}").arguments
    part = claims.ClaimPart(
        "happens" if kind == "happens" else "before", positive, tuple(map(Term, terms))
    )
    (found,) = settled_by_events(claims.Claim((part,)), events(*EVENTS))
    assert found == (part, so)


def test_a_fluent_and_a_value_of_one_name() -> None:
    """Whose turn it is, and the default action of turning, are both called turn."""
    position = Position.load(ROOT / "rules" / "morphyry" / "positions" / "start.yaml")
    text = "turn = baganal and technique(baganal, main) != turn(north)"
    assert str(parse(position, text)) == text
    for part, says in (
        ("technique(baganal, main) = turn(nort)", "did you mean 'turn(north)'"),
        ("turn = turn(north)", "does not fit turn()"),
    ):
        with pytest.raises(InputError, match=re.escape(says)):
            parse(position, part)
