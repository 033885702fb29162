"""The verbs that take over what other programs have: terrain of a map, figures of a list."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import click

from pymorph.cli.app import NO, YES, Verbs, cli
from pymorph.cli.options import GameName, Options, in_json, pairs, timeout_option
from pymorph.cli.output import put_line, put_text
from pymorph.errors import clipped

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


def shared(command: Callable[..., Any]) -> Callable[..., Any]:
    """The arguments of every kind of map."""
    for option in (
        timeout_option,
        click.option(
            "--label",
            default="",
            metavar="LABEL",
            help="The label for pieces without a label of the game.",
        ),
        click.option(
            "--snap", default="", metavar="LENGTH", help="Move points to multiples of LENGTH."
        ),
        click.option("--scale", default="", metavar="LENGTH", help="The width of a square (1)."),
        click.argument("ruleset", type=GameName()),
        click.argument("map", type=click.Path()),
    ):
        command = option(command)
    return command


@imports.command()
@shared
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
    return put_table("uvtt", map, ruleset, scale, snap, label, options)


@imports.command()
@shared
@in_json
def tiled(map: str, ruleset: str, scale: str, snap: str, label: str, options: Options) -> int:
    """Import the objects of a Tiled map, in JSON or XML.

    Polygons and rectangles become areas; polylines become edges. The label is the class or the name
    of an object, or the name of its layer, if the game has that label.

    The exit code is 1 if something is left out.

    \b
    Example:
      pymorph new-ruleset my_skirmish --from standoff
      pymorph import tiled my_skirmish/maps/yard.tmj ./my_skirmish
    """
    return put_table("tiled", map, ruleset, scale, snap, label, options)


def put_table(
    kind: str, path: str, ruleset: str, scale: str, snap: str, label: str, options: Options
) -> int:
    """Print the table, and on standard error how far points were moved, and what is left out.

    It is a no if something is.
    """
    from pymorph import yamlio
    from pymorph.cli.options import put
    from pymorph.ruleset.loader import load
    from pymorph.state.imports.maps import ImportedTable, imported

    def question() -> tuple[ImportedTable, Any]:
        found = imported(kind, path, load(ruleset), scale, snap, label)
        return found, found.json() if options.as_json else yamlio.block(found.data)

    found, told = options.answer_to(question)
    if options.as_json:
        put(options, told, list)
        return NO if found.left_out else YES
    put_text(told)
    rulers = found.ruleset.vocabulary.rulers
    number = len(found.plane.terrain)
    moved = rulers.told(-(-found.snap.numerator // found.snap.denominator))
    far = f"points moved by at most {moved}" if found.snap else "no point moved"
    put_line(f"{number} pieces of terrain; {far}", err=True)
    put_left_out(found.left_out, found.notes)
    return NO if found.left_out else YES


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


# Lists


def of_lists(command: Callable[..., Any]) -> Callable[..., Any]:
    """The arguments of every kind of list."""
    for option in (
        timeout_option,
        click.option(
            "--unit", default="", metavar="UNIT", help="The unit of base sizes that have none."
        ),
        click.option("--base", default="", metavar="KEY", help="The key for base sizes."),
        click.option(
            "--under",
            default="",
            metavar="HEADING",
            help="The heading of the position that lists them.",
        ),
        click.option(
            "--set",
            "given",
            multiple=True,
            metavar="KEY=VALUE",
            help="Default for rows without this value.",
        ),
        click.argument("ruleset", type=GameName()),
        click.argument("list", type=click.Path()),
    ):
        command = option(command)
    return command


@imports.command("csv")
@of_lists
@click.option(
    "--column", "columns", multiple=True, metavar="KEY=COLUMN", help="Read KEY from this column."
)
@in_json
def csv_list(list: str, ruleset: str, options: Options, columns: Sequence[str], **told: Any) -> int:
    """Import an army list from a table: a name and a count in each row.

    Commas, semicolons, tabs or | separate the cells. The columns are called name, count and base;
    any other column whose name is a key of the game is imported as it is.

    \b
    Example:
      pymorph new-ruleset my_skirmish --from standoff
      pymorph import csv my_skirmish/lists/patrol.csv ./my_skirmish
    """
    return put_list("csv", list, ruleset, options, columns=columns, **told)


@imports.command()
@of_lists
@in_json
def ros(list: str, ruleset: str, options: Options, **told: Any) -> int:
    """Import the models of a BattleScribe roster, packed or not.

    It imports names, counts and base sizes, and nothing else.

    \b
    Example:
      pymorph new-ruleset my_skirmish --from standoff
      pymorph import ros my_skirmish/lists/patrol.ros ./my_skirmish
    """
    return put_list("ros", list, ruleset, options, **told)


def put_list(
    kind: str,
    path: str,
    ruleset: str,
    options: Options,
    under: str,
    base: str,
    unit: str,
    given: Sequence[str],
    columns: Sequence[str] = (),
) -> int:
    """Print those on a list, and on standard error what is left out, and what is still missing."""
    from pymorph import yamlio
    from pymorph.cli.options import put
    from pymorph.ruleset.loader import load
    from pymorph.state.imports.lists import Wishes, imported

    values, named = (
        pairs(said, f"{option} takes KEY=..., not {{}}", f"{option} gives two values for {{}}")
        for option, said in (("--set", given), ("--column", columns))
    )
    wishes = Wishes(under, base, unit, values, named)
    found = options.answer_to(lambda: imported(kind, path, load(ruleset), wishes))
    if options.as_json:
        put(options, found.json(), list)
        return YES
    put_text(yamlio.block(found.data))
    put_line(f"{len(found.members)} {found.heading}", err=True)
    if found.missing:
        put_line(f"still missing: {', '.join(found.missing)}", err=True)
    put_left_out(found.left_out, found.notes)
    return YES
