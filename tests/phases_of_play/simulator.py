"""A fight in phases, played by a few lines of Python that know nothing of its rules as data.

It knows the default readings, one segment whose Initiative is entered, and no objects. What has no
choice in it, such as the end of a phase, happens by itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

Square = tuple[int, int]
Intent = tuple[str, str]  # a deed, and whom it is aimed at
Action = tuple[str, ...]

FULL = ("nothing", "dash", "draw_weapon", "hush", "pursuit_attack")
HALF = ("attack", "parting_shot", "throw_obstacle")
COVERT = ("hush",)
BLOWS = ("attack", "parting_shot", "pursuit_attack")
SHOTS = ("shoot", "cast_spell")
ANSWERS = ("parting_shot", "pursuit_attack")
FACINGS = (
    "north", "north_east", "east", "south_east", "south", "south_west", "west", "north_west"
)  # fmt: skip


class Fighter(NamedTuple):
    """Who one is; what one has announced and is bound to; where one is and how one got there."""

    name: str
    side: str
    initiative: int
    at: Square
    movement: int
    rate: Fraction = Fraction(1)
    vitality: int = 3
    learned: bool = False
    had_turn: bool = False
    settled: bool = False
    announced: Intent | None = None
    noted: Intent | None = None
    declared: Intent | None = None
    secret: Intent | None = None
    units: int = 0
    facing: str = "north"
    lying: bool = False
    moved: int = 0
    in_pass: int = 0
    stage: str = "before"
    partials: frozenset[tuple[str, bool]] = frozenset()  # each with whether it came after the walk
    fled: bool = False

    @property
    def able(self) -> bool:
        return self.vitality > 0

    @property
    def slow(self) -> bool:
        return self.rate < 1

    @property
    def intents(self) -> tuple[Intent, ...]:
        return tuple(each for each in (self.declared, self.secret) if each)

    @property
    def busy(self) -> bool:
        return bool(self.intents) and not self.settled

    @property
    def concluded(self) -> bool:
        return bool(self.intents) and (not self.slow or self.units >= self.rate.denominator)

    @property
    def limit(self) -> int:
        """How far the strictest of what one does lets one go in a pass."""
        limits = [
            self.movement if deed in FULL else self.movement // 2 if deed in HALF else 0
            for deed, _ in self.intents
        ]
        return min(limits, default=self.movement)

    @property
    def free(self) -> Fighter:
        """Bound to nothing any more."""
        return self._replace(declared=None, secret=None)


class Fight(NamedTuple):
    """The moment of a segment, and who left whose reach in this pass, and with what answer."""

    board: Square
    segment: int
    fighters: tuple[Fighter, ...]
    number: int = 1
    phase: str = "declaration"
    met: frozenset[tuple[str, str]] = frozenset()
    left: frozenset[tuple[str, str]] = frozenset()
    covered: frozenset[tuple[str, str]] = frozenset()
    answered: frozenset[tuple[str, str]] = frozenset()
    pursuers: frozenset[tuple[str, bool]] = frozenset()

    def one(self, name: str) -> Fighter:
        return next(each for each in self.fighters if each.name == name)

    def put(self, *changed: Fighter) -> Fight:
        by_name = {each.name: each for each in changed}
        return self._replace(fighters=tuple(by_name.get(f.name, f) for f in self.fighters))

    def actions(self, who: Fighter) -> int:
        """How many actions the Rate of Action gives in this segment; a slow one has its pass."""
        before, after = (int(n * who.rate) for n in (self.segment - 1, self.segment))
        return 1 if who.slow else after - before

    @property
    def waiting(self) -> Fighter | None:
        """The next on the roster in this phase."""
        line = sorted(self.fighters, key=lambda each: (-each.initiative, -each.rate))
        for each in line:
            declares = self.number == 1 or (self.actions(each) >= self.number and not each.slow)
            takes_part = declares if self.phase == "declaration" else each.concluded
            if each.able and takes_part and not each.had_turn:
                return each
        return None

    @property
    def over(self) -> bool:
        for side in {each.side for each in self.fighters}:
            standing = [each for each in self.fighters if each.side == side and each.able]
            if not standing:
                return True
            if all(each.fled for each in standing):
                for other, pursues in self.pursuers:
                    if other != side and not (pursues and self.catches(other, standing)):
                        return True
        return False

    def catches(self, side: str, fleeing: list[Fighter]) -> bool:
        """Is somebody near enough to somebody who flees, or faster?"""
        return any(
            one.movement > each.movement or apart(one.at, each.at) - 1 <= one.movement
            for each in fleeing
            for one in self.fighters
            if one.side == side and one.able
        )

    def foes(self, who: Fighter, at: Square | None = None) -> list[Fighter]:
        """The able foes in reach."""
        at = at or who.at
        return [f for f in self.fighters if f.side != who.side and f.able and apart(f.at, at) <= 1]

    def blocked(self, one: Square, other: Square, but: Fighter | None = None) -> bool:
        """Does a body that stands block the straight line?"""
        return any(
            each.able and not each.lying and each != but and meets(one, other, each.at)
            for each in self.fighters
        )

    def walks(self, start: Square, limit: int) -> dict[Square, list[Square]]:
        """A shortest way, without its start, to every square within *limit*."""
        taken = {each.at for each in self.fighters}
        found: dict[Square, list[Square]] = {start: []}
        layer = [start]
        for _ in range(limit):
            further = []
            for here in layer:
                for place in self.around(here):
                    if place not in taken and place not in found:
                        found[place] = [*found[here], place]
                        further.append(place)
            layer = further
        del found[start]
        return found

    def around(self, place: Square) -> list[Square]:
        columns, rows = self.board
        x, y = place
        return [
            (u, v)
            for u in range(max(0, x - 1), min(columns, x + 2))
            for v in range(max(0, y - 1), min(rows, y + 2))
            if (u, v) != place
        ]

    def barred(self, who: Fighter, leaver: str) -> bool:
        """Has another answered the leaving, or did the leaver get behind something?"""
        other = any(one == leaver and by != who.name for one, by in self.answered)
        return other or (leaver, who.name) in self.covered


def apart(one: Square, other: Square) -> int:
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))


def meets(one: Square, other: Square, square: Square) -> bool:
    """Does the line between the centres of two squares pass through the inside of another?"""
    if square in (one, other):
        return False
    low, high = Fraction(0), Fraction(1)
    for start, end, middle in zip(one, other, square, strict=True):
        if start == end:
            if start != middle:
                return False
            continue
        enters = (middle - Fraction(1, 2) - start) / (end - start)
        leaves = (middle + Fraction(1, 2) - start) / (end - start)
        low, high = max(low, min(enters, leaves)), min(high, max(enters, leaves))
    return low < high


def settled(fight: Fight) -> Fight:
    """The next moment in which there is something to choose, or the end."""
    while not fight.over:
        who = fight.waiting
        if who is None:
            if fight.phase == "over":
                return fight
            fight = advanced(fight)
        elif fight.phase == "resolution" and not diced(fight, who):
            fight = fight.put(spent(who))
        else:
            return fight
    return fight


def advanced(fight: Fight) -> Fight:
    """The phase is over, and perhaps the pass, or the segment."""
    rested = tuple(each._replace(had_turn=False) for each in fight.fighters)
    if fight.phase == "declaration":
        return fight._replace(phase="resolution", fighters=rested)
    fresh = tuple(
        each._replace(settled=False, in_pass=0, stage="before", partials=frozenset())
        for each in rested
    )
    more = any(each.able and fight.actions(each) > fight.number for each in fresh)
    return fight._replace(
        phase="declaration" if more else "over",
        number=fight.number + 1,
        fighters=fresh,
        met=frozenset(),
        left=frozenset(),
        covered=frozenset(),
        answered=frozenset(),
    )


def spent(who: Fighter) -> Fighter:
    """The action has been resolved."""
    left = who.units - who.rate.denominator if who.slow else who.units
    return who.free._replace(had_turn=True, units=left)


def diced(fight: Fight, who: Fighter) -> bool:
    """Are there dice to be rolled for what this one resolves?"""
    tests = [(deed, aim) for deed, aim in who.intents if deed not in FULL or deed in BLOWS]
    return bool(tests) and all(possible(fight, who, deed, fight.one(aim)) for deed, aim in tests)


def possible(fight: Fight, who: Fighter, deed: str, target: Fighter) -> bool:
    if not target.able:
        return False
    if deed in SHOTS:
        return not fight.blocked(who.at, target.at)
    near = apart(who.at, target.at) <= 1
    parted = (target.name, who.name) in fight.left
    if deed == "attack":
        return near or (parted and not fight.barred(who, target.name))
    return parted if deed == "parting_shot" else near and deed == "pursuit_attack"


def following(fight: Fight) -> Iterator[tuple[Action, Fight]]:
    """Each legal action, and the position after it."""
    if fight.over:
        return
    for side in {each.side for each in fight.fighters}:
        able = [each for each in fight.fighters if each.side == side and each.able]
        others = {each.side for each in fight.fighters} - {side}
        if all(each.fled for each in able):
            for other in others:
                for yes in {True, False} - {was for one, was in fight.pursuers if one == other}:
                    told = ("pursue", "master", other, "yes" if yes else "no")
                    kept = {each for each in fight.pursuers if each[0] != other}
                    yield told, fight._replace(pursuers=frozenset({*kept, (other, yes)}))
    who = fight.waiting
    if who is None:
        return
    if fight.phase == "resolution":
        yield from results(fight, who)
        return
    yield from declarations(fight, who)
    ended = who._replace(had_turn=True, announced=None, noted=None)
    yield ("end_turn", who.name), fight.put(ended)
    if who.settled or who.busy:
        yield from movements(fight, who)


def results(fight: Fight, who: Fighter) -> Iterator[tuple[Action, Fight]]:
    deed, aim = next(each for each in who.intents if each[0] not in FULL or each[0] in BLOWS)
    target = fight.one(aim)
    if deed == "attack" and apart(who.at, target.at) > 1:
        fight = fight._replace(answered=fight.answered | {(aim, who.name)})
    yield ("resolve", who.name, "failure"), fight.put(spent(who))
    for outcome, vitality in (("success", target.vitality - 1), ("felling", 0)):
        struck = target._replace(vitality=vitality)
        struck = struck if struck.able else struck.free
        yield ("resolve", who.name, outcome), fight.put(spent(who), struck)


def declarations(fight: Fight, who: Fighter) -> Iterator[tuple[Action, Fight]]:
    if who.settled or who.busy:
        return
    for deed, aim in intents(fight, who):
        yield ("announce", who.name, deed, aim), fight.put(who._replace(announced=(deed, aim)))
        if deed in COVERT:
            yield ("note", who.name, deed, aim), fight.put(who._replace(noted=(deed, aim)))
    if not (who.announced or who.noted):
        return
    yield ("retract", who.name), fight.put(who._replace(announced=None, noted=None))
    aloud = who.announced if who.announced and who.announced[0] != "nothing" else None
    if who.noted and aloud and aloud[0] in COVERT:
        return
    bound = who._replace(announced=None, noted=None, declared=aloud, secret=who.noted, settled=True)
    if who.slow:
        units = who.units + who.rate.numerator if bound.intents else 0
        bound = bound._replace(units=units)
    if aloud and aloud[0] in ANSWERS:
        if fight.barred(who, aloud[1]):
            return
        fight = fight._replace(answered=fight.answered | {(aloud[1], who.name)})
    if aloud and aloud[1] != "nothing" and fight.one(aloud[1]).side != who.side:
        bound = bound._replace(fled=False)
    yield ("confirm", who.name), fight.put(bound)


def intents(fight: Fight, who: Fighter) -> Iterator[Intent]:
    """What can be declared now, and at whom."""
    yield "nothing", "nothing"
    yield "draw_weapon", "nothing"
    if who.learned:
        yield "hush", "nothing"
    hunters = fight.foes(who)
    ways = fight.walks(who.at, who.movement - who.moved)
    if not hunters or any(all(apart(foe.at, end) > 1 for foe in hunters) for end in ways):
        yield "dash", "nothing"
    quick = not who.slow or who.units + who.rate.numerator >= who.rate.denominator
    for other in fight.fighters:
        if other.name == who.name:
            continue
        for deed in ("attack", *SHOTS, "throw_obstacle"):
            yield deed, other.name
        if (other.name, who.name) in fight.left and not fight.barred(who, other.name) and quick:
            yield "parting_shot", other.name
            yield "pursuit_attack", other.name


def movements(fight: Fight, who: Fighter) -> Iterator[tuple[Action, Fight]]:
    after = who.stage != "before"
    if not any(deed in SHOTS for deed, _ in who.intents):
        upright: Action = ("rise" if who.lying else "drop", who.name)
        changes = [(upright, who._replace(lying=not who.lying))]
        for facing in set(FACINGS) - {who.facing}:
            changes.append((("turn", who.name, facing), who._replace(facing=facing)))
        for action, changed in changes:
            if (action[0], after) not in who.partials:
                partials = who.partials | {(action[0], after)}
                stage = "after" if after else "before"
                yield action, fight.put(changed._replace(partials=partials, stage=stage))
    if not who.lying and who.stage != "after":
        left = min(who.movement - who.moved, who.limit - who.in_pass)
        for end, way in fight.walks(who.at, left).items():
            yield ("move", who.name, f"{'abcdefgh'[end[0]]}{end[1] + 1}"), walked(fight, who, way)
    free = not fight.foes(who) and not who.fled and who.settled
    _, aim = who.declared or ("nothing", "nothing")
    if free and (aim == "nothing" or fight.one(aim).side == who.side):
        yield ("retreat", who.name), fight.put(who._replace(fled=True))


def walked(fight: Fight, who: Fighter, way: list[Square]) -> Fight:
    """The walk, and whose reach it leads out of."""
    met = {foe for one, foe in fight.met if one == who.name}
    if who.stage == "before":
        met = {foe.name for foe in fight.foes(who)}
    left, covered = set(fight.left), set(fight.covered)
    fled = who.fled
    for name in met:
        foe = fight.one(name)
        outside = [place for place in way if apart(place, foe.at) > 1]
        if apart(who.at, foe.at) <= 1 and outside:
            left.add((who.name, name))
            if fight.blocked(foe.at, outside[0], but=who):
                covered.add((who.name, name))
            fled = True
    arrived = who._replace(
        at=way[-1],
        moved=who.moved + len(way),
        in_pass=who.in_pass + len(way),
        stage="moving",
        partials=frozenset(each for each in who.partials if not each[1]),
        fled=fled and not fight.foes(who, way[-1]),
    )
    return fight.put(arrived)._replace(
        met=fight.met | {(who.name, foe) for foe in met},
        left=frozenset(left),
        covered=frozenset(covered),
    )


def counts(start: Fight, depth: int, without: tuple[Action, ...] = ()) -> list[int]:
    """How many sequences of actions there are, of each length up to *depth*.

    *without* are forms of actions that are left out: a kind, and some of its arguments.
    """
    layer = Counter({settled(start): 1})
    found = []
    for _ in range(depth):
        after: Counter[Fight] = Counter()
        for fight, times in layer.items():
            for action, one in following(fight):
                if not any(
                    action[0] == kind and {*rest} <= {*action[1:]} for kind, *rest in without
                ):
                    after[settled(one)] += times
        if not after:
            break
        found.append(sum(after.values()))
        layer = after
    return found
