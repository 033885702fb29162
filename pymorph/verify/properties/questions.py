"""Each question makes a difference somewhere: its options are read, and some answer depends on it.

The ruleset's own example of a question is looked at first: if the ordinary verbs judge its claim
otherwise under another option, that settles it. Else a position is sought of which two options are
answered otherwise, in two copies of the rules that the question bears on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from operator import itemgetter

from pymorph.adjudication import adjudication
from pymorph.adjudication.case import Case
from pymorph.adjudication.examples import files
from pymorph.asp.dependency import Statement
from pymorph.asp.facts import READING, paired
from pymorph.errors import PymorphError
from pymorph.terms import text_of
from pymorph.verify.report import UNKNOWN, Finding, Piece, Property, Witness
from pymorph.verify.scope import Scope, wider_scopes
from pymorph.verify.spaces.domain import Domain
from pymorph.verify.spaces.model_search import ModelSearch
from pymorph.verify.spaces.product import (
    ComparedAnswers,
    answers,
    composition,
    cone,
    first_difference,
    kinds_of_answer,
)

FIRST = re.compile(r"\breading\(\(?([A-Za-z]\w*)")


def pieces(scope: Scope) -> list[str]:
    """A piece of work for each question; none for those that are ruled on."""
    return [q for q in scope.ruleset.questions if q not in scope.rulings] or [""]


def check(scope: Scope, name: str) -> Piece:
    """Does a question make a difference, and is each of its options told from the others?"""
    if not name:
        return Piece(closed=True)
    reading = readers(scope, name)
    if not reading:
        return Piece(1, 0, findings=(Finding(name, "no encoding reads it"),), closed=True)
    alike = tuple(_alike(scope, name, reading))
    witness, exhausted = difference(scope, name)
    if witness is not None:
        return Piece(1, 1, findings=alike, closed=True)
    lost = Finding(name, "no position within the bound depends on it")
    if not exhausted:
        lost = replace(lost, says=f"{lost.says}, as far as is known", status=UNKNOWN)
    return Piece(1, 0, findings=(*alike, lost))


def readers(scope: Scope, question: str) -> dict[int, Statement]:
    """The statements that read how a question is read, by number."""
    return {n: part for n, part in scope.sources.numbered if _reads(part, question)}


def _reads(part: Statement, question: str) -> bool:
    for name, arity, pair in part.signs.reads:
        if (name, arity) == READING:
            if pair is not None and pair.partition("=")[0] == question:
                return True
            if pair is None and any(
                word == question or word[0].isupper() for word in FIRST.findall(part.text)
            ):
                return True
    return False


def _alike(scope: Scope, question: str, reading: dict[int, Statement]) -> Iterator[Finding]:
    """The options that no statement names, where there are several."""
    read = {k[2] for part in reading.values() for k in part.signs.reads if k[:2] == READING}
    if None in read:
        return
    options = [option for option, _ in scope.ruleset.questions[question].options]
    unread = [option for option in options if paired(question, option) not in read]
    for option in unread[1:]:
        yield Finding(f"{question}:{option}", f"nothing distinguishes {option} from {unread[0]}")


def difference(scope: Scope, question: str) -> tuple[Witness | None, bool]:
    """A position in which a question makes a difference, if there is one; and whether all that is
    within the bounds has been looked at."""
    witness = exemplary(scope, question)
    if witness is not None:
        return witness, True
    exhausted = True
    for within, opening in ((scope, False), *wider_scopes(scope)):
        for asked in _dependent(within, question):
            for option, search in _searches(within, asked, question, opening):
                witness = _witness(search, question, option)
                if witness is not None:
                    return witness, True
                exhausted = exhausted and not search.unsettled
    return None, exhausted


def exemplary(scope: Scope, question: str) -> Witness | None:
    """The ruleset's own example of a question, if its claim is judged otherwise by the option."""
    ruleset = scope.ruleset
    paths = files(ruleset, question)
    if not paths:
        return None
    try:
        case = Case.load(paths[0])
        if case.position.ruleset != ruleset:
            return None
        usual = _verdict(case, scope, question, scope.reading[question])
        for option in ruleset.options[question]:
            if _verdict(case, scope, question, option) != usual:
                claim = str(case.claims[0].claim)
                return Witness(case.position, claim, choices=((question, option),))
    except PymorphError:
        pass  # it is for others to say what is wrong with an example
    return None


def _verdict(case: Case, scope: Scope, question: str, option: str) -> str:
    """The verdict on the first claim of a case where a question is read so."""
    rulings = {**scope.reading, **case.position.rulings, question: option}
    position = case.position.with_rulings(rulings)
    answer = adjudication.adjudicate(replace(case, position=position, claims=case.claims[:1]))
    return answer.claims[0].verdict


def _dependent(scope: Scope, question: str) -> list[ComparedAnswers]:
    """The kinds of answer that may depend on a question, those on the fewest statements first."""
    reading = readers(scope, question).keys()
    cones = {asked: cone(scope, asked) for asked in kinds_of_answer(scope)}
    sized = [(len(numbers), asked.name, asked) for asked, numbers in cones.items()]
    return [asked for _, _, asked in sorted(sized, key=itemgetter(0, 1)) if cones[asked] & reading]


def _searches(
    scope: Scope, asked: ComparedAnswers, question: str, opening: bool
) -> Iterator[tuple[str, ModelSearch]]:
    """For each other option of a question the search for positions in which it is not the same."""
    usual = scope.reading[question]
    domain = Domain.of(scope)
    for option in scope.ruleset.options[question]:
        if option == usual:
            continue
        facts = [f"ruled({question},{option},1)."]
        facts += [f"ruled({q},{o},1)." for q, o in scope.rulings.items() if q != question]
        extra = composition(asked)
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
        yield option, search


def _witness(search: ModelSearch, question: str, option: str) -> Witness | None:
    """The smallest position of a search, if the ordinary verbs answer otherwise in it as well."""
    first = first_difference(search)
    if first is None:
        return None
    figure, example = first
    position, action = example.position, example.action
    other = position.with_rulings({question: option})
    if answers(position, action, figure) == answers(other, action, figure):
        return None
    about = action or figure
    about_text = text_of(about) if about is not None else ""
    return Witness(position, about_text, choices=((question, option),))


PROPERTY = Property(
    "moot",
    "each question makes a difference in some position",
    check,
    pieces,
    speaks_of="a consequence",
    counted="questions",
)
