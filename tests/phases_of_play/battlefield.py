"""How a fight stands in a position of Phases of Play, worked out in plain Python."""

from fractions import Fraction

from tests.phases_of_play.simulator import apart, meets
from tests.reasons import Plain, View, plain

Square = tuple[int, int]
CLASSES = ("none", "half", "full")
ANSWERS = ("parting_shot", "pursuit_attack")


# -- who is there, and with how many actions -------------------------------------------------------


def people(view: View) -> tuple[str, ...]:
    return view.names("combatant")


def on_field(view: View, who: Plain) -> bool:
    return bool(view("at", who) != "none") if who in people(view) else False


def able(view: View, who: Plain) -> bool:
    return on_field(view, who) and view("vitality", who) > 0


def foes(view: View, one: str, other: str) -> bool:
    return bool(view("side", one) != view("side", other))


def rate(view: View, who: str) -> Fraction:
    return Fraction(view("actions", who), view("per", who))


def slow(view: View, who: str) -> bool:
    return rate(view, who) < 1


def allowed(view: View, who: str) -> int:
    """How many actions one has in this segment."""
    now = view("segment")
    if slow(view, who):
        return 1
    before, after = (int(n * rate(view, who)) for n in (now - 1, now))
    return after - before


def committed(view: View, who: str) -> list[tuple[str, Plain]]:
    """What one is bound to: deeds, and what they are aimed at."""
    pairs = (("declared", "target"), ("secret", "secret_target"))
    return [(view(d, who), view(t, who)) for d, t in pairs if view(d, who) != "none"]


def busy(view: View, who: str) -> bool:
    """Still at what was declared earlier, while others declare."""
    unsettled = view("settled", who) == "no"
    return bool(committed(view, who)) and unsettled and view("phase") == "declaration"


def concluded(view: View, who: str) -> bool:
    waits = slow(view, who) and view("units", who) < view("per", who)
    return bool(committed(view, who)) and not waits


def line(view: View) -> list[str]:
    """Who still waits for a turn in this phase, the next one first."""
    phase, number = view("phase"), view("pass")
    if phase == "roster":
        return []
    found = []
    for who in people(view):
        if not able(view, who) or view("initiative", who) == "none":
            continue
        declares = number == 1 or (allowed(view, who) >= number and not slow(view, who))
        takes_part = declares if phase == "declaration" else concluded(view, who)
        if takes_part and view("had_turn", who) == "no":
            found.append(who)
    return sorted(found, key=lambda who: _rank(view, who))


def _rank(view: View, who: str) -> tuple[Plain, ...]:
    surprises = view("segment") == 1 and view("surpriser") == who
    return not surprises, -view("initiative", who), -rate(view, who), view("seat", who), who


def turn(view: View) -> str:
    """Who has the turn in this phase, if anybody."""
    return next(iter(line(view)), "")


def declares(view: View, who: str) -> bool:
    return view("phase") == "declaration" and turn(view) == who


def resolves(view: View, who: str) -> bool:
    return view("phase") == "resolution" and turn(view) == who


# -- where -----------------------------------------------------------------------------------------


def square(name: Plain) -> Square:
    return ord(str(name)[0]) - ord("a"), int(str(name)[1:])


def board(view: View) -> dict[Square, bool]:
    """The squares, each with whether it is wall."""
    drawn = view.position.board
    assert drawn is not None
    return {
        square(plain(place)): "wall" in map(plain, labels) for place, labels in drawn.labels.items()
    }


def solid(view: View) -> set[Square]:
    """Walls, obstacles and shut gates."""
    in_way = {kind for (kind,) in view.facts("in_way")}
    things = {
        square(where)
        for (thing,), where in view.every("lies").items()
        if view("kind", thing) in in_way or view("shut", thing) == "yes"
    }
    return things | {place for place, wall in board(view).items() if wall}


def taken(view: View) -> set[Square]:
    return solid(view) | {square(view("at", who)) for who in people(view) if on_field(view, who)}


def near(view: View, one: str, other: str) -> bool:
    there = on_field(view, one) and on_field(view, other) and one != other
    return there and apart(square(view("at", one)), square(view("at", other))) <= 1


