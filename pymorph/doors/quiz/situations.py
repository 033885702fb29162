"""Makes a quiz: half of it from the cases that come with the games, half from random play."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from random import Random
from typing import NamedTuple, TypeVar, cast

from clingo import Function, Number, Symbol

from pymorph.adjudication import regression
from pymorph.adjudication.adjudication import adjudicate
from pymorph.adjudication.case import Case, Stated
from pymorph.adjudication.verdicts import ClaimVerdict
from pymorph.doors.quiz.quiz_lines import (
    AnswerKey,
    OpenQuestion,
    QuizLine,
    ReadingVerdict,
    VerdictWord,
)
from pymorph.dynamics import protocol
from pymorph.dynamics.asking.legal import judged
from pymorph.dynamics.engine import dynamics_of
from pymorph.dynamics.protocol import Follow
from pymorph.errors import PymorphError
from pymorph.explore.sampling import playouts
from pymorph.questions import consistency, figures, legality
from pymorph.ruleset import loader
from pymorph.ruleset.loader import Ruleset
from pymorph.state import claim as claims
from pymorph.state import test_case
from pymorph.state.claim import DEPENDS, UNDECIDED
from pymorph.state.position import Position
from pymorph.terms import Term
from pymorph.views.layout import capital, one_line
from pymorph.views.picture import scene_of
from pymorph.views.pictures import ascii

_Drawn = TypeVar("_Drawn")
ASKED = (
    "Do the rules uphold the claim, or reject it? The open questions that are listed may be read "
    "either way, unless the position has a ruling on them; all others are read by default. The "
    "verdict is 'depends' if it depends on an open question or on hidden information, and "
    "'inapplicable' if the claim has no subject. Name the rules that decide, and what the verdict "
    "depends on."
)


class Amounts(NamedTuple):
    """How much of something is tried or shown."""

    actions: int = 12  # between the start of a game and a question, at most
    starts: float = 0.25  # of the games in random play, where there are cases to begin from
    steps: int = 2  # between the position of a case and a question
    games: int = 2  # side by side
    near: int = 60  # actions that are nearly a legal one and are judged
    against: int = 2  # rules against an action that is nearly legal
    claims: int = 4  # of each kind that are judged in a position
    rules: int = 8  # to pick from, or as many again as decide
    questions: int = 24  # that are open where a verdict is not known before
    others: int = 4  # open questions to pick from, beside those that decide
    failures: int = 20  # positions in a row without a question, before a game is left


MOST = Amounts()


class Situation(NamedTuple):
    """A position, the questions that are open in it, and where it is from."""

    position: Position
    opened: Collection[str]
    origin: str

    @property
    def read(self) -> Position:
        """The position with all other questions read by default, unless it rules them."""
        defaults = self.position.ruleset.defaults.items()
        others = {question: option for question, option in defaults if question not in self.opened}
        return self.position.with_rulings({**others, **self.position.rulings})


def quiz(games: Sequence[str], number: int, seed: int) -> list[QuizLine]:
    """A quiz about some games: the same lines for the same seed, on every machine.

    Raises: UnknownName or RulesetError, if there is no such game.
    """
    loaded = [loader.load(name) for name in games]
    halves = [
        in_turn([half(game, Random(f"{seed} {half.__name__} {game.name}")) for game in loaded])
        for half in (from_cases, from_play)
    ]
    lines = list(islice(in_turn(halves), number))
    Random(seed).shuffle(lines)
    return [line._replace(id=f"{seed}-{at}") for at, line in enumerate(lines, 1)]


def in_turn(sources: Iterable[Iterator[_Drawn]]) -> Iterator[_Drawn]:
    """One item of each source after the other, until all have ended."""
    left = deque(sources)
    while left:
        source = left.popleft()
        for item in islice(source, 1):
            yield item
            left.append(source)


def shuffled(items: Iterable[_Drawn], source: Random) -> list[_Drawn]:
    """The items in random order."""
    return source.sample(among := list(items), len(among))


# -- from cases ------------------------------------------------------------------------------------


def from_cases(game: Ruleset, source: Random) -> Iterator[QuizLine]:
    """Questions from the cases that come with a game, one file after the other."""
    kinds = {"cases": of_disputes, regression.EXPECTATIONS: of_expectations}
    files = shuffled(regression.files_of(game), source)
    yield from in_turn([kinds[kind](path, source) for kind, path in files if kind in kinds])


def of_disputes(path: Path, source: Random) -> Iterator[QuizLine]:
    """The claims of a case about its position: under a ruling on a question, or without one."""
    case = Case.load(path)
    for stated in case.claims:
        if stated.after or stated.claim.mode:
            continue
        expected = [dict(choices) for choices, _ in stated.expect]
        turning = source.choice([choices for choices in expected if choices] or [{}])
        default = {question: case.position.ruleset.defaults[question] for question in turning}
        rulings = source.choice([{}, {}, {}, turning, default])
        position = case.position.with_rulings(rulings)
        named = {question for choices in expected for question in choices}
        opened = sorted(named) if stated.expect else some_questions(position, source)
        asked = Situation(position, opened, path.stem)
        for verdict in verdicts(asked, [str(stated.claim)]):
            yield line_of(verdict, asked, "ruled" if rulings else kind_of(verdict), source)


def of_expectations(path: Path, source: Random) -> Iterator[QuizLine]:
    """An action of each test case in which it is known at the start whether that is legal."""
    for case in shuffled(test_case.load(path), source):
        first = case.items[0]
        known = [one.subject for one in first.expected if one.kind in ("legal", "illegal")]
        if known and not (first.do or first.under):
            position = case.position()
            asked = Situation(position, some_questions(position, source), case.id)
            for verdict in verdicts(asked, [about(source.choice(known), source)]):
                yield line_of(verdict, asked, kind_of(verdict), source)


# -- from play -------------------------------------------------------------------------------------


def from_play(game: Ruleset, source: Random) -> Iterator[QuizLine]:
    """Questions about positions that random play reaches, two about each."""
    cases = [path for kind, path in regression.files_of(game) if kind == "cases"]
    asked: set[tuple[Position, str]] = set()
    failures = 0
    while failures < MOST.failures:
        failures += 1
        with suppress(PymorphError):
            start, texts = beginning(game, cases, source)
            for whole in reached(start, MOST.steps if texts else MOST.actions, source):
                position = looked_at(whole, source)
                unsure = [about(action, source) for action in doubtful(position)]
                texts = [*texts, *unsure, *claims_about(whole, source)]
                here = Situation(position, some_questions(position, source), "play")
                found = {
                    kind_of(verdict): verdict
                    for verdict in shuffled(verdicts(here, texts), source)
                    if (position, verdict.claim) not in asked
                }
                for kind in sorted(shuffled(found, source), key="depends".__ne__)[:2]:
                    failures = 0
                    asked.add((position, found[kind].claim))
                    yield line_of(found[kind], here, kind, source)


def beginning(game: Ruleset, cases: Sequence[Path], source: Random) -> tuple[Position, list[str]]:
    """Where random play begins: a start of the game, or the position of a case with its claims."""
    if not cases or source.random() < MOST.starts:
        return Position.load(source.choice(game.starts)), []
    case = Case.load(source.choice(cases))
    return case.position, [str(s.claim) for s in case.claims if not (s.after or s.claim.mode)]


def reached(start: Position, most: int, source: Random) -> list[Position]:
    """Positions after up to so many actions at random, without what a file has not of them."""
    dynamics = dynamics_of(start, bit_sliced=False)
    choose = playouts.one_by_one(dynamics, source, None)
    states = dynamics.states(dynamics.encode([start] * MOST.games))
    steps = [source.randint(1, most) for _ in range(MOST.games)]
    rows = states.rows.copy()
    for number in range(most + 1):
        moves = states.legal(Follow.ONE)
        going = protocol.numbers_in(moves.open, MOST.games).tolist()
        going = [game for game in going if number <= steps[game]]
        rows[going] = states.rows[going]
        mask = sum(1 << game for game in going if number < steps[game])
        if not mask:
            break
        states = moves.step(choose(moves, mask, rows)).after
    return [Position.parse(position.yaml()) for position in dynamics.decode(rows)]


def claims_about(position: Position, source: Random) -> Iterator[str]:
    """Claims about actions and figures, that may be true or not."""
    for action in near_misses(position, source):
        yield about(Term(action), source)
    counted = [f for f in figures.forecast(position).figures if isinstance(f.value, int)]
    for figure in shuffled(counted, source)[: MOST.claims]:
        value = Number(int(figure.value) + source.choice((-1, 0, 0, 1)))
        yield f"{figure.name} = {position.ruleset.vocabulary.said(figure.name.name, value)}"


def near_misses(position: Position, source: Random) -> list[Symbol]:
    """Some actions that one or two rules forbid, and legal ones that differ from these in one
    part."""
    words = position.ruleset.vocabulary
    near: dict[Symbol, Symbol] = {}
    for action in shuffled(legality.legal_actions(position), source)[: MOST.near]:
        declared, parts = words.actions[action.name], action.symbol.arguments
        for at, sort in enumerate(declared.sorts):
            members = words.members(sort, position.scene)
            for other in source.sample(members, min(2, len(members))):
                changed = Function(declared.name, [*parts[:at], other, *parts[at + 1 :]])
                near.setdefault(changed, action.symbol)
    tried = judged(position, shuffled(near, source)[: MOST.near])
    refused = [a for a, verdict in tried.items() if 0 < len(verdict.rules) <= MOST.against][
        : MOST.claims
    ]
    return [*refused, *dict.fromkeys(near[action] for action in refused)]


def looked_at(position: Position, source: Random) -> Position:
    """The position, or what somebody knows of it, if anybody knows only a part."""
    viewer = source.choice(["", *sorted(consistency.observers(position))])
    return consistency.as_seen_by(position, viewer) if viewer else position


def doubtful(position: Position) -> list[Term]:
    """Actions that depend on hidden information."""
    return [doubt.action for doubt in legality.legal(position).unsettled][: MOST.claims]


def about(action: Term | str, source: Random) -> str:
    """A claim about an action, that may be true or not."""
    return f"{source.choice(('legal', 'illegal'))}({action})"


# -- the verdicts, as lines ------------------------------------------------------------------------


def some_questions(position: Position, source: Random) -> list[str]:
    """Questions that are left open."""
    return shuffled(position.ruleset.questions, source)[: MOST.questions]


def verdicts(asked: Situation, texts: Iterable[str]) -> list[ClaimVerdict]:
    """The verdicts on claims about a position, but for claims that are unknown to it."""
    position = asked.read
    stated = []
    for text in texts:
        with suppress(PymorphError):
            stated.append(Stated("", claims.parse(position, text)))
    answers = adjudicate(Case(position, tuple(stated))).claims if stated else ()
    return [a for a in answers if a.complete and UNDECIDED not in (a.verdict, a.defaults)]


def kind_of(answer: ClaimVerdict) -> str:
    """What a question with that verdict tests."""
    if answer.verdict == DEPENDS:
        return "depends"
    part = answer.stated.claim.parts[0]
    if part.kind != "legal":
        return "figure"
    return "legal" if part.positive is (answer.verdict == claims.UPHELD) else "forbidden"


def line_of(answer: ClaimVerdict, situation: Situation, kind: str, source: Random) -> QuizLine:
    """A verdict as a line of a quiz, with rules and questions beside those that decide."""
    position, game = situation.position, situation.position.ruleset
    needed = {*answer.depends_on, *position.rulings}
    others = shuffled(sorted({*situation.opened} - needed), source)
    asked = sorted([*needed, *others[: MOST.others]])
    accounts = [
        (under, account)
        for under, account in answer.accounts
        if all(option == game.defaults[q] for q, option in under.items() if q not in asked)
    ]
    readings = {
        tuple((q, o) for q, o in u.items() if q in answer.depends_on): a.verdict
        for u, a in accounts
    }
    rules = sorted({rule for _, account in accounts for rule in account.rules})
    hidden = sorted({item for _, account in accounts for item in account.hidden})
    key = AnswerKey(
        kind,
        situation.origin,
        cast("VerdictWord", answer.verdict),
        cast("VerdictWord", answer.defaults),
        tuple(
            ReadingVerdict(dict(choices), cast("VerdictWord", word))
            for choices, word in readings.items()
        ),
        tuple(rules),
        (*answer.depends_on, *hidden),
    )
    return QuizLine(
        "",
        game.name,
        in_words(answer, game),
        str(answer.stated.claim),
        position.yaml(),
        "\n".join(ascii.position_text(scene_of(position), plain=True)),
        {name: one_line(game.rules[name].says) for name in offered(game, rules, source)},
        {
            name: OpenQuestion(one_line(q.asks), dict(q.options), q.default)
            for name in asked
            for q in [game.questions[name]]
        },
        key,
    )


def in_words(answer: ClaimVerdict, game: Ruleset) -> str:
    """What is asked, with the claim as a sentence, and what its words mean."""
    part = answer.stated.claim.parts[0]
    said = game.vocabulary.rulers.spoken(str(answer.stated.claim))
    if part.kind == "legal" and len(answer.stated.claim.parts) == 1:
        action = part.terms[0]
        allowed = "may" if part.positive else "may not"
        said = f"{capital(action.actor)} {allowed} do this now: {action}"
        meaning = game.vocabulary.descriptions.get(("action", action.name), "")
    else:
        name = part.left.term.name if part.left is not None else ""
        meaning = game.vocabulary.descriptions.get(("figure", name), "")
    return " ".join(
        filter(
            None,
            [
                f"This is a position of {game.title}. The claim is: {said}.",
                meaning and f"({one_line(meaning)})",
                ASKED,
            ],
        )
    )


def offered(game: Ruleset, right: Sequence[str], source: Random) -> list[str]:
    """The ids of rules to pick from: those that decide, and others, first of the same chapters."""
    chapters = {name.rpartition("_")[0] for name in right}
    others = shuffled(sorted(game.rules.keys() - {*right}), source)
    others.sort(key=lambda name: name.rpartition("_")[0] not in chapters)
    return sorted([*right, *others[: max(MOST.rules - len(right), len(right))]])
