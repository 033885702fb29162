"""The book of precedents: a folder of cases that are found again, and judged again."""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import click
import pytest

from pymorph import Case, yamlio
from pymorph.adjudication import adjudication, precedents, regression
from pymorph.adjudication.precedents import Judged, Precedent
from pymorph.adjudication.verdicts import VerdictTurn
from pymorph.cli.verbs.precedents import completed
from pymorph.terms import spoken
from tests.conftest import Run
from tests.tables import tables

CASE = tables(__name__)["case"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the book is, or will be."""
    found = tmp_path / "shelf" / "book"
    monkeypatch.setenv("PYMORPH_BOOK", str(found))
    return found


@pytest.fixture
def dispute(my_game: Path, folder: Path) -> Path:
    """A case of the heap game."""
    found = my_game / "table" / "again.yaml"
    found.parent.mkdir(exist_ok=True)
    found.write_text(CASE)
    return found


def written(name: str, title: str, claims: str, more: str = "") -> tuple[str, str]:
    text = (
        f"ruleset: heap\ntitle: {title}\ndate: 2026-05-01\n{more}position: {{heap: 7}}\nclaims:\n"
    )
    return name, f"{text}  - {{by: anna, claim: 'legal(take(anna, 2))', {claims}}}\n"


@pytest.fixture
def filled(folder: Path) -> Path:
    """A book with three precedents of a game that is nowhere."""
    folder.mkdir(parents=True)
    divided = "expect: {defaults: upheld, same_again=allowed: upheld, same_again=barred: rejected}"
    for name, text in (
        written("anvil", "Who lifts the Anvil?", "expect: upheld, rules: [heap_01]",
                "note: Große Hämmer zählen.\n"),
        written("ruled", "Ruled on", "expect: upheld, rules: [heap_03]",
                "decided: club evening\nrulings: {last_one: loses}\n"),
        written("twice", "Twice the same", f"{divided}, rules: [heap_01, heap_02]"),
    ):  # fmt: skip
        (folder / f"{name}.yaml").write_text(text, "utf-8")
    return folder


def ids(found: list[Precedent]) -> list[str]:
    return [each.id for each in found]


# -- adding ----------------------------------------------------------------------------------------


def test_a_case_is_written_whole(dispute: Path, folder: Path, pymorph: Run) -> None:
    """Asked from another folder, the case in the book is judged as the file was."""
    words = ("--decided", "Bo", "--note", " We allow it.\nFor now. ", "--date", "2026-05-01")
    code, out, err = pymorph("book", "add", dispute, *words)
    told = "again  1 rejected, 1 depends  May Anna take two again?\n"
    assert (code, out, err) == (0, told.replace("1 rejected, 1 depends", out[7:28]), "")
    assert "1 rejected" in out
    assert "1 depends" in out
    found = precedents.find(folder, "again")
    assert (found.decided, found.note, found.date) == ("Bo", "We allow it.\nFor now.", "2026-05-01")
    assert (found.version, len(found.hash), found.questions) == ("0.1.0", 16, {"same_again"})
    assert {"heap_01", "heap_02"} <= found.rules
    assert found.ruleset == "../../my_game"
    os.chdir("/")
    case = Case.load(folder / "again.yaml")
    assert case == precedents.judge(case)
    assert not regression.try_file("cases", folder / "again.yaml").faults


def test_ids(dispute: Path) -> None:
    """The id of a case, or else its file, or else its title, as words that any disk can name."""
    case = Case.load(dispute)
    assert precedents.id_of(case, str(dispute)) == "again"
    assert precedents.id_of(case, "-") == "may_anna_take_two_again"
    for given, name in (("G-57", "g_57"), ("../Größe?", "grosse"), ("rulings", "case_rulings")):
        named = Case.parse(CASE.replace("title:", f"id: '{given}'\ntitle:"), base=dispute.parent)
        assert precedents.id_of(named, "-") == name


def test_words_of_all_languages(dispute: Path, folder: Path, pymorph: Run) -> None:
    note = '"Quoted": {a}, #1 - ü € \\n 石'
    dispute.write_text(CASE.replace("May Anna take two again?", "'Darf Änne 石?'"), "utf-8")
    assert pymorph("book", "add", dispute, "--note", note)[0] == 0
    found = precedents.find(folder, "again")
    assert (found.title, found.note) == ("Darf Änne 石?", note)
    assert Case.load(folder / "again.yaml").note == note
    assert pymorph("book", "search", "anne", "石")[0] == 0


def test_out_of_time(
    dispute: Path,
    folder: Path,
    pymorph: Run,
    monkeypatch: pytest.MonkeyPatch,
    time_is_up: Callable[[], NoReturn],
) -> None:
    """What was judged in time is added; of a recheck the rest is told."""
    real = adjudication.adjudicate

    def slow(case: Case) -> Any:
        if "slow" in case.title:
            time_is_up()
        return real(case)

    slowly = dispute.with_name("slowly.yaml")
    slowly.write_text(CASE.replace("title: ", "title: slow "))
    pymorph("book", "add", slowly)
    monkeypatch.setattr(precedents, "adjudicate", slow)
    late = (3, "pymorph: no answer within 50 seconds\n")
    code, out, err = pymorph("book", "add", dispute, slowly, "--timeout", "50", "--replace")
    assert ((code, err), out.startswith("again ")) == (late, True)
    code, out, err = pymorph("book", "recheck", "--timeout", "50", "--json")
    told = json.loads(out)
    assert ((code, err), [one["id"] for one in told["entries"]]) == (late, ["again"])
    assert told["left"] == ["slowly"]
    assert "1 not judged in time" in pymorph("book", "recheck", "--timeout", "50")[1]


ADDER = """
import sys
from pathlib import Path
from pymorph import Case
from pymorph.adjudication import precedents as book
case = book.judge(Case.load(sys.argv[1]))
for number in range(int(sys.argv[3])):
    book.write(Path(sys.argv[2]), f"{sys.argv[4]}_{number}", case)
    print(number, flush=True)
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_stopped_while_adding(dispute: Path, folder: Path, number: int) -> None:
    """Interrupted or killed after some files, a book has those whole, and no half of another."""
    command = [sys.executable, "-c", ADDER, str(dispute), str(folder), "1000", "entry"]
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen(command, **pipes)
    assert process.stdout
    for _ in range(5):
        process.stdout.readline()
    process.send_signal(number)
    process.communicate()
    found, faults = precedents.read_all(folder)
    assert (len(found) >= 5, faults) == (True, [])
    assert {each.text for each in found} == {found[0].text}
    left = [name for name in os.listdir(folder) if not name.endswith(".yaml")]
    assert number == signal.SIGKILL or not left


def test_two_processes_add_at_once(dispute: Path, folder: Path) -> None:
    both = [
        subprocess.Popen([sys.executable, "-c", ADDER, str(dispute), str(folder), "10", name])
        for name in ("left", "right")
    ]
    assert [one.wait() for one in both] == [0, 0]
    assert len(os.listdir(folder)) == 20


# -- looking up ------------------------------------------------------------------------------------


def test_search_knows_what_is_near(filled: Path, pymorph: Run) -> None:
    code, out, _ = pymorph("book", "search", "--rule", "heap_1")
    assert (code, out.splitlines()[0]) == (1, "no precedents")
    assert "no entry mentions the rule 'heap_1'; did you mean 'heap_01'" in out
    assert pymorph("book", "search")[0] == pymorph("book", "search", "()")[0] == 2
    assert spoken("Ünder readies_count = 2, Straße") == " under readies count 2 strasse"


def test_completion(filled: Path) -> None:
    context = click.Context(click.Command("ask"))
    for kind, start, wanted in tables(__name__)["completion"]:
        items = completed(kind).shell_complete(context, click.Argument(["word"]), start)
        assert [item.value for item in items] == wanted


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"", "1: the file is empty"),
        (b"title: [", "2:1: not YAML: "),
        (b"a: 1\na: 2\nclaims: [x]\n", "2:1: 'a' is given twice"),
        (b"[1, 2]", "1:1: not a case: it has no list of 'claims'"),
        (b"claims: {a: b}", "1:1: not a case: it has no list of 'claims'"),
        (b"title: \xff", "1:8: not UTF-8 text"),
    ],
)
def test_a_bad_file_is_told_and_the_others_are_shown(
    filled: Path, pymorph: Run, text: bytes, said: str
) -> None:
    (filled / "bad.yaml").write_bytes(text)
    for words in (["list"], ["search", "taken"], ["search", "twice"]):
        code, out, err = pymorph("book", *words)
        assert (code, err.count("\n")) == (2, 1)
        assert err.startswith(f"{filled / 'bad.yaml'}:{said}")
    assert "Twice the same" in out
    assert pymorph("book", "show", "twice")[0] == 0
    assert pymorph("book", "show", "bad")[0] == 2
    told = json.loads(pymorph("book", "recheck", "--json")[1])
    assert said in told["entries"][1]["error"]


