"""Help: a sentence, and an example that works."""

import re
import shlex
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import click
import pytest

from pymorph.cli import app
from tests.conftest import Run
from tests.tables import tables

EXAMPLE = re.compile(r"^  Example:\n((?:    .+\n)+)", re.MULTILINE)

# The exit codes of examples, where they are not 0, by verb.
EXPECTED = {"adjudicate": 3, "why": 1}


# What an import prints on standard error, first: how much it is.
IMPORTED = re.compile(r"\d+ (pieces of terrain; |figures\n)")


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
    *before, last = [line.split() for line in examples(out)]
    assert last[: len(words) + 1] == ["pymorph", *words]
    assert {line[1] for line in before} <= {"new-ruleset", "new-position", "book", words[0]}


# The verbs that serve until nothing more comes in, with how they end; some need an extra. The table
# is served until somebody ends it.
SERVING = {"mcp": ((0, ""), (2, "")), "serve": ((0, ""),), "table": ((2, ""),)}


@pytest.mark.parametrize("verb", sorted(VERBS))
def test_example_of_a_verb(
    verb: str, tmp_path: Path, pymorph: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lines of an example run in an empty folder: each names what ships or what it made."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYMORPH_BOOK", "precedents")
    *before, line = examples(pymorph(*verb.split(), "--help")[1])
    for each in before if verb not in SERVING else ():
        code, _, err = pymorph(*shlex.split(each)[1:])
        assert (code, err) == (0, "")
    if verb in SERVING:
        command = [sys.executable, "-m", *shlex.split(line)]
        if verb == "table" and find_spec("starlette") is not None:
            pytest.skip("its own tests start it, and end it")
        ended = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        assert (ended.returncode, ended.stdout) in SERVING[verb]
        return
    code, out, err = pymorph(*shlex.split(line)[1:])
    assert code == EXPECTED.get(verb, 0)
    assert IMPORTED.match(err) if verb.startswith("import") else not err
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
    assert codes == list(app.Exit)[:-1] == [0, 1, 2, 3, 130]


WITHOUT_JSON = {
    "book",
    "import",
    "completion",
    "mcp",
    "new-position",
    "new-ruleset",
    "quiz",
    "quiz ask",
    "quiz make",
    "quiz schema",
    "schema",
    "serve",
    "table",
}


def test_every_verb_has_json_and_the_common_options() -> None:
    for verb, command in VERBS.items():
        options = {name for param in command.params for name in param.opts}
        if verb not in WITHOUT_JSON:
            assert "--json" in options, verb
        about_rules = tables(__name__)["about_rules"]
        if verb == "book add" or verb.split()[0] not in about_rules:
            assert {"--reading", "--timeout", "--as"} <= options, verb
        for param in command.params:
            if isinstance(param, click.Option):
                assert param.help
                assert param.help.endswith((".", ")."))
