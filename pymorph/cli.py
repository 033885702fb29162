"""The verbs and exit codes; the only module that prints or exits."""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import click
from click.shell_completion import CompletionItem

import pymorph
from pymorph.errors import (
    Fault,
    Faulty,
    IllegalAction,
    IllFormed,
    InputError,
    OutOfTime,
    PymorphError,
    UnknownName,
    Unsettled,
    clipped,
    nearest,
    printable,
    reason,
)

if TYPE_CHECKING:
    from pymorph.answers import Check

    TextType = click.ParamType[str]
    SecondsType = click.ParamType[float]
else:  # older releases of click know no parameters of types
    TextType = SecondsType = click.ParamType

YES, NO, WRONG, DEPENDS, STOPPED, UNHEARD = 0, 1, 2, 3, 130, 141
COMPLETING = "_PYMORPH_COMPLETE"
PATIENCE = 5.0  # seconds that completing may take
EXITS = """\b
Exit codes:
  0    yes: legal, consistent, done
  1    no: illegal, inconsistent, nothing found
  2    the question itself is wrong: a bad file, an unknown name
  3    it depends: on something hidden, or the time limit came first
  130  interrupted"""

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Options:
    """What every verb takes."""

    as_json: bool
    timeout: float | None
    readings: dict[str, str]
    viewer: str | None


class Stopped(Exception):
    """The command was interrupted, or nobody reads what it prints any more."""

    def __init__(self, code: int) -> None:
        self.code = code


