"""Positions: every fault of a file at its place; the same position however it is written."""

import copy
import json
import multiprocessing
import os
import pickle
import random
import threading
import time
from dataclasses import FrozenInstanceError
from pathlib import Path
from typing import Any

import pytest
import yaml

from pymorph.dynamics import transitions
from pymorph.dynamics.outcomes import LineOfPlay
from pymorph.errors import InputError, Place, RulesetError, UnknownName
from pymorph.explore.execution import application
from pymorph.questions import consistency, explanation, legality
from pymorph.state.position import Position
from pymorph.terms import parse_symbol
from tests.conftest import EXAMPLES, ROOT
from tests.inn import POSITION, write_inn
from tests.tables import parametrized_and, sampled, tables

EXAMPLE_FILES = sorted(
    path for folder in (EXAMPLES, ROOT / "pymorph") for path in folder.rglob("positions/*.yaml")
)

PLAIN = tables(__name__)["plain"]


def dinner(inn: Path) -> Position:
    return Position.load(inn / "positions" / "dinner.yaml")


def parsed(inn: Path, text: str = PLAIN, **more: str) -> Position:
    """The position of a text, with further keys at its end."""
    lines = "".join(f"{key}: {value}\n" for key, value in more.items())
    return Position.parse(text.replace("INN", f'"{inn}"') + lines, "f")


def faults(inn: Path, text: str) -> list[str]:
    with pytest.raises(InputError) as caught:
        parsed(inn, text)
    found = [str(fault) for fault in caught.value.faults]
    assert all(line.isprintable() for line in found)
    return found


# What may stand wrong, and what is said of it


@parametrized_and(("INN", "a" * 9000, [f"f:1:10: unknown ruleset '{'a' * 37}...'; expected "]))
def test_one_fault(inn: Path, old: str, new: str, expected: list[str]) -> None:
    assert old in PLAIN
    found = faults(inn, PLAIN.replace(old, new, 1))
    endings = ("expected one of ", "expected ", "such as ")
    cut = [
        next((f[: f.index(e) + len(e)] for e in endings if e in f and x.endswith(e)), f)
        for f, x in zip(found, expected, strict=False)
    ]
    assert sorted(cut) == sorted(expected)
    assert len(found) == len(expected)


@pytest.mark.parametrize("text", ["a", "- a\n- b\n", "'{a: b}'", "3", "~", "|\n  . .\n"])
def test_no_mapping(inn: Path, text: str) -> None:
    assert faults(inn, text)[0].endswith(
        "expected a position: a mapping that starts with 'ruleset: NAME'"
    )


@parametrized_and(
    (f"|\n  {'. ' * 145}\n", "f:4:291: a row has at most 144 cells"),
    (f"|\n  {'. ' * 600}\n", "f:4:1003: a line has at most 1000 characters"),
)
def test_board_faults(inn: Path, board: str, expected: str) -> None:
    found = faults(inn, PLAIN.replace("guests:", f"board: {board}guests:"))
    assert found[0].startswith(expected)
    assert all("room" not in line for line in found)


def test_a_name_may_be_a_word_that_its_sort_tells_apart(inn: Path, tmp_path: Path) -> None:
    """A guest may be called as a room or a mood is, until a union or who acts has both."""
    text = PLAIN.replace("bo:", "b1:") + "board: |\n  . .\n"
    position = parsed(inn, text.replace("purse: 1", "purse: 1, at: b1"))
    assert list(map(str, position.listed["guest"])) == ["anna", "b1"]
    assert Position.parse(position.line()) == position
    assert str(position.value("at(b1)")) == "b1"
    turn = {parse_symbol("turn"): parse_symbol("b1")}
    moved = application.apply(position.with_changes(turn), "walk(b1, a1)").position
    assert str(moved.value("at(b1)")) == "a1"
    assert parsed(inn, PLAIN.replace("bo:", "grim:"))

    game = write_inn(tmp_path / "inn")
    with (game / "rules" / "game.lp").open("a") as file:
        file.write("sort(spot, union((guest, room))). action(greet, (mood, spot)).\n")
    for name in ("b1", "grim"):
        found = faults(game, text.replace("b1:", f"{name}:"))
        assert found == [f"f:5:3: '{name}' is a word of the game; choose another name"]


