"""The book of precedents: a folder of case files, with what was decided and the verdicts since.

A file of the book is a case with ``decided``, ``note`` and ``date``. ``version`` and ``hash`` say
under which edition of the ruleset it was judged, and below each claim ``expect`` has its verdicts
and ``rules`` what they cited. Files may also be written by hand; their history is git's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import NamedTuple

from pymorph import yamlio
from pymorph.adjudication.adjudication import adjudicate
from pymorph.adjudication.case import EDITION, Case, choices_in
from pymorph.adjudication.verdicts import ClaimVerdict, VerdictTurn, unexpected
from pymorph.answers import below, json_keys
from pymorph.errors import (
    Fault,
    Faulty,
    InputError,
    OutOfTime,
    Place,
    PymorphError,
    UnknownName,
    nearest,
    printable,
    reason,
)
from pymorph.questions.readings.partition import Choices, defaults_of
from pymorph.state.claim import DEPENDS, VERDICTS
from pymorph.terms import spoken
from pymorph.yamlio import Items, Keys, Node, Scalar

SUFFIX = ".yaml"
HOUSE = "rulings"  # house rulings may lie in the folder, too
ID = re.compile(r"(?!rulings$)\w[\w-]*")
LONGEST = 60  # letters of an id that is made of a title

TEXTS = ("id", "file", "title", "date", "decided", "note", "ruleset", *EDITION)  # of an entry

VerdictsByChoices = Sequence[tuple[Choices, str]]  # verdicts, each under some choices


@json_keys(
    also=["verdict", "defaults"],
    paths={"depends_on": "questions", "readings": "by_choices"},
    without=["verdicts"],
    items={"readings": ("under", "verdict")},
)
class Judged(NamedTuple):
    """A claim with its verdicts as a file has them: under choices, and under the defaults."""

    by: str
    claim: str
    verdicts: VerdictsByChoices
    rules: tuple[str, ...]

    @property
    def cells(self) -> VerdictsByChoices:
        """The verdicts of all readings: one for each set of choices, or the only one there is."""
        return [cell for cell in self.verdicts if cell[0]] or self.verdicts

    @property
    def verdict(self) -> str:
        words = {word for _, word in self.verdicts}
        return DEPENDS if len(words) > 1 else "".join(words)

    @property
    def defaults(self) -> str:
        """The verdict under the defaults; empty where the file does not have it."""
        return next((word for choices, word in self.verdicts if not choices), "")

    @property
    def questions(self) -> list[str]:
        return sorted({question for choices, _ in self.verdicts for question in choices})

    @property
    def by_choices(self) -> list[tuple[Choices, str]]:
        """The verdicts under choices."""
        return [cell for cell in self.cells if cell[0]]


@json_keys(also=["rules", "questions"], paths={"case": "text"})
class Precedent(NamedTuple):
    """A file of the book as it is written; the ruleset that it names need not be there any more.

    *id* is the name of the file within the book, *text* all that stands in it.
    """

    id: str
    file: str
    title: str
    date: str
    decided: str
    note: str
    ruleset: str
    version: str
    hash: str
    rulings: Mapping[str, str]
    claims: tuple[Judged, ...]
    text: str

    @property
    def rules(self) -> set[str]:
        return {rule for claim in self.claims for rule in claim.rules}

    @property
    def questions(self) -> set[str]:
        """The questions that decide a claim, and those that a ruling has settled."""
        return {*self.rulings, *(name for claim in self.claims for name in claim.questions)}

    @property
    def words(self) -> str:
        """All that a search looks at, as words with a space before each."""
        names = [*sorted(self.rules), *sorted(self.questions)]
        claims = [text for claim in self.claims for text in (claim.by, claim.claim)]
        return spoken(" ".join([self.id, self.title, *claims, *names, self.decided, self.note]))


@json_keys(
    also=["claims"],
    paths=below("precedent", *TEXTS),
    without=["precedent"],
    when={"new": "judged"},
    items={"claims": ("by", "claim", "verdict")},
)
class ListedEntry(NamedTuple):
    """What a list says of a precedent; whether it is *new*, if it was judged now."""

    precedent: Precedent
    new: bool | None = None

    @property
    def judged(self) -> bool:
        return self.new is not None

    @property
    def claims(self) -> tuple[tuple[str, str, str], ...]:
        return tuple((claim.by, claim.claim, claim.verdict) for claim in self.precedent.claims)


class BookName(NamedTuple):
    """The folder of a book."""

    book: str


class BookEntries(NamedTuple):
    """Some precedents of a book."""

    entries: tuple[ListedEntry, ...]


# -- reading ---------------------------------------------------------------------------------------


def paths(folder: Path) -> dict[str, Path]:
    """The files of a book by their ids. Raises: InputError, if there is no such folder."""
    if not folder.is_dir():
        what = "not a book of precedents: it is not a folder"
        missing = "no book here; start one with 'pymorph book add'"
        raise InputError(what if folder.exists() else missing, place_of(folder))
    by_id = {}
    for path in sorted(folder.rglob(f"*{SUFFIX}")):
        name = path.relative_to(folder).with_suffix("")
        if name.name != HOUSE and not any(part.startswith(".") for part in name.parts):
            by_id[name.as_posix()] = path
    return by_id


def read_all(folder: Path) -> tuple[list[Precedent], list[InputError]]:
    """The precedents of a book by their ids, and the errors of files that are not precedents."""
    precedents, faults = [], []
    for name, path in paths(folder).items():
        try:
            yamlio.path_in(folder, f"{name}{SUFFIX}")
            precedents.append(read(name, path))
        except InputError as error:
            faults.append(InputError(error.faults[0]))
    return precedents, faults


def find(folder: Path, name: str) -> Precedent:
    """The precedent of that id. Raises: UnknownName, if there is none; InputError."""
    known = paths(folder)
    if name not in known:
        message = f"unknown precedent {printable(name)!r}{nearest(name, known)}"
        raise UnknownName(message, place_of(folder))
    return read(name, known[name])


def read(name: str, path: Path) -> Precedent:
    """The precedent in a file. Raises: InputError with all that is wrong with it as YAML."""
    text, file, _ = yamlio.contents(path)
    root, faults = yamlio.parse(text, file, yamlio.LIMITS.long_nodes)
    claims, position = _value(root, "claims"), _value(root, "position")
    if not isinstance(claims, Items):
        faults.append(Fault("not a case: it has no list of 'claims'", root.place))
    if faults or not isinstance(claims, Items):
        raise InputError(faults)
    judged = tuple(map(_read_claim, claims.items))
    first = judged[0].claim if judged else ""
    return Precedent(
        name,
        file,
        title=_text(root, "title") or _text(root, "id") or first,
        ruleset=_text(root, "ruleset") or _text(position, "ruleset"),
        **{key: _text(root, key) for key in ("date", "decided", "note", *EDITION)},
        rulings={
            question.text: option.text
            for rulings in (_value(position, "rulings"), _value(root, "rulings"))
            if isinstance(rulings, Keys)
            for question, option in rulings.entries
            if isinstance(option, Scalar)
        },
        claims=judged,
        text=text,
    )


def _value(node: Node | None, key: str) -> Node | None:
    return node.get(key) if isinstance(node, Keys) else None


def _text(node: Node | None, key: str) -> str:
    value = _value(node, key)
    return value.text.strip() if isinstance(value, Scalar) else ""


def _read_claim(node: Node) -> Judged:
    if isinstance(node, Scalar):
        return Judged("", node.text, [], ())
    expect, rules = _value(node, "expect"), _value(node, "rules")
    verdicts: VerdictsByChoices = [({}, expect.text)] if isinstance(expect, Scalar) else []
    if isinstance(expect, Keys):
        pairs = ((key.text, word) for key, word in expect.entries)
        verdicts = [(choices_in(key), word.text) for key, word in pairs if isinstance(word, Scalar)]
    cited = rules.items if isinstance(rules, Items) else ()
    names = tuple(rule.text for rule in cited if isinstance(rule, Scalar))
    return Judged(_text(node, "by"), _text(node, "claim"), verdicts, names)


def search(
    precedents: Iterable[Precedent],
    words: Sequence[str] = (),
    rule: str | None = None,
    question: str | None = None,
) -> list[Precedent]:
    """Those in which each of *words* begins some word, that cite *rule*, and so on."""
    terms = [spoken(word) for word in words]
    return [
        precedent
        for precedent in precedents
        if all(term in precedent.words for term in terms)
        and (rule is None or rule in precedent.rules)
        and (question is None or question in precedent.questions)
    ]


# -- adding ----------------------------------------------------------------------------------------


def judge(case: Case) -> Case:
    """*case* with today's verdicts, the rules that they cite, and the edition of its ruleset."""
    answer = adjudicate(case)
    claims = tuple(
        replace(ruling.stated, expect=_expected(ruling), rules=ruling.rules)
        for ruling in answer.claims
    )
    game = answer.ruleset
    return replace(case, claims=claims, version=game.version, hash=game.hash)


