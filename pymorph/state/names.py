"""From what a person types to the action that is meant."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import chain, combinations, product
from math import prod

from clingo import Function, Symbol, SymbolType

from pymorph.errors import InputError, Place, UnknownName, clipped, nearest
from pymorph.ruleset.vocabulary import Declared, Fluent
from pymorph.state.files.directions import is_towards, resolved
from pymorph.state.files.display_names import as_meant, one_of
from pymorph.state.files.reader import form_of
from pymorph.state.position import Position, belongs, members_of, words_of
from pymorph.terms import ANY, parse_named, text_of


def typed_actions(position: Position) -> list[Symbol]:
    """Every action that the vocabulary can form here, but for those that are never proposed."""
    words = position.ruleset.vocabulary
    closed = (declared for declared in words.actions.values() if not declared.open)
    return [action for declared in closed for action in words.typed(declared, position.scene)]


def actors(position: Position) -> tuple[str, ...]:
    """All that could act, by the first sort of each action."""
    actions = position.ruleset.vocabulary.actions.values()
    firsts = dict.fromkeys(action.sorts[0] for action in actions if action.sorts)
    return tuple(dict.fromkeys(text_of(m) for sort in firsts for m in members_of(position, sort)))


def actor(position: Position, text: str) -> str:
    """Who is meant, also by a name as it is printed. Raises: UnknownName."""
    known = actors(position)
    name = one_of(position, text, known)
    if name not in known:
        raise UnknownName(f"unknown actor {clipped(text)}{nearest(text, known)}")
    return name


MAX_COMPLETIONS = 4000


def ambiguous(
    text: str, forms: Sequence[Symbol], place: Place | None = None, all_illegal: bool = False
) -> InputError:
    """The error of a *text* that may be any of several *forms*, which may be *all_illegal*."""
    listed = " or ".join([*map(text_of, forms[:4]), *["..."] * (len(forms) > 4)])
    none = ", and none of them is legal" if all_illegal else ""
    return InputError(f"{clipped(text, 80)} can mean {listed}{none}; write one of them", place)


def forms_of(position: Position, text: str) -> list[Symbol]:
    """Every action that *text* may name, legal or not, in the order of the vocabulary.

    An argument that is written as ``_`` may be anything. Names may be as they are printed.
    Raises: UnknownName, if there is none.
    """
    meanings = as_meant(position, text, partial(_forms, position))
    return list(dict.fromkeys(chain.from_iterable(meanings)))


def _forms(position: Position, text: str) -> list[Symbol]:
    declared, symbol = _action(position, text, wild=True)
    if len(symbol.arguments) == len(declared.sorts):
        check_arguments(position, declared, symbol)
        if ANY not in symbol.arguments:
            return [symbol]
    return fitting(position, declared, symbol, text)


def pattern_of(position: Position, text: str) -> Symbol:
    """The form of actions that *text* names: an action of which arguments may be left out.

    Raises: UnknownName, if there are none such.
    """
    return only(as_meant(position, text, partial(_pattern, position)), text)


def only(meanings: Sequence[Symbol], text: str) -> Symbol:
    """The one meaning that a text has. Raises: InputError, if there are several."""
    if len(meanings) > 1:
        raise ambiguous(text, meanings)
    return meanings[0]


def _pattern(position: Position, text: str) -> Symbol:
    declared, symbol = _action(position, text)
    sorts = iter(declared.sorts)
    if not all(any(belongs(position, a, sort) for sort in sorts) for a in symbol.arguments):
        raise unfitting(position, declared, symbol, text)
    return symbol


def _action(position: Position, text: str, wild: bool = False) -> tuple[Declared, Symbol]:
    """The action of a text, with directions in it that are stated by what lies there as vectors."""
    words = position.ruleset.vocabulary
    symbol = parse_named(words.rulers.plain(text), wild)
    declared = words.actions.get(symbol.name)
    if declared is None:
        raise unknown_action(position, symbol.name)
    if position.table is None or not any(map(words.is_aimed, declared.sorts)):
        return declared, symbol
    terms = list(symbol.arguments)
    for number, argument in enumerate(terms):
        if number and is_towards(argument):
            terms[number] = resolved(argument, terms[0], words, position.scene, position.fluents)
    return declared, Function(symbol.name, terms)


def unknown_action(position: Position, name: str) -> UnknownName:
    words, symbol = position.ruleset.vocabulary, Function(name)
    sorts = [sort for sort in words.sorts if belongs(position, symbol, sort)]
    taking = [a for a in words.actions.values() if not set(sorts).isdisjoint(a.sorts)]
    if taking:
        forms = " or ".join(map(form_of, taking[:3]))
        message = f"{clipped(name)} is not an action but a {words.sorts[sorts[0]]}; write {forms}"
        return UnknownName(message)
    begun = [a for a in words.actions.values() if name.startswith(f"{a.name}_")]
    hint = nearest(name, words.actions)
    if begun and hint.count("'") in (0, 2):
        hint = f"; write its arguments in brackets, as in {form_of(begun[-1])}"
    return UnknownName(f"unknown action {clipped(name)}{hint}")


def unfitting(position: Position, declared: Declared, symbol: Symbol, text: str) -> UnknownName:
    """The error of a *text* that fits no action, figure or finding of its name, with the first
    argument that fits nowhere and the nearest value that would."""
    words, sorts, reason = position.ruleset.vocabulary, declared.sorts, ""
    for argument in symbol.arguments:
        if argument != ANY and not any(belongs(position, argument, sort) for sort in sorts):
            value = text_of(argument)
            ranges = [sort for sort in sorts if words.sorts[sort].kind == "range"]
            if argument.type == SymbolType.Number and ranges:
                hint = words.expected(value, ranges[0], position.scene)
            else:
                hint = nearest(value, words_of(position, sorts))
            reason = f": unknown {clipped(value)}{hint}"
            break
    return UnknownName(f"{clipped(text, 80)} does not fit {form_of(declared)}{reason}")


def fitting(position: Position, declared: Declared, symbol: Symbol, text: str) -> list[Symbol]:
    """All that *symbol*, with some of its arguments, can stand for.

    Raises: UnknownName, if there is nothing.
    """
    sorts, stated = declared.sorts, symbol.arguments
    forms: dict[Symbol, None] = {}
    for places in combinations(range(len(sorts)), len(stated)):
        at = {i: value for i, value in zip(places, stated, strict=True) if value != ANY}
        if not all(belongs(position, value, sorts[i]) for i, value in at.items()):
            continue
        domains = [(at[i],) if i in at else members_of(position, s) for i, s in enumerate(sorts)]
        if prod(map(len, domains)) <= MAX_COMPLETIONS:
            forms |= dict.fromkeys(Function(declared.name, each) for each in product(*domains))
    if not forms:
        raise unfitting(position, declared, symbol, text)
    return list(forms)


def filled(position: Position, declared: Declared | Fluent, symbol: Symbol) -> Symbol | None:
    """*symbol* with the arguments that go without saying, if it has all of them then."""
    words = position.ruleset.vocabulary
    stated = list(symbol.arguments)
    full: list[Symbol] = []
    missing = len(declared.sorts) - len(stated)
    for sort in declared.sorts:
        silent = missing > 0 and sort in words.elided
        if silent and not (stated and belongs(position, stated[0], sort)):
            full.append(words.elided[sort])
            missing -= 1
        elif stated:
            full.append(stated.pop(0))
    return None if missing or stated else Function(symbol.name, full)


def check_arguments(position: Position, declared: Declared | Fluent, symbol: Symbol) -> None:
    """Raises: UnknownName with the first argument that is none of its sort."""
    words = position.ruleset.vocabulary
    pairs = zip(symbol.arguments, declared.sorts, strict=True)
    for number, (argument, sort) in enumerate(pairs, 1):
        if argument != ANY and not belongs(position, argument, sort):
            text = words.rulers.spoken(text_of(argument))
            hint = words.expected(text, sort, position.scene)
            where = f"argument {number} of {declared.name}"
            raise UnknownName(f"unknown {words.sorts[sort]} {clipped(text)}, {where}{hint}")


def names_of(position: Position) -> frozenset[str]:
    """What somebody or something is called in a game, such as a side, or in the file."""
    sorts = position.ruleset.vocabulary.sorts.values()
    named = (sort.name for sort in sorts if sort.kind in ("listed", "file"))
    return frozenset(words_of(position, named))
