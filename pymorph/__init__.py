"""A referee that can be asked: the rules of a game as data, every answer with its rules.

    >>> import pymorph
    >>> position = pymorph.position("my_game")
    >>> [str(action) for action in position.legal_actions()]
    ['take(anna, 1)', 'take(anna, 2)', 'take(anna, 3)']
    >>> [reason.rule.id for reason in position.why("take(anna, 5)").reasons]
    ['heap_02']
    >>> position.apply("take(anna, 2)", "take(bo, 3)").position.value("heap")
    Term('5')
    >>> pymorph.replay(pymorph.Record.load("my_game/records/first.yaml")).steps
    2

Positions are immutable, hashable values; every question is a function of one, and a method of it.
What is raised has one base, `PymorphError`. `within` puts a time limit on any question.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as typing has it, whose import takes longer than Ctrl-C may wait

__version__: str

# The public names by the module in which each lives; what is not used is not imported.
_HOMES = {
    "adjudication.verdicts": "Adjudication",
    "adjudication.case": "Case",
    "state.position": "Position position",
    "state.record": "Record",
    "ruleset.loader": "Ruleset",
    "explore.execution.session": "Session",
    "terms": "Term",
    "errors": "PymorphError InputError UnknownName IllFormed RulesetError IllegalAction Unsettled "
    "OutOfTime",
    "adjudication.adjudication": "adjudicate",
    "explore.execution.application": "apply",
    "questions.consistency": "as_seen_by check check_of",
    "explore.perft.counting": "count",
    "dynamics.engine": "dynamics_of",
    "questions.board.measuring": "measure",
    "questions.board.sight": "sight",
    "questions.figures": "forecast",
    "questions.legality": "legal legal_actions legal_actions_of",
    "dynamics.asking.legal": "legal_of",
    "explore.search.planning": "plan",
    "explore.execution.replay": "replay",
    "explore.sampling.odds": "odds",
    "dynamics.asking.endings": "outcome",
    "dynamics.asking.chance": "rolls_due seeded",
    "explore.sampling.simulation": "simulate",
    "dynamics.transitions": "successors_of",
    "questions.explanation": "why",
    "explore.execution.event_explanation": "why_event why_event_in",
    "runtime.processes": "within",
    "views.picture": "Picture draw",
}

# Those that are called otherwise where they live.
_ALIASES = {
    "load_ruleset": ("ruleset.loader", "load"),
    "load_rulings": ("state.rulings", "load"),
    "__version__": ("runtime.installation", "VERSION"),
}

if TYPE_CHECKING:
    from typing import Any

    from pymorph.adjudication.adjudication import adjudicate
    from pymorph.adjudication.case import Case
    from pymorph.adjudication.verdicts import Adjudication
    from pymorph.dynamics.asking.chance import rolls_due, seeded
    from pymorph.dynamics.asking.endings import outcome
    from pymorph.dynamics.asking.legal import legal_of
    from pymorph.dynamics.engine import dynamics_of
    from pymorph.dynamics.transitions import successors_of
    from pymorph.errors import (
        IllegalAction,
        IllFormed,
        InputError,
        OutOfTime,
        PymorphError,
        RulesetError,
        UnknownName,
        Unsettled,
    )
    from pymorph.explore.execution.application import apply
    from pymorph.explore.execution.event_explanation import why_event, why_event_in
    from pymorph.explore.execution.replay import replay
    from pymorph.explore.execution.session import Session
    from pymorph.explore.perft.counting import count
    from pymorph.explore.sampling.odds import odds
    from pymorph.explore.sampling.simulation import simulate
    from pymorph.explore.search.planning import plan
    from pymorph.questions.board.measuring import measure
    from pymorph.questions.board.sight import sight
    from pymorph.questions.consistency import as_seen_by, check, check_of
    from pymorph.questions.explanation import why
    from pymorph.questions.figures import forecast
    from pymorph.questions.legality import legal, legal_actions, legal_actions_of
    from pymorph.ruleset.loader import Ruleset
    from pymorph.ruleset.loader import load as load_ruleset
    from pymorph.runtime.processes import within
    from pymorph.state.position import Position, position
    from pymorph.state.record import Record
    from pymorph.state.rulings import load as load_rulings
    from pymorph.terms import Term
    from pymorph.views.picture import Picture, draw

__all__ = [
    "Adjudication",
    "Case",
    "IllFormed",
    "IllegalAction",
    "InputError",
    "OutOfTime",
    "Picture",
    "Position",
    "PymorphError",
    "Record",
    "Ruleset",
    "RulesetError",
    "Session",
    "Term",
    "UnknownName",
    "Unsettled",
    "adjudicate",
    "apply",
    "as_seen_by",
    "check",
    "check_of",
    "count",
    "draw",
    "dynamics_of",
    "forecast",
    "legal",
    "legal_actions",
    "legal_actions_of",
    "legal_of",
    "load_ruleset",
    "load_rulings",
    "measure",
    "odds",
    "outcome",
    "plan",
    "position",
    "replay",
    "rolls_due",
    "seeded",
    "sight",
    "simulate",
    "successors_of",
    "why",
    "why_event",
    "why_event_in",
    "within",
]


def __getattr__(name: str) -> Any:
    from pymorph.runtime.lazy import submodules_of

    submodule = submodules_of(__name__)
    homes = (home for home, names in _HOMES.items() if name in names.split())
    home, own = _ALIASES.get(name) or (next(homes, ""), name)
    value = getattr(submodule(home), own) if home else submodule(name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
