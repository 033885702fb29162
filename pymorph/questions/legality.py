"""What is legal, alone and in batches; every action that can be typed, judged."""

from __future__ import annotations

from collections.abc import Sequence

from clingo import Function, Symbol

from pymorph.dynamics.asking.batch import ask, by_actor, grouped, situation
from pymorph.dynamics.asking.legal import doubts_in, hold_to_sorts, judged, legal_in, legal_of
from pymorph.dynamics.results import Forbidden, Legality
from pymorph.questions.consistency import ask_checked, blamed_on_flaws
from pymorph.runtime.arguments import checked
from pymorph.state.names import ambiguous, forms_of, typed_actions
from pymorph.state.position import Position
from pymorph.terms import Term


def action_of(position: Position, text: str) -> Term:
    """The action that *text* names; arguments that go without saying may be left out.

    If several actions fit, it is the one that is legal; if none is, the one whose arguments go
    without saying, of whoever has the turn, with fewest rules against it. Where several are as
    good, none of them is made up.
    Raises: UnknownName, if the name or an argument is unknown; InputError, if several legal
    ones fit, or if none is legal and several are as likely to be meant.
    """
    likely, legal_ones = _meant(position, text)
    if len(likely) > 1:
        raise ambiguous(text, likely, all_illegal=not legal_ones)
    return Term(likely[0])


def claimed_actions(position: Position, text: str) -> tuple[Symbol, ...]:
    """The action that *text* names, as `action_of` has it, or all that it may name if none is
    legal: to call that illegal, nobody has to say which.

    Raises: UnknownName or InputError, as `action_of` does.
    """
    likely, legal_ones = _meant(position, text)
    if len(likely) > 1 and legal_ones:
        raise ambiguous(text, likely)
    return tuple(likely)


def _meant(position: Position, text: str) -> tuple[list[Symbol], bool]:
    """The actions that *text* is likely to mean, and whether they are legal."""
    fitting = forms_of(position, text)
    if len(fitting) == 1:
        return fitting, False
    verdicts = judged(position, fitting)
    legal_ones = [action for action in fitting if verdicts[action].legal]
    if legal_ones:
        return legal_ones, True
    doubtful = [
        action for action in fitting if verdicts[action].depends_on and not verdicts[action].rules
    ]
    words = position.ruleset.vocabulary
    declared = words.actions[fitting[0].name]
    silent = [words.elided.get(sort) for sort in declared.sorts]
    turns = [f for f in words.fluents.values() if not f.sorts and f.value in declared.sorts[:1]]
    in_turn = {position.fluents.get(Function(f.name), f.default) for f in turns}

    def strangeness(action: Symbol) -> tuple[int, bool, int]:
        spoken = sum(
            s is not None and s != a for s, a in zip(silent, action.arguments, strict=True)
        )
        other = bool(in_turn) and action.arguments[0] not in in_turn
        return spoken, other, len(verdicts[action].rules)

    among = doubtful or fitting
    least = min(map(strangeness, among))
    return [action for action in among if strangeness(action) == least], False


@checked
def legal_actions(position: Position) -> tuple[Term, ...]:
    """The legal actions in *position*, sorted by actor, then by text.

    Where readings differ, the position's own ruling is used, or the default.
    Raises: RulesetError if the ruleset does not ground.

    >>> import pymorph
    >>> start = pymorph.Position.load("examples/rulesets/tictactoe/positions/start.yaml")
    >>> [str(action) for action in pymorph.legal_actions(start)][:3]
    ['put(x, a1)', 'put(x, a2)', 'put(x, a3)']
    """
    return legal(position).actions


@checked
def legal_actions_of(positions: Sequence[Position]) -> tuple[tuple[Term, ...], ...]:
    """What `legal_actions` says of each of many positions, in one grounding for each board.

    >>> import pymorph
    >>> start = pymorph.Position.load("examples/rulesets/tictactoe/positions/start.yaml")
    >>> [len(actions) for actions in pymorph.legal_actions_of([start])]
    [9]
    """
    return tuple(answer.actions for answer in legal_of(positions))


@checked
def legal(position: Position, unchecked: str = "") -> Legality:
    """What is legal in *position*, and what depends on hidden information.

    One that is still *unchecked* has a name to be called by. Raises: IllFormed, if it is none.

    >>> import pymorph
    >>> start = pymorph.Position.load("examples/rulesets/tictactoe/positions/start.yaml")
    >>> answer = pymorph.legal(start)
    >>> len(answer.actions), answer.unsettled, answer.over
    (9, (), ())
    """
    if not unchecked:
        return legal_of([position])[0]
    with blamed_on_flaws(position, unchecked):
        atoms = ask_checked("legal", position, position.facts(situation(0)), unchecked)
        return legal_in(atoms, {0: position})[0]


def judge_all(position: Position, unchecked: str = "") -> Legality:
    """Every action that can be typed: the legal ones, and the others with their rules.

    One that is still *unchecked* has a name to be called by. Raises: IllFormed, if it is none.
    """
    here = situation(0)
    with blamed_on_flaws(position, unchecked):
        plain = ask_checked("legal", position, position.facts(here), unchecked)
    proposed = [atom.arguments[0] for atom in plain["legal"]]
    hold_to_sorts(position, proposed)
    actions = dict.fromkeys([*typed_actions(position), *proposed])
    facts = position.facts(here)
    facts += [Function("asked", [action, here]) for action in actions]
    atoms = ask("asked", position, facts)
    reasons = grouped((atom.arguments[0], atom.arguments[2]) for atom in atoms["reason"])
    doubts = doubts_in([atom.arguments for atom in atoms["unsettled"]], reasons)
    forbidden = sorted(
        (Forbidden(Term(a), rules) for a, rules in reasons.items()),
        key=lambda f: by_actor(f.action),
    )
    waiting = {name: plain[name] for name in ("awaited", "awaited_most")}
    answer = legal_in(atoms | waiting | {"unsettled": []}, {0: position})[0]
    return answer._replace(unsettled=doubts, forbidden=tuple(forbidden))
