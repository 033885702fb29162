"""Disputes in a browser: claims, a ruling, the next action under it; forecasts; plans."""

from pathlib import Path

import pytest

from pymorph.adjudication.case import Case
from tests.conftest import ROOT
from tests.doors.browsers import Laid, Lay, Sit, axe, press, wait_news

pytestmark = pytest.mark.doors

FLYING = ROOT / "examples/rulesets/nine_mens_morris/rules/disputes/flying.yaml"
CROSS = ROOT / "examples/disputes/right_cross.yaml"
FLY = "move(white, a7, e4)"
EVIL = "<img src=x onerror=alert(1)>"


def of_case(lay: Lay, folder: Path, case: Path) -> Laid:
    """The position of a case, laid."""
    file = folder / "begun.yaml"
    file.write_text(Case.load(case).position.yaml(folder), encoding="utf-8")
    return lay(str(file))


def test_ruled_by_keyboard(lay: Lay, sit: Sit, tmp_path: Path) -> None:
    laid = of_case(lay, tmp_path, FLYING)
    master, white = sit(laid.links["master"]), sit(laid.links["white"])
    master.get_by_role("tab", name="Record").focus()
    press(master, "ArrowRight", "ArrowRight", "Tab")
    for name, down in (("Ann", 0), (EVIL, 1)):
        master.keyboard.type(name)
        press(master, "Tab", *["ArrowDown"] * down, "Tab")
        master.locator("[name=what]").fill("")
        master.keyboard.type(FLY)
        press(master, "Enter")
        wait_news(master, r"Added: (il)?legal\(move")
        master.get_by_label("Who claims").focus()
    master.get_by_role("button", name="Judge the claims").focus()
    press(master, "Enter")
    wait_news(master, r"Ann: legal\(move\(white, a7, e4\)\): depends")
    axe(master)
    master.get_by_role("button", name="Rule: along lines").focus()
    press(master, "Enter")
    assert EVIL in wait_news(master, r"Ruled: along lines.*Ann: .*: rejected")
    assert "along_lines" in (laid.folder / "rulings.yaml").read_text(encoding="utf-8")
    white.locator("pymorph-tableau", has_text="along_lines").wait_for(state="attached")
    action = white.locator("input[name=action]")
    action.fill(FLY)
    press(white, "Enter")
    wait_news(white, "not legal")
    answer = white.locator("pymorph-answer")
    assert "nmm_03" in answer.locator("summary").first.inner_text()
    answer.get_by_role("button", name="Dispute this").click()
    assert white.locator("pymorph-disputes [name=what]").input_value() == FLY
    assert white.get_by_role("button", name="Withdraw").count() == 0
    white.get_by_role("button", name="Add the claim").click()
    white.get_by_role("button", name="Judge the claims").click()
    wait_news(white, r"legal\(move\(white, a7, e4\)\): rejected")
    master.locator("[name=title]").fill("May he fly?")
    press(master, "Enter")
    wait_news(master, r"Saved to .*may_he_fly\.yaml")
    master.get_by_role("button", name="Withdraw").click()
    wait_news(master, "Withdrawn: flying")
    white.locator("pymorph-tableau:not(:has-text('along_lines'))").wait_for(state="attached")
    action.fill(FLY)
    press(white, "Enter")
    white.locator("pymorph-record", has_text=FLY).wait_for(state="attached")


def test_forecast(lay: Lay, sit: Sit, tmp_path: Path) -> None:
    page = sit(of_case(lay, tmp_path, CROSS).links["baganal"])
    page.get_by_role("tab", name="Forecast").click()
    page.get_by_role("button", name="Show the forecast").click()
    wait_news(page, r"\d+ figures")
    times = page.locator("ol.times")
    after = times.locator("> li", has_text="2 turns")
    assert "baganal: turns to payoff" in after.inner_text()
    page.get_by_label("Time line in").select_option("ticks")
    made = times.locator("li", has_text="ticks to payoff").last
    made.locator("summary").click()
    assert "Ticks uncovered 5" in made.inner_text().replace("\u00a0", " ")
    axe(page)
    made.get_by_role("button", name="Dispute this").click()
    assert page.locator("pymorph-disputes [name=value]").input_value() == "5"


def test_plan_stopped(lay: Lay, sit: Sit) -> None:
    laid = lay("connect_four")
    page, other = sit(laid.links["red"]), sit(laid.links["yellow"])
    page.get_by_role("tab", name="Plans and odds").click()
    page.get_by_label("Plan for the goal").fill("wins(red)")
    page.get_by_label("Within").fill("30")
    page.get_by_label("Played by").select_option("red")
    page.get_by_role("button", name="Plan", exact=True).click()
    page.locator("pymorph-job", has_text="still running").wait_for()
    axe(page)
    page.get_by_role("button", name="Stop").click()
    wait_news(page, r"wins\(red\): stopped: no line")
    assert page.locator("pymorph-job").get_attribute("data-state") == "stopped"
    other.reload()
    other.locator("pymorph-job[data-state=none]").wait_for(state="attached")
    page.get_by_label("Odds of the action").fill("drop(red, a)")
    page.get_by_role("button", name="Work out the odds").click()
    page.locator("pymorph-job[data-state=done]", has_text="drop(red, a)").wait_for()
