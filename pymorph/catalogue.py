"""Looking up rules: the games there are, the rules of one, some of them in full."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from pymorph import ruleset
from pymorph.answers import head
from pymorph.errors import Fault, InputError, UnknownName, clipped, nearest
from pymorph.ruleset import Question, Rule, Ruleset


@dataclass(frozen=True, slots=True)
class Found:
    """What a look-up found: rulesets by name, or rules of one, in full where they were named."""

    rulesets: tuple[Ruleset, ...] = ()
    ruleset: Ruleset | None = None
    rules: tuple[Rule, ...] = ()
    in_full: bool = False

    def questions(self, rule: Rule) -> tuple[Question, ...]:
        """The questions that a rule leaves open."""
        known = self.ruleset.questions if self.ruleset else {}
        return tuple(known[name] for name in rule.questions)

    def json(self) -> dict[str, Any]:
        if self.ruleset is None:
            return {
                "rulesets": [
                    {**head(r), "title": r.title, "rules": len(r.rules)} for r in self.rulesets
                ]
            }
        rows = []
        for rule in self.rules:
            row = asdict(rule)
            row["sources"] = [
                {"document": title, "section": section} for _, title, section in rule.sources
            ]
            row["questions"] = [
                {
                    "question": q.id,
                    "asks": q.asks,
                    "default": q.default,
                    "because": q.because,
                    "options": [{"option": o, "means": m} for o, m in q.options],
                }
                for q in self.questions(rule)
            ]
            rows.append(row)
        return {**head(self.ruleset), "rules": rows}


def look_up(names: Sequence[str], search: str | None = None) -> Found:
    """The rulesets there are, or the rules of the one that *names* opens with, or those named.

    Raises: UnknownName, if a name is neither a ruleset nor a rule of it.
    """
    if not names and search is None:
        return Found(rulesets=tuple(ruleset.load(name) for name in ruleset.shipped()))
    shelf = ruleset.shipped()
    if not names and len(shelf) != 1:
        raise InputError(Fault(f"say in which game to search{nearest('', shelf)}"))
    first = names[0] if names else shelf[0]
    if names and first not in shelf and "/" not in first and not _is_folder(first):
        game, wanted = _game_of(first), tuple(names)
    else:
        game, wanted = ruleset.load(first), tuple(names[1:])
    rules = tuple(map(game.rule, wanted)) or tuple(game.rules.values())
    if search is not None:
        word = search.lower()
        rules = tuple(r for r in rules if word in f"{r.id} {r.title} {r.says} {r.sources}".lower())
    return Found(ruleset=game, rules=rules, in_full=bool(wanted))


def names_after(names: Sequence[str]) -> list[str]:
    """What may follow *names* in a look-up: rulesets and rule ids, then the rules of that game.

    Raises: what `look_up` raises.
    """
    if names:
        game = look_up(names[:1]).ruleset
        return [rule for rule in game.rules if rule not in names] if game else []
    games = look_up(()).rulesets
    return [*(game.name for game in games), *(rule for game in games for rule in game.rules)]


def _is_folder(name: str) -> bool:
    try:
        return bool(ruleset.folders_of(name))
    except UnknownName:
        return False


def _game_of(rule: str) -> Ruleset:
    """The shipped game that has a rule of that id."""
    games = [ruleset.load(name) for name in ruleset.shipped()]
    wanted = rule.lower().replace("-", "_")
    for game in games:
        if wanted in game.rules:
            return game
    names = [game.name for game in games]
    hint = nearest(wanted, [*names, *(name for game in games for name in game.rules)])
    if "did you mean" not in hint:
        hint = nearest(wanted, names)
    raise UnknownName(Fault(f"unknown ruleset or rule {clipped(rule)}{hint}"))
