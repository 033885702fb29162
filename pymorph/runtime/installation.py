"""Which pymorph this is, and where it is installed."""

from __future__ import annotations

from pathlib import Path

VERSION = "0.4.0"
ROOT = Path(__file__).resolve().parent.parent  # of the installed package
