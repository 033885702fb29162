"""The verbs that are asked about a position."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from pymorph import yamlio
from pymorph.answers import json_keys
from pymorph.cli import values
from pymorph.cli.app import Exit
from pymorph.cli.loading import HANDLE
from pymorph.cli.options import FILE, argument, flag, option, several
from pymorph.cli.output import put_text
from pymorph.cli.texts import actions_in, misused, policies_of
from pymorph.cli.verb import AboutPosition, FileByFile, house_lines, verb
from pymorph.dynamics import outcomes, results
from pymorph.dynamics.asking import chance
from pymorph.errors import Faulty
from pymorph.explore.execution import application, event_explanation, session
from pymorph.explore.sampling import odds
from pymorph.questions import answer_scope, consistency, explanation, figures, legality
from pymorph.questions.answer_scope import AnswerScope, Checked
from pymorph.state import names, rulings
from pymorph.state import record as records
from pymorph.state.position import Position
from pymorph.views.lines import answers as text
from pymorph.views.lines import happenings, lookahead

GIVEN = several("--given ROLL", "The result of a roll on the way.")


@verb("legal")
class LegalVerb(AboutPosition):
    """List the legal actions in a position, by actor.

    \b
    Example:
      pymorph new-ruleset my_game
      pymorph legal my_game/positions/start.yaml --actor anna
    """

    file: str = FILE
    actor: str | None = option("--actor NAME", "List only the actions of NAME.", values.ACTOR)
    everything: bool = flag(
        "--all", "Include forbidden actions, each with the rules that forbid it."
    )

    def ask(self) -> results.Legality:
        position, unchecked = self.asked_first(self.file)
        judge = legality.judge_all if self.everything else legality.legal
        answer = judge(position, unchecked)
        return answer if self.actor is None else answer.of(names.actor(position, self.actor))

    def scope(self, answer: results.Legality) -> AnswerScope:
        number = 1 if self.actor is not None else len(names.actors(self.position))
        checked = Checked("actors", number)
        return self.scope_by("legal", checked, answer.awaited, answer.rolls)

    def lines(self, answer: results.Legality) -> list[str]:
        return text.legality(answer, self.position, self.style)

    def code(self, answer: results.Legality) -> Exit:
        return Exit.of(answer.actions or answer.awaited, answer.unsettled)


@verb("why")
class WhyVerb(AboutPosition):
    """Explain why an action is legal or which rules forbid it, or why an event happened.

    You may leave out arguments of the action that are unambiguous.

    Write an event as 'apply' prints it. If FILE is a record, the event is searched in its steps.
    Otherwise it is searched in what follows: in forced steps, then in the result of each legal
    action.

    \b
    Example:
      pymorph new-ruleset my_game
      pymorph why my_game/positions/start.yaml "take(anna, 5)"
    """

    file: str = FILE
    what: str = argument(values.ACTION, "ACTION|EVENT")
    after: tuple[str, ...] = several(
        "--after ACTION", "For an event: an action to carry out first."
    )
    given: tuple[str, ...] = GIVEN
    to: int | None = option("--to N", "For an event in a record: search up to step N.", int)

    def ask(self) -> results.Why | outcomes.WhyEvent:
        source = self.load(self.file)
        start = source.position if isinstance(source, records.Record) else source
        if not event_explanation.is_event(start.ruleset, self.what):
            if self.after or self.given or self.to is not None:
                raise misused("--after, --given and --to need an event")
            position, unchecked = self.asked_first(self.file, source)
            return explanation.why(position, self.what, unchecked)
        if isinstance(source, records.Record) and not (self.after or self.given):
            record = replace(source, position=self.under(source.position, self.file))
            return event_explanation.why_event_in(record, self.what, self.to)
        if self.to is not None:
            raise misused(
                "--to needs an event in a record, and cannot be combined with --after or --given"
            )
        position = self.reached(source, self.file)
        return event_explanation.why_event(position, self.what, *self.after, given=self.given)

    def scope(self, answer: results.Why | outcomes.WhyEvent) -> AnswerScope:
        if isinstance(answer, outcomes.WhyEvent):
            return self.scope_by("why", Checked("events", 1))
        readings = answer_scope.readings_one_by_one(self.position, "why")
        return self.scope_by("why", Checked("actions", 1, readings))

    def lines(self, answer: results.Why | outcomes.WhyEvent) -> list[str]:
        if isinstance(answer, outcomes.WhyEvent):
            return happenings.why_event(answer, self.style)
        return text.why(answer, style=self.style)

    def about(self, answer: results.Why | outcomes.WhyEvent) -> set[str]:
        if isinstance(answer, outcomes.WhyEvent):
            return set(answer.readings)
        return {turning.question for turning in answer.readings}

    def code(self, answer: results.Why | outcomes.WhyEvent) -> Exit:
        yes = answer.happens if isinstance(answer, outcomes.WhyEvent) else answer.legal
        return Exit.of(yes, yes is None)


@verb("forecast")
class ForecastVerb(AboutPosition):
    """Show what the rules calculate: when an attack pays off, what aborting it would cost.

    A FIGURE is a kind (score) or a single figure. Some figures are calculated only if you name
    them. Naming figures is quicker, since only these are calculated.

    \b
    Example:
      pymorph new-ruleset my_game
      pymorph forecast my_game/positions/start.yaml score
    """

    file: str = FILE
    names: tuple[str, ...] = argument(values.FIGURE, "[FIGURE]...", nargs=-1)
    wide: bool = flag("--next", "Include figures of what may come next.")

    def ask(self) -> results.Forecast:
        position, unchecked = self.asked_first(self.file)
        if self.timeout is None:  # all at once is quicker
            return figures.forecast(position, *self.names, wide=self.wide, unchecked=unchecked)
        return figures.forecast_in_parts(position, self.names, self.wide, unchecked, self.keep)

    def scope(self, answer: results.Forecast) -> AnswerScope:
        return self.scope_by("forecast", Checked("figures", len(answer.figures)))

    def lines(self, answer: results.Forecast) -> list[str]:
        return text.forecast(answer, self.position, self.style)

    def code(self, answer: results.Forecast) -> Exit:
        unknown = any(figure.value == "unknown" for figure in answer.figures)
        return Exit.of(not unknown and (answer.figures or not self.names), unknown)


@verb("apply")
class ApplyVerb(AboutPosition):
    """Carry out one or more actions; show what changed, and by which rule.

    Separate several actions in one argument with ";". Actions with the same name fit in one pair
    of brackets: take(anna, 2; bo, 3).

    Odds by policy: --odds --policy passes, or --policy anna=bold --policy bo=passes.

    \b
    Example:
      pymorph new-ruleset my_game
      pymorph apply my_game/positions/start.yaml "take(anna, 2)" "take(bo, 3)"
    """

    file: str = FILE
    actions: tuple[str, ...] = argument(values.ACTION, "[ACTION]...", nargs=-1)
    given: tuple[str, ...] = GIVEN
    seed: str | None = option(
        "--roll SEED", "Make all other rolls at random; the same SEED gives the same rolls."
    )
    odds: bool = flag("--odds", "Show all possible results of rolls, with exact odds.")
    policy: tuple[str, ...] = option(
        "--policy [WHO=]POLICY",
        "With --odds: show what follows if everybody, or WHO, plays by a policy of the ruleset.",
        multiple=True,
    )
    output: str | None = option("-o, --output FILE", "Write the resulting position to FILE.")
    as_line: bool = flag("--line", "Print only the resulting position, in one line.")
    append: bool = flag("--append", "FILE is a record: add the steps at its end.")
    everything: bool = flag("--all", "Include bookkeeping and every reset value.")

    def check(self) -> None:
        self.actions = tuple(action for line in self.actions for action in actions_in(line))
        rolls = self.given or self.seed is not None
        if self.output == "-":
            raise misused("-o needs the name of a file; use --line to print the position")
        if self.odds and (rolls or self.output or self.as_line):
            raise misused("--odds cannot be combined with --given, --roll, -o or --line")
        if self.policy and not self.odds:
            raise misused("--policy needs --odds")
        if self.append and (
            self.odds or self.file == "-" or self.kept(self.file) or not self.plain
        ):
            others = "--odds, --as, --reading or --rulings"
            raise misused(f"--append needs a record's file, and cannot be combined with {others}")
        if not (self.actions or rolls or self.odds):
            raise misused("missing argument ACTION")

    def ask(self) -> outcomes.LineOfPlay | outcomes.Odds:
        if self.odds:
            by = policies_of(self.policy)
            return odds.odds_in_parts(self.position_of(self.file), self.actions, by, self.keep)
        dice = None if self.seed is None else chance.seeded(self.seed)
        if self.append:
            under = partial(self.under, file=self.file)
            return session.play_on(self.file, self.actions, self.given, dice, under)
        return application.play_through(self.position_of(self.file), self.actions, self.given, dice)

    def scope(self, answer: outcomes.LineOfPlay | outcomes.Odds) -> AnswerScope:
        if isinstance(answer, outcomes.Odds):
            return self.scope_by("apply", Checked("branches", len(answer.branches)))
        outcome = answer.outcome
        checked = Checked("actions", len(outcome.actions))
        return self.scope_by("apply", checked, outcome.awaited, outcome.pending)

    def finish(self, answer: Any) -> Any:
        if self.output and answer.done:
            position = answer.outcome.position
            if self.handles is not None and self.output.startswith(HANDLE):
                self.keep_under(self.output, position)
            else:
                yamlio.write(self.output, position.yaml(Path(self.output).absolute().parent))
        return answer

    def put(self, answer: Any) -> None:
        if self.as_line and answer.done:
            put_text(answer.outcome.position.line() + "\n")
        else:
            super().put(answer)

    def lines(self, answer: Any) -> list[str]:
        if self.odds:
            return lookahead.odds(answer, self.style)
        return text.line_of_play(answer, self.style, self.everything)

    def code(self, answer: Any) -> Exit:
        return Exit.of(self.odds or answer.done, not self.odds and answer.depends_on)


@json_keys(spread=["check"], optional=["rulings"])
class FileCheck(NamedTuple):
    """Whether the position in a file is valid, under which house rulings."""

    check: results.Check
    rulings: rulings.RulingsInForce
    scope: AnswerScope


class FileChecks(NamedTuple):
    """The same of several files, by their names."""

    files: dict[str, FileCheck]


# By name: the position, what came of it, and what was decided.
ChecksByName = dict[str, tuple[Position, results.Check, rulings.RulingsInForce]]


@verb("check")
class CheckVerb(FileByFile, AboutPosition):
    """Check that a position is valid; list every problem with its rule.

    \b
    Example:
      pymorph new-ruleset my_game
      pymorph check my_game/positions/start.yaml
    """

    files: tuple[str, ...] = argument(values.POSITION_FILE, "FILE...", nargs=-1, required=True)

    def ask(self) -> ChecksByName:
        answers: ChecksByName = {}
        for file in dict.fromkeys(self.files):
            name = yamlio.name_of(file)
            try:
                position = self.position_of(file, checked=False)
                key = name if name not in answers else f"{name} {len(answers) + 1}"
                answers[key] = (position, consistency.check(position), dict(self.ruled))
            except Faulty as error:
                self.errors.append(error)
        if not answers and len(self.errors) == 1:
            raise self.errors.pop()
        self.ruled = {}
        return answers

    @property
    def several(self) -> bool:
        """Is it about several files?"""
        return len(set(self.files)) > 1

    def data(self, answer: ChecksByName) -> FileCheck | FileChecks:
        given, one = self.readings, Checked("positions", 1)
        checks = {
            name: FileCheck(check, ruled, answer_scope.scope_of(position, "check", one, given))
            for name, (position, check, ruled) in answer.items()
        }
        return FileChecks(checks) if self.several else next(iter(checks.values()))

    def lines(self, answer: ChecksByName) -> list[str]:
        lines: list[str] = []
        for name, (_, check, ruled) in answer.items():
            lines += text.check(check, self.style, name if self.several else "")
            lines += house_lines(ruled, opening=())
        return lines

    def code(self, answer: ChecksByName) -> Exit:
        return max((Exit.of(one.consistent) for _, one, _ in answer.values()), default=Exit.YES)
