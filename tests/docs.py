"""The examples of docs/verify.md: what commands print about the game that it adds properties to.

`python -m tests.docs` writes what they print into the page, and docs/vocabulary.md; tests compare
them.
"""

from __future__ import annotations

import re
import shutil
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory

from pymorph import starter
from tests import reference
from tests.readme import ROOT, filled

PAGE = ROOT / "docs" / "verify.md"
OWN = re.compile(r"```prolog\n(.*?)```\n", re.DOTALL)


def page(text: str, folder: Path) -> str:
    """*text* as it ought to be. In the *folder* are the game, from the property on with that, and
    a copy with an edit."""
    with chdir(folder):
        starter.write("my_game")
        shutil.copytree("my_game", "my_other_game")
    edited = folder / "my_other_game" / "encodings" / "play.lp"
    rules = edited.read_text(encoding="utf-8")
    assert "N > M" in rules
    edited.write_text(rules.replace("N > M", "N >= M"), encoding="utf-8")
    (own,) = OWN.finditer(text)
    before = filled(text[: own.end()], folder)
    properties = folder / "my_game" / "properties"
    properties.mkdir()
    (properties / "heap.lp").write_text(own[1], encoding="utf-8")
    return before + filled(text[own.end() :], folder)


def main() -> None:
    text = PAGE.read_text(encoding="utf-8")
    with TemporaryDirectory() as folder:
        PAGE.write_text(page(text, Path(folder)), encoding="utf-8")
    reference.PAGE.write_text(reference.page(), encoding="utf-8")


if __name__ == "__main__":
    main()
