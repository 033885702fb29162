"""The lexical gate: which texts of encodings clingo's parser may read.

clingo reads the files that a text includes while it parses, so a tree cannot tell what is safe to
parse; this module splits a text exactly as clingo's own lexer does and refuses what is dangerous.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from pymorph.errors import Fault, Place, clipped
from pymorph.yamlio import RULES_BYTES

MAX_DIGITS: Final = 9
MAX_NESTING: Final = 64
MAX_STATEMENT: Final = 4096
MAX_OPERATORS: Final = 200
MAX_COMPARISONS: Final = 64
MAX_POOL: Final = 4096
MAX_RANGE: Final = 100_000
MAX_INSTANCES: Final = 100_000
MAX_WORK: Final = 2_000_000
MAX_STATEMENTS: Final = 10_000
MAX_LINE: Final = 4096
MAX_FAULTS: Final = 50

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

# Controls, marks that turn the direction of writing, the byte order mark.
UNPRINTABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufeff]")
LONG = re.compile(rf"[^\n]{{{MAX_LINE + 1}}}")
COMPILED = re.compile(r"asp\s+[0-9]")
TOKEN = re.compile(
    r"""[ \t\r\n]*(?:
      (?P<name>[_']*[a-z]['A-Za-z0-9_]*)
    | (?P<variable>[_']*[A-Z]['A-Za-z0-9_]*|_)
    | (?P<comma>,)
    | (?P<open>[({\[])
    | (?P<close>[)}\]])
    | (?P<range>[0-9]+[ \t\r\n]*\.\.[ \t\r\n]*-?[0-9]+)
    | (?P<number>[0-9]+)
    | (?P<string>"[^"\\\n]*(?:\\["\\n][^"\\\n]*)*")
    | (?P<comparison>[<>=!]=|<>|[<>=])
    | (?P<arrow>:[-~])
    | (?P<colon>:)
    | (?P<operator>\*\*|\.\.|[-+*/\\?^~])
    | (?P<dot>\.)
    | (?P<semicolon>;)
    | (?P<bar>\|)
    | (?P<at>@)
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
AFTER_RANGE = re.compile(r"[ \t\r\n]*[),;|]")
CLOSES: Final = {")": "(", "}": "{", "]": "[", "|": "|"}
OPERANDS: Final = frozenset(("variable", "string", "number", "range"))  # tokens that end one
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
    """One statement as the lexer saw it; offsets and columns count characters."""

    offset: int
    length: int = 0
    instance: float = 0
    first: str = ""
    variables: bool = False
    calls: bool = False
    arrow: bool = False
    open_ranges: bool = False
    ranges: int = 0
    operators: int = 0
    comparisons: int = 0
    pools: int = 1
    size: int = 1

    @property
    def ground(self) -> bool:
        """Whether this has the outer form of a fact without variables and calls."""
        return not (self.arrow or self.variables or self.calls) and self.first[:1] not in "#{"


@dataclass(slots=True)
class Level:
    """An open bracket, with the number of its alternatives: of its pools, and with its ranges."""

    opener: str
    offset: int
    length: float = 0
    alternatives: int = 1
    pools_before: int = 0
    pools: int = 1
    size_before: int = 0
    size: int = 1

    def alternative(self) -> None:
        """A semicolon: alternatives add up; the elements of an aggregate do not count."""
        less = 1 if self.opener == "{" else 0
        self.alternatives += 1 - less
        self.pools_before += self.pools - less
        self.size_before += self.size - less
        self.pools = self.size = 1


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


def decoded(name: str, data: bytes) -> Text | Fault:
    """The text of a file, or why it has none."""
    if len(data) > RULES_BYTES:
        return Fault(f"the file is longer than {RULES_BYTES // 1024} kB", Place(name))
    try:
        text = Text(name, data.decode())
    except UnicodeDecodeError as error:
        before = data[: error.start].decode(errors="replace")
        line = before.count("\n") + 1
        place = Place(name, line, len(before) - before.rfind("\n"))
        return Fault(f"not UTF-8 text: byte {data[error.start]:#04x}", place)
    long = LONG.search(text.text)
    if long:
        return Fault(f"the line has more than {MAX_LINE:,} characters", text.place(long.start()))
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


class Lexer:
    """Splits a text into statements, and collects its `faults`."""

    def __init__(self, text: Text, trusted: bool) -> None:
        self.text = text
        self.words = EVERYWHERE | CORE_ONLY if trusted else EVERYWHERE
        self.faults: list[Fault] = []
        self.spans: list[Span] = []
        self.levels = [Level("", 0)]
        self.instances = 0
        self.work = 0.0

    def fault(self, offset: int, message: str) -> None:
        self.faults.append(Fault(message, self.text.place(offset)))

    def run(self) -> None:
        """Read the text up to its end, or to the first fault after which nothing is certain."""
        text = self.text.text
        levels = self.levels
        span: Span | None = None
        operand = False  # whether the token before ends an operand: there a bar closes
        before = previous = ""
        position = 0
        while len(self.faults) < MAX_FAULTS:
            match = TOKEN.match(text, position)
            assert match is not None
            kind = match.lastgroup
            assert kind is not None
            start, position = match.span(kind)
            if kind == "comment":
                continue
            if kind == "block":
                if (position := self.after_block(start)) < 0:
                    return
                continue
            if kind == "end":
                if span is not None:
                    self.fault(span.offset, "the last statement has no '.' at its end")
                return
            token = match[kind]
            if kind == "directive" and not self.is_directive(token):
                self.fault(
                    start, f"{clipped(token)} is not allowed in a ruleset; comments start with '%'"
                )
                position = (text + "\n").index("\n", start)
                continue
            if span is None:
                span = Span(start, first=token)
                if not self.spans and COMPILED.match(text, start):
                    self.fault(start, "a file cannot start with 'asp', as a compiled program does")
                    return
            span.length += position - start
            span.instance += position - start

            if kind in ("operator", "bar", "range"):
                span.operators += 1
            opens = kind == "open" or (kind == "bar" and not operand)
            closes = kind == "close" or (kind == "bar" and operand and levels[-1].opener == "|")
            operand = closes or kind in OPERANDS or (kind == "name" and token != "not")
            if opens:
                levels.append(Level(token, start, span.instance))
                if len(levels) > MAX_NESTING + 1:
                    self.fault(start, f"brackets are nested deeper than {MAX_NESTING}")
                    return
            elif closes:
                if levels[-1].opener != CLOSES[token]:
                    self.unbalanced(token, start)
                    return
                self.close(span)
                if token == "]" and span.first == "[" and len(levels) == 1:
                    span = None  # the weight of an optimisation, after its dot
            elif kind == "variable":
                span.variables = True
            elif kind == "number":
                if not self.number(token, start, position):
                    return
            elif kind == "range":
                if not self.range(span, token, (before, previous), start, position):
                    return
            elif kind == "dot":
                if len(levels) > 1:
                    self.unbalanced(token, start)
                    return
                self.finish(span)
                span = None
            elif kind == "comparison":
                span.comparisons += 1
            elif kind == "operator":
                span.open_ranges |= token == ".."
            elif kind == "arrow":
                span.arrow = True
            elif kind == "semicolon":
                if levels[-1].opener:
                    levels[-1].alternative()
            elif kind == "at":
                span.calls = True
            elif kind == "directive":
                if token == "#sum" and text.startswith("+", position):
                    token, position = "#sum+", position + 1
                self.directive(token, start)
                operand = token in ("#inf", "#sup")
            elif kind == "other":
                self.other(token, start)
                return
            before, previous = previous, token

    def after_block(self, start: int) -> int:
        """The end of the block comment that begins at *start*; -1 if it has none."""
        depth, position = 1, start + 2
        while depth:
            match = IN_BLOCK.search(self.text.text, position)
            if match is None:
                self.fault(start, "the comment '%*' is not closed")
                return -1
            depth += {"*%": -1, "%*": 1}.get(match[0], 0)
            position = match.end()
        return position

    def number(self, token: str, start: int, stop: int) -> bool:
        """Whether *token* is a number that clingo reads as it stands."""
        after = self.text.text[stop : stop + 1] if stop >= 0 else ""
        after = after if after.isalpha() or after in ("_", "'") else ""
        if len(token) > MAX_DIGITS:
            self.fault(start, f"{clipped(token)} has more than {MAX_DIGITS} digits")
        elif after or (len(token) > 1 and token[0] == "0"):
            self.fault(start, f"{clipped(token + after)} is not a decimal number")
        else:
            return True
        return False

    def range(self, span: Span, token: str, before: tuple[str, str], start: int, stop: int) -> bool:
        """Count a range of two numbers; whether they are numbers."""
        low, _, high = token.partition("..")
        low, high = low.strip(), high.strip()
        if not self.number(low, start, -1) or not self.number(high.lstrip("-"), start, stop):
            return False
        span.ranges += 1
        starters = ("(", ",", ";", "=", "|")
        negative = before[1] == "-" and before[0] in starters
        if not (negative or before[1] in starters) or not AFTER_RANGE.match(self.text.text, stop):
            span.open_ranges = True  # a part of some arithmetic
        least = -int(low) if negative else int(low)
        width = int(high) - least + 1
        if width > MAX_RANGE:
            self.fault(start, f"the range {least}..{high} is wider than {MAX_RANGE:,}")
        elif width < 1 and not span.open_ranges:
            self.fault(start, f"the range {least}..{high} is empty")
        self.levels[-1].size *= max(width, 1)
        return True

    def close(self, span: Span) -> None:
        """Leave the innermost bracket: its alternatives multiply those of the bracket around it."""
        inner = self.levels.pop()
        span.instance = inner.length + (span.instance - inner.length) / inner.alternatives
        self.levels[-1].pools *= inner.pools_before + inner.pools
        self.levels[-1].size *= inner.size_before + inner.size

    def unbalanced(self, token: str, start: int) -> None:
        inner = self.levels[-1]
        if inner.opener:
            self.fault(inner.offset, f"{inner.opener!r} is not closed before {token!r}")
        else:
            self.fault(start, f"{token!r} closes nothing")

    def is_directive(self, token: str) -> bool:
        """Is it a word of clingo's, or a misspelt one?"""
        known = DIRECTIVES | CORE_ONLY | self.words
        return token in known or bool(get_close_matches(token, known, 1, 0.75))

    def directive(self, token: str, start: int) -> None:
        if token not in self.words:
            where = "outside the core" if token in CORE_ONLY else "in a ruleset"
            self.fault(start, f"{clipped(token)} is not allowed {where}")

    def other(self, token: str, start: int) -> None:
        """Report a character that starts no token."""
        if token == "&":
            self.fault(start, "'&' (a theory atom) is not allowed in a ruleset")
        elif token != '"':
            hint = "" if token.isascii() else " outside strings and comments"
            self.fault(start, f"the character {token!r} is not allowed{hint}")
        else:
            text = self.text.text
            at = start + 1
            while text[at : at + 2] in (r"\"", r"\\", r"\n") or text[at : at + 1] not in "\\\n":
                at += 2 if text[at] == "\\" else 1
            if text.startswith("\\", at):
                self.fault(at, r"a string can have a backslash only in \\, \" and \n")
            else:
                self.fault(start, "the string is not closed on its line")

    def finish(self, span: Span) -> None:
        """Add a complete statement, with a fault if it is too large."""
        top = self.levels[0]
        span.pools, span.size = top.pools, top.size
        self.levels[0] = Level("", 0)
        instances = span.pools if span.arrow else span.size
        before = self.instances, self.work
        if instances > 1:
            self.instances += instances
            self.work += span.pools * span.instance
        for number, most, what in (
            (span.length, MAX_STATEMENT, "characters"),
            (span.operators, MAX_OPERATORS, "operators"),
            (span.comparisons, MAX_COMPARISONS, "comparisons"),
            (span.pools, MAX_POOL, "alternatives in pools"),
        ):
            if number > most:
                self.fault(span.offset, f"the statement has more than {most:,} {what}")
                break
        if before[0] <= MAX_INSTANCES < self.instances or before[1] <= MAX_WORK < self.work:
            self.fault(span.offset, "the pools and ranges up to here have too many instances")
        self.spans.append(span)
        if len(self.spans) == MAX_STATEMENTS + 1:
            self.fault(span.offset, f"the file has more than {MAX_STATEMENTS:,} statements")
