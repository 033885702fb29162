"""Real browsers for tests of the table: a server in a process, pages in Chromium and in Firefox.

`tests/doors/conftest.py` gives its fixtures to all tests of the doors: `lay` starts a server,
`sit` opens a seat in Chromium, `firefox` is Firefox. A fault on a page fails the test.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.conftest import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Locator, Page
    from websockets.sync.client import ClientConnection

PATIENCE = 40.0  # seconds that a test waits for a page, on a busy machine
# What a browser is called on PATH; the first is the name of its package, too.
NAMES = {
    "Chromium": ("chromium", "chromium-browser", "google-chrome"),
    "Firefox": ("firefox-esr", "firefox"),
}
# The keys that have no sign, as WebDriver numbers them.
KEYS = {
    "Tab": "\ue004", "Enter": "\ue007", "Escape": "\ue00c", "Space": " ", "End": "\ue010",
    "Home": "\ue011", "ArrowLeft": "\ue012", "ArrowUp": "\ue013", "ArrowRight": "\ue014",
    "ArrowDown": "\ue015",
}  # fmt: skip


def program(browser: str) -> str:
    """The path of a browser of this system; the test fails, if there is none."""
    for name in NAMES[browser]:
        if path := shutil.which(name):
            return path
    pytest.fail(f"no {browser} on PATH; install the system's package {NAMES[browser][0]}")


# -- the server ------------------------------------------------------------------------------------


class Laid:
    """A server in a process of its own, and the links that it printed, by the names of seats."""

    def __init__(self, folder: Path, source: str, *options: str) -> None:
        self.folder, self.options = folder, options
        self.links: dict[str, str] = {}
        self.start(source, "0")
        self.record = folder / self.links.pop("record")

    def start(self, source: str = "", port: str = "") -> None:
        """Start it; again, on the record that it has, at the port that it had."""
        port = port or self.links["master"].split(":")[2].partition("/")[0]
        options = self.options if source else ()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "pymorph", "table", source or str(self.record),
             "--no-browser", "--port", port, *options],
            cwd=self.folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1",
                 "PYMORPH_DATA": str(self.folder / "data")},
        )  # fmt: skip
        assert self.process.stdout
        printed = []
        for line in self.process.stdout:
            printed.append(line)
            if line.startswith("press Ctrl-C"):
                break
            name, _, link = line.strip().partition(": ")
            self.links[name] = link
        else:
            pytest.fail("the server does not start:\n" + "".join(printed))
        self.wait_for_port()

    def wait_for_port(self) -> None:
        """Wait until it answers."""
        port = int(self.links["master"].split(":")[2].partition("/")[0])
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            with socket.socket() as trial:
                if trial.connect_ex(("127.0.0.1", port)) == 0:
                    return
            time.sleep(0.05)
        pytest.fail("the server does not listen")

    def stop(self, sign: signal.Signals = signal.SIGTERM) -> None:
        """End it, or kill it."""
        if self.process.poll() is None:
            self.process.send_signal(sign)
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


Lay = Callable[..., Laid]


@pytest.fixture
def lay(tmp_path: Path) -> Iterator[Lay]:
    """Starts the server for a game, or a file, with options of `pymorph table`."""
    started: list[Laid] = []

    def start(source: str, *options: str) -> Laid:
        folder = tmp_path / f"table{len(started)}"
        folder.mkdir()
        started.append(Laid(folder, source, *options))
        return started[-1]

    yield start
    for laid in started:
        laid.stop()


# -- Chromium --------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Chromium of the system."""
    sync_api = pytest.importorskip("playwright.sync_api")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=program("Chromium"), args=["--no-sandbox", "--force-color-profile=srgb"]
        )
        yield browser
        browser.close()


Sit = Callable[..., "Page"]


@pytest.fixture
def sit(chromium: Browser) -> Iterator[Sit]:
    """Opens a link in a browser of its own: `sit(link, width=360, color_scheme="dark")`.

    At the end the test fails on every error of a page and on every breach of its
    Content-Security-Policy, but for those that the pattern *expected* matches.
    """
    contexts = []
    faults: list[tuple[str, str]] = []

    def open_seat(
        link: str, width: int = 1280, height: int = 900, expected: str = "", **more: Any
    ) -> Page:
        context = chromium.new_context(viewport={"width": width, "height": height}, **more)
        context.set_default_timeout(1000 * PATIENCE)
        contexts.append(context)
        page = context.new_page()

        def fault(text: str) -> None:
            faults.append((text, expected))

        page.on("console", lambda said: fault(whole(said)) if said.type == "error" else None)
        page.on("pageerror", lambda error: fault(str(error)))
        page.goto(link)
        page.locator("body[data-ready]").wait_for(state="attached")
        return page

    yield open_seat
    for context in contexts:
        context.close()
    bad = [text for text, expected in faults if not expected or not re.search(expected, text)]
    assert not bad, "\n".join(bad)


