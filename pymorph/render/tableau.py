"""What each listed member has before it, in characters, grouped as the file groups it."""

from __future__ import annotations

from collections.abc import Collection

from clingo import Symbol

from pymorph.files import Data
from pymorph.render.stage import Measure, Stage
from pymorph.terms import text_of
from pymorph.text import Style, words, wrapped

LONGEST_BAR = 40


def tableau_lines(stage: Stage, plain: bool, style: Style) -> list[str]:
    """A block for each member; before them, what belongs to none."""
    position = stage.position
    vocabulary = position.ruleset.vocabulary
    headings = {vocabulary.headings[sort.name] for sort in vocabulary.file_sorts()}
    frame = {f.path[0] for f in vocabulary.fluents.values() if not f.sorts}
    measures = {keys(stage, fluent): found for fluent, found in stage.measures.items()}
    charted = stage.chart.rooms.keys() if stage.chart else frozenset[str]()
    common: dict[str, Data] = {}
    blocks: list[tuple[str, dict[str, Data], str]] = []
    for key, value in position.data().items():
        if key in headings and isinstance(value, dict):
            for member, inner in value.items():
                if isinstance(inner, dict) and member in charted:
                    inner = {k: v for k, v in inner.items() if not is_way(v, charted)}
                if isinstance(inner, dict) and (inner or member not in charted):
                    blocks.append((member, inner, key))
        elif key not in frame and key not in ("ruleset", "board"):
            common[key] = value
    lines: list[str] = []
    if common:
        lines += [*rows(stage, common, (), measures, plain), ""]
    for member, inner, key in blocks:
        lines += [style.bold(member), *rows(stage, inner, (key, member), measures, plain), ""]
    return lines[:-1]


def is_way(value: Data, charted: Collection[str]) -> bool:
    """Is that about other places alone, as ways are, which the chart tells?"""
    return isinstance(value, dict) and bool(value) and all(key in charted for key in value)


def keys(stage: Stage, fluent: Symbol) -> tuple[str, ...]:
    """The keys under which a file has a fluent."""
    declared = stage.position.ruleset.vocabulary.fluents.get(fluent.name)
    if declared is None or len(declared.sorts) != len(fluent.arguments):
        return ()
    return tuple(text_of(fluent.arguments[s]) if isinstance(s, int) else s for s in declared.path)


def rows(
    stage: Stage,
    data: dict[str, Data],
    path: tuple[str, ...],
    measures: dict[tuple[str, ...], Measure],
    plain: bool,
) -> list[str]:
    """A line for each key that has keys of its own, and one for all that have not."""
    grouped = {key: value for key, value in data.items() if isinstance(value, dict)}
    wide = max((len(words(key)) for key in grouped), default=0)
    lines = []
    for key, value in grouped.items():
        inner = [told(stage, k, v, (*path, key, k), measures, plain) for k, v in value.items()]
        lines += wrapped(", ".join(inner), " " * (wide + 4), f"  {words(key).ljust(wide)}  ")
    single = [
        told(stage, key, value, (*path, key), measures, plain)
        for key, value in data.items()
        if key not in grouped
    ]
    return lines + (wrapped(", ".join(single), "    ", "  ") if single else [])


def told(
    stage: Stage,
    key: str,
    value: Data,
    path: tuple[str, ...],
    measures: dict[tuple[str, ...], Measure],
    plain: bool,
) -> str:
    """A key with its value: copies of a titled thing by number, a measured value with its bar."""
    if isinstance(value, dict):
        inner = ", ".join(told(stage, k, v, (*path, k), measures, plain) for k, v in value.items())
        return f"{words(key)} ({inner})"
    if isinstance(value, int) and key in stage.position.ruleset.vocabulary.titles:
        return key if value == 1 else f"{key} x{value}"
    text = f"{words(key)} {value}"
    found = measures.get(path)
    return f"{text} {bar(found, plain)}" if found and found.whole else text


def bar(measure: Measure, plain: bool) -> str:
    """How far something has come: ``##|###|#....!`` is 6 of 10, with lines after 2, 5 and 10."""
    done, left, line, goal = "#.|!" if plain else "█░│┃"
    if measure.whole > LONGEST_BAR:
        return f"{measure.done}/{measure.whole}"
    drawn = ""
    for number in range(1, measure.whole + 1):
        drawn += done if number <= measure.done else left
        if number in measure.goals:
            drawn += goal
        elif number in measure.notches and number < measure.whole:
            drawn += line
    return f"{drawn} of {measure.whole}"
