"""Actions and other terms, to and from text and clingo symbols."""

from __future__ import annotations

import copyreg
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache, reduce, total_ordering
from typing import TypeVar

from clingo import Function, Number, Symbol, SymbolType, parse_term

from pymorph.errors import InputError, clipped

MAX_LENGTH = 400
MAX_DEPTH = 24  # a list of so many parts, each within the one before it
NAME = re.compile(r"[a-z][A-Za-z0-9_]{0,63}")
INTEGER = re.compile(r"-?(?:0|[1-9][0-9]{0,8})")
TOKEN = re.compile(rf"\s*(?:({NAME.pattern})|({INTEGER.pattern})|([(),])|(_)(?!\w))")
WORD = re.compile(r"[^\W_]+")
NO_TERM = "is not a term; expected one such as name(argument, 3)"
ANY = Function("_any")  # an argument that may be anything, written as _
NO_ITEMS = Function("", [])  # the empty list; any other is a pair of its first item and the others
MAX_NUMBER = 2**31 - 1  # that rules can count with


_T = TypeVar("_T")


@total_ordering
class Term:
    """An immutable term such as ``take(anna, 3)``.

    A number equals the int that it is, and any other term its text. It wraps a clingo symbol.

    >>> import pymorph
    >>> start = pymorph.Position.load("examples/rulesets/tictactoe/positions/start.yaml")
    >>> action = pymorph.legal_actions(start)[0]
    >>> action, action.name, action.actor, action == "put(x, a1)"
    (Term('put(x, a1)'), 'put', 'x', True)
    """

    __slots__ = ("_symbol", "_text")

    _symbol: Symbol
    _text: str | None

    def __init__(self, symbol: Symbol) -> None:
        self._symbol = symbol
        self._text = None

    @property
    def symbol(self) -> Symbol:
        """The clingo symbol of this term."""
        return self._symbol

    @property
    def name(self) -> str:
        """The functor, or the text of a number."""
        return self.symbol.name if self.symbol.type == SymbolType.Function else str(self)

    @property
    def arguments(self) -> tuple[Term, ...]:
        if self.symbol.type != SymbolType.Function:
            return ()
        return tuple(Term(a) for a in self.symbol.arguments)

    @property
    def number(self) -> int | None:
        """The integer that this term is; None for any other term."""
        return self.symbol.number if self.symbol.type == SymbolType.Number else None

    @property
    def actor(self) -> str:
        """The first argument of an action, as text; empty where there is none."""
        return actor_of(self.symbol)

    def __str__(self) -> str:
        if self._text is None:
            self._text = text_of(self.symbol)
        return self._text

    def __repr__(self) -> str:
        return f"Term({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Term):
            return self._symbol == other._symbol
        return isinstance(other, str | int) and self._plain == other

    def __lt__(self, other: Term | str | int) -> bool:
        if isinstance(other, Term):
            return order(self._symbol) < order(other._symbol)
        if isinstance(self._plain, int) and isinstance(other, int):
            return self._plain < other
        if isinstance(self._plain, str) and isinstance(other, str):
            return self._plain < other
        return NotImplemented

    def __hash__(self) -> int:
        return hash(self._plain)

    @property
    def _plain(self) -> str | int:
        """The number or the text that equals it."""
        return self.symbol.number if self.symbol.type == SymbolType.Number else str(self)

    def __reduce__(self) -> tuple[object, tuple[Symbol]]:
        return (Term, (self._symbol,))


# By itself a symbol pickles as a pointer, which is worthless in another process.
copyreg.pickle(Symbol, lambda symbol: (parse_term, (str(symbol),)))


def names_in(symbols: Iterable[Symbol]) -> Iterator[str]:
    """The names in some symbols: constants and functors, those of arguments too."""
    for symbol in symbols:
        if symbol.type == SymbolType.Function:
            yield symbol.name
            yield from names_in(symbol.arguments)


def text_of(symbol: Symbol) -> str:
    """The text of a symbol as people write it, with a space after each comma."""
    if symbol.type == SymbolType.Number:
        return str(symbol.number)
    if symbol.type == SymbolType.String:
        return symbol.string
    if symbol.type != SymbolType.Function:
        return str(symbol)
    if symbol == ANY:
        return "_"
    if not symbol.arguments:
        return symbol.name or "()"
    inner = ", ".join(map(text_of, symbol.arguments))
    alone = not symbol.name and len(symbol.arguments) == 1
    return f"{symbol.name}({inner},)" if alone else f"{symbol.name}({inner})"


@lru_cache(maxsize=20_000)
def functor(symbol: Symbol) -> str:
    """The name of a function, which clingo takes a while to tell."""
    return symbol.name


@lru_cache(maxsize=20_000)
def actor_of(symbol: Symbol) -> str:
    """The first argument of a term, as text; empty where there is none."""
    arguments = symbol.arguments if symbol.type == SymbolType.Function else []
    return text_of(arguments[0]) if arguments else ""


