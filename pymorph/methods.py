"""Questions as methods of a position: each is the public function of the same name.

This is the one module that lower rooms have from above them: a position inherits it, and what a
method calls is imported when it is called.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar, overload

from pymorph.dynamics.asking import chance, endings
from pymorph.explore.execution import application, event_explanation
from pymorph.explore.perft import counting
from pymorph.explore.sampling import odds as chances
from pymorph.explore.sampling import simulation
from pymorph.explore.search import planning
from pymorph.questions import consistency, explanation, figures, legality
from pymorph.questions.board import measuring
from pymorph.questions.board import sight as lines
from pymorph.views import picture

_Asked = TypeVar("_Asked")
_More = ParamSpec("_More")
_Answer = TypeVar("_Answer")


class PositionMethod(Generic[_Asked, _More, _Answer]):
    """A method that is a function of a room above."""

    def __init__(self, home: Callable[[], Callable[Concatenate[_Asked, _More], _Answer]]) -> None:
        self.home = home

    @overload
    def __get__(
        self, asked: None, owner: type
    ) -> Callable[Concatenate[_Asked, _More], _Answer]: ...

    @overload
    def __get__(self, asked: _Asked, owner: type) -> Callable[_More, _Answer]: ...

    def __get__(self, asked: Any, owner: type) -> Any:
        function: Any = self.home()
        return function if asked is None else function.__get__(asked)


class Questions:
    """What a position can be asked."""

    apply = PositionMethod(lambda: application.apply)
    as_seen_by = PositionMethod(lambda: consistency.as_seen_by)
    check = PositionMethod(lambda: consistency.check)
    count = PositionMethod(lambda: counting.count)
    draw = PositionMethod(lambda: picture.draw)
    forecast = PositionMethod(lambda: figures.forecast)
    legal = PositionMethod(lambda: legality.legal)
    legal_actions = PositionMethod(lambda: legality.legal_actions)
    measure = PositionMethod(lambda: measuring.measure)
    odds = PositionMethod(lambda: chances.odds)
    outcome = PositionMethod(lambda: endings.outcome)
    plan = PositionMethod(lambda: planning.plan)
    rolls_due = PositionMethod(lambda: chance.rolls_due)
    sight = PositionMethod(lambda: lines.sight)
    simulate = PositionMethod(lambda: simulation.simulate)
    why = PositionMethod(lambda: explanation.why)
    why_event = PositionMethod(lambda: event_explanation.why_event)
