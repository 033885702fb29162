"""The answers to questions about one position, and their JSON shapes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import chain, repeat
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from pymorph.answers import below, brief, frozen, json_keys
from pymorph.errors import Place
from pymorph.ruleset.loader import Ruleset
from pymorph.ruleset.vocabulary import SOURCE, Rule
from pymorph.state.position import Position
from pymorph.terms import Term, names_in

if TYPE_CHECKING:
    from clingo import Symbol


@json_keys(paths={"actor": "action.actor"})
class Doubt(NamedTuple):
    """An action that depends on hidden information."""

    action: Term
    depends_on: tuple[Term, ...]
    rules: tuple[str, ...]


@json_keys(paths={"actor": "action.actor"})
class Forbidden(NamedTuple):
    """An action that is not legal, with all rules that forbid it."""

    action: Term
    rules: tuple[str, ...]


@json_keys(paths={"roll": "what"}, items={"outcomes": ("action", "odds")}, optional=["about"])
class Roll(NamedTuple):
    """A roll or a draw that is due: each outcome with its odds, sorted; they add up to 1.

    *what* is the action without its last argument, in which the outcomes differ. *about* has what
    the roll is for, such as `greets(anna, bo)`.
    """

    what: Term
    outcomes: tuple[tuple[Term, Fraction], ...]
    rule: str
    about: tuple[Term, ...] = ()


@json_keys(
    paths={"actor": "form.actor", "action": "form"},
    when={"most": "_is_bounded", "unit": "_is_bounded"},
)
class Awaited(NamedTuple):
    """What somebody has to enter, with the name of a sort for each open argument.

    *most* is the largest amount, in a *unit*, if the rules set one.
    """

    form: Term
    rule: str
    most: int | None = None
    unit: str = ""

    @property
    def _is_bounded(self) -> bool:
        return self.most is not None


@json_keys(optional=["reason"])
class GameOutcome(NamedTuple):
    """How a game ended: who has won, or that it is *drawn*, and the *scores*.

    Several *winners* have won together. If there is none and the game is not drawn, the rules end
    the game and say no more. *rules* are the rules that end the game and say who has won. They are
    empty if the players ended it, for a *reason* in the record.
    """

    winners: tuple[Term, ...]
    drawn: bool
    scores: Mapping[str, int]
    rules: tuple[str, ...]
    reason: str = ""


@json_keys(optional=["odds"])
class LegalAction(NamedTuple):
    """A legal action; if it is an outcome of a roll, with its odds."""

    actor: str
    action: Term
    odds: Fraction | None = None


@json_keys(
    paths={"actions": "_offered"},
    without=["rolls"],
    spread=["ruleset.edition"],
    optional=["over_if"],
    when={"forbidden": "_lists_forbidden"},
)
class Legality(NamedTuple):
    """What is legal in a position; *forbidden* is empty unless you ask for it.

    *rolls* are the rolls that are due: then only their outcomes are legal. *over* has the rules
    that have ended the game, *outcome* who has won, *over_if* the hidden items on which it depends
    whether the game is over. *awaited* is what somebody has to enter before play continues.
    """

    ruleset: Ruleset
    actions: tuple[Term, ...]
    unsettled: tuple[Doubt, ...]
    forbidden: tuple[Forbidden, ...] | None = None
    rolls: tuple[Roll, ...] = ()
    over: tuple[str, ...] = ()
    awaited: tuple[Awaited, ...] = ()
    over_if: tuple[Term, ...] = ()
    outcome: GameOutcome | None = None

    def of(self, actor: str) -> Legality:
        """The part that concerns one actor."""
        return self._replace(
            actions=tuple(a for a in self.actions if a.actor == actor),
            unsettled=tuple(d for d in self.unsettled if d.action.actor == actor),
            forbidden=self.forbidden
            and tuple(f for f in self.forbidden if f.action.actor == actor),
            rolls=tuple(roll for roll in self.rolls if roll.outcomes[0][0].actor == actor),
            awaited=tuple(each for each in self.awaited if each.form.actor == actor),
        )

    def awaits(self, action: Term) -> bool:
        """Is it of a form that is awaited?"""
        sorts = self.ruleset.vocabulary.sorts

        def fits(form: Term) -> bool:
            pairs = zip(action.arguments, form.arguments, strict=True)
            return all(said == meant or str(meant) in sorts for said, meant in pairs)

        return any(each.form.name == action.name and fits(each.form) for each in self.awaited)

    @property
    def _offered(self) -> tuple[LegalAction, ...]:
        """The actions, the outcomes of a roll with their odds."""
        odds = {action: share for roll in self.rolls for action, share in roll.outcomes}
        return tuple(LegalAction(a.actor, a, odds.get(a)) for a in self.actions)

    @property
    def _lists_forbidden(self) -> bool:
        return self.forbidden is not None


@json_keys(optional=["text"])
class Entry(NamedTuple):
    """One item of a figure, and the rule it comes from; the text that the ruleset has for it."""

    item: Term
    amount: int
    rule: str
    text: str = ""


@json_keys()
class Figure(NamedTuple):
    """A figure with its ledger.

    *value* is a number; the text `never`, if rules deny it a number (they are in *rules*); a word
    such as `close`, for a finding; or `unknown`, if hidden information decides.
    """

    name: Term
    value: int | str
    unit: str
    entries: tuple[Entry, ...] = ()
    rules: tuple[str, ...] = ()
    grounds: tuple[Term, ...] = ()


def ours_in(ruleset: Ruleset, figures: Iterable[Figure]) -> dict[str, str]:
    """The rules and cards in some ledgers that no source has so, each with its status."""
    entries = [entry for figure in figures for entry in figure.entries]
    rules = [*(rule for figure in figures for rule in figure.rules), *(e.rule for e in entries)]
    return ruleset.ours_in([*rules, *names_in(entry.item.symbol for entry in entries)])


def ours_about(position: Position, symbols: Iterable[Symbol]) -> dict[str, str]:
    """What is named in some symbols, or told of those who are alone, that no source has so."""
    names = set(names_in(symbols))
    fluents = position.fluents.items()
    alone = ((fluent.arguments[0], v) for fluent, v in fluents if len(fluent.arguments) == 1)
    told = (value for who, value in alone if who in position.names and who.name in names)
    return position.ruleset.ours_in(names.union(names_in(told)))


@json_keys(
    paths={
        "source": "_first_source",
        "rule": "rule.id",
        "title": "rule.title",
        "sources": "rule.sources",
        "says": "rule.says",
        "status": "rule.status",
    },
    parts={"source": SOURCE},
    items={"sources": SOURCE},
    optional=["because"],
)
class Reason(NamedTuple):
    """A rule for or against an action, or one that causes an event; *role* is allows, costs,
    forbids, delays, decides or causes. *because* says why the rule forbids this action."""

    rule: Rule
    role: str
    item: str = ""
    because: str = ""

    @property
    def _first_source(self) -> tuple[str, str, str]:
        """The first source of the rule."""
        return self.rule.sources[0] if self.rule.sources else ("", "", "")


@json_keys(items={"turned_by": ("option", "legal")})
class Turning(NamedTuple):
    """A question that decides: the option in force, and the verdict under each other option."""

    question: str
    option: str
    ruled: bool
    turned_by: tuple[tuple[str, bool | None], ...]  # options, and whether it is legal then


def left_out(ruleset: Ruleset) -> tuple[str, ...]:
    """What questions that put equal positions together leave out of the rules."""
    return ("how often a position occurred before",) if ruleset.reads_history else ()


@json_keys(paths={"ours": "_all_ours"}, spread=["ruleset.edition"], optional=["may", "instead"])
class Why(NamedTuple):
    """Why an action is legal, or why not: every rule, and the figures that matter.

    *readings* are the questions for which one different ruling changes the verdict. *ours* are the
    cards involved that are not from the source, with their status. *may* has the possible results
    of the action, if they depend on hidden information. For an action that is refused, *instead*
    has the legal actions by which the rules do what was meant.
    """

    ruleset: Ruleset
    action: Term
    legal: bool | None
    reasons: tuple[Reason, ...]
    figures: tuple[Figure, ...]
    depends_on: tuple[Term, ...] = ()
    readings: tuple[Turning, ...] = ()
    ours: Mapping[str, str] = MappingProxyType({})
    may: tuple[str, ...] = ()
    instead: tuple[Term, ...] = ()

    @property
    def _all_ours(self) -> dict[str, str]:
        """Also the rules and cards in the figures that no source has so."""
        return {**ours_in(self.ruleset, self.figures), **self.ours}


@json_keys(
    paths={"ours": "_ours"},
    spread=["ruleset.edition"],
    when={"partial": "partial", "left": "partial"},
)
@frozen
class Forecast(Mapping[str, int | str]):
    """Every figure of a position with its ledger, and the findings that are words.

    It maps the names of figures, such as `score(anna)`, to their values. *absent* are the names you
    asked for that have no figure here. It is *partial* if it was stopped before its end; *left* are
    the remaining kinds of figures, or names.
    """

    ruleset: Ruleset
    figures: tuple[Figure, ...]
    absent: tuple[str, ...] = ()
    partial: bool = False
    left: tuple[str, ...] = ()

    def __getitem__(self, name: str) -> int | str:
        """The value of the figure of that name. Raises: KeyError, if the position has none such."""
        for figure in self.figures:
            if figure.name == name:
                return figure.value
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return (str(figure.name) for figure in self.figures)

    def __len__(self) -> int:
        return len(self.figures)

    @property
    def _ours(self) -> dict[str, str]:
        """The rules and cards in the figures that no source has so, each with its status."""
        return ours_in(self.ruleset, self.figures)


@json_keys()
class Flaw(NamedTuple):
    """What makes a position invalid, and the rules that it breaks."""

    what: Term
    rules: tuple[str, ...]

    @property
    def says(self) -> str:
        """The flaw in one line."""
        return f"{self.what} breaks {', '.join(self.rules)}"


@brief
class Remedy(NamedTuple):
    """What to do about a flaw, and where; the *default* to blame, if the file says nothing."""

    place: Place | None
    default: str
    remedy: str


@json_keys(
    paths=below("place", "file", "line", "column"),
    without=["place"],
    spread=["flaw"],
    when=dict.fromkeys(("file", "line", "column", "remedy"), "place"),
)
class LocatedFlaw(NamedTuple):
    """A flaw of a file: its place, and what to do about it."""

    flaw: Flaw
    place: Place | None
    remedy: str


@json_keys(
    also=["consistent"],
    paths={"flaws": "_located"},
    without=["remedies"],
    spread=["ruleset.edition"],
)
class Check(NamedTuple):
    """Whether a position is valid, with its flaws; each flaw of a file has a remedy."""

    ruleset: Ruleset
    flaws: tuple[Flaw, ...]
    remedies: tuple[Remedy, ...] = ()

    @property
    def consistent(self) -> bool:
        return not self.flaws

    @property
    def _located(self) -> tuple[LocatedFlaw, ...]:
        """The flaws with their places, as far as they are in a file."""
        nowhere = repeat(Remedy(None, "", ""))
        pairs = zip(self.flaws, chain(self.remedies, nowhere), strict=False)
        return tuple(LocatedFlaw(flaw, place, remedy) for flaw, (place, _, remedy) in pairs)


Form = tuple[tuple[Term, ...], ...]  # for each argument the values that it may have


def ranges(rows: Sequence[tuple[Term, str]]) -> list[tuple[str, str]]:
    """Actions with their rules, those of one name and the same rules drawn together.

    ``wait(anna, 1)`` to ``wait(anna, 3)`` are ``wait(anna, 1..3)``; names stand side by side, as in
    ``sail(anna, b1|b2)``, and of many the first three, with their number.
    """
    groups: dict[tuple[str, str], list[tuple[tuple[Term, ...], ...]]] = defaultdict(list)
    for action, rules in rows:
        groups[action.name, rules].append(tuple((argument,) for argument in action.arguments))
    return [
        (f"{name}({', '.join(map(choice, form))})" if form else name, rules)
        for (name, rules), forms in groups.items()
        for form in drawn_together(forms)
    ]


def together(alike: Iterable[Term]) -> str:
    """Actions that differ in the last argument alone, as ``roll(chance, anna, 1..6)``."""
    return ranges([(action, "") for action in alike])[0][0]


def drawn_together(forms: Sequence[Form]) -> list[Form]:
    """The same actions in fewer forms: those that differ in one argument alone become one."""
    current = list(forms)
    for index in reversed(range(len(current[0]))):
        merged: dict[Form, list[Term]] = {}
        for form in current:
            merged.setdefault((*form[:index], (), *form[index + 1 :]), []).extend(form[index])
        current = [(*f[:index], tuple(values), *f[index + 1 :]) for f, values in merged.items()]
    return current


def choice(values: Sequence[Term]) -> str:
    """The values of an argument: one, a range of numbers, or some of many names."""
    if len(values) == 1:
        return str(values[0])
    numbers = [value.number for value in values if value.number is not None]
    if len(numbers) == len(values) and numbers == list(range(numbers[0], numbers[-1] + 1)):
        return f"{numbers[0]}..{numbers[-1]}"
    shown = "|".join(map(str, values[:3]))
    return shown if len(values) <= 3 else f"{shown}|... ({len(values)})"
