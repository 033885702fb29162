"""Many games played by the rules, at random or by policies: how they go and how they end."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, NamedTuple

from clingo import Symbol

from pymorph.asp.compile import Uncompiled
from pymorph.errors import Fault, InputError
from pymorph.queries.application import apply
from pymorph.queries.carrying import Carrier, Leg
from pymorph.queries.encoding import record_json
from pymorph.queries.policies import Inclinations, Seats
from pymorph.queries.tally import Tally
from pymorph.queries.transitions import Expander
from pymorph.ruleset.loader import head
from pymorph.ruleset.vocabulary import HIDDEN
from pymorph.state.position import Position, of_position
from pymorph.terms import Term, brief, order
from pymorph.yamlio import Json

if TYPE_CHECKING:
    from pymorph.ruleset.loader import Ruleset

MOST = 1000  # actions of a game that does not end
TOGETHER = 200  # games that are played at once where the rules are not compiled
TOLD = 30  # events that are told one by one; if there are more, they are told by name
SURE = 1.96  # standard deviations on either side of what 95 of 100 samples show


class Share(NamedTuple):
    """In how many of so many games something was so."""

    what: str
    games: int
    of: int

    @property
    def interval(self) -> tuple[float, float]:
        """Between which shares the true one lies, with a confidence of 95 of 100 (Wilson)."""
        n, square = max(self.of, 1), SURE * SURE
        share = self.games / n
        middle = (share + square / (2 * n)) / (1 + square / n)
        reach = SURE / (1 + square / n) * sqrt(share * (1 - share) / n + square / (4 * n * n))
        return max(middle - reach, 0.0), min(middle + reach, 1.0)

    def json(self) -> Json:
        low, high = self.interval
        told = {"least": round(low, 4), "most": round(high, 4)}
        return {
            "what": self.what,
            "games": self.games,
            "share": self.games / max(self.of, 1),
            **told,
        }


class End(NamedTuple):
    """By which rule games were over, after an action of whom, and how many of them were."""

    rule: str
    after: str
    share: Share

    def json(self) -> Json:
        told = self.share.json()
        del told["what"]
        return {"rule": self.rule, "after": self.after, **told}


class ActionUse(NamedTuple):
    """How often an action of a name could be chosen, and was."""

    name: str
    offered: int
    taken: int


@brief
@dataclass(frozen=True, slots=True)
class Simulation:
    """So many games of a ruleset, at most *most* actions long, with the *seed* of their dice.

    *by* is who plays by which policy, nothing where all is random. *lengths* are how many of the
    *finished* games had so many actions; *over*
    by which rules and after whose action, *endings* what happened with the last action of those,
    *events* what happened in all games, one by one or, if these are many, by name. *choices* are
    how many actions could be chosen: on average, at least and at most. *never* has what is in the
    vocabulary, and was not seen. *why_not* says why the rules were not compiled, if they were not.
    """

    ruleset: Ruleset
    games: int
    seed: int
    most: int
    by: Mapping[str, str]
    compiled: bool
    why_not: str
    finished: int
    lengths: tuple[tuple[int, int], ...]
    over: tuple[End, ...]
    endings: tuple[Share, ...]
    events: tuple[Share, ...]
    actions: tuple[ActionUse, ...]
    choices: tuple[float, int, int]
    never: Mapping[str, tuple[str, ...]]

    @property
    def mean_length(self) -> float:
        return sum(n * games for n, games in self.lengths) / max(self.finished, 1)

    def json(self) -> Json:
        rows = [{"length": length, "games": games} for length, games in self.lengths]
        actions = [use._asdict() for use in self.actions]
        mean, least, most = self.choices
        choices = {"mean": round(mean, 3), "least": least, "most": most}
        more = {**head(self.ruleset), "lengths": rows, "actions": actions, "choices": choices}
        return record_json(self, "ruleset", **more)


Told = Callable[[int, int], None]


@of_position
def simulate(
    position: Position,
    games: int,
    *,
    seed: int = 0,
    most: int = MOST,
    by: str | Mapping[str, str] = "",
    told: Told | None = None,
) -> Simulation:
    """Play *games* from *position* and say how they went.

    Whoever has a policy in *by* (one for all, or by name) plays what it prefers, the others at
    random: each legal action with the same odds, each roll by its own. A game ends where nothing
    may be done, or is given up after *most* actions. One *seed* gives the same games each time.
    *told* is given how many games are over, and how many actions were carried out.
    Raises: UnknownName or InputError, if a policy or a number cannot be used.
    """
    if games < 1 or most < 1:
        raise InputError(Fault("a number of games, or of actions, is 1 or more"))
    seats = Seats(position, by) if by else None
    start = apply(seats.told() if seats else position).position
    tally, left = Tally(), games
    tell = told or (lambda *_: None)
    why_not = "somebody plays by a policy" if seats else ""
    if not why_not:
        try:
            from pymorph.queries.playouts import play_compiled

            play_compiled(start, games, seed, most, tally, tell)
            left = 0
        except Uncompiled as error:
            tally, why_not = Tally(), str(error)
    rng = random.Random(seed)
    while left:
        number = min(left, TOGETHER)
        play(start, number, rng, most, seats, tally, tell)
        left -= number
    named = {by: by} if isinstance(by, str) and by else dict(by) if by else {}
    return answer_of(position, tally, (games, seed, most), named, why_not)


def play(
    start: Position,
    games: int,
    rng: random.Random,
    most: int,
    seats: Seats | None,
    tally: Tally,
    told: Told,
) -> None:
    """Play some games side by side, positions grounded in batches."""
    veiled = HIDDEN in start.fluents.values()
    carrier = (Expander if veiled else Carrier)(start.ruleset)
    wishes = Inclinations(start.ruleset) if seats else None
    going = [start] * games
    seen: list[set[Symbol]] = [set() for _ in going]
    last: list[list[Symbol]] = [[] for _ in going]
    after = [""] * games  # whose the last action was
    names = list(range(games))
    for length in range(most + 1):
        alike = list(dict.fromkeys(going))
        prospects = dict(zip(alike, carrier.prospects(alike), strict=True))
        if wishes:
            wishes.look(alike)
        still, legs = [], []
        for name, position in zip(names, going, strict=True):
            actions, rolls, over = prospects[position]
            if not actions or length == most:
                if not actions:
                    tally.finished += 1
                    tally.lengths[length] += 1
                    tally.over.update((rule, after[name]) for rule in over)
                    tally.endings.update(set(last[name]))
                    tally.ending_kinds.update({event.name for event in last[name]})
                continue
            if rolls:
                outcomes = rolls[0].outcomes
                weights = [float(odds) for _, odds in outcomes]
                action = rng.choices([o.symbol for o, _ in outcomes], weights)[0]
            else:
                wanted = seats.wishes(wishes.of(position)) if seats and wishes else []
                preferred = [each for each in wanted if each in actions]
                action = preferred[0] if preferred else rng.choice(sorted(actions, key=order))
                tally.chosen_among([len(actions)])
                tally.offered.update({each.name for each in actions})
            tally.taken[action.name] += 1
            after[name] = Term(action).actor
            still.append(name)
            legs.append(Leg(position, (action,)))
        carrier.carry_on(legs)
        carrier.forget()
        for name, leg in zip(still, legs, strict=True):
            last[name] = [event.event.symbol for event in leg.events]
            seen[name].update(last[name])
        names, going = still, [leg.position for leg in legs]
        told(tally.games + games - len(names), tally.positions)
        if not names:
            break
    tally.games += games
    for each in seen:
        tally.events.update(each)
        tally.kinds.update({event.name for event in each})


def answer_of(
    position: Position,
    tally: Tally,
    asked: tuple[int, int, int],
    by: Mapping[str, str],
    why_not: str,
) -> Simulation:
    """What was seen, as an answer."""
    words = position.ruleset.vocabulary
    games, seed, most = asked
    uses = [ActionUse(name, tally.offered[name], tally.taken[name]) for name in words.actions]
    never = {
        "actions": tuple(use.name for use in uses if not use.taken),
        "events": tuple(sorted(set(words.events) - {event.name for event in tally.events})),
    }
    mean = tally.choices / max(tally.positions, 1)
    return Simulation(
        position.ruleset, games, seed, most, by, not why_not, why_not, tally.finished,
        tuple(sorted(tally.lengths.items())), ends(tally.over, tally.finished),
        shares(tally.endings, tally.ending_kinds, tally.finished),
        shares(tally.events, tally.kinds, games), tuple(use for use in uses if use.taken),
        (mean, tally.least, tally.widest), never,
    )  # fmt: skip


def ends(found: Mapping[tuple[str, str], int], games: int) -> tuple[End, ...]:
    """By which rules games were over, those of the most games first."""
    rows = sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))
    return tuple(End(rule, who, Share(rule, number, games)) for (rule, who), number in rows)


def shares(events: Mapping[Symbol, int], kinds: Mapping[str, int], games: int) -> tuple[Share, ...]:
    """In how many games each event happened, or each kind of them if they are many, the most
    frequent first."""
    if len(events) > TOLD:
        rows = sorted(kinds.items(), key=lambda pair: (-pair[1], pair[0]))
        return tuple(Share(name, number, games) for name, number in rows)
    ranked = sorted(events.items(), key=lambda pair: (-pair[1], order(pair[0])))
    return tuple(Share(str(Term(event)), number, games) for event, number in ranked)
