"""Games hold what is promised of them, once loaded: rules in use, plain facts, sound examples."""

import re
from collections.abc import Iterator
from functools import cache
from itertools import count, groupby, islice
from pathlib import Path

import pytest
from clingo import Control, Function, MessageCode, Symbol

from pymorph import Case, load_rulings
from pymorph.dynamics.asking.batch import situation
from pymorph.errors import InputError
from pymorph.questions import consistency, legality
from pymorph.ruleset import loader, locations
from pymorph.ruleset.compiler import VERBS
from pymorph.ruleset.contract import CONTRACT, INPUTS
from pymorph.state import test_case
from pymorph.state.position import Position, positions_by_board
from pymorph.state.record import Record
from pymorph.terms import text_of
from tests import collecting
from tests.conftest import EXAMPLES, ROOT
from tests.tables import expected_lines
from tools import headers

PACKAGE = ROOT / "pymorph"
OWN = sorted(path for path in (EXAMPLES / "rulesets").iterdir() if path.is_dir())
TEMPLATE = PACKAGE / "ruleset" / "template"
GAMES = [*locations.shipped(), *map(str, OWN), str(TEMPLATE)]
CORE = ROOT / "encodings" / "core"
OPTIONAL = {name for name, _ in CONTRACT | INPUTS}
RECORDS = [
    EXAMPLES / "duel" / "duel.yaml",
    EXAMPLES / "yard" / "leaving.yaml",
    EXAMPLES / "yard" / "round.yaml",
    EXAMPLES / "rulesets" / "chess" / "records" / "to_and_fro.yaml",
]
POSITIONS = sorted(
    {path for folder in (EXAMPLES, PACKAGE) for path in folder.rglob("positions/*.yaml")}
    | {p for f in RECORDS for p in f.parent.glob("*.yaml") if p not in RECORDS}
    | {*(EXAMPLES / "courtyard").glob("*.yaml")}.difference(RECORDS)
    | {*(EXAMPLES / "mcp").glob("*.yaml")}
    | {*(EXAMPLES / "clearing").glob("*.yaml"), *(EXAMPLES / "field").glob("*.yaml")}
)

# Words of some game that are ordinary English, or names that the board shares with every game.
ORDINARY = frozenset(expected_lines("ordinary_words"))


def label(game: str) -> str:
    return Path(game).name


loaded = cache(loader.load)
position_at = cache(Position.load)


@cache
def encodings(game: str) -> tuple[headers.Encoding, ...]:
    """The encodings of a game, which lie in a folder of their own."""
    folders = loaded(game).folders
    root = Path(folders[1]) if len(folders) == 2 else Path(folders[0]) / "encodings"
    return tuple(map(headers.read, sorted(root.rglob("*.lp"))))


every_game = pytest.mark.parametrize("game", GAMES, ids=label)


# Python knows no game


def names_of_games() -> Iterator[str]:
    """Every word by which a game would give itself away."""
    for game in GAMES[:-1]:
        found = loaded(game)
        words = found.vocabulary
        yield found.name
        yield found.title
        for sort in words.sorts.values():
            yield sort.name
            yield from map(text_of, sort.known)
        yield from words.titles.values()
        yield from (*words.fluents, *words.actions, *words.figures, *words.findings)
        yield from words.symbols.values()
        yield from found.rules
        for question in found.questions.values():
            yield question.id
            yield from (option for option, _ in question.options)
    for path in POSITIONS:
        if TEMPLATE not in path.parents:
            for members in position_at(path).listed.values():
                yield from map(text_of, members)


