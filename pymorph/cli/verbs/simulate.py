"""The verb that plays many games, and says how they went."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pymorph.adjudication import per_reading
from pymorph.cli.app import DEPENDS, YES, cli
from pymorph.cli.every_reading import UnderEachReading, every_reading_option
from pymorph.cli.options import (
    Options,
    PositionFile,
    code_of,
    common,
    misused,
    policies_of,
    put,
    say_how,
    verbose_option,
)
from pymorph.cli.output import ProgressLine, keep_others, put_line, style_of
from pymorph.errors import Fault, InputError, UnknownName
from pymorph.explore.sampling import game_comparison, simulation
from pymorph.ruleset import loader, locations
from pymorph.verify.versions import revisions
from pymorph.views.lines import every_reading
from pymorph.views.pictures import simulation_svg as simulation_svgs

if TYPE_CHECKING:
    from pymorph.dynamics.engine import OpenScene
    from pymorph.explore.sampling.game_comparison import Contrast
    from pymorph.explore.sampling.simulation import Simulation
    from pymorph.state.position import Position

POSITIONS = (".yaml", ".yml")


@cli.command()
@click.argument("file", type=PositionFile())
@click.option(
    "--games", type=int, default=1000, show_default=True, metavar="N", help="The number of games."
)
@click.option(
    "--seed", type=int, default=0, show_default=True, help="The same seed plays the same games."
)
@click.option(
    "--most",
    type=int,
    default=1000,
    show_default=True,
    metavar="N",
    help="Give up a game after N actions.",
)
@click.option(
    "--policy",
    multiple=True,
    metavar="[WHO=]POLICY",
    help="Play by a policy of the ruleset: everybody, or WHO; the others play at random.",
)
@click.option(
    "--against",
    metavar="OTHER",
    help="Compare with the same position under another ruleset (its name, its folder, or a git "
    "revision of this one), or with another position file.",
)
@every_reading_option
@click.option("--svg", metavar="FILE", help="Draw the results to FILE, as an SVG picture.")
@click.option("--force", is_flag=True, help="Replace FILE, whatever it contains.")
@verbose_option
@common
def simulate(
    file: str,
    games: int,
    seed: int,
    most: int,
    policy: tuple[str, ...],
    against: str | None,
    every: tuple[str, ...],
    svg: str | None,
    force: bool,
    verbose: bool,
    options: Options,
) -> int:
    """Play many games by the rules: who wins how often, how long games are, what never happens.

    All legal actions are equally likely; the outcomes of a roll have their own odds. Each share
    comes with its 95 % confidence interval. All cards are open. With --against, both versions are
    shown, and what differs beyond chance; with --every-reading, each reading beside the one in
    force.

    Exit codes: 0 all games ended, 3 some were given up, or the time limit was reached.

    \b
    Example:
      pymorph new-ruleset my_game
      pymorph simulate my_game/positions/start.yaml --games 200
    """
    from pymorph import yamlio

    if against is not None and not against.strip():
        raise misused("--against needs a ruleset, a git revision or a position")
    if against is not None and every:
        raise misused("--every-reading cannot be combined with --against")
    if svg and not force:
        keep_others(svg)
    line = ProgressLine(sys.stderr.isatty())
    by = policies_of(policy)

    def played(
        position: Position,
        name: str = "",
        opened: OpenScene | None = None,
        on_partial: Callable[[Simulation], None] | None = None,
    ) -> Simulation:
        def on_progress(over: int, actions: int) -> None:
            line.write(f"{name}{over} of {games} games, {actions} actions")

        run = simulation.carry_out(
            position, (games, seed, most), by, on_progress, opened, on_partial
        )
        line.clear()
        say_how(verbose, run.compiled, run.why_not, name.removesuffix(": "))
        return run

    def question(
        keep: Callable[[Simulation | Contrast | per_reading.EveryReading], None],
    ) -> Simulation | Contrast | per_reading.EveryReading:
        if every:
            variants = UnderEachReading(options, file, every)
            room = len(simulation_svgs.HUES)
            if svg and len(variants.readings.choices) > room:
                message = f"a picture has room for {room} readings; leave fewer questions open"
                raise InputError(Fault(message))
            runs: tuple[Simulation, ...] = ()
            for number, position in enumerate(variants.positions(), 1):
                runs = (*runs, played(position, f"reading {number}: ", variants.opened))
                keep(per_reading.EveryReading(variants.readings, runs))
            return per_reading.EveryReading(variants.readings, runs)
        position = options.position_of(file)
        if against is None:
            return played(position, on_partial=keep)
        with ExitStack() as stack:
            other = other_version(stack, options, position, file, against)
            names = names_of(position, other, file, against)
            one, second = (f"{name}: " for name in names)
            none = simulation.none_yet(other, seed, most, by)

            def compared(run: Simulation, other_run: Simulation) -> Contrast:
                return game_comparison.contrast(run, other_run, names)

            first = played(position, one, None, lambda part: keep(compared(part, none)))
            keep(compared(first, none))
            last = played(other, second, None, lambda part: keep(compared(first, part)))
            return compared(first, last)

    try:
        answer, stopped = options.answer_so_far(question)
    finally:
        line.clear()
    if svg:
        yamlio.write(svg, simulation_svgs.simulation_svg(answer))
        put_line(f"wrote {svg}", err=True)
    if options.as_json or not svg:
        put(
            options,
            answer.json(),
            lambda: every_reading.lines_of(answer, style_of()),
            stopped=stopped,
        )
    return code_of(stopped, YES if answer.all_finished else DEPENDS)


def other_version(
    stack: ExitStack, options: Options, position: Position, file: str, against: str
) -> Position:
    """The position to compare with: that of a file, or the same one by another ruleset, which has
    that name, is that folder, or is what the ruleset was at that git revision.

    Raises: InputError, if it is none of these, or the position none of that ruleset.
    """
    if is_position(against):
        return options.position_of(against)
    if locations.found(against):
        return game_comparison.read_by(position, loader.load(against), file, against)
    own = position.ruleset
    name = own.folders[0] if own.from_path else own.name
    try:
        folder = stack.enter_context(revisions.at_revision(name, against))
    except InputError as error:
        if "unknown revision" not in str(error) and "no revisions" not in str(error):
            raise
        try:
            locations.folders_of(against)
        except UnknownName as unknown:
            message = unknown.faults[0].message.replace("ruleset", "ruleset or revision", 1)
            raise UnknownName(Fault(message)) from None
        raise
    return game_comparison.read_by(
        position, loader.load(str(folder)), file, f"{own.name} at {against}"
    )


def names_of(one: Position, other: Position, file: str, against: str) -> tuple[str, str]:
    """What two positions are called that are compared: by their rulesets, or else by what the user
    calls them."""
    if one.ruleset.name != other.ruleset.name:
        return one.ruleset.name, other.ruleset.name
    if not is_position(against):
        return f"{one.ruleset.name} here", f"{other.ruleset.name} at {against}"
    first, second = (Path(name).stem for name in (file, against))
    if first == second or not all(Path(name).suffix in POSITIONS for name in (file, against)):
        return "FILE", "OTHER"
    return first, second


def is_position(against: str) -> bool:
    """Is it a file with a position, or one in a line, rather than a ruleset?"""
    return against == "-" or against.lstrip().startswith("{") or Path(against).suffix in POSITIONS
