"""House rulings: what a table has decided, where it was found, and which of it holds."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from pymorph import load_rulings
from pymorph.cli.options import ActionName, PositionName
from pymorph.cli.verbs.lookahead import policies
from pymorph.errors import InputError
from pymorph.state import record
from pymorph.state import rulings as house
from pymorph.state.position import Position
from tests.tables import parametrized

Run = Callable[..., tuple[int, str, str]]

# Bo wants to take three, the number that Anna has just taken; a question says whether he may.
AFTER_THREE = "ruleset: ..\nturn: bo\nheap: 5\nlast: 3\nplayers: {anna: {}, bo: {}}\n"
START = "my_game/positions/after_three.yaml"
BARRED = "{question: same_again, option: barred}"
ALLOWED = "{question: same_again, option: allowed}"

# A game with a second question, so that rulings of several files can be in force at once.
SECOND = """
question(passing).  asks(passing, "May a player pass?").  raises(heap_03, passing).
option(passing, yes).  option(passing, no).  default(passing, no).
means(passing, yes, "He may.").  means(passing, no, "He may not.").
because(passing, "Nothing is said of it.").
"""


@pytest.fixture
def table(my_game: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The starter game with two questions, a position, and a configuration that is empty."""
    with (my_game / "rules" / "game.lp").open("a") as file:
        file.write(SECOND)
    (my_game / "positions" / "after_three.yaml").write_text(AFTER_THREE)
    monkeypatch.setenv("PYMORPH_CONFIG", str(tmp_path / "configuration"))
    return my_game


def write(path: Path, *rulings: str, game: str = "..") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = "".join(f"  - {ruling}\n" for ruling in rulings)
    path.write_text(f"ruleset: {game}\nrulings:\n{rows}")
    return path


def beside(table: Path, *rulings: str) -> Path:
    return write(table / "positions" / "rulings.yaml", *rulings)


def configured(table: Path, *rulings: str, name: str = "rulings.yaml") -> Path:
    folder = table.parent / "configuration"
    return write(folder / name, *rulings, game=str(table))


def decided(file: str = START, **options: object) -> dict[str, tuple[str, str]]:
    """Option and origin of each question that is decided where that file is asked about."""
    position = Position.load(file)
    found = house.in_force(position, file, **options)  # type: ignore[arg-type]
    return {name: (ruling.option, ruling.origin) for name, ruling in found.items()}


# -- the file --------------------------------------------------------------------------------------


def test_a_file_is_read_whole(table: Path) -> None:
    path = beside(
        table,
        "{question: same_again, option: allowed, date: 2026-09-01, source: club evening}",
        "{question: passing, option: yes, why: We like it.}",
    )
    found = load_rulings(path)
    assert [(r.question, r.option, r.why) for r in found.rulings] == [
        ("same_again", "allowed", ""),
        ("passing", "yes", "We like it."),
    ]
    assert found.options == {"passing": "yes", "same_again": "allowed"}
    assert found.in_force["same_again"].json() == {
        "option": "allowed",
        "from": str(path),
        "date": "2026-09-01",
        "source": "club evening",
    }
    assert list(found.in_force) == ["passing", "same_again"]


def test_no_rulings_yet(table: Path) -> None:
    path = table / "empty.yaml"
    path.write_text("ruleset: .\nrulings: []\n")
    assert load_rulings(path).rulings == ()


@parametrized
def test_a_fault_is_told_at_its_place(table: Path, rulings: list[str], said: str) -> None:
    path = beside(table, *rulings)
    with pytest.raises(InputError) as caught:
        load_rulings(path)
    assert str(caught.value).startswith(f"{path}:{said}")
    assert "\n" not in str(caught.value)


@parametrized
def test_a_file_that_is_none(table: Path, pymorph: Run, text: str, said: str) -> None:
    path = table / "odd.yaml"
    path.write_text(text + "\n" if text else "")
    with pytest.raises(InputError) as caught:
        load_rulings(path)
    assert str(caught.value).startswith(f"{path}:{said}")
    code, out, err = pymorph("legal", START, "--rulings", path)
    assert (code, out) == (2, "")
    assert err.startswith(f"{path}:")


def test_every_fault_of_a_file_is_told(table: Path) -> None:
    path = beside(table, "{question: x, option: y}", BARRED, "{question: passing, option: perhaps}")
    with pytest.raises(InputError) as caught:
        load_rulings(path)
    assert [fault.place.line for fault in caught.value.faults if fault.place] == [3, 5]


# -- where it is found -----------------------------------------------------------------------------


def test_question_by_question_the_nearest_goes_first(table: Path) -> None:
    """A file given goes before the one beside, and that before the configuration."""
    general = configured(table, ALLOWED, "{question: passing, option: yes}")
    assert decided() == {
        "passing": ("yes", str(general)),
        "same_again": ("allowed", str(general)),
    }
    near = beside(table, BARRED)
    name = str(near.relative_to(table.parent))
    assert decided() == {"passing": ("yes", str(general)), "same_again": ("barred", name)}
    given = write(table / "given.yaml", ALLOWED, game=".")
    assert decided(house=str(given))["same_again"] == ("allowed", str(given))
    assert decided(house=str(given))["passing"] == ("yes", str(general))
    assert decided(house=str(given), lookup=False) == {"same_again": ("allowed", str(given))}
    assert decided(lookup=False) == {}