def whole(said: ConsoleMessage) -> str:
    """What a console says, and where."""
    return f"{said.text} {said.location['url']}"


def board_button(page: Page, name: str) -> Locator:
    """The place or piece on the board whose spoken name begins so."""
    start = re.compile(rf"^{re.escape(name)}(?![\w])")
    return page.locator("pymorph-board").get_by_label(start).first


def choose(page: Page, *options: str) -> None:
    """Press one button of the actions after the other, each by its beginning."""
    for option in options:
        start = re.compile(rf"^{re.escape(option)}(?![\w])")
        page.locator("pymorph-choices").get_by_role("button", name=start).first.click()


def press(page: Page, *keys: str) -> None:
    """Press keys, one after the other."""
    for key in keys:
        page.keyboard.press(key)


def wait_news(page: Page, pattern: str) -> str:
    """Wait until the live region says what a pattern matches; gives what it says."""
    region = page.locator("#news", has_text=re.compile(pattern))
    region.wait_for(state="attached")
    return region.inner_text()


def axe(page: Page) -> None:
    """Fail on every fault that axe-core finds."""
    found = pytest.importorskip("axe_playwright_python.sync_playwright").Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


# -- Firefox ---------------------------------------------------------------------------------------


class Firefox:
    """Firefox of the system, driven by WebDriver BiDi, as it has it without a driver beside it."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self.numbers, self.faults = count(1), list[str]()
        self.do("session.new", capabilities={})
        self.do("session.subscribe", events=["log.entryAdded"])
        # The window that is there at first never has the focus: keys would press nothing.
        self.tab = self.do("browsingContext.create", type="window")["context"]
        self.do("browsingContext.activate", context=self.tab)

    def do(self, method: str, **given: Any) -> dict[str, Any]:
        """The result of a command."""
        number = next(self.numbers)
        self.connection.send(json.dumps({"id": number, "method": method, "params": given}))
        while True:
            said = json.loads(self.connection.recv(timeout=PATIENCE))
            if said.get("method") == "log.entryAdded" and said["params"]["level"] == "error":
                self.faults.append(said["params"]["text"])
            if said.get("id") == number:
                assert said["type"] == "success", said
                return dict(said["result"])

    def open(self, link: str) -> None:
        """Open a seat, and wait until it is shown."""
        self.do("browsingContext.navigate", context=self.tab, url=link, wait="complete")
        self.wait("document.body.dataset.ready !== undefined")

    def value(self, expression: str) -> Any:
        """The value of an expression on the page: a text, a number or yes or no."""
        target = {"context": self.tab}
        found = self.do("script.evaluate", expression=expression, target=target, awaitPromise=True)
        assert found["type"] == "success", found
        return found["result"].get("value")

    def wait(self, expression: str) -> None:
        """Wait until an expression on the page is true."""
        until = time.monotonic() + PATIENCE
        while not self.value(expression):
            assert time.monotonic() < until, f"never true: {expression}"
            time.sleep(0.05)

    def wait_news(self, pattern: str) -> str:
        """Wait until the live region says what a pattern matches; gives what it says."""
        text = "document.querySelector('#news').textContent"
        self.wait(f"new RegExp({json.dumps(pattern)}).test({text})")
        return str(self.value(text))

    def press(self, *keys: str) -> None:
        """Press keys, one after the other."""
        for key in keys:
            sign = KEYS.get(key, key)
            strokes = [{"type": "keyDown", "value": sign}, {"type": "keyUp", "value": sign}]
            keyboard = {"type": "key", "id": "keyboard", "actions": strokes}
            self.do("input.performActions", context=self.tab, actions=[keyboard])


@pytest.fixture
def firefox(tmp_path: Path) -> Iterator[Firefox]:
    """Firefox with a profile of its own; an error of a page fails the test."""
    client = pytest.importorskip("websockets.sync.client")
    profile, log = tmp_path / "firefox", tmp_path / "firefox.log"
    profile.mkdir()
    command = [program("Firefox"), "--headless", "--profile", profile, "--remote-debugging-port=0"]
    with log.open("w") as written:
        process = subprocess.Popen(command, stdout=written, stderr=written)
    try:
        with client.connect(f"{address_in(log)}/session", max_size=None) as connection:
            browser = Firefox(connection)
            yield browser
    finally:
        process.terminate()
        process.wait(PATIENCE)
    assert not browser.faults, "\n".join(browser.faults)


def address_in(log: Path) -> str:
    """The address that Firefox says it listens at."""
    until = time.monotonic() + 2 * PATIENCE
    while time.monotonic() < until:
        if said := re.search(r"WebDriver BiDi listening on (ws:\S+)", log.read_text()):
            return said[1]
        time.sleep(0.1)
    pytest.fail(f"Firefox does not start: {log.read_text()}")
