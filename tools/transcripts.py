"""Transcripts: command lines in `tests/transcripts/`, and what each prints.

`python -m tools.transcripts` writes them anew, after a change that is meant; tests compare them.
The folder in which a section is carried out has links to `examples` and to `tests/rulesets`.
"""

import re
import warnings
from pathlib import Path
from tempfile import TemporaryDirectory

from tools import readme

FOLDER = readme.ROOT / "tests" / "transcripts"
# Hashes, times, and what depends on whether rules that were compiled before are still stored.
VARYING = re.compile(
    r'\b[0-9a-f]{16}\b|(?<="compiled": )\w+|(?<="why_not": )".*"|(?<= time=")[\d.]+'
)


def sections(path: Path) -> list[str]:
    """What comes before the first section of a transcript, and each section."""
    return re.split(r"^(?=## )", path.read_text(encoding="utf-8"), flags=re.MULTILINE)


def title(section: str) -> str:
    return section.partition("\n")[0].removeprefix("## ")


def carried_out(opening: str, section: str, folder: Path) -> str:
    """A section as it ought to be: carried out in an empty *folder*, after the *opening*."""
    for linked in ("examples", "tests/rulesets"):
        (folder / Path(linked).name).symlink_to(readme.ROOT / linked)
    with warnings.catch_warnings(action="ignore"):
        readme.filled(opening, folder)
        text = readme.filled(section, folder, marked=True)
    return VARYING.sub("<varies>", text.replace(f"{folder}/", "").replace(f"{readme.ROOT}/", ""))


def main() -> None:
    for path in sorted(FOLDER.glob("*.md")):
        opening, *others = sections(path)
        for n, section in enumerate(others):
            with TemporaryDirectory() as folder:
                others[n] = carried_out(opening, section, Path(folder).resolve())
        path.write_text(opening + "".join(others), encoding="utf-8")


if __name__ == "__main__":
    main()
