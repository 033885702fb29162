"""Help: a sentence, and an example that works."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from pymorph.cli import app
from tests import manual
from tests.conftest import EXAMPLES

Run = Callable[..., tuple[int, str, str]]
EXAMPLE = re.compile(r"^  Example:\n((?:    .+\n)+)", re.MULTILINE)

STANDOFF = EXAMPLES / "rulesets" / "standoff"
TABLE = """
ruleset: {}
turn: red
table: {{size: [24, 24]}}
figures: {{anna: {{side: red, at: [6, 5], base: 25 mm}}, bo: {{side: blue, at: [9, 9], base: 1}}}}
"""
# The exit code of each verb's example, by its verb.
EXPECTED = {
    "adjudicate": 3,
    "apply": 0,
    "book": 0,
    "book add": 0,
    "book list": 0,
    "book recheck": 0,
    "book search": 0,
    "book show": 0,
    "check": 0,
    "completion": 0,
    "count": 0,
    "diff": 0,
    "forecast": 0,
    "import": 0,
    "import csv": 0,
    "import ros": 0,
    "import tiled": 0,
    "import uvtt": 0,
    "legal": 0,
    "measure": 0,
    "new-position": 0,
    "new-ruleset": 0,
    "plan": 0,
    "play": 0,
    "questions": 0,
    "replay": 0,
    "rules": 0,
    "rulesets": 0,
    "schema": 0,
    "show": 0,
    "sight": 0,
    "simulate": 0,
    "test": 0,
    "verify": 0,
    "why": 1,
    "words": 0,
}


# What the game of the examples says of sight; it has none of its own.
SIGHTED = """
finding(sight, (player, player)).
sight_finding(sight, clear).
finding(sight(C, D), clear, S, heap_01) :- surveying(S), present(C, S), present(D, S), C != D.
"""


# What is told besides, where something is taken over from another program.
TOLD = {
    "import": "2 pieces of terrain; no point moved\n",
    "import csv": "2 figures\nstill missing: at\n",
    "import ros": "2 figures\nstill missing: at, base\n",
    "import tiled": "2 pieces of terrain; no point moved\n",
    "import uvtt": "2 pieces of terrain; no point moved\n",
}


# Each verb, those of a group after its name, and its command.
VERBS = {name: app.cli.get_command(click.Context(app.cli), name) for name in app.VERBS}
for name, group in list(VERBS.items()):
    if isinstance(group, click.Group):
        VERBS |= {f"{name} {verb}": command for verb, command in group.commands.items()}


def examples(text: str) -> list[str]:
    return [line.strip() for found in EXAMPLE.findall(text) for line in found.splitlines()]


@pytest.mark.parametrize("verb", sorted(VERBS))
def test_help_of_a_verb(verb: str, my_game: Path, pymorph: Run) -> None:
    words = verb.split()
    code, out, err = pymorph(*words, "--help")
    assert (code, err) == (0, "")
    assert out.startswith(f"Usage: pymorph {verb} ")
    paragraphs = out.split("\n\n")
    sentence = " ".join(paragraphs[1].split())
    assert re.fullmatch(r"[A-Z][^.?]*[.?]( [A-Z][^.?]*[.])?", sentence)
    assert max(map(len, out.splitlines())) <= 80
    assert pymorph(*words, "-h")[1] == pymorph("help", *words)[1] == out
    found = [line.split()[: len(words) + 1] for line in examples(out)]
    assert found == [["pymorph", *words]]


@pytest.mark.parametrize("verb", sorted(VERBS))
def test_example_of_a_verb(
    verb: str, my_game: Path, pymorph: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    [line] = examples(pymorph(*verb.split(), "--help")[1])
    if verb == "new-ruleset":
        my_game.rename("another")
    if verb == "sight":
        rules = my_game / "rules" / "game.lp"
        rules.write_text(rules.read_text() + SIGHTED)
    if verb == "diff":
        shutil.copytree(my_game, "my_other_game")
    if verb.startswith("import"):
        shutil.copytree(STANDOFF, "my_skirmish")
        for name, text in manual.MAPS.items():
            Path(name).write_text(text, encoding="utf-8")
    if verb == "measure":
        Path("my_table.yaml").write_text(TABLE.format(STANDOFF), encoding="utf-8")
    if verb.startswith("book"):
        monkeypatch.setenv("PYMORPH_BOOK", "precedents")
        pymorph("book", "add", my_game / "cases" / "last.yaml")
    code, out, err = pymorph(*shlex.split(line)[1:])
    assert (code, err) == (EXPECTED[verb], TOLD.get(verb, ""))
    assert out


def test_help_of_the_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pymorph: Run) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = pymorph("--help")
    assert (code, err) == (0, "")
    assert pymorph() == pymorph("-h") == pymorph("help") == (0, out, "")
    for line in examples(out):
        code, printed, err = pymorph(*shlex.split(line)[1:])
        assert (code, err) == (0, "")
        assert printed
    for verb in app.VERBS:
        assert re.search(rf"^  {verb} ", out, re.MULTILINE)


def test_exit_codes_in_the_help(pymorph: Run) -> None:
    _, out, _ = pymorph("--help")
    codes = [int(code) for code in re.findall(r"^    (\d+) ", out, re.MULTILINE)]
    assert codes == [app.YES, app.NO, app.WRONG, app.DEPENDS, app.STOPPED] == [0, 1, 2, 3, 130]


def test_every_verb_has_json_and_the_common_options() -> None:
    for verb, command in VERBS.items():
        options = {name for param in command.params for name in param.opts}
        if verb not in ("book", "import", "completion", "new-position", "new-ruleset", "schema"):
            assert "--json" in options, verb
        about_rules = (
            "book",
            "completion",
            "diff",
            "import",
            "new-position",
            "new-ruleset",
            "questions",
            "rules",
            "rulesets",
            "schema",
            "test",
            "verify",
            "words",
        )
        if verb == "book add" or verb.split()[0] not in about_rules:
            assert {"--reading", "--timeout", "--as"} <= options, verb
        for param in command.params:
            if isinstance(param, click.Option):
                assert param.help
                assert param.help.endswith((".", ")."))
