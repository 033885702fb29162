"""Which members of a sort are looked at, and what is said where nothing is left to look at."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from pymorph.ruleset import loader
from pymorph.terms import text_of
from pymorph.verify.junit import junit
from pymorph.verify.report import Piece, Property, unsettled
from pymorph.verify.runner import verify
from pymorph.verify.scope import Bounds, Scope
from pymorph.verify.spaces import space_size
from pymorph.verify.spaces.domain import Domain
from tests.conftest import Run
from tests.games import file_text
from tests.tables import parametrized

WORDS = file_text("crown/rules/game.lp")
PLAY = file_text("crown/encodings/play.lp")
SCORED = "ill_formed(low, S, crw_02) :- situation(S), not holds(score, 20, S).\n"


@pytest.fixture
def crown(tmp_path: Path) -> Callable[..., Path]:
    def make(extent: str = "", more: str = "") -> Path:
        for part, text in (("rules/game", WORDS), ("rules/extent", extent), ("play", PLAY + more)):
            path = tmp_path / "crown" / f"{part if '/' in part else f'encodings/{part}'}.lp"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        return tmp_path / "crown"

    return make


def members(folder: Path, *given: str, sort: str = "man") -> list[str]:
    game = loader.load(str(folder))
    return [*map(text_of, Domain.of(Scope(game, Bounds.of(game, extent=given))).members(sort))]


@parametrized
def test_members(
    crown: Callable[..., Path], stated: str, given: list[str], found: list[str]
) -> None:
    """So many, or those that are named, or both; who asks goes before the ruleset."""
    assert members(crown(stated), *given) == found


def test_cards_that_are_kept() -> None:
    """Of a sort made from cards the most different ones fill it up."""
    game = loader.load("morphyry")
    few = Domain.of(Scope(game, Bounds.of(game, extent=("technique_card=2,jump_spin_kick",))))
    cards = [*map(text_of, few.members("technique_card"))]
    assert len(cards) == 2
    assert "jump_spin_kick" in cards


@parametrized
def test_what_is_refused(crown: Callable[..., Path], pymorph: Run, given: str, said: str) -> None:
    assert pymorph("verify", crown(), "--extent", given) == (2, "", f"pymorph: {said}\n")


@parametrized
def test_what_is_stated_amiss(crown: Callable[..., Path], stated: str, said: str) -> None:
    found = verify(Scope(loader.load(str(crown(stated)))), ["data"], jobs=1)
    assert [f.says for f in found.checked[0].findings] == [said]


# -- nothing to look at ----------------------------------------------------------------------------


def checked(folder: Path, *ids: str, **given: object) -> dict[str, tuple[str, tuple[str, ...]]]:
    game = loader.load(str(folder))
    found = verify(Scope(game, Bounds.of(game, **given)), ids, jobs=1)
    return {
        each.id: (each.status, each.notes + tuple(f.says for f in each.findings))
        for each in found.checked
    }


def test_nothing_of_the_kind(crown: Callable[..., Path], pymorph: Run) -> None:
    """A game without figures and questions: nothing is looked at, which is no verdict."""
    folder = crown()
    found = checked(folder, "range", "moot", "kept")
    assert found["range"] == (
        "not tried",
        ("nothing to check: no rule gives a figure with an item",),
    )
    assert found["moot"] == ("not tried", ("nothing to check: there are no questions",))
    assert found["kept"][0] == "proved"
    code, out, _ = pymorph("verify", folder, "--property", "moot", "--property", "kept")
    assert (code, out.splitlines()[-1]) == (0, "2 properties: 1 proved, 1 not tried")
    report = json.loads(pymorph("verify", folder, "--property", "moot", "--json")[1])
    assert [(p["status"], p["looked"]) for p in report["properties"]] == [("not tried", 0)]
    assert report["bounds"]["extent"] == []
    game = loader.load(str(folder))
    assert 'skipped="1"' in junit([verify(Scope(game), ["moot", "kept"], jobs=1)])


@parametrized
def test_no_position_at_all(
    crown: Callable[..., Path], pymorph: Run, stated: str, more: str, helps: str
) -> None:
    """Where the bounds keep all positions out, nothing is known, and it is said what does it."""
    folder = crown(stated, more)
    status, told = checked(folder, "kept")["kept"]
    assert status == "unknown"
    assert told[0].startswith("the bounds leave no valid position")
    assert told[0].endswith(helps)
    assert pymorph("verify", folder, "--property", "kept")[0] == 3


def test_one_more_member_is_enough(crown: Callable[..., Path]) -> None:
    """The other side of the edge: what the message names is what it takes."""
    assert checked(crown("extent(man, 3)."), "kept")["kept"][0] == "unknown"
    assert checked(crown("extent(man, 3). extent(man, rook)."), "kept")["kept"][0] != "unknown"
    assert checked(crown("extent(count, 20).", SCORED), "kept")["kept"][0] == "unknown"
    assert checked(crown("extent(count, 21).", SCORED), "kept")["kept"][0] != "unknown"


def test_nothing_that_it_speaks_of(crown: Callable[..., Path]) -> None:
    """Positions, and nothing in any of them that the property is about: so it is said."""
    status, notes = checked(crown("extent(man, rook)."), "required")["required"]
    assert status == "holds within bound"
    assert notes == ("the search did not find a legal action, so nothing was tested",)


# -- what makes it hard ----------------------------------------------------------------------------


def left_open(scope: Scope, piece: str) -> Piece:
    return Piece(1, 1, findings=(unsettled(piece, "out of memory"),))


def leaving(_: Scope) -> list[str]:
    return ["leave"]


def test_an_unknown_names_the_sort(crown: Callable[..., Path]) -> None:
    game = loader.load(str(crown()))
    hard = Property("hard", "It is hard.", left_open, leaving)
    [found] = verify(Scope(game), properties=[hard], jobs=1).checked
    assert found.status == "unknown"
    assert found.notes == ("leave: the search covers 3 squares; try --extent square=1",)
    small = Scope(game, Bounds.of(game, extent=("count=1", "man=1", "square=1", "player=1")))
    assert space_size.hint(small, "leave") == ""
