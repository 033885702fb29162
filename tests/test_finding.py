"""Where a ruleset is looked for that is named: pymorph.toml, PYMORPH_PATH, what ships, packages."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pymorph import finding, ruleset, starter
from pymorph.errors import InputError, UnknownName
from pymorph.position import Position

Run = Callable[..., tuple[int, str, str]]
PLACED = """\
ruleset: orchard
turn: anna
heap: 3
players: {anna: {}, bo: {}}
"""


@pytest.fixture(autouse=True)
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder to work in, and nothing installed."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(finding.VARIABLE, raising=False)
    finding.packages.cache_clear()
    yield tmp_path
    finding.packages.cache_clear()


def game(path: str, version: str = "0.1.0") -> Path:
    """The starter ruleset, in a folder."""
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    starter.write(path)
    file = Path(path, "rules", "game.lp")
    file.write_text(file.read_text("utf-8").replace('"0.1.0"', f'"{version}"'), "utf-8")
    return Path(path).resolve()


def toml(text: str, folder: str = ".") -> None:
    Path(folder).mkdir(parents=True, exist_ok=True)
    Path(folder, finding.FILE).write_text(text, "utf-8")


def test_named_in_a_file(desk: Path) -> None:
    """The file is looked for from the folder of the position upwards, and paths are its own."""
    folder = game("games/orchard")
    toml('[rulesets]\norchard = "../games/orchard"\n', "table")
    Path("table/tonight").mkdir()
    Path("table/tonight/now.yaml").write_text(PLACED)
    position = Position.load("table/tonight/now.yaml")
    assert position.ruleset.folders == (str(folder),)
    assert position.ruleset.named_from(desk / "table" / "tonight") == "orchard"
    assert position.ruleset.named_from(desk) == "games/orchard"
    with pytest.raises(UnknownName, match="unknown ruleset 'orchard'"):
        ruleset.load("orchard")


def test_named_otherwise_than_it_calls_itself() -> None:
    """What is written down keeps the name that the file knows, and so its pin."""
    game("games/orchard")
    toml('[rulesets]\nplum = "games/orchard"\n')
    assert ruleset.load("plum").name == "orchard"
    assert ruleset.load("plum").named_from() == "plum"
    line = Position.parse(PLACED.replace("orchard", "plum")).line()
    assert Position.parse(line).ruleset == ruleset.load("plum")
    assert line.startswith("{ruleset: plum, ")


def test_nearest_file_counts() -> None:
    game("one")
    game("two")
    toml('[rulesets]\norchard = "one"\n')
    toml('[rulesets]\norchard = "../two"\n', "table")
    assert ruleset.load("orchard", Path("table")).name == "two"
    assert ruleset.load("orchard").name == "one"


def test_search_path(monkeypatch: pytest.MonkeyPatch) -> None:
    game("first/orchard", "1.0")
    game("second/orchard", "2.0")
    game("second/heap")
    Path("second/empty").mkdir()
    monkeypatch.setenv(finding.VARIABLE, os.pathsep.join(["nowhere", "first", "", "second"]))
    assert ruleset.load("orchard").version == "1.0"
    assert ruleset.load("heap").folders[0].endswith("second/heap")
    with pytest.raises(UnknownName, match="did you mean 'orchard'"):
        ruleset.load("orchad")


def package(desk: Path, name: str, value: str) -> None:
    """An installed package with an entry point, in a folder on Python's path."""
    info = desk / "site" / f"{name}_games-1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}-games\nVersion: 1\n")
    (info / "entry_points.txt").write_text(f"[{finding.GROUP}]\n{name} = {value}\n")
    (desk / "site" / f"{name}_games").mkdir()
    (desk / "site" / f"{name}_games" / "__init__.py").write_text("raise SystemExit('it was run')\n")


