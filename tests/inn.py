"""A small game with a board, cards of which some are hidden, rulings and figures, for the tests."""

from pathlib import Path

from tests.games import file_text, write_game

GAME = file_text("inn/rules/game.lp")
PLAY = file_text("inn/encodings/play.lp")
POSITION = file_text("inn/positions/dinner.yaml")


def write_inn(folder: Path) -> Path:
    """The game in a new *folder*, with the position above as positions/dinner.yaml."""
    return write_game(folder, GAME, PLAY, {"dinner.yaml": POSITION})
