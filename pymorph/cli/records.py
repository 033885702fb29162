"""The verb about records, and what other verbs do with one."""

from __future__ import annotations

import sys
from typing import Any

import click

from pymorph.cli.frame import DEPENDS, NO, YES, cli
from pymorph.cli.options import PositionFile, asked, common, options_of, put, style_of, under

LONG = 200  # steps from which on a bar shows how far it is


@cli.command()
@click.argument("file", type=PositionFile())
@click.option("--to", type=click.IntRange(0), metavar="N", help="Only the first N steps.")
@click.option("--show", is_flag=True, help="Also what each step changed.")
@common
def replay(file: str, to: int | None, show: bool, **common_options: Any) -> int:
    """Was this played by the rules? To its end, or to the first illegal step and why.

    \b
    Example:
      pymorph replay my_game/records/first.yaml
    """
    from dataclasses import replace

    from pymorph import files, queries, render
    from pymorph.record import Record
    from pymorph.text import records as told

    options = options_of(**common_options)
    style = style_of()
    played: list[dict[str, Any]] = []

    def question() -> Any:
        record = Record.load(file)
        record = replace(record, position=under(record.position, options, file))
        steps = len(record.steps[:to])
        if show or options.as_json or steps < LONG or not sys.stderr.isatty():
            return queries.replay(record, to, step if show else None)
        with click.progressbar(length=steps, label=files.name_of(file), file=sys.stderr) as bar:
            return queries.replay(record, to, lambda *_: bar.update(1))

    def step(number: int, _: Any, outcome: Any) -> None:
        if options.as_json:
            played.append({"step": number, "steps": [each.json() for each in outcome.steps]})
        else:
            for line in [*told.played(number, outcome.steps, style), ""]:
                click.echo(line)

    def lines() -> list[str]:
        found = told.replay(answer, files.name_of(file), style)
        if answer.stop is None:
            return found
        board = render.position_text(answer.stop.position, style=style)
        return [*found, "", style.bold("before it"), *board]

    answer = asked(options, question)
    put(options, {**answer.json(), **({"played": played} if show else {})}, lines)
    if answer.stop is not None and answer.stop.depends_on:
        return DEPENDS
    return YES if answer.good else NO
