"""Records: read with every fault at its place, written so that they read back, added to safely."""

import os
import pickle
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

import pymorph as package
from pymorph import yamlio
from pymorph.errors import InputError, PymorphError, RulesetError
from pymorph.explore.execution import replay
from pymorph.explore.execution.session import play_on
from pymorph.questions import legality
from pymorph.state.files import record_file
from pymorph.state.files.position_file import load
from pymorph.state.position import Position
from pymorph.state.record import Move, Record
from tests.conftest import Run, started
from tests.games import RULESETS
from tests.tables import parametrized, tables, tupled, with_campaign
from tests.test_safety import HOSTILE, LIMIT, mutated, refused

HEAD = """\
ruleset: ./my_game
position: {turn: anna, heap: 10, players: {anna: {}, bo: {}}}
"""
RESULT = '"{ruleset: ./my_game, turn: anna, heap: 10, players: {anna: {}, bo: {}}}"'


def record_of(play: str, head: str = HEAD) -> Record:
    return Record.parse(f"{head}play:\n{play}", "r.yaml")


def faults_of(text: str) -> list[str]:
    with pytest.raises(InputError) as caught:
        Record.parse(text, "r.yaml")
    return [str(fault) for fault in caught.value.faults]


# Reading


def test_steps_in_groups_and_alone(my_game: Path) -> None:
    record = record_of(tables(__name__)["groups"])
    assert record.position.value("heap").number == 10
    assert record.steps == (
        Move("take(anna, 2)", (), (("turn", "anna"), ("heap", "10"))),
        Move("take(3)"),
        Move("take(anna, 1)"),
    )
    assert [str(move.place) for move in record.steps] == ["r.yaml:6:9", "r.yaml:7:9", "r.yaml:8:5"]
    assert (record.version, record.hash, record.result) == ("", "", None)


def test_rolls_beside_their_action(stall: Path) -> None:
    """What YAML cuts at the commas in brackets is read as it is meant."""
    head = "position: stall/positions/start.yaml\n"
    record = Record.parse(
        head
        + "play:\n"
        + "  - throws(anna, 2): [roll(chance, anna, 3), roll(4)]\n"
        + '  - throw(anna): ["roll(chance, anna, 5)"]\n'
        + "  - throw(anna): roll(chance, anna, 5)\n"
        + "  - throw(anna):\n      - roll(chance, anna, 1)\n"
        + "  - {do: [throw(anna), duel(anna)]}\n"
    )
    assert [move.rolls for move in record.steps] == [*tupled(tables(__name__)["rolls"])]
    flat = Record.parse(head + "play: [throws(anna, 2), roll(chance, anna, 3), pass(anna)]\n")
    assert [move.action for move in flat.steps] == tables(__name__)["actions"]


def test_three_ways_to_give_the_position(my_game: Path) -> None:
    """A file beside the record, a mapping, one line; the game is named here or there."""
    start = Position.load("my_game/positions/start.yaml")
    ways = [
        "position: my_game/positions/start.yaml\n",
        f"ruleset: ./my_game\nposition: '{start.line()}'\n",
        f"position: {start.line()}\n",
        HEAD,
    ]
    for way in ways:
        assert record_of("  - take(anna, 1)\n", way).position == start
    Path("deep").mkdir()
    Path("deep/r.yaml").write_text("position: ../my_game/positions/start.yaml\nplay:\n")
    assert Record.load("deep/r.yaml") == Record(start)
    assert load("deep/r.yaml") == Record(start)
    assert load("my_game/positions/start.yaml") == start


def test_rulings_of_the_record_come_on_top(my_game: Path) -> None:
    record = record_of("  - take(anna, 1)\n", HEAD + "rulings: {same_again: barred}\n")
    assert record.position.rulings == {"same_again": "barred"}


def test_what_a_record_was_made_under(my_game: Path) -> None:
    record = record_of("", HEAD + f'version: "0.0.9"\nhash: 0123abcd\nresult: {RESULT}\n')
    assert (record.version, record.hash, record.steps) == ("0.0.9", "0123abcd", ())
    assert record.result == record.position


