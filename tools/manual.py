"""The pages of docs/reference that are made from the code: commands, files, JSON, Python."""

from __future__ import annotations

import doctest
import inspect
import json
import re
import shutil
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click
import yaml

import pymorph
from pymorph import terms, yamlio
from pymorph.adjudication import case
from pymorph.asp import guard
from pymorph.board import drawing
from pymorph.board.lengths import length_units
from pymorph.cli import app
from pymorph.ruleset import scaffold, vocabulary
from pymorph.ruleset.cache import store
from pymorph.ruleset.loader import load
from pymorph.state import claim, test_case
from pymorph.state.files import reader
from pymorph.state.files.schema import schema
from tools.readme import ROOT, filled_in, output

MADE = "This page is made from the code, by `python -m tools.docs`.\n"
PAGES = ROOT / "tools" / "pages"


def text_of(name: str, **values: Any) -> str:
    """A text of `tools/pages` with *values* in its braces."""
    return (PAGES / f"{name}.md").read_text(encoding="utf-8").format(**values)


@cache
def lists(name: str) -> dict[str, Any]:
    """The lists that a page is made from, in `tools/pages`."""
    data: dict[str, Any] = yaml.safe_load((PAGES / f"{name}.yaml").read_text(encoding="utf-8"))
    return data


# -- commands --------------------------------------------------------------------------------------


def verbs(group: click.Group = app.cli, before: str = "") -> Iterator[tuple[str, click.Command]]:
    """Every verb with its command, those of a group after the group."""
    with click.Context(group) as context:
        for name in group.list_commands(context):
            command = group.get_command(context, name)
            assert command
            yield before + name, command
            if isinstance(command, click.Group):
                yield from verbs(command, f"{before}{name} ")


def commands() -> str:
    """The page of the command line: each verb with its help."""
    with TemporaryDirectory() as own:
        rows = [
            f"| [`{name}`](#{name.replace(' ', '-')}) | {first_sentence(command)} |"
            for name, command in verbs()
        ]
        parts = [
            text_of("commands", app=app, MADE=MADE),
            "\n".join(["| verb | meaning |", "|---|---|", *rows]) + "\n",
        ]
        for name, _ in verbs():
            text = output(f"pymorph {name} --help", ROOT, Path(own), 80)
            parts.append(f"{'##' if ' ' not in name else '###'} {name}\n\n```text\n{text}```\n")
    return "\n".join(parts)


def first_sentence(command: click.Command) -> str:
    """The first paragraph of a verb's help, in one line."""
    return " ".join((command.help or "").split("\n\n")[0].split())


# -- files -----------------------------------------------------------------------------------------


def keys_of(drawn: Any, defs: dict[str, Any], ways: str = "") -> Iterator[tuple[str, bool]]:
    """The keys that a schema names, with the way to each, and whether it is needed."""
    if not isinstance(drawn, dict):
        return
    for each in drawn.get("anyOf", ()):
        yield from keys_of(each, defs, ways)
    if isinstance(drawn.get("items"), dict):
        yield from keys_of(drawn["items"], defs, ways)
    for key, below in drawn.get("properties", {}).items():
        if key not in lists("files")["meanings"]:
            continue
        yield f"{ways}{key}", key in drawn.get("required", ())
        if key not in ("position", "rulings", "result", "expect", "at") or "items" in below:
            yield from keys_of(below, defs, f"{ways}{key}.")


def files() -> str:
    """The page of the files."""
    parts = []
    game = load("morphyry")
    for kind, says in lists("files")["kinds"].items():
        drawn = schema(game, kind)
        rows = ["| key | meaning |", "|---|---|"]
        for way, needed in dict(keys_of(drawn, drawn["$defs"])).items():
            name = way.split(".")[-1]
            meaning = lists("files")["meanings"][name] + (" (needed)" if needed else "")
            rows.append(f"| `{way}` | {meaning} |")
        parts.append(f"## A {kind}\n\n{says}\n\n".replace("## A rulings", "## House rulings"))
        parts.append("\n".join(rows) + "\n\n")
        if kind == "position":
            parts.append("".join(position_keys()))
    text = filled_in(
        (PAGES / "files.md").read_text(encoding="utf-8"),
        schema=parts,
        expectations=expectations(),
        limits=[limits()],
    )
    return re.sub(r"\n{3,}", "\n\n", text)


