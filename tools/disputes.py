"""The published disputes of `cases/<ruleset>/`: each a plain file with the verdicts expected of it.

``python -m tools.disputes [RULESET]`` writes the index, `cases/<ruleset>/INDEX.md`, which says for
each what rules and questions it exercises; without a ruleset, that of every one.
"""

import re
import sys
from collections import defaultdict
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

from pymorph import Adjudication, Case, adjudicate, load_ruleset
from pymorph.adjudication.verdicts import expectation_faults, unexpected

FOLDER = Path(__file__).parent.parent / "tests" / "cases"
HEAD = """# Disputes over {title}

Each file is a case: a position, what the parties claim of it, and under `expect` the verdict on
each claim: under the defaults, and under each reading that changes it (the questions that are not
named keep their defaults). Nothing else is needed to run them with another referee.

"""
DISPUTE = re.compile(r"^\| \[([A-Z]-\d+)\]\(.*\) \| .* \| (.*) \|$", re.MULTILINE)
RULE = re.compile(r"^\| (\w+) \| (.*) \|$", re.MULTILINE)


class Exercised(NamedTuple):
    """The questions that a dispute hangs on, and the rules that it cites."""

    questions: frozenset[str]
    rules: frozenset[str]


def games() -> list[str]:
    """The rulesets that have a suite."""
    return sorted(path.name for path in FOLDER.iterdir() if path.is_dir())


def files(game: str) -> list[Path]:
    """The files of the suite of a ruleset, in the order of their numbers."""
    return sorted((FOLDER / game).glob("*/*.yaml"), key=lambda path: path.name)


def game_of(path: Path) -> str:
    """The ruleset whose suite a file is in."""
    return path.relative_to(FOLDER).parts[0]


def index_file(game: str) -> Path:
    return FOLDER / game / "INDEX.md"


case_of = cache(Case.load)


@cache
def judged(path: Path) -> Adjudication:
    return adjudicate(case_of(path))


def exercised(path: Path) -> Exercised:
    """What a dispute exercises when it is judged."""
    rulings = judged(path).claims
    return Exercised(
        frozenset(question for ruling in rulings for question in ruling.depends_on),
        frozenset(rule for ruling in rulings for rule in ruling.rules),
    )


@cache
def indexed(game: str) -> dict[str, Exercised]:
    """What each dispute of a suite exercises, by its number, as the written index has it."""
    text = index_file(game).read_text(encoding="utf-8")
    cited: dict[str, set[str]] = defaultdict(set)
    for rule, numbers in RULE.findall(text.partition("## Rules")[2]):
        for number in numbers.split(", "):
            cited[number].add(rule)
    return {
        number: Exercised(frozenset(filter(None, names.split(", "))), frozenset(cited[number]))
        for number, names in DISPUTE.findall(text)
    }


def told_of(path: Path) -> Exercised:
    """What a dispute exercises, as the written index has it."""
    return indexed(game_of(path))[path.stem[:5]]


def faults(path: Path) -> list[str]:
    """Where the answer is not what a file expects, and where the file does not say enough."""
    answer = judged(path)
    missing = [f"{path.name}: a claim expects no verdict"] * bool(unexpected(answer))
    return [f"{fault.place}: {fault.message}" for fault in expectation_faults(answer)] + missing


def index(game: str, of: Callable[[Path], Exercised]) -> str:
    """The index of the suite of a ruleset, whose disputes exercise what *of* says."""
    lines = [HEAD.format(title=load_ruleset(game).title)]
    chapters: dict[str, list[Path]] = defaultdict(list)
    asked: dict[str, list[str]] = defaultdict(list)
    cited: dict[str, list[str]] = defaultdict(list)
    for path in files(game):
        chapters[path.parent.name].append(path)
    for chapter in sorted(chapters, key=lambda name: chapters[name][0].name):
        lines.append(f"## {chapter.replace('_', ' ').capitalize()}\n\n")
        lines.append("| | dispute | depends on |\n|---|---|---|\n")
        for path in chapters[chapter]:
            case, (names, rules) = case_of(path), of(path)
            questions = sorted(names)
            link = f"[{case.id}]({path.relative_to(FOLDER / game)})"
            lines.append(f"| {link} | {case.title} | {', '.join(questions)} |\n")
            for question in questions:
                asked[question].append(case.id)
            for rule in rules:
                cited[rule].append(case.id)
        lines.append("\n")
    lines.append("## Questions\n\n| question | disputes |\n|---|---|\n")
    lines += [f"| {name} | {', '.join(asked[name])} |\n" for name in sorted(asked)]
    lines.append("\n## Rules\n\n| rule | disputes |\n|---|---|\n")
    lines += [f"| {name} | {', '.join(cited[name])} |\n" for name in sorted(cited)]
    return "".join(lines)


if __name__ == "__main__":
    for game in sys.argv[1:] or games():
        index_file(game).write_text(index(game, exercised), encoding="utf-8")
