"""A rule that knows a name, or the order of the names, is found; one that copies them is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from pymorph.errors import RulesetWarning
from pymorph.questions import consistency
from pymorph.ruleset import loader
from pymorph.terms import text_of
from pymorph.verify.properties import symmetry
from pymorph.verify.report import VIOLATED, Finding
from pymorph.verify.scope import Scope
from tests.conftest import EXAMPLES
from tests.tables import parametrized

FAVOURED = "forbidden(take(bo, 2), S, heap_02) :- considered(take(bo, 2), S).\n"
FACT = "lucky(anna).\nforbidden(take(C, 2), S, heap_02) :- considered(take(C, 2), S), lucky(C).\n"
ORDER = (
    "forbidden(take(C, 2), S, heap_02) :-\n"
    "    considered(take(C, 2), S), present(D, S), D < C, holds(taken(C), 4, S).\n"
)
GIVEN_AWAY = "sets(turn, anna, T, heap_02) :- does(take(_, 3), _, T).\n"
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


@parametrized
def test_names_that_count(my_game: Path, rules: str, subject: str) -> None:
    """Whatever way a rule tells one name from another, the smallest position shows it."""
    found = {each.subject: each for each in findings(planted(my_game, rules))}
    assert subject in found
    assert found[subject].status == VIOLATED
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


@pytest.mark.parametrize("rules", ["", HARMLESS])
def test_nothing_found(my_game: Path, rules: str) -> None:
    """Numbers may be compared by order, and names joined, copied and told apart."""
    setting = planted(my_game, rules)
    for name in symmetry.pieces(setting):
        piece = symmetry.check(setting, name)
        assert (piece.closed, piece.findings) == (False, ())
        assert piece.notes == (
            f"no difference found in all {piece.looked} known {symmetry.COUNTED}",
        )


def test_acceptance_is_not_needed(my_game: Path) -> None:
    """A game that accepts asymmetries loads, with a warning that names the line."""
    file = my_game / "rules" / "game.lp"
    old = 'accepted(asymmetry, take, "Anna begins.", booklet, "Play").'
    file.write_text(f"{old}\n{file.read_text('utf-8')}", encoding="utf-8")
    with pytest.warns(RulesetWarning, match=r"game.lp:1:1: accepted\(asymmetry.* remove it"):
        loader.load(str(my_game))


def test_game_without_names() -> None:
    setting = Scope(loader.load(str(EXAMPLES / "rulesets" / "tictactoe")))
    assert symmetry.pieces(setting) == []
