"""What the rules of Actions and Reactions say, as reasons against an action, in plain Python."""

from tests.actions_reactions.table_top import (
    ON_FOOT,
    ORDER,
    able,
    brings,
    can_react,
    deed_type,
    first_turn,
    helps,
    in_line,
    in_reach,
    in_reaction,
    kind_of,
    lands,
    leaves,
    links,
    means,
    of_pattern,
    passages,
    pending,
    place,
    prevented,
    price,
    sees,
    spots,
    suits,
    top,
    travels,
    triggered,
    window,
)
from tests.reasons import Arguments, Sentence, Sentences, View

TRUE = Sentences()
says = TRUE.says


def _size(slot: str) -> int:
    return ORDER.index(slot) if slot in ORDER else -1


# -- what a turn holds -----------------------------------------------------------------------------


@says("act_econ_01")
def slot_is_spent(view: View, action: str, arguments: Arguments) -> bool:
    slot, _ = price(view, action, arguments)
    return slot in ORDER and view("spent", arguments[0], slot) != "none"


@says("act_econ_04")
def slot_out_of_turn(view: View, action: str, arguments: Arguments) -> bool:
    slot, _ = price(view, action, arguments)
    own = slot in ORDER or action in ("trade", "go_on")
    return own and view("turn") != arguments[0]


@says("act_econ_07")
def deed_without_type(view: View, action: str, arguments: Arguments) -> bool:
    return action == "act" and deed_type(view, arguments[2]) == "none"


@says("act_econ_08")
def no_slot_for_it(view: View, action: str, arguments: Arguments) -> bool:
    slot, kind = price(view, action, arguments)
    return slot == "free" and kind in ORDER


@says("act_econ_10")
def slots_have_lapsed(view: View, action: str, arguments: Arguments) -> bool:
    """Somebody whose turn is over, and who had one."""
    slot, _ = price(view, action, arguments)
    had_one = first_turn(view, arguments[0]) != "to_come"
    return slot in ORDER and view("turn") != arguments[0] and had_one


@says("act_econ_12")
def another_action_is_not_over(view: View, action: str, arguments: Arguments) -> bool:
    """The same combatant's; or there is nothing that was broken off."""
    who, events = arguments[0], pending(view)
    # What is pending is of an action of whoever has the turn, save where another cries out.
    aside = bool(events) and events[0].kind == "deed" and events[0].doer != view("turn")
    held = bool(events) and view("turn") == who and not aside
    if action == "go_on":
        whole = view.reading("pausing") == "atomic"
        return held or whole or not any(one == who for one, _ in view.every("under_way"))
    return held and (action == "trade" or price(view, action, arguments)[0] in ORDER)


@says("act_econ_14")
def cannot_be_done(view: View, action: str, arguments: Arguments) -> bool:
    who = arguments[0]
    if action == "pass":
        return able(view, view("turn")) or bool(pending(view))
    if action not in ("roll", "harm", "proceed") and not able(view, who):
        return price(view, action, arguments)[0] != "free"
    if action in ("shift", "go_on"):
        return bool(arguments[-1] == view("spot", who)) and _zone(view, action, arguments) == (
            view("at", who)
        )
    if action in ("attack", "push"):
        stays = action == "push" and place(view, arguments[3]) == arguments[4:]
        return stays or not _strikes(view, action, arguments)
    if action == "go":
        return bool(arguments[3] == view("at", who))
    if action == "stand":
        return view("prone", who) != "yes"
    if action == "act":
        state = {"drop_prone": "prone", "draw_arrow": "arrow"}.get(arguments[2])
        return state is not None and view(state, who) == "yes"
    if action == "handle":
        return not _works(view, who, *arguments[2:])
    if action == "arm":
        return not _arms(view, who, *arguments[2:])
    if action == "cast":
        return not _aimed(view, who, *arguments[2:])
    if action == "react":
        return not helps(view, who, *arguments[1:])
    return action == "step" and not lands(view, who, *arguments[1:])


