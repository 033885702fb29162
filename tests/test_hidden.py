"""What hangs on a hidden value: worked out exactly, and said; who may look on."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from random import Random

import pytest
from clingo import Function, Symbol

from pymorph import RulesetError, UnknownName, Unsettled, apply, as_seen_by, check, legal_of
from pymorph.explore.execution.application import play_through
from pymorph.questions.explanation import why
from pymorph.questions.figures import forecast
from pymorph.questions.legality import judge_all, legal
from pymorph.ruleset.loader import load
from pymorph.ruleset.vocabulary import HIDDEN
from pymorph.state.position import Position
from tests.games import file_text, write_game

Run = Callable[..., tuple[int, str, str]]

# Units march at once: each has a sealed order, and two that go to one place both stay.
GAME = file_text("march/rules/game.lp")

RULES = file_text("march/encodings/play.lp")


@pytest.fixture(scope="module")
def march(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_game(tmp_path_factory.mktemp("march"), GAME, RULES, {})


def position(folder: Path, units: str, goals: str) -> Position:
    return Position.parse(f"{{ruleset: {folder}, unit: {{{units}}}, goal: {{{goals}}}}}")


UNITS = "mun: germany, par: france, mar: italy"
ORDERS = "mun: bur, par: hidden"


def test_what_a_hidden_order_may_bounce_is_not_certain(march: Path) -> None:
    found = play_through(position(march, UNITS, ORDERS), ["resolve(judge)"])
    assert found.stopped == 1
    assert found.why is not None
    assert (found.why.legal, found.depends_on) == (None, ("goal(par)",))
    assert found.why.may == (
        "bounced(mun, bur)", "bounced(par, bur)", "moved(mun, bur)", "moved(par, pic)"
    )  # fmt: skip
    with pytest.raises(Unsettled, match=re.escape("it depends on goal(par); it may cause")):
        apply(position(march, UNITS, ORDERS), "resolve(judge)")


def test_where_nothing_hidden_can_meet_it_is_certain(march: Path) -> None:
    """From pic one comes to par alone, whatever is written."""
    here = position(march, "mun: germany, pic: italy, par: france", "mun: bur, pic: hidden")
    found = apply(here, "boast(germany)")
    assert found.position == here
    assert [str(a) for a in legal(here).actions if a.actor == "germany"] == ["boast(germany)"]


def test_an_action_hangs_on_what_may_turn_it(march: Path) -> None:
    goals = "mun: bur, par: hidden, mar: hidden"
    here = position(march, f"{UNITS}, pic: italy", f"{goals}, pic: hidden")
    doubts = {str(doubt.action): doubt for doubt in legal(here).unsettled}
    assert list(map(str, doubts["boast(germany)"].depends_on)) == ["goal(mar)", "goal(par)"]
    assert doubts["boast(germany)"].rules == ("m_03",)
    assert why(here, "boast(germany)").legal is None
    assert [str(doubt.action) for doubt in judge_all(here).unsettled] == list(doubts)


def test_figures_and_findings_are_unknown(march: Path) -> None:
    here = position(march, f"{UNITS}, pic: italy", f"{ORDERS}, pic: par")
    figures = {str(figure.name): figure for figure in forecast(here).figures}
    assert figures["coming(bur)"].value == "unknown"
    assert list(map(str, figures["coming(bur)"].grounds)) == ["goal(par)"]
    assert figures["coming(par)"].value == 1
    assert figures["fate(mun)"].value == "unknown"
    assert figures["fate(pic)"].value == "stuck"


def test_what_is_no_position_of_the_game_is_left_out(march: Path) -> None:
    """Mar leads to bur alone: a hidden order of who stands there is that one, or none."""
    found = {str(f.name): f.value for f in forecast(position(march, UNITS, "mar: hidden")).figures}
    assert found == {"coming(bur)": "unknown", "fate(mar)": "unknown"}
    here = position(march, "mar: italy, par: france, bur: germany", "mar: hidden")
    found = {str(f.name): f.value for f in forecast(here).figures}
    assert found == {"coming(bur)": "unknown", "fate(mar)": "unknown"}


def test_whether_the_game_is_over(march: Path) -> None:
    here = position(march, "bur: italy, pic: france", "bur: hidden, pic: par")
    found = legal(here)
    assert found.over == ()
    assert list(map(str, found.over_if)) == ["goal(bur)"]
    assert {rule for doubt in found.unsettled for rule in doubt.rules} >= {"m_04"}
    assert legal(position(march, "bur: italy, pic: france", "bur: par, pic: par")).over == ("m_04",)


def test_the_verdict_may_turn_by_a_reading(march: Path) -> None:
    here = position(march, UNITS, ORDERS)
    turned = why(here, "boast(germany)").readings
    assert [(t.question, t.turned_by) for t in turned] == [("ties", (("pass", True),))]


CASE = """
ruleset: .
position:
  unit: {mun: germany, par: france, mar: italy}
  goal: {mun: bur, par: hidden}
