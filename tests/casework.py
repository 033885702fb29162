"""Runs the cases of `<ruleset>/cases/*.yaml`: a position, and what is expected of it, as data.

A case has an ``id``, what it ``tells``, the ``rules`` it is about, and a position: either its own
(``position``, as a file has it), or a ``base`` of `bases.yaml` with fluents ``set`` otherwise.
``expect`` is a list; each item is one or more of

    do: ACTION or [ACTION, ...]       carry these out; the rest is expected of the position after
    legal: ACTION or list             each of them is legal
    illegal: {ACTION: [RULE, ...]}    forbidden by exactly these rules
    unsettled: {ACTION: [ITEM, ...]}  hangs on these hidden items
    figures: {NAME: VALUE}            what the forecast says; `absent` if it has no such figure
    holds: {FLUENT: VALUE}            the value of a fluent
    events: [EVENT, ...]              what the last `do` brought about; `no_events`: what it did not
    flaws: {WHAT: [RULE, ...]}        all that `check` finds; {} if the position is well formed
    refused: {ACTION: [RULE, ...]}    like illegal, and `apply` raises it too
    under: {QUESTION: OPTION}         with `expect`: the same position under these rulings
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from clingo import SymbolType

from pymorph import queries
from pymorph.answers import Outcome, Why
from pymorph.errors import IllegalAction
from pymorph.position import Position
from pymorph.terms import parse_symbol
from tests.conftest import position_of

ROOT = Path(__file__).parent
KEYS = {"id", "tells", "rules", "position", "base", "set", "expect"}
EXPECTED = {
    "do", "legal", "illegal", "unsettled", "figures", "holds", "events", "no_events", "flaws",
    "refused", "under", "expect",
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
            assert outcome.rest == (), (label, outcome.rest)
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
        if "figures" in item:
            check_figures(current, item["figures"], label)
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


def check_figures(current: Position, wanted: dict[str, Any], label: str) -> None:
    for name, value in wanted.items():
        symbol = parse_symbol(name)
        assert symbol.type == SymbolType.Function
        figures = {
            str(figure.name): figure.value for figure in queries.forecast(current, name).figures
        }
        if value == "absent":
            assert name not in figures, (label, name, figures[name])
        else:
            assert name in figures, (label, name, "does not exist")
            assert str(figures[name]) == str(value), (label, name)