def test_what_the_position_says_goes_before_every_file(table: Path) -> None:
    beside(table, BARRED)
    given = write(table / "given.yaml", BARRED, game=".")
    own = table / "positions" / "own.yaml"
    own.write_text(AFTER_THREE + "rulings: {same_again: allowed}\n")
    file = str(own.relative_to(table.parent))
    assert decided(file, house=str(given)) == {"same_again": ("allowed", "the position")}
    asked = decided(file, house=str(given), readings={"same_again": "barred"})
    assert asked == {"same_again": ("barred", "--reading")}


def test_a_record_is_taken_under_the_rulings_beside_it(table: Path, pymorph: Run) -> None:
    """The rulings of its own folder count, not those beside the position that it begins with."""
    beside(table, BARRED)
    path = table / "records" / "again.yaml"
    path.write_text("position: ../positions/after_three.yaml\nplay:\n  - take(bo, 3)\n")
    assert pymorph("replay", path)[0] == 0
    write(table / "records" / "rulings.yaml", BARRED)
    code, out, _ = pymorph("replay", path)
    assert code == 1
    assert "heap_02" in out
    assert "ruled: same_again = barred" in out
    code, _, err = pymorph("legal", path)
    assert code == 2
    assert "step 1 of the record cannot be carried out" in err
    path.write_text(path.read_text().replace("play:", "rulings: {same_again: allowed}\nplay:"))
    assert pymorph("replay", path)[0] == 0


def test_a_record_is_written_on_under_the_rulings_beside_it(table: Path, pymorph: Run) -> None:
    path = table / "records" / "again.yaml"
    path.write_text("position: ../positions/after_three.yaml\nplay:\n")
    before = path.read_text()
    write(table / "records" / "rulings.yaml", BARRED)
    code, out, _ = pymorph("apply", path, "take(bo, 3)", "--append")
    assert (code, path.read_text()) == (1, before)
    assert "heap_02" in out
    assert pymorph("apply", path, "take(bo, 3)", "--append", "--no-rulings")[0] == 0
    assert [move.action for move in record.Record.load(path).steps] == ["take(bo, 3)"]


def test_standard_input_and_a_line_have_nothing_beside_them(table: Path, pymorph: Run) -> None:
    """Only the configuration counts for what stands in no file."""
    write(table.parent / "rulings.yaml", BARRED, game="./my_game")
    line = Position.load(START).line()
    assert pymorph("why", line, "take(bo, 3)")[0] == 0
    configured(table, BARRED)
    assert pymorph("why", line, "take(bo, 3)")[0] == 1


def test_the_folder_of_the_configuration(table: Path) -> None:
    """`rulings.yaml` goes before the files in `rulings/`, and these go by their names."""
    later = configured(table, ALLOWED, name="rulings/b.yaml")
    assert decided() == {"same_again": ("allowed", str(later))}
    first = configured(table, BARRED, name="rulings/a.yaml")
    assert decided() == {"same_again": ("barred", str(first))}
    general = configured(table, ALLOWED)
    assert decided() == {"same_again": ("allowed", str(general))}


def test_a_file_about_another_game(table: Path, pymorph: Run) -> None:
    """It is passed over where it is found, and refused where it is given."""
    game = "morphyry"
    row = "{question: readies_count, option: whole_multiples}"
    path = write(table / "positions" / "rulings.yaml", row, game=game)
    assert decided() == {}
    code, out, err = pymorph("legal", START, "--rulings", path)
    said = "these rulings are for another game, not my_game\n"
    assert (code, out, err) == (2, "", f"{path}: {said}")


def test_a_game_may_be_called_by_its_name(table: Path) -> None:
    """In a configuration, the name of a game of one's own will do for the way to its folder."""
    path = write(table.parent / "configuration" / "rulings.yaml", BARRED, game="my_game")
    assert decided() == {"same_again": ("barred", str(path))}


def test_a_fault_in_a_file_that_is_found(table: Path, pymorph: Run) -> None:
    beside(table, "{question: same_again, option: bared}")
    code, out, err = pymorph("legal", START)
    assert (code, out) == (2, "")
    assert err.startswith("my_game/positions/rulings.yaml:3:36: unknown option 'bared'")
    assert pymorph("legal", START, "--no-rulings")[0] == 0


# -- what is said of it ----------------------------------------------------------------------------


VERBS = (
    ["legal", START],
    ["why", START, "take(bo, 3)"],
    ["forecast", START],
    ["apply", START, "take(bo, 2)"],
    ["apply", START, "take(bo, 2)", "--odds"],
    ["check", START],
    ["show", START],
    ["replay", "my_game/records/first.yaml", "--rulings", "my_game/positions/rulings.yaml"],
)


