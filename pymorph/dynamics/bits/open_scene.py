"""The compiled rules of one table for several readings."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from pymorph.asp.bitslice.ground_program import Uncompiled
from pymorph.dynamics.bits import compiled

if TYPE_CHECKING:
    from pymorph.dynamics.bits.compiled import CompiledScene
    from pymorph.state.position import Position


class OpenScene:
    """The compiled rules of one table with some questions left open, made where they are wanted
    first; where they cannot be, those of each reading by itself."""

    def __init__(self, questions: Iterable[str]) -> None:
        self._questions = sorted(questions)
        self._scene: CompiledScene | None = None
        self._refused = False

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


def scene_at(
    start: Position, opened: OpenScene | None, kept: bool = False
) -> compiled.CompiledScene:
    """The compiled rules of a position: what is *opened*, if there is such, or its own. Raises: the
    same."""
    return opened.at(start, kept) if opened else compiled.CompiledScene(start, kept=kept)
