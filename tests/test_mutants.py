"""Faults are planted as they are meant, and a campaign keeps what became of them."""

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from pymorph.errors import PymorphError
from pymorph.questions import consistency, explanation, figures, legality
from pymorph.ruleset import loader
from pymorph.state.position import Position
from tests import wording
from tools.mutants import __main__ as command
from tools.mutants import designed
from tools.mutants.index import Index, verb_of
from tools.mutants.judging import LEFT_OUT, SURVIVES, TESTS, UNNOTICED, VERIFY, Verdict
from tools.mutants.marks import marks
from tools.mutants.operators import OPERATORS, Mutant, mutants
from tools.mutants.planting import Original, edited, plant
from tools.mutants.running import Report
from tools.mutants.trials import Together, lists_of, standing_in, trials_of

EVERY_NTH = 24
Texts = Callable[[str, str], list[str]]


@pytest.fixture(scope="module")
def game(inn: Path) -> Original:
    return Original.of(str(inn))


@pytest.fixture(scope="module")
def shipped() -> Original:
    return Original.of("morphyry")


@pytest.fixture(scope="module")
def every(game: Original) -> list[Mutant]:
    return list(mutants(game.sources, game.numbers))


@pytest.fixture
def texts(game: Original, every: list[Mutant]) -> Texts:
    """The texts of the mutants of the statement that begins so, by one operator."""

    def found(start: str, operator: str) -> list[str]:
        statements = game.sources.statements
        return [
            mutant.text
            for mutant in every
            if statements[mutant.number].text.startswith(start) and mutant.operator == operator
        ]

    return found


def test_literals(texts: Texts) -> None:
    """Each literal is left out, and turned, where the rule can still be read."""
    rule = "forbidden(walk(C,P),S,inn_03)"
    assert texts(rule, "remove") == [""]
    assert texts(rule, "drop") == [f"{rule} :- considered(walk(C,P),S)."]
    assert texts(rule, "negate") == [f"{rule} :- considered(walk(C,P),S); near(C,P,S)."]


def test_comparisons_and_numbers(texts: Texts) -> None:
    """A comparison is moved by one, and so is a number, wherever it stands."""
    assert texts("ill_formed", "compare") == [
        "ill_formed(at(C),S,inn_04) :- holds(at(C),P,S); holds(at(D),P,S); C <= D."
    ]
    assert texts("costs", "number") == [
        "costs(walk(C,P),purse(C),shoes,2,S,inn_03) :- considered(walk(C,P),S)."
    ]
    assert texts("sort(coins", "number") == [
        "sort(coins,range(-6,99)).",
        "sort(coins,range(-5,100)).",
    ]


def test_readings(texts: Texts) -> None:
    """A rule goes by another option, and another option is the default."""
    (text,) = texts("forbidden(eat(C,W),S,inn_02) :- considered(eat(C,W),S); holds", "reading")
    assert text.endswith("reading(grace,yes,S).")
    assert texts("default(grace", "default") == ["default(grace,no)."]


def test_names(texts: Texts) -> None:
    """A name in a fact is swapped for the next that stands in such a place."""
    assert texts("ware(pear_tart)", "swap") == ["ware(plum_cake)."]
    assert texts("ware(rye_bread)", "swap") == ["ware(pear_tart)."]


def test_names_of_mutants(game: Original, every: list[Mutant]) -> None:
    """Each has a name of its own, the same each time, and changes something that bears on play."""
    assert [m.name for m in mutants(game.sources, game.numbers)] == [m.name for m in every]
    assert len({m.name for m in every}) == len(every) == len({(m.number, m.text) for m in every})
    assert all(m.text != game.sources.statements[m.number].text for m in every)
    assert {m.operator for m in every} == {*OPERATORS}
    assert not any(m.name.startswith(("title@", "says@", "source@")) for m in every)


