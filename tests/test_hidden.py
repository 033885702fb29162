"""What hangs on a hidden value: worked out exactly, and said; who may look on."""

import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random

import pytest
from clingo import Function, Symbol

from pymorph import (
    Case,
    RulesetError,
    UnknownName,
    adjudicate,
    apply,
    as_seen_by,
    check,
    legal_of,
    why,
)
from pymorph.adjudication.adjudication import word_of
from pymorph.adjudication.case import Stated
from pymorph.asp.grounding import WORK
from pymorph.explore.execution.application import play_through
from pymorph.questions.evaluation import WORDS, truths
from pymorph.questions.figures import forecast
from pymorph.questions.legality import legal
from pymorph.questions.observers import Observer
from pymorph.ruleset.loader import load
from pymorph.ruleset.vocabulary import HIDDEN
from pymorph.state import claim
from pymorph.state.position import Position
from pymorph.state.record import Move
from tests.games import file_text, write_game
from tests.tables import with_campaign

ROOT = Path(__file__).parent.parent

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


def some_orders(chance: Random) -> tuple[str, str]:
    """Four units, and the goals of some; others are hidden."""
    places = ["par", "bur", "mun", "mar", "pic"]
    roads = {"par": ["bur", "pic"], "mun": ["bur"], "mar": ["bur"], "bur": ["par", "mun", "mar"],
             "pic": ["par"]}  # fmt: skip
    there = chance.sample(places, 4)
    units = ", ".join(f"{p}: {chance.choice(['france', 'germany', 'italy'])}" for p in there)
    known = {p: chance.choice(["hidden", "hidden", *roads[p]]) for p in there}
    return units, ", ".join(f"{p}: {q}" for p, q in known.items())


@pytest.mark.parametrize("seed", range(4))
def test_as_in_each_world_by_itself(march: Path, seed: int) -> None:
    here = position(march, *some_orders(Random(seed)))
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


# -- steps, as somebody sees them ------------------------------------------------------------------


def seen_by(viewer: str, here: Position, action: str) -> tuple[str, list[str], list[str]]:
    """The action, its events and its changes, as one player sees them."""
    steps = Observer.of(here, viewer).steps(here, apply(here, action).steps)
    (step,) = steps
    events = [str(event.event) for event in step.events]
    return str(step.action), events, [f"{c.fluent}: {c.after}" for c in step.changes]


def test_a_step_does_not_name_what_its_changes_hide(tmp_path: Path) -> None:
    """Whose order it is is known; where a unit is, and where it is sent, is not."""
    sealing = "happens(seals(C, (P, Q)), T, m_01) :- does(order(C, P, Q), S, T).\n"
    folder = write_game(tmp_path, f"{GAME}event(3, seals).\n", RULES + sealing, {})
    here = position(folder, "par: france, mun: germany", "mun: bur")
    action = "order(france, par, pic)"
    assert seen_by("france", here, action) == (
        action,
        ["seals(france, (par, pic))"],
        ["goal(par): pic"],
    )
    assert seen_by("germany", here, action) == (
        "order(france, hidden, hidden)",
        ["seals(france, hidden)"],
        [],
    )


def test_a_listed_name_is_hidden_where_it_is_a_secret_target() -> None:
    """pha_decl_08: under one reading the target of what is declared is public, under one not."""
    here = Position.load(ROOT / "examples/courtyard/declaring.yaml")
    action = "announce(cole, attack, ash)"
    for reading, target in (("kind_public", "hidden"), ("kind_and_target_public", "ash")):
        ruled = here.with_rulings({**here.rulings, "what_is_public": reading})
        assert seen_by("foes", ruled, action)[0] == action
        said, _, changes = seen_by("heroes", ruled, action)
        assert said == f"announce(cole, attack, {target})"
        assert f"aim(cole): {target}" in changes


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


# -- under every reading ---------------------------------------------------------------------------

QUESTIONS = """
question(roads). asks(roads, "Do orders follow roads?"). option(roads, (yes; no)).
means(roads, yes, "They do."). means(roads, no, "They need not."). default(roads, yes).
because(roads, "It is usual."). raises(m_01, roads).
question(boasts). asks(boasts, "Who may boast?"). option(boasts, (earned; free)).
means(boasts, earned, "Who gets through."). means(boasts, free, "All."). default(boasts, earned).
because(boasts, "It is usual."). raises(m_03, boasts).
"""
READ = {
    "holds(goal(P), Q, S), not road(P, Q).": "holds(goal(P), Q, S), not road(P, Q), "
    "reading(roads, yes, S).",
    "considered(boast(C), S), not gets_through(C, S).": "considered(boast(C), S), "
    "not gets_through(C, S), reading(boasts, earned, S).",
}
CLAIMS = {
    (): (
        "legal(resolve(judge))",
        "legal(boast(france))",
        "legal(order(germany, mun, bur))",
        "coming(bur) = 1",
        "coming(bur) < coming(pic)",
        "fate(par) = through",
    ),
    ("resolve(judge)",): ("unit(bur) = france", "happens(bounced(par, bur))", "coming(bur) = 0"),
}


@pytest.fixture(scope="module")
def disputed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """March with two more questions: one decides what a hidden goal may be."""
    rules = RULES
    for before, after in READ.items():
        assert before in rules
        rules = rules.replace(before, after)
    return write_game(tmp_path_factory.mktemp("disputed"), GAME + QUESTIONS, rules, {})


@with_campaign("seed", [1, 2], [0, 3, 4, 5])
def test_claims_under_every_reading_as_under_each(disputed: Path, seed: int) -> None:
    here = position(disputed, *some_orders(Random(seed)))
    options = here.ruleset.options
    assert len(options) == 3
    for steps, texts in CLAIMS.items():
        after = tuple(map(Move, steps))
        stated = tuple(Stated("", claim.parse(here, text), after) for text in texts)
        answer = adjudicate(Case(here, stated))
        for row in product(*options.values()):
            reading = dict(zip(options, row, strict=True))
            ruled = here.with_rulings(reading)
            alone = adjudicate(Case(ruled, stated)).claims
            for one, ruling in zip(alone, answer.claims, strict=True):
                ((_, account),) = one.accounts
                assert ruling.under(reading, here.ruleset.defaults) == account
            if not steps:
                closed = [truths(each.claim, [(ruled, ())])[0] for each in stated]
                assert [one.verdict for one in alone] == [word_of(WORDS[word]) for word in closed]


def test_no_combination_of_readings_is_grounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is asked under all readings is grounded once, and once for two worlds beside each
    other."""
    known = (ROOT / "rules/phases_of_play/known.txt").read_text(encoding="utf-8").splitlines()
    text = next(line for line in known if "what_is_public: kind_public" in line)
    seen = as_seen_by(Position.parse(text), "ash")
    texts = ("legal(end_turn(finn))", "actions_allowed(finn) = 1", "catches_in(finn, bryn) = 1")
    WORK.clear()
    assert why(seen, "end_turn(finn)").legal
    assert WORK["groundings"] <= 3
    for text in texts:
        WORK.clear()
        adjudicate(Case(seen, (Stated("", claim.parse(seen, text)),)))
        assert WORK["groundings"] == 2
        assert WORK["solves"] < 200
