"""Positions that a ruleset brings along, to show that its statements have a say.

They stand in ``known.txt``, in the folder where the examples of its questions have theirs. Each
line is a position in its one-line form, and before it what is asked there::

    pass(anna); mark(anna, b2) @ {ruleset: ...}

that is actions, which are carried out where they are legal, and figures or findings. Where nothing
is asked, all that is legal is carried out. A line that begins with ``!`` is meant to be no position
of the game: it shows only what the statements say by which that is found. ``%`` begins a comment.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from math import ceil
from pathlib import Path
from typing import NamedTuple

from clingo import Control, Function, Symbol, SymbolType

from pymorph import yamlio
from pymorph.adjudication import examples, regression
from pymorph.adjudication.case import Case
from pymorph.adjudication.query_batcher import batched
from pymorph.asp.dependency import written
from pymorph.asp.facts import key_of
from pymorph.asp.open_program import OpenProgram
from pymorph.asp.solver import Solver
from pymorph.dynamics.asking.batch import situation
from pymorph.dynamics.asking.legal import Verdict, judged
from pymorph.errors import InputError, Place, PymorphError, RulesetError, clipped
from pymorph.explore.execution.application import apply
from pymorph.questions.consistency import check_of, valid
from pymorph.ruleset.loader import Ruleset
from pymorph.ruleset.vocabulary import HIDDEN
from pymorph.state import test_case
from pymorph.state.names import check_arguments, forms_of
from pymorph.state.position import Position, positions_by_board
from pymorph.state.record import Move, Record, line_in
from pymorph.state.test_case import CaseStep
from pymorph.terms import parse_named, text_of
from pymorph.verify.effort import EFFORT
from pymorph.verify.scope import Scope, readable
from pymorph.verify.sources import encoding
from pymorph.verify.spaces.activation_goals import all_unsought, goal_rules, judges
from pymorph.verify.spaces.state_space import explored

RULES = encoding("known")
FILE = "known.txt"
FLAWED, AT, BETWEEN, COMMENT = "!", " @ ", "; ", "%"
FLAGS = ("checking", "surveying", "wide")
# The kinds of items in a test case that ask about an action, or a figure.
ACTIONS = ("legal", "illegal", "refused", "unsettled", "doubted", "weighs")
FIGURES = ("figures", "ledger", "cites", "grounds")


@dataclass(frozen=True, slots=True)
class KnownPosition:
    """A position, and the actions and figures that are asked about in it.

    *flawed*: it is meant to be no position of the game.
    """

    position: Position
    actions: tuple[Symbol, ...] = ()
    figures: tuple[Symbol, ...] = ()
    flawed: bool = False

    @property
    def free(self) -> bool:
        """Is nothing asked about? Then all that is legal is carried out."""
        return not self.actions and not self.figures

    def facts(self, here: Symbol) -> list[Symbol]:
        """It as a situation, in facts."""
        facts = self.position.facts(here)
        facts += [Function(word, [here]) for word in FLAGS]
        facts += [Function("asked", [action, here]) for action in self.actions]
        facts += [Function("wanted", [figure, here]) for figure in self.figures]
        if self.free:
            facts.append(Function("verify_free", [here]))
        return facts

    def line(self, folder: Path | None = None) -> str:
        """The line by which it is known, in a file in *folder*."""
        asked = BETWEEN.join(text_of(term) for term in (*self.actions, *self.figures))
        mark = f"{FLAWED} " if self.flawed else ""
        return f"{mark}{asked}{AT if asked else ''}{line_in(self.position, folder)}"


class KnownPositions(NamedTuple):
    """The known positions of a ruleset, and a note on each line that is left out."""

    entries: tuple[KnownPosition, ...]
    notes: tuple[str, ...]


def file_of(game: Ruleset) -> Path:
    """Where a ruleset has its known positions."""
    return examples.folder_of(game).with_name(FILE)


def shares(scope: Scope) -> int:
    """In how many shares the known positions are read, at least one."""
    return max(1, ceil(len(lines_of(scope)) / EFFORT.known_positions))


def known(scope: Scope, share: int = 0) -> KnownPositions:
    """The known positions of a ruleset, under the rulings, or a share of them, counted from 1.

    What cannot be used is in the notes.
    """
    lines, most = lines_of(scope), EFFORT.known_positions
    return read(scope, lines[(share - 1) * most : share * most] if share else lines)


def asking_for(scope: Scope, names: Collection[str]) -> list[KnownPosition]:
    """The known positions, if they are positions of the game, in which figures or actions of some
    names are asked about."""
    lines = lines_of(scope)
    lines = [(n, x) for n, x in lines if {*names} & {*re.findall(r"\w+", x.rpartition(AT)[0])}]
    return [entry for entry in read(scope, lines).entries if not entry.flawed]


def legal_in_known(scope: Scope, names: Collection[str]) -> list[tuple[Position, Symbol]]:
    """The actions of some names that are legal in known positions where they are asked about."""
    entries = asking_for(scope, names) if names else []
    asked = [(e, [action for action in e.actions if action.name in names]) for e in entries]
    verdicts = judged_in([replace(entry, actions=tuple(actions)) for entry, actions in asked])
    return [
        (entry.position, action)
        for entry, verdicts_here in zip(entries, verdicts, strict=True)
        for action, verdict in verdicts_here.items()
        if verdict.legal
    ]


def judged_in(entries: Iterable[KnownPosition]) -> list[dict[Symbol, Verdict]]:
    """The verdicts on the actions that are asked about in each entry; entries share groundings."""

    def judge(entry: KnownPosition, answers: Solver) -> dict[Symbol, Verdict]:
        position = replace(entry.position, answers=answers)
        return judged(position, entry.actions) if entry.actions else {}

    return [run.result() for run in batched(partial(judge, entry) for entry in entries)]


def lines_of(scope: Scope) -> list[tuple[int, str]]:
    """The lines that describe known positions, with their numbers; none, if there is no file."""
    path = file_of(scope.ruleset)
    if not path.is_file():
        return []
    text, _ = yamlio.read(yamlio.path_in(path.parent, path.name))
    lines = enumerate(text.splitlines(), 1)
    return [(n, line) for n, line in lines if line.strip() and not line.startswith(COMMENT)]


def read(scope: Scope, lines: Iterable[tuple[int, str]]) -> KnownPositions:
    """The known positions in some lines of the file."""
    path, notes = file_of(scope.ruleset), []
    entries: dict[int, KnownPosition] = {}
    for number, line in lines:
        try:
            entries[number] = parsed(scope, line, Place(str(path), number), path.parent)
        except (InputError, RulesetError) as error:
            notes.append(f"{path.name}:{number} is left out: {error.faults[0].message}")
    checks = check_of([entry.position for entry in entries.values()])
    for number, answer in zip(tuple(entries), checks, strict=True):
        if answer.consistent == entries[number].flawed:
            now = "now" if answer.consistent else "no longer"
            notes.append(f"{path.name}:{number} is left out: it is {now} a valid position")
            del entries[number]
    return KnownPositions(tuple(entries.values()), tuple(notes))


def parsed(scope: Scope, line: str, place: Place, base: Path | None = None) -> KnownPosition:
    """The known position that a line describes.

    Raises: InputError, if it describes none, or something is asked that there is not.
    """
    flawed = line.startswith(FLAWED)
    asked, _, text = line.removeprefix(FLAWED).strip().rpartition(AT)
    position = Position.parse(text, place.file, base)
    if position.ruleset != scope.ruleset:
        raise InputError(f"it is a position of {position.ruleset.name}", place)
    words = scope.ruleset.vocabulary
    actions: list[Symbol] = []
    figures: list[Symbol] = []
    kinds = ((words.actions, actions), ({**words.figures, **words.findings}, figures))
    for symbol in map(parse_named, filter(None, asked.split(BETWEEN))):
        for named, symbols in kinds:
            declared = named.get(symbol.name)
            if declared is not None and len(declared.sorts) == len(symbol.arguments):
                check_arguments(position, declared, symbol)
                symbols.append(symbol)
                break
        else:
            raise InputError(f"unknown action or figure {clipped(str(symbol))}", place)
    position = position.with_rulings(scope.rulings)
    return KnownPosition(position, tuple(actions), tuple(figures), flawed)


def position_of_case(path: Path) -> Position:
    return Case.load(path).position


def shipped(scope: Scope) -> list[Position]:
    """The positions that come with a ruleset, its disputes among them, but for the starts."""
    game = scope.ruleset
    disputes, starts = examples.files(game), game.starts
    others = [path for path in game.find("positions/*.yaml") if path not in starts]
    positions = [*readable(game, position_of_case, disputes)]
    positions += readable(game, Position.load, others)
    return valid([position.with_rulings(scope.rulings) for position in positions])


def shipped_positions(scope: Scope) -> list[KnownPosition]:
    """The other positions that come with a ruleset: the starts, and the examples.

    An example of a question comes under each of its options.
    """
    game = scope.ruleset
    positions = [*scope.starts, *shipped(scope)]
    for question, options in game.options.items():
        for position in readable(game, position_of_case, examples.files(game, question)):
            positions += [position.with_rulings({question: option}) for option in options]
    return [KnownPosition(position) for position in valid(list(dict.fromkeys(positions)))]


def fired_in(scope: Scope, entries: Sequence[KnownPosition]) -> frozenset[int]:
    """The numbers of the statements that fire in some of these positions, or by what is asked."""
    goals = goal_rules(scope)
    fired: set[int] = set()
    for flawed in (False, True):
        wanted = goals.keys() & judges(scope) if flawed else goals.keys()
        for batch in batches([entry for entry in entries if entry.flawed is flawed]):
            control = grounding(scope, batch, {n: goals[n] for n in sorted(wanted - fired)})
            atoms = control.symbolic_atoms.by_signature("verify_goal", 1)
            fired |= {atom.symbol.arguments[0].number for atom in atoms}
    return frozenset(fired)


def batches(entries: Sequence[KnownPosition]) -> Iterator[list[KnownPosition]]:
    """The entries in groups that can share a grounding: on one board, and not too many."""
    size = EFFORT.known_positions
    for _, numbers in positions_by_board(entry.position for entry in entries):
        for start in range(0, len(numbers), size):
            yield [entries[n] for n in numbers[start : start + size]]


def grounding(
    scope: Scope, entries: Sequence[KnownPosition], goals: Mapping[int, str], extra: str = ""
) -> Control:
    """A grounding of some entries, each a situation by its number, with as much of the rules as
    bears on *goals*: a rule for each of some statements, by their numbers. Those that cannot fire
    by what is given and asked are left out. *extra* are rules that read what is there anyway."""
    facts = []
    anything: set[Symbol] = set()
    acting: set[str] = set()
    words = scope.ruleset.vocabulary
    for number, entry in enumerate(entries):
        here = situation(number)
        facts += entry.facts(here)
        acting.update(words.actions if entry.free else (action.name for action in entry.actions))
        members = (m for sort in words.sorts for m in words.members(sort, entry.position.scene))
        anything |= {here, *(m for m in members if m.type == SymbolType.Function)}
    index = scope.sources.index(all_unsought(scope))
    known = {key_of(fact) for fact in facts} | {("does", 3, name) for name in acting}
    firing = index.firing(known)
    may = goals.keys() & scope.sources.numbers(firing)
    sought = {key for n in may for key in scope.sources.statements[n].signs.uses}
    sought |= {key for name in acting for key in (("legal", 2, name), ("unfolds", 4, name))}
    relevant = index.leading_to(sought, firing, figured=True)
    facts += [Function("verify_any", [symbol]) for symbol in anything]
    rules = (goals[n] for n in sorted(may))
    lines = [written(relevant), RULES["applying"], extra, "#defined verify_any/1.", *rules]
    return OpenProgram("\n".join(lines), facts, entries[0].position.geometry).control


# -- cases and records ----------------------------------------------------------------------------


def asked_in(scope: Scope) -> list[KnownPosition]:
    """What is asked in the files of a ruleset; what the rules refuse of them is left out."""
    entries = list(dict.fromkeys(islice(_asked(scope.ruleset), EFFORT.cases)))
    pairs = zip(entries, check_of([entry.position for entry in entries]), strict=True)
    return [entry for entry, check in pairs if check.consistent != entry.flawed]


def sample(scope: Scope, from_play: int) -> list[Position]:
    """Known positions of a ruleset in which nothing is hidden: so many from play, its examples, and
    some of its own known positions, or of its cases."""
    positions = explored(scope.starts, from_play, EFFORT.sample_seconds).positions[:from_play]
    positions += shipped(scope)
    lines = lines_of(scope)
    step = max(1, ceil(len(lines) / EFFORT.sample_lines))
    entries = [*read(scope, lines[::step]).entries]
    entries += [] if lines else asked_in(scope)[: EFFORT.sample_cases]
    positions += [entry.position for entry in entries if not entry.flawed]
    return [p for p in dict.fromkeys(positions) if HIDDEN not in p.fluents.values()]


def _asked(game: Ruleset) -> Iterator[KnownPosition]:
    for kind, path in regression.files_of(game):
        with suppress(PymorphError):
            if kind == regression.EXPECTATIONS:
                for case in test_case.load(path):
                    with suppress(PymorphError):
                        yield from _of_items(case.position(), case.items)
            elif kind == "records":
                record = Record.load(path)
                yield from _played(record.position, record.steps)
            elif kind == "cases":
                dispute = Case.load(path)
                yield KnownPosition(dispute.position)
                for stated in dispute.claims:
                    with suppress(PymorphError):
                        yield from _played(dispute.position, stated.after)


def _of_items(position: Position, items: Sequence[CaseStep]) -> Iterator[KnownPosition]:
    """What is asked in a test case, from a position on."""
    yield KnownPosition(position)
    for item in items:
        if item.items:
            yield from _of_items(position.with_rulings(item.under), item.items)
        for action in item.do:
            yield from _about(position, action)
            position = apply(position, action).position
        for one in item.expected:
            if one.kind in ACTIONS:
                yield from _about(position, one.subject)
            elif one.kind in FIGURES:
                yield KnownPosition(position, (), (parse_named(one.subject),))
            elif one.kind == "flaws" and one.wanted:
                yield KnownPosition(position, flawed=True)


def _played(position: Position, steps: Iterable[Move]) -> Iterator[KnownPosition]:
    """What is carried out, step by step, with the rolls that it needs."""
    for step in steps:
        for action in (step.action, *step.rolls):
            yield from _about(position, action)
            position = apply(position, action).position


def _about(position: Position, text: str) -> Iterator[KnownPosition]:
    """A position with an action, if the text names one alone."""
    forms = forms_of(position, text)
    if len(forms) == 1:
        yield KnownPosition(position, (forms[0],))
