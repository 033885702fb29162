"""Known games, as examples of rulesets, against counts and programs of others."""

import json
import re
import subprocess
import sys
from functools import cache
from importlib import util
from pathlib import Path
from random import Random
from types import ModuleType

import chess
import pytest
from clingo import parse_term

from pymorph.dynamics import transitions
from pymorph.errors import InputError, RulesetError
from pymorph.explore.execution import application, replay
from pymorph.explore.execution.session import Session
from pymorph.explore.perft import counting
from pymorph.questions import consistency, evaluation, explanation, legality
from pymorph.state.claim import parse
from pymorph.state.position import Position
from pymorph.state.record import Record
from pymorph.views.pictures import scene
from tests import exactness
from tests.boards import of_board, side
from tests.conftest import EXAMPLES, Run, position_of
from tests.tables import parametrized, tables, tupled, with_campaign

GAMES = EXAMPLES / "rulesets"
# Sequences of so many moves, from programs of others: chessprogramming.org for chess, Aart Bik for
# Othello and draughts. Nine men's morris as OpenSpiel 2.0.2 counts it, positions kept once and none
# taken for another by symmetry; a removal is a move of its own there, as here. Sanmill has some of
# them in `tests/perf_baseline.toml`: the first two from the start, the third of `moving`.
COUNTS = tupled(tables(__name__)["counts"])
SHORT = 3000  # sequences that are counted each time; the longer ones in the campaign
NOTATION = GAMES / "chess" / "notation.py"


def start(name: str) -> Position:
    game, at = name.split("/")
    return Position.load(GAMES / game / "positions" / f"{at}.yaml")


def counted(name: str, depth: int) -> tuple[int, ...]:
    return counting.count(start(name), depth).sequences


@pytest.mark.parametrize("name", COUNTS)
def test_published_counts(name: str) -> None:
    """As many sequences of moves as others have counted, as far as that takes a moment."""
    known = tuple(n for n in COUNTS[name] if n <= SHORT)
    assert counted(name, len(known)) == known


@pytest.mark.campaign
@pytest.mark.parametrize("name", COUNTS)
def test_all_published_counts(name: str) -> None:
    """And all of them."""
    assert counted(name, len(COUNTS[name])) == COUNTS[name]


# Of every game that is counted: so many sequences from the start.
STARTS = COUNTS | tupled(tables(__name__)["starts"])


def one_by_one(position: Position, depth: int) -> int:
    """As many sequences as a player finds, who asks what is legal and what comes of it."""
    actions = legality.legal_actions(position)
    if depth == 1:
        return len(actions)
    return sum(
        one_by_one(application.apply(position, action).position, depth - 1) for action in actions
    )


@pytest.mark.parametrize("name", STARTS)
@with_campaign("most", [25], [500])
def test_one_position_at_a_time(name: str, most: int) -> None:
    """So many positions, each grounded alone, come to the published counts, as batches do."""
    depth = 1 + sum(n <= most for n in STARTS[name][:-1])
    found = tuple(one_by_one(start(name), length) for length in range(1, depth + 1))
    assert found == counted(name, depth) == STARTS[name][:depth]


@pytest.mark.parametrize(
    "name", [name for name in (*STARTS, "standoff/start") if "chess" not in name]
)
@with_campaign("games", [2], [60])
def test_play_breaks_no_condition(name: str, games: int) -> None:
    """Wherever games lead that are played at random, `check` finds a position of the game."""
    random, positions = Random(name), [start(name)] * games
    for _ in range(40 if games == 2 else 250):
        rows = [row for row in transitions.successors_of(positions) if row]
        positions = [random.choice(row)[1] for row in rows]
        for at, found in zip(positions, consistency.check_of(positions), strict=True):
            assert found.consistent, (at.line(), found.flaws)


# -- chess -----------------------------------------------------------------------------------------


@cache
def notation_of() -> ModuleType:
    """The importer beside the rules, which tells moves of the library as actions."""
    spec = util.spec_from_file_location("notation", NOTATION)
    assert spec is not None
    assert spec.loader is not None
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def compare(board: chess.Board) -> None:
    """All legal moves of a position, and the position after each of them, are the library's."""
    at = of_board(board)
    moves = (
        {}
        if over(board)
        else {notation_of().action_of(board, move): move for move in board.legal_moves}
    )
    found = {str(a) for a in legality.legal_actions(at) if not str(a).startswith("claim_")}
    assert found == set(moves), board.fen()
    for action, move in moves.items():
        after = board.copy(stack=False)
        after.push(move)
        assert application.apply(at, action).position == of_board(after), (board.fen(), action)


def over(board: chess.Board) -> bool:
    return board.is_insufficient_material() or board.halfmove_clock >= 150


def played(seed: int, plies: int) -> chess.Board:
    """A position that is reached by random moves, of which captures and checks are liked."""
    random, board = Random(seed), chess.Board()
    for _ in range(plies):
        moves = list(board.legal_moves)
        if not moves:
            break
        wild = [move for move in moves if board.is_capture(move) or board.gives_check(move)]
        board.push(random.choice(wild if wild and random.random() < 0.5 else moves))
    return board


