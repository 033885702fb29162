"""Playing at one terminal: turn by turn, back and forth, and nothing of it is lost."""

from __future__ import annotations

import io
import json
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
from pymorph.explore.execution import application, replay
from pymorph.explore.execution.session import Session
from pymorph.state.files import record_file
from pymorph.state.position import Position
from pymorph.state.record import Record
from pymorph.terms import parse
from pymorph.views.lines import answers as text
from pymorph.views.lines.menu import Menu
from tests.conftest import EXAMPLES, ROOT, started
from tests.tables import expected

Run = Callable[..., tuple[int, str, str]]
Play = Callable[..., tuple[int, str, str]]
START = "my_game/positions/start.yaml"
FIRST = "my_game/records/first.yaml"
STALL = "stall/positions/start.yaml"
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


def test_a_few_turns(my_game: Path, play: Play) -> None:
    code, out, err = play(START, "2", "take(3)", "quit", options=("--record", "r.yaml"))
    assert (code, err) == (0, "")
    assert out == (expected("playing/a_few_turns"))
    assert actions_in("r.yaml") == ["take(anna, 2)", "take(bo, 3)"]
    assert replay.replay(Record.load("r.yaml")).good


def test_what_is_refused_is_explained(my_game: Path, pymorph: Run, play: Play) -> None:
    """heap_02: nobody takes five; the game goes on from where it was."""
    code, out, _ = play(
        START, "take(5)", "tke(1)", "4", "0", "take(", "why 2", "why take(5)", "wy 3", "shw"
    )
    assert code == 0
    assert out.count(pymorph("why", START, "take(5)")[1]) == 2
    assert pymorph("why", START, "take(2)")[1] in out
    assert "unknown action 'tke'; did you mean 'take'?\n" in out
    assert "no action has the number '4'; expected 1 to 3\n" in out
    assert "no action has the number '0'; expected 1 to 3\n" in out
    assert "'take(' lacks" in out or "'take(' is not a term" in out
    assert "unknown word 'wy'; did you mean 'why'?\n" in out
    assert "unknown word 'shw'; did you mean 'show'?\n" in out
    assert out.count("turn anna, heap 10> ") == 9


def test_questions_at_the_table(my_game: Path, pymorph: Run, play: Play) -> None:
    out = play(FIRST, "forecast", "forecast score(anna)", "show", "legal", "help", "")[1]
    assert pymorph("forecast", FIRST)[1] in out
    assert pymorph("forecast", FIRST, "score(anna)")[1] in out
    assert out.count(pymorph("show", FIRST)[1]) == 2
    assert out.count("anna may\n  1  take(anna, 1)\n") == 2
    for word in ("NUMBER", "why ACTION", "undo [N]", "save [FILE]", "quit, exit, q"):
        assert f"\n  {word} " in out
    assert play(FIRST, "?", "q", "1")[1].split(" ?\n")[1] in (
        play(FIRST, "help", "exit", "1")[1].replace("exit\n", "q\n")
    )


def test_the_end_of_a_game(my_game: Path, play: Play) -> None:
    out = play(FIRST, "take(1)", "take(1)", "take(3)", "1", "take(1)", "undo", "take(1)")[1]
    assert "the game is over: anna wins, The last counter [heap_03]\n" in out
    assert "no action has the number '1'; nothing to choose now" in out
    assert "forbidden by heap_03" in out
    assert out.count("undone: take(anna, 3)") == 1


def test_who_has_won(play: Play) -> None:
    """con_04: the board is shown after each move, and the end says who has won and why."""
    start = EXAMPLES / "rulesets" / "connect_four" / "positions" / "start.yaml"
    code, out, err = play(start, *"1212121", "1", "q")
    assert (code, err) == (0, "")
    assert out.count("\n       a   b   c ") == 8
    ending = out.split("the game is over: red wins, ")[1]
    assert "undo: take back the last step" in ending
    assert "no action has the number '1'; nothing to choose now\n" in ending