def test_packages(desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its folder is found without running its code; it cannot take the name of one that ships."""
    package(desk, "orchard", "orchard_games:plum")
    package(desk, "gone", "no_such_module")
    shipped = ruleset.shipped()[0]
    package(desk, shipped, "orchard_games:plum")
    folder = game("site/orchard_games/plum")
    monkeypatch.syspath_prepend(desk / "site")
    assert ruleset.load("orchard").folders == (str(folder),)
    assert finding.packages().keys() == {"orchard", shipped}
    assert len(ruleset.folders_of(shipped)) == 2


def test_precedence(desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A path, pymorph.toml, PYMORPH_PATH, what ships, a folder here, a package."""
    package(desk, "orchard", "orchard_games:orchard")
    for place in ("site/orchard_games", "shelf", "listed", "."):
        game(f"{place}/orchard", version=place)
    monkeypatch.syspath_prepend(desk / "site")
    monkeypatch.setenv(finding.VARIABLE, "shelf")
    toml('[rulesets]\norchard = "listed/orchard"\n')
    assert ruleset.load("./orchard").version == "."
    assert ruleset.load("orchard").version == "listed"
    toml("")
    assert ruleset.load("orchard").version == "shelf"
    monkeypatch.delenv(finding.VARIABLE)
    assert ruleset.load("orchard").version == "."
    Path("orchard").rename("plum")
    assert ruleset.load("orchard").version == "site/orchard_games"


def test_what_ships_can_be_replaced_by_a_file_alone() -> None:
    name = ruleset.shipped()[0]
    game("mine")
    assert len(ruleset.folders_of(name)) == 2
    toml(f'[rulesets]\n{name} = "mine"\n')
    assert ruleset.load(name).name == "mine"


# Pins


def test_pins(pymorph: Run) -> None:
    game("orchard", "1.2")
    is_ = ruleset.load("./orchard").hash
    entry = '[rulesets]\norchard = {{path = "orchard", version = "{}", hash = "{}"}}\n'
    toml(entry.format("1.2", is_))
    assert ruleset.load("orchard").hash == is_
    Path("now.yaml").write_text(PLACED)
    for version, content, told in (
        ("1.3", is_, "is pinned to version 1.3, and {} has 1.2"),
        ("1.2", "0" * 16, f"is pinned to hash {'0' * 16}, and {{}} has {is_}"),
    ):
        toml(entry.format(version, content))
        code, out, err = pymorph("legal", "now.yaml")
        folder = Path("orchard").resolve()
        assert (code, out) == (2, "")
        assert err == f"pymorph.toml:2: orchard {told.format(folder)}\n"


def test_a_pin_notices_an_edit() -> None:
    folder = game("orchard")
    is_ = ruleset.load("./orchard").hash
    toml(f'[rulesets.orchard]\npath = "orchard"\nhash = "{is_}"\n')
    assert ruleset.load("orchard").hash == is_
    with (folder / "encodings" / "play.lp").open("a") as file:
        file.write("% a comment\n")
    with pytest.raises(InputError, match=f"pymorph.toml:1: orchard is pinned to hash {is_}"):
        ruleset.load("orchard")


# What is wrong with a file


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[rulesets\n", ":1:10: not TOML: expected ']' at the end of a table declaration"),
        ('[rulesets]\n\norchard = "nowhere"\n',
         ":3: orchard: no ruleset in 'nowhere'; its folder has a folder 'rules' in it"),
        ("[rulesets]\norchard = 3\n",
         ':2: orchard is a path in quotes, or {path = "...", version = "...", hash = "..."}'),
        ('[rulesets]\norchard = {version = "1"}\n', ":2: orchard has no 'path'"),
        ('[rulesets]\norchard = {path = "here", pth = "x"}\n',
         ":2: unknown key 'pth' of orchard; did you mean 'path'?"),
        ('[rulesets]\n"or chard" = "here"\n', ":2: 'or chard' is no name: "),
        ("[ruleset]\n", ":1: unknown key 'ruleset'; expected rulesets"),
        ("rulesets = 3\n", ":1: 'rulesets' is a table of names"),
    ],
)  # fmt: skip
def test_wrong(text: str, told: str, pymorph: Run) -> None:
    game("here")
    toml(text)
    told = told.replace("; expected rulesets", "; did you mean 'rulesets'?")
    Path("now.yaml").write_text(PLACED)
    code, out, err = pymorph("legal", "now.yaml")
    assert (code, out) == (2, "")
    assert err.startswith(f"pymorph.toml{told}"), err
    assert len(err.splitlines()) == 1


# The verb


def test_listed(pymorph: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    game("mine/orchard", "2.1")
    game("shelf/plum")
    toml('[rulesets]\norchard = "mine/orchard"\n')
    monkeypatch.setenv(finding.VARIABLE, "shelf")
    code, out, _ = pymorph("rulesets", "orchard", "plum")
    found = ruleset.load("orchard")
    assert code == 0
    assert [line.split() for line in out.splitlines()] == [
        ["orchard", "2.1", found.hash, "pymorph.toml:2"],
        ["plum", "0.1.0", ruleset.load("plum").hash, "PYMORPH_PATH"],
    ]
    code, out, _ = pymorph("rulesets", "--json")
    rows = {row["name"]: row for row in json.loads(out)["rulesets"]}
    assert code == 0
    assert rows.keys() == {"orchard", "plum", *ruleset.shipped()}
    assert rows["orchard"]["from"] == "pymorph.toml:2"
    assert rows["orchard"]["folder"] == found.folders[0]
    assert {rows[name]["from"] for name in ruleset.shipped()} == {"shipped"}
    assert pymorph("rulesets", "plumb")[0] == 2


def test_listed_with_what_does_not_load(pymorph: Run) -> None:
    game("orchard")
    toml('[rulesets]\norchard = {path = "orchard", version = "9"}\n')
    code, out, _ = pymorph("rulesets", "orchard")
    assert code == 1
    assert out.splitlines()[1].strip().startswith("pymorph.toml:2: orchard is pinned to version 9")


def test_metadata_of_packages_is_not_read_without_need() -> None:
    game("orchard")
    toml('[rulesets]\norchard = "orchard"\n')
    script = (
        "import sys; from pymorph import ruleset; ruleset.load('orchard'); "
        "ruleset.folders_of(ruleset.shipped()[0]); "
        "sys.exit('importlib.metadata' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