def test_standard_input(my_game: Path) -> None:
    process = started("replay", "-", stdin=subprocess.PIPE)
    out, err = process.communicate(HEAD + "play: [take(2)]\n", timeout=60)
    assert (process.returncode, out, err) == (
        0,
        "1 step, all by the rules\nnow: turn bo, heap 8, last 2\n",
        "",
    )


@parametrized
def test_faults_with_their_places(my_game: Path, text: str, said: list[str]) -> None:
    assert faults_of(text) == said


def test_a_fault_of_the_position_is_told_of_its_file(my_game: Path) -> None:
    Path("p.yaml").write_text("ruleset: ./my_game\nturn: ana\nheap: 1\nplayers: {anna: {}}\n")
    assert faults_of("position: p.yaml\nplay:\n") == [
        "p.yaml:2:7: unknown player 'ana' for turn; did you mean 'anna'?"
    ]


def test_another_game_than_that_of_the_position(my_game: Path, stall: Path) -> None:
    text = "ruleset: ./my_game\nposition: stall/positions/start.yaml\nplay:\n"
    assert faults_of(text) == ["r.yaml:2:11: the position is of another game, stall"]


def test_many_faults_are_told_as_far_as_a_person_reads(my_game: Path) -> None:
    play = "".join(f"  - tke({n})\n" for n in range(20_000))
    start = time.perf_counter()
    faults = faults_of(f"{HEAD}play:\n{play}")
    assert time.perf_counter() - start < LIMIT
    assert len(faults) == 101
    assert faults[-1] == "r.yaml: and 19900 more"


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files(my_game: Path, pymorph: Run, name: str) -> None:
    for end in (b"", b"play:\n  - take(1)\n"):
        Path("f.yaml").write_bytes(HOSTILE[name] + end)
        start = time.perf_counter()
        refused(pymorph("replay", "f.yaml"), "f.yaml")
        assert time.perf_counter() - start < LIMIT


def test_records_go_between_processes(stall: Path) -> None:
    record = played("stall", "throw", given=("roll(3)",))
    assert pickle.loads(pickle.dumps(record)) == record
    answer = package.within(60, package.replay, record)
    assert answer.position == record.result


