"""Whether anything notices a planted fault: the trials first, then verification."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from time import perf_counter
from typing import Any

from pymorph.asp.solver import overheard
from pymorph.errors import RulesetError
from tests.mutants import catching, designed
from tests.mutants.index import Index
from tests.mutants.operators import Mutant
from tests.mutants.planting import plant

LEFT_OUT, TESTS, VERIFY, EQUIVALENT, SURVIVES, UNNOTICED = (
    "left out", "tests", "verify", "equivalent", "survives", "unnoticed",
)  # fmt: skip
STAGES = BY_TESTS, BY_RULE, BY_ALL = ("tests", "rule", "all")  # what a fault has to get past
MOST_TRIALS = 40
UNGROUNDED = "do not ground"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a mutant, *by* what, and after how many trials.

    What is UNNOTICED got past all stages up to that under *by*, and nothing else was asked.
    A survivor has the number of trials that its fault could matter to under *reached*, and the
    position that tells it from the original under *witness*, if one was found.
    """

    mutant: str
    operator: str
    verdict: str
    by: str = ""
    trials: int = 0
    reached: int = 0
    witness: str = ""
    text: str = ""
    seconds: float = 0.0

    def json(self) -> dict[str, Any]:
        return asdict(self)


def judged(
    index: Index,
    mutant: Mutant,
    until: str = BY_ALL,
    beside: Sequence[designed.Cards] = (),
    most: int = MOST_TRIALS,
    past: Verdict | None = None,
) -> Iterator[Verdict]:
    """Try a fault on what may notice it, until something does, or it is past the stage *until*.

    What it got *past* before is not asked again. No more cases than *most* are tried, of those that
    it may matter to. *beside* are the sets of cards that designers add, in which it is planted too.

    When the trials did not, that is the first verdict, for the rest may take too long.
    """
    start = perf_counter()

    def verdict(word: str, by: str = "", **more: Any) -> Verdict:
        seconds = round(perf_counter() - start, 2)
        return Verdict(
            mutant.name, mutant.operator, word, by, text=mutant.text, seconds=seconds, **more
        )

    original = index.original
    try:
        game = plant(original, mutant)
        anew = game.vocabulary is not original.ruleset.vocabulary
    except RulesetError as error:
        yield verdict(LEFT_OUT, str(error)[:200])
        return
    trials = [] if past else index.trials_for(mutant, most)
    reached = past.reached if past else len(trials)
    for number, trial in enumerate(trials, 1):
        trial.ready()
        with overheard(index.recall(mutant, game, trial)):
            failure = trial.failure(game, anew)
        if UNGROUNDED in failure:
            yield verdict(LEFT_OUT, failure[:200], trials=number)
            return
        if failure:
            yield verdict(TESTS, trial.name, trials=number, reached=reached)
            return
    case = "" if past else designed.noticed(beside, original, mutant, most)
    if case:
        yield verdict(TESTS, case, trials=reached, reached=reached)
        return
    if until == BY_TESTS:
        yield verdict(UNNOTICED, until, trials=reached, reached=reached)
        return
    left = (SURVIVES, "") if until == BY_ALL else (UNNOTICED, until)
    yield verdict(*left, trials=reached, reached=reached)
    if past and past.by == BY_RULE:
        told = past.witness
    else:
        told = catching.by_the_rule(original, mutant, game)
    if told == catching.NO_DIFFERENCE:
        yield verdict(EQUIVALENT, "what it gives", trials=reached, reached=reached)
        return
    if until == BY_RULE:
        yield verdict(*left, trials=reached, reached=reached, witness=told)
        return
    caught = catching.caught_by_verify(original, mutant, game)
    if caught:
        yield verdict(VERIFY, caught, trials=reached, reached=reached)
        return
    told = told or catching.differing(original, mutant)
    if told == catching.NO_DIFFERENCE:
        yield verdict(EQUIVALENT, "the comparison", trials=reached, reached=reached)
        return
    yield verdict(SURVIVES, trials=reached, reached=reached, witness=told)
