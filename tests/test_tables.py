"""What the facts of a game may say: a slip in one is refused where it stands, with what is near."""

from __future__ import annotations

import re
import shutil
import warnings
from pathlib import Path

import pytest

from pymorph.errors import RulesetError, RulesetWarning
from pymorph.ruleset import loader
from tests.conftest import ROOT

# Of each game: what is written, the slip, and what is said of it.
SLIPS = {
    "actions_reactions": [
        ("triggered(riposte, misses_me)", "triggered(riposte, mises_me)",
         "'mises_me' is not in the sort trigger kind; did you mean 'misses_me'?"),
        ("triggered(avenge, has_hit_ally)", "trigered(avenge, has_hit_ally)",
         "nothing reads trigered/2; did you mean 'triggered'?"),
        ("brings(slip_away, step_aside)", "brings(slip_away, step_asid)",
         "'step_asid' is not in the sort effect; did you mean 'step_aside'"),
        ("reaction(give_ground, response)", "reaction(give_ground, respons)",
         "'respons' is not in the sort reaction kind; did you mean 'response'?"),
        ("deed(second_knife, minor)", "deed(second_knife, minr)",
         "'minr' is not in the sort deed type; did you mean 'minor'?"),
        ("object(oak_door, door)", "object(oak_door, dor)",
         "'dor' is not in the sort object kind; did you mean 'door'?"),
        ("weapon(javelin, ranged)", "weapon(javelin, range)",
         "'range' is not in the sort weapon range; did you mean 'ranged'?"),
        ("told_by(parting_shot, act_react_19)", "told_by(parting_shot, act_react_91)",
         "'act_react_91' is not in the sort rule; did you mean"),
        ("works_by(shove, shove)", "works_by(shove, shov)",
         "'shov' is not in the sort power effect; did you mean 'shove'?"),
        ("arms(sheathe, drawn, sheathed)", "arms(sheathe, sheathed)",
         "nothing reads arms/2; there is arms/3"),
        ("concerns(attacks_me, attacks)", "concerns(atacks_me, attacks)",
         "'atacks_me' is not in the sort trigger kind; did you mean 'attacks_me'?"),
        ("brings(R, soft_fall), fall_ahead", "brings(R, soft_fal), fall_ahead",
         "in brings/2 'soft_fal' is not in the sort effect; did you mean 'soft_fall'?"),
        ("attack_die(20)", "attack_die(21)", "'21' is not in the sort face; expected 1 to 20"),
    ],
    "morphyry": [
        ("calls_on(block_and_evade, 1, block)", "calls_on(block_and_evade, 1, blok)",
         "'blok' is not in the sort skill; did you mean 'block'?"),
        ("band(basic_cut, melee)", "band(basic_cut, meleee)",
         "'meleee' is not in the sort band; did you mean 'melee'?"),
        ("deals(earthhammer, crush)", "deals(earthhammer, crusk)",
         "'crusk' is not in the sort damage type; did you mean 'crush'?"),
        ("damage(spark, 2, 1)", "damage(spark, 2, 0)", "'0' is not in the sort points; expected "
                                                       "1 to 20"),
        ("payoff(rush, 3)", "payoff(rosh, 3)",
         "'rosh' is not in the sort technique card; did you mean 'rush'?"),
        ("payoff(front_kick, 2)", "pay_off(front_kick, 2)",
         "nothing reads pay_off/2; did you mean 'payoff'?"),
        ("failure(overhead_blow, (1; 2; 3; 4), stumble)",
         "failure(overhead_blow, 1, stumbel)", "'stumbel' is not in the sort mishap; did you "
                                               "mean 'stumble'?"),
        ("hazard(rubble, moving", "hazard(rubble, movin",
         "'movin' is not in the sort hazard time; did you mean 'moving'?"),
        ("break_value(sword_3, 7)", "break_value(sword_3, 11)",
         "'11' is not in the sort d10; expected 1 to 10"),
        ("kind(dagger_2, dagger)", "kind(dagger_2, digger)",
         "'digger' is not in the sort artifact kind; did you mean 'dagger'?"),
    ],
}  # fmt: skip


