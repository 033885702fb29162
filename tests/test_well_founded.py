"""The well-founded reading of ``not``: who wins, loses or draws where moves go in a circle."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from clingo import parse_term

from pymorph import Position, RulesetError, legal_actions, successors_of
from pymorph.dynamics.asking.legal import legal_of
from pymorph.explore.execution import application
from pymorph.questions import explanation, figures
from pymorph.ruleset import loader
from pymorph.verify.report import UNKNOWN
from pymorph.verify.runner import verify
from pymorph.verify.scope import Scope
from tests.inn import write_game

GAME = r"""
ruleset(lanes, "1", "Lanes").
sort(node, listed). member(node, (a; b; c; d; e; f; g; h)).
sort(player, listed). member(player, (ann; bob)).
sort(yes, listed). member(yes, yes).
fluent(turn, (), player, given).
fluent(at, (), node, given).
fluent(shut, (node,), yes, none).
action(go, (player, node)).
table(lane, (node, node)).
lane(a, b). lane(b, (a; c)). lane(d, e). lane(e, (d; f)). lane(f, e). lane(g, d). lane(h, (c; d)).
table(rival, (player, player)). rival(ann, bob). rival(bob, ann).
finding(outlook, (node,)).
well_founded(wins, 2).
document(x, "The leaflet of Lanes").
rule(lan_01). title(lan_01, "Go"). says(lan_01, "One goes along a lane that is not shut.").
source(lan_01, x, "Play"). status(lan_01, stated).
rule(lan_02). title(lan_02, "Fair"). says(lan_02, "Nobody goes where the other cannot win.").
source(lan_02, x, "Play"). status(lan_02, stated).
"""
OUTLOOK = """
leads(P, Q, S) :- situation(S), lane(P, Q), not holds(shut(Q), yes, S).
wins(P, S) :- leads(P, Q, S), not wins(Q, S).
finding(outlook(P), won, S, lan_01)   :- wins(P, S).
finding(outlook(P), drawn, S, lan_01) :- undefined(wins(P, S)).
finding(outlook(P), lost, S, lan_01)  :-
    situation(S), member(node, P), not wins(P, S), not undefined(wins(P, S)).
"""
MOVES = """
proposed(go(C, Q), S, lan_01) :- holds(turn, C, S), holds(at, P, S), leads(P, Q, S).
forbidden(go(C, Q), S, lan_01) :- considered(go(C, Q), S), not to(C, Q, S).
to(C, Q, S) :- holds(turn, C, S), holds(at, P, S), leads(P, Q, S).
forbidden(go(C, Q), S, lan_02) :-
    considered(go(C, Q), S), not wins(Q, S), not undefined(wins(Q, S)).
sets(at, Q, T, lan_01) :- does(go(_, Q), _, T).
sets(turn, D, T, lan_01) :- does(go(C, _), _, T), rival(C, D).
happens(even(Q), T, lan_01) :- does(go(_, Q), S, T), undefined(wins(Q, S)).
"""


def built(folder: Path, added: str = "", game: str = GAME) -> Path:
    starts = {
        "start.yaml": "{ruleset: .., turn: ann, at: h}\n",
        "shut.yaml": "{ruleset: .., turn: ann, at: e, shut: {f: yes}}\n",
    }
    return write_game(folder, game, OUTLOOK + MOVES + added, starts)


@pytest.fixture(scope="module")
def lanes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("games") / "lanes")


def at(folder: Path, name: str = "start") -> Position:
    return Position.load(str(folder / "positions" / f"{name}.yaml"))


def outlook(position: Position) -> dict[str, str | int]:
    told = figures.forecast(position).figures
    return {str(each.name)[len("outlook(") : -1]: each.value for each in told}


def test_who_wins_loses_or_draws(lanes: Path) -> None:
    """From c nothing leads on; b goes there; from a there is no way but to b. The rest can go round
    for ever, and g has no way out of that; h has a winning move beside."""
    wanted = {"won": "bh", "lost": "ac", "drawn": "defg"}
    assert outlook(at(lanes)) == {node: how for how, row in wanted.items() for node in row}


def test_it_is_of_each_position(lanes: Path) -> None:
    shut = at(lanes, "shut")  # who is at f has nowhere to go, and nobody comes there
    assert outlook(shut)["e"] == "drawn"
    both = [at(lanes), shut.with_changes({})]
    assert [len(row) for row in successors_of(both)] == [1, 1]


def test_what_comes_after_reads_facts(lanes: Path) -> None:
    start = at(lanes)
    assert list(map(str, legal_actions(start))) == ["go(ann, d)"]
    told = explanation.why(start, "go(ann, c)")
    assert [reason.rule.id for reason in told.reasons] == ["lan_02"]
    outcome = application.apply(start, "go(ann, d)")
    assert [str(event.event) for event in outcome.events] == ["even(d)"]
    assert [row.actions for row in legal_of([start, outcome.position])] == [
        legal_actions(start),
        legal_actions(outcome.position),
    ]


ASKED = """
question(dead_ends). asks(dead_ends, "Does who is stuck lose?").
option(dead_ends, lose). option(dead_ends, win). default(dead_ends, lose).
means(dead_ends, lose, "Yes."). means(dead_ends, win, "No."). because(dead_ends, "As is usual.").
raises(lan_01, dead_ends).
"""


def test_a_reading_may_decide(tmp_path: Path) -> None:
    added = """
