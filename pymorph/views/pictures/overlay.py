"""What is laid over a picture of the board: a line, a reach, threatened places, an area, a way."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from clingo import Symbol

from pymorph.board.lengths import lines
from pymorph.board.lengths.shapes import Disc, Shape
from pymorph.questions.board import overlays, sight
from pymorph.state.position import Position
from pymorph.terms import parse_symbol, text_of
from pymorph.views.layout import called, count, rule_ids, title, words

# The signs beside what a place has in a picture of characters: the free part of a line, where it is
# stopped and behind; a threatened place; a covered one. A number is a pace, or the steps of a way.
FREE, STOPPED, BEHIND = ("*", "*"), ("!", "!"), ("-", "-")
THREATENED, COVERED = "!", ("(", ")")


class Swath(NamedTuple):
    """The way of a base on a table: what it covers at each point, the first that where it begins,
    and at those that it does not get to; the last of the former is where it is stopped then."""

    gone: tuple[Disc, ...]
    stopped_short: tuple[Disc, ...] = ()


class Overlay(NamedTuple):
    """What is laid over the board, and what is said of it.

    Of the *paces* of a *reach*, each place has the number of its first one. *notes* are said
    below the picture. On a table there are *shapes* instead of places, each with its kind: a pace
    by its number, ``covered`` or ``threatened``; and a *swath* instead of a way.
    """

    notes: tuple[str, ...] = ()
    sight: sight.SightLine | None = None
    paces: tuple[str, ...] = ()
    reach: Mapping[Symbol, int] = {}
    threatened: frozenset[Symbol] = frozenset()
    covered: frozenset[Symbol] = frozenset()
    way: tuple[Symbol, ...] = ()
    shapes: tuple[tuple[str, Shape], ...] = ()
    swath: Swath | None = None

    def beside(self, place: Symbol) -> tuple[str, str]:
        """The signs to the left and to the right of what stands in a place."""
        left, right = "", ""
        if self.sight is not None and (text := text_of(place)) in self.sight.passes:
            number, stop = self.sight.passes.index(text), self.sight.before
            left, right = FREE if number < stop else STOPPED if number == stop else BEHIND
        if place in self.covered:
            left, right = COVERED
        if place in self.reach:
            left = str(self.reach[place] + 1)
        if place in self.way:
            left = str(self.way.index(place))
        if place in self.threatened:
            right += THREATENED
        return left, right

    def keys(self) -> list[str]:
        """What the signs mean."""
        meanings = []
        if self.sight is not None and self.sight.passes:
            meanings.append("* * free line")
            if self.sight.stopped_by:
                meanings.append("! ! stopped here   - - behind it")
        meanings += [f"{number} {pace}" for number, pace in enumerate(self.paces, 1)]
        if self.covered:
            meanings.append("( ) covered")
        if self.way:
            meanings.append("0 1 2 the path, step by step")
        if self.threatened:
            meanings.append("! threatened")
        return meanings


NOTHING = Overlay()


def combined(layers: Iterable[Overlay]) -> Overlay:
    """Several of them, one over the other."""
    result = NOTHING
    for over in layers:
        pairs: Iterable[tuple[Any, Any]] = zip(result, over, strict=True)
        result = Overlay(*(one or other for one, other in pairs))._replace(
            notes=(*result.notes, *over.notes),
            reach={**result.reach, **over.reach},
            threatened=result.threatened | over.threatened,
            covered=result.covered | over.covered,
            shapes=(*result.shapes, *over.shapes),
        )
    return result


def of_reach(answer: overlays.Reach, position: Position) -> Overlay:
    """Where somebody can come, by paces, and what is threatened there. On a table that is only a
    picture, and no verdict rests on it."""
    who = title(position.ruleset, answer.who)
    if not answer.goals:
        return Overlay(notes=(f"{who} cannot move now",))
    paces = tuple(map(words, answer.paces))
    first = {goal.place: answer.paces.index(goal.paces[0]) for goal in answer.goals}
    rules = rule_ids((r for goal in answer.goals for r in goal.rules), position.ruleset)
    if position.table is not None:
        text = f"{who}: straight-line reach by {', '.join(paces)} {rules}"
        note = "Approximate: ground, obstacles and others in the way are ignored"
        places = sorted(first, key=lambda place: -first[place])
        shapes = [shape for p in places for shape in shapes_of(str(first[p]), [p])]
        shapes += shapes_of("threatened", (danger.place for danger in answer.dangers))
        return Overlay(notes=(text, note), paces=paces, shapes=tuple(shapes))
    parts = [
        f"{count(sum(pace in goal.paces for goal in answer.goals), 'places')} by {words(pace)}"
        for pace in answer.paces
    ]
    near = [danger for danger in answer.dangers if danger.place in first]
    text = f"{who} can reach {', '.join(parts)} {rules}"
    return Overlay(
        notes=(text, *([in_danger(near, "Of these", position)] if near else [])),
        paces=paces,
        reach=dict(zip(symbols(position, first), first.values(), strict=True)),
        threatened=frozenset(symbols(position, (danger.place for danger in answer.dangers))),
    )


def of_threat(answer: overlays.Threat, position: Position) -> Overlay:
    """The places that somebody threatens, or a side."""
    places = frozenset(symbols(position, (danger.place for danger in answer.dangers)))
    whom = title(position.ruleset, answer.whom)
    if position.table is not None and answer.dangers:
        who = [name for danger in answer.dangers for name in danger.by]
        by = ", ".join(called(position.ruleset, name) for name in who)
        rules = rule_ids((r for d in answer.dangers for r in d.rules), position.ruleset)
        text = f"{whom}: hatched where a base would be within reach of {by} {rules}"
        shapes = shapes_of("threatened", (danger.place for danger in answer.dangers))
        return Overlay(notes=(text,), shapes=shapes)
    if not places:
        return Overlay(notes=(f"{whom}: no place is threatened",))
    return Overlay(notes=(in_danger(answer.dangers, whom, position),), threatened=places)


def in_danger(dangers: Iterable[overlays.Danger], what: str, position: Position) -> str:
    """How many places are threatened, by whom, by which rules."""
    threats = list(dangers)
    by = sorted({who for danger in threats for who in danger.by})
    rules = rule_ids((r for danger in threats for r in danger.rules), position.ruleset)
    places = count(len(threats), "places")
    return f"{what}: {places} threatened by {', '.join(map(words, by))} {rules}"


def of_template(answer: overlays.Template, position: Position) -> Overlay:
    """What a template covers, and who is in it."""
    inside = ", ".join(map(words, answer.inside)) or "nobody"
    rules = rule_ids(answer.rules, position.ruleset)
    if position.table is not None:
        asked = position.ruleset.vocabulary.rulers.spoken(answer.template)
        text = f"{asked}; wholly or partly inside: {inside} {rules}"
        return Overlay(notes=(text,), shapes=shapes_of("covered", answer.places))
    places = count(len(answer.places), "places")
    text = f"{answer.template} covers {places}; inside: {inside} {rules}"
    return Overlay(notes=(text,), covered=frozenset(symbols(position, answer.places)))


def of_route(answer: overlays.Route, position: Position) -> Overlay:
    """The way of an action."""
    rules = rule_ids(answer.rules, position.ruleset)
    notes = []
    if answer.stopped_by:
        notes.append(f"Stopped there {rule_ids(answer.stopped_by, position.ruleset)}")
    if answer.against:
        notes.append(f"Not legal {rule_ids(answer.against, position.ruleset)}")
    if position.table is not None:
        return _route_on_table(answer, position, rules, notes)
    text = f"{answer.action} passes {', '.join(answer.places)} {rules}"
    return Overlay(notes=(text, *notes), way=tuple(symbols(position, answer.places)))


def _route_on_table(
    answer: overlays.Route, position: Position, rules: str, notes: Sequence[str]
) -> Overlay:
    """The way of a base along points, and how long it is."""
    rulers = position.ruleset.vocabulary.rulers
    gone, rest = (
        tuple(shape for _, shape in shapes_of("", places) if isinstance(shape, Disc))
        for places in (answer.places, answer.stopped_short)
    )
    start, *points = (rulers.point(*disc[:2]) for disc in gone)
    *between, end = points or [start]
    by = f" via {', '.join(between)}" if between else ""
    far = rulers.display(*lines.length([disc[:2] for disc in gone]))
    text = f"{rulers.spoken(answer.action)} goes from {start}{by} to {end}, {far} {rules}"
    return Overlay(notes=(text, *notes), swath=Swath(gone, rest))


def shapes_of(kind: str, places: Iterable[str]) -> tuple[tuple[str, Shape], ...]:
    """The shapes on a table that some texts name, each as of a kind."""
    shapes = (overlays.shape_of(parse_symbol(place)) for place in places)
    return tuple((kind, shape) for shape in shapes if shape is not None)


def symbols(position: Position, places: Iterable[str]) -> list[Symbol]:
    """The places of the board that have some names."""
    known = {text_of(place): place for place in position.spaces}
    return [known[place] for place in places if place in known]
