"""What the rules of Phases of Play say, as reasons against an action, in plain Python.

The sentences are those of the default readings.
"""

from tests.phases_of_play.battlefield import (
    ANSWERS,
    able,
    allowed,
    busy,
    can_be_done,
    committed,
    concluded,
    declares,
    distances,
    foes,
    limit,
    line,
    may_move,
    movement_class,
    near,
    on_field,
    people,
    resolves,
    slow,
    square,
    stowed,
    taken,
    takes_long,
    tests,
    turn,
    way,
)
from tests.phases_of_play.simulator import apart
from tests.reasons import Arguments, Plain, Sentences, View

TRUE = Sentences()
says = TRUE.says
PUTS = ("announce", "note")
PARTIALS = ("rise", "drop", "turn")
WALKS = ("move", *PARTIALS)
OWN = (*PUTS, "retract", "confirm", "abandon", "along", *WALKS, "end_turn")


# -- the roster ------------------------------------------------------------------------------------


@says("pha_init_03")
def rolled_at_the_start(view: View, action: str, arguments: Arguments) -> bool:
    """Initiative in a segment under way, or a segment without anybody's."""
    if action == "initiative":
        return bool(view("phase") != "roster")
    lacking = [each for each in people(view) if view("initiative", each) == "none"]
    return view("phase") == "roster" and any(able(view, each) for each in lacking)


@says("pha_init_04")
def has_one_already(view: View, action: str, arguments: Arguments) -> bool:
    return action == "initiative" and view("initiative", arguments[1]) != "none"


@says("pha_init_05")
def surprise_too_late(view: View, action: str, arguments: Arguments) -> bool:
    """Surprise after the first turn; or who had that turn wants another at its own number."""
    if action in OWN:
        begun = view("surpriser") == arguments[0] and view("had_turn", arguments[0]) == "yes"
        return begun and view("segment") == 1 and view("phase") == "declaration"
    return action == "surprise" and view("segment") == 1 and view("phase") != "roster"


@says("pha_init_06")
def surprise_is_past(view: View, action: str, arguments: Arguments) -> bool:
    return action == "surprise" and view("segment") > 1


@says("pha_init_09")
def not_there_or_not_able(view: View, action: str, arguments: Arguments) -> bool:
    named = action in ("initiative", "surprise", "set_rate", "set_movement", "set_class")
    who = arguments[1] if named else arguments[0]
    ruled = action.startswith("set_")
    return not (on_field(view, who) if ruled else able(view, who))


@says("pha_init_10")
def newcomer(view: View, action: str, arguments: Arguments) -> bool:
    """Somebody who is there already does not arrive; and who has just arrived, waits."""
    if action == "enter":
        return on_field(view, arguments[1])
    under_way = view("phase") != "roster"
    return under_way and able(view, arguments[0]) and view("initiative", arguments[0]) == "none"


# -- Declaration -----------------------------------------------------------------------------------


@says("pha_decl_01")
def out_of_turn(view: View, action: str, arguments: Arguments) -> bool:
    return action in OWN and not declares(view, arguments[0])


@says("pha_decl_02")
def never_learned(view: View, action: str, arguments: Arguments) -> bool:
    who, deed, _ = arguments
    return (deed,) in view.facts("taught") and view("learned", who, deed) != 1


@says("pha_decl_05")
def bound_already(view: View, action: str, arguments: Arguments) -> bool:
    if action == "aim":
        return bool(committed(view, arguments[0]))
    return declares(view, arguments[0]) and view("settled", arguments[0]) == "yes"


@says("pha_decl_06")
def nothing_or_not_confirmed(view: View, action: str, arguments: Arguments) -> bool:
    """Nothing to take back, to confirm or to give up; or one moves with it unconfirmed."""
    who = arguments[0]
    said = view("announced", who) != "none" or view("noted", who) != "none"
    if action == "abandon":
        return not busy(view, who)
    return not said if action in ("retract", "confirm") else said and view("settled", who) == "no"


