"""The README's examples: every command in a console block, with what it prints.

`python -m tests.readme` writes what the commands print into the README; a test compares them.
"""

from __future__ import annotations

import os
import re
import shlex
from contextlib import chdir, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from pymorph import cli

ROOT = Path(__file__).resolve().parent.parent
PAGES = ("README.md", "examples/README.md", "examples/duel/README.md", "examples/yard/README.md")
BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)
PYTHON = re.compile(r"```python\n(.*?)```", re.DOTALL)


def output(command: str, folder: Path, own: Path) -> str:
    """What a `pymorph` command prints, standard output and error together.

    Its book and its configuration are in the folder *own*.
    """
    words = shlex.split(command)
    assert words[0] == "pymorph", command
    surroundings = {
        "COLUMNS": "100",
        "PYMORPH_BOOK": str(own / "precedents.db"),
        "PYMORPH_CONFIG": str(own),
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
    """*text* with what its commands print under each of them."""

    def block(match: re.Match[str]) -> str:
        commands = [line for line in match[1].split("\n") if line.startswith("$ ")]
        rows = [f"{command}\n{output(command[2:], folder, Path(own))}" for command in commands]
        return "```console\n" + "\n".join(rows) + "```"

    with TemporaryDirectory() as own:
        return BLOCK.sub(block, text)


def main() -> None:
    for name in PAGES:
        path = ROOT / name
        path.write_text(filled(path.read_text(encoding="utf-8"), ROOT), encoding="utf-8")


if __name__ == "__main__":
    main()
