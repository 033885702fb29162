"""Random play: positions stay positions, and what is offered is what may be asked for."""

import random
from collections.abc import Sequence

from pymorph.dynamics import transitions
from pymorph.dynamics.asking.legal import judged
from pymorph.explore.execution import application
from pymorph.questions import consistency, legality
from pymorph.state import names
from pymorph.state.position import Position
from pymorph.terms import text_of
from pymorph.views.lines import answers
from tests.conftest import EXAMPLES, position_of
from tests.morphyry.play import choose, out_of_range
from tests.tables import with_campaign

START = EXAMPLES / "yard" / "start.yaml"


def starts(rng: random.Random, number: int) -> list[Position]:
    """The yard with everybody somewhere, knowing something, under rulings drawn by chance."""
    start = Position.load(START)
    reactions = [text_of(r) for r in start.ruleset.vocabulary.sorts["reaction"].members]
    found = []
    for _ in range(number):
        data = start.data()
        characters = data["characters"]
        assert isinstance(characters, dict)
        for who in characters.values():
            assert isinstance(who, dict)
            who["at"] = rng.choice(["yard", "yard", "gate", "wall_top"])
            who["spot"] = rng.randint(1, 2) if who["at"] == "yard" else 1
            who["vitality"] = rng.randint(1, 12)
            who["prone"] = rng.choice(["no", "no", "yes"])
            who["learned"] = dict.fromkeys(rng.sample(reactions, 4), 1)
            who["weapons"] = {"bow": rng.choice(["sheathed", "drawn"]), "sword": "drawn"}
        questions = rng.sample(sorted(start.ruleset.questions.values(), key=lambda q: q.id), 3)
        data["rulings"] = {q.id: rng.choice([name for name, _ in q.options]) for q in questions}
        found.append(position_of(data))
    return found


def reactions_of(position: Position) -> int:
    """The most reactions that one combatant has used."""
    used: dict[str, int] = {}
    for fluent in position.fluents:
        if fluent.name == "reacted":
            who = text_of(fluent.arguments[0])
            used[who] = used.get(who, 0) + 1
    return max(used.values(), default=0)


def faults(positions: Sequence[Position], steps: int, rng: random.Random) -> tuple[int, list[str]]:
    """How many actions were carried out, and what went wrong."""
    wrong: list[str] = []
    number = 0
    current = list(positions)
    for _ in range(steps):
        rows = transitions.successors_of(current)
        after = [(p, a, s) for p, row in zip(current, rows, strict=True) for a, s in row]
        number += len(after)
        checks = consistency.check_of([position for _, _, position in after])
        for (before, action, position), answer in zip(after, checks, strict=True):
            told = [f"{f.what} breaks {f.rules}" for f in answer.flaws] + out_of_range(position)
            most = 2 if before.rulings.get("reaction_limit") == "one_of_each" else 1
            if reactions_of(position) > most:
                told.append("more reactions than there are")
            wrong += [f"{before.line()}\n  {action}: {what}" for what in told]
        for position, row in zip(current, rows, strict=True):
            if not row and legality.legal(position).over == ():
                wrong.append(f"{position.line()}: nobody can do anything")
        current = [dict(row)[choose([action for action, _ in row], rng)] for row in rows if row]
    return number, wrong


@with_campaign("seed, number", [(0, 2)], [(seed, 40) for seed in range(1, 6)])
def test_random_play(seed: int, number: int) -> None:
    """Whatever is done, under whatever readings, leads to a position; nobody reacts too often, and
    somebody can always go on.
    """
    rng = random.Random(seed)
    done, wrong = faults(starts(rng, number), 8, rng)
    assert not wrong, "\n".join(wrong[:5])
    assert done > 20 * number


@with_campaign("seed, number", [(0, 2)], [(seed, 40) for seed in range(1, 6)])
def test_what_is_legal_when_asked_is_offered(seed: int, number: int) -> None:
    """Of all actions that can be typed, in positions that play leads to."""
    rng = random.Random(seed)
    current = starts(rng, number)
    for _ in range(4):
        rows = transitions.successors_of(current)
        current = [dict(row)[choose([action for action, _ in row], rng)] for row in rows if row]
    for position in current:
        typed = rng.sample(names.typed_actions(position), 400)
        verdicts = judged(position, typed)
        offered = {action.symbol for action in legality.legal_actions(position)}
        assert {a for a in typed if verdicts[a].legal} == offered & {*typed}, position.line()


def test_play_waits_for_an_answer() -> None:
    """act_resp_03: Kara leaves the reach of Grub, so play waits for his answer, and no longer."""
    start = Position.load(START)
    left = application.apply(start, "go(kara, move, walk, gate, 1)")
    awaited = {str(each.form) for each in left.awaited}
    assert awaited == {"decline(grub)", "react(grub, parting_shot, kara)"}
    assert "act_resp_03" in {each.rule for each in left.awaited}
    told = answers.outcome(left)
    assert "play waits for grub" in told
    assert "  decline(grub)                    [act_econ_12, act_resp_03]" in told
    went = application.apply(start, "go(kara, move, walk, gate, 1)", "decline(grub)")
    assert went.awaited == ()
