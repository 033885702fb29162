"""The position after an action, as rules read it: a small game in the manner of chess."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner

from pymorph import Position, RulesetError, legal_actions, plan, successors_of
from pymorph.adjudication import batching
from pymorph.asp.passes.ahead import as_written, is_made
from pymorph.asp.stored import Slices
from pymorph.cli.app import cli
from pymorph.explore.execution import application
from pymorph.explore.perft import counting
from pymorph.questions import explanation, figures, legality
from pymorph.ruleset import loader
from pymorph.verify.report import VIOLATED, WITHIN
from pymorph.verify.runner import verify
from pymorph.verify.scope import Scope
from tests.inn import write_game

GAME = r"""
ruleset(shield, "1", "Shield").
surface(". . . .\n. . . .\n. . . .\n. . . .").  symbol(".", square).
sort(player, listed).  member(player, (white; black)).
sort(square, board).
sort(man, listed).  member(man, (white_king; white_rook; black_king; black_rook)).
fluent(turn, (), player, given).
fluent(man, (square,), man, none).
action(move, (player, square, square)).
rival(white, black). rival(black, white).
table(rival, (player, player)). table(is, (man, player, kind)).
sort(kind, listed). member(kind, (king; rook)).
is(white_king, white, king). is(white_rook, white, rook).
is(black_king, black, king). is(black_rook, black, rook).
document(d, "The leaflet of Shield").
rule(shd_01). title(shd_01, "Moves"). says(shd_01, "A rook goes far, a king one step.").
source(shd_01, d, "Play"). status(shd_01, stated).
rule(shd_02). title(shd_02, "Shield"). says(shd_02, "Nobody leaves the own king attacked.").
source(shd_02, d, "Play"). status(shd_02, stated).
rule(shd_03). title(shd_03, "Check"). says(shd_03, "Who attacks the other king says so.").
source(shd_03, d, "Play"). status(shd_03, stated).
rule(shd_04). title(shd_04, "End"). says(shd_04, "Who cannot move ends the game.").
source(shd_04, d, "Play"). status(shd_04, stated).
"""
MOVES = """
way(rook, W) :- W = (north; south; east; west).
way(king, W) :- W = (north; south; east; west; north_west; north_east; south_west; south_east).
beside(P, W, Q) :- P = @places(), way(king, W), Q = @neighbour(P, W).
stands(P, C, K, S) :- holds(man(P), M, S), is(M, C, K).
own(C, Q, S) :- stands(Q, C, _, S).
sees(P, W, Q, S) :- stands(P, _, K, S), way(K, W), beside(P, W, Q).
sees(P, W, Q', S) :-
    sees(P, W, Q, S), stands(P, _, rook, S), not own(_, Q, S), beside(Q, W, Q').
attacked(C, S) :- stands(Q, C, king, S), sees(P, _, Q, S), own(D, P, S), rival(C, D).
goes(C, P, Q, S) :- holds(turn, C, S), own(C, P, S), sees(P, _, Q, S), not own(C, Q, S).
proposed(move(C, P, Q), S, shd_01) :- goes(C, P, Q, S).
forbidden(move(C, P, Q), S, shd_01) :- considered(move(C, P, Q), S), not goes(C, P, Q, S).
clears(man(P), T, shd_01) :- does(move(_, P, _), _, T).
sets(man(Q), M, T, shd_01) :- does(move(_, P, Q), S, T), holds(man(P), M, S).
sets(turn, D, T, shd_01) :- does(move(C, _, _), _, T), rival(C, D).
"""
SHIELD = """
forbidden(A, S, shd_02) :- considered(A, S), actor(A, C), attacked(C, after(A, S)).
"""
CHECK = """
happens(check(Q), T, shd_03) :-
    does(A, S, T), actor(A, C), rival(C, D), attacked(D, after(A, S)),
    stands(Q, D, king, after(A, S)).
"""
END = """
can_go(C, S) :- proposed(A, S, _), actor(A, C), not attacked(C, after(A, S)).
over(S, shd_04) :- holds(turn, C, S), not can_go(C, S).
"""
START = """{ruleset: .., turn: white,
  man: {a1: white_king, b1: white_rook, c4: black_rook, d4: black_king}}
"""


def built(folder: Path, rules: str = MOVES + SHIELD + CHECK + END) -> Path:
    return write_game(folder, GAME, rules, {"start.yaml": START})


@pytest.fixture(scope="module")
def shield(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("games") / "shield")


def standing(shield: Path, men: str, turn: str = "white") -> Position:
    folder = shield / "positions"
    path = folder / "here.yaml"
    path.write_text(f"{{ruleset: .., turn: {turn}, man: {{{men}}}}}\n")
    return Position.load(str(path))


PINNED = "a1: white_king, a2: white_rook, a4: black_rook, d4: black_king"


def against(position: Position, action: str) -> list[str]:
    """The rules that forbid an action, as each way of asking has them."""
    told = explanation.why(position, action)
    rules = [reason.rule.id for reason in told.reasons if reason.role == "forbids"]
    legal = action in map(str, legal_actions(position))
    assert told.legal is legal is (not rules)
    every = {str(each.action): each.rules for each in legality.judge_all(position).forbidden}
    assert list(every.get(action, ())) == rules
    after = {str(done): there for done, there in successors_of([position])[0]}
    assert (action in after) is legal
    if legal:
        assert application.apply(position, action).position == after[action]
    else:
        with pytest.raises(Exception, match=f"is not legal: {', '.join(rules)}"):
            application.apply(position, action)
    return rules


@pytest.mark.parametrize(
    ("action", "rules"),
    [
        ("move(white, a2, a3)", []),  # along the line
        ("move(white, a2, a4)", []),  # it takes what pins it
        ("move(white, a2, b2)", ["shd_02"]),
        ("move(white, a2, c3)", ["shd_01"]),  # what is forbidden anyway leads nowhere
        ("move(white, a1, b1)", []),
    ],
)
def test_a_man_may_not_leave_the_king_attacked(action: str, rules: list[str], shield: Path) -> None:
    assert against(standing(shield, PINNED), action) == rules


@pytest.mark.parametrize(
    ("action", "rules"),
    [
        ("move(white, a1, b1)", ["shd_02"]),  # where the rook looks
        ("move(white, a1, a2)", []),
        ("move(white, a1, b2)", ["shd_02"]),
    ],
)
def test_a_king_may_not_step_where_it_would_be_attacked(
    action: str, rules: list[str], shield: Path
) -> None:
    men = "a1: white_king, b4: black_rook, d4: black_king"
    assert against(standing(shield, men), action) == rules


def test_a_king_does_not_hide_behind_itself(shield: Path) -> None:
    men = "b2: white_king, a2: black_rook, d4: black_king"
    position = standing(shield, men)
    assert against(position, "move(white, b2, c2)") == ["shd_02"]
    assert against(position, "move(white, b2, c1)") == []
    assert against(position, "move(white, b2, a2)") == []  # it takes the rook


@pytest.mark.parametrize(
    ("action", "events"),
    [
        ("move(white, b1, d1)", ["check(d4)"]),
        ("move(white, b1, c1)", []),
        ("move(white, a1, b2)", []),
    ],
)
def test_who_attacks_the_king_says_so(action: str, events: list[str], shield: Path) -> None:
    men = "a1: white_king, b1: white_rook, d4: black_king"
    outcome = application.apply(standing(shield, men), action)
    assert [str(event.event) for event in outcome.events] == events
    assert {event.rule for event in outcome.events} <= {"shd_03"}


def test_a_king_that_steps_aside_uncovers_a_check(shield: Path) -> None:
    men = "b4: white_king, a4: white_rook, d4: black_king"
    outcome = application.apply(standing(shield, men), "move(white, b4, b3)")
    assert [str(event.event) for event in outcome.events] == ["check(d4)"]


MATED = "a1: white_king, a4: black_rook, b4: black_rook, d4: black_king"


def test_the_game_ends_where_nothing_else_would_do(shield: Path) -> None:
    mated = standing(shield, MATED)
    answer = legality.legal(mated)
    assert (answer.actions, answer.over) == ((), ("shd_04",))
    assert "shd_04" in against(mated, "move(white, a1, a2)")
    saved = standing(shield, MATED.replace("b4: black_rook", "b4: black_rook, d3: white_rook"))
    answer = legality.legal(saved)
    assert not answer.over
    assert list(map(str, answer.actions)) == ["move(white, d3, a3)"]


def test_what_leads_there_may_have_to_wait(tmp_path: Path) -> None:
    folder = built(tmp_path / "shield", MOVES + SHIELD.replace("forbidden", "waits"))
    pinned = standing(folder, PINNED)
    told = explanation.why(pinned, "move(white, a2, b2)")
    assert [(each.rule.id, each.role) for each in told.reasons] == [("shd_02", "delays")]
    assert set(map(str, legal_actions(pinned))) == expected(pinned).keys()


BLOCKED = """
forbidden(A, S, shd_03) :- considered(A, S), holds(man(a4), black_rook, S).
over(S, shd_04) :- holds(turn, C, S), not can_go(C, S).
"""


@pytest.mark.parametrize(
    ("can_go", "over"),
    [
        ("can_go(C, S) :- situation(after(A, S)), actor(A, C).", True),
        ("can_go(C, S) :- proposed(A, S, _), actor(A, C).", False),
    ],
)
def test_the_game_may_end_where_nothing_is_left(can_go: str, over: bool, tmp_path: Path) -> None:
    folder = built(tmp_path / "shield", f"{MOVES}{BLOCKED}{can_go}\n")
    free = standing(folder, "a1: white_king, a3: black_rook")
    assert len(legal_actions(free)) == 3
    assert against(free, "move(white, a1, b2)") == []
    barred = standing(folder, "a1: white_king, a4: black_rook")
    assert against(barred, "move(white, a1, b2)") == ["shd_03", *(["shd_04"] if over else [])]
    assert legality.legal(barred).over == (("shd_04",) if over else ())
    assert legality.legal(standing(folder, "a4: black_rook")).over == ("shd_04",)


def sees(men: Mapping[str, str], place: str, target: str) -> bool:
    (x, y), (x2, y2) = ((ord(p[0]) - ord("a"), int(p[1])) for p in (place, target))
    dx, dy = x2 - x, y2 - y
    if men[place].endswith("king"):
        return max(abs(dx), abs(dy)) == 1
    if (dx == 0) == (dy == 0):
        return False
    far = abs(dx + dy)
    between = [(x + dx * n // far, y + dy * n // far) for n in range(1, far)]
    return not any(f"{'abcd'[i]}{j}" in men for i, j in between)


def exposed(men: Mapping[str, str], color: str) -> bool:
    kings = [p for p, m in men.items() if m == f"{color}_king"]
    return any(
        sees(men, place, king)
        for king in kings
        for place, man in men.items()
        if not man.startswith(color)
    )


def men_of(position: Position) -> dict[str, str]:
    known = position.fluents.items()
    return {str(f.arguments[0]): str(v) for f, v in known if f.name == "man"}


def expected(position: Position) -> dict[str, bool]:
    """What the moves of the one to move are, by other means: each with whether it gives check."""
    men, color = men_of(position), str(position.value("turn"))
    other = "black" if color == "white" else "white"
    found = {}
    for place in [p for p, man in men.items() if man.startswith(color)]:
        for target in (f"{x}{y}" for x in "abcd" for y in range(1, 5)):
            if target == place or not sees(men, place, target):
                continue
            if men.get(target, "").startswith(color):
                continue
            after = {p: m for p, m in men.items() if p != place} | {target: men[place]}
            if not exposed(after, color):
                found[f"move({color}, {place}, {target})"] = exposed(after, other)
    return found


def wandered(shield: Path, seed: int, plies: int) -> Iterable[Position]:
    position = Position.load(str(shield / "positions" / "start.yaml"))
    dice = random.Random(seed)
    for _ in range(plies):
        yield position
        after = successors_of([position])[0]
        if not after:
            return
        position = dice.choice(after)[1]


def test_what_is_legal_alone_and_in_a_batch_is_what_it_should_be(shield: Path) -> None:
    positions = [each for seed in range(4) for each in wandered(shield, seed, 8)]
    together = legality.legal_actions_of(positions)
    grown = successors_of(positions)
    for position, actions, after in zip(positions, together, grown, strict=True):
        wanted = expected(position)
        assert set(map(str, actions)) == wanted.keys()
        assert {str(action) for action, _ in after} == wanted.keys()
    position = positions[1]
    for action, check in expected(position).items():
        events = application.apply(position, action).events
        assert bool(events) is check, action


def test_lines_of_play_are_counted(shield: Path) -> None:
    start = Position.load(str(shield / "positions" / "start.yaml"))
    first = [after for _, after in successors_of([start])[0]]
    lengths = [len(expected(start)), sum(len(expected(each)) for each in first)]
    assert list(counting.count(start, 2).sequences) == lengths


def test_a_plan_reaches_the_check(shield: Path) -> None:
    men = "a1: white_king, a2: white_rook, d4: black_king"
    found = plan(standing(shield, men), "happens(check(d4))")
    assert found.found
    assert found.decisions == 1
    pinned = standing(shield, f"a3: black_rook, {men}")
    assert plan(pinned, "happens(check(d4))").decisions > 1


def test_questions_side_by_side_have_the_answers_that_they_have_alone(shield: Path) -> None:
    rows = [standing(shield, PINNED), standing(shield, MATED)]
    actions = ["move(white, a2, b2)", "move(white, a1, a2)"]
    asked = [
        lambda position=position, action=action: explanation.reasons_of(position, action)
        for position, action in zip(rows, actions, strict=True)
    ]
    found = [future.result() for future in batching.together(asked)]
    alone = [explanation.reasons_of(p, a) for p, a in zip(rows, actions, strict=True)]
    assert [each.reasons for each in found] == [each.reasons for each in alone]


LAMP = r"""
ruleset(lamp, "1", "Lamp").
sort(player, file). heading(player, players).
sort(oil, range(-2, 6)).
sort(gauge, range(0, 9)).
sort(way, listed). member(way, (burn; fill; reset; both; drain)).
fluent(turn, (), player, given).
fluent(oil, (player,), oil, 2).
fluent(lit, (), player, none).
action(do, (player, way)).
action(twice, (player,)).
figure(glow, (), gauge, 0, 9).
figure(then, (), gauge, 0, 9).
document(d, "The leaflet of Lamp").
rule(lmp_01). title(lmp_01, "Ways"). says(lmp_01, "There are five ways.").
source(lmp_01, d, "Play"). status(lmp_01, stated). raises(lmp_01, thirst).
rule(lmp_02). title(lmp_02, "Low"). says(lmp_02, "A lamp that runs low may not burn.").
source(lmp_02, d, "Play"). status(lmp_02, stated).
question(thirst). asks(thirst, "How much does a lamp burn?").
option(thirst, little). means(thirst, little, "One.").
option(thirst, much). means(thirst, much, "Three.").
default(thirst, little). because(thirst, "It is a small lamp.").
"""
BURNING = """
proposed(do(C, W), S, lmp_01) :- holds(turn, C, S), member(way, W).
proposed(twice(C), S, lmp_01) :- holds(turn, C, S).
unfolds(twice(C), do(C, burn), do(C, burn), S) :- considered(twice(C), S).
thirst(1, S) :- reading(thirst, little, S).
thirst(3, S) :- reading(thirst, much, S).
adds(oil(C), -N, wick, T, lmp_01) :- does(do(C, burn), S, T), thirst(N, S).
adds(oil(C), 5, can, T, lmp_01) :- does(do(C, fill), _, T).
adds(oil(C), 3, cup, T, lmp_01) :- does(do(C, both), _, T).
sets(oil(C), 1, T, lmp_01) :- does(do(C, both), _, T).
clears(oil(C), T, lmp_01) :- does(do(C, reset), _, T).
adds(oil(C), -20, tap, T, lmp_01) :- does(do(C, drain), _, T).
sets(lit, C, T, lmp_01) :- does(do(C, burn), _, T).
oil(C, N, S) :- holds(oil(C), N, S).
oil(C, 2, S) :- present(C, S), not holds(oil(C), _, S).
happens(left(N, L), T, lmp_01) :-
    does(A, S, T), oil(anna, N, after(A, S)), lit(L, after(A, S)).
lit(C, S) :- holds(lit, C, S).
lit(nobody, S) :- situation(S), not holds(lit, _, S).
forbidden(A, S, lmp_02) :- considered(A, S), actor(A, C), oil(C, 0, after(A, S)).
entry(glow, C, N, S, lmp_01) :- oil(C, N, S), N > 0.
entry(then, A, N, S, lmp_01) :-
    considered(A, S), A = do(_, fill), total(glow, N, after(A, S)).
"""
AT_TABLE = "{ruleset: .., turn: anna, players: {anna: {}, bo: {oil: 3}}}\n"


@pytest.fixture(scope="module")
def lamp(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("games") / "lamp"
    return write_game(folder, LAMP, BURNING, {"start.yaml": AT_TABLE})


def test_what_is_looked_at_is_what_comes_about(lamp: Path) -> None:
    """Values that are kept, set, cleared, added to, both, at their default, past their range."""
    start = Position.load(str(lamp / "positions" / "start.yaml"))
    seen: dict[str, set[int]] = {}
    positions = [start]
    for _ in range(3):
        grown = successors_of(positions)
        for position, row in zip(positions, grown, strict=True):
            for action, after in row:
                if action.name != "do":
                    continue
                [event] = application.apply(position, action).events
                left = int(str(after.value("oil(anna)")))
                lit = str(after.value("lit")).replace("none", "nobody")
                assert str(event.event) == f"left({left}, {lit})"
                seen.setdefault(str(action.arguments[1]), set()).add(left)
        positions = list(dict.fromkeys(after for row in grown for _, after in row))
    assert seen["burn"] >= {1, 5, 3}
    assert seen["fill"] == {3, 6}  # no further than the range
    assert (seen["both"], seen["reset"], seen["drain"]) == ({4}, {2}, {-2})


def test_the_position_after_is_read_as_it_is_ruled(lamp: Path) -> None:
    start = Position.load(str(lamp / "positions" / "start.yaml"))
    near = application.apply(start, "do(anna, burn)").position  # with one left
    told = explanation.why(near, "do(anna, burn)")
    assert [reason.rule.id for reason in told.reasons] == ["lmp_02"]
    assert [(each.question, each.option) for each in told.readings] == [("thirst", "little")]
    assert explanation.why(near.with_rulings({"thirst": "much"}), "do(anna, burn)").legal


def test_a_figure_may_be_of_the_position_after(lamp: Path) -> None:
    start = Position.load(str(lamp / "positions" / "start.yaml"))
    told = {str(each.name): each.value for each in figures.forecast(start).figures}
    assert told == {"glow": 5, "then": 9}


def test_of_what_is_made_of_several_its_steps_are_looked_at(lamp: Path) -> None:
    start = Position.load(str(lamp / "positions" / "start.yaml"))
    assert explanation.why(start, "twice(anna)").legal
    outcome = application.apply(start, "twice(anna)")
    assert [str(step.action) for step in outcome.steps] == ["do(anna, burn)"]
    assert str(outcome.position.value("oil(anna)")) == "1"


CASES = """
- id: pinned
  rules: [shd_02, shd_03]
  position: {ruleset: .., turn: white, man: {a1: white_king, a2: white_rook, a4: black_rook}}
  expect:
    - legal: ["move(white, a2, a3)"]
      illegal: {"move(white, a2, b2)": [shd_02]}
- id: check
  rules: [shd_03]
  position: {ruleset: .., turn: white, man: {a1: white_king, a2: white_rook, d4: black_king}}
  expect:
    - do: "move(white, a2, a4)"
      events: ["check(d4)"]
"""


def test_cases_may_tell_of_it(shield: Path) -> None:
    (shield / "cases").mkdir()
    (shield / "cases" / "shield.yaml").write_text(CASES)
    found = CliRunner().invoke(cli, ["test", str(shield)], standalone_mode=False)
    assert (found.exception, found.return_value) == (None, 0), found.output
    assert "2 test cases" in found.output


COUNTING = """
over(S, shd_04) :-
    situation(S), 0 = #count { A : considered(A, S), not attacked(white, after(A, S)) },
    not own(C, a1, S) : considered(A, S), actor(A, C), not attacked(C, after(A, S)).
"""


def test_a_rule_is_told_as_it_is_written(tmp_path: Path) -> None:
    folder = built(tmp_path / "shield", MOVES + SHIELD + CHECK + END + COUNTING)
    slices = loader.load(str(folder)).slices
    assert isinstance(slices, Slices)
    rows = zip(slices.statements, slices.written, strict=True)
    texts = [part.text for part, (*_, trusted) in rows if not trusted and is_made(part.text)]
    assert len(texts) == 4
    for text in texts:
        told = as_written(text)
        assert "__" not in told
        assert told.count("after(") == text.count("after(") - text.count("seen(")


FAULTS = {
    "a change": (
        "sets(turn, C, T, shd_03) :- does(A, S, T), actor(A, C), attacked(C, after(A, S)).",
        "sets/4 decides which actions exist or what they change, so it cannot depend on after(A, "
        "S)",
    ),
    "by the way, a change": (
        "risky(A, S) :- considered(A, S), actor(A, C), attacked(C, after(A, S)).\n"
        "sets(turn, C, T, shd_03) :- does(A, S, T), actor(A, C), risky(A, S).",
        "risky/2 decides which actions exist or what they change",
    ),
    "a change by whether it is legal": (
        "sets(turn, C, T, shd_03) :- does(A, S, T), actor(A, C), not to_act(C, S).",
        "so it cannot depend on after(A, S): sets/4 depends on it (",
    ),
    "what is proposed": (
        "proposed(move(C, P, Q), S, shd_01) :- "
        "own(C, P, S), sees(P, _, Q, S), attacked(C, after(move(C, P, Q), S)).",
        "write proposed(A, S, R) without it, and forbidden(A, S, R) for what leads there",
    ),
    "two levels": (
        "forbidden(A, S, shd_02) :- "
        "considered(A, S), considered(B, S), actor(A, C), attacked(C, after(B, after(A, S))).",
        "in after(A, S), S must be a situation, without another after",
    ),
    "what is legal then": (
        "forbidden(A, S, shd_02) :- considered(A, S), legal(_, after(A, S)).",
        "another after(A, S), but what this reads there (legal/2) depends on",
    ),
    "a head": (
        "risky(after(A, S)) :- considered(A, S), proposed(A, S, shd_04), risky(S).",
        "after(A, S) must be the situation of an atom, as in holds(F, V, after(A, S))",
    ),
    "a comparison": (
        "over(T, shd_04) :- considered(A, S), T = after(A, S), over(T, shd_04).",
        "after(A, S) must be the situation of an atom",
    ),
    "no situation": (
        "forbidden(A, S, shd_02) :- considered(A, S), not is(white_king, white, after(A, S)).",
        "is/3 takes no situation, so it cannot take after(A, S)",
    ),
    "the value after a transition": (
        "happens(gone(P), T, shd_03) :- does(_, _, T), next(man(P), _, T).",
        "only the rules of properties can read next/3; write "
        "holds(F, V, S) for the position before, or holds(F, V, after(A, S))",
    ),
    "a fluent of a transition": (
        "happens(gone(P), T, shd_03) :- does(move(_, P, _), _, T), not holds(man(P), _, T).",
        "holds/3 takes a situation, but T is a transition; write "
        "holds(man(P), _, S) for the position before, or holds(man(P), _, after(A, S))",
    ),
    "what follows of one": (
        "happens(check(D), T, shd_03) :- does(A, S, T), actor(A, C), rival(C, D), attacked(D, T).",
        "attacked/2 takes a situation, but T is a transition; write attacked(D, S) "
        "for the position before, or attacked(D, after(A, S)) for the position after the action A",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_what_cannot_be_there_is_refused_with_its_place(name: str, tmp_path: Path) -> None:
    added, says = FAULTS[name]
    folder = built(tmp_path / "shield", f"{MOVES}{SHIELD}{CHECK}{END}{added}\n")
    with pytest.raises(RulesetError) as error:
        loader.load(str(folder))
    assert says in str(error.value)
    assert "play.lp:" in str(error.value)


def test_what_is_told_of_a_transition_is_read_of_it(tmp_path: Path) -> None:
    more = """
moved(C, T) :- does(move(C, _, _), _, T).
happens(begun(C), T, shd_03) :- does(A, S, T), moved(C, T), sets(turn, _, T, _), own(C, _, S).
"""
    folder = built(tmp_path / "shield", MOVES + SHIELD + more)
    start = Position.load(str(folder / "positions" / "start.yaml"))
    assert application.apply(start, "move(white, b1, c1)").events[0].rule == "shd_03"


KEPT = """
property(shielded). meaning(shielded, "Nobody may leave the own king attacked.").
speaks(shielded, S) :- legal(_, S).
violated(shielded, C, S, shd_02) :- legal(A, S), actor(A, C), attacked(C, after(A, S)).
"""


@pytest.mark.parametrize(("rules", "status"), [(SHIELD, WITHIN), (CHECK, VIOLATED)])
def test_verify_looks_at_the_position_after_too(rules: str, status: str, tmp_path: Path) -> None:
    small = GAME.replace(r". . . .\n. . . .\n. . . .\n. . . .", r". . .\n. . .")
    folder = write_game(tmp_path / "shield", small, MOVES + rules, {})
    (folder / "rules" / "properties").mkdir()
    (folder / "rules" / "properties" / "kept.lp").write_text(KEPT)
    [told] = verify(Scope(loader.load(str(folder))), ["shielded"], jobs=1).checked
    assert told.status == status


def test_nothing_is_added_to_rules_that_do_not_look_ahead(tmp_path: Path) -> None:
    folder = built(tmp_path / "shield", MOVES)
    texts = [part.text for part in loader.load(str(folder)).slices["whole"].parts]
    assert not [text for text in texts if "__" in text]
