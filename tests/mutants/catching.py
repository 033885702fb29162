"""What verification says of a planted fault: a property that it breaks, a position that tells."""

from __future__ import annotations

from collections import defaultdict

from pymorph.errors import PymorphError
from pymorph.gate import fact_symbols
from pymorph.ruleset import Ruleset
from pymorph.verify.contrast import differs
from pymorph.verify.properties import properties_of
from pymorph.verify.results import VIOLATED, Piece
from pymorph.verify.setting import Setting
from pymorph.verify.sources import Rows, Sources
from tests.mutants.operators import Mutant
from tests.mutants.planting import Original, statement

NO_DIFFERENCE = "no difference"
UNDECIDED = ""
SECONDS = 10.0

Told = frozenset[tuple[str, str]]


def caught_by_verify(original: Original, mutant: Mutant, game: Ruleset) -> str:
    """The first static property with a finding that the original has not; "" if there is none."""
    before, after = setting_of(original), planted(original, mutant, game)
    for one in properties_of(after):
        for piece in one.pieces(after) if one.static else ():
            found, known = (violations(one.check(s, piece), one.id) for s in (after, before))
            if found - known:
                return one.id
    return ""


def setting_of(original: Original) -> Setting:
    """What verification looks at, from what has been read already."""
    setting = Setting(original.ruleset)
    vars(setting)["sources"] = original.sources
    return setting


def planted(original: Original, mutant: Mutant, game: Ruleset) -> Setting:
    """The same with the fault, where it alone is looked at."""
    sources, new = original.sources, statement(original, mutant)
    old = sources.statements[mutant.number]
    statements = list(sources.statements)
    statements[mutant.number : mutant.number + 1] = [new] if new else []
    facts: Rows = defaultdict(list, sources.facts)
    for signature in old.heads:
        facts[signature] = [row for row in facts[signature] if row[1] != old.place]
    for symbol in (fact_symbols([new])[0] if new else None) or ():
        facts[symbol.name, len(symbol.arguments)].append((symbol, old.place))
    setting = Setting(game, changed=frozenset({mutant.number}))
    vars(setting)["sources"] = Sources(tuple(statements), facts)
    return setting


def violations(found: object, name: str) -> Told:
    """What a property finds wrong, wherever that stands."""
    piece = found if isinstance(found, Piece) else dict(found)[name]  # type: ignore[call-overload]
    return frozenset((f.subject, f.says) for f in piece.findings if f.status == VIOLATED)


def differing(original: Original, mutant: Mutant) -> str:
    """A position that tells the mutant from the original, as a line; NO_DIFFERENCE within the
    bound; UNDECIDED."""
    try:
        found = differs(setting_of(original), mutant.number, mutant.text, SECONDS)
    except PymorphError:
        return UNDECIDED
    if found is None:
        return NO_DIFFERENCE
    return UNDECIDED if isinstance(found, str) else found.position.line()
