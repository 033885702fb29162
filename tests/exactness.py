"""Are the reasons exact? Asked of every action that the vocabulary can type, for any ruleset."""

from collections import defaultdict

from clingo import Function, Number, Symbol

from pymorph.asp import solver
from pymorph.dynamics.results import Legality
from pymorph.questions import legality
from pymorph.state.position import Position
from pymorph.terms import text_of


def faults(position: Position, alike: int = 8) -> list[str]:
    """Where what is proposed, what is legal when asked, and the reasons do not go together."""
    answer = legality.judge_all(position)
    return _of_completeness(position, answer) + _of_reasons(position, answer, alike)


def _of_completeness(position: Position, answer: Legality) -> list[str]:
    """Actions that are legal when asked but not proposed, or the reverse."""
    asked = {str(a) for a in answer.actions}
    proposed = {str(a) for a in legality.legal_actions(position)}
    found = [f"legal when asked, but not proposed: {a}" for a in sorted(asked - proposed)]
    return found + [f"proposed, but not legal when asked: {a}" for a in sorted(proposed - asked)]


def _of_reasons(position: Position, answer: Legality, alike: int) -> list[str]:
    """Illegal actions whose cited rules are not just what forbids them.

    Excused from all of them an action has to be legal (or hang on something hidden), and from all
    but any one of them it must not be. One situation excuses all, each further one all but one.
    Of the actions of one name that are forbidden by the same rules, so many *alike* are tried,
    spread over all of them; all, if it is 0.
    """
    assert answer.forbidden is not None
    groups: dict[tuple[str, tuple[str, ...]], list[Symbol]] = defaultdict(list)
    for found in answer.forbidden:
        groups[found.action.name, found.rules].append(found.action.symbol)
    rules = {
        action: cited
        for (_, cited), actions in groups.items()
        for action in actions[:: max(1, len(actions) // alike) if alike else 1]
    }
    most = max((len(r) for r in rules.values()), default=0)
    facts: list[Symbol] = []
    for number in range(most + 1):
        here = Number(number)
        facts += position.facts(here)
        for action, cited in rules.items():
            if number <= len(cited):
                facts.append(Function("asked", [action, here]))
                facts += [
                    Function("excused", [action, here, Function(rule)])
                    for index, rule in enumerate(cited, 1)
                    if index != number
                ]
    atoms = solver.solve(position.ruleset.slices["asked"], facts, position.geometry)
    free: dict[Symbol, set[int]] = defaultdict(set)
    for atom in (*atoms["legal"],):
        free[atom.arguments[0]].add(atom.arguments[1].number)
    for atom in atoms["unsettled"]:
        action, _, here, _ = atom.arguments
        if here.number == 0:
            free[action].add(0)
    wrong = []
    for action, cited in rules.items():
        if 0 not in free[action]:
            wrong.append(f"{text_of(action)}: not legal when excused from {', '.join(cited)}")
        wrong += [
            f"{text_of(action)}: legal although {rule} still counts ({', '.join(cited)})"
            for index, rule in enumerate(cited, 1)
            if index in free[action]
        ]
    return wrong
