"""What three evaluators say of positions: one by one, in batches, and by compiled rules."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple
from unittest.mock import patch

import numpy as np
from clingo import Symbol

from pymorph.asp.bitslice.ground_program import Uncompiled
from pymorph.dynamics.asking.batch import by_actor
from pymorph.dynamics.bits.compiled import CompiledScene
from pymorph.dynamics.bits.planes import Matrix
from pymorph.dynamics.bitsliced import BitMoves, BitSliced
from pymorph.dynamics.carrying import Trajectory
from pymorph.dynamics.protocol import Dynamics, Placed, batches, numbers_in
from pymorph.dynamics.results import Legality, Roll
from pymorph.dynamics.transitions import NodeExpander, successors_of
from pymorph.errors import RulesetError
from pymorph.explore.execution.application import apply
from pymorph.explore.perft.counting import count
from pymorph.explore.sampling.odds import odds
from pymorph.questions.legality import legal, legal_actions, legal_of
from pymorph.state.claim import periods
from pymorph.state.position import Position
from pymorph.terms import Term

MOST_ROLLS = 10  # in a row
Events = tuple[tuple[str, int], ...]  # each with the number of the steps that bring it about


class Told(NamedTuple):
    """What comes of one action: where it leads, what it brings about, the periods that it ends."""

    position: Position
    events: Events
    ended: frozenset[str]


class Answer(NamedTuple):
    """What is said of one position: each legal action, the odds of the first roll, and the rules
    by which the game is over."""

    actions: dict[str, Told]
    odds: dict[str, Fraction]
    over: tuple[str, ...]


Said = Answer | None  # nothing, where it is an error


# -- in batches ------------------------------------------------------------------------------------


def batched(positions: Sequence[Position]) -> list[Said]:
    """What is said in batches; where that is an error, it is asked again of each alone."""
    try:
        legs = NodeExpander(positions[0].ruleset).expand(positions)
        rows = legal_of(positions)
    except RulesetError:
        if len(positions) == 1:
            return [None]
        return [said for position in positions for said in batched([position])]
    return [_of_legs(*pair) for pair in zip(legs, rows, strict=True)]


def _of_legs(legs: dict[Symbol, Trajectory], row: Legality) -> Answer:
    assert {str(action) for action in row.actions} == {str(Term(action)) for action in legs}
    actions = {
        str(Term(action)): Told(leg.after, _events_of(leg), frozenset(leg.ended))
        for action, leg in legs.items()
    }
    return Answer(actions, _odds_of(row.rolls), row.over)


def _events_of(leg: Trajectory) -> Events:
    steps = [{event.event for event in link.events} for link in leg.links]
    return _sorted(Counter(str(event) for step in steps for event in step))


def _sorted(events: Counter[str]) -> Events:
    return tuple(sorted(events.items()))


def _odds_of(rolls: Sequence[Roll]) -> dict[str, Fraction]:
    return {str(outcome): share for outcome, share in rolls[0].outcomes} if rolls else {}


def explored(start: Position, most: int) -> dict[Position, Said]:
    """Positions that play comes to from a start, by breadth, and what is said of them."""
    found: dict[Position, Said] = {}
    layer = [start]
    while layer:
        found |= zip(layer, batched(layer), strict=True)
        beyond = dict.fromkeys(
            told.position
            for position in layer
            if (said := found[position])
            for told in said.actions.values()
        )
        layer = [position for position in beyond if position not in found][: most - len(found)]
    return found


# -- one by one ------------------------------------------------------------------------------------


def single(position: Position, said: Answer) -> int:
    """Compare with what is said of one position alone, and of its actions, one by one: how many.

    Where a step without choice is due, `apply` has made it before it looks at any action, and fails
    where that cannot be.
    """
    row = legal(position)
    assert {str(action) for action in row.actions} == said.actions.keys()
    assert _odds_of(row.rolls) == said.odds
    assert row.over == said.over
    try:
        if apply(position).steps:
            return 0
    except RulesetError:
        return 0
    for action, told in said.actions.items():
        given = () if action not in said.odds else (action,)
        try:
            outcome = apply(position, *(() if given else (action,)), given=given)
        except RulesetError:  # it looks at the rolls that are due then, which come after the action
            assert batched([told.position]) == [None]
            continue
        events = Counter(
            str(event) for step in outcome.steps for event in {e.event for e in step.events}
        )
        assert (outcome.position, _sorted(events)) == (told.position, told.events), action
    return len(said.actions)


def counted_by_apply(start: Position, depth: int) -> list[int]:
    """How many sequences of each length there are, up to a depth, by `legal` and `apply` alone."""
    found: list[int] = []
    layer = Counter({apply(start).position: 1})
    for _ in range(depth):
        following: Counter[Position] = Counter()
        for position, number in layer.items():
            for action in legal_actions(position):
                following[apply(position, action).position] += number
        if not following:
            break
        found.append(following.total())
        layer = following
    return found


def odds_by_successors(position: Position, action: Term) -> dict[Position, Fraction] | None:
    """What may come of an action, by `successors_of` from roll to roll; nothing, if there are more
    rolls in a row than a few."""
    found: dict[Position, Fraction] = defaultdict(Fraction)
    layer = {dict(successors_of([position])[0])[action]: Fraction(1)}
    for _ in range(MOST_ROLLS):
        going: dict[Position, Fraction] = defaultdict(Fraction)
        for before, share in layer.items():
            due = legal(before).rolls
            if not due:
                found[before] += share
                continue
            after = dict(successors_of([before])[0])
            for outcome, part in due[0].outcomes:
                going[after[outcome]] += share * part
        if not going:
            return dict(found)
        layer = dict(going)
    return None


def same_odds(position: Position) -> int:
    """Hold `odds` of each action against the successors from roll to roll: of how many actions."""
    compared = 0
    for action in () if legal(position).rolls else legal_actions(position):
        by_successors = odds_by_successors(position, action)
        if by_successors is not None:
            shares: dict[Position, Fraction] = defaultdict(Fraction)
            for branch in odds(position, action).branches:
                shares[branch.position] += branch.probability
            assert shares == by_successors, action
            compared += 1
    return compared


# -- compiled --------------------------------------------------------------------------------------


def compiled(scene: CompiledScene, positions: Sequence[Position]) -> list[Said]:
    """The same by compiled rules; nothing, where they give up."""
    try:
        dynamics = BitSliced(scene)
        return _of_rows(dynamics, dynamics.encode(positions))
    except Uncompiled:
        if len(positions) == 1:
            return [None]
        return [said for position in positions for said in compiled(scene, [position])]


def _of_rows(dynamics: BitSliced, rows: Matrix) -> list[Answer]:
    moves, symbols = dynamics.states(rows).legal(), dynamics.actions.symbols
    answers: list[dict[str, Told]] = [{} for _ in rows]
    for action, bits in moves.legal:
        for column, told in _taken(dynamics, moves, [(action, bits)]).items():
            answers[column][str(Term(symbols[action]))] = told
    _require_mixed(dynamics, moves, answers)
    over = sorted(moves.endings().over)
    return [
        Answer(
            row,
            _odds_at(dynamics, moves, column),
            tuple(rule for rule, bits in over if bits >> column & 1),
        )
        for column, row in enumerate(answers)
    ]


def _taken(dynamics: BitSliced, moves: BitMoves, chosen: Placed) -> dict[int, Told]:
    """What comes of actions, each where it is chosen, by the number of the position."""
    step = moves.step(chosen)
    heard: dict[int, Counter[str]] = defaultdict(Counter)
    for single in step._taken:
        for action, here in single.chosen:
            for event, literals in action.happens.items():
                for column in _columns(single.truth.any_of(literals) & here):
                    heard[column][str(Term(event))] += 1
    symbols = dynamics.events.symbols
    for event, bits in step.events().items():
        name = str(Term(symbols[event]))
        assert _columns(bits) == sorted(n for n, events in heard.items() if events[name])
    periods_ended = {p: step.ended(p) for p in periods(dynamics.scene.start.ruleset)}
    columns = [column for _, bits in chosen for column in _columns(bits)]
    rows = step.rows(np.array(columns, np.int64))
    assert (step.after.rows[columns] == rows).all()
    return {
        column: Told(
            position,
            _sorted(heard[column]),
            frozenset(period for period, bits in periods_ended.items() if bits >> column & 1),
        )
        for column, position in zip(columns, dynamics.decode(rows), strict=True)
    }


def _columns(bits: int) -> list[int]:
    return [column for column in range(bits.bit_length()) if bits >> column & 1]


def _require_mixed(
    dynamics: BitSliced, moves: BitMoves, answers: Sequence[dict[str, Told]]
) -> None:
    """Other actions in each position at once, as random games take them, come to the same."""
    chosen: Counter[int] = Counter()
    wanted = {}
    for column, row in enumerate(answers):
        able = [action for action, bits in moves.legal if bits >> column & 1]
        if able:
            action = able[column % len(able)]
            wanted[column] = row[str(Term(dynamics.actions.symbols[action]))]
            chosen[action] |= 1 << column
    if chosen:
        assert _taken(dynamics, moves, list(chosen.items())) == wanted


def _odds_at(dynamics: BitSliced, moves: BitMoves, column: int) -> dict[str, Fraction]:
    odds = {
        str(Term(dynamics.actions.symbols[action])): share
        for node in moves.rolls()
        for action, share, bits in node.outcomes
        if bits >> column & 1
    }
    assert bool(odds) == bool(moves.rolling >> column & 1)
    return odds


def successors_by(
    dynamics: Dynamics, positions: Sequence[Position]
) -> tuple[tuple[tuple[Term, Position], ...], ...]:
    """What `successors_of` says of some positions, by dynamics."""
    pairs: list[list[tuple[Term, Position]]] = [[] for _ in positions]
    for first, states in batches(dynamics.states, dynamics.encode(positions), 100):
        moves = states.legal()
        for (action, bits), step in zip(moves.legal, moves.steps(moves.legal), strict=True):
            numbers, term = numbers_in(bits, len(states)), Term(dynamics.actions.symbols[action])
            for n, after in zip(numbers, dynamics.decode(step.rows(numbers)), strict=True):
                pairs[first + n].append((term, after))
    return tuple(tuple(sorted(row, key=lambda pair: by_actor(pair[0]))) for row in pairs)


# -- all together ----------------------------------------------------------------------------------


@dataclass(slots=True)
class Tally:
    """How much was compared."""

    positions: int = 0
    actions: int = 0
    errors: int = 0
    eager: int = 0
    refused: int = 0
    counts: int = 0
    interrupted: int = 0
    odds: int = 0


def compare(scene: CompiledScene, answers: dict[Position, Said], alone: int, tally: Tally) -> None:
    """Hold what compiled rules say, and what is said of so many alone, against the *answers*."""
    found = compiled(scene, list(answers))
    for (position, said), other in zip(answers.items(), found, strict=True):
        tally.positions += 1
        if said is None:
            tally.errors += 1
            if other is not None:  # the fault is of an action that nobody takes on the way
                tally.eager += 1
                single(position, other)
        elif other is None:
            tally.refused += 1
        else:
            tally.actions += len(said.actions)
            assert other == said
    interrupted = [position for position in answers if position.unfinished]
    tally.interrupted += len(interrupted)
    for position in dict.fromkeys([*answers][:alone] + interrupted[:alone]):
        said = answers[position]
        if said is not None:
            single(position, said)


def counted(start: Position, depth: int, compiling: bool) -> list[object]:
    """Counts of sequences with different positions and without, or what is wrong."""
    told: list[object] = []
    for positions in (True, False):
        worth = 2 if compiling else 1 << 60
        with (
            patch("pymorph.dynamics.engine.WORTH", worth),
            patch("pymorph.explore.perft.perft.LARGE", 1),
        ):
            try:
                found = count(start, depth, positions=positions)
                told.append((found.lengths, found.final, found.positions))
            except RulesetError as error:
                told.append(str(error))
    return told
