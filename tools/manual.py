"""The pages of docs/reference that are made from the code: commands, files, JSON, Python."""

# ruff: noqa: E501  # the texts of the pages, a paragraph or a row of a table to a line

from __future__ import annotations

import doctest
import inspect
import json
import re
import shutil
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

import pymorph
from pymorph import terms, yamlio
from pymorph.adjudication import case
from pymorph.asp import guard
from pymorph.board import drawing
from pymorph.board.lengths import length_units
from pymorph.cli import app
from pymorph.ruleset import scaffold, vocabulary
from pymorph.ruleset.cache import sections
from pymorph.ruleset.loader import load
from pymorph.state import claim, test_case
from pymorph.state.files import reader, table
from pymorph.state.files.schema import schema
from tools.readme import ROOT, filled_in, output

MADE = "This page is made from the code, by `python -m tools.docs`.\n"


# -- commands --------------------------------------------------------------------------------------

COMMANDS = f"""\
# Commands

A verb is one question: `pymorph VERB FILE`. The answer goes to standard output. An error is one line on
standard error. {MADE}
FILE is a position or a record; of a record, the position at its end is used. `-` is standard input. You can
also write a position in one line. Most verbs share these options:

| option | meaning |
|---|---|
| `--json` | print the answer [as JSON](json.md) |
| `--reading QUESTION=OPTION` | answer an open question with this option |
| `--rulings FILE`, `--no-rulings` | [house rulings](../howto/disputes.md#house-rulings) |
| `--as NAME` | answer from what this player knows |
| `--timeout SECONDS` | stop after SECONDS |

`pymorph --version` prints the version, and `python -m pymorph` is the same as `pymorph`.
[Environment variables](environment.md) set where pymorph searches for files, and how wide the output is.

## Exit codes

| exit | meaning |
|---|---|
| {app.Exit.YES} | yes: legal, upheld, consistent, played by the rules, a plan found, counted, every property holds, done |
| {app.Exit.NO} | no: illegal, rejected, inapplicable, not a valid position, no plan, nothing to count. A changed verdict, a violated property, versions that differ, a map with pieces left out |
| {app.Exit.WRONG} | error: a file with errors, an unknown name; one line says what is wrong |
| {app.Exit.DEPENDS} | it depends on a reading or on hidden information, or the time limit was reached |
| {app.Exit.INTERRUPTED} | interrupted |
| {app.Exit.UNHEARD} | the reader of the output is closed |

## All verbs
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
        rows = [
            f"| [`{name}`](#{name.replace(' ', '-')}) | {first_sentence(command)} |"
            for name, command in verbs()
        ]
        parts = [COMMANDS, "\n".join(["| verb | meaning |", "|---|---|", *rows]) + "\n"]
        for name, _ in verbs():
            text = output(f"pymorph {name} --help", ROOT, Path(own), 80)
            parts.append(f"{'##' if ' ' not in name else '###'} {name}\n\n```text\n{text}```\n")
    return "\n".join(parts)


def first_sentence(command: click.Command) -> str:
    """The first paragraph of a verb's help, in one line."""
    return " ".join((command.help or "").split("\n\n")[0].split())


# -- files -----------------------------------------------------------------------------------------

