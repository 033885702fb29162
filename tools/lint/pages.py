"""The pages: links lead somewhere, every page is in the navigation, nothing names this machine."""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from tools.lint.source import PACKAGE, Fault

FENCE = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
MACHINE = re.compile(r"/work/|/tmp/|/home/|\bshared/|\bsession id\b|localhost", re.IGNORECASE)
PARTS_OF_IT = ("/work/", "/tmp/", "/home/", "shared/", "session id", "localhost")
NAVIGATION = re.compile(r"```\{toctree\}\n(.*?)```", re.DOTALL)
VARIABLE = re.compile(r'"(PYMORPH_\w+)"')
TEXTS = (PACKAGE, "rules", "encodings", "examples", "benchmarks")
SUFFIXES = (".py", ".lp", ".yaml")
README_LINES = 160
TEST_COMMAND = "<!-- test command -->"
BROKEN = "is not defined"  # what clingo says of a predicate that nothing gives


def pages(root: Path) -> list[Path]:
    """Every page, made from the code or not."""
    names = ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "benchmarks/README.md")
    found = [root / name for name in names if (root / name).exists()]
    return found + sorted([*root.glob("docs/**/*.md"), *root.glob("examples/**/*.md")])


@cache
def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def prose(path: Path) -> str:
    """A page with empty lines instead of its blocks of code."""
    return FENCE.sub(lambda block: "\n" * block[0].count("\n"), text_of(path))


def faults(root: Path) -> Iterator[Fault]:
    """What is wrong with the pages, and with texts that speak of the machine they are on."""
    known = pages(root)
    files = [path for name in TEXTS for path in (root / name).rglob("*")]
    for path in [*known, *sorted(path for path in files if path.suffix in SUFFIXES)]:
        if any(word in text_of(path).lower() for word in PARTS_OF_IT):
            for match in MACHINE.finditer(text_of(path)):
                message = f"'{match[0]}' belongs to one machine: say it without"
                yield _fault(root, path, match.start(), message)
    for path in known:
        yield from _links(root, path)
        if path.parent != root and BROKEN in text_of(path):
            at = text_of(path).index(BROKEN)
            yield _fault(root, path, at, "the page shows a broken ruleset: correct what it writes")
    yield from _navigation(root, known)
    yield from _readme(root)
    yield from _tables(root)


def _fault(root: Path, path: Path, at: int, message: str) -> Fault:
    line = text_of(path).count("\n", 0, at) + 1
    return Fault(path.relative_to(root).as_posix(), line, message)


def _links(root: Path, path: Path) -> Iterator[Fault]:
    text = prose(path)
    for match in LINK.finditer(text):
        name, _, anchor = match[1].partition("#")
        target = path.parent / name if name else path
        if "://" in match[1]:
            continue
        if not target.exists():
            yield _fault_in(root, path, text, match, f"no file {name}: correct the link")
        elif anchor and anchor not in anchors(target.resolve()):
            yield _fault_in(root, path, text, match, f"no heading #{anchor}: correct the link")


def _fault_in(root: Path, path: Path, text: str, match: re.Match[str], message: str) -> Fault:
    line = text.count("\n", 0, match.start()) + 1
    return Fault(path.relative_to(root).as_posix(), line, message)


@cache
def anchors(path: Path) -> frozenset[str]:
    """What the headings of a page are called in links to them."""
    titles = HEADING.findall(prose(path))
    return frozenset(re.sub(r"[^\w -]", "", t).lower().replace(" ", "-") for t in titles)


def _navigation(root: Path, known: Iterable[Path]) -> Iterator[Fault]:
    """Each page below `docs/` and `examples/` is listed once in the index."""
    index = root / "docs" / "index.md"
    if not index.exists():
        return
    blocks = NAVIGATION.findall(text_of(index))
    rows = [row for block in blocks for row in block.splitlines() if row and row[0] not in ":*"]
    names = [row.rpartition("<")[2].rstrip(">") for row in rows]
    listed = [(index.parent / f"{name}.md").resolve() for name in names]
    for name, path in zip(names, listed, strict=True):
        made = name == "rulebook/index"  # written when the site is built
        if listed.count(path) > 1 or not (made or path.exists()):
            at = text_of(index).index(name)
            yield _fault(root, index, at, f"{name} is listed twice, or is no page: remove it")
    for path in known:
        inside = path.parent not in (root, root / "docs", root / "benchmarks")
        if (inside or path == root / "README.md") and path.resolve() not in listed:
            yield _fault(
                root, path, 0, "the page is not in the navigation: add it to docs/index.md"
            )


def _readme(root: Path) -> Iterator[Fault]:
    path = root / "README.md"
    lines = text_of(path).count("\n")
    if lines > README_LINES:
        message = f"{lines} lines, {README_LINES} at most: move some to a page"
        yield _fault(root, path, 0, message)
    if text_of(path).count(TEST_COMMAND) != 1:
        yield _fault(root, path, 0, f"one block is the test command: mark it with {TEST_COMMAND}")


def _tables(root: Path) -> Iterator[Fault]:
    """Each environment variable and each example position is in its table."""
    page = root / "docs" / "reference" / "environment.md"
    listed = set(re.findall(r"\bPYMORPH_\w+", text_of(page))) if page.exists() else set()
    code = sorted((root / PACKAGE).rglob("*.py"))
    read = {name: path for path in code for name in VARIABLE.findall(text_of(path))}
    for name in sorted(read.keys() - listed):
        at = text_of(read[name]).index(name)
        message = f"{name} is not on a page: add it to docs/reference/environment.md"
        yield _fault(root, read[name], at, message)
    for name in sorted(listed - read.keys()):
        yield _fault(root, page, text_of(page).index(name), f"nothing reads {name}: remove it")
    table = root / "examples" / "README.md"
    for path in sorted((root / "examples" / "positions").glob("*.yaml")):
        if f"`{path.name}`" not in text_of(table):
            yield _fault(root, path, 0, f"{path.name} is not in examples/README.md: add it")
