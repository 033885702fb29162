"""A referee that can be asked: the rules of a game as data, every answer with its rules.

    >>> import pymorph
    >>> position = pymorph.Position.load("my_game/positions/start.yaml")
    >>> [str(action) for action in pymorph.legal_actions(position)]
    ['take(anna, 1)', 'take(anna, 2)', 'take(anna, 3)']
    >>> [reason.rule.id for reason in pymorph.why(position, "take(anna, 5)").reasons]
    ['heap_02']
    >>> pymorph.apply(position, "take(anna, 2)", "take(bo, 3)").position.value("heap")
    Term('5')
    >>> pymorph.replay(pymorph.Record.load("my_game/records/first.yaml")).steps
    2

Positions are immutable, hashable values; every question is a function of one. What is raised has
one base, `PymorphError`. `within` puts a time limit on any question.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as typing has it, whose import takes longer than Ctrl-C may wait

__version__: str

# Where each public name lives; what is not used is not imported.
_HOMES = {
    "Adjudication": "adjudication.verdicts",
    "Case": "adjudication.case",
    "Position": "state.position",
    "Record": "state.record",
    "Ruleset": "ruleset.loader",
    "Session": "explore.execution.session",
    "Term": "terms",
    "PymorphError": "errors",
    "InputError": "errors",
    "UnknownName": "errors",
    "IllFormed": "errors",
    "RulesetError": "errors",
    "IllegalAction": "errors",
    "Unsettled": "errors",
    "OutOfTime": "errors",
    "adjudicate": "adjudication.adjudication",
    "apply": "explore.execution.application",
    "as_seen_by": "questions.consistency",
    "check": "questions.consistency",
    "check_of": "questions.consistency",
    "count": "explore.perft.counting",
    "dynamics_of": "dynamics.engine",
    "forecast": "questions.figures",
    "legal": "questions.legality",
    "legal_actions": "questions.legality",
    "legal_actions_of": "questions.legality",
    "legal_of": "dynamics.asking.legal",
    "plan": "explore.search.planning",
    "replay": "explore.execution.replay",
    "odds": "explore.sampling.odds",
    "outcome": "dynamics.asking.endings",
    "rolls_due": "dynamics.asking.chance",
    "seeded": "dynamics.asking.chance",
    "simulate": "explore.sampling.simulation",
    "successors_of": "dynamics.transitions",
    "why": "questions.explanation",
    "why_event": "explore.execution.event_explanation",
    "why_event_in": "explore.execution.event_explanation",
    "within": "runtime.processes",
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
    from pymorph.questions.consistency import as_seen_by, check, check_of
    from pymorph.questions.explanation import why
    from pymorph.questions.figures import forecast
    from pymorph.questions.legality import legal, legal_actions, legal_actions_of
    from pymorph.ruleset.loader import Ruleset
    from pymorph.ruleset.loader import load as load_ruleset
    from pymorph.runtime.processes import within
    from pymorph.state.position import Position
    from pymorph.state.record import Record
    from pymorph.state.rulings import load as load_rulings
    from pymorph.terms import Term

__all__ = [
    "Adjudication",
    "Case",
    "IllFormed",
    "IllegalAction",
    "InputError",
    "OutOfTime",
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
    "dynamics_of",
    "forecast",
    "legal",
    "legal_actions",
    "legal_actions_of",
    "legal_of",
    "load_ruleset",
    "load_rulings",
    "odds",
    "outcome",
    "plan",
    "replay",
    "rolls_due",
    "seeded",
    "simulate",
    "successors_of",
    "why",
    "why_event",
    "why_event_in",
    "within",
]


def __getattr__(name: str) -> Any:
    from importlib import import_module

    home, own = _ALIASES.get(name) or (_HOMES.get(name, ""), name)
    if not home:
        raise AttributeError(f"module 'pymorph' has no attribute {name!r}")
    value = getattr(import_module(f"pymorph.{home}"), own)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
