"""Finds, checks and loads a ruleset: vocabulary, catalogue, the program for each verb, its hash."""

from __future__ import annotations

import hashlib
import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import clingo
from clingo import Symbol

from pymorph import yamlio
from pymorph.answers import pictured
from pymorph.asp.dependency import Slice, Statement, functors, last_arguments
from pymorph.asp.facts import OCCURRED, Key, Signature
from pymorph.asp.guard import words_in
from pymorph.asp.passes.own_names import as_named
from pymorph.errors import Fault, Place, RulesetError, RulesetWarning, UnknownName, clipped, nearest
from pymorph.ruleset import compiler, declarations, locations
from pymorph.ruleset.cache.build import Build
from pymorph.ruleset.cache.file_contents import FileContents, contents, leads_out
from pymorph.ruleset.cache.store import CacheEntry, Values
from pymorph.ruleset.hints import cut, statement
from pymorph.ruleset.locations import examples, folders_of, sources_root
from pymorph.ruleset.vocabulary import Question, Rule, Vocabulary
from pymorph.runtime.arguments import checked
from pymorph.terms import Term


class Edition(NamedTuple):
    """What an answer says of the game that gave it."""

    ruleset: str
    version: str
    hash: str


STARTS = "positions/start*.yaml"
_T = TypeVar("_T", Rule, Question)
OWN = "own"  # the status of a rule that no document has
UNSOURCED = ("reconstructed", "open")
STATUSES = ("stated", "derived", *UNSOURCED, OWN)


