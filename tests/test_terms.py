"""Terms: what may be written as one, and that it comes back as it was."""

import copy
import pickle

import pytest
from clingo import Function, Infimum, Number, String, Symbol
from hypothesis import given
from hypothesis import strategies as st

from pymorph.errors import InputError
from pymorph.terms import Term, order, parse, parse_symbol, plural, sorted_symbols, text_of
from tests.tables import parametrized, parametrized_and

NAMES = st.from_regex(r"[a-z][A-Za-z0-9_]{0,6}", fullmatch=True).filter(lambda n: n != "not")
LEAVES = st.one_of(NAMES.map(Function), st.integers(-999_999_999, 999_999_999).map(Number))
SYMBOLS = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.builds(Function, NAMES, st.lists(inner, min_size=1, max_size=3)),
        st.builds(Function, st.just(""), st.lists(inner, max_size=3)),
    ),
    max_leaves=8,
)


@given(SYMBOLS)
def test_text_reads_back(symbol: Symbol) -> None:
    assert parse_symbol(text_of(symbol)) == symbol
    assert parse(f"  {text_of(symbol)} ") == Term(symbol)
    assert pickle.loads(pickle.dumps(Term(symbol))) == Term(symbol)


@given(st.lists(SYMBOLS, max_size=6))
def test_order_is_total(symbols: list[Symbol]) -> None:
    found = sorted_symbols(symbols)
    assert [order(s) for s in found] == sorted(order(s) for s in symbols)
    assert sorted(map(Term, symbols)) == list(map(Term, found))


@parametrized_and("a" * 1_000_000, "a(" * 100_000, "(" * 399)
def test_refused(text: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_symbol(text)
    assert len(str(caught.value)) < 120
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "text", ["a", "aB_9", "0", "-0", "-7", "999999999", "a(-1,b( c , 3))", "a\t(\nb)", "a" * 64]
)
def test_accepted(text: str) -> None:
    assert parse(text) == parse(str(parse(text)))


def test_deepest() -> None:
    parse("a(" * 24 + "b" + ")" * 24)


@pytest.mark.parametrize(
    "symbol",
    [
        String('odd "text", \\ and\nmore'),
        Function("", [Number(1), Function("a")]),
        Function("a", [], False),
        Infimum,
        Function("f", [String("x"), Function("", [])]),
        Number(-2_000_000_000),
    ],
)
def test_any_symbol_pickles(symbol: Symbol) -> None:
    """Rulesets may use more than people type: items of a ledger, strings, tuples."""
    assert pickle.loads(pickle.dumps(Term(symbol))).symbol == symbol
    assert copy.deepcopy(Term(symbol)) == Term(symbol)


def test_parts() -> None:
    term = parse("take(anna, 3)")
    assert (term.name, term.actor, term.number) == ("take", "anna", None)
    assert term.arguments == (parse("anna"), parse("3"))
    assert (parse("3").number, parse("3").arguments, parse("3").actor) == (3, (), "")
    assert repr(term) == "Term('take(anna, 3)')"


def test_values() -> None:
    term = parse("take(anna, 3)")
    assert term == parse("take(anna,3)")
    assert hash(term) == hash(parse("take(anna,3)"))
    assert term != parse("take(bo, 3)")
    assert term == "take(anna, 3)" != "take(bo, 3)"
    assert hash(term) == hash("take(anna, 3)")
    assert parse("2") == 2 != parse("3")
    assert parse("2") < parse("10") < parse("a") < parse("a(1)")
    with pytest.raises(AttributeError):
        term.symbol = Number(1)  # type: ignore[misc]
    with pytest.raises(AttributeError):
        term.more = 1  # type: ignore[attr-defined]
    with pytest.raises(TypeError):
        assert term < 3


@parametrized
def test_plural(one: str, several: str) -> None:
    assert plural(one) == several
