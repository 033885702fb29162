"""How often a position stood before in its game: counted by all its fluents but clocks."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b

from clingo import parse_term

from pymorph.dynamics.asking.batch import ask, facts_of
from pymorph.errors import RulesetError
from pymorph.state.position import History, Position

Pairs = tuple[tuple[str, str], ...]


def begun(position: Position) -> Position:
    """A position as the first of its game; as it is, if no rule asks for what came before.

    Raises: RulesetError, if what is due by itself hangs on that.
    """
    if not position.ruleset.reads_history or position.history is not None:
        return position
    if position.ruleset.due_by_history:
        told = "forced steps cannot depend on occurred(N, S); to end the game by it, use over(S, R)"
        raise RulesetError(told)
    return position.with_history(History((_known_by(position),), 0))


def followed(before: Position, after: Position) -> Position:
    """The position *after* another one, as the next of the same game.

    Raises: RulesetError, if the rules that tell which fluents count do not ground.
    """
    past = before.history
    if past is None or after.history is not None:
        return after
    whole, sometimes = _known_by(after)
    like = [pairs for known, pairs in past.stood if known == whole]
    others = {pairs for pairs in like if pairs != sometimes}
    same = _alike(after, sometimes, others) if others else {sometimes}
    stood = (*past.stood, (whole, sometimes))
    return after.with_history(History(stood, sum(pairs in same for pairs in like)))


def _known_by(position: Position) -> tuple[bytes, Pairs]:
    """What always tells a position from others, and the fluents that do in some positions."""
    words = position.ruleset.vocabulary
    partly = position.ruleset.sometimes_clocks
    always: list[tuple[str, str]] = []
    sometimes: list[tuple[str, str]] = []
    for fluent, value in position.items:
        if fluent.name not in words.clocks:
            (sometimes if fluent.name in partly else always).append((str(fluent), str(value)))
    told = repr((sorted(always), list(map(str, position.unfinished))))
    return blake2b(told.encode(), digest_size=16).digest(), tuple(sorted(sometimes))


def _alike(position: Position, own: Pairs, others: Iterable[Pairs]) -> set[Pairs]:
    """Those of *others*, values of fluents that do not always count, with which *position* is the
    same as with its *own*."""
    rows = [own, *others]
    none = {parse_term(fluent): position.default(parse_term(fluent)) for fluent, _ in own}
    changes = [none | {parse_term(f): parse_term(value) for f, value in row} for row in rows]
    positions = list(map(position.with_changes, changes))
    atoms = ask("history", position, facts_of(positions, range(len(rows))))["clock"]
    gone = {(atom.arguments[1].number, str(atom.arguments[0])) for atom in atoms}
    counted = [{pair for pair in row if (n, pair[0]) not in gone} for n, row in enumerate(rows)]
    return {row for row, pairs in zip(rows, counted, strict=True) if pairs == counted[0]}
