"""The verbs that look at courses of play."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from functools import partial

import click

from pymorph.adjudication import per_reading
from pymorph.cli.app import DEPENDS, NO, YES, cli, complain
from pymorph.cli.every_reading import UnderEachReading, every_reading_option
from pymorph.cli.options import (
    Actor,
    Options,
    PositionFile,
    PositionName,
    common,
    jobs_option,
    misused,
    put,
    say_how,
    sharing,
    verbose_option,
)
from pymorph.cli.output import ProgressLine, style_of
from pymorph.errors import OutOfTime
from pymorph.explore.perft import counting
from pymorph.explore.sampling import policies as policies_module
from pymorph.explore.search import planning, players
from pymorph.runtime.ctrl_c import STOPPED
from pymorph.state import claim, record
from pymorph.state import position as position_module
from pymorph.views.lines import every_reading
from pymorph.views.lines import lookahead as text


def policies(position: position_module.Position) -> Sequence[str]:
    """What the others may do: whatever they like, or a policy of the ruleset."""
    return [players.WHATEVER, *policies_module.policies(position.ruleset)]


def periods(position: position_module.Position) -> Sequence[str]:
    return claim.periods(position.ruleset)


@cli.command()
@click.argument("file", type=PositionFile())
@click.option("--goal", required=True, metavar="CLAIM", help="What to bring about.")
@click.option(
    "--within",
    metavar="N",
    help="Search up to N decisions, or up to a period such as '2 turns'. Default: 12 decisions, or "
    "fewer if they lead to too many positions.",
)
@click.option(
    "--by",
    type=Actor,
    metavar="NAME",
    help="The player or side that pursues the goal (default: everybody).",
)
@click.option(
    "--against",
    type=PositionName("policy", policies),
    metavar="POLICY",
    help="How the others play: whatever, or a policy of the ruleset.",
)
@click.option(
    "--play", metavar="FILE", help="The others take the steps of a record, and then pass."
)
@click.option(
    "--rolls",
    type=click.Choice(["chosen", "adversarial"]),
    help="How rolls come out (default: adversarial with --by, chosen without it).",
)
@click.option(
    "--given",
    multiple=True,
    metavar="ROLL",
    help="The result of a roll, in order; may be repeated.",
)
@common
def plan(
    file: str,
    goal: str,
    within: str | None,
    by: str | None,
    against: str | None,
    play: str | None,
    rolls: str | None,
    given: tuple[str, ...],
    options: Options,
) -> int:
    """Find a shortest line of play to a goal, or prove that there is none.

    \b
    Example:
      pymorph new-ruleset my_game
      pymorph plan my_game/positions/start.yaml --goal "wins(bo)"
    """
    if rolls and given:
        raise misused("--rolls cannot be combined with --given")
    if play and (against or not by):
        raise misused("--play needs --by, and cannot be combined with --against")
    line = ProgressLine(sys.stderr.isatty() and not options.as_json)
    last: list[planning.Plan] = []

    def layer(so_far: planning.Plan) -> None:
        last[:] = [so_far]
        line.write(f"{so_far.decisions} decisions, {so_far.positions} positions")

    def question() -> planning.Plan:
        return planning.plan(
            options.position_of(file),
            goal,
            within or "",
            by=by or "",
            against=against or "",
            rolls=given or rolls or "",
            moves=record.Record.load(play).steps if play else (),
            on_layer=layer,
        )

    try:
        answer = options.answer_to(question)
    except OutOfTime:
        if not last:
            raise
        answer = last[0]
    finally:
        line.clear()
    put(options, answer.json(), lambda: text.plan(answer, style_of()))
    return DEPENDS if answer.found is None else YES if answer.found else NO


@cli.command()
@click.argument("file", type=PositionFile())
@click.option(
    "--depth", required=True, type=click.IntRange(1), metavar="N", help="Maximum depth, in actions."
)
@click.option(
    "--of",
    multiple=True,
    type=Actor,
    metavar="NAME",
    help="Follow only the actions of NAME; may be repeated.",
)
@click.option(
    "--without",
    multiple=True,
    type=PositionName("form", lambda position: list(position.ruleset.vocabulary.actions)),
    metavar="ACTION",
    help="Do not follow ACTION; may be repeated.",
)
@click.option(
    "--until",
    default="",
    type=PositionName("period", periods),
    metavar="PERIOD",
    help="Stop at the end of a period, such as a turn.",
)
@click.option(
    "--positions", is_flag=True, help="Also count the different positions that they lead to."
)
@every_reading_option
@jobs_option
@sharing
@verbose_option
@common
def count(
    file: str,
    depth: int,
    of: tuple[str, ...],
    without: tuple[str, ...],
    until: str,
    positions: bool,
    every: tuple[str, ...],
    jobs: int,
    scheduler: str,
    verbose: bool,
    options: Options,
) -> int:
    """Count the sequences of actions of each length, and show how they begin.

    Actions that 'legal' lists count, and so does each outcome of a roll that is due. An action of
    several steps counts once; forced steps do not count. Actions that 'legal' never lists,
    and actions that depend on hidden information, are left out. You may leave out the arguments of
    an ACTION. With --every-reading, each row has the numbers under all readings, the one in force
    first.

    Exit codes: 0 counted, 1 no action is legal, 3 the time limit was reached. After a time limit or
    an interruption (130), the counts so far are printed.

    \b
    Example:
      pymorph new-ruleset my_game
      pymorph count my_game/positions/start.yaml --depth 4
    """
    line = ProgressLine(sys.stderr.isatty())
    so_far: list[counting.Count] = []
    end = options.timeout and time.monotonic() + options.timeout
    variants: UnderEachReading | None = None

    def layer(number: int, perft: counting.Count, looked: int, waiting: int) -> None:
        so_far[number:] = [perft]
        under = f"reading {number + 1}, " if variants else ""
        line.write(f"{under}length {len(perft.lengths) + 1}: {looked} of {waiting} positions")

    def question() -> Iterator[counting.Counting]:
        nonlocal variants
        variants = UnderEachReading(options, file, every) if every else None
        for position in variants.positions() if variants else [options.position_of(file)]:
            yield counting.begin(position, depth, of, without, until)

    def count_all(asked: Iterable[counting.Counting], end: float | None) -> None:
        for number, one in enumerate(asked):
            left = end and max(end - time.monotonic(), 0.0)
            on_progress, opened = partial(layer, number), variants.opened if variants else None
            perft = counting.carry_out(one, positions, jobs, scheduler, left, on_progress, opened)
            so_far[number:] = [perft]

    stopped: BaseException | None = None
    try:
        if jobs == 1 and not scheduler:
            options.answer_to(lambda: count_all(question(), None))
        else:
            count_all(options.answer_to(lambda: list(question())), end)
    except (OutOfTime, KeyboardInterrupt) as error:
        if not so_far:
            raise
        stopped = error
    finally:
        line.clear()
    put_counts(options, so_far, variants)
    for number, perft in enumerate(so_far, 1):
        say_how(verbose, perft.compiled, perft.why_not, f"reading {number}" if variants else "")
    if isinstance(stopped, KeyboardInterrupt):
        complain("interrupted")
        return STOPPED
    return DEPENDS if stopped else YES if any(perft.lengths for perft in so_far) else NO


def put_counts(
    options: Options, perfts: Sequence[counting.Count], variants: UnderEachReading | None
) -> None:
    """Print what was counted, under one reading or each of several."""
    if variants is None:
        put(options, perfts[0].json(), lambda: text.sequences(perfts[0], style_of()))
        return
    answer = per_reading.EveryReading(variants.readings, tuple(perfts))
    put(options, answer.json(), lambda: every_reading.counts(answer, style_of()))