def deciding_verdicts(ruling: ClaimVerdict) -> VerdictsByChoices:
    """The verdicts under the choices that decide; without choices, if all readings agree."""
    cells: dict[tuple[tuple[str, str], ...], str] = {}
    for under, account in ruling.accounts:
        if account.verdict in VERDICTS:
            deciding = sorted((q, o) for q, o in under.items() if q in ruling.depends_on)
            cells[tuple(deciding)] = account.verdict
    return [(dict(choices), word) for choices, word in cells.items()]


def _expected(ruling: ClaimVerdict) -> tuple[tuple[tuple[tuple[str, str], ...], str], ...]:
    cells = [
        (tuple(choices.items()), word) for choices, word in deciding_verdicts(ruling) if choices
    ]
    defaults = [((), ruling.defaults)] if ruling.defaults in VERDICTS else []
    return (*defaults, *sorted(cells))


def id_of(case: Case, file: str) -> str:
    """What a case is called in a book: its id, or else its file, or else its title."""
    stem = "" if file == "-" else Path(file).stem
    words = spoken(case.id or stem or case.title or str(case.claims[0].claim)).split()
    name = "_".join(words)[:LONGEST].rstrip("_")
    return name if name not in ("", HOUSE) else f"case_{name}".rstrip("_")


def write_all(
    folder: Path, cases: Sequence[tuple[str, Case]], over: bool = False
) -> list[tuple[Precedent, bool]]:
    """Write judged cases into the book under their ids; what stands there, and whether it is new.

    A case that stands there already, judged under the same rules, is left as it is. Raises:
    InputError before anything is written, if another one has the id and *over* is not said.
    """
    new = [over or not (folder / f"{name}{SUFFIX}").exists() for name, _ in cases]
    for (name, case), fresh in zip(cases, new, strict=True):
        if not fresh and _differs(folder / f"{name}{SUFFIX}", case):
            message = "another case has this id; use --replace, or choose another --id"
            raise InputError(message, place_of(folder / f"{name}{SUFFIX}"))
    today = date.today().isoformat()
    return [
        (write(folder, name, replace(case, date=case.date or today)), True)
        if fresh
        else (find(folder, name), False)
        for (name, case), fresh in zip(cases, new, strict=True)
    ]