def test_a_kind_of_actions_is_one_line(stall: Path, play: Play) -> None:
    """Throwing two to sixty times is one line among others; its number and its name open it."""
    rules = Path("stall/rules/game.lp")
    rules.write_text(rules.read_text().replace("many, range(2, 4)", "many, range(2, 60)"))
    said = ["legal all", "legal", "7", "7", "undo", "throws", "throws 60"]
    found = play(STALL, *said)[1].split("anna may\n")[1:]
    folded, everything, again, opened, _, named, *_ = found
    assert folded == again.replace("7\n\n", "legal all\n")
    assert folded.startswith(
        "      1  duel(anna)\n      2  pass(anna)\n      3  throw(anna)\n"
        "  4..62  throws(anna, ...)  59 actions\nturn anna> "
    )
    assert len(everything.split("turn anna> ")[0].splitlines()) == 62
    assert "\n  62  throws(anna, 60)\n" in everything
    assert opened.split("turn anna> ")[0] == named.split("turn anna> ")[0]
    assert opened.startswith("   4  throws(anna, 2)    24  throws(anna, 22)   ")
    assert "still to come: throws(anna, 4)" in opened
    assert "still to come: throws(anna, 59)" in named


def test_words_name_an_action(stall: Path, play: Play) -> None:
    out = play(STALL, "throws 4", "throws 5", "throws bo")[1]
    assert "still to come: throws(anna, 3)" in out
    assert "still to come: throws(anna, 2)" in play(STALL, "anna 3", "q")[1]
    assert "\nanna may\n  1  duel(anna)\n" in play(STALL, "anna", "q")[1]
    out = play(STALL, "throws 5", "throws bo")[1]
    assert "no legal throws with 5; expected one of 2, 3, 4, anna\n" in out


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


def test_rolls_are_asked_for(stall: Path, play: Play) -> None:
    """A number is what came up then; a macro goes on when its roll is made."""
    said = ["throws(2)", "3", "7", "throw", "gold", "6", "gold", "pass"]
    code, out, _ = play(STALL, *said, options=("--record", "r.yaml"))
    assert code == 0
    assert "still to come: throw(anna)\n" in out
    assert (
        "pending: roll(chance, anna, 1..6), each 1/6 [stall_02]\nenter what came up, or type roll\n"
        in out
    )
    assert "no roll that is due can show 7\n" in out
    assert "delayed by stall_02" in out
    assert Path("r.yaml").read_text().split("play:\n")[1] == (
        "  - at: {turn: anna}\n"
        "    do:\n"
        "      - throws(anna, 2): [roll(chance, anna, 3), roll(chance, anna, 6), "
        "flip(chance, anna, gold)]\n"
        "      - pass(anna)\n"
    )
    assert str(replay.end_of(Record.load("r.yaml")).value("points(anna)")) == "14"


def test_rolls_by_name(stall: Path, play: Play) -> None:
    """In a duel two rolls are due; a bare number is the first, a term is any."""
    play(STALL, "duel", "roll(bo, 2)", "5", options=("--record", "r.yaml"))
    [move] = Record.load("r.yaml").steps
    assert move.rolls == ("roll(chance, bo, 2)", "roll(chance, anna, 5)")


def test_dice_by_a_seed(stall: Path, play: Play) -> None:
    said = ["throw", "duel", "undo", "redo", "pass"]
    options = ("--roll", "blue", "--record")
    first = play(STALL, *said, options=(*options, "r.yaml"))
    second = play(STALL, *said, options=(*options, "s.yaml"))
    assert first[1].replace("r.yaml", "") == second[1].replace("s.yaml", "")
    assert Path("r.yaml").read_bytes() == Path("s.yaml").read_bytes()
    assert "say what came up" not in first[1]
    assert "redone: duel(anna)" in first[1]
    assert replay.replay(Record.load("r.yaml")).steps == 3
    ways = {play(STALL, "throw", "roll 7")[1] for _ in range(2)}
    assert len(ways) == 1
    assert "\nroll(chance, anna, 6)\n" in ways.pop()
    assert "no roll is due" in play(STALL, "roll")[1]
    assert play(STALL, "throw", "roll")[0] == 0


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


def test_what_a_seat_is_not_shown_is_played(play: Play) -> None:
    path = EXAMPLES / "clearing" / "selecting.yaml"
    _, out, _ = play(path, "select(ada, 9)", options=("--as", "foxes"))
    chosen = out.partition("> select(ada, 9)\n")[2]
    assert chosen.startswith("select(ada, hidden)\n  opening(ada):  none -> hidden")
    assert "  opening(ada):   hidden -> 9" in chosen
    assert "> undo" not in out
    assert "finn may" not in chosen
    assert "rook may" in chosen


