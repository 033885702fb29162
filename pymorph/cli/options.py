"""What verbs have in common: options, parameters, the position that is asked about, printing."""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.shell_completion import CompletionItem

from pymorph.errors import PymorphError, clipped

if TYPE_CHECKING:
    from pymorph.state.position import Position
    from pymorph.state.rulings import Ruling
    from pymorph.views.scene import PictureScene

    TextType = click.ParamType[str]
    SecondsType = click.ParamType[float]
else:  # older releases of click know no parameters of types
    TextType = SecondsType = click.ParamType

PATIENCE = 5.0  # seconds that completing may take

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Options:
    """What every verb takes; *ruled* is what turned out to be decided of the position asked about.

    *house* is a rulings file that was given; others are looked for unless the verb is *alone*.
    """

    as_json: bool
    timeout: float | None
    readings: dict[str, str]
    viewer: str | None
    house: str | None = None
    alone: bool = False
    ruled: dict[str, Ruling] = field(default_factory=dict, compare=False)


class Seconds(SecondsType):
    """A time limit."""

    name = "seconds"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        try:
            seconds = float(value)
        except ValueError:
            seconds = 0.0
        if not 0 < seconds < math.inf:
            self.fail(f"{clipped(str(value))} is no number of seconds above 0", param, ctx)
        return seconds


class PositionFile(TextType):
    """A position: a file, - for standard input, or the one-line form itself."""

    name = "position"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        return [CompletionItem(incomplete, type="file")]


class RulesetName(TextType):
    """The name of a shipped ruleset, or the path of a folder with one, or a rule id."""

    name = "ruleset"
    kind = "rule"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        from pymorph.queries import rules

        given = tuple(ctx.params.get("names") or ())
        known = completing(lambda: rules.names_after(given, self.kind))
        found = [CompletionItem(name) for name in known if name.startswith(incomplete)]
        return found or ([] if given else [CompletionItem(incomplete, type="dir")])


class QuestionName(RulesetName):
    """The name of a shipped ruleset, or the path of a folder with one, or a question."""

    kind = "question"


class ActionName(TextType):
    """An action of the position before it, as a term."""

    name = "action"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        from pymorph.queries import application, legality

        def actions(position: Position) -> list[str]:
            played = application.play_through(position, ctx.params.get("actions") or ())
            if not played.done:
                return []
            return [str(action) for action in legality.legal_actions(played.outcome.position)]

        return offered(ctx, incomplete, actions)


def offered(
    ctx: click.Context, incomplete: str, names: Callable[[Position], Sequence[str]]
) -> list[CompletionItem]:
    """What may follow of the *names* in the position of a command line, under its options."""
    # After an option that lacks its value yet, click leaves the arguments where they are.
    file = ctx.params.get("file") or next(iter(ctx.args), "")
    if not file or file == "-":
        return []

    def known() -> Sequence[str]:
        given = {name: ctx.params.get(name) for name in ("viewer", "house", "alone")}
        readings = tuple(ctx.params.get("readings") or ())
        return names(position_of(file, options_of(False, None, readings, **given)))

    return [CompletionItem(text) for text in completing(known) if text.startswith(incomplete)]


def completing(names: Callable[[], Sequence[str]]) -> Sequence[str]:
    """What may follow, or nothing where that is not to be had."""
    from pymorph.runtime.limits import in_thread

    try:
        return in_thread(PATIENCE, names)
    except (PymorphError, OSError, click.ClickException):
        return []


