"""What is told of movement, to people and to programs."""

import json
from pathlib import Path

from tests.conftest import Run

CLEARING = Path(__file__).resolve().parents[2] / "examples/clearing/begun.yaml"


def test_rates_are_read_in_inches(tmp_path: Path, pymorph: Run) -> None:
    """qsr_move_03: 7 inches, and half as many more; half inches only where there is a half."""
    text = CLEARING.read_text("utf-8").replace("card: warden", "card: courier")
    fight = tmp_path / "fight.yaml"
    fight.write_text(text.replace("ready: sword", "ready: dagger").replace("push: 3", "push: 1"))
    rates = [f"rate(ada, {speed})" for speed in ("walk", "run", "rush")]
    code, out, _ = pymorph("forecast", fight, *rates, "rate(bo, walk)")
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert code == 0
    assert "rate(ada, walk) 7 inches Courier~ 7 [qsr_econ_09]" in lines
    assert "rate(ada, run) 10 1/2 inches Courier~ 7 + Run 3 1/2 [qsr_econ_09, qsr_move_03]" in lines
    assert "rate(bo, walk) 6 inches Basic 6 [qsr_move_02]" in lines
    code, out, _ = pymorph("forecast", fight, rates[1], "--json")
    [figure] = json.loads(out)["figures"]
    assert (figure["value"], figure["unit"]) == (21, "half_inches")
