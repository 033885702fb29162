"""Army lists become the figures of a position, and nothing of them is guessed."""

import json
from pathlib import Path
from typing import Any

import pytest

from pymorph import yamlio
from pymorph.errors import InputError
from pymorph.ruleset import loader
from pymorph.state.imports import lists
from pymorph.state.imports.lists import ImportedList, ListOptions
from pymorph.state.position import Position
from tests.conftest import ROOT
from tests.tables import parametrized, parametrized_and, tables

STANDOFF = ROOT / "examples" / "rulesets" / "standoff"
LISTS = STANDOFF / "lists"
AT_LEAST = "name,count\n"


def read(tmp_path: Path, text: str | bytes, **wishes: Any) -> ImportedList:
    path = tmp_path / "list"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    game = loader.load(str(wishes.pop("game", STANDOFF)))
    return lists.imported(str(path), game, ListOptions(**wishes))


def refused(tmp_path: Path, text: str | bytes, **wishes: Any) -> str:
    with pytest.raises(InputError) as caught:
        read(tmp_path, text, **wishes)
    return str(caught.value)


# What is taken


def test_a_list_becomes_part_of_a_position() -> None:
    wishes = ListOptions(unit="mm", defaults={"side": "red", "at": "[3, 4 1/2]"})
    found = lists.imported(str(LISTS / "patrol.csv"), loader.load(str(STANDOFF)), wishes)
    assert found.missing == ("base",)
    for name, (x, y) in zip(found.members, [(4 * n, 9) for n in range(1, 9)], strict=False):
        said = found.members[name]
        assert isinstance(said, dict)
        said.setdefault("base", "25 mm")
        said["at"] = [x % 20 + 1, y + x // 20 * 4]
    text = f"ruleset: {STANDOFF}\nturn: red\ntable: {{size: [24, 24]}}\n{yamlio.block(found.data)}"
    position = Position.parse(text)
    assert len(position.listed["figure"]) == len(found.members)


def test_names_are_legal_and_no_two_alike(tmp_path: Path) -> None:
    text = (
        "Name;Number\nAun’shi, the Élder;1\nBrute;2\nbrute 1;1\nIn;1\nBrute;1\n2nd Rank;1\n"
        f"{'Long ' * 9};11\nТролль;2\n"
    )
    found = read(tmp_path, text, defaults={"side": "red"})
    long = [name for name in found.members if name.startswith("long")]
    assert long[0] == "long_long_long_long_long_long_1"
    assert [name for name in found.members if name not in long] == [
        *("aun_shi_the_elder", "brute_1", "brute_2", "brute_1_1", "in_1", "brute_3"),
        *("figure_2nd_rank", "figure_1", "figure_2"),
    ]
    assert all(len(name) <= 32 for name in found.members)
    assert len(found.members) == 20


@pytest.mark.parametrize("between", [",", ";", "\t", "|"])
def test_cells_may_be_parted_in_several_ways(tmp_path: Path, between: str) -> None:
    rows = [["Name", "Count", "Base", "Side"], ['"The ""Old"" One"', "x2", "25mm", "blue"]]
    text = "".join(between.join(row) + "\r\n" for row in rows)
    for opening in ("", "\ufeff", f"sep={between}\r\n", "\r\n"):
        found = read(tmp_path, opening + text)
        assert found.members == {
            f"the_old_one_{n}": {"side": "blue", "base": "25mm"} for n in (1, 2)
        }


def test_columns_are_known_by_the_keys_of_the_game(tmp_path: Path) -> None:
    """Keys within one another are columns of both words; others are told with the nearest."""
    text = "name,Movement,rate actions,learned dash,seatt,shoe\nann,6,2,1,3,44\nbo,5,,,,\n"
    game: dict[str, Any] = tables(__name__)["game"]
    found = read(tmp_path, text, **game)
    assert found.members["ann"] == tables(__name__)["ann"]
    assert found.members["bo"] == {"side": "foes", "movement": 5}
    assert found.left_out[0].startswith("unknown column 'seatt'; did you mean")
    assert "'shoe'" in found.left_out[1]
    assert found.missing == ()


def test_columns_may_be_named(tmp_path: Path) -> None:
    text = "Unit,How many,Round,Name,Crew\nOx,2,1 1/4 in,Old Ox,red\n"
    wishes = {"name": "Unit", "count": "How many", "base": "Round", "side": "Crew"}
    found = read(tmp_path, text, columns=wishes)
    assert found.members == {f"ox_{n}": {"side": "red", "base": "1 1/4 in"} for n in (1, 2)}
    told = refused(tmp_path, text, columns={"name": "Units"})
    assert told.endswith("unknown column 'Units' for name; did you mean 'Unit'?")


def test_what_a_list_says_goes_before_what_is_set(tmp_path: Path) -> None:
    found = read(tmp_path, "name,side\nann,blue\nbo,\n", defaults={"side": "red"})
    assert found.members == {"ann": {"side": "blue"}, "bo": {"side": "red"}}


def test_lines_without_a_count_are_left_out(tmp_path: Path) -> None:
    found = read(tmp_path, "name,count\nHEROES,\nann,1\n,4\nbo,0\n", defaults={"side": "red"})
    assert list(found.members) == ["ann"]
    assert found.left_out == ("line 2: no count", "line 4: no name", "bo: a count of 0")


@parametrized
def test_a_count_may_be_written_with_the_name(
    tmp_path: Path, name: str, plain: str, many: int
) -> None:
    for text in (f"name\n{name}\n", f"name,count\n{name},\n"):
        if many == 1 and "," in text:
            continue
        found = read(tmp_path, text, defaults={"side": "red"})
        names = [plain] if many == 1 else [f"{plain}_{n + 1}" for n in range(many)]
        assert list(found.members) == names
        assert found.notes == ()


def test_a_count_that_is_in_doubt_is_said(tmp_path: Path) -> None:
    text = "name,count\n3x Pikeman,3\n2x Ox,1\n3 Cooks,\n0x Elk,\n"
    found = read(tmp_path, text, defaults={"side": "red"})
    assert list(found.members) == ["pikeman_1", "pikeman_2", "pikeman_3", "ox"]
    assert found.notes == ("line 3: the count is 1; the name says 2",)
    assert found.left_out == ("line 4: no count", "Elk: a count of 0")
    found = read(tmp_path, "name\n3 Cooks\nMark 4\n2x Squad (5)\n", defaults={"side": "red"})
    assert list(found.members) == ["figure_3_cooks", "mark_4", "squad_5_1", "squad_5_2"]
    assert [note.partition(": ")[2] for note in found.notes] == [
        f"'{name}' is read as a name without a count" for name in ("3 Cooks", "Mark 4", "Squad (5)")
    ]


def test_what_a_table_does_not_name_is_said(tmp_path: Path) -> None:
    found = read(tmp_path, "name,,side,\nox,3,red,\nbo,4,red\nelk,,blue,\n")
    assert found.left_out == ("columns without a name: 2",)
    assert found.notes == ("line 3: 3 cells for 4 columns",)


@pytest.mark.parametrize(
    ("between", "taken"), [(";", True), ("\t", True), ("|", True), (",", False)]
)
def test_a_comma_is_a_point_where_it_is_not_between_cells(
    tmp_path: Path, between: str, taken: bool
) -> None:
    rows = [["name", "base", "at", "side"], ["ox", '"28,5 mm"', '"[1, 4,5]"', "red"]]
    text = "\n".join(between.join(row) for row in rows)
    assert "found '[1, 4, 5]'" in refused(tmp_path, text)
    found = read(tmp_path, text.replace("4,5", "4"))
    assert found.members["ox"] == {"at": [1, 4], "side": "red"} | (
        {"base": "28.5 mm"} if taken else {}
    )
    assert bool(found.left_out) == (not taken)
    odd = text.replace("4,5", "4").replace("28,5 mm", "1,234,5 mm")
    assert "'1,234,5 mm': unknown unit" in read(tmp_path, odd).left_out[0]


def test_a_table_in_windows_1252_is_read_and_said_to_be(tmp_path: Path) -> None:
    text = "name;side\nSchütze – “alt”;red\n"
    found = read(tmp_path, text.encode("cp1252"))
    assert found.members == read(tmp_path, text).members == {"schutze_alt": {"side": "red"}}
    assert found.notes == ("read as Windows-1252, because it is not UTF-8",)


# Base sizes


@parametrized
def test_base_sizes_that_are_lengths_are_taken(tmp_path: Path, text: str, told: str) -> None:
    found = read(tmp_path, f"name,base size,side\nox,{text},red\n")
    assert ("base" in found.missing) == bool(told)
    assert found.members["ox"] == ({"side": "red"} | ({} if told else {"base": text}))
    assert all(told in line for line in found.left_out)
    assert len(found.left_out) == bool(told)


def test_a_bare_number_needs_its_unit(tmp_path: Path) -> None:
    for text, unit, said in tables(__name__)["bare_numbers"]:
        found = read(tmp_path, f"name,base,side\nox,{text},red\n", unit=unit)
        assert found.members["ox"] == {"side": "red", "base": said}
    assert "unknown unit 'feet'" in refused(tmp_path, AT_LEAST, unit="feet")


def test_a_game_without_lengths_has_no_bases(tmp_path: Path) -> None:
    text = "name,base,prone\nox,25 mm,yes\n"
    game: dict[str, Any] = {"game": "actions_reactions", "defaults": {"feathered": "no"}}
    found = read(tmp_path, text, under="characters", **game)
    assert found.members == {"ox": {"feathered": "no", "prone": "yes"}}
    assert found.left_out == ("ox: base '25 mm': a character has no length",)


def test_a_game_with_boards_and_tables_has_bases(tmp_path: Path) -> None:
    game: dict[str, Any] = {"game": "quick_start_skirmish", "defaults": {"crew": "foxes"}}
    text = "name,base,card\nox,25 mm,brute\n"
    found = read(tmp_path, text, under="figures", **game)
    assert found.members == {"ox": {"crew": "foxes", "base": "25 mm", "card": "brute"}}
    told = refused(tmp_path, text, **game)
    assert told.endswith("has several headings; choose one with --under: figures, crews")
    assert "unknown heading 'figure'; did you mean 'figures'" in refused(
        tmp_path, text, under="figure", **game
    )


def test_of_several_lengths_one_is_named(tmp_path: Path) -> None:
    import shutil

    game = shutil.copytree(STANDOFF, tmp_path / "game")
    rules = game / "rules" / "game.lp"
    more = "fluent(girth, (figure,), size, 0).\nfluent(reach, (figure,), size, 0).\nsort(mark"
    declared = rules.read_text("utf-8").replace("sort(mark", more, 1)
    rules.write_text(declared, "utf-8")
    text = "name,base,side\nox,25 mm,red\n"
    assert read(tmp_path, text, game=game).members["ox"] == {"side": "red", "base": "25 mm"}
    bare = "".join(
        line
        for line in declared.splitlines(True)
        if "fluent(base" not in line and "fluent, base" not in line
    )
    rules.write_text(bare, "utf-8")
    for file in ("moving", "shooting"):
        (game / "encodings" / f"{file}.lp").unlink()
    (game / "rules" / "known.txt").unlink()
    shutil.rmtree(game / "rules" / "disputes")
    found = read(tmp_path, text, game=game)
    assert "has several lengths (girth, reach); choose one with --base" in found.left_out[0]
    for key in ("girth", "reach"):
        assert read(tmp_path, text, game=game, base=key).members["ox"] == {
            "side": "red",
            key: "25 mm",
        }
    assert "'side' is not a length in standoff" in refused(tmp_path, text, game=game, base="side")


# What is refused


@parametrized_and(
    (f"name\n{'x' * 200_000}\n", "not CSV: field larger than field limit"),
    ("name\nox\0\n", ":2:3: the character '\\x00' is not allowed"),
    (b"name\nM\xfcller\n\x81", ":2:2: not UTF-8 text: byte 0xfc"),
    (b"name\nM\xc3\xbcller\n\xc3", ":3:1: not UTF-8 text: byte 0xc3"),
    ("name" + ",x" * 100_000, ": the list has 100,001 columns; at most 500 are allowed"),
    ("name\n" + "ox\n" * 20_001, ": the file has more than 20,000 lines"),
    ("\n" * 20_001 + "name\n", ": the file has more than 20,000 lines"),
    ("name\nox\n".encode("utf-16"), ":1:1: not UTF-8 text: byte 0xff"),
)
def test_hostile_lists_get_one_clear_line(tmp_path: Path, text: str | bytes, told: str) -> None:
    line = refused(tmp_path, text, defaults={"side": "red"})
    assert line.startswith(str(tmp_path / "list"))
    assert told in line
    assert "\n" not in line


def test_a_list_is_not_too_large(tmp_path: Path) -> None:
    assert "the file is larger than 16,000,000 bytes" in refused(
        tmp_path, "x" * (lists.LIMITS.list_bytes + 1)
    )


def test_what_is_set_is_held_against_the_game(tmp_path: Path) -> None:
    text = "name\nox\nbo\n"
    assert refused(tmp_path, text, defaults={"side": "rad"}) == (
        "--set side: unknown side 'rad' for side; did you mean 'red'?"
    )
    told = refused(tmp_path, text, defaults={"syde": "red"})
    assert told == "unknown key 'syde' of a figure; did you mean 'side'?"


def test_the_verb(capsys: pytest.CaptureFixture[str]) -> None:
    from pymorph.cli.app import run

    path = str(LISTS / "patrol.csv")
    assert run(["import", "csv", path, str(STANDOFF), "--set", "side=red", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert list(told) == sorted(
        ["figures", "hash", "left_out", "missing", "notes", "ruleset", "version"]
    )
    for wrong in ("side", "side=", "=red"):
        assert run(["import", "csv", path, str(STANDOFF), "--set", wrong]) != 0
        assert "--set takes KEY=..." in capsys.readouterr().err
    twice = ["--set", "side=red", "--set", "side=blue"]
    assert run(["import", "csv", path, str(STANDOFF), *twice]) != 0
    assert "--set gives two values for 'side'" in capsys.readouterr().err
