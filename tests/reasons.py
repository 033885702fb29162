"""Are the reasons true? Random games are played, and each reason met is held against its position.

What a rule's sentence says is worked out once more in plain Python, from the position and the
facts of the ruleset alone: `tests/<ruleset>/reasons_true.py` has a function for each rule, in a
table `TRUE`. A ruleset is added by such a file, which shares nothing with the encodings.

    .venv/bin/python -m tests.reasons actions_reactions --games 50
"""

import argparse
import importlib
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import clingo
from clingo import Symbol, SymbolType

from pymorph import Position, Session
from pymorph.dynamics.asking.legal import judged
from pymorph.ruleset import locations
from pymorph.state.names import typed_actions

PROJECT = Path(__file__).parent.parent
MOST_CITED = 40
Plain = Any  # a number, a name, or a tuple of such; a term f(x) is the tuple (f, x)


def plain(symbol: Symbol) -> Plain:
    """A symbol as a number, a name or a tuple; ``none`` and ``()`` as they are written."""
    if symbol.type is SymbolType.Number:
        return symbol.number
    if symbol.type is SymbolType.String:
        return symbol.string
    arguments = tuple(map(plain, symbol.arguments))
    if not symbol.name:
        return arguments
    return (symbol.name, *arguments) if arguments else symbol.name


@cache
def data_of(name: str) -> Mapping[str, frozenset[tuple[Plain, ...]]]:
    """The facts of a ruleset's own files, without its catalogue: cards, weapons, sorts."""
    control = clingo.Control(["-Wno-atom-undefined"])
    for path in sorted((PROJECT / "rules" / name).glob("*.lp")):
        control.load(str(path))
    control.ground([("base", [])])
    facts = defaultdict(set)
    for atom in control.symbolic_atoms:
        if atom.is_fact:
            facts[atom.symbol.name].add(tuple(map(plain, atom.symbol.arguments)))
    return {functor: frozenset(rows) for functor, rows in facts.items()}


class View:
    """A position in plain Python: its fluents, names and readings, and the ruleset's facts."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self._fluents: dict[str, dict[tuple[Plain, ...], Plain]] = defaultdict(dict)
        for fluent, value in position.fluents.items():
            self._fluents[fluent.name][tuple(map(plain, fluent.arguments))] = plain(value)
        self._defaults = {
            name: plain(each.default) for name, each in position.ruleset.vocabulary.fluents.items()
        }

    def __call__(self, fluent: str, *arguments: Plain) -> Plain:
        """The value of a fluent, which may be its default."""
        return self._fluents[fluent].get(arguments, self._defaults[fluent])

    def every(self, fluent: str) -> Mapping[tuple[Plain, ...], Plain]:
        """The fluents of that name that are not at their default, by their arguments."""
        return self._fluents[fluent]

    def names(self, sort: str) -> tuple[str, ...]:
        """What the file lists under a heading, such as the characters."""
        return tuple(map(plain, self.position.listed.get(sort, ())))

    def facts(self, predicate: str) -> frozenset[tuple[Plain, ...]]:
        """The facts of the ruleset's own files."""
        return data_of(self.position.ruleset.name).get(predicate, frozenset())

    def reading(self, question: str) -> str:
        """The option in force."""
        default = self.position.ruleset.questions[question].default
        return self.position.rulings.get(question, default)


@dataclass(frozen=True)
class Cited:
    """A rule that was given as a reason against an action."""

    rule: str
    action: str
    arguments: tuple[Plain, ...]
    view: View = field(repr=False)

    def __str__(self) -> str:
        says = self.view.position.ruleset.rule(self.rule).says
        inner = ", ".join(map(str, self.arguments))
        line = self.view.position.line()
        return f"{self.rule} against {self.action}({inner}): {says}\n  {line}"


# A rule's sentence holds of a position as a reason against an action, which it gets name first.
Arguments = tuple[Plain, ...]
Sentence = Callable[[View, str, Arguments], bool]


class Sentences(dict[str, Sentence]):
    """What the rules of a ruleset say, by their ids."""

    def says(self, *rules: str) -> Callable[[Sentence], Sentence]:
        """Puts a sentence into the table, under each of its rules."""

        def enter(sentence: Sentence) -> Sentence:
            self.update(dict.fromkeys(rules, sentence))
            return sentence

        return enter


def sentences(ruleset: str) -> Mapping[str, Sentence]:
    """The table of a ruleset."""
    found: Mapping[str, Sentence] = importlib.import_module(f"tests.{ruleset}.reasons_true").TRUE
    return found


