"""The choice of the dynamics of a table: bit-sliced where compiling the rules is worth it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from pymorph.asp.bitslice.ground_program import Uncompiled
from pymorph.dynamics.asking.legal import actions_at
from pymorph.dynamics.bits import compiled
from pymorph.dynamics.bitsliced import BitSliced
from pymorph.dynamics.grounded import Grounded
from pymorph.dynamics.protocol import Dynamics
from pymorph.runtime.arguments import checked
from pymorph.state.position import Position

_T = TypeVar("_T")
WORTH = 300  # states for which compiling the rules takes less time than it saves
FEW = 300  # actions of a table for which compiling takes next to no time
LEAST_WIDTH = 3  # times as many states as one length has the next one, about
NOT_WORTHWHILE = "no length has enough positions to make it worthwhile"


@checked
def dynamics_of(position: Position, bit_sliced: bool = True) -> Dynamics:
    """The rules of the table of *position*, for programs that explore play: states in batches,
    their legal actions, and the results.

    If possible, the rules are compiled, for all positions that play may reach under any rulings;
    if not, or if *bit_sliced* is false, the grounder is asked.
    Raises: Uncompiled, if a position shows that the rules do not compile after all.

    >>> start = Position.parse("{ruleset: tictactoe, turn: x}")
    >>> dynamics = dynamics_of(start)
    >>> moves = dynamics.states(dynamics.encode([start])).legal()
    >>> [str(dynamics.actions.symbols[number]) for number, states in moves.legal][:2]
    ['put(x,a1)', 'put(x,b1)']
    """
    engine = Engine(position, OpenScene(position.ruleset.options))
    if bit_sliced:
        engine.compile()
    return engine.dynamics


def attempted(work: Callable[[], _T]) -> _T | None:
    """The result of some work on compiled rules; None, where these turn out not to compile, or do
    what they must not."""
    try:
        return work()
    except Uncompiled:
        return None


class OpenScene:
    """The compiled rules of one table with some questions left open, made where they are wanted
    first; where they cannot be, those of each reading by itself."""

    def __init__(self, questions: Iterable[str]) -> None:
        self._questions = sorted(questions)
        self._scene: compiled.CompiledScene | None = None
        self._refused = not self._questions

    def __reduce__(self) -> tuple[Any, ...]:
        return OpenScene, (self._questions,)

    def at(self, start: Position, kept: bool = False) -> compiled.CompiledScene:
        """The rules that hold at a position. Raises: Uncompiled or NotKept, as a scene does."""
        if self._scene is None and not self._refused:
            try:
                self._scene = compiled.CompiledScene(start, kept=kept, questions=self._questions)
            except Uncompiled:
                self._refused = True
        return self._scene or compiled.CompiledScene(start, kept=kept)


class Engine:
    """The dynamics of the table of a position: grounded, until the rules are compiled.

    *why_not* says why they are not; *refused*: they cannot be. *opened* are the compiled rules of
    the table, if they serve several readings.
    """

    def __init__(self, start: Position, opened: OpenScene | None = None) -> None:
        self._given = start, opened or OpenScene(())
        self.dynamics: Dynamics = Grounded(start)
        self.why_not = NOT_WORTHWHILE
        self.refused = False
        self._uncached = False

    def __reduce__(self) -> tuple[Any, ...]:
        return Engine, self._given

    @property
    def compiled(self) -> bool:
        return isinstance(self.dynamics, BitSliced)

    def choose(self, waiting: int, left: int) -> None:
        """Compile the rules if that is worth it for *waiting* states and *left* actions more, or
        if it was done before and they are in the cache."""
        few = left > 1 and actions_at(self._given[0]) <= FEW
        self.compile(waiting * (LEAST_WIDTH ** (left - 1) if few else 1) < WORTH)

    def compile(self, cached: bool = False) -> None:
        """Compile the rules, if they can be; only if they are *cached*, if that is asked."""
        if self.compiled or self.refused or (cached and self._uncached):
            return
        start, opened = self._given
        try:
            self.dynamics, self.why_not = BitSliced(opened.at(start, cached)), ""
        except compiled.NotKept:
            self._uncached = True
        except Uncompiled as error:
            self.refuse(str(error))

    def require(self) -> None:
        """Compile the rules, where another process did. Raises: Uncompiled, if they cannot be."""
        self.compile()
        if self.refused:
            raise Uncompiled(self.why_not)

    def refuse(self, why: str) -> None:
        """Ask the grounder from now on."""
        if self.compiled:
            self.dynamics = Grounded(self._given[0])
        self.why_not, self.refused = why, True

    def run(self, work: Callable[[], _T]) -> _T:
        """The result of some work on these dynamics, which starts again on the grounded ones where
        the rules turn out not to compile."""
        try:
            return work()
        except Uncompiled as error:
            self.refuse(str(error))
        return work()