def test_what_lies_beside_is_no_precedent(filled: Path) -> None:
    """House rulings, hidden files and other files are passed over; folders are part of the id."""
    for name in ("rulings.yaml", ".hidden.yaml", ".git/x.yaml", "README.md", "2025/old.yaml"):
        (filled / name).parent.mkdir(exist_ok=True)
        shutil.copy(filled / "twice.yaml", filled / name)
    assert ids(precedents.read_all(filled)[0]) == ["2025/old", "anvil", "ruled", "twice"]


def test_files_written_by_hand(folder: Path) -> None:
    """Claims without anything, without verdicts, and positions in a file of their own."""
    folder.mkdir(parents=True)
    (folder / "x.yaml").write_text("position: a.yaml\nclaims: [heap = 3, {claim: heap = 4}, [x]]\n")
    found = precedents.find(folder, "x")
    assert (found.title, found.ruleset, found.date) == ("heap = 3", "", "")
    assert [claim.verdict for claim in found.claims] == ["", "", ""]
    assert Judged("", "x", [({}, "upheld")], ()).verdict == "upheld"


def test_a_book_in_the_users_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pymorph: Run
) -> None:
    monkeypatch.delenv("PYMORPH_BOOK", raising=False)
    monkeypatch.setattr("platformdirs.user_data_dir", lambda *_, **__: str(tmp_path))
    assert pymorph("book", "list")[2].startswith(f"{tmp_path / 'precedents'}: no book here")


