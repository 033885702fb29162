"""The verbs that draw a position, and tell of the lines and lengths on it."""

from __future__ import annotations

from typing import NamedTuple

from pymorph.answers import json_keys
from pymorph.cli import values
from pymorph.cli.app import Exit
from pymorph.cli.options import FILE, FORCE, argument, flag, option
from pymorph.cli.output import keep_others, put_text
from pymorph.cli.texts import misused
from pymorph.cli.verb import AboutPosition, put_picture, verb
from pymorph.dynamics import outcomes
from pymorph.questions.answer_scope import AnswerScope, Checked
from pymorph.questions.board import measuring
from pymorph.questions.board import sight as sights
from pymorph.state import position as positions
from pymorph.views import picture
from pymorph.views.lines import sight as text
from pymorph.views.lines import table
from pymorph.views.pictures import ascii
from pymorph.views.pictures import svg as svgs


@verb("sight")
class SightVerb(AboutPosition):
    """Show who sees whom, what stops a line first, and with what cover.

    With FROM and TO, it shows the line from one to the other; with FROM alone, all lines from
    there. Without names, it shows all lines between different sides.

    \b
    Example:
      pymorph new-position standoff my_table.yaml
      pymorph sight my_table.yaml ann bea
    """

    file: str = FILE
    names: tuple[str, ...] = argument(values.SEEN, "[FROM] [TO]", nargs=-1)
    everything: bool = flag("--all", "Include lines within one side.")

    def check(self) -> None:
        if len(self.names) > 2 or (self.names and self.everything):
            raise misused("sight takes one name, two names, or --all")

    def ask(self) -> sights.SightTable:
        position, unchecked = self.asked_first(self.file)
        return sights.sight_in_parts(position, self.names, self.everything, unchecked, self.keep)

    def scope(self, answer: sights.SightTable) -> AnswerScope:
        return self.scope_by("forecast", Checked("lines", len(answer.lines)))

    def lines(self, answer: sights.SightTable) -> list[str]:
        return text.sight(answer, self.position, self.style)

    def code(self, answer: sights.SightTable) -> Exit:
        free = {line.free for line in answer.lines}
        return Exit.of(True in free, None in free)


@verb("measure")
class MeasureVerb(AboutPosition):
    """Measure the distance from one figure or place to another.

    FROM and TO are names, places of a board, or points of a table such as "[12, 5 1/2]".

    \b
    Example:
      pymorph new-position standoff my_table.yaml
      pymorph measure my_table.yaml ann bea
    """

    file: str = FILE
    one: str = argument(values.MEASURED, "FROM")
    other: str = argument(values.MEASURED, "TO")

    def ask(self) -> measuring.Distance:
        position = self.position_of(self.file, checked=False)
        return measuring.measure(position, self.one, self.other)

    def scope(self, answer: measuring.Distance) -> AnswerScope:
        return self.scope_by("", Checked("measures", len(answer.measures)))

    def lines(self, answer: measuring.Distance) -> list[str]:
        return table.distance(answer, self.style)


@json_keys(
    also=["ours"],
    paths={**outcomes.WRITTEN},
    spread=["position.ruleset.edition", "laid"],
)
class PositionWithOverlays(NamedTuple):
    """A position, and what is drawn over its board."""

    position: positions.Position
    laid: picture.Overlays

    @property
    def ours(self) -> dict[str, str]:
        """The cards that no source has so, each with its status."""
        return self.position.ruleset.ours_in(self.position.words)


@verb("show")
class ShowVerb(AboutPosition):
    """Draw a position: the board, and what is in front of each player.

    The options draw over the board, and explain below it what they show, with its rules.

    \b
    Example:
      pymorph new-ruleset my_game
      pymorph show my_game/positions/start.yaml
    """

    file: str = FILE
    svg: str | None = option("--svg FILE", "Draw the board to FILE, as an SVG picture.")
    force: bool = FORCE
    sight: tuple[str, str] | None = option(
        "--sight FROM TO",
        "Draw the line of sight from FROM to TO, what stops it first, and the cover.",
        values.SEEN,
        nargs=2,
    )
    reach: str | None = option(
        "--reach NAME", "Shade where NAME can move, by speed.", values.LISTED
    )
    threat: str | None = option(
        "--threat NAME", "Mark what NAME, or a side, threatens.", values.THREATENING
    )
    template: str | None = option(
        "--template TEMPLATE",
        "Shade what a template or an action covers, and list who is in it.",
        values.TEMPLATE,
    )
    path: str | None = option("--path ACTION", "Draw the path that an action takes.", values.ACTION)
    as_yaml: bool = flag("--yaml", "Print the position as YAML, as in a file.")
    as_line: bool = flag("--line", "Print the position in its one-line form.")
    plain_characters: bool = flag("--ascii", "Draw with plain characters only.")

    def check(self) -> None:
        if self.svg and not self.force:
            keep_others(self.svg)

    def ask(self) -> positions.Position:
        position = self.position_of(self.file, checked=False)
        asked = (self.sight, self.reach, self.threat, self.template, self.path)
        self.laid = picture.Overlays.asked(position, *asked)
        scene = picture.scene_of(position, self.laid.over(position))
        self.picture, self.drawn = "", []
        if self.svg:
            self.picture = svgs.board_svg(scene)
        elif not (self.as_json or self.as_yaml or self.as_line):
            self.drawn = ascii.position_text(scene, self.plain_characters, self.style)
        return position

    def finish(self, answer: positions.Position) -> positions.Position:
        if self.svg:
            put_picture(self.svg, self.picture)
        return answer

    def put(self, answer: positions.Position) -> None:
        if self.as_line:
            put_text(answer.line() + "\n")
        elif self.as_yaml:
            put_text(answer.yaml())
        elif self.as_json or not self.svg:
            super().put(answer)

    def data(self, answer: positions.Position) -> PositionWithOverlays:
        return PositionWithOverlays(answer, self.laid)

    def lines(self, answer: positions.Position) -> list[str]:
        return self.drawn
