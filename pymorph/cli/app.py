"""The group of the verbs, exit codes, and what is said of errors."""

from __future__ import annotations

import gc
import os
import sys
import warnings
from collections.abc import Sequence
from enum import IntEnum
from importlib import import_module
from typing import Any, NamedTuple, NoReturn

import click

from pymorph import errors
from pymorph.answers import below, json_keys
from pymorph.cli import bash
from pymorph.cli import help as help_pages
from pymorph.cli.output import put_json, put_line
from pymorph.errors import Fault, clipped, nearest, printable, reason
from pymorph.runtime.ctrl_c import STOPPED, EndingAtOnce
from pymorph.runtime.installation import VERSION

COMPLETING = "_PYMORPH_COMPLETE"
SELDOM = 50_000  # objects more, before garbage is looked for: a single answer makes hardly any
EPILOG = """'pymorph help VERB' and 'pymorph VERB --help' describe a verb.

\b
Exit codes:
  0    yes: legal, consistent, done
  1    no: illegal, inconsistent, nothing found
  2    error: a file with errors, an unknown name
  3    it depends on hidden information, or the time limit was reached
  130  interrupted"""


class Exit(IntEnum):
    """The exit codes."""

    YES = 0
    NO = 1
    WRONG = 2
    DEPENDS = 3
    INTERRUPTED = STOPPED
    UNHEARD = 141  # nobody reads what is printed any more

    @classmethod
    def of(cls, yes: object, unknown: object = False) -> Exit:
        """The exit code of an answer: yes, or else unknown, or else no."""
        return cls.YES if yes else cls.DEPENDS if unknown else cls.NO


# The verbs of each module; it is imported when one of them is asked for.
MODULES = {
    "cli.verbs.ask": "apply check forecast legal why",
    "cli.verbs.check": "verify",
    "cli.verbs.diff": "diff",
    "cli.verbs.disputes": "adjudicate",
    "cli.verbs.lookahead": "count plan",
    "cli.verbs.play": "play",
    "cli.verbs.precedents": "book",
    "cli.verbs.regression": "replay test",
    "cli.verbs.rules": "completion new-position new-ruleset questions rules rulesets words",
    "cli.verbs.schema": "schema",
    "cli.verbs.show": "measure show sight",
    "cli.verbs.simulate": "simulate",
    "cli.verbs.tables": "import",
    "doors.verbs.mcp": "mcp",
    "doors.verbs.quiz": "quiz",
    "doors.verbs.serve": "serve",
    "doors.verbs.table": "table",
}
VERBS = {verb: module for module, verbs in MODULES.items() for verb in verbs.split()}


class Invocation(click.Context):
    """A command that is carried out, or tells how."""

    def make_formatter(self) -> click.HelpFormatter:
        return help_pages.HelpPage()


class Listed(click.Command):
    """A command of which a list of verbs has the whole first sentence."""

    context_class = Invocation

    def get_short_help_str(self, limit: int = 0) -> str:
        return super().get_short_help_str(sys.maxsize)


class VerbCommand(Listed):
    """A verb, which says so when it is given too much."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.allow_extra_args = True
        left = super().parse_args(ctx, args)
        if left and not ctx.resilient_parsing:
            message = f"too many arguments: {', '.join(map(clipped, left))}"
            if any(param.type.name == "action" for param in self.params):
                message += "; put an argument with spaces in quotes"
            _, _, form = " ".join(ctx.get_usage().split()).partition(" ")
            raise click.UsageError(f"{message}; usage: {form}", ctx)
        return left


class Verbs(Listed, click.Group):
    """The verbs, with a word on those that are misspelt."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args[:1] == ["help"]:
            args = [*args[1:], *["--help"] * (not ctx.resilient_parsing)]
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if self.get_command(ctx, name) is None and not ctx.resilient_parsing:
            message = f"unknown command {clipped(name)}{nearest(name, self.list_commands(ctx))}"
            raise click.UsageError(message, ctx)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise click.exceptions.Exit(interrupted()) from None
        except BrokenPipeError:
            raise click.exceptions.Exit(Exit.UNHEARD) from None


class LazyVerbs(Verbs):
    """The verbs of the command line, each imported with its module when it is asked for."""

    def make_context(self, *words: Any, **more: Any) -> click.Context:
        with EndingAtOnce():
            return super().make_context(*words, **more)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in VERBS:
            with EndingAtOnce():
                import_module(f"pymorph.{VERBS[cmd_name]}")
        return super().get_command(ctx, cmd_name)


@click.group(cls=LazyVerbs, context_settings={"help_option_names": ["-h", "--help"]}, epilog=EPILOG)
@click.version_option(VERSION, prog_name="pymorph")
def cli() -> None:
    """A rules referee you can question.

    Give it a position and ask what is legal, why an action is not, when an attack pays off or what
    aborting it would cost. Every answer cites its rules.

    \b
    Example:
      pymorph new-ruleset my_game
      pymorph legal my_game/positions/start.yaml
    """


PLACE = ("file", "line", "column")
json_keys(
    also=["found", "expected", "nearest"],
    paths=below("place", *PLACE),
    without=["place"],
    optional=["rules", "meant", "text", "found", "expected", "nearest"],
    when={key: f"place.{key}" for key in PLACE},
)(Fault)


@json_keys(spread=["first"], optional=["more"])
class ErrorAnswer(NamedTuple):
    """What JSON says of an error: its exit code, the first fault, and the others."""

    code: int
    first: Fault
    more: tuple[Fault, ...]

    @classmethod
    def of(cls, error: errors.PymorphError) -> ErrorAnswer:
        """The answer that an error is."""
        first, *more = faults_of(error)
        return cls(int(code_of(error)), first, tuple(more))


