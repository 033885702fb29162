"""Which words a ruleset calls its own, and games that were written for an earlier version."""

import warnings
from collections.abc import Sequence
from pathlib import Path

import pytest

from pymorph.dynamics.asking.endings import outcome
from pymorph.errors import RulesetError
from pymorph.explore.execution import application
from pymorph.questions import explanation, legality
from pymorph.ruleset import loader, scaffold
from pymorph.ruleset.contract import PRESENT_CONTRACT
from pymorph.state.position import Position
from tests.conftest import position_of
from tests.inn import PLAY, write_inn
from tests.tables import parametrized, tables

EARLIER = Path(__file__).parent / "earlier"
ENTERED = {"standoff": ("move(ann, [[6, 6]])", "move(col, [[15, 17]])")}
OF_0_4_0 = sorted(path.name for path in (EARLIER / "0_4_0").iterdir())


def start(*parts: str) -> Position:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return Position.load(EARLIER.joinpath(*parts) / "positions" / "start.yaml")


def played(position: Position, actions: Sequence[str]) -> Position:
    for action in actions:
        position = application.apply(position, action).position
    return position


def legal(position: Position) -> list[str]:
    return [str(action) for action in legality.legal_actions(position)]


def inn(folder: Path, lines: str) -> loader.Ruleset:
    """The game in `inn.py` with some lines more."""
    own = write_inn(folder / "inn")
    (own / "encodings" / "play.lp").write_text(f"{PLAY}{lines}\n")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return loader.load(str(own))


def refused(folder: Path, lines: str) -> str:
    with pytest.raises(RulesetError) as caught:
        inn(folder, lines)
    return "\n".join(map(str, caught.value.faults))


# Games of an earlier version


@pytest.mark.parametrize("name", OF_0_4_0)
def test_the_example_games_as_they_were(name: str) -> None:
    """They load and play: what is entered, or the first of the legal actions, four times."""
    position = start("0_4_0", name)
    for entered in ENTERED.get(name, ("",) * 4):
        position = application.apply(position, entered or legal(position)[0]).position
    assert name in ENTERED or legal(position)


def test_a_word_that_the_core_has_for_its_proofs() -> None:
    """`next/3` of its own: who comes next at the table."""
    position = start("outsiders", "potato")
    assert legal(position) == ["drop(ann)", "throw(ann, bo)"]
    assert explanation.why(position, "throw(ann, cy)").legal is False
    after = played(position, ["throw(ann, bo)", "drop(bo)"])
    assert legal(after) == ["drop(cy)", "throw(cy, ann)"]
    assert legal(played(after, ["drop(cy)"])) == []


def test_a_word_of_the_vocabulary() -> None:
    """`unit/5` and `unit/3` of its own, where a unit of figures is `unit/3`."""
    position = start("outsiders", "companies")
    assert not position.ruleset.vocabulary.units
    assert legal(position)[:2] == ["march(red, guard)", "march(red, scouts)"]
    after = played(position, ["rout(red, guard)", "march(red, scouts)"])
    assert legal(after) == ["march(blue, pikes)", "rout(blue, pikes)"]


def test_words_that_came_later() -> None:
    """`score/4`, `wins/3` and `drawn/2` of its own, and two names of what the core keeps."""
    position = start("outsiders", "darts")
    assert legal(position) == ["hit(ann, inner)", "hit(ann, middle)", "hit(ann, outer)"]
    turns = ["hit(ann, inner)", "hit(bo, outer)"] * 3
    last = ["hit(bo, inner)", "hit(bo, middle)", "hit(bo, outer)"]
    assert legal(played(position, turns[:-1])) == last
    ended = played(position, turns)
    assert legal(ended) == []
    found = outcome(ended)
    assert found is not None
    assert (found.winners, found.drawn, found.scores) == ((), False, {})
    told = "wins/3 is read as a word of this ruleset; write contract(2) (core)"
    assert any(told in doubt for doubt in ended.ruleset.doubts)


# What is a ruleset's own, and what is a slip

READ = "sets(mood(C), grim, T, inn_02) :- does(eat(C, _), S, T), "


@parametrized
def test_own(tmp_path: Path, given: str, read: str) -> None:
    """What is given and read is the ruleset's own; nothing else changes."""
    found = inn(tmp_path, f"{given}\n{READ}{read}.")
    assert not [doubt for doubt in found.doubts if "nothing reads" in doubt]


@parametrized
def test_slips(tmp_path: Path, lines: str, said: str) -> None:
    """What is not both given and read stays a slip, and the core's own words are never taken."""
    assert said in refused(tmp_path, lines)


