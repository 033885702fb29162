"""The seats of a table in a browser: what is hidden leaves no seat by any task, and the panel.

Two positions that look the same to a seat are laid on two tables. Every task of the server is asked
at both, and gives the same, letter by letter.
"""

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from pymorph import PymorphError
from pymorph.answers import encode
from pymorph.doors.seats import Table
from pymorph.doors.table.tasks import CHANGING, TASKS, table_at, work
from pymorph.state.position import Position
from tests import casework
from tests.doors.browsers import Lay, Sit, board_button
from tests.doors.test_seats import CASES, PROJECT, Pair, pairs_of, questions
from tests.test_hidden_hands import FILE, PAGE

pytestmark = pytest.mark.doors

Asked = tuple[str, dict[str, Any]]


def asked(seat: str, actions: list[str]) -> Iterator[Asked]:
    """Every task, in the ways in which a page asks it."""
    names = sorted({action.partition("(")[0] for action in actions if action.endswith(")")})
    for task in ("screen", "record", "players", "claims", "forecast", "rulings", "undo"):
        yield task, {}
    for step in (0, 1, 2):
        yield "screen", {"step": step}
    yield "screen", {"over": {"sight": [seat]}}
    yield "forecast", {"next": True}
    for name in names[:3]:
        yield "forbidden", {"name": name}
    for action in actions:
        yield "forbidden", {"clicked": [[word] for word in actions[0].split("(")[1:]]}
        name, _, rest = action.rstrip(")").partition("(")
        yield "forbidden", {"name": name, "parts": [rest.partition(",")[0], "_"]}
        yield "ask", {"verb": "why", "options": {"what": action}}
    for verb in ("show", "legal", "forecast", "plan", "check"):
        yield "ask", {"verb": verb, "options": {}}
    for claim in (f"legal({actions[0]})", f"illegal({actions[-5]})", "drawn"):
        yield "dispute", {"claims": [{"claim": claim, "by": seat}]}
    yield "rule", {"question": "any", "option": "any"}
    yield "withdraw", {"question": "any"}
    yield "save", {"claims": [{"claim": f"legal({actions[0]})", "by": seat}]}
    yield "redo", {"moves": [{"action": actions[0], "rolls": []}]}


def heard(path: str, seat: str, task: str, given: dict[str, Any]) -> str:
    """What the page hears: the answer, or the error."""
    try:
        return json.dumps(encode(work(None, path, seat, task, given)), ensure_ascii=False)
    except PymorphError as error:
        return f"{type(error).__name__}: {error}"


def compare(folder: Path, number: int, pair: Pair) -> tuple[set[str], int]:
    """Ask and play the same at two tables; gives the tasks that were compared, and the answers."""
    seat, *truths = pair
    paths = []
    for name, truth in zip("ab", truths, strict=True):
        (folder / name).mkdir(exist_ok=True)  # each in a folder of its own, under the same name
        paths.append(str(folder / name / f"{number}.yaml"))
        Table.laid(paths[-1], truth, "4711")

    def differ() -> bool:
        return len({table_at(path).seat(seat).view() for path in paths}) > 1

    if differ():  # what came of itself, or a roll, tells them apart
        return set(), 0
    actions = questions((truths[0], truths[1]))
    count, tasks = 0, set[str]()
    plays = [("play", {"action": action}) for action in actions]
    for task, given in (*asked(seat, actions), *plays, ("screen", {}), ("record", {})):
        one, other = (heard(path, seat, task, given) for path in paths)
        if task == "play" and differ():
            break  # the rules have shown which of the two it was
        assert one == other, (task, given)
        tasks.add(task)
        count += 1
    return tasks, count


def games(folder: Path) -> list[Position]:
    """The positions of the page about sealed bids and hidden hands."""
    for name, text in FILE.findall(PAGE.read_text(encoding="utf-8")):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return [Position.load(folder / name) for name in ("bids.yaml", "hand.yaml")]


def test_no_task_gives_away_a_bid_or_a_hand(tmp_path: Path) -> None:
    pairs = [pair for position in games(tmp_path) for pair in pairs_of(position)]
    results = [compare(tmp_path, number, pair) for number, pair in enumerate(pairs)]
    assert set().union(*(tasks for tasks, _ in results)) == set(TASKS) > set(CHANGING)
    assert sum(count for _, count in results) > 40 * len(pairs)


@pytest.mark.parametrize("name", CASES)
def test_no_task_gives_away_a_hand_or_a_cover(name: str, tmp_path: Path) -> None:
    """Of a skirmish, and of a duel with covers and crossings."""
    game, _, file = name.partition("/")
    cases = {case.id: case for case in casework.load(casework.folder(game) / f"{file}.yaml")}
    [pair] = islice(pairs_of(cases[CASES[name][0]].position()), 1)
    assert compare(tmp_path, 0, pair)[1] > 30


def test_no_task_gives_away_what_is_declared_in_secret(tmp_path: Path) -> None:
    known = (PROJECT / "rules/phases_of_play/known.txt").read_text(encoding="utf-8").splitlines()
    text = next(line for line in known if "what_is_public: kind_public" in line)
    [pair] = islice(pairs_of(Position.parse(text)), 1)
    assert compare(tmp_path, 0, pair)[1] > 20


# -- the panel -------------------------------------------------------------------------------------


def test_a_computer_takes_a_seat(lay: Lay, sit: Sit) -> None:
    """The master lets a computer play o: it answers x, waits after an undo, and goes on."""
    links = lay("tictactoe").links
    master, x = sit(links["master"]), sit(links["x"])
    master.get_by_role("tab", name="Seats").click()
    rows = master.locator("pymorph-seats tbody tr")
    assert [row.split()[0] for row in rows.all_inner_texts()] == ["master", "o", "x", "spectator"]
    rows.nth(2).get_by_text("yes").wait_for()
    master.get_by_label("Who plays o").select_option("random")
    board_button(x, "b2").click()
    x.locator("pymorph-record li").nth(1).wait_for()
    master.get_by_role("tab", name="Record").click()
    master.get_by_role("button", name="Undo").click()
    master.get_by_role("tab", name="Seats").click()
    master.get_by_role("button", name="Let computers go on").click()
    x.locator("pymorph-record li").nth(1).wait_for()
    assert x.get_by_role("tab", name="Seats").count() == 0


def test_another_game_is_opened_in_the_page(lay: Lay, sit: Sit) -> None:
    """A new game, and the record of the first one again."""
    laid = lay("tictactoe")
    (laid.folder / "middle.yaml").write_text("ruleset: tictactoe\nturn: o\n")
    master = sit(laid.links["master"])
    for game, label, press in (
        ("Connect four", "connect_four", "Start"),
        ("Tic-tac-toe", "", "Open middle.yaml"),
    ):
        master.get_by_role("tab", name="Seats").click()
        master.get_by_text("Open another game").click()
        if label:
            master.get_by_label("Game", exact=True).select_option(label)
        master.get_by_role("button", name=press).click()
        master.locator("#title", has_text=game).wait_for()
    assert master.locator("pymorph-record li").count() == 0
    master.get_by_role("tab", name="Seats").click()
    master.get_by_text("Open another game").click()
    records = master.locator(".files a")
    records.nth(2).wait_for()
    names = ["connect_four.game1.yaml", "middle.game1.yaml", "tictactoe.game1.yaml"]
    assert records.all_inner_texts() == names
