"""``python -m tools.known [RULESET]``: writes the known positions of a ruleset, `known.txt`.

What the file has is kept, as far as it still holds. For statements that nothing of it shows, what
the cases and the disputes ask of the rules is heard, file by file, and put to them once more, to
see which statements fire in which position. For what none of them shows, positions are sought
within the bounds of the ruleset. As few positions as can be are kept.
"""

import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import groupby
from typing import Any

from clingo import Symbol, SymbolType

from pymorph import yamlio
from pymorph.adjudication.case import Case
from pymorph.asp.solver import Query, Recorder
from pymorph.board.grid import Board
from pymorph.errors import PymorphError
from pymorph.explore.execution.application import play_through
from pymorph.questions.consistency import check_of
from pymorph.ruleset import loader
from pymorph.ruleset.vocabulary import GIVEN
from pymorph.state.position import Position
from pymorph.terms import sorted_symbols
from pymorph.verify.properties.coverage import searched
from pymorph.verify.scope import Scope
from pymorph.verify.sources import location
from pymorph.verify.spaces.activation_goals import candidates, firing, goal_rule, judges
from pymorph.verify.spaces.witnesses import (
    KnownPosition,
    batches,
    file_of,
    fired_in,
    grounding,
    known,
    shipped,
)
from tools.mutants.trials import Together, Trial, trials_of

HEAD = """\
% Positions in which the statements of the rules have a say: as few as show all that cases,
% disputes and a search show; written by `python -m tools.known`.
"""
WHERE = re.compile(r"\b[ST]\b")
SEEN = "verify_seen"
Shown = int | str  # a statement by its number, or a rule by its id
ALONE = """
#defined forbidden/3. #defined waits/3. #defined over/2. #defined asked/2.
verify_against(A,S,R) :- forbidden(A,S,R), asked(A,S), not over(S,R).
verify_against(A,S,R) :- waits(A,S,R), asked(A,S), not over(S,R).
verify_alone(R,S)     :- verify_against(A,S,R), #count { X : verify_against(A,S,X) } = 1.
"""
NEW_BOARD = 20  # statements that are worth a grounding of their own


def heard(game: loader.Ruleset, trial: Trial) -> Iterator[KnownPosition]:
    """Every question that a trial puts to the rules, with one action or figure in each.

    A dispute is not judged: what its parties do is done, under each reading that it is about.
    """
    starts, recorder = [], Recorder()
    if trial.case or isinstance(trial, Together):
        trial.failure(game, answers=recorder)
    else:
        case = Case.load(trial.path)
        for reading in _readings(case, trial.name):
            start = replace(case.position.with_rulings(reading), answers=recorder)
            starts.append(KnownPosition(start))
            for stated in case.claims:
                rolls = [roll for move in stated.after for roll in move.rolls]
                with suppress(PymorphError):
                    play_through(start, [move.action for move in stated.after], rolls)
    yield from starts
    for question in recorder.queries:
        yield from _entries(game, question)


def _readings(case: Case, name: str) -> Iterator[Mapping[str, str]]:
    """The readings under which a dispute looks otherwise, or those that an example is about."""
    yield {}
    yield from ({name: option} for option in case.position.ruleset.options.get(name, ()))
    yield from map(
        dict, sorted({choices for stated in case.claims for choices, _ in stated.expect})
    )


def _entries(game: loader.Ruleset, asked: Query) -> Iterator[KnownPosition]:
    """What was asked in each situation of a question."""
    rows: dict[Symbol, dict[str, list[Any]]] = defaultdict(lambda: defaultdict(list))
    spread = {"everybody": "present", "everywhere": "holds"}
    for fact in asked.facts:
        if fact.name in ("present", "holds", "ruled", "asked", "wanted"):
            rows[fact.arguments[-1]][fact.name].append(fact.arguments)
    for fact in asked.facts:  # what is said once of all situations
        if fact.name in spread:
            for here, row in rows.items():
                row[spread[fact.name]].append([*fact.arguments, here])
    sorts = [sort.name for sort in game.vocabulary.file_sorts()]
    for row in rows.values():
        members = tuple(symbol for symbol, _ in row["present"])
        if sorts and not members:
            continue
        position = Position(
            game,
            asked.geometry.board if asked.geometry else None,
            _listed(game, members, [fluent for fluent, _, _ in row["holds"]]),
            {fluent: value for fluent, value, _ in row["holds"]},
            {q.name: o.name for q, o, _ in row["ruled"]},
        )
        yield KnownPosition(position)
        yield from (KnownPosition(position, (action,)) for action, _ in row["asked"])
        yield from (KnownPosition(position, (), (figure,)) for figure, _ in row["wanted"])


