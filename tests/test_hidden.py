"""What hangs on a hidden value: worked out exactly, and said; who may look on."""

import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random

import pytest
from clingo import Function, Symbol

from pymorph import RulesetError, UnknownName, apply, as_seen_by, check, legal_of, why
from pymorph.dynamics.asking import batch
from pymorph.explore.execution.application import play_through
from pymorph.questions.figures import forecast
from pymorph.questions.legality import legal
from pymorph.ruleset.loader import load
from pymorph.ruleset.vocabulary import HIDDEN
from pymorph.state.position import Position
from tests.games import file_text, write_game

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


def test_why_looks_at_each_option_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not at all readings: there are as many of them as ways to choose for every question."""
    root = Path(__file__).parent.parent
    known = (root / "rules/phases_of_play/known.txt").read_text(encoding="utf-8").splitlines()
    text = next(line for line in known if "what_is_public: kind_public" in line)
    seen = as_seen_by(Position.parse(text), "ash")
    solved: list[object] = []
    solve = batch.solve
    monkeypatch.setattr(batch, "solve", lambda *asked: solved.append(asked) or solve(*asked))
    assert why(seen, "end_turn(finn)").legal
    options = [option for options in seen.ruleset.options.values() for option in options]
    assert 2 < len(solved) <= len(options)