def test_too_many_characters(inn: Path) -> None:
    guests = "".join(f"  guest_{n}: {{purse: 1}}\n" for n in range(1, 66))
    text = f"ruleset: INN\nturn: guest_1\nguests:\n{guests}"
    assert faults(inn, text) == ["f:68:3: more than 64 guests"]
    position = parsed(inn, text.replace("  guest_65: {purse: 1}\n", ""))
    assert consistency.check(position).flaws == ()


def test_nobody_at_all(tmp_path: Path) -> None:
    """A heading may be empty where the file says so, and comes back as it was."""
    inn = write_inn(tmp_path / "inn")
    game = inn / "rules" / "game.lp"
    game.write_text(game.read_text().replace("turn, (), guest, given", "turn, (), guest, none"))
    position = parsed(inn, "ruleset: INN\nguests: {}\n")
    assert legality.legal_actions(position) == ()
    assert Position.parse(position.yaml()) == position == Position.parse(position.line())


def test_one_thing_under_two_keys(inn: Path, tmp_path: Path) -> None:
    """Keys that differ but name the same fluent."""
    game = write_inn(tmp_path / "inn")
    with (game / "rules" / "game.lp").open("a") as file:
        file.write("sort(shelf, listed). member(shelf, (at(1, 2); at(2, 2))).\n")
        file.write("fluent(stock, (shelf,), copies, 0).\n")
    text = PLAIN + "stock: {'at(1, 2)': 3, 'at(1,2)': 4, 'at( 2 , 2 )': 5}\n"
    assert faults(game, text) == ["f:6:24: stock(at(1, 2)) is given twice, first in line 6"]
    position = parsed(game, text.replace("'at(1,2)': 4, ", ""))
    assert 'stock: {"at(1, 2)": 3, "at(2, 2)": 5}' in position.line()
    assert Position.parse(position.line()) == position == Position.parse(position.yaml())


def test_many_faults_are_cut_and_quick(inn: Path) -> None:
    board = "board: |\n" + f"  {'. ' * 40}\n" * 40
    lit = "".join(f"  zz{n}: glod\n" for n in range(6_000))
    hand = ", ".join(f"pear_trat{n}" for n in range(6_000))
    text = f"{PLAIN}{board}lit:\n{lit}".replace("purse: 3", f"purse: 3, hand: [{hand}]")
    start = time.perf_counter()
    found = faults(inn, text)
    assert time.perf_counter() - start < 10
    assert len(found) == 101
    assert found[-1] == "f: and 11900 more"


@parametrized_and("x" * 900_000, "'" + "f(" * 400_000 + "'")
@pytest.mark.parametrize("where", ["value", "key", "name", "list", "ruling", "turn", "ruleset"])
def test_text_stays_text(inn: Path, value: str, where: str) -> None:
    """What is no member of the vocabulary is refused, whatever it looks like."""
    long_key = len(value) > 900 and where in ("key", "name", "ruling")
    text = {
        "value": PLAIN.replace("purse: 3", f"purse: 3, mood: {value}"),
        "key": PLAIN.replace("purse: 3", f"purse: 3, hand: {{{value}: 1}}"),
        "name": PLAIN.replace("  bo:", f"  {value}:"),
        "list": PLAIN.replace("purse: 3", f"purse: 3, hand: [{value}]"),
        "ruling": PLAIN + f"rulings: {{{value}: yes}}\n",
        "turn": PLAIN.replace("turn: anna", f"turn: {value}"),
        "ruleset": PLAIN.replace("INN", value),
    }[where]
    start = time.perf_counter()
    found = faults(inn, text)
    assert time.perf_counter() - start < 5
    assert len(found) <= 3
    assert all(len(line) < 300 for line in found)
    assert long_key or any(line.startswith("f:") for line in found)


