"""The verb about disputes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from pymorph.adjudication import adjudication, verdicts
from pymorph.adjudication import case as cases
from pymorph.cli.app import DEPENDS, NO, WRONG, YES, cli, complain, fail
from pymorph.cli.options import Options, PositionFile, common, house_lines, put, with_rulings
from pymorph.cli.output import put_line, style_of
from pymorph.errors import Fault, Faulty, InputError, Place, PymorphError
from pymorph.ruleset import loader
from pymorph.state import claim as claims
from pymorph.state import rulings
from pymorph.views import layout
from pymorph.views.lines import disputes as text

MANY = 20  # cases from which on a bar shows how far it is


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


@cli.command()
@click.argument("files", nargs=-1, required=True, type=PositionFile(), metavar="CASE...")
@click.option("--explain", is_flag=True, help="Print a short ruling to read out.")
@common
def adjudicate(files: tuple[str, ...], explain: bool, options: Options) -> int:
    """Judge each claim of a case under every reading of the rules.

    A CASE is a file, a folder with such files, or - for standard input. A claim is upheld or
    rejected in every reading, or it depends on open questions: the answer names them, and what
    settles them. A claim that has no subject is inapplicable.

    \b
    Example:
      pymorph new-ruleset my_game
      pymorph adjudicate my_game/cases/last.yaml
    """
    from pymorph import yamlio

    answers: list[tuple[str, verdicts.Adjudication, dict[str, rulings.Ruling]]] = []
    errors: list[PymorphError] = []
    started: list[
        tuple[str, cases.Case, dict[int, verdicts.ClaimVerdict], dict[str, rulings.Ruling]]
    ] = []

    def judge(file: str) -> None:
        try:
            case = cases.Case.load(file)
            case = replace(case, position=options.under(case.position, file))
            done: dict[int, verdicts.ClaimVerdict] = {}
            started.append((yamlio.name_of(file), case, done, dict(options.ruled)))
            answer = adjudication.adjudicate(case, done.__setitem__)
            answers.append((yamlio.name_of(file), answer, started.pop()[3]))
        except Faulty as error:
            errors.append(error)
            started.clear()

    named = list(cases_in(files))
    late = options.within_time(named, judge, "cases", bar=len(named) >= MANY)
    if late is not None:
        answers += [(name, _partial(case, done), ruled) for name, case, done, ruled in started]
    several = len(answers) > 1
    if options.as_json:
        options.ruled.clear()
        put(options, _json(answers), list)
    else:
        view = text.ruling_text if explain else text.adjudication
        blocks = [
            [*view(answer, name if several else "", style_of()), *house_lines(ruled)]
            for name, answer, ruled in answers
        ]
        for line in layout.spaced(blocks):
            put_line(line)
    for wrong in errors:
        fail(wrong)
    if late is not None:
        complain(f"pymorph: {late}")
        return DEPENDS
    return WRONG if errors else max((_exit(answer) for _, answer, _ in answers), default=YES)


def _partial(case: cases.Case, done: dict[int, verdicts.ClaimVerdict]) -> verdicts.Adjudication:
    """What is settled of a case for which the time ran out."""
    left = [stated for number, stated in enumerate(case.claims) if number not in done]
    return verdicts.Adjudication(case, tuple(done[number] for number in sorted(done)), tuple(left))


def _exit(answer: verdicts.Adjudication) -> int:
    words = {ruling.verdict for ruling in answer.claims}
    return DEPENDS if claims.DEPENDS in words else YES if words <= {claims.UPHELD} else NO


def _json(
    answers: Sequence[tuple[str, verdicts.Adjudication, dict[str, rulings.Ruling]]],
) -> dict[str, Any]:
    cases = [
        with_rulings({"file": name, **answer.json()}, ruled) for name, answer, ruled in answers
    ]
    first = loader.head(answers[0][1].ruleset) if answers else {}
    return {
        **first,
        "cases": cases,
        "claims": [claim for case in cases for claim in case["claims"]],
    }
