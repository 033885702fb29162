"""The position after an action, ``after(A, S)``, as rules read it: made into rules over predicates
of their own, so that nothing goes in a circle and every atom stays a fact.

What such a rule reads is worked out in three steps, each from the one before: which actions nothing
else forbids (``could__...``), what each of them would change (``would__...``), and what holds then
(``after__...``), by the frame rule and by copies of the rules behind what is read.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from clingo import SymbolType

from pymorph.asp.dependency import DependencyGraph, Signs, Statement, bounded
from pymorph.asp.facts import HOLDS, PRESENT, READING, Key, Signature
from pymorph.asp.passes.ahead import AFTER, SEEN, AheadRule, readers
from pymorph.asp.passes.rewrite import Affected, downstream, gives, reads_affected, renamed_text
from pymorph.asp.statements import CheckedStatement, plain
from pymorph.errors import Fault, RulesetError
from pymorph.ruleset.contract import INPUTS
from pymorph.ruleset.generated import made
from pymorph.ruleset.vocabulary import Vocabulary

COULD, WOULD = "could__", "would__"
DOES: Signature = ("does", 3)
CHANGES: tuple[Signature, ...] = (("sets", 4), ("clears", 3), ("adds", 5))
DECIDING: tuple[Signature, ...] = (*CHANGES, ("unfolds", 4))
JUDGING: tuple[Signature, ...] = (("considered", 2), ("barred", 2), ("held", 2))
# What many rules give, each for itself: those that look ahead are left out of it at first.
OPEN = frozenset({("forbidden", 3), ("waits", 3), ("over", 2), ("unsettled", 4)})
OF_SITUATIONS = (INPUTS | {READING}) - {DOES, ("taken_out", 1), ("next", 3)}
MOVED = "decides which actions exist or what they change, so it cannot depend on after(A, S)"
ANY = (None,)  # whatever functor
TOLD = Signs((), (), frozenset())  # of a statement that plays no part
CIRCLE = "after(A, S) cannot depend on another after(A, S)"


def expanded(
    statements: Sequence[CheckedStatement], words: Vocabulary
) -> tuple[CheckedStatement, ...]:
    """The same statements, where those that read ``after(A, S)`` are told what holds there.

    Raises: RulesetError, where that cannot be: each fault with its place.
    """
    found = readers(statements)
    return Afterwards(statements, found, words).expanded() if found else tuple(statements)


class Afterwards:
    """The rules of a ruleset, and those among them that look ahead."""

    def __init__(
        self,
        statements: Sequence[CheckedStatement],
        ahead: Sequence[AheadRule],
        words: Vocabulary,
    ) -> None:
        self.statements = statements
        self.ahead = ahead
        self.words = words
        every = [Statement(s.text, s.signs) for s in statements]
        # What is done is told: that whatever is legal may be done leads back to no rule.
        self.parts = [part._replace(signs=TOLD) if DOES in gives(part) else part for part in every]
        self.graph = DependencyGraph(self.parts)
        self.looking = {reader.number for reader in ahead}
        self.affected = downstream(self.parts, [self.parts[n] for n in self.looking])
        self.deciding = self._cone(keys(DECIDING), lambda part: True)
        self.wanted = {key for reader in ahead for key in reader.wanted}
        self.looked_at = self._looked_at(self.wanted)

    def expanded(self) -> tuple[CheckedStatement, ...]:
        faults = [fault for reader in self.ahead for fault in self._faults(reader)]
        if faults:
            raise RulesetError(faults)
        later = downstream(self.looked_at, affected=dict.fromkeys(OF_SITUATIONS, ANY))
        names = tuple(sorted(((n, a), AFTER + n) for n, a in later))
        heads = [reader.text(dict(names)) for reader in self.ahead]
        lines = [*self._could(), *self._after(later), *self._holding()]
        for part in self.looked_at:
            if gives(part) & later.keys():
                lines.append(renamed_text(bounded(part, self._bounds()).text, names))
        found = self._made([*heads, *dict.fromkeys(lines)], later)
        rows = list(self.statements)
        for reader, new in zip(self.ahead, found, strict=False):
            old = rows[reader.number]
            rows[reader.number] = replace(new, place=old.place, trusted=False)
        return (*rows, *found[len(heads) :])

    # -- what is refused --------------------------------------------------------------------------

    def _faults(self, reader: AheadRule) -> Iterator[Fault]:
        statement, part = self.statements[reader.number], self.parts[reader.number]
        if reader.faults:
            yield from (Fault(fault, statement.place) for fault in reader.faults)
            return
        deciding = self._deciding(reader.number)
        if deciding is not None:
            what = " and ".join(sorted(map(plain, gives(part))))
            where = self._where(deciding)
            by = "" if deciding == part else f": {_named(deciding)} depends on it{where}"
            yield Fault(f"{what} {MOVED}{by}", statement.place, meant=_instead(part))
            return
        cone = self._looked_at(reader.wanted)
        again = next((p for p in cone if self._looks(p) or reads_affected(p, self.affected)), None)
        if again is not None:
            keys_read = ", ".join(sorted({plain(key[:2]) for key in reader.wanted}))
            yield Fault(
                f"{CIRCLE}, but what this reads there ({keys_read}) depends on {_named(again)}, "
                f"which depends on after(A, S) itself{self._where(again)}",
                statement.place,
                meant="use a predicate that depends only on the position, such as holds(...)",
            )
            return
        later = downstream(cone, affected=dict.fromkeys(OF_SITUATIONS, ANY))
        for key in sorted(reader.wanted, key=str):
            if key[:2] not in later:
                says = f"{plain(key[:2])} takes no situation, so it cannot take after(A, S)"
                yield Fault(says, statement.place)

    def _deciding(self, number: int) -> Statement | None:
        """A rule behind what actions there are, or what they change, that rests on what the rule of
        that number gives."""
        mine = downstream(self.parts, [self.parts[number]])
        judging = [part for part in self._left_out([number]) if gives(part) & set(JUDGING)]
        found = [p for p in self.deciding if p == self.parts[number] or reads_affected(p, mine)]
        found.sort(key=lambda p: (p == self.parts[number], not gives(p) & set(DECIDING)))
        return next(iter(judging + found), None)

    def _looks(self, part: Statement) -> bool:
        return any(self.parts[number] == part for number in self.looking)

    def _where(self, part: Statement) -> str:
        """Where a rule of the ruleset's own stands, in brackets."""
        own = (s for s, p in zip(self.statements, self.parts, strict=True) if p == part)
        found = next(own, None)
        return "" if found is None or found.trusted else f" ({found.place})"

    # -- the three steps --------------------------------------------------------------------------

    def _could(self) -> Iterator[str]:
        """Which actions are looked at: single steps that nothing forbids that looks at none."""
        left_out = {id(part) for part in self._left_out(self.looking)}
        cone = self._cone(keys(JUDGING), lambda part: id(part) not in left_out)
        again = {s for part in cone for s in gives(part) | reads(part) if s in self.affected}
        names = tuple(sorted(((n, a), COULD + n) for n, a in again))
        for part in cone:
            if (gives(part) | reads(part)) & again:
                yield renamed_text(part.text, names)
        known = dict(names)
        barred, held = (known.get(s, s[0]) for s in JUDGING[1:])
        yield (
            f"{AFTER}situation(after(A,S)) :- considered(A,S), not {barred}(A,S), "
            f"not {held}(A,S), not {COULD}unfolds(A,S)."
        )
        yield f"{SEEN}(T) :- {AFTER}situation(T)."
        yield f"{COULD}unfolds(A,S) :- unfolds(A,_,_,S)."
        yield f"{WOULD}does(A,S,after(A,S)) :- {AFTER}situation(after(A,S))."

    def _holding(self) -> Iterator[str]:
        """What each of them would change, and what holds then of the fluents that are read."""
        fluents = self._fluents()
        sought = [(*sign, name) for sign in CHANGES for name in fluents]
        cone = self._cone(sought, lambda part: True)
        done = downstream(cone, affected={DOES: ANY})
        names = tuple(sorted(((n, a), WOULD + n) for n, a in done))
        changing = [part for part in cone if gives(part) & done.keys()]
        for part in changing:
            yield renamed_text(part.text, names)
        for name in fluents:
            ways = {
                sign
                for part in changing
                for key, _ in part.signs.gives
                for sign in CHANGES
                if key[:2] == sign and key[2] in (name, None)
            }
            if self.words.sorts[self.words.fluents[name].value].kind != "range":
                ways -= {("adds", 5)}
            yield from frame(self.words, name, ways)

    def _after(self, later: Collection[Signature]) -> Iterator[str]:
        """What goes on unchanged: names, a table, readings."""
        for name, arguments in ((PRESENT, "X,"), (("on_table", 1), "")):
            if name in later:
                new = f"{AFTER}{name[0]}({arguments}after(A,S))"
                yield f"{new} :- {AFTER}situation(after(A,S)), {name[0]}({arguments}S)."
        read = {key[2] for part in self.looked_at for key in part.signs.reads if key[:2] == READING}
        read |= {None for key in self.wanted if key[:2] == READING}
        for pair in ["Q=O"] if None in read else sorted(filter(None, read)):
            asked = pair.replace("=", ",")
            yield (
                f"{AFTER}reading({asked},after(A,S)) :- "
                f"{AFTER}situation(after(A,S)), reading({asked},S)."
            )

    # -- helpers ----------------------------------------------------------------------------------

    def _cone(self, sought: Iterable[Key], kept: Callable[[Statement], bool]) -> list[Statement]:
        among = {number for number, part in enumerate(self.parts) if kept(part)}
        return self.graph.leading_to(sought, among, figured=True)

    def _looked_at(self, wanted: Iterable[Key]) -> list[Statement]:
        """The rules behind what is read of a position, but for those about what is done there."""

        def kept(part: Statement) -> bool:
            doing = any(key[:2] == DOES for needed in part.signs.needs for key in needed)
            return not doing and READING not in gives(part)

        return self._cone(wanted, kept)

    def _left_out(self, looking: Collection[int]) -> list[Statement]:
        """Those that look ahead, and what rests on them but for what many rules give."""
        start = [self.parts[n] for n in looking]
        closed = [part for part in self.parts if not gives(part) & OPEN]
        spread = downstream(closed, [part for part in start if not gives(part) & OPEN])
        more = [part for part in self.parts if reads_affected(part, spread)]
        return [*start, *(part for part in more if part not in start)]

    def _fluents(self) -> list[str]:
        read = {key for part in self.looked_at for key in part.signs.reads} | self.wanted
        names = {key[2] for key in read if key[:2] == HOLDS}
        return sorted(self.words.fluents if None in names else filter(None, names))

    def _bounds(self) -> dict[str, tuple[int, int]]:
        return {figure.name: (figure.low, figure.high) for figure in self.words.figures.values()}

    def _made(self, texts: Sequence[str], later: Affected) -> tuple[CheckedStatement, ...]:
        """The statements as clingo has them, with what they read and give."""
        defined = {(AFTER + name, arity) for name, arity in later}
        defined |= {(WOULD + name, arity) for name, arity in (DOES, *CHANGES)}
        defined |= {(COULD + name, arity) for name, arity in self.affected}
        return made(texts, self.statements, defined)


