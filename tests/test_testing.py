"""The verb that tries the files of a ruleset."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from pymorph.adjudication import regression
from pymorph.cli.app import cli
from pymorph.runtime import executor
from tests.conftest import EXAMPLES
from tests.tables import parametrized


def run(*arguments: str) -> tuple[int, str]:
    found = CliRunner().invoke(cli, ["test", *arguments], standalone_mode=False)
    assert found.exception is None, found.exception
    return found.return_value, found.output


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


LONG = "diplomacy"  # whose cases are tried elsewhere


@pytest.mark.parametrize(
    "path",
    [p for p in sorted((EXAMPLES / "rulesets").iterdir()) if p.name != LONG],
    ids=lambda p: p.name,
)
def test_examples(path: Path) -> None:
    assert run(str(path))[0] == 0
