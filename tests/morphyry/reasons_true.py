"""What the rules of Morphyry say, as reasons against an action, in plain Python.

A condition that the position meets is no reason: each function tells whether what its rules ask
for is wanting, or what they forbid is there. Here stand turns, Speed and cards.
"""

from tests.morphyry import reasons_of_things
from tests.morphyry.lying import (
    ATTRIBUTES,
    NONE,
    SPEED_ON_TICKS,
    TRUE,
    Arguments,
    alive,
    at_spot,
    beside,
    bluff_left,
    column,
    felled,
    is_bluff,
    is_default,
    is_technique,
    lies_at,
    moved,
    paid_off,
    says,
    source_of,
    ticks_left,
)
from tests.reasons import Plain, View

__all__ = ["TRUE", "reasons_of_things"]

# -- turns and phases

PHASES = {
    "invoke": ("invoke",),
    "next_phase": ("cards", "advance"),
    "deploy": ("cards", "advance"),
    "begin": ("cards", "advance"),
    "cover": ("cards", "advance"),
    "take_up": ("cards",),
    "play_attribute": ("cards",),
    "aim": ("invoke", "cards", "advance"),
    "wield": ("invoke", "cards", "advance"),
    **dict.fromkeys(SPEED_ON_TICKS, ("advance",)),
}


@says("mor_game_05")
def turn_of_another(view: View, action: str, arguments: Arguments) -> bool:
    return bool(view("turn") != arguments[0])


@says("mor_game_06")
def phase_of_something_else(view: View, action: str, arguments: Arguments) -> bool:
    """In fate and end nothing is chosen; what is chosen has its phase."""
    phase = view("phase")
    if action == "close":
        return phase != arguments[1] or phase not in ("fate", "end")
    return phase in ("fate", "end") or (action in PHASES and phase not in PHASES[action])


@says("mor_game_04")
def invoked_already(view: View, action: str, arguments: Arguments) -> bool:
    later = ("cards", "advance", "end")
    return action == "invoke" and view("turn") == arguments[0] and view("phase") in later


@says("mor_game_02")
def out_of_the_game(view: View, action: str, arguments: Arguments) -> bool:
    """The one who acts, or is to be felled, is dead, or there is but one left."""
    who = arguments[1] if action == "fell" else arguments[0]
    dead = who in view.names("character") and view("dead", who) == "yes"
    return dead or len(alive(view)) < 2


def at_deadline(view: View, who: Plain, spot: Plain) -> bool:
    """A bluff may be dealt with now, as its technique is enacted."""
    allowed = view.reading("bluff_deadline") == "swap_at_completion_allowed"
    mine = view("turn") == who and view("phase") == "advance"
    return allowed and mine and bluff_left(view, who, spot)


@says("mor_game_03")
def another_phase_than_cards(view: View, action: str, arguments: Arguments) -> bool:
    if action in ("exchange", "withdraw") and at_deadline(view, *arguments[:2]):
        return False
    kinds = ("utilise", "exchange", "withdraw", "lay", "wall")
    return action in kinds and view("phase") != "cards"


@says("mor_game_08")
def felled_or_not(view: View, action: str, arguments: Arguments) -> bool:
    """The one to be felled has pips left; or somebody else has to be, before anything."""
    if action == "fell":
        return not felled(view, arguments[1])
    return any(felled(view, who) for who in alive(view))


@says("mor_game_09")
def draw_due_or_not(view: View, action: str, arguments: Arguments) -> bool:
    """The pile of whose turn opens gives that card; or gives one, before anything."""
    who = view("turn")
    pile = {card: n for (whose, card), n in view.every("fate").items() if whose == who}
    due = view("phase") == "fate" and view("drawn", who) == "no" and who in alive(view)
    if action == "draw":
        return arguments[1] != who or not due or not pile.get(arguments[2])
    return due and bool(pile)


# -- advancing


@says("mor_tick_03")
def no_speed_or_nothing_to_move(view: View, action: str, arguments: Arguments) -> bool:
    who, place, number = arguments
    empty = action == "advance" and view("technique", who, place) == NONE
    return action in SPEED_ON_TICKS and (empty or view("speed_left", who) < number)


