"""What the header of an encoding promises, and what its rules do."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from clingo.ast import AST, ASTType, Transformer, parse_string

Signature = tuple[str, int]
PARTS = ("Reads", "Gives", "Keeps")
ENTRY = re.compile(r"^  ([a-z_]\S.*?)(?:\s{2,}\S|\s*$)")


@dataclass
class Encoding:
    """One file: its header by parts, the predicates of its heads and bodies, its statements."""

    path: Path
    listed: dict[str, set[Signature]] = field(default_factory=dict)
    heads: set[Signature] = field(default_factory=set)
    bodies: set[Signature] = field(default_factory=set)
    rules: list[str] = field(default_factory=list)
    shows: bool = False
    amiss: list[str] = field(default_factory=list)

    def disagreements(self) -> list[str]:
        """Where the header and the rules differ, in words."""
        given = self.listed["Gives"] | self.listed["Keeps"]
        return self.amiss + [
            f"{label}: {name}/{arity}"
            for label, odd in (
                ("read but not listed", self.bodies - self.heads - self.listed["Reads"]),
                ("listed but not read", self.listed["Reads"] - self.bodies),
                ("listed but not derived", given - self.heads),
                ("derived but not listed", self.heads - given),
                ("given and kept", self.listed["Gives"] & self.listed["Keeps"]),
            )
            for name, arity in sorted(odd)
        ]


class _Atoms(Transformer):
    """Collects the predicates of a part of a rule."""

    def __init__(self, found: set[Signature]) -> None:
        self.found = found

    def visit_SymbolicAtom(self, atom: AST) -> AST:  # noqa: N802
        symbol = atom.symbol
        while symbol.ast_type == ASTType.UnaryOperation:
            symbol = symbol.argument
        for one in symbol.arguments if symbol.ast_type == ASTType.Pool else [symbol]:
            if one.ast_type == ASTType.Function:
                self.found.add((one.name, len(one.arguments)))
        return atom


def read(path: Path) -> Encoding:
    """An encoding as a file has it."""
    text = path.read_text(encoding="utf-8")
    found = Encoding(path, {part: set() for part in PARTS})
    if not text.lstrip().startswith("%*"):
        found.amiss.append("there is no header")
    else:
        _header(text[text.index("%*") + 2 : text.index("*%")], found)

    def note(statement: AST) -> None:
        if statement.ast_type == ASTType.Rule:
            found.rules.append(str(statement))
            _Atoms(found.heads).visit(statement.head)
            for literal in statement.body:
                _Atoms(found.bodies).visit(literal)
        elif statement.ast_type == ASTType.ShowSignature:
            found.shows = True

    parse_string(text, note)
    return found


def _header(block: str, found: Encoding) -> None:
    part = None
    for line in block.splitlines():
        if line.strip() in PARTS:
            part = line.strip()
        elif part and (match := ENTRY.match(line)):
            signature = signature_of(match[1])
            if signature is None:
                found.amiss.append(f"no predicate: {match[1]}")
            elif signature in found.listed[part]:
                found.amiss.append(f"listed twice under {part}: {match[1]}")
            else:
                found.listed[part].add(signature)


def signature_of(atom: str) -> Signature | None:
    """Name and number of arguments of an atom written with variables."""
    statements: list[AST] = []
    try:
        parse_string(f"{atom}.", statements.append, logger=lambda *_: None)
        symbol = statements[-1].head.atom.symbol
        return symbol.name, len(symbol.arguments)
    except (RuntimeError, AttributeError):
        return None
