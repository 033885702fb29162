"""Disputes at the table: what each party claims, the verdict under each reading, and the ruling."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from pymorph import yamlio
from pymorph.adjudication import precedents
from pymorph.adjudication.adjudication import adjudicate
from pymorph.adjudication.case import Case, Stated
from pymorph.adjudication.verdicts import Adjudication
from pymorph.answers import encode
from pymorph.cli.texts import actions_in
from pymorph.cli.verbs.precedents import decisions
from pymorph.doors.seats import Seat
from pymorph.doors.table.given import RequestData, masters, text
from pymorph.doors.table.shown import Shown
from pymorph.errors import Fault, InputError, clipped
from pymorph.questions import consistency, figures
from pymorph.questions.readings.partition import defaults_of
from pymorph.state import claim as claim_texts
from pymorph.state import rulings
from pymorph.state.files.reader import ruling_fault
from pymorph.state.position import Position
from pymorph.state.record import Move
from pymorph.terms import plural
from pymorph.views import layout
from pymorph.views.html import pages
from pymorph.views.lines import disputes as dispute_lines
from pymorph.yamlio import Json

BOOK = "precedents"  # the folder beside the record


class DisputeLimits(NamedTuple):
    """How much a dispute may have."""

    claims: int = 12
    letters: int = 300  # of a claim, or of what somebody is called
    suggested: int = 300


MOST = DisputeLimits()


# -- what may be claimed ---------------------------------------------------------------------------


def claims(seat: Seat, _: RequestData) -> Json:
    """What may be claimed here of figures and outcomes, and who may claim it."""
    view = seat.view()
    found = figures.forecast(view).figures
    known = [f"{figure.name} = {figure.value}" for figure in found if figure.value != "unknown"]
    players = sorted(consistency.observers(view))
    return {
        "figures": known[: MOST.suggested],
        "outcomes": list(outcomes(view, players)),
        "parties": players,
    }


def outcomes(view: Position, players: list[str]) -> Iterator[str]:
    """The claims about how the game has ended that its rules know."""
    if view.ruleset.giving("outcome", ("wins", 3)):
        yield from (f"wins({player})" for player in players)
    if view.ruleset.giving("outcome", (claim_texts.DRAWN, 2)):
        yield claim_texts.DRAWN


def forecast(seat: Seat, given: RequestData) -> Json:
    """What `forecast` answers, and the units in which the game counts time."""
    shown = Shown()
    options = {"next": True} if given.get("next") else {}
    answer = shown.with_tree(seat.ask("forecast", options, shown.keep))
    return {**answer, "times": [*map(plural, claim_texts.periods(seat.view().ruleset))]}


# -- judging ---------------------------------------------------------------------------------------


def dispute(seat: Seat, given: RequestData) -> Json:
    """The verdict on each claim under each reading, as far as this seat knows, and what decides."""
    case, cited = case_of(seat.view(), given)
    answer = adjudicate(case)
    pairs = zip(answer.claims, cited, strict=True)
    return {
        "data": encode(answer),
        "lines": dispute_lines.adjudication(answer),
        "tree": pages.tree_of(answer),
        "questions": [question(answer, name) for name in deciding(answer)],
        "cited": [{"rule": rule, "cites": rule in found.rules} for found, rule in pairs],
    }


def case_of(view: Position, given: RequestData) -> tuple[Case, list[str]]:
    """The case that a request states, and the rule that each party names, or "".

    Raises: InputError, if there is no claim, or one cannot be read; UnknownName.
    """
    items = given.get("claims")
    if not isinstance(items, list) or not items:
        raise InputError(Fault("a dispute needs a claim"))
    if len(items) > MOST.claims:
        raise InputError(Fault(f"more than {MOST.claims} claims"))
    pairs = [stated(view, item) for item in items]
    texts = {key: plain(given, key) for key in ("title", "note", "decided")}
    return Case(view, tuple(one for one, _ in pairs), **texts), [rule for _, rule in pairs]


def stated(view: Position, item: Any) -> tuple[Stated, str]:
    """A claim, and the rule that the party names for it, if any."""
    if not isinstance(item, dict):
        raise InputError(Fault("a claim is an object with 'claim' and 'by'"))
    claim = claim_texts.parse(view, plain(item, "claim"))
    steps = plain(item, "after")
    after = tuple(map(Move, actions_in(steps) if steps else ()))
    if any(part.eventful for part in claim.parts) and not (claim.mode or after):
        raise InputError(Fault("a claim about an event needs the actions after which it is made"))
    named = plain(item, "rule")
    return Stated(plain(item, "by"), claim, after), named and view.ruleset.rule(named).id


def plain(given: RequestData, key: str) -> str:
    """A text of one line that may be in a file. Raises: InputError."""
    value = str(given.get(key) or "").strip()
    if len(value) > MOST.letters or "\n" in value or yamlio.odd(value):
        raise InputError(Fault(f"{key!r} is one line of up to {MOST.letters} letters"))
    return value


def deciding(answer: Adjudication) -> list[str]:
    """The questions on which a verdict depends."""
    return sorted({question for claim in answer.claims for question in claim.depends_on})


def question(answer: Adjudication, name: str) -> Json:
    """A question that decides: its options, each with the verdict on each claim under it."""
    asked, defaults = answer.ruleset.question(name), defaults_of(answer.case.position)
    options = [
        {
            "option": option,
            "says": layout.one_line(says),
            "default": option == asked.default,
            "verdicts": [claim.word_under({name: option}, defaults) for claim in answer.claims],
        }
        for option, says in asked.options
    ]
    return {"id": name, "asks": layout.one_line(asked.asks), "options": options}


# -- ruling ----------------------------------------------------------------------------------------


def in_force(seat: Seat, _: RequestData) -> Json:
    """The rulings on the game, and which of them can be withdrawn here."""
    game, own = seat.table.position.ruleset, rulings.beside(seat.table.path)
    return {
        "rulings": [
            {
                **encode(ruling._replace(origin=Path(ruling.origin).name)),
                "question": name,
                "asks": layout.one_line(game.question(name).asks),
                "here": ruling.filed and Path(ruling.origin).resolve() == own.resolve(),
            }
            for name, ruling in seat.table.ruled.items()
        ]
    }


def rule(seat: Seat, given: RequestData) -> Json:
    """Rule on a question: from now on, the game is played under that. Raises: InputError."""
    masters(seat)
    name, option = text(given, "question"), text(given, "option")
    fault = ruling_fault(seat.table.position.ruleset, name, option)
    if fault is not None:
        raise InputError(fault)
    today, why = date.today().isoformat(), plain(given, "why")
    origin = str(rulings.beside(seat.table.path))
    ruling = rulings.Ruling(name, option, origin, filed=True, why=why, date=today)
    changes = seat.table.ruling_on(name, ruling)
    return {"changes": [f"{each.fluent}: {each.before} to {each.after}" for each in changes]}


def withdraw(seat: Seat, given: RequestData) -> Json:
    """Withdraw the ruling on a question. Raises: InputError."""
    masters(seat)
    name = text(given, "question")
    if name not in seat.table.ruled:
        raise InputError(Fault(f"there is no ruling on {clipped(name)}"))
    changes = seat.table.ruling_on(name, None)
    return {"changes": [f"{each.fluent}: {each.before} to {each.after}" for each in changes]}


def save(seat: Seat, given: RequestData) -> Json:
    """Judge a case and write it into the book beside the record, as `book add` does."""
    masters(seat)
    case, _ = case_of(seat.view(), given)
    judged = precedents.judge(case)
    if not judged.decided:
        judged = replace(judged, decided=decisions(seat.table.ruled))
    folder = Path(seat.table.path).parent / BOOK
    name = precedents.id_of(judged, "-")
    names = (name if n == 1 else f"{name}_{n}" for n in count(1))
    free = next(one for one in names if not (folder / f"{one}{precedents.SUFFIX}").exists())
    ((entry, _),) = precedents.write_all(folder, [(free, judged)])
    return {"id": entry.id, "file": entry.file}
