"""The book of precedents: a folder of cases that are found again, and judged again."""

from __future__ import annotations

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
from pymorph.cli.verbs.precedents import PrecedentId
from pymorph.terms import spoken
from tests.tables import parametrized

Run = Callable[..., tuple[int, str, str]]

CASE = """\
ruleset: ..
title: May Anna take two again?
position: {players: {anna: {}, bo: {taken: 2}}, turn: anna, heap: 7, last: 2}
claims:
  - {by: anna, claim: "legal(take(anna, 2))"}
  - {by: bo, claim: "legal(take(anna, 4))"}
"""


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


def edited(dispute: Path, old: str = "most(3).", new: str = "most(5).") -> None:
    """The heap game with another rule."""
    game = dispute.parent.parent / "rules" / "game.lp"
    assert old in game.read_text()
    game.write_text(game.read_text().replace(old, new))


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


def test_what_a_file_of_the_book_has(my_game: Path, pymorph: Run) -> None:
    """A book that lies beside the game calls it by the way there."""
    pymorph("book", "add", "my_game/cases/last.yaml", "--book", "book", "--date", "2026-05-01")
    text = Path("book/last.yaml").read_text("utf-8")
    digest = Case.load("my_game/cases/last.yaml").position.ruleset.hash
    assert text == (
        f'ruleset: "../my_game"\nversion: "0.1.0"\nhash: {digest}\n'
        'title: "May Anna take as many as Bo has just taken?"\ndate: 2026-05-01\n'
        "position:\n  turn: anna\n  heap: 8\n  last: 2\n  players:\n"
        "    anna: {}\n    bo: {taken: 2}\n"
        'claims:\n  - by: anna\n    claim: "legal(take(anna, 2))"\n'
        '    expect: {defaults: upheld, "same_again=allowed": upheld, '
        '"same_again=barred": rejected}\n'
        "    rules: [heap_01, heap_02]\n"
        '  - by: bo\n    claim: "illegal(take(anna, 4))"\n    expect: upheld\n'
        "    rules: [heap_02]\n"
    )
    case = Case.load("book/last.yaml")
    assert Case.parse(case.yaml()) == case


def test_nothing_is_written_over_unasked(dispute: Path, folder: Path, pymorph: Run) -> None:
    """The same case stays as it is; another one, or other words on it, want --replace."""
    pymorph("book", "add", dispute, "--date", "2026-05-01")
    before = (folder / "again.yaml").read_bytes()
    code, out, _ = pymorph("book", "add", dispute)
    assert (code, out.startswith("already again ")) == (0, True)
    assert pymorph("book", "add", dispute, "--date", "2026-05-01")[0] == 0
    other = "another case has this id; use --replace, or choose another --id\n"
    assert pymorph("book", "add", dispute, "--note", "x") == (
        2, "", f"{folder / 'again.yaml'}: {other}",
    )  # fmt: skip
    second = dispute.with_name("second.yaml")
    second.write_text(CASE.replace("two", "three"))
    dispute.write_text(CASE.replace("heap: 7", "heap: 6"))
    assert pymorph("book", "add", second, dispute)[0] == 2
    assert os.listdir(folder) == ["again.yaml"]
    assert (folder / "again.yaml").read_bytes() == before
    assert pymorph("book", "add", dispute, "--id", "once_more")[0] == 0
    assert pymorph("book", "add", dispute, "--replace")[1].startswith("again ")
    assert "heap: 6" in (folder / "again.yaml").read_text("utf-8")
    (folder / "again.yaml").write_text("[")
    assert pymorph("book", "add", dispute)[0] == 2
    assert pymorph("book", "add", dispute, "--replace")[0] == 0


