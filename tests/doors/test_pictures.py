"""Pictures: what `draw` gives, and what a notebook shows of every kind of value."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import pymorph
from pymorph import answers
from pymorph.explore.sampling.game_comparison import Contrast
from pymorph.questions.board.measuring import Distance
from pymorph.views.html import pages
from pymorph.views.pictures.svg_file import Area
from tests.conftest import ROOT

EXAMPLES = ROOT / "examples"
EVIL = '<script>alert("x")</script>'
VOID = {"img"}


def load(path: str) -> pymorph.Position:
    return pymorph.Position.load(EXAMPLES / path)


def duel() -> pymorph.Position:
    return load("positions/right_cross.yaml")


def wall() -> pymorph.Position:
    return load("field/wall.yaml")


def played(*actions: str) -> pymorph.Session:
    session = pymorph.Session(pymorph.position("tictactoe"))
    for action in actions:
        session.push(action)
    return session


class Page(HTMLParser):
    """A page of a notebook: its elements, attributes and texts; every element is closed in turn."""

    def __init__(self, value: Any) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""
        self._open: list[str] = []
        self.feed(value._repr_html_())
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        self._open += [] if tag in VOID else [tag]

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += "" if self._open[-1:] == ["style"] else data.replace("\u00a0", " ")


SPEAR = "positions/spear_against_mail.yaml"
CASE = "disputes/five_ticks.yaml"
RECORD = "rulesets/chess/records/to_and_fro.yaml"
# Each value that a notebook shows, with texts that are on its page.
SHOWN: dict[str, tuple[Callable[[], Any], list[str]]] = {
    "Position": (duel, ["baganal", "right_cross", "not from the source"]),
    "Legality": (lambda: duel().legal(), ["baganal", "may", "invoke(baganal)"]),
    "Why": (
        lambda: duel().why("advance(baganal, 3)"),
        ["not legal", "forbidden by", "mor_tick_03", "Speed uncovers ticks", "speed_left(baganal)"],
    ),
    "Forecast": (lambda: duel().forecast(), ["inertia(baganal)", "Punch damage 3", "[mor_int_03]"]),
    "Outcome": (lambda: duel().apply("invoke(baganal)"), ["speed_left(baganal):", "0 -> 3"]),
    "Check": (lambda: load("broken/too_much.yaml").check(), ["not consistent", "mor_move_12"]),
    "Odds": (lambda: load(SPEAR).odds("advance(lathana, 3)"), ["2 outcomes", "50.00%"]),
    "Case": (lambda: pymorph.Case.load(EXAMPLES / CASE), ["readies(baganal, main) = 0"]),
    "Adjudication": (
        lambda: pymorph.adjudicate(pymorph.Case.load(EXAMPLES / CASE)),
        ["readies(baganal, main) = 0", "upheld", "mor_int_04"],
    ),
    "Count": (lambda: pymorph.position("tictactoe").count(2), ["sequences", "72"]),
    "Plan": (lambda: played("put(x, a1)", "put(o, b2)").position.plan("wins(x)"), ["yes, in"]),
    "Replay": (lambda: pymorph.replay(pymorph.Record.load(EXAMPLES / RECORD)), ["8 steps"]),
    "Record": (lambda: pymorph.Record.load(EXAMPLES / RECORD), ["step 8 of 8", "next"]),
    "Session": (lambda: played("put(x, a1)"), ["step 1 of 1: put(x, a1)", "first"]),
    "Ruleset": (lambda: duel().ruleset, ["Morphyry", "open questions", "invoke(character)"]),
    "Simulation": (lambda: pymorph.position("tictactoe").simulate(20), []),
    "GameOutcome": (
        lambda: (
            played("put(x, a1)", "put(o, b1)", "put(x, a2)", "put(o, b2)", "put(x, a3)").outcome
        ),
        ["x wins", "[ttt_03]"],
    ),
    "LineOfPlay": (lambda: played().act("put(x, a1)")[0], ["put(x, a1)"]),
    "WhyEvent": (
        lambda: pymorph.why_event(duel(), "interrupts(baganal, main, right_cross)"),
        ["interrupts(baganal, main, right_cross)"],
    ),
    "Picture": (lambda: wall().draw(reach="ada"), []),
    "Distance": (lambda: wall().measure("ada", "dell"), ["from ada at c6 to dell at a6"]),
}


@pytest.mark.parametrize("name", SHOWN)
def test_a_notebook_shows(name: str) -> None:
    """A page that fetches nothing and runs no script; and a short line as its repr."""
    make, texts = SHOWN[name]
    value = make()
    assert type(value).__name__ == name
    page = Page(value)
    for text in texts:
        assert text in page.text
    assert "script" not in page.tags
    loads = [link for key, link in page.attributes if key in ("src", "href")]
    assert all(str(link).startswith("data:image/svg+xml;base64,") for link in loads)
    assert texts or loads
    assert len(repr(value)) <= answers.BRIEF
    assert "\n" not in repr(value)


def test_every_page_is_of_a_type_that_asks_for_it() -> None:
    beside = {"Contrast": Contrast, "Distance": Distance, "EveryReading": None}
    assert pages.PAGES.keys() == SHOWN.keys() | beside.keys()


def test_a_value_without_a_page_has_none() -> None:
    assert duel().ruleset.rule("mor_tick_03")._repr_html_() is None  # type: ignore[attr-defined]


def test_words_of_others_are_text(tmp_path: Path) -> None:
    """Neither a name, nor a note, nor the text of a rule is markup, in a page or in an SVG."""
    game = tmp_path / "evil"
    (game / "rules").mkdir(parents=True)
    (game / "encodings").mkdir()
    text = EVIL.replace('"', '\\"')
    (game / "rules" / "game.lp").write_text(f"""\
