"""The pages of docs/reference that are made from the code: commands, files, JSON, Python."""

# ruff: noqa: E501  # the texts of the pages, a paragraph or a row of a table to a line

from __future__ import annotations

import doctest
import inspect
import json
import re
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

import pymorph
from pymorph.cli import app
from pymorph.ruleset import scaffold
from pymorph.ruleset.loader import load
from pymorph.state.schema import schema
from tests.readme import ROOT, output

MADE = "This page is made from the code, by `python -m tests.docs`.\n"


# -- commands --------------------------------------------------------------------------------------

COMMANDS = f"""\
# Commands

A verb is one question: `pymorph VERB FILE`. The answer goes to standard output, and an error is one line
on standard error. {MADE}
FILE is a position or a record; a record stands for the position at its end. `-` is standard input, and a
position may be written in one line. Most verbs share these options:

| option | meaning |
|---|---|
| `--json` | the same answer [as JSON](json.md) |
| `--reading QUESTION=OPTION` | read a doubtful rule in this way |
| `--rulings FILE`, `--no-rulings` | [house rulings](../guide/rulings.md) |
| `--as NAME` | answer from what this player knows |
| `--timeout SECONDS` | give up after so long |

## Exit codes

| exit | meaning |
|---|---|
| {app.YES} | yes: legal, upheld, consistent, played by the rules, a plan found, counted, every property holds, done |
| {app.NO} | no: illegal, rejected, inapplicable, inconsistent, no plan, nothing to count, a verdict that changed, a property violated, versions that differ |
| {app.WRONG} | the question itself is wrong: a bad file, an unknown name; one clear line says what |
| {app.DEPENDS} | it depends: on a reading, on something hidden, or on what could not be settled in time |
| {app.STOPPED} | interrupted |
| {app.UNHEARD} | nobody reads the output any more |
"""


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
        parts = [COMMANDS]
        for name, _ in verbs():
            text = output(f"pymorph {name} --help", ROOT, Path(own), 80)
            parts.append(f"{'##' if ' ' not in name else '###'} {name}\n\n```text\n{text}```\n")
    return "\n".join(parts)


# -- files -----------------------------------------------------------------------------------------

FILES = f"""\
# Files

Positions, records, cases and house rulings are YAML. The keys below are taken from the JSON Schema of the
shipped games (`pymorph schema RULESET --of KIND`). {MADE}
What is left out has its default; unknown keys are refused, with the nearest valid one.
"""
KINDS = {
    "position": "One moment of a game. These keys are the same in every game; below them stand those of "
    "each game that ships.",
    "record": "A position and what was played from it.",
    "case": "A position, or the end of a record, and what each party claims of it.",
    "rulings": "What a table has decided; see [house rulings](../guide/rulings.md).",
}
MEANINGS = {
    "ruleset": "the name of the game, or the path of its folder; not needed where another key has it",
    "board": "the board, drawn row by row, if the game has one that files draw",
    "rulings": "in a position, record or case: `question: option`; in a file of rulings: a list of them",
    "version": "of the ruleset: in a position or case the one it is for, in a record the one it was played under",
    "hash": "of the ruleset: in a position or case the one it is for, in a record the one it was played under",
    "position": "a position, the name of its file, or a position in one line; in a case a record, too",
    "result": "the position that it came to",
    "play": "the steps, one after the other",
    "id": "a name for the case",
    "title": "what it is about",
    "tells": "what it is an example of",
    "claims": "what is claimed",
    "at": "what has to hold before the steps below it: values of fluents without arguments",
    "do": "the steps under this heading: an action, or `{action: [roll, ...]}` with the rolls it needed",
    "by": "who claims it",
    "claim": "[the claim](../guide/disputes.md#what-can-be-claimed)",
    "after": "steps to carry out first",
    "within": "for `can` and `cannot`: how far to look, such as `2 turns`",
    "who": "for `can` and `cannot`: whose side brings it about",
    "against": "for `can` and `cannot`: how the others play",
    "rolls": "for `can` and `cannot`: what is assumed of rolls",
    "expect": "the verdict it ought to have, or one for each choice of options; `pymorph test` compares",
    "question": "which question is ruled on",
    "option": "which of its options is chosen",
    "why": "the reason",
    "date": "when, as 2026-05-01",
    "source": "where it was decided",
    "decided": "in a precedent: what was decided, or by whom",
    "note": "in a precedent: a word on it",
    "rules": "in a precedent: the rules that the verdicts cite",
}


