"""Which pymorph this is, where it is installed, and which folders are the user's."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

VERSION = "0.4.0"
ROOT = Path(__file__).resolve().parent.parent  # of the installed package


def user_folder(kind: str, variable: str, below: str = "") -> Path:
    """The folder that an environment variable names, or what is *below* the user's own for a *kind*
    of files: cache, config or data."""
    chosen = os.environ.get(variable)
    if chosen:
        return Path(chosen).expanduser()
    import platformdirs

    return Path(getattr(platformdirs, f"user_{kind}_dir")("pymorph", appauthor=False), below)


@contextmanager
def extra(name: str) -> Iterator[None]:
    """Imports in the block need the packages of an extra.

    Raises: ImportError with the command that installs them, where one is absent.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        command = f"pip install 'pymorph-referee[{name}]'"
        raise ImportError(f"{error.name} is not installed; {command}", name=error.name) from None
