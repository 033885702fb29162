"""JSON Schema of the files of a game: all that come along fit it, and what is broken does not."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from pymorph.ruleset import loader, locations
from pymorph.ruleset.catalogue import looked_up
from pymorph.state.files.schema import KINDS, schema
from pymorph.state.test_case import is_list
from tests.conftest import EXAMPLES, ROOT
from tests.tables import parametrized

jsonschema = pytest.importorskip("jsonschema")

TEMPLATE = ROOT / "pymorph" / "ruleset" / "template"
OWN = {path.name: path for path in sorted((EXAMPLES / "rulesets").iterdir()) if path.is_dir()}
INTEGER = re.compile(r"-?\d+")


def loaded(text: str) -> Any:
    """What an editor makes of a file: YAML 1.2, in which ``yes`` is a word and a day a text."""

    def plain(node: Any) -> Any:
        if isinstance(node, dict):
            return {str(key): plain(value) for key, value in node.items()}
        if isinstance(node, list):
            return [plain(item) for item in node]
        return int(node) if INTEGER.fullmatch(node) else node or None

    return plain(yaml.load(text, yaml.BaseLoader))


def faults(game: str | Path, kind: str, text: str) -> list[str]:
    """What is wrong with a file."""
    validator = jsonschema.Draft202012Validator(schema(loader.load(str(game)), kind))
    return [error.message for error in validator.iter_errors(loaded(text))]


def files() -> Iterator[tuple[str | Path, str, Path]]:
    """Every file that comes along, of which game, and of what kind."""
    for path in sorted(EXAMPLES.glob("positions/*.yaml")):
        yield "morphyry", "position", path
    for path in sorted((EXAMPLES / "duel").glob("*.yaml")):
        yield "morphyry", "record" if path.stem == "duel" else "position", path
    for path in sorted((EXAMPLES / "yard").glob("*.yaml")):
        yield "actions_reactions", "position" if path.stem == "start" else "record", path
    for path in sorted(EXAMPLES.glob("disputes/*.yaml")):
        yield "morphyry", "case", path
    for game in locations.shipped():
        for path in sorted((ROOT / "rules" / game / "positions").glob("*.yaml")):
            yield game, "position", path
        for folder in (f"rules/{game}/disputes", f"tests/cases/{game}/*"):
            for path in sorted(ROOT.glob(f"{folder}/*.yaml")):
                yield game, "case", path
    yield "morphyry", "rulings", EXAMPLES / "disputes" / "club" / "rulings.yaml"
    for game in (TEMPLATE, *OWN.values()):
        for kind in KINDS:
            for path in sorted(game.glob(f"{kind}s/*.yaml")):
                if not is_list(path):  # of test cases, which are read without a schema
                    yield game, kind, path
    for path in sorted(TEMPLATE.glob("rules/disputes/*.yaml")):
        yield TEMPLATE, "case", path


GAMES = [*locations.shipped(), TEMPLATE, *OWN.values()]
EACH = [  # a kind of each game by default, all of them with `-m campaign`
    pytest.param(game, kind, id=f"{Path(game).name}-{kind}", marks=[pytest.mark.campaign] * other)
    for i, game in enumerate(GAMES)
    for j, kind in enumerate(KINDS)
    for other in [(i + j) % len(KINDS) > 0]
]


@pytest.mark.parametrize(("game", "kind"), EACH)
def test_it_is_a_schema(game: str | Path, kind: str) -> None:
    found = schema(loader.load(str(game)), kind)
    jsonschema.Draft202012Validator.check_schema(found)
    assert json.dumps(found) == json.dumps(schema(loader.load(str(game)), kind))


@pytest.mark.campaign
def test_all_files_fit() -> None:
    wrong, number = [], 0
    validators: dict[tuple[str, str], Any] = {}
    for game, kind, path in files():
        key = (str(game), kind)
        if key not in validators:
            drawn = schema(loader.load(str(game)), kind)
            validators[key] = jsonschema.Draft202012Validator(drawn)
        found = validators[key].iter_errors(loaded(path.read_text(encoding="utf-8")))
        wrong += [f"{path}: {error.json_path}: {error.message}" for error in found]
        number += 1
    assert wrong == []
    assert number > 350


def test_what_is_broken_does_not_fit() -> None:
    """Words that are misspelt are told; what is against the rules alone passes."""
    misspelt = (EXAMPLES / "broken" / "misspelt.yaml").read_text(encoding="utf-8")
    told = " ".join(faults("morphyry", "position", misspelt))
    assert "advanse" in told
    assert "rigth_cross" in told
    assert faults("morphyry", "position", misspelt.replace("ruleset: morphyry", "ruleset: morphy"))
    too_much = (EXAMPLES / "broken" / "too_much.yaml").read_text(encoding="utf-8")
    assert faults("morphyry", "position", too_much) == []


@pytest.mark.parametrize("game", GAMES, ids=lambda game: Path(game).name)
def test_examples_of_keys_fit(game: str | Path) -> None:
    """The example that `words` gives of a key is one that the schema takes, apart from the rest."""

    ruleset = loader.load(str(game))
    validator = jsonschema.Draft202012Validator(schema(ruleset) | {"required": []})
    names = list(ruleset.vocabulary.fluents)
    keys = [key for key in looked_up(ruleset, names).keys if key.fluent]

    def wrong(example: str) -> list[str]:
        errors = validator.iter_errors(loaded(example))
        return [error.message for error in errors if error.validator != "required"]

    assert len(keys) == len(names)
    assert [key.example for key in keys if wrong(key.example)] == []


@parametrized
def test_what_does_not_fit(kind: str, text: str) -> None:
    assert faults(TEMPLATE, kind, text)


@parametrized
def test_what_fits(kind: str, text: str) -> None:
    assert faults(TEMPLATE, kind, text) == []


def test_verb(my_game: Path, pymorph: Callable[..., tuple[int, str, str]]) -> None:
    code, out, err = pymorph("schema", "./my_game", "--of", "record")
    assert (code, err) == (0, "")
    assert json.loads(out)["title"] == "A record of Heap, a game to start from"
    assert json.loads(pymorph("schema", "./my_game")[1])["title"].startswith("A position of")
    assert pymorph("schema", "./my_game", "--of", "rules")[0] == 2
    assert pymorph("schema", "nowhere")[0] == 2
