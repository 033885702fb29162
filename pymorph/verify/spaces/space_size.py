"""How large a search is: which bound makes it so, and which one keeps all positions out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from math import prod

from clingo import Function

from pymorph.errors import InputError, OutOfTime
from pymorph.terms import plural, text_of
from pymorph.verify.effort import EFFORT
from pymorph.verify.frame import Trials
from pymorph.verify.scope import Bounds, Scope, once
from pymorph.verify.spaces.domain import Domain
from pymorph.verify.spaces.model_search import ModelSearch, OpenModel
from pymorph.verify.versions.changes import AND, BY

LEAST = {"board": (1, 1), "characters": 1, "cards": 1, "copies": 1, "numbers": 1}
SOME = Function("some")
BOUNDS = "bounds"  # the subject of what they keep out


def check_size(scope: Scope) -> None:
    """Raises: InputError, if memory does not suffice for a search; it names the bound to lower."""
    load = _load(scope)
    if load <= EFFORT.open_facts:
        return
    lowered = {f"--{n}": _load(scope.within(**{n: least})) for n, least in LEAST.items()}
    helps = min(lowered, key=lambda name: lowered[name])
    widest = _widest(scope)
    if lowered[helps] > EFFORT.open_facts:  # no option alone does it
        sizes = range(1, _sizes(scope)[widest])
        fits = [n for n in sizes if _load(scope, {widest: n}) <= EFFORT.open_facts]
        helps = f"extent({widest}, {max(fits, default=1)})" + ", and then others" * (not fits)
    says = f"the search has {load:,} open facts, more than {EFFORT.open_facts:,}"
    raise InputError(
        f"the bounds are too wide: {says}, most of them for the sort {widest}; lower {helps}"
    )


def hint(scope: Scope, piece: str) -> str:
    """What makes a piece of work hard, and what would make it easier; nothing, if it is small."""
    if piece == BOUNDS:
        return ""
    words = scope.ruleset.vocabulary
    names = [name for name in piece.partition(BY)[0].split(AND) if name in words.actions]
    widest = _widest(scope, names)
    size = _sizes(scope)[widest] if widest else 1
    if size < 2:
        return ""
    several = plural(widest.replace("_", " "))
    return f"the search covers {size} {several}; try --extent {widest}={size // 2}"


# -- which bounds are tried ------------------------------------------------------------------------


def searched_first(scope: Scope) -> list[Scope]:
    """The bounds that are asked for, then narrower ones until a search is small: the last of these
    are searched first."""
    scopes = [scope]
    while _load(scopes[-1]) > EFFORT.easy_facts and (narrow := narrower(scopes[-1])) is not None:
        scopes.append(narrow)
    return scopes


def narrower(scope: Scope) -> Scope | None:
    """The next narrower bounds: few cards and low numbers, then half as many members of the sort
    that takes most; None, if somebody named the bounds, or nothing is to be gained."""
    if scope.named or scope.changed is not None:
        return None
    bounds, widest = scope.bounds, _widest(scope)
    low = min(bounds.numbers, EFFORT.low_numbers)
    few = scope.within(cards=EFFORT.fewest_cards, numbers=low)
    half = f"{widest}={_sizes(scope)[widest] // 2}" if widest else ""
    given = {"characters": bounds.characters, "copies": bounds.copies}
    given |= {"cards": bounds.cards, "numbers": bounds.numbers}
    extent = (*bounds.extent, half)
    fewer = scope.replaced(bounds=Bounds.of(scope.ruleset, **given, extent=extent)) if half else few
    return next((s for s in (few, fewer) if _load(s) < _load(scope)), None)


@once
def _sizes(scope: Scope) -> dict[str, int]:
    """How many members of each sort are looked at."""
    domain = Domain.of(scope)
    return {name: len(domain.members(name)) for name in domain.words.sorts}


def _load(
    scope: Scope, lowered: Mapping[str, int] | None = None, actions: Sequence[str] = ()
) -> int:
    """How much a search leaves open: the values of all fluents, and the actions of one name, or of
    these; where of some sorts fewer members are looked at."""
    words = scope.ruleset.vocabulary
    sizes = {**_sizes(scope), **(lowered or {})}
    held = sum(prod(sizes[s] for s in (*f.sorts, f.value)) for f in words.fluents.values())
    asked = [prod(sizes[s] for s in words.actions[a].sorts) for a in actions or words.actions]
    return held + max(asked, default=0)


def _widest(scope: Scope, actions: Sequence[str] = ()) -> str:
    """The sort for which most is left open: one of which less would help most."""
    sizes = _sizes(scope)
    loads = {name: _load(scope, {name: 1}, actions) for name, n in sizes.items() if n > 1}
    return min(loads, key=lambda name: loads[name], default="")


# -- what keeps positions out ----------------------------------------------------------------------


def exclusion(scope: Scope) -> str:
    """Which bound leaves no position of the game, in words; nothing, if there are some."""
    trials = Trials(longest=EFFORT.barring_seconds)
    with suppress(OutOfTime):
        if _some(scope) is not None:
            return ""
        for says, wider in trials.of([*_wider(scope)]):
            with suppress(OutOfTime):
                model = _some(wider) if _load(wider) <= EFFORT.open_facts else None
                if model is not None:
                    return f"the bounds leave no valid position; {says(model)}"
        return f"the bounds leave no valid position, {Domain.of(scope).bound}"
    return ""


def _some(scope: Scope) -> OpenModel | None:
    """A position of the game within the bounds, as small as may be."""
    return ModelSearch(scope, Domain.of(scope), f"verify_goal({SOME}).", []).smallest(SOME)


def _wider(scope: Scope) -> Iterator[tuple[Callable[[OpenModel], str], Scope]]:
    """The same with one bound less narrow, each with what to say of a position within it."""
    bounds, domain = scope.bounds, Domain.of(scope)
    words = domain.words
    for name in sorted(domain.cut & scope.extents.most.keys(), key=lambda n: _sizes(scope)[n]):
        every = words.sorts[name].high or len(words.members(name, domain.scene))
        wider = scope.within(extent=(*bounds.extent, f"{name}={every}"))
        yield partial(_lacking, scope, name, every), wider
    highest = max((s.high for s in words.sorts.values() if s.kind == "range"), default=0)
    for option, value in (
        ("characters", bounds.characters + 1),
        ("board", bounds.board and (2 * bounds.board[0], 2 * bounds.board[1])),
        ("cards", bounds.cards and 0),
        ("numbers", max(highest, bounds.numbers)),
    ):
        wider = scope.within(**{option: value})
        if wider.bounds != bounds:
            text = "{}x{}".format(*value) if isinstance(value, tuple) else f"{value}"
            yield partial("try --{} {}".format, option, text), wider


def _lacking(scope: Scope, name: str, every: int, model: OpenModel) -> str:
    """The extent of a sort that lets in a position that was found."""
    sort = scope.ruleset.vocabulary.sorts[name]
    terms = [(*fluent.arguments, value) for fluent, value in model.position.fluents.items()]
    held = {term for arguments in terms for term in arguments} - {*Domain.of(scope).members(name)}
    lacking = [text_of(term) for term in sort.members if term in held]
    extent = f"({'; '.join(lacking)})" if len(lacking) > 1 else "".join(lacking) or str(every)
    return f"try extent({name}, {extent})"
