"""The verbs about the book of precedents."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from pymorph.adjudication import case as case_files
from pymorph.adjudication import precedents
from pymorph.cli.app import NO, WRONG, YES, Verbs, cli, fail
from pymorph.cli.options import (
    CompletedType,
    Options,
    PositionFile,
    common,
    completions,
    in_json,
    misused,
    put,
    timeout_option,
)
from pymorph.cli.output import style_of
from pymorph.cli.verbs.disputes import cases_in
from pymorph.errors import Fault, InputError, OutOfTime, clipped, nearest
from pymorph.runtime.installation import user_folder
from pymorph.views.lines import precedents as text


class PrecedentId(CompletedType):
    """The id of a precedent, or a rule or a question that one can be found by."""

    def __init__(self, name: str) -> None:
        self.name = name

    def completions(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        folder = folder_of(ctx.params.get("folder"))
        return completions(
            lambda: sorted(names(precedents.read_all(folder)[0], self.name)), incomplete
        )


def names(entries: Sequence[precedents.Precedent], kind: str) -> set[str]:
    """The ids, the rules or the questions of precedents."""
    if kind == "id":
        return {entry.id for entry in entries}
    return {name for e in entries for name in (e.rules if kind == "rule" else e.questions)}


def folder_of(given: str | Path | None) -> Path:
    """Where the book is: as given, as the environment says, or in the user's data folder."""
    return Path(given).expanduser() if given else user_folder("data", "PYMORPH_BOOK", "precedents")


book_option = click.option(
    "--book",
    "folder",
    type=click.Path(),
    metavar="DIR",
    callback=lambda _ctx, _param, given: folder_of(given),
    help="The book's folder (default: PYMORPH_BOOK, or one in your data folder).",
)


def put_book(
    options: Options, folder: Path, data: dict[str, Any], lines: Callable[[], list[str]]
) -> None:
    """Print an answer of the book."""
    put(Options(options.as_json), {"book": str(folder), **data}, lines)


@cli.group(cls=Verbs, no_args_is_help=False)
def book() -> None:
    """Keep a book of precedents.

    It is a folder of case files, with each decision and the verdicts under each reading.

    \b
    Example:
      pymorph new-ruleset my_game
      pymorph book add my_game/cases/last.yaml
      pymorph book list
    """


@book.command()
@click.argument("cases", nargs=-1, required=True, type=PositionFile(), metavar="CASE...")
@click.option("--decided", default="", metavar="TEXT", help="What was decided, or by whom.")
@click.option("--note", default="", metavar="TEXT", help="Further remarks.")
@click.option("--date", default="", metavar="DAY", help="The day of the decision (default: today).")
@click.option("--id", "given", default="", metavar="ID", help="The id of the entry in the book.")
@click.option("--replace", "over", is_flag=True, help="Replace the entry that has this id.")
@book_option
@common
def add(
    cases: tuple[str, ...], decided: str, note: str, date: str, given: str, over: bool,
    folder: Path, options: Options,
) -> int:  # fmt: skip
    """Judge cases and write them into the book, with the verdict under each reading.

    An entry gets the id of its case, or the name of its file. A case that the book has already,
    judged under the same rules, stays as it is. --replace replaces a different case with that id.

    \b
    Example:
      pymorph new-ruleset my_game
      pymorph book add my_game/cases/last.yaml
    """
    from pymorph import yamlio
    from pymorph.yamlio import is_day

    if date and not is_day(date):
        raise misused(f"--date takes a day such as 2000-12-31, not {clipped(date)}")
    for word, words in (("decided", decided), ("note", note)):
        if odd := yamlio.odd(words):
            raise misused(f"the character {odd[0]!r} is not allowed in --{word}")
    if given and not precedents.ID.fullmatch(given):
        raise misused(f"--id takes letters, digits, _ and -, not {clipped(given)}")

    by_name: dict[str, case_files.Case] = {}
    judged: list[tuple[str, case_files.Case]] = []

    def question() -> None:
        for path in cases_in(cases):
            case = case_of(path, options)
            name = given or precedents.id_of(case, path)
            if name in by_name:
                both = f"two of the cases have the id {clipped(name)}; add each alone, with --id"
                raise InputError(Fault(both))
            by_name[name] = replace(
                case,
                decided=decided.strip() or case.decided,
                note=note.strip() or case.note,
                date=date or case.date,
            )
        for name, case in by_name.items():
            judged.append((name, precedents.judge(case)))

    late = None
    try:
        options.answer_to(question)
    except OutOfTime as error:
        late = error
    done = precedents.write_all(folder, list(judged), over)
    data = [{**entry.heading(), "new": fresh} for entry, fresh in done]
    put_book(options, folder, {"entries": data}, lambda: text.written(done, style_of()))
    return fail(late) if late else YES


