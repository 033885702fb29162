"""The verb that asks whether the rules of a game hold together."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from pymorph.cli.app import DEPENDS, NO, YES, cli, complain
from pymorph.cli.options import (
    CompletedType,
    GameName,
    Options,
    Seconds,
    completions,
    misused,
    options_of,
    put,
    sharing,
)
from pymorph.cli.output import ProgressLine, put_text, style_of
from pymorph.errors import Fault, InputError, Place, clipped, reason
from pymorph.ruleset import loader, locations
from pymorph.runtime.ctrl_c import STOPPED
from pymorph.state.files import reader
from pymorph.verify import junit as junits
from pymorph.verify import runner
from pymorph.verify import scope as scoping
from pymorph.verify.versions import revisions
from pymorph.views.lines import reports as views

if TYPE_CHECKING:
    from pymorph.verify.report import Property, PropertyResult, Witness
    from pymorph.verify.runner import Progress
    from pymorph.verify.scope import Scope

    Saved = dict[tuple[str, Witness], str]
    BoardType = click.ParamType[tuple[int, int]]
else:
    BoardType = click.ParamType

SIZE = re.compile(r"([1-9][0-9]{0,2})x([1-9][0-9]{0,2})")
WIDEST = 144  # columns or rows, as of any board
MOST = 1000  # of anything that is counted
COUNT = click.IntRange(1, MOST)


class BoardSize(BoardType):
    """The columns and rows of a board."""

    name = "size"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, int]:
        match = SIZE.fullmatch(str(value))
        if match is None or max(int(match[1]), int(match[2])) > WIDEST:
            sizes = f"expected COLUMNSxROWS such as 4x3, up to {WIDEST}x{WIDEST}"
            self.fail(f"{clipped(str(value))} is not a size; {sizes}", param, ctx)
        return int(match[1]), int(match[2])


class PropertyName(CompletedType):
    """A property or a family of them."""

    name = "property"

    def completions(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        def names() -> list[str]:
            scopes = scopes_of(ctx.params.get("ruleset"), {}, {})
            known = [about for scope in scopes for about in runner.properties_of(scope)]
            return sorted({name for about in known for name in (about.id, about.family) if name})

        return completions(names, incomplete)


several = partial(click.option, multiple=True)
number = partial(click.option, metavar="N")
seconds = partial(click.option, type=Seconds(), metavar="SECONDS")


@cli.command()
@click.argument("ruleset", required=False, type=GameName())
@several(
    "--property",
    "ids",
    type=PropertyName(),
    metavar="ID",
    help="Check only this property or family; may be repeated.",
)
@click.option("--list", "listing", is_flag=True, help="List the properties, and check nothing.")
@several(
    "--changed",
    type=click.Path(),
    metavar="FILE",
    help="Check only what the changes in FILE since the last commit affect; may be repeated.",
)
@click.option(
    "--since", metavar="REV", help="Check only what the changes since a git revision affect."
)
@several(
    "--reading",
    "readings",
    metavar="QUESTION=OPTION",
    help="Answer an open question with OPTION; may be repeated.",
)
@number("--characters", type=COUNT, help="Check N members of each sort that files list (2).")
@click.option(
    "--board",
    type=BoardSize(),
    metavar="CxR",
    help="Check a board of C columns and R rows (3x3). A start position's own board is used if it "
    "is no larger; of a board that the game draws, a corner.",
)
@number(
    "--cards",
    type=click.IntRange(0, MOST),
    help="Check N cards of each sort, the most different ones; 0: all (4).",
)
@number("--copies", type=COUNT, help="Check up to N copies of each card in a place (1).")
@number("--numbers", type=COUNT, help="Check counters up to N (12).")
@several(
    "--extent",
    metavar="SORT=N",
    help="Check N members of this sort, or these: SORT=MEMBER,MEMBER; may be repeated.",
)
@seconds(
    "--timeout", help="Stop after SECONDS; properties not settled by then are unknown (exit 3)."
)
@seconds("--timeout-each", help="Stop each piece of the work after SECONDS (40).")
@number(
    "--jobs",
    type=click.IntRange(1, 64),
    help="Work in N processes (one for each core, up to 4).",
)
@sharing
@click.option(
    "--all", "everything", is_flag=True, help="List all findings, including accepted ones."
)
@click.option(
    "--save",
    type=click.Path(file_okay=False),
    metavar="DIR",
    help="Write the position of each finding to a file in DIR.",
)
@click.option(
    "--junit", metavar="FILE", help="Write a report for build servers; - prints only the report."
)
@click.option("--timings", is_flag=True, help="With --json: include how long each property took.")
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
def verify(
    ruleset: str | None,
    ids: tuple[str, ...],
    listing: bool,
    changed: tuple[str, ...],
    since: str | None,
    readings: tuple[str, ...],
    timeout: float | None,
    timeout_each: float | None,
    jobs: int | None,
    scheduler: str,
    everything: bool,
    save: str | None,
    junit: str | None,
    timings: bool,
    as_json: bool,
    **sizes: Any,
) -> int:
    """Check that the rules of a game are sound; show a smallest position where a property fails.

    RULESET is a name or a folder; without it, all games that ship with pymorph are checked. What is
    proved applies to all positions, any other result to the positions that were searched.

    \b
    Example:
      pymorph new-ruleset my_game
      pymorph verify ./my_game
    """
    start = time.monotonic()
    if junit == "-" and (as_json or listing):
        raise misused("--junit - cannot be combined with --json or --list")
    options = options_of(as_json, timeout, readings, None, None, True)
    scopes = scopes_of(ruleset, sizes, options.readings)
    chosen = chosen_of(scopes, ids)
    if listing:
        return listed(options, scopes, chosen)
    if changed or since is not None:
        scopes = changed_only(scopes, changed, since)
    provide(save, junit)
    reports: list[runner.Report] = []
    for scope, properties in zip(scopes, chosen, strict=True):
        left = None if timeout is None else max(start + timeout - time.monotonic(), 0)
        limits: dict[str, Any] = {"jobs": jobs or 0, "scheduler": scheduler, "seconds": left}
        limits |= {"seconds_each": timeout_each} if timeout_each else {}
        reports.append(checked(scope, properties, **limits))
        if reports[-1].interrupted:
            break
    saved: list[Saved] = [{} for _ in reports]
    if save is not None:
        folders = [Path(save, *[r.ruleset.name] * (len(scopes) > 1)) for r in reports]
        pairs = zip(folders, reports, strict=True)
        saved = [save_witnesses(folder, report.checked, everything) for folder, report in pairs]
    put_reports(options, reports, everything, saved, junit, timings)
    return code_of(reports)


# -- what is to be checked -------------------------------------------------------------------------


def scopes_of(
    name: str | None, sizes: Mapping[str, Any], readings: Mapping[str, str]
) -> list[Scope]:
    """What is verified: the ruleset of that name, or all that ship, under what the user says.

    Raises: UnknownName, if there is no such ruleset; InputError, if none has such a reading.
    """
    from pymorph.verify.scope import Bounds, Scope

    rulesets = [loader.load(one) for one in ([name] if name else locations.shipped())]
    extents_of(rulesets, sizes.get("extent", ()))
    knowing = {q: [game for game in rulesets if q in game.questions] or rulesets for q in readings}
    faults = [
        reader.ruling_fault(knowing[q][0], q, option) for q, option in sorted(readings.items())
    ]
    if any(faults):
        raise InputError([fault for fault in faults if fault])
    return [
        Scope(
            game,
            Bounds.of(game, **sizes),
            {q: o for q, o in readings.items() if q in game.questions},
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


def checked(scope: Scope, properties: Sequence[Property], **limits: Any) -> runner.Report:
    """The report on a ruleset, with a line on a terminal that says how far it is."""
    line = VerifyProgress(sys.stderr.isatty())
    try:
        return runner.verify(scope, listener=line.show, properties=properties, **limits)
    finally:
        line.clear()


class VerifyProgress(ProgressLine):
    """How far verification is, on a terminal."""

    def show(self, so_far: Progress) -> None:
        done = f"{so_far.done}/{so_far.pieces}"
        self.write(f"{done} {so_far.property} {so_far.seconds:.0f} s")


def listed(options: Options, scopes: Sequence[Scope], chosen: Sequence[Sequence[Property]]) -> int:
    """Print what could be checked."""
    rows = []
    for scope, properties in zip(scopes, chosen, strict=True):
        data = [{"id": p.id, "family": p.family or None, "meaning": p.meaning} for p in properties]
        rows.append({**loader.head(scope.ruleset), "properties": data})
    known = {about.id: about for properties in chosen for about in properties}
    put(options, joined(rows), lambda: views.properties(list(known.values()), style_of()))
    return YES


def joined(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The data of one ruleset, or of several in a list."""
    return rows[0] if len(rows) == 1 else {"rulesets": list(rows)}


