"""A game with seats: what no seat may know leaves no seat, however it asks.

Two positions that look the same to a seat are laid on two tables, and the seat asks the same of
both: the answers are equal, letter by letter.
"""

import json
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from pymorph import InputError, PymorphError, UnknownName, legal, legal_actions
from pymorph.answers import encode
from pymorph.doors.seats import MASTER, SPECTATOR, Seat, Table, seats_around
from pymorph.doors.table.tasks import TASKS
from pymorph.questions import consistency
from pymorph.state.position import Position
from pymorph.state.record import Record
from pymorph.verify.properties.knowledge import alike, lookings
from tests import casework
from tests.test_hidden_hands import FILE, PAGE

PROJECT = Path(__file__).parents[2]

Pair = tuple[str, Position, Position]
# Cases of the games in which something is hidden: a hand, a cover, a crossing.
CASES = {
    "quick_start_skirmish/hidden_cards": ("select_from_a_seen_hand",),
    "morphyry/knowledge": ("R-mor_tick_14-covers", "R-mor_int_02-across"),
}
DISPUTED = ("claims", "dispute", "rulings", "rule")
MOST = 1  # positions that look the same, of each case


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The games of the page about hidden bids and hands, in a folder."""
    folder = tmp_path_factory.mktemp("games")
    for name, text in FILE.findall(PAGE.read_text(encoding="utf-8")):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def laid(folder: Path, name: str, position: Position) -> Table:
    """A table with this position, and the same seed as any other."""
    return Table.laid(str(folder / f"{name}.yaml"), position, "4711")


def pairs_of(position: Position) -> Iterator[Pair]:
    """Who looks at a position, that position, and others that look the same."""
    for looking in lookings(position):
        for other in islice(alike(looking, Random(1)), MOST):
            yield looking.viewer, looking.here, other


def heard(question: Callable[[], object]) -> str:
    """What a seat hears: an answer, or an error."""
    try:
        return json.dumps(encode(question()), ensure_ascii=False)
    except PymorphError as error:
        return f"{type(error).__name__}: {error}"


def questions(truths: tuple[Position, Position]) -> list[str]:
    """Actions to ask about and to try: what is legal in truth, for anybody, and what is not."""
    real = [str(action) for truth in truths for action in legal_actions(truth)]
    some = [*dict.fromkeys(real)]
    chance = Random(3)
    chosen = chance.sample(some, min(len(some), 6))
    return [*chosen, *(text.replace("(", "x(") for text in chosen[:1]), "nothing", "_", "wait("]


def told(seat: Seat, actions: list[str]) -> Iterator[tuple[str, str]]:
    """All that a seat can ask, with what it hears."""
    claims = [{"claim": f"legal({action})"} for action in actions[:2]]
    asked: list[tuple[str, Callable[[], object]]] = [
        *((verb, partial(seat.ask, verb, {})) for verb in ("show", "legal", "forecast", "plan")),
        ("no figure", partial(seat.ask, "forecast", {"names": ["xyz", "abc(1)"]})),
        ("a file", partial(seat.ask, "show", {"svg": seat.table.path})),
        ("eyes", partial(seat.ask, "legal", {"as": "ann", "rulings": seat.table.path})),
        ("seen", seat.seen),
        ("record", seat.record),
        *((what, partial(TASKS[what], seat, {"claims": claims})) for what in DISPUTED),
        *((f"why {action}", partial(seat.ask, "why", {"what": action})) for action in actions),
    ]
    for name, question in asked:
        yield name, heard(question)


def compare(folder: Path, number: int, viewer: str, truths: tuple[Position, Position]) -> int:
    """Ask and play the same at two tables; gives the number of answers that were compared."""
    tables = [laid(folder, f"{n}-{number}", truth) for n, truth in zip("ab", truths, strict=True)]
    seats = [table.seat(viewer) for table in tables]
    if len({seat.view() for seat in seats}) > 1:  # what came of itself, or a roll, tells them apart
        return 0
    actions = questions(truths)
    count = 0
    for one, other in zip(*(told(seat, actions) for seat in seats), strict=True):
        assert one == other
        count += 1
    for action in actions:
        answers = [heard(partial(seat.apply, action)) for seat in seats]
        if len({seat.view() for seat in seats}) > 1:
            break  # the rules have shown which of the two it was
        assert answers[0] == answers[1], action
        assert heard(seats[0].seen) == heard(seats[1].seen)
        count += 2
    return count


def test_sealed_bids_and_hands_leave_no_seat(games: Path, tmp_path: Path) -> None:
    """Every seat of the two games of the page, beside all that its position may be."""
    positions = [Position.load(games / name) for name in ("bids.yaml", "hand.yaml")]
    pairs = [pair for position in positions for pair in pairs_of(position)]
    assert {viewer for viewer, *_ in pairs} >= {"ann", "bob", "cat"}
    counts = [compare(tmp_path, n, who, (a, b)) for n, (who, a, b) in enumerate(pairs)]
    assert sum(counts) > 20 * len(pairs)


@pytest.mark.doors
@pytest.mark.parametrize("name", CASES)
def test_what_is_hidden_in_a_game_leaves_no_seat(name: str, tmp_path: Path) -> None:
    game, _, file = name.partition("/")
    cases = {case.id: case for case in casework.load(casework.folder(game) / f"{file}.yaml")}
    pairs = [pair for case in CASES[name] for pair in islice(pairs_of(cases[case].position()), 2)]
    counts = [compare(tmp_path, n, who, (a, b)) for n, (who, a, b) in enumerate(pairs)]
    assert sum(counts) > 20 * len(pairs) > 0


@pytest.mark.doors
def test_what_is_declared_in_secret_leaves_no_seat(tmp_path: Path) -> None:
    """Under the reading in which only the kind of a declared action is public."""
    known = (PROJECT / "rules/phases_of_play/known.txt").read_text(encoding="utf-8").splitlines()
    text = next(line for line in known if "what_is_public: kind_public" in line)
    pairs = list(islice(pairs_of(Position.parse(text)), 3))
    counts = [compare(tmp_path, n, who, (a, b)) for n, (who, a, b) in enumerate(pairs)]
    assert sum(counts) > 10 * len(pairs) > 0


# -- what a seat does ------------------------------------------------------------------------------


@pytest.fixture
def bids(games: Path, tmp_path: Path) -> Table:
    """Ann has written 3 and Bob 2; Cat has not written."""
    return laid(tmp_path, "bids", Position.load(games / "bids.yaml"))


def test_a_seat_plays_for_itself_alone(bids: Table) -> None:
    cat = bids.seat("cat")
    with pytest.raises(InputError, match="this seat plays for cat, not for ann"):
        cat.play("seal(ann, 1)")
    answer = cat.play("seal(cat, 1)")
    assert answer.done
    assert str(bids.position.value("winner")) == "ann"
    seen = cat.seen().seen
    assert [step.action for step in seen] == ["seal(cat, 1)"]
    assert "3" not in {str(change.before) for change in seen[0].changes}
    assert bids.seat("bob").seen().seen[0].action == ""


def test_the_record_is_open_when_the_game_is_over(bids: Table) -> None:
    cat = bids.seat("cat")
    with pytest.raises(InputError, match="when the game is over"):
        cat.record()
    assert "seed" in bids.seat("master").record()
    cat.play("seal(cat, 1)")
    assert "seed: '4711'" in cat.record() or "seed: 4711" in cat.record()
    assert legal(cat.view()).over == ("seal_02",)


def test_a_spectator_sees_with_nobodys_eyes(bids: Table) -> None:
    spectator = bids.seat("spectator")
    assert {str(spectator.view().value(f"bid({who})")) for who in ("ann", "bob")} == {"hidden"}
    with pytest.raises(InputError, match="plays for nobody"):
        spectator.play("seal(cat, 1)")


def test_a_token_holds_a_seat(bids: Table) -> None:
    tokens = [bids.deal("cat"), bids.deal("ann")]
    assert [bids.held(token).name for token in tokens] == ["cat", "ann"]
    with pytest.raises(UnknownName, match=r"^no seat has this token$"):
        bids.held(tokens[0][:-1])
    with pytest.raises(UnknownName, match="did you mean 'cat'"):
        bids.deal("cta")


def test_a_game_is_rebuilt_from_its_record(bids: Table) -> None:
    bids.seat("cat").play("seal(cat, 1)")
    again = Table(bids.path)
    assert again.position == bids.position
    assert [move.action for move in again.undo()] == ["seal(cat, 1)"]
    assert str(bids.position.value("winner")) == "none"  # the other table reads it again
    assert Record.load(bids.path).seed == "4711"


def test_rolls_come_from_the_seed_of_the_record(tmp_path: Path) -> None:
    """Two tables with one seed roll the same; rolls stand in the record."""
    start = Position.load("examples/positions/spear_against_mail.yaml")
    one, other = laid(tmp_path, "one", start), laid(tmp_path, "other", start)
    rolls = [table.play("advance(lathana, 3)").outcome.rolls for table in (one, other)]
    assert rolls[0] == rolls[1] != ()
    assert [str(roll) for roll in rolls[0]] == list(Record.load(one.path).steps[0].rolls)


def test_a_player_that_is_called_as_the_master(tmp_path: Path) -> None:
    """The master runs the game all the same; the seat of the player has another name."""
    start = Position.load(PROJECT / "examples" / "courtyard" / "start.yaml")
    table = laid(tmp_path, "courtyard", start)
    seats = seats_around(consistency.observers(table.position))
    assert (seats[0], seats[-1]) == (MASTER, SPECTATOR)
    assert "player master" in seats
    assert table.seat(MASTER).is_master
    assert not table.seat("player master").is_master
    assert "master" in table.seat("player master").actors(table.position)
    assert [table.seat(name).title for name in seats] == seats
