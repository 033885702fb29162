"""The pages of the reference are whole, and as the code has them."""

import re
from pathlib import Path

import pytest

import pymorph
from pymorph.board.geometry import FUNCTIONS, Geometry
from pymorph.board.lengths.measuring import TABLE_FUNCTIONS, Measuring
from pymorph.cli import app
from pymorph.ruleset.contract import CONTRACT
from tests.tables import tables
from tools import docs, manual, readme, reference


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, marks=[pytest.mark.verdicts] * page.endswith("json.md"))
        for page in docs.MADE  # the shapes of answers come from all commands, which takes its time
    ],
)
def test_page_is_up_to_date(page: str) -> None:
    """`python -m tools.docs` writes it."""
    assert readme.read(page) == docs.MADE[page]()


def test_made_pages_are_known() -> None:
    assert set(docs.MADE) == {f"docs/reference/{name}.md" for name in readme.GENERATED}


def test_every_verb_is_told() -> None:
    text = readme.read("docs/reference/commands.md")
    told = re.findall(r"^##+ ([a-z][a-z -]*)$", text, re.MULTILINE)
    assert told == [name for name, _ in manual.verbs()]
    table = set(re.findall(r"`pymorph ([a-z-]+)", readme.read("README.md")))
    rest = {name for name, _ in manual.verbs() if " " not in name} - table
    assert rest <= {"completion"}


def test_every_answer_in_json_is_told() -> None:
    told = {verb.partition(" --")[0] for verb in manual.lists("json")["asked"]}
    answering = {
        name
        for name, command in manual.verbs()
        if any(option.name == "as_json" for option in command.params)
    }
    assert told == answering


def test_the_test_case_that_is_shown_is_one(my_game: Path) -> None:
    text = readme.read("docs/reference/files.md")
    (shown,) = re.findall(r"```yaml\n(- id.*?)```", text, re.DOTALL)
    (my_game / "cases" / "many.yaml").write_text(shown, encoding="utf-8")
    assert app.run(["test", "my_game"]) == app.Exit.YES


def test_every_name_is_told() -> None:
    text = readme.read("docs/reference/python.md")
    for name in pymorph.__all__:
        assert re.search(rf"^(### |- `)?{name}\b", text, re.MULTILINE), name


def test_every_predicate_is_told() -> None:
    assert reference.untold() == []


@pytest.mark.parametrize(("asked", "names"), [(Geometry, FUNCTIONS), (Measuring, TABLE_FUNCTIONS)])
def test_every_function_is_told(asked: type, names: frozenset[str]) -> None:
    told = {
        entry.atom.partition("(")[0].removeprefix("@"): entry
        for entry in reference.functions(asked, names)
    }
    assert told.keys() == {name.partition("/")[0] for name in names}
    for name in names:
        entry = told[name.partition("/")[0]]
        arguments = entry.atom.partition("(")[2].rstrip(")")
        assert (arguments.count(",") + 1 if arguments else 0) == int(name.partition("/")[2])
        assert entry.says


def test_the_page_opens_with_the_words_that_make_a_game() -> None:
    opening = reference.PAGE.read_text(encoding="utf-8").partition("## Good to know")[0]
    for words, _, starts in reference.TEN:
        assert all(f"`{word}`" in opening for word in words.split(", "))
        assert all(f"`{start}" in opening for start in starts)


def test_every_word_has_two_examples() -> None:
    """Of two games, where two have it. What only the core uses, or reads as another word, has
    fewer."""
    page = reference.PAGE.read_text(encoding="utf-8").partition("## A small game")[0]
    parts = re.split(r"^#+ `(.+)`$", page, flags=re.MULTILINE)[1:]
    few = set(tables(__name__)["few"])
    entries = list(zip(parts[::2], parts[1::2], strict=True))
    assert few == {atom for atom, text in entries if text.count("\n% ") < 2}
    for _, text in entries:
        for path in re.findall(r"^% ([\w./-]+?\.(?:lp|md))", text, re.MULTILINE):
            assert (readme.ROOT / path).exists()


def test_the_game_of_the_words_is_one() -> None:
    """Each of its statements is read: those that the page shows are sound."""
    assert app.run(["check", f"{readme.ROOT}/tests/words/positions/start.yaml"]) == app.Exit.YES


def test_each_word_that_rules_give_has_a_topic() -> None:
    topics = " ".join(reference.TOPICS.values()).split()
    assert len(topics) == len(set(topics))
    given = {entry.signature for rows in reference.by_topic(CONTRACT).values() for entry in rows}
    own = reference.sections(reference.CONTRACT_FILE.read_text(encoding="utf-8"))
    rest = {e.signature for title, rows in own.items() if title[:5] != "Given" for e in rows}
    assert given | rest >= CONTRACT


def test_each_entry_says_something() -> None:
    for path in (reference.VOCABULARY, reference.CONTRACT_FILE):
        for entries in reference.sections(path.read_text(encoding="utf-8")).values():
            for entry in entries:
                assert entry.says, entry.atom


def test_the_examples_of_the_rule_language() -> None:
    """Each of the four does what it is there for; the last question alone is a wrong one."""
    text = reference.examples()
    assert text.count("pymorph: ") == 1
    assert "pending: roll(chance, 1..3), each 1/3 [race_01]" in text
    assert "the game is over: ada wins, The end [race_02]" in text
    assert "at:      1 -> 4" in text
    assert "walk(ada, [3, 2, 1])" in text
