"""What the page of a seat shows: the board with its buttons, what may be done, what was done."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from pymorph.answers import encode
from pymorph.doors.seats import Seat, SeenStep, unsaid
from pymorph.dynamics.asking.legal import judged
from pymorph.dynamics.outcomes import Event
from pymorph.errors import Fault, InputError
from pymorph.questions import consistency, legality
from pymorph.questions.board import overlays
from pymorph.questions.observers import Observer
from pymorph.ruleset.loader import Ruleset
from pymorph.state.names import forms_of
from pymorph.state.position import Position, members_of
from pymorph.terms import Term, parse_symbol, text_of
from pymorph.views import layout
from pymorph.views.lines.answers import ending
from pymorph.views.picture import Overlays, Picture, scene_of
from pymorph.views.pictures.ascii import Tableau
from pymorph.yamlio import Json

# What says in the head of an SVG file which part of it is seen, and how large.
FRAME = re.compile(r'viewBox="[^"]*" width="[^"]*" height="[^"]*"')

# What can be laid over the board about one thing, and the predicate that it takes.
SHADES = {"reach": ("brings_to", 6), "threat": ("threatened", 4)}


class Most(NamedTuple):
    """How much a page lists at most."""

    members: int = 400  # of a sort
    choices: int = 300  # actions that are judged at once


MOST = Most()


def screen(seat: Seat) -> Json:
    """All that the page of a seat shows of the step that it looks at."""
    view = seat.view()
    drawn = Picture(scene_of(view))
    rows = Tableau(drawn.scene, False).blocks()
    return {
        "game": {"title": layout.one_line(view.ruleset.title), "ruleset": view.ruleset.name},
        "seat": seat_of(seat, view),
        "headline": layout.frame(view),
        "board": board(view, drawn),
        "tableau": [{"head": head, "lines": lines} for head, lines in rows],
        "record": record(seat),
        **(choices_now(seat, view) if seat.number == -1 else {}),
    }


def seat_of(seat: Seat, view: Position) -> Json:
    """Who sits here, for whom that seat plays, and for whom there are others."""
    others = {name: layout.called(view.ruleset, name) for name in consistency.observers(view)}
    return {
        "name": seat.name or ("master" if seat.is_master else "spectator"),
        "master": seat.is_master,
        "plays": sorted(seat.actors(view)),
        "players": others,
    }


def board(view: Position, drawn: Picture) -> Json | None:
    """The board as a picture, the places and pieces on it that are buttons, and the templates
    that can be laid over it."""
    if not drawn.has_surface:
        return None
    left, top, width, height = drawn.surface
    head = f'viewBox="{left} {top} {width} {height}" width="{width}" height="{height}"'
    svg = FRAME.sub(head, drawn.svg, count=1)
    areas = [area._asdict() for area in drawn.areas]
    scale = drawn.scale._asdict() if drawn.scale else None
    return {
        "svg": svg,
        "surface": drawn.surface,
        "areas": areas,
        "scale": scale,
        "shades": shades(view.ruleset),
        "templates": templates(view.ruleset),
    }


def shades(ruleset: Ruleset) -> list[str]:
    """What of a thing can be laid over the board, by the rules of a game."""
    found = [kind for kind, needed in SHADES.items() if overlays.defines(ruleset, *needed)]
    return [*found, "sight"] if ruleset.vocabulary.sight[0] else found


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


def shaded(seat: Seat, asked: Mapping[str, Any]) -> Json:
    """The board with the answers to `Overlays.asked` over it, and what they say.

    Raises: UnknownName, if there is no such thing; InputError, if no rule answers.
    """
    view = seat.view()
    over = Overlays.asked(view, **asked).over(view)
    drawn = board(view, Picture(scene_of(view, over)))
    return {"svg": drawn["svg"] if drawn else "", "lines": list(over.notes), "data": {}}


# -- what may be done ------------------------------------------------------------------------------


def choices_now(seat: Seat, view: Position) -> Json:
    """What the players of a seat may do, and who else has something to choose."""
    ruleset, whole = view.ruleset, legality.legal(view)
    found = seat.part(view, whole)
    own = seat.actors(view) or set(consistency.observers(view))
    others = {action.actor for action in whole.actions if action.actor not in own}
    pending = seat.table.moments()[-1].outcome
    rolls = Observer(seat.name or "").rolls(view, pending.pending if pending else ())
    over = ending(found, (), layout.PLAIN) if found.over else []
    return {
        "legal": [parts_of(action) for action in found.actions],
        "unsettled": [parts_of(doubt.action) for doubt in found.unsettled],
        "awaited": [parts_of(each.form) for each in found.awaited],
        "actions": kinds_of(ruleset),
        "sorts": sorts_of(view),
        "waiting": [] if seat.is_master else sorted(others),
        "rolls": [encode(roll) for roll in rolls],
        "over": over,
        "names": names_of(ruleset, found.actions),
    }


def parts_of(action: Term) -> list[str]:
    """The name of an action, and its arguments."""
    return [action.name, *map(str, action.arguments)]


def kinds_of(ruleset: Ruleset) -> Json:
    """The sorts of the arguments of each action, and what it is called."""
    return {
        name: {"called": layout.words(name), "sorts": declared.sorts}
        for name, declared in ruleset.vocabulary.actions.items()
    }


def sorts_of(view: Position) -> Json:
    """The members of each sort that arguments of actions have: numbers from and to, or a list."""
    words = view.ruleset.vocabulary
    found: Json = {}
    for name in {sort for declared in words.actions.values() for sort in declared.sorts}:
        sort = words.sorts[name]
        if sort.kind == "range":
            found[name] = {"from": sort.low, "to": sort.high}
        else:
            members = members_of(view, name)
            found[name] = {"members": [text_of(member) for member in members[: MOST.members]]}
    return found


def names_of(ruleset: Ruleset, actions: Sequence[Term]) -> dict[str, str]:
    """What the arguments of actions are called, where that is not their name as words."""
    known = {str(argument) for action in actions for argument in action.arguments}
    return {name: title for name in known if (title := ruleset.vocabulary.titles.get(name))}


def choices(seat: Seat, action: str) -> Json:
    """The actions that are meant by one with some arguments ``_``: each is legal, or has the rules
    that forbid it. Nothing is listed where they are too many.

    Raises: UnknownName, if it names none.
    """
    view = seat.view()
    fitting = forms_of(view, cleaned(action))
    if len(fitting) > MOST.choices:
        return {"choices": [], "many": len(fitting)}
    verdicts = judged(view, fitting)
    return {
        "choices": [
            {"action": parts_of(Term(form)), "legal": verdict.legal, "rules": list(verdict.rules)}
            for form, verdict in verdicts.items()
        ],
        "rules": rules_of(view, {rule for each in verdicts.values() for rule in each.rules}),
    }


def rules_of(view: Position, ids: set[str]) -> Json:
    """The texts of some rules."""
    known = view.ruleset.rules
    return {
        one: {"title": known[one].title, "says": known[one].says} for one in ids if one in known
    }


def cleaned(action: str) -> str:
    """An action as a page sends it. Raises: InputError, if it is none."""
    try:
        return text_of(parse_symbol(action, wild=True))
    except ValueError:
        raise InputError("that is not an action") from None


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
    rows = []
    for number, seen in steps_seen(seat):
        move = moments[number].move
        rows.append(
            {
                "action": seen.action,
                "rolls": list(move.rolls) if move and seen.action and seat.is_master else [],
                "changes": [f"{c.fluent}: {c.before} to {c.after}" for c in seen.changes],
                "events": events_in_words(ruleset, seen.events),
            }
        )
    return rows


def events_in_words(ruleset: Ruleset, events: Sequence[Event]) -> list[str]:
    """Events as the game says them."""
    return list(dict.fromkeys(layout.phrase(ruleset, event.event) for event in events))
