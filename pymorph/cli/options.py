"""What verbs have in common: options, the position that is asked about, limits, printing."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.shell_completion import CompletionItem

from pymorph.adjudication import rules
from pymorph.cli import shell_candidates
from pymorph.cli.app import DEPENDS
from pymorph.cli.output import bar_file, put_line, put_text, style_of
from pymorph.errors import OutOfTime, PymorphError, clipped
from pymorph.explore.execution import application, replay
from pymorph.questions import consistency, legality
from pymorph.questions.board import drawing
from pymorph.ruleset import locations
from pymorph.runtime import limits
from pymorph.runtime.ctrl_c import STOPPED
from pymorph.state import position as positions
from pymorph.state import rulings
from pymorph.state.files import position_file
from pymorph.views import layout
from pymorph.views.lines import rules as rules_module
from pymorph.views.pictures import scene

if TYPE_CHECKING:
    from pymorph.state.position import Position
    from pymorph.state.record import Record
    from pymorph.state.rulings import Ruling

    TextType = click.ParamType[str]
    SecondsType = click.ParamType[float]
else:  # older releases of click know no parameters of types
    TextType = SecondsType = click.ParamType

PATIENCE = 5.0  # seconds that completing may take

_T = TypeVar("_T")
_Item = TypeVar("_Item")


@dataclass(frozen=True, slots=True)
class Options:
    """What verbs share, and what is done under it: asking within limits, reading a position.

    *ruled* is what turned out to be decided of the position that was asked about last.

    *house* is a rulings file that was given; others are looked for unless the verb is *alone*.
    """

    as_json: bool = False
    timeout: float | None = None
    readings: dict[str, str] = field(default_factory=dict)
    viewer: str | None = None
    house: str | None = None
    alone: bool = False
    ruled: dict[str, Ruling] = field(default_factory=dict, compare=False)

    @property
    def plain(self) -> bool:
        """Is a file asked about as it stands, in nobody's eyes and without other rulings?"""
        return self.viewer is None and not self.readings and self.house is None

    def answer_to(self, question: Callable[[], _T]) -> _T:
        """The answer to a question, under the limits that the user set."""
        return limits.in_thread(self.timeout, question)

    def answer_so_far(
        self, question: Callable[[Callable[[_T], None]], _T]
    ) -> tuple[_T, BaseException | None]:
        """The answer to a question, which keeps on the way what it has so far; that, with what came
        first, where the time is up or the user ends it.

        Raises: OutOfTime or KeyboardInterrupt, if it has nothing yet.
        """
        last: list[_T] = []

        def keep(answer: _T) -> None:
            last[:] = [answer]

        try:
            return self.answer_to(lambda: question(keep)), None
        except (OutOfTime, KeyboardInterrupt) as error:
            if not last:
                raise
            return last[0], error

    def respond(self, question: Callable[[], Any], lines: Callable[..., list[str]]) -> Any:
        """The answer to a question, which is printed."""
        answer = self.answer_to(question)
        put(self, answer.json(), lambda: lines(answer, style_of()))
        return answer

    def within_time(
        self, items: Sequence[_Item], work: Callable[[_Item], object], label: str, bar: bool
    ) -> OutOfTime | None:
        """Do the work on one item after the other; what is raised when the time is up.

        A terminal shows a bar, if one is wanted.
        """

        def question() -> None:
            with click.progressbar(items, label=label, file=bar_file(bar)) as progress:
                for item in progress:
                    work(item)

        try:
            self.answer_to(question)
        except OutOfTime as error:
            return error
        return None

    def position_of(self, file: str, checked: bool = True) -> Position:
        """The position in a file, or at the end of a record, as the options have it."""
        return self.reached(position_file.load(file), file, checked)

    def asked_first(
        self, file: str, read: positions.Position | Record | None = None
    ) -> tuple[positions.Position, str]:
        """The position in a file, and its name if it is to be checked with what is asked of it."""
        from pymorph import yamlio

        source = read or position_file.load(file)
        later = isinstance(source, positions.Position) and self.viewer is None
        return self.reached(source, file, not later), yamlio.name_of(file) if later else ""

    def reached(
        self, source: positions.Position | Record, file: str, checked: bool
    ) -> positions.Position:
        """A position, or the one at the end of a record, as the options have it."""
        if isinstance(source, positions.Position):
            return self.under(source, file, checked)
        return replay.end_of(replace(source, position=self.under(source.position, file, checked)))

    def under(self, position: Position, file: str, checked: bool = True) -> Position:
        """A position under all that is decided, as the viewer knows it."""
        from pymorph import yamlio

        in_force = rulings.in_force(position, file, self.readings, self.house, not self.alone)
        position = position.with_rulings(rulings.options(in_force))
        self.ruled.clear()
        self.ruled.update(in_force)
        if checked:
            consistency.require_well_formed(position, yamlio.name_of(file))
        return position if self.viewer is None else consistency.as_seen_by(position, self.viewer)


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
            self.fail(f"{clipped(str(value))} is not a number of seconds above 0", param, ctx)
        return seconds


