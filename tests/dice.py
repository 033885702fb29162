"""A small game of chance for the tests: dice that follow actions, rolls that follow rolls."""

from pathlib import Path

from tests.games import file_text, write_game

GAME = file_text("stall/rules/game.lp")
PLAY = file_text("stall/encodings/play.lp")
TIED = "enough(C, S), not higher(C, S)."
assert TIED in PLAY
WITHOUT_TIES = PLAY.replace(TIED, "C = #min { D : enough(D, S) }.")  # with as many the first wins


def write_stall(folder: Path, play: str = PLAY) -> Path:
    """The game in a new *folder*, with a position as positions/start.yaml."""
    return write_game(folder, GAME, play, {"start.yaml": file_text("stall/positions/start.yaml")})
