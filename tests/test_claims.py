"""The language of claims: what may be said, how it is told in full, and what is refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from clingo import Symbol, parse_term

from pymorph import InputError, Position, Term
from pymorph.state import claim as claims
from pymorph.state.claim import parse, settled_by_events
from pymorph.terms import parse_symbol
from tests.conftest import ROOT


@pytest.fixture
def heap(my_game: Path) -> Position:
    return Position.load(my_game / "positions" / "start.yaml")


@pytest.fixture
def dinner(inn: Path) -> Position:
    return Position.load(inn / "positions" / "dinner.yaml")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("legal(take(anna,2))", "legal(take(anna, 2))"),
        ("illegal( take(anna, 2) )", "illegal(take(anna, 2))"),
        ("not legal(take(anna, 2))", "illegal(take(anna, 2))"),
        ("not illegal(take(2))", "legal(take(2))"),
        ("not not legal(take(2))", "legal(take(2))"),
        ("score(anna)=3", "score(anna) = 3"),
        ("3 = score(anna)", "score(anna) = 3"),
        ("2 < score(bo)", "score(bo) > 2"),
        ("2 >= score(bo)", "score(bo) <= 2"),
        ("not score(anna) < 2", "score(anna) >= 2"),
        ("not 2 < score(anna)", "score(anna) <= 2"),
        ("not score(anna) = 2", "score(anna) != 2"),
        ("score(anna) >= score(bo)", "score(anna) >= score(bo)"),
        ("score(anna) = taken(anna)", "score(anna) = taken(anna)"),
        ("score(anna) < never", "score(anna) < never"),
        ("never = score(anna)", "score(anna) = never"),
        ("heap != 10", "heap != 10"),
        ("anna = turn", "turn = anna"),
        ("happens(emptied)", "happens(emptied)"),
        ("not happens(emptied(bo))", "not happens(emptied(bo))"),
        ("before(emptied(anna),emptied(bo))", "before(emptied(anna), emptied(bo))"),
        ("not before(emptied, emptied(bo))", "not before(emptied, emptied(bo))"),
        ("wins( anna )", "wins(anna)"),
        ("not wins(bo)", "not wins(bo)"),
        ("cannot wins(bo) and heap = 0", "cannot wins(bo) and heap = 0"),
        ("can heap = 0", "can heap = 0"),
        ("cannot happens(emptied(bo)) and heap = 0", "cannot happens(emptied(bo)) and heap = 0"),
        ("heap=2 and not legal(take(3)) and 1=score(bo)", "heap = 2 and illegal(take(3)) and "
         "score(bo) = 1"),
    ],
)  # fmt: skip
def test_forms(heap: Position, text: str, told: str) -> None:
    """Each way to say it, and how it is told; what is told says the same."""
    claim = claims.parse(heap, text)
    assert str(claim) == told
    assert claims.parse(heap, told) == claim


def test_words_and_places(dinner: Position) -> None:
    """Findings and fluents are words or places; both sides may be one of them."""
    for text in (
        "sight(anna, bo) = clear",
        "sight(anna, bo) != sight(bo, anna)",
        "mood(bo) = grim",
        "mood(bo) = mood(anna)",
        "at(bo) = b1",
        "at(bo) = none",
        "purse(anna) > debt(anna)",
        "purse(bo) < 0",
        "happens(fed(pear_tart))",
    ):
        assert str(claims.parse(dinner, text)) == text
    assert str(claims.parse(dinner, "grim = mood(bo)")) == "mood(bo) = grim"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "the claim, or a part of it, is empty; expected legal(ACTION), illegal(ACTION), "
             "FIGURE = VALUE, "
         "happens(EVENT), before(EVENT, EVENT), wins(NAME) or drawn"),
        ("can ", "the claim, or a part of it, is empty; expected legal(ACTION), illegal(ACTION), "
                 "FIGURE = VALUE, "
         "happens(EVENT), before(EVENT, EVENT), wins(NAME) or drawn"),
        ("legl(take(anna, 2))", "unknown claim 'legl'; did you mean 'legal' or 'illegal'?"),
        ("scor(anna) = 3", "unknown figure or fluent 'scor(anna)'; did you mean 'score'?"),
        ("emptied(anna) = 1", "unknown figure or fluent 'emptied(anna)'; expected one of heap, "
         "last, score, taken, turn"),
        ("3 = 4", "unknown figure or fluent '3'; expected one of heap, last, score, taken, turn"),
        ("anna = bo", "unknown figure or fluent 'anna'; expected one of heap, last, score, taken, "
         "turn"),
        ("score(ana) = 3", "unknown player 'ana', argument 1 of score; did you mean 'anna'?"),
        ("score = 3", "'score' can mean score(anna) or score(bo); write one of them"),
        ("taken = 3", "'taken' does not fit taken(player)"),
        ("score(anna) = anna", "score is a number or never, not 'anna'"),
        ("turn = cy", "unknown value 'cy' of turn; expected one of anna, bo"),
        ("turn = 3", "unknown value '3' of turn; expected one of anna, bo"),
        ("turn = given", "unknown value 'given' of turn; expected one of anna, bo"),
        ("heap = anna", "unknown value 'anna' of heap; expected 0 to 99"),
        ("heap = never", "unknown value 'never' of heap; expected 0 to 99"),
        ("turn < bo", "turn is a word; compare it with = or !="),
        ("score(anna) = 3 = 4", "'score(anna) = 3 = 4' has more than one comparison; join them "
                                "with 'and'"),
        ("1 < score(anna) < 3", "'1 < score(anna) < 3' has more than one comparison; join them "
                                "with 'and'"),
        ("score(anna) =", "'score(anna)=' has an empty side; expected FIGURE = VALUE"),
        ("< 3", "'<3' has an empty side; expected FIGURE < VALUE"),
        ("score(anna)", "'score' has a value; write score(anna) = VALUE"),
        ("take(anna, 2)", "'take' is an action; write legal(take(...)) or illegal(take(...))"),
        ("emptied(anna)", "'emptied' is an event; write happens(emptied(...))"),
        ("legal(tke(anna, 2))", "unknown action 'tke'; did you mean 'take'?"),
        ("legal(take(ana, 2))", "unknown player 'ana', argument 1 of take; did you mean 'anna'?"),
        ("legal(take(anna, 2), take(bo, 2))",
         "'legal(take(anna, 2), take(bo, 2))' does not fit legal(ACTION)"),
        ("before(emptied(anna))", "'before(emptied(anna))' does not fit before(EVENT, EVENT)"),
        ("happens(emptid)", "unknown event 'emptid'; did you mean 'emptied'?"),
        ("happens(take(anna, 1))", "unknown event 'take'; expected emptied"),
        ("wins(cy)", "unknown argument 'cy' of wins; expected one of anna, bo"),
        ("wins", "'wins' does not fit wins(NAME)"),
        ("won(anna)", "unknown claim 'won'; expected one of before, drawn, happens, illegal, "
         "legal, wins"),
        ("drawn", "no rule of Heap, a game to start from says that a game is drawn"),
        ("happens(emptied(cy))", "unknown argument 'cy' of event emptied; expected one of anna, "
                                 "bo"),
        ("legal(take(anna, 2)", "'legal(take(anna, 2)' has no closing parenthesis; add ')'"),
        ("legal(take(anna, 2)) or heap = 3",
         "claims have no \"or\": write two claims"),
        (" and ".join(["heap = 1"] * 13), "a claim has at most 12 parts"),
        ("h" * 900, f"'{'h' * 37}...' is too long; a claim has at most 800 characters"),
    ],
)  # fmt: skip
def test_refused(heap: Position, text: str, said: str) -> None:
    """What is no claim of this game, in one line, with the nearest name where there is one."""
    with pytest.raises(InputError) as caught:
        claims.parse(heap, text)
    assert str(caught.value) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("sight(anna, bo) < clear", "sight(anna, bo) is a word; compare it with = or !="),
        ("mood(bo) < glad", "mood(bo) is a word; compare it with = or !="),
        ("purse(bo) > mood(bo)", "mood(bo) is a word; compare it with = or !="),
        ("mood(bo) = grm", "unknown value 'grm' of mood; did you mean 'grim'?"),
        ("at(bo) = z9", "unknown value 'z9' of at; expected one of a1, a2, b1, b2, c1, c2, none"),
        ("hand(anna, tart) = 2", "unknown dish 'tart', argument 2 of hand; did you mean "
         "'pear_tart'?"),
        ("happens(fed(anna, pear_trt))", "unknown argument 'pear_trt' of event fed; did you mean "
         "'pear_tart'?"),
    ],
)  # fmt: skip
def test_words_refused(dinner: Position, text: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        claims.parse(dinner, text)
    assert str(caught.value) == said


def test_twelve_parts_are_not_too_many(heap: Position) -> None:
    assert len(claims.parse(heap, " and ".join(["heap = 1"] * 12)).parts) == 12


EVENTS = ["fed(anna, tart)", "emptied(bo)", "fed(bo, cake)"]


def events(*names: str) -> list[Symbol]:
    return [parse_term(name) for name in names]


@pytest.mark.parametrize(
    ("pattern", "event", "is_it"),
    [
        ("emptied", "emptied(bo)", True),
        ("emptied(bo)", "emptied(bo)", True),
        ("emptied(anna)", "emptied(bo)", False),
        ("fed(tart)", "fed(anna, tart)", True),
        ("fed(tart, anna)", "fed(anna, tart)", False),
        ("fed(anna, tart, bo)", "fed(anna, tart)", False),
        ("fed", "emptied(bo)", False),
        ("fed(_, tart)", "fed(anna, tart)", True),
        ("fed(_, anna)", "fed(anna, tart)", False),
    ],
)
def test_an_event_that_is_meant(pattern: str, event: str, is_it: bool) -> None:
    """Arguments may be left out, but those that are there stand in their order."""
    assert claims.matches(parse_symbol(pattern, wild=True), parse_term(event)) is is_it


@pytest.mark.parametrize(
    ("text", "so"),
    [
        ("happens(emptied)", True),
        ("happens(emptied(anna))", False),
        ("not happens(emptied(anna))", True),
        ("before(fed(anna), emptied)", True),
        ("before(emptied, fed)", False),
        ("not before(emptied, fed)", True),
        ("before(emptied(bo), emptied(anna))", True),
        ("before(emptied(anna), emptied(bo))", False),
        ("before(emptied, emptied)", False),
        ("before(lost(anna), emptied(anna))", None),
        ("not before(lost(anna), emptied(anna))", None),
    ],
)
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
