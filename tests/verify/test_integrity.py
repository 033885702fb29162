"""The property data: each slip in a catalogue, a vocabulary or a card is found where it stands."""

from __future__ import annotations

import shutil
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest
from clingo import Control

from pymorph.ruleset import loader, locations
from pymorph.terms import text_of
from pymorph.verify.properties import integrity
from pymorph.verify.report import Finding
from pymorph.verify.scope import Scope
from pymorph.verify.sources import Sources
from tests.conftest import EXAMPLES, ROOT
from tests.tables import tables
from tools import headers

TEMPLATE = ROOT / "pymorph" / "ruleset" / "template"
MALFORMED = Path(__file__).parent / "malformed.lp"
PROPERTIES = sorted((ROOT / "rules").glob("*/properties/*.lp"))
GAME, PLAY = "rules/game.lp", "encodings/play.lp"
OWN = sorted(path for path in (EXAMPLES / "rulesets").iterdir() if path.is_dir())
DESIGNED = sorted((ROOT / "tests" / "morphyry" / "designed").glob("*.lp"))


def setting(folder: Path) -> Scope:
    return Scope(loader.load(str(folder)))


def findings(folder: Path) -> tuple[Finding, ...]:
    return integrity.check(setting(folder)).findings


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A copy of the starter ruleset."""
    return shutil.copytree(TEMPLATE, tmp_path / "game")


def edit(folder: Path, file: str, old: str, new: str) -> None:
    path = folder / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def line_of(folder: Path, file: str, text: str) -> str:
    """The place of the first line that has *text* in it."""
    lines = (folder / file).read_text(encoding="utf-8").splitlines()
    number = next(n for n, line in enumerate(lines, 1) if text in line)
    return f"{folder / file}:{number}"


# Whatever ships is clean


@pytest.mark.parametrize(
    "name", [*locations.shipped(), *map(str, OWN), str(TEMPLATE)], ids=lambda n: Path(n).name
)
def test_clean(name: str) -> None:
    found = integrity.check(Scope(loader.load(name)))
    assert found.findings == ()
    assert found.looked > found.subjects > 0
    assert found.closed


def test_property() -> None:
    assert integrity.PROPERTIES[0].id == "data"
    assert integrity.PROPERTIES[0].check is integrity.check


# Each slip: what is replaced by what, and where which subject is found with what


ONE_SLIP = [
    # a rule
    (GAME, 'title(heap_01, "In turn").\n', "",
     "rule(heap_01)", "heap_01", "the rule heap_01 has no 'title'"),
    (GAME, '"In turn"', '" "',
     "rule(heap_01)", "heap_01", "the rule heap_01 has no 'title'"),
    (GAME, 'says(heap_01, "The players take turns to take counters.").\n', "",
     "rule(heap_01)", "heap_01", "the rule heap_01 has no 'says'"),
    (GAME, 'source(heap_01, booklet, "Play").\n', "",
     "rule(heap_01)", "heap_01", "the rule heap_01 has no 'source'"),
    (GAME, "status(heap_01, stated).\n", "",
     "rule(heap_01)", "heap_01", "the rule heap_01 has no 'status'"),
    (GAME, "status(heap_01, stated)", "status(heap_01, statd)",
     "statd", "heap_01", "unknown status 'statd' of heap_01; did you mean 'stated'?"),
    # a document and its sections
    (GAME, "source(heap_01, booklet", "source(heap_01, boklet",
     "boklet", "heap_01", "source names an unknown document 'boklet'; did you mean 'booklet'?"),
    (GAME, 'source(heap_01, booklet, "Play")', 'source(heap_01, booklet, "Plays")',
     '"Plays"', "heap_01", "booklet has no section 'Plays'; did you mean 'Play'?"),
    (GAME, 'section(booklet, "End").', 'section(booklet, "End"). section(bookle, "End").',
     "bookle,", "bookle", "section names an unknown document 'bookle'; did you mean 'booklet'?"),
    (GAME, '"The booklet of Heap"', '""',
     "document(", "booklet", "document(booklet, ...) has no title"),
    # a question
    (GAME, "raises(heap_02, same_again).\n", "",
     "question(", "same_again", "no rule raises the question same_again"),
    (GAME, "raises(heap_02, same_again).", "raises((heap_02; heap_2), same_again).",
     "raises(", "heap_2",
     "raises names an unknown rule 'heap_2'; "
     "did you mean 'heap_02' or 'heap_03' or 'heap_01'?"),
    (GAME, "default(same_again, allowed).\n", "",
     "question(", "same_again", "the question same_again has no 'default'"),
    (GAME,
     'means(same_again, barred, "No: a player cannot take the number that was taken last.").\n',
     "", "option(same_again, barred)", "same_again",
      "the option barred of same_again has no 'means'"),
    (GAME, 'because(same_again, "The booklet names no such limit.").\n', "",
     "question(", "same_again", "the question same_again has no 'because'"),
    (GAME,
     'asks(same_again, "May a player take as many counters as the other player has just '
     'taken?").\n',
     "", "question(", "same_again", "the question same_again has no 'asks'"),
    # said twice
    (GAME, "rule(heap_03).", "rule(heap_03). rule(heap_01).",
     "rule(heap_03)", "heap_01", "rule heap_01 is stated twice, first at {rule(heap_01)}"),
    (GAME, "status(heap_03, stated).", 'status(heap_03, stated). title(heap_01, "Turns").',
     '"Turns"', "heap_01", "title of heap_01 is stated twice, first at {title(heap_01}"),
    (GAME, "default(same_again, allowed).",
     "default(same_again, allowed).\ndefault(same_again, barred).",
     "default(same_again, barred)", "same_again",
     "default of same_again is stated twice, first at {default(same_again, allowed)}"),
    (GAME, "fluent(last, (), counters, 0).",
     "fluent(last, (), counters, 0).\nfluent(last, (), amount, 1).",
     "amount, 1", "last", "fluent of last is stated twice, first at {fluent(last, (), counters}"),
    (GAME, "action(take, (player, amount)).",
     "action(take, (player, amount)).\naction(take, (player,)).",
     "take, (player,)", "take",
     "action of take is stated twice, first at {action(take, (player, amount)}"),
    (GAME, "figure(score, (player,), counters, 0, 99).",
     "figure(score, (player,), counters, 0, 99). finding(score, (player,)).",
     "figure(score", "score", "score is a figure and a finding, see {figure(score}"),
    # citing
    (PLAY, "over(S, heap_03) :- holds(heap, 0, S).",
     "over(S, R) :- ended(S, R).\nended(S, heap_33) :- holds(heap, 0, S).",
     "ended(S, heap_33)", "heap_33", "an encoding cites an unknown rule 'heap_33'; did you mean "
                                     "'heap_03'"),
    (PLAY, "over(S, heap_03) :- holds(heap, 0, S).",
     "over(S, R) :- holds(heap, 0, S), R = #min { R' : ends_by(R') }.\nends_by(heap_33).",
     "ends_by(heap_33)", "heap_33", "an encoding cites an unknown rule 'heap_33'; did you mean "
                                    "'heap_03'"),
    (PLAY, "% heap_03: an empty", "% heap_33: an empty",
     "% heap_33", "heap_33", "a comment names an unknown rule 'heap_33'; did you mean 'heap_03'"),
    (GAME, "rule(heap_03).",
     'rule(heap_04). title(heap_04, "Manners"). says(heap_04, "Nobody cheats.").\n'
     'source(heap_04, booklet, "Play"). status(heap_04, stated).\nrule(heap_03).',
     "rule(heap_04)", "heap_04", "no encoding cites the rule heap_04, and it is not waived"),
    (GAME, "status(heap_03, stated).",
     'status(heap_03, stated). waived(heap_03, "it goes without saying").',
     "waived(", "heap_03", "the rule heap_03 is waived, but is cited at {over(S, heap_03}"),
    # the vocabulary
    (GAME, "counters, 0, 99).", "counters, 99, 0).",
     "figure(", "score", "the figure score has an empty range, 99 to 0"),
    (GAME, "fluent(taken, (player,), counters, 0).", "fluent(taken, (player,), counters, 100).",
     "fluent(taken", "taken", "default of taken: '100' is not in the sort counters; "
     "expected 0 to 99"),
    (GAME, "most(3).", "most(3).\nusual(heep, 3).",
     "usual(", "heep", "usual names an unknown fluent 'heep'; did you mean 'heap'?"),
    (GAME, "most(3).", "most(3).\nusual(heap, 100).",
     "usual(", "heap", "usual of heap: '100' is not in the sort counters; expected 0 to 99"),
    (GAME, "most(3).", "most(3).\nextent(number, 3).",
     "extent(", "number", "extent names an unknown bound 'number'; did you mean 'numbers'?"),
    (GAME, "most(3).", "most(3).\nopen(takes).",
     "open(", "takes", "open names an unknown action 'takes'; did you mean 'take'?"),
    (GAME, "most(3).", "most(3).\nmember(counters, 3).",
     "member(", "counters", "member(counters, ...) needs a listed sort"),
    (GAME, "most(3).", "most(3).\nsort(colour, listed).",
     "sort(colour", "colour", "the sort colour has no members"),
    (GAME, "most(3).", "most(3).\nsort(limit, from(mast)).",
     "sort(limit", "limit", "the sort limit has no members: no facts mast; did you mean 'most'"),
    (GAME, "most(3).", "most(3).\nevent(1, (emptied; filled)).",
     "event(", "filled", "the event filled never happens; expected emptied"),
    (GAME, "most(3).", 'most(3).\nnamed(plaier, "Player").',
     "named(", "plaier", "named names an unknown thing 'plaier'; did you mean 'player'"),
    (GAME, "most(3).", "most(3).\nstatus(plaier, own).",
     "status(plaier", "plaier", "status names an unknown thing 'plaier'; did you mean 'player'"),
    # tables and cards
    (GAME, "most(3).", "most(3).\ntable(mast, (amount,)).",
     "table(mast", "mast", "the table mast/1 has no facts; did you mean 'most'"),
    (GAME, "table(most, (amount,)).", "table(most, (amount, amount)).",
     "table(most", "most", "the table most/2 has no facts; there is most/1"),
    (GAME, "most(3).",
     "most(3). sort(coin, from(coin)). coin(penny). coin(crown).\ncoin(shilling).\n"
     'named(penny, "Penny"). named(crown, "Crown").',
     "coin(shilling)", "shilling", "the coin shilling has no name, as others have ('named')"),
    (GAME, "most(3).", "most(3). sort(coin, from(coin)). coin(penny).\ncoin(penny). % again",
     "% again", "penny", "coin penny is stated twice, first at {sort(coin}"),
    # properties of its own
    (GAME, "most(3).",
     'most(3).\nproperty(fair).\nmeaning(fair, "nobody loses").\nspeaks(fair, S) :- situation(S).',
     "property(", "fair", "the property fair has no 'violated'"),
    (GAME, "most(3).", "most(3).\nspeaks(fare, S) :- situation(S).",
     "speaks(", "fare", "speaks names an unknown property 'fare'"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("file", "old", "new", "at", "subject", "says"), ONE_SLIP, ids=[row[5][:60] for row in ONE_SLIP]
)
def test_slip(game: Path, file: str, old: str, new: str, at: str, subject: str, says: str) -> None:
    """One slip is one finding, at its line; {text} in what is said is the place of that text."""
    edit(game, file, old, new)
    said, _, other = says.rstrip("}").partition("{")
    if other:
        said += line_of(game, PLAY if "over(" in other else GAME, other)
    [finding] = findings(game)
    assert (finding.place, finding.subject) == (line_of(game, file, at), subject)
    assert finding.says.startswith(said)
    assert "\n" not in finding.says


def test_one_slip_may_show_twice(game: Path) -> None:
    """What is misnamed is missing where it belongs."""
    edit(game, GAME, "title(heap_01,", "title(heap_1,")
    assert [(f.subject, f.says.partition(";")[0]) for f in findings(game)] == [
        ("heap_01", "the rule heap_01 has no 'title'"),
        ("heap_1", "title names an unknown rule 'heap_1'"),
    ]


def test_question_that_is_a_rule(game: Path) -> None:
    edit(game, GAME, "question(same_again).", "question(same_again).\nquestion(heap_01).")
    place = line_of(game, GAME, "question(heap_01)")
    said = [finding.says for finding in findings(game) if finding.place == place]
    assert (
        said[0] == f"heap_01 is a rule and a question, see {line_of(game, GAME, 'rule(heap_01)')}"
    )
    assert "the question heap_01 has fewer than two options" in said


def test_rule_of_ones_own_needs_no_source(game: Path) -> None:
    edit(game, GAME, 'source(heap_01, booklet, "Play").\nstatus(heap_01, stated).', "")
    edit(game, GAME, "rule(heap_01).", "rule(heap_01). status(heap_01, own).")
    assert findings(game) == ()


def test_own_property_carries_out_no_rule(game: Path) -> None:
    edit(game, GAME, "rule(heap_03).", 'rule(heap_03). waived(heap_01, "try it").')
    properties = game / "rules" / "properties"
    properties.mkdir()
    (properties / "fair.lp").write_text(
        'property(fair).\nmeaning(fair, "nobody takes none").\nspeaks(fair, S) :- situation(S).\n'
        "% heap_04: a comment that names what is no rule here.\n"
        "violated(fair, C, S, heap_01) :- idle(C, S).\nidle(C, S) :- holds(turn, C, S).\n"
    )
    [finding] = findings(game)
    assert finding.says.startswith("the rule heap_01 is waived, but is cited at")
    assert PLAY in finding.says


def test_findings_come_in_the_order_of_the_files(game: Path) -> None:
    edit(game, PLAY, "% heap_03: an empty", "% heap_30: an empty")
    edit(game, GAME, 'title(heap_02, "Up to three").', "")
    edit(game, GAME, "status(heap_01, stated).", "")
    assert [finding.subject for finding in findings(game)] == ["heap_30", "heap_01", "heap_02"]


# The cards of a game that has some


BROKEN = {entry["card"]: set(map(tuple, entry["breaks"])) for entry in tables(__name__)["broken"]}
SLIPS = [
    ("techniques.lp", "right_cross, (1, ready, 2, 1;", "right_cross, (1, ready, -2, 1;"),
    ("techniques.lp", "payoff(front_kick, 2).", ""),
    ("techniques.lp", 'named(leap, "Leap").', ""),
]


def copied(folder: Path) -> Path:
    """The game with cards, in a folder that may be edited."""
    for part in ("rules", "encodings"):
        shutil.copytree(ROOT / part / "morphyry", folder / part)
    return folder


OF_CARDS = ("cards", "objects")
header_of = cache(headers.read)


def broken(sources: Sources) -> dict[str, set[tuple[str, str]]]:
    """What the ruleset's own properties say of its facts: property and rule for each card."""
    names = (text_of(name) for (name,) in sources.arguments_of("property", 1))
    own = {name for name in names if name.startswith("card_")}
    told: list[str] = []
    control = Control(["-t1"], lambda _, message: told.append(message))
    control.add("situation(0).")
    control.add(
        "\n".join(
            s.text
            for s in sources.statements
            if s.kind != "rule" or Path(s.place.file).stem in OF_CARDS
        )
    )
    control.ground()
    assert told == []
    found: dict[str, set[tuple[str, str]]] = defaultdict(set)
    spoken: set[str] = set()
    for atom in control.symbolic_atoms:
        name, arguments = atom.symbol.name, [text_of(a) for a in atom.symbol.arguments]
        if name == "violated":
            found[arguments[1]].add((arguments[0], arguments[3]))
        elif name == "speaks":
            spoken.add(arguments[0])
    assert spoken == own
    return found


