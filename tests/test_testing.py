"""The verb that tries the files of a ruleset."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from pymorph.adjudication import regression
from pymorph.cli.app import cli
from pymorph.ruleset import loader
from pymorph.runtime import executor
from tests.conftest import EXAMPLES
from tests.tables import parametrized


def run(*arguments: str) -> tuple[int, str]:
    found = CliRunner().invoke(cli, ["test", *arguments], standalone_mode=False)
    assert found.exception is None, found.exception
    return found.return_value, found.output


def test_all_is_well(my_game: Path) -> None:
    code, text = run("my_game")
    assert code == 0
    assert "my_game/records/first.yaml" in text
    assert text.splitlines()[-1] == "4 files: all good"
    assert [kind for kind, _ in regression.files_of(loader.load("my_game"))] == [
        "positions", "records", "cases", "cases",
    ]  # fmt: skip


def test_several_processes(my_game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They come to the same, in the same order; what is left when the time is up is told."""
    rules = my_game / "rules" / "game.lp"
    rules.write_text(rules.read_text("utf-8").replace("most(3).", "most(1)."), "utf-8")
    alone = run("my_game", "--json")
    assert run("my_game", "--json", "--jobs", "2") == alone
    monkeypatch.setattr(executor, "start_method", lambda: "spawn")
    assert run("my_game", "--json", "--jobs", "2") == alone
    code, text = run("my_game", "--json", "--jobs", "2", "--timeout", "0.0001")
    assert code == 3
    assert json.loads(text[text.index("{") :])["left"] == 4


def test_long_files_in_several_processes(my_game: Path) -> None:
    """Threads that take turns over as many test cases do not use up what a process may take."""
    start = "{ruleset: ./my_game, turn: anna, heap: 8, players: {anna: {}, bo: {}}}"
    expect = '[{legal: "take(anna, 2)"}]'
    text = "".join(f"- {{id: n{n}, position: {start}, expect: {expect}}}\n" for n in range(100))
    for name in ("one.yaml", "two.yaml"):
        (my_game / "cases" / name).write_text(text, "utf-8")
    code, text = run("my_game", "my_game/cases/one.yaml", "my_game/cases/two.yaml", "--jobs", "2")
    assert code == 0, text


def test_a_rule_that_changed(my_game: Path) -> None:
    """A limit of one counter breaks what the record and the case take for granted."""
    rules = my_game / "rules" / "game.lp"
    rules.write_text(rules.read_text("utf-8").replace("most(3).", "most(1)."), "utf-8")
    code, text = run("my_game")
    assert code == 1
    assert "step 1 cannot be carried out: take(anna, 2)" in text
    assert "expected upheld by default, but the rules say rejected: legal(take(anna, 2))" in text
    code, text = run("my_game", "my_game/positions/start.yaml")
    assert (code, text.splitlines()[-1]) == (0, "1 file: all good")


def test_files_that_are_wrong(my_game: Path) -> None:
    """What cannot be read, is no position, or comes to something else is told of its file."""
    start = my_game / "positions" / "start.yaml"
    start.write_text(start.read_text("utf-8").replace("heap:", "heep:"), "utf-8")
    record = my_game / "records" / "first.yaml"
    text = record.read_text("utf-8")
    assert "result" not in text
    record.write_text(text + "result: {turn: bo, heap: 1, players: {anna: {}, bo: {}}}\n", "utf-8")
    code, out = run("my_game", "--json")
    assert code == 1
    found = json.loads(out)
    wrong = {Path(one["file"]).name: one["faults"] for one in found["files"] if one["faults"]}
    assert wrong.keys() == {"start.yaml", "first.yaml"}
    assert "heep" in " ".join(wrong["start.yaml"])
    assert found["left"] == 0


