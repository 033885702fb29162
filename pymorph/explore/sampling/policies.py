"""Policies: which a ruleset knows, what each would do in a position, and who plays by which."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from clingo import Function, Symbol

from pymorph.asp.grounding import Atoms
from pymorph.dynamics.asking import batch
from pymorph.dynamics.asking.batch import by_situation
from pymorph.dynamics.carrying import RelevantAnswers
from pymorph.errors import InputError, UnknownName, clipped, nearest
from pymorph.questions.consistency import observers
from pymorph.ruleset.loader import Ruleset
from pymorph.state.files.display_names import one_of
from pymorph.state.names import actors
from pymorph.state.position import Position
from pymorph.terms import Term, order, text_of

Preferences = dict[str, list[Symbol]]  # by policy, the actions that it prefers


def policies(ruleset: Ruleset) -> dict[str, str]:
    """The policies that a ruleset knows, each with what it says of it."""
    atoms = batch.solve(ruleset.slices["policy"], ())["policy"]
    return dict(sorted((atom.arguments[0].name, text_of(atom.arguments[1])) for atom in atoms))


def preferences(ruleset: Ruleset) -> RelevantAnswers[Preferences]:
    """What each policy prefers in positions of one game, the first first."""
    return RelevantAnswers(ruleset, "policy", _preferences_in, {})


def _preferences_in(atoms: Atoms) -> dict[int, Preferences]:
    preferred: dict[int, Preferences] = defaultdict(lambda: defaultdict(list))
    for number, rows in by_situation(atoms["inclined"], 3).items():
        for name, action, *_ in sorted(rows, key=lambda row: (order(row[2]), order(row[1]))):
            preferred[number][name.name].append(action)
    return preferred


class Players:
    """Who plays by which policy: everybody by one, or some by one each. *texts* is what those in
    use say of themselves."""

    def __init__(self, position: Position, given: str | Mapping[str, str]) -> None:
        """Raises: UnknownName, if there is no such policy, or nobody of that name."""
        self.position, self.given = position, given
        self.texts: dict[str, str] = {}
        self._by: dict[str, str] = {}
        self._preferences = preferences(position.ruleset)
        found = policies(position.ruleset)
        for name in [self.given] if isinstance(self.given, str) else list(self.given.values()):
            if not found:
                raise InputError(f"{self.position.ruleset.title} has no policies")
            if name not in found:
                raise UnknownName(f"unknown policy {clipped(name)}{nearest(name, found)}")
            self.texts[name] = found[name]
        eyes = observers(self.position)
        for seat, name in {} if isinstance(self.given, str) else self.given.items():
            known = tuple(dict.fromkeys((*eyes, *actors(self.position))))
            meant = one_of(self.position, seat, known)
            if meant not in known:
                raise UnknownName(f"unknown player {clipped(seat)}{nearest(seat, known)}")
            for actor in (meant, *sorted(eyes.get(meant, ()))):
                self._by.setdefault(actor, name)

    def policy_of(self, actor: str) -> str:
        """The policy by which somebody is played; "" if by none."""
        return self.given if isinstance(self.given, str) else self._by.get(actor, "")

    def empty(self) -> list[str]:
        """The players of the game who have no policy, where it asks who plays by which."""
        return [text_of(member) for member in self._players() if not self._of(member)]

    def told(self) -> Position:
        """The position, in which the rules know who plays by which policy."""
        fluent = self.position.ruleset.vocabulary.policy_fluent
        by = {member: self._of(member) for member in self._players()}
        named = {Function(fluent, [m]): Function(name) for m, name in by.items() if name}
        return self.position.with_changes(named)

    def _players(self) -> tuple[Symbol, ...]:
        words = self.position.ruleset.vocabulary
        declared = words.fluents.get(words.policy_fluent)
        return words.members(declared.sorts[0], self.position.scene) if declared else ()

    def _of(self, member: Symbol) -> str:
        return self.policy_of(text_of(member))

    def choices(self, positions: Sequence[Position]) -> list[list[Symbol]]:
        """What those who play by a policy would do in each of some positions."""
        policy = self.policy_of
        return [
            [a for name, actions in each.items() for a in actions if policy(Term(a).actor) == name]
            for each in self._preferences.of(positions)
        ]
