"""The verbs that import a map or an army list."""

from __future__ import annotations

from collections.abc import Sequence

import click

from pymorph import yamlio
from pymorph.cli import values
from pymorph.cli.app import Exit, Verbs, cli
from pymorph.cli.options import TIMEOUT, argument, option
from pymorph.cli.output import put_line, put_text
from pymorph.cli.texts import pairs
from pymorph.cli.verb import InJson, verb
from pymorph.errors import clipped
from pymorph.ruleset import loader
from pymorph.state.imports import lists, maps

MOST_LISTED = 10  # pieces that are left out, each with its reason


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


@verb("uvtt", imports)
class UniversalVttVerb(InJson):
    """Import the walls and doors of a Universal VTT map.

    They become edges with the labels `wall`, `object` and `door`, if the game has these. An open
    door becomes an opening without an edge. A wall that runs off the map is cut at its border.

    The exit code is 1 if something is left out.

    \b
    Example:
      pymorph new-ruleset my_skirmish --from standoff
      pymorph import uvtt my_skirmish/maps/hall.uvtt ./my_skirmish --label wall
    """

    map: str = argument(click.Path())
    ruleset: str = argument(values.GAME)
    scale: str = option("--scale LENGTH", "The width of a square (1).", default="")
    snap: str = option("--snap LENGTH", "Move points to multiples of LENGTH.", default="")
    label: str = option(
        "--label LABEL", "The label for pieces without a label of the game.", default=""
    )
    timeout: float | None = TIMEOUT

    def ask(self) -> maps.ImportedTable:
        game = loader.load(self.ruleset)
        table = maps.imported(self.map, game, self.scale, self.snap, self.label)
        self.yaml = "" if self.as_json else yamlio.block(table.data)
        return table

    def put_lines(self, answer: maps.ImportedTable) -> None:
        put_text(self.yaml)
        rulers = answer.ruleset.vocabulary.rulers
        number = len(answer.plane.terrain)
        moved = rulers.display(-(-answer.snap.numerator // answer.snap.denominator))
        far = f"points moved by at most {moved}" if answer.snap else "no point moved"
        put_line(f"{number} pieces of terrain; {far}", err=True)
        put_left_out(answer.left_out, answer.notes)

    def code(self, answer: maps.ImportedTable) -> Exit:
        return Exit.of(not answer.left_out)


@verb("csv", imports)
class CsvListVerb(InJson):
    """Import an army list from a table: a name and a count in each row.

    Commas, semicolons, tabs or | separate the cells. The columns are called name, count and base;
    any other column whose name is a key of the game is imported as it is.

    \b
    Example:
      pymorph new-ruleset my_skirmish --from standoff
      pymorph import csv my_skirmish/lists/patrol.csv ./my_skirmish
    """

    path: str = argument(click.Path(), "LIST")
    ruleset: str = argument(values.GAME)
    given: tuple[str, ...] = option(
        "--set KEY=VALUE", "Default for rows without this value.", multiple=True
    )
    listed_under: str = option(
        "--under HEADING", "The heading of the position that lists them.", default=""
    )
    base: str = option("--base KEY", "The key for base sizes.", default="")
    unit: str = option("--unit UNIT", "The unit of base sizes that have none.", default="")
    timeout: float | None = TIMEOUT
    columns: tuple[str, ...] = option(
        "--column KEY=COLUMN", "Read KEY from this column.", multiple=True
    )

    def check(self) -> None:
        values, named = (
            pairs(said, f"{name} takes KEY=..., not {{}}", f"{name} gives two values for {{}}")
            for name, said in (("--set", self.given), ("--column", self.columns))
        )
        self.defaults = lists.ListOptions(self.listed_under, self.base, self.unit, values, named)

    def ask(self) -> lists.ImportedList:
        return lists.imported(self.path, loader.load(self.ruleset), self.defaults)

    def put_lines(self, answer: lists.ImportedList) -> None:
        put_text(yamlio.block(answer.data))
        put_line(f"{len(answer.members)} {answer.heading}", err=True)
        if answer.missing:
            put_line(f"still missing: {', '.join(answer.missing)}", err=True)
        put_left_out(answer.left_out, answer.notes)


def put_left_out(left_out: Sequence[str], notes: Sequence[str]) -> None:
    """Say on standard error what is left out, and why, and what else there is to note."""
    for lines, room, form, more in (
        (notes, 160, "{}", "{} more remarks"),
        (left_out, 120, "left out: {}", "left out: {} more"),
    ):
        first = (form.format(clipped(line, room)[1:-1]) for line in lines[:MOST_LISTED])
        put_line(*first, err=True)
        if len(lines) > MOST_LISTED:
            put_line(more.format(len(lines) - MOST_LISTED), err=True)
