"""What the header of an encoding promises, and what its rules do."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from clingo.ast import AST, ASTType, parse_string

Signature = tuple[str, int]
PARTS = ("Reads", "Gives", "Keeps")
WITHIN = {"condition", "elements", "literal"}  # what of a node may have atoms in it
ATOM = re.compile(r"([a-z_]\w*'*)(?:/(\d+)|\((.*)\))?")
NESTED = re.compile(r"\([^()]*\)")
# An atom and its meaning, or what a file gives, as in `turns.lp: acting/3, alive/2`.
ENTRY = re.compile(r"^  (?:  )?(?:[\w.]+: )?([a-z_]\S.*?)(?:\s{2,}\S|\s*$)")


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


def predicates(node: AST) -> Iterator[Signature]:
    """The predicates of a head, or of a literal of a body."""
    if node.ast_type == ASTType.Literal:
        node = node.atom
    if node.ast_type == ASTType.SymbolicAtom:
        symbol = node.symbol
        while symbol.ast_type == ASTType.UnaryOperation:
            symbol = symbol.argument
        for one in symbol.arguments if symbol.ast_type == ASTType.Pool else [symbol]:
            if one.ast_type == ASTType.Function:
                yield one.name, len(one.arguments)
        return
    for key in WITHIN.intersection(node.child_keys):
        child = getattr(node, key)
        for part in [child] if isinstance(child, AST) else child or ():
            yield from predicates(part)


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
            found.heads.update(predicates(statement.head))
            for literal in statement.body:
                found.bodies.update(predicates(literal))
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
            for atom in re.split(r"(?<=/\d), ?", match[1].rstrip(",")):
                if (signature := signature_of(atom)) is None:
                    found.amiss.append(f"no predicate: {atom}")
                elif signature in found.listed[part]:
                    found.amiss.append(f"listed twice under {part}: {atom}")
                else:
                    found.listed[part].add(signature)


def signature_of(atom: str) -> Signature | None:
    """Name and number of arguments of an atom written with variables, or as `acting/3`."""
    match = ATOM.fullmatch(atom)
    if match is None:
        return None
    arguments = match[3] or ""
    while (flat := NESTED.sub("", arguments)) != arguments:
        arguments = flat
    if ")" in arguments:
        return None
    return match[1], int(match[2] or arguments.count(",") + bool(match[3]))
