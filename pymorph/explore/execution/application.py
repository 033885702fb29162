"""Carrying out actions: what they change, what follows of itself, the rolls that they call for."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from clingo import Symbol

from pymorph import errors
from pymorph.dynamics.asking.chance import Dice, rolls_with
from pymorph.dynamics.carrying import SuccessorGenerator, Trajectory
from pymorph.dynamics.history import begun, followed
from pymorph.dynamics.outcomes import LineOfPlay, Outcome, Step, combined
from pymorph.dynamics.results import Roll, together
from pymorph.errors import Fault, IllegalAction, InputError, RulesetError, Unsettled, clipped
from pymorph.questions.explanation import why_not
from pymorph.questions.legality import action_of
from pymorph.runtime.arguments import checked
from pymorph.state.names import ambiguous, check_arguments, forms_of
from pymorph.state.position import Position
from pymorph.terms import Term, text_of

MAX_ROLLS = 1000
Typed = Sequence[Term | str]  # as terms, or as people write them


@checked
def apply(
    position: Position,
    *actions: Term | str,
    given: Sequence[Term | str] = (),
    dice: Dice | None = None,
) -> Outcome:
    """Carry out *actions* in order, with the forced steps that follow.

    A roll that is due is taken from *given*, in whatever order they stand there, or else made by
    the *dice*; without either it stays pending, and whatever comes after it must wait. What it
    holds up is `unfinished` in the position, and goes on when the roll is made from there.
    Raises: IllegalAction at the first action that is forbidden, with all its rules; Unsettled, if
    one hangs on something hidden; InputError, if a given roll was never due.

    >>> import pymorph
    >>> start = pymorph.Position.load("examples/rulesets/tictactoe/positions/start.yaml")
    >>> outcome = pymorph.apply(start, "put(x, b2)", "put(o, a1)")
    >>> [str(change.fluent) for change in outcome.changes]
    ['cell(a1)', 'cell(b2)']
    >>> outcome.position.value("turn")
    Term('x')
    """
    course = Execution(position, given, dice)
    for action in actions:
        course.act(action)
    course.require_all_taken()
    return course.outcome()


def play_through(
    position: Position,
    actions: Sequence[str],
    given: Typed = (),
    dice: Dice | None = None,
    told: Callable[[Position, Outcome], None] | None = None,
) -> LineOfPlay:
    """Carry out *actions* as far as they are legal; where one is not, say which and why.

    Rolls are taken as `apply` takes them. After each action *told* is given the position before it
    and what has come of all so far. Raises: InputError, if all actions were carried out and a given
    roll was never due.
    """
    course = Execution(position, given, dice)
    for number, action in enumerate(actions, 1):
        before = course.position
        try:
            course.act(action)
        except (IllegalAction, Unsettled) as stop:
            items = stop.depends_on if isinstance(stop, Unsettled) else ()
            against = why_not(course.position, action, stop)
            return LineOfPlay(course.outcome(), number, against, items)
        if told is not None:
            told(before, course.outcome())
    course.require_all_taken()
    return LineOfPlay(course.outcome())


class Execution:
    """Actions carried out one after the other, each with what follows: how far things are.

    If it does not *remember*, it asks the rules at every step, also what it has asked before.
    """

    def __init__(
        self, position: Position, given: Typed = (), dice: Dice | None = None, remember: bool = True
    ) -> None:
        self.position = self._before = position
        self.pending: tuple[Roll, ...] = ()
        self._carrier = SuccessorGenerator(position.ruleset, "apply", remember)
        self._actions: list[Term] = []
        self.steps: list[Step] = []  # also those that nobody chose
        self._rolls: list[Term] = []
        self._rest: list[Term] = []
        self._settled: set[Term] = set()
        self._given: list[tuple[str, list[Symbol]]] = []
        self.take(given)
        self._dice = dice
        leg = Trajectory(position.with_unfinished(()), position.unfinished)
        self._go(leg, self._carrier.settle)
        self._follow(leg)
        self._follows(position)

    def act(self, action: Term | str) -> None:
        """Carry out one action, as far as nothing stops it on the way.

        A step without choice has been carried out by then: to ask for it again is to agree.
        """
        try:
            term = meant(self.position, action)
        except InputError as error:
            if not self._actions:
                raise
            told = f"at action {len(self._actions) + 1}, with nothing carried out: "
            faults = [fault._replace(message=told + fault.message) for fault in error.faults]
            raise type(error)(faults) from None
        self._before, before = self.position, begun(self.position)
        leg = Trajectory.of(self.position, term.symbol)
        settled, self._settled = self._settled, set()
        self._go(leg, self._carrier.carry_on)
        if leg.refused is None or leg.links:
            self._follow(leg)
            self._follows(before)
        else:
            self._settled = settled
            if term not in settled:
                raise leg.refused.of(term.symbol)
        self._actions.append(term)

    def take(self, rolls: Typed) -> None:
        """Give rolls for what comes next."""
        self._given += [(str(roll), _forms(self.position, roll)) for roll in rolls]

    def require_all_taken(self) -> None:
        """Raises: InputError, if a given roll was never due."""
        if self._given:
            due = " and ".join(together(a for a, _ in roll.outcomes) for roll in self.pending)
            also = f"; the roll that is due is {due}" if due else ""
            never = "no step calls for the given roll"
            raise InputError([Fault(f"{never} {clipped(t, 80)}{also}") for t, _ in self._given])

    def outcome(self) -> Outcome:
        """What has come of the actions so far."""
        here, steps = self.position, self.steps
        done = (tuple(self._actions), tuple(steps), here, combined(steps))
        rest = (*self._rest, *map(Term, here.unfinished))
        return Outcome(here.ruleset, *done, rest, tuple(self._rolls), self.pending, self._before)

    def _follows(self, before: Position) -> None:
        """Where things stand now is the next position of the game, if they have changed."""
        if before.history is not None and self.position.history is None:
            self.position = followed(before, self.position)

    def _follow(self, leg: Trajectory) -> None:
        """Make the rolls that are due after a trajectory, and go on where that then does."""
        for _ in range(MAX_ROLLS):
            self.pending = rolls_with([leg.position], [leg.automatic.chances])[0]
            roll = self._roll()
            if roll is not None:
                thrown = Trajectory(leg.position, (roll,))
                self._go(thrown, self._carrier.carry_on)
                if not thrown.links[0].changes:
                    raise RulesetError(f"the roll {text_of(roll)} changes nothing")
                self._rolls.append(Term(roll))
                leg.position, leg.automatic = thrown.position, thrown.automatic
                leg.stopped = leg.stopped or thrown.stopped
            elif leg.goes_on:
                self._go(leg, self._carrier.carry_on)
            else:
                self.position = leg.after
                self._rest += () if leg.waits else map(Term, leg.pending)
                return
        raise RulesetError(f"rolls never end: {self.pending[0].what} is due")

    def _go(self, leg: Trajectory, carry: Callable[[Sequence[Trajectory]], None]) -> None:
        """Carry a trajectory on, and note its steps, also those before a fault."""
        done = len(leg.links)
        try:
            carry([leg])
        finally:
            for link in leg.links[done:]:
                step = link.step
                self.steps.append(step)
                self._settled |= {step.action} if step.settled else set()
            if len(leg.links) > done:
                self.position = leg.position

    def _roll(self) -> Symbol | None:
        """The next roll that is made: the first one given that is due, or else what dice show."""
        due = {outcome.symbol for roll in self.pending for outcome, _ in roll.outcomes}
        for number, (text, forms) in enumerate(self._given):
            fitting = [form for form in forms if form in due]
            if len(fitting) > 1:
                raise ambiguous(text, fitting)
            if fitting:
                del self._given[number]
                return fitting[0]
        if self._dice is None or not self.pending:
            return None
        shown = self._dice(self.pending[0])
        if shown not in dict(self.pending[0].outcomes):
            what = self.pending[0].what
            raise InputError(f"the dice show {shown}, which is not an outcome of {what}")
        return shown.symbol


def meant(position: Position, action: Term | str) -> Term:
    """The action that is meant. Raises: UnknownName or InputError, if it is none or several."""
    if isinstance(action, str):
        return action_of(position, action)
    declared = position.ruleset.vocabulary.actions.get(action.name)
    if declared is None or len(declared.sorts) != len(action.arguments):
        raise errors.UnknownName(f"unknown action {clipped(str(action))}")
    check_arguments(position, declared, action.symbol)
    return action


def _forms(position: Position, action: Term | str) -> list[Symbol]:
    """The actions that may be meant."""
    if isinstance(action, str):
        return forms_of(position, action)
    return [meant(position, action).symbol]
