"""The verbs that draw a position, and tell of the lines and lengths on it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import click

from pymorph.cli.app import DEPENDS, NO, YES, cli
from pymorph.cli.options import (
    ActionName,
    Listed,
    Measured,
    Options,
    PositionFile,
    Seen,
    Template,
    Threatening,
    code_of,
    common,
    misused,
    put,
    scene_of,
)
from pymorph.cli.output import keep_others, put_line, put_text, style_of
from pymorph.questions.board import measuring, overlays
from pymorph.questions.board import sight as sights
from pymorph.ruleset import loader
from pymorph.state import position as positions
from pymorph.views.lines import sight as text
from pymorph.views.lines import table
from pymorph.views.pictures import ascii, overlay
from pymorph.views.pictures import svg as svgs


@cli.command()
@click.argument("file", type=PositionFile())
@click.argument("names", nargs=-1, type=Seen, metavar="[FROM] [TO]")
@click.option("--all", "everything", is_flag=True, help="Include lines within one side.")
@common
def sight(file: str, names: tuple[str, ...], everything: bool, options: Options) -> int:
    """Show who sees whom, what stops a line first, and with what cover.

    With FROM and TO, it shows the line from one to the other; with FROM alone, all lines from
    there. Without names, it shows all lines between different sides.

    \b
    Example:
      pymorph new-position standoff my_table.yaml
      pymorph sight my_table.yaml ann bea
    """
    if len(names) > 2 or (names and everything):
        raise misused("sight takes one name, two names, or --all")

    def question(keep: Callable[[Any], None]) -> Any:
        position, unchecked = options.asked_first(file)

        def keep_part(so_far: sights.SightTable) -> None:
            keep((position, so_far))

        return position, sights.sight_in_parts(position, names, everything, unchecked, keep_part)

    (position, answer), stopped = options.answer_so_far(question)
    put(options, answer.json(), lambda: text.sight(answer, position, style_of()), stopped=stopped)
    free = {line.free for line in answer.lines}
    return code_of(stopped, YES if True in free else DEPENDS if None in free else NO)


@cli.command()
@click.argument("file", type=PositionFile())
@click.argument("one", type=Measured, metavar="FROM")
@click.argument("other", type=Measured, metavar="TO")
@common
def measure(file: str, one: str, other: str, options: Options) -> int:
    """Measure the distance from one figure or place to another.

    FROM and TO are names, places of a board, or points of a table such as "[12, 5 1/2]".

    \b
    Example:
      pymorph new-position standoff my_table.yaml
      pymorph measure my_table.yaml ann bea
    """

    def question() -> measuring.Distance:
        return measuring.measure(options.position_of(file, checked=False), one, other)

    options.respond(question, table.distance)
    return YES


@cli.command()
@click.argument("file", type=PositionFile())
@click.option("--svg", metavar="FILE", help="Draw the board to FILE, as an SVG picture.")
@click.option("--force", is_flag=True, help="Replace FILE, whatever it contains.")
@click.option(
    "--sight",
    nargs=2,
    type=Seen,
    metavar="FROM TO",
    help="Draw the line of sight from FROM to TO, what stops it first, and the cover.",
)
@click.option("--reach", type=Listed, metavar="NAME", help="Shade where NAME can move, by speed.")
@click.option(
    "--threat", type=Threatening, metavar="NAME", help="Mark what NAME, or a side, threatens."
)
@click.option(
    "--template",
    type=Template,
    metavar="TEMPLATE",
    help="Shade what a template or an action covers, and list who is in it.",
)
@click.option(
    "--path", type=ActionName(), metavar="ACTION", help="Draw the path that an action takes."
)
@click.option("--yaml", "as_yaml", is_flag=True, help="Print the position as YAML, as in a file.")
@click.option("--line", "as_line", is_flag=True, help="Print the position in its one-line form.")
@click.option("--ascii", "plain", is_flag=True, help="Draw with plain characters only.")
@common
def show(
    file: str,
    svg: str | None,
    force: bool,
    sight: tuple[str, str] | None,
    reach: str | None,
    threat: str | None,
    template: str | None,
    path: str | None,
    as_yaml: bool,
    as_line: bool,
    plain: bool,
    options: Options,
) -> int:
    """Draw a position: the board, and what is in front of each player.

    The options draw over the board, and explain below it what they show, with its rules.

    \b
    Example:
      pymorph new-ruleset my_game
      pymorph show my_game/positions/start.yaml
    """
    from pymorph import yamlio

    if svg and not force:
        keep_others(svg)

    def question() -> tuple[Any, str, list[str], dict[str, Any]]:
        position = options.position_of(file, checked=False)
        over, data = laid_over(position, sight, reach, threat, template, path)
        scene = replace(scene_of(position), overlay=over)
        if svg:
            return position, svgs.board_svg(scene), [], data
        if options.as_json or as_yaml or as_line:
            return position, "", [], data
        return position, "", ascii.position_text(scene, plain, style_of()), data

    position, drawing, lines, laid = options.answer_to(question)
    if svg:
        yamlio.write(svg, drawing)
        put_line(f"wrote {svg}", err=True)
    if as_line:
        put_text(position.line() + "\n")
    elif as_yaml:
        put_text(position.yaml())
    elif options.as_json or not svg:
        data = {
            **loader.head(position.ruleset),
            "position": position.data(),
            "line": position.line(),
        }
        data |= {"ours": position.ruleset.ours_in(position.words), **laid}
        put(options, data, lambda: lines)
    return YES


def laid_over(
    position: positions.Position,
    sight: tuple[str, str] | None,
    reach: str | None,
    threat: str | None,
    template: str | None,
    path: str | None,
) -> tuple[overlay.Overlay, dict[str, Any]]:
    """What is laid over the picture, and the same as JSON."""
    over: list[overlay.Overlay] = []
    data: dict[str, Any] = {}
    if sight:
        line = sights.sight(position, *sight).lines[0]
        over.append(text.laid_over(line, position))
        data["sight"] = line.json()
    for name, asked, find, draw in (
        ("reach", reach, overlays.reach, overlay.of_reach),
        ("threat", threat, overlays.threat, overlay.of_threat),
        ("template", template, overlays.template, overlay.of_template),
        ("path", path, overlays.route, overlay.of_route),
    ):
        if asked:
            answer: Any = find(position, asked)
            over.append(draw(answer, position))
            data[name] = answer.json()
    return overlay.combined(over), data
