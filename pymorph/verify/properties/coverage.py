"""Coverage: statements that can never fire, and cards that can never be played."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial

from clingo import Symbol, SymbolType

from pymorph.asp.guard import words_in
from pymorph.asp.passes.own_names import as_named
from pymorph.questions.legality import legal_actions_of
from pymorph.ruleset.vocabulary import Declared
from pymorph.terms import text_of
from pymorph.verify.frame import described
from pymorph.verify.report import UNKNOWN, VIOLATED, Finding, Piece, merge
from pymorph.verify.scope import Scope, wider_scopes
from pymorph.verify.sources import location
from pymorph.verify.spaces import activation_goals as activation
from pymorph.verify.spaces import witnesses
from pymorph.verify.spaces.domain import HERE, Domain, any_term, card_sorts, members_named
from pymorph.verify.spaces.model_search import ModelSearch
from pymorph.verify.versions.changes import actions_of, cards_only

DEAD, CARDS, POSITIONS = "dead", "cards", "positions"
# What comes with some questions, beside the position: it may be so, or not.
ASKED = ("{ wide(0) }.", "{ surveying(0) }.", "{ occurred(N,0) : N = 0..9 } 1.")


def pieces(scope: Scope) -> list[str]:
    """The known positions, share by share, then the cards."""
    every = scope.changed is None or cards_only(scope)
    positions = [f"{POSITIONS} {n}" for n in range(1, witnesses.shares(scope) + 1)]
    return [*(positions if activation.candidates(scope) else ()), *([CARDS] if every else ())]


def study(scope: Scope, name: str) -> Piece:
    """What fires in a share of the known positions, or which cards can be played."""
    if name == CARDS:
        return cards(scope)
    positions = witnesses.known(scope, int(name.removeprefix(POSITIONS)))
    due, met = activation.candidates(scope), witnesses.fired_in(scope, positions.entries)
    return Piece(notes=positions.notes, due=frozenset(map(str, due)), met=frozenset(map(str, met)))


def searched(
    scope: Scope, name: str, numbers: Collection[int], opening: bool, well_formed: bool
) -> ModelSearch:
    """The search for positions in which some statements fire, with actions of a name or of a group
    of them, and whatever else may be asked."""
    words, statements = scope.ruleset.vocabulary, scope.sources.statements
    reads = {key for n in numbers for key in statements[n].signs.uses}
    parts = activation.all_unsought(scope)
    schemas, domain = actions_of(scope, name)
    members = {member for sort in words.sorts for member in domain.members(sort)}
    anything = sorted([HERE, *(m for m in members if m.type == SymbolType.Function)])
    extra = [activation.goal_rule(n, statements[n].text) for n in sorted(numbers)]
    extra.append(f"verify_any(({';'.join(map(str, anything))})).")
    figures = {k[2] for part in parts for k in part.signs.uses if k[:2] == activation.WANTED}
    wanted = [words.figures[figure] for figure in sorted(words.figures.keys() & figures)]
    return ModelSearch(
        scope, domain, "\n".join(extra),
        {key for key in reads if key[:2] != activation.SOUGHT},
        schemas, bool(schemas),
        [*ASKED, domain.wanted(wanted)] if wanted and not schemas else ASKED,
        parts, well_formed, opening,
    )  # fmt: skip


def settle(scope: Scope, piece: Piece) -> Piece:
    """The statements that fire in no known position, nor in any other: under other readings too,
    and among more positions. Those that the ruleset accepts are not looked for."""
    statements = scope.sources.statements
    unmet = set(map(int, piece.due - piece.met))
    accepted = {n for n in unmet if subject(scope, n) in scope.accepted.get(DEAD, {})}
    missing = unmet - accepted
    if missing:
        missing -= witnesses.fired_in(scope, witnesses.shipped_positions(scope))
    if missing and not witnesses.file_of(scope.ruleset).is_file():
        missing -= witnesses.fired_in(scope, witnesses.asked_in(scope))
    for wider, opening in ((scope, False), *wider_scopes(scope)):
        for name in ("", *scope.ruleset.vocabulary.actions) if missing else ():
            left = missing & activation.firing(scope, name)
            for group, sound in ((left, True), (left & activation.judges(scope), False)):
                if group:
                    search = searched(wider, name, group, opening, sound)
                    missing -= {goal.number for goal in search.reached}
    findings = []
    for n in sorted(missing | accepted):
        says = f"no position makes this statement apply: {as_named(statements[n].text)}"
        findings.append(Finding(subject(scope, n), says, place=location(statements[n].place)))
    looked = len(piece.due)
    return merge([piece, Piece(looked, looked - len(findings), findings=tuple(findings))])


def subject(scope: Scope, number: int) -> str:
    """The rule that a statement names, or else what it defines."""
    head, _, _ = scope.sources.statements[number].text.partition(":-")
    words = list(words_in(head))
    return next((word for word in words if word in scope.ruleset.rules), words[0])


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
    entries = [entry for entry in witnesses.known(scope).entries if not entry.flawed]
    positions = [entry.position for entry in (*entries, *witnesses.shipped_positions(scope))]
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
    statuses = {card: UNKNOWN if card in late else VIOLATED for card in sorted(missing)}
    findings = tuple(Finding(text_of(card), says, status=s) for card, s in statuses.items())
    return Piece(looked, looked - len(missing), findings=findings)


def _far(domain: Domain, sorts: frozenset[str], schema: Declared) -> tuple[int, int]:
    """How soon an action is looked at: those first that may be about the most cards, one by one."""
    about = {card for sort in domain.within(schema.sorts) & sorts for card in domain.members(sort)}
    return -len(about), len(domain.actions(schema))


def played(schema: Declared, places: list[int]) -> str:
    """Rules by which a card is a goal that a legal action of a name has among its arguments."""
    term = any_term(schema, "X")
    return "\n".join(f"verify_goal(X{i}) :- asked({term},0), legal({term},0)." for i in places)


FIRING = "a position in which they apply"
PROPERTIES = (
    described(DEAD, study, pieces, speaks_of=FIRING, counted="statements", settle=settle),
)
