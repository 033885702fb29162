"""Which trials a statement plays a part in, and what the rules answered in them.

Each trial is run once with marks beside the rules (`marks`). A fault in a statement can change an
answer only where a mark of it was made, so a trial that left none need not be run, and of the
others the questions that left none need not be put to the rules again.
"""

import gzip
import hashlib
import json
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple
from unittest import mock

from clingo import Control, MessageCode, Symbol, parse_term

from pymorph import yamlio
from pymorph.asp import grounding, open_program, solver
from pymorph.asp.dependency import Slice, Statement
from pymorph.asp.facts import Facts, spread
from pymorph.asp.guard import words_in
from pymorph.ruleset.cache import store
from pymorph.ruleset.cache.build import Build
from pymorph.ruleset.loader import Ruleset
from pymorph.runtime.executor import Workers
from pymorph.runtime.limits import machine
from tools.mutants.marks import MARK, USED, WHOLE, marks
from tools.mutants.operators import Mutant
from tools.mutants.planting import Original, Planted
from tools.mutants.trials import Trial, lists_of, trials_of

EVERY = frozenset(MessageCode)
SAVED_EVERY = 50
FEW = 40  # trials in which a rule fires that seldom does
OF_ITS_OWN = 10  # cases of a statement's chapter to one of each other

Mark = tuple[int, int]  # a statement, and its literal that does not hold; WHOLE: it all holds
Key = tuple[str, frozenset[Symbol]]


class Touched(NamedTuple):
    """What had a part in a trial, or in one question: marks, and the statements that were read."""

    marks: frozenset[Mark]
    present: frozenset[int]
    cost: float = 0.0


class Answered(NamedTuple):
    """What the rules said to a question."""

    atoms: grounding.Atoms
    touched: Touched


@dataclass
class Recorder:
    """Listens to what is put to the rules while a trial runs."""

    slices: Planted
    numbers: dict[str, int]
    facts: dict[Symbol, int]
    questions: list[dict[str, Any]] = field(default_factory=list)
    marks: set[Mark] = field(default_factory=set)
    present: set[int] = field(default_factory=set)
    _marks: set[Mark] = field(default_factory=set)
    _present: set[int] = field(default_factory=set)

    @contextmanager
    def listening(self) -> Iterator[None]:
        solve, grounded = solver.solve, grounding.grounded

        def asked(part: Slice, facts: Iterable[Symbol], geometry: Any) -> grounding.Atoms:
            facts = spread(Facts.of(facts))
            self._marks, self._present = set(), set()
            atoms = solve(part, facts, geometry)
            self.questions.append(
                {
                    "verb": verb_of(self.slices, part),
                    "facts": list(map(str, facts)),
                    "atoms": {name: list(map(str, rows)) for name, rows in atoms.items()},
                    "marks": sorted(self._marks),
                    "present": sorted(self._present),
                }
            )
            return atoms

        def marked(program: str, facts: Iterable[Symbol], geometry: Any, *_: Any) -> Control:
            control = grounded(program, facts, geometry, EVERY)
            self.note(program, control)
            return control

        with (
            mock.patch.object(solver, "solve", asked),
            mock.patch.object(solver, "grounded", marked),
            mock.patch.object(open_program, "grounded", marked),
        ):
            yield

    def note(self, program: str, control: Control) -> None:
        """Keep the marks of a grounding, and the statements of its program."""
        atoms = control.symbolic_atoms
        for atom in atoms.by_signature(MARK, 2):
            number, at = atom.symbol.arguments
            self._marks.add((number.number, at.number))
        for atom in atoms.by_signature(USED, 1):
            if atom.symbol.arguments[0] in self.facts:
                self._marks.add((self.facts[atom.symbol.arguments[0]], WHOLE))
        lines = program.splitlines()
        self._present |= {self.numbers[line] for line in lines if line in self.numbers}
        self.marks |= self._marks
        self.present |= self._present


