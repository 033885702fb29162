"""Challenges by chance, by the rules and by a simulator of its own."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from clingo import parse_term

import pymorph
from pymorph import Position
from pymorph.adjudication.query_batcher import batched
from pymorph.dynamics.asking.batch import BATCH
from pymorph.dynamics.carrying import SuccessorGenerator, Trajectory
from tests.conftest import position_of
from tests.games import RULESETS
from tests.quick_start_skirmish import simulator
from tests.quick_start_skirmish.simulator import Challenge, Side
from tests.tables import parametrized, with_campaign

ATTACKERS = {"warden": "sword", "pikeman": "dagger", "scout": "knife", "brute": "axe"}
DEFENDERS = ("grenadier", "runner", *ATTACKERS)
TOUGHNESS = {"warden": 4, "pikeman": 4, "grenadier": 3, "scout": 3, "brute": 6, "runner": 3}
MANNERS = ("basic", "focused", "quick")
BROUGHT = ("bonus", "penalty", "hand_size", "conversion", "number")
REACHED = ("score", "margin", "edges")

# A game that has nothing but contests: what each has to draw with and to add stands in the file.


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shutil.copytree(RULESETS / "bare", tmp_path_factory.mktemp("games") / "bare")


def pair(random: Random) -> tuple[dict[str, int], ...]:
    return tuple(
        {"plus": random.randint(0, 9), "minus": random.randint(0, 9), "has": random.randint(1, 30)}
        for _ in range(2)
    )


@pytest.mark.parametrize("capped_first", [False, True])
@with_campaign("number", [60], [100_000], ids=["some", "many"])
def test_hands_totals_and_edges(bare: Path, number: int, capped_first: bool) -> None:
    """G-001 to G-007 and all between them: b and p up to 9, and what comes of two totals."""
    random = Random(number)
    option = "cap_then_net" if capped_first else "net_then_cap"
    while number > 0:
        pairs = [pair(random) for _ in range(min(30, number))]
        number -= len(pairs)
        sides = {
            f"{'xy'[at]}{n}": {**side, "foe": f"{'yx'[at]}{n}"}
            for n, both in enumerate(pairs)
            for at, side in enumerate(both)
        }
        position = position_of(
            {"ruleset": str(bare), "rulings": {"netting": option}, "sides": sides}
        )
        found = pymorph.forecast(position)
        for n, both in enumerate(pairs):
            reckoned = [simulator.hand(side["plus"], side["minus"], capped_first) for side in both]
            totals = [
                side["has"] + points for side, (_, points) in zip(both, reckoned, strict=True)
            ]
            for at, (size, points) in enumerate(reckoned):
                name, margin = f"{'xy'[at]}{n}", totals[at] - totals[1 - at]
                assert found[f"hand_size({name})"] == abs(size), both
                assert found[f"conversion({name})"] == points, both
                assert (found[f"net({name})"] < 0) == (size < 0), both
                assert found[f"score({name})"] == totals[at], both
                assert found[f"margin({name})"] == margin, both
                assert found[f"edges({name})"] == simulator.edges(margin), both


@parametrized
def test_simulator_knows_the_golden_hands(plus: int, minus: int, size: int, points: int) -> None:
    assert simulator.hand(plus, minus) == (size, points)


def test_simulator_caps_first() -> None:
    assert simulator.hand(5, 1, True) == (3, 4)


def duel(random: Random) -> tuple[Position, list[str]]:
    """Two figures face to face, one of them about to be attacked, and how that is begun."""
    card = random.choice(sorted(ATTACKERS))
    foe = random.choice(DEFENDERS)
    crews = {
        name: {
            "initiative": card,
            "discards": {card: 1},
            "push": random.randint(0, 2),
            "buffs": dict(Counter(random.sample(sorted(simulator.DECK.elements())[4:38], 5))),
        }
        for name, card in (("watch", 9), ("foxes", 3))
    }
    figures: dict[str, Any] = {
        "ada": {"card": card, "crew": "watch", "at": "c2", "facing": "east"},
        "finn": {"card": foe, "crew": "foxes", "at": "d2", "facing": "west"},
    }
    figures["ada"]["ready"] = ATTACKERS[card]
    for figure in figures.values():
        figure["lost"] = {"hits": random.randint(0, TOUGHNESS[figure["card"]] - 1)}
    board = "\n".join([" ".join("." * 6)] * 3)
    position = position_of(
        {"ruleset": "quick_start_skirmish", "board": board, "crews": crews, "figures": figures}
    )
    manner = random.choice(MANNERS)
    answer = random.choice(("def", "manv"))
    attack = f"attack(ada, {ATTACKERS[card]}, finn, {manner})"
    return position, ["activate(ada)", attack, f"react(finn, {answer})"]


def side(position: Position, name: str, crew: str, figures: pymorph.Forecast) -> Side:
    buffs, deck = Counter[int](), Counter(simulator.DECK)
    for fluent, value in position.fluents.items():
        if fluent.name in ("buffs", "discards") and str(fluent.arguments[0]) == crew:
            card = fluent.arguments[1].number
            deck[card] -= value.number
            if fluent.name == "buffs":
                buffs[card] += value.number
    size, points = simulator.hand(figures[f"bonus({name})"], figures[f"penalty({name})"])
    assert figures[f"hand_size({name})"] == abs(size)
    assert figures[f"conversion({name})"] == points
    tokens = int(str(position.value(f"push({crew})")))
    return Side(name, figures[f"number({name})"], points, size, buffs, tokens, +deck)


def spent(position: Position, names: tuple[tuple[str, str], ...]) -> Counter[str]:
    """What each has drawn or laid, on the table or among the discards."""
    found: Counter[str] = Counter()
    for fluent, value in position.fluents.items():
        for name, crew in names:
            whose = str(fluent.arguments[0]) if fluent.arguments else ""
            if (fluent.name, whose) in (("discards", crew), ("hand", name)):
                found[f"{name} {fluent.arguments[1]}"] += value.number
            elif (fluent.name, whose) in (("buffed", name), ("push_card", name)):
                found[f"{name} {value}"] += 1
    return found


def carried_out(starts: Sequence[Position], lines: Sequence[list[str]]) -> list[list[Position]]:
    """The positions that each line of actions leads through, all lines in step."""
    ways = [[start] for start in starts]
    carrier = SuccessorGenerator(starts[0].ruleset)
    for number in range(max(map(len, lines))):
        acting = [n for n, line in enumerate(lines) if number < len(line)]
        legs = [Trajectory(ways[n][-1], (parse_term(lines[n][number]),)) for n in acting]
        carrier.carry_on(legs)
        assert [leg for leg in legs if leg.refused] == []
        for n, leg in zip(acting, legs, strict=True):
            ways[n] += [link.position for link in leg.links]
    return ways


def figures_of(positions: Iterable[Position], *names: str) -> list[pymorph.Forecast]:
    asked = [lambda by, p=p: pymorph.forecast(replace(p, answers=by), *names) for p in positions]
    return [future.result() for future in batched(asked)]


def differences(seeds: Sequence[int], plays: int) -> list[str]:
    """What the rules say of some challenges and the simulator does not: so many to each duel."""
    randoms = [Random(seed) for seed in seeds]
    begun = [duel(random) for random in randoms]
    ways = carried_out([start for start, _ in begun], [line for _, line in begun])
    names = (("ada", "watch"), ("finn", "foxes"))
    challenges: list[tuple[str, Position, Challenge, Counter[str]]] = []
    brought = figures_of((way[-1] for way in ways), *BROUGHT)
    for random, seed, way, figures in zip(randoms, seeds, ways, brought, strict=True):
        for number in range(plays):
            active, reactive = (side(way[-1], *name, figures) for name in names)
            challenge = Challenge(active, reactive)
            discards = Counter[str]()
            challenge.play(random, discards)
            challenges.append((f"{seed}.{number}", way[-1], challenge, discards))
    ways = carried_out([row[1] for row in challenges], [row[2].actions for row in challenges])
    staged = [firsts(way) for way in ways]
    told = iter(figures_of((p for row in staged for p in row.values()), *REACHED))
    found = []
    for (name, start, challenge, discards), way, row in zip(challenges, ways, staged, strict=True):
        gone = spent(way[-1], names) - spent(start, names)
        if gone != discards:
            found.append(f"{name}: discards {gone}, and not {discards}")
        now = {stage: next(told) for stage in row}
        scores = {stage: (of["score(ada)"], of["score(finn)"]) for stage, of in now.items()}
        final = (challenge.active.final, challenge.reactive.final)
        expected = {"buff": challenge.starting, "push": challenge.buffed, "outcome": final}
        if scores != expected:
            found.append(f"{name}: {scores}, and not {expected}")
            continue
        for who, by in (("ada", final[0] - final[1]), ("finn", final[1] - final[0])):
            outcome = now["outcome"]
            if (outcome[f"margin({who})"], outcome[f"edges({who})"]) != (by, simulator.edges(by)):
                found.append(f"{name}: {who} is {by} ahead, and not {outcome[f'margin({who})']}")
    return found


def firsts(way: Iterable[Position]) -> dict[str, Position]:
    """The first position of each stage in which totals are compared."""
    found: dict[str, Position] = {}
    for position in way:
        stage = str(position.value("stage(0)"))
        if stage in ("buff", "push", "outcome"):
            found.setdefault(stage, position)
    return found


@with_campaign("duels, plays", [(2, 3)], [(20_000, 5)], ids=["some", "many"])
def test_challenges_as_the_simulator_plays_them(duels: int, plays: int) -> None:
    for first in range(0, duels, BATCH // plays):
        seeds = range(first, min(first + BATCH // plays, duels))
        assert differences(seeds, plays) == []
