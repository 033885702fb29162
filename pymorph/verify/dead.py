"""Statements that nothing makes fire, rules that never have a say, cards that cannot be played."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from clingo import Symbol, SymbolType, ast

from pymorph.slices import Index, Key, Part, paired
from pymorph.terms import text_of
from pymorph.verify.domain import HERE, Domain, edited, indexing
from pymorph.verify.narrowing import cards_only
from pymorph.verify.properties import Property
from pymorph.verify.results import UNKNOWN, VIOLATED, Finding, Piece
from pymorph.verify.search import Search
from pymorph.verify.setting import Setting, wider_settings
from pymorph.verify.sources import playing, shown
from pymorph.vocabulary import Declared

VARIABLE = re.compile(r"\b[A-Z]\w*'*")
CARDS = "cards"
OF_PROPERTIES = frozenset({("violated", 4), ("speaks", 2), ("measure", 3)})
# What comes with some questions, beside the position: it may be so, or not.
FLAGS = ("wide(0)", "surveying(0)")
WANTED = ("wanted", 2)
SOUGHT = ("sought", 2)
ACTING = frozenset({("asked", 2), ("does", 3), ("considered", 2)})
OF_ACTIONS = frozenset(
    {
        ("asked", 2), ("considered", 2), ("does", 3), ("proposed", 3), ("forbidden", 3),
        ("waits", 3), ("costs", 6), ("unsettled", 4), ("weighs", 4), ("unfolds", 4), ("legal", 2),
    }
)  # fmt: skip


def candidates(setting: Setting) -> list[int]:
    """The numbers of the statements that ought to fire: the ruleset's own rules with a body."""
    statements = setting.sources.statements
    return [
        n
        for n in setting.sources.own
        if statements[n].kind == "rule"
        and statements[n].body
        and playing(statements[n])
        and not statements[n].heads & OF_PROPERTIES
        and "/properties/" not in f"/{statements[n].place.file}"
        and (setting.changed is None or n in setting.changed)
    ]


def shares(setting: Setting) -> Mapping[str, tuple[int, ...]]:
    """The statements that each piece of work looks at: those of a file that need no action, and for
    each action those that speak of it, or of no action by name and are looked at there."""
    found: Mapping[str, tuple[int, ...]] = setting.once("shares", lambda: _shares(setting))
    return found


def _shares(setting: Setting) -> Mapping[str, tuple[int, ...]]:
    actions = setting.ruleset.vocabulary.actions
    found: dict[str, list[int]] = {name: [] for name in actions}
    acting = hanging(setting)
    may_fire = {name: firing(setting, name) for name in actions}
    taken: Counter[str] = Counter()
    seen = witnessed(setting)
    for n in candidates(setting):
        if n in seen:
            continue
        if n not in acting:
            file = setting.sources.statements[n].place.file
            found.setdefault(f"in {Path(file).stem}", []).append(n)
            continue
        signs = setting.sources.statements[n].signs
        keys = {key for key, _ in signs.gives} | signs.reads
        named = [
            key[2] for key in sorted(keys, key=str) if key[:2] in OF_ACTIONS and key[2] in actions
        ]
        able = [name for name in actions if n in may_fire[name]]
        own = [name for name in named if name in able] or able or list(actions)
        name = min(own, key=lambda each: taken[each])
        taken[name] += 1
        found[name].append(n)
    return {name: tuple(numbers) for name, numbers in found.items() if numbers}


def witnessed(setting: Setting) -> frozenset[int]:
    """The statements that fire in positions that come with the ruleset."""
    from pymorph.verify.known import brought, fired_in

    seen: frozenset[int] = setting.once("seen", lambda: fired_in(setting, brought(setting)))
    return seen


def hanging(setting: Setting) -> frozenset[int]:
    """The statements that say something only of an action that is asked about or carried out."""
    below = set(ACTING)
    found: set[int] = set()
    grown = True
    while grown:
        grown = False
        for n, part in setting.sources.numbered:
            if n not in found and any(
                all(key[:2] in below for key in alternatives) for alternatives in part.signs.needs
            ):
                found.add(n)
                grown = True
        for n, part in setting.sources.numbered:
            if n in found:
                for key, _ in part.signs.gives:
                    givers = setting.sources.giving(key[:2])
                    if all(each in found for each in givers):
                        below.add(key[:2])
    return frozenset(found)