@lru_cache(maxsize=20_000)
def order(symbol: Symbol) -> tuple[object, ...]:
    """A sort key: numbers by value before names, terms by name and then argument by argument."""
    if symbol.type == SymbolType.Number:
        return (0, symbol.number)
    if symbol.type == SymbolType.String:
        return (2, symbol.string)
    if symbol.type != SymbolType.Function:
        return (3, str(symbol))
    return (1, symbol.name, tuple(order(a) for a in symbol.arguments))


def sorted_symbols(symbols: Iterable[Symbol]) -> list[Symbol]:
    return sorted(symbols, key=order)


def pair(one: Symbol, other: Symbol) -> Symbol:
    return Function("", [one, other])


def list_term(items: Iterable[Symbol]) -> Symbol:
    """The list (First, Rest) of some items, with () at its end."""
    return reduce(lambda others, item: pair(item, others), reversed([*items]), NO_ITEMS)


def items_of(term: Symbol) -> list[Symbol] | None:
    """The items of a list, (First, Rest) and () at its end; None, if it is none."""
    items = []
    while term.type == SymbolType.Function and not term.name and len(term.arguments) == 2:
        first, term = term.arguments
        items.append(first)
    return items if term == NO_ITEMS else None


def parse_symbol(text: str, wild: bool = False) -> Symbol:
    """The symbol that *text* writes: names, whole numbers, functions and tuples of them, no more.

    If *wild*, an argument may be ``_``, which is `ANY`.

    Raises: InputError, if it is anything else, longer than 400 characters or nested deeper than 24.
    """

    try:
        if len(text) > MAX_LENGTH:
            raise ValueError(f"is too long; a term has at most {MAX_LENGTH} characters")
        stripped = text.rstrip()
        matched = [match[0] for match in TOKEN.finditer(stripped)]
        if sum(map(len, matched)) < len(stripped):
            raise ValueError(NO_TERM)
        tokens = ["", *(token.strip() for token in reversed(matched))]
        symbol = _term(tokens, 0, wild)
        if tokens != [""]:
            raise ValueError("has text after its end; expected one term")
        return symbol
    except ValueError as error:
        raise InputError(f"{clipped(text)} {error}") from None


def _term(tokens: list[str], depth: int, wild: bool) -> Symbol:
    """The term with which some tokens start, the next one last. Raises: ValueError, if none."""
    token = tokens.pop()
    if depth <= MAX_DEPTH:
        if INTEGER.fullmatch(token):
            return Number(int(token))
        if token == "_" and depth and wild:
            return ANY
        if token == "(":
            return Function("", _arguments(tokens, depth, wild, named=False))
        if NAME.fullmatch(token):
            if tokens[-1] != "(":
                return Function(token)
            tokens.pop()
            return Function(token, _arguments(tokens, depth, wild, named=True))
    raise ValueError(NO_TERM)


def _arguments(tokens: list[str], depth: int, wild: bool, named: bool) -> list[Symbol]:
    """The terms up to a bracket: a tuple may have none, and one of one part has a comma."""
    parts: list[Symbol] = []
    comma = named
    while named or tokens[-1] != ")":
        parts.append(_term(tokens, depth + 1, wild))
        if tokens[-1] != ",":
            break
        comma = True
        tokens.pop()
    if tokens.pop() != ")":
        raise ValueError("has no closing parenthesis; add ')'")
    if len(parts) == 1 and not comma:
        raise ValueError("is a tuple of one part; write (a,)")
    return parts


def misnamed(text: str, most: int = 64) -> str:
    """What to say of a *text* that is no `NAME`."""
    form = f"a small letter, then letters, digits and _, up to {most}"
    return f"{clipped(text)} is not a valid name; expected {form}"


def parse_named(text: str, wild: bool = False) -> Symbol:
    """The symbol that *text* writes, if it has a name, as actions, figures and fluents have."""
    symbol = parse_symbol(text, wild)
    if symbol.type != SymbolType.Function or not symbol.name:
        kind = "tuple" if symbol.type == SymbolType.Function else "number"
        raise InputError(f"found the {kind} {clipped(text)}; expected a name first")
    return symbol


def parse(text: str) -> Term:
    """The term that *text* writes; see `parse_symbol`."""
    return Term(parse_symbol(text))


def plural(noun: str) -> str:
    """The name of several things of a kind; what ends in a single s is taken to be one already."""
    if noun.endswith(("ss", "sh", "ch", "x", "z")):
        return f"{noun}es"
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return f"{noun[:-1]}ies"
    return noun if noun.endswith("s") else f"{noun}s"


def spoken(text: str) -> str:
    """The words of a text, without case and accents, with a space before each."""
    import unicodedata

    parted = unicodedata.normalize("NFKD", text.casefold())
    bare = "".join(sign for sign in parted if not unicodedata.combining(sign))
    return "".join(f" {word}" for word in WORD.findall(bare))


def depth(text: str, end: int | None = None) -> int:
    """How many parentheses are open at a place of a text, or at its end."""
    return text.count("(", 0, end) - text.count(")", 0, end)


def cut(text: str, mark: str) -> list[str]:
    """*text* cut at each *mark* outside of parentheses."""
    pieces, start = [], 0
    for match in re.finditer(re.escape(mark), text):
        if depth(text, match.start()) == 0:
            pieces.append(text[start : match.start()])
            start = match.end()
    return [*pieces, text[start:]]
