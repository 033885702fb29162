"""The starter ruleset: written whole or not at all, and a game at once."""

import os
import shlex
from pathlib import Path

import pytest

from pymorph.errors import InputError
from pymorph.questions import legality
from pymorph.ruleset import loader, locations, scaffold
from pymorph.state.position import Position
from pymorph.verify.scope import Scope
from pymorph.verify.spaces import witnesses
from tests.conftest import Run, full
from tests.tables import parametrized, sampled


def test_what_the_files_say_to_try(
    my_game: Path, pymorph: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(my_game)
    text = (my_game / "rules" / "game.lp").read_text()
    lines = [line.strip() for line in text.splitlines() if line.startswith("  pymorph ")]
    assert len(lines) == 3
    codes = [pymorph(*shlex.split(line)[1:])[0] for line in lines]
    assert codes == [0, 0, 1]


@parametrized
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


def test_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(InputError, match="cannot write 'my_game': no space left on device"):
        scaffold.write("my_game")
    assert os.listdir() == []


# Copies, and first positions


@sampled("name", locations.shipped(), locations.shipped()[:1])
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
    line = witnesses.lines_of(Scope(copy))[0][1].removeprefix(witnesses.FLAWED).rpartition("@")[2]
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
