"""The cards and tables as they are printed, from `printed.yaml`, as the facts that say so.

They are written down there a second time, so that a slip in rules/ is noticed whether or not a
case turns on that very card.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml

FILE = Path(__file__).with_name("printed.yaml")
ACTION = re.compile(
    r"(?P<name>[A-Z][A-Za-z ]*?)(?P<payoff>\*?) (?P<ticks>\d+)"
    r"(?: \[(?P<calls>\d+)(?: (?P<skill>\w+))?\])?"
    r"(?: \{(?P<points>\d+)(?: (?P<type>\w+))?\})?"
    r"(?: \((?P<notes>[^)]*)\))?"
)
TITLES = "named"  # what cards are called: told to people, and to nothing in play
MARKS = ("defence", "parallel", "draws", "throws")
NOTES = ("enters", "ends_state", "reminder", "carries", "failure")
TECHNIQUE = (
    "technique", "band", "armed", "may_use", *MARKS, "acts", "payoff", "calls_on", "damage",
    "deals", *NOTES,
)  # fmt: skip
ARTIFACT = (
    "artifact", "kind", "main_number", "bonus", "special", "signed", "soak", "burden",
    "break_value", "demands",
)  # fmt: skip
SCENARIO = (
    "scenario", "lies", "below", "hazard", "bans", "bans_action", "bans_weapon", "blesses",
)  # fmt: skip
ATTRIBUTE = ("attribute_card", "strength_name")
Facts = dict[str, set[str]]


@cache
def sheet() -> Mapping[str, Any]:
    found: Mapping[str, Any] = yaml.safe_load(FILE.read_text(encoding="utf-8"))
    return found


def facts() -> Facts:
    """By predicate, all the facts that there are to be, as text."""
    names = (TITLES, *TECHNIQUE, *ARTIFACT, *SCENARIO, *ATTRIBUTE, *sheet()["tables"])
    found: Facts = {name: set() for name in (*names, *sheet()["ours"])}
    for name, *arguments in _told():
        found[name].add(f"{name}({','.join(str(each).replace(' ', '') for each in arguments)})")
    for kind in ("techniques", "artifacts", "scenarios"):
        for card, printed in sheet()[kind].items():
            found[TITLES].add(f'named({card},"{printed["title"]}")')
    for name, strengths in sheet()["attributes"].items():
        for pips, word in strengths.items():
            plain = f"{name.title()} {pips}"
            title = f"{word} ({plain})" if word else plain
            found[TITLES].add(f'named({word.lower() or f"{name}_{pips}"},"{title}")')
    found[TITLES] |= {f'named({item},"{title}")' for item, title in sheet()["items"].items()}
    return found


def _told() -> Iterator[tuple[Any, ...]]:
    for card, printed in sheet()["techniques"].items():
        yield "technique", card, printed["is"]
        if "range" in printed:
            yield "band", card, printed["range"]
        for key in ("armed", "may_use"):
            yield from ((key, card, weapon) for weapon in printed.get(key, ()))
        yield from ((mark, card) for mark in printed.get("marks", ()))
        for index, text in enumerate(printed["actions"], 1):
            yield from _action(card, index, text)
    for card, printed in sheet()["artifacts"].items():
        yield "artifact", card
        yield "kind", card, printed["kind"]
        yield "break_value", card, printed["break"]
        if printed["enc"]:
            yield "burden", card, printed["enc"]
        for key, name in (("main", "main_number"), ("bonus", "bonus"), ("readies", "demands")):
            if key in printed:
                yield name, card, printed[key]
        for key in ("special", "signed", "soak"):
            if key in printed:
                yield key, card, *printed[key]
    for card, printed in sheet()["scenarios"].items():
        yield "scenario", card, printed["kind"]
        for key in SCENARIO[1:]:
            if key in printed:
                yield (key, card) if key == "blesses" else (key, card, printed[key])
    for name, strengths in sheet()["attributes"].items():
        for pips, word in strengths.items():
            yield "attribute_card", word.lower() or f"{name}_{pips}", name, pips
            if word:
                yield "strength_name", name, pips, word.lower()
    for table in (sheet()["tables"], sheet()["ours"]):
        yield from ((name, row) for name, rows in table.items() for row in rows)


def _action(card: str, index: int, text: str) -> Iterator[tuple[Any, ...]]:
    """What one action of a technique says."""
    found = ACTION.fullmatch(text)
    assert found is not None, (card, text)
    name = found["name"].lower().replace(" ", "_")
    yield "acts", card, f"({index},{name},{found['ticks']},{found['calls'] or 0})"
    if found["payoff"]:
        yield "payoff", card, index
    if found["skill"]:
        yield "calls_on", card, index, found["skill"]
    if found["points"]:
        yield "damage", card, index, found["points"]
    if found["type"]:
        yield "deals", card, found["type"]
    for note in (found["notes"] or "").split("; ") if found["notes"] else ():
        word, _, rest = note.partition(" ")
        if word == "fails":
            effect, _, crush = rest.partition(" ")
            yield "failure", card, index, f"{effect}({crush})" if crush else effect
        elif word == "carries":
            yield "carries", card, index
        elif rest.startswith("+"):
            yield "reminder", card, index, word, rest[1:]
        else:
            yield {"enters": "enters", "ends": "ends_state"}[word], card, index, rest
