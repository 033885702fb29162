"""Every legal action of many positions with all that follows of it; nothing is asked twice."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from clingo import Function, Symbol

from pymorph.dynamics.asking import batch, steps
from pymorph.dynamics.asking.steps import MacroAction, SingleStep
from pymorph.dynamics.carrying import LegalMoves, SuccessorGenerator, Trajectory, moves_in
from pymorph.dynamics.results import Roll
from pymorph.errors import RulesetError
from pymorph.ruleset.loader import Ruleset
from pymorph.runtime.arguments import checked
from pymorph.state.position import Position, table_of
from pymorph.terms import Term, text_of


@checked
def successors_of(positions: Sequence[Position]) -> tuple[tuple[tuple[Term, Position], ...], ...]:
    """For each position, every legal action with the position that `apply` gives; many at once.

    Where a roll is due the position is the one before it, as when `apply` is given no roll. If the
    roll holds up the action, what is still to do is `unfinished` in that position; the successors
    of that position are the outcomes of the roll, each with what follows after it.

    >>> import pymorph
    >>> start = pymorph.Position.load("examples/rulesets/tictactoe/positions/start.yaml")
    >>> (successors,) = pymorph.successors_of([start])
    >>> len(successors), successors[0][0], successors[0][1].value("turn")
    (9, Term('put(x, a1)'), Term('o'))
    """
    tables: dict[object, list[int]] = defaultdict(list)
    for number, position in enumerate(positions):
        tables[table_of(position)].append(number)
    found: dict[int, tuple[tuple[Term, Position], ...]] = {}
    for numbers in tables.values():
        expander = NodeExpander(positions[numbers[0]].ruleset)
        legs = expander.expand([positions[number] for number in numbers])
        for number, row in zip(numbers, legs, strict=True):
            after = [(Term(action), leg.after) for action, leg in row.items()]
            found[number] = tuple(sorted(after, key=lambda pair: batch.by_actor(pair[0])))
    return tuple(found[number] for number in range(len(positions)))


class NodeExpander(SuccessorGenerator):
    """Carries out actions in positions of one game and table, where all that are legal are asked
    about at once."""

    def __init__(self, ruleset: Ruleset) -> None:
        super().__init__(ruleset)
        self._nodes: dict[Position, LegalMoves] = {}  # whatever is unfinished there

    @batch.uncollected()
    def expand(
        self, positions: Iterable[Position], wanted: Callable[[Symbol], bool] | None = None
    ) -> list[dict[Symbol, Trajectory]]:
        """For each of some positions every legal action that is *wanted*, with what follows of
        itself.

        An action that is made of several is followed through the positions on its way, which are
        those of shorter actions. Where a roll is due its outcomes are what is legal, and what is
        unfinished follows after each of them.
        """
        kept = list(positions)
        self._ask(kept)
        found: list[dict[Symbol, Trajectory]] = []
        for position in kept:
            actions = [a for a in self.moves_at(position).actions if wanted is None or wanted(a)]
            found.append({action: Trajectory.of(position, action) for action in actions})
        self.carry_on([leg for row in found for leg in row.values()])
        return found

    def moves_at(self, position: Position) -> LegalMoves:
        """All that may be done in a position that was expanded, or asked about otherwise."""
        return self._nodes[position.with_unfinished(())]

    @property
    def looked(self) -> int:
        """Of how many positions all that may be done was asked for."""
        return len(self._nodes)

    def forget(self) -> None:
        """Let go of what was found of single positions, which may be too much to keep."""
        super().forget()
        self._nodes.clear()

    @batch.uncollected()
    def rolls(self, positions: Sequence[Position]) -> tuple[tuple[Roll, ...], ...]:
        """The rolls that are due in each of some positions, in which no other step is."""
        nodes = zip(positions, self.automatic(positions), strict=True)
        rolling = {position for position, node in nodes if node.chances}
        self._ask(rolling)
        return tuple(self.moves_at(p).rolls if p in rolling else () for p in positions)

    def legal_moves(self, positions: Sequence[Position], rolls: bool = True) -> list[LegalMoves]:
        """The legal moves of some positions, but for those that depend on something hidden, each
        with its result."""
        self._ask(positions)
        return list(map(self.moves_at, positions))

    def steps(self, pairs: Sequence[steps.PositionAction]) -> list[steps.StepResult]:
        """What comes of each of some actions where it is carried out, if it is legal there.

        Those that are not found among all that may be done are asked about by themselves: nothing
        proposes them, or something forbids them.
        """
        self._ask(position for position, _ in pairs)
        known = [self.moves_at(position).actions.get(action) for position, action in pairs]
        others = [pair for pair, step in zip(pairs, known, strict=True) if step is None]
        asked = iter(super().steps(others))
        return [step or next(asked) for step in known]

    def _ask(self, positions: Iterable[Position]) -> None:
        """Find out what may be done in the positions, and what comes of each single step."""
        bare = (position.with_unfinished(()) for position in positions)
        new = list(dict.fromkeys(p for p in bare if p not in self._nodes))
        for first, numbers in batch.batches(new):
            atoms = batch.ask("branch", first, batch.facts_of(new, numbers))
            rows = steps.by_transition(atoms)
            unfolds = batch.by_situation(atoms["unfolds"], 3)
            for n, moves in moves_in(atoms, new, numbers).items():
                position, here = new[n], batch.situation(n)
                wholes = {row[0]: MacroAction(row[1], row[2]) for row in unfolds.get(n, ())}
                for action in moves.actions:
                    told = rows.get(Function("", [action, here]), steps.NO_ROWS)
                    step = wholes.get(action) or _single(position, action, told)
                    moves.actions[action] = step
                    if moves.rolls and isinstance(step, SingleStep) and step.position == position:
                        raise RulesetError(f"the roll {text_of(action)} changes nothing")
                self._nodes[position] = moves


def _single(position: Position, action: Symbol, rows: batch.ArgumentsByPredicate) -> SingleStep:
    """What comes of one step."""
    return SingleStep.of(action, position.with_changes(steps.changed(position, rows)), rows)