ruleset(evil, "1", "Evil {text}"). contract(3).
sort(player, file). heading(player, players).
sort(place, board). symbol(".", open). surface(". .").
fluent(turn, (), player, given).
action(go, (player,)).
document(book, "Book {text}"). rule(evil_01). title(evil_01, "Title {text}").
says(evil_01, "Says {text}"). source(evil_01, book, ""). status(evil_01, stated).
named(anna, "Anna {text}").
""")
    (game / "encodings" / "play.lp").write_text("""\
proposed(go(C), S, evil_01) :- holds(turn, C, S).
forbidden(go(C), S, evil_01) :- considered(go(C), S), present(C, S).
drawn(token(C), b1, S) :- present(C, S).
happens(gone(C), T, evil_01) :- does(go(C), _, T).
""")
    line = f"{{ruleset: {game}, turn: anna, players: {{anna: {{}}}}}}"
    position = pymorph.Position.parse(line)
    claim = (
        f"title: '{EVIL}'\nposition: \"{line}\"\nclaims: [{{by: anna, claim: legal(go(anna))}}]\n"
    )
    case = pymorph.Case.parse(f"ruleset: {game}\n{claim}")
    values = [position, position.why("go(anna)"), position.ruleset, case, pymorph.adjudicate(case)]
    for value in (*values, position.legal(), pymorph.Session(position), position.draw()):
        page = Page(value)
        assert "script" not in page.tags
    assert EVIL in Page(position.why("go(anna)")).text
    drawn = ET.fromstring(position.draw().svg)
    assert not [element for element in drawn.iter() if element.tag.endswith("script")]
    assert EVIL in "".join(drawn.itertext())


def test_draw_is_what_show_draws() -> None:
    """A session is drawn as it is now, a record at its end; a viewer sees what is known there."""
    session = played("put(x, b2)")
    assert (
        session.position.draw().svg == pymorph.draw(session).svg == pymorph.draw(session.record).svg
    )
    assert "sight" in wall().draw(sight=("dell", "hex")).text.lower()
    hidden = load("field/hidden.yaml")
    assert hidden.draw("foxes").svg != hidden.draw("watch").svg
    with pytest.raises(pymorph.UnknownName, match="nobody"):
        wall().draw(reach="nobody")


def test_a_picture_is_saved_by_its_ending(tmp_path: Path) -> None:
    picture = pymorph.position("tictactoe").draw()
    picture.save(tmp_path / "board.svg")
    picture.save(tmp_path / "board.txt")
    assert (tmp_path / "board.svg").read_text() == picture.svg == picture._repr_svg_()
    assert (tmp_path / "board.txt").read_text() == f"{picture}\n"
    with pytest.raises(pymorph.InputError, match=r"board\.png: no picture .*'\.png'; use \.svg"):
        picture.save(tmp_path / "board.png")


def test_a_position_without_a_board_is_a_table(tmp_path: Path) -> None:
    heap = pymorph.Position.parse("{ruleset: tictactoe, turn: x}")
    assert heap.draw().has_surface
    yard = Page(load("yard/start.yaml"))
    assert {"img", "table"} <= set(yard.tags)


def test_a_game_is_stepped_through_within_itself() -> None:
    """All boards but the last are hidden; what steps looks for no element by a name."""
    html = played("put(x, b2)", "put(o, a1)")._repr_html_()  # type: ignore[attr-defined]
    assert re.findall(r"<figure( hidden=\"hidden\")?>", html) == [' hidden="hidden"'] * 2 + [""]
    assert html.count("<button") == 4
    assert " id=" not in html
    assert "document" not in html


@pytest.mark.parametrize("bit_sliced", [True, False])
def test_dynamics_and_their_parts_have_short_reprs(bit_sliced: bool) -> None:
    dynamics = pymorph.dynamics_of(pymorph.position("tictactoe"), bit_sliced)
    states = dynamics.states(dynamics.encode([pymorph.position("tictactoe")]))
    moves = states.legal()
    texts = [re.sub("Bit(Sliced)?|Grounded", "", repr(each)) for each in (dynamics, states, moves)]
    assert texts == ["<: tictactoe>", "<States: 1 states>", "<Moves: 9 legal actions in 1 states>"]
    assert repr(moves.step(moves.legal[:1])).endswith("Transitions: to 1 states>")


def areas_of(path: str) -> list[Area]:
    return list(load(path).draw().areas)


def test_areas_of_a_board() -> None:
    """Each place and each token, in reading order; a mark is said by its place."""
    areas = areas_of("positions/right_cross.yaml")
    assert [area.term for area in areas][:4] == ["a3", "b3", "lathana", "c3"]
    place, piece = areas[1:3]
    assert place[:3] == ("b3", "place", "b3: Lathana")
    assert (place.row, place.column) == (piece.row, piece.column) == (1, 2)
    assert piece.kind == "piece"
    assert piece.title.startswith("Lathana: b3, facing south")
    (left, top, wide, high), (x, y, across, down) = place.box, piece.box
    assert left < x < x + across < left + wide
    assert top < y < y + down < top + high
    marked = {area.term: area.title for area in areas_of("rulesets/tictactoe/positions/fork.yaml")}
    assert (marked["a3"], marked["b3"]) == ("a3: O", "b3: empty")
    morris = areas_of("rulesets/nine_mens_morris/positions/moving.yaml")
    assert len(morris) == 24  # lines that cross a place make no point of it


@pytest.mark.parametrize("path", ["field/hexes.yaml", "yard/start.yaml", "field/full_table.yaml"])
def test_areas_are_within_their_picture(path: str) -> None:
    """All have a title of their own, and lie in the surface, which lies in the picture."""
    picture = load(path).draw()
    left, top, wide, high = picture.surface
    assert picture.areas
    assert len({area.title for area in picture.areas}) == len(picture.areas)
    for x, y, across, down in (area.box for area in picture.areas):
        assert left <= x <= x + across <= left + wide
        assert top <= y <= y + down <= top + high
    box = ET.fromstring(picture.svg).get("viewBox")
    assert box == "0 0 {:.0f} {:.0f}".format(*picture.size)


def test_a_table_has_a_scale() -> None:
    """By it a ruler on the picture measures what the rules do."""
    picture = load("rulesets/standoff/positions/start.yaml").draw()
    assert picture.scale is not None
    assert picture.scale.unit == "inch"
    (x, y), pixels = picture.scale.origin, picture.scale.pixels
    left, top, wide, high = next(area.box for area in picture.areas if area.term == "ann")
    middle = ((left + wide / 2 - x) / pixels, (y - top - high / 2) / pixels)
    assert middle == pytest.approx((6, 5), abs=0.01)
    assert wide / pixels == pytest.approx(25 / 25.4, abs=0.01)
    assert wall().draw().scale is None
