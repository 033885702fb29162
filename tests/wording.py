"""The words of the shipped games, which files and programs of players hang on.

`<game>/words.txt` has them a second time, with the facts of a game whose cards and tables have no
list of their own: so a slip in rules/ is noticed whether or not a case turns on that very word.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from pymorph.ruleset import compiler, loader
from pymorph.ruleset.loader import Ruleset
from pymorph.ruleset.vocabulary import Declared, Fluent, Sort
from pymorph.terms import text_of

TESTS = Path(__file__).parent
GAMES = tuple(sorted(path.parent.name for path in TESTS.glob("*/words.txt")))
FACT = "fact "
Lines = Mapping[str, set[str]]


def file_of(game: str) -> Path:
    """Where the words of a game are written down."""
    return TESTS / game / "words.txt"


@cache
def words(game: str) -> Lines:
    """What the vocabulary, the usual readings and the facts are to say: lines by kind, and facts
    by predicate."""
    found: dict[str, set[str]] = {}
    for line in file_of(game).read_text(encoding="utf-8").splitlines():
        if line.startswith(FACT):
            fact = line.removeprefix(FACT)
            found.setdefault(fact.partition("(")[0], set()).add(fact)
        elif line and not line.startswith("#"):
            found.setdefault(line.partition(" ")[0], set()).add(line)
    return found


def stated(game: Ruleset) -> Lines:
    """The facts of a ruleset, by predicate."""
    rows = compiler.checked(*loader.files_of(game.folders)).rows
    found: dict[str, set[str]] = {}
    for (name, _), facts in rows.items():
        told = {f"{name}({','.join(map(str, arguments))})" for arguments in facts}
        found.setdefault(name, set()).update(told)
    return found


def spoken(game: Ruleset) -> Lines:
    """What a ruleset as it is says in its vocabulary and its usual readings, as such lines."""
    words = game.vocabulary
    return {
        "sort": set(map(_sort, words.sorts.values())),
        "fluent": {
            f"{_form('fluent', each)} = {each.value}, {text_of(each.default)} at "
            + ".".join(f"<{step + 1}>" if isinstance(step, int) else step for step in each.path)
            for each in words.fluents.values()
        },
        "action": {
            _form("action", each) + (", only asked" if each.open else "")
            for each in words.actions.values()
        },
        "figure": {
            f"{_form('figure', each)} = {each.low} to {each.high} {each.unit}"
            for each in words.figures.values()
        },
        "finding": {_form("finding", each) for each in words.findings.values()},
        "elided": {f"elided {name} = {text_of(each)}" for name, each in words.elided.items()},
        "default": {f"default {question} = {option}" for question, option in game.defaults.items()},
    }


def _form(kind: str, each: Declared | Fluent) -> str:
    return f"{kind} {each.name}({', '.join(each.sorts)})"


def _sort(sort: Sort) -> str:
    if sort.kind == "range":
        return f"sort {sort.name} = {sort.low} to {sort.high}"
    if sort.from_facts or not sort.members:
        return f"sort {sort.name} = {'cards' if sort.from_facts else sort.kind}"
    return f"sort {sort.name} = {sort.kind} {', '.join(map(text_of, sort.members))}"
