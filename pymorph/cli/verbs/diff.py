"""The verb that compares two versions of a ruleset."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import click

from pymorph.cli import values
from pymorph.cli.app import Exit, interrupted
from pymorph.cli.options import argument, flag, option, several
from pymorph.cli.texts import misused
from pymorph.cli.verb import verb
from pymorph.cli.verbs.check import WithFindings, WithinScope, extents_of, provide, save_witnesses
from pymorph.errors import InputError, PymorphError
from pymorph.ruleset import loader as games
from pymorph.state.files import reader
from pymorph.verify import pieces, report, scope
from pymorph.verify.versions import diff as diffs
from pymorph.verify.versions import revisions
from pymorph.views.lines import diff as views


@verb("diff")
class DiffVerb(WithinScope, WithFindings):
    """Compare two versions of a game; show the smallest positions where their answers differ.

    OLD and NEW are names or folders. With --of they are git revisions; without NEW, OLD is
    compared with the current files.

    \b
    Example:
      pymorph new-ruleset my_game
      pymorph new-ruleset my_other_game --from ./my_game
      pymorph diff ./my_game ./my_other_game
    """

    old: str = argument(values.RULE)
    new: str | None = argument(values.RULE, required=False)
    ruleset: str | None = option(
        "--of RULESET", "Compare git revisions OLD and NEW of this ruleset."
    )
    ids: tuple[str, ...] = several(
        "--topic",
        "Compare only this topic.",
        click.Choice(["positions", "legality", "changes", "figures"]),
    )
    everything: bool = flag("--all", "List all differences.")

    def answered(self) -> diffs.Comparison:
        with ExitStack() as self.stack:
            answer: diffs.Comparison = super().answered()
            return answer

    def work(self) -> diffs.Comparison:
        provide(self.save, None)
        one, other, base = versions(self.stack, self.ruleset, self.old, self.new)
        read_alike(one, other, self.readings)
        extents_of([one, other], self.extent)
        bounds = scope.Bounds.of(one, **self.sizes)
        resources = pieces.Resources(**self.limits(), end=self.end)
        return diffs.compare(one, other, base, bounds, self.readings, self.ids, resources)

    def finish(self, answer: diffs.Comparison) -> diffs.Comparison:
        self.saved = {}
        if self.save is not None:
            self.saved = save_witnesses(Path(self.save), answer.topics, True)
        return answer

    def data(self, answer: diffs.Comparison) -> diffs.Comparison:
        return answer.with_timings() if self.timings else answer

    def lines(self, answer: diffs.Comparison) -> list[str]:
        return views.comparison(answer, self.style, self.everything, self.saved)

    def code(self, answer: diffs.Comparison) -> Exit:
        if answer.interrupted:
            return interrupted()
        return {diffs.DIFFERENT: Exit.NO, report.UNKNOWN: Exit.DEPENDS}.get(answer.status, Exit.YES)


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
    for question, reading in sorted(readings.items()):
        knowing = [version for version in (old, new) if question in version.questions] or [new]
        faults += [
            f for version in knowing if (f := reader.ruling_fault(version, question, reading))
        ]
    if faults:
        raise InputError(faults[:1])
