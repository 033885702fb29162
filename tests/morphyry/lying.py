"""What lies where in a position of Morphyry, told from its fluents and the facts of the cards."""

from collections.abc import Iterator
from typing import ClassVar

from pymorph.terms import text_of
from tests.reasons import Arguments, Plain, Sentences, View
from tests.tables import tables

TRUE = Sentences()
says = TRUE.says
NONE = "none"
ATTRIBUTES = ("corpus", "electra", "spiritum")
SPEED_ON_TICKS = ("advance", "ready", "share")
COMMENCING = ("begin", "deploy", "interrupt")


# -- what lies where


def column(view: View, predicate: str, number: int = 0) -> set[Plain]:
    """One argument of all facts of a predicate."""
    return {row[number] for row in view.facts(predicate)}


def of_card(view: View, predicate: str, card: Plain) -> list[Plain]:
    """What the facts of a predicate say of a card, each as a tuple."""
    return [row[1:] for row in view.facts(predicate) if row[0] == card]


def is_technique(view: View, card: Plain) -> bool:
    return card in column(view, "technique")


def is_default(view: View, deed: Plain) -> bool:
    return deed in column(view, "default_action")


def is_bluff(view: View, card: Plain) -> bool:
    """A card that is no technique, and not hidden."""
    return card not in (NONE, "hidden") and not is_technique(view, card)


def lines(view: View, card: Plain) -> list[int]:
    """The ticks to the line under each action."""
    ticks = [act[2] for (act,) in sorted(of_card(view, "acts", card))]
    return [sum(ticks[: number + 1]) for number in range(len(ticks))]


def ticks_left(view: View, who: Plain, place: Plain) -> int | None:
    """What is left of the card or on the die in a place."""
    out = view("technique", who, place)
    if is_technique(view, out):
        return lines(view, out)[-1] - view("ticks", who, place)
    return view("die", who, place) if out != NONE else None


def payoff_line(view: View, card: Plain) -> int:
    ((number,),) = of_card(view, "payoff", card)
    return lines(view, card)[number - 1]


def paid_off(view: View, who: Plain, place: Plain) -> bool:
    out = view("technique", who, place)
    if not is_technique(view, out):
        return False
    over = view("ticks", who, place) - payoff_line(view, out)
    return over > 0 or (over == 0 and not view("called", who, place))


def lies_at(view: View, who: Plain, source: Plain, card: Plain, place: Plain = "main") -> bool:
    """Does the card lie where it is said to be taken from?"""
    if source in ("hand", "side"):
        return bool(view(source, who, card) > 0)
    if source == "planned":
        return bool(view("cover", who, place) == card)
    return bool(view("alternate", who, source) == card)


def at_spot(view: View, who: Plain, spot: Plain) -> Plain:
    """The card that covers a place or lies on an attribute."""
    return view("alternate" if spot in ATTRIBUTES else "cover", who, spot)


def bluff_left(view: View, who: Plain, place: Plain) -> bool:
    """A bluff covers a place in which nothing is out any more."""
    return view("technique", who, place) == NONE and is_bluff(view, view("cover", who, place))


def source_of(action: str, arguments: Arguments) -> tuple[Plain, Plain, Plain]:
    """From where an action takes a card, the card, and the place it is for."""
    if action in ("deploy", "interrupt", "cover"):
        return arguments[2], arguments[3], arguments[1]
    if action in ("exchange", "prepare"):
        return "hand", arguments[2], "main"
    return "hand", arguments[1], "main"


def commenced(action: str, arguments: Arguments) -> tuple[Plain, Plain, Plain]:
    """Who would have what in which place."""
    return arguments[0], arguments[1], arguments[-1]


def moved(action: str, arguments: Arguments) -> list[Plain]:
    """The places that spending Speed moves on."""
    return ["main", arguments[1]] if action == "share" else [arguments[1]]


def beside(place: Plain) -> bool:
    return bool(place != "main")


def pips(view: View, who: Plain, attribute: Plain) -> int:
    printed = view("attribute", who, attribute)
    if printed == NONE:
        ((printed,),) = view.facts("default_attribute")
    return max(0, printed + view("raised", who, attribute) - view("lost", who, attribute))


def alive(view: View) -> list[str]:
    return [who for who in view.names("character") if view("dead", who) == "no"]


def felled(view: View, who: Plain) -> bool:
    if view.reading("avatar_end") == "any_attribute_at_0":
        return any(pips(view, who, name) == 0 for name in ATTRIBUTES)
    return view.reading("avatar_end") == "corpus_at_0" and pips(view, who, "corpus") == 0


# -- the surface


class Surface:
    """The squares with their cards, told from the drawing and from what was laid since."""

    steps: ClassVar = tables("compass")["steps"]

    def __init__(self, view: View) -> None:
        board = view.position.board
        coordinates, labels, joins = (
            ({}, {}, {}) if board is None else (board.coordinates, board.labels, board.joins)
        )
        self.where = {text_of(place): at for place, at in coordinates.items()}
        self.name = {at: place for place, at in self.where.items()}
        self.card = {
            text_of(place): text_of(label)
            for place, there in labels.items()
            for label in there
            if text_of(label) in column(view, "scenario")
        }
        self.card |= {place: card for (place,), card in view.every("laid").items()}
        self.walls = {
            frozenset(map(text_of, pair))
            for pair, there in joins.items()
            if "wall" in map(text_of, there)
        }
        for place, facing in view.every("walled"):
            self.walls.add(frozenset((place, self.ahead(place, facing))))

    def ahead(self, place: Plain, facing: Plain) -> Plain:
        """The next place that way, or None."""
        x, y = self.where[place]
        dx, dy = self.steps[facing]
        return self.name.get((x + dx, y + dy))

    def around(self, place: Plain) -> Iterator[Plain]:
        for facing in self.steps:
            if (other := self.ahead(place, facing)) is not None:
                yield other

    def centre(self) -> set[Plain]:
        """The middle of the board; where that is no square, those around it."""
        xs = [x for x, _ in self.where.values()]
        ys = [y for _, y in self.where.values()]
        double = (min(xs) + max(xs), min(ys) + max(ys))
        return {
            p
            for p, (x, y) in self.where.items()
            if abs(2 * x - double[0]) <= 1 and abs(2 * y - double[1]) <= 1
        }
