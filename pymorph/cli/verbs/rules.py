"""The verbs about rulesets, and completion."""

from __future__ import annotations

from typing import NamedTuple

import click
from click.shell_completion import get_completion_class

from pymorph.adjudication import rules as catalogue
from pymorph.cli import values
from pymorph.cli.app import COMPLETING, Exit, cli
from pymorph.cli.options import argument, flag, option
from pymorph.cli.output import put_line, put_text
from pymorph.cli.verb import CommandLine, InJson, verb
from pymorph.ruleset import catalogue as catalogues
from pymorph.ruleset import loader, scaffold
from pymorph.views.lines import rules as text


@verb("rules")
class RulesVerb(InJson):
    """List the rules of a game, or explain some of them.

    Without a name, it lists the games that come with pymorph. A rule id finds its game. Words that
    are not ids find the rules that contain all of them.

    \b
    Example:
      pymorph rules connect_four con_04
    """

    names: tuple[str, ...] = argument(values.RULE, "[RULESET] [RULE|WORD]...", nargs=-1)
    search: str | None = option("--search WORD", "List only rules that contain these words.")

    def ask(self) -> catalogue.RuleLookup:
        return catalogue.look_up(self.names, self.search)

    def lines(self, answer: catalogue.RuleLookup) -> list[str]:
        return text.catalogue(answer, self.style)

    def code(self, answer: catalogue.RuleLookup) -> Exit:
        return Exit.of(answer.rules or answer.rulesets)


@verb("questions")
class QuestionsVerb(InJson):
    """List the questions that the rules of a game leave open, or explain some of them.

    For a question that you name, it shows what the options mean, the rules that raise it, and a
    smallest position where the options differ.

    \b
    Example:
      pymorph new-ruleset my_game
      pymorph questions ./my_game same_again
    """

    names: tuple[str, ...] = argument(values.QUESTION, "[RULESET] [QUESTION]...", nargs=-1)
    search: str | None = option("--search WORD", "List only questions that contain this word.")
    rule: str | None = option("--rule ID", "List only questions that this rule raises.")

    def ask(self) -> catalogue.QuestionLookup:
        return catalogue.questions(self.names, self.search, self.rule)

    def lines(self, answer: catalogue.QuestionLookup) -> list[str]:
        return text.questions(answer, self.style)

    def code(self, answer: catalogue.QuestionLookup) -> Exit:
        return Exit.of(answer.questions or answer.rulesets)


@verb("words")
class WordsVerb(InJson):
    """List what you can write in a position of a game, and ask about it.

    It lists the keys of a position with their values, defaults and meanings, the actions, the
    figures, and the fluents and events that claims may name. If you name a key, an action or
    another word, it shows that one in full: a key with an example and rules that change it.

    \b
    Example:
      pymorph words tictactoe
      pymorph words chess may_castle
    """

    ruleset: str = argument(values.GAME)
    names: tuple[str, ...] = argument(values.WORD, "[KEY|WORD]...", nargs=-1)

    def ask(self) -> catalogues.Glossary:
        game = loader.load(self.ruleset)
        return catalogues.looked_up(game, self.names) if self.names else catalogues.glossary(game)

    def lines(self, answer: catalogues.Glossary) -> list[str]:
        return text.word_list(answer, self.style)


class Shelf(NamedTuple):
    """The games that there are."""

    rulesets: tuple[catalogues.ListedRuleset, ...]


@verb("rulesets")
class RulesetsVerb(InJson):
    """List the games that you can use by name, each with its version, hash and folder.

    It searches the folders of PYMORPH_PATH, the games and examples that ship with pymorph, and
    installed packages. The exit code is 1 if a game does not load.

    \b
    Example:
      pymorph rulesets
    """

    names: tuple[str, ...] = argument(None, "[NAME]...", nargs=-1)

    def ask(self) -> tuple[catalogues.ListedRuleset, ...]:
        return catalogues.listed(self.names)

    def data(self, answer: tuple[catalogues.ListedRuleset, ...]) -> Shelf:
        return Shelf(answer)

    def lines(self, answer: tuple[catalogues.ListedRuleset, ...]) -> list[str]:
        return text.shelf(answer, self.style)

    def code(self, answer: tuple[catalogues.ListedRuleset, ...]) -> Exit:
        return Exit.of(not any(game.fault for game in answer))


@verb("new-ruleset")
class NewRulesetVerb(CommandLine):
    """Write a small commented ruleset to start from, in a new folder.

    With --from, it copies another ruleset: a shipped game, an example, or your own.

    \b
    Example:
      pymorph new-ruleset my_game
    """

    name: str = argument()
    game: str | None = option("--from", "Copy this ruleset, to extend it.", values.GAME)

    def run(self) -> Exit:
        name, game = self.name, self.game
        put_line(*(scaffold.write(name) if game is None else scaffold.copy(name, game)))
        return Exit.YES


@verb("new-position")
class NewPositionVerb(CommandLine):
    """Print the start position of a game, or write it to a new FILE.

    \b
    Example:
      pymorph new-position connect_four
    """

    ruleset: str = argument(values.GAME)
    file: str | None = argument(required=False)
    start: str = option("--start NAME", "Use this one of several start positions.", default="")
    listing: bool = flag("--list", "List the names of the start positions.")

    def run(self) -> Exit:
        if self.listing:
            starts = scaffold.starts(self.ruleset)
            width = max(map(len, starts))
            put_line(*(f"{name:{width}}  {says}".rstrip() for name, says in starts.items()))
        elif self.file is None:
            put_text(scaffold.start(self.ruleset, name=self.start))
        else:
            put_line(*scaffold.write_start(self.ruleset, self.file, self.start))
        return Exit.YES


@verb("completion")
class CompletionVerb(CommandLine):
    """Print a shell-completion script.

    \b
    Example:
      pymorph completion bash
    """

    shell: str = argument(click.Choice(["bash", "zsh", "fish"]))

    def run(self) -> Exit:
        command = get_completion_class(self.shell)
        assert command is not None
        put_text(command(cli, {}, "pymorph", COMPLETING).source() + "\n")
        return Exit.YES
