"""Where a ruleset is looked for that is named: PYMORPH_PATH, what ships, packages; and pins."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pymorph.errors import InputError, UnknownName
from pymorph.ruleset import loader, locations, scaffold
from pymorph.state.position import Position
from pymorph.state.record import Record
from tests.conftest import Run
from tests.tables import tables

PLACED = tables(__name__)["placed"]


@pytest.fixture(autouse=True)
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder to work in, and nothing installed."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(locations.VARIABLE, raising=False)
    locations.packages.cache_clear()
    yield tmp_path
    locations.packages.cache_clear()


def game(path: str, version: str = "0.1.0") -> Path:
    """The starter ruleset, in a folder."""
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    scaffold.write(path)
    file = Path(path, "rules", "game.lp")
    file.write_text(file.read_text("utf-8").replace('"0.1.0"', f'"{version}"'), "utf-8")
    return Path(path).resolve()


def test_search_path(monkeypatch: pytest.MonkeyPatch) -> None:
    game("first/orchard", "1.0")
    game("second/orchard", "2.0")
    game("second/heap")
    Path("second/empty").mkdir()
    monkeypatch.setenv(locations.VARIABLE, os.pathsep.join(["nowhere", "first", "", "second"]))
    assert loader.load("orchard").version == "1.0"
    assert loader.load("heap").folders[0].endswith("second/heap")
    with pytest.raises(UnknownName, match="did you mean 'orchard'"):
        loader.load("orchad")


def package(desk: Path, name: str, value: str) -> None:
    """An installed package with an entry point, in a folder on Python's path."""
    info = desk / "site" / f"{name}_games-1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}-games\nVersion: 1\n")
    (info / "entry_points.txt").write_text(f"[{locations.GROUP}]\n{name} = {value}\n")
    (desk / "site" / f"{name}_games").mkdir()
    (desk / "site" / f"{name}_games" / "__init__.py").write_text("raise SystemExit('it was run')\n")


