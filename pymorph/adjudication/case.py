"""Cases: a position, or the end of a record, and what each party claims of it, from YAML."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from pymorph import yamlio
from pymorph.answers import brief
from pymorph.errors import Fault, InputError, Place, clipped, nearest
from pymorph.explore.execution.replay import end_of
from pymorph.ruleset.vocabulary import RECORDED
from pymorph.state import claim as claims
from pymorph.state.claim import VERDICTS, Claim, bound_of
from pymorph.state.files import fields, position_file
from pymorph.state.files.fields import CASE, CASE_TEXTS, CLAIM, keys_of
from pymorph.state.files.reader import ruling_fault
from pymorph.state.names import actors
from pymorph.state.position import Position
from pymorph.state.record import Move, Record, RecordReading, head_of
from pymorph.yamlio import Data, Items, Keys, Node, Scalar

EDITION = tuple(keys_of(fields.EDITION))  # under which the verdicts were given
ABOUT_CAN = ("within", "who", "against")
DEFAULTS = "defaults"
MAX_CLAIMS = 100


@brief
@dataclass(frozen=True, slots=True)
class Stated:
    """A claim as somebody makes it: about the position, or about the position *after* some steps.

    The rest is for claims with `can` and `cannot`: *within* which bound, *who* plays for it,
    *against* what, and with which *rolls*. *expect* has the expected verdict for sets of choices,
    at the places *expect_at*; *rules* has the ids of the rules that the verdicts cited when the
    case was written.
    """

    by: str
    claim: Claim
    after: tuple[Move, ...] = ()
    within: str = ""
    who: str = ""
    against: str = ""
    rolls: tuple[str, ...] = ()
    expect: tuple[tuple[tuple[tuple[str, str], ...], str], ...] = ()
    rules: tuple[str, ...] = ()
    place: Place | None = field(default=None, compare=False)
    expect_at: tuple[Place, ...] = field(default=(), compare=False)

    def data(self) -> dict[str, Data]:
        """The claim as a file has it."""
        verdicts: dict[str, Data] = {
            ", ".join(f"{q}={o}" for q, o in choices) or DEFAULTS: word
            for choices, word in self.expect
        }
        after: list[Data] = [
            {move.action: list(move.rolls)} if move.rolls else move.action for move in self.after
        ]
        values: dict[str, Data] = {
            "claim": str(self.claim),
            "after": after,
            "rolls": list(self.rolls) if len(self.rolls) > 1 else "".join(self.rolls),
            "expect": verdicts[DEFAULTS] if verdicts.keys() == {DEFAULTS} else verdicts,
            "rules": list(self.rules),
            **{name: getattr(self, name) for name in ("by", *ABOUT_CAN)},
        }
        return {key: values[key] for key in keys_of(CLAIM) if values[key]}


@brief
@dataclass(frozen=True)
class Case:
    """A dispute: a position and the claims about it."""

    position: Position
    claims: tuple[Stated, ...]
    title: str = ""
    id: str = ""
    tells: str = ""
    decided: str = ""
    note: str = ""
    date: str = ""
    version: str = ""
    hash: str = ""

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Case:
        """The case in a file, ``-`` for standard input.

        Raises: InputError with every fault of the file, each at its line and column.
        """
        return cls.parse(*yamlio.contents(path))

    @classmethod
    def parse(cls, text: str, name: str = "<text>", base: Path | None = None) -> Case:
        """The case that a YAML text describes; what it names is looked for in *base*, or here."""
        root, faults = yamlio.parse(text, name, yamlio.LIMITS.long_nodes)
        return _Reading(base, faults).case(root)

    def yaml(self, folder: Path | None = None) -> str:
        """The case as a file with its position in it, which `load` reads back to an equal one."""
        texts = {name: getattr(self, name) for name in (*EDITION, *keys_of(CASE_TEXTS), "date")}
        blocks = {name: f"{text}\n" if "\n" in text else text for name, text in texts.items()}
        head = head_of(self.position, folder, blocks)
        claims = [yamlio.block(stated.data(), "    ") for stated in self.claims]
        return yamlio.block(head) + "claims:\n" + "".join(f"  - {text[4:]}" for text in claims)


class _Reading(RecordReading):
    """One reading of a case: collects every fault before it gives up."""

    most = yamlio.LIMITS.long_bytes

    def case(self, root: Node) -> Case:
        if not isinstance(root, Keys):
            message = "a case is a mapping with a 'position' and 'claims'"
            raise InputError([*self.faults, Fault(message, root.place)])
        self.known(root, keys_of(CASE))
        self.require(root, "case", "position", "claims")
        position = self.start(root)
        self.words, self.scene = position.ruleset.vocabulary, position.scene
        case = Case(
            position,
            tuple(self.claims(root, position)),
            date=self.day(root, "date"),
            **self.texts_at(root, CASE),
        )
        self.check()
        return case

    def placed(self, node: Node, root: Keys) -> Position:
        """The position, or that at the end of a record."""
        if isinstance(node, Keys) and node.get(RECORDED) is not None:
            return self.ended(RecordReading(self.base).record(node), node)
        return super().placed(node, root)

    def beside(self, text: str, name: str, base: Path, node: Scalar) -> Position:
        parsed = position_file.parse(text, name, base)
        return self.ended(parsed, node) if isinstance(parsed, Record) else parsed

    def ended(self, record: Record, node: Node) -> Position:
        try:
            return end_of(record)
        except InputError as error:
            raise InputError(
                [Fault(f.message, f.place or node.place) for f in error.faults]
            ) from None

    def claims(self, root: Keys, position: Position) -> Iterator[Stated]:
        node = root.get("claims")
        if not isinstance(node, Items) or not node.items:
            place = (node or root).place
            self.fault("the key 'claims' needs a list of items with 'claim' and 'by'", place)
            return
        if len(node.items) > MAX_CLAIMS:
            self.fault(f"more than {MAX_CLAIMS} claims", node.items[MAX_CLAIMS].place)
        for item in node.items[:MAX_CLAIMS]:
            if isinstance(item, Scalar):
                item = Keys(((Scalar("claim", item.place), item),), item.place)
            if not isinstance(item, Keys):
                self.fault("expected a claim, or a mapping with 'by' and 'claim'", item.place)
                continue
            stated = self.stated(item, position)
            if stated is not None:
                yield stated

    def stated(self, node: Keys, position: Position) -> Stated | None:
        self.known(node, keys_of(CLAIM), " of a claim")
        written = node.get("claim")
        if not isinstance(written, Scalar) or not written.text:
            place = (written or node).place
            self.fault(f"the key 'claim' is missing; {claims.EXPECTED}", place)
            return None
        steps = self.one_or_more(node.get("after"))
        moves = [move for step in steps for move in self.step(step)]
        claim = None
        with self.blaming(written.place):
            claim = claims.parse(position, written.text)
        if claim is None:
            return None
        if not claim.mode:
            for name in (*ABOUT_CAN, "rolls"):
                if (unsuited := node.get(name)) is not None:
                    message = f"{name!r} needs a claim that starts with 'can' or 'cannot'"
                    hint = "; write it with a step" if name == "rolls" else ""
                    self.fault(f"{message}{hint}", unsuited.place)
            if any(part.eventful for part in claim.parts) and not moves:
                self.fault(
                    "a claim about an event needs 'after': the steps to carry out", written.place
                )
        self.side_and_bound(node, position)
        expected = list(self.expected_verdicts(node, position))
        return Stated(
            claim=claim,
            after=tuple(moves),
            rolls=tuple(self.rolls(node)),
            expect=tuple((choices, word) for choices, word, _ in expected),
            rules=tuple(self.words_of(node, "rules")),
            place=written.place,
            expect_at=tuple(place for *_, place in expected),
            **self.texts_at(node, CLAIM),
        )

    def side_and_bound(self, node: Keys, position: Position) -> None:
        """Note what is wrong with who plays for a claim, and within what."""
        who, within = node.get("who"), node.get("within")
        known = actors(position)
        if isinstance(who, Scalar) and who.text not in known:
            self.fault(f"unknown actor {clipped(who.text)}{self.near(who.text, known)}", who.place)
        if isinstance(within, Scalar):
            with self.blaming(within.place):
                bound_of(position.ruleset, within.text)

    def words_of(self, node: Keys, key: str) -> Iterator[str]:
        """The words of a list that a key may have."""
        listed = node.get(key)
        if listed is None:
            return
        if not isinstance(listed, Items):
            self.fault(f"expected a list of {key}, in brackets", listed.place)
            return
        for item in listed.items:
            if isinstance(item, Scalar) and item.text:
                yield item.text
            else:
                self.fault(f"expected the id of one of the {key}", item.place)

    def rolls(self, node: Keys) -> Iterator[str]:
        for item in self.one_or_more(node.get("rolls")):
            if isinstance(item, Scalar) and item.text in ("chosen", "adversarial"):
                yield item.text
            else:
                text = self.action(item)
                if text:
                    yield text

    def expected_verdicts(
        self, node: Keys, position: Position
    ) -> Iterator[tuple[tuple[tuple[str, str], ...], str, Place]]:
        """The verdicts that the case expects, each with its choices and its place."""
        expected = node.get("expect")
        if isinstance(expected, Scalar):
            expected = Keys(((Scalar(DEFAULTS, expected.place), expected),), expected.place)
        message = "expected a verdict, or verdicts by QUESTION=OPTION"
        for key, value in self.entries(expected, message):
            word = value.text if isinstance(value, Scalar) else ""
            if word not in VERDICTS:
                self.fault(f"unknown verdict {clipped(word)}{nearest(word, VERDICTS)}", value.place)
                continue
            choices = choices_in(key.text)
            for question, option in choices.items():
                fault = ruling_fault(position.ruleset, question, option)
                if fault:
                    self.fault(fault.message, key.place)
            yield tuple(sorted(choices.items())), word, key.place


def choices_in(key: str) -> dict[str, str]:
    """The choices that a key under ``expect`` names: none for the defaults."""
    pairs = [] if key == DEFAULTS else [pair.partition("=") for pair in key.split(",")]
    return {question.strip(): option.strip() for question, _, option in pairs}
