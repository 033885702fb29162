"""Whether a fault in a rule changes what the rules give anywhere, by that rule alone.

It is looked for a position within the bounds, an action in it, and readings of what the rule asks,
in which the faulty rule gives something that the rules as they are do not, or no longer gives what
it gave. Where there is none, every answer is as it was: which is sooner seen than by comparing all
answers of two versions, for one version is enough.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from time import monotonic

from clingo.ast import ASTType

from pymorph import queries
from pymorph.errors import PymorphError
from pymorph.gate import Statement
from pymorph.position import Position
from pymorph.ruleset import Ruleset
from pymorph.slices import READING, Index, Key, Part
from pymorph.terms import text_of
from pymorph.verify.dead import searched
from pymorph.verify.firing import all_unsought, asking, judges, unsought, unsought_text
from pymorph.verify.search import Found
from pymorph.verify.setting import Setting
from tests.mutants.operators import Mutant, parsed
from tests.mutants.planting import Original, question_of, statement

GIVES, GAVE = "verify_gives", "verify_gave"
GOAL = "verify_goal(0)"
ASKED, DOES = ("asked", 2), ("does", 3)


def changing(original: Original, mutant: Mutant, seconds: float) -> Iterator[Found | None]:
    """A position for each kind of action in which the fault changes something; None at last, if
    that is all there is.

    Nothing is said at last of what is not a rule with one atom for a head, nor of what takes
    longer.
    """
    end = monotonic() + seconds
    setting = original.setting
    before = original.sources.statements[mutant.number]
    after = statement(original, mutant)
    if before.kind != "rule" or after is None or not (_plain(before) and _plain(after)):
        return
    goals = list(_goals(before, after, mutant.operator == "drop"))
    sought = set(_read(before, after))
    judging = mutant.number in judges(setting)
    settled = True
    for name in _askable(setting, mutant.number, after):
        for sound in (True, False) if judging else (True,):
            if monotonic() > end:
                return
            search = searched(_opened(setting, sought), name, goals, sought, True, sound)
            reached = search.reached()
            settled = settled and not search.unsettled
            for goal in reached:
                found = search.some(goal)
                assert found is not None
                yield found
    if settled:
        yield None


def _goals(before: Statement, after: Statement, less: bool) -> Iterator[str]:
    """Rules by which it is a goal that the two differ; with *less*, that one asks for less."""
    ((name, arity),) = after.heads
    variables = ",".join(f"X{n}" for n in range(arity))
    atom = f"{name}({variables})" if arity else name
    yield _as(GIVES, after.text)
    yield f"{GOAL} :- {GIVES}({atom}), not {atom}."
    if not less:
        yield _as(GAVE, before.text)
        yield f"{GOAL} :- {GAVE}(X), not {GIVES}(X)."


def _read(*statements: Statement) -> Iterator[Key]:
    """The keys of what the goals read."""
    for one in statements:
        yield from one.signs.reads
        yield from ((*signature, None) for signature in one.heads)


def _askable(setting: Setting, number: int, after: Statement) -> list[str]:
    """The actions with which one of the two may fire; "" for none."""
    parts = all_unsought(setting)
    index = Index([*parts, unsought(Part(after.text, after.signs))])
    either = {n for n, (of, _) in enumerate(setting.sources.numbered) if of == number}
    either.add(len(parts))
    names = [
        name
        for name in ("", *setting.ruleset.vocabulary.actions)
        if either & index.firing(asking(setting, name))
    ]
    before = setting.sources.statements[number]
    leading = index.leading_to(set(_read(before, after)), range(len(parts)), figured=True)
    read = {key[:2] for part in leading for key in part.signs.reads}
    if DOES in read or "" not in names:
        return names
    about = {key[2] for one in (before, after) for key, _ in one.signs.gives}
    return [n for n in names if not n or (ASKED in read and (n in about or None in about))]


def _opened(setting: Setting, read: Iterable[Key]) -> Setting:
    """The same where only the questions are open that are read."""
    asked = {question_of(key[2]) for key in read if key[:2] == READING}
    fixed = {question: o for question, o in setting.reading.items() if question not in asked}
    return setting.but(rulings=fixed)


def _plain(one: Statement) -> bool:
    """Is the head of a rule an atom?"""
    head = parsed(one.text).head
    atom = head.ast_type == ASTType.Literal and head.atom.ast_type == ASTType.SymbolicAtom
    return atom and len(one.heads) == 1


def _as(name: str, text: str) -> str:
    """What a rule gives, as what something of that name gives."""
    rule = parsed(unsought_text(text))
    body = "; ".join(map(str, rule.body))
    return f"{name}({rule.head}){' :- ' if body else ''}{body}."


def told_apart(found: Found, before: Ruleset, after: Ruleset) -> bool:
    """Do two versions of the rules answer otherwise in a position, and to an action in it?"""
    answers = [_answers(replace(found.position, ruleset=game), found) for game in (before, after)]
    return answers[0] != answers[1]


def _answers(position: Position, found: Found) -> list[object]:
    """What is legal, what the figures are, and what comes of an action."""
    try:
        told: list[object] = [queries.legal_actions(position), queries.check(position).flaws]
        told += [queries.forecast(position, wide=wide).figures for wide in (False, True)]
        if found.action is None:
            return told
        verdict = queries.why(position, text_of(found.action))
        told.append([reason.rule.id for reason in verdict.reasons])
        if verdict.legal:
            steps = queries.apply(position, text_of(found.action)).steps
            told.append([(step.changes, step.events, step.position.line()) for step in steps])
    except PymorphError as error:
        return [type(error).__name__]
    return told
