"""Why an action is legal or not: rules, prices, the figures that weigh in, what would turn it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING

from clingo import Function, Symbol, SymbolType

from pymorph.asp.grounding import Atoms
from pymorph.dynamics.asking.batch import situation
from pymorph.dynamics.asking.ledgers import figures_in
from pymorph.dynamics.asking.legal import judged
from pymorph.dynamics.results import Figure, Reason, Turning, Why, ours_about
from pymorph.errors import IllegalAction, Unsettled
from pymorph.questions.consistency import ask_checked, blamed_on_flaws, slice_of
from pymorph.questions.legality import action_of
from pymorph.questions.readings.partition import defaults_of
from pymorph.questions.readings.readings import query_class
from pymorph.runtime.arguments import checked
from pymorph.state.position import Position, value_of
from pymorph.terms import Term, order, parse, sorted_symbols, text_of

if TYPE_CHECKING:
    from pymorph.asp.dependency import Slice
    from pymorph.asp.facts import Facts
    from pymorph.questions.readings.partition import Choices


VERDICT = (("legal", 2), ("reason", 3), ("unsettled", 4))  # its atoms, the action first


@checked
def why(position: Position, action: Term | str, unchecked: str = "") -> Why:
    """Why *action* is legal or not: all rules that forbid it, or those that allow and price it.

    It names each question of which another option alone would give another verdict. A position
    that is still *unchecked* has a name to be called by. Raises: UnknownName or InputError, if
    *action* is a text that names none; IllFormed, if the position is none.

    >>> import pymorph
    >>> start = pymorph.Position.load("examples/rulesets/tictactoe/positions/start.yaml")
    >>> position = pymorph.apply(start, "put(x, b2)").position
    >>> answer = pymorph.why(position, "put(o, b2)")
    >>> answer.legal, [(reason.rule.id, reason.role) for reason in answer.reasons]
    (False, [('ttt_02', 'forbids')])
    """
    term, facts, answer = _asked(position, action, unchecked)
    part = slice_of("why", position.ruleset, unchecked)
    return answer._replace(readings=_turned(position, term.symbol, part, facts))


@checked
def reasons_of(position: Position, action: Term | str) -> Why:
    """What `why` says, without the questions that turn the verdict, which are grounded apart."""
    return _asked(position, action, "")[-1]


def why_not(position: Position, action: Term | str, stop: IllegalAction | Unsettled) -> Why:
    """Why *action* was not carried out in *position*, where it came to a *stop*.

    Its result may depend on something hidden, or what follows it may.
    """
    answer = why(position, action)
    if isinstance(stop, IllegalAction) or answer.legal is None:
        return answer
    reasons = tuple(Reason(position.ruleset.rule(name), "decides") for name in stop.rules)
    items = tuple(map(parse, stop.depends_on))
    return Why(position.ruleset, parse(stop.action), None, reasons, (), items, may=stop.may)


def _asked(position: Position, action: Term | str, unchecked: str) -> tuple[Term, Facts, Why]:
    """An action, the facts about it, and the answer under the readings in force."""
    with blamed_on_flaws(position, unchecked):
        term = action_of(position, action) if isinstance(action, str) else action
        here = situation(0)
        facts = position.facts(here)
        facts.append(Function("asked", [term.symbol, here]))
        atoms = ask_checked("why", position, facts, unchecked)
        answer = why_by(position, term, atoms)
        others = () if answer.legal else _instead(position, term, atoms.get("instead", ()))
        return term, facts, answer._replace(instead=others)


def _instead(position: Position, term: Term, atoms: Iterable[Symbol]) -> tuple[Term, ...]:
    """The legal ones among the actions that do what a refused one meant to."""
    others = {atom.arguments[1] for atom in atoms if atom.arguments[0] == term.symbol}
    if not others:
        return ()
    verdicts = judged(position, sorted_symbols(others))
    return tuple(Term(other) for other, verdict in verdicts.items() if verdict.legal)


def _turned(position: Position, action: Symbol, part: Slice, facts: Facts) -> tuple[Turning, ...]:
    """The questions that alone turn the verdict on *action*: one grounding, their readings open."""
    ruleset = position.ruleset
    wanted = [(*signature, None) for signature in VERDICT]
    proposing = None if ruleset.looks_at_proposals else frozenset({action.name})
    ask = query_class(facts)
    asked = ask(position, part, facts, {}, wanted, VERDICT, proposing)
    if not asked.may_turn(lambda atom: atom.arguments[0] == action):
        return ()
    reading = defaults_of(position)

    def verdict(choices: Choices) -> bool | None:
        return _verdict(action, asked.under(choices))

    now = verdict(reading)
    turned = []
    for question, options in asked.questions.items():
        mine = reading[question]
        others = {o: verdict({**reading, question: o}) for o in options if o != mine}
        by = tuple((option, legal) for option, legal in others.items() if legal is not now)
        if by:
            turned.append(Turning(question, mine, question in position.rulings, by))
    return tuple(turned)


def _verdict(action: Symbol, atoms: Iterable[Symbol]) -> bool | None:
    """Is *action* legal? None, if that depends on something hidden."""
    said = {atom.name for atom in atoms if atom.arguments[0] == action}
    return None if "unsettled" in said and "reason" not in said else "legal" in said


def why_by(position: Position, term: Term, atoms: Atoms) -> Why:
    """What *atoms*, an answer of the rules, say of an action."""
    rule_of = position.ruleset.rule
    mine: dict[str, list[list[Symbol]]] = defaultdict(list)
    for name, answers in atoms.items():
        mine[name] = [a.arguments for a in answers if term.symbol in a.arguments[:2]]
    items = sorted_symbols({hidden for _, hidden, *_ in mine["unsettled"]})
    waiting = {atom[2].name for atom in mine["waits"]}
    against = sorted({atom[2].name for atom in mine["reason"]})
    reasons: list[Reason] = []
    if against:
        for rule in map(rule_of, against):
            role = "delays" if rule.id in waiting else "forbids"
            text = dict(rule.refusals).get(term.name, "")
            because = position.ruleset.vocabulary.filled_in(text, term.symbol)
            reasons.append(Reason(rule, role, because=because))
    elif items:
        names = sorted({atom[3].name for atom in mine["unsettled"]})
        reasons = [Reason(rule_of(name), "decides") for name in names]
    else:
        names = sorted({atom[2].name for atom in mine["proposed"]})
        reasons = [Reason(rule_of(name), "allows") for name in names]
        for atom in sorted(mine["costs"], key=lambda atom: order(atom[1])):
            if atom[3].number:
                text = f"{atom[3].number} of {text_of(atom[1])} for {text_of(atom[2])}"
                reasons.append(Reason(rule_of(atom[5].name), "costs", text))
    priced = {atom[1] for atom in mine["costs"] if against}
    figures = figures_in(position, atoms, {atom[0] for atom in mine["weighs"]})
    figures += [_budget(position, fluent) for fluent in sorted_symbols(priced)]
    verdict = None if items and not against else bool(mine["legal"])
    return Why(
        position.ruleset,
        term,
        verdict,
        tuple(reasons),
        tuple(figures),
        tuple(map(Term, items)),
        ours=ours_about(position, [term.symbol]),
    )


def _budget(position: Position, fluent: Symbol) -> Figure:
    """What there is of a budget, as a figure without items."""
    value = value_of(position, fluent)
    return Figure(Term(fluent), value.number if value.type == SymbolType.Number else 0, "left")
