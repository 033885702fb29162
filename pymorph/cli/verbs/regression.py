"""The verbs that try what comes with a ruleset, and what was played."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from pymorph.adjudication import regression
from pymorph.cli.app import DEPENDS, NO, YES, cli, complain
from pymorph.cli.options import (
    Options,
    PositionFile,
    RulesetName,
    code_of,
    common,
    jobs_option,
    json_option,
    put,
    scene_of,
    timeout_option,
    with_options,
)
from pymorph.cli.output import bar_file, put_line, style_of
from pymorph.errors import Fault, InputError, OutOfTime, Place
from pymorph.explore.execution import replay as replaying
from pymorph.ruleset import loader
from pymorph.runtime import executor, limits
from pymorph.state import record as records
from pymorph.views.lines import answers as text
from pymorph.views.lines import reports
from pymorph.views.pictures import ascii


@cli.command(name="test")
@click.argument("ruleset", type=RulesetName())
@click.argument("files", nargs=-1, type=click.Path(), metavar="[FILE]...")
@json_option
@timeout_option
@jobs_option
@with_options
def test(ruleset: str, files: tuple[str, ...], jobs: int, options: Options) -> int:
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
    game = loader.load(ruleset)
    known = regression.files_of(game)
    if files:
        named = [path for name in files for path in regression.within(Path(name))]
        wanted = {path.resolve(): str(path) for path in named}
        known = [(kind, path) for kind, path in known if path.resolve() in wanted]
        inside = {path.resolve() for _, path in known}
        known += [elsewhere(name, game) for path, name in wanted.items() if path not in inside]
    if not known:
        message = "nothing to test: the folders positions, records and cases have no file"
        raise InputError(Fault(message, Place(game.folders[0])))
    results: list[regression.Tried] = []
    bar = not options.as_json and len(known) > 5
    if jobs == 1:
        late = options.within_time(
            known, lambda file: results.append(regression.try_file(*file)), "files", bar
        )
    else:
        late = try_in_processes(known, jobs, options.timeout, bar, results)
    if late is not None:
        complain(f"pymorph: {late}")
    left = len(known) - len(results)
    data = {**loader.head(game), "files": [result.json() for result in results], "left": left}
    style = style_of()
    put(
        options,
        data,
        lambda: [*reports.lines(results, style), reports.summary(results, left, style)],
    )
    return NO if any(result.faults for result in results) else DEPENDS if late else YES


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


def try_in_processes(
    known: Sequence[tuple[str, Path]],
    jobs: int,
    timeout: float | None,
    visible: bool,
    results: list[regression.Tried],
) -> OutOfTime | None:
    """Try files in several processes, and put what became of them, in order, in *results*."""
    end = None if timeout is None else time.monotonic() + timeout
    with (
        executor.Workers(jobs, memory=limits.of_an_answer()) as workers,
        click.progressbar(length=len(known), label="files", file=bar_file(visible)) as bar,
    ):
        tasks = [workers.submit(try_in_worker, kind, path) for kind, path in known]
        workers.finish(tasks, end, lambda: bar.update(sum(t.done() for t in tasks) - bar.pos))
        for task, (kind, path) in zip(tasks, known, strict=True):
            if task.done():
                error = task.exception()
                fault = regression.Tried(str(path), kind, 0, (str(error),))
                results.append(fault if error else task.result())
    if len(results) == len(known):
        return None
    assert timeout is not None
    return limits.late(timeout)


def try_in_worker(_: None, kind: str, path: Path) -> regression.Tried:
    """What becomes of one file, in a worker."""
    return regression.try_file(kind, path)


LONG = 200  # steps from which on a bar shows how far it is


@cli.command()
@click.argument("file", type=PositionFile())
@click.option("--to", type=click.IntRange(0), metavar="N", help="Replay only the first N steps.")
@click.option("--show", is_flag=True, help="Show what each step changed.")
@common
def replay(file: str, to: int | None, show: bool, options: Options) -> int:
    """Check that a record follows the rules; explain the first illegal step.

    \b
    Example:
      pymorph new-ruleset my_game
      pymorph replay my_game/records/first.yaml
    """
    from dataclasses import replace

    from pymorph import yamlio

    style = style_of()
    played: list[dict[str, Any]] = []

    def question(keep: Callable[[replaying.Replay], None]) -> Any:
        record = records.Record.load(file)
        record = replace(record, position=options.under(record.position, file))
        steps = len(record.steps[:to])
        if show or options.as_json or steps < LONG or not sys.stderr.isatty():
            return replaying.replay(record, to, step if show else None, keep)
        with click.progressbar(length=steps, label=yamlio.name_of(file), file=sys.stderr) as bar:
            return replaying.replay(record, to, lambda *_: bar.update(1), keep)

    def step(number: int, _: Any, outcome: Any) -> None:
        if options.as_json:
            played.append({"step": number, "steps": [part.json() for part in outcome.steps]})
        else:
            for line in [*text.record_step(number, outcome.steps, style), ""]:
                put_line(line)

    def lines() -> list[str]:
        texts = text.replay(answer, yamlio.name_of(file), style)
        if answer.stop is None:
            return texts
        board = ascii.position_text(scene_of(answer.stop.position), style=style)
        return [*texts, "", style.bold("before it"), *board]

    answer, stopped = options.answer_so_far(question)
    data = {**answer.json(), **({"played": played} if show else {})}
    put(options, data, lines, stopped=stopped)
    if stopped:
        return code_of(stopped, DEPENDS)
    if answer.stop is not None and answer.stop.depends_on:
        return DEPENDS
    return YES if answer.good else NO
