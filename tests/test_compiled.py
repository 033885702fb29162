"""Compiled rules say what grounding says, of each position that random play comes to."""

import json
import random
from pathlib import Path

import numpy as np
import pytest
from clingo import Control

from pymorph.asp.bitslice.bit_program import BitProgram, no_less, total
from pymorph.asp.bitslice.evaluation_order import Operations, in_order
from pymorph.asp.bitslice.ground_program import Uncompiled, ground
from pymorph.dynamics.bits import compiled as scenes
from pymorph.dynamics.bits.compiled import CompiledScene, NotKept
from pymorph.dynamics.bits.planes import (
    lessen,
    numbers_of,
    octets_of,
    of_numbers,
    planes_of,
    replaced,
    spread,
    where,
)
from pymorph.dynamics.transitions import NodeExpander
from pymorph.explore.perft.counting import count
from pymorph.ruleset.cache import store
from pymorph.state.position import Position
from tests.agreement import Tally, batched, compare, compiled
from tests.conftest import start_of
from tests.dice import WITHOUT_TIES, write_stall
from tests.tables import sampled, tables, with_campaign

SMALL = ("tictactoe", "connect_four", "othello", "breakthrough")
LARGE = ("draughts", "nine_mens_morris")  # which take seconds to compile
MOST = 600_000  # ground rules; of draughts there are more than are compiled in play


def played(start: Position, rng: random.Random, most: int) -> list[Position]:
    """Positions of random games from a start, so many of them."""
    found = [start]
    while len(found) < most:
        position = start
        for _ in range(rng.randrange(1, 60)):
            (legs,) = NodeExpander(start.ruleset).expand([position])
            if not legs:
                break
            position = legs[rng.choice(sorted(legs))].position
            found.append(position)
    return found[:most]


def require_agreement(scene: CompiledScene, positions: list[Position]) -> None:
    tally = Tally()
    compare(scene, dict(zip(positions, batched(positions), strict=True)), 0, tally)
    assert (tally.errors, tally.refused) == (0, 0)


@with_campaign("most", [40], [1000])
@sampled("game", SMALL + LARGE, SMALL)
def test_successors(game: str, most: int) -> None:
    start = start_of(game)
    positions = played(start, random.Random(most), most)
    require_agreement(CompiledScene(start, most=MOST), positions)


@with_campaign("most", [60], [2000])
def test_rolls_macros_and_steps_without_choice(tmp_path: Path, most: int) -> None:
    start = Position.load(write_stall(tmp_path / "stall", WITHOUT_TIES) / "positions/start.yaml")
    positions = played(start, random.Random(3), most)
    scene = CompiledScene(start)
    assert any(action.unfolds for action in scene.actions.values())
    assert any(action.due for action in scene.actions.values())
    require_agreement(scene, positions)


# The operations themselves


PROGRAM = tables(__name__)["program"]


NOTED = [(name, 0) for name in ("a", "b", "c", "many", "all", "either")]
NOTED += [(name, 1) for name in ("e", "reached", "weighed")]


@pytest.mark.parametrize("atoms", [["many"], ["weighed", "all", "either", "reached"]])
def test_operations(atoms: list[str]) -> None:
    """Each answer set of the choices is what one bit says."""
    program = ground(PROGRAM, [], None, NOTED)
    free = {
        a: s for a, s in program.symbols.items() if str(s).split("(")[0] in ("a", "b", "c", "e")
    }
    wanted = {a: s for a, s in program.symbols.items() if s.name in atoms}
    shown = set(wanted.values())
    operations = in_order(program, wanted, free)
    bits = BitProgram(Operations.of(json.loads(json.dumps(operations.json()))))
    number = 1 << len(free)
    given = {a: sum(1 << k for k in range(number) if k >> n & 1) for n, a in enumerate(free)}
    v = bits.run(given, (1 << number) - 1)
    for k in range(number):
        told = "".join(f"{s}. " for n, s in enumerate(free.values()) if k >> n & 1)
        control = Control(["--warn=none"])
        control.add("base", [], told + PROGRAM.replace("{ a; b; c; e(1..4) }.", ""))
        control.ground([("base", [])])
        expected = {str(atom.symbol) for atom in control.symbolic_atoms}
        assert {str(s) for a, s in operations.symbols if s in shown and v[a] >> k & 1} == {
            name for name in expected if name.split("(")[0] in atoms
        }


def test_what_goes_round_through_not_is_refused() -> None:
    program = ground("{ x }. p :- not q, x. q :- not p.", [], None, [("p", 0), ("x", 0)])
    atoms = {str(s): a for a, s in program.symbols.items()}
    with pytest.raises(Uncompiled, match="a rule depends on a circle through 'not'"):
        in_order(program, [atoms["p"]], [atoms["x"]])


