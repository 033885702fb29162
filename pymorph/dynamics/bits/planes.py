"""Numbers in thousands of positions side by side, as planes of bits, and position by position.

Of `Planes`, the first integer has the ones of all numbers, the next the twos, and so on: bit k is
that of the k-th position. Position by position, a row of octets has the same bits, lowest first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pymorph.asp.bitslice.bit_program import Planes
from pymorph.asp.bitslice.ground_program import Uncompiled

Matrix = np.ndarray[Any, np.dtype[Any]]
LARGEST = 62  # planes of a number in a machine word
TURNING = ((7, 0x00AA00AA00AA00AA), (14, 0x0000CCCC0000CCCC), (28, 0x00000000F0F0F0F0))


def where(bits: int, number: int) -> Matrix:
    """A column of truth values."""
    octets = np.frombuffer(bits.to_bytes((number + 7) // 8, "little"), np.uint8)
    return np.unpackbits(octets, count=number, bitorder="little").view(bool)


def octets_of(planes: Sequence[int], number: int) -> Matrix:
    """The numbers of so many positions, a row of octets for each."""
    size = (number + 7) // 8
    octets = b"".join(plane.to_bytes(size, "little") for plane in planes)
    return _turned(np.frombuffer(octets, np.uint8).reshape(len(planes), size))[:number]


def planes_of(octets: Matrix, number: int) -> Planes:
    """So many planes of what rows of octets say."""
    return [int.from_bytes(row.tobytes(), "little") for row in _turned(octets)[:number]]


def _turned(rows: Matrix) -> Matrix:
    """Rows of bits as columns, in squares of eight times eight (Hacker's Delight, 7-3)."""
    high, wide = (len(rows) + 7) // 8, rows.shape[1]
    squares = np.zeros((high, 8, wide), np.uint8)
    squares.reshape(8 * high, wide)[: len(rows)] = rows
    words = np.ascontiguousarray(squares.transpose(2, 0, 1)).view(np.uint64)
    for shift, mask in TURNING:
        apart = (words ^ (words >> np.uint64(shift))) & np.uint64(mask)
        words = words ^ apart ^ (apart << np.uint64(shift))
    return words.view(np.uint8).reshape(wide, high, 8).transpose(0, 2, 1).reshape(8 * wide, high)


def numbers_of(planes: Planes, number: int) -> Matrix:
    """The numbers of so many positions. Raises: Uncompiled, if they are too large."""
    if len(planes) > LARGEST:
        raise Uncompiled("numbers are too large")
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


def numbers_at(planes: Planes, bits: int) -> dict[int, int]:
    """The numbers that there are where *bits* are set, each with those where it is."""
    found = {0: bits}
    for place, plane in enumerate(planes):
        if plane & bits:
            rows = list(found.items())
            found = {number: here & ~plane for number, here in rows}
            found |= {number | 1 << place: here & plane for number, here in rows}
    return {number: here for number, here in found.items() if here}


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