def limits() -> str:
    """What may be at most in files, from the constants of their readers."""
    readers = (reader, drawing, length_units, yamlio, terms, claim, case, store)
    named = {module.__name__.rpartition(".")[2]: module for module in (*readers, vocabulary, guard)}
    return text_of("limits", **named)


def position_keys() -> Iterator[str]:
    """What may stand in a position of each game that ships, as `pymorph words` has it."""
    with TemporaryDirectory() as own:
        for name in ("morphyry", "actions_reactions"):
            words = output(f"pymorph words {name}", ROOT, Path(own))
            title, _, rest = words.partition("\n")
            (keys,) = re.findall(r"^keys of a position\n((?:  .*\n)+)", rest, re.MULTILINE)
            yield f"### Positions of {title}\n\nA word in CAPITALS means any name of its kind; "
            yield f"`pymorph words {name}` lists them. The default follows, then a description.\n\n"
            yield f"```text\n{inspect.cleandoc(keys)}\n```\n\n"


def expectations() -> Iterator[str]:
    """What a test case may expect, as the module that reads them lists it."""
    listed = re.sub(r"\n {20,}(?=\S)", " ", inspect.getdoc(test_case) or "")
    rows = re.findall(r"^    (\w+): (\S.*?)\s{2,}(\S.*)$", listed, re.MULTILINE)
    assert {key for key, _, _ in rows} >= set(test_case.ITEM.kinds) - {"expect"}
    for key, below, says in rows:
        yield f"| `{key}: {below}` | {says} |"


# -- JSON ------------------------------------------------------------------------------------------


def shapes() -> str:
    """The page of the JSON answers."""
    page = lists("json")
    with TemporaryDirectory() as folder, TemporaryDirectory() as own:
        here = Path(folder)
        shutil.copytree(ROOT / "examples", here / "examples")
        scaffold.write(str(here / "my_game"))
        shutil.copytree(here / "my_game", here / "my_other_game")
        edited = here / "my_other_game" / "encodings" / "play.lp"
        rules = edited.read_text(encoding="utf-8")
        edited.write_text(rules.replace("N > M", "N >= M") + page["unused"], encoding="utf-8")
        for name, text in page["written"].items():
            (here / name).write_text(text, encoding="utf-8")
        answers = {
            verb: [answer_of(one, here, Path(own)) for one in asked]
            for verb, asked in page["asked"].items()
        }
    shared = {name: [*parts_in(list(answers.values()), name)] for name in page["parts"]}
    return filled_in(
        (PAGES / "json.md").read_text(encoding="utf-8"),
        parts=(
            f"### {name}\n\n```text\n{drawn(rows, whole=True)}\n```\n"
            for name, rows in shared.items()
        ),
        answers=(f"### {verb}\n\n```text\n{drawn(rows)}\n```\n" for verb, rows in answers.items()),
    )


def part_of(row: Any) -> str:
    """The name of the shared part that *row* is, if it is one."""
    keys = set(row) if isinstance(row, dict) else set()
    parts = lists("json")["parts"].items()
    return next((name for name, needed in parts if keys.issuperset(needed)), "")


def parts_in(data: Any, name: str) -> Iterator[Any]:
    """Each part of that name in *data*."""
    below = data.values() if isinstance(data, dict) else data if isinstance(data, list) else ()
    if part_of(data) == name:
        yield data
    for each in below:
        yield from parts_in(each, name)


def answer_of(asked: str, folder: Path, own: Path) -> Any:
    """The JSON that a command prints, between what it says to people."""
    text = output(f"pymorph {asked} --json", folder, own)
    assert "{\n" in text, (asked, text)
    return json.loads(text[text.index("{\n") : text.rindex("}") + 1])