def test_larger_than_any_record(
    my_game: Path, pymorph: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("f.yaml").write_bytes(HEAD.encode() + b"play:\n" + b"  - take(1)\n" * 700_000)
    refused(pymorph("replay", "f.yaml"), "f.yaml: the file is larger than 8,000,000 bytes")
    assert yamlio.LIMITS.long_nodes == 400_000
    monkeypatch.setattr(yamlio, "LIMITS", yamlio.LIMITS._replace(long_nodes=40_000))
    Path("f.yaml").write_bytes(HEAD.encode() + b"play:\n" + b"  - {}\n" * 50_000)
    refused(pymorph("replay", "f.yaml"), "f.yaml:39987:5: the file has more than 40000 values")


SMALL = (
    HEAD
    + f"result: {RESULT}\n# as played\nplay:\n  - at: {{turn: anna}}\n    do:\n"
    + "      - take(anna, 2)\n  - take(bo, 1): []\n"
)


def test_cut_off_anywhere(my_game: Path) -> None:
    """A shorter record, or one clear line; never anything else."""
    read = 0
    for end in range(len(SMALL) + 1):
        try:
            record = Record.parse(SMALL[:end], "r.yaml")
        except PymorphError as error:
            lines = str(error).split("\n")
            assert all(line.startswith("r.yaml:") for line in lines), (end, lines)
            assert len(lines) <= 3, (end, lines)
        else:
            read += 1
            assert len(record.steps) <= 2, end
    assert read > 5


def test_fuzzed(my_game: Path) -> None:
    """Whatever a file holds, reading it gives a record that reads back, or an error in words."""
    chance = random.Random(11)
    corpus = [SMALL.encode(), record_of("  - take(1)\n").yaml().encode()]
    read = 0
    for _ in range(300):
        data = mutated(chance, corpus)
        try:
            record = Record.parse(yamlio.decode(data, "r.yaml"), "r.yaml")
        except PymorphError:
            continue
        read += 1
        assert Record.parse(record.yaml()) == record, data
    assert read > 15


def test_a_game_cannot_speak_of_play(stall: Path) -> None:
    """By that key a record is told from a position, so a fluent must not be written so."""
    rules = stall / "rules" / "game.lp"
    rules.write_text(rules.read_text() + "fluent(play, (), mark, off).\n")
    with pytest.raises(RulesetError, match="fluent play cannot have 'play', a key of every"):
        load("stall/positions/start.yaml")


# Writing


def played(folder: str, *actions: str, given: tuple[str, ...] = ()) -> Record:
    """The record of actions from the start of a game."""
    start = Position.load(f"{folder}/positions/start.yaml")
    answer, moves = replay.written_down(start, actions, given)
    assert answer.done
    game = start.ruleset
    return Record(start, moves, game.version, game.hash, answer.outcome.position)


def test_written_with_a_heading_wherever_it_changes(stall: Path) -> None:
    record = played(
        "stall",
        "throws(2)",
        "throw",
        "pass",
        "throw",
        "pass",
        given=("roll(3)",) * 3 + ("roll(5)",),
    )
    assert record.yaml() == tables(__name__)["headings"].replace("HASH", record.hash)


def test_what_was_written_reads_back(stall: Path, my_game: Path, inn: Path) -> None:
    """From the folder it was written for, boards and rulings too; the same bytes again."""
    dinner = Position.load(inn / "positions" / "dinner.yaml")
    answer, moves = replay.written_down(dinner, ["eat(rye_bread)", "eat(bo, plum_cake)"])
    assert answer.done
    records = [
        played("stall", "throw", "throw", given=("roll(1)", "roll(6)", "flip(gold)")),
        played("my_game", "take(1)", "take(2)"),
        Record(dinner, moves, result=dinner),
        Record(Position.load("my_game/positions/start.yaml")),
    ]
    for record in records:
        for folder in (None, Path("deep/er")):
            (folder or Path()).mkdir(parents=True, exist_ok=True)
            text = record.yaml(folder)
            assert Record.parse(text, "r.yaml", folder) == record
            assert Record.parse(text, "r.yaml", folder).yaml(folder) == text


# Adding


@pytest.fixture
def first(my_game: Path) -> Path:
    """A record that somebody wrote by hand, with remarks."""
    path = Path("r.yaml")
    path.write_text(
        "# Our game on Sunday\n" + HEAD + f"result:  {RESULT}   # so far\n\nplay:   # moves\n"
        "  # nobody remembers the first\n"
    )
    return path


def test_lines_end_as_the_file_has_them(first: Path, pymorph: Run) -> None:
    text = "\ufeff" + first.read_text().replace("\n", "\r\n")
    first.write_bytes(text.encode())
    assert pymorph("apply", first, "take(2)", "--append")[0] == 0
    data = first.read_bytes()
    assert data.startswith(b"\xef\xbb\xbf# Our game on Sunday\r\n")
    assert data.count(b"\n") == data.count(b"\r\n") == text.count("\n") + 3
    assert len(Record.load("r.yaml").steps) == 1


def test_no_room_for_the_new_file(first: Path) -> None:
    """The old file stays whole, nothing else is left, and one line says so."""
    before = first.read_bytes()
    kept_whole = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}  # there is no room for it either

    def narrow() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

    process = started("apply", first, "take(2)", "--append", preexec_fn=narrow, env=kept_whole)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (2, "")
    assert err == "r.yaml: cannot be written: file too large\n"
    assert first.read_bytes() == before
    assert sorted(os.listdir()) == ["my_game", "r.yaml"]


