"""What it takes for a statement to fire: its body as a goal, and the actions with which it may."""

from __future__ import annotations

import re
from functools import lru_cache

from clingo import ast

from pymorph.asp.dependency import Statement
from pymorph.asp.facts import Key, rulings
from pymorph.verify.domain import told_of_positions
from pymorph.verify.scope import Scope
from pymorph.verify.sources import playing

VARIABLE = re.compile(r"\b[A-Z]\w*'*")
OF_PROPERTIES = frozenset({("violated", 4), ("speaks", 2), ("measure", 3)})
WANTED = ("wanted", 2)
SOUGHT = ("sought", 2)


def candidates(scope: Scope) -> list[int]:
    """The numbers of the statements that ought to fire: the ruleset's own rules with a body."""
    statements = scope.sources.statements
    return [
        n
        for n in scope.sources.own
        if statements[n].kind == "rule"
        and statements[n].body
        and playing(statements[n])
        and not statements[n].heads & OF_PROPERTIES
        and "/properties/" not in f"/{statements[n].place.file}"
        and (scope.changed is None or n in scope.changed)
    ]


def judges(scope: Scope) -> frozenset[int]:
    """The statements that lead to ``ill_formed``: they may speak of what is no position."""

    def made() -> frozenset[int]:
        index, numbered = scope.sources.index(), scope.sources.numbered
        leading = index.numbers([("ill_formed", 3, None)], range(len(numbered)), figured=True)
        return frozenset(numbered[place][0] for place in leading)

    found: frozenset[int] = scope.once("judges", made)
    return found


def firing(scope: Scope, name: str) -> frozenset[int]:
    """The statements that may fire where an action of a name is asked about and carried out; or
    none, if there is no name."""
    numbered = scope.sources.numbered
    fired = scope.sources.index().firing(asking(scope, name))
    return frozenset(numbered[place][0] for place in fired)


def asking(scope: Scope, name: str) -> frozenset[Key]:
    """The keys of all that may be told with a question about an action of a name, if it has one."""
    words = scope.ruleset.vocabulary
    known = told_of_positions(words)
    known |= {(*WANTED, None), (*SOUGHT, None)}
    if name:
        known |= {("asked", 2, name), ("does", 3, name)}
    known |= {("wide", 1, None), ("surveying", 1, None)}
    known |= rulings(scope.ruleset.options)
    return known


def fired(number: int, text: str) -> str:
    """A rule by which the statement with that number is a goal where its body holds."""
    lines: list[str] = []

    def keep(node: ast.AST) -> None:
        if node.ast_type == ast.ASTType.Rule:
            body = "; ".join(map(str, node.body))
            lines.append(f"verify_goal({number}) :- {body}.")

    ast.parse_string(unsought_text(text), keep)
    return "\n".join(lines)


def all_unsought(scope: Scope) -> list[Statement]:
    """All statements, worked out once, as `unsought` has them."""
    found: list[Statement] = scope.once(
        "unsought", lambda: [unsought(part) for part in scope.sources.parts]
    )
    return found


def unsought(part: Statement) -> Statement:
    """A statement that takes for granted that whatever it asks about is sought."""
    if not any(key[:2] == SOUGHT for key in part.signs.reads):
        return part
    needs = tuple(n for n in part.signs.needs if not any(key[:2] == SOUGHT for key in n))
    return Statement(unsought_text(part.text), part.signs._replace(needs=needs))


@lru_cache(maxsize=10000)
def unsought_text(text: str) -> str:
    """The same statement where whatever there is may be sought."""
    if "sought(" not in text:
        return text
    lines: list[str] = []

    def keep(node: ast.AST) -> None:
        if node.ast_type == ast.ASTType.Rule:
            body = [sought_any(str(literal)) for literal in node.body]
            lines.append(f"{node.head} :- {'; '.join(body)}.")

    ast.parse_string(text, keep)
    return "\n".join(lines)


def sought_any(literal: str) -> str:
    """Instead of a literal of ``sought``, that its variables may be anything."""
    if not literal.startswith("sought("):
        return literal
    return "; ".join(f"verify_any({name})" for name in VARIABLE.findall(literal))
