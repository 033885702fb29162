"""The pages: what their commands print, what their Python gives, and the pictures they show.

So are the transcripts in `tests/transcripts/`, of which each section is carried out in a folder of
its own, after what is before the first; lines of standard error have a mark, the exit code and the
files that were written follow.

In a `console` block each line after a `$` is a command, and what it prints follows. Comments before
a block say more of it:

`<!-- file: PATH -->`   the block is what the reader writes to this file, and it is written;
`<!-- more: PATH -->`   it is added at the end of this file;
`<!-- shows: PATH -->`  it shows this file of the project.

`python -m tools.docs` writes the pages anew, `python -m tools.transcripts` the transcripts; tests
compare them.
"""

import os
import re
import shlex
import shutil
from collections.abc import Iterable
from contextlib import chdir, redirect_stderr, redirect_stdout
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import yaml

from pymorph.cli import app

ROOT = Path(__file__).resolve().parent.parent
BLOCK = re.compile(
    r"(?P<note><!-- (?P<how>file|more|shows): (?P<path>[\w./-]+) -->\n)?"
    r"```(?P<kind>\w+)\n(?P<text>.*?)```",
    re.DOTALL,
)
PLACE = re.compile(r"<<(\w+)>>")
PYTHON = re.compile(r"```python\n(.*?)```", re.DOTALL)
GENERATED = ("commands", "files", "json", "python", "vocabulary")  # in docs/reference

LISTS = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"))
ALONE: list[str] = LISTS["alone"]
PICTURES: dict[str, str] = LISTS["pictures"]


def pages() -> list[str]:
    """The pages that somebody wrote, by their paths."""
    found = [ROOT / "README.md", *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/**/*.md")]
    names = sorted(path.relative_to(ROOT).as_posix() for path in found)
    return [name for name in names if name not in {f"docs/reference/{g}.md" for g in GENERATED}]


def pages_with(kind: str) -> list[str]:
    """The pages that have a block of this kind, or one that shows a file."""
    marks = (f"```{kind}\n", "<!-- shows: ") if kind == "console" else (f"```{kind}\n",)
    return [name for name in pages() if any(mark in read(name) for mark in marks)]


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def output(command: str, folder: Path, own: Path, columns: int = 0, marked: bool = False) -> str:
    """What a `pymorph` command prints, standard output and error together, in lines as for files.

    The book and the configuration are in the folder *own*. `rm`, `rm -r`, `cat`, `cp -r` and
    `sed -i` work within *folder*; `printf` gives a command its input, a variable that is set before
    a command is set for it. If *marked*, lines of errors have a mark, and the exit code and the
    files that it wrote follow.
    """
    words = shlex.split(command)
    if words[:2] == ["rm", "-r"]:
        shutil.rmtree(folder / words[2])
        return ""
    if words[0] == "rm":
        for name in words[1:]:
            (folder / name).unlink()
        return ""
    if words[0] == "cat":
        return (folder / words[1]).read_text(encoding="utf-8")
    if words[:2] == ["cp", "-r"]:
        shutil.copytree(folder / words[2], folder / words[3])
        return ""
    if words[:2] == ["sed", "-i"]:
        _, old, new, _ = words[2].split(words[2][1])
        path = folder / words[3]
        text = path.read_text(encoding="utf-8")
        assert old in text, command
        path.write_text(text.replace(old, new), encoding="utf-8")
        return ""
    said = ""
    if words[0] == "printf":
        said, words = words[1].replace("\\n", "\n"), words[3:]
    given = {}
    while "=" in words[0]:
        name, _, given[name] = words.pop(0).partition("=")
    assert words[0] == "pymorph", command
    surroundings = {
        "COLUMNS": str(columns or ""),
        "PYMORPH_BOOK": str(own / "precedents"),
        "PYMORPH_CONFIG": str(own),
        **given,
    }
    printed = StringIO()
    errors = StringIO() if marked else printed
    before = files_of(folder) if marked else {}
    with (
        chdir(folder),
        patch.dict(os.environ, surroundings),
        patch("sys.stdin", TextIOWrapper(BytesIO(said.encode()))),
        redirect_stdout(printed),
        redirect_stderr(errors),
    ):
        code = app.run(words[1:])
    if not marked:
        return printed.getvalue()
    lines = [f"! {line}" for line in errors.getvalue().splitlines()]
    lines += [f"[exit {code}]"] * bool(code)
    lines += [f"[wrote {n}]" for n, data in files_of(folder).items() if data != before.get(n)]
    return printed.getvalue() + "".join(f"{line}\n" for line in lines)


def files_of(folder: Path) -> dict[str, bytes]:
    """What the files in a folder hold, by their names."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def filled(text: str, folder: Path, marked: bool = False) -> str:
    """*text* with what its commands print under each; files that it says are written, are."""

    def block(match: re.Match[str]) -> str:
        if match["how"] == "shows":
            shown = (ROOT / match["path"]).read_text(encoding="utf-8")
            return f"{match['note']}```{match['kind']}\n{shown}```"
        if match["how"]:
            path = folder / match["path"]
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("a" if match["how"] == "more" else "w", encoding="utf-8") as file:
                file.write(match["text"])
        if match["kind"] != "console":
            return match[0]
        commands = [line for line in match["text"].split("\n") if line.startswith("$ ")]
        rows = [
            f"{command}\n{output(command[2:], folder, Path(own), marked=marked)}"
            for command in commands
        ]
        return "```console\n" + "\n".join(rows) + "```"

    with TemporaryDirectory() as own:
        return BLOCK.sub(block, text)


def filled_in(text: str, **parts: Iterable[str]) -> str:
    """*text* with the lines of each part in the place of its name, which is in ``<<>>``."""
    return PLACE.sub(lambda match: "\n".join(parts[match[1]]).rstrip("\n"), text)


def page(name: str) -> str:
    """A page as it ought to be."""
    if name not in ALONE:
        return filled(read(name), ROOT)
    with TemporaryDirectory() as folder:
        resolved = Path(folder).resolve()
        return filled(read(name), resolved).replace(f"{resolved}/", "")


def picture(name: str) -> str:
    """A picture as its command draws it."""
    with TemporaryDirectory() as folder:
        if PICTURES[name] in ALONE:
            filled(read(PICTURES[name]), Path(folder).resolve())
            return (Path(folder) / Path(name).name).read_text(encoding="utf-8")
        path = Path(folder) / "picture.svg"
        output(f"pymorph {PICTURES[name]} --svg {path}", ROOT, Path(folder))
        return path.read_text(encoding="utf-8")
