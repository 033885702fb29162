"""The errors of the project, and the places they point to."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

MAX_FAULTS = 100  # that are reported for a file


# The parts of a message, as `clipped` and `nearest` write them.
QUOTED = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\"""")
FOUND = re.compile(rf"(?:\bfound|\bunknown [\w ]+?) ({QUOTED.pattern})")
EXPECTED = re.compile(r"; expected (?:one of )?([^;]+)")
NEAREST = re.compile(rf"; did you mean ((?:{QUOTED.pattern}| or )+)\?")


class PymorphError(Exception):
    """The base class of every error that pymorph raises on purpose.

    >>> import pymorph
    >>> try:
    ...     pymorph.load_ruleset("tictacto")
    ... except pymorph.PymorphError as error:
    ...     print(error)
    unknown ruleset 'tictacto'; did you mean 'tictactoe'?
    """


class Place(NamedTuple):
    """A place in a file; *line* and *column* count from 1, and 0 means unknown."""

    file: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        numbers = [str(n) for n in (self.line, self.column) if n]
        return ":".join([self.file, *numbers])


class Fault(NamedTuple):
    """One thing that is wrong, its place, and the rules that it breaks, if any.

    In an encoding, *meant* says what to do, and *text* is the statement with the error.
    """

    message: str
    place: Place | None = None
    rules: tuple[str, ...] = ()
    meant: str = ""
    text: str = ""

    def __str__(self) -> str:
        line = f"{self.place}: {self.message}" if self.place else self.message
        line += f"; {self.meant}" if self.meant else ""
        return f"{line} | {self.text}" if self.text else line

    @property
    def found(self) -> str:
        """What the message says was found, if anything."""
        match = FOUND.search(self.message)
        return unquoted(match[1]) if match else ""

    @property
    def expected(self) -> str:
        """What the message says was expected, if anything."""
        match = EXPECTED.search(self.message)
        return match[1] if match else ""

    @property
    def nearest(self) -> tuple[str, ...]:
        """The valid names that the message offers in place of a misspelt one."""
        match = NEAREST.search(self.message)
        return tuple(map(unquoted, QUOTED.findall(match[1]))) if match else ()


class Faulty(PymorphError):
    """An error with one or more faults; its text has one line for each.

    A message, with its place if there is one, stands for the only fault.
    """

    def __init__(self, faults: str | Fault | Sequence[Fault], place: Place | None = None) -> None:
        only = Fault(faults, place) if isinstance(faults, str) else faults
        self.faults: tuple[Fault, ...] = (only,) if isinstance(only, Fault) else tuple(only)
        super().__init__("\n".join(map(str, self.faults)))

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (self.faults,))


class InputError(Faulty):
    """The input cannot be used; `faults` lists everything that is wrong with it.

    >>> import pymorph
    >>> try:
    ...     pymorph.Position.load("examples/broken/misspelt.yaml")
    ... except pymorph.InputError as error:
    ...     print(len(error.faults), error.faults[0].place, error.faults[0].nearest)
    3 examples/broken/misspelt.yaml:8:8 ('advance',)
    """


class UnknownName(InputError):
    """A name that the ruleset or the file does not know.

    >>> import pymorph
    >>> try:
    ...     pymorph.load_ruleset("tictacto")
    ... except pymorph.UnknownName as error:
    ...     print(error.faults[0].nearest)
    ('tictactoe',)
    """


class IllFormed(InputError):
    """The position is not valid in its game; each fault cites its rules.

    >>> import pymorph
    >>> position = pymorph.Position.load("examples/broken/too_much.yaml")
    >>> try:
    ...     pymorph.legal(position, "too_much.yaml")
    ... except pymorph.IllFormed as error:
    ...     print([fault.rules for fault in error.faults])
    [('mor_move_12',), ('mor_attr_02',), ('mor_tick_04',)]
    """


class RulesetError(Faulty):
    """The ruleset cannot be loaded or grounded.

    >>> import pymorph
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     Path(folder, "rules").mkdir()
    ...     _ = Path(folder, "rules", "game.lp").write_text("ruleset(odd. ")
    ...     try:
    ...         pymorph.load_ruleset(folder)
    ...     except pymorph.RulesetError as error:
    ...         print(error.faults[0].place.line, error.faults[0].message)
    1 '(' is not closed before '.'
    """


class RulesetWarning(UserWarning):
    """A possible error in a ruleset that can be loaded."""


