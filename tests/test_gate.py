"""The gate before clingo: hostile texts are refused by name and place, honest ones pass whole."""

import os
import pickle
import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from clingo import Control, Function, Number, Symbol, ast
from clingo.ast import AST, ASTType
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pymorph.asp.program import GateRules, check
from pymorph.asp.statements import CheckedStatement, Source, fact_symbols
from pymorph.errors import RulesetError
from tests.games import file_text
from tests.tables import parametrized, parametrized_and, tables

RULES = GateRules(
    engine=frozenset({("legal", 2), ("considered", 2), ("total", 3)}),
    inputs=frozenset({("holds", 3), ("asked", 2)}),
    contract=frozenset({("forbidden", 3), ("proposed", 3), ("entry", 5), ("never", 3)}),
    functions=frozenset({("distance", 3), ("labels", 1)}),
)

ENCODING = file_text("gate/chapter.lp")


def source(text: str | bytes, name: str = "chapter.lp", trusted: bool = False) -> Source:
    return Source(name, text.encode() if isinstance(text, str) else text, trusted)


def passes(text: str, trusted: bool = False) -> tuple[CheckedStatement, ...]:
    return check([source(text, trusted=trusted)], RULES)


def refused(text: str | bytes, trusted: bool = False) -> str:
    with pytest.raises(RulesetError) as error:
        check([source(text, trusted=trusted)], RULES)
    assert all(fault.place and fault.place.file == "chapter.lp" for fault in error.value.faults)
    return str(error.value)


def trees(text: str) -> list[AST]:
    nodes: list[AST] = []
    ast.parse_string(text, nodes.append)
    return [node for node in nodes if node.ast_type not in (ASTType.Program, ASTType.Comment)]


# What is let through


def test_encoding_passes() -> None:
    """An ordinary chapter passes, statement by statement, with its places."""
    statements = passes(ENCODING)
    assert [s.kind for s in statements][:3] == ["defined", "rule", "rule"]
    assert [s.kind for s in statements][-3:] == ["facts", "fact", "fact"]
    assert str(statements[1].place) == "chapter.lp:8:1"
    assert statements[1].heads == {("forbidden", 3)}
    assert statements[1].body == {("considered", 2), ("holds", 3), ("enacted", 3)}
    assert statements[2].body == {("holds", 3), ("bonus", 2)}
    assert not any(s.trusted for s in statements)


def test_text_has_the_same_meaning() -> None:
    """The texts that are handed on parse to the trees of the file."""
    assert [trees(s.text) for s in passes(ENCODING)] == [[tree] for tree in trees(ENCODING)]


@parametrized
def test_printed_text_parses_to_the_same_tree(text: str) -> None:
    statements = passes(text)
    assert [trees(s.text) for s in statements] == [[tree] for tree in trees(text)]
    assert [s.text for s in passes("\n".join(s.text for s in statements))] == [
        s.text for s in statements
    ]


TERMS = st.recursive(
    st.sampled_from(["a", "X", "1", "-2", "0", "_", '"s\\"\\\\\\n;"', "#inf", "()", "X'"]),
    lambda term: st.one_of(
        st.lists(term, min_size=1, max_size=3).map(lambda t: f"f({','.join(t)})"),
        st.lists(term, min_size=1, max_size=3).map(lambda t: f"({';'.join(t)})"),
        st.lists(term, min_size=1, max_size=3).map(lambda t: f"({','.join(t)},)"),
        st.lists(term, min_size=2, max_size=2).map(lambda t: f"g({t[0]};{t[1]},{t[0]})"),
        st.tuples(term, st.sampled_from(["+", "-", "*", "/", "\\", "**", ".."]), term).map("".join),
        term.map(lambda t: f"|{t}|"),
        term.map(lambda t: f"-{t}"),
    ),
    max_leaves=8,
)


@settings(max_examples=150, deadline=None)
@given(TERMS, TERMS)
def test_any_term_prints_as_it_parses(left: str, right: str) -> None:
    text = f"p(X) :- q(X), X != {left}, not r({right}). q(1). r({left}) :- q(X)."
    try:
        statements = check([source(text)], GateRules(inputs=frozenset({("r", 1)})))
    except RulesetError:
        return
    assert [trees(s.text) for s in statements] == [[tree] for tree in trees(text)]


def test_look_alike_strings_pass() -> None:
    """What would be dangerous outside a string is harmless inside one."""
    text = 'says(r, "#include \\"/etc/passwd\\". #script(python) %* @f(1) legal(a,b).").'
    (statement,) = passes(text)
    assert fact_symbols([statement]) == [grounded(text)]


