"""The verbs about rulesets, and completion."""

from __future__ import annotations

import json

import click

from pymorph.adjudication import rules as catalogue
from pymorph.cli.app import COMPLETING, NO, YES, cli
from pymorph.cli.options import (
    GameName,
    Options,
    QuestionName,
    RulesetName,
    in_json,
    put,
)
from pymorph.cli.output import put_line, put_text, style_of
from pymorph.ruleset import catalogue as catalogues
from pymorph.ruleset import loader, scaffold
from pymorph.state.files import schema as schemas
from pymorph.views.lines import rules as text


@cli.command()
@click.argument("names", nargs=-1, type=RulesetName(), metavar="[RULESET] [RULE|WORD]...")
@click.option("--search", metavar="WORD", help="List only rules that contain these words.")
@in_json
def rules(names: tuple[str, ...], search: str | None, options: Options) -> int:
    """List the rules of a game, or explain some of them.

    Without a name, it lists the games that come with pymorph. A rule id finds its game. Words that
    are not ids find the rules that contain all of them.

    \b
    Example:
      pymorph rules connect_four con_04
    """
    answer = options.respond(lambda: catalogue.look_up(names, search), text.catalogue)
    return YES if answer.rules or answer.rulesets else NO


@cli.command()
@click.argument("names", nargs=-1, type=QuestionName(), metavar="[RULESET] [QUESTION]...")
@click.option("--search", metavar="WORD", help="List only questions that contain this word.")
@click.option("--rule", metavar="ID", help="List only questions that this rule raises.")
@in_json
def questions(
    names: tuple[str, ...], search: str | None, rule: str | None, options: Options
) -> int:
    """List the questions that the rules of a game leave open, or explain some of them.

    For a question that you name, it shows what the options mean, the rules that raise it, and a
    smallest position where the options differ.

    \b
    Example:
      pymorph new-ruleset my_game
      pymorph questions ./my_game same_again
    """
    answer = options.respond(lambda: catalogue.questions(names, search, rule), text.questions)
    return YES if answer.questions or answer.rulesets else NO


@cli.command()
@click.argument("ruleset", type=GameName())
@in_json
def words(ruleset: str, options: Options) -> int:
    """List what you can write in a position of a game, and ask about it.

    It lists the keys of a position and their values, the actions, the figures, and the fluents
    and events that claims may name.

    \b
    Example:
      pymorph words tictactoe
    """
    options.respond(lambda: catalogues.glossary(loader.load(ruleset)), text.word_list)
    return YES


@cli.command()
@click.argument("names", nargs=-1, metavar="[NAME]...")
@in_json
def rulesets(names: tuple[str, ...], options: Options) -> int:
    """List the games that you can use by name, each with its version, hash and folder.

    It searches the folders of PYMORPH_PATH, the games and examples that ship with pymorph, and
    installed packages. The exit code is 1 if a game does not load.

    \b
    Example:
      pymorph rulesets
    """
    answer = options.answer_to(lambda: catalogues.listed(names))
    data = {"rulesets": [game.json() for game in answer]}
    put(options, data, lambda: text.shelf(answer, style_of()))
    return NO if any(game.fault for game in answer) else YES


@cli.command()
@click.argument("ruleset", type=GameName())
@click.option(
    "--of",
    "kind",
    type=click.Choice(["position", "record", "case", "rulings"]),
    default="position",
    help="The kind of file (position).",
)
def schema(ruleset: str, kind: str) -> int:
    """Print a JSON Schema for the files of a game, so that an editor completes and checks them.

    \b
    Example:
      pymorph schema connect_four --of record
    """
    answer = Options().answer_to(lambda: schemas.schema(loader.load(ruleset), kind))
    put_text(json.dumps(answer, indent=2, ensure_ascii=False) + "\n")
    return YES


@cli.command("new-ruleset")
@click.argument("name")
@click.option("--from", "game", type=GameName(), help="Copy this ruleset, to extend it.")
def new_ruleset(name: str, game: str | None) -> int:
    """Write a small commented ruleset to start from, in a new folder.

    With --from, it copies another ruleset: a shipped game, an example, or your own.

    \b
    Example:
      pymorph new-ruleset my_game
    """
    for line in scaffold.copy(name, game) if game is not None else scaffold.write(name):
        put_line(line)
    return YES


@cli.command("new-position")
@click.argument("ruleset", type=GameName())
@click.argument("file", required=False)
@click.option(
    "--start", default="", metavar="NAME", help="Use this one of several start positions."
)
@click.option("--list", "listing", is_flag=True, help="List the names of the start positions.")
def new_position(ruleset: str, file: str | None, start: str, listing: bool) -> int:
    """Print the start position of a game, or write it to a new FILE.

    \b
    Example:
      pymorph new-position connect_four
    """
    if listing:
        starts = scaffold.starts(ruleset)
        width = max(map(len, starts))
        for name, says in starts.items():
            put_line(f"{name:{width}}  {says}".rstrip())
    elif file is None:
        put_text(scaffold.start(ruleset, name=start))
    else:
        for line in scaffold.write_start(ruleset, file, start):
            put_line(line)
    return YES


@cli.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> int:
    """Print a shell-completion script.

    \b
    Example:
      pymorph completion bash
    """
    from click.shell_completion import get_completion_class

    command = get_completion_class(shell)
    assert command is not None
    put_text(command(cli, {}, "pymorph", COMPLETING).source() + "\n")
    return YES
