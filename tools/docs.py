"""Writes the pages and pictures anew: what commands print, the reference, the pictures.

`python -m tools.docs` writes all of them; tests compare them with what they ought to be.
"""

from collections.abc import Callable

from tools import manual, readme, reference
from tools.readme import ROOT

# The pages that are made from the code.
MADE: dict[str, Callable[[], str]] = {
    "docs/reference/commands.md": manual.commands,
    "docs/reference/files.md": manual.files,
    "docs/reference/json.md": manual.shapes,
    "docs/reference/python.md": manual.python,
    "docs/reference/vocabulary.md": reference.page,
}


def main() -> None:
    for name in readme.pages_with("console"):
        write(name, readme.page(name))
    for name, made in MADE.items():
        write(name, made())
    for name in readme.PICTURES:
        write(name, readme.picture(name))


def write(name: str, text: str) -> None:
    path = ROOT / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
