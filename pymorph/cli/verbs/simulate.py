"""The verb that plays many games, and says how they went."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from pymorph.adjudication import per_reading
from pymorph.cli.app import Exit
from pymorph.cli.every_reading import UnderEachReading
from pymorph.cli.options import EVERY_READING, FILE, FORCE, VERBOSE, option
from pymorph.cli.output import keep_others
from pymorph.cli.texts import misused, policies_of
from pymorph.cli.verb import AboutPosition, put_picture, say_how, verb
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

    Games = Simulation | Contrast | per_reading.EveryReading

POSITIONS = (".yaml", ".yml")


@verb("simulate")
class SimulateVerb(AboutPosition):
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

    file: str = FILE
    games: int = option("--games N", "The number of games.", int, default=1000, show_default=True)
    seed: int = option(
        "--seed", "The same seed plays the same games.", int, default=0, show_default=True
    )
    most: int = option(
        "--most N", "Give up a game after N actions.", int, default=1000, show_default=True
    )
    policy: tuple[str, ...] = option(
        "--policy [WHO=]POLICY",
        "Play by a policy of the ruleset: everybody, or WHO; the others play at random.",
        multiple=True,
    )
    against: str | None = option(
        "--against OTHER",
        "Compare with the same position under another ruleset (its name, its folder, or a git "
        "revision of this one), or with another position file.",
    )
    every: tuple[str, ...] = EVERY_READING
    svg: str | None = option("--svg FILE", "Draw the results to FILE, as an SVG picture.")
    force: bool = FORCE
    verbose: bool = VERBOSE

    def check(self) -> None:
        if self.against is not None and not self.against.strip():
            raise misused("--against needs a ruleset, a git revision or a position")
        if self.against is not None and self.every:
            raise misused("--every-reading cannot be combined with --against")
        if self.svg and not self.force:
            keep_others(self.svg)
        self.by = policies_of(self.policy)

    def ask(self) -> Simulation | Contrast | per_reading.EveryReading:
        if self.every:
            return self.under_each_reading()
        position = self.position_of(self.file)
        if self.against is None:
            return self.played(position, on_partial=self.keep)
        with ExitStack() as stack:
            return self.compared(position, other_version(stack, self, position, self.against))

    def under_each_reading(self) -> per_reading.EveryReading:
        """The games under each reading; those of the readings so far are kept."""
        variants = UnderEachReading(self, self.file, self.every)
        room = len(simulation_svgs.HUES)
        if self.svg and len(variants.readings.choices) > room:
            message = f"a picture has room for {room} readings; leave fewer questions open"
            raise InputError(Fault(message))
        runs: tuple[Simulation, ...] = ()
        for number, position in enumerate(variants.positions(), 1):
            runs = (*runs, self.played(position, f"reading {number}: ", variants.opened))
            self.keep(per_reading.EveryReading(variants.readings, runs))
        return per_reading.EveryReading(variants.readings, runs)

    def compared(self, position: Position, other: Position) -> Contrast:
        """The games of two versions side by side; those so far are kept."""
        assert self.against is not None
        names = names_of(position, other, self.file, self.against)
        one, second = (f"{name}: " for name in names)
        none = simulation.none_yet(other, self.seed, self.most, self.by)

        def contrast(run: Simulation, other_run: Simulation) -> Contrast:
            return game_comparison.contrast(run, other_run, names)

        first = self.played(position, one, None, lambda part: self.keep(contrast(part, none)))
        self.keep(contrast(first, none))
        last = self.played(other, second, None, lambda part: self.keep(contrast(first, part)))
        return contrast(first, last)

    def played(
        self,
        position: Position,
        name: str = "",
        opened: OpenScene | None = None,
        on_partial: Callable[[Simulation], None] | None = None,
    ) -> Simulation:
        """The games from a position, with a line on a terminal that says how many are over."""

        def on_progress(over: int, actions: int) -> None:
            self.progress.write(f"{name}{over} of {self.games} games, {actions} actions")

        sizes = (self.games, self.seed, self.most)
        run = simulation.carry_out(position, sizes, self.by, on_progress, opened, on_partial)
        self.progress.clear()
        say_how(self.verbose, run.compiled, run.why_not, name.removesuffix(": "))
        return run

    def finish(self, answer: Games) -> Games:
        if self.svg:
            put_picture(self.svg, simulation_svgs.simulation_svg(answer))
        return answer

    def put(self, answer: Games) -> None:
        if self.as_json or not self.svg:
            super().put(answer)

    def lines(self, answer: Games) -> list[str]:
        return every_reading.lines_of(answer, self.style)

    def code(self, answer: Games) -> Exit:
        return Exit.of(answer.all_finished, True)


def other_version(
    stack: ExitStack, verb: SimulateVerb, position: Position, against: str
) -> Position:
    """The position to compare with: that of a file, or the same one by another ruleset, which has
    that name, is that folder, or is what the ruleset was at that git revision.

    Raises: InputError, if it is none of these, or the position none of that ruleset.
    """
    if is_position(against) or verb.kept(against):
        return verb.position_of(against)
    if locations.found(against):
        return game_comparison.read_by(position, loader.load(against), verb.file, against)
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
    other = loader.load(str(folder))
    return game_comparison.read_by(position, other, verb.file, f"{own.name} at {against}")


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
