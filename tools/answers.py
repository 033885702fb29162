"""Compare the answers of the command line with those of another revision.

    python -m tools.answers REVISION

Both trees are asked the same questions: every verb on every game that ships, about the positions,
records, disputes and test cases that are in this tree. The answer is the exit code and the text.
Versions, hashes and folders are left out. The differences are printed as diffs.

A sample of the questions is asked. It depends on nothing but the texts of the questions.
Each verb has a number of questions a game, and takes files and forms by turns. `--all` asks all.

A process answers some questions and ends, because the memory that clingo takes grows. It uses
nothing of a revision but its command line. The answers of a commit are stored in the folder
`answers` of PYMORPH_CACHE, or of .pytest_cache. The next comparison reads them from there.

Exit codes: 0 no difference, 1 some answers differ, 2 a tree could not be asked.
"""

import argparse
import difflib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import warnings
from collections import defaultdict
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stderr, redirect_stdout, suppress
from functools import cache, partial
from hashlib import sha256
from io import BytesIO, TextIOWrapper
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import Any, NamedTuple, NoReturn
from unittest.mock import patch

import yaml

ROOT = Path(__file__).resolve().parent.parent
SOME = 60  # questions that a process answers
LINKS = ("examples", "rules", "tests", "answers")  # what the folder of a question contains
EDITION = re.compile(  # what is left out; whether rules are compiled depends on the cache
    r'"(version|hash|version_of_pymorph|why_not)": "[^"]*"|"compiled": \w+|\b[0-9a-f]{12,64}\b'
)
PAGES = 3  # commands of pages that the sample has of each verb
HOMES = ("examples/**/*.yaml", "rules/**/*.yaml", "tests/cases/**/*.yaml", "tests/*/cases/*.yaml")
SLOW = "count|diff|play|simulate|verify"  # commands of pages that are not asked
WRITING = r" (--append|--timeout|--verbose|-o \w+/)"

TABLE = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text("utf-8"))
ASKED, KINDS, PLACEHOLDERS = TABLE["verbs"], TABLE["kinds"], TABLE["placeholders"]
PLACEHOLDER = "|".join(re.escape(name) + r"\b" for name in PLACEHOLDERS)


class Question(NamedTuple):
    """A line of commands, and the game, the verb and the file that it is about."""

    game: str
    verb: str
    line: str
    file: str = ""


def digest(*texts: str) -> str:
    return sha256("\0".join(texts).encode()).hexdigest()


def expanded(form: str) -> list[str]:
    """The lines of a form: one for each alternative in its brackets."""
    before, opened, rest = form.partition("[")
    choices, _, after = rest.partition("]")
    return [before + choice.strip() + after for choice in choices.split("|")] if opened else [form]


def missing(overview: str) -> list[str]:
    """The verbs that the overview of the command line lists, and the table has not."""
    verbs = re.findall(r"^  ([a-z-]+)  ", overview.partition("\nCommands:")[2], re.MULTILINE)
    return sorted({*verbs} - {*ASKED})


class Files:
    """What questions are about, by kind and game, and the test cases by the path of a position."""

    def __init__(self) -> None:
        from pymorph.state import test_case

        homes = [*ROOT.glob("rules/*/"), *ROOT.glob("examples/rulesets/*/")]
        self.games = sorted(path.name for path in homes)
        self.cases = {}
        self.paths = defaultdict(list, {("GAME", game): [game] for game in self.games})
        for path in sorted(path for home in HOMES for path in ROOT.glob(home)):
            text = path.read_text(encoding="utf-8")
            kind = next(kind for kind, key in KINDS.items() if re.search(key, text, re.MULTILINE))
            name = re.search(r"^ *ruleset: *[\"']?([^\s\"']+)", text, re.MULTILINE)
            if kind == "CASES":
                game = path.parents[1].name
                for case in test_case.load(path):
                    own = f"answers/{game}-{re.sub(r'[^-A-Za-z0-9_.]', '-', case.id)}.yaml"
                    self.paths["case", game].append(own)
                    self.cases[own] = case
            else:
                game = (path.parent / name[1]).resolve().name if name else ""
            self.paths[kind, game].append(str(path.relative_to(ROOT)))

    def about(self, kind: str, game: str, verb: str) -> list[str]:
        """The files of a game in the order of their hashes; positions of test cases by turns."""
        names = [self.paths[kind, game]]
        if kind == "POSITION":
            names = [names[0] + self.paths["RECORD", game], self.paths["case", game]]
        ordered = (sorted(some, key=lambda path: digest(verb, path)) for some in names)
        return [path for turn in zip_longest(*ordered) for path in turn if path]