def blocked(view: View, one: Square, other: Square) -> bool:
    """Does something, or a body that stands, block the straight line?"""
    bodies = {
        square(view("at", who))
        for who in people(view)
        if able(view, who) and view("posture", who) == "upright"
    }
    return any(meets(one, other, each) for each in solid(view) | bodies)


def distances(view: View, start: Square) -> dict[Square, int]:
    """How many steps there are to each square that one can get to."""
    closed, places, walls = taken(view), board(view), solid(view)
    found, layer = {start: 0}, [start]
    while layer:
        further = []
        for x, y in layer:
            for step in ((x + i, y + j) for i in (-1, 0, 1) for j in (-1, 0, 1)):
                squeezed = {(x, step[1]), (step[0], y)} <= walls  # pha_move_12, by default
                if step in places and not squeezed and step not in closed and step not in found:
                    found[step] = found[x, y] + 1
                    further.append(step)
        layer = further
    return found


# -- moving ----------------------------------------------------------------------------------------


def stowed(view: View, thing: Plain) -> bool:
    """Neither little nor ready to hand."""
    return bool(view("keeping", thing) == "pack" or view("bulky", thing) == "yes")


def takes_long(view: View, who: str) -> bool:
    """Does one take something out that is no small action?"""
    return any(deed == "pouch_item" and stowed(view, thing) for deed, thing in committed(view, who))


def movement_class(view: View, who: str) -> str:
    ruled = view("class", who)
    if ruled != "as_action":
        return str(ruled)
    classes: dict[Plain, Plain] = dict(view.facts("deed"))
    found = [CLASSES.index(classes[deed]) for deed, _ in committed(view, who)]
    return CLASSES[min([*found, 1 if takes_long(view, who) else 2])]


def limit(view: View, who: str) -> int:
    """How far what one does lets one go in a pass."""
    whole: int = view("movement", who)
    return {"none": 0, "half": whole // 2, "full": whole}[movement_class(view, who)]


def way(view: View, who: str, goal: Plain) -> int | None:
    """The length of the shortest way, where there is one."""
    return distances(view, square(view("at", who))).get(square(goal))


def may_move(view: View, who: str) -> bool:
    return declares(view, who) and (view("settled", who) == "yes" or busy(view, who))


# -- resolving -------------------------------------------------------------------------------------


def barred(view: View, who: str, leaver: str) -> bool:
    """Has another answered, or is one cut off from the leaver, or hindered?"""
    others = (by for (left, by) in view.every("taken") if left == leaver)
    cut_off = view("covered", leaver, who) == 1 or view("hindered", who) == "yes"
    return cut_off or any(by != who for by in others)


def possible(view: View, who: str, deed: str, aim: Plain) -> bool:
    """Is what a deed with a test needs so now?"""
    if not able(view, aim):
        return False
    left = bool(view("left", aim, who) != "none")
    armed = bool(view("weapon", who) == "drawn")
    if deed == "cast_spell" or deed == "shoot":
        clear = not blocked(view, square(view("at", who)), square(view("at", aim)))
        return clear and (armed or deed == "cast_spell")
    if deed == "throw_obstacle":
        return any(
            view("kind", thing) == "obstacle"
            and view("fixed", thing) == "no"
            and apart(square(where), square(view("at", who))) <= 1
            and apart(square(where), square(view("at", aim))) <= 1
            for (thing,), where in view.every("lies").items()
        )
    if deed in ANSWERS and view("hindered", who) == "yes":
        return False
    if deed == "parting_shot":
        return armed and left
    parting = deed == "attack" and left and not barred(view, who, aim)
    return armed and (near(view, who, aim) or parting)


def tests(view: View, who: str) -> list[tuple[str, Plain]]:
    """Of what one is bound to, that which dice decide, if it can be done."""
    return [(deed, aim) for deed, aim in committed(view, who) if (deed,) in view.facts("tested")]


def can_be_done(view: View, who: str) -> bool:
    return all(possible(view, who, deed, aim) for deed, aim in tests(view, who))
