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
    "Adjudication": "queries.verdicts",
    "Case": "queries.case",
    "Position": "state.position",
    "Record": "state.record",
    "Ruleset": "ruleset.loader",
    "Session": "queries.session",
    "Term": "terms",
    "PymorphError": "errors",
    "InputError": "errors",
    "UnknownName": "errors",
    "IllFormed": "errors",
    "RulesetError": "errors",
    "IllegalAction": "errors",
    "Unsettled": "errors",
    "OutOfTime": "errors",
    "adjudicate": "queries.adjudication",
    "apply": "queries.application",
    "as_seen_by": "queries.consistency",
    "check": "queries.consistency",
    "check_of": "queries.consistency",
    "compiled": "queries.compiled_table",
    "count": "queries.counting",
    "forecast": "queries.figures",
    "legal": "queries.legality",
    "legal_actions": "queries.legality",
    "legal_actions_of": "queries.legality",
    "legal_of": "queries.legal",
    "plan": "queries.planning",
    "replay": "queries.replay",
    "odds": "queries.odds",
    "outcome": "queries.endings",
    "rolls_due": "queries.chance",
    "seeded": "queries.chance",
    "simulate": "queries.simulation",
    "successors_of": "queries.transitions",
    "why": "queries.explanation",
    "why_event": "queries.happenings",
    "why_event_in": "queries.happenings",
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
    from pymorph.queries.adjudication import adjudicate
    from pymorph.queries.application import apply
    from pymorph.queries.case import Case
    from pymorph.queries.chance import rolls_due, seeded
    from pymorph.queries.compiled_table import compiled
    from pymorph.queries.consistency import as_seen_by, check, check_of
    from pymorph.queries.counting import count
    from pymorph.queries.endings import outcome
    from pymorph.queries.explanation import why
    from pymorph.queries.figures import forecast
    from pymorph.queries.happenings import why_event, why_event_in
    from pymorph.queries.legal import legal_of
    from pymorph.queries.legality import legal, legal_actions, legal_actions_of
    from pymorph.queries.odds import odds
    from pymorph.queries.planning import plan
    from pymorph.queries.replay import replay
    from pymorph.queries.session import Session
    from pymorph.queries.simulation import simulate
    from pymorph.queries.transitions import successors_of
    from pymorph.queries.verdicts import Adjudication
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
    "compiled",
    "count",
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
    found = getattr(import_module(f"pymorph.{home}"), own)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
