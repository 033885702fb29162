"""Cases: a position, or the end of a record, and what each party claims of it, from YAML."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from pymorph import yamlio
from pymorph.answers import brief
from pymorph.errors import Fault, InputError, Place, clipped
from pymorph.explore.execution.replay import end_of
from pymorph.ruleset.vocabulary import RECORDED
from pymorph.runtime.arguments import checked
from pymorph.state import claim as claims
from pymorph.state.claim import VERDICTS, Claim, bound_of
from pymorph.state.files import fields, position_file
from pymorph.state.files.fields import CASE, CASE_TEXTS, CLAIM, EXPECTED
from pymorph.state.files.reader import ruling_fault
from pymorph.state.names import actors
from pymorph.state.position import Position
from pymorph.state.record import Move, Record, RecordReading, head_of
from pymorph.yamlio import Data, Items, Keys, Node, Scalar

EDITION = tuple(fields.EDITION)  # under which the verdicts were given
ABOUT_CAN = ("within", "who", "against")
DEFAULTS = "defaults"
OptionPairs = tuple[tuple[str, str], ...]  # questions with the options that are chosen
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
        return {key: values[key] for key in CLAIM.kinds if values[key]}


@brief
@dataclass(frozen=True)
class Case:
    """A dispute: a position and the claims about it.

    >>> import pymorph
    >>> case = pymorph.Case.load("examples/disputes/right_cross.yaml")
    >>> [str(stated.claim) for stated in case.claims][:2]
    ['readies(baganal, main) = 0', 'readies(baganal, main) = 2']
    """

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
    @checked
    def load(cls, path: str | os.PathLike[str]) -> Case:
        """The case in a file, ``-`` for standard input.

        Raises: InputError with every fault of the file, each at its line and column.
        """
        return cls.parse(*yamlio.contents(path))

    @classmethod
    @checked
    def parse(cls, text: str, name: str = "<text>", base: Path | None = None) -> Case:
        """The case that a YAML text describes; what it names is looked for in *base*, or here."""
        root, faults = yamlio.parse(text, name, yamlio.LIMITS.long_nodes)
        return _Reading(base, faults).case(root)

    def yaml(self, folder: Path | None = None) -> str:
        """The case as a file with its position in it, which `load` reads back to an equal one."""
        texts = {name: getattr(self, name) for name in (*EDITION, *CASE_TEXTS, "date")}
        blocks = {name: f"{text}\n" if "\n" in text else text for name, text in texts.items()}
        head = head_of(self.position, folder, blocks)
        claims = [yamlio.block(stated.data(), "    ") for stated in self.claims]
        return yamlio.block(head) + "claims:\n" + "".join(f"  - {text[4:]}" for text in claims)


class _Reading(RecordReading):
    """One reading of a case: collects every fault before it gives up."""

    most = yamlio.LIMITS.long_bytes

    def case(self, root: Node) -> Case:
        root = self.whole(root, CASE)
        position = self.start(root)
        values = self.values(root, CASE)
        self.check()
        return Case(position, **values)

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

    def claims(self, node: Node, _: Scalar) -> tuple[Stated, ...]:
        """The claims of a list; of each there may be just its text."""
        if not isinstance(node, Items) or not node.items:
            self.fault("the key 'claims' needs a list of items with 'claim' and 'by'", node.place)
            return ()
        if len(node.items) > MAX_CLAIMS:
            self.fault(f"more than {MAX_CLAIMS} claims", node.items[MAX_CLAIMS].place)
        stated: list[Stated] = []
        for item in node.items[:MAX_CLAIMS]:
            if isinstance(item, Scalar):
                item = Keys(((Scalar("claim", item.place), item),), item.place)
            stated += self.stated(item)
        return tuple(stated)

    def stated(self, node: Node) -> Iterator[Stated]:
        """A claim, with what goes with it, if it can be read."""
        values = self.values(node, CLAIM)
        claim: Claim | None = values.get("claim")
        if claim is None or not isinstance(node, Keys):
            return
        places = {key.text: value.place for key, value in node.entries}
        if (
            not claim.mode
            and any(part.eventful for part in claim.parts)
            and not values.get("after")
        ):
            message = "a claim about an event needs 'after': the steps to carry out"
            self.fault(message, places["claim"])
        for name in (*ABOUT_CAN, "rolls"):
            if not claim.mode and name in places:
                message = f"{name!r} needs a claim that starts with 'can' or 'cannot'"
                hint = "; write it with a step" if name == "rolls" else ""
                self.fault(f"{message}{hint}", places[name])
        if "who" in values and values["who"] not in (known := actors(self.first)):
            hint = self.near(values["who"], known)
            self.fault(f"unknown actor {clipped(values['who'])}{hint}", places["who"])
        if "within" in values:
            with self.blaming(places["within"]):
                bound_of(self.first.ruleset, values["within"])
        expected = values.pop("expect", ())
        yield Stated(
            **{"by": "", **values},
            expect=tuple((choices, word) for choices, word, _ in expected),
            place=places["claim"],
            expect_at=tuple(place for *_, place in expected),
        )

    def claim(self, node: Node, key: Scalar) -> Claim | None:
        """A claim of the position."""
        if not isinstance(node, Scalar) or not node.text:
            self.fault(f"the key {key.text!r} is missing; expected {EXPECTED}", node.place)
            return None
        with self.blaming(node.place):
            return claims.parse(self.first, node.text)
        return None

    def one_or_more_steps(self, node: Node, _: Scalar) -> tuple[Move, ...]:
        return tuple(move for step in self.one_or_more(node) for move in self.step(step))

    def ids(self, node: Node, key: Scalar) -> tuple[str, ...]:
        """The ids of a list in brackets."""
        if not isinstance(node, Items):
            self.fault(f"expected a list of {key.text}, in brackets", node.place)
            return ()
        for item in node.items:
            if not isinstance(item, Scalar) or not item.text:
                self.fault(f"expected the id of one of the {key.text}", item.place)
        return tuple(item.text for item in node.items if isinstance(item, Scalar))

    def rolls(self, node: Node, _: Scalar) -> tuple[str, ...]:
        """Who decides how rolls come out, or what they show."""
        whose = ("chosen", "adversarial")
        given = (
            item.text if isinstance(item, Scalar) and item.text in whose else self.action(item)
            for item in self.one_or_more(node)
        )
        return tuple(filter(None, given))

    def verdicts(self, node: Node, _: Scalar) -> list[tuple[OptionPairs, str, Place]]:
        """The verdicts that the case expects, each with its choices and its place."""
        if isinstance(node, Scalar):
            node = Keys(((Scalar(DEFAULTS, node.place), node),), node.place)
        verdicts = []
        for key, value in self.entries(node, "expected a verdict, or verdicts by QUESTION=OPTION"):
            word = self.one_of(value, "verdict", VERDICTS)
            choices = choices_in(key.text)
            for question, option in choices.items():
                fault = ruling_fault(self.first.ruleset, question, option)
                if fault:
                    self.fault(fault.message, key.place)
            if word:
                verdicts.append((tuple(sorted(choices.items())), word, key.place))
        return verdicts


def choices_in(key: str) -> dict[str, str]:
    """The choices that a key under ``expect`` names: none for the defaults."""
    pairs = [] if key == DEFAULTS else [pair.partition("=") for pair in key.split(",")]
    return {question.strip(): option.strip() for question, _, option in pairs}
