"""Self-composition: two situations in one program, 0 and 1, in which answers may differ."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from clingo import Symbol

from pymorph.asp.facts import Key, Signature, rulings
from pymorph.board.lengths.measuring import Context
from pymorph.dynamics.asking.legal import judged
from pymorph.errors import PymorphError
from pymorph.explore.execution import application
from pymorph.questions import consistency, legality
from pymorph.questions import figures as queries_figures
from pymorph.ruleset.loader import Ruleset
from pymorph.ruleset.vocabulary import Declared
from pymorph.state.position import Position
from pymorph.terms import Term, text_of
from pymorph.verify.scope import Scope
from pymorph.verify.spaces.domain import Domain, action_keys, any_term, position_keys
from pymorph.verify.spaces.model_search import FoundModel, ModelSearch, keys_in

ProductAnswer = tuple[object, ...]

IMAGE = re.compile(r"@([A-Z])")
SITUATION = re.compile(r"\bS\b")
PREFERRED = ("legal", "odds", "done", "figure", "ill_formed")
# The second situation; @X is what a term becomes in it.
SECOND = """
#defined asked/2. #defined wanted/2. #defined surveying/1. #defined wide/1. #defined legal/2.
#defined unfolds/4. #defined holds/3. #defined present/2. #defined on_table/1.
situation(1).
checking(1).
on_table(1)    :- on_table(0).
present(X,1)   :- present(X,0).
holds(@F,@V,1) :- holds(F,V,0).
asked(@A,1)    :- asked(A,0).
wanted(@Q,1)   :- wanted(Q,0).
surveying(1)   :- surveying(0).
wide(1)        :- wide(0).
does(A,1,1)    :- asked(A,1), legal(A,1), not unfolds(A,_,_,1).
"""
# What is answered in situation S: a goal, the atom, and where it counts.
DONE = "does(_,0,0), does(_,1,1), "
OF_ACTIONS = (
    ("legal", "legal(@A,S)", "asked(A,S), "),
    ("legal", "reason(@A,S,R)", "asked(A,S), "),
    ("legal", "unsettled(@A,@X,S,R)", "asked(A,S), "),
    ("odds", "chance(@A,N,D,S,R)", "asked(A,S), "),
    ("done", "sets(@F,@V,S,R)", DONE),
    ("done", "clears(@F,S,R)", DONE),
    ("done", "adds(@F,N,@X,S,R)", DONE),
    ("done", "happens(@X,S,R)", DONE),
)
OF_FIGURES = (
    ("figure(Q)", "entry(@Q,@X,N,S,R)", ""),
    ("figure(Q)", "never(@Q,S,R)", ""),
    ("figure(Q)", "finding(@Q,@X,S,R)", ""),
    ("figure(Q)", "unknown(@Q,@X,S,R)", ""),
)
OF_POSITIONS = (("ill_formed", "ill_formed(@X,S,R)", ""),)
FIGURE, POSITIONS = "figure ", "positions"
FLAGS = ("surveying(0).", "wide(0).")
WANTED = ("wanted", 2)


@dataclass(frozen=True, slots=True)
class ComparedAnswers:
    """A kind of answer: what is asked for, of the actions of a name, or of the position."""

    name: str
    rows: tuple[tuple[str, str, str], ...]
    schema: Declared | None = None
    figure: Declared | None = None

    @property
    def facts(self) -> tuple[str, ...]:
        return FLAGS if self.figure is not None else ()

    @property
    def sought(self) -> tuple[Key, ...]:
        keys = []
        for _, atom, _ in self.rows:
            about = self.schema if "(@A," in atom else self.figure
            keys.append((*signature_of(atom), None if about is None else about.name))
        return tuple(dict.fromkeys(keys))


def kinds_of_answer(scope: Scope) -> list[str]:
    """What a ruleset answers: about each action, each figure, and what is well formed."""
    words = scope.ruleset.vocabulary
    figures = (f"{FIGURE}{name}" for name in (*words.figures, *words.findings))
    return [*words.actions, *figures, POSITIONS]


def compared(scope: Scope, kind: str) -> ComparedAnswers:
    """What a kind of answer compares."""
    words = scope.ruleset.vocabulary
    if kind in words.actions:
        return ComparedAnswers(kind, OF_ACTIONS, words.actions[kind])
    if kind == POSITIONS:
        return ComparedAnswers(kind, OF_POSITIONS)
    name = kind.removeprefix(FIGURE)
    figure = words.figures.get(name) or words.findings[name]
    rows = tuple((goal, atom, f"Q = {any_term(figure)}, ") for goal, atom, _ in OF_FIGURES)
    return ComparedAnswers(name, rows, figure=figure)


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


def widest_cone(scope: Scope, asked: ComparedAnswers) -> frozenset[int]:
    """The numbers of the statements that would bear on an answer, if all of them could fire."""
    index = scope.sources.index()
    every = range(len(index.parts))
    return scope.sources.numbers(index.numbers(asked.sought, every, figured=True))


def difference_search(
    scope: Scope,
    domain: Domain,
    asked: ComparedAnswers,
    extra: str,
    facts: Sequence[str] = (),
    opening: bool = False,
    context: Context | None = None,
) -> ModelSearch:
    """The search for positions in which two situations are answered differently."""
    lines = [*asked.facts, *facts]
    if asked.figure is not None:
        wanted = "; ".join(f"wanted({term},0)" for term in domain.actions(asked.figure))
        lines.append(f"{{ {wanted} }} 1.")
    return ModelSearch(
        scope, domain, extra, asked.sought, [asked.schema] if asked.schema else [],
        asked.schema is not None, lines, opening=opening, context=context,
    )  # fmt: skip


def first_difference(search: ModelSearch) -> tuple[Symbol | None, FoundModel] | None:
    """The figure, if it is one, of the first goal that is reached, and the smallest position."""
    for goal in sorted(search.reached(), key=lambda goal: (PREFERRED.index(goal.name), goal)):
        found = search.smallest(goal)
        if found is not None:
            return (goal.arguments[0] if goal.arguments else None), found
    return None


def imaged(text: str, function: str) -> str:
    """A text in which the images of terms are those of a function; without one, they themselves."""
    return IMAGE.sub(rf"@{function}(\1)" if function else r"\1", text)


def composition(asked: ComparedAnswers, function: str = "") -> str:
    """Rules for a second situation, and for what is answered differently there."""
    return "\n".join((imaged(SECOND, function), "#defined does/3.", *_differences(asked, function)))


def _differences(asked: ComparedAnswers, function: str) -> Iterator[str]:
    for goal, atom, where in asked.rows:
        name, arity = signature_of(atom)
        yield f"#defined {name}/{arity}."
        for here, there in ("01", "10"):
            said = SITUATION.sub(here, (where + atom).replace("@", ""))
            other = SITUATION.sub(there, imaged(atom, function))
            yield f"verify_goal({goal}) :- {said}, not {other}."


def signature_of(atom: str) -> Signature:
    name, _, arguments = atom.partition("(")
    return name, arguments.count(",") + 1


def answers(position: Position, action: Symbol | None, figure: Symbol | None) -> set[ProductAnswer]:
    """What the ordinary verbs say of a position, an action in it, and a figure."""
    found: set[ProductAnswer] = set()
    for flaw in consistency.check(position).flaws:
        found |= {("ill_formed", flaw.what.symbol, rule) for rule in flaw.rules}
    if action is not None:
        verdict = judged(position, [action])[action]
        found.add(("legal", action, verdict.legal))
        found |= {("reason", action, rule) for rule in verdict.rules}
        found |= {("unsettled", action, item) for item in verdict.depends_on}
        for roll in legality.legal(position).rolls:
            found |= {("odds", term.symbol, share, roll.rule) for term, share in roll.outcomes}
        if verdict.legal:
            found |= set(_effects(position, action))
    if figure is not None:
        for each in queries_figures.forecast(position, text_of(figure)).figures:
            found.add(("figure", figure, each.value, *each.rules))
            found |= {("entry", figure, e.item.symbol, e.amount, e.rule) for e in each.entries}
    return found


def _effects(position: Position, action: Symbol) -> Iterator[ProductAnswer]:
    try:
        outcome = application.apply(position, Term(action))
    except PymorphError as error:
        yield ("stops", str(error))
        return
    for step in outcome.steps:
        for change in step.changes:
            yield ("sets", change.fluent.symbol, change.after.symbol, *change.rules)
        for event in step.events:
            yield ("happens", event.event.symbol, event.rule)


def rules_in(ruleset: Ruleset, found: Iterable[ProductAnswer]) -> tuple[str, ...]:
    """The rules that answers cite."""
    cited = {part for each in found for part in each if isinstance(part, str)}
    return tuple(rule for rule in ruleset.rules if rule in cited)
