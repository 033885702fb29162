"""A game with a large board is verified on a corner of it, as its data say."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from pymorph.errors import InputError
from pymorph.ruleset import loader, locations
from pymorph.terms import text_of
from pymorph.verify.runner import verify
from pymorph.verify.scope import Bounds, Scope
from pymorph.verify.spaces import domain, space_size
from pymorph.verify.spaces.domain import Domain
from tests.conftest import EXAMPLES
from tests.tables import parametrized

ROWS = "\\n".join([" ".join("." * 24)] * 24)


@pytest.fixture
def wide(tmp_path: Path) -> Path:
    """Breakthrough on a board of 24x24, without a start."""
    game = tmp_path / "wide"
    for part in ("rules", "encodings"):
        shutil.copytree(EXAMPLES / "rulesets" / "breakthrough" / part, game / part)
    path = game / "rules" / "game.lp"
    text = re.sub(r'surface\(".*?"\)', lambda _: f'surface("{ROWS}")', path.read_text("utf-8"))
    path.write_text(text, "utf-8")
    return game


def scope(game: Path, extent: str = "", **given: object) -> Scope:
    (game / "rules" / "extent.lp").write_text(extent, "utf-8")
    loaded = loader.load(str(game))
    return Scope(loaded, Bounds.of(loaded, **given))


@parametrized
def test_a_corner(
    wide: Path, extent: str, given: dict[str, object], places: int, bound: str
) -> None:
    found = Domain.of(scope(wide, extent, **given))
    assert found.board is not None
    assert (len(found.members("square")), found.bound) == (places, bound)
    assert ("square" in found.cut) == (places < 576)


@pytest.mark.campaign
def test_names_and_unions(tmp_path: Path) -> None:
    """Sorts that files list, and unions, have extents as others have."""
    for part in ("rules", "encodings"):
        shutil.copytree(locations.sources_root() / part / "actions_reactions", tmp_path / part)
    with (tmp_path / "rules" / "extent.lp").open("a", encoding="utf-8") as file:
        file.write("extent(zone, 1). extent(manner, 2). extent(object_state, 1).\n")
    found = Domain.of(Scope(loader.load(str(tmp_path))))
    sizes = {n: len(found.members(n)) for n in ("character", "zone", "manner", "object_state")}
    assert sizes == {"character": 2, "zone": 1, "manner": 2, "object_state": 1}
    assert {"manner", "object_state"} <= found.cut


def test_all_is_settled(wide: Path) -> None:
    """On the corner, and what a prohibition is good for on a larger one."""
    report = verify(scope(wide, "extent(square, 4)."), ["required", "kept", "redundant"], jobs=1)
    assert [(each.id, each.status) for each in report.checked] == [
        ("redundant", "holds within bound"),
        ("required", "holds within bound"),
        ("kept", "holds within bound"),
    ]


def test_a_corner_is_what_the_board_has_there() -> None:
    drawing = "a b\n-  \nc|d\n"
    signs, joins = {sign: f"land_{sign}" for sign in "abcd"}, {"|": "wall", "-": "wall"}
    board = domain.Board.from_drawing(drawing, signs, joins)
    corner = board.corner(2, 1)
    assert {text_of(p): [*map(text_of, row)] for p, row in corner.labels.items()} == {
        "a1": ["land_c"],
        "b1": ["land_d"],
    }
    assert [[*map(text_of, row)] for row in corner.joins.values()] == [["wall"]]
    assert board.corner(9, 9) == board


@parametrized
def test_the_bound_that_helps(
    wide: Path, monkeypatch: pytest.MonkeyPatch, more: str, helps: str
) -> None:
    """Whatever it is that takes so much, whether somebody has set it or not."""
    monkeypatch.setattr(space_size, "EFFORT", space_size.EFFORT._replace(open_facts=2000))
    with pytest.raises(InputError, match=re.escape(helps) + "$"):
        space_size.check_size(scope(wide, more))
