"""The verb that looks for a line of play."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from pymorph.cli.frame import DEPENDS, NO, YES, cli
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
    style_of,
)
from pymorph.errors import OutOfTime

if TYPE_CHECKING:
    from pymorph.plans import Plan


class PolicyName(TextType):
    """What the others do: whatever they like, or a policy of the ruleset."""

    name = "policy"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        from pymorph.queries.siding import WHATEVER, policies

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
    from pymorph import queries
    from pymorph.record import Record
    from pymorph.text import planning as told

    options = options_of(**common_options)
    if rolls and given:
        raise misused("--rolls goes without --given")
    if play and (against or not by):
        raise misused("--play takes --by, and no --against")
    shown = Progress(sys.stderr.isatty() and not options.as_json)

    def question() -> Plan:
        return queries.plan(
            position_of(file, options),
            goal,
            within or queries.USUAL,
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


class Progress(ProgressLine):
    """How far a search is, told on a terminal."""

    def __init__(self, visible: bool) -> None:
        super().__init__(visible)
        self.last: Plan | None = None

    def layer(self, so_far: Plan) -> None:
        self.last = so_far
        self.write(f"{so_far.decisions} decisions, {so_far.positions} positions")
