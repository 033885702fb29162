"""What a question leaves out of a ruleset changes nothing in its answer."""

from collections import defaultdict
from dataclasses import replace
from pathlib import Path

from clingo import Function, Symbol

from pymorph.asp import solver
from pymorph.asp.dependency import (
    CHECKED,
    MANY,
    DependencyGraph,
    Slice,
    Statement,
    bounded,
    written,
)
from pymorph.asp.facts import EVERYWHERE, Key, Signs, spread
from pymorph.dynamics import transitions
from pymorph.dynamics.asking.batch import facts_of, situation
from pymorph.questions import figures, legality
from pymorph.ruleset.compiler import ASKED_FIRST, VERBS
from pymorph.state.position import Position
from tests.tables import parametrized, sampled

EXAMPLES = sorted(Path("examples").rglob("positions/*.yaml"))
KEYS = [("holds", 3, "lit"), ("glows", 1, None), ("lamp", 1, None), ("dark", 1, None)]
LIT, GLOWS, LAMP, DARK = KEYS


def part(
    text: str, needs: list[tuple[str, int, str | None]], gives: object, reads: object
) -> Statement:
    return Statement(text, Signs(tuple(frozenset([key]) for key in needs), gives, frozenset(reads)))  # type: ignore[arg-type, call-overload]


def lamps() -> Slice:
    return Slice(
        (
            part("lamp(oil).", [], (((*LAMP[:2], "oil"), None),), []),
            part(
                "glows(X) :- lamp(X), holds(lit, X, 0).",
                [LAMP, LIT],
                ((GLOWS, LAMP[:2]),),
                [LAMP, LIT],
            ),
            part("dark(X) :- lamp(X), not glows(X).", [LAMP], ((DARK, LAMP[:2]),), [LAMP, GLOWS]),
            part(
                "broken(X) :- lamp(X), fallen(X).",
                [LAMP, ("fallen", 1, None)],
                ((("broken", 1, None), None),),
                [LAMP],
            ),
        ),
        (("dark", 1), ("glows", 1)),
    )


def test_a_rule_that_cannot_fire_is_left_out() -> None:
    """Where nothing is lit no rule about glowing is read, and nothing about falling ever."""
    assert lamps().program([]) == written([lamps().parts[0], lamps().parts[2]]), (
        "the rule behind `not` is gone, its predicate declared"
    )
    lit = lamps().program([Function("holds", [Function("lit"), Function("oil"), situation(0)])])
    assert "glows(X) :-" in lit
    assert "broken" not in lit


def test_another_functor_does_not_fire_it() -> None:
    """A lamp that is polished is not lit."""
    polished = [Function("holds", [Function("polished"), Function("oil"), situation(0)])]
    assert lamps().program(polished) == lamps().program([])


def test_what_was_asked_before_changes_nothing() -> None:
    """What can fire is carried on from what the questions so far have in common, and is as
    if nobody had asked: with less than they know, and with more."""
    parts = lamps().parts
    fallen = ("fallen", 1, None)
    others: list[list[Key]] = [[LIT], [], [LIT, fallen]]
    asked = DependencyGraph(parts)
    for known in [*others, *reversed(others)]:
        assert asked.firing(known) == DependencyGraph(parts).firing(known)
        assert asked.firing(known, {1}) == DependencyGraph(parts).firing(known, {1})
    position = Position.load(Path("examples/positions/right_cross.yaml"))
    graph = DependencyGraph(position.ruleset.slices["apply"].parts)
    every = sorted(
        {key for each in graph.parts for need in each.signs.requires for key in need}, key=str
    )
    for step in (7, 3):
        again = DependencyGraph(graph.parts)
        assert graph.firing(every[::step]) == again.firing(every[::step])


@sampled("path", EXAMPLES, EXAMPLES[40::80], ids=lambda path: path.stem)
def test_answers_are_those_of_the_whole_slice(path: Path) -> None:
    """For each example and every verb, with what is asked and done: pruned, and by all of it.

    By default one example in 80 is tried, with `-m campaign` the others.
    """
    position = Position.load(str(path))
    actions = [action.symbol for action in legality.legal_actions(position)]
    here = situation(0)
    facts = [*position.facts(here), Function("surveying", [here]), Function("checking", [here])]
    for verb in (*VERBS, *(verb + CHECKED for verb in ASKED_FIRST), "whole"):
        part = position.ruleset.slices[verb]
        asked = [Function("asked", [action, here]) for action in actions]
        done = [Function("does", [a, here, situation(n)]) for n, a in enumerate(actions)]
        for more in ([], asked, [*asked, *done]):
            assert answers(part, facts + more, position) == answers(
                whole(part), facts + more, position
            ), verb


def test_what_positions_share_is_told_once() -> None:
    """Each position of a game has the facts that it has alone; who listens hears them so."""
    start = Position.load("examples/yard/start.yaml")
    positions = [start, *(after for _, after in transitions.successors_of([start])[0])]
    numbers = range(len(positions))
    told = facts_of(positions, numbers)
    alone = {fact for n in numbers for fact in positions[n].facts(situation(n))}
    assert set(spread(told)) == alone
    common = start.items.intersection(*(position.items for position in positions))
    once = {tuple(fact.arguments) for fact in told if fact.name == EVERYWHERE[0]}
    assert once == common | {(name,) for name in start.names}
    assert len(told) < len(alone) / 4
    part = start.ruleset.slices["legal"]
    recorder = solver.Recorder()
    heard = recorder.solve(part, told, start.geometry)
    assert set(recorder.queries[0].facts) == alone
    assert {name: set(rows) for name, rows in heard.items()} == answers(part, told, start)


@parametrized
def test_figures_that_are_named_are_looked_at_alone(path: str) -> None:
    """They are what they are among all figures, and few rules are read for them."""
    position = Position.load(path)
    every = figures.forecast(position, wide=True).figures
    part = position.ruleset.slices["forecast"]
    for kind in {figure.name.name for figure in every}:
        recorder = solver.Recorder()
        found = figures.forecast(replace(position, answers=recorder), kind).figures
        assert found == tuple(figure for figure in every if figure.name.name == kind)
        asked = recorder.queries[0].part
        assert len(asked.parts) < len(part.parts)
        assert asked.shown == part.shown


def test_a_sum_is_kept_in_a_range_that_can_be_gone_through() -> None:
    """Of lengths on a table there are too many, and their sums are few."""
    text = "total(light, N, S) :- N = #sum { A, I : entry(light, I, A, S) }."
    total = part(text, [], ((("total", 3, "light"), None),), [])
    within = bounded(total, {"light": (1, MANY)}).text
    assert within == f"{text.removesuffix('.')}; N >= 1; N <= {MANY}."
    assert bounded(total, {"light": (0, MANY + 1)}) == total


def answers(part: Slice, facts: list[Symbol], position: Position) -> dict[str, set[Symbol]]:
    return {name: set(rows) for name, rows in solver.solve(part, facts, position.geometry).items()}


def whole(part: Slice) -> Slice:
    """A slice that leaves nothing out: its one part is all of it."""
    everything = Statement(
        part.text, Signs((), tuple(((n, a, None), None) for n, a in part.shown), frozenset())
    )
    return replace(part, parts=(everything,), _caches=defaultdict(dict))
