"""The fixtures of tests with a real browser."""

import pytest

from tests.doors.browsers import chromium, firefox, lay, sit

__all__ = ["chromium", "firefox", "lay", "sit"]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--pictures", action="store_true", help="take the guide's pictures anew")
