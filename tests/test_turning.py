"""Why names each question that alone turns its verdict: asked again under every other option."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from clingo import Symbol

from pymorph import Position, why
from pymorph.adjudication import test_runner
from pymorph.dynamics.asking.legal import judged
from pymorph.explore.execution import application
from pymorph.questions import explanation, legality
from pymorph.state.names import typed_actions
from tests import casework
from tests.tables import sampled

PROJECT = Path(__file__).parent.parent
GAMES = ("morphyry", "actions_reactions")
Flips = set[tuple[str, str, bool | None]]


def verdicts(position: Position, actions: list[Symbol]) -> dict[Symbol, bool | None]:
    """Whether each action is legal; None, where that hangs on something hidden."""
    return {
        action: None if found.depends_on and not found.rules else found.legal
        for action, found in judged(position, actions).items()
    }


def flips(position: Position, actions: list[Symbol]) -> dict[Symbol, Flips]:
    """The single changes of an option that give an action another verdict, by asking under each."""
    questions = position.ruleset.questions
    before = verdicts(position, actions)
    found: dict[Symbol, Flips] = {action: set() for action in actions}
    for name, question in questions.items():
        for option in position.ruleset.options[name]:
            if option != position.rulings.get(name, question.default):
                after = verdicts(position.with_rulings({name: option}), actions)
                for action in actions:
                    if after[action] is not before[action]:
                        found[action].add((name, option, after[action]))
    return found


def unlike(position: Position, number: int, rng: random.Random) -> list[str]:
    """Where what why names is not what turns the verdict: of some actions, half of them legal."""
    legal = [action.symbol for action in legality.legal_actions(position)]
    every = typed_actions(position)
    actions = rng.sample(legal, min(number, len(legal)))
    actions += rng.sample(every, min(number, len(every)))
    wrong = []
    for action, expected in flips(position, sorted(set(actions))).items():
        named = {
            (turning.question, *by)
            for turning in why(position, str(action)).readings
            for by in turning.turned_by
        }
        if named != expected:
            wrong.append(f"{position.line()}\n  {action}: {named ^ expected}")
    return wrong


def played(game: str, rng: random.Random, steps: int) -> Iterator[Position]:
    """Positions of a random game from the start that ships: a kind is drawn, then one of it."""
    position = Position.load(str(PROJECT / f"rules/{game}/positions/start.yaml"))
    for _ in range(steps):
        actions = legality.legal_actions(position)
        if not actions:
            return
        kind = rng.choice(sorted({action.name for action in actions}))
        action = rng.choice([action for action in actions if action.name == kind])
        position = application.apply(position, str(action)).position
        yield position


def examples() -> list[Path]:
    """The positions that ship with the project and are about one of the games with questions."""
    paths = [*PROJECT.glob("examples/positions/*.yaml"), *PROJECT.glob("examples/duel/*.yaml")]
    return sorted(path for path in paths if "play:" not in path.read_text(encoding="utf-8"))


@sampled("game", GAMES, {*GAMES} - {"morphyry"})
def test_in_a_random_game(game: str) -> None:
    rng = random.Random(21)
    *_, position = played(game, rng, 12)
    assert unlike(position, 4, rng) == []


@pytest.mark.campaign
def test_in_an_example() -> None:
    position = Position.load(str(PROJECT / "examples/positions/arming.yaml"))
    assert unlike(position, 8, random.Random(21)) == []


def test_under_the_ruling_that_decides() -> None:
    """A verdict that a ruling made names it, as that by default names the question."""
    position = Position.load(str(PROJECT / "examples/positions/arming.yaml"))
    action = "interrupt(baganal, announced, move_up)"
    question = "interruption_time"
    (by_default,) = why(position, action).readings
    assert (by_default.question, by_default.ruled) == (question, False)
    ruled = position.with_rulings({question: "own_turn_any_time"})
    (found,) = (each for each in why(ruled, action).readings if each.question == question)
    assert found.ruled
    assert ("own_turn_before_speed", False) in found.turned_by


@pytest.mark.campaign
@pytest.mark.parametrize("path", examples(), ids=lambda path: path.stem)
def test_in_all_examples(path: Path) -> None:
    assert unlike(Position.load(str(path)), 10_000, random.Random(1)) == []


@pytest.mark.campaign
@pytest.mark.parametrize("seed", range(100))
@pytest.mark.parametrize("game", GAMES)
def test_in_a_hundred_games(game: str, seed: int) -> None:
    rng = random.Random(seed)
    for number, position in enumerate(played(game, rng, 60)):
        if number % 10 == 9:
            assert unlike(position, 25, rng) == []


def test_a_test_case_asks_for_the_verdict_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """What would turn a verdict is grounded apart, and no test case tells of it."""
    cases = casework.load(casework.folder("morphyry") / "turns.yaml")
    kinds = {"legal", "illegal"}
    asking = [c for c in cases if any(one.kind in kinds for i in c.items for one in i.expected)]
    monkeypatch.setattr(explanation, "_turned", None)
    assert list(test_runner.faults(asking[0])) == []


def test_where_a_move_stops_within_reach() -> None:
    """Which spaces a move stops in hangs on six questions, whose readings are asked all at once."""
    bases = yaml.safe_load(
        (casework.folder("quick_start_skirmish") / "bases.yaml").read_text("utf-8")
    )
    alley = bases["alley"]
    alley["figures"]["w2"] |= {"at": "f2", "ready": "dagger"}
    alley["figures"]["f3"] |= {"card": "courier", "ready": "dagger"}
    position = application.apply(Position.parse(yaml.safe_dump(alley)), "activate(f3)").position
    round_it = why(position, "move(f3, walk, f1)")
    turns = {(turning.question, *by) for turning in round_it.readings for by in turning.turned_by}
    assert turns == {
        ("reach_zone_front", "reach0_all_round", False),
        ("stopping", "always_stop", False),
    }
    assert unlike(position, 2, random.Random(4)) == []