class Verbs(click.Group):
    """The verbs, with a word on those that are misspelt."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if self.get_command(ctx, name) is None and not ctx.resilient_parsing:
            message = f"no such command {clipped(name)}{nearest(name, self.commands)}"
            raise click.UsageError(message, ctx)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise Stopped(STOPPED) from None
        except BrokenPipeError:
            raise Stopped(UNHEARD) from None


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
    """The position in a file, under the readings given, as the viewer knows it."""
    from pymorph import files, queries
    from pymorph.position import Position

    position = Position.load(file)
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


@click.group(
    cls=Verbs,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=EXITS,
)
@click.version_option(pymorph.__version__, prog_name="pymorph")
def cli() -> None:
    """A referee for tabletop games that can be asked.

    Give it a position and ask what is legal, why something is not, when an attack pays off and what
    breaking it off would cost. Every answer names its rules.

    \b
    Example:
      pymorph new-ruleset my_game
      pymorph legal my_game/positions/start.yaml
    """


@cli.command()
@click.argument("file", type=PositionFile())
@click.option("--actor", metavar="NAME", help="Only the actions of this one.")
@click.option(
    "--all", "everything", is_flag=True, help="Also what is forbidden, each with its rules."
)
@common
def legal(file: str, actor: str | None, everything: bool, **common_options: Any) -> int:
    """What may be done in a position, by actor.

    \b
    Example:
      pymorph legal my_game/positions/start.yaml --actor anna
    """
    from pymorph import queries, text

    options = options_of(**common_options)

    def question() -> Any:
        position = position_of(file, options)
        known = queries.actors(position)
        if actor is not None and actor not in known:
            raise UnknownName(Fault(f"unknown actor {clipped(actor)}{nearest(actor, known)}"))
        return position, (queries.judge_all if everything else queries.legal)(position)

    position, answer = asked(options, question)
    if actor is not None:
        answer = answer.of(actor)
    put(options, answer.json(), lambda: text.legality(answer, position, style_of()))
    return YES if answer.actions else DEPENDS if answer.unsettled else NO


@cli.command()
@click.argument("file", type=PositionFile())
@click.argument("action", type=ActionName())
@common
def why(file: str, action: str, **common_options: Any) -> int:
    """Why an action is legal, or every rule that forbids it.

    Arguments of the action that go without saying may be left out.

    \b
    Example:
      pymorph why my_game/positions/start.yaml "take(anna, 5)"
    """
    from pymorph import queries, text

    options = options_of(**common_options)
    answer = asked(options, lambda: queries.why(position_of(file, options), action))
    put(options, answer.json(), lambda: text.why(answer, style=style_of()))
    return DEPENDS if answer.legal is None else YES if answer.legal else NO


@cli.command()
@click.argument("file", type=PositionFile())
@click.argument("figures", nargs=-1, metavar="[FIGURE]...")
@click.option("--next", "wide", is_flag=True, help="Also of what may come next.")
@common
def forecast(file: str, figures: tuple[str, ...], wide: bool, **common_options: Any) -> int:
    """When what is in play pays off, and what breaking it off would cost.

    A FIGURE is a kind (score) or a single one, also one that is worked out on demand.

    \b
    Example:
      pymorph forecast my_game/positions/start.yaml score
    """
    from pymorph import queries, text

    options = options_of(**common_options)

    def question() -> Any:
        position = position_of(file, options)
        return position, queries.forecast(position, *figures, wide=wide)

    position, answer = asked(options, question)
    put(options, answer.json(), lambda: text.forecast(answer, position, style=style_of()))
    if figures and not answer.figures:
        return NO
    return DEPENDS if any(figure.value == "unknown" for figure in answer.figures) else YES


@cli.command()
@click.argument("file", type=PositionFile())
@click.argument("actions", nargs=-1, required=True, type=ActionName(), metavar="ACTION...")
@click.option("-o", "--output", metavar="FILE", help="Write the position after it to a file.")
@click.option(
    "--line", "as_line", is_flag=True, help="Print the position after it in one line, nothing else."
)
@common
def apply(
    file: str, actions: tuple[str, ...], output: str | None, as_line: bool, **common_options: Any
) -> int:
    """Carry out one action or several; show what changed, and by which rule.

    \b
    Example:
      pymorph apply my_game/positions/start.yaml "take(anna, 2)" "take(bo, 3)"
    """
    from pymorph import files, queries, text

    options = options_of(**common_options)
    if output == "-":
        raise misused("-o takes the name of a file; --line prints the position")
    answer = asked(options, lambda: queries.play_through(position_of(file, options), actions))
    if answer.done and output:
        files.write(output, answer.outcome.position.yaml(Path(output).absolute().parent))
    if as_line and answer.done:
        click.echo(answer.outcome.position.line())
    else:
        put(options, answer.json(), lambda: text.line_of_play(answer, style=style_of()))
    return YES if answer.done else DEPENDS if answer.depends_on else NO


@cli.command()
@click.argument("files", nargs=-1, required=True, type=PositionFile(), metavar="FILE...")
@common
def check(files: tuple[str, ...], **common_options: Any) -> int:
    """Is this a position of its game? Each flaw is told with its rule.

    \b
    Example:
      pymorph check my_game/positions/start.yaml
    """
    from pymorph import files as reading
    from pymorph import queries, text

    options = options_of(**common_options)

    def question() -> tuple[dict[str, Check], list[PymorphError]]:
        answers: dict[str, Check] = {}
        errors: list[PymorphError] = []
        for file in dict.fromkeys(files):
            name = reading.name_of(file)
            try:
                answer = queries.check(position_of(file, options, checked=False))
                answers[name if name not in answers else f"{name} {len(answers) + 1}"] = answer
            except Faulty as error:
                errors.append(error)
        return answers, errors

    answers, errors = asked(options, question)
    worst = max([fail(error) for error in errors], default=YES)
    several = len(set(files)) > 1
    if several and options.as_json:
        put(options, {"files": {name: answer.json() for name, answer in answers.items()}}, list)
    elif options.as_json:
        for answer in answers.values():
            put(options, answer.json(), list)
    else:
        for name, answer in answers.items():
            for line in text.check(answer, style=style_of(), name=name if several else ""):
                click.echo(line)
    return max([worst, *(YES if answer.consistent else NO for answer in answers.values())])


@cli.command()
@click.argument("file", type=PositionFile())
@click.option("--svg", metavar="FILE", help="Draw the board as a picture.")
@click.option(
    "--sight",
    nargs=2,
    metavar="FROM TO",
    help="With the sight line between two, and what blocks it.",
)
@click.option("--yaml", "as_yaml", is_flag=True, help="Print the position as a file.")
@click.option("--line", "as_line", is_flag=True, help="Print the position in its one-line form.")
@click.option("--ascii", "plain", is_flag=True, help="Draw with plain characters only.")
@common
def show(
    file: str,
    svg: str | None,
    sight: tuple[str, str] | None,
    as_yaml: bool,
    as_line: bool,
    plain: bool,
    **common_options: Any,
) -> int:
    """Draw a position: the board, and what lies before each player.

    \b
    Example:
      pymorph show my_game/positions/start.yaml
    """
    from pymorph import files, render
    from pymorph.answers import head

    options = options_of(**common_options)
    if sight and not svg:
        raise misused("--sight draws into a picture; say where to, with --svg FILE")

    def question() -> tuple[Any, str, list[str]]:
        position = position_of(file, options, checked=False)
        picture = render.board_svg(position, sight or None) if svg else ""
        if svg or options.as_json or as_yaml or as_line:
            return position, picture, []
        return position, "", render.position_text(position, plain=plain, style=style_of())

    position, picture, lines = asked(options, question)
    if svg:
        files.write(svg, picture)
        click.echo(f"wrote {svg}", err=True)
    if as_line:
        click.echo(position.line())
    elif as_yaml:
        click.echo(position.yaml(), nl=False)
    elif options.as_json or not svg:
        data = {**head(position.ruleset), "position": position.data(), "line": position.line()}
        put(options, data, lambda: lines)
    return YES


@cli.command()
@click.argument("names", nargs=-1, type=RulesetName(), metavar="[RULESET] [RULE]...")
@click.option("--search", metavar="WORD", help="Only rules in which this word occurs.")
@click.option("--json", "as_json", is_flag=True, help="The same as JSON.")
def rules(names: tuple[str, ...], search: str | None, as_json: bool) -> int:
    """List the rules of a game, or explain some of them.

    Without a name, the games that ship with pymorph; a rule id alone finds its game.

    \b
    Example:
      pymorph rules ./my_game heap_02
    """
    from pymorph import catalogue, text

    options = Options(as_json, None, {}, None)
    found = asked(options, lambda: catalogue.look_up(names, search))
    put(options, found.json(), lambda: text.catalogue(found, style=style_of()))
    return YES if found.rules or found.rulesets else NO


@cli.command("new-ruleset")
@click.argument("name")
def new_ruleset(name: str) -> int:
    """Write a small commented ruleset to start from, in a new folder.

    \b
    Example:
      pymorph new-ruleset my_game
    """
    from pymorph import starter

    for line in starter.write(name):
        click.echo(line)
    return YES


@cli.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> int:
    """Print what makes a shell complete verbs, options, rules and legal actions.

    \b
    Example:
      pymorph completion bash
    """
    from click.shell_completion import get_completion_class

    found = get_completion_class(shell)
    assert found is not None
    click.echo(found(cli, {}, "pymorph", COMPLETING).source())
    return YES


def fail(error: PymorphError) -> int:
    """Print an error, one line for each fault, and give its exit code."""
    if isinstance(error, Faulty):
        for fault in error.faults:
            named = fault.place or isinstance(error, IllFormed)
            complain(str(fault) if named else f"pymorph: {fault}")
    else:
        complain(f"pymorph: {error}")
    if isinstance(error, (OutOfTime, Unsettled)):
        return DEPENDS
    return NO if isinstance(error, IllegalAction) else WRONG


def complain(line: str) -> None:
    """A line on standard error, whatever it is made of."""
    click.echo(printable(line, 10_000), err=True)


def usage(error: click.UsageError, verb: Sequence[str]) -> str:
    """What is wrong with the words of a command, in one line."""
    message = error.format_message()
    param = getattr(error, "param", None)
    if isinstance(error, click.NoSuchOption):
        params = error.ctx.command.get_params(error.ctx) if error.ctx else []
        known = [name for one in params for name in one.opts if name.startswith("-")]
        message = f"no such option {clipped(error.option_name)}{nearest(error.option_name, known)}"
    elif isinstance(error, click.MissingParameter) and param is not None:
        message = f"missing {param.param_type_name} {param.human_readable_name.rstrip('.')}"
    elif isinstance(error, click.BadParameter) and param is not None:
        name = max(param.opts, key=len)
        named = name if name.startswith("-") else param.human_readable_name
        message = f"{named}: {error.message.rstrip('.')}"
    else:
        message = message[:1].lower() + message[1:].rstrip(".")
    where = error.ctx.command_path if error.ctx else " ".join(["pymorph", *verb])
    return f"pymorph: {' '.join(message.split())} (see {where} --help)"


def run(words: Sequence[str] | None = None) -> int:
    """Carry out a command line, by default that of the process, and give its exit code."""
    given = list(sys.argv[1:] if words is None else words)
    if not given and COMPLETING not in os.environ:
        given = ["--help"]
    try:
        code = cli.main(given, prog_name="pymorph", standalone_mode=False)
        return code if isinstance(code, int) else YES
    except click.exceptions.Exit as error:
        return error.exit_code
    except SystemExit as error:
        return error.code if isinstance(error.code, int) else YES
    except Stopped as error:
        if error.code == STOPPED:
            complain("interrupted")
        return error.code
    except (KeyboardInterrupt, click.Abort):
        complain("interrupted")
        return STOPPED
    except click.UsageError as error:
        complain(usage(error, [word for word in given[:1] if word in cli.commands]))
    except PymorphError as error:
        return fail(error)
    except RecursionError:
        return fail(InputError(Fault("nested too deeply")))
    except MemoryError:
        return fail(InputError(Fault("out of memory")))
    except OSError as error:
        complain(f"pymorph: {error.filename or 'standard output'}: {reason(error)}")
    except Exception as error:
        if os.environ.get("PYMORPH_TRACEBACK"):
            raise
        told = clipped(f"{type(error).__name__}: {error}", 200)[1:-1]
        complain(f"pymorph: a mistake in pymorph itself: {told} (PYMORPH_TRACEBACK=1 shows where)")
    return WRONG


def leave(code: int) -> NoReturn:
    """End at once, whatever a thread is still working on."""
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError, AttributeError):
        pass
    os._exit(code)


def main() -> NoReturn:
    """The command line."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    leave(run())