def _strikes(view: View, action: str, arguments: Arguments) -> bool:
    """Is the target there for the power, which is used so?"""
    who, _, power, other = arguments[:4]
    shove = (power, "shove") in view.facts("works_by")
    if shove != (action == "push") or not able(view, other) or who == other:
        return False
    reach = dict(view.facts("reaches"))[power]
    if reach == "melee":
        return in_reach(view, who, other)
    if reach == "ranged":
        return sees(view, who, other) and _shoots(view, who)
    here, there = place(view, who), place(view, other)
    ways = passages(view, here[0], there[0])
    way = here[0] == there[0] or ("run" in means(view, here[0], there[0]) and "drop" not in ways)
    return here != there and way and travels(view, who, "run")


def _shoots(view: View, who: str) -> bool:
    for weapon, reach in view.facts("weapon"):
        ready = (weapon,) not in view.facts("arrows") or view("arrow", who) == "yes"
        if reach == "ranged" and view("weapon", who, weapon) == "drawn" and ready:
            return True
    return False


def _works(view: View, who: str, deed: str, thing: str) -> bool:
    """Is the object here, and as the deed wants it?"""
    state = view("object", view("at", who), thing)
    kind = dict(view.facts("object"))[thing]
    return any((deed, kind, state) == row[:3] for row in view.facts("works"))


def _arms(view: View, who: str, deed: str, weapon: str) -> bool:
    """Is the weapon as the deed wants it, and here, if it was dropped?"""
    state = view("weapon", who, weapon)
    here = state != "dropped" or view("lies", who, weapon) == view("at", who)
    return here and any((deed, state) == row[:2] for row in view.facts("arms"))


def _aimed(view: View, who: str, reaction: str, other: str) -> bool:
    """Can a reaction, used in advance, do something for another, or to it?"""
    effect = brings(view, reaction)
    if effect == "attack":
        return in_reach(view, who, other) and able(view, other)
    if effect == "soft_fall":
        friend = not enemies_of(view, who, other) and view("at", who) == view("at", other)
        return who == other or friend
    return effect[0] == "guard" and who == other


def enemies_of(view: View, who: str, other: str) -> bool:
    return bool(view("side", who) != view("side", other))


@says("act_econ_15")
def turn_of_another(view: View, action: str, arguments: Arguments) -> bool:
    return action == "end_turn" and view("turn") != arguments[0]


# -- trading ---------------------------------------------------------------------------------------


@says("act_trade_04")
def traded_upwards(view: View, action: str, arguments: Arguments) -> bool:
    slot, kind = arguments[1:3] if action == "trade" else price(view, action, arguments)
    return slot in ORDER and kind in ORDER and _size(slot) < _size(kind)


@says("act_trade_05")
def traded_away(view: View, action: str, arguments: Arguments) -> bool:
    slot, _ = price(view, action, arguments)
    return slot in ORDER and view("spent", arguments[0], slot) not in ("none", slot)


@says("act_trade_06")
def turn_pays_no_more(view: View, action: str, arguments: Arguments) -> bool:
    """One standard action, two with the moves, three in all."""
    slot, kind = price(view, action, arguments)
    if kind not in ORDER or slot not in ORDER:
        return False
    taken = [view("spent", arguments[0], each) for each in ORDER]
    sizes = [_size(each) for each in (*taken, kind) if each in ORDER]
    return any(sum(size >= 2 - n for size in sizes) > n + 1 for n in range(3))


@says("act_trade_07")
def traded_at_another_time(view: View, action: str, arguments: Arguments) -> bool:
    return action == "trade" and view.reading("trade_time") == "at_use"


@says("act_trade_08")
def slot_for_what_is_free(view: View, action: str, arguments: Arguments) -> bool:
    slot, kind = price(view, action, arguments)
    return slot in ORDER and kind == "free"


@says("act_trade_10")
def traded_out_of_turn(view: View, action: str, arguments: Arguments) -> bool:
    return action == "cast" and view("turn") != arguments[0]


