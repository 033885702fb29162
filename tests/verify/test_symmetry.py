"""A rule that knows a name, or the order of the names, is found; one that copies them is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from pymorph.questions import consistency
from pymorph.ruleset import loader
from pymorph.terms import text_of
from pymorph.verify.name_flow import Naming
from pymorph.verify.properties import symmetry
from pymorph.verify.report import VIOLATED, Finding
from pymorph.verify.scope import Bounds, Scope
from tests.conftest import EXAMPLES

FAVOURED = "forbidden(take(bo, 2), S, heap_02) :- considered(take(bo, 2), S).\n"
STRANGER = "forbidden(take(C, 2), S, heap_02) :- considered(take(C, 2), S), C = zoe.\n"
FACT = "lucky(anna).\nforbidden(take(C, 2), S, heap_02) :- considered(take(C, 2), S), lucky(C).\n"
ORDER = (
    "forbidden(take(C, 2), S, heap_02) :-\n"
    "    considered(take(C, 2), S), present(D, S), D < C, holds(taken(C), 4, S).\n"
)
LEAST = (
    "first(C, S) :- situation(S), C = #min { D : present(D, S) }.\n"
    "entry(score(C), first, 1, S, heap_02) :- first(C, S).\n"
)
GIVEN_AWAY = "sets(turn, anna, T, heap_02) :- does(take(_, 3), _, T).\n"
ILL = "ill_formed(turn, S, heap_01) :- checking(S), holds(turn, bo, S).\n"
HARMLESS = (
    "forbidden(take(C, 2), S, heap_02) :-\n"
    "    considered(take(C, 2), S), present(D, S), D != C, holds(taken(D), N, S), N > 3.\n"
    "richest(N, S) :- situation(S), N = #max { M : holds(taken(_), M, S) }.\n"
    "entry(score(C), rich, 1, S, heap_02) :- holds(taken(C), N, S), richest(N, S).\n"
)


def planted(folder: Path, rules: str) -> Scope:
    (folder / "encodings" / "planted.lp").write_text(rules, encoding="utf-8")
    return Scope(loader.load(str(folder)))


def findings(setting: Scope) -> list[Finding]:
    names = symmetry.pieces(setting)
    return [each for name in names for each in symmetry.check(setting, name).findings]


@pytest.mark.parametrize(
    ("rules", "subject"),
    [
        (FAVOURED, "take"),
        (FACT, "take"),
        (ORDER, "take"),
        (LEAST, "score"),
        (GIVEN_AWAY, "take"),
        (ILL, "positions"),
    ],
)
def test_names_that_count(my_game: Path, rules: str, subject: str) -> None:
    """Whatever way a rule tells one name from another, the smallest position shows it."""
    found = {each.subject: each for each in findings(planted(my_game, rules))}
    assert subject in found
    assert found[subject].status == VIOLATED
    assert found[subject].place.startswith("my_game/encodings/planted.lp:")
    assert found[subject].witness is not None


def test_example_is_smallest(my_game: Path) -> None:
    [found] = findings(planted(my_game, FAVOURED))
    assert found.witness is not None
    position = found.witness.position
    assert found.witness.action.startswith("take(")
    assert {text_of(f): text_of(v) for f, v in position.fluents.items()}.keys() <= {"turn", "heap"}
    assert "heap_02" in found.rules
    assert "anna and bo change places" in found.says
    assert not consistency.check(position).flaws


def test_name_that_no_start_has(my_game: Path) -> None:
    """A rule that gives the turn to zoe is found, though no position names her."""
    found = findings(planted(my_game, GIVEN_AWAY.replace("anna", "zoe")))
    assert [each.subject for each in found] == ["take"]


def test_word_that_is_compared(my_game: Path) -> None:
    """zoe stands nowhere where a name belongs: nobody bears it, but nothing is proved either."""
    setting = planted(my_game, STRANGER)
    assert not symmetry.check(setting, "take").closed


@pytest.mark.parametrize("rules", ["", HARMLESS])
def test_nothing_found(my_game: Path, rules: str) -> None:
    """Numbers may be compared by order, and names joined, copied and told apart."""
    setting = planted(my_game, rules)
    for name in symmetry.pieces(setting):
        piece = symmetry.check(setting, name)
        assert (piece.closed, piece.findings, piece.notes) == (True, (), ())


def test_game_without_names() -> None:
    setting = Scope(loader.load(str(EXAMPLES / "rulesets" / "tictactoe")))
    assert all(symmetry.check(setting, name).closed for name in symmetry.pieces(setting))


@pytest.mark.campaign
def test_turn_order_of_morphyry() -> None:
    """Where seats are not told, the order of three names says who is next; that is all."""
    game = loader.load("morphyry")
    setting = Scope(game, Bounds(cards=4))
    naming = Naming(game, setting.sources)
    heads = {next(iter(setting.sources.statements[n].heads)) for n in naming.partialities}
    assert heads == {("ahead_of", 3), ("ill_formed", 3)}
