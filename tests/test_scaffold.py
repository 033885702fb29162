"""The starter ruleset: written whole or not at all, and a game at once."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from pymorph.errors import InputError
from pymorph.explore.execution import application
from pymorph.questions import consistency, legality
from pymorph.ruleset import loader, locations, scaffold
from pymorph.state.position import Position
from pymorph.verify.spaces import witnesses
from tests.conftest import ended

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
    assert [str(e.event) for e in outcome.events] == ["emptied(bo)"]
    assert ended(outcome.position) == "bo"
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
    with pytest.raises(
        InputError, match="is not a valid name; expected a small letter, then small"
    ):
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
        with pytest.raises(InputError, match="'my_game' already exists; nothing was written"):
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


# Copies, and first positions


@pytest.mark.parametrize(
    "name",
    [name if n == 0 else pytest.param(name, marks=pytest.mark.campaign)
     for n, name in enumerate(locations.shipped())],
)  # fmt: skip
def test_a_copy_is_a_game_of_its_own(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pymorph: Run
) -> None:
    """It answers as what it was copied from, and nothing in it looks for that any more."""
    monkeypatch.chdir(tmp_path)
    code, out, err = pymorph("new-ruleset", "my_game", "--from", name)
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        f"wrote my_game: a copy of {name} {loader.load(name).version}",
        "try: pymorph legal my_game/positions/start.yaml",
        "try: pymorph verify ./my_game",
    ]
    copy, shipped = loader.load("./my_game"), loader.load(name)
    assert (copy.name, copy.title) == ("my_game", shipped.title)
    assert set(copy.rules) == set(shipped.rules)
    first, other = (Position.load(game.starts[0]) for game in (copy, shipped))
    assert first.ruleset == copy
    assert first.fluents == other.fluents
    assert list(map(str, legality.legal_actions(first))) == list(
        map(str, legality.legal_actions(other))
    )
    path = witnesses.file_of(copy)
    line = witnesses.lines_of(path)[0][1].removeprefix(witnesses.FLAWED).rpartition("@")[2]
    assert Position.parse(line, str(path), path.parent).ruleset == copy


@pytest.mark.parametrize("name", locations.shipped())
def test_no_file_of_a_copy_names_the_other(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    scaffold.copy("my_game", name)
    texts = [path.read_text() for path in Path("my_game").rglob("*.*") if path.is_file()]
    assert not [text for text in texts if f"ruleset: {name}" in text or f"ruleset({name}" in text]
    files = {p for f in loader.load(name).folders for p in Path(f).rglob("*.*") if p.is_file()}
    assert len(texts) == len(files)


@pytest.mark.campaign
def test_a_copy_of_an_example(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pymorph: Run
) -> None:
    """It has all that the example has, and its files are about it."""
    monkeypatch.chdir(tmp_path)
    for number, (name, folder) in enumerate(locations.examples().items()):
        code, out, err = pymorph("new-ruleset", f"mine_{number}", "--from", name)
        assert (code, err) == (0, "")
        assert out.startswith(f"wrote mine_{number}: a copy of {name} ")
        copy = tmp_path / f"mine_{number}"
        files, others = (
            {path.relative_to(top) for path in top.rglob("*.*") if path.suffix != ".pyc"}
            for top in (copy, folder)
        )
        assert files == others
        found = loader.load(f"./{copy.name}")
        assert (found.name, Position.load(found.starts[0]).ruleset) == (copy.name, found)


def test_a_copy_is_verified_by_its_own_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pymorph: Run
) -> None:
    monkeypatch.chdir(tmp_path)
    pymorph("new-ruleset", "my_game", "--from", locations.shipped()[0])
    dispute = sorted(Path("my_game/rules/disputes").glob("*.yaml"))[0]
    code, out, _ = pymorph("test", "./my_game", dispute)
    assert (code, out.splitlines()[-1]) == (0, "1 file: all good")
    code, out, _ = pymorph("verify", "./my_game", "--property", "no_chain", "--json")
    assert code == 0
    assert json.loads(out)["ruleset"] == "my_game"
    monkeypatch.setenv("PYMORPH_PATH", str(tmp_path))
    assert pymorph("new-position", "my_game")[1].splitlines()[1] == "ruleset: my_game"


def test_a_copy_of_a_copy(
    my_game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pymorph: Run
) -> None:
    monkeypatch.chdir(my_game.parent)
    assert pymorph("new-ruleset", "another", "--from", "./my_game")[0] == 0
    assert Position.load("another/positions/start.yaml").ruleset.name == "another"
    assert pymorph("test", "./another")[0] == 0
    code, _, err = pymorph("new-ruleset", "third", "--from", "./nowhere")
    assert (code, Path("third").exists()) == (2, False)
    assert "unknown ruleset './nowhere'" in err


def test_a_first_position(
    my_game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pymorph: Run
) -> None:
    """Somebody who has installed the package alone has something to try."""
    monkeypatch.chdir(tmp_path)
    for name in locations.shipped():
        code, out, err = pymorph("new-position", name)
        assert (code, err) == (0, "")
        assert Position.parse(out) == Position.load(loader.load(name).starts[0])
        code, out, err = pymorph("new-position", name, f"{name}.yaml")
        assert (code, err) == (0, "")
        assert out.splitlines() == [f"wrote {name}.yaml", f"try: pymorph legal {name}.yaml"]
        assert pymorph("legal", f"{name}.yaml")[0] == 0
    code, _, err = pymorph("new-position", name, f"{name}.yaml")
    assert (code, err) == (
        2,
        f"pymorph: '{name}.yaml' already exists; nothing was written\n",
    )
    code, out, err = pymorph("new-position", my_game, "--list")
    assert (code, out.split("  ")[0], err) == (0, "start", "")
    two = (my_game / "positions" / "start.yaml").read_text("utf-8").replace("heap: 10", "heap: 20")
    (my_game / "positions" / "start_high.yaml").write_text(f"# A high heap.\n{two}", "utf-8")
    assert pymorph("new-position", my_game, "--list")[1].endswith("start_high  A high heap.\n")
    code, out, err = pymorph("new-position", my_game, "--start", "start_high")
    assert Position.parse(out) == Position.load(my_game / "positions" / "start_high.yaml")
    code, out, err = pymorph("new-position", my_game, "first.yaml")
    assert out.endswith("\nother starts: start_high (--start NAME)\n")
    code, out, err = pymorph("new-position", my_game, "--start", "start_hihg")
    assert (code, out) == (2, "")
    assert err.endswith(
        "unknown start 'start_hihg' of my_game; did you mean 'start_high' or 'start'?\n"
    )
    (my_game / "positions" / "start_high.yaml").unlink()
    Path("below").mkdir()
    assert pymorph("new-position", my_game, "below/mine.yaml")[0] == 0
    assert Position.load("below/mine.yaml").ruleset.name == "my_game"
    assert pymorph("new-position", my_game, "nowhere/mine.yaml")[0] == 2
    (my_game / "positions" / "start.yaml").unlink()
    code, _, err = pymorph("new-position", my_game)
    assert (code, err) == (2, "pymorph: my_game has no positions/start.yaml\n")
