"""The site: every page is in its navigation, and what Sphinx builds is whole and fetches nothing.

It is built where the extra `docs` is installed, as `.ci/run` does.
"""

import subprocess
import sys
from html.parser import HTMLParser
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.conftest import ROOT

BUILDERS = ("sphinx", "myst_parser", "furo")


class Links(HTMLParser):
    """What a page links to, what it loads, and the anchors in it."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.anchors: set[str] = set()
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for key, value in attrs:
            if key == "id":
                self.anchors.add(value or "")
            elif key in ("href", "src") and value:
                (self.links if tag == "a" else self.loads).append(value)


@pytest.mark.campaign
@pytest.mark.skipif(not all(map(find_spec, BUILDERS)), reason="the extra docs is not installed")
def test_the_site_is_whole(tmp_path: Path) -> None:
    """No warning, no link to nothing, no picture missing, and nothing from elsewhere is loaded."""
    site = tmp_path / "site"
    command = [sys.executable, "-m", "sphinx", "-W", "-q", "-E", "-d", str(tmp_path / "read")]
    nowhere = dict.fromkeys(("http_proxy", "https_proxy"), "http://127.0.0.1:9")
    built = subprocess.run(
        [*command, "-c", "docs", ".", str(site)],
        cwd=ROOT,
        env={"PATH": "", **nowhere},
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stderr
    pages = {page: Links(page) for page in site.rglob("*.html")}
    assert site / "docs" / "howto" / "write_a_game.html" in pages
    assert (site / "searchindex.js").exists()
    wrong = []
    for page, found in pages.items():
        wrong += [(page.name, link) for link in found.loads if "://" in link]
        for link in [*found.links, *found.loads]:
            path, _, anchor = link.partition("#")
            path = path.partition("?")[0]
            if path.startswith("data:"):  # a picture that is in the page itself
                continue
            target = (page.parent / path).resolve() if path else page
            known = pages[target].anchors if target in pages else {anchor}
            if "://" not in link and not (target.exists() and (not anchor or anchor in known)):
                wrong.append((page.name, link))
    assert wrong == []
