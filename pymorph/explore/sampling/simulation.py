"""Many games played by the rules, at random or by policies: how they go and how they end."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import accumulate
from typing import Any, NamedTuple, TypeVar

from clingo import Symbol

from pymorph.answers import frozen, json_keys
from pymorph.asp.facts import Key
from pymorph.dynamics.engine import Engine, OpenScene
from pymorph.dynamics.results import left_out
from pymorph.errors import InputError
from pymorph.explore.execution.application import apply
from pymorph.explore.sampling import playouts
from pymorph.explore.sampling.game_statistics import GameStatistics, Pace
from pymorph.explore.sampling.policies import Players
from pymorph.explore.sampling.proportions import Mean, Share, mean_of
from pymorph.ruleset.catalogue import CHANGES
from pymorph.ruleset.loader import Ruleset
from pymorph.ruleset.vocabulary import HIDDEN
from pymorph.runtime.arguments import checked
from pymorph.state.position import Position
from pymorph.terms import Term, order

_K = TypeVar("_K", bound=Any)
MOST = 1000  # actions of a game that does not end
TOLD = 8  # events of a name that are told one by one; if there are more, that is told by name
# What comes about by a rule: with its rules, wherever something is hidden, or not.
ALWAYS: tuple[Key, ...] = (("happens", 3, None), ("over", 2, None))
BY_RULE: tuple[Key, ...] = (*ALWAYS, ("costs", 6, None), *((*each, None) for each in CHANGES))


@json_keys(spread=["share._rounded"])
class End(NamedTuple):
    """How games ended: the rule, who acted last, and in how many games. The rule is empty if no
    action was legal and no rule says that the game is over."""

    rule: str
    after: str
    share: Share


@json_keys(spread=["share._rounded"])
class OutcomeShare(NamedTuple):
    """In how many of the games that ended these *winners* won together, or the game was *drawn*. If
    neither is set, nobody won."""

    winners: tuple[str, ...]
    drawn: bool
    share: Share


@json_keys(
    paths={"games": "points.number", "mean": "points.mean", "spread": "points.spread"},
    without=["points"],
)
class Score(NamedTuple):
    """The points of a player: the mean over the games, and the standard deviation."""

    player: str
    points: Mean


@json_keys()
class ActionUse(NamedTuple):
    """How often an action of a name could be chosen, and how often it was."""

    name: str
    offered: int
    taken: int


@json_keys(spread=["share._rounded"])
class RuleUse(NamedTuple):
    """In how many steps a rule changed something or caused an event, and in how many games it did
    so or ended the game."""

    rule: str
    steps: int
    share: Share


@json_keys()
class Width(NamedTuple):
    """How many actions there were to choose from after a number of actions, in how many positions:
    the mean, and the range in the middle 80 % of them."""

    length: int
    positions: int
    mean: float
    low: int
    high: int


@json_keys(
    paths={"left_out": "_left_out", "choices": "_rounded_choices"},
    without=["endings_by_name", "events_by_name"],
    spread=["ruleset.edition"],
    parts={"choices": ("mean", "least", "most")},
    items={"lengths": ("length", "games")},
    optional=["partial"],
)
@frozen
class Simulation:
    """The results of a number of games, each at most *most* actions long, with the *seed* of their
    dice.

    *by* is who plays by which policy; it is empty if all play at random. *lengths* has how many of
    the *finished* games had how many actions. *outcomes* has who won in how many games, and
    *scores* the points. *over* has the rules that ended games and who acted last; *endings* has the
    events of the last action.

    *events* has what happened in all games: one by one, or by name if there are many of a name.
    *endings_by_name* and *events_by_name* have all of them by name. *choices* is the number of
    actions to choose from: mean, minimum and maximum; *widths* has the same by the number of
    actions before. *rules* are the rules that had an effect. *never* has what is declared but was
    not seen, and the rules that had no effect.

    If the time limit was reached, it is *partial*, with games that are not finished; games that had
    not begun are not counted. *why_not* says why the rules were not compiled.
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
    outcomes: tuple[OutcomeShare, ...]
    scores: tuple[Score, ...]
    over: tuple[End, ...]
    endings: tuple[Share, ...]
    events: tuple[Share, ...]
    actions: tuple[ActionUse, ...]
    choices: tuple[float, int, int]
    widths: tuple[Width, ...]
    rules: tuple[RuleUse, ...]
    never: Mapping[str, tuple[str, ...]]
    endings_by_name: tuple[Share, ...] = ()
    events_by_name: tuple[Share, ...] = ()
    partial: bool = False

    @property
    def all_finished(self) -> bool:
        """Did all games end?"""
        return self.finished == self.games

    @property
    def seen(self) -> dict[str, tuple[str, ...]]:
        """The names of the actions taken, of the events that happened, and of the rules that had an
        effect."""
        return {
            "actions": tuple(use.name for use in self.actions),
            "events": tuple(share.what for share in self.events_by_name),
            "rules": tuple(use.rule for use in self.rules),
        }

    @property
    def mean_length(self) -> float:
        return mean_of(self.lengths).mean

    @property
    def _rounded_choices(self) -> tuple[float, int, int]:
        mean, least, most = self.choices
        return round(mean, 3), least, most

    @property
    def _left_out(self) -> tuple[str, ...]:
        """What simulating leaves out of the rules."""
        return left_out(self.ruleset)