def test_claims_without_a_verdict(my_game: Path) -> None:
    """A file that expects nothing is noted; where it expects something, it does of each claim."""
    case = my_game / "cases" / "last.yaml"
    case.write_text(case.read_text("utf-8").replace(", expect: upheld", ""), "utf-8")
    code, text = run("my_game")
    assert code == 1
    assert "note: 1 claim without an expected verdict" in text
    assert f"last.yaml:9:21: {NONE}: illegal(take(anna, 4))" in text
    said = case.read_text("utf-8").replace("{defaults: upheld, same_again=barred: rejected}", "{}")
    case.write_text(said.replace("    expect: {}\n", ""), "utf-8")
    code, text = run("my_game")
    assert code == 0
    assert "note: 2 claims without an expected verdict" in text


NONE = "expected no verdict by default, but the rules say upheld"
EXPECTING = "expect: {defaults: upheld, same_again=barred: rejected}"


@parametrized
def test_what_a_case_has_to_expect(
    my_game: Path, expects: str, told: list[tuple[int, int, str]]
) -> None:
    """The verdict by default, and each that a choice turns; a fault is a line with its place."""
    path = my_game / "rules" / "disputes" / "same_again.yaml"
    text = path.read_text("utf-8")
    assert EXPECTING in text
    path.write_text(text.replace(EXPECTING, expects), "utf-8")
    found = json.loads(run("my_game", str(path.relative_to(Path.cwd())), "--json")[1])
    [one] = found["files"]
    assert one["faults"] == [
        f"{one['file']}:{line}:{column}: {fault}: legal(take(bo, 1))"
        for line, column, fault in told
    ]


def test_a_question_that_does_not_decide(my_game: Path) -> None:
    """What a claim names has to bear on it, and is not what the file itself rules."""
    case = my_game / "cases" / "last.yaml"
    text = case.read_text("utf-8")
    idle = "expect: {defaults: upheld, same_again=barred: upheld}}"
    case.write_text(text.replace("expect: upheld}", idle), "utf-8")
    code, out = run("my_game")
    assert code == 1
    said = "'expect' names same_again, on which the verdict does not depend: illegal(take(anna, 4))"
    assert said in out
    case.write_text(text.replace("ruleset: ..", "ruleset: ..\nrulings: {same_again: allowed}"))
    code, out = run("my_game")
    assert code == 1
    assert "'expect' names same_again, which is ruled as allowed: legal(take(anna, 2))" in out


def test_time(my_game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import time

    monkeypatch.setattr(regression, "try_file", lambda *_: time.sleep(2))
    code, text = run("my_game", "--timeout", "0.2")
    assert code == 3
    assert "4 not tested" in text


@parametrized
def test_nothing_to_try(my_game: Path, files: list[str], told: str) -> None:
    Path("none.yaml").write_text("anna: 1\n", "utf-8")
    if not files:
        for path in my_game.rglob("*.yaml"):
            path.unlink()
    found = CliRunner().invoke(cli, ["test", "my_game", *files], standalone_mode=False)
    assert told in str(found.exception)


KEPT = ["positions/start.yaml", "records/first.yaml", "cases/last.yaml"]


@pytest.mark.parametrize("file", KEPT)
def test_files_that_lie_elsewhere(my_game: Path, file: str) -> None:
    """Whatever is about the game is tried, and nothing that is about another one."""
    Path("notes").mkdir()
    path = Path("notes") / Path(file).name
    text = (my_game / file).read_text("utf-8").replace("ruleset: ..", "ruleset: ../my_game")
    path.write_text(text.replace("../positions", "../my_game/positions"), "utf-8")
    code, out = run("my_game", str(path))
    assert code == 0, out
    ttt = EXAMPLES / "rulesets" / "tictactoe"
    found = CliRunner().invoke(cli, ["test", str(ttt), str(path)], standalone_mode=False)
    assert run("my_game", "notes") == (0, out)
    said = f"{path}: this file is about ./my_game, not about "
    assert str(found.exception).startswith(said)


LONG = "diplomacy"  # whose cases are tried elsewhere


@pytest.mark.parametrize(
    "path",
    [p for p in sorted((EXAMPLES / "rulesets").iterdir()) if p.name != LONG],
    ids=lambda p: p.name,
)
def test_examples(path: Path) -> None:
    assert run(str(path))[0] == 0
