"""Playing at one terminal: turn by turn, back and forth, and nothing of it is lost."""

import io
import os
import pty
import re
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from pymorph import errors
from pymorph.explore.execution import application
from pymorph.explore.execution.session import Session
from pymorph.state.files import record_file
from pymorph.state.position import Position
from pymorph.state.record import Record
from pymorph.terms import parse
from pymorph.views.lines import answers as text
from pymorph.views.lines.menu import Menu
from tests.conftest import EXAMPLES, ROOT, Run, full, started
from tests.tables import tables
from tests.test_hidden_hands import FILE, PAGE, written

Play = Callable[..., tuple[int, str, str]]
START = "my_game/positions/start.yaml"
FIRST = "my_game/records/first.yaml"
SCORES = {"ash": 11, "bryn": 17, "cole": 14, "dara": 8}


@pytest.fixture
def play(pymorph: Run, monkeypatch: pytest.MonkeyPatch) -> Play:
    """A game with what is said at the prompt, line by line."""

    def run(file: object, *said: str, options: tuple[object, ...] = ()) -> tuple[int, str, str]:
        lines = "".join(f"{line}\n" for line in said)
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(lines.encode())))
        return pymorph("play", file, *options)

    return run


def actions_in(path: str) -> list[str]:
    return [move.action for move in Record.load(path).steps]


# Turn by turn


def test_no_more_lines_than_a_person_reads() -> None:
    actions = [parse(f"hop({who}, {n})") for who in ("anna", "bo") for n in range(0, 40, 2)]
    listed = Menu(actions)
    lines = listed.opened(list(enumerate(actions, 1)), few=12)
    assert lines[:2] == [
        "anna may",
        "   1  hop(anna, 0)     6  hop(anna, 10)   11  hop(anna, 20)   16  hop(anna, 30)",
    ]
    assert lines[6] == "bo may"
    assert len(lines) == 12
    assert len(listed.opened(list(enumerate(actions, 1)), few=None)) == 42


# Rolls


def test_whose_roll_it_is(play: Play) -> None:
    """act_data_01: a roll says whose attack it is; what is under way is no news by itself."""
    out = play(EXAMPLES / "yard" / "start.yaml", "attack(kara, standard, attack_melee, grub)", "15",
               "5")[1]  # fmt: skip
    assert "pending: roll(chance, 1..20), each 1/20 [act_data_01]\n  for: Kara attacks grub," in out
    assert "pending: harm(chance, 1..8), each 1/8 [act_data_02]\n  for: Kara hits grub," in out
    assert "\nthen, automatically\n  event:  hit(kara, grub)  [act_data_01]\n" in out
    assert "vitality(grub):  8 -> 3 " in out
    page = (ROOT / "docs" / "howto" / "referee.md").read_text()
    assert page.split("```text\nround 2, turn kara> ")[1].split("```")[0] in out
    for bookkeeping in ("stage(", "doer(", "proceed("):
        assert bookkeeping not in out


@pytest.mark.campaign
def test_each_seat_sees_its_own_cards(play: Play) -> None:
    said = ("attack(ada, sword, rook, basic)", "react(rook, def)", "as foxes", "as", "as wach")
    path = EXAMPLES / "clearing" / "in_reach.yaml"
    _, out, _ = play(path, *said, options=("--as", "watch", "--roll", "5"))
    watch, rest = out.split("> as foxes\n")
    foxes, everybody = rest.split("> as\n")
    assert "waiting for: rook" in watch
    assert "draw(chance, rook, hidden)\n  hand(rook, hidden):  0 -> 1" in watch
    assert "  buffs     hidden 5" in watch
    assert re.search(r"^  hand  hidden 3$", foxes, re.MULTILINE)
    assert "waiting for: ada" in foxes
    assert "ada may" not in foxes
    assert "ada may" in watch
    assert "hidden" not in everybody
    assert "unknown viewer 'wach'; did you mean 'watch'?" in everybody


def test_a_refusal_shows_no_hand_of_others(play: Play, tmp_path: Path) -> None:
    """Bob must follow suit: that he holds such a card, only he may know."""
    written(tmp_path)
    (tmp_path / "hand.yaml").write_text(dict(FILE.findall(PAGE.read_text()))["hand.yaml"])
    ann, bob = (
        play(tmp_path / "hand.yaml", "play(bob, elm(1))", options=("--as", who))[1]
        for who in ("ann", "bob")
    )
    assert "depends on place(elm(1)), place(oak(3))" in ann
    assert "not legal" not in ann
    assert "not legal: play(bob, elm(1))\n\nforbidden by fol_02" in bob


def test_apply_says_what_is_to_be_entered() -> None:
    """pha_init_03: play waits for the other scores, then for nothing."""
    start = Position.load(EXAMPLES / "courtyard" / "start.yaml")
    scores = [f"initiative({who}, {score})" for who, score in SCORES.items()]
    found = application.apply(start, scores[0])
    assert [str(each.form.arguments[1]) for each in found.awaited] == ["bryn", "cole", "dara"]
    told = text.outcome(found)
    assert told[told.index("master enters") + 1] == (
        "  initiative(master, bryn, score)  [pha_init_03]"
    )
    assert application.apply(start, *scores).awaited == ()


# Saving


