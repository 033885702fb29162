"""What strangers' files, Ctrl-C, a machine that stops, full disks and threads do, tried by chance:

    python -m tests.attacks --seed 7 --questions 1000 --loads 300 --interrupts 100 --kills 80 \\
        --disks 200 --threads 20

The same seed tries the same again; what goes wrong is told with it, and ends the run with 1.
"""

import argparse
import contextlib
import errno
import io
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from unittest import mock

from pymorph import forecast, why
from pymorph.cli import app
from pymorph.errors import HIDDEN
from pymorph.explore.execution import application, replay
from pymorph.questions import legality
from pymorph.ruleset import loader, scaffold
from pymorph.state.position import Position
from pymorph.state.record import Record
from tests.tables import tables
from tests.test_safety import HOSTILE, mutated

VERBS = tables("attacks")["verbs"]
# What the texts of files may hold that a terminal would follow, as it stands and as YAML has it.
STEERING = [
    "\x1b]0;x\x07",
    "\x9b2J",
    "\u202e",
    "\u200f",
    *(r"\x1b[2J", r"\u202e", r"\x9b", r"\r") * 2,
]
BEFORE_US = (1, -2)  # Python itself was interrupted, before it came to anything of ours
LIMIT = 20.0  # seconds that one question may take
MOST = 0.5  # seconds after which an answer is there, or an end comes
Told = Counter[str]


def asked(*words: str) -> int:
    """The exit code of a command line in this process, which has to be in order."""
    out, err = io.StringIO(), io.StringIO()
    start = time.process_time()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = app.run(words)
    said = out.getvalue() + err.getvalue()
    assert time.process_time() - start < LIMIT, "it takes too long"
    assert code in (0, 1, 2, 3), code
    assert bool(said), "nothing is said"
    assert "Traceback" not in said, said
    assert "internal error" not in said, said
    assert not HIDDEN.search(said.replace("\n", "").replace("\t", "")), ascii(said)
    return code


def steered(chance: random.Random, data: bytes) -> bytes:
    """A file with something in it, perhaps in quotes, that a terminal would follow."""
    quotes = [n for n, sign in enumerate(data) if sign == ord('"')]
    if not quotes:
        return data
    at = chance.choice(quotes) + 1
    return data[:at] + chance.choice(STEERING).encode() + data[at:]


def questions(chance: random.Random, told: Told) -> None:
    """A file of the game, changed, and one of the verbs."""
    corpus = [path.read_bytes() for path in sorted(Path("my_game").rglob("*.yaml"))]
    corpus.append(
        b'ruleset: ./my_game\ntitle: "a case"\nposition: {turn: bo, heap: 5, last: 3, players: '
        b'{anna: {}, bo: {}}}\nclaims:\n  - {by: "bo", claim: "legal(take(bo, 3))"}\n'
    )
    corpus = [re.sub(rb"ruleset: [./]+\n", b"ruleset: ./my_game\n", text) for text in corpus]
    corpus = [text.replace(b": ../", b": my_game/") for text in corpus]
    way = chance.random()
    if way < 0.1:
        data = HOSTILE[chance.choice(sorted(HOSTILE))]
    else:
        data = mutated(chance, corpus) if way < 0.6 else chance.choice(corpus)
        data = steered(chance, data) if way > 0.4 else data
    Path("asked.yaml").write_bytes(data)
    verb, *more = chance.choice(next(VERBS[key] for key in VERBS if key in data))
    more += chance.choice(([], ["--json"]))
    told[f"exit {asked(verb, 'asked.yaml', *more)}"] += 1


def loads(chance: random.Random, told: Told) -> None:
    """A file of rules, changed, with the ruleset loaded anew, and its rulings beside."""
    path = chance.choice(sorted(Path("my_game").rglob("*.lp")))
    before = path.read_bytes()
    data = mutated(chance, [before]) if chance.random() < 0.7 else before
    path.write_bytes(steered(chance, data) if chance.random() < 0.4 else data)
    text = b'ruleset: ./my_game\nrulings:\n  - {question: same_again, option: barred, why: "x"}\n'
    Path("rulings.yaml").write_bytes(steered(chance, text))
    Path("asked.yaml").write_bytes(
        b"ruleset: ./my_game\nturn: bo\nheap: 5\nlast: 3\nplayers: {anna: {}, bo: {}}\n"
    )
    try:
        told[f"exit {asked('legal', 'asked.yaml', *chance.choice(([], ['--json'])))}"] += 1
    finally:
        path.write_bytes(before)
        Path("rulings.yaml").unlink()