def _listed(
    game: loader.Ruleset, members: Sequence[Symbol], fluents: Sequence[Symbol]
) -> dict[str, tuple[Symbol, ...]]:
    """Which of the *members* of a position are of what sort: what the file has to tell of one shows
    it, and what nothing is told of is of a sort of which nothing has to be.
    """
    words = game.vocabulary
    sorts = [sort.name for sort in words.file_sorts()]
    told = {f.sorts[0] for f in words.fluents.values() if f.sorts and f.default == GIVEN}
    known = {
        fluent.arguments[0]: words.fluents[fluent.name].sorts[0]
        for fluent in fluents
        if fluent.arguments and words.fluents[fluent.name].sorts[0] in sorts
    }
    rest = next((sort for sort in sorts if sort not in told), sorts[-1] if sorts else "")
    return {
        sort: tuple(member for member in members if known.get(member, rest) == sort)
        for sort in sorts
    }


def shown(
    setting: Scope, entries: Sequence[KnownPosition], wanted: Iterable[int] | None = None
) -> dict[KnownPosition, frozenset[Shown]]:
    """The numbers of the statements, or of those *wanted*, that fire in each entry, and the rules
    that are all there is against an action there."""
    statements = setting.sources.statements
    numbers = candidates(setting) if wanted is None else wanted
    goals = {n: seen(n, statements[n].text) for n in numbers}
    found: dict[KnownPosition, set[Shown]] = {entry: set() for entry in entries}
    for batch in batches(entries):
        control = grounding(setting, batch, goals, ALONE)
        for atom in control.symbolic_atoms.by_signature("verify_alone", 2):
            rule, where = atom.symbol.arguments
            found[batch[where.number]].add(rule.name)
        for atom in control.symbolic_atoms.by_signature(SEEN, 2):
            number, where = atom.symbol.arguments
            everywhere = where.type != SymbolType.Number
            for entry in batch if everywhere else [batch[where.number]]:
                found[entry].add(number.number)
    judging = judges(setting)
    return {
        entry: frozenset(numbers & judging) if entry.flawed else frozenset(numbers)
        for entry, numbers in found.items()
    }


def seen(number: int, text: str) -> str:
    """A rule that tells where the statement with that number fires: in S, or in T as (A, S)."""
    rule = goal_rule(number, text).removesuffix(".")
    where = min(WHERE.findall(rule), default="any")
    if where == "T":
        rule, where = f"{rule}; T = (_, S)", "S"
    return rule.replace(f"verify_goal({number})", f"{SEEN}({number},{where})") + "."


def covering(shown_by: Mapping[KnownPosition, frozenset[Shown]]) -> list[KnownPosition]:
    """A few entries that together show all that all of them show."""
    kept: list[KnownPosition] = []
    open_ones = frozenset().union(*shown_by.values())
    left = sorted(shown_by, key=lambda entry: (len(entry.line()), entry.line()))
    boards: set[Board | None] = set()

    def worth(entry: KnownPosition) -> tuple[bool, int]:
        gain = len(shown_by[entry] & open_ones)
        return gain > 0, gain - (0 if entry.position.board in boards else NEW_BOARD)

    while open_ones:
        best = max(left, key=worth)
        kept.append(best)
        boards.add(best.position.board)
        open_ones -= shown_by[best]
    for entry in list(kept):
        others = frozenset().union(*(shown_by[other] for other in kept if other != entry))
        if shown_by[entry] <= others:
            kept.remove(entry)
    return kept


def merged(entries: Iterable[KnownPosition]) -> list[KnownPosition]:
    """The same with all that is asked in one position together."""
    found: dict[Position, KnownPosition] = {}
    for entry in entries:
        old = found.get(entry.position, entry)
        found[entry.position] = replace(
            old,
            actions=tuple(sorted_symbols({*old.actions, *entry.actions})),
            figures=tuple(sorted_symbols({*old.figures, *entry.figures})),
        )
    return list(found.values())


