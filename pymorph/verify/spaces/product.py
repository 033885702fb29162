"""Self-composition: two situations in one program, 0 and 1, in which answers may differ."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from clingo import Symbol

from pymorph.asp.facts import Key, Signature, rulings
from pymorph.dynamics.asking.legal import judged
from pymorph.errors import PymorphError
from pymorph.explore.execution import application
from pymorph.questions import consistency, explanation, legality
from pymorph.questions import figures as queries_figures
from pymorph.ruleset.vocabulary import Declared
from pymorph.state.position import Position
from pymorph.terms import text_of
from pymorph.verify.scope import Scope
from pymorph.verify.spaces.activation_goals import WANTED
from pymorph.verify.spaces.domain import action_keys, any_term, position_keys
from pymorph.verify.spaces.model_search import ModelSearch, OpenModel, keys_in
from pymorph.verify.versions.compared_answers import EFFECT, FIGURES, LEGAL, POSITIONS, SURVEYED

ProductAnswer = tuple[frozenset[str], ...]  # what is said, the weightiest first

SITUATION = re.compile(r"\bS\b")
PREFERRED = ("legal", "odds", "done", "figure", "ill_formed")
# The second situation, in which the same is so, and the same is asked.
SECOND = """
#defined asked/2. #defined wanted/2. #defined surveying/1. #defined wide/1. #defined legal/2.
#defined unfolds/4. #defined holds/3. #defined present/2. #defined on_table/1.
situation(1).
checking(1).
on_table(1)    :- on_table(0).
present(X,1)   :- present(X,0).
holds(F,V,1)   :- holds(F,V,0).
asked(A,1)     :- asked(A,0).
wanted(Q,1)    :- wanted(Q,0).
surveying(1)   :- surveying(0).
wide(1)        :- wide(0).
does(A,1,1)    :- asked(A,1), legal(A,1), not unfolds(A,_,_,1).
"""
# What is answered in situation S: a goal, the atom, and where it counts.
DONE = "does(_,0,0), does(_,1,1), "
OF_ACTIONS = (
    ("legal", "legal(A,S)", "asked(A,S), "),
    ("legal", "reason(A,S,R)", "asked(A,S), "),
    ("legal", "unsettled(A,X,S,R)", "asked(A,S), "),
    ("odds", "chance(A,N,D,S,R)", "asked(A,S), "),
    ("done", "sets(F,V,S,R)", DONE),
    ("done", "clears(F,S,R)", DONE),
    ("done", "adds(F,N,X,S,R)", DONE),
    ("done", "happens(X,S,R)", DONE),
)
OF_FIGURES = (
    ("figure(Q)", "entry(Q,X,N,S,R)"),
    ("figure(Q)", "never(Q,S,R)"),
    ("figure(Q)", "finding(Q,X,S,R)"),
    ("figure(Q)", "unknown(Q,X,S,R)"),
)
OF_POSITIONS = (("ill_formed", "ill_formed(X,S,R)", ""),)


@dataclass(frozen=True, slots=True)
class ComparedAnswers:
    """A kind of answer: what is asked for, of the actions of a name, or of the position."""

    name: str
    atoms: tuple[tuple[str, str, str], ...]
    schema: Declared | None = None
    figure: Declared | None = None

    @property
    def facts(self) -> tuple[str, ...]:
        return SURVEYED if self.figure is not None else ()

    @property
    def sought(self) -> tuple[Key, ...]:
        keys = []
        for _, atom, _ in self.atoms:
            about = self.schema if "(A," in atom else self.figure
            keys.append((*signature_of(atom), None if about is None else about.name))
        return tuple(dict.fromkeys(keys))


def kinds_of_answer(scope: Scope) -> Iterator[ComparedAnswers]:
    """What a ruleset answers: about each action, each figure, and what is well formed."""
    words = scope.ruleset.vocabulary
    for action in words.actions.values():
        yield ComparedAnswers(action.name, OF_ACTIONS, action)
    for figure in (*words.figures.values(), *words.findings.values()):
        about = f"Q = {any_term(figure)}, "
        atoms = tuple((goal, atom, about) for goal, atom in OF_FIGURES)
        yield ComparedAnswers(f"figure {figure.name}", atoms, figure=figure)
    yield ComparedAnswers(POSITIONS, OF_POSITIONS)


def cone(scope: Scope, asked: ComparedAnswers) -> frozenset[int]:
    """The cone of influence of an answer: the numbers of the statements that may bear on it."""
    words, schema, figure = scope.ruleset.vocabulary, asked.schema, asked.figure
    known = position_keys(words) | rulings(scope.ruleset.options)
    known |= {key for text in asked.facts for key in keys_in(text)}
    known |= action_keys(schema.name) if schema else frozenset()
    known |= {(*WANTED, figure.name)} if figure else frozenset()
    index = scope.sources.index()
    every = schema is None or scope.ruleset.reads_proposals
    among = index.firing(known, () if every else index.proposing_others({asked.name}))
    return scope.sources.numbers(index.numbers(asked.sought, among, figured=True))


def first_difference(search: ModelSearch) -> tuple[Symbol | None, OpenModel] | None:
    """The figure, if it is one, of the first goal that is reached, and the smallest position."""
    for goal in sorted(search.reached, key=lambda goal: (PREFERRED.index(goal.name), goal)):
        model = search.smallest(goal)
        if model is not None:
            return (goal.arguments[0] if goal.arguments else None), model
    return None


def composition(asked: ComparedAnswers) -> str:
    """Rules for a second situation, and for what is answered differently there."""
    return "\n".join((SECOND, "#defined does/3.", *_differences(asked)))


def _differences(asked: ComparedAnswers) -> Iterator[str]:
    for goal, atom, where in asked.atoms:
        name, arity = signature_of(atom)
        yield f"#defined {name}/{arity}."
        for here, there in ("01", "10"):
            said, other = SITUATION.sub(here, where + atom), SITUATION.sub(there, atom)
            yield f"verify_goal({goal}) :- {said}, not {other}."


def signature_of(atom: str) -> Signature:
    name, _, arguments = atom.partition("(")
    return name, arguments.count(",") + 1


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
    ledgers = {
        f"{figure.name}: {entry.item} {entry.amount} {_by([entry.rule])}"
        for figure in figures
        for entry in figure.entries
    }
    ledgers |= {f"{figure.name} {_by(figure.rules)}" for figure in figures if figure.rules}
    return frozenset(values), frozenset(ledgers)


def _by(rules: Iterable[str]) -> str:
    return f"by {' and '.join(rules)}"