@pytest.mark.campaign
def test_cards_that_are_not_well_formed(tmp_path: Path) -> None:
    """Each is found by what a card has to have, and no other, of the game or that the tests add."""
    game = copied(tmp_path / "game")
    for path in (*DESIGNED, MALFORMED):
        shutil.copy(path, game / "rules")
    for file, old, new in SLIPS:
        edit(game, f"rules/{file}", old, new)
    checked = setting(game)
    [found] = integrity.check(checked).findings
    assert (found.subject, found.says.partition(", ")[2]) == ("leap", "as others have ('named')")
    assert broken(checked.sources) == BROKEN | {
        "right_cross": {("card_actions", "mor_tick_01")},
        "front_kick": {("card_payoff", "mor_tick_06")},
    }


@pytest.mark.parametrize("path", PROPERTIES, ids=lambda path: path.stem)
def test_header_agrees_with_the_properties(path: Path) -> None:
    found = header_of(path)
    assert found.disagreements() == []
    assert max(map(len, path.read_text(encoding="utf-8").splitlines())) <= 100
    others = {other for other in (ROOT / "encodings").rglob("*.lp") if other.parent.name != "show"}
    for other in map(header_of, sorted(others.union(PROPERTIES) - {path})):
        assert found.listed["Keeps"].isdisjoint(other.heads | other.bodies), other.path.name