claims:
  - claim: "legal(boast(germany))"
  - claim: "coming(bur) >= 1"
  - claim: "coming(bur) >= 2"
  - claim: "happens(moved(mun, bur))"
    after: [resolve(judge)]
"""


def test_claims_under_all_readings(march: Path, pymorph: Run) -> None:
    (march / "case.yaml").write_text(CASE)
    code, out, _ = pymorph("adjudicate", str(march / "case.yaml"))
    assert code == 3
    boast, least, most, moved, *_ = out.split("\n\n")
    assert "  depends on ties; by default depends\n" in boast
    assert "  if ties = bounce: depends\n    hidden: goal(par)\n" in boast
    assert "  if ties = pass: upheld\n" in boast
    assert "\n  upheld\n" in least
    assert "\n  depends" in most
    assert "  step 1: resolve(judge) depends on goal(par)\n" in moved


def test_a_view_says_what_hangs_on_the_others(march: Path, pymorph: Run) -> None:
    file = march / "orders.yaml"
    file.write_text(f"ruleset: .\nunit: {{{UNITS}}}\ngoal: {{mun: bur, par: pic, mar: bur}}\n")
    code, out, _ = pymorph("apply", str(file), "resolve(judge)", "--as", "germany")
    assert code == 3
    assert "it depends: the result of resolve(judge) depends on goal(mar), goal(par)\n" in out
    code, out, _ = pymorph("apply", str(file), "resolve(judge)")
    assert code == 0
    assert "bounced(mun, bur)" in out


@pytest.mark.parametrize("verb", ["legal", "forecast", "show", "check", "why", "apply", "play"])
def test_whoever_acts_may_look_on(march: Path, pymorph: Run, verb: str) -> None:
    file = march / "start.yaml"
    file.write_text(f"ruleset: .\nunit: {{{UNITS}}}\n")
    what = ["order(germany, mun, bur)"] if verb in ("why", "apply") else []
    for name in ("germany", "judge"):
        code, _, err = pymorph(verb, str(file), *what, "--as", name)
        assert (code, err) in ((0, ""), (3, "")), (name, err)
    code, _, err = pymorph(verb, str(file), *what, "--as", "germny")
    assert (code, err) == (2, "pymorph: unknown viewer 'germny'; did you mean 'germany'?\n")


def test_in_python_too(march: Path) -> None:
    seen = as_seen_by(position(march, UNITS, "mun: bur, par: pic"), "germany")
    assert seen.fluents[Function("goal", [Function("par")])] == HIDDEN
    assert Position.parse(seen.line()) == seen
    with pytest.raises(UnknownName, match="did you mean 'italy'"):
        as_seen_by(seen, "itly")


# -- beside each world by itself -------------------------------------------------------------------


def worlds(here: Position) -> Iterator[Position]:
    """Every position of the game that *here* may be."""
    veiled = [fluent for fluent, value in here.fluents.items() if value == HIDDEN]
    values = [*here.ruleset.vocabulary.members("place", here.scene), Function("none")]
    for chosen in product(values, repeat=len(veiled)):
        found = here.with_changes(dict(zip(veiled, chosen, strict=True)))
        if not check(found).flaws:
            yield found


@pytest.mark.parametrize("seed", range(4))
def test_as_in_each_world_by_itself(march: Path, seed: int) -> None:
    chance = Random(seed)
    places = ["par", "bur", "mun", "mar", "pic"]
    roads = {"par": ["bur", "pic"], "mun": ["bur"], "mar": ["bur"], "bur": ["par", "mun", "mar"],
             "pic": ["par"]}  # fmt: skip
    there = chance.sample(places, 4)
    units = ", ".join(f"{p}: {chance.choice(['france', 'germany', 'italy'])}" for p in there)
    known = {p: chance.choice(["hidden", "hidden", *roads[p]]) for p in there}
    here = position(march, units, ", ".join(f"{p}: {q}" for p, q in known.items()))
    each = list(worlds(here))
    assert each
    rows = [{str(action) for action in found.actions} for found in legal_of(each)]
    found = legal(here)
    assert {str(a) for a in found.actions} == set.intersection(*rows)
    unsettled = set.union(*rows) - set.intersection(*rows)
    assert {str(d.action) for d in found.unsettled} == unsettled
    for doubt in found.unsettled:
        told = {str(doubt.action) in row for row in rows}
        assert told == {True, False}
        assert set(map(str, doubt.depends_on)) == turning(
            here, each, [str(doubt.action) in row for row in rows]
        )
    values: list[dict[str, object]] = [
        {str(f.name): f.value for f in forecast(one).figures} for one in each
    ]
    told_of = {str(f.name): f.value for f in forecast(here).figures}
    for name in set().union(*values):
        kinds = {row.get(name) for row in values}
        assert told_of[name] == (kinds.pop() if len(kinds) == 1 else "unknown")
    outcomes = {
        str([(c.fluent, c.after) for c in apply(one, "resolve(judge)").changes])
        for one in each
        if "resolve(judge)" in {str(a) for a in legal(one).actions}
    }
    stopped = play_through(here, ["resolve(judge)"]).stopped
    assert stopped == (len(outcomes) != 1 or "resolve(judge)" in unsettled)


def turning(here: Position, each: list[Position], so: list[bool]) -> set[str]:
    """The hidden fluents that alone turn it, between two worlds that are alike in all others."""
    veiled: list[Symbol] = [fluent for fluent, value in here.fluents.items() if value == HIDDEN]
    found = set()
    for one, mine in zip(each, so, strict=True):
        for other, its in zip(each, so, strict=True):
            ways = [f for f in veiled if one.fluents.get(f) != other.fluents.get(f)]
            if len(ways) == 1 and mine != its:
                found.add(str(ways[0]))
    return found


# -- what a ruleset says of it ---------------------------------------------------------------------


def test_a_ruleset_that_speaks_of_it_is_left_alone(tmp_path: Path) -> None:
    says = "unsettled(resolve(judge), F, S, m_01) :- holds(F, hidden, S), F = goal(_).\n"
    game = GAME.replace(
        "fluent(goal, (place,), place, none)",
        "sort(unseen, listed). member(unseen, hidden). sort(target, union((place, unseen))).\n"
        "fluent(goal, (place,), target, none)",
    )
    folder = write_game(tmp_path, game, RULES + says, {})
    assert load(str(folder)).veiled == {}
    found = legal(position(folder, UNITS, ORDERS))
    assert [str(doubt.action) for doubt in found.unsettled] == ["resolve(judge)"]


def test_what_cannot_be_tried_out_is_refused(tmp_path: Path) -> None:
    game = GAME.replace("count, range(0, 9)", "count, range(0, 9999)")
    secret = "concealed(spring, C, spring, S, m_01) :- situation(S), C = judge.\n"
    with pytest.raises(RulesetError) as caught:
        load(str(write_game(tmp_path, game, RULES + secret, {})))
    assert re.search(
        r"play\.lp:\d+:1: spring is concealed, but it has too many values to try: the "
        r"sort count has 10000 members; the limit is 1000; write a rule that says what depends "
        r"on it, such as unsettled\(A, F, S, R\) :- ",
        str(caught.value),
    )
