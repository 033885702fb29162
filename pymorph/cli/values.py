"""The types of the values of options, and what a shell completes them with."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from pymorph import terms
from pymorph.adjudication import per_reading, rules
from pymorph.cli.loading import PositionOptions
from pymorph.errors import Fault, InputError, PymorphError, clipped
from pymorph.explore.execution import application
from pymorph.explore.sampling import policies
from pymorph.explore.search import computer, players
from pymorph.questions import consistency, figures, legality
from pymorph.questions.board import drawing, measuring, sight
from pymorph.ruleset import catalogue, loader, locations
from pymorph.runtime import limits
from pymorph.state import claim, names

if TYPE_CHECKING:
    from pymorph.state.position import Position

    TextType = click.ParamType[str]
else:  # older releases of click know no parameters of types
    TextType = click.ParamType

PATIENCE = 5.0  # seconds that completing may take


def seconds(text: str) -> float:
    """A time limit. Raises: BadParameter."""
    try:
        limit = float(text)
    except ValueError:
        limit = 0.0
    if not 0 < limit < math.inf:
        raise click.BadParameter(f"{clipped(text)} is not a number of seconds above 0")
    return limit


class Completed(TextType):
    """A word that a shell completes with names, or as a first word else with a path.

    *names* gives them for a command line so far; *otherwise* is "file" or "dir".
    """

    def __init__(
        self,
        names: Callable[[click.Context], Sequence[str]],
        otherwise: str = "",
        name: str = "name",
    ) -> None:
        self.names, self.otherwise, self.name = names, otherwise, name

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        try:
            known = limits.in_thread(PATIENCE, lambda: self.names(ctx))
        except (PymorphError, OSError, click.ClickException):
            known = ()
        items = [CompletionItem(name) for name in known if name.startswith(incomplete)]
        path = self.otherwise and not ctx.params.get("names")
        return items or [CompletionItem(incomplete, type=self.otherwise)] * bool(path)


class GameName(Completed):
    """The name of a ruleset, or the path of a folder with one: whether it is there is checked
    before anything else is looked at."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        name = str(super().convert(value, param, ctx))
        locations.folders_of(name)
        return name


def position_of(ctx: click.Context) -> Position:
    """The position of a command line so far, under its options. Raises: InputError, if none."""
    # After an option that lacks its value yet, click leaves the arguments where they are.
    file = ctx.params.get("file") or next(iter(ctx.args), "")
    if not file or file == "-":
        raise InputError(Fault("no position yet"))
    return PositionOptions(**ctx.params).position_of(file)


def in_position(names: Callable[[Position], Sequence[str]]) -> Completed:
    """A word that a shell completes with names in the position of the command line."""
    return Completed(lambda ctx: names(position_of(ctx)))


def _after_names(ctx: click.Context, kind: str) -> Sequence[str]:
    """The games, or the rules or questions of those that the command line names."""
    return rules.names_after(tuple(ctx.params.get("names") or ()), kind)


def _words(ctx: click.Context) -> Sequence[str]:
    """The words of the game that the command line names."""
    game = ctx.params.get("ruleset") or next(iter(ctx.args), "")
    return catalogue.glossary(loader.load(game)).names if game else ()


def _actions(ctx: click.Context) -> list[str]:
    """The legal actions after those that the command line has."""
    played = application.play_through(position_of(ctx), ctx.params.get("actions") or ())
    if not played.done:
        return []
    return [str(action) for action in legality.legal_actions(played.outcome.position)]


def _figures(position: Position) -> list[str]:
    """The kinds of figures, and those that there are."""
    words = position.ruleset.vocabulary
    single = (str(figure.name) for figure in figures.forecast(position).figures)
    return [*words.figures, *words.findings, *single]


def _listed(position: Position) -> list[str]:
    """Those whom the file of a position lists."""
    return [terms.text_of(member) for members in position.listed.values() for member in members]


def _computers(position: Position) -> list[str]:
    """Who may be played by a computer, and how."""
    kinds = computer.kinds_of(position.ruleset)
    return [f"{name}={how}" for name in consistency.observers(position) for how in kinds]


def _seen(position: Position) -> list[str]:
    """Those who may see and be seen; where nobody may, those who are listed."""
    both = [terms.text_of(member) for part in sight.viewers(position) for member in part]
    return list(dict.fromkeys(both)) or _listed(position)


def _threatening(position: Position) -> list[str]:
    """Those who are listed, sides among them."""
    sides = sight.sides_of(drawing.drawn(position)).values()
    return list(dict.fromkeys([*_listed(position), *sides]))


def _choices(position: Position) -> list[str]:
    """How each question may be read."""
    asked = position.ruleset.questions.values()
    return [f"{question.id}={option}" for question in asked for option, _ in question.options]


POSITION_FILE = Completed(lambda _: (), "file")
GAME = GameName(lambda _: locations.names(), "dir", "ruleset")
RULE = Completed(lambda ctx: _after_names(ctx, "rule"), "dir")
QUESTION = Completed(lambda ctx: _after_names(ctx, "question"), "dir")
WORD = Completed(_words)
ACTION = Completed(_actions, name="action")
ACTOR = in_position(lambda position: names.actors(position))
FIGURE = in_position(_figures)
MEASURED = in_position(lambda position: measuring.names(position))
LISTED = in_position(_listed)
VIEWER = in_position(lambda position: list(consistency.observers(position)))
COMPUTER = in_position(_computers)
SEEN = in_position(_seen)
THREATENING = in_position(_threatening)
TEMPLATE = in_position(lambda position: [f"{t}(" for t in position.ruleset.vocabulary.templates])
CHOICE = in_position(_choices)
OPEN_QUESTION = in_position(lambda position: [per_reading.ALL, *position.ruleset.options])
POLICY = in_position(lambda position: [players.WHATEVER, *policies.policies(position.ruleset)])
PERIOD = in_position(lambda position: claim.periods(position.ruleset))
ACTION_FORM = in_position(lambda position: list(position.ruleset.vocabulary.actions))
