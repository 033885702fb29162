"""What a planted fault is tried on, each as a trial: the cases and the disputes of a ruleset, and
the lists that its facts are held against."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any
from unittest import mock

from _pytest.outcomes import Failed
from clingo import Control

from pymorph import Case, adjudicate
from pymorph.adjudication import examples, test_runner
from pymorph.asp import solver
from pymorph.dynamics import transitions
from pymorph.questions import consistency
from pymorph.ruleset import compiler, loader
from pymorph.ruleset.cache.file_contents import FileContents
from pymorph.ruleset.loader import Ruleset
from pymorph.state import test_case
from pymorph.state.position import Position
from pymorph.state.test_case import GoldenCase
from pymorph.terms import Term
from tests import casework, wording
from tests.morphyry import designing, printed
from tools import disputes

WORD = re.compile(r"\b[a-z]\w*")  # of a case
TOGETHER = 2  # cases of a chapter from which the positions come that are asked together


@dataclass(frozen=True)
class Trial:
    """A case of `cases/*.yaml`, a dispute, or a list with all *facts* of some predicates.

    *group* is the file or folder that it is in.
    """

    name: str
    group: str
    case: GoldenCase | None = field(default=None, compare=False, repr=False)
    path: Path = Path()
    facts: Mapping[str, set[str]] = field(default_factory=dict, compare=False, repr=False)

    def failure(self, game: Ruleset, anew: bool = False, answers: solver.Solver = solver) -> str:
        """What is wrong under the rules of *game*, which *answers* puts questions to; "" if nothing
        is.

        With *anew* the file is read in the words of *game* too.
        """
        if self.facts:
            return self._listed(game)
        try:
            if anew:
                with standing_in(game):
                    if self.case:
                        return self._case(self._start(True), answers)
                    return self._dispute(self._read(), game, answers)
            if self.case:
                return self._case(replace(start_of(self), ruleset=game), answers)
            return self._dispute(disputes.case_of(self.path), game, answers)
        except (Exception, Failed) as error:
            return f"{type(error).__name__}: {error}"

    def ready(self) -> None:
        """Work out what is to be known before anybody listens to what the rules are asked."""

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of the file, and of the position that it starts from."""
        if self.case:
            return frozenset(WORD.findall(f"{self.case.text} {start_of(self).line()}"))
        return frozenset(WORD.findall(self.path.read_text(encoding="utf-8")))

    def _start(self, anew: bool = False) -> Position:
        assert self.case
        return self.case.position(anew)

    def _read(self) -> Case:
        return Case.load(self.path)

    def _listed(self, game: Ruleset) -> str:
        found = {**facts_of(game), **wording.spoken(game)}
        return "; ".join(
            f"{name}: {sorted(found.get(name, set()) ^ told)}"
            for name, told in sorted(self.facts.items())
            if found.get(name, set()) != told
        )

    def _case(self, start: Position, answers: solver.Solver) -> str:
        assert self.case
        return str(next(test_runner.faults(self.case, start, answers), ""))

    def _dispute(self, case: Case, game: Ruleset, answers: solver.Solver) -> str:
        position = replace(case.position, ruleset=game, answers=answers)
        answer = adjudicate(replace(case, position=position))
        if disputes.FOLDER not in self.path.parents:  # an example tells a few of its verdicts
            defaults = {**answer.ruleset.defaults, **case.position.rulings}
            return "; ".join(
                f"{ruling.claim}: not {word} under {dict(choices) or 'the defaults'}"
                for ruling in answer.claims
                for choices, word in ruling.stated.expect
                if ruling.under(dict(choices), defaults).verdict != word
            )
        with mock.patch.object(disputes, "judged", return_value=answer):
            found = disputes.faults(self.path)
            if disputes.exercised(self.path) != disputes.told_of(self.path):
                found.append("it exercises other rules or questions than the index says")
        return "; ".join(found)


