"""The verbs about the book of precedents."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.shell_completion import CompletionItem

from pymorph.cli.disputes import cases_in
from pymorph.cli.frame import NO, WRONG, YES, Verbs, cli, fail
from pymorph.cli.options import (
    Options,
    PositionFile,
    Seconds,
    TextType,
    common,
    completing,
    misused,
    options_of,
    put,
    style_of,
    under,
)
from pymorph.errors import Fault, InputError, OutOfTime, Place, clipped, nearest

if TYPE_CHECKING:
    from pymorph.book import Book, Entry, Rechecked
    from pymorph.book.entries import Rulings
    from pymorph.case import Case

Answer = TypeVar("Answer")


class Topic(TextType):
    """A rule or a question that entries of the book can be found by."""

    def __init__(self, name: str) -> None:
        self.name = name

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        from pymorph.book import Book

        def names() -> list[str]:
            with Book.reading(path_of(ctx.params.get("place"))) as found:
                return found.names(self.name)

        return [CompletionItem(name) for name in completing(names) if name.startswith(incomplete)]


class Limit:
    """What is left of a time limit over several questions."""

    def __init__(self, seconds: float | None) -> None:
        self.seconds = seconds
        self.start = time.monotonic()

    def asked(self, question: Callable[[], Answer]) -> Answer:
        """The answer to a question. Raises: OutOfTime; whatever the question raises."""
        from pymorph.limits import in_thread, late

        if self.seconds is None:
            return in_thread(None, question)
        left = self.start + self.seconds - time.monotonic()
        try:
            return in_thread(max(left, 0), question)
        except OutOfTime:
            raise late(self.seconds) from None


def path_of(given: str | None) -> Path:
    """Where the book is: as given, as the environment says, or in the user's data folder."""
    chosen = given or os.environ.get("PYMORPH_BOOK")
    if chosen:
        return Path(chosen)
    import platformdirs

    return Path(platformdirs.user_data_dir("pymorph", appauthor=False)) / "precedents.db"


def kept(command: Callable[..., Any]) -> Callable[..., Any]:
    """The option that names the book."""
    text = "The book's file (default: PYMORPH_BOOK, or one in your data folder)."
    option = click.option("--book", "place", type=click.Path(), metavar="PATH", help=text)
    return option(command)


def in_json(command: Callable[..., Any]) -> Callable[..., Any]:
    option = click.option("--json", "as_json", is_flag=True, help="The same answer as JSON.")
    return option(command)


def write(file: str, text: str, place: Path) -> None:
    """Write *text* to *file*. Raises: InputError, if it cannot be written, or is the book."""
    from pymorph import files

    if os.path.exists(file) and os.path.samefile(file, place):
        raise InputError(Fault("this is the book itself; nothing was written", Place(file)))
    files.write(file, text)


def told(
    as_json: bool, place: str | None, data: dict[str, Any], lines: Callable[[], list[str]]
) -> None:
    """Print an answer of the book."""
    put(Options(as_json, None, {}, None), {"book": str(path_of(place)), **data}, lines)


@cli.group(cls=Verbs, no_args_is_help=False)
def book() -> None:
    """Keep a book of precedents.

    It holds what was disputed, what the rules say under each reading, and what the table decided.

    \b
    Example:
      pymorph book list
    """


# -- entering --------------------------------------------------------------------------------------