def test_too_large_a_program_is_given_up() -> None:
    with pytest.raises(Uncompiled, match="more than 1000 ground rules, most of them for"):
        ground("{ p(1..300) }. q(X, Y) :- p(X), p(Y).", [], None, [], 1000)


def test_sums() -> None:
    every = 0b1111
    planes = total([(1, 0b0011), (2, 0b0101), (5, 0b1001)])
    assert [sum((p >> k & 1) << n for n, p in enumerate(planes)) for k in range(4)] == [8, 1, 2, 5]
    assert [no_less(planes, n, every) for n in (0, 1, 2, 3, 5, 6, 8, 9)] == [
        0b1111, 0b1111, 0b1101, 0b1001, 0b1001, 0b0001, 0b0001, 0,
    ]  # fmt: skip


# Numbers as planes of bits


@pytest.mark.parametrize("number", [1, 8, 13, 200])
@pytest.mark.parametrize("width", [0, 1, 3, 9])
def test_planes(width: int, number: int) -> None:
    rng = random.Random(width)
    planes = [rng.getrandbits(number) for _ in range(width)]
    numbers = [sum((p >> k & 1) << n for n, p in enumerate(planes)) for k in range(number)]
    assert numbers_of(planes, number).tolist() == numbers
    assert of_numbers(np.array(numbers), width) == planes
    assert planes_of(octets_of(planes, number), width) == planes
    for value, bits in enumerate(spread(planes, (1 << number) - 1)):
        assert where(bits, number).tolist() == [each == value for each in numbers]


@pytest.mark.parametrize("amount", [1, 5, 6])
def test_taking_an_amount_off(amount: int) -> None:
    planes, every = of_numbers(np.arange(8), 3), 0b11111111
    bits = every ^ 0b100
    below = lessen(planes, amount, bits)
    expected = [each if each == 2 else each - amount for each in range(8)]
    assert numbers_of(planes, 8).tolist() == [each % 8 for each in expected]
    assert where(below, 8).tolist() == [each < 0 for each in expected]


def test_replacing_numbers() -> None:
    planes = of_numbers(np.arange(8), 3)
    assert numbers_of(replaced(planes, {0: 0b10000000, 6: 0b110}), 8).tolist() == [
        0, 6, 6, 3, 4, 5, 6, 0,
    ]  # fmt: skip
    with pytest.raises(Uncompiled, match="two values"):
        replaced(planes, {1: 0b11, 2: 0b10})


# What is kept


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PYMORPH_CACHE", str(tmp_path))
    return tmp_path / "operations"


def test_operations_are_kept(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is kept says the same; an entry that somebody else wrote, or spoilt, is made anew."""
    start = start_of("tictactoe")
    with pytest.raises(NotKept):
        CompiledScene(start, kept=True)
    expected = compiled(CompiledScene(start), [start])
    assert compiled(CompiledScene(start, kept=True), [start]) == expected
    counted = count(start, 3)
    assert (counted.compiled, counted.why_not) == (True, "")
    (entry,) = cache.glob("*.json")
    whole = entry.read_text()
    for spoilt in (whole[:-1], "", whole.replace("3", "4", 1)):
        entry.write_text(spoilt)
        assert compiled(CompiledScene(start), [start]) == expected
        assert entry.read_text() == whole
    monkeypatch.setattr(store, "LIMITS", store.LIMITS._replace(entries=1))
    CompiledScene(start_of("connect_four"))
    assert len(list(cache.glob("*.json"))) == 1
    assert entry not in cache.glob("*.json")


def test_only_numbers_become_text() -> None:
    program = ground("{ x }. p :- x.", [], None, [("p", 0), ("x", 0)])
    told = json.loads(json.dumps(in_order(program, program.symbols, []).json()))
    told[2] = ["0] = print('code') #"]
    with pytest.raises(ValueError, match="not operations"):
        Operations.of(told)


def test_what_prevents_it_has_its_place(cache: Path) -> None:
    with pytest.raises(Uncompiled, match=r"the fluent number has too many values \(.*:\d+:\d+\)"):
        CompiledScene(start_of("chess"))


def test_values_that_cannot_be_listed_are_refused_at_once() -> None:
    """A point of the table, or a list of more than so many, is none of a few values."""
    told = r"the fluent at takes any spot, and those cannot be listed \(.*game\.lp:\d+:\d+\)"
    with pytest.raises(Uncompiled, match=told):
        CompiledScene(start_of("standoff"))


def test_a_refusal_is_kept(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    start = start_of("tictactoe")
    with monkeypatch.context() as patched:
        patched.setattr(scenes, "ground", lambda *given: ground(*given[:-1], 50))
        with pytest.raises(Uncompiled, match=r"more than 50 ground rules, most of them for") as one:
            CompiledScene(start)
    with pytest.raises(Uncompiled) as other:
        CompiledScene(start)
    assert str(one.value) == str(other.value)
