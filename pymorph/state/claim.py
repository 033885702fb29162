"""The language of claims: what somebody says of a position, or of what follows from it.

A claim is one part or several, joined by ``and``, each with a ``not`` before it if wanted:

    legal(ACTION), illegal(ACTION)      with _ for an argument: some such action, none of them
    score(anna) = 2                     a figure, finding or fluent, compared with one or a value
    score(anna) >= score(bo)
    width(bridge) = 25 mm               a length or another figure with a unit, in the unit of the
                                        game if none is named; `about 3.14` is the nearest there is
    happens(EVENT)                      on the way there; arguments may be left out
    before(EVENT, EVENT)                the first comes about, and the second not before it
    wins(anna)                          the game is over, and so it has ended
    drawn

``can`` or ``cannot`` before the whole asks whether it can be brought about.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal

from clingo import Function, Symbol, SymbolType

from pymorph import terms
from pymorph.answers import frozen, json_keys
from pymorph.board.lengths.length_units import AMOUNT, FARTHEST
from pymorph.errors import InputError, UnknownName, clipped, nearest
from pymorph.ruleset.loader import Ruleset
from pymorph.ruleset.vocabulary import Declared, Fluent
from pymorph.state import names
from pymorph.state.files import display_names
from pymorph.state.files.fields import CLAIMS, EXPECTED
from pymorph.state.files.reader import form_of
from pymorph.state.position import Position, belongs, members_of, words_of
from pymorph.terms import ANY, Term, text_of

ClaimKind = Literal["legal", "compare", "happens", "before", "outcome"]
OperandSort = Literal["figure", "finding", "fluent", "value"]
FLIPPED = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
REVERSED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
OPERATOR = re.compile(r"<=|>=|!=|=|<|>")
DRAWN = "drawn"
WORDS = ("legal", "illegal", "happens", "before", "wins", DRAWN)
NEVER = Function("never")
NUMERIC = ("range", "length", "union")  # kinds of sorts whose members may be numbers
MAX_PARTS = 12
BRACKETS = re.compile(r"\s*\[([^][,]*)\]\s*")


@frozen
class Operand:
    """One side of a comparison: a figure, finding or fluent in full, or a value.

    *with_unit* is a value with its unit. Another side counts in parts of which each is so many
    *times* the least of the two.
    """

    sort: OperandSort
    term: Term
    with_unit: str = ""
    times: int = 1

    def __str__(self) -> str:
        return self.with_unit or str(self.term)


@frozen
class ClaimPart:
    """A part of a claim; *positive* is whether it is said to be so.

    A ``legal`` part has an action in *terms*, as it was written; ``happens`` an event, ``before``
    two, ``outcome`` how the game ends: ``drawn``, or ``wins`` of somebody; ``compare`` has *left*,
    *operator* and *right* instead.
    """

    kind: ClaimKind
    positive: bool = True
    terms: tuple[Term, ...] = ()
    operator: str = ""
    left: Operand | None = None
    right: Operand | None = None

    @property
    def eventful(self) -> bool:
        """Is it about events on the way, rather than about where it leads?"""
        return self.kind in ("happens", "before")

    def __str__(self) -> str:
        inner = ", ".join(map(str, self.terms))
        if self.kind == "compare" and self.left and self.right:
            return f"{self.left} {self.operator} {self.right}"
        if self.kind == "legal":
            return f"{'legal' if self.positive else 'illegal'}({inner})"
        part = inner if self.kind == "outcome" else f"{self.kind}({inner})"
        return f"{'' if self.positive else 'not '}{part}"


@frozen
class Claim:
    """What is claimed; *mode* says whether it is so, or can or cannot be brought about."""

    parts: tuple[ClaimPart, ...]
    mode: Literal["", "can", "cannot"] = ""

    @property
    def tracked(self) -> tuple[Term, ...]:
        """The events that it speaks of, in order, each once."""
        return tuple(dict.fromkeys(t for p in self.parts if p.eventful for t in p.terms))

    @property
    def here(self) -> tuple[ClaimPart, ...]:
        """The parts about a position, rather than about what happened on the way."""
        return tuple(part for part in self.parts if not part.eventful)

    def plainly(self) -> Claim:
        """The claim without its ``can`` or ``cannot``."""
        return replace(self, mode="")

    def __str__(self) -> str:
        return " ".join([*filter(None, [self.mode]), " and ".join(map(str, self.parts))])


def parse(position: Position, text: str) -> Claim:
    """The claim that *text* writes, of a position of the game and table of *position*.

    Raises: UnknownName or InputError with what was found and the nearest names.
    """
    if len(text) > 2 * terms.MAX_LENGTH:
        most = f"a claim has at most {2 * terms.MAX_LENGTH} characters"
        raise InputError(f"{clipped(text)} is too long; {most}")
    first, _, after = text.strip().partition(" ")
    mode: Literal["", "can", "cannot"] = ""
    if first in ("can", "cannot"):
        mode, text = "can" if first == "can" else "cannot", after
    pieces = terms.cut(text.strip(), " and ")
    if len(pieces) > MAX_PARTS:
        raise InputError(f"a claim has at most {MAX_PARTS} parts")
    return Claim(tuple(_part(position, piece.strip()) for piece in pieces), mode)


def _part(position: Position, text: str) -> ClaimPart:
    positive = True
    while text.startswith("not "):
        positive, text = not positive, text[4:].strip()
    if not text:
        raise InputError("the claim, or a part of it, is empty; expected " + EXPECTED)
    text = position.ruleset.vocabulary.rulers.plain(_in_whole_units(position, text))
    parts = display_names.as_meant(position, text, lambda text: _one_part(position, text, positive))
    if len(parts) > 1:
        listed = " or ".join(map(str, parts[:4]))
        raise InputError(f"{clipped(text, 80)} can mean {listed}; write one of them")
    return parts[0]


def _compared(text: str) -> tuple[list[str], list[str]]:
    """The sides of a comparison, and the operators between them, none of them in brackets."""
    operators = [m for m in OPERATOR.finditer(text) if terms.depth(text, m.start()) == 0]
    starts, ends = [0, *(m.end() for m in operators)], [*(m.start() for m in operators), None]
    sides = [text[start:end].strip() for start, end in zip(starts, ends, strict=True)]
    return sides, [match[0] for match in operators]


def _in_whole_units(position: Position, text: str) -> str:
    """A comparison with the amount on one side, ``25 mm``, in whole units of the other side."""
    sides, operators = _compared(text)
    if len(operators) != 1:
        return text
    words = position.ruleset.vocabulary
    known = [*words.figures, *words.fluents]
    for side, other in ((0, 1), (1, 0)):
        name = sides[other].partition("(")[0].strip()
        rulers = words.rulers_of(display_names.one_of(position, name, known))
        amount = sides[side]
        if rulers is None:
            continue
        if rulers.units.keys() & words.rulers.units.keys():
            amount = BRACKETS.sub(r"\1", amount)
        if AMOUNT.fullmatch(amount):
            try:
                sides[side] = str(rulers.length(amount))
            except ValueError as error:
                raise InputError(str(error)) from None
    return f" {operators[0]} ".join(sides)


def _one_part(position: Position, text: str, positive: bool) -> ClaimPart:
    if len(terms.cut(text, " or ")) > 1:
        raise InputError('claims have no "or": write two claims')
    sides, operators = _compared(text)
    if len(operators) == 1:
        return _comparison(position, sides, operators[0], positive)
    if operators:
        raise InputError(f"{clipped(text, 80)} has more than one comparison; join them with 'and'")
    symbol = terms.parse_named(text, wild=True)
    if symbol.name not in WORDS:
        raise UnknownName(_what(position, symbol))
    number = {"before": 2, DRAWN: 0}.get(symbol.name, 1)
    if len(symbol.arguments) != number:
        form = next(form for form in CLAIMS if form.startswith(symbol.name))
        raise InputError(f"{clipped(text, 80)} does not fit {form}")
    stated = tuple(map(Term, symbol.arguments))
    if symbol.name in ("legal", "illegal"):
        names.forms_of(position, str(stated[0]))
        return ClaimPart("legal", positive == (symbol.name == "legal"), stated)
    if symbol.name in ("wins", DRAWN):
        check_winner(position, symbol)
        return ClaimPart("outcome", positive, (Term(symbol),))
    for term in stated:
        check_event(position, term.symbol)
    return ClaimPart("happens" if number == 1 else "before", positive, stated)


def check_winner(position: Position, outcome: Symbol) -> None:
    """Raises: UnknownName, if no rule says who wins, or that the game is drawn, or nobody here is
    called so."""
    if not any(position.ruleset.giving("outcome", (outcome.name, 3 if outcome.arguments else 2))):
        what = "who wins" if outcome.arguments else "that a game is drawn"
        raise UnknownName(f"no rule of {position.ruleset.title} says {what}")
    for argument in outcome.arguments:
        every = names.names_of(position)
        if text_of(argument) not in every:
            hint = nearest(text_of(argument), every)
            raise UnknownName(f"unknown argument {clipped(text_of(argument))} of wins{hint}")


def _what(position: Position, symbol: Symbol) -> str:
    """What to say of a part that is none of the known ones."""
    words = position.ruleset.vocabulary
    name = clipped(symbol.name)
    if symbol.name in words.actions:
        form = f"{symbol.name}(...)"
        return f"{name} is an action; write legal({form}) or illegal({form})"
    if symbol.name in {**words.figures, **words.findings, **words.fluents}:
        return f"{name} has a value; write {text_of(symbol)} = VALUE"
    if symbol.name in position.ruleset.happenings:
        return f"{name} is an event; write happens({symbol.name}(...))"
    return f"unknown claim {name}{nearest(symbol.name, WORDS)}"


def _comparison(position: Position, sides: list[str], operator: str, positive: bool) -> ClaimPart:
    if not all(sides):
        what = clipped(operator.join(sides), 80)
        raise InputError(f"{what} has an empty side; expected FIGURE {operator} VALUE")
    left = _operand(position, sides[0])
    right = _operand(position, sides[1], left)
    if left.sort == "value" and right.sort != "value":
        left, right, operator = right, left, REVERSED.get(operator, operator)
        right = _operand(position, text_of(right.term.symbol), left)
    if left.sort == "value":
        raise UnknownName(_no_figure(position, left.term.symbol))
    if not positive:
        operator = FLIPPED[operator]
    word = next((side.term for side in (left, right) if _is_worded(position, side)), None)
    if word is not None and operator not in ("=", "!="):
        raise InputError(f"{word} is a word; compare it with = or !=")
    return ClaimPart("compare", True, (), operator, *_in_units(position, left, right))


def _in_units(position: Position, left: Operand, right: Operand) -> tuple[Operand, Operand]:
    """The sides with a value said in the unit of the other side; of two that count in parts of one
    unit, with how many times the least part each counts.

    Raises: InputError, if the units have nothing in common.
    """
    words = position.ruleset.vocabulary
    if right.sort == "value":
        return left, replace(right, with_unit=words.said(left.term.name, right.term.symbol))
    one, two = words.rulers_of(left.term.name), words.rulers_of(right.term.name)
    if one is None or two is None or one.units == two.units:
        return left, right
    times = one.times(two)
    if times is None:
        if {one.units[one.usual], two.units[two.usual]} == {1}:
            return left, right  # plain numbers, whatever they count
        units = " and ".join(terms.plural(rulers.usual) for rulers in (one, two))
        raise InputError(f"{left} and {right} are in {units}: compare each with a number")
    scaled = replace(left, times=times.denominator), replace(right, times=times.numerator)
    if any(side.times * _most(position, side) > terms.MAX_NUMBER for side in scaled):
        raise InputError(f"{left} and {right} are too far apart to be compared")
    return scaled


def _most(position: Position, side: Operand) -> int:
    """The largest number that a side may come to, whatever its sign."""
    figure = position.ruleset.vocabulary.figures.get(side.term.name)
    return max(abs(figure.low), abs(figure.high)) if figure and side.sort == "figure" else FARTHEST


def _is_worded(position: Position, side: Operand) -> bool:
    """Is a side a word, rather than a number?"""
    if side.sort == "fluent":
        words = position.ruleset.vocabulary
        return words.sorts[words.fluents[side.term.name].value].kind not in NUMERIC
    symbol = side.term.symbol
    is_word = symbol.type == SymbolType.Function and symbol != NEVER
    return side.sort == "finding" or (side.sort == "value" and is_word)


def _operand(position: Position, text: str, against: Operand | None = None) -> Operand:
    """One side; with *against*, the side before it, what may stand there."""
    symbol = terms.parse_symbol(text)
    declared = _named(position, symbol, against)
    if declared is None:
        if against is not None:
            _check_value(position, symbol, against)
        elif symbol.type == SymbolType.Function and symbol.arguments:
            raise UnknownName(_no_figure(position, symbol))
        return Operand("value", Term(symbol))
    full = names.filled(position, declared, symbol)
    if full is not None:
        names.check_arguments(position, declared, full)
    elif isinstance(declared, Fluent):
        raise UnknownName(f"{clipped(text, 80)} does not fit {form_of(declared)}")
    else:
        forms = names.fitting(position, declared, symbol, text)
        if len(forms) > 1:
            raise names.ambiguous(text, forms)
        full = forms[0]
    if isinstance(declared, Fluent):
        return Operand("fluent", Term(full))
    is_figure = symbol.name in position.ruleset.vocabulary.figures
    return Operand("figure" if is_figure else "finding", Term(full))


def _named(position: Position, symbol: Symbol, against: Operand | None) -> Declared | Fluent | None:
    """The figure, finding or fluent that a side names; None, if it is a value."""
    if symbol.type != SymbolType.Function:
        return None
    words, name = position.ruleset.vocabulary, symbol.name
    declared = words.figures.get(name) or words.findings.get(name) or words.fluents.get(name)
    if declared and declared.sorts and not symbol.arguments and against is not None:
        return None
    if declared and symbol.arguments and not declared.sorts and against is not None:
        # A value with arguments may have the name of a fluent without any.
        fluent = against.sort == "fluent" and words.fluents[against.term.name]
        members = members_of(position, fluent.value) if fluent else ()
        values = (m for m in members if m.type == SymbolType.Function and m.name == name)
        return None if any(member.arguments for member in values) else declared
    return declared


def _no_figure(position: Position, symbol: Symbol) -> str:
    words = position.ruleset.vocabulary
    known = [*words.figures, *words.findings, *words.fluents]
    return f"unknown figure or fluent {clipped(text_of(symbol))}{nearest(Term(symbol).name, known)}"


def _check_value(position: Position, symbol: Symbol, against: Operand) -> None:
    """Raises: UnknownName, if a fluent can never have that value, or nothing is called so."""
    words, scene = position.ruleset.vocabulary, position.scene
    if against.sort == "fluent":
        fluent = words.fluents[against.term.name]
        also = [text_of(fluent.default)] if words.has_default(fluent, scene) else []
        counted = symbol.type == SymbolType.Number and not _is_worded(position, against)
        if not (counted or text_of(symbol) in also) and not belongs(position, symbol, fluent.value):
            hint = words.expected(text_of(symbol), fluent.value, scene, also)
            raise UnknownName(f"unknown value {clipped(text_of(symbol))} of {fluent.name}{hint}")
    elif against.sort == "figure" and symbol.type == SymbolType.Function and symbol != NEVER:
        what = clipped(text_of(symbol))
        raise UnknownName(f"{against.term.name} is a number or never, not {what}")


def check_event(position: Position, event: Symbol) -> None:
    """Raises: UnknownName, if no rule speaks of such an event, or of such an argument."""
    known = position.ruleset.happenings
    name = event.name if event.type == SymbolType.Function else text_of(event)
    if name not in known:
        raise UnknownName(f"unknown event {clipped(name)}{nearest(name, known)}")
    sorts = position.ruleset.vocabulary.sorts
    for argument in event.arguments:
        if argument == ANY or argument.type != SymbolType.Function or argument.arguments:
            continue
        is_member = any(belongs(position, argument, sort) for sort in sorts)
        if argument.name not in position.ruleset.wording and not is_member:
            hint = nearest(argument.name, words_of(position, sorts))
            raise UnknownName(f"unknown argument {clipped(argument.name)} of event {name}{hint}")


def matches(pattern: Symbol, event: Symbol) -> bool:
    """Is *event* the one that is meant, of which arguments may be left out, or be `ANY`?"""
    if pattern == event:
        return True
    if event.type != SymbolType.Function or pattern.type != SymbolType.Function:
        return False
    if pattern.name != event.name:
        return False
    actual = iter(event.arguments)
    return all(any(wanted in (other, ANY) for other in actual) for wanted in pattern.arguments)


def settled_by_events(
    claim: Claim, events: Sequence[Symbol]
) -> Iterator[tuple[ClaimPart, bool | None]]:
    """Each part about events with what *events*, in the order in which they came, say of it.

    None: neither of two events came about, so that none was before the other.
    """
    for part in claim.parts:
        if not part.eventful:
            continue
        numbered = list(enumerate(events))
        firsts = [next((n for n, e in numbered if matches(t.symbol, e)), None) for t in part.terms]
        if part.kind == "happens":
            yield part, (firsts[0] is not None) == part.positive
        elif firsts == [None, None]:
            yield part, None
        else:
            first, second = firsts
            yield part, (first is not None and (second is None or first < second)) == part.positive


DECISIONS = "decisions"


@json_keys(paths={"of": "unit"})
@frozen
class Bound:
    """How far is looked: so many decisions, or until so many periods of the game have ended."""

    most: int
    unit: str = DECISIONS

    @property
    def period(self) -> str:
        """The period that is counted; empty where decisions are."""
        return "" if self.unit == DECISIONS else self.unit


WITHIN = re.compile(r"\s*(\d{1,6})\s*([a-z]\w*)?\s*")
ENDS = re.compile(r"\bends\(\s*\w+\s*,\s*([a-z]\w*)\s*,")


def bound_of(ruleset: Ruleset, text: str) -> Bound:
    """The bound that *text* writes: ``12``, ``12 decisions``, or a number of periods of the game.

    Raises: InputError or UnknownName, if it is none.
    """
    match = WITHIN.fullmatch(text)
    known = [DECISIONS, *periods(ruleset)]
    if match is None:
        listed = " or ".join(f"'2 {terms.plural(name)}'" for name in known)
        raise InputError(f"unknown bound {clipped(text)}; expected a number, {listed}")
    number, unit = match.groups()
    for name in known:
        if unit in (None, name, terms.plural(name), *(["decision"] if name == DECISIONS else [])):
            return Bound(int(number), name)
    raise UnknownName(f"unknown unit {clipped(unit)}{nearest(unit, [*map(terms.plural, known)])}")


def periods(ruleset: Ruleset) -> tuple[str, ...]:
    """The periods of the game that end, such as a turn or a round."""
    texts = (part.text for part in ruleset.giving("branch", ("ends", 3)))
    return tuple(sorted({name for text in texts for name in ENDS.findall(text)}))


UPHELD, REJECTED, DEPENDS, INAPPLICABLE = "upheld", "rejected", "depends", "inapplicable"
VERDICTS = (UPHELD, REJECTED, DEPENDS, INAPPLICABLE)
UNDECIDED = "undecided"  # under readings for which it was not looked into
