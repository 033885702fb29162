"""Looking up rules."""

import re
from collections import Counter
from pathlib import Path

import pytest

from pymorph.adjudication import rules
from pymorph.errors import InputError, UnknownName
from pymorph.ruleset import loader, locations
from tests.conftest import Run
from tests.tables import parametrized_and

ROOT = Path(__file__).parent.parent


def ids(*names: str, search: str | None = None) -> list[str]:
    return [rule.id for rule in rules.look_up(names, search).rules]


def test_all_games() -> None:
    found = rules.look_up(())
    assert [game.name for game in found.rulesets] == locations.included()
    assert found.rules == ()


def test_one_game(inn: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert ids(str(inn)) == ["inn_01", "inn_02", "inn_03", "inn_04", "inn_05"]
    monkeypatch.chdir(inn.parent)
    assert ids("inn") == ids("./inn") == ids(str(inn))
    found = rules.look_up(["inn"])
    assert not found.in_full
    assert found.rules[0].sources == (("book", "The Guest Book", "Turns"),)


def test_some_rules(inn: Path) -> None:
    assert ids(str(inn), "inn_03", "INN-01") == ["inn_03", "inn_01"]
    found = rules.look_up([str(inn), "inn_02"])
    assert found.in_full
    [question] = found.questions(found.rules[0])
    assert question.id == "grace"
    assert question.options == (("yes", "Whoever is hungry eats."),
                                ("no", "A grim guest waits until he is glad."))  # fmt: skip
    assert (question.default, question.rules) == ("yes", ("inn_02",))
    [row] = found.json()["rules"]
    assert row["questions"][0]["options"][0] == {
        "option": "yes",
        "means": "Whoever is hungry eats.",
    }
    assert row["sources"] == [{"document": "The Guest Book", "section": "Meals"}]


def test_search(inn: Path) -> None:
    assert ids(str(inn), search="ROOM") == ["inn_03", "inn_04"]
    assert ids(str(inn), search="nothing like it") == []
    assert ids(str(inn), "inn_01", search="room") == []


def test_search_without_a_game(monkeypatch: pytest.MonkeyPatch, pymorph: Run) -> None:
    """All that ship are searched; where several have it, there is a part for each."""
    shipped = locations.included()
    found = rules.look_up((), search="the")
    assert [part.ruleset for part in found.parts] == list(map(loader.load, shipped))
    assert all(part.rules for part in found.parts)
    code, out, _ = pymorph("rules", "the")
    assert (code, out) == (0, pymorph("rules", "--search", "the")[1])
    assert all(loader.load(name).title in out for name in shipped)
    monkeypatch.setattr(locations, "included", lambda: shipped[:1])
    assert ids(search="") == sorted(loader.load(shipped[0]).rules)
    monkeypatch.setattr(locations, "included", lambda: [shipped[0], "zzz"])
    with pytest.raises(InputError, match=f"name the game to search; expected one of {shipped[0]}"):
        rules.questions((), search="")


def test_words_that_are_no_ids(inn: Path, pymorph: Run) -> None:
    """They are searched for, all of them in one rule."""
    assert ids(str(inn), "ROOM") == ["inn_03", "inn_04"]
    assert ids(str(inn), "room", "guest") == ids(str(inn), "Guest", "Room") != []
    assert ids(str(inn), "inn_0") == ids(str(inn))
    assert pymorph("rules", inn, "room", "dish") == (1, "no rule found\n", "")
    with pytest.raises(UnknownName, match="unknown rule 'inn_1'; did you mean 'inn_0"):
        ids(str(inn), "inn_1")
    with pytest.raises(UnknownName, match="unknown rule 'xyzzy'"):
        ids(str(inn), "room", "xyzzy")


def test_a_rule_alone_finds_its_game() -> None:
    for name in locations.included():
        game = loader.load(name)
        first = min(game.rules)
        found = rules.look_up([first.upper().replace("_", "-")])
        assert (found.ruleset, [rule.id for rule in found.rules]) == (game, [first])


@parametrized_and((["x" * 5000], "unknown ruleset or rule 'xxx"))
def test_unknown(inn: Path, monkeypatch: pytest.MonkeyPatch, names: list[str], said: str) -> None:
    monkeypatch.chdir(inn.parent)
    with pytest.raises(UnknownName) as caught:
        rules.look_up(names)
    assert str(caught.value).startswith(said)
    assert len(str(caught.value)) < 300


def test_printed(inn: Path, pymorph: Run) -> None:
    code, out, _ = pymorph("rules", inn)
    assert code == 0
    assert len(out.splitlines()) == 5
    code, out, _ = pymorph("rules", inn, "inn_02", "inn_05")
    assert code == 0
    for told in ("grace: May a grim guest eat?", "* yes", "not encoded: it is about manners"):
        assert told in out
    assert pymorph("rules", inn, "--search", "nothing like it") == (1, "no rule found\n", "")
    code, out, _ = pymorph("rules")
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()] == locations.included()


@pytest.mark.parametrize("game", locations.included())
def test_table_of_the_readme(game: str) -> None:
    """The README tells how many rules a game has, and on what they rest."""
    ruleset = loader.load(game)
    often = Counter(rule.status for rule in ruleset.rules.values())
    idle = sum(bool(rule.waived) for rule in ruleset.rules.values())
    kinds = ("stated", "derived", "reconstructed", "open", "own")
    row = [ruleset.title, len(ruleset.rules), *(often[kind] for kind in kinds), idle]
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert f"| {' | '.join(map(str, row))} |" in text