@pictured
@dataclass(frozen=True, eq=False, repr=False)
class Ruleset:
    """A game: its vocabulary, its rules, and the program for each kind of question.

    *files* are the names of its files, its own and the core's. *doubts* are warnings about them,
    each in a line, issued when they are compiled. *veiled* are the fluents whose value may be
    hidden and of which no rule says what depends on it, so that the core derives that; with each,
    whether the hidden value may be the default.

    >>> import pymorph
    >>> ruleset = pymorph.load_ruleset("tictactoe")
    >>> ruleset.name, sorted(ruleset.vocabulary.actions)
    ('tictactoe', ['put'])
    """

    name: str
    version: str
    title: str
    hash: str
    vocabulary: Vocabulary
    folders: tuple[str, ...]
    slices: Mapping[str, Slice]
    _catalogue: Mapping[str, Any]
    files: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    veiled: Mapping[str, bool] = field(default_factory=dict)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ruleset) and self.hash == other.hash

    def __hash__(self) -> int:
        return hash(self.hash)

    def __repr__(self) -> str:
        return f"<Ruleset {self.name} {self.version} {self.hash}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return (load, (self.folders[0] if self.from_path else self.name,))

    @property
    def edition(self) -> Edition:
        return Edition(self.name, self.version, self.hash)

    @property
    def starts(self) -> list[Path]:
        """The files with the start positions."""
        return self.find(STARTS)

    def find(self, *patterns: str) -> list[Path]:
        """The files in its folders that match some patterns, in order.

        Raises: RulesetError, if one is a link out of them.
        """
        folders = [*map(Path, self.folders)]
        paths = {p for folder in folders for pattern in patterns for p in folder.glob(pattern)}
        for path in sorted(paths) if self.from_path else ():
            if leads_out(path, folders):
                raise RulesetError(yamlio.LEADS_OUT, Place(str(path)))
        return sorted(paths)

    @property
    def from_path(self) -> bool:
        """Is it a folder of the user, rather than a shipped ruleset?"""
        return len(self.folders) == 1

    def stated_at(self, term: Term) -> Place | None:
        """The place in the files of a fact, or of a fact about *term*."""
        facts = [f"{part.symbol}." for part in (term, *term.arguments)]
        return self.place_of(lambda statement: as_named(statement.text) in facts)

    def place_of(self, sought: Callable[[Statement], bool]) -> Place | None:
        """The place in the files of the first statement for which *sought* is true."""
        assert isinstance(self.slices, Build)
        stated = (s for s in self.slices.statements if s.place.file != compiler.GENERATED)
        return next((s.place for s in stated if sought(Statement(s.text, s.signs))), None)

    def named_from(self, folder: Path | None = None) -> str:
        """How a file in *folder*, or here, names it: by its name, or by the path to its folder.

        From the root of the file system that is the absolute path.
        """
        if not self.from_path:
            return self.name
        own, start = Path(self.folders[0]), (folder or Path.cwd()).resolve()
        known = locations.name_of(own)
        if known is not None:
            return known
        example = own in examples().values() and not start.is_relative_to(own)
        if example and locations.found(own.name, start) == (own,):
            return own.name
        if start == start.parent or (folder is None and not own.is_relative_to(start)):
            return str(own)
        path = os.path.relpath(own, start).replace(os.sep, "/")
        return path if "/" in path or path in (".", "..") else f"./{path}"

    @cached_property
    def rules(self) -> Mapping[str, Rule]:
        """The catalogue, by rule id."""
        return {entry["id"]: Rule(**_values(entry)) for entry in self._catalogue["rules"]}

    @cached_property
    def statuses(self) -> Mapping[str, str]:
        """The status of each rule, and of each card that has one; of ``turn(3)``, that of turn."""
        return dict(self._catalogue["statuses"])

    @cached_property
    def ours(self) -> Mapping[str, str]:
        """Of these, the rules and cards that are not from the source: reconstructed or undecided
        there, or, in a ruleset that has sources, added by us.
        """
        sourced = any(rule["sources"] for rule in self._catalogue["rules"])
        among = (*UNSOURCED, OWN) if sourced else UNSOURCED
        return {name: status for name, status in self.statuses.items() if status in among}

    def ours_in(self, names: Iterable[str]) -> dict[str, str]:
        """Of some names, those that are ours, with their status, sorted."""
        return {name: self.ours[name] for name in sorted(set(names) & self.ours.keys())}

    @cached_property
    def questions(self) -> Mapping[str, Question]:
        """The questions that the text leaves open, by id."""
        return {entry["id"]: Question(**_values(entry)) for entry in self._catalogue["questions"]}

    @cached_property
    def options(self) -> Mapping[str, tuple[str, ...]]:
        """The options of each question."""
        return {q.id: tuple(option for option, _ in q.options) for q in self.questions.values()}

    @cached_property
    def defaults(self) -> Mapping[str, str]:
        """The default option of each question."""
        return {q.id: q.default for q in self.questions.values()}

    @cached_property
    def bounds(self) -> Mapping[str, tuple[int, int]]:
        """The least and the greatest value of each figure."""
        return {f.name: (f.low, f.high) for f in self.vocabulary.figures.values()}

    @cached_property
    def happenings(self) -> frozenset[str]:
        """The names of the events in its rules."""
        return functors(self.slices["apply"].parts, "happens")

    @cached_property
    def weighing(self) -> frozenset[str]:
        """The names of the figures that decide whether an action is legal."""
        return functors(self.slices["why"].parts, "weighs")

    @cached_property
    def reads_proposals(self) -> bool:
        """Does a rule read what others may do, or require one of several actions? Then every
        proposed action matters to each action."""
        return any(self.giving("asked", ("required_one", 3))) or self.looks_at_proposals

    @cached_property
    def looks_at_proposals(self) -> bool:
        """Does a rule read which other actions are proposed, or can be done?"""
        return any(self.giving("asked", ("proposed", 3)))

    @cached_property
    def reads_history(self) -> bool:
        """Does a rule read how often a position occurred before?"""
        return self._reads("whole", OCCURRED)

    @cached_property
    def due_by_history(self) -> bool:
        """Does that decide what happens automatically?"""
        return self._reads("pause", OCCURRED)

    @cached_property
    def sometimes_clocks(self) -> frozenset[str]:
        """The fluents that a rule ignores in some positions when it compares positions."""
        names = {k[2] for part in self.slices["history"].parts for k, _ in part.signs.defines}
        return frozenset(self.vocabulary.fluents if None in names else filter(None, names))

    @cached_property
    def wording(self) -> frozenset[str]:
        """The words, from the rules that say what happens, that an event can contain."""
        texts = (part.text for part in self.giving("apply", ("happens", 3)))
        return frozenset(word for text in texts for word in words_in(text))

    def giving(self, verb: str, signature: Signature) -> Iterator[Statement]:
        """The parts of a verb's program that give atoms of a signature."""
        return (part for part in self.slices[verb].parts if signature in part.signs.heads)

    def rules_giving(self, verb: str, wanted: Iterable[Key]) -> tuple[str, ...]:
        """The rules by which a verb's program gives some atoms, in the order of the catalogue."""
        named = last_arguments(self.slices[verb].parts, wanted)
        return tuple(rule for rule in self.rules if rule in named)

    def _reads(self, verb: str, signature: Signature) -> bool:
        """Does a part of a verb's program read atoms of a signature?"""
        return any(signature in part.signs.body for part in self.slices[verb].parts)

    def rule(self, name: str) -> Rule:
        """The rule with that id; upper case, and a dash for each underscore, are allowed.

        Raises: UnknownName with the nearest ids.
        """
        return _entry("rule", name, self.rules)

    def question(self, name: str) -> Question:
        """The question with that id, written as for `rule`."""
        return _entry("question", name, self.questions)


