"""Who has a turn after whom, as SVG: a row of boxes above the board, told apart without colours."""

from __future__ import annotations

from pymorph.views.layout import capital
from pymorph.views.pictures.measures import TURNS, SceneTurn
from pymorph.views.pictures.scene import PictureScene
from pymorph.views.pictures.svg_file import SvgFile

SIGNED, SET_OFF = ("past", "now"), ("now", "waiting")  # by a sign, and by the frame


class Strip:
    """The boxes of those who have turns, in as many rows as the width needs."""

    # In pixels: the height of a box, what lies between two, the margin, and what a letter and the
    # sign before a name take.
    high, apart, edge, letter, sign = 30, 8, 20, 8.2, 18

    def __init__(self, scene: PictureScene, width: float) -> None:
        self.width = width
        self.rows: list[list[tuple[SceneTurn, float]]] = []
        free = 0.0
        for turn in scene.line:
            wide = len(str(turn)) * self.letter + 20 + self.sign * (turn.state in SIGNED)
            if wide > free:
                self.rows.append([])
                free = width - 2 * self.edge
            self.rows[-1].append((turn, wide))
            free -= wide + self.apart

    @property
    def height(self) -> float:
        """What the rows take, with the space below them."""
        return len(self.rows) * (self.high + self.apart) + 4 if self.rows else 0

    def put(self, picture: SvgFile, top: float) -> None:
        """Draw the boxes from *top* down, each row in the middle."""
        for number, turns in enumerate(self.rows):
            x = (self.width - sum(wide + self.apart for _, wide in turns) + self.apart) / 2
            for turn, wide in turns:
                self.put_turn(picture, turn, (x, top + number * (self.high + self.apart)), wide)
                x += wide + self.apart

    def put_turn(
        self, picture: SvgFile, turn: SceneTurn, corner: tuple[float, float], wide: float
    ) -> None:
        """A box with the sign of its state and the name."""
        x, y = corner
        box = picture.group(f"{capital(str(turn))}: {TURNS[turn.state].meaning}")
        kind = f"turn {turn.state}" if turn.state in SET_OFF else "turn"
        box.box(kind, corner, (wide, self.high), rx=6)
        left, middle = x + 10, y + self.high / 2
        if turn.state == "past":
            box.add("path", "tick", d=f"M{left:.1f} {middle:.1f}l4 4.5l7 -9")
        elif turn.state == "now":
            box.add("path", "mark", d=f"M{left + 1:.1f} {middle - 6:.1f}l10 6l-10 6Z")
        left += self.sign * (turn.state in SIGNED)
        box.add("text", "note", capital(str(turn)), x=left, y=middle + 4.5)


def turn_note(scene: PictureScene) -> str:
    """What the boxes mean, as far as they occur."""
    texts = "; ".join(f"{state.box}: {state.meaning}" for state in scene.turn_states)
    return f"turns: {texts}" if texts else ""


def turn_words(scene: PictureScene) -> list[str]:
    """The line in words."""
    texts = ", ".join(f"{capital(str(turn))} ({TURNS[turn.state].meaning})" for turn in scene.line)
    return [f"Turns: {texts}"] if texts else []
