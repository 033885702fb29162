"""Who is right: verdicts, what they rest on, and the verb that asks for them."""

import json
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import pytest

from pymorph import Case, Position, Term, adjudicate
from pymorph.adjudication.case import Stated
from pymorph.adjudication.verdicts import ClaimVerdict
from pymorph.asp import grounding, solver
from pymorph.asp.dependency import Slice
from pymorph.asp.facts import Facts
from pymorph.board.geometry import Geometry
from pymorph.explore.search import search
from pymorph.questions import figures as queries_figures
from pymorph.questions import legality
from pymorph.questions.evaluation import WORDS, truths
from pymorph.state import claim as state_claim
from pymorph.state import names as state_names
from pymorph.views.lines import disputes
from pymorph.yamlio import Data
from tests.conftest import EXAMPLES, ROOT, Run, started
from tests.open_readings import case_of, some_function, some_options, write_open
from tests.tables import tables, with_campaign

HEAP = tables(__name__)["heap"]


def rulings(head: str, *stated: str, base: Path | None = None) -> tuple[ClaimVerdict, ...]:
    text = head + "claims:\n" + "".join(f"  - {one}\n" for one in stated)
    return adjudicate(Case.parse(text, "c.yaml", base)).claims


def verdicts(head: str, *stated: str, base: Path | None = None) -> list[str]:
    return [ruling.verdict for ruling in rulings(head, *stated, base=base)]


# -- verdicts --------------------------------------------------------------------------------------