def test_no_name_of_a_game_in_the_package() -> None:
    names = {name.lower() for name in {*names_of_games()} - ORDINARY if len(name) > 4}
    # A command that the help shows, and the example of a docstring.
    example = re.compile(r"^      pymorph .*$|^ *>>> (?:.*\S.*\n)*", re.MULTILINE)
    texts = {
        path: example.sub("", path.read_text(encoding="utf-8")).lower()
        for path in PACKAGE.rglob("*.py")
    }
    words = set(re.findall(r"\w+", " ".join(texts.values())))
    # An option of several words is also what a sentence may say; as a name it is joined by _.
    suspects = [name for name in names if name in words or not re.fullmatch(r"\w+", name)]
    found = [
        f"{path.relative_to(ROOT)}: {name}"
        for path, text in sorted(texts.items())
        for name in sorted(suspects)
        if name in text and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text)
    ]
    assert found == []


# Every encoding and every rule is of use


def test_each_part_of_the_core_is_of_use_to_some_game() -> None:
    verbs = [loaded(game).slices[verb] for game in locations.shipped() for verb in VERBS]
    used = {line for part in verbs for line in part.text.split("\n")}
    files = map(headers.read, sorted(CORE.rglob("*.lp")))
    idle = [file.path.name for file in files if file.rules and used.isdisjoint(file.rules)]
    assert idle == []


@every_game
def test_no_rule_is_idle(game: str) -> None:
    """What no verb's answer can reach is a slip of the pen, or left over."""
    slices = loaded(game).slices
    used = {line for verb in VERBS for line in slices[verb].text.split("\n")}
    idle = [f"{file.path.name}: {rule}" for file in encodings(game)
            for rule in file.rules if rule not in used]  # fmt: skip
    assert idle == []


# With readings fixed, every atom is a fact, and clingo has nothing to remark


ASKING = ("asked", "why", "apply", "odds", "unfold")
MOST = 100_000  # of an order for three places there are millions
FORMS = 40  # actions of a name of which is asked by default


def typed_within(position: Position) -> list[Symbol]:
    """Every action that can be typed, of each name the first so many."""
    words = position.ruleset.vocabulary
    forms = (words.typed(a, position.scene) for a in words.actions.values() if not a.open)
    return [action for each in forms for action in islice(each, MOST)]


