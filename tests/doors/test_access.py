"""Games by keyboard alone, and pages as a screen reader has them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.conftest import EXAMPLES
from tests.doors.browsers import Lay, Sit, axe, board_button, press, wait_news

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.doors

FOCUS = "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent"


def focus(page: Page) -> str:
    """What has the focus, as it is spoken."""
    return str(page.evaluate(FOCUS))


def tab_to(page: Page, name: str) -> None:
    """Press Tab until the focus is at what is called so."""
    for _ in range(30):
        if focus(page).startswith(name):
            return
        press(page, "Tab")
    pytest.fail(f"Tab does not lead to {name}, but to {focus(page)}")


def test_a_board_is_a_grid(lay: Lay, sit: Sit) -> None:
    page = sit(lay("tictactoe").links["master"])
    grid = page.get_by_role("grid", name="Board")
    assert grid.aria_snapshot().splitlines()[:4] == [
        '- grid "Board":',
        "  - 'row \"a3: empty b3: empty c3: empty\"':",
        "    - 'gridcell \"a3: empty\"':",
        "      - 'button \"a3: empty\"'",
    ]
    assert grid.get_by_role("row").count() == 3
    assert grid.get_by_role("gridcell").count() == 9
    axe(page)


def test_keys_of_a_grid(lay: Lay, sit: Sit) -> None:
    page = sit(lay("tictactoe").links["master"])
    tab_to(page, "a3")
    walk = {"ArrowRight": "b3", "ArrowDown": "b2", "End": "c2", "PageDown": "c1", "Home": "a1"}
    walk |= {"PageUp": "a3", "Control+End": "c1", "Control+Home": "a3"}
    for key, place in walk.items():
        press(page, key)
        assert focus(page) == f"{place}: empty"
    press(page, "b", "2")
    assert focus(page) == "b2: empty"
    press(page, "?")
    assert page.get_by_role("dialog", name="Keys").is_visible()
    axe(page)
    press(page, "Escape")
    assert focus(page) == "b2: empty"


def test_a_table_is_a_list_that_is_measured_by_keys(lay: Lay, sit: Sit) -> None:
    page = sit(lay(str(EXAMPLES / "field" / "lawn.yaml")).links["master"])
    board = page.get_by_role("list", name="Board")
    assert board.get_by_role("listitem").count() == 11
    tab_to(page, "Hut")
    press(page, "a", "d", "a", "Shift+Enter")
    wait_news(page, "The ruler starts at Ada")
    press(page, "f", "i", "n")
    assert page.locator(".ruler text").text_content() == "9.0 inch, from the rim 8.0"
    press(page, "Enter")
    assert "9 in" in wait_news(page, "from ada to finn")
    page.get_by_label("Shade over the board").select_option("circle")
    page.get_by_label("length").fill("3")
    board_button(page, "Gar").focus()
    press(page, "Enter")
    assert "inside: gar" in wait_news(page, "circle")
    axe(page)
