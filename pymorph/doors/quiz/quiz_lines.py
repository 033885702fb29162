"""The lines of a quiz and of its answers: what each has, and how JSON is read as one."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from types import UnionType
from typing import Any, Literal, NamedTuple, get_args, get_origin

from pymorph import yamlio
from pymorph.answers import encode, fields_of, json_keys
from pymorph.cli.answer_schema import AnswerSchema, field_type
from pymorph.errors import Fault, InputError, Place, clipped, nearest
from pymorph.state.files.schema import DRAFT, Schema

VerdictWord = Literal["upheld", "rejected", "inapplicable", "depends"]
# What messages call the types of values.
NAMES: Mapping[type, str] = {str: "a text", tuple: "a list", Mapping: "an object"}


class OpenQuestion(NamedTuple):
    """A question that the rules leave open: its options, each with its meaning, and the default."""

    asks: str
    options: Mapping[str, str]
    default: str


class ReadingVerdict(NamedTuple):
    """The verdict under the readings that make some choices: an option by question."""

    under: Mapping[str, str]
    verdict: VerdictWord


class AnswerKey(NamedTuple):
    """The right answer to a question, which the answerer does not see.

    *kind* is what the question tests, *source* where the position is from. *verdict* is the one
    over all readings and whatever is hidden, *by_default* the one where nobody chooses another
    option, *readings* has all of them. *rules* are the rules that the verdict cites, *depends_on*
    the open questions or the hidden items that decide it.
    """

    kind: str
    source: str
    verdict: VerdictWord
    by_default: VerdictWord
    readings: tuple[ReadingVerdict, ...]
    rules: tuple[str, ...]
    depends_on: tuple[str, ...]


@json_keys(optional=["key"])
class QuizLine(NamedTuple):
    """A line of a quiz: a claim about a position, and the rules and open questions to pick from."""

    id: str
    game: str
    question: str
    claim: str
    position: str
    picture: str
    rules: Mapping[str, str]
    open_questions: Mapping[str, OpenQuestion]
    key: AnswerKey | None = None


@json_keys(optional=["rules", "depends_on"])
class QuizAnswer(NamedTuple):
    """An answer to the question of that id: the verdict, the rules that decide, and the open
    questions or hidden items on which it depends."""

    id: str
    verdict: VerdictWord
    rules: tuple[str, ...] = ()
    depends_on: tuple[str, ...] = ()


KINDS: Mapping[str, type] = {"line": QuizLine, "answer": QuizAnswer}


def schema(name: str) -> Schema:
    """The JSON Schema of a line of a quiz, or of an answer."""
    writer = AnswerSchema()
    drawn = writer.record(KINDS[name])
    title = {"line": "A line of a quiz", "answer": "An answer to a line of a quiz"}[name]
    return {"$schema": DRAFT, "title": title, **drawn, "$defs": dict(sorted(writer.shared.items()))}


def written(record: QuizLine | QuizAnswer) -> str:
    """A record as a line of JSON."""
    return json.dumps(encode(record), ensure_ascii=False) + "\n"


def load(path: str) -> tuple[QuizLine, ...]:
    """The lines of a quiz. Raises: InputError with every fault, each at its line."""
    lines: dict[str, QuizLine] = {}
    faults = []
    for place, text in texts_of(path):
        try:
            line = parse(QuizLine, text)
            if line.id in lines:
                raise InputError(f"the id {clipped(line.id)} is given twice")
            lines[line.id] = line
        except InputError as error:
            faults.append(Fault(error.faults[0].message, place))
    if faults or not lines:
        raise InputError(faults or Fault("no line of a quiz", Place(yamlio.name_of(path))))
    return tuple(lines.values())


def texts_of(path: str) -> Iterator[tuple[Place, str]]:
    """The lines of a file that are not empty, each with its place. Raises: InputError."""
    text, name = yamlio.read(path, yamlio.LIMITS.long_bytes)
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield Place(name, number, 1), line


def parse(kind: type, text: str) -> Any:
    """The record of a kind that a line of JSON has. Raises: InputError."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise InputError(f"not JSON: {clipped(text.strip())}") from None
    return value_of(kind, data, "the line")


def value_of(kind: Any, data: Any, at: str) -> Any:
    """The value of a type that JSON has, where *at* names the place of it. Raises: InputError."""
    origin, inner = get_origin(kind) or kind, get_args(kind)
    if origin is UnionType:
        return None if data is None else value_of(inner[0], data, at)
    if origin is Literal:
        if data in inner:
            return data
        raise InputError(f"{at} is {' or '.join(map(repr, inner))}, not {clipped(str(data))}")
    fields = fields_of(origin)
    form = Mapping if fields else origin
    fitting: Any = {tuple: list, Mapping: dict}.get(form, form)
    if not isinstance(data, fitting):
        raise InputError(f"{at} is {NAMES[form]}, not {clipped(str(data))}")
    if fields:
        for name in fields:
            if name not in data and name not in origin._field_defaults:
                raise InputError(
                    f"{at} lacks the key {name!r}{nearest(name, data) if data else ''}"
                )
        kinds = {name: field_type(origin, name) for name in fields if name in data}
        return origin(**{name: value_of(kinds[name], data[name], repr(name)) for name in kinds})
    if form is tuple:
        return tuple(value_of(inner[0], item, f"an item of {at}") for item in data)
    if form is Mapping:
        return {key: value_of(inner[1], item, f"{at} of {key!r}") for key, item in data.items()}
    return data
