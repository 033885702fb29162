"""The verbs that look at courses of play."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import click

from pymorph.adjudication import per_reading
from pymorph.cli import values
from pymorph.cli.app import Exit
from pymorph.cli.every_reading import UnderEachReading
from pymorph.cli.options import EVERY_READING, FILE, JOBS, SCHEDULER, VERBOSE, flag, option, several
from pymorph.cli.texts import misused
from pymorph.cli.verb import AboutPosition, say_how, verb
from pymorph.errors import OutOfTime
from pymorph.explore.perft import counting
from pymorph.explore.search import planning
from pymorph.state import record
from pymorph.views.lines import every_reading
from pymorph.views.lines import lookahead as text


@verb("plan")
class PlanVerb(AboutPosition):
    """Find a shortest line of play to a goal, or prove that there is none.

    \b
    Example:
      pymorph new-ruleset my_game
      pymorph plan my_game/positions/start.yaml --goal "wins(bo)"
    """

    file: str = FILE
    goal: str = option("--goal CLAIM", "What to bring about.", required=True)
    within: str | None = option(
        "--within N",
        "Search up to N decisions, or up to a period such as '2 turns'. Default: 12 decisions, or "
        "fewer if they lead to too many positions.",
    )
    by: str | None = option(
        "--by NAME", "The player or side that pursues the goal (default: everybody).", values.ACTOR
    )
    against: str | None = option(
        "--against POLICY",
        "How the others play: whatever, or a policy of the ruleset.",
        values.POLICY,
    )
    play: str | None = option(
        "--play FILE", "The others take the steps of a record, and then pass."
    )
    rolls: str | None = option(
        "--rolls",
        "How rolls come out (default: adversarial with --by, chosen without it).",
        click.Choice(["chosen", "adversarial"]),
    )
    given: tuple[str, ...] = several("--given ROLL", "The result of a roll, in order.")
    partial_after = (OutOfTime,)

    def check(self) -> None:
        if self.rolls and self.given:
            raise misused("--rolls cannot be combined with --given")
        if self.play and (self.against or not self.by):
            raise misused("--play needs --by, and cannot be combined with --against")

    def ask(self) -> planning.Plan:
        return planning.plan(
            self.position_of(self.file),
            self.goal,
            self.within or "",
            by=self.by or "",
            against=self.against or "",
            rolls=self.given or self.rolls or "",
            moves=record.Record.load(self.play).steps if self.play else (),
            on_layer=self.on_layer,
        )

    def on_layer(self, so_far: planning.Plan) -> None:
        self.keep(so_far)
        if not self.as_json:
            self.progress.write(f"{so_far.decisions} decisions, {so_far.positions} positions")

    def lines(self, answer: planning.Plan) -> list[str]:
        return text.plan(answer, self.style)

    def code(self, answer: planning.Plan) -> Exit:
        return Exit.of(answer.found, answer.found is None)


@verb("count")
class CountVerb(AboutPosition):
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

    file: str = FILE
    depth: int = option("--depth N", "Maximum depth, in actions.", click.IntRange(1), required=True)
    of: tuple[str, ...] = several("--of NAME", "Follow only the actions of NAME.", values.ACTOR)
    without: tuple[str, ...] = several(
        "--without ACTION", "Do not follow ACTION.", values.ACTION_FORM
    )
    until: str = option(
        "--until PERIOD", "Stop at the end of a period, such as a turn.", values.PERIOD, default=""
    )
    positions: bool = flag("--positions", "Also count the different positions that they lead to.")
    every: tuple[str, ...] = EVERY_READING
    jobs: int = JOBS
    scheduler: str = SCHEDULER
    verbose: bool = VERBOSE

    def work(self) -> list[counting.Count]:
        self.variants: UnderEachReading | None = None
        if self.jobs == 1 and not self.scheduler:
            return self.answer_to(lambda: self.counts(self.begun(), in_time=False))
        return self.counts(self.answer_to(lambda: list(self.begun())), in_time=True)

    def begun(self) -> Iterator[counting.Counting]:
        """The position, or each of those under a reading, with what is to be counted."""
        if self.every:
            self.variants = UnderEachReading(self, self.file, self.every)
        variants = self.variants
        for position in variants.positions() if variants else [self.position_of(self.file)]:
            yield counting.begin(position, self.depth, self.of, self.without, self.until)

    def counts(self, begun: Iterable[counting.Counting], in_time: bool) -> list[counting.Count]:
        """Count each in this thread, *in_time* within what is left of the time limit."""
        counts: list[counting.Count] = []

        def on_layer(perft: counting.Count, looked: int, waiting: int) -> None:
            self.keep([*counts, perft])
            under = f"reading {len(counts) + 1}, " if self.variants else ""
            length = len(perft.lengths) + 1
            self.progress.write(f"{under}length {length}: {looked} of {waiting} positions")

        for one in begun:
            left = self.time_left() if in_time else None
            opened = self.variants.opened if self.variants else None
            how = (self.positions, self.jobs, self.scheduler, left, on_layer, opened)
            counts.append(counting.carry_out(one, *how))
            self.keep(list(counts))
        return counts

    def put(self, answer: list[counting.Count]) -> None:
        super().put(answer)
        for number, perft in enumerate(answer, 1):
            name = f"reading {number}" if self.variants else ""
            say_how(self.verbose, perft.compiled, perft.why_not, name)

    def data(self, answer: list[counting.Count]) -> counting.Count | per_reading.EveryReading:
        return answer[0] if self.variants is None else self.side_by_side(answer)

    def lines(self, answer: list[counting.Count]) -> list[str]:
        if self.variants is None:
            return text.sequences(answer[0], self.style)
        return every_reading.counts(self.side_by_side(answer), self.style)

    def side_by_side(self, answer: list[counting.Count]) -> per_reading.EveryReading:
        """The counts with their readings."""
        assert self.variants is not None
        return per_reading.EveryReading(self.variants.readings, tuple(answer))

    def code(self, answer: list[counting.Count]) -> Exit:
        return Exit.of(any(perft.lengths for perft in answer))
