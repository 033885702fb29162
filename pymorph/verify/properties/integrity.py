"""The property `data`: what a ruleset says as facts is written down whole and fits together.

What is of the wrong shape, and what a vocabulary cannot be built from, is refused on loading, and
not looked for again here.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from clingo import Symbol, SymbolType

from pymorph.asp.facts import Signature, parse_signatures
from pymorph.asp.guard import words_in
from pymorph.asp.statements import plain
from pymorph.errors import Place, clipped, nearest
from pymorph.ruleset.catalogue import UNTOLD
from pymorph.ruleset.loader import OWN, STATUSES, Ruleset, files_of
from pymorph.ruleset.vocabulary import GIVEN, Vocabulary
from pymorph.terms import text_of
from pymorph.verify.citations import cited, encoded, named_above
from pymorph.verify.frame import described
from pymorph.verify.report import Finding, Piece
from pymorph.verify.scope import BOUNDED, Scope, stranger
from pymorph.verify.sources import Sources, location

PlacedArguments = tuple[tuple[Symbol, ...], Place]
PlacesByName = dict[str, Place]

# What has to be there for each rule, question and property, as its first argument has it.
NEEDED = {"rule": "title says status", "question": "asks because default", "property": "meaning"}
# What is said once: by none of its arguments one fact is told from another, or by the first, ...
SAID_ONCE = (
    "policy_fluent/1 sight_finding/2 cover_finding/2 surface/1 point_fluent/1",
    """
    rule/1 title/2 says/2 status/2 waived/2 document/2 question/1 asks/2 default/2 because/2
    property/1 meaning/2 sort/2 heading/2 elided/2 fluent/4 written/2 usual/2 backstage/1
    told/1 trifling/1 unit/3 template/2 action/2 open/1 figure/5 finding/2 symbol/2
    join_symbol/2 named/2 table/2 lattice/1 in_order/1
    """,
    "section/2 option/2 means/3 because/3 raises/2 accepted/5 member/2 extent/2 event/2",
    "source/3",
)
# Which argument of a fact is the name of what.
NAMING: tuple[tuple[Signature, int, str], ...] = (
    *(((name, 2), 0, "rule") for name in ("title", "says", "waived", "raises")),
    (("because", 3), 0, "rule"), (("because", 3), 1, "action"),
    (("source", 3), 0, "rule"), (("source", 3), 1, "document"), (("section", 2), 0, "document"),
    (("accepted", 5), 3, "document"), (("meaning", 2), 0, "property"),
    *(((name, 2), 0, "sort") for name in ("member", "heading", "elided")),
    (("written", 2), 0, "fluent"), (("usual", 2), 0, "fluent"),
    (("backstage", 1), 0, "fluent"), (("policy_fluent", 1), 0, "fluent"),
    (("point_fluent", 1), 0, "fluent"), (("in_order", 1), 0, "fluent"),
    *(((name, 1), 0, "action") for name in ("open", "told", "trifling")),
)  # fmt: skip


@dataclass(frozen=True)
class DeclaredFacts:
    """The facts of a ruleset as they are checked."""

    ruleset: Ruleset
    sources: Sources

    @property
    def words(self) -> Vocabulary:
        return self.ruleset.vocabulary

    def placed(self, name: str, arity: int) -> list[PlacedArguments]:
        """The arguments of the facts of a signature, each with its place."""
        facts = self.sources.facts.get((name, arity), ())
        return [(tuple(symbol.arguments), place) for symbol, place in facts]

    def names(self, name: str, arity: int) -> PlacesByName:
        """The first arguments of the facts of a signature, where each is first."""
        places: PlacesByName = {}
        for arguments, place in self.placed(name, arity):
            places.setdefault(text_of(arguments[0]), place)
        return places

    @cached_property
    def known(self) -> dict[str, PlacesByName]:
        """What there is, by its kind."""
        arities = {"rule": 1, "question": 1, "property": 1, "document": 2}
        arities |= {"sort": 2, "fluent": 4, "action": 2}
        return {name: self.names(name, arity) for name, arity in arities.items()}

    @cached_property
    def things(self) -> set[str]:
        """What can have a name: members of sorts and what they are called alone, labels, words."""
        words = self.words
        symbols = [member for sort in words.sorts.values() for member in sort.members]
        names = {s.name for s in symbols if s.type == SymbolType.Function and s.arguments}
        names |= {text_of(symbol) for symbol in symbols}
        names |= {*words.symbols.values(), *words.join_symbols.values(), *words.events}
        return names.union(words.fluents, words.actions, words.figures, words.findings, words.sorts)


def check(scope: Scope, _: str = "") -> Piece:
    """Every fact of the catalogue, the vocabulary and the declared tables."""
    data = DeclaredFacts(scope.ruleset, scope.sources)
    parts = (missing, repeated, misnamed, questions, sections, citations, vocabulary)
    faults = {fault for part in (*parts, tables, cards, user_defined) for fault in part(data)}
    facts = data.sources.facts.values()
    cards_of = (s for s in data.words.sorts.values() if s.from_facts)
    subjects = len(data.known["rule"]) + len(data.known["question"])
    subjects += sum(len(sort.members) for sort in cards_of)
    ordered = sorted(faults, key=lambda fault: (fault[2].file, fault[2].line, fault[1]))
    findings = dict.fromkeys(Finding(_text(s), says, place=location(p)) for s, says, p in ordered)
    notes, looked = data.ruleset.doubts, sum(map(len, facts))
    return Piece(looked, subjects, findings=tuple(findings), notes=notes, closed=True)


LocatedFaults = Iterator[tuple[str | Symbol, str, Place]]  # the subject, and what is wrong with it


def _text(subject: str | Symbol) -> str:
    return subject if isinstance(subject, str) else text_of(subject)


def _near(name: str, known: Collection[str]) -> str:
    """A name that there is not, with the nearest that there is."""
    return f"{clipped(name)}{nearest(name, known)}"


def missing(data: DeclaredFacts) -> LocatedFaults:
    """What a rule, a question or a property is without."""
    for kind, needed in NEEDED.items():
        for name in needed.split():
            facts = (arguments for arguments, _ in data.placed(name, 2))
            stated = {text_of(arguments[0]) for arguments in facts if not _blank(arguments[1])}
            for owner, place in data.known[kind].items():
                if owner not in stated:
                    yield owner, f"the {kind} {owner} has no {name!r}", place
    sourced = data.names("source", 3)
    statuses = {text_of(subject): word.name for (subject, word), _ in data.placed("status", 2)}
    for rule, place in data.known["rule"].items():
        if rule not in sourced and statuses.get(rule) != OWN:
            yield rule, f"the rule {rule} has no 'source'", place
    for (subject, status), place in data.placed("status", 2):
        if status.name not in STATUSES:
            known = f"{clipped(status.name)} of {text_of(subject)}{nearest(status.name, STATUSES)}"
            yield subject, f"unknown status {known}", place
    for name, what in (("document", "title"), ("waived", "reason")):
        for (subject, text), place in data.placed(name, 2):
            if _blank(text):
                yield subject, f"{name}({text_of(subject)}, ...) has no {what}", place


def _blank(text: Symbol) -> bool:
    return text.type == SymbolType.String and not text.string.strip()


def repeated(data: DeclaredFacts) -> LocatedFaults:
    """What is said twice, and one name of two things."""
    once = {key: n for n, names in enumerate(SAID_ONCE) for key in parse_signatures(names)}
    for sort in data.words.sorts.values():
        if sort.from_facts:  # a card may have several facts, but not one twice
            once |= {signature: signature[1] for signature in _listing(data, sort.name)}
    for (name, arity), size in once.items():
        first: dict[tuple[Symbol, ...], Place] = {}
        for arguments, place in data.placed(name, arity):
            key = arguments[:size]
            if key in first:
                what = ", ".join(map(text_of, key))
                says = f"{name} {what}".rstrip() if size == arity else f"{name} of {what}"
                says = f"{says} is stated twice, first at {location(first[key])}"
                yield key[0] if key else name, says, place
            first.setdefault(key, place)
    for one, other in ((("rule", 1), ("question", 1)), (("figure", 5), ("finding", 2))):
        taken = data.names(*one)
        for name, place in data.names(*other).items():
            if name in taken:
                says = f"{name} is a {one[0]} and a {other[0]}, see {location(taken[name])}"
                yield name, says, place


def misnamed(data: DeclaredFacts) -> LocatedFaults:
    """What speaks of a rule, a question, a document, ... that there is not."""
    for (name, arity), index, kind in NAMING:
        known = data.known[kind]
        for arguments, place in data.placed(name, arity):
            other = text_of(arguments[index])
            if other not in known:
                yield arguments[0], f"{name} names an unknown {kind} {_near(other, known)}", place
    rulers = {text_of(ruler[0]) for ruler, _ in data.placed("ruler", 2)}
    made = [s.text for s in data.sources.statements if s.kind == "rule" and not s.trusted]
    spoken = {word for text in made for word in words_in(text)}  # such as items of ledgers
    named = data.things.union(rulers, spoken)
    for name, among in (("status", data.things.union(data.known["rule"])), ("named", named)):
        for (subject, _), place in data.placed(name, 2):
            if not _spoken_of(subject, among):
                other = text_of(subject)
                yield other, f"{name} names an unknown thing {_near(other, among)}", place


def questions(data: DeclaredFacts) -> LocatedFaults:
    """Options, what they mean, the default, and a rule that raises each question."""
    meant = {(q, option) for (q, option, text), _ in data.placed("means", 3) if not _blank(text)}
    raised = {text_of(question) for (_, question), _ in data.placed("raises", 2)}
    options = Counter(text_of(question) for question, _ in dict(data.placed("option", 2)))
    for name, place in data.known["question"].items():
        if options[name] < 2:
            yield name, f"the question {name} has fewer than two options", place
        if name not in raised:
            yield name, f"no rule raises the question {name}", place
    for (question, option), place in data.placed("option", 2):
        if (question, option) not in meant:
            of = f"the option {text_of(option)} of {text_of(question)}"
            yield question, f"{of} has no 'means'", place


def sections(data: DeclaredFacts) -> LocatedFaults:
    """Where a document lists its sections, a source names one of them."""
    known: dict[Symbol, list[str]] = defaultdict(list)
    for (document, section), _ in data.placed("section", 2):
        known[document].append(section.string)
    for name, arity in (("source", 3), ("accepted", 5)):
        for arguments, place in data.placed(name, arity):
            document, section = arguments[-2:]
            if _blank(section):
                yield arguments[0], f"{name} names no section of {text_of(document)}", place
            elif document in known and section.string not in known[document]:
                hint = nearest(section.string, known[document])
                says = f"{text_of(document)} has no section {clipped(section.string, 60)}{hint}"
                yield arguments[0], says, place


def citations(data: DeclaredFacts) -> LocatedFaults:
    """Whatever is cited is a rule, and each rule is carried out or waived."""
    rules, encodings = data.known["rule"], tuple(encoded(data.sources.statements))
    cited_at: PlacesByName = {}
    for name, place in cited(encodings):
        if name not in rules:
            yield name, f"an encoding cites an unknown rule {_near(name, rules)}", place
        cited_at.setdefault(name, place)
    waived = data.names("waived", 2)
    alike = re.compile(rf"(?:{'|'.join({name.split('_')[0] for name in rules})})_(?:[a-z]+_)*\d+")
    texts = (text for _, text in files_of(data.ruleset.folders)[0])
    files = tuple(zip(data.ruleset.files, texts, strict=False))  # the core's come after these
    named = dict(named_above(files, encodings))
    for name, place in named.items():
        if name not in rules and alike.fullmatch(name):
            yield name, f"a comment names an unknown rule {_near(name, rules)}", place
    for name, place in rules.items():
        if name in waived and name in cited_at:
            says = f"the rule {name} is waived, but is cited at {location(cited_at[name])}"
            yield name, says, waived[name]
        elif name not in waived and name not in cited_at and name not in named:
            yield name, f"no encoding cites the rule {name}, and it is not waived", place


def vocabulary(data: DeclaredFacts) -> LocatedFaults:
    """Sorts have members, figures a range, defaults and the like are of their sort."""
    words = data.words
    for (sort, kind), place in data.placed("sort", 2):
        if kind.name in ("listed", "from") and not words.sorts[sort.name].members:
            source = kind.arguments[0].name if kind.name == "from" else ""
            hint = nearest(source, {known for known, _ in data.sources.facts})
            without = f": no facts {source}{hint}" if source else ""
            yield sort, f"the sort {sort.name} has no members{without}", place
    for (sort, member), place in data.placed("member", 2):
        if sort.name in words.sorts and member not in words.sorts[sort.name].known:
            yield sort, f"member({sort.name}, ...) needs a listed sort", place
    numbered: set[Symbol] = set()
    for (bound, most), place in data.placed("extent", 2):
        known = [*BOUNDED, *words.sorts, *words.figures]
        if bound.name not in known:
            yield bound, f"extent names an unknown bound {_near(bound.name, known)}", place
        elif most.type == SymbolType.Number and bound in numbered:
            yield bound, f"extent of {bound.name} has two numbers", place
        elif most.type != SymbolType.Number and (wrong := stranger(words, bound.name, most)):
            yield bound, f"extent of {bound.name}: {wrong}", place
        numbered |= {bound} if most.type == SymbolType.Number else set()
    for (figure, _, _, low, high), place in data.placed("figure", 5):
        if low.number > high.number:
            yield figure, f"the figure {figure.name} has an empty range, {low} to {high}", place
    values = {fluent.name: fluent.value for fluent in words.fluents.values()}
    sorts = {name: name for name in words.sorts}
    valued = [(f[0], f[3], f[2].name, "default", at) for f, at in data.placed("fluent", 4)]
    for what, sort_of in (("usual", values), ("elided", sorts)):
        facts = [fact for fact in data.placed(what, 2) if fact[0][0].name in sort_of]
        valued += [(name, value, sort_of[name.name], what, at) for (name, value), at in facts]
    for subject, value, sort_name, what, place in valued:
        given = value == GIVEN or text_of(value) == UNTOLD
        if not given and (wrong := words.stranger(value, sort_name)):
            yield subject, f"{what} of {subject.name}: {wrong}", place
    keys = {key for s in data.sources.statements for key, _ in s.signs.defines}
    happening = {key[2] for key in keys if key[:2] == ("happens", 3)}
    for (_, event), place in data.placed("event", 2):
        if None not in happening and event.name not in happening:
            hint = nearest(event.name, filter(None, happening))
            yield event, f"the event {event.name} never happens{hint}", place


def _listing(data: DeclaredFacts, sort: str) -> list[Signature]:
    """The signatures of the facts that a sort takes its members from."""
    kinds = {name.name: kind for (name, kind), _ in data.placed("sort", 2)}
    source = kinds[sort].arguments[0].name
    return [signature for signature in data.sources.facts if signature[0] == source]


def tables(data: DeclaredFacts) -> LocatedFaults:
    """There are facts for each declared table; those that do not fit are refused on loading."""
    spoken = {key for s in data.sources.statements for key in s.heads | s.body}
    for (table, _), place in data.placed("table", 2):
        name, arity = table.name, len(data.words.tables[table.name])
        if (name, arity) not in spoken:
            others = [key for key in spoken if key[0] == name]
            hint = nearest(name, {known for known, _ in spoken})
            hint = f"; there is {plain(others[0])}" if others else hint
            yield table, f"the table {name}/{arity} has no facts{hint}", place


def cards(data: DeclaredFacts) -> LocatedFaults:
    """Where most of a sort of cards have a name or a status, all of them have."""
    for sort in data.words.sorts.values():
        if not sort.from_facts:
            continue
        for name, what in (("named", "name"), ("status", "status")):
            named = data.names(name, 2)
            bare = [member for member in sort.members if not _spoken_of(member, named)]
            for member in bare if 2 * len(bare) < len(sort.members) else ():
                facts = chain(*(data.placed(*key) for key in _listing(data, sort.name)))
                place = next(place for arguments, place in facts if arguments[0] == member)
                says = f"the {sort} {text_of(member)} has no {what}, as others have ({name!r})"
                yield member, says, place


def _spoken_of(member: Symbol, named: Collection[str]) -> bool:
    compound = member.type == SymbolType.Function and bool(member.arguments)
    return text_of(member) in named or (compound and member.name in named)


def user_defined(data: DeclaredFacts) -> LocatedFaults:
    """The ruleset's own properties are declared, speak of something and can be broken."""
    properties = data.known["property"]
    given: dict[str, set[str]] = {"speaks": set(), "violated": set()}
    for statement in data.sources.statements:
        for (name, _, functor), _ in statement.signs.defines:
            if name not in given or statement.trusted or functor is None:
                continue
            given[name].add(functor)
            if functor not in properties:
                says = f"{name} names an unknown property {_near(functor, properties)}"
                yield functor, says, statement.place
    for name, functors in given.items():
        for declared, place in properties.items():
            if declared not in functors:
                yield declared, f"the property {declared} has no {name!r}", place


PROPERTIES = (described("data", check, speaks_of="", static=True, counted="facts"),)