def save_witnesses(folder: Path, results: Iterable[PropertyResult], everything: bool) -> Saved:
    """Write the positions of findings to files, and say in which; those of accepted ones too, if
    *everything* is wanted.

    Raises: InputError, if one cannot be written.
    """
    from pymorph import yamlio

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


def put_reports(
    options: Options,
    reports: Sequence[runner.Report],
    everything: bool,
    saved: Sequence[Saved],
    junit: str | None,
    timings: bool,
) -> None:
    """Print the reports, and write them for build servers, if that is wanted."""
    from pymorph.yamlio import write

    if junit == "-":
        put_text(junits.junit(reports))
        return
    if junit:
        write(junit, junits.junit(reports))

    def lines() -> list[str]:
        pairs = zip(reports, saved, strict=True)
        pages = [views.report(report, style_of(), everything, files) for report, files in pairs]
        return [line for n, page in enumerate(pages) for line in [*([""] if n else []), *page]]

    put(options, joined([report.as_json(timings) for report in reports]), lines)


def code_of(reports: Sequence[runner.Report]) -> int:
    """The exit code of all reports together."""
    from pymorph.verify.report import UNKNOWN, VIOLATED

    if any(report.interrupted for report in reports):
        complain("interrupted")
        return STOPPED
    statuses = {status for report in reports for status in report.statuses}
    return NO if VIOLATED in statuses else DEPENDS if UNKNOWN in statuses else YES
