"""Checks every encoding before clingo runs it, and rejects what is dangerous, misspelt or unsafe.

A ruleset is code from outside. Its text first passes the lexical gate (`guard`). It is then parsed,
its trees are compared with what a ruleset may contain, and its files with each other. Callers
use the text that is printed from the checked trees, never the text of the file.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Final

from clingo import Control, MessageCode, ast
from clingo.ast import AST, ASTType

from pymorph.asp.facts import Key, Signature, StatementKind
from pymorph.asp.guard import LIMITS, Lexer, Span, Text, decoded, reworded
from pymorph.asp.instances import instances, range_of
from pymorph.asp.passes.own_names import given, used_words, within_reach
from pymorph.asp.statements import CheckedStatement, Source, plain, same_name
from pymorph.asp.syntax_trees import (
    OWN,
    Occurrence,
    RuleAtoms,
    calls_in,
    is_atom,
    occurrences_in,
    parts_of,
    signs_of,
)
from pymorph.errors import Fault, Place, RulesetError, clipped, nearest

KINDS: Final[dict[ASTType, StatementKind]] = {
    ASTType.Rule: "rule",
    ASTType.Defined: "defined",
    ASTType.ShowSignature: "show",
}
SERIOUS: Final = frozenset({MessageCode.RuntimeError, MessageCode.OperationUndefined})


@dataclass(frozen=True, slots=True)
class GateRules:
    """What encodings may refer to beside what they define themselves.

    engine     derived by trusted sources or added by the caller, never by a ruleset
    inputs     facts that are given with each query
    contract   what an encoding may give or leave out
    functions  the names and arities that may follow an @
    free       words of the core of which a ruleset may make its own, if it reads what it gives
    """

    engine: frozenset[Signature] = frozenset()
    inputs: frozenset[Signature] = frozenset()
    contract: frozenset[Signature] = frozenset()
    functions: frozenset[Signature] = frozenset()
    free: frozenset[Signature] = frozenset()

    @property
    def vocabulary(self) -> frozenset[Signature]:
        return self.engine | self.inputs | self.contract


@dataclass(slots=True)
class CheckedFile:
    """The statements of one file, the predicates that it defines, and the places where it first
    reads or derives each."""

    statements: tuple[CheckedStatement, ...] = ()
    defined: set[Signature] = field(default_factory=set)
    read: dict[Signature, Place] = field(default_factory=dict)
    derived: dict[Signature, Place] = field(default_factory=dict)


@dataclass(slots=True)
class Findings:
    """The faults, and the suggestions for unknown names."""

    faults: list[Fault] = field(default_factory=list)
    guesses: dict[str, str] = field(default_factory=dict)

    def guess(self, name: str, known: Iterable[str]) -> str:
        """A suggestion for an unknown *name*, for each of the first 20 of them."""
        if name not in self.guesses and len(self.guesses) < LIMITS.guesses:
            self.guesses[name] = nearest(name, known)
        return self.guesses.get(name, "")


def check(sources: Sequence[Source], rules: GateRules) -> tuple[CheckedStatement, ...]:
    """The statements of all *sources*, in order, each checked by itself and against the others.

    Raises: RulesetError, with the faults of all files sorted by place.
    """
    return tuple(chain.from_iterable(f.statements for f in check_files(sources, rules, {})))


def check_files(
    sources: Sequence[Source], rules: GateRules, known: Mapping[Source, CheckedFile]
) -> list[CheckedFile]:
    """The same, file by file; those that are *known* are not checked again."""
    findings = Findings()
    encodings = [Encoding(source, rules, findings) for source in sources if source not in known]
    parsed = [encoding for encoding in encodings if encoding.parse()]
    for encoding in parsed:
        encoding.file.statements = tuple(encoding.statement(*node) for node in encoding.nodes)
    for encoding in parsed:
        findings.faults += encoding.unsafe()
    fresh = {encoding.source: encoding.file for encoding in parsed}
    files = [known.get(s) or fresh[s] for s in sources if s in known or s in fresh]
    findings.faults += lint(rules, findings, files, complete=len(files) == len(sources))
    if findings.faults:
        faults = sorted(set(findings.faults), key=order)
        if len(faults) > LIMITS.messages:
            faults[LIMITS.messages :] = [Fault(f"and {len(faults) - LIMITS.messages} more")]
        raise RulesetError(faults)
    return files


def order(fault: Fault) -> tuple[str, int, int, str]:
    place = fault.place or Place("")
    return (place.file, place.line, place.column, fault.message)


class Encoding:
    """One file on its way through the gate."""

    def __init__(self, source: Source, rules: GateRules, findings: Findings) -> None:
        self.source = source
        self.rules = rules
        self.findings = findings
        self.file = CheckedFile()
        self.text = Text(source.name, "")
        self.nodes: list[tuple[AST, Span, Place]] = []

    def fault(self, where: AST | Place, message: str) -> None:
        place = where if isinstance(where, Place) else self.place(where)
        self.findings.faults.append(Fault(message, place))

    def place(self, node: AST) -> Place:
        begin = node.location.begin
        return self.text.place(self.text.offset(begin.line, begin.column))

    def parse(self) -> bool:
        """Whether the file passes the lexical gate and clingo reads the same statements in it."""
        faults = self.findings.faults
        text = decoded(self.source.name, self.source.text)
        if isinstance(text, Fault):
            faults.append(text)
            return False
        lexer = Lexer(text, self.source.trusted)
        lexer.run()
        faults += lexer.faults
        if lexer.faults:
            return False
        self.text = text
        nodes: list[AST] = []
        messages: list[str] = []
        try:
            ast.parse_string(
                text.text,
                nodes.append,
                logger=lambda _, message: messages.append(message),
                message_limit=LIMITS.messages,
            )
        except RuntimeError:
            for message in messages or [""]:
                faults += reworded(text, message)
            return False
        spans = {span.offset: span for span in lexer.spans}
        unread = set(spans)
        number = len(faults)
        for node in nodes:
            if node.ast_type in (ASTType.Comment, ASTType.Program):  # "#program base.", unwritten
                continue
            begin = node.location.begin
            offset = text.offset(begin.line, begin.column)
            if begin.filename != "<string>" or offset not in spans:
                unread.add(0)
                break
            unread.discard(offset)
            self.nodes.append((node, spans[offset], text.place(offset)))
        if unread:
            self.fault(text.place(min(unread)), "clingo cannot read this")
        else:
            self.expand()
        return len(faults) == number

    def expand(self) -> None:
        """Count what the pools and ranges of the file stand for, without writing it out."""
        every = work = 0
        for node, span, place in self.nodes:
            if not (span.pooled or span.kinds["dots"]):
                continue
            intervals = [part for part in parts_of(node) if part.ast_type == ASTType.Interval]
            ranges = list(map(range_of, intervals))
            for interval, numbers in zip(intervals, ranges, strict=True):
                if numbers is not None and not 0 < len(numbers) <= LIMITS.range:
                    wrong = f"wider than {LIMITS.range:,}" if numbers else "empty"
                    start = getattr(interval.left, "argument", interval.left)
                    says = f"the range {numbers.start}..{numbers.stop - 1} is {wrong}"
                    self.fault(start, says)
            if None in ranges and span.ground and is_atom(node.head):
                says = "a range in a fact must be an argument by itself, between two plain numbers"
                self.fault(place, says)
            pools = instances(node)
            if pools > LIMITS.pool:
                says = f"the statement has more than {LIMITS.pool:,} alternatives in pools"
                self.fault(place, says)
            before = every <= LIMITS.instances and work <= LIMITS.work
            number = pools if span.kinds["arrow"] else instances(node, ranges=True)
            every += number
            work += pools * span.length
            if before and (every > LIMITS.instances or work > LIMITS.work):
                self.fault(place, "the pools and ranges up to here have too many instances")

    def statement(self, node: AST, span: Span, place: Place) -> CheckedStatement:
        """Read one tree and note what a ruleset may not say."""
        text = str(node)
        trusted = self.source.trusted
        file = self.file
        kind = KINDS.get(node.ast_type)
        every: list[Occurrence] = []
        shown: frozenset[Key] = frozenset()
        if kind is None or not (trusted or kind in ("rule", "defined")):
            self.fault(place, f"{clipped(text)} is not allowed outside the core")
        if span.kinds["call"]:
            self.calls(node)
        if kind == "rule":
            every = occurrences_in(node)
            for part in node.body if span.kinds["colon"] else ():
                if part.ast_type == ASTType.ConditionalLiteral and not part.condition:
                    self.fault(part, "nothing follows the ':'")
            if not every or not every[0].derived or node.head.ast_type != ASTType.Literal:
                self.head(node.head)
            elif span.ground:
                kind = "facts" if span.pooled or span.kinds["dots"] else "fact"
        elif node.ast_type in (ASTType.ShowSignature, ASTType.Defined) and node.name:
            signature = (node.name if node.positive else f"-{node.name}", node.arity)
            if kind == "defined":
                file.derived.setdefault(signature, place)
                file.defined.add(signature)
            else:
                file.read.setdefault(signature, place)
                shown = frozenset({(*signature, None)})
        for one in every:
            places = file.derived if one.derived else file.read
            for name, arity, _ in one.atoms:
                if (name, arity) not in places:
                    places[name, arity] = self.place(one.tree)
        checked = CheckedStatement(text, place, kind or "rule", trusted, signs_of(every, shown))
        vars(checked).update(tree=node, atoms=RuleAtoms.of(every))
        file.defined |= checked.heads
        for signature in checked.heads:
            if signature[0].startswith("-"):
                head = clipped(plain(signature))
                self.fault(place, f"{head} would be a constraint; give it another name")
        return checked

    def head(self, node: AST) -> None:
        """Reject a head that is not one atom."""
        if node.ast_type == ASTType.Literal:
            advice = "a prohibition names its rule: forbidden(A, S, R) :- ..."
            self.fault(node, f"a constraint gives no reason; {advice}")
            return
        what = "disjunction" if node.ast_type == ASTType.Disjunction else "choice"
        self.fault(node, f"a {what} in a head is not allowed outside the core")
        if what == "disjunction" and len(node.elements) == 1 and not node.elements[0].condition:
            self.fault(node, "nothing follows the ':'")

    def calls(self, node: AST) -> None:
        """Compare each @function in a statement with the allow-list."""
        for part in calls_in(node):
            called = (part.name, len(part.arguments))
            if called not in self.rules.functions:
                name = f"@{plain(called)}"
                known = [f"@{plain(function)}" for function in self.rules.functions]
                guess = self.findings.guess(name, known)
                self.fault(part, f"unknown function {clipped(name)}{guess}")

    def unsafe(self) -> Iterator[Fault]:
        """The faults that clingo reports of the rules of the file before it grounds them."""
        messages: list[tuple[MessageCode, str]] = []
        control = Control([], lambda *message: messages.append(message), LIMITS.messages)
        try:
            with ast.ProgramBuilder(control) as builder:
                for node, span, _ in self.nodes:
                    if span.kinds["variable"] or span.operators:
                        builder.add(node)
            control.ground([])  # no part: the rules are rewritten and checked, nothing more
        except RuntimeError as error:
            if not messages:
                messages.append((MessageCode.RuntimeError, str(error)))
        for code, message in messages:
            if code in SERIOUS:
                yield from reworded(self.text, message)


def lint(
    rules: GateRules, findings: Findings, files: Sequence[CheckedFile], complete: bool
) -> Iterator[Fault]:
    """Predicates that nothing defines, or not with this number of arguments, and words that are
    reserved for trusted files.

    What is defined is known only if the files are *complete*, each of them parsed.
    """
    statements = tuple(chain.from_iterable(file.statements for file in files))
    used = used_words(statements) if complete else given(statements)
    own = owned(statements, rules, used)
    internal = internal_words(statements, rules)
    for file in files:
        if any(statement.trusted for statement in file.statements):
            continue
        for signature in file.derived.keys() & internal - own:
            message = f"{plain(signature)} is a word of the core; give yours another name"
            yield Fault(message, file.derived[signature])
        for statement in file.statements:
            for signature in statement.heads & (rules.engine | rules.inputs) - own:
                message = f"{clipped(plain(signature))} belongs to the core and cannot be derived"
                yield Fault(f"{message} by a ruleset", statement.place)
        for signature, place in file.derived.items():
            if signature[0].startswith(OWN):
                yield Fault(f"names of a ruleset cannot start with {OWN!r}", place)
    names = {name for name, _ in rules.vocabulary}
    defined = rules.vocabulary.union(*(file.defined for file in files))
    known = {name for name, _ in defined}
    places = chain.from_iterable((*f.read.items(), *f.derived.items()) for f in files)
    for signature, place in places:
        if signature[0] in names:
            if signature not in rules.vocabulary and signature not in used:
                others = same_name(signature, rules.vocabulary)
                yield Fault(f"unknown predicate {plain(signature)}; there is {others}", place)
        elif complete and signature not in defined:
            others = same_name(signature, defined)
            guess = f"; there is {others}" if others else findings.guess(signature[0], known)
            guess = "" if guess.startswith("; expected") else guess
            yield Fault(f"unknown predicate {plain(signature)}{guess}", place)


def internal_words(
    statements: Iterable[CheckedStatement], rules: GateRules
) -> frozenset[Signature]:
    """The predicates that the core defines for itself, which are in no vocabulary."""
    return frozenset().union(*(s.heads for s in statements if s.trusted)) - rules.vocabulary


def owned(
    statements: Sequence[CheckedStatement], rules: GateRules, used: Collection[Signature]
) -> frozenset[Signature]:
    """Of the predicates that a ruleset gives and reads, its own that the core has as well: for
    itself, or in a part that this ruleset does not use."""
    internal = internal_words(statements, rules)
    clashing = frozenset(used) & (internal | rules.free)
    if not clashing:
        return clashing
    core = frozenset().union(*(s.heads for s in statements if s.trusted))
    known = rules.inputs | (rules.engine - core) | (given(statements) - clashing)
    return clashing - (within_reach(statements, known - clashing) - internal)
