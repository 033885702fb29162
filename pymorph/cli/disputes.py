"""The verb about disputes."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pymorph.cli.app import DEPENDS, NO, WRONG, YES, cli, complain, fail
from pymorph.cli.options import (
    PositionFile,
    asked,
    common,
    house_lines,
    options_of,
    put,
    style_of,
    under,
    with_rulings,
)
from pymorph.errors import Fault, Faulty, InputError, OutOfTime, Place, PymorphError

if TYPE_CHECKING:
    from pymorph.queries.case import Case
    from pymorph.queries.verdicts import Adjudication, ClaimVerdict
    from pymorph.state.rulings import Ruling as HouseRuling

MANY = 20  # cases from which on a bar shows how far it is


def cases_in(files: Sequence[str]) -> Iterator[str]:
    """The files that are named, and those in the folders that are, in order and each once."""
    seen: set[str] = set()
    for file in files:
        path = Path(file)
        if file != "-" and path.is_dir():
            found = [
                str(each) for each in sorted(path.rglob("*.yaml")) if each.name != "rulings.yaml"
            ]
            if not found:
                raise InputError(Fault("there is no case in the folder", Place(file)))
        else:
            found = [file]
        for each in found:
            if each not in seen:
                seen.add(each)
                yield each


@cli.command()
@click.argument("files", nargs=-1, required=True, type=PositionFile(), metavar="CASE...")
@click.option("--explain", is_flag=True, help="As a short ruling to be read out.")
@common
def adjudicate(files: tuple[str, ...], explain: bool, **common_options: Any) -> int:
    """Who is right? The verdict on each claim of a case, under every reading of the rules.

    A CASE is a file, a folder with such files, or - for standard input. A claim is upheld or
    rejected in every reading, or depends on questions that are named with what settles them; it is
    inapplicable where it has no subject.

    \b
    Example:
      pymorph adjudicate my_game/cases/last.yaml
    """
    from pymorph import yamlio as reading
    from pymorph.queries import adjudication
    from pymorph.queries.case import Case
    from pymorph.views import disputes as told

    options = options_of(**common_options)
    style = style_of()
    answers: list[tuple[str, Adjudication, dict[str, HouseRuling]]] = []
    errors: list[PymorphError] = []
    started: list[tuple[str, Case, dict[int, ClaimVerdict], dict[str, HouseRuling]]] = []

    def judge(file: str) -> None:
        case = Case.load(file)
        position = under(case.position, options, file)
        case = replace(case, position=position)
        settled: dict[int, ClaimVerdict] = {}
        started.append((reading.name_of(file), case, settled, dict(options.ruled)))
        answer = adjudication.adjudicate(case, settled.__setitem__)
        answers.append((reading.name_of(file), answer, started.pop()[3]))

    def question() -> None:
        named = list(cases_in(files))
        shown = len(named) >= MANY and sys.stderr.isatty()
        with click.progressbar(named, label="cases", file=sys.stderr, hidden=not shown) as bar:
            for file in bar:
                try:
                    judge(file)
                except Faulty as error:
                    errors.append(error)
                    started.clear()

    late: OutOfTime | None = None
    try:
        asked(options, question)
    except OutOfTime as error:
        late = error
        answers += [(name, _partial(case, done), ruled) for name, case, done, ruled in started]
    several = len(answers) > 1
    if options.as_json:
        options.ruled.clear()
        put(options, _json(answers), list)
    else:
        for number, (name, answer, ruled) in enumerate(answers):
            lines = (told.explained if explain else told.adjudication)(
                answer, name if several else "", style
            )
            for line in [*([""] if number else []), *lines, *house_lines(ruled)]:
                click.echo(line)
    for wrong in errors:
        fail(wrong)
    if late is not None:
        complain(f"pymorph: {late}")
        return DEPENDS
    return WRONG if errors else max((_exit(answer) for _, answer, _ in answers), default=YES)


def _partial(case: Case, done: dict[int, ClaimVerdict]) -> Adjudication:
    """What is settled of a case for which the time ran out."""
    from pymorph.queries.verdicts import Adjudication

    left = [stated for number, stated in enumerate(case.claims) if number not in done]
    return Adjudication(case, tuple(done[number] for number in sorted(done)), tuple(left))


def _exit(answer: Adjudication) -> int:
    from pymorph.state.claim import DEPENDS as OPEN
    from pymorph.state.claim import UPHELD

    words = {ruling.verdict for ruling in answer.claims}
    return DEPENDS if OPEN in words else YES if words <= {UPHELD} else NO


def _json(answers: Sequence[tuple[str, Adjudication, dict[str, HouseRuling]]]) -> dict[str, Any]:
    from pymorph.ruleset.loader import head

    cases = []
    for name, answer, ruled in answers:
        cases.append(with_rulings({"file": name, **answer.json()}, ruled))
    first = head(answers[0][1].ruleset) if answers else {}
    return {
        **first,
        "cases": cases,
        "claims": [claim for case in cases for claim in case["claims"]],
    }
