"""Random positions of the game, drawn from its vocabulary; those that are none are thrown away."""

import random
from collections import Counter
from collections.abc import Iterator
from functools import cache

from clingo import Control

from pymorph.errors import InputError
from pymorph.questions import consistency
from pymorph.ruleset.loader import load
from pymorph.state.position import Position
from pymorph.terms import text_of
from pymorph.yamlio import Data
from tests.conftest import ROOT, position_of

FACINGS = ["north", "north_east", "east", "south_east", "south", "south_west", "west", "north_west"]
CELLS = ".........TWPRN_"
PIPS = [(3, 3, 3), (4, 3, 5), (3, 4, 4), (5, 3, 4), (4, 5, 3), (3, 5, 4), (4, 4, 4), (3, 3, 5)]


@cache
def lengths() -> dict[str, int]:
    """The ticks of each technique card and Default Action, read from the rules as data."""
    control = Control()
    control.load(str(ROOT / "rules" / "morphyry" / "techniques.lp"))
    control.ground([("base", [])])
    found: dict[str, int] = {}
    for atom in control.symbolic_atoms.by_signature("acts", 2):
        card, act = atom.symbol.arguments
        found[card.name] = found.get(card.name, 0) + act.arguments[2].number
    for atom in control.symbolic_atoms.by_signature("default_action", 2):
        found[text_of(atom.symbol.arguments[0])] = atom.symbol.arguments[1].number
    return found


@cache
def cards(kind: str) -> list[str]:
    return [text_of(m) for m in load("morphyry").vocabulary.sorts[kind].members]


def board(rng: random.Random) -> str:
    """A small surface with some walls."""
    width, height = rng.randint(2, 4), rng.randint(2, 4)
    rows = []
    for number in range(height):
        cells = [rng.choice(CELLS) for _ in range(width)]
        joins = [rng.choice("     |") for _ in range(width - 1)]
        pairs = (f"{cell} {join} " for cell, join in zip(cells, [*joins, " "], strict=True))
        rows.append("".join(pairs).rstrip())
        if number < height - 1:
            rows.append("   ".join(rng.choice("    -") for _ in range(width)).rstrip())
    return "\n".join(row for row in rows if row)


def character(
    rng: random.Random, turn: bool, places: dict[str, str], others: list[str]
) -> dict[str, Data]:
    techniques, artifacts = cards("technique_card"), cards("artifact_card")
    scenarios, defaults = cards("scenario_card"), cards("default_action")
    found: dict[str, Data] = {
        "attributes": dict(zip(("corpus", "electra", "spiritum"), rng.choice(PIPS), strict=True)),
        "hand": [
            *rng.choices(techniques, k=rng.randint(0, 3)),
            *rng.choices([*artifacts, *scenarios, "hidden"], k=rng.randint(0, 2)),
        ],
        "side": [*rng.choices(techniques, k=rng.randint(0, 2))],
    }
    if places and rng.random() < 0.9:
        found["at"], found["facing"] = rng.choice([*places]), rng.choice(FACINGS)
        if rng.random() < 0.15:
            found["halfway"] = rng.choice(FACINGS[1::2])
        if rng.random() < 0.1:
            found["contact"] = rng.choice(FACINGS)
        if rng.random() < (0.95 if places[str(found["at"])] in "TW" else 0.08):
            found["entered"] = rng.choice(FACINGS)
    if turn:
        found["speed_left"] = rng.randint(0, 6)
    for key, most in (("fatigue", 2), ("sharing", 2), ("reacted", 2), ("parallel_pace", 2)):
        if rng.random() < 0.15:
            found[key] = rng.randint(1, most)
    if rng.random() < 0.2:
        found["lost"] = {rng.choice(["corpus", "electra", "spiritum"]): rng.randint(1, 3)}
    if rng.random() < 0.7:
        found |= equipment(rng, artifacts, [*places])
    if rng.random() < 0.2:
        found["state"] = {
            rng.choice(["jumping", "spinning", "off_balance", "prone", "blinded"]): rng.choice(
                ["main", "parallel", "lasting", "lasting"]
            )
        }
    for key, most in (("spirit_lost", 20), ("hindrance", 2)):
        if rng.random() < 0.15:
            found[key] = rng.randint(1, most)
    if rng.random() < 0.2:
        found["hand"] = [*found["hand"], rng.choice(cards("attribute_card"))]  # type: ignore[misc]
        found["attributes"].pop(rng.choice(["corpus", "electra"]))  # type: ignore[union-attr]
    if rng.random() < 0.15:
        found["fate"] = [*rng.choices([*techniques, "hidden"], k=2)]
    if turn and rng.random() < 0.3:
        found["played"] = rng.choice(["technique", "artifact", "attribute"])
    if rng.random() < 0.4:
        found["alternates"] = {
            rng.choice(["corpus", "electra", "spiritum"]): rng.choice(
                [*techniques, *artifacts, "hidden"]
            )
        }
    for place, chance in (("main", 0.75), ("parallel", 0.3)):
        if rng.random() > chance:
            if rng.random() < 0.4:
                found[place] = {
                    "prepared": rng.choice(["ready", "alternate_ready", "inertia_ready"])
                }
            continue
        out: dict[str, Data] = {}
        if rng.random() < 0.7:
            name = rng.choice(techniques if place == "main" else ["spark", "backfist_jab"])
            out["technique"], out["ticks"] = name, rng.randrange(lengths()[name])
        else:
            name = rng.choice(defaults if place == "main" else ["ready", "alternate_ready"])
            out["technique"], out["die"] = name, rng.randint(1, lengths()[name])
        if rng.random() < 0.2:
            out["crossing"], out["die"] = (
                rng.choice([*techniques, *artifacts, "hidden", "ready"]),
                rng.randint(1, 12),
            )
        elif rng.random() < 0.5:
            out["cover"] = rng.choice([*techniques, *artifacts, "hidden"])
            if out["cover"] in techniques and rng.random() < 0.3:
                out["cover_face"] = "up"
            if rng.random() < 0.3:
                out["default_since"] = "yes"
        if rng.random() < 0.2:
            out["target"] = rng.choice(others)
        found[place] = out
    return found


