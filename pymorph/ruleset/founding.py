"""Predicates that a ruleset marks as well founded: of each of their rules two are made, for what is
true and for what may be, which are worked out in rounds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from clingo import Symbol
from clingo.ast import AST, ASTType, Literal, Sign, parse_string

from pymorph.asp.dependency import MAYBE, TRUE, Statement, in_rounds
from pymorph.asp.facts import Signature
from pymorph.asp.passes.rewrite import downstream, is_affected
from pymorph.asp.statements import CheckedStatement, plain
from pymorph.asp.trees import atoms_of, signatures
from pymorph.errors import Fault, RulesetError, nearest
from pymorph.ruleset.contract import CONTRACT, ENGINE, INPUTS, UNDEFINED, WELL_FOUNDED
from pymorph.ruleset.declarations import SIGNATURES
from pymorph.ruleset.generated import made

Stated = Sequence[tuple[CheckedStatement, list[Symbol] | None]]


def marked(stated: Stated) -> dict[Signature, CheckedStatement]:
    """The predicates that are marked, each with the fact that says so."""
    return {
        (symbol.arguments[0].name, symbol.arguments[1].number): statement
        for statement, row in stated
        for symbol in row or ()
        if (symbol.name, len(symbol.arguments)) == WELL_FOUNDED
    }


def founded(statements: Sequence[CheckedStatement], stated: Stated) -> tuple[CheckedStatement, ...]:
    """The statements, where those that give what is marked have become two each.

    Raises: RulesetError, where something cannot be worked out so: each fault with its place.
    """
    marks = marked(stated)
    faults = [*_mismarked(statements, marks), *_unmarked(statements, marks)]
    if faults:
        raise RulesetError(faults)
    return _founded(statements, marks) if marks else tuple(statements)


def _mismarked(
    statements: Sequence[CheckedStatement], marks: Mapping[Signature, CheckedStatement]
) -> Iterator[Fault]:
    """What is marked and cannot be, or has no rule."""
    given = {signature for statement in statements for signature in statement.heads}
    own = {s for each in statements if not each.trusted for s in each.heads}
    own -= CONTRACT | SIGNATURES
    for signature, statement in marks.items():
        if signature in CONTRACT | ENGINE | INPUTS:
            says = f"{plain(signature)} is a word of the core, so it cannot be well founded"
            yield Fault(says, statement.place, meant="mark a predicate of your own")
        elif signature not in given:
            near = nearest(plain(signature), map(plain, own))
            yield Fault(
                f"well_founded names {plain(signature)}, but no rule gives it{near}",
                statement.place,
            )


def _unmarked(
    statements: Sequence[CheckedStatement], marks: Mapping[Signature, CheckedStatement]
) -> Iterator[Fault]:
    """Rules that ask whether something is undefined that is not marked."""
    for statement in statements:
        if UNDEFINED not in statement.body or statement.trusted:
            continue
        for name, arity, arguments in (a for part in _rule(statement).body for a in atoms_of(part)):
            term = arguments[0] if (name, arity) == UNDEFINED else None
            if term is None or term.ast_type == ASTType.Variable:
                continue
            asked = [each[:2] for each in _atoms_in(term)]
            for signature in asked or [(str(term), 0)]:
                if signature not in marks:
                    says = f"{plain(signature)} is never undefined, because it is not well founded"
                    meant = f"declare it with well_founded({signature[0]}, {signature[1]})"
                    yield Fault(says, statement.place, meant=meant)


def _atoms_in(term: AST) -> list[tuple[str, int, list[AST]]]:
    plain_term = term.ast_type in (ASTType.Function, ASTType.Pool)
    return signatures(term) if plain_term else []


def _founded(
    statements: Sequence[CheckedStatement], marks: Mapping[Signature, CheckedStatement]
) -> tuple[CheckedStatement, ...]:
    texts: dict[int, str] = {}
    more: list[str] = []
    faults: list[Fault] = []
    for number, statement in enumerate(statements):
        if statement.heads & marks.keys():
            rule = _rule(statement)
            wrong = [part for part in (rule.head, *rule.body) if _buried(part, marks)]
            if wrong:
                says = f"{wrong[0]} reads a well-founded predicate inside another expression"
                meant = (
                    "write that alone or after 'not': give each condition a predicate of its own"
                )
                faults.append(Fault(says, statement.place, meant=meant))
                continue
            texts[number] = str(_turned(rule, marks, TRUE, MAYBE))
            more.append(str(_turned(rule, marks, MAYBE, TRUE)))
    for name, arity in marks:
        terms = f"({','.join(f'X{n}' for n in range(arity))})" if arity else ""
        more.append(f"{name}{terms} :- {TRUE}{name}{terms}.")
        more.append(f"undefined({name}{terms}) :- {MAYBE}{name}{terms}, not {TRUE}{name}{terms}.")
    if faults:
        raise RulesetError(faults)
    found = made([*texts.values(), *more], statements)
    rows = list(statements)
    for number, new in zip(texts, found, strict=False):
        rows[number] = replace(new, place=rows[number].place, trusted=False)
    rows += found[len(texts) :]
    _require_apart(rows)
    return tuple(rows)


def _require_apart(statements: Sequence[CheckedStatement]) -> None:
    """Raises: RulesetError, where what is marked rests on itself by what is not."""
    parts = [Statement(each.text, each.signs) for each in statements]
    later = downstream(parts, filter(in_rounds, parts))
    faults = []
    for statement, part in zip(statements, parts, strict=True):
        if not in_rounds(part) or statement.trusted:
            continue
        for key in sorted(part.signs.reads, key=str):
            if not key[0].startswith((TRUE, MAYBE)) and is_affected(key, later):
                name = plain(sorted(statement.heads)[0]).removeprefix(TRUE)
                by = plain(key[:2])
                says = f"{name} is well founded, but depends on itself through {by}, which is not"
                meant = f"declare well_founded({key[0]}, {key[1]}) as well"
                faults.append(Fault(says, statement.place, meant=meant))
    if faults:
        raise RulesetError(faults)


def _rule(statement: CheckedStatement) -> AST:
    trees: list[AST] = []
    parse_string(statement.text, trees.append)
    return trees[-1]


def _buried(part: AST, marks: Mapping[Signature, object]) -> bool:
    """Does a part of a body read what is marked otherwise than as an atom, or its denial?"""
    plain_part = (
        part.ast_type == ASTType.Literal
        and part.atom.ast_type == ASTType.SymbolicAtom
        and part.atom.symbol.ast_type == ASTType.Function
        and part.sign != Sign.DoubleNegation
    )
    return not plain_part and any(atom[:2] in marks for atom in atoms_of(part))


def _turned(rule: AST, marks: Mapping[Signature, object], mine: str, denied: str) -> AST:
    """A rule that says what is known for *mine*, where what it denies is what is *denied*."""

    def named(literal: AST) -> AST:
        symbol = literal.atom.symbol
        if (symbol.name, len(symbol.arguments)) not in marks:
            return literal
        prefix = denied if literal.sign == Sign.Negation else mine
        symbol = symbol.update(name=f"{prefix}{symbol.name}")
        new: AST = Literal(literal.location, literal.sign, literal.atom.update(symbol=symbol))
        return new

    body = [
        named(part)
        if part.ast_type == ASTType.Literal
        and part.atom.ast_type == ASTType.SymbolicAtom
        and part.atom.symbol.ast_type == ASTType.Function
        else part
        for part in rule.body
    ]
    new: AST = rule.update(head=named(rule.head), body=body)
    return new