def judges(setting: Setting) -> frozenset[int]:
    """The statements that lead to ``ill_formed``: they may speak of what is no position."""

    def made() -> frozenset[int]:
        numbers, index = indexed(setting)
        every = range(len(numbers))
        leading = set(map(id, index.leading_to([("ill_formed", 3, None)], every, True)))
        return frozenset(
            n for n, part in zip(numbers, index.parts, strict=True) if id(part) in leading
        )

    found: frozenset[int] = setting.once("judges", made)
    return found


def firing(setting: Setting, name: str) -> frozenset[int]:
    """The statements that may fire where an action of a name is asked about and carried out."""
    words = setting.ruleset.vocabulary
    known: set[Key] = {("situation", 1, None), ("checking", 1, None), ("present", 2, None)}
    known |= {("holds", 3, fluent) for fluent in words.fluents}
    known |= {("asked", 2, name), ("does", 3, name), (*WANTED, None), (*SOUGHT, None)}
    known |= {("wide", 1, None), ("surveying", 1, None)}
    known |= {("ruled", 3, paired(q, o)) for q, row in setting.ruleset.options.items() for o in row}
    numbers, index = indexed(setting)
    return frozenset(numbers[place] for place in index.firing(known))


def indexed(setting: Setting) -> tuple[list[int], Index]:
    """All that bears on play, with the numbers of the statements."""

    def made() -> tuple[list[int], Index]:
        numbered = setting.sources.numbered
        return [n for n, _ in numbered], Index([part for _, part in numbered])

    found: tuple[list[int], Index] = setting.once("index", made)
    return found


def pieces(setting: Setting) -> list[str]:
    """What needs no action, then each action, then the cards."""
    return (
        [*shares(setting), CARDS]
        if setting.changed is None or cards_only(setting)
        else list(shares(setting))
    )


def study(setting: Setting, name: str) -> dict[str, Piece]:
    """What fires of the statements that a piece of work looks at."""
    if name == CARDS:
        return {"dead": cards(setting)}
    numbers = shares(setting)[name]
    judging = judges(setting)
    reached = set(searched(setting, name, numbers).reached())
    if name not in setting.ruleset.vocabulary.actions and judging.intersection(numbers):
        reached |= set(
            searched(setting, name, judging.intersection(numbers), False, False).reached()
        )
    met = frozenset(str(goal.number) for goal in reached)
    return {
        "dead": Piece(
            len(numbers),
            len(met),
            due=frozenset(f"{n} {name}" for n in numbers),
            met=met,
        )
    }


def searched(
    setting: Setting,
    name: str,
    numbers: Collection[int],
    opening: bool = False,
    well_formed: bool = True,
) -> Search:
    """The search for positions, and actions of a name, in which some statements fire."""
    statements = setting.sources.statements
    words = setting.ruleset.vocabulary
    schema = words.actions.get(name)
    sought = {key for n in numbers for key in statements[n].signs.reads if key[:2] != SOUGHT}
    extra = [fired(n, statements[n].text) for n in numbers]
    parts = setting.once("unsought", lambda: [unsought(p) for p in setting.sources.parts])
    told = [f"{{ {flag} }}." for flag in FLAGS]
    domain = Domain.of(setting)
    anything = {
        member
        for sort in words.sorts
        for member in domain.members(sort)
        if member.type == SymbolType.Function
    }
    extra.append(f"verify_any(({';'.join(map(str, sorted([HERE, *anything])))})).")
    figures = {key[2] for part in parts for key in part.signs.reads if key[:2] == WANTED}
    wanted = [
        f"wanted({term},0)"
        for figure in sorted(filter(None, figures))
        if figure in words.figures
        for term in domain.typed(words.figures[figure])
    ]
    if wanted and schema is None:
        told.append(f"{{ {'; '.join(wanted)} }} 1.")
    return Search(
        setting, domain, "\n".join(extra), sought, schema, schema is not None, told, parts,
        well_formed, opening,
    )  # fmt: skip


