"""What a book of precedents holds: entries, each a case and what was judged of it."""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from pymorph import files
from pymorph.errors import Fault, InputError, clipped
from pymorph.files import Data
from pymorph.verdicts import VERDICTS

TOKEN = re.compile(r"[^\W_]+")

Claim = Mapping[str, Any]  # a claim with its verdict, as `adjudicate --json` has it
Rulings = Mapping[str, Mapping[str, str]]  # of a question: its option, where that is from, why


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdicts on the claims of a case: when they were given, and under which rules."""

    date: str
    version: str
    hash: str
    claims: tuple[Claim, ...]

    def json(self) -> dict[str, Any]:
        told = {"date": self.date, "version": self.version, "hash": self.hash}
        return {**told, "claims": list(self.claims)}

    def rules(self) -> set[str]:
        """Every rule that a verdict cites, in whatever reading."""
        return {rule for claim in self.claims for rule in rules_of(claim)}

    def questions(self) -> set[str]:
        """Every question that decides a claim."""
        return {name for claim in self.claims for name in questions_of(claim)}


@dataclass(frozen=True, slots=True)
class Entry:
    """A case, what was judged of it, and what the table decided.

    *case* is the whole case in YAML and names no other file. *ruleset* is a shipped one, or the
    absolute path of a folder. *history* has the judgements before the last one, oldest first.
    *number* is the entry's in its book, 0 outside of one.
    """

    title: str
    date: str
    case: str
    ruleset: str
    rulings: Rulings
    note: str
    judged: Judgement
    history: tuple[Judgement, ...] = ()
    number: int = 0

    @property
    def rules(self) -> set[str]:
        return self.judged.rules()

    @property
    def questions(self) -> set[str]:
        """The questions that decide a claim, and those that a ruling has settled."""
        return self.judged.questions() | set(self.rulings)

    @property
    def words(self) -> str:
        """All that a search looks at, as words with a space before each."""
        told = [text for claim in self.judged.claims for text in (claim["by"], claim["claim"])]
        names = (*sorted(self.rules), *sorted(self.questions))
        return spoken(" ".join([self.title, *told, *names, self.note]))

    @property
    def sameness(self) -> str:
        """Equal for equal cases under the same rules."""
        return hashlib.sha256(f"{self.judged.hash}\0{self.case}".encode()).hexdigest()

    @property
    def digest(self) -> str:
        """Equal for entries that are equal but for their numbers."""
        return hashlib.sha256(self.text().encode()).hexdigest()

    def text(self) -> str:
        """The entry as an item of a book that is written out; its number is left out."""
        data: dict[str, Data] = {"title": self.title, "date": self.date}
        data |= {"note": self.note} if self.note else {}
        data |= {"ruleset": self.ruleset}
        data |= {"rulings": _plain(self.rulings)} if self.rulings else {}
        data |= {"case": self.case, **_told(self.judged, self.date)}
        body = files.block(data, "    ")
        for number, old in enumerate(self.history):
            item = files.block(_told(old, ""), "        ")
            body += ("" if number else "    history:\n") + f"      - {item[8:]}"
        return f"  - {body[4:]}"

    def json(self) -> dict[str, Any]:
        """The entry with the names of rules and questions that it can be found by."""
        return {
            **self.heading(),
            "case": self.case,
            "rulings": {name: dict(told) for name, told in self.rulings.items()},
            "rules": sorted(self.rules),
            "questions": sorted(self.questions),
            "judged": self.judged.date,
            "claims": list(self.judged.claims),
            "history": [old.json() for old in self.history],
        }

    def heading(self) -> dict[str, Any]:
        """What a list says of the entry."""
        keys = ("by", "claim", "verdict")
        return {
            "number": self.number,
            "title": self.title,
            "date": self.date,
            "note": self.note,
            "ruleset": self.ruleset,
            "version": self.judged.version,
            "hash": self.judged.hash,
            "claims": [{key: claim[key] for key in keys} for claim in self.judged.claims],
        }


def _plain(rulings: Rulings) -> Data:
    return {name: dict(sorted(told.items())) for name, told in sorted(rulings.items())}


def _told(judged: Judgement, date: str) -> dict[str, Data]:
    """A judgement as keys of an entry; the date is left out where it is the entry's own."""
    found: dict[str, Data] = {} if judged.date == date else {"judged": judged.date}
    rows = ",\n".join(f"  {json.dumps(claim, sort_keys=True)}" for claim in judged.claims)
    return found | {"version": judged.version, "hash": judged.hash, "claims": f"[\n{rows}\n]\n"}


