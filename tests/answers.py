"""What the command line answers to everything that ships, held against another revision's answers.

    python -m tests.answers REVISION

The questions are put to this tree and to that of the revision, each in a process of its own: of
every example, start and case a position with its legal actions, figures and picture; of every
record its replay; of every dispute its verdicts; of every page its commands. Versions and hashes
are left out. What differs is printed as a diff, and the exit code is 1 then.

A command line is for one question. What it keeps for the next ones, and clingo for good, would
come to gigabytes over all of them, past which it gives up with its thread still at work; so a
process answers some, and ends at once as a command line does.
"""

from __future__ import annotations

import argparse
import difflib
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import chdir, redirect_stderr, redirect_stdout
from importlib import import_module
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent
HERE = "answers"  # the folder, in that of a tree, with what is asked about
SOME = 100  # questions that a process answers
EDITION = re.compile(r'"(version|hash|version_of_pymorph)": "[^"]*"|\b[0-9a-f]{12,64}\b')
OF_POSITIONS = (
    ("legal", "--all", "--json"),
    ("legal",),
    ("forecast", "--next", "--json"),
    ("forecast",),
    ("check", "--json"),
    ("show",),
)
OF_CASES = OF_POSITIONS[0], OF_POSITIONS[2]
OF_RECORDS = ("replay", "--show"), ("replay", "--json")
OF_DISPUTES = ("adjudicate",), ("adjudicate", "--json")
OF_GAMES = ("rules",), ("questions",), ("words",), ("schema",), ("rules", "--json")
SLOW = (
    "verify",
    "diff",
    "count",
    "play",
    "simulate",
)  # commands of pages that are only asked for their help


def gathered(folder: Path) -> list[list[str]]:
    """All questions, as words of a command line; the positions of cases are written to *folder*."""
    from tests import casework, readme

    asked = [["--help"], ["rulesets"]]
    for path in sorted([*ROOT.glob("examples/**/*.yaml"), *ROOT.glob("rules/**/*.yaml")]):
        head = path.read_text(encoding="utf-8")
        verbs = OF_POSITIONS
        if re.search(r"^(claims|claim):", head, re.MULTILINE):
            verbs = OF_DISPUTES
        elif re.search(r"^steps:", head, re.MULTILINE):
            verbs = OF_RECORDS
        asked += [[verb[0], str(path.relative_to(ROOT)), *verb[1:]] for verb in verbs]
    for path in sorted(ROOT.glob("tests/cases/**/*.yaml")):
        asked += [[verb[0], str(path.relative_to(ROOT)), *verb[1:]] for verb in OF_DISPUTES]
    for game in sorted(path.name for path in (ROOT / "rules").iterdir() if path.is_dir()):
        asked += [[verb[0], game, *verb[1:]] for verb in OF_GAMES]
        for case in [case for path in casework.files(game) for case in casework.load(path)]:
            path = folder / f"{game}-{re.sub(r'[^-A-Za-z0-9_.]', '-', case.id)}.yaml"
            path.write_text(case.position().yaml(), encoding="utf-8")
            asked += [[verb[0], f"{HERE}/{path.name}", *verb[1:]] for verb in OF_CASES]
    for page in [page for page in readme.pages() if page not in readme.ALONE]:
        for block in re.findall(r"```console\n(.*?)```", (ROOT / page).read_text("utf-8"), re.S):
            for line in re.findall(r"^\$ pymorph (.*)$", block, re.MULTILINE):
                words = shlex.split(line)
                asked.append([words[0], "--help"] if words[0] in SLOW else words)
    return asked


def answered(questions: list[list[str]]) -> Iterator[list[object]]:
    """The exit code and what is printed, for each question, in the tree that is worked in."""
    from importlib.util import find_spec

    home = "pymorph.cli.app" if find_spec("pymorph.cli.app") else "pymorph.cli"
    run = import_module(home).run
    for words in questions:
        printed = StringIO()
        with redirect_stdout(printed), redirect_stderr(printed):
            code = run(words)
        yield [code, EDITION.sub("-", printed.getvalue())]


def answers_of(tree: Path, folder: Path, questions: list[list[str]]) -> list[list[object]]:
    """What a tree answers; the folder stands in it under a name of its own."""
    link = tree / HERE
    link.unlink(missing_ok=True)
    link.symlink_to(folder)
    own = folder.with_name(f"of_{tree.name}")
    own.mkdir()
    surroundings = {
        **os.environ,
        "PYTHONPATH": str(tree),
        "COLUMNS": "100",
        "PYMORPH_CONFIG": str(folder / "none"),
        "PYMORPH_BOOK": str(folder / "book"),
        "PYMORPH_CACHE": str(own / "cache"),
    }
    asked, results = own / "asked", own / "answered"
    words = [sys.executable, __file__, "--answer", str(asked), "--to", str(results)]
    found: list[list[object]] = []
    for first in range(0, len(questions), SOME):
        asked.write_text(json.dumps(questions[first : first + SOME]), encoding="utf-8")
        subprocess.run(words, cwd=tree, env=surroundings, check=True)
        found += json.loads(results.read_text("utf-8"))
    return found


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.answers", description=__doc__)
    parser.add_argument("revision", nargs="?", default="HEAD")
    parser.add_argument("--answer", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--to", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only each N-th question")
    given = parser.parse_args()
    if given.answer:
        sys.path[0] = str(Path.cwd())
        told = list(answered(json.loads(given.answer.read_text("utf-8"))))
        given.to.write_text(json.dumps(told), encoding="utf-8")
        os._exit(0)
    with TemporaryDirectory() as name, chdir(ROOT):
        work = Path(name).resolve()
        folder, other = work / "positions", work / "tree"
        folder.mkdir()
        git = ["git", "worktree"]
        subprocess.run([*git, "add", "--detach", "-q", str(other), given.revision], check=True)
        try:
            questions = gathered(folder)[:: given.every]
            with ThreadPoolExecutor() as threads:
                trees = [threads.submit(answers_of, tree, folder, questions)
                         for tree in (other, ROOT)]  # fmt: skip
                before, now = (tree.result() for tree in trees)
        except subprocess.CalledProcessError as error:
            print(error, file=sys.stderr)
            return 2
        finally:
            (ROOT / HERE).unlink(missing_ok=True)
            subprocess.run([*git, "remove", "--force", str(other)], check=True)
    return compared(questions, before, now)


def compared(questions: list[list[str]], before: list[list[str]], now: list[list[str]]) -> int:
    """Print what differs, as diffs; 1 if anything does."""
    differing = 0
    for words, (old, was), (new, text) in zip(questions, before, now, strict=True):
        if (old, was) != (new, text):
            differing += 1
            print(f"== pymorph {shlex.join(words)} (exit {old}, now {new})")
            lines = was.splitlines(), text.splitlines()
            print("\n".join([*difflib.unified_diff(*lines, "before", "now", "", "", 1)][:60]))
    print(f"{len(questions)} questions, {differing} answered otherwise")
    return int(differing > 0)


if __name__ == "__main__":
    sys.exit(main())
