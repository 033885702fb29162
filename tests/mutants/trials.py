"""What a planted fault is tried on: the cases and the disputes of a ruleset, each as a trial."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any
from unittest import mock

import yaml
from _pytest.outcomes import Failed

from pymorph import Case, adjudicate, examples, ruleset
from pymorph.position import Position
from pymorph.ruleset import WORD, Ruleset
from tests import casework, disputes


@dataclass(frozen=True)
class Trial:
    """A case of `cases/*.yaml`, or a dispute; *group* is the file or folder that it is in."""

    name: str
    group: str
    case: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)
    path: Path = Path()

    def failure(self, game: Ruleset, anew: bool = False) -> str:
        """What is wrong under the rules of *game*; "" if nothing is.

        With *anew* the file is read in the words of *game* too.
        """
        try:
            if anew:
                with standing_in(game):
                    return self._case(self._start()) if self.case else self._dispute(self._read())
            if self.case:
                return self._case(replace(start_of(self), ruleset=game))
            case = disputes.case_of(self.path)
            return self._dispute(replace(case, position=replace(case.position, ruleset=game)))
        except (Exception, Failed) as error:
            return f"{type(error).__name__}: {error}"

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of the file, and of the position that it starts from."""
        if self.case:
            return frozenset(WORD.findall(f"{self.case} {start_of(self).line()}"))
        return frozenset(WORD.findall(self.path.read_text(encoding="utf-8")))

    def _start(self) -> Position:
        with mock.patch.object(yaml, "load", loaded):
            return casework.position(self.case)

    def _read(self) -> Case:
        return Case.load(self.path)

    def _case(self, start: Position) -> str:
        casework.expect(start, self.case["expect"], self.name)
        return ""

    def _dispute(self, case: Case) -> str:
        answer = adjudicate(case)
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


@cache
def start_of(trial: Trial) -> Position:
    return trial._start()


loaded = cache(yaml.load)  # the bases, which many cases share


@contextmanager
def standing_in(game: Ruleset) -> Iterator[None]:
    """Files that name the ruleset of the same folders are read as being about *game*."""
    read = ruleset._loaded

    def loaded(own: ruleset.Contents, core: ruleset.Contents, folders: tuple[str, ...]) -> Ruleset:
        return game if folders == game.folders else read(own, core, folders)

    with mock.patch.object(ruleset, "_loaded", loaded):
        yield


@cache
def trials_of(game: Ruleset) -> tuple[Trial, ...]:
    """The cases and disputes that are about a ruleset."""
    found = []
    if casework.folder(game.name).is_dir():
        for path in sorted(casework.folder(game.name).glob("*.yaml")):
            if path.name != "bases.yaml":
                cases = casework.load(game.name, path.name)
                found += [Trial(f"{path.stem}:{case['id']}", path.stem, case) for case in cases]
    folder = examples.folder_of(game)
    written = f"ruleset: {game.name}\n"
    for path in (*disputes.files(game.name), *sorted(folder.glob("*.yaml"))):
        if written in path.read_text(encoding="utf-8"):
            found.append(Trial(path.stem, path.parent.name, path=path))
    return tuple(found)
