"""Who has a turn after whom, as SVG: a row of boxes above the board, told apart without colours."""

from __future__ import annotations

from pymorph.views.layout import capital
from pymorph.views.pictures.scene import TURNS, PictureScene, SceneTurn
from pymorph.views.pictures.style import SvgFile

# In pixels: the height of a box, what lies between two, the margin, and what a letter may take.
HIGH, APART, EDGE, LETTER = 30, 8, 20, 8.2
SIGN = 18  # what the sign before a name takes
SIGNED, SET_OFF = ("past", "now"), ("now", "waiting")  # by a sign, and by the frame
CALLED = {
    "past": "tick mark",
    "now": "thick frame",
    "to_come": "plain frame",
    "waiting": "dashed frame",
}


class Strip:
    """The boxes of those who have turns, in as many rows as the width needs."""

    def __init__(self, scene: PictureScene, width: float) -> None:
        self.width = width
        self.rows: list[list[tuple[SceneTurn, float]]] = []
        free = 0.0
        for turn in scene.line:
            wide = len(str(turn)) * LETTER + 20 + (SIGN if turn.state in SIGNED else 0)
            if wide > free:
                self.rows.append([])
                free = width - 2 * EDGE
            self.rows[-1].append((turn, wide))
            free -= wide + APART

    @property
    def height(self) -> float:
        """What the rows take, with the space below them."""
        return len(self.rows) * (HIGH + APART) + 4 if self.rows else 0

    def put(self, picture: SvgFile, top: float) -> None:
        """Draw the boxes from *top* down, each row in the middle."""
        for number, turns in enumerate(self.rows):
            x = (self.width - sum(wide + APART for _, wide in turns) + APART) / 2
            for turn, wide in turns:
                put_turn(picture, turn, (x, top + number * (HIGH + APART)), wide)
                x += wide + APART


def put_turn(picture: SvgFile, turn: SceneTurn, corner: tuple[float, float], wide: float) -> None:
    """A box with the sign of its state and the name."""
    x, y = corner
    box = picture.group(f"{capital(str(turn))}: {TURNS[turn.state]}")
    kind = f"turn {turn.state}" if turn.state in SET_OFF else "turn"
    picture.add("rect", kind, "", box, x=x, y=y, width=wide, height=HIGH, rx=6)
    left, middle = x + 10, y + HIGH / 2
    if turn.state == "past":
        tick = f"M{left:.1f} {middle:.1f}l4 4.5l7 -9"
        picture.add("path", "tick", "", box, d=tick)
    elif turn.state == "now":
        picture.add("path", "mark", "", box, d=f"M{left + 1:.1f} {middle - 6:.1f}l10 6l-10 6Z")
    left += SIGN if turn.state in SIGNED else 0
    picture.add("text", "note", capital(str(turn)), box, x=left, y=middle + 4.5)


def turn_note(scene: PictureScene) -> str:
    """What the boxes mean, as far as they occur."""
    used = {turn.state for turn in scene.line}
    texts = "; ".join(f"{CALLED[s]}: {text}" for s, text in TURNS.items() if s in used)
    return f"turns: {texts}" if texts else ""


def turn_words(scene: PictureScene) -> list[str]:
    """The line in words."""
    texts = ", ".join(f"{capital(str(turn))} ({TURNS[turn.state]})" for turn in scene.line)
    return [f"Turns: {texts}"] if texts else []
