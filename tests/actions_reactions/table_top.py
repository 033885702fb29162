"""What lies on the table in a position of Actions and Reactions, worked out in plain Python."""

from typing import NamedTuple

from tests.reasons import Plain, View

ORDER = ("minor", "move", "standard")  # slots, the smallest first
ON_FOOT = ("walk", "run", "crawl")


class Event(NamedTuple):
    """What is announced and not yet done with, at some depth."""

    depth: int
    kind: str
    doer: str
    upon: str
    matter: str
    toward: str
    onto: int
    manner: str
    stage: str


def pending(view: View) -> list[Event]:
    """The events that are pending, the deepest last."""
    parts = ("event", "doer", "upon", "matter", "toward", "onto", "manner", "stage")
    depths = sorted(depth for (depth,) in view.every("event"))
    return [Event(depth, *(view(part, depth) for part in parts)) for depth in depths]


def top(view: View) -> Event | None:
    """The deepest of them."""
    return pending(view)[-1] if pending(view) else None


def window(view: View) -> str:
    """Which kind of reaction is asked for now: interrupt, response, or none."""
    event = top(view)
    if event is None:
        return ""
    return {"interrupts": "interrupt", "responses": "response"}.get(event.stage, "")


# -- who and where ---------------------------------------------------------------------------------


def able(view: View, who: str) -> bool:
    return bool(view("vitality", who) > 0)


def place(view: View, who: str) -> tuple[str, int]:
    return view("at", who), view("spot", who)


def enemies(view: View, one: str, other: str) -> bool:
    return bool(view("side", one) != view("side", other))


def in_reach(view: View, one: str, other: str) -> bool:
    """Melee range: the same spot of the same zone."""
    here, there = place(view, one), place(view, other)
    return one != other and (here == there or (_same_zone(view) and here[0] == there[0]))


def _same_zone(view: View) -> bool:
    return view.reading("melee_range") == "same_zone"


def spots(view: View, zone: str) -> range:
    return range(1, view("spots", zone) + 1)


def passages(view: View, zone: str, other: str) -> set[str]:
    """What the links from a zone to another ask for; a drop leads one way."""
    there, back = view("link", zone, other), view("link", other, zone)
    return ({there} | ({back} - {"drop"})) - {"none"}


def means(view: View, zone: str, other: str) -> set[str]:
    """The means by which one gets from a zone to another."""
    by = {"drop": {"walk", "run", "jump"}, "walk": {"walk", "run"}}
    found = set().union(*(by.get(each, {each}) for each in passages(view, zone, other)))
    if not found and zone != other and view.reading("zone_links") == "any_zone":
        found = {"walk", "run"}
    return found


def links(view: View, zone: str, other: str) -> int | None:
    """The fewest links that lead from a zone to another."""
    reached, number = {zone}, 0
    while other not in reached:
        further = {z for y in reached for z in view.names("zone") if passages(view, y, z)}
        if further <= reached:
            return None
        reached, number = reached | further, number + 1
    return number


def sees(view: View, one: str, other: str) -> bool:
    here, there = view("at", one), view("at", other)
    said = {view("view", here, there), view("view", there, here)}
    near = bool(passages(view, here, there) | passages(view, there, here))
    return one != other and (here == there or ("barred" not in said and (near or "clear" in said)))


def travels(view: View, who: str, by: str) -> bool:
    """Can one, as one is, get about so?"""
    prone = view("prone", who) == "yes"
    crawls = prone and view.reading("prone_travel") == "prone_may_crawl"
    upright = crawls if by == "crawl" else not prone
    return able(view, who) and not view("lacks", who, by) and upright


# -- what an action costs --------------------------------------------------------------------------


def deed_type(view: View, deed: str) -> str:
    """The type of a deed, be it on an object or with a weapon; none, where it has none."""
    if (said := view("classed", deed)) != "none":
        return str(said)
    facts = (*view.facts("deed"), *view.facts("handling"), *view.facts("arming"))
    found = dict(facts).get(deed, "none")
    return "none" if found == "unknown" else str(found)