def starts(ruleset: str) -> list[Path]:
    """The positions of a ruleset that ship; records and disputes are left out."""
    folders = (PROJECT / "rules" / ruleset / "positions", PROJECT / "examples")
    found = []
    for path in sorted(path for folder in folders for path in folder.glob("**/*.yaml")):
        lines = path.read_text(encoding="utf-8").splitlines()
        cases = {"broken", "disputes"} & set(path.parts)
        if not cases and f"ruleset: {ruleset}" in lines and "play:" not in lines:
            found.append(path)
    return found


def played(position: Position, rng: random.Random, steps: int) -> Iterator[Session]:
    """A random game, after each step: a kind of action is drawn, then one of it."""
    session = Session(position)
    yield session
    for _ in range(steps):
        if not session.legal_actions:
            return
        kind = rng.choice(sorted({action.name for action in session.legal_actions}))
        session.push(rng.choice([each for each in session.legal_actions if each.name == kind]))
        yield session


def questions(
    position: Position, near: Sequence[Symbol], rng: random.Random, number: int
) -> list[Symbol]:
    """Actions to ask about: those *near*, some of each kind, and some one argument off one near."""
    kinds = defaultdict(list)
    for action in typed_actions(position):
        kinds[action.name].append(action)
    asked: set[Symbol] = set(near)
    for actions in kinds.values():
        asked.update(rng.sample(actions, min(number, len(actions))))
    for one in rng.sample(sorted(near), min(number, len(near))):
        beside = [other for other in kinds[one.name] if _differences(one, other) == 1]
        asked.update(rng.sample(beside, min(number, len(beside))))
    return sorted(asked)


def _differences(one: Symbol, other: Symbol) -> int:
    return sum(a != b for a, b in zip(one.arguments, other.arguments, strict=True))


def cited_in(position: Position, actions: Sequence[Symbol]) -> Iterator[Cited]:
    """The reasons against those of *actions* that are not legal."""
    view = View(position)
    for action, verdict in judged(position, actions).items():
        for rule in verdict.rules:
            yield Cited(rule, action.name, tuple(map(plain, action.arguments)), view)


def cited_by_chance(
    ruleset: str, games: int, steps: int, seed: int = 0, number: int = 6
) -> Iterator[Cited]:
    """The reasons met in so many random games, half of them short, from all that ships in turn."""
    positions = [Position.load(path) for path in starts(ruleset)]
    for game in range(games):
        rng = random.Random(f"{seed}.{game}")
        length = steps if game % 2 else max(1, steps // 5)
        before: list[Symbol] = []
        for session in played(positions[game % len(positions)], rng, length):
            legal = [action.symbol for action in session.legal_actions]
            # What could be done a moment ago is the likeliest to be asked about.
            yield from cited_in(
                session.position, questions(session.position, before + legal, rng, number)
            )
            before = legal


@dataclass
class Tally:
    """What became of the reasons that were met."""

    cited: Counter[str] = field(default_factory=Counter)
    unchecked: Counter[str] = field(default_factory=Counter)
    false: dict[str, list[Cited]] = field(default_factory=lambda: defaultdict(list))

    @property
    def most_cited(self) -> list[str]:
        return [rule for rule, _ in self.cited.most_common(MOST_CITED)]

    @property
    def untold(self) -> list[str]:
        """Those of the most cited rules that the table has nothing on."""
        return [rule for rule in self.most_cited if rule in self.unchecked]

    def report(self, alike: int = 2) -> str:
        """The false reasons, so many of each rule, and how often each rule was met."""
        lines = [str(each) for found in self.false.values() for each in found[:alike]]
        for rule, times in self.cited.most_common():
            false = len(self.false.get(rule, ()))
            state = "no sentence" if rule in self.unchecked else f"{false} false"
            lines.append(f"{rule:24} {times:7} {state}")
        return "\n".join(lines)


def tally(ruleset: str, games: int, steps: int, seed: int = 0, number: int = 6) -> Tally:
    """The reasons of random games, each held against the position it was given in."""
    found = Tally()
    table = sentences(ruleset)
    for each in cited_by_chance(ruleset, games, steps, seed, number):
        found.cited[each.rule] += 1
        if each.rule not in table:
            found.unchecked[each.rule] += 1
        elif not table[each.rule](each.view, each.action, each.arguments):
            found.false[each.rule].append(each)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.reasons", description=__doc__)
    parser.add_argument("ruleset", choices=locations.shipped())
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--alike", type=int, default=2, help="false ones of a rule shown")
    given = parser.parse_args()
    print(tally(given.ruleset, given.games, given.steps, given.seed).report(given.alike))


if __name__ == "__main__":
    main()