def fired(number: int, text: str) -> str:
    """A rule by which the statement with that number is a goal where its body holds."""
    lines: list[str] = []

    def keep(node: ast.AST) -> None:
        if node.ast_type == ast.ASTType.Rule:
            body = "; ".join(map(str, node.body))
            lines.append(f"verify_goal({number}) :- {body}.")

    ast.parse_string(unsought_text(text), keep)
    return "\n".join(lines)


def unsought(part: Part) -> Part:
    """A statement that takes for granted that whatever it asks about is sought."""
    if not any(key[:2] == SOUGHT for key in part.signs.reads):
        return part
    needs = tuple(n for n in part.signs.needs if not any(key[:2] == SOUGHT for key in n))
    return Part(unsought_text(part.text), part.signs._replace(needs=needs))


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


def still_dead(setting: Setting, whole: Piece) -> Piece:
    """What nothing makes fire, also not with other actions, readings, or more positions."""
    pairs = (pair.split(" ", 1) for pair in whole.due)
    share = {int(n): name for n, name in pairs}
    missing = {n: name for n, name in share.items() if str(n) not in whole.met}
    actions = setting.ruleset.vocabulary.actions
    may_fire = {name: firing(setting, name) for name in actions} if missing else {}
    settings = [(setting, False), *wider_settings(setting)]
    for number, (wider, opening) in enumerate(settings):
        groups: dict[str, list[int]] = {}
        for n, first in missing.items():
            others = [name for name in actions if n in may_fire[name]]
            if first not in actions:
                others = [first]
            for name in others:
                if number or name != first:
                    groups.setdefault(name, []).append(n)
        for name, numbers in groups.items():
            left = [n for n in numbers if n in missing]
            judging = sorted(judges(setting).intersection(left))
            for group, sound in ((left, True), (judging, False)):
                if group:
                    for goal in searched(wider, name, group, opening, sound).reached():
                        missing.pop(goal.number, None)
    statements = setting.sources.statements
    findings = [
        Finding(
            shown(statements[n].place),
            f"no position makes this fire: {statements[n].text}",
            place=shown(statements[n].place),
        )
        for n in sorted(missing)
    ]
    return replace(whole, findings=(*whole.findings, *findings))


def cards(setting: Setting) -> Piece:
    """The cards that no legal action has anything to do with; after an edit, of those edited."""
    words = setting.ruleset.vocabulary
    every = setting.within(cards=0)
    sorts = indexing(words)
    missing = {member for sort in sorts for member in Domain.of(every).members(sort)}
    settings = [every]
    if setting.changed is not None:  # others may be needed to play one, but seldom are
        texts = [setting.sources.statements[n].text for n in setting.changed]
        missing &= {card for sort in sorts for card in edited(words.sorts[sort], texts)}
        settings = [setting, every]
    looked = len(missing)
    late: set[Symbol] = set()
    for wider in settings:
        domain = Domain.of(wider)
        late.clear()
        for schema in words.actions.values():
            places = [i for i, sort in enumerate(schema.sorts) if sorts & domain.within([sort])]
            if not places or not missing:
                continue
            legal = [("legal", 2, schema.name)]
            search = Search(wider, domain, played(schema, places), legal, schema)
            missing -= set(search.reached())
            late |= search.unsettled
    says = "no legal action has anything to do with this card"
    findings = tuple(
        Finding(text_of(card), says, status=UNKNOWN if card in late else VIOLATED)
        for card in sorted(missing)
    )
    return Piece(looked, looked - len(missing), findings=findings)


def played(schema: Declared, places: list[int]) -> str:
    """Rules by which a card is a goal that a legal action of a name has among its arguments."""
    names = [f"X{i}" for i in range(len(schema.sorts))]
    term = f"{schema.name}({','.join(names)})"
    return "\n".join(f"verify_goal(X{i}) :- asked({term},0), legal({term},0)." for i in places)


PROPERTIES = (
    Property(
        "dead",
        "each statement fires in some position, and each card can be played",
        study,
        pieces,
        speaks_of="a position in which they fire",
        counted="statements",
        settle=still_dead,
    ),
)
