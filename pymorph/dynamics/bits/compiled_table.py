"""Compiled rules of one table, for programs that ask about its positions again and again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from pymorph.asp.bitslice.ground_program import Uncompiled
from pymorph.dynamics.asking.batch import by_actor
from pymorph.dynamics.bits.compiled import CompiledAction
from pymorph.dynamics.bits.compiled_steps import CompiledSteps, LegalLayer
from pymorph.dynamics.bits.open_scene import OpenScene
from pymorph.dynamics.bits.planes import where
from pymorph.errors import Fault, InputError
from pymorph.state.position import Position, of_position
from pymorph.terms import Term


@of_position
def compiled(position: Position) -> CompiledTable:
    """Compile the rules for all positions that play may reach at the table of *position*.

    It takes a moment and answers at once from then on, whatever the rulings of a position are, if
    the questions of the ruleset can be left open; if not, under the rulings of *position*.
    Raises: InputError, if the rules cannot be compiled, with what prevents it.
    """
    return CompiledTable(position)


class CompiledTable:
    """The rules of one table, compiled: its ruleset, board and names."""

    def __init__(self, start: Position) -> None:
        try:
            self._scene = OpenScene(start.ruleset.options).at(start)
        except Uncompiled as error:
            raise InputError(Fault(f"the rules cannot be compiled: {error}")) from None
        self._steps = CompiledSteps(self._scene)
        self._terms = {action: Term(action) for action in self._scene.actions}
        ranked = sorted(self._terms.items(), key=lambda pair: by_actor(pair[1]))
        self._ranks = {symbol: rank for rank, (symbol, _) in enumerate(ranked)}

    def legal(self, positions: Sequence[Position]) -> tuple[tuple[Term, ...], ...]:
        """What `legal_actions_of` says of each of several positions of the table.

        Raises: InputError, if one is of another table, or the rules fail there.
        """
        found: list[list[Term]] = [[] for _ in positions]
        for first, options in self._pieces(positions):
            for action, bits in sorted(options.legal, key=self._place):
                term = self._terms[action.symbol]
                for number in np.flatnonzero(where(bits, options.positions.number)):
                    found[first + number].append(term)
        return tuple(map(tuple, found))

    def successors(
        self, positions: Sequence[Position]
    ) -> tuple[tuple[tuple[Term, Position], ...], ...]:
        """What `successors_of` says of each of several positions of the table.

        Raises: InputError, if one is of another table, or the rules fail there.
        """
        found: list[list[tuple[Term, Position]]] = [[] for _ in positions]
        for first, options in self._pieces(positions):
            for action, bits in sorted(options.legal, key=self._place):
                try:
                    after = self._scene.keys(self._steps.carry_out(options, [(action, bits)]).after)
                except Uncompiled as error:
                    raise InputError(Fault(str(error))) from None
                term = self._terms[action.symbol]
                for number in np.flatnonzero(where(bits, options.positions.number)):
                    position = self._scene.position_of(after[number])
                    found[first + number].append((term, position))
        return tuple(map(tuple, found))

    def _place(self, legal: tuple[CompiledAction, int]) -> int:
        """Where an action stands among all."""
        return self._ranks[legal[0].symbol]

    def _pieces(self, positions: Sequence[Position]) -> Iterator[tuple[int, LegalLayer]]:
        """What may be done in the positions, as many at a time as are looked at together."""
        size = self._scene.together
        for first in range(0, len(positions), size):
            try:
                keys = self._scene.keys_of(positions[first : first + size])
                yield first, self._steps.options(self._scene.side_by_side(keys))
            except Uncompiled as error:
                raise InputError(Fault(str(error))) from None