class CompletedType(TextType):
    """A word that the shell completes."""

    def completions(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        raise NotImplementedError

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        return self.completions(ctx, incomplete)


class PositionFile(CompletedType):
    """A position: a file, - for standard input, or the one-line form itself."""

    name = "position"

    def completions(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        return [CompletionItem(incomplete, type="file")]


class RulesetName(CompletedType):
    """The name of a shipped ruleset, or the path of a folder with one, or a rule id."""

    name = "ruleset"
    kind = "rule"

    def completions(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        given = tuple(ctx.params.get("names") or ())
        matches = completions(lambda: rules.names_after(given, self.kind), incomplete)
        return matches or ([] if given else [CompletionItem(incomplete, type="dir")])


class GameName(CompletedType):
    """The name of a ruleset, or the path of a folder with one: whether it is there is told before
    anything else is looked at."""

    name = "ruleset"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        name = str(super().convert(value, param, ctx))
        locations.folders_of(name)
        return name

    def completions(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        matches = completions(locations.names, incomplete)
        return matches or [CompletionItem(incomplete, type="dir")]


class QuestionName(RulesetName):
    """The name of a shipped ruleset, or the path of a folder with one, or a question."""

    kind = "question"


class PositionName(CompletedType):
    """A name of the game, of which a shell may be told those that there are in the position."""

    def __init__(self, name: str, names: Callable[[Position], Sequence[str]]) -> None:
        self.name = name
        self.names = names

    def completions(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        return position_completions(ctx, incomplete, self.names)


Actor = PositionName("actor", shell_candidates.actors)
Figure = PositionName("figure", shell_candidates.figures)
Measured = PositionName("name or point", shell_candidates.measured)
Listed = PositionName("name", shell_candidates.listed)
Viewer = PositionName("name", shell_candidates.viewers)
Seen = PositionName("name", shell_candidates.seen)
Threatening = PositionName("name", shell_candidates.threatening)
Template = PositionName("template", shell_candidates.templates)
Choice = PositionName("choice", shell_candidates.choices)


class ActionName(CompletedType):
    """An action of the position before it, as a term."""

    name = "action"

    def completions(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        def actions(position: Position) -> list[str]:
            played = application.play_through(position, ctx.params.get("actions") or ())
            if not played.done:
                return []
            return [str(action) for action in legality.legal_actions(played.outcome.position)]

        return position_completions(ctx, incomplete, actions)


def position_completions(
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
        return names(options_of(False, None, readings, **given).position_of(file))

    return completions(known, incomplete)


def completions(names: Callable[[], Sequence[str]], incomplete: str) -> list[CompletionItem]:
    """The names that begin with what is typed; nothing, if they cannot be read in time."""
    try:
        known = limits.in_thread(PATIENCE, names)
    except (PymorphError, OSError, click.ClickException):
        return []
    return [CompletionItem(name) for name in known if name.startswith(incomplete)]


json_option = click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
timeout_option = click.option(
    "--timeout", type=Seconds(), metavar="SECONDS", help="Stop after SECONDS (exit 3)."
)
jobs_option = click.option(
    "--jobs", type=click.IntRange(1, 64), default=1, metavar="N", help="Work in N processes (1)."
)
sharing = click.option(
    "--scheduler",
    default="",
    metavar="ADDRESS",
    help="Work on the Dask cluster whose scheduler is at ADDRESS.",
)
verbose_option = click.option(
    "--verbose", is_flag=True, help="Report whether the rules were compiled, or why not."
)
COMMON = (
    click.option(
        "--as", "viewer", type=Viewer, metavar="NAME", help="Answer from what NAME knows."
    ),
    timeout_option,
    click.option(
        "--reading",
        "readings",
        type=Choice,
        multiple=True,
        metavar="QUESTION=OPTION",
        help="Answer an open question with OPTION; may be repeated.",
    ),
    click.option(
        "--rulings",
        "house",
        type=click.Path(),
        metavar="FILE",
        help="Use these house rulings before those from other files.",
    ),
    click.option(
        "--no-rulings", "alone", is_flag=True, help="Ignore house rulings from other files."
    ),
    json_option,
)


def with_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """A verb that is handed what it shares with others as one value, `options`."""

    @wraps(command)
    def verb(**given: Any) -> Any:
        names = ("as_json", "timeout", "readings", "viewer", "house", "alone")
        shared = {name: given.pop(name) for name in names if name in given}
        return command(options=options_of(**shared), **given)

    return verb


def common(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of every verb that is asked about a position."""
    verb = with_options(command)
    for option in COMMON:
        verb = option(verb)
    return verb


def in_json(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of a verb that is asked about no position: `--json`, and those beside it."""
    return json_option(with_options(command))


def options_of(
    as_json: bool = False,
    timeout: float | None = None,
    readings: tuple[str, ...] = (),
    viewer: str | None = None,
    house: str | None = None,
    alone: bool | None = None,
) -> Options:
    rulings = pairs(
        readings, "--reading takes QUESTION=OPTION, not {}", "--reading gives two options for {}"
    )
    return Options(as_json, timeout, rulings, viewer, house, bool(alone))


def actions_in(line: str) -> list[str]:
    """The actions of one line, parted by ``;``; the line itself, if there is none.

    One of several lists of arguments is several: ``take(anna, 2; bo, 3)``.
    """
    from pymorph.terms import cut

    parts = [action for part in cut(line, ";") if (action := part.strip())]
    actions: list[str] = []
    for part in parts:
        name, _, rest = part.partition("(")
        lists = cut(rest[:-1], ";") if rest.endswith(")") else ()
        several = [f"{name}({text.strip()})" for text in lists if text.strip()]
        actions += several if len(several) > 1 else [part]
    return actions or [line]


def policies_of(given: Sequence[str]) -> str | dict[str, str]:
    """Who plays by which policy: all by one, or each who is named before a =."""
    if len(given) == 1 and "=" not in given[0]:
        return given[0]
    seats: dict[str, str] = {}
    for one in given:
        who, mark, name = one.partition("=")
        if not mark or who.strip() in seats:
            raise misused(
                "--policy takes one policy for everybody, or WHO=POLICY once for each player"
            )
        seats[who.strip()] = name.strip()
    return seats


def pairs(given: Sequence[str], takes: str, twice: str) -> dict[str, str]:
    """What an option says of each key; *takes* and *twice* tell what is amiss in one."""
    values: dict[str, str] = {}
    for text in given:
        key, mark, value = (part.strip() for part in text.partition("="))
        if not (key and mark and value):
            raise misused(takes.format(clipped(text)))
        if values.setdefault(key, value) != value:
            raise misused(twice.format(clipped(key)))
    return values


def misused(message: str) -> click.UsageError:
    return click.UsageError(message, click.get_current_context(silent=True))


def scene_of(position: Position) -> scene.PictureScene:
    """All that a picture of a position shows."""
    return scene.scene_of(position, drawing.drawn(position))


def put(
    options: Options,
    data: dict[str, Any],
    lines: Callable[[], list[str]],
    about: Container[str] | None = None,
    stopped: BaseException | None = None,
) -> None:
    """Print an answer: as JSON, or as lines for people, with the house rulings it was found under.

    People are told those on the questions that it is *about*, if that is known, and that they
    *stopped* it themselves, where it is partial for that.
    """
    if options.as_json:
        data = with_rulings(data, options.ruled)
        put_text(json.dumps(data, indent=2, sort_keys=True, ensure_ascii=False) + "\n")
    else:
        by_hand = isinstance(stopped, KeyboardInterrupt)
        for line in [*lines(), *house_lines(options.ruled, about)]:
            put_line(line.replace(layout.TIME_UP, "interrupted") if by_hand else line)


def code_of(stopped: BaseException | None, code: int) -> int:
    """The exit code of an answer that may have been *stopped*; that of a whole one is *code*."""
    if isinstance(stopped, KeyboardInterrupt):
        put_line("interrupted", err=True)
        return STOPPED
    return code if stopped is None else DEPENDS


def with_rulings(data: dict[str, Any], ruled: Mapping[str, Ruling]) -> dict[str, Any]:
    """An answer as JSON, with all that was decided, and where."""
    by_question = {question: ruling.json() for question, ruling in ruled.items()}
    return {**data, "rulings": by_question} if by_question else data


def house_lines(
    ruled: Mapping[str, Ruling], about: Container[str] | None = None, opening: Sequence[str] = ("",)
) -> list[str]:
    """The house rulings in force, if there are any, after the *opening* lines."""
    filed = [r for r in ruled.values() if r.filed and (about is None or r.question in about)]
    if not filed:
        return []
    return [*opening, *rules_module.house_rulings(filed, style_of())]


def say_how(verbose: bool, compiled: bool, why_not: str, name: str = "") -> None:
    """Say on the standard error output whether rules were compiled, if that is wanted."""
    if verbose:
        message = (
            "the rules were compiled" if compiled else f"the rules were not compiled: {why_not}"
        )
        put_line(f"{name}: {message}" if name else message, err=True)