@pytest.mark.parametrize("name", SLIPS)
def test_slips(name: str, tmp_path: Path) -> None:
    """All at once: each is a fault of its own, at its line."""
    for part in ("rules", "encodings"):
        shutil.copytree(ROOT / part / name, tmp_path / part)
    texts = {path: path.read_text("utf-8") for path in tmp_path.rglob("*.lp")}
    expected = {}
    for old, new, says in SLIPS[name]:
        path = next(path for path, text in texts.items() if old in text)
        texts[path] = texts[path].replace(old, new, 1)
        expected[path, new] = says
    for path, text in texts.items():
        path.write_text(text, "utf-8")
    with pytest.raises(RulesetError) as raised:
        loader.load(str(tmp_path))
    faults = raised.value.faults
    assert len(faults) == len(expected)
    for (path, new), says in expected.items():
        line = texts[path][: texts[path].index(new)].count("\n") + 1
        rest = texts[path].split("\n")[line - 1]
        assert new.partition("(")[0] in rest
        found = [f for f in faults if says in f.message]
        assert [(f.place.file, f.place.line) for f in found if f.place] == [(str(path), line)]


def test_what_nothing_checks(tmp_path: Path) -> None:
    """Facts that no table declares, and what nothing reads, are told once; the game is played."""
    game = shutil.copytree(ROOT / "pymorph" / "ruleset" / "template", tmp_path / "game")
    rules, play = game / "rules" / "game.lp", game / "encodings" / "play.lp"
    rules.write_text(rules.read_text("utf-8").replace("table(most, (amount,)).\n", ""), "utf-8")
    play.write_text(play.read_text("utf-8") + "idle(C, S) :- holds(turn, C, S).\n", "utf-8")
    with pytest.warns(RulesetWarning) as told:
        loaded = loader.load(str(game))
    said = [re.sub(r"^.*/(\w+\.lp):\d+:\d+", r"\1", doubt) for doubt in loaded.doubts]
    assert said == [
        "play.lp: nothing reads idle/2",
        "game.lp: nothing checks these facts: most/1; declare each with table(Predicate, Sorts)",
    ]
    assert [str(one.message) for one in told] == list(loaded.doubts)
    loader._loaded.cache_clear()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert loader.load(str(game)).doubts == loaded.doubts


def test_places_off_the_board(tmp_path: Path) -> None:
    """Where a game has a board, facts and rules name its places."""
    game = shutil.copytree(ROOT / "examples" / "rulesets" / "connect_four", tmp_path / "game")
    rules, play = game / "rules" / "game.lp", game / "encodings" / "play.lp"
    rules.write_text(rules.read_text("utf-8").replace("foot(c, c1)", "foot(c, c11)"), "utf-8")
    rule = "over(S, con_04) :- situation(S), foot(a, a10).\n"
    play.write_text(play.read_text("utf-8") + rule, "utf-8")
    with pytest.raises(RulesetError) as raised:
        loader.load(str(game))
    said = [fault.message for fault in raised.value.faults]
    assert said == [
        "in foot/2 'a10' is not in the sort square; did you mean 'a1'?",
        "in 'foot(c, c11)' 'c11' is not in the sort square; did you mean 'c1'?",
    ]


def test_a_table_that_comes_later(tmp_path: Path) -> None:
    """A rule that was right without it is looked at again."""
    game = shutil.copytree(ROOT / "pymorph" / "ruleset" / "template", tmp_path / "game")
    rules, play = game / "rules" / "game.lp", game / "encodings" / "play.lp"
    text = rules.read_text("utf-8")
    play.write_text(play.read_text("utf-8").replace("most(M), N > M", "most(12), N > 3"), "utf-8")
    rules.write_text(text.replace("table(most, (amount,)).\n", ""), "utf-8")
    with pytest.warns(RulesetWarning):
        loader.load(str(game))
    rules.write_text(text, "utf-8")
    with pytest.raises(
        RulesetError, match="in most/1 '12' is not in the sort amount; expected 1 to 9"
    ):
        loader.load(str(game))