@says("pha_decl_07")
def no_such_aim(view: View, action: str, arguments: Arguments) -> bool:
    """What it is aimed at is not of its kind, or not there; or the target is another one."""
    who = arguments[0]
    if action == "aim":
        return view.reading("what_is_fixed") == "kind_and_target"
    deed, aim = arguments[1:]
    kinds: dict[Plain, Plain] = dict(view.facts("aimed"))
    kind = kinds[deed]
    if kind == "combatant":
        return aim == who or aim not in people(view) or not on_field(view, aim)
    if kind == "nobody":
        return bool(aim != "nothing")
    wanted = "lever" if deed == "pull_lever" else "item"
    return aim not in view.names("object") or view("kind", aim) != wanted


@says("pha_decl_08", "pha_cov_02")
def all_would_see(view: View, action: str, arguments: Arguments) -> bool:
    who, deed, _ = arguments
    hides = view("stealth", who) == "yes" or view("subterfuge", who) == "yes"
    return action == "note" and (deed,) not in view.facts("covert") and not hides


@says("pha_decl_10")
def second_action(view: View, action: str, arguments: Arguments) -> bool:
    who = arguments[0]
    if action == "confirm":
        covert = [(view(said, who),) in view.facts("covert") for said in ("announced", "noted")]
        return all(covert)
    return view("settled", who) == "yes" and bool(committed(view, who))


@says("pha_decl_11")
def still_at_it(view: View, action: str, arguments: Arguments) -> bool:
    return action in PUTS and busy(view, arguments[0])


@says("pha_slow_08")
def not_given_up(view: View, action: str, arguments: Arguments) -> bool:
    """What takes several segments."""
    who = arguments[0]
    return busy(view, who) or (bool(committed(view, who)) and slow(view, who))


@says("pha_roa_03")
def no_action_in_this_pass(view: View, action: str, arguments: Arguments) -> bool:
    return bool(allowed(view, arguments[0]) < view("pass"))


@says("pha_roa_05")
def not_used_in_its_pass(view: View, action: str, arguments: Arguments) -> bool:
    unused = view("unused", arguments[0]) == "yes"
    return unused or not_claimed_in_its_pass(view, action, arguments)


@says("pha_roa_06")
def not_claimed_in_its_pass(view: View, action: str, arguments: Arguments) -> bool:
    return bool(view("forfeited", arguments[0]) > 0)


@says("pha_slow_05")
def slow_and_not_done(view: View, action: str, arguments: Arguments) -> bool:
    who = arguments[0]
    return slow(view, who) and bool(committed(view, who)) and not concluded(view, who)


# -- movement --------------------------------------------------------------------------------------


@says("pha_move_01")
def not_declared_yet(view: View, action: str, arguments: Arguments) -> bool:
    who = arguments[0]
    waits = view("settled", who) == "no" and not committed(view, who)
    return action in WALKS and declares(view, who) and waits


@says("pha_move_03")
def beyond_the_maximum(view: View, action: str, arguments: Arguments) -> bool:
    if action == "set_movement":
        return bool(arguments[2] < view("moved", arguments[1]))
    who, goal = arguments
    length = way(view, who, goal)
    return length is not None and view("moved", who) + length > view("movement", who)


@says("pha_move_08")
def saved_up(view: View, action: str, arguments: Arguments) -> bool:
    return view("segment") > 1 and beyond_the_maximum(view, action, arguments)


@says("pha_move_05")
def beyond_the_class(view: View, action: str, arguments: Arguments) -> bool:
    """Farther than the action lets one go; or there is no action to be ruled on."""
    if action == "set_class":
        return not committed(view, arguments[1])
    who, goal = arguments
    length = way(view, who, goal)
    too_far = length is not None and view("moved_in_pass", who) + length > limit(view, who)
    return too_far and movement_class(view, who) != "full"


@says("pha_small_04")
def takes_a_while(view: View, action: str, arguments: Arguments) -> bool:
    """What is taken out is not little, or not ready to hand."""
    if action == "along":
        return stowed(view, arguments[2])
    return takes_long(view, arguments[0]) and beyond_the_class(view, action, arguments)