def test_accepting_todays_verdicts(dispute: Path, folder: Path, pymorph: Run) -> None:
    """A file of the book, added anew, keeps what was decided and has the verdicts of today."""
    pymorph("book", "add", dispute, "--decided", "Bo", "--date", "2026-05-01")
    edited(dispute)
    assert pymorph("book", "recheck")[0] == 1
    assert pymorph("book", "add", "--replace", folder)[0] == 0
    assert pymorph("book", "recheck")[0] == 0
    found = precedents.find(folder, "again")
    assert (found.decided, found.date) == ("Bo", "2026-05-01")
    assert [claim.verdict for claim in found.claims] == ["depends", "upheld"]


def test_rulings_in_force_are_kept(dispute: Path, folder: Path, pymorph: Run) -> None:
    """A ruling beside the case settles it, is told with its reason, and holds without its file."""
    house = dispute.with_name("rulings.yaml")
    house.write_text("ruleset: ..\nrulings: [{question: same_again, option: barred, why: dull}]\n")
    pymorph("book", "add", dispute)
    house.unlink()
    assert pymorph("book", "recheck")[0] == 0
    found = precedents.find(folder, "again")
    assert found.claims[0].verdict == "rejected"
    assert (found.rulings, found.questions) == ({"same_again": "barred"}, {"same_again"})
    shown = pymorph("book", "show", "again")[1]
    assert "decided: same_again = barred (rulings.yaml: dull)\n" in shown
    assert "ruled: same_again = barred\n" in shown


def test_a_bad_case_enters_nothing(dispute: Path, folder: Path, pymorph: Run) -> None:
    bad = dispute.with_name("bad.yaml")
    bad.write_text(CASE.replace("take(anna, 4)", "tkae(anna, 4)"))
    code, out, err = pymorph("book", "add", dispute, bad)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"{bad}:6:")
    assert not folder.exists()


def test_a_folder_and_two_books(dispute: Path, folder: Path, tmp_path: Path, pymorph: Run) -> None:
    other = tmp_path / "other"
    dispute.with_name("second.yaml").write_text(CASE.replace("two", "three"))
    code, out, _ = pymorph("book", "add", dispute.parent, "--book", other, "--json")
    answer = json.loads(out)
    assert (code, answer["book"]) == (0, str(other))
    assert [(one["id"], one["new"]) for one in answer["entries"]] == [
        ("again", True), ("second", True),
    ]  # fmt: skip
    assert not folder.exists()
    code, _, err = pymorph("book", "add", dispute.parent, "--id", "one")
    assert (code, err) == (
        2,
        "pymorph: two of the cases have the id 'one'; add each alone, with --id\n",
    )


@parametrized
def test_what_cannot_be_added(dispute: Path, pymorph: Run, words: list[str], said: str) -> None:
    code, out, err = pymorph("book", "add", dispute, *words)
    assert (code, out) == (2, "")
    assert err.startswith(f"pymorph: {said}")


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


def test_list_and_show(filled: Path, pymorph: Run) -> None:
    code, out, _ = pymorph("book", "list")
    assert (code, len(out.splitlines())) == (0, 3)
    assert " ".join(out.splitlines()[2].split()) == "twice 2026-05-01 heap depends Twice the same"
    code, out, _ = pymorph("book", "show", "twice")
    assert code == 0
    assert "depends on same_again; by default upheld\n" in out
    assert "upheld    under same_again = allowed\n" in out
    assert "rejected  under same_again = barred\n" in out
    shown = json.loads(pymorph("book", "show", "twice", "--json")[1])
    assert (shown["id"], shown["rules"]) == ("twice", ["heap_01", "heap_02"])
    assert shown["claims"][0]["depends_on"] == ["same_again"]
    assert shown["case"] == (filled / "twice.yaml").read_text("utf-8")
    code, _, err = pymorph("book", "show", "twise")
    assert (code, err) == (2, f"{filled}: unknown precedent 'twise'; did you mean 'twice'?\n")
    assert pymorph("book", "show", "../book/twice")[0] == 2