def drawn(values: Iterable[Any], indent: str = "", whole: bool = False) -> str:
    """The shape that some values have in common, in lines; a part by its name, unless *whole*."""
    rows = list(values)
    kinds: list[str] = []
    found = [row for row in rows if isinstance(row, dict)]
    names = set(map(part_of, found))
    if found and not whole and len(names) == 1 and "" not in names:
        kinds.append(names.pop().upper())
    elif found:
        keys = sorted({key for row in found for key in row})
        inner = indent + "  "
        lines = []
        for key in keys:
            having = [row[key] for row in found if key in row]
            mark = "" if len(having) == len(found) else "?"
            mapped = all(isinstance(one, dict) for one in having)
            below = "{...}" if key in lists("json")["open"] and mapped else drawn(having, inner)
            below = "[{...}, ...]" if key in lists("json")["open_lists"] else below
            lines.append(f"{inner}{key}{mark}: {below}")
        kinds.append("{\n" + "\n".join(lines) + f"\n{indent}}}" if lines else "{...}")
    listed = [row for row in rows if isinstance(row, list)]
    if listed:
        items = [item for row in listed for item in row]
        kinds.append(f"[{drawn(items, indent)}, ...]" if items else "[...]")
    for test, name in ((bool, "yes/no"), (int, "number"), (float, "number"), (str, "text")):
        if any(type(row) is test for row in rows) and name not in kinds:
            kinds.append(name)
    if any(row is None for row in rows):
        kinds.append("null")
    return " or ".join(kinds)


# -- Python ----------------------------------------------------------------------------------------


def python() -> str:
    """The page of the Python interface."""
    groups: dict[str, list[str]] = {"Questions": [], "Answers": [], "Values": [], "Errors": []}
    for name in sorted(pymorph.__all__, key=str.lower):
        thing = getattr(pymorph, name)
        if not inspect.isclass(thing):
            groups["Questions"].append(described(name, thing))
        elif issubclass(thing, Exception):
            bases = [base.__name__ for base in thing.__bases__ if base.__name__ in pymorph.__all__]
            head = f"{name}({', '.join(bases)})" if bases else name
            groups["Errors"].append(f"### {head}\n\n{paragraph(thing)}\n{example(thing)}")
        elif name in VALUES:
            groups["Values"].append(
                "\n".join(
                    [f"### {name}\n", f"{paragraph(thing)}\n{example(thing)}", *methods(thing)]
                )
            )
    groups["Answers"] = [
        "\n".join([f"### {name}\n", f"{whole(thing)}\n", *fields(thing), *methods(thing)])
        for name, thing in sorted(answers().items())
    ]
    parts = [text_of("python", MADE=MADE)]
    for title, entries in groups.items():
        parts += [
            f"## {title}\n",
            *([text_of("python_answers")] if title == "Answers" else []),
            *entries,
        ]
    return "\n".join(parts).rstrip() + "\n"


VALUES = {
    "Case",
    "Picture",
    "Position",
    "Record",
    "Ruleset",
    "Session",
    "Term",
}  # those have a section of their own


EXPLORED = ("States", "Moves", "Transitions", "ChanceNode", "Endings")  # of `dynamics_of`


def module_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


def answers() -> dict[str, type]:
    """The classes that the questions return, and those of what stands in them, by their names."""
    known = {
        name: thing
        for room in ("state", "dynamics", "questions", "explore", "adjudication")
        for path in sorted((ROOT / "pymorph" / room).rglob("[!_]*.py"))
        for name, thing in vars(import_module(module_of(path))).items()
        if inspect.isclass(thing) and thing.__module__.startswith("pymorph.")
    }
    questions = [getattr(pymorph, name) for name in pymorph.__all__]
    left = ["Fault", "Observation", *EXPLORED] + [
        name
        for one in questions
        if inspect.isfunction(one)
        for name in names_in(inspect.signature(one).return_annotation)
    ]
    found: dict[str, type] = {}
    while left:
        name = left.pop()
        if name in known and name not in found and name not in VALUES:
            found[name] = known[name]
            left += [each for _, kind in fields_of(known[name]) for each in names_in(kind)]
    return found


