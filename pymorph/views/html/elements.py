"""The parts of which pages in a notebook are made. What people wrote is text in them, never markup.

They are parts of a page of somebody else: they fetch nothing, bring their own colours, and take the
ground and the letters of that page, which may be dark.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from base64 import b64encode
from collections.abc import Iterable, Sequence
from importlib import resources
from typing import Any

from pymorph.errors import visible
from pymorph.ruleset.loader import Ruleset
from pymorph.views.layout import KEY, MARK, Style
from pymorph.views.width import TIE

Child = str | ET.Element
SHEET = resources.files(__package__).joinpath("page.css").read_text("utf-8")

# Lone surrogates, which no text can hold, around what has a style.
OPENING = dict(zip("\ud800\ud801\ud802\ud803", Style._fields, strict=True))
CLOSING = "\ud804"
MARKED = re.compile(f"([{''.join(OPENING)}])([^{CLOSING}]*){CLOSING}")
STYLE = Style(*(lambda text, mark=mark: f"{mark}{text}{CLOSING}" for mark in OPENING))


def tag(name: str, kind: str = "", *children: Child, **attributes: str) -> ET.Element:
    """An element of a class, with its children in order."""
    element = ET.Element(name, {"class": f"pymorph-{kind}"} if kind else {})
    for key, value in attributes.items():
        element.set(key.replace("_", "-"), visible(value, "\n"))
    for child in children:
        if isinstance(child, ET.Element):
            element.append(child)
        elif len(element):
            element[-1].tail = (element[-1].tail or "") + child
        else:
            element.text = (element.text or "") + child
    return element


def styled(text: str) -> list[Child]:
    """A text that `STYLE` marked, in parts, each marked one an element of its style."""
    parts: list[Child] = []
    end = 0
    for match in MARKED.finditer(text):
        parts += [text[end : match.start()], tag("span", OPENING[match[1]], match[2])]
        end = match.end()
    return [*parts, text[end:]]


def block(lines: Iterable[str]) -> ET.Element:
    """Lines as they are set for a terminal."""
    return tag("pre", "", *styled("\n".join(lines)))


def badge(word: str, good: bool | None) -> ET.Element:
    """A verdict in one word, with its colour."""
    return tag("span", {True: "yes", False: "no", None: "open"}[good], word)


def table(rows: Iterable[Sequence[Child]], heads: Sequence[str] = ()) -> ET.Element:
    """A table; the first cell of each row names what the others are about."""
    body = tag("table", "", *([tag("tr", "", *(tag("th", "", h) for h in heads))] if heads else []))
    for first, *cells in rows:
        row = [tag("th", "", *cell_of(first)), *(tag("td", "", *cell_of(cell)) for cell in cells)]
        body.append(tag("tr", "", *row))
    return body


def cell_of(content: Child) -> list[Child]:
    """What is in a cell: an element, or a text with its styles."""
    return styled(content) if isinstance(content, str) else [content]


def section(title: str, *children: Child) -> ET.Element:
    """What somebody may open to see more."""
    return tag("details", "", tag("summary", "", title), *children)


def image(svg: str, title: str) -> ET.Element:
    """A picture on its own: its styles and names do not meet those of the page."""
    data = b64encode(svg.encode("utf-8")).decode("ascii")
    return tag("img", "", src=f"data:image/svg+xml;base64,{data}", alt=title)


def page(ruleset: Ruleset | None, *children: Child) -> ET.Element:
    """Children as a part of a page. What no source has so is explained, where it has its mark."""
    root = tag("div", "page", *children)
    text = "".join(root.itertext())
    if ruleset is not None and ruleset.ours and MARK in text and KEY not in text:
        root.append(tag("p", "dim", KEY))
    spoken = ruleset.vocabulary.rulers.spoken if ruleset is not None else str
    for element in root.iter():
        element.text = readable(spoken(element.text)) if element.text else None
        element.tail = readable(spoken(element.tail)) if element.tail else None
    return root


def html(root: ET.Element) -> str:
    """A page with its styles, as HTML."""
    root.insert(0, tag("style", "", SHEET))
    return ET.tostring(root, encoding="unicode", method="html")


def tree(element: ET.Element) -> list[Any]:
    """An element as JSON: its name, its class, and its children, of which a text is one.

    It holds no attribute but the class, so that whoever builds elements from it runs nothing.
    """
    kind = element.get("class", "").removeprefix("pymorph-")
    children = [part for child in element for part in (tree(child), child.tail) if part is not None]
    return [element.tag, kind, *filter(None, [element.text]), *children]


def readable(text: str) -> str:
    """A text without what does not show; where a line may not be broken, such a space."""
    return visible(text.replace(TIE, "\u00a0"), "\n\t")
