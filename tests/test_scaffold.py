"""The starter ruleset: written whole or not at all, and a game at once."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from pymorph.errors import InputError
from pymorph.queries import application, consistency, legality
from pymorph.ruleset import scaffold
from pymorph.state.position import Position

Run = Callable[..., tuple[int, str, str]]


def test_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pymorph: Run) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = pymorph("new-ruleset", "my_game")
    assert (code, err) == (0, "")
    assert out.splitlines()[1] == "try: pymorph legal my_game/positions/start.yaml"
    assert sorted(str(p.relative_to(tmp_path)) for p in tmp_path.rglob("*.*")) == [
        "my_game/cases/last.yaml",
        "my_game/encodings/play.lp",
        "my_game/positions/start.yaml",
        "my_game/records/first.yaml",
        "my_game/rules/disputes/same_again.yaml",
        "my_game/rules/game.lp",
    ]
    position = Position.load("my_game/positions/start.yaml")
    assert position.ruleset.name == "my_game"
    assert consistency.check(position).consistent
    assert [str(a) for a in legality.legal_actions(position)] == [
        "take(anna, 1)",
        "take(anna, 2)",
        "take(anna, 3)",
    ]
    line = ["take(3)", "take(3)", "take(3)", "take(1)"]
    outcome = application.apply(position, *line)
    assert [str(e.event) for e in outcome.events] == ["won(bo)"]
    assert legality.legal_actions(outcome.position) == ()


def test_what_the_files_say_to_try(
    my_game: Path, pymorph: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(my_game)
    text = (my_game / "rules" / "game.lp").read_text()
    lines = [line.strip() for line in text.splitlines() if line.startswith("  pymorph ")]
    assert len(lines) == 3
    codes = [pymorph(*shlex.split(line)[1:])[0] for line in lines]
    assert codes == [0, 0, 1]


def test_elsewhere(tmp_path: Path, pymorph: Run) -> None:
    target = tmp_path / "a folder" / "my_game"
    target.parent.mkdir()
    code, out, _ = pymorph("new-ruleset", target)
    assert code == 0
    assert f"try: pymorph legal '{target}/positions/start.yaml'" in out
    assert pymorph("legal", target / "positions" / "start.yaml")[0] == 0


@pytest.mark.parametrize(
    "name", ["", ".", "..", "/", "My_game", "my-game", "1game", "g\u00e4me", "a b", "a" * 41, "not",
             "a.b", "#include", "x\n"],
)  # fmt: skip
def test_names(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match="is no name: small letters, digits and _"):
        scaffold.write(name)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("path", ["nowhere/my_game", "file/my_game", "a\0b/my_game"])
def test_unwritable(path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("file").write_text("")
    with pytest.raises(InputError, match="cannot write"):
        scaffold.write(path)
    assert os.listdir() == ["file"]


def test_never_over_something(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for make in (Path.mkdir, Path.touch):
        make(Path("my_game"))
        with pytest.raises(InputError, match="'my_game' is there already; nothing was written"):
            scaffold.write("my_game")
        Path("my_game").rename(f"old_{make.__name__}")


def test_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    def full(*_: object, **__: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(InputError, match="cannot write 'my_game': no space left on device"):
        scaffold.write("my_game")
    assert os.listdir() == []