def test_only_facts_of_the_vocabulary_reach_the_solver(
    inn: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The program of a question is the ruleset's own; a position adds atoms and no text."""
    from pymorph.asp import solver

    here = threading.get_ident()
    seen: list[tuple[str, list[str]]] = []
    solve = solver.solve

    def spy(part: Any, facts: Any, geometry: Any) -> Any:
        kept = list(facts)
        if threading.get_ident() == here:  # a question that ran out of time may still go on
            seen.append((part.text, [str(fact) for fact in kept]))
        return solve(part, kept, geometry)

    monkeypatch.setattr(solver, "solve", spy)
    position = dinner(inn)
    explanation.why(position, "eat(pear_tart)")
    application.apply(position, "eat(pear_tart)")
    programs = {part.text for part in position.ruleset.slices.values()}
    assert seen
    for program, facts in seen:
        assert program in programs
        for fact in facts:
            name = fact.split("(")[0]
            assert name in {"situation", "present", "holds", "ruled", "asked", "does"}


# One position, however it is written


def test_two_copies_are_two_cards(inn: Path) -> None:
    listed = parsed(
        inn, PLAIN.replace("purse: 3", "purse: 3, hand: [pear_tart, rye_bread, pear_tart]")
    )
    mapped = parsed(inn, PLAIN.replace("purse: 3", "hand: {rye_bread: 1, pear_tart: 2}, purse: 3"))
    assert listed == mapped
    assert listed.line() == mapped.line()
    assert str(listed.value("hand(anna, pear_tart)")) == "2"
    assert (
        str(application.apply(listed, "eat(pear_tart)").position.value("hand(anna, pear_tart)"))
        == "1"
    )
    assert listed != parsed(
        inn, PLAIN.replace("purse: 3", "hand: [pear_tart, rye_bread], purse: 3")
    )


def test_defaults_may_be_written(inn: Path) -> None:
    plain = parsed(inn)
    text = PLAIN.replace(
        "purse: 3", "purse: 3, mood: glad, at: none, eaten: 0, hand: {pear_tart: 0}"
    )
    assert (
        parsed(inn, text) == plain == parsed(inn, PLAIN.replace("purse: 3", "purse: 3, hand: []"))
    )
    assert parsed(inn, PLAIN + "rulings: {}\nlit: {}\ntower:\n") == plain


def test_keys_in_the_order_of_their_path(inn: Path) -> None:
    """A path may name the arguments in another order than the fluent has them."""
    position = dinner(inn)
    assert str(position.value("bell(c2, glad)")) == "4"
    assert parse_symbol("bell(c2, glad)") in position.fluents


def shuffled(data: Any, random_: random.Random) -> Any:
    if isinstance(data, dict):
        items = [(key, shuffled(value, random_)) for key, value in data.items()]
        random_.shuffle(items)
        return dict(items)
    if isinstance(data, list):
        return random_.sample(data, len(data))
    return data


class Words(yaml.SafeLoader):
    """Everything that is no mapping and no list is text."""

    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012


@pytest.mark.parametrize("seed", range(4))
def test_order_of_keys_does_not_matter(inn: Path, seed: int) -> None:
    data = yaml.load(POSITION, Words)
    text = json.dumps(shuffled(data, random.Random(seed)))
    other = Position.parse(text, "f", inn / "positions")
    assert other == dinner(inn)
    assert hash(other) == hash(dinner(inn))
    assert other.line() == dinner(inn).line()
    assert other.yaml() == dinner(inn).yaml()


def written_forms(position: Position, folder: Path) -> None:
    """Every form of a position reads back to it, and writes the same again."""
    forms = [
        Position.parse(position.line()),
        Position.load(position.line()),
        Position.parse(position.yaml()),
        Position.parse(json.dumps(position.data())),
        Position.parse(json.dumps(position.data(), indent=2, sort_keys=True)),
        pickle.loads(pickle.dumps(position)),
        copy.deepcopy(position),
    ]
    (folder / "far").mkdir(exist_ok=True)
    (folder / "far" / "position.yaml").write_text(position.yaml(folder / "far"))
    forms.append(Position.load(folder / "far" / "position.yaml"))
    for form in forms:
        assert form == position
        assert hash(form) == hash(position)
        assert form.line() == position.line()
    assert "\n" not in position.line()


@sampled("path", EXAMPLE_FILES, EXAMPLE_FILES[::4], ids=lambda path: str(path.relative_to(ROOT)))
def test_written_positions_read_back(path: Path, tmp_path: Path) -> None:
    """Those of one example in four by default, of the others with `-m campaign`."""
    position = Position.load(path)
    written_forms(position, tmp_path)
    seen = {position}
    for _, after in transitions.successors_of([position])[0][:1]:
        written_forms(after, tmp_path)
        seen.add(after)
    assert len({p.line() for p in seen}) == len(seen)


def test_written_forms_of_a_small_game(inn: Path, tmp_path: Path) -> None:
    written_forms(dinner(inn), tmp_path)
    written_forms(consistency.as_seen_by(dinner(inn), "bo"), tmp_path)
    written_forms(dinner(inn).with_rulings({"grace": "no"}), tmp_path)
    written_forms(parsed(inn), tmp_path)


def test_applied_json_is_a_file(my_game: Path, pymorph: Any) -> None:
    start = my_game / "positions" / "start.yaml"
    _, out, _ = pymorph("apply", start, "take(2)", "--json")
    answer = json.loads(out)
    Path("next.yaml").write_text(json.dumps(answer["position"]))
    after = application.apply(Position.load(start), "take(2)").position
    assert Position.load("next.yaml") == after
    assert answer["line"] == after.line()
    assert Position.load(answer["line"]) == after


def test_line_is_canonical(inn: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(inn.parent)
    assert dinner(inn).line() == tables(__name__)["line"]
    assert repr(dinner(inn)).startswith(f"<Position {dinner(inn).line()[:80]}")


# Values


def test_equality(inn: Path) -> None:
    position = dinner(inn)
    others = [
        parsed(inn),
        position.with_rulings({"grace": "no"}),
        position.with_changes({parse_symbol("mood(anna)"): parse_symbol("grim")}),
        Position.parse(POSITION.replace(". | .   .", "K | .   ."), "f", inn / "positions"),
        Position.parse(POSITION.replace(". | .", ".   ."), "f", inn / "positions"),
        Position.parse(POSITION.replace("bo:", "cy:"), "f", inn / "positions"),
    ]
    assert len({position, *others, dinner(inn)}) == 1 + len(others)
    assert position != "a position"


def test_immutable(inn: Path) -> None:
    position = dinner(inn)
    line = position.line()
    for name in ("ruleset", "board", "listed", "fluents", "rulings", "anything"):
        with pytest.raises((FrozenInstanceError, AttributeError)):
            setattr(position, name, None)
    for mapping in (position.listed, position.fluents, position.rulings):
        with pytest.raises(TypeError):
            mapping[next(iter(mapping))] = None  # type: ignore[index]
    rulings = {"grace": "no"}
    ruled = position.with_rulings(rulings)
    rulings["grace"] = "yes"
    assert ruled.rulings["grace"] == "no"
    application.apply(position, "eat(pear_tart)")
    position.with_changes({parse_symbol("mood(anna)"): parse_symbol("grim")})
    assert position.line() == line


def test_values(inn: Path) -> None:
    position = dinner(inn)
    assert position.value("purse(bo)").number == -2
    assert str(position.value("mood(anna)")) == "glad"
    for text, said in tables(__name__)["values"]:
        with pytest.raises(InputError) as caught:
            position.value(text)
        assert str(caught.value) == said
    with pytest.raises(InputError) as caught:
        position.with_rulings({"grase": "yes", "grace": "perhaps"})
    assert len(caught.value.faults) == 2


def moved(position: Position) -> tuple[Position, int, LineOfPlay]:
    """What a process of its own makes of a position."""
    played = application.play_through(position, ["eat(pear_tart)", "walk(bo, a1)"])
    return position, len(legality.legal_actions(position)), played


def test_positions_travel_between_processes(inn: Path) -> None:
    position = dinner(inn)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        back, number, played = pool.apply(moved, (position,))
    assert back == position
    assert hash(back) == hash(position)
    assert number == len(legality.legal_actions(position))
    assert played == moved(position)[2]
    assert played.json() == moved(position)[2].json()


def test_pickled_text_is_that_of_the_symbols(tmp_path: Path) -> None:
    """Values that people never type, as strings, still travel."""
    game = write_inn(tmp_path / "inn")
    with (game / "rules" / "game.lp").open("a") as file:
        file.write(
            'fluent(song, (guest,), sung, none). sort(sung, listed). member(sung, "La la").\n'
        )
    position = parsed(game).with_changes({parse_symbol("song(anna)"): position_value('"La la"')})
    assert pickle.loads(pickle.dumps(position)) == position


def position_value(text: str) -> Any:
    from clingo import parse_term

    return parse_term(text)


# Files


def test_load(inn: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = inn / "positions" / "dinner.yaml"
    assert Position.load(path) == Position.load(str(path))
    for bad, said in (
        ("nowhere.yaml", "nowhere.yaml: cannot be read: no such file or directory"),
        (tmp_path, f"{tmp_path}: cannot be read: is a directory"),
        (os.devnull, f"{os.devnull}:1: the file is empty"),
        ("{turn: anna}", "<line>:1:1: the key 'ruleset' is missing; expected the name of a game"),
        (" {a", "<line>:2:1: not YAML: did not find expected ',' or '}'"),
    ):
        with pytest.raises(InputError) as caught:
            Position.load(bad)
        assert str(caught.value) == said


def test_faults_know_their_place(inn: Path) -> None:
    with pytest.raises(InputError) as caught:
        parsed(inn, PLAIN.replace("turn: anna", "turn: ana"))
    assert caught.value.faults[0].place == Place("f", 2, 7)
    with pytest.raises(UnknownName) as unknown:
        parsed(inn, PLAIN.replace("INN", "nowhere"))
    assert unknown.value.faults[0].place == Place("f", 1, 10)


def test_games_without_boards_or_lists(my_game: Path) -> None:
    def said(text: str) -> list[str]:
        with pytest.raises(InputError) as caught:
            Position.parse(text, "f")
        return [str(fault) for fault in caught.value.faults]

    start = "ruleset: ./my_game\nturn: anna\nheap: 3\nplayers: {anna: {}, bo: {}}\n"
    assert Position.parse(start)
    assert said(start + "board: |\n  . .\n") == ["f:5:8: this game has no board"]
    assert said(start.replace("{}, bo", "{takn: 1}, bo")) == [
        "f:4:18: unknown key 'takn'; did you mean 'taken'?"
    ]


def test_games_that_say_nothing_of_their_characters(tmp_path: Path) -> None:
    game = write_inn(tmp_path / "bare")
    (game / "encodings" / "play.lp").unlink()
    (game / "rules" / "game.lp").write_text(
        'ruleset(bare, "1", "Bare").\n'
        "sort(player, file). heading(player, players).\n"
        "fluent(turn, (), player, given).\n"
        "action(go, (player,)).\n"
    )
    start = f'ruleset: "{game}"\nturn: anna\nplayers:\n  anna:\n  bo: {{}}\n'
    assert Position.parse(Position.parse(start).yaml()) == Position.parse(start)
    with pytest.raises(InputError) as caught:
        Position.parse(start.replace("{}", "{a: 1}") + "  cy: 3\n", "f")
    assert str(caught.value).split("\n") == [
        "f:5:7: 'bo' has no keys in this game; remove what it has",
        "f:6:7: 'cy' has no keys in this game; remove what it has",
    ]


def test_a_sort_of_the_file_needs_a_heading(tmp_path: Path) -> None:
    game = write_inn(tmp_path / "inn")
    path = game / "rules" / "game.lp"
    path.write_text(path.read_text().replace("heading(guest, guests).", ""))
    with pytest.raises(
        RulesetError, match="inn: the sort guest is listed in files, but has no heading"
    ):
        parsed(game)


LISTED = tables(__name__)["listed"]


def seats(position: Position) -> list[str]:
    return [str(position.value(f"seat({name})")) for name in ("zoe", "bo", "cy")]


def test_the_order_of_a_list_is_kept(tmp_path: Path) -> None:
    """in_order: who is listed against the alphabet has a higher number, in whatever form."""
    position = Position.parse(LISTED)
    assert seats(position) == ["0", "1", "1"]
    written_forms(position, tmp_path)


def test_an_order_that_is_the_alphabet_s_needs_no_numbers(tmp_path: Path) -> None:
    position = Position.parse(LISTED.replace("zoe", "amy"))
    assert [str(position.value(f"seat({name})")) for name in ("amy", "bo", "cy")] == ["0"] * 3
    written_forms(position, tmp_path)


def test_numbers_that_are_stated_go_before_the_list(tmp_path: Path) -> None:
    """Of those who state the same, or nothing, the list decides."""
    position = Position.parse(LISTED.replace("bo: {", "bo: {seat: 7, "))
    assert seats(position) == ["0", "7", "1"]
    written_forms(position, tmp_path)
    position = Position.parse(LISTED.replace("zoe: {", "zoe: {seat: 7, "))
    assert seats(position) == ["7", "0", "0"]


def test_an_order_beyond_the_highest_number_is_a_fault() -> None:
    text = LISTED.replace("initiative", "seat: 63, initiative", 2)
    with pytest.raises(InputError, match="needs a seat of 64; the highest is 63"):
        Position.parse(text)
