"""Consequences where something is hidden: certain atoms, possible atoms, and what these depend on.

Each hidden fluent has one of its possible values: a program that chooses them has one answer set,
a world, for each choice. Atoms of all worlds are certain (cautious consequences); atoms of only
some worlds (brave ones) depend on hidden fluents. A program of two worlds finds these fluents: if
no two worlds that agree in some fluents differ in an atom, it depends on no others.

>>> from clingo import parse_term
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from clingo import Function, Number, Symbol, SymbolType

from pymorph.asp.dependency import Slice
from pymorph.asp.facts import BY_DEFAULT, HOLDS, MAY, READING, Facts, Signature
from pymorph.asp.open_program import Literals, OpenProgram
from pymorph.terms import sorted_symbols

if TYPE_CHECKING:
    from pymorph.board.lengths.measuring import Context

HIDDEN = Function("hidden")
# One value for each fluent; no ill-formed worlds, unless all are.
CHOOSING = """
1 { _is(F,V,S) : _may(F,V,S) } 1 :- _may(F,_,S).
holds(F,V,S) :- _is(F,V,S), not _by_default(F,V,S).
_ill_formed(S) :- ill_formed(_,S,_).
{ _sane }.
:- _sane, _ill_formed(_).
#defined _may/3. #defined _by_default/3. #defined ill_formed/3.
"""
# Two worlds that agree in some of what is hidden, or left open.
AGREEING = """
{ _same(F) : _may(F,_,_) }.
:- _same(F), _is(F,V,0), not _is(F,V,1).
{ _alike(Q) : left_open(Q) }.
:- _alike(Q), reading(Q,O,0), not reading(Q,O,1).
"""
PAIR = Number(0), Number(1)
NOTHING: Set[Symbol] = frozenset()
SANE, ILL_FORMED = Function("_sane"), Function("_ill_formed", [Number(0)])
OF_PARTS = frozenset({"claims_legal", "claims_value", "claims_outcome", "verdict"})
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


def beside(atom: Symbol, here: Symbol) -> Symbol:
    """The same atom in one of two worlds beside each other; parts of claims are numbered in each.

    >>> print(beside(parse_term("verdict(3,true)"), Number(1)))
    verdict((3,1),true)
    """
    if atom.name in OF_PARTS:
        number, *others = atom.arguments
        atom = Function(atom.name, [Function("", [number, here]), *others])
    return moved(atom, here)


@lru_cache(maxsize=64)
def _unveiled(part: Slice) -> Slice:
    """The slice that answers instead of another where something is hidden."""
    return part if part.unveil is None else part.unveil(part)


def checked(part: Slice, facts: Facts) -> tuple[Slice, Facts]:
    """What answers where something is hidden: it also says which values are well formed."""
    veiled = {fact.arguments[2] for fact in facts if fact.name == MAY[0]}
    checking = Facts({Function("checking", [here]) for here in veiled}.difference(facts))
    return _unveiled(part), Facts([*facts, *checking], facts.keys | checking.keys)


class Consequences(NamedTuple):
    """What is *certain* in all worlds under some *choices*, and what is *open*: so in some only.

    The worlds are *sane*, well formed, unless none is.
    """

    choices: Mapping[str, str]
    sane: bool
    certain: Set[Symbol]
    open: Set[Symbol]


class Worlds:
    """A question about one situation, with a choice of its hidden values.

    Some *questions* may be open too: then a world has an option of each. Choices, options by
    question, narrow the worlds down.
    """

    def __init__(
        self,
        program: str,
        facts: Facts,
        shown: Iterable[Signature],
        geometry: Context | None,
        questions: Mapping[str, Sequence[str]],
    ) -> None:
        self.facts = facts
        self.here = next(f.arguments[2] for f in facts if f.name == MAY[0])
        open_ones = (f"{question},({';'.join(some)}),S" for question, some in questions.items())
        choosing = (f"1 {{ reading({each}) }} 1 :- situation(S)." for each in open_ones)
        self._text = "\n".join((program, *choosing, CHOOSING))
        self._geometry = geometry
        self._program = OpenProgram(self._text, facts, geometry)
        self._certain, self._literals = self._program.atoms((*shown, *AGAINST))

    def under(self, choices: Mapping[str, str]) -> Consequences:
        """The consequences under some choices."""
        for sane in (True, False):
            assumed = _assumed(self._program, choices, sane)
            shared = self._program.model(self._literals, assumed, "cautious")
            if shared is not None:
                break
        shared = shared or set()
        some = self._program.model(self._literals, assumed, "brave") or set()
        return Consequences(choices, sane, shared.union(self._certain), some - shared)

    @cached_property
    def _pair(self) -> OpenProgram:
        """Two worlds in one program, as two situations."""
        facts = {beside(fact, here) for fact in self.facts for here in PAIR}
        return OpenProgram(self._text + AGREEING, facts, self._geometry)

    @cached_property
    def _same(self) -> Literals:
        """The literals by which the two worlds agree in a fluent."""
        return _by_thing(self._pair, ("_same", 1))

    def depends_on(self, here: Consequences, atoms: Iterable[Symbol]) -> tuple[Symbol, ...]:
        """The hidden fluents on which some open *atoms* depend, sorted."""
        assumed = _assumed(self._pair, here.choices, here.sane)
        fluents: set[Symbol] = set()
        for atom in sorted_symbols(set(atoms)):
            fluents |= self._cause(atom, self._same, assumed, fluents)
        return tuple(sorted_symbols(fluents))

    def turning(self, choices: Mapping[str, str], bears: Callable[[Symbol], bool]) -> Sequence[str]:
        """Questions, sorted: readings that agree in them agree in each world in what *bears*.

        That is in the atoms that bear on the answer, under readings that make some choices.
        """
        alike = _by_thing(self._pair, ("_alike", 1))
        here, same = self.under(choices), self._same.values()
        found = {*self._cause(ILL_FORMED, alike, [*_assumed(self._pair, choices, False), *same])}
        sane = here.sane and not found
        assumed = [*_assumed(self._pair, choices, sane), *same]
        for atom in sorted_symbols(filter(bears, here.open if sane else self._literals)):
            found |= self._cause(atom, alike, assumed, found)
        return sorted({question.name for question in found}.difference(choices))

    def _cause(
        self, atom: Symbol, things: Literals, assumed: Sequence[int], known: Set[Symbol] = NOTHING
    ) -> Set[Symbol]:
        """The things on which an atom depends in two worlds, if on more than those *known*."""
        pair = self._pair
        one, other = (pair.literal(beside(atom, here)) for here in PAIR)
        if one is None or other is None:
            return set()
        differing = [one, -other]
        if pair.model({}, [*assumed, *differing, *map(things.__getitem__, known)]) is None:
            return set()
        # Of values that constrain each other, such as the hands of cards where hands are counted,
        # several sets would do: so the fluents that the rules read come first.
        sane = pair.literal(SANE)
        anywhere = [-literal if literal == sane else literal for literal in assumed]
        core = pair.core([*anywhere, *differing], things)
        if core is not None and anywhere != assumed:
            core = pair.core([*assumed, *differing], {thing: things[thing] for thing in core})
        # Worlds that agree in all things differ: the cause is unknown.
        return things.keys() if core is None else core


def _assumed(program: OpenProgram, choices: Mapping[str, str], sane: bool) -> list[int]:
    """The literals by which worlds make some choices, and are well formed or need not be."""
    literal, readings = program.literal(SANE), program.atoms([READING])[1]
    made = {(Function(question), Function(option)) for question, option in choices.items()}
    chosen = [number for atom, number in readings.items() if (*atom.arguments[:2],) in made]
    return chosen if literal is None else [*chosen, literal if sane else -literal]


def _by_thing(program: OpenProgram, signature: Signature) -> Literals:
    """The literals of the atoms that have something as their only argument."""
    return {atom.arguments[0]: literal for atom, literal in program.atoms([signature])[1].items()}
