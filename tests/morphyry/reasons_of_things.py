"""What Morphyry says of places, things and the surface, as reasons against an action."""

from tests.morphyry.lying import (
    COMMENCING,
    NONE,
    Arguments,
    Surface,
    alive,
    beside,
    column,
    commenced,
    is_default,
    is_technique,
    lines,
    moved,
    of_card,
    paid_off,
    payoff_line,
    pips,
    says,
)
from tests.reasons import Plain, View

# -- the parallel place


@says("mor_par_01")
def not_marked(view: View, action: str, arguments: Arguments) -> bool:
    _, place, card = commenced(action, arguments)
    marked = card in column(view, "parallel")
    return beside(place) and is_technique(view, card) and not marked


@says("mor_par_02")
def real_power(view: View, action: str, arguments: Arguments) -> bool:
    _, place, card = commenced(action, arguments)
    ((real,),) = view.facts("real_power")
    strong = any(points >= real for _, points in of_card(view, "damage", card))
    return beside(place) and (card, "combat") in view.facts("technique") and strong


@says("mor_par_03")
def no_main_technique(view: View, action: str, arguments: Arguments) -> bool:
    return beside(arguments[1]) and view("technique", arguments[0], "main") == NONE


@says("mor_par_04")
def another_parallel_place(view: View, action: str, arguments: Arguments) -> bool:
    one = view.reading("parallel_number") == "at_most_one"
    return one and arguments[1] in ("parallel_2", "parallel_3")


@says("mor_par_11")
def default_beside(view: View, action: str, arguments: Arguments) -> bool:
    _, place, deed = commenced(action, arguments)
    preparing = deed in ("ready", "alternate_ready")
    return beside(place) and is_default(view, deed) and not preparing


# -- Default Actions


def is_penal(view: View, deed: Plain) -> bool:
    if view.reading("penalty_rows") == "last_one":
        return bool(deed == "fall")
    return deed in column(view, "penalty")


@says("mor_def_08")
def only_forced(view: View, action: str, arguments: Arguments) -> bool:
    return action in COMMENCING and is_penal(view, arguments[-1])


@says("mor_def_16")
def runs_through(view: View, action: str, arguments: Arguments) -> bool:
    """A penalty is done, or waits to be."""
    who = arguments[0]
    locked = view.reading("penalty_interruption") == "locked"
    down = locked and is_penal(view, view("technique", who, "main"))
    return down or bool(view("penalty", who) != NONE)


@says("mor_def_06")
def no_turn(view: View, action: str, arguments: Arguments) -> bool:
    deed = arguments[-1]
    facings = ["north", "north_east", "east", "south_east"]
    facings += ["south", "south_west", "west", "north_west"]
    facing = view("facing", arguments[0])
    if deed[0] != "turn" or facing == NONE:
        return False
    turn = (facings.index(deed[1]) - facings.index(facing)) % 8
    widest = {"any_angle": 4, "one_quarter": 2, "one_eighth": 1}[view.reading("turn_angle")]
    return turn == 0 or min(turn, 8 - turn) > widest


@says("mor_def_17")
def runs_to_its_end(view: View, action: str, arguments: Arguments) -> bool:
    kept = view.reading("default_interruption") == "not_interruptible"
    return kept and is_default(view, view("technique", arguments[0], arguments[1]))


@says("mor_state_01")
def forbidden_by_state(view: View, action: str, arguments: Arguments) -> bool:
    who, _, deed = commenced(action, arguments)
    names = {deed, *(act[1] for (act,) in of_card(view, "acts", deed))}
    return any(
        view("state", who, state) != NONE and barred in names
        for state, barred in view.facts("no_action")
    )


# -- interrupting


@says("mor_int_01")
def not_the_time_to_break_off(view: View, action: str, arguments: Arguments) -> bool:
    time = view.reading("interruption_time")
    mine = view("turn") == arguments[0]
    if time == "own_turn_before_speed":
        return not mine or view("phase") not in ("fate", "invoke")
    return time == "own_turn_any_time" and not mine