@pytest.mark.campaign
def test_what_no_reading_turns_is_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The steps before a reading turns something are not asked again under its other options."""
    asked: Counter[tuple[object, frozenset[object]]] = Counter()

    def counted(part: Slice, facts: Facts, geometry: Geometry | None) -> grounding.Atoms:
        told = (fact for fact in facts if fact.name != "ruled")
        asked[part.shown, frozenset(told)] += 1
        return solved(part, facts, geometry)

    solved = solver.solve
    monkeypatch.setattr(solver, "solve", counted)
    case = Case.load(ROOT / "rules/quick_start_skirmish/disputes/tie_hit.yaml")
    assert adjudicate(case).claims[0].depends_on == ("draw_number", "tie_hit")
    again = sum(asked.values()) - len(asked)
    assert again <= 6, f"{again} of {len(asked)} questions were put again"


def test_never(tmp_path: Path) -> None:
    """A figure that never comes is above every number, and equal to another that never does."""
    from tests.open_readings import Function

    functions = [Function(0, (((), "never"),)), Function(1, (((), "3"),))]
    options = {"idle": ("no", "yes")}
    folder = write_open(tmp_path / "game", options, functions, random.Random(0))
    expected = tables(__name__)["never"]
    answer = adjudicate(case_of(folder, list(expected)))
    assert {ruling.claim: ruling.verdict for ruling in answer.claims} == {
        text.replace("not worth(0) = 3", "worth(0) != 3"): word for text, word in expected.items()
    }


# -- under all readings as under each --------------------------------------------------------------


def some_claims(position: Position, rnd: random.Random) -> list[str]:
    """Claims of figures that there are, and of actions that are legal or not."""
    texts = []
    figures = queries_figures.forecast(position).figures
    for figure in rnd.sample(figures, min(3, len(figures))):
        value = figure.value
        if isinstance(value, int):
            value = max(0, value + rnd.choice((0, 0, 1, -1)))
        wanted = 3 if value == "unknown" else value
        operator = rnd.choice(("=", "<", ">=")) if isinstance(wanted, int) else "="
        texts.append(f"{figure.name} {operator} {wanted}")
    legal = legality.legal_actions(position)
    some = [*rnd.sample(state_names.typed_actions(position), 3)]
    some += [action.symbol for action in rnd.sample(legal, min(2, len(legal)))]
    return texts + [f"{rnd.choice(('legal', 'illegal'))}({Term(action)})" for action in some]


def faults(path: Path, rnd: random.Random, number: int) -> tuple[list[str], int]:
    """Where verdicts on claims of a position are not those of readings taken one by one."""
    position = Position.load(path)
    questions = position.ruleset.questions.values()
    defaults = {**position.ruleset.defaults, **position.rulings}
    texts = some_claims(position, rnd)
    stated = [Stated("", state_claim.parse(position, text)) for text in texts]
    answer = adjudicate(Case(position, tuple(stated)))
    readings = [{q.id: rnd.choice(q.options)[0] for q in questions} for _ in range(number)]
    readings += [
        defaults | {q.id: rnd.choice(q.options)[0] for q in rnd.sample(list(questions), 4)}
        for _ in range(number)
    ]
    found = []
    for one, ruling in zip(stated, answer.claims, strict=True):
        nodes = [(position.with_rulings(r | dict(position.rulings)), ()) for r in readings]
        for reading, truth in zip(readings, truths(one.claim, nodes), strict=True):
            closed = "depends" if WORDS[truth] == "hidden" else WORDS[truth]
            told = ruling.under(reading | dict(position.rulings), defaults).verdict
            if told != closed:
                found.append(f"{path.stem}: {one.claim}: {told}, but {closed} under {reading}")
    return found, sum(bool(ruling.depends_on) for ruling in answer.claims)


POSITIONS = sorted(EXAMPLES.glob("positions/*.yaml"))


@with_campaign("name", ["bluff"], ["blade_on_blade", "hidden_cover", "right_cross"])
def test_as_under_each_reading(name: str) -> None:
    """The verdict under a reading is that of the position with all questions ruled on so."""
    found, _ = faults(EXAMPLES / "positions" / f"{name}.yaml", random.Random(name), 8)
    assert found == []


@pytest.mark.campaign
@pytest.mark.parametrize("path", POSITIONS, ids=lambda path: path.stem)
def test_every_position_as_under_each_reading(path: Path) -> None:
    for seed in range(4):
        found, _ = faults(path, random.Random(seed), 25)
        assert found == []


# -- the order changes nothing ---------------------------------------------------------------------


def told(answer: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {claim["said"] + str(claim["after"]): claim for claim in answer["claims"]}


@with_campaign("seed", [0], [1, 2, 3])
def test_order_of_claims_and_questions(tmp_path: Path, seed: int) -> None:
    """Claims, and the questions of the ruleset, in another order: the same answer to each claim."""
    rnd = random.Random(seed)
    options = some_options(rnd, 10)
    functions = [some_function(rnd, options, number, 4) for number in range(5)]
    stated: list[Data] = [f"worth({f.number}) >= 2" for f in functions]
    stated += [f"legal(act(anna, {f.number}))" for f in functions]
    stated += [
        {"claim": f"mark({f.number}) = 2", "after": [f"go(anna, {f.number})"]}
        for f in functions[:2]
    ]
    answers = []
    for number in range(2):
        # The questions are written in an order of chance; their options keep theirs.
        folder = write_open(tmp_path / f"game{number}", options, functions, rnd, shuffled=False)
        answers.append(told(adjudicate(case_of(folder, stated)).json()))
        rnd.shuffle(stated)
    assert answers[0] == answers[1]


def test_order_of_keys(my_game: Path) -> None:
    """The keys of a file, and of what is in it, in another order are the same case."""
    turned = (
        "claims:\n  - {after: [take(3)], claim: heap = 0, by: anna}\n"
        "  - {claim: legal(take(2)), by: bo}\n"
        "position: {players: {bo: {taken: 2}, anna: {}}, last: 2, heap: 3, turn: anna}\n"
        "title: Again\nruleset: ./my_game\n"
    )
    text = HEAP + (
        "claims:\n  - {by: anna, claim: heap = 0, after: [take(3)]}\n"
        "  - {by: bo, claim: legal(take(2))}\n"
    )
    one, other = adjudicate(Case.parse(text)), adjudicate(Case.parse(turned))
    assert one.json() == other.json()


def test_claim_by_claim_as_together(my_game: Path) -> None:
    """A claim has the answer that it has alone, whatever is claimed beside it."""
    stated = tables(__name__)["stated"]
    together = [ruling.json() for ruling in rulings(HEAP, *stated)]
    assert together == [rulings(HEAP, one)[0].json() for one in stated]


def test_told_as_soon_as_it_is_there(my_game: Path) -> None:
    """What can be brought about comes last, each claim with its number in the file."""
    text = HEAP + (
        "claims:\n  - {claim: can heap = 0, within: 1}\n  - heap = 3\n  - score(bo) = 2\n"
    )
    heard: list[int] = []
    answer = adjudicate(Case.parse(text), lambda number, _: heard.append(number))
    assert sorted(heard) == [0, 1, 2]
    assert heard[-1] == 0
    assert [ruling.claim for ruling in answer.claims] == tables(__name__)["claims_as_they_are_told"]


# -- the verb --------------------------------------------------------------------------------------

SAYS = tables(__name__)["says"]


@pytest.fixture
def written(my_game: Path) -> Path:
    """A folder with a case of each kind."""
    for name, says in SAYS.items():
        Path(f"{name}.yaml").write_text(f"{HEAP}claims:\n{says}".replace("Again", name.title()))
    return my_game.parent


def test_order_of_files(written: Path, pymorph: Run) -> None:
    names = ["yes.yaml", "depends.yaml", "void.yaml"]
    one = json.loads(pymorph("adjudicate", "--json", *names)[1])["cases"]
    other = json.loads(pymorph("adjudicate", "--json", *reversed(names))[1])["cases"]
    assert one == other[::-1]


def test_standard_input(written: Path) -> None:
    text = Path("no.yaml").read_text()
    process = started("adjudicate", "-", "--json", stdin=-1, cwd=written)
    out, err = process.communicate(text)
    assert (process.returncode, err) == (1, "")
    assert json.loads(out)["cases"][0]["file"] == "<stdin>"


def test_out_of_time(
    written: Path, pymorph: Run, monkeypatch: pytest.MonkeyPatch, time_is_up: Callable[[], NoReturn]
) -> None:
    """What was settled in time is told; what was not is undecided, and the code says so."""
    Path("long.yaml").write_text(
        f"position: {EXAMPLES / 'positions' / 'right_cross.yaml'}\n"
        "claims:\n  - {claim: cannot happens(perished(lathana)), within: 6 turns}\n"
        "  - phase = invoke\n"
    )
    monkeypatch.setattr(search.Search, "_expand", lambda *_: time_is_up())
    code, out, err = pymorph("adjudicate", "--timeout", "50", "--json", "yes.yaml", "long.yaml")
    assert (code, err) == (3, "pymorph: no answer within 50 seconds\n")
    yes, late = json.loads(out)["cases"]
    assert [claim["verdict"] for claim in yes["claims"]] == ["upheld"]
    assert [(claim["claim"], claim["verdict"]) for claim in late["claims"]] == [
        ("phase = invoke", "upheld")
    ]
    assert (yes["undecided"], late["undecided"]) == ([], ["cannot happens(perished(lathana))"])


def test_one_line_for_many_readings_of_one_verdict(my_game: Path) -> None:
    """Where only the reasons turn on how the rules are read, those by default are told."""
    (found,) = rulings(HEAP, "illegal(take(4))")
    game = Case.parse(HEAP + "claims: [heap = 3]", "c.yaml").position.ruleset
    [(_, account)] = found.accounts
    many = replace(
        found,
        accounts=tuple(({"same_again": o}, account) for o in ("allowed", "barred", "odd")),
        varies_with=("same_again",),
    )
    told = disputes.claim_lines(game, many)
    assert told[1] == "  upheld under every reading; the reasons depend on same_again"
    assert told[2:] == disputes.claim_lines(game, found)[2:]
    few = replace(many, accounts=many.accounts[:2])
    assert "  if same_again = barred: upheld" in disputes.claim_lines(game, few)