def spread(actions: list[Symbol]) -> Iterator[Symbol]:
    """Some of the actions of each name."""
    for _, same in groupby(sorted(actions, key=lambda action: action.name), lambda a: a.name):
        some = list(same)
        yield from some[:: len(some) // FORMS + 1]


def grounded(
    verb: str, positions: list[Position], whole: bool = False
) -> tuple[list[str], list[str]]:
    """What is no fact, and what clingo remarks, where *verb* is asked of many positions at once.

    About some of the actions that could be typed; with *whole* about all.
    """
    messages: list[str] = []
    open_atoms: list[str] = []

    def log(code: MessageCode, text: str) -> None:
        atom = re.search(r"(\w+)\S*$", text.strip())
        # What an encoding may leave out need not be there for every argument; nor a total.
        if re.search(r" total\(\w+\(", text):
            return
        if code != MessageCode.AtomUndefined or not atom or atom[1] not in OPTIONAL:
            messages.append(f"{code.name}: {' '.join(text.split())}")

    for first, numbers in positions_by_board(positions):
        part = first.ruleset.slices[verb]
        transitions = count()
        facts: list[Symbol] = []
        for number in numbers:
            here = situation(number)
            position = positions[number]
            facts += position.facts(here)
            facts += [Function(word, [here]) for word in ("checking", "surveying", "wide")]
            if verb in ASKING:
                typed = typed_within(position)
                typed = typed if whole else list(spread(typed))
                facts += [Function("asked", [action, here]) for action in typed]
            if verb in ("apply", "odds"):
                for action in legality.legal_actions(position):
                    transition = situation(next(transitions))
                    facts.append(Function("does", [action.symbol, here, transition]))
        control = Control(["-t1"], logger=log, message_limit=50)
        control.add("base", [], part.text)
        with control.backend() as backend:
            for fact in facts:
                backend.add_rule([backend.add_atom(fact)])
        control.ground([("base", [])], context=first.geometry)
        open_atoms += [str(a.symbol) for a in control.symbolic_atoms if not a.is_fact]
    return open_atoms, messages


def example_positions(game: str) -> list[Position]:
    found = [position_at(path) for path in POSITIONS]
    return [position for position in found if position.ruleset == loaded(game)]


def otherwise(position: Position) -> Position:
    """The same with each question answered by its last option that is not the default."""
    questions = position.ruleset.questions.values()
    others = {q.id: [name for name, _ in q.options if name != q.default][-1] for q in questions}
    return position.with_rulings(others)


@pytest.mark.parametrize(
    ("game", "verb"),
    [
        pytest.param(
            game,
            verb,
            id=f"{label(game)}-{verb}",
            marks=[pytest.mark.campaign] if (i + j) % 9 or label(game) == "diplomacy" else [],
        )
        for i, game in enumerate(GAMES)
        for j, verb in enumerate(VERBS)
    ],
)
def test_every_atom_is_a_fact(game: str, verb: str) -> None:
    """In some of the examples, about some actions, one verb in three, or in nine of games that do
    not ship; `-m campaign` asks in all, about all."""
    positions = example_positions(game)
    assert positions
    kept = positions[:: 48 if verb in ASKING else 16]
    assert grounded(verb, [*kept, otherwise(kept[-1])]) == ([], [])


@pytest.mark.campaign
@pytest.mark.parametrize("verb", VERBS)
@every_game
def test_every_atom_of_every_example_is_a_fact(game: str, verb: str) -> None:
    positions = example_positions(game)
    assert grounded(verb, [*positions, *map(otherwise, positions)], whole=True) == ([], [])


# Examples


@every_game
def test_examples_are_positions_of_their_game(game: str) -> None:
    positions = example_positions(game)
    answers = zip(consistency.check_of(positions), legality.legal_of(positions), strict=True)
    for position, (checked, legal) in zip(positions, answers, strict=True):
        flaws = [(str(flaw.what), flaw.rules) for flaw in checked.flaws]
        assert flaws == [], position.line()
        assert legal.actions or legal.unsettled or legal.awaited, position.line()


def test_every_example_has_a_game() -> None:
    assert sum(len(example_positions(game)) for game in GAMES) == len(POSITIONS)


def test_every_example_file_is_tried() -> None:
    broken = set((EXAMPLES / "broken").glob("*.yaml"))
    assert broken
    tried = {p for p in POSITIONS if EXAMPLES in p.parents}
    disputes = {*EXAMPLES.glob("disputes/*.yaml"), *EXAMPLES.glob("rulesets/*/cases/*.yaml")}
    disputes |= set(EXAMPLES.glob("rulesets/*/rules/disputes/*.yaml"))
    lists = set(filter(test_case.is_list, disputes))
    disputes -= lists
    rulings = set((EXAMPLES / "disputes").glob("*/rulings.yaml"))
    known = broken | tried | set(RECORDS) | disputes | lists | rulings
    assert set(EXAMPLES.rglob("*.yaml")) == known
    assert all(Case.load(path).claims for path in disputes)
    assert all(test_case.load(path) for path in lists)
    assert all(load_rulings(path).in_force for path in rulings)
    assert all(Record.load(path).steps for path in RECORDS)
    told: dict[str, int] = {}
    for path in broken:
        try:
            told[path.name] = len(consistency.check(Position.load(path)).flaws)
        except InputError as error:
            told[path.name] = sum(bool(fault.place and fault.place.line) for fault in error.faults)
    assert all(told.values()), told


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "examples/README.md"])
def test_positions_on_pages(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    for block in re.findall(r"^```ya?ml\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
        if re.search(r"^ruleset:", block, re.MULTILINE):
            position = Position.parse(block, page, (ROOT / page).parent)
            assert consistency.check(position).consistent


def test_entries_of_the_list_of_slow_tests(request: pytest.FixtureRequest) -> None:
    assert request.config.stash[collecting.IDLE] == []
