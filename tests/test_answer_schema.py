"""JSON Schema of answers and errors: all that pages and transcripts print with --json fits it."""

import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pymorph.cli import answer_schema
from pymorph.errors import Fault, clipped, nearest
from tests.conftest import ROOT
from tests.tables import parametrized

jsonschema = pytest.importorskip("jsonschema")

ASKED = re.compile(r"^\$ pymorph (.* --json.*)\n((?:(?!\$ |```).*\n)*)", re.MULTILINE)
VARYING = (('"compiled": <varies>', '"compiled": true'), ('"why_not": <varies>', '"why_not": ""'))
PAGES = ("README.md", "docs/**/*.md", "examples/**/*.md", "tests/transcripts/*.md")


def printed() -> Iterator[tuple[str, Any]]:
    """Each command with --json of a page or a transcript, and the JSON that it prints."""
    for path in (path for pattern in PAGES for path in sorted(ROOT.glob(pattern))):
        for match in ASKED.finditer(path.read_text(encoding="utf-8")):
            text = match[2]
            for old, new in VARYING:
                text = text.replace(old, new)
            if "{\n" in text:
                yield match[1], json.loads(text[text.index("{\n") : text.rindex("}") + 1])


@cache
def validator(name: str) -> Any:
    """What accepts the answers of a verb that have no other keys than its schema."""
    return jsonschema.Draft202012Validator(closed(answer_schema.schema(name)))


def closed(drawn: Any) -> Any:
    """A schema in which objects have no keys but those that it lists."""
    if isinstance(drawn, list):
        return [closed(part) for part in drawn]
    if not isinstance(drawn, dict):
        return drawn
    more = {"additionalProperties": False} if {"properties", "required"} <= drawn.keys() else {}
    return more | {key: closed(part) for key, part in drawn.items()}


def name_of(command: str, answer: Any) -> str:
    """The name of the schema of an answer."""
    words = command.split()
    verb = " ".join(words[:2]) if words[0] in ("book", "import") else words[0]
    return answer_schema.ERROR if isinstance(answer.get("code"), int) else verb


def test_what_is_printed_fits() -> None:
    answers = list(printed())
    assert len(answers) > 70
    assert [
        f"{command}: {error.json_path}: {error.message}"
        for command, answer in answers
        for error in validator(name_of(command, answer)).iter_errors(answer)
    ] == []


def test_every_schema(pymorph: Callable[..., tuple[int, str, str]]) -> None:
    code, out, err = pymorph("schema", "--of", "answer")
    assert (code, err) == (0, "")
    assert {"legal", "book add", "import uvtt", "verify", "error"} <= set(out.splitlines())
    for name in out.splitlines():
        code, out, err = pymorph("schema", name, "--of", "answer")
        assert (code, err) == (0, "")
        drawn = json.loads(out)
        jsonschema.Draft202012Validator.check_schema(drawn)
        assert drawn["$id"] == f"urn:pymorph:answers:1:{name.replace(' ', '-')}"


def test_other_answers_do_not_fit() -> None:
    command, answer = next(pair for pair in printed() if pair[0].startswith("legal"))
    assert validator(name_of(command, answer)).is_valid(answer)
    for wrong in ({"actions": 3}, {"odd": 1}):
        assert not validator("legal").is_valid({**answer, **wrong})
    assert not validator("legal").is_valid({k: v for k, v in answer.items() if k != "actions"})


def test_unknown_answer(pymorph: Callable[..., tuple[int, str, str]]) -> None:
    code, out, err = pymorph("schema", "legall", "--of", "answer")
    assert (code, out) == (2, "")
    assert err == "pymorph: unknown answer 'legall'; did you mean 'legal'?\n"
    assert pymorph("schema")[2].startswith("pymorph: missing argument RULESET")