@pytest.mark.parametrize("seed", range(6))
def test_chess_as_the_library_has_it(seed: int) -> None:
    """Moves and successors of positions that random play leads to."""
    compare(played(seed, 20 + 12 * seed))


@pytest.mark.campaign
@pytest.mark.parametrize("seed", range(6, 1000))
def test_more_chess_as_the_library_has_it(seed: int) -> None:
    """And of a thousand more."""
    compare(played(seed, Random(seed).randrange(8, 160)))


def sparse(seed: int) -> chess.Board | None:
    """Two kings and seven men anywhere, or nothing where they are no position."""
    random, board = Random(seed), chess.Board(None)
    board.turn = random.random() < 0.5
    men = [chess.Piece(chess.KING, colour) for colour in chess.COLORS]
    kinds = [*chess.PIECE_TYPES[:-1], chess.PAWN, chess.PAWN]
    men += [chess.Piece(random.choice(kinds), n > 1 or not board.turn) for n in range(7)]
    for square, man in zip(random.sample(chess.SQUARES, len(men)), men, strict=True):
        board.set_piece_at(square, man)
    return board if board.is_valid() and not board.is_check() else None


def lead_to_positions(boards: list[chess.Board]) -> None:
    """None of these is refused as no position of the game."""
    for board, found in zip(boards, consistency.check_of(list(map(of_board, boards))), strict=True):
        assert found.consistent, (board.fen(), found.flaws)


@with_campaign("seeds", [range(4)], [range(4, 400)])
def test_play_of_chess_breaks_no_condition(seeds: range) -> None:
    """Whatever random play leads to, as long as the game is not over, is a position of the game."""
    for seed in seeds:
        boards = [played(seed, 0)]
        for move in played(seed, 150).move_stack:
            if over(boards[-1]):
                break
            boards.append(boards[-1].copy(stack=False))
            boards[-1].push(move)
        lead_to_positions(boards)


@with_campaign("seeds", [range(25)], [range(25, 3000)])
def test_moves_with_check_break_no_condition(seeds: range) -> None:
    """Nor do moves from positions of a few men, with many checks and captures in passing."""
    boards = []
    for start in filter(None, map(sparse, seeds)):
        for move in start.legal_moves:
            boards.append(start.copy(stack=False))
            boards[-1].push(move)
            if boards[-1].has_legal_en_passant():
                for reply in boards[-1].generate_legal_ep():
                    boards.append(boards[-1].copy(stack=False))
                    boards[-1].push(reply)
                    break
    lead_to_positions(boards)


@pytest.mark.parametrize("side", ["white", "black"])
@parametrized
def test_lines_that_a_capture_in_passing_opens(fen: str, side: str) -> None:
    """Along whatever line, the king is not left in check; the library says the same."""
    board = chess.Board(fen)
    compare(board if side == "white" else board.mirror())


@pytest.mark.parametrize("seed", range(6))
def test_repetition_as_the_library_has_it(seed: int) -> None:
    """Men go to and fro: a draw is claimed the third time, and comes by itself the fifth."""
    random = Random(seed)
    board = chess.Board(
        ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "7k/p7/8/1P6/8/8/8/K6R w - - 0 1")[seed % 2]
    )
    game = Session(of_board(board))
    while not board.is_game_over():
        moves = list(board.legal_moves)
        before = board.move_stack[-2:-1]
        back = [
            m
            for m in moves
            for b in before
            if (m.to_square, m.from_square) == (b.from_square, b.to_square)
        ]
        move = random.choice(back if back and random.random() < 0.8 else moves)
        game.push(notation_of().action_of(board, move))
        board.push(move)
        assert game.is_over == board.is_game_over(), board.fen()
        if not game.is_over:
            claim = game.why(f"claim_draw({side(board.turn)})")
            assert claim.legal == board.is_repetition(3), board.fen()


def test_a_claim_in_a_record(tmp_path: Path) -> None:
    """What a record tells is enough; the claim is no move in PGN, and the draw is its end."""
    there = tables(__name__)["there"]
    game = Session(start("chess/start"))
    for action in (*there, *there):
        game.push(action)
    game.save(str(tmp_path / "r.yaml"))
    assert explanation.why(
        replay.end_of(Record.load(tmp_path / "r.yaml")), "claim_draw(white)"
    ).legal
    game.push("claim_draw(white)")
    game.save(str(tmp_path / "claimed.yaml"))
    told = notation("to-pgn", str(tmp_path / "claimed.yaml"))
    assert '[Result "1/2-1/2"]' in told
    assert told.strip().endswith("4. Ng1 Ng8 1/2-1/2")


def test_a_result_that_no_rule_brings(tmp_path: Path) -> None:
    """Who gave up, and why, goes from PGN to a record and back; a mate says it itself."""
    record = tmp_path / "r.yaml"
    headers = '[Result "0-1"]\n[Termination "time forfeit"]\n\n'
    record.write_text(notation("pgn", "-", text=headers + "1. e4 e5 0-1\n"), "utf-8")
    assert 'result: {wins: [black], by: "time forfeit"}' in record.read_text("utf-8")
    assert notation("to-pgn", str(record)).strip().splitlines()[-1] == "1. e4 e5 0-1"
    mate = "1. f3 e5 2. g4 Qh4# 0-1"
    record.write_text(notation("pgn", "-", text='[Result "0-1"]\n\n' + mate + "\n"), "utf-8")
    assert "result" not in record.read_text("utf-8")
    assert notation("to-pgn", str(record)).strip().splitlines()[-1] == mate