def common(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of every verb that is asked about a position."""
    for option in (
        click.option("--as", "viewer", metavar="NAME", help="Answer from what this one knows."),
        click.option(
            "--timeout",
            type=Seconds(),
            metavar="SECONDS",
            help="Give up after so long (exit 3).",
        ),
        click.option(
            "--reading",
            "readings",
            multiple=True,
            metavar="QUESTION=OPTION",
            help="Read a doubtful rule so; may be repeated.",
        ),
        click.option(
            "--rulings",
            "house",
            type=click.Path(),
            metavar="FILE",
            help="House rulings, before those that are found.",
        ),
        click.option(
            "--no-rulings", "alone", is_flag=True, help="Look for no house rulings in other files."
        ),
        click.option("--json", "as_json", is_flag=True, help="The same answer as JSON."),
    ):
        command = option(command)
    return command


sharing = click.option(
    "--scheduler",
    default="",
    metavar="ADDRESS",
    help="Work on the Dask cluster with its scheduler there.",
)


def options_of(
    as_json: bool,
    timeout: float | None,
    readings: tuple[str, ...],
    viewer: str | None,
    house: str | None,
    alone: bool | None,
) -> Options:
    rulings: dict[str, str] = {}
    for text in readings:
        question, mark, option = (part.strip() for part in text.partition("="))
        if not (question and mark and option):
            raise misused(f"--reading takes QUESTION=OPTION, not {clipped(text)}")
        if rulings.setdefault(question, option) != option:
            raise misused(f"--reading reads {clipped(question)} in two ways")
    return Options(as_json, timeout, rulings, viewer, house, bool(alone))


def misused(message: str) -> click.UsageError:
    return click.UsageError(message, click.get_current_context(silent=True))


def asked(options: Options, question: Callable[[], Answer]) -> Answer:
    """The answer to a question, under the limits that the user set."""
    from pymorph.runtime.limits import in_thread

    return in_thread(options.timeout, question)


def position_of(file: str, options: Options, checked: bool = True) -> Any:
    """The position in a file, or at the end of a record, as the options have it."""
    from pymorph.state import record

    found = record.load(file)
    if isinstance(found, record.Record):
        from pymorph.queries import replay

        start = under(found.position, options, file, checked)
        return replay.end_of(replace(found, position=start))
    return under(found, options, file, checked)


def under(position: Any, options: Options, file: str, checked: bool = True) -> Any:
    """A position under all that is decided, as the viewer knows it."""
    from pymorph import yamlio
    from pymorph.queries import consistency
    from pymorph.state import rulings as house

    found = house.in_force(position, file, options.readings, options.house, not options.alone)
    position = position.with_rulings(house.options(found))
    options.ruled.clear()
    options.ruled.update(found)
    if checked:
        consistency.require_well_formed(position, yamlio.name_of(file))
    if options.viewer is not None:
        position = consistency.as_seen_by(position, options.viewer)
    return position


def scene_of(position: Position) -> PictureScene:
    """All that a picture of a position shows."""
    from pymorph.queries.drawing import drawn
    from pymorph.views import scene

    return scene.scene_of(position, drawn(position))


class ProgressLine:
    """A line on a terminal that tells how far something has come, each time over the last one."""

    def __init__(self, visible: bool) -> None:
        self.visible = visible
        self.width = 0

    def write(self, text: str) -> None:
        if self.visible:
            click.echo(f"\r{text.ljust(self.width)}", nl=False, err=True)
            self.width = len(text)

    def clear(self) -> None:
        if self.width:
            click.echo(f"\r{' ' * self.width}\r", nl=False, err=True)


def put(
    options: Options,
    data: dict[str, Any],
    lines: Callable[[], list[str]],
    about: Container[str] | None = None,
) -> None:
    """Print an answer: as JSON, or as lines for people, with the house rulings it was found under.

    People are told those on the questions that it is *about*, if that is known.
    """
    if options.as_json:
        data = with_rulings(data, options.ruled)
        click.echo(json.dumps(data, indent=2, sort_keys=True, ensure_ascii=False))
    else:
        for line in [*lines(), *house_lines(options.ruled, about)]:
            click.echo(line)


def with_rulings(data: dict[str, Any], ruled: Mapping[str, Ruling]) -> dict[str, Any]:
    """An answer as JSON, with all that was decided, and where."""
    found = {question: ruling.json() for question, ruling in ruled.items()}
    return {**data, "rulings": found} if found else data


def house_lines(
    ruled: Mapping[str, Ruling], about: Container[str] | None = None, opening: Sequence[str] = ("",)
) -> list[str]:
    """The house rulings in force, if there are any, after the *opening* lines."""
    filed = [r for r in ruled.values() if r.filed and (about is None or r.question in about)]
    if not filed:
        return []
    from pymorph.views import rules as views_rules

    return [*opening, *views_rules.house_rulings(filed, style_of())]


def style_of() -> Any:
    """Colours on a terminal that shows them, none elsewhere."""
    from pymorph.views import layout

    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    if sys.stdout is not None and sys.stdout.isatty() and not plain:
        return Coloured()
    return layout.PLAIN


class Coloured:
    """Styles for a terminal."""

    def bold(self, text: str) -> str:
        return click.style(text, bold=True)

    def dim(self, text: str) -> str:
        return click.style(text, dim=True)

    def good(self, text: str) -> str:
        return click.style(text, fg="green")

    def bad(self, text: str) -> str:
        return click.style(text, fg="red")