def price(view: View, action: str, arguments: tuple[Plain, ...]) -> tuple[str, str]:
    """The slot that would pay for an action, and its type; empty, where it is none that is paid."""
    if action in ("go", "shift", "stand"):
        return arguments[1], "move"
    if action in ("attack", "push"):
        return arguments[1], dict(view.facts("power"))[arguments[2]]
    if action in ("act", "handle", "arm"):
        return arguments[1], deed_type(view, arguments[2])
    return (arguments[1], "minor") if action == "cast" else ("", "")


# -- reactions -------------------------------------------------------------------------------------


def kind_of(view: View, reaction: str) -> str:
    return str(dict(view.facts("reaction"))[reaction])


def brings(view: View, reaction: str) -> Plain:
    return dict(view.facts("brings"))[reaction]


def _melee(view: View, power: str) -> bool:
    return (power, "ranged") not in view.facts("reaches")


def leaves(view: View, who: str, mover: str, event: Event) -> bool:
    """Does the way of a mover lead out of somebody's melee range?"""
    there = (event.toward, event.onto)
    near = event.toward == view("at", who) if _same_zone(view) else there == place(view, who)
    return in_reach(view, who, mover) and not near


def of_pattern(view: View, who: str, pattern: str, event: Event) -> str:
    """By or for whom the event is one of the pattern, whatever the sides; empty, if it is none."""
    doer, upon, kind = event.doer, event.upon, event.kind
    if pattern == "leaves_reach":
        if kind == "pushed" and view.reading("leaving") == "any_displacement":
            return upon if leaves(view, who, upon, event) else ""
        return doer if kind == "moves" and leaves(view, who, doer, event) else ""
    if pattern == "about_to_fall":
        near = kind == "falls" and view("at", who) == view("at", doer)
        return doer if near else ""
    if pattern == "misses_me":
        told = _melee(view, event.matter) or view.reading("missed") == "any_attack"
        return doer if kind == "miss" and upon == who and told else ""
    if pattern == "would_hit_me":
        return who if kind == "hit" and upon == who else ""
    if pattern == "has_hit_ally":
        ally = kind == "hit" and upon != who and not enemies(view, upon, who)
        return doer if ally and in_reach(view, who, doer) else ""
    if pattern in ("has_hit_me", "attacks_me"):
        wanted = {"has_hit_me": "hit", "attacks_me": "attacks"}[pattern]
        return doer if kind == wanted and upon == who and _melee(view, event.matter) else ""
    if pattern == "cries_out":
        cry = kind == "deed" and (event.matter,) in view.facts("cry")
        return doer if cry and view.reading("free_trigger") == "may_trigger" else ""
    assert pattern == "casts_ward"
    ward = kind == "deed" and (event.matter,) in view.facts("ward")
    return doer if ward and sees(view, who, doer) else ""


def suits(view: View, who: str, pattern: str, other: str) -> bool:
    """Is the other on the side that the pattern is about?"""
    if pattern == "would_hit_me":
        return who == other
    return enemies(view, who, other) != (pattern == "about_to_fall")


def triggered(view: View, who: str, reaction: str) -> str:
    """By or for whom what is pending is the trigger of a reaction; empty, where it is none."""
    pattern = dict(view.facts("triggered"))[reaction]
    event = top(view)
    other = of_pattern(view, who, pattern, event) if event else ""
    return other if other and suits(view, who, pattern, other) else ""


def first_turn(view: View, who: str) -> Plain:
    """What is said of it, or else to come in the first round if its turn is not yet over."""
    early = view("round") == 1 and view("order", who) >= view("order", view("turn"))
    return view.every("first_turn").get((who,), "to_come" if early else "over")


def barred(view: View, who: str, reaction: str) -> bool:
    """May one not use it, whatever happens?"""
    kinds = [kind for (one, kind) in view.every("reacted") if one == who]
    if view.reading("reaction_limit") == "one_of_each":
        kinds = [kind for kind in kinds if kind == kind_of(view, reaction)]
    banned = ("to_come", "idle")[: 1 + (view.reading("ban_lifts") == "must_have_acted")]
    return bool(
        not view("learned", who, reaction)
        or not able(view, who)
        or first_turn(view, who) in banned
        or kinds
        or (view.reading("own_turn_trigger") == "all_own_turn" and view("turn") == who)
    )


def in_reaction(view: View) -> bool:
    """Is what is pending part of a reaction?"""
    return bool(view.every("reaction")) and view.reading("chain") == "whole_subtree"


