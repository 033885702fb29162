"""A quiz: the same lines for a seed, keys that the rules confirm, and what answerers score."""

import json
import os
import shlex
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path

import jsonschema
import pytest

import pymorph
from pymorph import InputError
from pymorph.cli.app import run
from pymorph.doors.quiz import quiz_lines, scoring, situations
from pymorph.doors.quiz.quiz_lines import QuizAnswer, QuizLine
from pymorph.runtime.installation import ROOT

GAMES = ("tictactoe", "nine_mens_morris", "standoff", "morphyry")
EXAMPLES = ROOT.parent / "examples" / "quiz"
NUMBER = 16


@cache
def lines() -> tuple[QuizLine, ...]:
    return tuple(situations.quiz(GAMES, NUMBER, 5))


def the_right_answer(line: QuizLine) -> QuizAnswer:
    """What the key of a line says."""
    key = line.key
    assert key is not None
    return QuizAnswer(line.id, key.verdict, key.rules, key.depends_on)


def program(name: str, *words: str) -> str:
    """The command of an answerer that ships as an example."""
    return shlex.join([sys.executable, str(EXAMPLES / f"{name}.py"), *words])


def scored(name: str, *words: str) -> scoring.QuizGroup:
    given = list(scoring.answers_of(program(name, *words), lines(), 60))
    return scoring.score(lines(), given).total


def test_the_seed_alone_makes_the_lines() -> None:
    """In another process, where sets have another order, too."""
    made = "".join(map(quiz_lines.written, situations.quiz(("nine_mens_morris", "standoff"), 6, 5)))
    words = ["quiz", "make", "nine_mens_morris", "standoff", "--number", "6", "--seed"]

    def elsewhere(seed: str) -> str:
        command = [sys.executable, "-m", "pymorph", *words, seed]
        hashed = {**os.environ, "PYTHONHASHSEED": "1"}
        return subprocess.run(command, env=hashed, capture_output=True, encoding="utf-8").stdout

    assert elsewhere("5") == made
    assert {*elsewhere("6").splitlines()}.isdisjoint(made.splitlines())


def test_half_of_them_are_played_and_no_verdict_is_most_of_them() -> None:
    keys = [line.key for line in lines() if line.key]
    assert len(keys) == NUMBER == len({line.id for line in lines()})
    assert sum(key.source == "play" for key in keys) == NUMBER // 2
    words = Counter(key.verdict for key in keys)
    assert words.keys() >= {"upheld", "rejected", "depends"}
    assert max(words.values()) <= 0.7 * NUMBER
    assert {line.game for line in lines()} == {*GAMES}


def test_each_key_is_what_the_rules_say_of_the_text_of_its_line() -> None:
    """Of the default reading by a fresh question: `why` of an action, or the figure itself."""
    asked = Counter[str]()
    for line in lines():
        assert line.key is not None
        position = pymorph.Position.parse(line.position)
        word, _, rest = line.claim.partition("(")
        if word in ("legal", "illegal") and line.claim.endswith(")"):
            answer = pymorph.why(position, rest[:-1])
            if answer.legal is None:
                assert line.key.verdict == "depends"
            else:
                upheld = answer.legal is (word == "legal")
                assert line.key.by_default == ("upheld" if upheld else "rejected"), line.id
                assert {*line.key.rules} & {reason.rule.id for reason in answer.reasons}, line.id
            asked["action"] += 1
        asked["all"] += 1
        assert {*line.key.rules} < {*line.rules}, "there are others to pick from"
        for name, text in line.rules.items():
            assert text == " ".join(position.ruleset.rules[name].says.split())
        assert {*line.key.depends_on} & {*line.open_questions} == {
            name for name in line.key.depends_on if name in position.ruleset.questions
        }
        assert line.picture.isascii()
    assert asked["action"] > asked["all"] / 2


def test_a_dispute_has_the_verdict_under_each_reading() -> None:
    several = [line.key for line in lines() if line.key and line.key.depends_on]
    assert several
    for key in several:
        assert {r.verdict for r in key.readings} >= {key.by_default}
        named = {question for reading in key.readings for question in reading.under}
        assert named <= {*key.depends_on}
        assert len({r.verdict for r in key.readings}) > 1 or not named


@pytest.mark.doors
def test_the_referee_that_reads_the_lines_has_all_points() -> None:
    total = scored("referee")
    for points in total[1:]:
        assert points.right == points.of > 0
        assert points.most == 1.0


def test_always_legal_has_the_points_of_those_that_are() -> None:
    total = scored("always_legal")
    true = sum(
        line.key is not None
        and line.key.verdict == ("rejected" if line.claim.startswith("illegal(") else "upheld")
        for line in lines()
    )
    assert (total.verdict.right, total.rules.right, total.depends_on.right) == (true, 0, 0)
    assert 0 < true < NUMBER


def test_guesses_are_those_of_their_seed() -> None:
    assert scored("guess", "3") == scored("guess", "3")
    assert scored("guess", "3").verdict.right < NUMBER


