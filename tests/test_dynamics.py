"""Both dynamics of a table say the same as the other questions."""

import random

import pytest

import pymorph
from pymorph import Position
from pymorph.dynamics.bitsliced import BitSliced
from pymorph.dynamics.grounded import Grounded
from pymorph.dynamics.protocol import Dynamics, Follow
from tests.agreement import successors_by
from tests.conftest import ROOT, start_of
from tests.tables import with_campaign

RULESETS = ROOT / "examples" / "rulesets"


def a_game(start: Position, seed: int, most: int) -> list[Position]:
    """The positions of a game in which all play at random."""
    source, positions = random.Random(seed), [start]
    while len(positions) < most:
        [after] = pymorph.successors_of(positions[-1:])
        if not after:
            break
        positions.append(source.choice(after)[1])
    return positions


@with_campaign(
    "game, most",
    [("tictactoe", 10), ("connect_four", 12)],
    [("breakthrough", 40), ("othello", 60), ("nine_mens_morris", 80)],
)
def test_successors(game: str, most: int) -> None:
    start = start_of(game)
    positions = a_game(start, 1, most)
    compiled, grounded = pymorph.dynamics_of(start), pymorph.dynamics_of(start, bit_sliced=False)
    assert (type(compiled), type(grounded)) == (BitSliced, Grounded)
    expected = pymorph.successors_of(positions)
    assert successors_by(compiled, positions) == successors_by(grounded, positions) == expected
    assert successors_by(compiled, []) == successors_by(grounded, []) == ()


def test_rows_fluents_events_and_endings() -> None:
    """All that the interface says of a game of tic-tac-toe is the same on both."""
    start = start_of("tictactoe")
    positions = a_game(start, 3, 10)
    both = pymorph.dynamics_of(start), pymorph.dynamics_of(start, bit_sliced=False)
    compiled, grounded = (_answers(dynamics, positions) for dynamics in both)
    assert compiled == grounded
    assert compiled["over"] or compiled["drawn"]


def _answers(dynamics: Dynamics, positions: list[Position]) -> dict[str, object]:
    rows = dynamics.encode(positions)
    assert dynamics.decode(dynamics.unpack(dynamics.pack(rows))) == positions
    states = dynamics.states(rows)
    moves, symbols = states.legal(Follow.ONE), dynamics.actions.symbols
    fluents = sorted({fluent for position in positions for fluent in position.fluents})
    values = dynamics.values.symbols
    answers: dict[str, object] = {
        str(fluent): {
            str(values[value]): bits
            for value, bits in states.values(dynamics.fluents.number(fluent))
        }
        for fluent in fluents
    }
    for action, bits in moves.legal:
        step = moves.step([(action, bits)])
        names = dynamics.events.symbols
        events = {str(names[event]): here for event, here in step.events().items()}
        answers[str(symbols[action])] = bits, events, {rule for rule, _ in step.rules()}
    endings = moves.endings()
    answers["over"] = {rule: bits for rule, bits in endings.over if bits}
    answers["wins"] = {player: bits for player, bits in endings.wins if bits}
    answers["drawn"], answers["open"], answers["rolling"] = endings.drawn, moves.open, moves.rolling
    return answers


def test_states_under_several_readings() -> None:
    start = start_of("nine_mens_morris")
    options = start.ruleset.options
    readings = [{question: option} for question in options for option in options[question]]
    positions = [start.with_rulings(choices) for choices in readings]
    positions += [after for row in pymorph.successors_of(positions) for _, after in row[:3]]
    expected = pymorph.successors_of(positions)
    for bit_sliced in (True, False):
        dynamics = pymorph.dynamics_of(start, bit_sliced=bit_sliced)
        assert successors_by(dynamics, positions) == expected


def test_what_cannot_be_compiled_is_grounded() -> None:
    start = start_of("chess")
    dynamics = pymorph.dynamics_of(start)
    assert isinstance(dynamics, Grounded)
    assert successors_by(dynamics, [start]) == pymorph.successors_of([start])


def test_a_position_of_another_table() -> None:
    with pytest.raises(pymorph.PymorphError, match="not in its sort"):
        pymorph.dynamics_of(start_of("tictactoe")).encode([start_of("connect_four")])
