"""The verbs that make a table of a map."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from pymorph.cli.app import YES, Verbs, cli
from pymorph.cli.options import GameName, Options, in_json
from pymorph.cli.output import put_line, put_text
from pymorph.errors import clipped

MOST_TOLD = 10  # pieces that are left out, each with its reason


@cli.group("import", cls=Verbs, no_args_is_help=False)
def maps() -> None:
    """Make the terrain of a map.

    What is printed is the table of a position, for a game that is played in lengths.

    \b
    Example:
      pymorph import uvtt my_map.uvtt ./my_skirmish
    """


def shared(command: Callable[..., Any]) -> Callable[..., Any]:
    """The arguments of every kind of map."""
    for option in (
        click.option("--label", default="", metavar="LABEL", help="For all that has none here."),
        click.option(
            "--snap", default="", metavar="LENGTH", help="Move points to multiples of it."
        ),
        click.option("--scale", default="", metavar="LENGTH", help="How wide a square is (1)."),
        click.argument("ruleset", type=GameName()),
        click.argument("map", type=click.Path()),
    ):
        command = option(command)
    return command


@maps.command()
@shared
@in_json
def uvtt(map: str, ruleset: str, scale: str, snap: str, label: str, options: Options) -> int:
    """Walls and doors of a Universal VTT map.

    They are edges with the labels `wall`, `object` and `door`, where the game has these.

    \b
    Example:
      pymorph import uvtt my_map.uvtt ./my_skirmish
    """
    return put_table("uvtt", map, ruleset, scale, snap, label, options)


@maps.command()
@shared
@in_json
def tiled(map: str, ruleset: str, scale: str, snap: str, label: str, options: Options) -> int:
    """Objects of a Tiled map, in JSON or XML.

    Polygons and rectangles are areas, polylines edges. The label is the class or the name of an
    object, or the name of its layer, where the game has such a label.

    \b
    Example:
      pymorph import tiled my_map.tmj ./my_skirmish
    """
    return put_table("tiled", map, ruleset, scale, snap, label, options)


def put_table(
    kind: str, path: str, ruleset: str, scale: str, snap: str, label: str, options: Options
) -> int:
    """Print the table, and on standard error how far points were moved, and what is left out."""
    from pymorph import yamlio
    from pymorph.cli.options import put
    from pymorph.ruleset.loader import load
    from pymorph.state.maps import imported

    found = options.answer_to(lambda: imported(kind, path, load(ruleset), scale, snap, label))
    if options.as_json:
        put(options, found.json(), list)
        return YES
    put_text(yamlio.block(found.data))
    rulers = found.ruleset.vocabulary.rulers
    number = len(found.plane.terrain)
    moved = rulers.told(-(-found.snap.numerator // found.snap.denominator))
    told = f"at most {moved}" if found.snap else "not at all"
    put_line(f"{number} pieces of terrain; points moved {told}", err=True)
    for line in found.left_out[:MOST_TOLD]:
        put_line(f"left out: {clipped(line, 120)[1:-1]}", err=True)
    if len(found.left_out) > MOST_TOLD:
        put_line(f"left out: {len(found.left_out) - MOST_TOLD} more", err=True)
    return YES
