"""Is this a position of its game; what each player knows of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from clingo import Function, Number, Symbol

from pymorph.asp.dependency import CHECKED
from pymorph.asp.facts import Facts
from pymorph.asp.grounding import Atoms
from pymorph.dynamics.asking.batch import (
    ask,
    batches,
    by_situation,
    facts_of,
    grouped,
    situation,
    solve,
)
from pymorph.dynamics.results import Check, Flaw, Remedy
from pymorph.errors import Fault, IllFormed, PymorphError, UnknownName, clipped, nearest
from pymorph.ruleset.vocabulary import GIVEN, HIDDEN
from pymorph.runtime.arguments import checked
from pymorph.state.files.display_names import one_of
from pymorph.state.names import actors
from pymorph.state.position import Position, value_of
from pymorph.terms import Term, functor, sorted_symbols, text_of

if TYPE_CHECKING:
    from pymorph.asp.dependency import Slice
    from pymorph.ruleset.loader import Ruleset


@checked
def check(position: Position) -> Check:
    """Check that a position is valid; each flaw has the rules that it breaks.

    >>> import pymorph
    >>> position = pymorph.Position.load("examples/broken/too_much.yaml")
    >>> answer = pymorph.check(position)
    >>> answer.consistent, [flaw.rules for flaw in answer.flaws]
    (False, [('mor_move_12',), ('mor_attr_02',), ('mor_tick_04',)])
    """
    return check_of([position])[0]


@checked
def check_of(positions: Sequence[Position]) -> tuple[Check, ...]:
    """The check of each of several positions.

    >>> import pymorph
    >>> start = pymorph.Position.load("examples/rulesets/tictactoe/positions/start.yaml")
    >>> [answer.consistent for answer in pymorph.check_of([start])]
    [True]
    """
    flaws_of: dict[int, list[Flaw]] = defaultdict(list)
    for first, numbers in batches(positions):
        facts = facts_of(positions, numbers)
        facts += [Function("checking", [situation(number)]) for number in numbers]
        atoms = ask("check", first, facts)
        for number, ill_formed in by_situation(atoms["ill_formed"], 1).items():
            flaws_of[number] = flaws_in(ill_formed)
    return tuple(_check(position, tuple(flaws_of[n])) for n, position in enumerate(positions))


def _check(position: Position, flaws: tuple[Flaw, ...]) -> Check:
    return Check(position.ruleset, flaws, remedies(flaws, position) if position.origin else ())


def valid(positions: Sequence[Position]) -> list[Position]:
    """Those of some positions that are valid."""
    return [
        p for p, answer in zip(positions, check_of(positions), strict=True) if answer.consistent
    ]


def flaws_in(ill_formed: Iterable[Sequence[Symbol]]) -> list[Flaw]:
    """The flaws of one position, from the arguments of its atoms `ill_formed`."""
    rules = grouped((arguments[0], arguments[2]) for arguments in ill_formed)
    return [Flaw(Term(what), rules[what]) for what in sorted_symbols(rules)]


def require_well_formed(position: Position, name: str) -> None:
    """Raises: IllFormed, if *position* is none of its game."""
    refuse(check(position).flaws, position, name)


def refuse(flaws: Sequence[Flaw], position: Position, name: str) -> None:
    """Raises: IllFormed with where, why and a remedy of each flaw, if a position has any."""
    faults = []
    for flaw, (place, default, remedy) in zip(flaws, remedies(flaws, position), strict=True):
        by_default = f" is {default} by default, which" if default else ""
        says = f"{flaw.what}{by_default} breaks {_with_texts(flaw, position.ruleset)}"
        if position.ruleset.stated_at(flaw.what) is None:
            says = f"not a valid position: {says}"
        opening = "" if place else f"{name}: "
        faults.append(Fault(f"{opening}{says}; {remedy}", place, flaw.rules))
    if faults:
        raise IllFormed(faults)


def remedies(flaws: Sequence[Flaw], position: Position) -> tuple[Remedy, ...]:
    """What can be done about each flaw of a position, and where.

    That is at a fact of the ruleset; or where the position's file says what is wrong; or, if the
    file says nothing of it, at the declaration of the default. A position of no file has no place.
    """
    return tuple(_remedy(flaw.what.symbol, flaw.what, position) for flaw in flaws)


def _remedy(what: Symbol, term: Term, position: Position) -> Remedy:
    ruleset, origin = position.ruleset, position.origin
    stated = ruleset.stated_at(term)
    if stated:
        return Remedy(stated, "", "change that fact of the ruleset")
    declared = ruleset.vocabulary.fluents.get(functor(what))
    if declared is None or len(declared.sorts) != len(what.arguments):
        names = origin.names if origin else position.names
        spoken = next((argument for argument in what.arguments if argument in names), None)
        of = f" about {text_of(spoken)}" if spoken else ""
        place = origin.place_of(what) if origin else None
        return Remedy(place, "", f"change what the position says{of}")
    steps = (what.arguments[step] if isinstance(step, int) else step for step in declared.path)
    key = ": ".join(step if isinstance(step, str) else text_of(step) for step in steps)
    if origin is None or what in origin.defined:
        place = origin.defined[what] if origin else None
        removable = what in position.fluents and declared.default not in (GIVEN, None)
        return Remedy(place, "", f"change {'or remove ' if removable else ''}{key!r}")
    declares = f"fluent({declared.name},"
    place = ruleset.place_of(lambda argument: argument.text.startswith(declares)) or origin.top
    return Remedy(place, text_of(declared.default), f"write {key!r} in {origin.top.file}")


def _with_texts(flaw: Flaw, ruleset: Ruleset) -> str:
    """The rules that a flaw breaks, each with what it says."""
    texts = []
    for name in flaw.rules:
        rule = ruleset.rules.get(name)
        says = " ".join(rule.says.split()).rstrip(".") if rule else ""
        texts.append(f"{name} ({says})" if says else name)
    return " and ".join(texts)


def ask_checked(
    verb: str,
    position: Position,
    facts: Facts,
    unchecked: str,
    figures: frozenset[str] = frozenset(),
) -> Atoms:
    """What `ask` answers of a position that may be *unchecked*, under the name it has then.

    One grounding answers both. If *figures* are named, only these are calculated.
    Raises: IllFormed, if it is none of its game.
    """
    part = slice_of(verb, position.ruleset, unchecked)
    if figures:
        part = part.of_figures(figures)
    if not unchecked:
        return solve(part, facts, position)
    facts.append(Function("checking", [situation(0)]))
    atoms = solve(part, facts, position)
    flaws = flaws_in([atom.arguments for atom in atoms.pop("ill_formed")])
    refuse(flaws, position, unchecked)
    return atoms


def slice_of(verb: str, ruleset: Ruleset, unchecked: str) -> Slice:
    """The part of the rules by which `ask_checked` answers."""
    return ruleset.slices[verb + CHECKED if unchecked else verb]


@contextmanager
def blamed_on_flaws(position: Position, unchecked: str) -> Iterator[None]:
    """Turn errors in the block into IllFormed, if they come from a position that is not valid."""
    try:
        yield
    except PymorphError as error:
        if unchecked and not isinstance(error, IllFormed):
            require_well_formed(position, unchecked)
        raise


def observers(position: Position) -> dict[str, set[str]]:
    """For each observer of a position those whose knowledge it has, such as its characters.

    Observers are all that are listed or act, and those that the rules say see something.
    """
    return _eyes(position, ask("concealed", position, position.facts(situation(0))))


def _eyes(position: Position, atoms: Atoms) -> dict[str, set[str]]:
    listed = (text_of(member) for members in position.listed.values() for member in members)
    owners = (atom.arguments[1] for name in ("concealed", "feigned") for atom in atoms[name])
    named = (text_of(owner) for owner in owners if not owner.arguments)
    who = dict.fromkeys((*listed, *actors(position), *named))
    eyes: dict[str, set[str]] = defaultdict(set, {name: {name} for name in who})
    for atom in atoms["sees_for"]:
        viewer, whose, _ = map(text_of, atom.arguments)
        eyes[viewer].add(whose)
    return eyes


def viewer_of(position: Position, text: str, eyes: Mapping[str, set[str]] | None = None) -> str:
    """The observer that *text* names, also by the name that is printed.

    Raises: UnknownName, with the nearest names.
    """
    known = observers(position) if eyes is None else eyes
    return known_name(position, text, list(known), "viewer")


def known_name(position: Position, text: str, known: Sequence[str], kind: str = "name") -> str:
    """The one of the *known* names that a text means. Raises: UnknownName with the nearest."""
    name = one_of(position, text, known)
    if name not in known:
        raise UnknownName(Fault(f"unknown {kind} {clipped(text)}{nearest(text, known)}"))
    return name


@checked
def as_seen_by(position: Position, viewer: str | None) -> Position:
    """The position as *viewer* knows it: hidden values are written `hidden`.

    What is feigned stands there as the others see it. A viewer is whoever is listed in the file or
    acts, of whatever sort, or whoever the rules say sees something: a player for all his
    characters, say. A spectator, None, sees with nobody's eyes. Where something is concealed, so
    are the unfinished actions of others.

    Raises: UnknownName, if nobody of that name looks at the position.

    >>> import pymorph
    >>> position = pymorph.Position.load("examples/positions/right_cross.yaml")
    >>> pymorph.as_seen_by(position, "lathana").value("cover(baganal, main)")
    Term('hidden')
    """
    atoms = ask("concealed", position, position.facts(situation(0)))
    eyes = _eyes(position, atoms)
    own = set() if viewer is None else eyes[viewer_of(position, viewer, eyes)]
    changes: dict[Symbol, Symbol] = {}
    counts: dict[Symbol, int] = defaultdict(int)
    for atom in atoms["feigned"]:
        fluent, owner, *value = atom.arguments[:-2]
        if text_of(owner) not in own:
            changes[fluent] = value[0] if value else position.default(fluent)
    for atom in atoms["concealed"]:
        fluent, owner, instead, _, _ = atom.arguments
        if text_of(owner) in own:
            continue
        if fluent == instead:
            changes[fluent] = HIDDEN
        else:
            changes[fluent] = position.default(fluent)
            counts[instead] += position.fluents[fluent].number
    for fluent, number in counts.items():
        before = value_of(position, fluent)
        changes[fluent] = Number(number + before.number)
    seen = position.with_changes(changes)
    theirs = any(Term(action).actor not in own for action in position.unfinished)
    return seen.with_unfinished(()) if changes and theirs else seen
