"""Tic-tac-toe, in which it is a question whether a diagonal is a row."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.conftest import EXAMPLES
from tests.games import file_text

QUESTION = file_text("diagonals/questions.lp")
READ = file_text("diagonals/rows.lp")


def write_diagonals(folder: Path) -> Path:
    """The game in a new *folder*, and where play of it begins."""
    shutil.copytree(EXAMPLES / "rulesets" / "tictactoe", folder)
    rules, play = folder / "rules" / "game.lp", next((folder / "encodings").glob("*.lp"))
    rules.write_text(rules.read_text().replace("tictactoe,", "diagonals,") + QUESTION)
    lines = [
        line
        for line in play.read_text().splitlines()
        if not line.startswith(("in_line(C, S) :-", "row(P, Q, R)  :-", "spared(P, C, S) :-"))
        and "row(X, Y, Z)" not in line
        and "P != Z" not in line
    ]
    play.write_text("\n".join(lines) + "\n" + READ)
    return folder / "positions" / "start.yaml"
