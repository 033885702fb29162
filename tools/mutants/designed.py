"""A planted fault among cards that a designer adds: what no card that ships makes matter."""

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from pymorph.asp.solver import Recorder
from pymorph.errors import RulesetError
from pymorph.state.position import Position
from tests.morphyry import designing
from tools.mutants.index import Index
from tools.mutants.operators import Mutant
from tools.mutants.planting import Original, plant
from tools.mutants.trials import Trial, start_of

Place = tuple[str, int, int]


@dataclass(frozen=True)
class Designed(Trial):
    """A case about such cards, which begins in a ruleset of its own in *path*."""

    def _start(self, anew: bool = False) -> Position:
        assert self.case
        return designing.position(self.case, self.path)


@dataclass
class Cards(Index):
    """A ruleset with a set of such cards, and the cases about them."""

    name: str = ""
    folder_of_game: Path = Path()

    @cached_property
    def trials(self) -> dict[str, Trial]:
        cases = designing.cases(self.name)
        found = [
            Designed(f"{self.name}:{case.id}", self.name, case, self.folder_of_game)
            for case in cases
        ]
        return {trial.name: trial for trial in found}

    @cached_property
    def at(self) -> dict[Place, int]:
        """The statements of its own by where they stand."""
        return {place_of(self.original, number): number for number in self.numbers}

    def noticed(self, mutant: Mutant, place: Place, most: int) -> str:
        """The case that notices a fault at that place; "" if none does."""
        number = self.at.get(place)
        if number is None or self.original.pervades(number):
            return ""
        fault = replace(mutant, number=number)
        try:
            game = plant(self.original, fault)
        except RulesetError:
            return ""
        for trial in self.trials_for(fault, most):
            if trial.failure(game, answers=Recorder(self.recall(fault, game, trial))):
                return trial.name
        return ""


def sets(original: Original, root: Path, jobs: int) -> tuple[Cards, ...]:
    """All sets for a ruleset, run once with marks."""
    if original.ruleset.name != designing.GAME:
        return ()
    found = []
    with tempfile.TemporaryDirectory(prefix="designed-") as folder:
        for name in designing.NAMES:
            own = designing.made(Path(folder) / name, name)
            game = Original.of(str(own))
            cards = Cards(game, root, game.numbers, name=name, folder_of_game=own)
            for trial in cards.trials.values():
                start_of(trial)  # while there is a folder to read it from
            cards.build(jobs)
            found.append(cards)
    return tuple(found)


def place_of(original: Original, number: int) -> Place:
    """Where a statement stands, wherever the ruleset's folder is."""
    place = original.sources.statements[number].place
    parts = [part for part in Path(place.file).parts if part != designing.GAME]
    room = max(at for at, part in enumerate(parts) if part in ("rules", "encodings"))
    return "/".join(parts[room:]), place.line, place.column


def noticed(beside: Sequence[Cards], original: Original, mutant: Mutant, most: int) -> str:
    """The first case about such cards that notices a fault of *original*; "" if none does."""
    place = place_of(original, mutant.number) if beside else ("", 0, 0)
    for cards in beside:
        name = cards.noticed(mutant, place, most)
        if name:
            return name
    return ""