stuck(P, S) :- situation(S), member(node, P), not leads_on(P, S).
leads_on(P, S) :- leads(P, _, S).
wins(P, S) :- stuck(P, S), reading(dead_ends, win, S).
"""
    start = at(built(tmp_path / "lanes", added, GAME + ASKED))
    assert outlook(start)["c"] == "lost"
    ruled = start.with_rulings({"dead_ends": "win"})
    assert outlook(ruled)["c"] == "won"
    told = explanation.why(start, "go(ann, c)")
    assert [(each.question, each.turned_by) for each in told.readings] == [
        ("dead_ends", (("win", True),))
    ]


FAULTS = {
    "what is not there": (
        "well_founded(win, 2).", "well_founded names win/2, but no rule gives it; did you mean "
                                 "'wins/2'?",
    ),
    "a word of the core": (
        "well_founded(legal, 2).", "legal/2 is a word of the core, so it cannot be well founded",
    ),
    "what is not marked": (
        "over(S, lan_01) :- undefined(leads(a, b, S)).",
        "leads/3 is never undefined, because it is not well founded",
    ),
    "a circle beside it": (
        "wins(P, S) :- lane(P, _), strong(P, S).\n"
        "strong(P, S) :- lane(P, Q), situation(S), not wins(Q, S).",
        "wins/2 is well founded, but depends on itself through strong/2, which is not; "
        "declare well_founded(strong, 2) as well",
    ),
    "by what is legal": (
        "wins(P, S) :- lane(P, _), situation(S), not to_act(ann, S).",
        "wins/2 is well founded, but depends on itself through to_act/2, which is not",
    ),
    "counted": (
        "wins(P, S) :- lane(P, _), situation(S), #count { Q : lane(P, Q), wins(Q, S) } > 1.",
        "reads a well-founded predicate inside another expression",
    ),
    "the position after": (
        "forbidden(A, S, lan_02) :- considered(A, S), wins(a, after(A, S)).",
        "this cannot read a well-founded predicate of after(A, S)",
    ),
    "given by a ruleset": (
        "undefined(wins(a, S)) :- situation(S).",
        "'undefined/1' belongs to the core and cannot be derived by a ruleset",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_what_cannot_be_well_founded_is_refused(name: str, tmp_path: Path) -> None:
    added, says = FAULTS[name]
    with pytest.raises(RulesetError) as error:
        loader.load(str(built(tmp_path / "lanes", added + "\n")))
    assert says in str(error.value)
    assert "play.lp:" in str(error.value)


def test_verify_says_what_it_does_not_know(lanes: Path) -> None:
    [told] = verify(Scope(loader.load(str(lanes))), ["incomplete"], jobs=1).checked
    assert told.status == UNKNOWN
    says = "wins/2 is well founded, and needs known values: "
    says += "a search over positions leaves them open"
    assert [finding.says for finding in told.findings] == [says]


LANES = {"a": "b", "b": "ac", "c": "", "d": "e", "e": "df", "f": "e", "g": "d", "h": "cd"}


def expected(shut: set[str]) -> dict[str, str]:
    """Who wins and who loses, from the ends back: what is left is drawn."""
    ways = {node: [each for each in row if each not in shut] for node, row in LANES.items()}
    known: dict[str, str] = {}
    for _ in LANES:
        for node, row in ways.items():
            if any(known.get(each) == "lost" for each in row):
                known[node] = "won"
            elif all(known.get(each) == "won" for each in row):
                known[node] = "lost"
    return {node: known.get(node, "drawn") for node in LANES}


def test_it_is_what_play_from_the_ends_back_comes_to(lanes: Path) -> None:
    start, dice = at(lanes), random.Random(3)
    for _ in range(30):
        shut = {node for node in LANES if dice.random() < 0.3}
        closed = {parse_term(f"shut({node})"): parse_term("yes") for node in shut}
        assert outlook(start.with_changes(closed)) == expected(shut)
