"""The verbs that look at courses of play."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from pymorph.cli.app import DEPENDS, NO, YES, cli, complain
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
from pymorph.runtime.ctrl_c import STOPPED

if TYPE_CHECKING:
    from pymorph.queries.counting import Count
    from pymorph.queries.planning import Plan
    from pymorph.state.position import Position


def policies(position: Position) -> Sequence[str]:
    """What the others may do: whatever they like, or a policy of the ruleset."""
    from pymorph.queries.players import WHATEVER
    from pymorph.queries.policies import policies as known

    return [WHATEVER, *known(position.ruleset)]


def periods(position: Position) -> Sequence[str]:
    from pymorph.state import claim

    return claim.periods(position.ruleset)


@cli.command()
@click.argument("file", type=PositionFile())
@click.option("--goal", required=True, metavar="CLAIM", help="What is to be brought about.")
@click.option(
    "--within",
    metavar="N",
    help="In N decisions, or 'N turns' or the like; if left out 12 decisions, and fewer where they "
    "come to too many positions.",
)
@click.option(
    "--by", type=Actor, metavar="NAME", help="Who plays for it; all together if left out."
)
@click.option(
    "--against",
    type=PositionName("policy", policies),
    metavar="POLICY",
    help="What the others do: whatever they like, or a policy of the ruleset.",
)
@click.option(
    "--play", metavar="FILE", help="The others take the steps of a record, and then pass."
)
@click.option(
    "--rolls",
    type=click.Choice(["chosen", "adversarial"]),
    help="How rolls come out; adversarial with --by, or else chosen.",
)
@click.option("--given", multiple=True, metavar="ROLL", help="What a roll brings, in order.")
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
    """Can something still be brought about? A shortest line of play, or a proof that none is.

    \b
    Example:
      pymorph plan my_game/positions/start.yaml --goal "happens(won(bo))"
    """
    from pymorph.queries import planning
    from pymorph.state.record import Record
    from pymorph.views import lookahead as text

    if rolls and given:
        raise misused("--rolls goes without --given")
    if play and (against or not by):
        raise misused("--play takes --by, and no --against")
    line = ProgressLine(sys.stderr.isatty() and not options.as_json)
    last: list[Plan] = []

    def layer(so_far: Plan) -> None:
        last[:] = [so_far]
        line.write(f"{so_far.decisions} decisions, {so_far.positions} positions")

    def question() -> Plan:
        return planning.plan(
            options.position_of(file),
            goal,
            within or "",
            by=by or "",
            against=against or "",
            rolls=given or rolls or "",
            moves=Record.load(play).steps if play else (),
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
    "--depth", required=True, type=click.IntRange(1), metavar="N", help="Up to so many actions."
)
@click.option(
    "--of",
    multiple=True,
    type=Actor,
    metavar="NAME",
    help="Follow the actions of this one alone; may be repeated.",
)
@click.option(
    "--without",
    multiple=True,
    type=PositionName("form", lambda position: list(position.ruleset.vocabulary.actions)),
    metavar="ACTION",
    help="Follow no action of this form; may be repeated.",
)
@click.option(
    "--until",
    default="",
    type=PositionName("period", periods),
    metavar="PERIOD",
    help="Go no further than the end of a turn or the like.",
)
@click.option("--positions", is_flag=True, help="Also how many different positions they lead to.")
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
    jobs: int,
    scheduler: str,
    verbose: bool,
    options: Options,
) -> int:
    """How many sequences of actions are there, of each length, and how do they begin?

    What counts is what 'legal' lists: actions, one of several steps as one, and each outcome of a
    roll that is due. Steps without choice come of themselves and do not count. Left out is what is
    never listed but only asked about, and what hangs on something hidden. Arguments of an ACTION
    may be left out. Exit codes: 0 counted, 1 nothing may be done, 3 the time limit came first;
    then, and when interrupted (130), what was counted so far is told.

    \b
    Example:
      pymorph count my_game/positions/start.yaml --depth 4
    """
    from pymorph.queries import counting
    from pymorph.views import lookahead as text

    line = ProgressLine(sys.stderr.isatty())
    last: list[Count] = []
    start = time.monotonic()

    def layer(so_far: Count, looked: int, waiting: int) -> None:
        last[:] = [so_far]
        line.write(f"length {len(so_far.lengths) + 1}: {looked} of {waiting} positions")

    def question() -> counting.Counting:
        return counting.begin(options.position_of(file), depth, of, without, until)

    def answered() -> Count:
        if jobs == 1 and not scheduler:
            return options.answer_to(lambda: counting.carry_out(question(), positions, told=layer))
        given = options.answer_to(question)
        left = options.timeout and max(options.timeout - (time.monotonic() - start), 0.0)
        return counting.carry_out(given, positions, jobs, scheduler, left, layer)

    stopped: BaseException | None = None
    try:
        answer = answered()
    except (OutOfTime, KeyboardInterrupt) as error:
        if not last:
            raise
        answer, stopped = last[0], error
    finally:
        line.clear()
    put(options, answer.json(), lambda: text.sequences(answer, style_of()))
    say_how(verbose, answer.compiled, answer.why_not)
    if isinstance(stopped, KeyboardInterrupt):
        complain("interrupted")
        return STOPPED
    return DEPENDS if stopped else YES if answer.lengths else NO
