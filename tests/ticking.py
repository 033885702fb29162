"""The smallest game that goes on for ever, for records of many steps."""

from __future__ import annotations

from pathlib import Path

GAME = """
ruleset(ticking, "1.0.0", "Ticking").
sort(player, file).        heading(player, players).
sort(number, range(0, 99999)).
fluent(count, (), number, 0).
fluent(turn, (), player, none).
action(go, (player,)).
document(page, "The page").
rule(tick_01). title(tick_01, "On and on"). says(tick_01, "Whoever likes goes on.").
source(tick_01, page, "All"). status(tick_01, stated).
"""

PLAY = """
proposed(go(C), S, tick_01) :- present(C, S), not holds(turn, C, S).
forbidden(go(C), S, tick_01) :- considered(go(C), S), holds(turn, C, S), present(D, S), C != D.
adds(count, 1, go, T, tick_01) :- does(go(_), _, T).
"""


def write_ticking(folder: Path) -> Path:
    """The game in a new *folder*."""
    for part, name, text in (("rules", "game.lp", GAME), ("encodings", "play.lp", PLAY)):
        (folder / part).mkdir(parents=True)
        (folder / part / name).write_text(text, encoding="utf-8")
    return folder
