"""How words, ledgers and lines are set: short, aligned, the same everywhere."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Sized
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from pymorph.board.lengths.length_units import about, is_short
from pymorph.terms import Term, items_of, parse_symbol
from pymorph.views.width import HANGING, broken, columns

if TYPE_CHECKING:
    from pymorph.dynamics.results import Entry
    from pymorph.ruleset.loader import Ruleset
    from pymorph.state.position import Position

MARK = "~"  # behind a rule or a card that no source has as it stands here
KEY = f"{MARK} not from the source: reconstructed, undecided there, or added by us"

TIME_UP = "time limit reached"  # why an answer is partial, unless the user ended it

Paint = Callable[[str], str]


def plain(text: str) -> str:
    return text


class Style(NamedTuple):
    """How words are set off from one another: by default, as for files and pipes, they are not."""

    bold: Paint = plain
    dim: Paint = plain
    good: Paint = plain
    bad: Paint = plain


PLAIN = Style()


class Limits(NamedTuple):
    """How much a text has of something, before it says how much more there is, or says less."""

    actions: int = 12  # of one actor, in a menu,
    of_a_kind: int = 30  # and of a kind that was asked for
    folded: int = 4  # so many alike are folded in a menu, where there are more than a few
    resets: int = 8  # of fluents of one name
    also: int = 6  # other events of a form, with where they happened
    choices: int = 40  # of a strategy
    readings: int = 8  # with their verdicts
    same_verdict: int = 2  # readings of the same verdict
    findings: int = 10  # of a property or a topic
    finding: int = 160  # characters of a finding
    sights: int = 24  # lines of sight; of more there is a table
    points: int = 6  # of an outline
    progress: int = 40  # characters of a bar of progress
    bars: int = 12  # of the lengths of games,
    bar: int = 40  # and the characters of the longest one
    legend: int = 86  # characters of a line of a legend
    boards: int = 120  # of a game to step through, the last ones
    last_column: int = 24  # characters; where there is no room for them it is below the others


LIMITS = Limits()


# -- words -----------------------------------------------------------------------------------------


def words(name: str) -> str:
    """A name as words: ``long_road`` is ``long road``."""
    return name.replace("_", " ")


def natural(name: str) -> list[tuple[int, str]]:
    """A key by which names are sorted as people do: ``pier2`` comes before ``pier10``."""
    parts = re.split(r"(\d+)", name)
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in parts]


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def title(ruleset: Ruleset, name: str) -> str:
    """What *name* is called: the title of a card, or the name as words with a capital."""
    return capital(called(ruleset, name))


def called(ruleset: Ruleset, name: str) -> str:
    """What *name* is called: its title, if it has one, or the name as words."""
    return one_line(ruleset.vocabulary.titles.get(name, "")) or words(name)


def marked(ruleset: Ruleset, name: str, text: str = "") -> str:
    """A *name*, or the *text* for it, with the mark if it is of a rule or card that is ours."""
    return (text or name) + (MARK if name in ruleset.ours else "")


def with_key(
    ruleset: Ruleset, lines: Sequence[str], style: Style = PLAIN, ours: Iterable[str] = ()
) -> list[str]:
    """Lines with what the mark means below them, if one of them has it; after the cards that all of
    it uses and that are *ours*."""
    lines = [ruleset.vocabulary.rulers.spoken(line) for line in lines]
    names = ", ".join(marked(ruleset, name) for name in ours)
    if not names and not (ruleset.ours and any(MARK in line for line in lines)):
        return list(lines)
    rests = wrapped(f"uses {names}", "  ", "") if names else []
    return [*lines, "", *map(style.dim, rests), style.dim(KEY)]


def one_line(text: str) -> str:
    return " ".join(text.split())


def listed(items: Iterable[object]) -> str:
    """Items in one line, as they are written."""
    return ", ".join(map(str, items))


def hidden_items(ruleset: Ruleset, items: Iterable[Term]) -> str:
    """What something hangs on, in one line: a fluent as it is written, anything else as the ruleset
    says it."""
    words = ruleset.vocabulary
    return listed(i if i.name in words.fluents else words.words_for(i.symbol) for i in items)


def joined(items: Iterable[object]) -> str:
    """Items as a sentence has them: anna, bo and cleo."""
    *others, last = map(str, items)
    return f"{', '.join(others)} and {last}" if others else last


def count(number: int, noun: str) -> str:
    """A number with its unit, which is put in the singular after 1."""
    if number == 1 and noun.endswith("ies"):
        noun = noun[:-3] + "y"
    elif number == 1 and noun.endswith(("ches", "shes", "xes", "sses")):
        noun = noun[:-2]
    elif number == 1 and noun.endswith("s") and not noun.endswith("ss"):
        noun = noun[:-1]
    return f"{number} {words(noun)}".rstrip()


def measured(ruleset: Ruleset, number: int, unit: str) -> tuple[str, str]:
    """A number as people read it, and its unit: 5 quarters of an hour are ``1 1/4`` of hours."""
    parts, usual = ruleset.vocabulary.units.get(unit, (1, unit))
    if not is_short(exact := Fraction(number, parts)):
        return about(exact, parts), words(usual)
    full, rest = divmod(abs(number), parts)
    numbers = [str(full)] if full or not rest else []
    numbers += [str(Fraction(rest, parts))] if rest else []
    one = 0 < number <= parts
    return ("-" if number < 0 else "") + " ".join(numbers), count(1 if one else 2, usual)[2:]


def item_words(ruleset: Ruleset, item: Term, brief: bool = False) -> str:
    """An item of a ledger in words: what it is about, then what it is.

    Numbers, which only tell like items apart, are left out. *brief* says nothing but what it is
    about, as is enough for one of a row of like items.
    """
    words_of = ruleset.vocabulary
    if text := words_of.phrase(item.symbol):
        return text
    if items_of(item.symbol):
        return capital(words_of.words_for(item.symbol))
    if not item.arguments:
        return marked(ruleset, str(item), title(ruleset, str(item)))
    about = [item_words(ruleset, a) for a in item.arguments if a.number is None]
    if not about:
        return marked(ruleset, item.name, title(ruleset, item.name))
    return " ".join(about if brief or not item.name else [*about, words(item.name)])


def is_numbered(item: Term) -> bool:
    return any(a.number is not None or is_numbered(a) for a in item.arguments)


def item_names(ruleset: Ruleset, items: Sequence[Term]) -> list[str]:
    """The words for the items of one ledger.

    Of numbered items, a row of like ones, the kind is left out where that is not ambiguous.
    """
    briefs = [item_words(ruleset, item, brief=True) for item in items]
    pairs = list(zip(items, briefs, strict=True))
    kinds = Counter(brief for _, brief in {(item.name, brief) for item, brief in pairs})
    return [
        brief if is_numbered(item) and kinds[brief] == 1 else item_words(ruleset, item)
        for item, brief in pairs
    ]


def ledger(ruleset: Ruleset, entries: Sequence[Entry], unit: str = "") -> str:
    """The items of a figure in one line: ``Timber 3 - Rent 1``, ``Pier 7: 2``."""
    names = item_names(ruleset, [entry.item for entry in entries])
    phrased = any(ruleset.vocabulary.phrase(entry.item.symbol) for entry in entries)
    text = ""
    for entry, name in zip(entries, names, strict=True):
        sign = ("- " if not text else " - ") if entry.amount < 0 else (" + " if text else "")
        mark = ":" if phrased or name[-1:].isdigit() else ""
        text += f"{sign}{name}{mark} {measured(ruleset, abs(entry.amount), unit)[0]}"
    return text


def phrase(ruleset: Ruleset, term: Term | str) -> str:
    """A term as the ruleset says it, if it has a text for such terms, or as it is written."""
    if isinstance(term, str):
        if not ruleset.vocabulary.phrases or "(" not in term:
            return term
        term = Term(parse_symbol(term))
    return ruleset.vocabulary.phrase(term.symbol) or str(term)


def ground(term: Term, ruleset: Ruleset | None = None) -> str:
    """What a finding rests on: ``wall(b2, b3)`` is ``wall b2-b3``."""
    if ruleset and (text := ruleset.vocabulary.phrase(term.symbol)):
        return text
    arguments = "-".join(str(a) for a in term.arguments)
    return f"{words(term.name)} {arguments}".strip()


def sentence(term: Term) -> str:
    """What somebody does, in words: ``greets(anna, bo, bow)`` is ``Anna greets bo, bow``."""
    who, *rest = [words(str(a)) for a in term.arguments] or [""]
    text = f"{capital(who)} {words(term.name)} {', '.join(rest)}"
    return text.strip()


def rule_ids(rules: Iterable[str], ruleset: Ruleset | None = None) -> str:
    """Rule ids in brackets; those of a *ruleset* that are ours have the mark."""
    names = dict.fromkeys(rules)
    ids = ", ".join(marked(ruleset, name) for name in names) if ruleset else ", ".join(names)
    return f"[{ids}]" if ids else ""


def frame(position: Position, everything: bool = True) -> str:
    """What stands above all else in a position, such as whose turn it is; bookkeeping, too, where
    *everything* is wanted."""
    fluents = position.ruleset.vocabulary.fluents.values()
    declared = [f for f in fluents if not f.sorts and (everything or not f.backstage)]
    values = {words(f.name): position.value(f.name) for f in declared}
    defaults = {words(f.name): Term(f.default) for f in declared}
    return ", ".join(f"{name} {value}" for name, value in values.items() if value != defaults[name])


def headline(position: Position) -> str:
    """The game, and what stands above all else in a position."""
    text = frame(position)
    return one_line(position.ruleset.title) + (f": {text}" if text else "")


def heading(position: Position | None, style: Style) -> list[str]:
    """The headline of a position, if there is one, with an empty line below."""
    return [] if position is None else [style.dim(headline(position)), ""]


def edition(version: str, digest: str, before: str = "") -> str:
    """The version of a ruleset and the hash of its content, as far as they are known."""
    return " ".join([f"{before}{version}"] * bool(version) + [f"({digest})"] * bool(digest))


def choices_text(choices: Mapping[str, str]) -> str:
    """The options that are chosen: ``question = option, ...``."""
    return ", ".join(f"{question} = {option}" for question, option in choices.items())


def attributed(by: str, claim: str) -> str:
    """A claim with who makes it, if that is known."""
    return f"{by}: {claim}" if by else claim


# -- lines -----------------------------------------------------------------------------------------


def wrapped(text: str, indent: str, first: str | None = None, paint: Paint = plain) -> list[str]:
    """*text* in lines no wider than `columns`, names of any length left whole."""
    opening = indent if first is None else first
    lines = broken(one_line(text), columns() - len(indent))
    return [paint((indent if number else opening) + line) for number, line in enumerate(lines)]


def paragraphs(
    texts: Iterable[str], indent: str, first: str | None = None, paint: Paint = plain
) -> list[str]:
    """Each text in lines as `wrapped` has them."""
    return [line for text in texts for line in wrapped(text, indent, first, paint)]


def spaced(blocks: Iterable[Iterable[str]]) -> list[str]:
    """The lines of blocks, with an empty line between two."""
    return [line for block in blocks for line in ("", *block)][1:]


def section(title: str, lines: Sequence[str], style: Style) -> list[str]:
    """Lines under a title; nothing, if there are none."""
    return [style.bold(title), *lines] if lines else []


def and_more(items: Sized, most: int, noun: str, remedy: str) -> list[str]:
    """How many items there are beyond the *most* that are listed, and what lists them all."""
    left = len(items) - most
    return [f"  and {count(left, f'more {noun}')}{remedy}"] if left > 0 else []


def packed(items: Iterable[str], width: int) -> list[str]:
    """Items side by side, in as few lines of at most *width* columns as fit."""
    lines: list[str] = []
    for item in items:
        if lines and len(lines[-1]) + len(item) + 3 <= width:
            lines[-1] += f"   {item}"
        else:
            lines.append(item)
    return lines


def aligned(lines: Sequence[Sequence[str]], first: bool = False) -> list[str]:
    """Columns, of which all but the first, or that too, are numbers."""
    if not lines:
        return []
    widths = [max(len(cells[i]) for cells in lines) for i in range(len(lines[0]))]
    if not first:
        widths[0] = 0
    rows = [[c.rjust(w) for c, w in zip(cells, widths, strict=True)] for cells in lines]
    return table(rows, wrap=False)


def table(
    rows: Sequence[Sequence[str]],
    indent: str = "  ",
    paints: Sequence[Paint] = (),
    widths: Sequence[int] = (),
    wrap: bool = True,
) -> list[str]:
    """Rows in aligned columns of at least *widths*; the last one is wrapped within itself.

    Where there is no room for that it stands below the others.
    """
    if not rows:
        return []
    *leading, last = zip(*rows, strict=True)
    least = [*widths, *[0] * len(leading)]
    widths = [max(n, *map(len, column)) for n, column in zip(least, leading, strict=False)]
    start = len(indent) + sum(widths) + 2 * len(widths)
    room = min(LIMITS.last_column, max(map(len, last)))
    below = wrap and widths and columns() - start < room
    if below:
        start = len(indent) + HANGING
    room = columns() - start if wrap else sys.maxsize
    paints = [*paints, *[plain] * (len(widths) + 1 - len(paints))]
    lines = []
    for texts in rows:
        tail = broken(texts[-1], room)
        if below:
            texts, tail, widths = list(map(str.strip, texts)), ["", *tail], [0] * len(widths)
        cells = [text.ljust(width) for text, width in zip(texts, widths, strict=False)] + [tail[0]]
        while not cells[-1].strip() and len(cells) > 1:
            cells.pop()
        cells[-1] = cells[-1].rstrip()
        painted = [paint(cell) for paint, cell in zip(paints, cells, strict=False)]
        lines.append(indent + "  ".join(painted))
        lines += [" " * start + paints[-1](more) for more in tail[1:] if more]
    return lines
