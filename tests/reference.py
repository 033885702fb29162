"""The page of the rule language, made from the headers of the core and the board's docstrings.

`python -m tests.docs` writes it; a test compares it.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pymorph.board.geometry import FUNCTIONS, Geometry
from pymorph.ruleset.contract import CONTRACT, ENGINE, INPUTS
from pymorph.ruleset.vocabulary import SIGNATURES
from tests.headers import Signature, signature_of
from tests.readme import ROOT

PAGE = ROOT / "docs" / "reference" / "vocabulary.md"
CORE = ROOT / "encodings" / "core"
VOCABULARY, CONTRACT_FILE = CORE / "vocabulary.lp", CORE / "contract.lp"
ENTRY = re.compile(r"^  (?P<atom>[a-z]\S*(?:\([^)]*\))?(?:, ?\S+)*?)(?:\s{2,}(?P<says>\S.*))?$")
OPENING = """\
# The rule language

What a ruleset can say, and what it can ask, with the meaning of each argument. The same letters
mean the same everywhere: `S` a situation that is asked about, `T` an action carried out, `A` an
action (its first argument is who acts), `R` the id of a rule, `F` a fluent, `V` a value, `Q` a
figure or a question, `O` an option, `N` a number, `C` a name of the file. Texts stand in "quotes",
and whatever cites has its rule last.

[The tutorial](../guide/tutorial.md) uses most of it, step by step. This page is made from
the headers in `encodings/core/`, by `python -m tests.docs`.
"""
AFTER_BOARD = """\
A function takes terms, and has one answer, several or none. There is none for what is no place of
the board. Metrics are `steps`, `king` and `straight`.
"""


@dataclass(frozen=True)
class Entry:
    """A predicate as a header has it, and what it says of it."""

    atom: str
    says: str

    @property
    def signature(self) -> Signature | None:
        return signature_of(self.atom)


def sections(text: str) -> dict[str, list[Entry]]:
    """The entries of a header, by the line above them."""
    block = text[text.index("%*") + 2 : text.index("*%")]
    found: dict[str, list[Entry]] = {}
    title = ""
    for line in block.splitlines():
        if line and not line[0].isspace():
            title = line.strip()
        elif match := ENTRY.match(line):
            found.setdefault(title, []).append(Entry(match["atom"], match["says"] or ""))
        elif line.strip() and title in found:
            last = found[title].pop()
            found[title].append(Entry(last.atom, f"{last.says} {line.strip()}".strip()))
    return found


def gathered(first: str, then: str) -> dict[Signature, Entry]:
    """What the headers of the core say of each predicate, looking at one part of them before the
    other; what the contract says of it goes before both."""
    found: dict[Signature, Entry] = {}
    paths = [CONTRACT_FILE, *(p for p in sorted(CORE.glob("*.lp")) if p != CONTRACT_FILE)]
    read = [sections(path.read_text(encoding="utf-8")) for path in paths]
    own = read[0]
    for part in (*own, first, then):
        for parts in [own] if part in own else read:
            for entry in parts.get(part, ()):
                if entry.signature:
                    found.setdefault(entry.signature, entry)
    return found


def table(entries: Iterable[Entry], head: str = "predicate") -> Iterator[str]:
    yield f"| {head} | meaning |"
    yield "|---|---|"
    for entry in entries:
        says = re.sub(r"; (?:optional|core|given|\w+\.lp)(?=[;.]|$)", "", entry.says)
        says = says[:1].upper() + says[1:]
        atom, says = (part.replace("|", "\\|") for part in (entry.atom, says))
        yield f"| `{atom}` | {says} |"
    yield ""


def functions() -> Iterator[Entry]:
    """What the grounder may ask of the board."""
    for name, _ in sorted((one.split("/")[0], one) for one in FUNCTIONS):
        function = getattr(Geometry, name)
        names = [p for p in inspect.signature(function).parameters if p != "self"]
        arguments = ", ".join(each.capitalize() for each in names)
        says = " ".join((inspect.getdoc(function) or "").split("\n\n")[0].split())
        yield Entry(f"@{name}({arguments})", says)


def page() -> str:
    """The whole page."""
    contract = sections(CONTRACT_FILE.read_text(encoding="utf-8"))
    words = sections(VOCABULARY.read_text(encoding="utf-8"))
    told = {e.signature for title, entries in contract.items() for e in entries
            if not title.startswith("Given")}  # fmt: skip
    lines = [OPENING, "## What a ruleset declares, as facts", ""]
    for title, entries in words.items():
        lines += [f"### {title}", "", *table(entries, "fact")]
    for title, signatures, parts in (
        ("What is given with a question", INPUTS, ("Reads", "Gives")),
        ("What a ruleset gives, as rules", CONTRACT - told, ("Reads", "Gives")),
        ("What core gives", ENGINE, ("Gives", "Reads")),
    ):
        known = gathered(*parts)
        rows = [known[each] for each in sorted(signatures) if each in known]
        lines += [f"## {title}", "", *table(rows)]
    for title, entries in contract.items():
        if not title.startswith("Given"):
            lines += [f"## {title}", "", *table(entries, "term" if "drawn" in title else "fact")]
    lines += ["## What may be asked of the board", "", AFTER_BOARD]
    lines += table(functions(), "function")
    return "\n".join(lines).rstrip() + "\n"


def untold() -> list[Signature]:
    """The predicates that the page does not have."""
    text = page()
    found = {signature_of(atom) for atom in re.findall(r"^\| `([^`]+)` \|", text, re.MULTILINE)}
    return sorted((CONTRACT | INPUTS | ENGINE | SIGNATURES) - found)
