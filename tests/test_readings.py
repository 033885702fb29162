"""Which questions decide, found by walking: what running through all readings says, and no more."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from pymorph import adjudicate
from pymorph.adjudication.verdicts import ClaimVerdict
from pymorph.questions.evaluation import MOST_ACCOUNTS, ClaimEvaluation, truths
from pymorph.questions.readings.partition import Choices
from pymorph.yamlio import Data
from tests import open_readings as brute
from tests.open_readings import Function, Options

NUMBERS = {"0": 0, "1": 1, "2": 2, "3": 3, "never": 99}


def figure_is_two(value: str) -> str:
    """What is to be said of the claim that the figure of a function is two at least."""
    return "inapplicable" if value == "void" else "upheld" if NUMBERS[value] >= 2 else "rejected"


def may_act(value: str) -> str:
    return "rejected" if value in ("0", "1", "void") else "upheld"


def mark_is_two(value: str) -> str:
    """Of the claim that a step marks it with two, where the step may be forbidden."""
    return "inapplicable" if value == "void" else "upheld" if value == "2" else "rejected"


def rings(value: str) -> str:
    return "inapplicable" if value == "void" else "upheld" if value == "never" else "rejected"


PLAIN = {"worth({}) >= 2": figure_is_two, "legal(act(anna, {}))": may_act}
FOLLOWING = {"mark({}) = 2": mark_is_two, "happens(rang)": rings}


def faults(
    ruling: ClaimVerdict, function: Function, options: Options, says: Callable[[str], str]
) -> str:
    """Where a ruling is not what running through all readings says; nothing if it is nowhere."""
    looked_at = {q: options[q] for q in function.questions}

    def verdict(reading: Choices) -> str:
        return says(function(reading))

    defaults = {q: row[0] for q, row in options.items()}
    words = {verdict(reading) for reading in brute.readings(looked_at)}
    deciding = brute.deciding(looked_at, verdict)
    suffices = {w: brute.sufficient(looked_at, verdict, w) for w in words} if deciding else {}
    turned = brute.fewest_changes(looked_at, verdict, {q: defaults[q] for q in looked_at})
    expected = {
        "verdict": words.pop() if len(words) == 1 else "depends",
        "defaults": verdict(defaults),
        "depends_on": list(deciding),
        "suffices": suffices,
        "turned_by": [{"choices": dict(c), "verdict": w} for c, w in turned],
    }
    found = ruling.json()
    assert found["complete"] or len(found["readings"]) > MOST_ACCOUNTS / 2
    wrong = [f"{k}: {found[k]}, not {v}" for k, v in expected.items() if found[k] != v]
    for reading in brute.readings(looked_at):
        account = ruling.under(reading, defaults)
        if account.verdict != verdict(reading):
            wrong.append(f"{account.verdict} under {reading}")
        for figure in account.figures if account.alike else ():
            if function(reading) != str(figure.value):
                wrong.append(f"{figure.name} is {figure.value} under {reading}")
    return "; ".join([f"{ruling.claim}:", *wrong]) if wrong else ""


def judged(
    folder: Path, seed: int, questions: int, number: int, following: int
) -> tuple[list[str], int]:
    """The faults of what is adjudicated over so many random functions, and how many depend."""
    rnd = random.Random(seed)
    options = brute.some_options(rnd, questions)
    functions = [brute.some_function(rnd, options, n) for n in range(number)]
    brute.write_open(folder, options, functions, rnd)
    asked = [(f, form, says) for f in functions for form, says in PLAIN.items()]
    asked += [(f, form, says) for f in functions[:following] for form, says in FOLLOWING.items()]
    claims: list[Data] = [
        {"claim": form.format(f.number)}
        | ({"after": [f"go(anna, {f.number})"]} if form in FOLLOWING else {})
        for f, form, _ in asked
    ]
    answer = adjudicate(brute.case_of(folder, claims))
    found = [
        faults(ruling, function, options, says)
        for ruling, (function, _, says) in zip(answer.claims, asked, strict=True)
    ]
    return list(filter(None, found)), sum(bool(r.depends_on) for r in answer.claims)


@pytest.mark.campaign
def test_few_functions(tmp_path: Path) -> None:
    """Eight functions of twelve questions: figures, prohibitions, what steps lead to, an event."""
    wrong, depend = judged(tmp_path / "game", 1, questions=12, number=8, following=3)
    assert wrong == []
    assert depend > 8


@pytest.mark.campaign
@pytest.mark.parametrize("seed", range(3))
def test_sixty_questions(tmp_path: Path, seed: int) -> None:
    """Forty functions of up to six of sixty questions."""
    wrong, depend = judged(tmp_path / "game", seed, questions=60, number=40, following=10)
    assert wrong == []
    assert depend > 40


def two_of_forty(tmp_path: Path) -> Path:
    """A game with forty idle questions, and two by which one may act or not."""
    options = {f"idle{n:02}": ("no", "yes") for n in range(40)}
    options |= {"one": ("no", "yes"), "other": ("no", "yes")}
    paths = (
        ((("one", "no"),), "0"),
        ((("one", "yes"), ("other", "no")), "1"),
        ((("one", "yes"), ("other", "yes")), "2"),
    )
    return brute.write_open(tmp_path / "game", options, [Function(0, paths)], random.Random(0))


def test_forty_idle_questions(tmp_path: Path) -> None:
    """What changes nothing is not named, be it asked alone or beside what hangs on all of them."""
    folder = two_of_forty(tmp_path)
    alone = adjudicate(brute.case_of(folder, ["legal(act(anna, 0))"])).claims[0]
    assert (alone.depends_on, alone.varies_with) == (("one", "other"), ())
    assert {q for choices, _ in alone.accounts for q in choices} == {"one", "other"}
    assert alone.suffices == {
        "rejected": ({"one": "no"}, {"other": "no"}),
        "upheld": ({"one": "yes", "other": "yes"},),
    }
    assert alone.turned_by == (({"one": "yes", "other": "yes"}, "upheld"),)
    claims = ["legal(act(anna, 0))", "worth(99) < 1", "legal(act(bo, 0))"]
    beside, never, others = adjudicate(brute.case_of(folder, claims)).claims
    assert beside.json() == alone.json()
    assert (never.depends_on, others.depends_on) == ((), ())
    assert (never.verdict, others.verdict) == ("rejected", "rejected")
    assert (beside.complete, never.complete) == (True, False)
    assert not all(account.alike for _, account in never.accounts)


def test_reasons_that_vary(tmp_path: Path) -> None:
    """A verdict may be settled while its figure turns: the question is named for the reasons."""
    folder = two_of_forty(tmp_path)
    found = adjudicate(brute.case_of(folder, ["worth(0) < 5"])).claims[0]
    assert (found.verdict, found.depends_on, found.suffices, found.turned_by) == (
        "upheld",
        (),
        {},
        (),
    )
    assert found.varies_with == ("one", "other")
    values = {
        tuple(sorted(choices.items())): account.figures[0].value
        for choices, account in found.accounts
    }
    assert values == {
        (("one", "no"),): 0,
        (("one", "yes"), ("other", "no")): 1,
        (("one", "yes"), ("other", "yes")): 2,
    }


def test_what_is_ruled_is_not_asked(tmp_path: Path) -> None:
    """With one question ruled on, the other alone decides, or nothing does."""
    folder = two_of_forty(tmp_path)
    for option, depends, verdict in (("yes", ("other",), "depends"), ("no", (), "rejected")):
        case = brute.case_of(folder, ["legal(act(anna, 0))"], {"one": option})
        found = adjudicate(case).claims[0]
        assert (found.verdict, found.depends_on) == (verdict, depends)
        assert all("one" not in choices for choices, _ in found.accounts)
        hearing = ClaimEvaluation(case.position, [case.claims[0].claim], case.position.rulings)
        truths = [truth for _, truth in hearing.truths(0, case.position.rulings)]
        assert len(truths) == len(depends) + 1


def test_what_a_step_leads_to(tmp_path: Path) -> None:
    """A step that is forbidden under one reading makes the claim inapplicable there, with why."""
    options = {"one": ("no", "yes"), "idle": ("no", "yes")}
    paths = (((("one", "no"),), "void"), ((("one", "yes"),), "2"))
    folder = brute.write_open(tmp_path / "game", options, [Function(0, paths)], random.Random(0))
    claim: Data = {"claim": "mark(0) = 2", "after": ["go(anna, 0)"]}
    found = adjudicate(brute.case_of(folder, [claim])).claims[0]
    assert (found.verdict, found.defaults, found.depends_on) == (
        "depends",
        "inapplicable",
        ("one",),
    )
    (no, forbidden), (yes, marked) = sorted(found.accounts, key=lambda pair: pair[0]["one"])
    assert (no, yes) == ({"one": "no"}, {"one": "yes"})
    assert forbidden.missing == ("step 1: go(anna, 0) is not legal",)
    assert forbidden.rules == ("f_00",)
    assert (marked.verdict, marked.facts) == ("upheld", ("mark(0) is 2",))


def test_the_answer_of_one_reading(tmp_path: Path) -> None:
    """Cut into cells, all the readings of a game of few questions say what each says alone."""
    rnd = random.Random(5)
    options = brute.some_options(rnd, 5)
    functions = [brute.some_function(rnd, options, n, 4) for n in range(4)]
    folder = brute.write_open(tmp_path / "game", options, functions, rnd)
    claims = [f"worth({n}) = 1 and legal(act(anna, {n}))" for n in range(4)]
    case = brute.case_of(folder, claims)
    stated = [one.claim for one in case.claims]
    hearing = ClaimEvaluation(case.position, stated, {})
    every = list(brute.readings(options))
    words = {True: "true", False: "false"}
    for number, claim in enumerate(stated):
        nodes = [(case.position.with_rulings(reading), ()) for reading in every]
        closed = truths(claim, nodes)
        cells = list(hearing.truths(number, {}))
        for reading, truth in zip(every, closed, strict=True):
            (parts,) = [p for c, p in cells if all(reading[q] == o for q, o in c.items())]
            value = functions[number](reading)
            figure = "void" if value == "void" else words[value == "1"]
            assert parts == [figure, words[may_act(value) == "upheld"]]
            assert truth == ("void" if "void" in parts else "false")
