"""Worked examples of the words of the rule language: short statements of games that use them.

For each word, the statements of the games that ship are looked at first, with the games among the
examples, then what the pages have a reader write, then the small game in `tests/words`, then the
core.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import chain

from clingo.ast import AST, ASTType, parse_string

from pymorph.ruleset.contract import CONTRACT, ENGINE, INPUTS
from pymorph.ruleset.declarations import SIGNATURES
from tools import readme
from tools.headers import Signature, predicates
from tools.readme import ROOT

GAMES = ("rules", "encodings", "examples/rulesets")
WORDS = "tests/words"
CORE = "encodings/core"
GOOD, LONGEST, LINES = 90, 420, 6  # letters of a statement that reads well; the longest
LANGUAGE = CONTRACT | INPUTS | ENGINE | SIGNATURES
TITLE = re.compile(r'\btitle\((\w+), "([^"]+)"\)')
CITED = re.compile(r"\b([a-z]+_(?:[a-z]+_)?\d+)\)?(?: :-|\.)")


@dataclass(frozen=True)
class Statement:
    """A statement of a game: where it is, and what its head and its body use."""

    path: str
    text: str
    place: int = field(compare=False)
    head: frozenset[Signature] = field(compare=False)
    body: frozenset[Signature] = field(compare=False)

    @property
    def game(self) -> str:
        """The name of the game, for which rules and encodings have a folder each."""
        parts = self.path.split("/")
        return parts[2] if parts[0] == "examples" else "/".join(parts[1:2])

    @property
    def rank(self) -> int:
        """How late it comes: of a game, of a page, of the words' own game, of the core."""
        if self.path.startswith(CORE):
            return 3
        if self.path.startswith(WORDS):
            return 2
        return int(not self.path.startswith(GAMES))

    def functions(self) -> set[str]:
        return set(re.findall(r"@(\w+)\(", self.text))

    def shown(self) -> str:
        """It as a page shows it, with where it is and the rule that it cites."""
        cited = CITED.search(self.text)
        title = titles().get(cited[1]) if cited else None
        line = f"% {self.path}" + (f": {title}" if title and cited else "")
        return f"{line}\n{re.sub(r' {2,}:-', ' :-', self.text)}"


@cache
def sources() -> tuple[tuple[str, str], ...]:
    """All texts with rules, and where each is."""
    found = [
        (path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8"))
        for folder in (*GAMES, WORDS)
        for path in sorted((ROOT / folder).rglob("*.lp"))
    ]
    for page in filter(re.compile(r"docs/(?:howto|games)/").match, readme.pages()):
        for block in readme.BLOCK.finditer(readme.read(page)):
            if block["kind"] == "prolog" and block["how"] != "shows":
                found.append((page, block["text"]))
    return tuple(found)


@cache
def titles() -> dict[str, str]:
    """What each rule is called, by its id."""
    return dict(pair for _, text in sources() for pair in TITLE.findall(text))


@cache
def statements() -> tuple[Statement, ...]:
    return tuple(each for path, text in sources() for each in _read(path, text))


def _read(path: str, text: str) -> Iterator[Statement]:
    lines = text.encode().split(b"\n")
    found: list[Statement] = []

    def note(statement: AST) -> None:
        if statement.ast_type != ASTType.Rule:
            return
        begin, end = statement.location.begin, statement.location.end
        taken = lines[begin.line - 1 : end.line]
        if len(taken) > LINES:
            return
        taken[-1] = taken[-1][: end.column - 1]
        taken[0] = taken[0][begin.column - 1 :]
        words = b"\n".join(taken).decode()
        head = frozenset(predicates(statement.head))
        body = frozenset(chain.from_iterable(map(predicates, statement.body)))
        if len(words) <= LONGEST:
            found.append(Statement(path, words, begin.line, head, body))

    try:
        parse_string(text, note, logger=lambda *_: None)
    except RuntimeError:  # a page shows what is wrong, too
        return iter(())
    return iter(found)


def of_word(word: Signature, given: bool) -> list[Statement]:
    """Two statements with the word: in the head of those that a ruleset gives, or in the body."""
    fit = [
        ((word not in (each.head if given else each.body)), each)
        for each in statements()
        if word in each.head | each.body
    ]
    return _two(fit)


def of_function(name: str) -> list[Statement]:
    return _two((False, each) for each in statements() if name in each.functions())


def of_picture(name: str) -> list[Statement]:
    """Two statements that draw something by this name."""
    pattern = re.compile(rf"\bdrawn\([^:]*\b{name}\b")
    drawing = [each for each in statements() if ("drawn", 3) in each.head]
    return _two((False, each) for each in drawing if pattern.match(each.text))


def _two(fit: Iterable[tuple[bool, Statement]]) -> list[Statement]:
    """The two that read best, of two games if there are two."""
    order = sorted(fit, key=lambda each: (each[0], each[1].rank, *_ease(each[1])))
    ranked = [each for _, each in order]
    if not ranked:
        return []
    first = ranked[0]
    rest = [each for each in ranked if each.text != first.text]
    fresh = [each for each in rest if each.game != first.game and each.rank <= 1]
    same = [each for each in rest if each.rank <= 1]
    return [first, *(fresh or same or rest)[:1]]


def _ease(statement: Statement) -> tuple[int, int, str, int]:
    """How easily it reads: few conditions, few words of the game's own, neither too short nor too
    long."""
    own = len(statement.body - LANGUAGE)
    return (
        max(len(statement.body), 2) + own - statement.path.startswith("examples/"),
        abs(len(statement.text) - GOOD),
        statement.path,
        statement.place,
    )
