"""The comparison of the answers of two revisions."""

import pytest

from pymorph.cli.app import VERBS
from tools import answers


def test_difference(capsys: pytest.CaptureFixture[str]) -> None:
    """A difference is printed as a diff of its answer, cut to so many lines, and counted."""
    questions = [answers.Question("", "legal", line) for line in ("legal a.yaml", "legal b.yaml")]
    before = [["legal a.yaml", "1\n2\n3\n"], ["legal b.yaml", "1\n"]]
    assert answers.compared(questions, before, [["legal a.yaml", "1\n3\n"], before[1]], 5) == 1
    printed = capsys.readouterr().out.splitlines()
    assert printed[:3] == ["== legal a.yaml", "--- before", "+++ now"]
    assert printed[4:] == [" 1", "-2", "...", "1 of 2 answers differ"]
    assert answers.compared(questions, before, before, 5) == 0


def test_new_verb() -> None:
    """A verb of the command line that the table has not is reported."""
    overview = "Usage\n  x  y\n\nCommands:\n" + "".join(f"  {v}  Text.\n" for v in VERBS)
    assert answers.missing(overview) == []
    assert answers.missing(f"{overview}  dance  Dance.\n") == ["dance"]
