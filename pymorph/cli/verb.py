"""What verbs have in common: their options, the position that is asked about, limits, printing."""

from __future__ import annotations

import time
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from pymorph import yamlio
from pymorph.answers import encode
from pymorph.cli import values
from pymorph.cli.app import ErrorAnswer, Exit, VerbCommand, cli, fail, interrupted
from pymorph.cli.loading import PositionOptions
from pymorph.cli.options import JSON, TIMEOUT, declared, flag, option, several
from pymorph.cli.output import ProgressLine, bar_file, put_json, put_line, style_of, watched
from pymorph.errors import OutOfTime, PymorphError
from pymorph.questions import answer_scope
from pymorph.runtime import limits
from pymorph.views import layout
from pymorph.views.lines import rules as rules_module

if TYPE_CHECKING:
    from pymorph.dynamics.results import Awaited, Roll
    from pymorph.questions.answer_scope import AnswerScope, Checked
    from pymorph.state.rulings import Ruling

_T = TypeVar("_T")
_Item = TypeVar("_Item")
_Verb = TypeVar("_Verb", bound="type[CommandLine]")


KINDS: dict[str, type[CommandLine]] = {}  # of the verbs whose modules are imported


def verb(name: str, group: click.Group = cli) -> Callable[[_Verb], _Verb]:
    """Make a class a verb: its docstring is the help, its fields are the options."""

    def register(kind: _Verb) -> _Verb:
        command = VerbCommand(
            name,
            callback=lambda **given: kind(**given).run(),
            params=kind.params(),
            help=kind.__doc__,
        )
        group.add_command(command)
        KINDS[name if group is cli else f"{group.name} {name}"] = kind
        return kind

    return register


class CommandLine(PositionOptions):
    """One command line of a verb: what is asked, and how the answer is printed.

    *stopped* is why an answer is only a part: the time limit or Ctrl-C.
    """

    as_json: bool = False
    timeout: float | None = None
    talks: bool = False  # does it read what people type, so that it is no question?
    partial_after: tuple[type[BaseException], ...] = (OutOfTime, KeyboardInterrupt)

    def __init__(self, **given: Any) -> None:
        super().__init__(**{**dict.fromkeys(declared(type(self))), **given})
        self.end = None if self.timeout is None else time.monotonic() + self.timeout
        self.stopped: BaseException | None = None
        self.parts: list[Any] = []
        self.errors: list[PymorphError] = []
        self.progress = ProgressLine(watched())

    # -- what a verb says of itself

    def check(self) -> None:
        """Raises: UsageError, if the options do not go together."""

    def ask(self) -> Any:
        """The answer. What there is of it so far may be kept with `keep`."""
        raise NotImplementedError

    def data(self, answer: Any) -> Any:
        """What JSON has of the answer; the type that it returns has a schema."""
        return answer

    def heading(self) -> Any:
        """What the JSON of every answer has first; None: nothing."""
        return None

    def scope(self, answer: Any) -> Any:
        """What the answer looked at, and what it assumes; None: it does not say."""
        return None

    def finish(self, answer: Any) -> Any:
        """Do what belongs to an answer, such as writing files; gives what is printed of it."""
        return answer

    def lines(self, answer: Any) -> list[str]:
        """The answer as text."""
        raise NotImplementedError

    def about(self, answer: Any) -> Container[str] | None:
        """The questions whose house rulings belong below the answer; None: all."""
        return None

    def code(self, answer: Any) -> Exit:
        """The exit code of a whole answer."""
        return Exit.YES

    def code_of_part(self, answer: Any) -> Exit:
        """The exit code of a part of an answer, when the work was stopped."""
        return interrupted() if isinstance(self.stopped, KeyboardInterrupt) else Exit.DEPENDS

    # -- what all verbs do

    @classmethod
    def has_json(cls) -> bool:
        """Can it answer in JSON?"""
        return "as_json" in declared(cls)

    @classmethod
    def params(cls) -> list[click.Parameter]:
        """Its options and arguments."""
        fields = declared(cls).items()
        return [field.kind([*field.flags, name], **field.settings) for name, field in fields]

    def run(self) -> Exit:
        """Ask, print the answer, and give the exit code."""
        answer = self.answered()
        self.put(answer)
        return self.exit_code(answer)

    def reply(self) -> tuple[dict[str, Any], Exit]:
        """Ask, and give the answer as JSON, and the exit code."""
        answer = self.answered()
        return self.in_json(answer), self.exit_code(answer)

    def answered(self) -> Any:
        """The answer, or the part of it that there is when the work is stopped."""
        self.check()
        try:
            answer = self.work()
        except self.partial_after as error:
            if not self.parts:
                raise
            answer, self.stopped = self.parts[0], error
        finally:
            self.progress.clear()
        return self.finish(answer)

    def exit_code(self, answer: Any) -> Exit:
        """The exit code of an answer, whole or not."""
        return self.code(answer) if self.stopped is None else self.code_of_part(answer)

    def work(self) -> Any:
        """The answer, under the limits that the user set."""
        return self.answer_to(self.ask)

    def answer_to(self, question: Callable[[], _T]) -> _T:
        """The answer to a question, under the limits that the user set."""
        return limits.in_thread(self.timeout, question)

    def time_left(self) -> float | None:
        """The seconds that are left, if there is a time limit."""
        return None if self.end is None else max(self.end - time.monotonic(), 0.0)

    def keep(self, answer: Any) -> None:
        """Keep what there is of the answer so far, for when the work is stopped."""
        self.parts[:] = [answer]

    def put(self, answer: Any) -> None:
        """Print an answer: as JSON, or as lines for people."""
        if self.as_json:
            put_json(self.in_json(answer))
        else:
            self.put_lines(answer)

    def in_json(self, answer: Any) -> dict[str, Any]:
        """An answer as JSON, with what any verb may add: its scope, house rulings and errors."""
        errors = list(self.errors_in_json())
        frame = {"scope": self.scope(answer), "rulings": self.ruled, "errors": errors}
        added = {key: encode(value) for key, value in frame.items() if value}
        return {**(encode(self.heading()) or {}), **encode(self.data(answer)), **added}

    def errors_in_json(self) -> Iterator[ErrorAnswer]:
        """What could not be answered beside the answer."""
        return map(ErrorAnswer.of, self.errors)

    def put_lines(self, answer: Any) -> None:
        """Print an answer for people, with the house rulings in force.

        Where the user interrupted it, that is said in place of the time limit.
        """
        by_hand = isinstance(self.stopped, KeyboardInterrupt)
        lines = [*self.lines(answer), *house_lines(self.ruled, self.about(answer))]
        put_line(
            *(line.replace(layout.TIME_UP, "interrupted") if by_hand else line for line in lines)
        )

    @property
    def style(self) -> layout.Style:
        return style_of()


