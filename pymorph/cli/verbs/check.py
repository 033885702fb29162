"""The verb that asks whether the rules of a game hold together."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from pymorph import yamlio
from pymorph.board.drawing import MAX_SIZE
from pymorph.cli import values
from pymorph.cli.app import Exit, interrupted
from pymorph.cli.options import JSON, SCHEDULER, argument, flag, option, several
from pymorph.cli.output import put_text
from pymorph.cli.texts import misused
from pymorph.cli.verb import CommandLine, verb
from pymorph.errors import Fault, InputError, Place, clipped, reason
from pymorph.ruleset import loader, locations
from pymorph.state.files import reader
from pymorph.verify import effort, runner
from pymorph.verify import junit as junits
from pymorph.verify import report as reporting
from pymorph.verify import scope as scoping
from pymorph.verify.versions import revisions
from pymorph.views import layout
from pymorph.views.lines import reports as views

if TYPE_CHECKING:
    from pymorph.verify.pieces import Progress
    from pymorph.verify.report import Property, PropertyResult, Witness
    from pymorph.verify.scope import Scope

    Saved = dict[tuple[str, Witness], str]

OfRuleset = runner.Report | runner.Checkable
SIZE = re.compile(r"([1-9][0-9]{0,2})x([1-9][0-9]{0,2})")
COUNT = click.IntRange(1, 1000)


def board_size(text: str) -> tuple[int, int]:
    """The columns and rows of a board. Raises: BadParameter."""
    match = SIZE.fullmatch(text)
    if match is None or max(int(match[1]), int(match[2])) > MAX_SIZE:
        sizes = f"expected COLUMNSxROWS such as 4x3, up to {MAX_SIZE}x{MAX_SIZE}"
        raise click.BadParameter(f"{clipped(text)} is not a size; {sizes}")
    return int(match[1]), int(match[2])


def property_names(ctx: click.Context) -> list[str]:
    """The properties and their families, of a ruleset or of all."""
    scopes = scopes_of(ctx.params.get("ruleset"), {}, {})
    known = [about for scope in scopes for about in runner.properties_of(scope)]
    return sorted({name for about in known for name in (about.id, about.family) if name})


SAVE = option(
    "--save DIR",
    "Write the position of each finding to a file in DIR.",
    click.Path(file_okay=False),
)


class WithinScope(CommandLine):
    """A verb that searches small positions: how far, for how long, and in how many processes."""

    readings: dict[str, str] = several(
        "--reading QUESTION=OPTION", "Answer an open question with OPTION."
    )
    characters: int | None = option(
        "--characters N", "Check N members of each sort that files list (2).", COUNT
    )
    board: tuple[int, int] | None = option(
        "--board CxR",
        "Check a board of C columns and R rows (3x3). A start position's own board is used if it "
        "is no larger; of a board that the game draws, a corner.",
        board_size,
    )
    cards: int | None = option(
        "--cards N",
        "Check N cards of each sort, the most different ones; 0: all (4).",
        click.IntRange(0, COUNT.max),
    )
    copies: int | None = option(
        "--copies N", "Check up to N copies of each card in a place (1).", COUNT
    )
    numbers: int | None = option("--numbers N", "Check counters up to N (12).", COUNT)
    extent: tuple[str, ...] = several(
        "--extent SORT=N", "Check N members of this sort, or these: SORT=MEMBER,MEMBER."
    )
    timeout: float | None = option(
        "--timeout SECONDS",
        "Stop after SECONDS; properties not settled by then are unknown (exit 3).",
        values.seconds,
    )
    timeout_each: float | None = option(
        "--timeout-each SECONDS", "Stop each piece of the work after SECONDS (40).", values.seconds
    )
    jobs: int | None = option(
        "--jobs N", "Work in N processes (one for each core, up to 4).", click.IntRange(1, 64)
    )
    scheduler: str = SCHEDULER

    @property
    def sizes(self) -> dict[str, Any]:
        """The bounds that are given."""
        names = ("characters", "board", "cards", "copies", "numbers", "extent")
        return {name: getattr(self, name) for name in names}

    def limits(self) -> dict[str, Any]:
        """What the search may take, in the words of `runner.verify` and `pieces.Resources`."""
        return {
            "jobs": self.jobs or 0,
            "scheduler": self.scheduler,
            "seconds_each": self.timeout_each or effort.EFFORT.piece_seconds,
            "listener": self.on_progress,
        }

    def on_progress(self, so_far: Progress) -> None:
        """Show on a terminal how far the search is."""
        done = f"{so_far.done}/{so_far.pieces}"
        self.progress.write(f"{done} {so_far.property} {so_far.seconds:.0f} s")


class WithFindings(CommandLine):
    """A verb that writes what it comes upon to files, and prints it."""

    save: str | None = SAVE
    timings: bool = flag("--timings", "With --json: include how long each property took.")
    as_json: bool = JSON


class WithReport(WithFindings):
    """A verb that also writes a report."""

    everything: bool = flag("--all", "List all findings, including accepted ones.")
    save: str | None = SAVE
    junit: str | None = option(
        "--junit FILE", "Write a report for build servers; - prints only the report."
    )


@verb("verify")
class VerifyVerb(WithinScope, WithReport):
    """Check that the rules of a game are sound; show a smallest position where a property fails.

    RULESET is a name or a folder; without it, all games that ship with pymorph are checked. What is
    proved applies to all positions, any other result to the positions that were searched.

    \b
    Example:
      pymorph new-ruleset my_game
      pymorph verify ./my_game
    """

    ruleset: str | None = argument(values.GAME, required=False)
    ids: tuple[str, ...] = several(
        "--property ID", "Check only this property or family.", values.Completed(property_names)
    )
    listing: bool = flag("--list", "List the properties, and check nothing.")
    changed: tuple[str, ...] = several(
        "--changed FILE",
        "Check only what the changes in FILE since the last commit affect.",
        click.Path(),
    )
    since: str | None = option(
        "--since REV", "Check only what the changes since a git revision affect."
    )

    def check(self) -> None:
        if self.junit == "-" and (self.as_json or self.listing):
            raise misused("--junit - cannot be combined with --json or --list")
        self.scopes = scopes_of(self.ruleset, self.sizes, self.readings)
        self.chosen = chosen_of(self.scopes, self.ids)

    def work(self) -> Sequence[OfRuleset]:
        if self.listing:
            pairs = zip(self.scopes, self.chosen, strict=True)
            return [runner.Checkable(scope.ruleset, chosen) for scope, chosen in pairs]
        if self.changed or self.since is not None:
            self.scopes = changed_only(self.scopes, self.changed, self.since)
        provide(self.save, self.junit)
        reports: list[runner.Report] = []
        for scope, properties in zip(self.scopes, self.chosen, strict=True):
            left = self.time_left()
            reports.append(
                runner.verify(scope, seconds=left, properties=properties, **self.limits())
            )
            self.progress.clear()
            if reports[-1].interrupted:
                break
        return reports

    def finish(self, answer: Any) -> Any:
        self.saved: Saved = {}
        if self.save is not None and not self.listing:
            for report in answer:
                folder = Path(self.save, *[report.ruleset.name] * (len(self.scopes) > 1))
                self.saved |= save_witnesses(folder, report.checked, self.everything)
        if self.junit and self.junit != "-" and not self.listing:
            yamlio.write(self.junit, junits.junit(answer))
        return answer

    def put(self, answer: Any) -> None:
        if self.junit == "-":
            put_text(junits.junit(answer))
        else:
            super().put(answer)

    def data(self, answer: Any) -> OfRuleset | OfSeveral:
        timed = self.timings and not self.listing
        return joined([report.with_timings() if timed else report for report in answer])

    def lines(self, answer: Any) -> list[str]:
        if self.listing:
            known = {about.id: about for properties in self.chosen for about in properties}
            return views.properties(list(known.values()), self.style)
        how = (self.style, self.everything, self.saved)
        return layout.spaced(views.report(report, *how) for report in answer)

    def code(self, answer: Any) -> Exit:
        if self.listing:
            return Exit.YES
        if any(report.interrupted for report in answer):
            return interrupted()
        statuses = {status for report in answer for status in report.statuses}
        return (
            Exit.NO
            if reporting.VIOLATED in statuses
            else Exit.of(reporting.UNKNOWN not in statuses, True)
        )


# -- what is to be checked -------------------------------------------------------------------------


def scopes_of(
    name: str | None, sizes: Mapping[str, Any], readings: Mapping[str, str]
) -> list[Scope]:
    """What is verified: the ruleset of that name, or all that ship, under what the user says.

    Raises: UnknownName, if there is no such ruleset; InputError, if none has such a reading.
    """
    rulesets = [loader.load(one) for one in ([name] if name else locations.shipped())]
    extents_of(rulesets, sizes.get("extent", ()))
    knowing = {q: [game for game in rulesets if q in game.questions] or rulesets for q in readings}
    faults = [
        reader.ruling_fault(knowing[q][0], q, option) for q, option in sorted(readings.items())
    ]
    if any(faults):
        raise InputError([fault for fault in faults if fault])
    return [
        scoping.Scope(
            game,
            scoping.Bounds.of(game, **sizes),
            {q: o for q, o in readings.items() if q in game.questions},
            named=bool(sizes.get("extent") or sizes.get("board")),
        )
        for game in rulesets
    ]


def extents_of(games: Sequence[loader.Ruleset], given: Sequence[str]) -> None:
    """Raises: InputError, if a game has no sort that is given, or no member of it."""
    faults = [
        fault
        for extent in given
        for game in games
        if (fault := scoping.extent_fault(game.vocabulary, extent))
    ]
    if faults:
        raise InputError([Fault(extent) for extent in dict.fromkeys(faults)])


def chosen_of(scopes: Sequence[Scope], ids: Sequence[str]) -> list[tuple[Property, ...]]:
    """The properties of each ruleset that the user names; one ruleset at least knows each name.

    Raises: UnknownName.
    """
    known = [runner.properties_of(scope) for scope in scopes]
    runner.selected([about for own in known for about in own], ids)
    return [runner.named(own, ids) for own in known]


def changed_only(scopes: Sequence[Scope], changed: Sequence[str], since: str | None) -> list[Scope]:
    """The same, where only what changed is looked at: in named files, or since a revision.

    Raises: InputError, if a file is not there, or no part of a ruleset; if there is no git.
    """
    for file in changed:
        if not Path(file).is_file():
            raise InputError(Fault("cannot be read: no such file", Place(file)))
        if not any(revisions.holds(scope.ruleset, Path(file)) for scope in scopes):
            raise InputError(Fault("not a file of the ruleset", Place(file)))
    changed_scopes = []
    for scope in scopes:
        files = [path for path in map(Path, changed) if revisions.holds(scope.ruleset, path)]
        files += [] if since is None else revisions.changed_since(scope.ruleset, since)
        changed_scopes.append(revisions.changed_scope(scope, files, since or ""))
    return changed_scopes


def provide(save: str | None, junit: str | None) -> None:
    """Make sure that there is a place for what will be written, before the long work begins."""
    try:
        if save is not None:
            Path(save).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(Fault(f"cannot be written: {reason(error)}", Place(save or ""))) from None
    if junit and junit != "-" and not Path(junit).absolute().parent.is_dir():
        raise InputError(Fault("cannot be written: no such folder; create it first", Place(junit)))


# -- what it comes to ------------------------------------------------------------------------------


class OfSeveral(NamedTuple):
    """The answers about several rulesets."""

    rulesets: tuple[OfRuleset, ...]


def joined(answers: Sequence[OfRuleset]) -> OfRuleset | OfSeveral:
    """The answer about one ruleset, or those about several."""
    return answers[0] if len(answers) == 1 else OfSeveral(tuple(answers))


def save_witnesses(folder: Path, results: Iterable[PropertyResult], everything: bool) -> Saved:
    """Write the positions of findings to files, and say in which; those of accepted ones too, if
    *everything* is wanted.

    Raises: InputError, if one cannot be written.
    """
    provide(str(folder), None)
    saved: Saved = {}
    for about in results:
        findings = [f for f in about.findings if everything or not f.accepted]
        witnesses = dict.fromkeys(
            finding.witness for finding in findings if finding.witness is not None
        )
        for number, witness in enumerate(witnesses, 1):
            path = folder / f"{re.sub(r'[^a-z0-9_]+', '_', about.id)}-{number}.yaml"
            yamlio.write(path, witness.ruled.yaml(path.absolute().parent))
            saved[about.id, witness] = str(path)
    return saved
