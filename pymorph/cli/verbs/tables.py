"""The verbs that import a map or an army list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from pymorph.cli.app import NO, YES, Verbs, cli
from pymorph.cli.options import GameName, Options, in_json, pairs, put, timeout_option
from pymorph.cli.output import put_line, put_text
from pymorph.errors import clipped
from pymorph.ruleset import loader
from pymorph.state.imports import lists, maps

MOST_TOLD = 10  # pieces that are left out, each with its reason


@cli.group("import", cls=Verbs, no_args_is_help=False)
def imports() -> None:
    """Import a map or an army list of another program.

    It prints part of a position for a game that is played in lengths: the table of a map, or the
    miniatures of a list.

    \b
    Example:
      pymorph new-ruleset my_skirmish --from standoff
      pymorph import uvtt my_skirmish/maps/hall.uvtt ./my_skirmish --label wall
    """


@imports.command()
@click.argument("map", type=click.Path())
@click.argument("ruleset", type=GameName())
@click.option("--scale", default="", metavar="LENGTH", help="The width of a square (1).")
@click.option("--snap", default="", metavar="LENGTH", help="Move points to multiples of LENGTH.")
@click.option(
    "--label",
    default="",
    metavar="LABEL",
    help="The label for pieces without a label of the game.",
)
@timeout_option
@in_json
def uvtt(map: str, ruleset: str, scale: str, snap: str, label: str, options: Options) -> int:
    """Import the walls and doors of a Universal VTT map.

    They become edges with the labels `wall`, `object` and `door`, if the game has these. An open
    door becomes an opening without an edge. A wall that runs off the map is cut at its border.

    The exit code is 1 if something is left out.

    \b
    Example:
      pymorph new-ruleset my_skirmish --from standoff
      pymorph import uvtt my_skirmish/maps/hall.uvtt ./my_skirmish --label wall
    """
    from pymorph import yamlio

    def question() -> tuple[maps.ImportedTable, Any]:
        table = maps.imported(map, loader.load(ruleset), scale, snap, label)
        return table, table.json() if options.as_json else yamlio.block(table.data)

    table, answer = options.answer_to(question)
    if options.as_json:
        put(options, answer, list)
        return NO if table.left_out else YES
    put_text(answer)
    rulers = table.ruleset.vocabulary.rulers
    number = len(table.plane.terrain)
    moved = rulers.display(-(-table.snap.numerator // table.snap.denominator))
    far = f"points moved by at most {moved}" if table.snap else "no point moved"
    put_line(f"{number} pieces of terrain; {far}", err=True)
    put_left_out(table.left_out, table.notes)
    return NO if table.left_out else YES


@imports.command("csv")
@click.argument("path", metavar="LIST", type=click.Path())
@click.argument("ruleset", type=GameName())
@click.option(
    "--set",
    "given",
    multiple=True,
    metavar="KEY=VALUE",
    help="Default for rows without this value.",
)
@click.option(
    "--under", default="", metavar="HEADING", help="The heading of the position that lists them."
)
@click.option("--base", default="", metavar="KEY", help="The key for base sizes.")
@click.option("--unit", default="", metavar="UNIT", help="The unit of base sizes that have none.")
@timeout_option
@click.option(
    "--column", "columns", multiple=True, metavar="KEY=COLUMN", help="Read KEY from this column."
)
@in_json
def csv_list(
    path: str,
    ruleset: str,
    options: Options,
    under: str,
    base: str,
    unit: str,
    given: Sequence[str],
    columns: Sequence[str],
) -> int:
    """Import an army list from a table: a name and a count in each row.

    Commas, semicolons, tabs or | separate the cells. The columns are called name, count and base;
    any other column whose name is a key of the game is imported as it is.

    \b
    Example:
      pymorph new-ruleset my_skirmish --from standoff
      pymorph import csv my_skirmish/lists/patrol.csv ./my_skirmish
    """
    from pymorph import yamlio

    values, named = (
        pairs(said, f"{option} takes KEY=..., not {{}}", f"{option} gives two values for {{}}")
        for option, said in (("--set", given), ("--column", columns))
    )
    defaults = lists.ListOptions(under, base, unit, values, named)
    members = options.answer_to(lambda: lists.imported(path, loader.load(ruleset), defaults))
    if options.as_json:
        put(options, members.json(), list)
        return YES
    put_text(yamlio.block(members.data))
    put_line(f"{len(members.members)} {members.heading}", err=True)
    if members.missing:
        put_line(f"still missing: {', '.join(members.missing)}", err=True)
    put_left_out(members.left_out, members.notes)
    return YES


def put_left_out(left_out: Sequence[str], notes: Sequence[str]) -> None:
    """Say on standard error what is not taken over, and why, and what else there is to note."""
    for line in notes[:MOST_TOLD]:
        put_line(clipped(line, 160)[1:-1], err=True)
    if len(notes) > MOST_TOLD:
        put_line(f"{len(notes) - MOST_TOLD} more remarks", err=True)
    for line in left_out[:MOST_TOLD]:
        put_line(f"left out: {clipped(line, 120)[1:-1]}", err=True)
    if len(left_out) > MOST_TOLD:
        put_line(f"left out: {len(left_out) - MOST_TOLD} more", err=True)
