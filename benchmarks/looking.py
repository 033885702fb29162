"""A full table, twenty a side among thirty pieces of terrain: who sees whom, a zone, a picture."""

import random

from clingo import Function, Number

from benchmarks.results import ROOT, Result, grounded, median
from pymorph.questions.board import overlays
from pymorph.questions.board.drawing import drawn
from pymorph.questions.board.sight import sight
from pymorph.state.position import Position
from pymorph.views.pictures.scene import scene_of
from pymorph.views.pictures.svg import board_svg

TABLE = ROOT / "examples" / "field" / "full_table.yaml"
SEEDS, ROUNDS = range(6), 7


def shuffled(seed: int) -> Position:
    """The table with everybody somewhere else on clear ground, as nobody has seen it before."""
    start = Position.load(str(TABLE))
    assert start.board is not None
    rng = random.Random(seed)
    clear = [
        place for place, has in start.board.labels.items() if [str(h) for h in has] == ["space"]
    ]
    places = rng.sample(clear, len(start.listed["figure"]))
    at = {Function("at", [who]): p for who, p in zip(start.listed["figure"], places, strict=True)}
    return start.with_changes(at)


def plain(position: Position) -> dict[tuple[str, str], str]:
    """The words of all lines, by clingo given the same part of the rules and the same facts."""
    here, words = Number(0), position.ruleset.vocabulary
    people = position.listed["figure"]
    pairs = [(one, other) for one in people for other in people if one != other]
    kinds = (words.sight[0], words.cover[0])
    facts = [*position.facts(here), Function("surveying", [here])]
    facts += [Function("wanted", [Function(k, list(pair)), here]) for pair in pairs for k in kinds]
    part = position.ruleset.slices["forecast"].of_figures(frozenset(kinds))
    control = grounded(position, part.program(facts), facts)
    found = {}
    for atom in control.symbolic_atoms.by_signature("finding", 4):
        name, word = atom.symbol.arguments[:2]
        if name.name == words.sight[0]:
            one, other = name.arguments
            found[str(one), str(other)] = str(word)
    return found


def lookings() -> list[Result]:
    """All 1,560 lines of a new table in one solve, with cover; one line; a zone; a picture."""
    positions = [shuffled(seed) for seed in SEEDS]
    first = positions[0]
    answer = sight(first, everything=True)
    assert {(line.viewer, line.other): line.sight for line in answer.lines} == plain(first)
    turn = iter([*positions, *positions, *positions, *positions])
    clingo = median(lambda: plain(next(turn)), ROUNDS)
    turn = iter([*positions, *positions, *positions, *positions])
    table = median(lambda: sight(next(turn), everything=True), ROUNDS)
    one, other = answer.lines[-1].viewer, answer.lines[-1].other
    line = median(lambda: sight(first, one, other), ROUNDS)
    zone = median(lambda: overlays.threat(first, "blues"), ROUNDS)
    picture = median(lambda: board_svg(scene_of(first, drawn(first))), ROUNDS)
    count = len(answer.lines)
    return [
        Result("sight all", table / clingo, 2, f"{table:.0f} ms for {count} lines and their cover"),
        Result("sight one", line / clingo, 0.1, f"{line:.1f} ms for a single line"),
        Result("sight zone", zone / clingo, 0.3, f"{zone:.0f} ms for all zones of a side"),
        Result(
            "sight picture", picture / clingo, 1, f"{picture:.0f} ms for a picture of the table"
        ),
    ]