@says("mor_par_05")
def divided_speed(view: View, action: str, arguments: Arguments) -> bool:
    """Both techniques are out and there is less Speed; or there is nothing to divide it."""
    who, place, number = arguments
    main = view("technique", who, "main") != NONE
    others = {p for (c, p), _ in view.every("technique").items() if c == who and p != "main"}
    little = view("speed_left", who) < number
    if action == "share":
        return not main or place not in others or little
    return main and bool(others) and little


@says("mor_tick_07")
def past_the_last_tick(view: View, action: str, arguments: Arguments) -> bool:
    who, _, number = arguments
    return any(
        is_technique(view, view("technique", who, place))
        and number > (ticks_left(view, who, place) or 0)
        for place in moved(action, arguments)
    )


@says("mor_def_10")
def past_the_die(view: View, action: str, arguments: Arguments) -> bool:
    who, _, number = arguments
    return any(
        number > view("die", who, place)
        and (is_default(view, view("technique", who, place)) or action == "ready")
        for place in moved(action, arguments)
    )


@says("mor_tick_08")
def early_payoff(view: View, action: str, arguments: Arguments) -> bool:
    return paid_off(view, arguments[0], arguments[1])


@says("mor_int_09")
def counting_off(view: View, action: str, arguments: Arguments) -> bool:
    """Readies are counted off in the place; or, for counting them off, none are."""
    who = arguments[0]
    if action == "ready":
        return bool(view("crossing", who, arguments[1]) == NONE)
    return any(view("crossing", who, place) != NONE for place in moved(action, arguments))


@says("mor_par_06")
def no_points_to_share(view: View, action: str, arguments: Arguments) -> bool:
    who, _, number = arguments
    return bool(number > view("sharing", who) - view("shared", who))


# -- cards and where they lie


@says("mor_tick_13")
def lies_elsewhere(view: View, action: str, arguments: Arguments) -> bool:
    source, card, place = source_of(action, arguments)
    if source == "announced" or is_default(view, card):
        return False
    return not lies_at(view, arguments[0], source, card, place)


@says("mor_plan_01")
def one_is_out(view: View, action: str, arguments: Arguments) -> bool:
    return bool(view("technique", arguments[0], arguments[1]) != NONE)


@says("mor_def_02")
def place_taken(view: View, action: str, arguments: Arguments) -> bool:
    """A Default Action finds the place taken; or it has taken the place itself."""
    out = view("technique", arguments[0], arguments[1])
    return bool(out != NONE) if action == "begin" else is_default(view, out)


@says("mor_plan_04")
def no_ready_yet(view: View, action: str, arguments: Arguments) -> bool:
    who, place, source, card = arguments
    from_hand = source == "hand" or view.reading("side_cards") == "deployable"
    at_once = beside(place) and view.reading("parallel_ready") == "free_deploy"
    readied = view("prepared", who, place) in ("ready", "inertia_ready")
    return from_hand and not is_bluff(view, card) and not at_once and not readied


@says("mor_int_19")
def readied_for_another(view: View, action: str, arguments: Arguments) -> bool:
    who, place, _, card = arguments
    return not is_bluff(view, card) and view("prepared", who, place) == "inertia_ready"


@says("mor_plan_08")
def no_alternate_ready_yet(view: View, action: str, arguments: Arguments) -> bool:
    who, place, attribute, card = arguments
    serving = ["alternate_ready"]
    if view.reading("ready_for_alternate") == "ready_serves_too":
        serving.append("ready")
    fit = view("prepared", who, place) in serving
    return attribute in ATTRIBUTES and not is_bluff(view, card) and not fit


@says("mor_plan_06")
def not_directly_after(view: View, action: str, arguments: Arguments) -> bool:
    who, place, _, card = arguments
    asked = view.reading("plan_after_default") == "only_directly_after"
    return asked and not is_bluff(view, card) and view("default_since", who, place) == "yes"


@says("mor_plan_19")
def in_another_phase_than_cards(view: View, action: str, arguments: Arguments) -> bool:
    return view.reading("deploy_from_hand") == "phase_3_only" and view("phase") != "cards"


