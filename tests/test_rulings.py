"""House rulings: what a table has decided, where it was found, and which of it holds."""

from pathlib import Path

import click
import pytest

from pymorph import load_rulings
from pymorph.cli import values
from pymorph.errors import InputError
from pymorph.state import rulings as house
from pymorph.state.position import Position
from tests.conftest import Run
from tests.tables import parametrized, tables

# Bo wants to take three, the number that Anna has just taken; a question says whether he may.
AFTER_THREE = "ruleset: ..\nturn: bo\nheap: 5\nlast: 3\nplayers: {anna: {}, bo: {}}\n"
START = "my_game/positions/after_three.yaml"
BARRED = "{question: same_again, option: barred}"
ALLOWED = "{question: same_again, option: allowed}"

# A game with a second question, so that rulings of several files can be in force at once.
SECOND = tables(__name__)["second"]


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
    assert decided() == {"passing": ("yes", str(general)), "same_again": ("allowed", str(general))}
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


# -- what is said of it ----------------------------------------------------------------------------


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
    assert offered(values.ACTION, "take") == ["take(bo, 1)", "take(bo, 2)", "take(bo, 3)"]
    beside(table, BARRED)
    assert offered(values.ACTION, "take") == ["take(bo, 1)", "take(bo, 2)"]


def test_completion_heeds_the_options(table: Path) -> None:
    """What cannot be ruled on is in the way, unless house rulings are left alone."""
    beside(table, "{question: nothing_such, option: barred}")
    for kind, incomplete in ((values.ACTION, "take"), (values.POLICY, "what")):
        assert offered(kind, incomplete) == []
        assert offered(kind, incomplete, alone=True, readings=["same_agan=barred"]) == []
        assert offered(kind, incomplete, alone=True) != []