def test_somebody_else_added_meanwhile(my_game: Path, play: Play, pymorph: Run) -> None:
    sitting = Session(Record.load(FIRST), record_file.read(FIRST))
    sitting.act("take(1)")
    assert pymorph("apply", FIRST, "take(3)", "--append")[0] == 0
    with pytest.raises(errors.InputError, match="the file has changed since"):
        sitting.save(FIRST)
    assert actions_in(FIRST) == ["take(anna, 2)", "take(bo, 3)", "take(anna, 3)"]


def test_no_room_for_the_record(my_game: Path, play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "mkstemp", full)
    code, out, err = play(START, "1", "save", "2", options=("--record", "r.yaml"))
    assert (code, err) == (2, "r.yaml: cannot be written: no space left on device\n")
    assert "cannot be written: no space left on device\n" in out
    record = Record.parse(out.split("write this record to a file:\n")[1])
    assert len(record.steps) == 2


# The terminal


def test_ctrl_c_keeps_the_record(my_game: Path) -> None:
    process = started("play", START, "--record", "r.yaml", stdin=subprocess.PIPE)
    assert process.stdin
    assert process.stdout
    process.stdin.write("1\n")
    process.stdin.flush()
    while "take(bo, 3)" not in process.stdout.readline():
        pass
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (130, "")
    assert out == "\nwrote r.yaml\n"
    assert actions_in("r.yaml") == ["take(anna, 1)"]


def test_nobody_reads_on(my_game: Path) -> None:
    process = started("play", START, "--record", "r.yaml", stdin=subprocess.PIPE)
    assert process.stdin
    assert process.stdout
    process.stdout.close()
    process.stdin.write("1\n")
    process.stdin.close()
    assert process.wait(timeout=60) == 141


def test_at_a_terminal(my_game: Path) -> None:
    """A question answered with y, a prompt, colours; Ctrl-C drops the line, Ctrl-D ends."""
    Path("r.yaml").write_text("old\n")
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "pymorph", "play", START, "--record", "r.yaml"],
        stdin=theirs, stdout=theirs, stderr=theirs,
        env={**os.environ, "TERM": "xterm"},
    )  # fmt: skip
    os.close(theirs)
    for prompt, said in tables(__name__)["prompts"]:
        shown = b""
        while not re.sub(rb"\x1b\[[0-9;?]*[A-Za-z]", b"", shown).rstrip().endswith(prompt):
            assert select.select([ours], [], [], 30)[0], shown
            shown += os.read(ours, 65536)
        os.write(ours, said)
    assert process.wait(timeout=30) == 0
    assert b"\x1b[" in shown
    assert actions_in("r.yaml") == ["take(anna, 3)"]


@pytest.fixture
def typed(pymorph: Run, monkeypatch: pytest.MonkeyPatch) -> Play:
    """A game at a terminal, with the keys that are pressed."""
    monkeypatch.setattr("pymorph.cli.verbs.play.at_terminal", lambda _: True)

    def run(file: object, keys: str, options: tuple[object, ...] = ()) -> tuple[int, str, str]:
        with create_pipe_input() as pipe, create_app_session(input=pipe, output=DummyOutput()):
            pipe.send_text(keys)
            return pymorph("play", file, *options)

    return run


def test_keys_at_a_terminal(my_game: Path, typed: Play) -> None:
    """Tab completes a name, an action and a command; Ctrl-C drops what was typed."""
    keys = ["ta\t2)\r", "ta\t\t3)\r", "wh\t ta\t9)\r", "le\t al\t\r", "?\r"]
    keys += ["take(1)\x03", "sa\t\r", "q\r"]
    code, out, err = typed(START, "".join(keys), ("--record", "r.yaml"))
    assert (code, err) == (0, "")
    assert actions_in("r.yaml") == ["take(anna, 2)", "take(bo, 3)"]
    assert out.count("not legal: take(anna, 9)\n") == 1
    assert "Tab completes" in out
    assert out.count("wrote r.yaml\n") == 1


def test_no_writing_over_after_ctrl_c(my_game: Path, typed: Play) -> None:
    Path("r.yaml").write_text("old\n")
    out = typed(START, "1\rsave r.yaml\r\x03\x04")[1]
    assert "nothing was written" in out
    assert "not saved; to continue the game later" in out
    assert Path("r.yaml").read_text() == "old\n"


def test_what_leaves_no_choice_is_done(typed: Play, tmp_path: Path) -> None:
    """mor_game_06: at a terminal the phase in which one can only invoke goes by."""
    start, record = ROOT / "rules/morphyry/positions/start.yaml", tmp_path / "r.yaml"
    out = typed(start, "next_phase\r" * 3 + "undo 9\rredo\rq\r", ("--record", record))[1]
    assert "\nthen, automatically\n" in out
    assert "close(clock, end)" not in out
    assert "undone: invoke(lathana)\n" in out
    assert "\nredone: next_phase(baganal)\n" in out
    assert actions_in(str(record)) == ["invoke(baganal)", "next_phase(baganal)"]


@pytest.mark.parametrize(
    "said", [b"", b"\xff\xfe\n", b"\0\n", b"x" * 5000, "\u202e\U0001f600\n".encode()]
)
def test_hostile_words(my_game: Path, said: bytes) -> None:
    process = started("play", START, stdin=subprocess.PIPE, text=False)
    out, err = process.communicate(said, timeout=60)
    assert (process.returncode, err) == (0, b"")
    assert b"Traceback" not in out
