"""Slips in a ruleset of one's own: each has its place, the rule's text, and what is meant."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pymorph import Position, RulesetError, Session, successors_of

Run = Callable[..., tuple[int, str, str]]
START = "my_game/positions/start.yaml"
PLAY = Path("my_game/encodings/play.lp")
LINE = re.compile(r"my_game/encodings/play\.lp:\d+:\d+: ")

# What is added at the end, the line below the last and the column that are told, and what is said.
SLIPS = {
    "unsafe variable": (
        "forbidden(take(C, N), S, heap_02) :- considered(take(C, _), S).",
        (1, 19), "the variable 'N' has no value",
        "give it a value in a condition without 'not'",
    ),
    "misspelt predicate": (
        "forbidden(take(C, N), S, heap_02) :- consdered(take(C, N), S).",
        (1, 38), "unknown predicate consdered/2; did you mean 'considered'", "",
    ),
    "misspelt predicate in a head": (
        "forbiden(take(C, N), S, heap_02) :- considered(take(C, N), S), holds(last, N, S).",
        (1, 1), "nothing reads forbiden/3; did you mean 'forbidden'?", "",
    ),
    "wrong arity": (
        "forbidden(take(C, N), S) :- considered(take(C, N), S).",
        (1, 1), "unknown predicate forbidden/2; there is forbidden/3",
        "write as many arguments as that has",
    ),
    "missing dot": (
        "most(4)\nlost(5).",
        (2, 1), "'lost' is not expected here", "add a '.' at the end of the statement be",
    ),
    "missing dot at the end": (
        "forbidden(take(C, N), S, heap_02) :- considered(take(C, N), S)",
        (1, 1), "the last statement has no '.' at its end", "add a '.' at its end",
    ),
    "bracket that is not closed": (
        "forbidden(take(C, N), S, heap_02) :- considered(take(C, N, S).",
        (1, 48), "'(' is not closed before '.'", "add a closing bracket before the '.'",
    ),
    "bracket that is not opened": (
        "forbidden(take(C, N)), S, heap_02) :- considered(take(C, N), S).",
        (1, 34), "')' closes nothing", "remove it, or add an opening bracket",
    ),
    "script": (
        "#script (lua).", (1, 1), "'#script' is not allowed in a ruleset",
        "write rules instead: a ruleset has no program code",
    ),
    "include": (
        '#include "more.lp".', (1, 1), "'#include' is not allowed in a ruleset",
        "remove it: all .lp files of the folder are read together",
    ),
    "undeclared action": (
        "proposed(grab(C, 1), S, heap_01) :- holds(turn, C, S).",
        (1, 1), "unknown action 'grab'; expected take",
        "declare it with action(name, sorts)",
    ),
    "action of another arity": (
        "forbidden(take(C), S, heap_01) :- considered(take(C), S).",
        (1, 1), "unknown action 'take/1'; there is take(player, amount)",
        "declare it with action(name, sorts)",
    ),
    "undeclared fluent": (
        "over(S, heap_03) :- holds(heep, 0, S).",
        (1, 1), "unknown fluent 'heep'; did you mean 'heap'?", "",
    ),
    "undeclared event": (
        "event(1, (emptied; halved)).\nhappens(emtied(C), T, heap_02) :- does(take(C, _), _, T).",
        (2, 1), "unknown event 'emtied'; did you mean 'emptied'? If it is new, declare event", "",
    ),
    "undeclared event that is like no other": (
        "event(4, emptied).\nhappens((emptied; rang), T, heap_02) :- does(take(_, _), _, T).",
        (2, 1), "unknown event 'rang'; expected emptied; if it is new, declare event(5, rang)", "",
    ),
    "undeclared event that a rule asks about": (
        "event(1, emptied).\nover(S, heap_03) :- sought(emptid(_), S).",
        (2, 1), "unknown event 'emptid'; did you mean 'emptied'?", "",
    ),
    "event in quotes": (
        'event(1, emptied).\nhappens("emptied", T, heap_02) :- does(take(_, _), _, T).',
        (2, 1), "'emptied' is a text in quotes; an event is a plain term",
        "remove the quotes",
    ),
    "unknown rule": (
        "over(S, heap_30) :- holds(heap, 0, S).",
        (1, 1), "unknown rule 'heap_30'; did you mean 'heap_03'", "",
    ),
    "unknown question": (
        "over(S, heap_03) :- holds(heap, 0, S), reading(same_agin, barred, S).",
        (1, 1), "unknown question 'same_agin'; did you mean 'same_again'?", "",
    ),
    "unknown option": (
        "over(S, heap_03) :- holds(heap, 0, S), not reading(same_again, (bared; allowed), S).",
        (1, 1), "unknown option of same_again: 'bared'; did you mean 'barred'?", "",
    ),
    "unknown option of whatever question": (
        "over(S, heap_03) :- holds(heap, N, S), N = #count { Q : reading(Q, odd, S) }.",
        (1, 1), "unknown option of any question: 'odd'; expected one of allowed, barred",
        "declare it with question(Q) and option(Q, O)",
    ),
    "unknown option that is compared": (
        "over(S, heap_03) :- holds(heap, 0, S), reading(same_again, O, S), O != bared.",
        (1, 1), "unknown option of same_again: 'bared'; did you mean 'barred'?", "",
    ),
    "unknown option as a default": (
        "default(same_again, alowed).",
        (1, 1), "in default/2 unknown option of same_again: 'alowed'; did you mean 'allowed'?", "",
    ),
    "unknown question that a rule raises": (
        "raises(heap_01, same_agan).",
        (1, 1), "in raises/2 unknown question 'same_agan'; did you mean 'same_again'?", "",
    ),
    "value outside its sort": (
        "sets(heap, 100, T, heap_02) :- does(take(_, 3), _, T).",
        (1, 1), "value '100' of heap is not in the sort counters; expected 0 to 99",
        "write a value of that sort",
    ),
    "counting without end": (
        "n(0). m(1).\nn(X + 1) :- n(X).\nover(S, heap_03) :- holds(heap, N, S), n(N), m(N).",
        (2, 1), "n/1 counts up without end", "add a bound, such as N < 10",
    ),
    "counting without end, in two steps": (
        "n(0, S) :- situation(S).\nn(Y, S) :- n(X, S), Y = X + 1, holds(turn, _, S).\n"
        "over(S, heap_03) :- n(5, S), holds(heap, 5, S).",
        (2, 1), "n/2 counts up without end", "add a bound, such as N < 10",
    ),
    "text where a term is meant": (
        'over(S, heap_03) :- holds("heap", 0, S).',
        (1, 1), "'heap' is a text in quotes; a fluent is a plain term",
        "remove the quotes",
    ),
    "text where a rule is meant": (
        'over(S, "heap_03") :- holds(heap, 0, S).',
        (1, 1), "'heap_03' is a text in quotes; write a rule's id without quotes",
        "remove the quotes",
    ),
    "variable that starts small": (
        "forbidden(take(c, N), S, heap_02) :- considered(take(c, N), S), holds(last, N, S).",
        (1, 1), "'c' starts with a small letter, but nothing else uses it",
        "start the name of a variable with a capital letter",
    ),
    "number that starts small": (
        "over(S, heap_03) :- holds(heap, n, S), n <= 0.",
        (1, 1), "value 'n' of heap is not in the sort counters; expected 0 to 99",
        "write a number of that range, or a variable",
    ),
    "circle through not": (
        "a(S) :- situation(S), not b(S).\nb(S) :- situation(S), not a(S).\n"
        "over(S, heap_03) :- a(S), holds(heap, 10, S).",
        (1, 1), "the rules allow several answers: a position needs exactly one answer set",
        "let b/1 depend on the position before, such as holds(...), and not on a/1; a 'not' is "
        "in a circle: a/1 depends on 'not b/1', and b/1 on a/1",
    ),
    "own opposite": (
        "a(S) :- situation(S), not a(S).\nover(S, heap_03) :- a(S), holds(heap, 10, S).",
        (1, 1), "the rules contradict each other: a position needs exactly one answer set",
        "let a/1 depend on the position before, such as holds(...), and not on a/1; a 'not' is "
        "in a circle: a/1 depends on 'not a/1'",
    ),
    "over where nothing is legal": (
        "over(S, heap_03) :- holds(turn, C, S), not to_act(C, S).",
        (1, 1), "the rules allow several answers: a position needs exactly one answer set",
        "replace legal by a predicate of your own that does not read over, such as can_move(C, S); "
        "a 'not' is in a circle: over/2 depends on 'not to_act/2', and to_act/2 on over/2, because "
        "nothing is legal where the game",
    ),
    "comment of another language": (
        "# a note\nover(S, heap_03) :- holds(heap, 10, S).",
        (1, 1), "'#' is not allowed in a ruleset; comments start with '%'", "",
    ),
    "comment behind a rule": (
        "over(S, heap_03) :- holds(heap, 10, S). #todo: ten",
        (1, 41), "'#todo' is not allowed in a ruleset; comments start with '%'", "",
    ),
    "directive": (
        "#defnied most/2.", (1, 1), "'#defnied' is not allowed in a ruleset", "",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SLIPS)
def test_slip(name: str, my_game: Path, pymorph: Run) -> None:
    rules, (below, column), said, meant = SLIPS[name]
    before = PLAY.read_text("utf-8")
    PLAY.write_text(before + rules + "\n", "utf-8")
    code, out, err = pymorph("legal", START)
    assert (code, out) == (2, "")
    lines = err.splitlines()
    place = f"{PLAY}:{len(before.splitlines()) + below}:{column}: "
    told = [line for line in lines if line.removeprefix(f"{my_game.parent}/").startswith(place)]
    assert len(told) == 1, lines
    assert said in told[0]
    assert meant in told[0]
    assert f" | {rules.splitlines()[0 if 'dot' in name else below - 1]}" in told[0]
    assert all(LINE.match(line) for line in lines), "one line each"
    assert not re.search(r"Traceback|<block>|<string>|error:|info:", err)


def refused(pymorph: Run) -> str:
    """The one line that is said when an action is carried out by rules that cannot be right."""
    code, out, err = pymorph("apply", START, "take(anna, 1)")
    assert (code, out) == (2, "")
    [line] = err.splitlines()
    assert LINE.match(line)
    return line


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("sets(heap, K - N, T", "sets(heap, K - 20 * N, T",
         "heap would be '-10', which is not in the sort counters; expected 0 to 99 (heap_02)"),
        ("sets(turn, D, T, heap_01) :- does(take(C, _), S, T), present(D, S), D != C.",
         "sets(turn, nobody, T, heap_01) :- does(take(_, _), _, T).",
         "turn would be 'nobody', which is not in the sort player; expected one of anna, bo "
         "(heap_01)"),
    ],
)  # fmt: skip
def test_value_that_comes_about(old: str, new: str, told: str, my_game: Path, pymorph: Run) -> None:
    text = PLAY.read_text("utf-8")
    assert old in text
    PLAY.write_text(text.replace(old, new), "utf-8")
    line = refused(pymorph)
    assert told in line
    assert "forbid what leads there" in line
    assert " | sets(" in line


BELOW = "heap would be '-10', which is not in the sort counters; expected 0 to 99 (heap_02)"


@pytest.mark.parametrize(
    "words",
    [
        ("apply", START, "take(anna, 1)", "--odds"),
        ("plan", START, "--goal", "heap = 2"),
        ("count", START, "--depth", "2", "--jobs", "1"),
    ],
    ids=lambda words: " ".join(words[::3]),
)
def test_value_that_comes_about_in_any_verb(
    words: tuple[str, ...], my_game: Path, pymorph: Run
) -> None:
    """Whoever looks ahead meets it as well, and says whose it is, and where."""
    text = PLAY.read_text("utf-8").replace("sets(heap, K - N, T", "sets(heap, K - 20 * N, T")
    PLAY.write_text(text, "utf-8")
    code, out, err = pymorph(*words)
    assert (code, out) == (2, "")
    [line] = err.splitlines()
    assert LINE.match(line)
    assert BELOW in line
    position = Position.load(START)
    with pytest.raises(RulesetError, match=re.escape(BELOW)):
        Session(position).push("take(anna, 1)")
    with pytest.raises(RulesetError, match=re.escape(BELOW)):
        successors_of([position])


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ("sets(taken(nobody), 1, T, heap_02) :- does(take(_, _), _, T).",
         "taken(nobody) would change, but 'nobody' is not in the sort player; expected one of "
         "anna, bo ("),
        ("adds(taken(N), 1, x, T, heap_02) :- does(take(_, N), _, T).",
         "taken(1) would change, but '1' is not in the sort player; expected one of anna, bo "
         "(heap_02)"),
        ("regards(taken(C, 1), C) :- present(C, _).\n"
         "sets(F, 1, T, heap_02) :- does(take(C, _), _, T), regards(F, C).",
         "taken(anna, 1) would change, but the fluent is declared as taken(player) (heap_02)"),
    ],
)  # fmt: skip
def test_change_of_what_cannot_be(more: str, told: str, my_game: Path, pymorph: Run) -> None:
    PLAY.write_text(f"{PLAY.read_text('utf-8')}{more}\n", "utf-8")
    line = refused(pymorph)
    assert told in line
    assert "add a condition that says what its arguments are" in line
    assert f" | {more.splitlines()[-1][:5]}" in line


def test_without_end_in_a_circle(my_game: Path) -> None:
    """What no look at the text tells ends with the time, or else with the memory."""
    endless = (
        "n(0). n(X + 1) :- m(X). m(X) :- n(X).\nover(S, heap_03) :- holds(heap, 10, S), m(9).\n"
    )
    PLAY.write_text(PLAY.read_text("utf-8") + endless, "utf-8")
    script = (
        "from pymorph.runtime import limits; from pymorph.cli import app; "
        "limits.MEMORY = {} << 20; app.main()"
    )
    for most, words, code, told in (
        (2000, ["legal", START, "--timeout", "0.5"], 3, "pymorph: no answer within 0.5 seconds\n"),
        (
            100,
            ["legal", START],
            2,
            "pymorph: the answer needs more than 0.1 GB and does not end; give each ",
        ),
    ):
        found = subprocess.run(
            [sys.executable, "-c", script.format(most), *words],
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert found.returncode == code
        assert found.stdout == ""
        assert found.stderr.startswith(told)
        assert len(found.stderr.splitlines()) == 1