@dataclass(frozen=True)
class Together(Trial):
    """Positions of a chapter, and some that they lead to, of which all is asked at once: each has
    the answers that it has alone."""

    cases: tuple[GoldenCase, ...] = field(default=(), compare=False, repr=False)

    def failure(self, game: Ruleset, anew: bool = False, answers: solver.Solver = solver) -> str:
        try:
            known = alone(self)
            positions = [replace(p, ruleset=game, answers=answers) for p in known]
            rows = transitions.successors_of(positions)
        except (Exception, Failed) as error:
            return f"{type(error).__name__}: {error}"
        for (position, expected), row in zip(known.items(), rows, strict=True):
            found = {action: after.fluents for action, after in row}
            if found != expected:
                return f"it has other successors beside others: {position.line()}"
        return ""

    def ready(self) -> None:
        alone(self)

    @cached_property
    def words(self) -> frozenset[str]:
        return frozenset(WORD.findall(" ".join(position.line() for position in alone(self))))

    def _starts(self) -> list[Position]:
        return [case.position() for case in self.cases]


@cache
def alone(trial: Together) -> dict[Position, dict[Term, Any]]:
    """The positions of a trial, each with what its actions lead to where nothing else is asked."""
    found: dict[Position, dict[Term, Any]] = {}
    for start in trial._starts():
        if consistency.check(start).flaws:
            continue  # no position of the game, so no answer is to be expected
        ((*row,),) = transitions.successors_of([start])
        for position in (start, *(after for _, after in row[:: max(len(row) // 2, 1)])):
            if position not in found:
                ((*after,),) = transitions.successors_of([position])
                found[position] = {action: reached.fluents for action, reached in after}
    return found


def together(path: Path, cases: Sequence[GoldenCase]) -> Together:
    """The trial of the positions of a chapter."""
    some = tuple(cases[:: max(len(cases) // TOGETHER, 1)])
    return Together(f"{path.stem}:together", path.stem, path=path, cases=some)


def facts_of(game: Ruleset) -> dict[str, set[str]]:
    """The facts that bear on play, by predicate."""
    parts = {part.text for verb in compiler.VERBS for part in game.slices[verb].parts}
    control = Control([], lambda *_: None)
    control.add("base", [], "\n".join(text for text in parts if ":-" not in text))
    control.ground([("base", [])])
    found: dict[str, set[str]] = {}
    for atom in control.symbolic_atoms:
        if atom.is_fact:
            found.setdefault(atom.symbol.name, set()).add(str(atom.symbol))
    return found


@cache
def start_of(trial: Trial) -> Position:
    return trial._start()


@contextmanager
def standing_in(game: Ruleset) -> Iterator[None]:
    """Files that name the ruleset of the same folders are read as being about *game*."""
    read = loader._loaded

    def loaded(own: FileContents, core: FileContents, folders: tuple[str, ...]) -> Ruleset:
        return game if folders == game.folders else read(own, core, folders)

    with mock.patch.object(loader, "_loaded", loaded):
        yield


@cache
def trials_of(game: Ruleset) -> tuple[Trial, ...]:
    """The cases and disputes that are about a ruleset."""
    found: list[Trial] = []
    folder = examples.folder_of(game)
    beside = casework.files_in(folder.parent.parent / "cases")  # of one in a folder of its own
    for path in (*casework.files(game.name), *filter(test_case.is_list, beside)):
        cases = casework.load(path)
        found += [Trial(f"{path.stem}:{case.id}", path.stem, case) for case in cases]
        found.append(together(path, cases))
    written = f"ruleset: {game.name}\n"
    for path in (*disputes.files(game.name), *sorted(folder.glob("*.yaml"))):
        if written in path.read_text(encoding="utf-8"):
            found.append(Trial(path.stem, path.parent.name, path=path))
    return tuple(found)


@cache
def lists_of(game: Ruleset) -> tuple[Trial, ...]:
    """The lists that the facts of a ruleset are held against: its cards and tables, its words."""
    if game.name not in wording.GAMES:
        return ()
    told = {**facts_of(game), **wording.spoken(game)}  # what a sort alone is made of has no say
    words = {name: rows for name, rows in wording.words(game.name).items() if name in told}
    found = [Trial("words", "lists", path=wording.file_of(game.name), facts=words)]
    if game.name == designing.GAME:
        cards = {name: told for name, told in printed.facts().items() if name != printed.TITLES}
        found.insert(0, Trial("printed", "lists", path=printed.FILE, facts=cards))
    return tuple(found)
