"""Cuts a ruleset down to the statements that bear on one question.

This happens twice. When a ruleset is compiled, each verb gets the statements from which its answer
can be derived. When a question is asked, `Slice.program` keeps of these the ones that
the facts at hand can make fire: a rule about a die is of no use where no die lies. The price of a
question is the number of rules that clingo reads, so that is most of its speed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, product
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from clingo import Symbol

from pymorph.asp.facts import (
    DEFAULT,
    EVERYBODY,
    EVERYWHERE,
    HOLDS,
    READING,
    RULED,
    Key,
    Signature,
    Signs,
    key_of,
    keys_of,
    rulings,
)
from pymorph.asp.reachability import Closure, Waiting
from pymorph.asp.syntax_trees import (
    RuleAtoms,
    alternatives,
    keys_of_atom,
    named,
    occurrences_in,
    rules_in,
    signs_of,
)

if TYPE_CHECKING:
    from pymorph.asp.statements import CheckedStatement

Cached = TypeVar("Cached")

PROPOSED: Signature = ("proposed", 3)
# The predicates of figures: a verdict does not want those that it does not name.
FIGURED = frozenset({"entry", "total", "never", "finding", "unknown"})
OF_FIGURES = FIGURED | {"ground"}
OF_CLAIMS = ("verdict", "claims_")
REMEMBERED = 256
MANY = 10_000  # numbers of a range that the grounder had better not go through
CHECKED = "_checked"  # after the name of a verb: with what makes a position ill formed


class Statement(NamedTuple):
    """A statement of a slice."""

    text: str
    signs: Signs

    @classmethod
    def of(cls, text: str) -> Statement:
        """The statement that a text is."""
        return cls(text, signs_of(occurrences_in(rules_in(text)[-1])))


# The rules that say of each situation what is stated once, by the key of the facts that state it.
SPREADING: Mapping[Key, Statement] = {
    (*EVERYWHERE, None): Statement.of("holds(F,V,S) :- everywhere(F,V); situation(S)."),
    (*EVERYBODY, None): Statement.of("present(X,S) :- everywhere(X); situation(S)."),
}


class FreeReadings(NamedTuple):
    """A program with free readings, and the questions that it reads."""

    text: str
    questions: tuple[str, ...]


class Reads(NamedTuple):
    """The questions and the fluents that some statements read."""

    questions: tuple[str, ...] = ()
    fluents: tuple[str, ...] = ()


def last_arguments(statements: Iterable[Statement], wanted: Iterable[Key]) -> set[str]:
    """The names that the last argument of some atoms may have: for the heads of `sets`, the rules.

    A rule may take it from another atom: with ``sets(F, V, T, R) :- starts(F, V, T, R).`` those of
    ``sets`` include those of ``starts``. Where a key has a functor, heads count that name it.
    """
    defining: dict[Signature, list[tuple[str | None, str]]] = defaultdict(list)
    for statement in statements:
        for (name, arity, functor), _ in statement.signs.defines:
            defining[name, arity].append((functor, statement.text))
    sought = [(key, key[1] - 1) for key in wanted]
    names: set[str] = set()
    for (predicate, size, functor), at in sought:  # which grows
        signature = predicate, size
        for about, text in defining.get(signature, ()):
            if functor and functor != about:
                continue
            atoms = RuleAtoms.of(occurrences_in(rules_in(text)[-1]))
            heads = (arguments[at] for *head, arguments in atoms.heads if (*head,) == signature)
            for term in chain.from_iterable(map(alternatives, heads)):
                if form := named(term):
                    names.add(form[0])
                    continue
                for atom in atoms.required:
                    places = [n for n, given in enumerate(atom[2]) if given == term]
                    givers = product(keys_of_atom(atom), places)
                    sought += [giver for giver in givers if giver not in sought]
    return names


@dataclass(eq=False, repr=False)
class Slice:
    """The statements for one kind of question, of the files in *folders*, and what they show.

    Figures stay in their *bounds*; the slice that *unveil* makes of it answers where something is
    hidden. Beside the statements that can matter are those that a pass has *added* to them.
    """

    parts: tuple[Statement, ...]
    shown: tuple[Signature, ...]
    folders: tuple[str, ...] = ()
    bounds: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    as_read: bool = False
    unveil: Callable[[Slice], Slice] | None = None
    added: Callable[[Sequence[Statement]], Iterable[str]] = lambda _: ()
    _caches: dict[str, dict[object, Any]] = field(default_factory=lambda: defaultdict(dict))

    def _cached(self, kind: str, key: object, make: Callable[[], Cached]) -> Cached:
        """What *make* makes for a *key*, made once; of each kind the last 256 are cached."""
        cache = self._caches[kind]
        if key not in cache:
            cache[key] = make()
            if len(cache) > REMEMBERED:
                del cache[next(iter(cache))]
        value: Cached = cache[key]
        return value

    @property
    def text(self) -> str:
        """All of its statements as a program."""
        return written(self.parts)

    def program(self, facts: Iterable[Symbol]) -> str:
        """The statements that can matter with these facts, as a program."""
        known = keys_of(facts)

        def make() -> str:
            parts = self._statements(known)
            return "\n".join([written(parts), *self.added(parts)])

        return self._cached("program", known, make)

    def _statements(self, known: frozenset[Key]) -> list[Statement]:
        parts = self._pruned(known)
        if parts:
            parts += [part for key, part in SPREADING.items() if key in known]
        return [bounded(part, self.bounds) for part in parts] if self.bounds else parts

    def reads(
        self, facts: Iterable[Symbol], questions: Iterable[str], fluents: Iterable[str]
    ) -> Reads:
        """Those of some questions that can matter with these facts, and of some fluents that could
        if they were given."""
        known, asked, given = keys_of(facts), tuple(questions), tuple(fluents)

        def make() -> Reads:
            parts = self._pruned(known)
            return Reads(questions_read(parts, asked), fluents_read(self.parts, given))

        return self._cached("reads", (known, asked, given), make)

    def open_program(
        self,
        facts: Iterable[Symbol],
        questions: Mapping[str, tuple[str, ...]],
        bounds: Mapping[str, tuple[int, int]],
        wanted: Iterable[Key] = (),
        proposing: frozenset[str] | None = None,
    ) -> FreeReadings:
        """The statements that can matter with these facts, however *questions* are read.

        The caller adds the choice of readings. *bounds* are those of the figures: a sum of unknown
        items would have every value there is. *wanted* are the keys of the atoms that count, or
        all that are shown; *proposing* the only actions whose proposals matter.
        """
        known = keys_of(facts)
        sought = tuple(wanted) or self._shown_keys

        def make() -> FreeReadings:
            pruned = self._pruned(known | rulings(questions), sought, proposing)
            parts = [part for part in pruned if not gives_readings(part)]
            text = written(bounded(part, bounds) for part in parts)
            return FreeReadings(text, questions_read(parts, sorted(questions)))

        return self._cached("open program", (known, sought, proposing), make)

    def of_figures(self, names: frozenset[str]) -> Slice:
        """The slice for figures of these *names*, and for all that is no figure."""

        def make() -> Slice:
            sought = [
                (name, arity, figure)
                for name, arity in self.shown
                for figure in (sorted(names) if name in OF_FIGURES else [None])
            ]
            parts = self._graph.leading_to(sought, range(len(self.parts)), figured=True)
            return Slice(tuple(parts), self.shown, self.folders, unveil=self.unveil)

        return self._cached("figures", names, make)

    def fluents(self, facts: Iterable[Symbol], wanted: Iterable[Key]) -> frozenset[str] | None:
        """The names of the fluents on which *wanted* atoms can depend, whatever their values are.

        The *facts* are those of the question but for the fluents, however it is ruled. None: any
        may matter.
        """
        known = frozenset(key_of(f) for f in facts if f.name not in (HOLDS[0], RULED[0]))
        sought = tuple(wanted)

        def make() -> frozenset[str] | None:
            every = {key for part in self.parts for key in part.signs.uses}
            possible = {k for k in every if k[:2] in (HOLDS, RULED, READING)}
            options = {(*RULED, k[2]) for k in possible if k[:2] == READING}
            parts = self._pruned(known | possible | options | {(*HOLDS, None)}, sought)
            names = {k[2] for part in parts for k in part.signs.uses if k[:2] == HOLDS}
            return None if None in names else frozenset(filter(None, names))

        return self._cached("fluents", (known, sought), make)

    def _leading_to(
        self, sought: tuple[Key, ...], proposing: frozenset[str] | None
    ) -> DependencyGraph:
        """The statements that can bear on atoms of these keys, whatever the facts are.

        Of those that propose an action, the ones for *proposing*, and for whatever is forced.
        """

        def make() -> DependencyGraph:
            among = set(range(len(self.parts)))
            if proposing is not None:
                among -= self._graph.proposing_others(proposing)
            return DependencyGraph(self._graph.leading_to(sought, among, figured=False))

        return self._cached("leading to", (sought, proposing), make)

    @cached_property
    def _graph(self) -> DependencyGraph:
        return DependencyGraph(self.parts)

    @property
    def _shown_keys(self) -> tuple[Key, ...]:
        return tuple((*signature, None) for signature in self.shown)

    def _pruned(
        self,
        known: Iterable[Key],
        sought: tuple[Key, ...] | None = None,
        proposing: frozenset[str] | None = None,
    ) -> list[Statement]:
        """What can fire with these facts, and bears on the atoms that are sought or shown."""
        if sought is None:
            graph = self._graph
            return graph.leading_to(self._shown_keys, graph.firing(known), figured=True)
        graph = self._leading_to(sought, proposing)
        return graph.leading_to(sought, graph.firing(known), figured=False)


class DependencyGraph:
    """Statements by what they wait for and what they give."""

    def __init__(self, parts: Sequence[Statement]) -> None:
        self.parts = parts
        self._giving: dict[Signature, dict[str | None, list[int]]] = {}
        waiting: Waiting = {}
        self._readings: list[Key] = []
        for number, part in enumerate(parts):
            for key, _ in part.signs.defines:
                self._giving.setdefault(key[:2], {}).setdefault(key[2], []).append(number)
                if key[:2] == DEFAULT:
                    self._readings.append((*READING, key[2]))
            for key in part.signs.requires[0] if part.signs.requires else ():
                waiting.setdefault(key[:2], {}).setdefault(key[2], []).append(number)
        self._nothing = Closure([part.signs for part in parts], waiting)
        self._common: Closure | None = None  # what the questions so far have in common

    def proposing_others(self, names: Collection[str]) -> frozenset[int]:
        """The numbers of the statements that do nothing but propose actions of other names."""
        wanted = {None, *names}
        return frozenset(
            number
            for number, (_, signs) in enumerate(self.parts)
            if signs.heads == {PROPOSED} and wanted.isdisjoint(key[2] for key, _ in signs.defines)
        )

    def leading_to(
        self, sought: Iterable[Key], among: Container[int], figured: bool
    ) -> list[Statement]:
        """Those *among* the statements that bear on atoms that are *sought*, in their order."""
        return [self.parts[number] for number in sorted(self.numbers(sought, among, figured))]

    def numbers(self, sought: Iterable[Key], among: Container[int], figured: bool) -> set[int]:
        """The numbers of those *among* the statements that bear on atoms that are *sought*.

        A verdict bears on the figures that are sought, and not on all of them, unless *figured*.
        """
        used: set[int] = set()
        seen: set[Key] = set()
        agenda: list[Key] = list(sought)
        while agenda:
            wanted = agenda.pop()
            if wanted in seen:
                continue
            seen.add(wanted)
            reading = wanted[:2] == READING
            if reading:
                agenda.append((*DEFAULT, wanted[2]))
            by_functor = self._giving.get(wanted[:2])
            if by_functor is None:
                continue
            functors = [wanted[2], None] if wanted[2] is not None else list(by_functor)
            every = figured or not wanted[0].startswith(OF_CLAIMS)
            for functor in functors:
                for number in by_functor.get(functor, ()):
                    if number in used or number not in among:
                        continue
                    used.add(number)
                    # A reading is asked for one by one, not by the rule that says what it is.
                    agenda += [
                        key
                        for key in self.parts[number].signs.uses
                        if not (reading and key[:2] == DEFAULT)
                        and (every or key[2] or key[0] not in FIGURED)
                    ]
        return used

    def firing(self, known: Iterable[Key], without: Container[int] = ()) -> Set[int]:
        """The numbers of the statements whose conditions can all come about, *without* some."""
        keys = self._keys(known)
        if without:
            return self._nothing.with_keys(keys, without).fired
        common = self._common
        if common is None or not common.known <= keys:
            shared = keys if common is None else common.known & keys
            common = self._common = self._nothing.with_keys(shared)
        return (common if common.known == keys else common.with_keys(keys)).fired

    def _keys(self, known: Iterable[Key]) -> frozenset[Key]:
        """The *known* keys, with those of readings."""
        keys = {*known, *self._readings}
        return frozenset(keys.union((*READING, key[2]) for key in keys if key[:2] == RULED))


def gives_readings(part: Statement) -> bool:
    """Does a statement say how a question is read?"""
    return not part.signs.heads.isdisjoint((READING, DEFAULT))


def questions_read(parts: Iterable[Statement], questions: Iterable[str]) -> tuple[str, ...]:
    """Those of some questions that statements read."""
    read = {key[2] for part in parts for key in part.signs.uses if key[:2] == READING}
    named = {pair.partition("=")[0] for pair in read if pair is not None}
    return tuple(q for q in questions if None in read or q in named)


def fluents_read(parts: Iterable[Statement], fluents: Iterable[str]) -> tuple[str, ...]:
    """Those of some fluents that statements read."""
    read = {key[2] for part in parts for key in part.signs.uses if key[:2] == HOLDS}
    return tuple(f for f in fluents if f in read)


def written(parts: Iterable[Statement]) -> str:
    """Statements as a program, with `#defined` for the predicates that nothing defines."""
    statements = list(parts)
    body = frozenset[Signature]().union(*(part.signs.body for part in statements))
    heads = frozenset[Signature]().union(*(part.signs.heads for part in statements))
    lines = [f"#defined {name}/{arity}." for name, arity in sorted(body - heads)]
    return "\n".join([*lines, *(part.text for part in statements)])


def bounded(part: Statement, bounds: Mapping[str, tuple[int, int]]) -> Statement:
    """The sum of a figure, limited to the range of the figure; anything else as it is.

    The grounder goes through all of the range, which for lengths on a table is too much.
    """
    for key, _ in part.signs.defines:
        if key[:2] == ("total", 3) and key[2] in bounds:
            low, high = bounds[key[2] or ""]
            if high - low > MANY:
                return part
            return Statement(f"{part.text.removesuffix('.')}; N >= {low}; N <= {high}.", part.signs)
    return part


def meets(key: Key, head: Key) -> bool:
    """Can a head give an atom of *key*? A functor that is not known may be any."""
    return head[:2] == key[:2] and (None in (key[2], head[2]) or key[2] == head[2])


def functors(parts: Iterable[Statement | CheckedStatement], predicate: str) -> frozenset[str]:
    """The functors that a *predicate* has as its first argument in some head."""
    defined = (key for part in parts for key, _ in part.signs.defines)
    return frozenset(functor for name, _, functor in defined if name == predicate and functor)