def answered(read: Callable[[], Position]) -> list[str]:
    """What the rules say of a position, or the kind of fault that keeps them from it."""
    try:
        start = read()
        found = [str(action) for action in legality.legal_actions(start)]
        found += [str(figure) for figure in figures.forecast(start).figures]
        found += [str(flaw) for flaw in consistency.check(start).flaws]
        for action in ("eat(anna, plum_cake)", "eat(anna, pear_tart)", "walk(anna, a2)"):
            answer = explanation.why(start, action)
            found.append(f"{answer.legal} {[str(reason.rule.id) for reason in answer.reasons]}")
        told = {key: value for key, value in start.data().items() if key != "ruleset"}
        return [*found, str(told), str(start.ruleset.defaults)]
    except PymorphError as error:
        return [type(error).__name__]


@pytest.mark.campaign
def test_planting(game: Original, every: list[Mutant], tmp_path: Path) -> None:
    """What is planted in memory is what a copy of the folder with the edited file is."""
    dinner = Path(game.ruleset.folders[0]) / "positions" / "dinner.yaml"

    def quickly(mutant: Mutant) -> Position:
        with standing_in(plant(game, mutant)):
            return Position.load(dinner)

    def slowly(mutant: Mutant, copy: Path) -> Position:
        shutil.copytree(game.ruleset.folders[0], copy)
        for name, data in edited(game, mutant):
            (copy / Path(name).relative_to(game.ruleset.folders[0])).write_bytes(data)
        return Position.load(copy / "positions" / "dinner.yaml")

    plain = answered(lambda: Position.load(dinner))
    told = []
    for number, mutant in enumerate(every[::EVERY_NTH]):
        found = answered(lambda m=mutant: quickly(m))  # type: ignore[misc]
        copy = tmp_path / str(number)
        assert found == answered(lambda m=mutant, c=copy: slowly(m, c)), mutant  # type: ignore[misc]
        told.append(found)
    assert sum(found != plain for found in told) > len(told) / 3


def test_marks(game: Original) -> None:
    """A rule is marked where it holds, and for each literal where that alone does not."""
    statements = game.sources.statements
    (number,) = [n for n in game.numbers if statements[n].text.startswith("ill_formed")]
    given = {("ware", 1)}
    parts, literals = marks(number, statements[number], given)
    assert literals == (2,)
    assert tuple(part.text for part in parts) == (
        f"marked_here({number},-1) :- holds(at(C),P,S); holds(at(D),P,S); C < D.",
        f"marked_here({number},2) :- holds(at(C),P,S); holds(at(D),P,S); not C < D.",
    )
    (number,) = [n for n in game.numbers if statements[n].text.startswith("entry(debt")]
    parts, _ = marks(number, statements[number], given)
    assert parts[-1].text == "used_here(ware(W)) :- holds(hand(C,W),N,S); ware(W)."
    failing = next(part for part in parts if part.text.startswith(f"marked_here({number},1)"))
    assert len(failing.signs.requires) == len(statements[number].signs.requires) - 1


def test_report(tmp_path: Path) -> None:
    """A campaign goes on where it stopped, unless the rules are others by now."""
    report = Report(tmp_path / "kept" / "report.jsonl", "abc")
    verdicts = [Verdict("one", "drop", TESTS, "a case"), Verdict("two", "drop", SURVIVES)]
    for verdict in verdicts:
        report.add(verdict)
    assert list(report.known().values()) == verdicts
    assert Report(report.path, "def").known() == {}
    report.path.write_text(report.path.read_text(encoding="utf-8")[:-9], encoding="utf-8")
    assert list(report.known().values()) == verdicts[:1]


def test_bad_words(capsys: pytest.CaptureFixture[str]) -> None:
    """What cannot be done is told in a line."""
    for words in (["--ruleset", "nowhere"], ["--jobs", "0"]):
        assert command.main(words) == 2
        assert len(capsys.readouterr().err.splitlines()) == 1


def test_table() -> None:
    """The percentage is of the mutants that differ from the rules as they are."""
    words = [TESTS, TESTS, VERIFY, SURVIVES, LEFT_OUT]
    found = [Verdict(str(n), "drop", word) for n, word in enumerate(words)]
    assert " ".join(command.table(found).splitlines()[2].split()) == "drop 5 1 2 1 0 1 75.0"
    assert command.survivors(found).splitlines()[0] == "3 (0 trials)"