class FileByFile(CommandLine):
    """A verb about several files: some may be answered although others have *errors*."""

    def run(self) -> Exit:
        code = super().run()
        for error in self.errors:
            fail(error)
        return code

    def exit_code(self, answer: Any) -> Exit:
        code = super().exit_code(answer)
        return Exit.WRONG if self.errors and self.stopped is None else code


class OneByOne(FileByFile):
    """A verb that works on one item after the other, and says so if its time is up."""

    partial_after = (OutOfTime,)

    def errors_in_json(self) -> Iterator[ErrorAnswer]:
        yield from super().errors_in_json()
        if isinstance(self.stopped, OutOfTime):
            yield ErrorAnswer.of(self.stopped)

    def work(self) -> Any:
        self.keep([])
        return super().work()

    def with_bar(self, items: Sequence[_Item], label: str, bar: bool) -> Iterator[_Item]:
        """The items one by one. A terminal shows a bar, if one is wanted."""
        with click.progressbar(items, label=label, file=bar_file(bar)) as progress:
            yield from progress

    def code_of_part(self, answer: Any) -> Exit:
        assert isinstance(self.stopped, OutOfTime)
        return fail(self.stopped)


class InJson(CommandLine):
    """A verb that is asked about no position."""

    as_json: bool = JSON


class AboutPosition(CommandLine):
    """A verb that is asked about a position."""

    as_json: bool = JSON
    alone: bool = flag("--no-rulings", "Ignore house rulings from other files.")
    house: str | None = option(
        "--rulings FILE", "Use these house rulings before those from other files.", click.Path()
    )
    readings: dict[str, str] = several(
        "--reading QUESTION=OPTION", "Answer an open question with OPTION.", values.CHOICE
    )
    timeout: float | None = TIMEOUT
    viewer: str | None = option("--as NAME", "Answer from what NAME knows.", values.VIEWER)

    def scope_by(
        self,
        verb: str,
        checked: Checked,
        awaited: Iterable[Awaited] = (),
        rolls: Iterable[Roll] = (),
    ) -> AnswerScope:
        """The scope of an answer that the rules for a verb give about the position."""
        given = self.readings
        return answer_scope.scope_of(self.position, verb, checked, given, awaited, rolls)


# -- printing --------------------------------------------------------------------------------------


def house_lines(
    ruled: Mapping[str, Ruling], about: Container[str] | None = None, opening: Sequence[str] = ("",)
) -> list[str]:
    """The house rulings in force, if there are any, after the *opening* lines."""
    filed = [r for r in ruled.values() if r.filed and (about is None or r.question in about)]
    return [*opening, *rules_module.house_rulings(filed, style_of())] if filed else []


def put_picture(file: str, picture: str) -> None:
    """Write a picture to a file, and say so on standard error."""
    yamlio.write(file, picture)
    put_line(f"wrote {file}", err=True)


def say_how(verbose: bool, compiled: bool, why_not: str, name: str = "") -> None:
    """Say on the standard error output whether rules were compiled, if that is wanted."""
    if verbose:
        message = f"the rules were {'compiled' if compiled else f'not compiled: {why_not}'}"
        put_line(f"{name}: {message}" if name else message, err=True)