def prevented(view: View) -> bool:
    """Can what is announced no longer happen, so that it will not?"""
    event = top(view)
    if event is None or view.reading("prevention") == "cannot_prevent":
        return False
    doer, upon, kind = event.doer, event.upon, event.kind
    if kind != "falls" and not able(view, doer):
        return True
    if kind == "moves":
        start = view("from", event.depth)
        here = view("at", doer)
        start = here if start == "none" else start
        way = start == event.toward or event.manner in means(view, start, event.toward)
        return not (travels(view, doer, event.manner) and here == start and way)
    if kind == "pushed":
        return view("from", event.depth) not in ("none", view("at", upon)) or not in_reach(
            view, doer, upon
        )
    if kind == "attacks":
        near = in_reach if _melee(view, event.matter) else sees
        return not (able(view, upon) and near(view, doer, upon))
    if kind == "hit":
        return not able(view, upon) or turned(view, event)
    return False


def turned(view: View, event: Event) -> bool:
    """Has a guard made a miss of a hit?"""
    guard = view("guard", event.depth)
    defence = view("defence", event.upon) + view("warded", event.upon) + guard
    return bool(guard and view("score", event.depth) < defence)


def blow_ahead(view: View) -> bool:
    """Is a blow that is pending still to be compared?"""
    event = top(view)
    charge = event and event.kind == "moves" and event.matter != "none"
    blow = event and event.kind in ("attacks", "hit") and event.stage == "interrupts"
    return bool(charge or blow)


def fall_ahead(view: View) -> bool:
    """Is what is pending a fall, or does it lead to one?"""
    event = top(view)
    if event is None or event.stage != "interrupts":
        return False
    mover = event.upon if event.kind == "pushed" else event.doer
    over = "drop" in passages(view, view("at", mover), event.toward)
    return event.kind == "falls" or (event.kind in ("moves", "pushed") and over)


def helps(view: View, who: str, reaction: str, other: str) -> bool:
    """Can a reaction still do to another what it does?"""
    effect = brings(view, reaction)
    if effect == "attack":
        return in_reach(view, who, other) and able(view, other)
    if effect == "sweep":
        edge = any("drop" in passages(view, view("at", other), z) for z in view.names("zone"))
        return in_reach(view, who, other) and edge
    if effect == "soft_fall":
        return fall_ahead(view)
    return blow_ahead(view) if effect[0] == "guard" else effect == "nothing"


def lands(view: View, who: str, reaction: str, zone: str, spot: int) -> bool:
    """Can a reaction take one there?"""
    here, at = place(view, who)
    if not travels(view, who, "walk") or spot not in spots(view, zone):
        return False
    if brings(view, reaction) == "step_aside":
        return zone == here and spot != at
    dropping = "drop" in passages(view, here, zone)
    way = brings(view, reaction) == "step_over" and "walk" in means(view, here, zone)
    return way and not dropping


def open_to(view: View, who: str) -> bool:
    """May anything still be answered, as far as the window goes?"""
    event = top(view)
    return bool(
        window(view)
        and event
        and view("answered", who, event.depth) == "none"
        and not in_reaction(view)
        and not (window(view) == "interrupt" and prevented(view))
    )


def can_react(view: View, who: str) -> bool:
    """Has one a reaction for what is pending?"""
    if not open_to(view, who):
        return False
    for reaction, kind in view.facts("reaction"):
        if kind != window(view) or barred(view, who, reaction):
            continue
        if not (other := triggered(view, who, reaction)):
            continue
        if brings(view, reaction) in ("step_aside", "step_over"):
            zones = view.names("zone")
            if any(lands(view, who, reaction, z, x) for z in zones for x in spots(view, z)):
                return True
        others = view.names("character") if brings(view, reaction) == "sweep" else (other,)
        if any(helps(view, who, reaction, each) for each in others):
            return True
    return False


def in_line(view: View) -> list[str]:
    """Everybody in turn order, beginning with the one due to act next."""
    order = sorted(view.names("character"), key=lambda who: int(view("order", who)))
    if view.reading("reactor_order") == "top_of_order_first":
        return order
    after = order.index(view("turn")) + 1
    return order[after:] + order[:after]
