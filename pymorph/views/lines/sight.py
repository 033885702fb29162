"""Who sees whom: line by line, or as a table of many."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from pymorph.questions.board.sight import SightLine, SightTable, places_in
from pymorph.state.position import Position
from pymorph.terms import Term, text_of
from pymorph.views.layout import (
    PLAIN,
    TIME_UP,
    Style,
    capital,
    count,
    heading,
    natural,
    packed,
    plain,
    rule_ids,
    table,
    title,
    with_key,
    words,
)
from pymorph.views.pictures.overlay import Overlay
from pymorph.views.pictures.scene import labels_of
from pymorph.views.width import columns

MOST_LISTED = 24  # lines that are listed one by one; of more there is a table
SIGNS = {"free": "●", "free, with cover": "◐", "stopped": "·", "unknown": "?"}  # in a table


def met(terms: Iterable[Term], position: Position) -> str:
    """What is in a line, in its order: ``wall(b2, c2)`` is ``wall b2-c2``."""
    return ", ".join(met_one(term, position) for term in terms)


def met_one(term: Term, position: Position) -> str:
    """One thing in a line: names as words, and the places joined by hyphens."""
    places = places_in(position, term)
    others = (a for a in term.arguments if a.symbol not in places)
    names = [met_one(a, position) if a.arguments else words(str(a)) for a in others]
    where = "-".join(map(text_of, places))
    return " ".join(filter(None, [words(term.name), *names, where]))


def sight_text(line: SightLine, position: Position) -> str:
    """A line in words, with what stops it and shelters the other, and the rules."""
    two = " to ".join(title(position.ruleset, name) for name in (line.viewer, line.other))
    what = capital(words(position.ruleset.vocabulary.sight[0]))
    parts = [seen_text(line, position), *cover_text(line, position)]
    return f"{what} from {two}: {'; '.join(parts)}"


def laid_over(line: SightLine, position: Position) -> Overlay:
    """A line from one to another, laid over a picture."""
    return Overlay(notes=(sight_text(line, position),), sight=line)


def seen_text(line: SightLine, position: Position) -> str:
    """The word for a line, what stops it in order, and the rules."""
    by = f"by {met(line.stopped_by, position)}" if line.stopped_by else ""
    return " ".join(filter(None, [line.sight, by, rule_ids(line.rules, position.ruleset)]))


def cover_text(line: SightLine, position: Position) -> list[str]:
    """What shelters the other of a line, if the ruleset knows cover."""
    if not line.cover:
        return []
    by = f"by {met(line.sheltered_by, position)}" if line.sheltered_by else ""
    rules = rule_ids(line.cover_rules, position.ruleset)
    bare = line.cover == position.ruleset.vocabulary.cover[1]
    return [" ".join(filter(None, ["no cover" if bare else f"cover {line.cover}", by, rules]))]


def sight(answer: SightTable, position: Position, style: Style = PLAIN) -> list[str]:
    """The lines that were asked for: one by one, or as a table where they are many."""
    if not answer.lines:
        return ["no lines of sight here"]
    many = len(answer.lines) > MOST_LISTED
    lines = tabled(answer, style) if many else listed(answer, position, style)
    if answer.partial:
        lines += ["", f"partial: {TIME_UP}; {count(answer.left, 'lines')} not checked"]
    return with_key(answer.ruleset, [*heading(position, style), *lines], style)


def listed(answer: SightTable, position: Position, style: Style) -> list[str]:
    """A row for each line: who and whom, the word with what is in it, and the cover."""
    rows = [
        (f"{line.viewer} to {line.other}", "; ".join([seen_text(line, position), *cover]))
        for line in answer.lines
        for cover in [cover_text(line, position)]
    ]
    return table(rows, "  ", (style.bold, plain))


def kind(line: SightLine, none: str) -> str:
    """Which sign a line has in a table."""
    if line.free is None:
        return "unknown"
    if not line.free:
        return "stopped"
    return "free, with cover" if line.cover and line.cover != none else "free"


def tabled(answer: SightTable, style: Style) -> list[str]:
    """Tables with a row for each viewer and a column for each other, then what the signs mean."""
    between = {(line.viewer, line.other): line for line in answer.lines}
    labels = labels_of(sorted({name for pair in between for name in pair}, key=natural))
    lines: list[str] = []
    for viewers, others in blocks_of(answer):
        lines += [*block(between, viewers, others, labels, answer.word_for_none, style), ""]
    used = {kind(line, answer.word_for_none) for line in answer.lines}
    key = "   ".join(f"{sign} {name}" for name, sign in SIGNS.items() if name in used)
    called = [f"{label} {name}" for name, label in labels.items() if label.lower() != name]
    return [
        *lines,
        f"  {style.dim(key)}",
        *(f"  {style.dim(line)}" for line in packed(called, columns() - 2)),
        "",
        counted(answer),
    ]


def blocks_of(answer: SightTable) -> list[tuple[list[str], list[str]]]:
    """Viewers with the others of their lines: those with the same others, or all."""
    others: dict[str, set[str]] = defaultdict(set)
    for line in answer.lines:
        others[line.viewer].add(line.other)
    everyone = {name for names in others.values() for name in names}
    if all(everyone <= {*names, viewer} for viewer, names in others.items()):
        return [(sorted(others, key=natural), sorted(everyone, key=natural))]
    groups: dict[frozenset[str], list[str]] = defaultdict(list)
    for viewer in sorted(others, key=natural):
        groups[frozenset(others[viewer])].append(viewer)
    return [(viewers, sorted(names, key=natural)) for names, viewers in groups.items()]


def block(
    between: Mapping[tuple[str, str], SightLine],
    viewers: Sequence[str],
    others: Sequence[str],
    labels: Mapping[str, str],
    none: str,
    style: Style,
) -> list[str]:
    """One table, in as many parts as the screen needs."""
    wide = max(len(labels[other]) for other in others) + 1
    left = max(map(len, viewers)) + 2
    room = max(1, (columns() - left) // wide)
    lines: list[str] = []
    for start in range(0, len(others), room):
        part = others[start : start + room]
        head = "".join(labels[other].rjust(wide) for other in part)
        lines += [*([""] if lines else []), " " * left + style.dim(head)]
        for viewer in viewers:
            sights = [between.get((viewer, other)) for other in part]
            signs = ["" if line is None else SIGNS[kind(line, none)] for line in sights]
            cells = "".join(sign.rjust(wide) for sign in signs)
            lines.append(f"  {viewer.ljust(left - 2)}{cells}".rstrip())
    return lines


def counted(answer: SightTable) -> str:
    """How many of the lines are free, and of these how many have cover on them."""
    kinds = [kind(line, answer.word_for_none) for line in answer.lines]
    covered = kinds.count("free, with cover")
    free = kinds.count("free") + covered
    cover = f", {covered} of them with cover" if answer.word_for_none else ""
    return f"{free} of {len(kinds)} lines are free{cover}"