def keys_of(drawn: Any, defs: dict[str, Any], ways: str = "") -> Iterator[tuple[str, bool]]:
    """The keys that a schema names, with the way to each, and whether it is needed."""
    if not isinstance(drawn, dict):
        return
    for each in drawn.get("anyOf", ()):
        yield from keys_of(each, defs, ways)
    if isinstance(drawn.get("items"), dict):
        yield from keys_of(drawn["items"], defs, ways)
    for key, below in drawn.get("properties", {}).items():
        if key not in MEANINGS:
            continue
        yield f"{ways}{key}", key in drawn.get("required", ())
        if key not in ("position", "rulings", "result", "expect", "at") or "items" in below:
            yield from keys_of(below, defs, f"{ways}{key}.")


def files() -> str:
    """The page of the files."""
    parts = [FILES]
    game = load("morphyry")
    for kind, says in KINDS.items():
        drawn = schema(game, kind)
        rows = ["| key | meaning |", "|---|---|"]
        for way, needed in dict(keys_of(drawn, drawn["$defs"])).items():
            name = way.split(".")[-1]
            meaning = MEANINGS[name] + (" (needed)" if needed else "")
            rows.append(f"| `{way}` | {meaning} |")
        parts.append(f"## A {kind}\n\n{says}\n\n".replace("## A rulings", "## House rulings"))
        parts.append("\n".join(rows) + "\n\n")
        if kind == "position":
            parts.append("".join(position_keys()))
    parts.append(OTHERS)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(parts)).rstrip() + "\n"


def position_keys() -> Iterator[str]:
    """What may stand in a position of each game that ships, as `pymorph words` has it."""
    with TemporaryDirectory() as own:
        for name in ("morphyry", "actions_reactions"):
            words = output(f"pymorph words {name}", ROOT, Path(own))
            title, _, rest = words.partition("\n")
            (keys,) = re.findall(r"^keys of a position\n((?:  .*\n)+)", rest, re.MULTILINE)
            yield f"### Positions of {title}\n\nA word in CAPITALS stands for any name of its kind; "
            yield f"`pymorph words {name}` lists them. The last column is the default.\n\n"
            yield f"```text\n{inspect.cleandoc(keys)}\n```\n\n"


OTHERS = """\
## Others

| file | what it is |
|---|---|
| `rulings.yaml` | house rulings, found beside the file that is asked about |
| `known.txt` | positions of a ruleset, one to a line, that `verify` tries besides |
| `*.lp` | the facts and rules of a ruleset; see [the rule language](vocabulary.md) |
"""


# -- JSON ------------------------------------------------------------------------------------------

