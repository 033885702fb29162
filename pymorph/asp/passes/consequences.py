"""Consequences where something is hidden: certain atoms, possible atoms, and what these depend on.

Each hidden fluent has one of its possible values: a program that chooses them has one answer set,
a world, for each choice. Atoms of all worlds are certain (cautious consequences); atoms of only
some worlds (brave ones) depend on hidden fluents. A program of two worlds finds these fluents: if
no two worlds that agree in some fluents differ in an atom, it depends on no others.

>>> from clingo import parse_term
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence, Set
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from clingo import Function, Number, Symbol, SymbolType

from pymorph.asp.dependency import Slice
from pymorph.asp.facts import BY_DEFAULT, HOLDS, MAY, Facts
from pymorph.asp.open_program import Literals, OpenProgram
from pymorph.terms import sorted_symbols

if TYPE_CHECKING:
    from pymorph.board.lengths.measuring import Context

HIDDEN = Function("hidden")
# One value for each fluent; no ill-formed worlds, unless all are.
CHOOSING = """
1 { _is(F,V,S) : _may(F,V,S) } 1 :- _may(F,_,S).
holds(F,V,S) :- _is(F,V,S), not _by_default(F,V,S).
{ _sane }.
:- _sane, ill_formed(_,_,_).
#defined _may/3. #defined _by_default/3. #defined ill_formed/3.
"""
# Two worlds that agree in some of what is hidden.
AGREEING = """
{ _same(F) : _may(F,_,_) }.
:- _same(F), _is(F,V,0), not _is(F,V,1).
"""
PAIR = Number(0), Number(1)
SANE = Function("_sane")
# The predicates whose rules decide whether an action is legal, whatever is shown.
AGAINST = (("forbidden", 3), ("waits", 3), ("proposed", 3), ("over", 2))


def as_written(facts: Facts) -> Facts:
    """The same facts, with the word `hidden` as the value of each hidden fluent.

    >>> facts = map(parse_term, ["_may(card(ada),ace,0)", "_may(card(ada),ten,0)"])
    >>> list(map(str, as_written(Facts(facts))))
    ['holds(card(ada),hidden,0)']
    """
    written = [fact for fact in facts if fact.name not in (MAY[0], BY_DEFAULT[0])]
    veiled = {(f.arguments[0], f.arguments[2]) for f in facts if f.name == MAY[0]}
    written += [Function(HOLDS[0], [fluent, HIDDEN, here]) for fluent, here in veiled]
    return Facts(written)


def by_situation(facts: Iterable[Symbol]) -> list[list[Symbol]]:
    """The facts of each situation, with those that are about none.

    >>> facts = map(parse_term, ["taken_out(r)", "holds(heap,5,0)", "holds(heap,4,1)"])
    >>> for some in by_situation(facts):
    ...     print(*some)
    taken_out(r) holds(heap,5,0)
    taken_out(r) holds(heap,4,1)
    """
    everywhere: list[Symbol] = []
    situations: dict[Symbol, list[Symbol]] = defaultdict(list)
    for fact in facts:
        arguments = fact.arguments
        at = place_of(fact.name, arguments)
        (everywhere if at is None else situations[arguments[at]]).append(fact)
    return [[*everywhere, *some] for some in situations.values()]


def place_of(name: str, arguments: Sequence[Symbol]) -> int | None:
    """The index of the situation: the last one, or the one before a rule.

    >>> place_of("forbidden", parse_term("forbidden(take(ada),0,heap_02)").arguments)
    -2
    """
    if name in ("does", "ends"):
        return 1 if name == "does" else 0
    for at in (-1, -2):
        if len(arguments) >= -at and arguments[at].type == SymbolType.Number:
            return at
    return None


@lru_cache(maxsize=50_000)
def moved(atom: Symbol, here: Symbol) -> Symbol:
    """The same atom of another situation.

    >>> print(moved(parse_term("forbidden(take(ada),0,heap_02)"), Number(3)))
    forbidden(take(ada),3,heap_02)
    """
    arguments = atom.arguments
    at = place_of(atom.name, arguments)
    if at is None:
        return atom
    if atom.name == "does" and arguments[2] == arguments[1]:
        arguments[2] = here
    arguments[at] = here
    return Function(atom.name, arguments)


@lru_cache(maxsize=64)
def _unveiled(part: Slice) -> Slice:
    """The slice that answers instead of another where something is hidden."""
    return part if part.unveil is None else part.unveil(part)


class Worlds:
    """A question about one situation, with a choice of its hidden values."""

    def __init__(self, part: Slice, facts: Facts, geometry: Context | None) -> None:
        self.geometry = geometry
        self.facts = Facts(facts)
        self.here = next(f.arguments[2] for f in facts if f.name == MAY[0])
        self._hidden = sorted_symbols({f.arguments[0] for f in facts if f.name == MAY[0]})
        checking = Function("checking", [self.here])
        if checking not in facts:
            self.facts.append(checking)
        self._text = _unveiled(part).program(self.facts) + CHOOSING
        program = OpenProgram(self._text, self.facts, geometry)
        certain, literals = program.atoms((*part.shown, *AGAINST))
        self._sane = True
        shared = program.model(literals, self._assumed(program), "cautious")
        if shared is None:  # all worlds are ill formed
            self._sane = False
            shared = program.model(literals, self._assumed(program), "cautious") or set()
        self.certain = shared.union(certain)
        self.open = (program.model(literals, self._assumed(program), "brave") or set()) - shared

    def _assumed(self, program: OpenProgram) -> list[int]:
        """The literal by which worlds are well formed, or the one by which they are not."""
        literal = program.literal(SANE)
        return [] if literal is None else [literal if self._sane else -literal]

    @cached_property
    def _pair(self) -> OpenProgram:
        """Two worlds in one program, as two situations."""
        facts = {moved(fact, here) for fact in self.facts for here in PAIR}
        return OpenProgram(self._text + AGREEING, facts, self.geometry)

    @cached_property
    def _same(self) -> Literals:
        """The literals by which the two worlds agree in a fluent."""
        atoms = {f: self._pair.literal(Function("_same", [f])) for f in self._hidden}
        return {fluent: literal for fluent, literal in atoms.items() if literal}

    def depends_on(self, atoms: Iterable[Symbol]) -> tuple[Symbol, ...]:
        """The hidden fluents on which some open *atoms* depend, sorted."""
        fluents: set[Symbol] = set()
        for atom in sorted_symbols(set(atoms)):
            fluents |= self._depends_on(atom, fluents)
        return tuple(sorted_symbols(fluents))

    def _depends_on(self, atom: Symbol, known: Set[Symbol]) -> Set[Symbol]:
        """The hidden fluents on which an atom depends, if on more than those *known*."""
        pair, same = self._pair, self._same
        one, other = (pair.literal(moved(atom, here)) for here in PAIR)
        if one is None or other is None:
            return set()
        sane, differing = self._assumed(pair), [one, -other]
        if pair.model({}, [*sane, *differing, *map(same.__getitem__, known)]) is None:
            return set()
        # Of values that constrain each other, such as the hands of cards where hands are counted,
        # several sets would do: so the fluents that the rules read come first.
        anywhere = [-literal for literal in sane] if self._sane else sane
        core = pair.core([*anywhere, *differing], same)
        if core is not None and anywhere != sane:
            core = pair.core([*sane, *differing], {f: same[f] for f in core})
        # Worlds that agree in all fluents differ: the cause is unknown.
        return same.keys() if core is None else core