def test_several_in_one_line(play: Play) -> None:
    """pha_init_03: what is awaited is told as it may be typed, and entered in one line."""
    out = play(
        EXAMPLES / "courtyard" / "start.yaml",
        "initiative(Bryn, 17); initiative cole 14; initiative(bryn, 18); initiative(ash, 11)",
        "initiative(ash, 11; dara, 8);",
        "2; confirm bryn",
        "announce bryn dash nothing; confirm bryn; 19",
    )[1]
    assert "  initiative(master, ash, score)   [pha_init_03]\n" in out
    assert (
        "\ntype initiative(ash, SCORE), or several at once: initiative(ash, SCORE; bryn, SCORE)\n"
        in out
    )
    said = re.split("^(?:phase declaration)?> ", out, flags=re.MULTILINE)
    first, second, third, fourth = said[1:5]
    assert "not legal: initiative(master, bryn, 18)\n" in first
    assert "not done: initiative(bryn, 18); initiative(ash, 11)\n" in first
    assert "type initiative(ash, SCORE), or several at once: initiative(ash, SCORE; dara" in first
    assert first.count(" enters\n") == second.count("bryn may\n") == 1
    assert "'2' can mean announce(bryn, attack, ash) or " in third
    assert "\nend_turn(bryn)\n" in fourth
    assert fourth.count(" may\n") == fourth.count("cole may\n") == 1


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


# Back and forth


def test_undo_and_redo(my_game: Path, play: Play) -> None:
    said = ["1", "1", "1", "undo 2", "redo", "undo 99", "undo", "redo 99", "redo", "undo x", "undo",
            "take(3)", "redo"]  # fmt: skip
    out = play(START, *said, options=("--record", "r.yaml"))[1]
    assert out.count("undone: ") == 5
    assert out.count("redone: ") == 4
    assert out.count("nothing can be ") == 3
    assert "expected a number of steps, not 'x'" in out
    assert actions_in("r.yaml") == ["take(anna, 1)", "take(bo, 1)", "take(anna, 3)"]


def test_a_roll_is_taken_back_before_its_action(stall: Path, play: Play) -> None:
    out = play(
        STALL, "throw", "6", "undo", "5", "undo 2", "redo 2", options=("--record", "r.yaml")
    )[1]
    assert "undone: roll(chance, anna, 6)\n" in out
    assert "undone: roll(chance, anna, 5)\nundone: throw(anna)\n" in out
    assert "redone: throw(anna)\nredone: roll(chance, anna, 5)\n" in out
    [move] = Record.load("r.yaml").steps
    assert move.rolls == ("roll(chance, anna, 5)",)


# Saving


def test_a_record_is_played_on(my_game: Path, play: Play) -> None:
    """What stands in the file stays; what is played comes at its end."""
    before = Path(FIRST).read_text()
    play(FIRST, "take(1)", "save", "take(2)", options=("--record", FIRST))
    assert Path(FIRST).read_text() == before + (
        "  - at: {turn: anna, heap: 5}\n    do:\n      - take(anna, 1)\n"
        "  - at: {turn: bo, heap: 4}\n    do:\n      - take(bo, 2)\n"
    )
    assert replay.replay(Record.load(FIRST)).steps == 4


def test_what_was_written_on_is_taken_back(stall: Path, play: Play) -> None:
    """Remarks in the file stay, however often it is saved, and a roll joins its action."""
    before = f"# Sunday\nposition: {STALL}\nplay:\n  - throw(anna): [roll(2)]\n"
    Path("r.yaml").write_text(before)
    said = ["throws(2)", "save", "3", "save", "4", "undo 3", "save", "redo 3", "pass"]
    play("r.yaml", *said, options=("--record", "r.yaml"))
    assert Path("r.yaml").read_text() == before + (
        "  - at: {turn: anna}\n"
        "    do:\n"
        "      - throws(anna, 2): [roll(chance, anna, 3), roll(chance, anna, 4)]\n"
        "      - pass(anna)\n"
    )


