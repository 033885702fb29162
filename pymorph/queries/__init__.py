"""The questions, each a function from positions to an answer."""

from pymorph.queries.adjudicating import adjudicate
from pymorph.queries.chance import Dice, rolls_due, seeded
from pymorph.queries.changing import apply, play_through
from pymorph.queries.checking import as_seen_by, check, check_of, require_well_formed
from pymorph.queries.counting import count
from pymorph.queries.figures import forecast
from pymorph.queries.growing import successors_of
from pymorph.queries.legality import (
    Verdict,
    actors,
    judge_all,
    judged,
    legal,
    legal_actions,
    legal_actions_of,
    legal_of,
    typed_actions,
)
from pymorph.queries.naming import action_of
from pymorph.queries.planning import USUAL, bound_of, periods, plan
from pymorph.queries.reasons import why
from pymorph.queries.replaying import end_of, replay, written_down
from pymorph.queries.rolling import odds

__all__ = [
    "USUAL",
    "Dice",
    "Verdict",
    "action_of",
    "actors",
    "adjudicate",
    "apply",
    "as_seen_by",
    "bound_of",
    "check",
    "check_of",
    "count",
    "end_of",
    "forecast",
    "judge_all",
    "judged",
    "legal",
    "legal_actions",
    "legal_actions_of",
    "legal_of",
    "odds",
    "periods",
    "plan",
    "play_through",
    "replay",
    "require_well_formed",
    "rolls_due",
    "seeded",
    "successors_of",
    "typed_actions",
    "why",
    "written_down",
]
