"""What verification says of a planted fault: a property that it breaks, a position that tells."""

from collections import defaultdict
from dataclasses import replace
from time import monotonic

from pymorph.asp.statements import fact_symbols
from pymorph.errors import OutOfTime, PymorphError, RulesetError
from pymorph.ruleset.declarations import SIGNATURES
from pymorph.ruleset.loader import Ruleset
from pymorph.verify.report import UNKNOWN, VIOLATED, Piece, Property, merge
from pymorph.verify.runner import properties_of
from pymorph.verify.scope import Scope
from pymorph.verify.sources import PlacedFacts, Sources
from pymorph.verify.spaces.model_search import OpenModel
from pymorph.verify.versions.differential import ANY, DifferentialSearch
from tools.mutants.operators import Mutant
from tools.mutants.planting import Original, statement

NO_DIFFERENCE = "no difference"
UNDECIDED = ""
VERIFYING, COMPARING = 30.0, 20.0  # seconds


def caught_by_verify(original: Original, mutant: Mutant, game: Ruleset) -> str:
    """The first property that a fault breaks; "" if there is none, as far as is known in time.

    What is written is looked at first, then whatever an answer may hang on.
    """
    before, after = original.setting, planted(original, mutant, game)
    end = monotonic() + VERIFYING
    for one in sorted(properties_of(after), key=lambda each: not each.static):
        whole = Piece()
        for piece in one.pieces(after):
            if monotonic() > end:
                return ""
            whole = merge([whole, result(one, after, piece)])
            new = broken(after, one, whole)
            if one.static and new:
                new -= violated(result(one, before, piece))
            if new:
                return one.id
        if one.settle and whole.due and broken(after, one, one.settle(after, whole)):
            return one.id
    return ""


def result(one: Property, setting: Scope, piece: str) -> Piece:
    """What a piece of work on a property comes to."""
    found = one.check(setting, piece)
    return found if isinstance(found, Piece) else found[one.id]


def planted(original: Original, mutant: Mutant, game: Ruleset) -> Scope:
    """The same with the fault, where it alone is looked at."""
    sources, new = original.sources, statement(original, mutant)
    old = sources.statements[mutant.number]
    statements = list(sources.statements)
    statements[mutant.number : mutant.number + 1] = [new] if new else []
    facts: PlacedFacts = defaultdict(list, sources.facts)
    for signature in old.heads:
        facts[signature] = [row for row in facts[signature] if row[1] != old.place]
    for symbol in (fact_symbols([new])[0] if new else None) or ():
        facts[symbol.name, len(symbol.arguments)].append((symbol, old.place))
    setting = Scope(game, changed=frozenset({mutant.number}))
    vars(setting)["sources"] = Sources(tuple(statements), facts)
    return setting


def broken(setting: Scope, about: Property, found: Piece) -> frozenset[tuple[str, str]]:
    """What a property finds wrong that the ruleset does not accept."""
    accepted = setting.accepted.get(about.id, {})
    return frozenset(told for told in violated(found) if told[0] not in accepted)


def violated(found: Piece) -> frozenset[tuple[str, str]]:
    """What a property finds wrong, wherever that stands."""
    return frozenset((f.subject, f.says) for f in found.findings if f.status == VIOLATED)


def differing(original: Original, mutant: Mutant) -> str:
    """A position that tells the mutant from the original, as a line; NO_DIFFERENCE within the
    bound; UNDECIDED."""
    changed = frozenset({mutant.number})  # so that the cards are looked at that it is about
    try:
        found = differs(original, mutant, COMPARING, original.setting.replaced(changed=changed))
    except PymorphError:
        return UNDECIDED
    if found is None:
        return NO_DIFFERENCE
    return UNDECIDED if isinstance(found, str) else found.position.line()


def differs(
    original: Original, mutant: Mutant, seconds: float, setting: Scope | None = None
) -> OpenModel | str | None:
    """A position within the bounds in which the mutant answers otherwise; None, if there is none.

    ``unknown``, if that is not settled within so many seconds, or nothing that is looked at depends
    on the statement. Raises: RulesetError, if it is no statement of a ruleset.
    """
    end = monotonic() + seconds
    before = setting or original.setting
    sources, new = before.sources, statement(original, mutant)
    statements = list(sources.statements)
    statements[mutant.number : mutant.number + 1] = [new] if new else []
    after = replace(before)
    vars(after)["sources"] = Sources(tuple(statements), sources.facts)
    vars(after)["starts"] = before.starts
    compared = DifferentialSearch(before, after)
    settled = not sources.statements[mutant.number].heads & SIGNATURES
    looked = False
    every = list(compared.pieces())
    if before.ruleset.questions:
        every += [replace(piece, opening=True) for piece in every]
    for piece in every:
        if not compared.differing(piece):
            continue
        looked = True
        if monotonic() > end:
            return UNKNOWN
        try:
            found = compared.search(piece, first=True).some(ANY)
        except (OutOfTime, RulesetError):
            settled = False
            continue
        if found is not None:
            return found
    return None if settled and looked else UNKNOWN