@book.command()
@click.argument("cases", nargs=-1, required=True, type=PositionFile(), metavar="CASE...")
@click.option("--note", default="", metavar="TEXT", help="What the table decided.")
@click.option("--date", metavar="DATE", help="When it was decided (default: now).")
@kept
@common
def add(
    cases: tuple[str, ...], note: str, date: str | None, place: str | None, **common_options: Any
) -> int:
    """Judge cases and enter them, with the verdict under each reading.

    A case that is there already, judged under the same rules, keeps its number.

    \b
    Example:
      pymorph book add my_game/cases/last.yaml
    """
    from pymorph.book import Book, date_of, now
    from pymorph.book.judging import draft
    from pymorph.text import book as shown

    options = options_of(**common_options)
    day = now() if date is None else date_of(date)
    if day is None:
        raise misused(f"--date takes a date such as 2000-12-31, not {clipped(date or '')}")
    limit = Limit(options.timeout)
    judging = limit.asked(lambda: [disputed(path, options) for path in cases_in(cases)])
    done: list[tuple[Entry, bool]] = []
    late = None
    with Book.writing(path_of(place), create=True) as written:
        for case, rulings in judging:
            try:
                entry = limit.asked(partial(draft, case, rulings, note, day))
            except OutOfTime as error:
                late = error
                break
            number, new = written.add(entry)
            done.append((written.entry(number), new))
    data = [{**entry.heading(), "new": new} for entry, new in done]
    told(options.as_json, place, {"entries": data}, lambda: shown.added(done, style_of()))
    return fail(late) if late else YES


def disputed(path: str, options: Options) -> tuple[Case, Rulings]:
    """The case in a file as the options have it, and the rulings that it is under."""
    from pymorph.case import Case

    case = Case.load(path)
    position = under(case.position, options, path)
    ruled = {question: ruling.json() for question, ruling in options.ruled.items()}
    return replace(case, position=position), ruled


# -- looking up ------------------------------------------------------------------------------------


@book.command("list")
@kept
@in_json
def list_entries(place: str | None, as_json: bool) -> int:
    """List the entries with their numbers.

    \b
    Example:
      pymorph book list
    """
    from pymorph.book import Book

    with Book.reading(path_of(place)) as found:
        return listed(found.entries(), place, as_json)


@book.command()
@click.argument("words", nargs=-1, metavar="[WORD]...")
@click.option("--rule", type=Topic("rule"), metavar="ID", help="Only where this rule is cited.")
@click.option(
    "--question", type=Topic("question"), metavar="ID", help="Only what this question bears on."
)
@kept
@in_json
def search(
    words: tuple[str, ...], rule: str | None, question: str | None, place: str | None, as_json: bool
) -> int:
    """Find entries by words, by a rule or by a question.

    All that is given has to be there: the beginning of a word in the title, the claims, the
    parties, the rules, the questions or the note.

    \b
    Example:
      pymorph book search heap --rule heap_02
    """
    from pymorph.book import Book
    from pymorph.book.entries import spoken

    if not rule and not question and not any(map(spoken, words)):
        raise misused("search takes a word, --rule or --question")
    names = {"rule": name_of(rule), "question": name_of(question)}
    with Book.reading(path_of(place)) as found:
        entries = found.search(words, **names)
        hints = [] if entries else list(unknown(found, names))
    return listed(entries, place, as_json, hints)


def listed(
    entries: Sequence[Entry], place: str | None, as_json: bool, hints: Sequence[str] = ()
) -> int:
    from pymorph.text import book as shown

    data = {"entries": [entry.heading() for entry in entries]}
    told(as_json, place, data, lambda: [*shown.entries(entries, style_of()), *hints])
    return YES if entries else NO


def name_of(given: str | None) -> str | None:
    """The id of a rule or a question as it is written in the rules."""
    return given and given.lower().replace("-", "_")


def unknown(found: Book, names: Mapping[str, str | None]) -> Iterator[str]:
    """A line for each rule or question that no entry has to do with."""
    for kind, name in names.items():
        known = found.names(kind)
        if name and name not in known:
            yield f"no entry has to do with the {kind} {clipped(name)}{nearest(name, known)}"


@book.command()
@click.argument("number", type=click.IntRange(1))
@kept
@in_json
def show(number: int, place: str | None, as_json: bool) -> int:
    """Show an entry with its verdicts, its case, and its history.

    \b
    Example:
      pymorph book show 1
    """
    from pymorph.book import Book
    from pymorph.text import book as shown

    with Book.reading(path_of(place)) as found:
        entry = found.entry(number)
    told(as_json, place, entry.json(), lambda: shown.entry(entry, style_of()))
    return YES


