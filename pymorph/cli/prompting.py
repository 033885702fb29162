"""Lines that somebody types at a terminal: edited, completed with Tab, kept to be called up again,
and what they may say in a game.

prompt_toolkit is imported when the first line is asked for.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from pymorph.cli.output import put_line
from pymorph.errors import visible

if TYPE_CHECKING:
    from prompt_toolkit import PromptSession

HELP = (
    ("NUMBER", "take the action with that number; if a roll is due, enter the value that came up"),
    ("ACTION", "take an action, such as name(someone, 2); leave out what is unambiguous"),
    ("ACTION; ACTION...", "take several actions in order; with the same name: name(a, 2; b, 3)"),
    ("[NAME] WORD...", "list the actions with those words; if there is only one, take it"),
    ("why ACTION", "show the rules for and against an action; its number will do"),
    ("forecast [FIGURE]...", "show the figures of the position"),
    ("legal [all]", "list the legal actions; with all, one per line"),
    ("show", "show the position"),
    ("as [NAME]", "show what NAME sees from now on; without a name, everything"),
    ("roll [SEED]", "make the roll that is due"),
    ("undo [N]", "take back one step, or N"),
    ("redo [N]", "redo one step that was taken back, or N"),
    ("save [FILE]", "write the record"),
    ("help, ?", "show this help; to unfold a line such as 4..30, type a number in it, or its name"),
    ("quit, exit, q", "leave the game, like Ctrl-D; with --record, write the record"),
)
AT_TERMINAL = (
    "Tab completes, the arrow keys recall earlier lines, Ctrl-C drops the line. If the only legal"
    " action is a step like passing, it is taken automatically."
)


def at_terminal(err: bool) -> bool:
    """Do people type, and read what is said? With *err* it is said on standard error."""
    streams = (sys.stdin, sys.stderr if err else sys.stdout)
    return all(stream is not None and stream.isatty() for stream in streams)


class LineEditor:
    """Asks for lines on standard output, or with *err* on standard error.

    *words* gives the lines that may be meant by the beginning of one.
    """

    def __init__(self, words: Callable[[str], Sequence[str]], err: bool = False) -> None:
        self.words, self.err = words, err
        self.session: PromptSession[str] | None = None

    def read(self, prompt: str) -> str:
        """A line. Raises: EOFError after Ctrl-D; KeyboardInterrupt after Ctrl-C, which drops it."""
        if self.session is None:
            self.session = self._begun()
        return self.session.prompt(visible(prompt))

    def ask(self, question: str) -> str:
        """The answer to a question, which is not kept; none after Ctrl-C or Ctrl-D."""
        from prompt_toolkit import PromptSession

        output = self.session.output if self.session else _output(self.err)
        try:
            return PromptSession[str](output=output).prompt(visible(question))
        except (EOFError, KeyboardInterrupt):
            return ""

    def _begun(self) -> PromptSession[str]:
        from prompt_toolkit import PromptSession
        from prompt_toolkit.completion import Completer, Completion
        from prompt_toolkit.shortcuts import CompleteStyle

        words = self.words

        class Lines(Completer):
            """Whole lines, of which the part that is there is replaced."""

            def get_completions(self, document: Any, event: Any) -> Iterator[Completion]:
                line = document.text_before_cursor.lstrip()
                for word in words(line):
                    yield Completion(word, start_position=-len(line))

        return PromptSession(
            completer=Lines(),
            complete_while_typing=False,
            complete_style=CompleteStyle.READLINE_LIKE,
            output=_output(self.err),
        )


def _output(err: bool) -> Any:
    """Where prompts go. The cursor's place, which nothing here needs, is not asked of it."""
    from prompt_toolkit.application import get_app_session
    from prompt_toolkit.output import create_output

    output = create_output(stdout=sys.stderr) if err else get_app_session().output
    if hasattr(output, "enable_cpr"):
        output.enable_cpr = False
    return output


@contextmanager
def twice_to_end(err: bool) -> Iterator[None]:
    """Meanwhile Ctrl-C ends what is going on when it comes a second time, and warns before."""
    was = signal.getsignal(signal.SIGINT)
    warned = False

    def warn(*_: object) -> None:
        nonlocal warned
        if warned:
            raise KeyboardInterrupt
        warned = True
        put_line("\nstill working; press Ctrl-C again to leave the game", err=err)

    if was is not signal.default_int_handler:
        yield
        return
    signal.signal(signal.SIGINT, warn)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, was)
