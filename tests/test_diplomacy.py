"""Diplomacy, an example of a ruleset of one's own: the published test cases, and its map."""

import re
from collections import Counter
from random import Random

import pytest

from pymorph.errors import IllegalAction
from pymorph.explore.execution import application
from pymorph.questions import consistency, explanation, legality
from pymorph.ruleset import loader
from pymorph.state.position import Position
from tests.conftest import EXAMPLES, position_of
from tests.tables import with_campaign

FOLDER = EXAMPLES / "rulesets" / "diplomacy"
START = FOLDER / "positions" / "start.yaml"
SECTIONS = {"a": 12, "b": 14, "c": 7, "d": 34, "e": 15, "f": 24, "g": 18, "h": 16, "i": 7, "j": 11}


def position(**keys: object) -> Position:
    return position_of({"ruleset": str(FOLDER), **keys})


def test_all_published_cases_are_there() -> None:
    """Each by its number, in the file of its section; 6.B.14 is about builds and stands there."""
    numbers = set()
    for path in (FOLDER / "cases").glob("6?.yaml"):
        for line in path.read_text("utf-8").splitlines():
            if line.startswith("- id: 6."):
                numbers.add(line.removeprefix("- id: ").rstrip("ab"))
    wanted = {f"6.{s.upper()}.{n}" for s, count in SECTIONS.items() for n in range(1, count + 1)}
    assert numbers == wanted


def test_map() -> None:
    """75 provinces, 19 of them seas; 34 centres, 22 of them at home; 111 borders by land."""
    words = loader.load(str(FOLDER)).vocabulary
    assert len(words.sorts["province"].known) == 75
    assert len(words.sorts["coast"].known) == 6
    text = (FOLDER / "rules" / "map.lp").read_text("utf-8")
    counts = {"sea": 19, "home": 22, "neutral": 12, "land": 111, "sail": 141}
    assert {name: len(atoms(text, name)) for name in counts} == counts


def atoms(text: str, name: str) -> set[str]:
    """What a fact with pools says, such as ``land(alb, (gre; ser)).``, one by one."""
    found: set[str] = set()
    for inside in re.findall(rf"^{name}\(.*$|(?<=\. ){name}\(.*?\)\.", text, re.MULTILINE):
        for fact in re.findall(rf"{name}\((?:([a-z_]+), )?\(?([a-z_; ]+)\)?\)\.", inside):
            found |= {f"{fact[0]}, {other}" for other in fact[1].split("; ")}
    return found


def test_start() -> None:
    """As many moves as the map lets 22 units make, and no convoy before a fleet is at sea."""
    actions = Counter(
        str(a).partition("(")[0] for a in legality.legal_actions(Position.load(str(START)))
    )
    assert actions["hold"] == 22
    assert actions["convoy"] == actions["move_via"] == 0
    assert actions["resolve"] == 1


def test_a_year_without_orders() -> None:
    """Spring, fall and winter pass; every unit stays, and nothing is captured."""
    at = Position.load(str(START))
    for _ in range(3):
        at = application.apply(at, "resolve(judge)").position
    before = Position.load(str(START)).data()
    after = at.data()
    assert after.pop("year") == 1902
    assert {key: after[key] for key in ("armies", "fleets", "centres")} == {
        key: before[key] for key in ("armies", "fleets", "centres")
    }


def test_refused_by_rule() -> None:
    at = position(armies={"lvp": "england"}, fleets={"nth": "england"})
    rules = [reason.rule.id for reason in explanation.why(at, "move(england, lvp, iri)").reasons]
    assert rules == ["dip_03"]
    with pytest.raises(IllegalAction):
        application.apply(at, "move(england, nth, pic)")


@with_campaign("seed", [0], range(1, 40))
def test_play_breaks_no_condition(seed: int) -> None:
    """Whatever orders chosen at random lead to, `check` finds a position of the game."""
    random, at = Random(seed), Position.load(START)
    for _ in range(4 if seed == 0 else 30):
        for _ in range(6 if seed == 0 else 25):
            orders = [a for a in legality.legal_actions(at) if a.actor != "judge"]
            if not orders:
                break
            at = application.apply(at, random.choice(orders)).position
        for _ in range(2):
            assert consistency.check(at).consistent, at.line()
            if not legality.legal_actions(at):
                return
            at = application.apply(at, "resolve(judge)").position
