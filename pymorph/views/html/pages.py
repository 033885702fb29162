"""What a notebook shows of a value: a table of types, each with what makes its page."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from pymorph.dynamics import results
from pymorph.ruleset.loader import Ruleset
from pymorph.ruleset.vocabulary import Rule
from pymorph.state.claim import REJECTED, UPHELD
from pymorph.views import layout
from pymorph.views.html import elements
from pymorph.views.html.elements import STYLE, Child, badge, block, page, section, table, tag
from pymorph.views.html.games import boards, game, position_parts
from pymorph.views.lines import answers, disputes, every_reading, happenings, lookahead
from pymorph.views.lines import rules as rule_lines
from pymorph.views.lines import table as table_lines
from pymorph.views.picture import Picture, draw
from pymorph.views.pictures import simulation_svg

if TYPE_CHECKING:
    from pymorph.adjudication.case import Case
    from pymorph.adjudication.verdicts import Adjudication, ClaimVerdict
    from pymorph.dynamics.results import Figure, Forecast, Legality, Why
    from pymorph.explore.execution.replay import Replay
    from pymorph.explore.perft.counting import Count
    from pymorph.ruleset.vocabulary import Rule
    from pymorph.state.position import Position


def page_of(value: Any) -> str | None:
    """The page of a value as HTML; None, if its type has none."""
    make = PAGES.get(type(value).__name__)
    return elements.html(make(value)) if make is not None else None


def tree_of(value: Any) -> list[Any] | None:
    """The page of a value as JSON, without styles and pictures; None, if its type has none."""
    make = PAGES.get(type(value).__name__)
    return elements.tree(make(value)) if make is not None else None


# -- positions -------------------------------------------------------------------------------------


def picture(value: Picture) -> ET.Element:
    """A picture, or the drawing in characters, if there is no board."""
    return page(None, *(boards(value) or [block([value.text])]))


def position(value: Position) -> ET.Element:
    return page(value.ruleset, *position_parts(value))


def ruleset(value: Ruleset) -> ET.Element:
    """The name of a game, what there is to do, and its open questions."""
    words = value.vocabulary
    actions = words.actions.values()
    forms = [f"{a.name}({', '.join(a.sorts)})" if a.sorts else a.name for a in actions]
    asked = [(name, layout.one_line(q.asks)) for name, q in value.questions.items()]
    rows: list[Sequence[Child]] = [
        ("edition", layout.edition(value.version, value.hash)),
        ("actions", codes(forms)),
        ("rules", str(len(value.rules))),
    ]
    parts = [section(layout.count(len(asked), "open questions"), table(asked))] if asked else []
    return page(value, title(value.title), table(rows), *parts)


def case(value: Case) -> ET.Element:
    """The position of a dispute, and what is claimed."""
    rows = [(claim.by, str(claim.claim)) for claim in value.claims]
    head = [title(value.title)] if value.title else []
    return page(value.position.ruleset, *head, table(rows), *position_parts(value.position))


# -- answers ---------------------------------------------------------------------------------------


def legality(answer: Legality) -> ET.Element:
    """A row for each actor: what is legal, what may be, what is forbidden, if that was asked."""
    rolled = {outcome for roll in answer.rolls for outcome, _ in roll.outcomes}
    rows: list[Sequence[Child]] = [
        (actor, "may", codes(map(str, actions)))
        for actor, actions in by_actor((a.actor, a) for a in answer.actions if a not in rolled)
    ]
    for roll in answer.rolls:
        odds = (f"{form}, {odds}" for form, odds in answers.outcomes(roll))
        rows.append(
            (roll.what.actor, "may roll", f"{'; '.join(odds)} {cited(answer, [roll.rule])}")
        )
    for doubt in answer.unsettled:
        items = layout.hidden_items(answer.ruleset, doubt.depends_on)
        text = f"{doubt.action} depends on {items} {cited(answer, doubt.rules)}"
        rows.append((doubt.action.actor, "may or may not", text))
    against = ((f.action.actor, (f.action, cited(answer, f.rules))) for f in answer.forbidden or ())
    for actor, refused in by_actor(against):
        forms = results.ranges(refused)
        rows.append((actor, "may not", table(forms)))
    parts = [table(rows)] if rows else [block([answers.standstill(answer, STYLE)])]
    parts += [block(lines) for lines in answers.awaited(answer.ruleset, answer.awaited, STYLE)]
    if answer.over_if:
        parts.append(
            block([f"whether the game is over depends on {layout.listed(answer.over_if)}"])
        )
    return page(answer.ruleset, *parts)


def why(answer: Why) -> ET.Element:
    """A card: the verdict, what may be done instead, each rule, the figures, the readings."""
    word = {True: "legal", False: "not legal", None: "it depends"}[answer.legal]
    depends = layout.hidden_items(answer.ruleset, answer.depends_on)
    parts = [tag("p", "", badge(word, answer.legal), tag("code", "", str(answer.action)))]
    notes = [f"depends on {depends}"] * bool(depends)
    notes += [f"it may lead to {', '.join(answer.may)}, or not"] * bool(answer.may)
    parts += [tag("p", "", note) for note in notes]
    if answer.instead:
        parts.append(tag("p", "", "instead: ", *codes(map(str, answer.instead), "do")))
    parts += [table(reason(answer.ruleset, r) for r in answer.reasons)] if answer.reasons else []
    parts += figures(answer.ruleset, answer.figures)
    parts += [block(answers.turning_lines(turning, STYLE)) for turning in answer.readings]
    return page(answer.ruleset, *parts)


def reason(game: Ruleset, value: results.Reason) -> Sequence[Child]:
    """A row for a rule: what it does, and what it says, with its sources."""
    more = filter(None, [value.because, layout.phrase(game, value.item)])
    return answers.ROLES.get(value.role, value.role), rule(value.rule, list(more))


def rule(value: Rule, more: Sequence[str] = ()) -> ET.Element:
    """A rule in full, after its head some *more*."""
    texts = [*more, *([layout.one_line(value.says)] if value.says else [])]
    sources = [STYLE.dim(line.strip()) for line in rule_lines.sources(value)]
    lines = [rule_lines.rule_head(value, STYLE), *texts, *sources]
    return tag("div", "rule", *(tag("div", "", *elements.styled(line)) for line in lines))


def figures(game: Ruleset, values: Sequence[Figure]) -> list[ET.Element]:
    """A table of figures, item by item; nothing, if there are none."""
    return [table(answers.figure_rows(game, values))] if values else []


def forecast(answer: Forecast) -> ET.Element:
    """A table for each of whom figures are about."""
    groups: dict[str, list[Figure]] = defaultdict(list)
    for figure in answer.figures:
        groups[answers.subject(figure.name)].append(figure)
    parts: list[Child] = []
    for actor in sorted(groups, key=lambda name: (bool(name), name)):
        parts += [title(actor)] if actor else []
        parts += figures(answer.ruleset, groups[actor])
    return page(answer.ruleset, *parts, block(answers.missing_figures(answer)))


def ending(answer: results.GameOutcome) -> ET.Element:
    """Who has won, with the points, and by which rules."""
    words = tag("span", "bold", answers.outcome_words(answer.winners, answer.drawn))
    points = [(player, str(number)) for player, number in answer.scores.items()]
    because = answer.reason or layout.rule_ids(answer.rules)
    return page(None, words, f" {because}", *([table(points)] if points else []))


def replayed(answer: Replay, style: layout.Style) -> list[str]:
    return answers.replay(answer, "the record", style)


def adjudication(answer: Adjudication) -> ET.Element:
    """Each claim with its verdict, and what that rests on, by reading; the rules to look up."""
    parts = [title(answer.case.title)] if answer.case.title else []
    for ruling in answer.claims:
        parts += claim(answer.ruleset, ruling)
    for stated in answer.undecided:
        text = layout.attributed(stated.by, str(stated.claim))
        parts.append(tag("p", "", badge("undecided", None), f"{text}: {layout.TIME_UP}"))
    rules = [rule(value) for value in answer.rules()]
    return page(answer.ruleset, *parts, *([section("rules", *rules)] if rules else []))


def claim(game: Ruleset, ruling: ClaimVerdict) -> list[ET.Element]:
    """A claim with its verdict, and a table of readings."""
    said = disputes.verdict_text(ruling, layout.PLAIN)
    text = layout.attributed(ruling.stated.by, ruling.claim)
    after = "; ".join(move.action for move in ruling.stated.after)
    rows: list[Sequence[Child]] = []
    for choices, account in disputes.deciding(ruling, game.defaults)[: layout.LIMITS.readings]:
        reading = layout.choices_text(choices) or "in every reading"
        rests = block(line.strip() for line in disputes.account_lines(game, account, STYLE))
        rows.append((reading, verdict(account.verdict), rests))
    parts = [tag("p", "", verdict(ruling.verdict), tag("span", "bold", text))]
    parts += [tag("p", "dim", f"after {after}")] if after else []
    parts += [tag("p", "", said)] if ruling.depends_on else []
    return [*parts, table(rows)]


def verdict(word: str) -> ET.Element:
    """The verdict on a claim, in its colour."""
    return badge(word, {UPHELD: True, REJECTED: False}.get(word))


def count(answer: Count) -> ET.Element:
    """A table of lengths; how many of the longest sequences begin with each action."""
    heads, rows = lookahead.count_rows(answer)
    parts: list[Child] = [table(rows, heads)] if rows else []
    if rows:
        longest = answer.lengths[-1]
        first = table((str(action), str(number)) for action, number in longest.by_first)
        parts.append(section(f"length {longest.length}, by first action", first))
    return page(
        answer.ruleset,
        *parts,
        block([*lookahead.count_notes(answer), *lookahead.count_remarks(answer)]),
    )


def sheet(answer: simulation_svg.SheetSubject) -> ET.Element:
    """Many games as a sheet of charts."""
    head = simulation_svg.heads_of(answer)[2]
    return page(None, elements.image(simulation_svg.simulation_svg(answer), head))


# -- parts -----------------------------------------------------------------------------------------


def in_lines(
    lines: Callable[[Any, layout.Style], list[str]],
    after: Callable[[Any], Position] | None = None,
) -> Callable[[Any], ET.Element]:
    """What makes a page of the lines of an answer, with the board of the position *after* it."""

    def make(answer: Any) -> ET.Element:
        if after is None:
            return page(getattr(answer, "ruleset", None), block(lines(answer, STYLE)))
        position = after(answer)
        return page(position.ruleset, block(lines(answer, STYLE)), *boards(draw(position)))

    return make


def title(text: str) -> ET.Element:
    return tag("p", "bold", layout.one_line(text))


def codes(texts: Iterable[str], kind: str = "") -> ET.Element:
    """Terms side by side, none broken within."""
    return tag("span", "", *(part for text in texts for part in (tag("code", kind, text), " ")))


def cited(answer: Any, rules: Iterable[str]) -> str:
    """Rule ids in brackets."""
    return STYLE.dim(layout.rule_ids(rules, answer.ruleset))


def by_actor(pairs: Iterable[tuple[str, Any]]) -> Iterator[tuple[str, list[Any]]]:
    """What belongs to each actor, sorted by name."""
    groups: dict[str, list[Any]] = defaultdict(list)
    for actor, item in pairs:
        groups[actor].append(item)
    yield from sorted(groups.items())


# By the names of types, so that no room is imported of which there is no value.
PAGES: Mapping[str, Callable[[Any], ET.Element]] = {
    "Adjudication": adjudication,
    "Case": case,
    "Check": in_lines(answers.check),
    "Contrast": sheet,
    "Count": count,
    "Distance": in_lines(table_lines.distance),
    "EveryReading": in_lines(every_reading.lines_of),
    "Forecast": forecast,
    "GameOutcome": ending,
    "Legality": legality,
    "LineOfPlay": in_lines(answers.line_of_play, attrgetter("outcome.position")),
    "Odds": in_lines(lookahead.odds),
    "Outcome": in_lines(answers.outcome, attrgetter("position")),
    "Picture": picture,
    "Plan": in_lines(lookahead.plan),
    "Position": position,
    "Record": game,
    "Replay": in_lines(replayed, attrgetter("position")),
    "Ruleset": ruleset,
    "Session": lambda session: game(session.record),
    "Simulation": sheet,
    "Why": why,
    "WhyEvent": in_lines(happenings.why_event),
}
