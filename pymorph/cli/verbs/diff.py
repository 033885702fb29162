"""The verb that compares two versions of a ruleset."""

from __future__ import annotations

import sys
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click

from pymorph.cli.app import DEPENDS, NO, YES, cli, complain
from pymorph.cli.options import RulesetName, TextType, misused, options_of, put
from pymorph.cli.output import style_of
from pymorph.cli.verbs.check import VerifyProgress, extents_of, provide, save_witnesses
from pymorph.cli.verbs.check import verify as verifying
from pymorph.errors import InputError, PymorphError
from pymorph.ruleset import loader as games
from pymorph.runtime.ctrl_c import STOPPED
from pymorph.state.files import reader
from pymorph.verify import effort, report, runner, scope
from pymorph.verify.versions import diff as diffs
from pymorph.verify.versions import revisions
from pymorph.views.lines import diff as views

# The options that comparing shares with verifying.
SHARED = {
    "readings", "characters", "board", "cards", "copies", "numbers", "extent", "timeout",
    "timeout_each", "jobs", "scheduler", "save", "timings", "as_json",
}  # fmt: skip


class Version(TextType):
    """A ruleset, or a revision of one."""

    name = "version"
    shell_complete = RulesetName.shell_complete


@cli.command()
@click.argument("old", type=Version())
@click.argument("new", required=False, type=Version())
@click.option(
    "--of", "ruleset", metavar="RULESET", help="Compare git revisions OLD and NEW of this ruleset."
)
@click.option(
    "--topic",
    "ids",
    multiple=True,
    type=click.Choice(["positions", "legality", "changes", "figures"]),
    help="Compare only this topic; may be repeated.",
)
@click.option("--all", "everything", is_flag=True, help="List all differences.")
def diff(
    old: str,
    new: str | None,
    ruleset: str | None,
    ids: tuple[str, ...],
    readings: tuple[str, ...],
    timeout: float | None,
    timeout_each: float | None,
    jobs: int | None,
    scheduler: str,
    everything: bool,
    save: str | None,
    timings: bool,
    as_json: bool,
    **sizes: Any,
) -> int:
    """Compare two versions of a game; show the smallest positions where their answers differ.

    OLD and NEW are names or folders. With --of they are git revisions; without NEW, OLD is
    compared with the current files.

    \b
    Example:
      pymorph new-ruleset my_game
      pymorph new-ruleset my_other_game --from ./my_game
      pymorph diff ./my_game ./my_other_game
    """
    start = time.monotonic()
    options = options_of(as_json, timeout, readings, None, None, True)
    provide(save, None)
    with ExitStack() as stack:
        one, other, base = versions(stack, ruleset, old, new)
        read_alike(one, other, options.readings)
        extents_of([one, other], sizes["extent"])
        line = VerifyProgress(sys.stderr.isatty())
        try:
            limit = timeout_each or effort.EFFORT.piece_seconds
            end = None if timeout is None else start + timeout
            resources = runner.Resources(jobs or 0, scheduler, limit, line.show, end)
            bounds = scope.Bounds.of(one, **sizes)
            answer = diffs.compare(one, other, base, bounds, options.readings, ids, resources)
        finally:
            line.clear()
        saved = {} if save is None else save_witnesses(Path(save), answer.topics, True)

        def lines() -> list[str]:
            return views.comparison(answer, style_of(), everything, saved)

        put(options, answer.as_json(timings), lines)
    return code_of(answer)


diff.params += [param for param in verifying.params if param.name in SHARED]


def versions(
    stack: ExitStack, name: str | None, old: str, new: str | None
) -> tuple[games.Ruleset, games.Ruleset, games.Ruleset]:
    """The two versions, and the ruleset of which positions are shown.

    Raises: UsageError, if one is missing; UnknownName, InputError or RulesetError, if there is no
    such version, or it does not load.
    """
    if name is None:
        if new is None:
            raise misused("missing argument NEW: the version to compare OLD with")
        current = games.load(new)
        return games.load(old), current, current
    before = games.load(str(stack.enter_context(revisions.at_revision(name, old))))
    if new is None:
        current = games.load(name)
        return before, current, current
    after = games.load(str(stack.enter_context(revisions.at_revision(name, new))))
    try:
        return before, after, games.load(name)
    except PymorphError:
        return before, after, after


def read_alike(old: games.Ruleset, new: games.Ruleset, readings: dict[str, str]) -> None:
    """See to it that one version at least knows each reading. Raises: InputError."""
    faults = []
    for question, option in sorted(readings.items()):
        knowing = [version for version in (old, new) if question in version.questions] or [new]
        faults += [
            f for version in knowing if (f := reader.ruling_fault(version, question, option))
        ]
    if faults:
        raise InputError(faults[:1])


def code_of(answer: diffs.Comparison) -> int:
    """The exit code of a comparison."""
    if answer.interrupted:
        complain("interrupted")
        return STOPPED
    return {diffs.DIFFERENT: NO, report.UNKNOWN: DEPENDS}.get(answer.status, YES)
