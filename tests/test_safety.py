"""Whatever a file holds, it is read or refused in plain words: never a traceback, never a hang."""

import random
import re
import time
from pathlib import Path

import pytest

from pymorph import yamlio
from pymorph.errors import Faulty, PymorphError
from pymorph.explore.execution import application
from pymorph.questions import consistency, explanation, figures, legality
from pymorph.state.position import Position
from tests.conftest import EXAMPLES, ROOT, Run
from tests.inn import write_inn
from tests.tables import parametrized, tables

LIMIT = 8.0  # seconds of work that one file may take

START = "ruleset: ./my_game\nturn: anna\nheap: 10\nplayers: {anna: {}, bo: {}}\n"

HOSTILE: dict[str, bytes] = {
    **{entry["id"]: entry["text"].encode() for entry in tables(__name__)["hostile"]},
    "empty": b"",
    "nul": b"ruleset: ./my_game\0\n",
    "control": START.encode() + b"heap: \x1b]0;title\x07\n",
    "not utf-8": START.encode() + b"\xff\xfe\n",
    "utf-16": START.encode("utf-16"),
    "utf-16 without a mark": START.encode("utf-16-le"),
    "lone surrogate": b"heap: \xed\xa0\x80\n",
    "picture": b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 40,
    "zip": b"PK\x03\x04" + bytes(1000),
    "billion laughs": b"a: &a [x, x]\n"
    + b"".join(b"%c: &%c [*%c, *%c]\n" % (n + 1, n + 1, n, n) for n in range(97, 121)),
    "quadratic": b"a: &a [" + b"x, " * 9000 + b"]\nb: [" + b"*a, " * 9000 + b"]\n",
    "deep list": b"a: " + b"[" * 400_000,
    "deep mapping": b"{a: " * 200_000,
    "deep block": b"".join(b" " * n + b"a:\n" for n in range(600)),
    "many questions": b"? " * 100_000,
    "many dashes": b"- " * 300_000,
    "long key": b"k" * 900_000 + b": 1\n",
    "long quoted key": START.encode() + b'"' + b"k" * 900_000 + b'": 1\n',
    "long value": START.encode() + b"last: " + b"9" * 900_000 + b"\n",
    "long ruleset": b"ruleset: " + b"a/" * 400_000 + b"\n",
    "long name": START.replace("bo: {}", "b" * 1000 + ": {}").encode(),
    "too large": b"#" * 1_000_001,
    "many keys": START.encode() + b"".join(b"k%d: 1\n" % n for n in range(9000)),
    "the same key": START.encode() + b"heap: 1\n" * 9000,
    "many values": START.encode() + b"last: [" + b"1," * 60_000 + b"]\n",
    "many odd lines": b"\x01\n" * 100_000,
    "emoji": START.replace("anna", "\U0001f600").encode(),
    "turned around": START.replace("anna", "\u202eanna").encode(),
}

GOOD: dict[str, bytes] = {
    "bom": b"\xef\xbb\xbf" + START.encode(),
    "crlf": START.replace("\n", "\r\n").encode(),
    "no line end": START.rstrip("\n").encode(),
    "tabs between": START.replace(": ", ":\t").encode(),
    "json": b'{"ruleset":"./my_game","turn":"anna","heap":10,"players":{"anna":{},"bo":{}}}',
    "json on lines": b'{\n\t"ruleset": "./my_game",\n\t"turn": "anna",\n\t"heap": 10,\n'
    b'\t"players": {\n\t\t"anna": {},\n\t\t"bo": {}\n\t}\n}\n',
    "version": b"%YAML 1.2\n---\n" + START.encode() + b"...\n",
    "emoji in a comment": b"# \xf0\x9f\x98\x80\n" + START.encode(),
}


def refused(answer: tuple[int, str, str], place: str) -> list[str]:
    """The lines of a refusal, each of them in order."""
    code, out, err = answer
    assert (code, out) == (2, "")
    lines = err.splitlines()
    assert lines
    assert len(lines) <= 101
    for line in lines:
        assert line.startswith(place)
        assert line.isprintable()
        assert len(line) < 300
        assert "Traceback" not in line
        assert "internal error" not in line
    places = [
        tuple(int(n) for n in found.groups())
        for line in lines
        if (found := re.match(r"[^:]*:(\d+):(\d+): ", line))
    ]
    assert places == sorted(places)
    return lines


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("verb", ["check", "legal"])
def test_hostile_files(my_game: Path, pymorph: Run, name: str, verb: str) -> None:
    (my_game.parent / "f.yaml").write_bytes(HOSTILE[name])
    start = time.perf_counter()
    refused(pymorph(verb, "f.yaml"), "f.yaml")
    assert time.perf_counter() - start < LIMIT


@pytest.mark.parametrize("name", GOOD)
def test_harmless_files(my_game: Path, pymorph: Run, name: str) -> None:
    (my_game.parent / "f.yaml").write_bytes(GOOD[name])
    assert pymorph("check", "f.yaml") == (
        0,
        "consistent: a valid position of Heap, a game to start from\n",
        "",
    )
    assert Position.load("f.yaml") == Position.parse(START)


