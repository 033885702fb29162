"""What is added to a fault of an encoding: the text of the rule, and what is usually meant."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from pymorph.errors import Fault

WIDTH = 160
HINTED = "; did you mean "
MISPLACED = "cannot stand here"

# By what the message says: what somebody who wrote that will have meant.
MEANT: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), words)
    for pattern, words in (
        (
            r"is bound by no positive condition",
            "a variable that one of the rule's conditions gives, without 'not', or else a slip in "
            "its name",
        ),
        (r"^\w+/\d+ is not known; there is", "the same with as many arguments as it has there"),
        (
            r"^\w+/\d+ is not defined; there is",
            "the same with as many arguments as it has elsewhere",
        ),
        (
            r"^\w+/\d+ is not defined",
            "a name that some rule or fact gives, or a slip in its name",
        ),
        (r"the last statement has no '\.'", "a '.' at its end"),
        (r"cannot stand here$", "a '.' at the end of the statement before it, or a ',' or ')'"),
        (r"cannot stand here; expected", "a '.', ',' or bracket just before it"),
        (r"is not closed before '\.'", "a closing bracket before the '.'"),
        (r"' closes nothing", "one closing bracket less, or an opening one before it"),
        (r"'#include' is not allowed", "nothing: all .lp files of the folder are read together"),
        (
            r"'#script' is not allowed|'#end' is not allowed",
            "rules: a ruleset holds no program code",
        ),
        (r"'#const' is not allowed", "a fact, such as most(3), that the rules read"),
        (r"'#show' is not allowed", "nothing: each verb knows what it shows"),
        (
            r"a constraint gives no reason",
            "forbidden(A, S, rule) :- considered(A, S), ... for what is not allowed",
        ),
        (
            r"^'[a-z]\w*', as value of .*; expected -?\d+ to",
            "a number of that range, or a variable, which starts with a capital letter",
        ),
        (r"if it is new, declare ", ""),
        (r"is no (?:action|fluent|figure)", "one that the vocabulary declares"),
        (
            r"is no (?:question|option)",
            "one that question(Q) and option(Q, O) state, or a new one with them",
        ),
        (r"is no rule of the catalogue", "an id that rule(...) states, or a new rule with it"),
        (r"is a text in quotes", "the same without quotes"),
        (r"starts small", "a variable, which starts with a capital letter"),
        (r"counts on without end", "a bound, such as N < 10, among the conditions"),
        (r"is no [\w ]+; expected", "a value of its sort"),
        (r"may come to .* whole numbers end at", "narrower ranges, or a larger unit"),
        (
            r"asks the board, and this game has none",
            "a board, which needs symbol(Sign, Label) for its places, or else a fact",
        ),
    )
)


def explained(faults: Iterable[Fault], own: Sequence[tuple[str, bytes]]) -> list[Fault]:
    """*faults*, each with the rule that it stands in and what is usually meant, if that is known.

    *own* are the files of a ruleset, by the names that places have.
    """
    known = dict(own)
    texts: dict[str, list[str]] = {}
    return [_explained(fault, known, texts) for fault in faults]


def _explained(fault: Fault, files: Mapping[str, bytes], texts: dict[str, list[str]]) -> Fault:
    place = fault.place
    if place is None or place.file not in files or fault.text:
        return fault
    if place.file not in texts:
        try:
            texts[place.file] = files[place.file].decode().split("\n")
        except UnicodeDecodeError:
            return fault  # what is no text is not quoted
    lines = texts[place.file]
    meant = next((words for pattern, words in MEANT if pattern.search(fault.message)), "")
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