@dataclass
class Index:
    """The trials of a ruleset with what each touches, kept in a folder from one run to the next.

    Only the statements of these *numbers* are marked: that is most of what a trial costs here.
    """

    original: Original
    root: Path
    numbers: tuple[int, ...]
    disputes: bool = True
    touched: dict[str, Touched] = field(default_factory=dict)

    @cached_property
    def folder(self) -> Path:
        """Another for each state of the ruleset's files, of our modules, and of what is marked."""
        marked = hashlib.sha256(str(self.numbers).encode()).hexdigest()[:8]
        return self.root / f"{self.original.ruleset.hash}-{store.code_digest()[:8]}-{marked}"

    @cached_property
    def trials(self) -> dict[str, Trial]:
        game = self.original.ruleset
        found = [trial for trial in trials_of(game) if trial.case or self.disputes]
        return {trial.name: trial for trial in (*lists_of(game), *found)}

    @cached_property
    def _marks(self) -> dict[int, tuple[tuple[Statement, ...], tuple[int, ...]]]:
        statements = self.original.sources.statements
        given = {s for x in statements if x.kind in ("fact", "facts") for s in x.heads}
        return {n: marks(n, statements[n], given) for n in self.numbers}

    @cached_property
    def _marked(self) -> Ruleset:
        """The ruleset with the marks."""
        statements = self.original.sources.statements
        changes = {
            n: (Statement(statements[n].text, statements[n].signs), *parts)
            for n, (parts, _) in self._marks.items()
        }
        game = self.original.ruleset
        return replace(game, slices=Planted(game.slices, self.original.parts, changes))

    @cached_property
    def _numbers(self) -> dict[str, int]:
        statements = self.original.sources.statements
        return {statements[n].text: n for n in self.numbers}

    @cached_property
    def _facts(self) -> dict[Symbol, int]:
        own = self.numbers
        stated = self.original.checked.stated
        return {symbol: n for n in own if n < len(stated) for symbol in stated[n][1] or ()}

    # -- building ----------------------------------------------------------------------------------

    def build(self, jobs: int, progress: Callable[[], None] = lambda: None) -> None:
        """Run the trials that it does not know yet, in so many processes."""
        self.folder.mkdir(parents=True, exist_ok=True)
        summary = self.folder / "index.json"
        known: dict[str, Any] = json.loads(summary.read_text()) if summary.exists() else {}
        fresh = [trial for trial in self.trials.values() if self._file(trial).name not in known]
        if fresh:
            self._marked  # noqa: B018  made once, before the processes part
            with Workers(jobs, _same, (self,), memory=machine()) as workers:
                tasks = [workers.submit(Index._record, trial) for trial in fresh]
                for number, task in enumerate(workers.completed(tasks), 1):
                    name, row = task.result()
                    known[name] = row
                    if number % SAVED_EVERY == 0 or number == len(fresh):
                        yamlio.write(summary, json.dumps(known))
                    progress()
        for name, trial in self.trials.items():
            row = known[self._file(trial).name]
            if row is not None:
                marks = frozenset((n, at) for n, at in row["marks"])
                self.touched[name] = Touched(marks, frozenset(row["present"]), row["cost"])

    def unknown(self) -> list[str]:
        """The trials that fail as the rules are, and tell nothing of a fault."""
        return [name for name in self.trials if name not in self.touched]

    def _record(self, trial: Trial) -> tuple[str, dict[str, Any] | None]:
        """The name of a trial's file, and what was recorded of it."""
        return self._file(trial).name, self._recorded(trial)

    def _recorded(self, trial: Trial) -> dict[str, Any] | None:
        """Run a trial with the marks, and keep what was asked; None if it fails as it is."""
        game = self._marked
        assert isinstance(game.slices, Planted)
        recorder = Recorder(game.slices, self._numbers, self._facts)
        trial.ready()
        begun = perf_counter()
        with recorder.listening():
            if trial.failure(game):
                return None
        cost = perf_counter() - begun
        if trial.facts:
            recorder.present |= self._stating(trial.facts)
        self._file(trial).write_bytes(gzip.compress(json.dumps(recorder.questions).encode(), 1))
        return {
            "cost": round(cost, 3),
            "marks": sorted(recorder.marks),
            "present": sorted(recorder.present),
        }

    def _stating(self, names: Collection[str]) -> set[int]:
        """The facts of these predicates."""
        statements = self.original.sources.statements
        facts = (n for n in self.numbers if statements[n].kind != "rule")
        return {n for n in facts if not self.original.predicates(n).isdisjoint(names)}

    def _file(self, trial: Trial) -> Path:
        content = trial.case.text if trial.case else trial.path.read_text(encoding="utf-8")
        digest = hashlib.sha256(f"{trial.name} {content}".encode())
        return self.folder / f"{digest.hexdigest()[:24]}.json.gz"

    # -- using -------------------------------------------------------------------------------------

    def matters(self, mutant: Mutant, touched: Touched) -> bool:
        """Can a fault change an answer to which these statements led?"""
        number, at = mutant.number, mutant.at
        if self.original.pervades(number):
            return True
        if self.original.sources.statements[number].kind != "rule":
            return number in touched.present
        if at is not None and at not in self._marks[number][1]:
            return number in touched.present
        return (number, WHOLE) in touched.marks or (
            at is not None and (number, at) in touched.marks
        )

    def places(self, number: int) -> tuple[int, ...]:
        """Where the marks of a statement are."""
        return (WHOLE, *self._marks[number][1])

    def trials_for(self, mutant: Mutant, most: int) -> list[Trial]:
        """The trials that may notice a fault, the likeliest and cheapest first, from all groups.

        The lists before all; at *most* so many cases, many of them of the statement's own chapter,
        and a quarter as many disputes, which take longer.
        """
        number, at = mutant.number, mutant.at
        telling = {(number, WHOLE if at is None else at)}
        if mutant.operator not in ("drop", "remove") and at is not None:
            telling.add((number, WHOLE))
        for reader in self.original.readers(number) & self._marks.keys():
            telling |= {(reader, at) for at in self.places(reader)}
        rare = self._with_rare_readers(number)
        fact = self.original.sources.statements[number]
        _, *names = words_in(fact.text) if fact.kind != "rule" else [""]
        found = []
        for name, touched in self.touched.items():
            if self.matters(mutant, touched):
                words = self.trials[name].words if names else frozenset()
                missing = next((n for n, word in enumerate(names) if word in words), len(names))
                score = (
                    missing,
                    not touched.marks & telling,
                    (number, WHOLE) not in touched.marks,
                    name not in rare,
                )
                found.append((score, touched.cost, name))
        chapter = Path(fact.place.file).stem
        seen: dict[Any, int] = defaultdict(int)
        ranked = []
        for score, cost, name in sorted(found):
            group = self.trials[name].group
            turn = seen[score, group] // (OF_ITS_OWN if group == chapter else 1)
            ranked.append((score, turn, cost, name))
            seen[score, group] += 1
        best = [self.trials[name] for *_, name in sorted(ranked)]
        lists = [trial for trial in best if trial.facts]
        cases = [trial for trial in best if trial.case]
        disputes = [trial for trial in best if not (trial.facts or trial.case)]
        return lists + cases[:most] + disputes[: most // 4]

    def _with_rare_readers(self, number: int) -> set[str]:
        """The trials in which a rule fires that reads what a statement gives, and seldom does.

        What is given in every trial matters in few: there.
        """
        statements = self.original.sources.statements
        readers = {n for n in self._marks if statements[n].body & statements[number].heads}
        firing: dict[int, set[str]] = defaultdict(set)
        for name, touched in self.touched.items():
            for reader in readers:
                if (reader, WHOLE) in touched.marks:
                    firing[reader].add(name)
        return {name for names in firing.values() if len(names) <= FEW for name in names}

    def recall(self, mutant: Mutant, game: Ruleset, trial: Trial) -> solver.Recall:
        """What the rules said in a trial, to any question that the fault cannot bear on."""
        answers = answered(self._file(trial))

        def recalled(part: Slice, facts: Iterable[Symbol]) -> grounding.Atoms | None:
            verb = verb_of(game.slices, part)
            found = answers.get((verb, frozenset(facts)))
            return found.atoms if found and not self.matters(mutant, found.touched) else None

        return recalled


def verb_of(slices: Mapping[str, Slice], part: Slice) -> str:
    """The verb that a slice is for, and the figures if it is for some of them alone."""
    assert isinstance(slices, Planted | Build)
    by_verb = slices if isinstance(slices, Build) else slices._made
    for verb, made in by_verb.items():
        if made is part:
            return verb
        for names, narrowed in made._caches["figures"].items():
            if narrowed is part:
                return " ".join((verb, *sorted(names)))
    raise LookupError("a slice of no verb")


@lru_cache(maxsize=400)
def answered(path: Path) -> dict[Key, Answered]:
    """The questions of a trial, and the answers to them."""
    found = {}
    for row in json.loads(gzip.decompress(path.read_bytes())):
        atoms = {name: list(map(parse_term, texts)) for name, texts in row["atoms"].items()}
        marks = frozenset((n, at) for n, at in row["marks"])
        touched = Touched(marks, frozenset(row["present"]))
        key = (row["verb"], frozenset(map(parse_term, row["facts"])))
        found[key] = Answered(atoms, touched)
    return found


def _same(index: Index) -> Index:
    """What a process needs which records trials."""
    return index
