"""The predicates that the core and every ruleset share: who defines them, and who reads them."""

from __future__ import annotations

from collections.abc import Mapping

from pymorph.asp.facts import EVERYBODY, EVERYWHERE, Signature, parse_signatures

Roles = tuple[str, ...]  # what each argument of a word is; "_" if no check needs that


def roles_of(text: str) -> dict[Signature, Roles]:
    """The words that a text lists: ``legal(action,situation)`` or, without roles, ``legal/2``."""
    words: dict[Signature, Roles] = {}
    for word in text.split():
        name, _, arguments = word.removesuffix(")").partition("(")
        name, _, arity = name.partition("/")
        roles = tuple(arguments.split(",")) if arguments else ("_",) * int(arity)
        words[name, len(roles)] = roles
    return words


def places_of(role: str) -> dict[Signature, int]:
    """The words with an argument of a *role*, each with the place of the first one."""
    return {word: roles.index(role) for word, roles in ROLES.items() if role in roles}


# The contract of this version. A ruleset states its own as contract(N); without, it is the first,
# that of 0.4.0.
FIRST, PRESENT_CONTRACT = 1, 3
# The words of later contracts, which are not reserved for rulesets of an earlier one.
SINCE: Mapping[Signature, int] = {
    ("contract", 1): 2, ("wins", 3): 2, ("drawn", 2): 2, ("score", 4): 2, ("claims_outcome", 3): 2,
    ("because", 3): 2, ("instead", 3): 2, ("in_order", 1): 2, ("left_open", 1): 2,
    ("occurred", 2): 2, ("clock", 1): 2, ("clock", 2): 2, ("described", 3): 3,
    ("glyph", 2): 3, ("colour", 2): 3, ("located", 3): 3,
}  # fmt: skip
AFTER: Signature = ("after", 2)  # a term in the place of a situation, not a predicate
# The words that were removed, each with what to write instead.
REMOVED: Mapping[Signature, str] = {
    ("well_founded", 2): "give the predicate a number N up to a bound, and let 'not' read N - 1",
    ("undefined", 1): "write a rule of your own that says what neither holds nor fails",
    AFTER: "write a predicate of S that says what A leads to, such as leaves_king(A, S)",
}
# Facts that are given with each question.
GIVEN = roles_of(
    """
    on_table/1 left_open/1 situation(situation) present(_,situation) holds(fluent,value,situation)
    asked(action,situation) does(action,situation,transition) ruled(_,_,situation) occurred/2
    excused/3 taken_out/1 wanted/2 wide/1 surveying/1 checking/1 claims_legal/3 claims_value/5
    claims_known/3 claims_outcome/3 sought(event,_) next(fluent,value,transition) threat_of/2
    area_of/2 route_of/2
    """
)
INPUTS: frozenset[Signature] = frozenset((*GIVEN, EVERYWHERE, EVERYBODY))
# What only the core or the loader derives.
DERIVED = roles_of(
    """
    conflict/3 listed/3 considered(action,situation) permitted(action,situation)
    legal(action,situation) to_act(_,situation) reason(_,situation,_) due(_,situation,_)
    reading(_,_,situation) total(figure,_,situation) actor(action,_) verdict/2 follows/3 awaits/2
    on_turn/2 accrued/4 top_frame/2 next_frame/2 at_rest/1 undrawn/4 in_deck/3 overdrawn/3
    exhausted/2 end_card/5 contest_kept/4 contest_most/3 contest_excess/3
    """
)
ENGINE: frozenset[Signature] = frozenset(DERIVED)
# The words of these that are the core's in every ruleset.
ALWAYS_CORE: frozenset[Signature] = parse_signatures(
    """
    situation/1 present/2 everywhere/1 everywhere/2 holds/3 asked/2 does/3 ruled/3 on_table/1
    considered/2 permitted/2 legal/2 to_act/2 reason/3 due/3 reading/3 total/3 conflict/3 actor/2
    """
)
# Those that a ruleset may use for itself, if it gives and reads them, and does not use the part of
# the core that they belong to; see `asp.program.owned`.
FREE = (ENGINE | INPUTS) - ALWAYS_CORE
# The words of the vocabulary that rules read, or that every ruleset has: never its own.
ESSENTIAL: frozenset[Signature] = parse_signatures(
    """
    ruleset/3 sort/2 member/2 heading/2 fluent/4 written/2 action/2 figure/5 finding/2 event/2
    named/2 table/2 ruler/2
    """
)
# What a ruleset may define.
DEFINED = roles_of(
    """
    item/3 list/2 proposed(action,situation,rule) forced(action,situation,rule)
    chance(action,number,number,situation,rule) about(action,_,_) forbidden(action,situation,rule)
    waits(action,situation,rule) required(action,situation,rule) required_one(action,situation,rule)
    accounts(_,transition,rule) unsettled(action,_,situation,rule) awaited(_,situation,rule)
    awaited_most(action,number,_,situation) over(situation,rule) wins(_,situation,rule)
    drawn(situation,rule) score(_,number,situation,rule)
    costs(action,fluent,_,number,situation,rule) weighs(_,action,situation,rule)
    unfolds(action,action,action,situation) sets(fluent,value,transition,rule)
    clears(fluent,transition,rule) adds(fluent,number,_,transition,rule)
    happens(event,transition,rule) halts(transition,rule) ends(transition,_,rule)
    lapses(fluent,_,situation,rule) entry(figure,_,number,_,rule) never(figure,_,rule)
    clock(fluent,situation) unknown(_,_,situation,rule) finding(_,_,situation,rule)
    ground(_,_,situation,rule) ill_formed(_,situation,rule)
    concealed(fluent,_,fluent,situation,rule) feigned(fluent,_,situation,rule)
    feigned(fluent,_,_,situation,rule) sees_for(_,_,situation) drawn(_,_,situation) rule/1 title/2
    says/2 source/3 status/2 document/2 question/1 option/2 default/2 asks/2 means/3 raises/2
    because/2 because/3 instead(action,action,situation) waived/2 policy/2
    inclined(_,action,number,situation,rule) later/5 section/2 accepted/5 property/1 meaning/2
    speaks/2 brings_to(action,_,_,_,situation,rule) threatened(_,_,situation,rule)
    enclosed(_,_,situation,rule) on_route(action,_,_,situation,rule)
    stopped_short(action,_,_,situation,rule) violated(_,_,_,rule) measure/3 ranked/3 rank_of_turn/2
    takes_part/3 turn_taken/2 rate/4 period/2 frame/2 most_frames/1 frame_fluent/2
    closes_frame(_,transition,rule) deck_of/3 deck_copies/3 hand_drawn/5 elsewhere/5 contends/3
    draw_item/5 score_item/5 reckoned/2 contest_with/4 contest_number/4 most_modifiers/1
    per_surplus/1 edge_step/1 cap_first/1 contest_rule/4
    """
)
CONTRACT: frozenset[Signature] = frozenset(DEFINED)
ROLES = {**GIVEN, **DERIVED, **DEFINED}
CATALOGUE: frozenset[str] = frozenset(
    name
    for name, _ in parse_signatures(
        """
        rule/1 title/2 says/2 source/3 document/2 asks/2 means/3 raises/2 because/2 waived/2
        section/2 accepted/5 property/1 meaning/2
        """
    )
)