def gathered(files: Files, sample: bool) -> Iterator[Question]:
    """The questions: of each verb and game as many as the table says, or all."""
    pages = sorted(commands_of_pages(), key=digest)
    for verb, entry in ASKED.items():
        lines = [line for form in entry["ask"] for line in expanded(form)]
        kind = next((kind for kind in KINDS if re.search(rf"\b{kind}\b", " ".join(lines))), "")
        for number, game in enumerate(files.games if kind else ()):
            names = files.about(kind, game, verb)
            turns = [
                (name, lines[(number * entry["each"] + place + more) % len(lines)])
                for more in range(len(lines))
                for place, name in enumerate(names)
            ]
            for name, line in turns[: entry["each"] if sample else None]:
                line = line.replace(kind, name).replace("GAME", game)
                yield Question(game, verb, line, name)
        others = [] if kind else lines
        others += [line.format(verb) for line in TABLE["of_each_verb"]]
        others += [line for line in pages if line.split()[0] == verb][: PAGES if sample else None]
        yield from (Question("", verb, line) for line in others)
    yield from (Question("", line.split()[0], line) for line in TABLE["alone"])


def commands_of_pages() -> set[str]:
    """The commands that hand-written pages show, but those that need long or write elsewhere."""
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/**/*.md")]
    blocks = [block for page in pages for block in
              re.findall(r"```console\n(.*?)```", page.read_text("utf-8"), re.DOTALL)]  # fmt: skip
    lines = re.findall(r"^\$ pymorph (.*)$", "\n".join(blocks), re.MULTILINE)
    return {line for line in lines if not re.search(f"^({SLOW})|{WRITING}", line)}


class Asker:
    """Asks the command line of the tree that is imported, in the folder that is worked in."""

    def __init__(self, tree: str) -> None:
        folders = (os.path.relpath(tree), str(Path.cwd()), tree)  # as they may be printed
        self.folders = re.compile("|".join(map(re.escape, folders)))
        self.looked_up = cache(self.print_of)

    def print_of(self, *words: str, lines: Iterable[str] = ()) -> str:
        """What a command prints, with its exit code below."""
        from pymorph.__main__ import main

        process, end, code = os.getpid(), os._exit, None

        def leave(code: int) -> None:
            if os.getpid() != process:
                end(code)
            raise SystemExit(code)

        printed = TextIOWrapper(BytesIO(), "utf-8", write_through=True)
        given = TextIOWrapper(BytesIO("".join(f"{line}\n" for line in lines).encode()), "utf-8")
        with (
            redirect_stdout(printed),
            redirect_stderr(printed),
            patch.multiple(sys, argv=["pymorph", *words], stdin=given),
            patch.object(os, "_exit", leave),
        ):
            try:
                main()
            except SystemExit as ended:
                code = ended.code
        return f"{printed.buffer.getvalue().decode()}(exit {code})\n"

    def options(self, name: str, question: Question, file: str) -> Iterator[str]:
        """What may be written for a placeholder, after an answer about this file."""
        entry = PLACEHOLDERS[name]
        words = [self.written(word, question, file) for word in shlex.split(entry["ask"])]
        text, _, _ = self.looked_up(*words).rpartition("(exit")
        with suppress(json.JSONDecodeError):
            yield from values(json.loads(text), entry["take"], {})

    def written(self, word: str, question: Question, file: str) -> str:
        """A word of a question, as it is put."""

        def choice(match: re.Match[str]) -> str:
            options = {*self.options(match[0], question, file)}
            return min(options, key=lambda text: digest(question.line, text), default=match[0])

        word = {"{file}": file, "{game}": question.game}.get(word, word)
        text = re.sub(PLACEHOLDER, choice, word.removeprefix("!"))
        if word.startswith("!") and len(text) > 1:
            place = int(digest(text), 16) % (len(text) - 1)
            text = text[:place] + text[place + 1] + text[place] + text[place + 2 :]
        return text

    def answer(self, question: Question) -> tuple[str, str]:
        """The commands that were put, and what they printed."""
        put, printed = [], ""
        if "&&" in question.line:
            self.looked_up.cache_clear()
        for line in question.line.split(" && "):
            words, lines = (shlex.split(part) for part in f"{line} <<< ".split(" <<< ")[:2])
            file = next((word for word in words if word.endswith(".yaml")), question.file)
            words = [self.written(word, question, file) for word in words]
            put.append(shlex.join(words) + f" <<< {shlex.join(lines)}" * bool(lines))
            printed += self.print_of(*words, lines=lines)
        for path in Path.cwd().iterdir():
            if not path.is_symlink():
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        return " && ".join(put), EDITION.sub("-", self.folders.sub("~", printed))


def values(data: Any, form: str, outer: dict[str, Any]) -> Iterator[str]:
    """The form, filled with the keys of each object in *data* and of those that contain it."""
    if isinstance(data, list):
        for item in data:
            yield from values(item, form, outer)
    elif isinstance(data, dict):
        inner = {**outer, **data}
        with suppress(KeyError):
            yield form.format_map(inner)
        for item in data.values():
            yield from values(item, form, inner)


