"""What holds on squares holds on a table in inches of the same shape, case by case."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from pymorph.adjudication import test_runner
from pymorph.state import test_case
from tests.tables import tables

CASES = Path(__file__).parent / "cases"
SPACE = r"([a-l])([1-6])"
TWINS = {"covert": "covert_lawn"}
UNLIKE = tables(__name__)["unlike"]


def in_inches(text: str) -> str:
    """An action that names a space, with the middle of it."""
    found = re.fullmatch(rf"(move|creep)(\(\w+, \w+, ){SPACE}\)", text)
    if not found:
        return text
    kind, start, column, row = found.groups()
    point = f"[{ord(column) - 97}.5, {int(row) - 1}.5]"
    return f"go{start}[{point}])" if kind == "move" else f"creep{start}{point})"


def on_a_table(said: Any, key: str = "", written: bool = False) -> Any:
    """What a case on squares says, with the middles of its spaces, and ways for moves."""
    if isinstance(said, dict):
        written = written or key in ("holds", "seen")
        return {in_inches(str(k)): on_a_table(v, str(k), written) for k, v in said.items()}
    if isinstance(said, list):
        return [on_a_table(each) for each in said]
    if not isinstance(said, str):
        return said
    place = re.fullmatch(SPACE, said) if key.startswith(("at(", "token_at(")) else None
    if place:
        point = [ord(place[1]) - 97 + 0.5, int(place[2]) - 0.5]
        return str(point) if written else point
    return in_inches(said)


@pytest.mark.verdicts
@pytest.mark.parametrize("file", ["hiding", "detecting"])
def test_as_on_squares(file: str, tmp_path: Path) -> None:
    """What holds on squares holds on a table of the same shape, but for what is told to differ."""
    cases = [each for each in yaml.safe_load((CASES / f"{file}.yaml").read_text())
             if each.get("base") in TWINS]  # fmt: skip
    twins = [{**on_a_table(each), "base": TWINS[each["base"]]} for each in cases]
    (tmp_path / "bases.yaml").write_text((CASES / "bases.yaml").read_text())
    (tmp_path / "twins.yaml").write_text(yaml.safe_dump(twins, width=9999))
    found = test_runner.faults_of(read := test_case.load(tmp_path / "twins.yaml"))
    faulty = {case.id: faults for case, faults in zip(read, found, strict=True) if faults}
    assert faulty.keys() == UNLIKE.keys() & {each["id"] for each in cases}, faulty