def test_a_folder_that_may_not_be_written(
    first: Path, pymorph: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> tuple[int, str]:
        raise PermissionError(13, "Permission denied")

    before = first.read_bytes()
    monkeypatch.setattr(tempfile, "mkstemp", refuse)
    code, out, err = pymorph("apply", first, "take(2)", "--append")
    assert (code, out, err) == (2, "", "r.yaml: cannot be written: permission denied\n")
    assert first.read_bytes() == before


APPENDING = """
import sys
from pymorph.explore.execution.session import play_on
for _ in range(8):
    play_on("r.yaml", ["go(anna)"])
"""


@pytest.fixture
def ticking(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game in which anna may go on and on, and a record of it."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(RULESETS / "ticking", tmp_path / "ticking")
    path = Path("r.yaml")
    path.write_text("ruleset: ./ticking\nposition: {players: {anna: {}}}\nplay:\n")
    return path


def test_two_at_once(ticking: Path) -> None:
    """Each adds after the other, and no step is lost."""
    both = [subprocess.Popen([sys.executable, "-c", APPENDING]) for _ in range(2)]
    assert [process.wait(timeout=120) for process in both] == [0, 0]
    record = Record.load("r.yaml")
    assert len(record.steps) == 16
    assert replay.end_of(record).value("count").number == 16
    assert sorted(os.listdir()) == ["r.yaml", "ticking"]


def test_in_use(ticking: Path, pymorph: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record_file, "PATIENCE", 0.1)
    with record_file.locked("r.yaml"):
        code, out, err = pymorph("apply", "r.yaml", "go", "--append")
    assert (code, out) == (2, "")
    assert err == "r.yaml: cannot append: another process uses the file\n"
    assert pymorph("apply", "r.yaml", "go", "--append")[0] == 0


@with_campaign("seed", [0], range(1, 9))
def test_killed_at_any_moment(ticking: Path, seed: int) -> None:
    """The old file or the new one, and the next one goes on from it."""
    chance = random.Random(seed)
    process = subprocess.Popen([sys.executable, "-c", APPENDING.replace("8", "2000")])
    end = time.monotonic() + 60
    while len(Record.load("r.yaml").steps) < 3 and time.monotonic() < end:
        time.sleep(0.01)
    time.sleep(chance.random() / 5)
    process.send_signal(signal.SIGKILL)
    process.wait(timeout=60)
    before = len(Record.load("r.yaml").steps)
    assert before >= 3
    subprocess.run([sys.executable, "-c", APPENDING], check=True, timeout=60)
    record = Record.load("r.yaml")
    assert len(record.steps) == before + 8
    assert replay.end_of(record).value("count").number == before + 8


def test_appended_to_whatever_can_be_read(my_game: Path) -> None:
    """Each line stays but that of the result; or nothing is written, and a line says why."""
    chance = random.Random(5)
    corpus = [SMALL.encode(), SMALL.replace("\n", "\r\n").encode()]
    added = 0
    for _ in range(120):
        data = mutated(chance, corpus)
        Path("r.yaml").write_bytes(data)
        try:
            before = Record.load("r.yaml")
            actions = legality.legal_actions(replay.end_of(before))
            play_on("r.yaml", [str(actions[0])])
        except PymorphError:
            assert Path("r.yaml").read_bytes() == data
            continue
        after = Record.load("r.yaml")
        assert after.steps[: len(before.steps)] == before.steps, data
        assert len(after.steps) == len(before.steps) + 1, data
        assert replay.replay(after).good, data
        left = lines_but_the_result(Path("r.yaml").read_bytes())
        assert left[: len(left) - 3] == lines_but_the_result(data), data
        added += 1
    assert added > 8


def lines_but_the_result(data: bytes) -> list[bytes]:
    lines = data.removesuffix(b"\n").removesuffix(b"\r").split(b"\n")
    return [line.rstrip(b"\r") for line in lines if b"result" not in line]