def interrupts(chance: random.Random, told: Told) -> None:
    """Ctrl-C at any moment: an answer, or the word for it and its exit code."""
    words = ["-m", "pymorph", "legal", "my_game/positions/start.yaml"]
    process = subprocess.Popen(
        [sys.executable, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    time.sleep(chance.random() * MOST)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    if process.returncode in BEFORE_US:
        assert "/pymorph/cli/" not in err, err
    else:
        assert (process.returncode, err) in ((0, ""), (130, "interrupted\n")), err
        assert process.returncode or out
    told[f"exit {process.returncode}"] += 1


def kills(chance: random.Random, told: Told) -> None:
    """An end without a word while a record is written: what was acknowledged is there."""
    path = Path("killed.yaml")
    path.write_text(
        "position: {ruleset: ./my_game, turn: anna, heap: 99, players: {anna: {}, bo: {}}}\n"
        "ruleset: ./my_game\nplay:\n  - take(anna, 1)\n"
    )
    script = (
        "from pymorph.cli import app; import os, itertools\n"
        "for who in itertools.cycle(['bo', 'anna']):\n"
        "    code = app.run(['apply', 'killed.yaml', f'take({who}, 1)', '--append', '--json'])\n"
        "    os.write(2, b'.') if code == 0 else os._exit(code)\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    assert process.stderr is not None
    first = process.stderr.read(1)
    time.sleep(chance.random() * MOST)
    process.kill()
    _, rest = process.communicate(timeout=60)
    record = Record.load(str(path))
    assert first == b"."
    assert len(record.steps) > len(first + rest), "what was acknowledged is lost"
    assert replay.replay(record).good
    told["steps"] += len(record.steps) - 1


START = "my_game/positions/start.yaml"
RECORD = "my_game/records/first.yaml"
WRITING = (  # command lines that write, and what they write
    (("apply", RECORD, "take(anna, 1)", "--append"), RECORD),
    (("apply", START, "take(anna, 1)", "-o", "next.yaml"), "next.yaml"),
    (("book", "add", "my_game/rules/disputes/same_again.yaml", "--book", "book"), "book"),
    (("new-ruleset", "another"), "another"),
)


def disks(chance: random.Random, told: Told) -> None:
    """A disk that is full after some bytes, or cannot be written to: all is written, or nothing."""
    words, target = chance.choice(WRITING)
    before, whole = contents(Path()), contents(Path(), target)
    way = chance.choice(("full", "full", "full", "read-only", "no output"))
    room = chance.randrange(chance.choice((1, 600, 20_000)))
    try:
        if way == "no output":
            with open("/dev/full", "w", encoding="utf-8") as out:
                code = subprocess.run(
                    [sys.executable, "-m", "pymorph", *words], stdout=out, stderr=subprocess.PIPE
                ).returncode
            assert code == 2, code
        else:
            with full(room) if way == "full" else read_only():
                code = asked(*words)
        after = contents(Path(), target)
        if code == 0:
            assert after != whole, "what was acknowledged is not there"
            assert asked("test", "my_game") == 0
        elif way != "no output":
            assert after == whole, "it is written by halves"
        others = {path: data for path, data in contents(Path()).items() if path not in after}
        assert others == {path: data for path, data in before.items() if path not in whole}
    finally:
        for path in contents(Path()).keys() - before.keys():
            Path(path).unlink()
        for name, data in before.items():
            Path(name).write_bytes(data)
        for folder in ("another", "book"):
            shutil.rmtree(folder, ignore_errors=True)
    told[f"{way}, exit {code}"] += 1


def contents(folder: Path, below: str = "") -> dict[str, bytes]:
    """What stands in the files of a folder, or in those below a path."""
    paths = [path for path in folder.rglob("*") if path.is_file() and str(path).startswith(below)]
    return {str(path): path.read_bytes() for path in paths}


@contextlib.contextmanager
def full(room: int) -> Iterator[None]:
    """No file grows past so many bytes meanwhile, and Python keeps no half of a module's code."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    keeping, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        sys.dont_write_bytecode = keeping


@contextlib.contextmanager
def read_only() -> Iterator[None]:
    """No file is made, moved or opened to be written meanwhile, as on a disk that is read-only.

    Folders that may not be written to do not stop the one to whom everything is allowed.
    """

    def refused(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    names = ("os.replace", "os.mkdir", "tempfile.mkstemp", "pathlib.Path.write_text")
    with contextlib.ExitStack() as stack:
        for name in names:
            stack.enter_context(mock.patch(name, refused))
        yield


def threads(chance: random.Random, told: Told) -> None:
    """Eight threads ask of one ruleset at once: each has the answers that it has alone."""
    heaps = [chance.randrange(1, 12) for _ in range(8)]
    texts = [
        f"{{ruleset: ./my_game, turn: anna, heap: {heap}, players: {{anna: {{}}, bo: {{}}}}}}"
        for heap in heaps
    ]

    def answers(text: str) -> list[object]:
        position = Position.parse(text)
        found = []
        for action in legality.legal_actions(position):
            after = application.apply(position, action).position
            found.append((str(action), after.line(), why(after, "take(bo, 3)").legal))
        return [*found, str(forecast(position))]

    loader._loaded.cache_clear()
    with ThreadPoolExecutor(len(texts)) as pool:
        together = list(pool.map(answers, texts))
    assert together == [answers(text) for text in texts]
    told["questions"] += sum(map(len, together))


ATTACKS: dict[str, Callable[[random.Random, Told], None]] = {
    each.__name__: each for each in (questions, loads, interrupts, kills, disks, threads)
}


def attack(name: str, seed: int, number: int) -> Told:
    """Try an attack so many times in an empty folder. Raises: AssertionError with the trial."""
    told: Told = Counter()
    here = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            scaffold.write("my_game")
            for trial in range(number):
                try:
                    ATTACKS[name](random.Random(f"{name} {seed} {trial}"), told)
                except Exception as error:
                    raise AssertionError(f"{name}, seed {seed}, trial {trial}: {error}") from error
        finally:
            os.chdir(here)
    return told


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=0)
    for name, number in zip(ATTACKS, (300, 60, 20, 10, 40, 5), strict=True):
        parser.add_argument(f"--{name}", type=int, default=number, metavar="N")
    given = parser.parse_args()
    print(f"seed {given.seed}")
    wrong = 0
    for name in ATTACKS:
        try:
            told = attack(name, given.seed, getattr(given, name))
            print(f"{name}: {', '.join(f'{n} {what}' for what, n in sorted(told.items()))}")
        except AssertionError as error:
            print(ascii(str(error))[1:-1])
            wrong = 1
    return wrong


if __name__ == "__main__":
    sys.exit(main())
