"""The rules of calls and failures for cards that a designer has added to the starter set."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml

from pymorph.terms import parse_symbol
from tests.conftest import ROOT, position_of
from tests.morphyry import casework

HERE = Path(__file__).parent
CASES = yaml.load((HERE / "fumbles.yaml").read_text(encoding="utf-8"), casework.Loader)


@pytest.fixture(scope="module")
def fumbles(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ruleset of one's own: the shipped one with a few more cards."""
    folder = tmp_path_factory.mktemp("games") / "fumbles"
    for part in ("rules", "encodings"):
        shutil.copytree(ROOT / part / "morphyry", folder / part)
    shutil.copy(HERE / "fumbles.lp", folder / "rules")
    return folder


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in CASES])
def test_case(case: dict[str, Any], fumbles: Path) -> None:
    base = yaml.load((casework.FOLDER / "bases.yaml").read_text(encoding="utf-8"), casework.Loader)
    start = position_of({**base[case["base"]], "ruleset": str(fumbles)}, case["id"])
    wanted = {parse_symbol(f): parse_symbol(str(value)) for f, value in case["set"].items()}
    casework.expect(start.with_changes(wanted), case["expect"], case["id"])