def faults_of(error: errors.PymorphError) -> tuple[Fault, ...]:
    """What is wrong."""
    if isinstance(error, errors.Faulty):
        return error.faults
    return (Fault(str(error), rules=getattr(error, "rules", ())),)


def fail(error: errors.PymorphError, hint: str = "") -> Exit:
    """Print an error, one line for each fault, and give its exit code."""
    for fault in faults_of(error):
        named = fault.place or isinstance(error, errors.IllFormed)
        complain(str(fault) if named else f"pymorph: {fault}{hint}")
    return code_of(error)


def code_of(error: errors.PymorphError) -> Exit:
    """The exit code of an error."""
    if isinstance(error, (errors.OutOfTime, errors.Unsettled)):
        return Exit.DEPENDS
    return Exit.NO if isinstance(error, errors.IllegalAction) else Exit.WRONG


def interrupted() -> Exit:
    """Print that the command was interrupted, and give its exit code."""
    complain("interrupted")
    return Exit.INTERRUPTED


def complain(line: str) -> None:
    """A line on standard error, whatever it is made of."""
    put_line(printable(line, 10_000), err=True)


def warned(message: Warning | str, *_: Any, **__: Any) -> None:
    """A warning, as a line on standard error."""
    complain(f"warning: {message}")


def usage(error: click.UsageError, verb: Sequence[str]) -> tuple[str, str]:
    """What is wrong with the words of a command, in one line, and the command to ask for help."""
    message = error.format_message()
    param = getattr(error, "param", None)
    if isinstance(error, click.NoSuchOption):
        params = error.ctx.command.get_params(error.ctx) if error.ctx else []
        known = [name for one in params for name in one.opts if name.startswith("-")]
        message = f"unknown option {clipped(error.option_name)}{nearest(error.option_name, known)}"
    elif isinstance(error, click.MissingParameter) and param is not None:
        named = param.human_readable_name.rstrip(".")
        if isinstance(param, click.Option):
            named = f"{max(param.opts, key=len)} {param.metavar or ''}".rstrip()
        message = f"missing {param.param_type_name} {named}"
    elif isinstance(error, click.BadParameter) and param is not None:
        name = max(param.opts, key=len)
        named = name if name.startswith("-") else param.human_readable_name
        message = f"{named}: {error.message.rstrip('.')}"
    else:
        more = message.endswith("...")
        message = message[:1].lower() + message[1:].rstrip(".") + ("..." if more else "")
        if message == "missing command" and error.ctx and isinstance(error.ctx.command, Verbs):
            message += nearest("", error.ctx.command.list_commands(error.ctx))
    where = error.ctx.command_path if error.ctx else " ".join(["pymorph", *verb])
    return " ".join(message.split()), f"{where} --help"


def run(words: Sequence[str] | None = None) -> int:
    """Carry out a command line, by default that of the process, and give its exit code."""
    given = list(sys.argv[1:] if words is None else words)
    if not given and COMPLETING not in os.environ:
        given = ["--help"]
    code, faults = carried_out(given)
    if faults and "--json" in given:
        put_json(ErrorAnswer(int(code), faults[0], tuple(faults[1:])))
    return code


def carried_out(given: Sequence[str]) -> tuple[int, Sequence[Fault]]:
    """Carry out a command line. Gives its exit code, and what is wrong if it has no answer."""
    try:
        os.getcwd()
    except OSError as error:
        gone = errors.InputError(f"the current folder: {reason(error)}; change to another folder")
        return fail(gone), faults_of(gone)
    try:
        if COMPLETING in os.environ:
            from click.shell_completion import add_completion_class

            add_completion_class(bash.WholeWords)
        code = cli.main(list(given), prog_name="pymorph", standalone_mode=False)
        return (code if isinstance(code, int) else Exit.YES), ()
    except SystemExit as error:
        return (error.code if isinstance(error.code, int) else Exit.YES), ()
    except (KeyboardInterrupt, click.Abort):
        return interrupted(), (Fault("interrupted"),)
    except Exception as error:
        ours, hint = explained(error, [word for word in given[:1] if word in VERBS])
        return fail(ours, hint), faults_of(ours)


def explained(error: Exception, verb: Sequence[str] = ()) -> tuple[errors.PymorphError, str]:
    """An error as one of ours, and a hint for people that follows its line."""
    if isinstance(error, errors.PymorphError):
        return error, ""
    if isinstance(error, click.UsageError):
        message, help = usage(error, verb)
        return errors.InputError(message), f" (see {help})"
    if isinstance(error, RecursionError):
        return errors.InputError("nested too deeply"), ""
    if isinstance(error, MemoryError):
        return errors.InputError("out of memory"), ""
    if isinstance(error, OSError):
        return errors.InputError(f"{error.filename or 'standard output'}: {reason(error)}"), ""
    if os.environ.get("PYMORPH_TRACEBACK"):
        raise error
    text = clipped(f"{type(error).__name__}: {error}", 200)[1:-1]
    hint = " (set PYMORPH_TRACEBACK=1 to see where)"
    return errors.InputError(f"internal error: {text}"), hint


def leave(code: int) -> NoReturn:
    """End at once, whatever a thread is still working on."""
    with EndingAtOnce():
        try:
            sys.stdout.flush()
            sys.stderr.flush()
        except (OSError, ValueError, AttributeError):
            pass
        os._exit(code)


def main() -> NoReturn:
    """The command line."""
    gc.set_threshold(SELDOM)
    warnings.showwarning = warned
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    leave(run())