@says("mor_int_02")
def nothing_to_break_off(view: View, action: str, arguments: Arguments) -> bool:
    return action == "interrupt" and view("technique", arguments[0], arguments[1]) == NONE


@says("mor_int_17")
def from_nowhere(view: View, action: str, arguments: Arguments) -> bool:
    """A card is announced, or a Default Action taken from somewhere."""
    source, deed = arguments[2:]
    if view.reading("interruption_source") == "hand_only" and source != "hand":
        return True
    return (source == "announced") != is_default(view, deed)


@says("mor_int_08")
def no_reactions(view: View, action: str, arguments: Arguments) -> bool:
    who, place = arguments[:2]
    card = view("technique", who, place)
    ends = [0, *lines(view, card)]
    whole = view.reading("inertia_score") == "whole_card"
    entered = [n for n in range(1, len(ends)) if whole or ends[n - 1] < view("ticks", who, place)]
    calls = sum(act[3] for (act,) in of_card(view, "acts", card) if act[0] in entered)
    damage = sum(points for n, points in of_card(view, "damage", card) if n in entered)
    reactions = max(0, pips(view, who, "electra") - view("fatigue", who))
    return reactions == 0 and calls + damage > 0


# -- artifacts


def owed(view: View, who: Plain) -> list[Plain]:
    """The artifacts for which Readies are still to be done."""
    return [card for (whose, card), number in view.every("owed").items() if whose == who and number]


def suits(view: View, card: Plain, artifact: Plain) -> bool:
    """May the technique be done with it?"""
    kinds = {kind for (kind,) in of_card(view, "kind", artifact)}
    named = {row[0] for each in ("armed", "may_use") for row in of_card(view, each, card)}
    guard = card in column(view, "defence") and bool(kinds) and "armour" not in kinds
    return bool(kinds & named) or guard


def in_use(view: View, who: Plain) -> list[Plain]:
    return [card for (whose, card), number in view.every("utilised").items() if whose == who]


@says("mor_art_01")
def not_phase_3(view: View, action: str, arguments: Arguments) -> bool:
    return action == "utilise" and view("phase") != "cards"


@says("mor_art_09")
def in_play_already(view: View, action: str, arguments: Arguments) -> bool:
    who, card = arguments
    return bool(view("utilised", who, card)) or bool(view("dropped", who, card) != NONE)


@says("mor_art_07")
def readies_come_next(view: View, action: str, arguments: Arguments) -> bool:
    """Readies are owed, and this is none; but for one weapon that the technique draws itself.

    Where it is so read, what demands Readies is not put into use while a technique is out.
    """
    if action in ("utilise", "take_up"):
        free = view("technique", arguments[0], "main") == NONE
        return view.reading("utilise_when") == "only_when_no_technique" and not free
    if action in ("advance", "share"):
        return view.reading("utilise_when") == "must_interrupt_first" and bool(
            owed(view, arguments[0])
        )
    who, place, deed = commenced(action, arguments)
    waiting = owed(view, who)
    if deed in column(view, "draws"):
        drawn = [each for each in waiting if suits(view, deed, each)]
        waiting = [each for each in waiting if drawn != [each]]
    known = is_technique(view, deed) or is_default(view, deed)
    return not beside(place) and known and deed != "ready" and bool(waiting)


@says("mor_art_04")
def no_effect_yet(view: View, action: str, arguments: Arguments) -> bool:
    """An artifact lets nothing begin before its Readies; or the weapon is not ready."""
    who = arguments[0]
    if action == "wield":
        return arguments[2] in owed(view, who)
    _, place, deed = commenced(action, arguments)
    locked = [each for each in owed(view, who) if each in column(view, "locks")]
    if locked and not (deed == "ready" and not beside(place)):
        return True
    fit = [each for each in in_use(view, who) if suits(view, deed, each)]
    return bool(fit) and all(each in owed(view, who) for each in fit)


@says("mor_wpn_01")
def no_weapon(view: View, action: str, arguments: Arguments) -> bool:
    who, _, card = commenced(action, arguments)
    named = {kind for (kind,) in of_card(view, "armed", card)}
    kinds = {kind for each in in_use(view, who) for (kind,) in of_card(view, "kind", each)}
    return bool(named) and not named & kinds