OnGames = Callable[[int, int], None]
Asked = tuple[int, int, int]  # the number of games, the seed, and how long a game may be


@checked
def simulate(
    position: Position,
    games: int,
    *,
    seed: int = 0,
    most: int = MOST,
    by: str | Mapping[str, str] = "",
    told: OnGames | None = None,
) -> Simulation:
    """Play *games* from *position* and count the results.

    Whoever has a policy in *by* (one for all, or by name) plays what it prefers, the others at
    random: each legal action with the same odds, each roll by its own. A game ends where nothing
    may be done, or is given up after *most* actions. One *seed* gives the same games each time.
    *told* is given how many games are over, and how many actions were carried out.
    Raises: UnknownName or InputError, if a policy or a number cannot be used.

    >>> import pymorph
    >>> start = pymorph.Position.load("examples/rulesets/tictactoe/positions/start.yaml")
    >>> answer = pymorph.simulate(start, 20)
    >>> [(outcome.winners, outcome.share.games) for outcome in answer.outcomes]
    [(('x',), 14), ((), 4), (('o',), 2)]
    """
    return carry_out(position, (games, seed, most), by, told)


def carry_out(
    position: Position,
    asked: Asked,
    by: str | Mapping[str, str],
    told: OnGames | None = None,
    opened: OpenScene | None = None,
    kept: Callable[[Simulation], None] | None = None,
) -> Simulation:
    """The same: so many games with a seed, at most so long. What is *opened* are the compiled
    rules, if they serve several readings. *kept* is given an answer of what was seen so far, each
    time after a while."""
    games, seed, most = asked
    if games < 1 or most < 1:
        raise InputError("the number of games and the number of actions must be 1 or more")
    players = Players(position, by) if by else None
    start = apply(players.told() if players else position).position
    named, engine = _named(by), Engine(start, opened)
    pace = Pace()

    def keep(seen: Callable[[], GameStatistics]) -> None:
        if kept is not None and pace.due:
            with pace:
                now = seen()
                part = answer_of(position, now, (now.games, seed, most), named, engine.why_not)
                kept(replace(part, partial=True))

    if players:
        engine.refuse("a player plays by a policy")
    engine.compile()
    tell = told or (lambda *_: None)
    tally = engine.run(partial(playouts.play, engine, start, asked, players, tell, keep))
    return answer_of(position, tally, asked, named, engine.why_not)


def none_yet(position: Position, seed: int, most: int, by: str | Mapping[str, str]) -> Simulation:
    """The answer before any game is played."""
    nothing = answer_of(position, GameStatistics(), (0, seed, most), _named(by), "")
    return replace(nothing, partial=True)


def _named(by: str | Mapping[str, str]) -> dict[str, str]:
    """Who plays by which policy, all by one under its own name."""
    return {by: by} if isinstance(by, str) and by else dict(by) if by else {}