@says("act_trade_12")
def makes_no_sense(view: View, action: str, arguments: Arguments) -> bool:
    who, reaction = arguments[0], arguments[2]
    marked = (reaction,) in view.facts("proactive")
    return action == "cast" and not marked and not view("sensible", who, reaction)


# -- moves -----------------------------------------------------------------------------------------


def _kind_and_means(view: View, action: str, arguments: Arguments) -> tuple[str, str]:
    if action in ("go", "shift"):
        return {"go": "move_between", "shift": "move_within"}[action], arguments[2]
    if action == "go_on" and arguments[2] != view("at", arguments[0]):
        return "move_between", arguments[1]
    if action == "act" and deed_type(view, arguments[2]) == "move":
        return arguments[2], "still"
    return ("stand", "still") if action == "stand" else ("", "")


def _such_moves(view: View, action: str, arguments: Arguments) -> list[str]:
    """The means of the moves of that kind in this turn."""
    kind, _ = _kind_and_means(view, action, arguments)
    moves = view.every("moved")
    return [by for (who, one, by) in moves if (who, one) == (arguments[0], kind)]


def _zone(view: View, action: str, arguments: Arguments) -> str:
    """The zone that a way leads to; in a shift it is the same."""
    return str(view("at", arguments[0]) if action == "shift" else arguments[-2])


@says("act_move_02")
def to_no_other_zone(view: View, action: str, arguments: Arguments) -> bool:
    return action == "go" and arguments[3] == view("at", arguments[0])


@says("act_move_03")
def by_other_means(view: View, action: str, arguments: Arguments) -> bool:
    _, by = _kind_and_means(view, action, arguments)
    return any(other != by for other in _such_moves(view, action, arguments))


@says("act_move_04", "act_move_05")
def moved_so_before(view: View, action: str, arguments: Arguments) -> bool:
    return bool(_such_moves(view, action, arguments))


@says("act_move_07")
def more_than_one_zone(view: View, action: str, arguments: Arguments) -> bool:
    """The zone is farther away, or a paused move has led out of one before."""
    if action == "go_on" and view("under_way", arguments[0], "move_between") != "none":
        return _zone(view, action, arguments) != view("at", arguments[0])
    number = links(view, view("at", arguments[0]), _zone(view, action, arguments))
    return action in ("go", "go_on") and number is not None and number > 1


@says("act_move_08")
def no_farther_by_running(view: View, action: str, arguments: Arguments) -> bool:
    by = arguments[1] if action == "go_on" else arguments[2]
    return more_than_one_zone(view, action, arguments) and by == "run"


@says("act_move_09")
def without_the_means(view: View, action: str, arguments: Arguments) -> bool:
    """One lacks it, or it is not what gets one there."""
    who = arguments[0]
    if action == "push":
        ways = means(view, view("at", arguments[3]), arguments[4])
        return bool(ways) and "walk" not in ways
    by = arguments[1] if action == "go_on" else arguments[2]
    if view("lacks", who, by):
        return True
    here, there = view("at", who), _zone(view, action, arguments)
    if here == there:
        return action in ("shift", "go_on") and by not in ON_FOOT
    return bool(means(view, here, there)) and by not in means(view, here, there)


@says("act_move_10")
def stands_up_first(view: View, action: str, arguments: Arguments) -> bool:
    """Whoever is prone; and nobody else stands up or crawls."""
    prone = view("prone", arguments[0]) == "yes"
    if action == "stand":
        return not prone
    by = arguments[1] if action == "go_on" else arguments[2]
    return action in ("go", "shift", "go_on") and (prone or by == "crawl")


@says("act_move_14")
def drops_out_of_turn(view: View, action: str, arguments: Arguments) -> bool:
    return arguments[2] == "drop_prone" and view("turn") != arguments[0]


@says("act_zone_03")
def zone_not_next_door(view: View, action: str, arguments: Arguments) -> bool:
    here = view("at", arguments[3] if action == "push" else arguments[0])
    return here != arguments[-2] and not passages(view, here, arguments[-2])


