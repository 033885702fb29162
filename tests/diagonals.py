"""Tic-tac-toe, in which it is a question whether a diagonal is a row."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.conftest import EXAMPLES

QUESTION = """
question(diagonals). raises(ttt_03, diagonals).
asks(diagonals, "Is a diagonal a row?"). because(diagonals, "Some say so.").
option(diagonals, yes). means(diagonals, yes, "Yes."). default(diagonals, yes).
option(diagonals, no).  means(diagonals, no, "No.").
question(names). raises(ttt_01, names).
asks(names, "How is a mark called?"). because(names, "Nobody says.").
option(names, mark). means(names, mark, "A mark."). default(names, mark).
option(names, sign). means(names, sign, "A sign.").
"""
READ = """in_line(C, S) :-
    row(P, D, Q, R), counts(D, S), holds(cell(P), C, S), holds(cell(Q), C, S), holds(cell(R), C, S).
spared(P, C, S) :-
    checking(S), holds(cell(P), C, S), row(X, D, Y, Z), counts(D, S), holds(cell(X), C, S),
    holds(cell(Y), C, S), holds(cell(Z), C, S), P != X, P != Y, P != Z.
row(P, D, Q, R) :- square(P), beside(P, D, Q), beside(Q, D, R).
counts((east; north), S) :- situation(S).
counts((north_east; north_west), S) :- reading(diagonals, yes, S).
"""


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