@says("pha_move_07")
def somebody_came_there(view: View, action: str, arguments: Arguments) -> bool:
    who, goal = arguments
    others = [each for each in people(view) if each != who and view("at", each) == goal]
    return any(view("moved_in_pass", each) > 0 for each in others)


@says("pha_move_10")
def while_actions_are_resolved(view: View, action: str, arguments: Arguments) -> bool:
    return action in WALKS and view("phase") == "resolution"


@says("pha_move_12")
def no_way_there(view: View, action: str, arguments: Arguments) -> bool:
    """The square is taken, or there is no way to it."""
    goal = arguments[-1]
    if action == "enter":
        return square(goal) in taken(view)
    return square(goal) in taken(view) or way(view, arguments[0], goal) is None


@says("pha_icpt_02")
def the_turn_to_move_is_over(view: View, action: str, arguments: Arguments) -> bool:
    return bool(view("phase") == "declaration" and view("had_turn", arguments[0]) == "yes")


@says("pha_small_01")
def not_small(view: View, action: str, arguments: Arguments) -> bool:
    return action == "along" and (arguments[1],) not in view.facts("small")


@says("pha_small_02")
def small_but_an_action(view: View, action: str, arguments: Arguments) -> bool:
    return action == "along" and (arguments[1],) in view.facts("small")


@says("pha_small_06")
def movement_is_over(view: View, action: str, arguments: Arguments) -> bool:
    return action == "move" and view("stage", arguments[0]) == "after"


@says("pha_small_07")
def joined_to_nothing(view: View, action: str, arguments: Arguments) -> bool:
    who = arguments[0]
    small = any((deed,) in view.facts("small") for deed, _ in committed(view, who))
    alone = movement_class(view, who) == "none" and (not small or takes_long(view, who))
    return action in PARTIALS and may_move(view, who) and alone


@says("pha_small_08")
def as_one_stands_or_lies(view: View, action: str, arguments: Arguments) -> bool:
    who = arguments[0]
    if action == "turn":
        return bool(view("facing", who) == arguments[1])
    return bool((view("posture", who) == "lying") == (action in ("move", "drop")))


@says("pha_small_09")
def done_at_this_end(view: View, action: str, arguments: Arguments) -> bool:
    who = arguments[0]
    end = "before" if view("stage", who) == "before" else "after"
    return action in PARTIALS and view("partial", who, action, end) == 1


# -- Resolution ------------------------------------------------------------------------------------


@says("pha_reso_01")
def not_all_have_declared(view: View, action: str, arguments: Arguments) -> bool:
    """It is no Resolution yet, or, before the clock goes on, somebody's turn is to come."""
    return bool(line(view)) if action == "proceed" else view("phase") != "resolution"


@says("pha_reso_02")
def others_are_first(view: View, action: str, arguments: Arguments) -> bool:
    """Somebody else is next; or it has been resolved already."""
    if view("phase") == "resolution" and view("had_turn", arguments[0]) == "yes":
        return True
    return resolves(view, turn(view)) and arguments[0] in line(view)[1:]


@says("pha_reso_03")
def nothing_concluded(view: View, action: str, arguments: Arguments) -> bool:
    return not concluded(view, arguments[0])


@says("pha_reso_04")
def dice_out_of_turn(view: View, action: str, arguments: Arguments) -> bool:
    return arguments[1] != "plain" and not resolves(view, arguments[0])


@says("pha_reso_06")
def cannot_be_done_now(view: View, action: str, arguments: Arguments) -> bool:
    return arguments[1] != "plain" and not can_be_done(view, arguments[0])


@says("pha_reso_08")
def felled(view: View, action: str, arguments: Arguments) -> bool:
    return not able(view, arguments[0])


@says("pha_reso_10")
def dice_or_none(view: View, action: str, arguments: Arguments) -> bool:
    """Dice where there is no test, or none where there is one; or nobody can be felled by it."""
    who, outcome = arguments
    decided = tests(view, who)
    if outcome == "plain":
        return bool(decided) and can_be_done(view, who)
    harms = {deed for deed, effect in view.facts("brings") if effect == "harm"}
    return not decided or (outcome == "felling" and not any(deed in harms for deed, _ in decided))