def keys(signatures: Iterable[Signature]) -> list[Key]:
    return [(*signature, None) for signature in signatures]


def reads(part: Statement) -> set[Signature]:
    """The predicates that a statement reads."""
    return {key[:2] for key in part.signs.reads}


def _named(part: Statement) -> str:
    return " and ".join(sorted(map(plain, gives(part)))) or part.text


def _instead(part: Statement) -> str:
    """What is usually meant where a rule looks ahead that cannot."""
    if ("proposed", 3) in gives(part):
        return "write proposed(A, S, R) without it, and forbidden(A, S, R) for what leads there"
    return "write a forbidden, waits, happens, over, finding or entry that reads after(A, S)"


def frame(words: Vocabulary, name: str, ways: Collection[Signature]) -> Iterator[str]:
    """What holds of a fluent after an action that can change it in some *ways*: by rules that give
    ``sets``, ``clears`` or ``adds``. What is at its default is not told."""
    declared = words.fluents[name]
    fluent = f"{name}({','.join(f'X{n}' for n in range(len(declared.sorts)))})"
    fluent = fluent if declared.sorts else name
    default, here = declared.default, f"{AFTER}situation(after(A,S))"
    after = f"{AFTER}holds({fluent}"
    sets, clears, adds = (f"{WOULD}{kind}({fluent}" for kind, _ in CHANGES)
    kept = f", not {AFTER}changed({fluent},after(A,S))" if ways else ""
    yield f"{after},V,after(A,S)) :- {here}, holds({fluent},V,S){kept}."
    rest = {"sets": f"{sets},_,T,_)", "clears": f"{clears},T,_)", "adds": f"{adds},_,_,T,_)"}
    yield from (f"{AFTER}changed({fluent},T) :- {rest[kind]}." for kind, _ in sorted(ways))
    adding = ("adds", 5) in ways
    if ("sets", 4) in ways:
        alone = f", not {AFTER}summed({fluent},T)" if adding else ""
        yield f"{after},V,T) :- {sets},V,T,_), V != {default}{alone}."
    if adding:
        yield from _summed(words, name, fluent)


