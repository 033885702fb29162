"""Games by keyboard alone, and pages as a screen reader has them."""

import pytest

from tests.doors.browsers import Firefox, Lay, Sit, axe, board_button

pytestmark = pytest.mark.doors


def test_start(lay: Lay, sit: Sit) -> None:
    page = sit(lay("tictactoe").links["master"])
    assert board_button(page, "a3").get_attribute("aria-label") == "a3: empty"
    axe(page)


def test_firefox(lay: Lay, firefox: Firefox) -> None:
    firefox.open(lay("tictactoe").links["master"])
    assert firefox.value("document.title") == "Tic-tac-toe (master)"
