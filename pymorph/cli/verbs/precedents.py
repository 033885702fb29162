"""The verbs about the book of precedents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from pymorph import terms, yamlio
from pymorph.adjudication import case as case_files
from pymorph.adjudication import precedents
from pymorph.cli import values
from pymorph.cli.app import Exit, Verbs, cli
from pymorph.cli.options import TIMEOUT, argument, flag, option
from pymorph.cli.texts import misused
from pymorph.cli.verb import AboutPosition, FileByFile, InJson, OneByOne, verb
from pymorph.cli.verbs.disputes import cases_in
from pymorph.errors import Fault, InputError, clipped, nearest
from pymorph.runtime.installation import user_folder
from pymorph.state.rulings import RulingsInForce
from pymorph.views.lines import precedents as text


def completed(kind: str) -> values.Completed:
    """A word that a shell completes with the ids, the rules or the questions of precedents."""

    def known(ctx: click.Context) -> list[str]:
        folder = folder_of(ctx.params.get("folder"))
        return sorted(names(precedents.read_all(folder)[0], kind))

    return values.Completed(known)


def names(entries: Sequence[precedents.Precedent], kind: str) -> set[str]:
    """The ids, the rules or the questions of precedents."""
    if kind == "id":
        return {entry.id for entry in entries}
    return {name for e in entries for name in (e.rules if kind == "rule" else e.questions)}


def folder_of(given: str | Path | None) -> Path:
    """Where the book is: as given, as the environment says, or in the user's data folder."""
    return Path(given).expanduser() if given else user_folder("data", "PYMORPH_BOOK", "precedents")


def decisions(ruled: RulingsInForce) -> str:
    """What the house rulings in force decide, in one line."""
    texts = []
    for ruling in (ruling for ruling in ruled.values() if ruling.filed):
        origin = ruling.source or Path(ruling.origin).name
        where = ", ".join(filter(None, (origin, ruling.date)))
        why = f": {ruling.why}" if ruling.why else ""
        texts.append(f"{ruling.question} = {ruling.option} ({where}{why})")
    return "; ".join(texts)


class AboutBook(InJson):
    """A verb that is asked about a book; its answers name the book, and no rulings."""

    folder: Path = option(
        "--book DIR",
        "The book's folder (default: PYMORPH_BOOK, or one in your data folder).",
        click.Path(),
        callback=lambda _ctx, _param, given: folder_of(given),
    )

    def heading(self) -> precedents.BookName:
        return precedents.BookName(str(self.folder))


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


@verb("add", book)
class AddVerb(OneByOne, AboutBook, AboutPosition):
    """Judge cases and write them into the book, with the verdict under each reading.

    An entry gets the id of its case, or the name of its file. A case that the book has already,
    judged under the same rules, stays as it is. --replace replaces a different case with that id.

    \b
    Example:
      pymorph new-ruleset my_game
      pymorph book add my_game/cases/last.yaml
    """

    cases: tuple[str, ...] = argument(values.POSITION_FILE, "CASE...", nargs=-1, required=True)
    decided: str = option("--decided TEXT", "What was decided, or by whom.", default="")
    note: str = option("--note TEXT", "Further remarks.", default="")
    date: str = option("--date DAY", "The day of the decision (default: today).", default="")
    given: str = option("--id ID", "The id of the entry in the book.", default="")
    over: bool = flag("--replace", "Replace the entry that has this id.")

    def check(self) -> None:
        if self.date and not yamlio.is_day(self.date):
            raise misused(f"--date takes a day such as 2000-12-31, not {clipped(self.date)}")
        for word, words in (("decided", self.decided), ("note", self.note)):
            if odd := yamlio.odd(words):
                raise misused(f"the character {odd[0]!r} is not allowed in --{word}")
        if self.given and not precedents.ID.fullmatch(self.given):
            raise misused(f"--id takes letters, digits, _ and -, not {clipped(self.given)}")

    def ask(self) -> list[tuple[str, case_files.Case]]:
        by_name: dict[str, case_files.Case] = {}
        judged: list[tuple[str, case_files.Case]] = []
        for path in cases_in(self.cases):
            case = self.case_of(path)
            name = self.given or precedents.id_of(case, path)
            if name in by_name:
                both = f"two of the cases have the id {clipped(name)}; add each alone, with --id"
                raise InputError(Fault(both))
            by_name[name] = case
        for name, case in by_name.items():
            judged.append((name, precedents.judge(case)))
            self.keep(list(judged))
        return judged

    def case_of(self, path: str) -> case_files.Case:
        """The case in a file as the options have it. Without a decision, its house rulings are
        the decision."""
        case = case_files.Case.load(path)
        position = self.under(case.position, path)
        return replace(
            case,
            position=position,
            decided=self.decided.strip() or case.decided or decisions(self.ruled),
            note=self.note.strip() or case.note,
            date=self.date or case.date,
        )

    def finish(
        self, answer: list[tuple[str, case_files.Case]]
    ) -> list[tuple[precedents.Precedent, bool]]:
        self.ruled = {}
        return precedents.write_all(self.folder, answer, self.over)

    def data(self, answer: Sequence[tuple[precedents.Precedent, bool]]) -> precedents.BookEntries:
        return precedents.BookEntries(tuple(precedents.ListedEntry(*pair) for pair in answer))

    def lines(self, answer: Sequence[tuple[precedents.Precedent, bool]]) -> list[str]:
        return text.written(answer, self.style)