SHAPES = f"""\
# JSON

`--json` gives the same answer as the text, with sorted keys. The shapes below are those of real
answers: `text`, `number` and `yes/no` stand for values, `...` for a list of more like it, `?` after a key
for one that is not always there, `{{...}}` for a mapping whose keys come from the game. More keys may be
added; these stay. {MADE}"""
OPEN = {"position", "rulings", "readings", "if", "expect", "choice", "given", "start", "after"}
ASKED = {
    "legal": [
        "legal examples/positions/right_cross_1.yaml --all",
        "legal my_game/positions/start.yaml",
    ],
    "why": [
        'why examples/positions/right_cross.yaml "interrupt(baganal, block_and_evade)"',
        'why my_game/positions/start.yaml "take(anna, 5)"',
    ],
    "forecast": ["forecast examples/positions/right_cross.yaml"],
    "apply": [
        'apply examples/duel/last_blow.yaml "advance(lathana, 1)"',
        'apply my_game/positions/start.yaml "take(anna, 2)"',
    ],
    "apply --odds": ['apply examples/duel/last_blow.yaml "advance(lathana, 1)" --odds'],
    "adjudicate": ["adjudicate examples/disputes/right_cross.yaml"],
    "plan": ['plan my_game/positions/start.yaml --goal "happens(won(anna))"'],
    "count": ["count my_game/positions/start.yaml --depth 2 --positions"],
    "replay": ["replay my_game/records/first.yaml"],
    "check": ["check examples/broken/too_much.yaml", "check my_game/positions/start.yaml"],
    "show": ["show examples/positions/right_cross.yaml"],
    "rules": ["rules mor_int_05", "rules my_game"],
    "questions": ["questions ./my_game"],
    "words": ["words ./my_game"],
    "rulesets": ["rulesets"],
    "test": ["test my_game"],
    "verify": ["verify my_game", "verify my_game --characters 3 --property conflict"],
    "diff": ["diff my_game my_other_game"],
}


def shapes() -> str:
    """The page of the JSON answers."""
    parts = [SHAPES]
    with TemporaryDirectory() as folder, TemporaryDirectory() as own:
        here = Path(folder)
        shutil.copytree(ROOT / "examples", here / "examples")
        scaffold.write(str(here / "my_game"))
        shutil.copytree(here / "my_game", here / "my_other_game")
        edited = here / "my_other_game" / "encodings" / "play.lp"
        rules = edited.read_text(encoding="utf-8")
        edited.write_text(rules.replace("N > M", "N >= M"), encoding="utf-8")
        for verb, asked in ASKED.items():
            answers = [
                json.loads(output(f"pymorph {one} --json", here, Path(own))) for one in asked
            ]
            parts.append(f"## {verb}\n\n```text\n{drawn(answers)}\n```\n")
    return "\n".join(parts)


def drawn(values: Iterable[Any], indent: str = "") -> str:
    """The shape that some values have in common, in lines."""
    rows = list(values)
    kinds: list[str] = []
    found = [row for row in rows if isinstance(row, dict)]
    if found:
        keys = sorted({key for row in found for key in row})
        inner = indent + "  "
        lines = []
        for key in keys:
            having = [row[key] for row in found if key in row]
            mark = "" if len(having) == len(found) else "?"
            mapped = all(isinstance(one, dict) for one in having)
            below = "{...}" if key in OPEN and mapped else drawn(having, inner)
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

PYTHON = f"""\
# The Python interface

`import pymorph` has these names; they are what programs may rely on.
[From Python](../guide/python.md) shows them at work. {MADE}"""


def python() -> str:
    """The page of the Python interface."""
    groups: dict[str, list[str]] = {"Questions": [], "Values": [], "Errors": []}
    for name in sorted(pymorph.__all__, key=str.lower):
        thing = getattr(pymorph, name)
        if not inspect.isclass(thing):
            groups["Questions"].append(described(name, thing))
        elif issubclass(thing, Exception):
            bases = [base.__name__ for base in thing.__bases__ if base.__name__ in pymorph.__all__]
            head = f"{name}({', '.join(bases)})" if bases else name
            groups["Errors"].append(f"- `{head}`: {paragraph(thing)}")
        else:
            groups["Values"].append(
                "\n".join([f"### {name}\n", f"{paragraph(thing)}\n", *methods(thing)])
            )
    parts = [PYTHON]
    for title, entries in groups.items():
        parts += [f"## {title}\n", *entries]
    return "\n".join(parts).rstrip() + "\n"


def described(name: str, thing: Any) -> str:
    """A function with its signature and what it says of itself."""
    return f"```python\n{signature(name, thing)}\n```\n\n{paragraph(thing)}\n"


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
