"""Disputes at the table: a ruling is in force at once, and long questions can be stopped."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import pymorph
from pymorph.adjudication import precedents
from pymorph.adjudication.case import Case
from pymorph.doors.seats import MASTER, Table
from pymorph.doors.table import tasks
from pymorph.doors.table.jobs import Jobs, Limits
from pymorph.errors import InputError, PymorphError, UnknownName
from pymorph.state import rulings
from tests.conftest import ROOT

FLYING = ROOT / "examples/rulesets/nine_mens_morris/rules/disputes/flying.yaml"
CROSS = ROOT / "examples/disputes/right_cross.yaml"
FLY = "move(white, a7, e4)"
CLAIMS = [
    {"by": "Ann", "claim": f"legal({FLY})", "rule": "nmm_04"},
    {"by": "Bo", "claim": f"illegal({FLY})"},
]

At = Callable[..., Any]


@pytest.fixture
def at(tmp_path: Path) -> At:
    """Lays a case, and asks for a task of a seat, by default of the master."""

    def lay(case: Path) -> At:
        path = str(tmp_path / "game.yaml")
        Table.laid(path, Case.load(case).position, "1")
        return lambda task, seat=MASTER, **given: tasks.work(None, path, seat, task, given)

    return lay


def house(folder: Path) -> str:
    return (folder / rulings.NAME).read_text(encoding="utf-8")


def test_what_decides(at: At) -> None:
    found = at(CROSS)(
        "dispute",
        claims=[
            {"by": "Ann", "claim": "readies(baganal) = 0", "rule": "MOR-INT-04"},
            {"by": "Bo", "claim": "readies(baganal) = 2", "rule": "mor_tick_03"},
        ],
    )
    (question,) = found["questions"]
    assert question["id"] == "inertia_score"
    verdicts = {each["option"]: each["verdicts"] for each in question["options"]}
    assert verdicts["whole_card"] == ["rejected", "upheld"]
    assert found["cited"] == [
        {"rule": "mor_int_04", "cites": True},
        {"rule": "mor_tick_03", "cites": False},
    ]


def test_ruled_and_withdrawn(at: At, tmp_path: Path) -> None:
    ask = at(FLYING)
    item = "  # old\n  - {question: two_mills, option: each}\n"
    before = f"# ours\nruleset: nine_mens_morris\nrulings:\n{item}"
    (tmp_path / rulings.NAME).write_text(before, encoding="utf-8")
    assert ask("ask", verb="why", options={"what": FLY})["data"]["legal"]
    assert ask("rule", question="flying", option="along_lines", why='"no": so #1') == {
        "changes": []
    }
    assert house(tmp_path).startswith(before)
    refused = ask("ask", verb="why", options={"what": FLY})
    assert refused["data"]["legal"] is False
    assert refused["tree"][2][2] == ["span", "no", "not legal"]
    assert ask("play", "white", action=FLY)["tree"] == refused["tree"]
    two, flying = sorted(ask("rulings", "white")["rulings"], key=lambda one: -len(one["question"]))
    assert (two["option"], flying["why"], flying["here"]) == ("each", '"no": so #1', True)
    ask("rule", question="flying", option="any_point")
    assert house(tmp_path).count("flying") == 1
    ask("withdraw", question="flying")
    assert house(tmp_path) == before
    ask("withdraw", question="two_mills")
    assert ask("rulings") == {"rulings": []}
    ask("play", "white", action=FLY)
    assert [row["action"] for row in ask("screen")["record"]] == [FLY]


def test_no_ruling_against_the_record(at: At, tmp_path: Path) -> None:
    """What was played stays legal, and rulings for another game stay as they are."""
    ask = at(FLYING)
    ask("play", action=FLY)
    with pytest.raises(InputError, match="not legal"):
        ask("rule", question="flying", option="along_lines")
    assert not (tmp_path / rulings.NAME).exists()
    (tmp_path / rulings.NAME).write_text("ruleset: tictactoe\nrulings: []\n", encoding="utf-8")
    with pytest.raises(InputError, match="another game"):
        ask("rule", question="two_mills", option="each")
    assert house(tmp_path).startswith("ruleset: tictactoe")


def test_under_a_ruling_play_goes_on(at: At) -> None:
    ask = at(FLYING)
    ask("rule", question="two_mills", option="each")
    ask("play", action=FLY)
    ask("undo")
    ask("play", action=FLY)
    ask("withdraw", question="two_mills")
    assert [row["action"] for row in ask("screen")["record"]] == [FLY]
    assert ask("rulings") == {"rulings": []}


def test_only_the_master_rules(at: At) -> None:
    ask = at(FLYING)
    assert ask("dispute", "black", claims=CLAIMS)["data"]["claims"][0]["verdict"] == "depends"
    for task in ("rule", "withdraw", "save"):
        with pytest.raises(InputError, match="only the master"):
            ask(task, "white", question="flying", option="along_lines", claims=CLAIMS)
    for given in ({"question": "flyin", "option": "x"}, {"question": "flying", "option": "x"}):
        with pytest.raises(PymorphError, match="unknown"):
            ask("rule", **given)


@pytest.mark.parametrize(
    "claims",
    [
        None,
        [],
        "legal",
        ["legal"],
        [{"claim": ""}],
        [{"claim": "legal(x)"}],
        [{"claim": f"legal({FLY})", "by": "x\nclaims: []"}],
        [{"claim": f"legal({FLY})", "by": "\x1b"}],
        [{"claim": f"legal({FLY})", "rule": "no_such_rule"}],
        [{"claim": "happens(mill(white))"}],
        CLAIMS * 7,
    ],
)
def test_claims_that_cannot_be_judged(at: At, claims: Any) -> None:
    with pytest.raises(InputError):
        at(FLYING)("dispute", claims=claims)


def test_saved(at: At, tmp_path: Path) -> None:
    ask = at(FLYING)
    ask("rule", question="two_mills", option="each", why="as we always did")
    names = [ask("save", title="May he fly?", note="<b>'", claims=CLAIMS)["id"] for _ in range(2)]
    assert names == ["may_he_fly", "may_he_fly_2"]
    (entry, _), errors = precedents.read_all(tmp_path / "precedents")
    assert errors == []
    assert (entry.title, entry.note, entry.questions) == (
        "May he fly?",
        "<b>'",
        {"flying", "two_mills"},
    )
    assert entry.decided.startswith("two_mills = each")
    assert precedents.recheck(entry.id, Path(entry.file)).changes == ()


def test_forecast(at: At) -> None:
    found = at(CROSS)("forecast")
    figures = {figure["name"]: figure for figure in found["data"]["figures"]}
    assert found["times"] == ["turns"]
    assert (figures["turns_to_payoff(baganal)"]["value"], figures["readies(baganal)"]["unit"]) == (
        2,
        "readies",
    )


def test_jobs(tmp_path: Path) -> None:
    """A plan is stopped, another one is late; each keeps what it found, for its own seat."""
    path = str(tmp_path / "game.yaml")
    Table.laid(path, pymorph.position("connect_four"), "1")
    given = {"kind": "plan", "options": {"goal": "wins(red)", "by": "red", "within": "30"}}

    async def until(jobs: Jobs, good: Callable[[Any], bool]) -> Any:
        for _ in range(600):
            if good(state := jobs.state(path, "red")):
                return state
            await asyncio.sleep(0.1)
        raise AssertionError(jobs.state(path, "red"))

    async def play() -> None:
        jobs = Jobs(Limits(1, 60.0))
        try:
            await jobs.start(path, "red", given)
            assert jobs.state(path, MASTER) == {"state": "none"}
            with pytest.raises(InputError, match="another job"):
                await jobs.start(path, "red", given)
            await until(jobs, lambda job: "answer" in job)
            jobs.stop(path, "red")
            found = await until(jobs, lambda job: job["state"] != "running")
            assert found["state"] == "stopped"
            assert found["answer"]["lines"][1].startswith("stopped: no line of ")
            with pytest.raises(UnknownName, match="unknown option 'play'"):
                await jobs.start(path, "red", {**given, "options": {"play": path}})
            await jobs.start(
                path, "red", {"kind": "odds", "options": {"actions": ["drop(red, a)"]}}
            )
            found = await until(jobs, lambda job: job["state"] not in ("waiting", "running"))
            assert found["state"] == "done"
            assert found["answer"]["data"]["branches"][0]["probability"] == "1"
        finally:
            jobs.close()
        jobs = Jobs(Limits(1, 2.0))
        try:
            await jobs.start(path, "red", given)
            found = await until(jobs, lambda job: job["state"] not in ("waiting", "running"))
            assert found["state"] == "late"
        finally:
            jobs.close()

    asyncio.run(play())
