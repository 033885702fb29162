"""A challenge in plain Python: it shares no code with the rules, and reads no encoding."""

from collections import Counter
from dataclasses import dataclass, field
from random import Random

DECK = Counter(dict.fromkeys(range(1, 11), 4)) + Counter({0: 1, 12: 1})


def hand(plus: int, minus: int, capped_first: bool = False) -> tuple[int, int]:
    """How many cards are drawn, below nought for a penalty hand, and the points for the others."""
    if capped_first:
        over = max(plus - 3, 0) - max(minus - 3, 0)
        net = min(plus, 3) - min(minus, 3)
    else:
        net = plus - minus
        over = net - 3 if net > 3 else net + 3 if net < -3 else 0
    drawn = 1 + min(abs(net), 3)
    return (drawn if net >= 0 else -drawn), 2 * over


def edges(margin: int) -> int:
    return margin // 3 if margin > 0 else 0


def may_add(buff: int, opening: int) -> bool:
    """Is a Buff card added, or can it only replace the opening card?"""
    low, high = buff in (2, 3, 4), buff in (5, 6, 7)
    return (low and opening >= buff) or (high and opening <= buff)


@dataclass
class Side:
    """One of the two: what it brings, and what it has drawn and laid."""

    name: str
    number: int
    conversion: int
    size: int  # of the Draw Hand, below nought for a penalty hand
    buffs: Counter[int]
    tokens: int
    deck: Counter[int]
    drawn: list[int] = field(default_factory=list)
    opening: int = 0
    buff: int | None = None
    adds: bool = False
    pushed: bool = False
    push: int | None = None

    @property
    def starting(self) -> int:
        return self.opening + self.number + self.conversion

    @property
    def buffed(self) -> int:
        if self.buff is None:
            return self.starting
        kept = self.opening if self.adds else 0
        return kept + self.buff + self.number + self.conversion

    @property
    def final(self) -> int:
        return self.buffed + (self.push or 0)

    def could(self, step: str) -> bool:
        return self.tokens > 0 if step == "push" else self.buffs.total() > 0

    def do(self, step: str, random: Random) -> str:
        """Buff or push, and how that is typed."""
        if step == "push":
            self.tokens -= 1
            self.pushed = True
            return f"push({self.name})"
        self.buff = random.choice(sorted(self.buffs.elements()))
        self.buffs[self.buff] -= 1
        return f"buff({self.name}, {self.buff})"

    def draw(self, random: Random) -> int:
        card = random.choice(sorted(self.deck.elements()))
        self.deck[card] -= 1
        return card


@dataclass
class Challenge:
    """What was done, as one would type it, and the totals that were declared on the way."""

    active: Side
    reactive: Side
    actions: list[str] = field(default_factory=list)
    starting: tuple[int, int] = (0, 0)
    buffed: tuple[int, int] = (0, 0)

    def play(self, random: Random, discards: Counter[str]) -> None:
        """All of it by chance; *discards* gets what goes to the piles."""
        sides = (self.active, self.reactive)
        for side in sides:
            for _ in range(abs(side.size)):
                side.drawn.append(side.draw(random))
                self.actions.append(f"draw(chance, {side.name}, {side.drawn[-1]})")
        for side in sides:
            side.opening = min(side.drawn)
            if side.size > 1:
                side.opening = random.choice(side.drawn)
                self.actions.append(f"select({side.name}, {side.opening})")
        self.starting = (self.active.starting, self.reactive.starting)
        self._decide(random, self.starting, "buff")
        for side in sides:
            if side.buff is not None and may_add(side.buff, side.opening):
                side.adds = random.random() < 0.5
                how = "add" if side.adds else "replace"
                self.actions.append(f"lay({side.name}, {how})")
        self.buffed = (self.active.buffed, self.reactive.buffed)
        self._decide(random, self.buffed, "push")
        for side in (side for side in sides if side.pushed):
            side.push = side.draw(random)
            self.actions.append(f"draw(chance, {side.name}, {side.push})")
        for side in sides:
            laid = [card for card in (side.buff, side.push) if card is not None]
            discards.update(f"{side.name} {card}" for card in [*side.drawn, *laid])

    def _decide(self, random: Random, totals: tuple[int, int], step: str) -> None:
        """Who is behind begins, on equal totals the reactive side; who had passed may answer."""
        order = (
            [self.active, self.reactive] if totals[0] < totals[1] else [self.reactive, self.active]
        )
        passed: list[str] = []
        done: list[str] = []
        while waiting := [
            side
            for side in order
            if side.could(step) and side.name not in passed and side.name not in done
        ]:
            side = waiting[0]
            if random.random() < 0.5:
                passed.append(side.name)
                self.actions.append(f"decline({side.name})")
            else:
                done.append(side.name)
                passed.clear()
                self.actions.append(side.do(step, random))