def test_packages(desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its folder is found without running its code; it cannot take the name of one that ships."""
    package(desk, "orchard", "orchard_games:plum")
    package(desk, "gone", "no_such_module")
    shipped = locations.shipped()[0]
    package(desk, shipped, "orchard_games:plum")
    folder = game("site/orchard_games/plum")
    monkeypatch.syspath_prepend(desk / "site")
    assert loader.load("orchard").folders == (str(folder),)
    assert locations.packages().keys() == {"orchard", shipped}
    assert len(locations.folders_of(shipped)) == 2


def test_precedence(desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A path, PYMORPH_PATH, what ships, a folder here, a package."""
    package(desk, "orchard", "orchard_games:orchard")
    for place in ("site/orchard_games", "shelf", "."):
        game(f"{place}/orchard", version=place)
    monkeypatch.syspath_prepend(desk / "site")
    monkeypatch.setenv(locations.VARIABLE, "shelf")
    assert loader.load("./orchard").version == "."
    assert loader.load("orchard").version == "shelf"
    monkeypatch.delenv(locations.VARIABLE)
    assert loader.load("orchard").version == "."
    Path("orchard").rename("plum")
    assert loader.load("orchard").version == "site/orchard_games"


def test_examples_by_name(desk: Path, pymorph: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """An example is named as a game that ships is; what lies here goes before, no package does."""
    name, other, *_ = locations.examples()
    own = Path(loader.load(name).folders[0])
    assert own == locations.examples()[name]
    code, _, err = pymorph("new-position", name, "first.yaml")
    assert (code, err) == (0, "")
    first = Position.load("first.yaml")
    assert first.ruleset == loader.load(str(own))
    assert f"ruleset: {name}" in Path("first.yaml").read_text("utf-8").splitlines()
    assert first.line().startswith(f"{{ruleset: {name}, ")
    assert pymorph("legal", first.line())[0] == 0
    assert pymorph("rulesets", name[:-1]) == (
        2,
        "",
        f"pymorph: unknown ruleset '{name[:-1]}'; did you mean '{name}'?\n",
    )
    package(desk, other, "orchard_games:orchard")
    game("site/orchard_games/orchard")
    monkeypatch.syspath_prepend(desk / "site")
    assert loader.load(other).folders == (str(locations.examples()[other]),)
    here = game(name, "9.0")
    assert loader.load(name).folders == (str(here),)
    assert loader.load(str(own)).named_from() == str(own)
    assert loader.load(str(own)).named_from(own / "positions") == ".."
    monkeypatch.setenv(locations.VARIABLE, str(own.parent))
    assert loader.load(name).folders == (str(own),)


# Pins


def test_pins(pymorph: Run) -> None:
    """A position that names a version or a hash is answered under no other."""
    game("orchard", "1.2")
    here = loader.load("./orchard").hash
    pinned = Path("now.yaml")
    pinned.write_text(f"version: 1.2\nhash: {here}\n{PLACED}")
    assert pymorph("legal", "now.yaml")[0] == 0
    line = Position.load("now.yaml").line()
    assert Position.parse(line.replace("{", "{version: '1.2', ", 1)).line() == line
    for row, told in (
        ("version: 1.3", "1:10: pinned to version '1.3', but orchard here has 1.2"),
        (f"hash: {'0' * 16}", f"1:7: pinned to hash '{'0' * 16}', but orchard here has {here}"),
        ("hash: [x]", f"1:7: pinned to hash more than one word, but orchard here has {here}"),
    ):
        pinned.write_text(f"{row}\n{PLACED}")
        assert pymorph("legal", "now.yaml") == (2, "", f"now.yaml:{told}\n")


def test_a_pin_notices_an_edit() -> None:
    """Also where the position stands in a record, whose own head says what it was made under."""
    folder = game("orchard")
    here = loader.load("./orchard").hash
    record = f"position: {{hash: '{here}', {', '.join(PLACED.splitlines())}}}\nplay: []\n"
    assert Record.parse(record).version == ""
    with (folder / "encodings" / "play.lp").open("a") as file:
        file.write("% a comment\n")
    with pytest.raises(InputError, match=f"pinned to hash '{here}', but orchard here has "):
        Record.parse(record)
    assert Record.parse(f"hash: {here}\nposition: {{{', '.join(PLACED.splitlines())}}}\nplay: []\n")


# The verb


def test_listed(pymorph: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    game("shelf/orchard", "2.1")
    game("other/plum")
    monkeypatch.setenv(locations.VARIABLE, os.pathsep.join(["shelf", "other"]))
    code, out, _ = pymorph("rulesets", "orchard", "plum")
    found = loader.load("orchard")
    assert code == 0
    assert [line.split() for line in out.splitlines()] == [
        ["orchard", "2.1", found.hash, "PYMORPH_PATH", *found.title.split()],
        [str(Path("shelf/orchard").resolve())],
        ["plum", "0.1.0", loader.load("plum").hash, "PYMORPH_PATH", *found.title.split()],
        [str(Path("other/plum").resolve())],
    ]
    code, out, _ = pymorph("rulesets", "--json")
    rows = {row["name"]: row for row in json.loads(out)["rulesets"]}
    assert code == 0
    assert rows.keys() == {"orchard", "plum", *locations.included()}
    assert rows["orchard"]["from"] == "PYMORPH_PATH"
    assert rows["orchard"]["folder"] == found.folders[0]
    assert {rows[name]["from"] for name in locations.shipped()} == {"shipped"}
    assert {rows[name]["from"] for name in locations.examples()} == {"example"}
    assert pymorph("rulesets", "plumb")[0] == 2


def test_listed_with_what_does_not_load(pymorph: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = game("shelf/orchard")
    (folder / "rules" / "game.lp").write_text("sort(")
    monkeypatch.setenv(locations.VARIABLE, "shelf")
    code, out, _ = pymorph("rulesets", "orchard")
    assert code == 1
    assert "game.lp:" in out.splitlines()[2]


def test_a_name_of_the_path_is_written_down(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is written down keeps the name that the search path knows."""
    game("shelf/plum")
    monkeypatch.setenv(locations.VARIABLE, "shelf")
    assert loader.load("plum").named_from() == "plum"
    line = Position.parse(PLACED.replace("orchard", "plum")).line()
    assert line.startswith("{ruleset: plum, ")
    assert Position.parse(line).ruleset == loader.load("plum")


def test_metadata_of_packages_is_not_read_without_need(monkeypatch: pytest.MonkeyPatch) -> None:
    game("shelf/orchard")
    monkeypatch.setenv(locations.VARIABLE, "shelf")
    script = (
        "import sys; from pymorph.ruleset import loader, locations; loader.load('orchard'); "
        "locations.folders_of(locations.shipped()[0]); "
        "sys.exit('importlib.metadata' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