def _values(value: Any) -> Any:
    """A plain value of the cache with tuples for its lists."""
    if isinstance(value, list | tuple):
        return tuple(map(_values, value))
    return {key: _values(of) for key, of in value.items()} if isinstance(value, dict) else value


def _entry(kind: str, name: str, known: Mapping[str, _T]) -> _T:
    wanted = name.lower().replace("-", "_")
    if wanted not in known:
        raise UnknownName(f"unknown {kind} {clipped(name)}{nearest(wanted, known)}")
    return known[wanted]


@checked
def load(name: str, base: Path | None = None) -> Ruleset:
    """The ruleset with this *name*, or in the folder with this path.

    Raises: UnknownName, if there is none; RulesetError with every fault of its files.

    >>> import pymorph
    >>> pymorph.load_ruleset("tictactoe").title
    'Tic-tac-toe'
    """
    folders = tuple(map(str, folders_of(name, base)))
    return _loaded(*files_of(folders), folders)


def files_of(folders: tuple[str, ...]) -> tuple[FileContents, FileContents]:
    """The contents of a ruleset's files, and of the core's."""
    root = sources_root()
    is_shipped = len(folders) == 2
    top, within = (root, ()) if is_shipped else (Path.cwd(), tuple(map(Path, folders)))
    own = chain.from_iterable(contents(folder, top, within) for folder in folders)
    return tuple(own), contents(str(root / "encodings" / "core"), root)


def placed(fault: Fault, folders: tuple[str, ...], text: str) -> Fault:
    """A *fault* of the rules with the place of its statement in *folders*, and its text there.

    The text as it was checked, and no place, if no file there has the statement.
    """
    with suppress(RulesetError):
        own = files_of(folders)[0] if folders else ()
        place = of_contents(own, folders).place_of(lambda s: s.text == text) if own else None
        if place is not None and place.file in dict(own):
            lines = dict(own)[place.file].decode(errors="replace").split("\n")
            return fault._replace(place=place, text=statement(lines, place.line))
    return fault._replace(place=None, text=cut(text))


def of_contents(own: FileContents, folders: tuple[str, ...]) -> Ruleset:
    """The ruleset of these folders, with files that were read elsewhere."""
    return _loaded(own, files_of(folders)[1], folders)


@lru_cache(maxsize=32)
def _loaded(own: FileContents, core: FileContents, folders: tuple[str, ...]) -> Ruleset:
    content = _joined((Path(label).name, data) for label, data in own)
    names = tuple(label for label, _ in (*own, *core))
    entry = CacheEntry("rulesets", (content, _joined(core)), folders)

    def make() -> Build:
        build = build_of(compiler.compiled(own, core, Build(entry.latest())))
        for doubt in build.base["doubts"]:
            warnings.warn(doubt, RulesetWarning, stacklevel=2)
        return build

    def build_of(values: Values) -> Build:
        return Build(values, names, folders)

    build = entry.get(make, lambda build: build.plain, build_of)
    base = build.base
    facts = facts_of(base["vocabulary"])
    header = facts[("ruleset", 3)][0]
    vocabulary = declarations.build(facts, header[0].name)
    ruleset = Ruleset(
        name=header[0].name,
        version=header[1].string,
        title=header[2].string,
        hash=hashlib.sha256(content).hexdigest()[:16],
        vocabulary=vocabulary,
        folders=folders,
        slices=build,
        _catalogue=base["catalogue"],
        files=names,
        doubts=tuple(base["doubts"]),
        veiled=base["veiled"],
    )
    build.bounds = ruleset.bounds
    return ruleset


def _joined(files: Iterable[tuple[str, bytes]]) -> bytes:
    """Files as digests have them."""
    return b"".join(
        f"{label}\0{len(data)}\0".encode("utf-8", "surrogateescape") + data for label, data in files
    )


def facts_of(texts: Sequence[str]) -> dict[Signature, list[tuple[Symbol, ...]]]:
    """Facts by signature: the arguments of each."""
    return declarations.by_signature(clingo.parse_term(f"({','.join(texts)},)").arguments)
