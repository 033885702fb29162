"""No answer depends on what the characters of a position are called, or on their order.

Two names are exchanged in a known position, or one is replaced by a name that only rules mention.
Then the rules have to give the same answers, with the names exchanged.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, pairwise

from clingo import Function, Symbol, SymbolType
from clingo.ast import ASTType

from pymorph.asp.dependency import Slice, Statement
from pymorph.asp.facts import Signs
from pymorph.asp.syntax_trees import children, rules_in
from pymorph.dynamics.asking.batch import situated, situation, solve
from pymorph.state.position import Position
from pymorph.terms import sorted_symbols, text_of
from pymorph.verify.effort import EFFORT
from pymorph.verify.frame import Trials, described
from pymorph.verify.properties.figures import OUTCOME
from pymorph.verify.report import Finding, Piece, Witness
from pymorph.verify.scope import Scope
from pymorph.verify.spaces.domain import parts_of
from pymorph.verify.spaces.witnesses import sample
from pymorph.verify.versions.compared_answers import EFFECTS, LEGALITY, WORKED_OUT

ASYMMETRY = "asymmetry"
COUNTED = "positions with two names"
POSITIONS = Function("positions")  # the subject of what is about no action and no figure
SUBJECTS = frozenset(name for name, _ in LEGALITY + WORKED_OUT)  # have an action or a figure first
ANSWERS = (*LEGALITY, *WORKED_OUT, *EFFECTS, *OUTCOME, ("ill_formed", 3))
APPLYING = Statement(
    "#defined unfolds/4. #defined legal/2. does(A,S,(A,S)) :- legal(A,S), not unfolds(A,_,_,S).",
    Signs((), ((("does", 3, None), None),), frozenset({("legal", 2, None), ("unfolds", 4, None)})),
)

Answers = dict[Symbol, set[Symbol]]  # by the action or figure that they are about
NameExchange = Mapping[Symbol, Symbol]


def pieces(scope: Scope) -> list[str]:
    """One piece of work, if a position's file lists names."""
    return [""] if any(True for _ in scope.ruleset.vocabulary.file_sorts()) else []


def check(scope: Scope, _: str = "") -> Piece:
    """For each action and figure the smallest known position in which its answers differ after a
    renaming, as far as time allows."""
    trials = Trials(EFFORT.asymmetry_seconds * scope.share, EFFORT.asymmetry_longest)
    strange, part = strangers(scope), answering(scope)
    known = sorted(sample(scope, EFFORT.asymmetry_play), key=lambda known: len(known.fluents))
    pairs = [(position, list(renamings(position, strange))) for position in known]
    findings: dict[str, Finding] = {}
    for position, exchanges in trials.of([pair for pair in pairs if pair[1]]):
        here, *there = answers_in(part, [position, *(image(position, x) for x in exchanges)])
        for exchange, answers in zip(exchanges, there, strict=True):
            back = {renamed(about, exchange): given for about, given in answers.items()}
            for about in sorted_symbols(here.keys() | back.keys()):
                given = {renamed(answer, exchange) for answer in back.get(about, ())}
                differing = given ^ here.get(about, set())
                if differing:
                    finding = _finding(position, exchange, about, differing)
                    findings.setdefault(finding.subject, finding)
    notes = () if findings else (f"no difference found in {trials} known {COUNTED}",)
    tried = trials.tried
    return Piece(tried, tried, findings=tuple(findings.values()), notes=notes, partial=True)


def _finding(
    position: Position, exchange: NameExchange, about: Symbol, differing: Iterable[Symbol]
) -> Finding:
    """That the answers about an action or a figure differ, with the rules of what differs."""
    last = {text_of(answer.arguments[-1]) for answer in differing}
    rules = tuple(rule for rule in position.ruleset.rules if rule in last)
    subject = "valid positions" if about == POSITIONS else text_of(about)
    says = f"{subject}: the answer changes if {' and '.join(map(text_of, exchange))} change places"
    action = text_of(about) if about.name in position.ruleset.vocabulary.actions else ""
    return Finding(about.name, says, rules, witness=Witness(position, action))


