"""A sample of the attacks of `attacks.py`; long runs of them are the campaign's."""

import pytest

from tests.attacks import ATTACKS, attack

SAMPLE = {"questions": 40, "loads": 8, "interrupts": 2, "kills": 1, "disks": 6, "threads": 1}


@pytest.mark.parametrize("name", ATTACKS)
def test_attacks(name: str) -> None:
    assert attack(name, 0, SAMPLE[name]).total()


@pytest.mark.campaign
@pytest.mark.parametrize("seed", range(1, 6))
@pytest.mark.parametrize("name", ATTACKS)
def test_attacks_for_long(name: str, seed: int) -> None:
    assert attack(name, seed, 25 * SAMPLE[name]).total()
