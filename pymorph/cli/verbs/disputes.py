"""The verb about disputes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from pymorph import yamlio
from pymorph.adjudication import adjudication, verdicts
from pymorph.adjudication import case as cases
from pymorph.answers import json_keys
from pymorph.asp.grounding import WORK
from pymorph.cli import values
from pymorph.cli.app import Exit
from pymorph.cli.options import argument, flag
from pymorph.cli.output import BAR_FROM, put_line
from pymorph.cli.verb import AboutPosition, OneByOne, house_lines, verb
from pymorph.errors import Fault, Faulty, InputError, Place
from pymorph.questions import answer_scope
from pymorph.ruleset import loader
from pymorph.state import claim as claims
from pymorph.state import rulings
from pymorph.views import layout
from pymorph.views.lines import disputes as text


def cases_in(files: Sequence[str]) -> Iterator[str]:
    """The files that are named, and those in the folders that are, in order and each once."""
    seen: set[str] = set()
    for file in files:
        path = Path(file)
        if file != "-" and path.is_dir():
            names = [
                str(name) for name in sorted(path.rglob("*.yaml")) if name.name != "rulings.yaml"
            ]
            if not names:
                raise InputError(Fault("no case in this folder", Place(file)))
        else:
            names = [file]
        for name in names:
            if name not in seen:
                seen.add(name)
                yield name


@json_keys(
    also=["scope"],
    paths={"file": "name", "rulings": "ruled"},
    without=["case", "given", "by_claim"],
    spread=["answer"],
    when={"rulings": "ruled"},
)
class CaseVerdicts(NamedTuple):
    """A case of a file, its rulings, and the verdicts on its claims by their numbers."""

    name: str
    case: cases.Case
    ruled: dict[str, rulings.Ruling]
    given: Mapping[str, str]
    by_claim: dict[int, verdicts.ClaimVerdict]

    @property
    def answer(self) -> verdicts.Adjudication:
        """The verdicts that there are, and the claims that the time limit left open."""
        done = dict(self.by_claim)
        left = [stated for number, stated in enumerate(self.case.claims) if number not in done]
        by_number = tuple(done[number] for number in sorted(done))
        return verdicts.Adjudication(self.case, by_number, tuple(left))

    @property
    def scope(self) -> answer_scope.AnswerScope:
        """What was judged, and what was assumed."""
        return answer_scope.scope_of_claims(self.case.position, len(self.by_claim), self.given)


@json_keys(also=["claims"], spread=["edition"])
class JudgedCases(NamedTuple):
    """The cases, and the verdicts of all of them."""

    cases: tuple[CaseVerdicts, ...]

    @property
    def edition(self) -> loader.Edition | None:
        """The game of the first case."""
        return self.cases[0].answer.ruleset.edition if self.cases else None

    @property
    def claims(self) -> tuple[verdicts.ClaimVerdict, ...]:
        return tuple(claim for case in self.cases for claim in case.answer.claims)


@verb("adjudicate")
class AdjudicateVerb(OneByOne, AboutPosition):
    """Judge each claim of a case under every reading of the rules.

    A CASE is a file, a folder with such files, or - for standard input. A claim is upheld or
    rejected in every reading, or it depends on open questions: the answer names them, and what
    settles them. A claim that has no subject is inapplicable.

    \b
    Example:
      pymorph new-ruleset my_game
      pymorph adjudicate my_game/cases/last.yaml
    """

    files: tuple[str, ...] = argument(values.POSITION_FILE, "CASE...", nargs=-1, required=True)
    explain: bool = flag("--explain", "Print a short ruling to read out.")
    verbose: bool = flag("--verbose", "Report the number of groundings and of solves.")

    def check(self) -> None:
        self.named = list(cases_in(self.files))
        WORK.clear()

    def ask(self) -> list[CaseVerdicts]:
        judged: list[CaseVerdicts] = []
        for file in self.with_bar(self.named, "cases", len(self.named) >= BAR_FROM.cases):
            try:
                case = cases.Case.load(file)
                case = replace(case, position=self.under(case.position, file))
                so_far = CaseVerdicts(
                    yamlio.name_of(file), case, dict(self.ruled), self.readings, {}
                )
                self.keep([*judged, so_far])
                adjudication.adjudicate(case, so_far.by_claim.__setitem__)
                judged.append(so_far)
            except Faulty as error:
                self.errors.append(error)
                self.keep(list(judged))
        return judged

    def finish(self, answer: list[CaseVerdicts]) -> list[CaseVerdicts]:
        self.ruled = {}
        return answer

    def put(self, answer: list[CaseVerdicts]) -> None:
        super().put(answer)
        if self.verbose:
            put_line(f"groundings: {WORK['groundings']}, solves: {WORK['solves']}", err=True)

    def data(self, answer: list[CaseVerdicts]) -> JudgedCases:
        return JudgedCases(tuple(answer))

    def lines(self, answer: list[CaseVerdicts]) -> list[str]:
        view = text.ruling_text if self.explain else text.adjudication
        blocks = []
        for judged in answer:
            lines = view(judged.answer, judged.name if len(answer) > 1 else "", self.style)
            blocks.append([*lines, *house_lines(judged.ruled)])
        return layout.spaced(blocks)

    def code(self, answer: list[CaseVerdicts]) -> Exit:
        words = [{verdict.verdict for verdict in one.by_claim.values()} for one in answer]
        codes = [Exit.of(some <= {claims.UPHELD}, claims.DEPENDS in some) for some in words]
        return max(codes, default=Exit.YES)
