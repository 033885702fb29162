"""A picture of how times grow: a small plot for each bound, on one logarithmic scale of seconds."""

from collections.abc import Iterator, Mapping, Sequence
from math import ceil, floor, log10

Points = Sequence[tuple[str, float | None]]
Plots = Mapping[str, Mapping[str, Points]]

WIDTH, HEIGHT, GAP, LEFT, TOP = 130, 160, 24, 46, 40
COLOURS = ("#2563a8", "#c2571a")


def picture(plots: Plots) -> str:
    """The plots side by side, as SVG: of each bound the seconds of each study at its values."""
    times = [t for rows in plots.values() for row in rows.values() for _, t in row if t]
    low, high = floor(log10(min(times))), ceil(log10(max(times)))
    width, height = LEFT + len(plots) * (WIDTH + GAP), TOP + HEIGHT + 46

    def across(n: int, number: int, of: int) -> float:
        return LEFT + n * (WIDTH + GAP) + WIDTH * (number + 0.5) / of

    def up(seconds: float) -> float:
        return TOP + HEIGHT * (1 - (log10(seconds) - low) / max(high - low, 1))

    def lines() -> Iterator[str]:
        yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"'
        yield ' font-family="sans-serif" font-size="11" fill="#333">'
        yield f'<rect width="{width}" height="{height}" fill="#fff"/>'
        yield f'<text x="{LEFT}" y="16">seconds to verify one action, by bound</text>'
        for power in range(low, high + 1):
            y = up(10.0**power)
            yield f'<path d="M{LEFT} {y:.0f}H{width - GAP}" stroke="#ddd"/>'
            yield f'<text x="{LEFT - 6}" y="{y + 4:.0f}" text-anchor="end">{10.0**power:g} s</text>'
        for n, (name, studies) in enumerate(plots.items()):
            middle = LEFT + n * (WIDTH + GAP) + WIDTH / 2
            base = TOP + HEIGHT
            yield f'<text x="{middle:.0f}" y="{base + 36}" text-anchor="middle">{name}</text>'
            for colour, points in zip(COLOURS, studies.values(), strict=True):
                places = [across(n, number, len(points)) for number in range(len(points))]
                yield from line(places, [up(t) if t else None for _, t in points], colour)
            for x, (value, _) in zip(places, points, strict=True):
                yield f'<text x="{x:.0f}" y="{base + 16}" text-anchor="middle">{value}</text>'
        for number, name in enumerate(next(iter(plots.values()))):
            x = width - GAP - 90 * (2 - number)
            yield f'<circle cx="{x}" cy="12" r="4" fill="{COLOURS[number]}"/>'
            yield f'<text x="{x + 8}" y="16">{name}</text>'
        yield "</svg>"

    return "\n".join(lines()) + "\n"


def line(across: Sequence[float], up: Sequence[float | None], colour: str) -> Iterator[str]:
    """One study in one plot; what took too long is left out."""
    found = [(x, y) for x, y in zip(across, up, strict=True) if y is not None]
    way = " ".join(f"{x:.0f},{y:.0f}" for x, y in found)
    yield f'<polyline points="{way}" fill="none" stroke="{colour}" stroke-width="2"/>'
    for x, y in found:
        yield f'<circle cx="{x:.0f}" cy="{y:.0f}" r="3.5" fill="{colour}"/>'
