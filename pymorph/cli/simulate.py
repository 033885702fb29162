"""The verb that plays many games, and says how they went."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from pymorph.cli.app import DEPENDS, YES, cli
from pymorph.cli.options import Options, PositionFile, common, policies_of, put
from pymorph.cli.output import ProgressLine, keep_others, put_line, style_of

if TYPE_CHECKING:
    from pymorph.queries.simulation import Simulation


@cli.command()
@click.argument("file", type=PositionFile())
@click.option(
    "--games", type=int, default=1000, show_default=True, metavar="N", help="How many to play."
)
@click.option("--seed", type=int, default=0, show_default=True, help="The same games each time.")
@click.option(
    "--most",
    type=int,
    default=1000,
    show_default=True,
    metavar="N",
    help="Give a game up after so many actions.",
)
@click.option(
    "--policy",
    multiple=True,
    metavar="[WHO=]POLICY",
    help="Play by a policy of the ruleset: all, or those named; the others play at random.",
)
@click.option("--svg", metavar="FILE", help="Draw how long games are, and how they end.")
@click.option("--force", is_flag=True, help="Replace FILE, whatever is in it.")
@common
def simulate(
    file: str,
    games: int,
    seed: int,
    most: int,
    policy: tuple[str, ...],
    svg: str | None,
    force: bool,
    options: Options,
) -> int:
    """Play many games by the rules: who wins how often, how long they are, what never happens.

    Each legal action is chosen with the same odds, each outcome of a roll by its own. Shares are
    told with the range in which the true one lies with a confidence of 95 of 100. All cards are
    open. Exit codes: 0 all games came to an end, 3 some were given up, or the time limit came
    first.

    \b
    Example:
      pymorph simulate my_game/positions/start.yaml --games 200
    """
    from pymorph import yamlio
    from pymorph.queries import simulation
    from pymorph.views import simulation as text
    from pymorph.views.simulation_svg import simulation_svg

    if svg and not force:
        keep_others(svg)
    line = ProgressLine(sys.stderr.isatty())

    def told(over: int, actions: int) -> None:
        line.write(f"{over} of {games} games, {actions} actions")

    def question() -> Simulation:
        position = options.position_of(file)
        by = policies_of(policy)
        return simulation.simulate(position, games, seed=seed, most=most, by=by, told=told)

    try:
        answer = options.answer_to(question)
    finally:
        line.clear()
    if svg:
        yamlio.write(svg, simulation_svg(answer))
        put_line(f"wrote {svg}", err=True)
    if options.as_json or not svg:
        put(options, answer.json(), lambda: text.simulation(answer, style_of()))
    return YES if answer.finished == answer.games else DEPENDS