def answer_of(
    position: Position, tally: GameStatistics, asked: Asked, by: Mapping[str, str], why_not: str
) -> Simulation:
    """What was seen, as an answer."""
    words = position.ruleset.vocabulary
    games, seed, most = asked
    finished = tally.finished
    uses = [ActionUse(name, tally.offered[name], tally.taken[name]) for name in words.actions]
    used = _ranked(+tally.used)  # without those that had no effect
    rules = tuple(RuleUse(rule, tally.steps[rule], Share(rule, n, games)) for rule, n in used)
    outcomes = [OutcomeShare(*how, Share("", n, finished)) for how, n in _ranked(tally.outcomes)]
    ends = [End(*how, Share(how[0], n, finished)) for how, n in _ranked(tally.over)]
    known = rules_at_work(position.ruleset, HIDDEN in position.fluents.values())
    never = {
        "actions": tuple(use.name for use in uses if not use.taken),
        "events": tuple(sorted(position.ruleset.happenings - tally.kinds.keys())),
        "rules": tuple(sorted(known - {use.rule for use in rules})),
    }
    widths = widths_of(tally.widths)
    endings, endings_by_name = shares(tally.endings, tally.ending_kinds, finished)
    events, events_by_name = shares(tally.events, tally.kinds, games)
    numbers = [number for _, number in tally.widths]
    choices = sum(number * times for (_, number), times in tally.widths.items())
    mean = choices / max(tally.positions, 1)
    return Simulation(
        position.ruleset, games, seed, most, by, not why_not, why_not, finished,
        tuple(sorted(tally.lengths.items())),
        tuple(outcomes), scores_of(tally.scores), tuple(ends),
        endings, events,
        tuple(use for use in uses if use.taken),
        (mean, min(numbers, default=0), max(numbers, default=0)), widths, rules, never,
        endings_by_name, events_by_name,
    )  # fmt: skip


def rules_at_work(ruleset: Ruleset, veiled: bool) -> set[str]:
    """The rules of a ruleset that the program says something comes about by; with something hidden
    changes are not told with their rules, and these are left out."""
    return set(ruleset.rules_giving("branch", ALWAYS if veiled else BY_RULE))


def widths_of(widths: Mapping[tuple[int, int], int]) -> tuple[Width, ...]:
    """How many actions could be chosen, by how many were taken before."""
    by_length: dict[int, list[tuple[int, int]]] = {}
    for (length, number), times in sorted(widths.items()):
        by_length.setdefault(length, []).append((number, times))
    found = []
    for length, row in by_length.items():
        whole, totals = mean_of(row), list(accumulate(times for _, times in row))
        low, high = (row[bisect_left(totals, whole.number * part)][0] for part in (0.1, 0.9))
        found.append(Width(length, whole.number, round(whole.mean, 3), low, high))
    return tuple(found)


def _ranked(counted: Mapping[_K, int]) -> list[tuple[_K, int]]:
    """What was counted, the most frequent first."""
    return sorted(counted.items(), key=lambda pair: (-pair[1], pair[0]))


def scores_of(found: Mapping[tuple[str, int], int]) -> tuple[Score, ...]:
    """The points of each, by name."""
    rows: dict[str, list[tuple[int, int]]] = {}
    for (player, points), games in sorted(found.items()):
        rows.setdefault(player, []).append((points, games))
    return tuple(Score(player, mean_of(each)) for player, each in rows.items())


def shares(
    events: Mapping[Symbol, int], kinds: Mapping[str, int], games: int
) -> tuple[tuple[Share, ...], tuple[Share, ...]]:
    """In how many games each event happened, those of which there are many by name; and all by
    name, the most frequent first."""
    many = {name for name, n in Counter(event.name for event in events).items() if n > TOLD}
    ranked = sorted(events.items(), key=lambda pair: order(pair[0]))
    rows = [Share(name, number, games) for name, number in sorted(kinds.items())]
    told = [Share(str(Term(event)), n, games) for event, n in ranked if event.name not in many]
    told += [share for share in rows if share.what in many]
    return _by_games(told), _by_games(rows)


def _by_games(found: Sequence[Share]) -> tuple[Share, ...]:
    return tuple(sorted(found, key=lambda share: -share.games))
