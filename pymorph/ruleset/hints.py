"""What is added to a fault of an encoding: the text of the rule, and what to do."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from pymorph.errors import Fault

WIDTH = 160
HINTED = "; did you mean "
MISPLACED = "is not expected here"

# By what the message says: what to do.
MEANT: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), words)
    for pattern, words in (
        (
            r"^the variable .* has no value",
            "give it a value in a condition without 'not', or check the spelling of its name",
        ),
        (r"^unknown predicate [^;]*; there is", "write as many arguments as that has"),
        (r"^unknown predicate", "add a rule or a fact that gives it, or check its spelling"),
        (r"the last statement has no '\.'", "add a '.' at its end"),
        (r"not expected here$", "add a '.' at the end of the statement before it, or a ',' or ')'"),
        (r"not expected here; expected", "add a '.', ',' or bracket just before it"),
        (r"is not closed before '\.'", "add a closing bracket before the '.'"),
        (r"' closes nothing", "remove it, or add an opening bracket before it"),
        (r"'#include' is not allowed", "remove it: all .lp files of the folder are read together"),
        (
            r"'#script' is not allowed|'#end' is not allowed",
            "write rules instead: a ruleset has no program code",
        ),
        (r"'#const' is not allowed", "write a fact that the rules read, such as most(3)"),
        (r"'#show' is not allowed", "remove it: each command shows what it needs"),
        (
            r"a constraint gives no reason",
            "write forbidden(A, S, rule) :- considered(A, S), ... for what is not allowed",
        ),
        (
            r"^value '[a-z]\w*' of .*; expected -?\d+ to",
            "write a number of that range, or a variable, which starts with a capital letter",
        ),
        (r"if it is new, declare ", ""),
        (r"unknown (action|fluent|figure|finding) ", r"declare it with \1(name, sorts)"),
        (
            r"unknown (?:question|option)",
            "declare it with question(Q) and option(Q, O), or check its spelling",
        ),
        (r"unknown rule ", "add it with rule(...), or check its spelling"),
        (r"is a text in quotes", "remove the quotes"),
        (r"starts with a small letter", "start the name of a variable with a capital letter"),
        (r"counts up without end", "add a bound, such as N < 10, to its conditions"),
        (r"is not in the sort .*; expected", "write a value of that sort"),
        (
            r"needs a board, but this game has none",
            "declare a board with symbol(Sign, Label) for its places, or write a fact instead",
        ),
    )
)


def explained(faults: Iterable[Fault], own: Sequence[tuple[str, bytes]]) -> list[Fault]:
    """*faults*, each with the rule that it is in and what to do, if that is known.

    *own* are the files of a ruleset, by the names that places have.
    """
    files = dict(own)
    return [_explained(fault, files) for fault in faults]


def _explained(fault: Fault, files: Mapping[str, bytes]) -> Fault:
    place = fault.place
    if place is None or place.file not in files or fault.text:
        return fault
    try:
        lines = files[place.file].decode().split("\n")
    except UnicodeDecodeError:
        return fault  # what is no text is not quoted
    matches = ((words, pattern.search(fault.message)) for pattern, words in MEANT)
    meant = next((match.expand(words) for words, match in matches if match), "")
    if HINTED in fault.message:
        meant = ""
    text = statement(lines, place.line)
    if fault.message.endswith(MISPLACED):  # the statement before is as likely to be at fault
        before = next((n for n in range(place.line - 1, 0, -1) if _code(lines[n - 1])), 0)
        text = cut(f"{statement(lines, before)} {text}".strip())
    return fault._replace(meant=fault.meant or meant, text=text)


def statement(lines: Sequence[str], number: int) -> str:
    """The statement that line *number* is part of, in one line, cut where it is long."""
    if not 0 < number <= len(lines):
        return ""
    first = last = number - 1
    while first > 0 and _goes_on(lines[first - 1]) and not _begins(lines[first]):
        first -= 1
    while last + 1 < len(lines) and _goes_on(lines[last]) and not _begins(lines[last + 1]):
        last += 1
    text = " ".join(" ".join(line.partition("%")[0].split()) for line in lines[first : last + 1])
    text = "".join(sign if sign.isprintable() else "?" for sign in text.strip())
    return cut(text)


def cut(text: str) -> str:
    return text if len(text) <= WIDTH else text[: WIDTH - 3] + "..."


def _code(line: str) -> str:
    return line.partition("%")[0].strip()


def _goes_on(line: str) -> bool:
    """Does the statement of this line go on in the next?"""
    code = _code(line)
    return bool(code) and not code.endswith(".")


def _begins(line: str) -> bool:
    """Does a line begin a statement, or hold none?"""
    return not line.strip() or not line[0].isspace()