def single(entries: Iterable[KnownPosition]) -> Iterator[KnownPosition]:
    """The same, with no more than one question in each."""
    for entry in entries:
        if not entry.actions and not entry.figures:
            yield entry
        yield from (replace(entry, actions=(each,), figures=()) for each in entry.actions)
        yield from (replace(entry, actions=(), figures=(each,)) for each in entry.figures)


def marked(entries: Iterable[KnownPosition]) -> list[KnownPosition]:
    """The same, those that are no positions of the game marked as such."""
    kept = list(entries)
    told = check_of([entry.position for entry in kept])
    return [
        replace(entry, flawed=not answer.consistent)
        for entry, answer in zip(kept, told, strict=True)
    ]


def added(setting: Scope, kept: Sequence[KnownPosition]) -> Iterator[KnownPosition]:
    """What shows more than is *kept* already, of all that cases and disputes ask."""
    game = setting.ruleset
    have = frozenset[Shown]().union(*shown(setting, kept).values())
    trials = (trial for trial in trials_of(game) if not isinstance(trial, Together))
    for chapter, group in groupby(trials, key=lambda trial: trial.group):
        left = set(candidates(setting)) - have
        if not left:
            return
        print(f"{len(left)} statements are left before {chapter}", file=sys.stderr)
        entries = {entry for trial in group for entry in heard(game, trial)}
        new = {
            entry: showing - have
            for entry, showing in shown(setting, marked(merged(entries)), sorted(left)).items()
        }
        for entry in covering(new):
            have |= new[entry]
            yield entry


def fewest(setting: Scope, entries: Iterable[KnownPosition]) -> list[KnownPosition]:
    """As few positions as can be, with as few questions, that show all that these do."""
    kept = covering(shown(setting, marked(merged(entries))))
    kept = merged(covering(shown(setting, list(single(kept)))))
    often = Counter(entry.position.board for entry in kept)

    def order(entry: KnownPosition) -> tuple[object, ...]:
        """What shares a board stands together, and so can share a grounding."""
        board = entry.position.board
        drawn = entry.position.data().get("board", "")
        return (-often[board], drawn, entry.line())

    return sorted(kept, key=order)


def sought(setting: Scope, numbers: Iterable[int]) -> Iterator[KnownPosition]:
    """Positions within the bounds in which these statements fire, as far as some are found soon."""
    left = set(numbers)
    for name in ("", *setting.ruleset.vocabulary.actions):
        here = left.intersection(firing(setting, name))
        for group, sound in ((here, True), (here & judges(setting), False)):
            if not group:
                continue
            search = searched(setting, name, group, False, sound)
            for goal in sorted(search.reached):
                found = search.example(goal)
                left.discard(goal.number)
                yield KnownPosition(found.position, (found.action,) if found.action else ())


def write(setting: Scope, kept: Iterable[KnownPosition]) -> None:
    """Write the file of a ruleset."""
    path = file_of(setting.ruleset)
    lines = "".join(f"{entry.line(path.parent)}\n" for entry in kept)
    yamlio.write(path, HEAD + lines)


def main(words: Sequence[str]) -> int:
    """Write the file. The exit code is 2, if there is no such ruleset."""
    try:
        setting = Scope(loader.load(words[0] if words else "morphyry"))
        kept = [KnownPosition(position) for position in (*setting.starts, *shipped(setting))]
        kept = marked(merged([*known(setting).entries, *kept]))
        kept = fewest(setting, [*kept, *added(setting, kept)])
        write(setting, kept)  # the search may take long
        missing = set(candidates(setting)) - fired_in(setting, kept)
        others = list(sought(setting, missing))
        if others:
            kept = fewest(setting, [*kept, *others])
            write(setting, kept)
    except PymorphError as error:
        print(error, file=sys.stderr)
        return 2
    fired, every = fired_in(setting, kept), candidates(setting)
    statements = setting.sources.statements
    print(f"{len(kept)} positions show {len(fired)} of {len(every)} statements; the others:")
    for number in sorted({*every} - fired):
        print(f"{location(statements[number].place)}: {statements[number].text}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
