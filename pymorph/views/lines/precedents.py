"""The book of precedents: as lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from pymorph.adjudication.precedents import Judged, Precedent, Rechecked, VerdictChange
from pymorph.state.claim import VERDICTS
from pymorph.views import layout
from pymorph.views.layout import PLAIN, Style, attributed, count, edition, one_line, table, wrapped


def entries(book: Sequence[Precedent], style: Style = PLAIN) -> list[str]:
    """Precedents with their ids, one a line."""
    rows = [(e.id, e.date, _game(e), _verdicts(e.claims), one_line(e.title)) for e in book]
    return table(rows, "", (style.bold, style.dim)) or ["no precedents"]


def written(entries: Sequence[tuple[Precedent, bool]], style: Style = PLAIN) -> list[str]:
    """What was written under which id, and what was there before."""
    rows = [
        (e.id if new else f"already {e.id}", _verdicts(e.claims), one_line(e.title))
        for e, new in entries
    ]
    return table(rows, "", (style.bold,))


def entry(entry: Precedent, style: Style = PLAIN) -> list[str]:
    """A precedent with its verdicts in each reading, and its case."""
    lines = [style.bold(f"{entry.id}  {one_line(entry.title)}")]
    date = f"{entry.date}, " if entry.date else ""
    lines += [style.dim(f"{date}{_game(entry)} {edition(entry.version, entry.hash)}".rstrip())]
    lines += wrapped(entry.decided, "  ", "decided: ") if entry.decided else []
    rulings = (f"{question} = {option}" for question, option in sorted(entry.rulings.items()))
    lines += layout.paragraphs(rulings, "  ", "ruled: ")
    lines += ["", *layout.paragraphs(entry.note.split("\n"), "")] if entry.note else []
    for claim in entry.claims:
        lines += ["", *_claim(claim, style)]
    return [*lines, "", style.bold("case"), *(f"  {r}" for r in entry.text.rstrip().split("\n"))]


def _claim(claim: Judged, style: Style) -> list[str]:
    lines = wrapped(attributed(claim.by, claim.claim), "  ", "")
    if claim.verdict != "depends":
        word = claim.verdict or "no verdict"
        paint = {"upheld": style.good, "rejected": style.bad}.get(word, layout.plain)
        return [*lines, *table([(word, layout.rule_ids(claim.rules))], "  ", (paint,))]
    text = f"  depends on {', '.join(claim.questions)}; by default {claim.defaults}"
    rows = [(word, f"under {_choices(under)}") for under, word in claim.cells]
    cited = wrapped(layout.rule_ids(claim.rules), "  ") if claim.rules else []
    return [*lines, text, *table(rows, "    "), *cited]


def recheck(cases: Sequence[Rechecked], left: Sequence[str], style: Style = PLAIN) -> list[str]:
    """What changed, what can no longer be judged, and how many are as they were."""
    blocks = [_rechecked(one, style) for one in cases if one.error or one.changes or one.untold]
    failed, changed = sum(bool(e.error) for e in cases), sum(bool(e.changes) for e in cases)
    parts = [f"{count(len(cases), 'entries')} judged again" if cases else "nothing to judge"]
    parts += [f"{changed} changed"] * bool(changed) + [f"{failed} cannot be judged"] * bool(failed)
    parts += [f"{len(left)} not judged in time"] * bool(left)
    good = not (changed or failed or left)
    summary = ", ".join([*parts, *(["no verdict changed"] if good and cases else [])])
    return layout.spaced([*blocks, [style.good(summary) if good else style.bad(summary)]])


def _rechecked(one: Rechecked, style: Style) -> Iterator[str]:
    yield style.bold(f"{one.id}  {one_line(one.title)}".rstrip())
    if one.error:
        yield from wrapped(style.bad(f"cannot be judged: {one.error}"), "  ")
    for change in one.changes:
        yield from _change(change, style)
    if one.untold:
        yield style.dim(f"  note: {count(one.untold, 'claims')} without an expected verdict")
    if one.changes and one.after is not None:
        now = edition(*one.after)
        same = one.before in (one.after, ("", ""))
        yield f"  rules: still {now}" if same else f"  rules: {edition(*one.before)} -> {now}"


def _change(change: VerdictChange, style: Style) -> Iterator[str]:
    yield from wrapped(attributed(change.by, change.claim), "    ", "  ")
    if change.before != change.after:
        yield f"    {change.before} -> {style.bad(change.after)}"
    for turn in change.turns:
        if turn.under:
            text = f"under {_choices(turn.under)}: {turn.before} -> {turn.after}"
            yield from wrapped(text, "      ", "    ")
    old, new = change.defaults
    if old != new and change.defaults != (change.before, change.after):
        yield f"    by default: {old} -> {new}"
    for rules, what in ((change.added, "cited now"), (change.removed, "no longer cited")):
        if rules:
            yield from wrapped(f"{what}: {', '.join(rules)}", "      ", "    ")


def _verdicts(claims: Sequence[Judged]) -> str:
    tally = Counter(claim.verdict for claim in claims)
    if len(claims) == 1:
        return claims[0].verdict or "no verdict"
    words = [f"{tally[word]} {word}" for word in VERDICTS if tally[word]]
    return ", ".join([*words, *[f"{tally['']} without a verdict"] * bool(tally[""])])


def _game(entry: Precedent) -> str:
    """What the ruleset is called: of a folder, its last part."""
    if not {"/", "\\", "."} & set(entry.ruleset):
        return entry.ruleset
    return Path(entry.file).parent.joinpath(entry.ruleset).resolve().name


def _choices(under: Mapping[str, str]) -> str:
    return layout.choices_text(dict(sorted(under.items()))) or "any"
