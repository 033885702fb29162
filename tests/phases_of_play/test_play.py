"""Random play of fights in phases: what holds of each turn, each pass and each segment."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from pymorph import Position, Session
from pymorph.dynamics.outcomes import Step
from pymorph.questions import consistency
from pymorph.terms import Term, text_of
from tests.conftest import EXAMPLES, ROOT
from tests.morphyry.play import choose, out_of_range
from tests.tables import with_campaign

STARTS = [
    ROOT / "rules" / "phases_of_play" / "positions" / "start.yaml",
    *(EXAMPLES / "courtyard" / f"{name}.yaml" for name in ("start", "spell", "leaving")),
]
BOUND = ("declared", "target", "secret", "secret_target")  # what a Declaration binds one to


def value(position: Position, fluent: str, who: str = "") -> Any:
    found = str(position.value(f"{fluent}({who})" if who else fluent))
    return int(found) if found.isdigit() else found


def combatants(position: Position) -> list[str]:
    return [text_of(each) for each in position.listed["combatant"]]


def next_action(session: Session, rng: random.Random) -> Term | str | None:
    """Initiative where it is awaited; else an action by chance, so that play gets on."""
    begins = value(session.position, "segment") == 1
    if session.legality.awaited and begins and rng.random() < 0.1:
        return f"surprise(master, {rng.choice(combatants(session.position))})"
    if session.legality.awaited:
        form = rng.choice(session.legality.awaited).form
        return f"initiative(master, {form.arguments[1]}, {rng.randint(1, 20)})"
    legal = session.legal_actions
    if rng.random() < 0.9:
        legal = tuple(each for each in legal if each.name not in ("retreat", "pursue")) or legal
    sure = [each for each in legal if each.name == "confirm"]
    if sure and rng.random() < 0.6:
        return rng.choice(sure)
    return choose(legal, rng) if legal else None


class Pass:
    """Who has declared and resolved in this pass, in order, and what goes wrong in it."""

    def __init__(self) -> None:
        self.turns: list[str] = []
        self.resolved: list[str] = []

    def faults(self, before: Position, step: Step) -> Iterator[str]:
        kind, after = step.action.name, step.position
        name = str(step.action.arguments[0])
        yield from self.out_of_order(before, kind, name)
        for who in combatants(before):
            yield from of_one(before, step, who)
        if value(after, "pass") != value(before, "pass") or value(after, "phase") == "roster":
            self.turns, self.resolved = [], []

    def out_of_order(self, before: Position, kind: str, name: str) -> Iterator[str]:
        if kind not in ("resolve", "end_turn"):
            return
        line = self.resolved if kind == "resolve" else self.turns
        if name in line:
            yield f"{name} has two turns in a phase"
        if kind == "end_turn" and self.resolved:
            yield f"{name} declares after somebody has resolved"
        if value(before, "phase") != ("resolution" if kind == "resolve" else "declaration"):
            yield f"{name} does so in the other phase"
        line.append(name)
        ranks = [rank(before, who) for who in line]
        if ranks != sorted(ranks, reverse=True):
            yield f"{', '.join(line)}: not the order of the roster"


def rank(position: Position, who: str) -> tuple[bool, int]:
    first = value(position, "segment") == 1 and value(position, "surpriser") == who
    return first, value(position, "initiative", who)


def of_one(before: Position, step: Step, who: str) -> Iterator[str]:
    """What goes wrong with one combatant in a step."""
    after, by = step.position, (step.action.name, str(step.action.arguments[0]))
    felled = value(after, "vitality", who) == 0
    for fluent in BOUND:
        was, now = value(before, fluent, who), value(after, fluent, who)
        made = was == "none" and by == ("confirm", who)
        over = now == "none" and (felled or by == ("resolve", who))
        if was != now and not made and not over:
            yield f"{fluent} of {who} becomes {now}"
    idle = value(after, "declared", who) == value(after, "secret", who) == "none"
    units, per = value(after, "units", who), value(after, "per", who)
    if units >= per + (0 if idle else value(after, "actions", who)):
        yield f"{who} has {units} units of {per}"
    if value(after, "moved", who) > value(after, "movement", who):
        yield f"{who} has moved too far"
    if value(after, "at", who) != value(before, "at", who) and by != ("move", who):
        yield f"{who} is moved by {step.action}"


@pytest.mark.campaign
@with_campaign("seed, games, length", [(0, 2, 25)], [(seed, 8, 150) for seed in range(1, 6)])
def test_random_play(seed: int, games: int, length: int) -> None:
    """Each in turn, once in each phase, bound by what it has said, and no farther than it can."""
    wrong: list[str] = []
    for game in range(games):
        rng = random.Random(f"{seed}.{game}")
        session, now = Session(Position.load(STARTS[game % len(STARTS)])), Pass()
        steps: list[tuple[Position, Step]] = []
        for _ in range(length):
            before, action = session.position, next_action(session, rng)
            if action is None:
                break
            for step in session.push(action).steps:
                told = [*now.faults(before, step), *out_of_range(step.position)]
                wrong += [f"{before.line()}\n  {step.action}: {what}" for what in told]
                steps.append((before, step))
                before = step.position
        checks = consistency.check_of([step.position for _, step in steps])
        for (before, step), check in zip(steps, checks, strict=True):
            wrong += [
                f"{before.line()}\n  {step.action}: {flaw.what} breaks {flaw.rules}"
                for flaw in check.flaws
            ]
        assert len(steps) >= length or session.legality.over, session.position.line()
    assert not wrong, "\n".join(wrong[:5])
