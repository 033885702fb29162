"""A case for what nothing noticed: where a fault shows, and what the rules as they are say."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import yaml

from pymorph import yamlio
from pymorph.adjudication import test_runner
from pymorph.errors import OutOfTime, PymorphError
from pymorph.explore.execution import application
from pymorph.questions import consistency, explanation, legality
from pymorph.questions import figures as queries_figures
from pymorph.ruleset.loader import WORD, Ruleset
from pymorph.ruleset.vocabulary import GIVEN
from pymorph.runtime.processes import within
from pymorph.state.position import Position
from pymorph.terms import text_of
from tests import casework
from tests.mutants.implied import changing
from tests.mutants.operators import Mutant
from tests.mutants.planting import Original, plant
from tests.mutants.trials import Trial

SECONDS, LIMIT = 15.0, 40.0
Case = dict[str, Any]
Item = TypeVar("Item")
Telling = Callable[[Position, Ruleset, str], Case | None]


def proposed(original: Original, faults: Iterable[Mutant]) -> Iterator[Case]:
    """A case for each fault that shows somewhere, unless one before tells of it."""
    told: list[Trial] = []
    for number, fault in enumerate(faults, 1):
        with suppress(OutOfTime):  # what comes of a fault may have no end
            case = within(LIMIT, case_of, original, fault, number, told)
            if case is not None:
                told.append(Trial(case["id"], "proposed", casework.written(dumped(case))))
                yield case


def case_of(
    original: Original, fault: Mutant, number: int, told: Sequence[Trial] = ()
) -> Case | None:
    """A case that tells of a fault, in a small position; None if one of those *told* does."""
    game = plant(original, fault)
    if any(trial.failure(game) for trial in told):
        return None
    name = Path(fault.name.partition("@")[2].partition(":")[0]).stem
    with suppress(PymorphError):
        for found in changing(original, fault, SECONDS):
            action = text_of(found.action) if found and found.action else ""
            way = telling(found.position, game, action) if found else None
            if found is None or way is None:
                continue
            position = shrunk(found.position, lambda p, way=way, a=action: way(p, game, a))
            wanted = way(position, game, action)
            assert wanted is not None
            case = {
                "id": f"P-{name}-{number}",
                "tells": said(original, fault),
                "rules": rules_in(original, fault, wanted),
                "position": position.data(),
                "expect": [wanted],
            }
            trial = Trial("", "", casework.written(dumped(case)))
            if not trial.failure(original.ruleset) and trial.failure(game):
                return case
    return None


def shrunk(position: Position, told: Callable[[Position], Case | None]) -> Position:
    """The position without the rulings and the values by which it does not come to be told."""

    def tells(smaller: Position) -> bool:
        try:
            return told(smaller) is not None and consistency.check(smaller).flaws == flaws
        except PymorphError:
            return False

    flaws = consistency.check(position).flaws
    for number in halves(len(position.rulings)):
        for some in batched(sorted(position.rulings), number):
            less = {q: option for q, option in position.rulings.items() if q not in some}
            if tells(replace(position, rulings=less)):
                position = replace(position, rulings=less)
    plain = {f: d for f in position.fluents if (d := position.default(f)) != GIVEN}
    for number in halves(len(plain)):
        for some in batched(sorted(plain.keys() & position.fluents.keys(), key=text_of), number):
            smaller = position.with_changes({fluent: plain[fluent] for fluent in some})
            if tells(smaller):
                position = smaller
    return position


def halves(number: int) -> Iterator[int]:
    """The number, and its half, and so on down to 1."""
    while number:
        yield number
        number //= 2


def batched(row: Sequence[Item], number: int) -> Iterator[Sequence[Item]]:
    return (row[at : at + number] for at in range(0, len(row), number))


def telling(position: Position, game: Ruleset, action: str) -> Telling | None:
    """The first way in which a case can tell the rules of a position from others."""
    ways: tuple[Telling, ...] = (listing, judging, carrying_out, survey, wide, itemised, flawed)
    return next((way for way in ways if way(position, game, action)), None)


def listing(position: Position, game: Ruleset, _: str) -> Case | None:
    """An action that is legal, and proposed, by the one rules alone."""
    legal, otherwise = (set(legality.legal_actions(p)) for p in both(position, game))
    different = min(legal ^ otherwise, key=str, default=None)
    return None if different is None else judged(position, str(different))


def judging(position: Position, game: Ruleset, action: str) -> Case | None:
    """Whether an action is legal, and why not."""
    if not action:
        return None
    verdict, other = (judged(each, action) for each in both(position, game))
    return verdict if verdict != other else None


def carrying_out(position: Position, game: Ruleset, action: str) -> Case | None:
    """What comes of an action."""
    if not action or any("legal" not in judged(each, action) for each in both(position, game)):
        return None
    found, differing = (application.apply(each, action) for each in both(position, game))
    after, strange = found.position, differing.position
    for fluent in sorted(after.fluents.keys() | strange.fluents.keys(), key=text_of):
        name = text_of(fluent)
        if str(after.value(name)) != str(strange.value(name)):
            return {"do": action, "holds": {name: str(after.value(name))}}
    events, others = ([str(e.event) for e in each.events] for each in (found, differing))
    for key, these, those in (("events", events, others), ("no_events", others, events)):
        for event in these:
            if event not in those:
                return {"do": action, key: [event]}
    return None


def survey(position: Position, game: Ruleset, _: str) -> Case | None:
    return forecast(position, game, "survey")


def wide(position: Position, game: Ruleset, _: str) -> Case | None:
    return forecast(position, game, "wide")


def forecast(position: Position, game: Ruleset, width: str) -> Case | None:
    """A figure that is another, or is none."""
    figures, others = (
        {
            str(f.name): str(f.value)
            for f in queries_figures.forecast(p, wide=width == "wide").figures
        }
        for p in both(position, game)
    )
    for name in sorted(figures.keys() | others.keys()):
        if figures.get(name) != others.get(name):
            return {width: {name: figures.get(name, "absent")}}
    return None


def itemised(position: Position, game: Ruleset, _: str) -> Case | None:
    """A figure that is the same by other items."""
    ledgers, others = (
        {
            str(figure.name): test_runner.items(figure)
            for figure in queries_figures.forecast(each).figures
        }
        for each in both(position, game)
    )
    name = next((name for name in ledgers if ledgers[name] != others.get(name)), None)
    return None if name is None else {"ledger": {name: ledgers[name]}}


def flawed(position: Position, game: Ruleset, _: str) -> Case | None:
    """What is wrong with the position."""
    flaws, others = (
        {str(flaw.what): sorted(flaw.rules) for flaw in consistency.check(each).flaws}
        for each in both(position, game)
    )
    return {"flaws": flaws} if flaws != others else None


def both(position: Position, game: Ruleset) -> tuple[Position, Position]:
    return position, replace(position, ruleset=game)


def judged(position: Position, action: str) -> Case:
    """What is said of an action: that it is legal, or by which rules it is not."""
    answer = explanation.why(position, action)
    if answer.legal is None:
        return {"unsettled": {action: sorted(map(str, answer.depends_on))}}
    return (
        {"legal": action} if answer.legal else {"illegal": {action: test_runner.rules_of(answer)}}
    )


def said(original: Original, fault: Mutant) -> str:
    """The fault, as somebody would look for it."""
    statement = original.sources.statements[fault.number]
    return f"{Path(statement.place.file).name}, {fault.operator}: {fault.text or statement.text}"


def rules_in(original: Original, fault: Mutant, wanted: Case) -> list[str]:
    """The rules that a statement names, and what is said of the position."""
    text = f"{original.sources.statements[fault.number].text} {wanted}"
    return sorted(original.ruleset.rules.keys() & set(WORD.findall(text)))


def write(path: Path, original: Original, faults: Iterable[Mutant]) -> None:
    """Write the cases for faults as a file of cases; after Ctrl-C, those that were found so far."""
    rows: list[str] = []
    with suppress(KeyboardInterrupt):
        for case in proposed(original, faults):
            rows.append(dumped(case))
    yamlio.write(path, "\n".join(rows))


def dumped(case: Case) -> str:
    """A case as text, with boards as they are drawn."""
    return yaml.dump([case], Dumper=Drawing, sort_keys=False, width=96, default_flow_style=None)


class Drawing(yaml.SafeDumper):
    """Writes what has several lines as such."""

    def represent_str(self, data: str) -> yaml.ScalarNode:
        style = "|" if "\n" in data else None
        return self.represent_scalar("tag:yaml.org,2002:str", data, style=style)


Drawing.add_representer(str, Drawing.represent_str)
