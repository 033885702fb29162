"""Why did that happen? Events with their rules, figures and causes, worked out from the rules."""

import random
from pathlib import Path

import pytest

import pymorph as package
from pymorph import Position, Session, UnknownName, why_event
from pymorph.asp.passes.provenance import recordings
from pymorph.explore.execution.event_explanation import is_event
from pymorph.ruleset import loader, locations
from tests.games import file_text, write_game
from tests.tables import parametrized

GAME = file_text("ward/rules/game.lp")
PLAY = file_text("ward/encodings/play.lp")
START = file_text("ward/positions/start.yaml")


@pytest.fixture
def ward(tmp_path: Path) -> Position:
    """A blow that just misses: force 3, guard 1 and two shields."""
    folder = write_game(tmp_path / "ward", GAME, PLAY, {"start.yaml": START})
    return Position.load(folder / "positions" / "start.yaml")


# A game made for it


def test_an_event_or_an_action(ward: Position) -> None:
    ruleset = ward.ruleset
    assert is_event(ruleset, "misses(ada, bo)")
    assert is_event(ruleset, "mises(ada)")
    assert is_event(ruleset, "happens(misses(ada))")
    assert not is_event(ruleset, "strike(ada, bo)")
    assert not is_event(ruleset, "Strike(Ada, bo)")
    assert not is_event(ruleset, "strik(ada, bo)")
    assert not is_event(ruleset, "nonsense")
    with pytest.raises(UnknownName, match="unknown event 'mises'; did you mean 'misses'"):
        why_event(ward, "mises(ada)")
    with pytest.raises(
        UnknownName, match="unknown argument 'boo' of event misses; did you mean 'bo'"
    ):
        why_event(ward, "misses(boo)")


# The rules that record


@parametrized
def test_what_is_recorded(statement: str, recorded: list[str]) -> None:
    assert [*recordings(statement)] == [f"because_{rule}." for rule in recorded]


# Every game


@pytest.mark.campaign
@pytest.mark.parametrize("game", locations.shipped())
def test_every_event_of_random_play(game: str) -> None:
    """Whatever comes about is explained by a rule, and by no event that comes after it."""
    rng = random.Random(7)
    for path in loader.load(game).starts:
        session = Session(Position.load(path))
        for _ in range(40):
            if not session.legal_actions:
                break
            kind = rng.choice(sorted({action.name for action in session.legal_actions}))
            action = rng.choice([each for each in session.legal_actions if each.name == kind])
            before = session.position
            session.push(action)
            for event in package.apply(before, action).events:
                found = why_event(before, event.event, action)
                assert found.at is not None
                assert event.rule in {reason.rule.id for reason in found.reasons}
                assert all(each.event != event.event for each in found.causes)
