"""The verbs and exit codes; the only module that prints or exits."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import click
from click.shell_completion import CompletionItem

import pymorph
from pymorph.errors import (
    Faulty,
    IllegalAction,
    InputError,
    OutOfTime,
    PymorphError,
    Unsettled,
)

YES, NO, WRONG, DEPENDS, STOPPED = 0, 1, 2, 3, 130
EXITS = """\b
Exit codes:
  0    yes: legal, consistent, done
  1    no: illegal, inconsistent
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


class PositionFile(click.ParamType[str]):
    """A position: a file, - for standard input, or the one-line form itself."""

    name = "position"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        return [CompletionItem(incomplete, type="file")]


class RulesetName(click.ParamType[str]):
    """The name of a shipped ruleset, or the path of a folder with one, or a rule id."""

    name = "ruleset"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        from pymorph import ruleset

        try:
            known = ruleset.shipped() + [
                rule for name in ruleset.shipped() for rule in ruleset.load(name).rules
            ]
        except PymorphError:
            known = []
        found = [CompletionItem(name) for name in known if name.startswith(incomplete)]
        return found or [CompletionItem(incomplete, type="dir")]


class ActionName(click.ParamType[str]):
    """An action of the position before it, as a term."""

    name = "action"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        from pymorph import queries
        from pymorph.position import Position

        try:
            actions = queries.legal_actions(Position.load(ctx.params.get("file") or "-"))
        except (PymorphError, OSError):
            return []
        return [
            CompletionItem(str(action)) for action in actions if str(action).startswith(incomplete)
        ]


def common(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of every verb that is asked about a position."""
    for option in (
        click.option("--as", "viewer", metavar="NAME", help="Answer from what this one knows."),
        click.option(
            "--timeout",
            type=click.FloatRange(min=0, min_open=True),
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
    rulings = {}
    for text in readings:
        question, mark, option = text.partition("=")
        if not mark:
            raise click.UsageError(f"--reading takes QUESTION=OPTION, not {text!r}")
        rulings[question.strip()] = option.strip()
    return Options(as_json, timeout, rulings, viewer)


def asked(options: Options, question: Callable[[], Answer]) -> Answer:
    """The answer to a question, under the limits that the user set."""
    from pymorph.within import in_thread

    return in_thread(options.timeout, question)


def position_of(file: str, options: Options, checked: bool = True) -> Any:
    """The position in a file, under the readings given, as the viewer knows it."""
    from pymorph import queries
    from pymorph.position import Position

    position = Position.load(file)
    if options.readings:
        position = position.with_rulings(options.readings)
    if checked:
        queries.require_well_formed(
            position,
            "<stdin>" if file == "-" else "<line>" if file.lstrip().startswith("{") else file,
        )
    if options.viewer:
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
    """Colours on a terminal, none elsewhere."""
    from pymorph import text

    if sys.stdout.isatty() and "NO_COLOR" not in os.environ:
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
        if everything:
            return position, queries.judge_all(position)
        return position, queries.legal(position)

    position, answer = asked(options, question)
    if actor is not None:
        known = queries.actors(position)
        if actor not in known:
            from pymorph.errors import Fault, UnknownName, clipped, nearest

            raise UnknownName(Fault(f"unknown actor {clipped(actor)}{nearest(actor, known)}"))
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
@click.option("--next", "wide", is_flag=True, help="Also what each card at hand would take.")
@common
def forecast(file: str, figures: tuple[str, ...], wide: bool, **common_options: Any) -> int:
    """When what is in play pays off, and what breaking it off would cost.

    A FIGURE is a kind (inertia) or a single one, also one that is worked out on demand.

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
    from pymorph import text

    options = options_of(**common_options)
    worst = YES
    answers = []
    for file in files:
        answer = asked(options, partial(_checked, file, options))
        answers.append((file, answer))
        worst = max(worst, YES if answer.consistent else NO)
    if options.as_json:
        data = (
            answers[0][1].json()
            if len(answers) == 1
            else {"files": {f: a.json() for f, a in answers}}
        )
        put(options, data, list)
    else:
        for file, answer in answers:
            for line in text.check(answer, style=style_of(), name=file if len(answers) > 1 else ""):
                click.echo(line)
    return worst


def _checked(file: str, options: Options) -> Any:
    from pymorph import queries

    return queries.check(position_of(file, options, checked=False))


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

    options = options_of(**common_options)

    def question() -> Any:
        position = position_of(file, options, checked=False)
        if svg:
            return position, render.board_svg(position, sight or None)
        if options.as_json or as_yaml or as_line:
            return position, []
        return position, render.position_text(position, plain=plain, style=style_of())

    position, picture = asked(options, question)
    if svg:
        files.write(svg, picture)
        click.echo(f"wrote {svg}", err=True)
    elif as_line:
        click.echo(position.line())
    elif as_yaml:
        click.echo(position.yaml(), nl=False)
    else:
        data = {**queries_head(position), "position": position.data(), "line": position.line()}
        put(options, data, lambda: picture)
    return YES


def queries_head(position: Any) -> dict[str, Any]:
    from pymorph.answers import head

    return head(position.ruleset)


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
    click.echo(found(cli, {}, "pymorph", "_PYMORPH_COMPLETE").source())
    return YES


def fail(error: PymorphError) -> int:
    """Print an error, one line for each fault, and give its exit code."""
    lines = str(error).split("\n") if isinstance(error, Faulty) else [str(error)]
    for line in lines:
        click.echo(f"pymorph: {line}" if not isinstance(error, Faulty) else line, err=True)
    if isinstance(error, OutOfTime):
        return DEPENDS
    if isinstance(error, Unsettled):
        return DEPENDS
    return NO if isinstance(error, IllegalAction) else WRONG


def leave(code: int) -> NoReturn:
    """End at once, whatever a thread is still working on."""
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        pass
    os._exit(code)


def main() -> NoReturn:
    """The command line."""
    try:
        code = cli.main(standalone_mode=False)
        leave(code if isinstance(code, int) else YES)
    except click.exceptions.Exit as error:
        leave(error.exit_code)
    except click.ClickException as error:
        error.show()
        leave(WRONG)
    except (KeyboardInterrupt, click.Abort):
        click.echo("interrupted", err=True)
        leave(STOPPED)
    except BrokenPipeError:
        os._exit(STOPPED - 2 + 13)
    except PymorphError as error:
        leave(fail(error))
    except RecursionError:
        leave(fail(InputError_of("nested too deeply")))
    except MemoryError:
        leave(fail(InputError_of("out of memory")))


def InputError_of(message: str) -> InputError:  # noqa: N802
    from pymorph.errors import Fault

    return InputError(Fault(message))