def test_table_of_the_tests_alone() -> None:
    """What the tests did not notice has a column of its own, and counts against them."""
    words = [TESTS, TESTS, TESTS, UNNOTICED, LEFT_OUT]
    found = [Verdict(str(n), "drop", word) for n, word in enumerate(words)]
    assert command.table(found).splitlines()[0].split()[-3:] == [UNNOTICED, "%", "caught"]
    assert " ".join(command.table(found).splitlines()[2].split()) == "drop 5 1 3 0 0 0 1 75.0"
    assert command.survivors(found).splitlines()[0] == "3 (0 trials)"


@pytest.mark.parametrize(
    ("start", "operator", "name"),
    [
        ("technique(rush,", "swap", "printed"),
        pytest.param("break_value(sling,", "number", "printed", marks=pytest.mark.campaign),
        pytest.param("figure(inertia,", "number", "words", marks=pytest.mark.campaign),
        ("default(inertia_score,", "default", "words"),
    ],
)
def test_lists(shipped: Original, start: str, operator: str, name: str) -> None:
    """A slip on a card or in a word of the vocabulary is seen by a list, whatever is played."""
    statements = shipped.sources.statements
    (number,) = [n for n in shipped.numbers if statements[n].text.startswith(start)]
    faults = [m for m in mutants(shipped.sources, [number]) if m.operator == operator]
    lists = {trial.name: trial for trial in lists_of(shipped.ruleset)}
    assert faults
    assert lists[name].failure(plant(shipped, faults[0]))


@pytest.mark.parametrize("name", wording.GAMES)
def test_lists_hold(name: str) -> None:
    """The lists tell nothing of rules without a fault, or no fault would be told by them."""
    game = loader.load(name)
    assert {trial.name: trial.failure(game) for trial in lists_of(game)} == {
        trial.name: "" for trial in lists_of(game)
    }


@pytest.mark.campaign
def test_positions_together(tmp_path: Path) -> None:
    """What was asked of many positions at once is kept, with what had a part in it."""
    original = Original.of("actions_reactions")
    trial = next(t for t in trials_of(original.ruleset) if isinstance(t, Together))
    trial = replace(trial, cases=trial.cases[:1])
    index = Index(original, tmp_path, original.numbers)
    index.folder.mkdir()
    recorded = index._recorded(trial)
    assert recorded
    assert recorded["marks"]


def test_figures_asked_for_alone(shipped: Original) -> None:
    """Questions for some figures alone are told from those for all of them."""
    slices = shipped.ruleset.slices
    part = slices["forecast"].of_figures(frozenset({"readies", "inertia"}))
    assert verb_of(slices, part) == "forecast inertia readies"
    assert verb_of(slices, slices["forecast"]) == "forecast"


@pytest.mark.campaign
def test_campaign(tmp_path: Path) -> None:
    """Of a few faults, drawn by chance, most are noticed."""
    path = tmp_path / "report.jsonl"
    command.main(["--sample", "12", "--jobs", "2", "--no-disputes", "--report", str(path)])
    words = [json.loads(line)["verdict"] for line in path.read_text().splitlines()]
    assert len(words) == 12
    assert words.count(SURVIVES) <= 4


@pytest.mark.campaign
def test_designed(shipped: Original, tmp_path: Path) -> None:
    """Cards that a designer adds tell of a fault that no card which ships makes matter."""
    statements = shipped.sources.statements
    start = "entry(dealt(C,P,Type),special(W),-K,S,mor_wpn_08)"
    (number,) = [n for n in shipped.numbers if statements[n].text.startswith(start)]
    fault = Mutant("removed", number, "remove", "")
    beside = designed.sets(shipped, tmp_path, 2)
    assert not [name for cards in beside for name in cards.unknown()]
    assert designed.noticed(beside, shipped, fault, 40) == "damage:R-mor_wpn_08-minus"
