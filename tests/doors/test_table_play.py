"""Games at the table in Chromium: by clicks, with rolls from real dice, and what is forbidden."""

import re
import shutil
from pathlib import Path

import pytest

from tests.conftest import EXAMPLES
from tests.doors.browsers import Lay, Sit, board_button, choose, wait_news

pytestmark = pytest.mark.doors


def test_tictactoe_by_clicks(lay: Lay, sit: Sit) -> None:
    """One click puts a mark; a taken square says why; the end names the winner and its rule."""
    page = sit(lay("tictactoe").links["master"])
    for place in ("b2", "a3", "c3"):
        board_button(page, place).click()
        wait_news(page, place)
    board_button(page, "a3").click()
    wait_news(page, "put o a3 is not legal: Empty squares")
    reason = page.locator(".reason").inner_text()
    assert "A player puts a mark only into an empty square. [ttt_02]" in reason
    board_button(page, "c1").click()
    wait_news(page, "c1")
    board_button(page, "a1").click()
    wait_news(page, "x wins")
    assert "x wins" in page.locator("pymorph-choices").inner_text()
    page.get_by_role("button", name="Undo").click()
    page.locator("pymorph-choices .legal[data-action='put(x, a1)']").wait_for()
    page.get_by_role("button", name="Redo").click()
    page.locator("pymorph-choices .over").wait_for()
    page.get_by_role("button", name="put(x, c3)").click()
    page.locator("#headline", has_text="step 3 of 5, not now").wait_for()
    assert page.locator("pymorph-choices button").count() == 0
    page.get_by_role("button", name="Go on from here").click()
    page.locator("pymorph-choices .legal[data-action='put(o, a1)']").wait_for()
    assert page.locator("pymorph-record li").count() == 3


def test_a_capture_in_draughts(lay: Lay, sit: Sit) -> None:
    """From, to; where a man must take, the square that it may not go to says so."""
    laid = lay("draughts")
    page = sit(laid.links["master"])
    for start, end in (("c3", "d4"), ("f6", "e5")):
        board_button(page, start).click()
        board_button(page, end).click()
        wait_news(page, end)
    board_button(page, "d4").click()
    board_button(page, "c5").click()
    wait_news(page, "move black d4 c5 is not legal: Taking is compulsory")
    board_button(page, "f6").click()
    wait_news(page, r"taken\(e5\)")
    assert board_button(page, "e5").get_attribute("aria-label") == "e5: empty"
    assert "jump(black, [d4, f6])" in laid.record.read_text()


def test_chess_needs_two_clicks_and_says_why_not(lay: Lay, sit: Sit) -> None:
    """Nothing moves at the first click, even if there is one way; a far square names its rule."""
    page = sit(lay("chess").links["master"])
    board_button(page, "e2").click()
    assert "open" in str(board_button(page, "e4").get_attribute("class"))
    board_button(page, "e5").click()
    wait_news(page, "move white e2 e5 is not legal: Pawns step")
    page.locator(".reason .forbidden").first.click()
    wait_news(page, r"not legal: move\(white, e2, e5\)")
    assert "FIDE Laws of Chess" in page.locator("pymorph-answer").inner_text()
    board_button(page, "e4").click()
    wait_news(page, r"move\(white, e2, e4\)")
    assert page.locator("pymorph-record li").count() == 1


def test_an_interruption_in_a_duel(lay: Lay, sit: Sit) -> None:
    """A technique is interrupted part by part; the Readies that this costs are paid one by one."""
    page = sit(lay(str(EXAMPLES / "positions" / "right_cross.yaml")).links["master"])
    page.locator("[data-term=baganal]").click()
    choose(page, "interrupt", "hand", "interrupt hand Sword 3")
    wait_news(page, r"interrupts\(baganal, main, right_cross\)")
    choose(page, "invoke")
    wait_news(page, "invoke")
    choose(page, "next phase")
    wait_news(page, "next_phase")
    choose(page, "ready 3")
    wait_news(page, "ready")
    page.get_by_role("tab", name="Values").click()
    assert "die 5" in page.locator("pymorph-tableau").inner_text()


def test_real_dice(lay: Lay, sit: Sit) -> None:
    """The roll of an attack is entered as it came up; an outcome that no die shows is refused."""
    laid = lay("actions_reactions")
    page = sit(laid.links["master"])
    page.get_by_label("we roll real dice").check()
    board_button(page, "Kara").click()
    board_button(page, "Grub").click()
    choose(page, "attack standard charge grub")
    wait_news(page, "a roll is due")
    page.get_by_label("what came up").last.fill("21")
    page.get_by_label("what came up").last.press("Enter")
    wait_news(page, "No roll that is due can show that")
    page.get_by_label("what came up").last.fill("19")
    page.get_by_label("what came up").last.press("Enter")
    wait_news(page, r"hit\(kara, grub\)")
    assert "roll(chance, 19)" in laid.record.read_text()


def test_a_point_on_a_table(lay: Lay, sit: Sit) -> None:
    """A click on a table in inches enters a point of a move; why is asked before it is made."""
    laid = lay("standoff")
    page = sit(laid.links["master"])
    board_button(page, "Ann").click()
    page.locator("form.entry").wait_for()
    box = page.locator(".picture").bounding_box()
    assert box
    page.mouse.click(box["x"] + box["width"] * 0.25, box["y"] + box["height"] * 0.65)
    entered = page.locator("form.entry input").input_value()
    assert re.fullmatch(r"\[[\d.]+, [\d.]+\]", entered)
    page.locator("form.entry").get_by_role("button", name="Why?").click()
    wait_news(page, "^legal: move")
    page.locator("form.entry").get_by_role("button", name="Enter").click()
    wait_news(page, r"moved\(ann\)")


def test_an_answer_over_the_board(lay: Lay, sit: Sit) -> None:
    """A line of sight is asked for in words, and drawn; the note below says the rule."""
    page = sit(lay("standoff").links["master"])
    field = page.get_by_label("An action, or a question")
    field.fill("sight bea col")
    field.press("Enter")
    page.locator("#notes", has_text="Sight from Bea to Col: clear [sto_06]").wait_for()


EVIL = '<img src=x onerror="document.title=1"> \'"&amp; \u05d0\u05d1 ' + "long " * 60


def test_names_and_texts_are_never_markup(lay: Lay, sit: Sit, tmp_path: Path) -> None:
    """Titles, rule texts and names with markup, quotes and right-to-left marks stay texts."""
    game = tmp_path / "evil"
    shutil.copytree(EXAMPLES / "rulesets" / "tictactoe", game)
    rules = game / "rules" / "game.lp"
    quoted = EVIL.replace("\\", "\\\\").replace('"', '\\"')
    text = rules.read_text()
    assert text.count('"Empty squares"') == 1
    rules.write_text(text.replace('"Empty squares"', f'"{quoted}"') + f'\ntitle(b2, "{quoted}").\n')
    page = sit(lay(str(game)).links["master"])
    for place in ("b2", "a1", "b2"):
        board_button(page, place).click()
        wait_news(page, f"{place}|onerror")
    page.locator(".reason .forbidden").first.click()
    wait_news(page, "not legal")
    assert "<img src=x onerror" in page.locator(".reason").inner_text()
    assert page.locator("img[src=x]").count() == 0
    assert page.title() == "Tic-tac-toe (master)"
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0