class EntriesVerb(FileByFile, AboutBook):
    """A verb that lists entries of a book."""

    def ask(self) -> Sequence[precedents.Precedent]:
        known, errors = precedents.read_all(self.folder)
        self.errors += errors
        return self.matches(known)

    def code(self, answer: Sequence[precedents.Precedent]) -> Exit:
        return Exit.of(answer)

    def matches(self, known: list[precedents.Precedent]) -> Sequence[precedents.Precedent]:
        """Those of the entries that are wanted."""
        return known

    def data(self, answer: Sequence[precedents.Precedent]) -> precedents.BookEntries:
        return precedents.BookEntries(tuple(map(precedents.ListedEntry, answer)))

    def lines(self, answer: Sequence[precedents.Precedent]) -> list[str]:
        return text.entries(answer, self.style)


@verb("list", book)
class ListEntriesVerb(EntriesVerb):
    """List the precedents by id.

    \b
    Example:
      pymorph new-ruleset my_game
      pymorph book add my_game/cases/last.yaml
      pymorph book list
    """


@verb("search", book)
class SearchVerb(EntriesVerb):
    """Find precedents by words, by a rule or by a question.

    An entry must match everything you give. A WORD matches the beginning of a word in the title,
    the claims, the parties, the rules, the questions, the note or the decision.

    \b
    Example:
      pymorph new-ruleset my_game
      pymorph book add my_game/cases/last.yaml
      pymorph book search heap --rule heap_02
    """

    words: tuple[str, ...] = argument(None, "[WORD]...", nargs=-1)
    rule: str | None = option(
        "--rule ID", "List only precedents that cite this rule.", completed("rule")
    )
    question: str | None = option(
        "--question ID", "List only precedents that depend on this question.", completed("question")
    )

    def check(self) -> None:
        if not self.rule and not self.question and not any(map(terms.spoken, self.words)):
            raise misused("search needs a word, --rule or --question")

    def matches(self, known: list[precedents.Precedent]) -> Sequence[precedents.Precedent]:
        given = (("rule", self.rule), ("question", self.question))
        wanted = {kind: name and name.lower().replace("-", "_") for kind, name in given}
        matches = precedents.search(known, self.words, **wanted)
        self.hints = []
        for kind, name in wanted.items():
            have = names(known, kind)
            if name and name not in have and not matches:
                hint = f"no entry mentions the {kind} {clipped(name)}{nearest(name, have)}"
                self.hints.append(hint)
        return matches

    def lines(self, answer: Sequence[precedents.Precedent]) -> list[str]:
        return [*super().lines(answer), *self.hints]


@verb("show", book)
class ShowEntryVerb(AboutBook):
    """Show a precedent with its verdicts and its case.

    \b
    Example:
      pymorph new-ruleset my_game
      pymorph book add my_game/cases/last.yaml
      pymorph book show last
    """

    name: str = argument(completed("id"), "ID")

    def work(self) -> precedents.Precedent:
        return precedents.find(self.folder, self.name)

    def lines(self, answer: precedents.Precedent) -> list[str]:
        return text.entry(answer, self.style)


@verb("recheck", book)
class RecheckVerb(OneByOne, AboutBook):
    """Judge all cases again and list the verdicts that changed.

    This uses the current rules and the rulings in each file. Exit codes: 1 a verdict changed, 2 a
    case can no longer be judged, 3 the time limit was reached.

    \b
    Example:
      pymorph new-ruleset my_game
      pymorph book add my_game/cases/last.yaml
      pymorph book recheck
    """

    timeout: float | None = TIMEOUT

    def check(self) -> None:
        self.files = list(precedents.paths(self.folder).items())

    def ask(self) -> list[precedents.Rechecked]:
        rechecked: list[precedents.Rechecked] = []
        for file in self.with_bar(self.files, "recheck", bar=not self.as_json):
            rechecked.append(precedents.recheck(*file))
            self.keep(list(rechecked))
        return rechecked

    def left(self, answer: Sequence[precedents.Rechecked]) -> list[str]:
        """The entries that were not judged in time."""
        return [name for name, _ in self.files[len(answer) :]]

    def code(self, answer: list[precedents.Rechecked]) -> Exit:
        if any(one.error for one in answer):
            return Exit.WRONG
        return Exit.of(not any(one.changes for one in answer))

    def data(self, answer: Sequence[precedents.Rechecked]) -> precedents.Recheck:
        return precedents.Recheck(tuple(answer), self.left(answer))

    def lines(self, answer: Sequence[precedents.Rechecked]) -> list[str]:
        return text.recheck(answer, self.left(answer), self.style)
