"""The verbs that are asked about a position."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from pymorph.cli.app import DEPENDS, NO, YES, cli, fail
from pymorph.cli.options import (
    ActionName,
    Actor,
    Figure,
    Options,
    PositionFile,
    actions_in,
    code_of,
    common,
    house_lines,
    misused,
    policies_of,
    put,
    with_rulings,
)
from pymorph.cli.output import put_line, put_text, style_of
from pymorph.dynamics import outcomes, results
from pymorph.dynamics.asking import chance
from pymorph.errors import Faulty, PymorphError
from pymorph.explore.execution import application, event_explanation, session
from pymorph.explore.sampling import odds as odds_module
from pymorph.questions import consistency, explanation, figures, legality
from pymorph.state import names, rulings
from pymorph.state import record as records
from pymorph.state.files import position_file
from pymorph.views.lines import answers as text
from pymorph.views.lines import happenings


@cli.command()
@click.argument("file", type=PositionFile())
@click.option("--actor", type=Actor, metavar="NAME", help="List only the actions of NAME.")
@click.option(
    "--all",
    "everything",
    is_flag=True,
    help="Include forbidden actions, each with the rules that forbid it.",
)
@common
def legal(file: str, actor: str | None, everything: bool, options: Options) -> int:
    """List the legal actions in a position, by actor.

    \b
    Example:
      pymorph new-ruleset my_game
      pymorph legal my_game/positions/start.yaml --actor anna
    """

    def question() -> Any:
        position, unchecked = options.asked_first(file)
        answer = (legality.judge_all if everything else legality.legal)(position, unchecked)
        return position, answer if actor is None else answer.of(names.actor(position, actor))

    position, answer = options.answer_to(question)
    put(options, answer.json(), lambda: text.legality(answer, position, style_of()))
    return YES if answer.actions or answer.awaited else DEPENDS if answer.unsettled else NO


@cli.command()
@click.argument("file", type=PositionFile())
@click.argument("what", type=ActionName(), metavar="ACTION|EVENT")
@click.option(
    "--after",
    multiple=True,
    metavar="ACTION",
    help="For an event: an action to carry out first; may be repeated.",
)
@click.option(
    "--given",
    multiple=True,
    metavar="ROLL",
    help="The result of a roll on the way; may be repeated.",
)
@click.option("--to", type=int, metavar="N", help="For an event in a record: search up to step N.")
@common
def why(
    file: str,
    what: str,
    after: tuple[str, ...],
    given: tuple[str, ...],
    to: int | None,
    options: Options,
) -> int:
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

    def question() -> results.Why | outcomes.WhyEvent:
        source = position_file.load(file)
        record = source if isinstance(source, records.Record) and not (after or given) else None
        start = source.position if isinstance(source, records.Record) else source
        if not event_explanation.is_event(start.ruleset, what):
            if after or given or to is not None:
                raise misused("--after, --given and --to need an event")
            position, unchecked = options.asked_first(file, source)
            return explanation.why(position, what, unchecked)
        if record is not None:
            record = replace(record, position=options.under(record.position, file))
            return event_explanation.why_event_in(record, what, to)
        if to is not None:
            raise misused(
                "--to needs an event in a record, and cannot be combined with --after or --given"
            )
        position = options.reached(source, file, checked=True)
        return event_explanation.why_event(position, what, *after, given=given)

    answer = options.answer_to(question)
    if isinstance(answer, outcomes.WhyEvent):
        read = set(answer.readings)
        put(options, answer.json(), lambda: happenings.why_event(answer, style_of()), read)
        return DEPENDS if answer.happens is None else YES if answer.happens else NO
    weighed = {turning.question for turning in answer.readings}
    put(options, answer.json(), lambda: text.why(answer, style=style_of()), weighed)
    return DEPENDS if answer.legal is None else YES if answer.legal else NO


@cli.command()
@click.argument("file", type=PositionFile())
@click.argument("names", nargs=-1, type=Figure, metavar="[FIGURE]...")
@click.option("--next", "wide", is_flag=True, help="Include figures of what may come next.")
@common
def forecast(file: str, names: tuple[str, ...], wide: bool, options: Options) -> int:
    """Show what the rules calculate: when an attack pays off, what aborting it would cost.

    A FIGURE is a kind (score) or a single figure. Some figures are calculated only if you name
    them. Naming figures is quicker, since only these are calculated.

    \b
    Example:
      pymorph new-ruleset my_game
      pymorph forecast my_game/positions/start.yaml score
    """

    def question(keep: Callable[[Any], None]) -> Any:
        position, unchecked = options.asked_first(file)
        if options.timeout is None:  # all at once is quicker
            return position, figures.forecast(position, *names, wide=wide, unchecked=unchecked)

        def keep_part(so_far: results.Forecast) -> None:
            keep((position, so_far))

        return position, figures.forecast_in_parts(position, names, wide, unchecked, keep_part)

    (position, answer), stopped = options.answer_so_far(question)
    style = style_of()
    put(options, answer.json(), lambda: text.forecast(answer, position, style), stopped=stopped)
    if stopped:
        return code_of(stopped, DEPENDS)
    if names and not answer.figures:
        return NO
    return DEPENDS if any(figure.value == "unknown" for figure in answer.figures) else YES


@cli.command()
@click.argument("file", type=PositionFile())
@click.argument("actions", nargs=-1, type=ActionName(), metavar="[ACTION]...")
@click.option(
    "--given",
    multiple=True,
    metavar="ROLL",
    help="The result of a roll on the way; may be repeated.",
)
@click.option(
    "--roll",
    "seed",
    metavar="SEED",
    help="Make all other rolls at random; the same SEED gives the same rolls.",
)
@click.option("--odds", is_flag=True, help="Show all possible results of rolls, with exact odds.")
@click.option(
    "--policy",
    multiple=True,
    metavar="[WHO=]POLICY",
    help="With --odds: show what follows if everybody, or WHO, plays by a policy of the ruleset.",
)
@click.option("-o", "--output", metavar="FILE", help="Write the resulting position to FILE.")
@click.option(
    "--line", "as_line", is_flag=True, help="Print only the resulting position, in one line."
)
@click.option("--append", is_flag=True, help="FILE is a record: add the steps at its end.")
@click.option(
    "--all", "everything", is_flag=True, help="Include bookkeeping and every reset value."
)
@common
def apply(
    file: str,
    actions: tuple[str, ...],
    given: tuple[str, ...],
    seed: str | None,
    odds: bool,
    policy: tuple[str, ...],
    append: bool,
    output: str | None,
    as_line: bool,
    everything: bool,
    options: Options,
) -> int:
    """Carry out one or more actions; show what changed, and by which rule.

    Separate several actions in one argument with ";". Actions with the same name fit in one pair
    of brackets: take(anna, 2; bo, 3).

    Odds by policy: --odds --policy passes, or --policy anna=bold --policy bo=passes.

    \b
    Example:
      pymorph new-ruleset my_game
      pymorph apply my_game/positions/start.yaml "take(anna, 2)" "take(bo, 3)"
    """
    from pymorph import yamlio

    actions = tuple(action for line in actions for action in actions_in(line))
    if output == "-":
        raise misused("-o needs the name of a file; use --line to print the position")
    if odds and (given or seed is not None or output or as_line):
        raise misused("--odds cannot be combined with --given, --roll, -o or --line")
    if policy and not odds:
        raise misused("--policy needs --odds")
    if append and (odds or file == "-" or not options.plain):
        others = "--odds, --as, --reading or --rulings"
        raise misused(f"--append needs a record's file, and cannot be combined with {others}")
    if not (actions or given or seed is not None or odds):
        raise misused("missing argument ACTION")
    if odds:
        by = policies_of(policy)
        result, stopped = options.answer_so_far(
            lambda keep: odds_module.odds_in_parts(options.position_of(file), actions, by, keep)
        )
        put(options, result.json(), lambda: text.odds(result, style_of()), stopped=stopped)
        return code_of(stopped, YES)

    def question() -> outcomes.LineOfPlay:
        dice = None if seed is None else chance.seeded(seed)
        if append:
            return session.play_on(
                file, actions, given, dice, lambda start: options.under(start, file)
            )
        return application.play_through(options.position_of(file), actions, given, dice)

    answer = options.answer_to(question)
    if answer.done and output:
        yamlio.write(output, answer.outcome.position.yaml(Path(output).absolute().parent))
    if as_line and answer.done:
        put_text(answer.outcome.position.line() + "\n")
    else:
        put(options, answer.json(), lambda: text.line_of_play(answer, style_of(), everything))
    return YES if answer.done else DEPENDS if answer.depends_on else NO


@cli.command()
@click.argument("files", nargs=-1, required=True, type=PositionFile(), metavar="FILE...")
@common
def check(files: tuple[str, ...], options: Options) -> int:
    """Check that a position is valid; list every problem with its rule.

    \b
    Example:
      pymorph new-ruleset my_game
      pymorph check my_game/positions/start.yaml
    """
    from pymorph import yamlio

    answers: dict[str, tuple[results.Check, rulings.RulingsInForce]] = {}
    errors: list[PymorphError] = []

    def question() -> None:
        for file in dict.fromkeys(files):
            name = yamlio.name_of(file)
            try:
                answer = consistency.check(options.position_of(file, checked=False))
                key = name if name not in answers else f"{name} {len(answers) + 1}"
                answers[key] = (answer, dict(options.ruled))
            except Faulty as error:
                errors.append(error)

    options.answer_to(question)
    worst = max([fail(error) for error in errors], default=YES)
    several = len(set(files)) > 1
    options.ruled.clear()
    if options.as_json:
        results = {
            name: with_rulings(verdict.json(), ruled) for name, (verdict, ruled) in answers.items()
        }
        for data in [{"files": results}] if several else results.values():
            put(options, data, list)
    else:
        for name, (answer, ruled) in answers.items():
            lines = text.check(answer, style_of(), name if several else "")
            for line in [*lines, *house_lines(ruled, opening=())]:
                put_line(line)
    return max([worst, *(YES if answer.consistent else NO for answer, _ in answers.values())])