@pytest.mark.parametrize("verb", ["legal", "why", "forecast", "apply", "check", "show"])
def test_hostile_arguments(my_game: Path, pymorph: Run, verb: str) -> None:
    action = ["take(1)"] if verb in ("why", "apply") else []
    for given, place in (
        ("nowhere.yaml", "nowhere.yaml: "),
        (".", ".: "),
        ("", "'': "),
        ("/dev/null", "/dev/null:1: "),
        ("{", "<line>:"),
        ("{ruleset: ./my_game, turn: ann, heap: 1, players: {anna: {}}}", "<line>:1:28: "),
        ("{a: &a b, c: *a}", "<line>:1:"),
        ("{\x1b: \udcff}", "<line>:"),
        ("x" * 100_000, "xxx"),
    ):
        assert refused(pymorph(verb, given, *action), place)


ACTIONS = [
    "", " ", "take", "take(", "take(anna", "take(anna, 1", "take(anna, 1))", "take()", "3", "-3",
    "tak(anna, 1)",
    "take(anna, 1, 2)", "take(ana, 1)", "take(anna, 0)", "take(anna, 10)", "take(anna, -1)",
    "take(anna, 99999999999999999999)", "take(anna, 1.0)", "take(anna, x)", "take(X, 1)",
    "take(anna, (1;2))", "take(anna, 1..3)", "take(anna; bo, 1)", "take(anna, 1+1)", "take(_x, 1)",
    "take(anna, 1). legal(take(anna, 9), 0)", "a:-b.", "#script", '"#script"', "@places()",
    "not take(anna, 1)", "-take(anna, 1)", "legal(take(anna, 1), 0)", "holds(turn, bo, 0)",
    "t\u0101xe(anna, 1)", "\U0001f600", "take\n(anna, 9999)", "take(anna, 1)\0", "x" * 100_000,
    "take(" * 10_000, "(" * 300, "take(anna, take(anna, take(anna, 1)))", "%", "\\", "'", "{a: b}",
]  # fmt: skip


@pytest.mark.parametrize("verb", ["why", "apply", "forecast"])
@pytest.mark.parametrize("text", ACTIONS)
def test_hostile_actions(my_game: Path, pymorph: Run, verb: str, text: str) -> None:
    start = time.perf_counter()
    code, out, err = pymorph(verb, "my_game/positions/start.yaml", text)
    assert time.perf_counter() - start < LIMIT
    if code == 2:
        assert out == ""
        assert len(err.splitlines()) == 1
        assert err.startswith("pymorph: ")
        assert err[:-1].isprintable()
        assert len(err) < 300
        assert "internal error" not in err
    else:
        assert text in ("take", "take(anna, 1)"), (code, out, err)


def test_text_of_a_position_is_no_program(my_game: Path, pymorph: Run) -> None:
    """What would be rules to clingo is, in a file, a name that is not known."""
    for value in ("a:-b.", "x,y", "'\"#script'", "(a;b)", "1..9", "'#include \"f\".'", "1+1"):
        text = START.replace("heap: 10", f"heap: {value}")
        Path("f.yaml").write_text(text)
        [line] = refused(pymorph("legal", "f.yaml"), "f.yaml:3:7: found ")
        assert line.endswith("; expected 0 to 99")
        Path("f.yaml").write_text(START.replace("bo: {}", f"{value}: {{}}"))
        if value != "x,y":
            [line] = refused(pymorph("legal", "f.yaml"), "f.yaml:4:")
            assert "is not a valid name; expected a small letter" in line


# Mutations of good files

SOUPS = [
    b"\0", b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\xf0\x9f\x98\x80", b"\t", b"\r",
    b"\r\n", b"\n", b"\n\n", b"  ", b":", b": ", b"- ", b"? ", b"#", b" #", b",", b"[", b"]", b"{",
    b"}", b"{}", b"[]", b"|", b"|\n", b">", b"|2-", b"'", b'"', b'"\\', b"&a", b"*a", b"!",
    b"!!str",
    b"---\n",
    b"...\n", b"%YAML 9\n", b"<<", b"~", b"null", b"@", b"0", b"-1", b"1", b"007", b"1e9", b"0x1F",
    b"99999999999999999999", b".5", b"1..9", b"(a;b)", b"a:-b.", b"f(x)", b"f(x, g(1))", b"hidden",
    b"none", b"given", b"yes", b"+", b"-", b"T", b".",
]  # fmt: skip
WORD = re.compile(rb"[A-Za-z0-9_]+")


Corpus = tuple[list[bytes], dict[bytes, bytes]]  # the files, and the folders that marks stand for


