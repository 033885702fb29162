"""The links to seats: each has a token that nobody can guess, the same after a restart."""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from base64 import urlsafe_b64encode
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from pymorph.errors import InputError
from pymorph.runtime.installation import user_folder

KEY_BYTES = 32
NAME_BYTES, TOKEN_BYTES = 6, 18  # of what is in a link


class Link(NamedTuple):
    """A seat of a game: what is in its address."""

    game: str
    seat: str
    token: str

    def path(self) -> str:
        """The path of its page, with a slash at the end."""
        return f"/{self.game}/{quote(self.seat, safe='')}/{self.token}/"


class Links:
    """Gives out links, and checks them; *key* is secret."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def game(self, path: str) -> str:
        """The name of a game in links: it shows nothing of the path of its file."""
        return self._digest("game", path, NAME_BYTES)

    def to(self, path: str, seat: str) -> Link:
        """The link to a seat of the game in a file."""
        return Link(self.game(path), seat, self._digest(f"seat {seat}", path, TOKEN_BYTES))

    def is_good(self, link: Link, path: str) -> bool:
        """Does the token of a link belong to its seat?"""
        own = self.to(path, link.seat).token
        return hmac.compare_digest(own.encode(), link.token.encode("utf-8", "replace"))

    def _digest(self, name: str, path: str, size: int) -> str:
        text = f"{name}\0{os.path.realpath(path)}".encode("utf-8", "surrogateescape")
        digest = hmac.new(self._key, text, hashlib.sha256).digest()
        return urlsafe_b64encode(digest[:size]).decode("ascii")


def own_folder() -> Path:
    """The user's folder for what a table keeps beside its records."""
    return user_folder("data", "PYMORPH_DATA")


def own_key() -> bytes:
    """The key of this user, kept in a file that nobody else can read.

    Raises: InputError, if there is none and none can be written.
    """
    file = own_folder() / "table.key"
    with suppress(OSError):
        key = file.read_bytes()
        if len(key) == KEY_BYTES:
            return key
    key = secrets.token_bytes(KEY_BYTES)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.unlink(missing_ok=True)
        with open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as opened:
            opened.write(key)
    except OSError as error:
        raise InputError(f"the key for links cannot be written to {file}: {error}") from None
    return key
