"""Looking up rules and questions: the games there are, those of one, some of them in full."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from pymorph.adjudication import examples
from pymorph.adjudication.examples import Example
from pymorph.answers import json_keys
from pymorph.errors import InputError, UnknownName, clipped, nearest
from pymorph.ruleset import loader, locations
from pymorph.ruleset.loader import Edition, Ruleset
from pymorph.ruleset.vocabulary import Question, Rule
from pymorph.state import rulings
from pymorph.state.rulings import Ruling, RulingsInForce


@json_keys(spread=["question"], optional=["ruled", "example"])
class QuestionEntry(NamedTuple):
    """A question, the rules that raise it, the ruling on it, and an example."""

    question: Question
    rules: tuple[Rule, ...]
    ruled: Ruling | None
    example: Example | None


@json_keys(
    paths={"games": "parts", "rulesets": "games", "rules": "entries"},
    without=["in_full"],
    spread=["ruleset.edition"],
    items={
        "rulesets": ("*", "title", "rules"),
        "rules": ("*", "questions"),
        "cards": ("card", "status"),
    },
    optional=["games"],
    when={"rulesets": "lists_games", "rules": "ruleset", "cards": "ruleset"},
)
@dataclass(frozen=True, slots=True)
class RuleLookup:
    """What a look-up found: rulesets by name, or rules of one, in full where they were named.

    Where several games have what was searched for, there is a part for each.
    *cards* are whatever else has a status, each with that.
    """

    rulesets: tuple[Ruleset, ...] = ()
    ruleset: Ruleset | None = None
    rules: tuple[Rule, ...] = ()
    in_full: bool = False
    parts: tuple[RuleLookup, ...] = ()
    cards: tuple[tuple[str, str], ...] = ()

    def questions(self, rule: Rule) -> tuple[Question, ...]:
        """The questions that a rule leaves open."""
        known = self.ruleset.questions if self.ruleset else {}
        return tuple(known[name] for name in rule.questions)

    @property
    def games(self) -> tuple[tuple[Edition, str, int], ...]:
        """The rulesets, with how many rules each has."""
        return tuple((game.edition, game.title, len(game.rules)) for game in self.rulesets)

    @property
    def lists_games(self) -> bool:
        return not self.parts and self.ruleset is None

    @property
    def entries(self) -> tuple[tuple[Rule, tuple[Question, ...]], ...]:
        """The rules with their questions."""
        return tuple((rule, self.questions(rule)) for rule in self.rules)


@json_keys(
    paths={"rulesets": "games", "questions": "entries"},
    without=["in_full", "ruled", "examples"],
    spread=["ruleset.edition"],
    items={"rulesets": ("*", "title", "questions")},
    when={"rulesets": "lists_games", "questions": "ruleset"},
)
@dataclass(frozen=True, slots=True)
class QuestionLookup:
    """The open questions of a game, or the games there are.

    Those that were named are *in_full*: with the rules that raise them, and an example of each that
    has one. *ruled* is what the user's configuration decides.
    """

    rulesets: tuple[Ruleset, ...] = ()
    ruleset: Ruleset | None = None
    questions: tuple[Question, ...] = ()
    in_full: bool = False
    ruled: RulingsInForce = field(default_factory=dict)
    examples: Mapping[str, Example] = field(default_factory=dict)

    def rules(self, question: Question) -> tuple[Rule, ...]:
        """The rules that raise a question."""
        known = self.ruleset.rules if self.ruleset else {}
        return tuple(known[name] for name in question.rules)

    @property
    def games(self) -> tuple[tuple[Edition, str, int], ...]:
        """The rulesets, with how many questions each has."""
        return tuple((game.edition, game.title, len(game.questions)) for game in self.rulesets)

    @property
    def lists_games(self) -> bool:
        return self.ruleset is None

    @property
    def entries(self) -> tuple[QuestionEntry, ...]:
        """The questions with their rules, the rulings on them, and their examples."""
        return tuple(
            QuestionEntry(q, self.rules(q), self.ruled.get(q.id), self.examples.get(q.id))
            for q in self.questions
        )


def look_up(names: Sequence[str], search: str | None = None) -> RuleLookup:
    """The rulesets there are, or the rules of the one that *names* opens with, or those named.

    Names that are no rules are words: those rules are found in which all of them occur, also in
    several games if none is named. *search* is such a word, whatever rules are called.
    Raises: UnknownName, if a name is neither a ruleset nor a rule nor a word of one.
    """
    if not names and search is None:
        return RuleLookup(rulesets=_included())
    in_one = bool(names) and _is_game(names[0])
    words = names[1:] if in_one else names
    games = (loader.load(names[0]),) if in_one else _included()
    known = {rule for game in games for rule in game.rules}
    named = any(_id(word) in known or not word.strip() for word in words)
    if named or not (words or search is not None):
        game, wanted = _game_and_names(names, "rule")
        if not wanted:
            return _matching(game, search)
        rules = _with(map(game.rule, wanted), search)
        return RuleLookup(ruleset=game, rules=rules, in_full=True)
    lookups = [_matching(game, search, *words) for game in games]
    parts = tuple(part for part in lookups if part.rules or part.cards)
    for word in () if parts else words:
        if not any(_matching(game, word).rules for game in games):
            _game_and_names([*names[:1], word] if in_one else [word], "rule")[0].rule(word)
    if len(parts) > 1:
        return RuleLookup(rulesets=tuple(p.ruleset for p in parts if p.ruleset), parts=parts)
    return parts[0] if parts else lookups[0]


def _matching(game: Ruleset, *words: str | None) -> RuleLookup:
    """The rules and cards of a game in which all the words occur; of cards, in the name."""
    titles = game.vocabulary.titles
    cards = tuple(
        (name, status)
        for name, status in game.statuses.items()
        if name not in game.rules and _has(f"{name} {titles.get(name, '')}", words)
    )
    return RuleLookup(ruleset=game, rules=_with(game.rules.values(), *words), cards=cards)


def _with(rules: Iterable[Rule], *words: str | None) -> tuple[Rule, ...]:
    """Those of the rules in which all the words occur."""
    return tuple(r for r in rules if _has(f"{r.id} {r.title} {r.says} {r.sources}", words))


def _has(text: str, words: Iterable[str | None]) -> bool:
    """Do all the words occur in a text?"""
    return all(word.lower() in text.lower() for word in words if word is not None)


def questions(
    names: Sequence[str], search: str | None = None, rule: str | None = None
) -> QuestionLookup:
    """The rulesets there are, or the questions of the one that *names* opens with, or those named.

    *search* is a word that they have to have, *rule* one that has to raise them.
    Raises: UnknownName, if a name is neither a ruleset nor a question of it, or the rule is none.
    """
    if not names and search is None and rule is None:
        return QuestionLookup(rulesets=_included())
    if not names and rule is not None:
        game, wanted = _game_of(rule, "rule"), names
    else:
        game, wanted = _game_and_names(names, "question")
    matches = tuple(map(game.question, wanted)) or tuple(game.questions.values())
    if rule is not None:
        raised = game.rule(rule).questions
        matches = tuple(q for q in matches if q.id in raised)
    texts = ((q, f"{q.id} {q.asks} {q.options} {q.because}") for q in matches)
    matches = tuple(q for q, text in texts if _has(text, [search]))
    with_examples = examples.of_questions(game, matches if wanted else ())
    return QuestionLookup((), game, matches, bool(wanted), rulings.configured(game), with_examples)


def names_after(names: Sequence[str], kind: str = "rule") -> list[str]:
    """What may follow *names* in a look-up: rulesets and rule ids, then the rules of that game.

    The same of questions, if *kind* is that. Raises: what `look_up` raises.
    """
    if names:
        game = _game_and_names(names[:1], kind)[0]
        return [name for name in _known(game, kind) if name not in names]
    return [*locations.names(), *(name for game in _included() for name in _known(game, kind))]


def _known(game: Ruleset, kind: str) -> Collection[str]:
    return (game.rules if kind == "rule" else game.questions).keys()


def _game_and_names(names: Sequence[str], kind: str) -> tuple[Ruleset, Sequence[str]]:
    """The game that *names* is about, or the only one there is, and those that are of it."""
    shelf = locations.included()
    if not names and len(shelf) != 1:
        raise InputError(f"name the game to search{nearest('', shelf)}")
    first = names[0] if names else shelf[0]
    if not _is_game(first):
        return _game_of(first, kind), tuple(names)
    return loader.load(first), tuple(names[1:])


def _included() -> tuple[Ruleset, ...]:
    """The games that come with pymorph."""
    return tuple(map(loader.load, locations.included()))


def _is_game(name: str) -> bool:
    return "/" in name or bool(locations.found(name))


def _id(text: str) -> str:
    """A rule or question as people write its id."""
    return text.lower().replace("-", "_")


def _game_of(name: str, kind: str) -> Ruleset:
    """The game that comes with pymorph and has a rule or a question of that id."""
    wanted, games = _id(name), _included()
    for game in games:
        if wanted in _known(game, kind):
            return game
    shelf = locations.names()
    near = nearest(wanted, [*shelf, *(known for game in games for known in _known(game, kind))])
    hint = locations.similar(name) or (near if "did you mean" in near else nearest(wanted, shelf))
    raise UnknownName(f"unknown ruleset or {kind} {clipped(name)}{hint}")