@says("pha_reso_07")
def spent_all_the_same(view: View, action: str, arguments: Arguments) -> bool:
    return action == "substitute" and view.reading("impossible_action") == "fails_and_spent"


# -- breaking off, interception, the end -----------------------------------------------------------


def _melee(view: View, who: str) -> list[str]:
    return [
        each
        for each in people(view)
        if able(view, each) and near(view, who, each) and foes(view, who, each)
    ]


@says("pha_brk_02")
def no_way_out(view: View, action: str, arguments: Arguments) -> bool:
    who = arguments[0]
    left, hunters = view("movement", who) - view("moved", who), _melee(view, who)
    ends = [end for end, far in distances(view, square(view("at", who))).items() if far <= left]
    caught = [any(apart(end, square(view("at", foe))) <= 1 for foe in hunters) for end in ends]
    return arguments[1] == "dash" and bool(hunters) and all(caught)


@says("pha_brk_03")
def no_chance_for_it(view: View, action: str, arguments: Arguments) -> bool:
    """Nobody has left one's reach, or another answers that, or nobody is about to be let go."""
    who = arguments[0]
    if action == "let_go":
        return bool(view("swing", who) == "none")
    deed, leaver = ("", arguments[1]) if action == "swing" else arguments[1:]
    if action in PUTS and deed not in ANSWERS:
        return False
    others = [by for (left, by) in view.every("taken") if left == leaver and by != who]
    return view("left", leaver, who) == "none" or bool(others)


@says("pha_brk_04")
def it_costs_the_action(view: View, action: str, arguments: Arguments) -> bool:
    """A free swing there is not; nor a chance for one who has no action for it, now or later."""
    to_come = view("phase") == "declaration" and arguments[0] in line(view)
    free = to_come and not committed(view, arguments[0])
    return action == "swing" or not free or slow(view, arguments[0])


@says("pha_brk_05")
def time_of_the_shot(view: View, action: str, arguments: Arguments) -> bool:
    return action == "swing" and view("phase") != "declaration"


@says("pha_brk_07")
def covered(view: View, action: str, arguments: Arguments) -> bool:
    return bool(view("covered", arguments[-1], arguments[0]) == 1)


@says("pha_brk_08")
def thrown_over(view: View, action: str, arguments: Arguments) -> bool:
    return bool(view("hindered", arguments[0]) == "yes")


def _flee(view: View, side: str) -> bool:
    able_ones = [who for who in people(view) if able(view, who) and view("side", who) == side]
    return bool(able_ones) and all(view("broken_off", who) == "yes" for who in able_ones)


@says("pha_brk_09")
def nobody_to_pursue(view: View, action: str, arguments: Arguments) -> bool:
    """Nobody flees from that side, or it is decided so already."""
    _, side, choice = arguments
    other = "foes" if side == "heroes" else "heroes"
    there = any(on_field(view, who) and view("side", who) == side for who in people(view))
    return not there or not _flee(view, other) or view("pursues", side) == choice


@says("pha_brk_11", "pha_icpt_04")
def no_test_decides_it(view: View, action: str, arguments: Arguments) -> bool:
    return action in ("break_away", "contest")


@says("pha_icpt_07")
def nobody_knows_of_it(view: View, action: str, arguments: Arguments) -> bool:
    other = arguments[1]
    return bool(view("secret", other) != "none" and view("declared", other) == "none")


@says("pha_end_04")
def achieved_already(view: View, action: str, arguments: Arguments) -> bool:
    return action == "objective" and view("objective") == "yes"


@says("pha_end_05")
def has_not_broken_off(view: View, action: str, arguments: Arguments) -> bool:
    """It is no time for it, a foe is in reach, one goes for a foe, or it is so already."""
    who = arguments[0]
    aims = [aim for _, aim in committed(view, who) if aim in people(view)]
    held = _melee(view, who) or any(foes(view, who, aim) for aim in aims)
    now = declares(view, who) and view("settled", who) == "yes"
    return not now or bool(held) or view("broken_off", who) == "yes"