@says("mor_plan_09")
def unhurt(view: View, action: str, arguments: Arguments) -> bool:
    asked = view.reading("alternate_trigger") == "only_after_damage"
    return asked and not view("lost", arguments[0], arguments[2])


@says("mor_plan_14")
def bluff_never_begins(view: View, action: str, arguments: Arguments) -> bool:
    """What is deployed is no technique; or it would lie over a technique that is enacted."""
    if action == "exchange":
        who, place, card = arguments
        return is_bluff(view, card) and view("technique", who, place) == NONE
    return is_bluff(view, arguments[3])


@says("mor_plan_15")
def bluff_to_be_dealt_with(view: View, action: str, arguments: Arguments) -> bool:
    return bluff_left(view, arguments[0], arguments[1])


@says("mor_plan_23")
def from_the_side(view: View, action: str, arguments: Arguments) -> bool:
    return arguments[2] == "side" and view.reading("side_cards") == "cover_only"


@says("mor_plan_02")
def nothing_to_cover(view: View, action: str, arguments: Arguments) -> bool:
    return action == "cover" and view("technique", arguments[0], arguments[1]) == NONE


@says("mor_plan_18")
def over_a_die(view: View, action: str, arguments: Arguments) -> bool:
    """A die takes no cover; or, as it may be read, has cleared the plan that is taken up."""
    if action != "cover":
        cleared = view("default_since", arguments[0], arguments[1]) == "yes"
        plan = cleared and not is_bluff(view, arguments[3])
        return plan and view.reading("cover_on_die") == "none"
    return is_default(view, view("technique", arguments[0], arguments[1]))


@says("mor_plan_20")
def ticks_gone_by(view: View, action: str, arguments: Arguments) -> bool:
    out = view("technique", arguments[0], arguments[1])
    if is_default(view, out):
        whole = dict(view.facts("default_action"))[out]
        return bool(view("die", arguments[0], arguments[1]) < whole)
    return bool(view("ticks", arguments[0], arguments[1]) > 0)


@says("mor_plan_07")
def no_room_on_attribute(view: View, action: str, arguments: Arguments) -> bool:
    who, attribute = arguments[:2]
    taken = view("alternate", who, attribute) != NONE
    return taken or bool(view("attribute", who, attribute) == NONE)


@says("mor_plan_21")
def not_the_time_for_alternates(view: View, action: str, arguments: Arguments) -> bool:
    allowed = ["cards"]
    if view.reading("alternate_when") == "own_turn":
        allowed += ["invoke", "advance"]
    return view("phase") not in allowed


@says("mor_plan_10")
def no_change_of_plans(view: View, action: str, arguments: Arguments) -> bool:
    """A cover lies there already; or nothing does, it is not phase 3, or there is no Speed."""
    who, spot = arguments[:2]
    if action == "cover":
        return bool(view("cover", who, spot) != NONE)
    untimely = view("phase") != "cards" and not at_deadline(view, who, spot)
    poor = action == "exchange" and view("speed_left", who) < 1
    return untimely or poor or at_spot(view, who, spot) == NONE


@says("mor_plan_11")
def not_merely_taken_back(view: View, action: str, arguments: Arguments) -> bool:
    who, spot = arguments
    technique = is_technique(view, at_spot(view, who, spot))
    kept = technique and view.reading("cover_withdrawal") == "exchange_only"
    return kept or bool(view("speed_left", who) < 1)


@says("mor_plan_12")
def enacted_before(view: View, action: str, arguments: Arguments) -> bool:
    who, spot = arguments[:2]
    return at_spot(view, who, spot) != NONE and view("cover_face", who, spot) == "up"


@says("mor_art_02")
def second_card(view: View, action: str, arguments: Arguments) -> bool:
    """A card of the three kinds came into play from the hand, and this is one as well, or, as it
    may be read, a cover."""
    source, card, _ = source_of(action, arguments)
    if action in ("cover", "exchange", "prepare"):
        covers = view.reading("one_card") == "also_counts_covering_cards"
        return covers and source == "hand" and view("played", arguments[0]) != NONE
    kinds = ("technique", "artifact", "attribute_card")
    counted = card == "hidden" or any(card in column(view, kind) for kind in kinds)
    return source == "hand" and counted and view("played", arguments[0]) != NONE
