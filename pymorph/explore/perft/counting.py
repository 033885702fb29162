"""How many sequences of actions are there? By breadth, with equal positions looked at once."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import field, replace
from functools import cache, partial
from typing import NamedTuple

from pymorph.answers import brief, frozen, json_keys
from pymorph.dynamics.asking.batch import by_actor
from pymorph.dynamics.engine import Engine, OpenScene
from pymorph.dynamics.results import left_out
from pymorph.errors import InputError, UnknownName, clipped, nearest
from pymorph.explore.execution.application import apply
from pymorph.explore.perft.perft import ActionFilter, Layer, Perft, Successors, begun
from pymorph.ruleset import sharing as sharings
from pymorph.ruleset.loader import Ruleset
from pymorph.runtime.arguments import checked
from pymorph.runtime.executor import Tasks
from pymorph.runtime.limits import late
from pymorph.state.claim import periods
from pymorph.state.names import actor, pattern_of
from pymorph.state.position import Position
from pymorph.terms import Term, text_of


@json_keys(paths={"actor": "action.actor"})
class FirstAction(NamedTuple):
    """An action, and how many sequences begin with it."""

    action: Term
    sequences: int


@json_keys(paths={"by_first": "_first_actions"})
@frozen
class Length:
    """The sequences of one *length*: how many, and how many begin with each action.

    *ended* is how many of them nothing can follow; *positions* is how many different positions they
    reach. Each is None if it was not counted.
    """

    length: int
    sequences: int
    by_first: tuple[tuple[Term, int], ...]
    ended: int | None = None
    positions: int | None = None

    @property
    def _first_actions(self) -> tuple[FirstAction, ...]:
        return tuple(FirstAction(*pair) for pair in self.by_first)


@json_keys(
    also=["complete"],
    paths={"left_out": "_left_out"},
    spread=["ruleset.edition"],
    or_null=["until"],
)
@frozen
class Count:
    """How many sequences of actions there are of each length, up to a *depth*.

    *of*, *without* and *until* say which actions were followed. *final* means that no sequence is
    longer. *positions*, if you asked for it, is the number of different positions that they reach,
    the first one included. *why_not* says why the rules were not *compiled*. Both depend on what is
    kept from earlier questions, so comparing counts ignores them.
    """

    ruleset: Ruleset
    depth: int
    of: tuple[str, ...]
    without: tuple[str, ...]
    until: str
    lengths: tuple[Length, ...] = ()
    final: bool = False
    positions: int | None = None
    compiled: bool = field(default=False, compare=False)
    why_not: str = field(default="", compare=False)

    @property
    def complete(self) -> bool:
        """Was every length counted?"""
        return self.final or len(self.lengths) == self.depth

    @property
    def sequences(self) -> tuple[int, ...]:
        """How many there are of each length, from 1."""
        return tuple(each.sequences for each in self.lengths)

    @property
    def _left_out(self) -> tuple[str, ...]:
        """What counting leaves out of the rules."""
        return left_out(self.ruleset)


OnCount = Callable[[Count, int, int], None]


@brief
class Counting(NamedTuple):
    """What is to be counted: an answer without any length, the first position, what is followed."""

    answer: Count
    start: Position
    actions: ActionFilter


@checked
def count(
    position: Position,
    depth: int,
    *,
    of: Sequence[str] = (),
    without: Sequence[str] = (),
    until: str = "",
    positions: bool = False,
    jobs: int = 1,
    scheduler: str = "",
    told: OnCount | None = None,
) -> Count:
    """Count the sequences of actions from *position*, of each length up to *depth*.

    An action is one that `legal_actions` lists, with what follows of itself: what a roll may bring
    counts, steps without choice do not, and neither does what is never listed, or hangs on
    something hidden. With *of*, only actions of these actors are followed; *without* names forms
    of actions that are not, in which arguments may be left out; an action that ends a period
    *until* is the last one.

    With *positions*, different positions are counted as well. *jobs* processes share the work, or
    those of the cluster whose *scheduler* has this address. *told* is given what was counted so
    far, and how many of how many positions were looked at for the next length.
    Raises: UnknownName or InputError, if a name or a number cannot be used.

    >>> import pymorph
    >>> start = pymorph.Position.load("examples/rulesets/tictactoe/positions/start.yaml")
    >>> [length.sequences for length in pymorph.count(start, 3).lengths]
    [9, 72, 504]
    """
    asked = begin(position, depth, of, without, until)
    return carry_out(asked, positions, jobs, scheduler, None, told)


def begin(
    position: Position, depth: int, of: Sequence[str], without: Sequence[str], until: str
) -> Counting:
    """What is to be counted. Raises: UnknownName or InputError, if something cannot be used."""
    of = tuple(actor(position, name) for name in of)
    ending = periods(position.ruleset)
    if until and until not in ending:
        hint = nearest(until, ending) if ending else "; no rule of the game ends one"
        raise UnknownName(f"unknown period {clipped(until)}{hint}")
    patterns = [pattern_of(position, text) for text in without]
    if depth < 1:
        raise InputError("the depth must be 1 or more")
    answer = Count(position.ruleset, depth, of, tuple(map(text_of, patterns)), until)
    actions = ActionFilter(frozenset(of), tuple(map(str, patterns)), until)
    return Counting(answer, apply(position).position.with_history(None), actions)


def carry_out(
    asked: Counting,
    positions: bool = False,
    jobs: int = 1,
    scheduler: str = "",
    seconds: float | None = None,
    told: OnCount | None = None,
    opened: OpenScene | None = None,
) -> Count:
    """The same, of what was asked before, within so many *seconds*.

    Several processes are started where there is work for them: positions one by one, if the rules
    cannot be compiled, or else a last length that takes its time. What is *opened* are the compiled
    rules, if they serve several readings.

    Raises: OutOfTime; InputError, if there is no such scheduler.
    """
    from multiprocessing import current_process

    if jobs < 1:
        raise InputError("the number of processes must be 1 or more")
    answer, start, actions = asked
    end = None if seconds is None else time.monotonic() + seconds

    def tell(so_far: Count, looked: int, waiting: int) -> None:
        if told:
            told(so_far, looked, waiting)
        if end is not None and time.monotonic() > end:
            raise late(seconds or 0.0)

    with ExitStack() as stack:

        @cache
        def workers() -> Tasks:
            return stack.enter_context(sharings.executor(jobs, scheduler, begun, (successors,)))

        engine = Engine(start, opened)
        successors = Successors(engine, actions, positions)
        alone = jobs == 1 or current_process().daemon  # which may start no others
        if scheduler:
            workers()  # that there is no such scheduler is told at once
        perft = Perft(start, successors, workers if scheduler or not alone else None, end)
        return _count(answer, engine, perft, positions, tell)


def _count(answer: Count, engine: Engine, perft: Perft, positions: bool, told: OnCount) -> Count:
    """The counts, length by length."""
    while perft.size and not answer.complete:
        left = answer.depth - len(answer.lengths)
        if answer.lengths:
            engine.choose(perft.size, left)
        left = 0 if positions else left

        def report(looked: int, so_far: Count = answer, waiting: int = perft.size) -> None:
            told(so_far, looked, waiting)

        report(0)
        layer = engine.run(partial(perft.step, left, report))
        answer = replace(answer, compiled=engine.compiled, why_not=engine.why_not)
        answer = _with_length(answer, layer)
        if positions:
            answer = replace(answer, positions=perft.positions)
        if not layer.sequences or not (perft.size or left == 1):
            lengths = answer.lengths
            if lengths and lengths[-1].ended is None:  # nothing follows the longest ones
                lengths = (*lengths[:-1], replace(lengths[-1], ended=layer.closed))
            answer = replace(answer, lengths=lengths, final=True)
    return answer


def _with_length(answer: Count, layer: Layer) -> Count:
    """The answer with the counts of the next length, if there are any."""
    lengths = list(answer.lengths)
    if lengths:
        lengths[-1] = replace(lengths[-1], ended=layer.ended)
    if layer.sequences:
        pairs = ((Term(action), number) for action, number in layer.sequences.items())
        first = tuple(sorted(pairs, key=lambda pair: by_actor(pair[0])))
        number = sum(layer.sequences.values())
        lengths.append(Length(len(lengths) + 1, number, first, None, layer.reached))
    return replace(answer, lengths=tuple(lengths))
