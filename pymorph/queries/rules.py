"""Looking up rules and questions: the games there are, those of one, some of them in full."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pymorph.errors import Fault, InputError, UnknownName, clipped, nearest
from pymorph.ruleset import loader
from pymorph.ruleset.loader import Ruleset, head
from pymorph.ruleset.vocabulary import Question, Rule

if TYPE_CHECKING:
    from pymorph.queries.examples import Example
    from pymorph.state.rulings import RulingsInForce


@dataclass(frozen=True, slots=True)
class RulesFound:
    """What a look-up found: rulesets by name, or rules of one, in full where they were named.

    *cards* are whatever else has a status, each with that.
    """

    rulesets: tuple[Ruleset, ...] = ()
    ruleset: Ruleset | None = None
    rules: tuple[Rule, ...] = ()
    in_full: bool = False
    cards: tuple[tuple[str, str], ...] = ()

    def questions(self, rule: Rule) -> tuple[Question, ...]:
        """The questions that a rule leaves open."""
        known = self.ruleset.questions if self.ruleset else {}
        return tuple(known[name] for name in rule.questions)

    def json(self) -> dict[str, Any]:
        if self.ruleset is None:
            return _rulesets_json(self.rulesets, "rules")
        rows = [
            {**_rule_json(rule), "questions": [_question_json(q) for q in self.questions(rule)]}
            for rule in self.rules
        ]
        cards = [{"card": name, "status": status} for name, status in self.cards]
        return {**head(self.ruleset), "rules": rows, "cards": cards}


@dataclass(frozen=True, slots=True)
class QuestionsFound:
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

    def json(self) -> dict[str, Any]:
        if self.ruleset is None:
            return _rulesets_json(self.rulesets, "questions")
        return {**head(self.ruleset), "questions": [self._row(q) for q in self.questions]}

    def _row(self, question: Question) -> dict[str, Any]:
        row = _question_json(question)
        row["rules"] = [_rule_json(rule) for rule in self.rules(question)]
        if question.id in self.ruled:
            row["ruled"] = self.ruled[question.id].json()
        if question.id in self.examples:
            row["example"] = self.examples[question.id].json()
        return row


def look_up(names: Sequence[str], search: str | None = None) -> RulesFound:
    """The rulesets there are, or the rules of the one that *names* opens with, or those named.

    Raises: UnknownName, if a name is neither a ruleset nor a rule of it.
    """
    if not names and search is None:
        return RulesFound(rulesets=tuple(loader.load(name) for name in loader.shipped()))
    game, wanted = _game_and_names(names, "rule")
    rules = tuple(map(game.rule, wanted)) or tuple(game.rules.values())
    cards = tuple((n, s) for n, s in game.statuses.items() if n not in game.rules and not wanted)
    if search is not None:
        word = search.lower()
        rules = tuple(r for r in rules if word in f"{r.id} {r.title} {r.says} {r.sources}".lower())
        titles = game.vocabulary.titles
        cards = tuple(c for c in cards if word in f"{c[0]} {titles.get(c[0], '')}".lower())
    return RulesFound(ruleset=game, rules=rules, in_full=bool(wanted), cards=cards)


def questions(
    names: Sequence[str], search: str | None = None, rule: str | None = None
) -> QuestionsFound:
    """The rulesets there are, or the questions of the one that *names* opens with, or those named.

    *search* is a word that they have to have, *rule* one that has to raise them.
    Raises: UnknownName, if a name is neither a ruleset nor a question of it, or the rule is none.
    """
    if not names and search is None and rule is None:
        return QuestionsFound(rulesets=tuple(loader.load(name) for name in loader.shipped()))
    if not names and rule is not None:
        game, wanted = _game_of(rule, "rule"), names
    else:
        game, wanted = _game_and_names(names, "question")
    found = tuple(map(game.question, wanted)) or tuple(game.questions.values())
    if rule is not None:
        raised = game.rule(rule).questions
        found = tuple(q for q in found if q.id in raised)
    if search is not None:
        word = search.lower()
        found = tuple(
            q for q in found if word in f"{q.id} {q.asks} {q.options} {q.because}".lower()
        )
    from pymorph.queries import examples
    from pymorph.state import rulings

    shown = examples.of_questions(game, found if wanted else ())
    return QuestionsFound((), game, found, bool(wanted), rulings.configured(game), shown)


def names_after(names: Sequence[str], kind: str = "rule") -> list[str]:
    """What may follow *names* in a look-up: rulesets and rule ids, then the rules of that game.

    The same of questions, if *kind* is that. Raises: what `look_up` raises.
    """
    if names:
        game = _game_and_names(names[:1], kind)[0]
        return [each for each in _known(game, kind) if each not in names]
    games = look_up(()).rulesets
    return [
        *(game.name for game in games),
        *(name for game in games for name in _known(game, kind)),
    ]


def _rulesets_json(rulesets: Iterable[Ruleset], kind: str) -> dict[str, Any]:
    """Rulesets by name, each with how much of a kind it has."""
    return {
        "rulesets": [{**head(r), "title": r.title, kind: len(getattr(r, kind))} for r in rulesets]
    }


def _question_json(question: Question) -> dict[str, Any]:
    return {
        "question": question.id,
        "asks": question.asks,
        "default": question.default,
        "because": question.because,
        "options": [{"option": o, "means": m} for o, m in question.options],
    }


def _rule_json(rule: Rule) -> dict[str, Any]:
    row = rule._asdict()
    row["sources"] = [{"document": title, "section": section} for _, title, section in rule.sources]
    return row


def _known(game: Ruleset, kind: str) -> Collection[str]:
    return (game.rules if kind == "rule" else game.questions).keys()


def _game_and_names(names: Sequence[str], kind: str) -> tuple[Ruleset, Sequence[str]]:
    """The game that *names* is about, and those that are of it; where one game ships it is that."""
    shelf = loader.shipped()
    if not names and len(shelf) != 1:
        raise InputError(Fault(f"say in which game to search{nearest('', shelf)}"))
    first = names[0] if names else shelf[0]
    if first not in shelf and "/" not in first and not _is_folder(first):
        return _game_of(first, kind), tuple(names)
    return loader.load(first), tuple(names[1:])


def _is_folder(name: str) -> bool:
    try:
        return bool(loader.folders_of(name))
    except UnknownName:
        return False


def _game_of(name: str, kind: str) -> Ruleset:
    """The shipped game that has a rule or a question of that id."""
    games = [loader.load(name) for name in loader.shipped()]
    wanted = name.lower().replace("-", "_")
    for game in games:
        if wanted in _known(game, kind):
            return game
    shelf = [game.name for game in games]
    hint = nearest(wanted, [*shelf, *(each for game in games for each in _known(game, kind))])
    if "did you mean" not in hint:
        hint = nearest(wanted, shelf)
    raise UnknownName(Fault(f"unknown ruleset or {kind} {clipped(name)}{hint}"))
