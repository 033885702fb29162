"""Overlays on a board: reach, threatened places, templates and routes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from clingo import Function, Symbol, SymbolType

from pymorph.answers import json_keys
from pymorph.board.lengths.measuring import template_of
from pymorph.dynamics.asking.batch import ask, grouped, situation
from pymorph.dynamics.asking.legal import judged
from pymorph.errors import Fault, InputError, UnknownName, clipped, nearest
from pymorph.questions.board.drawing import drawn
from pymorph.questions.board.sight import known_member, sides_of
from pymorph.questions.consistency import known_name
from pymorph.ruleset.loader import Ruleset
from pymorph.ruleset.vocabulary import Declared
from pymorph.runtime.arguments import checked
from pymorph.state import names
from pymorph.state.files.display_names import as_meant
from pymorph.state.position import Position
from pymorph.terms import order, parse_named, sorted_symbols, text_of

if TYPE_CHECKING:
    from pymorph.board.lengths.shapes import Shape


@json_keys()
@json_keys()
class Destination(NamedTuple):
    """A place where somebody can come: at which paces, in their order, and by which rules."""

    place: str
    paces: tuple[str, ...]
    rules: tuple[str, ...]


@json_keys()
@json_keys()
class Danger(NamedTuple):
    """A place that is threatened: by whom, and by which rules."""

    place: str
    by: tuple[str, ...]
    rules: tuple[str, ...]


@json_keys()
@json_keys()
class Reach(NamedTuple):
    """Where *who* can come by what is legal now, by paces, the slowest first, and what is
    threatened there by other sides."""

    who: str
    paces: tuple[str, ...]
    goals: tuple[Destination, ...]
    dangers: tuple[Danger, ...]


@json_keys()
@json_keys()
class Threat(NamedTuple):
    """The places that *whom* threatens: somebody, or all of a side."""

    whom: str
    members: tuple[str, ...]
    dangers: tuple[Danger, ...]


@json_keys()
@json_keys()
class Template(NamedTuple):
    """What a template covers, and who is in it, with the rules."""

    template: str
    places: tuple[str, ...]
    inside: tuple[str, ...]
    rules: tuple[str, ...]


@json_keys()
@json_keys()
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


@checked
def reach(position: Position, name: str) -> Reach:
    """Where somebody can come by an action that is legal now, and what is threatened of that.

    Raises: UnknownName, if nobody is called so; InputError, if the ruleset has no rule for it.
    """
    require_predicate(position, "brings_to", 6, "where an action moves somebody")
    who = known_member(position, name, everybody(position))
    atoms = ask("reach", position, position.facts(situation(0)))
    legal = {atom.arguments[0] for atom in atoms["legal"]}
    moves = [atom.arguments for atom in atoms["brings_to"]]
    moves = [move for move in moves if move[1] == who and (position.table or move[0] in legal)]
    paces: dict[Symbol, set[Symbol]] = defaultdict(set)
    for _, _, place, pace, _, _ in moves:
        paces[place].add(pace)
    rules = grouped((move[2], move[5]) for move in moves)
    goals = [
        Destination(text_of(place), tuple(map(name_of, sorted(paces[place]))), rules[place])
        for place in in_board_order(position, paces)
    ]
    sides = sides_of(drawn(position))
    own = sides.get(text_of(who))
    foes = [member for member in everybody(position) if sides.get(text_of(member), own) != own]
    ranks = sorted(set().union(*paces.values()))
    return Reach(text_of(who), tuple(map(name_of, ranks)), tuple(goals), dangers(position, foes))


@checked
def threat(position: Position, whom: str) -> Threat:
    """The places that somebody threatens, or that anybody of a side does.

    Raises: UnknownName, if nobody and no side is called so; InputError, if the ruleset has no rule
    for it.
    """
    require_predicate(position, "threatened", 4, "what is threatened")
    sides = sides_of(drawn(position))
    members = everybody(position)
    known = list(dict.fromkeys([*sides.values(), *map(text_of, members)]))
    name = known_name(position, whom, known)
    meant = [member for member in members if sides.get(text_of(member)) == name]
    meant = meant or [member for member in members if text_of(member) == name]
    return Threat(name, tuple(map(text_of, meant)), dangers(position, meant))


@checked
def template(position: Position, text: str) -> Template:
    """What a template covers: one that the ruleset declares, or an action that affects an area.

    Raises: UnknownName, if there is no such thing; InputError, if the rules say nothing of it.
    """
    require_predicate(position, "enclosed", 4, "what a template covers")
    term = names.only(templates_of(position, text), text)
    (enclosed,) = _overlays(position, "area_of", [term], "enclosed")
    if not enclosed:
        raise InputError(Fault(f"no rule says what {text_of(term)} covers"))
    covered = {atom[1] for atom in enclosed}
    people = [who for who in everybody(position) if Function("base", [who]) in covered]
    places = [what for what in covered if is_place(position, what)]
    return Template(
        text_of(term),
        tuple(map(text_of, in_board_order(position, places))),
        tuple(map(text_of, people)),
        tuple(sorted({atom[3].name for atom in enclosed})),
    )


@checked
def route(position: Position, text: str) -> Route:
    """The places by which an action goes.

    Raises: UnknownName, if there is no such action; InputError, if the rules give no path.
    """
    require_predicate(position, "on_route", 5, "which path an action takes")
    action = names.only(names.forms_of(position, text), text)
    gone, left = _overlays(position, "route_of", [action], "on_route", "stopped_short")
    if not gone:
        spoken = position.ruleset.vocabulary.rulers.spoken(text_of(action))
        raise InputError(Fault(f"no rule gives a path for {spoken} from here"))
    verdict = judged(position, [action])[action]
    return Route(
        text_of(action),
        _way(gone),
        tuple(sorted({step[4].name for step in gone})),
        _way(left),
        tuple(sorted({step[4].name for step in left})),
        verdict.rules,
    )


def _way(steps: Iterable[Sequence[Symbol]]) -> tuple[str, ...]:
    """Places in the order of their numbers."""
    places = {step[1].number: step[2] for step in steps}
    return tuple(text_of(places[number]) for number in sorted(places))


def dangers(position: Position, whom: Sequence[Symbol]) -> tuple[Danger, ...]:
    """The places that some of them threaten."""
    (threats,) = _overlays(position, "threat_of", whom, "threatened") if whom else [[]]
    by: dict[Symbol, set[Symbol]] = defaultdict(set)
    for place, who, _, _ in threats:
        by[place].add(who)
    rules = grouped((atom[0], atom[3]) for atom in threats)
    return tuple(
        Danger(text_of(place), tuple(map(text_of, sorted_symbols(by[place]))), rules[place])
        for place in in_board_order(position, by)
    )


def _overlays(
    position: Position, kind: str, subjects: Sequence[Symbol], *predicates: str
) -> list[list[list[Symbol]]]:
    """The arguments of the atoms of each predicate that answer a question of a *kind*."""
    here = situation(0)
    facts = position.facts(here)
    for subject in subjects:
        facts.append(Function(kind, [subject, here]))
        if kind == "route_of" and position.table is not None:
            facts.append(Function("asked", [subject, here]))
    atoms = ask("overlay", position, facts)
    return [[atom.arguments for atom in atoms[name]] for name in predicates]


def require_predicate(position: Position, name: str, arity: int, what: str) -> None:
    """Raises: InputError, if no rule of the ruleset defines the predicate."""
    title = position.ruleset.title
    if not defines(position.ruleset, name, arity):
        raise InputError(
            Fault(f"{title} has no rule that says {what} ({name} in the rule language)")
        )


def defines(ruleset: Ruleset, name: str, arity: int) -> bool:
    """Has the ruleset a rule for a predicate that questions about the board ask?"""
    part = ruleset.slices["reach" if name == "brings_to" else "overlay"]
    return any((name, arity) == key[:2] for each in part.parts for key, _ in each.signs.defines)


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
    """All members that the file of a position lists."""
    return [member for members in position.listed.values() for member in members]


def in_board_order(position: Position, places: Iterable[Symbol]) -> list[Symbol]:
    """Places in the order of the board, from the lowest row."""
    at = position.spaces
    return sorted(places, key=lambda place: (at.get(place, (0, 0))[::-1], order(place)))


def templates_of(position: Position, text: str) -> list[Symbol]:
    """The templates that a text may name: declared ones, and actions."""
    declared = position.ruleset.vocabulary.templates
    readings = as_meant(position, text, lambda name: _template(position, declared, name))
    return [symbol for symbols in readings for symbol in symbols]


def _template(position: Position, declared: Mapping[str, Declared], text: str) -> list[Symbol]:
    symbol = parse_named(position.ruleset.vocabulary.rulers.plain(text))
    shape = declared.get(symbol.name)
    if shape is None:
        actions = position.ruleset.vocabulary.actions
        if symbol.name in actions:
            return names.forms_of(position, text)
        message = f"unknown template {clipped(symbol.name)}{nearest(symbol.name, declared)}"
        raise UnknownName(Fault(message))
    if len(symbol.arguments) != len(shape.sorts):
        return names.fitting(position, shape, symbol, text)
    names.check_arguments(position, shape, symbol)
    return [symbol]