@parametrized
def test_error(
    words: list[str],
    known: dict[str, Any],
    pymorph: Callable[..., tuple[int, str, str]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With --json an error is JSON too; standard error and the exit code are the same without."""
    monkeypatch.chdir(ROOT)
    code, out, err = pymorph(*words, "--json")
    answer = json.loads(out)
    assert answer.items() >= known.items()
    assert list(validator(answer_schema.ERROR).iter_errors(answer)) == []
    assert pymorph(*words) == (code, "", err)


@pytest.mark.parametrize("verb", ["adjudicate", "check"])
def test_errors_beside_answers(
    verb: str,
    pymorph: Callable[..., tuple[int, str, str]],
    my_game: Path,
) -> None:
    """What cannot be read of several files is told beside the answers about the others."""
    good = {"adjudicate": "my_game/cases/last.yaml", "check": "my_game/positions/start.yaml"}[verb]
    code, out, err = pymorph(verb, "missing.yaml", good, "--json")
    answer = json.loads(out)
    assert (code, len(answer["errors"])) == (2, 1)
    assert answer["errors"][0].items() >= {"code": 2, "file": "missing.yaml"}.items()
    assert len(answer.get("cases") or answer["files"]) == 1
    assert err.startswith("missing.yaml: cannot be read")
    assert list(validator(verb).iter_errors(answer)) == []


def test_errors_of_tests(pymorph: Callable[..., tuple[int, str, str]], my_game: Path) -> None:
    """A file of a game that cannot be read is an error as an object, too."""
    Path("my_game/positions/bad.yaml").write_text("{ruleset: .., heap: nine}", encoding="utf-8")
    code, out, _ = pymorph("test", "my_game", "--json")
    answer = json.loads(out)
    assert (code, answer["scope"]["checked"]) == (1, {"what": "files", "number": 5, "readings": 1})
    assert [Path(error["file"]).name for error in answer["errors"]] == ["bad.yaml"]
    assert list(validator("test").iter_errors(answer)) == []


def scope(pymorph: Callable[..., tuple[int, str, str]], *words: str) -> Any:
    """The scope of an answer."""
    answer = json.loads(pymorph(*words, "--json")[1])
    assert list(validator(words[0]).iter_errors(answer)) == []
    return answer["scope"]


def test_scope(
    pymorph: Callable[..., tuple[int, str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was checked, what was assumed and by what, and what may be given next."""
    monkeypatch.chdir(ROOT)
    hidden = "examples/positions/hidden_cover.yaml"
    given = ("--reading", "avatar_end=corpus_at_0")
    told = scope(pymorph, "why", hidden, "withdraw(baganal, main)", *given)
    by = {each["question"]: each["by"] for each in told["assumed"]["readings"]}
    assert told["assumed"]["hidden"] == ["cover(baganal, main)"]
    assert (by["avatar_end"], by["cover_withdrawal"]) == ("given", "default")
    assert told["checked"].items() >= {"what": "actions", "number": 1}.items()
    assert told["checked"]["readings"] > 1
    assert "characters.CHARACTER.dead" in told["assumed"]["defaults"]
    assert told["missing"] == []


def test_scope_has_what_play_waits_for(
    pymorph: Callable[..., tuple[int, str, str]], my_game: Path
) -> None:
    start = "my_game/positions/start.yaml"
    told = scope(pymorph, "legal", start)
    assert told["checked"] == {"what": "actors", "number": 2, "readings": 1}
    assert told["assumed"]["defaults"] == ["last"]
    assert scope(pymorph, "legal", start, "--actor", "anna")["checked"]["number"] == 1
    after = "{ruleset: ./my_game, turn: bo, heap: 9, last: 2, players: {anna: {}, bo: {}}}"
    assert scope(pymorph, "legal", after)["assumed"]["defaults"] == []


def test_scope_of_a_roll(
    pymorph: Callable[..., tuple[int, str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    position = "examples/positions/spear_against_mail.yaml"
    told = scope(pymorph, "apply", position, "advance(lathana, 3)")
    rolls = [each["form"] for each in told["missing"] if each["kind"] == "roll"]
    assert rolls == ["roll_breakage(chance, baganal, leather_jerkin, 1..10)"]


def test_parts_of_a_message() -> None:
    """What was found, and what was expected, are read back from the message."""
    names = ["advance", "right cross's", 'a "b"']
    for name in ("advanse", "right crosss", 'o\'neil "x"', "zz"):
        fault = Fault(f"unknown phase {clipped(name)}{nearest(name, names)}")
        assert fault.found == name
        assert bool(fault.nearest) != bool(fault.expected)
        assert set(fault.nearest) <= set(names)
    assert Fault("found 'x' for turn; expected anna").expected == "anna"
    assert Fault("nested too deeply").found == Fault("nested too deeply").expected == ""
