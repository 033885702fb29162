"""Where pymorph is called from and writes to: odd folders, links, full disks, homes of others."""

import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from pymorph import Position, legal
from pymorph.errors import InputError
from pymorph.ruleset import scaffold, sharing
from tests.conftest import Run, full

ODD = ("a #b", "a: b", "'q", '"d', "@x", "%x", "{x", "yes", "null", "1.5", "~", "x ", "тест", "- y")


def begun(*words: object, **given: str) -> subprocess.CompletedProcess[str]:
    """What a process of its own says."""
    return subprocess.run(
        [sys.executable, "-m", "pymorph", *map(str, words)],
        capture_output=True, text=True, check=False, env={**os.environ, **given},
    )  # fmt: skip


@pytest.mark.parametrize("name", ODD)
def test_folders_that_yaml_would_read_as_something_else(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pymorph: Run
) -> None:
    (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path)
    scaffold.write(f"{name}/my_game")
    assert pymorph("new-position", f"./{name}/my_game", "p.yaml")[0] == 0
    assert pymorph("check", "p.yaml")[0] == 0


def test_a_path_that_is_no_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pymorph: Run
) -> None:
    """From within it works; a file outside cannot name the folder, and none is left there."""
    folder = os.fsdecode(b"b\xe9d")
    (tmp_path / folder).mkdir()
    monkeypatch.chdir(tmp_path)
    scaffold.write(f"{folder}/my_game")
    code, out, err = pymorph("new-position", f"{folder}/my_game", "p.yaml")
    assert (code, out) == (2, "")
    assert "a file cannot name" in err
    assert not Path("p.yaml").exists()
    monkeypatch.chdir(tmp_path / folder)
    assert pymorph("new-position", "my_game", "p.yaml")[0] == 0
    assert pymorph("check", "p.yaml")[0] == 0


def test_a_disk_that_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pymorph: Run) -> None:
    """Nothing is left of what could not be written whole."""

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(os, "fsync", full)
    code, _, err = pymorph("new-position", "tictactoe", "p.yaml")
    assert code == 2
    assert "no space left" in err
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A ruleset from which another is made, in the folder here."""
    monkeypatch.chdir(tmp_path)
    scaffold.write("first")
    return tmp_path / "first"


def refused(copied: Path, what: str) -> None:
    """No copy is made, nothing is left behind, and the line says *what*."""
    with pytest.raises(InputError, match=what):
        scaffold.copy("second", "./first")
    assert sorted(path.name for path in copied.parent.iterdir()) == ["first"]


def test_a_copy_follows_no_link_out(copied: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    secret = tmp_path_factory.mktemp("else") / "secret.yaml"
    secret.write_text("x: 1")
    (copied / "cases" / "link.yaml").symlink_to(secret)
    refused(copied, r"link\.yaml: .*link")


def test_a_copy_names_what_is_no_text(copied: Path) -> None:
    (copied / "cases" / "odd.yaml").write_bytes(b"\xff\xfe")
    refused(copied, r"odd\.yaml:1:1: not UTF-8")


def test_a_copy_has_a_bound(copied: Path) -> None:
    (copied / "cases" / "long.yaml").write_bytes(b"#" * 9_000_000)
    refused(copied, r"long\.yaml: the file is larger than")


def test_the_folder_is_gone(tmp_path: Path) -> None:
    command = (
        f"cd {tmp_path} && mkdir x && cd x && rmdir ../x && {sys.executable} -m pymorph rulesets"
    )
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("pymorph: the current folder: no such file")


def test_a_cache_in_the_home(tmp_path: Path) -> None:
    done = begun(
        "legal", "{ruleset: tictactoe, turn: x}", HOME=str(tmp_path), PYMORPH_CACHE="~/kept"
    )
    assert done.returncode == 0
    assert (tmp_path / "kept").is_dir()
    assert not Path("~").exists()


def test_a_misspelt_game_needs_no_solver() -> None:
    """It is answered before anything is loaded that takes its time."""
    code = (
        "import sys; from pymorph.cli import app; code = app.run(['words', 'morfyry']); "
        "sys.exit(90 if 'clingo' in sys.modules or 'yaml' in sys.modules else code)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "pymorph: unknown ruleset 'morfyry'; did you mean 'morphyry'?\n"


class Order:
    """What a worker has no business to answer."""

    def __reduce__(self) -> tuple[object, ...]:
        return os.system, ("exit 1",)


def test_answers_of_workers_are_data() -> None:
    """Positions, answers and errors are read; whatever would be called is refused."""
    position = Position.parse("{ruleset: tictactoe, turn: x}")
    for value in (position, legal(position), {1: (2, "x")}, MemoryError("much")):
        told = sharing.dumps((None, value, None, 0.5), False)
        assert type(sharing.answered(told)[1]) is type(value)
    for data in (pickle.dumps(Order()), pickle.dumps(([], pickle.dumps(Order())))):
        with pytest.raises(pickle.UnpicklingError, match="not a value"):
            sharing.answered(data)
