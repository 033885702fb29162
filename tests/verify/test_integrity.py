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
from tests.tables import parametrized, tables
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


@parametrized
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