def mutated(chance: random.Random, corpus: list[bytes]) -> bytes:
    """One of the files, changed in one to four ways."""
    data = chance.choice(corpus)
    words = WORD.findall(b" ".join(corpus))
    for _ in range(chance.choice((1, 1, 1, 2, 2, 4))):
        way = chance.randrange(11)
        lines = data.split(b"\n")
        at = chance.randrange(len(data) + 1)
        one, other = chance.randrange(len(lines)), chance.randrange(len(lines))
        if way == 0 and data:  # a bit
            at %= len(data)
            data = data[:at] + bytes([data[at] ^ 1 << chance.randrange(8)]) + data[at + 1 :]
        elif way == 1:  # a stretch goes
            data = data[:at] + data[at + chance.randrange(1, 12) :]
        elif way == 2:  # something comes in
            data = data[:at] + chance.choice(SOUPS) + data[at:]
        elif way == 3:
            lines[one], lines[other] = lines[other], lines[one]
            data = b"\n".join(lines)
        elif way == 4:
            del lines[one]
            data = b"\n".join(lines)
        elif way == 5:
            lines.insert(other, lines[one])
            data = b"\n".join(lines)
        elif way == 6:  # one level in or out
            line = lines[one]
            lines[one] = line[2:] if line[:2] == b"  " and chance.random() < 0.5 else b"  " + line
            data = b"\n".join(lines)
        elif way == 7:  # the end of another file
            rest = chance.choice(corpus)
            data = data[:at] + rest[chance.randrange(len(rest) + 1) :]
        else:  # another word: most of these can still be read
            found = list(WORD.finditer(data))
            if found:
                old = chance.choice(found)
                new = chance.choice(words) if way < 10 else chance.choice(SOUPS)
                data = data[: old.start()] + new + data[old.end() :]
    return data


def unhurt(data: bytes, path: Path) -> bool:
    """Read and ask; whether it could be read. Nothing but a PymorphError may come of it."""
    start = time.process_time()
    path.write_bytes(data)
    said: PymorphError | None = None
    try:
        position = Position.load(path)
        assert Position.parse(position.line()) == position
        consistency.check(position)
        legality.legal(position)
    except PymorphError as error:
        said = error
    assert said is None or str(said)
    assert not isinstance(said, Faulty) or said.faults
    assert time.process_time() - start < LIMIT
    return said is None


@parametrized
def test_what_nobody_has_named_is_no_link_elsewhere(
    link: str, words: str, my_game: Path, pymorph: Run
) -> None:
    """Nothing is told of what it leads to; what the user names himself may lead anywhere."""
    Path("secret").write_text("{s3cret: x}\n")
    path = my_game / link
    path.parent.mkdir(exist_ok=True)
    path.unlink(missing_ok=True)
    path.symlink_to(Path("secret").resolve())
    (my_game / "cases/based.yaml").write_text("- id: one\n  base: one\n  do: [take(anna, 1)]\n")
    code, out, err = pymorph(*words.split())
    assert code in (1, 2)
    assert f"{link}: {yamlio.LEADS_OUT}" in out + err
    assert "s3cret" not in out + err


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    """The files that are mutated, which then may stand anywhere.

    In place of the folder of a game stands a mark, so that what chance does to the bytes does not
    hang on where the folder is.
    """
    inn = write_inn(tmp_path_factory.mktemp("fuzz") / "inn")
    roots = (EXAMPLES, ROOT / "pymorph", inn)
    paths = sorted(path for root in roots for path in root.rglob("*.yaml"))
    found = []
    homes: dict[bytes, bytes] = {}
    for number, path in enumerate(paths):
        mark = b"@%04d@" % number
        homes[mark] = str(path.parent.parent).encode()
        found.append(path.read_bytes().replace(b"ruleset: ..", b'ruleset: "%s"' % mark))
    return found, homes


def fuzz(corpus: Corpus, seed: int, number: int, folder: Path) -> None:
    chance = random.Random(seed)
    files, homes = corpus
    read = 0
    for _ in range(number):
        data = mutated(chance, files)
        for mark, home in homes.items():
            data = data.replace(mark, home)
        try:
            read += unhurt(data, folder / "fuzzed.yaml")
        except BaseException as error:
            raise AssertionError(f"{error!r} from {data!r}") from error
    assert read >= number // 50


@pytest.mark.parametrize("seed", range(3))
def test_fuzz(corpus: Corpus, seed: int, tmp_path: Path) -> None:
    fuzz(corpus, seed, 50, tmp_path)


@pytest.mark.campaign
@pytest.mark.parametrize("seed", range(100, 120))
def test_fuzz_for_long(corpus: Corpus, seed: int, tmp_path: Path) -> None:
    fuzz(corpus, seed, 1000, tmp_path)


def test_any_words_as_an_action_or_a_figure(inn: Path) -> None:
    """Terms made of the words of a game, right and wrong."""
    position = Position.load(inn / "positions" / "dinner.yaml")
    chance = random.Random(7)
    words = ["eat", "walk", "pay", "anna", "bo", "pear_tart", "a1", "c2", "hidden", "3", "bill"]
    said = set()
    for _ in range(150):
        inner = ", ".join(chance.choice(words) for _ in range(chance.randrange(4)))
        text = f"{chance.choice(words)}({inner})" if inner else chance.choice(words)
        for question in (explanation.why, application.apply, figures.forecast):
            try:
                question(position, text)
            except PymorphError as error:
                said.add(str(error))
    assert len(said) > 50
    assert max(map(len, said)) < 400
