"""Runs the cases of `<ruleset>/cases/*.yaml`: a position, and what is expected of it, as data.

A case has an ``id``, what it ``tells``, the ``rules`` it is about, and a position: either its own
(``position``, as a file has it), or a ``base`` of `bases.yaml` with fluents ``set`` otherwise.
``expect`` is a list; each item is one or more of

    do: ACTION or [ACTION, ...]       carry these out; the rest is expected of the position after
    legal: ACTION or list             each of them is legal
    illegal: {ACTION: [RULE, ...]}    forbidden by exactly these rules
    unsettled: {ACTION: [ITEM, ...]}  hangs on these hidden items
    doubted: {ACTION: [RULE, ...]}    is proposed, and hangs on hidden items by these rules
    figures: {NAME: VALUE}            what the forecast says; `absent` if it has no such figure
    survey: {NAME: VALUE}             what the forecast says if no figure is asked for by name
    wide: {NAME: VALUE}               the same with what may come next
    ledger: {NAME: {ITEM: TEXT}}      all items of a figure, each as `NUMBER by RULE`
    cites: {NAME: [RULE, ...]}        the rules that a figure has its word from
    grounds: {NAME: [ITEM, ...]}      what such a word is told of
    holds: {FLUENT: VALUE}            the value of a fluent
    events: [EVENT, ...]              what the last `do` brought about; `no_events`: what it did not
    changes: {FLUENT: [RULE, ...]}    the rules by which the last `do` changed it
    undone: [ACTION, ...]             what the last `do` left undone; nothing if it is not said
    told: {NAME: VALUE}               all figures that the last `do` goes by
    weighs: {ACTION: {NAME: VALUE}}   all figures that weigh in on whether it is legal
    later: {EVENT: [N by RULE, ...]}  how many turns, at the least, end before it comes about
    seen: {WHO: {FLUENT: VALUE}}      the value of a fluent as somebody sees the position
    drawn: [ATOM, ...]                what a picture of the position shows, among other things
    undrawn: [ATOM, ...]              what it does not show
    plays: {POLICY: ACTION}           what whoever acts does first if played by that policy
    flaws: {WHAT: [RULE, ...]}        all that `check` finds; {} if the position is well formed
    refused: {ACTION: [RULE, ...]}    like illegal, and `apply` raises it too
    under: {QUESTION: OPTION}         with `expect`: the same position under these rulings
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from clingo import Function, SymbolType

from pymorph import queries
from pymorph.answers import Figure, Outcome, Why
from pymorph.errors import IllegalAction
from pymorph.position import Position
from pymorph.queries.asking import ask, situation
from pymorph.terms import Term, parse_symbol
from tests.conftest import position_of

ROOT = Path(__file__).parent
KEYS = {"id", "tells", "rules", "position", "base", "set", "expect"}
EXPECTED = {
    "do", "legal", "illegal", "unsettled", "figures", "holds", "events", "no_events", "flaws",
    "refused", "under", "expect", "survey", "wide", "ledger", "told", "seen", "drawn", "undrawn",
    "plays", "weighs", "later", "doubted", "cites", "grounds", "undone",
    "changes",
}  # fmt: skip


class Loader(yaml.SafeLoader):
    """Words stay words: yes and no are values of fluents."""


Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in rows if tag != "tag:yaml.org,2002:bool"]
    for first, rows in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def folder(game: str) -> Path:
    """Where the cases of a ruleset are."""
    return ROOT / game / "cases"


def load(game: str, name: str) -> list[dict[str, Any]]:
    """The cases of one file of a ruleset."""
    text = (folder(game) / name).read_text(encoding="utf-8")
    cases: list[dict[str, Any]] = yaml.load(text, Loader) or []
    for case in cases:
        assert case.keys() <= KEYS, (case["id"], case.keys() - KEYS)
        case["game"] = game
    assert len({case["id"] for case in cases}) == len(cases), f"an id twice in {name}"
    return cases


def bases(game: str) -> dict[str, Any]:
    """The positions that many cases of a ruleset start from."""
    found: dict[str, Any] = yaml.load((folder(game) / "bases.yaml").read_text("utf-8"), Loader)
    return found


def all_cases(game: str) -> list[Any]:
    """Every case of every file of a ruleset, as parameters named by their ids."""
    return [
        pytest.param(case, id=f"{path.stem}:{case['id']}")
        for path in sorted(folder(game).glob("*.yaml"))
        if path.name != "bases.yaml"
        for case in load(game, path.name)
    ]


def position(case: dict[str, Any]) -> Position:
    """Where a case begins."""
    if "position" in case:
        return position_of(case["position"], case["id"])
    start = position_of(bases(case["game"])[case["base"]], case["base"])
    changes = {}
    for fluent, value in case.get("set", {}).items():
        symbol = parse_symbol(fluent)
        start.value(fluent)
        changes[symbol] = parse_symbol(str(value))
    return start.with_changes(changes)


def run(case: dict[str, Any]) -> None:
    """Fail where the rules do not say what the case expects."""
    expect(position(case), case["expect"], case["id"])


def listed(value: Any) -> list[str]:
    return value if isinstance(value, list) else [value]


def expect(current: Position, items: list[dict[str, Any]], where: str) -> None:
    outcome: Outcome | None = None
    for number, item in enumerate(items, 1):
        label = f"{where}, expectation {number}"
        assert item.keys() <= EXPECTED, (label, item.keys() - EXPECTED)
        if "under" in item:
            expect(
                current.with_rulings(item["under"]),
                item["expect"],
                f"{label} under {item['under']}",
            )
            continue
        if "do" in item:
            outcome = queries.apply(current, *listed(item["do"]))
            assert [str(action) for action in outcome.rest] == item.get("undone", []), label
            current = outcome.position
        for action in listed(item.get("legal", [])):
            answer = queries.why(current, action)
            assert answer.legal is True, (label, str(answer.action), rules_of(answer))
            proposed = answer.action in queries.legal_actions(current) or is_open(current, answer)
            assert proposed, (label, f"{answer.action} is legal when asked, but not proposed")
        for action, rules in {**item.get("illegal", {}), **item.get("refused", {})}.items():
            answer = queries.why(current, action)
            assert answer.legal is False, (label, str(answer.action), "is legal")
            assert rules_of(answer) == sorted(rules), (label, str(answer.action))
        for action, rules in item.get("refused", {}).items():
            with pytest.raises(IllegalAction) as caught:
                queries.apply(current, action)
            assert sorted(caught.value.rules) == sorted(rules), label
        for action, hidden in item.get("unsettled", {}).items():
            answer = queries.why(current, action)
            assert answer.legal is None, (label, str(answer.action))
            assert [str(d) for d in answer.depends_on] == sorted(hidden), label
        for action, rules in item.get("doubted", {}).items():
            doubts = {str(d.action): d.rules for d in queries.legal(current).unsettled}
            assert sorted(doubts.get(action, ())) == sorted(rules), (label, action)
        if "figures" in item:
            check_figures(current, item["figures"], label)
        for width in ("survey", "wide"):
            if width in item:
                found = queries.forecast(current, wide=width == "wide").figures
                compare({str(f.name): f.value for f in found}, item[width], label)
        for name, entries in item.get("ledger", {}).items():
            assert ledger(current, name) == entries, (label, name)
        for name, rules in item.get("cites", {}).items():
            assert sorted(figure(current, name).rules) == sorted(rules), (label, name)
        for name, terms in item.get("grounds", {}).items():
            assert sorted(map(str, figure(current, name).grounds)) == sorted(terms), (label, name)
        if "told" in item:
            assert outcome is not None, label
            told = {str(f.name): f.value for step in outcome.steps for f in step.figures}
            assert told == item["told"], label
        for fluent, rules in item.get("changes", {}).items():
            assert outcome is not None, label
            changed = {str(c.fluent): sorted(c.rules) for c in outcome.changes}
            assert changed.get(fluent) == sorted(rules), (label, fluent, changed)
        for action, figures in item.get("weighs", {}).items():
            weighing = {str(f.name): f.value for f in queries.why(current, action).figures}
            assert weighing == figures, (label, action)
        for event, bounds in item.get("later", {}).items():
            assert later(current, event) == bounds, (label, event)
        for viewer, values in item.get("seen", {}).items():
            view = queries.as_seen_by(current, viewer)
            for fluent, value in values.items():
                assert str(view.value(fluent)) == str(value), (label, viewer, fluent)
        if "drawn" in item or "undrawn" in item:
            shown = picture(current)
            assert shown >= set(item.get("drawn", [])), (label, shown)
            assert shown.isdisjoint(item.get("undrawn", [])), (label, shown)
        for policy, action in item.get("plays", {}).items():
            assert by_rote(current, policy) == action, (label, policy)
        for fluent, value in item.get("holds", {}).items():
            assert str(current.value(fluent)) == str(value), (label, fluent)
        if "events" in item or "no_events" in item:
            assert outcome is not None, label
            happened = [str(event.event) for event in outcome.events]
            for event in item.get("events", []):
                assert event in happened, (label, event, happened)
            for event in item.get("no_events", []):
                assert event not in happened, (label, event)
        if "flaws" in item:
            found = {str(flaw.what): sorted(flaw.rules) for flaw in queries.check(current).flaws}
            assert found == {what: sorted(rules) for what, rules in item["flaws"].items()}, label


def is_open(current: Position, answer: Why) -> bool:
    return current.ruleset.vocabulary.actions[answer.action.name].open


def rules_of(answer: Why) -> list[str]:
    return sorted(reason.rule.id for reason in answer.reasons)


def ledger(current: Position, name: str) -> dict[str, str]:
    """The items of the figure of that name, if there is one."""
    found = {str(f.name): items(f) for f in queries.forecast(current, name).figures}
    return found.get(name, {})


def items(figure: Figure) -> dict[str, str]:
    """The items of a figure, each with its number and rule."""
    return {str(e.item): f"{e.amount} by {e.rule}" for e in figure.entries}


def figure(current: Position, name: str) -> Figure:
    """The one figure of that name."""
    (found,) = queries.forecast(current, name).figures
    return found


def picture(current: Position) -> set[str]:
    """What a picture of a position is made of, each as `WHAT @ WHERE`."""
    atoms = ask("drawn", current, current.facts(situation(0)))["drawn"]
    return {f"{atom.arguments[0]} @ {atom.arguments[1]}".replace(",", ", ") for atom in atoms}


def later(current: Position, event: str) -> list[str]:
    """How many turns have to end before an event, at the least, and the rules that say so."""
    here = situation(0)
    facts = [*current.facts(here), Function("sought", [parse_symbol(event), here])]
    rows = [atom.arguments for atom in ask("later", current, facts)["later"]]
    return sorted(f"{more} by {rule}" for _, _, more, _, rule in rows)


def by_rote(current: Position, policy: str) -> str:
    """What is legal and comes first under a policy; "" if nothing does."""
    legal = {str(action) for action in queries.legal_actions(current)}
    rows = [a.arguments for a in ask("policy", current, current.facts(situation(0)))["inclined"]]
    wishes = [(row[2].number, str(Term(row[1]))) for row in rows if str(row[0]) == policy]
    return min((wish for wish in wishes if wish[1] in legal), default=(0, ""))[1]


def check_figures(current: Position, wanted: dict[str, Any], label: str) -> None:
    for name, value in wanted.items():
        symbol = parse_symbol(name)
        assert symbol.type == SymbolType.Function
        found = queries.forecast(current, name).figures
        compare({str(figure.name): figure.value for figure in found}, {name: value}, label)


def compare(figures: dict[str, Any], wanted: dict[str, Any], label: str) -> None:
    for name, value in wanted.items():
        if value == "absent":
            assert name not in figures, (label, name, figures[name])
        else:
            assert name in figures, (label, name, "does not exist")
            assert str(figures[name]) == str(value), (label, name)
