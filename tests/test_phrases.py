"""Texts for terms of any shape: items, events and grounds told in the words of their ruleset."""

from pathlib import Path

import pytest

from pymorph.explore.execution import application
from pymorph.questions import explanation, figures
from pymorph.ruleset import loader
from pymorph.state.position import Position
from pymorph.terms import Term, parse_symbol
from pymorph.verify.properties import integrity
from pymorph.verify.scope import Scope
from pymorph.views.layout import ground, item_words
from pymorph.views.lines import answers
from tests.games import file_text, write_game
from tests.tables import parametrized, tables

ROOT = Path(__file__).resolve().parents[1]
GAME = file_text("rails/rules/game.lp")
PLAY = file_text("rails/encodings/play.lp")
START = file_text("rails/positions/start.yaml")
NAMES = tables(__name__)["names"]
MORE = "happens(stop(Q, N), T, rls_02) :- does(ride(_, Q), S, T), reached(Q, N, S).\n"


@pytest.fixture
def position(tmp_path: Path) -> Position:
    folder = write_game(tmp_path / "rails", GAME + NAMES, PLAY + MORE, {"start.yaml": START})
    return Position.load(str(folder / "positions" / "start.yaml"))


@parametrized
def test_items_of_any_shape(position: Position, term: str, told: str) -> None:
    """A text is taken where the term has all parts that it asks for, or else the usual words."""
    assert item_words(position.ruleset, Term(parse_symbol(term))) == told


def test_an_event_is_told_in_words(position: Position) -> None:
    """In text by its text alone; in JSON the term stands as it is, with the text beside it."""
    done = application.apply(position, "ride(ada, elm)")
    (event,) = done.steps[0].events
    told = "stops at Elm Street after 4 days"
    assert event.json() == {"event": "stop(elm, 4)", "rule": "rls_02", "text": told}
    assert f"  event:  {told}" in "\n".join(answers.outcome(done))


def test_what_has_no_text_is_as_it_was(position: Position) -> None:
    """Grounds and items without a text are told as ever, and JSON has no `text`."""
    (far, *_) = figures.forecast(position, "far(elm)").figures
    assert far.entries[0].json() == {"item": "days", "amount": 4, "rule": "rls_02"}
    assert ground(Term(parse_symbol("wall(b2, b3)")), position.ruleset) == "wall b2-b3"
    assert ground(Term(parse_symbol("leg(b2, b3)")), position.ruleset) == "b3 to b2"


def test_chess_tells_who_pins(tmp_path: Path) -> None:
    """chs_10: the rook on e2 is pinned by that on e7; along the line it may go."""
    men = "{e1: white_king, e2: white_rook, e7: black_rook, h8: black_king}"
    file = tmp_path / "pinned.yaml"
    file.write_text(f"{{ruleset: {ROOT}/examples/rulesets/chess, turn: white, men: {men}}}")
    position = Position.load(str(file))
    (pins,) = explanation.why(position, "move(white, e2, a2)").figures
    assert pins.entries[0].text == "pinned by the rook on e7"
    assert str(pins.entries[0].item) == "pinned_by(rook, e7)"
    assert explanation.why(position, "move(white, e2, e5)").legal


def test_a_text_for_terms_that_no_rule_makes_is_found(tmp_path: Path) -> None:
    """`stop` is made by a rule; of `odd` and `leg` there are no terms."""
    folder = write_game(tmp_path / "rails", GAME + NAMES, PLAY + MORE, {"start.yaml": START})
    scope = Scope(loader.load(str(folder)))
    found = integrity.misnamed(integrity.DeclaredFacts(scope.ruleset, scope.sources))
    assert {about for about, says, _ in found if "named names" in says} == {"odd", "leg"}
