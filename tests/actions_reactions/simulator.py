"""Two slices of the game, played by a few lines of Python that know nothing of its rules as data.

The first is the turn of one combatant: what kinds of actions, in what order, its slots pay for. The
second is two combatants who move about, stand up, end their turns, and take a shot at whoever
leaves their melee range.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

SLOTS = {"standard": ("standard", "move", "minor"), "move": ("move", "minor"), "minor": ("minor",)}


@dataclass(frozen=True)
class Walker:
    """One combatant in its turn, in two zones of so many spots; *kinds* are the moves it took."""

    prone: bool
    here: int
    there: int
    left: frozenset[str] = frozenset(SLOTS)
    kinds: frozenset[str] = frozenset()

    def steps(self, anything: bool, locomotion: bool) -> Iterator[tuple[str, Walker]]:
        """Each kind of action that some slot pays for, with what follows: the smallest slot pays.

        *anything* knows no conditions but slots and kinds; *locomotion* takes the two ways of
        getting about for one.
        """
        for kind in ("standard", "minor", "move_within", "move_between", "stand"):
            type_ = kind if kind in SLOTS else "move"
            payers = [
                s for s in ("minor", "move", "standard") if s in self.left and type_ in SLOTS[s]
            ]
            taken = self.kinds
            if locomotion and taken & {"move_within", "move_between"}:
                taken = taken | {"move_within", "move_between"}
            if not payers or kind in taken:
                continue
            fits = {
                "move_within": not self.prone and self.here > 1,
                "move_between": not self.prone,
                "stand": self.prone,
            }
            if not anything and not fits.get(kind, True):
                continue
            after = replace(self, left=self.left - {payers[0]})
            if type_ == "move":
                after = replace(after, kinds=self.kinds | {kind})
            if kind == "stand":
                after = replace(after, prone=False)
            if kind == "move_between":
                after = replace(after, here=self.there, there=self.here)
            yield kind, after


def turns(start: Walker, anything: bool = False, locomotion: bool = False) -> set[tuple[str, ...]]:
    """Every sequence of kinds that one turn pays for, the empty one as well."""
    found = {(): start}
    agenda = [((), start)]
    while agenda:
        done, walker = agenda.pop()
        for kind, after in walker.steps(anything, locomotion):
            found[*done, kind] = after
            agenda.append(((*done, kind), after))
    return set(found)


class Fighter(NamedTuple):
    """Where one is, how it is, what it has left; *shoots* if it has learned to."""

    zone: str
    spot: int
    vitality: int
    prone: bool
    reacted: bool
    shoots: bool


class Game(NamedTuple):
    """Whose turn it is, what was spent in it, both fighters, and a move that waits.

    *pending* is the move, its stage being `window`, `roll` or `harm`.
    """

    turn: int
    spent: frozenset[str]
    kinds: frozenset[str]
    fighters: tuple[Fighter, Fighter]
    pending: tuple[str, int, str] | None = None


WAYS = {"gate": ("yard",), "yard": ("gate",)}
SPOTS = {"gate": 1, "yard": 2}
DEFENCE, ROLLS, HARMS = 14, 20, 8


def changed(game: Game, who: int, **more: object) -> Game:
    fighters = list(game.fighters)
    fighters[who] = fighters[who]._replace(**more)
    return game._replace(fighters=(fighters[0], fighters[1]))


def passed(game: Game) -> Game:
    """The turn goes to the other, and a round is over after the second; the fallen have none."""
    while True:
        game = game._replace(turn=1 - game.turn, spent=frozenset(), kinds=frozenset())
        if game.turn == 0:
            game = changed(changed(game, 0, reacted=False), 1, reacted=False)
        if game.fighters[game.turn].vitality > 0:
            return game


def moved(game: Game, zone: str, spot: int) -> Game:
    """The move comes about, unless the mover was felled; then its turn is over."""
    game = game._replace(pending=None)
    if game.fighters[game.turn].vitality <= 0:
        return passed(game)
    return changed(game, game.turn, zone=zone, spot=spot)


def following(game: Game) -> Iterator[Game]:
    """The position after each legal action, one for each."""
    me, other = game.fighters[game.turn], game.fighters[1 - game.turn]
    if game.pending is not None:
        zone, spot, stage = game.pending
        if stage == "window":
            yield changed(game._replace(pending=(zone, spot, "roll")), 1 - game.turn, reacted=True)
            yield moved(game, zone, spot)
        elif stage == "roll":
            for roll in range(1, ROLLS + 1):
                hit = roll >= DEFENCE
                yield (
                    game._replace(pending=(zone, spot, "harm")) if hit else moved(game, zone, spot)
                )
        else:
            for harm in range(1, HARMS + 1):
                yield moved(changed(game, game.turn, vitality=me.vitality - harm), zone, spot)
        return
    yield passed(game)
    for slot in {"standard", "move"} - game.spent:
        spent = game._replace(spent=game.spent | {slot})
        if me.prone and "stand" not in game.kinds:
            yield changed(spent._replace(kinds=game.kinds | {"stand"}), game.turn, prone=False)
        if me.prone:
            continue
        goals = []
        if "within" not in game.kinds:
            goals += [("within", me.zone, s + 1) for s in range(SPOTS[me.zone]) if s + 1 != me.spot]
        if "between" not in game.kinds:
            goals += [("between", z, s + 1) for z in WAYS[me.zone] for s in range(SPOTS[z])]
        for kind, zone, spot in goals:
            after = spent._replace(kinds=game.kinds | {kind})
            near = (me.zone, me.spot) == (other.zone, other.spot)
            if near and other.shoots and not other.reacted and other.vitality > 0:
                yield after._replace(pending=(zone, spot, "window"))
            else:
                yield moved(after, zone, spot)


def counts(start: Game, depth: int) -> list[int]:
    """How many sequences of actions there are, of each length up to *depth*."""
    layer = Counter({start: 1})
    found = []
    for _ in range(depth):
        after: Counter[Game] = Counter()
        for game, times in layer.items():
            for one in following(game):
                after[one] += times
        found.append(sum(after.values()))
        layer = after
    return found
