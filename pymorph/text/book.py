"""The book of precedents: as lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from pymorph.book import Change, Entry, Judgement, Rechecked
from pymorph.book.entries import Claim, cells_of, rules_of
from pymorph.text.layout import (
    PLAIN,
    Paint,
    Style,
    count,
    one_line,
    plain,
    rule_ids,
    table,
    wrapped,
)
from pymorph.verdicts import VERDICTS


def entries(found: Sequence[Entry], style: Style = PLAIN) -> list[str]:
    """Entries with their numbers, one a line."""
    rows = [
        (str(e.number), e.date[:10], _game(e), _verdicts(e.judged.claims), one_line(e.title))
        for e in found
    ]
    return table(rows, "", (style.bold, style.dim)) or ["nothing found"]


def added(found: Sequence[tuple[Entry, bool]], style: Style = PLAIN) -> list[str]:
    """What was entered under which number, and what was there before."""
    rows = [
        (
            f"{entry.number}" if new else f"already {entry.number}",
            _verdicts(entry.judged.claims),
            one_line(entry.title),
        )
        for entry, new in found
    ]
    return table(rows, "", (style.bold,))


def entry(found: Entry, style: Style = PLAIN) -> list[str]:
    """An entry with its verdicts in each reading, its case, and how it was judged before."""
    lines = [style.bold(f"{found.number}  {one_line(found.title)}")]
    lines += [style.dim(f"entered {found.date}, {_game(found)} {_edition(found.judged)}")]
    if found.judged.date != found.date:
        lines += [style.dim(f"judged {found.judged.date}")]
    for question, told in found.rulings.items():
        lines += wrapped(_ruling(question, told), "  ", "ruled: ")
    if found.note:
        lines += ["", *(row for line in found.note.split("\n") for row in wrapped(line, ""))]
    for claim in found.judged.claims:
        lines += ["", *_claim(claim, style)]
    lines += ["", style.bold("case"), *(f"  {row}" for row in found.case.rstrip().split("\n"))]
    for old in reversed(found.history):
        lines += ["", style.bold(f"judged {old.date}, {_edition(old)}")]
        lines += [row for claim in old.claims for row in _claim(claim, style, "  ")]
    return lines


def _claim(claim: Claim, style: Style, indent: str = "") -> list[str]:
    by = f"{claim['by']}: " if claim["by"] else ""
    after = ", ".join(claim.get("after") or ())
    told = f"{by}{claim['claim']}" + (f" after {after}" if after else "")
    lines = wrapped(told, f"{indent}  ", indent)
    if claim["verdict"] != "depends":
        paint = _paint(claim["verdict"], style)
        cited = rule_ids(sorted(rules_of(claim)))
        lines += table([(claim["verdict"], cited)], f"{indent}  ", (paint,))
        return [*lines, *(row for text in _missing(claim) for row in wrapped(text, f"{indent}  "))]
    cells = claim.get("readings") or ()
    rows = [
        (word, f"under {_choice(under)} {rule_ids(sorted(cell['rules']))}".rstrip())
        for (under, word), cell in zip(cells_of(claim), cells, strict=False)
    ]
    decides = ", ".join(claim["depends_on"])
    default = claim.get("defaults", claim["verdict"])
    return [
        *lines,
        f"{indent}  depends on {decides}; by default {default}",
        *table(rows, f"{indent}    "),
    ]


def recheck(
    found: Sequence[Rechecked], left: Sequence[Entry], accepted: bool, style: Style = PLAIN
) -> list[str]:
    """What changed, what can no longer be judged, and how many are as they were."""
    lines: list[str] = []
    for one in found:
        if one.error or one.changes:
            lines += [*_changed(one, style), ""]
    tally = Counter("failed" if one.error else "changed" if one.changes else "" for one in found)
    parts = [f"{count(len(found), 'entries')} judged again" if found else "nothing to judge"]
    parts += [f"{tally['changed']} changed" + (", accepted" if accepted else "")] * (
        tally["changed"] > 0
    )
    parts += [f"{tally['failed']} cannot be judged"] * (tally["failed"] > 0)
    parts += [f"{len(left)} not reached in time"] * bool(left)
    good = not (tally["changed"] or tally["failed"] or left)
    summary = ", ".join([*parts, *(["all as they were"] if good and found else [])])
    return [*lines, style.good(summary) if good else style.bad(summary)]


def _changed(one: Rechecked, style: Style) -> Iterator[str]:
    yield style.bold(f"{one.entry.number}  {one_line(one.entry.title)}")
    if one.error:
        yield from wrapped(style.bad(f"cannot be judged: {one.error}"), "  ")
    for change in one.changes:
        yield from _change(change, style)
    if one.changes and one.judged is not None:
        old, new = _edition(one.entry.judged), _edition(one.judged)
        yield f"  rules: {old} -> {new}" if one.edition_changed else f"  rules: still {new}"


def _change(change: Change, style: Style) -> Iterator[str]:
    by = f"{change.by}: " if change.by else ""
    yield from wrapped(f"{by}{change.claim}", "    ", "  ")
    if change.before != change.after:
        yield f"    {change.before} -> {style.bad(change.after)}"
    for turn in change.turns:
        if turn.under:
            told = f"under {_choice(turn.under)}: {turn.before} -> {turn.after}"
            yield from wrapped(told, "      ", "    ")
    if change.defaults[0] != change.defaults[1] and change.defaults != (
        change.before,
        change.after,
    ):
        yield f"    by default: {change.defaults[0]} -> {change.defaults[1]}"
    for rules, what in ((change.added, "cited now"), (change.removed, "no longer cited")):
        if rules:
            yield from wrapped(f"{what}: {', '.join(rules)}", "      ", "    ")


def _missing(claim: Claim) -> list[str]:
    """What a claim lacks for a verdict."""
    cells = claim.get("readings") or ()
    return list(dict.fromkeys(text for cell in cells for text in cell.get("missing") or ()))


def _verdicts(claims: Sequence[Claim]) -> str:
    tally = Counter(claim["verdict"] for claim in claims)
    if len(claims) == 1:
        return str(claims[0]["verdict"])
    return ", ".join(f"{tally[word]} {word}" for word in VERDICTS if tally[word])


def _game(found: Entry) -> str:
    """What the ruleset is called: of a folder, its last part."""
    return found.ruleset.replace("\\", "/").rstrip("/").split("/")[-1]


def _edition(judged: Judgement) -> str:
    return f"{judged.version} ({judged.hash})".strip()


def _ruling(question: str, told: Mapping[str, str]) -> str:
    origin = ", ".join(told[key] for key in ("from", "date") if told.get(key))
    why = f": {told['why']}" if told.get("why") else ""
    return f"{question} = {told['option']}" + (f" ({origin}{why})" if origin or why else "")


def _choice(under: Mapping[str, str]) -> str:
    return ", ".join(f"{name} = {option}" for name, option in sorted(under.items())) or "any"


def _paint(verdict: str, style: Style) -> Paint:
    return {"upheld": style.good, "rejected": style.bad}.get(verdict, plain)