@pytest.mark.parametrize("words", VERBS, ids=" ".join)
def test_every_verb_says_what_was_ruled_and_where(
    table: Path, pymorph: Run, words: list[str]
) -> None:
    beside(table, BARRED[:-1] + ", why: We divide., date: 2026-05-01}")
    last = "ruled: same_again = barred (my_game/positions/rulings.yaml, 2026-05-01: We divide.)"
    _, out, err = pymorph(*words)
    assert (out.splitlines()[-1], err) == (last, "")
    data = json.loads(pymorph(*words, "--json")[1])
    assert data["rulings"] == {
        "same_again": {
            "option": "barred",
            "from": "my_game/positions/rulings.yaml",
            "why": "We divide.",
            "date": "2026-05-01",
        }
    }
    if "--rulings" not in words:
        plain = pymorph(*words, "--no-rulings")[1]
        assert "ruled:" not in plain
        assert "rulings" not in json.loads(pymorph(*words, "--no-rulings", "--json")[1])


def test_why_tells_of_the_questions_that_weigh_in(table: Path, pymorph: Run) -> None:
    """The figures and the verdict hang on one question; the other is told in the JSON alone."""
    beside(table, BARRED, "{question: passing, option: yes}")
    _, out, _ = pymorph("why", START, "take(bo, 3)")
    assert "ruled: same_again = barred (my_game/positions/rulings.yaml)" in out
    assert "passing" not in out
    data = json.loads(pymorph("why", START, "take(bo, 3)", "--json")[1])
    assert set(data["rulings"]) == {"passing", "same_again"}


def test_what_is_no_house_ruling_is_told_in_the_json_alone(table: Path, pymorph: Run) -> None:
    asked = ["legal", START, "--reading", "same_again=barred"]
    assert "ruled:" not in pymorph(*asked)[1]
    data = json.loads(pymorph(*asked, "--json")[1])
    assert data["rulings"] == {"same_again": {"option": "barred", "from": "--reading"}}


def test_several_files_are_checked_each_under_its_own(table: Path, pymorph: Run) -> None:
    beside(table, BARRED)
    other = table / "other.yaml"
    other.write_text(AFTER_THREE.replace("..", "."))
    data = json.loads(pymorph("check", START, other, "--json")[1])
    assert data.keys() == {"files"}
    assert "rulings" in data["files"][START]
    assert "rulings" not in data["files"][str(other)]


def test_what_is_written_keeps_the_rulings_it_was_made_under(table: Path, pymorph: Run) -> None:
    """A position that is written out answers in another folder as it did in this one."""
    beside(table, BARRED)
    assert pymorph("apply", START, "take(bo, 2)", "-o", "after.yaml")[0] == 0
    assert Position.load("after.yaml").rulings == {"same_again": "barred"}


def test_a_file_given_does_not_go_with_writing_on(table: Path, pymorph: Run) -> None:
    """What is written on to a record has to hold for those who read it without that file."""
    path = beside(table, BARRED)
    words = ["apply", "my_game/records/first.yaml", "take(1)", "--append", "--rulings", path]
    code, _, err = pymorph(*words)
    assert code == 2
    assert "cannot be combined with --odds, --as" in err


def test_a_game_at_the_table_is_played_under_them(
    table: Path, pymorph: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    import io
    import sys

    beside(table, BARRED)
    said = io.TextIOWrapper(io.BytesIO(b"why take(bo, 3)\nquit\n"))
    monkeypatch.setattr(sys, "stdin", said)
    code, out, _ = pymorph("play", START)
    assert code == 0
    assert "ruled: same_again = barred (my_game/positions/rulings.yaml)" in out
    assert "not legal: take(bo, 3)" in out


def offered(kind: click.ParamType, incomplete: str, **params: object) -> list[str]:
    """What completes a word of a command line that has these parameters so far."""
    context = click.Context(click.Command("ask"))
    context.params = {"file": START, **params}
    found = kind.shell_complete(context, click.Argument(["word"]), incomplete)
    return [item.value for item in found]


def test_completion_knows_of_them(table: Path) -> None:
    """Bo may not take three, so that is not offered."""
    assert offered(ActionName(), "take") == ["take(bo, 1)", "take(bo, 2)", "take(bo, 3)"]
    beside(table, BARRED)
    assert offered(ActionName(), "take") == ["take(bo, 1)", "take(bo, 2)"]


def test_completion_heeds_the_options(table: Path) -> None:
    """What cannot be ruled on is in the way, unless house rulings are left alone."""
    beside(table, "{question: nothing_such, option: barred}")
    for kind, incomplete in ((ActionName(), "take"), (PositionName("policy", policies), "what")):
        assert offered(kind, incomplete) == []
        assert offered(kind, incomplete, alone=True, readings=["same_agan=barred"]) == []
        assert offered(kind, incomplete, alone=True) != []