def _differs(path: Path, case: Case) -> bool:
    """Is another case in the file, or the same one with other words on it?"""
    try:
        written = Case.load(path)
    except PymorphError:
        return True
    keys = ("decided", "note", "date")
    texts = {key: getattr(case, key) or getattr(written, key) for key in keys}
    return written != replace(case, **texts)


def write(folder: Path, name: str, case: Case) -> Precedent:
    """Write a judged case into the book, whole or not at all, and say what stands there now.

    A ruleset that lies beside or around the book is named by the way to it, any other folder by its
    absolute path. Raises: InputError, if it cannot be written.
    """
    path = folder / f"{name}{SUFFIX}"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot be written: {reason(error)}", place_of(path)) from None
    home = path.parent.resolve()
    near = home.is_relative_to(Path(case.position.ruleset.folders[0]).parent)
    text = case.yaml(home if near else Path(home.anchor))
    data = text.encode("utf-8", "replace")
    yamlio.write(path, yamlio.decode(data, str(path), yamlio.LIMITS.long_bytes))
    return read(name, path)


def place_of(path: Path) -> Place:
    return Place(printable(str(path)))


# -- judging again ---------------------------------------------------------------------------------


@json_keys(
    also=["rules"],
    paths={"readings": "turns"},
    without=["added", "removed"],
    parts={"defaults": ("before", "after"), "rules": ("added", "removed")},
)
class VerdictChange(NamedTuple):
    """A claim with another verdict than before, in all or in some readings.

    *defaults* are the verdicts under the defaults, *added* the rules that are cited now and were
    not before, *removed* those that are no longer.
    """

    by: str
    claim: str
    before: str
    after: str
    defaults: tuple[str, str]
    turns: tuple[VerdictTurn, ...]
    added: tuple[str, ...]
    removed: tuple[str, ...]

    @property
    def rules(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The rules that are cited now only, and before only."""
        return self.added, self.removed


@json_keys(parts={"before": EDITION, "after": EDITION}, or_null=["error"])
@dataclass(frozen=True, slots=True)
class Rechecked:
    """A file of the book, and what changed since it was judged, or why it cannot be judged.

    *before* and *after* are the version and hash of its ruleset then and now, *untold* is the
    number of claims for which the file has no verdict.
    """

    id: str
    title: str = ""
    ruleset: str = ""
    before: tuple[str, str] = ("", "")
    after: tuple[str, str] | None = None
    changes: tuple[VerdictChange, ...] = ()
    untold: int = 0
    error: str = ""


@json_keys(also=["changed", "failed"])
class Recheck(NamedTuple):
    """The entries of a book that were judged again; *left* are the others."""

    entries: tuple[Rechecked, ...]
    left: list[str]

    @property
    def changed(self) -> int:
        return sum(bool(entry.changes) for entry in self.entries)

    @property
    def failed(self) -> int:
        return sum(bool(entry.error) for entry in self.entries)


def recheck(name: str, path: Path) -> Rechecked:
    """A file of the book, judged again under today's rules and the rulings that stand in it.

    Raises: OutOfTime; any other error is in the answer.
    """
    result = Rechecked(name)
    try:
        old = read(name, path)
        edition = (old.version, old.hash)
        result = Rechecked(name, old.title, old.ruleset, edition)
        answer = adjudicate(Case.load(path))
        defaults = defaults_of(answer.case.position)
        changes = []
        for was, now in zip(old.claims, answer.claims, strict=True):
            turns = list(_turns(was, now)) if old.hash else now.surprises(defaults)
            changes += _changes(was, now, turns, complete=bool(old.hash)) if was.verdicts else []
        after = (answer.ruleset.version, answer.ruleset.hash)
        return replace(result, after=after, changes=tuple(changes), untold=unexpected(answer))
    except OutOfTime:
        raise
    except PymorphError as error:
        more = len(error.faults) - 1 if isinstance(error, Faulty) else 0
        first = str(error).split("\n")[0]
        return replace(result, error=f"{first} (and {more} more)" if more else first)


def _changes(
    was: Judged, now: ClaimVerdict, turns: Iterable[VerdictTurn], complete: bool
) -> list[VerdictChange]:
    """What changed of a claim; *complete* says that the file has the verdicts of all readings."""
    known = {tuple(sorted(turn.under.items())): turn for turn in turns}
    before, after = (was.verdict, now.verdict) if complete else (was.defaults, now.defaults)
    usual = (was.defaults or now.defaults, now.defaults)
    if not known and usual[0] == usual[1]:
        return []
    cited, old = (set(now.rules), set(was.rules)) if was.rules else (set[str](), set[str]())
    rules = tuple(sorted(cited - old)), tuple(sorted(old - cited))
    turned = tuple(known.values())
    return [VerdictChange(was.by, was.claim, before or usual[0], after, usual, turned, *rules)]


def _turns(was: Judged, now: ClaimVerdict) -> Iterator[VerdictTurn]:
    """Where the verdicts differ: choices of readings that cells of both have in common."""
    for under, old in was.cells:
        for under_now, new in deciding_verdicts(now):
            both = under.keys() & under_now.keys()
            if old != new and all(under[name] == under_now[name] for name in both):
                yield VerdictTurn(dict(sorted({**under, **under_now}.items())), old, new)