def test_both_sides_of_a_name_stay_apart(tmp_path: Path) -> None:
    """What the ruleset gives by the core's name makes nobody wait."""
    inn(tmp_path, f"held(A, S) :- considered(A, S).\n{READ}held(eat(C, _), S).")
    ann = {"purse": 9, "hand": {"pear_tart": 1}}
    data = {"ruleset": str(tmp_path / "inn"), "turn": "ann", "guests": {"ann": ann}}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        position = position_of(data)
        assert legal(position) == ["eat(ann, pear_tart)"]
        changes = application.apply(position, "eat(ann, pear_tart)").changes
    assert "mood(ann)" in [str(change.fluent) for change in changes]


# The contract

OVER = tables(__name__)["over"]


@pytest.mark.parametrize(
    ("contract", "winners", "doubted"),
    [("", (), True), ("contract(1).", (), False), ("contract(2).", ("ann",), False)],
)
def test_a_later_word_by_contract(
    tmp_path: Path, contract: str, winners: tuple[str, ...], doubted: bool
) -> None:
    """It is the core's from its contract on, and the ruleset's before; a doubt tells of it."""
    found = inn(tmp_path, OVER + contract)
    data = {"ruleset": str(tmp_path / "inn"), "turn": "ann", "guests": {"ann": {"purse": 9}}}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ended = outcome(position_of(data))
    assert ended is not None
    assert tuple(map(str, ended.winners)) == winners
    assert any("wins/3 is read as a word" in doubt for doubt in found.doubts) is doubted


def test_a_later_word_that_is_only_given_is_the_cores(tmp_path: Path) -> None:
    inn(tmp_path, OVER.replace("wins(C, S, inn_01).", "not holds(mood(C), _, S).", 1))
    data = {"ruleset": str(tmp_path / "inn"), "turn": "ann", "guests": {"ann": {"purse": 9}}}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ended = outcome(position_of(data))
    assert ended is not None
    assert tuple(map(str, ended.winners)) == ("ann",)


@parametrized
def test_no_contract(tmp_path: Path, lines: str, said: str) -> None:
    assert said in refused(tmp_path, lines)


CIRCLE = tables(__name__)["circle"]


@pytest.mark.parametrize("contract", ["", "contract(2). ", "contract(3). "])
def test_a_removed_word(tmp_path: Path, contract: str) -> None:
    """The error says what to write instead, in the line that states the word."""
    line = len(PLAY.splitlines()) + 1
    said = refused(tmp_path, f"{contract}well_founded(wins, 2).{CIRCLE}")
    assert f"play.lp:{line}:" in said
    assert "contract(3) has no well_founded/2; give the predicate a number N up to a bound" in said
    said = refused(
        tmp_path / "other", f"{CIRCLE}over(S, inn_01) :- situation(S), undefined(wins(P, S))."
    )
    assert "contract(3) has no undefined/1; write a rule of your own" in said


def test_a_removed_word_of_its_own(tmp_path: Path) -> None:
    """A ruleset that both gives and reads it means its own."""
    own = "undefined(C) :- C = (ann; bo). over(S, inn_01) :- situation(S), undefined(S)."
    assert inn(tmp_path, f"contract(3). {own}")


def test_a_circle_through_not(tmp_path: Path) -> None:
    """It is refused where it has several answers; what is numbered instead has one."""
    inn(tmp_path, CIRCLE)
    position = Position.load(tmp_path / "inn" / "positions" / "dinner.yaml")
    with pytest.raises(RulesetError, match="allow several answers"):
        legality.legal_actions(position)
    numbered = (
        CIRCLE.replace("wins(P, S)", "wins(P, N, S)")
        .replace("P = @places()", "N = 1..3, P = @places()")
        .replace("wins(Q, S)", "wins(Q, N - 1, S)")
    )
    inn(tmp_path / "numbered", numbered)
    position = Position.load(tmp_path / "numbered" / "inn" / "positions" / "dinner.yaml")
    assert legality.legal_actions(position)


@pytest.mark.parametrize("number", [1, 3])
def test_words_that_no_contract_has_any_more(tmp_path: Path, number: int) -> None:
    """`after(A, S)` in the place of a situation; a predicate of that name is the ruleset's own."""
    rule = f"contract({number}).\nforbidden(A, S, inn_01) :- considered(A, S), open(after(A, S))."
    said = refused(tmp_path, f"open(S) :- situation(S).\n{rule}")
    assert f"play.lp:{len(PLAY.splitlines()) + 3}:1: contract(3) has no after/2" in said
    assert "write a predicate of S" in said
    assert inn(tmp_path, "after(1, 2). after(X, Y) :- after(Y, X).")


def test_a_new_ruleset_names_the_present_contract(tmp_path: Path) -> None:
    scaffold.write(str(tmp_path / "fresh"))
    text = (tmp_path / "fresh" / "rules" / "game.lp").read_text()
    assert f"contract({PRESENT_CONTRACT})." in text
    assert not loader.load(str(tmp_path / "fresh")).doubts
