"""Who sees whom: line by line, or as a table of many."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from pymorph.questions.board.sight import SightLine, SightTable, places_in
from pymorph.state.position import Position
from pymorph.terms import Term, text_of
from pymorph.views import layout
from pymorph.views.layout import LIMITS, PLAIN, TIME_UP, Style, capital, natural, rule_ids, words
from pymorph.views.pictures.labels import labels_of
from pymorph.views.pictures.overlay import Overlay
from pymorph.views.width import columns

SIGNS = {"free": "●", "free, with cover": "◐", "stopped": "·", "unknown": "?"}  # in a table


def met_one(term: Term, position: Position) -> str:
    """One thing in a line: names as words, and the places joined by hyphens."""
    places = places_in(position, term)
    others = (a for a in term.arguments if a.symbol not in places)
    names = [met_one(a, position) if a.arguments else words(str(a)) for a in others]
    where = "-".join(map(text_of, places))
    return " ".join(filter(None, [words(term.name), *names, where]))


def sight_text(line: SightLine, position: Position) -> str:
    """A line in words, with what stops it and shelters the other, and the rules."""
    two = " to ".join(layout.title(position.ruleset, name) for name in (line.viewer, line.other))
    what = capital(words(position.ruleset.vocabulary.sight[0]))
    return f"{what} from {two}: {line_text(line, position)}"


def laid_over(line: SightLine, position: Position) -> Overlay:
    """A line from one to another, laid over a picture."""
    return Overlay(notes=(sight_text(line, position),), sight=line)


def line_text(line: SightLine, position: Position) -> str:
    """The word for a line, what stops it in order, and the rules; then what shelters the other, if
    the ruleset knows cover."""
    texts = [_with_reasons(line.sight, line.stopped_by, line.rules, position)]
    if line.cover:
        bare = line.cover == position.ruleset.vocabulary.cover[1]
        cover = "no cover" if bare else f"cover {line.cover}"
        texts.append(_with_reasons(cover, line.sheltered_by, line.cover_rules, position))
    return "; ".join(texts)


def _with_reasons(
    word: str, terms: Sequence[Term], rules: Sequence[str], position: Position
) -> str:
    """A word for a line, what in it that comes from, in its order, and the rules."""
    by = f"by {', '.join(met_one(term, position) for term in terms)}" if terms else ""
    return " ".join(filter(None, [word, by, rule_ids(rules, position.ruleset)]))


def sight(answer: SightTable, position: Position, style: Style = PLAIN) -> list[str]:
    """The lines that were asked for: one by one, or as a table where they are many."""
    if not answer.lines:
        return ["no lines of sight here"]
    many = len(answer.lines) > LIMITS.sights
    lines = tabled(answer, style) if many else listed(answer, position, style)
    if answer.partial:
        lines += ["", f"partial: {TIME_UP}; {layout.count(answer.left, 'lines')} not checked"]
    return layout.with_key(answer.ruleset, [*layout.heading(position, style), *lines], style)


def listed(answer: SightTable, position: Position, style: Style) -> list[str]:
    """A row for each line: who and whom, the word with what is in it, and the cover."""
    rows = [(f"{line.viewer} to {line.other}", line_text(line, position)) for line in answer.lines]
    return layout.table(rows, "  ", (style.bold, layout.plain))


def kind(line: SightLine, none: str) -> str:
    """Which sign a line has in a table."""
    if line.free is None:
        return "unknown"
    if not line.free:
        return "stopped"
    return "free, with cover" if line.cover and line.cover != none else "free"


def tabled(answer: SightTable, style: Style) -> list[str]:
    """Tables with a row for each viewer and a column for each other, then what the signs mean."""
    none = answer.word_for_none
    kinds = {(line.viewer, line.other): kind(line, none) for line in answer.lines}
    labels = labels_of(sorted({name for pair in kinds for name in pair}, key=natural))
    lines: list[str] = []
    for viewers, others in blocks_of(answer):
        lines += [*block(kinds, viewers, others, labels, style), ""]
    key = "   ".join(f"{sign} {name}" for name, sign in SIGNS.items() if name in kinds.values())
    called = [f"{label} {name}" for name, label in labels.items() if label.lower() != name]
    keys = [key, *layout.packed(called, columns() - 2)]
    seen = list(kinds.values())
    covered = seen.count("free, with cover")
    free = seen.count("free") + covered
    cover = f", {covered} of them with cover" if none else ""
    counted = f"{free} of {len(kinds)} lines are free{cover}"
    return [*lines, *(f"  {style.dim(line)}" for line in keys), "", counted]


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
    kinds: Mapping[tuple[str, str], str],
    viewers: Sequence[str],
    others: Sequence[str],
    labels: Mapping[str, str],
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
            signs = [SIGNS.get(kinds.get((viewer, other), ""), "") for other in part]
            cells = "".join(sign.rjust(wide) for sign in signs)
            lines.append(f"  {viewer.ljust(left - 2)}{cells}".rstrip())
    return lines