def test_saving_what_took_back_a_recorded_step(my_game: Path, play: Play) -> None:
    out = play(FIRST, "undo", "take(1)", "save", "no", "save", "y")[1]
    assert out.count("exists already; overwrite it? [y/N]") == 2
    assert "nothing was written" in out
    assert actions_in(FIRST) == ["take(anna, 2)", "take(bo, 1)"]


def test_another_file_is_not_written_over(my_game: Path, play: Play) -> None:
    Path("r.yaml").write_text("mine\n")
    code, out, err = play(START, options=("--record", "r.yaml"))
    assert (code, err) == (2, "r.yaml: exists already; choose another file\n")
    out = play(START, "1", "save r.yaml", "n", "save", "save s.yaml", "1", "save")[1]
    assert "nothing was written" in out
    assert "no file to write to; type save FILE" in out
    assert out.endswith(Path("s.yaml").read_text().split("play:\n")[1]) is False
    assert Path("r.yaml").read_text() == "mine\n"
    assert actions_in("s.yaml") == ["take(anna, 1)"]
    assert play(START, "y", "1", options=("--record", "r.yaml"))[0] == 0
    assert actions_in("r.yaml") == ["take(anna, 1)"]


def test_somebody_else_added_meanwhile(my_game: Path, play: Play, pymorph: Run) -> None:
    sitting = Session(Record.load(FIRST), record_file.read(FIRST))
    sitting.act("take(1)")
    assert pymorph("apply", FIRST, "take(3)", "--append")[0] == 0
    with pytest.raises(errors.InputError, match="the file has changed since"):
        sitting.save(FIRST)
    assert actions_in(FIRST) == ["take(anna, 2)", "take(bo, 3)", "take(anna, 3)"]


def test_what_is_not_saved_is_told(my_game: Path, play: Play) -> None:
    """At the end of input, without a file for it, the record itself is printed."""
    code, out, err = play(START, "1", "2")
    assert (code, err) == (0, "")
    record = Record.parse(out.split("write this record to a file:\n")[1])
    assert [move.action for move in record.steps] == ["take(anna, 1)", "take(bo, 2)"]
    assert "not saved" not in play(START)[1]
    assert "not saved" not in play(FIRST, "undo", "redo")[1]


def test_no_room_for_the_record(my_game: Path, play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> tuple[int, str]:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(tempfile, "mkstemp", full)
    code, out, err = play(START, "1", "save", "2", options=("--record", "r.yaml"))
    assert (code, err) == (2, "r.yaml: cannot be written: no space left on device\n")
    assert "cannot be written: no space left on device\n" in out
    record = Record.parse(out.split("write this record to a file:\n")[1])
    assert len(record.steps) == 2


def test_json_at_the_end(my_game: Path, play: Play) -> None:
    """For programs: what is said goes to standard error, the answer is that of replay."""
    code, out, err = play(START, "1", options=("--json", "--record", "r.yaml"))
    found = json.loads(out)
    assert (code, found["steps"], found["position"]["heap"]) == (0, 1, 9)
    assert "anna may" in err


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
    for prompt, said in (
        (b"[y/N]", b"y\r"),
        (b"heap 10>", b"1 and more\x03"),
        (b"heap 10>", b"\x03"),
        (b"heap 10>", b"3\r"),
        (b"heap 7, last 3>", b"\x04"),
    ):
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


def test_what_play_cannot_be_given(my_game: Path, pymorph: Run, play: Play) -> None:
    for words in (["-"], [START, "--record", "-"], ["nowhere.yaml"], [START, "--record"]):
        code, out, err = pymorph("play", *words)
        assert (code, out) == (2, "")
        assert len(err.splitlines()) == 1
    Path("r.yaml").write_text(f"position: {START}\nplay: [take(9)]\n")
    code, out, err = play("r.yaml")
    assert (code, out) == (2, "")
    assert "step 1 of the record cannot be carried out: take(anna, 9) is not legal: heap_02" in err


def test_house_rulings_go_into_the_record(my_game: Path, play: Play) -> None:
    play(START, "2", "take(2)", options=("--record", "r.yaml", "--reading", "same_again=barred"))
    record = Record.load("r.yaml")
    assert record.position.rulings == {"same_again": "barred"}
    assert len(record.steps) == 1
    assert record.position.with_rulings({}) != Position.load(START)
