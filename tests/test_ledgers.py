"""What the items of ledgers are called: a name that says what adds or takes off."""

import re
from pathlib import Path

import pytest

from pymorph.ruleset import loader, locations
from pymorph.terms import Term, parse_symbol
from pymorph.views.layout import item_words

ROOT = Path(__file__).parents[1]
HEAD = re.compile(
    r"^(?:entry|\w*_item|modifier)\(.*?, ([a-z]\w*), -?[^,]+, S, [^,]+\)", re.MULTILINE
)
SAYING_NOTHING = {
    *("all", "cap", "done", "entry", "item", "least", "most", "named", "other", "own", "part"),
    *("rest", "short", "table", "third", "this", "used", "value"),
}


@pytest.mark.parametrize("game", locations.shipped())
def test_each_item_says_what_it_is(game: str) -> None:
    """No item is called by a word that leaves open what it is about."""
    ruleset = loader.load(game)
    folder = ROOT / "encodings" / game
    found = {item for path in folder.glob("*.lp") for item in HEAD.findall(path.read_text())}
    assert found
    printed = {item: item_words(ruleset, Term(parse_symbol(item))) for item in found}
    assert {item: name for item, name in printed.items() if name.lower() in SAYING_NOTHING} == {}
