"""A question that nothing hangs on is found; one that matters has a position that shows it."""

from __future__ import annotations

from pathlib import Path

from pymorph.ruleset import loader
from pymorph.verify.properties import questions
from pymorph.verify.report import VIOLATED, Piece
from pymorph.verify.scope import Scope
from tests.conftest import EXAMPLES
from tests.games import file_text
from tests.tables import parametrized

QUESTION = file_text("heap/bonus.lp")
THIRD = 'option(bonus, more).\nmeans(bonus, more, "There are several.").\n'
LEGAL = """forbidden(take(C, 3), S, heap_02) :-
    considered(take(C, 3), S), reading(bonus, some, S), holds(taken(C), 4, S).
"""
WITHOUT_EFFECT = """forbidden(take(C, N), S, heap_02) :-
    considered(take(C, N), S), reading(bonus, some, S), most(M), N > M + 1.
"""


def planted(folder: Path, rules: str, more: str = "") -> Scope:
    (folder / "rules" / "bonus.lp").write_text(QUESTION + more, encoding="utf-8")
    (folder / "encodings" / "bonus.lp").write_text(rules, encoding="utf-8")
    return Scope(loader.load(str(folder)))


def told(piece: Piece) -> list[tuple[str, str, str]]:
    return [(each.subject, each.says, each.status) for each in piece.findings]


def test_question_with_an_example(my_game: Path) -> None:
    """The ruleset's own example settles it."""
    setting = Scope(loader.load(str(my_game)))
    assert questions.pieces(setting) == ["same_again"]
    assert questions.exemplary(setting, ["same_again"]) == {"same_again"}
    assert questions.check(setting, "same_again") == Piece(1, 1, closed=True)
    witness = questions.difference(setting, "same_again")[0]
    assert witness.choices == (("same_again", "barred"),)


@parametrized
def test_question_without_an_example(my_game: Path, rules: str, about: str) -> None:
    """A position is found in which an action, a change or a figure hangs on it."""
    setting = planted(my_game, rules)
    assert questions.check(setting, "bonus") == Piece(1, 1, closed=True)
    witness = questions.difference(setting, "bonus")[0]
    assert witness.action.startswith(f"{about}(")
    assert witness.choices == (("bonus", "some"),)


def test_question_that_nothing_reads(my_game: Path) -> None:
    setting = planted(my_game, "")
    assert told(questions.check(setting, "bonus")) == [("bonus", "no encoding reads it", VIOLATED)]
    assert questions.difference(setting, "bonus")[0] is None


def test_question_that_changes_nothing(my_game: Path) -> None:
    """What the option forbids is forbidden anyway, by the same rule."""
    setting = planted(my_game, WITHOUT_EFFECT)
    says = "no position within the bound depends on it"
    assert told(questions.check(setting, "bonus")) == [("bonus", says, VIOLATED)]


def test_options_that_nothing_tells_apart(my_game: Path) -> None:
    setting = planted(my_game, LEGAL, THIRD)
    says = "nothing distinguishes more from none_at_all"
    assert told(questions.check(setting, "bonus")) == [("bonus:more", says, VIOLATED)]


def test_question_that_is_ruled_on(my_game: Path) -> None:
    setting = Scope(loader.load(str(my_game)), rulings={"same_again": "barred"})
    assert questions.pieces(setting) == [""]
    assert questions.check(setting, "") == Piece(closed=True)


def test_game_without_questions() -> None:
    setting = Scope(loader.load(str(EXAMPLES / "rulesets" / "tictactoe")))
    assert [questions.check(setting, name).findings for name in questions.pieces(setting)] == [()]