# -- judging again ---------------------------------------------------------------------------------


@book.command()
@click.option("--accept", is_flag=True, help="Keep today's verdicts, and the old ones as history.")
@click.option("--junit", type=click.Path(), metavar="FILE", help="Write the result as JUnit XML.")
@click.option(
    "--timeout", type=Seconds(), metavar="SECONDS", help="Give up after so long (exit 3)."
)
@kept
@in_json
def recheck(
    accept: bool, junit: str | None, timeout: float | None, place: str | None, as_json: bool
) -> int:
    """Judge all cases again and tell which verdicts changed.

    It is done under today's rules and the rulings that each case was entered with. Exit code 1 says
    that something changed, 2 that a case can no longer be judged, 3 that the time was up.

    \b
    Example:
      pymorph book recheck
    """
    from pymorph import book
    from pymorph.text import book as shown

    path = path_of(place)
    with (book.Book.writing if accept else book.Book.reading)(path) as kept:
        entries = kept.entries()
        done: list[Rechecked] = []
        late = None
        try:
            for one in judged_again(entries, Limit(timeout), as_json):
                done.append(one)
                if accept and one.judged is not None and one.differs:
                    kept.accept(one.entry.number, one.judged)
        except OutOfTime as error:
            late = error
    left = entries[len(done) :]
    if junit is not None:
        write(junit, book.junit(done, left), path)
    data = {
        "entries": [one.json() for one in done],
        "changed": sum(bool(one.changes) for one in done),
        "failed": sum(bool(one.error) for one in done),
        "left": [entry.number for entry in left],
    }
    told(as_json, place, data, lambda: shown.recheck(done, left, accept, style_of()))
    if late is not None:
        return fail(late)
    return WRONG if data["failed"] else NO if data["changed"] else YES


def judged_again(entries: Sequence[Entry], limit: Limit, as_json: bool) -> Iterator[Rechecked]:
    """The entries, judged again one by one; a bar on a terminal shows how far it is."""
    from pymorph import book
    from pymorph.book.judging import judge

    def limited(case: str) -> Mapping[str, Any]:
        return limit.asked(partial(judge, case))

    found = book.recheck(entries, limited, book.now())
    if as_json or not sys.stderr.isatty():
        yield from found
        return
    with click.progressbar(found, len(entries), "recheck", file=sys.stderr) as bar:
        yield from bar


# -- other books -----------------------------------------------------------------------------------


@book.command()
@click.argument("file", type=click.Path(), default="-")
@kept
@in_json
def export(file: str, place: str | None, as_json: bool) -> int:
    """Write the whole book as YAML to a file, or to standard output.

    \b
    Example:
      pymorph book export precedents.yaml
    """
    from pymorph import book, text

    with book.Book.reading(path_of(place)) as found:
        entries = found.entries()
    if file == "-":
        whole = {"entries": [entry.json() for entry in entries]}
        told(as_json, place, whole, lambda: book.written(entries).split("\n")[:-1])
    else:
        write(file, book.written(entries), path_of(place))
        number = len(entries)
        data = {"file": file, "written": number}
        told(as_json, place, data, lambda: [f"{text.count(number, 'entries')} in {file}"])
    return YES


@book.command("import")
@click.argument("file", type=click.Path())
@kept
@in_json
def import_entries(file: str, place: str | None, as_json: bool) -> int:
    """Enter what another book was exported as.

    Entries that are there already, word for word, are passed over; the others are numbered anew.

    \b
    Example:
      pymorph book import precedents.yaml
    """
    from pymorph import book, text

    entries = book.read(file)
    with book.Book.writing(path_of(place), create=True) as kept:
        news = [kept.put(entry)[1] for entry in entries]
    new, old = sum(news), len(news) - sum(news)
    lines = [f"{text.count(new, 'entries')} entered, {old} there already"]
    told(as_json, place, {"entered": new, "there": old}, lambda: lines)
    return YES
