"""Cuts a ruleset down to the statements that the answer to one kind of question can reach."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

Signature = tuple[str, int]
Key = tuple[str, int, str | None]


class Statement(Protocol):
    """What slicing needs to know of a statement; see `gate.Statement`."""

    @property
    def text(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def head_keys(self) -> frozenset[Key]: ...
    @property
    def body_keys(self) -> frozenset[Key]: ...
    @property
    def body(self) -> frozenset[Signature]: ...


@dataclass(frozen=True, slots=True)
class Slice:
    """A program for one kind of question: its text, and the predicates that are read from it."""

    text: str
    shown: tuple[Signature, ...]
    reads: frozenset[str]


def cut(
    statements: Sequence[Statement],
    wanted: Iterable[Key],
    shown: Sequence[Signature],
    left_out: Iterable[str] = (),
) -> Slice:
    """The statements from which an atom of the *wanted* keys can be derived, and what those need.

    Predicates *left_out* are not followed: the caller knows that they are of no use to it.
    """
    without = frozenset(left_out)
    by_signature: dict[Signature, list[int]] = defaultdict(list)
    for number, statement in enumerate(statements):
        if statement.kind in ("rule", "fact", "facts"):
            for name, arity, _ in statement.head_keys:
                by_signature[name, arity].append(number)
    taken: set[int] = set()
    seen: set[Key] = set()
    agenda = list(wanted)
    while agenda:
        key = agenda.pop()
        if key in seen or key[0] in without:
            continue
        seen.add(key)
        for number in by_signature.get(key[:2], ()):
            if number not in taken and _meets(key, statements[number].head_keys):
                taken.add(number)
                agenda.extend(statements[number].body_keys)
    body = {signature for number in taken for signature in statements[number].body}
    heads = {(name, arity) for number in taken for name, arity, _ in statements[number].head_keys}
    undefined = sorted(body - heads)
    lines = [f"#defined {name}/{arity}." for name, arity in undefined]
    lines += [statements[number].text for number in sorted(taken)]
    return Slice("\n".join(lines), tuple(shown), frozenset(name for name, _ in body))


def _meets(key: Key, heads: Iterable[Key]) -> bool:
    """Can a head give an atom of *key*? A functor that is not known may be any."""
    return any(
        head[:2] == key[:2] and (None in (key[2], head[2]) or key[2] == head[2]) for head in heads
    )


def functors(statements: Iterable[Statement], predicate: str) -> frozenset[str]:
    """The functors that a keyed *predicate* has as its first argument in some head."""
    return frozenset(
        functor
        for statement in statements
        for name, _, functor in statement.head_keys
        if name == predicate and functor
    )