def equipment(rng: random.Random, artifacts: list[str], places: list[str]) -> dict[str, Data]:
    """Artifacts in use, some not ready yet, some at risk; one that lies about."""
    used = rng.sample(artifacts, k=rng.randint(1, 4))
    found: dict[str, Data] = {"utilised": [*used]}
    if rng.random() < 0.3:
        found["owed"] = {rng.choice(used): 1}
    if rng.random() < 0.15:
        found["at_risk"] = {rng.choice(used): 1}
    rest = [name for name in artifacts if name not in used]
    if rng.random() < 0.3:
        found["dropped"] = {rng.choice(rest): rng.choice(places) if places else "aside"}
    if rng.random() < 0.2:
        found["discard"] = [rng.choice(rest)]
    return found


def guesses(seed: int) -> Iterator[Position]:
    """Positions of the vocabulary, well formed or not."""
    rng = random.Random(seed)
    names = ["ann", "bob", "cid"]
    boards = [board(rng) for _ in range(3)]
    while True:
        present = names[: rng.choice([2, 2, 2, 3])]
        data: dict[str, Data] = {"ruleset": "morphyry"}
        places: dict[str, str] = {}
        if rng.random() < 0.85:
            data["board"] = drawn = rng.choice(boards)
            rows = [[c for c in row if c in CELLS] for row in drawn.split("\n")]
            for y, row in enumerate(row for row in reversed(rows) if row):
                places |= {f"{'abcd'[x]}{y + 1}": cell for x, cell in enumerate(row) if cell != "_"}
        data["turn"] = turn = rng.choice(present)
        data["phase"] = phase = rng.choice(
            ["fate", "invoke", "cards", "cards", "advance", "advance", "advance"]
        )
        data["characters"] = {
            name: character(
                rng,
                name == turn and phase not in ("fate", "invoke"),
                places,
                [n for n in present if n != name],
            )
            for name in present
        }
        if rng.random() < 0.5:
            data["rulings"] = rulings(rng)
        try:
            yield position_of(data, f"seed {seed}")
        except InputError:
            continue


def rulings(rng: random.Random) -> dict[str, Data]:
    """Some questions read in another way."""
    questions = load("morphyry").questions
    chosen = rng.sample(sorted(questions), rng.randint(1, 4))
    return {name: rng.choice([o for o, _ in questions[name].options]) for name in chosen}


def worlds(seed: int, number: int) -> list[Position]:
    """*number* well-formed positions, the same for the same seed."""
    found: list[Position] = []
    source = guesses(seed)
    while len(found) < number:
        batch = [next(source) for _ in range(40)]
        found += [
            p
            for p, answer in zip(batch, consistency.check_of(batch), strict=True)
            if answer.consistent
        ]
    return found[:number]


def cards_of(position: Position) -> Counter[tuple[str, str]]:
    """How often each character has each card, wherever it lies; scenario cards count for all.

    A scenario card that is laid over another hides it for good, so only what can be seen counts.
    """
    counted: Counter[tuple[str, str]] = Counter()
    shared = {*cards("scenario_card")}
    holdable = {*cards("technique_card"), *cards("artifact_card"), *shared, "hidden"}
    for fluent, value in position.fluents.items():
        owner = text_of(fluent.arguments[0]) if fluent.arguments else ""
        if fluent.name in ("hand", "side", "fate", "utilised", "discard"):
            card, number = text_of(fluent.arguments[1]), value.number
        elif fluent.name == "dropped":
            card, number = text_of(fluent.arguments[1]), 1
        elif fluent.name in ("technique", "cover", "alternate", "crossing", "laid", "walled"):
            card, number = text_of(value), 1
        else:
            continue
        if card in holdable:
            counted["" if card in shared else owner, card] += number
    return counted
