"""Checks every encoding before clingo runs it, and rejects what is dangerous, misspelt or unsafe.

A ruleset is code from outside. Its text first passes the lexical gate (`guard`). It is then parsed,
its trees are compared with what a ruleset may contain, and its files with each other. Callers
use the text that is printed from the checked trees, never the text of the file.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, starmap
from typing import Final, NamedTuple

from clingo import Control, MessageCode, ast
from clingo.ast import AST, ASTType

from pymorph.asp.facts import HOLDS, PAIRED, VALUE, Key, Signature, Signs, StatementKind, paired
from pymorph.asp.guard import LIMITS, Lexer, Span, Text, decoded, reworded
from pymorph.asp.passes.own_names import given, used_words, within_reach
from pymorph.asp.statements import CheckedStatement, Source, plain, same_name
from pymorph.asp.syntax_trees import OWN, Atom, RuleAtoms, calls_in, functors, signatures
from pymorph.errors import Fault, Place, RulesetError, clipped, nearest

KINDS: Final[dict[ASTType, StatementKind]] = {
    ASTType.Rule: "rule",
    ASTType.Defined: "defined",
    ASTType.ShowSignature: "show",
}
SERIOUS: Final = frozenset({MessageCode.RuntimeError, MessageCode.OperationUndefined})


class Occurrence(NamedTuple):
    """An atom in a statement: its tree, and each alternative of its pool with the functors that its
    first argument may have. It is *needed* if the body cannot hold without it."""

    tree: AST
    alternatives: list[tuple[Atom, tuple[str | None, ...]]]
    needed: bool


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
        for node in nodes:
            kind = node.ast_type
            begin = node.location.begin
            implicit = kind == ASTType.Program and str(node) == "#program base."
            if kind == ASTType.Comment or implicit:
                continue
            offset = text.offset(begin.line, begin.column)
            if begin.filename != "<string>" or offset not in spans:
                unread.add(0)
                break
            unread.discard(offset)
            self.nodes.append((node, spans[offset], text.place(offset)))
        if unread:
            self.fault(text.place(min(unread)), "clingo cannot read this")
        return not unread

    def statement(self, node: AST, span: Span, place: Place) -> CheckedStatement:
        """Read one tree and note what a ruleset may not say."""
        text = str(node)
        trusted = self.source.trusted
        file = self.file
        kind = KINDS.get(node.ast_type)
        heads: list[Occurrence] = []
        body: list[Occurrence] = []
        shown: frozenset[Key] = frozenset()
        if kind is None or not (trusted or kind in ("rule", "defined")):
            self.fault(place, f"{clipped(text)} is not allowed outside the core")
        if span.kinds["call"]:
            self.calls(node)
        if kind == "rule":
            plain_atom = self.head(node.head, heads, body)
            if span.kinds["arrow"]:
                for literal in node.body:
                    self.reads(literal, body, top=True)
            elif span.ground and plain_atom:
                kind = self.fact_kind(span, place)
        elif node.ast_type in (ASTType.ShowSignature, ASTType.Defined) and node.name:
            signature = (node.name if node.positive else f"-{node.name}", node.arity)
            if kind == "defined":
                file.derived.setdefault(signature, place)
                file.defined.add(signature)
            else:
                file.read.setdefault(signature, place)
                shown = frozenset({(*signature, None)})
        self.note(heads, file.derived)
        self.note(body, file.read)
        signs = self.signs(heads, body, shown)
        checked = CheckedStatement(text, place, kind or "rule", trusted, signs)
        parts = (heads, [occurrence for occurrence in body if occurrence.needed], body)
        atoms = ([atom for one in part for atom, _ in one.alternatives] for part in parts)
        vars(checked).update(tree=node, atoms=RuleAtoms(*atoms))
        file.defined |= checked.heads
        for signature in checked.heads:
            if signature[0].startswith("-"):
                head = clipped(plain(signature))
                self.fault(place, f"{head} would be a constraint; give it another name")
        return checked

    def signs(
        self, heads: list[Occurrence], body: list[Occurrence], shown: frozenset[Key]
    ) -> Signs:
        """The keys that a statement requires, defines and uses; it uses those that are *shown*."""
        requires = []
        uses = set(shown)
        flows: dict[str, Signature] = {}
        for occurrence in body:
            alternatives = occurrence.alternatives
            keys = frozenset(chain.from_iterable(starmap(self.tagged, alternatives)))
            uses |= keys
            if not occurrence.needed:
                continue
            requires.append(keys)
            values = frozenset(chain.from_iterable(starmap(self.values, alternatives)))
            if values and not any(value is None for _, _, value in values):
                requires.append(values)
            (name, arity, arguments), names = alternatives[0]
            if len(alternatives) > 1 or not arguments:
                continue
            if arguments[0].ast_type == ASTType.Variable:
                flows.setdefault(arguments[0].name, (name, arity))
                continue
            fluent = names[0] if (name, arity) == HOLDS and len(names) == 1 else None
            if fluent is not None and arguments[1].ast_type == ASTType.Variable:
                flows.setdefault(arguments[1].name, (fluent, VALUE))
        defines: list[tuple[Key, Signature | None]] = []
        for atom, names in chain.from_iterable(o.alternatives for o in heads):
            first = atom[2][0] if flows and atom[2] else None
            variable = first is not None and first.ast_type == ASTType.Variable
            flow = flows.get(first.name) if variable and first is not None else None
            defines += [(key, flow) for key in self.tagged(atom, names)]
        return Signs(tuple(requires), tuple(defines), frozenset(uses))

    def values(self, atom: Atom, names: Sequence[str | None]) -> Iterator[Key]:
        """The keys of the values of which an atom reads one, if it names its fluents."""
        name, arity, arguments = atom
        if (name, arity) == HOLDS and None not in names:
            values = list(functors(arguments[1]))
            yield from ((of or "", VALUE, value) for of in names for value in values)
        else:
            yield ("", VALUE, None)

    def tagged(self, atom: Atom, names: Iterable[str | None]) -> Iterator[Key]:
        """The keys of an atom, whatever its predicate; those of pairs have both words."""
        name, arity, arguments = atom
        for functor in names:
            if (name, arity) in PAIRED:
                for second in functors(arguments[1]):
                    yield (name, arity, paired(functor, second))
            else:
                yield (name, arity, functor)

    def fact_kind(self, span: Span, place: Place) -> StatementKind:
        """Whether a statement without a body is a fact, or several."""
        if span.open_ranges or span.kinds["dots"]:
            self.fault(
                place, "a range in a fact must be an argument by itself, between two plain numbers"
            )
        return "facts" if span.pools > 1 or span.kinds["range"] else "fact"

    def occurrence(self, symbol: AST, needed: bool = False) -> Occurrence:
        alternatives = [
            (atom, tuple(functors(atom[2][0])) if atom[2] else (None,))
            for atom in signatures(symbol)
        ]
        return Occurrence(symbol, alternatives, needed)

    def head(self, node: AST, heads: list[Occurrence], body: list[Occurrence]) -> bool:
        """Collect what a head derives and what its conditions read; whether it is one atom."""
        kind = node.ast_type
        if kind == ASTType.Literal:
            atom = node.atom
            if atom.ast_type == ASTType.SymbolicAtom and node.sign == ast.Sign.NoSign:
                heads.append(self.occurrence(atom.symbol))
                return True
            advice = "a prohibition names its rule: forbidden(A, S, R) :- ..."
            self.fault(node, f"a constraint gives no reason; {advice}")
            return False
        what = "disjunction" if kind == ASTType.Disjunction else "choice"
        self.fault(node, f"a {what} in a head is not allowed outside the core")
        if kind == ASTType.HeadAggregate:
            elements = [element.condition for element in node.elements]
        elif kind in (ASTType.Aggregate, ASTType.Disjunction):
            elements = list(node.elements)
            if kind == ASTType.Disjunction and len(elements) == 1 and not elements[0].condition:
                self.fault(node, "nothing follows the ':'")
        else:
            self.fault(node, f"{clipped(str(node))} is not allowed in a ruleset")
            elements = []
        for element in elements:
            self.conditional(element, heads, body)
        return False

    def reads(self, node: AST, body: list[Occurrence], top: bool = False) -> None:
        """Collect the atoms that a part of a body reads; *top*: it is a part of a rule's body."""
        kind = node.ast_type
        if kind == ASTType.ConditionalLiteral:
            if not node.condition:
                self.fault(node, "nothing follows the ':'")
            self.conditional(node, body, body)
            return
        atom = node.atom if kind == ASTType.Literal else node
        kind = atom.ast_type
        if kind == ASTType.SymbolicAtom:
            needed = top and atom is not node and node.sign == ast.Sign.NoSign
            body.append(self.occurrence(atom.symbol, needed))
        elif kind == ASTType.BodyAggregate:
            for literal in chain.from_iterable(element.condition for element in atom.elements):
                self.reads(literal, body)
        elif kind == ASTType.Aggregate:
            for element in atom.elements:
                self.conditional(element, body, body)
        elif kind not in (ASTType.Comparison, ASTType.BooleanConstant):
            self.fault(node, f"{clipped(str(node))} is not allowed in a ruleset")

    def conditional(self, node: AST, atoms: list[Occurrence], body: list[Occurrence]) -> None:
        """Collect the atom of a literal with conditions, and those that the conditions read."""
        self.reads(node.literal, atoms)
        for literal in node.condition:
            self.reads(literal, body)

    def note(self, atoms: list[Occurrence], places: dict[Signature, Place]) -> None:
        """Note the first place of each predicate."""
        for tree, alternatives, _ in atoms:
            for (name, arity, _), _ in alternatives:
                if (name, arity) not in places:
                    places[name, arity] = self.place(tree)

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