@parametrized
def test_search(filled: Path, pymorph: Run, words: tuple[str, ...], found: str) -> None:
    code, out, _ = pymorph("book", "search", *words, "--json")
    assert [one["id"] for one in json.loads(out)["entries"]] == found.split()
    assert code == (0 if found else 1)


def test_search_knows_what_is_near(filled: Path, pymorph: Run) -> None:
    code, out, _ = pymorph("book", "search", "--rule", "heap_1")
    assert (code, out.splitlines()[0]) == (1, "no precedents")
    assert "no entry mentions the rule 'heap_1'; did you mean 'heap_01'" in out
    assert pymorph("book", "search")[0] == pymorph("book", "search", "()")[0] == 2
    assert spoken("Ünder readies_count = 2, Straße") == " under readies count 2 strasse"


def test_completion(filled: Path) -> None:
    context = click.Context(click.Command("ask"))
    for kind, start, wanted in (
        ("id", "t", ["twice"]),
        ("rule", "heap_0", ["heap_01", "heap_02", "heap_03"]),
        ("question", "", ["last_one", "same_again"]),
    ):
        items = PrecedentId(kind).shell_complete(context, click.Argument(["word"]), start)
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


def test_no_book_yet(folder: Path, tmp_path: Path, pymorph: Run) -> None:
    said = f"{folder}: no book here; start one with 'pymorph book add'\n"
    for words in (["list"], ["search", "x"], ["show", "x"], ["recheck"]):
        assert pymorph("book", *words) == (2, "", said)
    assert not folder.parent.exists()
    folder.mkdir(parents=True)
    assert pymorph("book", "list") == (1, "no precedents\n", "")
    assert pymorph("book", "recheck") == (0, "nothing to judge\n", "")
    assert pymorph("book", "show", "x")[2] == f"{folder}: unknown precedent 'x'; there are none\n"
    file = tmp_path / "file"
    file.write_text("")
    told = f"{file}: not a book of precedents: it is not a folder\n"
    assert pymorph("book", "list", "--book", file) == (2, "", told)


def test_a_book_that_cannot_be_made(dispute: Path, pymorph: Run) -> None:
    code, out, err = pymorph("book", "add", dispute, "--book", dispute / "book")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"{dispute / 'book' / 'again.yaml'}: cannot be written: ")


def test_a_book_in_the_users_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pymorph: Run
) -> None:
    monkeypatch.delenv("PYMORPH_BOOK", raising=False)
    monkeypatch.setattr("platformdirs.user_data_dir", lambda *_, **__: str(tmp_path))
    assert pymorph("book", "list")[2].startswith(f"{tmp_path / 'precedents'}: no book here")


# -- judging again ---------------------------------------------------------------------------------


def test_recheck_after_a_rule_is_edited(dispute: Path, folder: Path, pymorph: Run) -> None:
    """Five may be taken now: the claim that four may be is upheld, and its rule is told."""
    pymorph("book", "add", dispute)
    assert pymorph("book", "recheck") == (0, "1 entry judged again, no verdict changed\n", "")
    edited(dispute)
    code, out, err = pymorph("book", "recheck")
    assert (code, err) == (1, "")
    assert "bo: legal(take(anna, 4))\n    rejected -> upheld\n" in out
    assert "no longer cited: heap_02" in out
    assert "anna: legal(take(anna, 2))" not in out
    old = precedents.find(folder, "again")
    told = json.loads(pymorph("book", "recheck", "--json")[1])
    [one] = told["entries"]
    assert (told["changed"], told["failed"], told["left"]) == (1, 0, [])
    assert one["before"] == {"version": "0.1.0", "hash": old.hash}
    assert one["after"]["hash"] != old.hash
    assert f"rules: 0.1.0 ({old.hash}) -> 0.1.0 ({one['after']['hash']})" in out
    assert [change["claim"] for change in one["changes"]] == ["legal(take(anna, 4))"]
    assert one["changes"][0]["rules"]["removed"] == ["heap_02"]
    assert precedents.find(folder, "again") == old
    faults = regression.try_file("cases", folder / "again.yaml").faults
    [fault] = faults
    wrong = "expected rejected by default, but the rules say upheld: legal(take(anna, 4))"
    assert fault.endswith(wrong)


