"""Is it plain English? Words and phrases that go, sentences that are too long.

What a person reads is looked at: the texts of the rules, the pages, the messages and the help.

    .venv/bin/python -m tools.language            # everything
    .venv/bin/python -m tools.language rules/morphyry docs/games/chess.md

Each line of the output names the place, what is wrong, and what to write. A text that needs a word
all the same is listed in `language_exceptions.txt`: the words around it, one line each.
"""

import argparse
import ast
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

ROOT = Path(__file__).parent.parent
EXCEPTIONS = Path(__file__).with_name("language_exceptions.txt")
WORDS = 25  # in a sentence, at most
SENTENCES = 2  # in the text of a rule, at most

# What goes, and what to write instead.
LISTS = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"))
GOES: dict[str, str] = LISTS["goes"]
FORBIDDEN = [
    (re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE), better)
    for words, better in GOES.items()
]
# The predicates whose strings are read, in the rules of a game.
TEXTS = (
    *("says", "title", "because", "means", "asks", "accepted", "waived", "meaning", "named"),
    "described",
)
STATEMENT = re.compile(
    rf'^({"|".join(TEXTS)})\(([^"\n]*)((?:"(?:[^"\\]|\\.)*"[^"\n]*)+)', re.MULTILINE
)
STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
END = re.compile(r"(?<=[.!?])[\"')*_]*\s+(?=[A-Z\"'(`{*\[]|pymorph )")
CODE = re.compile(r"</|:-|%%|; \}|\(\?|^\s*\w+/\d+ \w+/\d")  # no sentences of ours
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
MADE_BY_CODE = ("docs/reference/json.md", "docs/reference/python.md")


@dataclass(frozen=True, slots=True)
class Text:
    """Something a person reads: where it is, and, of a rule's own text, that it is one."""

    path: Path
    line: int
    words: str
    rule: bool = False


def of_rules(path: Path) -> Iterator[Text]:
    """The sentences of a game: its rules, reasons, questions and what their options mean."""
    code = path.read_text(encoding="utf-8")
    for found in STATEMENT.finditer(code):
        for words in STRING.findall(found[3]):
            yield Text(path, code.count("\n", 0, found.start()) + 1, words, found[1] == "says")


def of_page(path: Path) -> Iterator[Text]:
    """The paragraphs, items and cells of a page, without what is code."""
    page = FENCE.sub(lambda each: "\n" * each[0].count("\n"), path.read_text(encoding="utf-8"))
    start, held = 1, ""
    for number, line in enumerate([*page.splitlines(), ""], 1):
        bare = line.strip()
        if not bare or bare[0] in "#|" or re.match(r"[-*] |\d+\. |<!--|>", bare):
            yield from _prose(path, start, held)
            start, held = number, ""
        if bare.startswith("|"):
            for cell in bare.strip("|").split("|"):
                yield from _prose(path, number, cell)
        else:
            start, held = (start if held else number), f"{held} {bare}".strip()
    yield from _prose(path, start, held)


def _prose(path: Path, line: int, words: str) -> Iterator[Text]:
    bare = re.sub(
        r"`[^`]*`|\]\([^)]*\)|\*\*|!\[|\[|^[-*#>]+ ",
        lambda each: "X" if each[0][0] == "`" else "",
        words,
    )
    bare = re.sub(r"\bX(?:, X)+\b", "X", bare)  # words of code in a row are one
    if " " in bare.strip():
        yield Text(path, line, bare.strip())


def of_program(path: Path) -> Iterator[Text]:
    """Messages and help: strings of several words, and the texts of commands."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    quiet = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and node.body:
            first = node.body[0]
            command = isinstance(node, ast.FunctionDef) and any(
                "command" in ast.unparse(each) or "group" in ast.unparse(each)
                for each in node.decorator_list
            )
            if (
                isinstance(first, ast.Expr)
                and isinstance(first.value, ast.Constant)
                and not command
            ):
                quiet.add(first.value)
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            quiet.update(each for each in node.values if isinstance(each, ast.Constant))
            words = "".join(
                each.value if isinstance(each, ast.Constant) else "x" for each in node.values
            )
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in quiet:
            words = node.value
        else:
            continue
        for part in re.split(r"\n\s*\n|\x08\n|\n(?= +\S+  )", words):
            if part.count(" ") >= 2 and not CODE.search(part):
                yield Text(path, node.lineno, " ".join(part.split()))


def texts(paths: Sequence[Path]) -> Iterator[Text]:
    for path in paths:
        for file in [path] if path.is_file() else sorted(path.rglob("*")):
            if "__pycache__" in file.parts:
                continue
            name = file.relative_to(ROOT).as_posix() if file.is_relative_to(ROOT) else str(file)
            if file.suffix == ".lp":
                yield from of_rules(file)
            elif file.suffix == ".md" and name not in MADE_BY_CODE:
                yield from of_page(file)
            elif file.suffix == ".py":
                yield from of_program(file)


def flaws(text: Text, allowed: Sequence[str] = ()) -> Iterator[str]:
    """What is wrong with a text, and what to write."""
    words = text.words
    for each in allowed:
        words = words.replace(each, "x")
    for pattern, better in FORBIDDEN:
        for found in pattern.finditer(words):
            yield f"'{found[0]}': write {better}"
    for sentence in (sentences := END.split(words)):
        if (length := len(sentence.split())) > WORDS:
            yield f"{length} words in a sentence, {WORDS} at most: {sentence[:60]}..."
    if text.rule and len(sentences) > SENTENCES:
        yield f"{len(sentences)} sentences in the text of a rule, {SENTENCES} at most"


def exceptions() -> list[str]:
    lines = EXCEPTIONS.read_text(encoding="utf-8").splitlines()
    return sorted((line for line in lines if line and line[0] != "#"), key=len, reverse=True)


def main() -> None:
    parser = argparse.ArgumentParser(description="Is it plain English?")
    parser.add_argument("paths", nargs="*", type=Path, help="files and folders (everything)")
    given = parser.parse_args().paths
    allowed = exceptions()
    count = 0
    for text in texts([path.resolve() for path in given] or [ROOT / name for name in EVERYTHING]):
        for flaw in flaws(text, allowed):
            count += 1
            print(f"{text.path.relative_to(ROOT)}:{text.line}: {flaw}")
    sys.exit(f"{count} to change" if count else 0)


EVERYTHING: list[str] = LISTS["everything"]

if __name__ == "__main__":
    main()
