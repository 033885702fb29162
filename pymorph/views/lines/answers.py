"""What is legal and why, what figures there are, whether a position is one: as lines."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, TypeVar

from pymorph.dynamics import results
from pymorph.dynamics.outcomes import combined
from pymorph.dynamics.results import Awaited, Check, Figure, Forecast, Legality, Roll, Why, together
from pymorph.explore.execution import replay as replaying
from pymorph.ruleset.loader import Ruleset
from pymorph.state.position import Position
from pymorph.terms import Term
from pymorph.views import layout
from pymorph.views.layout import LIMITS, PLAIN, Style, phrase, plain, rule_ids, spaced, table, words
from pymorph.views.lines.rules import rule_body, rule_head
from pymorph.views.width import TIE

if TYPE_CHECKING:
    from pymorph.dynamics.outcomes import Change, Event, LineOfPlay, Outcome, Step

ROLES = {
    "allows": "allowed by",
    "costs": "cost set by",
    "forbids": "forbidden by",
    "delays": "delayed by",
    "decides": "left open by",
    "causes": "caused by",
}
VERDICTS = {True: "legal", False: "not legal", None: "open"}
Grouped = TypeVar("Grouped")


def _by_actor(items: Iterable[Grouped], actor: str) -> Iterator[tuple[str, Iterator[Grouped]]]:
    """Items with the same *actor*, an attribute of theirs."""
    actor_of = attrgetter(actor)
    return groupby(sorted(items, key=actor_of), actor_of)


# -- legal -----------------------------------------------------------------------------------------
def standstill(answer: Legality, style: Style = PLAIN) -> str:
    """Why nobody may do anything: the game is over, or waits for something, or nothing is legal."""
    if answer.awaited:
        return style.bold("play waits for an entry")
    if not answer.over:
        return style.bold("no action is legal")
    return over(answer.ruleset, answer.outcome, style)[0]


def over(game: Ruleset, outcome: results.GameOutcome | None, style: Style = PLAIN) -> list[str]:
    """That the game is over, if it is: who has won, with the points, and by which rules."""
    if outcome is None:
        return []
    names = [rule.title for rule in map(game.rule, outcome.rules)]
    rules = f"{', '.join(names)} {style.dim(rule_ids(outcome.rules))}" if names else ""
    rules = rules or f"{outcome.reason}, as the record says"
    points = ", ".join(f"{player} {n}" for player, n in outcome.scores.items())
    parts = [outcome_words(outcome.winners, outcome.drawn), points, rules]
    return [f"{style.bold('the game is over')}: {', '.join(filter(None, parts))}"]


def outcome_words(winners: Sequence[object], drawn: bool) -> str:
    """Who has won, in words."""
    if winners:
        return f"{layout.joined(winners)} {'wins' if len(winners) == 1 else 'win'}"
    return "a draw" if drawn else "nobody wins"


def ending(answer: Legality, last: Sequence[Step] = (), style: Style = PLAIN) -> list[str]:
    """What the rules that end the game say, and what they have said of the *last* steps."""
    game = answer.ruleset
    events = [phrase(game, e.event) for s in last for e in s.events if e.rule in answer.over]
    lines = [f"  {style.good(event)}" for event in events]
    for rule in answer.over:
        lines += rule_body(answer.ruleset.rule(rule), style)
    return lines


def awaited(ruleset: Ruleset, entries: Iterable[Awaited], style: Style = PLAIN) -> list[list[str]]:
    """What is to be entered, up to what, or may be answered, by which rules: a block for each."""
    actions = ruleset.vocabulary.actions
    entered: dict[str, list[tuple[str, ...]]] = {}
    bounded = any(entry.most is not None for entry in entries)
    for form, (first, *more) in groupby(entries, key=lambda entry: entry.form):
        limit = ""
        if first.most is not None:
            limit = f"up to {' '.join(layout.measured(ruleset, first.most, first.unit))}"
        rules = rule_ids([first.rule, *(entry.rule for entry in more)])
        cells = (str(form), limit, rules) if bounded else (str(form), rules)
        enters = f"{form.actor} enters" if actions[form.name].open else ""
        entered.setdefault(enters or f"play waits for {form.actor}", []).append(cells)
    paints = (style.good, plain, style.dim) if bounded else (style.good, style.dim)
    return [
        [style.bold(opening), *table(forms, paints=paints, wrap=False)]
        for opening, forms in entered.items()
    ]


def legality(answer: Legality, position: Position | None = None, style: Style = PLAIN) -> list[str]:
    """Who may do what; what hangs on something hidden; what is forbidden, if that was asked.

    What a roll may bring stands in one line, with its odds.
    """
    blocks: list[list[str]] = []
    rolled = {outcome for roll in answer.rolls for outcome, _ in roll.outcomes}
    for actor, actions in _by_actor(answer.actions, "actor"):
        able = [f"  {style.good(str(action))}" for action in actions if action not in rolled]
        blocks.append([style.bold(f"{actor} may"), *able, *_rolls(answer.rolls, actor, style)])
    if not answer.actions:
        blocks.append([standstill(answer, style)])
    blocks += awaited(answer.ruleset, answer.awaited, style)
    if answer.over_if:
        blocks.append([f"whether the game is over depends on {layout.listed(answer.over_if)}"])
    for actor, doubts in _by_actor(answer.unsettled, "action.actor"):
        rows = []
        for action, depends_on, rules in doubts:
            items = layout.hidden_items(answer.ruleset, depends_on)
            rows.append((str(action), f"depends on {items}", rule_ids(rules)))
        open_ones = table(rows, paints=(plain, plain, style.dim), wrap=False)
        blocks.append([style.bold(f"{actor} may or may not"), *open_ones])
    for actor, against in _by_actor(answer.forbidden or (), "action.actor"):
        forms = results.ranges([(action, rule_ids(rules)) for action, rules in against])
        unable = table(forms, paints=(style.bad, style.dim), wrap=False)
        blocks.append([style.bold(f"{actor} may not"), *unable])
    spoken = position.ruleset.vocabulary.rulers.spoken if position is not None else str
    return [spoken(line) for line in layout.heading(position, style) + spaced(blocks)]


def _rolls(rolls: Sequence[Roll], actor: str, style: Style) -> list[str]:
    """What the rolls of an actor may bring, with its odds, and what rolls are for."""
    rows = [
        (form, odds, rule_ids([roll.rule]))
        for roll in rolls
        if roll.outcomes[0][0].actor == actor
        for form, odds in outcomes(roll)
    ]
    lines = table(rows, paints=(style.good, plain, style.dim), wrap=False)
    matters = dict.fromkeys(m for roll in rolls for m in roll.about) if rows else ()
    return lines + [f"  for: {layout.sentence(matter)}" for matter in matters]


# -- why -------------------------------------------------------------------------------------------
def why(answer: Why, style: Style = PLAIN) -> list[str]:
    """The verdict, each rule in full, the figures that weigh in, the readings in force."""
    lines = [verdict(answer, style)]
    if answer.may:
        lines += layout.wrapped(f"it may lead to {', '.join(answer.may)}, or not", "  ", "")
    lines += [f"  instead: {other}" for other in answer.instead]
    known: set[str] = set()
    for reason in answer.reasons:
        lines += ["", *reason_lines(reason, style, reason.rule.id not in known, answer.ruleset)]
        known.add(reason.rule.id)
    lines += figure_lines(answer.ruleset, answer.figures, style)
    lines += [""] if answer.readings else []
    for turning in answer.readings:
        lines += turning_lines(turning, style)
    return layout.with_key(answer.ruleset, lines, style, answer.ours)


def turning_lines(turning: results.Turning, style: Style = PLAIN) -> list[str]:
    """A question on which the verdict turns, and the verdict under its other options."""
    options: dict[bool | None, list[str]] = defaultdict(list)
    for option, legal in turning.turned_by:
        options[legal].append(option)
    verdicts = [f"{VERDICTS[legal]} under {' or '.join(by)}" for legal, by in options.items()]
    kind = "ruled" if turning.ruled else "default"
    return [
        f"assumes: {turning.question} = {style.bold(turning.option)} ({kind})",
        *layout.wrapped(", ".join(verdicts), "  "),
    ]


def verdict(answer: Why, style: Style = PLAIN) -> str:
    """The first line of an explanation."""
    if answer.legal:
        return f"{style.good('legal')}: {style.bold(str(answer.action))}"
    if answer.legal is None:
        items = layout.hidden_items(answer.ruleset, answer.depends_on)
        what = f"the result of {answer.action}" if answer.may else str(answer.action)
        return f"{style.bold('it depends')}: {style.bold(what)} depends on {items}"
    return f"{style.bad('not legal')}: {style.bold(str(answer.action))}"


def reason_lines(
    reason: results.Reason,
    style: Style = PLAIN,
    in_full: bool = True,
    ruleset: Ruleset | None = None,
) -> list[str]:
    """A rule that speaks for or against an action, and what it costs."""
    role = ROLES.get(reason.role, reason.role)
    lines = [f"{role} {rule_head(reason.rule, style)}"]
    lines += layout.wrapped(reason.because, "  ") if reason.because else []
    if reason.item:
        lines.append(f"  {phrase(ruleset, reason.item) if ruleset else reason.item}")
    return lines + (rule_body(reason.rule, style) if in_full else [])


def figure_lines(ruleset: Ruleset, figures: Sequence[Figure], style: Style) -> list[str]:
    """Figures under a heading, with an empty line before it; nothing, if there are none."""
    texts = [figure_line(ruleset, figure) for figure in figures]
    lines = layout.paragraphs(texts, "      ", "  ")
    return ["", style.bold("figures"), *lines] if lines else []


def figure_line(ruleset: Ruleset, figure: Figure) -> str:
    """A figure in one line: its value, what it is made of, the rules of that."""
    made_of = _made_of(ruleset, figure)
    mark = "" if made_of.startswith("[") or not made_of else ":"
    return f"{figure.name} = {value(ruleset, figure)}{mark} {made_of}".rstrip()


def _unbroken(items: str) -> str:
    """A ledger that is broken before a sign only."""
    return items.replace(" ", TIE).replace(f"{TIE}+", " +").replace(f"{TIE}-", " -")


def value(ruleset: Ruleset, figure: Figure, width: int = 0) -> str:
    """The value, a number flush right within *width*, with its unit; a word stands alone."""
    if not isinstance(figure.value, int):
        return phrase(ruleset, figure.value)
    number, unit = layout.measured(ruleset, figure.value, figure.unit)
    return f"{number:>{width}} {unit}".rstrip()


def _made_of(ruleset: Ruleset, figure: Figure) -> str:
    """The items of a figure, or what a finding rests on, and the rules."""
    rules = rule_ids([*(entry.rule for entry in figure.entries), *figure.rules], ruleset)
    names = [words(str(entry.item)) for entry in figure.entries]
    # A single item called like the unit would only say the value again.
    alone = names == [words(figure.unit)]
    items = "" if alone else _unbroken(layout.ledger(ruleset, figure.entries, figure.unit))
    if figure.value == "unknown":
        items = "depends on " + ", ".join(phrase(ruleset, term) for term in figure.grounds)
    elif figure.grounds:
        items = ", ".join(layout.ground(term, ruleset) for term in figure.grounds)
    return f"{items} {rules}".strip()


# -- forecast --------------------------------------------------------------------------------------
def forecast(answer: Forecast, position: Position | None = None, style: Style = PLAIN) -> list[str]:
    """Every figure with what it is made of, grouped by whom it is about."""
    missing = missing_figures(answer)
    if not answer.figures:
        return missing
    rows = figure_rows(answer.ruleset, answer.figures)
    widths = [max(len(cells[i]) for cells in rows) for i in (0, 1)]
    groups: dict[str, list[tuple[str, str, str]]] = defaultdict(list)
    for figure, cells in zip(answer.figures, rows, strict=True):
        groups[subject(figure.name)].append(cells)
    blocks = []
    for actor, part in sorted(groups.items(), key=lambda group: (not group[0], group[0])):
        lines = table(part, "  ", (plain, style.bold, style.dim), widths)
        blocks.append([style.bold(actor), *lines] if actor else lines)
    lines = layout.heading(position, style) + spaced([*blocks, *([missing] if missing else [])])
    return layout.with_key(answer.ruleset, lines, style)


def missing_figures(answer: Forecast) -> list[str]:
    """The names that have no figure here, and what is left of a partial answer."""
    missing = [f"no such figure in this position: {name}" for name in answer.absent]
    if not answer.figures:
        return missing or ["no such figure in this position"]
    if answer.partial:
        kinds = layout.count(len(answer.left), "kinds")
        missing.append(f"partial: {layout.TIME_UP}; {kinds} of figures left")
    return missing


def figure_rows(ruleset: Ruleset, figures: Sequence[Figure]) -> list[tuple[str, str, str]]:
    """The name of each figure, its value, and what it is made of; numbers are flush right."""
    numbers = [(f.value, f.unit) for f in figures if isinstance(f.value, int)]
    width = max((len(layout.measured(ruleset, *number)[0]) for number in numbers), default=0)
    return [(str(f.name), value(ruleset, f, width), _made_of(ruleset, f)) for f in figures]


def subject(name: Term) -> str:
    """Whom or what a figure is about: its first argument, if that is a name."""
    return name.actor if name.arguments and name.arguments[0].number is None else ""


# -- check -----------------------------------------------------------------------------------------
def check(answer: Check, style: Style = PLAIN, name: str = "") -> list[str]:
    """Whether it is a position of the game; each flaw with what the rules say."""
    opening = f"{name}: " if name else ""
    game = layout.one_line(answer.ruleset.title)
    if answer.consistent:
        return [f"{opening}{style.good('consistent')}: a valid position of {game}"]
    lines = [f"{opening}{style.bad('not consistent')}: not a valid position of {game}"]
    for number, flaw in enumerate(answer.flaws):
        advice = answer.remedies[number] if answer.remedies else None
        place = advice.place if advice else answer.ruleset.stated_at(flaw.what)
        at = f"{place}: " if place else ""
        by_default = f" is {advice.default} by default, which" if advice and advice.default else ""
        for nth, broken in enumerate(map(answer.ruleset.rule, flaw.rules)):
            what = f"{at}{flaw.what}{by_default} breaks" if nth == 0 else "and"
            lines += ["", f"{what} {rule_head(broken, style)}", *rule_body(broken, style)]
        if advice:
            lines.append(f"  {advice.remedy}")
    return lines


def pending(rolls: Iterable[Roll], style: Style = PLAIN) -> list[str]:
    """A line for each roll that is due: ``pending: roll(chance, anna, 1..6), each 1/6 [rule]``."""
    lines = []
    for roll in rolls:
        alternatives = "; ".join(f"{form}, {odds}" for form, odds in outcomes(roll))
        lines.append(f"{style.bold('pending:')} {alternatives} {style.dim(rule_ids([roll.rule]))}")
        lines += [f"  for: {layout.sentence(matter)}" for matter in roll.about]
    return lines


def outcomes(roll: Roll) -> list[tuple[str, str]]:
    """The outcomes of a roll, those of the same odds drawn together, with the odds of each."""
    by_odds: dict[Fraction, list[Term]] = defaultdict(list)
    for outcome, odds in roll.outcomes:
        by_odds[odds].append(outcome)
    return [
        (together(alike), f"each {odds}" if len(alike) > 1 else str(odds))
        for odds, alike in by_odds.items()
    ]


def outcome(answer: Outcome, style: Style = PLAIN, everything: bool = False) -> list[str]:
    """Each step with what it changed and brought about; what was left undone; what comes now."""
    blocks = [step_lines(step, style, everything) for step in answer.steps]
    blocks.append(undone(answer.rest, answer.position))
    coming = [*where(answer.position, style), *pending(answer.pending, style)]
    then = answer.afterwards()
    coming += over(answer.ruleset, then.outcome, style)
    blocks += [coming, *awaited(answer.ruleset, then.awaited, style)]
    return layout.with_key(answer.ruleset, spaced(filter(None, blocks)), style)


def undone(rest: Sequence[Term], position: Position) -> list[str]:
    """What was left undone, and what goes on in a position after the roll that is due there."""
    number = len(rest) - len(position.unfinished)
    rows = {"left undone": rest[:number], "still to come": rest[number:]}
    return [f"{word}: {', '.join(map(str, actions))}" for word, actions in rows.items() if actions]


def where(position: Position, style: Style = PLAIN) -> list[str]:
    """Where the game stands, if there is something to tell."""
    text = layout.frame(position, everything=False)
    return [style.dim(f"now: {text}")] if text else []


def step_lines(step: Step, style: Style = PLAIN, everything: bool = True) -> list[str]:
    """One step: the action, its changes, its events, the figures that account for them.

    Unless *everything* is wanted, what stands backstage is left out, and many clearings of one
    fluent are counted.
    """
    halted = " (the rest of the action is cancelled)" if step.halted else ""
    if everything:
        lines = effects(step.position.ruleset, step.changes, step.events, style)
    else:
        lines = _in_brief(step.position.ruleset, [step], step.events, style)
    rows = figure_rows(step.position.ruleset, step.figures)
    lines += table(rows, paints=(plain, style.bold, style.dim))
    if not lines and not step.changes:
        lines = ["  nothing changes"]
    action = step.position.ruleset.vocabulary.rulers.spoken(str(step.action))
    return [style.bold(action) + halted, *lines]


def played(steps: Sequence[Step], style: Style = PLAIN) -> list[str]:
    """What was done, step by step; in one block what came of itself, and its changes in all."""
    lines: list[str] = []
    for automatic, group in groupby(steps, key=lambda step: step.settled):
        part = list(group)
        if not automatic:
            lines += [line for step in part for line in step_lines(step, style, everything=False)]
            continue
        events = [event for step in part for event in step.events]
        effects = _in_brief(part[0].position.ruleset, part, events, style)
        lines += [style.bold("then, automatically"), *effects] if effects else []
    return lines


def _in_brief(
    ruleset: Ruleset, steps: Sequence[Step], events: Iterable[Event], style: Style
) -> list[str]:
    """The changes of steps in all, but for those of fluents that stand backstage, and their events;
    where many fluents of one name are cleared, how many."""
    fluents = ruleset.vocabulary.fluents
    seen = [change for change in combined(steps) if not fluents[change.fluent.name].backstage]
    cleared = [c for c in seen if c.after.symbol == fluents[c.fluent.name].default]
    often = Counter(change.fluent.name for change in cleared)
    counted = [change for change in cleared if often[change.fluent.name] > LIMITS.resets]
    resets = [f"{name} {times} times" for name, times in often.items() if times > LIMITS.resets]
    rules = rule_ids(dict.fromkeys(rule for change in counted for rule in change.rules))
    rows = [("reset:", ", ".join(resets), rules)] if resets else []
    others = [change for change in seen if change not in counted]
    return effects(ruleset, others, events, style, rows)


def effects(
    ruleset: Ruleset,
    changes: Iterable[Change],
    events: Iterable[Event],
    style: Style,
    more: Sequence[tuple[str, str, str]] = (),
) -> list[str]:
    """A row for each change and for each event, between them some *more*."""
    words = ruleset.vocabulary

    def text_of(fluent: Term, value: Term) -> str:
        length = words.sorts[words.fluents[fluent.name].value].kind == "length"
        return words.rulers.text(value.symbol.number) if length else str(value)

    rows = [
        (f"{c.fluent}:", " -> ".join(text_of(c.fluent, v) for v in c[1:3]), rule_ids(c.rules))
        for c in changes
    ]
    rows += more
    rows += [("event:", phrase(ruleset, e.event), rule_ids([e.rule])) for e in events]
    spoken = ruleset.vocabulary.rulers.spoken
    rows = [(fluent, spoken(text), cited) for fluent, text, cited in rows]
    return table(rows, paints=(plain, plain, style.dim), wrap=False)


def line_of_play(answer: LineOfPlay, style: Style = PLAIN, everything: bool = False) -> list[str]:
    """What was carried out, and where it stopped, why."""
    done = answer.outcome
    lines = outcome(done, style, everything)
    if answer.why is None:
        return lines
    before = lines if done.steps else pending(done.pending, style)
    stopped = [style.bad(f"stopped at action {answer.stopped}"), *why(answer.why, style)]
    return spaced(filter(None, [before, stopped]))


def record_step(number: int, steps: Sequence[Step], style: Style = PLAIN) -> list[str]:
    """A step of a record: what it changed, and what followed of it."""
    lines = [line for step in steps for line in step_lines(step, style)]
    return [f"{style.dim(f'{number}.')} {lines[0]}", *lines[1:]]


def replay(answer: replaying.Replay, name: str, style: Style = PLAIN) -> list[str]:
    """How far a record goes: to its end, or to a step that is not carried out, and why not."""
    lines = []
    if answer.made_under:
        old = layout.edition(*answer.made_under, before="version ")
        now = layout.edition(answer.ruleset.version, answer.ruleset.hash, before="version ")
        lines += [style.bold(f"recorded with {old}; this is {now}"), ""]
    steps = layout.count(answer.steps, "steps")
    if answer.stop:
        return [*lines, f"{steps} played", "", *stop(answer.stop, name, style)]
    if answer.partial:
        lines.append(style.bold(f"partial: {layout.TIME_UP}; {steps} so far, all by the rules"))
        return [*lines, *where(answer.position, style), *pending(answer.pending, style)]
    verdict = style.good(f"{steps}, all by the rules")
    if answer.differs or not answer.end_fits:
        verdict = style.bad(f"{steps}, but the result differs from the recorded one")
    lines += [verdict, *where(answer.position, style), *over(answer.ruleset, answer.ending, style)]
    rows = [(f"{d.fluent}:", str(d.now), f"recorded {d.recorded}") for d in answer.differs]
    if answer.end and not answer.end_fits:
        recorded = outcome_words(answer.end.winners, answer.end.drawn)
        lines.append(f"recorded: {recorded}, {answer.end.reason}")
    return [*lines, *pending(answer.pending, style), *table(rows, wrap=False)]


def stop(answer: replaying.Stop, name: str, style: Style = PLAIN) -> list[str]:
    """Why a step is not carried out."""
    opening = style.bad(f"{answer.place or name}: stopped at step {answer.step}")
    reasons = why(answer.why, style) if answer.why else [f"{answer.action}: {answer.says}"]
    return spaced(filter(None, [[opening, *reasons], pending(answer.pending, style)]))