@says("act_zone_05")
def no_such_spot(view: View, action: str, arguments: Arguments) -> bool:
    return arguments[-1] not in spots(view, _zone(view, action, arguments))


# -- free actions ----------------------------------------------------------------------------------


@says("act_free_06")
def while_it_happens(view: View, action: str, arguments: Arguments) -> bool:
    free = price(view, action, arguments) == ("free", "free")
    event = top(view)
    return free and event is not None and event.stage in ("roll", "harm")


@says("act_free_08")
def free_but_not_able(view: View, action: str, arguments: Arguments) -> bool:
    return price(view, action, arguments) == ("free", "free") and not able(view, arguments[0])


# -- rolls, and the end ----------------------------------------------------------------------------


def _dice(stage: str, own: str) -> Sentence:
    def wait(view: View, action: str, arguments: Arguments) -> bool:
        """Its dice are to be rolled first; or there is nothing to roll for."""
        event = top(view)
        due = event is not None and event.stage == stage
        return due != (action == own)

    return wait


TRUE["act_data_01"] = _dice("roll", "roll")
TRUE["act_data_02"] = _dice("harm", "harm")


@says("act_data_04")
def nobody_is_able(view: View, action: str, arguments: Arguments) -> bool:
    return not any(able(view, who) for who in view.names("character"))


# -- reactions -------------------------------------------------------------------------------------


def _reaction(action: str, arguments: Arguments) -> str:
    """The reaction that somebody asks to use."""
    return {"react": 1, "step": 1, "cast": 2}.get(action, 0) and str(
        arguments[2 if action == "cast" else 1]
    )


def _fits(view: View, action: str, arguments: Arguments) -> bool:
    """Is what is pending the trigger, for the one that the reaction is meant for?"""
    who, reaction = arguments[:2]
    other = triggered(view, who, reaction)
    anybody = action == "step" or brings(view, reaction) == "sweep"
    return bool(other) and (anybody or other == arguments[2])


def _went_by(view: View, fluent: str, action: str, arguments: Arguments) -> bool:
    """Is it remembered that the trigger has come and gone, for the one that it is meant for?"""
    who, reaction = arguments[:2]
    other = view(fluent, who, dict(view.facts("triggered"))[reaction])
    anybody = action == "step" or brings(view, reaction) == "sweep"
    return other != "none" and (anybody or other == arguments[2])


@says("act_react_01")
def reaction_is_used(view: View, action: str, arguments: Arguments) -> bool:
    return any(who == arguments[0] for who, _ in view.every("reacted"))


@says("act_react_03")
def before_the_first_turn(view: View, action: str, arguments: Arguments) -> bool:
    return bool(first_turn(view, arguments[0]) != "over")


@says("act_react_04")
def not_learned(view: View, action: str, arguments: Arguments) -> bool:
    return not view("learned", arguments[0], _reaction(action, arguments))


@says("act_react_05")
def no_trigger(view: View, action: str, arguments: Arguments) -> bool:
    """Nothing matches that is pending, nor what has just gone by."""
    gone = any(_went_by(view, f, action, arguments) for f in ("shielded", "gone_by"))
    return not _fits(view, action, arguments) and not gone


@says("act_react_07")
def nothing_to_decline(view: View, action: str, arguments: Arguments) -> bool:
    return action == "decline" and not can_react(view, arguments[0])


@says("act_react_08")
def too_late(view: View, action: str, arguments: Arguments) -> bool:
    """No window is open, or one has declined, or it was the window of something before."""
    declined = any(view("answered", arguments[0], e.depth) == "declined" for e in pending(view))
    gone = action in ("react", "step") and _went_by(view, "gone_by", action, arguments)
    return not window(view) or declined or gone


@says("act_react_09")
def window_of_the_other_kind(view: View, action: str, arguments: Arguments) -> bool:
    kind = kind_of(view, _reaction(action, arguments))
    return window(view) not in ("", kind)