# -- names -----------------------------------------------------------------------------------------


def renamings(position: Position, strange: Sequence[Symbol]) -> Iterator[NameExchange]:
    """Exchanges of two names that a file lists, and of one for each of those that it does not: any
    order of the names is some of these, one after another. A name that a place or a card has too is
    left out."""
    sorts, scene = position.ruleset.vocabulary.sorts.values(), position.scene
    taken = {*scene.places, *scene.pieces, *chain.from_iterable(sort.members for sort in sorts)}
    for listed in position.listed.values():
        names = [name for name in listed if name not in taken]
        others = ((names[0], other) for other in strange if names and other not in listed)
        yield from ({one: other, other: one} for one, other in chain(pairwise(names), others))


def image(position: Position, exchange: NameExchange) -> Position:
    """The position in which each is what the other was."""
    new = partial(renamed, exchange=exchange)
    listed = {sort: tuple(map(new, members)) for sort, members in position.listed.items()}
    fluents = {new(fluent): new(value) for fluent, value in position.fluents.items()}
    unfinished = tuple(map(new, position.unfinished))
    return replace(position, listed=listed, fluents=fluents, unfinished=unfinished)


def renamed(term: Symbol, exchange: NameExchange) -> Symbol:
    """A term with the names exchanged."""
    if term.type == SymbolType.Function and term.arguments:
        return Function(term.name, [renamed(argument, exchange) for argument in term.arguments])
    return exchange.get(term, term)


def strangers(scope: Scope) -> list[Symbol]:
    """The words that rules have where a name of a file belongs, so that one may be listed."""
    words, statements = scope.ruleset.vocabulary, scope.sources.statements
    filed = {n for n in words.sorts for p in parts_of(words, n) if words.sorts[p].kind == "file"}
    kinds = (words.fluents, words.actions, words.figures, words.findings)
    declared = [d for kind in kinds for d in kind.values()]
    sorts = {(d.name, len(d.sorts)): d.sorts for d in declared}
    named: set[Symbol] = set()
    nodes = [rule for n in scope.sources.own for rule in rules_in(statements[n].text)]
    for node in nodes:
        nodes += children(node)
        if node.ast_type == ASTType.Function:
            places = sorts.get((node.name, len(node.arguments)), ())
            if node.name in ("holds", "sets"):
                fluent = words.fluents.get(str(node.arguments[0]).partition("(")[0])
                places = ("", fluent.value) if fluent else ()
            terms = (t for sort, t in zip(places, node.arguments, strict=False) if sort in filed)
            named |= {term.symbol for term in terms if term.ast_type == ASTType.SymbolicTerm}
    known = {member for sort in words.sorts.values() for member in sort.members}
    known |= {fluent.default for fluent in words.fluents.values()}
    return sorted_symbols(name for name in named - known if name.type == SymbolType.Function)


# -- answers ---------------------------------------------------------------------------------------


def answering(scope: Scope) -> Slice:
    """The rules behind what is answered of a position, where each legal action is carried out."""
    parts = scope.sources.behind((*signature, None) for signature in ANSWERS)
    return Slice((*parts, APPLYING), ANSWERS)


def answers_in(part: Slice, positions: Sequence[Position]) -> list[Answers]:
    """What is answered of each of some positions on one board, without the situation."""
    facts: list[Symbol] = []
    for number, position in enumerate(positions):
        facts += position.facts(situation(number))
        facts += [Function(flag, [situation(number)]) for flag in ("checking", "surveying")]
    answers: list[Answers] = [defaultdict(set) for _ in positions]
    for atom in chain.from_iterable(solve(part, facts, positions[0]).values()):
        arguments = atom.arguments
        here, about = arguments.pop(situated(atom)), POSITIONS
        if here.type == SymbolType.Function:  # an action, carried out in a situation
            about, here = here.arguments
        elif atom.name in SUBJECTS:
            about = arguments[0]
        answers[here.number][about].add(Function(atom.name, arguments))
    return answers


PROPERTIES = (described(ASYMMETRY, check, pieces, speaks_of="", counted=COUNTED),)