def notation(*words: str, text: str = "") -> str:
    run = subprocess.run(
        [sys.executable, str(NOTATION), *words], input=text, capture_output=True, text=True,
        check=False, cwd=Path(__file__).parent.parent,
    )  # fmt: skip
    return run.stdout if run.returncode == 0 else run.stderr


def test_fen_in_and_out(tmp_path: Path) -> None:
    """What goes in comes out; what is no FEN is told in a line."""
    fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/Pp2P3/2N2Q1p/1PPBBPPP/R3K2R b Kq a3 0 7"
    file = tmp_path / "p.yaml"
    file.write_text(notation("fen", fen), "utf-8")
    assert Position.load(file) == of_board(chess.Board(fen))
    assert notation("to-fen", str(file)).strip() == fen
    assert notation("fen", "9/8").startswith("Error: no FEN")


def test_pgn_in_and_out(tmp_path: Path) -> None:
    """A game with castling, a capture in passing and a promotion, tried by the rules and back."""
    game = "1. e4 Nf6 2. e5 d5 3. exd6 Nc6 4. Nf3 Bf5 5. Be2 Qxd6 6. O-O O-O-O 7. h4 *"
    record = tmp_path / "r.yaml"
    record.write_text(notation("pgn", "-", text=game + "\n"), "utf-8")
    assert "castle(black, long)" in record.read_text("utf-8")
    assert notation("to-pgn", str(record)).strip().splitlines()[-1] == game


def test_a_sign_has_one_or_two_characters() -> None:
    """A mark is written as its game says; what does not go into a place is refused."""
    marks = [parse_term(text) for text in ('mark(king, "k")', 'mark(queen, "Qu")', "mark(rook)")]
    assert scene.signs_of(marks) == {"king": "k", "queen": "Qu"}
    for sign in ("", "  ", "Que"):
        with pytest.raises(RulesetError, match="one or two characters"):
            scene.signs_of([parse_term(f'mark(queen, "{sign}")')])


def test_a_player_left_out_is_the_one_whose_turn_it_is() -> None:
    """Of two moves that are both illegal it is the one of whoever has the turn."""
    why = explanation.why(start("chess/start"), "move(e1, e2)")
    assert str(why.action) == "move(white, e1, e2)"
    assert [reason.rule.id for reason in why.reasons] == ["chs_02"]


@parametrized
def test_no_argument_is_made_up(text: str, meant: list[str]) -> None:
    """Of several forms that are as likely none is answered about, but that none is legal."""
    at = start("chess/start")
    if len(meant) == 1:
        assert str(legality.action_of(at, text)) == meant[0]
    else:
        none = "and none of them is legal; write one of them"
        told = f"{text!r} can mean {' or '.join(meant)}, {none}"
        for ask in (explanation.why, legality.action_of, application.apply):
            with pytest.raises(InputError, match=re.escape(told)):
                ask(at, text)
    for claim, so in ((f"illegal({text})", "true"), (f"legal({text})", "false")):
        assert evaluation.truths(parse(at, claim), [(at, ())]) == [so]


def test_a_route_is_a_list_in_brackets() -> None:
    """It is typed and told as people write lists; the term itself may be typed, too."""
    at = position_of(
        {
            "ruleset": str(GAMES / "draughts"), "turn": "black",
            "men": {"c3": "black", "d4": "white", "f6": "white"},
        }
    )  # fmt: skip
    (action,) = legality.legal_actions(at)
    assert str(action) == "jump(black, (c3, (e5, (g7, ()))))"
    spoken = at.ruleset.vocabulary.rulers.spoken(str(action))
    assert spoken == "jump(black, [c3, e5, g7])"
    for text in (str(action), spoken, "jump([c3,e5,g7])"):
        assert legality.action_of(at, text) == action
    assert str(legality.action_of(at, "jump(black, [])")) == "jump(black, ())"
    for text in ("jump(black, [c3; e5])", "jump(black, [c3, e5)", "jump(black, [c3, [e5]])"):
        with pytest.raises(InputError):
            legality.action_of(at, text)


@pytest.mark.parametrize("game", ["breakthrough", "connect_four", "nine_mens_morris", "tictactoe"])
def test_reasons_are_exact(game: str) -> None:
    for path in (GAMES / game / "positions").glob("*.yaml"):
        assert not exactness.faults(Position.load(path))


@parametrized
def test_cases_that_ship(pymorph: Run, case: str, verdicts: list[str]) -> None:
    """One claim of each is rejected."""
    code, out, err = pymorph("adjudicate", GAMES / case, "--json")
    assert (code, err) == (1, "")
    assert [claim["verdict"] for claim in json.loads(out)["claims"]] == verdicts
