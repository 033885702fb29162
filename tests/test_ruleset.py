"""Loading a ruleset: found by name or way, checked, cached, the same value wherever it lies."""

import json
import os
import pickle
import shutil
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import pytest

from pymorph.asp.program import Encoding
from pymorph.errors import RulesetError, UnknownName
from pymorph.explore.execution import application
from pymorph.questions import legality
from pymorph.ruleset import compiler, loader, locations
from pymorph.ruleset.cache import store
from pymorph.ruleset.cache.build import Build
from pymorph.state.position import Position
from tests.conftest import ROOT, Run
from tests.inn import GAME, PLAY, write_inn
from tests.tables import parametrized, parametrized_and, with_campaign

LINE = (
    "{{ruleset: {}, board: '. . .', turn: anna, "
    "guests: {{anna: {{purse: 3, hand: [pear_tart, hidden]}}, bo: {{purse: 2}}}}}}"
)


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A copy of the game in `inn.py` that a test may spoil."""
    return write_inn(tmp_path / "inn")


def spoilt(own: Path, line: str) -> Path:
    """The game with a line more: in play.lp if it has a body, else in game.lp."""
    rule = ":-" in line or "@" in line
    path = own / ("encodings/play.lp" if rule else "rules/game.lp")
    path.write_text((PLAY if rule else GAME) + line + "\n")
    return own


def refusal(own: Path) -> list[str]:
    with pytest.raises(RulesetError) as caught:
        loader.load(str(own))
    return [str(fault).replace(str(own), "inn") for fault in caught.value.faults]


# Found


def test_shipped() -> None:
    assert locations.shipped() == sorted(p.name for p in (ROOT / "rules").iterdir() if p.is_dir())
    for name in locations.shipped():
        found = loader.load(name)
        assert (found.name, found.from_path, found.named_from()) == (name, False, name)
        assert found.rules
        assert found.title


def test_found_by_its_way(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(own.parent)
    games = [loader.load(way) for way in ("inn", "./inn", str(own), "inn/", "inn/../inn")]
    games += [loader.load("..", own / "positions"), loader.load(".", own)]
    assert len(set(games)) == 1
    assert {game.name for game in games} == {"inn"}


def test_called_by_its_way(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = loader.load(str(own))
    monkeypatch.chdir(own.parent)
    assert found.named_from() == "./inn"
    assert found.named_from(own / "positions") == ".."
    assert found.named_from(own) == "."
    assert found.named_from(own.parent / "elsewhere") == "../inn"
    monkeypatch.chdir("/")
    assert found.named_from().endswith("/inn")
    for folder in (None, own / "positions", own.parent):
        assert loader.load(found.named_from(folder), folder) == found


@parametrized_and(("x" * 9999, "unknown ruleset 'xxx"), ("x/" * 9999, "unknown ruleset 'x/x"))
def test_unknown(name: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UnknownName) as caught:
        loader.load(name)
    assert str(caught.value).startswith(said)
    assert len(str(caught.value)) < 400


def test_nearest_name() -> None:
    for name in locations.shipped():
        with pytest.raises(UnknownName, match=f"did you mean '{name}'"):
            loader.load(name[:-1])


# Refused


@parametrized
def test_refused(own: Path, line: str, said: str) -> None:
    found = refusal(spoilt(own, line))
    said = said.format(game=len(GAME.splitlines()) + 1, play=len(PLAY.splitlines()) + 1)
    assert any(fault.startswith(said) for fault in found), found


@parametrized
def test_header(own: Path, header: str, said: str) -> None:
    path = own / "rules" / "game.lp"
    path.write_text(GAME.replace('ruleset(inn, "1.2.0", "The Inn").', header))
    assert any(said in fault for fault in refusal(own))


@parametrized
def test_boards_that_cannot_be_drawn(own: Path, line: str, said: str) -> None:
    text = LINE.format(spoilt(own, line))
    if "surface" in line:
        assert Position.parse(text)
        text = text.replace("board: '. . .', ", "")
    with pytest.raises(RulesetError) as caught:
        Position.parse(text)
    assert str(caught.value).startswith(f"the board of this game: {said}")


@parametrized
def test_rules_that_go_wrong(own: Path, line: str, said: str) -> None:
    position = Position.parse(LINE.format(spoilt(own, line)).replace("hidden", "rye_bread"))
    with pytest.raises(RulesetError) as caught:
        application.apply(position, "eat(anna, pear_tart)")
    assert said in str(caught.value)


def test_all_faults_of_all_files_on_the_command_line(own: Path, pymorph: Run) -> None:
    (own / "rules" / "game.lp").write_text(GAME + "{ a }.\n{ b }.\n")
    (own / "encodings" / "play.lp").write_text(PLAY + "legal(A, S) :- asked(A, S).\n")
    (own / "encodings" / "more.lp").write_bytes(b"a\0.\n")
    code, out, err = pymorph("check", own / "positions" / "dinner.yaml")
    assert (code, out) == (2, "")
    places = [line.replace(str(own), "inn").partition(": ")[0] for line in err.splitlines()]
    last = len(GAME.splitlines())
    assert places == [
        "inn/encodings/more.lp:1:2",
        f"inn/encodings/play.lp:{len(PLAY.splitlines()) + 1}:1",
        f"inn/rules/game.lp:{last + 1}:1",
        f"inn/rules/game.lp:{last + 2}:1",
    ]


@pytest.mark.parametrize("data", [b"\xff", b"a.\0", b"asp 1 0 0\n", b"a" * 300_000, b"a(" * 9999])
def test_files_that_are_no_encoding(own: Path, data: bytes) -> None:
    (own / "encodings" / "more.lp").write_bytes(data)
    assert refusal(own)[0].startswith("inn/encodings/more.lp")


def test_too_many_files(own: Path) -> None:
    for number in range(store.LIMITS.files + 1):
        (own / "encodings" / f"f{number}.lp").touch()
    assert refusal(own) == [f"inn: the ruleset has more than {store.LIMITS.files} files"]


def test_files_that_are_none(own: Path) -> None:
    """Folders and dangling links that are called like one."""
    (own / "encodings" / "folder.lp").mkdir()
    (own / "encodings" / "gone.lp").symlink_to(own / "nowhere.lp")
    assert loader.load(str(own)).name == "inn"


def test_a_long_file_is_not_read_whole(own: Path) -> None:
    """A file of 8 GB, most of it a hole."""
    path = own / "encodings" / "long.lp"
    path.touch()
    os.truncate(path, 8 << 30)
    assert refusal(own) == ["inn/encodings/long.lp: the file is longer than 256 kB"]


def test_a_link_is_not_followed_out_of_the_folder(own: Path, tmp_path: Path) -> None:
    """Nothing is told of what it leads to; within the folder, a link is a file like another."""
    (tmp_path / "secret").write_text("root:x:0:0\n")
    more = own / "encodings" / "more.lp"
    more.symlink_to(tmp_path / "secret")
    assert refusal(own) == [
        "inn/encodings/more.lp: cannot follow a link that leads out of the folder; copy the file "
        "into it"
    ]
    more.unlink()
    (own / "comment").write_text("% nothing\n")
    more.symlink_to(own / "comment")
    assert loader.load(str(own)).name == "inn"


# One value


def test_equal_by_content(own: Path, tmp_path: Path) -> None:
    first = loader.load(str(own))
    shutil.copytree(own, tmp_path / "copy")
    copy = loader.load(str(tmp_path / "copy"))
    assert copy == first
    assert hash(copy) == hash(first)
    spoilt(tmp_path / "copy", "% a comment more")
    assert loader.load(str(tmp_path / "copy")) != first
    assert first != "inn"


def test_changes_are_seen_at_once(own: Path) -> None:
    line = LINE.format(own)
    assert len(legality.legal_actions(Position.parse(line))) == 1
    spoilt(own, "forbidden(A, S, inn_05) :- considered(A, S).")
    assert legality.legal_actions(Position.parse(line)) == ()


def test_pickles(own: Path) -> None:
    found = loader.load(str(own))
    assert pickle.loads(pickle.dumps(found)) == found
    for name in locations.shipped():
        assert pickle.loads(pickle.dumps(loader.load(name))) == loader.load(name)


def test_rule_ids() -> None:
    found = loader.load(locations.shipped()[0])
    name = min(found.rules)
    assert found.rule(name.upper().replace("_", "-")) == found.rules[name]
    with pytest.raises(UnknownName, match=f"unknown rule '{name}x'; did you mean"):
        found.rule(f"{name}x")


# The cache


def compiled(own: Path, before: list[bytes]) -> list[bytes] | list[str]:
    """What is stored of a ruleset, made from a build *before*; or all that is wrong with it."""
    try:
        build = Build(store.Values(before))
        return [*compiler.compiled(*loader.files_of((str(own),)), build).lines]
    except RulesetError as error:
        return [*map(str, error.faults)]


def without(text: str, number: int) -> str:
    """A text without one of its lines."""
    lines = text.splitlines(keepends=True)
    return "".join(lines[:number] + lines[number + 1 :])


def edits(step: int) -> Iterator[tuple[str, str]]:
    """A file of the inn, and what becomes of it by an edit: each line that goes, *step* apart."""
    for file, text in (("rules/game.lp", GAME), ("encodings/play.lp", PLAY)):
        for number in range(0, text.count("\n"), step):
            yield file, without(text, number)
    yield "rules/game.lp", GAME + "ware(bo).\n"
    yield "rules/game.lp", GAME.replace("range(-5, 99)", "range(0, 3)")
    yield "rules/game.lp", GAME.replace("(glad; grim)", "(glad; cross)")
    yield "rules/game.lp", GAME.replace("inn_05", "inn_06")
    yield "encodings/play.lp", PLAY + "sets(purse(C), c, T, inn_02) :- does(eat(C, _), _, T).\n"
    yield "encodings/play.lp", PLAY.replace("near(C, P, S) :-", "near(C, P) :-")


@with_campaign("step", [16], [2])
def test_an_edit_is_checked_as_the_whole_is(own: Path, step: int) -> None:
    """What is remembered of the other files makes no difference to what is wrong, or to what is
    stored; and an edit that is taken back leaves what there was."""
    whole, refused = compiled(own, []), 0
    assert whole == compiled(own, whole)
    for file, text in edits(step):
        old = (own / file).read_text()
        (own / file).write_text(text)
        found = compiled(own, whole)
        assert found == compiled(own, [])
        refused += isinstance(found[0], str)
        (own / file).write_text(old)
        if isinstance(found[0], bytes):
            assert compiled(own, found) == whole
    assert 4 <= refused <= len([*edits(step)]) - 4


def test_an_edit_costs_the_file_it_is_in(own: Path) -> None:
    """Files that have not changed are not read again, unless a word that they use is gone."""
    before = compiled(own, [])
    read: list[str] = []
    parse = Encoding.parse

    def told(encoding: Encoding) -> bool:
        read.append(Path(encoding.source.name).name)
        return parse(encoding)

    with mock.patch.object(Encoding, "parse", told):
        (own / "rules/game.lp").write_text(GAME.replace("next door", "at hand") + "ware(jam).\n")
        before = compiled(own, before)
        ours = [name for name in read if name in ("game.lp", "play.lp", "legality.lp")]
        assert ours == ["game.lp"]
        read.clear()
        (own / "rules/game.lp").write_text(GAME)
        compiled(own, before)
    assert {"game.lp", "play.lp", "legality.lp"} <= {*read}


def spoilt_values(values: store.Values) -> Iterator[store.Values]:
    """The values of a build, where those of its files are no such values."""
    *rest, (files, compared), shared, base = map(json.loads, values.lines)
    for known in (3, [[], 3], [3, compared], [[[3]] * len(files), compared]):
        yield store.Values.of([*rest, known, shared, base])
    for keys in (3, [["a", 1, None]]):
        yield store.Values.of([*rest, [files, compared], {**shared, "keys": keys}, base])


def test_cache(own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was checked once is read again; with a spoilt cache the answer is as right."""
    cache = tmp_path / "cache"
    monkeypatch.setenv("PYMORPH_CACHE", str(cache))

    def fresh() -> list[str]:
        loader._loaded.cache_clear()
        actions = legality.legal_actions(Position.parse(LINE.format(own)))
        return [str(action) for action in actions]

    try:
        right = fresh()
        (entry,) = (cache / "rulesets").iterdir()
        text = entry.read_text()
        changed = text.replace("taken", "token")
        assert changed != text
        for spoil in ("", "{", "null", "[]", "{}", changed, text[:-20], "\0"):
            entry.write_text(spoil)
            assert fresh() == right
            assert entry.read_text() == text
        other = entry.with_stem(entry.stem[::-1])
        other.write_text(text)
        entry.unlink()
        assert fresh() == right
        assert entry.read_text() == text
        entry.write_bytes(other.read_bytes()[1:])
        assert fresh() == right
        elsewhere = tmp_path / "elsewhere.json"
        elsewhere.write_text(text)
        entry.unlink()
        entry.symlink_to(elsewhere)
        assert fresh() == right
        entry.unlink()
        os.mkfifo(entry)
        assert fresh() == right
        entry.unlink()
        assert fresh() == right
        before = entry.with_stem(entry.stem[:-1])
        for values in spoilt_values(store.read(entry)):
            entry.unlink()
            store.write(before, values)
            assert fresh() == right
            assert entry.read_text() == text
        entry.unlink()
        entry.mkdir()
        assert fresh() == right
        shutil.rmtree(cache)
        cache.write_text("a file, where a folder should be")
        assert fresh() == right
        monkeypatch.setenv("PYMORPH_CACHE", "/dev/null/nowhere")
        assert fresh() == right
        monkeypatch.delenv("PYMORPH_CACHE")
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
        monkeypatch.setenv("HOME", str(tmp_path / "home"))
        assert fresh() == right
    finally:
        loader._loaded.cache_clear()
    assert sorted(os.listdir(own)) == ["encodings", "positions", "rules"]
