"""What versions or readings of a ruleset are compared in: answers of the ordinary verbs."""

from __future__ import annotations

from collections.abc import Iterable

from clingo import Symbol

from pymorph.asp.facts import Signature
from pymorph.dynamics.asking.legal import judged
from pymorph.errors import PymorphError
from pymorph.explore.execution import application
from pymorph.questions import consistency, explanation, legality
from pymorph.questions import figures as queries_figures
from pymorph.state.position import Position
from pymorph.terms import text_of

ProductAnswer = tuple[frozenset[str], ...]  # what is said, the weightiest first

POSITIONS, LEGAL, EFFECT, FIGURES = ("positions", "legality", "changes", "figures")
LEGALITY: tuple[Signature, ...] = (("legal", 2), ("reason", 3), ("unsettled", 4), ("chance", 5))
EFFECTS: tuple[Signature, ...] = (("sets", 4), ("clears", 3), ("adds", 5), ("happens", 3))
WORKED_OUT: tuple[Signature, ...] = (("entry", 5), ("never", 3), ("finding", 4), ("unknown", 4))
SURVEYED = ("surveying(0).", "wide(0).")


def answers(
    position: Position, action: Symbol | None, figure: Symbol | None
) -> list[ProductAnswer]:
    """What the ordinary verbs say of a position, an action in it, and figures of a name."""
    topics = [POSITIONS, *((LEGAL, EFFECT) if action else ()), *((FIGURES,) if figure else ())]
    name = figure.name if figure else ""
    return [answer(position, topic, name, action) for topic in topics]


def answer(position: Position, topic: str, name: str, action: Symbol | None) -> ProductAnswer:
    """What the ordinary verbs say of a position, the figures of a name, or an action there."""
    try:
        if topic == POSITIONS:
            flaws = consistency.check(position).flaws
            says = {f"not a valid position {_by(flaw.rules)}" for flaw in flaws}
            return (frozenset(says or {"a valid position"}),)
        if topic == FIGURES:
            return _figures(position, name)
        assert action is not None
        return (_legality if topic == LEGAL else _effects)(position, action)
    except PymorphError as error:
        said = frozenset({" ".join(str(error).split())})
        return (said,) * (4 if topic == LEGAL else 1 if topic == POSITIONS else 2)


def _legality(position: Position, action: Symbol) -> ProductAnswer:
    """Whether an action is legal, or what speaks against it; who offers it; the rules behind it."""
    verdict = judged(position, [action])[action]
    word = "forbidden " + _by(verdict.rules) if verdict.rules else "legal"
    if verdict.depends_on and not verdict.rules:
        word = "depends on " + ", ".join(map(text_of, verdict.depends_on))
    listed = legality.legal(position)
    offered = any(term.symbol == action for term in listed.actions)
    listing = "listed" if offered else "legal when asked about, but not listed"
    outcomes = (outcome for roll in listed.rolls for outcome in roll.outcomes)
    rolls = {f"{term} has odds {odds}" for term, odds in outcomes if term.symbol == action}
    why = explanation.why(position, text_of(action))
    reasons = {f"{reason.role} {_by([reason.rule.id])}" for reason in why.reasons}
    listings = {listing} if verdict.legal else set()
    return frozenset({word}), frozenset(listings), frozenset(rolls), frozenset(reasons)


def _effects(position: Position, action: Symbol) -> ProductAnswer:
    """What carrying out an action changes and brings about; and the same with its rules."""
    outcome = application.apply(position, text_of(action))
    changes = [change for step in outcome.steps for change in step.changes]
    events = [event for step in outcome.steps for event in step.events]
    effects = [(f"{c.fluent} from {c.before} to {c.after}", _by(c.rules)) for c in changes]
    effects += [(str(e.event), _by([e.rule])) for e in events]
    stops = {"stops" for step in outcome.steps if step.halted}
    cited = frozenset(f"{says} {rules}" for says, rules in effects)
    return frozenset({says for says, _ in effects} | stops), cited


def _figures(position: Position, name: str) -> ProductAnswer:
    """What the figures of a name come to; and from what."""
    figures = queries_figures.forecast(position, name, wide=True).figures
    values = {f"{figure.name} is {figure.value}" for figure in figures}
    entries = [(figure.name, entry) for figure in figures for entry in figure.entries]
    ledgers = {f"{name}: {e.item} {e.amount} {_by([e.rule])}" for name, e in entries}
    ledgers |= {f"{figure.name} {_by(figure.rules)}" for figure in figures if figure.rules}
    return frozenset(values), frozenset(ledgers)


def _by(rules: Iterable[str]) -> str:
    return f"by {' and '.join(rules)}"