def fitting(view: View, who: Plain, place: Plain) -> list[Plain]:
    """The artifacts that what is out can be done with: ready, or drawn by it."""
    card = view("technique", who, place)
    ready = [w for w in in_use(view, who) if suits(view, card, w)]
    return [w for w in ready if w not in owed(view, who) or card in column(view, "draws")]


@says("mor_wpn_14")
def no_choice_of_weapon(view: View, action: str, arguments: Arguments) -> bool:
    """No technique is out, it has paid off, this one does not fit it, or is no choice.

    Or, for going on, one has to be named before the pay-off that would come.
    """
    if action in ("advance", "share"):
        return any(unnamed(view, arguments[0], p, arguments[2]) for p in moved(action, arguments))
    who, place, artifact = arguments
    fit = fitting(view, who, place)
    done = not is_technique(view, view("technique", who, place)) or paid_off(view, who, place)
    return done or artifact not in fit or len(fit) < 2 or view("weapon", who, place) == artifact


def unnamed(view: View, who: Plain, place: Plain, number: int) -> bool:
    card = view("technique", who, place)
    if not is_technique(view, card) or paid_off(view, who, place):
        return False
    fit = fitting(view, who, place)
    due = view("ticks", who, place) + number >= payoff_line(view, card)
    return due and len(fit) > 1 and view("weapon", who, place) not in fit


@says("mor_break_10")
def not_lying_here(view: View, action: str, arguments: Arguments) -> bool:
    who, card = arguments
    where = view("dropped", who, card)
    here = view("at", who)
    return where == NONE or where != ("aside" if here == NONE else here)


@says("mor_break_01")
def breakage(view: View, action: str, arguments: Arguments) -> bool:
    """That artifact is not at risk; or one is, and is rolled for before anything."""
    if action == "roll_breakage":
        return not view("at_risk", *arguments[1:3])
    return any(view.every("at_risk").values())


@says("mor_call_01")
def calls(view: View, action: str, arguments: Arguments) -> bool:
    """No such call waits for a roll; or one does, and comes before anything."""
    rolled = view.reading("call_check") == "roll_d10"
    if action == "roll_call":
        return not rolled or not view("called", *arguments[1:3])
    return rolled and any(view.every("called").values())


@says("mor_break_06")
def holding_on(view: View, action: str, arguments: Arguments) -> bool:
    """Nobody has to hold on, or rolls for it; or somebody has to, before anything."""
    if action == "grip":
        rolled = view.reading("call_check") == "roll_d10"
        return rolled or not view("called", arguments[1], "hold")
    return any(number for (_, what), number in view.every("called").items() if what == "hold")


@says("mor_enc_10")
def not_so_much_to_heal(view: View, action: str, arguments: Arguments) -> bool:
    who, number = arguments
    ((whole,),) = view.facts("spirit_points")
    return number > view("fatigue", who) or number > whole - view("spirit_lost", who)


@says("mor_attr_01")
def one_of_a_kind(view: View, action: str, arguments: Arguments) -> bool:
    ((name, _),) = of_card(view, "attribute_card", arguments[1])
    return bool(view("attribute", arguments[0], name) != NONE)


@says("mor_attr_02")
def too_many_pips(view: View, action: str, arguments: Arguments) -> bool:
    who, card = arguments
    ((name, number),) = of_card(view, "attribute_card", card)
    ((most,),) = view.facts("printed_pips")
    others = [n for (c, each), n in view.every("attribute").items() if c == who and each != name]
    return bool(number + sum(others) > most)


# -- targets


