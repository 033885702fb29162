"""The known positions of a ruleset show that its statements have a say, and outlive an edit."""

from __future__ import annotations

from pathlib import Path

import pytest

from pymorph.errors import InputError, Place
from pymorph.ruleset import loader, locations
from pymorph.state import test_case
from pymorph.verify.scope import Scope
from pymorph.verify.spaces.witnesses import file_of, fired_in, known, parsed, shipped_positions
from tests.tables import parametrized
from tools.known import covering, fewest, heard, merged, shown, single
from tools.mutants.trials import together

START = "{ruleset: .., turn: anna, heap: 3, players: {anna: {}, bo: {}}}"


def placed(game: Path, *lines: str) -> Scope:
    """The starter game with known positions."""
    setting = Scope(loader.load(str(game)))
    file_of(setting.ruleset).write_text("\n".join(lines), encoding="utf-8")
    return setting


def texts(setting: Scope) -> set[str]:
    """The statements that fire in the known positions."""
    fired = fired_in(setting, known(setting).entries)
    return {setting.sources.statements[n].text for n in fired}


def test_what_is_asked_fires(my_game: Path) -> None:
    """An action that is asked about is carried out where it is legal, and judged elsewhere."""
    found = texts(placed(my_game, f"take(bo, 1) @ {START}"))
    assert any(text.startswith("forbidden(take(C,N),S,heap_01)") for text in found)
    assert not any(text.startswith("adds(") for text in found)
    found = texts(placed(my_game, f"take(anna, 3); take(bo, 1) @ {START}"))
    assert any(text.startswith("happens(emptied(C),T,heap_03)") for text in found)


def test_all_that_is_legal_where_nothing_is_asked(my_game: Path) -> None:
    """A position alone shows what every legal action in it brings about."""
    found = texts(placed(my_game, "% a word on it", "", START))
    assert any(text.startswith("happens(emptied(C),T,heap_03)") for text in found)


@parametrized
def test_a_line_that_cannot_be_used(my_game: Path, line: str, note: str) -> None:
    """What an edit has made useless is left out, and told."""
    found = known(placed(my_game, START, line))
    assert len(found.entries) == 1
    assert len(found.notes) == 1
    assert found.notes[0].startswith("known.txt:2 is left out: ")
    assert note in found.notes[0]


def test_what_is_no_position_any_more(my_game: Path) -> None:
    """A line that has become ill formed is left out; marked, it shows what finds that."""
    rule = "ill_formed(heap, S, heap_02) :- holds(heap, 3, S).\n"
    (my_game / "encodings" / "more.lp").write_text(rule, encoding="utf-8")
    setting = placed(my_game, START)
    assert not known(setting).entries
    assert known(setting).notes == ("known.txt:1 is left out: it is no longer a valid position",)
    assert texts(placed(my_game, f"! {START}")) == {rule.strip().replace(", ", ",")}


def test_a_line_is_read_back(my_game: Path) -> None:
    """An entry is written as the line from which it is read."""
    setting = placed(my_game)
    folder = file_of(setting.ruleset).parent
    for line in (START, f"! {START}", f"take(anna, 3); score(bo) @ {START}"):
        entry = parsed(setting, line, Place("known.txt", 1), folder)
        assert parsed(setting, entry.line(folder), Place("known.txt", 1), folder) == entry
    with pytest.raises(InputError):
        parsed(setting, f"take(zoe, 3) @ {START}", Place("known.txt", 1), folder)


def test_the_fewest_show_the_same(my_game: Path) -> None:
    """A few positions show all that the examples of the game show."""
    setting = Scope(loader.load(str(my_game)))
    entries = merged(shipped_positions(setting))
    kept = fewest(setting, entries)
    assert 0 < len(kept) < len(entries)
    assert fired_in(setting, kept) == fired_in(setting, list(single(entries)))
    assert len(covering(shown(setting, kept))) == len(kept)


def test_what_is_asked_of_a_chapter_together_is_heard(my_game: Path) -> None:
    """A list of cases is asked as it stands, and is no case with claims."""
    path = my_game / "cases" / "list.yaml"
    position = START.replace("..", "./my_game").replace("heap: 3", "heap: 2")
    expected = "[{legal: 'take(anna, 1)'}]"
    path.write_text(f"- id: one\n  position: {position}\n  expect: {expected}\n")
    found = list(heard(loader.load(str(my_game)), together(path, test_case.load(path))))
    assert {str(entry.position.value("heap")) for entry in found} >= {"2", "1"}


@pytest.mark.parametrize("game", locations.shipped())
def test_known_positions_of_a_shipped_game_are_valid(game: str) -> None:
    """What their statements do not show, the property `dead` searches for and reports."""
    found = known(Scope(loader.load(game)))
    assert found.notes == ()
    assert len(found.entries) > 80
