"""What the page of a seat shows: the board with its buttons, what may be done, what was done."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple

from clingo import Symbol

from pymorph.answers import encode
from pymorph.doors.seats import Seat, SeenStep, unsaid
from pymorph.doors.table.forbidden import Wanted, forbidden
from pymorph.dynamics.asking.legal import Verdict
from pymorph.dynamics.outcomes import Event
from pymorph.dynamics.results import Awaited
from pymorph.errors import Fault, InputError, UnknownName, clipped, nearest
from pymorph.questions import consistency, legality
from pymorph.questions.board import overlays
from pymorph.questions.observers import Observer
from pymorph.ruleset.loader import Ruleset
from pymorph.state.position import Position, members_of
from pymorph.terms import ANY, Term, parse_symbol, plural, text_of
from pymorph.views import layout
from pymorph.views.lines import answers
from pymorph.views.picture import Overlays, Picture, scene_of
from pymorph.views.pictures.ascii import Tableau
from pymorph.yamlio import Json

# What says in the head of an SVG file which part of it is seen, and how large.
FRAME = re.compile(r'viewBox="[^"]*" width="[^"]*" height="[^"]*"')


class ScreenLimits(NamedTuple):
    """How much a page lists at most."""

    members: int = 400  # of a sort


MOST = ScreenLimits()
VIEWS = 4  # whose pictures and legal actions are kept
# What can be shown over a board about one thing, and the predicate of rules that it takes.
SHADES = {"reach": ("brings_to", 6), "threat": ("threatened", 4)}
CHANCE = ("chance", 5)  # the words of a rule that calls for a roll
NO_OVERLAY: Mapping[str, Any] = MappingProxyType({})


def screen(seat: Seat, over: Mapping[str, Any] = NO_OVERLAY) -> Json:
    """All that the page of a seat shows of the step that it looks at, with what is *over* it."""
    view = seat.view()
    return {
        "game": {"title": layout.one_line(view.ruleset.title), "ruleset": view.ruleset.name},
        "seat": seat_of(seat, view),
        "headline": layout.frame(view),
        **(pictured(view, over) if over else kept_picture(view)),
        "record": record(seat),
        "line": view.line(),
        **(choices_now(seat, view) if seat.number == -1 else {}),
    }


def pictured(view: Position, over: Mapping[str, Any] = NO_OVERLAY) -> Json:
    """The board, with what is *over* it, and the values that are on no board."""
    laid = Overlays.asked(view, **over).over(view)
    drawn = Picture(scene_of(view, laid))
    rows = Tableau(drawn.scene, False).blocks()
    return {
        "board": board(view, drawn),
        "notes": [layout.one_line(note) for note in laid.notes],
        "tableau": [{"head": head, "lines": lines} for head, lines in rows],
    }


# Seats that see the same show the same.
kept_picture = lru_cache(maxsize=VIEWS)(pictured)
legal_in = lru_cache(maxsize=VIEWS)(legality.legal)


def seat_of(seat: Seat, view: Position) -> Json:
    """Who sits here, for whom that seat plays, and for whom there are others."""
    others = {name: layout.called(view.ruleset, name) for name in consistency.observers(view)}
    return {
        "name": seat.title,
        "master": seat.is_master,
        "plays": sorted(seat.actors(view)),
        "players": others,
    }


def board(view: Position, drawn: Picture) -> Json | None:
    """The board as a picture, the places and pieces on it that are buttons, and what can be shown
    over it about one of them."""
    if not drawn.has_surface:
        return None
    left, top, width, height = drawn.surface
    head = f'viewBox="{left} {top} {width} {height}" width="{width}" height="{height}"'
    svg = FRAME.sub(head, drawn.svg, count=1)
    areas = [area._asdict() for area in drawn.areas]
    measured = drawn.scale
    scale = {**measured._asdict(), "units": plural(measured.unit)} if measured else None
    shades = [kind for kind, needed in SHADES.items() if overlays.defines(view.ruleset, *needed)]
    return {
        "svg": svg,
        "surface": drawn.surface,
        "areas": areas,
        "scale": scale,
        "shades": [*shades, "sight"] if view.ruleset.vocabulary.sight[0] else shades,
        "templates": templates(view.ruleset),
    }


def templates(ruleset: Ruleset) -> Json:
    """The templates of a game: the sorts of their arguments, and whether the first is a point."""
    words = ruleset.vocabulary
    return {
        name: {
            "sorts": shape.sorts,
            "point": any(part.kind == "point" for part in words.parts(shape.sorts[0])),
        }
        for name, shape in words.templates.items()
        if shape.sorts
    }


# -- what may be done ------------------------------------------------------------------------------


def choices_now(seat: Seat, view: Position) -> Json:
    """What the players of a seat may do, and who else has something to choose."""
    ruleset, whole = view.ruleset, legal_in(view)
    found = seat.part(view, whole)
    own = seat.actors(view) or set(consistency.observers(view))
    forms = [*whole.actions, *(each.form for each in whole.awaited)]
    others = {form.actor for form in forms if form.actor not in own}
    pending = seat.table.moments()[-1].outcome
    rolls = Observer(seat.name or "").rolls(view, pending.pending if pending else ())
    last = pending.steps if pending and seat.knows_all(view) else ()
    ended = [*answers.over(ruleset, found.outcome), *answers.ending(found, last)]
    return {
        "legal": [parts_of(action) for action in found.actions],
        "unsettled": [parts_of(doubt.action) for doubt in found.unsettled],
        "awaited": [entry_of(view, each) for each in found.awaited],
        "figures": list(ruleset.vocabulary.figures),
        "actions": kinds_of(ruleset),
        "sorts": sorts_of(view),
        "waiting": [] if seat.is_master else sorted(others),
        "rolls": [encode(roll) for roll in rolls],
        "chance": any(ruleset.giving("legal", CHANCE)),
        "over": [line.strip() for line in ended] if found.over else [],
        "names": names_of(view),
    }


def parts_of(action: Term) -> list[str]:
    """The name of an action, and its arguments."""
    return [action.name, *map(str, action.arguments)]


def entry_of(view: Position, awaited: Awaited) -> Json:
    """What somebody has to enter: the form, the most that it may be, and the rule."""
    most = awaited.most
    text = "" if most is None else " ".join(layout.measured(view.ruleset, most, awaited.unit))
    return {
        "form": parts_of(awaited.form),
        "open": view.ruleset.vocabulary.actions[awaited.form.name].open,
        "most": text,
        "rule": awaited.rule,
        "rules": rules_of(view, {awaited.rule}),
    }


def kinds_of(ruleset: Ruleset) -> Json:
    """The sorts of the arguments of each action, and what it is called."""
    words = ruleset.vocabulary
    return {
        name: {
            "called": layout.words(name),
            "sorts": declared.sorts,
            "elided": [sort in words.elided for sort in declared.sorts],
        }
        for name, declared in words.actions.items()
    }


def sorts_of(view: Position) -> Json:
    """The members of each sort that arguments of actions have: numbers from and to, or a list; and
    whether it is *measured*, in points, or *aimed* at somebody."""
    words = view.ruleset.vocabulary
    found: Json = {}
    for name in sorted({sort for declared in words.actions.values() for sort in declared.sorts}):
        sort = words.sorts[name]
        if sort.kind == "range":
            found[name] = {"from": sort.low, "to": sort.high}
            continue
        members = [text_of(member) for member in members_of(view, name)[: MOST.members]]
        found[name] = {"members": members, "list": sort.kind == "list"}
        found[name] |= {"measured": words.is_measured(name), "aimed": words.is_aimed(name)}
    return found


def names_of(view: Position) -> dict[str, str]:
    """What the arguments of actions are called, where that is not their name as words."""
    words = view.ruleset.vocabulary
    sorts = {sort for declared in words.actions.values() for sort in declared.sorts}
    known = {text_of(m) for sort in sorts for m in members_of(view, sort)[: MOST.members]}
    return {
        name: layout.one_line(title) for name in sorted(known) if (title := words.titles.get(name))
    }


def not_legal(
    seat: Seat, name: str, parts: Sequence[str], clicked: Sequence[Sequence[str]]
) -> Json:
    """What is forbidden, the likeliest first: of a *name* of actions with these *parts*, in which
    all occurs that was *clicked*, each under one of several names.

    Raises: UnknownName, if there is no such action.
    """
    view = seat.view()
    known = view.ruleset.vocabulary.actions
    if name and name not in known:
        raise UnknownName(Fault(f"unknown action {clipped(name)}{nearest(name, known)}"))
    found = seat.part(view, legal_in(view))
    acting = {each.actor for each in (*found.actions, *(each.form for each in found.awaited))}
    wanted = Wanted(
        name,
        tuple(ANY if part == "_" else symbol_of(part) for part in parts),
        [[symbol_of(term) for term in terms] for terms in clicked],
        frozenset(map(symbol_of, acting or seat.actors(view))),
        frozenset(action.name for action in found.actions),
    )
    return in_rows(view, forbidden(view, wanted))


def in_rows(view: Position, verdicts: Mapping[Symbol, Verdict]) -> Json:
    """Verdicts on actions, with the texts of their rules."""
    rows = [
        {
            "action": parts_of(Term(action)),
            "legal": verdict.legal,
            "rules": list(verdict.rules),
            "depends_on": [layout.phrase(view.ruleset, Term(item)) for item in verdict.depends_on],
        }
        for action, verdict in verdicts.items()
    ]
    rules = {rule for verdict in verdicts.values() for rule in verdict.rules}
    return {"choices": rows, "rules": rules_of(view, rules)}


def rules_of(view: Position, ids: set[str]) -> Json:
    """The texts of some rules."""
    known = view.ruleset.rules
    return {
        one: {"title": known[one].title, "says": known[one].says} for one in ids if one in known
    }


def symbol_of(text: str) -> Symbol:
    """A term as a page sends it. Raises: InputError, if it is none."""
    try:
        return parse_symbol(text, wild=True)
    except ValueError:
        raise InputError(Fault(f"{clipped(text)} is not a term")) from None


# -- what was done ---------------------------------------------------------------------------------


def moment(seat: Seat, step: int) -> int:
    """The number of the moment after a step, as this seat counts the steps that it has seen.

    Raises: InputError, if there is no such step.
    """
    seen = [0, *(number for number, _ in steps_seen(seat))]
    if not 0 <= step < len(seen):
        raise InputError(Fault(f"there is no step {step}; the last one is {len(seen) - 1}"))
    return seen[step]


def steps_seen(seat: Seat) -> list[tuple[int, SeenStep]]:
    """The steps that left a trace for this seat, each with its number in the record."""
    with unsaid():
        steps = enumerate(seat.steps(), 1)
        return [(n, step) for n, step in steps if seat.is_master or step.action or step.changes]


def record(seat: Seat) -> list[Json]:
    """Each step that this seat has seen, with what changed, and what happened."""
    ruleset, moments = seat.table.position.ruleset, seat.table.moments()
    spoken = ruleset.vocabulary.rulers.spoken
    rows = []
    for number, seen in steps_seen(seat):
        move = moments[number].move
        rows.append(
            {
                "action": spoken(seen.action),
                "rolls": list(move.rolls) if move and seen.action and seat.is_master else [],
                "changes": [spoken(f"{c.fluent}: {c.before} to {c.after}") for c in seen.changes],
                "events": list(map(spoken, events_in_words(ruleset, seen.events))),
            }
        )
    return rows


def events_in_words(ruleset: Ruleset, events: Sequence[Event]) -> list[str]:
    """Events as the game says them."""
    return list(dict.fromkeys(layout.phrase(ruleset, event.event) for event in events))
