"""Numbers in thousands of positions side by side, as planes of bits, and position by position.

Of `Planes`, the first integer has the ones of all numbers, the next the twos, and so on: bit k is
that of the k-th position. Position by position, a row of octets has the same bits, lowest first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pymorph.asp.compile import Planes, Uncompiled

Matrix = np.ndarray[Any, np.dtype[Any]]
TURNING = ((7, 0x00AA00AA00AA00AA), (14, 0x0000CCCC0000CCCC), (28, 0x00000000F0F0F0F0))


def where(bits: int, number: int) -> Matrix:
    """A column of truth values."""
    octets = np.frombuffer(bits.to_bytes((number + 7) // 8, "little"), np.uint8)
    return np.unpackbits(octets, count=number, bitorder="little").view(bool)


def octets_of(planes: Sequence[int], number: int) -> Matrix:
    """The numbers of so many positions, a row of octets for each."""
    size, width = (number + 7) // 8, (len(planes) + 7) // 8
    raw = np.zeros((width * 8, size), np.uint8)
    octets = b"".join(plane.to_bytes(size, "little") for plane in planes)
    raw[: len(planes)] = np.frombuffer(octets, np.uint8).reshape(len(planes), size)
    turned = _turned(raw.reshape(width, 8, size).transpose(2, 0, 1))
    return turned.transpose(0, 2, 1).reshape(size * 8, width)[:number]


def planes_of(octets: Matrix, number: int) -> Planes:
    """So many planes of what rows of octets say."""
    size, width = (len(octets) + 7) // 8, octets.shape[1]
    raw = np.zeros((size * 8, width), np.uint8)
    raw[: len(octets)] = octets
    turned = _turned(raw.reshape(size, 8, width).transpose(0, 2, 1))
    rows = np.ascontiguousarray(turned.transpose(1, 2, 0)).reshape(width * 8, size)
    return [int.from_bytes(row.tobytes(), "little") for row in rows[:number]]


def _turned(squares: Matrix) -> Matrix:
    """Squares of eight octets, of which rows become columns (Hacker's Delight, 7-3)."""
    words = np.ascontiguousarray(squares).view(np.uint64)
    for shift, mask in TURNING:
        apart = (words ^ (words >> np.uint64(shift))) & np.uint64(mask)
        words = words ^ apart ^ (apart << np.uint64(shift))
    return words.view(np.uint8)


def numbers_of(planes: Planes, number: int) -> Matrix:
    """The numbers of so many positions."""
    wide = np.zeros((number, 8), np.uint8)
    wide[:, : (len(planes) + 7) // 8] = octets_of(planes, number)
    return wide.view(np.int64)[:, 0]


def of_numbers(numbers: Matrix, width: int) -> Planes:
    """So many planes of what numbers are."""
    octets = np.ascontiguousarray(numbers, np.int64).view(np.uint8).reshape(-1, 8)
    return planes_of(octets[:, : (width + 7) // 8], width)


def spread(planes: Planes, every: int) -> list[int]:
    """Where a number is 0, where it is 1, and so on."""
    found = [every]
    for plane in planes:
        with_it = [bits & plane for bits in found]
        found = [bits ^ more for bits, more in zip(found, with_it, strict=True)] + with_it
    return found


def replaced(planes: Planes, told: Mapping[int, int]) -> Planes:
    """The same with each of the numbers *told* where its bits are set.

    Raises: Uncompiled, where there are two.
    """
    taken, new = 0, [0] * len(planes)
    for number, bits in told.items():
        if taken & bits:
            raise Uncompiled("a fluent would have two values")
        taken |= bits
        for place in range(len(planes)):
            if number >> place & 1:
                new[place] |= bits
    return [plane ^ (plane & taken) | bits for plane, bits in zip(planes, new, strict=True)]


def lessen(planes: Planes, amount: int, bits: int) -> int:
    """Take an amount off wherever *bits* are set; it says where the number was smaller than that,
    and begins at its highest anew."""
    below = 0
    for first in range(amount.bit_length()):
        borrowed = bits if amount >> first & 1 else 0
        for place in range(first, len(planes)):
            if not borrowed:
                break
            planes[place] ^= borrowed
            borrowed &= planes[place]
        below |= borrowed
    return below