@says("mor_rng_12")
def no_choice_of_target(view: View, action: str, arguments: Arguments) -> bool:
    """Nothing is to be aimed, or not at that one; or a target has to be named first."""
    who, place = arguments[:2]

    def attack(where: Plain) -> bool:
        return view("technique", who, where) in column(view, "band")

    several = len(alive(view)) > 2
    if action == "aim":
        whom = arguments[2]
        fixed = view.reading("target_choice") == "on_deploying" and view("ticks", who, place) > 0
        named = view("target", who, place)
        wrong = whom in (who, named) or whom not in alive(view)
        open_still = several and attack(place) and not paid_off(view, who, place)
        return wrong or not open_still or (fixed and named != NONE)
    early = view.reading("target_choice") == "on_deploying"

    def due(where: Plain) -> bool:
        line = payoff_line(view, view("technique", who, where))
        return early or bool(arguments[2] + view("ticks", who, where) >= line)

    waiting = [p for p in moved(action, arguments) if attack(p) and not paid_off(view, who, p)]
    return several and any(view("target", who, p) == NONE and due(p) for p in waiting)


# -- the surface


@says("mor_move_15")
def no_token(view: View, action: str, arguments: Arguments) -> bool:
    return NONE in (view("at", arguments[0]), view("facing", arguments[0]))


@says("mor_move_01")
def no_card_ahead(view: View, action: str, arguments: Arguments) -> bool:
    who = arguments[0]
    surface, here = Surface(view), view("at", who)
    if arguments[-1] != "move_up" or here == NONE:
        return False
    ahead = surface.ahead(here, view("facing", who))
    return ahead not in surface.card and frozenset((here, ahead)) not in surface.walls


@says("mor_move_04")
def no_turn_first(view: View, action: str, arguments: Arguments) -> bool:
    facing = view("facing", arguments[0])
    fresh = view("turned", arguments[0]) == "no" and view("halfway", arguments[0]) != facing
    return view.reading("diagonal_price") == "flat_17" and "_" in facing and fresh


@says("mor_rng_10")
def banned_here(view: View, action: str, arguments: Arguments) -> bool:
    who, _, card = commenced(action, arguments)
    if view("at", who) == NONE:
        return False
    here = Surface(view).card.get(view("at", who))
    acts = {act[1] for (act,) in of_card(view, "acts", card)}
    weapons = {kind for (kind,) in of_card(view, "armed", card)}
    banned = {kind for (kind,) in of_card(view, "bans_weapon", here)}
    by_action = any(name in acts for (name,) in of_card(view, "bans_action", here))
    by_weapon = bool(weapons & banned) and weapons <= banned
    return (card,) in of_card(view, "bans", here) or by_action or by_weapon


@says("mor_scn_02")
def one_laid_already(view: View, action: str, arguments: Arguments) -> bool:
    return bool(view("scenarios_laid") > 0)


@says("mor_scn_03")
def not_joined_to_any(view: View, action: str, arguments: Arguments) -> bool:
    who, _, place = arguments
    surface = Surface(view)
    others = [at for (whose,), at in view.every("at").items() if whose != who]
    near = place in surface.card or any(p in surface.card for p in surface.around(place))
    return place in others or not (near or place in surface.centre())


@says("mor_scn_05")
def beside_another_mark(view: View, action: str, arguments: Arguments) -> bool:
    card, place = arguments[1:3]
    surface = Surface(view)
    marks = dict(view.facts("lies"))
    asked = view.reading("inside_outside") == "inside_outside_need_matching_neighbours"
    if action == "wall":
        near = {place, surface.ahead(place, arguments[3])}
    else:
        near = {surface.ahead(place, side) for side in surface.steps if "_" not in side}
    shown = {marks[surface.card[each]] for each in near if each in surface.card}
    return asked and bool(shown - {marks[card]})


@says("mor_scn_06")
def covered_already(view: View, action: str, arguments: Arguments) -> bool:
    who, _, place = arguments
    return place in Surface(view).card and view("at", who) != place


@says("mor_scn_07")
def not_its_place(view: View, action: str, arguments: Arguments) -> bool:
    """A wall lies on the join of two positions, one with a card, and no other card does."""
    card = arguments[1]
    walling = (card, "wall") in view.facts("scenario")
    if action == "lay":
        return walling
    surface = Surface(view)
    place, facing = arguments[2:]
    other = surface.ahead(place, facing)
    if not walling or "_" in facing or other is None:
        return True
    bare = place not in surface.card and other not in surface.card
    return bare or frozenset((place, other)) in surface.walls
