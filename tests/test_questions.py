"""The verb about what the rules leave open, and the examples that come with a game."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
import pytest

from pymorph.adjudication import adjudication, examples, rules
from pymorph.adjudication.case import Case
from pymorph.cli import values
from pymorph.errors import UnknownName
from pymorph.ruleset import loader, locations
from pymorph.ruleset.vocabulary import Question
from tests.conftest import Run
from tests.tables import parametrized, tables
from tools import shrinking

CAMPAIGN = pytest.mark.campaign


def ids(*names: str, search: str | None = None, rule: str | None = None) -> list[str]:
    return [question.id for question in rules.questions(names, search, rule).questions]


# -- looking up ------------------------------------------------------------------------------------


def test_all_games(pymorph: Run) -> None:
    found = rules.questions(())
    assert [game.name for game in found.rulesets] == locations.included()
    code, out, _ = pymorph("questions")
    assert code == 0
    for game, line in zip(found.rulesets, out.splitlines(), strict=True):
        assert line.startswith(game.name)
        assert line.endswith(f"{len(game.questions)} question{'s' * (len(game.questions) != 1)}")
    rows = json.loads(pymorph("questions", "--json")[1])["rulesets"]
    assert [row["questions"] for row in rows] == [len(g.questions) for g in found.rulesets]


@pytest.mark.campaign
def test_a_question_alone_finds_its_game() -> None:
    for name in locations.shipped():
        game = loader.load(name)
        first = min(game.questions)
        found = rules.questions([first.replace("_", "-")])
        assert (found.ruleset, [each.id for each in found.questions]) == (game, [first])
        assert found.in_full


def test_filters(inn: Path, pymorph: Run) -> None:
    game = str(inn)
    assert ids(game, search="HUNGRY") == ids(game, search="book does") == ["grace"]
    assert ids(game, rule="INN-02") == ["grace"]
    assert ids(game, rule="inn_01") == ids(game, search="nothing like it") == []
    assert pymorph("questions", inn, "--rule", "inn_01") == (1, "no question found\n", "")
    with pytest.raises(UnknownName, match="unknown rule 'inn_2'; did you mean 'inn_0"):
        ids(game, rule="inn_2")


def test_a_rule_alone_finds_its_game() -> None:
    for name in locations.shipped():
        game = loader.load(name)
        question = game.questions[min(game.questions)]
        assert question.id in ids(rule=question.rules[0])


@parametrized
def test_unknown(inn: Path, monkeypatch: pytest.MonkeyPatch, names: list[str], said: str) -> None:
    monkeypatch.chdir(inn.parent)
    with pytest.raises(UnknownName) as caught:
        rules.questions(names)
    assert str(caught.value).startswith(said)


def test_completion(inn: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """First games and questions, then the questions of the game that was named."""

    def offered(incomplete: str, *names: str) -> list[str]:
        context = click.Context(click.Command("questions"))
        context.params = {"names": names}
        found = values.QUESTION.shell_complete(context, click.Argument(["names"]), incomplete)
        return [item.value for item in found]

    assert offered("gr", str(inn)) == ["grace"]
    game = loader.load(locations.shipped()[0])
    assert game.name in offered("")
    assert min(game.questions) in offered(min(game.questions)[:4])


# -- examples --------------------------------------------------------------------------------------


SHIPPED = [
    pytest.param(game, question, id=f"{game.name}:{question.id}")
    for game in map(loader.load, locations.shipped())
    for question in game.questions.values()
]


def one_in(number: int) -> list[Any]:
    """All questions that ship, of which by default one in so many is tried."""
    return [
        param if at % number == 0 else pytest.param(*param.values, id=param.id, marks=CAMPAIGN)
        for at, param in enumerate(SHIPPED)
    ]


def shipped_example(game: loader.Ruleset, question: Question) -> Case:
    return Case.load(examples.folder_of(game) / f"{question.id}.yaml")


@pytest.mark.parametrize(("game", "question"), one_in(72))
def test_every_question_has_an_example(game: loader.Ruleset, question: Question) -> None:
    """The default differs from the other options, as is expected; of one in 72 by default.

    Where one position does not tell all options from the default, those that it tells are expected.
    """
    case = shipped_example(game, question)
    assert case.title
    [stated] = case.claims
    expected = dict(stated.expect)
    told = {option: expected.get(((question.id, option),), "") for option, _ in question.options}
    told[question.default] = expected[()]
    assert set(told.values()) - {told[question.default]}
    assert dict(examples.example(case, question).verdicts) == told


@pytest.mark.parametrize(("game", "question"), one_in(110))
def test_an_example_is_as_small_as_it_gets(game: loader.Ruleset, question: Question) -> None:
    """Nothing can be left out of it; `-m campaign` tries those that are not tried by default."""
    case = shipped_example(game, question)
    assert shrinking.stands(case)
    for less in shrinking.smaller(case):
        assert not shrinking.stands(less), shrinking.written(less)


# -- shrinking -------------------------------------------------------------------------------------


CROWDED = tables(__name__)["crowded"]


def test_a_case_shrinks(my_game: Path) -> None:
    """What has no part in it goes; what has one stays, down to the number that was taken last."""
    path = my_game.parent / "again.yaml"
    path.write_text(CROWDED)
    shrinking.main([str(path)])
    small = Case.load(path)
    assert [str(member) for member in small.position.listed["player"]] == ["bo"]
    assert small.position.data()["players"] == {"bo": {}}
    assert (str(small.position.value("last")), str(small.position.value("heap"))) == ("3", "5")
    assert shrinking.stands(small)
    before = path.read_text()
    shrinking.main([str(path)])
    assert path.read_text() == before


def test_a_board_shrinks_around_what_matters(inn: Path) -> None:
    """Bo alone is left, and his board has the two squares that he may walk between."""
    text = (inn / "positions" / "dinner.yaml").read_text()
    position = text.replace("turn: anna", "turn: bo").replace("purse: -2", "purse: 2")
    case = Case.parse(
        "ruleset: .\nposition:\n"
        + "".join(f"  {line}\n" for line in position.splitlines()[2:])
        + "claims:\n  - claim: legal(walk(bo, c1))\n    expect: {defaults: upheld}\n",
        base=inn,
    )
    small = shrinking.shrunk(case)
    board = small.position.board
    assert board is not None
    assert len(board.places) == 2
    assert str(small.claims[0].claim) == "legal(walk(bo, b1))"
    assert str(small.position.value("at(bo)")) == "a1"


def test_what_does_not_stand_is_left_alone(my_game: Path) -> None:
    case = Case.parse(CROWDED.replace("defaults: upheld", "defaults: rejected"))
    assert not shrinking.stands(case)
    assert shrinking.shrunk(case) == case


def test_the_verdict_is_that_of_adjudicating(my_game: Path) -> None:
    """A case is shrunk by a shorter way to the verdict; it is the one that the verb tells."""
    case = Case.parse(CROWDED)
    for option in ("allowed", "barred"):
        position = case.position.with_rulings({"same_again": option})
        answer = adjudication.adjudicate(replace(case, position=position))
        assert answer.claims[0].verdict == shrinking.verdict(case, {"same_again": option})