@says("act_react_10")
def used_one_of_the_other_kind(view: View, action: str, arguments: Arguments) -> bool:
    kind = kind_of(view, _reaction(action, arguments))
    return any(who == arguments[0] and used != kind for who, used in view.every("reacted"))


@says("act_react_13")
def reactor_not_able(view: View, action: str, arguments: Arguments) -> bool:
    return not able(view, arguments[0])


@says("act_react_15")
def reacted_to_it_before(view: View, action: str, arguments: Arguments) -> bool:
    return any(view("answered", arguments[0], event.depth) == "used" for event in pending(view))


@says("act_react_19", "act_react_20", "act_react_21")
def not_what_it_answers(view: View, action: str, arguments: Arguments) -> bool:
    return no_trigger(view, action, arguments)


@says("act_casc_01", "act_casc_02", "act_casc_06")
def part_of_a_reaction(view: View, action: str, arguments: Arguments) -> bool:
    gone = action in ("react", "step") and _went_by(view, "shielded", action, arguments)
    return in_reaction(view) or gone


@says("act_zone_04")
def out_of_reach(view: View, action: str, arguments: Arguments) -> bool:
    other = arguments[3] if action in ("attack", "push") else arguments[2]
    return not in_reach(view, arguments[0], other)


@says("act_zone_06")
def does_not_leave(view: View, action: str, arguments: Arguments) -> bool:
    event = top(view)
    mover = arguments[2]
    moves = event is not None and event.kind == "moves" and event.doer == mover
    return moves and event is not None and not leaves(view, arguments[0], mover, event)


@says("act_zone_07")
def out_of_sight(view: View, action: str, arguments: Arguments) -> bool:
    other = arguments[3] if action == "attack" else arguments[2]
    return not sees(view, arguments[0], other)


@says("act_zone_08")
def on_the_wrong_side(view: View, action: str, arguments: Arguments) -> bool:
    who, reaction = arguments[:2]
    pattern = dict(view.facts("triggered"))[reaction]
    event = top(view)
    other = of_pattern(view, who, pattern, event) if event else ""
    return other == arguments[2] and not suits(view, who, pattern, other)


# -- the order of things ---------------------------------------------------------------------------


@says("act_casc_03")
def answers_an_outer_event(view: View, action: str, arguments: Arguments) -> bool:
    """Its trigger is pending around what is under way now, in the window of its kind."""
    pattern = dict(view.facts("triggered"))[arguments[1]]
    kind = {"interrupt": "interrupts", "response": "responses"}[kind_of(view, arguments[1])]
    return any(
        event.stage == kind
        and (other := of_pattern(view, arguments[0], pattern, event))
        and suits(view, arguments[0], pattern, other)
        for event in pending(view)[:-1]
    )


@says("act_intr_04", "act_resp_04")
def another_is_asked_first(view: View, action: str, arguments: Arguments) -> bool:
    if action in ("react", "step") and answers_an_outer_event(view, action, arguments):
        return True
    line = in_line(view)
    return any(can_react(view, who) for who in line[: line.index(arguments[0])])


@says("act_intr_05")
def no_event_any_more(view: View, action: str, arguments: Arguments) -> bool:
    return window(view) == "interrupt" and prevented(view)


@says("act_resp_03")
def to_be_answered_first(view: View, action: str, arguments: Arguments) -> bool:
    return action == "end_turn" and bool(pending(view)) and view("turn") == arguments[0]


@says("act_resp_05")
def nothing_left_to_answer(view: View, action: str, arguments: Arguments) -> bool:
    can = lands if action == "step" else helps
    return window(view) == "response" and not can(view, arguments[0], *arguments[1:])


@says("act_resp_06")
def not_its_place_in_order(view: View, action: str, arguments: Arguments) -> bool:
    """Something is pending; or, for its going on, nothing is, or somebody may still react."""
    if action != "proceed":
        return bool(pending(view))
    return not window(view) or any(can_react(view, who) for who in view.names("character"))
