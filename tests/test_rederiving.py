"""No verdict contradicts its own reasons: each is derived again from just what it cites."""

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pymorph import Case, adjudicate
from tests.conftest import EXAMPLES, ROOT
from tests.rederiving import faults
from tests.tables import sampled, tables

Json = dict[str, Any]
SHIPPED = sorted([*EXAMPLES.glob("disputes/*.yaml"), *ROOT.glob("rules/*/disputes/*.yaml")])
FEW = ("phases_of_play/corner_walls", "morphyry/reactions_use", "actions_reactions/traded_minor")


@sampled(
    "path",
    SHIPPED,
    [path for path in SHIPPED if f"{path.parent.parent.name}/{path.stem}" in FEW],
    ids=lambda path: path.stem,
)
def test_shipped(path: Path) -> None:
    """The verdicts of all that is shipped follow from what they cite.

    By default three are tried, with `-m campaign` the others.
    """
    case = Case.load(path)
    assert faults(case, adjudicate(case).json()) == []


# -- what is doctored is found out -----------------------------------------------------------------


CASE = tables(__name__)["case"]


def account(data: Json, number: int, reading: int = 0) -> Json:
    found: Json = data["claims"][number]["readings"][reading]
    return found


def turn(data: Json, number: int, word: str) -> None:
    claim = data["claims"][number]
    claim["verdict"] = claim["defaults"] = account(data, number)["verdict"] = word


def leave_out(data: Json, number: int, rule: str, reading: int = 0) -> None:
    for told in (data["claims"][number], account(data, number, reading)):
        told["rules"] = [name for name in told["rules"] if name != rule]


def figure(data: Json) -> Json:
    found: Json = account(data, 1)["figures"][0]
    return found


DOCTORED: list[tuple[Callable[[Json], object], str]] = [
    (lambda d: turn(d, 0, "rejected"), "rejected, but its own reasons make it upheld"),
    (lambda d: turn(d, 1, "rejected"), "rejected, but its own reasons make it upheld"),
    (lambda d: turn(d, 1, "inapplicable"), "inapplicable, but its own reasons make it upheld"),
    (lambda d: turn(d, 3, "rejected"), "rejected, but its own reasons make it upheld"),
    (lambda d: turn(d, 4, "upheld"), "upheld, although step 2 cannot be carried out"),
    (lambda d: leave_out(d, 0, "heap_02"), "something forbids take(bo, 5) that is not cited"),
    (lambda d: leave_out(d, 0, "heap_01"), "something forbids take(bo, 5) that is not cited"),
    (lambda d: leave_out(d, 1, "heap_02"), "a rule of score(bo) is not cited"),
    (lambda d: leave_out(d, 2, "heap_01"), "what allows take(anna, 2) is not cited"),
    (lambda d: leave_out(d, 3, "heap_03"), "by which emptied(anna) comes about is not cited"),
    (lambda d: leave_out(d, 4, "heap_03"), "something forbids take(bo, 1) that is not cited"),
    (lambda d: figure(d)["entries"][0].update(amount=3), "the items of score(bo) add up to 3"),
    (lambda d: figure(d).update(value=3), "upheld, but its own reasons make it rejected"),
    (lambda d: figure(d).update(value="never", entries=[]), "score(bo) is never by no rule"),
    (lambda d: account(d, 1).update(figures=[]), "its own reasons make it inapplicable"),
    (lambda d: account(d, 3).update(facts=["heap is 3"]), "it is not said that heap is 0"),
    (lambda d: account(d, 4).update(missing=["step 1: no"]), "another step is said to be illegal"),
    (lambda d: d["claims"][2].update(depends_on=[]), "it does not depend on what it says"),
    (lambda d: d["claims"][2].update(verdict="upheld"), "upheld is not what the readings come to"),
    (lambda d: d["claims"][2].update(defaults="rejected"), "not what the defaults come to"),
    (lambda d: d["claims"][2]["readings"].pop(), "its readings are not all there are"),
    (lambda d: account(d, 2, 1).update(verdict="upheld"), "its own reasons make it rejected"),
    (lambda d: d["claims"][2]["suffices"].update(upheld=[{}]), "{} does not suffice for upheld"),
    (lambda d: d["claims"][2]["turned_by"][0].update(choices={}), "{} does not turn it"),
    (lambda d: d["claims"][0].update(claim="illegal(take(bo, 4))"), "it is not illegal(take(bo,"),
    (lambda d: d["cited"][0].update(says="Anything goes."), "is not quoted as the catalogue has"),
    (lambda d: d["cited"].pop(), "it cites what is not quoted"),
    (lambda d: d["claims"].pop(), "there are not as many verdicts as claims"),
]  # fmt: skip


def test_doctored(my_game: Path) -> None:
    """A verdict turned, a rule left out, an amount changed: each is told for what it is."""
    case = Case.parse(CASE)
    sound = adjudicate(case).json()
    assert faults(case, sound) == []
    for number, (doctor, fault) in enumerate(DOCTORED):
        data = copy.deepcopy(sound)
        doctor(data)
        assert data != sound, number
        assert any(fault in found for found in faults(case, data)), (number, faults(case, data))