def test_what_costs_points() -> None:
    line = next(line for line in lines() if line.key and line.key.depends_on and line.key.rules)
    right = the_right_answer(line)

    def points(answer: scoring.QuizReply) -> tuple[int, ...]:
        return tuple(one.right for one in scoring.score([line], [answer]).total[1:])

    other = next(name for name in line.rules if line.key and name not in line.key.rules)
    assert points(right) == (1, 1, 1)
    assert points(right._replace(verdict="upheld")) == (0, 1, 1)
    assert points(right._replace(rules=right.rules[:1])) == (1, 1, 1)
    assert points(right._replace(rules=(*right.rules, other))) == (1, 0, 1)
    assert points(right._replace(rules=())) == (1, 0, 1)
    assert points(right._replace(depends_on=("nothing_known",))) == (1, 1, 0)
    assert points("no answer") == (0, 0, 0)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("import sys; sys.exit(1)", "the answerer ended without an answer"),
        ("input(); print('I think it is legal')", "not JSON: 'I think it is legal'"),
        ("input(); print('[]')", "the line is an object, not '[]'"),
        ("input(); print('{}')", "the line lacks the key 'id'"),
        ("import time; time.sleep(60)", "no answer within 0.3 seconds"),
        (
            'input(); print(\'{"id": "x", "verdict": "upheld"}\')',
            "the answer has the id 'x', not '5-1'",
        ),
        (
            'input(); print(\'{"id": "5-1", "verdict": "yes"}\')',
            "'verdict' is 'upheld' or 'rejected' or 'inapplicable' or 'depends', not 'yes'",
        ),
        ("print(1, end='')", "the line has no end"),
    ],
)
def test_a_bad_answer_costs_its_points_and_never_the_run(text: str, why: str) -> None:
    wait = 0.3 if "sleep" in text else 30
    given = list(scoring.answers_of(shlex.join([sys.executable, "-c", text]), lines()[:2], wait))
    assert given[0] == why
    score = scoring.score(lines()[:2], given)
    assert score.total.verdict == scoring.Points(0, 2)
    assert [one.id for one in score.unanswered] == ["5-1", "5-2"]


def test_an_answerer_that_is_not_there() -> None:
    with pytest.raises(InputError, match="cannot start the answerer 'no-such-program'"):
        list(scoring.answers_of("no-such-program", lines()[:1], 1))


def test_lines_and_answers_fit_their_schemas() -> None:
    of_line, of_answer = quiz_lines.schema("line"), quiz_lines.schema("answer")
    for drawn in (of_line, of_answer):
        jsonschema.Draft202012Validator.check_schema(drawn)
    for line in lines():
        text = quiz_lines.written(line)
        jsonschema.validate(json.loads(text), of_line)
        assert quiz_lines.parse(QuizLine, text) == line
        jsonschema.validate(json.loads(quiz_lines.written(the_right_answer(line))), of_answer)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"id": "1", "verdict": "maybe"}, of_answer)


def test_faults_of_a_file_have_its_lines(tmp_path: Path) -> None:
    good = quiz_lines.written(lines()[0])
    data = json.loads(good)
    wrong = [
        "{",
        json.dumps({**data, "id": 1}),
        json.dumps({**data, "key": {**data["key"], "verdict": "maybe"}}),
        json.dumps({key: value for key, value in data.items() if key != "claim"} | {"claims": ""}),
        json.dumps({**data, "rules": {"a": 1}}),
    ]
    path = tmp_path / "quiz.jsonl"
    path.write_text(good + "\n".join(wrong) + "\n" + good, encoding="utf-8")
    with pytest.raises(InputError) as error:
        quiz_lines.load(str(path))
    texts = [str(fault).removeprefix(f"{path}:") for fault in error.value.faults]
    assert texts == [
        "2:1: not JSON: '{'",
        "3:1: 'id' is a text, not '1'",
        "4:1: 'verdict' is 'upheld' or 'rejected' or 'inapplicable' or 'depends', not 'maybe'",
        "5:1: the line lacks the key 'claim'; did you mean 'claims'?",
        "6:1: 'rules' of 'a' is a text, not '1'",
        f"7:1: the id '{lines()[0].id}' is given twice",
    ]


def test_the_verbs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`ask` prints no key; a file of answers is scored, and what is no answer in it is not."""
    path, answers = tmp_path / "quiz.jsonl", tmp_path / "answers.jsonl"
    made = ["quiz", "make", "tictactoe", "standoff", "--number", "4", "--seed", "2"]
    assert run([*made, "--to", str(path)]) == 0
    assert capsys.readouterr().out == f"wrote {path}: 4 questions\n"
    assert run(made) == 0
    assert capsys.readouterr().out == path.read_text(encoding="utf-8")
    assert run(["quiz", "ask", str(path)]) == 0
    questions = capsys.readouterr().out
    assert "key" not in json.loads(questions.partition("\n")[0])
    right = [the_right_answer(line) for line in quiz_lines.load(str(path))]
    answers.write_text("".join(map(quiz_lines.written, right[:3])) + "?\n", encoding="utf-8")
    assert run(["quiz", "score", str(path), "--answers", str(answers), "--json"]) == 0
    score = json.loads(capsys.readouterr().out)
    assert score["total"]["verdict"]["right"] == 3
    assert score["unanswered"] == [{"id": "2-4", "why": f"{answers}:4:1: not JSON: '?'"}]
    assert run(["quiz", "score", str(path), "--answers", str(answers)]) == 0
    assert "3 of 4 (30 to 95 %)" in capsys.readouterr().out
    path.write_text(questions, encoding="utf-8")
    assert run(["quiz", "score", str(path), "--answers", str(answers)]) == 2
    assert "the questions have no key" in capsys.readouterr().err
    assert run(["quiz", "score", str(path)]) == 2
