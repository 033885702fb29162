"""What the cases and records of a ruleset ask of its rules, as known positions.

They show that statements have a say which no position within the bounds makes fire. A ruleset with
known positions of its own has these instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice

from pymorph.adjudication import regression
from pymorph.adjudication.case import Case
from pymorph.errors import PymorphError
from pymorph.explore.execution.application import apply
from pymorph.questions.consistency import check_of
from pymorph.ruleset.loader import Ruleset
from pymorph.ruleset.vocabulary import HIDDEN
from pymorph.state import test_case
from pymorph.state.names import forms_of
from pymorph.state.position import Position
from pymorph.state.record import Move, Record
from pymorph.state.test_case import CaseStep
from pymorph.terms import parse_named
from pymorph.verify.properties.termination import shipped
from pymorph.verify.scope import Scope
from pymorph.verify.spaces.state_space import explored
from pymorph.verify.spaces.witnesses import KnownPosition, file_of, lines_of, read

MOST = 2000  # positions, each with what is asked there
FROM_FILE, FROM_CASES = 80, 200  # known positions and those of cases in a sample
EXPLORING = 1.0  # seconds
ACTIONS = ("legal", "illegal", "refused", "unsettled", "doubted", "weighs")
FIGURES = ("figures", "ledger", "cites", "grounds")


def asked_in(scope: Scope) -> list[KnownPosition]:
    """What is asked in the files of a ruleset; what the rules refuse of them is left out."""
    entries = list(dict.fromkeys(islice(_asked(scope.ruleset), MOST)))
    checks = check_of([entry.position for entry in entries])
    return [
        entry
        for entry, check in zip(entries, checks, strict=True)
        if check.consistent != entry.flawed
    ]


def sample(scope: Scope, from_play: int) -> list[Position]:
    """Known positions of a ruleset in which nothing is hidden: so many from play, its examples, and
    some of its own known positions, or of its cases."""
    positions = explored(scope.starts, from_play, EXPLORING).positions[:from_play]
    positions += shipped(scope)
    path = file_of(scope.ruleset)
    lines = lines_of(path)
    if lines:
        step = -(-len(lines) // FROM_FILE)
        entries = read(scope, path, lines[::step]).entries
    else:
        entries = tuple(asked_in(scope)[:FROM_CASES])
    positions += [entry.position for entry in entries if not entry.flawed]
    return [p for p in dict.fromkeys(positions) if HIDDEN not in p.fluents.values()]


def _asked(game: Ruleset) -> Iterator[KnownPosition]:
    for kind, path in regression.files_of(game):
        with suppress(PymorphError):
            if kind == regression.EXPECTATIONS:
                for case in test_case.load(path):
                    with suppress(PymorphError):
                        yield from _of_items(case.position(), case.items)
            elif kind == "records":
                record = Record.load(path)
                yield from _played(record.position, record.steps)
            elif kind == "cases":
                dispute = Case.load(path)
                yield KnownPosition(dispute.position)
                for stated in dispute.claims:
                    with suppress(PymorphError):
                        yield from _played(dispute.position, stated.after)


def _of_items(position: Position, items: Sequence[CaseStep]) -> Iterator[KnownPosition]:
    """What is asked in a test case, from a position on."""
    yield KnownPosition(position)
    for item in items:
        if item.items:
            yield from _of_items(position.with_rulings(item.under), item.items)
        for action in item.do:
            yield from _about(position, action)
            position = apply(position, action).position
        for one in item.expected:
            if one.kind in ACTIONS:
                yield from _about(position, one.subject)
            elif one.kind in FIGURES:
                yield KnownPosition(position, (), (parse_named(one.subject),))
            elif one.kind == "flaws" and one.wanted:
                yield KnownPosition(position, flawed=True)


def _played(position: Position, steps: Iterable[Move]) -> Iterator[KnownPosition]:
    """What is carried out, step by step, with the rolls that it needs."""
    for step in steps:
        for action in (step.action, *step.rolls):
            yield from _about(position, action)
            position = apply(position, action).position


def _about(position: Position, text: str) -> Iterator[KnownPosition]:
    """A position with an action, if the text names one alone."""
    forms = forms_of(position, text)
    if len(forms) == 1:
        yield KnownPosition(position, (forms[0],))
