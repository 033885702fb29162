"""What verbs have in common: options, parameters, the position that is asked about, printing."""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.shell_completion import CompletionItem

from pymorph.errors import PymorphError, clipped

if TYPE_CHECKING:
    TextType = click.ParamType[str]
    SecondsType = click.ParamType[float]
else:  # older releases of click know no parameters of types
    TextType = SecondsType = click.ParamType

PATIENCE = 5.0  # seconds that completing may take

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Options:
    """What every verb takes."""

    as_json: bool
    timeout: float | None
    readings: dict[str, str]
    viewer: str | None


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

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        from pymorph import catalogue

        given = tuple(ctx.params.get("names") or ())
        known = completing(lambda: catalogue.names_after(given))
        found = [CompletionItem(name) for name in known if name.startswith(incomplete)]
        return found or ([] if given else [CompletionItem(incomplete, type="dir")])


class ActionName(TextType):
    """An action of the position before it, as a term."""

    name = "action"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        from pymorph import queries

        file = ctx.params.get("file")
        if not file or file == "-":
            return []

        def actions() -> list[str]:
            given = (ctx.params.get(name) for name in ("readings", "viewer"))
            readings, viewer = given
            position = position_of(file, options_of(False, None, readings or (), viewer))
            played = queries.play_through(position, ctx.params.get("actions") or ())
            if not played.done:
                return []
            return [str(action) for action in queries.legal_actions(played.outcome.position)]

        return [CompletionItem(text) for text in completing(actions) if text.startswith(incomplete)]


def completing(names: Callable[[], Sequence[str]]) -> Sequence[str]:
    """What may follow, or nothing where that is not to be had."""
    from pymorph.limits import in_thread

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
        click.option("--json", "as_json", is_flag=True, help="The same answer as JSON."),
    ):
        command = option(command)
    return command


def options_of(
    as_json: bool, timeout: float | None, readings: tuple[str, ...], viewer: str | None
) -> Options:
    rulings: dict[str, str] = {}
    for text in readings:
        question, mark, option = (part.strip() for part in text.partition("="))
        if not (question and mark and option):
            raise misused(f"--reading takes QUESTION=OPTION, not {clipped(text)}")
        if rulings.setdefault(question, option) != option:
            raise misused(f"--reading reads {clipped(question)} in two ways")
    return Options(as_json, timeout, rulings, viewer)


def misused(message: str) -> click.UsageError:
    return click.UsageError(message, click.get_current_context(silent=True))


def asked(options: Options, question: Callable[[], Answer]) -> Answer:
    """The answer to a question, under the limits that the user set."""
    from pymorph.limits import in_thread

    return in_thread(options.timeout, question)


def position_of(file: str, options: Options, checked: bool = True) -> Any:
    """The position in a file, or at the end of a record, as the options have it."""
    from pymorph import queries, record

    found = record.load(file)
    if isinstance(found, record.Record):
        start = under(found.position, options, file, checked)
        return queries.end_of(replace(found, position=start))
    return under(found, options, file, checked)


def under(position: Any, options: Options, file: str, checked: bool = True) -> Any:
    """A position under the readings given, as the viewer knows it."""
    from pymorph import files, queries

    if options.readings:
        position = position.with_rulings(options.readings)
    if checked:
        queries.require_well_formed(position, files.name_of(file))
    if options.viewer is not None:
        position = queries.as_seen_by(position, options.viewer)
    return position


def put(options: Options, data: dict[str, Any], lines: Callable[[], list[str]]) -> None:
    """Print an answer: as JSON, or as lines for people."""
    if options.as_json:
        click.echo(json.dumps(data, indent=2, sort_keys=True, ensure_ascii=False))
    else:
        for line in lines():
            click.echo(line)


def style_of() -> Any:
    """Colours on a terminal that shows them, none elsewhere."""
    from pymorph import text

    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    if sys.stdout is not None and sys.stdout.isatty() and not plain:
        return Coloured()
    return text.PLAIN


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