def _summed(words: Vocabulary, name: str, fluent: str) -> Iterator[str]:
    """What holds of a fluent to which an action adds: it keeps to its range."""
    declared = words.fluents[name]
    sort, default = words.sorts[declared.value], declared.default
    low, high = sort.low, sort.high
    wide = high - low
    start = default.number if default.type == SymbolType.Number else 0
    summed, put, base, more, sums = (
        f"{AFTER}{word}({fluent}" for word in ("summed", "put", "base", "more", "sum")
    )
    sets, clears, adds = (f"{WOULD}{kind}({fluent}" for kind, _ in CHANGES)
    here = f"{summed},after(A,S)), {AFTER}situation(after(A,S))"
    added = f"#sum {{ M,I,R : {adds},M,I,T,R) }}"
    after = f"{AFTER}holds({fluent}"
    yield f"{summed},T) :- {adds},_,_,T,_)."
    yield f"{put},V,T) :- {sets},V,T,_)."
    yield f"{put},{default},T) :- {clears},T,_)."
    yield f"{base},V,T) :- {summed},T), {put},V,T)."
    yield f"{base},V,after(A,S)) :- {here}, holds({fluent},V,S), not {put},_,after(A,S))."
    yield f"{base},{start},after(A,S)) :- {here}, not holds({fluent},_,S), not {put},_,after(A,S))."
    yield f"{more},N,T) :- {summed},T), N = {added}, {-wide} < N, N < {wide}."
    yield f"{more},{wide},T) :- {summed},T), {added} >= {wide}."
    yield f"{more},{-wide},T) :- {summed},T), {added} <= {-wide}."
    yield f"{sums},B+N,T) :- {base},B,T), B <= {high}, {more},N,T)."
    yield f"{sums},N,T) :- {base},B,T), B > {high}, {more},N,T)."
    for value, condition in (
        ("N", f"{low} <= N, N <= {high}"),
        (low, f"N < {low}"),
        (high, f"N > {high}"),
    ):
        yield f"{after},{value},T) :- {sums},N,T), {condition}, {value} != {default}."
