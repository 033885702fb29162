"""The lexical gate: which texts of encodings clingo's parser may read.

clingo reads the files that a text includes while it parses, so a tree cannot tell what is safe to
parse; this module splits a text exactly as clingo's own lexer does and refuses what is dangerous.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Final, NamedTuple

from pymorph.errors import Fault, Place, clipped
from pymorph.yamlio import LIMITS as FILES


class GateLimits(NamedTuple):
    """What a file of encodings may have, so that nothing crashes clingo or keeps it busy."""

    digits: int = 9  # of a number; clingo counts with 32 bits
    nesting: int = 64  # of brackets
    statement: int = 4096  # characters, and the same number in a line
    operators: int = 200  # of a statement
    comparisons: int = 64  # of a statement
    pool: int = 4096  # alternatives in the pools of a statement
    range: int = 100_000  # numbers from one end to the other
    instances: int = 100_000  # of all statements with pools and ranges
    work: int = 8_000_000  # characters of these, each as long as its statement
    statements: int = 10_000
    faults: int = 50  # after which the file is not read on
    messages: int = 200  # of all files that are checked together
    guesses: int = 20  # at what a name was meant to be


LIMITS = GateLimits()
EVERYWHERE: Final = frozenset(
    ("#count", "#sum", "#sum+", "#min", "#max", "#true", "#false", "#inf", "#sup", "#defined")
)
CORE_ONLY: Final = frozenset(("#const", "#show", "#minimize", "#maximize"))
# What clingo knows besides, and nobody may use here.
DIRECTIVES: Final = frozenset(
    (
        "#cumulative", "#disjoint", "#edge", "#end", "#external", "#heuristic", "#include",
        "#infimum", "#program", "#project", "#script", "#supremum", "#theory", "#unsat",
    )
)  # fmt: skip
WORDS: Final = EVERYWHERE | CORE_ONLY | DIRECTIVES

# Controls, marks that turn the direction of writing, the byte order mark.
UNPRINTABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufeff]")
LONG = re.compile(rf"[^\n]{{{LIMITS.statement + 1}}}")
COMPILED = re.compile(r"asp\s+[0-9]")
TOKEN = re.compile(
    r"""[ \t\r\n]*(?:
      (?P<name>[_']*[a-z]['A-Za-z0-9_]*)
    | (?P<variable>[_']*[A-Z]['A-Za-z0-9_]*|_)
    | (?P<comma>,)
    | (?P<open>[({\[])
    | (?P<close>[)}\]])
    | (?P<number>[0-9]+)
    | (?P<string>"[^"\\\n]*(?:\\["\\n][^"\\\n]*)*")
    | (?P<comparison>[<>=!]=|<>|[<>=])
    | (?P<arrow>:[-~])
    | (?P<colon>:)
    | (?P<dots>\.\.)
    | (?P<operator>\*\*|[-+*/\\?^~])
    | (?P<dot>\.)
    | (?P<semicolon>;)
    | (?P<bar>\|)
    | (?P<call>@)
    | (?P<block>%\*)
    | (?P<comment>%[^\n]*)
    | (?P<directive>\#[A-Za-z0-9_]*)
    | (?P<end>\Z)
    | (?P<other>.)
    )""",
    re.VERBOSE | re.DOTALL | re.ASCII,
)
# Inside a block comment a lone % hides the rest of its line, the closing mark with it.
IN_BLOCK = re.compile(r"\*%|%\*|%[^\n]*")
IN_STRING = re.compile(r'"(?:[^"\\\n]|\\["\\n])*')
CLOSES: Final = {")": "(", "}": "{", "]": "[", "|": "|", ".": ""}
OPERANDS: Final = frozenset(("variable", "string", "number"))  # tokens that end one
OPERATORS: Final = ("operator", "dots", "bar")
MESSAGE = re.compile(r"<string>:(\d+):(\d+)-\S+ (?:error|info): (.*)", re.DOTALL)
UNEXPECTED = re.compile(r"unexpected [^\n]*?(?:, expecting ([^\n]*))?$")
UNSAFE = re.compile(r"<string>:(\d+):(\d+)-\S+ note: '([^\n#][^\n]*|#Anon)\d*' is unsafe")
TOKEN_NAMES: Final = {
    "<IDENTIFIER>": "a name",
    "<VARIABLE>": "a variable",
    "<NUMBER>": "a number",
    "<STRING>": "a string",
}


@dataclass(slots=True)
class Span:
    """One statement as the lexer saw it; its offset and its length count characters."""

    offset: int
    first: str
    length: int = 0
    pooled: bool = False  # whether a bracket of it has a semicolon
    kinds: Counter[str] = field(default_factory=Counter)  # of its tokens

    @property
    def ground(self) -> bool:
        """Whether this has the outer form of a fact without variables and calls."""
        unlike_a_fact = self.kinds.keys() & {"arrow", "variable", "call"}
        return not unlike_a_fact and self.first[:1] not in "#{"

    @property
    def operators(self) -> int:
        return sum(self.kinds[kind] for kind in OPERATORS)


class Text:
    """The decoded text of one file; turns offsets into places and clingo's columns into ours."""

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.text = text
        self.starts = [0, *(m.end() for m in re.finditer("\n", text))]
        self.ascii = text.isascii()

    def place(self, offset: int) -> Place:
        line = bisect_right(self.starts, offset)
        return Place(self.name, line, offset - self.starts[line - 1] + 1)

    def offset(self, line: int, column: int) -> int:
        """The offset of a position of clingo, which counts a column for each byte."""
        start = self.starts[min(line, len(self.starts)) - 1]
        if self.ascii:
            return start + column - 1
        stop = self.text.find("\n", start)
        text = self.text[start : stop if stop >= 0 else len(self.text)]
        return start + len(text.encode()[: column - 1].decode(errors="ignore"))


def words_in(text: str) -> Iterator[str]:
    """The names of predicates, functions and constants in rules, as the lexer reads them.

    >>> list(words_in('near(P, east) :- not closed(P), sign(P, "a wall").'))
    ['near', 'east', 'closed', 'sign']
    """
    names = (match["name"] for match in TOKEN.finditer(text) if match.lastgroup == "name")
    return (name for name in names if name != "not")


def decoded(name: str, data: bytes) -> Text | Fault:
    """The text of a file, or why it has none."""
    if len(data) > FILES.rules_bytes:
        return Fault(f"the file is longer than {FILES.rules_bytes // 1024} kB", Place(name))
    try:
        text = Text(name, data.decode())
    except UnicodeDecodeError as error:
        before = data[: error.start].decode(errors="replace")
        line = before.count("\n") + 1
        place = Place(name, line, len(before) - before.rfind("\n"))
        return Fault(f"not UTF-8 text: byte {data[error.start]:#04x}", place)
    long = LONG.search(text.text)
    if long:
        return Fault(
            f"the line has more than {LIMITS.statement:,} characters", text.place(long.start())
        )
    strange = UNPRINTABLE.search(text.text)
    if strange:
        kind = "byte order mark" if strange[0] == "\ufeff" else "control character"
        message = f"the {kind} U+{ord(strange[0]):04X} is not allowed in a ruleset"
        return Fault(message, text.place(strange.start()))
    return text


def reworded(text: Text, message: str) -> list[Fault]:
    """The faults that a message of clingo about *text* reports, in our words and places."""

    def place(line: str, column: str) -> Place:
        return text.place(text.offset(int(line), int(column)))

    if notes := UNSAFE.findall(message):
        names = [clipped(name.replace("#Anon", "_")) for *_, name in notes]
        return [
            Fault(f"the variable {name} has no value", place(line, column))
            for name, (line, column, _) in zip(names, notes, strict=True)
        ]
    match = MESSAGE.match(message)
    if match is None:
        return [Fault(f"clingo rejects the file: {clipped(message)}", Place(text.name))]
    where = place(match[1], match[2])
    unexpected = UNEXPECTED.search(match[3])
    if not unexpected:
        what, _, which = match[3].partition(":\n")
        return [Fault(f"{what}: {clipped(which.strip())}", where)]
    token = TOKEN.match(text.text, text.offset(int(match[1]), int(match[2])))
    what = clipped(token[token.lastgroup]) if token and token.lastgroup else "this"
    names = [name.strip('"') for name in (unexpected[1] or "").split(" or ") if name]
    expected = " or ".join(TOKEN_NAMES.get(name, repr(name)) for name in names)
    hint = f"; expected {expected}" if names else ""
    return [Fault(f"{what} is not expected here{hint}", where)]


class Unreadable(Exception):
    """A fault after which nothing is certain."""


class Lexer:
    """Splits a text into statements, and collects its `faults`."""

    def __init__(self, text: Text, trusted: bool) -> None:
        self.text = text
        self.words = EVERYWHERE | {"#show"} if trusted else EVERYWHERE
        self.faults: list[Fault] = []
        self.spans: list[Span] = []
        self.brackets = [("", 0)]  # those that are open, with their offsets, after the statement
        self.span: Span | None = None
        self.operand = False  # whether the last token ends an operand: there a bar closes

    def fault(self, offset: int, message: str) -> None:
        self.faults.append(Fault(message, self.text.place(offset)))

    def unreadable(self, offset: int, message: str) -> Unreadable:
        self.fault(offset, message)
        return Unreadable()

    def run(self) -> None:
        """Read the text up to its end, or to the first fault after which nothing is certain."""
        text, position = self.text.text, 0
        with suppress(Unreadable):
            while len(self.faults) < LIMITS.faults:
                match = TOKEN.match(text, position)
                assert match is not None
                assert match.lastgroup is not None
                kind = match.lastgroup
                start, position = match.span(kind)
                if kind == "block":
                    position = self.after_block(start)
                elif kind == "end":
                    if self.span is not None:
                        message = "the last statement has no '.' at its end"
                        self.fault(self.span.offset, message)
                    return
                elif kind == "directive" and not is_directive(match[kind]):
                    word = clipped(match[kind])
                    hint = "comments start with '%'"
                    self.fault(start, f"{word} is not allowed in a ruleset; {hint}")
                    position = (text + "\n").index("\n", start)
                elif kind != "comment":
                    position = self.token(kind, match[kind], start, position)

    def token(self, kind: str, token: str, start: int, stop: int) -> int:
        """Read a token; where the next one starts."""
        if token == "#sum" and self.text.text.startswith("+", stop):
            token, stop = "#sum+", stop + 1
        if self.span is None:
            self.span = Span(start, token)
            if not self.spans and COMPILED.match(self.text.text, start):
                message = "a file cannot start with 'asp', as a compiled program does"
                raise self.unreadable(start, message)
        span, opener = self.span, self.brackets[-1][0]
        span.length += stop - start
        span.kinds[kind] += 1
        closes = kind == "close" or (kind == "bar" and self.operand and opener == "|")
        if closes:
            self.close(token, start)
            if token == "]" and span.first == "[" and not self.brackets[-1][0]:
                self.span = None  # the weight of an optimisation, after its dot
        elif kind == "open" or (kind == "bar" and not self.operand):
            self.brackets.append((token, start))
            if len(self.brackets) > LIMITS.nesting + 1:
                raise self.unreadable(start, f"brackets are nested deeper than {LIMITS.nesting}")
        elif kind == "number":
            self.number(token, start, stop)
        elif kind == "dot":
            self.finish(span, start)
        elif kind == "semicolon" and opener:
            span.pooled = True
        elif kind == "directive" and token not in self.words:
            where = "outside the core" if token in CORE_ONLY else "in a ruleset"
            self.fault(start, f"{clipped(token)} is not allowed {where}")
        elif kind == "other":
            raise self.unreadable(*self.foreign(token, start))
        self.operand = closes or kind in OPERANDS or (kind == "name" and token != "not")
        self.operand |= token in ("#inf", "#sup")
        return stop

    def after_block(self, start: int) -> int:
        """The end of the block comment that begins at *start*."""
        depth, position = 1, start + 2
        while depth:
            match = IN_BLOCK.search(self.text.text, position)
            if match is None:
                raise self.unreadable(start, "the comment '%*' is not closed")
            depth += {"*%": -1, "%*": 1}.get(match[0], 0)
            position = match.end()
        return position

    def number(self, token: str, start: int, stop: int) -> None:
        """Compare *token* with the numbers that clingo reads as they are written."""
        after = self.text.text[stop : stop + 1]
        after = after if after.isalpha() or after in ("_", "'") else ""
        if len(token) > LIMITS.digits:
            message = f"{clipped(token)} has more than {LIMITS.digits} digits"
            raise self.unreadable(start, message)
        if after or (len(token) > 1 and token[0] == "0"):
            raise self.unreadable(start, f"{clipped(token + after)} is not a decimal number")

    def close(self, token: str, start: int) -> None:
        """Leave the innermost bracket, if the token closes it; a dot closes none."""
        opener, offset = self.brackets[-1]
        if opener != CLOSES[token]:
            if opener:
                raise self.unreadable(offset, f"{opener!r} is not closed before {token!r}")
            raise self.unreadable(start, f"{token!r} closes nothing")
        if opener:
            self.brackets.pop()

    def foreign(self, token: str, start: int) -> tuple[int, str]:
        """What is wrong with a character that starts no token, and where."""
        if token == "&":
            return start, "'&' (a theory atom) is not allowed in a ruleset"
        string = IN_STRING.match(self.text.text, start)
        if string is None:
            hint = "" if token.isascii() else " outside strings and comments"
            return start, f"the character {token!r} is not allowed{hint}"
        if self.text.text.startswith("\\", string.end()):
            return string.end(), r"a string can have a backslash only in \\, \" and \n"
        return start, "the string is not closed on its line"

    def finish(self, span: Span, start: int) -> None:
        """Add a complete statement, with a fault if it is too large."""
        self.close(".", start)
        self.span = None
        for number, most, what in (
            (span.length, LIMITS.statement, "characters"),
            (span.operators, LIMITS.operators, "operators"),
            (span.kinds["comparison"], LIMITS.comparisons, "comparisons"),
        ):
            if number > most:
                self.fault(span.offset, f"the statement has more than {most:,} {what}")
                break
        self.spans.append(span)
        if len(self.spans) == LIMITS.statements + 1:
            message = f"the file has more than {LIMITS.statements:,} statements"
            self.fault(span.offset, message)


def is_directive(token: str) -> bool:
    """Is it a word of clingo's, or a misspelt one?"""
    return token in WORDS or bool(get_close_matches(token, WORDS, 1, 0.75))