def case_of(path: str, options: Options) -> case_files.Case:
    """The case in a file as the options have it; house rulings are told of in what was decided."""
    case = case_files.Case.load(path)
    case = replace(case, position=options.under(case.position, path))
    filed = [ruling for ruling in options.ruled.values() if ruling.filed]
    texts = []
    for ruling in filed:
        where = ", ".join(filter(None, (ruling.source or Path(ruling.origin).name, ruling.date)))
        why = f": {ruling.why}" if ruling.why else ""
        texts.append(f"{ruling.question} = {ruling.option} ({where}{why})")
    return case if case.decided else replace(case, decided="; ".join(texts))


@book.command("list")
@book_option
@in_json
def list_entries(folder: Path, options: Options) -> int:
    """List the precedents by id.

    \b
    Example:
      pymorph new-ruleset my_game
      pymorph book add my_game/cases/last.yaml
      pymorph book list
    """
    return put_entries(options, folder, *precedents.read_all(folder))


@book.command()
@click.argument("words", nargs=-1, metavar="[WORD]...")
@click.option(
    "--rule",
    type=PrecedentId("rule"),
    metavar="ID",
    help="List only precedents that cite this rule.",
)
@click.option(
    "--question",
    type=PrecedentId("question"),
    metavar="ID",
    help="List only precedents that depend on this question.",
)
@book_option
@in_json
def search(
    words: tuple[str, ...], rule: str | None, question: str | None, folder: Path, options: Options
) -> int:
    """Find precedents by words, by a rule or by a question.

    An entry must match everything you give. A WORD matches the beginning of a word in the title,
    the claims, the parties, the rules, the questions, the note or the decision.

    \b
    Example:
      pymorph new-ruleset my_game
      pymorph book add my_game/cases/last.yaml
      pymorph book search heap --rule heap_02
    """
    from pymorph.terms import spoken

    if not rule and not question and not any(map(spoken, words)):
        raise misused("search needs a word, --rule or --question")
    wanted = {
        k: n and n.lower().replace("-", "_") for k, n in (("rule", rule), ("question", question))
    }
    known, faults = precedents.read_all(folder)
    matches = precedents.search(known, words, **wanted)
    hints = []
    for kind, name in wanted.items():
        have = names(known, kind)
        if name and name not in have and not matches:
            hints.append(f"no entry mentions the {kind} {clipped(name)}{nearest(name, have)}")
    return put_entries(options, folder, matches, faults, hints)


def put_entries(
    options: Options,
    folder: Path,
    entries: Sequence[precedents.Precedent],
    faults: Sequence[InputError],
    hints: Sequence[str] = (),
) -> int:
    """Print precedents, and a line for each file that is none."""
    data = {"entries": [entry.heading() for entry in entries]}
    put_book(options, folder, data, lambda: [*text.entries(entries, style_of()), *hints])
    for error in faults:
        fail(error)
    return WRONG if faults else YES if entries else NO


@book.command()
@click.argument("name", metavar="ID", type=PrecedentId("id"))
@book_option
@in_json
def show(name: str, folder: Path, options: Options) -> int:
    """Show a precedent with its verdicts and its case.

    \b
    Example:
      pymorph new-ruleset my_game
      pymorph book add my_game/cases/last.yaml
      pymorph book show last
    """
    entry = precedents.find(folder, name)
    put_book(options, folder, entry.json(), lambda: text.entry(entry, style_of()))
    return YES


@book.command()
@timeout_option
@book_option
@in_json
def recheck(folder: Path, options: Options) -> int:
    """Judge all cases again and list the verdicts that changed.

    This uses the current rules and the rulings in each file. Exit codes: 1 a verdict changed, 2 a
    case can no longer be judged, 3 the time limit was reached.

    \b
    Example:
      pymorph new-ruleset my_game
      pymorph book add my_game/cases/last.yaml
      pymorph book recheck
    """
    files = list(precedents.paths(folder).items())
    done: list[precedents.Rechecked] = []
    late = options.within_time(
        files,
        lambda file: done.append(precedents.recheck(*file)),
        "recheck",
        bar=not options.as_json,
    )
    rechecked = list(done)
    left = [name for name, _ in files[len(rechecked) :]]
    data = {
        "entries": [one.json() for one in rechecked],
        "changed": sum(bool(one.changes) for one in rechecked),
        "failed": sum(bool(one.error) for one in rechecked),
        "left": left,
    }
    put_book(options, folder, data, lambda: text.recheck(rechecked, left, style_of()))
    if late is not None:
        return fail(late)
    return WRONG if data["failed"] else NO if data["changed"] else YES
