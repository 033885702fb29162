"""The verbs that try what comes with a ruleset, and what was played."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from pymorph import yamlio
from pymorph.adjudication import regression
from pymorph.cli import values
from pymorph.cli.app import ErrorAnswer, Exit, complain
from pymorph.cli.options import FILE, JOBS, JSON, TIMEOUT, argument, flag, option
from pymorph.cli.output import BAR_FROM, bar_file, put_line, watched
from pymorph.cli.verb import AboutPosition, OneByOne, verb
from pymorph.dynamics.outcomes import Outcome, Step
from pymorph.errors import Fault, InputError, Place
from pymorph.explore.execution import replay as replaying
from pymorph.questions import answer_scope
from pymorph.questions.answer_scope import AnswerScope
from pymorph.ruleset import loader
from pymorph.runtime import executor, limits
from pymorph.state import record as records
from pymorph.views import picture
from pymorph.views.lines import answers as text
from pymorph.views.lines import reports
from pymorph.views.pictures import ascii


@verb("test")
class TestVerb(OneByOne):
    """Test that the files of a ruleset still have the results that they state.

    Without FILE, this tests the positions, records and cases in the ruleset's folders. A FILE may
    be a file or a folder, anywhere. A position must be valid. A record must be played by the rules
    and lead to its result. A claim of a case must have the verdicts that its `expect` lists. These
    are the verdict by default, and the one under each smallest set of choices that changes it.
    `expect` names every question on which the verdict depends, and no other.

    A file of cases may also be a list of test cases. Each has an `id`, a `position` or a `base`
    (from `bases.yaml` beside the file), fluents to `set`, and a list to `expect`. Each item carries
    out the actions under `do`, and then checks `legal`, `illegal`, `figures`, `holds`, `events`,
    `flaws` and others. `pymorph/state/test_case.py` lists them all.

    Exit codes: 0 all good, 1 a result differs, 2 nothing to test, 3 the time limit was reached.

    \b
    Example:
      pymorph new-ruleset my_game
      pymorph test my_game my_game/cases/last.yaml
    """

    ruleset: str = argument(values.RULE)
    files: tuple[str, ...] = argument(click.Path(), "[FILE]...", nargs=-1)
    as_json: bool = JSON
    timeout: float | None = TIMEOUT
    jobs: int = JOBS

    def check(self) -> None:
        self.game = loader.load(self.ruleset)
        self.known = self.known_files()
        self.bar = not self.as_json and len(self.known) >= BAR_FROM.files

    def work(self) -> Any:
        return super().work() if self.jobs == 1 else self.try_in_processes()

    def ask(self) -> list[regression.Tried]:
        results: list[regression.Tried] = []
        for file in self.with_bar(self.known, "files", self.bar):
            results.append(regression.try_file(*file))
            self.keep(list(results))
        return results

    def put(self, answer: list[regression.Tried]) -> None:
        if self.stopped is not None:
            complain(f"pymorph: {self.stopped}")
        super().put(answer)

    def known_files(self) -> list[tuple[str, Path]]:
        """The files to test, each with its kind.

        Raises: InputError, if there are none, or one cannot be tested.
        """
        known = regression.files_of(self.game)
        if self.files:
            named = [path for name in self.files for path in regression.within(Path(name))]
            wanted = {path.resolve(): str(path) for path in named}
            known = [(kind, path) for kind, path in known if path.resolve() in wanted]
            inside = {path.resolve() for _, path in known}
            others = [name for path, name in wanted.items() if path not in inside]
            known += [elsewhere(name, self.game) for name in others]
        if not known:
            message = "nothing to test: the folders positions, records and cases have no file"
            raise InputError(Fault(message, Place(self.game.folders[0])))
        return known

    def try_in_processes(self) -> list[regression.Tried]:
        results: list[regression.Tried] = []
        with (
            executor.Workers(self.jobs, memory=limits.of_an_answer()) as workers,
            click.progressbar(
                length=len(self.known), label="files", file=bar_file(self.bar)
            ) as bar,
        ):
            tasks = [workers.submit(try_in_worker, *file) for file in self.known]
            workers.finish(
                tasks, self.end, lambda: bar.update(sum(t.done() for t in tasks) - bar.pos)
            )
            for task, (kind, path) in zip(tasks, self.known, strict=True):
                if task.done():
                    error = task.exception()
                    fault = regression.Tried(str(path), kind, 0, (str(error),))
                    results.append(fault if error else task.result())
        self.keep(results)
        if len(results) < len(self.known):
            assert self.timeout is not None
            raise limits.late(self.timeout)
        return results

    def errors_in_json(self) -> Iterator[ErrorAnswer]:
        yield from (ErrorAnswer.of(tried.error) for tried in self.parts[0] if tried.error)
        yield from super().errors_in_json()

    def scope(self, answer: list[regression.Tried]) -> AnswerScope:
        return answer_scope.scope_of_files(self.game, len(answer))

    def data(self, answer: list[regression.Tried]) -> regression.Tests:
        return regression.Tests(self.game.edition, answer, len(self.known) - len(answer))

    def lines(self, answer: list[regression.Tried]) -> list[str]:
        summary = reports.summary(answer, len(self.known) - len(answer), self.style)
        return [*reports.lines(answer, self.style), summary]

    def code(self, answer: list[regression.Tried]) -> Exit:
        return Exit.of(not any(tried.faults for tried in answer))

    def code_of_part(self, answer: list[regression.Tried]) -> Exit:
        return self.code(answer) or Exit.DEPENDS


def elsewhere(name: str, game: loader.Ruleset) -> tuple[str, Path]:
    """A file that does not lie in the folders of its game, with its kind.

    Raises: InputError, if it is none that can be tried, or is about another game.
    """
    kind, path = regression.kind_of(Path(name)), Path(name)
    if not kind:
        raise InputError(Fault("not a position, a record or a case", Place(name)))
    about = regression.game_of(kind, path)
    if about is not None and about != game:
        says = f"this file is about {about.named_from()}, not about {game.named_from()}"
        raise InputError(Fault(says, Place(name)))
    return kind, path


def try_in_worker(_: None, kind: str, path: Path) -> regression.Tried:
    """What becomes of one file, in a worker."""
    return regression.try_file(kind, path)


@verb("replay")
class ReplayVerb(AboutPosition):
    """Check that a record follows the rules; explain the first illegal step.

    \b
    Example:
      pymorph new-ruleset my_game
      pymorph replay my_game/records/first.yaml
    """

    file: str = FILE
    to: int | None = option("--to N", "Replay only the first N steps.", click.IntRange(0))
    show: bool = flag("--show", "Show what each step changed.")

    def ask(self) -> replaying.Replay:
        self.name = yamlio.name_of(self.file)
        self.played: list[tuple[int, tuple[Step, ...]]] = []
        record = records.Record.load(self.file)
        record = replace(record, position=self.under(record.position, self.file))
        steps = len(record.steps[: self.to])
        wanted = not (self.show or self.as_json) and steps >= BAR_FROM.steps and watched()
        with click.progressbar(length=steps, label=self.name, file=bar_file(wanted)) as bar:
            on_step = self.on_step if self.show else lambda *_: bar.update(1)
            return replaying.replay(record, self.to, on_step, self.keep)

    def on_step(self, number: int, _: Any, outcome: Outcome) -> None:
        """Show what a step changed; as JSON, it is shown at the end."""
        if self.as_json:
            self.played.append((number, outcome.steps))
            return
        put_line(*text.record_step(number, outcome.steps, self.style), "")

    def data(self, answer: replaying.Replay) -> replaying.ReplayWithSteps:
        return replaying.ReplayWithSteps(answer, tuple(self.played) if self.show else None)

    def lines(self, answer: replaying.Replay) -> list[str]:
        texts = text.replay(answer, self.name, self.style)
        if answer.stop is None:
            return texts
        board = ascii.position_text(picture.scene_of(answer.stop.position), style=self.style)
        return [*texts, "", self.style.bold("before it"), *board]

    def code(self, answer: replaying.Replay) -> Exit:
        undecided = answer.stop is not None and answer.stop.depends_on
        return Exit.of(answer.good and not undecided, undecided)
