"""Two versions of a ruleset in one program: whether, and where, they answer differently."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from pymorph.asp.passes.renaming import downstream, product
from pymorph.ruleset import loader, scaffold
from pymorph.verify.report import UNKNOWN
from pymorph.verify.scope import Bounds, Scope
from pymorph.verify.spaces.model_search import OpenModel
from pymorph.verify.versions.differential import ANY, DifferencePiece, DifferentialSearch
from tests.conftest import EXAMPLES, ROOT
from tests.tables import parametrized
from tools.mutants.catching import differs
from tools.mutants.operators import Mutant
from tools.mutants.planting import Original

TAKE = "forbidden(take(C, N), S, heap_02) :- considered(take(C, N), S), most(M), N > M."


def setting_of(folder: Path) -> Scope:
    return Scope(loader.load(str(folder)), Bounds(cards=4))


@pytest.fixture
def heap(tmp_path: Path) -> Path:
    """The starter ruleset."""
    scaffold.write(str(tmp_path / "heap"))
    return tmp_path / "heap"


def edited(folder: Path, file: str, old: str, new: str) -> Path:
    """A copy of a ruleset with one edit."""
    copy = folder.with_name(f"{folder.name}_new")
    shutil.copytree(folder, copy)
    text = (copy / file).read_text()
    assert old in text
    (copy / file).write_text(text.replace(old, new))
    return copy


def contrast(folder: Path, file: str, old: str, new: str) -> DifferentialSearch:
    return DifferentialSearch(setting_of(folder), setting_of(edited(folder, file, old, new)))


def number_of(setting: Scope, start: str) -> int:
    """The number of the statement that begins so."""
    found = [n for n, s in enumerate(setting.sources.statements) if s.text.startswith(start)]
    assert len(found) == 1
    return found[0]


def test_nothing_bears_on_anything_in_equal_versions(heap: Path) -> None:
    same = DifferentialSearch(setting_of(heap), setting_of(heap))
    assert not same.removed | same.added
    assert not any(same.differing(piece) for piece in same.pieces())


def test_only_what_hangs_on_the_difference_is_looked_at(heap: Path) -> None:
    found = contrast(heap, "encodings/play.lp", "N > M.", "N >= M.")
    assert [piece for piece in found.pieces() if found.differing(piece)] == [
        DifferencePiece("legality", "take")
    ]


def test_the_smallest_position_for_each_rule(heap: Path) -> None:
    found = contrast(heap, "encodings/play.lp", "N > M.", "N >= M.")
    piece = DifferencePiece("legality", "take")
    [one] = found.differences(piece, found.search(piece))
    assert (one.kind, one.side, one.rule) == ("legal", "new", "heap_02")
    assert str(one.model.action) == "take(anna,3)"
    assert {str(f): str(v) for f, v in one.model.position.fluents.items()} == {
        "turn": "anna",
        "heap": "3",
    }


def test_a_reading_that_is_not_in_force(heap: Path) -> None:
    found = contrast(heap, "encodings/play.lp", "barred, S).", "barred, S), N > 1.")
    assert not found.differing(DifferencePiece("legality", "take"))
    piece = DifferencePiece("legality", "take", opening=True)
    [one] = found.differences(piece, found.search(piece))
    assert (one.kind, one.side, one.rule) == ("legal", "old", "heap_02")
    assert dict(one.model.position.rulings) == {"same_again": "barred"}


def test_what_both_derive_alike_is_derived_once(heap: Path) -> None:
    found = contrast(heap, "encodings/play.lp", "N > M.", "N >= M.")
    ours, theirs = (list(s.sources.parts) for s in (found.old, found.new))
    affected = downstream([*ours, *found.added], found.removed | found.added)
    assert affected[("forbidden", 3)] >= {"take"}
    assert ("proposed", 3) not in affected
    texts = [part.text for part in product(ours, theirs, affected, {})]
    of_turns = [text for text in texts if "heap_01" in text and "forbidden" in text]
    assert len(of_turns) == 1
    assert of_turns[0].startswith("same_forbidden(")
    assert sum(text.startswith("new_forbidden(take") for text in texts) == 1
    assert "new_forbidden(X0,X1,X2) :- same_forbidden(X0,X1,X2)." in texts


# One statement in another's place


@parametrized
def test_a_planted_fault_that_shows(heap: Path, start: str, text: str) -> None:
    assert isinstance(found_by(heap, start, text), OpenModel)


def found_by(folder: Path, start: str, text: str, seconds: float = 30) -> OpenModel | str | None:
    """What tells a ruleset from one with another statement in place of the one that begins so."""
    original = Original.of(str(folder))
    number = number_of(original.setting, start)
    return differs(original, Mutant("", number, "", text), seconds)


def test_a_change_without_a_difference(heap: Path) -> None:
    start = "forbidden(take(C,N),S,heap_02) :- considered(take(C,N),S); most(M)"
    assert found_by(heap, start, TAKE.replace("N > M", "M < N")) is None
    assert found_by(heap, start, TAKE.replace("N > M", "N >= M + 1")) is None


def test_what_nothing_hangs_on_is_not_settled(heap: Path) -> None:
    other = "figure(score, (player,), counters, 0, 9)."
    assert found_by(heap, "figure(score", other) == UNKNOWN
    assert found_by(heap, "sets(turn", "", 0) == UNKNOWN


def test_a_function_of_the_board_in_another_s_place() -> None:
    text = "beside(P, D, Q) :- square(P), toward(D), Q = @neighbour(P, D), Q != b2."
    folder = EXAMPLES / "rulesets" / "tictactoe"
    assert isinstance(found_by(folder, "beside(", text), OpenModel)


@pytest.mark.campaign
def test_a_comparison_in_a_large_game(tmp_path: Path) -> None:
    """mor_def_06: who may turn by so much only may turn by less."""
    folder = tmp_path / "game"
    for kind in ("rules", "encodings"):
        shutil.copytree(ROOT / kind / "morphyry", folder / kind)
    found = contrast(folder, "encodings/moving.lp", "S), N > Most.", "S), N >= Most.")
    piece = DifferencePiece("legality", "begin")
    assert found.differing(piece)
    one = found.search(piece, first=True).smallest(ANY)
    assert one is not None
    assert "turn(" in str(one.action)