def cells_of(claim: Claim) -> list[tuple[Mapping[str, str], str]]:
    """The verdict under each deciding choice, as parts of all readings."""
    found = [(cell["under"], cell["verdict"]) for cell in claim.get("readings") or ()]
    return found or [({}, claim["verdict"])]


def rules_of(claim: Claim) -> set[str]:
    """The rules that a claim cites, in whatever reading."""
    cells = claim.get("readings") or ()
    return {rule for part in (claim, *cells) for rule in part.get("rules") or ()}


def questions_of(claim: Claim) -> set[str]:
    """The questions that decide a claim."""
    return {*claim["depends_on"], *(name for under, _ in cells_of(claim) for name in under)}


def spoken(text: str) -> str:
    """The words of a text, without case and accents, with a space before each."""
    parted = unicodedata.normalize("NFKD", text.casefold())
    bare = "".join(sign for sign in parted if not unicodedata.combining(sign))
    return "".join(f" {word}" for word in TOKEN.findall(bare))


# -- what may be entered ---------------------------------------------------------------------------


def now() -> str:
    """The moment, in UTC."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def date_of(text: str) -> str | None:
    """A day, or a moment in UTC to the second, of what ISO 8601 allows; None, if it is no date."""
    try:
        found = datetime.fromisoformat(text)
        if re.fullmatch(r"\d{4}-\d\d-\d\d", text):
            return text
        aware = found if found.tzinfo else found.replace(tzinfo=UTC)
        return aware.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, OverflowError):
        return None


def clean(text: str, what: str) -> str:
    """*text* in lines without spaces around it.

    Raises: InputError, if it holds a character that a file may not have.
    """
    found = "\n".join(text.replace("\r\n", "\n").strip().split("\n"))
    if odd := files.ODD.search(found):
        raise InputError(Fault(f"the character {odd[0]!r} is not allowed in the {what}"))
    return found


def claims_fault(claims: Any) -> str:
    """What keeps *claims* from being claims with verdicts; nothing, if all is well."""
    if not isinstance(claims, list) or not claims:
        return "expected a list of claims"
    for number, claim in enumerate(claims, 1):
        for fault in _claim_faults(claim):
            return f"claim {number}: {fault}"
    return ""


def _claim_faults(claim: Any) -> Iterator[str]:
    if not isinstance(claim, dict):
        yield "expected a mapping"
        return
    yield from (
        f"{key!r} is missing, or no text"
        for key in ("by", "claim")
        if not isinstance(claim.get(key), str)
    )
    yield from _verdict_faults(claim)
    if not _texts(claim.get("depends_on")):
        yield "'depends_on' is missing, or no list of names"
    readings = claim.get("readings", [])
    if not isinstance(readings, list):
        yield "'readings' is no list"
        return
    for cell in readings:
        if not isinstance(cell, dict):
            yield "a reading is no mapping"
            continue
        under = cell.get("under")
        if not isinstance(under, dict) or not _texts(list(under.values())):
            yield "a reading has no 'under' with an option for each question"
        yield from _verdict_faults(cell)


def _verdict_faults(part: Mapping[str, Any]) -> Iterator[str]:
    if part.get("verdict") not in VERDICTS:
        found = clipped(str(part.get("verdict")))
        yield f"found {found} for 'verdict'; expected one of {', '.join(VERDICTS)}"
    if "defaults" in part and part["defaults"] not in VERDICTS:
        yield f"found {clipped(str(part['defaults']))} for 'defaults'"
    if not _texts(part.get("rules")):
        yield "'rules' is missing, or no list of ids"


def _texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def rulings_fault(rulings: Any) -> str:
    """What keeps *rulings* from being rulings in force; nothing, if all is well."""
    if not isinstance(rulings, dict):
        return "expected a mapping of questions"
    for question, told in rulings.items():
        if not isinstance(told, dict) or not _texts(list(told.values())) or "option" not in told:
            return f"the ruling on {clipped(question)} has no 'option'"
    return ""
