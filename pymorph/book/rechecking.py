"""Judging the cases of a book again: which verdicts changed, and by which rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from pymorph.book.entries import Claim, Entry, Judgement, cells_of, rules_of
from pymorph.errors import Faulty, OutOfTime, PymorphError

Judge = Callable[[str], Mapping[str, Any]]  # a case as text: its adjudication's JSON


@dataclass(frozen=True, slots=True)
class Turn:
    """The verdict before and after, under a choice of readings."""

    under: Mapping[str, str]
    before: str
    after: str

    def json(self) -> dict[str, Any]:
        return {"under": dict(self.under), "before": self.before, "after": self.after}


@dataclass(frozen=True, slots=True)
class Change:
    """A claim on which the verdict changed, in all or in some readings.

    *defaults* are the verdicts under the defaults, *added* the rules that are cited now and were
    not before, *removed* those that are no longer.
    """

    by: str
    claim: str
    before: str
    after: str
    defaults: tuple[str, str]
    turns: tuple[Turn, ...]
    added: tuple[str, ...]
    removed: tuple[str, ...]

    def json(self) -> dict[str, Any]:
        return {
            "by": self.by,
            "claim": self.claim,
            "before": self.before,
            "after": self.after,
            "defaults": {"before": self.defaults[0], "after": self.defaults[1]},
            "readings": [turn.json() for turn in self.turns],
            "rules": {"added": list(self.added), "removed": list(self.removed)},
        }


@dataclass(frozen=True, slots=True)
class Rechecked:
    """An entry, and today's verdicts on its case, or why there are none."""

    entry: Entry
    judged: Judgement | None = None
    changes: tuple[Change, ...] = ()
    error: str = ""

    @property
    def edition_changed(self) -> bool:
        """Is the ruleset another one than when the verdicts were given?"""
        old, new = self.entry.judged, self.judged
        return new is not None and (old.version, old.hash) != (new.version, new.hash)

    @property
    def differs(self) -> bool:
        """Is there anything to accept, be it only the reasons or the ruleset?"""
        same = self.judged is not None and self.judged.claims == self.entry.judged.claims
        return self.judged is not None and (self.edition_changed or not same)

    def json(self) -> dict[str, Any]:
        old, new = self.entry.judged, self.judged
        return {
            "number": self.entry.number,
            "title": self.entry.title,
            "ruleset": self.entry.ruleset,
            "before": {"version": old.version, "hash": old.hash},
            "after": {"version": new.version, "hash": new.hash} if new else None,
            "changes": [change.json() for change in self.changes],
            "error": self.error or None,
        }


def judgement(answer: Mapping[str, Any], date: str) -> Judgement:
    """The verdicts in an adjudication's JSON."""
    return Judgement(date, answer["version"], answer["hash"], tuple(answer["claims"]))


def recheck(entries: Iterable[Entry], judge: Judge, date: str) -> Iterator[Rechecked]:
    """Each entry, judged again under today's rules and the rulings that it had.

    Raises: OutOfTime, if the judge runs out of time; what else it raises is told of the entry.
    """
    for entry in entries:
        try:
            _require_ruleset(entry)
            after = judgement(judge(entry.case), date)
            yield Rechecked(entry, after, tuple(_changes(entry.judged.claims, after.claims)))
        except OutOfTime:
            raise
        except PymorphError as error:
            yield Rechecked(entry, error=_one_line(error))


def _require_ruleset(entry: Entry) -> None:
    folder = Path(entry.ruleset)
    if folder.is_absolute() and not (folder / "rules").is_dir():
        raise PymorphError(f"its ruleset {folder} is gone")


def _one_line(error: PymorphError) -> str:
    if isinstance(error, Faulty):
        more = f" (and {len(error.faults) - 1} more)" if len(error.faults) > 1 else ""
        return f"{error.faults[0].message}{more}"
    return str(error).split("\n")[0]


def _changes(before: tuple[Claim, ...], after: tuple[Claim, ...]) -> Iterator[Change]:
    if len(before) != len(after):
        raise PymorphError(f"{len(before)} claims were judged, but the case makes {len(after)}")
    for old, new in zip(before, after, strict=True):
        turns = tuple(_turns(old, new))
        defaults = (old.get("defaults", old["verdict"]), new.get("defaults", new["verdict"]))
        if turns or old["verdict"] != new["verdict"] or defaults[0] != defaults[1]:
            was, now = rules_of(old), rules_of(new)
            yield Change(
                old["by"],
                old["claim"],
                old["verdict"],
                new["verdict"],
                defaults,
                turns,
                tuple(sorted(now - was)),
                tuple(sorted(was - now)),
            )


def _turns(before: Claim, after: Claim) -> Iterator[Turn]:
    """Where the verdicts differ: choices of readings that cells of both have in common."""
    for under, old in cells_of(before):
        for under_now, new in cells_of(after):
            both = under.keys() & under_now.keys()
            if old != new and all(under[name] == under_now[name] for name in both):
                yield Turn(dict(sorted({**under, **under_now}.items())), old, new)


# -- for continuous integration --------------------------------------------------------------------


def junit(found: Iterable[Rechecked], left: Iterable[Entry] = ()) -> str:
    """JUnit XML: a case for each entry, a failure for each change, an error for what has none.

    Entries that are *left*, because the time was up, are skipped.
    """
    suite = ElementTree.Element("testsuite", name="pymorph book recheck")
    told = list(found)
    for one in told:
        case = _case(suite, one.entry)
        if one.error:
            ElementTree.SubElement(case, "error", message=one.error)
        for change in one.changes:
            message = f"{change.claim}: {change.before} -> {change.after}"
            failure = ElementTree.SubElement(case, "failure", message=message)
            failure.text = "\n".join(_reasons(change))
    rest = list(left)
    for entry in rest:
        ElementTree.SubElement(_case(suite, entry), "skipped", message="the time limit came first")
    suite.set("tests", str(len(told) + len(rest)))
    suite.set("failures", str(sum(len(one.changes) for one in told)))
    suite.set("errors", str(sum(bool(one.error) for one in told)))
    suite.set("skipped", str(len(rest)))
    whole = ElementTree.Element("testsuites")
    whole.append(suite)
    ElementTree.indent(whole)
    return ElementTree.tostring(whole, encoding="unicode", xml_declaration=True) + "\n"


def _case(suite: ElementTree.Element, entry: Entry) -> ElementTree.Element:
    name = f"{entry.number} {entry.title}"
    return ElementTree.SubElement(suite, "testcase", classname=entry.ruleset, name=name)


def _reasons(change: Change) -> Iterator[str]:
    yield f"a claim of {change.by}"
    for turn in change.turns:
        if turn.under:
            choice = ", ".join(f"{name} = {option}" for name, option in turn.under.items())
            yield f"under {choice}: {turn.before} -> {turn.after}"
    for rules, what in ((change.added, "cited now"), (change.removed, "no longer cited")):
        if rules:
            yield f"{what}: {', '.join(rules)}"