def names_in(annotation: str) -> list[str]:
    """The names of classes in an annotation."""
    return re.findall(r"\b[A-Z]\w+", annotation)


def fields_of(thing: type) -> list[tuple[str, str]]:
    """The public fields of a named tuple or a data class, each with its type as it is written."""
    names = getattr(thing, "_fields", None) or getattr(thing, "__dataclass_fields__", {})
    kinds = {
        key: getattr(kind, "__forward_arg__", kind) for key, kind in thing.__annotations__.items()
    }
    return [(name, str(kinds[name])) for name in names if not name.startswith("_")]


def fields(thing: type) -> Iterator[str]:
    """The fields of an answer, as its signature."""
    if rows := [f"{name}: {kind}" for name, kind in fields_of(thing)]:
        text = f"{thing.__name__}({', '.join(rows)})"
        if len(text) > 90:
            text = f"{thing.__name__}(\n" + "".join(f"    {row},\n" for row in rows) + ")"
        yield f"```python\n{text}\n```\n"


def whole(thing: Any) -> str:
    """A docstring of plain paragraphs, without what doctest would run."""
    text = (inspect.getdoc(thing) or "").partition("\n\n>>> ")[0]
    assert not doctest.DocTestParser().get_examples(text)
    return re.sub(r"(?<![\w*])\*(\w+)\*(?![\w*])", r"`\1`", text).replace("``", "`")


def described(name: str, thing: Any) -> str:
    """A function with its signature and what it says of itself."""
    return f"```python\n{signature(name, thing)}\n```\n\n{paragraph(thing)}\n{example(thing)}"


def example(thing: Any) -> str:
    """The example of a docstring, as a block; nothing, if it has none."""
    _, mark, lines = (inspect.getdoc(thing) or "").partition("\n\n>>> ")
    return f"\n```python\n>>> {lines}\n```\n" if mark else ""


class Written:
    """An annotation that is shown as it is written."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def signature(name: str, thing: Any) -> str:
    """The signature as it is written, in lines that are not too long."""
    found = inspect.signature(thing)
    rows = [one.replace(annotation=Written(one.annotation)) for one in found.parameters.values()]
    found = found.replace(parameters=rows, return_annotation=Written(found.return_annotation))
    text = f"{name}{found}"
    if len(text) <= 90:
        return text
    head, _, ends = text.rpartition(" -> ")
    inner = head[len(name) + 1 : -1]
    return f"{name}(\n" + "".join(f"    {row},\n" for row in split(inner)) + f") -> {ends}"


def split(text: str) -> list[str]:
    """The parts of *text* between commas that are in no brackets."""
    parts, depth = [""], 0
    for sign in text:
        depth += (sign in "([{") - (sign in ")]}")
        if sign == "," and not depth:
            parts.append("")
        else:
            parts[-1] += sign
    return [part.strip() for part in parts]


def paragraph(thing: Any) -> str:
    """The first paragraph of a docstring; what doctest would run is left out."""
    text = (inspect.getdoc(thing) or "").split("\n\n")[0]
    assert not doctest.DocTestParser().get_examples(text)
    return re.sub(r"(?<![\w*])\*(\w+)\*(?![\w*])", r"`\1`", " ".join(text.split())).replace(
        "``", "`"
    )


def methods(thing: type) -> Iterator[str]:
    """The public methods and properties that a class defines."""
    rows = []
    for name, raw in vars(thing).items():
        member = getattr(raw, "__func__", getattr(raw, "fget", getattr(raw, "func", raw)))
        if name.startswith("_") or not inspect.isfunction(member) or not member.__doc__:
            continue
        called = not isinstance(raw, property) and not hasattr(raw, "func")
        params = [p for p in inspect.signature(member).parameters if p not in ("self", "cls")]
        head = f"{name}({', '.join(params)})" if called else name
        rows.append(f"| `{head}` | {paragraph(member)} |".replace(" | None", " or None"))
    if rows:
        yield "| | |\n|---|---|\n" + "\n".join(rows) + "\n"
