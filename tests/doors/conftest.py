"""The fixtures of tests with a real browser."""

from tests.doors.browsers import chromium, firefox, lay, sit

__all__ = ["chromium", "firefox", "lay", "sit"]
