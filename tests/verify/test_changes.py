"""What an edit bears on: by statement, by action, by card."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from pymorph.ruleset import loader
from pymorph.verify.properties import effects, figures, invariants, legality
from pymorph.verify.report import VIOLATED, WITHIN
from pymorph.verify.runner import verify
from pymorph.verify.scope import Scope
from pymorph.verify.sources import keys
from pymorph.verify.spaces.domain import Domain, members_named
from pymorph.verify.versions import changes
from pymorph.verify.versions.changes import AND, actions_of, cards_only, packed, pieces_of
from pymorph.verify.versions.revisions import changed_scope
from tests.conftest import Run
from tests.games import file_text
from tests.verify.faults import PLAY, rewritten, with_fault
from tests.verify.test_revisions import committed

GAME = "rules/game.lp"
# A second action, and cards, for the game that the template is.
MORE = file_text("heap/cards.lp")
PLAYED = file_text("heap/discarding.lp")


@pytest.fixture
def game(my_game: Path) -> Path:
    """The template with cards and more actions, in a repository."""
    rewritten(my_game, "", MORE, GAME)
    rewritten(my_game, "", PLAYED)
    committed("first")
    return my_game


def narrowed(game: Path, *files: str, revision: str = "") -> Scope:
    setting = Scope(loader.load(str(game)))
    return changed_scope(setting, [game / file for file in files], revision)


def texts(setting: Scope) -> list[str]:
    return [setting.sources.statements[n].text for n in sorted(setting.changed or ())]


# By statement


def test_nothing_but_what_differs(game: Path) -> None:
    assert narrowed(game, PLAY, GAME).changed == frozenset()
    rewritten(game, "most(3).", "most(4).", GAME)
    rewritten(game, "", "% A comment is no statement.")
    setting = narrowed(game, PLAY, GAME)
    assert texts(setting) == ["most(4)."]
    assert [part.text for part in setting.gone] == ["most(3)."]
    assert texts(narrowed(game, PLAY)) == []


def test_a_statement_that_moved(game: Path) -> None:
    rewritten(game, "most(3).", "", GAME)
    rewritten(game, "", "most(3).")
    assert narrowed(game, PLAY, GAME, revision="first").changed == frozenset()


def test_a_file_that_git_does_not_have(game: Path) -> None:
    (game / "rules" / "more.lp").write_text("limit(4). limit(5).\n")
    rewritten(game, "", "forbidden(pass(C), S, heap_02) :- considered(pass(C), S), limit(9).")
    setting = narrowed(game, "rules/more.lp")
    assert texts(setting) == ["limit(4).", "limit(5)."]
    assert setting.gone == ()


def test_without_git_all_of_a_file(my_game: Path) -> None:
    setting = narrowed(my_game, PLAY)
    assert len(setting.changed or ()) == 14
    assert setting.gone == ()


def test_who_read_what_is_gone(game: Path) -> None:
    """A statement of which nothing took the place is missed by whoever read it."""
    rewritten(game, "", "late(S) :- holds(heap, 1, S).\nlate(S) :- holds(heap, 2, S).")
    rewritten(game, "", "forbidden(pass(C), S, heap_02) :- considered(pass(C), S), late(S).")
    committed("second")
    rewritten(game, "late(S) :- holds(heap, 2, S).", "")
    setting = narrowed(game, PLAY)
    assert texts(setting) == [
        "forbidden(pass(C),S,heap_02) :- considered(pass(C),S); late(S).",
    ]
    assert [part.text for part in setting.gone] == ["late(S) :- holds(heap,2,S)."]


def test_a_start_tells_of_nothing(game: Path) -> None:
    assert narrowed(game, "positions/start.yaml").changed is None


# By action


def test_the_actions_that_a_rule_bears_on(game: Path) -> None:
    schemas = partial(changes.pieces_about, keys("reason/3 legal/2"))
    assert schemas(narrowed(game, PLAY)) == []
    assert schemas(Scope(loader.load(str(game)))) == ["take, pass, discard"]
    rewritten(game, "not holds(heap, 0, S).", "not holds(heap, 1, S).")
    assert schemas(narrowed(game, PLAY)) == ["pass"]


def test_what_is_small_is_looked_at_together() -> None:
    """As far as there is room; what has more than that stands alone."""
    sizes = [("walk", 120), ("eat", 60), ("climb", 900), ("pay", 100), ("sit", 20)]
    assert packed(sizes) == ["climb", "walk, eat, sit", "pay"]


def test_what_is_too_much_is_cut_by_who_acts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of the pieces has the actions of one, and together they have all."""
    setting = Scope(loader.load("morphyry"))
    domain = Domain.of(setting)
    cover = setting.ruleset.vocabulary.actions["cover"]
    fewer = changes.EFFORT._replace(widest_name=len(domain.actions(cover)) - 1)
    monkeypatch.setattr(changes, "EFFORT", fewer)
    pieces = pieces_of(setting, ["cover", "perish"])
    assert pieces == ["cover by baganal", "cover by lathana", "perish"]
    shares = [actions_of(setting, piece) for piece in pieces[:2]]
    assert [schemas for schemas, _ in shares] == [[cover]] * 2
    found = [action for _, share in shares for action in share.actions(cover)]
    assert sorted(found) == sorted(domain.actions(cover))
    monkeypatch.setattr(changes, "EFFORT", fewer._replace(widest_name=len(domain.actions(cover))))
    assert "cover" in pieces_of(setting, ["cover", "perish"])


