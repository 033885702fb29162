"""Cuts a ruleset down to the statements that bear on one question.

This happens twice. When a ruleset is compiled, `cut` keeps for each verb the statements from which
its answer can be derived. When a question is asked, `Slice.program` keeps of these the ones that
the facts at hand can make fire: a rule about a die is of no use where no die lies. The price of a
question is the number of rules that clingo reads, so that is most of its speed.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import (
    Callable,
    Collection,
    Container,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
    Set,
)
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import Literal, NamedTuple, Protocol

from clingo import Symbol

from pymorph.asp.facts import (
    DEFAULT,
    EVERYBODY,
    EVERYWHERE,
    HOLDS,
    PRESENT,
    READING,
    RULED,
    VALUE,
    Key,
    Signature,
    key_of,
    keys_of,
    rulings,
)
from pymorph.asp.reachability import Closure, Waiting

StatementKind = Literal["fact", "facts", "rule", "defined", "const", "show", "minimize"]

PROPOSED: Signature = ("proposed", 3)
# What is kept by figure: of these, one that is not named is not wanted by a verdict.
FIGURED = frozenset({"entry", "total", "never", "finding", "unknown"})
TELLING = FIGURED | {"ground"}
OF_CLAIMS = ("verdict", "claims_")
REMEMBERED = 256
MANY = 10_000  # numbers of a range that the grounder had better not go through
CHECKED = "_checked"  # after the name of a verb: with what makes a position ill formed


class Signs(NamedTuple):
    """What a statement waits for, brings and reads, as keys.

    *needs* has a set of alternatives for each atom that has to hold. What it *gives* comes with a
    signature if its functor is whatever functor an atom of that signature has. *reads* is all that
    the statement looks at, also behind a ``not``.
    """

    needs: tuple[frozenset[Key], ...]
    gives: tuple[tuple[Key, Signature | None], ...]
    reads: frozenset[Key]


class StatementLike(Protocol):
    """What slicing needs to know of a statement; see `gate.Statement`."""

    @property
    def text(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def head_keys(self) -> frozenset[Key]: ...
    @property
    def body_keys(self) -> frozenset[Key]: ...
    @property
    def body(self) -> frozenset[Signature]: ...
    @property
    def signs(self) -> Signs: ...


class Statement(NamedTuple):
    """A statement as a slice keeps it."""

    text: str
    signs: Signs


def _spreading(text: str, told: Signature, said: Signature) -> tuple[Key, Statement]:
    """What is told once is said of each situation; the rule for it by the key that calls for it."""
    reads = frozenset({(*told, None), ("situation", 1, None)})
    return (*told, None), Statement(text, Signs((), (((*said, None), None),), reads))


SPREADING = dict(
    (
        _spreading("holds(F,V,S) :- everywhere(F,V); situation(S).", EVERYWHERE, HOLDS),
        _spreading("present(X,S) :- everywhere(X); situation(S).", EVERYBODY, PRESENT),
    )
)


class Opening(NamedTuple):
    """A program that leaves readings open, and the questions that it looks at."""

    text: str
    questions: tuple[str, ...]


@dataclass(eq=False, repr=False)
class Slice:
    """The statements for one kind of question, of the files in *folders*, and what they show.
    Figures keep to *bounds*; what *unveil* makes of it answers where something is hidden."""

    parts: tuple[Statement, ...]
    shown: tuple[Signature, ...]
    folders: tuple[str, ...] = ()
    _programs: OrderedDict[frozenset[Key], str] = field(default_factory=OrderedDict, repr=False)
    _opened: OrderedDict[object, Opening] = field(default_factory=OrderedDict, repr=False)
    _reached: dict[object, DependencyGraph] = field(default_factory=dict, repr=False)
    _read: dict[object, frozenset[str] | None] = field(default_factory=dict, repr=False)
    _figures: OrderedDict[frozenset[str], Slice] = field(default_factory=OrderedDict, repr=False)
    bounds: Mapping[str, tuple[int, int]] = field(default_factory=dict, repr=False)
    as_read: bool = False
    unveil: Callable[[Slice], Slice] | None = None

    @property
    def text(self) -> str:
        """The whole of it as a program."""
        return written(self.parts)

    def program(self, facts: Iterable[Symbol]) -> str:
        """As much of it as can matter with these facts."""
        known = self._known(facts)
        found = self._programs.get(known)
        if found is None:
            found = self._programs[known] = written(self._kept(known))
            if len(self._programs) > REMEMBERED:
                self._programs.popitem(last=False)
        return found

    def kept(self, facts: Iterable[Symbol]) -> tuple[Statement, ...]:
        """The statements of that program."""
        return tuple(self._kept(self._known(facts)))

    def _kept(self, known: frozenset[Key]) -> list[Statement]:
        kept = self._pruned(known)
        if kept:
            kept += [part for key, part in SPREADING.items() if key in known]
        return [bounded(part, self.bounds) for part in kept] if self.bounds else kept

    def opened(
        self,
        facts: Iterable[Symbol],
        questions: Mapping[str, tuple[str, ...]],
        bounds: Mapping[str, tuple[int, int]],
        wanted: Iterable[Key] = (),
        proposing: frozenset[str] | None = None,
    ) -> Opening:
        """As much of it as can matter with these facts, however *questions* are read.

        It says nothing of readings: they are for the caller to choose. *bounds* are those of the
        figures: a sum of unknown items would have every value there is. *wanted* are the atoms that
        count, if it is not all that are shown, and *proposing* the only actions of which it matters
        whether somebody proposes them.
        """
        known = self._known(facts)
        sought = tuple(wanted) or tuple((*signature, None) for signature in self.shown)
        key = (known, sought, proposing)
        found = self._opened.get(key)
        if found is None:
            kept = [
                part
                for part in self._pruned(known | rulings(questions), sought, proposing)
                if not any(key[:2] in (READING, DEFAULT) for key, _ in part.signs.gives)
            ]
            read = {k[2] for part in kept for k in part.signs.reads if k[:2] == READING}
            every = None in read
            named = {pair.partition("=")[0] for pair in read if pair is not None}
            asked = tuple(q for q in sorted(questions) if every or q in named)
            kept = [bounded(part, bounds) for part in kept]
            found = Opening(written(kept), asked)
            self._opened[key] = found
            if len(self._opened) > REMEMBERED:
                self._opened.popitem(last=False)
        return found

    def of_figures(self, names: frozenset[str]) -> Slice:
        """The part of it that tells figures of these *names*, and all that is no figure."""
        found = self._figures.get(names)
        if found is None:
            sought = [
                (name, arity, figure)
                for name, arity in self.shown
                for figure in (sorted(names) if name in TELLING else [None])
            ]
            graph = DependencyGraph(self.parts)
            parts = graph.leading_to(sought, range(len(self.parts)), figured=True)
            found = Slice(tuple(parts), self.shown, self.folders, unveil=self.unveil)
            self._figures[names] = found
            if len(self._figures) > REMEMBERED:
                self._figures.popitem(last=False)
        return found

    def fluents(self, facts: Iterable[Symbol], wanted: Iterable[Key]) -> frozenset[str] | None:
        """The names of the fluents on which *wanted* atoms can hang, whatever their values are.

        The *facts* are those of the question but for the fluents. None: any may matter.
        """
        known = frozenset(key_of(fact) for fact in facts if fact.name != "holds")
        key = ("fluents", known, tuple(wanted))
        if key not in self._read:
            every = {key for part in self.parts for key in part.signs.reads}
            possible = {k for k in every if k[:2] in (HOLDS, RULED, READING)}
            options = {(*RULED, k[2]) for k in possible if k[:2] == READING}
            kept = self._pruned(known | possible | options | {(*HOLDS, None)}, tuple(wanted))
            read = {k[2] for part in kept for k in part.signs.reads if k[:2] == HOLDS}
            self._read[key] = None if None in read else frozenset(filter(None, read))
        return self._read[key]

    def _reaching(
        self, sought: tuple[Key, ...], proposing: frozenset[str] | None
    ) -> DependencyGraph:
        """The statements that can bear on atoms of these keys, whatever the facts are.

        Of those that propose an action, the ones for *proposing*, and for whatever is forced.
        """
        key = (sought, proposing)
        if key not in self._reached:
            parts = [
                part
                for part in self.parts
                if proposing is None
                or all(k[:2] != PROPOSED or k[2] in {None, *proposing} for k, _ in part.signs.gives)
            ]
            every = range(len(parts))
            self._reached[key] = DependencyGraph(
                DependencyGraph(parts).leading_to(sought, every, figured=False)
            )
        return self._reached[key]

    def _known(self, facts: Iterable[Symbol]) -> frozenset[Key]:
        """The keys of facts, without the values for which no statement waits."""
        valued = self._graph.valued
        return frozenset(key for key in keys_of(facts) if key[1] != VALUE or key[0] in valued)

    @cached_property
    def _graph(self) -> DependencyGraph:
        return DependencyGraph(self.parts)

    def _pruned(
        self,
        known: Iterable[Key],
        sought: tuple[Key, ...] | None = None,
        proposing: frozenset[str] | None = None,
    ) -> list[Statement]:
        """What can fire with these facts, and bears on the atoms that are sought or shown."""
        if sought is None:
            shown = tuple((*signature, None) for signature in self.shown)
            firing = self._graph.firing(known)
            return self._graph.leading_to(shown, firing, figured=True)
        index = self._reaching(sought, proposing)
        return index.leading_to(sought, index.firing(known), figured=False)


class DependencyGraph:
    """Statements by what they wait for and what they give."""

    def __init__(self, parts: Sequence[Statement]) -> None:
        self.parts = parts
        self._giving: dict[Signature, dict[str | None, list[int]]] = {}
        waiting: Waiting = {}
        self._readings: list[Key] = []
        for number, part in enumerate(parts):
            for key, _ in part.signs.gives:
                self._giving.setdefault(key[:2], {}).setdefault(key[2], []).append(number)
                if key[:2] == DEFAULT:
                    self._readings.append((*READING, key[2]))
            for key in part.signs.needs[0] if part.signs.needs else ():
                waiting.setdefault(key[:2], {}).setdefault(key[2], []).append(number)
        self._nothing = Closure([part.signs for part in parts], waiting, self._any_value)
        self._common: Closure | None = None  # what the questions so far have in common

    def _any_value(self, key: Key) -> Iterator[Key]:
        """The keys by which a fluent may have any value that is not told, if *key* is one's."""
        if key[:2] == HOLDS:
            names = {key[2]} if key[2] else self.valued.union(of for _, (of, _) in self._handing)
            yield from ((name, VALUE, None) for name in names)

    @cached_property
    def valued(self) -> frozenset[str]:
        """The names of the fluents of which it matters to some statement what value they have."""
        needs = chain.from_iterable(part.signs.needs for part in self.parts)
        named = {key[:2] for key in chain.from_iterable(needs) if key[2] is not None}
        handed = {source for target, source in self._handing if target in named}
        return frozenset(name for name, arity in named | handed if arity == VALUE)

    @cached_property
    def _handing(self) -> frozenset[tuple[Signature, Signature]]:
        """What statements give whose first word is the value of a fluent, and of which."""
        gives = chain.from_iterable(part.signs.gives for part in self.parts)
        return frozenset((key[:2], of) for key, of in gives if of is not None and of[1] == VALUE)

    @cached_property
    def _proposing(self) -> list[tuple[int, frozenset[str | None]]]:
        """The statements that do nothing but propose actions, by the names of those."""
        given = ((n, part.signs.gives) for n, part in enumerate(self.parts) if part.signs.gives)
        return [
            (n, frozenset(key[2] for key, _ in gives))
            for n, gives in given
            if all(key[:2] == PROPOSED for key, _ in gives)
        ]

    def proposing_others(self, names: Collection[str]) -> frozenset[int]:
        """The numbers of the statements that do nothing but propose actions of other names."""
        wanted = {None, *names}
        return frozenset(n for n, found in self._proposing if wanted.isdisjoint(found))

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
            for one in functors:
                for number in by_functor.get(one, ()):
                    if number in used or number not in among:
                        continue
                    used.add(number)
                    # A reading is asked for one by one, not by the rule that says what it is.
                    agenda += [
                        key
                        for key in self.parts[number].signs.reads
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
        """What is known, with all that this says of readings and of values that are not told."""
        known = list(known)
        told = {key[0] for key in known if key[1] == VALUE}
        found: list[Key] = [*known, *self._readings]
        found += [key for each in known if each[2] not in told for key in self._any_value(each)]
        found += [(*READING, key[2]) for key in found if key[0] == "ruled"]
        return frozenset(found)


def written(parts: Iterable[Statement]) -> str:
    """Statements as a program, with a word on the predicates that nothing defines."""
    found = list(parts)
    body = {key[:2] for part in found for key in part.signs.reads}
    heads = {key[:2] for part in found for key, _ in part.signs.gives}
    lines = [f"#defined {name}/{arity}." for name, arity in sorted(body - heads)]
    return "\n".join([*lines, *(part.text for part in found)])


def bounded(part: Statement, bounds: Mapping[str, tuple[int, int]]) -> Statement:
    """The sum of a figure, kept in the range of the figure; anything else as it is.

    The grounder goes through all of the range, which for lengths on a table is too much.
    """
    for key, _ in part.signs.gives:
        if key[:2] == ("total", 3) and key[2] in bounds:
            low, high = bounds[key[2] or ""]
            if high - low > MANY:
                return part
            return Statement(f"{part.text.removesuffix('.')}; N >= {low}; N <= {high}.", part.signs)
    return part


def cut(
    statements: Sequence[StatementLike],
    wanted: Iterable[Key],
    left_out: Iterable[str] = (),
) -> Iterator[int]:
    """The numbers of the statements from which an atom of the *wanted* keys can be derived.

    Predicates *left_out* are not followed: the caller knows that they are of no use to it.
    """
    without = frozenset(left_out)
    by_signature: dict[Signature, list[int]] = defaultdict(list)
    for number, statement in enumerate(statements):
        if statement.kind in ("rule", "fact", "facts"):
            for name, arity, _ in statement.head_keys:
                by_signature[name, arity].append(number)
    taken: set[int] = set()
    seen: set[Key] = set()
    agenda = list(wanted)
    while agenda:
        key = agenda.pop()
        if key in seen or key[0] in without:
            continue
        seen.add(key)
        for number in by_signature.get(key[:2], ()):
            if number not in taken and any(
                meets(key, head) for head in statements[number].head_keys
            ):
                taken.add(number)
                agenda.extend(statements[number].body_keys)
    yield from sorted(taken)


def meets(key: Key, head: Key) -> bool:
    """Can a head give an atom of *key*? A functor that is not known may be any."""
    return head[:2] == key[:2] and (None in (key[2], head[2]) or key[2] == head[2])


def functors(statements: Iterable[StatementLike], predicate: str) -> frozenset[str]:
    """The functors that a keyed *predicate* has as its first argument in some head."""
    return frozenset(
        functor
        for statement in statements
        for name, _, functor in statement.head_keys
        if name == predicate and functor
    )
