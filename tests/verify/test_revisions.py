"""A ruleset as it was at a revision of its repository."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from pymorph.errors import InputError, UnknownName
from pymorph.ruleset import loader, locations
from pymorph.state.position import Position
from pymorph.verify.versions.revisions import at_revision
from tests.conftest import Run
from tests.inn import write_inn


def git(*words: str) -> None:
    names = ["-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *names, *words], check=True, capture_output=True)


def committed(name: str) -> None:
    """A revision of that name, with all that is here."""
    git("init", "-q", ".")
    git("add", ".")
    git("commit", "-q", "-m", name)
    git("tag", name)


def write_on(game: Path) -> None:
    """A rule more in a file of the inn, and a file more."""
    with (game / "rules" / "game.lp").open("a") as file:
        file.write('rule(inn_06). title(inn_06, "New"). says(inn_06, "It is new.").\n')
    (game / "rules" / "more.lp").write_text('rule(inn_07). title(inn_07, "More").\n')


@pytest.fixture
def history(inn: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The inn with a first revision, and a rule and a file more since then."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(inn, "inn")
    committed("first")
    write_on(Path("inn"))
    return "./inn"


def test_at_revision(history: str) -> None:
    with at_revision(history, "first") as folder:
        old = loader.load(str(folder))
        assert "inn_06" not in old.rules
        assert not (folder / "rules" / "more.lp").exists()
        assert Position.load(folder / "positions" / "dinner.yaml").ruleset == old
        place = folder
    assert not place.exists()
    with pytest.raises(InputError, match="unknown revision 'last'"), at_revision(history, "last"):
        pass
    with pytest.raises(UnknownName), at_revision("./nothing", "first"):
        pass


def test_nothing_but_plain_files_at_a_revision(history: str) -> None:
    Path("inn/rules/link.lp").symlink_to("/etc/passwd")
    committed("link")
    refused = r"^inn/rules/link\.lp: cannot follow a link in a ruleset$"
    with pytest.raises(InputError, match=refused), at_revision(history, "HEAD"):
        pass
    git("mv", "inn", "outn")
    git("commit", "-q", "-m", "elsewhere")
    Path("outn").rename("inn")
    with pytest.raises(InputError, match="unknown ruleset"), at_revision(history, "HEAD"):
        pass


def test_a_shipped_ruleset_at_a_revision(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A checkout has the rules in one folder and the encodings in another."""
    write_inn(tmp_path / "inn")
    for name in ("rules", "encodings"):
        (tmp_path / name).mkdir()
        (tmp_path / "inn" / name).rename(tmp_path / name / "inn")
    (tmp_path / "encodings" / "core").mkdir()
    monkeypatch.chdir(tmp_path)
    committed("first")
    with monkeypatch.context() as patched:
        for module in (loader, locations):
            patched.setattr(module, "sources_root", lambda: tmp_path)
        stack = at_revision("inn", "HEAD")
        folder = stack.__enter__()
    try:
        assert sorted(loader.load(str(folder)).rules) == [f"inn_0{n}" for n in range(1, 6)]
    finally:
        stack.__exit__(None, None, None)


def test_compared_by_diff(my_game: Path, pymorph: Run) -> None:
    committed("first")
    game = my_game / "rules" / "game.lp"
    text = game.read_text()
    game.write_text(text.replace("most(3).", "most(2)."))
    code, out, err = pymorph("diff", "--of", "./my_game", "first", "--json")
    assert (code, err) == (1, "")
    [found] = json.loads(out)["topics"][1]["findings"]
    assert (found["subject"], found["rules"]) == ("take(anna, 3)", ["heap_02"])
    assert found["witness"]["position"]["ruleset"] == "./my_game"
    committed("second")
    code, again, _ = pymorph("diff", "--of", "./my_game", "first", "second", "--json")
    assert code == 1
    assert json.loads(again)["topics"] == json.loads(out)["topics"]
    assert pymorph("diff", "--of", "./my_game", "second")[0] == 0
    assert "unknown revision" in pymorph("diff", "--of", "./my_game", "third")[2]
