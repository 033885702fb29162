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

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__: str

# Where each public name lives; what is not used is not imported.
_HOMES = {
    "Adjudication": "verdicts",
    "Case": "case",
    "Position": "position",
    "Record": "record",
    "Ruleset": "ruleset",
    "Term": "terms",
    "PymorphError": "errors",
    "InputError": "errors",
    "UnknownName": "errors",
    "IllFormed": "errors",
    "RulesetError": "errors",
    "IllegalAction": "errors",
    "Unsettled": "errors",
    "OutOfTime": "errors",
    "adjudicate": "queries",
    "apply": "queries",
    "as_seen_by": "queries",
    "check": "queries",
    "check_of": "queries",
    "count": "queries",
    "forecast": "queries",
    "legal": "queries",
    "legal_actions": "queries",
    "legal_actions_of": "queries",
    "legal_of": "queries",
    "plan": "queries",
    "replay": "queries",
    "odds": "queries",
    "rolls_due": "queries",
    "seeded": "queries",
    "successors_of": "queries",
    "why": "queries",
    "within": "limits",
}

# Those that are called otherwise where they live.
_ALIASES = {
    "load_ruleset": ("ruleset", "load"),
    "load_rulings": ("house", "load"),
    "__version__": ("limits", "VERSION"),
}

if TYPE_CHECKING:
    from pymorph.case import Case
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
    from pymorph.house import load as load_rulings
    from pymorph.limits import within
    from pymorph.position import Position
    from pymorph.queries import (
        adjudicate,
        apply,
        as_seen_by,
        check,
        check_of,
        count,
        forecast,
        legal,
        legal_actions,
        legal_actions_of,
        legal_of,
        odds,
        plan,
        replay,
        rolls_due,
        seeded,
        successors_of,
        why,
    )
    from pymorph.record import Record
    from pymorph.ruleset import Ruleset
    from pymorph.ruleset import load as load_ruleset
    from pymorph.terms import Term
    from pymorph.verdicts import Adjudication

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
    "Term",
    "UnknownName",
    "Unsettled",
    "adjudicate",
    "apply",
    "as_seen_by",
    "check",
    "check_of",
    "count",
    "forecast",
    "legal",
    "legal_actions",
    "legal_actions_of",
    "legal_of",
    "load_ruleset",
    "load_rulings",
    "odds",
    "plan",
    "replay",
    "rolls_due",
    "seeded",
    "successors_of",
    "why",
    "within",
]


def __getattr__(name: str) -> Any:
    home, own = _ALIASES.get(name) or (_HOMES.get(name, ""), name)
    if not home:
        raise AttributeError(f"module 'pymorph' has no attribute {name!r}")
    found = getattr(import_module(f"pymorph.{home}"), own)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