def test_what_is_wrong_for_each_who_acts_is_told_once(
    game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seven = "sets(heap, 7, T, heap_02) :- does(take(_, 2), S, T), holds(heap, 5, S)."
    setting = with_fault(game, "", seven)
    (whole,) = verify(setting, ["conflict"], jobs=1).checked
    monkeypatch.setattr(changes, "EFFORT", changes.EFFORT._replace(widest_name=1))
    setting = Scope(loader.load(str(game)))
    assert len(effects.schemas(setting)) > 1
    (cut,) = verify(setting, ["conflict"], jobs=1).checked
    assert whole.findings
    assert [(f.subject, f.rules) for f in cut.findings] == [
        (f.subject, f.rules) for f in whole.findings
    ]


def test_the_actions_that_a_rule_bore_on(game: Path) -> None:
    """A prohibition that is gone: nothing else has changed, and the action is looked at."""
    judged = "forbidden(take(C, N), S, heap_02) :- considered(take(C, N), S)"
    rule = f"{judged}, holds(heap, K, S), N > K."
    rewritten(game, rule, "")
    setting = narrowed(game, PLAY)
    assert setting.changed == frozenset()
    assert legality.schemas(setting) == ["take"]
    report = verify(setting, properties=[*legality.PROPERTIES, *effects.PROPERTIES])
    assert [each.id for each in report.checked if each.status == VIOLATED] == ["incomplete", "kept"]
    assert all(each.bound.startswith("only what changed; ") for each in report.checked)


def test_a_figure_bears_on_no_action(game: Path) -> None:
    rewritten(game, "N * K, S, heap_02)", "N + K, S, heap_02)")
    setting = narrowed(game, PLAY)
    assert legality.schemas(setting) == effects.schemas(setting) == []
    assert verify(setting, properties=legality.PROPERTIES).checked == ()


# By card


def test_an_edited_card(game: Path) -> None:
    rewritten(game, "worth(knave, 1)", "worth(knave, 2)", GAME)
    setting = narrowed(game, GAME)
    assert cards_only(setting) == 1
    assert setting.bounds.cards == 1
    assert list(map(str, Domain.of(setting).members("card"))) == ["knave"]
    assert legality.schemas(setting) == ["discard"]


def test_two_cards(game: Path) -> None:
    rewritten(game, "worth(ten, 0). worth(nine, 0).", "worth(ten, 1). worth(nine, 1).", GAME)
    setting = narrowed(game, GAME)
    assert cards_only(setting) == setting.bounds.cards == 2
    assert sorted(map(str, Domain.of(setting).members("card"))) == ["nine", "ten"]


def test_a_card_and_something_else(game: Path) -> None:
    usual = Scope(loader.load(str(game))).bounds
    rewritten(game, "worth(knave, 1)", "worth(knave, 2)", GAME)
    rewritten(game, "most(3).", "most(4).", GAME)
    setting = narrowed(game, GAME)
    assert cards_only(setting) == 0
    assert setting.bounds == usual


def test_cards_are_told_apart_by_whole_names(game: Path) -> None:
    sort = loader.load(str(game)).vocabulary.sorts["card"]
    assert list(map(str, members_named(sort, ["worth(ten,1).", "worth(aces,1)."]))) == ["ten"]


# The command


def test_the_command(game: Path, pymorph: Run) -> None:
    rewritten(game, "worth(knave, 1)", "worth(knave, 2)", GAME)
    named = ["--property", "incomplete"]
    code, out, err = pymorph("verify", game, "--changed", game / GAME, *named)
    assert (code, err) == (0, "")
    assert "2 players, 1 of 6 cards, each card once, numbers up to 12\n" in out
    assert (
        pymorph("verify", game, "--since", "first", *named)[1].splitlines()[1]
        == (out.splitlines()[1])
    )
    committed("second")
    assert "nothing to check" in pymorph("verify", game, "--changed", game / GAME, *named)[1]


def test_a_rule_that_counts_for_another_action(game: Path) -> None:
    """Beside others only where it was edited, and alone for another action."""
    rewritten(game, "not holds(heap, 0, S).", "not holds(heap, 0, S), not holds(turn, C, S).")
    setting = narrowed(game, PLAY)
    assert legality.schemas(setting) == ["pass"]
    report = verify(setting, properties=legality.PROPERTIES, ids=["redundant"])
    # heap_03 now speaks only against who is not in turn, which heap_01 does; heap_01 alone does
    # so of other actions.
    assert [f.subject for each in report.checked for f in each.findings] == ["heap_03"]


def test_cards_make_no_rule_idle(game: Path) -> None:
    rewritten(game, "worth(knave, 1)", "worth(knave, 2)", GAME)
    report = verify(narrowed(game, GAME), properties=legality.PROPERTIES)
    assert report.statuses == {WITHIN}


# By what is asked for


def test_the_figures_that_a_card_bears_on(game: Path) -> None:
    rewritten(game, "worth(ace, 4).", "worth(ace, 5).", GAME)
    assert figures.figures(narrowed(game, GAME)) == ["hand"]
    assert "hand" in AND.join(figures.figures(Scope(loader.load(str(game))))).split(AND)


def test_all_figures_where_other_positions_count(game: Path) -> None:
    rewritten(game, "", "ill_formed(turn, S, heap_01) :- checking(S), holds(heap, 1, S).")
    assert figures.figures(narrowed(game, PLAY)) == figures.figures(Scope(loader.load(str(game))))


@pytest.mark.campaign
def test_one_property_alone_is_told_the_same(game: Path) -> None:
    for fault in (
        "sets(heap, 1, T, heap_02) :- does(pass(_), _, T).",
        "sets(heap, 2, T, heap_02) :- does(pass(_), _, T).",
        "required(pass(C), S, heap_01) :- holds(turn, C, S), holds(heap, 0, S).",
        "entry(hand(C), X, 50, S, heap_02) :- holds(held(C, X), _, S), card(X).",
    ):
        rewritten(game, "", fault)
    setting = Scope(loader.load(str(game)))
    every = {each.id: each for each in verify(setting, jobs=1).checked}
    for name in ("conflict", "kept", "incomplete", "required", "ledger", "range"):
        alone, among = verify(setting, [name], jobs=1).checked[0], every[name]
        assert alone.status == among.status, name
        told = [[(f.subject, f.status, f.rules) for f in each.findings] for each in (alone, among)]
        assert told[0] == told[1], name


FALLING = """
property(falling). meaning(falling, "The heap never grows.").
speaks(falling, S) :- does(_, S, _), holds(heap, _, S).
violated(falling, heap, S, heap_02) :-
    does(_, S, _), holds(heap, K, S), next(heap, N, S), N > K.
"""


def test_the_actions_of_a_property_of_ones_own(game: Path) -> None:
    rewritten(game, "", FALLING)
    committed("second")
    rewritten(game, "N * K, S, heap_02)", "N + K, S, heap_02)")
    setting = narrowed(game, PLAY)
    (falling,) = invariants.properties(setting)
    assert falling.pieces(setting) == []
    rewritten(game, "not holds(heap, 0, S).", "not holds(heap, 1, S).")
    setting = narrowed(game, PLAY)
    assert invariants.properties(setting)[0].pieces(setting) == ["pass"]


def test_a_property_that_was_edited(game: Path) -> None:
    rewritten(game, "", FALLING)
    committed("second")
    rewritten(game, "next(heap, N, S), N > K.", "next(heap, N, S), N >= K.")
    setting = narrowed(game, PLAY)
    (piece,) = invariants.properties(setting)[0].pieces(setting)
    assert set(piece.split(AND)) == {"take", "pass", "discard"}
