"""Partitions of readings say of a function what running through all its readings says."""

import random
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pymorph.questions.readings.partition import Cell, Partition, merge
from tests import open_readings as brute
from tests.open_readings import Function, Options, Valued

Seeded = tuple[Options, Function, random.Random]


def cells(
    options: Options, valued: Valued, rnd: random.Random, here: dict[str, str]
) -> Iterator[tuple[dict[str, str], str]]:
    """Cells of a function, cut in any order; some of them finer than they need to be."""
    values = {valued(reading) for reading in brute.readings(options, here)}
    left = [q for q in options if q not in here]
    if len(values) == 1 and (not left or rnd.random() < 0.7):
        yield here, values.pop()
        return
    question = rnd.choice(left)
    for option in options[question]:
        yield from cells(options, valued, rnd, {**here, question: option})


@st.composite
def functions(draw: st.DrawFn) -> Seeded:
    """A function of some of three to six questions, with two or three values."""
    rnd = random.Random(draw(st.integers(0, 10**9)))
    options = brute.some_options(rnd, rnd.choice((3, 4, 5, 5, 6)))
    values = rnd.choice((("yes", "no"), ("yes", "no", "void")))
    return options, brute.some_function(rnd, options, 0, 6, values), rnd


@given(functions())
def test_against_brute_force(case: Seeded) -> None:
    """What decides, what suffices, and the fewest changes that turn a value."""
    options, function, rnd = case
    found = list(cells(options, function, rnd, {}))
    rough = Partition(tuple(Cell(c, v) for c, v in found), options)
    some = {q: rnd.choice(options[q]) for q in rnd.sample(sorted(options), 1)}
    defaults = {q: rnd.choice(row) for q, row in options.items()}
    everything = [function(reading) for reading in brute.readings(options)]
    under_some = {function(reading) for reading in brute.readings(options, some)}
    enough = {value: brute.sufficient(options, function, value) for value in set(everything)}
    turned = brute.fewest_changes(options, function, defaults)
    for partition in (rough, rough.canonical()):
        assert partition.relevant() == brute.deciding(options, function)
        assert partition.relevant(some) == brute.deciding(options, function, some)
        assert (partition.values({}), partition.values(some)) == (set(everything), under_some)
        for value in set(everything):
            told = partition.sufficient(value)
            assert sorted(told, key=lambda choices: sorted(choices.items())) == enough[value]
        assert partition.fewest_changes(defaults) == turned


@given(functions())
def test_plain(case: Seeded) -> None:
    """However a function is cut, and in any order, it comes out the same, and still is itself."""
    options, function, rnd = case
    one = merge(cells(options, function, rnd, {}), options)
    more = list(cells(options, function, rnd, {}))
    rnd.shuffle(more)
    turned = {q: options[q] for q in rnd.sample(sorted(options), len(options))}
    other = merge([(dict(reversed(c.items())), v) for c, v in more], turned)
    assert one.cells == other.cells
    assert [list(cell.under) for cell in one.cells] == [list(cell.under) for cell in other.cells]
    assert one.canonical() == one
    for reading in brute.readings(options):
        assert one.at(reading) == function(reading)
        assert sum(cell.meets(reading) for cell in one.cells) == 1
    named = {question for cell in one.cells for question in cell.under}
    assert named == set(one.relevant())


def test_nothing_depends() -> None:
    """One cell: no question decides, nothing need be chosen, and nothing turns it."""
    alone = merge([({}, "yes")], {"q": ("a", "b")})
    assert alone.relevant() == ()
    assert alone.sufficient("yes") == [{}]
    assert alone.sufficient("no") == []
    assert alone.fewest_changes({"q": "a"}) == []


def test_what_suffices_is_not_what_turns() -> None:
    """Two of three say so: one change turns two against one, but it takes two to be sure."""
    options = dict.fromkeys("abc", ("no", "yes"))
    votes = [
        (r, "yes" if list(r.values()).count("yes") > 1 else "no") for r in brute.readings(options)
    ]
    most = merge(votes, options)
    assert most.relevant() == ("a", "b", "c")
    assert most.sufficient("yes") == [
        {"a": "yes", "b": "yes"},
        {"a": "yes", "c": "yes"},
        {"b": "yes", "c": "yes"},
    ]
    assert most.fewest_changes({"a": "yes", "b": "no", "c": "no"}) == [
        ({"b": "yes"}, "yes"),
        ({"c": "yes"}, "yes"),
    ]


def test_a_reading_in_two_cells_is_found_out() -> None:
    """Cells that overlap with different values are no partition: it has no single value there."""
    overlapping = Partition((Cell({"q": "a"}, "yes"), Cell({}, "no")), {"q": ("a", "b")})
    with pytest.raises(ValueError, match="too many values"):
        overlapping.at({"q": "a"})