# -- judging again ---------------------------------------------------------------------------------


def changes_of(folder: Path) -> list[precedents.VerdictChange]:
    found = precedents.recheck("again", folder / "again.yaml")
    assert not found.error
    return list(found.changes)


def test_a_case_of_its_own_tells_the_readings_that_matter(dispute: Path, folder: Path) -> None:
    """Without an edition, only what is expected is compared, as `pymorph test` does."""
    folder.mkdir(parents=True)
    text = CASE.replace("ruleset: ..", f"ruleset: {dispute.parent.parent}")
    told = text.replace('take(anna, 2))"', 'take(anna, 2))", expect: upheld')
    (folder / "again.yaml").write_text(told)
    assert changes_of(folder) == []
    assert precedents.recheck("again", folder / "again.yaml").untold == 1
    wrong = "expect: {same_again=barred: upheld}"
    (folder / "again.yaml").write_text(told.replace("expect: upheld", wrong))
    [change] = changes_of(folder)
    assert change.turns == (VerdictTurn({"same_again": "barred"}, "upheld", "rejected"),)


def test_a_bar_on_a_terminal(
    dispute: Path, folder: Path, pymorph: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    pymorph("book", "add", dispute)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    assert "recheck" in pymorph("book", "recheck")[2]
    assert pymorph("book", "recheck", "--json")[2] == ""


def test_what_was_lost_is_a_question_away(dispute: Path, folder: Path, pymorph: Run) -> None:
    """A file of the book is a case like any other: who asks anew is told every reason."""
    pymorph("book", "add", dispute)
    case = Case.load(folder / "again.yaml")
    assert [r.verdict for r in adjudication.adjudicate(case).claims] == ["depends", "rejected"]
    assert pymorph("adjudicate", folder / "again.yaml")[0] == 3
    assert yamlio.parse((folder / "again.yaml").read_text("utf-8"), "x")[1] == []
