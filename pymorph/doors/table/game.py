"""A game that people sit at: what its seats see, who listens, and what was taken back."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
from collections import defaultdict
from collections.abc import AsyncIterator
from typing import Any, NamedTuple

from pymorph.doors.table.guard import BOUNDS
from pymorph.doors.table.pool import ProcessPool
from pymorph.doors.table.tasks import work
from pymorph.errors import PymorphError
from pymorph.state.record import Move

BEAT = 15.0  # seconds after which a listener hears that the server is there
QUICK = ("screen", "choices", "play", "undo", "redo", "players")  # tasks that others wait for
ATTEMPTS = 3  # at a screen, where the game goes on meanwhile

Stamp = tuple[Any, ...]  # of a file: another one where it was written to


class Screen(NamedTuple):
    """What a seat sees, as JSON, and a *digest* of it; *stamp* is that of the record."""

    stamp: Stamp
    data: bytes
    digest: str


class Game:
    """A game that people sit at; its state is its record, and the pages show where it is.

    A seat hears of a change only where its screen is another one: a step that leaves no trace for
    it is no news.
    """

    def __init__(self, path: str, pool: ProcessPool) -> None:
        self.path, self.pool = path, pool
        self.undone: list[Move] = []
        self.pages: dict[str, set[asyncio.Event]] = defaultdict(set)
        self.waiting: dict[str, int] = defaultdict(int)  # questions of each seat
        self.questions: dict[str, asyncio.Semaphore] = defaultdict(
            lambda: asyncio.Semaphore(BOUNDS.at_once)
        )
        self.one_changes = asyncio.Lock()
        self.news_of_seats = 0  # rises when somebody comes or goes
        self._changes = 0
        self._noticed: Stamp = ()
        self._screens: dict[str, Screen] = {}
        self._announced: dict[str, str] = {}
        self._at_work: dict[str, asyncio.Task[Screen]] = {}
        self._announcements: set[asyncio.Task[None]] = set()

    async def ask(self, seat: str, task: str, given: dict[str, Any]) -> Any:
        """The answer to a task of a seat."""
        long = task not in QUICK
        return await self.pool.ask(work, self.path, seat, task, given, about=self.path, long=long)

    # -- what a seat sees ------------------------------------------------------------------------

    def stamp(self) -> Stamp:
        """What differs if the record has been written to."""
        try:
            found = os.stat(self.path)
        except OSError:
            return (self._changes,)
        return (self._changes, found.st_ino, found.st_mtime_ns, found.st_size)

    async def screen(self, seat: str) -> Screen:
        """What a seat sees now; it is worked out once, however many pages show it.

        Raises: PymorphError, as the task does.
        """
        for _ in range(ATTEMPTS):
            stamp, known = self.stamp(), self._screens.get(seat)
            if known is None or known.stamp != stamp:
                if seat not in self._at_work:
                    self._at_work[seat] = asyncio.create_task(self._work_out(seat, stamp))
                known = await asyncio.shield(self._at_work[seat])
            if known.stamp == self.stamp():
                break
        assert known is not None
        return known

    async def _work_out(self, seat: str, stamp: Stamp) -> Screen:
        try:
            shown = await self.ask(seat, "screen", {})
        finally:
            del self._at_work[seat]
        text = json.dumps(shown, ensure_ascii=False, separators=(",", ":"))
        data = text.encode("utf-8", "replace")
        digest = hashlib.sha256(data).hexdigest()[:16]
        self._screens[seat] = Screen(stamp, data, digest)
        return self._screens[seat]

    # -- news ------------------------------------------------------------------------------------

    def changed(self, by: str) -> None:
        """Tell the seats whose screen is another one that the game went on."""
        self._changes += 1
        self.notice(by)

    def notice(self, by: str = "") -> None:
        """Look whether somebody has written to the record."""
        stamp = self.stamp()
        if stamp != self._noticed:
            self._noticed = stamp
            task = asyncio.create_task(self._announce_all(by))
            self._announcements.add(task)
            task.add_done_callback(self._announcements.discard)

    async def _announce_all(self, by: str) -> None:
        """Give the news to all seats, first the one that has acted. They come one by one: a process
        that has drawn a board once has it for all who see the same."""
        for seat in sorted(self.pages, key=lambda seat: seat != by):
            if self.pages[seat]:
                await self._announce(seat)

    async def _announce(self, seat: str) -> None:
        try:
            digest = (await self.screen(seat)).digest
        except PymorphError:
            digest = "none"  # a page that asks hears why
        if digest != self._announced.get(seat):
            self._announced[seat] = digest
            for page in self.pages[seat]:
                page.set()

    def seats_changed(self) -> None:
        """Tell whoever runs the game that somebody came or went, or is played by a computer."""
        self.news_of_seats += 1
        for pages in self.pages.values():
            for page in pages:
                page.set()

    async def news(self, seat: str, of_seats: bool) -> AsyncIterator[str]:
        """Server-sent events: the digest of the screen of a seat, whenever it is another one."""
        page = asyncio.Event()
        self.pages[seat].add(page)
        self.seats_changed()
        heard, digest = -1, ""
        try:
            await self._announce(seat)
            while True:
                page.clear()
                if digest != self._announced[seat]:
                    digest = self._announced[seat]
                    yield f"data: {digest}\n\n"
                if of_seats and heard != self.news_of_seats:
                    heard = self.news_of_seats
                    yield f"event: seats\ndata: {heard}\n\n"
                try:
                    await asyncio.wait_for(page.wait(), BEAT)
                except TimeoutError:
                    yield ": still here\n\n"
        finally:
            self.pages[seat].discard(page)
            self.seats_changed()
