"""Hidden hands: what a player is told, beside every position that looks alike; what is refused."""

import re
from collections.abc import Iterator, Sequence
from itertools import permutations, product
from pathlib import Path
from random import Random

import pytest
from clingo import Function, Number, Symbol

from pymorph import RulesetError, as_seen_by, check
from pymorph.explore.execution.application import apply
from pymorph.questions.consistency import check_of
from pymorph.questions.legality import judged, legal, legal_actions
from pymorph.ruleset.loader import load
from pymorph.ruleset.vocabulary import HIDDEN
from pymorph.state.names import typed_actions
from pymorph.state.position import Position
from pymorph.verify.properties import knowledge
from pymorph.verify.report import NOT_TRIED, VIOLATED, WITHIN
from pymorph.verify.runner import verify
from pymorph.verify.scope import Scope
from tests.conftest import ROOT
from tests.tables import tables

PAGE = ROOT / "docs" / "howto" / "hidden.md"
FILE = re.compile(r"<!-- file: (\S+) -->\n```\w+\n(.*?)```", re.DOTALL)
PLAYERS = ("ann", "bob", "cat")
# A hand of counted cards, told by number.
COUNTED = tables(__name__)["counted"]
UNSEEN = tables(__name__)["unseen"]
START = tables(__name__)["start"]


