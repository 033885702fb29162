"""The examples of pages: every command in a console block, with what it prints.

A page may also say what its reader writes: after `<!-- file: PATH -->` a block is what the file has
from there on, after `<!-- more: PATH -->` it is added at its end.

`python -m tests.readme` writes what the commands print into the pages; a test compares them.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
from contextlib import chdir, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from pymorph import cli

ROOT = Path(__file__).resolve().parent.parent
PAGES = (
    "README.md",
    "examples/README.md",
    "examples/duel/README.md",
    "examples/yard/README.md",
    "docs/guide/precedents.md",
)
ALONE = ("docs/tutorial.md", "docs/rulesets.md")  # carried out in an empty folder
BLOCK = re.compile(
    r"(?P<note><!-- (?P<how>file|more): (?P<path>[\w./]+) -->\n)?"
    r"```(?P<kind>\w+)\n(?P<text>.*?)```",
    re.DOTALL,
)
PYTHON = re.compile(r"```python\n(.*?)```", re.DOTALL)


def output(command: str, folder: Path, own: Path) -> str:
    """What a `pymorph` command prints, standard output and error together.

    Its book and its configuration are in the folder *own*. Files are removed (`rm`), and folders
    copied (`cp -r`), within *folder*; a variable that is set before a command is set for it.
    """
    words = shlex.split(command)
    if words[0] == "rm":
        for name in words[1:]:
            (folder / name).unlink()
        return ""
    if words[:2] == ["cp", "-r"]:
        shutil.copytree(folder / words[2], folder / words[3])
        return ""
    given = {}
    while "=" in words[0]:
        name, _, given[name] = words.pop(0).partition("=")
    assert words[0] == "pymorph", command
    surroundings = {
        "COLUMNS": "100",
        "PYMORPH_BOOK": str(own / "precedents"),
        "PYMORPH_CONFIG": str(own),
        **given,
    }
    printed = StringIO()
    with (
        chdir(folder),
        patch.dict(os.environ, surroundings),
        redirect_stdout(printed),
        redirect_stderr(printed),
    ):
        cli.run(words[1:])
    return printed.getvalue()


def filled(text: str, folder: Path) -> str:
    """*text* with what its commands print under each of them; what it says is written, is."""

    def block(match: re.Match[str]) -> str:
        if match["how"]:
            path = folder / match["path"]
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("a" if match["how"] == "more" else "w", encoding="utf-8") as file:
                file.write(match["text"])
        if match["kind"] != "console":
            return match[0]
        commands = [line for line in match["text"].split("\n") if line.startswith("$ ")]
        rows = [f"{command}\n{output(command[2:], folder, Path(own))}" for command in commands]
        return "```console\n" + "\n".join(rows) + "```"

    with TemporaryDirectory() as own:
        return BLOCK.sub(block, text)


def alone(text: str) -> str:
    """*text* with what its commands print in a folder in which there is nothing else."""
    with TemporaryDirectory() as folder:
        return filled(text, Path(folder).resolve()).replace(f"{Path(folder).resolve()}/", "")


def main() -> None:
    for name in PAGES:
        path = ROOT / name
        path.write_text(filled(path.read_text(encoding="utf-8"), ROOT), encoding="utf-8")
    for name in ALONE:
        path = ROOT / name
        path.write_text(alone(path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
