"""The page of the rule language, made from the headers of the core, the board's docstrings
and the games.

`python -m tools.docs` writes it; a test compares it.
"""

# ruff: noqa: E501  # the text of the page, a paragraph to a line

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory

from pymorph.board.geometry import FUNCTIONS, Geometry
from pymorph.board.lengths.measuring import TABLE_FUNCTIONS, Measuring
from pymorph.ruleset.contract import CONTRACT, ENGINE, INPUTS
from pymorph.ruleset.declarations import SIGNATURES
from pymorph.ruleset.vocabulary import LIMITS
from tools import worked
from tools.headers import Signature, signature_of
from tools.readme import ROOT, filled, filled_in

TEMPLATE = ROOT / "tools" / "pages" / "vocabulary.md"
STEPS = "## A small game, step by step"
PAGE = ROOT / "docs" / "reference" / "vocabulary.md"
CORE = ROOT / "encodings" / "core"
VOCABULARY, CONTRACT_FILE = CORE / "vocabulary.lp", CORE / "contract.lp"
ENTRY = re.compile(r"^  (?P<atom>[a-z]\S*(?:\([^)]*\))?(?:, ?\S+)*?)(?:\s{2,}(?P<says>\S.*))?$")
# The words that make a game, what each says, and how its line in tic-tac-toe begins.
TEN = (
    ("ruleset", "the name, the version and the title", ("ruleset(",)),
    ("sort, member", "a set of things, and what is in it", ("sort(player", "member(player")),
    ("fluent", "something that changes in the game, with its default", ("fluent(turn",)),
    ("action", "something that a player may try; the player comes first", ("action(",)),
    ("holds", "reads the position: a fluent has a value", ("drawn(mark",)),
    ("proposed", "makes an action a candidate", ("proposed(",)),
    (
        "forbidden",
        "says which rule is against an action, and when",
        ("forbidden(put(C, P), S, ttt_01",),
    ),
    ("sets", "changes a fluent when an action is carried out", ("sets(turn",)),
    ("over, wins", "end the game, and name the winner", ("over(S, ttt_03", "wins(")),
    (
        "rule, says, source",
        "the text of a rule, and the document it is from",
        ("rule(ttt_02", "says(ttt_02", "source(ttt_02"),
    ),
)
# What a ruleset gives, by what it is about.
TOPICS = {
    "What is legal": "proposed forbidden waits required required_one costs instead unfolds halts",
    "Steps without choice, and rolls": "forced chance about awaited awaited_most",
    "What an action changes": "sets clears adds happens ends lapses",
    "The end of the game": "over wins drawn/2 score",
    "Figures and findings": "entry never finding ground weighs accounts",
    "Hidden information": "concealed feigned sees_for unsettled unknown",
    "Valid positions": "ill_formed clock",
    "Turns and periods": "ranked rank_of_turn takes_part turn_taken period rate",
    "Events within events": "frame frame_fluent closes_frame most_frames",
    "Decks, hands and contests": "deck_of deck_copies elsewhere hand_drawn contends reckoned draw_item score_item contest_with contest_number contest_rule most_modifiers per_surplus edge_step cap_first",
    "Lists": "item list",
    "Pictures": "drawn/3 brings_to threatened enclosed on_route stopped_short",
    "Looking ahead": "policy inclined later",
}


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


def entries_of(entries: Iterable[Entry], level: int, given: bool = True) -> Iterator[str]:
    """Each word: what it means, and statements that use it, those that give it first."""
    for entry in entries:
        says = re.sub(r"; (?:optional|core|given|\w+\.lp)(?=[;.]|$)", "", entry.says)
        yield f"{'#' * level} `{entry.atom}`"
        yield ""
        yield says[:1].upper() + says[1:]
        yield ""
        if found := examples_of(entry, given):
            yield "```prolog"
            yield "\n\n".join(each.shown() for each in found)
            yield "```"
            yield ""


def examples_of(entry: Entry, given: bool) -> list[worked.Statement]:
    if entry.atom.startswith("@"):
        return worked.of_function(entry.atom[1:].partition("(")[0])
    if entry in drawn_terms():
        return worked.of_picture(entry.atom.partition("(")[0].partition(",")[0])
    assert entry.signature, entry.atom
    return worked.of_word(entry.signature, given)


@cache
def drawn_terms() -> frozenset[Entry]:
    """What a picture shows, and where."""
    contract = sections(CONTRACT_FILE.read_text(encoding="utf-8"))
    return frozenset(chain(*(rows for title, rows in contract.items() if "drawn" in title)))


