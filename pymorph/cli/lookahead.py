"""The verb that looks for a line of play."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from pymorph.cli.app import DEPENDS, NO, STOPPED, YES, cli, complain
from pymorph.cli.options import (
    PositionFile,
    ProgressLine,
    TextType,
    asked,
    common,
    misused,
    offered,
    options_of,
    position_of,
    put,
    sharing,
    style_of,
)
from pymorph.errors import OutOfTime

if TYPE_CHECKING:
    from pymorph.queries.counting import Count
    from pymorph.queries.planning import Plan
    from pymorph.state.position import Position


class PolicyName(TextType):
    """What the others do: whatever they like, or a policy of the ruleset."""

    name = "policy"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        from pymorph.queries.players import WHATEVER, policies

        return offered(ctx, incomplete, lambda p: [WHATEVER, *policies(p.ruleset)])


@cli.command()
@click.argument("file", type=PositionFile())
@click.option("--goal", required=True, metavar="CLAIM", help="What is to be brought about.")
@click.option(
    "--within",
    metavar="N",
    help="In N decisions, or 'N turns' or the like; 12 decisions if left out.",
)
@click.option("--by", metavar="NAME", help="Who plays for it; all together if left out.")
@click.option(
    "--against",
    type=PolicyName(),
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
    **common_options: Any,
) -> int:
    """Can something still be brought about? A shortest line of play, or a proof that none is.

    \b
    Example:
      pymorph plan my_game/positions/start.yaml --goal "happens(won(bo))"
    """
    from pymorph.queries import planning
    from pymorph.state.record import Record
    from pymorph.views import lookahead as told

    options = options_of(**common_options)
    if rolls and given:
        raise misused("--rolls goes without --given")
    if play and (against or not by):
        raise misused("--play takes --by, and no --against")
    shown = PlanProgress(sys.stderr.isatty() and not options.as_json)

    def question() -> Plan:
        return planning.plan(
            position_of(file, options),
            goal,
            within or planning.USUAL,
            by=by or "",
            against=against or "",
            rolls=given or rolls or "",
            moves=Record.load(play).steps if play else (),
            on_layer=shown.layer,
        )

    try:
        answer = asked(options, question)
    except OutOfTime:
        if shown.last is None:
            raise
        answer = shown.last
    finally:
        shown.clear()
    put(options, answer.json(), lambda: told.plan(answer, style_of()))
    return DEPENDS if answer.found is None else YES if answer.found else NO


class PlanProgress(ProgressLine):
    """How far a search is, told on a terminal."""

    def __init__(self, visible: bool) -> None:
        super().__init__(visible)
        self.last: Plan | None = None

    def layer(self, so_far: Plan) -> None:
        self.last = so_far
        self.write(f"{so_far.decisions} decisions, {so_far.positions} positions")


class ActionPattern(TextType):
    """A name of the game, of which a shell may be told those that there are."""

    def __init__(self, name: str, names: Callable[[Position], Sequence[str]]) -> None:
        self.name = name
        self.names = names

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        return offered(ctx, incomplete, self.names)


def actors(position: Position) -> Sequence[str]:
    from pymorph.state import names as state_names

    return state_names.actors(position)


def periods(position: Position) -> Sequence[str]:
    from pymorph.state import claim

    return claim.periods(position.ruleset)


@cli.command()
@click.argument("file", type=PositionFile())
@click.option(
    "--depth", required=True, type=click.IntRange(1), metavar="N", help="Up to so many actions."
)
@click.option(
    "--of",
    multiple=True,
    type=ActionPattern("actor", actors),
    metavar="NAME",
    help="Follow the actions of this one alone; may be repeated.",
)
@click.option(
    "--without",
    multiple=True,
    type=ActionPattern("form", lambda position: list(position.ruleset.vocabulary.actions)),
    metavar="ACTION",
    help="Follow no action of this form; may be repeated.",
)
@click.option(
    "--until",
    default="",
    type=ActionPattern("period", periods),
    metavar="PERIOD",
    help="Go no further than the end of a turn or the like.",
)
@click.option("--positions", is_flag=True, help="Also how many different positions they lead to.")
@click.option(
    "--jobs", type=click.IntRange(1, 64), default=1, metavar="N", help="Work in N processes (1)."
)
@sharing
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
    **common_options: Any,
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
    from pymorph.views import lookahead as told

    options = options_of(**common_options)
    shown = CountProgress(sys.stderr.isatty())
    start = time.monotonic()

    def question() -> counting.Counting:
        return counting.counting(position_of(file, options), depth, of, without, until)

    def answered() -> Count:
        if jobs == 1 and not scheduler:
            return asked(options, lambda: counting.counted(question(), positions, told=shown.tell))
        given = asked(options, question)
        left = options.timeout and max(options.timeout - (time.monotonic() - start), 0.0)
        return counting.counted(given, positions, jobs, scheduler, left, shown.tell)

    stopped: BaseException | None = None
    try:
        answer = answered()
    except (OutOfTime, KeyboardInterrupt) as error:
        if shown.last is None:
            raise
        answer, stopped = shown.last, error
    finally:
        shown.clear()
    put(options, answer.json(), lambda: told.counted(answer, style_of()))
    if isinstance(stopped, KeyboardInterrupt):
        complain("interrupted")
        return STOPPED
    return DEPENDS if stopped else YES if answer.lengths else NO


class CountProgress(ProgressLine):
    """How far counting is, told on a terminal."""

    def __init__(self, visible: bool) -> None:
        super().__init__(visible)
        self.last: Count | None = None

    def tell(self, so_far: Count, looked: int, waiting: int) -> None:
        self.last = so_far
        self.write(f"length {len(so_far.lengths) + 1}: {looked} of {waiting} positions")
