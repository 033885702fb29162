"""The golden cases and worked examples, one test each, under their own numbers."""

from __future__ import annotations

from typing import Any

import pytest

from tests import casework


@pytest.mark.parametrize("case", casework.all_cases("morphyry"))
def test_case(case: dict[str, Any]) -> None:
    casework.run(case)
