"""Games by keyboard alone, and pages as a screen reader has them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.conftest import EXAMPLES
from tests.doors.browsers import Firefox, Lay, Sit, axe, board_button, press, wait_news

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


def choose_by_keys(page: Page, *names: str) -> None:
    """Go to the board by Tab, to each place or piece by its name, and choose it."""
    for name in names:
        for _ in range(30):
            if page.evaluate("document.activeElement.closest('pymorph-board .areas') !== null"):
                break
            press(page, "Tab")
        press(page, *name, "Enter")


def act_by_keys(page: Page, option: str) -> None:
    """Press a button of the actions that begins so, come to by Tab."""
    tab_to(page, option)
    press(page, "Enter")


def test_a_board_is_a_grid(lay: Lay, sit: Sit) -> None:
    page = sit(lay("tictactoe").links["master"])
    grid = page.get_by_role("grid", name="Board")
    corner = "a3: empty, may be chosen"
    assert grid.aria_snapshot().splitlines()[2:4] == [
        f"    - 'gridcell \"{corner}\"':",
        f"      - 'button \"{corner}\"'",
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
        assert focus(page).startswith(f"{place}: empty")
    press(page, "b", "2")
    assert focus(page).startswith("b2: empty")
    press(page, "?")
    assert page.get_by_role("dialog", name="Keys").is_visible()
    axe(page)
    press(page, "Escape")
    assert focus(page).startswith("b2: empty")


def test_a_game_by_keys(lay: Lay, sit: Sit) -> None:
    """Tic-tac-toe to its end; the focus stays where it was, and everything is said."""
    page = sit(lay("tictactoe").links["master"])
    for actor, place in zip("xoxox", ["a1", "b1", "a2", "b2", "a3"], strict=True):
        choose_by_keys(page, place)
        wait_news(page, rf"put\({actor}, {place}\)")
        assert focus(page) == f"{place}: {actor.upper()}"
    assert "wins" in wait_news(page, "over|wins")
    axe(page)
    choose_by_keys(page, "c3")
    wait_news(page, "not legal")
    tab_to(page, "Undo")
    press(page, "Enter")
    wait_news(page, "x may act")
    assert focus(page) == "Undo"


def test_a_refusal_is_said(lay: Lay, sit: Sit) -> None:
    page = sit(lay("tictactoe").links["master"])
    choose_by_keys(page, "a1")
    wait_news(page, "put")
    choose_by_keys(page, "a1")
    assert "not legal" in wait_news(page, "not legal")
    assert focus(page).startswith("a1: X")
    axe(page)


def test_a_capture_by_keys(lay: Lay, sit: Sit, tmp_path: Path) -> None:
    board = tmp_path / "capture.yaml"
    men = "{c5: white, d4: black, g5: black}"
    board.write_text(f"ruleset: draughts\nturn: white\nmen: {men}\n")
    page = sit(lay(str(board)).links["master"])
    choose_by_keys(page, "c5")
    assert board_button(page, "e3").get_attribute("aria-label") == "e3: empty, may be chosen"
    assert "chosen" in str(board_button(page, "c5").get_attribute("aria-label"))
    axe(page)
    choose_by_keys(page, "e3")
    assert "d4" in wait_news(page, "jump")
    assert board_button(page, "d4").get_attribute("aria-label") == "d4: empty"
    assert focus(page).startswith("e3: ")


def test_an_interruption_by_keys(lay: Lay, sit: Sit) -> None:
    """Baganal breaks off at 6 ticks: the technique ends two Readies, 8 ticks, later."""
    page = sit(lay(str(EXAMPLES / "positions" / "right_cross.yaml")).links["master"])
    act_by_keys(page, "interrupt")
    act_by_keys(page, "hand")
    axe(page)
    act_by_keys(page, "interrupt hand Block and Evade")
    wait_news(page, "interrupt")
    tab_to(page, "Record")
    press(page, "ArrowRight")
    assert focus(page) == "Values"
    assert "8" in page.get_by_role("tabpanel", name="Values").inner_text()
    axe(page)


def test_a_challenge_by_keys(lay: Lay, sit: Sit) -> None:
    """Two seats at a challenge: neither sees the cards of the other, before they turn up."""
    links = lay(str(EXAMPLES / "clearing" / "selecting.yaml")).links
    watch, foxes = sit(links["watch"]), sit(links["foxes"])
    for seat in (watch, foxes):
        tab_to(seat, "Record")
        press(seat, "ArrowRight")
    assert "hand" in watch.get_by_role("tabpanel", name="Values").inner_text()
    assert watch.get_by_text("select 7").count() == 1
    assert foxes.get_by_text("select 7").count() == 0
    act_by_keys(watch, "select 9")
    wait_news(watch, r"select\(ada, 9\)\. waiting for rook")
    wait_news(foxes, "rook may act")
    foxes.get_by_text("opening(ada): none to 9").wait_for(state="attached")
    axe(foxes)


def test_a_game_by_keys_in_firefox(lay: Lay, firefox: Firefox) -> None:
    firefox.open(lay("tictactoe").links["master"])
    while not firefox.value("document.activeElement.closest('.areas') !== null"):
        firefox.press("Tab")
    for actor, place in zip("xoxox", ["a1", "b1", "a2", "b2", "a3"], strict=True):
        firefox.press(*place, "Enter")
        firefox.wait_news(rf"put\({actor}, {place}\)")
        assert firefox.value(FOCUS) == f"{place}: {actor.upper()}"
    assert "wins" in firefox.wait_news("over|wins")


def test_a_table_is_a_list_that_is_measured_by_keys(lay: Lay, sit: Sit) -> None:
    page = sit(lay(str(EXAMPLES / "field" / "lawn.yaml")).links["master"])
    board = page.get_by_role("list", name="Board")
    assert board.get_by_role("listitem").count() == 11
    tab_to(page, "Hut")
    press(page, "a", "d", "a", "Shift+Enter")
    wait_news(page, "The ruler starts at Ada")
    press(page, "f", "i", "n")
    assert page.locator(".ruler text").text_content() == "9.0 inches, from the rim 8.0"
    press(page, "Enter")
    assert "9 in" in wait_news(page, "from ada to finn")
    page.get_by_label("Shade over the board").select_option("circle")
    page.get_by_label("length").fill("3")
    board_button(page, "Gar").focus()
    press(page, "Enter")
    assert "inside: gar" in wait_news(page, "circle")
    axe(page)


@pytest.mark.parametrize(("scheme", "contrast"), [("light", "active"), ("dark", "none")])
def test_small_screens(lay: Lay, sit: Sit, scheme: str, contrast: str) -> None:
    """At 360 pixels, and at 1,280 with letters of double size, nothing is scrolled sideways."""
    link = lay(str(EXAMPLES / "field" / "lawn.yaml")).links["master"]
    for width, size in ((360, 100), (1280, 200)):
        page = sit(link, width, color_scheme=scheme, forced_colors=contrast)
        page.evaluate(f"document.documentElement.style.fontSize = '{size}%'")
        page.get_by_role("tab", name="Seats").wait_for()
        for tab in page.get_by_role("tab").all():
            tab.click()
            wide = page.evaluate("document.documentElement.scrollWidth")
            assert wide <= width, tab.inner_text()
        axe(page)