def linked(title: str, entries: Iterable[Entry]) -> Iterator[str]:
    """A line of the list of all words."""
    names: dict[str, list[str]] = {}
    for entry in entries:
        anchor = re.sub(r"[^\w -]", "", entry.atom).lower().replace(" ", "-")
        names.setdefault(entry.atom.partition("(")[0], []).append(anchor)
    links = (
        f"[`{name}`](#{anchor})"
        for name, anchors in sorted(names.items())
        for anchor in anchors[:1]
    )
    yield f"- **{title}**: {', '.join(links)}"


def statement(start: str) -> worked.Statement:
    """The statement of tic-tac-toe that begins so."""
    game = (each for each in worked.statements() if each.game == "tictactoe")
    return next(each for each in game if each.text.startswith(start))


def ten() -> Iterator[str]:
    """The words that make a game, each with its line in tic-tac-toe."""
    yield "| word | what it says | a line of tic-tac-toe |"
    yield "|---|---|---|"
    for words, says, starts in TEN:
        shown = ", ".join(f"`{word}`" for word in words.split(", "))
        lines = " ".join(f"`{' '.join(statement(start).text.split())}`" for start in starts)
        yield f"| {shown} | {says} | {lines} |"
    yield ""


def functions(asked: type, names: Iterable[str]) -> Iterator[Entry]:
    """What the grounder may ask of a board, or of a table."""
    for name in sorted(one.split("/")[0] for one in names):
        function = getattr(asked, name)
        words = [p for p in inspect.signature(function).parameters if p != "self"]
        arguments = ", ".join(each.capitalize() for each in words)
        told = inspect.getdoc(function) or ""
        kept = told.split("\n\n")[0] if asked is Geometry else told
        says = " ".join(kept.replace("``", "`").split())
        yield Entry(f"@{name}({arguments})", says)


def page() -> str:
    """The whole page."""
    contract = sections(CONTRACT_FILE.read_text(encoding="utf-8"))
    words = sections(VOCABULARY.read_text(encoding="utf-8"))
    own = {title: rows for title, rows in contract.items() if not title.startswith("Given")}
    elsewhere = {entry.signature for rows in own.values() for entry in rows}
    topics = by_topic(CONTRACT - elsewhere)
    asked, core = gathered("Reads", "Gives"), gathered("Gives", "Reads")
    inputs = [asked[each] for each in sorted(INPUTS)]
    engine = [core[each] for each in sorted(ENGINE)]
    functioning = {
        "board": [*functions(Geometry, FUNCTIONS)],
        "table": [*functions(Measuring, TABLE_FUNCTIONS)],
    }
    links = [
        *linked("You declare, as facts", chain(*words.values())),
        *linked("You give, as rules", chain(*topics.values())),
        *(
            line
            for title, rows in own.items()
            if "drawn" not in title
            for line in linked(title, rows)
        ),
        *linked("You only read, given with the question", inputs),
        *linked("You only read, given by the core", engine),
        *linked("Functions of a board", functioning["board"]),
        *linked("Functions of a table in lengths", functioning["table"]),
    ]
    text, _, _ = TEMPLATE.read_text(encoding="utf-8").partition(STEPS)
    made = filled_in(
        text,
        ten=ten(),
        links=links,
        declared=titled(words, "###"),
        given=titled(topics, "###"),
        contract=titled(own, "##"),
        inputs=entries_of(inputs, 3, given=False),
        engine=entries_of(engine, 3, given=False),
        **{name: entries_of(rows, 3) for name, rows in functioning.items()},
    )
    return made + examples()


def titled(parts: Mapping[str, Iterable[Entry]], sign: str) -> Iterator[str]:
    """The entries of several parts, each under its title."""
    for title, entries in parts.items():
        yield from (f"{sign} {title}", "", *entries_of(entries, len(sign) + 1))


def by_topic(signatures: Set[Signature]) -> dict[str, list[Entry]]:
    """What a ruleset gives, by what it is about, in the order of TOPICS."""
    known = gathered("Reads", "Gives")
    return {
        topic: [
            known[each]
            for name in names.split()
            for each in sorted(signatures)
            if name in (each[0], f"{each[0]}/{each[1]}")
        ]
        for topic, names in TOPICS.items()
    }


def examples() -> str:
    """The examples, with what their commands print."""
    _, title, text = TEMPLATE.read_text(encoding="utf-8").partition(STEPS)
    made = filled_in(title + text, longest=[str(LIMITS.items)], most_lists=[str(LIMITS.lists)])
    with TemporaryDirectory() as folder:
        resolved = Path(folder).resolve()
        return filled(made, resolved).replace(f"{resolved}/", "")


def untold() -> list[Signature]:
    """The predicates that the page does not have."""
    text = PAGE.read_text(encoding="utf-8")
    found = {signature_of(atom) for atom in re.findall(r"^#+ `([^`]+)`$", text, re.MULTILINE)}
    return sorted((CONTRACT | INPUTS | ENGINE | SIGNATURES) - found)
