"""The budget: what the house may weigh, in `pyproject.toml`; it only goes down."""

import re
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from tools.lint.source import BESIDE, PACKAGE, Fault, Module

FILE = "pyproject.toml"
TITLE = "[tool.pymorph.budget]"
TABLE = re.compile(rf"^{re.escape(TITLE)}.*\n(?:(?!\[).*\n?)*", re.MULTILINE)
ROOM = "code lines in "
MODULES = "modules in a folder of pymorph, at most"
SPARE = 100  # a figure may be one part in so many below its entry

Figures = Mapping[str, int]


def figures(root: Path, modules: Sequence[Module]) -> Figures:
    """What the house weighs."""
    package = [module for module in modules if module.path.startswith(f"{PACKAGE}/")]
    rooms: Counter[str] = Counter()
    folders: Counter[str] = Counter()
    homes: Counter[str] = Counter()
    for module in package:
        _, *inner, name = module.path.split("/")
        rooms[f"{ROOM}{PACKAGE}/{inner[0] if inner else '*.py'}"] += module.code_lines
        folders["/".join(inner)] += name != "__init__.py"
        homes.update(module.types)
    inside = {module.path for module in package}
    return {
        f"{ROOM}{PACKAGE}": sum(rooms.values()),
        **dict(sorted((room, lines) for room, lines in rooms.items() if lines)),
        f"{ROOM}{', '.join(BESIDE)}": sum(m.code_lines for m in modules if m.path not in inside),
        MODULES: max(folders.values(), default=0),
        "imports inside functions": sum(module.late_imports for module in package),
        "module-level numeric constants": sum(module.numeric_constants for module in package),
        "bare numbers in bodies": _bare_numbers(root),
        "fmt: skip comments": sum(module.format_skips for module in modules),
        "type names with several homes": sum(number > 1 for number in homes.values()),
    }


def _bare_numbers(root: Path) -> int:
    """Numbers that are compared with, as ruff counts them."""
    ruff = (sys.executable, "-m", "ruff", "check", "--isolated", "--no-cache", "--exit-zero")
    command = (*ruff, "--select", "PLR2004", "--output-format", "concise", "--quiet", PACKAGE)
    answer = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
    return len(answer.stdout.splitlines())


def entries(root: Path) -> Figures:
    """The budget as it is written."""
    project = tomllib.loads((root / FILE).read_text(encoding="utf-8"))
    table: Figures = project.get("tool", {}).get(PACKAGE, {}).get("budget", {})
    return table


def faults(root: Path, weighed: Figures) -> Iterator[Fault]:
    """Where a figure is above its entry, or so far below that the entry can be lowered."""
    allowed = entries(root)
    lines = (root / FILE).read_text(encoding="utf-8").splitlines()
    for name in sorted(weighed.keys() | allowed.keys()):
        line = next((n for n, text in enumerate(lines, 1) if text.startswith(f'"{name}"')), 1)
        figure, entry = weighed.get(name, 0), allowed.get(name)
        if entry is None:
            message = f'no entry for "{name}": add it with --write-budget'
        elif figure > entry:
            message = f"{figure} {name}, {entry} allowed: take {figure - entry} away"
        elif figure * SPARE < entry * (SPARE - 1) or name not in weighed:
            message = f"{figure} {name}, {entry} allowed: lower it to {figure}, by --write-budget"
        else:
            continue
        yield Fault(FILE, line, message)


def write(root: Path, weighed: Figures) -> None:
    """Lower each entry to its figure; none is raised."""
    allowed = entries(root)
    rows = [f'"{name}" = {min(n, allowed.get(name, n))}\n' for name, n in weighed.items()]
    table = f"{TITLE}  # `python -m tools.lint --write-budget` lowers it\n{''.join(rows)}\n"
    path = root / FILE
    text = path.read_text(encoding="utf-8")
    changed = TABLE.sub(lambda _: table, text) if TITLE in text else f"{text}\n{table}"
    path.write_text(changed.rstrip("\n") + "\n", encoding="utf-8")
