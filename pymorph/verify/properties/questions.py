"""Each question makes a difference somewhere: its options are read, and some answer depends on it.

The ruleset's own examples of questions are looked at first, many at once: if the claim of one is
judged otherwise under another option, that settles its question. Else a position is sought of which
two options are answered otherwise, in two copies of the rules that the question bears on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

from pymorph.adjudication import examples
from pymorph.adjudication.case import Case
from pymorph.asp.dependency import Statement
from pymorph.asp.facts import READING, Key, paired, rulings
from pymorph.asp.syntax_trees import functors, occurrences_in, rules_in
from pymorph.errors import PymorphError
from pymorph.ruleset.vocabulary import Declared
from pymorph.terms import text_of
from pymorph.verify.effort import EFFORT
from pymorph.verify.frame import described
from pymorph.verify.report import UNKNOWN, Finding, Piece, Witness, merge
from pymorph.verify.scope import Scope, wider_scopes
from pymorph.verify.sources import encoding, keys
from pymorph.verify.spaces.activation_goals import WANTED
from pymorph.verify.spaces.domain import Domain, action_keys, any_term, position_keys
from pymorph.verify.spaces.model_search import ModelSearch, keys_in
from pymorph.verify.versions.changes import AND
from pymorph.verify.versions.compared_answers import (
    EFFECTS,
    LEGALITY,
    POSITIONS,
    SURVEYED,
    WORKED_OUT,
    answers,
)

RULES = encoding("readings")
PREFERRED = ("legal", "odds", "done", "figure", "ill_formed")


def pieces(scope: Scope) -> list[str]:
    """Pieces of work on the questions that nobody ruled on: those with an example, some of them
    together, and each of the others."""
    asked = [q for q in scope.ruleset.questions if q not in scope.rulings]
    shown = [q for q in asked if examples.files(scope.ruleset, q)]
    size = EFFORT.examples_at_once
    groups = [AND.join(shown[start : start + size]) for start in range(0, len(shown), size)]
    return [*groups, *(q for q in asked if q not in shown)] or [""]


def check(scope: Scope, piece: str) -> Piece:
    """Does each of some questions make a difference, and is each of its options told from the
    others?"""
    names = [name for name in piece.split(AND) if name]
    read = {name: readers(scope, name) for name in names}
    settled = exemplary(scope, [name for name in names if read[name]])
    return merge([_checked(scope, name, read[name], name in settled) for name in names])


def _checked(scope: Scope, name: str, reading: dict[int, Statement], settled: bool) -> Piece:
    """What one question comes to, with the statements that read it; its example may have *settled*
    it."""
    if not reading:
        return Piece(1, 0, findings=(Finding(name, "no encoding reads it"),), closed=True)
    alike = tuple(_alike(scope, name, reading))
    witness, exhausted = (None, True) if settled else difference(scope, name)
    if settled or witness is not None:
        return Piece(1, 1, findings=alike, closed=True)
    lost = Finding(name, "no position within the bound depends on it")
    if not exhausted:
        lost = replace(lost, says=f"{lost.says}, as far as is known", status=UNKNOWN)
    return Piece(1, 0, findings=(*alike, lost))


def readers(scope: Scope, question: str) -> dict[int, Statement]:
    """The statements that read how a question is read, by number."""
    return {n: part for n, part in scope.sources.numbered if _reads(part, question)}


def _reads(part: Statement, question: str) -> bool:
    pairs = {key[2] for key in part.signs.uses if key[:2] == READING}
    named = {pair.partition("=")[0] for pair in pairs if pair is not None}
    if None in pairs:
        atoms = [a for rule in rules_in(part.text) for o in occurrences_in(rule) for a in o.atoms]
        asked = chain.from_iterable(functors(a[2][0]) for a in atoms if a[:2] == READING)
        named |= {name or question for name in asked}
    return question in named


def _alike(scope: Scope, question: str, reading: dict[int, Statement]) -> Iterator[Finding]:
    """The options that no statement names, where there are several."""
    read = {k[2] for part in reading.values() for k in part.signs.uses if k[:2] == READING}
    options = scope.ruleset.options[question] if None not in read else ()
    unread = [option for option in options if paired(question, option) not in read]
    for option in unread[1:]:
        yield Finding(f"{question}:{option}", f"nothing distinguishes {option} from {unread[0]}")


def difference(scope: Scope, question: str) -> tuple[Witness | None, bool]:
    """A position within the bounds in which a question makes a difference, if there is one; and
    whether all that is within them has been looked at."""
    exhausted = True
    for within, opening in ((scope, False), *wider_scopes(scope)):
        for asked in _dependent(within, question):
            for witness, decided in _witnesses(within, asked, question, opening):
                if witness is not None:
                    return witness, True
                exhausted = exhausted and decided
    return None, exhausted


def exemplary(scope: Scope, questions: Sequence[str]) -> frozenset[str]:
    """Those of some questions whose own example is judged otherwise by the option."""
    asked: dict[tuple[str, str], examples.ClaimAt] = {}
    shown = {name: path for name in questions for path in examples.files(scope.ruleset, name)[:1]}
    for name, path in shown.items():
        with suppress(PymorphError):  # it is for others to say what is wrong with an example
            case = Case.load(path)
            if case.position.ruleset == scope.ruleset:
                for option in scope.ruleset.options[name]:
                    rulings = {**scope.rulings, **case.position.rulings, name: option}
                    asked[name, option] = examples.under(case, rulings)
    try:
        verdicts = dict(zip(asked, examples.verdicts([*asked.values()]), strict=True))
    except PymorphError:  # of one of them
        alone = (exemplary(scope, [name]) for name in questions if len(questions) > 1)
        return frozenset().union(*alone)
    usual = {name: verdicts[name, scope.reading[name]] for name, _ in asked}
    return frozenset(name for (name, _), word in verdicts.items() if word != usual[name])


def _dependent(scope: Scope, question: str) -> list[ComparedAnswers]:
    """The kinds of answer that may depend on a question, those on the fewest statements first."""
    reading = readers(scope, question).keys()
    cones = {asked: cone(scope, asked) for asked in kinds_of_answer(scope)}
    ordered = sorted(cones, key=lambda asked: (len(cones[asked]), asked.name))
    return [asked for asked in ordered if cones[asked] & reading]


def _witnesses(
    scope: Scope, asked: ComparedAnswers, question: str, opening: bool
) -> Iterator[tuple[Witness | None, bool]]:
    """For each other option of a question the smallest position in which it is not the same, if
    there is one, and whether the search for it was settled."""
    usual = scope.reading[question]
    domain = Domain.of(scope)
    for option in scope.ruleset.options[question]:
        if option == usual:
            continue
        facts = [f"ruled({question},{option},1)."]
        facts += [f"ruled({q},{o},1)." for q, o in scope.rulings.items() if q != question]
        extra = RULES["second"] + asked.rules
        if opening:
            extra += (
                f"\nreading({question},{option},1)."
                f"\nreading(Q,O,1) :- reading(Q,O,0), Q != {question}."
                f"\n:- not reading({question},{usual},0)."
            )
        facts += [*asked.facts, *([domain.wanted([asked.figure])] if asked.figure else ())]
        schemas = [asked.schema] if asked.schema else []
        search = ModelSearch(
            scope, domain, extra, asked.sought, schemas, bool(schemas), facts, opening=opening
        )
        yield _witness(search, question, option), not search.unsettled


def _witness(search: ModelSearch, question: str, option: str) -> Witness | None:
    """The smallest position for the first goal of a search, if the ordinary verbs answer otherwise
    in it as well."""
    goals = sorted(search.reached, key=lambda goal: (PREFERRED.index(goal.name), goal))
    if not goals:
        return None
    example, figure = search.example(goals[0]), next(iter(goals[0].arguments), None)
    other = example.position.with_rulings({question: option})
    here, there = (answers(p, example.action, figure) for p in (example.position, other))
    about = example.action or figure
    text = text_of(about) if about is not None else ""
    choices = ((question, option),)
    return Witness(example.position, text, choices=choices) if here != there else None


# -- two situations in one program ---------------------------------------------------------------


class ComparedAnswers(NamedTuple):
    """A kind of answer: what is asked for, of the actions of a name, or of the position; *rules* by
    which it is a goal that it is not the same in both situations, and what they read."""

    name: str
    rules: str
    sought: frozenset[Key]
    schema: Declared | None = None
    figure: Declared | None = None

    @property
    def facts(self) -> tuple[str, ...]:
        return SURVEYED if self.figure is not None else ()


def kinds_of_answer(scope: Scope) -> Iterator[ComparedAnswers]:
    """What a ruleset answers: about each action, each figure, and what is well formed."""
    words = scope.ruleset.vocabulary
    effects = frozenset((*signature, None) for signature in EFFECTS)
    for action in words.actions.values():
        about = effects.union((*signature, action.name) for signature in LEGALITY)
        yield ComparedAnswers(action.name, RULES["actions"], about, action)
    for figure in (*words.figures.values(), *words.findings.values()):
        rules = RULES["figures"].replace("@Q", any_term(figure))
        about = frozenset((*signature, figure.name) for signature in WORKED_OUT)
        yield ComparedAnswers(f"figure {figure.name}", rules, about, figure=figure)
    yield ComparedAnswers(POSITIONS, RULES["positions"], keys("ill_formed/3"))


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


PROPERTIES = (described("moot", check, pieces, speaks_of="a consequence", counted="questions"),)
