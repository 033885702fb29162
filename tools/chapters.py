"""Pages for the site that show each chapter of a rulebook beside its encoding, with its cases.

`python -m tools.chapters FOLDER` writes them as reStructuredText: a folder for each game, a page
for each encoding. The rules of the game are on the left, the statements that cite them on the
right, and below are the test cases of these rules. The site writes and reads them when it is built.
"""

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from pymorph.ruleset import loader, locations
from pymorph.ruleset.loader import Ruleset

ROOT = Path(__file__).parent.parent
EXAMPLES = ROOT / "examples" / "rulesets"
HEADER = re.compile(r"\A\s*%\*\s*(.*?)\*%", re.DOTALL)
WORD = re.compile(r"[a-z]\w*")
STATUS = {"stated": "", "derived": "follows from the text", "open": "left open by the text"}


@dataclass(frozen=True, slots=True)
class Passage:
    """Some statements that belong together: the comment before them, and the rules they cite."""

    comment: str
    code: str
    cited: tuple[str, ...]


def games() -> Iterator[tuple[str, Ruleset]]:
    """Each game under the name of its folder: first those that ship, then the examples."""
    for name in locations.included():
        yield name, loader.load(name)
    for folder in sorted(EXAMPLES.iterdir()):
        if (folder / "rules").is_dir():
            yield folder.name, loader.load(str(folder))


def encodings(name: str) -> list[Path]:
    shipped, own = ROOT / "encodings" / name, EXAMPLES / name / "encodings"
    return sorted((shipped if shipped.is_dir() else own).glob("*.lp"))


def passages(code: str, known: frozenset[str]) -> Iterator[Passage]:
    """The parts of an encoding, which empty lines separate."""
    for part in re.split(r"\n\s*\n", HEADER.sub("", code).strip("\n")):
        lines = part.splitlines()
        start = next((n for n, line in enumerate(lines) if not line.startswith("%")), len(lines))
        comment = " ".join(line.lstrip("% ").rstrip() for line in lines[:start])
        cited = dict.fromkeys(each for each in WORD.findall(part) if each in known)
        yield Passage(comment, "\n".join(lines[start:]), tuple(cited))


def page(name: str, game: Ruleset, path: Path) -> str:
    """One chapter: rules left, statements right, then what the header says, and the cases."""
    code = path.read_text(encoding="utf-8")
    header = HEADER.match(code)
    said = header[1] if header else ""
    intro, _, contract = said.partition("\nReads\n")
    title, _, rest = intro.strip().partition("\n")
    parts = list(passages(code, frozenset(game.rules)))
    lines = [*_heading(plain(title.rstrip(".")), "="), plain(rest), ""]
    lines += [".. list-table::", "   :widths: 42 58", "   :class: chapter", ""]
    shown: set[str] = set()
    for part in parts:
        left = [plain(part.comment)] if part.comment else []
        for cited in part.cited:
            rule = game.rules[cited]
            note = STATUS.get(rule.status, rule.status)
            left.append(f"**{cited}** {plain(rule.title)}{f' *({note})*' if note else ''}")
            left += [] if cited in shown else [plain(rule.says)]
        shown.update(part.cited)
        lines += _cell("   * - ", "\n\n".join(left).splitlines())
        lines += _cell("     - ", [".. code-block:: asp", "", *_indented(part.code)])
    if contract:
        lines += ["", *_heading("What the chapter reads and gives", "-")]
        lines += [".. code-block:: text", "", *_indented("Reads\n" + contract.rstrip())]
    cited = {rule for part in parts for rule in part.cited}
    cases = [case for case in cases_of(name) if cited.intersection(case["rules"])]
    if cases:
        lines += ["", *_heading("Test cases of these rules", "-")]
        for case in cases:
            rules = ", ".join(rule for rule in case["rules"] if rule in cited)
            lines.append(f"- ``{case['id']}`` {plain(case['tells'])} ({rules})")
    return "\n".join(lines) + "\n"


@cache
def cases_of(name: str) -> list[dict[str, Any]]:
    shipped = ROOT / "tests" / name / "cases"
    folder = shipped if shipped.is_dir() else EXAMPLES / name / "cases"
    loads = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    read = [yaml.load(path.read_bytes(), loads) for path in sorted(folder.glob("*.yaml"))]
    return [case for cases in read if isinstance(cases, list) for case in cases if "rules" in case]


def plain(words: str) -> str:
    """Words as they are, whatever reStructuredText would make of their signs."""
    code = re.sub(r"\s+", " ", words).strip()
    return re.sub(r"([\\*`|_<>])", r"\\\1", code)


def _heading(words: str, sign: str) -> list[str]:
    return [words, sign * max(len(words), 3), ""]


def _indented(code: str) -> list[str]:
    return [f"   {line}".rstrip() for line in code.splitlines()] or ["   "]


def _cell(first: str, lines: list[str]) -> list[str]:
    head, *rest = lines or [""]
    return [f"{first}{head}", *(f"{' ' * len(first)}{line}".rstrip() for line in rest), ""]


def write(folder: Path) -> None:
    """The pages of all games, and an index that lists them."""
    contents = [*_heading("The rulebooks beside their encodings", "=")]
    contents += [
        "Each page is a chapter of a game: its rules, the statements that cite them, its cases.",
        "",
    ]
    for name, game in games():
        (folder / name).mkdir(parents=True, exist_ok=True)
        index = [*_heading(plain(game.title), "="), ".. toctree::", ""]
        for path in encodings(name):
            (folder / name / f"{path.stem}.rst").write_text(page(name, game, path), "utf-8")
            index.append(f"   {path.stem}")
        (folder / name / "index.rst").write_text("\n".join(index) + "\n", encoding="utf-8")
        contents += [".. toctree::", "   :maxdepth: 1", "", f"   {name}/index", ""]
    (folder / "index.rst").write_text("\n".join(contents) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
