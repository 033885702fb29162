"""Names as cards have them printed, and what is typed back as it was printed."""

from pathlib import Path

import pytest
from clingo import Function, Symbol, SymbolType

from pymorph.questions.legality import legal_actions, legal_actions_of
from pymorph.state.files import position_file
from pymorph.state.names import forms_of
from pymorph.state.position import Position
from pymorph.terms import parse_symbol, text_of
from tests.conftest import EXAMPLES, Run
from tests.tables import tables

ARMING = str(EXAMPLES / "positions" / "arming.yaml")
ROUND = str(EXAMPLES / "yard" / "round.yaml")


def at(file: str | Path) -> Position:
    found = position_file.load(str(file))
    return found if isinstance(found, Position) else found.position


def printed(position: Position, symbol: Symbol) -> str:
    """A term with what its names are called for a person."""
    if symbol.type != SymbolType.Function:
        return text_of(symbol)
    title = position.ruleset.vocabulary.titles.get(symbol.name, symbol.name.replace("_", " "))
    inner = ", ".join(printed(position, each) for each in symbol.arguments)
    name = title[:1].upper() + title[1:]
    return f"{name}({inner})" if symbol.arguments else name


def test_what_is_legal_is_typed_back() -> None:
    """As it is printed, and with the names that cards have."""
    files = [*sorted(EXAMPLES.glob("positions/*.yaml"))[::8], ROUND, EXAMPLES / "yard/start.yaml"]
    positions = list(map(at, files))
    seen = 0
    for position, actions in zip(positions, legal_actions_of(positions), strict=True):
        for action in actions:
            assert forms_of(position, str(action)) == [action.symbol]
            assert action.symbol in forms_of(position, printed(position, action.symbol))
        seen += len(actions)
    assert seen > 50


@pytest.mark.parametrize(
    ("file", "typed", "meant"),
    [
        (ARMING, "Interrupt(Baganal, announced, Move up)",
         "interrupt(baganal, announced, move_up)"),
        (ARMING, "INTERRUPT( baganal,main , ANNOUNCED,move up)",
         "interrupt(baganal, main, announced, move_up)"),
        (ARMING, "deploy(Spark (Paralell))", "deploy(spark)"),
        (ROUND, "Attack(Bram, _, Attack Melee, Grub)", "attack(bram, _, attack_melee, grub)"),
    ],
)  # fmt: skip
def test_names_as_printed(file: str, typed: str, meant: str) -> None:
    position = at(file)
    assert forms_of(position, typed) == forms_of(position, meant)


def test_a_title_that_two_have(my_game: Path) -> None:
    """Both are meant; the one that can be played is taken, as where an argument is left out."""
    path = my_game / "rules" / "game.lp"
    path.write_text(
        path.read_text().replace("action(take, (player, amount)).", CARDS)
        + 'named(k1, "Old King"). named(k2, "Old King"). named(w1, "Fireball").\n'
    )
    position = at(my_game / "positions" / "start.yaml")
    assert forms_of(position, "play(Anna, old king)") == [
        parse_symbol(f"play(anna, {card})") for card in ("k1", "k2")
    ]
    with pytest.raises(Exception, match=r"did you mean 'Fireball' \(w1\)\?"):
        forms_of(position, "play(Anna, Firebal)")


CARDS = """action(take, (player, amount)). action(play, (player, card)).
sort(card, listed). member(card, (k1; k2; w1)).
"""
WAYS = tables(__name__)["ways"]
MOVING = tables(__name__)["moving"]


def test_tuples_and_lists_are_typed_back(my_game: Path, pymorph: Run) -> None:
    path = my_game / "rules" / "game.lp"
    path.write_text(path.read_text().replace("action(take, (player, amount)).", WAYS))
    path = next((my_game / "encodings").glob("*.lp"))
    path.write_text(path.read_text() + MOVING)
    start = my_game / "positions" / "start.yaml"
    position = at(start)
    actions = [a for a in legal_actions(position) if a.name == "move"]
    assert [str(a.arguments[1]) for a in actions] == [
        "()", "(1,)", "(1, 2)", "(a1, (b2, (c3, ())))", "f((1, 2), ())",
    ]  # fmt: skip
    for action in actions:
        assert forms_of(position, str(action)) == [action.symbol]
        assert pymorph("why", start, str(action))[0] == 0
        assert pymorph("apply", start, str(action), "-o", "after.yaml")[0] == 0
        claim = f"way_of(anna) = {action.arguments[1]}"
        assert pymorph("plan", "after.yaml", "--within", "1", "--goal", claim)[0] == 0
    assert forms_of(position, "move(anna, ())") == [
        Function("move", [Function("anna"), Function("", [])])
    ]