def grounded(text: str) -> list[Symbol]:
    control = Control()
    control.add("base", [], text)
    control.ground([("base", [])])
    return sorted(atom.symbol for atom in control.symbolic_atoms)


def test_dots_and_line_ends() -> None:
    statements = passes('p(1..2).q.\r\nr:-q,X=1..2.\t%c\n%* a %* b *% "*%s("...").')
    assert [str(s.place) for s in statements] == tables(__name__)["dots_and_line_ends"]


def test_empty_files_pass() -> None:
    assert check([source(""), source("% nothing"), source("%* nothing *%", "b.lp")], RULES) == ()


# Bytes and characters


@pytest.mark.parametrize(
    ("data", "place", "word"),
    [
        (b"a.\nb.\x00 c.", "2:3", "U+0000"),
        (b"a. % \x1b[31m", "1:6", "U+001B"),
        (b"\xef\xbb\xbfa.", "1:1", "byte order mark"),
        ("a. % \u202e .b".encode(), "1:6", "U+202E"),
        (b"a.\n% caf\xe9", "2:6", "not UTF-8 text: byte 0xe9"),
        (b"a.\n\xc3\xa9.", "2:1", "'é'"),
        ('a("é", é).'.encode(), "1:8", "'é'"),
        (b"a." + b" " * 262_144, "", "256 kB"),
        (b"\n" + b" " * 5000, "2:1", "line"),
        (b"asp 1 0 0\n0\n", "1:1", "'asp'"),
        (b"% first\n%* and *% asp 1 0 0\n", "2:11", "'asp'"),
        (b"a $ b.", "1:3", "'$'"),
    ],
)
def test_bytes(data: bytes, place: str, word: str) -> None:
    message = refused(data)
    assert message.startswith(f"chapter.lp:{place}".rstrip(":"))
    assert word in message


def test_asp_is_a_name_otherwise() -> None:
    assert len(passes("asp(1). asp. x :- asp.")) == 3


# Words and calls


@parametrized
@pytest.mark.parametrize("trusted", [False, True])
def test_words_refused(text: str, trusted: bool) -> None:
    """Every directive that is not on the list is refused by name, in the core as well."""
    word = text.split("(")[0].split()[0].rstrip(".").replace("!comment", "")
    message = refused(f"a.\n  {text}", trusted)
    assert message.startswith(f"chapter.lp:2:3: {word!r} is not allowed in a ruleset")


@pytest.mark.parametrize(
    "text", ["#show a/1.", "#show.", "#const n = 3.", "#minimize { 1: a }.", "#maximize { 1: a }."]
)
def test_words_of_the_core(text: str) -> None:
    word = text.split(" ")[0].rstrip(".")
    text += " a. a(1)."
    assert f"chapter.lp:1:1: {word!r} is not allowed outside the core" in refused(text)
    if word == "#show":
        assert passes(text, trusted=True)
    else:
        assert "not allowed" in refused(text, trusted=True)


def test_weak_constraint() -> None:
    assert "not allowed outside the core" in refused("a. :~ a. [1@2, x] b.")
    assert "not allowed outside the core" in refused("a. :~ a. [1@2, x] b.", trusted=True)


@pytest.mark.parametrize("text", ["&diff { a - b } <= 3.", "a :- &t { }.", "a :- X = 6 & 3."])
def test_theory_atoms(text: str) -> None:
    assert "theory atom" in refused(text)
    assert "theory atom" in refused(text, trusted=True)


@parametrized
def test_foreign_functions(call: str, found: str, hint: str) -> None:
    for text in (f"p({call}).", f"p(X) :- X = {call}.", f"p :- #sum {{ 1 : 1 < {call} }} > 0."):
        message = refused(text)
        assert f"unknown function {found!r}" in message
        assert hint in message


def test_known_functions() -> None:
    (statement,) = passes("p(X) :- X = @distance(a,(1;2),3), @labels(X) != a.")
    assert statement.kind == "rule"
    (statement,) = passes("p(@labels(a)).")
    assert statement.kind == "rule"
    assert fact_symbols([statement]) == [None]


# Includes in disguise