class IllegalAction(PymorphError):
    """The action is well formed but forbidden; `rules` has the ids of all rules that forbid it.

    >>> import pymorph
    >>> start = pymorph.Position.load("examples/rulesets/tictactoe/positions/start.yaml")
    >>> try:
    ...     pymorph.apply(start, "put(x, b2)", "put(o, b2)")
    ... except pymorph.IllegalAction as error:
    ...     print(error.action, error.rules)
    put(o, b2) ('ttt_02',)
    """

    def __init__(self, action: str, rules: tuple[str, ...]) -> None:
        self.action, self.rules = action, rules
        super().__init__(f"{action} is not legal: {', '.join(rules)}")

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (self.action, self.rules))


MOST_EVENTS = 6


class Unsettled(PymorphError):
    """The answer depends on something that the position does not show, such as a hidden card.

    >>> import pymorph
    >>> position = pymorph.Position.load("examples/positions/hidden_cover.yaml")
    >>> try:
    ...     pymorph.apply(position, "withdraw(baganal, main)")
    ... except pymorph.Unsettled as error:
    ...     print(error.action, error.depends_on)
    withdraw(baganal, main) ('cover(baganal, main)',)
    """

    def __init__(
        self,
        action: str,
        depends_on: tuple[str, ...],
        rules: tuple[str, ...],
        may: tuple[str, ...] = (),
    ) -> None:
        self.action, self.depends_on, self.rules = action, depends_on, rules
        self.may = may  # what it may cause
        events = ", ".join(may[:MOST_EVENTS]) + (", ..." if len(may) > MOST_EVENTS else "")
        message = f"{action} cannot be settled: it depends on {', '.join(depends_on)}"
        super().__init__(message + (f"; it may cause {events}" if may else ""))

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (self.action, self.depends_on, self.rules, self.may))


class OutOfTime(PymorphError):
    """The time limit came before the answer.

    >>> import pymorph
    >>> start = pymorph.Position.load("examples/rulesets/tictactoe/positions/start.yaml")
    >>> try:
    ...     pymorph.within(0.001, pymorph.count, start, 9)
    ... except pymorph.OutOfTime as error:
    ...     print(error)
    no answer within 0.001 seconds
    """


def close_to(name: str, known: Iterable[str], most: int = 3, cutoff: float = 0.6) -> list[str]:
    """The names of those *known* that are written most like *name*, up to *most*."""
    import difflib

    return difflib.get_close_matches(name[:64], list(known), most, cutoff)


def nearest(name: str, known: Iterable[str]) -> str:
    """A phrase that names the valid names nearest to *name*, or all of them if they are few."""
    names = sorted(set(known))
    close = close_to(name, names)
    if close:
        return f"; did you mean {' or '.join(repr(c) for c in close)}?"
    if not names:
        return "; there are none"
    listed = ", ".join(names[:12]) + (", ..." if len(names) > 12 else "")
    return f"; expected one of {listed}" if len(names) > 1 else f"; expected {listed}"


def unquoted(text: str) -> str:
    """The text that `clipped` quoted."""
    return str(ast.literal_eval(text))


def clipped(text: str, width: int = 40) -> str:
    """*text* quoted, made printable and cut to *width* characters, fit for one line."""
    return repr(text if len(text) <= width else text[: width - 3] + "...")


def printable(text: str, width: int = 200) -> str:
    """*text* as it is, if it fits on one line; else with signs for what does not show, and cut."""
    if text.isprintable() and len(text) <= width:
        return text
    return clipped(text, width)[1:-1]


# What steers a terminal, turns the direction of writing, does not show, or is no character.
HIDDEN = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    r"\ufff9-\ufffb\ufffe\uffff\ud800-\udfff]"
)


def visible(text: str, allowed: str = "") -> str:
    """*text* with signs for what a reader would not see, but for what is *allowed*.

    The signs, such as ``\\u001b``, are read back by JSON and in the quotes of YAML.
    """
    if text.isprintable():
        return text
    return HIDDEN.sub(lambda m: m[0] if m[0] in allowed else f"\\u{ord(m[0]):04x}", text)


def reason(error: Exception) -> str:
    """Why the system refused, as the end of a line."""
    text = str(getattr(error, "strerror", None) or "not possible")
    if isinstance(error, UnicodeEncodeError):
        text = "it contains bytes that are not text, such as those of a path"
    return text[:1].lower() + text[1:]


def in_order(faults: Iterable[Fault]) -> list[Fault]:
    """The faults as they stand in the file, as many as a person would read."""
    ordered = sorted(set(faults), key=_by_place)
    if len(ordered) > MAX_FAULTS:
        file = next(fault.place.file for fault in ordered if fault.place)
        ordered[MAX_FAULTS:] = [Fault(f"and {len(ordered) - MAX_FAULTS} more", Place(file))]
    return ordered


def _by_place(fault: Fault) -> tuple[int, int, str]:
    place = fault.place or Place("")
    return (place.line, place.column, fault.message)