@pytest.fixture(scope="module")
def tricks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The game of the page."""
    return written(tmp_path_factory.mktemp("hands"))


def written(
    folder: Path, changes: Sequence[tuple[str, str]] = (), more: str = "", start: str = ""
) -> Path:
    """The game of the page in a folder, changed; with a line more, and a position to start from."""
    for name, text in FILE.findall(PAGE.read_text(encoding="utf-8")):
        if not name.startswith("tricks/"):
            continue
        for old, new in changes:
            text = text.replace(old, new)
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + (more if name.endswith("tricks.lp") else ""))
    if start:
        (folder / "tricks" / "positions").mkdir()
        (folder / "tricks" / "positions" / "start.yaml").write_text(start)
    return folder / "tricks"


# -- beside all positions that look alike ----------------------------------------------------------


def name(text: str, *arguments: int) -> Symbol:
    return Function(text, [Number(n) for n in arguments])


CARDS = [name(suit, n) for suit in ("oak", "elm") for n in (1, 2, 3)]


def place(card: Symbol) -> Symbol:
    return Function("place", [card])


def dealt(folder: Path, chance: Random) -> Position:
    """A deal, with up to two cards left aside."""
    cards = chance.sample(CARDS, chance.choice([3, 6, 6]))
    hands = ", ".join(f"{card}: {PLAYERS[n % 3]}" for n, card in enumerate(cards))
    counts = ", ".join(f"{player}: {len(cards) // 3}" for player in PLAYERS)
    text = f"turn: {chance.choice(PLAYERS)}, place: {{{hands}}}, cards: {{{counts}}}"
    return Position.parse(f"{{ruleset: {folder}, {text}}}")


def met(folder: Path, number: int, seed: int) -> Iterator[Position]:
    """Positions of random play."""
    chance = Random(seed)
    position = dealt(folder, chance)
    for _ in range(number):
        yield position
        actions = legal_actions(position)
        position = (
            apply(position, chance.choice(actions)).position if actions else dealt(folder, chance)
        )


def looking_alike(position: Position, player: str) -> list[Position]:
    """Every position that looks like this one to a player: its hidden cards, dealt otherwise."""
    fluents = position.fluents
    others = [c for c in CARDS if str(fluents.get(place(c))) in set(PLAYERS) - {player}]
    spots = [fluents[place(card)] for card in others]
    return [
        position.with_changes({place(card): spot for card, spot in zip(others, row, strict=True)})
        for row in sorted(set(permutations(spots)))
    ]


def test_each_player_is_told_what_is_so_in_all_that_it_may_be(tricks: Path) -> None:
    """100 positions of random play, for each player."""
    for position in met(tricks, 100, seed=1):
        actions = list(typed_actions(position))
        for player in PLAYERS:
            view = as_seen_by(position, player)
            worlds = looking_alike(position, player)
            told = judged(view, actions)
            truths = [judged(world, actions) for world in worlds]
            for action in actions:
                so = {truth[action].legal for truth in truths}
                verdict = told[action]
                assert bool(verdict.depends_on) == (len(so) == 2), (view.line(), player, action)
                assert verdict.legal == (so == {True}), (view.line(), player, action)
                if so == {False}:
                    against = {rule for truth in truths for rule in truth[action].rules}
                    assert set(verdict.rules) <= against
                    assert verdict.rules


def test_the_positions_that_look_alike_are_all(tricks: Path) -> None:
    """Of all ways to put the hidden cards anywhere, those that are positions and look the same."""
    position = list(met(tricks, 3, seed=5))[2]
    for player in PLAYERS:
        view = as_seen_by(position, player)
        veiled = [fluent for fluent, value in view.fluents.items() if value == HIDDEN]
        spots = [Function(spot) for spot in (*PLAYERS, "middle", "aside")]
        rows = product(spots, repeat=len(veiled))
        tried = [view.with_changes(dict(zip(veiled, row, strict=True))) for row in rows]
        fits = {p for p, answer in zip(tried, check_of(tried), strict=True) if answer.consistent}
        alike = {each for each in fits if as_seen_by(each, player) == view}
        assert alike == set(looking_alike(position, player))


def test_what_a_card_hangs_on_is_what_the_rule_reads(tricks: Path) -> None:
    """Hands are counted, so the places of other cards would decide it too."""
    here = Position.parse(
        f"{{ruleset: {tricks}, turn: bob, led: oak, place: {{oak(1): middle, oak(2): ann, "
        "elm(1): ann, elm(2): bob, oak(3): cat, elm(3): cat}, cards: {ann: 2, bob: 1, cat: 2}}"
    )
    assert check(here).consistent
    doubts = {str(d.action): d.depends_on for d in legal(as_seen_by(here, "cat")).unsettled}
    assert list(map(str, doubts["play(bob, oak(2))"])) == ["place(oak(2))"]


# -- what is refused -------------------------------------------------------------------------------


def test_a_hand_told_by_number_is_refused(tmp_path: Path) -> None:
    """Its stand-in is no card: nobody would be told that there may be one."""
    with pytest.raises(RulesetError) as caught:
        load(str(written(tmp_path, COUNTED)))
    assert re.search(
        r"tricks\.lp:\d+:1: place\(C,hidden\) is shown instead of place\(C,X\), but 'hidden' is "
        r"not in the sort card; expected one of .*; write a fluent of each card with its owner "
        r"as the value, such as concealed\(place\(X\), C, place\(X\), S, R\)",
        str(caught.value),
    )


def test_a_stand_in_of_which_no_rule_speaks_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RulesetError) as caught:
        load(str(written(tmp_path, [*COUNTED, *UNSEEN])))
    assert re.search(
        r"tricks\.lp:\d+:1: place\(C,hidden\) is shown instead of place\(C,X\), but no rule says "
        r"what depends on it; conceal the fluent's own value",
        str(caught.value),
    )


def test_one_of_which_a_rule_speaks_is_not(tmp_path: Path) -> None:
    load(str(written(tmp_path, [*COUNTED, *UNSEEN], SPEAKS)))


def test_a_value_outside_its_sort_is_not_feigned(tmp_path: Path) -> None:
    more = "feigned(place(X), C, nowhere, S, fol_03) :- holds(place(X), C, S), X = oak(3).\n"
    with pytest.raises(RulesetError, match="place is feigned with a value outside its sort: 'now"):
        load(str(written(tmp_path, more=more)))
    (tmp_path / "other").mkdir()
    load(str(written(tmp_path / "other", more=more.replace("nowhere", "middle"))))


# -- verified --------------------------------------------------------------------------------------

# It says what hangs on hidden oak, and nothing of elm.
SPEAKS = tables(__name__)["speaks"]
# Nobody plays what beats a card that another holds.
TELLTALE = tables(__name__)["telltale"]


def leaks(folder: Path) -> tuple[str, list[str]]:
    report = verify(Scope(load(str(folder))), [knowledge.LEAK], jobs=1, properties=None)
    (found,) = report.checked
    return found.status, [each.says for each in found.findings]


def test_nothing_leaks_where_hands_are_concealed(tmp_path: Path) -> None:
    start = START.replace("place: {", "place: {oak(1): middle, ").replace(
        "ann: {oak(2): 1}, bob: {elm(1): 1, oak(3): 1}, cat: {elm(2): 1, elm(3): 1}",
        "oak(2): ann, elm(1): bob, oak(3): bob, elm(2): cat, elm(3): cat",
    )
    assert leaks(written(tmp_path, start=start)) == (WITHIN, [])
    (tmp_path / "other").mkdir()
    status, says = leaks(written(tmp_path / "other", more=TELLTALE, start=start))
    assert status == VIOLATED
    assert any(re.match(r"bob may play\(bob, oak\(3\)\) here; this looks the same as", s)
               for s in says), says  # fmt: skip


def test_what_nobody_can_know_is_found(tmp_path: Path) -> None:
    status, says = leaks(written(tmp_path, [*COUNTED, *UNSEEN], SPEAKS, START))
    assert status == VIOLATED
    assert re.match(
        r"to \w+, play\(\w+, elm\(\d\)\) is not legal, but it is legal here; this looks "
        r"the same to \w+ as place\(", says[0],
    )  # fmt: skip


def test_where_nothing_is_hidden_there_is_nothing_to_try() -> None:
    assert leaks(ROOT / "examples" / "rulesets" / "tictactoe") == (NOT_TRIED, [])