def rewritten(folder: Path, old: str, new: str) -> None:
    path = folder / "again.yaml"
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


DIVIDED = '{defaults: upheld, "same_again=allowed": upheld, "same_again=barred": rejected}'


def changes_of(folder: Path) -> list[precedents.VerdictChange]:
    found = precedents.recheck("again", folder / "again.yaml")
    assert not found.error
    return list(found.changes)


def test_a_verdict_comes_to_depend(dispute: Path, folder: Path, pymorph: Run) -> None:
    """Of a verdict that all readings had, those are told that have another now."""
    pymorph("book", "add", dispute)
    rewritten(folder, DIVIDED, "upheld")
    [change] = changes_of(folder)
    assert (change.before, change.after) == ("upheld", "depends")
    assert change.turns == (VerdictTurn({"same_again": "barred"}, "upheld", "rejected"),)
    assert "under same_again = barred: upheld -> rejected" in pymorph("book", "recheck")[1]
    assert "rules: still 0.1.0 (" in pymorph("book", "recheck")[1]


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


def test_a_verdict_changed_in_one_reading(dispute: Path, folder: Path, pymorph: Run) -> None:
    pymorph("book", "add", dispute)
    rewritten(folder, '"same_again=barred": rejected', '"same_again=barred": inapplicable')
    [change] = changes_of(folder)
    assert (change.before, change.after, change.defaults) == ("depends",) * 2 + (("upheld",) * 2,)
    assert change.turns == (VerdictTurn({"same_again": "barred"}, "inapplicable", "rejected"),)


def test_another_default_turns_the_verdict(dispute: Path, folder: Path, pymorph: Run) -> None:
    pymorph("book", "add", dispute)
    rewritten(folder, "{defaults: upheld", "{defaults: rejected")
    [change] = changes_of(folder)
    assert (change.defaults, change.turns) == (("rejected", "upheld"), ())
    assert "by default: rejected -> upheld" in pymorph("book", "recheck")[1]


def test_other_reasons_and_other_cuts_are_no_change(
    dispute: Path, folder: Path, pymorph: Run
) -> None:
    pymorph("book", "add", dispute)
    rewritten(folder, "rules: [heap_02]", "rules: [heap_09]")
    rewritten(
        folder, "expect: rejected", "expect: {defaults: rejected, same_again=barred: rejected}"
    )
    assert changes_of(folder) == []


def test_recheck_where_a_ruleset_is_gone(dispute: Path, folder: Path, pymorph: Run) -> None:
    """One game is deleted, another edited: the first is told, and the second still judged."""
    gone = dispute.parent.parent.with_name("gone")
    shutil.copytree(dispute.parent.parent, gone)
    (gone / "table" / "again.yaml").rename(gone / "table" / "lost.yaml")
    pymorph("book", "add", gone / "table", dispute)
    shutil.rmtree(gone)
    edited(dispute)
    code, out, err = pymorph("book", "recheck")
    assert (code, err) == (2, "")
    told = f"cannot be judged: {folder / 'lost.yaml'}:1:10: unknown ruleset "
    assert told in " ".join(out.split())
    assert "rejected -> upheld" in out
    assert "2 entries judged again, 1 changed, 1 cannot be judged" in out
    assert pymorph("book", "list")[0] == pymorph("book", "show", "lost")[0] == 0


def test_recheck_where_a_rule_no_longer_knows_the_words(
    dispute: Path, folder: Path, pymorph: Run
) -> None:
    pymorph("book", "add", dispute)
    edited(dispute, "range(1, 9)", "range(1, 3)")
    code, out, _ = pymorph("book", "recheck")
    assert code == 2
    assert "1 cannot be judged" in out


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
