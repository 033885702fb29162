"""How many sequences of actions are there? By breadth, with equal positions looked at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from clingo import Symbol

from pymorph.counts import Count, Length
from pymorph.errors import Fault, InputError, UnknownName, clipped, nearest
from pymorph.position import Position
from pymorph.queries.asking import by_actor
from pymorph.queries.changing import apply
from pymorph.queries.legality import actors
from pymorph.queries.naming import pattern_of
from pymorph.queries.planning import periods
from pymorph.queries.stepping import Chosen, Stepper
from pymorph.terms import Term, text_of

Shares = dict[Symbol, int]  # how many sequences, by the action that they begin with
Told = Callable[[Count, int, int], None]


def count(
    position: Position,
    depth: int,
    *,
    of: Sequence[str] = (),
    without: Sequence[str] = (),
    until: str = "",
    positions: bool = False,
    jobs: int = 1,
    told: Told | None = None,
) -> Count:
    """How many sequences of actions there are from *position*, of each length up to *depth*.

    An action is one that `legal_actions` lists, with what follows of itself: what a roll may bring
    counts, steps without choice do not, and neither does what is never listed, or hangs on
    something hidden. With *of*, only actions of these actors are followed; *without* names forms
    of actions that are not, in which arguments may be left out; an action that ends a period
    *until* is the last one.

    With *positions*, different positions are counted as well. *jobs* processes share the work.
    *told* is given what was counted so far, and how many of how many positions were looked at for
    the next length.
    Raises: UnknownName or InputError, if a name or a number cannot be used.
    """
    chosen = _chosen(position, of, without, until)
    if depth < 1 or jobs < 1:
        raise InputError(Fault("a depth, and a number of processes, is 1 or more"))
    forms = tuple(map(text_of, chosen.without))
    answer = Count(position.ruleset, depth, tuple(of), forms, until)
    start = apply(position).position
    with Stepper(start.ruleset, chosen, jobs) as stepper:
        return _counted(answer, start, stepper, positions, told or (lambda *_: None))


def _chosen(position: Position, of: Sequence[str], without: Sequence[str], until: str) -> Chosen:
    """Which actions are followed. Raises: UnknownName, if a name is unknown."""
    known = actors(position)
    for name in of:
        if name not in known:
            raise UnknownName(Fault(f"unknown actor {clipped(name)}{nearest(name, known)}"))
    ending = periods(position.ruleset)
    if until and until not in ending:
        hint = nearest(until, ending) if ending else "; no rule of the game ends one"
        raise UnknownName(Fault(f"unknown period {clipped(until)}{hint}"))
    patterns = tuple(pattern_of(position, text) for text in without)
    return Chosen(frozenset(of), patterns, until)


def _counted(
    answer: Count, start: Position, stepper: Stepper, positions: bool, told: Told
) -> Count:
    """What is counted, length by length."""
    layer: dict[Position, Shares] = {start: {}}
    closed, seen = 0, {start}
    while layer and not answer.complete:
        bare = not positions and len(answer.lengths) + 1 == answer.depth
        found: Shares = {}
        following: dict[Position, Shares] = {}
        ended, closed = closed, 0
        reached: set[Position] = set()
        looked = 0
        told(answer, looked, len(layer))
        for rows in stepper.steps(list(layer), bare):
            for before, steps in rows:
                shares = layer[before]
                ended += 0 if steps else sum(shares.values())
                for action, after, last in steps:
                    more = shares or {action: 1}
                    _add(found, more)
                    if after is None:
                        continue
                    reached.add(after)
                    if last:
                        closed += sum(more.values())
                    else:
                        _add(following.setdefault(after, {}), more)
            looked += len(rows)
            told(answer, looked, len(layer))
        answer = _longer(answer, ended, found, len(reached) if positions else None)
        if positions:
            seen |= reached
            answer = replace(answer, positions=len(seen))
        if not found or not (bare or following):
            answer = _final(answer, closed)
        layer = following
    return answer


def _add(shares: Shares, more: Mapping[Symbol, int]) -> None:
    for action, number in more.items():
        shares[action] = shares.get(action, 0) + number


def _longer(answer: Count, ended: int, found: Shares, positions: int | None) -> Count:
    """What was counted, with those of the next length, if there are any; *ended* are those of the
    last one that nothing can follow."""
    lengths = list(answer.lengths)
    if lengths:
        lengths[-1] = replace(lengths[-1], ended=ended)
    if found:
        first = sorted(((Term(a), n) for a, n in found.items()), key=lambda row: by_actor(row[0]))
        row = Length(len(lengths) + 1, sum(found.values()), tuple(first), None, positions)
        lengths.append(row)
    return replace(answer, lengths=tuple(lengths))


def _final(answer: Count, closed: int) -> Count:
    """There are no longer ones: of the last length, all have ended."""
    lengths = answer.lengths
    if lengths and lengths[-1].ended is None:
        lengths = (*lengths[:-1], replace(lengths[-1], ended=closed))
    return replace(answer, lengths=lengths, final=True)
