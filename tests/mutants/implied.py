"""Whether a fault in a rule changes what the rules give anywhere, by that rule and those behind it.

It is looked for a position within the bounds, an action in it, and readings of what is asked, in
which the faulty rule gives something that the rules as they are do not, or no longer gives what it
gave. Where there is none, every answer is as it was: which is sooner seen than by comparing all
answers of two versions. If there is one, what the rule gives is made twice, as it is and with the
fault, and it is looked whether what reads it gives anything else; and so on, some steps far.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import islice
from time import monotonic

import networkx as nx
from clingo.ast import AST, ASTType, Transformer

from pymorph.asp.dependency import FIGURED, OF_CLAIMS, DependencyGraph, Statement, bounded
from pymorph.asp.facts import READING, Key, Signature
from pymorph.asp.statements import CheckedStatement
from pymorph.errors import PymorphError
from pymorph.explore.execution import application
from pymorph.questions import consistency, explanation, figures, legality
from pymorph.ruleset import compiler
from pymorph.ruleset.loader import Ruleset
from pymorph.state.position import Position
from pymorph.terms import text_of
from pymorph.verify.properties.coverage import searched
from pymorph.verify.scope import Scope
from pymorph.verify.spaces.goals import (
    OF_PROPERTIES,
    VARIABLE,
    all_unsought,
    judges,
    question_keys,
    unsought,
    unsought_text,
)
from pymorph.verify.spaces.model_search import FoundModel
from pymorph.verify.versions.changes import pieces_of
from tests.mutants.operators import Mutant, atoms, parsed
from tests.mutants.planting import Original, question_of, statement

GIVES, GAVE, FAULTY = "verify_gives", "verify_gave", "faulty_"
ANSWERED, HANDED_ON = "verify_goal(0)", "verify_goal(1)"
ASKED, DOES = ("asked", 2), ("does", 3)
STEPS = 6  # from the faulty rule to those of which it is asked whether they give the same
# What is said of an action counts where it is judged; to be proposed, where it is legal besides;
# to be preferred, where it is so by no less than before; to be set, where it is not so; to be
# added, if it is something; to be cleared, where there is something to clear or to set; a figure,
# where somebody is told of it, and an item of it that is nothing, where all of them are.
TELLING = "#defined entry/5. verify_telling(Q,S) :- entry(Q,_,N,S,_), N != 0."
TOLD = ("surveying(@)", "wanted(X0,@)", "weighs(X0,_,@,_)", "accounts(X0,@,_)")
COUNTS = {
    ("forbidden", 3): ["considered(X0,X1)"],
    ("waits", 3): ["considered(X0,X1)"],
    ("reason", 3): ["considered(X0,X1)"],
    ("excused", 3): ["considered(X0,X1)"],
    ("unsettled", 4): ["considered(X0,X2)"],
    ("proposed", 3): ["legal(X0,X1)"],
    ("sets", 4): ["not holds(X0,X1,X2)", "sets(X0,X4,X2,_), X4 != X1"],
    ("adds", 5): ["X1 != 0"],
    ("clears", 3): ["holds(X0,_,X1)", "sets(X0,_,X1,_)"],
    ("inclined", 5): ["legal(X1,X3), X2 <= #min { K : inclined(X0,X1,K,X3,_) }"],
    ("entry", 5): [
        f"{told.replace('@', 'X3')}, {more}"
        for told in TOLD
        for more in ("X2 != 0", "not verify_telling(X0,X3)")
    ],
    ("total", 3): [told.replace("@", "X2") for told in TOLD],
    ("never", 3): [told.replace("@", "X1") for told in TOLD],
    ("finding", 4): [told.replace("@", "X2") for told in TOLD],
    ("unknown", 4): [told.replace("@", "X2") for told in TOLD],
}
ATOM = re.compile(r"(\w+)\(([^()]*)\)")
JUDGING = frozenset({("considered", 2), ("legal", 2)})
FEW, MANY = 2, 60  # positions from one step; statements that are made twice


def changing(original: Original, mutant: Mutant, seconds: float) -> Iterator[FoundModel | None]:
    """A position for each kind of action in which the fault changes something; None at last, if
    it changes no answer.

    Nothing is said at last of what is not a rule with one atom for a head, nor of one that falls
    into pieces, nor of what takes longer.
    """
    end = monotonic() + seconds
    before = original.sources.statements[mutant.number]
    after = statement(original, mutant)
    if before.kind != "rule" or after is None or not _simple(after.text):
        return
    given = original.static
    if _pieces(after.text, given) > _pieces(before.text, given):
        return  # one of them may be about another position
    fault = Fault(original, mutant.number, after, mutant.operator == "drop")
    twice: frozenset[Key] = frozenset()  # what is made as it is, and with the fault
    for _ in range(STEPS):
        behind = Behind(fault, twice)
        looked = list(islice(behind.differing(end), FEW))
        yield from looked
        further = twice | behind.handed_on
        if looked == [None] or further == twice or monotonic() > end:
            return
        twice = further


@dataclass(frozen=True)
class Fault:
    """A statement by its number, as it is *after* a fault; *less*: it asks for less than it did."""

    original: Original
    number: int
    after: CheckedStatement
    less: bool

    @property
    def setting(self) -> Scope:
        return self.original.setting

    @cached_property
    def parts(self) -> Sequence[Statement]:
        """Every statement, and at last the faulty one as it is with its fault."""
        return [*all_unsought(self.setting), unsought(Statement(self.after.text, self.after.signs))]

    @cached_property
    def place(self) -> int:
        """Where the faulty statement stands among them as it was."""
        numbered = self.setting.sources.numbered
        return next(place for place, (n, _) in enumerate(numbered) if n == self.number)

    @cached_property
    def either(self) -> frozenset[int]:
        """Where it stands, without the fault and with it."""
        return frozenset([self.place, len(self.parts) - 1])

    @cached_property
    def index(self) -> DependencyGraph:
        return DependencyGraph(self.parts)

    @cached_property
    def askable(self) -> list[str]:
        """The actions with which the statement may fire, with the fault or without; "" for none."""
        names = ("", *self.setting.ruleset.vocabulary.actions)
        return [n for n in names if self.either & self.index.firing(question_keys(self.setting, n))]

    @cached_property
    def shown(self) -> frozenset[Signature]:
        """What answers are read from."""
        slices = self.original.ruleset.slices
        return frozenset(each for verb in compiler.VERBS for each in slices[verb].shown)


@dataclass(frozen=True)
class Behind:
    """The rules that read what is made *twice*, or the faulty one: do they give something else?"""

    fault: Fault
    twice: frozenset[Key]

    @property
    def setting(self) -> Scope:
        return self.fault.setting

    @property
    def parts(self) -> Sequence[Statement]:
        return self.fault.parts

    @cached_property
    def made(self) -> frozenset[int]:
        """The statements that give what is made twice."""
        return frozenset(n for n in self._places if gives(self.parts[n]) & self.twice)

    @cached_property
    def asked(self) -> frozenset[int]:
        """The statements of which it is asked whether they give the same."""
        if not self.twice:
            return frozenset([self.fault.place])
        reading = {n for n in self._places if reads(self.parts[n]) & self.twice}
        checks = {n for n in reading if all(map(beside_answers, gives(self.parts[n])))}
        return frozenset(reading) - self.made - checks

    @cached_property
    def _places(self) -> range:
        return range(len(self.parts) - 1)

    @cached_property
    def handed_on(self) -> frozenset[Key]:
        """What those give that is no answer, or not always one."""
        given = {key for n in self.asked for key in gives(self.parts[n])}
        return frozenset(k for k in given if k[0] in FIGURED or k[:2] not in self.fault.shown)

    @cached_property
    def goals(self) -> Sequence[str]:
        """Rules by which it is a goal that they give something else."""
        bounds = self.setting.ruleset.bounds
        lines = [
            made_twice(bounded(self._with_fault(n), bounds).text, self.twice)
            for n in sorted(self.made)
        ]
        for n in sorted(self.asked):
            lines.append(_as(GIVES, made_twice(self._with_fault(n).text, self.twice)))
            lines.append(_as(GAVE, self.parts[n].text))
        lines.append(TELLING)
        given = {key for n in self.asked for key in gives(self.parts[n])}
        for name, arity in sorted(signatures(given)):
            variables = [f"X{n}" for n in range(arity)]
            atom = f"{name}({','.join(variables)})" if arity else name
            cases = [(ANSWERED, c) for c in COUNTS.get((name, arity), ["#true"])]
            if name in FIGURED:
                cases.append((HANDED_ON, "#true"))
            for goal, counts in cases:
                lines.append(f"{goal} :- {counts}, {GIVES}({atom}), not {atom}.")
                if self.twice or not self.fault.less:
                    lines.append(f"{goal} :- {counts}, {GAVE}({atom}), not {GIVES}({atom}).")
        return lines

    def _with_fault(self, number: int) -> Statement:
        return self.parts[-1 if number == self.fault.place else number]

    @cached_property
    def read(self) -> frozenset[Key]:
        """The keys of what the goals read."""
        about = [self.parts[-1], *(self.parts[n] for n in self.made | self.asked)]
        given = {key for part in about for key, _ in part.signs.gives}
        counting = {(s, key[2]) for key in given for s in counted_by(key[:2])}
        given |= {(*s, None if s in JUDGING else functor) for s, functor in counting}
        return frozenset(given.union(*(part.signs.reads for part in about)))

    def differing(self, end: float) -> Iterator[FoundModel | None]:
        """A position for each kind of action with a goal; None at last, if there is none."""
        if len(self.made) > MANY or not all(_simple(self.parts[n].text) for n in self.asked):
            return
        numbered = self.setting.sources.numbered
        judging = not judges(self.setting).isdisjoint(numbered[n][0] for n in self.asked)
        settled = True
        names = self._askable()
        pieces = pieces_of(self.setting, filter(None, names))
        for name in ([""] if "" in names else []) + pieces:
            for sound in (True, False) if judging else (True,):
                if monotonic() > end:
                    return
                setting = _opened(self.setting, self.read)
                search = searched(setting, name, self.goals, self.read, True, sound)
                reached = search.reached()
                settled = settled and not reached and not search.unsettled
                for goal in sorted(reached):
                    found = search.some(goal)
                    assert found is not None
                    yield found
        if settled:
            yield None

    def _askable(self) -> list[str]:
        """The actions with which the fault may matter; "" for none."""
        names = self.fault.askable
        every = range(len(self.parts))
        leading = self.fault.index.leading_to(self.read, every, figured=True)
        read = {key[:2] for part in leading for key in part.signs.reads}
        if "" in names and not read & {ASKED, DOES}:
            return [""]
        if self.twice or DOES in read or "" not in names:
            return names
        about = {key[2] for n in self.fault.either for key, _ in self.parts[n].signs.gives}
        return [n for n in names if not n or n in about or None in about]


def gives(part: Statement) -> set[Key]:
    return set(map(made_as, (key for key, _ in part.signs.gives)))


def reads(part: Statement) -> set[Key]:
    return set(map(made_as, part.signs.reads))


def made_as(key: Key) -> Key:
    """What is made twice together: all of a predicate, but of a figure no other."""
    return key if key[0] in FIGURED else (*key[:2], None)


def beside_answers(key: Key) -> bool:
    """Is it of a property, or of a claim, which asks for the figures that it speaks of?"""
    return key[:2] in OF_PROPERTIES or key[0].startswith(OF_CLAIMS)


def signatures(keys: Iterable[Key]) -> set[Signature]:
    return {key[:2] for key in keys}


def counted_by(signature: Signature) -> set[Signature]:
    """The predicates by which it is seen whether an atom counts, but for what is told."""
    said = ", ".join(COUNTS.get(signature, ()))
    atoms = {(name, arguments.count(",") + 1) for name, arguments in ATOM.findall(said)}
    return atoms - {("surveying", 1), ("wanted", 2), ("verify_telling", 2)}


@lru_cache(maxsize=20000)
def made_twice(text: str, twice: frozenset[Key]) -> str:
    """A statement of what is made twice, as it is with the fault."""

    class Renaming(Transformer):
        def visit_SymbolicAtom(self, node: AST) -> AST:  # noqa: N802
            symbol = node.symbol
            first = symbol.arguments[0] if symbol.arguments else None
            functor = getattr(getattr(first, "symbol", first), "name", None)
            if made_as((symbol.name, len(symbol.arguments), functor)) not in twice:
                return node
            return node.update(symbol=symbol.update(name=FAULTY + symbol.name))

    return str(Renaming().visit(parsed(text)))


def _opened(setting: Scope, read: Iterable[Key]) -> Scope:
    """The same where only the questions are open that are read."""
    asked = {question_of(key[2]) for key in read if key[:2] == READING}
    fixed = {question: o for question, o in setting.reading.items() if question not in asked}
    return setting.replaced(rulings=fixed)


def _simple(text: str) -> bool:
    """Is the head of a rule an atom?"""
    head = parsed(text).head
    return head.ast_type == ASTType.Literal and head.atom.ast_type == ASTType.SymbolicAtom


def _pieces(text: str, static: Collection[Signature]) -> int:
    """Into how many parts a body falls that have no variable in common, but for those that ask
    for nothing but what is so in every position."""
    linked: nx.Graph[object] = nx.Graph()
    moving = set()
    for number, literal in enumerate(parsed(text).body):
        linked.add_edges_from((number, name) for name in VARIABLE.findall(str(literal)))
        if (
            not {(atom.symbol.name, len(atom.symbol.arguments)) for atom in atoms(literal)}
            <= static
        ):
            moving.add(number)
    return sum(not moving.isdisjoint(part) for part in nx.connected_components(linked))


def _as(name: str, text: str) -> str:
    """What a rule gives, as what something of that name gives."""
    rule = parsed(unsought_text(text))
    body = "; ".join(map(str, rule.body))
    return f"{name}({rule.head}){' :- ' if body else ''}{body}."


def told_apart(found: FoundModel, before: Ruleset, after: Ruleset) -> bool:
    """Do two versions of the rules answer otherwise in a position, and to an action in it?"""
    answers = [_answers(replace(found.position, ruleset=game), found) for game in (before, after)]
    return answers[0] != answers[1]


def _answers(position: Position, found: FoundModel) -> list[object]:
    """What is legal, what the figures are, and what comes of an action."""
    try:
        told: list[object] = [legality.legal_actions(position), consistency.check(position).flaws]
        told += [figures.forecast(position, wide=wide).figures for wide in (False, True)]
        if found.action is None:
            return told
        verdict = explanation.why(position, text_of(found.action))
        told.append([reason.rule.id for reason in verdict.reasons])
        if verdict.legal:
            steps = application.apply(position, text_of(found.action)).steps
            told.append([(step.changes, step.events, step.position.line()) for step in steps])
    except PymorphError as error:
        return [type(error).__name__]
    return told
