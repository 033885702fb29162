"""FEN and PGN for the chess of this folder: positions and records in and out.

    python notation.py fen "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1" > position.yaml
    python notation.py to-fen position.yaml
    python notation.py pgn game.pgn > record.yaml
    python notation.py to-pgn record.yaml

It needs pymorph and, for PGN, the package `chess`. The rules need neither it nor Python.
"""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import click

from pymorph import Position, PymorphError, Record, outcome, replay
from pymorph.queries.results import GameOutcome
from pymorph.state.record import Move, StatedEnd

FOLDER = Path(__file__).resolve().parent
KINDS = dict(zip("kqrbnp", ("king", "queen", "rook", "bishop", "knight", "pawn"), strict=True))
LETTERS = {kind: letter for letter, kind in KINDS.items()}
WINNERS: dict[str, tuple[str, ...]] = {"1-0": ("white",), "0-1": ("black",), "1/2-1/2": ()}
WINGS = {"K": "short", "Q": "long"}


def position_of(board: chess.Board) -> Position:
    """The position of a board, as a file of this ruleset has it."""
    men = {
        chess.square_name(square): f"{side(piece.color)}_{KINDS[piece.symbol().lower()]}"
        for square, piece in board.piece_map().items()
    }
    data: dict[str, Any] = {"ruleset": str(FOLDER), "turn": side(board.turn), "men": men}
    rights: dict[str, dict[str, str]] = {}
    for letter in board.fen().split()[2].strip("-"):
        rights.setdefault(side(letter.isupper()), {})[WINGS[letter.upper()]] = "yes"
    data |= {"may_castle": rights} if rights else {}
    data |= {"passed": chess.square_name(board.ep_square)} if board.ep_square is not None else {}
    data |= {"quiet": board.halfmove_clock, "number": board.fullmove_number - 1}
    return Position.parse(json.dumps(data))


def board_of(position: Position) -> chess.Board:
    """The board of a position."""
    values = {str(fluent): str(value) for fluent, value in position.fluents.items()}
    board = chess.Board(None)
    for fluent, value in values.items():
        if fluent.startswith("man("):
            colour, kind = value.split("_")
            letter = LETTERS[kind]
            piece = chess.Piece.from_symbol(letter.upper() if colour == "white" else letter)
            board.set_piece_at(chess.parse_square(fluent[4:-1]), piece)
    rights = [
        letter if colour == "white" else letter.lower()
        for colour in ("white", "black")
        for letter, wing in WINGS.items()
        if values.get(f"may_castle({colour},{wing})") == "yes"
    ]
    board.set_castling_fen("".join(rights) or "-")
    board.turn = values["turn"] == "white"
    board.ep_square = chess.parse_square(values["passed"]) if "passed" in values else None
    board.halfmove_clock = int(values.get("quiet", 0))
    board.fullmove_number = int(values.get("number", 0)) + 1
    return board


def action_of(board: chess.Board, move: chess.Move) -> str:
    """A move on a board, as an action of this ruleset."""
    player = side(board.turn)
    if board.is_castling(move):
        return f"castle({player}, {'short' if board.is_kingside_castling(move) else 'long'})"
    way = f"{player}, {chess.square_name(move.from_square)}, {chess.square_name(move.to_square)}"
    if move.promotion:
        return f"promote({way}, {KINDS[chess.piece_symbol(move.promotion)]})"
    return f"move({way})"


def move_of(board: chess.Board, action: str) -> chess.Move:
    """An action of this ruleset, as a move on the board."""
    for move in board.legal_moves:
        if action_of(board, move).replace(" ", "") == action.replace(" ", ""):
            return move
    raise PymorphError(f"{action} is no move of a game that PGN can tell")


def end_of(headers: chess.pgn.Headers) -> StatedEnd | None:
    """How a game in PGN says that it ended."""
    reason = headers.get("Termination", "as the PGN says")
    winner = WINNERS.get(headers["Result"])
    return None if winner is None else StatedEnd(winner, not winner, reason)


def result_of(ending: GameOutcome | None) -> str:
    """How PGN says who has won."""
    if ending is None:
        return "*"
    winners = tuple(map(str, ending.winners))
    return next((text for text, who in WINNERS.items() if who == winners), "*")


def side(white: bool) -> str:
    return "white" if white else "black"


@click.group(help=__doc__)
def main() -> None:
    pass


@main.command()
@click.argument("text")
def fen(text: str) -> None:
    """The position that a FEN tells of."""
    try:
        click.echo(position_of(chess.Board(text)).yaml(), nl=False)
    except ValueError as error:
        raise click.ClickException(f"no FEN: {error}") from None


@main.command()
@click.argument("file")
def to_fen(file: str) -> None:
    """The FEN of a position."""
    click.echo(board_of(Position.load(file)).fen(en_passant="fen"))


@main.command()
@click.argument("file", type=click.File())
def pgn(file: Any) -> None:
    """The record of a game in PGN, tried by the rules."""
    game = chess.pgn.read_game(file)
    if game is None or game.errors:
        raise click.ClickException(f"no game in PGN: {game.errors[0] if game else 'nothing there'}")
    board = game.board()
    start, actions = position_of(board), []
    for move in game.mainline_moves():
        actions.append(action_of(board, move))
        board.push(move)
    record = Record(start, tuple(map(Move, actions)), end=end_of(game.headers))
    found = replay(record)
    if found.good and outcome(found.position) is not None:
        record = replace(record, end=None)  # the rules say so themselves
    click.echo(record.yaml(), nl=False)


@main.command()
@click.argument("file")
def to_pgn(file: str) -> None:
    """A record as a game in PGN."""
    record = Record.load(file)
    game = chess.pgn.Game()
    board = board_of(record.position)
    game.setup(board)
    node: chess.pgn.GameNode = game
    for step in record.steps:
        if step.action.startswith("claim_"):  # which ends the game, and is no move
            break
        node = node.add_variation(move_of(board, step.action))
        board.push(node.move)
    game.headers["Result"] = result_of(replay(record).ending)
    click.echo(str(game))


if __name__ == "__main__":
    try:
        main()
    except PymorphError as error:
        sys.exit(f"notation: {error}")