def answers_of(tree: Path, work: Path, questions: list[Question]) -> list[list[str]]:
    """What a tree answers, in a process of its own."""
    folder = Path(mkdtemp(dir=work))
    for name in LINKS:
        (folder / name).symlink_to((work if name == "answers" else tree) / name)
    surroundings = {
        **os.environ,
        "PYTHONPATH": str(tree),
        "COLUMNS": "100",
        "PYMORPH_CONFIG": str(work / "none"),
        "PYMORPH_BOOK": str(folder / "book"),
        "PYMORPH_CACHE": str(work / f"cache_of_{tree.name}"),
    }
    words = [sys.executable, __file__, "--answer", str(tree)]
    printed = subprocess.check_output(words, cwd=folder, env=surroundings, text=True,
                                      input=json.dumps(questions))  # fmt: skip
    answers: list[list[str]] = json.loads(printed.splitlines()[-1])
    return answers


def answer_batch(tree: str) -> NoReturn:
    """Answer the questions of standard input, and end as a command line does."""
    sys.path.pop(0)
    warnings.simplefilter("always")
    questions, asker = json.load(sys.stdin), Asker(tree)
    answers = [asker.answer(Question(*question)) for question in questions]
    print(json.dumps(answers), flush=True)
    os._exit(0)


def git(*words: str) -> str:
    return subprocess.check_output(["git", *words], cwd=ROOT, text=True).strip()


def compared(
    questions: list[Question], before: list[list[str]], now: list[list[str]], most: int
) -> int:
    """Print the differences as diffs of at most so many lines; 1 if there are any."""
    differing = 0
    for question, old, new in zip(questions, before, now, strict=True):
        if old != new:
            differing += 1
            print(f"== {question.line}")
            was, text = (f"$ pymorph {line}\n{text}".splitlines() for line, text in (old, new))
            diff = list(difflib.unified_diff(was, text, "before", "now", "", "", 1, ""))
            print("\n".join(diff[:most] + ["..."] * (len(diff) > most)))
    print(f"{differing} of {len(questions)} answers differ")
    return int(differing > 0)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.answers",
                                     description=(__doc__ or "").split("\n")[0])  # fmt: skip
    parser.add_argument("revision", nargs="?", default="HEAD")
    parser.add_argument("--all", action="store_true", help="ask all questions, not a sample")
    parser.add_argument("--only", choices=sorted(ASKED), metavar="VERB", help="ask this verb only")
    parser.add_argument("--game", metavar="NAME", help="ask about this game only")
    parser.add_argument("--lines", type=int, default=60, help="lines of a diff (60)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes at once")
    parser.add_argument("--answer", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.answer:
        answer_batch(given.answer)
    words = [sys.executable, "-m", "pymorph", "--help"]
    overview = subprocess.check_output(words, cwd=ROOT, text=True)
    if verbs := missing(overview):
        print(f"tools/answers.yaml has no entry for {', '.join(verbs)}", file=sys.stderr)
        return 2
    with TemporaryDirectory() as name:
        try:
            return compare(given, Path(name).resolve())
        except subprocess.CalledProcessError as error:
            print(error, file=sys.stderr)
            return 2


def compare(given: argparse.Namespace, work: Path) -> int:
    """Ask both trees, or read what a commit has answered before; 1 if answers differ."""
    files = Files()
    questions = sorted(
        question
        for question in {*gathered(files, not given.all)}
        if given.only in (None, question.verb) and given.game in (None, question.game)
    )
    (work / "answers").mkdir()
    content = Path(__file__).read_text("utf-8") + json.dumps(questions)
    for name in sorted({question.file for question in questions} & {*files.cases}):
        text = files.cases[name].position().yaml()
        (work / name).write_text(text, encoding="utf-8")
        content += text
    commits = [git("rev-parse", "--verify", f"{given.revision}^{{commit}}"),
               "" if git("status", "--porcelain") else git("rev-parse", "HEAD")]  # fmt: skip
    home = Path(os.environ.get("PYMORPH_CACHE") or ROOT / ".pytest_cache", "answers")
    stored = [home / f"{commit}-{digest(content)[:16]}.json" for commit in commits]
    old = work / "tree"
    batches = [questions[first : first + SOME] for first in range(0, len(questions), SOME)]
    if not stored[0].exists():
        git("worktree", "add", "--detach", "-q", str(old), commits[0])
    pool = ThreadPoolExecutor(given.jobs)
    try:
        both = [
            json.loads(path.read_text("utf-8")) if path.exists() and commit
            else pool.map(partial(answers_of, tree, work), batches)
            for tree, path, commit in zip((old, ROOT), stored, commits, strict=True)
        ]  # fmt: skip
        before, now = ([answer for batch in answers for answer in batch] for answers in both)
    finally:
        pool.shutdown(cancel_futures=True)
        if old.exists():
            git("worktree", "remove", "--force", str(old))
    home.mkdir(parents=True, exist_ok=True)
    for path, commit, answers in zip(stored, commits, (before, now), strict=True):
        if commit:
            path.write_text(json.dumps([answers]), encoding="utf-8")
    return compared(questions, before, now, given.lines)


if __name__ == "__main__":
    sys.exit(main())