FILES = ROOT / "tools" / "pages" / "files.md"
KINDS = {
    "position": "One moment of a game. These keys are the same in every game; the keys of two "
    "shipped games follow.",
    "record": "A position and the steps that were played from it.",
    "case": "A position, or the end of a record, and what each party claims about it.",
    "rulings": "What a table has decided; see [house rulings](../howto/disputes.md#house-rulings).",
}
EDITION = "of the ruleset: in a position or a case, the only edition that may answer; in a record, the edition of play"
MEANINGS = {
    "ruleset": "the name of the game, or the path of its folder; not needed if another key gives it",
    "board": "the board, drawn row by row, if files of the game draw it",
    "hexes": "the same for a [board of hexes](../games/hexes.md)",
    "table": "the table, if the game is played in lengths; see [a table in inches](../howto/tables.md)",
    "rulings": "in a position, record or case: `question: option`; in a file of rulings: a list of them",
    "unfinished": "if a roll is due: the actions that it interrupted, which [follow it](../howto/odds.md#an-action-that-a-roll-interrupts)",
    "version": EDITION,
    "hash": EDITION,
    "position": "a position, the name of its file, or a position in one line; in a case also a record",
    "result": "the final position, in one line and in quotes. If the players ended the game: who `wins` "
    "(one or more names) or `drawn: yes`, why (`by`, such as resignation), and if you want the `position`",
    "play": "the steps, in order",
    "id": "a name for the case",
    "title": "what it is about",
    "tells": "what it is an example of",
    "claims": "the claims",
    "at": "what must be true before the steps below it: values of fluents without arguments",
    "do": "the steps under this heading: an action, or `{action: [roll, ...]}` with its rolls",
    "by": "who makes the claim",
    "claim": "[the claim](../howto/disputes.md#what-can-be-claimed)",
    "after": "steps to carry out first",
    "within": "for `can` and `cannot`: how far to look, such as `2 turns`",
    "who": "for `can` and `cannot`: the player or side that pursues it",
    "against": "for `can` and `cannot`: how the others play",
    "rolls": "for `can` and `cannot`: how rolls come out",
    "expect": "the expected verdict, or one for each choice of options; `pymorph test` compares it",
    "question": "the question that is ruled on",
    "option": "the option that is chosen",
    "why": "the reason",
    "date": "the day, such as 2026-05-01",
    "source": "where it was decided",
    "decided": "in a precedent: what was decided, or by whom",
    "note": "in a precedent: a remark",
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
    parts = []
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
    text = filled_in(
        FILES.read_text(encoding="utf-8"),
        schema=parts,
        expectations=expectations(),
        limits=[LIMITS],
    )
    return re.sub(r"\n{3,}", "\n\n", text)


def position_keys() -> Iterator[str]:
    """What may stand in a position of each game that ships, as `pymorph words` has it."""
    with TemporaryDirectory() as own:
        for name in ("morphyry", "actions_reactions"):
            words = output(f"pymorph words {name}", ROOT, Path(own))
            title, _, rest = words.partition("\n")
            (keys,) = re.findall(r"^keys of a position\n((?:  .*\n)+)", rest, re.MULTILINE)
            yield f"### Positions of {title}\n\nA word in CAPITALS means any name of its kind; "
            yield f"`pymorph words {name}` lists them. The last column is the default.\n\n"
            yield f"```text\n{inspect.cleandoc(keys)}\n```\n\n"


LIMITS = f"""\
## Limits

Going over a limit is an error that names the limit and the place.

| what | at most |
|---|---|
| names under one heading of a position | {reader.MAX_LISTED}; a heading may be empty, `{{}}` |
| members of a list of a sort `list(S, N)` | {vocabulary.LIMITS.items} |
| letters of a name | {reader.MAX_NAME} |
| rows of a drawn board, and cells in a row | {drawing.MAX_SIZE} each; {drawing.MAX_LINE} characters in a line |
| a piece of terrain on a table | {table.MOST_POINTS:,} points; {table.MOST_TERRAIN} pieces |
| a length on a table | {length_units.FARTHEST:,} whole units |
| a YAML file | {yamlio.MAX_BYTES:,} bytes, {yamlio.MAX_NODES:,} values, {yamlio.MAX_DEPTH} levels |
| a file with what was played | {yamlio.LONG_BYTES:,} bytes, {yamlio.LONG_NODES:,} values |
| an action, a figure or a value, as text | {terms.MAX_LENGTH} characters, {terms.MAX_DEPTH} levels |
| parts of a claim | {claim.MAX_PARTS} |
| claims of a case | {case.MAX_CLAIMS} |
| files of a ruleset | {sections.LIMITS.files} |
| a file of rules | {yamlio.RULES_BYTES:,} bytes, {guard.LIMITS.statements:,} statements, {guard.LIMITS.statement:,} characters in each |
| a range such as `1..N` in the rules | {guard.LIMITS.range:,} numbers |
| a whole number in a file | {guard.LIMITS.digits} digits |

A name may be any word that is unique in its sort: a piece `w1` can be on a board with a square `w1`. Some
words are taken: the default values of fluents, `given`, `hidden`, and names under another heading. Members of
a union must differ from one another, and so must all who may act.

"""


def expectations() -> Iterator[str]:
    """What a test case may expect, as the module that reads them lists it."""
    listed = re.sub(r"\n {20,}(?=\S)", " ", inspect.getdoc(test_case) or "")
    rows = re.findall(r"^    (\w+): (\S.*?)\s{2,}(\S.*)$", listed, re.MULTILINE)
    assert {key for key, _, _ in rows} >= set(test_case.WORDS) - {"expect"}
    for key, below, says in rows:
        yield f"| `{key}: {below}` | {says} |"


# -- JSON ------------------------------------------------------------------------------------------

SHAPES = ROOT / "tools" / "pages" / "json.md"
# Mappings whose keys come from the game or from a file, and lists of such mappings.
OPEN = {
    "position", "rulings", "readings", "if", "expect", "choice", "choices", "given", "start",
    "under",
}  # fmt: skip
OPEN_LISTS = {"upheld", "rejected", "inapplicable"}
# Parts that several answers share, each known by some of its keys.
PARTS = {
    "figure": {"entries", "grounds", "value"},
    "change": {"fluent", "from", "to"},
    "event": {"event", "rule"},
    "roll": {"roll", "outcomes"},
    "reason": {"role", "rule"},
    "moment": {"step", "then", "ended"},
    "happening": {"event", "settled", "step"},
    "rule": {"id", "says", "waived"},
    "verdict": {"claim", "quantifier", "verdict"},
    "witness": {"action", "position", "readings"},
}
OVER = "'{ruleset: ./my_game, turn: bo, heap: 0, players: {anna: {}, bo: {}}}'"
DISPUTE = "examples/disputes/right_cross.yaml"
IN_TIME = (
    "--goal 'before(paid_off(baganal, block_and_evade), paid_off(lathana, overhead_blow))' "
    "--by baganal --against goes_on"
)
CLUB = "examples/disputes/club/rulings.yaml"
ASKED = {
    "legal": [
        "legal examples/positions/right_cross_1.yaml",
        "legal my_game/positions/start.yaml --all",
        "legal examples/positions/hidden_cover.yaml",
        "legal examples/positions/fate_pile.yaml",
        f"legal examples/positions/right_cross.yaml --rulings {CLUB}",
        f"legal {OVER}",
    ],
    "why": [
        'why examples/positions/right_cross.yaml "interrupt(baganal, block_and_evade)"',
        'why my_game/positions/start.yaml "take(anna, 5)"',
        'why examples/positions/hidden_cover.yaml "withdraw(baganal, main)"',
    ],
    "why --after --given --to": [
        'why examples/rulesets/diplomacy/positions/venice.yaml "moved(vie, tyr)"',
        'why examples/yard/round.yaml "miss(grub, bram)"',
        "why examples/yard/leaving.yaml miss --to 1",
        "why examples/duel/block.yaml blocks",
    ],
    "forecast": [
        "forecast examples/positions/right_cross.yaml",
        "forecast examples/positions/exhausted.yaml turns_to_payoff",
        "forecast examples/duel/block.yaml ward",
    ],
    "apply": [
        'apply examples/duel/last_blow.yaml "advance(lathana, 1)"',
        'apply examples/duel/spin.yaml "advance(lathana, 3)"',
        'apply my_game/positions/start.yaml "take(anna, 2)" "take(bo, 9)"',
        'apply examples/positions/spear_against_mail.yaml "advance(lathana, 3)" --given "roll_breakage(baganal, leather_jerkin, 6)"',
    ],
    "apply --odds": ['apply examples/duel/last_blow.yaml "advance(lathana, 1)" --odds'],
    "adjudicate": [
        f"adjudicate {DISPUTE}",
        f"adjudicate {DISPUTE} --rulings {CLUB}",
        "adjudicate examples/rulesets/connect_four/cases/too_late.yaml",
    ],
    "plan": [
        'plan my_game/positions/start.yaml --goal "wins(anna)"',
        'plan my_game/positions/start.yaml --goal "happens(emptied(anna))" --by anna',
        'plan my_game/positions/start.yaml --goal "before(emptied(bo), emptied(anna))" --by bo',
        f"plan examples/positions/block_in_time.yaml {IN_TIME}",
        f"plan examples/positions/block_too_late.yaml {IN_TIME} --within '2 turns'",
        "plan examples/rulesets/connect_four/positions/three.yaml --goal 'wins(red)' --by red",
    ],
    "count": [
        "count my_game/positions/start.yaml --depth 2 --positions",
        "count examples/positions/right_cross.yaml --depth 2 --of baganal --until turn --without interrupt",
    ],
    "count --every-reading": [
        "count my_game/positions/start.yaml --depth 3 --every-reading all",
    ],
    "simulate": [
        "simulate my_game/positions/start.yaml --games 100",
        "simulate examples/rulesets/othello/positions/start.yaml --games 2",
    ],
    "simulate --against": [
        "simulate my_game/positions/start.yaml --games 100 "
        "--against '{ruleset: ./my_game, turn: bo, heap: 9, players: {anna: {}, bo: {}}}'",
        "simulate examples/rulesets/connect_four/positions/start.yaml --games 100 "
        "--against examples/rulesets/connect_four/positions/three.yaml",
    ],
    "simulate --every-reading": [
        "simulate my_game/positions/start.yaml --games 100 --every-reading all",
    ],
    "replay": [
        "replay my_game/records/first.yaml",
        "replay illegal.yaml",
        "replay differs.yaml",
    ],
    "play": ["play my_game/positions/start.yaml"],
    "check": ["check examples/broken/too_much.yaml", "check my_game/positions/start.yaml"],
    "show": ["show examples/positions/right_cross.yaml"],
    "import uvtt": ["import uvtt my_map.uvtt examples/rulesets/standoff"],
    "import csv": ["import csv my_army.csv examples/rulesets/standoff --set side=red"],
    "measure": ["measure examples/rulesets/standoff/positions/start.yaml ann bea"],
    "show --sight --reach --threat --template --path": [
        "show examples/field/wall.yaml --sight dell hex --reach ada --threat foxes "
        "--template 'cone(hex, 6, 3, west)' --path 'move(ada, walk, f7)'",
    ],
    "sight": ["sight examples/field/wall.yaml", "sight examples/field/wall.yaml dell hex"],
    "book add": [f"book add {DISPUTE} --decided 'The club' --note 'By vote.'"],
    "book list": ["book list"],
    "book search": ["book search inertia"],
    "book show": ["book show right_cross"],
    "book recheck": ["book recheck"],
    "rules": ["rules mor_int_05", "rules my_game"],
    "questions": ["questions ./my_game", "questions ./my_game same_again"],
    "words": ["words ./my_game"],
    "rulesets": ["rulesets"],
    "test": ["test my_game"],
    "verify": ["verify my_other_game", "verify my_game --characters 3 --property conflict --all"],
    "diff": ["diff my_game my_other_game"],
}
UNUSED = """
forbidden(take(C, 99), S, heap_02) :- considered(take(C, 99), S), holds(heap, 13, S).
"""
MAPS = {
    "my_map.uvtt": """
{"format": 0.3, "image": "",
 "resolution": {"map_origin": {"x": 0, "y": 0}, "map_size": {"x": 10, "y": 8}, "pixels_per_grid": 70},
 "line_of_sight": [[{"x": 1, "y": 1}, {"x": 4.5, "y": 1}, {"x": 4.5, "y": 3}],
                   [{"x": 6, "y": 7}, {"x": 9, "y": 7}]]}
""",
    "my_army.csv": "name,count,base\nrifleman,2,25 mm\n",
}
WRITTEN = {
    **MAPS,
    "illegal.yaml": "{ruleset: ./my_game, version: '0.0.1', position: my_game/positions/start.yaml, "
    "play: [{do: ['take(anna, 2)', 'take(bo, 9)']}]}",
    "differs.yaml": "{ruleset: ./my_game, position: my_game/positions/start.yaml, "
    "result: '{ruleset: ./my_game, turn: bo, heap: 7, last: 2, players: {anna: {}, bo: {}}}', "
    "play: [{do: ['take(anna, 2)']}]}",
    "my_game/cases/wrong.yaml": "{ruleset: .., position: ../positions/start.yaml, "
    "claims: [{claim: 'legal(take(anna, 5))', expect: upheld}]}",
}


def shapes() -> str:
    """The page of the JSON answers."""
    with TemporaryDirectory() as folder, TemporaryDirectory() as own:
        here = Path(folder)
        shutil.copytree(ROOT / "examples", here / "examples")
        scaffold.write(str(here / "my_game"))
        shutil.copytree(here / "my_game", here / "my_other_game")
        edited = here / "my_other_game" / "encodings" / "play.lp"
        rules = edited.read_text(encoding="utf-8")
        edited.write_text(rules.replace("N > M", "N >= M") + UNUSED, encoding="utf-8")
        for name, text in WRITTEN.items():
            (here / name).write_text(text, encoding="utf-8")
        answers = {
            verb: [answer_of(one, here, Path(own)) for one in asked]
            for verb, asked in ASKED.items()
        }
    shared = {name: [*parts_in(list(answers.values()), name)] for name in PARTS}
    return filled_in(
        SHAPES.read_text(encoding="utf-8"),
        parts=(
            f"### {name}\n\n```text\n{drawn(rows, whole=True)}\n```\n"
            for name, rows in shared.items()
        ),
        answers=(f"### {verb}\n\n```text\n{drawn(rows)}\n```\n" for verb, rows in answers.items()),
    )


def part_of(row: Any) -> str:
    """The name of the shared part that *row* is, if it is one."""
    keys = set(row) if isinstance(row, dict) else set()
    return next((name for name, needed in PARTS.items() if needed <= keys), "")


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
            below = "{...}" if key in OPEN and mapped else drawn(having, inner)
            below = "[{...}, ...]" if key in OPEN_LISTS else below
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

`import pymorph` gives you these names; programs can rely on them. [From Python](../howto/python.md) shows how
to use them. {MADE}
In the signatures, `Dice` is a function that chooses an outcome of a roll, such as the one that `seeded` returns.
`OnClaim`, `OnStep` and `Told` are functions that pymorph calls during the work, with the results so far.
"""


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
            groups["Errors"].append(f"- `{head}`: {paragraph(thing)}")
        elif name in VALUES:
            groups["Values"].append(
                "\n".join([f"### {name}\n", f"{paragraph(thing)}\n", *methods(thing)])
            )
    groups["Answers"] = [
        "\n".join([f"### {name}\n", f"{whole(thing)}\n", *fields(thing), *methods(thing)])
        for name, thing in sorted(answers().items())
    ]
    parts = [PYTHON]
    for title, entries in groups.items():
        parts += [f"## {title}\n", *([ANSWERS] if title == "Answers" else []), *entries]
    return "\n".join(parts).rstrip() + "\n"


ANSWERS = """\
These classes are what the questions return, each with its fields. Answers are immutable. Their method `json()`
gives what [`--json`](json.md) prints. `Fault` is the type of the items in `faults` of an error.
"""


VALUES = {
    "Case",
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
    left = ["Fault", *EXPLORED] + [
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
    """A docstring of plain paragraphs."""
    text = inspect.getdoc(thing) or ""
    assert not doctest.DocTestParser().get_examples(text)
    return re.sub(r"(?<![\w*])\*(\w+)\*(?![\w*])", r"`\1`", text).replace("``", "`")


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
