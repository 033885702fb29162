"""The impact of an edit: the actions and figures whose answers may depend on it, and cards."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace

from clingo import Symbol

from pymorph.asp.dependency import DependencyGraph
from pymorph.asp.facts import Key, rulings
from pymorph.ruleset.vocabulary import Declared, Vocabulary
from pymorph.terms import parse_symbol
from pymorph.verify.effort import EFFORT
from pymorph.verify.scope import Scope, once
from pymorph.verify.spaces.domain import (
    Domain,
    action_keys,
    card_sorts,
    members_named,
    position_keys,
)

AND, BY = ", ", " by "  # between the names of a group, and before the one who acts


def pieces_about(
    sought: frozenset[Key], scope: Scope, among: Iterable[str] | None = None
) -> list[str]:
    """Pieces of work on the actions for which *sought* atoms may depend on what changed; on every
    action, where all is looked at."""
    words = scope.ruleset.vocabulary
    names = list(words.actions if among is None else among)
    if scope.changed is not None:
        impacts = ((n, change_impact(scope, applied_keys(words, n), {n})) for n in names)
        names = [name for name, affects in impacts if affects(sought)]
    return pieces_of(scope, names)


def applied_keys(words: Vocabulary, name: str) -> frozenset[Key]:
    """The keys of the facts of a position in which an action of a name is carried out, and of what
    comes next."""
    following = {("next", 3, fluent) for fluent in words.fluents}
    return position_keys(words) | action_keys(name) | following


def pieces_of(scope: Scope, names: Iterable[str]) -> list[str]:
    """Names of actions in groups, each of them a piece of work: what is small is looked at with
    other small things in one search, and what is too much for one is cut by who acts."""
    words, domain = scope.ruleset.vocabulary, Domain.of(scope)
    listed = {sort.name for sort in words.file_sorts()}
    cut, sizes = [], []
    for name in names:
        declared = words.actions[name]
        size = len(domain.actions(declared))
        if size > EFFORT.widest_name and declared.sorts[0] in listed:
            cut += [f"{name}{BY}{member}" for member in domain.members(declared.sorts[0])]
        else:
            sizes.append((name, size))
    return cut + packed(sizes)


def packed(sizes: Iterable[tuple[str, int]]) -> list[str]:
    """Names in groups, a few in each, and no more than so many terms unless one name alone has
    them; what takes longest first."""
    groups: list[list[str]] = []
    rooms: list[int] = []
    for name, size in sizes:
        free = (n for n, group in enumerate(groups) if len(group) < EFFORT.piece_names)
        place = next((n for n in free if size <= rooms[n]), len(groups))
        if place == len(groups):
            groups.append([])
            rooms.append(EFFORT.piece_terms)
        groups[place].append(name)
        rooms[place] -= size
    order = sorted(range(len(groups)), key=lambda place: rooms[place])
    return [AND.join(groups[place]) for place in order]


def actions_of(scope: Scope, piece: str) -> tuple[list[Declared], Domain]:
    """The actions that a piece of work is about, none for "", and the domain that has no others of
    their names: those of everybody, or of one who acts."""
    names, _, who = piece.partition(BY)
    domain = _acting(scope, who) if who else Domain.of(scope)
    actions = scope.ruleset.vocabulary.actions
    return [actions[name] for name in names.split(AND) if name], domain


@once
def _acting(scope: Scope, who: str) -> Domain:
    return replace(Domain.of(scope), acting=parse_symbol(who))


@once
def _with_gone(scope: Scope) -> DependencyGraph:
    return DependencyGraph((*scope.sources.parts, *scope.gone))


def change_impact(
    scope: Scope, known: Iterable[Key], names: Collection[str] | None = None
) -> Callable[[Iterable[Key]], bool]:
    """Whether a statement that changed, or is gone, may fire with what is *known* and lead to atoms
    that are sought. With *names*, no other actions are proposed, unless rules read proposals."""
    changed, numbered = scope.changed or frozenset(), scope.sources.numbered
    touched = {place for place, (n, _) in enumerate(numbered) if n in changed}
    touched |= {len(numbered) + place for place, _ in enumerate(scope.gone)}
    index = _with_gone(scope)
    alone = names if not scope.ruleset.reads_proposals else None
    others = () if alone is None else index.proposing_others(alone)
    among = index.firing({*known, *rulings(scope.ruleset.options)}, others)
    return lambda sought: not touched.isdisjoint(index.numbers(sought, among, figured=True))


def cards_only(scope: Scope) -> int:
    """How many cards an edit touched; 0, if it touched anything else as well."""
    statements = scope.sources.statements
    words = scope.ruleset.vocabulary
    cards: set[Symbol] = set()
    for n in scope.changed or ():
        text = [statements[n].text]
        touched = {m for s in card_sorts(words) for m in members_named(words.sorts[s], text)}
        if statements[n].kind == "rule" or not touched:
            return 0
        cards |= touched
    about = {s for n in scope.changed or () for s in statements[n].heads}
    gone = {key[:2] for part in scope.gone for key, _ in part.signs.defines}
    if gone - about or any(part.signs.requires for part in scope.gone):
        return 0
    return len(cards)
