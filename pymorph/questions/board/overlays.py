"""What is laid over a board: where somebody can come, what is threatened or covered, a way."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from clingo import Function, Symbol, SymbolType

from pymorph.board.lengths.measuring import template_of
from pymorph.dynamics.asking.batch import ask, grouped, situation
from pymorph.dynamics.asking.legal import judged
from pymorph.dynamics.encoding import record_json
from pymorph.errors import Fault, InputError, UnknownName, clipped, nearest
from pymorph.questions.board.drawing import drawn
from pymorph.questions.board.sight import known_one, sides_of
from pymorph.ruleset.vocabulary import Declared
from pymorph.state import names
from pymorph.state.files.display_names import as_meant, one_of
from pymorph.state.position import Position, of_position
from pymorph.terms import brief, order, parse_named, sorted_symbols, text_of
from pymorph.yamlio import Json

if TYPE_CHECKING:
    from pymorph.board.lengths.shapes import Shape


@brief
class Destination(NamedTuple):
    """A place where somebody can come: at which paces, in their order, and by which rules."""

    place: str
    paces: tuple[str, ...]
    rules: tuple[str, ...]

    def json(self) -> Json:
        return record_json(self)


@brief
class Danger(NamedTuple):
    """A place that is threatened: by whom, and by which rules."""

    place: str
    by: tuple[str, ...]
    rules: tuple[str, ...]

    def json(self) -> Json:
        return record_json(self)


@brief
class Reach(NamedTuple):
    """Where *who* can come by what is legal now, by paces, the slowest first, and what is
    threatened there by other sides."""

    who: str
    paces: tuple[str, ...]
    goals: tuple[Destination, ...]
    dangers: tuple[Danger, ...]

    def json(self) -> Json:
        return record_json(self)


@brief
class Threat(NamedTuple):
    """The places that *whom* threatens: somebody, or all of a side."""

    whom: str
    members: tuple[str, ...]
    dangers: tuple[Danger, ...]

    def json(self) -> Json:
        return record_json(self)


@brief
class Template(NamedTuple):
    """What a template covers, and who is in it, with the rules."""

    template: str
    places: tuple[str, ...]
    inside: tuple[str, ...]
    rules: tuple[str, ...]

    def json(self) -> Json:
        return record_json(self)


@brief
class Route(NamedTuple):
    """The places by which an action goes, the first that where it begins, with the rules.

    Where rules stop it, *stopped_short* are the places of the way that it does not get to. They are
    shapes on a table, as whoever goes there covers them. *against* are the rules that forbid it.
    """

    action: str
    places: tuple[str, ...]
    rules: tuple[str, ...]
    stopped_short: tuple[str, ...] = ()
    stopped_by: tuple[str, ...] = ()
    against: tuple[str, ...] = ()

    def json(self) -> Json:
        return record_json(self)


@of_position
def reach(position: Position, name: str) -> Reach:
    """Where somebody can come by an action that is legal now, and what is threatened of that.

    Raises: UnknownName, if nobody is called so; InputError, if the ruleset tells no such thing.
    """
    ruleset_tells(position, "brings_to", 6, "where an action moves somebody")
    who = known_one(position, name, everybody(position))
    atoms = ask("reach", position, position.facts(situation(0)))
    legal = {atom.arguments[0] for atom in atoms["legal"]}
    rows = [atom.arguments for atom in atoms["brings_to"]]
    rows = [row for row in rows if row[1] == who and (position.table or row[0] in legal)]
    paces: dict[Symbol, set[Symbol]] = defaultdict(set)
    for _, _, place, pace, _, _ in rows:
        paces[place].add(pace)
    rules = grouped((row[2], row[5]) for row in rows)
    goals = [
        Destination(text_of(place), tuple(map(name_of, sorted(paces[place]))), rules[place])
        for place in in_rows(position, paces)
    ]
    sides = sides_of(drawn(position))
    own = sides.get(text_of(who))
    foes = [each for each in everybody(position) if sides.get(text_of(each), own) != own]
    ranks = sorted({pace for row in paces.values() for pace in row})
    return Reach(text_of(who), tuple(map(name_of, ranks)), tuple(goals), dangers(position, foes))


@of_position
def threat(position: Position, whom: str) -> Threat:
    """The places that somebody threatens, or that anybody of a side does.

    Raises: UnknownName, if nobody and no side is called so; InputError, if the ruleset tells none.
    """
    ruleset_tells(position, "threatened", 4, "what is threatened")
    sides = sides_of(drawn(position))
    members = everybody(position)
    known = dict.fromkeys([*sides.values(), *map(text_of, members)])
    found = one_of(position, whom, list(known))
    if found not in known:
        raise UnknownName(Fault(f"unknown name {clipped(whom)}{nearest(whom, known)}"))
    meant = [member for member in members if sides.get(text_of(member)) == found]
    meant = meant or [member for member in members if text_of(member) == found]
    return Threat(found, tuple(map(text_of, meant)), dangers(position, meant))


@of_position
def template(position: Position, text: str) -> Template:
    """What a template covers: one that the ruleset declares, or an action that affects an area.

    Raises: UnknownName, if there is no such thing; InputError, if the rules say nothing of it.
    """
    ruleset_tells(position, "enclosed", 4, "what a template covers")
    term = names.only(templates_of(position, text), text)
    rows = _overlay(position, "area_of", [term], "enclosed")
    if not rows:
        raise InputError(Fault(f"no rule says what {text_of(term)} covers"))
    covered = {row[1] for row in rows}
    people = [who for who in everybody(position) if Function("base", [who]) in covered]
    places = [what for what in covered if is_place(position, what)]
    names_of_rules = sorted({row[3].name for row in rows})
    return Template(
        text_of(term),
        tuple(map(text_of, in_rows(position, places))),
        tuple(map(text_of, people)),
        tuple(names_of_rules),
    )


@of_position
def route(position: Position, text: str) -> Route:
    """By which places an action goes. Raises: UnknownName, if there is no such action; InputError,
    if the rules tell no way."""
    ruleset_tells(position, "on_route", 5, "which path an action takes")
    action = names.only(names.forms_of(position, text), text)
    gone, left = _overlays(position, "route_of", [action], "on_route", "stopped_short")
    if not gone:
        told = position.ruleset.vocabulary.rulers.spoken(text_of(action))
        raise InputError(Fault(f"no rule gives a path for {told} from here"))
    verdict = judged(position, [action])[action]
    return Route(
        text_of(action),
        _way(gone),
        tuple(sorted({row[4].name for row in gone})),
        _way(left),
        tuple(sorted({row[4].name for row in left})),
        verdict.rules,
    )


def _way(rows: Iterable[Sequence[Symbol]]) -> tuple[str, ...]:
    """Places in the order of their numbers."""
    steps = {row[1].number: row[2] for row in rows}
    return tuple(text_of(steps[number]) for number in sorted(steps))


def dangers(position: Position, whom: Sequence[Symbol]) -> tuple[Danger, ...]:
    """The places that some of them threaten."""
    rows = _overlay(position, "threat_of", whom, "threatened") if whom else []
    by: dict[Symbol, set[Symbol]] = defaultdict(set)
    for place, who, _, _ in rows:
        by[place].add(who)
    rules = grouped((row[0], row[3]) for row in rows)
    return tuple(
        Danger(text_of(place), tuple(map(text_of, sorted_symbols(by[place]))), rules[place])
        for place in in_rows(position, by)
    )


def _overlay(
    position: Position, kind: str, asked: Sequence[Symbol], shown: str
) -> list[list[Symbol]]:
    """What the rules say of something that is asked, as the arguments of its atoms."""
    return _overlays(position, kind, asked, shown)[0]


def _overlays(
    position: Position, kind: str, asked: Sequence[Symbol], *shown: str
) -> list[list[list[Symbol]]]:
    """The same of several predicates."""
    here = situation(0)
    facts = position.facts(here)
    for each in asked:
        facts.append(Function(kind, [each, here]))
        if kind == "route_of" and position.table is not None:
            facts.append(Function("asked", [each, here]))
    atoms = ask("overlay", position, facts)
    return [[atom.arguments for atom in atoms[name]] for name in shown]


def ruleset_tells(position: Position, name: str, arity: int, what: str) -> None:
    """Raises: InputError, if no rule of the ruleset tells that."""
    title = position.ruleset.title
    part = position.ruleset.slices["reach" if name == "brings_to" else "overlay"]
    given = {key[:2] for statement in part.parts for key, _ in statement.signs.gives}
    if (name, arity) not in given:
        raise InputError(
            Fault(f"{title} has no rule that says {what} ({name} in the rule language)")
        )


def is_place(position: Position, what: Symbol) -> bool:
    """Is it a place of the board, or a shape on the table?"""
    return what in position.spaces or (position.table is not None and shape_of(what) is not None)


def shape_of(what: Symbol) -> Shape | None:
    """The shape on a table that stands for the places it covers."""
    named = what.type == SymbolType.Function and what.name and what.arguments
    return template_of(what.name, what.arguments) if named else None


def name_of(pace: Symbol) -> str:
    """What a pace is called: ``pace(2, run)`` is ``run``."""
    return text_of(pace.arguments[-1] if pace.arguments else pace)


def everybody(position: Position) -> list[Symbol]:
    """All whom the file of a position lists."""
    return [member for members in position.listed.values() for member in members]


def in_rows(position: Position, places: Iterable[Symbol]) -> list[Symbol]:
    """Places in the order of the board, from the lowest row."""
    at = position.spaces
    return sorted(places, key=lambda place: (at.get(place, (0, 0))[::-1], order(place)))


def templates_of(position: Position, text: str) -> list[Symbol]:
    """The templates that a text may name: declared ones, and actions."""
    declared = position.ruleset.vocabulary.templates
    ways = as_meant(position, text, lambda way: _template(position, declared, way))
    return [symbol for way in ways for symbol in way]


def _template(position: Position, declared: Mapping[str, Declared], text: str) -> list[Symbol]:
    symbol = parse_named(position.ruleset.vocabulary.rulers.plain(text))
    shape = declared.get(symbol.name)
    if shape is None:
        actions = position.ruleset.vocabulary.actions
        if symbol.name in actions:
            return names.forms_of(position, text)
        told = f"unknown template {clipped(symbol.name)}{nearest(symbol.name, declared)}"
        raise UnknownName(Fault(told))
    if len(symbol.arguments) != len(shape.sorts):
        return names.fitting(position, shape, symbol, text)
    names.check_arguments(position, shape, symbol)
    return [symbol]
