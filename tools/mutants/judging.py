"""Whether anything notices a planted fault: the trials first, then verification."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from time import perf_counter
from typing import Any

from pymorph.asp.solver import Recorder
from pymorph.errors import RulesetError
from tools.mutants import catching, designed
from tools.mutants.index import Index
from tools.mutants.operators import Mutant
from tools.mutants.planting import plant

LEFT_OUT, TESTS, VERIFY, EQUIVALENT, SURVIVES, UNNOTICED = (
    "left out", "tests", "verify", "equivalent", "survives", "unnoticed",
)  # fmt: skip
STAGES = BY_TESTS, BY_ALL = ("tests", "all")  # what a fault has to get past
MOST_TRIALS = 40
UNGROUNDED = "do not ground"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a mutant, *by* what, and after how many trials.

    What is UNNOTICED got past the tests, and nothing else was asked.
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
) -> Iterator[Verdict]:
    """Try a fault on what may notice it, until something does, or it is past the stage *until*.

    No more cases than *most* are tried, of those that it may matter to. *beside* are the sets of
    cards that designers add, in which it is planted too.

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
    trials = index.trials_for(mutant, most)
    reached = len(trials)
    for number, trial in enumerate(trials, 1):
        trial.ready()
        failure = trial.failure(game, anew, Recorder(index.recall(mutant, game, trial)))
        if UNGROUNDED in failure:
            yield verdict(LEFT_OUT, failure[:200], trials=number)
            return
        if failure:
            yield verdict(TESTS, trial.name, trials=number, reached=reached)
            return
    case = designed.noticed(beside, original, mutant, most)
    if case:
        yield verdict(TESTS, case, trials=reached, reached=reached)
        return
    if until == BY_TESTS:
        yield verdict(UNNOTICED, until, trials=reached, reached=reached)
        return
    yield verdict(SURVIVES, trials=reached, reached=reached)
    caught = catching.caught_by_verify(original, mutant, game)
    if caught:
        yield verdict(VERIFY, caught, trials=reached, reached=reached)
        return
    witness = catching.differing(original, mutant)
    if witness == catching.NO_DIFFERENCE:
        yield verdict(EQUIVALENT, "the comparison", trials=reached, reached=reached)
        return
    yield verdict(SURVIVES, trials=reached, reached=reached, witness=witness)
