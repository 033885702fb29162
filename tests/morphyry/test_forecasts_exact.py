"""Forecasts in turns against what happens: random positions are played out in the engine."""

import random

import pytest

from pymorph.explore.execution.application import apply
from pymorph.questions.figures import forecast
from pymorph.state.position import Position
from pymorph.yamlio import Data
from tests.conftest import position_of
from tests.morphyry.worlds import lengths
from tests.tables import tables, with_campaign

CAMPAIGN = pytest.mark.campaign
CARDS = ["right_cross", "front_kick", "earthhammer", "spark", "backfist_jab"]
LOADS = tables(__name__)["loads"]
RULINGS: list[dict[str, Data]] = tables(__name__)["rulings"]


def start(rng: random.Random) -> Position:
    """Ann amid a technique or a Ready, a card in her hand, burdened or not; nobody is with her."""
    out = rng.choice(CARDS)
    main: dict[str, Data] = {"technique": out, "ticks": rng.randrange(lengths()[out])}
    if not rng.randrange(4):
        main = {"technique": "ready", "die": rng.randint(1, 4)}
    ann: dict[str, Data] = {
        "attributes": {"corpus": rng.randint(3, 6), "electra": rng.randint(3, 7), "spiritum": 5},
        "hand": [rng.choice(CARDS)],
        "utilised": list(rng.choice(LOADS)),
        "fatigue": rng.choice([0, 0, 0, 1, 2]),
        "main": main,
    }
    phase = rng.choice(["invoke", "advance"])
    if phase == "advance":
        ann["speed_left"] = rng.randint(0, 3)
    return position_of(
        {
            "ruleset": "morphyry",
            "turn": "ann",
            "phase": phase,
            "rulings": rng.choice(RULINGS),
            "characters": {"ann": ann},
        }
    )


def forecasts(position: Position, card: str) -> dict[str, str]:
    """The turns of what is out to its pay-off and its end, and of the card to its pay-off."""
    names = {
        "payoff": "turns_to_payoff(ann, main)",
        "end": "turns_to_completion(ann, main)",
        "next": f"turns_if_next(ann, hand, {card})",
    }
    told = forecast(position, *names.values()).figures
    values = {str(figure.name): str(figure.value) for figure in told}
    return {key: values.get(name.replace(", main", ""), "never") for key, name in names.items()}


def played_out(position: Position, card: str) -> dict[str, str]:
    """In which turn each of these comes when Ann does nothing else; `never`, if it does not."""
    out, done = str(position.value("technique(ann, main)")), {"payoff": 0} if paid(position) else {}
    prepared = "prepared(ann, main)"
    waited = {"payoff": f"paid_off(ann, main, {out})", "end": f"enacted(ann, main, {out})"}
    turns = 0
    while "next" not in done:
        if str(position.value("phase")) == "invoke":
            position = apply(position, "invoke(ann)", "next_phase(ann)").position
        if not number(position, "speed_left(ann)") and turns:
            break
        turns += number(position, "speed_left(ann)") > 0
        while "next" not in done and (speed := number(position, "speed_left(ann)")):
            free = str(position.value("technique(ann, main)")) == "none"
            if free and "next" in waited:
                return {key: str(done.get(key, "never")) for key in ("payoff", "end", "next")}
            if free and str(position.value(prepared)) == "ready":
                outcome = apply(position, f"deploy(ann, main, hand, {card})")
                waited = {"next": f"paid_off(ann, main, {card})"}
            elif free:
                outcome = apply(position, "begin(ann, main, ready)")
                waited = {}
            else:
                outcome = apply(position, f"advance(ann, main, {min(speed, to_go(position))})")
            position = outcome.position
            happened = {str(event.event) for step in outcome.steps for event in step.events}
            done |= {key: turns for key, event in waited.items() if event in happened}
        position = apply(position, "next_phase(ann)").position
    return {key: str(done.get(key, "never")) for key in ("payoff", "end", "next")}


def number(position: Position, fluent: str) -> int:
    return position.value(fluent).number or 0


def to_go(position: Position) -> int:
    """What is left of what is out."""
    out, die = str(position.value("technique(ann, main)")), number(position, "die(ann, main)")
    return die or lengths()[out] - number(position, "ticks(ann, main)")


def paid(position: Position) -> bool:
    """Has what is out paid off already?"""
    return forecast(position, "ticks_to_payoff(ann)").get("ticks_to_payoff(ann)") == 0


def faults(seeds: range) -> list[str]:
    """Where the forecast of a position and the play from it differ."""
    wrong = []
    for seed in seeds:
        position = start(random.Random(seed))
        hand = next(f for f in position.fluents if f.name == "hand")
        card = str(hand.arguments[1])
        told, played = forecasts(position, card), played_out(position, card)
        if told != played:
            wrong.append(f"{position.line()}\n  told {told}\n  played {played}")
    return wrong


@with_campaign("seeds", [range(3)], [range(n, n + 50) for n in (0, 50, 100)])
def test_turns_told_are_turns_played(seeds: range) -> None:
    """mor_tick_11, mor_enc_05: also where the technique that is out will tire its user."""
    wrong = faults(seeds)
    assert not wrong, "\n".join(wrong[:5])
