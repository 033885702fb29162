"""The pictures of the guide: pages of the table, as they are after some actions.

`pytest -m doors tests/doors --pictures` takes them anew, into `docs/pictures`.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.conftest import EXAMPLES, ROOT
from tests.doors.browsers import Lay, Sit, board_button, press, wait_news

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.doors

MOST_BYTES = 120_000  # of a picture


def tictactoe(lay: Lay, sit: Sit) -> Page:
    """A game in which o asks for a square that is taken."""
    page = sit(lay("tictactoe").links["master"], 1000, 640)
    for place in ("b2", "a1", "c2"):
        board_button(page, place).click()
        wait_news(page, place)
    board_button(page, "b2").click()
    wait_news(page, "not legal")
    return page


def ruler(lay: Lay, sit: Sit) -> Page:
    """A table in inches, with a ruler from one figure to another, and a template."""
    page = sit(
        lay(str(EXAMPLES / "field" / "lawn.yaml")).links["master"], 1000, 640, color_scheme="dark"
    )
    board_button(page, "Ada").focus()
    press(page, "Shift+Enter")
    page.get_by_label("Shade over the board").select_option("circle")
    page.get_by_label("length").fill("3")
    board_button(page, "Gar").focus()
    press(page, "Enter")
    wait_news(page, "circle")
    return page


SCENES: dict[str, Callable[[Lay, Sit], Page]] = {"tictactoe": tictactoe, "ruler": ruler}


def size(picture: bytes) -> tuple[int, ...]:
    """Width and height of a PNG file."""
    return struct.unpack(">II", picture[16:24])


@pytest.mark.parametrize("name", SCENES)
def test_pictures(name: str, lay: Lay, sit: Sit, request: pytest.FixtureRequest) -> None:
    page = SCENES[name](lay, sit)
    page.mouse.move(0, 0)
    taken = page.screenshot(animations="disabled", caret="hide")
    path = ROOT / "docs" / "pictures" / f"table_{name}.png"
    if request.config.getoption("--pictures", False):
        path.write_bytes(taken)
    kept = path.read_bytes()
    assert size(kept) == size(taken)
    assert len(kept) < MOST_BYTES