@parametrized
def test_includes_are_never_read(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However it is dressed, the text never reaches clingo, and nothing of the file is told."""
    marker = tmp_path / "marker.lp"
    marker.write_text("marker_was_read(1). secret secret")

    def parse(*_: object, **__: object) -> None:
        raise AssertionError("given to clingo")

    monkeypatch.setattr(ast, "parse_string", parse)
    for trusted in (False, True):
        message = refused(text.format(path=marker), trusted)
        assert "marker_was_read" not in message
        assert "secret" not in message


def test_include_of_a_pipe_does_not_hang(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert "'#include'" in refused(f'#include "{pipe}".')


def test_comments_hide_nothing() -> None:
    """Comments nest, and a line comment inside a block hides the mark that would close it."""
    assert len(passes("%* %* *% p. *% a. %* % *% b.\n *% c.")) == 2
    assert len(passes("%*% *% legal(a,b).\n*% a. %*** **% b.")) == 2
    assert "'legal/2'" in refused("%* %* *% *% legal(a,b).")
    assert "'legal/2'" in refused("%* *% % *%\nlegal(a,b).")
    assert "chapter.lp:2:1: the comment '%*' is not closed" in refused("a.\n%* %* *% b.")
    assert "is not closed" in refused("a. %* % *%")


@parametrized
def test_syntax_in_plain_words(text: str, expected: str) -> None:
    message = refused(text)
    assert f"chapter.lp:{expected}" in message
    assert "<" not in message
    assert "syntax" not in message


def test_syntax_says_what_is_expected() -> None:
    assert "is not expected here; expected" in refused("p(X) :- q(X), X = #sum 1.")


# Size: nothing that crashes clingo or keeps it busy gets there


@parametrized_and(
    ("a(" + "f(" * 70 + ")" * 70 + ").", "nested deeper than 64"),
    ("a(" + "(" * 3000 + "1" + ")" * 1000 + ").", "nested deeper than 64"),
    ("a(" + "|" * 3000 + "1).", "nested deeper than 64"),
    ("a(" + "\n".join(["f("] * 60_000) + ").", "nested deeper than 64"),
    ("a(" + "+".join("1" * 1000) + ").", "operators"),
    ("a(" + "+\n".join(["1"] * 20_000) + ").", "characters"),
    ("a(" + "-" * 1000 + "1).", "operators"),
    ("a(" + "~" * 1000 + "1).", "operators"),
    ("a(" + "-\n" * 100_000 + "1).", "characters"),
    ("a(X) :- X = " + "..".join("1" * 500) + ".", "operators"),
    ("a :- " + "<".join("1" * 500) + ".", "comparisons"),
    ("a :- " + ",".join(f"X{n}=X{n + 1}" for n in range(400)) + ".", "comparisons"),
    ("a :- " + ",\n".join(["b"] * 4000) + ". b.", "characters"),
    ("a :- " + ",".join(["X = |1;2|"] * 20) + ".", "alternatives"),
    ("a :- " + ",".join(["#sum { (1;2) } > 1"] * 20) + ".", "alternatives"),
    ("a(" + "((1;2),(3;4));" * 30 + "(1;2),(1;2),(1;2),(1;2),(1;2),(1;2),(1;2)).", ""),
    ("a(" + "(1;2)," * 12 + ",".join(["f(X)"] * 500) + ") :- b(X).", "instances"),
    ("a.\n" * 10_001, "10,000 statements"),
    ("b :-" + " " * 9 + "a" * 4500 + ".", "more than 4,096"),
)
def test_bombs(text: str, word: str) -> None:
    started = time.process_time()
    if word:
        assert word in refused(text)
    else:
        passes(text)
    assert time.process_time() - started < 1


def test_honest_sizes_pass() -> None:
    """A pool of 64 pairs, a board of 400 squares, deep terms and long sums are no bombs."""
    pairs = ";".join(f"({n},-{n})" for n in range(64))
    text = f"""
        step(x, ({pairs})).
        square(1..20, 1..20).
        step(y, (1,a;2,b)). p(1..3). q((a;b;c),(a;b;c),(a;b;c)).
        deep({"f(" * 60}1{")" * 60}).
        sum({"+".join("1" * 100)}).
    """
    sizes = [len(symbols or []) for symbols in fact_symbols(passes(text))]
    assert sizes == [64, 400, 2, 3, 27, 1, 1]
    many = "".join(f"step(c{n}, ({pairs})).\n" for n in range(100))
    assert sum(len(symbols or []) for symbols in fact_symbols(passes(many))) == 6400


# Heads


@parametrized
def test_core_heads(text: str) -> None:
    """What belongs to the core is derived by the core, whatever the shape of the head."""
    message = refused(f"p. q(1,2).\n  {text}")
    expected = "chapter.lp:2:3: 'legal/2' belongs to the core and cannot be derived by a ruleset"
    assert expected in message
    assert ("legal", 2) in passes("p. q(1,2). legal(a, b) :- p.", trusted=True)[2].heads


@parametrized
def test_walls_and_choices(text: str, word: str) -> None:
    assert f"chapter.lp:2:1: {word}" in refused(f"p. q(1).\n{text}")
    assert f"chapter.lp:2:1: {word}" in refused(f"p. q(1).\n{text}", trusted=True)


@pytest.mark.parametrize("text", ["p(X) : .", "p :- q(X) : ."])
def test_empty_conditions(text: str) -> None:
    """clingo prints a condition without anything as if it were none: what it means would change."""
    message = "nothing follows the ':'"
    assert message in refused(text + " q(1).")
    assert message in refused(text + " q(1).", trusted=True)


# Lint


def test_undefined() -> None:
    message = refused("p :- not forbiden(a, S, r),\n     holds(turn, c, S).")
    assert "1:10: unknown predicate forbiden/3; did you mean 'forbidden'?" in message
    message = refused("morphs(a,b,c).\np :- morphs(a, b).")
    assert message == "chapter.lp:2:6: unknown predicate morphs/2; there is morphs/3"
    assert refused("p :- zzz(1).") == "chapter.lp:1:6: unknown predicate zzz/1"


@parametrized
def test_undefined_wherever_it_is_read(text: str) -> None:
    assert "unknown predicate x/1" in refused(text)


def test_undefined_in_the_core() -> None:
    assert "unknown predicate x/1" in refused("#show x/1. p.", trusted=True)


def test_defined_somewhere() -> None:
    """A predicate may come from another file, from outside, from the contract, or be declared."""
    one = source("#defined b/1. p(X) :- q(X), not b(X), holds(a,X,S), not never(a,S,r).", "a")
    two = source("q(1). r :- p(1), legal(a,S), asked(a,S), entry(a,b,1,S,r).", "b")
    assert len(check([one, two], RULES)) == 4
    with pytest.raises(RulesetError) as error:
        check([one], RULES)
    assert str(error.value) == "a:1:23: unknown predicate q/1"


@parametrized
def test_wrong_arity(text: str, expected: str) -> None:
    assert expected in refused(text)


@parametrized
def test_unsafe(text: str, expected: str) -> None:
    assert f"chapter.lp:{expected}" in refused(text)


def test_all_faults_of_all_files() -> None:
    """Every fault is told at once, sorted by file, line and column."""
    sources = [
        source("p :- q c.", "c.lp"),
        source(":- a.\nlegal(a,b). a :- b(X), holds(1).\na(X).", "b.lp"),
        source('a. #include "x".\n#script(lua) #end.', "a.lp"),
    ]
    with pytest.raises(RulesetError) as error:
        check(sources, RULES)
    places = [str(fault.place) for fault in error.value.faults]
    assert places == ["a.lp:1:4", "a.lp:2:1", "a.lp:2:14", "b.lp:1:1", "b.lp:2:1", "b.lp:2:24",
                      "b.lp:3:3", "c.lp:1:8"]  # fmt: skip


def test_many_faults_are_cut() -> None:
    with pytest.raises(RulesetError) as error:
        passes("\n".join(f"p :- undefined_{n}." for n in range(1000)))
    assert len(error.value.faults) == 201
    assert str(error.value).endswith("and 800 more")


# What callers build upon


def test_keys() -> None:
    """The first argument of a predicate is part of its key where it is known."""
    statements = passes(tables(__name__)["keys"])
    first, second = (statement.signs for statement in statements)
    assert {key for key, _ in first.defines} == {("entry", 5, f) for f in ("speed", "reach", None)}
    assert first.uses == {("total", 3, "net"), ("never", 3, None), ("holds", 3, None)}
    assert second.defines == ((("entry", 5, None), None),)
    assert second.uses == {("entry", 5, ""), ("total", 3, "cards")}


def test_facts() -> None:
    text = 'step(x, (1,a;2,b)). p(1..3). p(2+2). p(X) :- p(X). s("é\\n\\""). p(-1). q.'
    statements = passes(text)
    number = [Function("p", [Number(n)]) for n in (1, 2, 3, 4, -1)]
    step = [
        Function("step", [Function("x"), Function("", [Number(n), Function(name)])])
        for n, name in ((1, "a"), (2, "b"))
    ]
    found = fact_symbols(statements)
    assert found[:4] == [step, number[:3], [number[3]], None]
    assert found[4] is not None
    assert found[4][0].arguments[0].string == 'é\n"'
    assert found[5:] == [[number[4]], [Function("q")]]
    assert fact_symbols([]) == []


def test_each_alternative_of_a_head_has_its_own_functor() -> None:
    """One is whatever the body has, the other stands there."""
    statement = passes("near(a; b). side(X, 1; c, 2) :- near(X).")[-1]
    assert statement.signs.defines == ((("side", 2, None), ("near", 1)), (("side", 2, "c"), None))


def test_core_statements() -> None:
    statements = passes("#show legal/2. legal(a, 1). #show.", True)
    assert [s.kind for s in statements] == ["show", "fact", "show"]
    assert [set(s.body) for s in statements] == [{("legal", 2)}, set(), set()]
    assert "is not allowed" in refused("#show C : holds(turn, C, S).", trusted=True)
    assert all(s.trusted for s in statements)


def test_statements_pickle() -> None:
    """Callers cache what was checked."""
    statements = passes(ENCODING)
    assert pickle.loads(pickle.dumps(statements)) == statements


def test_time_grows_with_the_text_and_no_faster() -> None:
    """Eight times as many statements take eight times as long or so, not sixty-four times."""
    rule = "forbidden(f(C, D), S, r{0}) :- considered(f(C, D), S), holds(a(C), D, S), {0} > 1.\n"
    fact = 'says(r{0}, "A technique is deployed only when none is out.").\n'

    def took(number: int) -> float:
        rules = "".join(rule.format(n) for n in range(number))
        facts = "".join(fact.format(n) for n in range(number))
        started = time.process_time()
        assert len(check([source(rules), source(facts, "facts.lp")], RULES)) == 2 * number
        return time.process_time() - started

    few = min(took(100) for _ in range(3))
    assert took(800) < 24 * few


# Fuzz


TOKENS = [
    *("a", "b(X)", "p(1)", "legal(a,b)", "X", "_", "X'", "1", "12", "1..3", "p(1;2)", "()", "f("),
    *("..", ".", ". ", ".\n", ":-", ":~", ":", ",", ";", "|", "(", ")", "{", "}", "[", "]", "not "),
    *('"x"', '"é"', '"\\""', '"\\\\"', '"', "\\", '"\\.', "%", "%*", "*%", "% c\n", "\n", "\r\n"),
    *('#include "/dev/null".', "#include", "#sum", "#sum+", "#count{", "#inf", "#true", "#show"),
    *("#defined a/1.", "#const x=1.", "#script(lua)", "#end", "#!", "#", "@f(1)", "@", "&", "+"),
    *"-*<=!$^~é'\t ",
    *("**", "!=", "asp 1 0 0\n", "asp"),
    *("99999999999", "\x00", "\ufeff", "\u2028"),
]


def harmless(data: bytes, trusted: bool) -> None:
    """Nothing but a RulesetError comes of it, at once, and what passes prints as it parses."""
    started = time.process_time()
    try:
        statements = check([source(data, trusted=trusted)], RULES)
        fact_symbols(statements)
    except RulesetError:
        statements = ()
    assert time.process_time() - started < 1
    for statement in statements:
        (tree,) = trees(statement.text)
        assert str(tree) == statement.text
        assert trusted or ("legal", 2) not in statement.heads


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.sampled_from(TOKENS), max_size=25).map("".join), st.booleans())
def test_token_soup(text: str, trusted: bool) -> None:
    harmless(text.encode(), trusted)


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=200), st.booleans())
def test_random_bytes(data: bytes, trusted: bool) -> None:
    harmless(data, trusted)


def soups(seed: int, count: int) -> Iterator[str]:
    rng = random.Random(seed)
    for _ in range(count):
        soup = "".join(rng.choices(TOKENS, k=rng.randint(1, 12)))
        yield soup + rng.choice(["", ".", '".', '").'])


def test_lexer_misses_nothing(tmp_path: Path) -> None:
    """Of many soups with an include in them, none that passes was read otherwise by clingo."""
    marker = tmp_path / "marker.lp"
    marker.write_text("marker_was_read(1).\n")
    for number, text in enumerate(soups(1, 20_000)):
        disguised = text.replace("/dev/null", str(marker))
        told = ""
        try:
            for statement in check([source(disguised, trusted=number % 2 == 0)], RULES):
                assert ("marker_was_read", 1) not in statement.heads
        except RulesetError as error:
            told = str(error)
        assert "does not read this as it stands" not in told
