"""Can something be brought about? A shortest line of play, or a proof that there is none."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from pymorph.answers import frozen, json_keys
from pymorph.dynamics.asking.endings import outcome
from pymorph.dynamics.outcomes import Event
from pymorph.dynamics.results import GameOutcome, left_out
from pymorph.dynamics.transitions import NodeExpander
from pymorph.explore.execution.application import apply
from pymorph.explore.sampling.policies import policies
from pymorph.explore.search import players
from pymorph.explore.search.search import LIMITS, CooperativeSearch, Edge, Search, Solution
from pymorph.ruleset.loader import Ruleset
from pymorph.runtime.arguments import checked
from pymorph.state import claim as claims
from pymorph.state.claim import Bound, Claim, bound_of
from pymorph.state.position import Position
from pymorph.state.record import Move
from pymorph.terms import Term, text_of


@json_keys(paths={"actor": "action.actor"})
@frozen
class Moment:
    """A step of a line: a decision or a roll, with what follows it.

    *step* counts the decisions so far. *then* are the forced steps after it, *ended* the periods
    that ended.
    """

    step: int
    action: Term
    then: tuple[Term, ...] = ()
    events: tuple[Event, ...] = ()
    ended: tuple[str, ...] = ()


@json_keys()
@frozen
class Reply:
    """What somebody else does, or the result of a roll, and the number of the choice that it leads
    to.

    *to* is None if the goal is reached then.
    """

    action: Term
    to: int | None


@json_keys()
@frozen
class Choice:
    """A moment of a strategy: what to *do*, if anything, and what others may do."""

    number: int
    do: Reply | None = None
    replies: tuple[Reply, ...] = ()


@json_keys()
@frozen
class Deadline:
    """An event that comes before the wanted one, and the line on which it does.

    *longest*: no line delays it longer. Otherwise, the line is that of a player who only passes.
    """

    event: Term
    longest: bool
    timeline: tuple[Moment, ...]


@json_keys(also=["actions"], spread=["ruleset.edition"])
@frozen
class Plan:
    """Whether a goal can be reached, and how, or how far it cannot.

    *decisions* is how many decisions it takes at worst, or how many were searched. *positions* is
    the number of different positions behind the answer; *expanded* is for how many of them every
    action was carried out. If it is not found and *complete*, a larger bound changes nothing.
    *stops* says why lines end early: a step of a file that is not legal, a roll that was not given.
    *rules* are the rules that showed without a search that there is no time left.

    *assumed* is what the search assumed: that the others do not stall, that some actions affect
    nothing else, that chance favours a player. *left_out* is what the search never considers: what
    happened before, and input from outside the game.

    *found* is None if it is not settled: the time limit was reached; there is a line only if
    somebody else acts or something is entered; the search stopped after *limit* positions because
    no bound was given; or nobody took actions that are *unproposed*, such as a move along points
    that only a player can name. *outcome* is who has won, if the game is over at the end of the
    line.
    """

    ruleset: Ruleset
    goal: str
    found: bool | None
    bound: Bound
    by: str
    against: str
    rolls: str
    decisions: int
    positions: int
    expanded: int
    complete: bool = False
    timeline: tuple[Moment, ...] = ()
    strategy: tuple[Choice, ...] = ()
    deadline: Deadline | None = None
    stops: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()
    limit: int = 0
    unproposed: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    outcome: GameOutcome | None = None

    @property
    def actions(self) -> tuple[Term, ...]:
        return tuple(moment.action for moment in self.timeline)


USUAL = Bound(12)
MOST_POSITIONS = 3_000  # that are looked beyond, where no bound is given


@checked
def plan(
    position: Position,
    goal: Claim | str,
    within: Bound | str = "",
    *,
    by: str = "",
    against: str = "",
    rolls: str | Sequence[str] = "",
    moves: Sequence[Move] = (),
    on_layer: Callable[[Plan], None] | None = None,
) -> Plan:
    """Find a shortest line of play from *position* that leads to *goal*, or prove that there is
    none.

    With *by*, that one plays for it, and the others play *against*: ``whatever`` they like, a
    policy of the ruleset, or with *moves* these, one after the other. Without *by* all play for it
    together. *rolls* are ``chosen`` by whoever plays for it, ``adversarial``, or a list of those
    that are made, in order. *within* is a bound such as ``8 decisions`` or ``2 turns``, that
    is searched through whatever it takes; without one the search goes as far as 12 decisions, but
    gives up where it comes to too many positions, and the answer is not settled.

    Others who do whatever they like do not stall: what they could go on with for ever does not
    keep the goal from being met. Where there is no line, but might be one if others had to act
    while *by* waits, it is not settled. *assumed* says what that comes to, where it mattered. Nor
    is it settled where somebody may take an open action on the way: nothing proposes those.

    The goal is met where it is so between two decisions, or before a roll; the line found has the
    fewest decisions at worst. *on_layer* is told how far the search is: so many decisions that do
    not do, over so many positions.
    Raises: UnknownName or InputError, if the goal, a name or the bound cannot be used.

    >>> import pymorph
    >>> start = pymorph.Position.load("examples/rulesets/tictactoe/positions/start.yaml")
    >>> answer = pymorph.plan(start, "wins(x)")
    >>> answer.found, answer.decisions, len(answer.actions)
    (True, 5, 5)
    """
    claim = claims.parse(position, goal) if isinstance(goal, str) else goal
    bound = bound_of(position.ruleset, within) if isinstance(within, str) and within else within
    given = () if isinstance(rolls, str) else tuple(rolls)
    kind = rolls if isinstance(rolls, str) else players.GIVEN if given else ""
    sides = players.AdversaryModel(position, by, against, kind, given, tuple(moves))
    search = _search(position, claim, bound, sides)
    together = CooperativeSearch(search)

    def layer(of: Search | CooperativeSearch) -> None:
        if on_layer is not None:
            on_layer(_so_far(search, of))

    solution = search.run(layer, lambda told, wide: together.run(told, wide, layer))
    if together.done:
        return _with_line(_so_far(search, together), together, search)
    answer = replace(_so_far(search, search), assumed=tuple(_assumed(search, solution)))
    if search.given_up:
        return replace(answer, expanded=search.most, limit=search.most)
    if solution is None:
        return _without_line(answer, search)
    return _with_strategy(answer, search, solution)


def _search(
    position: Position, claim: Claim, bound: Bound | str, sides: players.AdversaryModel
) -> Search:
    """The search for a goal within a bound, if there is one."""
    most = sys.maxsize if bound else MOST_POSITIONS
    goal, begun = players.Goal(position.ruleset, claim.plainly()), apply(position)
    seen = goal.noted((), [event.event.symbol for event in begun.events])
    bound = bound if isinstance(bound, Bound) else USUAL
    start, expander = players.NodeKey(begun.position, seen), NodeExpander(position.ruleset)
    return Search(start, goal, sides, bound, most, expander)


def _so_far(search: Search, of: Search | CooperativeSearch) -> Plan:
    """The answer so far, of a search or of that on bits."""
    sides, ruleset, claim = search.adversary, search.goal.ruleset, str(search.goal.claim)
    question = (ruleset, claim, None, search.bound, sides.by, sides.against, sides.rolls)
    outside = (*left_out(ruleset), *_outside(sides.position))
    return Plan(*question, of.depth, of.positions, of.expanded, left_out=outside)


def _with_line(answer: Plan, found: CooperativeSearch, search: Search) -> Plan:
    """The answer of a search on bits, where all play together."""
    if found.given_up:
        return replace(answer, expanded=found.most, limit=found.most)
    if found.line is None:
        unproposed = _unproposed(search)
        refuted = None if unproposed else False
        return replace(answer, found=refuted, complete=found.complete, unproposed=unproposed)
    position, edges = found.start, []
    reached = {position}
    for action in found.line:
        [legs] = search.expander.expand([position], {action}.__contains__)
        edges.append(Edge(action, True, 0, 1, legs[action]))
        position = legs[action].after
        reached.add(position)
    timeline = tuple(_timeline(edges))
    ended = outcome(position)
    return replace(answer, found=True, positions=len(reached), timeline=timeline, outcome=ended)


def _with_strategy(answer: Plan, search: Search, solution: Solution) -> Plan:
    """The answer of a search that found what to do, with the line that takes longest."""
    edges = list(solution.line())
    reached = {search.nodes[number].key.position for number in solution.reached()}
    end = edges[-1].leg.after if edges else search.start.position
    answer = replace(answer, found=True, decisions=solution.at_worst[0], positions=len(reached))
    timeline, strategy = tuple(_timeline(edges)), tuple(_strategy(solution))
    return replace(answer, timeline=timeline, outcome=outcome(end), strategy=strategy)


def _without_line(answer: Plan, search: Search) -> Plan:
    """The answer of a search that came to its end without a line: is it proved that there is none,
    or is there one under other assumptions?"""
    sides = search.adversary
    mixed = (len({edge.ours for edge in node.edges}) > 1 for node in search.nodes)
    if sides.at_will and any(mixed):
        other = search.with_waiting()
        if other.run(lambda _: None) is not None or other.given_up:
            waiting = f"nobody else has to act while {sides.by} may act"
            limit = search.most if other.given_up else 0
            return replace(answer, assumed=(*answer.assumed, waiting), limit=limit)
    entering = [number for number in search.waits if not search.nodes[number].lost]
    won = [number for number, node in enumerate(search.nodes) if node.won]
    if entering and search.solved([*won, *entering], lambda edge: edge.ours):
        return replace(answer, stops=(f"play waits for {text_of(search.waits[entering[0]][0])}",))
    if open_ones := _unproposed(search):
        return replace(answer, unproposed=open_ones)
    complete, deadline = search.complete and not sides.stops, _deadline(search)
    answer = replace(answer, found=False, complete=complete, deadline=deadline)
    stops, rules = tuple(sorted(sides.stops)), tuple(sorted(search.left_out))
    return replace(answer, stops=stops, rules=rules)


def _assumed(search: Search, solution: Solution | None) -> Iterator[str]:
    """What a search assumed, where it mattered."""
    by = search.adversary.by
    reached = range(len(search.nodes)) if solution is None else solution.reached()
    if any(search.nodes[number].held_back for number in reached):
        yield (
            f"the others do not stall. While {by} may act, they act at most once before {by} does."
            f" Otherwise, none takes the same action more than {LIMITS.alike} times in a row if "
            "there is another. They do not return to an earlier position"
        )
    if search.needless:
        names = " and ".join(sorted(search.needless))
        yield f"{names} are left out: they affect nothing else"
    if favoured := _favoured(search, solution) if solution else "":
        yield f"chance favours {by or 'everybody'}: {favoured}"


def _unproposed(search: Search) -> tuple[str, ...]:
    """The forms of the open actions that somebody might take on the way and that nothing proposes;
    none, if there is no line even where each of them brings the goal about.

    Those that the rules await count where they are awaited; of others, those whose forms are too
    many to be told, wherever play goes on.
    """
    start = search.nodes[0].key.position
    actions = start.ruleset.vocabulary.actions
    untold = [_form(start.ruleset, name) for name in _open_ones(start, told=False)]
    found: dict[str, None] = {}
    won = []
    for number, node in enumerate(search.nodes):
        moves_at = search.expander.moves_at(node.key.position) if node.expanded else None
        forms: list[str] = []
        if moves_at is not None and not (moves_at.over or moves_at.rolls):
            awaited = [text_of(form) for form in moves_at.awaited if actions[form.name].open]
            forms = [*untold, *awaited]
        found |= dict.fromkeys(forms)
        won += [number] if forms or node.won else []
    return tuple(sorted(found)) if search.solved(won, lambda edge: edge.ours) else ()


def _outside(position: Position) -> tuple[str, ...]:
    """Open actions that come from outside the game, in words: their forms could all be told."""
    forms = sorted(_form(position.ruleset, name) for name in _open_ones(position, told=True))
    return (f"input from outside the game: {', '.join(forms)}",) if forms else ()


def _open_ones(position: Position, told: bool) -> list[str]:
    """The open actions that the rules do not await, and whose forms can all be told, or cannot."""
    game = position.ruleset
    words, scene = game.vocabulary, position.scene
    texts = [part.text for part in game.giving("branch", ("awaited", 3))]
    return [
        name
        for name, action in words.actions.items()
        if action.open
        and not any(f"awaited({name}(" in text for text in texts)
        and (position.table is not None or not any(map(words.is_measured, action.sorts)))
        and all(words.is_listed(sort, scene) for sort in action.sorts) is told
    ]


def _form(ruleset: Ruleset, name: str) -> str:
    return f"{name}({', '.join(ruleset.vocabulary.actions[name].sorts)})"


def _favoured(search: Search, solution: Solution) -> str:
    """What is told of dice or the like so that it serves the goal, where it might be otherwise."""
    found: dict[str, None] = {}
    for number in solution.reached():
        best = solution.best(number)
        rows = [edge.action for edge in search.nodes[number].edges if edge.ours]
        if best is None or not search.goal.ruleset.vocabulary.actions[best.action.name].told:
            continue
        alike = [a for a in rows if a.arguments[:-1] == best.action.arguments[:-1]]
        if sum(a.name == best.action.name for a in alike) > 1:
            found[text_of(best.action)] = None
    return ", ".join(found)


# -- what is told of a search ----------------------------------------------------------------------
def _timeline(edges: Iterable[Edge]) -> list[Moment]:
    step, moments = 0, []
    for edge in edges:
        step += edge.cost
        forced = tuple(Term(link.action) for link in edge.leg.links if link.settled)
        events, ended = tuple(edge.leg.events), tuple(edge.leg.ended)
        moments.append(Moment(step, Term(edge.action), forced, events, ended))
    return moments


def _strategy(solution: Solution) -> list[Choice]:
    """What to do after each reply; nothing, where there is one line, whatever happens."""
    reached = solution.reached()
    if all(len(solution.next_of(number)) <= 1 for number in reached):
        return []
    choices = [number for number in reached if solution.nodes[number].edges]
    numbers = {number: at for at, number in enumerate(choices, 1)}

    def reply(edge: Edge) -> Reply:
        return Reply(Term(edge.action), numbers.get(edge.target))

    found = []
    for number in choices:
        best = solution.best(number)
        replies = tuple(map(reply, solution.replies(number)))
        found.append(Choice(numbers[number], reply(best) if best else None, replies))
    return found


def _deadline(search: Search) -> Deadline | None:
    """Which event comes first, where it is not the one that was to; how long that can be put off.

    Where the search had no need to look so far, or the player could put it off for ever without
    coming nearer, it is told what comes if all pass.
    """
    aim, sides = search.goal, search.adversary
    lost = [n for n, node in enumerate(search.nodes) if aim.lost(node.key.seen)]
    solution = search.solved(lost, lambda edge: not edge.ours)
    if solution is None and lost and sides.at_will and players.AFTERWARDS in policies(aim.ruleset):
        passing = (sides.position, sides.by, players.AFTERWARDS)
        search.adversary = players.AdversaryModel(*passing, sides.rolls, sides.given)
    edges = search.by_rote() if solution is None else list(solution.line())
    seen = search.nodes[0].key.seen
    for edge in edges:
        seen = aim.noted(seen, edge.leg.noted(aim.matters))
    event = aim.spoilt_by(seen)
    if event is None:
        return None
    return Deadline(Term(event), solution is not None, tuple(_timeline(edges)))
