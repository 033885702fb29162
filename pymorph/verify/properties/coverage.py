"""Coverage: statements that can never fire, and cards that can never be played."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from functools import partial

from clingo import Symbol, SymbolType

from pymorph.asp.facts import Key
from pymorph.asp.passes.own_names import as_named
from pymorph.questions.legality import legal_actions_of
from pymorph.ruleset.loader import WORD
from pymorph.ruleset.vocabulary import Declared
from pymorph.terms import text_of
from pymorph.verify import cases
from pymorph.verify.report import UNKNOWN, VIOLATED, Finding, Piece, Property
from pymorph.verify.scope import Scope, wider_scopes
from pymorph.verify.sources import location
from pymorph.verify.spaces.activation_goals import (
    SOUGHT,
    WANTED,
    all_unsought,
    candidates,
    firing,
    goal_rule,
    judges,
)
from pymorph.verify.spaces.domain import HERE, Domain, any_term, card_sorts, members_named
from pymorph.verify.spaces.model_search import ModelSearch
from pymorph.verify.spaces.witnesses import file_of, fired_in, known, shares, shipped_positions
from pymorph.verify.versions.changes import actions_of, cards_only

DEAD, CARDS, POSITIONS = "dead", "cards", "positions"
# What comes with some questions, beside the position: it may be so, or not.
FLAGS = ("wide(0)", "surveying(0)")
BEFORE = "{ occurred(N,0) : N = 0..9 } 1."


def pieces(scope: Scope) -> list[str]:
    """The known positions, share by share, then the cards."""
    every = scope.changed is None or cards_only(scope)
    positions = [f"{POSITIONS} {n}" for n in range(1, shares(scope) + 1)]
    return [*(positions if candidates(scope) else ()), *([CARDS] if every else ())]


def study(scope: Scope, name: str) -> Piece:
    """What fires in a share of the known positions, or which cards can be played."""
    if name == CARDS:
        return cards(scope)
    positions = known(scope, int(name.removeprefix(POSITIONS)))
    due, met = candidates(scope), fired_in(scope, positions.entries)
    return Piece(notes=positions.notes, due=frozenset(map(str, due)), met=frozenset(map(str, met)))


def searched(
    scope: Scope,
    name: str,
    goals: Iterable[str],
    sought: Iterable[Key],
    opening: bool = False,
    well_formed: bool = True,
) -> ModelSearch:
    """The search for positions, actions of a name or of a group of them, and whatever else may be
    asked.

    *goals* are rules that say what a goal is, and *sought* the keys of what they read.
    """
    words = scope.ruleset.vocabulary
    sought = {key for key in sought if key[:2] != SOUGHT}
    parts = all_unsought(scope)
    facts = [*(f"{{ {flag} }}." for flag in FLAGS), BEFORE]
    schemas, domain = actions_of(scope, name)
    members = {member for sort in words.sorts for member in domain.members(sort)}
    anything = sorted([HERE, *(m for m in members if m.type == SymbolType.Function)])
    extra = [*goals, f"verify_any(({';'.join(map(str, anything))}))."]
    figures = {key[2] for part in parts for key in part.signs.reads if key[:2] == WANTED}
    wanted = [words.figures[figure] for figure in sorted(words.figures.keys() & figures)]
    if wanted and not schemas:
        facts.append(domain.wanted(wanted))
    return ModelSearch(
        scope, domain, "\n".join(extra), sought, schemas,
        bool(schemas), facts, parts, well_formed, opening,
    )  # fmt: skip


def settle(scope: Scope, piece: Piece) -> Piece:
    """The statements that fire in no known position, nor in any other: under other readings too,
    and among more positions. Those that the ruleset accepts are not looked for."""
    statements = scope.sources.statements
    unmet = set(map(int, piece.due - piece.met))
    accepted = {n for n in unmet if subject(scope, n) in scope.accepted.get(DEAD, {})}
    missing = unmet - accepted
    if missing:
        missing -= fired_in(scope, shipped_positions(scope))
    if missing and not file_of(scope.ruleset).is_file():
        missing -= fired_in(scope, cases.asked_in(scope))
    for wider, opening in ((scope, False), *wider_scopes(scope)):
        for name, numbers in _askable(scope, missing).items():
            left = missing.intersection(numbers)
            for group, sound in ((left, True), (left & judges(scope), False)):
                if group:
                    goals = [goal_rule(n, statements[n].text) for n in sorted(group)]
                    sought = {key for n in group for key in statements[n].signs.reads}
                    search = searched(wider, name, goals, sought, opening, sound)
                    missing -= {goal.number for goal in search.reached}
    findings = []
    for n in sorted(missing | accepted):
        says = f"no position makes this statement apply: {as_named(statements[n].text)}"
        place = location(statements[n].place)
        findings.append(Finding(subject(scope, n), says, place=place))
    return replace(
        piece,
        looked=piece.looked + len(piece.due),
        subjects=piece.subjects + len(piece.due) - len(findings),
        findings=(*piece.findings, *findings),
    )


def subject(scope: Scope, number: int) -> str:
    """The rule that a statement names, or else what it defines."""
    head, _, _ = scope.sources.statements[number].text.partition(":-")
    words: list[str] = WORD.findall(head)
    return next((word for word in words if word in scope.ruleset.rules), words[0])


def _askable(scope: Scope, numbers: Collection[int]) -> Mapping[str, list[int]]:
    """The statements by the actions that may make them fire; by "", if they may need none."""
    names = ("", *scope.ruleset.vocabulary.actions) if numbers else ()
    return {name: sorted(firing(scope, name).intersection(numbers)) for name in names}


def cards(scope: Scope) -> Piece:
    """The cards that no legal action has anything to do with; after an edit, of those edited."""
    words = scope.ruleset.vocabulary
    every = scope.within(cards=0)
    sorts = card_sorts(words)
    missing = {member for sort in sorts for member in Domain.of(every).members(sort)}
    if scope.changed is not None:
        texts = [scope.sources.statements[n].text for n in scope.changed]
        missing &= {card for sort in sorts for card in members_named(words.sorts[sort], texts)}
    looked = len(missing)
    entries = [entry for entry in known(scope).entries if not entry.flawed]
    positions = [entry.position for entry in (*entries, *shipped_positions(scope))]
    for actions in legal_actions_of(positions) if missing else ():
        missing.difference_update(*(action.symbol.arguments for action in actions))
    late: set[Symbol] = set()
    for wider in (scope, every):  # others may be needed to play one, but seldom are
        late.clear()
        domain = Domain.of(wider).with_cards(wider, missing)
        for schema in sorted(words.actions.values(), key=partial(_far, domain, sorts)):
            about = [missing.intersection(domain.members(sort)) for sort in schema.sorts]
            places = [i for i, about_here in enumerate(about) if about_here]
            if not places:
                continue
            legal = [("legal", 2, schema.name)]
            search = ModelSearch(wider, domain, played(schema, places), legal, [schema])
            missing -= search.reached
            late |= search.unsettled
    says = "no legal action uses this card"
    findings = tuple(
        Finding(text_of(card), says, status=UNKNOWN if card in late else VIOLATED)
        for card in sorted(missing)
    )
    return Piece(looked, looked - len(missing), findings=findings)


def _far(domain: Domain, sorts: frozenset[str], schema: Declared) -> tuple[int, int]:
    """How soon an action is looked at: those first that may be about the most cards, one by one."""
    about = {card for sort in domain.within(schema.sorts) & sorts for card in domain.members(sort)}
    return -len(about), len(domain.actions(schema))


def played(schema: Declared, places: list[int]) -> str:
    """Rules by which a card is a goal that a legal action of a name has among its arguments."""
    term = any_term(schema, "X")
    return "\n".join(f"verify_goal(X{i}) :- asked({term},0), legal({term},0)." for i in places)


PROPERTIES = (
    Property(
        DEAD,
        "each statement applies in some position, and each card can be played",
        study,
        pieces,
        speaks_of="a position in which they apply",
        counted="statements",
        settle=settle,
    ),
)
